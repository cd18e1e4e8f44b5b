//! The law of a plain contact: three rows with bounds that follow the normal, or fixed ones, and no memory.

use super::super::contact_rows::circle;
use super::super::detect::{ContactInput, hits_in_step};
use crate::contact::compliance::{Softness, erp_cfm, slip, spring_damper};
use crate::contact::friction::{Coupling, FrictionBound};
use crate::contact::restitution::{Restitution, bounce_velocity};
use crate::contact::rows::{NormalTarget, normal_target};
use crate::contact::torsional::TorsionalFriction;
use crate::material::{Combination, ContactSurface, NormalLaw, SolveType};
use crate::model::{Correction, WorldParameters};
use crate::solvers::points::FrictionKind;

/// How far a given first direction may lean out of the tangent plane: rows of a group are uncoupled in their linear parts.
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
    torsional: TorsionalFriction,
    /// Neither restitution nor torsional friction.
    is_plain_at_all_depths: bool,
    pub(super) friction: [f64; 2],
    pub(super) dry: [f64; 2],
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

impl PointLaw {
    /// That of a surface; `None` where it is not plain.
    pub(super) fn of(parameters: &WorldParameters, surface: &ContactSurface, step: f64) -> Option<Self> {
        let (soft, is_error) = match surface.normal {
            NormalLaw::ErpCfm { erp, cfm } => {
                (erp_cfm(erp.unwrap_or(parameters.erp), cfm.unwrap_or(parameters.cfm), step), true)
            }
            NormalLaw::Spring { stiffness, damping } => (spring_damper(stiffness, damping, step), false),
            NormalLaw::Spook { .. } | NormalLaw::Compliant { .. } => return None,
        };
        let is_plain = surface.solve_type == SolveType::World && surface.rolling == [0.0; 3];
        if !is_plain || !soft.compliance.is_finite() {
            return None;
        }
        let is_cone = surface.coupling == Coupling::Ellipse && surface.friction.iter().all(|f| f.value() > 0.0);
        let (bounds, stretch) = if is_cone { circle(surface.friction) } else { (surface.friction, [1.0; 2]) };
        if bounds.iter().any(|bound| !bound.value().is_finite()) || (is_cone && bounds[0] != bounds[1]) {
            return None;
        }
        let (mut friction, mut dry) = ([0.0; 2], [0.0; 2]);
        for (k, bound) in bounds.into_iter().enumerate() {
            match bound {
                FrictionBound::Coefficient(coefficient) => friction[k] = coefficient.max(0.0),
                FrictionBound::Force(force) => dry[k] = step * force.max(0.0),
                FrictionBound::LastNormal(_) => return None,
            }
        }
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
            torsional: surface.torsional,
            is_plain_at_all_depths: surface.bounce.is_none() && surface.torsional.is_none(),
            friction,
            dry,
            slip: [0, 1].map(|k| slip(surface.slip[k], step) * (stretch[k] * stretch[k])),
            stretch,
            is_cone,
            has_direction: surface.direction.is_some() && !surface.projects_direction,
            running: [0, 1].map(|k| surface.motion[k] * stretch[k]),
            has_friction: bounds.map(|bound| bound.value() > 0.0),
        })
    }

    /// Right side and bound of the correction of a contact's normal; `None` where it is not plain.
    #[inline(always)]
    pub(super) fn target(&self, contact: &ContactInput, step: f64) -> Option<NormalTarget> {
        if !self.is_plain_at_all_depths && self.torsional.moment_arm(contact.depth) > 0.0 {
            return None;
        }
        let (depth, layer) =
            if self.counts_from_layer { (contact.depth - self.layer, 0.0) } else { (contact.depth, self.layer) };
        if !self.is_plain_at_all_depths {
            let bounce = self.bounce.and_then(|bounce| bounce_velocity(&bounce, contact.approach, self.motion));
            if bounce.is_some() && (depth >= 0.0 || hits_in_step(depth, contact.approach, step)) {
                return None;
            }
        }
        let max_velocity = if depth > self.split_depth { 0.0 } else { self.max_velocity };
        let mut normal = normal_target(depth, layer, self.soft.correction, self.motion, max_velocity, step);
        if self.bounds_target {
            normal.target = if self.is_force { normal.target } else { normal.target.min(max_velocity) };
            normal.cap = f64::INFINITY;
        }
        Some(normal)
    }

    /// Its contacts are plain at every depth and with every normal, and no correction leaves more than a bounded velocity.
    pub(super) fn is_always_plain(&self) -> bool {
        let is_free = self.max_velocity == f64::INFINITY && self.split_depth == f64::INFINITY;
        (self.bounds_target || is_free) && self.is_plain_at_all_depths && !self.has_direction
    }

    /// Compliance of the normal.
    pub(super) const fn compliance(&self) -> f64 {
        self.soft.compliance
    }

    /// Rows of a contact.
    pub(super) fn rows(&self) -> u32 {
        1 + self.has_friction.iter().map(|has| u32::from(*has)).sum::<u32>()
    }

    /// What its friction is.
    pub(super) fn friction_kind(&self) -> FrictionKind {
        match (self.dry, self.slip, self.running) == ([0.0; 2], [0.0; 2], [0.0; 2]) {
            true if self.is_cone => FrictionKind::Cone,
            true => FrictionKind::Pyramid,
            false => FrictionKind::Special,
        }
    }
}

/// The first direction of a surface lies in the tangent plane, or is laid into it.
pub(super) fn is_across(surface: &ContactSurface, normal: glam::DVec3) -> bool {
    surface.projects_direction
        || surface.direction.is_none_or(|direction| direction.dot(normal).abs() <= LEAN * direction.length())
}
