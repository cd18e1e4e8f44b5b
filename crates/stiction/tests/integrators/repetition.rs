//! Bits: a slope that is kept changes none, and a restored carry repeats all.

use glam::DVec3;
use stiction::integrators::{Integrator, IntegratorParameters, Interval, Scheme, Statistics};

use super::systems::RigidBody;

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
