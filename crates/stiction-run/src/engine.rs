//! Which engine runs, with which parameters.

use stiction::parameter::{self, Scope};
use stiction::world::{Preset, SolverKind, TimeAdvancement, WorldParameters};
use stiction_formats::description::{Origin, WorldDescription};
use stiction_formats::diagnostic::Diagnostic;
use stiction_formats::simulation::{make_classic, set_by_file, world_parameters};
use stiction_formats::{Override, ParameterPath, compliant_advice};

use crate::error::RunError;
use crate::refusal;
use crate::setup::Setup;
use crate::values::{Change, origin_text};

/// Path of the engine's solver, which a file's `<solver><type>` sets.
const SOLVER: &str = "solver.kind";

/// An engine with all its parameters.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Engine {
    /// What the file or the setup asks for.
    pub preset: Preset,
    /// Parameters of the world.
    pub parameters: WorldParameters,
    /// Step \[s\].
    pub step: f64,
    /// Who changed which parameter.
    pub(crate) changes: Vec<Change>,
}

impl Engine {
    /// Name of the running engine; `ode` is distinguished by its solver.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.preset {
            Preset::Ode if self.parameters.solver == SolverKind::Direct => Preset::OdeWorld.name(),
            Preset::Ode => Preset::OdeQuick.name(),
            other => other.name(),
        }
    }

    /// Number of steps of a duration \[s\], 0 or more.
    #[must_use]
    pub fn steps(&self, duration: f64) -> u64 {
        (duration / self.step).round() as u64
    }

    /// Changes parameters as a program wants them.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut WorldParameters)) -> Result<(), RunError> {
        let before = self.parameters.clone();
        change(&mut self.parameters);
        self.parameters.validate()?;
        self.changes.extend(changed(&before, &self.parameters, "program"));
        Ok(())
    }

    /// What is legal for this engine and unwise.
    pub(crate) fn advice(&self, description: &WorldDescription) -> Vec<Diagnostic> {
        compliant_advice(description, &self.parameters, self.step)
    }
}

/// The engine of a setup, with the parameters of the file and of the settings.
pub(crate) fn choose(
    setup: &Setup,
    description: &WorldDescription,
    paths: &[ParameterPath],
    settings: &[Override],
) -> Result<Engine, RunError> {
    // What a file says of its solver also decides how strictly sweeps are meant.
    let solver = paths.iter().find(|p| p.path == "physics.ode.solver.type").map_or(&Origin::Default, |p| &p.origin);
    let mut parameters = world_parameters(description);
    let mut changes = changed(&WorldParameters::default(), &parameters, &origin_text(solver));
    // The file may give the library's own default.
    if !matches!(solver, Origin::Default) && !changes.iter().any(|c| c.path == SOLVER) {
        changes.push(Change { path: SOLVER.to_owned(), origin: origin_text(solver), value: None, is_of_file: true });
    }
    changes.iter_mut().for_each(|c| c.is_of_file = true);
    let preset = match &setup.engine {
        None => Preset::from_name(&description.physics.engine.value).unwrap_or(Preset::Ode),
        Some(name) => by_name(name)?,
    };
    changes.extend(set_by(preset));
    let mut stage = |now: &mut WorldParameters, origin: String, change: &mut dyn FnMut(&mut WorldParameters)| {
        let before = now.clone();
        change(now);
        changes.extend(changed(&before, now, &origin));
    };
    stage(&mut parameters, format!("preset {}", preset.name()), &mut |p| preset.apply(p));
    // Blocks have the names of engines without what follows a hyphen.
    let block = format!("<{}> of the file", preset.name().split('-').next().unwrap_or_default());
    stage(&mut parameters, block, &mut |p| set_by_file(description, preset, p));
    if setup.gazebo_classic {
        if !matches!(preset, Preset::Ode | Preset::OdeWorld | Preset::OdeQuick) {
            let reason =
                "has no mode of Gazebo classic; expected ode, ode-world or ode-quick with --compat gazebo-classic";
            return Err(RunError::Engine { name: preset.name().to_owned(), reason: reason.to_owned() });
        }
        stage(&mut parameters, "--compat gazebo-classic".to_owned(), &mut |p| make_classic(description, p));
    }
    if let Some(coordinates) = setup.coordinates {
        stage(&mut parameters, "--coordinates".to_owned(), &mut |p| p.coordinates = coordinates);
    }
    let mut step = setup.step_size.unwrap_or(description.physics.max_step_size.value);
    let mut is_own_step = setup.step_size.is_some();
    if step == 0.0 && preset.is_drake() {
        // Drake's time step of zero: continuous time, told at the file's steps.
        stage(&mut parameters, "--step-size".to_owned(), &mut |p| p.time = TimeAdvancement::Continuous);
        step = description.physics.max_step_size.value;
        is_own_step = false;
    }
    if !(step > 0.0 && step.is_finite()) {
        return Err(RunError::StepSize(step));
    }
    parameters.validate().map_err(|error| refusal::of_parameter(error, preset, paths))?;
    for Override { path, value } in settings {
        let (path, value) = (path.clone(), value.clone());
        match parameter::set(&mut parameters, &path, &value) {
            Some(Ok(())) => changes.push(Change { path, origin: "--set".to_owned(), value: None, is_of_file: false }),
            Some(Err(source)) => return Err(RunError::Value { path, value, source }),
            None => return Err(RunError::UnknownParameter { path, near: None }),
        }
    }
    if let Some(threads) = setup.threads {
        parameters.threads = threads;
        changes.push(Change {
            path: "physics.threads".to_owned(),
            origin: "--threads".to_owned(),
            value: None,
            is_of_file: false,
        });
    }
    if is_own_step {
        let (path, origin) = ("physics.max_step_size".to_owned(), "--step-size".to_owned());
        changes.push(Change { path, origin, value: Some(step.to_string()), is_of_file: false });
    }
    parameters.validate()?;
    if parameters.time == TimeAdvancement::Continuous {
        refusal::of_wires(preset, description)?;
    }
    Ok(Engine { preset, parameters, step, changes })
}

/// The name of an engine as the table of use has it: `ode`, and no name, mean `ode-quick`.
///
/// # Errors
/// There is no such engine.
pub fn engine_name(name: Option<&str>) -> Result<&'static str, RunError> {
    Ok(match name.map_or(Ok(Preset::Ode), by_name)? {
        Preset::Ode => Preset::OdeQuick.name(),
        other => other.name(),
    })
}

fn by_name(name: &str) -> Result<Preset, RunError> {
    let known = Preset::ALL.map(Preset::name);
    let near = || {
        stiction_formats::nearest(&name.to_lowercase(), known)
            .first()
            .map_or(String::new(), |near| format!("did you mean `{near}`? "))
    };
    let reason = || format!("{}expected one of {}", near(), known.join(", "));
    Preset::from_name(name).ok_or_else(|| RunError::Engine { name: name.to_owned(), reason: reason() })
}

/// The parameters that a preset sets, also where they have the same value without it.
fn set_by(preset: Preset) -> Vec<Change> {
    let origin = format!("preset {}", preset.name());
    let from = |other: &Preset| {
        let mut before = WorldParameters::default();
        other.apply(&mut before);
        let mut after = before.clone();
        preset.apply(&mut after);
        changed(&before, &after, &origin)
    };
    let mut changes: Vec<Change> = Preset::ALL.iter().flat_map(from).collect();
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    changes.dedup_by(|a, b| a.path == b.path);
    changes
}

/// Parameters of the table that differ.
fn changed(before: &WorldParameters, after: &WorldParameters, origin: &str) -> Vec<Change> {
    let change =
        |path: &str, value| Change { path: path.to_owned(), origin: origin.to_owned(), value, is_of_file: false };
    parameter::all()
        .filter(|p| matches!(p.scope, Scope::Engine | Scope::World))
        .filter(|p| p.access.is_some_and(|a| (a.get)(before) != (a.get)(after)))
        .map(|p| change(p.path, None))
        .collect()
}
