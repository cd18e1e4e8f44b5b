//! `docs/materials.md` is made from the tables of keys: `UPDATE=1 cargo test -p stiction-formats --test it materials_page`.

use std::fmt::Write;
use std::path::Path;

use stiction_formats::materials::{
    CONTACT_KEYS, ContactMaterial, Defaults, Key, MATERIAL_KEYS, Material, SIMULATOR_KEYS, WORD_KEYS, WordKey,
};

/// Where the tests of keys stand.
const TESTS: &str = "crates/stiction-run/tests/it/material_keys";

const INTRODUCTION: &str = "# Materials

Made from the tables of keys in `crates/stiction-formats/src/materials/keys.rs`.

A material table (YAML, `--materials FILE`, or named by a project of Choreonoid) lists materials and *contact materials*, the laws of
pairs. A pair that is not listed is derived from its two materials by the equations below; a listed pair replaces all of them, and
what it leaves out has the defaults of contact materials. Where a world names materials and no table, a bundled one holds.
What names no material has `Default`; a table that does not list it has it with the defaults below. A name that no table has stands for
AGX's own default (roughness 0.41667, viscosity 0.5), with a warning. An oriented friction model whose reference link does not exist has
no direction, with a warning.

- Choreonoid: `material` of a link; `material: useLinkInfo` for the link's own values.
- SDFormat: `<stiction:material>` in a collision or a link, or the attribute `stiction:material`.
- URDF: `<stiction:material>` in `<gazebo reference=\"link\">`. Gazebo's own `<material>` there names a script of colours: it counts
  only if the table of `--materials` has a material of that name.
- `stiction check` and `stiction list` print every material and every pair that may meet, each value with its origin.
- `--set material.NAME.KEY=VALUE` and `--set contact_material.NAME,NAME.KEY=VALUE` take every key below; `*` for NAME is every material.

Two spellings of a key are one; of both in one place that with underscores counts. A viscosity that a file leaves out is 1, so that
nothing bounces, as in Choreonoid's code; with `--material-defaults seed` it is 0, as its manual printed. `check` says where a
restitution rests on it.
";

/// A number as files write it.
fn shown(x: f64) -> String {
    if x == 0.0 || (1e-3..1e5).contains(&x.abs()) { x.to_string() } else { format!("{x:e}") }
}

fn test(proof: &str) -> String {
    if proof.is_empty() { "–".to_owned() } else { format!("`{proof}`") }
}

fn names(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn numbers<T>(text: &mut String, title: &str, keys: &[Key<T>], default: &T) {
    let _ = write!(
        text,
        "\n## {title}\n\n| key | unit | default | range | meaning | equation | when it grows | test |\n|---|---|---|---|---|---|---|---|\n"
    );
    for key in keys {
        let value = (key.get)(default);
        let value = if value < 0.0 { "none".to_owned() } else { shown(value) };
        let _ = writeln!(
            text,
            "| {} | {} | {value} | {} | {} | {} | {} | {} |",
            names(key.names),
            key.unit,
            key.range.words(),
            key.meaning,
            key.equation,
            key.effect,
            test(key.proof)
        );
    }
}

fn words(text: &mut String, title: &str, keys: &[WordKey]) {
    let _ = write!(
        text,
        "\n## {title}\n\n| key | values | default | meaning | when it changes | test |\n|---|---|---|---|---|---|\n"
    );
    for key in keys {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            names(key.names),
            key.values,
            key.default,
            key.meaning,
            key.effect,
            test(key.proof)
        );
    }
}

fn page() -> String {
    let mut text = INTRODUCTION.to_owned();
    let _ = write!(text, "\nThe tests are functions of `{TESTS}`; – where the engine has no such part yet.\n");
    numbers(&mut text, "Materials", MATERIAL_KEYS, &Material::new("", Defaults::Choreonoid));
    numbers(&mut text, "Contact materials", CONTACT_KEYS, &ContactMaterial::default());
    words(&mut text, "Contact materials: words", &WORD_KEYS);
    words(&mut text, "Simulator item of a project", &SIMULATOR_KEYS);
    text
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn the_page_is_up_to_date() {
    let path = root().join("docs/materials.md");
    let page = page();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page).expect("a page");
    }
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), page, "run with UPDATE=1");
}

#[test]
fn every_test_that_the_page_names_exists() {
    let files = std::fs::read_dir(root().join(TESTS)).expect("tests");
    let text: String =
        files.map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("a test")).collect();
    let proofs = MATERIAL_KEYS
        .iter()
        .map(|key| key.proof)
        .chain(CONTACT_KEYS.iter().map(|key| key.proof))
        .chain(WORD_KEYS.iter().chain(&SIMULATOR_KEYS).map(|key| key.proof));
    for proof in proofs.filter(|proof| !proof.is_empty()) {
        assert!(text.contains(&format!("#[test]\nfn {proof}()")), "{proof}");
    }
}
