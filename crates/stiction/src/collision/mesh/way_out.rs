//! The shortest way out of triangles for a solid that is deep in them.
//!
//! It is sought from several starts: along the contacts where the solid is, along the surface nearest to its centre, and
//! along the faces of least depth; the least way that frees it counts.

use glam::DVec3;

use super::gather::{Gather, keep_sides};
use super::search::{FREE, Look, Movable, NEAR, Search, ask_for, planes_of, step};
use super::solid::{Meeting, Seen};
use super::source::SurfacePoint;
use super::translation::Planes;
use crate::collision::{ManifoldPoint, NO_TRIANGLE, placed::Placed};
use crate::math::Pose;

/// Points of one look.
const POINTS: usize = 24;
/// Contacts that are kept for later.
const KEPT: usize = 32;
/// Ways that are longer than this part of the inner radius are compared with others.
const DEEP: f64 = 0.8;
/// Ways that are shorter than this part of the inner radius are not compared with those about them.
const SHALLOW: f64 = 0.2;
/// The same for ways to the other sides, of a solid whose centre is outside.
const OPPOSITE: f64 = 2.0;
/// Error of a way that is good enough.
const EXACT: f64 = 5e-3;
/// Faces that are tried at most.
const FACES: usize = 6;
/// Ways to one side (cosine).
const ASIDE: f64 = 0.95;
/// Contacts whose places have to pass.
const PASSING: usize = 4;
/// Normals of one direction (cosine).
const SAME: f64 = 0.999;

/// A solid at its pose in the axes of the triangles.
struct Deep<'a, 'b> {
    meeting: &'a Meeting<'a>,
    relative: &'a Pose,
    accept: &'a mut (dyn FnMut(u32) -> bool + 'b),
    /// The centre lies over or under what has an inside and a rim.
    is_over_field: bool,
}

/// A point in the axes of the triangles lies over or under what has an inside and a rim, as heightfields do. The side of
/// that is no way out, though no triangle stands there.
fn is_over_field(meeting: &Meeting, point: DVec3) -> bool {
    let bounds = meeting.triangles.bounds();
    let is_field = meeting.triangles.is_solid() && meeting.triangles.has_rim();
    is_field && point.x >= bounds.min.x && point.x <= bounds.max.x && point.z >= bounds.min.z && point.z <= bounds.max.z
}

impl Movable for Deep<'_, '_> {
    fn look(&mut self, way: DVec3, least: f64, out: &mut Vec<ManifoldPoint>) -> Look {
        let moved = Pose::new(self.relative.position + way, self.relative.rotation);
        let mut gather = Gather::new(out, self.meeting.size);
        let seen = self.meeting.contacts(&moved, least, self.accept, &mut gather);
        gather.thin_out(POINTS);
        let missed = seen.missed.map(|m| (m.depth, m.triangle.normal, m.along));
        let center = Placed::new(self.meeting.solid, &moved, DVec3::ZERO).center();
        let is_lower = |side: SurfacePoint| center.y < side.point.y;
        let is_beside = self.is_over_field
            && !is_over_field(self.meeting, center)
            && self.meeting.triangles.side(center).is_some_and(is_lower);
        Look { is_behind: seen.behind.is_some() || is_beside, missed }
    }

    fn is_met(&mut self, way: DVec3, slack: f64) -> bool {
        let moved = Pose::new(self.relative.position + way, self.relative.rotation);
        self.meeting.is_met(&moved, slack, self.accept)
    }

    fn size(&self) -> f64 {
        self.meeting.size
    }
}

/// Where the search for a way starts.
struct Starts {
    along_contacts: Option<DVec3>,
    /// To the surface nearest to the centre, if that is behind it.
    to_nearest: Option<DVec3>,
    /// Along the face that was met without a contact.
    along_missed: Option<DVec3>,
    /// What was met without a contact lies deeper than all contacts.
    has_missed: bool,
}

impl Starts {
    fn new(meeting: &Meeting, relative: &Pose, placed: &Placed, seen: &Seen, contacts: &[ManifoldPoint]) -> Self {
        // Depth of the solid behind a plane through a point of the triangles' axes.
        let behind = |point: DVec3, normal: DVec3| (point - relative.position - placed.support(-normal)).dot(normal);
        let along = planes_of(contacts, DVec3::ZERO);
        let missed = seen.missed.filter(|m| m.depth > contacts.iter().fold(0.0, |most, p| most.max(p.depth)));
        // What is met without a contact stays met by a way that leaves it out.
        let along = missed.map_or(along, |m| {
            let mut planes = along.unwrap_or_else(Planes::new);
            planes.push(m.triangle.normal, m.along);
            Some(planes)
        });
        Self {
            along_contacts: along.and_then(|planes| planes.least(FREE * meeting.size)),
            to_nearest: seen.behind.map(|side| side.normal * behind(side.point, side.normal)),
            along_missed: seen.missed.map(|m| m.triangle.normal * m.along),
            has_missed: missed.is_some(),
        }
    }
}

/// Replaces the contacts by those of the least way out, in the triangles' axes. Without any way the contacts stay; if
/// there are none, one along the face that was met or gone through is made.
pub(super) fn way_out(
    meeting: &Meeting,
    relative: &Pose,
    least: f64,
    seen: &Seen,
    accept: &mut dyn FnMut(u32) -> bool,
    out: &mut Vec<ManifoldPoint>,
    max_points: usize,
) {
    let placed = Placed::new(meeting.solid, relative, relative.position);
    let starts = Starts::new(meeting, relative, &placed, seen, out);
    let is_over_field = is_over_field(meeting, relative.position + placed.center());
    let mut body = Deep { meeting, relative, accept, is_over_field };
    let mut known = [None; KEPT];
    known.iter_mut().zip(out.iter()).for_each(|(kept, p)| *kept = Some(*p));
    let deep = DEEP * placed.inner_radius();
    let is_kept = (1..=KEPT).contains(&out.len()) && !starts.has_missed;
    let mut search = Search::new();
    let mut first = starts.along_contacts;
    if let Some(way) = starts.along_contacts {
        let step = step(&mut body, way, NEAR, out);
        let is_least = step.is_free && step.next.is_some_and(|next| (next - way).length() <= EXACT * way.length());
        if step.next.is_some() {
            search.note(way, step.is_free);
            first = step.next.filter(|_| !is_least);
        }
        // A way along the contacts that frees the solid, is not too long, and asks for no more and no less at its end.
        if is_least && seen.behind.is_none() && way.length() <= deep {
            if is_kept {
                out.clear();
                out.extend(known.into_iter().flatten());
            } else {
                search.finish(&mut body, least, out);
                keep_sides(out, max_points);
            }
            return;
        }
    }
    for start in [first, starts.to_nearest, starts.along_missed].into_iter().flatten() {
        search.follow(&mut body, start, out);
    }
    follow_faces(&mut search, &mut body, &placed, out);
    // With the centre outside, the way back past it is the shorter one unless the solid is thin.
    let limit = if seen.behind.is_some() { deep } else { OPPOSITE * deep };
    if search.best.is_none_or(|b| b.length() > limit) {
        follow_axes(&mut search, &mut body, &placed, &known, out);
    }
    if search.best.is_none() {
        for start in [starts.to_nearest, starts.along_missed, starts.along_contacts].into_iter().flatten() {
            search.push_on(&mut body, start, out);
        }
    }
    if search.best.is_some_and(|b| b.length() > SHALLOW * placed.inner_radius()) {
        search.look_about(&mut body, out);
    }
    let best = search.best;
    search.finish(&mut body, least, out);
    keep_sides(out, max_points);
    let bare = if out.is_empty() {
        best.or(starts.to_nearest).or(starts.along_missed)
    } else {
        best.filter(|way| !ask_for(out, *way))
    };
    if let Some(way) = bare {
        let point = point_along(way, relative, &placed, seen, out);
        out.truncate(max_points.saturating_sub(1));
        out.push(point);
    }
}

/// Looks for a less way along the faces about the solid.
fn follow_faces(search: &mut Search, body: &mut Deep, placed: &Placed, out: &mut Vec<ManifoldPoint>) {
    for start in faces(body.meeting, body.relative, placed).into_iter().flatten() {
        // Towards about the same side the ways found end at the same place.
        let may_be_less = |b: DVec3| {
            start.length_squared() < b.length_squared() && start.dot(b) < ASIDE * start.length() * b.length()
        };
        if search.best.is_none_or(may_be_less) {
            search.follow(body, start, out);
        }
    }
}

/// Looks for a less way to both sides along the solid's own axes.
fn follow_axes(
    search: &mut Search,
    body: &mut Deep,
    placed: &Placed,
    contacts: &[Option<ManifoldPoint>],
    out: &mut Vec<ManifoldPoint>,
) {
    for axis in [placed.rotation.x_axis, placed.rotation.y_axis, placed.rotation.z_axis] {
        for side in [axis, -axis] {
            // As far as the triangles about it reach along the axis.
            let depth = reach(body.meeting, body.relative, side) - placed.support(-side).dot(side);
            let least = passage(body.meeting, body.relative, side, contacts);
            if search.best.is_none_or(|b| least < b.length()) {
                search.follow(body, side * depth, out);
            }
        }
    }
}

/// A contact point whose normal and depth are a way that no contact shows.
fn point_along(way: DVec3, relative: &Pose, placed: &Placed, seen: &Seen, contacts: &[ManifoldPoint]) -> ManifoldPoint {
    let normal = way.normalize_or(DVec3::Z);
    let shown = contacts.first().map(|p| p.triangles[1]);
    let triangle = seen.behind.map(|s| s.triangle).or(seen.missed.map(|m| m.triangle.index)).or(shown);
    let depth = way.dot(normal);
    let lowest = relative.position + placed.support(-normal);
    let mut point = ManifoldPoint::new(lowest + normal * (0.5 * depth), normal, depth, 0);
    point.triangles = [NO_TRIANGLE, triangle.unwrap_or(NO_TRIANGLE)];
    point
}

/// What a way along a direction is no less than: the places of the surface that contacts show inside the solid have to
/// pass to its border.
fn passage(meeting: &Meeting, relative: &Pose, direction: DVec3, contacts: &[Option<ManifoldPoint>]) -> f64 {
    let mut least = 0.0f64;
    for point in contacts.iter().flatten().take(PASSING) {
        let place = point.position + point.normal * (0.5 * point.depth);
        if meeting.solid.point_depth(relative, place) > 0.0 {
            let hit = meeting.solid.ray_cast(relative, place, -direction, f64::INFINITY);
            least = least.max(hit.map_or(0.0, |hit| hit.distance));
        }
    }
    least
}

/// How far the triangles about the solid reach along a direction from its position, no farther than the solid.
fn reach(meeting: &Meeting, relative: &Pose, direction: DVec3) -> f64 {
    let placed = Placed::new(meeting.solid, relative, relative.position);
    let mut height = f64::NEG_INFINITY;
    meeting.triangles.visit(&meeting.solid.aabb(relative), &mut |triangle| {
        triangle.corners.iter().for_each(|p| height = height.max(direction.dot(*p - relative.position)));
    });
    height.min(placed.support(direction).dot(direction))
}

/// The ways along the normals of the faces about the solid that lie least deep, least first; one of each direction.
fn faces(meeting: &Meeting, relative: &Pose, placed: &Placed) -> [Option<DVec3>; FACES] {
    let mut ways: [Option<DVec3>; FACES] = [None; FACES];
    let length = |way: &Option<DVec3>| way.map_or(f64::INFINITY, DVec3::length);
    meeting.triangles.visit(&meeting.solid.aabb(relative), &mut |triangle| {
        let normal = triangle.normal;
        let depth = (triangle.corners[0] - relative.position - placed.support(-normal)).dot(normal);
        if depth <= 0.0 || depth >= length(&ways[FACES - 1]) {
            return;
        }
        let way = normal * depth;
        // Of one direction the deepest counts: with less the solid would stay in another face.
        let is_same = |w: &Option<DVec3>| w.is_some_and(|w| w.dot(normal) > SAME * w.length());
        let place = match ways.iter().position(is_same) {
            Some(known) if length(&ways[known]) >= depth => return,
            Some(known) => known,
            None => FACES - 1,
        };
        ways[place] = Some(way);
        ways.sort_unstable_by(|a, b| length(a).total_cmp(&length(b)));
    });
    ways
}
