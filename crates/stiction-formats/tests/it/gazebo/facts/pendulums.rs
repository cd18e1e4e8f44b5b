//! Hinges and springs under gravity.

use crate::gazebo::support::{ENGINES, Run, shared};
use stiction::math::DVec3;

#[test]
fn t17_joint_damping() {
    let Some(mut run) = Run::test_world("ode", "damp_test.world") else { return };
    run.until(1.5);
    let link = run.simulation.link("model_4_mass_1_ixx_1_damping_10::link_1").unwrap();
    let body = run.simulation.world.body(link.body.unwrap()).unwrap();
    let (v, pose) = (body.velocity(), body.pose());
    println!("T17: v {v}, position {}, roll {}", pose.position, pose.rpy().x);
    assert!((v.y + 10.2009).abs() < 1e-2 && (v.z + 6.51755).abs() < 1e-2, "{v}");
    assert!((pose.position - DVec3::new(3.0, 0.0, 10.099)).length() < 1e-2);
    assert!((pose.rpy().x - 0.567334).abs() < 1e-2);
}

#[test]
fn t27_springs_of_the_format_cross_zero_seventeen_times() {
    let Some(mut run) = Run::test_world("ode", "spring_damper_test.world") else { return };
    // Springs by soft stops and by `spring_stiffness`, each as a slider and as a hinge.
    let names = [
        "model_3_prismatic::link_1",
        "model_3_revolute::link_1",
        "model_6_prismatic_sdf::link",
        "model_7_revolute_sdf::link",
    ];
    // As Gazebo's test counts: the first fall is a crossing.
    let mut last = [1.0f64; 4];
    let mut crossings = [0; 4];
    for _ in 0..5000 {
        run.simulation.step(run.step);
        for (i, name) in names.iter().enumerate() {
            let body = run.simulation.link(name).unwrap().body.unwrap();
            let v = run.simulation.world.body(body).unwrap().velocity().z;
            if v.abs() > 0.01 {
                crossings[i] += i32::from(v * last[i] < 0.0);
                last[i] = v;
            }
        }
    }
    println!("T27: crossings {crossings:?}");
    assert_eq!(crossings, [17; 4]);
}

#[test]
fn t28_a_simple_pendulum_keeps_time_and_energy() {
    let Some(shared) = shared() else { return };
    let world = shared.join("worlds/gazebo-classic/test_worlds/simple_pendulums.world");
    let overrides = [("physics.max_step_size", "0.0001"), ("physics.ode.solver.iters", "1000")];
    for engine in ENGINES {
        let mut run = Run::under(engine, std::slice::from_ref(&world), &overrides, |_| {});
        // θ̈ = −(g / l) sin θ from the horizontal, integrated by Runge-Kutta of order four.
        let (mut theta, mut rate) = (std::f64::consts::FRAC_PI_2, 0.0f64);
        let h = 1e-4;
        let acceleration = |theta: f64| -9.81 / 10.0 * theta.sin();
        let energy = |run: &Run| run.simulation.world.energy().total();
        let start = energy(&run);
        let (mut worst_angle, mut worst_energy) = (0.0f64, 0.0f64);
        for step in 1..=20_000u32 {
            run.simulation.world.step(h);
            let (k1, l1) = (rate, acceleration(theta));
            let (k2, l2) = (rate + 0.5 * h * l1, acceleration(theta + 0.5 * h * k1));
            let (k3, l3) = (rate + 0.5 * h * l2, acceleration(theta + 0.5 * h * k2));
            let (k4, l4) = (rate + h * l3, acceleration(theta + h * k3));
            theta += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
            rate += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
            if step % 100 == 0 {
                // The centre of mass 10 m from the pivot at (0, 0, 10.1): roll π/2 is the horizontal.
                let roll = run.simulation.link_pose(run.simulation.link("model_2::link_1").unwrap()).rpy().x;
                worst_angle = worst_angle.max((roll - theta).abs());
                worst_energy = worst_energy.max((energy(&run) - start).abs());
            }
        }
        println!(
            "T28 {engine}: worst angle {worst_angle:.2e} rad (bound 1e-2), energy of all three {worst_energy:.2e} J"
        );
        assert!(worst_angle < 1e-2, "{engine} {worst_angle}");
        assert!(worst_energy < 3.0 * 3.0, "{engine} {worst_energy}");
    }
}

#[test]
fn t29_revolute_joints_keep_energy_base_and_limits() {
    let Some(shared) = shared() else { return };
    let world = shared.join("worlds/gazebo-classic/test_worlds/revolute_joint_test.world");
    for solver in ["quick", "world"] {
        let mut run = Run::load(std::slice::from_ref(&world), &[("physics.ode.solver.type", solver)], |_| {});
        let start = run.simulation.world.energy().total();
        run.until(0.75);
        let ratio = run.simulation.world.energy().total() / start;
        println!("T29 {solver}: energy ratio − 1 = {:.2e} (bound 1e-2)", ratio - 1.0);
        assert!((ratio - 1.0).abs() < 1e-2, "{solver} {ratio}");
        for base in run.links("::base") {
            let w = run.simulation.link_velocity(run.simulation.link(&base).unwrap()).1;
            assert!(w.abs().max_element() < 0.1, "{solver} {base} {w}");
        }
        // The links turn about the model's −x axis: their own x axis stays where it was.
        for link in run.links("_link").into_iter().filter(|l| !l.contains("base")) {
            let model = link.split("::").next().unwrap();
            let base = run.simulation.link_pose(run.simulation.link(&format!("{model}::base")).unwrap());
            let own = run.simulation.link_pose(run.simulation.link(&link).unwrap());
            assert!((own.direction(DVec3::X) - base.direction(DVec3::X)).length() < 0.02, "{link}");
        }
        // With limits of ±0.1 about where they are now the joints stay within 0.11.
        let ids: Vec<_> = run.simulation.joints.iter().filter(|j| !j.axes.is_empty()).filter_map(|j| j.id).collect();
        assert_eq!(ids.len(), 16);
        let centers: Vec<_> = ids.iter().map(|id| run.simulation.world.joint(*id).unwrap().position(0)).collect();
        for (id, center) in ids.iter().zip(&centers) {
            let parameters = run.simulation.world.joint_parameters_mut(*id, 0).unwrap();
            (parameters.lower, parameters.upper) = (center - 0.1, center + 0.1);
        }
        for _ in 0..1000 {
            run.simulation.step(run.step);
        }
        for (id, center) in ids.iter().zip(&centers) {
            let angle = run.simulation.world.joint(*id).unwrap().position(0);
            assert!((angle - center).abs() < 0.11, "{solver} {}", angle - center);
        }
    }
}
