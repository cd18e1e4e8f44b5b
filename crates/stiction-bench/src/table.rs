//! The table and its file.

use std::fs;
use std::path::Path;

use stiction_bench::machine;

use crate::judge::Quality;

/// One engine on one scene.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Scene.
    pub(crate) scene: String,
    /// Engine and its setting.
    pub(crate) engine: String,
    /// Smallest of the runs' means \[µs per step\].
    pub(crate) fastest: f64,
    /// Mean of the runs' means \[µs per step\].
    pub(crate) mean: f64,
    /// Contacts in the last step.
    pub(crate) contacts: usize,
    /// Allocations per step after warm-up, where they are counted.
    pub(crate) allocations: Option<f64>,
    /// What the judge says.
    pub(crate) quality: Option<Quality>,
}

/// Prints the lines of one scene; ratios are to the last line, the peer's.
pub(crate) fn print(lines: &[Line], has_peer: bool) {
    let peer = lines.last().filter(|_| has_peer).map(|l| l.fastest);
    for line in lines {
        let ratio = peer.map_or("-".to_owned(), |p| format!("{:.2}", p / line.fastest));
        let allocations = line.allocations.map_or("-".to_owned(), |a| format!("{a:.2}"));
        let quality = line.quality.map_or(["-"; 3].map(str::to_owned), |q| {
            [format!("{:.3}", q.deepest), format!("{:.4}", q.mean), format!("{:.4}", q.gap)]
        });
        println!(
            "{:<12} {:<14} {:>9.1} {:>9.1} {:>8} {:>8} {:>6} {:>9} {:>9} {:>9}",
            line.scene,
            line.engine,
            line.fastest,
            line.mean,
            ratio,
            line.contacts,
            allocations,
            quality[0],
            quality[1],
            quality[2]
        );
    }
}

/// Prints the head of the table.
pub(crate) fn head() {
    println!(
        "{:<12} {:<14} {:>9} {:>9} {:>8} {:>8} {:>6} {:>9} {:>9} {:>9}",
        "scene", "engine", "µs/step", "mean", "ahead", "contacts", "alloc", "pen max", "pen mean", "gap mm"
    );
}

/// Writes all lines as CSV under the name of the machine.
pub(crate) fn save(lines: &[Line], folder: &Path) -> Result<(), csv::Error> {
    let machine = machine::model();
    let file: String = machine.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    fs::create_dir_all(folder)?;
    let path = folder.join(format!("{file}.csv"));
    let mut csv = csv::Writer::from_path(&path)?;
    csv.write_record([
        "machine",
        "scene",
        "engine",
        "us_per_step_min",
        "us_per_step_mean",
        "contacts",
        "allocations",
        "penetration_max_mm",
        "penetration_mean_mm",
        "joint_gap_mm",
    ])?;
    for line in lines {
        let number = |x: Option<f64>| x.map_or(String::new(), |x| x.to_string());
        csv.write_record([
            machine.clone(),
            line.scene.clone(),
            line.engine.clone(),
            line.fastest.to_string(),
            line.mean.to_string(),
            line.contacts.to_string(),
            number(line.allocations),
            number(line.quality.map(|q| q.deepest)),
            number(line.quality.map(|q| q.mean)),
            number(line.quality.map(|q| q.gap)),
        ])?;
    }
    csv.flush()?;
    println!("written: {}", path.display());
    Ok(())
}
