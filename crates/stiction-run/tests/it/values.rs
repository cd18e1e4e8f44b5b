//! Parameters in force and where they come from.
#![allow(missing_docs, clippy::unwrap_used)]

use stiction_run::{ParameterValue, Setup};

fn values(setup: Setup) -> Vec<ParameterValue> {
    let project = setup.load().unwrap();
    let engine = project.engine().unwrap();
    project.values(&engine)
}

/// Value and origin of a parameter.
fn of(values: &[ParameterValue], path: &str) -> (String, String) {
    let found: Vec<_> = values.iter().filter(|v| v.path == path).collect();
    assert_eq!(found.len(), 1, "{path}");
    (found[0].value.clone(), found[0].origin.clone())
}

fn is(values: &[ParameterValue], path: &str, value: &str, origin: &str) {
    let (v, o) = of(values, path);
    assert!(v == value && o.starts_with(origin), "{path}: {v} ({o}), expected {value} ({origin})");
}

#[test]
fn the_file_a_preset_a_setting_and_an_option_are_told_apart() {
    // The file asks for the direct solver, in line 8, and steps of 10 ms.
    let file = values(Setup::new("tower"));
    is(&file, "physics.ode.solver.type", "world", "<bundled>/worlds/tower.world:");
    is(&file, "physics.max_step_size", "0.01", "<bundled>/worlds/tower.world:");
    is(&file, "solver.kind", "direct", "<bundled>/worlds/tower.world:");
    is(&file, "gravity", "0 0 -9.8", "default");
    is(&file, "physics.ode.solver.iters", "50", "default");
    is(&file, "contact.margin", "0.001", "default");

    let mut setup =
        Setup::new("tower").engine("ode-quick").set("physics.ode.solver.iters", 7).set("contact.margin", 0.01);
    setup.step_size = Some(0.002);
    setup.threads = Some(2);
    let quick = values(setup);
    is(&quick, "physics.ode.solver.type", "quick", "preset ode-quick");
    is(&quick, "solver.kind", "iterative", "preset ode-quick");
    is(&quick, "physics.max_step_size", "0.002", "--step-size");
    is(&quick, "physics.ode.solver.iters", "7", "--set");
    is(&quick, "contact.margin", "0.01", "--set");
    is(&quick, "physics.threads", "2", "--threads");

    let drake = values(Setup::new("tower").engine("drake-discrete"));
    is(&drake, "gravity", "0 0 -9.8", "default");
    is(&drake, "solver.kind", "tamsi", "preset drake-discrete");
    is(&drake, "physics.ode.solver.type", "world", "<bundled>/worlds/tower.world:");
    is(&drake, "physics.coordinates", "reduced", "preset drake-discrete");
    is(&drake, "physics.sleeping", "off", "preset drake-discrete");
    let continuous = values(Setup::new("tower").engine("drake-continuous"));
    is(&continuous, "physics.time", "continuous", "preset drake-continuous");
    let set = values(Setup::new("tower").engine("drake-discrete").set("gravity", "0 0 -3"));
    is(&set, "gravity", "0 0 -3", "--set");
}

/// What is told is what the engine has: every parameter of the world or the engine, for every engine.
#[test]
fn every_value_is_the_one_that_the_engine_has() {
    use stiction::parameter::{Scope, all};
    for name in ["tower", "friction_pyramid", "incline_block_spheres", "double_pendulum"] {
        for preset in stiction::world::Preset::ALL {
            let project = Setup::new(name).engine(preset.name()).load().unwrap();
            let engine = project.engine().unwrap();
            let values = project.values(&engine);
            for p in all().filter(|p| matches!(p.scope, Scope::World | Scope::Engine)) {
                // Solvers of other engines are none of ODE's two.
                let is_other = preset.is_drake() || preset == stiction::world::Preset::Stiction;
                let Some(access) = p.access.filter(|_| !(is_other && p.path == "physics.ode.solver.type")) else {
                    continue;
                };
                let (value, _) = of(&values, p.path);
                // Without a type, `contact.hybrid` is `on`: no type does the same.
                if p.path == "physics.ode.solver.type" && value == "unset" {
                    continue;
                }
                let expected = (access.get)(&engine.parameters);
                let same = value == expected
                    || value.parse::<f64>().ok().zip(expected.parse::<f64>().ok()).is_some_and(|(a, b)| a == b);
                assert!(same, "{name} {}: {} is told as {value}, and is {expected}", preset.name(), p.path);
            }
        }
    }
}

/// A file of these elements of a world, in the folder of tests.
fn file(name: &str, elements: &str) -> Setup {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, format!("<sdf version='1.9'><world name='w'>{elements}</world></sdf>")).unwrap();
    Setup::new(path)
}

const HINGE: &str = "<model name='m'><link name='a'><inertial><mass>2</mass></inertial>\
    <collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>\
    <joint name='plain' type='revolute'><parent>world</parent><child>a</child><axis><xyz>0 1 0</xyz></axis></joint>\
    <joint name='own' type='revolute'><parent>world</parent><child>a</child><axis><xyz>0 1 0</xyz></axis>\
    <physics><ode><cfm>0.25</cfm></ode></physics></joint></model>";

/// What a joint or a collision does not say is what the world says: told is what the engine's joints have.
#[test]
fn joints_and_collisions_without_values_have_those_of_the_world() {
    let physics = "<physics type='ode'><max_contacts>7</max_contacts>\
        <ode><constraints><erp>0.7</erp><cfm>0.5</cfm></constraints></ode></physics>";
    let setup = file("inherited.sdf", &format!("{physics}{HINGE}"));
    let name = setup.files[0].path.display().to_string();
    let project = setup.load().unwrap();
    let values = project.values(&project.engine().unwrap());
    is(&values, "model.m.link.a.collision.c.max_contacts", "7", &name);
    let run = project.start().unwrap();
    let world = &run.simulation().world;
    for joint in world.joint_ids().map(|id| world.joint(id).unwrap()) {
        let definition = joint.definition();
        let (erp, cfm) = (world.parameters.erp, world.parameters.cfm);
        let joint = if definition.cfm == Some(0.25) { "own" } else { "plain" };
        let stop = &definition.parameters[0];
        for (leaf, expected) in [
            ("erp", definition.erp.unwrap_or(erp)),
            ("cfm", definition.cfm.unwrap_or(cfm)),
            ("limit.erp", stop.stop_erp.unwrap_or(erp)),
            ("limit.cfm", stop.stop_cfm.unwrap_or(cfm)),
        ] {
            let (value, _) = of(&values, &format!("model.m.joint.{joint}.physics.ode.{leaf}"));
            if leaf == "cfm" && definition.cfm.is_none() {
                // The holding rows have the world's, those of friction and motors none: no value is both.
                assert_eq!(value, "unset", "{joint} {leaf}");
                continue;
            }
            assert_eq!(value.parse::<f64>().unwrap(), expected, "{joint} {leaf}");
        }
    }
}

/// Of several `<physics>` the default one counts, and a count below zero is read as none.
#[test]
fn the_physics_in_force_is_told() {
    let physics = |name, attributes, step, iters| {
        format!(
            "<physics name='{name}' type='ode' {attributes}><max_step_size>{step}</max_step_size>\
             <ode><solver><type>quick</type><iters>{iters}</iters></solver></ode></physics>"
        )
    };
    let two = [physics("one", "", "0.002", "11"), physics("two", "default='true'", "0.005", "22")].concat();
    let setup = file("two_physics.sdf", &two);
    let name = setup.files[0].path.display().to_string();
    let values_of_two = values(setup);
    is(&values_of_two, "physics.max_step_size", "0.005", &name);
    is(&values_of_two, "physics.ode.solver.iters", "22", &name);
    is(&values_of_two, "solver.kind", "iterative", &name);

    let mut setup = file("negative.sdf", &physics("one", "", "0.002", "-3"));
    setup.lenient = true;
    is(&values(setup), "physics.ode.solver.iters", "50", "default");
    let set = file("set.sdf", &two).set("physics.ode.solver.iters", 33);
    is(&values(set), "physics.ode.solver.iters", "33", "--set");
}

/// What a preset sets comes from the preset, also where a file says the same.
#[test]
fn a_preset_is_the_origin_of_what_it_sets() {
    let same = values(Setup::new("tower").engine("ode-world"));
    is(&same, "solver.kind", "direct", "preset ode-world");
    is(&same, "physics.ode.solver.type", "world", "preset ode-world");
    let quick = values(Setup::new("friction_pyramid").engine("ode-quick"));
    is(&quick, "contact.hybrid", "unsolved", "preset ode-quick");
}
