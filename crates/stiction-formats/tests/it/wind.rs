//! `<wind>`: links take on its velocity at their rate, `dv/dt = k (w − v)`, under every engine.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;

use common::load_good;
use stiction::math::DVec3;
use stiction::world::{Coordinates, Preset};
use stiction_formats::simulation::{Simulation, engine_parameters, make_classic, simulate, world_parameters};

const ENGINES: [&str; 8] =
    ["ode-quick", "ode-world", "drake-discrete", "drake-continuous", "agx", "bullet", "dart", "simbody"];

const CLASSIC: &str = "<plugin name='w' filename='libWindPlugin.so'><force_approximation_scaling_factor>";
const SIM: &str = "<plugin name='gz::sim::systems::WindEffects' filename='gz-sim-wind-effects-system'><force_approximation_scaling_factor>";
const END: &str = "</force_approximation_scaling_factor></plugin>";

fn text(wind: DVec3, gravity: f64, more: &str, models: &str) -> String {
    format!(
        "<sdf version='1.9'><world name='w'><gravity>0 0 {gravity}</gravity><wind><linear_velocity>{} {} {}</linear_velocity></wind>\
         {more}{models}</world></sdf>",
        wind.x, wind.y, wind.z
    )
}

fn model(name: &str, mass: f64, model: &str, link: &str) -> String {
    format!("<model name='{name}'>{model}<link name='l'>{link}<inertial><mass>{mass}</mass></inertial></link></model>")
}

fn started(text: &str, engine: &str) -> Simulation {
    let description = load_good(text);
    let preset = Preset::from_name(engine).unwrap();
    let mut parameters = engine_parameters(&description, preset);
    parameters.integrator.accuracy = 1e-8;
    simulate(&description, parameters).unwrap()
}

fn velocity(simulation: &Simulation, link: &str) -> DVec3 {
    simulation.link_velocity(simulation.link(link).unwrap()).0
}

fn near(found: DVec3, expected: DVec3, slack: f64, what: &str) {
    assert!((found - expected).length() <= slack, "{what}: {found}, expected {expected}");
}

#[test]
fn a_free_link_takes_on_the_wind_exactly_under_every_engine() {
    let wind = DVec3::new(5.0, -2.0, 1.0);
    let flag = "<enable_wind>true</enable_wind>";
    for (rate, plugin) in [(1.0, String::new()), (3.0, format!("{CLASSIC}3{END}")), (0.25, format!("{SIM}0.25{END}"))] {
        let models = [
            model("heavy", 50.0, "", flag),
            model("light", 0.1, flag, ""),
            model("calm", 1.0, "", ""),
            model("not", 1.0, flag, "<enable_wind>false</enable_wind>"),
        ];
        for engine in ENGINES {
            let mut simulation = started(&text(wind, 0.0, &plugin, &models.concat()), engine);
            for _ in 0..500 {
                simulation.world.step(0.002);
            }
            let is_continuous = matches!(engine, "drake-continuous" | "simbody");
            let lag =
                if is_continuous { (-rate * simulation.world.time()).exp() } else { (1.0 - rate * 0.002).powi(500) };
            let (expected, slack) = (wind * (1.0 - lag), if is_continuous { 1e-7 } else { 1e-12 });
            for link in ["heavy::l", "light::l"] {
                near(velocity(&simulation, link), expected, slack, &format!("{engine} {link} at {rate}"));
            }
            for link in ["calm::l", "not::l"] {
                near(velocity(&simulation, link), DVec3::ZERO, 0.0, link);
            }
        }
    }
}

/// Weight against drag: `m g = m k v`.
#[test]
fn a_fall_ends_at_the_speed_of_its_rate_at_any_step() {
    for step in [0.001, 0.02, 1.0] {
        let plugin = format!("{CLASSIC}40{END}");
        let fall = model("m", 3.0, "<enable_wind>1</enable_wind>", "");
        let mut simulation = started(&text(DVec3::ZERO, -9.8, &plugin, &fall), "ode-quick");
        for _ in 0..2000 {
            let report = simulation.world.step(step);
            assert!(report.energy.made() < 1e-9, "{step}: {}", report.energy.made());
        }
        // At most the whole speed is lost in a step, and gravity gives a step of it back.
        let expected = -9.8 * step.max(1.0 / 40.0);
        near(velocity(&simulation, "m::l"), DVec3::new(0.0, 0.0, expected), 1e-9, &format!("step {step}"));
    }
}

/// A pendulum hangs at `tan θ = k w / g`, in both coordinates.
#[test]
fn a_pendulum_hangs_aslant_in_the_wind() {
    let pendulum = "<model name='m'><enable_wind>true</enable_wind><link name='l'><pose>0 0 -1 0 0 0</pose>\
         <inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial></link>\
         <joint name='j' type='revolute'><pose>0 0 1 0 0 0</pose><parent>world</parent><child>l</child><axis><xyz>0 1 0</xyz>\
         <dynamics><damping>4</damping></dynamics></axis></joint></model>";
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        let description = load_good(&text(DVec3::new(4.9, 0.0, 0.0), -9.8, "", pendulum));
        let mut parameters = world_parameters(&description);
        parameters.coordinates = coordinates;
        let mut simulation = simulate(&description, parameters).unwrap();
        for _ in 0..20_000 {
            simulation.world.step(0.001);
        }
        let link = simulation.link_pose(simulation.link("m::l").unwrap()).position;
        near(link, DVec3::new(0.2f64.sqrt(), 0.0, -(0.8f64.sqrt())), 1e-5, &format!("{coordinates:?}"));
    }
}

#[test]
fn gazebo_classic_has_no_wind_without_its_plugin() {
    for (plugin, speed) in [(String::new(), 0.0), (format!("{CLASSIC}1{END}"), 5.0)] {
        let models = model("m", 1.0, "<enable_wind>true</enable_wind>", "");
        let description = load_good(&text(DVec3::X * 5.0, 0.0, &plugin, &models));
        let mut parameters = world_parameters(&description);
        make_classic(&description, &mut parameters);
        let mut simulation = simulate(&description, parameters).unwrap();
        for _ in 0..20_000 {
            simulation.world.step(0.001);
        }
        near(velocity(&simulation, "m::l"), DVec3::X * speed, 1e-6, &plugin);
    }
}
