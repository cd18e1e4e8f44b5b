//! One case in progress: its run, the time that its steps take, and samples of its curves.

use std::time::Instant;

use crate::probe::Probe;
use crate::quantities::{AxisKind, Quantity};
use crate::run::Run;

/// A curve of a case.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Series {
    /// What it shows.
    pub quantity: Quantity,
    /// Scoped name of the link or joint; empty for a quantity of the whole world.
    pub owner: String,
    /// The same with its component or axis, where there are several.
    pub name: String,
    /// What the axis of a joint measures; `None` for everything else.
    pub axis_kind: Option<AxisKind>,
    /// Time \[s\] and value, or x and y \[m\] of a path.
    pub points: Vec<(f64, f64)>,
}

/// A run that is stepped, sampled and timed.
pub(super) struct Track {
    pub(super) run: Run,
    /// Steps that it is to take.
    pub(super) steps: u64,
    /// Time that the steps took on the clock \[s\]; observation is not in it.
    pub(super) wall_time: f64,
    /// It cannot go on, or its time is up.
    pub(super) has_ended: bool,
    /// Its time was up before its last step.
    pub(super) was_stopped: bool,
    /// Time that the steps may take on the clock \[s\].
    time_limit: f64,
    /// Steps between two samples.
    every: u64,
    curves: Vec<(Probe, Vec<(f64, f64)>)>,
}

impl Track {
    /// At the start of a run, with the first samples.
    pub(super) fn new(run: Run, steps: u64, probes: Vec<Probe>, samples: u64, time_limit: f64) -> Self {
        let every = steps.div_ceil(samples).max(1);
        let curves = probes.into_iter().map(|probe| (probe, Vec::new())).collect();
        let mut track =
            Self { run, steps, wall_time: 0.0, has_ended: false, was_stopped: false, time_limit, every, curves };
        track.sample();
        track
    }

    /// Steps until the count of steps is reached, or it cannot go on.
    pub(super) fn advance_to(&mut self, count: u64) {
        while !self.has_ended && self.run.steps() < count {
            let stop = ((self.run.steps() / self.every + 1) * self.every).min(count);
            let begun = Instant::now();
            while self.run.steps() < stop && !self.has_ended {
                self.has_ended = self.run.step().is_err();
                if self.wall_time + begun.elapsed().as_secs_f64() > self.time_limit && self.run.steps() < self.steps {
                    self.was_stopped = !self.has_ended;
                    self.has_ended = true;
                }
            }
            self.wall_time += begun.elapsed().as_secs_f64();
            if self.was_stopped || self.run.steps().is_multiple_of(self.every) || self.run.steps() == self.steps {
                self.sample();
            }
        }
    }

    fn sample(&mut self) {
        for (probe, points) in &mut self.curves {
            points.push(probe.point(&self.run));
        }
    }

    /// The curves, and the run.
    pub(super) fn finish(self) -> (Run, f64, Vec<Series>) {
        let series = |(probe, points): (Probe, _)| {
            let Probe { quantity, owner, name, axis_kind, .. } = probe;
            Series { quantity, owner, name, axis_kind, points }
        };
        (self.run, self.wall_time, self.curves.into_iter().map(series).collect())
    }
}
