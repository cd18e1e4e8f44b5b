//! The balance of energy of continuous time: what stops, contacts and motors do is known, so that what the integration makes shows.

use super::support::*;
use stiction::EnergyBalance;
use stiction::integrators::{IntegratorParameters, Scheme};
use stiction::joints::{JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyDefinition, Preset, World};

const STEP: f64 = 1e-3;

fn world(preset: Preset) -> World {
    let mut p = parameters();
    preset.apply(&mut p);
    World::new(p)
}

/// Sums of the balances of a run, of which the works add up to the change.
fn sums(world: &mut World, steps: usize) -> EnergyBalance {
    let mut sum = EnergyBalance::default();
    for _ in 0..steps {
        let b = world.step(STEP).energy;
        let known = b.forces + b.motors + b.placed + b.made() - b.stored - b.joint_loss - b.contact_loss;
        assert!((known - b.change).abs() < 1e-9 * (1.0 + b.change.abs()), "{b:?}");
        sum.change += b.change;
        sum.forces += b.forces;
        sum.motors += b.motors;
        sum.stored += b.stored;
        sum.placed += b.placed;
        sum.joint_loss += b.joint_loss;
        sum.contact_loss += b.contact_loss;
        sum.made_integration += b.made_integration;
    }
    sum
}

/// A pendulum of 2 kg at 0.5 m, on its side.
fn pendulum(world: &mut World) -> stiction::world::JointId {
    let mass = box_mass(DVec3::new(0.2, 0.3, 0.4), 2.0);
    let pose = Pose::from_position(DVec3::new(0.0, 0.5, 0.0));
    let body = world.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap();
    world.add_joint(JointDefinition::new(JointKind::Hinge, Some(body), None).with_axis(0, DVec3::X)).unwrap()
}

/// With nothing but gravity every change of energy is an error of the integration: told as such.
#[test]
fn what_an_integration_makes_is_told() {
    let mut w = world(Preset::DrakeContinuous);
    w.parameters.integrator =
        IntegratorParameters { scheme: Scheme::RungeKutta2, error_control: false, ..w.parameters.integrator };
    w.parameters.integrator.max_step = STEP;
    pendulum(&mut w);
    let coarse = (0..200).fold((0.0, 0.0), |(made, change), _| {
        let b = w.step(0.05).energy;
        (made + b.made_integration, change + b.change)
    });
    let mut exact = world(Preset::DrakeContinuous);
    pendulum(&mut exact);
    let fine = sums(&mut exact, 10_000);
    assert!(fine.made_integration.abs() < 1e-5, "{fine:?}");
    assert!((coarse.0 - coarse.1).abs() < 1e-9, "{coarse:?}");
    let mut euler = world(Preset::DrakeContinuous);
    euler.parameters.integrator =
        IntegratorParameters { scheme: Scheme::ImplicitEuler, error_control: false, ..euler.parameters.integrator };
    pendulum(&mut euler);
    let lost = sums(&mut euler, 2000);
    assert!(lost.made_integration < -0.01 && (lost.made_integration - lost.change).abs() < 1e-9, "{lost:?}");
}

/// A hinge 0.5 rad beyond its stop: what throws it back is of the file.
#[test]
fn a_stop_that_the_file_violates_places_energy() {
    for preset in [Preset::Simbody, Preset::DrakeContinuous] {
        let mut w = world(preset);
        w.parameters.gravity = DVec3::ZERO;
        let hinge = pendulum(&mut w);
        let own = w.joint_parameters_mut(hinge, 0).unwrap();
        (own.lower, own.upper) = (0.5, 3.0);
        let sum = sums(&mut w, 20);
        // D ω² (1 rad/2)²/2 is in the spring; a critically damped one keeps part of it.
        assert!(sum.change > 1.0 && sum.joint_loss.abs() < 1e-3, "{preset:?}: {sum:?}");
        assert!((sum.placed / sum.change - 1.0).abs() < 1e-3, "{preset:?}: {sum:?}");
        assert!(sum.made_integration.abs() < 1e-3 * sum.change, "{preset:?}: {sum:?}");
    }
}

/// A ball 0.1 m deep in the ground: what lifts it is of the file. One that falls loses what its bounce does not keep.
#[test]
fn overlaps_place_and_bounces_lose() {
    for preset in [Preset::Simbody, Preset::DrakeContinuous] {
        for (height, mu) in [(0.4, 0.0), (0.8, 0.5)] {
            let mut w = world(preset);
            let surface = Surface { friction: [mu; 2], ..Surface::default() };
            add_ground(&mut w, surface);
            let pose = Pose::from_position(DVec3::new(0.0, 0.0, height));
            let ball = add_shape(&mut w, Shape::sphere(0.5).unwrap(), 2.0, pose, surface);
            if height > 0.5 {
                w.body_mut(ball).unwrap().set_velocity(DVec3::X).unwrap();
            }
            let sum = sums(&mut w, 400);
            let in_play = sum.placed.max(2.0 * GRAVITY * 0.3);
            assert!(sum.made_integration.abs() < 1e-3 * in_play, "{preset:?} {height}: {sum:?}");
            if height < 0.5 {
                assert!(sum.change > 0.05 && sum.placed > 0.99 * sum.change, "{preset:?}: {sum:?}");
            } else {
                assert!(sum.placed == 0.0 && sum.contact_loss > 1.0, "{preset:?}: {sum:?}");
            }
        }
    }
}

/// A motor's work is what it does against gravity and inertia.
#[test]
fn a_motor_works() {
    let mut w = world(Preset::DrakeContinuous);
    let hinge = pendulum(&mut w);
    let own = w.joint_parameters_mut(hinge, 0).unwrap();
    (own.motor.velocity, own.motor.max_force) = (2.0, 100.0);
    let sum = sums(&mut w, 500);
    assert!(sum.motors.abs() > 1.0 && (sum.motors - sum.change).abs() < 1e-4 * sum.motors.abs(), "{sum:?}");
    assert!(sum.made_integration.abs() < 1e-4, "{sum:?}");
}
