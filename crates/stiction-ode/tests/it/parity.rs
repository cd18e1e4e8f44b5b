//! Every exported function does what it is for: programs in C assert an effect of each, and a table says which.
//!
//! `UPDATE=1 cargo test -p stiction-ode --test it parity` rewrites `docs/ode_parity.md`.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use common::{Library, Program};

const PROGRAMS: [&str; 8] = ["world", "body", "joints", "collision", "mesh", "math", "services", "extra"];
/// Functions without an effect that a program could see: there is nothing to cache, and the worlds of a test are small.
const WITHOUT_EFFECT: [&str; 1] = ["dGeomTriMeshClearTCCache"];
const ODE: &str = include_str!("../data/ode_exports.txt");

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
        "# ODE's functions\n\nMade by `UPDATE=1 cargo test -p stiction-ode --test it parity`. The test of a function \
        is the first assertion in `crates/stiction-ode/tests/c` that names it; that its program fails when the function \
        only returns zero is tested too, by a library in which it is overwritten (every thirteenth in each run, all with `PARITY=all`; clearing a cache has no effect to see).\n\n\
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
    assert!(written == table, "docs/ode_parity.md is stale: UPDATE=1 cargo test -p stiction-ode --test it parity");
}

/// A library in which one function only returns zero makes the program fail that asserts the function's effect.
/// `PARITY=all` tries every function, `PARITY='dDot dStep'` those; else every thirteenth is tried.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn emptied_functions_are_noticed() {
    let Some(places) = asserted() else { return };
    let Some(library) = common::our_library() else { return };
    let image = std::fs::read(&library).expect("the library");
    let addresses = emptied::addresses(&library);
    let asked = std::env::var("PARITY").unwrap_or_default();
    let stride = if asked.is_empty() { 13 } else { 1 };
    let mut unnoticed = Vec::new();
    for (function, place) in places.iter().step_by(stride) {
        if asked.starts_with('d') && !asked.split(' ').any(|name| name == function) {
            continue;
        }
        let Some(&address) = addresses.get(function) else { continue };
        let program = place.split(".c:").next().expect("a program");
        let copy = emptied::without(&image, address);
        if !emptied::fails(program, &copy) && !WITHOUT_EFFECT.contains(&function.as_str()) {
            unnoticed.push(function);
        }
    }
    assert!(unnoticed.is_empty(), "nothing fails without {unnoticed:?}");
}

/// Functions overwritten in a copy of the library.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod emptied {
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    /// `xor eax, eax; xorps xmm0, xmm0; ret`.
    const RETURN_ZERO: [u8; 6] = [0x31, 0xc0, 0x0f, 0x57, 0xc0, 0xc3];
    /// A program that waits for what never comes fails too.
    const PATIENCE: Duration = Duration::from_secs(6);

    /// Where the exported functions are in memory.
    pub fn addresses(library: &Path) -> BTreeMap<String, u64> {
        let Ok(output) = Command::new("nm").args(["-D", "--defined-only"]).arg(library).output() else {
            return BTreeMap::new();
        };
        let parse = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            Some(((*words.get(2)?).to_owned(), u64::from_str_radix(words.first()?, 16).ok()?))
        };
        String::from_utf8_lossy(&output.stdout).lines().filter_map(parse).collect()
    }

    fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
        bytes[at..at + size].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
    }

    /// The library with another beginning of the function at an address: its place in the file is told by the segments
    /// (ELF-64 program headers: type, offset, address, size in the file).
    pub fn without(image: &[u8], address: u64) -> Vec<u8> {
        let (table, size, count) = (number(image, 32, 8), number(image, 54, 2), number(image, 56, 2));
        let mut copy = image.to_vec();
        for index in 0..count {
            let header = (table + index * size) as usize;
            let (offset, start) = (number(image, header + 8, 8), number(image, header + 16, 8));
            let length = number(image, header + 32, 8);
            if number(image, header, 4) == 1 && (start..start + length).contains(&address) {
                let at = (address - start + offset) as usize;
                copy[at..at + RETURN_ZERO.len()].copy_from_slice(&RETURN_ZERO);
            }
        }
        copy
    }

    /// Whether a parity program fails with this library.
    pub fn fails(program: &str, library: &[u8]) -> bool {
        let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{program}_own"));
        let directory = built.join("emptied");
        std::fs::create_dir_all(&directory).expect("a directory");
        std::fs::write(directory.join("libode.so.8"), library).expect("a copy of the library");
        let mut child = Command::new(built.join(program))
            .env("LD_LIBRARY_PATH", &directory)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let end = Instant::now() + PATIENCE;
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return !status.success(),
                Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(2)),
                _ => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return true;
                }
            }
        }
    }
}
