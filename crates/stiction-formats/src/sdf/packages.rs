//! Packages of ROS by their names: for `package://NAME/…` and `$(find NAME)`.

use std::env;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::element;
use super::files;

/// How far up from a file the folder of a package is looked for: files lie some levels inside their package, and packages
/// side by side.
const LEVELS: usize = 8;

/// What to do about a package that is not found.
pub(crate) const HELP: &str = "give its folder with `--package NAME=DIR`, or set ROS_PACKAGE_PATH (folders of packages) or AMENT_PREFIX_PATH \
     (folders with share/NAME); packages above the file and beside it are found by themselves";

/// Where packages are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packages {
    /// Of the command line.
    given: Vec<(String, PathBuf)>,
    /// Folders of packages: `ROS_PACKAGE_PATH`, then `share` in each of `AMENT_PREFIX_PATH`.
    folders: Vec<PathBuf>,
}

impl Packages {
    pub(crate) fn new(given: &[(String, PathBuf)], use_environment: bool) -> Self {
        let mut folders = Vec::new();
        if use_environment {
            let of = |variable| env::split_paths(&env::var_os(variable).unwrap_or_default()).collect::<Vec<_>>();
            folders = of("ROS_PACKAGE_PATH");
            folders
                .extend(of("AMENT_PREFIX_PATH").iter().filter(|p| !p.as_os_str().is_empty()).map(|p| p.join("share")));
            folders.retain(|folder| !folder.as_os_str().is_empty());
        }
        Self { given: given.to_vec(), folders }
    }

    /// The folders that a package may be, for a file in `folder`; the best first.
    fn roots<'a>(&'a self, name: &'a str, folder: &Path) -> impl Iterator<Item = PathBuf> + use<'a> {
        let is_name = matches!(Path::new(name).components().collect::<Vec<_>>()[..], [Component::Normal(_)]);
        let here = fs::canonicalize(files::or_current(folder)).unwrap_or_default();
        // The root of the file system is no place for packages: everything would be one.
        let around: Vec<PathBuf> =
            here.ancestors().take(LEVELS).filter(|a| a.parent().is_some()).map(Path::to_owned).collect();
        let given = self.given.iter().filter(move |(own, _)| own == name).map(|(_, root)| root.clone());
        let bases = self.folders.iter().cloned().chain(around);
        let found = bases.flat_map(move |base| {
            let is_own = base.file_name().is_some_and(|n| n == name) || name_in(&base).is_some_and(|n| n == name);
            let inner = base.join(name);
            is_own.then_some(base).into_iter().chain([inner])
        });
        given.chain(found).filter(move |_| is_name).filter_map(|root| fs::canonicalize(root).ok())
    }

    /// The folder of a package, for a file in `folder`.
    pub(crate) fn find(&self, name: &str, folder: &Path) -> Option<PathBuf> {
        self.roots(name, folder).find(|root| root.is_dir())
    }

    /// `NAME/…` inside the folder of the package NAME.
    pub(crate) fn file(&self, rest: &str, folder: &Path) -> Option<PathBuf> {
        let (name, inner) = rest.split_once('/').unwrap_or((rest, ""));
        self.roots(name, folder).find_map(|root| {
            let file = fs::canonicalize(root.join(inner)).ok()?;
            file.starts_with(&root).then_some(file)
        })
    }

    /// The file is in a package that would be found by its name: `$(find NAME)` leaves such paths.
    pub(crate) fn hold(&self, file: &Path, folder: &Path) -> bool {
        file.ancestors().skip(1).take(LEVELS).any(|root| {
            let given = self.given.iter().any(|(_, own)| fs::canonicalize(own).is_ok_and(|own| own == root));
            given || name_in(root).is_some_and(|name| self.find(&name, folder).is_some_and(|found| found == root))
        })
    }
}

/// The name that the `package.xml` of a folder gives it, which need not be the folder's.
fn name_in(folder: &Path) -> Option<String> {
    let path = folder.join("package.xml");
    let text = path.is_file().then(|| files::read_text(&path).ok())??;
    let root = element::parse(&path, &text).ok()?.root;
    root.child("name").map(|name| name.text.clone())
}
