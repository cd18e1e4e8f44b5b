//! Parts of a surface that touch: points, edges, polygons and discs.

use glam::DVec3;

use super::placed::Placed;
use crate::shape::HullFace;

/// A point of a feature with its key on the shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeaturePoint {
    pub point: DVec3,
    pub id: u32,
}

impl FeaturePoint {
    const NONE: Self = Self { point: DVec3::ZERO, id: 0 };
}

/// A flat face, counter-clockwise from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polygon<'a> {
    pub normal: DVec3,
    points: Points<'a>,
}

/// The corners of a polygon. Most have four at most; those of large faces are read where they are asked for.
#[derive(Clone, Copy, Debug)]
enum Points<'a> {
    Few([FeaturePoint; Polygon::FEW], usize),
    OfHull(&'a Placed<'a>, &'a HullFace),
}

impl<'a> Polygon<'a> {
    pub const CAPACITY: usize = 24;
    const FEW: usize = 4;

    /// A triangle or a rectangle.
    pub fn new<const N: usize>(normal: DVec3, corners: [FeaturePoint; N]) -> Self {
        let mut points = [FeaturePoint::NONE; Self::FEW];
        points[..N].copy_from_slice(&corners);
        Self { normal, points: Points::Few(points, N) }
    }

    /// The face of a polyhedron at its pose.
    pub fn of_hull(placed: &'a Placed<'a>, face: &'a HullFace) -> Self {
        Self { normal: placed.rotation * face.normal, points: Points::OfHull(placed, face) }
    }

    /// Calls `work` with the corners. A polygon of more than it can hold is thinned evenly.
    pub fn with_points<R>(&self, work: impl FnOnce(&[FeaturePoint]) -> R) -> R {
        match &self.points {
            Points::Few(points, len) => work(&points[..*len]),
            Points::OfHull(placed, face) => {
                let count = face.vertices.len();
                let kept = count.min(Self::CAPACITY);
                let mut points = [FeaturePoint::NONE; Self::CAPACITY];
                for (k, point) in points[..kept].iter_mut().enumerate() {
                    *point = placed.vertex_of_hull(face.vertices[k * count / kept]);
                }
                work(&points[..kept])
            }
        }
    }
}

/// A flat round face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    pub center: DVec3,
    pub normal: DVec3,
    /// Unit vector in the disc that turns with the body.
    pub reference: DVec3,
    pub radius: f64,
    /// Key of the first rim point; three more follow.
    pub id: u32,
}

/// Square of the slope against a direction up to which a disc is square on to it.
const SQUARE_ON: f64 = 1e-8;

impl Disc {
    /// Two orthonormal vectors in the disc, the first towards the rim point that lies farthest along
    /// `direction`. A disc seen square on keeps to the body's own axes, or the points would jump about the rim. So does one whose points are to
    /// last, whose middle overlaps by `lasting`, where its whole rim does: the lowest point of a stack that settles goes around the
    /// rim faster than anything moves, and impulses that were of other places would turn what they act on.
    pub fn frame(&self, direction: DVec3, lasting: Option<f64>) -> (DVec3, DVec3) {
        let flat = direction - self.normal * direction.dot(self.normal);
        let most = lasting.map_or(SQUARE_ON, |overlap| (overlap.max(0.0) / self.radius).powi(2).max(SQUARE_ON));
        let u = if flat.length_squared() > most { flat.normalize() } else { self.reference };
        (u, self.normal.cross(u))
    }
}

/// What touches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Feature<'a> {
    Point(FeaturePoint),
    Edge([FeaturePoint; 2]),
    Polygon(Polygon<'a>),
    Disc(Disc),
}

impl Feature<'_> {
    /// Normal of a flat face.
    pub fn normal(&self) -> Option<DVec3> {
        match self {
            Self::Polygon(p) => Some(p.normal),
            Self::Disc(d) => Some(d.normal),
            Self::Point(_) | Self::Edge(_) => None,
        }
    }
}

/// Four points of the rim, the first the farthest along `direction` unless they keep to the body's axes: see [`Disc::frame`].
pub(super) fn disc_points(disc: &Disc, direction: DVec3, lasting: Option<f64>) -> [FeaturePoint; 4] {
    let (u, v) = disc.frame(direction, lasting);
    let at = |radial: DVec3, k: u32| FeaturePoint { point: disc.center + radial * disc.radius, id: disc.id + k };
    [at(u, 0), at(v, 1), at(-u, 2), at(-v, 3)]
}
