//! The elements that SDFormat knows and physics needs: one table for checks, defaults, overrides and lists.
//!
//! The table is `spec.tsv`. A context is the path of the enclosing element, begun anew at each element that may
//! stand in several places (`model`, `link`, `surface`, …).

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What an element holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Other elements.
    Tree,
    /// Something that is not looked into.
    Opaque,
    Text,
    Real,
    Unsigned,
    Bool,
    Vector2,
    Vector3,
    Pose,
}

/// Which numbers are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Range {
    Finite,
    Infinite,
    Positive,
    NonNegative,
    Unit,
    /// Classic runs a value outside.
    SoftPositive,
    SoftNonNegative,
    SoftUnit,
    /// Between 0 and 2, both exclusive: where sweeps with over-relaxation converge.
    SoftRelaxation,
    Step,
}

/// A known element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub kind: Kind,
    /// Text of the default; empty if there is none.
    pub default: &'static str,
    pub range: Range,
    pub unit: &'static str,
    /// A value of it has no effect yet.
    pub is_unused: bool,
}

type Table = BTreeMap<&'static str, Vec<(&'static str, Entry)>>;

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::new();
    for line in include_str!("spec.tsv").lines().filter(|l| !l.starts_with('#')) {
        let mut columns = line.split_ascii_whitespace();
        let mut next = || columns.next().unwrap_or("-");
        let (context, name, kind, default, range, unit) = (next(), next(), next(), next(), next(), next());
        let is_unused = next() == "none";
        let plain = |text: &'static str| match text {
            "-" => "",
            t if t.contains('_') => &*t.replace('_', " ").leak(),
            t => t,
        };
        let kind = match kind {
            "tree" => Kind::Tree,
            "text" => Kind::Text,
            "real" => Kind::Real,
            "unsigned" => Kind::Unsigned,
            "bool" => Kind::Bool,
            "vector2" => Kind::Vector2,
            "vector3" => Kind::Vector3,
            "pose" => Kind::Pose,
            _ => Kind::Opaque,
        };
        let range = match range {
            "inf" => Range::Infinite,
            ">0" => Range::Positive,
            ">=0" => Range::NonNegative,
            "0..1" => Range::Unit,
            "~>0" => Range::SoftPositive,
            "~>=0" => Range::SoftNonNegative,
            "~0..1" => Range::SoftUnit,
            "~0..2" => Range::SoftRelaxation,
            "step" => Range::Step,
            _ => Range::Finite,
        };
        // Words such as `pyramid_model` keep their underscores; only lists of numbers have spaces.
        let default = if kind == Kind::Text && default != "-" { default } else { plain(default) };
        table.entry(context).or_default().push((name, Entry { kind, default, range, unit: plain(unit), is_unused }));
    }
    table
});

/// Elements that begin a context of their own.
const ROOTS: [&str; 11] =
    ["world", "model", "link", "joint", "frame", "collision", "inertial", "geometry", "surface", "include", "sdf"];

/// Context of the children of `name` within `context`.
pub(crate) fn context(context: &str, name: &str) -> String {
    match name {
        n if ROOTS.contains(&n) => n.to_owned(),
        "physics" if context != "joint" => "physics".to_owned(),
        "axis2" => format!("{context}/axis"),
        n => format!("{context}/{n}"),
    }
}

/// The entry of a child, if it is known.
pub(crate) fn lookup(context: &str, name: &str) -> Option<Entry> {
    children(context).iter().find(|(n, _)| *n == name).map(|(_, e)| *e)
}

/// All known children, in the order of the table.
pub(crate) fn children(context: &str) -> &'static [(&'static str, Entry)] {
    TABLE.get(context).map_or(&[], Vec::as_slice)
}

/// Every known element with its context.
pub(crate) fn all() -> impl Iterator<Item = (&'static str, &'static str, Entry)> {
    TABLE.iter().flat_map(|(context, children)| children.iter().map(|(name, entry)| (*context, *name, *entry)))
}

/// The entry at `path` (`friction/ode/mu`) below a context.
pub(crate) fn lookup_path(root: &str, path: &str) -> Option<Entry> {
    let (tree, name) = path.rsplit_once('/').unwrap_or(("", path));
    let inner = tree.split('/').filter(|p| !p.is_empty()).fold(root.to_owned(), |c, n| context(&c, n));
    lookup(&inner, name)
}
