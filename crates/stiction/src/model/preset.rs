//! Presets: combinations of coordinates, contact law, solver and time advancement.

use super::{
    BoundsRule, Coordinates, Correction, FreeMotionRule, HybridRule, SolverKind, SweptRule, TimeAdvancement,
    TreeMotion, WorldParameters,
};
use crate::joints::JointSpook;
use crate::material::{Combination, FrictionModel};

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
    /// Drake's discrete plant: reduced coordinates, compliant contact, implicit Stribeck friction.
    DrakeDiscrete,
    /// Drake's continuous plant: the same forces under an error-controlled integrator.
    DrakeContinuous,
    /// AGX: maximal coordinates, SPOOK for contacts and joints, split solve type.
    Agx,
    /// Bullet: maximal coordinates, sequential impulses with split impulse, restitution and friction by its rules.
    Bullet,
    /// Bullet's multibodies (`bullet-featherstone` of new Gazebo): the same in reduced coordinates.
    BulletFeatherstone,
    /// DART: reduced coordinates, hard contact by the direct solver, overlap that leaves slowly.
    Dart,
    /// Stiction's own: hard contact in sub-steps, cone friction, no layer.
    Stiction,
    /// Simbody: reduced coordinates, elastic contact, an error-controlled integrator.
    Simbody,
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 11] = [
        Self::Stiction,
        Self::Ode,
        Self::OdeWorld,
        Self::OdeQuick,
        Self::Bullet,
        Self::BulletFeatherstone,
        Self::Dart,
        Self::Simbody,
        Self::DrakeDiscrete,
        Self::DrakeContinuous,
        Self::Agx,
    ];

    /// Name as users give it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stiction => "stiction",
            Self::Ode => "ode",
            Self::OdeWorld => "ode-world",
            Self::OdeQuick => "ode-quick",
            Self::DrakeDiscrete => "drake-discrete",
            Self::DrakeContinuous => "drake-continuous",
            Self::Agx => "agx",
            Self::Bullet => "bullet",
            Self::BulletFeatherstone => "bullet-featherstone",
            Self::Dart => "dart",
            Self::Simbody => "simbody",
        }
    }

    /// Preset of a name, in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name().eq_ignore_ascii_case(name))
    }

    /// One of Drake's two plants.
    #[must_use]
    pub const fn is_drake(self) -> bool {
        matches!(self, Self::DrakeDiscrete | Self::DrakeContinuous)
    }

    /// Sets what makes the preset; everything else stays.
    pub fn apply(self, parameters: &mut WorldParameters) {
        // Of ODE alone.
        parameters.inertia_rescaling &= matches!(self, Self::Ode | Self::OdeWorld | Self::OdeQuick);
        match self {
            Self::Ode => {}
            Self::OdeWorld => parameters.solver = SolverKind::Direct,
            Self::OdeQuick => {
                parameters.solver = SolverKind::Iterative;
                parameters.hybrid = HybridRule::Unsolved;
            }
            Self::Stiction => stiction(parameters),
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
            Self::Bullet | Self::BulletFeatherstone => {
                parameters.combination = Combination::Bullet;
                parameters.solver = SolverKind::Iterative;
                // `gContactBreakingThreshold`.
                parameters.contact_margin = 0.02;
                parameters.speculative = true;
                parameters.hybrid = HybridRule::Unsolved;
                parameters.iterations = 50;
                parameters.sor = 1.3;
                parameters.erp = 0.2;
                parameters.cfm = 0.0;
                parameters.correction = Correction::SplitImpulse;
                parameters.split_impulse_depth = 0.01;
                parameters.contact_max_correcting_velocity = f64::INFINITY;
                parameters.contact_surface_layer = 0.0;
                parameters.surface_compliance = None;
                if self == Self::BulletFeatherstone {
                    parameters.coordinates = Coordinates::Reduced;
                }
            }
            Self::Dart => {
                parameters.coordinates = Coordinates::Reduced;
                parameters.combination = Combination::Dart;
                parameters.solver = SolverKind::Direct;
                // Dantzig's method with `findex` sets the bounds of friction when it comes to its rows, after all normals.
                parameters.bounds = BoundsRule::Once;
                // What hits does not overlap first: DART's own contacts do, and its slow push leaves them so.
                parameters.contact_margin = 0.02;
                parameters.speculative = true;
                // `DART_ERP`, `DART_MAX_ERV` and the sweeps of `PgsBoxedLcpSolver`.
                parameters.erp = 0.01;
                parameters.cfm = 0.0;
                parameters.correction = Correction::Velocity;
                parameters.contact_max_correcting_velocity = 1e-3;
                parameters.contact_surface_layer = 0.0;
                parameters.surface_compliance = None;
                parameters.iterations = 30;
                parameters.sor = 0.9;
                parameters.hybrid = HybridRule::Unsolved;
                parameters.sleeping = false;
            }
            Self::Simbody => {
                parameters.coordinates = Coordinates::Reduced;
                parameters.time = TimeAdvancement::Continuous;
                parameters.combination = Combination::Simbody;
                parameters.integrator.accuracy = 1e-4;
                parameters.integrator.implicit_when_stiff = true;
                parameters.compliant.stiction_tolerance = 0.01;
                parameters.sleeping = false;
            }
            Self::DrakeDiscrete | Self::DrakeContinuous => {
                // Drake's one point of a pair and its free motion are parameters: a point that jumps and gyroscopic torques of the
                // old velocity make energy.
                parameters.coordinates = Coordinates::Reduced;
                parameters.combination = Combination::Compliant;
                parameters.solver = SolverKind::Tamsi;
                parameters.tree_motion = TreeMotion::Explicit;
                parameters.sleeping = false;
                // Drake has no continuous collision detection.
                parameters.swept = SweptRule::Asked;
                if self == Self::DrakeContinuous {
                    parameters.time = TimeAdvancement::Continuous;
                }
            }
        }
    }
}

/// What makes the engine `stiction`.
fn stiction(parameters: &mut WorldParameters) {
    parameters.solver = SolverKind::Substeps;
    parameters.hybrid = HybridRule::Unsolved;
    // Rigid joints are no rows.
    parameters.coordinates = Coordinates::Reduced;
    parameters.friction_model = FrictionModel::Cone;
    // What flies keeps its energy.
    parameters.free_motion = FreeMotionRule::SecondOrder;
    // What hits does not overlap first.
    parameters.contact_margin = 0.01;
    parameters.speculative = true;
    parameters.erp = 0.2;
    parameters.cfm = 0.0;
    // Bodies rest where they touch.
    parameters.contact_surface_layer = 0.0;
    parameters.surface_compliance = None;
}
