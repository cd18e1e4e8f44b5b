//! Conditions that must never be true.

use stiction_formats::simulation::Simulation;

use crate::error::{Request, RunError};
use crate::quantities::{AxisKind, Curve, Quantity};
use crate::watch::Totals;

/// A condition that must never be true.
#[derive(Clone, Debug)]
pub struct Condition {
    text: String,
    quantity: Quantity,
    /// x, y, z, roll, pitch or yaw.
    component: Option<String>,
    name: Option<String>,
    is_greater: bool,
    or_equal: bool,
    value: f64,
    /// Joints of which kind the unit is for.
    kind: Option<AxisKind>,
    of_start: bool,
    /// Of what moved.
    is_share: bool,
}

/// A condition in a world.
pub(crate) struct ResolvedCondition {
    condition: Condition,
    /// What it is about, and the value of each at the start.
    curves: Vec<(Curve, f64)>,
}

/// A condition that was true: the value, and of which link or joint.
pub(crate) struct Broken {
    pub(crate) value: f64,
    pub(crate) of: String,
}

/// A unit, its factor to SI, and the kind of axis that it is for.
type Unit = (&'static str, f64, Option<AxisKind>);

const LENGTH: &[Unit] = &[("mm", 1e-3, None), ("um", 1e-6, None), ("m", 1.0, None)];
const SPEED: &[Unit] = &[("mm/s", 1e-3, None), ("m/s", 1.0, None)];
const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// Units that a bound may have: no unit is the SI unit of the quantity.
const fn units(quantity: Quantity) -> &'static [Unit] {
    const ANGLE: Option<AxisKind> = Some(AxisKind::Angle);
    const AXIS_LENGTH: Option<AxisKind> = Some(AxisKind::Length);
    match quantity {
        Quantity::Penetration | Quantity::JointGap | Quantity::Height | Quantity::Position => LENGTH,
        Quantity::Speed | Quantity::Residual | Quantity::Slip | Quantity::WheelSlip => SPEED,
        Quantity::Energy | Quantity::MadeEnergy => &[("J", 1.0, None)],
        Quantity::Force | Quantity::Tension => &[("N", 1.0, None)],
        Quantity::Orientation => &[("rad", 1.0, None), ("deg", DEGREE, None)],
        Quantity::Angle => &[
            ("rad", 1.0, ANGLE),
            ("deg", DEGREE, ANGLE),
            ("mm", 1e-3, AXIS_LENGTH),
            ("um", 1e-6, AXIS_LENGTH),
            ("m", 1.0, AXIS_LENGTH),
        ],
        Quantity::Rate => {
            &[("rad/s", 1.0, ANGLE), ("deg/s", DEGREE, ANGLE), ("mm/s", 1e-3, AXIS_LENGTH), ("m/s", 1.0, AXIS_LENGTH)]
        }
        Quantity::Effort => &[("N m", 1.0, ANGLE), ("Nm", 1.0, ANGLE), ("N", 1.0, AXIS_LENGTH)],
        Quantity::Path | Quantity::Contacts => &[],
    }
}

const FORM: &str = "expected QUANTITY[:NAME]>NUMBER[UNIT] or <, such as `penetration>1mm`, `height:cube::link<0.2`, `energy>1.01*start` or `made_energy>1%`";

fn parse(text: &str) -> Result<Condition, RunError> {
    let wrong = |reason: String| RunError::Text { request: Request::FailIf, text: text.to_owned(), reason };
    // Names may have the sign too; numbers do not.
    let at = text.rfind(['<', '>']).ok_or_else(|| wrong(FORM.to_owned()))?;
    let (left, right) = (text[..at].trim(), text[at + 1..].trim());
    let is_greater = text[at..].starts_with('>');
    let (right, or_equal) = right.strip_prefix('=').map_or((right, false), |rest| (rest.trim(), true));
    let (word, name) = left.split_once(':').map_or((left, None), |(word, name)| (word, Some(name.trim().to_owned())));
    let (word, component) = word.split_once('.').map_or((word, None), |(word, part)| (word, Some(part.trim())));
    let quantity = quantity(word.trim()).map_err(wrong)?;
    let components: &[&str] = match quantity {
        Quantity::Position => &["x", "y", "z"],
        Quantity::Orientation => &["roll", "pitch", "yaw"],
        _ => &[],
    };
    if let Some(part) = component.filter(|part| !components.contains(part)) {
        return Err(wrong(match components {
            [] => format!("{} has no part `{part}`", quantity.name()),
            _ => format!("`{part}` is not one of {}", components.join(", ")),
        }));
    }
    if name.as_deref().is_some_and(str::is_empty) {
        return Err(wrong("there is no name behind the colon".to_owned()));
    }
    if quantity.is_of_world() && name.is_some() {
        return Err(wrong(format!("{} belongs to the whole world and takes no name", quantity.name())));
    }
    let is_share = right.ends_with('%');
    if is_share && quantity != Quantity::MadeEnergy {
        return Err(wrong("`%` is only for made_energy: a share of the energy exchanged so far".to_owned()));
    }
    let (number, factor, kind, of_start) = if let Some(n) = right.strip_suffix('%') {
        (n, 1e-2, None, false)
    } else if let Some(n) = right.strip_suffix("start").and_then(|n| n.trim_end().strip_suffix('*')) {
        (n, 1.0, None, true)
    } else {
        let unit =
            units(quantity).iter().find_map(|(unit, factor, kind)| Some((right.strip_suffix(unit)?, *factor, *kind)));
        let (n, factor, kind) = unit.unwrap_or((right, 1.0, None));
        (n, factor, kind, false)
    };
    let value = number.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    let value = value.ok_or_else(|| wrong(not_a_number(quantity, right)))?;
    Ok(Condition {
        text: text.to_owned(),
        quantity,
        component: component.map(str::to_owned),
        name,
        is_greater,
        or_equal,
        value: factor * value,
        kind,
        of_start,
        is_share,
    })
}

/// A quantity that can be compared with a number.
fn quantity(word: &str) -> Result<Quantity, String> {
    match Quantity::parse(word) {
        Some(Quantity::Path) => Err("a path is not a number; use `position.x:LINK` or `position.y:LINK`".to_owned()),
        Some(quantity) => Ok(quantity),
        None => {
            let near = Quantity::near(word);
            let known =
                || Quantity::ALL.iter().map(|(_, name, _)| *name).filter(|name| *name != "path").collect::<Vec<_>>();
            let help = match near.first() {
                Some(near) => format!("did you mean `{near}`?"),
                None if word.is_empty() => FORM.to_owned(),
                None => format!("quantities are {}", known().join(", ")),
            };
            Err(format!("there is no quantity `{word}`; {help}"))
        }
    }
}

fn not_a_number(quantity: Quantity, text: &str) -> String {
    let known: Vec<&str> = units(quantity).iter().map(|(unit, ..)| *unit).collect();
    let units = if known.is_empty() {
        "and no unit".to_owned()
    } else {
        format!("and one of the units {}, or none", known.join(", "))
    };
    format!("`{text}`: expected a finite number {units}; or a multiple of the value at the start, `0.5*start`")
}

impl Condition {
    /// Reads `QUANTITY[:NAME]>NUMBER[UNIT]`, or `<`, `>=`, `<=`. The name is that of a link, of a joint, or of a model for all
    /// of its links or joints, and of two links for `slip:A+B`. Without a name the condition is about every link that moves,
    /// or every joint: it is true where it is true of one of them. `position.x` and `orientation.yaw` are parts. A bound
    /// has a unit of the quantity, or none for SI units, or `*start` for the value before the first step, or `%` for the
    /// energy that the steps made over what moved.
    ///
    /// # Errors
    /// The text has another form.
    pub fn parse(text: &str) -> Result<Self, RunError> {
        parse(text)
    }

    /// Finds the links or joints that it is about.
    pub(crate) fn resolve(&self, simulation: &Simulation, totals: &Totals) -> Result<ResolvedCondition, RunError> {
        let found = Curve::find(self.quantity, self.name.as_deref(), simulation, Request::FailIf)?;
        let is_meant = |curve: &Curve| {
            let is_component = self.component.as_ref().is_none_or(|part| curve.component == *part);
            is_component && (self.kind.is_none() || curve.kind == self.kind)
        };
        let curves: Vec<_> =
            found.into_iter().filter(is_meant).map(|c| (c.clone(), c.value(simulation, totals))).collect();
        if curves.is_empty() {
            let reason = match (&self.name, self.kind) {
                (_, Some(AxisKind::Angle)) => "no joint that turns has this unit here",
                (_, Some(AxisKind::Length)) => "no joint that slides has this unit here",
                _ if self.quantity == Quantity::WheelSlip => {
                    "the world has no joint with a wheel that can touch something"
                }
                _ if self.quantity.is_of_joint() => "the world has no joint with an axis",
                _ if self.quantity == Quantity::Slip => "the world has no moving link with a collision",
                _ => "the world has no link that moves",
            };
            let (request, text) = (Request::FailIf, self.text.clone());
            return Err(RunError::Unfit { request, text, reason: reason.to_owned() });
        }
        Ok(ResolvedCondition { condition: self.clone(), curves })
    }
}

impl ResolvedCondition {
    /// It is true now, and of what.
    pub(crate) fn broken(&self, simulation: &Simulation, totals: &Totals) -> Option<Broken> {
        let Condition { is_greater, or_equal, value, of_start, is_share, .. } = self.condition;
        self.curves.iter().find_map(|(curve, start)| {
            let now = if is_share { totals.ledger.share() } else { curve.value(simulation, totals) };
            let bound = if of_start { value * start } else { value };
            let is_true = if is_greater { now > bound } else { now < bound } || (or_equal && now == bound);
            is_true.then(|| Broken { value: now, of: curve.name() })
        })
    }

    /// As it was written.
    pub(crate) fn text(&self) -> &str {
        &self.condition.text
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]

    use super::*;

    #[test]
    fn bounds_have_the_unit_of_their_quantity() {
        for (text, value) in [
            ("penetration>1mm", 1e-3),
            ("penetration > 5 um", 5e-6),
            ("joint_gap>2e-3m", 2e-3),
            ("penetration>1e-3", 1e-3),
            ("speed>3m/s", 3.0),
            ("energy<5J", 5.0),
            ("force>20 N", 20.0),
            ("energy>1.01*start", 1.01),
            ("made_energy>1%", 1e-2),
            ("height:a<b>::link<0.2", 0.2),
            ("effort:arm::pin >= 3 N m", 3.0),
            ("angle:arm::pin>180deg", std::f64::consts::PI),
            ("position.x:car::link<-1e3mm", -1.0),
            ("slip:a::link+b::link>1mm/s", 1e-3),
        ] {
            let found = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!((found.value - value).abs() < 1e-15, "{text}: {}", found.value);
        }
        // Another unit would be read as metres; a number that is none is never exceeded.
        for text in [
            "penetration>1cm",
            "penetration>1km",
            "energy>1mm",
            "energy>1kJ",
            "speed>1m",
            "penetration>nan",
            "energy>1e999",
            "penetration:box::link>1mm",
            "height:<1",
            "path:box::link<1",
            "height.x:box::link<1",
            "position.w<1",
            "speed>1%",
            "speed",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
