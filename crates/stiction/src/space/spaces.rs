//! All geoms of a program: adding, moving, removing.

use std::sync::Arc;

use super::geom::Content;
use super::{Form, Geom, GeomClass, GeomId, Space, SpaceError, SpaceKind};
use crate::base::Arena;
use crate::math::Pose;
use crate::shape::{Aabb, Shape};

/// All geoms and spaces of a program.
#[derive(Default)]
pub struct Spaces {
    pub(super) geoms: Arena<Geom>,
}

impl Spaces {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a shape at a pose, and puts it into a space if one is given.
    ///
    /// # Errors
    /// A pose that is not finite; no such space, or a locked one.
    pub fn add_shape(&mut self, shape: Shape, pose: &Pose, space: Option<GeomId>) -> Result<GeomId, SpaceError> {
        self.add_form(Form::Shape(shape), pose, space)
    }

    /// Adds an instance of a class of the user's at a pose, and puts it into a space if one is given.
    ///
    /// # Errors
    /// A pose that is not finite; no such space, or a locked one.
    pub fn add_class<C: GeomClass>(
        &mut self,
        class: C,
        pose: &Pose,
        space: Option<GeomId>,
    ) -> Result<GeomId, SpaceError> {
        self.add_form(Form::Class(Arc::new(class)), pose, space)
    }

    /// Adds a space, and puts it into another if one is given.
    ///
    /// # Errors
    /// Parameters that no space of the kind has; no such space to put it in, or a locked one.
    pub fn add_space(&mut self, kind: SpaceKind, space: Option<GeomId>) -> Result<GeomId, SpaceError> {
        let new = Space::new(kind)?;
        self.add(Content::Space(new), space)
    }

    fn add_form(&mut self, form: Form, pose: &Pose, space: Option<GeomId>) -> Result<GeomId, SpaceError> {
        let pose = finite(pose)?;
        self.add(Content::Placed { form, pose, offset: Pose::IDENTITY }, space)
    }

    fn add(&mut self, content: Content, space: Option<GeomId>) -> Result<GeomId, SpaceError> {
        if let Some(space) = space {
            self.changeable(space)?;
        }
        let id = self.geoms.insert(Geom::new(content));
        if let Some(space) = space {
            self.insert(space, id)?;
        }
        Ok(id)
    }

    /// Puts a geom into a space. Nothing happens if it is there already.
    ///
    /// # Errors
    /// Stale handles, no space, a locked one, a geom that lies elsewhere, a space that would lie in itself.
    pub fn insert(&mut self, space: GeomId, geom: GeomId) -> Result<(), SpaceError> {
        let parent = self.geom(geom)?.parent;
        if parent == Some(space) {
            return Ok(());
        }
        self.changeable(space)?;
        if parent.is_some() {
            return Err(SpaceError::Elsewhere);
        }
        let mut above = Some(space);
        while let Some(id) = above {
            if id == geom {
                return Err(SpaceError::Cycle);
            }
            above = self.geom(id)?.parent;
        }
        self.space_mut(space)?.members.push(geom);
        self.geom_mut(geom)?.parent = Some(space);
        Ok(())
    }

    /// Takes a geom out of a space; it stays without one. Nothing happens if it is not there.
    ///
    /// # Errors
    /// Stale handles, no space, a locked one.
    pub fn take_out(&mut self, space: GeomId, geom: GeomId) -> Result<(), SpaceError> {
        if self.geom(geom)?.parent == Some(space) {
            self.changeable(space)?;
            self.space_mut(space)?.members.retain(|member| *member != geom);
            self.geom_mut(geom)?.parent = None;
        }
        Ok(())
    }

    /// Removes a geom; a space with its members, if its clean-up says so, or they stay without a space.
    ///
    /// # Errors
    /// A stale handle, or a space that is locked, lies in a locked one or holds one.
    pub fn remove(&mut self, geom: GeomId) -> Result<(), SpaceError> {
        self.changeable(geom)?;
        if self.holds_locked(geom) {
            return Err(SpaceError::Locked);
        }
        if let Some(parent) = self.geom(geom)?.parent {
            self.take_out(parent, geom)?;
        }
        let mut ends = vec![geom];
        while let Some(id) = ends.pop() {
            let Some(Geom { content: Content::Space(space), .. }) = self.geoms.remove(id) else { continue };
            if space.cleanup {
                ends.extend(space.members);
            } else {
                for member in space.members {
                    self.geom_mut(member)?.parent = None;
                }
            }
        }
        Ok(())
    }

    /// Whether a geom lies in a space.
    #[must_use]
    pub fn contains(&self, space: GeomId, geom: GeomId) -> bool {
        self.geoms.get(geom).is_some_and(|g| g.parent == Some(space))
    }

    /// A geom.
    ///
    /// # Errors
    /// A stale handle.
    pub fn geom(&self, id: GeomId) -> Result<&Geom, SpaceError> {
        self.geoms.get(id).ok_or(SpaceError::Stale)
    }

    /// A geom, to change its bits, body, data and whether it is enabled.
    ///
    /// # Errors
    /// A stale handle.
    pub fn geom_mut(&mut self, id: GeomId) -> Result<&mut Geom, SpaceError> {
        self.geoms.get_mut(id).ok_or(SpaceError::Stale)
    }

    /// A space.
    ///
    /// # Errors
    /// A stale handle, or a geom that is no space.
    pub fn space(&self, id: GeomId) -> Result<&Space, SpaceError> {
        self.geom(id)?.space().ok_or(SpaceError::NotASpace)
    }

    /// A space, to change its clean-up and sublevel.
    ///
    /// # Errors
    /// A stale handle, or a geom that is no space.
    pub fn space_mut(&mut self, id: GeomId) -> Result<&mut Space, SpaceError> {
        match &mut self.geom_mut(id)?.content {
            Content::Space(space) => Ok(space),
            Content::Placed { .. } => Err(SpaceError::NotASpace),
        }
    }

    /// Makes a space one of another kind, or of other levels; its members stay.
    ///
    /// # Errors
    /// A stale handle, no space, a locked one, parameters that no space of the kind has.
    pub fn set_kind(&mut self, id: GeomId, kind: SpaceKind) -> Result<(), SpaceError> {
        self.changeable(id)?;
        self.space_mut(id)?.set_kind(kind)
    }

    /// Moves a geom.
    ///
    /// # Errors
    /// A stale handle, a space, a pose that is not finite, a geom of a locked space.
    pub fn set_pose(&mut self, id: GeomId, pose: &Pose) -> Result<(), SpaceError> {
        let pose = finite(pose)?;
        self.place(id, |_, own, _| *own = pose)
    }

    /// Sets the pose of a geom's form in the geom's own (the guide's geometry transform).
    ///
    /// # Errors
    /// A stale handle, a space, a pose that is not finite, a geom of a locked space.
    pub fn set_offset(&mut self, id: GeomId, offset: &Pose) -> Result<(), SpaceError> {
        let offset = finite(offset)?;
        self.place(id, |_, _, own| *own = offset)
    }

    /// Gives a geom another shape.
    ///
    /// # Errors
    /// A stale handle, a space, a geom of a locked space.
    pub fn set_shape(&mut self, id: GeomId, shape: Shape) -> Result<(), SpaceError> {
        self.place(id, |form, _, _| *form = Form::Shape(shape))
    }

    fn place(&mut self, id: GeomId, change: impl FnOnce(&mut Form, &mut Pose, &mut Pose)) -> Result<(), SpaceError> {
        self.changeable(id)?;
        match &mut self.geom_mut(id)?.content {
            Content::Placed { form, pose, offset } => {
                change(form, pose, offset);
                Ok(())
            }
            Content::Space(_) => Err(SpaceError::NotPlaceable),
        }
    }

    /// Bounding box of a geom in the world \[m\]; of a space that of all its members.
    ///
    /// # Errors
    /// A stale handle.
    pub fn aabb(&self, id: GeomId) -> Result<Aabb, SpaceError> {
        let geom = self.geom(id)?;
        Ok(match (&geom.content, geom.placed()) {
            (Content::Space(space), _) => space
                .members
                .iter()
                .filter_map(|member| self.aabb(*member).ok())
                .fold(Aabb::EMPTY, |all, aabb| all.merged(&aabb)),
            (_, Some((form, pose))) => form.aabb(&pose),
            (_, None) => Aabb::EMPTY,
        })
    }

    /// A space in the geom, or further down, is locked.
    fn holds_locked(&self, id: GeomId) -> bool {
        let space = self.geoms.get(id).and_then(Geom::space);
        space.is_some_and(|s| s.is_locked() || s.members.iter().any(|member| self.holds_locked(*member)))
    }

    /// Neither the geom nor a space that it lies in is locked.
    fn changeable(&self, id: GeomId) -> Result<(), SpaceError> {
        let mut next = Some(id);
        while let Some(id) = next {
            let geom = self.geom(id)?;
            if geom.space().is_some_and(Space::is_locked) {
                return Err(SpaceError::Locked);
            }
            next = geom.parent;
        }
        Ok(())
    }
}

fn finite(pose: &Pose) -> Result<Pose, SpaceError> {
    if pose.is_finite() { Ok(*pose) } else { Err(SpaceError::NotFinite) }
}
