//! Impacts: Newton's restitution, Coulomb's tangential impulse.

use stiction::contact::restitution::Restitution;
use stiction::material::Surface;
use stiction::math::DVec3;
use stiction::shape::Shape;
use stiction::world::{World, WorldParameters};

use super::closed_forms::*;
use super::mechanisms::{meta, shared};

fn bouncing(coefficient: f64) -> Surface {
    Surface { friction: [0.0; 2], bounce: Some(Restitution { coefficient, threshold: 0.0 }), ..Surface::default() }
}

#[test]
fn a_dropped_sphere_bounces_at_the_times_and_speeds_of_the_closed_form() {
    let Some(folder) = shared() else { return };
    let meta = meta(&folder, "bounce_e08");
    let step = 1e-4;
    let mut world = World::new(exact());
    ground(&mut world, bouncing(0.8));
    let sphere = Shape::sphere(0.1).unwrap();
    let mass = solid(&sphere, 1.0);
    let ball = body(&mut world, sphere, mass, DVec3::new(0.0, 0.0, 1.1), bouncing(0.8));
    let (mut found, mut before) = (Vec::new(), 0.0);
    while found.len() < 6 {
        world.step(step);
        let v = world.body(ball).unwrap().velocity().z;
        if v > 0.0 && before <= 0.0 {
            found.push((world.time(), -before, v));
        }
        before = v;
    }
    let mut lag = 0.0;
    for (i, (found, impact)) in found.iter().zip(meta["impacts_t_vin_vout"].as_array().unwrap()).enumerate() {
        let [t, vin, vout] = [0, 1, 2].map(|k| number(&impact[k]));
        println!("impact {i}: t {:+.1e}, in {:+.1e}, out {:+.1e}", found.0 - t, found.1 - vin, found.2 - vout);
        // An impact is seen up to two steps late, so that the speed in is g h too fast and the ball leaves from up to
        // 2 v h below the plane; a flight of 2 v / g passes both on, multiplied by e at each impact.
        lag += 2.0 * step + 2.0 * (2.0 * GRAVITY * step) / GRAVITY;
        assert!((found.0 - t).abs() < lag, "{} {t}", found.0);
        assert!((found.1 - vin).abs() < 5.0 * GRAVITY * step, "{} {vin}", found.1);
        // What leaves is e times what came in, to rounding.
        assert!((found.2 - 0.8 * found.1).abs() < 1e-12, "{} {vout}", found.2);
    }
}

#[test]
fn oblique_impacts_stick_and_slip_as_the_impulses_say() {
    let Some(folder) = shared() else { return };
    for case in meta(&folder, "oblique_bounce")["cases"].as_array().unwrap() {
        let (radius, e, mu) = (number(&case["r"]), number(&case["e"]), number(&case["mu"]));
        let surface = Surface { friction: [mu; 2], ..bouncing(e) };
        let mut world = World::new(WorldParameters { gravity: DVec3::ZERO, ..cone() });
        ground(&mut world, surface);
        let sphere = Shape::sphere(radius).unwrap();
        let mass = solid(&sphere, 1.0);
        let ball = body(&mut world, sphere, mass, DVec3::new(0.0, 0.0, radius), surface);
        let mut b = world.body_mut(ball).unwrap();
        b.set_velocity(vector(&case["v"])).unwrap();
        b.set_omega(vector(&case["w"])).unwrap();
        world.step(1e-3);
        let b = world.body(ball).unwrap();
        // One step is the whole impact: the two agree to rounding.
        let (dv, dw) = (b.velocity() - vector(&case["v_after"]), b.omega() - vector(&case["w_after"]));
        println!("{} e {e}: velocity {:.1e}, spin {:.1e}", case["mode"], dv.length(), dw.length());
        assert!(dv.length() < 1e-10 && dw.length() * radius < 1e-10, "{dv} {dw}");
    }
}

#[test]
fn the_last_ball_of_a_cradle_leaves() {
    let Some(folder) = shared() else { return };
    let meta = meta(&folder, "newton_cradle");
    let sequential: Vec<f64> = meta["sequential"].as_array().unwrap().iter().map(number).collect();
    let mut world = World::new(WorldParameters { gravity: DVec3::ZERO, ..exact() });
    let balls: Vec<_> = (0..sequential.len())
        .map(|i| {
            let sphere = Shape::sphere(0.05).unwrap();
            let mass = solid(&sphere, 1.0);
            body(&mut world, sphere, mass, DVec3::new(0.1001 * i as f64, 0.0, 0.0), bouncing(1.0))
        })
        .collect();
    world.body_mut(balls[0]).unwrap().set_velocity(DVec3::X).unwrap();
    for _ in 0..100 {
        world.step(1e-5);
    }
    for (ball, expected) in balls.iter().zip(&sequential) {
        let v = world.body(*ball).unwrap().velocity();
        // Each impact takes one step and no force but its own acts: rounding only.
        assert!((v - DVec3::new(*expected, 0.0, 0.0)).length() < 1e-12, "{v} {expected}");
    }
}

#[test]
fn touching_balls_keep_momentum_and_gain_no_energy() {
    let mut world = World::new(WorldParameters { gravity: DVec3::ZERO, ..exact() });
    for i in 0..5 {
        let sphere = Shape::sphere(0.05).unwrap();
        let mass = solid(&sphere, 1.0);
        let ball = body(&mut world, sphere, mass, DVec3::new(0.1 * f64::from(i), 0.0, 0.0), bouncing(1.0));
        if i == 0 {
            world.body_mut(ball).unwrap().set_velocity(DVec3::X).unwrap();
        }
    }
    for _ in 0..100 {
        world.step(1e-4);
        assert!((world.momentum().0 - DVec3::X).length() < 1e-12);
        assert!(world.energy().total() < 0.5 + 1e-12, "{}", world.energy().total());
    }
}
