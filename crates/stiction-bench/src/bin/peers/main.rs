//! Our engines and those of other makers on the same scenes: each in a program of its own, by turns, judged alike.

mod page;
mod plot;
mod table;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use stiction_bench::engines::{Engine, Programs, Request, Run, USUAL};
use stiction_bench::quality::{self, Quality};
use stiction_bench::{machine, sources};
use stiction_scenes::{Scene, parse};

use table::{Line, Table};

#[derive(Parser)]
#[command(about = "Steps scenes with Stiction, ODE, Bullet, Rapier, MuJoCo and PhysX, and compares time and quality")]
struct Options {
    /// Scenes; all if none is given
    #[arg(long, value_delimiter = ',')]
    scenes: Vec<String>,
    /// Engines, with a number of sweeps where they have one; ratios are to the first
    #[arg(long, value_delimiter = ',', default_value = USUAL)]
    engines: Vec<Engine>,
    /// Rounds: in each, every engine runs once
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Steps of a run; the number in the scene if none is given
    #[arg(long, default_value_t = 0)]
    steps: usize,
    /// Longest time of a run in seconds; what takes longer is stopped, and its line says after how many steps
    #[arg(long, default_value_t = 20.0)]
    limit: f64,
    /// Folder for the table as JSON and the plot
    #[arg(long)]
    out: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let target = stiction_testing::target_folder().join("bench");
    let out = options.out.clone().unwrap_or_else(|| target.join("out"));
    fs::create_dir_all(&out)?;
    let sources = sources::prepare(&target)?;
    let programs = Programs::build(&target.join("peers"), &options.engines)?;
    let mut table = Table { machine: machine::describe(), rounds: options.rounds, ..Table::default() };
    let mut engines = Vec::new();
    for engine in &options.engines {
        match programs.program(engine.source) {
            Ok(_) => engines.push(engine.clone()),
            Err(reason) => table.skipped.push((engine.name.clone(), reason)),
        }
    }
    println!("machine: {}", table.machine);
    println!("{} rounds; median time of a step on one core over the later half of a run\n", options.rounds);
    table::print_head();
    for file in scene_files(&sources.folder, &options.scenes)? {
        let scene = parse(&fs::read_to_string(&file)?)?;
        let lines = compare(&scene, &file, &engines, &programs, &options, &mut table.skipped)?;
        table::print(&lines);
        table.lines.extend(lines);
    }
    table.print_versions();
    for (name, reason) in &table.skipped {
        println!("skipped: {name}: {reason}");
    }
    let json = out.join("peers.json");
    fs::write(&json, serde_json::to_string_pretty(&table)?)?;
    let drawing = out.join("peers.svg");
    plot::draw(&drawing, &table)?;
    let page = out.join("peers.md");
    fs::write(&page, page::write(&table))?;
    println!("written: {}, {}, {}", json.display(), page.display(), drawing.display());
    Ok(())
}

/// Files of the scenes that are asked for, by name.
fn scene_files(folder: &Path, names: &[String]) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    if names.is_empty() {
        let files = fs::read_dir(folder)?.flatten().map(|f| f.path());
        let mut files: Vec<_> = files.filter(|f| f.extension().is_some_and(|e| e == "scene")).collect();
        files.sort();
        return Ok(files);
    }
    let file = |name: &String| {
        let path = folder.join(format!("{name}.scene"));
        if path.is_file() { Ok(path) } else { Err(format!("no scene `{name}` in {}", folder.display()).into()) }
    };
    names.iter().map(file).collect()
}

/// Runs every engine once a round, so that a busy machine slows all alike, and judges the first round.
fn compare(
    scene: &Scene,
    file: &Path,
    engines: &[Engine],
    programs: &Programs,
    options: &Options,
    skipped: &mut Vec<(String, String)>,
) -> Result<Vec<Line>, Box<dyn Error>> {
    let mut runs: Vec<Result<Vec<Run>, String>> = vec![Ok(Vec::new()); engines.len()];
    let mut found: Vec<Option<Quality>> = vec![None; engines.len()];
    for round in 0..options.rounds {
        for ((engine, runs), quality) in engines.iter().zip(&mut runs).zip(&mut found) {
            let Ok(done) = runs else { continue };
            let states = programs.folder().join(format!("states_{}.txt", std::process::id()));
            let steps = options.steps;
            let states_of_first = (round == 0).then_some(states.as_path());
            let request = Request { scene, file, steps, threads: 1, limit: options.limit, states: states_of_first };
            match engine.run(programs, &request) {
                Ok(run) => done.push(run),
                Err(reason) => *runs = Err(reason),
            }
            if round == 0 && runs.is_ok() {
                let records = quality::read(&fs::read_to_string(&states)?, scene.bodies.len())?;
                *quality = quality::judge(scene, &records);
                fs::remove_file(&states)?;
            }
        }
    }
    let steps = if options.steps > 0 { options.steps } else { scene.steps };
    let mut lines = Vec::new();
    for ((engine, runs), quality) in engines.iter().zip(runs).zip(found) {
        match runs {
            Ok(runs) => lines.push(Line::new(scene, steps, engine, runs, quality)),
            Err(reason) => skipped.push((format!("{} on {}", engine.name, scene.name), reason)),
        }
    }
    table::set_ratios(&mut lines);
    Ok(lines)
}
