//! Arrival, counts, and ends that must come.

use stiction::integrators::{Carry, Integrator, IntegratorParameters, Interval, Scheme, Statistics, System};

use super::systems::{Plain, oscillator};

const CONTROLLED: [Scheme; 6] = [
    Scheme::RungeKutta3,
    Scheme::BogackiShampine3,
    Scheme::RungeKutta5,
    Scheme::ImplicitEuler,
    Scheme::Radau1,
    Scheme::Radau3,
];

/// Integrates one coordinate from (1, 0); statistics, times, and the end.
fn run(
    system: &mut impl System,
    parameters: IntegratorParameters,
    t: f64,
    duration: f64,
) -> (Statistics, Vec<f64>, [f64; 2]) {
    let (mut q, mut v, mut times) = ([1.0], [0.0], Vec::new());
    let statistics = Integrator::default().advance(
        system,
        &parameters,
        Interval { start: t, duration },
        &mut q,
        &mut v,
        |t, _, _| {
            times.push(t);
        },
    );
    (statistics, times, [q[0], v[0]])
}

#[test]
fn the_end_is_reached_exactly() {
    for scheme in Scheme::ALL {
        for error_control in [false, true] {
            for (t, duration) in [(0.1, 0.7), (1234.5, 1.0 / 3.0), (0.3, 1e-5), (-1.0, 1e-17)] {
                let parameters = IntegratorParameters { scheme, max_step: 0.03, error_control, ..Default::default() };
                let (statistics, times, _) = run(&mut oscillator(), parameters, t, duration);
                assert_eq!(times.last(), Some(&(t + duration)), "{scheme:?}");
                assert_eq!((statistics.steps, statistics.forced), (times.len() as u64, 0), "{scheme:?}");
                assert!(times.is_sorted_by(|a, b| a < b), "{scheme:?}");
                assert!(statistics.largest_step <= 1.001 * 0.03);
                assert!(statistics.smallest_step <= statistics.largest_step);
            }
        }
    }
}

#[test]
fn fixed_steps_divide_the_duration() {
    for scheme in Scheme::ALL {
        let parameters = IntegratorParameters { scheme, max_step: 0.03, error_control: false, ..Default::default() };
        let (statistics, _, _) = run(&mut oscillator(), parameters, 0.0, 0.7);
        assert_eq!(statistics.steps, 24, "{scheme:?}");
        assert_eq!(statistics.smallest_step, 0.7 / 24.0);
        assert_eq!(statistics.largest_step, 0.7 / 24.0);
        // A quotient that is whole but for rounding.
        let parameters = IntegratorParameters { max_step: 0.1, ..parameters };
        assert_eq!(run(&mut oscillator(), parameters, 0.0, 0.3).0.steps, 3);
    }
}

#[test]
fn a_cut_step_does_not_shrink_the_next() {
    let parameters = IntegratorParameters { accuracy: 1e-6, ..Default::default() };
    let mut integrator = Integrator::new(Carry { step: 0.01, ..Carry::default() });
    let (mut q, mut v) = ([1.0], [0.0]);
    let mut advance = |duration| {
        let statistics = integrator.advance(
            &mut oscillator(),
            &parameters,
            Interval { start: 0.0, duration },
            &mut q,
            &mut v,
            |_, _, _| (),
        );
        (statistics.steps, integrator.carry.step)
    };
    assert_eq!(advance(1e-4), (1, 0.01));
    // Within 0.1 % it is stretched.
    assert_eq!(advance(0.010_009).0, 1);
}

#[test]
fn nothing_happens_in_no_time() {
    for duration in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let (statistics, times, end) = run(&mut oscillator(), IntegratorParameters::default(), 0.0, duration);
        assert_eq!((statistics, times.len(), end), (Statistics::default(), 0, [1.0, 0.0]));
    }
}

#[test]
fn senseless_parameters_end_as_well() {
    for scheme in Scheme::ALL {
        for error_control in [false, true] {
            for max_step in [0.0, -1.0, f64::NAN, f64::INFINITY] {
                let parameters = IntegratorParameters { scheme, error_control, max_step, ..Default::default() };
                let (_, times, _) = run(&mut oscillator(), parameters, 0.0, 0.3);
                assert_eq!(times.last(), Some(&0.3));
            }
        }
        for accuracy in [0.0, f64::NAN, f64::INFINITY] {
            let parameters = IntegratorParameters { scheme, accuracy, min_step: 1e-3, ..Default::default() };
            let (_, times, _) = run(&mut oscillator(), parameters, 0.0, 0.3);
            assert_eq!(times.last(), Some(&0.3), "{scheme:?} {accuracy}");
        }
    }
}

#[test]
fn nothing_at_all_can_be_integrated() {
    for scheme in Scheme::ALL {
        let parameters = IntegratorParameters { scheme, ..Default::default() };
        let mut empty = Plain::<0>::new(|_, _, _, _| ());
        let statistics = Integrator::default().advance(
            &mut empty,
            &parameters,
            Interval { start: 0.0, duration: 1.0 },
            &mut [],
            &mut [],
            |_, _, _| (),
        );
        assert!(statistics.steps > 0 && statistics.forced == 0);
    }
}

#[test]
fn steps_end_where_numbers_do() {
    // Finite until 0.25 s.
    for after in [f64::NAN, f64::INFINITY] {
        let mut system = Plain::<1>::new(|t, _, _, a| a[0] = if t < 0.25 { 1.0 } else { after });
        for scheme in Scheme::ALL {
            for error_control in [false, true] {
                let parameters = IntegratorParameters { scheme, error_control, ..Default::default() };
                let (statistics, times, end) = run(&mut system, parameters, 0.0, 1.0);
                assert_eq!(statistics.forced, 1, "{scheme:?}");
                // Explicit first stages are at the start of a step, so one step may lead past the edge.
                let reached = *times.last().unwrap();
                assert!(reached > 0.2499 && reached < 0.36, "{scheme:?} {reached}");
                assert_eq!(statistics.skipped, 1.0 - reached);
                assert!((end[1] - reached).abs() < 1e-3, "{scheme:?} {end:?}");
                assert!(statistics.evaluations < 5000, "{scheme:?} {statistics:?}");
            }
        }
    }
}

#[test]
fn what_would_need_smaller_steps_is_forced() {
    // Explicit steps of 1 ms are far too long for a rate of 10⁵ /s, but no force grows without bounds.
    let mut system = Plain::<1>::new(|_, _, v, a| a[0] = 1e3 * libm::sin(1e5 * v[0]) + 1.0);
    for scheme in [Scheme::RungeKutta3, Scheme::BogackiShampine3, Scheme::RungeKutta5] {
        let parameters =
            IntegratorParameters { scheme, accuracy: 1e-9, min_step: 1e-3, max_step: 1e-2, ..Default::default() };
        let (statistics, times, _) = run(&mut system, parameters, 0.0, 0.1);
        assert!(statistics.forced > 50, "{scheme:?} {statistics:?}");
        assert_eq!((times.last(), statistics.skipped), (Some(&0.1), 0.0));
    }
}

#[test]
fn hopeless_accuracy_ends_as_well() {
    // Noise: no step is small enough for any accuracy, and the smallest allowed would be 10¹² steps.
    let mut random = 1_u64;
    let mut noise = Plain::<1>::new(|_, _, _, a| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        a[0] = 1e18 * ((random >> 11) as f64 / 2.0_f64.powi(53) - 0.5);
    });
    let parameters = IntegratorParameters { accuracy: 1e-6, ..Default::default() };
    let (statistics, times, _) = run(&mut noise, parameters, 0.0, 0.01);
    assert_eq!(times.last(), Some(&0.01));
    assert!(statistics.forced > 0 && statistics.steps < 3_000_000, "{statistics:?}");
}

#[test]
fn counts_add_up() {
    for scheme in CONTROLLED {
        let parameters = IntegratorParameters { scheme, accuracy: 1e-5, ..Default::default() };
        let mut evaluations = 0;
        let mut system = Plain::<1>::new(|t: f64, q, v, a| {
            evaluations += 1;
            oscillator().accelerations(t, q, v, a);
        });
        let (s, _, _) = run(&mut system, parameters, 0.0, 2.0);
        drop(system);
        assert_eq!(s.evaluations, evaluations, "{scheme:?}");
        let is_implicit = matches!(scheme, Scheme::ImplicitEuler | Scheme::Radau1 | Scheme::Radau3);
        assert_eq!(
            (s.newton_iterations > 0, s.jacobians > 0, s.factorizations > 0),
            (is_implicit, is_implicit, is_implicit)
        );
        if is_implicit {
            let stages = if scheme == Scheme::Radau3 { 2 } else { 1 };
            assert_eq!(s.evaluations, stages * s.newton_iterations + 3 * s.jacobians, "{scheme:?}");
            assert!(s.jacobians <= 2, "the oscillator is linear: {s:?}");
            assert!(s.factorizations <= 2 * (s.steps + s.rejections), "{s:?}");
        }
    }
}
