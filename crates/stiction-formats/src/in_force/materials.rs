//! The material table as it acts: materials, and pairs of them, each value with its origin.

use std::collections::BTreeSet;

use crate::description::{Origin, WorldDescription};
use crate::diagnostic::{Diagnostic, Location};
use crate::materials::{CONTACT_KEYS, MATERIAL_KEYS, Material, MaterialTable, Pair, Range, WORD_KEYS};
use crate::simulation::{doubts, meeting, table_with_own};

/// Keys of a material that have no part in any law here.
const UNUSED: [&str; 3] = ["poissonRatio", "stiffness", "damping"];

/// A value of a material or of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueInForce {
    /// The key, as the manual spells it.
    pub key: &'static str,
    /// The value.
    pub value: String,
    /// Its unit; empty for none.
    pub unit: &'static str,
    /// Where it comes from: `default`, `FILE:LINE:COLUMN`, `--set`, or the rule that it is derived by.
    pub origin: String,
    /// It has a part in some law.
    pub is_used: bool,
}

/// A material of the table, or of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialInForce {
    /// Name.
    pub name: String,
    /// Shapes of the world are made of it.
    pub is_used: bool,
    /// Every key.
    pub values: Vec<ValueInForce>,
    /// Where it stands.
    pub location: Option<Location>,
}

/// Two materials.
#[derive(Clone, Debug, PartialEq)]
pub struct PairInForce {
    /// The two names in order.
    pub materials: [String; 2],
    /// It is derived of the two; otherwise it is listed.
    pub is_derived: bool,
    /// Shapes of the two may touch.
    pub may_meet: bool,
    /// Its restitution rests on a viscosity that the file leaves out.
    pub rests_on_default_viscosity: bool,
    /// Every key.
    pub values: Vec<ValueInForce>,
    /// Where it stands, if it is listed.
    pub location: Option<Location>,
}

/// Materials and pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialsInForce {
    /// All materials by name.
    pub materials: Vec<MaterialInForce>,
    /// The listed pairs, and those derived ones whose materials may meet.
    pub pairs: Vec<PairInForce>,
    /// What the world asks of the table and does not find there.
    pub doubts: Vec<Diagnostic>,
}

/// What a table, with the materials that links have of their own, means for a world.
#[must_use]
pub fn materials(world: &WorldDescription, table: &MaterialTable) -> MaterialsInForce {
    let table = table_with_own(table, world);
    let (used, meeting) = meeting(world);
    let doubts = doubts(world, &table, &meeting);
    let materials = table.materials().map(|material| of_material(material, used.contains(&material.name))).collect();
    let listed = table.contacts().map(|(names, _)| names.clone());
    let all: BTreeSet<[String; 2]> = listed.chain(meeting.iter().cloned()).collect();
    let pairs = all.into_iter().map(|names| {
        let may_meet = meeting.contains(&names);
        of_pair(&table, names, may_meet)
    });
    MaterialsInForce { materials, pairs: pairs.collect(), doubts }
}

fn of_material(material: &Material, is_used: bool) -> MaterialInForce {
    let values = MATERIAL_KEYS.iter().map(|key| ValueInForce {
        key: key.names[0],
        value: shown((key.get)(material), key.range),
        unit: key.unit,
        origin: material.origins.get(key.names[0]).map_or_else(|| "default".to_owned(), Origin::words),
        is_used: !UNUSED.contains(&key.names[0]),
    });
    MaterialInForce {
        name: material.name.clone(),
        is_used,
        values: values.collect(),
        location: material.location.clone(),
    }
}

/// The key of the materials that a derived value follows from, and the rule.
const RULES: [(&str, &str, &str); 7] = [
    ("youngsModulus", "youngsModulus", "E₁ E₂ / (E₁ + E₂)"),
    ("restitution", "viscosity", "√((1 − v₁)(1 − v₂))"),
    ("spookDamping", "spookDamping", "max(τ₁, τ₂)"),
    ("friction", "roughness", "√(r₁ r₂)"),
    ("surfaceViscosity", "surfaceViscosity", "γ₁ + γ₂"),
    ("adhesionForce", "adhesionForce", "F₁ + F₂"),
    ("adhesivOverlap", "adhesivOverlap", "max(d₁, d₂)"),
];

fn of_pair(table: &MaterialTable, names: [String; 2], may_meet: bool) -> PairInForce {
    let pair = table.pair(&names[0], &names[1]);
    let words = |key: &str| {
        if let Some(origin) = pair.origins.get(key) {
            return origin.words();
        }
        let rule = RULES.iter().find(|(own, _, _)| *own == key).filter(|_| pair.is_derived);
        let Some((_, from, rule)) = rule else { return "default".to_owned() };
        let source = |name: &String| match table.material(name) {
            None => "AGX's default".to_owned(),
            Some(material) => material.origins.get(*from).map_or_else(|| "default".to_owned(), Origin::words),
        };
        let [a, b] = [&names[0], &names[1]].map(source);
        let sources = if a == b { a } else { format!("{a}, {b}") };
        format!("derived, {rule}, {from} from {sources}")
    };
    let value = |key: &'static str, value: String, unit: &'static str| ValueInForce {
        key,
        value,
        unit,
        origin: words(key),
        is_used: true,
    };
    let numbers = CONTACT_KEYS.iter().map(|key| value(key.names[0], shown((key.get)(&pair), key.range), key.unit));
    let others = WORD_KEYS.iter().map(|key| value(key.names[0], word(&pair, key.names[0]), ""));
    let values = numbers.chain(others).collect();
    PairInForce {
        is_derived: pair.is_derived,
        may_meet,
        rests_on_default_viscosity: pair.rests_on_default_viscosity,
        values,
        location: pair.location.clone(),
        materials: names,
    }
}

/// The value of a key that is no number.
fn word(pair: &Pair, key: &str) -> String {
    let or_none = |text: &str| if text.is_empty() { "none".to_owned() } else { text.to_owned() };
    match key {
        "frictionModel" => format!("{:?}, {:?}", pair.friction_model, pair.solve_type),
        "contactReductionMode" => format!("{:?}", pair.reduction.mode),
        "contactReductionBinResolution" => pair.reduction.bins.to_string(),
        "primaryDirection" => {
            let d = pair.primary_direction;
            format!("{} {} {}", d.x, d.y, d.z)
        }
        "referenceBodyName" => or_none(&pair.reference_body),
        "referenceLinkName" => or_none(&pair.reference_link),
        _ => pair.has_area_law.to_string(),
    }
}

/// A number, as short as it can be; "none" for a negative one that stands for that.
fn shown(x: f64, range: Range) -> String {
    if range == Range::Optional && x < 0.0 {
        return "none".to_owned();
    }
    if x == 0.0 || (1e-3..1e5).contains(&libm::fabs(x)) { x.to_string() } else { format!("{x:e}") }
}

/// Values in one line.
fn list(values: &[ValueInForce]) -> String {
    let one = |v: &ValueInForce| {
        let unit = if v.unit.is_empty() { String::new() } else { format!(" {}", v.unit) };
        let unused = if v.is_used { "" } else { "; not used by this engine" };
        format!("{} {}{unit} ({}{unused})", v.key, v.value, v.origin)
    };
    values.iter().map(one).collect::<Vec<_>>().join(", ")
}

impl MaterialInForce {
    /// Its values in one line.
    #[must_use]
    pub fn text(&self) -> String {
        list(&self.values)
    }
}

impl PairInForce {
    /// Its values in one line.
    #[must_use]
    pub fn text(&self) -> String {
        list(&self.values)
    }

    fn title(&self) -> String {
        let [a, b] = &self.materials;
        let kind = if self.is_derived { "derived" } else { "listed" };
        let meets = if self.may_meet { "" } else { ", does not occur" };
        format!("pair `{a}`, `{b}` ({kind}{meets})")
    }
}

impl MaterialsInForce {
    /// The doubts, then notes: each material, each pair, and each restitution that rests on a viscosity which nobody gave.
    #[must_use]
    pub fn findings(&self) -> Vec<Diagnostic> {
        let mut findings = self.doubts.clone();
        for material in &self.materials {
            let used = if material.is_used { "" } else { " (not used)" };
            let message = format!("material `{}`{used}: {}", material.name, material.text());
            findings.push(Diagnostic::note("material", message).at_known(material.location.as_ref()));
        }
        for pair in &self.pairs {
            let message = format!("{}: {}", pair.title(), pair.text());
            findings.push(Diagnostic::note("contact-material", message).at_known(pair.location.as_ref()));
            if pair.is_derived && pair.rests_on_default_viscosity {
                let value = |key: &str| pair.values.iter().find(|v| v.key == key).map_or("", |v| v.value.as_str());
                let [a, b] = &pair.materials;
                let e = value("restitution");
                let message =
                    format!("restitution {e} of `{a}` and `{b}` follows from a viscosity that the table leaves out");
                findings.push(Diagnostic::note("default-viscosity", message));
            }
        }
        findings
    }
}
