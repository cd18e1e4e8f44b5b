//! Error control: what is asked for is what comes.

use glam::DVec3;
use stiction::integrators::{Integrator, IntegratorParameters, Interval, Scheme, Statistics, System};

use super::systems::{Plain, RigidBody, oscillator};

/// Integrates with error control in one call.
fn run(
    system: &mut (impl System + ?Sized),
    scheme: Scheme,
    accuracy: f64,
    duration: f64,
    start: (&[f64], &[f64]),
) -> (Vec<f64>, Statistics) {
    let parameters = IntegratorParameters { scheme, accuracy, ..Default::default() };
    let (mut q, mut v) = (start.0.to_vec(), start.1.to_vec());
    let statistics = Integrator::default().advance(
        system,
        &parameters,
        Interval { start: 0.0, duration },
        &mut q,
        &mut v,
        |_, _, _| (),
    );
    assert_eq!(statistics.forced, 0, "{scheme:?}");
    q.extend(v);
    (q, statistics)
}

#[test]
fn errors_are_about_what_is_asked_for() {
    let list: [(Scheme, &[f64]); 6] = [
        (Scheme::RungeKutta3, &[1e-4, 1e-6, 1e-8]),
        (Scheme::BogackiShampine3, &[1e-4, 1e-6, 1e-8]),
        (Scheme::RungeKutta5, &[1e-4, 1e-6, 1e-8, 1e-10]),
        (Scheme::ImplicitEuler, &[1e-3, 1e-5, 1e-7]),
        (Scheme::Radau1, &[1e-3, 1e-5, 1e-7]),
        (Scheme::Radau3, &[1e-4, 1e-6, 1e-8]),
    ];
    for (scheme, accuracies) in list {
        for &accuracy in accuracies {
            // About the largest moment: a stable spin, which errors do not grow in.
            let start: (&[f64], &[f64]) = (&RigidBody::REST, &[1.0, 0.0, 0.0, 1.0, -0.5, 4.0]);
            let mut body = RigidBody { moments: DVec3::new(1.0, 2.0, 3.5), gravity: DVec3::new(0.0, 0.0, -9.81) };
            let check = |system: &mut dyn System, start| {
                let (exact, _) = run(system, Scheme::RungeKutta5, 1e-13, 3.0, start);
                let (found, statistics) = run(system, scheme, accuracy, 3.0, start);
                let error = exact.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                let ratio = error / (accuracy * statistics.steps as f64);
                assert!(ratio < 2.0, "{scheme:?} {accuracy:e}: {ratio} of the accuracy a step, {statistics:?}");
            };
            check(&mut oscillator(), (&[1.0], &[0.0]));
            check(&mut body, start);
        }
    }
}

/// Hunt and Crossley's law: `m v̇ = k x (1 − d ẋₙ)₊` for a ball of 1 kg whose depth is `x = −q`.
fn bounce(_: f64, q: &[f64], v: &[f64], a: &mut [f64]) {
    let (stiffness, dissipation) = (1e4, 5.0);
    a[0] = stiffness * (-q[0]).max(0.0) * (1.0 - dissipation * v[0]).max(0.0);
}

#[test]
fn a_ball_rebounds_by_the_law_of_hunt_and_crossley() {
    // The rebound speed solves d (vᵢ + vₒ) = ln[(1 + d vᵢ)/(1 − d vₒ)], whatever the mass and the stiffness.
    let (d, approach) = (5.0, 1.4);
    let (mut low, mut high) = (1e-3, 1.0 / d - 1e-12);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        let is_low = d * (approach + middle) > libm::log((1.0 + d * approach) / (1.0 - d * middle));
        if is_low { low = middle } else { high = middle }
    }
    assert!((low - 0.199462).abs() < 1e-6);
    for scheme in [Scheme::RungeKutta3, Scheme::BogackiShampine3, Scheme::RungeKutta5, Scheme::Radau3] {
        let parameters = IntegratorParameters { scheme, accuracy: 1e-8, max_step: 1e-3, ..Default::default() };
        let (mut q, mut v, mut deepest) = ([0.01], [-approach], 0.0_f64);
        Integrator::default().advance(
            &mut Plain::<1>::new(bounce),
            &parameters,
            Interval { start: 0.0, duration: 0.2 },
            &mut q,
            &mut v,
            |_, q, _| {
                deepest = deepest.max(-q[0]);
            },
        );
        assert!((v[0] - low).abs() < 1e-5, "{scheme:?}: {} {low}", v[0]);
        // Largest depth: x² = (2 m/k) [vᵢ/d − ln(1 + d vᵢ)/d²].
        let exact = libm::sqrt(2e-4 * (approach / d - libm::log(1.0 + d * approach) / (d * d)));
        assert!(deepest <= exact + 1e-8 && deepest > 0.999 * exact, "{scheme:?}: {deepest} {exact}");
        assert!(q[0] > 0.0);
    }
}

/// Quintic step of 0 to 1.
fn step5(x: f64) -> f64 {
    x * x * x * (10.0 - x * (15.0 - 6.0 * x))
}

/// A block on a plane of slope θ with Stribeck friction, tolerance 10⁻⁵ m/s; friction falls from 0.5 to 0.3.
fn slider(sine: f64, v: f64) -> f64 {
    let (gravity, tolerance, of_rest, of_slip) = (9.81, 1e-5, 0.5, 0.3);
    let s = v.abs() / tolerance;
    let coefficient = if s < 1.0 {
        of_rest * step5(s)
    } else if s < 3.0 {
        of_rest - (of_rest - of_slip) * step5(0.5 * (s - 1.0))
    } else {
        of_slip
    };
    let cosine = libm::sqrt(1.0 - sine * sine);
    gravity * (sine - coefficient * cosine * v.signum())
}

#[test]
fn implicit_schemes_hold_a_stiff_slider() {
    for scheme in [Scheme::ImplicitEuler, Scheme::Radau1, Scheme::Radau3] {
        // Comes to rest on the level plane after v/(μ g) = 0.34 s, and stays.
        let mut level = Plain::<1>::new(|_, _, v, a| a[0] = slider(0.0, v[0]));
        let (end, statistics) = run(&mut level, scheme, 1e-5, 2.0, (&[0.0], &[1.0]));
        let way = 1.0 / (2.0 * 0.3 * 9.81);
        assert!((end[0] - way).abs() < 3e-3 && end[1].abs() < 2e-5, "{scheme:?} {end:?}");
        assert!(statistics.steps < 3000, "{scheme:?} {statistics:?}");
        // Creeps on a slope that static friction holds: μ_s step5(s) = tan θ.
        let mut slope = Plain::<1>::new(|_, _, v, a| a[0] = slider(0.2, v[0]));
        let (end, statistics) = run(&mut slope, scheme, 1e-6, 2.0, (&[0.0], &[0.0]));
        assert!(slider(0.2, end[1]).abs() < 9.81 * 0.2 * 0.05, "{scheme:?} {end:?}");
        assert!((end[0] - 2.0 * end[1]).abs() < 2e-6, "{scheme:?} {end:?}");
        assert!(statistics.steps < 3000, "{scheme:?} {statistics:?}");
    }
}
