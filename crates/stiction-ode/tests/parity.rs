//! Every exported function does what it is for: programs in C assert an effect of each, and a table says which.
//!
//! `UPDATE=1 cargo test -p stiction-ode --test parity` rewrites `docs/ode_parity.md`.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use common::{Library, Program};

const PROGRAMS: [&str; 8] = ["world", "body", "joints", "collision", "mesh", "math", "services", "extra"];
const ODE: &str = include_str!("data/ode_exports.txt");

/// Name, whether the assertion holds, its line.
fn assertions(text: &str) -> Vec<(String, bool, String)> {
    let parse = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            [name, "ok", at] => Some((name.to_owned(), true, at.to_owned())),
            [name, "FAILED", at] => Some((name.to_owned(), false, at.to_owned())),
            _ => None,
        }
    };
    text.lines().filter_map(parse).collect()
}

/// Functions and the first assertion of each, as `program:line`.
fn asserted() -> Option<BTreeMap<String, String>> {
    let mut places = BTreeMap::new();
    for name in PROGRAMS {
        let name = format!("parity_{name}");
        let program = Program::build_with_our_headers(&name)?;
        let (text, succeeded) = program.try_run(Library::Ours, &[]);
        let assertions = assertions(&text);
        let failed: Vec<_> = assertions.iter().filter(|(_, holds, _)| !holds).collect();
        assert!(succeeded && failed.is_empty(), "{name}: {failed:?}");
        for (function, _, line) in assertions {
            places.entry(function).or_insert(format!("{name}.c:{line}"));
        }
    }
    Some(places)
}

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The word stands where a function or an entry of a macro is defined: after `fn`, or on a line of names.
fn defines(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let alone = !before.ends_with(is_word) && !after.starts_with(is_word);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let entry = line.rsplit("!(").next().unwrap_or_default();
        let rest = after.lines().next().unwrap_or_default();
        // A call has parentheses and neither a type nor a body.
        let is_call = rest.starts_with('(') && !rest.contains(['>', '=']);
        let is_entry = entry.chars().all(|c| is_word(c) || " ,:|".contains(c)) && !is_call && !rest.starts_with(')');
        alone && (before.ends_with("fn ") || is_entry && !line.trim_start().starts_with("use "))
    })
}

#[test]
fn every_function_has_an_effect() {
    let Some(places) = asserted() else { return };
    let Some(exported) = common::our_library().and_then(|library| common::exports(&library)) else { return };
    let missing: Vec<_> = exported.iter().filter(|name| !places.contains_key(*name)).collect();
    assert!(missing.is_empty(), "no assertion names {missing:?}");

    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&root.join("src"), &mut files);
    let texts: Vec<(String, String)> = files
        .iter()
        .map(|path| {
            let name = path.strip_prefix(root.join("src")).expect("inside").display().to_string();
            (name, std::fs::read_to_string(path).expect("a source"))
        })
        .collect();
    let ode: BTreeSet<&str> = ODE.lines().collect();
    let mut table =
        "# ODE's functions\n\nMade by `UPDATE=1 cargo test -p stiction-ode --test parity`. The test of a function \
        is the first assertion in `crates/stiction-ode/tests/c` that fails when its body is emptied; \
        `cargo xtask parity N` empties the bodies of N functions in turn and checks that.\n\n\
        | function | of | file in `crates/stiction-ode/src` | test |\n|---|---|---|---|\n"
            .to_owned();
    for name in &exported {
        let file = texts.iter().find(|(_, text)| defines(text, name)).map_or("", |(file, _)| file.as_str());
        assert!(!file.is_empty(), "{name} is defined nowhere");
        let origin = if ode.contains(name.as_str()) {
            "0.16"
        } else if name.contains("Stiction") || name.ends_with("AndReturn") {
            "own"
        } else {
            "0.5 and others"
        };
        let _ = writeln!(table, "| {name} | {origin} | {file} | {} |", places[name]);
    }
    let path = root.join("../../docs/ode_parity.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &table).expect("the table is written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == table, "docs/ode_parity.md is stale: UPDATE=1 cargo test -p stiction-ode --test parity");
}
