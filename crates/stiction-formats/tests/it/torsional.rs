//! Torsional friction from files: which surfaces have it, with which engines, and what is told.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;

use common::{load_text, set};
use stiction::math::DVec3;
use stiction::world::Preset;
use stiction_formats::diagnostic::Diagnostic;
use stiction_formats::simulation::{simulate, world_parameters};
use stiction_formats::{LoadOptions, Loaded, Override, compliant_advice};

/// A ball of one kilogram on the ground plane, with the insides of `<torsional>` of both.
fn ball(own: &str, ground: &str, overrides: Vec<Override>) -> Loaded {
    let surface = |inner: &str| {
        let ode = "<contact><ode><kp>200000</kp><kd>20</kd></ode></contact>";
        format!("<surface><friction><torsional>{inner}</torsional></friction>{ode}</surface>")
    };
    let text = format!(
        r#"<sdf version="1.9"><world name="w"><gravity>0 0 -9.81</gravity>
<model name="ground"><static>true</static><link name="l"><collision name="c">
<geometry><plane/></geometry>{}</collision></link></model>
<model name="ball"><pose>0 0 0.0999019 0 0 0</pose><link name="l">
<inertial><mass>1</mass><inertia><ixx>0.004</ixx><iyy>0.004</iyy><izz>0.004</izz></inertia></inertial>
<collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry>{}</collision></link></model>
</world></sdf>"#,
        surface(ground),
        surface(own)
    );
    load_text(&text, &LoadOptions { no_ground: true, overrides, ..LoadOptions::default() })
}

/// Deceleration over a tenth of a second of a spin of 10 rad/s, as the lever of its moment: `I Δω / (m g Δt)` \[m\].
fn lever(loaded: &Loaded, preset: Preset) -> f64 {
    assert!(loaded.world.is_some(), "{:?}", loaded.diagnostics);
    let description = loaded.world.as_ref().unwrap();
    let mut parameters = world_parameters(description);
    preset.apply(&mut parameters);
    let mut simulation = simulate(description, parameters).unwrap();
    let body = simulation.link("ball::l").unwrap().body.unwrap();
    simulation.world.body_mut(body).unwrap().set_omega(DVec3::Z * 10.0).unwrap();
    for _ in 0..100 {
        simulation.world.step(1e-3);
    }
    0.004 * (10.0 - simulation.world.body(body).unwrap().omega().z) / (9.81 * 0.1)
}

const HERTZ: f64 = 3.0 * std::f64::consts::PI / 16.0;
const ENGINES: [Preset; 4] = [Preset::Ode, Preset::OdeWorld, Preset::OdeQuick, Preset::Agx];

#[test]
fn every_element_acts_by_its_law_under_every_engine_with_gazebos_friction() {
    // Radii of curvature 0.3 and 0.6 in series at the rest depth.
    let rest = (0.2 * 9.81e-5f64).sqrt();
    let cases = [
        ("", "", 0.0),
        ("<coefficient>0.3</coefficient>", "<coefficient>0.2</coefficient>", 0.0),
        ("<coefficient>0.03</coefficient><patch_radius>0.2</patch_radius>", "", 0.03 * 0.2),
        (
            "<coefficient>0.03</coefficient>",
            "<patch_radius>0.2</patch_radius><coefficient>0.02</coefficient>",
            0.02 * 0.2,
        ),
        (
            "<coefficient>0.03</coefficient><patch_radius>0.1</patch_radius>",
            "<patch_radius>0.2</patch_radius>",
            0.03 * 0.2,
        ),
        (
            "<coefficient>0.5</coefficient><surface_radius>0.3</surface_radius>",
            "<surface_radius>0.6</surface_radius>",
            0.0,
        ),
        (
            "<coefficient>0.5</coefficient><surface_radius>0.3</surface_radius>",
            "<use_patch_radius>false</use_patch_radius><surface_radius>0.6</surface_radius><patch_radius>1</patch_radius>",
            0.5 * rest,
        ),
    ];
    for (own, ground, expected) in cases {
        let loaded = ball(own, ground, Vec::new());
        for preset in ENGINES {
            let found = lever(&loaded, preset);
            assert!((found - HERTZ * expected).abs() < 1e-6, "{preset:?} {own} {ground}: {found} {}", HERTZ * expected);
        }
    }
    // Slips add up: ω = slip × moment, far below the bound.
    let slow =
        ball("<patch_radius>9</patch_radius><ode><slip>30</slip></ode>", "<ode><slip>20</slip></ode>", Vec::new());
    for preset in ENGINES {
        let omega = 10.0 - lever(&slow, preset) * 0.981 / 0.004;
        let stepped = 10.0 * libm::pow(1.0 + 1e-3 / (0.004 * 50.0), -100.0);
        assert!((omega - stepped).abs() < 1e-6, "{preset:?}: {omega} {stepped}");
    }
}

#[test]
fn a_setting_of_the_command_acts_as_the_file_would() {
    let own = |leaf: &str, value: &str| {
        set(&format!("model.ball.link.l.collision.c.surface.friction.torsional.{leaf}"), value)
    };
    let loaded = ball("", "", vec![own("patch_radius", "0.2"), own("coefficient", "0.03")]);
    assert!((lever(&loaded, Preset::Ode) - HERTZ * 0.006).abs() < 1e-6);
}

fn codes(found: &[Diagnostic]) -> Vec<&'static str> {
    found.iter().map(|d| d.code).collect()
}

#[test]
fn what_has_no_effect_is_told_once_with_its_line() {
    let loaded = ball("<patch_radius>0.2</patch_radius>", "<surface_radius>1</surface_radius>", Vec::new());
    assert_eq!(codes(&loaded.diagnostics), [""; 0]);
    let description = loaded.world.as_ref().unwrap();
    for preset in Preset::ALL {
        let mut parameters = world_parameters(description);
        preset.apply(&mut parameters);
        let found = compliant_advice(description, &parameters, 1e-3);
        let told: Vec<_> = found.iter().filter(|d| d.code == "no-torsional-friction").collect();
        assert_eq!(told.len(), usize::from(preset.is_drake()), "{preset:?}");
        for finding in told {
            assert_eq!(finding.location.as_ref().unwrap().line, 3, "{finding:?}");
            assert!(finding.message.contains("1 other collision"), "{}", finding.message);
        }
        if preset.is_drake() {
            assert!(lever(&loaded, preset).abs() < 1e-9, "{preset:?}");
        }
    }
    let negative = ball("<patch_radius>0.2</patch_radius><ode><slip>-1</slip></ode>", "", Vec::new());
    assert_eq!(codes(&negative.diagnostics), ["negative-slip"]);
    // It counts as none: the moment is the bound, and the ball stops.
    assert!((lever(&negative, Preset::Ode) - 0.004 * 10.0 / 0.981).abs() < 1e-6);
}
