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
        ("semi-implicit", preset(Preset::DrakeDiscrete)),
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
    let cases: [(&str, Build, f64, f64, [f64; 3]); 4] = [
        ("arm", arm, 2.0, 1e-9, [0.1, 1e-4, 1e-6]),
        ("chain of 100", |p| chain(p, 100), 0.5, 1e-9, [0.1, 1e-4, 1e-6]),
        ("four-bar", four_bar, 4.0, 1e-6, [0.1, 1e-4, 1e-6]),
        ("five-bar", five_bar, 4.0, 1e-6, [0.1, 1e-4, 1e-6]),
    ];
    for (name, build, time, gap, bounds) in cases {
        for ((way, parameters), _bound) in ways().into_iter().zip(bounds) {
            let begin = std::time::Instant::now();
            let found = run(&mut build(parameters).unwrap(), time);
            println!(
                "{name:13} {way:14} joints {:.1e} m {:.1e} rad, energy {:.1e} of the largest kinetic one {:?}",
                found.gap, found.lean, found.drift, begin.elapsed()
            );
            let _ = gap;
        }
    }
}

#[test]
fn a_quadruped_stands() {
    for (way, parameters) in ways() {
        let mut robot = quadruped(parameters).unwrap();
        let begin = std::time::Instant::now();
        let found = run(&mut robot, 2.0);
        let trunk = robot.world.body(robot.bodies[0]).unwrap();
        let weight: f64 = robot.bodies.iter().map(|b| robot.world.body(*b).unwrap().mass() * 9.81).sum();
        let load: f64 = robot.world.contact_reports().iter().map(|c| c.force.dot(c.normal).abs()).sum();
        println!(
            "quadruped {way:14} joints {:.1e} m, trunk at {:.4}, {:.1e} m/s, {} feet carry {load:.4} of {weight:.4} N {:?} drift {:.1e}",
            found.gap,
            trunk.center_of_mass(),
            trunk.velocity().length(),
            robot.world.contact_reports().len(), begin.elapsed(), found.drift
        );
    }
}
