//! Writes `testdata/hashes.tsv`, the state hashes of worlds under every engine after a number of steps, or compares the
//! present ones with it (`--check`): what a change of the engine did to results, line by line.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use clap::Parser;
use stiction::world::Preset;
use stiction_bench::worlds::worlds;
use stiction_formats::FileRequest;
use stiction_run::{RunError, Setup};

/// Where the reference files are.
const SHARED: &str = "../shared";
/// The table.
const TABLE: &str = "testdata/hashes.tsv";
/// Steps of a run.
const STEPS: u64 = 300;
/// Longest time of a run that is recorded \[s\]: what takes longer is recorded after the steps that it made.
const LONGEST: f64 = 3.0;
/// Between two looks at the clock.
const STRIDE: u64 = 10;

#[derive(Parser)]
#[command(about = "Records the state hashes of worlds under every engine, or compares them with the recorded ones")]
struct Options {
    /// Compare with testdata/hashes.tsv; exit 1 if a line differs
    #[arg(long)]
    check: bool,
    /// Only files whose path contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Only every Nth run, for a quick look
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
}

impl Options {
    /// The recorded lines that must be found again: those of the selected files, without the reference where it is absent; of a
    /// quick look those that were run.
    fn wanted(&self, mut recorded: BTreeMap<Key, Entry>, found: &BTreeMap<Key, Entry>) -> BTreeMap<Key, Entry> {
        let has_reference = Path::new(SHARED).is_dir();
        let is_selected = |file: &str| file.contains(&self.only) && (has_reference || !file.starts_with(SHARED));
        recorded.retain(|key, _| is_selected(&key.0) && (self.every == 1 || found.contains_key(key)));
        recorded
    }
}

/// A file under an engine.
type Key = (String, String);

/// Steps, and the hash behind them or `refused`.
type Entry = (u64, String);

fn main() -> ExitCode {
    let options = Options::parse();
    let recorded = std::fs::read_to_string(TABLE).map(|text| parse(&text)).unwrap_or_default();
    match compute(&options, &recorded) {
        Ok(found) if options.check => compare(&options.wanted(recorded, &found), &found),
        Ok(found) => record(recorded, found),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The bundled worlds, the worlds of the reference and its models.
fn files() -> std::io::Result<Vec<PathBuf>> {
    let mut files = worlds(Path::new("worlds"))?;
    files.push("worlds/robots/quadruped.urdf".into());
    files.retain(|file| !file.starts_with("worlds/models"));
    for folder in ["worlds", "models"].map(|name| Path::new(SHARED).join(name)) {
        if folder.is_dir() {
            files.extend(worlds(&folder)?);
        } else {
            println!("SKIPPED {}: it is not there", folder.display());
        }
    }
    Ok(files)
}

/// Runs what the options select, on all cores.
fn compute(options: &Options, recorded: &BTreeMap<Key, Entry>) -> std::io::Result<BTreeMap<Key, Entry>> {
    // `ode` is one of the two others, by the solver of the file.
    let engines: Vec<&str> = Preset::ALL.into_iter().filter(|p| *p != Preset::Ode).map(Preset::name).collect();
    let files = files()?;
    let all = files.iter().flat_map(|file| engines.iter().map(move |engine| (file, *engine)));
    let selected = all.filter(|(file, _)| file.to_string_lossy().contains(&options.only));
    let jobs: Vec<(&PathBuf, &str)> = selected.step_by(usize::try_from(options.every).unwrap_or(usize::MAX)).collect();
    let next = AtomicUsize::new(0);
    let found = Mutex::new(BTreeMap::new());
    let work = || {
        while let Some((file, engine)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let key = (file.to_string_lossy().into_owned(), (*engine).to_owned());
            let steps = recorded.get(&key).filter(|_| options.check).map(|entry| entry.0);
            let entry = hash(file, engine, steps).unwrap_or_else(|_| (0, "refused".to_owned()));
            found.lock().unwrap_or_else(PoisonError::into_inner).insert(key, entry);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The hash after the steps that are given, or after those that [`LONGEST`] allows.
fn hash(file: &Path, engine: &str, steps: Option<u64>) -> Result<Entry, RunError> {
    let mut setup = Setup::default().engine(engine);
    setup.files = vec![FileRequest { path: file.to_owned(), name: None, pose: None }];
    setup.model_path = vec![Path::new(SHARED).join("models")];
    setup.lenient = true;
    let mut run = setup.start()?;
    let begun = Instant::now();
    let wanted = steps.unwrap_or(STEPS);
    for step in 0..wanted {
        let is_late = steps.is_none() && step % STRIDE == 0 && begun.elapsed().as_secs_f64() > LONGEST;
        if is_late || run.step().is_err() {
            break;
        }
    }
    Ok((run.steps(), format!("{:016x}", run.simulation().state_hash())))
}

fn parse(table: &str) -> BTreeMap<Key, Entry> {
    let entry = |line: &str| {
        let mut parts = line.split('\t');
        let key = (parts.next()?.to_owned(), parts.next()?.to_owned());
        Some((key, (parts.next()?.parse().ok()?, parts.next()?.to_owned())))
    };
    table.lines().filter_map(entry).collect()
}

/// Writes the table; lines of files that were not run stay.
fn record(mut table: BTreeMap<Key, Entry>, found: BTreeMap<Key, Entry>) -> ExitCode {
    let count = found.len();
    table.extend(found);
    let mut text = String::from("file\tengine\tsteps\tstate hash\n");
    for ((file, engine), (steps, hash)) in &table {
        // Writing into a string does not fail.
        let _ = writeln!(text, "{file}\t{engine}\t{steps}\t{hash}");
    }
    if let Err(error) = std::fs::write(TABLE, text) {
        eprintln!("error: cannot write {TABLE}: {error}");
        return ExitCode::FAILURE;
    }
    println!("{count} hashes written to {TABLE}");
    ExitCode::SUCCESS
}

/// Prints each line that differs, that is new, or that was not found again.
fn compare(recorded: &BTreeMap<Key, Entry>, found: &BTreeMap<Key, Entry>) -> ExitCode {
    let keys: BTreeSet<&Key> = recorded.keys().chain(found.keys()).collect();
    let mut differing = 0;
    for key in keys {
        let (before, now) = (recorded.get(key), found.get(key));
        if before != now {
            differing += 1;
            let shown = |entry: Option<&Entry>| {
                entry.map_or_else(|| "nothing".to_owned(), |(n, h)| format!("{h} after {n} steps"))
            };
            println!("{}\t{}: recorded {}, now {}", key.0, key.1, shown(before), shown(now));
        }
    }
    println!("{} hashes compared with {TABLE}, {differing} differ", found.len());
    if differing == 0 && !found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
