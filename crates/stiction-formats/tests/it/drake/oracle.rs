//! Trajectories of Drake's two plants, within the tolerances that come with them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use stiction::math::{DQuat, DVec3, Pose};
use stiction::world::{BodyId, ContactReport, Preset, SolverKind, World, WorldParameters};
use stiction_formats::simulation::Simulation;
use stiction_run::Setup;

use crate::common::shared;

/// Rows of a CSV by column.
type Sample = BTreeMap<String, f64>;

fn rows(path: &Path) -> Vec<Sample> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let head: Vec<_> = lines.next().unwrap().split(',').map(str::to_owned).collect();
    lines.map(|line| head.iter().cloned().zip(line.split(',').map(|x| x.parse().unwrap())).collect()).collect()
}

fn vector(row: &Sample, body: &str, names: [&str; 3]) -> DVec3 {
    DVec3::from_array(names.map(|n| row[&format!("{body}.{n}")]))
}

fn rotation(row: &Sample, body: &str) -> DQuat {
    let [w, x, y, z] = ["qw", "qx", "qy", "qz"].map(|n| row[&format!("{body}.{n}")]);
    DQuat::from_xyzw(x, y, z, w).normalize()
}

/// A scenario under one of our presets, at the state of the first row.
struct Scenario {
    simulation: Simulation,
    bodies: Vec<(String, BodyId)>,
    rows: Vec<Sample>,
    meta: Value,
}

fn set_state(world: &mut World, id: BodyId, row: &Sample, name: &str) {
    let mut body = world.body_mut(id).unwrap();
    let pose = Pose::new(vector(row, name, ["px", "py", "pz"]), rotation(row, name));
    let (v, w) = (vector(row, name, ["vx", "vy", "vz"]), vector(row, name, ["wx", "wy", "wz"]));
    body.set_pose(&pose).unwrap();
    let arm = body.as_ref().center_of_mass() - pose.position;
    body.set_omega(w).unwrap();
    body.set_velocity(v + w.cross(arm)).unwrap();
}

impl Scenario {
    fn load(folder: &Path, preset: Preset, csv: &str, change: impl FnOnce(&mut WorldParameters)) -> Self {
        let meta: Value = serde_json::from_str(&fs::read_to_string(folder.join("meta.json")).unwrap()).unwrap();
        let mut setup = Setup::new(folder.join(meta["models"][0].as_str().unwrap())).engine(preset.name());
        // What Drake has where a file gives none.
        if !setup.clone().load().unwrap().description().unwrap().gravity.is_given() {
            setup = setup.set("gravity", "0 0 -9.81");
        }
        setup.no_ground = true;
        setup = setup.set("contact.stiction_tolerance", &meta["stiction_tolerance"]);
        if meta["penetration_allowance"].is_number() {
            setup = setup.set("contact.penetration_allowance", &meta["penetration_allowance"]);
        }
        let mut simulation = setup.load().unwrap().start_with(change).unwrap().into_simulation();
        let rows = rows(&folder.join(csv));
        let bodies: Vec<_> = meta["bodies"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| {
                let name = name.as_str().unwrap();
                let link = simulation.links.iter().find(|l| l.name.ends_with(&format!("::{name}"))).unwrap();
                (name.to_owned(), link.body.unwrap())
            })
            .collect();
        for (name, id) in &bodies {
            set_state(&mut simulation.world, *id, &rows[0], name);
        }
        simulation.world.refresh_joint_positions();
        Self { simulation, bodies, rows, meta }
    }

    /// Largest differences to the reference at its rows: position, rotation, velocity, angular velocity.
    fn errors(&mut self, step: f64) -> [f64; 4] {
        let mut worst = [0.0f64; 4];
        for row in &self.rows {
            while self.simulation.world.time() < row["t"] - 0.5 * step {
                let report = self.simulation.world.step(step);
                assert_eq!((report.gave_up, report.quarantined.len()), (0, 0));
            }
            for (name, id) in &self.bodies {
                let body = self.simulation.world.body(*id).unwrap();
                let pose = body.pose();
                let turn = pose.rotation * rotation(row, name).conjugate();
                let largest = |v: DVec3| v.abs().max_element();
                let found = [
                    largest(pose.position - vector(row, name, ["px", "py", "pz"])),
                    2.0 * turn.xyz().length().min(1.0).asin(),
                    largest(body.origin_velocity() - vector(row, name, ["vx", "vy", "vz"])),
                    largest(body.omega() - vector(row, name, ["wx", "wy", "wz"])),
                ];
                (0..4).for_each(|k| worst[k] = worst[k].max(found[k]));
            }
        }
        worst
    }

    fn tolerance(&self, key: &str) -> [f64; 4] {
        ["pos", "rot_rad", "vel", "angvel"].map(|k| self.meta[key][k].as_f64().unwrap())
    }
}

fn each(mut check: impl FnMut(&str, &Path)) {
    let Some(shared) = shared() else { return };
    let mut folders: Vec<_> =
        fs::read_dir(shared.join("oracle/drake")).unwrap().flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
    folders.sort();
    assert_eq!(folders.len(), 9);
    for folder in folders {
        check(&folder.file_name().unwrap().to_string_lossy(), &folder);
    }
}

fn compare(test: &str, name: &str, found: [f64; 4], tolerance: [f64; 4]) {
    let parts: Vec<_> = found.iter().zip(tolerance).map(|(f, t)| f / t).collect();
    let shown: Vec<_> = parts.iter().map(|p| format!("{p:.1e}")).collect();
    println!("{test} {name:24} error over tolerance: {}", shown.join(" "));
    assert!(parts.iter().all(|p| *p <= 1.0), "{name}: {found:?} beyond {tolerance:?}");
}

#[test]
fn the_discrete_plant() {
    each(|name, folder| {
        let mut scenario = Scenario::load(folder, Preset::DrakeDiscrete, "tamsi_1ms.csv", |_| {});
        let found = scenario.errors(1e-3);
        compare("discrete", name, found, scenario.tolerance("tolerance_tamsi_same_dt"));
    });
}

#[test]
fn the_continuous_plant() {
    each(|name, folder| {
        let mut scenario = Scenario::load(folder, Preset::DrakeContinuous, "continuous.csv", |p| {
            // The default accuracy, under which the tolerances were made.
            p.integrator.max_step = 1e-3;
        });
        let found = scenario.errors(1e-3);
        compare("continuous", name, found, scenario.tolerance("tolerance_continuous"));
    });
}

/// The convex solver is Drake's *lagged* model: its reference is that, to the tolerance of the same scheme.
#[test]
fn the_convex_solver() {
    each(|name, folder| {
        let mut scenario = Scenario::load(folder, Preset::DrakeDiscrete, "lagged_1ms.csv", |p| {
            p.solver = SolverKind::Convex;
        });
        let found = scenario.errors(1e-3);
        compare("convex", name, found, scenario.tolerance("tolerance_tamsi_same_dt"));
    });
}

/// Sum of the normal forces, of the friction forces, and the deepest penetration, at the start of the step.
fn contact_sums(contacts: &[ContactReport]) -> [f64; 3] {
    let mut sums = [0.0f64; 3];
    for c in contacts {
        let normal = c.force.dot(c.normal);
        sums[0] += normal.abs();
        sums[1] += (c.force - c.normal * normal).length();
        sums[2] = sums[2].max(c.depth);
    }
    sums
}

#[test]
fn contact_forces_are_drakes_in_the_discrete_plant() {
    each(|name, folder| {
        let mut scenario = Scenario::load(folder, Preset::DrakeDiscrete, "tamsi_1ms.csv", |_| {});
        for row in scenario.rows.clone().iter().skip(1) {
            while scenario.simulation.world.time() < row["t"] - 5e-4 {
                scenario.simulation.world.step(1e-3);
            }
            let found = contact_sums(scenario.simulation.world.contact_reports());
            let expected = ["fn_sum", "ft_sum", "max_depth"].map(|k| row[k]);
            for k in 0..3 {
                let scale = expected[0].abs().max(1.0) * if k == 2 { 1e-3 } else { 1.0 };
                assert!((found[k] - expected[k]).abs() < 1e-6 * scale, "{name} t {}: {found:?} {expected:?}", row["t"]);
            }
        }
    });
}
