//! Trajectories that were measured with an original engine, and how far ours are off.

use std::collections::BTreeMap;

use super::support::{Run, shared};
use stiction::math::DVec3;

/// A trajectory and how its world is run.
pub struct Case {
    pub csv: &'static str,
    /// Files, relative to the shared folder.
    pub files: &'static [&'static str],
    pub overrides: &'static [(&'static str, &'static str)],
    /// Up to when it is compared; later motion is chaotic \[s\].
    pub until: f64,
    /// Links that are compared up to another time \[s\].
    pub links_until: &'static [(&'static str, f64)],
    /// Links that get an angular velocity at the start \[rad/s\].
    pub spun: &'static [(&'static str, DVec3)],
}

impl Case {
    /// A world as it stands, to the end.
    pub const fn new(csv: &'static str, files: &'static [&'static str]) -> Self {
        Self { csv, files, overrides: &[], until: f64::INFINITY, links_until: &[], spun: &[] }
    }

    pub const fn set(self, overrides: &'static [(&'static str, &'static str)]) -> Self {
        Self { overrides, ..self }
    }

    pub const fn until(self, until: f64) -> Self {
        Self { until, ..self }
    }

    pub const fn links_until(self, links_until: &'static [(&'static str, f64)]) -> Self {
        Self { links_until, ..self }
    }

    pub const fn spun(self, spun: &'static [(&'static str, DVec3)]) -> Self {
        Self { spun, ..self }
    }

    fn counts(&self, row: &Sample) -> bool {
        let own = self.links_until.iter().find(|(link, _)| *link == row.link);
        row.time <= own.map_or(self.until, |(_, until)| *until)
    }
}

struct Sample {
    time: f64,
    link: String,
    position: DVec3,
    velocity: DVec3,
}

fn rows(text: &str) -> Vec<Sample> {
    text.lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<_> = line.split(',').collect();
            let number = |i: usize| cells[i].parse::<f64>().unwrap();
            let vector = |i: usize| DVec3::new(number(i), number(i + 1), number(i + 2));
            Sample {
                time: number(0),
                link: format!("{}::{}", cells[1], cells[2]),
                position: vector(3),
                velocity: vector(10),
            }
        })
        .collect()
}

/// How far a link is off where it is off most.
pub struct Deviation {
    /// Deviation over its tolerance: 1 % of the way travelled, or 2 mm.
    pub ratio: f64,
    pub told: String,
}

/// The largest deviation of each link from the trajectory in a folder of the oracle.
pub fn deviations(case: &Case, folder: &str, load: impl FnOnce(&[std::path::PathBuf]) -> Run) -> Vec<Deviation> {
    let shared = shared().unwrap();
    let files: Vec<_> = case.files.iter().map(|f| shared.join(f)).collect();
    let mut run = load(&files);
    let csv = shared.join("oracle/gazebo").join(folder).join(format!("{}.csv", case.csv));
    for (link, omega) in case.spun {
        let body = run.simulation.link(link).unwrap().body.unwrap();
        run.simulation.world.body_mut(body).unwrap().set_omega(*omega).unwrap();
    }
    let mut way: BTreeMap<String, (DVec3, f64)> = BTreeMap::new();
    let mut worst: BTreeMap<String, Deviation> = BTreeMap::new();
    for row in rows(&std::fs::read_to_string(csv).unwrap()).iter().filter(|r| case.counts(r)) {
        run.until(row.time);
        let link = run.simulation.link(&row.link).unwrap_or_else(|| panic!("{}: no link {}", case.csv, row.link));
        let position = run.simulation.link_pose(link).position;
        let entry = way.entry(row.link.clone()).or_insert((row.position, 0.0));
        entry.1 += (row.position - entry.0).length();
        entry.0 = row.position;
        let error = (position - row.position).length();
        let ratio = error / (0.01 * entry.1).max(2e-3);
        let told = format!(
            "{} at {} s: {error:.2e} m off, way {:.3} m; ours {position} theirs {} (v {})",
            row.link, row.time, entry.1, row.position, row.velocity
        );
        let last = worst.entry(row.link.clone()).or_insert(Deviation { ratio: -1.0, told: String::new() });
        if ratio > last.ratio {
            *last = Deviation { ratio, told };
        }
    }
    let mut worst: Vec<_> = worst.into_values().collect();
    worst.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    assert!(!worst.is_empty(), "{}: nothing was compared", case.csv);
    worst
}

/// Compares all cases and tells of those that deviate.
pub fn judge(cases: &[Case], folder: &str, load: impl Fn(&Case, &[std::path::PathBuf]) -> Run) {
    let mut failures = Vec::new();
    for case in cases {
        let of_links = deviations(case, folder, |files| load(case, files));
        for Deviation { ratio, told } in
            of_links.iter().enumerate().filter(|(k, d)| *k == 0 || d.ratio > 1.0).map(|(_, d)| d)
        {
            println!("{:45} {ratio:8.3}  {told}", case.csv);
        }
        if of_links[0].ratio > 1.0 {
            failures.push(case.csv);
        }
    }
    assert!(failures.is_empty(), "{failures:?}");
}
