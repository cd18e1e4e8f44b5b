//! Presets: combinations of coordinates, contact law, solver and time advancement.

use glam::DVec3;

use super::{Coordinates, FreeMotionRule, HybridRule, SolverKind, TimeAdvancement, TreeMotion, WorldParameters};
use crate::dynamics::gyroscopic::Gyroscopic;
use crate::joints::JointSpook;
use crate::material::{Combination, ManifoldRule};

/// An engine style by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Preset {
    /// ODE with the file's solver: maximal coordinates, hard contact, fixed steps.
    Ode,
    /// ODE's big-matrix stepper: the direct solver.
    OdeWorld,
    /// ODE's quick stepper: sweeps.
    OdeQuick,
    /// Drake's discrete plant: reduced coordinates, compliant contact at one point, implicit Stribeck friction.
    DrakeDiscrete,
    /// Drake's continuous plant: the same forces under an error-controlled integrator.
    DrakeContinuous,
    /// AGX: maximal coordinates, SPOOK for contacts and joints, split solve type.
    Agx,
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 6] =
        [Self::Ode, Self::OdeWorld, Self::OdeQuick, Self::DrakeDiscrete, Self::DrakeContinuous, Self::Agx];

    /// Name as users give it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ode => "ode",
            Self::OdeWorld => "ode-world",
            Self::OdeQuick => "ode-quick",
            Self::DrakeDiscrete => "drake-discrete",
            Self::DrakeContinuous => "drake-continuous",
            Self::Agx => "agx",
        }
    }

    /// Preset of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name() == name)
    }

    /// Gravity of a file that gives none, in Drake \[m/s²\] (SDFormat's is 9.8).
    pub const DRAKE_GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

    /// One of Drake's two plants.
    #[must_use]
    pub const fn is_drake(self) -> bool {
        matches!(self, Self::DrakeDiscrete | Self::DrakeContinuous)
    }

    /// Sets what makes the preset; everything else stays.
    pub fn apply(self, parameters: &mut WorldParameters) {
        match self {
            Self::Ode => {}
            Self::OdeWorld => parameters.solver = SolverKind::Direct,
            Self::OdeQuick => {
                parameters.solver = SolverKind::Iterative;
                parameters.hybrid = HybridRule::Unsolved;
            }
            Self::Agx => {
                parameters.combination = Combination::Spook;
                parameters.solver = SolverKind::Direct;
                parameters.hybrid = HybridRule::Off;
                parameters.iterations = 100;
                parameters.sor = 1.0;
                parameters.free_motion = FreeMotionRule::SemiImplicit;
                parameters.joint_spook = Some(JointSpook::AGX);
                parameters.sleeping = false;
            }
            Self::DrakeDiscrete | Self::DrakeContinuous => {
                parameters.coordinates = Coordinates::Reduced;
                parameters.combination = Combination::Compliant;
                parameters.manifold = ManifoldRule::Single;
                parameters.solver = SolverKind::Tamsi;
                parameters.free_motion = FreeMotionRule::LinkOrigin;
                parameters.tree_motion = TreeMotion::Explicit;
                parameters.gyroscopic = Gyroscopic::Explicit;
                parameters.sleeping = false;
                if self == Self::DrakeContinuous {
                    parameters.time = TimeAdvancement::Continuous;
                }
            }
        }
    }
}
