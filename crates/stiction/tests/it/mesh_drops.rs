//! Bodies of every shape dropped onto terrain at up to about a radius a step: none goes through.
//!
//! `MESH_DROPS` is the number of bodies of each shape, preset and ground (a few if absent).

#![expect(clippy::unwrap_used, reason = "a test")]

use crate::numbers;
use crate::support::square_field;

use numbers::Numbers;
use stiction::material::Surface;
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyDefinition, BodyId, Coordinates, GeomDefinition, Preset, World, WorldParameters};

/// Cells of the terrain along x and y, and their size \[m\].
const CELLS: usize = 48;
const CELL: f64 = 0.5;

fn height(x: f64, y: f64) -> f64 {
    0.35 * (0.9 * x).sin() * (0.7 * y + 0.3).cos() + 0.1 * (2.1 * x + 1.3 * y).sin()
}

fn at(i: usize) -> f64 {
    CELL * (i as f64 - 0.5 * CELLS as f64)
}

/// Height of the triangles over a place, split as the field is.
fn surface(x: f64, y: f64) -> f64 {
    let place = |v: f64| ((v - at(0)) / CELL).clamp(0.0, CELLS as f64 - 1e-9);
    let (u, v) = (place(x), place(y));
    let (i, j) = (u as usize, v as usize);
    let (u, v) = (u - i as f64, v - j as f64);
    let h = |i: usize, j: usize| height(at(i), at(j));
    if u + v <= 1.0 {
        h(i, j) + u * (h(i + 1, j) - h(i, j)) + v * (h(i, j + 1) - h(i, j))
    } else {
        let top = h(i + 1, j + 1);
        top + (1.0 - u) * (h(i, j + 1) - top) + (1.0 - v) * (h(i + 1, j) - top)
    }
}

/// The open surface, counter-clockwise from above.
fn sheet() -> Vec<[DVec3; 3]> {
    let p = |i: usize, j: usize| DVec3::new(at(i), at(j), height(at(i), at(j)));
    let cells = (0..CELLS).flat_map(|j| (0..CELLS).map(move |i| (i, j)));
    cells
        .flat_map(|(i, j)| [[p(i, j), p(i + 1, j), p(i, j + 1)], [p(i + 1, j + 1), p(i, j + 1), p(i + 1, j)]])
        .collect()
}

/// The surface with sides and a bottom 2 m below: a solid.
fn closed() -> Vec<[DVec3; 3]> {
    let mut triangles = sheet();
    let down = |p: DVec3| p.with_z(-2.0);
    let bottom: Vec<[DVec3; 3]> = triangles.iter().map(|t| [down(t[0]), down(t[2]), down(t[1])]).collect();
    let p = |i: usize, j: usize| DVec3::new(at(i), at(j), height(at(i), at(j)));
    for k in 0..CELLS {
        for (a, b) in [
            (p(k, 0), p(k + 1, 0)),
            (p(k + 1, CELLS), p(k, CELLS)),
            (p(0, k + 1), p(0, k)),
            (p(CELLS, k), p(CELLS, k + 1)),
        ] {
            triangles.extend([[down(a), down(b), b], [down(a), b, a]]);
        }
    }
    triangles.extend(bottom);
    triangles
}

fn mesh(triangles: &[[DVec3; 3]]) -> Shape {
    let vertices: Vec<DVec3> = triangles.iter().flatten().copied().collect();
    let indices: Vec<[u32; 3]> = (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Shape::triangle_mesh(&vertices, &indices).unwrap()
}

/// The ground with its pose: z is up in the world.
fn ground(name: &str) -> (Shape, Pose) {
    if name != "field" {
        return (mesh(&if name == "closed" { closed() } else { sheet() }), Pose::IDENTITY);
    }
    // The field's y is up, its z is -y of the world.
    let n = CELLS + 1;
    let heights: Vec<f64> = (0..n * n).map(|k| height(at(k % n), -at(k / n))).collect();
    let extent = CELL * CELLS as f64;
    let field = square_field(&heights, n, extent, 1.0);
    let up = stiction::math::DQuat::from_rotation_x(0.5 * std::f64::consts::PI);
    (field, Pose::from_rotation(up))
}

fn cube(half: f64) -> Vec<DVec3> {
    let side = |i: u32, bit: u32| if i & bit != 0 { half } else { -half };
    (0..8).map(|i| DVec3::new(side(i, 1), side(i, 2), side(i, 4))).collect()
}

/// A star of five points, concave.
fn star() -> Shape {
    let at = |k: usize, z: f64| {
        let (r, a) = (if k.is_multiple_of(2) { 0.2 } else { 0.1 }, 0.2 * std::f64::consts::PI * k as f64);
        DVec3::new(r * a.cos(), r * a.sin(), z)
    };
    let mut triangles = Vec::new();
    for k in 0..10 {
        let l = (k + 1) % 10;
        let (top, bottom) = (DVec3::Z * 0.08, DVec3::Z * -0.08);
        triangles.extend([[top, at(k, 0.08), at(l, 0.08)], [bottom, at(l, -0.08), at(k, -0.08)]]);
        triangles.extend([[at(k, -0.08), at(l, -0.08), at(l, 0.08)], [at(k, -0.08), at(l, 0.08), at(k, 0.08)]]);
    }
    mesh(&triangles)
}

fn shapes(r: &mut Numbers) -> Vec<(&'static str, Shape)> {
    let points: Vec<DVec3> = (0..14).map(|_| 0.2 * r.vector()).collect();
    let hull = stiction::shape::ConvexHull::new(&cube(0.12)).unwrap();
    vec![
        ("sphere", Shape::sphere(0.1).unwrap()),
        ("box", Shape::cuboid(DVec3::new(0.2, 0.3, 0.4)).unwrap()),
        ("capsule", Shape::capsule(0.1, 0.2).unwrap()),
        ("cylinder", Shape::cylinder(0.12, 0.3).unwrap()),
        ("cone", Shape::cone(0.15, 0.3).unwrap()),
        ("ellipsoid", Shape::ellipsoid(DVec3::new(0.1, 0.15, 0.2)).unwrap()),
        ("hull", Shape::convex_hull(&points).unwrap()),
        ("mesh cube", Shape::triangle_mesh(hull.vertices(), hull.triangles()).unwrap()),
        ("mesh star", star()),
    ]
}

fn parameters(preset: Preset, coordinates: Option<Coordinates>) -> WorldParameters {
    let mut parameters = WorldParameters { gravity: DVec3::NEG_Z * 9.81, ..WorldParameters::default() };
    preset.apply(&mut parameters);
    if let Some(coordinates) = coordinates {
        parameters.coordinates = coordinates;
    }
    parameters
}

/// Bodies whose centre ends below the surface.
fn lost(shape: &Shape, ground: &(Shape, Pose), parameters: WorldParameters, count: usize, seed: u64) -> usize {
    let mut r = Numbers(seed);
    // Compliant contacts need short steps: at 60 Hz their bodies sink through a plane as well.
    let is_soft = parameters.combination == stiction::material::Combination::Compliant;
    let mut world = World::new(parameters);
    world.add_geom(&GeomDefinition { pose: ground.1, ..GeomDefinition::new(ground.0.clone(), None) }).unwrap();
    let rough = Surface { friction: [0.6; 2], ..Surface::default() };
    let row = (count as f64).sqrt().ceil() as usize;
    let bodies: Vec<BodyId> = (0..count)
        .map(|k| {
            let spread = |i: usize| 18.0 * ((i as f64 + 0.5) / row as f64 - 0.5) + 0.3 * (i as f64 * 1.7).sin();
            let (x, y) = (spread(k % row), spread(k / row));
            let pose = Pose::new(DVec3::new(x, y, surface(x, y) + 1.5 + 0.3 * r.next()), r.rotation());
            let mass = shape.mass_properties(1000.0).unwrap();
            let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
            world
                .add_geom(&GeomDefinition { surface: rough, ..GeomDefinition::new(shape.clone(), Some(body)) })
                .unwrap();
            body
        })
        .collect();
    // 5.4 m/s at the first touch: 9 cm a step.
    let step = if is_soft { 2e-3 } else { 1.0 / 60.0 };
    for _ in 0..(1.5 / step) as usize {
        world.step(step);
    }
    let is_lost = |body: &&BodyId| {
        let place = world.body(**body).unwrap().pose().position;
        let is_over = place.x.abs() < at(CELLS) && place.y.abs() < at(CELLS);
        !place.is_finite() || is_over && place.z < surface(place.x, place.y) || place.z < -1.0
    };
    bodies.iter().filter(is_lost).count()
}

#[test]
fn nothing_falls_through_terrain() {
    let count: usize = std::env::var("MESH_DROPS").ok().and_then(|n| n.parse().ok()).unwrap_or(9);
    let presets = [
        (Preset::Ode, None),
        (Preset::Ode, Some(Coordinates::Reduced)),
        (Preset::OdeQuick, None),
        (Preset::DrakeDiscrete, None),
        (Preset::Stiction, None),
    ];
    let mut r = Numbers(21);
    let mut all = 0;
    for (name, shape) in shapes(&mut r) {
        for place in ["field", "closed", "open"] {
            let ground = ground(place);
            for (preset, coordinates) in presets {
                let found = lost(&shape, &ground, parameters(preset, coordinates), count, 5);
                all += found;
                if found > 0 || count > 100 {
                    println!("{name} {place} {} {coordinates:?}: {found} of {count} lost", preset.name());
                }
            }
        }
    }
    assert_eq!(all, 0, "bodies lost");
}
