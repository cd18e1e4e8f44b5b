//! Writes `docs/worlds_by_engine.md`: every world of the reference under the four engine types.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Parser;
use stiction_bench::worlds::{ALLOWED, DURATION, ENGINES, Judged, judge, worlds};

#[derive(Parser)]
#[command(
    about = "Runs the worlds of the reference under the four engine types and writes the table of the documentation"
)]
struct Options {
    /// Folder of the reference, with `worlds` and `models`
    #[arg(long, default_value = "../shared")]
    shared: PathBuf,
    /// The page
    #[arg(long, default_value = "docs/worlds_by_engine.md")]
    to: PathBuf,
    /// Only worlds whose path contains this; the page is printed, not written
    #[arg(long, default_value = "")]
    only: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    let mut rows: BTreeMap<String, Vec<Judged>> = BTreeMap::new();
    let mut refused = Vec::new();
    for path in worlds(&options.shared.join("worlds"))? {
        if !path.to_string_lossy().contains(&options.only) {
            continue;
        }
        for engine in ENGINES {
            match judge(&options.shared, &path, engine) {
                Ok(judged) => rows.entry(judged.world.clone()).or_default().push(judged),
                Err(error) => refused.push(format!("{} under {engine}: {error}", path.display())),
            }
        }
    }
    let page = page(&rows);
    if options.only.is_empty() {
        std::fs::write(&options.to, page)?;
    } else {
        print!("{page}");
    }
    let wrong: Vec<String> = rows
        .values()
        .flatten()
        .filter(|judged| !judged.is_sound() && judged.excuse().is_none())
        .map(|judged| format!("{} under {}: {}", judged.world, judged.engine, cell(judged)))
        .chain(refused)
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

fn page(rows: &BTreeMap<String, Vec<Judged>>) -> String {
    let mut page = format!(
        "# Worlds by engine\n\nMade by `cargo xtask worlds`: {} worlds of Gazebo classic, new Gazebo and the free boxes benchmark, {DURATION} s \
         each under the four types of `<physics>`, with the parameters of their files. Each cell has the energy that the run made, of \
         that in play ([soundness.md](soundness.md)), the deepest penetration and the largest gap of a joint \\[mm\\], and the speed in \
         multiples of real time on the machine that made the page. Runs that make more than {} % are marked, with the reason below. \
         A penetration of centimetres is that of the start, of a soft contact, or of a body that rests in a spring.\n\n| world |",
        rows.len(),
        100.0 * ALLOWED
    );
    for engine in ENGINES {
        let _ = write!(page, " {engine} |");
    }
    page += "\n|---|---|---|---|---|\n";
    let mut notes: Vec<&str> = Vec::new();
    for (world, judged) in rows {
        let _ = write!(page, "| `{world}` |");
        for one in judged {
            let mark = match one.excuse() {
                Some(excuse) if !one.is_sound() => {
                    let known = notes.iter().position(|note| *note == excuse);
                    let number = known.unwrap_or_else(|| {
                        notes.push(excuse);
                        notes.len() - 1
                    });
                    format!(" ({})", number + 1)
                }
                _ => String::new(),
            };
            let _ = write!(page, " {}{mark} |", cell(one));
        }
        page.push('\n');
    }
    page.push('\n');
    for (number, note) in notes.iter().enumerate() {
        let _ = writeln!(page, "{}. {}.", number + 1, capital(note));
    }
    page
}

fn cell(judged: &Judged) -> String {
    let Judged { made, depth, gap, speed, is_finite, .. } = judged;
    let state = if *is_finite { "" } else { "**not finite** " };
    format!(
        "{state}{} %, {}, {}, {}×",
        short(100.0 * made),
        short(1e3 * depth),
        short(1e3 * gap),
        if *speed < 10.0 { format!("{speed:.1}") } else { format!("{speed:.0}") }
    )
}

/// Two digits, and nothing below a thousandth.
fn short(value: f64) -> String {
    match value {
        value if value < 5e-4 => "0".to_owned(),
        value if value < 0.1 => format!("{value:.3}"),
        value if value < 10.0 => format!("{value:.2}"),
        value => format!("{value:.0}"),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
