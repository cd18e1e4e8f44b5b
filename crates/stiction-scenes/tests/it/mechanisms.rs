//! Mechanisms in the coordinates of their joints: joints hold, loops close, energy stays, in both ways to advance time.
#![allow(clippy::unwrap_used)]

use stiction::integrators::Scheme;
use stiction::world::{Preset, WorldParameters};
use stiction_scenes::mechanisms::{Mechanism, MechanismError, arm, chain, five_bar, four_bar, quadruped};

/// Ways to advance time: fixed steps, and two error-controlled schemes.
fn ways() -> [(&'static str, WorldParameters); 3] {
    let preset = |preset: Preset| {
        let mut parameters = WorldParameters::default();
        preset.apply(&mut parameters);
        parameters
    };
    let with = |scheme: Scheme, accuracy: f64| {
        let mut parameters = preset(Preset::DrakeContinuous);
        parameters.integrator.scheme = scheme;
        parameters.integrator.accuracy = accuracy;
        parameters
    };
    [
        ("fixed steps", preset(Preset::DrakeDiscrete)),
        ("rk3", with(Scheme::RungeKutta3, 1e-6)),
        ("rk5", with(Scheme::RungeKutta5, 1e-8)),
    ]
}

/// Largest gap of joints \[m\], lean of hinge axes \[rad\], and drift of energy over the largest kinetic energy.
struct Errors {
    gap: f64,
    lean: f64,
    drift: f64,
}

fn run(mechanism: &mut Mechanism, time: f64) -> Errors {
    let start = mechanism.world.energy().total();
    let mut errors = Errors { gap: 0.0, lean: 0.0, drift: 0.0 };
    let mut kinetic = 0.0f64;
    for _ in 0..(time * 1e3) as u64 {
        let report = mechanism.world.step(1e-3);
        assert!(report.quarantined.is_empty() && report.gave_up == 0 && report.integration.forced == 0, "{report:?}");
        let energy = mechanism.world.energy();
        kinetic = kinetic.max(energy.kinetic);
        errors.drift = errors.drift.max((energy.total() - start).abs());
        for id in &mechanism.joints {
            let joint = mechanism.world.joint(*id).unwrap();
            errors.gap = errors.gap.max(joint.gap());
            errors.lean = errors.lean.max(joint.axis(0, 0).cross(joint.axis(1, 0)).length());
        }
    }
    errors.drift /= kinetic;
    errors
}

type Build = fn(WorldParameters) -> Result<Mechanism, MechanismError>;

#[test]
fn joints_hold_and_energy_stays() {
    // Time [s], bound on gaps [m], bounds on the drift of energy in each way.
    let cases: [(&str, Build, f64, f64, [f64; 3]); 4] = [
        ("arm", arm, 2.0, 1e-9, [5e-3, 3e-7, 1e-9]),
        ("chain of 100", |p| chain(p, 100), 0.5, 1e-9, [3e-3, 1e-9, 1e-11]),
        ("four-bar", four_bar, 4.0, 1e-6, [1e-2, 1e-7, 5e-9]),
        ("five-bar", five_bar, 4.0, 1e-6, [1e-2, 1e-7, 3e-8]),
    ];
    for (name, build, time, gap, bounds) in cases {
        for ((way, parameters), bound) in ways().into_iter().zip(bounds) {
            let found = run(&mut build(parameters).unwrap(), time);
            println!(
                "{name:13} {way:14} joints {:.1e} m {:.1e} rad, energy {:.1e} of the largest kinetic one",
                found.gap, found.lean, found.drift
            );
            assert!(found.gap < gap && found.lean < gap, "{name} {way}: {} {}", found.gap, found.lean);
            assert!(found.drift < bound, "{name} {way}: {}", found.drift);
        }
    }
}

#[test]
fn a_quadruped_stands() {
    let mut places = Vec::new();
    for (way, parameters) in ways() {
        let mut robot = quadruped(parameters).unwrap();
        let found = run(&mut robot, 2.0);
        let trunk = robot.world.body(robot.bodies[0]).unwrap();
        let weight: f64 = robot.bodies.iter().map(|b| robot.world.body(*b).unwrap().mass() * 9.81).sum();
        let feet = robot.world.contact_reports();
        let load: f64 = feet.iter().map(|c| c.force.dot(c.normal).abs()).sum();
        println!(
            "quadruped {way:14} joints {:.1e} m, trunk at {:.4}, {:.1e} m/s, {} feet carry {load:.3} of {weight:.3} N",
            found.gap,
            trunk.center_of_mass(),
            trunk.velocity().length(),
            feet.len()
        );
        assert!(found.gap < 1e-9 && found.lean < 1e-9, "{way}: {} {}", found.gap, found.lean);
        assert_eq!(feet.len(), 4, "{way}");
        assert!(trunk.velocity().length() < 1e-4 && (load / weight - 1.0).abs() < 1e-3, "{way}: {load} {weight}");
        assert!(trunk.pose().rotation.xyz().length() < 0.05 && trunk.center_of_mass().z > 0.4, "{way}");
        places.push(trunk.center_of_mass());
    }
    assert!(places.iter().all(|p| (*p - places[1]).length() < 1e-3), "{places:?}");
}
