//! The table of use is whole: a row for every parameter, each with a meaning and a test that exists.

use std::collections::BTreeSet;
use std::path::Path;

use super::table::TABLE;
use super::{How, engines, leaves, of, proof};

#[test]
fn every_parameter_has_a_row_for_every_engine_and_every_row_a_parameter() {
    assert!(TABLE.faults.is_empty(), "{:#?}", TABLE.faults);
    let known: BTreeSet<&str> = leaves().iter().map(|leaf| leaf.key.as_str()).collect();
    assert_eq!(known.len(), leaves().len());
    for (key, _) in TABLE.keys() {
        assert!(known.contains(key), "no parameter `{key}`");
    }
    for engine in engines() {
        for leaf in leaves() {
            assert!(of(leaf, engine).is_some(), "{}: nothing is said of {engine}", leaf.key);
        }
    }
}

#[test]
fn whatever_is_not_simply_used_says_why() {
    for leaf in leaves() {
        for engine in engines() {
            let usage = of(leaf, engine).unwrap();
            assert!(
                usage.how == How::Used || !usage.text.is_empty(),
                "{} under {engine}: {}",
                leaf.key,
                usage.how.word()
            );
        }
        assert!(!leaf.meaning().is_empty(), "{} means nothing", leaf.key);
        assert!(!leaf.range().is_empty(), "{} has no range", leaf.key);
    }
}

#[test]
fn proofs_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for leaf in leaves() {
        assert!(root.join(proof(leaf)).is_file(), "{}: {}", leaf.key, proof(leaf));
    }
}

#[test]
fn surfaces_have_a_rule_and_numbers_of_the_engines_an_equation() {
    for key in TABLE.formulas() {
        let leaf = super::find(key).unwrap_or_else(|| panic!("no parameter `{key}`"));
        assert!(leaf.parameter.is_none_or(|p| p.equation.is_empty() || p.combination.is_empty()), "{key}: said twice");
    }
    let acts = |leaf: &super::Leaf| engines().any(|e| matches!(of(leaf, e).unwrap().how, How::Used | How::Mapped));
    for leaf in leaves().iter().filter(|leaf| acts(leaf) && leaf.context().starts_with("surface")) {
        assert!(!leaf.combination().is_empty(), "{}: no rule of two surfaces", leaf.key);
    }
    let of_block =
        ["surface/contact/bullet", "joint/axis/mimic", "physics/bullet/constraints", "physics/simbody/contact"];
    for leaf in leaves().iter().filter(|leaf| acts(leaf) && of_block.contains(&leaf.context())) {
        let is_plain = leaf.kind == super::LeafKind::Switch
            || leaf.name().contains("friction")
            || leaf.name().contains("velocity");
        assert!(is_plain || !leaf.equation().is_empty(), "{}: no equation", leaf.key);
    }
}
