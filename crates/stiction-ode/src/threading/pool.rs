//! Threads that serve one implementation after another.

use std::ffi::{c_uint, c_void};
use std::ptr::null_mut;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

use super::Implementation;
use crate::report::require;

/// What a thread is told; it answers by the sender.
enum Command {
    Serve(Address, Sender<()>),
    Answer(Sender<()>),
}

/// Address of an implementation.
struct Address(*const Implementation);

// SAFETY: of the implementation, threads use the calls alone, which have a lock.
unsafe impl Send for Address {}

/// `dThreadingThreadPoolID`.
struct Pool {
    threads: Vec<(Sender<Command>, JoinHandle<()>)>,
}

fn work(commands: &Receiver<Command>) {
    while let Ok(command) = commands.recv() {
        match command {
            Command::Serve(Address(implementation), ready) => {
                // SAFETY: programs free an implementation after they have shut it down and waited for the pool.
                unsafe { &*implementation }.jobs.serve(|| {
                    let _ = ready.send(());
                });
            }
            Command::Answer(ready) => {
                let _ = ready.send(());
            }
        }
    }
}

/// So many threads, of a stack size where it is not zero; null if they cannot be had. They need no data of the library.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dThreadingAllocateThreadPool(
    count: c_uint,
    stack_size: usize,
    _data_flags: c_uint,
    _reserved: *mut c_void,
) -> *mut Pool {
    require!(count != 0, "Bad argument(s): no threads", null_mut());
    let mut pool = Pool { threads: Vec::new() };
    for _ in 0..count {
        let (sender, receiver) = channel();
        let builder = if stack_size == 0 { Builder::new() } else { Builder::new().stack_size(stack_size) };
        let Ok(thread) = builder.spawn(move || work(&receiver)) else { return null_mut() };
        pool.threads.push((sender, thread));
    }
    Box::into_raw(Box::new(pool))
}

/// Tells all threads and waits for their answers.
fn tell(pool: &Pool, command: impl Fn(Sender<()>) -> Command) {
    let (sender, receiver) = channel();
    for (commands, _) in &pool.threads {
        let _ = commands.send(command(sender.clone()));
    }
    drop(sender);
    for _ in &pool.threads {
        let _ = receiver.recv();
    }
}

/// All threads serve the implementation; returns when they do.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dThreadingThreadPoolServeMultiThreadedImplementation(
    pool: *mut Pool,
    implementation: *mut Implementation,
) {
    require!(!pool.is_null() && !implementation.is_null(), "Bad argument(s): no pool or no implementation");
    tell(&*pool, |ready| Command::Serve(Address(implementation), ready));
}

/// Waits until no thread serves any more.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dThreadingThreadPoolWaitIdleState(pool: *mut Pool) {
    require!(!pool.is_null(), "Bad argument(s): no pool");
    tell(&*pool, Command::Answer);
}

/// Ends the threads; what they serve must have been shut down.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dThreadingFreeThreadPool(pool: *mut Pool) {
    if pool.is_null() {
        return;
    }
    for (commands, thread) in Box::from_raw(pool).threads {
        drop(commands);
        let _ = thread.join();
    }
}
