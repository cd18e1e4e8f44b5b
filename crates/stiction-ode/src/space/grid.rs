//! Touching boxes by grids of cells in powers of two.

use super::collide::overlap;

/// xmin, xmax, ymin, ymax, zmin, zmax \[m\].
pub(super) type Bounds = [f64; 6];

/// A box in the grid of its size: the least `n` with all sides shorter than `2^n`, and its first and last cells.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// [`NOWHERE`] for boxes in no grid.
    level: i32,
    low: [i32; 3],
    high: [i32; 3],
}

const NOWHERE: i32 = i32::MAX;
const END: u32 = u32::MAX;

/// Boxes, each entered with its first cell in the grid whose cells are just larger than it.
#[derive(Debug, Default)]
pub(super) struct Grid {
    places: Vec<Place>,
    /// The box entered last, by hash of its first cell, and the one before each in the same list.
    heads: Vec<u32>,
    next: Vec<u32>,
    /// Levels in use, finest first.
    levels: Vec<i32>,
    /// Pairs as found, the one that meets first.
    found: Vec<(u32, u32)>,
    /// Where each box's pairs begin, and the other boxes of all pairs.
    starts: Vec<u32>,
    others: Vec<u32>,
}

impl Grid {
    /// Grids for boxes of which the finest have cells of `2^least` and the coarsest of `2^greatest` \[m\]. Boxes that are
    /// larger, without end, or so far out that cells cannot be counted are in none.
    pub(super) fn fill(&mut self, bounds: &[Bounds], least: i32, greatest: i32) {
        self.levels.clear();
        self.places.clear();
        self.places.extend(bounds.iter().map(|bounds| place(bounds, least, greatest).unwrap_or(OUTSIDE)));
        self.heads.clear();
        self.heads.resize((2 * bounds.len()).next_power_of_two().max(16), END);
        self.next.clear();
        let mask = self.heads.len() - 1;
        for (index, place) in self.places.iter().enumerate() {
            self.next.push(END);
            if place.level == NOWHERE {
                continue;
            }
            if !self.levels.contains(&place.level) {
                self.levels.push(place.level);
            }
            let head = &mut self.heads[hash(place.low, place.level) & mask];
            self.next[index] = std::mem::replace(head, index as u32);
        }
        self.levels.sort_unstable();
    }

    pub(super) fn holds(&self, index: usize) -> bool {
        self.places[index].level != NOWHERE
    }

    /// Touching boxes in the order in which ODE's hash space meets them: a box meets those of its level with a higher
    /// index and all of coarser levels, level by level, cell by cell (x, y, z), of one cell the highest index first. A pair
    /// is met in the first cell it shares.
    pub(super) fn for_each_pair(&mut self, bounds: &[Bounds], mut met: impl FnMut(u32, u32)) {
        self.find(bounds);
        self.group();
        for index in 0..self.places.len() {
            let others = self.starts[index] as usize..self.starts[index + 1] as usize;
            let others = &mut self.others[others];
            if others.len() > 1 {
                let (places, own) = (&self.places, &self.places[index]);
                others.sort_unstable_by_key(|&other| {
                    let place = &places[other as usize];
                    let own = own.at(place.level);
                    let shared = [0, 1, 2].map(|axis| own.low[axis].max(place.low[axis]));
                    (place.level, shared, !other)
                });
            }
            for &other in others.iter() {
                met(index as u32, other);
            }
        }
    }

    /// A box reaches into two cells along each axis at most, so those it touches begin in the same cell, the one before, or
    /// the one after if it reaches there.
    fn find(&mut self, bounds: &[Bounds]) {
        self.found.clear();
        let mask = self.heads.len() - 1;
        for (index, own) in self.places.iter().enumerate() {
            for &level in self.levels.iter().filter(|&&level| level >= own.level && own.level != NOWHERE) {
                let at = own.at(level);
                let same = level == own.level;
                let mut look = |cell: [i32; 3]| {
                    let mut other = self.heads[hash(cell, level) & mask];
                    while let Some(&next) = self.next.get(other as usize) {
                        let place = &self.places[other as usize];
                        // Boxes of one level in one cell find each other: the lower index counts.
                        let once = !same || cell != own.low || other as usize > index;
                        if once && place.low == cell && place.level == level {
                            let touches = overlap(&bounds[index], &bounds[other as usize]);
                            if touches {
                                let first = if same { (index as u32).min(other) } else { index as u32 };
                                self.found.push((first, if same { (index as u32).max(other) } else { other }));
                            }
                        }
                        other = next;
                    }
                };
                for x in at.low[0] - 1..=at.high[0] {
                    for y in at.low[1] - 1..=at.high[1] {
                        for z in at.low[2] - 1..=at.high[2] {
                            // Of two boxes of one level the one whose first cell is lower need not look back.
                            if !same || [x, y, z] >= own.low {
                                look([x, y, z]);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Sorts the pairs by the box that meets, by counting.
    fn group(&mut self) {
        self.starts.clear();
        self.starts.resize(self.places.len() + 2, 0);
        for &(first, _) in &self.found {
            self.starts[first as usize + 2] += 1;
        }
        for index in 2..self.starts.len() {
            self.starts[index] += self.starts[index - 1];
        }
        self.others.clear();
        self.others.resize(self.found.len(), 0);
        for &(first, other) in &self.found {
            let at = &mut self.starts[first as usize + 1];
            self.others[*at as usize] = other;
            *at += 1;
        }
    }
}

const OUTSIDE: Place = Place { level: NOWHERE, low: [0; 3], high: [0; 3] };

impl Place {
    /// The cells at a coarser level, which begin where a cell of each finer one does.
    fn at(&self, level: i32) -> Self {
        let shift = (level - self.level).min(31);
        Self { level, low: self.low.map(|c| c >> shift), high: self.high.map(|c| c >> shift) }
    }
}

/// Touching boxes as pairs of indices, the lower first, in order; boxes in no grid are held against all others.
pub(super) fn pairs_in_order(bounds: &[Bounds], grid: &mut Grid, pairs: &mut Vec<(u32, u32)>) {
    grid.fill(bounds, -40, 80);
    pairs.clear();
    grid.for_each_pair(bounds, |i, j| pairs.push((i.min(j), i.max(j))));
    for (i, a) in bounds.iter().enumerate().filter(|&(i, _)| !grid.holds(i)) {
        for (j, b) in bounds.iter().enumerate() {
            // Two such boxes are met once, by the lower.
            if (j > i || (j < i && grid.holds(j))) && overlap(a, b) {
                pairs.push((i.min(j) as u32, i.max(j) as u32));
            }
        }
    }
    pairs.sort_unstable();
}

fn place(bounds: &Bounds, least: i32, greatest: i32) -> Option<Place> {
    let side = (bounds[1] - bounds[0]).max(bounds[3] - bounds[2]).max(bounds[5] - bounds[4]);
    if !side.is_finite() {
        return None;
    }
    // The exponent of the number as a fraction of one half to one; 0 for zero.
    let level = if side >= f64::MIN_POSITIVE { exponent(side) } else { libm::frexp(side).1 }.max(least);
    if level > greatest {
        return None;
    }
    let cell =
        if level.abs() < 1000 { f64::from_bits(((1023 - level) as u64) << 52) } else { libm::ldexp(1.0, -level) };
    let cells = bounds.map(|b| b * cell);
    // Where a number of cells is no whole number any more ODE gives up; these boxes are looked at one by one.
    if !cells.iter().all(|c| c.abs() < f64::from(i32::MAX - 1)) {
        return None;
    }
    let cells = cells.map(floor);
    Some(Place { level, low: [cells[0], cells[2], cells[4]], high: [cells[1], cells[3], cells[5]] })
}

/// `n` with `2^(n-1) <= x < 2^n` for a normal positive number.
fn exponent(x: f64) -> i32 {
    (x.to_bits() >> 52) as i32 - 1022
}

/// The whole number below, without a call.
fn floor(x: f64) -> i32 {
    let toward_zero = x as i32;
    toward_zero - i32::from(f64::from(toward_zero) > x)
}

/// Spreads cells over the table; multipliers are odd and without pattern.
fn hash(cell: [i32; 3], level: i32) -> usize {
    let word = |v: i32| u64::from(v as u32);
    let mixed = word(cell[0]).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ word(cell[1]).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
        ^ word(cell[2]).wrapping_mul(0x1656_67B1_9E37_79F9)
        ^ word(level).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32) as usize
}
