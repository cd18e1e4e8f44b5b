//! What the file says of hinges under ODE: rescaled inertias (`use_dynamic_moi_rescaling`), and springs as Gazebo classic has them
//! (`implicit_spring_damper`, `cfm_damping`).
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;

use common::load_good;
use stiction::math::DVec3;
use stiction::world::{HybridRule, Preset, WorldParameters};
use stiction_formats::simulation::{Simulation, engine_parameters, make_classic, simulate, world_parameters};

/// A pendulum of two rods of aluminium, the lower five times as large in every direction, pushed aside by gravity of 0.1 m/s²
/// along its hinges (the scene of Gazebo's `InertiaRatioPendulum`).
fn unequal_rods(rescaling: bool) -> String {
    let rod = |size: f64| {
        let (length, width, mass) = (size, 0.1 * size, 2700.0 * 0.01 * size * size * size);
        let (across, along) = (mass / 12.0 * (length * length + width * width), mass / 6.0 * width * width);
        format!(
            "<inertial><mass>{mass}</mass><inertia><ixx>{across}</ixx><iyy>{across}</iyy><izz>{along}</izz></inertia></inertial>"
        )
    };
    let half = 0.25 * std::f64::consts::FRAC_1_SQRT_2;
    format!(
        "<sdf version='1.9'><world name='w'><gravity>0.1 0 -9.81</gravity><physics type='ode'><ode><solver><iters>250</iters>\
         <sor>1.4</sor><use_dynamic_moi_rescaling>{rescaling}</use_dynamic_moi_rescaling></solver>\
         <constraints><contact_max_correcting_vel>0</contact_max_correcting_vel></constraints></ode></physics>\
         <model name='m'><pose>0 0 0.9 0.7853981633974483 0 0</pose><link name='upper'><pose>0 0 -0.05 0 0 0</pose>{}</link>\
         <link name='lower'><pose>0 {half} {} 0.7853981633974483 0 0</pose>{}</link>\
         <joint name='a' type='revolute'><pose>0 0 0.05 0 0 0</pose><parent>world</parent><child>upper</child><axis><xyz>1 0 0</xyz></axis>\
         </joint><joint name='b' type='revolute'><pose>0 0 0.25 0 0 0</pose><parent>upper</parent><child>lower</child>\
         <axis><xyz>1 0 0</xyz></axis></joint></model></world></sdf>",
        rod(0.1),
        -0.1 - half,
        rod(0.5)
    )
}

/// Largest angles about y and z of both links over 3000 steps.
fn out_of_plane(text: &str, change: impl Fn(&mut WorldParameters)) -> f64 {
    let description = load_good(text);
    let mut parameters = world_parameters(&description);
    change(&mut parameters);
    let mut simulation = simulate(&description, parameters).unwrap();
    let mut worst: f64 = 0.0;
    for _ in 0..3000 {
        simulation.world.step(0.001);
        for link in ["m::upper", "m::lower"] {
            let q = simulation.link_pose(simulation.link(link).unwrap()).rotation;
            worst = worst.max(2.0 * q.y.hypot(q.z));
        }
    }
    worst
}

/// Gazebo's bound is 0.2 rad with rescaling, where its links come to 0.206 and 0.137 rad. Sweeps alone show what it does to the
/// bodies; what a direct solver finishes stays in the plane with and without it.
#[test]
fn t35_a_pendulum_of_unequal_rods_stays_in_its_plane() {
    let sweeps = |p: &mut WorldParameters| p.hybrid = HybridRule::Off;
    let [plain, rescaled] = [false, true].map(|rescaling| out_of_plane(&unequal_rods(rescaling), |_| {}));
    let [swept, swept_rescaled] = [false, true].map(|rescaling| out_of_plane(&unequal_rods(rescaling), sweeps));
    println!("T35: {plain:.2e} and {rescaled:.2e} rad; sweeps alone {swept:.3} and {swept_rescaled:.3} rad");
    assert!(plain < 1e-3 && rescaled < 1e-3, "{plain} {rescaled}");
    assert!(swept < 0.05 && (0.1..0.2).contains(&swept_rescaled), "{swept} {swept_rescaled}");
}

/// What goes from one inertia to the other leaves their sum: a moment about a held axis turns the pair as before.
#[test]
fn a_pair_turns_as_before() {
    let link = |name: &str, moment: f64| {
        format!(
            "<link name='{name}'><inertial><mass>1</mass><inertia><ixx>{moment}</ixx><iyy>{moment}</iyy><izz>{moment}</izz></inertia></inertial></link>"
        )
    };
    for (small, large) in [(1e-3, 10.0), (0.01, 300.0), (1.0, 100.0), (2e-4, 0.05)] {
        let text = |rescaling: bool| {
            format!(
                "<sdf version='1.9'><world name='w'><gravity>0 0 0</gravity><physics type='ode'><ode><solver><use_dynamic_moi_rescaling>\
                 {rescaling}</use_dynamic_moi_rescaling></solver></ode></physics><model name='m'>{}{}<joint name='j' type='revolute'>\
                 <parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model></world></sdf>",
                link("a", small),
                link("b", large)
            )
        };
        for pushed in ["m::a", "m::b"] {
            let turned = [false, true].map(|rescaling| {
                let description = load_good(&text(rescaling));
                let mut simulation = simulate(&description, world_parameters(&description)).unwrap();
                let body = simulation.link(pushed).unwrap().body.unwrap();
                simulation.world.body_mut(body).unwrap().add_torque(DVec3::new(0.3, -0.2, 0.0));
                simulation.world.step(0.001);
                simulation.link_velocity(simulation.link(pushed).unwrap()).1
            });
            let expected = DVec3::new(0.3, -0.2, 0.0) * 0.001 / (small + large);
            for omega in turned {
                assert!((omega - expected).length() < 1e-5 * expected.length(), "{pushed}: {omega}, {expected}");
            }
        }
    }
}

fn spring(joint: &str) -> String {
    format!(
        "<sdf version='1.9'><world name='w'><gravity>0 0 0</gravity><model name='m'><link name='l'><inertial><mass>2</mass></inertial>\
         </link><joint name='j' type='prismatic'><parent>world</parent><child>l</child><axis><xyz>1 0 0</xyz><dynamics><damping>3</damping>\
         <spring_stiffness>50</spring_stiffness><spring_reference>0.1</spring_reference></dynamics></axis>{joint}</joint></model></world></sdf>"
    )
}

fn sprung(joint: &str, engine: &str, is_classic: bool) -> Simulation {
    let description = load_good(&spring(joint));
    let mut parameters = engine_parameters(&description, Preset::from_name(engine).unwrap());
    if is_classic {
        make_classic(&description, &mut parameters);
    }
    simulate(&description, parameters).unwrap()
}

/// Dampers are implicit, and springs keep their energy, `(m + h c + h² k/4) v⁺ = (m + h² k/4) v − h k (x − x₀)`, whatever the file says;
/// classic's are explicit, `m v⁺ = m v − h (k (x − x₀) + c v)`, unless the file asks for implicit ones,
/// `(m + h c + h² k) v⁺ = m v − h k (x − x₀)`, as `ode-world`'s are.
#[test]
fn classic_has_explicit_springs_unless_the_file_says_implicit() {
    let (m, c, k, rest, h) = (2.0, 3.0, 50.0, 0.1, 0.002);
    let said = |word: &str, value: bool| format!("<physics><ode><{word}>{value}</{word}></ode></physics>");
    let cases = [
        (String::new(), false, true),
        (said("implicit_spring_damper", true), false, true),
        (String::new(), true, false),
        (said("implicit_spring_damper", false), true, false),
        (said("implicit_spring_damper", true), true, true),
        (said("cfm_damping", true), true, true),
    ];
    for engine in ["ode-quick", "ode-world"] {
        for (joint, is_classic, is_implicit) in &cases {
            let mut simulation = sprung(joint, engine, *is_classic);
            // Where the joint is no rows, spring and damper act by the mean of a step.
            let flows = !is_classic && engine == "ode-quick";
            let (mut x, mut v) = (0.0, 0.0);
            for step in 0..1000 {
                let before = v;
                v = if flows {
                    let half = 0.5 * h * c + 0.25 * h * h * k;
                    ((m - half) * v - h * k * (x - rest)) / (m + half)
                } else if *is_implicit {
                    (m * v - h * k * (x - rest)) / (m + h * c + h * h * k)
                } else {
                    v - h / m * (k * (x - rest) + c * v)
                };
                x += h * if flows { 0.5 * (before + v) } else { v };
                simulation.world.step(h);
                let found = simulation.link_pose(simulation.link("m::l").unwrap()).position.x;
                assert!(
                    (found - x).abs() < 1e-9,
                    "{engine} {joint} classic {is_classic}, step {step}: {found}, expected {x}"
                );
            }
        }
    }
}
