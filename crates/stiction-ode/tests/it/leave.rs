//! Callbacks that do not return, left by C++ exceptions and by `longjmp`: beside the stock library where that one goes on too.

use crate::common;

use common::{Library, Program};

/// Cases in which the stock library goes on: ours says the same.
const AS_STOCK: [&str; 15] = [
    "simple_space",
    "hash_space",
    "sweep_space",
    "quadtree_space",
    "step_first",
    "step_fifth",
    "quick_first",
    "quick_fifth",
    "step_changed",
    "mesh_triangle",
    "mesh_array",
    "mesh_ray",
    "user_class",
    "handlers",
    "message_of_destroy",
];

/// Cases in which it stays locked, ends the program, loses a contact, or has moved a geom for good; and the last lines of ours.
const BETTER: [(&str, &str); 12] = [
    ("simple_space_changed", "8 geoms, 6 pairs, 0"),
    ("hash_space_changed", "8 geoms, 6 pairs, 0"),
    ("sweep_space_changed", "8 geoms, 6 pairs, 0"),
    ("quadtree_space_changed", "8 geoms, 6 pairs, 0"),
    // The walk outside goes on through all seven pairs; in each of them a change is still refused.
    ("nested", "left near\ndebug 2\nleft near\ndebug 2\n8 geoms, 7 pairs"),
    ("nested_changed", "8 geoms, 7 pairs\n8 geoms, 6 pairs, 0"),
    // Destroying a body and stepping are refused in the callback, which was called once.
    ("step_refuses", "left moved\ndebug 2\ndebug 2\n10 calls"),
    ("report_in_step", "left report\nreturned\nreturned"),
    ("self_threaded", "left moved\nreturned\nreturned"),
    ("heightfield", "left height\nreturned\n1 contacts"),
    ("transform", "left triangle\nreturned\n1 contacts\nleft triangle\nreturned\n1 contacts\n0.500 0.000"),
    ("many", "0 pairs\n8 geoms, 2 pairs, 0"),
];

/// The same words, and numbers that differ by rounding: an abandoned step has used another part of the random stream.
fn assert_same(case: &str, ours: &str, stock: &str) {
    let (ours, stock): (Vec<_>, Vec<_>) = (ours.split_whitespace().collect(), stock.split_whitespace().collect());
    assert_eq!(ours.len(), stock.len(), "{case}: {ours:?}\n{stock:?}");
    for (a, b) in ours.iter().zip(&stock) {
        let close = match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(x), Ok(y)) => (x - y).abs() < 1e-8,
            _ => a == b,
        };
        assert!(close, "{case}: {ours:?}\n{stock:?}");
    }
}

fn check(program: &Program) {
    for case in AS_STOCK {
        let ours = program.run(Library::Ours, &[case]);
        assert!(ours.contains("left "), "{case}: {ours}");
        assert_same(case, &ours, &program.run(Library::Stock, &[case]));
    }
    for (case, end) in BETTER {
        let ours = program.run(Library::Ours, &[case]);
        assert!(ours.trim_end().ends_with(end), "{case}: {ours}");
    }
}

#[test]
fn exceptions_reach_the_caller_and_the_world_goes_on() {
    if let Some(program) = Program::build_as_cpp("leave") {
        check(&program);
    }
}

#[test]
fn longjmp_out_of_a_callback_leaves_a_usable_world() {
    if let Some(program) = Program::build("leave") {
        check(&program);
    }
}
