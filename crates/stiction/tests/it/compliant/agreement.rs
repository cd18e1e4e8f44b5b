//! Two time advancements of one model: the discrete one converges to the continuous one as the step goes to zero.

use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{Preset, World};

use crate::compliant::support::{add, ball, ground, run, surface, world};

const DURATION: f64 = 0.4;

/// A ball with back-spin on a plane, and a block on face manifolds that slides to rest.
fn scene(world: &mut World) -> [stiction::world::BodyId; 2] {
    let surface = surface(0.3, 0.3, Some([2e4, 20.0]));
    ground(world, 0.0, &surface);
    let ball = ball(world, 0.05, 0.1, DVec3::new(0.0, 1.0, 0.05), &surface);
    let mut moving = world.body_mut(ball).unwrap();
    moving.set_velocity(DVec3::X).unwrap();
    moving.set_omega(DVec3::Y * -40.0).unwrap();
    let mass = Shape::cuboid(DVec3::new(0.2, 0.1, 0.04)).unwrap();
    let inertia = mass.mass_properties(1.0).unwrap().with_mass(0.5).inertia;
    let block = add(world, mass, 0.5, inertia, Pose::from_position(DVec3::Z * 0.0199), &surface);
    world.body_mut(block).unwrap().set_velocity(DVec3::X * 0.9).unwrap();
    [ball, block]
}

fn end(preset: Preset, step: f64) -> [DVec3; 2] {
    let mut world = world(preset, 9.81, |p| {
        p.manifold = stiction::material::ManifoldRule::Face;
        p.integrator.accuracy = 1e-10;
        p.integrator.max_step = 1e-3;
        p.compliant.stiction_tolerance = 1e-3;
    });
    let bodies = scene(&mut world);
    run(&mut world, step, DURATION);
    bodies.map(|id| world.body(id).unwrap().center_of_mass())
}

/// Largest distance of the two bodies from the converged solution after steps of each size.
#[must_use]
pub fn errors(steps: &[f64]) -> Vec<f64> {
    let converged = end(Preset::DrakeContinuous, 1e-3);
    let distance = |step: &f64| {
        let found = end(Preset::DrakeDiscrete, *step);
        found.iter().zip(converged).map(|(a, b)| (*a - b).length()).fold(0.0, f64::max)
    };
    steps.iter().map(distance).collect()
}

#[test]
fn the_error_falls_with_the_step() {
    let steps = [2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4];
    let found = errors(&steps);
    println!("steps {steps:?} errors {found:?}");
    // First order over four halvings, single ones scatter with the step of the first contact.
    let order = (found[0] / found[4]).log2() / 4.0;
    assert!((0.7..1.5).contains(&order), "order {order}: {found:?}");
    assert!(found[4] < 2e-4);
}
