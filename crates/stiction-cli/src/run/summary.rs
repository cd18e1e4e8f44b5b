//! What a run adds up to.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use stiction::constraint::{RowKind, RowSource};
use stiction::integrators::Statistics;
use stiction::math::Pose;
use stiction::parameter::{self, Scope};
use stiction::world::{SolverKind, TimeAdvancement};
use stiction_formats::Loaded;
use stiction_formats::description::{Origin, WorldDescription};
use stiction_formats::simulation::Simulation;

use super::astray::Astray;
use super::engine::Plan;
use super::ledger::Ledger;
use super::placed::Placed;
use super::quantities::Quantity;

/// Sums and extremes over the steps.
pub struct Totals {
    steps: u64,
    contacts_sum: u64,
    contacts_max: usize,
    /// Deepest penetration [m].
    pub penetration_max: f64,
    joint_error_max: f64,
    energy_start: f64,
    /// Balance of energy.
    pub ledger: Ledger,
    placed: Placed,
    solved: BTreeMap<RowKind, (f64, f64)>,
    /// Row with the largest residual of the run, its residual [m/s], and its time [s].
    worst: Option<(String, f64, f64)>,
    inconsistent_steps: u64,
    iterations: u64,
    iterations_max: u32,
    substepped: u64,
    substeps_max: u32,
    gave_up: u64,
    integration: Statistics,
    astray: Astray,
    singular_steps: u64,
    /// First time at which loops were at a singular position [s].
    singular_first: f64,
    /// Names of links that were quarantined.
    pub quarantined: Vec<String>,
}

impl Totals {
    /// Before the first step.
    pub fn new(simulation: &Simulation) -> Self {
        Self {
            steps: 0,
            contacts_sum: 0,
            contacts_max: 0,
            penetration_max: 0.0,
            joint_error_max: 0.0,
            energy_start: simulation.world.energy().total(),
            ledger: Ledger::new(simulation),
            placed: Placed::new(simulation),
            solved: BTreeMap::new(),
            worst: None,
            inconsistent_steps: 0,
            iterations: 0,
            iterations_max: 0,
            substepped: 0,
            substeps_max: 0,
            gave_up: 0,
            integration: Statistics::default(),
            astray: Astray::default(),
            singular_steps: 0,
            singular_first: 0.0,
            quarantined: Vec::new(),
        }
    }

    /// After a step.
    pub fn add(&mut self, simulation: &Simulation) {
        let report = simulation.world.report();
        self.steps += 1;
        self.contacts_sum += report.contacts as u64;
        self.contacts_max = self.contacts_max.max(report.contacts);
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
        if report.singular_loop {
            if self.singular_steps == 0 {
                self.singular_first = simulation.world.time();
            }
            self.singular_steps += 1;
        }
        self.inconsistent_steps += u64::from(report.inconsistent_rows > 0);
        for residual in &report.residuals {
            let entry = self.solved.entry(residual.kind).or_insert((0.0, 0.0));
            *entry = (entry.0.max(residual.solved), entry.1.max(residual.hard));
        }
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

    /// A quantity of the whole world before the first step.
    pub fn start(&self, quantity: Quantity) -> f64 {
        if quantity == Quantity::Energy { self.energy_start } else { 0.0 }
    }

    /// Why the result should not be trusted, each once.
    pub fn warnings(&self, simulation: &Simulation, description: &WorldDescription) -> Vec<String> {
        let mut warnings = Vec::new();
        for name in &self.quarantined {
            warnings.push(format!(
                "link `{name}` had a state or force that is not finite; it was stopped and put to sleep"
            ));
        }
        if let Some((name, residual, time)) = self.worst.as_ref().filter(|(_, residual, _)| *residual > 1e-2) {
            warnings.push(format!(
                "the solver was up to {residual:.1e} m/s off, in the step before {time:.4} s ({name}); more iterations or the solver `world` would help"
            ));
        }
        warnings.extend(self.ledger.warning());
        warnings.extend(self.placed.warnings());
        if self.inconsistent_steps > 0 {
            warnings.push(format!(
                "in {} steps constraints contradicted each other; the compromise of least squares was taken",
                self.inconsistent_steps
            ));
        }
        if self.gave_up > 0 {
            warnings.push(format!(
                "in {} steps the solver did not converge, and another one finished the step; smaller steps would help",
                self.gave_up
            ));
        }
        if self.integration.forced > 0 {
            warnings.push(format!(
                "{} steps of continuous time missed the accuracy at the smallest step that is allowed",
                self.integration.forced
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
                "joints that close loops were at a singular position in {} steps, first at {:.4} s: there a mechanism may change its branch",
                self.singular_steps, self.singular_first
            ));
        }
        warnings.extend(self.astray.warnings(simulation));
        for link in &simulation.links {
            let position = simulation.link_pose(link).position;
            if position.z < -100.0 || position.length() > 1e5 {
                warnings.push(format!("link `{}` has left the world: it is at {position} m", link.name));
            }
        }
        warnings.extend(simulation.left_out.iter().map(|what| format!("left out: {what}")));
        for skipped in &description.skipped {
            let effect = if skipped.effect.is_empty() { String::new() } else { format!(" ({})", skipped.effect) };
            warnings.push(format!("no effect: {}{effect}, {} times", skipped.path, skipped.count));
        }
        warnings
    }
}

impl Totals {
    /// What the solver or the integrator of a compliant engine did, for the summary.
    fn effort(&self, plan: &Plan) -> Option<Value> {
        let i = &self.integration;
        if plan.parameters.time == TimeAdvancement::Continuous {
            return Some(json!({
                "scheme": plan.parameters.integrator.scheme.name(),
                "steps": i.steps,
                "rejections": i.rejections,
                "evaluations": i.evaluations,
                "newton_iterations": i.newton_iterations,
                "jacobians": i.jacobians,
                "factorizations": i.factorizations,
                "forced": i.forced,
                "smallest_step": if i.steps > 0 { i.smallest_step } else { 0.0 },
                "largest_step": i.largest_step,
            }));
        }
        let is_newton = matches!(plan.parameters.solver, SolverKind::Tamsi | SolverKind::Convex);
        is_newton.then(|| {
            json!({
                "iterations_mean": self.iterations as f64 / self.steps.max(1) as f64,
                "iterations_max": self.iterations_max,
                "steps_in_parts": self.substepped,
                "parts_max": self.substeps_max,
                "steps_not_converged": self.gave_up,
            })
        })
    }

    /// The same in words.
    fn effort_text(&self, plan: &Plan) -> String {
        let i = &self.integration;
        if plan.parameters.time == TimeAdvancement::Continuous {
            return format!(
                "\n{}: {} steps of {:.1e} to {:.1e} s, {} rejected, {} evaluations",
                plan.parameters.integrator.scheme.name(),
                i.steps,
                if i.steps > 0 { i.smallest_step } else { 0.0 },
                i.largest_step,
                i.rejections,
                i.evaluations
            );
        }
        if !matches!(plan.parameters.solver, SolverKind::Tamsi | SolverKind::Convex) {
            return String::new();
        }
        format!(
            "\nNewton's iterations: {:.2} on average, {} at most; {} steps solved in parts (at most {}), {} not converged",
            self.iterations as f64 / self.steps.max(1) as f64,
            self.iterations_max,
            self.substepped,
            self.substeps_max,
            self.gave_up
        )
    }
}

/// Name of a row for people: joint and its row, or the two collisions of a contact.
pub fn row_name(simulation: &Simulation, source: RowSource, kind: RowKind) -> String {
    match source {
        RowSource::Joint { slot, row } => {
            let joint = simulation.joints.iter().find(|j| j.id.is_some_and(|id| id.slot() == slot as usize));
            format!("{} row {row} of joint `{}`", kind.name(), joint.map_or("?", |j| &j.name))
        }
        RowSource::Contact(index) => {
            let names = simulation
                .world
                .contact_geoms(index as usize)
                .map(|pair| pair.map(|id| simulation.collisions.get(&id).map_or("?", String::as_str).to_owned()));
            match names {
                Some([a, b]) => format!("{} of contact `{a}` on `{b}`", kind.name()),
                None => format!("{} of a contact", kind.name()),
            }
        }
    }
}

/// Everything that a summary is made of.
pub struct Report<'a> {
    /// What was loaded.
    pub loaded: &'a Loaded,
    /// The world's description.
    pub description: &'a WorldDescription,
    /// The world at the end.
    pub simulation: &'a Simulation,
    /// What was run.
    pub plan: &'a Plan,
    /// Sums and extremes.
    pub totals: &'a Totals,
    /// Wall time of the steps [s].
    pub wall_time: f64,
    /// All warnings.
    pub warnings: &'a [String],
}

impl Report<'_> {
    /// The summary as the contract has it.
    pub fn json(&self) -> Value {
        let Totals { steps, contacts_sum, contacts_max, penetration_max, joint_error_max, energy_start, .. } =
            *self.totals;
        let sim_time = self.simulation.world.time();
        let mut residual = Map::new();
        for (kind, (solved, hard)) in &self.totals.solved {
            residual.insert(kind.name().to_owned(), json!({"solved": solved, "hard": hard}));
        }
        if let Some((name, value, time)) = &self.totals.worst {
            residual.insert("worst".to_owned(), json!({"row": name, "residual": value, "time": time}));
        }
        let mut summary = json!({
            "engine": self.plan.engine,
            "step_size": self.plan.step,
            "steps": steps,
            "sim_time": sim_time,
            "wall_time": self.wall_time,
            "real_time_factor": if self.wall_time > 0.0 { sim_time / self.wall_time } else { 0.0 },
            "links": self.simulation.links.len(),
            "joints": self.simulation.joints.len(),
            "contacts_mean": contacts_sum as f64 / steps.max(1) as f64,
            "contacts_max": contacts_max,
            "penetration_max": penetration_max,
            "joint_error_max": joint_error_max,
            "energy_start": energy_start,
            "energy_end": self.simulation.world.energy().total(),
            "energy_balance": self.totals.ledger.json(),
            "quarantined": self.totals.quarantined,
            "warnings": self.warnings,
            "state_hash": format!("{:016x}", self.simulation.state_hash()),
            "residual": residual,
            "parameters": self.parameters(),
        });
        if let (Some(effort), Some(map)) = (self.totals.effort(self.plan), summary.as_object_mut()) {
            map.insert("effort".to_owned(), effort);
        }
        summary
    }

    /// Every parameter in force: value, unit, origin.
    fn parameters(&self) -> Value {
        let mut map = Map::new();
        for p in &self.loaded.parameter_paths {
            let origin = match &p.origin {
                Origin::Default => "default".to_owned(),
                Origin::File(l) => format!("{}:{}:{}", l.file.display(), l.line, l.column),
                Origin::Override(option) => option.clone(),
            };
            map.insert(p.path.clone(), json!({"value": p.value, "unit": p.unit, "origin": origin}));
        }
        for p in parameter::all().filter(|p| p.scope == Scope::Engine) {
            if let Some(access) = p.access {
                let origin = if self.plan.set.iter().any(|s| s == p.path) { "--set" } else { "default" };
                let value = (access.get)(&self.plan.parameters);
                map.insert(p.path.to_owned(), json!({"value": value, "unit": p.unit, "origin": origin}));
            }
        }
        Value::Object(map)
    }

    /// The summary for people.
    pub fn text(&self) -> String {
        let totals = self.totals;
        let world = &self.simulation.world;
        format!(
            "{}: {} links, {} joints, engine {}, {} steps of {} s\n\
             simulated {:.6} s in {:.3} s ({:.1} times real time)\n\
             contacts: {:.1} on average, {} at most; deepest penetration {:.3e} m; largest joint gap {:.3e} m\n\
             energy: {:.6} J at the start, {:.6} J at the end\n\
             {}\n\
             state hash {:016x}{}",
            self.description.name,
            self.simulation.links.len(),
            self.simulation.joints.len(),
            self.plan.engine,
            totals.steps,
            self.plan.step,
            world.time(),
            self.wall_time,
            world.time() / self.wall_time.max(1e-9),
            totals.contacts_sum as f64 / totals.steps.max(1) as f64,
            totals.contacts_max,
            totals.penetration_max,
            totals.joint_error_max,
            totals.energy_start,
            world.energy().total(),
            totals.ledger.text(),
            self.simulation.state_hash(),
            totals.effort_text(self.plan),
        )
    }
}
