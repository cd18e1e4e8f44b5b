//! Friction: coefficients, directions, slip.

use super::sdf::{GROUND, collision, cuboid, inertial, link, model, moments_of_box, world};
use crate::gazebo::support::{Run, shared};
use stiction::math::DVec3;

#[test]
fn t1_friction_decides_who_slides() {
    if shared().is_none() {
        return;
    }
    let mut run = Run::world("gazebo-classic/worlds/friction_demo.world");
    // Gravity (0, −1, −1): vy = (μ − 1) t below μ = 1, zero from there on.
    let mu = [0.998, 0.9985, 0.999, 0.9995, 1.0, 1.01];
    let mut worst = 0.0f64;
    for half_seconds in 1..=20 {
        let t = 0.5 * f64::from(half_seconds);
        run.until(t);
        for (i, mu) in mu.iter().enumerate() {
            let v = run.velocity(&format!("box_0{0}_model::box_0{0}_body", i + 1));
            let error = (v - DVec3::new(0.0, (mu - 1.0f64).min(0.0) * t, 0.0)).abs().max_element();
            worst = worst.max(error);
        }
    }
    println!("T1: worst velocity error {worst:.2e} m/s (bound 1e-3)");
    assert!(worst < 1e-3);
}

#[test]
fn t2_cone_friction_is_radial() {
    let Some(mut run) = Run::test_world("ode", "friction_cone.world") else { return };
    let boxes = run.links("box_");
    assert_eq!(boxes.len(), 32);
    let start: Vec<_> = boxes.iter().map(|b| run.position(b)).collect();
    run.until(1.5);
    let mut worst = 0.0f64;
    for (name, start) in boxes.iter().zip(start) {
        let p = run.position(name);
        worst = worst.max(p.truncate().angle_to(start.truncate()).abs());
        assert!(p.truncate().length() > 13.0);
        // Along the velocity: r = 9 + 9 t − μ g t² / 2.
        assert!((p.truncate().length() - (9.0 + 13.5 - 0.5 * 0.3 * 9.8 * 2.25)).abs() < 5e-3, "{p}");
    }
    println!("T2: worst turn {worst:.2e} rad (bound 1e-2)");
    assert!(worst < 0.01);
}

#[test]
fn t3_the_first_direction_turns_with_collision_link_and_model() {
    let Some(mut run) = Run::test_world("ode", "friction_dir_test.world") else { return };
    for link in ["spheres::link_1", "spheres::link_2"] {
        let body = run.simulation.link(link).unwrap().body.unwrap();
        run.simulation.world.body_mut(body).unwrap().set_omega(DVec3::Z).unwrap();
    }
    let boxes = run.links("box_");
    let start: Vec<_> = boxes.iter().map(|b| run.position(b)).collect();
    run.until(1.5);
    let t = run.simulation.world.time();
    let mut worst = 0.0f64;
    for (name, start) in boxes.iter().zip(start) {
        let a = start.y.atan2(start.x);
        let expected = DVec3::new(a.cos(), a.sin(), 0.0) * (t * a.sin());
        worst = worst.max((run.velocity(name) - expected).truncate().abs().max_element());
    }
    println!("T3: {} boxes, worst velocity error {worst:.2e} m/s (bound 5e-3)", boxes.len());
    assert!(boxes.len() == 44 && worst < 5e-3);
    for link in ["spheres::link_1", "spheres::link_2"] {
        let w = run.simulation.link_velocity(run.simulation.link(link).unwrap()).1;
        assert!(w.x < -3.0, "{w}");
    }
}

#[test]
fn t4_slip_gives_a_speed_for_a_force() {
    let Some(mut run) = Run::test_world("ode", "friction_spheres.world") else { return };
    run.until(5.0);
    let mut worst = 0.0f64;
    let names = run.links("ball_");
    for name in &names {
        // The last number of the name is mass × slip; the balls of a model share the force.
        let model = name.split("::").next().unwrap();
        let product: f64 = model.trim_end_matches(char::is_alphabetic).rsplit('_').next().unwrap().parse().unwrap();
        let points = match model.split('_').next().unwrap() {
            "lowball" | "boxball" => 1.0,
            "twoball" => 2.0,
            "triball" => 3.0,
            other => panic!("{other}"),
        };
        let v = run.velocity(name);
        let expected = 2.0 * product / points;
        worst = worst.max((v.y.abs() / expected - 1.0).abs());
        assert!(v.x.abs() < 1e-3 && v.z.abs() < 1e-3, "{name} {v}");
    }
    println!("T4: {} links, worst relative error {worst:.2e} (bound 1.5e-2)", names.len());
    assert!(worst < 0.015, "{worst}");
}

#[test]
fn t13_a_first_direction_along_the_normal_is_no_direction() {
    let surface = "<friction><ode><mu>1</mu><mu2>1</mu2><fdir1>0 0 1</fdir1></ode></friction>";
    let inside = inertial(1.0, "0 0 0 0 0 0", moments_of_box(1.0, [1.0; 3]))
        + &collision("0 0 0 0 0 0", &cuboid([1.0; 3]), surface);
    let box_ = model("box", "0 0 0.5 0 0 0", &link("link", "0 0 0 0 0 0", &inside));
    for engine in ["ode", "bullet", "dart"] {
        let mut run = Run::text(engine, &world("0 1.5 -1", &(GROUND.to_owned() + &box_)));
        let mut worst = 0.0f64;
        for _ in 0..1500 {
            run.steps(1);
            let (v, t) = (run.velocity("box::link"), run.simulation.world.time());
            worst = worst.max((v - DVec3::new(0.0, 0.5 * t, v.z)).length());
        }
        println!("T13 {engine}: worst velocity error {worst:.2e} m/s (bound 1e-3)");
        assert!(worst < 1e-3, "{engine} {worst}");
    }
}
