//! `stiction check --fix`: proposals written into files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use stiction_formats::counted;
use stiction_formats::diagnostic::{Diagnostic, Edit};
use stiction_formats::fix::{self, Change};

use crate::arguments::CheckArguments;
use crate::check::{Checked, check_file};
use crate::exit::Failure;
use crate::output::say;

/// Most times that a file is checked again: one proposal can be the condition of another.
const PASSES: usize = 8;

/// Checks a file, writes what can be written, and checks it again until nothing is left to write.
pub fn fix_file(arguments: &CheckArguments, file: &Path, as_text: bool) -> Result<Checked, Failure> {
    // What every pass refuses is told once.
    let mut told_once = BTreeSet::new();
    let mut refuse = |line: String| {
        if told_once.insert(line.clone()) {
            eprintln!("{line}");
        }
    };
    for _ in 0..PASSES {
        let checked = check_file(arguments, file)?;
        let mut has_changed = false;
        for (path, findings) in by_file(&checked.findings, arguments, as_text, &mut refuse) {
            let Some(read) = checked.sources.get(&path) else { continue };
            let edits: Vec<&Edit> = findings.iter().filter_map(|d| d.fix.as_ref()).collect();
            let fixed = fix::apply(read, &edits);
            for (index, refusal) in &fixed.refused {
                refuse(format!("{}: [{}] is not changed: {refusal}", path.display(), findings[*index].code));
            }
            if fixed.text == read {
                continue;
            }
            write(&path, read, &fixed.text)?;
            has_changed = true;
            for (index, change) in &fixed.changes {
                for line in told(&path, change, findings[*index].code) {
                    if as_text {
                        say!("{line}");
                    } else {
                        eprintln!("{line}");
                    }
                }
            }
        }
        if !has_changed {
            return Ok(checked);
        }
    }
    check_file(arguments, file)
}

/// `FILE:LINE: <name> old → new [CODE]`.
fn told(path: &Path, change: &Change, code: &str) -> Vec<String> {
    let line = |(name, old, new): &(&str, Option<String>, String)| {
        let old = old.as_deref().filter(|old| !old.is_empty()).unwrap_or("(absent)");
        format!("{}:{}: <{name}> {old} → {new} [{code}]", path.display(), change.line)
    };
    change.values.iter().map(line).collect()
}

/// Findings with proposals by the file that they would change, without those for other people's files.
fn by_file<'a>(
    findings: &'a [Diagnostic],
    arguments: &CheckArguments,
    as_text: bool,
    refuse: &mut dyn FnMut(String),
) -> BTreeMap<PathBuf, Vec<&'a Diagnostic>> {
    let folders: Vec<PathBuf> = arguments.files.iter().filter_map(|f| folder(f)).collect();
    let mut files: BTreeMap<PathBuf, Vec<&Diagnostic>> = BTreeMap::new();
    for finding in findings {
        let Some(edit) = &finding.fix else { continue };
        files.entry(edit.at.file.to_path_buf()).or_default().push(finding);
    }
    files.retain(|path, findings| {
        let is_near = fs::canonicalize(path).is_ok_and(|path| folders.iter().any(|folder| path.starts_with(folder)));
        if !is_near && as_text {
            refuse(format!(
                "{}: {} not fixed: the file is neither given on the command line nor next to one that is",
                path.display(),
                counted(findings.len(), "finding")
            ));
        }
        is_near
    });
    files
}

/// The folder of a file that exists.
fn folder(file: &Path) -> Option<PathBuf> {
    Some(fs::canonicalize(file).ok()?.parent()?.to_owned())
}

/// Replaces a file as a whole, if it still is what was read.
fn write(path: &Path, read: &str, text: &str) -> Result<(), Failure> {
    let refused = |reason: String| Failure::input(format!("cannot change {}: {reason}", path.display()));
    // Behind links, so that they stay links.
    let target = fs::canonicalize(path).map_err(|e| refused(e.to_string()))?;
    let permissions = fs::metadata(&target).map_err(|e| refused(e.to_string()))?.permissions();
    if permissions.readonly() {
        return Err(refused("it is read-only".to_owned()));
    }
    if fs::read(&target).map_err(|e| refused(e.to_string()))? != read.as_bytes() {
        return Err(refused("it has changed since it was read".to_owned()));
    }
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.fix", std::process::id()));
    let beside = target.with_file_name(name);
    let written = fs::write(&beside, text)
        .and_then(|()| fs::set_permissions(&beside, permissions))
        .and_then(|()| fs::rename(&beside, &target));
    written.map_err(|error| {
        // The file itself is as it was.
        drop(fs::remove_file(&beside));
        refused(error.to_string())
    })
}
