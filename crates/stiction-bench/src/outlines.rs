//! Outlines of shapes in views from the side and from above.

use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction_run::Run;

/// Parts of a circle, and of half of one.
const PARTS: u32 = 24;

/// Corners of a triangle \[m\].
pub type Corners = [DVec3; 3];

/// A point of a picture: right and up \[m\], or right and down \[px\].
pub type Point = [f64; 2];

/// A view: which coordinates go right and up.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// What it is called under a picture.
    pub name: &'static str,
    /// Direction that points right.
    pub right: DVec3,
    /// Direction that points up.
    pub up: DVec3,
}

/// From above.
pub const ABOVE: View = View { name: "from above", right: DVec3::X, up: DVec3::Y };
/// From the side, against y.
pub const SIDE: View = View { name: "from the side", right: DVec3::X, up: DVec3::Z };
/// From the side, along x.
pub const FRONT: View = View { name: "from the side", right: DVec3::Y, up: DVec3::Z };

impl View {
    /// Coordinates of a point to the right and up \[m\].
    pub fn project(self, point: DVec3) -> [f64; 2] {
        [point.dot(self.right), point.dot(self.up)]
    }
}

/// Triangles of a shape in its frame: those of a mesh, of a hull, or of the support points of many directions.
pub fn triangles(shape: &Shape) -> Vec<Corners> {
    match shape {
        Shape::TriangleMesh(mesh) => mesh.triangles().iter().map(|t| t.map(|v| mesh.vertices()[v as usize])).collect(),
        Shape::Heightfield(field) => (0..).map_while(|index| field.triangle(index)).map(|t| t.corners).collect(),
        Shape::Box(_) | Shape::ConvexHull(_) | Shape::Cylinder(_) | Shape::Cone(_) => hull_of(&supports(shape, true)),
        _ => hull_of(&supports(shape, false)),
    }
}

/// Farthest points in many directions; those of shapes with edges are asked for a little off the axes.
fn supports(shape: &Shape, has_edges: bool) -> Vec<DVec3> {
    let mut points: Vec<DVec3> = Vec::new();
    for j in 0..=PARTS / 2 {
        let pole = std::f64::consts::PI * f64::from(j) / f64::from(PARTS / 2);
        for i in 0..PARTS {
            let around = std::f64::consts::TAU * (f64::from(i) + if has_edges { 0.25 } else { 0.0 }) / f64::from(PARTS);
            let direction = DVec3::new(pole.sin() * around.cos(), pole.sin() * around.sin(), pole.cos() + 1e-3);
            let point = shape.support(direction);
            if !points.iter().any(|known| known.distance(point) < 1e-6) {
                points.push(point);
            }
        }
    }
    points
}

/// Corners of a shape in its frame, those of its hull where it is round.
pub fn vertices(shape: &Shape) -> Vec<DVec3> {
    triangles(shape).into_iter().flatten().collect()
}

fn hull_of(points: &[DVec3]) -> Vec<Corners> {
    let Ok(Shape::ConvexHull(hull)) = Shape::convex_hull(points) else { return Vec::new() };
    hull.triangles().iter().map(|t| t.map(|v| hull.vertices()[v as usize])).collect()
}

/// Corners of a shape at a pose.
pub fn placed(shape: &Shape, pose: &Pose) -> Vec<DVec3> {
    vertices(shape).into_iter().map(|vertex| pose.point(vertex)).collect()
}

/// Shapes of a run, with their poses, and whether they move.
pub fn shapes(run: &Run) -> Vec<(Shape, Pose, bool)> {
    let world = &run.simulation().world;
    let of = |id| {
        let (geom, pose) = (world.geom(id)?, world.geom_pose(id)?);
        Some((geom.shape().clone(), pose, geom.body().is_some()))
    };
    world.geom_ids().filter_map(of).collect()
}

/// The convex outline of points in a view (monotone chain), in pixels.
pub fn outline(view: View, points: &[DVec3], place: impl Fn(Point) -> Point) -> Vec<Point> {
    let mut points: Vec<Point> = points.iter().map(|p| place(view.project(*p))).collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let turn = |a: Point, b: Point, c: Point| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let half = |points: &mut dyn Iterator<Item = Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for p in points {
            while chain.len() >= 2 && turn(chain[chain.len() - 2], chain[chain.len() - 1], p) <= 1e-6 {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter().copied());
    lower.extend(half(&mut points.iter().rev().copied()));
    lower
}
