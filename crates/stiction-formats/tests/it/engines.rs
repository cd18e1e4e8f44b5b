//! The styles `bullet`, `dart` and `simbody` beside the engines themselves: a sliding block, a bouncing ball, a pendulum, a stack of
//! five and a rolling sphere, after 1 s.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::load_good;
use stiction::math::DVec3;
use stiction::world::Preset;
use stiction_formats::simulation::{engine_parameters, simulate};
use stiction_testing::{Missing, skip};

/// Where an engine stands, and how a program with it is built.
struct Peer {
    name: &'static str,
    header: &'static str,
    arguments: &'static [&'static str],
    libraries: &'static [&'static str],
}

const PEERS: [Peer; 3] = [
    Peer {
        name: "bullet",
        header: "/usr/include/bullet/btBulletDynamicsCommon.h",
        arguments: &["-DBT_USE_DOUBLE_PRECISION", "-I/usr/include/bullet"],
        libraries: &["-lBulletDynamics-float64", "-lBulletCollision-float64", "-lLinearMath-float64"],
    },
    Peer {
        name: "dart",
        header: "/usr/include/dart/simulation/World.hpp",
        arguments: &["-I/usr/include/eigen3"],
        libraries: &["-ldart"],
    },
    Peer {
        name: "simbody",
        header: "/usr/include/simbody/Simbody.h",
        arguments: &["-I/usr/include/simbody"],
        libraries: &["-lSimTKsimbody", "-lSimTKmath", "-lSimTKcommon"],
    },
];

/// What the engine itself finds: a scene and the position of its body, a line each.
fn found_by(peer: &Peer) -> Option<Vec<(String, DVec3)>> {
    if !Path::new(peer.header).exists() {
        skip(Missing::Peer, format_args!("{} is not installed (Debian: lib{}-dev)", peer.name, peer.name));
        return None;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/it/engines/{}.cpp", peer.name));
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("engine_{}", peer.name));
    let mut compiler = Command::new("c++");
    compiler.args(["-O1", "-w"]).args(peer.arguments).arg(&source).arg("-o").arg(&program).args(peer.libraries);
    let Ok(built) = compiler.output() else {
        skip(Missing::Tool, "no C++ compiler");
        return None;
    };
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&program).output().unwrap();
    let line = |line: &str| {
        let mut words = line.split(' ');
        let name = words.next().unwrap().to_owned();
        let [x, y, z]: [f64; 3] = words.map(|w| w.parse().unwrap()).collect::<Vec<_>>().try_into().unwrap();
        (name, DVec3::new(x, y, z))
    };
    Some(String::from_utf8(output.stdout).unwrap().lines().map(line).collect())
}

fn surface(mu: f64, restitution: f64) -> String {
    format!(
        "<surface><friction><ode><mu>{mu}</mu><mu2>{mu}</mu2></ode></friction><bounce><restitution_coefficient>{restitution}\
         </restitution_coefficient></bounce></surface>"
    )
}

fn ground(mu: f64, restitution: f64) -> String {
    let surface = surface(mu, restitution);
    format!(
        "<model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry>{surface}</collision>\
         </link></model>"
    )
}

/// A model of one link, with its shape, mass, inertia and surface.
fn body(name: &str, at: &str, shape: &str, mass: f64, inertia: [f64; 3], velocity: &str, surface: &str) -> String {
    let [xx, yy, zz] = inertia;
    format!(
        "<model name='{name}'><pose>{at}</pose><plugin name='v' filename='libInitialVelocityPlugin.so'><linear>{velocity}</linear>\
         </plugin><link name='l'><inertial><mass>{mass}</mass><inertia><ixx>{xx}</ixx><iyy>{yy}</iyy><izz>{zz}</izz></inertia></inertial>\
         <collision name='c'><geometry>{shape}</geometry>{surface}</collision></link></model>"
    )
}

/// The elements of a scene, and the link asked about.
fn scene(engine: &str, name: &str) -> (String, &'static str) {
    let ball = "<sphere><radius>0.1</radius></sphere>";
    // Simbody has one material for all bodies.
    let mu = |own: f64| if engine == "simbody" { 0.3 } else { own };
    match name {
        "slide" => {
            // Bullet's own sweeps leave 1 % of the friction, and some of it across.
            let (velocity, mu_of_block) = if engine == "bullet" { ("3 0 0", 0.2) } else { ("3 1 0", 0.3) };
            let shape = "<box><size>0.4 0.4 0.2</size></box>";
            let inertia = [0.033_333_3, 0.033_333_3, 0.053_333_3];
            let block = body("b", "0 0 0.1 0 0 0", shape, 2.0, inertia, velocity, &surface(mu_of_block, 0.0));
            (ground(mu(0.5), 0.0) + &block, "b::l")
        }
        "bounce" | "damped_bounce" => {
            let z = match engine {
                "simbody" => 0.6,
                // Where a step ends at the ground, or just inside, which DART wants.
                "dart" => 0.1 - 1e-6 + 9.8e-6 * 451.0 * 452.0 / 2.0,
                _ => 0.1 + 9.8e-6 * 451.0 * 452.0 / 2.0,
            };
            let at = format!("0 0 {z} 0 0 0");
            let own = body("b", &at, ball, 1.0, [0.004; 3], "0 0 0", &surface(mu(0.5), 0.95));
            (ground(mu(0.5), 0.9) + &own, "b::l")
        }
        "pendulum" => {
            let rod =
                body("b", "0.3 0 2 0 0 0", "<empty/>", 1.0, [0.001_666_67, 0.030_833_3, 0.030_833_3], "0 0 0", "");
            let hinge = "<joint name='j' type='revolute'><parent>world</parent><child>l</child><pose>-0.3 0 0 0 0 0</pose><axis>\
                         <xyz>0 1 0</xyz></axis></joint></model>";
            (rod.replace("</model>", hinge), "b::l")
        }
        "stack" => {
            let shape = "<box><size>0.5 0.5 0.5</size></box>";
            let one = |k: i32| {
                let at = format!("0 0 {} 0 0 0", 0.25 + 0.5 * f64::from(k));
                body(&format!("b{k}"), &at, shape, 2.0, [0.083_333_3; 3], "0 0 0", &surface(mu(0.5), 0.0))
            };
            (ground(mu(0.5), 0.0) + &(0..5).map(one).collect::<String>(), "b4::l")
        }
        "roll" => {
            let own = body("b", "0 0 0.1 0 0 0", ball, 1.0, [0.004; 3], "2 0 0", &surface(0.3, 0.0));
            (ground(mu(0.5), 0.0) + &own, "b::l")
        }
        other => panic!("{other}"),
    }
}

/// What `<simbody>` says in a scene.
fn simbody_block(name: &str) -> &'static str {
    match name {
        "bounce" => "<simbody><contact><stiffness>1e7</stiffness><dissipation>0</dissipation></contact></simbody>",
        "damped_bounce" => {
            "<simbody><contact><stiffness>1e7</stiffness><dissipation>0.1</dissipation></contact></simbody>"
        }
        "slide" | "stack" => "<simbody><contact><stiffness>1e6</stiffness></contact></simbody>",
        _ => "",
    }
}

fn ours(engine: &str, name: &str) -> DVec3 {
    let (elements, link) = scene(engine, name);
    let block = if engine == "simbody" { simbody_block(name) } else { "" };
    let text = format!(
        "<sdf version='1.9'><world name='w'><gravity>0 0 -9.8</gravity><physics type='{engine}'>{block}</physics>{elements}</world></sdf>"
    );
    let description = load_good(&text);
    let preset = Preset::from_name(&description.physics.engine.value).unwrap();
    let mut simulation = simulate(&description, engine_parameters(&description, preset)).unwrap();
    for _ in 0..1000 {
        simulation.world.step(1e-3);
    }
    simulation.link_pose(simulation.link(link).unwrap()).position
}

#[test]
fn styles_are_where_their_engines_are_after_a_second() {
    let mut wrong = Vec::new();
    for peer in &PEERS {
        for (name, theirs) in found_by(peer).into_iter().flatten() {
            let ours = ours(peer.name, &name);
            let error = (ours - theirs).length() / theirs.length();
            println!("{:8} {name:14} {ours:.5} and {theirs:.5}: {error:.1e}", peer.name);
            if error.is_nan() || error > 0.01 {
                wrong.push(format!("{} {name}: ours {ours:.5}, theirs {theirs:.5}", peer.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
