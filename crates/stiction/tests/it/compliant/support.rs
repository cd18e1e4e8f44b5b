//! Worlds of compliant contact.

use stiction::material::{PointContact, Surface};
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyDefinition, BodyId, GeomDefinition, Preset, World, WorldParameters};

/// The two plants.
pub const PLANTS: [Preset; 2] = [Preset::DrakeDiscrete, Preset::DrakeContinuous];

/// An empty world of a plant, with gravity down.
pub fn world(preset: Preset, gravity: f64, change: impl FnOnce(&mut WorldParameters)) -> World {
    let mut parameters = WorldParameters { gravity: DVec3::new(0.0, 0.0, -gravity), ..WorldParameters::default() };
    preset.apply(&mut parameters);
    change(&mut parameters);
    parameters.validate().unwrap();
    World::new(parameters)
}

/// A surface with coefficients, and stiffness and dissipation of its own if given.
pub fn surface(static_friction: f64, dynamic_friction: f64, law: Option<[f64; 2]>) -> Surface {
    Surface {
        point_contact: PointContact {
            relaxation_time: None,
            stiffness: law.map(|l| l[0]),
            dissipation: law.map(|l| l[1]),
            static_friction: Some(static_friction),
            dynamic_friction: Some(dynamic_friction),
        },
        ..Surface::default()
    }
}

/// A half-space through the origin, turned about y.
pub fn ground(world: &mut World, slope: f64, surface: &Surface) {
    let pose = Pose::from_rotation(DQuat::from_rotation_y(slope));
    let shape = Shape::plane(DVec3::Z, 0.0).unwrap();
    world.add_geom(&GeomDefinition { pose, surface: *surface, ..GeomDefinition::new(shape, None) }).unwrap();
}

/// A solid ball.
pub fn ball(world: &mut World, radius: f64, mass: f64, center: DVec3, surface: &Surface) -> BodyId {
    let inertia = DMat3::from_diagonal(DVec3::splat(0.4 * mass * radius * radius));
    add(world, Shape::sphere(radius).unwrap(), mass, inertia, Pose::from_position(center), surface)
}

/// A body of one shape.
pub fn add(world: &mut World, shape: Shape, mass: f64, inertia: DMat3, pose: Pose, surface: &Surface) -> BodyId {
    let mass = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia };
    let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
    world.add_geom(&GeomDefinition { surface: *surface, ..GeomDefinition::new(shape, Some(body)) }).unwrap();
    body
}

/// Steps for a time; every step converges and stays finite.
pub fn run(world: &mut World, step: f64, time: f64) {
    for _ in 0..(time / step).round() as u64 {
        let report = world.step(step);
        assert!(report.gave_up == 0 && report.quarantined.is_empty(), "{report:?}");
    }
}

/// `found` is `expected` to a relative tolerance.
#[track_caller]
pub fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * expected.abs(), "{found} against {expected} within {tolerance:e}");
}
