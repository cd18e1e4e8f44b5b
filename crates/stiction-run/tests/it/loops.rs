//! Closed loops, every other one in gravity, under every engine: their energy stays, or the run says that this engine does not keep it.

use std::f64::consts::{FRAC_PI_4, TAU};

use stiction::math::{DQuat, DVec3, Pose};
use stiction_run::{Setup, StateFile};

use crate::common::ENGINES;
use crate::plugins::random::Random;

/// Change of the energy that a run may have without a word.
const KEPT: f64 = 0.01;

/// Links by their poses at an angle of the crank, which follow from geometry alone.
struct Loop {
    poses: Box<dyn Fn(f64) -> Vec<Pose>>,
    masses: Vec<(f64, DVec3)>,
    joints: String,
}

fn joint(name: &str, kind: &str, [parent, child]: [&str; 2], at: DVec3, axis: &str) -> String {
    let DVec3 { x, y, z } = at;
    format!(
        r#"<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child><pose>{x} {y} {z} 0 0 0</pose>{axis}</joint>"#
    )
}

const ACROSS: &str = "<axis><xyz>0 1 0</xyz></axis>";

/// In the plane x z: the pose of a link from one point to another, its frame amid.
fn between(a: DVec3, b: DVec3) -> Pose {
    let way = b - a;
    Pose::new(0.5 * (a + b), DQuat::from_rotation_y(-way.z.atan2(way.x)))
}

fn rod(length: f64, r: &mut Random) -> (f64, DVec3) {
    let mass = r.within(0.3, 3.0);
    let i = mass * length * length / 12.0;
    (mass, DVec3::new(0.01 * i, i, i))
}

/// A crank that turns all the way: the shortest and the longest together are less than the two others.
fn four_bar(r: &mut Random) -> Loop {
    let (crank, coupler, rocker, base) =
        (r.within(0.1, 0.15), r.within(0.4, 0.5), r.within(0.4, 0.5), r.within(0.4, 0.45));
    let poses = move |angle: f64| {
        let a = crank * DVec3::new(angle.cos(), 0.0, angle.sin());
        let foot = base * DVec3::X;
        let (way, d) = (foot - a, (foot - a).length());
        let along = (coupler * coupler - rocker * rocker + d * d) / (2.0 * d);
        let across = (coupler * coupler - along * along).sqrt();
        let unit = way / d;
        let b = a + along * unit + across * DVec3::new(-unit.z, 0.0, unit.x);
        vec![between(DVec3::ZERO, a), between(a, b), between(b, foot)]
    };
    let half = |length: f64| -0.5 * length * DVec3::X;
    let joints = [
        joint("a", "revolute", ["world", "l0"], half(crank), ACROSS),
        joint("b", "revolute", ["l0", "l1"], half(coupler), ACROSS),
        joint("c", "revolute", ["l1", "l2"], half(rocker), ACROSS),
        joint("d", "revolute", ["world", "l2"], -half(rocker), ACROSS),
    ];
    let masses = [crank, coupler, rocker].map(|length| rod(length, r)).to_vec();
    Loop { poses: Box::new(poses), masses, joints: joints.concat() }
}

fn slider_crank(r: &mut Random) -> Loop {
    let (crank, coupler) = (r.within(0.1, 0.2), r.within(0.4, 0.6));
    let poses = move |angle: f64| {
        let a = crank * DVec3::new(angle.cos(), 0.0, angle.sin());
        let b = DVec3::new(a.x + (coupler * coupler - a.z * a.z).sqrt(), 0.0, 0.0);
        vec![between(DVec3::ZERO, a), between(a, b), Pose::new(b, DQuat::IDENTITY)]
    };
    let joints = [
        joint("a", "revolute", ["world", "l0"], -0.5 * crank * DVec3::X, ACROSS),
        joint("b", "revolute", ["l0", "l1"], -0.5 * coupler * DVec3::X, ACROSS),
        joint("c", "revolute", ["l1", "l2"], DVec3::ZERO, ACROSS),
        joint("d", "prismatic", ["world", "l2"], DVec3::ZERO, "<axis><xyz>1 0 0</xyz></axis>"),
    ];
    let masses = vec![rod(crank, r), rod(coupler, r), rod(0.1, r)];
    Loop { poses: Box::new(poses), masses, joints: joints.concat() }
}

/// Two shafts that a universal joint joins: `tan φ₂ = tan φ₁ cos β` for a cross whose first axis is across the plane of the shafts.
fn shafts(r: &mut Random) -> Loop {
    let bend = r.within(0.2, FRAC_PI_4);
    let second = DQuat::from_rotation_z(bend);
    let poses = move |angle: f64| {
        let turned = (angle.sin() * bend.cos()).atan2(angle.cos());
        let turned = turned + TAU * ((angle - turned) / TAU).round();
        vec![
            Pose::new(-0.5 * DVec3::X, DQuat::from_rotation_x(angle)),
            Pose::new(second * (0.5 * DVec3::X), second * DQuat::from_rotation_x(turned)),
        ]
    };
    let shaft = |r: &mut Random| {
        let (mass, i) = (r.within(0.5, 3.0), r.within(0.003, 0.03));
        (mass, DVec3::new(i, 5.0 * i, 5.0 * i))
    };
    let along = "<axis><xyz>1 0 0</xyz></axis>";
    // At angle 0 the first axis of the cross is z of the first shaft, the second y of the second.
    let cross = r#"<axis><xyz expressed_in="l0">0 0 1</xyz></axis><axis2><xyz expressed_in="l1">0 1 0</xyz></axis2>"#;
    let joints = [
        joint("a", "revolute", ["world", "l0"], DVec3::ZERO, along),
        joint("b", "revolute", ["world", "l1"], DVec3::ZERO, along),
        joint("c", "universal", ["l0", "l1"], -0.5 * DVec3::X, cross),
    ];
    Loop { poses: Box::new(poses), masses: vec![shaft(r), shaft(r)], joints: joints.concat() }
}

/// Kinetic energy of the links, and with that in gravity \[J\].
fn energies(run: &stiction_run::Run, count: usize) -> [f64; 2] {
    let simulation = run.simulation();
    let gravity = simulation.world.parameters.gravity;
    let (mut kinetic, mut total) = (0.0, 0.0);
    for i in 0..count {
        let link = simulation.link(&format!("m::l{i}")).unwrap();
        let body = simulation.world.body(link.body.unwrap()).unwrap();
        let (mass, spin) = (body.mass_properties(), body.pose().rotation.conjugate() * body.omega());
        let own = 0.5 * mass.mass * body.velocity().length_squared() + 0.5 * spin.dot(mass.inertia * spin);
        kinetic += own;
        total += own - mass.mass * gravity.dot(body.center_of_mass());
    }
    [kinetic, total]
}

#[test]
fn closed_loops_keep_their_energy_or_the_run_tells() {
    let mut r = Random(4);
    let folder = tempfile::tempdir().unwrap();
    let duration = stiction_testing::cases(6, 30) as f64;
    for case in 0..stiction_testing::cases(1, 12) {
        for (kind, make) in
            [("four-bar", four_bar as fn(&mut Random) -> Loop), ("slider crank", slider_crank), ("shafts", shafts)]
        {
            let own = make(&mut r);
            let speed = r.within(1.0, 25.0);
            let gravity = if case % 2 == 0 { 0.0 } else { -9.8 };
            let links: String = (own.poses)(0.0)
                .iter()
                .zip(&own.masses)
                .enumerate()
                .map(|(i, (pose, (mass, moments)))| {
                    let (p, pitch, yaw) = (pose.position, pitch(pose), yaw(pose));
                    format!(
                        r#"<link name="l{i}"><pose>{} {} {} 0 {pitch} {yaw}</pose><inertial><mass>{mass}</mass><inertia><ixx>{}</ixx><iyy>{}</iyy><izz>{}</izz></inertia></inertial></link>"#,
                        p.x, p.y, p.z, moments.x, moments.y, moments.z
                    )
                })
                .collect();
            let text = format!(
                r#"<sdf version="1.9"><world name="w"><gravity>0 0 {gravity}</gravity><physics type="ode"><max_step_size>0.001</max_step_size></physics><model name="m">{links}{}</model></world></sdf>"#,
                own.joints
            );
            let (file, state) = (folder.path().join("loop.sdf"), folder.path().join("state.json"));
            std::fs::write(&file, text).unwrap();
            std::fs::write(&state, velocities(&own, speed).to_string()).unwrap();
            for engine in ENGINES {
                let mut setup = Setup::new(&file).engine(engine);
                setup.initial_state = Some(StateFile::read(&state).unwrap());
                let mut run = setup.start().unwrap();
                let count = own.masses.len();
                let [kinetic, start] = energies(&run, count);
                // The energy in play: of the motion, and of a fall by the size of the links.
                let weight: f64 = own.masses.iter().map(|(mass, _)| -mass * gravity).sum();
                let moved = kinetic + 0.3 * weight;
                run.advance(duration).unwrap();
                let change = (energies(&run, count)[1] - start) / moved;
                let doubts = run.doubts();
                let tells = doubts.iter().any(|doubt| doubt.contains("of the energy in play"));
                assert!(
                    change.abs() < KEPT || tells,
                    "{case} {kind} at {speed} rad/s, {engine}: energy × {}, {doubts:?}",
                    1.0 + change
                );
                // In reduced coordinates a loop hardly gains or loses that much: in gravity by what the works of a step are off.
                let most = if gravity == 0.0 { KEPT } else { 2.0 * KEPT };
                let is_reduced = !matches!(engine, "ode-quick" | "ode-world" | "bullet" | "agx");
                assert!(
                    !is_reduced || change.abs() < most,
                    "{case} {kind} at {speed} rad/s, {engine}: × {}",
                    1.0 + change
                );
            }
        }
    }
}

fn pitch(pose: &Pose) -> f64 {
    let x = pose.rotation * DVec3::X;
    (-x.z).atan2(x.x.hypot(x.y) * if x.y == 0.0 { x.x.signum() } else { 1.0 })
}

fn yaw(pose: &Pose) -> f64 {
    let x = pose.rotation * DVec3::X;
    if x.y == 0.0 { 0.0 } else { x.y.atan2(x.x) }
}

/// By the difference of the poses along the way.
fn velocities(own: &Loop, speed: f64) -> serde_json::Value {
    let [behind, ahead] = [-1e-5, 1e-5].map(|angle| (own.poses)(angle));
    let scale = speed / 2e-5;
    let bodies = behind.iter().zip(&ahead).enumerate().map(|(i, (a, b))| {
        let velocity = scale * (b.position - a.position);
        let turn = b.rotation * a.rotation.conjugate();
        let omega = 2.0 * scale * turn.xyz() * turn.w.signum();
        (format!("m::l{i}"), serde_json::json!({"vel": velocity.to_array(), "angvel": omega.to_array()}))
    });
    serde_json::json!({ "bodies": bodies.collect::<serde_json::Map<_, _>>() })
}
