//! Runs the scenes of `testdata/zoo` under all engines, prints the table, and writes `docs/zoo.md` and its picture.

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::Parser;
use stiction_bench::zoo::sheet::{self, Film};
use stiction_bench::zoo::{ENGINES, Failing, Known, Scene, Verdict, failures, scenes};

#[derive(Parser)]
#[command(about = "Runs everyday scenes under all engines and holds their statements against them")]
struct Options {
    /// Only scenes whose name contains this; nothing is written but a sheet that --sheet names
    #[arg(long, default_value = "")]
    only: String,
    /// The page
    #[arg(long, default_value = "docs/zoo.md")]
    to: PathBuf,
    /// The picture
    #[arg(long, default_value = "docs/figures/zoo.png")]
    sheet: PathBuf,
    /// Only this engine
    #[arg(long)]
    engine: Option<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let known = failures()?;
    let mut scenes = scenes()?;
    scenes.retain(|scene| scene.name.contains(&options.only));
    let engines = ENGINES.into_iter().filter(|engine| options.engine.as_ref().is_none_or(|only| only == engine));
    let engines: Vec<&str> = engines.collect();
    let (verdicts, films) = run(&scenes, &engines);
    let mut wrong = Vec::new();
    for (scene, verdicts) in scenes.iter().zip(&verdicts) {
        let mut line = format!("{:<22}", scene.name);
        for (engine, verdict) in engines.iter().zip(verdicts) {
            let known = find(&known, &scene.name, engine);
            let _ = write!(line, " {:<12}", mark(verdict, known));
            match (verdict.passes(), known) {
                (false, None) => wrong.push(format!("{} under {engine}: {}", scene.name, verdict.text())),
                (true, Some(_)) => {
                    wrong.push(format!("{} under {engine}: passes, and failures.tsv has it", scene.name))
                }
                _ => {}
            }
        }
        println!("{line}");
    }
    let is_whole = options.only.is_empty() && options.engine.is_none();
    if is_whole {
        std::fs::write(&options.to, page(&scenes, &verdicts, &known)?)?;
    }
    if is_whole || options.sheet != *"docs/figures/zoo.png" {
        sheet::draw(&options.sheet, &films)?;
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Verdicts by scene and engine, and the films of the scenes under the engines of the tests, on all cores.
fn run(scenes: &[Scene], engines: &[&str]) -> (Vec<Vec<Verdict>>, Vec<Film>) {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(scene) = scenes.get(number) else { return };
            let verdicts: Vec<Verdict> = engines.iter().map(|engine| scene.judge(engine, |_| {})).collect();
            let mut film = Film::new(scene);
            let verdict = scene.judge(&scene.engine, |run| film.see(run, scene.duration));
            film.passed(verdict.passes());
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, verdicts, film));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, ..)| *number);
    done.into_iter().map(|(_, verdicts, film)| (verdicts, film)).unzip()
}

fn find<'a>(known: &'a [Known], scene: &str, engine: &str) -> Option<&'a Known> {
    known.iter().find(|known| known.scene == scene && known.engine == engine)
}

const fn mark(verdict: &Verdict, known: Option<&Known>) -> &'static str {
    match (verdict, known) {
        (_, Some(Known { kind: Failing::NotApplicable, .. })) => "n/a",
        (Verdict::Ran(broken), _) if broken.is_empty() => "pass",
        (_, Some(Known { kind: Failing::ByLaw, .. })) => "by law",
        (_, Some(Known { kind: Failing::UntilStep, .. })) => "until step",
        (_, Some(_)) => "fails",
        (Verdict::Refused(_), None) => "REFUSED",
        (Verdict::Ran(_), None) => "FAILS",
    }
}

const HEAD: &str = "\
# The zoo

Everyday scenes that anyone can judge by eye, each with a statement that must hold. Made by `cargo xtask zoo`, which runs every
scene of `testdata/zoo` under every engine, holds its conditions (`statements.tsv`) against the run, and compares the outcome
with the known failures (`failures.tsv`). Among the tests each scene runs under one engine (`crates/stiction-bench/src/tests/zoo.rs`).
To look at a scene:

```sh
stiction run testdata/zoo/pencil_falls.world --duration 2 --plot out.svg --plot-of height,speed
```

The picture has each scene at the start, in the middle and at the end, older outlines lighter, under the engine of the tests.

![All scenes](figures/zoo.png)

";

fn page(scenes: &[Scene], verdicts: &[Vec<Verdict>], known: &[Known]) -> Result<String, Box<dyn Error>> {
    let passed: usize = verdicts.iter().flatten().filter(|verdict| verdict.passes()).count();
    let inapplicable = known.iter().filter(|known| known.kind == Failing::NotApplicable).count();
    let mut text = HEAD.to_owned();
    writeln!(
        text,
        "{} scenes under {} engines: {passed} runs of {} do what they must; {inapplicable} more are not applicable.\n",
        scenes.len(),
        ENGINES.len(),
        scenes.len() * ENGINES.len(),
    )?;
    writeln!(text, "| scene | what must hold | {} |", ENGINES.join(" | "))?;
    writeln!(text, "|---|---|{}", "---|".repeat(ENGINES.len()))?;
    for (scene, verdicts) in scenes.iter().zip(verdicts) {
        write!(text, "| `{}` | {} |", scene.name, scene.about()?.replace('|', "\\|"))?;
        for (engine, verdict) in ENGINES.iter().zip(verdicts) {
            write!(text, " {} |", mark(verdict, find(known, &scene.name, engine)))?;
        }
        text.push('\n');
    }
    text += "\n## What does not pass\n\n`n/a`: the engine has no law for the scene. `by law`: the laws of the engine give this. `until step`: waits for the redesigned step. \
             The measured column has the conditions that did not hold, with the value farthest from them and its time.\n\n\
             | scene | engine | | reason | measured |\n|---|---|---|---|---|\n";
    for (scene, verdicts) in scenes.iter().zip(verdicts) {
        for (engine, verdict) in ENGINES.iter().zip(verdicts).filter(|(_, verdict)| !verdict.passes()) {
            let known = find(known, &scene.name, engine);
            let reason = known.map_or("", |known| known.reason.as_str());
            let (mark, measured) = (mark(verdict, known), verdict.text().replace('|', "\\|").replace('\n', " "));
            writeln!(text, "| `{}` | `{engine}` | {mark} | {reason} | {measured} |", scene.name)?;
        }
    }
    Ok(text)
}
