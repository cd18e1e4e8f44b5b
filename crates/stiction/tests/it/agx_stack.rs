//! Stacks of AGX's materials by solve type: mass ratios, constant normal forces, rest.

use glam::DVec3;
use stiction::contact::friction::{Coupling, FrictionBound};
use stiction::material::{ContactSurface, SolveType};
use stiction::shape::Shape;
use stiction::world::{BodyId, Preset, World, WorldParameters};

use super::agx::{self, BLOCK, GRAVITY, GROUND, STEP, add_ground, position, slope_gravity, steps};

fn law(stiffness: f64, solve_type: SolveType) -> ContactSurface {
    ContactSurface { solve_type, ..agx::law(stiffness, 0.075, 0.5) }
}

fn world(law: ContactSurface, slope: f64) -> World {
    let mut parameters = WorldParameters { gravity: slope_gravity(slope, 0.0), ..WorldParameters::default() };
    Preset::Agx.apply(&mut parameters);
    let mut world = World::new(parameters);
    for pair in [GROUND, BLOCK] {
        world.contact_table_mut().set(pair, BLOCK, law);
    }
    add_ground(&mut world);
    world
}

fn cube(world: &mut World, mass: f64, height: f64) -> BodyId {
    agx::add(world, Shape::cuboid(DVec3::ONE).unwrap(), mass, height)
}

/// The flat block of the slopes.
fn block(world: &mut World, mass: f64) -> BodyId {
    agx::add(world, Shape::cuboid(DVec3::new(0.4, 0.4, 0.05)).unwrap(), mass, 0.025)
}

fn speed(world: &World, body: BodyId) -> f64 {
    world.body(body).unwrap().velocity().length()
}

/// A26: 1000 kg and 100 kg on 1 kg for 60 s: the depths of springs in series, upright and at rest, with rows solved directly;
/// sweeps alone end with a residual, which the step tells.
#[test]
fn a_heavy_cube_stands_on_a_light_one() {
    for heavy in [1000.0, 100.0] {
        for solve_type in [SolveType::Split, SolveType::Direct, SolveType::DirectAndIterative, SolveType::Iterative] {
            let mut world = world(law(1e7, solve_type), 0.0);
            let below = cube(&mut world, 1.0, 0.5);
            let above = cube(&mut world, heavy, 1.5);
            let mut residual: f64 = 0.0;
            let energy = world.energy().total();
            for k in 0..3600 {
                world.step(STEP);
                if k > 600 {
                    residual = world.report().residuals.iter().map(|r| r.solved).fold(residual, f64::max);
                }
            }
            let lower = 0.5 - position(&world, below).z;
            let upper = position(&world, below).z + 1.0 - position(&world, above).z;
            let turn = world.body(above).unwrap().pose().rotation;
            if solve_type == SolveType::Iterative {
                // A hundred sweeps do not hold it, and the report says so.
                assert!(residual > 1e-3, "{residual} m/s");
            } else {
                assert!(world.energy().total() < energy);
                assert!(turn.x.abs() + turn.y.abs() < 1e-6, "{solve_type:?}: {turn}");
                for (found, wanted) in [(lower, (heavy + 1.0) * GRAVITY / 4e7), (upper, heavy * GRAVITY / 4e7)] {
                    assert!((found / wanted - 1.0).abs() < 1e-3, "{solve_type:?}: {found} m, wanted {wanted} m");
                }
                for body in [below, above] {
                    assert!(speed(&world, body) < 1e-6);
                }
            }
        }
    }
}

/// A16: 10 N at each of four points, μ 0.5: 8 kg slide from `asin(n μ F₀ / (m g))`, with 8 kg more rigidly on top from half the
/// sine.
#[test]
fn a_constant_normal_force_does_not_grow_with_the_load() {
    for (mass, threshold) in [(8.0, 14.769_f64), (16.0, 7.323)] {
        for slope in [threshold - 0.5, threshold + 0.5] {
            let bound = FrictionBound::Force(0.5 * 10.0);
            let law = ContactSurface {
                friction: [bound; 2],
                coupling: Coupling::Independent,
                direction: Some(DVec3::X),
                projects_direction: true,
                ..law(2e8, SolveType::Split)
            };
            let mut world = world(law, slope);
            let body = block(&mut world, mass);
            steps(&mut world, STEP, 1.0);
            let speed = speed(&world, body);
            assert!(if slope < threshold { speed < 1e-4 } else { speed > 0.03 }, "{mass} kg, {slope}°: {speed} m/s");
        }
    }
}

/// A42: the same depth, threshold and creep whatever the solve type.
#[test]
fn solve_types_agree() {
    for solve_type in [SolveType::Split, SolveType::Direct, SolveType::DirectAndIterative, SolveType::Iterative] {
        for slope in [26.065, 27.065] {
            let mut world = world(law(2e8, solve_type), slope);
            let body = block(&mut world, 10.0);
            steps(&mut world, STEP, 1.0);
            let speed = speed(&world, body);
            assert!(if slope < 26.5 { speed < 1e-4 } else { speed > 0.03 }, "{solve_type:?}, {slope}°: {speed} m/s");
        }
        let creeping = ContactSurface { slip: [1e-4; 2], ..law(2e8, solve_type) };
        let mut world = world(creeping, 20.0);
        let body = block(&mut world, 10.0);
        steps(&mut world, STEP, 5.0);
        let speed = world.body(body).unwrap().velocity().x;
        assert!((speed / 8.385_180e-4 - 1.0).abs() < 1e-2, "{solve_type:?}: {speed} m/s");
    }
}

/// A41: μ₁ 0 and μ₂ 1, direct, on 30° for 3 s: free along the primary direction, at rest across it.
#[test]
fn friction_across_only_holds_across_only() {
    for (direction, holds) in [(DVec3::X, false), (DVec3::Y, true)] {
        let law = ContactSurface {
            friction: [FrictionBound::Coefficient(0.0), FrictionBound::Coefficient(1.0)],
            coupling: Coupling::Independent,
            direction: Some(direction),
            projects_direction: true,
            ..law(2e8, SolveType::Direct)
        };
        let mut world = world(law, 30.0);
        let body = block(&mut world, 10.0);
        steps(&mut world, STEP, 3.0);
        let speed = speed(&world, body);
        if holds {
            assert!(speed < 1e-5, "{speed} m/s");
        } else {
            assert!((speed / 14.71 - 1.0).abs() < 1e-3, "{speed} m/s");
        }
    }
}
