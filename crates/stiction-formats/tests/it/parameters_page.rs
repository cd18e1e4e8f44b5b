//! `docs/parameters_by_engine.md` is made from the table of use.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use stiction_formats::usage::{Leaf, engines, leaves, of, proof};

/// First parts of contexts, and what stands over their tables.
const SECTIONS: [(&[&str], &str); 5] = [
    (&["world", "physics"], "The world and `<physics>`"),
    (&["model", "link", "inertial"], "Models and links (below `<model>`, `<link>`)"),
    (&["collision", "geometry", "surface"], "Collisions, shapes and surfaces (below `<collision>`)"),
    (&["joint"], "Joints (below `<joint>`)"),
    (&[""], "Of the engine (`--set`)"),
];

fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}

fn page() -> String {
    let mut text = String::from(
        "# Parameters by engine\n\n\
         Made from `crates/stiction-formats/src/usage/usage.tsv` and the tables of elements and parameters; `stiction explain FILE` says\n\
         the same of the parameters of a file, `stiction explain PARAMETER` of one. *used*: it has the effect that it is for. *mapped*: something\n\
         else is computed from it. *outside*: it acts, but not on the motion. *ignored*: it changes no bit of the motion, which\n\
         `crates/stiction-run/tests/it/use_by_engine/mod.rs` judges for every cell. Names behind a word are explained at the end.\n\
         Places in an element, that of a plane in the world and the like, are those of SDFormat.\n",
    );
    let names: Vec<&str> = engines().collect();
    let mut notes: BTreeMap<&str, &str> = BTreeMap::new();
    for (roots, title) in SECTIONS {
        write!(
            text,
            "\n## {title}\n\n| path | meaning | unit | default | range | two surfaces | equation | {} | test |\n|{}\n",
            names.join(" | "),
            "---|".repeat(8 + names.len())
        )
        .unwrap();
        let root = |leaf: &&Leaf| roots.contains(&leaf.context().split('/').next().unwrap());
        for leaf in leaves().iter().filter(root) {
            let cells = names.iter().map(|engine| {
                let usage = of(leaf, engine).unwrap();
                if usage.note.is_empty() {
                    return usage.how.word().to_owned();
                }
                notes.insert(usage.note, usage.text);
                format!("{}, {}", usage.how.word(), usage.note)
            });
            let cells: Vec<String> = cells.collect();
            writeln!(
                text,
                "| `{}` | {} | {} | {} | {} | {} | {} | {} | `{}` |",
                leaf.path(),
                escaped(leaf.meaning()),
                leaf.unit.replace('|', " or "),
                leaf.default,
                leaf.range(),
                escaped(leaf.combination()),
                escaped(leaf.equation()),
                cells.join(" | "),
                proof(leaf),
            )
            .unwrap();
        }
    }
    text += "\n## Notes\n\n| name | |\n|---|---|\n";
    for (name, note) in notes {
        writeln!(text, "| {name} | {} |", escaped(note)).unwrap();
    }
    text
}

#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/parameters_by_engine.md");
    let page = page();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), page, "run with UPDATE=1");
}

#[test]
fn every_parameter_is_on_the_page() {
    let page = page();
    let rows = page.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, leaves().len());
}
