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
        reason: "expected QUANTITY>VALUE or QUANTITY<VALUE, as in `penetration>1mm`, `energy>1.01*start`, `made_energy>1%`; quantities: speed, penetration, energy, made_energy, contacts, residual, joint_gap"
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
    } else if let Some(n) = right.strip_suffix("mm") {
        (n, 1e-3, false)
    } else {
        (right.trim_end_matches(|c: char| c.is_ascii_alphabetic() && c != 'e'), 1.0, false)
    };
    let value = factor * number.trim().parse::<f64>().map_err(|_| wrong())?;
    Ok(Condition { text: text.to_owned(), quantity, greater, value, of_start, is_share })
}

impl Condition {
    /// Reads `QUANTITY>VALUE` or `QUANTITY<VALUE`: a quantity of the whole world, or `speed` for that of the fastest link; a
    /// number with `mm`, `m`, `*start`, or `%` for the energy that the steps made over what moved.
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
