//! Rows of a contact space that bear or stick, solved at once.
//!
//! A pass tells which rows follow their laws `u + b + Γ λ = 0`, and which are at a bound or slip. With the impulses of the latter as they are, those of
//! the former change by `(W + Γ) Δλ = −(u + b + Γ λ)`, and the next pass looks again which these are (subspace minimization: Silcowitz, Niebe and
//! Erleben, 2010). What passes approach by a share each is found in one or two solutions, however many rows share a load.

use super::bundle::{Bundle, NORMAL, ROWS, is_row};
use super::contact_space::{BLOCK, ContactSpace};
use super::pass::{PassRule, add_given, gaps_now, law_of_normal};

/// Friction, by its bound, from which on it slips.
const STICKS: f64 = 1.0 - 1e-9;

/// Share of what a row moves below which joints hold it.
const MOVES: f64 = 1e-100;

/// Impulses stay near those of the last pass, by this share of what a row moves: hard drives and feet that stick say more than can be met, and what is left of
/// that would become large impulses against each other.
const PROXIMAL: f64 = 1e-2;

/// A row that follows its law.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveRow {
    pub(crate) block: usize,
    pub(crate) row: usize,
    /// By how much it misses it, as a velocity.
    pub(crate) error: f64,
    /// Diagonal of `W + Γ`.
    pub(crate) diagonal: f64,
}

impl ActiveRow {
    /// Its number among all rows.
    const fn place(&self) -> usize {
        BLOCK * self.block + self.row
    }
}

/// The factor of the rows that were active last.
#[derive(Clone, Debug, Default)]
struct Factor {
    /// Their places and diagonals.
    rows: Vec<(usize, f64)>,
    /// Lower triangle of L by columns, with the inverses of its diagonal; `W + Γ = L Lᵀ`.
    columns: Vec<f64>,
}

/// Active rows, and factors of the pass with bias and of the one without.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActiveRows {
    pub(crate) rows: Vec<ActiveRow>,
    factors: [Factor; 2],
    /// Their impulses change by this.
    pub(crate) changes: Vec<f64>,
}

impl ActiveRows {
    /// Nothing is known of a contact space yet.
    pub(crate) fn begin(&mut self) {
        self.factors.iter_mut().for_each(|factor| factor.rows.clear());
    }

    /// How much of the changes keeps the manifolds, which are the first blocks, within their bounds.
    pub(crate) fn share_within(&self, bundles: &[Bundle<1>]) -> f64 {
        let mut share = 1.0f64;
        let mut rows = self.rows.iter().zip(&self.changes).peekable();
        for (block, bundle) in bundles.iter().enumerate() {
            let mut changes = [0.0; ROWS];
            while let Some((row, change)) = rows.next_if(|(row, _)| row.block == block) {
                changes[row.row] = *change;
            }
            share = share.min(bundle.share_within(&changes));
        }
        share
    }

    /// Finds the changes of the impulses of the rows.
    #[inline(always)]
    pub(super) fn solve(&mut self, space: &ContactSpace, is_soft: bool) {
        let Self { rows, factors, changes } = self;
        let factor = &mut factors[usize::from(!is_soft)];
        let is_same = |(row, known): (&ActiveRow, &(usize, f64))| (row.place(), row.diagonal) == *known;
        if rows.len() != factor.rows.len() || !rows.iter().zip(&factor.rows).all(is_same) {
            factor.rows.clear();
            factor.rows.extend(rows.iter().map(|row| (row.place(), row.diagonal)));
            factor.find(space);
        }
        changes.clear();
        changes.extend(rows.iter().map(|row| -row.error));
        factor.solve(changes);
    }
}

impl Factor {
    /// Cholesky's, column by column: where rows follow from others the proximal share of the diagonal is left.
    #[inline(always)]
    fn find(&mut self, space: &ContactSpace) {
        let Self { rows, columns } = self;
        columns.clear();
        for (i, (place, diagonal)) in rows.iter().enumerate() {
            let response = space.column(*place);
            columns.push(*diagonal * (1.0 + PROXIMAL));
            columns.extend(rows[i + 1..].iter().map(|(other, _)| response[other / BLOCK].0[other % BLOCK]));
        }
        let mut rest = &mut columns[..];
        for i in 0..rows.len() {
            let (own, later) = std::mem::take(&mut rest).split_at_mut(rows.len() - i);
            let inverse = 1.0 / own[0].sqrt();
            own[0] = inverse;
            own[1..].iter_mut().for_each(|e| *e *= inverse);
            let mut others = &mut *later;
            for k in 1..own.len() {
                let (column, next) = std::mem::take(&mut others).split_at_mut(own.len() - k);
                for (e, by) in column.iter_mut().zip(&own[k..]) {
                    *e -= own[k] * by;
                }
                others = next;
            }
            rest = later;
        }
    }

    #[inline(always)]
    fn solve(&self, x: &mut [f64]) {
        let count = x.len();
        let mut start = 0;
        for i in 0..count {
            let own = &self.columns[start..][..count - i];
            start += own.len();
            x[i] *= own[0];
            let found = x[i];
            for (x, e) in x[i + 1..].iter_mut().zip(&own[1..]) {
                *x -= found * e;
            }
        }
        for i in (0..count).rev() {
            start -= count - i;
            let own = &self.columns[start..][..count - i];
            let known: f64 = x[i + 1..].iter().zip(&own[1..]).map(|(x, e)| x * e).sum();
            x[i] = (x[i] - known) * own[0];
        }
    }
}

impl ContactSpace {
    /// Adds the rows of the manifolds, which are the first blocks, that follow their laws.
    pub(crate) fn find_active<const SOFT: bool>(
        &self,
        bundles: &mut [Bundle<1>],
        rule: &PassRule,
        rows: &mut Vec<ActiveRow>,
    ) {
        for (block, bundle) in bundles.iter_mut().enumerate() {
            match bundle.points {
                1 => self.find_active_of::<SOFT, 1>(block, bundle, rule, rows),
                2 => self.find_active_of::<SOFT, 2>(block, bundle, rule, rows),
                _ => self.find_active_of::<SOFT, 4>(block, bundle, rule, rows),
            }
        }
    }

    fn find_active_of<const SOFT: bool, const POINTS: usize>(
        &self,
        block: usize,
        bundle: &mut Bundle<1>,
        rule: &PassRule,
        rows: &mut Vec<ActiveRow>,
    ) {
        let (mut u, mut ways) = ([0.0; ROWS], [0.0; ROWS]);
        u.copy_from_slice(&self.velocities[block].0[..ROWS]);
        ways.copy_from_slice(&self.ways[block].0[..ROWS]);
        add_given::<f64, 1, POINTS>(bundle, &mut u, rule);
        let gaps = gaps_now::<f64, 1, POINTS>(bundle, &ways, rule);
        let column = |row: usize| self.own_column(block, row).0[row];
        let moves =
            |bundle: &Bundle<1>, row: usize| is_row::<POINTS>(row) && bundle.inverse[row][0] * column(row) > MOVES;
        let sticks = bundle.sticks(&bundle.friction_bounds(&[0.0; ROWS]));
        for row in (0..NORMAL).filter(|row| sticks[*row] && moves(bundle, *row)) {
            let slip = if bundle.is_special { bundle.slip[row][0] } else { 0.0 };
            let error = u[row] + slip * bundle.lambda[row][0];
            rows.push(ActiveRow { block, row, error, diagonal: 1.0 / bundle.inverse[row][0] });
        }
        for k in 0..POINTS {
            let row = NORMAL + k;
            if bundle.lambda[row][0] <= bundle.least(row) || !moves(bundle, row) {
                continue;
            }
            let law = if bundle.is_special {
                law_of_normal::<f64, 1, SOFT, true>(bundle, k, gaps[k], rule)
            } else {
                law_of_normal::<f64, 1, SOFT, false>(bundle, k, gaps[k], rule)
            };
            let error = u[row] + law.target + law.compliance * bundle.lambda[row][0];
            rows.push(ActiveRow { block, row, error, diagonal: 1.0 / law.inverse });
        }
    }
}

/// Bounds of the friction of a manifold, each with its change by that of the normals: one for force and twist, and that of a twist with torsional friction.
struct FrictionBounds {
    all: [f64; 2],
    twist: Option<[f64; 2]>,
    /// Each of the two axes has the first for itself.
    is_pyramid: bool,
    /// What a twist counts as beside a force \[1/m\]; zero where there is none.
    inverse_radius: f64,
}

impl FrictionBounds {
    /// What the first one bounds.
    fn vector(&self, rows: &[f64; ROWS]) -> [f64; 3] {
        [rows[0], rows[1], rows[2] * self.inverse_radius]
    }
}

impl Bundle<1> {
    /// Its bounds, and how they change with its normals.
    fn friction_bounds(&self, changes: &[f64; ROWS]) -> FrictionBounds {
        let sum = |rows: &[f64; ROWS]| rows[NORMAL..].iter().sum::<f64>();
        let (mut load, mut more) = (sum(&self.lambda.map(|row| row[0])), sum(changes));
        let mut dry = 0.0;
        if self.is_special {
            // Where a contact pulls it does not rub.
            (load, more) = if load > 0.0 { (load, more) } else { (0.0, 0.0) };
            dry = self.dry[0];
        }
        let all = [self.friction[0] * load + dry, self.friction[0] * more];
        let has_arm = self.is_special && self.arm[0] > 0.0;
        let of_arm = |load: f64, bound: f64| self.arm[0] * load + self.radius[0] * bound;
        FrictionBounds {
            all,
            twist: has_arm.then(|| [of_arm(load, all[0]), of_arm(more, all[1])]),
            is_pyramid: self.is_special && self.pyramid[0] > 0.0,
            inverse_radius: if self.points > 1 { self.inverse_radius[0] } else { 0.0 },
        }
    }

    /// Rows of friction that are within their bounds.
    fn sticks(&self, bounds: &FrictionBounds) -> [bool; NORMAL] {
        let l = self.lambda.map(|row| row[0]);
        let bound = STICKS * bounds.all[0];
        let size = bounds.vector(&l).iter().map(|x| x * x).sum::<f64>().sqrt();
        let all = size < bound;
        let mut sticks = [all, all, all && bounds.inverse_radius > 0.0];
        if bounds.is_pyramid {
            (0..2).for_each(|k| sticks[k] = l[k].abs() < bound);
        }
        if let Some([most, _]) = bounds.twist {
            sticks[2] = l[2].abs() < STICKS * most;
        }
        sticks
    }

    /// Least impulse of a normal row.
    fn least(&self, row: usize) -> f64 {
        if self.is_special { -self.pull[row - NORMAL][0] } else { 0.0 }
    }

    /// How much of some changes of its impulses keeps all of them within their bounds, of one at most.
    fn share_within(&self, changes: &[f64; ROWS]) -> f64 {
        let l = self.lambda.map(|row| row[0]);
        let mut share = 1.0f64;
        for row in (NORMAL..ROWS).filter(|row| changes[*row] < 0.0) {
            share = share.min((self.least(row) - l[row]) / changes[row]);
        }
        let bounds = self.friction_bounds(changes);
        let sticks = self.sticks(&bounds);
        if bounds.is_pyramid {
            for k in (0..2).filter(|k| sticks[*k]) {
                share = share.min(way_to_bound(&[l[k]], &[changes[k]], bounds.all));
            }
        } else if sticks[0] {
            share = share.min(way_to_bound(&bounds.vector(&l), &bounds.vector(changes), bounds.all));
        }
        if let Some(twist) = bounds.twist.filter(|_| sticks[2]) {
            share = share.min(way_to_bound(&[l[2]], &[changes[2]], twist));
        }
        share.max(0.0)
    }
}

/// How far along a change a vector stays within a bound that changes too: the least positive root of `(x + α Δx)² = (b + α Δb)²`.
fn way_to_bound(x: &[f64], changes: &[f64], [bound, growth]: [f64; 2]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let a = dot(changes, changes) - growth * growth;
    let b = dot(x, changes) - bound * growth;
    let c = dot(x, x) - bound * bound;
    // It begins within: c < 0.
    let root = b * b - a * c;
    if root < 0.0 {
        return f64::INFINITY;
    }
    // Of the roots of a α² + 2 b α + c that one is `-c / (b + √…)`, where that is positive.
    let below = b + root.sqrt();
    if below > 0.0 { -c / below } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers::soft::{Record, Support, Supports};

    /// Coordinates of unit mass.
    const COORDINATES: usize = 9;

    fn numbers(mut seed: u64) -> impl FnMut() -> f64 {
        move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
    }

    /// A contact space of so many blocks with random rows.
    fn space_of(blocks: usize, next: &mut impl FnMut() -> f64) -> ContactSpace {
        let mut supports = Supports::default();
        for _ in 0..blocks {
            for coordinate in (0..COORDINATES as u32).rev() {
                let impulses = Record(std::array::from_fn(|_| next()));
                supports.push(Support { coordinate, impulses, rates: impulses });
            }
            supports.end_block();
        }
        let mut space = ContactSpace::default();
        space.begin(&supports);
        space
    }

    #[test]
    fn active_rows_follow_their_laws_after_a_solution() {
        let mut next = numbers(7);
        for count in 1..COORDINATES {
            let space = space_of(3, &mut next);
            let mut active = ActiveRows::default();
            active.rows.extend((0..count).map(|k| {
                let (block, row) = (k % 3, (5 * k) % BLOCK);
                let compliance = if k % 2 == 0 { 0.0 } else { 0.1 * next().abs() };
                let diagonal = space.own_column(block, row).0[row] + compliance;
                ActiveRow { block, row, error: next(), diagonal }
            }));
            for _ in 0..2 {
                active.solve(&space, count % 2 == 0);
                for (i, row) in active.rows.iter().enumerate() {
                    let of = |(k, other): (usize, &ActiveRow)| {
                        let w = if k == i {
                            row.diagonal * (1.0 + PROXIMAL)
                        } else {
                            space.response([row.place(), other.place()])
                        };
                        w * active.changes[k]
                    };
                    let change: f64 = active.rows.iter().enumerate().map(of).sum();
                    assert!((change + row.error).abs() < 1e-9, "{count} rows: {change} for {}", -row.error);
                }
            }
        }
    }

    #[test]
    fn rows_that_say_the_same_share_what_one_says() {
        let mut next = numbers(3);
        let space = space_of(1, &mut next);
        let diagonal = space.own_column(0, 2).0[2];
        let mut active = ActiveRows::default();
        let row = ActiveRow { block: 0, row: 2, error: 0.5, diagonal };
        active.rows.extend([row, row]);
        active.solve(&space, false);
        let sum: f64 = active.changes.iter().sum();
        assert!((diagonal * sum + 0.5).abs() < 0.5 * PROXIMAL, "{:?}", active.changes);
    }

    #[test]
    fn a_vector_reaches_its_bound_where_the_change_takes_it() {
        let mut next = numbers(11);
        for _ in 0..10_000 {
            let x: [f64; 3] = std::array::from_fn(|_| next());
            let changes: [f64; 3] = std::array::from_fn(|_| 3.0 * next());
            let (bound, growth) = (x.iter().map(|x| x * x).sum::<f64>().sqrt() * 1.1 + 0.01, 2.0 * next());
            let share = way_to_bound(&x, &changes, [bound, growth]);
            let beyond = |share: f64| {
                let size: f64 = x.iter().zip(changes).map(|(x, change)| (x + share * change).powi(2)).sum();
                size.sqrt() - (bound + share * growth)
            };
            assert!(share > 0.0);
            if share.is_finite() {
                assert!(beyond(share).abs() < 1e-6 * (1.0 + share), "{share}: {}", beyond(share));
            }
            let inside = (1..100).map(|k| f64::from(k) / 100.0 * share.min(1.0)).all(|share| beyond(share) < 1e-9);
            assert!(inside, "{x:?} {changes:?} {bound} {growth}: {share}");
        }
    }
}
