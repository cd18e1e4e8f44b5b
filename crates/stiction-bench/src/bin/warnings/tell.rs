//! What the command says of a file.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::files::File;
use crate::kind;

/// Simulated time of a run \[s\].
const DURATION: &str = "2";
/// Time of a check beside that of a run: it cannot end early and still tell.
const PATIENCE: f64 = 10.0;
/// How often a process is looked after.
const POLL: Duration = Duration::from_millis(5);

/// A finding or a warning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message {
    /// The file, as the list names it.
    pub file: String,
    /// The engine.
    pub engine: String,
    /// `check` or `run`.
    pub by: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// Code or first words.
    pub kind: String,
    /// The whole sentence.
    pub text: String,
}

/// What `check` and a run say.
pub fn ask(command: &Path, file: &File, engine: &str, limit: f64) -> Vec<Message> {
    let message = |by: &str, severity: &str, kind: String, text: &str| Message {
        file: file.name.clone(),
        engine: engine.to_owned(),
        by: by.to_owned(),
        severity: severity.to_owned(),
        kind,
        text: text.to_owned(),
    };
    let path = file.path.as_os_str();
    let of = |arguments: &[&str], limit: f64| {
        let mut command = Command::new(command);
        command.arg(arguments[0]).arg(path).args(&arguments[1..]);
        output(&mut command, limit)
    };
    let mut all = Vec::new();
    let checked = of(&["check", "--engine", engine, "--json"], PATIENCE * limit);
    match serde_json::from_str::<Value>(&checked.text) {
        Ok(Value::Array(findings)) => all.extend(findings.iter().map(|finding| {
            let word = |key: &str| finding[key].as_str().unwrap_or("?");
            let line = finding["line"].as_u64().map_or_else(String::new, |line| format!("line {line}: "));
            message("check", word("severity"), word("code").to_owned(), &(line + word("message")))
        })),
        _ => all.push(message("check", "error", checked.end("check"), &checked.error)),
    }
    let ran = of(&["run", "--engine", engine, "--duration", DURATION, "--json"], limit);
    match serde_json::from_str::<Value>(&ran.text) {
        Ok(summary) if summary["warnings"].is_array() => {
            let warnings = summary["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str);
            all.extend(warnings.map(|text| message("run", "warning", kind::of_sentence(text), text)));
        }
        _ => all.push(message("run", "error", ran.end("run"), &ran.error)),
    }
    all
}

/// What a process wrote, and whether its time was over.
struct Output {
    text: String,
    error: String,
    is_late: bool,
}

impl Output {
    /// The kind of an end without a summary.
    fn end(&self, what: &str) -> String {
        if self.is_late { format!("{what} took too long") } else { format!("{what} refused the file") }
    }
}

/// Runs it to its end, or asks it to end when its time is over, and ends it when it does not within as long again.
fn output(command: &mut Command, limit: f64) -> Output {
    let failed = |error: std::io::Error| Output { text: String::new(), error: error.to_string(), is_late: false };
    let mut child = match command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => return failed(error),
    };
    let read = |pipe: Option<Box<dyn std::io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // What a process wrote before it was ended is enough.
            let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let text = read(child.stdout.take().map(|pipe| Box::new(pipe) as _));
    let error = read(child.stderr.take().map(|pipe| Box::new(pipe) as _));
    let start = Instant::now();
    let (mut is_asked, mut is_late) = (false, false);
    while matches!(child.try_wait(), Ok(None)) {
        let time = start.elapsed().as_secs_f64();
        if time > 2.0 * limit {
            is_late = true;
            // It may have ended by itself.
            let _ = child.kill();
        } else if time > limit && !is_asked {
            is_asked = true;
            interrupt(&child);
        }
        std::thread::sleep(POLL);
    }
    let join = |thread: std::thread::JoinHandle<String>| thread.join().unwrap_or_default();
    Output { text: join(text), error: join(error), is_late: is_late || is_asked }
}

/// Asks a run to end after its step.
#[cfg(unix)]
fn interrupt(child: &std::process::Child) {
    let id = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    // It may have ended by itself.
    let _ = id.map(|id| rustix::process::kill_process(id, rustix::process::Signal::INT));
}

#[cfg(not(unix))]
fn interrupt(_: &std::process::Child) {}

/// A list that was written before.
pub fn read(list: &str) -> Vec<Message> {
    let of_line = |line: &str| {
        let mut words = line.splitn(6, '\t').map(str::to_owned);
        let mut next = || words.next();
        let mut message =
            Message { file: next()?, engine: next()?, by: next()?, severity: next()?, kind: next()?, text: next()? };
        if message.by == "run" && message.severity == "warning" {
            message.kind = kind::of_sentence(&message.text);
        }
        Some(message)
    };
    list.lines().filter_map(of_line).collect()
}
