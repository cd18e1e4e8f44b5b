//! A convex shape at its pose, as the convex kernels see it.

use glam::{DMat3, DVec3};

use super::{
    convex::Convex,
    feature::{Disc, Feature, FeaturePoint, Polygon},
};
use crate::{
    math::Pose,
    shape::{Cuboid, Shape},
};

/// A shape turned into world axes, about an origin near both shapes.
///
/// Spheres and capsules are a core (point, segment) and a radius around it; GJK and EPA see the core only.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub shape: &'a Shape,
    pub rotation: DMat3,
    pub position: DVec3,
}

impl<'a> Placed<'a> {
    pub fn new(shape: &'a Shape, pose: &Pose, origin: DVec3) -> Self {
        Self { shape, rotation: pose.matrix(), position: pose.position - origin }
    }

    pub fn local(&self, direction: DVec3) -> DVec3 {
        self.rotation.transpose() * direction
    }

    pub fn world(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.position
    }

    /// Farthest point of the whole shape.
    pub fn support(&self, direction: DVec3) -> DVec3 {
        self.world(self.shape.support(self.local(direction)))
    }

    /// Radius around the core \[m\].
    pub fn radius(&self) -> f64 {
        match self.shape {
            Shape::Sphere(s) => s.radius,
            Shape::Capsule(s) => s.radius,
            _ => 0.0,
        }
    }

    /// Farthest point of the core.
    pub fn core_support(&self, direction: DVec3) -> DVec3 {
        let local = self.local(direction);
        self.world(match self.shape {
            Shape::Sphere(_) => DVec3::ZERO,
            Shape::Capsule(s) => DVec3::Z * s.half_length.copysign(local.z),
            shape => shape.support(local),
        })
    }

    /// A point well inside.
    pub fn center(&self) -> DVec3 {
        match self.shape {
            Shape::ConvexHull(hull) => self.world(hull.centroid()),
            Shape::Cone(cone) => self.world(DVec3::Z * (-0.5 * cone.half_length)),
            _ => self.position,
        }
    }

    /// Rough size, the scale of tolerances \[m\].
    pub fn size(&self) -> f64 {
        match self.shape {
            Shape::Sphere(s) => s.radius,
            Shape::Box(s) => s.half_extents.length(),
            Shape::Capsule(s) => s.radius + s.half_length,
            Shape::Cylinder(s) => s.radius + s.half_length,
            Shape::Ellipsoid(s) => s.semi_axes.max_element(),
            Shape::Cone(s) => s.radius + s.half_length,
            Shape::ConvexHull(hull) => hull.outer_radius(),
            Shape::Plane(_) | Shape::Ray(_) | Shape::TriangleMesh(_) | Shape::Heightfield(_) => 1.0,
        }
    }

    /// Radius of a ball that fits inside about the centre, roughly \[m\].
    pub fn inner_radius(&self) -> f64 {
        match self.shape {
            Shape::Sphere(s) => s.radius,
            Shape::Box(s) => s.half_extents.min_element(),
            Shape::Capsule(s) => s.radius,
            Shape::Cylinder(s) => s.radius.min(s.half_length),
            Shape::Ellipsoid(s) => s.semi_axes.min_element(),
            // The inscribed circle of the triangle that turns: area over half the girth.
            Shape::Cone(s) => {
                let height = 2.0 * s.half_length;
                s.radius * height / (s.radius + libm::hypot(s.radius, height))
            }
            Shape::ConvexHull(hull) => hull.inner_radius(),
            Shape::Plane(_) | Shape::Ray(_) | Shape::TriangleMesh(_) | Shape::Heightfield(_) => 1.0,
        }
    }

    /// The face of a box that looks most along a direction: its axis, whether it is that of the positive side, and its normal.
    #[inline(always)]
    pub fn axis_of_face(&self, direction: DVec3) -> (usize, bool, DVec3) {
        let d = self.local(direction);
        let a = d.abs();
        let axis = if a.x >= a.y && a.x >= a.z {
            0
        } else if a.y >= a.z {
            1
        } else {
            2
        };
        let positive = d[axis] > 0.0;
        (axis, positive, self.rotation.col(axis) * if positive { 1.0 } else { -1.0 })
    }

    /// The same: its normal and corners.
    pub fn face_of_box(&self, cuboid: &Cuboid, direction: DVec3) -> (DVec3, [FeaturePoint; 4]) {
        let (axis, positive, normal) = self.axis_of_face(direction);
        let mut corners = [FeaturePoint { point: DVec3::ZERO, id: 0 }; 4];
        for (point, corner) in corners.iter_mut().zip(Cuboid::face_corners(axis, positive)) {
            *point = FeaturePoint { point: self.world(cuboid.corner(corner)), id: corner as u32 };
        }
        (normal, corners)
    }

    /// The vertex, edge or face met by a plane that comes along `direction` from outside: a face wherever one
    /// looks that way at all, since a body that rocks has its other corners within the margin.
    pub fn feature(&self, direction: DVec3) -> Feature<'_> {
        let d = self.local(direction);
        let point = |p: DVec3, id: u32| FeaturePoint { point: self.world(p), id };
        match self.shape {
            Shape::Box(s) => {
                let (normal, corners) = self.face_of_box(s, direction);
                Feature::Polygon(Polygon::new(normal, corners))
            }
            Shape::Capsule(s) => {
                let side = d.normalize_or(DVec3::X) * s.radius;
                Feature::Edge(
                    [-1.0, 1.0].map(|end| point(DVec3::Z * (end * s.half_length) + side, u32::from(end > 0.0))),
                )
            }
            Shape::Cylinder(s) => {
                if d.z.abs() > CAP_COSINE {
                    let z = 1.0f64.copysign(d.z);
                    return Feature::Disc(Disc {
                        center: self.world(DVec3::Z * (s.half_length * z)),
                        normal: self.rotation.z_axis * z,
                        reference: self.rotation.x_axis,
                        radius: s.radius,
                        id: if z > 0.0 { 8 } else { 0 },
                    });
                }
                let side = d.with_z(0.0).normalize_or(DVec3::X) * s.radius;
                Feature::Edge(
                    [-1.0, 1.0].map(|end| point(DVec3::Z * (end * s.half_length) + side, 16 + u32::from(end > 0.0))),
                )
            }
            Shape::Cone(s) => {
                if d.z < -CAP_COSINE {
                    return Feature::Disc(Disc {
                        center: self.world(DVec3::Z * -s.half_length),
                        normal: -self.rotation.z_axis,
                        reference: self.rotation.x_axis,
                        radius: s.radius,
                        id: 0,
                    });
                }
                // The slope's line, unless the tip points that way.
                let radial = d.with_z(0.0).normalize_or(DVec3::X);
                if s.slope_normal(radial).dot(d) < CAP_COSINE {
                    return Feature::Point(point(s.support(d), 16));
                }
                Feature::Edge([point(s.rim(d), 17), point(s.tip(), 18)])
            }
            Shape::ConvexHull(hull) => {
                // Of the faces about the farthest corner, the one that looks most along the direction: another
                // face may look there still more but lie behind.
                let corner = hull.support(d);
                let mut best = (f64::NEG_INFINITY, 0);
                for (index, face) in hull.faces().iter().enumerate() {
                    let cosine = face.normal.dot(d);
                    if cosine > best.0 && face.offset - face.normal.dot(corner) <= 1e-6 * self.size() {
                        best = (cosine, index);
                    }
                }
                Feature::Polygon(Polygon::of_hull(self, &hull.faces()[best.1]))
            }
            shape => Feature::Point(point(shape.support(d), 0)),
        }
    }

    /// A vertex of a polyhedron.
    pub fn vertex_of_hull(&self, number: u32) -> FeaturePoint {
        let Shape::ConvexHull(hull) = self.shape else { return FeaturePoint { point: self.position, id: number } };
        FeaturePoint { point: self.world(hull.vertices()[number as usize]), id: number }
    }

    /// The vertices that lie exactly farthest along `direction`: an edge where two do, else one point.
    pub fn edge(&self, direction: DVec3) -> Feature<'_> {
        let d = self.local(direction);
        let far = self.shape.support(d).dot(d);
        let near = |p: DVec3| far - p.dot(d) <= 1e-6 * self.size();
        let point = |p: DVec3, id: u32| FeaturePoint { point: self.world(p), id };
        let mut found = [None, None];
        let mut add = |p: DVec3, id: u32| {
            if near(p) {
                if found[0].is_none() {
                    found[0] = Some(point(p, id));
                } else if found[1].is_none() {
                    found[1] = Some(point(p, id));
                }
            }
        };
        match self.shape {
            Shape::Box(s) => (0..8).for_each(|i| add(s.corner(i), i as u32)),
            Shape::ConvexHull(hull) => hull.vertices().iter().enumerate().for_each(|(i, &v)| add(v, i as u32)),
            Shape::Cylinder(_) | Shape::Capsule(_) | Shape::Cone(_) => {
                if let Feature::Edge(ends) = self.feature(direction) {
                    for end in ends {
                        if (self.support(direction) - end.point).dot(direction) <= 1e-6 * self.size() {
                            if found[0].is_none() {
                                found[0] = Some(end);
                            } else {
                                found[1] = Some(end);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        match found {
            [Some(a), Some(b)] => Feature::Edge([a, b]),
            [Some(a), None] => Feature::Point(a),
            _ => Feature::Point(FeaturePoint { point: self.support(direction), id: 0 }),
        }
    }
}

impl Convex for Placed<'_> {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        self.support(direction)
    }

    #[inline]
    fn core_support(&self, direction: DVec3) -> DVec3 {
        self.core_support(direction)
    }

    fn radius(&self) -> f64 {
        self.radius()
    }

    fn center(&self) -> DVec3 {
        self.center()
    }

    fn feature(&self, direction: DVec3) -> Feature<'_> {
        self.feature(direction)
    }

    fn ridge(&self, direction: DVec3) -> Feature<'_> {
        match self.shape {
            Shape::Capsule(_) => self.feature(direction),
            _ => self.edge(direction),
        }
    }
}

/// A cap counts as the touching feature within 45 degrees of its normal.
const CAP_COSINE: f64 = std::f64::consts::FRAC_1_SQRT_2;
