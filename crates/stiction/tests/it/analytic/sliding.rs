//! Friction: slopes, sliding blocks, rolling balls, stacks.

use serde_json::Value;
use stiction::contact::friction::{Coupling, FrictionBound};
use stiction::material::{ContactSurface, Surface};
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyId, ContactDefinition, World, WorldParameters};

use super::closed_forms::*;
use super::mechanisms::{meta, shared};

fn rough(mu: f64) -> Surface {
    Surface { friction: [mu; 2], ..Surface::default() }
}

/// Gravity turned by the slope: downhill is +x.
fn slope(degrees: f64) -> WorldParameters {
    let angle = degrees.to_radians();
    WorldParameters { gravity: GRAVITY * DVec3::new(angle.sin(), 0.0, -angle.cos()), ..cone() }
}

fn on_slope(case: &Value, world: &mut World) -> BodyId {
    ground(world, rough(10.0));
    let mu = number(&case["mu"]);
    let ball = || Shape::sphere(0.1).unwrap();
    match case["shape"].as_str().unwrap() {
        "block" => {
            let shape = Shape::cuboid(DVec3::new(0.4, 0.4, 0.1)).unwrap();
            let mass = solid(&shape, 1.0);
            body(world, shape, mass, DVec3::new(0.0, 0.0, 0.05), rough(mu))
        }
        "tall_block" => {
            let height = 1.0;
            let width = height * number(&case["b_over_h"]);
            let shape = Shape::cuboid(DVec3::new(width, width, height)).unwrap();
            let mass = solid(&shape, 1.0);
            body(world, shape, mass, DVec3::new(0.0, 0.0, 0.5 * height), rough(mu))
        }
        "sphere" => {
            let mass = solid(&ball(), 1.0);
            body(world, ball(), mass, DVec3::new(0.0, 0.0, 0.1), rough(mu))
        }
        // A sphere with the inertia of a hoop, m r².
        "hoop" => body(world, ball(), mass(1.0, DVec3::splat(0.01)), DVec3::new(0.0, 0.0, 0.1), rough(mu)),
        "cylinder" => {
            let shape = Shape::cylinder(0.1, 0.3).unwrap();
            let mass = solid(&shape, 1.0);
            let id = body(world, shape, mass, DVec3::ZERO, rough(mu));
            let lying =
                Pose::from_xyz_rpy(DVec3::new(0.0, 0.0, 0.1), DVec3::new(std::f64::consts::FRAC_PI_2, 0.0, 0.0));
            world.body_mut(id).unwrap().set_pose(&lying).unwrap();
            id
        }
        other => panic!("{other}"),
    }
}

#[test]
fn slopes_let_stick_slide_roll_and_topple() {
    let Some(folder) = shared() else { return };
    for case in meta(&folder, "inclines")["cases"].as_array().unwrap() {
        let mut world = World::new(slope(number(&case["deg"])));
        let id = on_slope(case, &mut world);
        run_until(&mut world, 1.0, 1e-3);
        let b = world.body(id).unwrap();
        if let Some(topples) = case["topples"].as_bool() {
            let tilt = b.pose().rotation.angle_between(stiction::math::DQuat::IDENTITY);
            println!("tall block at {}°: tilt {tilt:.1e}", case["deg"]);
            assert_eq!(topples, tilt > 0.05, "{case}: {tilt}");
            assert!(topples || tilt < 1e-6, "{tilt}");
            continue;
        }
        let acceleration = number(&case["accel"]);
        let off = b.velocity().x - acceleration;
        let spin = case.get("alpha_r").map_or(0.0, |a| 0.1 * b.omega().y - number(a));
        println!("{} at {}°, {}: speed {off:+.1e}, spin {spin:+.1e}", case["shape"], case["deg"], case["state"]);
        // Constant forces: velocities of semi-implicit Euler are exact; the first steps settle 1e-9 of rounding depth.
        assert!(off.abs() < 1e-7 && spin.abs() < 1e-7, "{case}: {off} {spin}");
        assert!((b.pose().position.x - 0.5 * acceleration).abs() < 0.6e-3 * acceleration + 1e-7, "{case}");
    }
}

/// Slides the block of a case with contacts of the user's own at its corners, made anew in each step; returns where and
/// when it stops, and the largest distance from a reference trajectory in columns `columns`.
fn slide(meta: &Value, rows: &[Vec<f64>], coupling: Coupling, columns: [usize; 2], step: f64) -> (DVec3, f64, f64) {
    let p = &meta["params"];
    let mut world = World::new(exact());
    let sides = vector(&p["size"]);
    let shape = Shape::cuboid(sides).unwrap();
    let mass = solid(&shape, number(&p["mass"]));
    let block = world
        .add_body(&stiction::world::BodyDefinition {
            pose: Pose::from_position(DVec3::new(0.0, 0.0, 0.5 * sides.z)),
            velocity: DVec3::new(number(&p["v0"][0]), number(&p["v0"][1]), 0.0),
            mass,
            ..Default::default()
        })
        .unwrap();
    let surface = ContactSurface {
        friction: [number(&p["mu1"]), number(&p["mu2"])].map(FrictionBound::Coefficient),
        coupling,
        direction: Some(vector(&p["fdir1"])),
        ..ContactSurface::default()
    };
    let (mut stopped, mut worst, mut next) = (0.0, 0.0f64, 1);
    while world.time() < 1.0 {
        world.clear_contacts();
        let pose = world.body(block).unwrap().pose();
        for (x, y) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
            let position = pose.point(0.5 * DVec3::new(x * sides.x, y * sides.y, -sides.z));
            let bodies = [Some(block), None];
            world
                .add_contact(ContactDefinition { bodies, position, normal: DVec3::Z, depth: -position.z, surface })
                .unwrap();
        }
        world.step(step);
        let b = world.body(block).unwrap();
        if rows.get(next).is_some_and(|row| (world.time() - row[0]).abs() < 0.5 * step) {
            let reference = DVec3::new(rows[next][columns[0]], rows[next][columns[1]], 0.5 * sides.z);
            worst = worst.max((b.pose().position - reference).length());
            next += 1;
        }
        if stopped == 0.0 && b.velocity().length() < 1e-9 {
            stopped = world.time();
        }
    }
    (world.body(block).unwrap().pose().position, stopped, worst)
}

#[test]
fn sliding_blocks_stop_where_cone_and_pyramid_say() {
    let Some(folder) = shared() else { return };
    let step = 1e-3;
    for case in ["sliding_block_iso", "sliding_block_aniso"] {
        let meta = meta(&folder, case);
        let rows = table(&folder.join(case).join("reference.csv"));
        for (coupling, key, columns) in
            [(Coupling::Ellipse, "cone_stop", [1, 2]), (Coupling::Independent, "pyramid_stop", [5, 6])]
        {
            let (place, time, worst) = slide(&meta, &rows, coupling, columns, step);
            let stop = &meta[key];
            let off = [place.x - number(&stop["x"]), place.y - number(&stop["y"]), time - number(&stop["t"])];
            println!("{case} {key}: x, y, t off by {off:.5?}, trajectory by {worst:.1e} m");
            // Semi-implicit Euler under constant deceleration is short by h v₀ / 2, v₀ ≤ 2.12 m/s (a fifth more where the
            // friction turns), and stops in the step that passes the time.
            assert!(off[0].hypot(off[1]) < 0.6 * step * 2.13 && worst < 0.6 * step * 2.13, "{off:?} {worst}");
            assert!(off[2].abs() < 2.0 * step, "{off:?}");
        }
    }
}

#[test]
fn balls_hook_and_begin_to_roll() {
    let Some(folder) = shared() else { return };
    let step = 1e-3;
    for case in ["bowling_hook", "slip_to_roll"] {
        let meta = meta(&folder, case);
        let p = &meta["params"];
        let (radius, mu) = (number(&p["radius"]), number(&p["mu"]));
        let mut world = World::new(cone());
        ground(&mut world, rough(mu));
        let shape = Shape::sphere(radius).unwrap();
        let mass = solid(&shape, number(&p["mass"]));
        let ball = body(&mut world, shape, mass, DVec3::new(0.0, 0.0, radius), rough(mu));
        let mut b = world.body_mut(ball).unwrap();
        b.set_velocity(vector(&p["v0"])).unwrap();
        b.set_omega(vector(&p["w0"])).unwrap();
        let (mut place, mut speed) = (0.0f64, 0.0f64);
        for row in table(&folder.join(case).join("reference.csv")) {
            run_until(&mut world, row[0], step);
            let b = world.body(ball).unwrap();
            let x = b.pose().position - DVec3::new(row[1], row[2], radius);
            let v = b.velocity() - DVec3::new(row[3], row[4], 0.0);
            let w = b.omega() - DVec3::new(row[5], row[6], row[7]);
            place = place.max(x.length());
            speed = speed.max(v.length()).max(radius * w.length());
        }
        let time = number(&meta["t_roll_s"]);
        println!("{case}: place off by {place:.1e} m, speed by {speed:.1e} m/s");
        // x is short by a h t / 2 until it rolls; v is exact until the step in which rolling begins.
        assert!(place < 1.05 * 0.5 * mu * GRAVITY * step * time + 1e-6, "{place}");
        assert!(speed < mu * GRAVITY * step, "{speed}");
        let rolling = world.body(ball).unwrap().velocity() - vector(&meta["v_rolling"]);
        assert!(rolling.length() < 1e-7, "{rolling}");
    }
}

#[test]
fn a_stack_carries_what_is_above() {
    let Some(folder) = shared() else { return };
    let meta = meta(&folder, "stack_forces");
    let masses: Vec<f64> = meta["params"]["masses_bottom_up"].as_array().unwrap().iter().map(number).collect();
    let mut world = World::new(exact());
    ground(&mut world, rough(0.5));
    let boxes: Vec<_> = masses
        .iter()
        .enumerate()
        .map(|(i, m)| {
            let shape = Shape::cuboid(DVec3::ONE).unwrap();
            let mass = solid(&shape, *m);
            body(&mut world, shape, mass, DVec3::new(0.0, 0.0, 0.5 + i as f64), rough(0.5))
        })
        .collect();
    run_until(&mut world, 1.0, 1e-3);
    let mut worst = 0.0f64;
    for (i, expected) in meta["normal_force_under_each"].as_array().unwrap().iter().enumerate() {
        let below = i.checked_sub(1).map(|j| boxes[j]);
        let force: f64 = world
            .contact_reports()
            .iter()
            .filter(|c| c.bodies == [Some(boxes[i]), below] || c.bodies == [below, Some(boxes[i])])
            .map(|c| c.force.dot(c.normal))
            .sum();
        worst = worst.max((force / number(expected) - 1.0).abs());
    }
    println!("stack: forces off by {worst:.1e} of themselves");
    assert!(worst < 1e-6, "{worst}");
}
