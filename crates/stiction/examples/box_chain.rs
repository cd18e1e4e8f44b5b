//! A chain of boxes on the floor, joined at their edges: joints and contacts that say the same thing several times. It lies
//! still, and is then dragged by its end: `cargo run -p stiction --example box_chain`.

use std::error::Error;

use stiction::joints::{JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyDefinition, GeomDefinition, World, WorldParameters};

const NAMES: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "last"];

/// A name, and points.
pub type Track = (&'static str, Vec<(f64, f64)>);

/// Names, and how far each box has come: time \[s\], distance \[m\]; then the largest gap of a joint over time \[m\].
pub fn run() -> Result<Vec<Track>, Box<dyn Error>> {
    let mut world = World::new(WorldParameters { gravity: DVec3::NEG_Z * 9.81, ..WorldParameters::default() });
    let surface = Surface { friction: [0.4; 2], ..Surface::default() };
    world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(Shape::plane(DVec3::Z, 0.0)?, None) })?;
    let shape = Shape::cuboid(DVec3::new(0.4, 0.3, 0.2))?;
    let mass = shape.mass_properties(500.0).ok_or("no volume")?;
    let mut boxes = Vec::new();
    for i in 0..NAMES.len() {
        let pose = Pose::from_position(DVec3::new(0.4 * i as f64, 0.0, 0.1));
        let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() })?;
        world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape.clone(), Some(body)) })?;
        if let Some(last) = boxes.last() {
            let at = DVec3::new(0.4 * i as f64 - 0.2, 0.0, 0.1);
            let hinge = JointDefinition::new(JointKind::Hinge, Some(body), Some(*last)).with_axis(0, DVec3::Y);
            world.add_joint(hinge.at(at))?;
        }
        boxes.push(body);
    }
    let mut tracks: Vec<_> = NAMES.iter().map(|name| (*name, Vec::new())).collect();
    let mut gap = Vec::new();
    for step in 0..1500 {
        // Six boxes of 12 kg: friction holds 283 N.
        if step >= 500 {
            world.body_mut(boxes[5]).ok_or("no box")?.add_force(DVec3::X * 340.0);
        }
        world.step(2e-3);
        for (i, (body, (_, track))) in boxes.iter().zip(&mut tracks).enumerate() {
            track.push((world.time(), world.body(*body).ok_or("no box")?.pose().position.x - 0.4 * i as f64));
        }
        gap.push((world.time(), world.report().joint_error));
    }
    tracks.push(("gap", gap));
    Ok(tracks)
}

fn main() -> Result<(), Box<dyn Error>> {
    for (name, track) in run()? {
        println!("{name}: (t, value) = {:?}", track.last().copied().unwrap_or_default());
    }
    Ok(())
}

#[test]
fn the_chain_lies_still_and_is_dragged_whole() -> Result<(), Box<dyn Error>> {
    let tracks = run()?;
    let at = |k: usize, step: usize| tracks[k].1[step].1;
    for k in 0..6 {
        assert!(at(k, 499).abs() < 1e-4, "{}", at(k, 499));
        // (340 - 283) N on 72 kg for two seconds.
        assert!((at(k, 1499) - 1.57).abs() < 0.15, "{}", at(k, 1499));
    }
    assert!(tracks[6].1.iter().all(|(_, gap)| *gap < 1e-3));
    Ok(())
}
