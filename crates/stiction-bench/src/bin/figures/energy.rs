//! Drift of energy of mechanisms, by scheme.

use stiction::integrators::Scheme;
use stiction::world::{Preset, WorldParameters};
use stiction_scenes::mechanisms::{Mechanism, MechanismError, arm, chain, four_bar};

use crate::scene::Failure;
use stiction_bench::chart::{Axis, Corner, Panel, Series};

type Build = fn(WorldParameters) -> Result<Mechanism, MechanismError>;

/// Drift of energy over the largest kinetic energy, largest so far, over time.
fn drift(mut mechanism: Mechanism, time: f64) -> Vec<(f64, f64)> {
    let start = mechanism.world.energy().total();
    let (mut kinetic, mut worst) = (0.0f64, 0.0f64);
    let count = (time * 1e3) as u64;
    let mut points = Vec::new();
    for i in 1..=count {
        mechanism.world.step(1e-3);
        let energy = mechanism.world.energy();
        kinetic = kinetic.max(energy.kinetic);
        worst = worst.max((energy.total() - start).abs());
        if i % (count / 125) == 0 {
            points.push((mechanism.world.time(), worst.max(f64::MIN_POSITIVE)));
        }
    }
    points.iter_mut().for_each(|p| p.1 /= kinetic);
    points
}

/// The figure.
pub fn panels() -> Result<Vec<Panel>, Failure> {
    let cases: [(&'static str, Build, f64); 3] = [
        ("Arm of 7 joints, falling", arm, 5.0),
        ("Chain of 100 links, falling", |p| chain(p, 100), 2.0),
        ("Four-bar loop, swinging", four_bar, 5.0),
    ];
    let mut panels = Vec::new();
    for (title, build, time) in cases {
        let mut series = Vec::new();
        for (color, (name, scheme, accuracy)) in [
            ("fixed steps, 1 ms", None, 0.0),
            ("Runge-Kutta 3, accuracy 1e-6", Some(Scheme::RungeKutta3), 1e-6),
            ("Runge-Kutta 5, accuracy 1e-8", Some(Scheme::RungeKutta5), 1e-8),
        ]
        .into_iter()
        .enumerate()
        {
            let mut parameters = WorldParameters::default();
            Preset::DrakeDiscrete.apply(&mut parameters);
            if let Some(scheme) = scheme {
                Preset::DrakeContinuous.apply(&mut parameters);
                parameters.integrator.scheme = scheme;
                parameters.integrator.accuracy = accuracy;
            }
            let points = drift(build(parameters)?, time);
            println!("energy: {title}, {name}: {:.1e}", points.last().map_or(f64::NAN, |p| p.1));
            series.push(Series::line(name, color, points));
        }
        panels.push(Panel {
            title,
            axes: [Axis::even("time [s]", 0.0, time), Axis::log("energy drift / largest kinetic", 1e-18, 1e1)],
            series,
            legend: Corner::LowerRight,
        });
    }
    Ok(panels)
}
