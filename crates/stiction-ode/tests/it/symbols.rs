//! What the library exports: all of ODE 0.16, the names of version 0.5, its own, and nothing else.

use crate::common;

use std::collections::BTreeSet;

/// Exported by ODE 0.16.2; names of version 0.5 and our own; what clients in a distribution import.
const ODE: &str = include_str!("../data/ode_exports.txt");
const OWN: &str = include_str!("../data/own_exports.txt");
const CLIENTS: &str = include_str!("../data/client_imports.txt");

fn exported() -> Option<BTreeSet<String>> {
    let names = common::our_library().and_then(|library| common::exports(&library));
    if names.is_none() {
        stiction_testing::skip(stiction_testing::Missing::Tool, "no libode.so or no nm");
    }
    Some(names?.into_iter().collect())
}

#[test]
fn exports_are_ode_and_ours() {
    let Some(exported) = exported() else { return };
    assert_eq!(ODE.lines().count(), 642);
    let expected: BTreeSet<String> = ODE.lines().chain(OWN.lines()).map(str::to_owned).collect();
    let missing: Vec<_> = expected.difference(&exported).collect();
    let surplus: Vec<_> = exported.difference(&expected).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "missing {missing:?}, surplus {surplus:?}");
    assert!(exported.iter().all(|name| name.starts_with('d')));
}

#[test]
fn what_clients_import_is_there() {
    let Some(exported) = exported() else { return };
    assert_eq!(CLIENTS.lines().count(), 288);
    let missing: Vec<_> = CLIENTS.lines().filter(|name| !exported.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Every exported function is declared and explained in the headers.
#[test]
fn every_export_is_declared() {
    let Some(exported) = exported() else { return };
    let table = std::fs::read_to_string(common::headers().join("functions.tsv")).expect("the table");
    let declared: BTreeSet<&str> = table
        .lines()
        .filter_map(|line| line.split('\t').nth(1)?.split('(').next()?.rsplit([' ', '*']).next())
        .collect();
    let missing: Vec<_> = exported.iter().filter(|name| !declared.contains(name.as_str())).collect();
    assert!(missing.is_empty() && declared.len() == exported.len(), "{missing:?}");
}
