//! One small island. A visit to a row changes `z`, and the next visit waits for the product of its row with it. Where rows are
//! few, what each would ask for is kept instead of `z`: with `C = ω D⁻¹ (Yᵀ Y + Γ) − 1` by rows,
//! `x ← ω D⁻¹ (b − Γ λ − Yᵀ z) + λ` of all rows changes by `−C δλ` of the visited one, and `λ ← clamp(x)` waits for one product
//! only. It is the same iteration as [`Ordered::sweep`], with other roundings.

use super::{NO_BODY, ONE, Ordered, clamp};

/// Rows of an island that is small: beyond it, changing what all rows ask for takes longer than waiting for `z`.
pub const MOST_COUPLED: usize = 48;

/// Room for rows: a power of two, so that no place needs to be checked.
const ROOM: usize = MOST_COUPLED.next_power_of_two();
const MASK: usize = ROOM - 1;

/// Numbers of all rows, in lines of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Column([f64; ROOM]);

/// An island as it is swept; kept for its memory.
#[derive(Clone, Debug)]
pub(super) struct Island {
    /// Columns of C.
    coupling: [Column; ROOM],
    x: Column,
    low: Column,
    high: Column,
    /// Impulses; behind them is 1.
    lambda: [f64; 2 * ROOM],
    normal: [u8; ROOM],
    /// The rows' Y by coordinates of bodies.
    y: Vec<Column>,
}

impl Default for Island {
    fn default() -> Self {
        let zero = Column([0.0; ROOM]);
        Self {
            coupling: [zero; ROOM],
            x: zero,
            low: zero,
            high: zero,
            lambda: [0.0; 2 * ROOM],
            normal: [0; ROOM],
            y: Vec::new(),
        }
    }
}

/// Where the coordinates of the two bodies are in an entry.
const PLACES: [[usize; 6]; 2] = [[0, 1, 2, 3, 8, 9], [4, 5, 6, 7, 10, 11]];

impl Ordered {
    /// Sweeps over the rows of one island, at most [`MOST_COUPLED`], which stand one after the other from `first` on. Each of
    /// `stretches` is an order of these rows, and the number of sweeps in it.
    ///
    /// # Panics
    /// If a row is not there, an order names another one, or there are too many.
    pub fn sweep_coupled<'a>(&mut self, first: usize, count: usize, stretches: impl Iterator<Item = (&'a [u32], u32)>) {
        assert!(count <= MOST_COUPLED, "the island is small");
        // Lent for the call: what follows reads the rows beside it.
        let mut island = self.island.take().unwrap_or_default();
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2.
                unsafe { self.couple_avx2(&mut island, first, count) };
            } else {
                self.couple(&mut island, first, count);
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        self.couple(&mut island, first, count);
        let mut local = [0u8; ROOM];
        for (order, sweeps) in stretches {
            assert!(order.len() <= count, "an order names a row once");
            for (to, &row) in local.iter_mut().zip(order) {
                let place = (row as usize).wrapping_sub(first);
                assert!(place < count, "the order names rows of the island");
                *to = place as u8;
            }
            island.sweep(&local[..order.len()], count.div_ceil(4), sweeps);
        }
        self.uncouple(&island, first, count);
        self.island = Some(island);
    }

    /// # Safety
    /// The processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn couple_avx2(&mut self, island: &mut Island, first: usize, count: usize) {
        self.couple(island, first, count);
    }

    /// Fills in an island.
    #[inline(always)]
    fn couple(&mut self, island: &mut Island, first: usize, count: usize) {
        let entries = &self.entries[first + 1..=first + count];
        // Bodies are numbered as they come; their numbers are found by the marks that levels use otherwise.
        for body in entries.iter().flat_map(|entry| entry.bodies).filter(|&body| body != NO_BODY) {
            self.level_of_body[body as usize] = u32::MAX;
        }
        island.y.clear();
        // Blocks of four rows in which a body has any.
        let mut masks = [0u16; 2 * ROOM];
        for (row, entry) in entries.iter().enumerate() {
            for (&body, places) in entry.bodies.iter().zip(PLACES) {
                if body == NO_BODY {
                    continue;
                }
                let start = &mut self.level_of_body[body as usize];
                if *start == u32::MAX {
                    *start = island.y.len() as u32;
                    island.y.resize(island.y.len() + 6, Column([0.0; ROOM]));
                }
                for (k, place) in places.into_iter().enumerate() {
                    island.y[*start as usize + k].0[row] = entry.y[place];
                }
                masks[*start as usize / 6] |= 1 << (row / 4);
            }
        }
        let mut scale = [0.0; ROOM];
        for (to, entry) in scale.iter_mut().zip(entries) {
            *to = entry.scale;
        }
        // All that a sweep may write.
        let width = match count.div_ceil(4) {
            blocks @ 0..=8 => 4 * blocks,
            9 | 10 => 40,
            _ => MOST_COUPLED,
        };
        for (row, entry) in entries.iter().enumerate() {
            let column = &mut island.coupling[row].0;
            column[..width].fill(0.0);
            for (&body, places) in entry.bodies.iter().zip(PLACES) {
                if body == NO_BODY {
                    continue;
                }
                let start = self.level_of_body[body as usize] as usize;
                let (own, others) = (places.map(|place| entry.y[place]), &island.y[start..start + 6]);
                let mut blocks = masks[start / 6];
                while blocks != 0 {
                    let at = (4 * blocks.trailing_zeros() as usize) & MASK;
                    blocks &= blocks - 1;
                    let mut sum = [0.0; 4];
                    for k in 0..6 {
                        for lane in 0..4 {
                            sum[lane] += own[k] * others[k].0[at + lane];
                        }
                    }
                    for lane in 0..4 {
                        column[at + lane] += sum[lane];
                    }
                }
            }
            for (c, scale) in column[..width].iter_mut().zip(&scale) {
                *c *= scale;
            }
            let law = &self.laws[entry.law as usize];
            column[row] = (column[row] - 1.0) + entry.scale * law.compliance;
            // A row that acts on nothing keeps its impulse, which is zero.
            let acts = entry.bodies[0] != NO_BODY;
            (island.low.0[row], island.high.0[row]) = if acts { (law.low, law.high) } else { (0.0, 0.0) };
            let old = self.lambda[first + 1 + row];
            island.lambda[row] = old;
            let normal = if entry.normal == ONE { ROOM } else { entry.normal as usize - 1 - first };
            assert!(normal < row || entry.normal == ONE, "the normal is a row of the island, before its friction");
            island.normal[row] = normal as u8;
            let mut velocity = 0.0;
            for (&body, places) in entry.bodies.iter().zip(PLACES) {
                if body != NO_BODY {
                    let z = &self.z[body as usize].0;
                    velocity += places.into_iter().zip(z).map(|(place, z)| entry.y[place] * z).sum::<f64>();
                }
            }
            island.x.0[row] = old + (entry.goal - old * (entry.scale * law.compliance)) - entry.scale * velocity;
        }
        island.lambda[ROOM] = 1.0;
    }

    /// Takes the impulses back, and what they do.
    fn uncouple(&mut self, island: &Island, first: usize, count: usize) {
        for row in 0..count {
            let entry = &self.entries[first + 1 + row];
            let delta = island.lambda[row] - self.lambda[first + 1 + row];
            self.lambda[first + 1 + row] = island.lambda[row];
            for (&body, places) in entry.bodies.iter().zip(PLACES) {
                if body != NO_BODY {
                    let z = &mut self.z[body as usize].0;
                    for (z, place) in z.iter_mut().zip(places) {
                        *z += entry.y[place] * delta;
                    }
                }
            }
        }
    }
}

impl Island {
    /// Sweeps in an order. Columns are taken to have so many blocks of four.
    fn sweep(&mut self, order: &[u8], blocks: usize, sweeps: u32) {
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2.
                return unsafe { self.sweep_avx2(order, blocks, sweeps) };
            }
        }
        self.sweep_any(order, blocks, sweeps);
    }

    /// # Safety
    /// The processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn sweep_avx2(&mut self, order: &[u8], blocks: usize, sweeps: u32) {
        self.sweep_any(order, blocks, sweeps);
    }

    #[inline(always)]
    fn sweep_any(&mut self, order: &[u8], blocks: usize, sweeps: u32) {
        match blocks {
            0 | 1 => self.run::<4>(order, sweeps),
            2 => self.run::<8>(order, sweeps),
            3 => self.run::<12>(order, sweeps),
            4 => self.run::<16>(order, sweeps),
            5 => self.run::<20>(order, sweeps),
            6 => self.run::<24>(order, sweeps),
            7 => self.run::<28>(order, sweeps),
            8 => self.run::<32>(order, sweeps),
            9 | 10 => self.run::<40>(order, sweeps),
            _ => self.run::<MOST_COUPLED>(order, sweeps),
        }
    }

    /// The next row's number is computed by itself, so that it does not wait until all have been written and read again.
    #[inline(always)]
    fn run<const WIDTH: usize>(&mut self, order: &[u8], sweeps: u32) {
        let Some(&start) = order.first() else { return };
        let mut row = start as usize & MASK;
        let mut wanted = self.x.0[row];
        for _ in 0..sweeps {
            for at in 0..order.len() {
                let next = *order.get(at + 1).unwrap_or(&start) as usize & MASK;
                let share = self.lambda[self.normal[row] as usize & (2 * ROOM - 1)].abs();
                let old = self.lambda[row];
                let new = clamp(wanted, self.low.0[row] * share, self.high.0[row] * share);
                let delta = new - old;
                self.lambda[row] = new;
                let column = &self.coupling[row].0;
                wanted = self.x.0[next] - column[next] * delta;
                for (x, c) in self.x.0[..WIDTH].iter_mut().zip(&column[..WIDTH]) {
                    *x -= c * delta;
                }
                row = next;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::problem;
    use super::*;

    /// The same problem, as an island of few rows, swept in two orders both ways.
    #[test]
    fn coupled_rows_move_as_rows_over_coordinates() {
        for rows in 1..=MOST_COUPLED as u32 {
            let mut plain = problem(rows, 2 + rows / 4);
            let mut coupled = plain.clone();
            let forward: Vec<u32> = (0..rows).collect();
            let mixed: Vec<u32> = (0..rows).map(|i| if rows % 5 == 0 { rows - 1 - i } else { i * 5 % rows }).collect();
            plain.sweep(&forward, 8, true);
            plain.sweep(&mixed, 5, true);
            coupled.sweep_coupled(0, rows as usize, [(&forward[..], 8), (&mixed[..], 5)].into_iter());
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-13 * (1.0 + b.abs());
            for row in 0..rows as usize {
                assert!(close(coupled.lambda(row), plain.lambda(row)), "{rows}: {row}");
            }
            for (a, b) in coupled.z.iter().zip(&plain.z) {
                assert!(a.0.iter().zip(&b.0).all(|(&a, &b)| close(a, b)), "{rows}");
            }
        }
    }
}
