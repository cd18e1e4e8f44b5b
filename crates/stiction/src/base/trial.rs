//! Whether it pays to share steps between threads.
//!
//! To hand work to another core takes a fifth of a microsecond where the two share a cache, and several times as long where they do
//! not, where the other core is busy, or where a virtual machine moves them about. Nothing but the time that steps take tells: some are
//! made with threads and some without, the faster way is used, and both are tried again later. Results are the same either way.

use std::time::{Duration, Instant};

/// Steps with threads at the start: the first ones are not typical.
const FIRST: u32 = 2;
/// Steps of a block of a trial, which are all with or all without threads, and blocks of a trial.
const BLOCK: u32 = 3;
const BLOCKS: u32 = 4;
/// Steps of each way.
const TRIED: usize = (BLOCK * BLOCKS / 2) as usize;
/// Steps between two trials: more after each that decides like the one before it, so that the slower way takes little of all time.
const LEAST_PAUSE: u32 = 128;
const MOST_PAUSE: u32 = 4096;
/// Time with threads by that without from which on they pay.
const GAIN: f64 = 0.98;
/// Steps in a row that take so many times as long as in the trial, after which there is another: the other core may be busy by now.
const SLOW_STEPS: u32 = 6;
const SLOW: f64 = 1.2;
/// Steps between two trials at least.
const SHORTEST_PAUSE: u32 = 64;

#[cfg(test)]
thread_local! {
    /// A test on this thread has all steps with threads.
    pub(crate) static ALWAYS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}
#[cfg(test)]
fn always() -> bool {
    ALWAYS.get()
}
#[cfg(not(test))]
const fn always() -> bool {
    false
}

/// Decides step by step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    /// Steps of the present stage so far.
    steps: u32,
    /// Steps before the next trial, or none during one.
    pause: Option<u32>,
    last_pause: u32,
    pays: bool,
    /// Time of a step with threads in the last trial.
    expected: Duration,
    /// Steps in a row that took much longer.
    slow: u32,
    /// Times of steps without and with threads.
    times: [[Duration; TRIED]; 2],
    begun: Option<Instant>,
}

impl Default for Trial {
    fn default() -> Self {
        Self {
            steps: 0,
            pause: Some(FIRST),
            last_pause: LEAST_PAUSE,
            pays: true,
            expected: Duration::MAX,
            slow: 0,
            times: [[Duration::ZERO; TRIED]; 2],
            begun: None,
        }
    }
}

impl Trial {
    /// Begins a step; returns whether it is with threads.
    pub(crate) fn begin(&mut self) -> bool {
        self.begun = Some(Instant::now());
        let is_slow = self.slow >= SLOW_STEPS && self.steps >= SHORTEST_PAUSE;
        if self.pause.is_some_and(|pause| self.steps >= pause || is_slow) {
            (self.pause, self.steps, self.slow) = (None, 0, 0);
        }
        (if self.pause.is_some() { self.pays } else { self.is_shared() }) || always()
    }

    /// Ends a step, unless nothing of it was worth sharing.
    pub(crate) fn end(&mut self, was_worth: bool) {
        let Some(begun) = self.begun.take().filter(|_| was_worth) else { return };
        self.note(begun.elapsed());
    }

    fn note(&mut self, time: Duration) {
        if self.pause.is_none() {
            let place = self.steps / (2 * BLOCK) * BLOCK + self.steps % BLOCK;
            self.times[usize::from(self.is_shared())][place as usize] = time;
        } else {
            let is_slow = self.pays && time.as_secs_f64() > SLOW * self.expected.as_secs_f64();
            self.slow = if is_slow { self.slow + 1 } else { 0 };
        }
        self.steps += 1;
        if self.pause.is_none() && self.steps == BLOCK * BLOCKS {
            self.decide();
        }
    }

    /// The present step of a trial is one with threads.
    fn is_shared(&self) -> bool {
        (self.steps / BLOCK) % 2 == 1
    }

    fn decide(&mut self) {
        let [alone, shared] = &mut self.times;
        alone.sort_unstable();
        shared.sort_unstable();
        let pays = shared[TRIED / 2].as_secs_f64() < GAIN * alone[TRIED / 2].as_secs_f64();
        self.last_pause = if pays == self.pays { (2 * self.last_pause).min(MOST_PAUSE) } else { LEAST_PAUSE };
        self.expected = shared[TRIED / 2];
        (self.pays, self.pause, self.steps) = (pays, Some(self.last_pause), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of so many microseconds without and with threads; returns the share of steps with them.
    fn run(trial: &mut Trial, steps: u32, times: [u64; 2]) -> f64 {
        let mut shared = 0;
        for _ in 0..steps {
            let is_shared = trial.begin();
            shared += u32::from(is_shared);
            trial.note(Duration::from_micros(times[usize::from(is_shared)]));
        }
        f64::from(shared) / f64::from(steps)
    }

    #[test]
    fn the_faster_way_is_taken_and_found_again_when_it_changes() {
        let mut trial = Trial::default();
        assert!(run(&mut trial, 10_000, [100, 70]) > 0.99);
        run(&mut trial, 100, [100, 200]);
        assert!(run(&mut trial, 10_000, [100, 200]) < 0.02);
        run(&mut trial, 5000, [100, 70]);
        assert!(run(&mut trial, 10_000, [100, 70]) > 0.99);
    }

    #[test]
    fn what_gains_nothing_is_left_alone() {
        assert!(run(&mut Trial::default(), 10_000, [100, 100]) < 0.01);
    }
}
