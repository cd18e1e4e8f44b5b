//! Trees under the presets that have them with fixed steps: what spins fast and what swings makes no energy.

use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{Preset, WorldParameters};
use stiction_testing::cases;

use super::figures::drift;
use super::scenes::{GRAVITY, Scene, ball_chain, rope};
use crate::support::Sequence;

const PRESETS: [Preset; 3] = [Preset::BulletFeatherstone, Preset::Dart, Preset::DrakeDiscrete];

fn parameters(preset: Preset) -> WorldParameters {
    let mut parameters = WorldParameters { gravity: DVec3::NEG_Z * GRAVITY, ..WorldParameters::default() };
    preset.apply(&mut parameters);
    parameters
}

/// A wheel with its axle on a ball joint at one end goes round at the rate Ω of the steady top and does not leave the level:
/// `m g l = I ω Ω` where the axle is level, for every Ω. No step makes energy.
#[test]
fn gyroscopes_go_round_on_the_level_at_every_step() {
    let mut s = Sequence(17);
    for case in 0..cases(3, 60) {
        let mut within = |low: f64, high: f64| low + 0.5 * (high - low) * (1.0 + s.next());
        let (arm, mass, radius, spin) = (within(0.1, 0.3), within(0.5, 3.0), within(0.05, 0.15), within(100.0, 400.0));
        let start = DQuat::from_rotation_z(within(-3.0, 3.0));
        for step in [2.5e-4, 1e-3, 4e-3] {
            for preset in PRESETS {
                let mut scene = Scene::new(parameters(preset));
                let along = 0.5 * mass * radius * radius;
                let inertia = DMat3::from_diagonal(DVec3::new(along, 0.5 * along, 0.5 * along));
                let wheel = scene
                    .body(MassProperties { mass, center_of_mass: DVec3::X * arm, inertia }, Pose::from_rotation(start));
                scene.joint(JointDefinition::new(JointKind::Ball, Some(wheel), None).at(DVec3::ZERO));
                let rate = mass * GRAVITY * arm / (along * spin);
                let omega = start * DVec3::new(spin, 0.0, rate);
                let mut body = scene.world.body_mut(wheel).unwrap();
                body.set_omega(omega).unwrap();
                body.set_velocity(omega.cross(start * (DVec3::X * arm))).unwrap();
                let energy = scene.sums().energy();
                let (time, label) = (1.5, format!("{case} {preset:?}, step {step}, {spin:.0} rad/s, arm {arm:.2} m"));
                let (mut gain, mut leans, mut turn, mut last) = (0.0f64, 0.0f64, 0.0, start * DVec3::X);
                for _ in 0..(time / step) as u64 {
                    scene.world.step(step);
                    let axle = scene.world.body(wheel).unwrap().pose().rotation * DVec3::X;
                    turn += last.cross(axle).z.atan2(last.dot(axle));
                    last = axle;
                    gain = gain.max(scene.sums().energy() - energy);
                    leans = leans.max(axle.z.abs());
                }
                assert!(gain < (1e-3 + 5.0 * step) * energy, "{label}: {energy} J gained {gain}");
                // Gravity acts between the flows: an error of first order.
                if step <= 1e-3 {
                    assert!(leans < 0.05, "{label}: leans by {leans}");
                    let expected = rate * time;
                    assert!((turn / expected - 1.0).abs() < 0.05, "{label}: turned by {turn}, expected {expected}");
                }
            }
        }
    }
}

/// Ropes and chains that are let go from the level: `m g` times twice the reach of the centre of mass is what they have to give.
#[test]
fn chains_that_fall_gain_nothing() {
    for case in 0..cases(2, 10) {
        let links = 6 + case % 10;
        for preset in PRESETS {
            for (name, mut scene) in
                [("rope", rope(parameters(preset), links)), ("chain", ball_chain(parameters(preset), links))]
            {
                let reach = scene.mass() * GRAVITY * 0.1 * links as f64;
                let drift = drift(&mut scene, 3.0, 1e-3, reach);
                assert!(drift.gain < 5e-3, "{preset:?}, {name} of {links}: gains {}", drift.gain);
            }
        }
    }
}
