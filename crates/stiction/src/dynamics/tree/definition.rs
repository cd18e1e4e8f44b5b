//! Definition of a tree.

use glam::{DQuat, DVec3};

use crate::math::Pose;
use crate::shape::MassProperties;

/// One link and the joint by which its parent carries it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkDefinition {
    /// Index of the parent, an earlier link; `None` for the base: the world, or a body of prescribed motion.
    pub parent: Option<usize>,
    /// How the link moves in its parent.
    pub mobility: Mobility,
    /// Pose of the joint frame F in the parent's link frame (in the base frame without a parent).
    pub parent_frame: Pose,
    /// Pose of the joint frame M in the link's own frame.
    pub child_frame: Pose,
    /// Mass in the link's frame; mass and inertia may be zero.
    pub mass: MassProperties,
}

/// Motions of M in F. Axes are in F (and equally in M, which coincides with F at zero, up to what the joint has moved);
/// they need a direction, not a length.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Mobility {
    /// None; no coordinate.
    Fixed,
    /// One angle \[rad\] about an axis through both origins.
    Revolute {
        /// The axis.
        axis: DVec3,
    },
    /// One displacement \[m\] along an axis.
    Prismatic {
        /// The axis.
        axis: DVec3,
    },
    /// One angle \[rad\] about an axis, with an advance along it.
    Screw {
        /// The axis.
        axis: DVec3,
        /// Advance a turn \[m\].
        pitch: f64,
    },
    /// Two angles \[rad\]: about a first axis carried by F, and about a second one carried by the body between. They
    /// need not be perpendicular, but must not be parallel.
    Universal {
        /// First and second axis at zero.
        axes: [DVec3; 2],
    },
    /// Two displacements \[m\] of M's origin along perpendicular directions in F, then an angle \[rad\] about their
    /// cross product through M's origin.
    Planar {
        /// The directions.
        axes: [DVec3; 2],
    },
    /// A displacement \[m\] of M's origin along a direction in F, then an angle \[rad\] about an axis through M's origin. The two may be parallel: a
    /// cylindrical joint.
    PrismaticRevolute {
        /// The direction.
        slide: DVec3,
        /// The axis.
        axis: DVec3,
    },
    /// The other way round: an angle \[rad\] about an axis through F's origin, then a displacement \[m\] along a direction that turns with M.
    RevolutePrismatic {
        /// The axis.
        axis: DVec3,
        /// The direction at zero.
        slide: DVec3,
    },
    /// A displacement \[m\] of M's origin along a direction in F, then the two angles \[rad\] of a universal joint through M's origin.
    PrismaticUniversal {
        /// The direction.
        slide: DVec3,
        /// First and second axis at zero.
        axes: [DVec3; 2],
    },
    /// The other way round: the two angles \[rad\] of a universal joint through F's origin, then a displacement \[m\] along a direction that turns
    /// with M.
    UniversalPrismatic {
        /// First and second axis at zero.
        axes: [DVec3; 2],
        /// The direction at zero.
        slide: DVec3,
    },
    /// Position: quaternion w, x, y, z of M in F. Velocity: angular velocity of M in F, in the axes of F \[rad/s\].
    Ball,
    /// Position: origin of the link frame in the world \[m\], then quaternion w, x, y, z of the link frame. Velocity:
    /// that of the link's origin \[m/s\], then the angular velocity \[rad/s\], in world axes. Only without a parent; the
    /// frames of the joint and the motion of the base have no effect.
    Free,
}

impl Mobility {
    /// Number of velocities.
    #[must_use]
    pub const fn dof_count(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute { .. } | Self::Prismatic { .. } | Self::Screw { .. } => 1,
            Self::Universal { .. } | Self::PrismaticRevolute { .. } | Self::RevolutePrismatic { .. } => 2,
            Self::Planar { .. } | Self::PrismaticUniversal { .. } | Self::UniversalPrismatic { .. } | Self::Ball => 3,
            Self::Free => 6,
        }
    }

    /// Number of positions.
    #[must_use]
    pub const fn position_count(&self) -> usize {
        match self {
            Self::Ball => 4,
            Self::Free => 7,
            _ => self.dof_count(),
        }
    }
}

/// Why links make no tree.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// A parent is not an earlier link.
    #[error("link {link} has the parent {parent}; expected an earlier link")]
    Parent {
        /// The link.
        link: usize,
        /// Its parent.
        parent: usize,
    },
    /// A free link has a parent.
    #[error("link {link} is free and has a parent; expected none")]
    FreeWithParent {
        /// The link.
        link: usize,
    },
    /// An axis is zero or not finite.
    #[error("link {link} has the axis {found}; expected a direction")]
    Axis {
        /// The link.
        link: usize,
        /// The axis.
        found: DVec3,
    },
    /// The axes of a universal joint are parallel.
    #[error("link {link} has parallel axes; expected two directions that span a plane")]
    ParallelAxes {
        /// The link.
        link: usize,
    },
    /// The directions of a planar joint are not perpendicular.
    #[error("link {link} moves in a plane of directions whose cosine is {found}; expected perpendicular ones")]
    NotPerpendicular {
        /// The link.
        link: usize,
        /// Cosine of the angle between them.
        found: f64,
    },
    /// A frame or a pitch is not finite, or a rotation is zero.
    #[error("link {link}: {quantity} is not finite")]
    NotFinite {
        /// The link.
        link: usize,
        /// What is not.
        quantity: &'static str,
    },
    /// No body has this mass or inertia.
    #[error("link {link} has a {quantity} of {found}; expected {expected}")]
    Mass {
        /// The link.
        link: usize,
        /// Which quantity, with its unit.
        quantity: &'static str,
        /// The value.
        found: f64,
        /// What it should be.
        expected: &'static str,
    },
}

pub(super) fn direction(link: usize, axis: DVec3) -> Result<DVec3, TreeError> {
    let found = axis;
    axis.try_normalize().filter(|a| a.is_finite()).ok_or(TreeError::Axis { link, found })
}

pub(super) fn frame(link: usize, quantity: &'static str, pose: &Pose) -> Result<Pose, TreeError> {
    let error = TreeError::NotFinite { link, quantity };
    let length = pose.rotation.length();
    if !(pose.is_finite() && length.is_finite() && length > 0.0) {
        return Err(error);
    }
    let q = pose.rotation;
    let rotation = DQuat::from_xyzw(q.x / length, q.y / length, q.z / length, q.w / length);
    Ok(Pose::new(pose.position, rotation))
}

/// Zero mass and zero inertia are welcome: a frame on the way carries other links.
pub(super) fn check_mass(link: usize, mass: &MassProperties) -> Result<(), TreeError> {
    if !(mass.mass.is_finite() && mass.mass >= 0.0) {
        let (quantity, expected) = ("mass [kg]", "a finite number, 0 or above");
        return Err(TreeError::Mass { link, quantity, found: mass.mass, expected });
    }
    if !mass.center_of_mass.is_finite() {
        return Err(TreeError::NotFinite { link, quantity: "centre of mass" });
    }
    let entries = mass.inertia.to_cols_array();
    if !entries.iter().all(|x| x.is_finite()) {
        return Err(TreeError::NotFinite { link, quantity: "inertia" });
    }
    let scale = entries.iter().fold(0.0f64, |s, x| s.max(x.abs()));
    let skew = mass.inertia - mass.inertia.transpose();
    let found = skew.to_cols_array().iter().fold(0.0f64, |s, x| s.max(x.abs()));
    if found > 1e-9 * scale {
        let (quantity, expected) = ("difference across the diagonal of the inertia [kg m²]", "a symmetric matrix");
        return Err(TreeError::Mass { link, quantity, found, expected });
    }
    let least = mass.principal().0.min_element();
    if least < -1e-9 * scale {
        let (quantity, expected) = ("least principal moment of inertia [kg m²]", "none below 0");
        return Err(TreeError::Mass { link, quantity, found: least, expected });
    }
    Ok(())
}
