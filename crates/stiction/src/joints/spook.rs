//! SPOOK's law of joint rows (AGX): a spring and a damping time in place of ERP and CFM.

use crate::contact::compliance::{Softness, spook};

/// Largest compliance of a joint that is as good as rigid \[m/N\]: ten times that of AGX's joints.
const AS_GOOD_AS_RIGID: f64 = 1e-7;

/// SPOOK's law of a joint's rows: a spring `k = 1 / ε` on the mean error of the step and a damper `k τ`, within a range of
/// force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointSpook {
    /// ε, the inverse of the stiffness \[m/N, rad/(N m)\].
    pub compliance: f64,
    /// Time in which errors are corrected, τ \[s\].
    pub damping_time: f64,
    /// Least and largest force of a row \[N, N m\].
    pub force_range: [f64; 2],
}

impl JointSpook {
    /// AGX's values.
    pub const AGX: Self =
        Self { compliance: 1e-8, damping_time: 0.0333, force_range: [f64::NEG_INFINITY, f64::INFINITY] };

    /// Without a bound of the force.
    #[must_use]
    pub const fn new(compliance: f64, damping_time: f64) -> Self {
        Self { compliance, damping_time, ..Self::AGX }
    }

    /// Numbers that a row can have; otherwise the name of the one that it cannot, and what is expected.
    ///
    /// # Errors
    /// The name, the value and what is expected.
    pub fn check(&self) -> Result<(), (&'static str, f64, &'static str)> {
        let holds = |x: f64| x >= 0.0 && x.is_finite();
        let [least, largest] = self.force_range;
        if !holds(self.compliance) {
            Err(("compliance", self.compliance, "zero or more"))
        } else if !holds(self.damping_time) {
            Err(("damping time", self.damping_time, "zero or more"))
        } else if !(least <= 0.0 && largest >= 0.0) {
            Err(("force range", if least <= 0.0 { largest } else { least }, "from zero or less to zero or more"))
        } else {
            Ok(())
        }
    }

    /// The law as a row has it.
    pub(crate) fn softness(&self, step: f64) -> Softness {
        spook(self.compliance, self.damping_time, step)
    }

    /// The joint is meant to give way.
    pub(crate) fn is_soft(&self) -> bool {
        self.compliance > AS_GOOD_AS_RIGID || self.force_range != Self::AGX.force_range
    }

    /// Bounds of the impulse of a row.
    pub(crate) fn bounds(&self, step: f64) -> [f64; 2] {
        self.force_range.map(|force| step * force)
    }
}
