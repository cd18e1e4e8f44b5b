//! The law of a contact that is swept by points: a normal, two tangents and up to three rows about these axes, with bounds that follow
//! the normal, or fixed ones, and no memory.

use glam::DVec3;

use super::super::contact_rows::{bounded, circle, is_gap};
use super::super::detect::{ContactInput, hits_in_step};
use crate::contact::compliance::{Softness, erp_cfm, slip, spring_damper};
use crate::contact::friction::{Coupling, FrictionBound};
use crate::contact::restitution::{Restitution, bounce_velocity};
use crate::contact::rows::normal_target;
use crate::contact::torsional::TorsionalFriction;
use crate::material::{Combination, ContactSurface, NormalLaw, SolveType};
use crate::model::{Correction, WorldParameters};
use crate::solvers::points::FrictionKind;

/// How far a given first direction may lean out of the tangent plane before the normal feels it: rows of a group are uncoupled in their
/// linear parts.
const LEAN: f64 = 1e-12;

/// The law of the contacts of a manifold.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct PointLaw {
    soft: Softness,
    layer: f64,
    max_velocity: f64,
    /// Depth from which a split impulse corrects.
    split_depth: f64,
    /// Depths count from the layer (Bullet).
    counts_from_layer: bool,
    /// The bound on the correction holds for the right side (ODE's own reading), and whether this law has a bound.
    bounds_target: bool,
    is_force: bool,
    motion: f64,
    bounce: Option<Restitution>,
    /// The bound on the correction holds for a bounce too (Gazebo classic).
    bounds_bounce: bool,
    /// Largest moments about the tangents and the normal by normal force \[m\], without that of torsional friction.
    rolling: [f64; 3],
    torsional: TorsionalFriction,
    /// Compliance of the row about the normal.
    pub(super) spin_slip: f64,
    /// Its contacts have the same rows at every depth and speed.
    is_steady: bool,
    friction: FrictionBounds,
    /// What it is across a gap.
    across_gaps: FrictionBounds,
    pub(super) slip: [f64; 2],
    pub(super) stretch: [f64; 2],
    pub(super) is_cone: bool,
    /// A first direction is given that may lean out of the tangent plane.
    has_direction: bool,
    /// Velocity of the surface along the tangents, as the rows see it.
    pub(super) running: [f64; 2],
    /// Friction that has rows.
    pub(super) has_friction: [bool; 2],
}

/// Bounds of friction along both tangents: `μ λₙ` and an impulse \[N s\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FrictionBounds {
    pub(super) coefficients: [f64; 2],
    pub(super) dry: [f64; 2],
}

impl FrictionBounds {
    /// Those of both axes; `None` for a bound of the last step.
    fn new(bounds: [FrictionBound; 2], step: f64) -> Option<Self> {
        let mut own = Self::default();
        for (k, bound) in bounds.into_iter().enumerate() {
            match bound {
                FrictionBound::Coefficient(coefficient) => own.coefficients[k] = limited(coefficient),
                FrictionBound::Force(force) => own.dry[k] = step * force.max(0.0),
                FrictionBound::LastNormal(_) => return None,
            }
        }
        Some(own)
    }
}

/// A coefficient that may be without a bound: without a load it has none even so.
fn limited(coefficient: f64) -> f64 {
    coefficient.clamp(0.0, f64::MAX)
}

/// Right side of a normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointTarget {
    /// b \[m/s\].
    pub(super) target: f64,
    /// Largest velocity that correction may leave \[m/s\].
    pub(super) cap: f64,
    /// What restitution adds to the target \[m/s\].
    pub(super) rebound: f64,
}

impl PointLaw {
    /// That of a surface; `None` where it has rows of another kind.
    pub(super) fn of(parameters: &WorldParameters, surface: &ContactSurface, step: f64) -> Option<Self> {
        let (soft, is_error) = match surface.normal {
            NormalLaw::ErpCfm { erp, cfm } => {
                (erp_cfm(erp.unwrap_or(parameters.erp), cfm.unwrap_or(parameters.cfm), step), true)
            }
            NormalLaw::Spring { stiffness, damping } => (spring_damper(stiffness, damping, step), false),
            NormalLaw::Spook { .. } | NormalLaw::Compliant { .. } => return None,
        };
        if surface.solve_type != SolveType::World || !soft.compliance.is_finite() {
            return None;
        }
        let is_unbounded = surface.friction.iter().any(|bound| bound.value().is_infinite());
        // An ellipse with an axis without a bound is the other axis alone.
        let is_cone = surface.coupling == Coupling::Ellipse
            && surface.friction.iter().all(|f| f.value() > 0.0)
            && (!is_unbounded || surface.friction[0] == surface.friction[1]);
        let (bounds, stretch) = if is_cone { circle(surface.friction) } else { (surface.friction, [1.0; 2]) };
        if is_cone && bounds[0] != bounds[1] {
            return None;
        }
        let [about_first, about_second, about_normal] = surface.rolling;
        let rolling = [about_first / stretch[0], about_second / stretch[1], about_normal];
        Some(Self {
            soft,
            layer: parameters.layer_of(surface),
            max_velocity: parameters.correcting_velocity_of(surface),
            split_depth: match parameters.correction {
                Correction::SplitImpulse if is_error => surface.split_depth.unwrap_or(parameters.split_impulse_depth),
                _ => f64::INFINITY,
            },
            counts_from_layer: parameters.combination == Combination::Bullet,
            bounds_target: parameters.correction == Correction::Velocity,
            is_force: parameters.combination == Combination::Dart && !is_error,
            motion: surface.normal_motion,
            bounce: surface.bounce,
            bounds_bounce: parameters.has_classic_meaning(),
            rolling: rolling.map(limited),
            torsional: surface.torsional,
            spin_slip: slip(surface.torsional.slip, step),
            is_steady: surface.bounce.is_none() && surface.torsional.is_none() && !is_unbounded,
            friction: FrictionBounds::new(bounds, step)?,
            across_gaps: FrictionBounds::new(bounds.map(bounded), step)?,
            slip: [0, 1].map(|k| slip(surface.slip[k], step) * (stretch[k] * stretch[k])),
            stretch,
            is_cone,
            has_direction: surface.direction.is_some() && !surface.projects_direction,
            running: [0, 1].map(|k| surface.motion[k] * stretch[k]),
            has_friction: bounds.map(|bound| bound.value() > 0.0),
        })
    }

    /// Right side of a contact's normal, and the bound on its correction; `falls` is what forces add to the velocity after a bounce.
    #[inline(always)]
    pub(super) fn target(&self, contact: &ContactInput, step: f64, falls: impl FnOnce() -> f64) -> PointTarget {
        let (depth, layer) =
            if self.counts_from_layer { (contact.depth - self.layer, 0.0) } else { (contact.depth, self.layer) };
        let max_velocity = if depth > self.split_depth { 0.0 } else { self.max_velocity };
        let mut normal = normal_target(depth, layer, self.soft.correction, self.motion, max_velocity, step);
        if self.bounds_target {
            normal.target = if self.is_force { normal.target } else { normal.target.min(max_velocity) };
            normal.cap = f64::INFINITY;
        }
        let without = normal.target;
        if let Some(bounce) = self.bounce.and_then(|bounce| bounce_velocity(&bounce, contact.approach, self.motion))
            && (depth >= 0.0 || hits_in_step(depth, contact.approach, step))
        {
            let bounce = bounce + falls();
            normal.target = normal.target.max(bounce);
            if !self.bounds_bounce {
                normal.cap = normal.cap.max(bounce);
            }
        }
        PointTarget { target: normal.target, cap: normal.cap, rebound: normal.target - without }
    }

    /// The first direction of its surface leans out of the tangent plane of a normal.
    pub(super) fn leans(&self, surface: &ContactSurface, normal: DVec3) -> bool {
        let leaning = |direction: DVec3| direction.dot(normal).abs() > LEAN * direction.length();
        self.has_direction && surface.direction.is_some_and(leaning)
    }

    /// Its contacts have the same rows at every depth, and no correction leaves more than a bounded velocity.
    pub(super) fn is_always_steady(&self) -> bool {
        let is_free = self.max_velocity == f64::INFINITY && self.split_depth == f64::INFINITY;
        (self.bounds_target || is_free) && self.is_steady
    }

    /// Compliance of the normal.
    pub(super) const fn compliance(&self) -> f64 {
        self.soft.compliance
    }

    /// Largest moments about both tangents and the normal by normal force \[m\].
    pub(super) fn reaches(&self, depth: f64) -> [f64; 3] {
        let [about_first, about_second, about_normal] = self.rolling;
        [about_first, about_second, limited(about_normal + self.torsional.moment_arm(depth))]
    }

    /// Rows of a contact.
    pub(super) fn rows(&self, depth: f64) -> u32 {
        let frictions = self.has_friction.iter().map(|has| u32::from(*has)).sum::<u32>();
        1 + frictions + self.reaches(depth).iter().map(|reach| u32::from(*reach > 0.0)).sum::<u32>()
    }

    /// Whether its friction is another one for this contact than where shapes touch.
    pub(super) fn is_loose(&self, contact: &ContactInput) -> bool {
        is_gap(contact.depth) && self.friction != self.across_gaps
    }

    /// Bounds of its friction.
    pub(super) const fn bounds(&self, is_loose: bool) -> &FrictionBounds {
        if is_loose { &self.across_gaps } else { &self.friction }
    }

    /// What its friction is.
    pub(super) fn friction_kind(&self, is_loose: bool) -> FrictionKind {
        match (self.bounds(is_loose).dry, self.slip, self.running) == ([0.0; 2], [0.0; 2], [0.0; 2]) {
            true if self.is_cone => FrictionKind::Cone,
            true => FrictionKind::Pyramid,
            false => FrictionKind::Special,
        }
    }
}
