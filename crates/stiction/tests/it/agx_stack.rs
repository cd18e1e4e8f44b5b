//! Stacks of AGX's materials by solve type: mass ratios, constant normal forces, rest.

use glam::DVec3;
use stiction::contact::friction::{Coupling, FrictionBound};
use stiction::contact::restitution::Restitution;
use stiction::material::{ContactSurface, MaterialId, NormalLaw, SolveType, Surface};
use stiction::math::Pose;
use stiction::shape::Shape;
use stiction::world::{BodyDefinition, BodyId, GeomDefinition, Preset, World, WorldParameters};

const GRAVITY: f64 = 9.80665;
const STEP: f64 = 1.0 / 60.0;
const MATERIAL: MaterialId = MaterialId(1);

fn law(stiffness: f64, solve_type: SolveType) -> ContactSurface {
    ContactSurface {
        normal: NormalLaw::spook(1.0 / stiffness, 0.075),
        coupling: Coupling::Ellipse,
        slip: [1e-8; 2],
        solve_type,
        bounce: Some(Restitution { coefficient: 0.0, threshold: 0.0 }),
        ..ContactSurface::with_friction(0.5)
    }
}

fn surface() -> Surface {
    Surface { material: Some(MATERIAL), ..Surface::default() }
}

fn world(law: ContactSurface, slope: f64) -> World {
    let (s, c) = slope.to_radians().sin_cos();
    let gravity = GRAVITY * DVec3::new(s, 0.0, -c);
    let mut parameters = WorldParameters { gravity, ..WorldParameters::default() };
    Preset::Agx.apply(&mut parameters);
    let mut world = World::new(parameters);
    world.contact_table_mut().set(MATERIAL, MATERIAL, law);
    let ground = Shape::plane(DVec3::Z, 0.0).unwrap();
    world.add_geom(&GeomDefinition { surface: surface(), ..GeomDefinition::new(ground, None) }).unwrap();
    world
}

fn add(world: &mut World, size: DVec3, mass: f64, height: f64) -> BodyId {
    let shape = Shape::cuboid(size).unwrap();
    let mass = shape.mass_properties(1.0).unwrap().with_mass(mass);
    let pose = Pose::from_position(DVec3::new(0.0, 0.0, height));
    let body = world.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap();
    world.add_geom(&GeomDefinition { surface: surface(), ..GeomDefinition::new(shape, Some(body)) }).unwrap();
    body
}

fn height(world: &World, body: BodyId) -> f64 {
    world.body(body).unwrap().pose().position.z
}

/// A26: 1000 kg and 100 kg on 1 kg for 60 s: the depths of springs in series, upright and at rest, with rows solved directly;
/// sweeps alone end with a residual, which the step tells.
#[test]
fn a_heavy_cube_stands_on_a_light_one() {
    for heavy in [1000.0, 100.0] {
        for solve_type in [SolveType::Split, SolveType::Direct, SolveType::DirectAndIterative, SolveType::Iterative] {
            let mut world = world(law(1e7, solve_type), 0.0);
            let below = add(&mut world, DVec3::ONE, 1.0, 0.5);
            let above = add(&mut world, DVec3::ONE, heavy, 1.5);
            let start = std::time::Instant::now();
            let mut residual: f64 = 0.0;
            let energy = world.energy().total();
            for k in 0..3600 {
                world.step(STEP);
                if k > 600 {
                    residual = world.report().residuals.iter().map(|r| r.solved).fold(residual, f64::max);
                }
            }
            let lower = 0.5 - height(&world, below);
            let upper = height(&world, below) + 1.0 - height(&world, above);
            println!(
                "{heavy:6} kg {solve_type:?}: {lower:.6e} {upper:.6e} m, residual {residual:.2e}, {:.1} us a step",
                start.elapsed().as_secs_f64() / 3600.0 * 1e6
            );
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
                    assert!(world.body(body).unwrap().velocity().length() < 1e-6);
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
            let body = add(&mut world, DVec3::new(0.4, 0.4, 0.05), mass, 0.025);
            for _ in 0..60 {
                world.step(STEP);
            }
            let speed = world.body(body).unwrap().velocity().length();
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
            let body = add(&mut world, DVec3::new(0.4, 0.4, 0.05), 10.0, 0.025);
            for _ in 0..60 {
                world.step(STEP);
            }
            let speed = world.body(body).unwrap().velocity().length();
            assert!(if slope < 26.5 { speed < 1e-4 } else { speed > 0.03 }, "{solve_type:?}, {slope}°: {speed} m/s");
        }
        let creeping = ContactSurface { slip: [1e-4; 2], ..law(2e8, solve_type) };
        let mut world = world(creeping, 20.0);
        let body = add(&mut world, DVec3::new(0.4, 0.4, 0.05), 10.0, 0.025);
        for _ in 0..300 {
            world.step(STEP);
        }
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
        let body = add(&mut world, DVec3::new(0.4, 0.4, 0.05), 10.0, 0.025);
        for _ in 0..180 {
            world.step(STEP);
        }
        let speed = world.body(body).unwrap().velocity().length();
        if holds {
            assert!(speed < 1e-5, "{speed} m/s");
        } else {
            assert!((speed / 14.71 - 1.0).abs() < 1e-3, "{speed} m/s");
        }
    }
}
