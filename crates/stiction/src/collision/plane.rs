//! Any solid against a half-space.

use glam::DVec3;

#[cfg(target_arch = "x86_64")]
use super::box_four;
use super::{
    ContactQuery, ManifoldPoint, TOUCH,
    feature::{Feature, disc_points},
    placed::Placed,
};
use crate::{math::Pose, shape::Shape};

/// The points of the solid's lowest feature, each as deep as it lies below the surface.
pub(super) fn solid_plane(
    solid: &Shape,
    pose: &Pose,
    plane: &Shape,
    plane_pose: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    let Shape::Plane(plane) = plane else { return };
    let (normal, _) = plane.at(plane_pose);
    // Relative to the solid, so that far from the origin no digit is lost before the difference is taken.
    let offset = plane.offset + normal.dot(plane_pose.position - pose.position);
    let placed = Placed::new(solid, pose, pose.position);
    let least = -query.margin - TOUCH * placed.size();
    #[cfg(target_arch = "x86_64")]
    if let Shape::Box(cuboid) = solid
        && box_four::push_face_on_plane((&placed, cuboid, pose.position), (normal, offset), least, out)
    {
        return;
    }
    let mut push = |point: DVec3, feature: u32| {
        let depth = offset - normal.dot(point);
        if depth >= least {
            let position = pose.position + point + normal * (0.5 * depth);
            out.push(ManifoldPoint::new(position, normal, depth, feature));
        }
    };
    if let Shape::ConvexHull(hull) = solid {
        for (index, &vertex) in hull.vertices().iter().enumerate() {
            push(placed.rotation * vertex, index as u32);
        }
        return;
    }
    if let Shape::Box(cuboid) = solid {
        placed.face_of_box(cuboid, -normal).1.iter().for_each(|p| push(p.point, p.id));
        return;
    }
    match placed.feature(-normal) {
        Feature::Point(p) => push(p.point, p.id),
        Feature::Edge(ends) => ends.iter().for_each(|p| push(p.point, p.id)),
        Feature::Polygon(polygon) => {
            polygon.with_points(|points| points.iter().for_each(|p| push(p.point, p.id)));
        }
        Feature::Disc(disc) => {
            let lasting = query.whole_faces.then(|| offset - normal.dot(disc.center));
            disc_points(&disc, -normal, lasting).iter().for_each(|p| push(p.point, p.id));
        }
    }
    if let Shape::Cone(cone) = solid {
        // The tip touches together with the rim when the cone lies on its slope.
        push(placed.rotation * cone.tip(), TIP);
    }
}

/// Key of a cone's tip, apart from those of its rim.
const TIP: u32 = 1 << 30;
