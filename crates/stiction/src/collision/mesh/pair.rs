//! Mesh against mesh or heightfield: vertices of each inside the other, and edges that cross.

use std::cell::Cell;
use std::ops::ControlFlow;

use glam::DVec3;

use super::{
    back::with_side,
    gather::{Gather, overlaps_at, to_world},
    hull::{name_triangles, solid_hull},
    near::{Vertex, Vertices, near_pairs},
    pair_way_out::pair_way_out,
    ridges::{BEND, Near},
    solid::solid_source,
    source::TriangleSource,
};
use crate::collision::distance::triangles_apart;
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
    with_side(a, query.behind[0], |first| {
        with_side(b, query.behind[1], |second| sources(a, first, pose_a, b, second, pose_b, query, out));
    });
}

#[expect(clippy::too_many_arguments, reason = "two shapes with their triangles and poses")]
fn sources(
    a: &Shape,
    first: &dyn TriangleSource,
    pose_a: &Pose,
    b: &Shape,
    second: &dyn TriangleSource,
    pose_b: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
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
    let found = contacts(&two, &one, size, least, query, out);
    let is_open = [first, second].map(|triangles| !triangles.is_solid());
    if is_open != [false; 2] && !out.is_empty() && !found.crosses && !meet(&two, &one, -least) {
        // What lies wholly behind an open surface has not come through it.
        out.retain(|point| match point.triangles {
            [NO_TRIANGLE, _] => !is_open[1],
            [_, NO_TRIANGLE] => !is_open[0],
            _ => false,
        });
        return to_world(out, pose_b);
    }
    let deepest = out.iter().fold(0.0f64, |most, p| most.max(p.depth));
    let is_lost = out.is_empty() && (found.is_near || is_within(&two, &one) || is_within(&one, &two));
    // Places that are deep in each other beside others that just touch.
    let is_missed = found.is_missed && is_open == [false; 2];
    if is_lost || is_missed || deepest > DEEP * size {
        pair_way_out(&two, &one, size, least, out, query);
    }
    to_world(out, pose_b);
}

/// Overlaps above this part of the size are searched for the least way out.
const DEEP: f64 = 0.1;

thread_local! {
    static NEAR: Cell<Near> = Cell::default();
}

/// What a look at two surfaces has shown beside the contacts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Some triangles come near each other.
    pub is_near: bool,
    /// Triangles cross.
    pub crosses: bool,
    /// Triangles cross where no contact is.
    pub is_missed: bool,
}

/// The contacts of the first with the second, in the axes of the pair.
pub(super) fn contacts(
    first: &PairSide,
    second: &PairSide,
    size: f64,
    least: f64,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) -> Seen {
    let mut gather = Gather::new(out, size).asked(query);
    let mut near = NEAR.take();
    let slope = if query.whole_faces { FLAT } else { BEND };
    let most = first.reach(second).max(second.reach(first));
    near.look(first, second, size, slope, [least, most]);
    Facing::new(first, second, (1.0, slope), size, least).vertices(&mut near.vertices[0], &mut gather);
    Facing::new(second, first, (-1.0, slope), size, least).vertices(&mut near.vertices[1], &mut gather);
    // Far along a long ridge the direction of a crossing means nothing.
    near.crossings.iter().for_each(|(triangles, point)| gather.guess_point(*triangles, *point));
    if first.triangles.is_solid() && second.triangles.is_solid() {
        gather.take_guesses_at(&near.lines);
    }
    if query.whole_faces {
        gather.take_flat_guesses(FLAT);
        gather.align();
    }
    gather.thin_out(query.max_points);
    let crosses = !near.lines.is_empty();
    let is_missed = near.lines.iter().any(|line| !out.iter().any(|point| overlaps_at(point, line, size)));
    let seen = Seen { is_near: near.is_near, crosses, is_missed };
    NEAR.set(near);
    seen
}

/// Some triangles of the two touch, or come within a margin \[m\].
fn meet(first: &PairSide, second: &PairSide, margin: f64) -> bool {
    let mut is_met = false;
    near_pairs(first, second, margin, &mut |a, b| {
        is_met = triangles_apart(&first.placed(a), &second.placed(b)).is_none_or(|found| found.distance <= margin);
        if is_met { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    is_met
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
    /// A triangle of its own axes in those of the pair.
    pub fn placed(&self, triangle: &Triangle) -> Triangle {
        Triangle {
            corners: triangle.corners.map(|p| self.pose.point(p)),
            normal: self.pose.direction(triangle.normal),
            ..*triangle
        }
    }

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

/// Vertices of one side before the surface of the other.
struct Facing<'a> {
    points: &'a PairSide<'a>,
    surface: &'a PairSide<'a>,
    /// From the axes of the vertices to those of the surface.
    to_surface: Pose,
    /// 1 if the vertices are the first shape's, −1 if they are the second's.
    sign: f64,
    /// How much farther in neighbours of a vertex may lie, by their distance.
    slope: f64,
    /// Scale of tolerances \[m\].
    size: f64,
    /// Least depth of a contact \[m\].
    least: f64,
    /// How far behind the surface a vertex may be \[m\].
    reach: f64,
}

impl<'a> Facing<'a> {
    fn new(points: &'a PairSide, surface: &'a PairSide, (sign, slope): (f64, f64), size: f64, least: f64) -> Self {
        let to_surface = surface.pose.inverse().compose(&points.pose);
        Self { points, surface, to_surface, sign, slope, size, least, reach: points.reach(surface).max(-least) }
    }

    /// Vertices that lie behind a face of the surface, where no neighbour lies farther in.
    ///
    /// Known are those near the surface that are behind a triangle there. What else lies behind the surface is reached from
    /// one of them, or from any one, along edges that do not pass through it.
    fn vertices(&self, near: &mut Vertices, gather: &mut Gather) {
        let Self { points, surface, to_surface, .. } = self;
        // Nothing is behind a closed surface without being in its box.
        let region = surface.bounds.expanded(if surface.triangles.has_rim() { self.reach } else { -self.least });
        let is_connected = points.triangles.is_connected();
        if is_connected {
            let any = Cell::new(None);
            points.triangles.descend(&mut |_| any.get().is_none(), &mut |triangle| {
                any.set(Some((points.triangles.vertex(triangle, 0), triangle.corners[0])));
            });
            any.get().iter().for_each(|(number, point)| near.insert(*number, *point, || f64::INFINITY));
        } else {
            near.clear();
            let turned = region.turned(&to_surface.inverse());
            points.triangles.visit_vertices(&turned, &mut |number, p| near.insert(number, p, || f64::INFINITY));
        }
        let mut next = 0;
        while let Some(point) = near.get(next) {
            next += 1;
            let p = to_surface.point(point.point);
            if region.holds(p) && self.vertex(&point, p, gather) && is_connected {
                points.triangles.vertex_ring(point.number, point.point, &mut |number, p| {
                    near.insert(number, p, || f64::INFINITY);
                });
            }
        }
    }

    /// Takes the contact of a vertex at `p` in the surface's axes; true if it is behind the surface.
    fn vertex(&self, point: &Vertex, p: DVec3, gather: &mut Gather) -> bool {
        let Self { points, surface, ref to_surface, sign, slope, size, least, reach } = *self;
        let most = reach.min(point.distance + 1e-9 * size);
        let Some((distance, nearest)) = surface.triangles.nearest(p, most) else { return false };
        if -distance < least {
            return false;
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
            points.triangles.vertex_ring(point.number, point.point, &mut |_, q| {
                let off = q - point.point;
                is_farthest &= outward.dot(off) <= slope * off.length();
            });
            if is_farthest {
                *best = Some((depth, *triangle));
            }
        };
        consider(&mut best, &nearest);
        // On an edge several faces are as near, and the nearest one may lie along the vertex' own faces, as where two
        // equal boxes stand on each other.
        if best.is_none() && distance <= 1e-9 * size {
            let near = Aabb::from_center(p, DVec3::splat((NEAR_FACES * size).min(reach)));
            surface.triangles.visit(&near, &mut |triangle| consider(&mut best, triangle));
        }
        if let Some((depth, triangle)) = best {
            let position = surface.pose.point(p + triangle.normal * (0.5 * depth));
            let normal = surface.pose.direction(triangle.normal) * sign;
            let index = [NO_TRIANGLE, triangle.index];
            let index = if sign > 0.0 { index } else { [index[1], index[0]] };
            let feature = if sign > 0.0 { point.number } else { VERTEX_OF_SECOND | point.number };
            gather.take(index, |out| out.push(ManifoldPoint::new(position, normal, depth, feature)));
        }
        distance < 0.0
    }
}

/// Slope up to which the corners of a face that lies on another one all count (sine).
///
/// The deepest corner alone carries nothing while the face tilts towards it: the next step finds another one.
const FLAT: f64 = 0.1;
/// Second choice of a face for a vertex, in parts of the size: deeper ones are not looked for.
const NEAR_FACES: f64 = 0.1;
const VERTEX_OF_SECOND: u32 = 1 << 30;
