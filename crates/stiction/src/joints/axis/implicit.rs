//! The law of an axis as part of the mass of a tree: spring and damper at the velocity after the step,
//! `(M + h C + h² K) v⁺ = …`.

use super::AxisParameters;

/// What springs and dampers of an axis add to a step of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Implicit {
    /// Inertia `h c + h² k` beside the armature \[kg or kg m²\].
    pub(crate) inertia: f64,
    /// Effort at the position and rate before the step, `−k x − (c + h k) q̇` \[N or N m\].
    pub(crate) effort: f64,
}

impl AxisParameters {
    /// Spring and damper at a position \[m or rad\] and rate \[m/s or rad/s\] in a step \[s\].
    pub(crate) fn implicit(&self, position: f64, rate: f64, step: f64) -> Implicit {
        let stretch = position - self.spring_reference;
        Implicit {
            inertia: step * (self.damping + step * self.stiffness),
            effort: -(self.stiffness * stretch + (self.damping + step * self.stiffness) * rate),
        }
    }
}
