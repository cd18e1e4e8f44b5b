//! Figures: drift of energy and momentum.

use stiction::world::WorldParameters;

use super::scenes::{Scene, Sums, ball_chain, feet, gimbal, ragdoll, reduced, rope, top};

/// Largest gain and loss of energy over `scale`, and largest change of momentum over its size; the time of an end
/// beyond all numbers.
pub struct Drift {
    pub gain: f64,
    pub loss: f64,
    pub angular: f64,
    /// Mean number of parts of a step.
    pub parts: f64,
}

fn drift(scene: &mut Scene, time: f64, step: f64, reach: f64) -> Drift {
    scene.world.step(step);
    let start: Sums = scene.sums();
    let (mut gain, mut loss, mut kinetic, mut angular) = (0.0f64, 0.0f64, start.kinetic, 0.0f64);
    let (count, mut parts) = ((time / step) as u64, 0.0);
    for _ in 0..count {
        scene.world.step(step);
        parts += f64::from(scene.world.report().tree_parts) / count as f64;
        let now = scene.sums();
        kinetic = kinetic.max(now.kinetic);
        gain = gain.max(now.energy() - start.energy());
        loss = loss.max(start.energy() - now.energy());
        angular = angular.max((now.angular - start.angular).length());
        if !now.energy().is_finite() || !scene.world.report().quarantined.is_empty() {
            return Drift { gain: f64::INFINITY, loss, angular, parts };
        }
    }
    let scale = if reach > 0.0 { reach } else { kinetic };
    Drift { gain: gain / scale, loss: loss / scale, angular: angular / start.angular.length(), parts }
}

fn free() -> WorldParameters {
    WorldParameters { gravity: stiction::math::DVec3::ZERO, ..reduced() }
}

/// Gravity at 45° to the rope.
fn turned(mut scene: Scene) -> Scene {
    scene.world.parameters.gravity =
        super::scenes::GRAVITY * stiction::math::DVec3::new(0.5f64.sqrt(), 0.0, -(0.5f64.sqrt()));
    scene
}

#[test]
fn figures() {
    let time = std::env::var("SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(2.0);
    for step in [1e-3, 4e-3, 1.0 / 60.0] {
        let list: Vec<(&str, Scene, f64)> = vec![
            ("rope 2", rope(reduced(), 2), 0.0),
            ("rope 10", rope(reduced(), 10), 0.0),
            ("rope 20", rope(reduced(), 20), 0.0),
            ("rope 40", rope(reduced(), 40), 0.0),
            ("rope 20 turned", turned(rope(reduced(), 20)), 0.0),
            ("rope 40 turned", turned(rope(reduced(), 40)), 0.0),
            ("10 balls", ball_chain(reduced(), 10), 0.0),
            ("free ragdoll 300", ragdoll(free(), 300.0), 0.0),
            ("free ragdoll 30", ragdoll(free(), 30.0), 0.0),
            ("free feet 300", feet(free(), 300.0), 0.0),
            ("falling ragdoll", ragdoll(reduced(), 300.0), 0.0),
            ("slow feet", feet(free(), 0.9), 0.0),
            ("slow ragdoll", ragdoll(free(), 0.5), 0.0),
            ("slow gimbal", gimbal(free(), 0.5), 0.0),
            ("gimbal", gimbal(reduced(), 30.0), 0.0),
            ("top 200", top(reduced(), 200.0), 0.0),
        ];
        for (name, mut scene, reach) in list {
            let d = drift(&mut scene, time, step, reach);
            println!(
                "{step:.4} {name:18} gain {:.1e} loss {:.1e} momentum {:.1e} parts {:.2}",
                d.gain, d.loss, d.angular, d.parts
            );
        }
    }
}
