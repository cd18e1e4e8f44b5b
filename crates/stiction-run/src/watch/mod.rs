//! Monitoring of a run: sums, extremes, and warnings about untrustworthy results.

mod astray;
mod ledger;
mod limits;
mod losses;
mod placed;
mod stages;
mod stiff;
mod stops;

use std::collections::BTreeMap;

use stiction::constraint::{RowKind, RowSource};
use stiction::integrators::Statistics;
use stiction::math::Pose;
use stiction::world::SolverKind;
use stiction_formats::counted;
use stiction_formats::description::WorldDescription;
use stiction_formats::simulation::Simulation;

use crate::quantities;

pub(crate) use astray::Astray;
use ledger::Ledger;
use limits::Limits;
use placed::Placed;
use stages::Counts;
pub(crate) use stages::{measure, memory_json, times_json};

pub(crate) use stiff::unfinished;

/// Residual that is seen \[m/s\], and what residuals may come to over a run \[m\].
const OFF: f64 = 1e-2;
const WAY_OFF: f64 = 1e-3;
/// Share of the steps that a second solver may complete: their rows are solved.
const UNCONVERGED: f64 = 0.01;

/// Sums and extremes over the steps.
pub(crate) struct Totals {
    pub(crate) steps: u64,
    pub(crate) counts: Counts,
    pub(crate) contacts_sum: u64,
    pub(crate) contacts_max: usize,
    /// Deepest penetration \[m\].
    pub(crate) penetration_max: f64,
    pub(crate) joint_error_max: f64,
    pub(crate) energy_start: f64,
    /// Balance of energy.
    pub(crate) ledger: Ledger,
    placed: Placed,
    /// Lowest height of a link, and the largest distance of one from the origin, at the start \[m\].
    extent: [f64; 2],
    pub(crate) solved: BTreeMap<RowKind, (f64, f64)>,
    /// Row with the largest residual of the run, its residual \[m/s\], and its time \[s\].
    pub(crate) worst: Option<(String, f64, f64)>,
    /// Sum of the largest residuals of the steps that are seen, each times its step: a way that is off \[m\].
    way_off: f64,
    time: f64,
    inconsistent_steps: u64,
    pub(crate) iterations: u64,
    pub(crate) iterations_max: u32,
    pub(crate) substepped: u64,
    pub(crate) substeps_max: u32,
    pub(crate) gave_up: u64,
    pub(crate) integration: Statistics,
    pub(crate) astray: Astray,
    limits: Limits,
    /// The joint of the first step that locks a loop, and by what share its links move.
    hardly_moving: Option<(String, f64)>,
    /// Steps in which a motor gave way to others of its loop, and the joint of the first; those in which laws did not settle.
    overruled_steps: u64,
    overruled: Option<String>,
    unsettled_steps: u64,
    singular_steps: u64,
    /// First time at which loops were at a singular position \[s\].
    singular_first: f64,
    /// Names of links that were quarantined.
    pub(crate) quarantined: Vec<String>,
}

impl Totals {
    /// Before the first step.
    pub(crate) fn new(simulation: &Simulation) -> Self {
        Self {
            steps: 0,
            counts: Counts::default(),
            contacts_sum: 0,
            contacts_max: 0,
            penetration_max: 0.0,
            joint_error_max: 0.0,
            energy_start: simulation.world.energy().total(),
            ledger: Ledger::new(simulation),
            placed: Placed::new(simulation),
            extent: extent(simulation),
            solved: BTreeMap::new(),
            worst: None,
            way_off: 0.0,
            time: simulation.world.time(),
            inconsistent_steps: 0,
            iterations: 0,
            iterations_max: 0,
            substepped: 0,
            substeps_max: 0,
            gave_up: 0,
            integration: Statistics::default(),
            astray: Astray::default(),
            limits: Limits::new(simulation),
            overruled_steps: 0,
            overruled: None,
            unsettled_steps: 0,
            singular_steps: 0,
            hardly_moving: None,
            singular_first: 0.0,
            quarantined: Vec::new(),
        }
    }

    /// After a step.
    pub(crate) fn add(&mut self, simulation: &Simulation) {
        let report = simulation.world.report();
        self.steps += 1;
        self.counts.add(&report.counts);
        let contacts = quantities::contacts(&simulation.world);
        self.contacts_sum += contacts as u64;
        self.contacts_max = self.contacts_max.max(contacts);
        self.penetration_max = self.penetration_max.max(report.penetration);
        self.joint_error_max = self.joint_error_max.max(report.joint_error);
        self.ledger.add(simulation);
        self.placed.add(simulation);
        self.iterations += u64::from(report.sweeps);
        self.iterations_max = self.iterations_max.max(report.sweeps);
        self.substepped += u64::from(report.substepped > 0);
        self.substeps_max = self.substeps_max.max(report.substeps);
        // Small islands of sweeps are only tried exactly: that is no failure.
        let is_exact = simulation.world.parameters.solver != SolverKind::Iterative;
        self.gave_up += u64::from(is_exact && report.gave_up > 0);
        self.integration += report.integration;
        self.astray.add(simulation);
        self.limits.add(simulation);
        self.add_loops(simulation);
        self.inconsistent_steps += u64::from(report.inconsistent_rows > 0);
        for residual in &report.residuals {
            let entry = self.solved.entry(residual.kind).or_insert((0.0, 0.0));
            *entry = (entry.0.max(residual.solved), entry.1.max(residual.hard));
        }
        let length = simulation.world.time() - self.time;
        self.time = simulation.world.time();
        // A row that is off in one step is solved in the next: what is seen is the way between the two.
        self.way_off += length * report.worst.map_or(0.0, |worst| worst.residual).max(0.0);
        if let Some(worst) = report.worst
            && self.worst.as_ref().is_none_or(|(_, r, _)| worst.residual > *r)
        {
            let name = row_name(simulation, worst.source, worst.kind);
            self.worst = Some((name, worst.residual, simulation.world.time()));
        }
        for id in &report.quarantined {
            let name = simulation.links.iter().find(|l| l.body == Some(*id) && l.pose == Pose::IDENTITY);
            let name = name.map_or("?", |l| &l.name);
            if !self.quarantined.iter().any(|n| n == name) {
                self.quarantined.push(name.to_owned());
            }
        }
    }

    /// What joints that close loops, and motors and stops of mechanisms, did in a step.
    fn add_loops(&mut self, simulation: &Simulation) {
        let report = simulation.world.report();
        self.hardly_moving = self.hardly_moving.take().or_else(|| {
            let (joint, share) = report.hardly_moving?;
            let own = simulation.joints.iter().find(|own| own.id == Some(joint))?;
            Some((own.name.clone(), share))
        });
        if let Some(joint) = report.overruled {
            self.overruled_steps += 1;
            let name = simulation.joints.iter().find(|own| own.id == Some(joint)).map(|own| &own.name);
            self.overruled = self.overruled.take().or(name.cloned());
        }
        self.unsettled_steps += u64::from(report.unsettled_laws > 0);
        if report.singular_loop {
            if self.singular_steps == 0 {
                self.singular_first = simulation.world.time();
            }
            self.singular_steps += 1;
        }
    }

    /// Why the result should not be trusted, each once.
    pub(crate) fn warnings(&self, simulation: &Simulation, description: &WorldDescription) -> Vec<String> {
        let mut warnings = Vec::new();
        for name in &self.quarantined {
            warnings.push(format!(
                "link `{name}` had a state or force that is not finite; it was stopped and put to sleep"
            ));
        }
        let worst = self.worst.as_ref().filter(|(_, residual, _)| *residual > OFF && self.way_off > WAY_OFF);
        if let Some((name, residual, time)) = worst {
            let is_swept = simulation.world.parameters.solver == SolverKind::Iterative;
            let advice = if is_swept {
                "more iterations or the solver `world` may help"
            } else {
                "a smaller max_step_size may help"
            };
            warnings.push(format!(
                "the solver was up to {residual:.1e} m/s off, in the step before {time:.4} s ({name}); {advice}"
            ));
        }
        warnings.extend(self.ledger.warnings(simulation));
        warnings.extend(self.placed.warnings(self.ledger.placed()));
        if self.inconsistent_steps > 0 {
            warnings.push(format!(
                "constraints were inconsistent in {}; the least-squares solution was used",
                counted(self.inconsistent_steps, "step")
            ));
        }
        warnings.extend(self.warnings_of_laws());
        if self.gave_up as f64 > UNCONVERGED * self.steps as f64 {
            warnings.push(format!(
                "the solver did not converge in {}, which another solver completed; a smaller step may help",
                counted(self.gave_up, "step")
            ));
        }
        if self.integration.forced > 0 {
            warnings.push(format!(
                "{} of continuous time missed the accuracy at the smallest step that is allowed",
                counted(self.integration.forced, "step")
            ));
        }
        if self.integration.skipped > 0.0 {
            warnings.push(format!(
                "{} s of continuous time were passed over: no step gave finite numbers",
                self.integration.skipped
            ));
        }
        if self.singular_steps > 0 {
            warnings.push(format!(
                "joints that close loops were at a singular position in {}, first at {:.4} s: there a mechanism may change its branch",
                counted(self.singular_steps, "step"),
                self.singular_first
            ));
        }
        if let Some((name, share)) = &self.hardly_moving {
            warnings.push(format!(
                "joint `{name}` closes a loop and nearly locks it: along its constraints the links move by {share:.1e} of what free bodies would; if it \
                 should share an axis with another joint, like two hinges of a door, align the axes"
            ));
        }
        warnings.extend(self.astray.warnings(simulation));
        warnings.extend(self.limits.warnings(simulation));
        for link in &simulation.links {
            let position = simulation.link_pose(link).position;
            if position.z < self.extent[0] - 100.0 || position.length() > self.extent[1] + 1e5 {
                warnings.push(format!("link `{}` has left the world: it is at {position} m", link.name));
            }
        }
        warnings.extend(simulation.left_out.iter().map(|part| format!("left out: {}", part.what)));
        // Plugins have a line of their own.
        for skipped in description.skipped.iter().filter(|element| element.plugin().is_none()) {
            let effect = if skipped.effect.is_empty() { String::new() } else { format!(" ({})", skipped.effect) };
            warnings.push(format!("no effect: {}{effect}, {}", skipped.path, counted(skipped.count, "time")));
        }
        warnings
    }

    /// Of motors and stops of mechanisms.
    fn warnings_of_laws(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(name) = &self.overruled {
            warnings.push(format!(
                "the motor of joint `{name}` has no force limit and gave way in {}: other motors, stops or a dead point hold the loop that it is to move",
                counted(self.overruled_steps, "step")
            ));
        }
        if self.unsettled_steps as f64 > UNCONVERGED * self.steps as f64 {
            warnings.push(format!(
                "motors, stops and friction of mechanisms did not settle together in {}: some forces are not those of their parameters; a smaller step \
                 may help",
                counted(self.unsettled_steps, "step")
            ));
        }
        warnings
    }
}

/// Lowest height of a link, at most 0, and the largest distance of one from the origin: where the world itself is.
fn extent(simulation: &Simulation) -> [f64; 2] {
    simulation
        .links
        .iter()
        .map(|link| simulation.link_pose(link).position)
        .fold([0.0, 0.0], |[low, far], position| [position.z.min(low), position.length().max(far)])
}

/// Name of a row for people: joint and its row, or the two collisions of a contact.
pub(crate) fn row_name(simulation: &Simulation, source: RowSource, kind: RowKind) -> String {
    match source {
        RowSource::Joint { slot, row } => {
            let joint = simulation.joints.iter().find(|j| j.id.is_some_and(|id| id.slot() == slot as usize));
            format!("{} row {row} of joint `{}`", kind.name(), joint.map_or("?", |j| &j.name))
        }
        RowSource::Wire { slot, node } => format!("{} of node {node} of wire {slot}", kind.name()),
        RowSource::Contact(index) => {
            let names = simulation
                .world
                .contact_geoms(index as usize)
                .map(|pair| pair.map(|id| simulation.shape_name(id).unwrap_or("?".into())));
            match names {
                Some([a, b]) => format!("{} of contact `{a}` on `{b}`", kind.name()),
                None => format!("{} of a contact", kind.name()),
            }
        }
    }
}
