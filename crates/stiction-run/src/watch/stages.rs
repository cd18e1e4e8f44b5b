//! What the stages of the steps of a run took, and how much they had to do.

use std::sync::LazyLock;
use std::time::Instant;

use serde_json::{Map, Value, json};

use stiction::world::World;
use stiction::{Stage, StepCounts};

/// Sums of the counts of all steps.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    sums: [u64; NAMES.len()],
    most_substeps: u32,
}

/// Counts as summaries have them, a step on average.
const NAMES: [&str; 8] = [
    "pairs",
    "pairs_apart",
    "pairs_unchanged",
    "patches",
    "patches_kept",
    "islands_in_substeps",
    "bodies_in_substeps",
    "bundles",
];

impl Counts {
    pub(super) fn add(&mut self, own: &StepCounts) {
        let now = [
            own.pairs,
            own.pairs_apart,
            own.pairs_unchanged,
            own.patches,
            own.patches_kept,
            own.islands_in_substeps,
            own.bodies_in_substeps,
            own.bundles,
        ];
        self.sums.iter_mut().zip(now).for_each(|(sum, count)| *sum += count as u64);
        self.most_substeps = self.most_substeps.max(own.most_substeps);
    }

    /// The counts of a step on average, and the most sub-steps.
    pub(crate) fn json(&self, steps: u64) -> Value {
        let mean = |sum: u64| json!(sum as f64 / steps.max(1) as f64);
        let mut map: Map<String, Value> =
            NAMES.iter().zip(self.sums).map(|(name, sum)| ((*name).to_owned(), mean(sum))).collect();
        map.insert("substeps_max".to_owned(), json!(self.most_substeps));
        Value::Object(map)
    }
}

/// Lets a world measure the stages of its steps.
pub(crate) fn measure(world: &mut World) {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    LazyLock::force(&BEGIN);
    world.time_stages(Some(|| u64::try_from(BEGIN.elapsed().as_nanos()).unwrap_or(u64::MAX)));
}

/// Time of each stage that took some, a step on average \[µs\].
pub(crate) fn times_json(world: &World) -> Value {
    let times = world.stage_times();
    let mean = |stage: &Stage| 1e6 * times.of(*stage) / times.steps().max(1) as f64;
    let taken = Stage::ALL.iter().filter(|stage| times.of(**stage) > 0.0);
    Value::Object(taken.map(|stage| (stage.name().to_owned(), json!(mean(stage)))).collect())
}

/// Memory of a world \[B\], and by body and contact point.
pub(crate) fn memory_json(world: &World, contacts_max: usize) -> Value {
    let memory = world.memory();
    let each = |bytes: usize, count: usize| json!(bytes.checked_div(count));
    json!({
        "bodies": memory.bodies,
        "shapes": memory.shapes,
        "joints": memory.joints,
        "contacts": memory.contacts,
        "a_body": each(memory.bodies + memory.shapes, world.body_ids().count()),
        "a_contact": each(memory.contacts, contacts_max),
    })
}
