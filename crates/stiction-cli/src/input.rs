//! From the words of the command line to a setup of the library.

use std::io::IsTerminal;

use stiction::world::Coordinates;
use stiction_formats::diagnostic::Severity;
use stiction_formats::{Loaded, Sources, render};
use stiction_run::{CommandRequest, Condition, ForceRequest, RunError, Setup, StateFile};

use crate::arguments::{
    Color, EngineArguments, InputArguments, OutputArguments, ReadingArguments, SimulationArguments,
};
use crate::exit::{Exit, Failure};

/// Files and how they are read.
fn setup(files: &[String], input: &InputArguments) -> Result<Setup, Failure> {
    let mut setup = Setup::default();
    for file in files {
        setup.files.push(Setup::parse_file(file)?);
    }
    set_reading(&mut setup, &input.reading)?;
    setup.no_ground = input.no_ground;
    setup.materials.clone_from(&input.materials);
    setup.material_defaults = input.material_defaults.into();
    Ok(setup)
}

/// How the files of a setup are read.
pub fn set_reading(setup: &mut Setup, reading: &ReadingArguments) -> Result<(), Failure> {
    setup.settings = reading.set.iter().map(|s| Setup::parse_setting(s)).collect::<Result<_, _>>()?;
    setup.model_path.clone_from(&reading.model_path);
    setup.packages = reading.package.iter().map(|p| Setup::parse_package(p)).collect::<Result<_, _>>()?;
    setup.xacro_arguments =
        reading.xacro_arg.iter().map(|a| Setup::parse_xacro_argument(a)).collect::<Result<_, _>>()?;
    setup.use_environment = true;
    setup.lenient = reading.lenient;
    Ok(())
}

/// Files, and the engine.
pub fn setup_of_engine(input: &InputArguments, engine: &EngineArguments) -> Result<Setup, Failure> {
    setup_of_files(&input.files, input, engine)
}

/// Some of the files, and the engine.
pub fn setup_of_files(files: &[String], input: &InputArguments, engine: &EngineArguments) -> Result<Setup, Failure> {
    let mut setup = setup(files, input)?;
    setup.engine.clone_from(&engine.engine);
    setup.step_size = engine.step_size;
    setup.coordinates = coordinates(engine.coordinates.as_deref())?;
    setup.gazebo_classic = engine.compat.is_some();
    Ok(setup)
}

/// Files, engine, and what acts on the world.
pub fn simulation(input: &InputArguments, simulation: &SimulationArguments) -> Result<Setup, Failure> {
    let mut setup = setup_of_engine(input, &simulation.engine)?;
    setup.threads = simulation.threads;
    setup.fixed_base = simulation.fixed_base;
    setup.forces = simulation.force.iter().map(|f| ForceRequest::parse(f)).collect::<Result<_, _>>()?;
    setup.commands =
        simulation.command.iter().map(|c| CommandRequest::parse(c)).collect::<Result<Vec<_>, _>>()?.concat();
    setup.conditions = simulation.fail_if.iter().map(|f| Condition::parse(f)).collect::<Result<_, _>>()?;
    setup.initial_state = simulation.initial_state.as_deref().map(StateFile::read).transpose()?;
    Ok(setup)
}

/// `--duration` [s], 5 s where it is not given.
pub fn duration(simulation: &SimulationArguments) -> Result<f64, Failure> {
    let duration = simulation.duration.unwrap_or(5.0);
    if !(duration >= 0.0 && duration.is_finite()) {
        return Err(Failure::usage(format!("--duration {duration}: expected seconds, 0 or more")));
    }
    Ok(duration)
}

/// Findings of the files: errors always, warnings unless `--quiet`, notes with `--verbose`.
pub fn show_findings(output: &OutputArguments, loaded: &Loaded) {
    let least = match (output.quiet, output.verbose) {
        (true, _) => Severity::Error,
        (_, true) => Severity::Note,
        _ => Severity::Warning,
    };
    let mut shown: Vec<_> = loaded.diagnostics.iter().filter(|d| d.severity >= least).cloned().collect();
    if !loaded.blocking() {
        if output.quiet {
            return;
        }
        // What a run goes past is no error of this run.
        shown.iter_mut().for_each(|d| d.severity = d.severity.min(Severity::Warning));
    }
    eprint!("{}", render(&shown, &loaded.sources, use_color(output.color)));
}

/// What an engine refuses of the files with their lines on stderr; other failures as they are.
pub fn refused(error: RunError, sources: &Sources, color: bool) -> Result<Exit, Failure> {
    match error {
        RunError::Findings(findings) => {
            eprint!("{}", render(&findings, sources, color));
            Ok(Exit::Input)
        }
        other => Err(other.into()),
    }
}

/// `--coordinates`.
fn coordinates(name: Option<&str>) -> Result<Option<Coordinates>, Failure> {
    match name {
        None => Ok(None),
        Some("maximal") => Ok(Some(Coordinates::Maximal)),
        Some("reduced") => Ok(Some(Coordinates::Reduced)),
        Some(other) => Err(Failure::usage(format!("--coordinates `{other}`: expected `maximal` or `reduced`"))),
    }
}

/// Colours on stderr or not.
pub fn use_color(color: Color) -> bool {
    is_colored(color, std::io::stderr().is_terminal())
}

/// Colours on stdout or not.
pub fn use_color_on_stdout(color: Color) -> bool {
    is_colored(color, std::io::stdout().is_terminal())
}

fn is_colored(color: Color, is_terminal: bool) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
    }
}
