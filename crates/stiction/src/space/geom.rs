//! Geoms, the members of spaces.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::Space;
use crate::base::{BodyId, Handle};
use crate::collision::{ContactQuery, ManifoldPoint};
use crate::math::Pose;
use crate::shape::{Aabb, Shape};

/// Handle of a geom.
pub type GeomId = Handle<Geom>;

/// A class of geoms of the user's own; there may be any number. Its instances are values, and end as values do.
pub trait GeomClass: Any + Send + Sync {
    /// Bounding box in the world \[m\]. Without a better one the geom may touch everything.
    fn aabb(&self, pose: &Pose) -> Aabb {
        let _ = pose;
        Aabb::INFINITE
    }

    /// Whether a bounding box may touch the geom; asked where the two boxes touch, so that a large terrain need not meet
    /// all that flies above it.
    fn aabb_test(&self, pose: &Pose, other: &Aabb) -> bool {
        let _ = (pose, other);
        true
    }

    /// Contact points with another geom, normals into this one. Returns `false` where it does not know the other's class;
    /// then the other one is asked. Of two classes only one needs to know the other: [`Form::class`] tells which it is.
    fn collide(
        &self,
        pose: &Pose,
        other: &Form,
        other_pose: &Pose,
        query: &ContactQuery,
        points: &mut Vec<ManifoldPoint>,
    ) -> bool;
}

/// What a geom is.
#[derive(Clone)]
pub enum Form {
    /// One of the engine's shapes.
    Shape(Shape),
    /// An instance of a class of the user's.
    Class(Arc<dyn GeomClass>),
}

impl Form {
    /// As an instance of a given class.
    #[must_use]
    pub fn class<C: GeomClass>(&self) -> Option<&C> {
        match self {
            Self::Shape(_) => None,
            Self::Class(class) => (class.as_ref() as &dyn Any).downcast_ref(),
        }
    }

    /// Bounding box in the world \[m\].
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        match self {
            Self::Shape(shape) => shape.aabb(pose),
            Self::Class(class) => class.aabb(pose),
        }
    }

    /// Whether a bounding box may touch it.
    pub(super) fn aabb_test(&self, pose: &Pose, other: &Aabb) -> bool {
        match self {
            Self::Shape(_) => true,
            Self::Class(class) => class.aabb_test(pose, other),
        }
    }
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(shape) => shape.fmt(f),
            Self::Class(_) => f.write_str("Class"),
        }
    }
}

/// What a geom in a space is made of.
pub(super) enum Content {
    /// A form with its pose, and the pose of the form in that.
    Placed {
        form: Form,
        pose: Pose,
        offset: Pose,
    },
    Space(Space),
}

/// A geom.
pub struct Geom {
    pub(super) content: Content,
    /// The space that holds it.
    pub(super) parent: Option<GeomId>,
    /// Takes part in collisions.
    pub enabled: bool,
    /// Bits of what it is.
    pub category: u64,
    /// Bits of what it collides with. A pair is visited where one's category meets the other's collide bits.
    pub collide: u64,
    /// The body that carries it: geoms of one body do not meet. `None` is the static environment, whose geoms do meet.
    pub body: Option<BodyId>,
    /// Anything the user wants to find again.
    pub user_data: u64,
}

impl Geom {
    pub(super) fn new(content: Content) -> Self {
        Self { content, parent: None, enabled: true, category: u64::MAX, collide: u64::MAX, body: None, user_data: 0 }
    }

    /// The space that it is, if it is one.
    #[must_use]
    pub fn space(&self) -> Option<&Space> {
        match &self.content {
            Content::Space(space) => Some(space),
            Content::Placed { .. } => None,
        }
    }

    /// Its form; a space has none.
    #[must_use]
    pub fn form(&self) -> Option<&Form> {
        match &self.content {
            Content::Placed { form, .. } => Some(form),
            Content::Space(_) => None,
        }
    }

    /// Pose of the geom, which moves with its body; a space has none.
    #[must_use]
    pub fn pose(&self) -> Option<Pose> {
        match &self.content {
            Content::Placed { pose, .. } => Some(*pose),
            Content::Space(_) => None,
        }
    }

    /// Pose of the form in the geom's (the guide's geometry transform); a space has none.
    #[must_use]
    pub fn offset(&self) -> Option<Pose> {
        match &self.content {
            Content::Placed { offset, .. } => Some(*offset),
            Content::Space(_) => None,
        }
    }

    /// The form and where it is in the world.
    pub(super) fn placed(&self) -> Option<(&Form, Pose)> {
        match &self.content {
            Content::Placed { form, pose, offset } => Some((form, pose.compose(offset))),
            Content::Space(_) => None,
        }
    }

    /// The space that holds it.
    #[must_use]
    pub fn parent(&self) -> Option<GeomId> {
        self.parent
    }
}
