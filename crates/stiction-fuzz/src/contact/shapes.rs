//! Draws of shapes, and of the ground they fall on.

use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::{ConvexHull, HeightfieldDefinition, MassProperties, Shape, ShapeError};

use crate::random::Draw;

/// A shape that fits into a box of the half lengths, with the mass properties of its solid, and its name.
pub(super) fn solid(draw: &mut Draw, half: DVec3) -> Result<(Shape, Option<MassProperties>, &'static str), ShapeError> {
    let (name, shape) = match draw.index(0, 12) {
        0 => ("sphere", Shape::sphere(half.x)?),
        1 => ("capsule", Shape::capsule(0.5 * half.x, half.y)?),
        2 => ("cylinder", Shape::cylinder(half.x, half.y)?),
        3 => ("cone", Shape::cone(half.x, 1.5 * half.y)?),
        4 => ("ellipsoid", Shape::ellipsoid(half)?),
        5 => ("hull", Shape::convex_hull(&points(draw, half))?),
        6 => {
            let hull = ConvexHull::new(&points(draw, half))?;
            let mesh = Shape::triangle_mesh(hull.vertices(), hull.triangles())?;
            let mass = Shape::convex_hull(hull.vertices())?.mass_properties(1000.0);
            return Ok((mesh, mass, "mesh"));
        }
        _ => ("box", Shape::cuboid(2.0 * half)?),
    };
    let mass = shape.mass_properties(1000.0);
    Ok((shape, mass, name))
}

/// Points of a hull.
fn points(draw: &mut Draw, half: DVec3) -> Vec<DVec3> {
    let count = draw.index(6, 20);
    (0..count).map(|_| draw.direction() * half * draw.uniform(0.6, 1.0)).collect()
}

/// Ground below z = 0, its pose, how high above zero it reaches \[m\], and its name.
pub(super) fn ground(draw: &mut Draw, size: f64) -> Result<(Shape, Pose, f64, &'static str), ShapeError> {
    /// Extent of bounded ground \[m\], and cells along it.
    const WIDTH: f64 = 16.0;
    const CELLS: usize = 16;
    let relief = if draw.chance(0.5) { 0.0 } else { draw.uniform(0.0, 0.5 * size) };
    match draw.index(0, 6) {
        0..=2 => Ok((Shape::plane(DVec3::Z, 0.0)?, Pose::IDENTITY, 0.0, "plane")),
        3 => {
            let slab = Shape::cuboid(DVec3::new(WIDTH, WIDTH, 1.0))?;
            Ok((slab, Pose::from_position(DVec3::new(0.0, 0.0, -0.5)), 0.0, "slab"))
        }
        4 => {
            let along = |k: usize| WIDTH * (k as f64 / CELLS as f64 - 0.5);
            let mut vertices = Vec::new();
            for j in 0..=CELLS {
                for i in 0..=CELLS {
                    vertices.push(DVec3::new(along(i), along(j), draw.uniform(0.0, 1.0) * relief));
                }
            }
            let mut triangles = Vec::new();
            for j in 0..CELLS as u32 {
                for i in 0..CELLS as u32 {
                    let (a, up) = (i + j * (CELLS as u32 + 1), CELLS as u32 + 1);
                    triangles.extend([[a, a + 1, a + up], [a + 1, a + up + 1, a + up]]);
                }
            }
            Ok((Shape::triangle_mesh(&vertices, &triangles)?, Pose::IDENTITY, relief, "mesh ground"))
        }
        _ => {
            let heights: Vec<f64> = (0..(CELLS + 1) * (CELLS + 1)).map(|_| draw.uniform(0.0, 1.0)).collect();
            let field = Shape::heightfield(&HeightfieldDefinition {
                heights: &heights,
                columns: CELLS + 1,
                rows: CELLS + 1,
                width: WIDTH,
                depth: WIDTH,
                scale: relief,
                offset: 0.0,
                thickness: 1.0,
                wraps: false,
            })?;
            // A field's height is along y.
            let upright = DQuat::from_axis_angle(DVec3::X, std::f64::consts::FRAC_PI_2);
            Ok((field, Pose::new(DVec3::ZERO, upright), relief, "heightfield"))
        }
    }
}
