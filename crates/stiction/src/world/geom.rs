//! Shapes in the world, on bodies or in the static environment.

use thiserror::Error;

use super::{BodyId, Geom, GeomId, World};
use crate::material::Surface;
use crate::math::Pose;
use crate::shape::Shape;

/// Description of a shape in the world.
#[derive(Clone, Debug)]
pub struct GeomDefinition {
    /// The shape.
    pub shape: Shape,
    /// The body that carries it; `None` is the static environment.
    pub body: Option<BodyId>,
    /// Pose in the body frame, or in the world.
    pub pose: Pose,
    /// Its surface.
    pub surface: Surface,
    /// Bits of what it is.
    pub category: u64,
    /// Bits of what it collides with.
    pub collide: u64,
    /// Shapes of one group other than 0 do not collide with each other (links of a model that does not collide with itself).
    pub group: u32,
    /// Anything the user wants to find again.
    pub user_data: u64,
}

impl GeomDefinition {
    /// A shape on a body, at its frame, with the default surface.
    #[must_use]
    pub fn new(shape: Shape, body: Option<BodyId>) -> Self {
        Self {
            shape,
            body,
            pose: Pose::IDENTITY,
            surface: Surface::default(),
            category: u64::MAX,
            collide: u64::MAX,
            group: 0,
            user_data: 0,
        }
    }
}

/// Why a shape is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GeomError {
    /// The body does not exist (any more).
    #[error("the body of the shape does not exist")]
    UnknownBody,
    /// The handle is stale.
    #[error("the shape does not exist (any more)")]
    Stale,
    /// The pose is not finite.
    #[error("the pose of the shape is not finite")]
    NotFinite,
}

impl World {
    /// Adds a shape.
    ///
    /// # Errors
    /// A body that does not exist, a pose that is not finite.
    pub fn add_geom(&mut self, definition: &GeomDefinition) -> Result<GeomId, GeomError> {
        if definition.body.is_some_and(|b| self.bodies.get(b).is_none()) {
            return Err(GeomError::UnknownBody);
        }
        if !definition.pose.is_finite() {
            return Err(GeomError::NotFinite);
        }
        if let Some(body) = definition.body {
            self.wake(body);
        }
        self.revision += 1;
        Ok(self.geoms.insert(Geom {
            bounds: definition.shape.aabb(&Pose::IDENTITY),
            shape: definition.shape.clone(),
            body: definition.body,
            pose: definition.pose,
            surface: definition.surface,
            category: definition.category,
            collide: definition.collide,
            group: definition.group,
            user_data: definition.user_data,
            is_enabled: true,
            segment: None,
        }))
    }

    /// Removes a shape and wakes what touched it. Returns whether it was there.
    pub fn remove_geom(&mut self, id: GeomId) -> bool {
        if self.geoms.get(id).is_none() {
            return false;
        }
        self.wake_touching(id);
        self.state.contacts.forget(id.slot());
        self.state.patches.forget(id.slot());
        self.revision += 1;
        self.geoms.remove(id).is_some()
    }

    /// A shape of the world.
    #[must_use]
    pub fn geom(&self, id: GeomId) -> Option<&Geom> {
        self.geoms.get(id)
    }

    /// Surface of a shape, to change; what touches the shape wakes. `None` if the handle is stale.
    pub fn geom_surface_mut(&mut self, id: GeomId) -> Option<&mut Surface> {
        self.wake_touching(id);
        self.revision += 1;
        self.geoms.get_mut(id).map(|g| &mut g.surface)
    }

    /// Lets a shape collide or not, and wakes what touches it; returns whether it was there.
    pub fn set_geom_enabled(&mut self, id: GeomId, is_enabled: bool) -> bool {
        if self.geoms.get(id).is_some_and(|g| g.is_enabled != is_enabled) {
            self.note_moved_geom(id);
        }
        self.geoms.get_mut(id).map(|g| g.is_enabled = is_enabled).is_some()
    }

    /// Moves a shape in its body's frame (an offset), or in the world if it has no body. What touched it wakes, and what it
    /// comes to overlap.
    ///
    /// # Errors
    /// A stale handle, a pose that is not finite.
    pub fn set_geom_pose(&mut self, id: GeomId, pose: &Pose) -> Result<(), GeomError> {
        if !pose.is_finite() {
            return Err(GeomError::NotFinite);
        }
        let geom = self.geoms.get_mut(id).ok_or(GeomError::Stale)?;
        if geom.pose != *pose {
            geom.pose = *pose;
            self.note_moved_geom(id);
        }
        Ok(())
    }

    /// Gives a shape to another body, at the body's frame; or to none: then it stays where it is in the world.
    ///
    /// # Errors
    /// A stale handle, a body that does not exist.
    pub fn set_geom_body(&mut self, id: GeomId, body: Option<BodyId>) -> Result<(), GeomError> {
        if body.is_some_and(|b| self.bodies.get(b).is_none()) {
            return Err(GeomError::UnknownBody);
        }
        let place = self.geom_pose(id).ok_or(GeomError::Stale)?;
        self.note_moved_geom(id);
        self.state.contacts.forget(id.slot());
        self.state.patches.forget(id.slot());
        let geom = self.geoms.get_mut(id).ok_or(GeomError::Stale)?;
        geom.pose = if body.is_some() { Pose::IDENTITY } else { place };
        geom.body = body;
        if let Some(body) = body {
            self.wake(body);
        }
        Ok(())
    }

    /// Sets what a shape is and what it collides with, and wakes what touches it; returns whether it was there.
    pub fn set_geom_bits(&mut self, id: GeomId, category: u64, collide: u64) -> bool {
        if self.geoms.get(id).is_some_and(|g| (g.category, g.collide) != (category, collide)) {
            self.note_moved_geom(id);
        }
        self.geoms.get_mut(id).map(|g| (g.category, g.collide) = (category, collide)).is_some()
    }

    /// Pose of a shape in the world.
    #[must_use]
    pub fn geom_pose(&self, id: GeomId) -> Option<Pose> {
        let geom = self.geoms.get(id)?;
        Some(match geom.body.and_then(|b| self.body(b)) {
            Some(body) => body.pose().compose(&geom.pose),
            None => geom.pose,
        })
    }

    /// All shapes in the order of creation.
    pub fn geom_ids(&self) -> impl Iterator<Item = GeomId> + '_ {
        self.geoms.iter().map(|(id, _)| id)
    }
}
