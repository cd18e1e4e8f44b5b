//! Mesh pairs by brute force: edges of each through faces of the other, and corners inside.

use stiction::collision::{ContactQuery, collide};
use stiction::math::{DVec3, Pose};

use super::numbers::Numbers;
use super::scenes::{Scene, place, resized, scene};
use super::soup::{Inside, Soup, normal};
use super::{Count, way_out};

/// Pairs that are judged, with the size of the first beside its own.
pub const PAIRS: [(&str, &str, f64); 16] = [
    ("cube", "cube", 1.0),
    ("slab", "ball", 0.5),
    ("cube", "l", 0.5),
    ("star", "slab", 0.5),
    ("l", "u", 0.7),
    ("star", "star", 0.8),
    ("gear", "gear", 0.8),
    ("torus", "torus", 0.8),
    ("u", "torus", 0.6),
    ("cube", "rolling", 0.5),
    ("star", "rolling", 0.4),
    ("torus", "rolling", 0.4),
    ("gear", "spikes", 0.4),
    ("cube", "sheet", 0.5),
    ("l", "sheet", 0.5),
    ("star", "tiles", 0.4),
];

/// A segment passes through a triangle.
fn pierces(p: DVec3, q: DVec3, t: &[DVec3; 3]) -> bool {
    let volume = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| (b - a).cross(c - a).dot(d - a);
    let (low, high) = (volume(t[0], t[1], t[2], p), volume(t[0], t[1], t[2], q));
    if low * high > 0.0 || low == high {
        return false;
    }
    let sides = [0, 1, 2].map(|k| volume(p, q, t[k], t[(k + 1) % 3]));
    sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0)
}

fn bounds(t: &[DVec3; 3]) -> (DVec3, DVec3) {
    (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]))
}

/// Two surfaces cross, the first moved by a translation.
fn crosses(a: &Soup, by: DVec3, b: &Soup) -> bool {
    let boxes: Vec<_> = b.triangles.iter().map(bounds).collect();
    for s in &a.triangles {
        let s = s.map(|p| p + by);
        let (low, high) = bounds(&s);
        for (t, (l, h)) in b.triangles.iter().zip(&boxes) {
            if low.cmpgt(*h).any() || l.cmpgt(high).any() {
                continue;
            }
            if (0..3).any(|k| pierces(s[k], s[(k + 1) % 3], t) || pierces(t[k], t[(k + 1) % 3], &s)) {
                return true;
            }
        }
    }
    false
}

/// Two soups overlap, the first moved by a translation.
pub fn overlap(a: &Soup, by: DVec3, b: &Soup) -> bool {
    crosses(a, by, b)
        || b.contains(a.triangles[0][0] + by)
        || a.inside == Inside::Closed && a.contains(b.triangles[0][0] - by)
}

fn placed(soup: &Soup, pose: &Pose) -> Soup {
    let triangles = soup.triangles.iter().map(|t| t.map(|p| pose.point(p))).collect();
    Soup { triangles, inside: soup.inside }
}

fn directions() -> Vec<DVec3> {
    let mut r = Numbers(5);
    (0..40).map(|_| r.vector().normalize()).collect()
}

/// Poses of one pair.
pub fn judge(first: &str, second: &str, scale: f64, poses: usize, seed: u64) -> Count {
    let mut r = Numbers(seed);
    let mut count = Count::default();
    let (mut a, mut b) = (resized(first, scale, &mut r), scene(second, &mut r));
    let mut points = Vec::new();
    for i in 0..poses {
        if i % 32 == 31 {
            (a, b) = (resized(first, scale, &mut r), scene(second, &mut r));
        }
        let pose = place(&b, a.size, &mut r);
        let to_world = Pose::new(r.vector(), r.rotation());
        let query = ContactQuery { max_points: 32, ..ContactQuery::default() };
        collide(&a.shape, &to_world.compose(&pose), &b.shape, &to_world, &query, &mut points);
        points.iter_mut().for_each(|p| p.normal = to_world.inverse_direction(p.normal));
        count.poses += 1;
        let soup = placed(&a.soup, &pose);
        let size = a.size.min(b.size);
        let within = |p: &DVec3| b.soup.contains(*p);
        let mut corners = soup.triangles.iter().flatten();
        if matches!(b.soup.inside, Inside::Below(_)) && !corners.clone().all(within) && corners.any(within) {
            // Beside the rim of a field, or through its floor, only the surface counts.
            if !crosses(&soup, DVec3::ZERO, &b.soup) {
                continue;
            }
        }
        if !overlap(&soup, DVec3::ZERO, &b.soup) {
            // Behind an open sheet or below its floor nothing is judged.
            count.false_contacts += usize::from(!points.is_empty() && points.iter().any(|p| p.depth > 1e-9 * size));
            continue;
        }
        count.overlaps += 1;
        if points.is_empty() {
            let deep = directions().iter().all(|d| overlap(&soup, *d * (0.01 * size), &b.soup));
            count.lost += usize::from(deep);
            if deep && std::env::var("MESH_SHOW").is_ok_and(|w| w.contains("lost")) {
                println!("lost {i} {pose:?}");
            }
            continue;
        }
        let center = pose.point(DVec3::ZERO);
        if b.soup.inside == Inside::Open && way_out::front(&b.soup, center) < 0.0 || i % 4 > 0 {
            continue;
        }
        judge_way(&soup, &b, &points.iter().map(|p| (p.normal, p.depth)).collect::<Vec<_>>(), &mut count);
    }
    count
}

fn judge_way(a: &Soup, b: &Scene, planes: &[(DVec3, f64)], count: &mut Count) {
    count.judged += 1;
    let way = way_out::least_translation(planes);
    let slack = 1e-6;
    if overlap(a, way * 1.05 + way.normalize_or_zero() * slack, &b.soup) {
        count.short += 1;
        return;
    }
    let shorter = 0.95 * way.length() - slack;
    if shorter <= 0.0 {
        return;
    }
    let mut tried = directions();
    let mut r = Numbers(9);
    tried.extend((0..20).map(|_| (way.normalize() + 0.2 * r.vector()).normalize()));
    tried.extend(b.soup.triangles.iter().take(40).map(normal));
    let moved = |d: DVec3| b.soup.is_outside(a.triangles[0][0] + d);
    count.long += usize::from(tried.into_iter().any(|d| moved(d * shorter) && !overlap(a, d * shorter, &b.soup)));
}
