//! Manifolds next to each other, as the passes read them.

use super::lane::{Lanes, Record};

/// Rows of a manifold: two of friction, one about the normal, four normals.
pub(crate) const ROWS: usize = 7;
/// Share of what a row would move of its bodies alone up to which what it moves through joints is rounding, or a right angle given with a few digits:
/// they allow it no motion, and the share of what they hold that it would have is undefined. It has none: its compliance is so many times that of its
/// bodies alone.
pub(crate) const BLOCKED: f64 = 1e-9;
const RIGID_JOINTS: f64 = 1e200;
/// First normal row.
pub(crate) const NORMAL: usize = 3;

/// Rows of manifolds with so many points at most: a single one has no friction about its normal.
#[inline(always)]
pub(super) const fn is_row<const POINTS: usize>(row: usize) -> bool {
    row < 2 || (row == 2 && POINTS > 1) || (row >= NORMAL && row < NORMAL + POINTS)
}

/// Repeats a block for each row that is there, in which `$k` is its number: a constant. In a loop the compiler keeps rows in memory.
macro_rules! for_rows {
    ($points:ident, $k:ident, $block:block) => {
        for_rows!(@each $points, $k, $block, 0 1 2 3 4 5 6);
    };
    (@each $points:ident, $k:ident, $block:block, $($number:literal)+) => {
        $({
            let $k: usize = $number;
            if is_row::<$points>($k) $block
        })+
    };
}
pub(super) use for_rows;

/// `W` manifolds that share no moving body with each other.
///
/// A manifold is solved whole: friction along two tangents `t₁, t₂` and about the normal n at the centre of its points, then up to
/// four normals; its rows see each other through `Y Yᵀ`. Coordinates are whitened and frozen for a step, `z = L v`: a row
/// `y = L⁻ᵀ Jᵀ` gives its velocity `yᵀ z` and its effect `z += y λ`, and displacements of the sub-steps add up in the same
/// coordinates. The velocity of a row is that of the second body less that of the first.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Bundle<const W: usize> {
    /// Places of the two bodies.
    pub(crate) bodies: [[u32; W]; 2],
    /// Numbers of the manifolds.
    pub(crate) manifolds: [u32; W],
    /// Their places among the records of manifolds, and among those of special ones.
    pub(crate) records: [u32; W],
    pub(crate) special: [u32; W],
    /// `t₁, t₂, n`.
    pub(super) directions: [[[f64; W]; 3]; 3],
    /// The same of what moves: both bodies, or the one in the first place.
    pub(crate) moving: [[u32; W]; 2],
    /// `∓1/√m` of these: rows are velocities of the second body less those of the first.
    pub(super) signed_mass: [[f64; W]; 2],
    /// Angular part of each row, of these.
    pub(super) angular: [[[[f64; W]; 3]; 2]; ROWS],
    /// Lower triangle of `Y Yᵀ` without its diagonal.
    pub(super) coupling: [[f64; W]; ROWS * (ROWS - 1) / 2],
    /// `1 / (Y Yᵀ + Γ)` on the diagonal; 0 of a row that is not there.
    pub(super) inverse: [[f64; W]; ROWS],
    /// Diagonal of `Y Yᵀ` of the normals.
    pub(super) diagonal: [[f64; W]; 4],
    /// Impulses of the present sub-step.
    pub(crate) lambda: [[f64; W]; ROWS],
    /// Impulses of all sub-steps so far.
    pub(crate) total: [[f64; W]; ROWS],
    /// Sum of the normals in the sub-step before.
    pub(super) before: [f64; W],
    /// Positive where some point bore when the manifold was found.
    pub(crate) bore: [f64; W],
    /// Positive where the next sub-step does not start from blows.
    pub(crate) leaves_blows: [f64; W],
    /// Share of the impulses of the sub-step that the next one starts from: less than one of a blow.
    pub(crate) carried: [f64; W],
    /// Positive where a pass over some islands has a part in them.
    pub(crate) is_open: [f64; W],
    /// Compliance of rigid normals in the pass with bias, one for all that share a load.
    pub(super) softness: [f64; W],
    /// `1 / (Y Yᵀ + Γ)` of the normals with it.
    pub(super) soft_inverse: [[f64; W]; 4],
    /// Gaps in the pose of the rows, and at the start of the step \[m\].
    pub(super) gap: [[f64; W]; 4],
    pub(crate) first_gap: [[f64; W]; 4],
    /// Right sides of the normals that the pass with bias has found and the one without keeps.
    pub(super) kept: [[f64; W]; 4],
    /// Coefficient of friction.
    pub(super) friction: [f64; W],
    /// Root mean square distance of the points from their centre \[m\], and its inverse; 0 of a single point.
    pub(super) radius: [f64; W],
    pub(super) inverse_radius: [f64; W],
    /// Step of friction that slips.
    pub(super) slip_step: [f64; W],
    /// Fastest push out of an overlap \[m/s\], and overlap that is left alone \[m\].
    pub(super) push: [f64; W],
    pub(super) layer: [f64; W],
    /// Rate of the velocity of each row but the twist as its bodies turn, by half a step \[m/s\].
    pub(super) rate: [[f64; W]; ROWS - 1],
    /// Velocity of each row by what rows do not move: prescribed bodies and running surfaces.
    pub(super) prescribed: [[f64; W]; ROWS],
    /// The part of it by which the gaps of the normals change \[m/s\].
    pub(super) drift: [[f64; W]; 4],
    /// Elastic normals: compliance and rate of their error; a negative compliance marks a rigid one.
    pub(super) elastic: [[f64; W]; 4],
    pub(super) elastic_rate: [[f64; W]; 4],
    pub(super) elastic_inverse: [[f64; W]; 4],
    /// Positive where an elastic normal acts in the present sub-step.
    pub(super) acts: [[f64; W]; 4],
    /// Largest pull of elastic normals, as an impulse \[N s\].
    pub(super) pull: [[f64; W]; 4],
    /// Compliance of the friction rows (slip), the twist included.
    pub(super) slip: [[f64; W]; 3],
    /// Friction that does not depend on the load, as an impulse \[N s\].
    pub(super) dry: [f64; W],
    /// The two axes of friction have bounds of their own (a pyramid) where this is positive.
    pub(super) pyramid: [f64; W],
    /// Moment about the normal by load of torsional friction \[m\]; positive where the twist has a bound of its own.
    pub(super) arm: [f64; W],
    /// Manifolds that are there, in the first lanes.
    pub(crate) count: u8,
    /// Points of the manifold that has most: rows of others are not there.
    pub(crate) points: u8,
    /// Of each manifold one body moves; else of each both do.
    pub(crate) has_one_side: bool,
    /// Some manifold has elastic normals, slip, dry, pyramid or torsional friction.
    pub(crate) is_special: bool,
    /// Some row has a prescribed velocity.
    pub(crate) is_driven: bool,
    /// Some row turns with its bodies.
    pub(super) turns: bool,
}

impl<const W: usize> Bundle<W> {
    pub(crate) const EMPTY: Self = Self {
        bodies: [[0; W]; 2],
        manifolds: [0; W],
        records: [0; W],
        special: [0; W],
        directions: [[[0.0; W]; 3]; 3],
        moving: [[0; W]; 2],
        signed_mass: [[0.0; W]; 2],
        angular: [[[[0.0; W]; 3]; 2]; ROWS],
        coupling: [[0.0; W]; ROWS * (ROWS - 1) / 2],
        inverse: [[0.0; W]; ROWS],
        diagonal: [[0.0; W]; 4],
        lambda: [[0.0; W]; ROWS],
        total: [[0.0; W]; ROWS],
        before: [0.0; W],
        bore: [0.0; W],
        leaves_blows: [0.0; W],
        carried: [1.0; W],
        is_open: [0.0; W],
        softness: [0.0; W],
        soft_inverse: [[0.0; W]; 4],
        gap: [[0.0; W]; 4],
        first_gap: [[0.0; W]; 4],
        kept: [[0.0; W]; 4],
        friction: [0.0; W],
        radius: [0.0; W],
        inverse_radius: [0.0; W],
        slip_step: [0.0; W],
        push: [0.0; W],
        layer: [0.0; W],
        rate: [[0.0; W]; ROWS - 1],
        prescribed: [[0.0; W]; ROWS],
        drift: [[0.0; W]; 4],
        elastic: [[0.0; W]; 4],
        elastic_rate: [[0.0; W]; 4],
        elastic_inverse: [[0.0; W]; 4],
        acts: [[0.0; W]; 4],
        pull: [[0.0; W]; 4],
        slip: [[0.0; W]; 3],
        dry: [0.0; W],
        pyramid: [0.0; W],
        arm: [0.0; W],
        count: 0,
        points: 0,
        has_one_side: false,
        is_special: false,
        is_driven: false,
        turns: false,
    };

    /// Sum of the inverse diagonals of the normals of a manifold, and their number.
    pub(crate) fn ease(&self, lane: usize) -> (f64, f64) {
        let there = |k: usize| self.inverse[NORMAL + k][lane] > 0.0;
        let rows = (0..4).filter(|k| there(*k));
        rows.fold((0.0, 0.0), |(sum, count), k| (sum + 1.0 / self.diagonal[k][lane], count + 1.0))
    }

    /// Joints leave a row no motion, of what it would move of its bodies alone: it stays, and gives nothing.
    pub(crate) fn block(&mut self, row: usize, lane: usize, alone: f64) {
        let diagonal = RIGID_JOINTS * alone;
        self.lambda[row][lane] = 0.0;
        self.inverse[row][lane] = 1.0 / diagonal;
        if let Some(own) = row.checked_sub(NORMAL) {
            self.diagonal[own][lane] = diagonal;
            self.soft_inverse[own][lane] = 1.0 / diagonal;
            self.elastic_inverse[own][lane] = 1.0 / diagonal;
        }
    }

    /// Gives the rigid normals of a manifold their compliance.
    pub(crate) fn soften(&mut self, lane: usize, softness: f64) {
        self.softness[lane] = softness;
        for k in 0..4 {
            if self.inverse[NORMAL + k][lane] > 0.0 {
                self.soft_inverse[k][lane] = 1.0 / (self.diagonal[k][lane] + softness);
            }
        }
    }

    /// Bounds how fast overlaps of a manifold are pushed apart \[m/s\].
    pub(crate) fn bound_push(&mut self, lane: usize, push: f64) {
        self.push[lane] = push.min(self.push[lane]);
    }

    /// Makes the impulses of a sub-step that has ended whole again, and no part of the sums of the step.
    pub(crate) fn undo_carry_over(&mut self, lane: usize, held: &mut [Record]) {
        let share = self.carried[lane];
        for k in 0..ROWS {
            self.lambda[k][lane] /= share;
            self.total[k][lane] -= self.lambda[k][lane];
        }
        self.add_impulses(lane, share - 1.0, held);
    }

    /// Adds them to the sums of the step, and leaves of them what the next sub-step starts from.
    pub(crate) fn carry_over(&mut self, lane: usize, held: &mut [Record]) {
        let share = self.carried[lane];
        self.add_impulses(lane, 1.0 - share, held);
        for k in 0..ROWS {
            self.total[k][lane] += self.lambda[k][lane];
            self.lambda[k][lane] *= share;
        }
    }

    /// Places of what a manifold moves, and its normals on the two, whitened; zero of what is not there.
    pub(crate) fn normal_rows(&self, lane: usize, nobody: u32) -> ([u32; 2], [[f64; 12]; 4]) {
        let sides = if self.has_one_side { 1 } else { 2 };
        let mut rows = [[0.0; 12]; 4];
        for (k, row) in rows.iter_mut().enumerate().filter(|(k, _)| self.inverse[NORMAL + k][lane] > 0.0) {
            for side in 0..sides {
                for e in 0..3 {
                    row[6 * side + e] = self.signed_mass[side][lane] * self.directions[2][e][lane];
                    row[6 * side + 3 + e] = self.angular[NORMAL + k][side][e][lane];
                }
            }
        }
        let second = if self.has_one_side { nobody } else { self.moving[1][lane] };
        ([self.moving[0][lane], second], rows)
    }

    /// Sum of the normal impulses of a manifold.
    pub(crate) fn load(&self, lane: usize) -> f64 {
        self.lambda[NORMAL..].iter().map(|row| row[lane]).sum()
    }

    /// Adds a share of the impulses to velocities: `z += s Y λ`.
    pub(crate) fn add_impulses(&self, lane: usize, share: f64, z: &mut [Record]) {
        if share == 0.0 {
            return;
        }
        let normal = self.load(lane);
        for side in 0..if self.has_one_side { 1 } else { 2 } {
            let z = &mut z[self.moving[side][lane] as usize].0;
            for e in 0..3 {
                let d = |k: usize| self.directions[k][e][lane];
                let force = d(0) * self.lambda[0][lane] + d(1) * self.lambda[1][lane] + d(2) * normal;
                z[e] += share * self.signed_mass[side][lane] * force;
                z[3 + e] +=
                    share * (0..ROWS).map(|k| self.angular[k][side][e][lane] * self.lambda[k][lane]).sum::<f64>();
            }
        }
    }

    /// Velocity of a row by what rows do not move.
    pub(crate) fn prescribed(&self, row: usize, lane: usize) -> f64 {
        if self.is_driven { self.prescribed[row][lane] } else { 0.0 }
    }

    /// Tangents and normal of a manifold.
    pub(crate) fn frame(&self, lane: usize) -> [[f64; 3]; 3] {
        self.directions.map(|direction| direction.map(|e| e[lane]))
    }
}

/// Rows of manifolds with so many points at most; zero of others.
#[inline(always)]
pub(super) fn load_rows<L: Lanes<W>, const W: usize, const POINTS: usize>(from: &[[f64; W]; ROWS]) -> [L; ROWS] {
    let mut rows = [L::splat(0.0); ROWS];
    for k in 0..ROWS {
        if !is_row::<POINTS>(k) {
            continue;
        }
        rows[k] = L::load(&from[k]);
    }
    rows
}
