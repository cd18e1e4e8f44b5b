//! The page of a parameter.

use stiction_formats::nearest;
use stiction_formats::usage::{self, How, Leaf};
use thiserror::Error;

use super::directions::FrictionDirections;

/// Everything that the tables say of a parameter.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Page {
    /// Path below what has a name: `surface.contact.ode.kp`.
    pub path: String,
    /// Path as `--set` has it, `*` for every name.
    pub pattern: String,
    /// One sentence.
    pub meaning: &'static str,
    /// Unit; of axes that of displacements and of angles, with ` or ` between them.
    pub unit: String,
    /// Default; empty where there is none.
    pub default: &'static str,
    /// Allowed values.
    pub range: &'static str,
    /// How the values of two surfaces become one; empty where there is only one.
    pub combination: &'static str,
    /// Equation; may be empty.
    pub equation: &'static str,
    /// Where the meaning is from.
    pub source: &'static str,
    /// What each engine does with it, and why.
    pub uses: Vec<(&'static str, How, &'static str)>,
    /// Other names: of files of other formats, of the engine.
    pub aliases: Vec<&'static str>,
    /// Parameters beside it, by their paths.
    pub related: Vec<String>,
    /// Of friction coefficients: which directions they act along without `fdir1`.
    pub directions: &'static [FrictionDirections],
    /// File of a test that shows its effect.
    pub proof: &'static str,
}

/// No parameter has such a name, or several have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.text())]
#[non_exhaustive]
pub struct UnknownParameter {
    /// What was asked for.
    pub name: String,
    /// The nearest names, or those that it may mean.
    pub near: Vec<String>,
    /// Several parameters end so.
    pub is_ambiguous: bool,
}

impl UnknownParameter {
    fn text(&self) -> String {
        let near: Vec<String> = self.near.iter().map(|n| format!("`{n}`")).collect();
        let (name, near) = (&self.name, near.join(", "));
        match (self.is_ambiguous, self.near.is_empty()) {
            (true, _) => format!("`{name}` is the end of several parameters: {near}"),
            (false, false) => format!("`{name}` is neither a file nor a parameter; the nearest: {near}"),
            (false, true) => format!("`{name}` is neither a file nor a parameter"),
        }
    }
}

/// Most parameters that are named as neighbours.
const MOST_RELATED: usize = 12;

/// The page of a parameter: by its path, by the path of a file with names in it, or by its last parts where they are those of one
/// parameter. Of several that end so, the one of ODE's elements counts, for other engines' have the name of the engine.
///
/// # Errors
/// There is none, or there are several.
pub fn find_parameter(name: &str) -> Result<Page, UnknownParameter> {
    let leaves = usage::leaves();
    let name = name.trim().strip_prefix("world.").unwrap_or(name.trim());
    if let Some(leaf) = leaves.iter().find(|leaf| leaf.pattern() == name) {
        return Ok(Page::of(leaf));
    }
    // `pose` is one of models, links and more.
    let ambiguous = |of: &[&Leaf]| {
        let near = of.iter().map(|leaf| leaf.pattern()).collect();
        Err(UnknownParameter { name: name.to_owned(), near, is_ambiguous: true })
    };
    let whole: Vec<&Leaf> = leaves.iter().filter(|leaf| leaf.path() == name).collect();
    match whole.as_slice() {
        [] => {}
        [one] => return Ok(Page::of(one)),
        several => return ambiguous(several),
    }
    let ending = format!(".{name}");
    let by_alias = |leaf: &&Leaf| aliases(leaf).contains(&name);
    let ends: Vec<&Leaf> = leaves.iter().filter(|leaf| leaf.path().ends_with(&ending)).collect();
    let ends = if ends.is_empty() { leaves.iter().filter(by_alias).collect() } else { ends };
    // A path of a file: the longest parameter that it ends with.
    let of_file = || {
        let fits = |leaf: &&Leaf| {
            let head = leaf.pattern().split('.').next().map(str::to_owned);
            name.ends_with(&format!(".{}", leaf.path())) && head.is_some_and(|head| name.starts_with(&head))
        };
        leaves.iter().filter(fits).max_by_key(|leaf| leaf.path().len())
    };
    match ends.as_slice() {
        [one] => return Ok(Page::of(one)),
        [] => {}
        several => {
            let odes: Vec<&&Leaf> = several.iter().filter(|leaf| !leaf.is_of_engine_block()).collect();
            if let [one] = odes.as_slice() {
                return Ok(Page::of(one));
            }
            return ambiguous(several);
        }
    }
    if let Some(leaf) = of_file() {
        return Ok(Page::of(leaf));
    }
    let last = name.rsplit('.').next().unwrap_or(name);
    let names: Vec<(String, String)> = leaves.iter().map(|leaf| (leaf.name(), leaf.path())).collect();
    let mut near: Vec<String> =
        nearest(name, names.iter().map(|(_, path)| path.as_str())).into_iter().map(str::to_owned).collect();
    for word in nearest(last, names.iter().map(|(name, _)| name.as_str())) {
        near.extend(names.iter().filter(|(name, _)| name == word).map(|(_, path)| path.clone()));
    }
    let mut told: Vec<String> = Vec::new();
    near.into_iter().for_each(|path| {
        if !told.contains(&path) && told.len() < 6 {
            told.push(path);
        }
    });
    Err(UnknownParameter { name: name.to_owned(), near: told, is_ambiguous: false })
}

/// Other names of parameters: of URDF's `<gazebo>` elements, of the engine, of ODE's library.
const ALIASES: [(&str, &[&str]); 24] = [
    ("surface/friction/ode mu", &["mu1 (URDF)", "dSurfaceParameters::mu (ODE)"]),
    ("surface/friction/ode mu2", &["mu2 (URDF)", "dSurfaceParameters::mu2 (ODE)"]),
    ("surface/friction/ode fdir1", &["fdir1 (URDF)", "dContact::fdir1 (ODE)"]),
    ("surface/friction/ode slip1", &["dSurfaceParameters::slip1 (ODE)"]),
    ("surface/friction/ode slip2", &["dSurfaceParameters::slip2 (ODE)"]),
    ("surface/contact/ode kp", &["kp (URDF)"]),
    ("surface/contact/ode kd", &["kd (URDF)"]),
    ("surface/contact/ode max_vel", &["maxVel (URDF)"]),
    ("surface/contact/ode min_depth", &["minDepth (URDF)"]),
    ("surface/contact/ode soft_cfm", &["dSurfaceParameters::soft_cfm (ODE)"]),
    ("surface/contact/ode soft_erp", &["dSurfaceParameters::soft_erp (ODE)"]),
    ("surface/bounce restitution_coefficient", &["dSurfaceParameters::bounce (ODE)"]),
    ("surface/bounce threshold", &["dSurfaceParameters::bounce_vel (ODE)"]),
    ("collision max_contacts", &["maxContacts (URDF)"]),
    ("model self_collide", &["selfCollide (URDF)"]),
    ("physics/ode/solver type", &["solver.kind"]),
    ("solver.kind", &["physics.ode.solver.type"]),
    ("physics/ode/solver iters", &["dWorldSetQuickStepNumIterations (ODE)"]),
    ("physics/ode/solver sor", &["dWorldSetQuickStepW (ODE)"]),
    ("physics/ode/constraints cfm", &["dWorldSetCFM (ODE)"]),
    ("physics/ode/constraints erp", &["dWorldSetERP (ODE)"]),
    ("physics/ode/constraints contact_max_correcting_vel", &["dWorldSetContactMaxCorrectingVel (ODE)"]),
    ("physics/ode/constraints contact_surface_layer", &["dWorldSetContactSurfaceLayer (ODE)"]),
    ("joint/physics/ode fudge_factor", &["fudgeFactor (URDF)", "dParamFudgeFactor (ODE)"]),
];

fn full_aliases(leaf: &Leaf) -> &'static [&'static str] {
    ALIASES.iter().find(|(key, _)| *key == leaf.key).map_or(&[], |(_, names)| names)
}

/// The names alone.
fn aliases(leaf: &Leaf) -> Vec<&'static str> {
    full_aliases(leaf).iter().map(|name| name.split(' ').next().unwrap_or(name)).collect()
}

impl Page {
    fn of(leaf: &Leaf) -> Self {
        let uses = usage::engines().filter_map(|engine| usage::of(leaf, engine).map(|u| (engine, u.how, u.text)));
        let (path, context) = (leaf.path(), leaf.context());
        let group = path.rsplit_once('.').map_or("", |(group, _)| group);
        let beside = |other: &&Leaf| {
            let of_engine = context.is_empty() && other.path().rsplit_once('.').is_some_and(|(g, _)| g == group);
            other.key != leaf.key && other.context() == context && (!context.is_empty() || of_engine)
        };
        let parameter = leaf.parameter;
        Self {
            pattern: leaf.pattern(),
            meaning: leaf.meaning(),
            unit: leaf.unit.replace('|', " or "),
            default: leaf.default,
            range: leaf.range(),
            combination: leaf.combination(),
            equation: leaf.equation(),
            source: parameter.map_or("SDFormat", |p| p.source),
            uses: uses.collect(),
            aliases: full_aliases(leaf).to_vec(),
            related: usage::leaves().iter().filter(beside).take(MOST_RELATED).map(Leaf::path).collect(),
            directions: if FrictionDirections::concern(&leaf.key) { FrictionDirections::ALL } else { &[] },
            proof: usage::proof(leaf),
            path,
        }
    }
}
