//! Programs in C, built once and run with this library and with the stock one.

#![allow(dead_code, reason = "each test program uses a part of this module")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Where distributions put the stock library.
const STOCK_DIRECTORIES: [&str; 5] =
    ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"];
const FILE: &str = "libode.so.8";

/// A program that was linked to `libode.so.8`.
pub struct Program {
    path: PathBuf,
    /// Holds this library under the name that the loader looks for.
    ours: PathBuf,
    stock: PathBuf,
}

/// Which library a program runs with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    Ours,
    Stock,
}

impl Program {
    /// Builds `tests/c/NAME.c`. None, with a message, where there is no compiler, no stock library or no header of it.
    pub fn build(name: &str) -> Option<Self> {
        let skip = |what: &str| {
            eprintln!("SKIPPED: {name}.c is not compared with the stock library: {what}");
            None
        };
        let Some(library) = our_library() else { return skip("this library was not built as libode.so") };
        let Some(stock) = STOCK_DIRECTORIES.iter().map(PathBuf::from).find(|d| d.join(FILE).exists()) else {
            return skip("no libode.so.8 installed");
        };
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let ours = directory.join("ours");
        std::fs::create_dir_all(&ours).expect("a directory for the program");
        let link = ours.join(FILE);
        if std::fs::read_link(&link).ok().as_ref() != Some(&library) {
            let _ = std::fs::remove_file(&link);
            // Another test may have made it meanwhile.
            let _ = std::os::unix::fs::symlink(&library, &link);
        }
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name).with_extension("c");
        let path = directory.join(name);
        // Each test builds for itself and puts the result in place at once: another may be running it.
        static BUILDS: AtomicUsize = AtomicUsize::new(0);
        let fresh = directory.join(format!("{}-{}", std::process::id(), BUILDS.fetch_add(1, Ordering::Relaxed)));
        let built = Command::new("cc")
            .args(["-O1", "-Wall", "-Wextra", "-Wno-deprecated-declarations", "-o"])
            .args([&fresh, &source, &stock.join(FILE)])
            .arg("-lm")
            .output();
        match built {
            Err(_) => skip("no cc"),
            Ok(output) if !output.status.success() => {
                let text = String::from_utf8_lossy(&output.stderr).into_owned();
                if text.contains("ode/ode.h") { skip("no headers of libode") } else { panic!("{text}") }
            }
            Ok(_) => {
                std::fs::rename(&fresh, &path).expect("the program's place");
                Some(Self { path, ours, stock })
            }
        }
    }

    /// A program of other tools: `command` builds it at the path it is given. None, with a message, where that fails.
    pub fn of(name: &str, command: impl FnOnce(&Path) -> Command) -> Option<Self> {
        let program = Self::beside(name)?;
        let built = command(&program.path).output();
        if built.as_ref().is_ok_and(|output| output.status.success()) {
            return Some(program);
        }
        eprintln!("SKIPPED: {name} is not run with both libraries: {built:?}");
        None
    }

    /// The places of a program, which is not built yet.
    fn beside(name: &str) -> Option<Self> {
        let (Some(library), Some(stock)) =
            (our_library(), STOCK_DIRECTORIES.iter().map(PathBuf::from).find(|d| d.join(FILE).exists()))
        else {
            eprintln!("SKIPPED: {name} is not run with both libraries: one of them is not there");
            return None;
        };
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let ours = directory.join("ours");
        std::fs::create_dir_all(&ours).expect("a directory for the program");
        let link = ours.join(FILE);
        let _ = std::fs::remove_file(&link);
        let _ = std::os::unix::fs::symlink(&library, &link);
        Some(Self { path: directory.join(name), ours, stock })
    }

    /// What the program prints.
    pub fn run(&self, library: Library, arguments: &[&str]) -> String {
        let directory = if library == Library::Ours { &self.ours } else { &self.stock };
        let output = Command::new(&self.path)
            .args(arguments)
            .env("LD_LIBRARY_PATH", directory)
            .output()
            .expect("the program starts");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{library:?} {arguments:?}: {} {error}", output.status);
        String::from_utf8(output.stdout).expect("text")
    }
}

/// `libode.so` beside the test: among its dependencies or, from another command, in the profile's directory; the newer one.
fn our_library() -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let dependencies = test.parent()?;
    let candidates = [dependencies, dependencies.parent()?].map(|d| d.join("libode.so"));
    candidates.into_iter().filter_map(|p| Some((p.metadata().ok()?.modified().ok()?, p))).max().map(|(_, p)| p)
}
