//! Writes `docs/loading.md`: what of every model and world of a folder is loaded and in force, and how it runs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Parser;
use stiction_bench::clock::microseconds;
use stiction_bench::worlds::worlds;
use stiction_formats::FileRequest;
use stiction_formats::description::{GeometryDescription, WorldDescription};
use stiction_run::Setup;

#[derive(Parser)]
#[command(about = "Loads and runs the models and worlds of a folder, and writes the table of the documentation")]
struct Options {
    /// Folder with `worlds` and `models`, or one of models alone
    #[arg(long, default_value = "../shared")]
    folder: PathBuf,
    /// The page; without it that of another folder than the reference is printed
    #[arg(long)]
    to: Option<PathBuf>,
    /// How long each runs, in seconds
    #[arg(long, default_value_t = 2.0)]
    duration: f64,
}

/// What became of a file.
enum Outcome {
    Refused(String),
    Ran(Box<Row>),
}

struct Row {
    kept: usize,
    collisions: usize,
    plugins: usize,
    skipped: usize,
    sensors: usize,
    speed: f64,
    made: f64,
    /// Links that ended more than 1 m below where they began, without a plugin that would move them.
    fallen: usize,
    failure: Option<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    let mut files = Vec::new();
    for part in ["models", "worlds"] {
        let folder = options.folder.join(part);
        if folder.is_dir() {
            files.extend(files_of(&folder)?);
        }
    }
    if files.is_empty() {
        files = files_of(&options.folder)?;
    }
    let models = [options.folder.join("models"), options.folder.clone()];
    let rows: Vec<(String, Outcome)> = files
        .iter()
        .map(|file| {
            let name = file.strip_prefix(&options.folder).unwrap_or(file).display().to_string();
            (name, run(file, &models, options.duration))
        })
        .collect();
    let page = page(&rows, options.duration);
    let is_reference = options.folder == Path::new("../shared");
    match options.to.or_else(|| is_reference.then(|| PathBuf::from("docs/loading.md"))) {
        Some(path) => std::fs::write(path, page)?,
        None => print!("{page}"),
    }
    Ok(())
}

/// Folders of models with a `model.config` as they are, and worlds.
fn files_of(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut models = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.join("model.config").is_file() {
            models.push(path);
        }
    }
    models.sort();
    if models.is_empty() { worlds(folder) } else { Ok(models) }
}

fn run(file: &Path, models: &[PathBuf], duration: f64) -> Outcome {
    let mut setup = Setup::default();
    setup.files = vec![FileRequest { path: file.to_owned(), name: None, pose: None }];
    setup.model_path = models.to_vec();
    let mut run = match setup.start() {
        Ok(run) => run,
        Err(error) => return Outcome::Refused(error.to_string().lines().next().unwrap_or_default().to_owned()),
    };
    let heights = |run: &stiction_run::Run| -> Vec<f64> {
        let simulation = run.simulation();
        simulation.links.iter().map(|link| simulation.link_pose(link).position.z).collect()
    };
    let before = heights(&run);
    let start = microseconds();
    let stopped = run.advance(duration).err();
    let time = 1e-6 * (microseconds() - start);
    let summary = run.summary(time).json();
    let number = |path: &str| summary.pointer(path).and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN);
    let fallen =
        before.iter().zip(heights(&run)).filter(|(before, after)| *before - after > 1.0 && *after < -0.5).count();
    let world = run.description();
    let (kept, collisions) = kept(world);
    Outcome::Ran(Box::new(Row {
        kept,
        collisions,
        plugins: world.plugins.len(),
        skipped: world.skipped.iter().filter(|s| s.plugin().is_some()).map(|s| s.count).sum(),
        sensors: world.sensors.list.len(),
        speed: number("/real_time_factor"),
        made: number("/energy_balance/made/share"),
        fallen,
        failure: stopped.or_else(|| run.failure()).map(|failure| failure.to_string()),
    }))
}

/// Collisions that have a shape, and all.
fn kept(world: &WorldDescription) -> (usize, usize) {
    let collisions = || world.links.iter().flat_map(|link| &link.collisions);
    let kept = collisions().filter(|c| !matches!(c.geometry, GeometryDescription::Unsupported(_))).count();
    (kept, collisions().count())
}

fn page(rows: &[(String, Outcome)], duration: f64) -> String {
    let ran = || rows.iter().filter_map(|(_, outcome)| if let Outcome::Ran(row) = outcome { Some(row) } else { None });
    let mut page = format!(
        "# What is loaded\n\nMade by `cargo xtask models`: models and worlds of the reference, {duration} s each. {} of {} load; {} of {} \
         collisions are kept, {} plugins and {} sensors in force, {} plugins skipped. *energy made* is that of \
         [soundness.md](soundness.md) over the energy in play.\n\n\
         | file | collisions kept | plugins in force, skipped | sensors | × real time | energy made | |\n|---|---|---|---|---|---|---|\n",
        ran().count(),
        rows.len(),
        ran().map(|row| row.kept).sum::<usize>(),
        ran().map(|row| row.collisions).sum::<usize>(),
        ran().map(|row| row.plugins).sum::<usize>(),
        ran().map(|row| row.sensors).sum::<usize>(),
        ran().map(|row| row.skipped).sum::<usize>(),
    );
    for (name, outcome) in rows {
        // Writing into a string does not fail.
        let _ = match outcome {
            Outcome::Refused(reason) => writeln!(page, "| `{name}` | | | | | | not loaded: {reason} |"),
            Outcome::Ran(row) => {
                let fallen = if row.fallen > 0 {
                    format!("{} links end more than 1 m lower, below z = −0.5 m. ", row.fallen)
                } else {
                    String::new()
                };
                let failure = row.failure.as_deref().unwrap_or_default();
                writeln!(
                    page,
                    "| `{name}` | {} of {} | {}, {} | {} | {:.0} | {:.2} % | {fallen}{failure} |",
                    row.kept,
                    row.collisions,
                    row.plugins,
                    row.skipped,
                    row.sensors,
                    row.speed,
                    100.0 * row.made
                )
            }
        };
    }
    page
}
