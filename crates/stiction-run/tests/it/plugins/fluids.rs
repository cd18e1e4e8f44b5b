//! Buoyancy, damping, added mass, propellers.

use std::f64::consts::PI;

use super::*;

fn ball(mass: f64, radius: f64, z: f64, more: &str) -> String {
    let i = 0.4 * mass * radius * radius;
    format!(
        r#"<model name="b"><pose>0 0 {z} 0 0 0</pose><link name="l"><inertial><mass>{mass}</mass><inertia><ixx>{i}</ixx><iyy>{i}</iyy><izz>{i}</izz></inertia></inertial>
<collision name="c"><geometry><sphere><radius>{radius}</radius></sphere></geometry></collision></link>{more}</model>"#
    )
}

fn sea() -> String {
    sim(
        "buoyancy",
        "Buoyancy",
        "<graded_buoyancy><default_density>1000</default_density><density_change><above_depth>0</above_depth><density>1</density></density_change></graded_buoyancy>",
    )
}

#[test]
fn a_ball_bobs_with_its_period_about_its_depth() {
    // Half immersed: the restoring force is Δρ g π r² to first order.
    let (r, g) = (0.3, 9.8);
    let mass = 2.0 / 3.0 * PI * r * r * r * (1000.0 + 1.0);
    let mut run = start(&world("0 0 -9.8", &format!("{}{}", sea(), ball(mass, r, 0.01, ""))), &[]);
    let period = 2.0 * PI / (999.0 * g * PI * r * r / mass).sqrt();
    let mut crossings = Vec::new();
    let mut last = 0.01;
    for _ in 0..4000 {
        run.step().unwrap();
        let z = pose(&run, "b::l").position.z;
        if last > 0.0 && z <= 0.0 {
            crossings.push(run.time() - 1e-3 * z / (z - last));
        }
        assert!(z.abs() < 0.0103, "{z}");
        last = z;
    }
    let found = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
    near(found, period, 2e-3 * period, "period");
    is_sound(&run);
}

/// A mesh in convex parts displaces what all of them do, not only the first: an L of three cubes hangs in water.
#[cfg(feature = "decomposition")]
#[test]
fn a_mesh_in_parts_displaces_all_of_its_volume() {
    let corners = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)];
    let vertices = [0, 1].map(|z| corners.map(|(x, y)| format!("v {x} {y} {z}\n")).concat()).concat();
    let sides = (0..6).map(|i| format!("f {} {} {} {}\n", i + 1, (i + 1) % 6 + 1, (i + 1) % 6 + 7, i + 7));
    let obj = format!("{vertices}f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n{}", sides.collect::<String>());
    let inertial = "<inertial><mass>3000</mass><pose>0.8333333333333334 0.8333333333333334 0.5 0 0 0</pose><inertia><ixx>2000</ixx><iyy>2000</iyy><izz>2000</izz></inertia></inertial>";
    for layers in [
        "<uniform_fluid_density>1000</uniform_fluid_density>",
        "<graded_buoyancy><default_density>1000</default_density></graded_buoyancy>",
    ] {
        let plugin = sim("buoyancy", "Buoyancy", layers);
        let model = format!(
            r#"<model name="b"><pose>0 0 -9 0.3 0.2 0</pose><link name="l">{inertial}<collision name="c"><pose>0 0 0 0 0 0</pose><geometry>
<mesh optimization="convex_decomposition"><uri>l.obj</uri></mesh></geometry></collision></link></model>"#
        );
        let setup = setup(&world("0 0 -9.8", &format!("{plugin}{model}")), &[]);
        std::fs::write(setup.files[0].path.with_file_name("l.obj"), &obj).unwrap();
        let mut run = setup.start().unwrap();
        let parts = run.simulation().geoms("b::l::c").count();
        assert!(parts > 1, "{parts} parts");
        run.advance(0.1).unwrap();
        // Sinks or rises by the error of the parts' volume alone; the first part alone left it falling with 6 m/s².
        let found = velocity(&run, "b::l").0.z / 0.1;
        assert!(found.abs() < 0.05 * 9.8, "{layers}: {found} m/s²");
    }
}

#[test]
fn bodies_float_as_deep_as_they_weigh() {
    // (Below 0.01 m/s the decay does nothing: 0.9 mm of its bobbing remain.) A box of 300 kg/m³ in 1000 below and 1 above: the depth d has 1000 d + 1 (h − d) = 300 h.
    let model = r#"<model name="b"><pose>0 0 0.1 0 0 0</pose><link name="l"><inertial><mass>75</mass><inertia><ixx>5.2</ixx><iyy>5.2</iyy><izz>6.25</izz></inertia></inertial>
<velocity_decay><linear>0.005</linear><angular>0.005</angular></velocity_decay>
<collision name="c"><geometry><box><size>1 1 0.25</size></box></geometry></collision></link></model>"#;
    let mut run = start(&world("0 0 -9.8", &format!("{}{model}", sea())), &[]);
    run.advance(12.0).unwrap();
    let depth = (300.0 - 1.0) * 0.25 / 999.0;
    near(pose(&run, "b::l").position.z, 0.125 - depth, 1e-3, "depth");
    // A ball of the density of the fluid hangs in it; the default is water.
    for plugin in [
        sim("buoyancy", "Buoyancy", ""),
        sim("buoyancy", "Buoyancy", "<uniform_fluid_density>1000</uniform_fluid_density><enable>b</enable>"),
    ] {
        let mass = 4.0 / 3.0 * PI * 0.001 * 1000.0;
        let mut run = start(&world("0 0 -9.8", &format!("{plugin}{}", ball(mass, 0.1, 2.0, ""))), &[]);
        run.advance(1.0).unwrap();
        near(pose(&run, "b::l").position.z, 2.0, 1e-9, "neutral");
    }
    // Only what is enabled is carried.
    let other = sim("buoyancy", "Buoyancy", "<enable>c</enable>");
    let mut run = start(&world("0 0 -9.8", &format!("{other}{}", ball(4.0, 0.1, 2.0, ""))), &[]);
    run.advance(0.5).unwrap();
    near(velocity(&run, "b::l").0.z, -4.9, 1e-9, "falls");
    // Classic: of a model, with a volume of its own.
    let classic = r#"<plugin name="b" filename="libBuoyancyPlugin.so"><fluid_density>800</fluid_density><link name="l"><center_of_volume>0 0 0</center_of_volume><volume>0.01</volume></link></plugin>"#;
    let mut run = start(&world("0 0 -9.8", &ball(4.0, 0.1, 2.0, classic)), &[]);
    run.advance(0.5).unwrap();
    near(velocity(&run, "b::l").0.z, 0.5 * 9.8 * (800.0 * 0.01 / 4.0 - 1.0), 1e-9, "rises");
}

fn vessel(plugins: &str) -> String {
    world(
        "0 0 0",
        &format!(
            r#"<model name="v"><link name="hull"><inertial><mass>20</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
<link name="screw"><pose>-1 0 0 0 1.5707963267948966 0</pose><inertial><mass>0.1</mass><inertia><ixx>0.001</ixx><iyy>0.001</iyy><izz>0.001</izz></inertia></inertial></link>
<joint name="j" type="revolute"><parent>hull</parent><child>screw</child><axis><xyz expressed_in="hull">1 0 0</xyz></axis></joint>{plugins}</model>"#
        ),
    )
}

#[test]
fn a_thruster_brings_a_vessel_to_its_terminal_speed() {
    let water =
        sim("hydrodynamics", "Hydrodynamics", "<link_name>hull</link_name><xU>-5</xU><xUabsU>-20</xUabsU><kP>-5</kP>");
    let thruster = |more: &str| {
        sim(
            "thruster",
            "Thruster",
            &format!(
                "<joint_name>j</joint_name><thrust_coefficient>0.005</thrust_coefficient><fluid_density>1000</fluid_density><propeller_diameter>0.2</propeller_diameter><velocity_control>true</velocity_control>{more}"
            ),
        )
    };
    // 5 u + 20 u² = T.
    let speed = |thrust: f64| (-5.0 + (25.0 + 80.0 * thrust).sqrt()) / 40.0;
    let mut run = start(&vessel(&format!("{water}{}", thruster(""))), &["j:thrust=30"]);
    run.advance(8.0).unwrap();
    near(velocity(&run, "v::hull").0.x, speed(30.0), 1e-4, "terminal speed");
    // T = ρ K D⁴ ω²: the propeller turns at its speed, and a speed gives its thrust.
    let omega = (30.0 / (1000.0 * 0.005 * 0.2_f64.powi(4))).sqrt();
    let rate = run.joint(stiction_run::Quantity::Rate, "v::j", 0).unwrap();
    near(rate, omega, 1e-6 * omega, "speed of the propeller");
    let by_speed = thruster("<use_angvel_cmd>true</use_angvel_cmd>");
    let mut run = start(&vessel(&format!("{water}{by_speed}")), &["j:motor_speed=40"]);
    run.advance(8.0).unwrap();
    near(velocity(&run, "v::hull").0.x, speed(0.008 * 1600.0), 1e-4, "by its speed");
    is_sound(&run);
    // Within its range.
    let small = thruster("<max_thrust_cmd>3</max_thrust_cmd>");
    let mut run = start(&vessel(&format!("{water}{small}")), &["j:thrust=30"]);
    run.advance(12.0).unwrap();
    near(velocity(&run, "v::hull").0.x, speed(3.0), 1e-3, "largest command");
}

#[test]
fn added_mass_slows_a_push_whatever_its_ratio() {
    for added in [0.0, 3.0, 40.0, 2000.0] {
        let water = sim(
            "hydrodynamics",
            "Hydrodynamics",
            &format!("<link_name>l</link_name><xDotU>{}</xDotU><yDotV>-1</yDotV>", -added),
        );
        let mut push = setup(&world("0 0 0", &ball(4.0, 0.1, 0.0, &water)), &[]);
        push.forces = vec![stiction_run::ForceRequest::parse("b::l=8,0,0").unwrap()];
        let mut run = push.start().unwrap();
        run.advance(1.0).unwrap();
        // The force of the water is known from the second step on.
        let expected = 8.0 / (4.0 + added);
        near(velocity(&run, "b::l").0.x, expected, 4e-3, &format!("added {added}"));
    }
}

#[test]
fn a_current_carries_what_drifts_in_it() {
    let water = sim(
        "hydrodynamics",
        "Hydrodynamics",
        "<link_name>l</link_name><xU>-8</xU><yV>-8</yV><zW>-8</zW><default_current>0.5 -0.2 0</default_current>",
    );
    let mut run = start(&world("0 0 0", &ball(4.0, 0.1, 0.0, &water)), &[]);
    run.advance(0.5).unwrap();
    let share = 1.0 - (-8.0 * 0.5 / 4.0_f64).exp();
    assert!((velocity(&run, "b::l").0 - share * DVec3::new(0.5, -0.2, 0.0)).length() < 1e-3);
    // Damping that a step cannot resolve stops the drift and does not throw it back.
    let thick = water.replace("-8<", "-1e6<");
    let mut run = start(&world("0 0 0", &ball(4.0, 0.1, 0.0, &thick)), &[]);
    run.advance(0.1).unwrap();
    assert!((velocity(&run, "b::l").0 - DVec3::new(0.5, -0.2, 0.0)).length() < 1e-6);
}

#[test]
fn wind_rises_as_a_first_order_lag_and_waves() {
    let plugin = sim(
        "wind-effects",
        "WindEffects",
        "<force_approximation_scaling_factor>2</force_approximation_scaling_factor><horizontal><magnitude><time_for_rise>0.5</time_for_rise></magnitude><direction><time_for_rise>1</time_for_rise></direction></horizontal><vertical><time_for_rise>1</time_for_rise></vertical>",
    );
    let model = ball(1.0, 0.1, 0.0, "").replace("<link name", "<enable_wind>true</enable_wind><link name");
    let mut run =
        start(&world("0 0 0", &format!("<wind><linear_velocity>3 4 0</linear_velocity></wind>{plugin}{model}")), &[]);
    run.advance(1.0).unwrap();
    // w = W (1 − e^(−t/τ)), v' = k (w − v): two lags in a row with the rates a = 1/τ and k, here equal: 1 − (1 + a t) e^(−a t).
    let share = 1.0 - 3.0 * (-2.0_f64).exp();
    let v = velocity(&run, "b::l").0;
    assert!((v - share * DVec3::new(3.0, 4.0, 0.0)).length() < 0.02, "{v} {share}");
}

#[test]
fn a_buoyancy_engine_lifts_by_the_volume_of_its_bladder() {
    let engine = |more: &str| {
        let inner = format!(
            "<link_name>l</link_name><neutral_volume>0.002</neutral_volume><default_volume>0.002</default_volume><min_volume>0.001</min_volume><max_volume>0.004</max_volume><max_inflation_rate>0.01</max_inflation_rate>{more}"
        );
        let plugin = sim("buoyancy-engine", "BuoyancyEngine", &inner);
        let link = r#"<link name="l"><gravity>false</gravity><inertial><mass>10</mass></inertial></link>"#;
        world("0 0 -10", &format!(r#"<model name="m"><pose>0 0 -5 0 0 0</pose>{link}{plugin}</model>"#))
    };
    let mut run = start(&engine(""), &[]);
    run.advance(0.5).unwrap();
    near(velocity(&run, "m::l").0.z, 0.0, 1e-12, "neutral");
    // 1 litre more in 0.1 s, then 10 N on 10 kg; 9 litres are more than it holds.
    for (command, litres) in [("m::l:volume=0.003", 1.0), ("l:volume=0.011", 2.0), ("l:volume=0", -1.0_f64)] {
        let mut run = start(&engine(""), &[command]);
        run.advance(1.0).unwrap();
        let ramp = 0.1 * litres.abs();
        near(velocity(&run, "m::l").0.z, litres * (1.0 - ramp / 2.0), 2e-3, command);
        is_sound(&run);
    }
    // Above the surface only the oil is left: 20 N down.
    let mut run = start(&engine("<surface>-6</surface>"), &[]);
    run.advance(0.1).unwrap();
    near(velocity(&run, "m::l").0.z, -0.2, 1e-9, "above the surface");
}
