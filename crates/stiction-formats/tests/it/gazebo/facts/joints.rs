//! Angles, limits and couplings of joints.

use super::sdf::{inertial, joint, link, model, world};
use crate::gazebo::support::{ENGINES, Run, shared, short};
use std::f64::consts::{FRAC_PI_4, PI};
use stiction::math::{DQuat, DVec3, Pose};
use stiction_run::{Setup, StateFile};

/// A link of 1 kg with moments of 1 kg m² on a joint to the world.
fn on_the_world(gravity: &str, pose: &str, at: &str, kind: &str, inside: &str) -> String {
    let inside =
        link("child", at, &inertial(1.0, "0 0 0 0 0 0", [1.0; 3])) + &joint("joint", kind, "world", "child", inside);
    world(gravity, &model("m", pose, &inside))
}

#[test]
fn t30_a_pendulum_keeps_its_energy() {
    let text = on_the_world(
        "0 0 -9.8",
        &format!("0 0 0 0 0 {FRAC_PI_4}"),
        "0 0 3 0 0 0",
        "revolute",
        "<pose>0 1.5 0 0 0 0</pose><axis><xyz>1 0 0</xyz></axis>",
    );
    for engine in ENGINES {
        let mut run = Run::text(engine, &text);
        // As in Gazebo, potential energy counts from z = 0.
        let start = run.simulation.world.energy().total();
        assert!((start - 9.8 * 3.0).abs() < 1e-9, "{start}");
        let mut worst = 0.0f64;
        for _ in 0..500 {
            run.steps(5);
            worst = worst.max((run.simulation.world.energy().total() / start - 1.0).abs());
        }
        println!("T30 {engine}: energy ratio − 1 at most {worst:.2e} (bound 1e-2)");
        assert!(worst < 1e-2, "{engine} {worst}");
    }
}

#[test]
fn t30_angles_do_not_wrap() {
    let text = on_the_world("0 0 0", "0 0 0 0 0 0", "0 0 0 0 0 0", "revolute", "<axis><xyz>0 0 1</xyz></axis>");
    for engine in ENGINES {
        let mut run = Run::text(engine, &text);
        let limits = run.parameters("m::joint", 0);
        assert!(limits.lower <= -1e16 && limits.upper >= 1e16, "{limits:?}");
        let (rate, id) = (2.0 * PI, run.body("m::child"));
        run.simulation.world.body_mut(id).unwrap().set_omega(DVec3::Z * rate).unwrap();
        let mut worst = 0.0f64;
        for _ in 0..30 {
            run.steps(50);
            let (angle, now) = run.joint("m::joint", 0);
            worst = worst.max((angle - rate * run.simulation.world.time()).abs()).max((now - rate).abs());
        }
        println!("T30 {engine}: worst angle and rate {worst:.2e} rad, rad/s (bound 1e-2)");
        assert!(worst < 1e-2, "{engine} {worst}");
    }
}

#[test]
fn t31_a_gearbox_balances_and_drives() {
    // The turntable under it at several angles, first in balance, then not.
    for (gear, turned) in [(-1.5, 0.0), (-1.5, 2.0), (-1.5, -7.0), (-2.5, 0.0)] {
        let Some(shared) = shared() else { return };
        let file = shared.join("worlds/gazebo-classic/test_worlds/gearbox.world");
        let ratio = gear.to_string();
        let overrides = [("model.model_1.joint.joint_13.gearbox_ratio", ratio.as_str())];
        let mut run = Run::load(&[file], &overrides, |_| {});
        let table = run.simulation.joint("model_1::joint_02").unwrap().id.unwrap();
        let table = run.simulation.world.joint(table).unwrap();
        let (pivot, axis) = (table.anchor(1), table.axis(1, 0));
        for link in run.links("model_1::") {
            let turn = DQuat::from_axis_angle(axis, turned);
            let about = Pose::new(pivot - turn * pivot, turn);
            let id = run.body(&link);
            let pose = about.compose(&run.simulation.world.body(id).unwrap().pose());
            run.simulation.world.body_mut(id).unwrap().set_pose(&pose).unwrap();
        }
        run.simulation.world.refresh_joint_positions();
        let (one, three) = ("model_1::joint_12", "model_1::joint_23");
        let mut worst = [0.0f64; 2];
        for _ in 0..5000 {
            run.push(one, 0, gear);
            run.push(three, 0, 1.0);
            run.steps(1);
            let states = [run.joint(one, 0), run.joint(three, 0)];
            worst[0] = states.iter().fold(worst[0], |w, (x, v)| w.max(x.abs()).max(v.abs()));
        }
        for _ in 0..5000 {
            run.push(one, 0, -1.0);
            run.push(three, 0, 1.0);
            run.steps(1);
            let ((x1, v1), (x3, v3)) = (run.joint(one, 0), run.joint(three, 0));
            assert!(v1 > 0.0 && v3 > 0.0 && x1 > 0.0 && x3 > 0.0, "{v1} {v3} {x1} {x3}");
            worst[1] = worst[1].max((v1 * gear + v3).abs()).max((x1 * gear + x3).abs());
        }
        println!(
            "T31: ratio {gear}, turned by {turned}: at rest {:.1e}, driven {:.1e} (bound 1e-6)",
            worst[0], worst[1]
        );
        assert!(worst.iter().all(|error| *error < 1e-6), "{gear} {turned} {worst:?}");
    }
}

#[test]
fn t32_a_screw_turns_by_its_torque() {
    let screw = "<thread_pitch>1</thread_pitch><axis><xyz>1 0 0</xyz></axis>";
    let text = on_the_world("0 0 0", "0 0 0 0 0 0", "0 0 1 0 0 0", "screw", screw);
    for engine in ENGINES {
        let mut run = Run::text(engine, &text);
        // Gazebo's old pitch is a turn by a metre: the inertia is I + m / pitch².
        let (torque, inertia) = (35.0, 2.0);
        let mut worst = [0.0f64; 2];
        for _ in 0..1000 {
            let speed = f64::sqrt(2.0 * torque * run.joint("m::joint", 0).0.max(0.0) / inertia);
            run.push("m::joint", 0, torque);
            run.steps(1);
            let ((angle, rate), t) = (run.joint("m::joint", 0), run.simulation.world.time());
            worst[0] = worst[0].max((angle - 0.5 * torque * t * t / inertia).abs());
            worst[1] = worst[1].max((rate - speed).abs());
        }
        println!("T32 {engine}: angle {:.2e} rad (bound 1e-2), rate {:.2e} rad/s (bound 2e-2)", worst[0], worst[1]);
        assert!(worst[0] < 1e-2 && worst[1] < 2e-2, "{engine} {worst:?}");
    }
}

#[test]
fn t32_a_chain_of_screws_keeps_its_limits() {
    for engine in ENGINES {
        let Some(mut run) = Run::test_world(engine, "screw_joint_test.world") else { return };
        let (first, second) = ("model_1::joint_00", "model_1::joint_01");
        let pitch = [-3141.6, 3141.6];
        let mut worst = [0.0f64; 2];
        let mut check = |run: &Run| {
            // Each advances by −angle / pitch along x.
            let angles = [run.joint(first, 0).0, run.joint(second, 0).0];
            let way = -angles[0] / pitch[0] - angles[1] / pitch[1];
            worst[0] = worst[0].max((run.position("model_1::link_01").x - way).abs());
            worst[0] = worst[0].max((run.position("model_1::link_00").x + angles[0] / pitch[0]).abs());
            worst[0] = worst[0].max((run.pose("model_1::link_01").rpy().x - angles[0] - angles[1]).abs());
        };
        run.parameters(first, 0).upper = 0.3;
        let mut pushed = |run: &mut Run, name: &str, torque: f64, steps: usize| {
            let mut reached = f64::NEG_INFINITY;
            for _ in 0..steps {
                run.push(name, 0, torque);
                run.steps(1);
                check(run);
                reached = reached.max(torque.signum() * run.joint(name, 0).0);
            }
            reached
        };
        let mut over = [0.0; 3];
        over[0] = pushed(&mut run, first, 0.1, 4000) - 0.3;
        run.parameters(first, 0).lower = 0.3;
        run.parameters(second, 0).upper = 1.0;
        over[1] = pushed(&mut run, second, 0.1, 4000) - 1.0;
        run.parameters(second, 0).lower = -1.0;
        over[2] = pushed(&mut run, second, -0.1, 4000) - 1.0;
        let over_text = short(over);
        println!(
            "T32 {engine}: over the limits {over_text} rad (bound 1e-2), off the thread {:.1e} (bound 1e-8)",
            worst[0]
        );
        assert!(over.iter().all(|over| (-1e-2..1e-2).contains(over)), "{engine} {over:?}");
        assert!(worst[0] < 1e-8, "{engine} {worst:?}");
    }
}

#[test]
fn t33_universal_joints_stop_in_every_corner() {
    for engine in ENGINES {
        let Some(mut run) = Run::test_world(engine, "universal_joint_test.world") else { return };
        let (upper, lower) = ("model_1::joint_00", "model_1::joint_01");
        let told = [0, 1].map(|axis| (run.parameters(lower, axis).lower, run.parameters(lower, axis).upper));
        assert_eq!(told, [(-1.4, 1.4), (-1.27, 1.27)]);
        for axis in 0..2 {
            let stops = run.parameters(upper, axis);
            (stops.lower, stops.upper) = (-1e-6, 1e-6);
        }
        for (axis, limits) in [(0, (-0.1, 0.4)), (1, (-0.3, 0.2))] {
            let stops = run.parameters(lower, axis);
            (stops.lower, stops.upper) = limits;
        }
        let mut worst = [0.0f64; 3];
        for corner in 0..4 {
            let gx = if corner < 2 { 5.0 } else { -5.0 };
            let gy = if corner % 2 == 0 { 5.0 } else { -5.0 };
            run.simulation.world.parameters.gravity = DVec3::new(gx, gy, 0.0);
            run.steps(1000);
            let wanted = [if gy < 0.0 { -0.1 } else { 0.4 }, if gx > 0.0 { -0.3 } else { 0.2 }];
            let rpy = run.pose("model_1::link_01").rpy();
            for axis in 0..2 {
                worst[0] = worst[0].max(run.joint(upper, axis).0.abs());
                worst[1] = worst[1].max((run.joint(lower, axis).0 - wanted[axis]).abs());
                worst[2] = worst[2].max(([rpy.x, rpy.y][axis] - wanted[axis]).abs());
            }
        }
        println!(
            "T33 {engine}: locked {:.1e} rad (1e-4), at the limits {:.1e} (1e-2), Euler {:.1e} (5e-2)",
            worst[0], worst[1], worst[2]
        );
        assert!(worst[0] < 1e-4 && worst[1] < 1e-2 && worst[2] < 0.05, "{engine} {worst:?}");
    }
}

#[test]
fn t45_a_hinge_set_to_an_angle_stays_there() {
    let text = on_the_world("0 0 0", "0 0 0 0 0 0", "0 0 1 0 0 0", "revolute", "<axis><xyz>0 0 1</xyz></axis>");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.world");
    std::fs::write(&path, text).unwrap();
    for engine in ENGINES {
        let mut worst = 0.0f64;
        for angle in
            [20.0, -20.0, 200.0, -200.0, 1e5, -1e5].map(|a: f64| a * PI / 180.0).into_iter().chain([1e15, 1e16])
        {
            for angle in [angle, 0.5 * angle] {
                let mut setup = Setup::new(&path).engine(engine);
                let state = format!("{{\"joints\": {{\"m::joint\": {{\"position\": [{angle:e}]}}}}}}");
                let file = folder.path().join("state.json");
                std::fs::write(&file, state).unwrap();
                setup.initial_state = Some(StateFile::read(&file).unwrap());
                let mut run = setup.start().unwrap();
                run.step().unwrap();
                let simulation = run.simulation();
                let id = simulation.joint("m::joint").unwrap().id.unwrap();
                let found = simulation.world.joint(id).unwrap().position(0);
                worst = worst.max((found / angle - 1.0).abs());
            }
        }
        println!("T45 {engine}: worst relative error {worst:.1e} (bound 1e-6)");
        assert!(worst < 1e-6, "{engine} {worst}");
    }
}
