//! Programs in C, built once and run with this library and with the stock one.

#![allow(dead_code, reason = "every test uses a part")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where distributions put the stock library.
const STOCK_DIRECTORIES: [&str; 5] =
    ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"];
const FILE: &str = "libode.so.8";

/// A program that was linked to `libode.so.8`.
pub struct Program {
    path: PathBuf,
    /// Holds this library under the name that the loader looks for.
    ours: PathBuf,
    /// Null where the program was linked to this library.
    stock: Option<PathBuf>,
}

/// Which library a program runs with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    Ours,
    Stock,
}

/// Says loudly that a program is not run.
fn skip<T>(name: &str, what: &str) -> Option<T> {
    eprintln!("SKIPPED: {name}: {what}");
    None
}

/// Runs the compiler; None where there is none or it lacks headers.
pub fn compile(name: &str, compiler: &mut Command) -> Option<()> {
    match compiler.output() {
        Err(_) => skip(name, "no compiler"),
        Ok(output) if !output.status.success() => {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            if text.contains("ode/ode.h: No such file") { skip(name, "no headers of libode") } else { panic!("{text}") }
        }
        Ok(_) => Some(()),
    }
}

/// The C compiler with the usual warnings.
fn cc() -> Command {
    let mut command = Command::new("cc");
    command.args(["-O1", "-Wall", "-Wextra", "-Wno-deprecated-declarations"]);
    command
}

/// A directory for a program, and in it one with this library.
fn directories(name: &str) -> Option<(PathBuf, PathBuf)> {
    let Some(library) = our_library() else { return skip(name, "this library was not built as libode.so") };
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let ours = directory.join("ours");
    std::fs::create_dir_all(&ours).expect("a directory for the program");
    let link = ours.join(FILE);
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(&library, &link).expect("a link to the library");
    Some((directory, ours))
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name).with_extension("c")
}

/// The headers of this library.
pub fn headers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("include")
}

impl Program {
    /// Builds `tests/c/NAME.c`. None, with a message, where there is no compiler, no stock library or no header of it.
    pub fn build(name: &str) -> Option<Self> {
        let (directory, ours) = directories(name)?;
        let Some(stock) = STOCK_DIRECTORIES.iter().map(PathBuf::from).find(|d| d.join(FILE).exists()) else {
            return skip(name, "no libode.so.8 installed");
        };
        let path = directory.join(name);
        let library = stock.join(FILE);
        compile(name, cc().arg("-o").args([&path, &source(name), &library]).arg("-lm"))?;
        Some(Self { path, ours, stock: Some(stock) })
    }

    /// Builds `tests/c/NAME.c` with the headers of this library, for it alone.
    pub fn build_with_our_headers(name: &str) -> Option<Self> {
        let directory_name = format!("{name}_own");
        let (directory, ours) = directories(&directory_name)?;
        let path = directory.join(name);
        let library = ours.join(FILE);
        compile(name, cc().arg("-I").arg(headers()).arg("-o").args([&path, &source(name), &library]).arg("-lm"))?;
        Some(Self { path, ours, stock: None })
    }

    /// What the program prints.
    pub fn run(&self, library: Library, arguments: &[&str]) -> String {
        let (text, succeeded) = self.try_run(library, arguments);
        assert!(succeeded, "{library:?} {arguments:?}: {text}");
        text
    }

    /// What the program prints, and whether it succeeded.
    pub fn try_run(&self, library: Library, arguments: &[&str]) -> (String, bool) {
        let directory = match (library, &self.stock) {
            (Library::Stock, Some(stock)) => stock,
            _ => &self.ours,
        };
        let output = Command::new(&self.path)
            .args(arguments)
            .env("LD_LIBRARY_PATH", directory)
            .output()
            .expect("the program starts");
        let error = String::from_utf8_lossy(&output.stderr);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (if output.status.success() { text } else { text + &error }, output.status.success())
    }
}

/// `libode.so` beside the test: in the profile's directory or among its dependencies.
pub fn our_library() -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let dependencies = test.parent()?;
    [dependencies.parent()?, dependencies].map(|d| d.join("libode.so")).into_iter().find(|p| p.exists())
}

/// Names that a library exports, sorted; None where there is no nm.
pub fn exports(library: &Path) -> Option<Vec<String>> {
    let output = Command::new("nm").args(["-D", "--defined-only"]).arg(library).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut names: Vec<String> = text.lines().filter_map(|line| line.split(' ').nth(2)).map(str::to_owned).collect();
    names.sort_unstable();
    Some(names)
}
