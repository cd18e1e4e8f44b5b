//! Points of one flat contact that lie inside its outline.

use glam::DVec3;

use crate::collision::{ManifoldPoint, ROUNDING, reduction::SAME};

/// Points looked at.
const MOST: usize = 160;
/// Corners that an outline keeps: a round one has a point at every edge it crosses.
const CORNERS: usize = 8;
/// How much deeper than the outline around it a point may lie and still be of one flat face, in parts of the size: vertices
/// of files have the digits of single precision.
const FLAT: f64 = 1e-6;

/// Drops points between others of the same plane that are no deeper than these are there: where a face crosses the inner
/// edges of a flat mesh, or rests on its inner corners, they hold nothing that the outline does not.
pub(super) fn drop_inner_points(points: &mut Vec<ManifoldPoint>, size: f64) {
    let count = points.len().min(MOST);
    if count < 3 {
        return;
    }
    let mut is_done = [false; MOST];
    let mut is_dropped = [false; MOST];
    let mut plane = [0usize; MOST];
    for first in 0..count {
        if is_done[first] {
            continue;
        }
        let normal = points[first].normal;
        let height = |p: &ManifoldPoint| normal.dot(p.position - points[first].position) + 0.5 * p.depth;
        let mut len = 0;
        for i in first..count {
            let in_plane = (height(&points[i]) - height(&points[first])).abs() <= 1e-9 * size;
            if !is_done[i] && in_plane && points[i].normal.dot(normal) > SAME {
                is_done[i] = true;
                plane[len] = i;
                len += 1;
            }
        }
        mark_inner(points, &plane[..len], normal, size, &mut is_dropped);
    }
    let mut i = 0;
    points.retain(|_| {
        i += 1;
        i > MOST || !is_dropped[i - 1]
    });
}

/// Wraps the points of one plane (Jarvis' march) and marks those that are no corner.
fn mark_inner(points: &[ManifoldPoint], plane: &[usize], normal: DVec3, size: f64, is_dropped: &mut [bool; MOST]) {
    if plane.len() < 3 {
        return;
    }
    let at = |i: usize| points[plane[i]].position;
    // What lies farthest from any point is a corner.
    let from_first = |i: usize| (at(i) - at(0)).length_squared();
    let start = (0..plane.len()).fold(0, |best, i| if from_first(i) > from_first(best) { i } else { best });
    let mut is_corner = [false; MOST];
    let mut ring = [0; MOST];
    let mut len = 0;
    let mut here = start;
    while len < plane.len() {
        is_corner[here] = true;
        ring[len] = here;
        len += 1;
        let mut next = here;
        for i in 0..plane.len() {
            let (side, to_next) = (at(i) - at(here), at(next) - at(here));
            if next == here {
                if side.length() > 1e-9 * size {
                    next = i;
                }
                continue;
            }
            // On the right of the march, or in its line and farther.
            let turn = normal.dot(to_next.cross(side));
            let slack = 1e-8 * size * to_next.length();
            if turn < -slack || turn <= slack && side.dot(to_next) > to_next.length_squared() {
                next = i;
            }
        }
        if next == here || is_corner[next] {
            break;
        }
        here = next;
    }
    let depth = |i: usize| points[plane[i]].depth;
    let deepest = ring[..len].iter().fold(start, |best, &i| if depth(i) > depth(best) { i } else { best });
    for (i, &index) in plane.iter().enumerate() {
        let around = |i: usize| {
            let corners = ring[..len].iter().map(|&k| (at(k), depth(k)));
            depth_of_outline(corners, (at(deepest), depth(deepest)), at(i), normal, size)
        };
        is_dropped[index] = !is_corner[i] && depth(i) <= around(i) + FLAT * size;
    }
    // The corner that cuts off least goes first (Visvalingam and Whyatt, 1993), those across a gap before those that touch.
    while len > CORNERS {
        let has_gap = |k: usize| depth(ring[k]) < -ROUNDING;
        let any_gap = (0..len).any(has_gap);
        let area = |k: usize| {
            let [p, q, r] = [(k + len - 1) % len, k, (k + 1) % len].map(|k| at(ring[k]));
            let stays = ring[k] == deepest || any_gap && !has_gap(k);
            if stays { f64::INFINITY } else { (q - p).cross(r - p).length() }
        };
        let least = (1..len).fold((0, area(0)), |best, k| if area(k) < best.1 { (k, area(k)) } else { best }).0;
        is_dropped[plane[ring[least]]] = true;
        ring.copy_within(least + 1..len, least);
        len -= 1;
    }
}

/// Depth at a point of a flat face through the corners of an outline, which are given in their order: linear over the
/// triangles of the deepest with each two neighbours, the lowest where a point is in several.
fn depth_of_outline(
    corners: impl Iterator<Item = (DVec3, f64)> + Clone,
    deepest: (DVec3, f64),
    point: DVec3,
    normal: DVec3,
    size: f64,
) -> f64 {
    let slack = -1e-8 * size * size;
    let next = corners.clone().skip(1).chain(corners.clone().take(1));
    let mut least = f64::INFINITY;
    for (a, b) in corners.zip(next) {
        let [d, p, q] = [deepest.0, a.0, b.0].map(|corner| corner - point);
        let whole = normal.dot((p - d).cross(q - d));
        let sign = whole.signum();
        let parts = [p.cross(q), q.cross(d), d.cross(p)].map(|part| sign * normal.dot(part));
        if parts.iter().all(|part| *part >= slack) && whole.abs() > -slack {
            let sum = parts[0] * deepest.1 + parts[1] * a.1 + parts[2] * b.1;
            least = least.min(sum / whole.abs());
        }
    }
    // In no triangle: an outline without an area.
    if least.is_finite() { least } else { deepest.1 }
}
