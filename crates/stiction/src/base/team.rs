//! Threads that do one piece of work side by side.
//!
//! A step has a hundred pieces of a few microseconds each, one for every colour of every pass: a pool that sleeps in between
//! needs 50 µs to wake for each of them. The members of a team wait for the next piece by looking for it, for about as long as a
//! step takes, and sleep only then. Nobody waits for a member that has not begun: the caller does its share too.
#![allow(unsafe_code, reason = "a piece of work is borrowed for no longer than its last share is done")]

use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::{JoinHandle, Thread};

use super::cores::{Cores, present};

/// How often a member looks for work before it sleeps: for about 0.2 ms.
const LOOKS: u32 = 10_000;

/// How often the caller looks for a share that is under way before it lets other threads run.
const PATIENCE: u32 = 2_000;

/// Pieces after which it is looked at where threads run.
const PIECES: u64 = 32;

/// The work of a share, by its number.
type Work<'a> = dyn Fn(usize) + Sync + 'a;

/// The caller's thread and the others; by default the caller's alone.
#[derive(Default)]
pub(crate) struct Team {
    seats: Option<Arc<Seats>>,
    members: Vec<JoinHandle<()>>,
    threads: Vec<Thread>,
    /// The caller does all by itself.
    rests: bool,
    /// There was work that others could have had a share in.
    was_asked: bool,
}

/// What the caller and the members share.
struct Seats {
    /// Number of the piece of work, from 1 on.
    piece: Line<AtomicU64>,
    /// The piece. Written by the caller between two pieces, read by a member that has taken its share of one.
    work: UnsafeCell<Option<&'static Work<'static>>>,
    members: Box<[Line<Seat>]>,
    /// The core of the caller, as it was not long ago, and those that it may run on.
    core: AtomicUsize,
    cores: Cores,
    has_ended: AtomicBool,
    has_failed: AtomicBool,
}

// SAFETY: `work` is written only while every share of the last piece is done, and read only by who has taken a share of the
// present one: `piece`, `taken` and `done` order the two.
unsafe impl Sync for Seats {}

/// Of a member.
#[derive(Default)]
struct Seat {
    /// The last piece whose share of the member somebody has taken, and the last that the member itself has done.
    taken: AtomicU64,
    done: AtomicU64,
    sleeps: AtomicBool,
}

/// A line of memory of its own, so that threads do not wait for each other's.
#[derive(Default)]
#[repr(align(128))]
struct Line<T>(T);

impl Team {
    /// Starts or stops threads; 0 and 1 are the caller's own. Where the system gives fewer, there are fewer.
    pub(crate) fn set(&mut self, count: usize) {
        if count.max(1) == self.members() {
            return;
        }
        self.stop();
        if count <= 1 {
            return;
        }
        let seats = Arc::new(Seats {
            piece: Line::default(),
            work: UnsafeCell::new(None),
            members: (1..count).map(|_| Line::default()).collect(),
            core: AtomicUsize::new(usize::MAX),
            cores: Cores::of_caller(),
            has_ended: AtomicBool::new(false),
            has_failed: AtomicBool::new(false),
        });
        for number in 1..count {
            let own = Arc::clone(&seats);
            let start = std::thread::Builder::new().name(format!("stiction-{number}"));
            match start.spawn(move || own.follow(number)) {
                Ok(member) => {
                    self.threads.push(member.thread().clone());
                    self.members.push(member);
                }
                Err(_) => break,
            }
        }
        self.seats = Some(seats);
    }

    /// Number of threads, the caller's among them.
    pub(crate) fn members(&self) -> usize {
        self.seats.as_ref().map_or(1, |seats| 1 + seats.members.len())
    }

    /// Lets the others rest, or no longer: resting ones have no share in any work.
    pub(crate) fn rest(&mut self, rests: bool) {
        self.rests = rests;
        self.was_asked = false;
    }

    /// Since it was last told whether to rest there was work that is worth sharing.
    pub(crate) fn was_asked(&self) -> bool {
        self.was_asked
    }

    /// Number of threads that have a share in work that is worth it.
    pub(crate) fn count(&mut self, is_worth: bool) -> usize {
        self.was_asked |= is_worth;
        if is_worth && !self.rests { self.members() } else { 1 }
    }

    /// Does the work of as many shares as there are threads; it returns when all is done. The caller's is share 0.
    ///
    /// # Panics
    /// Where the work of a share does.
    pub(crate) fn share(&mut self, work: &Work<'_>) {
        let Some(seats) = self.seats.as_ref().filter(|_| !self.rests) else { return work(0) };
        // SAFETY: all shares of the last piece are done, so nobody reads it. The reference is used by those who have taken a share of
        // this piece, and this function, which holds the work borrowed, returns after all of them.
        unsafe { *seats.work.get() = Some(std::mem::transmute::<&Work<'_>, &'static Work<'static>>(work)) };
        let piece = seats.piece.0.load(Ordering::Relaxed) + 1;
        if piece.is_multiple_of(PIECES) {
            seats.core.store(present(), Ordering::Relaxed);
        }
        seats.piece.0.store(piece, Ordering::SeqCst);
        for (seat, thread) in seats.members.iter().zip(&self.threads) {
            if seat.0.sleeps.load(Ordering::SeqCst) {
                thread.unpark();
            }
        }
        // A panic waits until the others are done with what they borrow.
        let mut result = catch_unwind(AssertUnwindSafe(|| work(0)));
        for (number, Line(seat)) in seats.members.iter().enumerate() {
            if seat.takes(piece) {
                result = result.and(catch_unwind(AssertUnwindSafe(|| work(1 + number))));
            } else {
                wait(|| seat.done.load(Ordering::Acquire) == piece);
            }
        }
        let has_failed = seats.has_failed.swap(false, Ordering::Relaxed);
        if let Err(panic) = result {
            resume_unwind(panic);
        }
        assert!(!has_failed, "the work of a thread has failed");
    }

    fn stop(&mut self) {
        if let Some(seats) = self.seats.take() {
            seats.has_ended.store(true, Ordering::SeqCst);
            self.threads.drain(..).for_each(|thread| thread.unpark());
            for member in self.members.drain(..) {
                // A member catches the panics of its work: it has none of its own.
                let _ = member.join();
            }
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Seat {
    /// Takes the share of a piece, if nobody has: the pieces before it are done.
    fn takes(&self, piece: u64) -> bool {
        self.taken.compare_exchange(piece - 1, piece, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }
}

impl Seats {
    /// What a member does.
    fn follow(&self, number: usize) {
        let Line(seat) = &self.members[number - 1];
        let (mut last, mut looked) = (0, 0);
        while let Some(piece) = self.next(seat, last) {
            last = piece;
            if piece - looked >= PIECES {
                looked = piece;
                self.cores.leave(self.core.load(Ordering::Relaxed));
            }
            if !seat.takes(piece) {
                continue;
            }
            // SAFETY: the caller has written the work before the piece, and waits until the share is done.
            let work = unsafe { *self.work.get() };
            let result = catch_unwind(AssertUnwindSafe(|| work.map(|work| work(number))));
            if result.is_err() {
                self.has_failed.store(true, Ordering::Relaxed);
            }
            seat.done.store(piece, Ordering::Release);
        }
    }

    /// Waits for a piece after the last; none at the end.
    fn next(&self, seat: &Seat, last: u64) -> Option<u64> {
        loop {
            for _ in 0..LOOKS {
                let piece = self.piece.0.load(Ordering::Acquire);
                if piece != last {
                    return Some(piece);
                }
                std::hint::spin_loop();
            }
            // The caller looks at this after it has written the piece, and the member at the piece after it has written this: one of
            // the two sees the other.
            seat.sleeps.store(true, Ordering::SeqCst);
            while self.piece.0.load(Ordering::SeqCst) == last && !self.has_ended.load(Ordering::SeqCst) {
                std::thread::park();
            }
            seat.sleeps.store(false, Ordering::SeqCst);
            if self.has_ended.load(Ordering::SeqCst) {
                return None;
            }
        }
    }
}

/// Waits for something that is under way.
fn wait(is_done: impl Fn() -> bool) {
    let mut looks = 0;
    while !is_done() {
        looks += 1;
        if looks < PATIENCE {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

/// The part of so many entries that is a share's.
pub(crate) fn part(entries: usize, share: usize, shares: usize) -> std::ops::Range<usize> {
    entries * share / shares..entries * (share + 1) / shares
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn every_share_is_done_once_a_piece() {
        for count in [1, 2, 3, 8] {
            let mut team = Team::default();
            team.set(count);
            assert_eq!(team.count(true), count);
            let done: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
            for piece in 0..2000 {
                if piece % 500 == 499 {
                    std::thread::sleep(std::time::Duration::from_millis(3));
                }
                team.share(&|share| {
                    done[share].fetch_add(1, Ordering::Relaxed);
                });
                assert!(done.iter().all(|done| done.load(Ordering::Relaxed) == piece + 1));
            }
        }
    }

    #[test]
    fn parts_are_all_entries() {
        let parts: Vec<_> = (0..3).flat_map(|share| part(10, share, 3)).collect();
        assert_eq!(parts, (0..10).collect::<Vec<_>>());
    }

    #[test]
    fn a_panic_of_a_share_is_that_of_the_caller_and_the_team_goes_on() {
        let mut team = Team::default();
        team.set(3);
        for bad in 0..3 {
            let result = catch_unwind(AssertUnwindSafe(|| team.share(&|share| assert_ne!(share, bad))));
            assert!(result.is_err());
        }
        let done = AtomicUsize::new(0);
        team.share(&|_| {
            done.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(done.into_inner(), 3);
    }
}
