//! Mechanisms in the air under `dWorldQuickStep` in fast mode: the engine moves them as wholes.
#![cfg(unix)]

use crate::common;

use common::{Library, Program};
use stiction_testing::cases;

/// Numbers of a case in fast mode, by line.
fn numbers(program: &Program, arguments: &[&str]) -> Vec<Vec<f64>> {
    let text = program.run_with(Library::Ours, arguments, &[("STICTION_ODE_MODE", "fast")]);
    let parse = |line: &str| line.split(' ').map(|v| v.parse().unwrap()).collect();
    text.lines().map(parse).collect()
}

/// Largest differences of random mechanisms from where the direct stepper takes them with steps a hundred times shorter, by seed.
fn differences(program: &Program, case: &str, count: usize) -> Vec<(usize, f64)> {
    let differ = |seed: usize| {
        let [own, wanted] = [["2e-3", "quick"], ["2e-5", "direct"]]
            .map(|[step, method]| numbers(program, &[case, &seed.to_string(), step, method]));
        let off = own.iter().flatten().zip(wanted.iter().flatten()).map(|(a, b)| (a - b).abs());
        (seed, off.fold(0.0, |most: f64, off| if off.is_nan() { f64::INFINITY } else { most.max(off) }))
    };
    (0..count).map(differ).collect()
}

/// Trees of joints of all kinds but PU, either way round, with motors.
#[test]
fn random_mechanisms_move_as_under_the_direct_stepper() {
    let Some(program) = Program::build_with_our_headers("flow") else { return };
    let far: Vec<_> =
        differences(&program, "motors", cases(150, 3000)).into_iter().filter(|(_, off)| *off > 2e-3).collect();
    assert!(far.is_empty(), "{far:?}");
}

/// The same with stops, from which rows come back with a share of the speed that the ERP says.
#[test]
fn random_mechanisms_come_to_their_stops() {
    let Some(program) = Program::build_with_our_headers("flow") else { return };
    let all = differences(&program, "stops", cases(100, 3000));
    let far: Vec<_> = all.iter().filter(|(_, off)| *off > 5e-3).collect();
    assert!(far.len() * 8 < all.len() && far.iter().all(|(_, off)| *off < 0.3), "{far:?}");
}

/// What nothing drives keeps its energy for 20 s, and its joints stay closed.
#[test]
fn free_mechanisms_keep_their_energy() {
    let Some(program) = Program::build_with_our_headers("flow") else { return };
    let (count, mut off) = (cases(40, 1000), 0);
    for seed in 0..count {
        let own = numbers(&program, &["free", &seed.to_string(), "1e-3"]);
        let &[change, kinetic, gap] = own[0].as_slice() else { panic!("{own:?}") };
        assert!(change <= 2e-3 * kinetic && gap < 1e-6, "{seed}: {own:?}");
        off += usize::from(change > 1e-6 * kinetic);
    }
    // A universal joint passes the pose in which its axes are along each other.
    assert!(20 * off <= count, "{off} of {count}");
}

#[test]
fn a_linkage_keeps_its_energy() {
    let Some(program) = Program::build_with_our_headers("flow") else { return };
    let own = numbers(&program, &["loop", "1e-3"]);
    let &[change, kinetic, gap] = own[0].as_slice() else { panic!("{own:?}") };
    assert!(change < 1e-6 * kinetic && kinetic > 1.0 && gap < 1e-6, "{own:?}");
}

#[test]
fn what_the_program_changes_is_followed() {
    let Some(program) = Program::build_with_our_headers("flow") else { return };
    let own = numbers(&program, &["edits"]);
    // A compact body on a rod of 1 m, from rest: θ'' = (g / (1 + k²)) cos θ, with k² = 0.01 / 6.
    let (mut angle, mut rate) = (0.0f64, 0.0f64);
    for _ in 0..300_000 {
        rate += 1e-6 * 9.81 / (1.0 + 0.01 / 6.0) * angle.cos();
        angle += 1e-6 * rate;
    }
    let wanted = [2.0 + angle.cos(), 0.0, -angle.sin()];
    assert!(own[0].iter().zip(wanted).all(|(own, wanted)| (own - wanted).abs() < 1e-5), "{own:?} {wanted:?}");
    // The motor has the world's CFM.
    assert!((own[1][0] - 1.5).abs() < 1e-7, "{own:?}");
    assert!(own[2][0].abs() < 1e-12 && (own[3][0] - 0.1).abs() < 1e-9, "{own:?}");
}

/// Two links held level, of 1 and 2 kg, 1 m and 2 m from the wall.
#[test]
fn feedback_has_what_joints_and_motors_transmit() {
    let Some(program) = Program::build_with_our_headers("flow") else { return };
    let own = numbers(&program, &["forces"]);
    let g = 9.81;
    // Force and torque on the first and the second body of each joint. The anchor on the wall is 1 m from the first body, the one between the two is at its
    // centre. What is on the world is not written.
    let wanted = [[3.0 * g, -2.0 * g, 0.0, 0.0], [-2.0 * g, 2.0 * g, 2.0 * g, 0.0]];
    for (own, wanted) in own.iter().zip(wanted) {
        assert!(own.iter().zip(wanted).all(|(own, wanted)| (own - wanted).abs() < 1e-6), "{own:?} {wanted:?}");
    }
    // Once nothing holds them, with accelerations α of the links and inertias I: I₁ α₁ + m₁ (α₀ + α₁) = m₁ g, and what the second pulls at the first.
    let [first, second] = [1.0, 2.0].map(|mass: f64| mass * 0.01 / 6.0);
    let share = 2.0 / (2.0 + second);
    // α₁ = share (g − α₀), and (I₀ + m₀) α₀ = m₀ g + m₁ (g − α₀ − α₁).
    let alpha = g * (3.0 - 2.0 * share) / (first + 3.0 - 2.0 * share);
    let pull = 2.0 * (g - alpha - share * (g - alpha));
    assert!((own[2][0] - (g + pull - alpha)).abs() < 1e-4, "{own:?} {}", g + pull - alpha);
}

/// A chain flows until it touches the ground, and is one of contacts from then on.
#[test]
fn a_chain_lands() {
    let Some(program) = Program::build_with_our_headers("flow") else { return };
    let own = numbers(&program, &["touch"]);
    assert!(own[0][0] > 0.09 && own[0][1] < 5e-3 && own[0][2] < 0.2, "{own:?}");
}
