//! Torsional friction.

use crate::gazebo::support::Run;
use stiction::math::DVec3;

/// Angular accelerations about z of links under a moment in 10 steps, after they have settled.
fn accelerations(run: &mut Run, links: &[String], moment: f64) -> Vec<f64> {
    run.until(1.0);
    for _ in 0..10 {
        for link in links {
            let body = run.simulation.link(link).unwrap().body.unwrap();
            run.simulation.world.body_mut(body).unwrap().add_torque(DVec3::new(0.0, 0.0, moment));
        }
        run.simulation.step(run.step);
    }
    let time = 10.0 * run.step;
    links.iter().map(|link| run.simulation.link_velocity(run.simulation.link(link).unwrap()).1.z / time).collect()
}

#[test]
fn t6_torsional_friction_follows_coefficient_patch_and_radius() {
    let Some(mut run) = Run::test_world("ode", "torsional_friction_test.world") else { return };
    let spheres = run.links("sphere_");
    assert_eq!(spheres.len(), 20);
    run.until(1.0);
    let depth_of = |run: &Run, link: &str, radius: f64| radius - run.position(link).z;
    for (i, mass) in [0.41887902, 4.1887902, 11.309733552923259, 20.943951, 41.887902].into_iter().enumerate() {
        let depth = depth_of(&run, &format!("sphere_mass_{}::link", i + 1), 0.1);
        assert!((depth / (mass * 9.8 / 5e5) - 1.0).abs() < 0.01, "{mass}: {depth}");
    }
    let depths: Vec<f64> = [0.01, 0.1, 0.8, 2.0, 10.0]
        .into_iter()
        .enumerate()
        .map(|(i, radius)| depth_of(&run, &format!("sphere_radius_{}::link", i + 1), radius))
        .collect();
    let alpha = accelerations(&mut run, &spheres, 1000.0);
    let of = |row: &str, i: usize| {
        alpha[spheres.iter().position(|s| *s == format!("sphere_{row}_{}::link", i + 1)).unwrap()]
    };
    let (mass, inertia) = (11.309733552923259, 0.045238934211693047);
    let expected =
        |mu: f64, patch: f64| (1000.0 - mass * 9.8 * mu * 3.0 * std::f64::consts::PI * patch / 16.0) / inertia;
    // A patch without extent, by default.
    for (i, izz) in [0.0016755160819145573, 0.01675516081914557, inertia, 0.08377580409572787, 0.16755160819145573]
        .into_iter()
        .enumerate()
    {
        assert!((of("mass", i) * izz / 1000.0 - 1.0).abs() < 1e-9, "{}", of("mass", i));
    }
    let mut worst = 0.0f64;
    for (i, (mu, told)) in
        [(0.0, 22104.9), (0.001, 22102.0), (0.005, 22090.4), (0.01, 22076.0), (1.0, 19218.5)].into_iter().enumerate()
    {
        let own = of("coefficient", i);
        println!("T6: coefficient {mu}: {own} rad/s2");
        worst = worst.max((own - expected(mu, 2.0)).abs());
        assert!((own - told).abs() < 0.06, "{mu}: {own} {told}");
    }
    assert!(worst < 1e-3, "{worst}");
    for (i, patch) in [0.0, 0.1, 2.0, 5.0, 10.0].into_iter().enumerate() {
        println!("T6: patch radius {patch}: {} rad/s2", of("patch", i));
        assert!((of("patch", i) - expected(0.005, patch)).abs() < 1e-3, "{patch}: {}", of("patch", i));
    }
    assert!((of("patch", 4) - 22032.7).abs() < 0.06);
    let mut worst_radius = 0.0f64;
    for (i, radius) in [0.01, 0.1, 0.8, 2.0, 10.0].into_iter().enumerate() {
        let expected = expected(0.005, f64::sqrt(radius * depths[i]));
        worst_radius = worst_radius.max((of("radius", i) - expected).abs());
    }
    println!("T6: worst errors {worst:.1e} (bound 1e-3), by radius {worst_radius:.1e} rad/s2 (bound 1 %)");
    assert!(worst_radius < 1e-2, "{worst_radius}");
}

#[test]
fn t6_a_moment_below_the_bound_turns_nothing() {
    let Some(mut run) = Run::test_world("ode", "torsional_friction_test.world") else { return };
    let held = ["sphere_coefficient_5::link".to_owned()];
    // The bound is 130.57 N m.
    let alpha = accelerations(&mut run, &held, 130.0)[0];
    assert!(alpha.abs() < 1e-3, "{alpha}");
}
