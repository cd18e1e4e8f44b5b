//! Narrow phase: contact points between two shapes.
//!
//! Every normal points from the second shape into the first, so that the first moved by `depth` along the
//! normal no longer overlaps. The pairs are listed in [`pairs`].

mod box_box;
mod capsule_capsule;
mod convex;
mod cylinder;
mod epa;
mod feature;
mod gjk;
mod manifold;
pub mod pairs;
mod placed;
mod plane;
mod ray;
pub mod reduction;
pub mod single;
mod sphere;

use glam::DVec3;

use crate::{math::Pose, shape::Shape};

/// One point of contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldPoint {
    /// World position, midway between the two surfaces \[m\].
    pub position: DVec3,
    /// Unit world normal from the second shape into the first.
    pub normal: DVec3,
    /// Overlap along the normal \[m\]; negative across a gap.
    pub depth: f64,
    /// Key of the touching features, the same from step to step while they touch, unique in a manifold.
    pub feature: u32,
}

/// Which contact points are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactQuery {
    /// At most so many points; the deepest and the most spread are kept.
    pub max_points: usize,
    /// Points across gaps up to this are reported too \[m\]. At 0 exact touch counts.
    pub margin: f64,
}

impl Default for ContactQuery {
    fn default() -> Self {
        Self { max_points: 4, margin: 0.0 }
    }
}

/// Rounding allowed at the edge of the margin, in parts of the shapes' size, so that touch is not lost.
const TOUCH: f64 = 1e-10;

/// Contact points between two shapes; `out` is cleared first.
///
/// A ray gives the one point where it meets the other shape first, with its distance from the start as depth and
/// the surface normal turned towards the start. Two planes and two rays give nothing.
pub fn collide(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, query: &ContactQuery, out: &mut Vec<ManifoldPoint>) {
    out.clear();
    let cell = pairs::cell(a, b);
    if cell.swapped {
        (cell.kernel)(b, pose_b, a, pose_a, query, out);
        for point in out.iter_mut() {
            point.normal = -point.normal;
        }
    } else {
        (cell.kernel)(a, pose_a, b, pose_b, query, out);
    }
    reduction::reduce(out, query.max_points);
}

#[cfg(test)]
mod tests;
