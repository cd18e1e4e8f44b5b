//! Ridges of two surfaces that cross.

use std::ops::ControlFlow;

use glam::DVec3;

use super::crossing::common_line;
use super::near::{Vertices, near_pairs};
use super::pair::PairSide;
use crate::collision::ManifoldPoint;
use crate::collision::capsule_capsule::nearest_on_segments;
use crate::shape::Triangle;

/// Rounding of a bend (sine).
pub(super) const BEND: f64 = 1e-6;
/// Marks the features of crossings.
const CROSSING: u32 = 1 << 31;

/// What a look at all near triangles finds.
#[derive(Default)]
pub(super) struct Near {
    /// Vertices of triangles that come near the other surface, and are behind one of its triangles there, which is not
    /// wholly before theirs. An edge that passes through the surface has an end that is.
    pub vertices: [Vertices; 2],
    /// Where ridges cross, with the triangles.
    pub crossings: Vec<([u32; 2], ManifoldPoint)>,
    /// Some triangles come near each other.
    pub is_near: bool,
    /// Lines where triangles cross.
    pub lines: Vec<[DVec3; 2]>,
    /// The second's triangles come several times.
    known: [Placed; KNOWN],
}

/// Triangles that are remembered, by the last bits of their numbers.
const KNOWN: usize = 16;

impl Near {
    /// Looks for ridges that cross: with u, v along them the direction is `u × v`, if both surfaces have it there. In the
    /// axes of the pair, which are the second's. Directions that lean out of a surface by a slope are taken upright.
    pub fn look(&mut self, first: &PairSide, second: &PairSide, size: f64, slope: f64, [least, most]: [f64; 2]) {
        self.vertices.iter_mut().for_each(Vertices::clear);
        self.crossings.clear();
        self.lines.clear();
        self.is_near = false;
        // What is known is of other shapes.
        self.known.iter_mut().for_each(|known| known.local[0] = DVec3::NAN);
        let mut a = Placed::default();
        // With the rounding of bends.
        let reach = -least + 5.0 * BEND * size;
        near_pairs(first, second, -least, &mut |of_first, of_second| {
            if !self.is_near || a.triangle.index != of_first.index {
                a.place(first, of_first);
            }
            self.is_near = true;
            let known = &mut self.known[of_second.index as usize % KNOWN];
            if known.local != of_second.corners || known.triangle.index != of_second.index {
                known.place(second, of_second);
            }
            let b = &*known;
            let (of_a, of_b) = (a.behind(&b.triangle, reach), b.behind(&a.triangle, reach));
            let is_apart = [of_a, of_b].contains(&[false; 3]);
            if !is_apart {
                self.lines.extend(common_line(&a.triangle, &b.triangle));
                for k in 0..3 {
                    if of_a[k] {
                        let distance = || b.triangle.distance(a.triangle.corners[k]);
                        self.vertices[0].insert(first.triangles.vertex(of_first, k), a.local[k], distance);
                    }
                    if of_b[k] {
                        let distance = || a.triangle.distance(b.triangle.corners[k]);
                        self.vertices[1].insert(second.triangles.vertex(of_second, k), b.local[k], distance);
                    }
                }
            } else if of_a == [false; 3] && b.is_blunt || of_b == [false; 3] && a.is_blunt {
                // A ridge that has come through another one is behind both its faces, unless those bend by more than a
                // right angle.
                return ControlFlow::Continue(());
            }
            for (i, e) in a.ridges.iter().enumerate() {
                for (j, f) in b.ridges.iter().enumerate() {
                    if let (Some(e), Some(f)) = (e, f) {
                        let feature = CROSSING | (3 * i + j) as u32;
                        let triangles = [a.triangle.index, b.triangle.index];
                        let mut found = |point| self.crossings.push((triangles, point));
                        cross(first, second, [e, f], [size, slope, least, most], feature, &mut found);
                    }
                }
            }
            ControlFlow::Continue(())
        });
    }
}

/// Calls `found` with the crossing of two ridges.
fn cross(
    first: &PairSide,
    second: &PairSide,
    [e, f]: [&Ridge; 2],
    [size, slope, least, most]: [f64; 4],
    feature: u32,
    found: &mut impl FnMut(ManifoldPoint),
) {
    let cross = e.along.cross(f.along);
    if ![cross, -cross].iter().any(|&d| f.may_have(d, slope) && e.may_have(-d, slope)) {
        return;
    }
    let length = cross.length();
    if length <= 1e-6 * e.along.length() * f.along.length() {
        return;
    }
    for d in [cross / length, -cross / length] {
        if !f.has(d, slope) || !e.has(-d, slope) {
            continue;
        }
        let d = f.face_above(d).or_else(|| e.face_above(-d).map(|normal| -normal)).unwrap_or(d);
        let (on_a, on_b) = nearest_on_segments((e.start, e.start + e.along), (f.start, f.start + f.along));
        let off = on_b - on_a;
        // Inside both edges the way between them is along their common normal.
        if off.cross(cross).length() > 1e-9 * size * length {
            return;
        }
        let depth = off.dot(d);
        if depth < least || depth > most {
            continue;
        }
        // Ridges that pass each other behind the bodies' far sides touch nothing.
        let slack = if slope > BEND { slope * depth } else { 0.0 };
        if depth > 1e-6 * size && (is_outside(second, on_a, slack) || is_outside(first, on_b, slack)) {
            continue;
        }
        found(ManifoldPoint::new(0.5 * (on_a + on_b), d, depth, feature));
    }
}

/// A point of the pair lies outside a solid, by more than a slack.
fn is_outside(side: &PairSide, point: DVec3, slack: f64) -> bool {
    let point = side.pose.inverse_point(point);
    side.triangles.is_solid()
        && (!side.bounds.expanded(slack).holds(point)
            || side.triangles.side(point).is_none_or(|found| found.distance > slack))
}

/// An edge where the surface bends away, or ends, in the axes of the pair.
#[derive(Clone, Copy)]
struct Ridge {
    start: DVec3,
    along: DVec3,
    /// From the start to the far corner of the triangle.
    off: DVec3,
    /// The same across the edge.
    across: Option<DVec3>,
    normal: DVec3,
}

impl Ridge {
    /// False if a triangle clearly lies above the edge along a direction of any length.
    #[inline]
    fn may_have(&self, d: DVec3, slope: f64) -> bool {
        let lies_above = |off: DVec3| {
            let height = d.dot(off);
            height > 0.0 && height * height > 4.0 * slope * slope * (off.length_squared() * d.length_squared())
        };
        !lies_above(self.off) && !self.across.is_some_and(lies_above)
    }

    /// Both triangles lie below the edge along a unit direction, or above it by no more than a slope.
    fn has(&self, d: DVec3, slope: f64) -> bool {
        let lies_below = |off: DVec3| {
            let height = d.dot(off);
            height <= 0.0 || height <= slope * off.length()
        };
        lies_below(self.off)
            && match self.across {
                Some(across) => lies_below(across),
                None => d.dot(self.normal) >= -slope,
            }
    }

    /// Normal of a triangle that lies above the edge along a unit direction.
    fn face_above(&self, d: DVec3) -> Option<DVec3> {
        let lies_above = |off: &DVec3| d.dot(*off) > BEND * off.length();
        if lies_above(&self.off) {
            return Some(self.normal);
        }
        self.across.filter(lies_above).and_then(|off| off.cross(self.along).try_normalize())
    }
}

/// A triangle in the axes of the pair.
#[derive(Clone, Copy, Default)]
struct Placed {
    triangle: Triangle,
    /// Its corners in its own axes.
    local: [DVec3; 3],
    /// The ridges that it stands for, by edge.
    ridges: [Option<Ridge>; 3],
    /// None of them bends by more than a right angle.
    is_blunt: bool,
}

impl Placed {
    /// Becomes a triangle of one side.
    fn place(&mut self, side: &PairSide, triangle: &Triangle) {
        self.triangle = side.placed(triangle);
        self.local = triangle.corners;
        self.is_blunt = true;
        let Triangle { corners, normal, .. } = self.triangle;
        for k in 0..3 {
            self.ridges[k] = None;
            if !side.triangles.owns_edge(triangle, k) {
                continue;
            }
            let across = side.triangles.opposite(triangle, k).map(|far| far - triangle.corners[k]);
            // In a plane or a valley the faces touch, not the edge.
            if across.is_some_and(|off| triangle.normal.dot(off) >= -BEND * off.length()) {
                continue;
            }
            let across = across.map(|off| side.pose.direction(off));
            let along = corners[(k + 1) % 3] - corners[k];
            // The normal across is `across × along`.
            self.is_blunt &= across.is_none_or(|off| normal.dot(off.cross(along)) > 0.0);
            let off = corners[(k + 2) % 3] - corners[k];
            self.ridges[k] = Some(Ridge { start: corners[k], along, off, across, normal });
        }
    }

    /// The corners that are less than `reach` before another triangle's plane.
    #[inline]
    fn behind(&self, other: &Triangle, reach: f64) -> [bool; 3] {
        self.triangle.corners.map(|p| other.normal.dot(p - other.corners[0]) <= reach)
    }
}
