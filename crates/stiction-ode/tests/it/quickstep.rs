//! The iterative stepper beside a second statement of it.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common;

use common::{Library, Program};

#[test]
fn quickstep_is_what_is_stated() {
    let Some(program) = Program::build_with_our_headers("quickstep_check") else { return };
    for boxes in ["1", "5", "20"] {
        let text = program.run(Library::Ours, &[boxes, "300"]);
        let difference: f64 = text.split_whitespace().last().unwrap().parse().unwrap();
        assert!(difference < 1e-13, "{text}");
    }
}
