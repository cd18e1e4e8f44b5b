//! Narrow phase: contact points between two shapes.
//!
//! Every normal points from the second shape into the first, so that the first moved by `depth` along the
//! normal no longer overlaps. The pairs are listed in [`pairs`].
//!
//! ```
//! use stiction::collision::{ContactQuery, collide};
//! use stiction::math::{DVec3, Pose};
//! use stiction::shape::Shape;
//!
//! let (ball, ground) = (Shape::sphere(0.5)?, Shape::plane(DVec3::Z, 0.0)?);
//! let at = Pose::from_position(DVec3::new(0.0, 0.0, 0.4));
//! let mut points = Vec::new();
//! collide(&ball, &at, &ground, &Pose::IDENTITY, &ContactQuery::default(), &mut points);
//! assert_eq!(points.len(), 1);
//! assert!((points[0].depth - 0.1).abs() < 1e-12);
//! assert_eq!(points[0].normal, DVec3::Z);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod area;
pub(crate) mod bins;
mod box_box;
#[cfg(target_arch = "x86_64")]
mod box_four;
mod capsule_capsule;
mod cast;
mod convex;
mod core;
mod course;
mod cylinder;
mod discs;
mod distance;
mod epa;
mod feature;
mod gjk;
pub mod impact;
mod line;
mod manifold;
mod mesh;
pub mod pairs;
mod placed;
mod plane;
mod ray;
pub mod reduction;
mod side_by_side;
pub mod single;
mod sphere;

use glam::DVec3;

pub use cast::{ShapeHit, Sweep, cast};
pub use course::Course;
pub use distance::{Proximity, distance};
pub(crate) use line::share_of_ends;
pub(crate) use mesh::{behind, collide_among, is_two_sided};
pub use mesh::{candidates, collide_accepted};
pub(crate) use sphere::surface_in_world;

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
    /// Triangle of the first and the second shape that touches; [`NO_TRIANGLE`] where the shape has none.
    pub triangles: [u32; 2],
}

/// The shape is no mesh or heightfield.
pub const NO_TRIANGLE: u32 = u32::MAX;

impl ManifoldPoint {
    /// A point of shapes without triangles.
    #[inline]
    pub(crate) fn new(position: DVec3, normal: DVec3, depth: f64, feature: u32) -> Self {
        Self { position, normal, depth, feature, triangles: [NO_TRIANGLE; 2] }
    }
}

/// Which contact points are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactQuery {
    /// At most so many points; the deepest and the most spread are kept.
    pub max_points: usize,
    /// Points across gaps up to this are reported too \[m\]. At 0 exact touch counts.
    pub margin: f64,
    /// Points of meshes within the outline of others, which carry nothing that those could not, are reported too.
    pub inner: bool,
    /// Of more points of a mesh or heightfield than are wanted, those that are near go before those across a much wider gap.
    pub near_first: bool,
    /// What touches while bodies rest on each other, a set that lasts, and not the deepest points alone: of two meshes all corners and
    /// crossings of faces that nearly lie on each other, of capsules and cylinders whose sides are nearly parallel two points, and of round ends that lie
    /// flat points on axes of the bodies, where others go around the rim with its lowest point.
    pub whole_faces: bool,
    /// The first, the second shape is met from its back if it is an open mesh: its triangles count as turned about.
    pub behind: [bool; 2],
}

impl Default for ContactQuery {
    fn default() -> Self {
        Self { max_points: 4, margin: 0.0, inner: false, near_first: false, whole_faces: false, behind: [false; 2] }
    }
}

/// Rounding allowed at the edge of the margin, in parts of the shapes' size, so that touch is not lost.
const TOUCH: f64 = 1e-10;

/// A gap that is only rounding \[m\].
pub(crate) const ROUNDING: f64 = 1e-9;

/// Contact points between two shapes; `out` is cleared first.
///
/// A ray gives the one point where it meets the other shape first, with its distance from the start as depth and
/// the surface normal turned towards the start. Two planes, two rays, and a heightfield with a plane or a heightfield
/// give nothing.
pub fn collide(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, query: &ContactQuery, out: &mut Vec<ManifoldPoint>) {
    out.clear();
    let cell = pairs::cell(a, b);
    if cell.swapped {
        let [first, second] = query.behind;
        let query = &ContactQuery { behind: [second, first], ..*query };
        (cell.kernel)(b, pose_b, a, pose_a, query, out);
        for point in out.iter_mut() {
            point.normal = -point.normal;
            point.triangles.swap(0, 1);
        }
    } else {
        (cell.kernel)(a, pose_a, b, pose_b, query, out);
    }
    reduction::reduce(out, query.max_points);
}

#[cfg(test)]
mod tests;
