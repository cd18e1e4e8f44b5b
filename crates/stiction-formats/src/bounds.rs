//! How low shapes reach, and which are flat.

use stiction::math::{DVec3, Pose};

use crate::description::{CollisionDescription, GeometryDescription, WorldDescription};

/// Height of the lowest point of a shape at a world pose; `None` for a shape without bounds or points.
pub(crate) fn lowest(shape: &GeometryDescription, pose: &Pose) -> Option<f64> {
    // Heights of the shape's axes over the horizon.
    let up = pose.inverse_direction(DVec3::Z);
    let level = libm::sqrt((1.0 - up.z * up.z).max(0.0));
    let reach = match shape {
        GeometryDescription::Box(size) => (up.abs() * *size * 0.5).element_sum(),
        GeometryDescription::Sphere(radius) => *radius,
        GeometryDescription::Cylinder { radius, length } => 0.5 * length * libm::fabs(up.z) + radius * level,
        GeometryDescription::Capsule { radius, length } => 0.5 * length * libm::fabs(up.z) + radius,
        GeometryDescription::Ellipsoid(radii) => (up * *radii).length(),
        GeometryDescription::Cone { radius, length } => {
            (-0.5 * length * up.z).max(0.5 * length * up.z + radius * level)
        }
        GeometryDescription::ConvexHull(points) => points.iter().map(|p| -up.dot(*p)).max_by(f64::total_cmp)?,
        GeometryDescription::Mesh(mesh) => mesh.vertices.iter().map(|p| -up.dot(*p)).max_by(f64::total_cmp)?,
        GeometryDescription::Heightfield(field) => field.corners().iter().map(|p| -up.dot(*p)).fold(f64::MIN, f64::max),
        GeometryDescription::Compound(parts) => {
            let lows = parts.iter().filter_map(|(at, part)| lowest(part, &pose.compose(at)));
            return lows.min_by(f64::total_cmp);
        }
        GeometryDescription::Empty | GeometryDescription::Plane(_) | GeometryDescription::Unsupported(_) => {
            return None;
        }
    };
    Some(pose.position.z - reach)
}

impl GeometryDescription {
    /// It has no radius of curvature, as elastic contact needs one.
    const fn is_flat(&self) -> bool {
        matches!(
            self,
            Self::Box(_)
                | Self::Plane(_)
                | Self::ConvexHull(_)
                | Self::Mesh(_)
                | Self::Heightfield(_)
                | Self::Compound(_)
        )
    }

    /// Points on which the shape rests on a flat one.
    #[must_use]
    pub const fn resting_points(&self) -> usize {
        match self {
            Self::Sphere(_) | Self::Ellipsoid(_) => 1,
            Self::Capsule { .. } => 2,
            _ => 4,
        }
    }
}

/// Collisions with an elastic modulus that acts in no pair: Hertz's law needs a radius, of a round shape or a patch.
#[must_use]
pub fn elastic_without_radius(world: &WorldDescription) -> Vec<&CollisionDescription> {
    let elastic = |c: &&CollisionDescription| c.surface.elastic_modulus.value > 0.0;
    let has_radius = |c: &&CollisionDescription| {
        let s = &c.surface;
        !c.geometry.is_flat() || (s.use_patch_radius.value && s.patch_radius.value > 0.0)
    };
    let all = || world.links.iter().flat_map(|link| &link.collisions).filter(elastic);
    if all().any(|c| has_radius(&c)) { Vec::new() } else { all().collect() }
}
