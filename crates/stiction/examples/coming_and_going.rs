//! Bodies and joints that come and go between steps: a chain grows by a link every quarter of a second, loses its last one
//! after two, and is let go after two and a half: `cargo run -p stiction --example coming_and_going`.

use std::error::Error;

use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, World, WorldParameters};

const NAMES: [&str; 5] = ["first", "second", "third", "fourth", "last"];

/// A name, and points.
pub type Track = (&'static str, Vec<(f64, f64)>);

/// Names, and heights of the links over time: time \[s\], height \[m\].
pub fn run() -> Result<Vec<Track>, Box<dyn Error>> {
    let mut world = World::new(WorldParameters { gravity: DVec3::NEG_Z * 9.81, ..WorldParameters::default() });
    let mass =
        MassProperties { mass: 0.5, center_of_mass: DVec3::ZERO, inertia: DMat3::from_diagonal(DVec3::splat(2e-3)) };
    let (mut links, mut joints) = (Vec::new(), Vec::new());
    let mut tracks: Vec<_> = NAMES.iter().map(|name| (*name, Vec::new())).collect();
    for step in 0..3000 {
        if step % 250 == 0 && step < 1250 {
            // It hangs from where the last link ends now, sticking out to the side.
            let last = links.last().copied();
            let end = last.and_then(|b| world.body(b)).map_or(DVec3::ZERO, |b| b.point_to_world(DVec3::X * 0.1));
            let pose = Pose::from_position(end + DVec3::X * 0.1);
            let link = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() })?;
            joints.push(world.add_joint(JointDefinition::new(JointKind::Ball, Some(link), last).at(end))?);
            links.push(link);
        }
        if step == 2000 {
            // A body goes; its joint stays, attached to nothing, until it is removed.
            links.pop().map(|link| world.remove_body(link));
            joints.pop().map(|joint| world.remove_joint(joint));
        }
        if step == 2500 {
            world.remove_joint(joints[0]);
        }
        world.step(1e-3);
        for (link, (_, track)) in links.iter().zip(&mut tracks) {
            track.push((world.time(), world.body(*link).ok_or("no link")?.pose().position.z));
        }
    }
    Ok(tracks)
}

fn main() -> Result<(), Box<dyn Error>> {
    for (name, track) in run()? {
        println!("{name}: (t, z) = {:?}", track.last().copied().unwrap_or_default());
    }
    Ok(())
}

#[test]
fn links_hang_go_and_fall() -> Result<(), Box<dyn Error>> {
    let tracks = run()?;
    // The last link went after two seconds, the others fell for half a second.
    assert!((tracks[4].1.last().ok_or("no track")?.0 - 2.0).abs() < 2e-3);
    for (name, track) in &tracks[..4] {
        let (last, before) = (track[track.len() - 1].1, track[track.len() - 501].1);
        assert!(before > -1.2 && before - last > 0.5, "{name}: {before} {last}");
    }
    Ok(())
}
