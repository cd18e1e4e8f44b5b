//! Our own runs.

use std::fmt::Write;

use stiction::world::{HybridRule, WorldParameters};
use stiction_scenes::{BuildError, Loaded, Scene};
use stiction_testing::counting::allocations;

use stiction_bench::clock::microseconds;

/// Steps at the end of a run in which allocations are counted.
const COUNTED: usize = 50;

/// Records of a run, equally spaced, for the judge: many, since a chain that whips is judged by its worst moment.
const RECORDS: usize = 16;

/// What came of a run.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Mean time of a step \[µs\].
    pub(crate) time: f64,
    /// Contacts in the last step.
    pub(crate) contacts: usize,
    /// Allocations per step in the last steps.
    pub(crate) allocations: f64,
    /// Poses of the records, as the judge reads them.
    pub(crate) states: String,
}

/// The iterative solver at 20 sweeps, as where a file says `quick`, and the defaults.
pub(crate) fn parameters(is_default: bool) -> WorldParameters {
    let defaults = WorldParameters { residual_interval: 0, audit: false, ..WorldParameters::default() };
    if is_default {
        defaults
    } else {
        WorldParameters { hybrid: HybridRule::Unsolved, iterations: 20, warm_start: true, ..defaults }
    }
}

/// Runs a scene once.
pub(crate) fn run(scene: &Scene, parameters: &WorldParameters) -> Result<Run, BuildError> {
    let mut loaded = scene.build(parameters.clone())?;
    let mut states = String::new();
    let (mut total, mut counted) = (0.0, 0);
    for i in 0..scene.steps {
        let (start, before) = (microseconds(), allocations());
        loaded.step();
        total += microseconds() - start;
        if i + COUNTED >= scene.steps {
            counted += allocations() - before;
        }
        for k in (1..=RECORDS).filter(|k| i + 1 == scene.steps * k / RECORDS) {
            record(&loaded, k, &mut states);
        }
    }
    Ok(Run {
        time: total / scene.steps as f64,
        contacts: loaded.world.report().contacts,
        allocations: counted as f64 / COUNTED.min(scene.steps) as f64,
        states,
    })
}

fn record(loaded: &Loaded, number: usize, out: &mut String) {
    for (i, body) in loaded.bodies.iter().filter_map(|b| loaded.world.body(*b)).enumerate() {
        let (p, q) = (body.center_of_mass(), body.pose().rotation);
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{number} {i} {:?} {:?} {:?} {:?} {:?} {:?} {:?}", p.x, p.y, p.z, q.w, q.x, q.y, q.z);
    }
}
