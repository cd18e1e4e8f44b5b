//! One linear row and its law.

/// What a row stands for: which residual it counts in, and how `b` treats position errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RowKind {
    /// Holds two bodies together; its error is drift.
    Joint,
    /// Stops a joint at its range.
    Limit,
    /// Drives a joint, or holds it by dry friction.
    Motor,
    /// Spring and damper of a joint; its error is elastic.
    Spring,
    /// Normal of a contact.
    Normal,
    /// Tangent of a contact, torsional or rolling friction.
    Friction,
}

impl RowKind {
    /// Every kind, in the order of reports.
    pub const ALL: [Self; 6] = [Self::Joint, Self::Limit, Self::Motor, Self::Spring, Self::Normal, Self::Friction];

    /// Word used in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Joint => "joint",
            Self::Limit => "limit",
            Self::Motor => "motor",
            Self::Spring => "spring",
            Self::Normal => "normal",
            Self::Friction => "friction",
        }
    }
}

/// Who made a row, so that a report can name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSource {
    /// Slot of a joint, and the number of the row in it.
    Joint {
        /// Slot of the joint.
        slot: u32,
        /// Number of the row in the joint.
        row: u32,
    },
    /// Index of a contact point in the step's list.
    Contact(u32),
    /// Slot of a wire, and the number of the node in it.
    Wire {
        /// Slot of the wire.
        slot: u32,
        /// Number of the node.
        node: u32,
    },
}

/// Where the bounds of λ come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// `lower ≤ λ ≤ upper` as they stand in the row.
    Fixed,
    /// `|λ| ≤ coefficient · max(0, λ of the normal row)`; a zero normal gives zero, also for an infinite coefficient.
    Coefficient {
        /// Index of the normal row in the problem.
        normal: u32,
        /// Friction coefficient (torsional: times a length \[m\]).
        coefficient: f64,
    },
}

/// Which solver has a row, where an island has several (AGX's solve types).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Route {
    /// The island's own; beside rows on routes the direct one.
    #[default]
    Any,
    /// The direct solver.
    Direct,
    /// Sweeps, after the direct solver.
    Iterative,
    /// The direct solver, then the sweeps once more.
    Both,
}

/// `J v⁺ + Γ λ = b`.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// First entry of the row in [`super::Problem::blocks`].
    pub first_block: u32,
    /// Number of blocks: one or two, up to four for couplings.
    pub block_count: u32,
    /// Right side b \[m/s or rad/s\]: wanted velocity plus error correction.
    pub target: f64,
    /// Right side in the velocity pass of a split step: `target` with its drift correction bounded. Equal to `target`
    /// where nothing is bounded, or where the bound depends on λ (`cap`).
    pub velocity_target: f64,
    /// Γ \[velocity per impulse\].
    pub compliance: f64,
    /// Smallest λ of a row with fixed bounds.
    pub lower: f64,
    /// Largest λ of a row with fixed bounds.
    pub upper: f64,
    /// Where the bounds come from.
    pub bound: Bound,
    /// Largest velocity that error correction may leave behind: in the velocity pass
    /// `u⁺ = min(b − Γ λ, cap)`. ∞ for none. Only rows with `lower = 0` have one.
    pub cap: f64,
    /// This row and the next are the two axes of an ellipse (friction cone), projected together.
    pub ellipse: bool,
    /// The row is orthogonal to its neighbours of the same joint, `Y_iᵀ Y_j = 0`: they may be visited side by side.
    pub is_orthogonal: bool,
    /// Which solver has it.
    pub route: Route,
    /// `Yᵀ Y + Γ`.
    pub diagonal: f64,
    /// What it stands for.
    pub kind: RowKind,
    /// Who made it.
    pub source: RowSource,
}

impl Row {
    /// Right side in a pass.
    #[inline(always)]
    #[must_use]
    pub(crate) fn target_in(&self, capped: bool) -> f64 {
        if capped { self.velocity_target } else { self.target }
    }

    /// Bounds of λ, given the impulse of the normal row it may depend on.
    #[inline(always)]
    #[must_use]
    pub fn bounds(&self, lambda: &[f64]) -> (f64, f64) {
        match self.bound {
            Bound::Fixed => (self.lower, self.upper),
            Bound::Coefficient { normal, coefficient } => {
                let bound = crate::contact::friction::bound(coefficient, lambda[normal as usize]);
                (-bound, bound)
            }
        }
    }
}
