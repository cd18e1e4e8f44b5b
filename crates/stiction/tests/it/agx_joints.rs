//! Joints under SPOOK: the recurrence of one row, and mechanisms that stay together.

use glam::{DMat3, DVec3};
use stiction::joints::{AxisParameters, JointDefinition, JointKind, JointSpook};
use stiction::math::Pose;
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyDefinition, BodyId, JointId, Preset, World, WorldParameters};

use super::agx::{STEP, steps};

fn world(gravity: f64, law: JointSpook) -> World {
    let mut parameters = WorldParameters { gravity: DVec3::new(0.0, 0.0, -gravity), ..WorldParameters::default() };
    Preset::Agx.apply(&mut parameters);
    parameters.joint_spook = Some(law);
    World::new(parameters)
}

fn add(world: &mut World, mass: f64, position: DVec3) -> BodyId {
    let mass = Shape::cuboid(DVec3::splat(0.2)).unwrap().mass_properties(1.0).unwrap().with_mass(mass);
    let pose = Pose::from_position(position);
    world.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap()
}

/// Released 1 m off: `(1 + s) x₊ = (s − 2) x₀ − x₋` with `s = 4 τ / h`, by hand.
#[test]
fn a_lock_that_is_off_follows_the_recurrence() {
    for (ratio, wanted) in [
        (1.0, [0.2, -0.12, -0.088, -0.0112]),
        (2.0, [0.555_556, 0.259_259, 0.111_111, 0.045_267]),
        (4.5, [0.789_474, 0.612_188, 0.473_976, 0.366_917]),
        (10.0, [0.902_439, 0.812_017, 0.730_590, 0.657_327]),
    ] {
        let mut world = world(0.0, JointSpook::new(1e-16, ratio * STEP));
        let body = add(&mut world, 2.0, DVec3::ZERO);
        world.add_joint(JointDefinition::new(JointKind::Fixed, Some(body), None)).unwrap();
        world.body_mut(body).unwrap().set_pose(&Pose::from_position(DVec3::X)).unwrap();
        for wanted in wanted {
            world.step(STEP);
            let x = world.body(body).unwrap().pose().position.x;
            assert!((x - wanted).abs() < 1e-5, "τ = {ratio} h: {x} m, wanted {wanted} m");
        }
    }
}

/// `x = ε m g`, whatever the step and the damping time.
#[test]
fn a_lock_sags_by_its_compliance() {
    for step in [STEP, 1e-3] {
        for damping_time in [0.0333, 0.2] {
            let mut world = world(9.80665, JointSpook::new(1e-3, damping_time));
            let body = add(&mut world, 2.0, DVec3::ZERO);
            world.add_joint(JointDefinition::new(JointKind::Fixed, Some(body), None)).unwrap();
            for _ in 0..(6.0 / step) as u32 {
                world.step(step);
            }
            let sag = -world.body(body).unwrap().pose().position.z;
            assert!((sag / 0.019_613_3 - 1.0).abs() < 1e-3, "h {step}, τ {damping_time}: {sag} m");
        }
    }
}

/// A chain of balls, at the end 50 times a link's mass, whips for 20 s: no energy is made, though at 1/60 s its links
/// turn by more than a radian a step and come apart (as they do under ERP and CFM).
#[test]
fn a_loaded_chain_makes_no_energy() {
    for (step, most) in [(STEP, 1.5), (5e-3, 0.3), (1e-3, 0.02)] {
        let mut world = world(9.80665, JointSpook::AGX);
        let mut last = None;
        for k in 0..6 {
            let mass = if k == 5 { 50.0 } else { 1.0 };
            let body = add(&mut world, mass, DVec3::new(0.25 + 0.5 * f64::from(k), 0.0, 0.0));
            let joint = JointDefinition::new(JointKind::Ball, Some(body), last);
            world.add_joint(joint.at(DVec3::new(0.5 * f64::from(k), 0.0, 0.0))).unwrap();
            last = Some(body);
        }
        let start = world.energy().total();
        // What falls to the lowest place is what may be gained.
        let scale = 51.0 * 9.80665 * 2.75;
        let mut gap: f64 = 0.0;
        for number in 0..(20.0 / step) as u32 {
            world.step(step);
            let now = world.energy().total();
            assert!(now.is_finite() && now < start + 1e-2 * scale, "step {number} of {step} s: {now} J of {start} J");
            gap = world.joint_ids().filter_map(|id| world.joint(id)).map(|j| j.gap()).fold(gap, f64::max);
        }
        assert!(gap < most, "h {step}: gap {gap} m");
    }
}

/// A slider along z whose motion is locked by a spring ε: `x = x₀ + a cos ω_d t`, `ω_d = (2 / h) atan(ω h / 2)`.
fn sprung(law: JointSpook, gravity: f64) -> (World, BodyId) {
    let mut world = world(gravity, JointSpook::AGX);
    let body = add(&mut world, 2.0, DVec3::ZERO);
    let mut slider = JointDefinition::new(JointKind::Slider, Some(body), None).with_axis(0, DVec3::Z);
    slider.parameters[0] = AxisParameters { stop_spook: Some(law), ..AxisParameters::default().with_stops(0.0, 0.0) };
    world.add_joint(slider).unwrap();
    (world, body)
}

#[test]
fn an_undamped_lock_swings_at_its_frequency_and_keeps_its_amplitude() {
    let (mut world, body) = sprung(JointSpook::new(1.0 / 800.0, 0.0), 0.0);
    world.body_mut(body).unwrap().set_pose(&Pose::from_position(DVec3::new(0.0, 0.0, 0.01))).unwrap();
    let height = |world: &World| world.body(body).unwrap().pose().position.z;
    let (mut last, mut crossings, mut amplitude) = (0.01, Vec::new(), [0.0_f64; 2]);
    for k in 0..6000 {
        world.step(STEP);
        let now = height(&world);
        if last > 0.0 && now <= 0.0 {
            crossings.push((f64::from(k) + last / (last - now)) * STEP);
        }
        amplitude[usize::from(k >= 3000)] = amplitude[usize::from(k >= 3000)].max(now.abs());
        last = now;
    }
    let period = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
    assert!((period / 0.317_046_9 - 1.0).abs() < 1e-4, "{period} s");
    // Released at rest at 10 mm, half a step beyond the turning point: a = x₀ √(1 + (ω h / 2)²).
    for amplitude in amplitude {
        assert!((amplitude / 0.010_137_9 - 1.0).abs() < 1e-3, "{amplitude} m");
    }
}

#[test]
fn locks_of_sliders_and_hinges_sag_by_their_compliance() {
    let (mut world, body) = sprung(JointSpook::new(1e-3, 0.0333), 9.80665);
    steps(&mut world, STEP, 10.0);
    let sag = -world.body(body).unwrap().pose().position.z;
    assert!((sag / 0.019_613_3 - 1.0).abs() < 1e-3, "{sag} m");

    let mut world = self::world(9.80665, JointSpook::AGX);
    let body = add(&mut world, 2.0, DVec3::new(0.5, 0.0, 0.0));
    let mut hinge = JointDefinition::new(JointKind::Hinge, Some(body), None).with_axis(0, DVec3::Y);
    let law = Some(JointSpook::new(1e-3, 0.0333));
    hinge.parameters[0] = AxisParameters { stop_spook: law, ..AxisParameters::default().with_stops(0.0, 0.0) };
    let hinge = world.add_joint(hinge).unwrap();
    steps(&mut world, STEP, 10.0);
    let angle = world.joint(hinge).unwrap().position(0);
    assert!((angle / 9.806_178e-3 - 1.0).abs() < 1e-3, "{angle} rad");
}

/// A lock lets go above its range of force: 2 kg weigh 19.6 N.
#[test]
fn a_lock_holds_up_to_its_force() {
    for (force, holds) in [(19.0, false), (20.0, true)] {
        let law = JointSpook { force_range: [-force, force], ..JointSpook::AGX };
        let (mut world, body) = sprung(law, 9.80665);
        steps(&mut world, STEP, 1.0);
        let z = world.body(body).unwrap().pose().position.z;
        // (m g - F) t² / 2m of what slides.
        let wanted = if holds { 0.0 } else { -0.5 * (9.80665 - force / 2.0) };
        assert!((z - wanted).abs() < 0.01, "{force} N: {z} m, wanted {wanted} m");
    }
}

/// The same at steps that resolve the lock's spring: a mass M slides by `(M g − F) t / M`, and its speed is no energy made.
#[test]
fn a_lock_slips_at_any_step() {
    for (mass, step) in [(2.0, 1e-3), (40.0, 1e-3), (40.0, 5e-3), (1000.0, 1e-3)] {
        for share in [0.5, 0.9] {
            let force = share * mass * 9.80665;
            let law = JointSpook { force_range: [-force, force], ..JointSpook::AGX };
            let mut world = world(9.80665, JointSpook::AGX);
            let body = add(&mut world, mass, DVec3::ZERO);
            let mut slider = JointDefinition::new(JointKind::Slider, Some(body), None).with_axis(0, DVec3::Z);
            slider.parameters[0] =
                AxisParameters { stop_spook: Some(law), ..AxisParameters::default().with_stops(0.0, 0.0) };
            world.add_joint(slider).unwrap();
            for _ in 0..(0.5 / step) as u32 {
                world.step(step);
            }
            let speed = -world.body(body).unwrap().velocity().z;
            let wanted = (1.0 - share) * 9.80665 * 0.5;
            assert!((speed / wanted - 1.0).abs() < 0.01, "{mass} kg, h {step}: {speed} m/s, wanted {wanted} m/s");
        }
    }
}

/// `u − γ τ` under a load; and the first acceleration of a bounded motor.
#[test]
fn motors_give_way_by_their_compliance_and_are_bounded() {
    for (compliance, wanted) in [(1e-2, 0.95), (2e-2, 0.90)] {
        let (mut world, body, hinge) = driven(1.0, f64::INFINITY, compliance);
        for _ in 0..300 {
            world.body_mut(body).unwrap().add_torque(-5.0 * DVec3::Z);
            world.step(STEP);
        }
        let rate = world.joint(hinge).unwrap().rate(0);
        assert!((rate / wanted - 1.0).abs() < 1e-3, "{rate} rad/s, wanted {wanted}");
    }
    let (mut world, body, _) = driven(1.0, 3.0, 1e-2);
    world.step(STEP);
    let first = world.body(body).unwrap().omega().z / STEP;
    assert!((first / 1.5 - 1.0).abs() < 1e-3, "{first} rad/s²");
}

/// A body of 2 kg m² on a hinge about z with a motor.
fn driven(velocity: f64, force: f64, compliance: f64) -> (World, BodyId, JointId) {
    let mut world = world(0.0, JointSpook::AGX);
    let mass =
        MassProperties { mass: 1.0, center_of_mass: DVec3::ZERO, inertia: DMat3::from_diagonal(DVec3::splat(2.0)) };
    let body = world.add_body(&BodyDefinition { mass, ..BodyDefinition::default() }).unwrap();
    let mut hinge = JointDefinition::new(JointKind::Hinge, Some(body), None).with_axis(0, DVec3::Z);
    hinge.parameters[0] = AxisParameters::default().with_motor(velocity, force);
    hinge.parameters[0].motor.cfm = Some(compliance);
    let hinge = world.add_joint(hinge).unwrap();
    (world, body, hinge)
}

/// An arm of six hinges, locked, holds 50 times a link's mass for 60 s: at rest to 1e-6 m/s, and nothing drifts.
#[test]
fn a_locked_arm_holds_fifty_times_its_link() {
    let mut world = world(9.80665, JointSpook::AGX);
    let mut last = None;
    for k in 0..6 {
        let mass = if k == 5 { 50.0 } else { 1.0 };
        let body = add(&mut world, mass, DVec3::new(0.25 + 0.5 * f64::from(k), 0.0, 0.0));
        let axis = if k % 2 == 0 { DVec3::Y } else { DVec3::Z };
        let joint = JointDefinition::new(JointKind::Hinge, Some(body), last).with_axis(0, axis);
        let mut joint = joint.at(DVec3::new(0.5 * f64::from(k), 0.0, 0.0));
        joint.parameters[0] = AxisParameters::default().with_stops(0.0, 0.0);
        world.add_joint(joint).unwrap();
        last = Some(body);
    }
    let load = last.unwrap();
    steps(&mut world, STEP, 30.0);
    let middle = world.body(load).unwrap().pose().position;
    steps(&mut world, STEP, 30.0);
    let body = world.body(load).unwrap();
    let (drift, speed) = ((body.pose().position - middle).length(), body.velocity().length());
    assert!(speed < 1e-6 && drift < 1e-6, "{speed} m/s, {drift} m");
    // The moments on the six locks times ε times the lever arms, about 5e-5 m, and the gaps of the hinges.
    assert!((-1e-3..0.0).contains(&middle.z), "{middle} m");
    assert!(world.energy().kinetic < 1e-12);
}
