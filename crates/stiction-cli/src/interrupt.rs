//! Ctrl-C, and SIGTERM and SIGHUP on Unix: a run ends after its step, so that what it recorded is whole.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Listens from now on. The second time ends the program at once.
pub fn listen() {
    let handler = || {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(Exit::INTERRUPTED.into());
        }
    };
    // Where there can be no handler the program ends at once, as before.
    let _ = ctrlc::set_handler(handler);
}

/// The run is to end.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}
