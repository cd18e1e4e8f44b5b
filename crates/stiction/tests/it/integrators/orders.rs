//! Every scheme has its order, in vectors and in rotations.

use glam::DVec3;
use stiction::integrators::{Integrator, IntegratorParameters, Interval, Scheme, System};

use super::systems::{RigidBody, oscillator};

const EXPLICIT: [(Scheme, i32); 5] = [
    (Scheme::SemiExplicitEuler, 1),
    (Scheme::RungeKutta2, 2),
    (Scheme::RungeKutta3, 3),
    (Scheme::BogackiShampine3, 3),
    (Scheme::RungeKutta5, 5),
];

/// State after a second in equal steps.
fn after_a_second(system: &mut impl System, scheme: Scheme, h: f64, start: (&[f64], &[f64])) -> Vec<f64> {
    let parameters =
        IntegratorParameters { scheme, max_step: h, error_control: false, accuracy: 1e-13, ..Default::default() };
    let (mut q, mut v) = (start.0.to_vec(), start.1.to_vec());
    let statistics = Integrator::default().advance(
        system,
        &parameters,
        Interval { start: 0.3, duration: 1.0 },
        &mut q,
        &mut v,
        |_, _, _| (),
    );
    assert_eq!((statistics.steps, statistics.rejections), ((1.0 / h) as u64, 0), "{scheme:?}");
    q.extend(v);
    q
}

/// Slope of the error in the step, from halving it, beside a solution with tiny steps.
fn order(system: &mut impl System, scheme: Scheme, h: f64, start: (&[f64], &[f64])) -> f64 {
    let exact = after_a_second(system, Scheme::RungeKutta5, 1.0 / 1024.0, start);
    let mut error = |h| {
        let end = after_a_second(system, scheme, h, start);
        end.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    (error(h) / error(0.5 * h)).log2()
}

fn assert_order(scheme: Scheme, expected: i32) {
    let found = order(&mut oscillator(), scheme, 1.0 / 64.0, (&[1.0], &[-0.2]));
    assert!((found - f64::from(expected)).abs() < 0.12, "{scheme:?} on the oscillator: order {found}");
    let mut body = RigidBody { moments: DVec3::new(1.0, 2.0, 3.5), gravity: DVec3::ZERO };
    // The fifth-order coefficients of Dormand and Prince are so small that the sixth order shows.
    let (h, above) = if expected == 5 { (1.0 / 16.0, 0.9) } else { (1.0 / 64.0, 0.15) };
    let found = order(&mut body, scheme, h, (&RigidBody::REST, &[1.0, 0.0, 0.0, 1.0, 2.0, -0.5]));
    let excess = found - f64::from(expected);
    assert!(excess > -0.15 && excess < above, "{scheme:?} on the rigid body: order {found}");
}

#[test]
fn explicit_schemes_have_their_order() {
    for (scheme, expected) in EXPLICIT {
        assert_order(scheme, expected);
    }
}

#[test]
fn implicit_schemes_have_their_order() {
    for (scheme, expected) in [(Scheme::ImplicitEuler, 1), (Scheme::Radau1, 1), (Scheme::Radau3, 3)] {
        assert_order(scheme, expected);
    }
}
