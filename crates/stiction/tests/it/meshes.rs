//! Bodies on meshes and heightfields, and bodies that are meshes.

use super::support::*;
use stiction::material::Surface;
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::{HeightfieldDefinition, MassProperties, Shape};
use stiction::world::{BodyDefinition, GeomDefinition, SolverKind, World, WorldParameters};

const SOLVERS: [SolverKind; 2] = [SolverKind::Direct, SolverKind::Iterative];

/// A cube of 1 m as a mesh.
fn cube() -> Shape {
    Shape::triangle_mesh(&cube_corners(1.0), &CUBE_TRIANGLES).unwrap()
}

/// A level or tilted grid of 20 × 20 cells of 0.5 m, `slope` down along x.
fn grid(slope: f64) -> Shape {
    let n = 20u32;
    let at = |i: u32| 0.5 * (f64::from(i) - 10.0);
    let vertices: Vec<DVec3> =
        (0..=n).flat_map(|j| (0..=n).map(move |i| DVec3::new(at(i), at(j), -slope * at(i)))).collect();
    let k = |i: u32, j: u32| i + j * (n + 1);
    let mut triangles = Vec::new();
    for j in 0..n {
        for i in 0..n {
            triangles.push([k(i, j), k(i + 1, j), k(i, j + 1)]);
            triangles.push([k(i + 1, j + 1), k(i, j + 1), k(i + 1, j)]);
        }
    }
    Shape::triangle_mesh(&vertices, &triangles).unwrap()
}

fn rough() -> Surface {
    Surface { friction: [0.5; 2], ..Surface::default() }
}

fn add_static(world: &mut World, shape: Shape, pose: Pose, surface: Surface) {
    world.add_geom(&GeomDefinition { surface, pose, ..GeomDefinition::new(shape, None) }).unwrap();
}

#[test]
fn a_slab_with_a_wavy_underside_rests_on_what_is_lowest() {
    // A table of 600 kg on five points, one at its corner, the rest of its underside 0.05 mm higher. Of its
    // contacts one was left, and the others began only when they were deep: it rocked for ever.
    let n = 9u32;
    let mut vertices: Vec<DVec3> =
        (0..n * n).map(|k| DVec3::new(f64::from(k % n) * 0.25 - 1.0, f64::from(k / n) * 0.25 - 1.0, 5e-5)).collect();
    for k in [19, 25, 55, 61, 80] {
        vertices[k].z = 0.0;
    }
    let triangles: Vec<[u32; 3]> = (0..n - 1)
        .flat_map(|j| (0..n - 1).map(move |i| j * n + i))
        .flat_map(|k| [[k, k + n, k + 1], [k + 1, k + n, k + n + 1]])
        .collect();
    let slab = Shape::triangle_mesh(&vertices, &triangles).unwrap();
    for solver in SOLVERS {
        let mut world = World::new(WorldParameters { solver, contact_margin: 1e-3, ..parameters() });
        add_static(&mut world, Shape::plane(DVec3::Z, 0.0).unwrap(), Pose::IDENTITY, rough());
        let mass = MassProperties {
            mass: 600.0,
            center_of_mass: DVec3::new(0.03, 0.4, 0.9),
            inertia: DMat3::from_diagonal(DVec3::new(1500.0, 1600.0, 1700.0)),
        };
        let body = world.add_body(&BodyDefinition { mass, ..BodyDefinition::default() }).unwrap();
        world.add_geom(&GeomDefinition { surface: rough(), ..GeomDefinition::new(slab.clone(), Some(body)) }).unwrap();
        let mut made = 0.0;
        for _ in 0..1000 {
            world.step(1e-3);
            made += world.report().energy.made().abs();
            assert!(world.body(body).unwrap().velocity().length() < 1e-5, "{solver:?}");
        }
        assert!(made < 1e-5, "{solver:?} {made}");
    }
}

#[test]
fn a_cube_mesh_comes_to_rest_without_drift() {
    for solver in SOLVERS {
        for ground in [Shape::plane(DVec3::Z, 0.0).unwrap(), grid(0.0), cube()] {
            let mut world = World::new(WorldParameters { solver, ..parameters() });
            let top = if matches!(&ground, Shape::TriangleMesh(m) if m.is_closed()) { 0.5 } else { 0.0 };
            add_static(&mut world, ground, Pose::IDENTITY, rough());
            let pose = Pose::from_position(DVec3::new(0.03, 0.02, top + 0.55));
            let body = add_shape(&mut world, cube(), 2.0, pose, rough());
            for _ in 0..1000 {
                world.step(2e-3);
            }
            let settled = world.body(body).unwrap().pose();
            for _ in 0..1000 {
                world.step(2e-3);
            }
            let end = world.body(body).unwrap().pose();
            assert!((end.position - DVec3::new(0.03, 0.02, top + 0.5)).length() < 1e-3, "{solver:?} {end:?}");
            assert!((end.position - settled.position).length() < 1e-7, "{solver:?} {settled:?} {end:?}");
            assert!((end.rotation.xyz()).length() < 1e-4, "{end:?}");
        }
    }
}

#[test]
fn a_box_slides_over_tiles_as_over_a_plane() {
    for solver in SOLVERS {
        let place = |ground: Shape| {
            let mut world = World::new(WorldParameters { solver, ..parameters() });
            let ice = Surface { friction: [0.1; 2], ..Surface::default() };
            add_static(&mut world, ground, Pose::IDENTITY, ice);
            let pose = Pose::from_position(DVec3::new(-3.0, 0.1, 0.25));
            let shape = Shape::cuboid(DVec3::new(0.5, 0.4, 0.5)).unwrap();
            let body = add_shape(&mut world, shape, 1.0, pose, ice);
            world.body_mut(body).unwrap().set_velocity(DVec3::new(2.0, 0.3, 0.0)).unwrap();
            for _ in 0..1000 {
                world.step(2e-3);
            }
            world.body(body).unwrap().pose()
        };
        let (plane, tiles) = (place(Shape::plane(DVec3::Z, 0.0).unwrap()), place(grid(0.0)));
        assert!((plane.position - tiles.position).length() < 1e-3, "{solver:?} {plane:?} {tiles:?}");
        assert!(tiles.position.x > -1.5 && tiles.rotation.xyz().truncate().length() < 1e-3);
    }
}

#[test]
fn a_ball_rolls_down_a_mesh_as_the_law_says() {
    // Without slip a = 5/7 g sin α.
    let slope = 0.2f64;
    let mut world = World::new(parameters());
    add_static(&mut world, grid(slope), Pose::IDENTITY, rough());
    let normal = DVec3::new(slope, 0.0, 1.0).normalize();
    let start = DVec3::new(-4.0, 0.033, 4.0 * slope) + normal * 0.25;
    let ball = add_shape(&mut world, Shape::sphere(0.25).unwrap(), 1.0, Pose::from_position(start), rough());
    for _ in 0..1500 {
        world.step(1e-3);
    }
    let way = (world.body(ball).unwrap().pose().position - start).length();
    let expected = 0.5 * 5.0 / 7.0 * GRAVITY * (slope / (1.0 + slope * slope).sqrt()) * 1.5f64.powi(2);
    assert!((way - expected).abs() < 2e-3 * expected, "{way} {expected}");
}

#[test]
fn a_ball_between_ramp_and_floor_of_meshes_rests() {
    let mut world = World::new(parameters());
    let floor = Pose::from_rotation(DQuat::from_rotation_y(0.2));
    let ramp = Pose::new(DVec3::X * 1.0, DQuat::from_rotation_y(-0.6));
    add_static(&mut world, grid(0.0), floor, rough());
    add_static(&mut world, grid(0.0), ramp, rough());
    let start = Pose::from_position(DVec3::new(0.8, 0.1, 1.0));
    let ball = add_shape(&mut world, Shape::sphere(0.25).unwrap(), 1.0, start, rough());
    for _ in 0..4000 {
        world.step(2e-3);
    }
    let body = world.body(ball).unwrap();
    assert!(body.velocity().length() < 1e-6, "{:?}", body.velocity());
    for plane in [floor, ramp] {
        let height = plane.inverse_point(body.pose().position).z;
        assert!((height - 0.25).abs() < 1e-4, "{height}");
    }
}

#[test]
fn a_ball_rolls_off_a_mesh_onto_a_heightfield() {
    let mut world = World::new(parameters());
    add_static(&mut world, grid(0.3), Pose::from_position(DVec3::new(-5.0, 0.0, 1.6)), rough());
    let heights: Vec<f64> = (0..21 * 21).map(|k| 0.01 * f64::from((k * 7) % 5)).collect();
    let definition = HeightfieldDefinition {
        heights: &heights,
        columns: 21,
        rows: 21,
        width: 40.0,
        depth: 40.0,
        scale: 1.0,
        offset: 0.0,
        thickness: 1.0,
        wraps: false,
    };
    // y of the field is up in the world.
    let up = Pose::from_rotation(DQuat::from_rotation_x(0.5 * std::f64::consts::PI));
    add_static(&mut world, Shape::heightfield(&definition).unwrap(), up, rough());
    let start = Pose::from_position(DVec3::new(-8.0, 0.0, 2.8));
    let ball = add_shape(&mut world, Shape::sphere(0.25).unwrap(), 1.0, start, rough());
    let mut lowest = f64::INFINITY;
    for _ in 0..3000 {
        world.step(2e-3);
        lowest = lowest.min(world.body(ball).unwrap().pose().position.z);
    }
    let end = world.body(ball).unwrap().pose().position;
    assert!(end.x > 2.0 && (0.24..0.35).contains(&end.z) && lowest > 0.2, "{end} {lowest}");
}
