//! Every feasible problem is solved below 1e-9 m/s within a counted number of factorisations.

use stiction::solvers::{Direct, Pass, Pgs};

use super::problems::*;
use super::scene::*;

struct Case {
    name: &'static str,
    scene: Scene,
    /// Most factorisations with bounds taken once.
    once: u32,
    /// Most factorisations with agreeing bounds, where they are promised to be found.
    converged: Option<u32>,
}

fn case(name: &'static str, scene: Scene, once: u32, converged: impl Into<Option<u32>>) -> Case {
    Case { name, scene, once, converged: converged.into() }
}

fn cases() -> Vec<Case> {
    let inf = f64::INFINITY;
    vec![
        case("tower 5", tower(5, 0.5, 1.0).perturb(0.02), 6, 12),
        case("tower 5, mu 0.8", tower(5, 0.8, 1.0).perturb(0.02), 6, 12),
        case("tower 5, mu inf", tower(5, inf, 1.0).perturb(0.02), 6, 12),
        case("tower 12", tower(12, 0.5, 1.0).perturb(0.02), 8, 20),
        case("tower 12, mu inf", tower(12, inf, 1.0).perturb(0.02), 8, 20),
        case("tower 40", tower(40, 0.5, 1.0).perturb(0.02), 8, 20),
        case("tower 5 at rest", tower(5, 0.5, 1.0), 4, 6),
        case("tower 12 at rest", tower(12, 0.5, 1.0), 4, 6),
        case("tower 12 kicked", tower(12, 0.5, 1.0).perturb(0.2), 60, None),
        case("tower 40 kicked", tower(40, 0.5, 1.0).perturb(0.2), 90, None),
        case("tower 12 compliant", tower(12, 0.5, 1.0).compliant().perturb(0.02), 20, 40),
        case("wall 5", wall(5).perturb(0.02), 10, 40),
        case("wall 5 kicked", wall(5).perturb(0.2), 80, None),
        case("wall 5 compliant", wall(5).compliant().perturb(0.02), 40, None),
        case("wall 5 kicked, compliant", wall(5).compliant().perturb(0.2), 90, None),
        case("wall 10", wall(10).perturb(0.02), 12, 40),
        case("one under a thousand", tower(2, 0.5, 1000.0).perturb(0.02), 8, 12),
        case("five under a thousand", tower(6, 0.5, 1000.0).perturb(0.02), 12, 30),
        case("coincident contacts", coincident().perturb(0.02), 6, 12),
        case("wedged", wedged(0.0).perturb(0.02), 20, 40),
        case("chain 100", chain(100, 0.0).perturb(0.05), 2, 2),
        case("chain 100 compliant", chain(100, 1e-6).perturb(0.05), 2, 2),
        case("chain 670", chain(670, 0.0).perturb(0.05), 2, 2),
        case("two balls", two_balls().perturb(0.05), 2, 2),
        case("four-bar", four_bar().perturb(0.05), 2, 2),
        case("twice fixed", twice_fixed().perturb(0.05), 2, 2),
        case("sliding", sliding(), 6, 12),
        case("spinning", spinning(), 8, 20),
        case("motor at a stop", motor_at_stop().perturb(0.05), 8, 8),
    ]
}

#[test]
fn bounds_once() {
    let mut failures = Vec::new();
    for case in cases() {
        let problem = case.scene.problem();
        let solved = solve(&problem, &ONCE);
        let e = residual(&with_bounds_once(&problem), &solved, false);
        let s = solved.statistics;
        println!("{:28} f {:3} rounds {:2} residual {e:.0e}", case.name, s.factorizations, s.sweeps);
        if e >= 1e-9 || s.gave_up || s.inconsistent_rows > 0 || s.factorizations > case.once {
            failures.push((case.name, e, s));
        }
    }
    assert!(failures.is_empty(), "{failures:?}");
}

#[test]
fn bounds_converged() {
    let mut failures = Vec::new();
    for case in cases() {
        let problem = case.scene.problem();
        let solved = solve(&problem, &CONVERGED);
        let e = residual(&problem, &solved, false);
        let s = solved.statistics;
        println!(
            "{:28} f {:3} rounds {:2} residual {e:.0e} {}",
            case.name,
            s.factorizations,
            s.sweeps,
            if s.gave_up { "gave up" } else { "" }
        );
        // What is not promised is reported.
        let is_honest = s.gave_up || e < 1e-9;
        if !is_honest || case.converged.is_some_and(|most| s.gave_up || s.factorizations > most) {
            failures.push((case.name, e, s));
        }
    }
    assert!(failures.is_empty(), "{failures:?}");
}

#[test]
fn warm_starts_are_free() {
    for case in cases() {
        let Some(_) = case.converged else { continue };
        let problem = case.scene.problem();
        let mut direct = Direct::default();
        let first = solve(&problem, &CONVERGED);
        let again = solve_from(&mut direct, &problem, &CONVERGED, &first.lambda);
        assert!(again.statistics.factorizations <= 2, "{}: {:?}", case.name, again.statistics);
        assert!(residual(&problem, &again, false) < 1e-9, "{}", case.name);
    }
}

#[test]
fn long_sweeps_reach_the_same_velocities() {
    for (name, scene, tolerance) in [
        ("tower 5", tower(5, 0.5, 1.0).perturb(0.02), 1e-7),
        ("sliding", sliding(), 1e-8),
        ("spinning", spinning(), 1e-7),
        ("motor at a stop", motor_at_stop().perturb(0.05), 1e-7),
        ("four-bar", four_bar().perturb(0.05), 1e-6),
        ("two balls", two_balls().perturb(0.05), 1e-7),
        ("twice fixed", twice_fixed().perturb(0.05), 1e-7),
        ("coincident contacts", coincident().perturb(0.02), 1e-7),
    ] {
        let problem = scene.problem();
        let direct = solve(&problem, &CONVERGED);
        let long = Pass { iterations: 20_000, ..CONVERGED };
        let swept = solve_from(&mut Pgs::default(), &problem, &long, &vec![0.0; problem.rows.len()]);
        for (a, b) in direct.z.iter().zip(&swept.z) {
            assert!((a - b).abs() < tolerance, "{name}: {a} against {b}");
        }
    }
}

#[test]
fn contradicting_rows_are_reported_and_compromised() {
    let problem = wedged(1e-3).perturb(0.02).problem();
    for pass in [ONCE, CONVERGED] {
        let solved = solve(&problem, &pass);
        assert!(solved.statistics.inconsistent_rows > 0 && !solved.statistics.gave_up, "{:?}", solved.statistics);
        assert!(solved.z.iter().chain(&solved.lambda).all(|x| x.is_finite() && x.abs() < 1e4), "{:?}", solved.lambda);
        // Both walls want it out at 0.02 m/s: the compromise is to stand.
        assert!(solved.z[0].abs() < 1e-6, "{}", solved.z[0]);
    }
}

#[test]
fn runs_have_the_same_bits() {
    let problem = wall(5).perturb(0.2).problem();
    for pass in [ONCE, CONVERGED] {
        let mut used = Direct::default();
        solve_from(&mut used, &tower(12, 0.5, 1.0).problem(), &pass, &vec![0.0; 144]);
        let a = solve(&problem, &pass);
        let b = solve_from(&mut used, &problem, &pass, &vec![0.0; problem.rows.len()]);
        assert_eq!(a.statistics, b.statistics);
        assert!(a.z.iter().zip(&b.z).all(|(x, y)| x.to_bits() == y.to_bits()));
        assert!(a.lambda.iter().zip(&b.lambda).all(|(x, y)| x.to_bits() == y.to_bits()));
    }
}

#[test]
fn many_small_islands() {
    let mut problem = stiction::constraint::Problem::default();
    problem.clear(H);
    let mut scene = Scene::default();
    for _ in 0..1000 {
        let mut one = tower(1, 0.5, 1.0);
        for k in 0..6 {
            one.bodies[0].velocity[k] = 0.02 * scene.random();
        }
        one.push(&mut problem);
    }
    let mut direct = Direct::default();
    assert!(problem.islands.iter().all(|i| direct.is_cheaper_than_sweeps(&problem, i, 20)));
    let solved = solve_from(&mut direct, &problem, &CONVERGED, &vec![0.0; problem.rows.len()]);
    assert!(residual(&problem, &solved, false) < 1e-9);
    assert!(solved.statistics.factorizations < 8000);
}

#[test]
fn a_wide_pile_is_left_to_sweeps() {
    let mut direct = Direct::default();
    let cheap = chain(670, 0.0).problem();
    assert!(direct.is_cheaper_than_sweeps(&cheap, &cheap.islands[0], 50));
    // Every body touches every other: no order helps.
    let mut s = Scene::default();
    for _ in 0..80 {
        s.body(1.0, [1.0; 3], [0.0; 3]);
    }
    for i in 0..80 {
        for j in 0..i {
            s.contact(i, j, [0.1, 0.2, 0.3], [0.0, 0.0, 1.0], 0.0, 0.0);
        }
    }
    let pile = s.problem();
    assert!(!direct.is_cheaper_than_sweeps(&pile, &pile.islands[0], 20));
}

/// Rows of files exported by other tools are read as they stand.
#[test]
fn text_is_read() {
    let problem = super::reader::read(
        "1 2 5\n4 4 4 1 1 1 0 0 -0.1 0 0 0\n0 -1 0 0 1 0 0 0 0 0 0 0 0 0 0 0.5 0 1e300 -1\n0 -1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 -0.5 0.5 0\n",
    );
    let solved = solve(&problem, &CONVERGED);
    assert!((solved.lambda[0] - 2.4).abs() < 1e-9 && solved.lambda[1] == 0.0);
}
