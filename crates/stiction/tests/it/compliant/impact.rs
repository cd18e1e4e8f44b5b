//! Impacts: the rebound of Hunt and Crossley's law in closed form, and how the combination of two surfaces enters it.

use stiction::math::DVec3;
use stiction::world::Preset;

use crate::compliant::support::{ball, run, surface, world};

/// Rebound speed: `d (v_i + v_o) = ln[(1 + d v_i)/(1 − d v_o)]`, by bisection.
fn rebound(dissipation: f64, speed: f64) -> f64 {
    let (mut low, mut high) = (0.0, (1.0 / dissipation).min(speed));
    for _ in 0..200 {
        let v = 0.5 * (low + high);
        let difference = dissipation * (speed + v) - ((1.0 + dissipation * speed) / (1.0 - dissipation * v)).ln();
        if difference > 0.0 { low = v } else { high = v }
    }
    low
}

#[test]
fn two_balls_rebound_as_hunt_and_crossley_say() {
    assert!((rebound(5.0, 1.4) - 0.199_462).abs() < 1e-6 && (rebound(0.2, 3.132) - 2.201_352).abs() < 1e-6);
    for (dissipation, speed) in [(5.0, 1.4), (0.2, 3.132), (1.7, 1.5)] {
        let mut world = world(Preset::DrakeContinuous, 0.0, |p| {
            p.integrator.accuracy = 1e-9;
            p.integrator.max_step = 1e-3;
        });
        // k = 1e4 and d of two unlike surfaces: (k₂ d₁ + k₁ d₂) / (k₁ + k₂).
        let (k1, k2) = (1.25e4, 5e4);
        let d1 = 0.5 * dissipation;
        let d2 = ((k1 + k2) * dissipation - k2 * d1) / k1;
        let first = surface(0.5, 0.5, Some([k1, d1]));
        let second = surface(0.5, 0.5, Some([k2, d2]));
        let a = ball(&mut world, 0.05, 1.0, DVec3::X * -0.0501, &first);
        let b = ball(&mut world, 0.05, 0.5, DVec3::X * 0.0501, &second);
        world.body_mut(a).unwrap().set_velocity(DVec3::X * speed / 3.0).unwrap();
        world.body_mut(b).unwrap().set_velocity(DVec3::X * -2.0 * speed / 3.0).unwrap();
        run(&mut world, 1e-3, 0.1);
        let [va, vb] = [a, b].map(|id| world.body(id).unwrap().velocity().x);
        let expected = rebound(dissipation, speed);
        assert!((vb - va - expected).abs() < 1e-5 * expected, "{dissipation}: {} {expected}", vb - va);
        assert!((va + 0.5 * vb - (1.0 - 0.5 * 2.0) * speed / 3.0).abs() < 1e-12);
        assert!(world.contact_reports().is_empty());
    }
}
