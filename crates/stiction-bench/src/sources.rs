//! Where the scenes come from: the shared ones beside the repository, or our own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use stiction_scenes::{Scene, builtin, write};

/// Scenes of the comparison.
pub const NAMES: [&str; 5] = ["pyramid_240", "pile512", "boxes1000", "chain100", "ragdolls10"];

/// Files `NAME.scene` and the script of the judge, if there is one.
pub struct Sources {
    /// Folder of the scenes.
    pub folder: PathBuf,
    /// The judge.
    pub judge: Option<PathBuf>,
}

/// Writes the scenes to a folder.
///
/// # Errors
/// The folder cannot be written.
pub fn prepare(target: &Path) -> io::Result<Sources> {
    let folder = target.join("scenes");
    fs::create_dir_all(&folder)?;
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let script = shared.join("scenes.py");
    let is_written =
        script.is_file() && Command::new(python).arg(&script).arg(&folder).output().is_ok_and(|o| o.status.success());
    if !is_written {
        eprintln!("!!! no shared scenes (../shared/bench/scenes.py): our own take their place");
        for (name, scene) in NAMES.iter().zip(ours()) {
            let scene = Scene { name: (*name).to_owned(), ..scene };
            fs::write(folder.join(format!("{name}.scene")), write(&scene))?;
        }
    }
    let judge = Some(shared.join("quality.py")).filter(|path| path.is_file());
    Ok(Sources { folder, judge })
}

fn ours() -> [Scene; 5] {
    let step = 1.0 / 240.0;
    [
        builtin::pyramid(20, step, 1200),
        builtin::pile(8, step, 960),
        builtin::boxes(1000, step, 480),
        builtin::chain(100, step, 960),
        builtin::ragdolls(10, step, 960),
    ]
}
