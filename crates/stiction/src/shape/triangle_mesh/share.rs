//! Work on large meshes by several threads.

use std::sync::Mutex;
use std::thread::{Builder, scope};

/// Does jobs, in any order, by so many threads; by fewer where the system gives no more.
pub(super) fn share<J: Send>(jobs: Vec<J>, threads: usize, work: impl Fn(J) + Sync) {
    let others = threads.min(jobs.len()).saturating_sub(1);
    let queue = Mutex::new(jobs);
    let next = || queue.lock().ok().and_then(|mut jobs| jobs.pop());
    let work_on = || {
        while let Some(job) = next() {
            work(job);
        }
    };
    scope(|scope| {
        for _ in 0..others {
            if Builder::new().spawn_scoped(scope, work_on).is_err() {
                break;
            }
        }
        work_on();
    });
}
