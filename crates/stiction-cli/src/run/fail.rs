//! `--fail-if QUANTITY>VALUE`.

use stiction_formats::simulation::Simulation;

use super::quantities::{Quantity, total};
use super::summary::Totals;
use crate::exit::Failure;

/// A condition that must never be true.
pub struct Condition {
    text: String,
    quantity: Quantity,
    greater: bool,
    value: f64,
    of_start: bool,
    /// Of what moved.
    is_share: bool,
}

/// Reads one option: a quantity of the whole world, `>` or `<`, a number with `mm`, `m` or `*start`.
pub fn parse(text: &str) -> Result<Condition, Failure> {
    let wrong = || {
        Failure::usage(format!(
            "--fail-if `{text}`: expected QUANTITY>VALUE or QUANTITY<VALUE, as in `penetration>1mm`, `energy>1.01*start`, `made_energy>1%`; quantities: speed, penetration, energy, made_energy, contacts, residual"
        ))
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
    } else if let Some(n) = right.strip_suffix("mm") {
        (n, 1e-3, false)
    } else {
        (right.trim_end_matches(|c: char| c.is_ascii_alphabetic() && c != 'e'), 1.0, false)
    };
    let value = factor * number.trim().parse::<f64>().map_err(|_| wrong())?;
    Ok(Condition { text: text.to_owned(), quantity, greater, value, of_start, is_share })
}

impl Condition {
    /// It is true now.
    pub fn holds(&self, simulation: &Simulation, totals: &Totals) -> bool {
        let now = if self.is_share { totals.ledger.share() } else { total(self.quantity, simulation, totals) };
        let bound = if self.of_start { self.value * totals.start(self.quantity) } else { self.value };
        if self.greater { now > bound } else { now < bound }
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}
