//! A settled step of bodies on meshes allocates nothing.

use stiction::math::{DVec3, Pose};
use stiction::shape::{HeightfieldDefinition, MassProperties, Shape, ShapeError};
use stiction::world::{BodyDefinition, GeomDefinition, World, WorldParameters};
use stiction_testing::counting::allocations;

/// A box of half a metre as a mesh.
fn cube() -> Result<Shape, ShapeError> {
    let side = |i: u32, bit: u32| if i & bit != 0 { 0.25 } else { -0.25 };
    let points: Vec<DVec3> = (0..8).map(|i| DVec3::new(side(i, 1), side(i, 2), side(i, 4))).collect();
    let hull = stiction::shape::ConvexHull::new(&points)?;
    Shape::triangle_mesh(hull.vertices(), hull.triangles())
}

#[test]
fn nothing_is_allocated_once_the_bodies_rest() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldParameters { gravity: DVec3::NEG_Y * 9.81, ..WorldParameters::default() });
    let heights = [0.0; 81];
    let field = HeightfieldDefinition {
        heights: &heights,
        columns: 9,
        rows: 9,
        width: 8.0,
        depth: 8.0,
        scale: 1.0,
        offset: 0.0,
        thickness: 1.0,
        wraps: false,
    };
    world.add_geom(&GeomDefinition::new(Shape::heightfield(&field)?, None))?;
    let corners = [[8.0, -4.0], [8.0, 4.0], [16.0, 4.0], [16.0, -4.0]].map(|[x, z]| DVec3::new(x, 0.0, z));
    world.add_geom(&GeomDefinition::new(Shape::triangle_mesh(&corners, &[[0, 1, 2], [0, 2, 3]])?, None))?;
    let shapes = [Shape::cuboid(DVec3::splat(0.5))?, Shape::capsule(0.25, 0.5)?, Shape::cylinder(0.25, 0.5)?, cube()?];
    for (k, shape) in shapes.into_iter().enumerate() {
        for x in [0.1, 11.9] {
            let pose = Pose::from_position(DVec3::new(x, 0.251, 1.5 * k as f64 - 2.2));
            let mass = MassProperties::cuboid(8.0, DVec3::splat(0.5));
            let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() })?;
            world.add_geom(&GeomDefinition::new(shape.clone(), Some(body)))?;
        }
    }
    for _ in 0..500 {
        world.step(2e-3);
    }
    let before = allocations();
    for _ in 0..100 {
        world.step(2e-3);
    }
    assert_eq!(allocations() - before, 0);
    Ok(())
}
