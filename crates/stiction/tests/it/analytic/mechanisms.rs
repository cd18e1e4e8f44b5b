//! Tops, chains and closed mechanisms of `oracle/analytic`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyId, SolverKind, World, WorldParameters};

pub fn shared() -> Option<PathBuf> {
    stiction_testing::shared("oracle/analytic")
}

pub fn meta(folder: &Path, case: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join(case).join("meta.json")).unwrap()).unwrap()
}

fn vector(value: &Value) -> DVec3 {
    let n = |i: usize| value[i].as_f64().unwrap();
    DVec3::new(n(0), n(1), n(2))
}

fn quaternion(value: &Value) -> DQuat {
    let n = |i: usize| value[i].as_f64().unwrap();
    DQuat::from_xyzw(n(1), n(2), n(3), n(0))
}

pub struct Mechanism {
    pub world: World,
    pub bodies: BTreeMap<String, BodyId>,
    springs: Vec<Spring>,
}

pub fn build(meta: &Value, parameters: WorldParameters) -> Mechanism {
    let mut world = World::new(WorldParameters { gravity: vector(&meta["gravity"]), ..parameters });
    let mut bodies = BTreeMap::new();
    for body in meta["bodies"].as_array().unwrap() {
        let name = body["name"].as_str().unwrap();
        let state = &meta["initial_bodies"][name];
        let i = &body["inertia_body_axes"];
        let mass = MassProperties {
            mass: body["mass"].as_f64().unwrap(),
            center_of_mass: DVec3::ZERO,
            inertia: DMat3::from_cols(vector(&i[0]), vector(&i[1]), vector(&i[2])),
        };
        let definition = BodyDefinition {
            pose: Pose::new(vector(&state["pos"]), quaternion(&state["quat_wxyz"])),
            velocity: vector(&state["vel"]),
            omega: vector(&state["angvel"]),
            mass,
            ..BodyDefinition::default()
        };
        bodies.insert(name.to_owned(), world.add_body(&definition).unwrap());
    }
    let mut springs = Vec::new();
    for joint in meta["joints"].as_array().unwrap() {
        if joint["type"] == "spring_damper" {
            let body = bodies[joint["b"].as_str().unwrap()];
            springs.push(Spring {
                body,
                anchor: vector(&joint["pa"]),
                point: world.body(body).unwrap().point_to_body(vector(&joint["pb"])),
                stiffness: joint["k"].as_f64().unwrap(),
                rest: joint["L0"].as_f64().unwrap(),
            });
            continue;
        }
        let kind = match joint["type"].as_str().unwrap() {
            "revolute" => JointKind::Hinge,
            "prismatic" => JointKind::Slider,
            "ball" | "spherical" => JointKind::Ball,
            "universal" => JointKind::Universal,
            other => panic!("{other}"),
        };
        let end = |key: &str| bodies.get(joint[key].as_str().unwrap()).copied();
        let mut definition = JointDefinition::new(kind, end("b"), end("a")).at(vector(&joint["p"]));
        if joint["axis"].is_array() {
            definition = definition.with_axis(0, vector(&joint["axis"]));
        }
        world.add_joint(definition).unwrap();
    }
    Mechanism { world, bodies, springs }
}

fn angle_between(a: DQuat, b: DQuat) -> f64 {
    let d = a.conjugate() * b;
    2.0 * DVec3::new(d.x, d.y, d.z).length().atan2(d.w.abs())
}

/// A spring between a point of the world and a point of a body, as an explicit force.
struct Spring {
    body: BodyId,
    anchor: DVec3,
    point: DVec3,
    stiffness: f64,
    rest: f64,
}

impl Spring {
    fn apply(&self, world: &mut World) {
        let mut body = world.body_mut(self.body).unwrap();
        let point = body.as_ref().point_to_world(self.point);
        let d = point - self.anchor;
        let force = -self.stiffness * (d.length() - self.rest) * d / d.length();
        body.add_force_at(force, point);
    }
}

/// A constant torque on a body.
pub type Torque = (&'static str, DVec3);

/// Largest errors over the samples: position, rotation, angular velocity, velocity.
pub fn errors(folder: &Path, case: &str, parameters: WorldParameters, step: f64, torque: Option<Torque>) -> [f64; 4] {
    let meta = meta(folder, case);
    let Mechanism { mut world, bodies, springs } = build(&meta, parameters);
    let text = std::fs::read_to_string(folder.join(case).join("reference.csv")).unwrap();
    let mut lines = text.lines();
    let header: Vec<_> = lines.next().unwrap().split(',').collect();
    let column = |name: String| header.iter().position(|h| *h == name).unwrap_or_else(|| panic!("{case}: {name}"));
    let mut worst = [0.0f64; 4];
    for line in lines {
        let row: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        while world.time() < row[0] - 0.5 * step {
            if let Some((body, torque)) = torque {
                world.body_mut(bodies[body]).unwrap().add_torque(torque);
            }
            springs.iter().for_each(|spring| spring.apply(&mut world));
            world.step(step);
        }
        for (name, id) in &bodies {
            let n = |what: &str| row[column(format!("{name}.{what}"))];
            let body = world.body(*id).unwrap();
            let q = DQuat::from_xyzw(n("qx"), n("qy"), n("qz"), n("qw"));
            let found = [
                (body.center_of_mass() - DVec3::new(n("px"), n("py"), n("pz"))).length(),
                angle_between(q, body.pose().rotation),
                (body.omega() - DVec3::new(n("wx"), n("wy"), n("wz"))).length(),
                (body.velocity() - DVec3::new(n("vx"), n("vy"), n("vz"))).length(),
            ];
            for (worst, found) in worst.iter_mut().zip(found) {
                *worst = worst.max(found);
            }
        }
    }
    worst
}

/// Case, step \[s\], the yardstick's name, and what drives it.
pub const CASES: [(&str, f64, &str, Option<Torque>); 10] = [
    ("boxes_simple", 1e-3, "semi_implicit_euler_dt0.001", None),
    ("boxes_complex", 1e-3, "semi_implicit_euler_dt0.001", None),
    ("tumbling_149", 1e-3, "semi_implicit_euler_dt0.001", None),
    ("heavy_top_steady", 1e-3, "semi_implicit_euler_dt0.001", None),
    ("heavy_top_cusp", 1e-3, "semi_implicit_euler_dt0.001", None),
    ("double_pendulum", 1e-3, "semi_implicit_euler_dt0.001", None),
    ("spatial_chain3", 1e-3, "semi_implicit_euler_dt0.001", None),
    ("slider_crank", 1e-3, "semi_implicit_euler_dt0.001", None),
    ("bricard_A04", 1e-3, "semi_implicit_euler_dt0.001", None),
    ("andrews_A03", 1e-5, "semi_implicit_euler_dt1e-05", Some(("K1", DVec3::new(0.0, 0.0, 0.033)))),
];

#[test]
fn mechanisms_are_as_good_as_semi_implicit_euler_with_projection() {
    let Some(folder) = shared() else { return };
    let mut failures = Vec::new();
    for (case, step, yardstick, torque) in CASES {
        let parameters = WorldParameters { solver: SolverKind::Direct, cfm: 0.0, ..WorldParameters::default() };
        let found = errors(&folder, case, parameters, step, torque);
        let bars = &meta(&folder, case)["yardstick_max_error_of_textbook_steppers"][yardstick];
        let bars = ["pos", "rot_rad", "w", "v"].map(|k| bars[k].as_f64().unwrap());
        let list = |x: [f64; 4]| x.map(|x| format!("{x:.2e}")).join(" ");
        println!("{case:18} found {}  yardstick {}", list(found), list(bars));
        // A top that has lost its phase (an error of half a turn) has no meaningful angular velocity left to compare.
        let lost_phase = bars[1] > 3.0;
        for (found, bar) in found.iter().zip(bars).take(if lost_phase { 2 } else { 4 }) {
            if *found > 1.2 * bar + 1e-9 {
                failures.push(case);
            }
        }
    }
    failures.dedup();
    assert!(failures.is_empty(), "{failures:?}");
}
