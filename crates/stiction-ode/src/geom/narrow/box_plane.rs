//! Box with half-space: the lowest corner and its neighbours.

use glam::DVec3;

use super::super::{Geom, GeomId, GeomShape};
use super::Contacts;
use crate::objects::mode::Mode;

/// The lowest corner comes first, then its neighbours along the two edges that rise least, then the fourth corner of that
/// face. ODE leaves the fourth out where it just touches: so do bodies of worlds in exact mode, whose motion would be another
/// otherwise.
pub(super) unsafe fn box_plane(cuboid: GeomId, plane: GeomId, contacts: &mut Contacts) {
    let (GeomShape::Box { sides }, GeomShape::Plane { params }) = (&(*cuboid).shape, &(*plane).shape) else { return };
    let placed = Geom::placed(cuboid);
    let normal = DVec3::new(params[0], params[1], params[2]);
    let axes = &placed.rotation;
    let height =
        [sides[0] * normal.dot(axes.x_axis), sides[1] * normal.dot(axes.y_axis), sides[2] * normal.dot(axes.z_axis)];
    let rise = [height[0].abs(), height[1].abs(), height[2].abs()];
    let depth = params[3] + 0.5 * (rise[0] + rise[1] + rise[2]) - normal.dot(placed.position);
    if depth < 0.0 {
        return;
    }
    let edge = |i: usize| placed.rotation.col(i) * sides[i];
    let up = |i: usize| if height[i] > 0.0 { edge(i) } else { -edge(i) };
    let mut corner = placed.position;
    for i in 0..3 {
        corner -= 0.5 * up(i);
    }
    contacts.push(corner, normal, depth);
    let (second, third) = flattest(&rise);
    let (depth2, depth3) = (depth - rise[second], depth - rise[third]);
    if depth2 < 0.0 {
        return;
    }
    contacts.push(corner + up(second), normal, depth2);
    if depth3 < 0.0 {
        return;
    }
    contacts.push(corner + up(third), normal, depth3);
    let depth4 = depth2 + depth3 - depth;
    let is_exact = (*cuboid).body.as_ref().is_some_and(|body| (*body.world).mode == Mode::Exact);
    if depth4 > 0.0 || depth4 == 0.0 && !is_exact {
        contacts.push(corner + up(second) + up(third), normal, depth4);
    }
}

/// The two edges that rise least, in order; of equal ones those that ODE takes.
fn flattest(rise: &[f64; 3]) -> (usize, usize) {
    let [x, y, z] = *rise;
    if x < y {
        if z < x { (2, 0) } else { (0, if y < z { 1 } else { 2 }) }
    } else if z < y {
        (2, if x < y { 0 } else { 1 })
    } else {
        (1, if x < z { 0 } else { 2 })
    }
}
