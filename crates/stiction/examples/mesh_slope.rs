//! A ball rolls down a mesh and on over a heightfield: `cargo run -p stiction --example mesh_slope`.

use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::{HeightfieldDefinition, MassProperties, Shape};
use stiction::world::{BodyDefinition, GeomDefinition, World, WorldParameters};

fn roll() -> Result<Pose, Box<dyn std::error::Error>> {
    let mut world = World::new(WorldParameters { gravity: DVec3::NEG_Z * 9.81, ..WorldParameters::default() });
    // Two triangles, one metre down over four.
    let corners = [[-4.0, -1.0, 1.0], [0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [-4.0, 1.0, 1.0]].map(DVec3::from_array);
    let slope = Shape::triangle_mesh(&corners, &[[0, 1, 2], [0, 2, 3]])?;
    world.add_geom(&GeomDefinition::new(slope, None))?;

    // Low waves, y up in the field's frame and z up in the world.
    let heights: Vec<f64> = (0..41 * 41).map(|k| if k % 2 == 0 { 0.0 } else { -0.01 }).collect();
    let field = Shape::heightfield(&HeightfieldDefinition {
        heights: &heights,
        columns: 41,
        rows: 41,
        width: 20.0,
        depth: 20.0,
        scale: 1.0,
        offset: 0.0,
        thickness: 1.0,
        wraps: false,
    })?;
    let pose = Pose::new(DVec3::X * 10.0, DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2));
    world.add_geom(&GeomDefinition { pose, ..GeomDefinition::new(field, None) })?;

    let mass = MassProperties::sphere(1000.0, 0.2);
    let pose = Pose::from_position(DVec3::new(-3.5, 0.0, 1.1));
    let ball = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() })?;
    world.add_geom(&GeomDefinition::new(Shape::sphere(0.2)?, Some(ball)))?;
    for _ in 0..2000 {
        world.step(2e-3);
    }
    Ok(world.body(ball).map_or(Pose::IDENTITY, |b| b.pose()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("after 4 s the ball is at {}", roll()?.position);
    Ok(())
}

#[test]
fn the_ball_arrives_on_the_field() -> Result<(), Box<dyn std::error::Error>> {
    let end = roll()?.position;
    assert!(end.x > 2.0 && (0.15..0.25).contains(&end.z), "{end}");
    Ok(())
}
