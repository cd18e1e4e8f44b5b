//! The time of a run: k h, not a sum of steps.

/// Counts steps of one size from a time.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: f64,
    /// Steps that lie before `start`, where all of them had the present size.
    before: u64,
    step: f64,
    steps: u64,
    /// The step as a fraction of whole numbers, `n / d`, where its shortest decimal is one.
    fraction: Option<(u64, u64)>,
}

impl Clock {
    /// At `start` \[s\], for steps of `step` \[s\]; `before` steps were taken before.
    pub fn new(start: f64, before: u64, step: f64) -> Self {
        let mut clock = Self { start, before: 0, step, steps: 0, fraction: fraction(step) };
        // A state goes on with the count where its time is a count of such steps.
        if clock.multiple(before).to_bits() == start.to_bits() {
            (clock.start, clock.before) = (0.0, before);
        }
        clock
    }

    /// Another step.
    pub fn tick(&mut self) {
        self.steps += 1;
    }

    /// Steps since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The time now \[s\].
    pub fn time(&self) -> f64 {
        self.after(0)
    }

    /// The time at the end of the next step \[s\].
    pub fn next(&self) -> f64 {
        self.after(1)
    }

    /// The time of the step that ended at a sum of steps \[s\]: what a world adds up is off by rounding.
    pub fn nearest(&self, sum: f64) -> f64 {
        let count = ((sum - self.start) / self.step).round();
        let time = self.start + self.multiple(count.max(0.0) as u64);
        if (time - sum).abs() <= 1e-3 * self.step { time } else { sum }
    }

    fn after(&self, more: u64) -> f64 {
        let passed = self.multiple(self.before + self.steps + more);
        if self.start == 0.0 { passed } else { self.start + passed }
    }

    /// `count` steps \[s\]. A step that is a decimal gives the number nearest to the exact product of decimals: 0.009 for
    /// nine steps of 0.001, where the product of the two numbers is 0.009000000000000001.
    fn multiple(&self, count: u64) -> f64 {
        match self.fraction.and_then(|(n, d)| Some((n.checked_mul(count).filter(|n| *n < 1 << 53)?, d))) {
            Some((n, d)) => n as f64 / d as f64,
            None => count as f64 * self.step,
        }
    }
}

/// A number as `n / 10ᵏ` with the same bits; powers of ten up to 10¹⁵ are exact.
fn fraction(x: f64) -> Option<(u64, u64)> {
    (0..=15).map(|k| 10u64.pow(k)).find_map(|d| {
        let n = (x * d as f64).round();
        (n >= 1.0 && n < (1u64 << 53) as f64 && (n / d as f64).to_bits() == x.to_bits()).then_some((n as u64, d))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]

    use super::*;

    fn after(mut clock: Clock, steps: u64) -> f64 {
        (0..steps).for_each(|_| clock.tick());
        clock.time()
    }

    #[test]
    fn times_are_the_decimals_that_a_reader_expects() {
        for k in 0..20_000u64 {
            for (h, digits) in [(0.001, 3), (0.01, 2), (0.0025, 4), (0.003, 3)] {
                let clock = Clock { steps: k, ..Clock::new(0.0, 0, h) };
                let expected: f64 = format!("{:.digits$}", k as f64 * h).parse().expect("a decimal");
                assert_eq!(clock.time(), expected, "{k} of {h}");
            }
        }
        assert_eq!(after(Clock::new(0.0, 0, 1.0 / 3.0), 6), 2.0);
    }

    #[test]
    fn sums_of_steps_have_the_times_of_counts() {
        for h in [0.001, 0.0005, 0.0002, 1.0 / 3.0] {
            let (mut clock, mut sum) = (Clock::new(0.0, 0, h), 0.0);
            for _ in 0..5000 {
                clock.tick();
                sum += h;
                assert_eq!(clock.nearest(sum), clock.time());
            }
            // A step that was not finished is no count.
            assert_eq!(clock.nearest(sum + 0.3 * h), sum + 0.3 * h);
        }
    }

    #[test]
    fn a_run_in_two_parts_has_the_times_of_one() {
        for h in [0.001, 0.01, 1.0 / 3.0, 0.1 + 0.2] {
            let whole = after(Clock::new(0.0, 0, h), 1234);
            let half = after(Clock::new(0.0, 0, h), 617);
            assert_eq!(after(Clock::new(half, 617, h), 617), whole);
        }
        // Another step size counts from where the first part ended.
        assert_eq!(after(Clock::new(0.617, 617, 0.01), 10), 0.617 + 0.1);
    }
}
