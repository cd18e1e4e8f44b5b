//! Poses of geoms: as ODE keeps them, in arrays that programs read in place.

use glam::{DMat3, DQuat, DVec3};
use stiction::math::Pose;

use super::{Geom, GeomId, flag};
use crate::types::{dMatrix3, dVector3, matrix, put, put_matrix, vector};

/// Position and rotation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GeomPose {
    pub position: dVector3,
    pub rotation: dMatrix3,
}

impl GeomPose {
    pub(crate) const IDENTITY: Self =
        Self { position: [0.0; 4], rotation: [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0] };

    pub(crate) fn new(placed: &Placed) -> Self {
        Self { position: put(placed.position), rotation: put_matrix(placed.rotation) }
    }
}

/// A pose to compute with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub position: DVec3,
    pub rotation: DMat3,
}

impl Placed {
    pub(crate) const IDENTITY: Self = Self { position: DVec3::ZERO, rotation: DMat3::IDENTITY };

    pub(crate) fn new(position: &dVector3, rotation: &dMatrix3) -> Self {
        Self { position: vector(position), rotation: matrix(rotation) }
    }

    /// `X_AC = X_AB X_BC`.
    pub(crate) fn compose(&self, inner: &Self) -> Self {
        Self { position: self.point(inner.position), rotation: self.rotation * inner.rotation }
    }

    /// `X_BC = X_AB⁻¹ X_AC`.
    pub(crate) fn relative(&self, to: &Self) -> Self {
        Self { position: self.inverse_point(to.position), rotation: self.rotation.transpose() * to.rotation }
    }

    pub(crate) fn point(&self, local: DVec3) -> DVec3 {
        self.rotation * local + self.position
    }

    pub(crate) fn inverse_point(&self, world: DVec3) -> DVec3 {
        self.rotation.transpose() * (world - self.position)
    }

    /// The engine's pose; a rotation that is not quite one is brought to the nearest.
    pub(crate) fn pose(&self) -> Pose {
        Pose::new(self.position, DQuat::from_mat3(&self.rotation).normalize())
    }
}

impl Geom {
    /// Where position and rotation lie in memory. The pose of a geom with an offset is brought up to date.
    pub(crate) unsafe fn pose_in_place(geom: GeomId) -> (*mut dVector3, *mut dMatrix3) {
        if (*geom).flags & flag::POSE_OF_BODY != 0 {
            let body = (*geom).body;
            return (&raw mut (*body).position, &raw mut (*body).rotation);
        }
        if (*geom).flags & flag::POSE_BAD != 0 {
            (*geom).flags &= !flag::POSE_BAD;
            if let (Some(offset), false) = (&(*geom).offset, (*geom).body.is_null()) {
                let body = Placed::new(&(*(*geom).body).position, &(*(*geom).body).rotation);
                let pose = GeomPose::new(&body.compose(&Placed::new(&offset.position, &offset.rotation)));
                (*geom).pose = pose;
            }
        }
        (&raw mut (*geom).pose.position, &raw mut (*geom).pose.rotation)
    }

    /// The pose in the world; that of the world for planes and the like.
    pub(crate) unsafe fn placed(geom: GeomId) -> Placed {
        if !(*geom).is_placeable() {
            return Placed::IDENTITY;
        }
        let (position, rotation) = Self::pose_in_place(geom);
        Placed::new(&*position, &*rotation)
    }
}
