//! Curves of a run: which numbers they are made of, and how they are found by name.

use stiction_formats::simulation::Simulation;

use crate::error::{Request, RunError};
use crate::quantities::{AxisKind, Curve, Quantity};
use crate::run::Run;

/// One number of a run over time, or the path of a link seen from above.
#[derive(Clone, Debug)]
pub struct Probe {
    /// What is observed.
    pub quantity: Quantity,
    /// Scoped name of the link or joint, or of two links with a `+`; empty for a quantity of the whole world.
    pub owner: String,
    /// Name of the curve: the owner, with the component or axis where there are several; empty for a quantity of the whole
    /// world.
    pub name: String,
    /// What the axis of a joint measures; `None` for everything else.
    pub axis_kind: Option<AxisKind>,
    curve: Curve,
}

impl Probe {
    /// The curves of a quantity: of a link or joint by its scoped name, of all of a model by the model's name, and without
    /// a name those of every link that moves, or of every joint. A quantity of the world has one, and no name. The slip of
    /// two links has their names with a `+`.
    ///
    /// # Errors
    /// There is no such link or joint, or a quantity of the world has a name.
    pub fn find(quantity: Quantity, name: Option<&str>, simulation: &Simulation) -> Result<Vec<Self>, RunError> {
        let found = Curve::find(quantity, name, simulation, Request::PlotOf)?;
        let probe = |curve: Curve| Self {
            quantity,
            owner: curve.owner.clone(),
            name: curve.name(),
            axis_kind: curve.kind,
            curve,
        };
        Ok(found.into_iter().map(probe).collect())
    }

    /// The point of the curve now: time \[s\] and number, or x and y of a path \[m\].
    #[must_use]
    pub fn point(&self, run: &Run) -> (f64, f64) {
        let place = self.curve.place(run.simulation());
        place.unwrap_or_else(|| (run.time(), self.curve.value(run.simulation(), &run.totals)))
    }
}
