//! Bits: a slope that is kept changes none, and a restored carry repeats all.

use glam::DVec3;
use stiction::integrators::{Carry, Integrator, IntegratorParameters, Interval, Scheme, Statistics};

use super::systems::{Plain, RigidBody};

const SCHEMES: [Scheme; 3] = [Scheme::RungeKutta3, Scheme::BogackiShampine3, Scheme::RungeKutta5];

fn body() -> RigidBody {
    RigidBody { moments: DVec3::new(1.0, 2.0, 3.5), gravity: DVec3::new(0.0, 0.0, -9.81) }
}

/// Fifty calls of 0.02 s; `between` may do something to the integrator after each.
fn run(scheme: Scheme, mut between: impl FnMut(&mut Integrator)) -> (Vec<u64>, Statistics) {
    let parameters = IntegratorParameters { scheme, accuracy: 1e-6, ..Default::default() };
    let (mut q, mut v) = (RigidBody::REST, [1.0, 0.0, 0.0, 3.0, 5.0, -2.0]);
    let (mut integrator, mut total) = (Integrator::default(), Statistics::default());
    for i in 0..50 {
        let (t, end) = (0.02 * f64::from(i), 0.02 * f64::from(i + 1));
        total += integrator.advance(
            &mut body(),
            &parameters,
            Interval { start: t, duration: end - t },
            &mut q,
            &mut v,
            |_, _, _| (),
        );
        between(&mut integrator);
    }
    (q.iter().chain(&v).map(|x| x.to_bits()).collect(), total)
}

#[test]
fn a_kept_slope_changes_no_bit() {
    for scheme in SCHEMES {
        let (kept, with) = run(scheme, |_| ());
        let (evaluated, without) = run(scheme, Integrator::forget);
        assert_eq!(kept, evaluated, "{scheme:?}");
        if scheme == Scheme::RungeKutta3 {
            assert_eq!(with.evaluations, 3 * with.steps + 2 * with.rejections);
            assert_eq!(with, without);
        } else {
            // One evaluation saved a call; those calls whose start is not bit for bit the last end save none.
            assert!(with.evaluations + 20 < without.evaluations, "{scheme:?}: {with:?} {without:?}");
        }
    }
}

#[test]
fn a_restored_carry_repeats_the_bits() {
    for scheme in Scheme::ALL.into_iter().filter(|s| s.has_error_estimate()) {
        let (expected, _) = run(scheme, |_| ());
        let (found, _) = run(scheme, |integrator| *integrator = Integrator::new(integrator.carry));
        assert_eq!(expected, found, "{scheme:?}");
        let (other, _) = run(scheme, |integrator| *integrator = Integrator::default());
        assert_ne!(expected, other, "{scheme:?}: the carry matters");
    }
}

/// `v̇ = 1 + sin 50 t − c v` from rest, 2 s in calls of 1 ms: `v → (1 + sin 50 t)/c`, for which explicit steps are 2.5/c at most.
fn creep(damping: f64, implicit_when_stiff: bool, restore: bool) -> ([f64; 2], Statistics) {
    let parameters = IntegratorParameters {
        accuracy: 1e-6,
        max_trials: 100,
        implicit_when_stiff,
        ..IntegratorParameters::default()
    };
    let mut system = Plain::<1>::new(move |t, _, v, a| a[0] = 1.0 + (50.0 * t).sin() - damping * v[0]);
    let (mut q, mut v, mut total) = ([0.0], [0.0], Statistics::default());
    let mut integrator = Integrator::default();
    for i in 0..2000 {
        let interval = Interval { start: 1e-3 * f64::from(i), duration: 1e-3 };
        total += integrator.advance(&mut system, &parameters, interval, &mut q, &mut v, |_, _, _| ());
        if restore {
            integrator = Integrator::new(integrator.carry);
        }
    }
    ([q[0], v[0]], total)
}

#[test]
fn a_stiff_motion_goes_on_implicitly_and_repeats_its_bits() {
    let damping = 1e7;
    let ([q, v], statistics) = creep(damping, true, false);
    assert_eq!((statistics.unfinished, statistics.skipped, statistics.forced), (0.0, 0.0, 0));
    let (way, speed) = (2.0 + (1.0 - 100f64.cos()) / 50.0, 1.0 + 100f64.sin());
    assert!((damping * v - speed).abs() < 1e-4 && (damping * q - way).abs() < 1e-4, "{q} {v}");
    // The first call uses up the trials of ten, and so does the one in which the explicit scheme is tried again.
    assert_eq!(statistics.implicit_calls, 2000);
    let tried = u64::from(2000 / Carry::IMPLICIT_CALLS) * 1000;
    assert!(statistics.steps + statistics.rejections < tried + 6000, "{statistics:?}");
    let (restored, _) = creep(damping, true, true);
    assert_eq!([q, v].map(f64::to_bits), restored.map(f64::to_bits));
    assert!(creep(damping, false, false).1.unfinished > 0.0);
    // What is not stiff is not touched.
    let soft = [creep(10.0, true, false), creep(10.0, false, false)];
    assert_eq!(soft[0], soft[1]);
    assert_eq!(soft[0].1.implicit_calls, 0);
}

/// `v̇ = −c (v − 1)` with `c` of 1e7/s for the first 5 ms of 50 ms: stiff for an explicit scheme, which asks for 4000 steps a call
/// then and for few on the whole. It is not given up.
#[test]
fn a_hard_stretch_uses_the_trials_of_easy_calls() {
    let parameters = IntegratorParameters { accuracy: 1e-6, max_trials: 500, ..IntegratorParameters::default() };
    let mut system = Plain::<1>::new(|t, _, v, a| {
        a[0] = if t < 5e-3 { 1e7 * (1.0 + (50.0 * t).sin() - v[0]) } else { -10.0 * v[0] }
    });
    let (mut q, mut v, mut total) = ([0.0], [0.0], Statistics::default());
    let mut integrator = Integrator::default();
    for i in 0..50 {
        let interval = Interval { start: 1e-3 * f64::from(i), duration: 1e-3 };
        total += integrator.advance(&mut system, &parameters, interval, &mut q, &mut v, |_, _, _| ());
    }
    assert_eq!((total.unfinished, total.skipped), (0.0, 0.0), "{total:?}");
    // Ten calls have 5000.
    assert!(total.steps + total.rejections > 6000, "{total:?}");
    let expected = (1.0 + 0.25f64.sin()) * (-10.0 * 0.045f64).exp();
    assert!((v[0] - expected).abs() < 1e-4, "{} {expected}", v[0]);
}
