//! Signed distance of two shapes, with the points and the direction that have it.
//!
//! Of shapes apart: the distance of cores by GJK, less their radii, with the points from the barycentric coordinates of
//! the nearest simplex; against triangles the least of all near ones. Of shapes that overlap: the deepest point of
//! [`super::collide`].

use std::cell::{Cell, RefCell};

use glam::DVec3;

use super::convex::{Axes, Convex, Couple, common_scale, least_depth};
use super::mesh::{Facet, TriangleSource, source};
use super::placed::Placed;
use super::{ContactQuery, ManifoldPoint, NO_TRIANGLE, collide, epa, gjk};
use crate::math::Pose;
use crate::shape::{Aabb, Shape, Triangle};

/// The nearest points of two shapes, or the least way out of their overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximity {
    /// Distance \[m\]; below zero the overlap: the first shape moved by as much along the normal comes free.
    pub distance: f64,
    /// World points of the first and the second surface.
    pub points: [DVec3; 2],
    /// Unit world normal from the second shape into the first.
    pub normal: DVec3,
    /// Triangle of the first and the second shape; [`NO_TRIANGLE`] where the shape has none.
    pub triangles: [u32; 2],
}

impl Proximity {
    pub(super) fn swapped(self) -> Self {
        let ([p, q], [s, t]) = (self.points, self.triangles);
        Self { distance: self.distance, points: [q, p], normal: -self.normal, triangles: [t, s] }
    }

    fn of_contact(point: &ManifoldPoint) -> Self {
        let half = 0.5 * point.depth * point.normal;
        Self {
            distance: -point.depth,
            points: [point.position - half, point.position + half],
            normal: point.normal,
            triangles: point.triangles,
        }
    }
}

/// Signed distance of two shapes; `None` where it is more than `most` \[m\], or where a pair has none (rays; two planes,
/// two heightfields, a plane and a heightfield).
#[must_use]
pub fn distance(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, most: f64) -> Option<Proximity> {
    match (a, b) {
        (Shape::Ray(_), _) | (_, Shape::Ray(_)) | (Shape::Plane(_), Shape::Plane(_)) => None,
        (Shape::Plane(_) | Shape::Heightfield(_), Shape::Heightfield(_)) | (Shape::Heightfield(_), Shape::Plane(_)) => {
            None
        }
        (_, Shape::Plane(_)) => of_plane(a, pose_a, b, pose_b, most),
        (Shape::Plane(_), _) => of_plane(b, pose_b, a, pose_a, most).map(Proximity::swapped),
        _ => match (source(a), source(b)) {
            (None, None) => of_convex(a, pose_a, b, pose_b, most),
            (None, Some(triangles)) => of_solid_and_mesh(a, pose_a, b, triangles, pose_b, most),
            (Some(triangles), None) => of_solid_and_mesh(b, pose_b, a, triangles, pose_a, most).map(Proximity::swapped),
            (Some(_), Some(_)) => of_meshes(a, pose_a, b, pose_b, most),
        },
    }
}

fn of_plane(solid: &Shape, pose: &Pose, plane: &Shape, plane_pose: &Pose, most: f64) -> Option<Proximity> {
    let Shape::Plane(plane) = plane else { return None };
    let (normal, _) = plane.at(plane_pose);
    let offset = plane.offset + normal.dot(plane_pose.position - pose.position);
    let down = pose.inverse_direction(-normal);
    let arm = pose.direction(solid.support(down));
    let distance = normal.dot(arm) - offset;
    let point = pose.position + arm;
    (distance <= most).then_some(Proximity {
        distance,
        points: [point, point - distance * normal],
        normal,
        triangles: [NO_TRIANGLE; 2],
    })
}

fn of_convex(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, most: f64) -> Option<Proximity> {
    let couple = Couple::new(a, pose_a, b, pose_b);
    match apart(&couple) {
        Some(found) => (found.distance <= most).then_some(found),
        None => Some(overlap(a, pose_a, b, pose_b)),
    }
}

/// Distance of cores that lie apart, less their radii.
pub(super) fn apart(couple: &Couple<impl Convex, impl Convex>) -> Option<Proximity> {
    let (a, b) = (&couple.a, &couple.b);
    let core = |d: DVec3| b.core_support(d) - a.core_support(-d);
    // What the supports were made of, to find the points of both shapes again.
    let log = RefCell::new(([(DVec3::ZERO, DVec3::ZERO); gjk::MOST_SUPPORTS], 0));
    let logged = |d: DVec3| {
        let (p, q) = (a.core_support(-d), b.core_support(d));
        let (entries, len) = &mut *log.borrow_mut();
        if let Some(entry) = entries.get_mut(*len) {
            *entry = (q - p, p);
            *len += 1;
        }
        q - p
    };
    let found = gjk::nearest_simplex(&logged, b.center() - a.center(), 1e-9 * couple.size);
    let Some((v, corners, count)) = found else {
        // Within each other, or flattened by rounding.
        let mut axes = Axes::new(couple);
        axes.try_both(couple, a.center() - b.center());
        let (normal, depth) = least_depth(couple, axes, f64::NEG_INFINITY, 0.0);
        let point = a.core_support(-normal);
        return (depth < 0.0).then(|| between(couple, normal, -depth, point));
    };
    let length = v.length();
    let (entries, len) = log.into_inner();
    let point = corners[..count].iter().zip(shares(v, &corners[..count])).fold(DVec3::ZERO, |sum, (corner, share)| {
        let on_first = entries[..len].iter().find(|(w, _)| w == corner).map_or(DVec3::ZERO, |(_, p)| *p);
        sum + share * on_first
    });
    let normal = -v / length;
    let height = core(normal).dot(normal);
    let radius = a.radius() + b.radius();
    if height + length <= 1e-10 * couple.size {
        return Some(between(couple, normal, length - radius, point));
    }
    // Of curved sets the simplex has shrunk to rounding before the bounds met.
    let side = if count > 1 { corners[1] - corners[0] } else { normal.any_orthonormal_vector() };
    let (normal, height) = epa::descend(&core, (normal, height), side.normalize_or(normal.any_orthonormal_vector()));
    // Where a shape is curved, or ends in a corner, its farthest point moves little with the direction.
    let tangent = normal.any_orthonormal_vector();
    let spread = |support: &dyn Fn(DVec3) -> DVec3, n: DVec3| {
        [tangent, normal.cross(tangent)]
            .map(|t| (support(n + WOBBLE * t) - support(n - WOBBLE * t)).length_squared())
            .into_iter()
            .sum::<f64>()
    };
    let is_first = spread(&|d| a.core_support(d), -normal) <= spread(&|d| b.core_support(d), normal);
    let point = if is_first { a.core_support(-normal) } else { b.core_support(normal) - height * normal };
    Some(between(couple, normal, -height - radius, point))
}

/// Distance of two triangles in the same axes; `None` where they touch.
pub(super) fn triangles_apart(a: &Triangle, b: &Triangle) -> Option<Proximity> {
    let origin = a.corners[0];
    let (p, q) = (Facet::new(a, origin), Facet::new(b, origin));
    apart(&Couple { a: p, b: q, origin, size: common_scale(p.size(), q.size()) })
}

/// Change of a direction that tells curved from flat.
const WOBBLE: f64 = 1e-4;

/// With the point of the first core, and the distance of both shapes along the normal.
fn between(couple: &Couple<impl Convex, impl Convex>, normal: DVec3, distance: f64, core: DVec3) -> Proximity {
    let point = couple.origin + core - couple.a.radius() * normal;
    Proximity { distance, points: [point, point - distance * normal], normal, triangles: [NO_TRIANGLE; 2] }
}

/// Barycentric coordinates of a point of a simplex of one to three corners.
fn shares(v: DVec3, corners: &[DVec3]) -> [f64; 3] {
    match *corners {
        [p, q] => {
            let side = q - p;
            let t = ((v - p).dot(side) / side.length_squared()).clamp(0.0, 1.0);
            [1.0 - t, t, 0.0]
        }
        [p, q, r] => {
            let normal = (q - p).cross(r - p);
            let square = normal.length_squared();
            let second = (v - p).cross(r - p).dot(normal) / square;
            let third = (q - p).cross(v - p).dot(normal) / square;
            [1.0 - second - third, second, third]
        }
        _ => [1.0, 0.0, 0.0],
    }
}

/// The deepest contact point of shapes that overlap; touch at the centres' line where there is none.
fn overlap(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Proximity {
    let mut points = Vec::new();
    collide(a, pose_a, b, pose_b, &ContactQuery { max_points: usize::MAX, ..ContactQuery::default() }, &mut points);
    let deepest = points.iter().fold(None, |best: Option<&ManifoldPoint>, p| match best {
        Some(known) if known.depth >= p.depth => best,
        _ => Some(p),
    });
    deepest.map_or_else(
        || Proximity {
            distance: 0.0,
            points: [pose_a.position; 2],
            normal: (pose_a.position - pose_b.position).normalize_or(DVec3::Z),
            triangles: [NO_TRIANGLE; 2],
        },
        Proximity::of_contact,
    )
}

/// A point of the world is behind the surface of a solid mesh or heightfield.
pub(super) fn is_inside(triangles: &dyn TriangleSource, pose: &Pose, point: DVec3) -> bool {
    let local = pose.inverse_point(point);
    let bounds = triangles.bounds();
    let reach = bounds.size().length().min(1e9) + 1.0;
    triangles.is_solid()
        && bounds.intersects(&Aabb::new(local, local))
        && triangles.nearest(local, reach).is_some_and(|(distance, _)| distance < 0.0)
}

fn of_solid_and_mesh(
    solid: &Shape,
    solid_pose: &Pose,
    mesh: &Shape,
    triangles: &dyn TriangleSource,
    pose: &Pose,
    most: f64,
) -> Option<Proximity> {
    let relative = pose.inverse().compose(solid_pose);
    let placed = Placed::new(solid, &relative, relative.position);
    let center = placed.center() + relative.position;
    let outer = solid.aabb(&Pose::IDENTITY).size().length();
    // No farther than the far corner of the mesh's box.
    let bounds = triangles.bounds();
    let far = (bounds.center() - center).length() + bounds.size().length();
    let reach = if far.is_finite() { most.min(far) } else { most.min(1e6) };
    let (signed, first) = triangles.nearest(center, reach + outer)?;
    let is_overlap = || Some(overlap(solid, solid_pose, mesh, pose));
    if signed < 0.0 && triangles.is_solid() {
        return is_overlap();
    }
    let mut couple =
        Couple { a: placed, b: Facet::new(&first, relative.position), origin: relative.position, size: placed.size() };
    let mut best: Option<Proximity> = None;
    let touches = Cell::new(false);
    let mut least = reach;
    let mut consider = |triangle: &Triangle, least: &mut f64| {
        couple.b = Facet::new(triangle, relative.position);
        couple.size = common_scale(placed.size(), couple.b.size());
        match apart(&couple) {
            Some(found) if found.distance > 0.0 => {
                if found.distance <= *least {
                    *least = found.distance;
                    best = Some(Proximity { triangles: [NO_TRIANGLE, triangle.index], ..found });
                }
            }
            _ => touches.set(true),
        }
    };
    consider(&first, &mut least);
    let body = solid.aabb(&relative);
    triangles.visit(&body.expanded(least), &mut |triangle| {
        if !touches.get() && gap(&body, &box_of(triangle)) <= least && triangle.index != first.index {
            consider(triangle, &mut least);
        }
    });
    if touches.get() {
        return is_overlap();
    }
    let found = best?;
    Some(Proximity { points: found.points.map(|p| pose.point(p)), normal: pose.direction(found.normal), ..found })
}

fn of_meshes(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, most: f64) -> Option<Proximity> {
    let (first, second) = (source(a)?, source(b)?);
    // In the second one's axes.
    let relative = pose_b.inverse().compose(pose_a);
    let mut best: Option<Proximity> = None;
    let mut least = most.min(1e9);
    let touches = Cell::new(false);
    let back = relative.inverse();
    let bounds = second.bounds();
    first.visit(&bounds.expanded(least).turned(&back), &mut |t| {
        let placed =
            Triangle { corners: t.corners.map(|p| relative.point(p)), normal: relative.direction(t.normal), ..*t };
        let own = box_of(&placed);
        if touches.get() || gap(&own, &bounds) > least {
            return;
        }
        second.visit(&own.expanded(least), &mut |u| {
            if touches.get() || gap(&own, &box_of(u)) > least {
                return;
            }
            match triangles_apart(&placed, u) {
                Some(found) => {
                    if found.distance <= least {
                        least = found.distance;
                        best = Some(Proximity { triangles: [t.index, u.index], ..found });
                    }
                }
                None => touches.set(true),
            }
        });
    });
    let corner = |source: &dyn TriangleSource, pose: &Pose| {
        let mut found = None;
        source.visit(&source.bounds(), &mut |t| found = found.or(Some(pose.point(t.corners[0]))));
        found
    };
    let is_within = |inner: &dyn TriangleSource, inner_pose: &Pose, outer: &dyn TriangleSource, outer_pose: &Pose| {
        outer.is_solid() && corner(inner, inner_pose).is_some_and(|p| is_inside(outer, outer_pose, p))
    };
    if touches.get() || is_within(first, pose_a, second, pose_b) || is_within(second, pose_b, first, pose_a) {
        return Some(overlap(a, pose_a, b, pose_b));
    }
    let found = best?;
    Some(Proximity { points: found.points.map(|p| pose_b.point(p)), normal: pose_b.direction(found.normal), ..found })
}

pub(super) fn box_of(triangle: &Triangle) -> Aabb {
    let [a, b, c] = triangle.corners;
    Aabb::new(a.min(b).min(c), a.max(b).max(c))
}

/// Distance of two boxes \[m\].
fn gap(a: &Aabb, b: &Aabb) -> f64 {
    (a.min - b.max).max(b.min - a.max).max(DVec3::ZERO).length()
}
