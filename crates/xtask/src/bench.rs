//! `cargo xtask bench`, `figures` and `worlds`: builds the benchmarks, figures or tables with optimisation and runs them.

use std::process::ExitCode;

/// Draws the figures of the documentation into `docs/figures`.
pub(crate) fn figures(options: &[String]) -> ExitCode {
    release("figures", options)
}

/// Throws free boxes under the engines, for `docs/boxes.md`.
pub(crate) fn boxes(options: &[String]) -> ExitCode {
    release("boxes", options)
}

/// Runs the worlds of the reference under the four engine types, for `docs/worlds_by_engine.md`.
pub(crate) fn worlds(options: &[String]) -> ExitCode {
    release("worlds", options)
}

/// Counts the warnings of the command over public worlds and robots, for `docs/warnings.md`.
pub(crate) fn warnings(options: &[String]) -> ExitCode {
    // The program asks the command that is built beside it.
    if !crate::build("stiction") {
        return ExitCode::FAILURE;
    }
    crate::run_built("warnings", options)
}

/// Runs the everyday scenes of `testdata/zoo` under all engines, for `docs/zoo.md`.
pub(crate) fn zoo(options: &[String]) -> ExitCode {
    crate::run_built("zoo", options)
}

/// Loads and runs models and worlds, for `docs/loading.md`.
pub(crate) fn models(options: &[String]) -> ExitCode {
    release("loading", options)
}

/// Records the state hashes of worlds under every engine in `testdata/hashes.tsv`, or compares with them.
pub(crate) fn hashes(options: &[String]) -> ExitCode {
    crate::run_built("hashes", options)
}

/// Runs `stiction-bench`, next to ODE; or the program of the first option:
/// - `--peers`: the scenes under our engines, ODE, Bullet, Rapier, MuJoCo and PhysX;
/// - `--batch`: many environments at once, beside MuJoCo;
/// - `--drake`: compliant contact next to Drake, mechanisms next to MuJoCo;
/// - `--scaling`: how the time of a step grows with the scene;
/// - `--libode`: one program in C with the stock `libode` and with ours;
/// - `--on-threads`: one thread and several;
/// - `--recording`: what recording costs.
pub(crate) fn run(options: &[String]) -> ExitCode {
    let (program, options) = match options.split_first() {
        Some((first, rest)) if first == "--peers" => ("peers", rest),
        Some((first, rest)) if first == "--batch" => ("batch", rest),
        Some((first, rest)) if first == "--drake" => ("drake", rest),
        Some((first, rest)) if first == "--scaling" => ("scaling", rest),
        Some((first, rest)) if first == "--libode" => ("libode", rest),
        Some((first, rest)) if first == "--on-threads" => ("threads", rest),
        Some((first, rest)) if first == "--recording" => ("recording", rest),
        _ => ("stiction-bench", options),
    };
    let needed: &[&str] = match program {
        "libode" => &["-p", "stiction-ode"],
        "peers" | "scaling" => &["-p", "stiction-bench", "--bin", "step"],
        _ => &[],
    };
    if !needed.is_empty() && !is_done(&[&["build", "--release", "--quiet"], needed].concat()) {
        return ExitCode::FAILURE;
    }
    release(program, options)
}

/// Builds a program of the benchmarks with optimisation and runs it.
fn release(program: &str, options: &[String]) -> ExitCode {
    let mut arguments = vec!["run", "--release", "--quiet", "-p", "stiction-bench", "--bin", program, "--"];
    arguments.extend(options.iter().map(String::as_str));
    if is_done(&arguments) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether cargo did it.
fn is_done(arguments: &[&str]) -> bool {
    match crate::cargo().args(arguments).status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("cannot run cargo: {error}");
            false
        }
    }
}
