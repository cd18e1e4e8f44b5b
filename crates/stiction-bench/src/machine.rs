//! The machine that a table was measured on.

use std::fs;

/// Model of the processor.
#[must_use]
pub fn model() -> String {
    entry("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// The processor with its family, its widest vectors and the number of cores.
#[must_use]
pub fn describe() -> String {
    let family = match (entry("cpu family"), entry("model")) {
        (Some(family), Some(model)) => format!(", family {family} model {model}"),
        _ => String::new(),
    };
    let flags = entry("flags").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}{family}, {}, {cores} cores", model(), vectors(&flags))
}

/// The widest vectors among the flags of a processor.
fn vectors(flags: &str) -> &'static str {
    let has = |name: &str| flags.split_whitespace().any(|f| f == name);
    match (has("avx512f"), has("avx2")) {
        (true, _) => "AVX-512",
        (false, true) => "AVX2",
        _ => "no AVX2",
    }
}

/// A line of the first processor in the kernel's list.
fn entry(name: &str) -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let value = |line: &str| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    };
    text.lines().find_map(value)
}
