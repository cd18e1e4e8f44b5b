//! Times and counts of the stages of a step.
//!
//! The engine has no clock: whoever wants times gives one. No result depends on it.

/// A stage of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Edits since the last step, wind, poses, and which shapes are fast.
    Start,
    /// Pairs of shapes that come near.
    Pairs,
    /// Contact points, and those of the last step that are used again.
    Contacts,
    /// What sleeps, islands, and how each of them is moved.
    Islands,
    /// Trees of joints, rows of joints, and motion without constraints.
    Joints,
    /// Rows of contacts, their solution, and reactions.
    Rows,
    /// Positions and velocities that follow from rows, and free motion.
    Motion,
    /// Islands that move in sub-steps.
    Substeps,
    /// Loops that are closed, and fast bodies that are stopped where they first touch.
    Closing,
    /// Impulses for the next step, and the balance of energy.
    Memory,
    /// Bodies that moved, and what has gone through something.
    Report,
    /// All of a step in continuous time.
    Continuous,
}

impl Stage {
    /// All, in the order of a step.
    pub const ALL: [Self; 12] = [
        Self::Start,
        Self::Pairs,
        Self::Contacts,
        Self::Islands,
        Self::Joints,
        Self::Rows,
        Self::Motion,
        Self::Substeps,
        Self::Closing,
        Self::Memory,
        Self::Report,
        Self::Continuous,
    ];

    /// Its name in summaries.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Pairs => "pairs",
            Self::Contacts => "contacts",
            Self::Islands => "islands",
            Self::Joints => "joints",
            Self::Rows => "rows",
            Self::Motion => "motion",
            Self::Substeps => "substeps",
            Self::Closing => "closing",
            Self::Memory => "memory",
            Self::Report => "report",
            Self::Continuous => "continuous",
        }
    }
}

/// Times of the stages of all steps since a clock was given.
#[derive(Clone, Debug, Default)]
pub struct StageTimes {
    clock: Option<fn() -> u64>,
    last: u64,
    nanoseconds: [u64; Stage::ALL.len()],
    steps: u64,
}

impl StageTimes {
    /// By a clock that counts nanoseconds.
    pub(crate) fn with(clock: Option<fn() -> u64>) -> Self {
        Self { clock, ..Self::default() }
    }

    pub(super) fn begin(&mut self) {
        if let Some(clock) = self.clock {
            self.steps += 1;
            self.last = clock();
        }
    }

    /// A stage has ended.
    pub(super) fn ended(&mut self, stage: Stage) {
        if let Some(clock) = self.clock {
            let now = clock();
            self.nanoseconds[stage as usize] += now.saturating_sub(self.last);
            self.last = now;
        }
    }

    /// Time of a stage in all steps \[s\].
    #[must_use]
    pub fn of(&self, stage: Stage) -> f64 {
        self.nanoseconds[stage as usize] as f64 * 1e-9
    }

    /// Number of those steps.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

/// What a step had to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCounts {
    /// Pairs of shapes whose bounds come near.
    pub pairs: usize,
    /// Of these, pairs known to be apart: they were not looked at.
    pub pairs_apart: usize,
    /// Pairs none of which was looked at, since nothing had moved far enough: all of the world's or none.
    pub pairs_unchanged: usize,
    /// Patches of contacts.
    pub patches: usize,
    /// Of these, patches of the last step that were used again.
    pub patches_kept: usize,
    /// Islands that moved in sub-steps.
    pub islands_in_substeps: usize,
    /// Bodies of those islands.
    pub bodies_in_substeps: usize,
    /// Bundles of contacts that were solved next to each other, of all those islands.
    pub bundles: usize,
    /// Most sub-steps of an island.
    pub most_substeps: u32,
}
