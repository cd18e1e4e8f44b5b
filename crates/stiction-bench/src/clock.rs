//! Time on the core, which other programs disturb less than the time on the wall.

/// Time that this thread has run \[µs\].
#[must_use]
#[cfg(unix)]
pub fn microseconds() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 * 1e6 + t.tv_nsec as f64 * 1e-3
}

/// Time on the wall \[µs\].
#[must_use]
#[cfg(not(unix))]
pub fn microseconds() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e6
}
