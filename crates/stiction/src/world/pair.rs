//! What the contacts of two shapes would be.

use glam::DVec3;

use super::{GeomId, World};
use crate::contact::compliance::NormalForce;
use crate::material::{ContactSurface, ManifoldRule};
use crate::pipeline::{contact_rules, rule_of_pair};

/// The law of the contacts of two shapes, whether they touch or not.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PairContact {
    /// Parameters of each contact point, truncated by those of the world.
    pub surface: ContactSurface,
    /// Its normal law as a force over depth and speed, as compliant contact and continuous time have it.
    pub force: NormalForce,
    /// That force is per effective mass of the contact \[1/s²\].
    pub is_per_mass: bool,
    /// Which points are contacts.
    pub manifold: ManifoldRule,
    /// Contact points at most.
    pub max_points: u32,
    /// Contacts act; else they are found and reported only.
    pub acts: bool,
}

impl PairContact {
    /// Points that carry a load, of shapes that touch at so many: one where the engine has single points.
    #[must_use]
    pub fn points(&self, of_shapes: usize) -> usize {
        match self.manifold {
            ManifoldRule::Single => 1,
            ManifoldRule::Face => of_shapes.clamp(1, (self.max_points as usize).max(1)),
        }
    }
}

impl World {
    /// The law of the contacts of two shapes where they are, if they touch at so many points; `None` where a shape does not
    /// exist or the two never touch: by their groups, bitmasks, or a joint between their bodies.
    #[must_use]
    pub fn pair_contact(&self, [a, b]: [GeomId; 2], points: usize) -> Option<PairContact> {
        let model = model!(self);
        let poses = [self.geom_pose(a)?, self.geom_pose(b)?];
        let rules = contact_rules(&model);
        let rule = rule_of_pair(&rules, &model, self.geom(a)?, self.geom(b)?)?;
        let up = (-self.parameters.gravity).normalize_or(DVec3::Z);
        let rotation = |body| self.body(body).map_or(glam::DQuat::IDENTITY, |b| b.pose().rotation);
        let mut surface = rule.law().at([&poses[0], &poses[1]], points, up, rotation);
        surface.surface_layer = Some(self.parameters.layer_of(&surface));
        surface.max_correcting_velocity = Some(self.parameters.correcting_velocity_of(&surface));
        let (force, is_per_mass) = rules.compliant.force(&surface.normal);
        Some(PairContact {
            surface,
            force,
            is_per_mass,
            manifold: rule.manifold,
            max_points: rule.max_points,
            acts: rule.acts,
        })
    }
}
