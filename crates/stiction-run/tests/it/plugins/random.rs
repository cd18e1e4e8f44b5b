//! Random parameters: numbers stay finite, and no energy comes from nowhere.

use super::*;

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as f64 / u64::MAX as f64
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// Of any size from 1e-3 to 1e4.
    fn size(&mut self) -> f64 {
        10.0_f64.powf(self.within(-3.0, 4.0))
    }
}

fn plugins(r: &mut Random) -> String {
    let mut text = String::new();
    let tag = |r: &mut Random, name: &str, sign: f64| format!("<{name}>{}</{name}>", sign * r.size());
    if r.next() < 0.5 {
        let names = ["xU", "yV", "zW", "kP", "mQ", "nR", "xUabsU", "yVabsV", "zWabsW", "kPabsP", "mQabsQ", "nRabsR"];
        let mut inner: String = names.iter().map(|n| tag(r, n, -1.0)).collect();
        if r.next() < 0.5 {
            // Up to ten times the mass and the inertia of the link, about 3 kg and 0.06 kg m².
            for (n, name) in ["xDotU", "yDotV", "zDotW", "kDotP", "mDotQ", "nDotR"].into_iter().enumerate() {
                let own = if n < 3 { 3.0 } else { 0.06 };
                inner += &format!("<{name}>{}</{name}>", -own * 10.0_f64.powf(r.within(-2.0, 1.0)));
            }
        }
        text += &sim(
            "hydrodynamics",
            "Hydrodynamics",
            &format!(
                "<link_name>a</link_name>{inner}<default_current>{} 0 {}</default_current>",
                r.within(-2.0, 2.0),
                r.within(-2.0, 2.0)
            ),
        );
    }
    if r.next() < 0.5 {
        let inner: String = [("cla", 10.0), ("cda", 5.0), ("area", 1.0), ("air_density", 3.0), ("cda_stall", 3.0)]
            .map(|(name, most)| format!("<{name}>{}</{name}>", r.within(0.0, most)))
            .concat();
        text += &sim(
            "lift-drag",
            "LiftDrag",
            &format!(
                "<link_name>b</link_name><a0>{}</a0><alpha_stall>{}</alpha_stall><cp>{} 0 0.1</cp>{inner}",
                r.within(-0.3, 0.3),
                r.within(0.0, 1.5),
                r.within(-0.5, 0.5)
            ),
        );
    }
    if r.next() < 0.5 {
        let inner = ["p_gain", "i_gain"].map(|n| tag(r, n, 1.0)).concat();
        text += &sim(
            "joint-position-controller",
            "JointPositionController",
            &format!(
                "<joint_name>j</joint_name>{inner}<d_gain>{}</d_gain><cmd_max>20</cmd_max><cmd_min>-20</cmd_min><initial_position>{}</initial_position>",
                r.within(0.0, 1.0),
                r.within(-3.0, 3.0)
            ),
        );
    }
    if r.next() < 0.3 {
        text += &sim(
            "multicopter-motor-model",
            "MulticopterMotorModel",
            &format!(
                "<jointName>k</jointName><linkName>c</linkName><turningDirection>cw</turningDirection>{}{}<motorConstant>{}</motorConstant>",
                tag(r, "rotorDragCoefficient", 1.0),
                tag(r, "rollingMomentCoefficient", 1e-8),
                1e-6 * r.size()
            ),
        );
    } else if r.next() < 0.5 {
        text += &sim(
            "thruster",
            "Thruster",
            &format!(
                "<joint_name>k</joint_name><velocity_control>true</velocity_control>{}{}",
                tag(r, "thrust_coefficient", 1.0),
                tag(r, "propeller_diameter", 0.01)
            ),
        );
    }
    text
}

#[test]
fn random_parameters_keep_numbers_finite_and_make_no_energy() {
    let mut random = Random(20_261_123);
    let mut worst = 0.0_f64;
    for case in 0..1000 {
        let r = &mut random;
        let plugins = plugins(r);
        let buoyancy = if r.next() < 0.5 {
            sim(
                "buoyancy",
                "Buoyancy",
                &format!("<uniform_fluid_density>{}</uniform_fluid_density>", r.within(0.0, 1500.0)),
            )
        } else {
            String::new()
        };
        let link = |name: &str, x: f64, mass: f64| {
            format!(
                r#"<link name="{name}"><pose>{x} 0 0 0.1 0.2 0</pose><inertial><mass>{mass}</mass><inertia><ixx>{i}</ixx><iyy>{i}</iyy><izz>{i}</izz></inertia></inertial><collision name="c"><geometry><box><size>0.3 0.2 0.1</size></box></geometry></collision></link>"#,
                i = 0.02 * mass
            )
        };
        let masses = [r.within(0.5, 10.0), r.within(0.5, 10.0), r.within(0.1, 2.0)];
        let text = world(
            "0 0 -9.8",
            &format!(
                r#"{buoyancy}<model name="m"><pose>0 0 10 0 0 0</pose>{}{}{}<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz><limit><effort>50</effort></limit></axis></joint><joint name="k" type="revolute"><parent>a</parent><child>c</child><axis><xyz>0 0 1</xyz><limit><effort>20</effort></limit></axis></joint>
<plugin name="i" filename="libInitialVelocityPlugin.so"><linear>{} {} {}</linear><angular>0.3 -0.2 0.5</angular></plugin>{plugins}</model>"#,
                link("a", 0.0, masses[0]),
                link("b", 0.5, masses[1]),
                link("c", -0.5, masses[2]),
                r.within(-5.0, 5.0),
                r.within(-5.0, 5.0),
                r.within(-5.0, 5.0)
            ),
        );
        let command = if plugins.contains("Thruster") {
            Some(format!("k:thrust={}", r.within(-50.0, 50.0)))
        } else {
            plugins.contains("MotorModel").then(|| format!("k:motor_speed={}", r.within(0.0, 400.0)))
        };
        let commands: Vec<&str> = command.iter().map(String::as_str).collect();
        let mut run = start(&text, &commands);
        run.advance(0.1).unwrap();
        assert!(run.failure().is_none(), "case {case}: {:?}\n{text}", run.failure());
        for name in ["m::a", "m::b", "m::c"] {
            let (v, w) = velocity(&run, name);
            assert!(v.is_finite() && w.is_finite() && v.length() < 1e3, "case {case}: {v} {w}\n{text}");
        }
        let summary = run.summary(0.0).json();
        let energy = summary.get("energy_balance").or(summary.get("energy")).unwrap();
        worst = worst.max(energy["made"]["share"].as_f64().unwrap_or_else(|| panic!("{energy}")));
    }
    assert!(worst < 0.25, "{worst}");
}
