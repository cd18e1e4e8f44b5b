//! Parts of a surface that touch: points, edges, polygons and discs.

use glam::DVec3;

/// A point of a feature with its key on the shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeaturePoint {
    pub point: DVec3,
    pub id: u32,
}

/// A flat face, counter-clockwise from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polygon {
    pub normal: DVec3,
    points: [FeaturePoint; Self::CAPACITY],
    len: usize,
}

impl Polygon {
    pub const CAPACITY: usize = 24;

    pub fn new(normal: DVec3) -> Self {
        Self { normal, points: [FeaturePoint { point: DVec3::ZERO, id: 0 }; Self::CAPACITY], len: 0 }
    }

    pub fn push(&mut self, point: FeaturePoint) {
        self.points[self.len] = point;
        self.len += 1;
    }

    pub fn points(&self) -> &[FeaturePoint] {
        &self.points[..self.len]
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

impl Disc {
    /// Two orthonormal vectors in the disc, the first towards the rim point that lies farthest along
    /// `direction`. A disc seen square on keeps to the body's own axes, or the points would jump about the rim.
    pub fn frame(&self, direction: DVec3) -> (DVec3, DVec3) {
        let flat = direction - self.normal * direction.dot(self.normal);
        let u = if flat.length_squared() > 1e-8 { flat.normalize() } else { self.reference };
        (u, self.normal.cross(u))
    }
}

/// What touches.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "lives on the stack for the length of one pair")]
pub(super) enum Feature {
    Point(FeaturePoint),
    Edge([FeaturePoint; 2]),
    Polygon(Polygon),
    Disc(Disc),
}

impl Feature {
    /// Normal of a flat face.
    pub fn normal(&self) -> Option<DVec3> {
        match self {
            Self::Polygon(p) => Some(p.normal),
            Self::Disc(d) => Some(d.normal),
            Self::Point(_) | Self::Edge(_) => None,
        }
    }
}

/// Four points of the rim, the first the farthest along `direction`.
pub(super) fn disc_points(disc: &Disc, direction: DVec3) -> [FeaturePoint; 4] {
    let (u, v) = disc.frame(direction);
    let at = |radial: DVec3, k: u32| FeaturePoint { point: disc.center + radial * disc.radius, id: disc.id + k };
    [at(u, 0), at(v, 1), at(-u, 2), at(-v, 3)]
}
