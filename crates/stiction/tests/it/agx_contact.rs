//! Contacts as AGX has them: SPOOK's depth, exit and creep, friction models, adhesion. Figures are closed forms, or the
//! recurrence of one row by hand.

use glam::{DQuat, DVec3};
use stiction::contact::friction::{Coupling, FrictionBound};
use stiction::contact::restitution::Restitution;
use stiction::material::{ContactSurface, NormalLaw, SolveType};
use stiction::math::Pose;
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyId, SolverKind, World, WorldParameters};

use super::agx::{BLOCK, GRAVITY, GROUND, STEP, add, add_ground, law, position, slope_gravity, steps};

/// A world with the ground z = 0 under the law; gravity leans over so that the ground is a slope that falls along the
/// heading.
fn world(law: ContactSurface, slope: f64, heading: f64) -> World {
    let mut world = World::new(WorldParameters {
        gravity: slope_gravity(slope, heading),
        solver: SolverKind::Direct,
        iterations: 100,
        ..WorldParameters::default()
    });
    world.contact_table_mut().set(GROUND, BLOCK, law);
    add_ground(&mut world);
    world
}

/// The flat block of the slope tests.
fn block(world: &mut World, mass: f64) -> BodyId {
    add(world, Shape::cuboid(DVec3::new(0.4, 0.4, 0.05)).unwrap(), mass, 0.025)
}

fn sphere(world: &mut World, mass: f64, depth: f64) -> BodyId {
    add(world, Shape::sphere(0.1).unwrap(), mass, 0.1 - depth)
}

fn near(found: f64, wanted: f64, share: f64, what: &str) {
    assert!((found - wanted).abs() <= share * wanted.abs(), "{what}: {found}, wanted {wanted}");
}

#[test]
fn a_block_rests_at_the_depth_of_its_springs() {
    for (stiffness, depth) in [(1e5, 2.451_663e-3), (2e8, 1.225_831e-6)] {
        for damping_time in [0.001, 0.075, 1.0] {
            for step in [STEP, 1e-3] {
                for (solve_type, share) in
                    [(SolveType::Split, 1e-3), (SolveType::Direct, 1e-3), (SolveType::Iterative, 1e-2)]
                {
                    let mut world = world(ContactSurface { solve_type, ..law(stiffness, damping_time, 0.5) }, 0.0, 0.0);
                    let cube = Shape::cuboid(DVec3::ONE).unwrap();
                    let body = add(&mut world, cube, 100.0, 0.5 - depth);
                    steps(&mut world, step, if damping_time > 0.5 { 40.0 } else { 2.0 });
                    let found = 0.5 - position(&world, body).z;
                    near(found, depth, share, &format!("E {stiffness} τ {damping_time} h {step} {solve_type:?}"));
                }
            }
        }
    }
}

#[test]
fn overlap_leaves_at_the_exit_speed_and_follows_the_recurrence_under_gravity() {
    let mut free = world(law(1e14, 0.075, 0.5), 0.0, 0.0);
    free.parameters.gravity = DVec3::ZERO;
    let body = sphere(&mut free, 100.0, 0.01);
    for _ in 0..300 {
        free.step(STEP);
    }
    near(free.body(body).unwrap().velocity().z, 0.126_316, 1e-3, "4 d / (h + 4 τ)");

    let mut world = world(law(1e9, 0.075, 0.5), 0.0, 0.0);
    let body = sphere(&mut world, 10.0, 0.01);
    for wanted in [7.8948, 6.1219, 4.7398, 3.6692, 2.8404, 2.1989] {
        world.step(STEP);
        near(1e3 * (0.1 - position(&world, body).z), wanted, 1e-3, "depth in mm");
    }
}

/// Speed after a second on a slope.
fn speed_on_slope(surface: ContactSurface, slope: f64, heading: f64) -> f64 {
    let mut world = world(surface, slope, heading);
    let body = block(&mut world, 8.0);
    steps(&mut world, STEP, 1.0);
    world.body(body).unwrap().velocity().length()
}

/// Sticks half a degree below a threshold and slides half a degree above it.
fn slides_from(surface: ContactSurface, threshold: f64, heading: f64) {
    let (below, above) =
        (speed_on_slope(surface, threshold - 0.5, heading), speed_on_slope(surface, threshold + 0.5, heading));
    assert!(below < 1e-4 && above > 0.02, "{threshold}° at {heading}°: {below} m/s below, {above} m/s above");
}

#[test]
fn every_friction_model_slides_from_its_slope() {
    let cone = law(2e8, 0.075, 0.5);
    for heading in [0.0, 45.0] {
        slides_from(cone, 26.565, heading);
    }
    let scaled = ContactSurface { coupling: Coupling::Independent, projects_direction: true, ..cone };
    let lagged = ContactSurface { friction: [FrictionBound::LastNormal(0.5); 2], ..scaled };
    for surface in [scaled, lagged] {
        for (heading, threshold) in [(0.0, 26.565), (30.0, 30.0), (45.0, 35.264)] {
            slides_from(surface, threshold, heading);
        }
    }
    let oriented =
        ContactSurface { friction: [0.6, 0.2].map(FrictionBound::Coefficient), direction: Some(DVec3::X), ..scaled };
    for (heading, threshold) in [(0.0, 30.964), (90.0, 11.310), (30.0, 21.801)] {
        slides_from(oriented, threshold, heading);
    }
    slides_from(ContactSurface { coupling: Coupling::Ellipse, ..oriented }, 19.107, 30.0);
    // Of each of four points, whatever the normal force.
    let constant = ContactSurface { friction: [FrictionBound::Force(5.0); 2], ..scaled };
    slides_from(constant, 14.769, 0.0);
}

#[test]
fn an_oriented_model_turns_with_its_reference_body() {
    let mut surface = law(2e8, 0.075, 0.6);
    surface.coupling = Coupling::Independent;
    surface.friction = [0.6, 0.2].map(FrictionBound::Coefficient);
    surface.direction = Some(DVec3::X);
    surface.projects_direction = true;
    for (turn, slope, slides) in [(0.0, 20.0, false), (90.0, 20.0, true), (90.0, 10.0, false)] {
        let mut world = world(surface, slope, 0.0);
        let cube = Shape::sphere(0.1).unwrap();
        let frame = add(&mut world, cube, 1.0, 5.0);
        let pose = Pose::new(DVec3::new(0.0, 0.0, 5.0), DQuat::from_rotation_z(f64::to_radians(turn)));
        world.body_mut(frame).unwrap().set_pose(&pose).unwrap();
        world.contact_table_mut().set_in_frame(GROUND, BLOCK, surface, frame);
        let body = block(&mut world, 8.0);
        steps(&mut world, STEP, 0.5);
        let speed = world.body(body).unwrap().velocity().length();
        assert_eq!(speed > 0.02, slides, "turned by {turn}° on {slope}°: {speed} m/s");
    }
}

#[test]
fn a_sliding_block_stops_where_coulomb_says() {
    let cone = law(1e9, 0.075, 0.5);
    let scaled = ContactSurface { coupling: Coupling::Independent, projects_direction: true, ..cone };
    for (surface, x, y) in [(cone, 0.3524, 0.2034), (scaled, 0.3050, 0.1015)] {
        let mut world = world(surface, 0.0, 0.0);
        let body = block(&mut world, 8.0);
        world.step(1e-3);
        let start = position(&world, body);
        let (sin, cos) = 30f64.to_radians().sin_cos();
        world.body_mut(body).unwrap().set_velocity(DVec3::new(2.0 * cos, 2.0 * sin, 0.0)).unwrap();
        steps(&mut world, 1e-3, 1.0);
        let way = position(&world, body) - start;
        near(way.x, x, 5e-3, "x");
        near(way.y, y, 5e-3, "y");
    }
}

#[test]
fn surface_viscosity_is_creep() {
    for (heading, slip, wanted) in [(0.0, [1e-4; 2], 8.385_180e-4), (90.0, [1e-4, 1e-3], 8.385_180e-3)] {
        let surface = ContactSurface {
            slip,
            direction: Some(DVec3::X),
            projects_direction: true,
            coupling: Coupling::Independent,
            solve_type: SolveType::Direct,
            ..law(2e8, 0.075, 0.5)
        };
        let mut world = world(surface, 20.0, heading);
        let body = block(&mut world, 10.0);
        steps(&mut world, STEP, 2.0);
        near(world.body(body).unwrap().velocity().length(), wanted, 1e-3, "γ m g sin θ / 4");
    }
}

/// A ball of 1 kg on k = 1e6 N/m with a pull of 10 N within 20 mm.
fn sticky() -> ContactSurface {
    let mut surface = law(1e6, 0.075, 0.5);
    surface.normal = NormalLaw::Spook { compliance: 1e-6, damping_time: 0.075, adhesion: 10.0, rest_depth: 0.02 };
    surface
}

#[test]
fn adhesion_rests_at_its_overlap_and_holds_up_to_its_force() {
    let mut world = world(sticky(), 0.0, 0.0);
    let body = sphere(&mut world, 1.0, 0.02);
    let depth = |world: &World| 0.1 - position(world, body).z;
    steps(&mut world, 1e-3, 1.0);
    near(depth(&world), 0.020_009_81, 1e-4, "at rest");
    let pull = |world: &mut World, force: f64, time: f64| {
        for _ in 0..(time / 1e-3).round() as u32 {
            world.body_mut(body).unwrap().add_force(DVec3::new(0.0, 0.0, GRAVITY + force));
            world.step(1e-3);
        }
    };
    pull(&mut world, 9.0, 1.0);
    near(depth(&world), 0.019_991, 1e-4, "pulled with 9 N beyond its weight");
    // With 11 N it rises with 1 m/s² through the overlap, and with 11 m/s² after it.
    pull(&mut world, 11.0, 0.1);
    near(world.body(body).unwrap().velocity().z, 0.1, 2e-2, "within the overlap");
    pull(&mut world, 11.0, 0.15);
    let speed = world.body(body).unwrap().velocity().z;
    pull(&mut world, 11.0, 0.1);
    near((world.body(body).unwrap().velocity().z - speed) / 0.1, 11.0, 1e-2, "beyond the overlap");
}

#[test]
fn adhesion_lets_go_above_the_escape_speed() {
    for (speed, leaves) in [(0.8, false), (1.0, true)] {
        let mut world = world(sticky(), 0.0, 0.0);
        let body = sphere(&mut world, 1.0, 0.02);
        steps(&mut world, 1e-3, 1.0);
        world.body_mut(body).unwrap().set_velocity(DVec3::new(0.0, 0.0, speed)).unwrap();
        let mut apex = f64::NEG_INFINITY;
        for _ in 0..500 {
            world.step(1e-3);
            apex = apex.max(position(&world, body).z - 0.1);
        }
        assert_eq!(apex > 0.0, leaves, "{speed} m/s: gap of {apex} m");
        if leaves {
            assert!((apex - 9.4e-3).abs() < 1.5e-3, "apex {apex} m");
        }
    }
}

#[test]
fn pulling_a_contact_without_overlap_delays_it_only() {
    for (adhesion, wanted) in [(0.0, 0.0), (100.0, 0.0814)] {
        let mut surface = law(1e6, 0.075, 0.5);
        surface.normal = NormalLaw::Spook { compliance: 1e-6, damping_time: 0.075, adhesion, rest_depth: 0.0 };
        let mut world = world(surface, 0.0, 0.0);
        let body = sphere(&mut world, 1.0, 9.80665e-6);
        steps(&mut world, 1e-3, 1.0);
        let mut time = 0.0_f64;
        for _ in 0..200 {
            world.body_mut(body).unwrap().add_force(DVec3::new(0.0, 0.0, GRAVITY + 5.0));
            world.step(1e-3);
            if position(&world, body).z > 0.1 {
                break;
            }
            time += 1e-3;
        }
        assert!((time - wanted).abs() <= 3e-3, "{adhesion} N: opens after {time} s, wanted {wanted} s");
    }
}

/// Restitution alone decides how high a fall rebounds: overlap of the time step, however soon it is resolved, adds no more
/// than its own height.
#[test]
fn damping_times_add_nothing_to_a_rebound() {
    for (restitution, step) in [(0.0, 1e-3), (0.3, 1e-3), (0.0, 5e-3), (0.4, STEP)] {
        for share in [0.0, 0.1, 0.5, 1.0, 2.0] {
            let mut surface = law(1e9, share * step, 0.5);
            surface.bounce = Some(Restitution { coefficient: restitution, threshold: 0.0 });
            let mut world = world(surface, 0.0, 0.0);
            let body = add(&mut world, Shape::sphere(0.1).unwrap(), 2.0, 1.1);
            let (mut touched, mut apex) = (false, 0.0f64);
            for _ in 0..(1.2 / step) as u32 {
                world.step(step);
                let height = position(&world, body).z - 0.1;
                touched |= height < 0.0;
                apex = if touched { apex.max(height) } else { 0.0 };
            }
            let speed = (2.0 * GRAVITY).sqrt();
            let most = restitution * restitution + speed * step;
            assert!(apex <= most, "e {restitution}, τ {share} h, h {step}: {apex} m, at most {most} m");
        }
    }
}

/// Any stiffness and damping time: what comes never leaves with more than it had.
#[test]
fn no_stiffness_and_damping_time_makes_energy() {
    let mut random = 1u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 11) as f64 / (1u64 << 53) as f64
    };
    for case in 0..stiction_testing::cases(120, 600) {
        let stiffness = 10f64.powf(3.0 + 10.0 * next());
        let damping_time = if case % 5 == 0 { 0.0 } else { 10f64.powf(-5.0 + 6.0 * next()) };
        let mut surface = law(stiffness, damping_time, next());
        surface.solve_type = [SolveType::Split, SolveType::Direct, SolveType::Iterative][case % 3];
        surface.bounce = Some(Restitution { coefficient: if case % 4 == 0 { next() } else { 0.0 }, threshold: 0.0 });
        let step = [STEP, 5e-3, 1e-3][case % 3];
        let mut world = world(surface, 0.0, 0.0);
        let shape = if case % 2 == 0 {
            Shape::sphere(0.1).unwrap()
        } else {
            Shape::cuboid(DVec3::new(0.1 + 0.3 * next(), 0.1 + 0.3 * next(), 0.1 + 0.2 * next())).unwrap()
        };
        let body = add(&mut world, shape, 10f64.powf(4.0 * next() - 1.0), 0.6);
        let mut edit = world.body_mut(body).unwrap();
        edit.set_velocity(DVec3::new(2.0 * next() - 1.0, 0.0, -3.0 * next())).unwrap();
        edit.set_omega(4.0 * DVec3::new(next() - 0.5, next() - 0.5, next() - 0.5)).unwrap();
        // Energy over the ground: that of a semi-implicit fall is exact to h g v / 2.
        let start = world.energy().total();
        let mass: MassProperties = world.body(body).unwrap().mass_properties();
        let slack = 1e-3 * start + mass.mass * GRAVITY * step * 3.0;
        for number in 0..(3.0 / step) as u32 {
            world.step(step);
            let now = world.energy().total();
            assert!(
                now.is_finite() && now <= start + slack,
                "case {case}: E {stiffness:.2e}, τ {damping_time:.2e}, h {step}: {now} J of {start} J at step {number}"
            );
        }
    }
}
