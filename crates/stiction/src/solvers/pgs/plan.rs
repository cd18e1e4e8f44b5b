//! The rows of a batch of islands in an order that gives the same bits as the order of rows, and lets the processor
//! work on several at once.
//!
//! Rows that share no clique commute: visiting them side by side or one after the other changes no bit. So each unit
//! of rows gets a level, one above the last unit that touches one of its cliques, and the units of one level go side
//! by side into the lanes of records.

use crate::constraint::{Bound, Island, Problem, Row, RowKind};
use crate::math::F64x4;

use super::record::{Record, Records, Store};

/// Rows of a long record: those of a joint that holds all of its bodies' motion.
pub(super) const LONG: usize = 6;

/// Rows that are visited together.
#[derive(Clone, Copy, Debug)]
struct Unit {
    first: u32,
    rows: u32,
    kind: Kind,
    level: u32,
    island: u32,
}

/// How a unit is visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Contact of one free body: a normal without upper bound, and friction that follows it.
    Contact,
    /// Contact of two free bodies.
    ContactPair,
    /// Up to three rows over one free body.
    Single,
    /// Up to three rows over two free bodies.
    Pair,
    /// Up to [`LONG`] rows over two free bodies.
    Long,
    /// Row by row.
    General,
}

/// Records, or rows visited one by one, of one kind and level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) kind: Kind,
    /// Number of bundles, or of rows visited one by one.
    pub(super) wide: u32,
    /// Number of records left over: none or one.
    pub(super) narrow: u32,
}

/// A row, or the two of an ellipse, visited one by one.
#[derive(Clone, Copy, Debug)]
pub(super) struct General {
    pub(super) row: u32,
    pub(super) island: u32,
}

/// Records of one kind: bundles, and the ones left over.
#[derive(Clone, Debug, Default)]
pub(super) struct Both<const B: usize, const R: usize, const N: usize> {
    pub(super) wide: Records<F64x4, B, R, N>,
    pub(super) narrow: Records<f64, B, R, N>,
}

impl<const B: usize, const R: usize, const N: usize> Both<B, R, N> {
    fn clear(&mut self) {
        self.wide.clear();
        self.narrow.clear();
    }
}

/// Units of a batch, sorted and packed; its memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) runs: Vec<Run>,
    pub(super) contacts: Both<1, 3, 0>,
    pub(super) contact_pairs: Both<2, 3, 0>,
    pub(super) singles: Both<1, 3, 3>,
    pub(super) pairs: Both<2, 3, 3>,
    pub(super) longs: Both<2, LONG, LONG>,
    pub(super) general: Vec<General>,
    units: Vec<Unit>,
    sorted: Vec<Unit>,
    starts: Vec<u32>,
    levels: Vec<u32>,
    readers: Vec<u32>,
}

impl Plan {
    /// Sorts and packs the rows of consecutive islands.
    pub(super) fn make(&mut self, problem: &Problem, islands: &[Island], relaxation: f64, lambda: &[f64]) {
        self.cut(problem, islands);
        self.sort();
        self.runs.clear();
        self.contacts.clear();
        self.contact_pairs.clear();
        self.singles.clear();
        self.pairs.clear();
        self.longs.clear();
        self.general.clear();
        let mut start = 0;
        while start < self.sorted.len() {
            let Unit { kind, level, .. } = self.sorted[start];
            let same = |u: &&Unit| u.kind == kind && u.level == level;
            let end = start + self.sorted[start..].iter().take_while(same).count();
            let units = &self.sorted[start..end];
            let pack = Packer { problem, relaxation, lambda, units };
            let (wide, narrow) = match kind {
                Kind::Contact => pack.records(&mut self.contacts),
                Kind::ContactPair => pack.records(&mut self.contact_pairs),
                Kind::Single => pack.records(&mut self.singles),
                Kind::Pair => pack.records(&mut self.pairs),
                Kind::Long => pack.records(&mut self.longs),
                Kind::General => {
                    self.general.extend(units.iter().map(|u| General { row: u.first, island: u.island }));
                    (units.len() as u32, 0)
                }
            };
            self.runs.push(Run { kind, wide, narrow });
            start = end;
        }
    }

    /// Cuts the rows into units and finds their levels.
    fn cut(&mut self, problem: &Problem, islands: &[Island]) {
        self.units.clear();
        let (Some(first), Some(last)) = (islands.first(), islands.last()) else { return };
        let base = first.cliques.start;
        self.levels.clear();
        self.levels.resize((last.cliques.end - base) as usize, 0);
        let (row_base, row_end) = (first.rows.start as usize, last.rows.end as usize);
        self.readers.clear();
        self.readers.resize(row_end - row_base, 0);
        for (i, row) in problem.rows[row_base..row_end].iter().enumerate() {
            if let Bound::Coefficient { normal, .. } = row.bound {
                self.readers[normal as usize - row_base] = (row_base + i) as u32;
            }
        }
        let mut without_cliques = 0;
        for (number, island) in islands.iter().enumerate() {
            let mut i = island.rows.start;
            while i < island.rows.end {
                let (rows, kind) = unit(problem, &self.readers, row_base, i as usize, island.rows.end as usize);
                let members = &problem.rows[i as usize..i as usize + rows];
                let cliques = || members.iter().flat_map(|r| problem.row_blocks(r)).map(|b| (b.clique - base) as usize);
                let level = 1 + cliques().map(|c| self.levels[c]).max().unwrap_or(without_cliques);
                cliques().for_each(|c| self.levels[c] = level);
                without_cliques = without_cliques.max(level);
                self.units.push(Unit { first: i, rows: rows as u32, kind, level, island: number as u32 });
                i += rows as u32;
            }
        }
    }

    /// Counting sort by level and kind.
    fn sort(&mut self) {
        let key = |u: &Unit| u.level as usize * (Kind::General as usize + 1) + u.kind as usize;
        let last = self.units.iter().map(key).max().unwrap_or(0);
        self.starts.clear();
        self.starts.resize(last + 2, 0);
        for unit in &self.units {
            self.starts[key(unit) + 1] += 1;
        }
        for i in 1..self.starts.len() {
            self.starts[i] += self.starts[i - 1];
        }
        self.sorted.clear();
        self.sorted.extend_from_slice(&self.units);
        for unit in &self.units {
            let place = &mut self.starts[key(unit)];
            self.sorted[*place as usize] = *unit;
            *place += 1;
        }
    }
}

/// The unit that starts at a row: its number of rows and how it is visited. `readers` has the last row whose bound
/// follows each row from `base` on; 0 is none.
fn unit(problem: &Problem, readers: &[u32], base: usize, i: usize, end: usize) -> (usize, Kind) {
    let rows = &problem.rows;
    let row = &rows[i];
    if row.ellipse {
        return (2, Kind::General);
    }
    let blocks = problem.row_blocks(row);
    let is_free = matches!(blocks.len(), 1 | 2) && blocks.iter().all(|b| b.dofs == 6) && row.diagonal > 0.0;
    let is_twice = blocks.len() == 2 && blocks[0].clique == blocks[1].clique;
    if !is_free || is_twice || row.bound != Bound::Fixed {
        return (1, Kind::General);
    }
    let same_bodies = |other: &Row| {
        let others = problem.row_blocks(other);
        others.len() == blocks.len() && others.iter().zip(blocks).all(|(a, b)| a.clique == b.clique)
    };
    let fits = |other: &Row| {
        let is_bound = match other.bound {
            Bound::Fixed => true,
            Bound::Coefficient { normal, coefficient } => normal as usize == i && coefficient.is_finite(),
        };
        !other.ellipse && other.kind != RowKind::Normal && other.diagonal > 0.0 && is_bound && same_bodies(other)
    };
    let count = |most: usize| 1 + rows[i + 1..end.min(i + most)].iter().take_while(|r| fits(r)).count();
    // Rows elsewhere that read an impulse of these find it only where rows are visited one by one.
    let is_read = |n: usize| (i..i + n).any(|r| readers[r - base] >= (i + n) as u32 || r > i && readers[r - base] > 0);
    let long = if blocks.len() == 2 && readers[i - base] == 0 { count(LONG) } else { 0 };
    if long > 3 && !is_read(long) {
        return (long, Kind::Long);
    }
    let short = count(3);
    if is_read(short) {
        return (1, Kind::General);
    }
    let is_contact = row.lower == 0.0
        && row.upper == f64::INFINITY
        && rows[i + 1..i + short].iter().all(|r| matches!(r.bound, Bound::Coefficient { .. }));
    let kind = match (is_contact, blocks.len()) {
        (true, 1) => Kind::Contact,
        (true, _) => Kind::ContactPair,
        (false, 1) => Kind::Single,
        (false, _) => Kind::Pair,
    };
    (short, kind)
}

/// Writes units into records.
struct Packer<'a> {
    problem: &'a Problem,
    relaxation: f64,
    lambda: &'a [f64],
    units: &'a [Unit],
}

impl Packer<'_> {
    /// Fills bundles; one unit left over goes into a record of its own. Returns the number of bundles and of those
    /// records.
    fn records<const B: usize, const R: usize, const N: usize>(&self, records: &mut Both<B, R, N>) -> (u32, u32) {
        let Both { wide, narrow } = records;
        let mut count = 0;
        for chunk in self.units.chunks(F64x4::WIDTH) {
            if let [unit] = chunk {
                self.fill(narrow.add(), 0, unit);
                return (count, 1);
            }
            let record = wide.add();
            for lane in 0..F64x4::WIDTH {
                // A lane to spare repeats the bodies of the first and has no rows.
                self.fill(record, lane, chunk.get(lane).unwrap_or(&Unit { rows: 0, ..chunk[0] }));
            }
            count += 1;
        }
        (count, 0)
    }

    /// Writes every number of a lane.
    #[inline(always)]
    fn fill<S: Store, const B: usize, const R: usize, const N: usize>(
        &self,
        record: &mut Record<S, B, R, N>,
        lane: usize,
        unit: &Unit,
    ) {
        let first = unit.first as usize;
        let problem = self.problem;
        for (b, block) in problem.row_blocks(&problem.rows[first]).iter().enumerate().take(B) {
            record.at[b][lane] = block.z;
        }
        record.island[lane] = unit.island;
        record.row[lane] = unit.first;
        record.rows[lane] = unit.rows as u8;
        let is_orthogonal = problem.rows[first..first + unit.rows as usize].iter().all(|row| row.is_orthogonal);
        record.is_orthogonal = is_orthogonal && (lane == 0 || record.is_orthogonal);
        let zeros = [[0.0; 6]; B];
        let mut y = [zeros; R];
        for (i, row) in problem.rows[first..first + unit.rows as usize].iter().enumerate() {
            for (y, block) in y[i].iter_mut().zip(problem.row_blocks(row)) {
                y.copy_from_slice(&problem.y[block.y as usize..block.y as usize + 6]);
            }
            let scale = self.relaxation / row.diagonal;
            for (to, from) in record.y[i].iter_mut().zip(&y[i]) {
                (0..6).for_each(|k| to[k].set(lane, scale * from[k]));
            }
            record.keep[i].set(lane, 1.0 - scale * row.compliance);
            record.goal[i].set(lane, scale * row.target);
            record.matrix[i][i].set(lane, row.diagonal / self.relaxation);
            record.lambda[i].set(lane, self.lambda[first + i]);
            let (bounds, coefficient) = match row.bound {
                Bound::Fixed => ([row.lower, row.upper], 0.0),
                Bound::Coefficient { coefficient, .. } => ([0.0; 2], coefficient),
            };
            if N > 0 {
                (0..2).for_each(|k| record.bounds[i][k].set(lane, bounds[k]));
            }
            if i > 0 {
                record.matrix[0][i].set(lane, coefficient);
            }
            for j in 0..i {
                if is_orthogonal {
                    record.matrix[i][j].set(lane, 0.0);
                    continue;
                }
                let product = dot(&y[i][0], &y[j][0]) + if B == 2 { dot(&y[i][B - 1], &y[j][B - 1]) } else { 0.0 };
                record.matrix[i][j].set(lane, scale * product);
            }
        }
        for i in unit.rows as usize..R {
            record.freeze(lane, i);
            record.matrix[i][i].set(lane, 0.0);
            record.lambda[i].set(lane, 0.0);
            if N > 0 {
                (0..2).for_each(|k| record.bounds[i][k].set(lane, 0.0));
            }
            if i > 0 {
                record.matrix[0][i].set(lane, 0.0);
            }
        }
    }
}

#[inline(always)]
fn dot(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5])
}
