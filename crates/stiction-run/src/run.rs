//! A run in progress.

use stiction::joints::{JointDefinition, JointKind};
use stiction::math::DVec3;
use stiction_formats::description::WorldDescription;
use stiction_formats::diagnostic::{Diagnostic, Severity};
use stiction_formats::in_force::MaterialsInForce;
use stiction_formats::simulation::{Simulation, apply_materials, simulate};
use stiction_formats::{Loaded, movable_planes, one_line};

use crate::clock::Clock;
use crate::commands::{self, Command};
use crate::condition::ResolvedCondition;
use crate::engine::Engine;
use crate::error::{Failure, Request, RunError, near_or_all};
use crate::explain::{Subject, WithoutEffect};
use crate::forces::{self, AppliedForce};
use crate::quantities::{Quantity, of_joint, of_link, total};
use crate::refusal;
use crate::setup::Project;
use crate::state::{self, StateFile};
use crate::values::{self, ParameterValue};
use crate::watch::{Totals, measure, unfinished};

/// Largest rate at which what the joints of files and states are off at the start is closed \[m/s or rad/s\].
const START_CLOSING_RATE: f64 = 0.5;

/// A world with names that is stepped under forces and commands, and watched.
pub struct Run {
    pub(crate) loaded: Loaded,
    pub(crate) description: WorldDescription,
    pub(crate) simulation: Simulation,
    pub(crate) engine: Engine,
    pub(crate) totals: Totals,
    pub(crate) clock: Clock,
    /// Materials and pairs of them, if there is a table.
    pub(crate) materials: Option<MaterialsInForce>,
    advice: Vec<Diagnostic>,
    /// Warnings that were known before the first step.
    early: Vec<String>,
    /// Commands that plugins take and nothing gives.
    hints: Vec<String>,
    /// Parameters of the files that do not act.
    without_effect: Vec<WithoutEffect>,
    forces: Vec<AppliedForce>,
    commands: Vec<Command>,
    /// What devices did, and when \[s\].
    pub(crate) events: Vec<(f64, String)>,
    conditions: Vec<ResolvedCondition>,
    /// The first condition that was true.
    broken: Option<Failure>,
    unfinished: Option<Failure>,
}

impl Run {
    pub(crate) fn new(project: Project, engine: Engine) -> Result<Self, RunError> {
        let description = project.description()?.clone();
        let in_force = project.materials_in_force();
        let without_effect = project.without_effect(&engine);
        let Project { setup, loaded, materials, gains, .. } = project;
        let mut simulation = simulate(&description, engine.parameters.clone())
            .map_err(|error| refusal::of_world(error, &description))?;
        let of_materials =
            materials.map_or_else(Vec::new, |table| apply_materials(&mut simulation, &description, &table));
        if setup.fixed_base {
            weld_root(&mut simulation, &description)?;
        }
        measure(&mut simulation.world);
        let mut clock = Clock::new(0.0, 0, engine.step);
        if let Some(initial) = &setup.initial_state {
            state::apply(&mut simulation, &description, initial)?;
            clock = Clock::new(initial.time, initial.steps(), engine.step);
        }
        if setup.initial_state.as_ref().is_none_or(|state| state.steps() == 0) {
            simulation.world.close_start(START_CLOSING_RATE);
        }
        let forces = setup.forces.iter().map(|f| forces::resolve(f, &simulation)).collect::<Result<Vec<_>, _>>()?;
        let mut advice = engine.advice(&description);
        advice.extend(of_materials);
        advice.extend(movable_planes(&description));
        let mut early: Vec<String> = advice.iter().filter(|d| d.severity >= Severity::Warning).map(with_line).collect();
        let commands = commands::resolve(&setup.commands, &gains, &simulation, &mut early)?;
        let hints = commands::hints(&commands, &simulation);
        let totals = Totals::new(&simulation);
        let conditions = setup.conditions.iter().map(|condition| condition.resolve(&simulation, &totals));
        let conditions = conditions.collect::<Result<_, _>>()?;
        Ok(Self {
            loaded,
            description,
            simulation,
            engine,
            totals,
            clock,
            materials: in_force,
            advice,
            early,
            hints,
            without_effect,
            forces,
            commands,
            events: Vec::new(),
            conditions,
            broken: None,
            unfinished: None,
        })
    }

    /// Advances by a step: commands, forces, the step, and what is watched.
    ///
    /// # Errors
    /// [`Failure::Unfinished`]: continuous time came to its bound on steps. Every later step says the same and does nothing.
    pub fn step(&mut self) -> Result<(), Failure> {
        if let Some(failure) = &self.unfinished {
            return Err(failure.clone());
        }
        let step = self.engine.step;
        self.commands.iter().for_each(|c| c.apply(&mut self.simulation, &self.clock, step));
        self.forces.iter().for_each(|f| f.apply(&mut self.simulation, &self.clock, step));
        let time = self.clock.time() + step;
        self.events.extend(self.simulation.step(step).into_iter().map(|event| (time, event)));
        self.totals.add(&self.simulation);
        if self.broken.is_none() {
            let (simulation, totals) = (&self.simulation, &self.totals);
            let broken = self.conditions.iter().find_map(|c| Some((c, c.broken(simulation, totals)?)));
            self.broken = broken.map(|(condition, broken)| Failure::Condition {
                text: condition.text().to_owned(),
                step: self.clock.steps(),
                time: self.clock.next(),
                value: broken.value,
                of: broken.of,
            });
        }
        self.clock.tick();
        let message = unfinished(&self.simulation, self.engine.parameters.integrator.max_trials);
        self.unfinished = message.map(Failure::Unfinished);
        self.unfinished.clone().map_or(Ok(()), Err)
    }

    /// Advances by the steps of a duration \[s\].
    ///
    /// # Errors
    /// As [`Run::step`].
    pub fn advance(&mut self, duration: f64) -> Result<(), Failure> {
        (0..self.engine.steps(duration)).try_for_each(|_| self.step())
    }

    /// Simulated time \[s\]: steps times step, after the time of the initial state.
    #[must_use]
    pub fn time(&self) -> f64 {
        // A step of continuous time that was not finished ends where it stopped.
        if self.unfinished.is_some() { self.simulation.world.time() } else { self.clock.time() }
    }

    /// The time of the step that ended when the world had a time, as [`Run::time`] counts \[s\].
    pub(crate) fn count_time(&self, of_world: f64) -> f64 {
        self.clock.nearest(of_world)
    }

    /// Steps that this run took.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.clock.steps()
    }

    /// The engine and its parameters.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// What was loaded.
    #[must_use]
    pub fn description(&self) -> &WorldDescription {
        &self.description
    }

    /// The world with its names.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The world, to be changed between steps.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// The world with its names, for a program that steps it itself.
    #[must_use]
    pub fn into_simulation(self) -> Simulation {
        self.simulation
    }

    /// Every parameter in force, with its origin.
    #[must_use]
    pub fn values(&self) -> Vec<ParameterValue> {
        values::in_force(&self.loaded.parameter_paths, &self.engine)
    }

    /// A quantity of the whole world now; for [`Quantity::Speed`] that of the fastest link. 0 for quantities of one link or
    /// joint.
    #[must_use]
    pub fn total(&self, quantity: Quantity) -> f64 {
        total(quantity, &self.simulation, &self.totals)
    }

    /// A quantity of a link by its scoped name: the three numbers of a position or orientation, or one number three times.
    ///
    /// # Errors
    /// There is no such link.
    pub fn link(&self, quantity: Quantity, name: &str) -> Result<DVec3, RunError> {
        let links = &self.simulation.links;
        let index = links.iter().position(|l| l.name == name);
        index
            .map(|i| self.link_at(quantity, i))
            .ok_or_else(|| unknown("link", name, links.iter().map(|l| l.name.as_str())))
    }

    /// The same by the index of the link in the world.
    #[must_use]
    pub fn link_at(&self, quantity: Quantity, index: usize) -> DVec3 {
        of_link(quantity, &self.simulation, index)
    }

    /// A quantity of an axis, from 0, of a joint by its scoped name; 0 for an axis that it does not have.
    ///
    /// # Errors
    /// There is no such joint.
    pub fn joint(&self, quantity: Quantity, name: &str, axis: usize) -> Result<f64, RunError> {
        let joints = &self.simulation.joints;
        let index = joints.iter().position(|j| j.name == name);
        let unknown = || unknown("joint", name, joints.iter().map(|j| j.name.as_str()));
        index.map(|i| self.joint_at(quantity, i, axis)).ok_or_else(unknown)
    }

    /// The same by the index of the joint in the world.
    #[must_use]
    pub fn joint_at(&self, quantity: Quantity, index: usize, axis: usize) -> f64 {
        of_joint(quantity, &self.simulation, index, axis)
    }

    /// What is legal for this engine and unwise.
    #[must_use]
    pub fn advice(&self) -> &[Diagnostic] {
        &self.advice
    }

    /// Warnings that were known before the first step, beside those of the files.
    #[must_use]
    pub fn early_warnings(&self) -> &[String] {
        &self.early
    }

    /// For each plugin that takes a command and has none: the form of the command.
    #[must_use]
    pub fn hints(&self) -> &[String] {
        &self.hints
    }

    /// What has no effect in a line each for parameters, plugins and sensors; whether it is a warning.
    #[must_use]
    pub fn effect_lines(&self) -> Vec<(bool, String)> {
        let all = &self.without_effect;
        let line = |subject| {
            let line = WithoutEffect::line(all, subject, &self.engine)?;
            Some((WithoutEffect::is_warning(all, subject), line))
        };
        Subject::ALL.into_iter().filter_map(line).collect()
    }

    /// Parameters, plugins and sensors that the files have and that do not act under the engine.
    #[must_use]
    pub fn without_effect(&self) -> &[WithoutEffect] {
        &self.without_effect
    }

    /// Why what was simulated so far should not be trusted, each once.
    #[must_use]
    pub fn doubts(&self) -> Vec<String> {
        self.totals.warnings(&self.simulation, &self.description)
    }

    /// All warnings: of the files, before the first step, and of what was simulated.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let findings = self.loaded.diagnostics.iter().filter(|d| d.severity >= Severity::Warning).map(one_line);
        let missed = self.effect_lines().into_iter().filter(|(is_warning, _)| *is_warning).map(|(_, line)| line);
        findings.chain(self.early.iter().cloned()).chain(missed).chain(self.doubts()).collect()
    }

    /// What has failed so far: a condition, the steps of continuous time, bodies that were stopped, energy.
    #[must_use]
    pub fn failure(&self) -> Option<Failure> {
        let stopped = &self.totals.quarantined;
        let stopped = (!stopped.is_empty()).then(|| Failure::Quarantined(stopped.clone()));
        let passed_over = self.totals.integration.skipped;
        let stuck = (passed_over > 0.5 * self.engine.step * self.totals.steps as f64).then(|| {
            Failure::Unfinished(format!(
                "{passed_over} s of continuous time were passed over: no step gave finite numbers"
            ))
        });
        let exploded = self.totals.ledger.has_exploded().then_some(Failure::Exploded);
        self.broken.clone().or_else(|| self.unfinished.clone()).or(stuck).or(stopped).or(exploded)
    }

    /// The present state, as another run continues it.
    ///
    /// # Errors
    /// The world holds bodies that its files do not name.
    pub fn state(&self) -> Result<StateFile, RunError> {
        state::of(&self.simulation, &self.clock, self.totals.penetration_max)
    }
}

/// What was found, with the line where it stands.
fn with_line(d: &Diagnostic) -> String {
    let place = d.location.as_ref().map_or_else(String::new, |l| format!("{}:{}: ", l.file.display(), l.line));
    format!("{place}{}", d.message)
}

fn unknown<'a>(kind: &'static str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> RunError {
    let (near, is_near) = near_or_all(name, known);
    let (text, name) = (name.to_owned(), name.to_owned());
    RunError::Unknown { request: Request::Quantity, text, kind, name, near, is_near }
}

/// The canonical link of the first model that moves is welded to the world.
fn weld_root(simulation: &mut Simulation, description: &WorldDescription) -> Result<(), RunError> {
    let root = description.models.iter().find(|m| !m.is_static).and_then(|m| m.canonical_link);
    let body = root.and_then(|link| simulation.links[link].body);
    if root.is_some_and(|root| hangs_on_world(description, root)) {
        return Ok(());
    }
    let (Some(root), Some(body)) = (root, body) else { return Err(RunError::NothingMoves) };
    let anchor = description.links[root].pose.position;
    let weld = JointDefinition::new(JointKind::Fixed, Some(body), None).at(anchor);
    simulation.world.add_joint(weld).map(drop).map_err(RunError::Weld)
}

/// The base is fixed as it is.
fn hangs_on_world(description: &WorldDescription, root: usize) -> bool {
    let is_joined = |link: usize| description.joints.iter().any(|j| j.child == Some(link) && j.parent.is_none());
    description.links[root].is_fixed_to_world || is_joined(root)
}
