//! Parameters of a whole world.

use glam::DVec3;
use thiserror::Error;

use super::body::{AutoDisable, Damping};
use crate::broadphase::BroadPhaseKind;
use crate::dynamics::gyroscopic::Gyroscopic;
use crate::material::FrictionModel;

/// Which solver finds the impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolverKind {
    /// Exact: proximal block pivots (the guide's `dWorldStep`).
    Direct,
    /// Projected sweeps with warm start (the guide's `dWorldQuickStep`).
    #[default]
    Iterative,
}

/// What a bound on the correcting velocity does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Correction {
    /// Positions are corrected in full, the bound holds for the velocity that is left: two solves.
    #[default]
    Split,
    /// One solve; the bound holds for the right side of the row, surface motion included (ODE's own reading).
    Velocity,
}

/// How friction bounds follow the normal impulses in the direct solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoundsRule {
    /// Bounds and normals agree at the end, in a bounded number of rounds.
    #[default]
    Converged,
    /// Bounds are taken from the normals of a solution without friction.
    Once,
}

/// How bodies without constraint rows move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FreeMotionRule {
    /// `x⁺ = x + h v⁺`.
    #[default]
    SemiImplicit,
    /// `x⁺ = x + h (v + v⁺) / 2`: exact under constant force.
    SecondOrder,
}

/// Parameters of a whole world. The defaults are the guide's.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldParameters {
    /// Gravity \[m/s²\].
    pub gravity: DVec3,
    /// Error reduction parameter, 0 to 1.
    pub erp: f64,
    /// Constraint force mixing \[s/kg\].
    pub cfm: f64,
    /// Bound on the velocity that error correction of contacts leaves \[m/s\].
    pub contact_max_correcting_velocity: f64,
    /// Penetration of contacts that is left alone \[m\].
    pub contact_surface_layer: f64,
    /// What the bound on the correcting velocity does.
    pub correction: Correction,
    /// Contact points of one pair at most.
    pub max_contacts: u32,
    /// Gap at which a pair is already a contact, so that resting contacts do not come and go \[m\].
    pub contact_margin: f64,
    /// Which solver finds the impulses.
    pub solver: SolverKind,
    /// Small islands are solved exactly where that costs no more than the sweeps.
    pub hybrid: bool,
    /// Sweeps of the iterative solver.
    pub iterations: u32,
    /// Over-relaxation of the iterative solver, 0 < sor < 2.
    pub sor: f64,
    /// Sweeps start from the impulses of the last step.
    pub warm_start: bool,
    /// Anderson acceleration of the sweeps.
    pub accelerated: bool,
    /// How friction bounds follow the normals in the direct solver.
    pub bounds: BoundsRule,
    /// How friction is approximated.
    pub friction_model: FrictionModel,
    /// Gyroscopic torque.
    pub gyroscopic: Gyroscopic,
    /// How bodies without rows move.
    pub free_motion: FreeMotionRule,
    /// Kinematic bodies join the islands of what they touch.
    pub kinematic_joins_islands: bool,
    /// Automatic sleeping of bodies created from now on.
    pub auto_disable: AutoDisable,
    /// Damping of bodies created from now on.
    pub damping: Damping,
    /// Broad phase; counts at creation of the world.
    pub broadphase: BroadPhaseKind,
    /// Residuals are computed every so many steps; 0 is never.
    pub residual_interval: u32,
}

impl Default for WorldParameters {
    fn default() -> Self {
        Self {
            gravity: DVec3::ZERO,
            erp: 0.2,
            cfm: 1e-10,
            contact_max_correcting_velocity: f64::INFINITY,
            contact_surface_layer: 0.0,
            correction: Correction::default(),
            max_contacts: 10,
            contact_margin: 1e-3,
            solver: SolverKind::default(),
            hybrid: true,
            iterations: 20,
            sor: 1.3,
            warm_start: true,
            accelerated: false,
            bounds: BoundsRule::default(),
            friction_model: FrictionModel::default(),
            gyroscopic: Gyroscopic::default(),
            free_motion: FreeMotionRule::default(),
            kinematic_joins_islands: false,
            auto_disable: AutoDisable::default(),
            damping: Damping::default(),
            broadphase: BroadPhaseKind::Bvh,
            residual_interval: 1,
        }
    }
}

/// A parameter is out of its range.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{name} is {found}; expected {expected}")]
pub struct ParameterError {
    /// Which parameter.
    pub name: &'static str,
    /// What was found.
    pub found: f64,
    /// What is expected.
    pub expected: &'static str,
}

impl WorldParameters {
    /// Checks every range.
    ///
    /// # Errors
    /// The first parameter that is out of its range.
    pub fn validate(&self) -> Result<(), ParameterError> {
        let check = |name, found: f64, holds: bool, expected| {
            if holds { Ok(()) } else { Err(ParameterError { name, found, expected }) }
        };
        let non_negative = |x: f64| x >= 0.0;
        check("gravity", self.gravity.length(), self.gravity.is_finite(), "finite numbers")?;
        check("erp", self.erp, (0.0..=1.0).contains(&self.erp), "0 to 1")?;
        check("cfm", self.cfm, non_negative(self.cfm) && self.cfm.is_finite(), "zero or more")?;
        let cap = self.contact_max_correcting_velocity;
        check("contact_max_correcting_velocity", cap, non_negative(cap), "zero or more")?;
        let layer = self.contact_surface_layer;
        check("contact_surface_layer", layer, non_negative(layer) && layer.is_finite(), "zero or more")?;
        let margin = self.contact_margin;
        check("contact_margin", margin, non_negative(margin) && margin.is_finite(), "zero or more")?;
        check("sor", self.sor, self.sor > 0.0 && self.sor < 2.0, "more than 0 and less than 2")
    }
}
