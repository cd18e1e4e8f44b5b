//! Robots from their files to the equations of motion: the reference figures of trees, through loader, world and trees.

use std::fs;
use std::path::Path;

use serde_json::Value;
use stiction::dynamics::tree::{BaseMotion, Factor, Kinematics, Loads, Scratch};
use stiction::integrators::Scheme;
use stiction::math::{DVec3, Pose};
use stiction::world::{ArticulatedModel, Preset, World};
use stiction_formats::simulation::{Simulation, simulate, world_parameters};

use crate::common::{load_file, shared};

const MODELS: [&str; 8] =
    ["pendulum", "double_pendulum", "gantry3", "arm7", "quadruped12", "chain20", "humanoid28", "random_tree40"];

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().unwrap()],
    }
}

/// A robot, its tree, and where the reference's coordinates are in ours.
struct Robot {
    simulation: Simulation,
    model: ArticulatedModel,
    is_floating: bool,
    /// Joints of the reference, in its order.
    joints: Vec<String>,
    /// Our dof for each of the reference's velocities.
    dofs: Vec<usize>,
}

impl Robot {
    /// `None` where several branches start at the fixed base: they are trees of their own.
    fn load(folder: &Path, meta: &Value) -> Option<Self> {
        let description = load_file(&folder.join("model.urdf"), &[]).world.unwrap();
        let mut parameters = world_parameters(&description);
        Preset::DrakeContinuous.apply(&mut parameters);
        parameters.gravity = DVec3::new(0.0, 0.0, -9.81);
        parameters.integrator.scheme = Scheme::RungeKutta5;
        parameters.integrator.accuracy = 1e-11;
        let simulation = simulate(&description, parameters).unwrap();
        let body = simulation.links.iter().find_map(|l| l.body).unwrap();
        let model = simulation.world.articulated_model(body).unwrap();
        let is_floating = meta["floating_base"].as_bool().unwrap();
        let joints: Vec<String> =
            meta["joint_order"].as_array().unwrap().iter().map(|n| n.as_str().unwrap().to_owned()).collect();
        let mut dofs: Vec<usize> = if is_floating { (0..6).collect() } else { Vec::new() };
        for name in &joints {
            let joint = simulation.joints.iter().find(|j| j.name.ends_with(&format!("::{name}"))).unwrap();
            let link = model.joints.iter().position(|j| *j == joint.id)?;
            dofs.push(model.tree.dof_span(link).start);
        }
        Some(Self { simulation, model, is_floating, joints, dofs })
    }

    /// Our positions of the reference's.
    fn positions(&self, q: &Value) -> Vec<f64> {
        let mut ours = self.model.q.clone();
        if self.is_floating {
            ours[..3].copy_from_slice(&numbers(&q["base_position"]));
            ours[3..7].copy_from_slice(&numbers(&q["base_quaternion_wxyz"]));
        }
        let base = usize::from(self.is_floating);
        for (value, dof) in joint_values(q, &self.joints).iter().zip(&self.dofs[6 * base..]) {
            ours[dof + base] = *value;
        }
        ours
    }

    /// Our velocities (or forces, or accelerations) of the reference's.
    fn velocities(&self, v: &Value) -> Vec<f64> {
        let mut ours = vec![0.0; self.dofs.len()];
        numbers(v).iter().zip(&self.dofs).for_each(|(value, dof)| ours[*dof] = *value);
        ours
    }

    /// Our numbers in the reference's order.
    fn ordered(&self, ours: &[f64]) -> Vec<f64> {
        self.dofs.iter().map(|dof| ours[*dof]).collect()
    }

    /// Puts the bodies of the world where positions and velocities have them.
    fn set(&mut self, q: &[f64], v: &[f64]) {
        let mut kin = Kinematics::default();
        self.model.tree.positions(q, &self.model.base_pose, DVec3::ZERO, &mut kin);
        self.model.tree.velocities(v, &BaseMotion::default(), &mut kin);
        for (link, id) in self.model.bodies.iter().enumerate() {
            let mut body = self.simulation.world.body_mut(*id).unwrap();
            body.set_pose(&kin.poses()[link]).unwrap();
            let twist = kin.twists()[link];
            let center = body.as_ref().center_of_mass();
            body.set_omega(twist.angular()).unwrap();
            body.set_velocity(twist.point(center)).unwrap();
        }
        self.simulation.world.refresh_joint_positions();
    }
}

/// Values by the joints' names, or in their order.
fn joint_values(q: &Value, names: &[String]) -> Vec<f64> {
    match &q["joints"] {
        Value::Object(map) => names.iter().map(|n| map[n].as_f64().unwrap()).collect(),
        list => numbers(list),
    }
}

#[track_caller]
fn near(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(0.0f64, |s, x| s.max(x.abs()));
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance * scale, "{what}: {a} against {b}");
    }
}

#[test]
fn equations_of_motion_of_loaded_robots_are_the_references() {
    let Some(shared) = shared() else { return };
    let mut compared = 0;
    for name in MODELS {
        let folder = shared.join("oracle/trees").join(name);
        let cases = read(&folder.join("cases.json"));
        let Some(robot) = Robot::load(&folder, &cases["meta"]) else {
            println!("{name}: several trees on one base");
            continue;
        };
        compared += 1;
        let tree = &robot.model.tree;
        let n = tree.dof_count();
        for case in cases["cases"].as_array().unwrap() {
            let (q, v) = (robot.positions(&case["q"]), robot.velocities(&case["v"]));
            let mut kin = Kinematics::default();
            tree.positions(&q, &Pose::IDENTITY, DVec3::ZERO, &mut kin);
            tree.velocities(&v, &BaseMotion::default(), &mut kin);
            let results = &case["results"];
            let mut mass = vec![0.0; n * n];
            tree.mass_matrix(&kin, &mut mass, &mut Vec::new());
            let entry = |i: usize| robot.dofs.iter().map(|j| mass[i * n + j]).collect::<Vec<_>>();
            let ordered: Vec<f64> = robot.dofs.iter().flat_map(|i| entry(*i)).collect();
            near(&format!("{name} mass"), &ordered, &numbers(&results["mass_matrix"]), 1e-9);
            let (loads, mut scratch) = (Loads::gravity(DVec3::new(0.0, 0.0, -9.81)), Scratch::default());
            let mut bias = vec![0.0; n];
            tree.inverse_dynamics(&kin, &loads, &vec![0.0; n], &mut bias, &mut scratch);
            near(&format!("{name} bias"), &robot.ordered(&bias), &numbers(&results["bias"]), 1e-9);
            let mut factor = Factor::default();
            tree.factor(&kin, &[], &mut factor).unwrap();
            let mut a = robot.velocities(&case["tau"]);
            tree.accelerations(&kin, &factor, &loads, &mut a, &mut scratch);
            near(&format!("{name} qdd"), &robot.ordered(&a), &numbers(&results["qdd_no_external"]), 1e-9);
        }
    }
    assert!(compared >= 7, "{compared} models");
}

/// Two seconds of free motion of the whole world, in continuous time.
#[test]
fn loaded_robots_move_as_the_references() {
    let Some(shared) = shared() else { return };
    for name in ["double_pendulum", "quadruped12", "arm7", "chain20"] {
        let folder = shared.join("oracle/trees").join(name);
        let reference = read(&folder.join("trajectory.json"));
        let mut robot = Robot::load(&folder, &read(&folder.join("cases.json"))["meta"]).unwrap();
        let samples = reference["samples"].as_array().unwrap();
        let (q, v) = (robot.positions(&samples[0]["q"]), robot.velocities(&samples[0]["v"]));
        robot.set(&q, &v);
        let mut worst = 0.0f64;
        for sample in &samples[1..] {
            robot.simulation.world.step(0.05);
            let now = state(&robot.simulation.world, &robot.model);
            let (q, v) = (robot.positions(&sample["q"]), robot.velocities(&sample["v"]));
            let scale = |x: &[f64]| x.iter().fold(1.0f64, |s, x| s.max(x.abs()));
            // Of two quaternions with opposite signs either is right.
            let sign = if robot.is_floating && now.0[3..7].iter().zip(&q[3..7]).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
                -1.0
            } else {
                1.0
            };
            for (i, (a, b)) in now.0.iter().zip(&q).enumerate() {
                let a = if robot.is_floating && (3..7).contains(&i) { sign * a } else { *a };
                // Angles are read to the turn nearest to zero here.
                let turns = ((a - b) / std::f64::consts::TAU).round() * std::f64::consts::TAU;
                let off = if robot.is_floating && i < 7 { a - b } else { (a - b) - turns };
                worst = worst.max(off.abs() / scale(&q));
            }
            let off = now.1.iter().zip(&v).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            worst = worst.max(off / scale(&v));
        }
        println!("{name}: off by {worst:.1e} of the largest");
        assert!(worst < 1e-6, "{name}: {worst:e}");
    }
}

fn state(world: &World, model: &ArticulatedModel) -> (Vec<f64>, Vec<f64>) {
    let now = world.articulated_model(model.bodies[0]).unwrap();
    (now.q, now.v)
}
