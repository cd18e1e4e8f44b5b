//! Cylinder against box, capsule and cylinder: separating axes of caps, sides and faces, then the convex search.

use super::{
    ContactQuery, ManifoldPoint,
    convex::{Axes, Couple, meet},
    side_by_side::side_by_side,
};
use crate::{math::Pose, shape::Shape};

pub(super) fn solid_cylinder(
    solid: &Shape,
    pose: &Pose,
    cylinder: &Shape,
    cylinder_pose: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    let couple = Couple::new(solid, pose, cylinder, cylinder_pose);
    if query.whole_faces && side_by_side(&couple, query, out) {
        return;
    }
    let axis = couple.b.rotation.z_axis;
    let between = couple.a.center() - couple.b.center();
    let mut axes = Axes::new(&couple);
    axes.try_both(&couple, axis);
    let edges = if matches!(solid, Shape::Box(_)) { 0..3 } else { 2..3 };
    for k in edges {
        let edge = couple.a.rotation.col(k);
        // Box faces and the other cylinder's caps.
        if !matches!(solid, Shape::Capsule(_)) {
            axes.try_both(&couple, edge);
        }
        // Side line against edge or side line.
        axes.try_both(&couple, edge.cross(axis));
    }
    // Side line against whatever lies beside it; parallel sides have no cross product.
    axes.try_both(&couple, between - axis * axis.dot(between));
    meet(&couple, axes, query, out);
}
