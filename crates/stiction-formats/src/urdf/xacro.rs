//! Macro files (xacro), expanded by the user's own `xacro` program: what a macro means is for that program to say.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::diagnostic::Diagnostic;
use crate::sdf::element::Element;
use crate::sdf::packages::{self, Packages};

use super::find::Answers;

/// The program, looked for on `PATH`.
const PROGRAM: &str = "xacro";
/// How long it may take.
const LIMIT: Duration = Duration::from_secs(60);
/// Longest text that it may write.
const MOST_BYTES: u64 = 64 << 20;
/// Packages that a file may find.
const MOST_PACKAGES: usize = 100;
/// Characters of its error that are shown.
const MOST_SHOWN: usize = 1500;

/// A file that says so by its name.
pub(crate) fn is_named_so(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xacro"))
}

/// Macros or expressions are left in it. Many a file that was expanded still declares the namespace, and keeps what was
/// macros in comments and in texts of plugins.
pub(crate) fn is_macro_file(robot: &Element) -> bool {
    fn has_macro(element: &Element) -> bool {
        element.name.starts_with("xacro.") || element.children.iter().any(has_macro)
    }
    fn has_expression(element: &Element) -> bool {
        let is_one = |value: &str| value.contains("${") || value.contains("$(arg ");
        element.attributes.iter().any(|a| is_one(&a.value)) || element.children.iter().any(has_expression)
    }
    let parts = || robot.children.iter().filter(|part| matches!(&*part.name, "link" | "joint" | "material"));
    let declares = robot.attributes.iter().any(|a| a.name == "xmlns.xacro");
    robot.name == "robot" && (has_macro(robot) || (declares && parts().any(has_expression)))
}

/// Where findings of the expanded text are placed: beside the file, so that relative paths of meshes hold.
pub(crate) fn expanded_path(path: &Path) -> PathBuf {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!("{name} (expanded)"))
}

/// The text of a file with its macros expanded; `arguments` are `NAME:=VALUE`.
pub(crate) fn expand(path: &Path, arguments: &[String], packages: &Packages) -> Result<String, Box<Diagnostic>> {
    expand_by(Path::new(PROGRAM), path, arguments, LIMIT, None)
        .or_else(|refused| with_packages(path, arguments, packages, refused))
}

/// The same where it is `$(find NAME)` that the program refuses; what it said first, if it is not.
fn with_packages(
    path: &Path,
    arguments: &[String],
    packages: &Packages,
    refused: Box<Diagnostic>,
) -> Result<String, Box<Diagnostic>> {
    let Ok(mut answers) = Answers::new() else { return Err(refused) };
    let folder = path.parent().unwrap_or(Path::new(""));
    for _ in 0..MOST_PACKAGES {
        let expanded = expand_by(Path::new(PROGRAM), path, arguments, LIMIT, Some(&answers));
        let Some(name) = answers.asked().filter(|_| expanded.is_err()) else {
            return if answers.is_empty() && expanded.is_err() { Err(refused) } else { expanded };
        };
        let Some(root) = packages.find(&name, folder) else {
            let message = format!("`xacro` cannot expand {}: there is no package `{name}`", path.display());
            return Err(Diagnostic::error("xacro", message).help(packages::HELP.replace("NAME", &name)).into());
        };
        if answers.add(name, &root).is_err() {
            break;
        }
    }
    Err(refused)
}

/// A macro file where programs are not run, or there is none.
pub(crate) fn not_expanded(path: &Path) -> Diagnostic {
    let message = format!("{} is a macro file (xacro), and there is no program `xacro` to expand it", path.display());
    Diagnostic::error("xacro", message).help(
        "install it (`pip install xacro`, or the package `ros-DISTRO-xacro` of ROS) so that it is on PATH, or expand the file elsewhere: `xacro FILE > robot.urdf`",
    )
}

fn expand_by(
    program: &Path,
    path: &Path,
    arguments: &[String],
    limit: Duration,
    answers: Option<&Answers>,
) -> Result<String, Box<Diagnostic>> {
    let mut command = Command::new(program);
    // `--` would be taken for a file; a relative path cannot look like an option with its folder before it.
    let file = if path.is_relative() { Path::new(".").join(path) } else { path.to_owned() };
    command.arg(file).args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(answers) = answers {
        answers.serve(&mut command);
    }
    let mut child = command.spawn().map_err(|error| {
        Box::new(match error.kind() {
            io::ErrorKind::NotFound => not_expanded(path),
            _ => Diagnostic::error("xacro", format!("`xacro` could not be started: {error}")),
        })
    })?;
    let (output, errors) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let Some(is_good) = wait(&mut child, limit) else {
        let message = format!("`xacro {}` was stopped: it took longer than {} s", path.display(), limit.as_secs_f64());
        return Err(Diagnostic::error("xacro", message).into());
    };
    let said = String::from_utf8_lossy(&joined(errors)).trim().to_owned();
    if !is_good {
        return Err(refused(path, &said).into());
    }
    let bytes = joined(output);
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Diagnostic::error("xacro", format!("`xacro {}` wrote more than 64 MB", path.display())).into());
    }
    let text = String::from_utf8(bytes);
    text.map_err(|_| Diagnostic::error("xacro", format!("`xacro {}` wrote what is not UTF-8", path.display())).into())
}

/// Reads a pipe so that the program never waits for it; one byte more than is allowed shows that there was more.
fn reader(pipe: Option<impl Read + Send + 'static>) -> Option<JoinHandle<Vec<u8>>> {
    let mut pipe = pipe?;
    Some(thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is all that there is.
        let _ = pipe.by_ref().take(MOST_BYTES + 1).read_to_end(&mut bytes);
        let _ = io::copy(&mut pipe, &mut io::sink());
        bytes
    }))
}

fn joined(reader: Option<JoinHandle<Vec<u8>>>) -> Vec<u8> {
    reader.and_then(|handle| handle.join().ok()).unwrap_or_default()
}

/// Whether the program ended well; `None` if it had to be stopped.
fn wait(child: &mut Child, limit: Duration) -> Option<bool> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.success()),
            Ok(None) if start.elapsed() < limit => thread::sleep(Duration::from_millis(5)),
            _ => {
                // It may have ended just now.
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
}

/// The line of the error first, then what the program says of its place.
fn refused(path: &Path, said: &str) -> Diagnostic {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_error = |line: &&str| line.to_ascii_lowercase().contains("error");
    let at = lines.iter().position(is_error).unwrap_or(lines.len().saturating_sub(1));
    let first = lines.get(at).map_or("it says nothing", |line| line.trim_start_matches("error: "));
    let short = |text: &str| text.chars().take(MOST_SHOWN).collect::<String>();
    let finding = Diagnostic::error("xacro", format!("`xacro` cannot expand {}: {}", path.display(), short(first)));
    let rest: Vec<&str> = lines.iter().skip(at + 1).copied().collect();
    if rest.is_empty() { finding } else { finding.help(short(&rest.join("; "))) }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn program(folder: &Path, script: &str) -> PathBuf {
        let path = folder.join("xacro");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("the folder is writable");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a file of ours");
        path
    }

    fn expanded(script: &str, limit: Duration) -> Result<String, Box<Diagnostic>> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = program(folder.path(), script);
        expand_by(&path, Path::new("a.xacro"), &["side:=left".to_owned()], limit, None)
    }

    #[test]
    fn file_and_arguments_are_given_to_the_program() {
        let text = expanded("echo \"$1 $2\"", LIMIT).expect("a script that ends well");
        assert_eq!(text, "./a.xacro side:=left\n");
    }

    #[test]
    fn long_outputs_do_not_block() {
        let text = expanded("head -c 3000000 /dev/zero | tr '\\0' x; head -c 300000 /dev/zero >&2", LIMIT);
        assert_eq!(text.expect("a script that ends well").len(), 3_000_000);
    }

    #[test]
    fn its_error_is_the_finding() {
        let script = "echo 'warning: old syntax' >&2; echo \"error: name 'r' is not defined\" >&2; \
                      echo 'when processing file: a.xacro' >&2; exit 2";
        let finding = expanded(script, LIMIT).expect_err("it ends with 2");
        assert_eq!(finding.message, "`xacro` cannot expand a.xacro: name 'r' is not defined");
        assert_eq!(finding.help.as_deref(), Some("when processing file: a.xacro"));
        assert!(expanded("exit 1", LIMIT).expect_err("it ends with 1").message.ends_with("it says nothing"));
    }

    #[test]
    fn it_is_stopped_in_time() {
        let start = Instant::now();
        let finding = expanded("exec sleep 30", Duration::from_millis(200)).expect_err("it takes 30 s");
        assert!(finding.message.contains("longer than 0.2 s"), "{}", finding.message);
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn without_the_program_the_finding_says_how_to_get_it() {
        let finding =
            expand_by(Path::new("/nowhere/xacro"), Path::new("a.xacro"), &[], LIMIT, None).expect_err("no program");
        assert!(finding.help.is_some_and(|help| help.contains("pip install xacro")));
    }
}
