//! Contact reduction and the area law of AGX's material pairs.

use glam::DVec3;
use stiction::material::{AreaLaw, ContactPoints, PointReduction};
use stiction::math::Pose;
use stiction::shape::{MassProperties, Shape, TriangleMesh};
use stiction::world::{BodyDefinition, GeomDefinition, SolverKind, World, WorldParameters};

use super::agx::{BLOCK, GRAVITY, GROUND, STEP, add_ground, add_with as add, law, of, steps};

/// The ground z = 0 under a pair of Young's modulus `stiffness` \[N/m, or Pa under the area law\].
fn world(stiffness: f64, points: ContactPoints) -> World {
    let mut world = World::new(WorldParameters {
        gravity: DVec3::new(0.0, 0.0, -GRAVITY),
        solver: SolverKind::Direct,
        iterations: 100,
        ..WorldParameters::default()
    });
    world.contact_table_mut().set(GROUND, BLOCK, law(stiffness, 0.075, 0.5));
    assert!(world.contact_table_mut().set_points(GROUND, BLOCK, points));
    add_ground(&mut world);
    world
}

/// Lower and upper side of a plate of `side` metres, each a grid of n × n vertices, and its edge.
fn plate(n: usize, side: f64, thickness: f64) -> Shape {
    let mut vertices = Vec::new();
    for z in [0.0, thickness] {
        for i in 0..n * n {
            let at = |k: usize| side * (k as f64 / (n - 1) as f64 - 0.5);
            vertices.push(DVec3::new(at(i % n), at(i / n), z));
        }
    }
    let mut triangles = Vec::new();
    let top = (n * n) as u32;
    for i in (0..(n - 1) * n).filter(|i| i % n != n - 1) {
        let [a, b, c, d] = [i, i + 1, i + n, i + n + 1].map(|i| i as u32);
        triangles.extend([[a, c, b], [b, c, d], [top + a, top + b, top + c], [top + b, top + d, top + c]]);
    }
    // The edge, around the lower side.
    let [forth, back] = [(0..n - 1).collect::<Vec<_>>(), (1..n).rev().collect()];
    let mut rim: Vec<usize> = forth.clone();
    rim.extend(forth.iter().map(|k| k * n + n - 1));
    rim.extend(back.iter().map(|k| (n - 1) * n + k));
    rim.extend(back.iter().map(|k| k * n));
    for k in 0..rim.len() {
        let [a, b] = [rim[k], rim[(k + 1) % rim.len()]].map(|i| i as u32);
        triangles.extend([[a, b, top + b], [a, top + b, top + a]]);
    }
    Shape::TriangleMesh(std::sync::Arc::new(TriangleMesh::new(&vertices, &triangles).unwrap()))
}

fn cube_mass(mass: f64) -> MassProperties {
    Shape::cuboid(DVec3::ONE).unwrap().mass_properties(1.0).unwrap().with_mass(mass)
}

fn load(world: &World) -> f64 {
    world.contact_reports().iter().map(|c| c.force.z.abs()).sum()
}

const NONE: ContactPoints = ContactPoints::reduced(PointReduction::None);

/// 1681 points: all, 4 to 16 of 3 bins, 4 of one, more of ten; each time they carry the weight, and under the area law at
/// the same depth.
#[test]
fn a_plate_keeps_its_outline_and_its_load() {
    let area = Some(AreaLaw::default());
    let mut depths = Vec::new();
    for (reduction, bins, counts) in [
        (PointReduction::None, 3, 1681..=1681),
        (PointReduction::Shapes, 0, 4..=16),
        (PointReduction::Shapes, 1, 4..=4),
        (PointReduction::Shapes, 10, 17..=120),
        (PointReduction::Bodies, 3, 4..=16),
    ] {
        let mut world = world(1e7, ContactPoints { reduction, bins, area });
        let body = add(&mut world, plate(41, 1.0, 0.1), cube_mass(100.0), -9.80665e-6);
        steps(&mut world, STEP, if reduction == PointReduction::None { 3.0 * STEP } else { 1.0 });
        let count = world.contact_reports().len();
        assert!(counts.contains(&count), "{reduction:?} {bins}: {count} points");
        assert!((load(&world) / (100.0 * GRAVITY) - 1.0).abs() < 1e-3, "{} N", load(&world));
        depths.push(-world.body(body).unwrap().pose().position.z);
    }
    // E A / L with A 1 m², L 0.1 m.
    for depth in &depths {
        assert!((depth / 9.80665e-6 - 1.0).abs() < 1e-2, "{depths:?} m");
    }
    let mut world = world(1e7, ContactPoints::reduced(PointReduction::Shapes));
    world.parameters.reduction_threshold = 2000;
    add(&mut world, plate(41, 1.0, 0.1), cube_mass(100.0), 0.0);
    world.step(STEP);
    assert_eq!(world.contact_reports().len(), 1681);
}

/// A3: `m g L / (E A)`, whatever the number of points.
#[test]
fn stiffness_by_area_does_not_depend_on_the_number_of_points() {
    let law = |max_rest_length| Some(AreaLaw { max_rest_length, ..AreaLaw::default() });
    for (longest, wanted) in [(0.1, 9.80665e-6), (0.02, 1.96133e-6)] {
        for shape in [Shape::cuboid(DVec3::ONE).unwrap(), plate(9, 1.0, 0.2)] {
            let height = if matches!(shape, Shape::Box(_)) { 0.5 } else { 0.0 };
            let mut world = world(1e7, ContactPoints { area: law(longest), ..NONE });
            let body = add(&mut world, shape, cube_mass(100.0), height);
            steps(&mut world, STEP, 5.0);
            let depth = height - world.body(body).unwrap().pose().position.z;
            assert!((depth / wanted - 1.0).abs() < 1e-2, "{depth} m, wanted {wanted} m");
        }
    }
}

/// A ball of radius R: `E 2 π R d / L d = m g` with `L = √(2 π R d)`, a cylinder on its side `L = √A`, `A = 2 l √(2 R d)`.
#[test]
fn round_shapes_grow_stiff_with_their_depth() {
    let long = Some(AreaLaw { min_rest_length: 1e-5, max_rest_length: 10.0 });
    for (shape, tilt) in [(Shape::sphere(0.2).unwrap(), 0.0), (Shape::cylinder(0.2, 0.5).unwrap(), 90.0_f64)] {
        let is_ball = tilt == 0.0;
        let mut world = world(1e6, ContactPoints { area: long, ..NONE });
        let body = add(&mut world, shape, cube_mass(50.0), 0.2);
        world
            .body_mut(body)
            .unwrap()
            .set_pose(&Pose {
                position: DVec3::new(0.0, 0.0, 0.1995),
                rotation: glam::DQuat::from_rotation_x(tilt.to_radians()),
            })
            .unwrap();
        steps(&mut world, STEP, 20.0);
        let depth = 0.2 - world.body(body).unwrap().pose().position.z;
        let area = if is_ball { std::f64::consts::TAU * 0.2 * depth } else { 0.5 * 2.0 * (0.4 * depth).sqrt() };
        let force = 1e6 * area.sqrt() * depth;
        assert!((force / (50.0 * GRAVITY) - 1.0).abs() < 1e-2, "{depth} m: {force} N");
    }
}

/// A drum on its face: `m g L / (E π r²)`, with the length L that a box of that area has.
#[test]
fn stiffness_by_area_knows_round_faces() {
    for radius in [0.2, 0.5] {
        let points = ContactPoints { area: Some(AreaLaw::default()), ..NONE };
        let mut world = world(1e7, points);
        let drum = Shape::cylinder(radius, 1.0).unwrap();
        let body = add(&mut world, drum, cube_mass(100.0), 0.5);
        steps(&mut world, STEP, 5.0);
        let depth = 0.5 - world.body(body).unwrap().pose().position.z;
        let area = std::f64::consts::PI * radius * radius;
        let wanted = 100.0 * GRAVITY * area.sqrt().clamp(1e-3, 0.1) / (1e7 * area);
        assert!((depth / wanted - 1.0).abs() < 1e-2, "{radius} m: {depth} m, wanted {wanted} m");
    }
}

/// Five boxes of one body on the ground: 20 points a pair of bodies; their outline of four corners carries the weight, and all
/// of their adhesion holds.
#[test]
fn all_shapes_of_a_body_are_reduced_together() {
    for (reduction, count) in [(PointReduction::Shapes, 20..=20), (PointReduction::Bodies, 4..=16)] {
        let mut world = world(1e7, ContactPoints::reduced(reduction));
        let mut body = None;
        for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.0, 0.0)] {
            let foot = Shape::cuboid(DVec3::new(0.2, 0.2, 0.2)).unwrap();
            let id = *body.get_or_insert_with(|| {
                let pose = Pose::from_position(DVec3::new(0.0, 0.0, 0.1));
                world.add_body(&BodyDefinition { mass: cube_mass(100.0), pose, ..BodyDefinition::default() }).unwrap()
            });
            let local = Pose::from_position(DVec3::new(x, y, 0.0));
            let definition = GeomDefinition { surface: of(BLOCK), pose: local, ..GeomDefinition::new(foot, Some(id)) };
            world.add_geom(&definition).unwrap();
        }
        steps(&mut world, STEP, 5.0);
        let found = world.contact_reports().len();
        assert!(count.contains(&found), "{reduction:?}: {found} points");
        assert!((load(&world) / (100.0 * GRAVITY) - 1.0).abs() < 1e-3, "{} N", load(&world));
        let pose = world.body(body.unwrap()).unwrap().pose();
        assert!(pose.rotation.x.abs() + pose.rotation.y.abs() < 2e-6, "it stands upright: {}", pose.rotation);
    }
}
