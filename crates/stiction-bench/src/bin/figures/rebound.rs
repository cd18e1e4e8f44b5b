//! Rebound of Hunt and Crossley's law over the approach speed.

use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::Preset;

use crate::scene::{Failure, add, surface, world};
use stiction_bench::chart::{Axis, Corner, Panel, Series};

/// Rebound speed: `d (v_i + v_o) = ln[(1 + d v_i)/(1 − d v_o)]`, by bisection.
fn closed_form(dissipation: f64, speed: f64) -> f64 {
    let (mut low, mut high) = (0.0, (1.0 / dissipation).min(speed));
    for _ in 0..200 {
        let v = 0.5 * (low + high);
        let difference = dissipation * (speed + v) - ((1.0 + dissipation * speed) / (1.0 - dissipation * v)).ln();
        if difference > 0.0 { low = v } else { high = v }
    }
    low
}

/// Rebound speed of two balls.
fn measured(preset: Preset, dissipation: f64, speed: f64) -> Result<f64, Failure> {
    let mut world = world(preset, 0.0, |p| {
        p.integrator.accuracy = 1e-9;
        p.integrator.max_step = 1e-3;
    });
    let surface = surface(0.5, 0.5, [2e4, dissipation]);
    let mut bodies = Vec::new();
    for (x, v) in [(-0.0501, 0.5 * speed), (0.0501, -0.5 * speed)] {
        let place = Pose::from_position(DVec3::X * x);
        let ball = add(&mut world, Shape::sphere(0.05)?, 1.0, DVec3::splat(1e-3), place, &surface)?;
        if let Some(mut body) = world.body_mut(ball) {
            body.set_velocity(DVec3::X * v)?;
        }
        bodies.push(ball);
    }
    // In the discrete plant steps are short against the duration of the impact, π √(m/k) = 0.022 s.
    let step = if preset == Preset::DrakeDiscrete { 1e-5 } else { 1e-3 };
    for _ in 0..(0.15 / step) as u64 {
        world.step(step);
    }
    let v: Vec<f64> = bodies.iter().map(|id| world.body(*id).map_or(f64::NAN, |b| b.velocity().x)).collect();
    Ok(v[1] - v[0])
}

/// The figure.
pub fn panels() -> Result<Vec<Panel>, Failure> {
    let mut series = Vec::new();
    let speeds: Vec<f64> = (1..=10).map(|i| 0.2 * f64::from(i)).collect();
    for (color, dissipation) in [0.1, 0.5, 2.0].into_iter().enumerate() {
        let curve = (1..=100).map(|i| 0.02 * f64::from(i)).map(|v| (v, closed_form(dissipation, v) / v)).collect();
        series.push(Series::line(&format!("d = {dissipation} s/m, closed form"), color, curve));
        let (mut points, mut worst) = (Vec::new(), 0.0f64);
        for speed in &speeds {
            let found = measured(Preset::DrakeContinuous, dissipation, *speed)?;
            worst = worst.max((found / closed_form(dissipation, *speed) - 1.0).abs());
            points.push((*speed, found / speed));
        }
        println!("rebound: d {dissipation}: off by {worst:.1e}");
        series.push(Series::dots("measured", color, points));
    }
    Ok(vec![Panel {
        title: "Rebound of two balls by Hunt and Crossley's law, continuous time",
        axes: [Axis::even("approach speed [m/s]", 0.0, 2.05), Axis::even("rebound / approach speed", 0.0, 1.05)],
        series,
        legend: Corner::LowerLeft,
    }])
}
