//! Fast bodies that ask for it are stopped at their first impact; others go where ODE lets them.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common;

use common::{Library, Program};

/// Thing, shape, stepper and how many of 16 went through.
fn lost(program: &Program, how: &str, variables: &[(&str, &str)]) -> Vec<(String, u32)> {
    let text = program.run_with(Library::Ours, &[how], variables);
    let lines = text.lines().map(|line| line.rsplit_once(' ').unwrap());
    lines.map(|(case, count)| (case.to_owned(), count.parse().unwrap())).collect()
}

#[test]
fn bodies_that_ask_go_through_nothing() {
    let Some(program) = Program::build_with_our_headers("swept") else { return };
    let off = lost(&program, "off", &[]);
    assert_eq!(off.len(), 6 * 7 * 2);
    for (case, count) in &off {
        // A plane has no other side.
        assert!(*count > 4 || case.starts_with("plane"), "{case}: {count}");
    }
    for (how, variables) in [("body", &[][..]), ("world", &[]), ("environment", &[("STICTION_ODE_SWEPT", "1")])] {
        for (case, count) in lost(&program, how, variables) {
            assert_eq!(count, 0, "{how}, {case}");
        }
    }
}
