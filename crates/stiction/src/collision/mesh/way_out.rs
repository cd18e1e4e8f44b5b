//! The shortest way out of triangles for a solid that is deep in them.
//!
//! Contacts are exact where shapes just touch. So a translation t is sought at which they do: at `t` the contacts of
//! normal n and depth d ask for `t'·n >= t·n + d`, and the least such t' is the next one (Newton's method on the
//! boundary of all translations that overlap). It starts along the surface nearest to the solid's centre, along the face
//! of least depth, and along the contacts where the solid is; the least way that frees it counts. The contacts at its
//! end, moved back by t, are those of the overlap.

use glam::DVec3;

use super::gather::{Gather, keep_sides};
use super::solid::{Meeting, Seen};
use super::translation::Planes;
use crate::collision::{ManifoldPoint, NO_TRIANGLE, placed::Placed};
use crate::math::Pose;

/// Steps from one start at most.
const STEPS: usize = 8;
/// Overlap left that counts as free, in parts of the way; the way itself is as exact.
const FREE: f64 = 2e-3;
/// Points of one look.
const POINTS: usize = 24;

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
    // Depth of the solid behind a plane through a point of the triangles' axes.
    let behind = |point: DVec3, normal: DVec3| (point - relative.position - placed.support(-normal)).dot(normal);
    let along_contacts = planes_of(out, DVec3::ZERO).and_then(|planes| planes.least(FREE * meeting.size));
    let to_nearest = seen.behind.map(|side| side.normal * behind(side.point, side.normal));
    let along_missed = seen.missed.map(|m| m.triangle.normal * m.along);
    let mut best: Option<DVec3> = None;
    for start in [along_contacts, to_nearest, along_missed].into_iter().flatten() {
        best = follow(meeting, relative, start, best, accept, out).or(best);
    }
    for start in faces(meeting, relative, &placed).into_iter().flatten() {
        if best.is_none_or(|b| start.length_squared() < b.length_squared()) {
            best = follow(meeting, relative, start, best, accept, out).or(best);
        }
    }
    let bare = to_nearest.or(along_missed);
    match best {
        Some(way) => {
            gather_at(meeting, relative, way, -way.length() + least, accept, out);
            move_back(out, way, least);
        }
        None => {
            gather_at(meeting, relative, DVec3::ZERO, least, accept, out);
        }
    }
    keep_sides(out, max_points);
    if let (true, Some(way)) = (out.is_empty(), best.or(bare)) {
        let normal = way.normalize_or(DVec3::Z);
        let triangle = seen.behind.map(|s| s.triangle).or(seen.missed.map(|m| m.triangle.index));
        let depth = way.dot(normal);
        let lowest = relative.position + placed.support(-normal);
        let mut point = ManifoldPoint::new(lowest + normal * (0.5 * depth), normal, depth, 0);
        point.triangles = [NO_TRIANGLE, triangle.unwrap_or(NO_TRIANGLE)];
        out.push(point);
    }
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

/// Faces that are tried at most.
const FACES: usize = 6;
/// Normals of one direction (cosine).
const SAME: f64 = 0.999;

/// What the contacts at a translation ask for.
fn planes_of(points: &[ManifoldPoint], at: DVec3) -> Option<Planes> {
    let mut planes = Planes::new();
    points.iter().for_each(|p| planes.push(p.normal, at.dot(p.normal) + p.depth));
    (!planes.is_empty()).then_some(planes)
}

/// The contacts of the solid moved by `way`.
fn gather_at(
    meeting: &Meeting,
    relative: &Pose,
    way: DVec3,
    least: f64,
    accept: &mut dyn FnMut(u32) -> bool,
    out: &mut Vec<ManifoldPoint>,
) -> Seen {
    let moved = Pose::new(relative.position + way, relative.rotation);
    let mut gather = Gather::new(out, meeting.size);
    let seen = meeting.contacts(&moved, least, accept, &mut gather);
    gather.thin_out(POINTS);
    seen
}

/// The least way that frees the solid from a start on, if it is shorter than the best known.
fn follow(
    meeting: &Meeting,
    relative: &Pose,
    start: DVec3,
    known: Option<DVec3>,
    accept: &mut dyn FnMut(u32) -> bool,
    out: &mut Vec<ManifoldPoint>,
) -> Option<DVec3> {
    let mut best = None;
    let mut limit = known.map_or(f64::INFINITY, DVec3::length);
    let mut way = start;
    for _ in 0..STEPS {
        let length = way.length();
        let slack = FREE * length + 1e-9 * meeting.size;
        let seen = gather_at(meeting, relative, way, -0.5 * length - slack, accept, out);
        let overlap = out.iter().fold(0.0f64, |most, p| most.max(p.depth));
        let missed = seen.missed.filter(|m| m.depth > slack.max(overlap));
        let is_free = seen.behind.is_none() && overlap <= slack && missed.is_none();
        if is_free && length < limit {
            (best, limit) = (Some(way), length);
        }
        let mut planes = planes_of(out, way);
        if let Some(missed) = missed {
            let normal = missed.triangle.normal;
            planes.get_or_insert_with(Planes::new).push(normal, way.dot(normal) + missed.along);
        }
        let next = match planes {
            Some(planes) => planes.least(1e-9 * meeting.size)?,
            // Nothing is near: back halfway.
            None if is_free => 0.5 * way,
            None => break,
        };
        if (next - way).length() <= slack {
            break;
        }
        way = next;
    }
    best
}

/// Contacts of the solid moved by `way` become those of where it is: they are deeper by the way along their normals.
fn move_back(out: &mut Vec<ManifoldPoint>, way: DVec3, least: f64) {
    for point in out.iter_mut() {
        let along = way.dot(point.normal);
        point.depth += along;
        // The point on the solid moves back by the way.
        point.position += point.normal * (0.5 * along) - way;
    }
    out.retain(|p| p.depth >= least);
}
