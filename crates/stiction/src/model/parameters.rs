//! Parameters of a whole world.

use glam::DVec3;
use thiserror::Error;

use super::body::{AutoDisable, Damping};
use crate::broadphase::BroadPhaseKind;
use crate::dynamics::gyroscopic::Gyroscopic;
use crate::integrators::IntegratorParameters;
use crate::joints::{AS_GOOD_AS_RIGID, JointSpook};
use crate::material::{Combination, ContactSurface, FrictionModel, ManifoldRule, SimbodyMaterial, SurfaceCompliance};
use crate::math::Decimal;

/// Which solver finds the impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolverKind {
    /// Exact: proximal block pivots (the guide's `dWorldStep`).
    Direct,
    /// Projected sweeps with warm start (the guide's `dWorldQuickStep`).
    #[default]
    Iterative,
    /// Implicit Stribeck friction and compliant normals: Newton's method (Drake's TAMSI).
    Tamsi,
    /// Contacts in sub-steps of two passes each; islands of joints and wires as with [`SolverKind::Iterative`].
    Substeps,
    /// Compliant contact as a convex problem, friction bounded by the normal force before the step.
    Convex,
}

impl SolverKind {
    /// Newton's method on smooth laws, from the velocity before the step.
    pub(crate) const fn starts_from_velocity(self) -> bool {
        matches!(self, Self::Tamsi | Self::Convex)
    }
}

/// Which mass the penetration allowance is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AllowanceMass {
    /// The largest of the bodies that move.
    #[default]
    Movable,
    /// The largest of all bodies, static links included.
    All,
    /// The effective mass of each contact.
    Effective,
}

/// Where a compliant contact acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PointRule {
    /// Midway between the two witness points.
    #[default]
    Midpoint,
    /// Divided by stiffness (Drake's discrete plant since 2021).
    StiffnessWeighted,
}

/// Which coefficient is the friction of a discrete step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiscreteFriction {
    /// The static one.
    #[default]
    Static,
    /// The dynamic one (Drake since 2022).
    Dynamic,
}

/// Parameters of compliant contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompliantParameters {
    /// Stiffness of every pair \[N/m\]; `None` is what the surfaces say.
    pub stiffness: Option<f64>,
    /// Dissipation of every pair \[s/m\]; `None` is what the surfaces say.
    pub dissipation: Option<f64>,
    /// Depth at which the allowance's mass rests, for surfaces without a stiffness \[m\].
    pub penetration_allowance: f64,
    /// Which mass that is.
    pub allowance_mass: AllowanceMass,
    /// Mass of the heaviest link that moves, where bodies carry several links \[kg\]; `None` is the heaviest body's.
    pub heaviest_link: Option<f64>,
    /// Mass of the heaviest link that does not move \[kg\].
    pub heaviest_static_link: f64,
    /// Slip speed below which bodies count as sticking \[m/s\].
    pub stiction_tolerance: f64,
    /// Where contacts act.
    pub point: PointRule,
    /// Which coefficient is the friction of a discrete step.
    pub discrete_friction: DiscreteFriction,
}

impl Default for CompliantParameters {
    fn default() -> Self {
        Self {
            stiffness: None,
            dissipation: None,
            penetration_allowance: 1e-3,
            allowance_mass: AllowanceMass::default(),
            heaviest_link: None,
            heaviest_static_link: 0.0,
            stiction_tolerance: 1e-3,
            point: PointRule::default(),
            discrete_friction: DiscreteFriction::default(),
        }
    }
}

/// How time advances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeAdvancement {
    /// Steps of a fixed size: one problem of impulses a step.
    #[default]
    Discrete,
    /// `ẏ = f(t, y)` by an integrator: contact is a force, and steps may follow its error. Contacts must be compliant.
    Continuous,
}

/// Coordinates of bodies connected by joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Coordinates {
    /// Each body has six, and rows hold the joints.
    #[default]
    Maximal,
    /// Trees of joints have those of their joints, and cannot come apart; loops are closed by rows.
    Reduced,
}

/// What a bound on the correcting velocity does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Correction {
    /// Positions are corrected in full, the bound holds for the velocity that is left: two solves.
    #[default]
    Split,
    /// One solve; the bound holds for the right side of the row, surface motion included (ODE's own reading).
    Velocity,
    /// The correction of contacts moves positions only, by impulses of their own that leave no velocity (Bullet's split
    /// impulse).
    SplitImpulse,
}

/// Which islands a world of sweeps solves exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum HybridRule {
    /// None: sweeps alone.
    Off,
    /// Those that the sweeps leave unsolved, in the same step.
    Unsolved,
    /// These, and those of which an exact solution costs no more than the sweeps.
    #[default]
    On,
}

/// How friction bounds follow the normal impulses in the direct solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoundsRule {
    /// Bounds and normals agree at the end, in a bounded number of rounds.
    #[default]
    Converged,
    /// Bounds are taken from the normals of a solution without friction.
    Once,
}

/// How bodies without constraint rows move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FreeMotionRule {
    /// `x⁺ = x + h v⁺`.
    #[default]
    SemiImplicit,
    /// `x⁺ = x + h (v + v⁺) / 2`: exact under constant force.
    SecondOrder,
    /// Semi-implicit in the coordinates of the body frame's origin, as a tree of one link has them (Drake): the origin
    /// moves on a straight line in a step, whether rows act or not.
    LinkOrigin,
}

/// Which bodies a fixed step keeps from going through what they meet on their way (continuous collision detection).
///
/// Near other shapes they get contacts across the gaps that would close in the step (speculative contacts), so that positions follow
/// velocities. Only where a body comes from farther away by more than its inner radius in a step is it stopped at its first impact;
/// [`StepReport::stopped_at_impact`](crate::StepReport::stopped_at_impact) counts the stops, and `way_not_gone` what they take away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SweptRule {
    /// None.
    Off,
    /// Those that ask for it ([`BodyDefinition::swept`](crate::world::BodyDefinition)), in steps in which they move by more than half
    /// their inner radius.
    Asked,
    /// All that move by more than half their inner radius in a step; of those on joints such as ask for it.
    #[default]
    Fast,
}

/// How the inertia of a tree moves it in a fixed step (reduced coordinates).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TreeMotion {
    /// By a flow that keeps energy at any speed and step; of second order.
    #[default]
    Conserving,
    /// Velocity products at the old velocity, as a force, and `q⁺ = q ⊕ h v⁺` (Drake), where joints turn by less than 0.02 rad in a step and
    /// no loop is closed; elsewhere as above.
    Explicit,
}

/// Parameters of a whole world. The defaults are the guide's.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldParameters {
    /// Gravity \[m/s²\].
    pub gravity: DVec3,
    /// Velocity of the wind \[m/s\], which acts on bodies with a wind rate.
    pub wind: DVec3,
    /// Error reduction parameter, 0 to 1.
    pub erp: f64,
    /// Constraint force mixing \[s/kg\].
    pub cfm: f64,
    /// SPOOK for joints that have no softness of their own, in place of `erp` and `cfm`; `None` is those two.
    pub joint_spook: Option<JointSpook>,
    /// Largest rate at which fixed steps close what joints are off where [`crate::world::World::close_start`] is called
    /// \[m/s or rad/s\].
    pub start_closing_rate: f64,
    /// Bound on the velocity that error correction of contacts leaves \[m/s\].
    pub contact_max_correcting_velocity: f64,
    /// Penetration of contacts that is left alone \[m\], where the surfaces do not say.
    pub contact_surface_layer: f64,
    /// The layer also truncates what the surfaces say, `min(min_depth₁, min_depth₂, layer)` (Gazebo's tutorial). False
    /// where nobody gave a layer: a default does not overrule what was given.
    pub contact_surface_layer_truncates: bool,
    /// What the bound on the correcting velocity does.
    pub correction: Correction,
    /// Penetration from which [`Correction::SplitImpulse`] splits \[m\]; less is corrected by the velocity (Bullet's
    /// `split_impulse_penetration_threshold`, with the sign of a depth).
    pub split_impulse_depth: f64,
    /// Contact points of one pair at most.
    pub max_contacts: u32,
    /// Bins of contact reduction in each of the six dimensions of normal and moment, 1 to 10, of listed pairs of materials
    /// that do not say.
    pub reduction_bins: u32,
    /// Points of a pair up to which none is left out by contact reduction.
    pub reduction_threshold: u32,
    /// Gap at which a pair is already a contact, so that resting contacts do not come and go \[m\].
    pub contact_margin: f64,
    /// Contacts begin within the margin, before the shapes meet: what hits does not overlap first (Bullet).
    pub speculative: bool,
    /// How the surfaces of two shapes become one contact. In continuous time always [`Combination::Compliant`].
    pub combination: Combination,
    /// Compliance of two surfaces that specify none; `None` is `erp` and `cfm`. SDFormat's default `kp` and `kd` are one.
    pub surface_compliance: Option<SurfaceCompliance>,
    /// Parameters of compliant contacts.
    pub compliant: CompliantParameters,
    /// Material of elastic contacts ([`Combination::Simbody`]).
    pub simbody: SimbodyMaterial,
    /// Which points of a pair of shapes are contacts.
    pub manifold: ManifoldRule,
    /// In which coordinates bodies move.
    pub coordinates: Coordinates,
    /// How time advances.
    pub time: TimeAdvancement,
    /// Parameters of continuous time.
    pub integrator: IntegratorParameters,
    /// Which solver finds the impulses.
    pub solver: SolverKind,
    /// Which islands are solved exactly though the solver is iterative.
    pub hybrid: HybridRule,
    /// Which bodies are stopped where they first touch something on their way.
    pub swept: SweptRule,
    /// Islands of at most so many rows are solved directly, whatever the solver; 0 is none.
    pub direct_rows: u32,
    /// Sweeps of the iterative solver.
    pub iterations: u32,
    /// Parts of a step with [`SolverKind::Substeps`], 1 to 1000.
    pub substeps: u32,
    /// Passes with bias, and without, of each of them, 1 to 1000.
    pub passes: u32,
    /// Frequency of hard contacts in sub-steps, in parts of the rate of sub-steps.
    pub contact_frequency_ratio: f64,
    /// Their damping ratio.
    pub contact_damping_ratio: f64,
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
    /// Gazebo classic's contacts where they differ from its documents: the second surface's first direction is dropped, a cone has a
    /// coefficient of its own along each direction, and the bound on the correcting velocity bounds a bounce too.
    pub classic: bool,
    /// Inertias of the two bodies of a hinge are made less unequal for the impulses of a step, 200 to 1 about the axes that it
    /// holds (Gazebo's `use_dynamic_moi_rescaling`); in maximal coordinates.
    pub inertia_rescaling: bool,
    /// Gyroscopic torque.
    pub gyroscopic: Gyroscopic,
    /// How bodies without rows move.
    pub free_motion: FreeMotionRule,
    /// How the inertia of trees moves them.
    pub tree_motion: TreeMotion,
    /// Kinematic bodies join the islands of what they touch.
    pub kinematic_joins_islands: bool,
    /// How many joints or contacts away from a body that moves sleeping ones are woken (the guide's AutoEnableDepth). 0
    /// wakes none: they are like the ground then. The default wakes all connected bodies, as always in reduced
    /// coordinates.
    pub auto_enable_depth: u32,
    /// Bodies may fall asleep.
    pub sleeping: bool,
    /// Automatic sleeping of bodies created from now on.
    pub auto_disable: AutoDisable,
    /// Damping of bodies created from now on.
    pub damping: Damping,
    /// Broad phase; counts at creation of the world.
    pub broadphase: BroadPhaseKind,
    /// Threads that share the work of a step, 1 to 1024: pairs of shapes, and islands. The results are the same bits for every number.
    pub threads: u32,
    /// Residuals are computed every so many steps; 0 is never.
    pub residual_interval: u32,
    /// The balance of energy is kept in every step ([`EnergyBalance`](crate::EnergyBalance)).
    pub audit: bool,
}

impl Default for WorldParameters {
    fn default() -> Self {
        Self {
            gravity: DVec3::ZERO,
            wind: DVec3::ZERO,
            erp: 0.2,
            cfm: 1e-10,
            joint_spook: None,
            start_closing_rate: f64::INFINITY,
            contact_max_correcting_velocity: f64::INFINITY,
            contact_surface_layer: 0.0,
            contact_surface_layer_truncates: true,
            correction: Correction::default(),
            split_impulse_depth: 0.0,
            max_contacts: 10,
            reduction_bins: 3,
            reduction_threshold: 12,
            contact_margin: 1e-3,
            speculative: false,
            combination: Combination::default(),
            surface_compliance: None,
            compliant: CompliantParameters::default(),
            simbody: SimbodyMaterial::DEFAULT,
            manifold: ManifoldRule::default(),
            coordinates: Coordinates::default(),
            time: TimeAdvancement::default(),
            integrator: IntegratorParameters { max_trials: 2000, ..IntegratorParameters::default() },
            solver: SolverKind::default(),
            hybrid: HybridRule::default(),
            swept: SweptRule::default(),
            direct_rows: 0,
            iterations: 20,
            substeps: 4,
            passes: 1,
            contact_frequency_ratio: 0.125,
            contact_damping_ratio: 2.0,
            sor: 1.3,
            warm_start: true,
            accelerated: false,
            bounds: BoundsRule::default(),
            friction_model: FrictionModel::default(),
            classic: false,
            inertia_rescaling: false,
            gyroscopic: Gyroscopic::default(),
            free_motion: FreeMotionRule::default(),
            tree_motion: TreeMotion::default(),
            kinematic_joins_islands: false,
            auto_enable_depth: u32::MAX,
            sleeping: true,
            auto_disable: AutoDisable::default(),
            damping: Damping::default(),
            broadphase: BroadPhaseKind::Bvh,
            threads: 1,
            residual_interval: 1,
            audit: true,
        }
    }
}

/// A parameter is out of its range.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{name} is {}; expected {expected}", Decimal(*found))]
pub struct ParameterError {
    /// Which parameter.
    pub name: &'static str,
    /// What was found.
    pub found: f64,
    /// What is expected.
    pub expected: &'static str,
}

impl WorldParameters {
    /// Angular frequency of rigid contacts in sub-steps of a length \[s\], `2π contact_frequency_ratio / h` \[1/s\].
    pub(crate) fn contact_frequency(&self, part: f64) -> f64 {
        std::f64::consts::TAU * self.contact_frequency_ratio / part
    }

    /// Whether springs of joints keep their energy, by the trapezoidal rule. Under SPOOK, with explicit trees, where a direct solver solves
    /// joints as rows, and with Gazebo classic's meaning they are implicit, as in the engines that have these laws.
    #[must_use]
    pub fn springs_keep_energy(&self) -> bool {
        let is_exact_in_rows = self.solver == SolverKind::Direct && self.coordinates == Coordinates::Maximal;
        !(is_exact_in_rows || self.has_classic_meaning() || self.has_explicit_trees() || self.joint_spook.is_some())
    }

    /// ODE's hard contacts and joints mean what Gazebo classic made of them.
    pub(crate) fn has_classic_meaning(&self) -> bool {
        self.classic && self.combination == Combination::Hard
    }

    /// Trees move by the velocity products of the old velocity.
    fn has_explicit_trees(&self) -> bool {
        self.tree_motion == TreeMotion::Explicit && self.coordinates == Coordinates::Reduced
    }

    /// Whether trees of rigid joints that nothing touches move as wholes, without rows: their joints are rigid and not meant to be rows, forces are known at
    /// the start of a step, and momentum moves with what carries it. In maximal coordinates joints are meant to be rows of a direct solver, and of sweeps
    /// that leave nothing to one; and where a file has Gazebo classic's meaning.
    #[must_use]
    pub fn trees_move_as_wholes(&self) -> bool {
        let are_rows = self.coordinates == Coordinates::Maximal
            && (matches!(self.solver, SolverKind::Direct | SolverKind::Substeps) || self.hybrid == HybridRule::Off);
        let is_rigid = self.solver == SolverKind::Substeps || self.cfm <= AS_GOOD_AS_RIGID;
        let is_smooth = self.solver.starts_from_velocity();
        is_rigid
            && !(are_rows || is_smooth || self.has_classic_meaning() || self.has_explicit_trees())
            && self.joint_spook.is_none()
            && self.time == TimeAdvancement::Discrete
            && matches!(self.gyroscopic, Gyroscopic::Midpoint | Gyroscopic::Explicit)
    }

    /// Depth that a contact leaves \[m\]: its own, truncated by the world's where that is meant to.
    #[must_use]
    pub fn layer_of(&self, contact: &ContactSurface) -> f64 {
        match contact.surface_layer {
            Some(own) if self.contact_surface_layer_truncates => own.min(self.contact_surface_layer),
            Some(own) => own,
            None => self.contact_surface_layer,
        }
    }

    /// Bound on the velocity that the correction of a contact's depth leaves \[m/s\]: its own, truncated by the world's.
    #[must_use]
    pub fn correcting_velocity_of(&self, contact: &ContactSurface) -> f64 {
        contact.max_correcting_velocity.unwrap_or(f64::INFINITY).min(self.contact_max_correcting_velocity)
    }

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
        check("wind", self.wind.length(), self.wind.is_finite(), "finite numbers")?;
        check("erp", self.erp, (0.0..=1.0).contains(&self.erp), "0 to 1")?;
        check("cfm", self.cfm, non_negative(self.cfm) && self.cfm.is_finite(), "zero or more")?;
        if let Some(Err((what, found, expected))) = self.joint_spook.map(|law| law.check()) {
            let name = if what == "damping time" { "joint_spook.damping_time" } else { "joint_spook.compliance" };
            check(name, found, false, expected)?;
        }
        let cap = self.contact_max_correcting_velocity;
        check("contact_max_correcting_velocity", cap, non_negative(cap), "zero or more")?;
        let layer = self.contact_surface_layer;
        check("contact_surface_layer", layer, non_negative(layer) && layer.is_finite(), "zero or more")?;
        let margin = self.contact_margin;
        check("contact_margin", margin, non_negative(margin) && margin.is_finite(), "zero or more")?;
        let c = &self.compliant;
        let above = |x: f64| x > 0.0 && x.is_finite();
        let optional = |x: Option<f64>| x.is_none_or(|x| non_negative(x) && x.is_finite());
        check("contact.stiffness", c.stiffness.unwrap_or(0.0), optional(c.stiffness), "zero or more")?;
        check("contact.dissipation", c.dissipation.unwrap_or(0.0), optional(c.dissipation), "zero or more")?;
        let allowance = c.penetration_allowance;
        check("contact.penetration_allowance", allowance, above(allowance), "more than 0")?;
        check("contact.stiction_tolerance", c.stiction_tolerance, above(c.stiction_tolerance), "more than 0")?;
        let i = &self.integrator;
        check("integrator.accuracy", i.accuracy, above(i.accuracy), "more than 0")?;
        check("integrator.max_step", i.max_step, above(i.max_step), "more than 0")?;
        let fits = non_negative(i.min_step) && i.min_step <= i.max_step;
        check("integrator.min_step", i.min_step, fits, "zero or more, and at most integrator.max_step")?;
        let mass = c.heaviest_link.unwrap_or(1.0);
        check("compliant.heaviest_link", mass, above(mass), "more than 0")?;
        let mass = c.heaviest_static_link;
        check("compliant.heaviest_static_link", mass, non_negative(mass) && mass.is_finite(), "zero or more")?;
        let idle = &self.auto_disable;
        for (name, found) in [
            ("auto_disable.linear_threshold", idle.linear_threshold),
            ("auto_disable.angular_threshold", idle.angular_threshold),
            ("auto_disable.time", idle.time),
            ("damping.linear_threshold", self.damping.linear_threshold),
            ("damping.angular_threshold", self.damping.angular_threshold),
        ] {
            check(name, found, non_negative(found), "zero or more")?;
        }
        for (name, found) in [("damping.linear", self.damping.linear), ("damping.angular", self.damping.angular)] {
            check(name, found, (0.0..=1.0).contains(&found), "0 to 1")?;
        }
        for (name, found) in [("solver.substeps", self.substeps), ("solver.passes", self.passes)] {
            check(name, f64::from(found), (1..=1000).contains(&found), "1 to 1000")?;
        }
        let ratio = self.contact_frequency_ratio;
        check("contact.frequency_ratio", ratio, ratio > 0.0 && ratio <= 0.5, "more than 0, at most 0.5")?;
        let ratio = self.contact_damping_ratio;
        check("contact.damping_ratio", ratio, non_negative(ratio) && ratio <= 1000.0, "0 to 1000")?;
        let threads = self.threads;
        check("threads", f64::from(threads), (1..=1024).contains(&threads), "1 to 1024")?;
        check("sor", self.sor, self.sor > 0.0 && self.sor < 2.0, "more than 0 and less than 2")
    }
}
