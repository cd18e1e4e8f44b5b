//! Mesh against mesh or heightfield: vertices of each inside the other, and edges that cross.

use glam::DVec3;

use super::{
    gather::{Gather, to_world},
    hull::{name_triangles, solid_hull},
    pair_way_out::pair_way_out,
    solid::solid_source,
    source::{TriangleSource, source},
};
use crate::collision::capsule_capsule::nearest_on_segments;
use crate::collision::{ContactQuery, ManifoldPoint, NO_TRIANGLE, TOUCH};
use crate::math::Pose;
use crate::shape::{Aabb, Shape, Triangle, TriangleMesh};

pub(in crate::collision) fn mesh_mesh(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    let (Some(first), Some(second)) = (source(a), source(b)) else { return };
    match (hull_of(a), hull_of(b)) {
        (Some((solid, mesh)), _) => {
            if let Some((other, whole)) = hull_of(b) {
                solid_hull(solid, pose_a, other, whole, pose_b, query, out);
            } else {
                solid_source(solid, pose_a, second, pose_b, query, &mut |_| true, out);
            }
            return name_triangles(out, 0, mesh, pose_a);
        }
        (None, Some((solid, mesh))) => {
            solid_source(solid, pose_b, first, pose_a, query, &mut |_| true, out);
            name_triangles(out, 0, mesh, pose_b);
            for point in out.iter_mut() {
                point.normal = -point.normal;
                point.triangles.swap(0, 1);
            }
            return;
        }
        (None, None) => {}
    }
    let relative = pose_b.inverse().compose(pose_a);
    let (bounds_a, bounds_b) = (first.bounds(), second.bounds());
    let size = scale(&bounds_a).min(scale(&bounds_b));
    let least = -query.margin - TOUCH * size;
    // Everything in b's axes.
    let one = PairSide { triangles: second, pose: Pose::IDENTITY, bounds: bounds_b };
    let two = PairSide { triangles: first, pose: relative, bounds: bounds_a };
    let is_near = contacts(&two, &one, size, least, query.max_points, out);
    let deepest = out.iter().fold(0.0f64, |most, p| most.max(p.depth));
    let is_lost = out.is_empty() && (is_near || is_within(&two, &one) || is_within(&one, &two));
    if is_lost || deepest > DEEP * size {
        pair_way_out(&two, &one, size, least, out, query.max_points);
    }
    to_world(out, pose_b);
}

/// Overlaps above this part of the size are searched for the least way out.
const DEEP: f64 = 0.1;

/// The contacts of the first with the second, in the axes of the pair; false if no triangles come near each other.
pub(super) fn contacts(
    first: &PairSide,
    second: &PairSide,
    size: f64,
    least: f64,
    max_points: usize,
    out: &mut Vec<ManifoldPoint>,
) -> bool {
    let mut gather = Gather::new(out, size);
    vertices(first, second, 1.0, size, least, &mut gather);
    vertices(second, first, -1.0, size, least, &mut gather);
    let is_near = edges(first, second, size, least, &mut gather);
    gather.thin_out(max_points);
    is_near
}

/// The box of the first lies within that of the second, as that of what is wholly inside does.
fn is_within(first: &PairSide, second: &PairSide) -> bool {
    let relative = second.pose.inverse().compose(&first.pose);
    second.triangles.is_solid() && second.bounds.contains(&first.bounds.turned(&relative))
}

/// A convex mesh and its hull.
fn hull_of(shape: &Shape) -> Option<(&Shape, &TriangleMesh)> {
    match shape {
        Shape::TriangleMesh(mesh) => mesh.hull().map(|hull| (hull, &**mesh)),
        _ => None,
    }
}

/// One of the two, placed in the axes of the pair.
#[derive(Clone, Copy)]
pub(super) struct PairSide<'a> {
    pub triangles: &'a dyn TriangleSource,
    pub pose: Pose,
    /// In its own axes.
    pub bounds: Aabb,
}

/// Half of a box's diagonal, an endless one's height \[m\].
fn scale(bounds: &Aabb) -> f64 {
    let size = bounds.size();
    if size.is_finite() { 0.5 * size.length() } else { size.y.max(1.0) }
}

impl PairSide<'_> {
    /// How far behind a surface this one may reach \[m\]: anything in a solid; half through an open sheet, beyond which
    /// it is on the other side.
    fn reach(&self, surface: &PairSide) -> f64 {
        if surface.triangles.is_solid() {
            return scale(&self.bounds).min(scale(&surface.bounds)) * 2.0;
        }
        let size = self.bounds.size();
        (0.5 * size.min_element()).max(0.05 * size.max_element())
    }
}

/// Vertices of one side that lie behind a face of the other, where no neighbour lies farther in. `sign` is 1 if the
/// vertices are the first shape's.
fn vertices(points: &PairSide, surface: &PairSide, sign: f64, size: f64, least: f64, gather: &mut Gather) {
    let reach = points.reach(surface).max(-least);
    let to_surface = surface.pose.inverse().compose(&points.pose);
    let region = surface.bounds.expanded(reach).turned(&to_surface.inverse());
    points.triangles.visit_vertices(&region, &mut |id, local| {
        let p = to_surface.point(local);
        let Some((distance, nearest)) = surface.triangles.nearest(p, reach) else { return };
        if -distance < least {
            return;
        }
        // The face of least depth that may push the vertex out.
        let mut best: Option<(f64, Triangle)> = None;
        let consider = |best: &mut Option<(f64, Triangle)>, triangle: &Triangle| {
            let depth = -triangle.normal.dot(p - triangle.corners[0]);
            if depth < least || best.is_some_and(|b| b.0 <= depth) {
                return;
            }
            // Over its face alone the plane's distance is that of the triangle.
            if ((triangle.nearest(p).point - p).length() - depth.abs()).abs() > 1e-9 * size {
                return;
            }
            let outward = to_surface.inverse_direction(-triangle.normal);
            let mut is_farthest = true;
            points.triangles.vertex_ring(id, local, &mut |q| {
                let off = q - local;
                is_farthest &= outward.dot(off) <= 1e-6 * off.length();
            });
            if is_farthest {
                *best = Some((depth, *triangle));
            }
        };
        consider(&mut best, &nearest);
        // On an edge several faces are as near, and the nearest one may lie along the vertex' own faces, as where two
        // equal boxes stand on each other.
        if best.is_none() && distance <= 1e-9 * size {
            let near = Aabb::from_center(p, DVec3::splat((NEAR * size).min(reach)));
            surface.triangles.visit(&near, &mut |triangle| consider(&mut best, triangle));
        }
        let Some((depth, triangle)) = best else { return };
        let position = surface.pose.point(p + triangle.normal * (0.5 * depth));
        let normal = surface.pose.direction(triangle.normal) * sign;
        let index = [NO_TRIANGLE, triangle.index];
        let index = if sign > 0.0 { index } else { [index[1], index[0]] };
        let feature = if sign > 0.0 { id } else { VERTEX_OF_SECOND | id };
        gather.take(index, |out| out.push(ManifoldPoint::new(position, normal, depth, feature)));
    });
}

/// Second choice of a face for a vertex, in parts of the size: deeper ones are not looked for.
const NEAR: f64 = 0.1;
const VERTEX_OF_SECOND: u32 = 1 << 30;
const CROSSING: u32 = 1 << 31;

/// Ridges that cross: with u, v along them the direction is `u × v`, if both surfaces have it there. They count as
/// guesses, since far along a long ridge such a direction means nothing.
fn edges(first: &PairSide, second: &PairSide, size: f64, least: f64, gather: &mut Gather) -> bool {
    let mut is_near = false;
    let slack = 1e-6 * size;
    let most = first.reach(second).max(second.reach(first));
    let region = second.bounds.expanded(-least).turned(&first.pose.inverse().compose(&second.pose));
    first.triangles.visit(&region, &mut |a| {
        let corners = a.corners.map(|p| first.pose.point(p));
        let bounds = corners.iter().fold(Aabb::EMPTY, |sum, &p| sum.merged(&Aabb::new(p, p)));
        second.triangles.visit(&bounds.expanded(-least), &mut |b| {
            is_near = true;
            for i in 0..3 {
                let (p, u) = (corners[i], corners[(i + 1) % 3] - corners[i]);
                for j in 0..3 {
                    let (q, v) = (b.corners[j], b.corners[(j + 1) % 3] - b.corners[j]);
                    let cross = u.cross(v);
                    let length = cross.length();
                    if length <= 1e-6 * u.length() * v.length() {
                        continue;
                    }
                    let (on_a, on_b) = nearest_on_segments((p, p + u), (q, q + v));
                    let off = on_b - on_a;
                    // Inside both edges the way between them is along their common normal.
                    if off.cross(cross).length() > 1e-9 * size * length {
                        continue;
                    }
                    for d in [cross / length, -cross / length] {
                        let depth = off.dot(d);
                        if depth < least || depth > most || !is_ridge(second, b, j, d) || !is_ridge(first, a, i, -d) {
                            continue;
                        }
                        // Ridges that pass each other behind the bodies' far sides touch nothing.
                        if depth > slack && (is_outside(second, on_a) || is_outside(first, on_b)) {
                            continue;
                        }
                        let point = ManifoldPoint::new(0.5 * (on_a + on_b), d, depth, CROSSING | (3 * i + j) as u32);
                        gather.guess_point([a.index, b.index], point);
                    }
                }
            }
        });
    });
    is_near
}

/// A point of the pair lies outside a solid.
fn is_outside(side: &PairSide, point: DVec3) -> bool {
    side.triangles.is_solid()
        && side.triangles.side(side.pose.inverse_point(point)).is_none_or(|found| found.distance > 0.0)
}

/// A direction lies below a plane, by more than rounding.
fn is_below(off: DVec3, normal: DVec3) -> bool {
    normal.dot(off) < -1e-6 * off.length()
}

/// Both triangles at edge k lie below it along `d`.
fn is_ridge(side: &PairSide, triangle: &Triangle, k: usize, d: DVec3) -> bool {
    let d = side.pose.inverse_direction(d);
    let lies_below = |p: DVec3| {
        let off = p - triangle.corners[k];
        d.dot(off) <= 1e-6 * off.length()
    };
    lies_below(triangle.corners[(k + 2) % 3])
        && match side.triangles.opposite(triangle, k) {
            // In a plane or a valley the faces touch, not the edge.
            Some(far) => lies_below(far) && is_below(far - triangle.corners[k], triangle.normal),
            None => d.dot(triangle.normal) >= -1e-6,
        }
}
