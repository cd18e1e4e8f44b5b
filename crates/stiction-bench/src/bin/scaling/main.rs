//! How the time of a step grows: with the number of separate boxes, of bodies in a pile and in a pyramid, of links of a chain, of
//! robots, and of threads.

mod family;
mod report;

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use clap::Parser;
use stiction_bench::engines::{Engine, Limit, Programs, Request};
use stiction_bench::machine;
use stiction_scenes::{builtin, write};

use family::{FAMILIES, Family, THREADED};
use report::{Measure, Report};

#[derive(Parser)]
#[command(about = "Times steps of scenes of growing size")]
struct Options {
    /// Families: boxes, pile, pyramid, chain, robots, threads; all if none is given
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Engines, with a number of sweeps where they have one
    #[arg(long, value_delimiter = ',', default_value = "stiction,ode-quick:20")]
    engines: Vec<Engine>,
    /// Runs; the median counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Longest time of a run in seconds
    #[arg(long, default_value_t = 30.0)]
    limit: f64,
    /// Folder for the table as JSON and CSV, and the plot
    #[arg(long)]
    out: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let target = stiction_testing::target_folder().join("bench");
    let out = options.out.clone().unwrap_or_else(|| target.join("out"));
    fs::create_dir_all(&out)?;
    let programs = Programs::build(&target.join("peers"), &options.engines)?;
    let mut report = Report { machine: machine::describe(), ..Report::default() };
    println!("machine: {}", report.machine);
    match Limit::measure(programs.folder()) {
        Ok(limit) => {
            report::print_limit(&limit);
            report.limit = Some(limit);
        }
        Err(reason) => println!("skipped: limit of the processor: {reason}"),
    }
    let is_wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|o| o == name);
    for family in FAMILIES.iter().filter(|f| is_wanted(f.name)) {
        grow(family, &options, &programs, &mut report)?;
    }
    if is_wanted("threads") {
        on_threads(&options, &programs, &mut report)?;
    }
    report.save(&out)?;
    Ok(())
}

/// Runs the scenes of a family, the smallest first; an engine that reached the limit does not get larger ones.
fn grow(family: &Family, options: &Options, programs: &Programs, report: &mut Report) -> Result<(), Box<dyn Error>> {
    report::print_head(family.name);
    let mut engines: Vec<&Engine> = options.engines.iter().collect();
    let begin = report.measures.len();
    for name in family.scenes {
        let measures = measure(name, family, &engines, 1, options, programs)?;
        for measure in measures {
            match measure {
                Ok(measure) => {
                    report::print(&measure);
                    engines.retain(|e| e.name != measure.engine || !measure.is_stopped);
                    report.measures.push(measure);
                }
                Err(reason) => println!("skipped: {name}: {reason}"),
            }
        }
    }
    report::print_exponents(&report.measures[begin..], &options.engines);
    Ok(())
}

/// Runs scenes on one thread and on more, up to the number of cores.
fn on_threads(options: &Options, programs: &Programs, report: &mut Report) -> Result<(), Box<dyn Error>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u32;
    report::print_head("threads");
    let engines: Vec<&Engine> = options.engines.iter().filter(|e| e.is_ours()).collect();
    for name in THREADED.scenes {
        for threads in (0..).map(|k| 1 << k).take_while(|n| *n <= cores) {
            for measure in measure(name, &THREADED, &engines, threads, options, programs)? {
                match measure {
                    Ok(measure) => {
                        report::print(&measure);
                        report.measures.push(measure);
                    }
                    Err(reason) => println!("skipped: {name}: {reason}"),
                }
            }
        }
    }
    Ok(())
}

/// Times one scene under every engine, by turns.
fn measure(
    name: &str,
    family: &Family,
    engines: &[&Engine],
    threads: u32,
    options: &Options,
    programs: &Programs,
) -> Result<Vec<Result<Measure, String>>, Box<dyn Error>> {
    let scene = builtin::by_name(name).ok_or_else(|| format!("no scene {name}"))?;
    let file = programs.folder().join(format!("{name}.scene"));
    fs::write(&file, write(&scene))?;
    let request =
        Request { scene: &scene, file: &file, steps: family.steps, threads, limit: options.limit, states: None };
    let mut runs = vec![Vec::new(); engines.len()];
    for _ in 0..options.rounds {
        for (engine, runs) in engines.iter().zip(&mut runs) {
            runs.push(engine.run(programs, &request));
        }
    }
    let measures = engines.iter().zip(runs).map(|(engine, runs)| {
        let runs: Vec<_> = runs.into_iter().collect::<Result<_, _>>().map_err(|e| format!("{}: {e}", engine.name))?;
        Ok(Measure::new(family, &scene, engine, threads, &runs))
    });
    Ok(measures.collect())
}
