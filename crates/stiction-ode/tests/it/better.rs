//! Where this library does better than the stock one, and what users ask of ODE: `docs/libode.md` has the table.
#![cfg(unix)]

use crate::common;

use std::collections::HashMap;

use common::{Library, Program};

/// Runs a case and gives what it says; with the stock library installed, its outcome is printed beside.
fn case(arguments: &[&str]) -> Option<HashMap<String, f64>> {
    let ours = Program::build_with_our_headers("better")?.run(Library::Ours, arguments);
    if let Some(program) = Program::build("better") {
        let (stock, _) = program.try_run(Library::Stock, arguments);
        println!("{arguments:?}\n stock: {}\n ours:  {}", stock.replace('\n', "; "), ours.replace('\n', "; "));
    }
    let pair =
        |line: &str| line.split_once(' ').map(|(name, value)| (name.to_owned(), value.parse().unwrap_or(f64::NAN)));
    Some(ours.lines().filter_map(pair).collect())
}

/// Checks bounds of a case: name, least, most.
fn check(arguments: &[&str], bounds: &[(&str, f64, f64)]) {
    let Some(values) = case(arguments) else { return };
    for &(name, least, most) in bounds {
        let value = values.get(name).copied().unwrap_or(f64::NAN);
        assert!((least..=most).contains(&value), "{arguments:?}: {name} is {value}, not in {least} … {most}");
    }
    assert_eq!(values.get("messages"), Some(&0.0), "{arguments:?}");
}

#[test]
fn towers_stand_under_the_direct_stepper() {
    for (name, top) in [("tower5", 4.5), ("tower12", 11.5), ("tower40", 39.5)] {
        let bounds = [("z", top - 2e-5, top), ("shift", 0.0, 1e-6), ("speed", 0.0, 1e-10), ("residual", 0.0, 1e-10)];
        check(&[name], &bounds);
    }
}

#[test]
fn contacts_that_coincide_are_no_trouble() {
    check(&["coincident"], &[("z", 0.49999, 0.5), ("speed", 0.0, 1e-10), ("residual", 0.0, 1e-10)]);
}

#[test]
fn two_ball_joints_make_a_hinge() {
    check(&["ball_hinge"], &[("gap", 0.0, 4e-3), ("across", 0.0, 1e-12), ("residual", 0.0, 1e-10)]);
}

#[test]
fn closed_chains_hold() {
    check(&["ring"], &[("gap", 0.0, 0.02), ("residual", 0.0, 1e-10)]);
}

#[test]
fn two_fixed_joints_share_the_load() {
    let bounds =
        [("z", 1.0, 1.0), ("speed", 0.0, 1e-12), ("force", 19.62 - 1e-9, 19.62 + 1e-9), ("residual", 0.0, 1e-10)];
    check(&["two_fixed"], &bounds);
}

#[test]
fn a_light_body_carries_a_thousand_times_its_mass() {
    check(&["mass_ratio"], &[("z", 1.4999, 1.5), ("shift", 0.0, 1e-9), ("residual", 0.0, 1e-10)]);
    check(&["heavy_end"], &[("gap", 0.0, 1e-4), ("residual", 0.0, 1e-10)]);
}

#[test]
fn a_bad_number_does_not_end_the_program() {
    check(&["bad_numbers"], &[("z", 0.499999, 0.5), ("speed", 0.0, 1e-10)]);
}

#[test]
fn a_far_body_does_not_end_the_program() {
    let Some(values) = case(&["far_away"]) else { return };
    assert!((0.499999..=0.5).contains(&values["z"]), "{values:?}");
    assert_eq!(values["messages"], 1.0, "the program is told of the far body");
}

#[test]
fn capsules_cylinders_and_convex_bodies_lie_still() {
    let at_rest = |z| [("z", z - 1e-6, z), ("shift", 0.0, 1e-9), ("speed", 0.0, 1e-9)];
    check(&["capsule_on_box"], &at_rest(0.2));
    check(&["cylinder_stack"], &at_rest(2.5));
    check(&["convex_stack"], &at_rest(2.5));
}

#[test]
fn cylinders_that_just_touch_have_contacts() {
    check(&["cylinders_touching"], &[("beside", 2.0, 2.0), ("above", 4.0, 8.0)]);
}

#[test]
fn inner_edges_of_a_mesh_stop_nothing() {
    let exact = [("speed", 2.0 - 1e-6, 2.0 + 1e-6), ("aside", 0.0, 1e-6), ("up", -1e-6, 1e-6), ("down", 0.0, 1e-6)];
    check(&["wheel_on_mesh", "step"], &exact);
    check(&["box_on_mesh", "step"], &exact);
    check(&["box_on_mesh", "quick"], &exact);
    // Twenty sweeps leave the wheel's line of contact so far from solved.
    let swept = [("speed", 2.0 - 1e-4, 2.0 + 1e-4), ("aside", 0.0, 1e-3), ("up", -1e-6, 1e-5), ("down", 0.0, 5e-4)];
    check(&["wheel_on_mesh", "quick"], &swept);
}

#[test]
fn what_is_pushed_out_comes_out_no_faster_than_told() {
    check(&["push_out"], &[("speed", 0.0999, 0.1)]);
}

#[test]
fn feedback_has_the_force_of_the_motor_and_is_steady() {
    let bounds = [("force", 19.6199, 19.6201), ("torque", -9.8101, -9.8099), ("waver", 0.0, 1e-5)];
    check(&["feedback"], &bounds);
}

#[test]
fn worlds_do_not_disturb_each_other() {
    check(&["two_worlds"], &[("difference", 0.0, 0.0)]);
}

#[test]
fn worlds_on_threads_of_their_own_move_as_one_after_the_other() {
    let Some(program) = Program::build_with_our_headers("limits") else { return };
    let text = program.run(Library::Ours, &["threads"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 8);
    assert!(lines.iter().all(|line| *line == lines[0]), "{text}");
}

/// The program's threads prepare and solve the islands; how many there are changes no bit.
#[test]
fn threads_of_the_program_step_its_world_with_the_same_bits() {
    let Some(program) = Program::build_with_our_headers("limits") else { return };
    let text = program.run(Library::Ours, &["pool"]);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    assert_eq!(lines.len(), 24);
    for runs in lines.chunks(6) {
        assert!(runs.iter().all(|run| run[3] == runs[0][3]), "{text}");
        let figures = |run: &[&str]| [2, 4, 5, 6].map(|column| run[column].parse::<i64>().expect("a number"));
        for run in runs {
            let [threads, posted, elsewhere, largest] = figures(run);
            // None without threads; the thread that waits serves the self-threaded implementation; a pool runs all.
            assert_eq!(
                (posted > 0, elsewhere, largest),
                (threads >= 0, if threads > 0 { posted } else { 0 }, (threads - 1).max(0)),
                "{text}"
            );
        }
    }
}

/// In fast mode the direct solver takes an island as it is, whatever islands are swept before it.
#[test]
fn islands_of_the_direct_solver_do_not_see_those_that_are_swept() {
    let Some(program) = Program::build_with_our_headers("limits") else { return };
    let text = program.run(Library::Ours, &["beside"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 2 && lines[0] == lines[1], "{text}");
    let place: Vec<f64> = lines[0].split(' ').map(|v| v.parse().expect("a number")).collect();
    let wanted = [0.0, 0.0, 0.5, 0.0, 0.0, 1.5];
    assert!(place.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-3), "{text}");
}

#[test]
fn large_worlds_need_no_more_stack_than_small_ones() {
    let Some(program) = Program::build_with_our_headers("limits") else { return };
    assert_eq!(program.run(Library::Ours, &["stack"]), "done\n");
}

/// What the iterative stepper cannot do with sweeps its fast mode gives to the direct solver.
#[test]
fn fast_mode_holds_masses_far_apart() {
    let Some(program) = Program::build_with_our_headers("better") else { return };
    let text = program.run_with(Library::Ours, &["heavy_end", "quick"], &[("STICTION_ODE_MODE", "fast")]);
    let gap: f64 = text.lines().find_map(|line| line.strip_prefix("gap ")).and_then(|v| v.parse().ok()).expect("a gap");
    assert!(gap < 1e-4, "{text}");
    let text = program.run_with(Library::Ours, &["mass_ratio", "quick"], &[("STICTION_ODE_MODE", "fast")]);
    let z: f64 = text.lines().find_map(|line| line.strip_prefix("z ")).and_then(|v| v.parse().ok()).expect("a height");
    assert!((1.4999..=1.5).contains(&z), "{text}");
}
