//! The engine `stiction` judged by closed forms, and by distances and energies of the tests' own.

mod bits;
mod books;
mod brackets;
mod friction;
mod landings;
mod light;
mod light_trees;
mod loads;
mod patches;
mod piles;
mod restitution;
mod robots;
mod rods;
mod rolling;
mod rounded;
pub mod solids;
mod stacks;
mod tracks;
mod trees;
mod triangles;

use crate::support::*;
use stiction::material::Surface;
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyId, BodyRef, GeomDefinition, Preset, World, WorldParameters};

/// Gravity down, under the preset; nothing falls asleep.
fn world() -> World {
    tilted(DVec3::new(0.0, 0.0, -GRAVITY))
}

fn tilted(gravity: DVec3) -> World {
    let mut parameters = WorldParameters { gravity, sleeping: false, ..WorldParameters::default() };
    Preset::Stiction.apply(&mut parameters);
    World::new(parameters)
}

fn rough(mu: f64) -> Surface {
    Surface { friction: [mu; 2], ..Surface::default() }
}

/// Steps for a time.
fn run(world: &mut World, step: f64, time: f64) {
    for _ in 0..(time / step).round() as usize {
        world.step(step);
    }
}

fn body(world: &World, id: BodyId) -> BodyRef<'_> {
    world.body(id).unwrap()
}

fn at(world: &World, id: BodyId) -> DVec3 {
    body(world, id).pose().position
}

/// A shape on a body or in the world, away from its frame.
fn attach(world: &mut World, shape: Shape, to: Option<BodyId>, place: DVec3, surface: Surface) {
    let pose = Pose::from_position(place);
    world.add_geom(&GeomDefinition { pose, surface, ..GeomDefinition::new(shape, to) }).unwrap();
}

/// A flat box that lies on z = 0, turned about the vertical.
fn flat_box(world: &mut World, sides: DVec3, mass: f64, [x, y]: [f64; 2], yaw: f64, mu: f64) -> BodyId {
    let pose = Pose { position: DVec3::new(x, y, 0.5 * sides.z), rotation: DQuat::from_rotation_z(yaw) };
    add_shape(world, Shape::cuboid(sides).unwrap(), mass, pose, rough(mu))
}

/// Kinetic energy and that of the height [J], from masses, inertias, velocities and places.
fn energy(world: &World) -> f64 {
    world.body_ids().map(|id| energy_of(world, id)).sum()
}

/// That of one body.
fn energy_of(world: &World, id: BodyId) -> f64 {
    let b = body(world, id);
    let (v, w) = (b.velocity(), b.omega());
    let kinetic = 0.5 * b.mass() * v.length_squared() + 0.5 * w.dot(b.world_inertia() * w);
    kinetic - b.mass() * world.parameters.gravity.dot(b.center_of_mass())
}

/// A judge: prints what it found and asserts what it allows.
fn hold(what: &str, worst: f64, bound: f64) {
    println!("judged: {what}: {worst:.3e} of {bound:.1e}");
    assert!(worst <= bound, "{what}: {worst}, more than {bound}");
}

/// The same of what does not yet hold as it should.
fn hold_for_now(what: &str, worst: f64, bound: f64, wanted: f64) {
    println!("judged: {what}: {worst:.3e} of {bound:.1e}, wanted {wanted:.1e}");
    assert!(worst <= bound && bound > wanted, "{what}: {worst}, more than {bound}");
}
