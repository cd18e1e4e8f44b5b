//! Real worlds load for a run, without any switch.
#![allow(missing_docs)]

mod common;

use common::{files_below, load_file, shared};
use stiction_formats::one_line;

/// Worlds that do not load, and why.
const EXCEPTIONS: [(&str, &str); 0] = [];

#[test]
fn every_shared_world_loads() {
    let Some(shared) = shared("every_shared_world_loads") else { return };
    let mut failures = Vec::new();
    for folder in ["gazebo-classic", "gz-sim", "benchmark"] {
        for path in files_below(&shared.join("worlds").join(folder)) {
            let name = path.strip_prefix(&shared).expect("below").display().to_string();
            if !matches!(path.extension().and_then(|e| e.to_str()), Some("sdf" | "world")) {
                continue;
            }
            let loaded = load_file(&path, &[shared.join("models")]);
            let blocking: Vec<String> = loaded.diagnostics.iter().filter(|d| d.blocks_run).map(one_line).collect();
            let is_exception = EXCEPTIONS.iter().any(|(n, _)| name.ends_with(n));
            if loaded.world.is_none() != is_exception {
                failures.push(format!("{name}: {blocking:#?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
