//! Passes beside the one that moves velocities and positions: SPOOK's impact stage, Bullet's split impulse.

use glam::DVec3;
use stiction::contact::restitution::Restitution;
use stiction::material::{ContactSurface, MaterialId, NormalLaw, SolveType, Surface};
use stiction::math::Pose;
use stiction::shape::Shape;
use stiction::world::{
    BodyDefinition, BodyId, Coordinates, Correction, GeomDefinition, HybridRule, SolverKind, World, WorldParameters,
};

const GRAVITY: f64 = 9.80665;
const GROUND: MaterialId = MaterialId(1);
const STEEL: MaterialId = MaterialId(2);

fn of(material: MaterialId) -> Surface {
    Surface { material: Some(material), ..Surface::default() }
}

/// A world whose contacts have SPOOK's law and a coefficient of restitution.
fn world(solver: SolverKind, hybrid: HybridRule, restitution: f64, solve_type: SolveType) -> World {
    let gravity = DVec3::new(0.0, 0.0, -GRAVITY);
    let mut world = World::new(WorldParameters { gravity, solver, hybrid, audit: true, ..WorldParameters::default() });
    let law = ContactSurface {
        normal: NormalLaw::spook(1e-8, 0.075),
        bounce: Some(Restitution { coefficient: restitution, threshold: 0.0 }),
        solve_type,
        ..ContactSurface::with_friction(0.5)
    };
    world.contact_table_mut().set(GROUND, STEEL, law);
    world.contact_table_mut().set(STEEL, STEEL, law);
    world
}

fn add_ground(world: &mut World) {
    let plane = Shape::plane(DVec3::Z, 0.0).unwrap();
    world.add_geom(&GeomDefinition { surface: of(GROUND), ..GeomDefinition::new(plane, None) }).unwrap();
}

fn add(world: &mut World, shape: Shape, position: DVec3, velocity: DVec3) -> BodyId {
    let mass = shape.mass_properties(1000.0).unwrap();
    let pose = Pose::from_position(position);
    let body = world.add_body(&BodyDefinition { mass, pose, velocity, ..BodyDefinition::default() }).unwrap();
    world.add_geom(&GeomDefinition { surface: of(STEEL), ..GeomDefinition::new(shape, Some(body)) }).unwrap();
    body
}

const SOLVERS: [(SolverKind, HybridRule); 3] = [
    (SolverKind::Direct, HybridRule::Off),
    (SolverKind::Iterative, HybridRule::Off),
    (SolverKind::Iterative, HybridRule::Unsolved),
];
const SOLVE_TYPES: [SolveType; 5] =
    [SolveType::World, SolveType::Split, SolveType::Direct, SolveType::Iterative, SolveType::DirectAndIterative];

#[test]
fn a_ball_rebounds_to_the_square_of_its_restitution() {
    for (solver, hybrid) in SOLVERS {
        for solve_type in SOLVE_TYPES {
            for restitution in [0.0, 0.5, 0.8, 1.0] {
                let mut world = world(solver, hybrid, restitution, solve_type);
                add_ground(&mut world);
                let ball = add(&mut world, Shape::sphere(0.1).unwrap(), DVec3::new(0.0, 0.0, 1.1), DVec3::ZERO);
                let (mut apex, mut loss, mut hits) = (0.0_f64, 0.0_f64, 0);
                for _ in 0..950 {
                    let report = world.step(1e-3);
                    if hits == 0 {
                        loss = loss.max(report.energy.contact_loss);
                    }
                    let body = world.body(ball).unwrap();
                    hits += u32::from(body.velocity().z > 0.0);
                    if hits > 0 {
                        apex = apex.max(body.pose().position.z - 0.1);
                    }
                }
                let wanted = restitution * restitution;
                assert!((apex - wanted).abs() < 0.006, "{solver:?} {solve_type:?} e = {restitution}: {apex} m");
                let mass = world.body(ball).unwrap().mass();
                let lost = (1.0 - wanted) * mass * GRAVITY;
                assert!((loss - lost).abs() < 0.02 * mass * GRAVITY, "e = {restitution}: {loss} J, wanted {lost} J");
            }
        }
    }
}

#[test]
fn what_rests_does_not_hit() {
    for (solver, hybrid) in SOLVERS {
        for step in [1.0 / 60.0, 1e-3] {
            let mut world = world(solver, hybrid, 1.0, SolveType::World);
            add_ground(&mut world);
            let cube = Shape::cuboid(DVec3::splat(0.4)).unwrap();
            let body = add(&mut world, cube, DVec3::new(0.0, 0.0, 0.2), DVec3::ZERO);
            for number in 0..(10.0 / step) as i32 {
                world.step(step);
                let speed = world.body(body).unwrap().velocity().length();
                assert!(
                    f64::from(number) * step < 5.0 || speed < 1e-6,
                    "{solver:?} {step}: {speed} m/s after {number} steps"
                );
            }
        }
    }
}

/// Random numbers in 0 to 1 (a linear congruence).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next()) * 2.0 - DVec3::ONE
    }
}

/// Bodies that fly at each other without gravity: the impact keeps momentum and makes no energy.
#[test]
fn many_hits_at_once_keep_momentum_and_make_no_energy() {
    let mut random = Random(7);
    for case in 0..400 {
        let (solver, hybrid) = SOLVERS[case % 3];
        let mut world = world(solver, hybrid, random.next(), SOLVE_TYPES[case % 5]);
        world.parameters.gravity = DVec3::ZERO;
        let count = 2 + case % 6;
        for k in 0..count {
            let shape = if random.next() < 0.5 {
                Shape::sphere(0.1).unwrap()
            } else {
                Shape::cuboid(DVec3::new(0.2, 0.2, 0.05 + 0.3 * random.next())).unwrap()
            };
            let position = DVec3::new(0.21 * k as f64, 0.02 * random.next(), 0.02 * random.next());
            let towards = if k < count / 2 { DVec3::X } else { -DVec3::X };
            let body = add(&mut world, shape, position, 3.0 * random.next() * towards + 0.3 * random.vector());
            world.body_mut(body).unwrap().set_omega(2.0 * random.vector()).unwrap();
        }
        let (momentum, angular) = world.momentum();
        let start = world.energy().total();
        let mut energy = start;
        for number in 0..60 {
            world.step(1e-3);
            let (now, turned) = world.momentum();
            assert!((now - momentum).length() < 1e-9, "case {case}: {now} kg m/s of {momentum}");
            assert!(
                (turned - angular).length() < 2e-2 * (1.0 + angular.length()),
                "case {case}: {turned} of {angular}"
            );
            let now = world.energy().total();
            // The main stage pushes overlap of the start apart; that is little beside the impact.
            assert!(now < energy + 2e-3 * start, "case {case}, step {number}: {now} J after {energy} J");
            energy = energy.min(now);
        }
    }
}

#[test]
fn a_split_impulse_moves_bodies_apart_and_leaves_no_velocity() {
    for (solver, hybrid) in SOLVERS {
        let parameters = WorldParameters {
            solver,
            hybrid,
            correction: Correction::SplitImpulse,
            erp: 0.2,
            ..WorldParameters::default()
        };
        let mut world = World::new(parameters);
        add_ground(&mut world);
        let cube = Shape::cuboid(DVec3::splat(0.4)).unwrap();
        let body = add(&mut world, cube, DVec3::new(0.0, 0.0, 0.15), DVec3::ZERO);
        for number in 1..20 {
            world.step(1e-3);
            let body = world.body(body).unwrap();
            let depth = 0.2 - body.pose().position.z;
            let wanted = 0.05 * 0.8_f64.powi(number);
            assert!((depth - wanted).abs() < 1e-9, "{solver:?}: depth {depth} m after {number} steps, wanted {wanted}");
            assert!(body.velocity().length() < 1e-12, "{solver:?}: {} m/s", body.velocity());
        }
        // Under its weight it rests, and a hit still bounces.
        world.parameters.gravity = DVec3::new(0.0, 0.0, -GRAVITY);
        for _ in 0..500 {
            world.step(1e-3);
        }
        assert!(world.body(body).unwrap().velocity().length() < 1e-6);
        let force: f64 = world.contact_reports().iter().map(|c| c.force.z.abs()).sum();
        let weight = world.body(body).unwrap().mass() * GRAVITY;
        assert!((force - weight).abs() < 1e-5 * weight, "{force} N of {weight} N");
    }
}

/// A body on springs rests as deep as the springs say (m g / k), without velocity: what a soft contact gives way under its
/// load is no overlap to be moved away.
#[test]
fn a_split_impulse_leaves_springs_under_load_alone() {
    for (solver, hybrid) in SOLVERS {
        for (coordinates, solve_type) in
            SOLVE_TYPES.into_iter().flat_map(|s| [(Coordinates::Maximal, s), (Coordinates::Reduced, s)])
        {
            for (stiffness, damping) in [(2e3, 50.0), (2e4, 100.0), (1e6, 1e3)] {
                let parameters = WorldParameters {
                    gravity: DVec3::new(0.0, 0.0, -GRAVITY),
                    solver,
                    hybrid,
                    coordinates,
                    correction: Correction::SplitImpulse,
                    sleeping: false,
                    ..WorldParameters::default()
                };
                let mut world = World::new(parameters);
                let normal = NormalLaw::Spring { stiffness, damping };
                let law = ContactSurface { normal, solve_type, ..ContactSurface::with_friction(0.5) };
                world.contact_table_mut().set(GROUND, STEEL, law);
                add_ground(&mut world);
                let body = add(&mut world, Shape::sphere(0.1).unwrap(), DVec3::new(0.0, 0.0, 0.1), DVec3::ZERO);
                for _ in 0..10_000 {
                    world.step(1e-3);
                }
                let body = world.body(body).unwrap();
                let depth = body.mass() * GRAVITY / stiffness;
                let found = 0.1 - body.pose().position.z;
                let case = format!("{solver:?} {hybrid:?} {coordinates:?} {solve_type:?} {stiffness} N/m");
                assert!((found - depth).abs() < 1e-6 * depth, "{case}: {found} m deep, expected {depth}");
                assert!(body.velocity().length() < 1e-9, "{case}: {} m/s", body.velocity());
            }
        }
    }
}
