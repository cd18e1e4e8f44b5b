//! Collects what `stiction check` and `stiction run` say of many files under several engines, and counts it by kind.

mod files;
mod kind;
mod page;
mod tell;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Parser;
use stiction_testing::target_folder;
use tell::Message;

#[derive(Parser)]
#[command(about = "Counts the warnings of `stiction check` and `stiction run` over public worlds and robots")]
struct Options {
    /// Folder of the reference
    #[arg(long, default_value = "../shared")]
    shared: PathBuf,
    /// The command that is asked, if not the one built beside this program
    #[arg(long)]
    command: Option<PathBuf>,
    /// Only files whose path contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Only this engine
    #[arg(long)]
    engine: Option<String>,
    /// Longest wall time of one run in seconds; then it ends after its step, and what it has said counts
    #[arg(long, default_value_t = 3.0)]
    limit: f64,
    /// Processes at a time
    #[arg(long, default_value_t = 2)]
    processes: usize,
    /// The list: file, engine, where it was said (check or run), severity, kind, text
    #[arg(long)]
    list: Option<PathBuf>,
    /// The page of the documentation, written if `--before` has a list to compare with
    #[arg(long, default_value = "docs/warnings.md")]
    to: PathBuf,
    /// A list of an earlier commit
    #[arg(long)]
    before: Option<PathBuf>,
    /// A list that is there already: nothing is asked
    #[arg(long)]
    now: Option<PathBuf>,
}

/// Engines that differ in what they say.
const ENGINES: [&str; 5] = ["ode", "dart", "simbody", "agx", "drake-discrete"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    let messages = match &options.now {
        Some(list) => tell::read(&std::fs::read_to_string(list)?),
        None => ask_all(&options)?,
    };
    let counts = kind::counts(&messages);
    print!("{}", page::table(&BTreeMap::new(), &counts));
    if let Some(before) = &options.before {
        let before = kind::counts(&tell::read(&std::fs::read_to_string(before)?));
        std::fs::write(&options.to, page::page(&before, &counts))?;
    }
    Ok(())
}

/// Asks about every file under every engine, and writes the list.
fn ask_all(options: &Options) -> Result<Vec<Message>, Box<dyn std::error::Error>> {
    let beside = std::env::current_exe()?.with_file_name("stiction");
    let command = options.command.clone().unwrap_or(beside);
    let robots = files::robots();
    let all = files::all(&options.shared, robots.as_deref())?;
    let engines = ENGINES.iter().filter(|engine| options.engine.as_deref().is_none_or(|only| only == **engine));
    let cases: Vec<(&files::File, &str)> = engines
        .flat_map(|engine| all.iter().map(move |file| (file, *engine)))
        .filter(|(file, _)| file.name.contains(&options.only))
        .collect();
    let (next, messages) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..options.processes.max(1) {
            scope.spawn(|| {
                while let Some((file, engine)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let here = tell::ask(&command, file, engine, options.limit);
                    messages.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend(here);
                }
            });
        }
    });
    let mut messages: Vec<Message> = messages.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    messages.sort();
    let list = options.list.clone().unwrap_or_else(|| target_folder().join("warnings.tsv"));
    std::fs::write(&list, lines(&messages))?;
    println!("{} files, {} cases: {}", all.len(), cases.len(), list.display());
    Ok(messages)
}

fn lines(messages: &[Message]) -> String {
    let mut text = String::new();
    for one in messages {
        let said = one.text.replace(['\t', '\n'], " ");
        let _ = writeln!(text, "{}\t{}\t{}\t{}\t{}\t{said}", one.file, one.engine, one.by, one.severity, one.kind);
    }
    text
}
