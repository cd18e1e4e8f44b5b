//! Figures: energy and momentum of mechanisms that swing, spin and fall. `SECONDS=10 cargo test --release --test it tree_energy
//! -- --nocapture figures` runs them for the time of the table in `docs/reduced_coordinates.md`.

use stiction::math::DVec3;
use stiction::world::{TreeMotion, WorldParameters};

use super::scenes::{GRAVITY, Scene, Sums, ball_chain, feet, gimbal, ragdoll, reduced, rope, top};

/// What a run shows.
pub struct Drift {
    /// Largest gain and loss of energy over the largest kinetic energy, or over `reach`.
    pub gain: f64,
    pub loss: f64,
    /// Largest change of the angular momentum over its size.
    pub angular: f64,
    /// Mean number of parts of a step.
    pub parts: f64,
}

/// Runs a scene from the state after its first step, which makes the velocities of its parts agree.
pub fn drift(scene: &mut Scene, time: f64, step: f64, reach: f64) -> Drift {
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
    let scale = kinetic.max(reach);
    Drift { gain: gain / scale, loss: loss / scale, angular: angular / start.angular.length(), parts }
}

fn free() -> WorldParameters {
    WorldParameters { gravity: DVec3::ZERO, ..reduced() }
}

/// Gravity at 45° to what hangs.
fn turned(mut scene: Scene) -> Scene {
    scene.world.parameters.gravity = GRAVITY * DVec3::new(0.5f64.sqrt(), 0.0, -(0.5f64.sqrt()));
    scene
}

/// `m g` times twice the reach of the centre of mass below the support.
fn rope_reach(links: usize) -> f64 {
    0.1 * links as f64 * GRAVITY * 0.1 * links as f64
}

#[test]
fn figures() {
    let time = std::env::var("SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(2.0);
    for (column, step) in [1e-3, 4e-3].into_iter().enumerate() {
        // Name, scene, reach [J], bounds on gain and on loss at 1 and 4 ms.
        type Case = (&'static str, Scene, f64, [[f64; 2]; 2]);
        let small = [[1e-10, 1e-10]; 2];
        let list: Vec<Case> = vec![
            ("double pendulum", rope(reduced(), 2), rope_reach(2), [[4e-3, 4e-3], [1.5e-2, 1.5e-2]]),
            ("rope of 10", rope(reduced(), 10), rope_reach(10), [[1e-3, 2e-3], [5e-3, 3e-2]]),
            ("rope of 20", rope(reduced(), 20), rope_reach(20), [[1e-3, 4e-3], [5e-3, 3e-2]]),
            ("rope of 40", rope(reduced(), 40), rope_reach(40), [[1e-3, 5e-3], [5e-3, 3e-2]]),
            ("rope of 20 at 45°", turned(rope(reduced(), 20)), rope_reach(20), [[1e-3, 2e-3], [5e-3, 3e-2]]),
            ("rope of 40 at 45°", turned(rope(reduced(), 40)), rope_reach(40), [[1e-3, 2e-3], [5e-3, 3e-2]]),
            ("10 balls", ball_chain(reduced(), 10), rope_reach(10), [[2e-3, 2e-3], [1e-2, 3e-2]]),
            ("free ragdoll, 300 rad/s", ragdoll(free(), 300.0), 0.0, small),
            ("free ragdoll, 30 rad/s", ragdoll(free(), 30.0), 0.0, small),
            ("free ragdoll, 0.5 rad/s", ragdoll(free(), 0.5), 0.0, small),
            ("small feet, 300 rad/s", feet(free(), 300.0), 0.0, small),
            ("small feet, 0.9 rad/s", feet(free(), 0.9), 0.0, small),
            ("falling ragdoll", ragdoll(reduced(), 300.0), 0.0, [[1e-4, 3e-4], [1e-4, 1e-3]]),
            ("gimbal", gimbal(reduced(), 60.0), 0.0, [[5e-4, 5e-4], [3e-3, 3e-3]]),
            ("top, 200 rad/s", top(reduced(), 200.0), 0.0, [[1e-3, 1e-3], [3e-2, 3e-2]]),
        ];
        for (name, mut scene, reach, bounds) in list {
            let d = drift(&mut scene, time, step, reach);
            println!("{step:.3} {name:24} +{:.1e} −{:.1e} L {:.1e} parts {:.2}", d.gain, d.loss, d.angular, d.parts);
            let [gain, loss] = bounds[column];
            assert!(d.gain < gain && d.loss < loss, "{name} at {step}: +{:e} −{:e}", d.gain, d.loss);
            assert!(bounds != small || d.angular < 1e-7, "{name} at {step}: L {:e}", d.angular);
        }
    }
}

#[test]
fn nothing_blows_up_at_a_sixtieth_and_a_two_hundred_and_fortieth() {
    for step in [1.0 / 60.0, 1.0 / 240.0] {
        for (name, mut scene) in [
            ("free ragdoll", ragdoll(free(), 300.0)),
            ("falling ragdoll", ragdoll(reduced(), 300.0)),
            ("free feet", feet(free(), 300.0)),
            ("top", top(reduced(), 200.0)),
        ] {
            let d = drift(&mut scene, 2.0, step, 0.0);
            println!("{step:.4} {name:16} +{:.1e} −{:.1e} L {:.1e} parts {:.2}", d.gain, d.loss, d.angular, d.parts);
            assert!(d.gain < 1e-3, "{name} at {step}: +{:e}", d.gain);
        }
    }
}

#[test]
fn a_fast_top_tilts_as_in_fine_steps() {
    // Of the axis after half a second of nutation and precession, against a step of 20 µs.
    let axis = |step: f64| {
        let mut scene = top(reduced(), 200.0);
        let mut axes = Vec::new();
        for _ in 0..50 {
            for _ in 0..(0.01 / step).round() as u64 {
                scene.world.step(step);
            }
            let body = scene.world.body(scene.bodies[0]).unwrap();
            axes.push(body.pose().rotation * DVec3::Z);
        }
        axes
    };
    let (found, reference) = (axis(1e-3), axis(2e-5));
    let tilt = |a: &DVec3| a.z.clamp(-1.0, 1.0).acos();
    let off = found.iter().zip(&reference).map(|(a, b)| (tilt(a) / tilt(b) - 1.0).abs()).fold(0.0, f64::max);
    println!("tilt off by {off:.1e}");
    assert!(off < 1e-2, "{off}");
}

#[test]
fn explicit_motion_is_divided_where_it_would_make_energy() {
    for step in [1e-3, 1.0 / 240.0] {
        for (name, scene) in [("ragdoll", ragdoll as fn(WorldParameters, f64) -> Scene), ("feet", feet)] {
            let mut scene = scene(WorldParameters { tree_motion: TreeMotion::Explicit, ..free() }, 300.0);
            let d = drift(&mut scene, 1.0, step, 0.0);
            println!("explicit {name} {step:.4}: +{:.1e} −{:.1e} parts {:.1}", d.gain, d.loss, d.parts);
            // Each step may make a thousandth.
            assert!(d.gain.is_finite() && d.gain < (1e-3f64 / step).exp() && d.parts > 1.0, "{name}: {:e}", d.gain);
        }
        // Where nothing is fast no step is divided.
        let d = drift(&mut feet(WorldParameters { tree_motion: TreeMotion::Explicit, ..free() }, 3.0), 1.0, 1e-3, 0.0);
        assert_eq!(d.parts.round(), 1.0);
    }
}
