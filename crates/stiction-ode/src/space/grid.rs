//! Touching boxes by grids of cells in powers of two.

use super::collide::overlap;

/// xmin, xmax, ymin, ymax, zmin, zmax \[m\].
pub(super) type Bounds = [f64; 6];

/// A box in a cell of its level.
#[derive(Clone, Copy, Debug)]
struct Entry {
    cell: [i32; 3],
    level: i32,
    index: u32,
    /// The next entry with this hash, entered before; [`END`] if none.
    next: u32,
    /// Bit per axis on which the box begins in this cell.
    begins: u8,
}

const END: u32 = u32::MAX;

/// A box in the grid of its size.
#[derive(Clone, Copy, Debug)]
struct Place {
    level: i32,
    low: [i32; 3],
    high: [i32; 3],
}

/// Boxes, each in the up to eight cells it touches of the grid whose cells are just larger.
#[derive(Debug, Default)]
pub(super) struct Grid {
    places: Vec<Option<Place>>,
    entries: Vec<Entry>,
    /// Entry entered last, by hash of its cell.
    heads: Vec<u32>,
    /// Levels in use, finest first.
    levels: Vec<i32>,
}

impl Grid {
    /// Grids for boxes of which the finest have cells of `2^least` and the coarsest of `2^greatest` \[m\]. Boxes that are
    /// larger, without end, or so far out that cells cannot be counted are in none.
    pub(super) fn fill(&mut self, bounds: &[Bounds], least: i32, greatest: i32) {
        self.places.clear();
        self.entries.clear();
        self.levels.clear();
        self.heads.clear();
        self.heads.resize((8 * bounds.len()).next_power_of_two().max(16), END);
        for (index, bounds) in bounds.iter().enumerate() {
            let place = place(bounds, least, greatest);
            self.places.push(place);
            if let Some(place) = place {
                if !self.levels.contains(&place.level) {
                    self.levels.push(place.level);
                }
                self.enter(index as u32, &place);
            }
        }
        self.levels.sort_unstable();
    }

    pub(super) fn holds(&self, index: usize) -> bool {
        self.places[index].is_some()
    }

    fn enter(&mut self, index: u32, place: &Place) {
        let mask = self.heads.len() - 1;
        for_each_cell(place.low, place.high, |cell, begins| {
            let head = &mut self.heads[hash(cell, place.level) & mask];
            let next = std::mem::replace(head, self.entries.len() as u32);
            self.entries.push(Entry { cell, level: place.level, index, next, begins });
        });
    }

    /// Touching boxes in the order in which ODE's hash space meets them: a box meets those of its level with a higher
    /// index and all of coarser levels, level by level, cell by cell (x, y, z), the one entered last first. A pair is met
    /// in the first cell it shares, which is where on every axis one of the two begins.
    pub(super) fn for_each_pair(&self, bounds: &[Bounds], mut met: impl FnMut(u32, u32)) {
        let mask = self.heads.len() - 1;
        for (index, place) in self.places.iter().enumerate() {
            let Some(place) = place else { continue };
            for &level in self.levels.iter().filter(|&&level| level >= place.level) {
                // Cells of a coarser level begin where a cell of each finer one does.
                let shift = (level - place.level).min(31);
                let (low, high) = (place.low.map(|c| c >> shift), place.high.map(|c| c >> shift));
                for_each_cell(low, high, |cell, begins| {
                    let mut at = self.heads[hash(cell, level) & mask];
                    while let Some(entry) = self.entries.get(at as usize) {
                        at = entry.next;
                        let first_shared = entry.begins | begins == 0b111;
                        let later = level > place.level || entry.index as usize > index;
                        if first_shared
                            && later
                            && entry.cell == cell
                            && entry.level == level
                            && overlap(&bounds[index], &bounds[entry.index as usize])
                        {
                            met(index as u32, entry.index);
                        }
                    }
                });
            }
        }
    }
}

/// Touching boxes as pairs of indices, the lower first, in order; boxes in no grid are held against all others.
pub(super) fn pairs_in_order(bounds: &[Bounds]) -> Vec<(u32, u32)> {
    let mut grid = Grid::default();
    grid.fill(bounds, -40, 80);
    let mut pairs = Vec::new();
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
    pairs
}

/// The level of a box is the least `n` with all sides shorter than `2^n`, 0 for a point.
fn place(bounds: &Bounds, least: i32, greatest: i32) -> Option<Place> {
    let side = (bounds[1] - bounds[0]).max(bounds[3] - bounds[2]).max(bounds[5] - bounds[4]);
    if !side.is_finite() {
        return None;
    }
    let level = libm::frexp(side).1.max(least);
    if level > greatest {
        return None;
    }
    let cells = bounds.map(|b| (b * libm::ldexp(1.0, -level)).floor());
    // Where a number of cells is no whole number any more ODE gives up; these boxes are looked at one by one.
    if !cells.iter().all(|c| c.abs() < f64::from(i32::MAX)) {
        return None;
    }
    let cells = cells.map(|c| c as i32);
    Some(Place { level, low: [cells[0], cells[2], cells[4]], high: [cells[1], cells[3], cells[5]] })
}

/// Cells of a block, x slowest, with a bit for every axis on which the cell is the block's first.
fn for_each_cell(low: [i32; 3], high: [i32; 3], mut visit: impl FnMut([i32; 3], u8)) {
    for x in low[0]..=high[0] {
        let at_x = u8::from(x == low[0]);
        for y in low[1]..=high[1] {
            let at_y = u8::from(y == low[1]) << 1;
            for z in low[2]..=high[2] {
                let at_z = u8::from(z == low[2]) << 2;
                visit([x, y, z], at_x | at_y | at_z);
            }
        }
    }
}

/// Spreads cells over the table; multipliers are odd and without pattern.
fn hash(cell: [i32; 3], level: i32) -> usize {
    let word = |v: i32| u64::from(v as u32);
    let mixed = word(cell[0]).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ word(cell[1]).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
        ^ word(cell[2]).wrapping_mul(0x1656_67B1_9E37_79F9)
        ^ word(level).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) as usize >> 24
}
