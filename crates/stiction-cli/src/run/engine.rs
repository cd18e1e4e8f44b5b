//! Which engine runs, with which parameters, for how many steps.

use stiction::parameter;
use stiction::world::{Coordinates, Preset, SolverKind, TimeAdvancement, WorldParameters};
use stiction_formats::compliant_advice;
use stiction_formats::description::WorldDescription;
use stiction_formats::diagnostic::Severity;
use stiction_formats::simulation::world_parameters;

use crate::arguments::RunArguments;
use crate::exit::Failure;
use crate::load::EngineSetting;

/// What will be run.
pub struct Plan {
    /// Name of the engine, as reports give it.
    pub engine: &'static str,
    /// Parameters of the world.
    pub parameters: WorldParameters,
    /// Step [s].
    pub step: f64,
    /// Number of steps.
    pub steps: u64,
    /// Engine parameters that the command line set.
    pub set: Vec<String>,
}

const LATER: [&str; 4] = ["bullet", "dart", "simbody", "agx"];

/// Options of later work are usage errors that say so.
pub fn refuse_what_is_not_built(arguments: &RunArguments) -> Result<(), Failure> {
    let not_built = |what: &str| Err(Failure::usage(format!("{what} is not built yet")));
    if arguments.materials.is_some() {
        return not_built("--materials");
    }
    if arguments.compat.is_some() {
        return not_built("--compat");
    }
    match arguments.coordinates.as_deref() {
        None | Some("maximal" | "reduced") => {}
        Some(other) => return Err(Failure::usage(format!("--coordinates `{other}`: expected `maximal` or `reduced`"))),
    }
    if arguments.record.as_ref().is_some_and(|p| p.extension().is_some_and(|e| e == "mcap")) {
        return not_built("recording into an .mcap file");
    }
    for file in &arguments.input.files {
        let path = file.split('@').next().unwrap_or(file);
        if [".body", ".cnoid"].iter().any(|end| path.ends_with(end)) {
            return Err(Failure::usage(format!(
                "`{file}`: only SDFormat (.sdf, .world) and URDF files are read so far"
            )));
        }
    }
    Ok(())
}

/// An engine with all its parameters.
pub struct Engine {
    /// The preset.
    pub preset: Preset,
    /// Parameters of the world.
    pub parameters: WorldParameters,
    /// Step [s].
    pub step: f64,
    /// Engine parameters that the command line set.
    pub set: Vec<String>,
}

/// The engine that a command asks for, with the parameters of the file and of `--set`.
pub fn engine(
    wanted: Option<&str>,
    coordinates: Option<&str>,
    step_size: Option<f64>,
    description: &WorldDescription,
    settings: &[EngineSetting],
) -> Result<Engine, Failure> {
    let mut parameters = world_parameters(description);
    let preset = match wanted {
        None => Preset::from_name(&description.physics.engine.value).unwrap_or(Preset::Ode),
        Some(name) if LATER.contains(&name) => {
            let built: Vec<_> = Preset::ALL.iter().map(|p| format!("`{}`", p.name())).collect();
            return Err(Failure::usage(format!("--engine {name} is not built yet; built are {}", built.join(", "))));
        }
        Some(name) => Preset::from_name(name).ok_or_else(|| {
            let built: Vec<_> = Preset::ALL.iter().map(|p| p.name()).collect();
            Failure::usage(format!(
                "--engine `{name}`: expected one of {}; not built yet: {}",
                built.join(", "),
                LATER.join(", ")
            ))
        })?,
    };
    preset.apply(&mut parameters);
    if preset.is_drake() && !description.gravity.is_given() {
        parameters.gravity = Preset::DRAKE_GRAVITY;
    }
    match coordinates {
        Some("maximal") => parameters.coordinates = Coordinates::Maximal,
        Some("reduced") => parameters.coordinates = Coordinates::Reduced,
        _ => {}
    }
    let mut step = step_size.unwrap_or(description.physics.max_step_size.value);
    if step == 0.0 && preset.is_drake() {
        // Drake's time step of zero: continuous time, told at the file's steps.
        parameters.time = TimeAdvancement::Continuous;
        step = description.physics.max_step_size.value;
    }
    if !(step > 0.0 && step.is_finite()) {
        let words = "expected a number more than 0 (0 with the engines drake-* is continuous time)";
        return Err(Failure::usage(format!("step size {step} s: {words}")));
    }
    let mut set = Vec::new();
    for setting in settings {
        match parameter::set(&mut parameters, &setting.path, &setting.value) {
            Some(Ok(())) => set.push(setting.path.clone()),
            Some(Err(error)) => {
                return Err(Failure::input(format!("--set {}={}: {error}", setting.path, setting.value)));
            }
            None => return Err(Failure::input(format!("--set {}: no such parameter", setting.path))),
        }
    }
    parameters.validate().map_err(|e| Failure::input(e.to_string()))?;
    Ok(Engine { preset, parameters, step, set })
}

/// Parameters, step and number of steps, from the file and the command line.
pub fn plan(
    arguments: &RunArguments,
    description: &WorldDescription,
    settings: &[EngineSetting],
    warnings: &mut Vec<String>,
) -> Result<Plan, Failure> {
    let wanted = arguments.engine.as_deref();
    let coordinates = arguments.coordinates.as_deref();
    let Engine { preset, parameters, step, set } =
        engine(wanted, coordinates, arguments.step_size, description, settings)?;
    let parameters = match arguments.threads {
        Some(threads) => WorldParameters { threads, ..parameters },
        None => parameters,
    };
    let file_engine = description.physics.engine.value.as_str();
    let mut say = |message: String| {
        if !arguments.quiet {
            eprintln!("warning: {message}");
        }
        warnings.push(message);
    };
    if wanted.is_none() && Preset::from_name(file_engine).is_none() {
        say(format!("the file asks for the engine `{file_engine}`, which is not built yet; `ode` runs"));
    }
    for finding in compliant_advice(description, &parameters, step) {
        if finding.severity >= Severity::Warning || arguments.verbose {
            say(finding.message);
        }
    }
    let duration = arguments.duration.unwrap_or(5.0);
    if !(duration >= 0.0 && duration.is_finite()) {
        return Err(Failure::usage(format!("--duration {duration}: expected seconds, 0 or more")));
    }
    let steps = arguments.steps.unwrap_or((duration / step).round() as u64);
    if let Some(rate) = arguments.record_rate.filter(|r| !(*r > 0.0 && r.is_finite())) {
        return Err(Failure::usage(format!("--record-rate {rate}: expected a number more than 0")));
    }
    let engine = match preset {
        Preset::Ode if parameters.solver == SolverKind::Direct => Preset::OdeWorld.name(),
        Preset::Ode => Preset::OdeQuick.name(),
        other => other.name(),
    };
    Ok(Plan { engine, parameters, step, steps, set })
}
