//! Automatic sleeping: thresholds, steps, time, samples.

use super::support::*;
use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{AutoDisable, BodyDefinition, BodyId, Preset, SolverKind, World, WorldParameters};

const ON: AutoDisable =
    AutoDisable { enabled: true, linear_threshold: 0.01, angular_threshold: 0.01, steps: 10, time: 0.0, samples: 1 };

/// A box that rests on ice.
fn resting(auto_disable: AutoDisable) -> (World, BodyId) {
    let mut world = World::new(WorldParameters { auto_disable, ..parameters() });
    add_ground(&mut world, Surface { friction: [0.0; 2], ..Surface::default() });
    let body = add_box(&mut world, DVec3::ONE, 1.0, DVec3::new(0.0, 0.0, 0.5), 0.0);
    (world, body)
}

/// The step in which it falls asleep, up to 100.
fn asleep_in(world: &mut World, body: BodyId) -> Option<u32> {
    (1..=100).find(|_| {
        world.step(0.01);
        !world.body(body).unwrap().is_enabled()
    })
}

#[test]
fn bodies_fall_asleep_in_the_step_that_the_parameters_say() {
    for (rule, expected) in [
        (AutoDisable { enabled: false, ..ON }, None),
        (ON, Some(10)),
        (AutoDisable { steps: 3, ..ON }, Some(3)),
        // 0.255 s are 25.5 steps.
        (AutoDisable { time: 0.255, ..ON }, Some(26)),
        // The first four steps fill the samples.
        (AutoDisable { samples: 5, ..ON }, Some(14)),
        (AutoDisable { samples: 0, ..ON }, None),
    ] {
        let (mut world, body) = resting(rule);
        assert_eq!(asleep_in(&mut world, body), expected, "{rule:?}");
    }
}

#[test]
fn thresholds_say_what_is_idle() {
    for (velocity, omega, expected) in [
        (DVec3::new(0.009, 0.0, 0.0), DVec3::ZERO, Some(10)),
        (DVec3::new(0.011, 0.0, 0.0), DVec3::ZERO, None),
        (DVec3::ZERO, DVec3::new(0.0, 0.0, 0.009), Some(10)),
        (DVec3::ZERO, DVec3::new(0.0, 0.0, 0.011), None),
    ] {
        let (mut world, body) = resting(ON);
        world.body_mut(body).unwrap().set_velocity(velocity).unwrap();
        world.body_mut(body).unwrap().set_omega(omega).unwrap();
        assert_eq!(asleep_in(&mut world, body), expected, "{velocity} {omega}");
        if expected.is_some() {
            let body = world.body(body).unwrap();
            assert_eq!((body.velocity(), body.omega()), (DVec3::ZERO, DVec3::ZERO));
        }
    }
}

#[test]
fn nothing_falls_asleep_in_mid_air() {
    let auto_disable = ON;
    let mut world = World::new(WorldParameters { auto_disable, ..WorldParameters::default() });
    let body = world.add_body(&BodyDefinition::default()).unwrap();
    assert_eq!(asleep_in(&mut world, body), None);
}

#[test]
fn a_contact_wakes() {
    let (mut world, body) = resting(ON);
    assert_eq!(asleep_in(&mut world, body), Some(10));
    let ball = add_shape(
        &mut world,
        Shape::sphere(0.1).unwrap(),
        1.0,
        Pose::from_position(DVec3::new(0.0, 0.0, 1.2)),
        Surface::default(),
    );
    let mut woken = false;
    for _ in 0..20 {
        world.step(0.01);
        woken |= world.body(body).unwrap().is_enabled();
        assert!(world.body(ball).unwrap().pose().position.z > 1.0, "the ball fell into a sleeping box");
    }
    assert!(woken);
    world.body_mut(body).unwrap().enable();
    assert!(world.body(body).unwrap().is_enabled());
}

#[test]
fn a_stack_that_slept_goes_on_standing_when_it_wakes() {
    let solver = SolverKind::Direct;
    let mut world = World::new(WorldParameters { solver, auto_disable: ON, ..parameters() });
    add_ground(&mut world, Surface::default());
    let bodies: Vec<_> =
        (0..5).map(|i| add_box(&mut world, DVec3::ONE, 1.0, DVec3::new(0.0, 0.0, 0.5 + f64::from(i)), 0.5)).collect();
    let is_awake = |world: &World| bodies.iter().any(|b| world.body(*b).unwrap().is_enabled());
    while is_awake(&world) {
        world.step(0.01);
        assert!(world.time() < 2.0, "the stack does not fall asleep");
    }
    let top = |world: &World| world.body(bodies[4]).unwrap().pose().position;
    let before = top(&world);
    world.body_mut(bodies[4]).unwrap().enable();
    world.step(0.01);
    // One wakes all of its island.
    assert!(bodies.iter().all(|b| world.body(*b).unwrap().is_enabled()));
    for _ in 0..100 {
        world.step(0.01);
    }
    assert!((top(&world) - before).length() < 1e-3, "{}", top(&world) - before);
    assert!(!is_awake(&world));
}

#[test]
fn what_lies_on_a_slow_table_moves_with_it() {
    // Idle by its own measure, but carried: stopped in each step, it would slip at any friction below v / h.
    for solver in [SolverKind::Iterative, SolverKind::Direct] {
        let auto_disable = AutoDisable { linear_threshold: 0.1, angular_threshold: 0.1, ..ON };
        let mut world = World::new(WorldParameters { auto_disable, solver, ..parameters() });
        let table = add_box(&mut world, DVec3::new(4.0, 1.0, 0.1), 10.0, DVec3::ZERO, 0.5);
        let load = add_box(&mut world, DVec3::splat(0.2), 1.0, DVec3::new(0.0, 0.0, 0.15), 0.5);
        world.body_mut(table).unwrap().set_auto_disable(AutoDisable { enabled: false, ..ON });
        let drive = AxisParameters::default().with_motor(0.05, 1000.0);
        let slider = JointDefinition::new(JointKind::Slider, Some(table), None).with_axis(0, DVec3::X);
        world.add_joint(slider.with_parameters(0, drive)).unwrap();
        for _ in 0..2000 {
            world.step(0.001);
        }
        let at = |body| world.body(body).unwrap().pose().position.x;
        assert!((at(table) - 0.1).abs() < 1e-3, "{solver:?}: the table at {}", at(table));
        // The start of the table is a jump, `v² / 2 μ g`.
        assert!(
            (at(load) - at(table)).abs() < 1.1 * 0.05 * 0.05 / (2.0 * 0.5 * GRAVITY),
            "{solver:?}: the load slipped by {}",
            at(load) - at(table)
        );
    }
}

#[test]
fn a_world_that_sleeps_keeps_its_clock_and_its_contacts_and_wakes_by_a_push() {
    let (mut world, body) = resting(AutoDisable { enabled: true, ..AutoDisable::default() });
    assert!(asleep_in(&mut world, body).is_some());
    let (pose, reports) = (world.body(body).unwrap().pose(), world.contact_reports().to_vec());
    let before = world.time();
    for _ in 0..100 {
        world.step(1e-3);
    }
    assert_eq!((world.body(body).unwrap().pose(), world.contact_reports()), (pose, &reports[..]));
    assert!(!reports.is_empty() && (world.time() - before - 0.1).abs() < 1e-9);
    assert_eq!(world.snapshot().state().steps, 1 + world.report().number);
    world.body_mut(body).unwrap().add_force(DVec3::new(0.0, 0.0, 100.0));
    world.step(1e-3);
    assert!(world.body(body).unwrap().is_enabled() && world.body(body).unwrap().velocity().z > 0.0);
}

/// A force that friction holds is there in every step, also in the one in which the body falls asleep: that one's is not added to the next one's.
#[test]
fn what_is_pushed_below_its_friction_stays_where_it_is() {
    for preset in [Preset::Stiction, Preset::Ode, Preset::OdeQuick] {
        let mut parameters = WorldParameters { auto_disable: ON, ..WorldParameters::default() };
        preset.apply(&mut parameters);
        (parameters.gravity, parameters.sleeping) = (DVec3::NEG_Z * GRAVITY, true);
        let mut world = World::new(parameters);
        add_ground(&mut world, Surface { friction: [0.5; 2], ..Surface::default() });
        let pushed = add_box(&mut world, DVec3::splat(0.2), 1.0, DVec3::Z * 0.1, 0.5);
        for _ in 0..300 {
            world.body_mut(pushed).unwrap().add_force(DVec3::X * (0.9 * 0.5 * GRAVITY));
            world.step(1.0 / 60.0);
        }
        let way = world.body(pushed).unwrap().pose().position.x;
        assert!(way.abs() < 1e-3, "{preset:?}: {way}");
    }
}
