//! Drives that are at a limit of their joint for long.

use std::collections::BTreeMap;

use stiction::world::JointId;
use stiction_formats::simulation::Simulation;

/// What a drive may be at its limit for without a word \[s\].
const UNSAID: f64 = 0.1;

/// How long a drive has been at a limit without a break, and the longest of such times \[s\]; when that began.
#[derive(Clone, Copy, Debug, Default)]
struct Stay {
    now: f64,
    longest: f64,
    since: f64,
}

impl Stay {
    fn add(&mut self, is_at_limit: bool, step: f64, time: f64) {
        self.now = if is_at_limit { self.now + step } else { 0.0 };
        if self.now > self.longest {
            (self.longest, self.since) = (self.now, time - self.now);
        }
    }
}

/// Stays of all drives at their limits of effort and velocity.
#[derive(Debug, Default)]
pub(super) struct Limits {
    stays: BTreeMap<(JointId, usize), [Stay; 2]>,
    time: f64,
}

impl Limits {
    pub(super) fn new(simulation: &Simulation) -> Self {
        Self { stays: BTreeMap::new(), time: simulation.world.time() }
    }

    /// After a step.
    pub(super) fn add(&mut self, simulation: &Simulation) {
        let time = simulation.world.time();
        let step = time - self.time;
        self.time = time;
        for driven in simulation.world.driven_motions() {
            let [effort, velocity] = self.stays.entry((driven.joint, driven.axis)).or_default();
            effort.add(driven.is_at_effort_limit, step, time);
            velocity.add(driven.is_at_velocity_limit, step, time);
        }
    }

    pub(super) fn warnings<'a>(&'a self, simulation: &'a Simulation) -> impl Iterator<Item = String> + 'a {
        self.stays.iter().flat_map(move |((id, axis), stays)| {
            let joint = simulation.joints.iter().find(|j| j.id == Some(*id));
            let name = joint.map_or("?", |j| &j.name);
            let which = if joint.is_some_and(|j| j.axes.len() > 1) { format!(", axis {axis}") } else { String::new() };
            let limit = simulation.world.joint(*id).map(|j| j.definition().parameters[*axis]);
            let limits = limit.map_or([f64::NAN; 2], |p| {
                let [least, largest] = p.drive.map_or([0.0; 2], |drive| p.drive_range(&drive));
                [largest.max(-least), p.velocity_limit]
            });
            let is_slide =
                simulation.world.joint(*id).is_some_and(|j| j.definition().kind == stiction::joints::JointKind::Slider);
            let units = if is_slide { ["N", "m/s"] } else { ["N m", "rad/s"] };
            (0..2).filter(|k| stays[*k].longest > UNSAID).map(move |k| {
                let Stay { longest, since, .. } = stays[k];
                format!(
                    "joint `{name}`{which}: what drives it was at the {} limit of {} {} for {longest:.2} s from {since:.2} s on",
                    ["effort", "velocity"][k],
                    limits[k],
                    units[k]
                )
            })
        })
    }
}
