//! Friction over the slip speed: the three laws, and what was measured.

use stiction::contact::friction::{Stribeck, convex_regularized, regularized};
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{Preset, SolverKind};

use crate::scene::{Failure, add, ground, surface, world};
use stiction_bench::chart::{Axis, Corner, Panel, Series};

const TOLERANCE: f64 = 1e-3;
const GRAVITY: f64 = 9.81;

/// Slip speed over the tolerance of a box on a slope that loads friction with the share `ratio` of its bound.
fn creep(preset: Preset, solver: SolverKind, ratio: f64) -> Result<f64, Failure> {
    let mut world = world(preset, GRAVITY, |p| {
        p.solver = solver;
        p.integrator.accuracy = 1e-9;
    });
    let slope = (ratio * 0.3f64).atan();
    let surface = surface(0.3, 0.3, [2e4, 20.0]);
    ground(&mut world, slope, &surface)?;
    let turned = DQuat::from_rotation_y(slope);
    let depth = 0.1 * GRAVITY * slope.cos() / 1e4;
    let pose = Pose::new(turned * DVec3::Z * (0.02 - depth), turned);
    // So heavy to turn that the contact point stays under the centre.
    let moments = DVec3::splat(1e9);
    let body = add(&mut world, Shape::cuboid(DVec3::new(0.4, 0.2, 0.04))?, 0.1, moments, pose, &surface)?;
    for _ in 0..if solver == SolverKind::Convex { 3000 } else { 300 } {
        world.step(1e-3);
    }
    Ok(world.body(body).map_or(f64::NAN, |b| b.velocity().length()) / TOLERANCE)
}

/// The figure.
pub fn panels() -> Result<Vec<Panel>, Failure> {
    let law =
        |high: f64, f: &dyn Fn(f64) -> f64| (0..=160).map(|i| high * f64::from(i) / 160.0).map(|s| (s, f(s))).collect();
    let stribeck = Stribeck { static_coefficient: 1.0, dynamic_coefficient: 1.0, tolerance: 1.0, viscous: 0.0 };
    let falling = Stribeck { dynamic_coefficient: 0.6, ..stribeck };
    let mut series = vec![
        Series::line("Stribeck, continuous", 0, law(2.5, &|s| stribeck.coefficient(s))),
        Series::line("TAMSI", 1, law(2.5, &|s| regularized(s).0)),
        Series::line("convex", 2, law(2.5, &|s| convex_regularized(s).0)),
    ];
    let ratios = [0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.893_164];
    for (color, (name, preset, solver)) in [
        ("continuous", Preset::DrakeContinuous, SolverKind::Tamsi),
        ("TAMSI", Preset::DrakeDiscrete, SolverKind::Tamsi),
        ("convex", Preset::DrakeDiscrete, SolverKind::Convex),
    ]
    .into_iter()
    .enumerate()
    {
        let mut points = Vec::new();
        for ratio in ratios {
            let slip = creep(preset, solver, ratio)?;
            println!("creep: {name} at {ratio} of the bound: {slip:.6} of the tolerance");
            points.push((slip, ratio));
        }
        series.push(Series::dots(&format!("{name}, measured"), color, points));
    }
    let sliding = vec![
        Series::line("continuous, dynamic / static = 0.6", 0, law(5.0, &|s| falling.coefficient(s))),
        Series::line("TAMSI: one coefficient", 1, law(5.0, &|s| regularized(s).0)),
        Series::line("convex: one coefficient", 2, law(5.0, &|s| convex_regularized(s).0)),
    ];
    Ok(vec![
        Panel {
            title: "Creep under a load: laws (lines) and a box on a slope (dots)",
            axes: [Axis::even("slip speed / stiction tolerance", 0.0, 2.5), Axis::even("friction / bound", 0.0, 1.1)],
            series,
            legend: Corner::LowerRight,
        },
        Panel {
            title: "Sliding: friction over the slip speed",
            axes: [
                Axis::even("slip speed / stiction tolerance", 0.0, 5.0),
                Axis::even("friction / static bound", 0.0, 1.1),
            ],
            series: sliding,
            legend: Corner::LowerRight,
        },
    ])
}
