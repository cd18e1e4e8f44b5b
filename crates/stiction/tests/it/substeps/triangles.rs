//! Bodies on triangles: kept from step to step, at rest, and carried by what touches.
//!
//! `TRIANGLE_DROPS` is the number of bodies of each shape and ground (a few if absent).

use super::*;
use crate::numbers::Numbers;
use stiction::collision::distance;

const STEP: f64 = 1.0 / 240.0;
/// Cells of the ground along x and y, and their size [m].
const CELLS: usize = 80;
const CELL: f64 = 0.25;

/// Random heights over a grid [m].
struct Ground {
    heights: Vec<f64>,
    /// It is a heightfield: the cells are split along their other diagonal.
    is_field: bool,
}

impl Ground {
    fn new(r: &mut Numbers, roughness: f64) -> Self {
        let of = |k: usize| 0.3 * (0.13 * (k % (CELLS + 1)) as f64).sin() * (0.17 * (k / (CELLS + 1)) as f64).cos();
        Self {
            heights: (0..(CELLS + 1) * (CELLS + 1)).map(|k| of(k) + roughness * r.signed()).collect(),
            is_field: false,
        }
    }

    fn corner(&self, i: usize, j: usize) -> DVec3 {
        let at = |k: usize| CELL * (k as f64 - 0.5 * CELLS as f64);
        DVec3::new(at(i), at(j), self.heights[i + (CELLS + 1) * j])
    }

    /// Height of the triangles over a place, split as the field is [m].
    fn height(&self, x: f64, y: f64) -> f64 {
        let place = |v: f64| (v / CELL + 0.5 * CELLS as f64).clamp(0.0, CELLS as f64 - 1e-9);
        let (u, v) = (place(x), place(y));
        let (i, j) = (u as usize, v as usize);
        let (u, v) = (u - i as f64, v - j as f64);
        let [low, high] = if self.is_field { [j + 1, j] } else { [j, j + 1] };
        let v = if self.is_field { 1.0 - v } else { v };
        let [a, b, c, d] = [(i, low), (i + 1, low), (i, high), (i + 1, high)].map(|(i, j)| self.corner(i, j).z);
        if u + v <= 1.0 { a + u * (b - a) + v * (c - a) } else { d + (1.0 - u) * (c - d) + (1.0 - v) * (b - d) }
    }

    /// An open mesh.
    fn sheet(&self) -> (Shape, Pose) {
        let p = |i: usize, j: usize| (i + (CELLS + 1) * j) as u32;
        let vertices: Vec<DVec3> =
            (0..self.heights.len()).map(|k| self.corner(k % (CELLS + 1), k / (CELLS + 1))).collect();
        let cells = (0..CELLS).flat_map(|j| (0..CELLS).map(move |i| (i, j)));
        let triangles: Vec<[u32; 3]> = cells
            .flat_map(|(i, j)| [[p(i, j), p(i + 1, j), p(i, j + 1)], [p(i + 1, j + 1), p(i, j + 1), p(i + 1, j)]])
            .collect();
        (Shape::triangle_mesh(&vertices, &triangles).unwrap(), Pose::IDENTITY)
    }

    /// A heightfield, whose y is up and whose z is -y of the world.
    fn field(&self) -> (Shape, Pose) {
        let n = CELLS + 1;
        let heights: Vec<f64> = (0..n * n).map(|k| self.heights[k % n + n * (n - 1 - k / n)]).collect();
        let extent = CELL * CELLS as f64;
        let field = square_field(&heights, n, extent, 1.0);
        let up = DQuat::from_rotation_x(0.5 * std::f64::consts::PI);
        (field, Pose::from_rotation(up))
    }
}

fn shapes(r: &mut Numbers) -> Vec<(&'static str, Shape)> {
    let points: Vec<DVec3> = (0..14).map(|_| 0.2 * r.vector()).collect();
    let cube: Vec<DVec3> =
        (0..8).map(|k| 0.12 * DVec3::new([-1.0, 1.0][k & 1], [-1.0, 1.0][k >> 1 & 1], [-1.0, 1.0][k >> 2])).collect();
    let hull = stiction::shape::ConvexHull::new(&cube).unwrap();
    vec![
        ("box", Shape::cuboid(DVec3::new(0.2, 0.3, 0.4)).unwrap()),
        ("hull", Shape::convex_hull(&points).unwrap()),
        ("mesh", Shape::triangle_mesh(hull.vertices(), hull.triangles()).unwrap()),
        ("sphere", Shape::sphere(0.15).unwrap()),
        ("capsule", Shape::capsule(0.1, 0.3).unwrap()),
        ("cylinder", Shape::cylinder(0.15, 0.3).unwrap()),
        ("cone", Shape::cone(0.15, 0.3).unwrap()),
        ("ellipsoid", Shape::ellipsoid(DVec3::new(0.1, 0.15, 0.2)).unwrap()),
    ]
}

/// How deep a body is in the ground, by places of its surface and of the ground's [m].
fn overlap(ground: &Ground, shape: &Shape, pose: &Pose, r: &mut Numbers) -> f64 {
    let mut most = f64::NEG_INFINITY;
    for _ in 0..200 {
        let direction = r.vector();
        let place = pose.point(shape.support(pose.inverse_direction(direction)));
        most = most.max(ground.height(place.x, place.y) - place.z);
    }
    let cell = |v: f64| (v / CELL + 0.5 * CELLS as f64).round().clamp(2.0, CELLS as f64 - 2.0) as usize;
    let (i, j) = (cell(pose.position.x), cell(pose.position.y));
    for (i, j) in (i - 2..=i + 2).flat_map(|i| (j - 2..=j + 2).map(move |j| (i, j))) {
        most = most.max(shape.point_depth(pose, ground.corner(i, j)));
    }
    most
}

/// Drops bodies of a shape, each at a place of its own, and judges them on the way and in the end.
fn drop(name: &str, shape: &Shape, ground: &Ground, (base, place): &(Shape, Pose), count: usize, r: &mut Numbers) {
    let mut world = world();
    world
        .add_geom(&GeomDefinition { pose: *place, surface: rough(0.8), ..GeomDefinition::new(base.clone(), None) })
        .unwrap();
    let row = (count as f64).sqrt().ceil() as usize;
    let spread = |k: usize| 0.8 * CELL * CELLS as f64 * ((k as f64 + 0.5) / row as f64 - 0.5);
    let bodies: Vec<BodyId> = (0..count)
        .map(|k| {
            let (x, y) = (spread(k % row), spread(k / row));
            let pose = Pose::new(DVec3::new(x, y, ground.height(x, y) + 0.6 + 0.3 * r.next()), r.rotation());
            add_shape(&mut world, shape.clone(), 2.0, pose, rough(0.8))
        })
        .collect();
    let rolls = matches!(name, "sphere" | "capsule" | "cylinder" | "cone" | "ellipsoid");
    let (mut least, mut made) = (world.energy().total(), 0.0f64);
    let fallen = 2.0 * GRAVITY * count as f64;
    for step in 0..(5.0 / STEP) as usize {
        world.step(STEP);
        let now = world.energy().total();
        made = made.max((now - least) / fallen);
        assert!(made < 1e-3, "{name}: {} J made up to step {step}", now - least);
        least = least.min(now);
    }
    let mut moving = 0;
    for id in &bodies {
        let body = body(&world, *id);
        let pose = body.pose();
        let is_over = pose.position.truncate().abs().max_element() < 0.45 * CELL * CELLS as f64;
        if !is_over {
            continue;
        }
        let deep = overlap(ground, shape, &pose, r);
        assert!(deep < 1e-3, "{name}: {deep} m deep");
        let rests = body.velocity().length() < 1e-4;
        moving += usize::from(!rests);
        if rests {
            let gap = distance(shape, &pose, base, place, 1.0).map_or(0.0, |found| found.distance);
            assert!(gap < 1e-4, "{name}: hangs {gap} m over the ground");
        }
    }
    assert!(rolls || moving * 4 <= count, "{name}: {moving} of {count} move");
    if !rolls {
        let counts = world.report().counts;
        assert!(counts.patches_kept * 2 >= counts.patches, "{name}: {counts:?}");
    }
    if count > 20 {
        println!("{name}: {moving} of {count} move, made {made:.1e}");
    }
}

#[test]
fn what_falls_on_triangles_rests_on_them() {
    let count: usize = std::env::var("TRIANGLE_DROPS").ok().and_then(|n| n.parse().ok()).unwrap_or(9);
    let mut r = Numbers(31);
    for roughness in [0.0, 0.03, 0.08] {
        let mut ground = Ground::new(&mut r, roughness);
        for (name, shape) in shapes(&mut r) {
            ground.is_field = false;
            drop(name, &shape, &ground, &ground.sheet(), count, &mut r);
            ground.is_field = true;
            drop(name, &shape, &ground, &ground.field(), count, &mut r);
        }
    }
}

#[test]
fn what_falls_on_planes_and_boxes_rests_on_them() {
    let count: usize = std::env::var("TRIANGLE_DROPS").ok().and_then(|n| n.parse().ok()).unwrap_or(9);
    let mut r = Numbers(37);
    let ground = Ground { heights: vec![0.0; (CELLS + 1) * (CELLS + 1)], is_field: false };
    let extent = CELL * CELLS as f64;
    let floor = Shape::cuboid(DVec3::new(extent, extent, 1.0)).unwrap();
    let bases = [
        (Shape::plane(DVec3::Z, 0.0).unwrap(), Pose::IDENTITY),
        (floor, Pose::from_position(DVec3::Z * -0.5)),
        ground.sheet(),
    ];
    for base in bases {
        for (name, shape) in shapes(&mut r) {
            drop(name, &shape, &ground, &base, count, &mut r);
        }
    }
}

/// Sum of the forces on a body, and their moment about its centre [N, N m].
fn wrench(world: &World, id: BodyId) -> (DVec3, DVec3) {
    let center = body(world, id).center_of_mass();
    let (mut force, mut moment) = (DVec3::ZERO, DVec3::ZERO);
    for contact in world.contact_reports() {
        let sign = if contact.bodies[0] == Some(id) { 1.0 } else { -1.0 };
        force += sign * contact.force;
        moment += (contact.position - center).cross(sign * contact.force);
    }
    (force, moment)
}

#[test]
fn few_points_carry_what_all_of_them_carry() {
    let flat = Ground { heights: vec![0.0; (CELLS + 1) * (CELLS + 1)], is_field: false };
    let prism: Vec<DVec3> = (0..24)
        .map(|k| DQuat::from_rotation_z(f64::from(k / 2) * std::f64::consts::TAU / 12.0) * DVec3::X)
        .enumerate()
        .map(|(k, v)| (0.4 * v).with_z(if k % 2 == 0 { -0.1 } else { 0.1 }))
        .collect();
    let hull = stiction::shape::ConvexHull::new(&prism).unwrap();
    let solids = [
        ("box", Shape::cuboid(DVec3::new(0.9, 0.7, 0.2)).unwrap()),
        ("cylinder", Shape::cylinder(0.4, 0.2).unwrap()),
        ("prism", Shape::convex_hull(&prism).unwrap()),
        ("mesh", Shape::triangle_mesh(hull.vertices(), hull.triangles()).unwrap()),
    ];
    for (name, shape) in solids {
        let mut ends = Vec::new();
        for most in [4, 10, 64] {
            let mut parameters = WorldParameters { gravity: DVec3::NEG_Z * GRAVITY, ..WorldParameters::default() };
            Preset::Stiction.apply(&mut parameters);
            (parameters.max_contacts, parameters.sleeping) = (most, false);
            let mut world = World::new(parameters);
            let base = flat.sheet().0;
            world.add_geom(&GeomDefinition { surface: rough(0.8), ..GeomDefinition::new(base, None) }).unwrap();
            let pose = Pose::new(DVec3::new(0.07, 0.03, 0.1), DQuat::from_rotation_z(0.3));
            let id = add_shape(&mut world, shape.clone(), 2.0, pose, rough(0.8));
            let mut mass = shape.mass_properties(1.0).unwrap().with_mass(20.0);
            mass.center_of_mass = DVec3::new(0.12, -0.08, 0.0);
            world.body_mut(id).unwrap().set_mass(&mass).unwrap();
            run(&mut world, STEP, 2.0);
            let (force, moment) = wrench(&world, id);
            let weight = 20.0 * GRAVITY;
            assert!((force - DVec3::Z * weight).length() < 1e-3 * weight, "{name} {most}: {force} N");
            assert!(moment.length() < 1e-3 * weight * 0.4, "{name} {most}: {moment} N m");
            assert!(body(&world, id).velocity().length() < 1e-6, "{name} {most}");
            ends.push(body(&world, id).pose());
        }
        for end in &ends {
            // Softer under fewer points by micrometres.
            assert!((end.position - ends[2].position).length() < 1e-4, "{name}: {end:?}");
            assert!(end.rotation.angle_between(ends[2].rotation) < 3e-4, "{name}: {end:?}");
        }
    }
}
