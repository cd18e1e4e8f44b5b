//! Benchmarks: our steps and ODE's on the same scenes, judged by the same eye.

mod judge;
mod ode;
mod ours;
mod table;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use stiction_bench::sources;
use stiction_scenes::{Scene, parse};
use stiction_testing::counting::Counting;

use ode::{Ode, SPACES};
use table::Line;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(Parser)]
#[command(about = "Steps the benchmark scenes with Stiction and with ODE, and compares")]
struct Options {
    /// Runs of each engine; the fastest counts
    #[arg(long, default_value_t = 3)]
    repeats: usize,
    /// Only scenes whose name starts with this
    #[arg(long, default_value = "")]
    only: String,
    /// Our own runs alone
    #[arg(long)]
    alone: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let target = stiction_testing::target_folder().join("bench");
    let sources = sources::prepare(&target)?;
    let peer = match (options.alone, Ode::compile(&target)) {
        (true, _) => None,
        (false, Ok(peer)) => Some(peer),
        (false, Err(words)) => {
            eprintln!("!!! ODE takes no part (Debian: apt-get install libode-dev): {words}");
            None
        }
    };
    table::head();
    let mut all = Vec::new();
    for name in sources::NAMES.iter().filter(|name| name.starts_with(&options.only)) {
        let path = sources.folder.join(format!("{name}.scene"));
        let scene = parse(&fs::read_to_string(&path)?)?;
        let mut lines = compare(&scene, &path, peer.as_ref(), options.repeats.max(1), &target)?;
        if let Some(script) = &sources.judge {
            let states: Vec<_> = lines.iter().map(|l| states_file(&target, &l.engine)).collect();
            let states: Vec<&Path> = states.iter().map(PathBuf::as_path).collect();
            match judge::judge(script, &path, &states) {
                Ok(found) => lines.iter_mut().zip(found).for_each(|(line, q)| line.quality = q),
                Err(words) => eprintln!("!!! no judge (PYTHON=… with mujoco and numpy): {words}"),
            }
        }
        table::print(&lines, peer.is_some());
        all.extend(lines);
    }
    table::save(&all, &target)?;
    if all.iter().any(|l| l.engine == OURS[0] && l.allocations.is_some_and(|a| a > 0.0)) {
        eprintln!("!!! steps allocate after warm-up");
    }
    Ok(())
}

/// Our two settings: the sweeps alone, and the defaults.
const OURS: [&str; 2] = ["ours 20 sweeps", "ours default"];

fn states_file(target: &Path, engine: &str) -> PathBuf {
    target.join(format!("{}.txt", engine.replace(' ', "_")))
}

/// Runs by turns, so that a busy machine slows all alike.
fn compare(
    scene: &Scene,
    path: &Path,
    peer: Option<&Ode>,
    repeats: usize,
    target: &Path,
) -> Result<Vec<Line>, Box<dyn Error>> {
    let blank = |engine: &str| Line {
        scene: scene.name.clone(),
        engine: engine.to_owned(),
        fastest: f64::INFINITY,
        mean: 0.0,
        contacts: 0,
        allocations: None,
        quality: None,
    };
    let mut lines: Vec<Line> = OURS.map(blank).into();
    let mut peers: Vec<Line> = peer.map_or(Vec::new(), |_| SPACES.map(|s| blank(&format!("ode {s}"))).into());
    for _ in 0..repeats {
        for (line, is_default) in lines.iter_mut().zip([false, true]) {
            let run = ours::run(scene, &ours::parameters(is_default))?;
            line.fastest = line.fastest.min(run.time);
            line.mean += run.time / repeats as f64;
            line.contacts = run.contacts;
            line.allocations = Some(run.allocations);
            fs::write(states_file(target, &line.engine), run.states)?;
        }
        for (line, space) in peers.iter_mut().zip(SPACES) {
            let states = states_file(target, &line.engine);
            let Some(run) = peer.and_then(|p| p.run(path, space, &states)) else { continue };
            line.fastest = line.fastest.min(run.time);
            line.mean += run.time / repeats as f64;
            line.contacts = run.contacts;
        }
    }
    peers.sort_by(|a, b| a.fastest.total_cmp(&b.fastest));
    lines.extend(peers.into_iter().take(1));
    Ok(lines)
}
