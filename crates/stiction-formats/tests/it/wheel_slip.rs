//! The plugin WheelSlip: what it reads, what it refuses, and what it sets.
#![allow(clippy::unwrap_used)]

use crate::common;

use common::{load_good, load_text};
use stiction::math::DVec3;
use stiction::world::Preset;
use stiction_formats::simulation::{Simulation, engine_parameters, simulate};
use stiction_formats::{LoadOptions, Loaded, compliant_advice};

/// A cart of two wheels, the second a box, and a link without joint, with a plugin on line 5.
fn cart(file: &str, wheels: &str) -> String {
    let wheel = |name: &str, shape: &str| {
        format!(
            "<link name='{name}'><collision name='c'><geometry>{shape}</geometry></collision></link><joint name='{name}_j' type='revolute'>\
             <parent>base</parent><child>{name}</child><axis><xyz>0 1 0</xyz></axis></joint>"
        )
    };
    let ball = "<sphere><radius>0.2</radius></sphere>";
    let two = format!(
        "<link name='two'><collision name='c'><geometry>{ball}</geometry></collision><collision name='d'><geometry>{ball}</geometry>\
         </collision></link>"
    );
    format!(
        "<sdf version='1.6'><world name='w'>\n<model name='cart'><link name='base'/>{}{}\n{two}<link name='loose'><collision name='c'>\
         <geometry>{ball}</geometry></collision></link>\n\n<plugin name='p' filename='{file}'>{wheels}</plugin></model></world></sdf>",
        wheel("round", ball),
        wheel("square", "<box/>")
    )
}

fn read(wheels: &str, lenient: bool) -> Loaded {
    let options = LoadOptions { no_ground: true, lenient, ..LoadOptions::default() };
    load_text(&cart("libWheelSlipPlugin.so", wheels), &options)
}

const ROUND: &str = "<wheel link_name='round'><slip_compliance_lateral>0.1</slip_compliance_lateral><slip_compliance_longitudinal>0.3\
                     </slip_compliance_longitudinal><wheel_normal_force>50</wheel_normal_force></wheel>";

#[test]
fn faults_are_told_with_their_lines_and_left_out_leniently() {
    let force = "<wheel_normal_force>50</wheel_normal_force>";
    let of = |link: &str, inside: &str| format!("<wheel link_name='{link}'>{inside}</wheel>");
    let cases = [
        ("missing-name", format!("<wheel>{force}</wheel>"), "link_name"),
        ("unknown-link", of("rund", force), "`rund`"),
        ("wheel-collision", of("two", force), "2 collisions"),
        ("wheel-joint", of("loose", force), "0 joints"),
        ("missing-element", of("round", ""), "wheel_normal_force"),
        ("missing-element", of("square", force), "wheel_radius"),
        ("invalid-value", of("round", "<wheel_normal_force>0</wheel_normal_force>"), "`0`"),
        ("invalid-value", of("round", "<wheel_normal_force>nan</wheel_normal_force>"), "`nan`"),
        ("invalid-value", of("square", &(force.to_owned() + "<wheel_radius>inf</wheel_radius>")), "`inf`"),
        (
            "invalid-value",
            of("round", &(force.to_owned() + "<slip_compliance_lateral>-1</slip_compliance_lateral>")),
            "`-1`",
        ),
        (
            "invalid-value",
            of("round", &(force.to_owned() + "<slip_compliance_longitudinal>1 2</slip_compliance_longitudinal>")),
            "`1 2`",
        ),
    ];
    for (code, wheels, words) in cases {
        let loaded = read(&wheels, false);
        let found: Vec<_> = loaded.diagnostics.iter().filter(|d| d.code == code).collect();
        assert_eq!(found.len(), 1, "{wheels}: {:?}", loaded.diagnostics);
        assert!(found[0].message.contains(words) && found[0].blocks_run, "{wheels}: {}", found[0].message);
        assert_eq!(found[0].location.as_ref().unwrap().line, 5, "{wheels}");
        assert!(found[0].element.contains("plugin[p]/wheel"), "{wheels}: {}", found[0].element);
        let lenient = read(&(wheels + ROUND), true);
        assert_eq!((lenient.errors(), lenient.world.unwrap().wheel_slips.len()), (0, 1));
    }
    let loaded = read(&of("round", &(force.to_owned() + "<slip_compliance_laterl>1</slip_compliance_laterl>")), false);
    let unknown = loaded.diagnostics.iter().find(|d| d.code == "unknown-element").unwrap();
    assert!(unknown.help.as_ref().unwrap().contains("slip_compliance_lateral"), "{unknown:?}");
    assert!(read("", false).diagnostics.iter().any(|d| d.code == "missing-element"));
}

#[test]
fn values_defaults_and_other_spellings() {
    for file in ["libWheelSlipPlugin.so", "gz-sim-wheel-slip-system", "libgazebo_ros_wheel_slip.so"] {
        let square = "<wheel link_name='square'><wheel_normal_force>9</wheel_normal_force><wheel_radius>0.7</wheel_radius></wheel>";
        let world = load_good(&cart(file, &(ROUND.to_owned() + square)));
        let numbers: Vec<[f64; 4]> = world
            .wheel_slips
            .iter()
            .map(|w| [w.lateral.value, w.longitudinal.value, w.normal_force.value, w.radius.value])
            .collect();
        assert_eq!(numbers, [[0.1, 0.3, 50.0, 0.2], [0.0, 0.0, 9.0, 0.7]], "{file}");
        assert!(world.skipped.is_empty(), "{file}: {:?}", world.skipped);
    }
    // Another plugin, which changes the numbers by an image.
    let world = load_good(&cart("gz-sim-lookup-wheel-slip-system", ROUND));
    assert!(world.wheel_slips.is_empty() && world.skipped.len() == 1);
}

fn simulation(engine: &str) -> Simulation {
    let world = load_good(&cart("libWheelSlipPlugin.so", ROUND));
    let preset = Preset::from_name(engine).unwrap();
    simulate(&world, engine_parameters(&world, preset)).unwrap()
}

#[test]
fn slips_are_compliance_times_rim_speed_by_force() {
    let mut simulation = simulation("ode");
    let [wheel] = simulation.wheel_slips.as_slice() else { panic!("{:?}", simulation.wheel_slips) };
    let (geom, body) = (wheel.geom, simulation.link("cart::round").unwrap().body.unwrap());
    // Random rates: only the share about the axis y counts.
    let mut random = 7u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as f64 / f64::from(1u32 << 30) - 1.0
    };
    for _ in 0..100 {
        let omega = 30.0 * DVec3::new(next(), next(), next());
        simulation.world.body_mut(body).unwrap().set_omega(omega).unwrap();
        simulation.slip_wheels();
        let expected = [0.1, 0.3].map(|c| c * 0.2 * omega.y.abs() / 50.0);
        let found = simulation.world.geom(geom).unwrap().surface().slip;
        assert!((0..2).all(|k| (found[k] - expected[k]).abs() <= 1e-15), "{omega}: {found:?} {expected:?}");
    }
}

#[test]
fn engines_without_slip_say_so() {
    let world = load_good(&cart("libWheelSlipPlugin.so", ROUND));
    for (name, is_told) in
        [("ode", false), ("bullet", false), ("dart", false), ("simbody", true), ("drake-discrete", true)]
    {
        let parameters = engine_parameters(&world, Preset::from_name(name).unwrap());
        let found = compliant_advice(&world, &parameters, 1e-3);
        assert_eq!(found.iter().any(|d| d.code == "no-wheel-slip"), is_told, "{name}: {found:?}");
    }
}
