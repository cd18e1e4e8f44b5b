//! Every parameter in force and where its value comes from.

use stiction::parameter::{self, Scope};
use stiction::world::SolverKind;
use stiction_formats::ParameterPath;
use stiction_formats::description::Origin;
use stiction_formats::usage;

use crate::engine::Engine;

/// A parameter in force.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParameterValue {
    /// Dotted path, as settings have it.
    pub path: String,
    /// Value, as text; `unset` where the file does not give it and no value does what its absence does.
    pub value: String,
    /// Unit; empty or `1` for none.
    pub unit: &'static str,
    /// `default`, `FILE:LINE:COLUMN`, `preset NAME`, `--set` or another option of the command.
    pub origin: String,
}

/// A parameter that something else than the file decides.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// Path of the parameter.
    pub(crate) path: String,
    /// Who decides it.
    pub(crate) origin: String,
    /// The value, for what no field of [`WorldParameters`](stiction::world::WorldParameters) holds by that path.
    pub(crate) value: Option<String>,
    /// The file itself decides it: its own parameters tell that better.
    pub(crate) is_of_file: bool,
}

/// The origin of a value of the files in words: `default`, `FILE:LINE:COLUMN` or `--set`.
#[must_use]
pub fn origin_text(origin: &Origin) -> String {
    origin.words()
}

/// Parameters of the files, then of the engine alone.
pub(crate) fn in_force(paths: &[ParameterPath], engine: &Engine) -> Vec<ParameterValue> {
    let last = |path: &str| engine.changes.iter().rev().find(|c| c.path == path);
    let mut values: Vec<ParameterValue> = paths
        .iter()
        .map(|p| {
            let leaf = usage::find(&p.key);
            let change = last(own_path(&p.path)).filter(|c| !c.is_of_file);
            let absent = leaf.filter(|_| !p.is_given || p.origin == Origin::Default);
            let absent = absent.and_then(|leaf| usage::absent(leaf, engine.name()));
            let own = || absent.map_or_else(|| p.value.clone(), str::to_owned);
            let changed = change.and_then(|c| Some((c, c.value.clone().or_else(|| of_world(&p.path, engine))?)));
            let (value, origin) = match changed {
                Some((change, value)) => (value, change.origin.clone()),
                None => (own(), if absent.is_some() { Origin::Default.words() } else { p.origin.words() }),
            };
            let unit = if value == "unset" { "" } else { p.unit };
            ParameterValue { path: p.path.clone(), value, unit, origin }
        })
        .collect();
    for p in parameter::all().filter(|p| p.scope == Scope::Engine) {
        let Some(access) = p.access else { continue };
        let value = (access.get)(&engine.parameters);
        values.push(ParameterValue {
            path: p.path.to_owned(),
            // Words such as `off` have no unit.
            unit: if value.starts_with(|c: char| c.is_ascii_alphabetic()) && value != "inf" { "" } else { p.unit },
            value,
            origin: last(p.path).map_or_else(|| "default".to_owned(), |c| c.origin.clone()),
        });
    }
    values
}

/// The path of ODE's solver names one parameter with the solver of the engine.
const ODE_SOLVER: [&str; 2] = ["physics.ode.solver.type", "solver.kind"];

fn own_path(path: &str) -> &str {
    if path == ODE_SOLVER[0] { ODE_SOLVER[1] } else { path }
}

/// A parameter of the world as the engine has it.
fn of_world(path: &str, engine: &Engine) -> Option<String> {
    let is_odes = matches!(engine.parameters.solver, SolverKind::Direct | SolverKind::Iterative);
    // Solvers of other engines have no name among ODE's.
    if !is_odes && path == ODE_SOLVER[0] {
        return None;
    }
    let access = parameter::find(path)?.access?;
    Some((access.get)(&engine.parameters))
}
