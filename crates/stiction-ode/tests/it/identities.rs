//! Collision functions against their own formulas, on thousands of random cases each.
#![cfg(unix)]

use crate::common;

use common::{Library, Program};

#[test]
fn depths_rays_and_boxes_are_right() {
    let Some(program) = Program::build_with_our_headers("identities") else { return };
    let text = program.run(Library::Ours, &[]);
    let mut count = 0;
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words[1], "0", "{line}: name, wrong, cases");
        count += 1;
    }
    assert_eq!(count, 11);
}
