//! Stopwatches, and a timer of named stretches of code (`ode/timer.h`).

use std::ffi::{CStr, c_char, c_double, c_int, c_ulong};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Instant;

use crate::report::require;
use crate::stream::{self, File};

/// `dStopwatch`: ticks so far, and when it was started.
#[repr(C)]
struct Stopwatch {
    time: c_double,
    started: [c_ulong; 2],
}

/// Ticks are nanoseconds.
const TICKS_PER_SECOND: f64 = 1e9;

/// Ticks since the first question.
fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dStopwatchReset(watch: *mut Stopwatch) {
    require!(!watch.is_null(), "Bad argument(s): no stopwatch");
    *watch = Stopwatch { time: 0.0, started: [0; 2] };
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dStopwatchStart(watch: *mut Stopwatch) {
    require!(!watch.is_null(), "Bad argument(s): no stopwatch");
    let ticks = now();
    (*watch).started = [(ticks & 0xffff_ffff) as c_ulong, (ticks >> 32) as c_ulong];
}

/// Adds the time since the start.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dStopwatchStop(watch: *mut Stopwatch) {
    require!(!watch.is_null(), "Bad argument(s): no stopwatch");
    let [low, high] = (*watch).started.map(u64::from);
    (*watch).time += now().saturating_sub(high << 32 | low) as f64;
}

/// Total of the stretches between starts and stops \[s\].
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dStopwatchTime(watch: *mut Stopwatch) -> c_double {
    require!(!watch.is_null(), "Bad argument(s): no stopwatch", 0.0);
    (*watch).time / TICKS_PER_SECOND
}

#[unsafe(no_mangle)]
extern "C-unwind" fn dTimerTicksPerSecond() -> c_double {
    TICKS_PER_SECOND
}

/// Shortest time that can be told from none \[s\].
#[unsafe(no_mangle)]
extern "C-unwind" fn dTimerResolution() -> c_double {
    1.0 / TICKS_PER_SECOND
}

/// A named moment, and what the stretches after it took in all reports.
struct Event {
    name: String,
    ticks: u64,
    reports: u32,
    total_ticks: f64,
    total_percent: f64,
}

/// Moments that are kept.
const MAX_EVENTS: usize = 100;
/// The moments by place; the number says how many the present run has had.
static EVENTS: Mutex<(Vec<Event>, usize)> = Mutex::new((Vec::new(), 0));

unsafe fn mark(name: *const c_char, is_first: bool) {
    let name = if name.is_null() { String::new() } else { CStr::from_ptr(name).to_string_lossy().into_owned() };
    let mut guard = EVENTS.lock().unwrap_or_else(PoisonError::into_inner);
    let (events, count) = &mut *guard;
    if is_first {
        *count = 0;
    }
    let ticks = now();
    if let Some(event) = events.get_mut(*count) {
        (event.name, event.ticks) = (name, ticks);
    } else if *count < MAX_EVENTS {
        events.push(Event { name, ticks, reports: 0, total_ticks: 0.0, total_percent: 0.0 });
    } else {
        return;
    }
    *count += 1;
}

/// Starts a run of stretches.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dTimerStart(name: *const c_char) {
    mark(name, true);
}

/// Ends a stretch and starts the next.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dTimerNow(name: *const c_char) {
    mark(name, false);
}

/// Ends the run.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dTimerEnd() {
    mark(c"TOTAL".as_ptr(), false);
}

/// A time with the prefix that leaves a digit before the point.
fn with_prefix(seconds: f64) -> String {
    let (scale, prefix) = match seconds {
        s if s >= 0.999_999 => (1.0, ""),
        s if s >= 0.999_999e-3 => (1e3, "m"),
        s if s >= 0.999_999e-6 => (1e6, "u"),
        _ => (1e9, "n"),
    };
    format!("{:.2} {prefix}s", seconds * scale)
}

/// Prints each stretch in milliseconds and as a share of the run, and the averages over all reports if asked.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dTimerReport(file: *mut File, average: c_int) {
    require!(!file.is_null(), "Bad argument(s): no file");
    let mut guard = EVENTS.lock().unwrap_or_else(PoisonError::into_inner);
    let (events, count) = &mut *guard;
    let mut text = format!("\nTimer Report ({} resolution)\n------------\n", with_prefix(dTimerResolution()));
    let events = &mut events[..*count];
    if let (Some(first), Some(last)) = (events.first(), events.last()) {
        let total = last.ticks.saturating_sub(first.ticks).max(1) as f64;
        let width = events.iter().map(|event| event.name.len()).max().unwrap_or(0);
        let milliseconds = |ticks: f64| ticks / TICKS_PER_SECOND * 1e3;
        for index in 0..events.len() {
            let next = events.get(index + 1).map(|next| next.ticks);
            let event = &mut events[index];
            let ticks = next.map_or(total, |next| next.saturating_sub(event.ticks) as f64);
            let percent = ticks / total * 100.0;
            text += &format!("{:width$} {:7.2}ms {percent:6.2}%", event.name, milliseconds(ticks));
            if next.is_some() {
                event.reports += 1;
                event.total_ticks += ticks;
                event.total_percent += percent;
                if average != 0 {
                    let reports = f64::from(event.reports);
                    let (ticks, percent) = (event.total_ticks / reports, event.total_percent / reports);
                    text += &format!("  (avg {:7.2}ms {percent:6.2}%)", milliseconds(ticks));
                }
            }
            text += "\n";
        }
        text += "\n";
    }
    stream::write(file, &text);
}
