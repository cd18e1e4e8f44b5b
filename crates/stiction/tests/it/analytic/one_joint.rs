//! One joint, one law.

use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::math::DVec3;
use stiction::world::{BodyDefinition, BodyId, JointId, World, WorldParameters};

use super::closed_forms::*;
use super::mechanisms::{meta, shared};

#[test]
fn a_pendulum_follows_the_elliptic_functions() {
    let Some(folder) = shared() else { return };
    let rows = table(&folder.join("pendulum_A01/reference.csv"));
    let errors = |step: f64| {
        let mut world = World::new(exact());
        // A point mass, nearly: the inertia lengthens the period by half of 1e-6.
        let definition = BodyDefinition { mass: mass(1.0, DVec3::splat(1e-6)), ..BodyDefinition::default() };
        let bob = world.add_body(&definition).unwrap();
        let start = stiction::math::Pose::from_position(-DVec3::X);
        world.body_mut(bob).unwrap().set_pose(&start).unwrap();
        let joint = world
            .add_joint(JointDefinition::new(JointKind::Hinge, Some(bob), None).with_axis(0, -DVec3::Y).with_feedback())
            .unwrap();
        let (mut angle, mut pull) = (0.0f64, 0.0f64);
        for row in &rows[1..] {
            run_until(&mut world, row[0], step);
            let joint = world.joint(joint).unwrap();
            angle = angle.max((joint.position(0) - std::f64::consts::FRAC_PI_2 - row[1]).abs());
            pull = pull.max((joint.feedback().forces[0].length() - row[5]).abs());
        }
        (angle, pull)
    };
    let (coarse, fine) = (errors(1e-3), errors(5e-4));
    println!(
        "pendulum: angle off by {:.2e}, tension by {:.2e} N; at half the step {:.2e}, {:.2e}",
        coarse.0, coarse.1, fine.0, fine.1
    );
    // First order: half of h |θ̇| is the lag of semi-implicit Euler (|θ̇| ≤ √(2 g) = 4.43), and as much from projection.
    assert!(coarse.0 < 1e-3 * 4.43, "{}", coarse.0);
    assert!((fine.0 / coarse.0 - 0.5).abs() < 0.1, "{}", fine.0 / coarse.0);
    // dT/dθ = 3 m g sin θ, and half a step of dT/dt ≤ 3 m g |θ̇|.
    assert!(coarse.1 < 1e-3 * 3.0 * GRAVITY * 4.43, "{}", coarse.1);
}

/// A wheel of 0.2 kg m² on a hinge, without gravity.
fn wheel(parameters: AxisParameters, omega: f64) -> (World, BodyId, JointId) {
    let mut world = World::new(WorldParameters { gravity: DVec3::ZERO, ..exact() });
    let definition = BodyDefinition {
        mass: mass(1.0, DVec3::splat(0.2)),
        omega: DVec3::new(0.0, 0.0, omega),
        ..BodyDefinition::default()
    };
    let wheel = world.add_body(&definition).unwrap();
    let joint = world
        .add_joint(
            JointDefinition::new(JointKind::Hinge, Some(wheel), None)
                .with_axis(0, DVec3::Z)
                .with_parameters(0, parameters),
        )
        .unwrap();
    (world, wheel, joint)
}

#[test]
fn a_viscous_hinge_slows_down_exponentially() {
    let Some(folder) = shared() else { return };
    let laws = meta(&folder, "joint_laws");
    let (mut world, _, joint) = wheel(AxisParameters { damping: 0.05, ..AxisParameters::default() }, 3.0);
    run_until(&mut world, 1.0, 1e-3);
    let rate = world.joint(joint).unwrap().rate(0);
    // Implicit: ω (1 + h c / I)^−n, above the exponential by ω (c/I)² h t / 2.
    assert!((rate - 3.0 * (1.0f64 + 1e-3 * 0.25).powi(-1000)).abs() < 1e-10, "{rate}");
    let excess = rate - number(&laws["viscous"]["w_1s"]);
    println!("viscous: {excess:.2e} rad/s above the exponential");
    assert!((excess / (rate * 0.25 * 0.25 * 1e-3 / 2.0) - 1.0).abs() < 0.01, "{excess}");
    run_until(&mut world, 60.0, 1e-3);
    let angle = world.joint(joint).unwrap().position(0);
    // θ = h Σ ω: short of I ω₀ / c by what is still to come and by h ω₀; each turn is 2 atan(ω h / 2).
    assert!((angle - number(&laws["viscous"]["theta_inf"])).abs() < 4e-3, "{angle}");
}

#[test]
fn dry_friction_stops_a_hinge_in_time() {
    let Some(folder) = shared() else { return };
    let laws = meta(&folder, "joint_laws");
    let (mut world, _, joint) = wheel(AxisParameters { friction: 0.1, ..AxisParameters::default() }, 3.0);
    let mut stopped = 0.0;
    while world.time() < 7.0 {
        world.step(1e-3);
        if stopped == 0.0 && world.joint(joint).unwrap().rate(0).abs() < 1e-12 {
            stopped = world.time();
        }
    }
    // 6000 steps, and two in which the rounding of 6000 additions goes.
    assert!((stopped - number(&laws["dry"]["t_stop"])).abs() < 2.5e-3, "{stopped}");
    // Constant deceleration: semi-implicit Euler is short by h ω₀ / 2.
    let short = number(&laws["dry"]["theta_stop"]) - world.joint(joint).unwrap().position(0);
    assert!((short - 1.5e-3).abs() < 1e-5, "{short}");
}

#[test]
fn a_spring_with_dry_friction_loses_the_same_at_each_turn() {
    let Some(folder) = shared() else { return };
    let laws = meta(&folder, "joint_laws");
    let step = 1e-4;
    // The spring is at rest 0.4 rad back from where the joint is made.
    let parameters =
        AxisParameters { friction: 0.1, stiffness: 4.0, spring_reference: -0.4, ..AxisParameters::default() };
    let (mut world, _, joint) = wheel(parameters, 0.0);
    let (mut turns, mut times, mut before) = (Vec::new(), Vec::new(), 0.0);
    while world.time() < 6.5 {
        world.step(step);
        let j = world.joint(joint).unwrap();
        if j.rate(0) * before < 0.0 || (j.rate(0).abs() < 1e-13 && before.abs() >= 1e-13) {
            turns.push(j.position(0) + 0.4);
            times.push(world.time());
        }
        before = j.rate(0);
    }
    let expected: Vec<f64> = laws["spring_dry"]["turning_points"].as_array().unwrap().iter().map(number).collect();
    println!("spring and dry friction turn at {turns:.4?}");
    assert!(turns.len() >= expected.len() - 1);
    let mut loss = 0.0;
    for (i, (found, expected)) in turns.iter().zip(&expected).enumerate() {
        // An implicit spring loses a share k h t / 2 I of its amplitude: 10 h a second.
        loss += 10.0 * step * 0.703 * 0.4;
        assert!((found - expected).abs() < loss + 1e-4, "turn {i}: {found} {expected}");
    }
    for (i, t) in times.iter().take(5).enumerate() {
        let t0 = (i + 1) as f64 * number(&laws["spring_dry"]["half_period"]);
        assert!((t - t0).abs() < 20.0 * step, "{t} {t0}");
    }
}

#[test]
fn a_motor_accelerates_with_its_largest_torque_until_its_speed() {
    let Some(folder) = shared() else { return };
    let laws = meta(&folder, "joint_laws");
    let (mut world, _, joint) = wheel(AxisParameters::default().with_motor(2.0, 0.5), 0.0);
    let reach = number(&laws["motor"]["t_reach"]);
    run_until(&mut world, 0.5 * reach, 1e-3);
    let j = world.joint(joint).unwrap();
    assert!((j.rate(0) - 1.0).abs() < 1e-10 && (j.effort(0) - 0.5).abs() < 1e-10, "{} {}", j.rate(0), j.effort(0));
    run_until(&mut world, reach, 1e-3);
    let j = world.joint(joint).unwrap();
    assert!((j.rate(0) - 2.0).abs() < 1e-10, "{}", j.rate(0));
    // Constant acceleration: ahead by h ω / 2.
    let ahead = j.position(0) - number(&laws["motor"]["theta_at_reach"]);
    assert!((ahead - 1e-3).abs() < 1e-5, "{ahead}");
    run_until(&mut world, 2.0, 1e-3);
    let j = world.joint(joint).unwrap();
    assert!((j.rate(0) - 2.0).abs() < 1e-10 && j.effort(0).abs() < 1e-9, "{} {}", j.rate(0), j.effort(0));
}

#[test]
fn a_stop_returns_the_share_of_the_speed() {
    let Some(folder) = shared() else { return };
    let laws = meta(&folder, "joint_laws");
    let parameters = AxisParameters { bounce: 0.5, ..AxisParameters::default().with_stops(-10.0, 1.0) };
    let (mut world, _, joint) = wheel(parameters, 3.0);
    while world.joint(joint).unwrap().rate(0) > 0.0 {
        world.step(1e-3);
    }
    let rate = world.joint(joint).unwrap().rate(0);
    assert!((rate - number(&laws["stop"]["w_after"])).abs() < 1e-12, "{rate}");
    // Noticed at the first step that ends beyond the stop, answered in the next.
    assert!((world.time() - number(&laws["stop"]["t_hit"])).abs() < 2e-3, "{}", world.time());
}

#[test]
fn a_suspension_follows_its_recurrence_and_the_exact_motion() {
    let Some(folder) = shared() else { return };
    let meta = meta(&folder, "suspension");
    let p = |key: &str| number(&meta["params"][key]);
    let spring = |stiffness, damping| AxisParameters {
        stiffness,
        damping,
        // Joints are made 0.05 m below static equilibrium.
        spring_reference: 0.05,
        ..AxisParameters::default()
    };
    let slider = |a: BodyId, b: Option<BodyId>, law| {
        JointDefinition::new(JointKind::Slider, Some(a), b).with_axis(0, DVec3::Z).with_parameters(0, law)
    };
    let car = |world: &mut World, m: f64| {
        world.add_body(&BodyDefinition { mass: mass(m, DVec3::splat(m)), ..BodyDefinition::default() }).unwrap()
    };
    let parameters = WorldParameters { gravity: DVec3::ZERO, ..exact() };

    let mut world = World::new(parameters.clone());
    let sprung = car(&mut world, p("sprung_mass"));
    world.add_joint(slider(sprung, None, spring(p("spring_k"), p("damper_c")))).unwrap();
    let mut worst = 0.0f64;
    for row in table(&folder.join("suspension/one_dof.csv")) {
        run_until(&mut world, row[0], 1e-3);
        let b = world.body(sprung).unwrap();
        worst = worst.max((b.pose().position.z - 0.05 - row[3]).abs()).max((b.velocity().z - row[4]).abs());
    }
    println!("suspension: recurrence met to {worst:.1e}");
    // The same recurrence: rounding.
    assert!(worst < 1e-11, "{worst}");

    let quarter = |step: f64| {
        let mut world = World::new(parameters.clone());
        let (sprung, unsprung) = (car(&mut world, p("sprung_mass")), car(&mut world, p("unsprung_mass")));
        world.add_joint(slider(unsprung, None, spring(p("tyre_k"), 0.0))).unwrap();
        let law = AxisParameters { spring_reference: 0.0, ..spring(p("spring_k"), p("damper_c")) };
        world.add_joint(slider(sprung, Some(unsprung), law)).unwrap();
        let mut worst = 0.0f64;
        for row in table(&folder.join("suspension/reference.csv")) {
            run_until(&mut world, row[0], step);
            let z = [sprung, unsprung].map(|b| world.body(b).unwrap().pose().position.z - 0.05);
            worst = worst.max((z[0] - row[1]).abs()).max((z[1] - row[2]).abs());
        }
        worst
    };
    let (coarse, fine) = (quarter(1e-3), quarter(1e-4));
    println!("quarter car: off by {coarse:.2e} m, {fine:.2e} m at a tenth of the step");
    // Implicit Euler damps the wheel's 70 rad/s by ω² h / 2 = 2.4 1/s beside its own 14.6 1/s: a sixth of 0.05 m over e.
    assert!(coarse < 0.05 / 6.0 && fine < 0.15 * coarse, "{coarse} {fine}");
}
