//! Volume of a shape below a plane, and its centre.

use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;

/// A shape as a fluid sees it.
#[derive(Clone, Debug)]
pub(super) enum Solid {
    /// A ball, stretched by semi-axes.
    Ellipsoid(DVec3),
    /// A closed surface of triangles.
    Faces { vertices: Vec<DVec3>, triangles: Vec<[u32; 3]> },
}

/// Sides of round shapes made of triangles; they have the volume of the shape.
const SIDES: usize = 64;

impl Solid {
    /// `None` for shapes without a volume.
    pub(super) fn new(shape: &Shape) -> Option<Self> {
        match shape {
            Shape::Sphere(sphere) => Some(Self::Ellipsoid(DVec3::splat(sphere.radius))),
            Shape::Ellipsoid(ellipsoid) => Some(Self::Ellipsoid(ellipsoid.semi_axes)),
            Shape::Box(_) => Some(Self::hull_of(shape, &box_directions())),
            Shape::Cylinder(_) | Shape::Cone(_) => Some(Self::round(shape, 2)),
            Shape::Capsule(_) => Some(Self::round(shape, 16)),
            Shape::ConvexHull(hull) => {
                Some(Self::Faces { vertices: hull.vertices().to_vec(), triangles: hull.triangles().to_vec() })
            }
            Shape::TriangleMesh(mesh) => {
                let faces = Self::Faces { vertices: mesh.vertices().to_vec(), triangles: mesh.triangles().to_vec() };
                (faces.total().0 > 0.0).then_some(faces)
            }
            _ => None,
        }
    }

    /// The hull of the farthest points of a shape in some directions.
    fn hull_of(shape: &Shape, directions: &[DVec3]) -> Self {
        let points: Vec<DVec3> = directions.iter().map(|d| shape.support(*d)).collect();
        match Shape::convex_hull(&points) {
            Ok(Shape::ConvexHull(hull)) => {
                Self::Faces { vertices: hull.vertices().to_vec(), triangles: hull.triangles().to_vec() }
            }
            _ => Self::Faces { vertices: Vec::new(), triangles: Vec::new() },
        }
    }

    /// A round shape by rings of points about z, widened to its volume. Rims need no more than two.
    fn round(shape: &Shape, rings: usize) -> Self {
        let mut directions = Vec::new();
        for side in 0..SIDES {
            let angle = core::f64::consts::TAU * (side as f64 + 0.5) / SIDES as f64;
            for ring in 0..rings {
                let height = core::f64::consts::PI * ((ring as f64 + 0.5) / rings as f64 - 0.5);
                let (sin, cos) = (libm::sin(height), libm::cos(height));
                directions.push(DVec3::new(cos * libm::cos(angle), cos * libm::sin(angle), sin));
            }
        }
        directions.extend([DVec3::Z, -DVec3::Z]);
        let mut solid = Self::hull_of(shape, &directions);
        let volume = solid.total().0;
        if let (Self::Faces { vertices, .. }, true) = (&mut solid, volume > 0.0) {
            let factor = libm::sqrt(shape.volume() / volume);
            vertices.iter_mut().for_each(|v| (v.x, v.y) = (factor * v.x, factor * v.y));
        }
        solid
    }

    /// Volume and its centre in the frame of the shape.
    pub(super) fn total(&self) -> (f64, DVec3) {
        self.below(&Pose::IDENTITY, f64::INFINITY)
    }

    /// Volume below a height of the world and its centre, in the world.
    pub(super) fn below(&self, pose: &Pose, height: f64) -> (f64, DVec3) {
        match self {
            Self::Ellipsoid(axes) => below_ellipsoid(*axes, pose, height),
            Self::Faces { vertices, triangles } => below_faces(vertices, triangles, pose, height),
        }
    }
}

fn box_directions() -> [DVec3; 8] {
    std::array::from_fn(|k| {
        let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        DVec3::new(sign(0), sign(1), sign(2))
    })
}

/// The map to the unit ball keeps ratios of volumes and takes the plane to one at the distance
/// `(height − z) / |Aᵀ R⁻¹ ẑ|`.
fn below_ellipsoid(axes: DVec3, pose: &Pose, height: f64) -> (f64, DVec3) {
    let up = axes * (pose.rotation.conjugate() * DVec3::Z);
    let length = up.length();
    let depth = ((height - pose.position.z) / length).clamp(-1.0, 1.0);
    let scale = core::f64::consts::PI * axes.x * axes.y * axes.z;
    // Of the unit ball below d: π (2/3 + d − d³/3), with the centre at −(1 − d²)² / 4 times π over that.
    let volume = 2.0 / 3.0 + depth - depth * depth * depth / 3.0;
    let moment = -0.25 * (1.0 - depth * depth) * (1.0 - depth * depth);
    if volume <= 0.0 {
        return (0.0, pose.position);
    }
    let center = axes * (up / length * (moment / volume));
    (scale * volume, pose.point(center))
}

/// Pyramids of all faces below the plane, with their tips on it: the cut itself has none.
fn below_faces(vertices: &[DVec3], triangles: &[[u32; 3]], pose: &Pose, height: f64) -> (f64, DVec3) {
    let first = pose.point(vertices.first().copied().unwrap_or(DVec3::ZERO));
    let tip = if height.is_finite() { DVec3::new(first.x, first.y, height) } else { first };
    let (mut six_volumes, mut moment) = (0.0, DVec3::ZERO);
    let mut add = |a: DVec3, b: DVec3, c: DVec3| {
        let (a, b, c) = (a - tip, b - tip, c - tip);
        let six = a.dot(b.cross(c));
        six_volumes += six;
        moment += six * 0.25 * (a + b + c);
    };
    for triangle in triangles {
        let corners = triangle.map(|v| pose.point(vertices[v as usize]));
        let mut polygon = [DVec3::ZERO; 4];
        let mut count = 0;
        for (k, a) in corners.iter().enumerate() {
            let b = corners[(k + 1) % 3];
            let (da, db) = (a.z - height, b.z - height);
            if da <= 0.0 {
                polygon[count] = *a;
                count += 1;
            }
            if (da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0) {
                polygon[count] = *a + (b - *a) * (da / (da - db));
                count += 1;
            }
        }
        for k in 2..count {
            add(polygon[0], polygon[k - 1], polygon[k]);
        }
    }
    if six_volumes <= 0.0 {
        return (0.0, pose.position);
    }
    (six_volumes / 6.0, tip + moment / six_volumes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume and centre below a height by counting points of a grid.
    fn counted(shape: &Shape, pose: &Pose, height: f64) -> (f64, DVec3) {
        let bounds = shape.aabb(pose);
        let (size, n) = (bounds.size() / 120.0, 120);
        let (mut count, mut sum) = (0.0, DVec3::ZERO);
        let low = bounds.center() - 0.5 * bounds.size();
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    let at = low + size * (DVec3::new(f64::from(i), f64::from(j), f64::from(k)) + 0.5);
                    if at.z < height && shape.point_depth(pose, at) > 0.0 {
                        (count, sum) = (count + 1.0, sum + at);
                    }
                }
            }
        }
        (count * size.x * size.y * size.z, sum / count)
    }

    #[test]
    fn volumes_below_a_plane_are_those_of_a_grid_of_points() {
        let shapes = [
            Shape::sphere(0.4),
            Shape::cuboid(DVec3::new(0.6, 0.4, 0.9)),
            Shape::ellipsoid(DVec3::new(0.2, 0.5, 0.35)),
            Shape::cylinder(0.3, 0.8),
            Shape::capsule(0.25, 0.5),
            Shape::cone(0.4, 0.9),
        ];
        let pose = Pose::from_xyz_rpy(DVec3::new(0.3, -0.2, 0.5), DVec3::new(0.7, -0.4, 1.1));
        for shape in shapes {
            let shape = shape.unwrap();
            let solid = Solid::new(&shape).unwrap();
            assert!((solid.total().0 / shape.volume() - 1.0).abs() < 1e-9, "{shape:?}");
            for height in [0.35, 0.5, 0.62] {
                let (volume, center) = solid.below(&pose, height);
                let (expected, at) = counted(&shape, &pose, height);
                assert!((volume - expected).abs() < 0.008 * shape.volume(), "{shape:?} {volume} {expected}");
                assert!((center - at).length() < 0.006, "{shape:?} {center} {at}");
            }
            assert_eq!(solid.below(&pose, -9.0).0, 0.0);
        }
    }
}
