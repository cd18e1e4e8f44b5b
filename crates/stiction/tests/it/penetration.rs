//! What happens to overlaps: maximum correcting velocity and surface layer.

use super::support::*;
use stiction::material::Surface;
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{Correction, GeomDefinition, SolverKind, World, WorldParameters};

const SOLVERS: [SolverKind; 2] = [SolverKind::Direct, SolverKind::Iterative];

/// A ball 0.1 m deep in a fixed one, after one step of 1 ms: height gained and velocity left.
fn pushed_out(parameters: WorldParameters, surface: Surface) -> (f64, f64) {
    let mut world = World::new(WorldParameters { gravity: DVec3::ZERO, cfm: 0.0, ..parameters });
    let sphere = || Shape::sphere(1.0).unwrap();
    world.add_geom(&GeomDefinition::new(sphere(), None)).unwrap();
    let ball = add_shape(&mut world, sphere(), 1.0, Pose::from_position(DVec3::new(0.0, 0.0, 1.9)), surface);
    world.step(1e-3);
    let b = world.body(ball).unwrap();
    (b.pose().position.z - 1.9, b.velocity().z)
}

#[test]
fn positions_are_corrected_in_full_and_the_bound_is_on_the_velocity_left() {
    for solver in SOLVERS {
        for cap in [0.0, 0.01, 1.0, 10.0, f64::INFINITY] {
            let world = WorldParameters { solver, ..WorldParameters::default() };
            let by_world = WorldParameters { contact_max_correcting_velocity: cap, ..world.clone() };
            let own = Surface { max_correcting_velocity: Some(cap), ..Surface::default() };
            for (rise, speed) in [pushed_out(by_world, Surface::default()), pushed_out(world, own)] {
                // erp d = 0.02 m in the step, that is 20 m/s.
                assert!((rise - 0.02).abs() < 1e-12, "{solver:?} {cap}: {rise}");
                assert!((speed - cap.min(20.0)).abs() < 1e-9, "{solver:?} {cap}: {speed}");
            }
        }
    }
}

#[test]
fn in_one_solve_the_bound_is_on_the_correction_too() {
    for solver in SOLVERS {
        let parameters = WorldParameters {
            solver,
            contact_max_correcting_velocity: 1.0,
            correction: Correction::Velocity,
            ..WorldParameters::default()
        };
        let (rise, speed) = pushed_out(parameters, Surface::default());
        assert!((rise - 1e-3).abs() < 1e-12 && (speed - 1.0).abs() < 1e-12, "{rise} {speed}");
    }
}

#[test]
fn a_surface_layer_is_left_alone_and_truncates_the_minimum_depths_where_it_is_given() {
    // World's layer, whether it was given, the surface's own depth, and where a box that starts 5 mm deep ends.
    for (layer, given, depth, expected) in [
        (0.0, true, None, 0.0),
        (0.01, true, None, 0.005),
        (0.002, true, None, 0.002),
        (0.01, true, Some(0.003), 0.003),
        (0.0, true, Some(0.003), 0.0),
        (0.002, true, Some(0.003), 0.002),
        (0.001, false, Some(0.003), 0.003),
        (0.001, false, Some(0.0), 0.0),
        (0.001, false, None, 0.001),
    ] {
        for solver in SOLVERS {
            let mut world = World::new(WorldParameters {
                solver,
                cfm: 0.0,
                contact_surface_layer: layer,
                contact_surface_layer_truncates: given,
                ..parameters()
            });
            add_ground(&mut world, Surface::default());
            let surface = Surface { min_depth: depth, ..Surface::default() };
            let shape = Shape::cuboid(DVec3::ONE).unwrap();
            let body = add_shape(&mut world, shape, 1.0, Pose::from_position(DVec3::new(0.0, 0.0, 0.495)), surface);
            for _ in 0..500 {
                world.parameters.contact_max_correcting_velocity = 0.0;
                world.step(0.01);
            }
            let sunk = 0.5 - world.body(body).unwrap().pose().position.z;
            assert!((sunk - expected).abs() < 1e-6, "{layer} {given} {depth:?} {solver:?}: {sunk}");
        }
    }
}
