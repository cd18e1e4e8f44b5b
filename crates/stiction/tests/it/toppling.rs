//! Positions follow velocities: what falls, topples, slides and spins on the ground with thin parts comes to lie there.

use std::sync::Arc;

use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::{Heightfield, HeightfieldDefinition, MassProperties, Shape, TriangleMesh};
use stiction::world::{BodyDefinition, BodyId, GeomDefinition, Preset, World, WorldParameters};
use stiction_testing::cases;

use super::support::{FIXED_STEP_ENGINES as ENGINES, GRAVITY, Sequence};

fn world(engine: Preset) -> World {
    let mut parameters = WorldParameters { gravity: -GRAVITY * DVec3::Z, ..WorldParameters::default() };
    engine.apply(&mut parameters);
    World::new(parameters)
}

/// A rod of given thickness and length, its lower edge on a plane, leaning from the vertical by `lean` \[rad\].
fn leaning_rod(world: &mut World, length: f64, thickness: f64, lean: f64) -> BodyId {
    let mut ground = GeomDefinition::new(Shape::plane(DVec3::Z, 0.0).unwrap(), None);
    ground.surface.friction = [1e3; 2];
    world.add_geom(&ground).unwrap();
    let size = DVec3::new(thickness, thickness, length);
    let rotation = DQuat::from_rotation_y(lean);
    // The edge at x > 0 touches.
    let edge = rotation * DVec3::new(0.5 * thickness, 0.0, -0.5 * length);
    let definition = BodyDefinition {
        pose: Pose::new(DVec3::new(0.0, 0.0, -edge.z), rotation),
        mass: MassProperties::cuboid(1000.0, size),
        ..BodyDefinition::default()
    };
    let rod = world.add_body(&definition).unwrap();
    let mut shape = GeomDefinition::new(Shape::cuboid(size).unwrap(), Some(rod));
    shape.surface = ground.surface;
    world.add_geom(&shape).unwrap();
    rod
}

/// A rod that turns about its lower edge: with R from the edge to the centre, `I = 4/3 m R²` and φ from the vertical to that line,
/// `ω² = 3 g (cos φ₀ − cos φ) / (2 R)`; it lies when the line has fallen to `π/2 − atan(t / L)`. The edge carries weight all the way
/// (the least is `m g sin² φ₀ / 4` or so), so it turns about the edge until then.
#[test]
fn a_leaning_rod_falls_like_the_closed_form() {
    let mut s = Sequence(11);
    for engine in ENGINES {
        for case in 0..cases(12, 200) {
            let length = 10f64.powf(-0.7 + 0.5 * (1.0 + s.next()));
            let thickness = length * 10f64.powf(-1.75 + 0.5 * s.next());
            let lean = 0.3 + 0.45 * (1.0 + s.next());
            let mut world = world(engine);
            let rod = leaning_rod(&mut world, length, thickness, lean);
            let radius = 0.5 * length.hypot(thickness);
            let corner = (thickness / length).atan();
            // The edge that touches is on the side to which it leans.
            let (start, end) = (lean - corner, std::f64::consts::FRAC_PI_2 - corner);
            let stop = 0.9 * end;
            let rate = |phi: f64| (1.5 * GRAVITY * (start.cos() - phi.cos()) / radius).sqrt();
            // With φ = φ₀ + u² the time has no singularity at the start.
            let parts = 4000;
            let most = (stop - start).sqrt();
            let time: f64 = (0..parts)
                .map(|k| (f64::from(k) + 0.5) / f64::from(parts) * most)
                .map(|u| 2.0 * u / rate(start + u * u) * most / f64::from(parts))
                .sum();
            let mut passed = None;
            for step in 1..20_000 {
                world.step(1e-3);
                let body = world.body(rod).unwrap();
                let axis = body.pose().rotation * DVec3::Z;
                let phi = axis.x.atan2(axis.z) - corner;
                if phi > stop {
                    passed = Some((f64::from(step) * 1e-3, phi, body.omega().y));
                    break;
                }
            }
            let label = format!("{engine:?}, case {case}: {length} m by {thickness} m, lean {lean}");
            let (at, phi, omega) = passed.unwrap_or_else(|| panic!("{label}: never falls"));
            assert!((at - time).abs() < 0.01 * time + 2e-3, "{label}: after {at} s for {time} s");
            let exact = rate(phi);
            assert!((omega / exact - 1.0).abs() < 0.02, "{label}: {omega} rad/s for {exact}");
        }
    }
}

/// Something that has to come to lie.
struct Thing {
    name: &'static str,
    shape: Shape,
    mass: MassProperties,
    /// Height of the centre of mass where it lies \[m\], as low as it can; none where that depends on the face.
    lowest: Option<f64>,
    size: f64,
}

fn thing(kind: usize, s: &mut Sequence) -> Thing {
    let size = 10f64.powf(-0.85 + 1.15 * s.next());
    let thin = size * 10f64.powf(-1.3 + 0.7 * s.next());
    let half = 0.5 * thin;
    let density = 1000.0;
    let boxed = |name, sides: DVec3| Thing {
        name,
        shape: Shape::cuboid(sides).unwrap(),
        mass: MassProperties::cuboid(density, sides),
        lowest: Some(0.5 * sides.min_element()),
        size,
    };
    match kind {
        0 => boxed("rod", DVec3::new(thin, 1.5 * thin, size)),
        1 => boxed("plate", DVec3::new(size, 0.7 * size, thin)),
        2 => Thing {
            name: "stick",
            shape: Shape::capsule(half, size).unwrap(),
            mass: MassProperties::capsule(density, half, size),
            lowest: Some(half),
            size,
        },
        3 => Thing {
            name: "pencil",
            shape: Shape::cylinder(half, size).unwrap(),
            mass: MassProperties::cylinder(density, half, size),
            lowest: Some(half),
            size,
        },
        4 => Thing {
            name: "coin",
            shape: Shape::cylinder(0.5 * size, thin).unwrap(),
            mass: MassProperties::cylinder(density, 0.5 * size, thin),
            lowest: Some(half),
            size,
        },
        5 => {
            let height = size;
            let mass = MassProperties::cone(density, half, height);
            Thing { name: "cone", shape: Shape::cone(half, height).unwrap(), mass, lowest: None, size }
        }
        6 => {
            let corners: Vec<DVec3> = (0..10).map(|_| s.vector() * DVec3::new(size, size, thin)).collect();
            let shape = Shape::convex_hull(&corners).unwrap();
            let mass = shape.mass_properties(density).unwrap();
            Thing { name: "hull", shape, mass, lowest: None, size }
        }
        _ => {
            let (shape, mass) = ring(0.5 * size, half.min(0.2 * size));
            Thing { name: "ring", shape, mass, lowest: Some(half.min(0.2 * size)), size }
        }
    }
}

/// A ring of square section as a mesh about z: mean radius and half its thickness \[m\].
fn ring(radius: f64, half: f64) -> (Shape, MassProperties) {
    let count = 16u32;
    let mut vertices = Vec::new();
    for k in 0..count {
        let angle = f64::from(k) * std::f64::consts::TAU / f64::from(count);
        for (r, z) in [(-half, -half), (half, -half), (half, half), (-half, half)] {
            vertices.push(DVec3::new((radius + r) * angle.cos(), (radius + r) * angle.sin(), z));
        }
    }
    let mut triangles = Vec::new();
    for k in 0..count {
        let next = (k + 1) % count;
        for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
            let [p, q, r, t] = [4 * k + a, 4 * k + b, 4 * next + b, 4 * next + a];
            triangles.extend([[p, r, q], [p, t, r]]);
        }
    }
    let mesh = TriangleMesh::new(&vertices, &triangles).unwrap();
    let shape = Shape::TriangleMesh(Arc::new(mesh));
    let mut mass = shape.mass_properties(1000.0).unwrap();
    if mass.mass < 0.0 {
        triangles.iter_mut().for_each(|t| t.swap(1, 2));
        let shape = Shape::TriangleMesh(Arc::new(TriangleMesh::new(&vertices, &triangles).unwrap()));
        mass = shape.mass_properties(1000.0).unwrap();
        return (shape, mass);
    }
    (shape, mass)
}

fn add_ground(world: &mut World, kind: usize, size: f64) {
    let half = 40.0 * size.max(0.05);
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| half * DVec3::new(x, y, 0.0));
    let (shape, pose) = match kind {
        0 => (Shape::plane(DVec3::Z, 0.0).unwrap(), Pose::IDENTITY),
        1 => {
            let sides = DVec3::new(2.0 * half, 2.0 * half, 0.2 * half);
            (Shape::cuboid(sides).unwrap(), Pose::from_position(-0.1 * half * DVec3::Z))
        }
        2 => (Shape::triangle_mesh(&corners, &[[0, 1, 2], [0, 2, 3]]).unwrap(), Pose::IDENTITY),
        _ => {
            let heights = [0.0; 81];
            let field = HeightfieldDefinition {
                heights: &heights,
                columns: 9,
                rows: 9,
                width: 2.0 * half,
                depth: 2.0 * half,
                scale: 1.0,
                offset: 0.0,
                thickness: 0.1 * half,
                wraps: false,
            };
            let upright = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
            (Shape::Heightfield(Arc::new(Heightfield::new(&field).unwrap())), Pose::new(DVec3::ZERO, upright))
        }
    };
    world.add_geom(&GeomDefinition { pose, ..GeomDefinition::new(shape, None) }).unwrap();
}

/// Tilted about a horizontal axis, and turned about the vertical.
fn tilted(s: &mut Sequence, tilt: f64) -> DQuat {
    let yaw = DQuat::from_rotation_z(3.0 * s.next());
    let about = if s.next() > 0.0 { DVec3::X } else { DVec3::Y };
    yaw * DQuat::from_axis_angle(about, tilt)
}

/// Dropped, slid, rolled and spun, flat and tilted. The way of the centre is the sum of its velocities, but for an impact's part of
/// one step; in the end it lies, or it moves as its velocity says.
#[test]
fn what_falls_comes_to_lie() {
    let (mut faults, mut coarse) = (Vec::new(), Vec::new());
    let count = cases(480, 10_000);
    for case in 0..count {
        let mut s = Sequence(1000 + case as u64);
        let engine = ENGINES[case % ENGINES.len()];
        let Thing { name, shape, mass, lowest, size } = thing((case / 8) % 8, &mut s);
        let on = (case / 64 + case / 8) % 4;
        if engine == Preset::Dart && name == "ring" && on >= 2 {
            // Of a mesh on a mesh only the deepest vertices count, and DART's slow push lets each next one come deeper.
            continue;
        }
        let step = 5e-4 * 32f64.powf(0.5 * (1.0 + s.next()));
        let tilt = 0.05 + 0.725 * (1.0 + s.next());
        let rotation = tilted(&mut s, tilt);
        let bounds = shape.aabb(&Pose::new(DVec3::ZERO, rotation));
        let gap = if s.next() > 0.0 { 0.0 } else { 0.5 * size * (1.0 + s.next()) };
        let speed = (GRAVITY * size).sqrt();
        let (velocity, omega) = match case % 4 {
            0 => (DVec3::ZERO, DVec3::ZERO),
            1 => (2.0 * speed * s.vector().with_z(0.0), DVec3::ZERO),
            2 => (speed * s.vector().with_z(0.0), 4.0 * speed / size * s.vector()),
            _ => (DVec3::ZERO, 10.0 * speed / size * s.next() * DVec3::Z),
        };
        let mut world = world(engine);
        add_ground(&mut world, on, size);
        let position = DVec3::new(0.1 * size * s.next(), 0.1 * size * s.next(), gap - bounds.min.z);
        let definition =
            BodyDefinition { pose: Pose::new(position, rotation), velocity, omega, mass, ..BodyDefinition::default() };
        let body = world.add_body(&definition).unwrap();
        world.add_geom(&GeomDefinition::new(shape, Some(body))).unwrap();
        let label =
            format!("case {case} {engine:?} {name} of {size:.4} m on {on}, tilt {tilt:.2}, gap {gap:.3}, h {step:.4}");

        let center = |world: &World| {
            let body = world.body(body).unwrap();
            (body.pose().point(mass.center_of_mass), body.velocity(), body.omega())
        };
        let time = 8.0 * (size / GRAVITY).sqrt() + 2.0;
        let steps = (time / step).ceil() as usize;
        let (mut lost, mut at, mut v) = (0.0, center(&world).0, center(&world).1);
        // An impact changes the velocity in its step or in the next; what overlaps is pushed out. A turn by more than half a
        // radian in a step is beyond rows that are linear in it.
        let mut is_reported = false;
        let (mut missing, mut change) = (0.0f64, 0.0);
        for _ in 0..steps {
            world.step(step);
            let (new, velocity, omega) = center(&world);
            let changes = step * (velocity - v).length();
            let pushed = world.contact_reports().iter().fold(0.0, |deepest: f64, c| deepest.max(c.depth));
            lost += (missing - change - changes).max(0.0);
            missing = -step * velocity.z - (at.z - new.z) - pushed;
            if step * omega.length() > 0.5 {
                missing = 0.0;
            }
            is_reported |= !world.report().passed_through.is_empty();
            change = changes;
            (at, v) = (new, velocity);
        }
        let (_, _, omega) = center(&world);
        let is_still = v.length() < 0.02 * speed && omega.length() * size < 0.05 * speed;
        // Steps that do not resolve a fall by its own size leave more to the test on the way.
        let is_coarse = step > 0.1 * (size / GRAVITY).sqrt();
        let mut fault =
            |what: String| if is_coarse { &mut coarse } else { &mut faults }.push(format!("{label}: {what}"));
        if lost > 0.05 * size {
            fault(format!("hung by {:.3} of its size, {:.3} m/s", lost / size, v.z));
        }
        let may_pass = engine == Preset::DrakeDiscrete && is_reported;
        if (at.z < -0.1 * size || !at.is_finite()) && !may_pass {
            fault(format!("fell through: {at}"));
        } else if let Some(lowest) = lowest
            && is_still
            // A thick rod rights itself from less.
            && tilt > 0.4
            && at.z > 1.6 * lowest + 0.05 * size
        {
            fault(format!("stands at {:.4} m, lying is {lowest:.4}", at.z));
        }
    }
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
    assert!(coarse.len() <= count / 100, "{} of {count} in coarse steps:\n{}", coarse.len(), coarse.join("\n"));
}

/// A box that is inset between balls of 0.1 µm at its corners, as Drake recommends it, falls tilted and lies on four of them.
#[test]
fn a_box_on_tiny_corner_spheres_lies() {
    for engine in ENGINES {
        for step in [1e-3, 1e-2] {
            let mut world = world(engine);
            world.add_geom(&GeomDefinition::new(Shape::plane(DVec3::Z, 0.0).unwrap(), None)).unwrap();
            let rotation = DQuat::from_rotation_y(0.2) * DQuat::from_rotation_x(0.3);
            let mass = MassProperties::cuboid(1.0, DVec3::splat(0.5)).with_mass(1.0);
            let pose = Pose::new(0.6 * DVec3::Z, rotation);
            let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
            world.add_geom(&GeomDefinition::new(Shape::cuboid(DVec3::splat(0.49)).unwrap(), Some(body))).unwrap();
            for [x, y, z] in (0..8).map(|k| [k & 1, k >> 1 & 1, k >> 2].map(|bit| 0.5 * f64::from(bit) - 0.25)) {
                let ball = GeomDefinition::new(Shape::sphere(1e-7).unwrap(), Some(body));
                let pose = Pose::from_position(DVec3::new(x, y, z));
                world.add_geom(&GeomDefinition { pose, ..ball }).unwrap();
            }
            let mut outrun = false;
            for _ in 0..(3.0 / step) as usize {
                world.step(step);
                outrun |= world.report().outrun.is_some();
            }
            let height = world.body(body).unwrap().pose().position.z;
            assert!((height - 0.25).abs() < 1e-3 && !outrun, "{engine:?}, {step} s: {height} m, {outrun}");
        }
    }
}

/// Under Drake's laws in continuous time as well, where points of contact that jump about a face or along a line use up every step:
/// what is set down flat, leaning or on its end comes to rest without a stop, and never has more energy than at the start.
#[test]
fn what_falls_in_continuous_time_comes_to_lie() {
    let mut faults = Vec::new();
    let count = cases(28, 2000);
    for case in 0..count {
        let mut s = Sequence(7000 + case as u64);
        let Thing { name, shape, mass, lowest, size } = thing(case % 7, &mut s);
        if size < 0.02 {
            // The contact of a body of a gram or less is so fast that a second of it takes many.
            continue;
        }
        let on = (case / 7) % 2;
        let tilt = [0.0, 0.05, 1.5][case % 3] + 0.02 * s.next();
        let rotation = tilted(&mut s, tilt);
        let bounds = shape.aabb(&Pose::new(DVec3::ZERO, rotation));
        let velocity = 0.3 * (GRAVITY * size).sqrt() * s.vector().with_z(0.0);
        let mut world = world(Preset::DrakeContinuous);
        add_ground(&mut world, on, size);
        let pose = Pose::new(DVec3::Z * (0.05 * size - bounds.min.z), rotation);
        let definition = BodyDefinition { pose, velocity, mass, ..BodyDefinition::default() };
        let body = world.add_body(&definition).unwrap();
        world.add_geom(&GeomDefinition::new(shape, Some(body))).unwrap();
        let label = format!("case {case} {name} of {size:.4} m on {on}, tilt {tilt:.2}");
        let (mut gained, mut highest) = (0.0, 0.0f64);
        for _ in 0..1000 {
            world.step(1e-3);
            gained += world.report().energy.change;
            highest = highest.max(gained);
            if world.report().outrun.is_some() {
                faults.push(format!("{label}: stopped at {} s", world.time()));
                break;
            }
        }
        let at = world.body(body).unwrap().pose().point(mass.center_of_mass);
        if highest > 1e-3 * mass.mass * GRAVITY * size {
            faults.push(format!("{label}: {highest} J more than at the start"));
        } else if !at.is_finite() || at.z < 0.2 * lowest.unwrap_or(0.0) - 2e-3 {
            faults.push(format!("{label}: at {at}"));
        }
    }
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
}
