//! Projected SOR in an order that the caller gives, from zero impulses, without early end: `dWorldQuickStep` row for row.
//!
//! A visit is `λ ← clamp(λ + ω (b − Γ λ − Yᵀz) / A_ii)`, `z ← z + Y δλ`. Rows that share no body commute, so that rows are
//! visited level by level instead of in the order itself: the bits are the same, and neighbours in the new order do not wait
//! for each other's results.
#![allow(unsafe_code, reason = "the kernel: vector instructions, and places that are checked when rows are added")]

mod coupled;
mod lone;

pub use coupled::MOST_COUPLED;

/// No second body.
pub const NO_BODY: u32 = u32::MAX;

/// Six coordinates of a body and padding to a line of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct BodyCoordinates(pub [f64; 8]);

/// A row as it is given.
#[derive(Clone, Copy, Debug)]
pub struct OrderedRow {
    /// Bodies; the second may be [`NO_BODY`], the first only if the row acts on nothing.
    pub bodies: [u32; 2],
    /// `Y` on each body.
    pub y: [[f64; 6]; 2],
    /// Right side b \[m/s or rad/s\], with what other than the impulses moves already taken off.
    pub target: f64,
    /// Γ \[velocity per impulse\].
    pub compliance: f64,
    /// Bounds of the impulse; of a row that follows a normal, coefficients of it.
    pub bounds: [f64; 2],
    /// Row whose impulse the bounds are multiplied with.
    pub normal: Option<u32>,
}

/// A row made ready: two lines of the cache, since large scenes are as fast as memory.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Entry {
    /// Coordinates 0 to 3 of the first body, of the second, then 4 and 5 of both.
    y: [f64; 12],
    /// `ω / A_ii`.
    scale: f64,
    /// `ω b / A_ii`.
    goal: f64,
    bodies: [u32; 2],
    /// Row whose impulse the bounds are multiplied with: that of a normal, or one whose impulse is 1. In a shuffled order the
    /// processor could not foresee which it is, so that all rows are treated alike.
    normal: u32,
    /// Place in the list of laws.
    law: u32,
}

/// Softness Γ and bounds, which many rows have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Law {
    compliance: f64,
    low: f64,
    high: f64,
}

/// Row that is none: its impulse is 1.
const ONE: u32 = 0;
/// Laws that a new row's is compared with.
const RECENT: usize = 4;

/// Rows, their impulses and the velocities `z` that these make.
#[derive(Clone, Debug, Default)]
pub struct Ordered {
    entries: Vec<Entry>,
    /// Bodies of the entries once more, for the search for levels: a line of the cache has eight.
    bodies: Vec<[u32; 2]>,
    laws: Vec<Law>,
    /// Impulses, in the order of the entries.
    lambda: Vec<f64>,
    /// `L Δv` of each body.
    pub z: Vec<BodyCoordinates>,
    level_of_body: Vec<u32>,
    level_of_row: Vec<u32>,
    starts: Vec<u32>,
    leveled: Vec<u32>,
    group: lone::Group,
    /// Made when a small island is met.
    island: Option<Box<coupled::Island>>,
}

impl Ordered {
    /// Forgets all rows, and makes room for bodies at rest.
    pub fn clear(&mut self, bodies: usize) {
        self.entries.clear();
        self.bodies.clear();
        self.bodies.push([NO_BODY; 2]);
        self.laws.clear();
        self.lambda.clear();
        self.lambda.push(1.0);
        self.laws.push(Law { compliance: 0.0, low: 0.0, high: 0.0 });
        self.entries.push(Entry { y: [0.0; 12], scale: 0.0, goal: 0.0, bodies: [NO_BODY; 2], normal: ONE, law: 0 });
        self.z.clear();
        self.z.resize(bodies, BodyCoordinates::default());
        self.level_of_body.clear();
        self.level_of_body.resize(bodies, 0);
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len().saturating_sub(1)
    }

    /// There are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a row for a given over-relaxation ω.
    ///
    /// # Panics
    /// If a body is not there, or the row of the normal not yet.
    #[inline(always)]
    pub fn push(&mut self, row: &OrderedRow, relaxation: f64) {
        let is_body = |body: u32| body == NO_BODY || (body as usize) < self.z.len();
        assert!(is_body(row.bodies[0]) && is_body(row.bodies[1]), "the bodies of a row are there");
        assert!(row.normal.is_none_or(|n| (n as usize) < self.len()), "the normal comes before its friction");
        let [a, b] = &row.y;
        let square = |y: &[f64; 6]| y.iter().map(|y| y * y).sum::<f64>();
        let diagonal = square(a) + square(b) + row.compliance;
        // A row that acts on nothing and is not soft asks for nothing that could be done.
        let scale = if diagonal > 0.0 { relaxation / diagonal } else { 0.0 };
        let law = Law { compliance: row.compliance, low: row.bounds[0], high: row.bounds[1] };
        let recent = self.laws.len().saturating_sub(RECENT);
        let law = match self.laws[recent..].iter().position(|known| *known == law) {
            Some(place) => recent + place,
            None => {
                self.laws.push(law);
                self.laws.len() - 1
            }
        } as u32;
        self.entries.push(Entry {
            y: [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], a[4], a[5], b[4], b[5]],
            scale,
            goal: scale * row.target,
            bodies: row.bodies,
            normal: row.normal.map_or(ONE, |n| n + 1),
            law,
        });
        self.bodies.push(row.bodies);
        self.lambda.push(0.0);
    }

    /// Starts a row from an impulse, within its bounds; the row of its normal is started before it.
    pub fn start(&mut self, row: usize, lambda: f64) {
        let entry = &self.entries[row + 1];
        let law = &self.laws[entry.law as usize];
        let share = self.lambda[entry.normal as usize].abs();
        let [a, b] = entry.bodies;
        if a == NO_BODY {
            return;
        }
        let lambda = clamp(lambda, law.low * share, law.high * share);
        self.lambda[row + 1] = lambda;
        let y = &entry.y;
        for (body, y) in [(a, [y[0], y[1], y[2], y[3], y[8], y[9]]), (b, [y[4], y[5], y[6], y[7], y[10], y[11]])] {
            if body != NO_BODY {
                let z = &mut self.z[body as usize].0;
                (0..6).for_each(|k| z[k] += y[k] * lambda);
            }
        }
    }

    /// The velocity that a row asks for, without impulses \[m/s or rad/s\]: negative where it parts.
    #[must_use]
    pub fn asked(&self, row: usize) -> f64 {
        let entry = &self.entries[row + 1];
        if entry.scale > 0.0 { entry.goal / entry.scale } else { 0.0 }
    }

    /// Impulse of a row.
    #[must_use]
    pub fn lambda(&self, row: usize) -> f64 {
        self.lambda[row + 1]
    }

    /// Sweeps over the rows of an order, which may be those of several islands one after the other. `is_shuffled`: neighbours
    /// in the order seldom share a body, so that there is no need to part them.
    ///
    /// # Panics
    /// If the order names a row that is not there.
    pub fn sweep(&mut self, order: &[u32], sweeps: u32, is_shuffled: bool) {
        if is_shuffled {
            self.leveled.clear();
            self.leveled.extend(order.iter().map(|&row| row + 1));
        } else {
            self.level(order);
        }
        let last = self.leveled.iter().max().copied().unwrap_or(0) as usize;
        assert!(last < self.entries.len(), "the order names rows that are there");
        let rows = SweepData {
            entries: self.entries.as_ptr(),
            laws: self.laws.as_ptr(),
            lambda: self.lambda.as_mut_ptr(),
            z: self.z.as_mut_ptr(),
        };
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2; the places in entries and order are checked, above and in `push`.
                return unsafe { run_avx2(&rows, &self.leveled, sweeps) };
            }
        }
        // SAFETY: the places in entries and order are checked, above and in `push`.
        unsafe { run(&rows, &self.leveled, sweeps) }
    }

    /// Sorts the order by levels: one above the last row that touches one of the row's bodies. What a friction row reads of its
    /// normal row is settled thereby, for both touch the same bodies.
    fn level(&mut self, order: &[u32]) {
        let levels = &mut self.level_of_body;
        for &row in order {
            for body in self.bodies[row as usize + 1] {
                if body != NO_BODY {
                    levels[body as usize] = 0;
                }
            }
        }
        self.level_of_row.clear();
        self.starts.clear();
        self.starts.resize(2, 0);
        for &row in order {
            let [a, b] = self.bodies[row as usize + 1];
            let of = |body: u32| if body == NO_BODY { 0 } else { levels[body as usize] };
            let level = of(a).max(of(b)) + 1;
            for body in [a, b] {
                if body != NO_BODY {
                    levels[body as usize] = level;
                }
            }
            self.level_of_row.push(level);
            if self.starts.len() < level as usize + 2 {
                self.starts.push(0);
            }
            self.starts[level as usize + 1] += 1;
        }
        for i in 1..self.starts.len() {
            self.starts[i] += self.starts[i - 1];
        }
        self.leveled.clear();
        self.leveled.resize(order.len(), 0);
        for (&row, &level) in order.iter().zip(&self.level_of_row) {
            let place = &mut self.starts[level as usize];
            self.leveled[*place as usize] = row + 1;
            *place += 1;
        }
    }
}

/// What a sweep works on. Entries name bodies, laws and rows that are there; impulses are as many as entries.
struct SweepData {
    entries: *const Entry,
    laws: *const Law,
    lambda: *mut f64,
    z: *mut BodyCoordinates,
}

/// # Safety
/// The invariant of [`SweepData`] holds, the order names entries that are there, and the processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn run_avx2(rows: &SweepData, order: &[u32], sweeps: u32) {
    // SAFETY: the caller's promise.
    unsafe { run(rows, order, sweeps) }
}

/// # Safety
/// The invariant of [`SweepData`] holds, and the order names entries that are there.
#[inline(always)]
unsafe fn run(rows: &SweepData, order: &[u32], sweeps: u32) {
    for _ in 0..sweeps {
        for (i, &row) in order.iter().enumerate() {
            if let Some(&ahead) = order.get(i + AHEAD) {
                fetch(rows.entries.wrapping_add(ahead as usize));
            }
            // SAFETY: the caller's promise.
            unsafe { visit(rows, row as usize) };
        }
    }
}

/// Rows that the processor is told of in advance: in a shuffled order it cannot foresee where they are.
const AHEAD: usize = 12;

/// Asks for the cache lines of an entry.
#[inline(always)]
fn fetch(entry: *const Entry) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..2 {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(entry.cast::<i8>().wrapping_add(64 * line)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = entry;
}

#[inline(always)]
fn times(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]]
}

#[inline(always)]
fn plus(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]
}

/// Within the bounds; the lower one for what is no number.
#[inline(always)]
fn clamp(x: f64, low: f64, high: f64) -> f64 {
    let x = if x > low { x } else { low };
    if x < high { x } else { high }
}

/// One row. Products and sums stay apart, so that the bits are those of every processor.
///
/// # Safety
/// The invariant of [`SweepData`] holds, and the row is there.
#[inline(always)]
unsafe fn visit(rows: &SweepData, row: usize) {
    // SAFETY: the caller's promise. Of the references to bodies the two are different, or one of them is none.
    unsafe {
        let entry = &*rows.entries.add(row);
        let law = &*rows.laws.add(entry.law as usize);
        let share = (*rows.lambda.add(entry.normal as usize)).abs();
        let (low, high) = (law.low * share, law.high * share);
        let [a, b] = entry.bodies;
        if a == NO_BODY {
            return;
        }
        let lambda = &mut *rows.lambda.add(row);
        let z = rows.z;
        let y = &entry.y;
        let (ya, yb, yc) = ([y[0], y[1], y[2], y[3]], [y[4], y[5], y[6], y[7]], [y[8], y[9], y[10], y[11]]);
        let za = &mut (*z.add(a as usize)).0;
        let za4 = [za[0], za[1], za[2], za[3]];
        let old = *lambda;
        let kept = old + (entry.goal - old * (entry.scale * law.compliance));
        if b == NO_BODY {
            let sum = times(ya, za4);
            let rest = yc[0] * za[4] + yc[1] * za[5];
            let velocity = ((sum[0] + sum[2]) + (sum[1] + sum[3])) + rest;
            let new = clamp(kept - entry.scale * velocity, low, high);
            let delta = new - old;
            *lambda = new;
            [za[0], za[1], za[2], za[3]] = plus(za4, times(ya, [delta; 4]));
            [za[4], za[5]] = [za[4] + yc[0] * delta, za[5] + yc[1] * delta];
            return;
        }
        let zb = &mut (*z.add(b as usize)).0;
        let zb4 = [zb[0], zb[1], zb[2], zb[3]];
        let zc = [za[4], za[5], zb[4], zb[5]];
        let sum = plus(plus(times(ya, za4), times(yb, zb4)), times(yc, zc));
        let velocity = (sum[0] + sum[2]) + (sum[1] + sum[3]);
        let new = clamp(kept - entry.scale * velocity, low, high);
        let delta = new - old;
        *lambda = new;
        [za[0], za[1], za[2], za[3]] = plus(za4, times(ya, [delta; 4]));
        [zb[0], zb[1], zb[2], zb[3]] = plus(zb4, times(yb, [delta; 4]));
        [za[4], za[5], zb[4], zb[5]] = plus(zc, times(yc, [delta; 4]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows with pseudo-random numbers between few bodies, so that they share many.
    pub(super) fn problem(rows: u32, bodies: u32) -> Ordered {
        let mut ordered = Ordered::default();
        ordered.clear(bodies as usize);
        let mut seed = 1u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(seed >> 8) / f64::from(1 << 24) - 0.5
        };
        for i in 0..rows {
            let second = if i % 5 == 0 { NO_BODY } else { (i * 7 + 3) % bodies };
            let y = [[0; 6].map(|_| next()), [0; 6].map(|_| if second == NO_BODY { 0.0 } else { next() })];
            let first = if second == i % bodies { (i + 1) % bodies } else { i % bodies };
            let normal = (i % 3 != 0).then_some(i - i % 3);
            let bounds = if normal.is_some() { [-0.5, 0.5] } else { [0.0, f64::INFINITY] };
            ordered.push(
                &OrderedRow { bodies: [first, second], y, target: next(), compliance: 1e-8, bounds, normal },
                1.3,
            );
        }
        ordered
    }

    #[test]
    fn islands_side_by_side_give_the_bits_of_each() {
        let mut ordered = problem(200, 20);
        for i in 0..200 {
            // Twenty islands of ten rows; three rows have no body.
            let body = if i % 77 == 5 { NO_BODY } else { i as u32 / 10 };
            let entry = &mut ordered.entries[i + 1];
            entry.bodies = [body, NO_BODY];
            // Rows that follow a normal have finite coefficients.
            entry.normal = if i % 10 > 4 && i % 3 != 0 { (i - i % 10) as u32 + 1 } else { ONE };
            for k in [4, 5, 6, 7, 10, 11] {
                entry.y[k] = 0.0;
            }
        }
        let order: Vec<u32> = (0..200).map(|i| i / 10 * 10 + (i * 7) % 10).collect();
        let mut plain = ordered.clone();
        plain.sweep(&order, 7, true);
        let islands: Vec<&[u32]> = order.chunks(10).collect();
        ordered.sweep_lone(&islands, 7);
        assert_eq!(ordered.z, plain.z);
        assert_eq!(ordered.lambda, plain.lambda);
    }

    #[test]
    fn levels_give_the_bits_of_the_order() {
        let mut ordered = problem(300, 40);
        // A contact's rows share their bodies, as in every joint.
        for i in 0..300 {
            ordered.bodies[i + 1] = ordered.bodies[i + 1 - i % 3];
            ordered.entries[i + 1].bodies = ordered.bodies[i + 1];
            if ordered.entries[i + 1].bodies[1] == NO_BODY {
                for k in [4, 5, 6, 7, 10, 11] {
                    ordered.entries[i + 1].y[k] = 0.0;
                }
            }
        }
        let order: Vec<u32> = (0..300).map(|i| (i * 77) % 300).collect();
        let mut plain = ordered.clone();
        let rows = SweepData {
            entries: plain.entries.as_ptr(),
            laws: plain.laws.as_ptr(),
            lambda: plain.lambda.as_mut_ptr(),
            z: plain.z.as_mut_ptr(),
        };
        for _ in 0..5 {
            for &row in &order {
                // SAFETY: 300 rows are there.
                unsafe { visit(&rows, row as usize + 1) };
            }
        }
        ordered.sweep(&order, 5, false);
        assert_eq!(ordered.z, plain.z);
        assert!((0..300).any(|row| ordered.lambda(row) != 0.0));
    }
}
