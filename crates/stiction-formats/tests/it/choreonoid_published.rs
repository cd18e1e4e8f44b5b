//! Bodies as users publish them: ranges without an end, links that are left out, lists that go on at any column.

use std::path::Path;

use stiction_formats::description::WorldDescription;
use stiction_formats::{FileRequest, LoadOptions, Loaded, load, render};
use stiction_testing::{cases, shared};

fn load_file(path: &Path) -> Loaded {
    load(&[FileRequest { path: path.to_owned(), name: None, pose: None }], &LoadOptions::default())
}

fn load_text(text: &str) -> Loaded {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file.body");
    std::fs::write(&path, text).expect("a file");
    load_file(&path)
}

/// The world of a text that has nothing to be told.
fn clean(text: &str) -> WorldDescription {
    let loaded = load_text(text);
    let findings = render(&loaded.diagnostics, &loaded.sources, false);
    assert!(findings.is_empty(), "{text}{findings}");
    loaded.world.expect("a world")
}

/// A sequence of numbers that is the same on every machine.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

/// Words of no limit.
const ENDLESS: [&str; 7] = ["inf", "Inf", "unlimited", ".inf", "+.inf", ".Inf", ".INF"];

/// A joint whose speed and range are the given texts.
fn hinge(range: &str, speed: &str) -> String {
    format!(
        "format: ChoreonoidBody\nformatVersion: 1.0\nname: b\nlinks:\n  - name: a\n    jointType: fixed\n    mass: 1\n    \
         inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ]\n  - name: c\n    parent: a\n    jointType: revolute\n    jointId: 0\n    \
         mass: 1\n    inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ]\n    jointRange: {range}\n    jointVelocityRange: {speed}\n"
    )
}

#[test]
fn ranges_may_lack_an_end_in_either_direction() {
    let mut sequence = Sequence(5);
    let mut end = |sign: f64| match sequence.below(3) {
        0 => {
            let word = ENDLESS[sequence.below(ENDLESS.len())];
            let word = word.trim_start_matches('+');
            (if sign < 0.0 { format!("-{word}") } else { word.to_owned() }, sign * f64::INFINITY)
        }
        _ => {
            let number = sign * (sequence.below(4000) as f64 / 16.0);
            (format!("{number}"), number)
        }
    };
    for _ in 0..cases(300, 5000) {
        let ((low, lower), (high, upper), (speed, fastest)) = (end(-1.0), end(1.0), end(1.0));
        let slowest =
            if speed.ends_with(|c: char| c.is_ascii_digit()) { format!("-{speed}") } else { "-inf".to_owned() };
        let world = clean(&hinge(&format!("[ {low}, {high} ]"), &format!("[ {slowest}, {speed} ]")));
        let axis = world.joints.iter().flat_map(|joint| &joint.axes).next().expect("an axis");
        let near = |a: f64, b: f64| a == b || (a - b).abs() < 1e-12 * b.abs();
        // The reader of joint limits has ±1e16 for none.
        let of = |end: f64| if end.is_finite() { end.to_radians() } else { end };
        let found = [axis.lower.value, axis.upper.value];
        for (found, wanted) in found.into_iter().zip([lower, upper].map(of)) {
            let is_free = !wanted.is_finite() && found.abs() >= 1e16 && found * wanted > 0.0;
            assert!(is_free || near(found, wanted), "{low} {high}: {found} {wanted}");
        }
        let free = !axis.velocity.is_given();
        assert_eq!(free, fastest.is_infinite(), "{speed}");
        assert!(free || near(axis.velocity.value, fastest.to_radians()), "{speed}: {}", axis.velocity.value);
    }
    for word in ENDLESS {
        let world = clean(&hinge(word, word));
        let axis = world.joints.iter().flat_map(|joint| &joint.axes).next().expect("an axis");
        assert!(!axis.velocity.is_given() && !axis.lower.is_given() && !axis.upper.is_given(), "{word}");
    }
    for (range, speed) in [("[ 1 ]", "1"), ("[ inf, 1 ]", "1"), ("free", "1"), ("1", "[ 2, 1 ]"), ("1", "fast")] {
        let loaded = load_text(&hinge(range, speed));
        let found: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(found, ["invalid-value"], "{range} {speed}");
    }
    // One limit serves both directions, which is said where they differ.
    let loaded = load_text(&hinge("1", "[ -90, unlimited ]"));
    assert_eq!(loaded.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["velocity-range"]);
}

#[test]
fn a_link_of_type_skip_is_left_out() {
    let text = hinge("1", "1").replace("  - name: c", "  - type: Skip\n    name: cover\n    mass: -3\n  - name: c");
    let names: Vec<String> = clean(&text).links.into_iter().map(|link| link.name).collect();
    assert_eq!(names, ["b::a", "b::c"]);
}

/// Lines within brackets at random columns, column 0 among them, give the numbers that one line gives.
#[test]
fn lists_go_on_at_any_column() {
    let mut sequence = Sequence(11);
    let whole = hinge("[ -20, 30 ]", "[ -40, 40 ]");
    let wanted = clean(&whole);
    for _ in 0..cases(200, 5000) {
        let mut depth = 0;
        let mut text = String::new();
        for c in whole.chars() {
            depth += i32::from(c == '[') - i32::from(c == ']');
            // Any blank within brackets, or the one before the last of them, may be a new line.
            if c == ' ' && depth > 0 && sequence.below(2) == 0 {
                text.push('\n');
                text.extend(std::iter::repeat_n(' ', sequence.below(9)));
            } else {
                text.push(c);
            }
        }
        let world = clean(&text);
        for (link, other) in world.links.iter().zip(&wanted.links) {
            assert_eq!(link.inertial.inertia.value, other.inertial.inertia.value, "{text}");
        }
        for (joint, other) in world.joints.iter().zip(&wanted.joints).filter(|(joint, _)| !joint.axes.is_empty()) {
            let limits = |axes: &[stiction_formats::description::JointAxisDescription]| {
                [axes[0].lower.value, axes[0].upper.value, axes[0].velocity.value]
            };
            assert_eq!(limits(&joint.axes), limits(&other.axes), "{text}");
        }
    }
}

#[test]
fn the_reported_files_load() {
    let Some(reports) = shared("reports") else { return };
    for name in ["infinite_ranges.body", "skip_link.body", "list_at_column_zero.body"] {
        let loaded = load_file(&reports.join(name));
        let findings = render(&loaded.diagnostics, &loaded.sources, false);
        assert!(loaded.world.is_some() && findings.is_empty(), "{name}: {findings}");
    }
}

/// Ten bodies, each of ten of the next one, are 10^10 links: refused with the limit, soon.
#[test]
fn bodies_that_multiply_end_soon() {
    let folder = tempfile::tempdir().expect("a folder");
    for n in 0..10 {
        let part = |i| format!("  - {{ type: SubBody, uri: b{}.body, parent: R, prefix: p{i} }}\n", n + 1);
        let parts: String = (0..10).map(part).collect();
        let head = "format: ChoreonoidBody\nformat_version: 2.0\nname: b\nlinks:\n  - { name: R, joint_type: free, mass: 1 }\n";
        std::fs::write(folder.path().join(format!("b{n}.body")), format!("{head}{parts}")).expect("a file");
    }
    let last =
        "format: ChoreonoidBody\nformat_version: 2.0\nname: b\nlinks:\n  - { name: R, joint_type: free, mass: 1 }\n";
    std::fs::write(folder.path().join("b10.body"), last).expect("a file");
    let start = std::time::Instant::now();
    let loaded = load_file(&folder.path().join("b0.body"));
    assert!(loaded.world.is_none());
    assert!(loaded.diagnostics.iter().any(|d| d.code == "too-many-links"), "{:#?}", loaded.diagnostics);
    assert!(start.elapsed().as_secs_f64() < 10.0, "{:?}", start.elapsed());
}
