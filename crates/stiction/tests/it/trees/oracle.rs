//! Reference figures of eight models: every algebraic quantity to 1e-9 of its largest entry, trajectories to 1e-6.

use std::fs;
use std::path::{Path, PathBuf};

use glam::{DQuat, DVec3};
use serde_json::Value;
use stiction::dynamics::tree::{BaseMotion, Factor, ForceVector, Kinematics, Loads, Scratch};
use stiction::math::Pose;

use crate::trees::runge_kutta::{Integrator, TreeState};
use crate::trees::urdf::Model;

const MODELS: [&str; 8] =
    ["pendulum", "double_pendulum", "gantry3", "arm7", "quadruped12", "chain20", "humanoid28", "random_tree40"];
const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

fn folder() -> Option<PathBuf> {
    stiction_testing::shared("oracle/trees")
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("a readable file")).expect("JSON")
}

/// All numbers below a value, in order.
fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(n) => vec![n.as_f64().expect("a number")],
        Value::Array(parts) => parts.iter().flat_map(flat).collect(),
        Value::Null => panic!("no such figure"),
        other => panic!("{other}"),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}

fn vector(value: &Value) -> DVec3 {
    DVec3::from_slice(&flat(value))
}

struct Reference {
    model: Model,
    /// Place in our `v` of each entry of theirs, and in `q` of each joint.
    dofs: Vec<usize>,
    positions: Vec<usize>,
    is_floating: bool,
}

impl Reference {
    fn new(folder: &Path, meta: &Value) -> Self {
        let is_floating = meta["floating_base"] == Value::Bool(true);
        let model = Model::read(&folder.join("model.urdf"), is_floating);
        let mut dofs: Vec<usize> = if is_floating { (0..6).collect() } else { Vec::new() };
        let mut positions = Vec::new();
        for name in list(&meta["joint_order"]) {
            let link = model.joint(text(name));
            dofs.extend(model.tree.dof_span(link));
            positions.extend(model.tree.position_span(link));
        }
        assert_eq!(dofs.len(), model.tree.dof_count());
        Self { model, dofs, positions, is_floating }
    }

    fn q(&self, value: &Value) -> Vec<f64> {
        let mut q = vec![0.0; self.model.tree.position_count()];
        if self.is_floating {
            q[..3].copy_from_slice(&flat(&value["base_position"]));
            q[3..7].copy_from_slice(&flat(&value["base_quaternion_wxyz"]));
        }
        for (place, x) in self.positions.iter().zip(flat(&value["joints"])) {
            q[*place] = x;
        }
        self.model.tree.normalize_positions(&mut q);
        q
    }

    /// From their order of velocities to ours, and back.
    fn ours(&self, value: &Value) -> Vec<f64> {
        let mut own = vec![0.0; self.dofs.len()];
        for (place, x) in self.dofs.iter().zip(flat(value)) {
            own[*place] = x;
        }
        own
    }

    fn theirs(&self, own: &[f64]) -> Vec<f64> {
        self.dofs.iter().map(|&k| own[k]).collect()
    }

    fn columns(&self, rows: &[f64]) -> Vec<f64> {
        rows.chunks(self.dofs.len()).flat_map(|row| self.theirs(row)).collect()
    }
}

/// Collects what is farther from a reference than it may be.
struct Judge {
    place: String,
    worst: (f64, String),
    failures: Vec<String>,
}

impl Judge {
    fn check(&mut self, quantity: &str, own: &[f64], reference: &[f64]) {
        assert_eq!(own.len(), reference.len(), "{quantity}");
        let scale = reference.iter().fold(0.0f64, |s, x| s.max(x.abs()));
        let difference = own.iter().zip(reference).fold(0.0f64, |d, (a, b)| d.max((a - b).abs()));
        if difference > 1e-9 * scale || own.iter().any(|x| !x.is_finite()) {
            self.failures.push(format!("{} {quantity}: {difference:e} of {scale:e}", self.place));
        }
        if difference > self.worst.0 * scale {
            self.worst = (difference / scale, format!("{} {quantity}", self.place));
        }
    }

    fn vectors(&mut self, quantity: &str, own: &[DVec3], reference: &[f64]) {
        let own: Vec<f64> = own.iter().flat_map(DVec3::to_array).collect();
        self.check(quantity, &own, reference);
    }
}

#[test]
fn every_algebraic_figure_is_the_reference() {
    let Some(folder) = folder() else { return };
    let mut failures = Vec::new();
    for name in MODELS {
        let cases = json(&folder.join(name).join("cases.json"));
        let reference = Reference::new(&folder.join(name), &cases["meta"]);
        let mut judge = Judge { place: name.into(), worst: (0.0, String::new()), failures: Vec::new() };
        for (index, case) in list(&cases["cases"]).iter().enumerate() {
            judge.place = format!("{name} {index}");
            check_case(&reference, &cases["meta"], case, &mut judge);
        }
        println!("{name}: worst {:.1e} at {}", judge.worst.0, judge.worst.1);
        failures.extend(judge.failures);
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

fn check_case(reference: &Reference, meta: &Value, case: &Value, judge: &mut Judge) {
    let (model, results) = (&reference.model, &case["results"]);
    let tree = &model.tree;
    let (q, v) = (reference.q(&case["q"]), reference.ours(&case["v"]));
    let (tau, desired) = (reference.ours(&case["tau"]), reference.ours(&case["qdd_desired"]));
    let n = tree.dof_count();
    let origin = DVec3::new(0.3, -0.2, 0.4);
    let mut kin = Kinematics::default();
    tree.positions(&q, &Pose::IDENTITY, origin, &mut kin);
    tree.velocities(&v, &BaseMotion::default(), &mut kin);
    let (mut factor, mut scratch) = (Factor::default(), Scratch::default());
    tree.factor(&kin, &[], &mut factor).expect("a tree with inertia");

    let mut wrenches = vec![ForceVector::ZERO; tree.link_count()];
    for wrench in list(&case["external_wrenches"]) {
        let link = model.link(text(&wrench["link"]));
        let center = kin.poses()[link].point(model.links[link].1);
        wrenches[link] += ForceVector::at(center - origin, vector(&wrench["torque"]), vector(&wrench["force"]));
    }
    let weight = Loads::gravity(GRAVITY);
    let loaded = Loads { wrenches: &wrenches, ..weight };

    let mut check = |key: &str, own: &[f64]| judge.check(key, own, &flat(&results[key]));

    let mut matrix = vec![0.0; n * n];
    tree.mass_matrix(&kin, &mut matrix, &mut Vec::new());
    let rows: Vec<f64> = reference.dofs.iter().flat_map(|&k| reference.theirs(&matrix[k * n..(k + 1) * n])).collect();
    check("mass_matrix", &rows);

    // Inverse dynamics: bias, gravity, external force, desired acceleration.
    let inverse = |kin: &Kinematics, loads: &Loads, a: &[f64], scratch: &mut Scratch| {
        let mut out = vec![0.0; n];
        tree.inverse_dynamics(kin, loads, a, &mut out, scratch);
        reference.theirs(&out)
    };
    let zero = vec![0.0; n];
    let bias = inverse(&kin, &weight, &zero, &mut scratch);
    check("bias", &bias);
    let mut still = kin.clone();
    tree.velocities(&zero, &BaseMotion::default(), &mut still);
    check("gravity_force", &inverse(&still, &weight, &zero, &mut scratch));
    let only = Loads { wrenches: &wrenches, ..Loads::default() };
    let external: Vec<f64> = inverse(&still, &only, &zero, &mut scratch).iter().map(|x| -x).collect();
    check("external_force", &external);
    check("inverse_dynamics", &inverse(&kin, &loaded, &desired, &mut scratch));
    check("inverse_dynamics_no_external", &inverse(&kin, &weight, &desired, &mut scratch));

    // Forward dynamics.
    let mut qdd = tau.clone();
    tree.accelerations(&kin, &factor, &loaded, &mut qdd, &mut scratch);
    check("qdd", &reference.theirs(&qdd));
    let mut alone = tau.clone();
    tree.accelerations(&kin, &factor, &weight, &mut alone, &mut scratch);
    check("qdd_no_external", &reference.theirs(&alone));

    // Sums.
    let momentum = kin.momentum();
    check("kinetic_energy", &[kin.kinetic_energy()]);
    check("potential_energy", &[tree.potential_energy(&kin, &weight)]);
    check("total_mass", &[momentum.mass]);
    check("com", &momentum.center_of_mass.to_array());
    check("com_velocity", &momentum.center_of_mass_velocity.to_array());
    check("linear_momentum", &momentum.linear.to_array());
    check("angular_momentum_origin", &momentum.angular_about_world.to_array());
    check("angular_momentum_com", &momentum.angular_about_center.to_array());

    check_links(reference, &kin, results, judge);
    check_points(reference, meta, &kin, &qdd, results, judge);

    let link = model.joint(text(&meta["reaction_joint"]));
    let mut reactions = vec![ForceVector::ZERO; tree.link_count()];
    tree.reactions(&kin, &loaded, &qdd, &mut reactions, &mut scratch);
    let at = kin.offset(kin.poses()[link].position);
    judge.vectors("reaction force", &[reactions[link].linear()], &flat(&results["reaction"]["force"]));
    judge.vectors("reaction torque", &[reactions[link].moment_about(at)], &flat(&results["reaction"]["torque"]));

    // Armature on the diagonal of M, damping as a force.
    let (armature, damping) = (reference.ours(&meta["armature"]), reference.ours(&meta["damping"]));
    tree.factor(&kin, &armature, &mut factor).expect("a tree with inertia");
    let mut damped: Vec<f64> = (0..n).map(|k| tau[k] - damping[k] * v[k]).collect();
    tree.accelerations(&kin, &factor, &loaded, &mut damped, &mut scratch);
    let stored = &results["armature_damping"];
    judge.check("damped qdd", &reference.theirs(&damped), &flat(&stored["qdd"]));
    let mut needed = vec![0.0; n];
    tree.inverse_dynamics(&kin, &loaded, &desired, &mut needed, &mut scratch);
    let needed: Vec<f64> = (0..n).map(|k| needed[k] + armature[k] * desired[k] + damping[k] * v[k]).collect();
    judge.check("damped inverse dynamics", &reference.theirs(&needed), &flat(&stored["inverse_dynamics"]));
}

fn check_links(reference: &Reference, kin: &Kinematics, results: &Value, judge: &mut Judge) {
    let links = results["links"].as_object().expect("links");
    assert_eq!(links.len(), reference.model.links.len());
    let mut own: [Vec<f64>; 4] = Default::default();
    let mut stored: [Vec<f64>; 4] = Default::default();
    for (name, link) in links {
        let index = reference.model.link(name);
        let pose = kin.poses()[index];
        let (velocity, omega) = kin.point_velocity(index, pose.position);
        let q = flat(&link["quaternion_wxyz"]);
        let theirs = DQuat::from_xyzw(q[1], q[2], q[3], q[0]);
        let quaternion = pose.rotation * pose.rotation.dot(theirs).signum();
        own[0].extend(pose.position.to_array());
        own[1].extend([quaternion.w, quaternion.x, quaternion.y, quaternion.z]);
        own[2].extend(velocity.to_array());
        own[3].extend(omega.to_array());
        let keys = ["position", "quaternion_wxyz", "linear_velocity", "angular_velocity"];
        for (stored, key) in stored.iter_mut().zip(keys) {
            stored.extend(flat(&link[key]));
        }
    }
    for (index, quantity) in ["link positions", "rotations", "velocities", "angular velocities"].iter().enumerate() {
        judge.check(quantity, &own[index], &stored[index]);
    }
}

fn check_points(r: &Reference, meta: &Value, kin: &Kinematics, qdd: &[f64], results: &Value, judge: &mut Judge) {
    let tree = &r.model.tree;
    let mut scratch = Scratch::default();
    for (place, stored) in list(&meta["points"]).iter().zip(list(&results["points"])) {
        let link = r.model.link(text(&place["link"]));
        let point = kin.poses()[link].point(vector(&place["offset"]));
        judge.vectors("point position", &[point], &flat(&stored["position"]));
        let (velocity, omega) = kin.point_velocity(link, point);
        judge.vectors("point velocity", &[velocity, omega], &flat(&stored["velocity"]));
        let mut jacobian = vec![0.0; 6 * tree.dof_count()];
        tree.jacobian(kin, link, point, &mut jacobian);
        judge.check("point jacobian", &r.columns(&jacobian), &flat(&stored["jacobian"]));
        let (a, alpha) = tree.point_acceleration(kin, link, point, qdd, &mut scratch);
        judge.vectors("point acceleration", &[a, alpha], &flat(&stored["acceleration"]));
    }
}

#[test]
fn free_motions_follow_the_reference() {
    let Some(folder) = folder() else { return };
    // Steps an interval of 0.05 s: as many as convergence to the tolerance takes.
    for (name, steps) in [("double_pendulum", 25), ("arm7", 100), ("quadruped12", 25), ("chain20", 400)] {
        let cases = json(&folder.join(name).join("cases.json"));
        let reference = Reference::new(&folder.join(name), &cases["meta"]);
        let trajectory = json(&folder.join(name).join("trajectory.json"));
        let samples = list(&trajectory["samples"]);
        let mut motion = TreeState { q: reference.q(&samples[0]["q"]), v: reference.ours(&samples[0]["v"]) };
        let mut integrator = Integrator::new(&reference.model.tree, GRAVITY);
        let h = trajectory["meta"]["interval"].as_f64().expect("an interval") / f64::from(steps);
        let mut worst = 0.0f64;
        for sample in &samples[1..] {
            for _ in 0..steps {
                integrator.step(&mut motion, h);
            }
            let (mut q, v) = (reference.q(&sample["q"]), reference.ours(&sample["v"]));
            if reference.is_floating {
                let agreement: f64 = (3..7).map(|i| q[i] * motion.q[i]).sum();
                q[3..7].iter_mut().for_each(|x| *x *= agreement.signum());
            }
            for (own, stored) in [(&motion.q, &q), (&motion.v, &v)] {
                let scale = stored.iter().fold(1.0f64, |s, x| s.max(x.abs()));
                let difference = own.iter().zip(stored).fold(0.0f64, |d, (a, b)| d.max((a - b).abs()));
                worst = worst.max(difference / scale);
            }
            integrator.place(&motion);
            let potential = reference.model.tree.potential_energy(&integrator.kin, &Loads::gravity(GRAVITY));
            let energy = integrator.kin.kinetic_energy() + potential;
            let stored = flat(&sample["kinetic_energy"])[0] + flat(&sample["potential_energy"])[0];
            assert!((energy - stored).abs() < 1e-6 * stored.abs().max(1.0), "{name}: {energy} {stored}");
        }
        println!("{name}: {worst:.1e}");
        assert!(worst < 1e-6, "{name}: {worst:e}");
    }
}
