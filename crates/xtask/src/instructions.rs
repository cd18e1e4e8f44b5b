//! `cargo xtask instructions`: instructions of a step, counted by valgrind, compared with `testdata/instructions.tsv`.
//!
//! Valgrind knows no AVX-512, so that the kernels of four lanes run. A count is the difference of two runs of different
//! length, which cancels loading. It depends on the compiler, whose version is in the file.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::root;

/// The table, from the root.
const TABLE: &str = "testdata/instructions.tsv";
/// Growth of a count that fails.
const LARGEST_LOSS: f64 = 0.05;
/// Scenes of `stiction-scenes`, and steps of the shorter and the longer run.
const SCENES: [(&str, [usize; 2]); 3] = [("pyramid12", [10, 30]), ("pile3", [100, 120]), ("quadrupeds9", [10, 40])];
const ENGINES: [&str; 3] = ["stiction", "ode-quick", "bullet"];

/// Counts, and compares with the table (`--check`, which is usual) or writes it (`--record`).
pub(crate) fn run(options: &[String]) -> ExitCode {
    let is_recorded = match options {
        [] => false,
        [option] if option == "--check" => false,
        [option] if option == "--record" => true,
        _ => {
            eprintln!("usage: cargo xtask instructions [--check | --record]");
            return ExitCode::from(2);
        }
    };
    match count_all(is_recorded) {
        Ok(code) => code,
        Err(words) => {
            eprintln!("error: {words}");
            ExitCode::FAILURE
        }
    }
}

fn count_all(is_recorded: bool) -> Result<ExitCode, String> {
    let compiler = compiler();
    let path = root().join(TABLE);
    let recorded = parse(&std::fs::read_to_string(&path).unwrap_or_default());
    let skip = |reason: String| {
        println!("!!! instructions are not counted: {reason}");
        Ok(ExitCode::SUCCESS)
    };
    if Command::new("valgrind").arg("--version").output().is_err() {
        return skip("valgrind is not installed (Debian: apt-get install valgrind)".to_owned());
    }
    if !is_recorded && recorded.compiler != compiler {
        return skip(format!("{TABLE} is of `{}`, this is `{compiler}`", recorded.compiler));
    }
    if !crate::build("step") {
        return Ok(ExitCode::FAILURE);
    }
    let counts = count(&stiction_testing::target_folder())?;
    if is_recorded {
        std::fs::write(&path, print(&compiler, &counts)).map_err(|e| format!("cannot write {TABLE}: {e}"))?;
        println!("{} counts written to {TABLE}", counts.len());
        return Ok(ExitCode::SUCCESS);
    }
    Ok(if compare(&recorded.counts, &counts) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Instructions of a step by scene and engine.
type Counts = BTreeMap<(String, String), u64>;

/// The table.
#[derive(Debug, Default, PartialEq)]
struct Recorded {
    compiler: String,
    counts: Counts,
}

/// The compiler that builds the workspace.
fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").current_dir(root()).output();
    output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned()).unwrap_or_default()
}

/// Counts every scene under every engine, both lengths at once on two cores.
fn count(target: &Path) -> Result<Counts, String> {
    let step = target.join("release/step");
    let mut counts = Counts::new();
    for (scene, steps) in SCENES {
        for engine in ENGINES {
            let run = |steps| instructions(&step, scene, engine, steps);
            let [short, long] = std::thread::scope(|scope| {
                let longer = scope.spawn(|| run(steps[1]));
                [run(steps[0]), longer.join().unwrap_or_else(|_| Err("a thread ended".to_owned()))]
            });
            let per_step = (long? - short?) / (steps[1] - steps[0]) as u64;
            counts.insert((scene.to_owned(), engine.to_owned()), per_step);
        }
    }
    Ok(counts)
}

/// Instructions of a run.
fn instructions(step: &Path, scene: &str, engine: &str, steps: usize) -> Result<u64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(step)
        .arg(scene)
        .args([&steps.to_string(), "1", "0", "-", engine])
        .output()
        .map_err(|e| format!("cannot run valgrind: {e}"))?;
    let words = String::from_utf8_lossy(&output.stderr);
    let count = collected(&words).filter(|_| output.status.success());
    count.ok_or_else(|| format!("valgrind failed: {}", words.lines().last().unwrap_or_default()))
}

/// The count at the end of callgrind's words.
fn collected(words: &str) -> Option<u64> {
    let line = words.lines().rev().find(|line| line.contains("Collected"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

fn parse(table: &str) -> Recorded {
    let mut recorded = Recorded::default();
    for line in table.lines() {
        let mut parts = line.split('\t');
        match (parts.next(), parts.next(), parts.next()) {
            (Some("compiler"), Some(version), None) => version.clone_into(&mut recorded.compiler),
            (Some(scene), Some(engine), Some(count)) => {
                if let Ok(count) = count.parse() {
                    recorded.counts.insert((scene.to_owned(), engine.to_owned()), count);
                }
            }
            _ => {}
        }
    }
    recorded
}

fn print(compiler: &str, counts: &Counts) -> String {
    let mut text = format!("compiler\t{compiler}\nscene\tengine\tinstructions per step\n");
    for ((scene, engine), count) in counts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{scene}\t{engine}\t{count}");
    }
    text
}

/// Prints every count next to the recorded one; false if one is missing or has grown too much.
fn compare(recorded: &Counts, found: &Counts) -> bool {
    let mut is_kept = true;
    for (key, now) in found {
        let Some(before) = recorded.get(key) else {
            println!("{} {}: {now}, not recorded (cargo xtask instructions --record)", key.0, key.1);
            is_kept = false;
            continue;
        };
        let change = *now as f64 / *before as f64 - 1.0;
        let is_lost = change > LARGEST_LOSS;
        let mark = if is_lost { "  !!! more than 5 % lost" } else { "" };
        println!("{:<12} {:<10} {before:>10} {now:>10} {:>+7.2} %{mark}", key.0, key.1, 100.0 * change);
        is_kept &= !is_lost;
    }
    is_kept
}

#[cfg(test)]
mod tests {
    use super::{Counts, collected, compare, parse, print};

    fn counts(list: &[(&str, u64)]) -> Counts {
        list.iter().map(|(engine, count)| (("pile".to_owned(), (*engine).to_owned()), *count)).collect()
    }

    #[test]
    fn the_count_of_callgrind() {
        let words = "==7== Events    : Ir\n==7== Collected : 1234567\n==7== \n==7== I   refs:      1,234,567\n";
        assert_eq!(collected(words), Some(1_234_567));
        assert_eq!(collected("==7== killed"), None);
    }

    #[test]
    fn a_table_reads_back_and_a_loss_is_seen() {
        let table = counts(&[("bullet", 1000), ("stiction", 500)]);
        let read = parse(&print("rustc 1.95.0", &table));
        assert_eq!((read.compiler.as_str(), &read.counts), ("rustc 1.95.0", &table));
        assert!(compare(&table, &counts(&[("bullet", 1049), ("stiction", 100)])));
        assert!(!compare(&table, &counts(&[("bullet", 1051)])));
        assert!(!compare(&table, &counts(&[("dart", 1)])));
    }
}
