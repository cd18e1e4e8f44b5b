//! What accelerometers and force sensors would read: accelerations of links.

use crate::gazebo::support::{ENGINES, Run, shared};
use stiction::math::DVec3;

/// Specific force of a link in its own axes over the next step, as an accelerometer at its origin has it \[m/s²\].
fn specific_force(run: &mut Run, link: &str) -> DVec3 {
    let before = run.velocity(link);
    run.steps(1);
    let acceleration = (run.velocity(link) - before) / run.step;
    run.pose(link).inverse().direction(acceleration - run.simulation.world.parameters.gravity)
}

#[test]
fn t43_accelerometers_on_a_pendulum_and_a_ramp() {
    let Some(shared) = shared() else { return };
    let file = shared.join("worlds/gazebo-classic/test_worlds/imu_sensor_test.world");
    for engine in ENGINES {
        for step in ["0.001", "0.0005"] {
            let mut run = Run::under(engine, std::slice::from_ref(&file), &[("physics.max_step_size", step)], |_| {});
            let (g, l) = (9.81, 10.0);
            // The ball without friction slides down the ramp with g sin 0.5.
            let ball = "model_ball_no_friction::link_ball_no_friction";
            run.until(1.4);
            let before = run.velocity(ball);
            run.until(1.5);
            let slide = (run.velocity(ball) - before) / 0.1;
            let expected = g * f64::sin(0.5) * DVec3::new(f64::cos(0.5), 0.0, -f64::sin(0.5));
            // The pendulum from the horizontal, at its lowest point: g + v² / l = g (1 + 2 m l² / I), with the moments of rod and
            // ball. Gazebo's own figure, 29.42581726, is that of its steps.
            let at_the_bottom = g * (1.0 + 2.0 * 10.0 * l * l / (10.0 * l * l + 0.2));
            run.until(1.872 - run.step);
            let error = specific_force(&mut run, "model_pendulum::link_pendulum_ball").z - at_the_bottom;
            let off = (slide - expected).length();
            println!(
                "T43 {engine}: step {step} s: {error:.1e} off {at_the_bottom:.6} m/s² (bound 8e-5), on the ramp {off:.1e}"
            );
            // Steps of 1 ms are 8.6e-5 off, and half as much those of half the length.
            let bound = if step == "0.001" { 1e-4 } else { 8e-5 };
            assert!(error.abs() < bound, "{engine} {step} {error}");
            // Under simbody the ball still lives through its impact, softly.
            let bound = if engine == "simbody" { 0.1 } else { 1e-2 };
            assert!(off < bound, "{engine} {slide} {expected}");
        }
    }
}

#[test]
fn t44_a_box_falls_with_g_and_rests_with_none() {
    for engine in ENGINES {
        // A step of simbody is as exact as its accuracy says, and no more.
        let accuracy = [("physics.simbody.accuracy", "1e-9")];
        let overrides = if engine == "simbody" { &accuracy[..] } else { &[] };
        let Some(shared) = shared() else { return };
        let mut run =
            Run::under(engine, &[shared.join("worlds/gazebo-classic/test_worlds/issue_1694.world")], overrides, |_| {});
        let acceleration = |run: &mut Run| {
            let before = run.velocity("box_model::box_link");
            run.steps(1);
            (run.velocity("box_model::box_link") - before) / run.step
        };
        let mut worst = [0.0f64; 2];
        for _ in 0..100 {
            worst[0] = worst[0].max((acceleration(&mut run) - DVec3::new(0.0, 0.0, -9.81)).length());
        }
        run.until(3.0);
        for _ in 0..100 {
            worst[1] = worst[1].max(acceleration(&mut run).length());
        }
        println!("T44 {engine}: falling {:.1e}, at rest {:.1e} m/s² (bound 1e-4)", worst[0], worst[1]);
        assert!(worst.iter().all(|error| *error < 1e-4), "{engine} {worst:?}");
    }
}
