//! Signed distance of two convex bodies: that of their cores, which are convex hulls of at most eight points, less their radii.
//!
//! The distance of two polytopes is the largest separation along any direction, and the direction is one of a finite set:
//! face normals, cross products of edges, and the directions between vertices and between a vertex and an edge. Any other
//! direction gives less, so that the maximum over the set is exact, for polytopes that overlap too.

use stiction::math::{DVec3, Pose};
use stiction_scenes::SceneShape;

/// Core and radius: the shape is what lies within the radius of the core.
#[derive(Clone, Debug)]
pub struct Rounded {
    /// Corners of the core \[m\].
    points: Vec<DVec3>,
    /// Directions of its edges.
    edges: Vec<DVec3>,
    /// Pairs of corners with an edge between them.
    ends: Vec<[usize; 2]>,
    /// Normals of its faces.
    normals: Vec<DVec3>,
    /// Around the core \[m\].
    radius: f64,
}

impl Rounded {
    /// The shape of a body at a pose; `None` if it has none.
    #[must_use]
    pub fn of_shape(shape: &SceneShape, pose: &Pose) -> Option<Self> {
        match *shape {
            SceneShape::None => None,
            SceneShape::Sphere { radius, offset } => Some(Self::from_core(vec![pose.point(offset)], radius)),
            SceneShape::Capsule { radius, half } => {
                Some(Self::from_core([half, -half].map(|z| pose.point(DVec3::Z * z)).into(), radius))
            }
            SceneShape::Box { half } => Some(Self::cuboid(pose, half)),
        }
    }

    /// A point or a segment with a radius.
    fn from_core(points: Vec<DVec3>, radius: f64) -> Self {
        let ends: Vec<[usize; 2]> = (1..points.len()).map(|k| [k - 1, k]).collect();
        let edges = ends.iter().filter_map(|[a, b]| (points[*b] - points[*a]).try_normalize()).collect();
        Self { points, edges, ends, normals: Vec::new(), radius }
    }

    /// A box of half extents.
    #[must_use]
    pub fn cuboid(pose: &Pose, half: DVec3) -> Self {
        let sign = |k: usize, bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let corner = |k: usize| pose.point(half * DVec3::new(sign(k, 0), sign(k, 1), sign(k, 2)));
        let edges: Vec<DVec3> = DVec3::AXES.iter().map(|a| pose.rotation * *a).collect();
        let ends = (0..8).flat_map(|k| [1, 2, 4].map(|bit| [k, k | bit])).filter(|[a, b]| a != b).collect();
        Self { points: (0..8).map(corner).collect(), normals: edges.clone(), edges, ends, radius: 0.0 }
    }

    /// A triangle, counter-clockwise from outside; `None` without area.
    #[must_use]
    pub fn triangle([a, b, c]: [DVec3; 3]) -> Option<Self> {
        let normal = (b - a).cross(c - a).try_normalize()?;
        let edges = [b - a, c - b, a - c].iter().filter_map(|e| e.try_normalize()).collect();
        let ends = vec![[0, 1], [1, 2], [2, 0]];
        Some(Self { points: vec![a, b, c], edges, ends, normals: vec![normal], radius: 0.0 })
    }

    /// Smallest and largest coordinates \[m\].
    #[must_use]
    pub fn bounds(&self) -> [DVec3; 2] {
        let low = self.points.iter().copied().reduce(DVec3::min).unwrap_or_default();
        let high = self.points.iter().copied().reduce(DVec3::max).unwrap_or_default();
        [low - DVec3::splat(self.radius), high + DVec3::splat(self.radius)]
    }

    /// Distance above the plane z = 0 \[m\].
    #[must_use]
    pub fn height(&self) -> f64 {
        self.bounds()[0].z
    }

    /// The corners of the core, its edges as pairs of them, and the radius around it.
    #[must_use]
    pub fn core(&self) -> (&[DVec3], &[[usize; 2]], f64) {
        (&self.points, &self.ends, self.radius)
    }

    /// Distance of two shapes \[m\]: below zero by the shortest translation that parts them.
    #[must_use]
    pub fn distance(&self, other: &Self) -> f64 {
        let mut best = f64::NEG_INFINITY;
        let mut both_ways = |axis: DVec3| {
            let Some(axis) = axis.try_normalize() else { return };
            best = best.max(self.separation(other, axis)).max(self.separation(other, -axis));
        };
        self.normals.iter().chain(&other.normals).for_each(|n| both_ways(*n));
        for a in &self.edges {
            other.edges.iter().for_each(|b| both_ways(a.cross(*b)));
        }
        // Corners matter where cores are apart and a radius bridges the gap.
        if self.radius + other.radius > 0.0 {
            for p in &self.points {
                other.points.iter().for_each(|q| both_ways(*q - *p));
                other.ends.iter().for_each(|[a, b]| both_ways(across(*p, other.points[*a], other.points[*b])));
            }
            for q in &other.points {
                self.ends.iter().for_each(|[a, b]| both_ways(across(*q, self.points[*a], self.points[*b])));
            }
        }
        // Points that coincide have no direction between them.
        if best == f64::NEG_INFINITY {
            best = 0.0;
        }
        best - self.radius - other.radius
    }

    /// Gap of the cores along a direction from this one to the other \[m\].
    fn separation(&self, other: &Self, axis: DVec3) -> f64 {
        let far = self.points.iter().map(|p| p.dot(axis)).fold(f64::NEG_INFINITY, f64::max);
        let near = other.points.iter().map(|p| p.dot(axis)).fold(f64::INFINITY, f64::min);
        near - far
    }
}

/// From the line through two points to a point, at right angles to the line.
fn across(p: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    let along = b - a;
    p - a - along * ((p - a).dot(along) / along.length_squared())
}
