//! Facts of Gazebo's own tests, by their numbers in the list of acceptance facts.

use super::support::{Run, shared};
use stiction::joints::{JointDefinition, JointKind};
use stiction::material::{Surface, SurfaceCompliance};
use stiction::math::{DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyDefinition, BodyId, GeomDefinition, HybridRule, World, WorldParameters};

fn test_world(name: &str) -> Option<Run> {
    shared().map(|_| Run::world(&format!("gazebo-classic/test_worlds/{name}")))
}

fn velocity(run: &Run, link: &str) -> DVec3 {
    run.simulation.link_velocity(run.simulation.link(link).unwrap()).0
}

fn position(run: &Run, link: &str) -> DVec3 {
    run.simulation.link_pose(run.simulation.link(link).unwrap()).position
}

/// Links whose names hold a word.
fn links(run: &Run, word: &str) -> Vec<String> {
    run.simulation.links.iter().map(|l| l.name.clone()).filter(|n| n.contains(word)).collect()
}

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
            let v = velocity(&run, &format!("box_0{0}_model::box_0{0}_body", i + 1));
            let error = (v - DVec3::new(0.0, (mu - 1.0f64).min(0.0) * t, 0.0)).abs().max_element();
            worst = worst.max(error);
        }
    }
    println!("T1: worst velocity error {worst:.2e} m/s (bound 1e-3)");
    assert!(worst < 1e-3);
}

#[test]
fn t2_cone_friction_is_radial() {
    let Some(mut run) = test_world("friction_cone.world") else { return };
    let boxes = links(&run, "box_");
    assert_eq!(boxes.len(), 32);
    let start: Vec<_> = boxes.iter().map(|b| position(&run, b)).collect();
    run.until(1.5);
    let mut worst = 0.0f64;
    for (name, start) in boxes.iter().zip(start) {
        let p = position(&run, name);
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
    let Some(mut run) = test_world("friction_dir_test.world") else { return };
    for link in ["spheres::link_1", "spheres::link_2"] {
        let body = run.simulation.link(link).unwrap().body.unwrap();
        run.simulation.world.body_mut(body).unwrap().set_omega(DVec3::Z).unwrap();
    }
    let boxes = links(&run, "box_");
    let start: Vec<_> = boxes.iter().map(|b| position(&run, b)).collect();
    run.until(1.5);
    let t = run.simulation.world.time();
    let mut worst = 0.0f64;
    for (name, start) in boxes.iter().zip(start) {
        let a = start.y.atan2(start.x);
        let expected = DVec3::new(a.cos(), a.sin(), 0.0) * (t * a.sin());
        worst = worst.max((velocity(&run, name) - expected).truncate().abs().max_element());
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
    let Some(mut run) = test_world("friction_spheres.world") else { return };
    run.until(5.0);
    let mut worst = 0.0f64;
    let names = links(&run, "ball_");
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
        let v = velocity(&run, name);
        let expected = 2.0 * product / points;
        worst = worst.max((v.y.abs() / expected - 1.0).abs());
        assert!(v.x.abs() < 1e-3 && v.z.abs() < 1e-3, "{name} {v}");
    }
    println!("T4: {} links, worst relative error {worst:.2e} (bound 1.5e-2)", names.len());
    assert!(worst < 0.015, "{worst}");
}

/// Angular accelerations about z of links under a moment in 10 steps, after they have settled.
fn accelerations(run: &mut Run, links: &[String], moment: f64) -> Vec<f64> {
    run.until(1.0);
    for _ in 0..10 {
        for link in links {
            let body = run.simulation.link(link).unwrap().body.unwrap();
            run.simulation.world.body_mut(body).unwrap().add_torque(DVec3::new(0.0, 0.0, moment));
        }
        run.simulation.world.step(run.step);
    }
    let time = 10.0 * run.step;
    links.iter().map(|link| run.simulation.link_velocity(run.simulation.link(link).unwrap()).1.z / time).collect()
}

#[test]
fn t6_torsional_friction_follows_coefficient_patch_and_radius() {
    let Some(mut run) = test_world("torsional_friction_test.world") else { return };
    let spheres = links(&run, "sphere_");
    assert_eq!(spheres.len(), 20);
    run.until(1.0);
    let depth_of = |run: &Run, link: &str, radius: f64| radius - position(run, link).z;
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
    let Some(mut run) = test_world("torsional_friction_test.world") else { return };
    let held = ["sphere_coefficient_5::link".to_owned()];
    // The bound is 130.57 N m.
    let alpha = accelerations(&mut run, &held, 130.0)[0];
    assert!(alpha.abs() < 1e-3, "{alpha}");
}

#[test]
fn t11_things_fall_and_lie_still() {
    let Some(mut run) = test_world("drop_test.world") else { return };
    // Semi-implicit Euler: z = z₀ − g h² n (n + 1) / 2.
    for n in 1..1400u32 {
        run.simulation.world.step(run.step);
        let n = f64::from(n);
        let z = 10.5 - 10.0 * 1e-6 * n * (n + 1.0) / 2.0;
        for link in ["box::link", "sphere::link", "cylinder::link"] {
            assert!((position(&run, link).z - z).abs() < 1e-4, "{link}");
            assert!((velocity(&run, link).z + 10.0 * 1e-3 * n).abs() < 1e-4, "{link}");
        }
    }
    run.until(1.5);
    for (link, speed, height) in
        [("box::link", 0.0101, 1e-5), ("sphere::link", 3e-5, 1e-5), ("cylinder::link", 0.011, 1e-4)]
    {
        let (v, z) = (velocity(&run, link).length(), position(&run, link).z);
        println!("T11: {link} speed {v:.2e} m/s, height error {:.2e} m", z - 0.5);
        assert!(v < speed && (z - 0.5).abs() < height, "{link} {v} {z}");
    }
}

/// A world with Gazebo's defaults, ground included.
fn gazebo_world() -> (World, Surface) {
    let mut world = World::new(WorldParameters {
        gravity: DVec3::new(0.0, 0.0, -9.8),
        cfm: 0.0,
        contact_max_correcting_velocity: 100.0,
        contact_surface_layer: 0.001,
        iterations: 50,
        hybrid: HybridRule::Off,
        ..WorldParameters::default()
    });
    let surface = Surface {
        compliance: Some(SurfaceCompliance::Spring { stiffness: 1e12, damping: 1.0 }),
        max_correcting_velocity: Some(0.01),
        min_depth: Some(0.0),
        ..Surface::default()
    };
    let ground = GeomDefinition { surface, ..GeomDefinition::new(Shape::plane(DVec3::Z, 0.0).unwrap(), None) };
    world.add_geom(&ground).unwrap();
    (world, surface)
}

fn add(world: &mut World, shape: Shape, pose: Pose, surface: Surface) -> BodyId {
    let mass = shape.mass_properties(1.0).unwrap().with_mass(1.0);
    let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
    world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, Some(body)) }).unwrap();
    body
}

#[test]
fn t14_spawned_shapes_drop() {
    let (mut world, surface) = gazebo_world();
    let shapes = [Shape::cuboid(DVec3::ONE).unwrap(), Shape::sphere(0.5).unwrap(), Shape::cylinder(0.5, 1.0).unwrap()];
    let mut bodies: Vec<_> = shapes
        .into_iter()
        .enumerate()
        .map(|(i, s)| add(&mut world, s, Pose::from_position(DVec3::new(3.0 * i as f64, 0.0, 3.0)), surface))
        .collect();
    // A body whose shape is a kilometre away, and one without any.
    let far = DVec3::new(1000.0, 1000.0, 0.0);
    bodies.push(add(
        &mut world,
        Shape::cuboid(DVec3::ONE).unwrap(),
        Pose::from_position(far + 3.0 * DVec3::Z),
        surface,
    ));
    let ghost = world
        .add_body(&BodyDefinition { pose: Pose::from_position(3.0 * DVec3::Z), ..BodyDefinition::default() })
        .unwrap();
    let impact = (2.0f64 * 2.5 / 9.8).sqrt();
    while world.time() < impact - 2e-3 {
        world.step(1e-3);
        let t = world.time();
        for body in &bodies {
            let b = world.body(*body).unwrap();
            assert!((b.pose().position.z / (3.0 - 4.9 * t * t) - 1.0).abs() < 0.01);
            assert!((b.velocity().z / (-9.8 * t) - 1.0).abs() < 0.01);
        }
    }
    while world.time() < impact + 0.5 {
        world.step(1e-3);
    }
    for body in &bodies {
        let b = world.body(*body).unwrap();
        assert!((b.pose().position.z - 0.5).abs() < 1e-2 && b.velocity().length() < 1e-2);
    }
    assert!(world.body(ghost).unwrap().pose().position.z < -1.0);
}

#[test]
fn t16_an_inelastic_collision_shares_the_speed() {
    let Some(mut run) = test_world("collision_test.world") else { return };
    let force = 1000.0;
    let body = run.simulation.link("box::link").unwrap().body.unwrap();
    run.simulation.world.body_mut(body).unwrap().add_force(DVec3::new(force, 0.0, 0.0));
    let h = run.step;
    while run.simulation.world.time() < 1.3 {
        run.simulation.world.step(h);
        let t = run.simulation.world.time();
        let (v, x) = (velocity(&run, "box::link").x, position(&run, "box::link").x);
        if t < 0.999 {
            assert!((v - force * h).abs() < 1e-2 && (x - force * h * t).abs() < 1e-2, "{t} {v} {x}");
        } else if t > 1.011 {
            let after = 0.5 * force * h;
            assert!((v - after).abs() < 1e-2, "{t} {v}");
            assert!((velocity(&run, "sphere::link").x - after).abs() < 1e-2);
            assert!((x - (1.0 + after * (t - 1.0))).abs() < 1e-2, "{t} {x}");
        }
    }
}

#[test]
fn t17_joint_damping() {
    let Some(mut run) = test_world("damp_test.world") else { return };
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
fn t21_a_force_acts_for_one_step() {
    let mut world = World::new(WorldParameters::default());
    let body = add(
        &mut world,
        Shape::cuboid(DVec3::ONE).unwrap(),
        Pose::from_xyz_rpy(DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.1, 0.5, 0.9)),
        Surface::default(),
    );
    let h = 1e-3;
    let (force, point) = (DVec3::new(1.0, 20.0, 31.0), DVec3::new(0.2, -0.1, 0.4));
    for sign in [1.0, -1.0] {
        let before = world.body(body).unwrap();
        let (v0, w0, inertia) = (before.velocity(), before.omega(), before.world_inertia());
        let offset = before.pose().direction(point);
        world.body_mut(body).unwrap().add_force_at_body_point(sign * force, point);
        world.step(h);
        let after = world.body(body).unwrap();
        assert!((after.velocity() - v0 - h * sign * force).length() < 1e-6);
        let alpha = inertia.inverse() * offset.cross(sign * force);
        assert!((after.omega() - w0 - h * alpha).length() < 1e-6, "{}", after.omega());
        assert_eq!(after.force(), DVec3::ZERO);
    }
    let rest = world.body(body).unwrap();
    assert!(rest.velocity().length() < 1e-12 && rest.omega().length() < 1e-4);
}

#[test]
fn t22_and_t23_momentum_and_energy_are_kept() {
    let mass = Shape::cuboid(DVec3::new(0.1, 0.4, 0.9)).unwrap().mass_properties(1.0).unwrap().with_mass(10.0);
    let omega = DVec3::new(1e-3, 1.5, 1.5e-2);
    let mut world = World::new(WorldParameters::default());
    let body = world.add_body(&BodyDefinition { mass, omega, ..BodyDefinition::default() }).unwrap();
    let start = world.body(body).unwrap().angular_momentum();
    let mut worst = 0.0f64;
    for _ in 0..5000 {
        world.step(1e-3);
        worst = worst.max((world.body(body).unwrap().angular_momentum() - start).length() / start.length());
    }
    println!("T22: worst relative change of angular momentum {worst:.2e} (bound 1e-3)");
    assert!(worst < 1e-3);

    let mut world = World::new(WorldParameters { gravity: DVec3::new(0.0, 0.0, -9.8), ..WorldParameters::default() });
    world
        .add_body(&BodyDefinition {
            mass,
            pose: Pose::from_position(DVec3::new(0.0, 0.0, 10.0)),
            ..BodyDefinition::default()
        })
        .unwrap();
    let start = world.energy().total();
    while world.energy().gravitational > 0.0 {
        world.step(1e-3);
    }
    let ratio = world.energy().total() / start;
    println!("T23: energy ratio − 1 = {:.2e} (bound 1e-3)", ratio - 1.0);
    assert!((ratio - 1.0).abs() < 1e-3);
}

#[test]
fn t25_velocities_of_points_and_turns() {
    let mut world = World::new(WorldParameters::default());
    let body =
        add(&mut world, Shape::cuboid(DVec3::ONE).unwrap(), Pose::from_position(0.5 * DVec3::Z), Surface::default());
    let mut b = world.body_mut(body).unwrap();
    b.set_velocity(DVec3::new(1.0, 1.0, 0.0)).unwrap();
    b.set_omega(DVec3::new(0.0, 2.0, 0.0)).unwrap();
    let v = world.body(body).unwrap().velocity_at_body_point(DVec3::new(0.0, 0.0, -0.5));
    assert!((v - DVec3::Y).length() < 1e-12, "{v}");
    world.step(1e-3);
    assert!((world.body(body).unwrap().pose().rpy().y - 2e-3).abs() < 1e-4);
}

#[test]
fn t27_springs_of_the_format_cross_zero_seventeen_times() {
    let Some(mut run) = test_world("spring_damper_test.world") else { return };
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
        run.simulation.world.step(run.step);
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
    let mut run = Run::load(&[world], &overrides, |_| {});
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
    println!("T28: worst angle {worst_angle:.2e} rad (bound 1e-2), energy of all three {worst_energy:.2e} J");
    assert!(worst_angle < 1e-2);
    assert!(worst_energy < 3.0 * 3.0);
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
        for base in links(&run, "::base") {
            let w = run.simulation.link_velocity(run.simulation.link(&base).unwrap()).1;
            assert!(w.abs().max_element() < 0.1, "{solver} {base} {w}");
        }
        // The links turn about the model's −x axis: their own x axis stays where it was.
        for link in links(&run, "_link").into_iter().filter(|l| !l.contains("base")) {
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
            run.simulation.world.step(run.step);
        }
        for (id, center) in ids.iter().zip(&centers) {
            let angle = run.simulation.world.joint(*id).unwrap().position(0);
            assert!((angle - center).abs() < 0.11, "{solver} {}", angle - center);
        }
    }
}

#[test]
fn a_weld_and_a_mass_at_once_take_the_load() {
    // What a force-torque sensor reads: a fixed joint carries the weight of what hangs on it.
    let mut world = World::new(WorldParameters {
        gravity: DVec3::new(0.0, 0.0, -50.0),
        iterations: 100,
        ..WorldParameters::default()
    });
    let mass = MassProperties::sphere(1.0, 0.1).with_mass(10.0);
    let body = world
        .add_body(&BodyDefinition { mass, pose: Pose::from_position(DVec3::X), ..BodyDefinition::default() })
        .unwrap();
    let joint = world.add_joint(JointDefinition::new(JointKind::Fixed, Some(body), None).with_feedback()).unwrap();
    for _ in 0..500 {
        world.step(1e-3);
    }
    let feedback = world.joint(joint).unwrap().feedback();
    assert!((feedback.forces[0] - DVec3::new(0.0, 0.0, 500.0)).length() < 1e-6, "{:?}", feedback);
    // About the centre of mass the anchor's force has a moment that the joint's torque cancels.
    assert!(feedback.torques[0].length() < 1e-6, "{:?}", feedback);
}
