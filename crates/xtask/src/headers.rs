//! Declarations of the C headers, made from the table of functions.

use std::fmt::Write;
use std::process::ExitCode;

use crate::root;

const FIRST: &str = "/* functions: made from functions.tsv by `cargo xtask headers` */\n";
const LAST: &str = "/* end of functions */\n";
/// Longest line of a header.
const WIDTH: usize = 120;

/// One function of the interface.
struct Function {
    header: String,
    declaration: String,
    meaning: String,
}

/// The table of functions: header, declaration, meaning.
fn table() -> Vec<Function> {
    let text = std::fs::read_to_string(root().join("crates/stiction-ode/include/functions.tsv")).unwrap_or_default();
    let parse = |line: &str| {
        let mut cells = line.split('\t').map(str::to_owned);
        Some(Function { header: cells.next()?, declaration: cells.next()?, meaning: cells.next()? })
    };
    text.lines().filter_map(parse).collect()
}

/// A declaration on as many lines as it needs.
fn broken(declaration: &str) -> String {
    let mut lines = String::new();
    let mut line = "ODE_API".to_owned();
    for word in declaration.split(' ') {
        if line.len() + word.len() + 2 > WIDTH {
            lines += &line;
            lines.push('\n');
            "   ".clone_into(&mut line);
        }
        line.push(' ');
        line += word;
    }
    lines + &line
}

/// Rewrites the declarations of every header; with `--check` only says which would change.
pub fn run(arguments: &[String]) -> ExitCode {
    let only_check = arguments.iter().any(|a| a == "--check");
    let table = table();
    let directory = root().join("crates/stiction-ode/include/ode");
    let mut headers: Vec<&str> = table.iter().map(|f| f.header.as_str()).collect();
    headers.sort_unstable();
    headers.dedup();
    let mut stale = 0;
    for header in headers {
        let path = directory.join(header);
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("{}: not there", path.display());
            return ExitCode::FAILURE;
        };
        let Some((before, rest)) = text.split_once(FIRST) else {
            eprintln!("{header}: no place for functions");
            return ExitCode::FAILURE;
        };
        let after = rest.split_once(LAST).map_or("", |(_, after)| after);
        let mut functions = String::new();
        for function in table.iter().filter(|f| f.header == header) {
            let _ = writeln!(functions, "/* {} */\n{};", function.meaning, broken(&function.declaration));
        }
        let new = format!("{before}{FIRST}{functions}{LAST}{after}");
        if new != text {
            stale += 1;
            println!("{header}");
            if !only_check && std::fs::write(&path, new).is_err() {
                return ExitCode::FAILURE;
            }
        }
    }
    if only_check && stale > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
