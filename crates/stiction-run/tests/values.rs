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
    is(&drake, "gravity", "0 0 -9.81", "preset drake-discrete");
    is(&drake, "solver.kind", "tamsi", "preset drake-discrete");
    is(&drake, "physics.ode.solver.type", "tamsi", "preset drake-discrete");
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
                // Drake's solvers are none of ODE's two.
                let Some(access) = p.access.filter(|_| !(preset.is_drake() && p.path == "physics.ode.solver.type"))
                else {
                    continue;
                };
                let (value, _) = of(&values, p.path);
                let expected = (access.get)(&engine.parameters);
                let same = value == expected
                    || value.parse::<f64>().ok().zip(expected.parse::<f64>().ok()).is_some_and(|(a, b)| a == b);
                assert!(same, "{name} {}: {} is told as {value}, and is {expected}", preset.name(), p.path);
            }
        }
    }
}
