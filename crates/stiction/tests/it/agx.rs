//! Blocks and ground of AGX's material pairs, for the tests of its contacts.

use glam::DVec3;
use stiction::contact::friction::Coupling;
use stiction::contact::restitution::Restitution;
use stiction::material::{ContactSurface, MaterialId, NormalLaw, SolveType, Surface};
use stiction::math::Pose;
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyDefinition, BodyId, GeomDefinition, World};

pub const GRAVITY: f64 = 9.80665;
pub const STEP: f64 = 1.0 / 60.0;
pub const GROUND: MaterialId = MaterialId(1);
pub const BLOCK: MaterialId = MaterialId(2);

/// A pair of AGX: split, no restitution.
pub fn law(stiffness: f64, damping_time: f64, friction: f64) -> ContactSurface {
    ContactSurface {
        normal: NormalLaw::spook(1.0 / stiffness, damping_time),
        coupling: Coupling::Ellipse,
        slip: [1e-8; 2],
        solve_type: SolveType::Split,
        bounce: Some(Restitution { coefficient: 0.0, threshold: 0.0 }),
        ..ContactSurface::with_friction(friction)
    }
}

/// Gravity on a slope \[deg\] that falls along a heading \[deg\], the slope's surface being z = 0.
pub fn slope_gravity(slope: f64, heading: f64) -> DVec3 {
    let (s, c) = slope.to_radians().sin_cos();
    let (y, x) = heading.to_radians().sin_cos();
    GRAVITY * DVec3::new(s * x, s * y, -c)
}

/// The surface of a material.
pub fn of(material: MaterialId) -> Surface {
    Surface { material: Some(material), ..Surface::default() }
}

/// The ground z = 0, of the material `GROUND`.
pub fn add_ground(world: &mut World) {
    super::support::add_ground(world, of(GROUND));
}

/// A body of the material `BLOCK` with its frame at a height, and its mass properties.
pub fn add_with(world: &mut World, shape: Shape, mass: MassProperties, height: f64) -> BodyId {
    let pose = Pose::from_position(DVec3::new(0.0, 0.0, height));
    let body = world.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap();
    world.add_geom(&GeomDefinition { surface: of(BLOCK), ..GeomDefinition::new(shape, Some(body)) }).unwrap();
    body
}

/// A solid body of the material `BLOCK`, of a mass \[kg\], with its frame at a height.
pub fn add(world: &mut World, shape: Shape, mass: f64, height: f64) -> BodyId {
    let mass = shape.mass_properties(1.0).unwrap().with_mass(mass);
    add_with(world, shape, mass, height)
}

pub fn steps(world: &mut World, step: f64, time: f64) {
    for _ in 0..(time / step).round() as u32 {
        world.step(step);
    }
}

pub fn position(world: &World, body: BodyId) -> DVec3 {
    world.body(body).unwrap().pose().position
}
