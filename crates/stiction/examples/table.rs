//! A table as one body of five boxes, its legs flush with the top. It falls onto its side, where legs and top touch
//! the floor at common corners, and comes to rest: `cargo run -p stiction --example table`.

use std::error::Error;

use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyDefinition, GeomDefinition, World, WorldParameters};

/// A name, and points.
pub type Track = (&'static str, Vec<(f64, f64)>);

/// Time \[s\] and height of the middle of the top \[m\]; time and tilt \[rad\].
pub fn run() -> Result<Vec<Track>, Box<dyn Error>> {
    let mut world = World::new(WorldParameters { gravity: DVec3::NEG_Z * 9.81, ..WorldParameters::default() });
    world.add_geom(&GeomDefinition::new(Shape::plane(DVec3::Z, 0.0)?, None))?;
    let mut boxes = vec![(DVec3::new(1.2, 0.8, 0.04), DVec3::new(0.0, 0.0, 0.72))];
    for (x, y) in [(0.57, 0.37), (0.57, -0.37), (-0.57, 0.37), (-0.57, -0.37)] {
        // The outer faces of the legs lie in those of the top.
        boxes.push((DVec3::new(0.06, 0.06, 0.7), DVec3::new(x, y, 0.35)));
    }
    let mut parts = Vec::new();
    for (sides, place) in &boxes {
        let shape = Shape::cuboid(*sides)?;
        parts.push((shape.mass_properties(600.0).ok_or("no volume")?.translated(*place), shape, *place));
    }
    let mass = parts.iter().map(|p| p.0).reduce(|a, b| a.combined(&b)).ok_or("no parts")?;
    // Almost on its side, a little above the floor: y = -0.4 is what it lands on.
    let pose = Pose::new(DVec3::Z * 0.42, DQuat::from_rotation_x(1.53));
    let table = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() })?;
    for (_, shape, place) in parts {
        let pose = Pose::from_position(place);
        world.add_geom(&GeomDefinition { pose, ..GeomDefinition::new(shape, Some(table)) })?;
    }
    let mut tracks = vec![("height of the top's middle [m]", Vec::new()), ("tilt [rad]", Vec::new())];
    for _ in 0..1000 {
        world.step(2e-3);
        let table = world.body(table).ok_or("no table")?;
        let up = table.vector_to_world(DVec3::Z);
        tracks[0].1.push((world.time(), table.point_to_world(DVec3::Z * 0.72).z));
        tracks[1].1.push((world.time(), up.angle_between(DVec3::Z)));
    }
    Ok(tracks)
}

fn main() -> Result<(), Box<dyn Error>> {
    for (name, track) in run()? {
        println!("{name}: (t, value) = {:?}", track.last().copied().unwrap_or_default());
    }
    Ok(())
}

#[test]
fn the_table_lies_still_on_its_side() -> Result<(), Box<dyn Error>> {
    let tracks = run()?;
    for ((name, track), expected) in tracks.iter().zip([0.4, std::f64::consts::FRAC_PI_2]) {
        let (last, before) = (track[track.len() - 1].1, track[track.len() - 100].1);
        assert!((last - expected).abs() < 5e-3 && (last - before).abs() < 1e-4, "{name}: {before} {last}");
    }
    Ok(())
}
