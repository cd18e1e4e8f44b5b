//! `$(find NAME)` of macro files where ROS is not installed: `xacro` asks its module `ament_index_python`, and one that answers with
//! known folders takes its place.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The module. A package that it does not know it writes down in `asked`; `found` has NAME=DIR in each line.
const MODULE: &str = "\
import pathlib
_HERE = pathlib.Path(__file__).parent
class PackageNotFoundError(KeyError):
    pass
def get_package_share_directory(name):
    lines = (_HERE / 'found').read_text(encoding='utf-8').splitlines()
    found = dict(line.split('=', 1) for line in lines)
    if name not in found:
        (_HERE / 'asked').write_text(name, encoding='utf-8')
        raise PackageNotFoundError(f'package {name} is not found')
    return found[name]
";

/// A folder for the module, gone with the value.
pub(super) struct Answers {
    folder: PathBuf,
    found: BTreeMap<String, PathBuf>,
}

impl Answers {
    pub(super) fn new() -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("stiction-xacro-{}-{number}", std::process::id()));
        // A folder that is there already belongs to somebody else.
        fs::create_dir(&folder)?;
        let made = Self { folder, found: BTreeMap::new() };
        fs::create_dir(made.module())?;
        fs::write(made.module().join("__init__.py"), "")?;
        fs::write(made.module().join("packages.py"), MODULE)?;
        made.write()?;
        Ok(made)
    }

    fn module(&self) -> PathBuf {
        self.folder.join("ament_index_python")
    }

    fn write(&self) -> io::Result<()> {
        let lines: String = self.found.iter().map(|(name, root)| format!("{name}={}\n", root.display())).collect();
        fs::write(self.module().join("found"), lines)
    }

    /// Has a program ask here.
    pub(super) fn serve(&self, command: &mut Command) {
        let others = std::env::var_os("PYTHONPATH").unwrap_or_default();
        let paths = std::iter::once(self.folder.clone()).chain(std::env::split_paths(&others));
        if let Ok(paths) = std::env::join_paths(paths) {
            command.env("PYTHONPATH", paths).env("PYTHONDONTWRITEBYTECODE", "1");
        }
    }

    /// No package is known.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The package that was asked for and is not known.
    pub(super) fn asked(&self) -> Option<String> {
        let path = self.module().join("asked");
        let name = fs::read_to_string(&path).ok()?;
        fs::remove_file(path).ok()?;
        Some(name)
    }

    /// Makes a package known.
    pub(super) fn add(&mut self, name: String, root: &Path) -> io::Result<()> {
        self.found.insert(name, root.to_owned());
        self.write()
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        // A folder that cannot be removed does no harm among temporary files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
