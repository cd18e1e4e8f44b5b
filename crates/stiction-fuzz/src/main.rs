//! `cargo xtask fuzz`: random worlds by seed, judged by physics.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use stiction_fuzz::case::{Kind, keep_panics, run};
use stiction_fuzz::setting::Setting;
use stiction_fuzz::trace::trace;
use stiction_fuzz::verdict::Verdict;

/// A case that takes longer does not end: the slowest take a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// Random worlds, judged by physics. Exit code 1 where a bound was broken, more often than `--allow` says.
#[derive(Parser)]
struct Arguments {
    /// Seconds of wall time at most.
    #[arg(long, default_value_t = 120.0)]
    seconds: f64,
    /// First seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seeds at most; each is one case of every kind and setting.
    #[arg(long)]
    count: Option<u64>,
    /// Only this kind.
    #[arg(long)]
    kind: Option<Kind>,
    /// Only this setting, such as ode, ode-quick-bare, ode-world-reduced.
    #[arg(long)]
    setting: Option<String>,
    /// Steps of a scene, calls of a program.
    #[arg(long, default_value_t = 300)]
    steps: usize,
    /// Cases that may break a bound: findings that are known to stand under this seed and count.
    #[arg(long, default_value_t = 0)]
    allow: u64,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Prints the energy of the first seed's case every so many steps instead.
    #[arg(long, value_name = "STEPS")]
    trace: Option<usize>,
}

/// Counts of one kind under one setting.
#[derive(Default)]
struct Tally {
    cases: u64,
    steps: u64,
    calls: u64,
    failed: u64,
    counts: BTreeMap<&'static str, u64>,
}

/// Counts by kind and setting.
type Table = BTreeMap<(&'static str, String), Tally>;

impl Tally {
    fn add(&mut self, verdict: &Verdict) {
        self.cases += 1;
        self.steps += verdict.steps;
        self.calls += verdict.calls;
        self.failed += u64::from(!verdict.failures.is_empty());
        for what in verdict.failures.iter().map(|(what, _)| what).chain(&verdict.notes) {
            *self.counts.entry(what).or_default() += 1;
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let named = |s: &Setting| arguments.setting.as_ref().is_none_or(|name| *name == s.name());
    let settings: Vec<_> = Setting::ALL.into_iter().filter(named).collect();
    if settings.is_empty() {
        eprintln!("no such setting; there are {}", Setting::ALL.map(|s| s.name()).join(", "));
        return ExitCode::from(2);
    }
    let kinds = arguments.kind.map_or(Kind::ALL.to_vec(), |kind| vec![kind]);
    if let Some(every) = arguments.trace {
        trace(kinds[0], arguments.seed, &settings[0], arguments.steps, every);
        return ExitCode::SUCCESS;
    }
    keep_panics();
    let table = fuzz(&arguments, &kinds, &settings);
    print_table(&table);
    let failed: u64 = table.values().map(|row| row.failed).sum();
    println!("{failed} cases broke a bound; {} are known to stand", arguments.allow);
    if failed > arguments.allow { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Runs seed after seed, each under every setting.
fn fuzz(arguments: &Arguments, kinds: &[Kind], settings: &[Setting]) -> Table {
    let end = Instant::now() + Duration::from_secs_f64(arguments.seconds.clamp(0.0, 1e9));
    let units = (kinds.len() * settings.len()) as u64;
    let most = arguments.count.map_or(u64::MAX, |count| count.saturating_mul(units));
    let next = AtomicU64::new(0);
    let table = Mutex::new(Table::new());
    let threads = arguments.threads.max(1);
    let running = Mutex::new(vec![None; threads]);
    let busy = AtomicUsize::new(threads);
    std::thread::scope(|scope| {
        scope.spawn(|| watch(&running, &busy, &table));
        for thread in 0..threads {
            let (running, table, next, busy) = (&running, &table, &next, &busy);
            scope.spawn(move || {
                let _done = Done(busy);
                while Instant::now() < end {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= most {
                        return;
                    }
                    let unit = (number % units) as usize;
                    let (kind, setting) = (kinds[unit / settings.len()], &settings[unit % settings.len()]);
                    let seed = arguments.seed.wrapping_add(number / units);
                    let command = repeat(kind, seed, setting, arguments.steps);
                    begin(running, thread, Some((Instant::now(), command)));
                    let verdict = run(kind, seed, setting, arguments.steps);
                    begin(running, thread, None);
                    for line in findings(kind, seed, setting, arguments.steps, &verdict) {
                        println!("{line}");
                    }
                    if let Ok(mut table) = table.lock() {
                        table.entry((kind.name(), setting.name())).or_default().add(&verdict);
                    }
                }
            });
        }
    });
    table.into_inner().unwrap_or_default()
}

/// Takes a thread off the count when it ends, however it does.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What each thread is at, and since when.
type Running = Mutex<Vec<Option<(Instant, String)>>>;

fn begin(running: &Running, thread: usize, case: Option<(Instant, String)>) {
    if let Ok(mut running) = running.lock() {
        running[thread] = case;
    }
}

/// Ends the program where a case does not end.
fn watch(running: &Running, busy: &AtomicUsize, table: &Mutex<Table>) {
    while busy.load(Ordering::Relaxed) > 0 {
        std::thread::sleep(Duration::from_millis(50));
        let Ok(running) = running.lock() else { return };
        for (began, command) in running.iter().flatten() {
            if began.elapsed() > PATIENCE {
                println!("no end after {} s; `{command}`", PATIENCE.as_secs());
                if let Ok(table) = table.lock() {
                    print_table(&table);
                }
                std::process::exit(1);
            }
        }
    }
}

/// The command that repeats a case.
fn repeat(kind: Kind, seed: u64, setting: &Setting, steps: usize) -> String {
    let (kind, setting) = (kind.name(), setting.name());
    format!("cargo xtask fuzz --kind {kind} --setting {setting} --seed {seed} --count 1 --steps {steps}")
}

/// A line for each bound that a case broke.
fn findings(kind: Kind, seed: u64, setting: &Setting, steps: usize, verdict: &Verdict) -> Vec<String> {
    let repeat = repeat(kind, seed, setting, steps);
    let (kind, setting) = (kind.name(), setting.name());
    let lines = verdict.failures.iter().map(|(what, figure)| {
        format!("{kind} seed {seed} {setting}: {what} {figure}; {}; `{repeat}`", verdict.description)
    });
    lines.collect()
}

fn print_table(table: &Table) {
    println!("| kind | setting | cases | steps | calls | failed | of which, and told |");
    println!("|---|---|---:|---:|---:|---:|---|");
    for ((kind, setting), row) in table {
        let counts: Vec<_> = row.counts.iter().map(|(what, count)| format!("{what} {count}")).collect();
        println!(
            "| {kind} | {setting} | {} | {} | {} | {} | {} |",
            row.cases,
            row.steps,
            row.calls,
            row.failed,
            counts.join(", ")
        );
    }
}
