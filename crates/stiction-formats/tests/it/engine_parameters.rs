//! Parameters of `<bullet>`, `<dart>` and `<simbody>`, elastic surfaces, masks, stops and threads: each changes the motion by what
//! its equation says.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;

use common::load_good;
use stiction::math::DVec3;
use stiction::world::Preset;
use stiction_formats::simulation::{Simulation, engine_parameters, simulate};

const GRAVITY: f64 = 9.8;
const STEP: f64 = 1e-3;

/// A world of an engine: what `<physics>` holds, and its elements.
fn world(engine: &str, physics: &str, elements: &str) -> Simulation {
    let gravity = "<gravity>0 0 -9.8</gravity>";
    let text = format!(
        "<sdf version='1.9'><world name='w'>{gravity}<physics type='{engine}'>{physics}</physics>{elements}</world></sdf>"
    );
    let description = load_good(&text);
    let preset = Preset::from_name(engine).unwrap();
    simulate(&description, engine_parameters(&description, preset)).unwrap()
}

fn run(simulation: &mut Simulation, time: f64) {
    for _ in 0..(time / STEP).round() as usize {
        simulation.world.step(STEP);
    }
}

fn position(simulation: &Simulation, link: &str) -> DVec3 {
    simulation.link_pose(simulation.link(link).unwrap()).position
}

fn velocity(simulation: &Simulation, link: &str) -> DVec3 {
    simulation.link_velocity(simulation.link(link).unwrap()).0
}

fn ground(surface: &str) -> String {
    format!(
        "<model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry><surface>{surface}\
         </surface></collision></link></model>"
    )
}

/// A ball of 0.1 m and 2 kg at a height and with a speed along x.
fn ball(z: f64, speed: f64, surface: &str) -> String {
    format!(
        "<model name='b'><pose>0 0 {z} 0 0 0</pose><plugin name='v' filename='libInitialVelocityPlugin.so'><linear>{speed} 0 0</linear>\
         <angular>0 {} 0</angular></plugin><link name='l'><inertial><mass>2</mass><inertia><ixx>0.008</ixx><iyy>0.008</iyy>\
         <izz>0.008</izz></inertia></inertial><collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry>\
         <surface>{surface}</surface></collision></link></model>",
        speed / 0.1
    )
}

/// A box of 0.4 m and 2 kg.
fn block(z: f64, speed: f64, surface: &str) -> String {
    format!(
        "<model name='b'><pose>0 0 {z} 0 0 0</pose><plugin name='v' filename='libInitialVelocityPlugin.so'><linear>{speed} 0 0</linear>\
         </plugin><link name='l'><inertial><mass>2</mass><inertia><ixx>0.05</ixx><iyy>0.05</iyy><izz>0.05</izz></inertia></inertial>\
         <collision name='c'><geometry><box><size>0.4 0.4 0.4</size></box></geometry><surface>{surface}</surface></collision></link>\
         </model>"
    )
}

fn near(found: f64, expected: f64, share: f64, what: &str) {
    assert!((found - expected).abs() <= share * expected.abs(), "{what}: {found}, expected {expected}");
}

/// Depth at which a ball rests.
fn rest(engine: &str, physics: &str, surface: &str) -> f64 {
    let mut simulation = world(engine, physics, &(ground(surface) + &ball(0.1, 0.0, surface)));
    run(&mut simulation, 2.0);
    assert!(velocity(&simulation, "b::l").length() < 1e-3, "{engine} {surface}");
    0.1 - position(&simulation, "b::l").z
}

#[test]
fn t7_elastic_bodies_press_by_modulus_poissons_ratio_and_radius() {
    let contact = |modulus: f64, ratio: f64, radius: f64| {
        format!(
            "<contact><elastic_modulus>{modulus}</elastic_modulus><poissons_ratio>{ratio}</poissons_ratio><ode><kd>500</kd></ode></contact><friction><torsional>\
             <use_patch_radius>false</use_patch_radius><surface_radius>{radius}</surface_radius></torsional></friction>"
        )
    };
    for (engine, solver) in [("ode", "quick"), ("ode", "world"), ("bullet", "")] {
        let solver = if solver.is_empty() {
            String::new()
        } else {
            format!("<ode><solver><type>{solver}</type></solver></ode>")
        };
        let (below, above) = (contact(5e5, 0.3, 0.08), contact(6e5, 0.4, 0.06));
        let heavy = ball(0.1, 0.0, &above).replace("<mass>2</mass>", "<mass>30.612244898</mass>");
        let mut simulation = world(engine, &solver, &(ground(&below) + &heavy));
        run(&mut simulation, 3.0);
        // 300 N, as Gazebo's test has it: 4/3 E* R^(1/4) d^(7/4).
        near(0.1 - position(&simulation, "b::l").z, 0.025_862_9, 0.008, engine);
    }
    // Drake's contact has Hertz's own law, with the radius of the shape.
    let law = |e: f64| 4.0 / 3.0 * e / (2.0 * (1.0 - 0.09)) * 0.1f64.sqrt();
    for modulus in [1e6, 8e6] {
        let depth = (2.0 * GRAVITY / law(modulus)).powf(2.0 / 3.0);
        near(rest("drake-discrete", "", &contact(modulus, 0.3, 0.0)), depth, 0.01, "drake");
    }
}

#[test]
fn categories_meet_where_either_side_collides_with_the_other() {
    let mask = |category: u32, collide: u32| {
        format!(
            "<contact><category_bitmask>{category}</category_bitmask><collide_bitmask>{collide}</collide_bitmask></contact>"
        )
    };
    // (categories and masks of ground and ball, do they touch)
    for (below, above, touches) in [
        (mask(1, 2), mask(2, 4), true),
        (mask(1, 4), mask(2, 1), true),
        (mask(1, 4), mask(2, 4), false),
        (mask(8, 8), "<contact><collide_bitmask>8</collide_bitmask></contact>".to_owned(), true),
        (mask(8, 1), "<contact><collide_bitmask>4</collide_bitmask></contact>".to_owned(), false),
    ] {
        let mut simulation = world("ode", "", &(ground(&below) + &ball(0.1, 0.0, &above)));
        run(&mut simulation, 0.5);
        assert_eq!(position(&simulation, "b::l").z > 0.09, touches, "{below} {above}");
    }
}

#[test]
fn elastic_stops_give_way_by_their_stiffness() {
    let hanging = |engine: &str, stiffness: f64, dissipation: f64, drop: f64| {
        let limit = format!(
            "<limit><lower>{}</lower><upper>1</upper><stiffness>{stiffness}</stiffness><dissipation>{dissipation}</dissipation></limit>",
            -drop
        );
        let elements = format!(
            "<model name='m'><link name='l'><inertial><mass>2</mass></inertial></link><joint name='j' type='prismatic'><parent>world\
             </parent><child>l</child><axis><xyz>0 0 1</xyz>{limit}</axis></joint></model>"
        );
        world(engine, "", &elements)
    };
    for engine in ["ode", "bullet", "dart", "drake-discrete", "drake-continuous", "simbody", "agx"] {
        for stiffness in [500.0, 4000.0] {
            let mut simulation = hanging(engine, stiffness, 2.0, 0.01);
            run(&mut simulation, 8.0);
            near(-0.01 - position(&simulation, "m::l").z, 2.0 * GRAVITY / stiffness, 0.02, engine);
        }
    }
    // Restitution e of a fall at speed v: d v (1 + e) = ln((1 + d v) / (1 − d e v)).
    for dissipation in [0.1, 0.4] {
        let mut simulation = hanging("simbody", 4e4, dissipation, 0.5);
        let (mut fastest, mut back) = (0.0f64, 0.0f64);
        for _ in 0..600 {
            simulation.world.step(STEP);
            let v = velocity(&simulation, "m::l").z;
            (fastest, back) = (fastest.min(v), back.max(v));
        }
        let (x, e) = (-dissipation * fastest, -back / fastest);
        let balance = x * (1.0 + e) - ((1.0 + x) / (1.0 - x * e)).ln();
        // Gravity goes on in the impact.
        assert!(balance.abs() < 0.05 * x, "{dissipation}: {e} of {fastest}, {balance}");
    }
}

#[test]
fn threads_change_no_bit_and_preconditioning_sweeps_are_sweeps() {
    let tower = |physics: &str| {
        let solver = format!("<ode><solver><type>quick</type>{physics}</solver></ode>");
        let boxes: String = (0..6)
            .map(|k| block(0.2 + 0.4 * f64::from(k), 0.0, "").replace("name='b'", &format!("name='b{k}'")))
            .collect();
        let mut simulation = world("ode", &solver, &(ground("") + &boxes));
        simulation.world.parameters.hybrid = stiction::world::HybridRule::Off;
        run(&mut simulation, 0.2);
        (simulation.world.parameters.threads, simulation.state_hash())
    };
    let (one, plain) = tower("");
    for (physics, threads) in [
        ("<island_threads>3</island_threads>", 3),
        ("<thread_position_correction>true</thread_position_correction>", 2),
        ("<island_threads>2</island_threads><thread_position_correction>true</thread_position_correction>", 3),
    ] {
        assert_eq!(tower(physics), (threads, plain), "{physics}");
    }
    assert_eq!(one, 1);
    let more = tower("<iters>30</iters><precon_iters>12</precon_iters>").1;
    assert_eq!(more, tower("<iters>42</iters>").1);
    assert_ne!(more, tower("<iters>30</iters>").1);
}

#[test]
fn bullet_splits_the_impulse_from_its_threshold_on() {
    // Speed after the first step, of a box that begins in overlap.
    let leaves = |physics: &str, surface: &str, depth: f64| {
        let physics = format!("<bullet><constraints>{physics}</constraints></bullet>");
        let mut simulation = world("bullet", &physics, &(ground("") + &block(0.2 - depth, 0.0, surface)));
        run(&mut simulation, STEP);
        (velocity(&simulation, "b::l").z, position(&simulation, "b::l").z + depth - 0.2)
    };
    let erp = |e: f64| format!("<erp>{e}</erp>");
    for (e, depth) in [(0.2, 0.004), (0.5, 0.004), (0.2, 0.008)] {
        let (speed, risen) = leaves(&erp(e), "", depth);
        near(speed, e * depth / STEP, 1e-3, "speed below the threshold");
        near(risen, e * depth, 1e-3, "way below the threshold");
    }
    let (speed, risen) = leaves("", "", 0.02);
    assert!(speed.abs() < 1e-9, "{speed}");
    near(risen, 0.2 * 0.02, 1e-3, "way beyond the threshold");
    let threshold = |t: f64| format!("<split_impulse_penetration_threshold>{t}</split_impulse_penetration_threshold>");
    near(leaves(&threshold(-0.05), "", 0.02).0, 0.2 * 0.02 / STEP, 1e-3, "a deeper threshold");
    near(leaves("<split_impulse>false</split_impulse>", "", 0.02).0, 0.2 * 0.02 / STEP, 1e-3, "no split");
    let own = "<contact><bullet><split_impulse>false</split_impulse></bullet></contact>";
    near(leaves("", own, 0.02).0, 0.2 * 0.02 / STEP, 1e-3, "no split of the surface");
    let own = format!("<contact><bullet>{}</bullet></contact>", threshold(-0.05));
    near(leaves("", &own, 0.02).0, 0.2 * 0.02 / STEP, 1e-3, "threshold of the surface");
    near(leaves("<contact_surface_layer>0.001</contact_surface_layer>", "", 0.004).0, 0.2 * 3.0, 1e-3, "layer");
    // Softness: the row gives way by cfm times its force, u (1/m_e + cfm / h) = … : slower with it.
    let soft = leaves("<cfm>0.01</cfm>", "", 0.004).0;
    assert!(soft < 0.9 * 0.8 && soft > 0.0, "{soft}");
}

#[test]
fn bullet_surfaces_rest_roll_and_slide_by_their_values() {
    let kp = |k: f64| format!("<contact><bullet><kp>{k}</kp><kd>100</kd></bullet></contact>");
    for k in [2e4, 8e4] {
        near(rest("bullet", "", &kp(k)), 2.0 * GRAVITY / (0.5 * k), 0.01, "kp in series");
    }
    let soft = "<contact><bullet><soft_cfm>1e-4</soft_cfm><soft_erp>0.5</soft_erp></bullet></contact>";
    // Of two like surfaces: erp 0.5, cfm 2e-4; the depth at rest is cfm F h / erp.
    near(rest("bullet", "", soft), 2e-4 * 2.0 * GRAVITY * STEP / 0.5, 0.01, "soft_cfm and soft_erp");
    // Rolling friction ρ: m a R (1 + 2/5) = ρ m g.
    for rolling in [0.002, 0.005] {
        let own = format!("<friction><bullet><rolling_friction>{rolling}</rolling_friction></bullet></friction>");
        let mut simulation = world("bullet", "", &(ground("") + &ball(0.1, 2.0, &own)));
        run(&mut simulation, 1.0);
        near(2.0 - velocity(&simulation, "b::l").x, rolling * GRAVITY / (1.4 * 0.1), 0.01, "rolling friction");
    }
    let slide = |own: &str| {
        let mut simulation = world("bullet", "", &(ground("") + &block(0.2, 3.0, own)));
        run(&mut simulation, 0.5);
        3.0 - velocity(&simulation, "b::l").x
    };
    let friction = |own: &str| format!("<friction><bullet>{own}</bullet></friction>");
    near(slide(&friction("<friction>0.2</friction><friction2>0.2</friction2>")), 0.2 * GRAVITY * 0.5, 0.01, "friction");
    let across = "<friction>0.4</friction><friction2>0.1</friction2>";
    near(slide(&friction(&format!("{across}<fdir1>1 0 0</fdir1>"))), 0.4 * GRAVITY * 0.5, 0.01, "along fdir1");
    near(slide(&friction(&format!("{across}<fdir1>0 1 0</fdir1>"))), 0.1 * GRAVITY * 0.5, 0.01, "across fdir1");
}

#[test]
fn bullet_and_dart_sweep_as_often_as_they_are_told() {
    let tower = |engine: &str, physics: &str| {
        let boxes: String = (0..6)
            .map(|k| block(0.2 + 0.4 * f64::from(k), 0.0, "").replace("name='b'", &format!("name='b{k}'")))
            .collect();
        let mut simulation = world(engine, physics, &(ground("") + &boxes));
        simulation.world.parameters.hybrid = stiction::world::HybridRule::Off;
        run(&mut simulation, 0.05);
        (0..6).map(|k| velocity(&simulation, &format!("b{k}::l")).z.abs()).fold(0.0, f64::max)
    };
    let solver = |text: &str| tower("bullet", &format!("<bullet><solver>{text}</solver></bullet>"));
    let [few, many] = [2, 200].map(|n| solver(&format!("<iters>{n}</iters>")));
    assert!(many < 0.5 * few, "{few} and {many}");
    assert_ne!(solver("<sor>1.0</sor>"), solver("<sor>1.3</sor>"));
    let dart =
        |solver: &str| tower("dart", &format!("<dart><solver><solver_type>{solver}</solver_type></solver></dart>"));
    let [direct, sweeps] = [dart("dantzig"), dart("pgs")];
    assert!(direct < 1e-9 && sweeps > direct, "{direct} and {sweeps}");
}

#[test]
fn overlap_creeps_out_under_dart() {
    for depth in [0.02, 5e-5] {
        let mut simulation = world("dart", "", &(ground("") + &block(0.2 - depth, 0.0, "")));
        run(&mut simulation, STEP);
        let expected = (0.01 * depth / STEP).min(1e-3);
        near(velocity(&simulation, "b::l").z, expected, 1e-6, "creep");
    }
}

/// Fastest fall and rise \[m/s\] of a ball that drops on the ground under Simbody, up to its next fall.
fn bounce(physics: &str) -> (f64, f64) {
    let mut simulation = world("simbody", physics, &(ground("") + &ball(0.6, 0.0, "")));
    let (mut down, mut up) = (0.0f64, 0.0f64);
    for _ in 0..450 {
        simulation.world.step(STEP);
        let v = velocity(&simulation, "b::l").z;
        (down, up) = (down.min(v), up.max(v));
    }
    (down, up)
}

#[test]
fn simbody_is_elastic_and_dissipates() {
    let contact = |text: &str| format!("<simbody><contact>{text}</contact></simbody>");
    for stiffness in [1e6, 1e8] {
        let law = 4.0 / 3.0 * stiffness / 2f64.powf(1.5) * 0.1f64.sqrt();
        let physics = contact(&format!("<stiffness>{stiffness}</stiffness>"));
        near(rest("simbody", &physics, ""), (2.0 * GRAVITY / law).powf(2.0 / 3.0), 0.01, "Hertz");
    }
    // d v (1 + e) = ln((1 + d v) / (1 − d e v)) with 3/2 of the dissipation.
    for dissipation in [0.05, 0.2] {
        let physics = format!(
            "<simbody><accuracy>1e-6</accuracy><contact><stiffness>1e7</stiffness><dissipation>{dissipation}</dissipation></contact></simbody>"
        );
        let (down, up) = bounce(&physics);
        let (x, e) = (-1.5 * dissipation * down, -up / down);
        let balance = x * (1.0 + e) - ((1.0 + x) / (1.0 - x * e)).ln();
        assert!(balance.abs() < 0.03 * x, "{dissipation}: {e} of {down}, {balance}");
    }
}

/// An impact at `plastic_impact_velocity` leaves `plastic_coef_restitution`; a dissipation overrules both.
#[test]
fn simbody_is_as_plastic_as_it_is_told() {
    let restitution = |contact: &str| {
        let physics = format!(
            "<simbody><accuracy>1e-6</accuracy><contact><stiffness>1e7</stiffness>{contact}</contact></simbody>"
        );
        let (down, up) = bounce(&physics);
        -up / down
    };
    let impact = (2.0 * GRAVITY * 0.5f64).sqrt();
    let plastic = |e: f64| {
        format!(
            "<plastic_coef_restitution>{e}</plastic_coef_restitution><plastic_impact_velocity>{impact}</plastic_impact_velocity>"
        )
    };
    for e in [0.1, 0.4, 0.8] {
        near(restitution(&plastic(e)), e, 0.05, "restitution");
    }
    let overruled = "<dissipation>0.05</dissipation>".to_owned();
    assert_eq!(restitution(&(overruled.clone() + &plastic(0.1))), restitution(&overruled));
}

#[test]
fn simbody_friction_is_static_dynamic_viscous_and_smoothed() {
    let friction = |of_static: f64, dynamic: f64, viscous: f64, more: &str| {
        format!(
            "<simbody>{more}<contact><stiffness>1e6</stiffness><static_friction>{of_static}</static_friction><dynamic_friction>{dynamic}\
             </dynamic_friction><viscous_friction>{viscous}</viscous_friction></contact></simbody>"
        )
    };
    let slide = |physics: &str| {
        let mut simulation = world("simbody", physics, &(ground("") + &block(0.2, 3.0, "")));
        run(&mut simulation, 0.5);
        3.0 - velocity(&simulation, "b::l").x
    };
    near(slide(&friction(0.9, 0.3, 0.0, "")), 0.3 * GRAVITY * 0.5, 0.01, "dynamic friction");
    // dv/dt = −g (μ + μ_v v), from 3 m/s.
    let (mu, viscous) = (0.1, 0.2);
    let left = (3.0 + mu / viscous) * (-viscous * GRAVITY * 0.5f64).exp() - mu / viscous;
    near(slide(&friction(mu, mu, viscous, "")), 3.0 - left, 0.01, "viscous friction");
    // A block that sticks creeps where friction holds it: tan a = μ step5(v / v_t), to v_t.
    let creep = |of_static: f64, more: &str| {
        let tilted = "<model name='ground'><static>true</static><link name='l'><pose>0 0 0 0 0.3 0</pose><collision name='c'>\
                      <geometry><plane/></geometry></collision></link></model>";
        let own = block(0.0, 0.0, "").replace("<pose>0 0 0 0 0 0</pose>", "<pose>0.0591 0 0.19107 0 0.3 0</pose>");
        let mut simulation = world("simbody", &friction(of_static, of_static, 0.0, more), &(tilted.to_owned() + &own));
        run(&mut simulation, 0.5);
        velocity(&simulation, "b::l").length()
    };
    let share = 0.3f64.tan() / 0.5;
    let mut s = 0.5;
    for _ in 0..60 {
        let value = s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
        s += 0.5 * (share - value);
    }
    near(creep(0.5, "<max_transient_velocity>0.02</max_transient_velocity>"), 0.02 * s, 0.03, "transition");
    near(creep(0.5, ""), 0.01 * s, 0.03, "the default transition");
    let own = "<max_transient_velocity>0.02</max_transient_velocity>";
    let physics = friction(0.5, 0.5, 0.0, own);
    let physics = physics.replace(
        "</contact>",
        "<override_stiction_transition_velocity>0.005</override_stiction_transition_velocity></contact>",
    );
    let tilted = "<model name='ground'><static>true</static><link name='l'><pose>0 0 0 0 0.3 0</pose><collision name='c'><geometry><plane/>\
                  </geometry></collision></link></model>";
    let block = block(0.0, 0.0, "").replace("<pose>0 0 0 0 0 0</pose>", "<pose>0.0591 0 0.19107 0 0.3 0</pose>");
    let mut simulation = world("simbody", &physics, &(tilted.to_owned() + &block));
    run(&mut simulation, 0.5);
    near(velocity(&simulation, "b::l").length(), 0.005 * s, 0.03, "its override");
    assert!(creep(0.25, "") > 0.1, "beyond the static coefficient it slides");
}

#[test]
fn overlap_leaves_at_its_share_of_the_relaxation_time_under_the_convex_solver() {
    // Without gravity the damper, of the sum τ of both times, acts once, m v = h k (x₀ − (h + τ) v); it does not pull after that.
    for (own, total) in [("0.05", 0.1), ("0.02", 0.04)] {
        let surface = format!(
            "<drake:proximity_properties><drake:point_contact_stiffness>1e7</drake:point_contact_stiffness><drake:relaxation_time>{own}\
             </drake:relaxation_time></drake:proximity_properties>"
        );
        let place = |model: String| model.replace("<surface></surface>", &surface);
        let elements = place(ground("")) + &place(ball(0.099, 0.0, ""));
        let text = format!(
            "<sdf version='1.9' xmlns:drake='http://drake.mit.edu'><world name='w'><gravity>0 0 0</gravity><physics type='drake-discrete'/>\
             {elements}</world></sdf>"
        );
        let description = load_good(&text);
        let mut parameters = engine_parameters(&description, Preset::DrakeDiscrete);
        parameters.solver = stiction::world::SolverKind::Convex;
        let mut simulation = simulate(&description, parameters).unwrap();
        run(&mut simulation, 0.01);
        let stiffness = 5e6;
        let expected = STEP * stiffness * 0.001 / (2.0 + STEP * stiffness * (STEP + total));
        near(velocity(&simulation, "b::l").z, expected, 1e-6, own);
    }
}
