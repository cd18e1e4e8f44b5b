//! Wings and rotors.

use std::f64::consts::PI;

use super::*;

const MASS: f64 = 2.0;

fn wing(inner: &str) -> String {
    sim("lift-drag", "LiftDrag", &format!("<link_name>l</link_name>{inner}"))
}

fn glider(gravity: &str, plugins: &str, velocity: &str) -> String {
    world(
        gravity,
        &format!(
            r#"<model name="g"><link name="l"><inertial><mass>{MASS}</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
<plugin name="i" filename="libInitialVelocityPlugin.so"><linear>{velocity}</linear></plugin>{plugins}</model>"#
        ),
    )
}

#[test]
fn forces_of_a_wing_are_those_of_its_angle_of_attack() {
    // Ahead along x, sinking: the air comes from below by atan(1/10).
    let (rho, area, cla, cda) = (1.2, 0.5, 4.0, 0.3);
    let inner =
        format!("<air_density>{rho}</air_density><area>{area}</area><cla>{cla}</cla><cda>{cda}</cda><a0>0.05</a0>");
    for (more, stall) in [
        ("", f64::INFINITY),
        ("<alpha_stall>0.1</alpha_stall><cla_stall>-2</cla_stall><cda_stall>0.9</cda_stall>", 0.1),
    ] {
        let mut run = start(&glider("0 0 0", &wing(&format!("{inner}{more}")), "10 0 -1"), &[]);
        run.step().unwrap();
        let alpha = 0.05 + 0.1_f64.atan();
        let line = |slope: f64, beyond: f64| {
            if alpha > stall { slope * stall + beyond * (alpha - stall) } else { slope * alpha }
        };
        let q = 0.5 * rho * 101.0 * area;
        let (ahead, up) = (DVec3::new(10.0, 0.0, -1.0).normalize(), DVec3::new(1.0, 0.0, 10.0).normalize());
        let force = q * (line(cla, -2.0) * up - line(cda, 0.9) * ahead);
        let found = (velocity(&run, "g::l").0 - DVec3::new(10.0, 0.0, -1.0)) * MASS / 1e-3;
        assert!((found - force).length() < 1e-2 * force.length(), "{found} {force}");
    }
    // Backwards there is no wing, unless it is reversible; classic's is.
    let still = |plugin: &str| {
        let mut run = start(&glider("0 0 0", plugin, "-10 0 -1"), &[]);
        run.step().unwrap();
        (velocity(&run, "g::l").0 - DVec3::new(-10.0, 0.0, -1.0)).length() < 1e-12
    };
    assert!(still(&wing(&inner)));
    assert!(!still(&wing(&format!("{inner}<reversible>true</reversible>"))));
}

/// The force of a wing on a heavy vehicle is the same however light the link is that it is on: the step may turn the lift by
/// what the vehicle answers, not by what the link would alone (at 10 g its drag was 46 N, and not 11).
#[test]
fn a_light_wing_on_a_heavy_vehicle_has_the_force_of_the_wing() {
    let (rho, area, cla, cda) = (1.2, 2.0, 4.7, 0.6);
    let plugin = wing(&format!(
        "<air_density>{rho}</air_density><area>{area}</area><a0>0.1</a0><cla>{cla}</cla><cda>{cda}</cda><cp>-0.05 0 0.1</cp>"
    ));
    let inertial = |m: f64| {
        format!("<inertial><mass>{m}</mass><inertia><ixx>{m}</ixx><iyy>{m}</iyy><izz>{m}</izz></inertia></inertial>")
    };
    let q = 0.5 * rho * 100.0 * area;
    for mass in [1.0, 0.01, 1e-4] {
        for joint in ["fixed", "revolute"] {
            let text = world(
                "0 0 0",
                &format!(
                    r#"<model name="g"><link name="cart">{}</link><link name="l">{}</link>
<joint name="j" type="{joint}"><parent>cart</parent><child>l</child><axis><xyz>1 0 0</xyz></axis></joint>
<plugin name="i" filename="libInitialVelocityPlugin.so"><linear>10 0 0</linear></plugin>{plugin}</model>"#,
                    inertial(1000.0),
                    inertial(mass),
                ),
            );
            let mut run = start(&text, &[]);
            run.step().unwrap();
            let force = (velocity(&run, "g::cart").0 - DVec3::new(10.0, 0.0, 0.0)) * (1000.0 + mass) / 1e-3;
            let wanted = DVec3::new(-0.1 * cda * q, 0.0, 0.1 * cla * q);
            assert!((force - wanted).length() < 1e-3 * wanted.length(), "{joint} {mass}: {force} {wanted}");
        }
    }
}

#[test]
fn a_nose_dive_ends_at_its_terminal_speed() {
    // Two wings whose lifts cancel: drag 2 c_d ½ ρ A v² is the weight.
    let half = |up: &str| {
        wing(&format!(
            "<air_density>1.2</air_density><area>0.4</area><cla>0.5</cla><cda>2</cda><a0>0.1</a0><forward>0 0 -1</forward><upward>{up}</upward>"
        ))
    };
    let mut run = start(&glider("0 0 -9.8", &format!("{}{}", half("0 1 0"), half("0 -1 0")), "0 0 -1"), &[]);
    run.advance(25.0).unwrap();
    let speed = (MASS * 9.8 / (2.0 * 0.2 * 0.5 * 1.2 * 0.4)).sqrt();
    near(velocity(&run, "g::l").0.z, -speed, 1e-3, "terminal speed");
    assert!(velocity(&run, "g::l").0.truncate().length() < 1e-9);
    is_sound(&run);
}

pub const K: f64 = 1e-5;

/// A vehicle of four rotors with its motors; `names` of the joints are j0 to j3.
pub fn copter(more: &str) -> String {
    let mut parts = String::new();
    for (n, (x, y, turn)) in
        [(0.2, 0.2, "ccw"), (-0.2, -0.2, "ccw"), (0.2, -0.2, "cw"), (-0.2, 0.2, "cw")].into_iter().enumerate()
    {
        parts += &format!(
            r#"<link name="r{n}"><pose>{x} {y} 0.05 0 0 0</pose><inertial><mass>0.01</mass><inertia><ixx>0.00001</ixx><iyy>0.00001</iyy><izz>0.00002</izz></inertia></inertial></link>
<joint name="j{n}" type="revolute"><parent>base</parent><child>r{n}</child><axis><xyz>0 0 1</xyz></axis></joint>"#
        );
        parts += &sim(
            "multicopter-motor-model",
            "MulticopterMotorModel",
            &format!(
                "<jointName>j{n}</jointName><linkName>r{n}</linkName><turningDirection>{turn}</turningDirection><motorType>velocity</motorType><actuator_number>{n}</actuator_number><motorConstant>{K}</motorConstant><momentConstant>0.02</momentConstant><maxRotVelocity>2000</maxRotVelocity>"
            ),
        );
    }
    world(
        "0 0 -9.8",
        &format!(
            r#"<model name="x"><pose>0 0 5 0 0 0</pose><link name="base"><inertial><mass>1.46</mass><inertia><ixx>0.02</ixx><iyy>0.02</iyy><izz>0.03</izz></inertia></inertial></link>{parts}{more}</model>"#
        ),
    )
}

#[test]
fn a_copter_hovers_at_the_speed_that_carries_it() {
    let omega = (1.5 * 9.8 / (4.0 * K)).sqrt();
    let commands: Vec<String> = (0..4).map(|n| format!("x::j{n}:motor_speed={omega}")).collect();
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    let mut run = start(&copter(""), &commands);
    run.advance(1.0).unwrap();
    let before = velocity(&run, "x::base");
    run.advance(1.0).unwrap();
    let after = velocity(&run, "x::base");
    assert!((after.0 - before.0).length() < 1e-3, "{before:?} {after:?}");
    assert!(after.1.length() < 1e-3, "{after:?}");
    // What it fell while the motors came up: v = −g ∫ (1 − s²) dt with s = 1 − e^(−t/τ), that is −g τ 3/2.
    near(after.0.z, -9.8 * 1.5 / 80.0, 0.02, "fall");
    is_sound(&run);
    // One rotor faster: it turns over.
    let mut run = start(&copter(""), &["j0:motor_speed=800"]);
    run.advance(0.2).unwrap();
    assert!(velocity(&run, "x::base").1.length() > 0.1);
}

/// The controller of the copter.
pub fn control() -> String {
    let rotor = |n: usize, direction: i32| {
        format!(
            "<rotor><jointName>j{n}</jointName><forceConstant>{K}</forceConstant><momentConstant>0.02</momentConstant><direction>{direction}</direction></rotor>"
        )
    };
    sim(
        "multicopter-control",
        "MulticopterVelocityControl",
        &format!(
            "<robotNamespace>x</robotNamespace><comLinkName>base</comLinkName><velocityGain>6 6 10</velocityGain><attitudeGain>4 4 2</attitudeGain><angularRateGain>0.7 0.7 0.7</angularRateGain><maximumLinearAcceleration>2 2 2</maximumLinearAcceleration><rotorConfiguration>{}{}{}{}</rotorConfiguration>",
            rotor(0, 1),
            rotor(1, 1),
            rotor(2, -1),
            rotor(3, -1)
        ),
    )
}

#[test]
fn a_copter_follows_a_twist() {
    let plugin = control();
    let mut run = start(&copter(&plugin), &["x:twist=0,0,0.5,0,0,0.3"]);
    run.advance(6.0).unwrap();
    let (v, w) = velocity(&run, "x::base");
    assert!((v - DVec3::new(0.0, 0.0, 0.5)).length() < 0.05, "{v}");
    near(w.z, 0.3, 0.03, "yaw rate");
    let mut run = start(&copter(&plugin), &["x:twist=0.5,0,0,0,0,0"]);
    run.advance(8.0).unwrap();
    near(velocity(&run, "x::base").0.x, 0.5, 0.1, "ahead");
    is_sound(&run);
}

/// An aircraft of which the file gives everything, and its force and moment by hand.
#[test]
fn forces_and_moments_of_an_aircraft_are_those_of_its_derivatives() {
    let (rho, area, ratio, chord, eff) = (1.2, 0.34_f64, 6.5_f64, 0.22, 0.97);
    let (cl0, cla, clb, cd0, cyb, cella, cellb, cemb, cenb) =
        (0.15, 5.0, 0.02, 0.029, -0.258, 0.01, -0.034, 0.003, 0.026);
    // By the rates of roll, pitch and yaw.
    let rates = [
        ("CD", [0.01, 0.06, -0.02]),
        ("CY", [0.02, 0.1, 0.2]),
        ("CL", [0.03, 7.9, -0.04]),
        ("Cell", [-0.49, 0.02, 0.1]),
        ("Cem", [0.01, -12.4, 0.03]),
        ("Cen", [-0.07, 0.02, -0.08]),
    ];
    let flap = [0.001, -0.002, 0.003, -0.004, 0.005, -0.006];
    let mut inner = format!(
        "<link_name>l</link_name><air_density>{rho}</air_density><area>{area}</area><AR>{ratio}</AR><mac>{chord}</mac><eff>{eff}</eff><alpha_stall>0.4</alpha_stall><cp>0.05 0 0</cp><CL0>{cl0}</CL0><CLa>{cla}</CLa><CLb>{clb}</CLb><CD0>{cd0}</CD0><CYb>{cyb}</CYb><Cella>{cella}</Cella><Cellb>{cellb}</Cellb><Cemb>{cemb}</Cemb><Cenb>{cenb}</Cenb>"
    );
    for (force, by) in rates {
        for (name, value) in ["p", "q", "r"].iter().zip(by) {
            inner += &format!("<{force}{name}>{value}</{force}{name}>");
        }
    }
    let names = ["CD", "CY", "CL", "Cell", "Cem", "Cen"];
    let effects: String = names.iter().zip(flap).map(|(n, e)| format!("<{n}_ctrl>{e}</{n}_ctrl>")).collect();
    inner += &format!("<control_surface><name>j</name><direction>-1</direction>{effects}</control_surface>");
    let plugin = sim("advanced-lift-drag", "AdvancedLiftDrag", &inner);
    // The flap is light and stands at 0.1 rad.
    let flap_link = r#"<link name="f"><inertial><mass>1e-7</mass><inertia><ixx>1e-9</ixx><iyy>1e-9</iyy><izz>1e-9</izz></inertia></inertial></link><joint name="j" type="revolute"><parent>l</parent><child>f</child><axis><xyz>0 1 0</xyz><initial_position>0.1</initial_position></axis></joint>"#;
    let (v, w) = (DVec3::new(15.0, -0.9, -1.2), DVec3::new(0.3, -0.2, 0.4));
    let text = glider("0 0 0", &format!("{plugin}{flap_link}"), "15 -0.9 -1.2")
        .replace("</linear>", "</linear><angular>0.3 -0.2 0.4</angular>");
    let mut run = start(&text, &[]);
    run.step().unwrap();
    let at = v + w.cross(DVec3::new(0.05, 0.0, 0.0));
    let speed = at.x.hypot(at.z);
    // Out of the right wing is -y, down is -z.
    let (alpha, beta) = ((-at.z).atan2(at.x), (-at.y).atan2(at.x));
    let span = (area * ratio).sqrt();
    let hat = [w.x * span, -w.y * chord, -w.z * span].map(|rate| rate / (2.0 * speed));
    let angle = -0.1_f64.to_degrees();
    let sigma = {
        let (a, b) = ((-15.0 * (alpha - 0.4)).exp(), (15.0 * (alpha + 0.4)).exp());
        (1.0 + a + b) / ((1.0 + a) * (1.0 + b))
    };
    let lift = (1.0 - sigma) * (cl0 + cla * alpha)
        + sigma * 2.0 * alpha.sin().powi(2) * alpha.cos()
        + clb * beta
        + flap[2] * angle;
    let plate = 2.0 / (1.0 + (-0.224 - 0.115 * ratio).exp());
    let drag = (1.0 - sigma) * (cd0 + lift * lift / (PI * ratio * eff))
        + sigma * plate * alpha.sin().powi(2)
        + flap[0] * angle;
    let steady = [
        drag,
        cyb * beta + flap[1] * angle,
        lift,
        cella * alpha + cellb * beta + flap[3] * angle,
        cemb * beta + flap[4] * angle,
        cenb * beta + flap[5] * angle,
    ];
    let q = 0.5 * rho * speed * speed * area;
    let all: [f64; 6] = std::array::from_fn(|i| q * (steady[i] + (0..3).map(|k| rates[i].1[k] * hat[k]).sum::<f64>()));
    let along = DVec3::new(at.x, 0.0, at.z) / speed;
    let up = DVec3::new(-at.z, 0.0, at.x) / speed;
    let force = -all[0] * along + all[1] * DVec3::NEG_Y + all[2] * up;
    let moment = DVec3::new(span * all[3], -chord * all[4], -span * all[5]) + DVec3::new(0.05, 0.0, 0.0).cross(force);
    let (after, turning) = velocity(&run, "g::l");
    let found = (after - v) * MASS / 1e-3;
    assert!((found - force).length() < 2e-3 * force.length(), "{found} {force}");
    // The inertia is 1 kg m² about every axis.
    let found = (turning - w) / 1e-3;
    assert!((found - moment).length() < 5e-3 * moment.length(), "{found} {moment}");
}
