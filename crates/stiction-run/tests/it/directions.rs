//! What `stiction explain mu` says of the directions of friction without `fdir1`: a box with mu 0.5 and mu2 0.1 on level ground is
//! pushed along x and along y, with a force between the two bounds.

#![allow(clippy::unwrap_used)]

use stiction_formats::usage;
use stiction_run::{ForceRequest, FrictionDirections, Quantity, Setup, find_parameter};

const BOX: &str = "<sdf version='1.11'><world name='w'>
<physics type='ode'><max_step_size>0.001</max_step_size></physics>
<model name='ground'><static>true</static><link name='link'><collision name='c'><geometry><plane/></geometry>
<surface><friction><ode><mu>MU</mu><mu2>MU2</mu2></ode></friction></surface></collision></link></model>
<model name='box'><pose>0 0 0.05 0 0 YAW</pose><link name='link'>
<inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.02</izz></inertia></inertial>
<collision name='c'><geometry><box><size>0.3 0.3 0.1</size></box></geometry>
<surface><friction><ode><mu>MU</mu><mu2>MU2</mu2></ode></friction></surface></collision></link></model></world></sdf>";

/// Way of the box in a second along the force \[m\].
fn way(engine: &str, yaw: f64, [mu, mu2]: [f64; 2], force: [f64; 2]) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("box.world");
    let text = BOX.replace("YAW", &yaw.to_string()).replace("MU2", &mu2.to_string()).replace("MU", &mu.to_string());
    std::fs::write(&path, text).unwrap();
    let mut setup = Setup::new(&path).engine(engine);
    setup.forces.push(ForceRequest::parse(&format!("box::link={},{},0", force[0], force[1])).unwrap());
    let mut run = setup.start().unwrap();
    run.advance(1.0).unwrap();
    let end = run.link(Quantity::Position, "box::link").unwrap();
    (end.x * force[0] + end.y * force[1]) / force[0].hypot(force[1])
}

/// Between 0.1 m g and 0.5 m g \[N\].
const PUSH: f64 = 3.0;
/// After 1 s with the friction 0.1: (3 − 0.98)/2.
const FREE: f64 = 1.01;

#[test]
fn mu_and_mu2_act_along_the_directions_that_explain_names() {
    for directions in FrictionDirections::ALL {
        // In continuous time a box on its single contact point takes very short steps.
        for engine in directions.engines.iter().filter(|engine| **engine != "drake-continuous") {
            for yaw in [0.0, 0.6] {
                let [x, y] = [[PUSH, 0.0], [0.0, PUSH]].map(|force| way(engine, yaw, [0.5, 0.1], force));
                let slides = |way: f64| (way - FREE).abs() < 0.02;
                let (expected, holds): ([bool; 2], f64) = match directions.level.split(' ').next().unwrap() {
                    "mu" if directions.level.contains("along the world's y axis") => ([true, false], 1e-3),
                    "mu" if directions.level.contains("mu along y") => ([true, false], 1e-3),
                    "mu" => ([false, true], 1e-3),
                    _ => ([false, false], 0.01),
                };
                for (way, expected) in [x, y].into_iter().zip(expected) {
                    assert!(if expected { slides(way) } else { way.abs() < holds }, "{engine}, {yaw}: {x} {y}");
                }
            }
        }
    }
}

/// Pushed along a diagonal, a pyramid holds up to mu along each axis; a cone less.
#[test]
fn equal_coefficients_are_a_cone_under_bullet_and_a_pyramid_under_ode() {
    // 0.6 m g on a diagonal is 0.424 m g on each axis: within a pyramid of 0.5, beyond a cone.
    let force = 0.6 * 9.8 / 2f64.sqrt();
    let diagonal = |engine: &str| way(engine, 0.0, [0.5, 0.5], [force, force]);
    for engine in ["ode-quick", "ode-world", "dart"] {
        assert!(diagonal(engine) < 1e-3, "{engine}: {}", diagonal(engine));
    }
    for engine in ["stiction", "bullet", "bullet-featherstone", "drake-discrete", "simbody"] {
        assert!(diagonal(engine) > 0.4, "{engine}: {}", diagonal(engine));
    }
}

#[test]
fn every_engine_has_its_directions_on_the_pages_of_friction_alone() {
    let mut engines: Vec<&str> = FrictionDirections::ALL.iter().flat_map(|d| d.engines).copied().collect();
    let mut all: Vec<&str> = usage::engines().collect();
    engines.sort_unstable();
    all.sort_unstable();
    assert_eq!(engines, all);
    for name in ["mu", "mu2", "fdir1", "slip1"] {
        assert_eq!(find_parameter(name).unwrap().directions.len(), FrictionDirections::ALL.len(), "{name}");
    }
    assert!(find_parameter("kp").unwrap().directions.is_empty());
}
