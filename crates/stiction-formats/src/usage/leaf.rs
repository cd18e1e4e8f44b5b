//! Every parameter that the table of use has a row for: scalar elements of files, then parameters of the engine.

use std::sync::LazyLock;

use stiction::parameter::{self, Parameter, Scope};

use crate::sdf::spec::{self, Entry, Kind, Range};

use super::table;

/// What values a parameter has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafKind {
    /// `true` or `false`.
    Switch,
    /// A whole number, 0 or more.
    Integer,
    /// A number.
    Number,
    /// So many numbers.
    Numbers(usize),
    /// One of some words.
    Word,
}

/// A parameter of a file or of the engine.
#[derive(Clone)]
pub struct Leaf {
    /// `CONTEXT NAME` of an element, or the path of a parameter of the engine.
    pub key: String,
    /// Its row in the table of parameters, if it has one.
    pub parameter: Option<&'static Parameter>,
    /// What values it has.
    pub kind: LeafKind,
    /// Default as text; empty where there is none.
    pub default: &'static str,
    /// Unit; of axes that of displacements and of angles, with `|` between them.
    pub unit: &'static str,
    range: Option<Range>,
}

/// Elements that say what there is and where, not how it acts.
const PLACES: [&str; 2] = ["include", "frame"];

static LEAVES: LazyLock<Vec<Leaf>> = LazyLock::new(|| {
    let is_leaf = |context: &str, name: &str, entry: &Entry| match entry.kind {
        Kind::Tree | Kind::Opaque => false,
        // Names and files are no parameters; words of physics are.
        Kind::Text => context.starts_with("physics"),
        _ => !(PLACES.contains(&context) || (context == "geometry/polyline" && name == "point")),
    };
    let of_files = spec::all().filter(|(context, name, entry)| is_leaf(context, name, entry));
    let of_engine = parameter::all().filter(|p| p.scope == Scope::Engine);
    of_files
        .map(|(context, name, entry)| of_file(context, name, entry))
        .chain(of_engine.map(of_engine_parameter))
        .collect()
});

fn of_file(context: &'static str, name: &'static str, entry: Entry) -> Leaf {
    let kind = match entry.kind {
        Kind::Bool => LeafKind::Switch,
        Kind::Unsigned => LeafKind::Integer,
        Kind::Vector2 => LeafKind::Numbers(2),
        Kind::Vector3 => LeafKind::Numbers(3),
        Kind::Pose => LeafKind::Numbers(6),
        Kind::Text => LeafKind::Word,
        Kind::Real | Kind::Tree | Kind::Opaque => LeafKind::Number,
    };
    let path = path_of(context, name);
    let in_scope = |scope: Scope| match scope {
        Scope::World => context.starts_with("physics") || context == "world",
        Scope::Surface => context.starts_with("surface") || context.starts_with("collision"),
        Scope::Joint => context.starts_with("joint"),
        _ => false,
    };
    let parameter = parameter::all().find(|p| p.path == path && in_scope(p.scope));
    let range = Some(entry.range);
    Leaf { key: format!("{context} {name}"), parameter, kind, default: entry.default, unit: entry.unit, range }
}

fn of_engine_parameter(parameter: &'static Parameter) -> Leaf {
    let kind = match (parameter.range, parameter.unit) {
        (_, "") if parameter.default.parse::<f64>().is_err() => LeafKind::Word,
        _ => LeafKind::Number,
    };
    let (default, unit) = (parameter.default, parameter.unit);
    Leaf { key: parameter.path.to_owned(), parameter: Some(parameter), kind, default, unit, range: None }
}

/// The path of an element below the element that has a name of its own, as in the table of parameters:
/// `surface.contact.ode.kp`, `axis.limit.lower`, `physics.ode.solver.iters`.
fn path_of(context: &str, name: &str) -> String {
    // What stands in the world or in something with a name is known by its own name.
    let own = ["world", "model", "link", "collision", "joint"];
    let parts = context.split('/').enumerate().filter(|(i, part)| *i > 0 || !own.contains(part)).map(|(_, part)| part);
    let with_colon = |part: &str| part.strip_prefix("drake.").map_or_else(|| part.to_owned(), |p| format!("drake:{p}"));
    parts.chain([name]).map(with_colon).collect::<Vec<_>>().join(".")
}

/// All parameters: elements in the order of their contexts, then the engine's.
#[must_use]
pub fn leaves() -> &'static [Leaf] {
    &LEAVES
}

/// The parameter of a key.
#[must_use]
pub fn find(key: &str) -> Option<&'static Leaf> {
    LEAVES.iter().find(|leaf| leaf.key == key)
}

impl Leaf {
    /// Context of an element: `surface/contact/ode`; empty for parameters of the engine.
    #[must_use]
    pub fn context(&self) -> &str {
        self.key.split_once(' ').map_or("", |(context, _)| context)
    }

    /// It belongs to the elements of one engine: `<bullet>`, `<simbody>` or `<dart>`.
    #[must_use]
    pub fn is_of_engine_block(&self) -> bool {
        self.context().split('/').any(|part| ["bullet", "simbody", "dart"].contains(&part))
    }

    /// The last part of its path.
    #[must_use]
    pub fn name(&self) -> String {
        self.path().rsplit('.').next().unwrap_or_default().to_owned()
    }

    /// Path below what has a name: `surface.contact.ode.kp` below a collision, `physics.ode.solver.iters` in the world.
    #[must_use]
    pub fn path(&self) -> String {
        match self.key.split_once(' ') {
            Some((context, name)) => path_of(context, name),
            None => self.key.clone(),
        }
    }

    /// Path as `--set` has it, with `*` for every name: `model.*.link.*.collision.*.surface.contact.ode.kp`.
    #[must_use]
    pub fn pattern(&self) -> String {
        let around = match self.context().split('/').next().unwrap_or_default() {
            "model" => "model.*.",
            "link" | "inertial" => "model.*.link.*.",
            "collision" | "surface" | "geometry" => "model.*.link.*.collision.*.",
            "joint" => "model.*.joint.*.",
            _ => "",
        };
        format!("{around}{}", self.path())
    }

    /// What it means, in a sentence; empty if the tables do not say.
    #[must_use]
    pub fn meaning(&self) -> &'static str {
        self.parameter.map_or_else(|| table::meaning(&self.key), |p| p.meaning)
    }

    /// Its equation; empty if the tables have none.
    #[must_use]
    pub fn equation(&self) -> &'static str {
        let of_parameter = self.parameter.map_or("", |p| p.equation);
        if of_parameter.is_empty() { table::equation(&self.key) } else { of_parameter }
    }

    /// How the values of two surfaces become one; empty if it is not of surfaces.
    #[must_use]
    pub fn combination(&self) -> &'static str {
        let of_parameter = self.parameter.map_or("", |p| p.combination);
        if of_parameter.is_empty() { table::rule(&self.key) } else { of_parameter }
    }

    /// What values are allowed, in words.
    #[must_use]
    pub fn range(&self) -> &'static str {
        match (self.parameter, self.range) {
            (Some(parameter), _) => parameter.range,
            (None, Some(range)) => match (range, self.kind) {
                (_, LeafKind::Switch) => "true or false",
                (_, LeafKind::Word) => "a word",
                (_, LeafKind::Integer) | (Range::NonNegative | Range::SoftNonNegative, _) => "0 or more",
                (Range::Positive | Range::SoftPositive, _) => "more than 0",
                (Range::Unit | Range::SoftUnit, _) => "0 to 1",
                (Range::SoftRelaxation, _) => "more than 0, less than 2",
                (Range::Step, _) => "1e-9 to 1",
                (Range::Infinite, _) => "any number, or inf",
                (Range::Finite, LeafKind::Numbers(2)) => "two numbers",
                (Range::Finite, LeafKind::Numbers(3)) => "three numbers",
                (Range::Finite, LeafKind::Numbers(_)) => "six numbers",
                (Range::Finite, LeafKind::Number) => "any number",
            },
            (None, None) => "",
        }
    }
}
