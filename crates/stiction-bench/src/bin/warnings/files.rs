//! The files: those of the reference, the bundled worlds, and the robots of the Python package `example-robot-data`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A file and its name in the list.
pub struct File {
    /// Where it is.
    pub path: PathBuf,
    /// Its path below the folder that it came from, with that folder's name.
    pub name: String,
}

/// Folders of the reference with worlds and robots.
const FOLDERS: [&str; 4] = ["worlds", "models", "choreonoid", "reports"];
/// Endings of files that the command reads as a world or a robot.
const ENDINGS: [&str; 5] = ["world", "sdf", "urdf", "body", "cnoid"];

/// All files, in the order of their names. Those that are not on this machine are said on standard error.
pub fn all(shared: &Path, robots: Option<&Path>) -> std::io::Result<Vec<File>> {
    let mut found = Vec::new();
    let of_reference = FOLDERS.iter().map(|folder| (*folder, shared.join(folder)));
    let others = [("bundled", Some(Path::new("worlds"))), ("robots", robots)];
    let others = others.into_iter().filter_map(|(name, folder)| Some((name, folder?.to_owned())));
    for (name, folder) in of_reference.chain(others) {
        if folder.is_dir() {
            collect(&folder, name, &mut found)?;
        } else {
            eprintln!("!!! left out: {} is not there", folder.display());
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

fn collect(folder: &Path, name: &str, found: &mut Vec<File>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = format!("{name}/{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            collect(&path, &name, found)?;
        } else if path.extension().is_some_and(|e| ENDINGS.iter().any(|ending| e == *ending)) {
            found.push(File { path, name });
        }
    }
    Ok(())
}

/// Folder of the robots; `None`, with a word on standard error, where they cannot be installed.
pub fn robots() -> Option<PathBuf> {
    // The package is data only; the folder of its kind of packages has a module to import.
    let python = stiction_testing::python_with(&[("example-robot-data", "cmeel")])?;
    let program = "import sysconfig; print(sysconfig.get_paths()['purelib'])";
    let output = Command::new(python).args(["-c", program]).output().ok()?;
    let packages = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    let folder = packages.join("cmeel.prefix/share/example-robot-data/robots");
    folder.is_dir().then_some(folder)
}
