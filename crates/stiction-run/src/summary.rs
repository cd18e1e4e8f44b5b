//! What a run adds up to.

use serde_json::{Map, Value, json};

use stiction::world::{SolverKind, TimeAdvancement, WorldParameters};

use stiction_formats::{counted, rounded};

use crate::explain::WithoutEffect;
use crate::run::Run;
use crate::told::materials_json;
use crate::values::ParameterValue;
use crate::watch::{Astray, Totals, memory_json, times_json};

/// What a run added up to.
pub struct Summary<'a> {
    run: &'a Run,
    wall_time: f64,
    warnings: Vec<String>,
}

impl Run {
    /// The sums, extremes and warnings of the run so far, for steps that took `wall_time` \[s\] on the clock.
    #[must_use]
    pub fn summary(&self, wall_time: f64) -> Summary<'_> {
        Summary { run: self, wall_time, warnings: self.warnings() }
    }
}

impl Totals {
    /// What the solver or the integrator of a compliant engine did, for the summary.
    fn effort(&self, parameters: &WorldParameters) -> Option<Value> {
        let i = &self.integration;
        if parameters.time == TimeAdvancement::Continuous {
            return Some(json!({
                "scheme": parameters.integrator.scheme.name(),
                "steps": i.steps,
                "rejections": i.rejections,
                "evaluations": i.evaluations,
                "newton_iterations": i.newton_iterations,
                "jacobians": i.jacobians,
                "factorizations": i.factorizations,
                "forced": i.forced,
                "implicit_steps": i.implicit_calls,
                "smallest_step": if i.steps > 0 { i.smallest_step } else { 0.0 },
                "largest_step": i.largest_step,
            }));
        }
        let is_newton = matches!(parameters.solver, SolverKind::Tamsi | SolverKind::Convex);
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
    fn effort_text(&self, parameters: &WorldParameters) -> String {
        let i = &self.integration;
        if parameters.time == TimeAdvancement::Continuous {
            let implicit = match i.implicit_calls {
                0 => String::new(),
                count => {
                    format!("; {} of the world implicit, by radau3, as the motion was stiff", counted(count, "step"))
                }
            };
            return format!(
                "\n{}: {} steps of {:.1e} to {:.1e} s, {} rejected, {} evaluations{implicit}",
                parameters.integrator.scheme.name(),
                i.steps,
                if i.steps > 0 { i.smallest_step } else { 0.0 },
                i.largest_step,
                i.rejections,
                i.evaluations
            );
        }
        if !matches!(parameters.solver, SolverKind::Tamsi | SolverKind::Convex) {
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

impl Summary<'_> {
    /// Simulated time of this run \[s\].
    fn passed(&self) -> f64 {
        let Run { engine, totals, .. } = self.run;
        totals.steps as f64 * engine.step
    }

    /// The summary as one JSON object: the keys of the command's `--json`.
    #[must_use]
    pub fn json(&self) -> Value {
        let Totals { steps, contacts_sum, contacts_max, penetration_max, joint_error_max, energy_start, .. } =
            self.run.totals;
        let Run { simulation, engine, totals, .. } = self.run;
        let passed = self.passed();
        let mut residual = Map::new();
        for (kind, (solved, hard)) in &totals.solved {
            residual.insert(kind.name().to_owned(), json!({"solved": solved, "hard": hard}));
        }
        if let Some((name, value, time)) = &totals.worst {
            residual.insert("worst".to_owned(), json!({"row": name, "residual": value, "time": time}));
        }
        let mut summary = json!({
            "engine": engine.name(),
            "step_size": engine.step,
            "steps": steps,
            "sim_time": self.run.time(),
            "wall_time": self.wall_time,
            "real_time_factor": if self.wall_time > 0.0 { passed / self.wall_time } else { 0.0 },
            "links": simulation.links.len(),
            "joints": simulation.joints.len(),
            "contacts_mean": contacts_sum as f64 / steps.max(1) as f64,
            "contacts_max": contacts_max,
            "penetration_max": penetration_max,
            "joint_error_max": joint_error_max,
            "energy_start": energy_start,
            "energy_end": simulation.world.energy().total(),
            "energy_balance": totals.ledger.json(),
            "quarantined": totals.quarantined,
            "warnings": self.warnings,
            "without_effect": self.run.without_effect().iter().map(WithoutEffect::json).collect::<Vec<_>>(),
            "state_hash": format!("{:016x}", simulation.state_hash()),
            "residual": residual,
            "parameters": self.parameters(),
        });
        if let Some(map) = summary.as_object_mut() {
            map.insert("stages".to_owned(), times_json(&simulation.world));
            map.insert("counts".to_owned(), totals.counts.json(steps));
            map.insert("memory".to_owned(), memory_json(&simulation.world, contacts_max));
        }
        if let (true, Some(map)) = (totals.astray.stops > 0, summary.as_object_mut()) {
            map.insert("stops_at_impact".to_owned(), json!(totals.astray.stops));
            map.insert("way_not_gone".to_owned(), json!(totals.astray.way_not_gone));
        }
        if let (Some(effort), Some(map)) = (totals.effort(&engine.parameters), summary.as_object_mut()) {
            map.insert("effort".to_owned(), effort);
        }
        if let (false, Some(map)) = (self.run.events.is_empty(), summary.as_object_mut()) {
            let events = self.run.events.iter().map(|(time, what)| json!({"time": time, "event": what}));
            map.insert("events".to_owned(), events.collect());
        }
        if let (Some(materials), Some(map)) = (&self.run.materials, summary.as_object_mut()) {
            map.insert("materials".to_owned(), materials_json(materials));
        }
        summary
    }

    /// Every parameter in force: value, unit, origin.
    fn parameters(&self) -> Value {
        let entry = |p: ParameterValue| (p.path, json!({"value": p.value, "unit": p.unit, "origin": p.origin}));
        Value::Object(self.run.values().into_iter().map(entry).collect())
    }

    /// The summary for people, some lines.
    #[must_use]
    pub fn text(&self) -> String {
        let Run { simulation, engine, totals, description, .. } = self.run;
        format!(
            "{}: {}, {}, engine {}, {} of {} s\n\
             simulated {} s in {} s ({} times real time)\n\
             contacts: {} on average, {} at most; deepest penetration {} m; largest joint gap {} m\n\
             energy: {} J at the start, {} J at the end\n\
             {}\n\
             {}{}state hash {:016x}{}",
            description.name,
            counted(simulation.links.len(), "link"),
            counted(simulation.joints.len(), "joint"),
            engine.name(),
            counted(totals.steps, "step"),
            engine.step,
            rounded(self.passed()),
            rounded(self.wall_time),
            rounded(self.passed() / self.wall_time.max(1e-9)),
            rounded(totals.contacts_sum as f64 / totals.steps.max(1) as f64),
            totals.contacts_max,
            rounded(totals.penetration_max),
            rounded(totals.joint_error_max),
            rounded(totals.energy_start),
            rounded(simulation.world.energy().total()),
            totals.ledger.text(),
            stops_text(&totals.astray),
            self.run
                .events
                .iter()
                .map(|(time, what)| format!("at {} s: {what}\n", (1e6 * time).round() / 1e6))
                .collect::<String>(),
            simulation.state_hash(),
            totals.effort_text(&engine.parameters),
        )
    }
}

/// The line on bodies that were stopped on their way; empty if none was.
fn stops_text(astray: &Astray) -> String {
    let Astray { stops, way_not_gone, .. } = astray;
    if *stops == 0 {
        return String::new();
    }
    let times = counted(*stops as usize, "time");
    format!("stopped on the way at a first impact {times} (physics.swept): {} m not gone\n", rounded(*way_not_gone))
}
