//! Conditions that must never be true.

use stiction_formats::simulation::Simulation;

use crate::error::{Request, RunError};
use crate::quantities::{Quantity, total};
use crate::watch::Totals;

/// A condition that must never be true.
#[derive(Clone, Debug)]
pub struct Condition {
    text: String,
    quantity: Quantity,
    greater: bool,
    value: f64,
    of_start: bool,
    /// Of what moved.
    is_share: bool,
}

fn parse(text: &str) -> Result<Condition, RunError> {
    let wrong = || {
        RunError::Text {
        request: Request::FailIf,
        text: text.to_owned(),
        reason: "expected QUANTITY>VALUE or QUANTITY<VALUE, as in `penetration>1mm`, `energy>1.01*start`, `made_energy>1%`; quantities: speed, penetration, energy, made_energy, contacts, force, tension, residual, joint_gap; units: m, mm or um, m/s or mm/s, J, N"
            .to_owned(),
    }
    };
    let (left, greater, right) = match (text.split_once('>'), text.split_once('<')) {
        (Some((left, right)), None) => (left, true, right),
        (None, Some((left, right))) => (left, false, right),
        _ => return Err(wrong()),
    };
    let quantity =
        Quantity::parse(left.trim()).filter(|q| q.is_of_world() || *q == Quantity::Speed).ok_or_else(wrong)?;
    let right = right.trim();
    let is_share = right.ends_with('%');
    if is_share && quantity != Quantity::MadeEnergy {
        return Err(wrong());
    }
    let (number, factor, of_start) = if let Some(n) = right.strip_suffix('%') {
        (n, 1e-2, false)
    } else if let Some(n) = right.strip_suffix("*start") {
        (n, 1.0, true)
    } else {
        let unit = units(quantity).iter().find_map(|(unit, factor)| Some((right.strip_suffix(unit)?, *factor)));
        let (n, factor) = unit.unwrap_or((right, 1.0));
        (n, factor, false)
    };
    let value = number.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    let value = factor * value.ok_or_else(wrong)?;
    Ok(Condition { text: text.to_owned(), quantity, greater, value, of_start, is_share })
}

/// Units that a bound may have, longest first: none is that of the quantity in SI units.
const fn units(quantity: Quantity) -> &'static [(&'static str, f64)] {
    match quantity {
        Quantity::Penetration | Quantity::JointGap => &[("mm", 1e-3), ("um", 1e-6), ("m", 1.0)],
        Quantity::Speed | Quantity::Residual => &[("mm/s", 1e-3), ("m/s", 1.0)],
        Quantity::Energy | Quantity::MadeEnergy => &[("J", 1.0)],
        Quantity::Force | Quantity::Tension => &[("N", 1.0)],
        _ => &[],
    }
}

impl Condition {
    /// Reads `QUANTITY>VALUE` or `QUANTITY<VALUE`: a quantity of the whole world, or `speed` for that of the fastest link; a
    /// number, with the unit of the quantity if any (`mm`, `um`, `m`, `m/s`, `J`, `N`), with `*start`, or with `%` for the energy that
    /// the steps made over what moved.
    ///
    /// # Errors
    /// The text has another form.
    pub fn parse(text: &str) -> Result<Self, RunError> {
        parse(text)
    }

    /// It is true now.
    pub(crate) fn holds(&self, simulation: &Simulation, totals: &Totals) -> bool {
        let now = if self.is_share { totals.ledger.share() } else { total(self.quantity, simulation, totals) };
        let bound = if self.of_start { self.value * totals.start(self.quantity) } else { self.value };
        if self.greater { now > bound } else { now < bound }
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
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
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
