//! Mass and inertia, and changes of them.

use super::sdf::{inertial, joint, link, model, world};
use crate::gazebo::support::{ENGINES, Run};
use std::f64::consts::{FRAC_PI_2, PI};
use stiction::math::{DMat3, DVec3};
use stiction::shape::MassProperties;

#[test]
fn t26_inertia_ratios() {
    let Some(run) = Run::test_world("ode", "inertia_ratio.world") else { return };
    let inertia = |link: &str| run.simulation.world.body(run.body(link)).unwrap().world_inertia();
    let [upper, lower] = ["double_pendulum::upper_link", "double_pendulum::lower_link"].map(inertia);
    // As Gazebo's `Joint::InertiaRatio`: of the lengths of I a.
    let ratio = |axis: DVec3| (lower * axis).length() / (upper * axis).length();
    println!(
        "T26: ratio {:.4} about the axis (3125 ± 0.01), {:.4} about y (87.50 ± 0.01)",
        ratio(DVec3::X),
        ratio(DVec3::Y)
    );
    assert!((ratio(DVec3::X) - 3125.0).abs() < 1e-2 && (ratio(DVec3::Y) - 87.5).abs() < 1e-2);
}

/// Pendulums of 0.1 m that swing about the axes x, y and z of their links, in two turns each, from π/10.
fn pendulums() -> String {
    let (x, z) = (2.272_5e-5, 4.5e-7);
    // The axis of the hinge, the turn of the link that lays its length along it, and the principal moments in that frame.
    let cases = [
        ("x", DVec3::X, [x, x, z], -DVec3::Z, DVec3::ZERO),
        ("x_turned", DVec3::X, [x, x, z], -DVec3::Z, DVec3::new(0.0, 0.0, 0.7)),
        ("y", DVec3::Y, [x, x, z], -DVec3::Z, DVec3::ZERO),
        ("x_rolled", DVec3::X, [x, z, x], -DVec3::Y, DVec3::new(FRAC_PI_2, 0.0, 0.0)),
        ("z_rolled", DVec3::Z, [x, z, x], -DVec3::Y, DVec3::new(FRAC_PI_2, 0.0, 0.0)),
        ("z_pitched", DVec3::Z, [z, x, x], -DVec3::X, DVec3::new(0.0, -FRAC_PI_2, 0.0)),
    ];
    let one = |(i, (name, axis, moments, down, turn)): (usize, (&str, DVec3, [f64; 3], DVec3, DVec3))| {
        let (center, at) = (0.05 * down, format!("{i} 0 1 {} {} {}", turn.x, turn.y, turn.z));
        let hinge = format!("<axis><xyz>{} {} {}</xyz></axis>", axis.x, axis.y, axis.z);
        let inside = link(
            "link",
            "0 0 0 0 0 0",
            &inertial(0.027, &format!("{} {} {} 0 0 0", center.x, center.y, center.z), moments),
        ) + &joint("joint", "revolute", "world", "link", &hinge);
        model(name, &at, &inside)
    };
    let models: String = cases.into_iter().enumerate().map(one).collect();
    world("0 0 -9.8", &models)
}

/// Half swings of each pendulum in 30 s from an angle of π/10, counted beyond half of it.
fn half_swings(run: &mut Run, joints: &[String]) -> Vec<u32> {
    let start = PI / 10.0;
    let mut side = vec![1.0; joints.len()];
    let mut count = vec![0; joints.len()];
    for _ in 0..30_000 {
        run.steps(1);
        for (k, joint) in joints.iter().enumerate() {
            if -side[k] * run.joint(joint, 0).0 >= 0.5 * start {
                side[k] = -side[k];
                count[k] += 1;
            }
        }
    }
    count
}

/// Turns each pendulum by π/10 about its hinge.
fn raise(run: &mut Run, joints: &[String]) {
    for joint in joints {
        let link = joint.replace("joint", "link");
        let id = run.simulation.joint(joint).unwrap().id.unwrap();
        let world = &mut run.simulation.world;
        let (anchor, axis) = (world.joint(id).unwrap().anchor(1), world.joint(id).unwrap().axis(1, 0));
        let body = run.simulation.link(&link).unwrap().body.unwrap();
        let turn = stiction::math::DQuat::from_axis_angle(axis, PI / 10.0);
        let about = stiction::math::Pose::new(anchor - turn * anchor, turn);
        let world = &mut run.simulation.world;
        let pose = about.compose(&world.body(body).unwrap().pose());
        world.body_mut(body).unwrap().set_pose(&pose).unwrap();
    }
    run.simulation.world.refresh_joint_positions();
}

#[test]
fn t37_pendulums_swing_by_their_inertia_about_every_axis() {
    for engine in ["ode", "dart"] {
        for (factor, told) in [(1.0, 115), (2.0, 103)] {
            let mut run = Run::text(engine, &pendulums());
            let joints: Vec<String> = run.simulation.joints.iter().map(|joint| joint.name.clone()).collect();
            assert_eq!(joints.len(), 6);
            for joint in &joints {
                let id = run.body(&joint.replace("joint", "link"));
                let mass = run.simulation.world.body(id).unwrap().mass_properties();
                let heavier = MassProperties { inertia: mass.inertia * factor, ..mass };
                run.simulation.world.body_mut(id).unwrap().set_mass(&heavier).unwrap();
            }
            raise(&mut run, &joints);
            let found = half_swings(&mut run, &joints);
            // Of a rod with a square section: I = m l² 401 / 300 about its end.
            let share: f64 = if factor == 1.0 { 300.0 / 401.0 } else { 150.0 / 251.0 };
            let expected = (60.0 / (2.0 * PI) * (share * 9.8 / 0.05).sqrt()) as u32;
            println!("T37 {engine}: inertia × {factor}: {found:?} half swings, expected {expected}");
            assert_eq!(expected, told);
            assert!(found.iter().all(|count| *count == expected), "{engine} {factor} {found:?}");
        }
    }
}

#[test]
fn t38_a_seesaw_tips_to_its_heavier_side() {
    for engine in ENGINES {
        let seesaw = |change: &dyn Fn(MassProperties) -> MassProperties, link: &str| {
            let file = crate::gazebo::support::shared()?.join("worlds/gazebo-classic/worlds/seesaw.world");
            let mut run = Run::under(engine, &[file], &[], |_| {});
            let id = run.body(link);
            let mass = change(run.simulation.world.body(id).unwrap().mass_properties());
            run.simulation.world.body_mut(id).unwrap().set_mass(&mass).unwrap();
            run.until(1.0);
            Some(run)
        };
        let shifted = |mass: MassProperties| MassProperties { center_of_mass: DVec3::new(2.5, 0.0, 0.0), ..mass };
        let Some(run) = seesaw(&shifted, "plank::link") else { return };
        let pitch = run.pose("plank::link").rpy().y;
        let heavy = |mass: MassProperties| MassProperties { mass: 500.0, ..mass };
        let Some(run) = seesaw(&heavy, "cube1::link") else { return };
        let z = run.position("cube1::link").z;
        println!("T38 {engine}: plank's pitch {pitch:.4} rad (above 0.25), cube at {z:.4} m (below 0.40)");
        assert!(pitch > 0.25 && z < 0.40, "{engine}: {pitch} {z}");
    }
}

#[test]
fn turned_inertias_lie_still_and_fall_alike() {
    // Boxes of one inertia that is written about turned axes: all fall alike when they are pushed alike.
    let Some(mut run) = Run::test_world("ode", "inertia_rotations.world") else { return };
    let links = run.links("box010409");
    let inertias: Vec<DMat3> =
        links.iter().map(|link| run.simulation.world.body(run.body(link)).unwrap().world_inertia()).collect();
    let apart =
        inertias.iter().map(|i| (*i - inertias[0]).to_cols_array().into_iter().fold(0.0f64, |m, x| m.max(x.abs())));
    println!("T24: {} boxes, inertias apart by {:.1e} kg m² at most", links.len(), apart.clone().fold(0.0, f64::max));
    assert!(links.len() > 3 && apart.fold(0.0, f64::max) < 1e-9);
    run.until(1.0);
    assert!(links.iter().all(|link| (run.position(link).z - 0.45).abs() < 2e-3));
}
