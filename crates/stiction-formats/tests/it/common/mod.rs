//! What the tests of this crate share.

pub mod pictures;
pub mod solids;

use std::fs;
use std::path::{Path, PathBuf};

use stiction_formats::{FileRequest, LoadOptions, Loaded, Override, load, one_line};

pub fn shared() -> Option<PathBuf> {
    stiction_testing::shared("")
}

pub fn request(path: &Path) -> FileRequest {
    FileRequest { path: path.to_owned(), name: None, pose: None }
}

pub fn load_file(path: &Path, model_path: &[PathBuf]) -> Loaded {
    load(&[request(path)], &LoadOptions { model_path: model_path.to_vec(), no_ground: true, ..LoadOptions::default() })
}

/// Loads a text as `world.sdf` in a folder of its own.
pub fn load_text(text: &str, options: &LoadOptions) -> Loaded {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("world.sdf");
    fs::write(&path, text).expect("the folder is writable");
    load(&[request(&path)], options)
}

pub fn load_good(text: &str) -> stiction_formats::description::WorldDescription {
    let loaded = load_text(text, &LoadOptions { no_ground: true, ..LoadOptions::default() });
    let found: Vec<String> = loaded.diagnostics.iter().map(one_line).collect();
    assert_eq!(loaded.errors(), 0, "{found:#?}");
    loaded.world.expect("a world without errors")
}

pub fn set(path: &str, value: &str) -> Override {
    Override { path: path.into(), value: value.into() }
}

/// Every file below a folder, sorted.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).expect("a readable folder").flatten() {
            let path = entry.path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}
