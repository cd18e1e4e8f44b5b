//! A few manifolds and axes of joints in the space of their rows: a pass reads and changes the velocities of rows, not those of bodies.
//!
//! With `z` the velocities of bodies, P the projection on what joints allow and rows Y, a row has the velocity `u = Yᵀ z` and an impulse λ of
//! it changes those of all by `W λ`, `W = Yᵀ P Y` (the Delassus operator). Nothing has to be projected between two rows then, and a row sees
//! all that its impulse moves.

use super::bundle::{BLOCKED, Bundle, NORMAL, ROWS, is_row};
use super::lane::Record;
use super::pass::{PassRule, gaps_now, solve};
use crate::solvers::SemidefiniteSystem;

/// Rows of a block: those of a manifold and one that is not there, or up to eight axes.
pub(crate) const BLOCK: usize = 8;

/// Rows of a block that holds two halves of a body together.
pub(crate) const ROWS_OF_CUT: usize = 6;

/// Share of what a row would move of its bodies alone that a pass takes for it where joints hold it: its impulse is neither infinite nor rounding.
const HELD: f64 = 1e-6;

/// Share of the energy of all impulses that a block has at least, where it is asked how far that has settled.
const LIGHTEST: f64 = 1e-8;

/// What the rows of a block do to one coordinate of a mechanism: their impulses along it, and its rates by these.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Support {
    pub(crate) coordinate: u32,
    pub(crate) impulses: Record,
    pub(crate) rates: Record,
}

/// The supports of blocks, by falling coordinates in each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Supports {
    list: Vec<Support>,
    ends: Vec<usize>,
}

impl Supports {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.ends.clear();
    }

    /// Adds a coordinate of the present block.
    pub(crate) fn push(&mut self, support: Support) {
        self.list.push(support);
    }

    /// Ends a block.
    pub(crate) fn end_block(&mut self) {
        self.ends.push(self.list.len());
        debug_assert!(self.block(self.ends.len() - 1).is_sorted_by(|a, b| a.coordinate > b.coordinate));
    }

    /// Number of blocks.
    pub(crate) fn blocks(&self) -> usize {
        self.ends.len()
    }

    /// The supports of a block.
    fn block(&self, block: usize) -> &[Support] {
        let start = if block == 0 { 0 } else { self.ends[block - 1] };
        &self.list[start..self.ends[block]]
    }
}

/// Velocities of the rows of a mechanism by blocks, and what their impulses do to them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactSpace {
    blocks: usize,
    /// By row, changes of the velocities of all blocks by its unit impulse.
    columns: Vec<Record>,
    pub(crate) velocities: Vec<Record>,
    /// Displacements of rows from the pose where they are.
    pub(crate) ways: Vec<Record>,
    /// Impulses that the velocities have been given.
    pub(crate) given: Vec<Record>,
    /// Velocities without the impulses of the sub-step.
    without: Vec<Record>,
    /// Velocities of rows that are held, by row, and their impulses by one of these.
    held: Vec<f64>,
    given_by: Vec<f64>,
    /// Energies of the changes in a pass, and of the impulses after it, by block \[J\].
    passed: Vec<[f64; 2]>,
}

impl ContactSpace {
    /// Begins anew with the rows of some blocks.
    #[inline(always)]
    pub(super) fn begin(&mut self, supports: &Supports) {
        self.blocks = supports.blocks();
        self.columns.resize(BLOCK * self.blocks * self.blocks, Record::default());
        for list in [&mut self.velocities, &mut self.ways, &mut self.given] {
            list.clear();
            list.resize(self.blocks, Record::default());
        }
        for target in 0..self.blocks {
            for source in 0..=target {
                self.couple((target, supports.block(target)), (source, supports.block(source)));
            }
        }
    }

    /// Takes what impulses of the rows of some blocks from `first` on give that are given with all others, so that the velocities of these rows stay as they
    /// are: their system among themselves has been eliminated. Rows of blocks before `visible` see the others so.
    pub(crate) fn hold(&mut self, visible: usize, first: usize, (system, matrix): (&SemidefiniteSystem, &[f64])) {
        let Self { blocks, columns, held, given_by, .. } = self;
        let count = matrix.len().isqrt();
        let rows = BLOCK * visible;
        held.clear();
        for row in 0..rows {
            let column = &columns[row * *blocks + first..];
            held.extend((0..count).map(|own| column[own / ROWS_OF_CUT].0[own % ROWS_OF_CUT]));
        }
        for row in 0..rows {
            let own = &held[count * row..][..count];
            if own.iter().all(|velocity| *velocity == 0.0) {
                continue;
            }
            given_by.clear();
            given_by.extend_from_slice(own);
            system.solve_factored(matrix, given_by);
            for other in 0..=row {
                let change: f64 = held[count * other..].iter().zip(&*given_by).map(|(v, by)| v * by).sum();
                columns[row * *blocks + other / BLOCK].0[other % BLOCK] -= change;
                if other != row {
                    columns[other * *blocks + row / BLOCK].0[row % BLOCK] -= change;
                }
            }
        }
    }

    /// Leaves the rows of the first blocks alone.
    pub(crate) fn keep(&mut self, visible: usize) {
        if visible == self.blocks {
            return;
        }
        for row in 0..BLOCK * visible {
            for block in 0..visible {
                self.columns[row * visible + block] = self.columns[row * self.blocks + block];
            }
        }
        self.blocks = visible;
        for list in [&mut self.velocities, &mut self.ways, &mut self.given] {
            list.truncate(visible);
        }
    }

    /// Blocks of rows.
    pub(crate) fn blocks(&self) -> usize {
        self.blocks
    }

    /// What the rows of one block do to each other and to those of a block before.
    #[inline(always)]
    fn couple(&mut self, (target, own): (usize, &[Support]), (source, other): (usize, &[Support])) {
        let mut tile = [[0.0; BLOCK]; BLOCK];
        let (mut i, mut j) = (0, 0);
        while i < own.len() && j < other.len() {
            let (a, b) = (&own[i], &other[j]);
            if a.coordinate > b.coordinate {
                i += 1;
            } else if a.coordinate < b.coordinate {
                j += 1;
            } else {
                for row in 0..BLOCK {
                    let impulse = b.impulses.0[row];
                    if impulse != 0.0 {
                        for e in 0..BLOCK {
                            tile[row][e] += a.rates.0[e] * impulse;
                        }
                    }
                }
                i += 1;
                j += 1;
            }
        }
        for row in 0..BLOCK {
            self.columns[(BLOCK * source + row) * self.blocks + target] = Record(tile[row]);
        }
        if target != source {
            for row in 0..BLOCK {
                let column = &mut self.columns[(BLOCK * target + row) * self.blocks + source];
                for e in 0..BLOCK {
                    column.0[e] = tile[e][row];
                }
            }
        }
    }

    /// Rate of a row by a unit impulse of another.
    pub(crate) fn response(&self, [target, source]: [usize; 2]) -> f64 {
        self.columns[source * self.blocks + target / BLOCK].0[target % BLOCK]
    }

    /// Velocities of all rows by a unit impulse of one, by its number among all.
    pub(super) fn column(&self, row: usize) -> &[Record] {
        &self.columns[row * self.blocks..][..self.blocks]
    }

    /// Velocities of the rows of a block by a unit impulse of a row of it.
    pub(crate) fn own_column(&self, block: usize, row: usize) -> &Record {
        &self.columns[(BLOCK * block + row) * self.blocks + block]
    }

    /// An impulse of one row.
    #[inline(always)]
    pub(crate) fn give(&mut self, block: usize, row: usize, impulse: f64) {
        let Self { blocks, columns, velocities, given, .. } = self;
        given[block].0[row] += impulse;
        add(velocities, &columns[(BLOCK * block + row) * *blocks..][..*blocks], impulse);
    }

    /// The velocities are those without the impulses that passes start from, but for [`Self::take`].
    pub(crate) fn begin_without_impulses(&mut self) {
        self.without.clone_from(&self.velocities);
    }

    /// Takes the effect of an impulse off them.
    pub(crate) fn take(&mut self, block: usize, row: usize, impulse: f64) {
        let Self { blocks, columns, without, .. } = self;
        add(without, &columns[(BLOCK * block + row) * *blocks..][..*blocks], -impulse);
    }

    /// Velocities change by what forces give, and by a share of what the impulses of the last sub-step have.
    pub(crate) fn start_again(&mut self, pulls: &[Record], share: f64) {
        for ((velocity, without), pull) in self.velocities.iter_mut().zip(&mut self.without).zip(pulls) {
            for row in 0..BLOCK {
                let change = velocity.0[row] - without.0[row];
                without.0[row] = velocity.0[row] + pull.0[row];
                velocity.0[row] = without.0[row] + share * change;
            }
        }
    }

    /// The velocities are those without the impulses of the sub-step.
    pub(crate) fn leave_impulses(&mut self) {
        self.velocities.clone_from(&self.without);
    }

    /// What the impulses of the sub-step have changed a velocity by.
    pub(crate) fn change(&self, block: usize, row: usize) -> f64 {
        self.velocities[block].0[row] - self.without[block].0[row]
    }

    /// A velocity with them and without.
    pub(crate) fn sum_of_velocities(&self, block: usize, row: usize) -> f64 {
        self.velocities[block].0[row] + self.without[block].0[row]
    }

    /// Before a pass.
    pub(crate) fn begin_pass(&mut self) {
        self.passed.clear();
        self.passed.resize(self.blocks, [0.0; 2]);
    }

    /// A row of a block has an impulse now that a pass has changed.
    pub(crate) fn note(&mut self, (block, row): (usize, usize), impulse: f64, change: f64) {
        let response = self.own_column(block, row).0[row];
        let [changed, size] = &mut self.passed[block];
        *changed += response * change * change;
        *size += response * impulse * impulse;
    }

    /// In the last pass the impulses of each block have changed by no more than a share, in energy; a light block counts as one that is
    /// `LIGHTEST` of all.
    pub(crate) fn has_settled(&self, share: f64) -> bool {
        let all: f64 = self.passed.iter().map(|[_, size]| size).sum();
        self.passed.iter().all(|[changed, size]| *changed <= share * size.max(LIGHTEST * all))
    }

    /// The pass over the manifolds, which are the first blocks.
    #[inline(always)]
    pub(super) fn pass<const SOFT: bool>(&mut self, bundles: &mut [Bundle<1>], rule: &PassRule) {
        for (block, bundle) in bundles.iter_mut().enumerate() {
            let change = match bundle.points {
                1 => self.solve::<SOFT, 1>(block, bundle, rule),
                2 => self.solve::<SOFT, 2>(block, bundle, rule),
                _ => self.solve::<SOFT, 4>(block, bundle, rule),
            };
            for (row, change) in change.into_iter().enumerate() {
                if change != 0.0 || bundle.lambda[row][0] != 0.0 {
                    self.note((block, row), bundle.lambda[row][0], change);
                    self.give(block, row, change);
                }
            }
        }
    }

    #[inline(always)]
    fn solve<const SOFT: bool, const POINTS: usize>(
        &self,
        block: usize,
        bundle: &mut Bundle<1>,
        rule: &PassRule,
    ) -> [f64; ROWS] {
        let (mut u, mut gaps) = ([0.0; ROWS], [0.0; 4]);
        for row in 0..ROWS {
            if is_row::<POINTS>(row) {
                u[row] = self.velocities[block].0[row];
            }
        }
        if SOFT {
            let mut ways = [0.0; ROWS];
            ways.copy_from_slice(&self.ways[block].0[..ROWS]);
            gaps = gaps_now::<f64, 1, POINTS>(bundle, &ways, rule);
        }
        solve::<f64, 1, SOFT, POINTS>(bundle, u, &gaps, rule)
    }
}

/// `v += factor w`.
#[inline(always)]
fn add(velocities: &mut [Record], by: &[Record], factor: f64) {
    if factor == 0.0 {
        return;
    }
    for (velocity, by) in velocities.iter_mut().zip(by) {
        for e in 0..BLOCK {
            velocity.0[e] += by.0[e] * factor;
        }
    }
}

impl Bundle<1> {
    /// Bodies that it moves.
    pub(crate) const fn sides(&self) -> usize {
        if self.has_one_side { 1 } else { 2 }
    }

    /// A row on one of these, whitened.
    pub(crate) fn row(&self, row: usize, side: usize) -> [f64; 6] {
        let mut own = [0.0; 6];
        for e in 0..3 {
            if row != 2 {
                own[e] = self.signed_mass[side][0] * self.directions[row.min(2)][e][0];
            }
            own[3 + e] = self.angular[row][side][e][0];
        }
        own
    }

    /// The row is there.
    pub(crate) fn has_row(&self, row: usize) -> bool {
        self.inverse[row][0] > 0.0
    }

    /// Velocity of a row that moves with bodies.
    pub(crate) fn velocity(&self, row: usize, z: &[Record]) -> f64 {
        let mut velocity = 0.0;
        for side in 0..self.sides() {
            let own = self.row(row, side);
            let z = &z[self.moving[side][0] as usize].0;
            velocity += (0..6).map(|e| own[e] * z[e]).sum::<f64>();
        }
        velocity
    }

    /// Adds the effect of impulses of its rows on its bodies, as these are alone.
    pub(crate) fn add(&self, impulses: &Record, z: &mut [Record]) {
        for side in 0..self.sides() {
            let z = &mut z[self.moving[side][0] as usize].0;
            for row in (0..ROWS).filter(|row| impulses.0[*row] != 0.0) {
                let own = self.row(row, side);
                (0..6).for_each(|e| z[e] += own[e] * impulses.0[row]);
            }
        }
    }

    /// Its rows see each other, and themselves, through all that they move. Rigid normals get their compliance after that.
    pub(crate) fn see(&mut self, space: &ContactSpace, block: usize) {
        let mut trace = f64::MIN_POSITIVE;
        for row in 0..ROWS {
            if !self.has_row(row) {
                continue;
            }
            let column = space.own_column(block, row).0;
            for other in 0..row {
                self.coupling[row * (row - 1) / 2 + other][0] = column[other];
            }
            let compliance = if row < NORMAL && self.is_special { self.slip[row][0] } else { 0.0 };
            let alone = (self.inverse[row][0].recip() - compliance).max(f64::MIN_POSITIVE);
            if column[row] <= BLOCKED * alone {
                self.block(row, 0, alone);
                continue;
            }
            let diagonal = column[row] + HELD * alone;
            self.inverse[row][0] = 1.0 / (diagonal + compliance);
            match row.checked_sub(NORMAL) {
                None if row == 2 => trace += diagonal * self.radius[0] * self.radius[0],
                None => trace += diagonal + compliance,
                Some(own) => {
                    self.diagonal[own][0] = diagonal;
                    if self.is_special {
                        self.elastic_inverse[own][0] = 1.0 / (diagonal + self.elastic[own][0].max(0.0));
                    }
                }
            }
        }
        self.slip_step[0] = 1.5 / trace;
    }
}
