//! Programs in C, built once and run with this library and with the stock one.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use stiction_testing::Missing;

/// Where distributions put the stock library.
const STOCK_DIRECTORIES: [&str; 5] =
    ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"];
const FILE: &str = "libode.so.8";

/// A program that was linked to `libode.so.8`.
pub struct Program {
    path: PathBuf,
    /// Holds this library under the name that the loader looks for.
    ours: PathBuf,
    /// None where the program was built for this library alone.
    stock: Option<PathBuf>,
}

/// Which library a program runs with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    Ours,
    Stock,
}

/// Notes that something is not tested.
fn skip<T>(missing: Missing, name: &str, what: &str) -> Option<T> {
    stiction_testing::skip(missing, format_args!("{name}: {what}"));
    None
}

/// The C compiler with the usual warnings.
pub fn cc() -> Command {
    let mut command = Command::new("cc");
    command.args(["-O1", "-Wall", "-Wextra", "-Wno-deprecated-declarations"]);
    command
}

/// Runs a compiler. None, with a message, where it or the stock headers are missing; its errors fail the test.
pub fn compile(name: &str, compiler: &mut Command) -> Option<()> {
    match compiler.output() {
        Err(_) => skip(Missing::Tool, name, "no compiler"),
        Ok(output) if !output.status.success() => {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            if text.contains("ode/ode.h: No such file") {
                skip(Missing::Peer, name, "no headers of libode")
            } else {
                panic!("{text}")
            }
        }
        Ok(_) => Some(()),
    }
}

/// Builds a program beside its place and puts it there at once: another test may be running it.
fn build_at(path: &Path, name: &str, compiler: &mut Command, last: &Path) -> Option<()> {
    static BUILDS: AtomicUsize = AtomicUsize::new(0);
    let fresh = path.with_extension(format!("{}-{}", std::process::id(), BUILDS.fetch_add(1, Ordering::Relaxed)));
    compile(name, compiler.args([&source(name)]).args(["-x", "none", "-o"]).arg(&fresh).arg(last).arg("-lm"))?;
    std::fs::rename(&fresh, path).expect("the program's place");
    Some(())
}

/// A directory for a program, and in it one with this library.
fn directories(name: &str) -> Option<(PathBuf, PathBuf)> {
    let Some(library) = our_library() else {
        return skip(Missing::Tool, name, "this library was not built as libode.so");
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
    Some((directory, ours))
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name).with_extension("c")
}

/// The headers of this library.
pub fn headers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("include")
}

fn stock_directory(name: &str) -> Option<PathBuf> {
    let found = STOCK_DIRECTORIES.iter().map(PathBuf::from).find(|d| d.join(FILE).exists());
    found.or_else(|| skip(Missing::Peer, name, "no libode.so.8 installed"))
}

impl Program {
    /// Builds `tests/c/NAME.c`. None, with a message, where there is no compiler, no stock library or no header of it.
    pub fn build(name: &str) -> Option<Self> {
        let (directory, ours) = directories(name)?;
        let stock = stock_directory(name)?;
        let path = directory.join(name);
        build_at(&path, name, &mut cc(), &stock.join(FILE))?;
        Some(Self { path, ours, stock: Some(stock) })
    }

    /// Builds `tests/c/NAME.c` as C++. None, with a message, as for [`Self::build`].
    pub fn build_as_cpp(name: &str) -> Option<Self> {
        let (directory, ours) = directories(&format!("{name}_cpp"))?;
        let stock = stock_directory(name)?;
        let path = directory.join(name);
        let mut compiler = Command::new("c++");
        compiler.args(["-O1", "-Wall", "-Wextra", "-Wno-deprecated-declarations", "-x", "c++"]);
        build_at(&path, name, &mut compiler, &stock.join(FILE))?;
        Some(Self { path, ours, stock: Some(stock) })
    }

    /// Builds `tests/c/NAME.c` with the headers of this library, for it alone.
    pub fn build_with_our_headers(name: &str) -> Option<Self> {
        let (directory, ours) = directories(&format!("{name}_own"))?;
        let path = directory.join(name);
        build_at(&path, name, cc().arg("-I").arg(headers()), &ours.join(FILE))?;
        Some(Self { path, ours, stock: None })
    }

    /// A program of other tools: `command` builds it at the path it is given. None, with a message, where that fails.
    pub fn of(name: &str, command: impl FnOnce(&Path) -> Command) -> Option<Self> {
        let (directory, ours) = directories(name)?;
        let program = Self { path: directory.join(name), ours, stock: Some(stock_directory(name)?) };
        let built = command(&program.path).output();
        if built.as_ref().is_ok_and(|output| output.status.success()) {
            return Some(program);
        }
        let error = built.map_or_else(|e| e.to_string(), |output| String::from_utf8_lossy(&output.stderr).into_owned());
        skip(Missing::Client, name, &format!("it does not build: {}", error.lines().next().unwrap_or_default()))
    }

    /// What the program prints.
    pub fn run(&self, library: Library, arguments: &[&str]) -> String {
        self.run_with(library, arguments, &[])
    }

    /// What the program prints with variables in its environment.
    pub fn run_with(&self, library: Library, arguments: &[&str], variables: &[(&str, &str)]) -> String {
        let (text, succeeded) = self.output(library, arguments, variables);
        assert!(succeeded, "{library:?} {arguments:?}: {text}");
        text
    }

    /// What the program prints, with its errors if it failed, and whether it succeeded.
    pub fn try_run(&self, library: Library, arguments: &[&str]) -> (String, bool) {
        self.output(library, arguments, &[])
    }

    fn output(&self, library: Library, arguments: &[&str], variables: &[(&str, &str)]) -> (String, bool) {
        let directory = match (library, &self.stock) {
            (Library::Stock, Some(stock)) => stock,
            _ => &self.ours,
        };
        let output = self.start(directory, arguments, variables);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let error = String::from_utf8_lossy(&output.stderr);
        (
            if output.status.success() { text } else { format!("{text}{error}{}", output.status) },
            output.status.success(),
        )
    }

    /// What the program prints to its standard error with our library.
    pub fn errors(&self, arguments: &[&str], variables: &[(&str, &str)]) -> String {
        String::from_utf8_lossy(&self.start(&self.ours, arguments, variables).stderr).into_owned()
    }

    fn start(&self, library: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        let mut command = Command::new(&self.path);
        command.args(arguments).envs(variables.iter().copied()).env("LD_LIBRARY_PATH", library);
        command.output().expect("the program starts")
    }
}

/// `libode.so` beside the test: among its dependencies or, from another command, in the profile's directory; the newer one.
pub fn our_library() -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let dependencies = test.parent()?;
    let candidates = [dependencies, dependencies.parent()?].map(|d| d.join("libode.so"));
    candidates.into_iter().filter_map(|p| Some((p.metadata().ok()?.modified().ok()?, p))).max().map(|(_, p)| p)
}

/// Names that a library exports, sorted; None where there is no nm.
pub fn exports(library: &Path) -> Option<Vec<String>> {
    let output = Command::new("nm").args(["-D", "--defined-only"]).arg(library).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut names: Vec<String> = text.lines().filter_map(|line| line.split(' ').nth(2)).map(str::to_owned).collect();
    names.sort_unstable();
    Some(names)
}
