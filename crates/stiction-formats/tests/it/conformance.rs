//! The checker's verdict on the reference files: every invalid one has an error on its faulty line, no valid one has.
#![allow(missing_docs)]

use crate::common;

use common::{files_below, load_file, shared};
use stiction_formats::diagnostic::{Diagnostic, Severity};
use stiction_formats::one_line;

const INVALID: &str = include_str!("../data/invalid_lines.tsv");

fn is_error_at(d: &Diagnostic, file: &str, line: u32, code: &str) -> bool {
    let place = d.location.as_ref();
    d.severity == Severity::Error && d.code == code && place.is_some_and(|l| l.line == line && l.file.ends_with(file))
}

#[test]
fn invalid_files_have_an_error_at_the_faulty_line() {
    let Some(shared) = shared() else { return };
    let folder = shared.join("sdformat-tests");
    let mut failures = Vec::new();
    let mut files = 0;
    for path in files_below(&folder.join("invalid")) {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let loaded = load_file(&path, &[folder.join("model")]);
        files += 1;
        let rows: Vec<Vec<&str>> =
            INVALID.lines().skip(1).map(|l| l.split('\t').collect()).filter(|r: &Vec<&str>| r[0] == name).collect();
        if rows.is_empty() {
            failures.push(format!("{name}: not in the table"));
        }
        for row in rows {
            let line = row[1].parse().expect("a line number");
            if !loaded.diagnostics.iter().any(|d| is_error_at(d, &name, line, row[2])) {
                let found: Vec<String> = loaded.diagnostics.iter().map(one_line).collect();
                failures.push(format!("{name}:{line}: no {}, but {found:#?}", row[2]));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(files, 48);
}

#[test]
fn valid_files_have_no_error() {
    let Some(shared) = shared() else { return };
    let folder = shared.join("sdformat-tests");
    let mut failures = Vec::new();
    for path in files_below(&folder.join("valid")) {
        let loaded = load_file(&path, &[folder.join("model")]);
        // The reference looks for no files of shapes, and for no joint's parts.
        let not_of_the_format = ["mesh-not-found", "image-not-found", "gearbox-reference"];
        let errors = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        let found: Vec<String> = errors.filter(|d| !not_of_the_format.contains(&d.code)).map(one_line).collect();
        if !found.is_empty() {
            failures.push(format!("{}: {found:#?}", path.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The worlds of the reference: an error where the strict checker has one, each with its line, and none elsewhere.
#[test]
fn worlds_have_the_verdict_of_the_strict_checker() {
    let Some(shared) = shared() else { return };
    let folder = shared.join("worlds");
    let table = std::fs::read_to_string(folder.join("CHECK_libsdformat12.tsv")).expect("a table of verdicts");
    let paths = files_below(&folder);
    let mut failures = Vec::new();
    let mut counts = [0, 0];
    for row in table.lines().skip(1) {
        let mut cells = row.split('\t');
        let (name, verdict) = (cells.next().expect("a name"), cells.next().expect("a verdict"));
        let of_name: Vec<_> = paths.iter().filter(|p| p.file_name().is_some_and(|n| n == name)).collect();
        assert!(!of_name.is_empty(), "{name}");
        counts[usize::from(verdict == "valid")] += 1;
        for path in of_name {
            let loaded = load_file(path, &[shared.join("models")]);
            let errors = || loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error);
            let is_right = (errors().count() == 0) == (verdict == "valid");
            if !is_right || errors().any(|d| d.location.as_ref().is_none_or(|l| l.line == 0)) {
                let found: Vec<String> = errors().map(one_line).collect();
                failures.push(format!("{}: {verdict}, but {found:#?}", path.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(counts[0] > 0 && counts[0] + counts[1] >= 86, "{counts:?}");
}
