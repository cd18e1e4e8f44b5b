//! Concave bodies on each other: brackets, forks and cups of triangles come to rest and carry their weight without a tremor.

use super::*;

/// A prism of an outline in x and z, seen counter-clockwise from -y, and its triangles.
fn prism(outline: &[[f64; 2]], face: &[[u32; 3]], depth: f64) -> Shape {
    let n = outline.len() as u32;
    let at = |y: f64| outline.iter().map(move |[x, z]| DVec3::new(*x, y, *z));
    let corners: Vec<DVec3> = at(-0.5 * depth).chain(at(0.5 * depth)).collect();
    let mut triangles = face.to_vec();
    triangles.extend(face.iter().map(|[a, b, c]| [n + a, n + c, n + b]));
    for k in 0..n {
        let l = (k + 1) % n;
        triangles.extend([[k, n + k, n + l], [k, n + l, l]]);
    }
    Shape::triangle_mesh(&corners, &triangles).unwrap()
}

/// An L of 0.3 m by 0.2 m, of 4 cm sheet.
fn angle() -> Shape {
    let outline = [[-0.15, 0.0], [0.15, 0.0], [0.15, 0.04], [-0.11, 0.04], [-0.11, 0.2], [-0.15, 0.2]];
    prism(&outline, &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]], 0.12)
}

/// A U that is open above, 0.3 m by 0.2 m.
fn fork() -> Shape {
    let outline =
        [[-0.15, 0.0], [0.15, 0.0], [0.15, 0.2], [0.11, 0.2], [0.11, 0.04], [-0.11, 0.04], [-0.11, 0.2], [-0.15, 0.2]];
    prism(&outline, &[[0, 1, 4], [0, 4, 5], [1, 2, 3], [1, 3, 4], [0, 5, 6], [0, 6, 7]], 0.12)
}

/// A closed body around z of a profile of radii and heights, which begins and ends on the axis.
fn turned(profile: &[[f64; 2]], sides: u32) -> Shape {
    let last = profile.len() - 1;
    let mut corners = vec![DVec3::Z * profile[0][1], DVec3::Z * profile[last][1]];
    for [r, z] in &profile[1..last] {
        corners.extend((0..sides).map(|k| {
            let (y, x) = (std::f64::consts::TAU * f64::from(k) / f64::from(sides)).sin_cos();
            DVec3::new(r * x, r * y, *z)
        }));
    }
    let at = |ring: u32, k: u32| 2 + sides * ring + k % sides;
    let rings = last as u32 - 1;
    let mut triangles = Vec::new();
    for k in 0..sides {
        triangles.push([0, at(0, k + 1), at(0, k)]);
        triangles.push([1, at(rings - 1, k), at(rings - 1, k + 1)]);
        for ring in 0..rings - 1 {
            triangles.push([at(ring, k), at(ring, k + 1), at(ring + 1, k + 1)]);
            triangles.push([at(ring, k), at(ring + 1, k + 1), at(ring + 1, k)]);
        }
    }
    Shape::triangle_mesh(&corners, &triangles).unwrap()
}

fn cup() -> Shape {
    turned(&[[0.0, 0.0], [0.12, 0.0], [0.12, 0.15], [0.1, 0.15], [0.1, 0.02], [0.0, 0.02]], 8)
}

/// A wide one with walls of 30 degrees.
fn bowl() -> Shape {
    turned(&[[0.0, -0.05], [0.7, -0.05], [0.7, 0.26], [0.6, 0.26], [0.15, 0.0], [0.0, 0.0]], 12)
}

/// An open sheet of squares.
fn table() -> Shape {
    let at = |k: u32| DVec3::new(0.2 * f64::from(k % 9) - 0.83, 0.2 * f64::from(k / 9) - 0.77, 0.0);
    let corners: Vec<DVec3> = (0..81).map(at).collect();
    let cells = (0..64).map(|k| k % 8 + 9 * (k / 8));
    let triangles: Vec<[u32; 3]> = cells.flat_map(|k| [[k, k + 1, k + 9], [k + 10, k + 9, k + 1]]).collect();
    Shape::triangle_mesh(&corners, &triangles).unwrap()
}

/// What lies on what: the ground, and bodies from below with the height of their frames above what they fall on, their yaw and whether
/// they are upside down.
struct Stack {
    name: &'static str,
    ground: Shape,
    bodies: Vec<(Shape, DVec3, f64, bool)>,
}

fn stacks() -> Vec<Stack> {
    let plane = || Shape::plane(DVec3::Z, 0.0).unwrap();
    let above = |x: f64, y: f64, z: f64| DVec3::new(x, y, z + 0.01);
    vec![
        Stack {
            name: "L across an L on a table of triangles",
            ground: table(),
            bodies: vec![(angle(), above(0.0, 0.0, 0.0), 0.3, false), (angle(), above(0.06, 0.02, 0.05), 1.6, false)],
        },
        Stack {
            name: "L over the corner of an L",
            ground: plane(),
            bodies: vec![(angle(), above(0.0, 0.0, 0.0), 0.0, false), (angle(), above(0.05, 0.0, 0.25), 0.2, true)],
        },
        Stack {
            name: "U on the prongs of a U",
            ground: table(),
            bodies: vec![(fork(), above(0.0, 0.0, 0.0), 0.1, false), (fork(), above(0.01, 0.0, 0.21), 0.4, false)],
        },
        Stack {
            name: "U astride a U",
            ground: plane(),
            bodies: vec![(fork(), above(0.0, 0.0, 0.0), 0.0, false), (fork(), above(0.05, 0.01, 0.41), 0.1, true)],
        },
        Stack { name: "L in a bowl", ground: bowl(), bodies: vec![(angle(), above(0.1, 0.05, 0.1), 0.5, false)] },
        Stack {
            name: "U in a bowl on an L",
            ground: bowl(),
            bodies: vec![(angle(), above(0.0, 0.0, 0.02), 0.5, false), (fork(), above(0.05, 0.0, 0.25), 1.2, false)],
        },
        Stack {
            name: "cup on a cup, with an L on its rim",
            ground: table(),
            bodies: vec![
                (cup(), above(0.0, 0.0, 0.0), 0.2, false),
                (cup(), above(0.01, 0.01, 0.16), 0.5, false),
                (angle(), above(0.0, 0.0, 0.32), 0.7, false),
            ],
        },
    ]
}

/// Sum of the forces of contacts on a body [N].
fn force_on(world: &World, id: BodyId) -> DVec3 {
    let of = |contact: &stiction::world::ContactReport| match contact.bodies {
        [Some(first), _] if first == id => contact.force,
        [_, Some(second)] if second == id => -contact.force,
        _ => DVec3::ZERO,
    };
    world.contact_reports().iter().map(of).sum()
}

#[test]
fn concave_bodies_on_each_other_come_to_rest_and_carry_their_weight() {
    let (mut speeds, mut loads) = (0.0f64, 0.0f64);
    for step in [1.0 / 60.0, 1.0 / 240.0, 1e-3] {
        for Stack { name, ground, bodies } in stacks() {
            let mut world = world();
            world.add_geom(&GeomDefinition { surface: rough(0.7), ..GeomDefinition::new(ground, None) }).unwrap();
            let mut ids = Vec::new();
            for (k, (shape, place, yaw, is_down)) in bodies.into_iter().enumerate() {
                let tilt = DQuat::from_rotation_x(0.02 * (1 + k) as f64);
                let up = if is_down { DQuat::from_rotation_x(std::f64::consts::PI) } else { DQuat::IDENTITY };
                let pose = Pose { position: place, rotation: DQuat::from_rotation_z(yaw) * tilt * up };
                ids.push(add_shape(&mut world, shape, 1.0 + k as f64, pose, rough(0.7)));
            }
            run(&mut world, step, 2.0);
            let (mut fastest, mut off) = (0.0f64, 0.0f64);
            for _ in 0..(1.0 / step) as usize {
                world.step(step);
                for id in &ids {
                    let own = body(&world, *id);
                    let weight = own.mass() * GRAVITY;
                    fastest = fastest.max(own.velocity().length() + 0.25 * own.omega().length());
                    off = off.max((force_on(&world, *id) - weight * DVec3::Z).length() / weight);
                }
            }
            println!("{name}, step {step:.1e}: fastest {fastest:.1e} m/s, load off by {off:.1e}");
            speeds = speeds.max(fastest);
            loads = loads.max(off);
        }
    }
    hold("speed of concave bodies at rest [m/s]", speeds, 1e-4);
    hold("load of concave bodies by their weight", loads, 0.01);
}
