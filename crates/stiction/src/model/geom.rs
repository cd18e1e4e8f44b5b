//! A shape in the world, on a body or in the static environment.

use glam::DVec3;

use super::BodyId;
use crate::broadphase::Proxy;
use crate::material::Surface;
use crate::math::Pose;
use crate::shape::{Aabb, Shape};

/// A shape in the world.
#[derive(Clone, Debug)]
pub struct Geom {
    pub(crate) shape: Shape,
    /// Bounds in the shape's own frame.
    pub(crate) bounds: Aabb,
    pub(crate) body: Option<BodyId>,
    pub(crate) pose: Pose,
    pub(crate) surface: Surface,
    pub(crate) category: u64,
    pub(crate) collide: u64,
    pub(crate) group: u32,
    pub(crate) user_data: u64,
    pub(crate) is_enabled: bool,
    /// It is a segment of a wire: its other end.
    pub(crate) segment: Option<SegmentEnd>,
}

/// The end of a wire's segment that is not the body that its shape is on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SegmentEnd {
    /// The body; the world without one.
    pub(crate) body: Option<BodyId>,
    /// From its centre of mass, world axes; in the world the place \[m\].
    pub(crate) arm: DVec3,
    /// Where it is from the end that the shape is on \[m\].
    pub(crate) chord: DVec3,
}

impl Geom {
    /// The shape.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }
    /// The body that carries it.
    #[must_use]
    pub fn body(&self) -> Option<BodyId> {
        self.body
    }
    /// The user's number.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.user_data
    }
    /// It collides.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.is_enabled
    }
    /// Pose in the body's frame (its offset), or in the world.
    #[must_use]
    pub fn pose(&self) -> Pose {
        self.pose
    }
    /// Bits of what it is.
    #[must_use]
    pub fn category(&self) -> u64 {
        self.category
    }
    /// Bits of what it collides with.
    #[must_use]
    pub fn collide(&self) -> u64 {
        self.collide
    }
    /// Its surface.
    #[must_use]
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// The body's slot, as the broad phase knows it.
    pub(crate) fn body_slot(&self) -> u32 {
        self.body.map_or(Proxy::STATIC, |b| b.slot() as u32)
    }
}
