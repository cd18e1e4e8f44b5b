//! Two hundred bodies of eight shapes come to rest on a mesh of rolling ground: `cargo run -p stiction --release --example terrain`.

use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyDefinition, BodyId, Damping, GeomDefinition, World, WorldParameters};

/// Cells of the ground along x and y, and their size \[m\].
const CELLS: u32 = 50;
const CELL: f64 = 0.25;

/// Shapes and their poses.
pub type Scene = Vec<(Shape, Pose)>;

fn height(x: f64, y: f64) -> f64 {
    0.5 * (0.8 * x).sin() * (0.7 * y).cos() + 0.004 * (x * x + y * y) + 0.06 * (2.3 * x + y).sin()
}

/// An open surface, counter-clockwise from above, with a bank around it.
fn ground() -> Result<Shape, stiction::shape::ShapeError> {
    let at = |i: u32| CELL * (f64::from(i) - 0.5 * f64::from(CELLS));
    let bank = |i: u32, j: u32| if [i, j].iter().any(|k| [0, CELLS].contains(k)) { 1.5 } else { 0.0 };
    let vertices: Vec<DVec3> = (0..=CELLS)
        .flat_map(|j| (0..=CELLS).map(move |i| (i, j)))
        .map(|(i, j)| DVec3::new(at(i), at(j), height(at(i), at(j)) + bank(i, j)))
        .collect();
    let cells = (0..CELLS).flat_map(|j| (0..CELLS).map(move |i| i + j * (CELLS + 1)));
    let triangles: Vec<[u32; 3]> =
        cells.flat_map(|a| [[a, a + 1, a + CELLS + 2], [a, a + CELLS + 2, a + CELLS + 1]]).collect();
    Shape::triangle_mesh(&vertices, &triangles)
}

fn shapes() -> Result<Vec<Shape>, stiction::shape::ShapeError> {
    let tetrahedron = [[0.3, 0.0, -0.15], [-0.2, 0.25, -0.15], [-0.2, -0.25, -0.15], [0.0, 0.0, 0.3]];
    let corners = tetrahedron.map(DVec3::from_array);
    // A wedge as a mesh.
    let [a, b] = [-0.2, 0.2];
    let wedge = [[a, a, a], [b, a, a], [b, b, a], [a, b, a], [a, a, b], [a, b, b]].map(DVec3::from_array);
    let faces = [[0, 2, 1], [0, 3, 2], [0, 1, 4], [3, 5, 2], [0, 4, 5], [0, 5, 3], [1, 2, 5], [1, 5, 4]];
    Ok(vec![
        Shape::sphere(0.22)?,
        Shape::cuboid(DVec3::new(0.5, 0.35, 0.25))?,
        Shape::capsule(0.13, 0.4)?,
        Shape::cylinder(0.18, 0.4)?,
        Shape::cone(0.25, 0.45)?,
        Shape::ellipsoid(DVec3::new(0.3, 0.2, 0.14))?,
        Shape::convex_hull(&corners)?,
        Shape::triangle_mesh(&wedge, &faces)?,
    ])
}

/// Drops the bodies and lets them settle for a time \[s\]; gives all shapes, the ground first, and the fastest speed at the end \[m/s\].
pub fn settle(time: f64) -> Result<(Scene, f64), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldParameters { gravity: DVec3::NEG_Z * 9.81, ..WorldParameters::default() });
    let ground = ground()?;
    world.add_geom(&GeomDefinition::new(ground.clone(), None))?;
    let shapes = shapes()?;
    let mut bodies: Vec<(Shape, BodyId)> = Vec::new();
    for k in 0..200u32 {
        let shape = &shapes[k as usize % shapes.len()];
        let turn = f64::from(k);
        let rotation = DQuat::from_rotation_z(turn) * DQuat::from_rotation_x(1.7 * turn);
        let place = DVec3::new(f64::from(k % 10) - 4.5, f64::from(k / 10 % 10) - 4.5, 1.6 + f64::from(k / 100));
        let mass = shape.mass_properties(800.0).ok_or("a solid has a mass")?;
        // What rolls comes to rest.
        let damping = Some(Damping { linear: 1e-3, angular: 1e-2, linear_threshold: 0.0, angular_threshold: 0.0 });
        let pose = Pose::new(place, rotation);
        let definition = BodyDefinition { pose, mass, damping, ..BodyDefinition::default() };
        let body = world.add_body(&definition)?;
        world.add_geom(&GeomDefinition::new(shape.clone(), Some(body)))?;
        bodies.push((shape.clone(), body));
    }
    while world.time() < time {
        world.step(5e-3);
    }
    let fastest = bodies.iter().filter_map(|(_, b)| world.body(*b)).fold(0.0f64, |v, b| v.max(b.velocity().length()));
    let mut scene = vec![(ground, Pose::IDENTITY)];
    scene.extend(bodies.into_iter().filter_map(|(shape, body)| Some((shape, world.body(body)?.pose()))));
    Ok((scene, fastest))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (scene, fastest) = settle(12.0)?;
    let lowest = scene.iter().skip(1).fold(f64::INFINITY, |z, (_, pose)| z.min(pose.position.z));
    println!(
        "after 12 s the fastest of {} bodies moves at {fastest:.1e} m/s, the lowest is at {lowest:.2} m",
        scene.len() - 1
    );
    Ok(())
}

#[test]
fn all_lie_on_the_ground() -> Result<(), Box<dyn std::error::Error>> {
    let (scene, fastest) = settle(2.5)?;
    assert_eq!(scene.len(), 201);
    assert!(fastest < 3.0, "{fastest} m/s");
    for (_, pose) in &scene[1..] {
        let p = pose.position;
        assert!(p.x.abs() < 6.5 && p.y.abs() < 6.5 && p.z > height(p.x, p.y) - 0.1, "{p}");
    }
    Ok(())
}
