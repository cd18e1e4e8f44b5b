//! Triangulated convex hull, point by point.

use glam::DVec3;

struct Facet {
    corners: [u32; 3],
    normal: DVec3,
    offset: f64,
}

impl Facet {
    fn new(points: &[DVec3], corners: [u32; 3]) -> Self {
        let [a, b, c] = corners.map(|i| points[i as usize]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        Self { corners, normal, offset: normal.dot(a) }
    }

    fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// Corner coordinates and counter-clockwise triangles of the hull; `None` if the points lie in one plane.
///
/// A point that sees facets from outside replaces them by a fan over their horizon. Points within rounding of
/// a facet's plane do not see it, so that flat sides do not fold.
pub(super) fn hull(points: &[DVec3]) -> Option<(Vec<DVec3>, Vec<[u32; 3]>)> {
    let first = extreme(points, |p| -p.x);
    let a = points[first];
    let second = extreme(points, |p| (p - a).length_squared());
    let along = points[second] - a;
    let size = along.length();
    let third = extreme(points, |p| along.cross(p - a).length_squared());
    let normal = along.cross(points[third] - a).normalize_or_zero();
    let fourth = extreme(points, |p| normal.dot(p - a).abs());
    let height = normal.dot(points[fourth] - a);
    let tolerance = 1e-12 * size;
    if height.abs() <= 1e3 * tolerance {
        return None;
    }
    let [a, b, c, d] = [first, second, third, fourth].map(|i| i as u32);
    let (b, c) = if height > 0.0 { (c, b) } else { (b, c) };
    let mut facets: Vec<Facet> =
        [[a, b, c], [a, d, b], [b, d, c], [c, d, a]].into_iter().map(|t| Facet::new(points, t)).collect();
    let mut horizon: Vec<[u32; 2]> = Vec::new();
    for (index, &point) in points.iter().enumerate() {
        if !facets.iter().any(|f| f.height(point) > tolerance) {
            continue;
        }
        horizon.clear();
        facets.retain(|f| {
            let visible = f.height(point) > tolerance;
            if visible {
                let [a, b, c] = f.corners;
                for edge in [[a, b], [b, c], [c, a]] {
                    // An edge met from both sides lies inside the visible part.
                    match horizon.iter().position(|e| e[0] == edge[1] && e[1] == edge[0]) {
                        Some(twin) => {
                            horizon.swap_remove(twin);
                        }
                        None => horizon.push(edge),
                    }
                }
            }
            !visible
        });
        facets.extend(horizon.iter().map(|&[a, b]| Facet::new(points, [a, b, index as u32])));
    }
    Some(compacted(points, &facets))
}

/// Keeps only points that are corners.
fn compacted(points: &[DVec3], facets: &[Facet]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut used: Vec<u32> = facets.iter().flat_map(|f| f.corners).collect();
    used.sort_unstable();
    used.dedup();
    let place = |i: u32| used.partition_point(|&u| u < i) as u32;
    let triangles = facets.iter().map(|f| f.corners.map(place)).collect();
    (used.iter().map(|&i| points[i as usize]).collect(), triangles)
}

fn extreme(points: &[DVec3], key: impl Fn(DVec3) -> f64) -> usize {
    let mut best = (f64::NEG_INFINITY, 0);
    for (index, &point) in points.iter().enumerate() {
        let value = key(point);
        if value > best.0 {
            best = (value, index);
        }
    }
    best.1
}
