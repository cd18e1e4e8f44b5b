//! A ball rolls down a ramp onto the floor, the guide's 12.13. With friction in proportion to the normal force it rolls
//! on; with friction of any force it sticks where it touches both: `cargo run -p stiction --example ramp_and_floor`.

use std::error::Error;

use stiction::contact::friction::FrictionBound;
use stiction::material::ContactSurface;
use stiction::math::{DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, ContactDefinition, SolverKind, World, WorldParameters};

const RADIUS: f64 = 0.2;

/// The ball's path: x and height \[m\].
pub fn roll(bound: FrictionBound) -> Result<Vec<(f64, f64)>, Box<dyn Error>> {
    let gravity = DVec3::NEG_Z * 9.81;
    let solver = SolverKind::Direct;
    let mut world = World::new(WorldParameters { gravity, solver, ..WorldParameters::default() });
    // Two half-spaces through the origin: the floor, and a ramp of 30 degrees that rises towards -x.
    let normals = [DVec3::Z, DVec3::new(0.5, 0.0, 0.75f64.sqrt())];
    let start = normals[1] * RADIUS - DVec3::new(0.75f64.sqrt(), 0.0, -0.5);
    let (pose, mass) = (Pose::from_position(start), MassProperties::sphere(1000.0, RADIUS));
    let ball = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() })?;
    let surface = ContactSurface { friction: [bound; 2], ..ContactSurface::default() };
    let mut path = Vec::new();
    for _ in 0..1500 {
        let center = world.body(ball).ok_or("no ball")?.pose().position;
        path.push((center.x, center.z));
        world.clear_contacts();
        for normal in normals {
            let depth = RADIUS - normal.dot(center);
            if depth >= 0.0 {
                let (bodies, position) = ([Some(ball), None], center - normal * RADIUS);
                world.add_contact(ContactDefinition { bodies, position, normal, depth, surface });
            }
        }
        world.step(1e-3);
    }
    Ok(path)
}

fn main() -> Result<(), Box<dyn Error>> {
    for bound in [FrictionBound::Coefficient(1.0), FrictionBound::Force(1e6)] {
        println!("{bound:?}: the ball is at {:?} m", roll(bound)?.last().copied().unwrap_or_default());
    }
    Ok(())
}

#[test]
fn only_friction_that_follows_the_normal_lets_the_ball_roll_on() -> Result<(), Box<dyn Error>> {
    let end = |bound| -> Result<f64, Box<dyn Error>> { Ok(roll(bound)?.last().ok_or("no path")?.0) };
    let (rolls, sticks) = (end(FrictionBound::Coefficient(1.0))?, end(FrictionBound::Force(1e6))?);
    assert!(rolls > 1.0 && sticks < 0.12, "{rolls} {sticks}");
    Ok(())
}
