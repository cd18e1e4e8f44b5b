//! All rows of a step, island by island.

use std::ops::Range;

use glam::DVec3;

use super::row::{Bound, Route, Row, RowKind, RowSource};
use crate::contact::compliance::NormalForce;

/// A set of coordinates with one mass matrix: its span in `z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clique {
    /// First coordinate in `z`.
    pub start: u32,
    /// Number of coordinates.
    pub dofs: u32,
}

/// Part of a row that acts on one clique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Index of the clique.
    pub clique: u32,
    /// First coordinate of the clique in `z`.
    pub z: u32,
    /// Number of coordinates.
    pub dofs: u32,
    /// First number of the block in [`Problem::y`].
    pub y: u32,
}

/// Law of a compliant contact with regularised friction, for solvers that take it as it is; its rows carry the law
/// linearized at the present depth, for those that do not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothLaw {
    /// Normal force.
    pub normal: NormalForce,
    /// Friction coefficient of a discrete step.
    pub friction: f64,
    /// Separation speed of surfaces and prescribed bodies, relative to which the law counts \[m/s\].
    pub surface_velocity: f64,
}

/// A contact as it stays visible in the problem.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// Point in the world \[m\].
    pub position: DVec3,
    /// Unit normal, into the first body.
    pub normal: DVec3,
    /// Tangents of the friction rows.
    pub tangents: [DVec3; 2],
    /// Penetration \[m\]; negative is a gap.
    pub depth: f64,
    /// Index of the normal row; friction rows follow it.
    pub row: u32,
    /// Which of the tangents have a friction row; their rows come first after the normal's.
    pub has_friction: [bool; 2],
    /// Which rolling rows there are after them: about the tangents, and spinning about the normal.
    pub has_rolling: [bool; 3],
    /// How much of the normal row's target restitution adds \[m/s\]; 0 where nothing bounces.
    pub rebound: f64,
    /// Normal velocity of what rows do not move, which the row's target has not \[m/s\].
    pub prescribed: f64,
    /// Law of a compliant contact; `None` where the rows are the law.
    pub smooth: Option<SmoothLaw>,
    /// Restitution by an impact stage before the step's rows are solved; `None` where the normal row's target has it.
    pub impact: Option<f64>,
}

/// Cliques and rows that touch no others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Island {
    /// Cliques of the island.
    pub cliques: Range<u32>,
    /// Coordinates of the island in `z`.
    pub z: Range<u32>,
    /// Rows of the island.
    pub rows: Range<u32>,
    /// Contacts of the island.
    pub contacts: Range<u32>,
}

impl ContactPoint {
    /// Its rows in the problem, the normal first.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> Range<usize> {
        let first = self.row as usize;
        first..first + 1 + self.has_friction.iter().chain(&self.has_rolling).filter(|has| **has).count()
    }
}

impl Island {
    /// Its coordinates, to index `z` by.
    #[inline]
    #[must_use]
    pub fn z_range(&self) -> Range<usize> {
        self.z.start as usize..self.z.end as usize
    }

    /// Its rows, to index rows and impulses by.
    #[inline]
    #[must_use]
    pub fn row_range(&self) -> Range<usize> {
        self.rows.start as usize..self.rows.end as usize
    }

    /// Its contacts, to index them by.
    #[inline]
    #[must_use]
    pub fn contact_range(&self) -> Range<usize> {
        self.contacts.start as usize..self.contacts.end as usize
    }
}

/// What a solver is given. It knows nothing of bodies, shapes, joints or files.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// Step \[s\].
    pub step: f64,
    /// All cliques, island by island.
    pub cliques: Vec<Clique>,
    /// `L v_free`: velocities after forces, before impulses.
    pub z_free: Vec<f64>,
    /// `L v⁰`: velocities before the step.
    pub z_before: Vec<f64>,
    /// All rows, island by island; the rows of a contact stand together, the normal first.
    pub rows: Vec<Row>,
    /// Blocks of the rows.
    pub blocks: Vec<Block>,
    /// `Y` of the blocks.
    pub y: Vec<f64>,
    /// All contacts, island by island.
    pub contacts: Vec<ContactPoint>,
    /// Rows whose target has a share β of the velocity before the step, and β (SPOOK).
    pub kept: Vec<(u32, f64)>,
    /// Independent parts.
    pub islands: Vec<Island>,
}

impl Problem {
    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self, step: f64) {
        self.step = step;
        self.cliques.clear();
        self.z_free.clear();
        self.z_before.clear();
        self.rows.clear();
        self.blocks.clear();
        self.y.clear();
        self.contacts.clear();
        self.kept.clear();
        self.islands.clear();
    }

    /// Adds the share β of the velocity before the step to the target of the last row, of which `prescribed` is the part
    /// that is not in `z_before` (SPOOK).
    pub(crate) fn keep(&mut self, row: u32, share: f64, prescribed: f64) {
        let before = self.velocity(&self.rows[row as usize], &self.z_before) + prescribed;
        let pushed = &mut self.rows[row as usize];
        pushed.target += share * before;
        pushed.velocity_target += share * before;
        self.kept.push((row, share));
    }

    /// The share β of the velocity before the step in a row's target; 0 for rows of other laws.
    #[must_use]
    pub fn share_kept(&self, row: u32) -> f64 {
        self.kept.binary_search_by_key(&row, |(row, _)| *row).map_or(0.0, |index| self.kept[index].1)
    }

    /// Adds a clique with its free velocity `L v_free` and returns its index.
    pub fn push_clique(&mut self, z_free: &[f64]) -> u32 {
        let index = self.cliques.len() as u32;
        self.cliques.push(Clique { start: self.z_free.len() as u32, dofs: z_free.len() as u32 });
        self.z_free.extend_from_slice(z_free);
        index
    }

    /// Adds a row whose blocks are `(clique, Y)`, and fills its diagonal. Returns its index.
    ///
    /// The row starts bilateral: fixed bounds ∓∞, no cap.
    pub fn push_row(
        &mut self,
        blocks: &[(u32, &[f64])],
        target: f64,
        compliance: f64,
        kind: RowKind,
        source: RowSource,
    ) -> u32 {
        self.push_blocks(blocks.iter().copied(), target, compliance, kind, source)
    }

    /// [`Self::push_row`] of blocks that stand in no list.
    pub fn push_blocks<'a>(
        &mut self,
        blocks: impl Iterator<Item = (u32, &'a [f64])>,
        target: f64,
        compliance: f64,
        kind: RowKind,
        source: RowSource,
    ) -> u32 {
        let first_block = self.blocks.len() as u32;
        let mut diagonal = compliance;
        for (clique, y) in blocks {
            let span = self.cliques[clique as usize];
            debug_assert_eq!(span.dofs as usize, y.len());
            self.blocks.push(Block { clique, z: span.start, dofs: span.dofs, y: self.y.len() as u32 });
            match <&[f64; 6]>::try_from(y) {
                // A free body: a copy of known length.
                Ok(six) => self.y.extend_from_slice(six),
                Err(_) => self.y.extend_from_slice(y),
            }
            diagonal += y.iter().map(|y| y * y).sum::<f64>();
        }
        self.push_bilateral(first_block, target, compliance, diagonal, kind, source)
    }

    /// Adds a block of a free body to the row to come, and returns its square. The row follows with
    /// [`Self::push_bilateral`].
    #[inline(always)]
    pub(crate) fn push_free_block(&mut self, clique: u32, y: [f64; 6]) -> f64 {
        let z = self.cliques[clique as usize].start;
        self.blocks.push(Block { clique, z, dofs: 6, y: self.y.len() as u32 });
        self.y.extend_from_slice(&y);
        y.iter().map(|y| y * y).sum()
    }

    /// Adds a row of the blocks from the first on.
    #[inline]
    pub(crate) fn push_bilateral(
        &mut self,
        first_block: u32,
        target: f64,
        compliance: f64,
        diagonal: f64,
        kind: RowKind,
        source: RowSource,
    ) -> u32 {
        self.rows.push(Row {
            first_block,
            block_count: self.blocks.len() as u32 - first_block,
            target,
            velocity_target: target,
            compliance,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            bound: Bound::Fixed,
            cap: f64::INFINITY,
            ellipse: false,
            is_orthogonal: false,
            route: Route::Any,
            diagonal,
            kind,
            source,
        });
        self.rows.len() as u32 - 1
    }

    /// Closes an island: everything pushed since the last one.
    pub fn close_island(&mut self) {
        let (cliques, rows, contacts) =
            self.islands.last().map_or((0, 0, 0), |i| (i.cliques.end, i.rows.end, i.contacts.end));
        let z = self.islands.last().map_or(0, |i| i.z.end);
        self.islands.push(Island {
            cliques: cliques..self.cliques.len() as u32,
            z: z..self.z_free.len() as u32,
            rows: rows..self.rows.len() as u32,
            contacts: contacts..self.contacts.len() as u32,
        });
    }

    /// Lays the coordinates of its cliques, all of free bodies, out in records of so many numbers, one a clique; blocks follow.
    pub(crate) fn lay_out(&mut self, width: u32) {
        debug_assert!(self.cliques.iter().all(|clique| clique.dofs == 6));
        self.blocks.iter_mut().for_each(|block| block.z = width * block.clique);
    }

    /// Blocks of a row.
    #[inline(always)]
    #[must_use]
    pub fn row_blocks(&self, row: &Row) -> &[Block] {
        let first = row.first_block as usize;
        &self.blocks[first..first + row.block_count as usize]
    }

    /// `u = Yᵀ z` of a row.
    #[inline(always)]
    #[must_use]
    pub fn velocity(&self, row: &Row, z: &[f64]) -> f64 {
        let mut u = 0.0;
        for block in self.row_blocks(row) {
            let n = block.dofs as usize;
            let y = &self.y[block.y as usize..block.y as usize + n];
            let z = &z[block.z as usize..block.z as usize + n];
            for i in 0..n {
                u += y[i] * z[i];
            }
        }
        u
    }

    /// `z += Y δλ` of a row.
    #[inline(always)]
    pub fn apply(&self, row: &Row, delta: f64, z: &mut [f64]) {
        for block in self.row_blocks(row) {
            let n = block.dofs as usize;
            let y = &self.y[block.y as usize..block.y as usize + n];
            let z = &mut z[block.z as usize..block.z as usize + n];
            for i in 0..n {
                z[i] += y[i] * delta;
            }
        }
    }

    /// Natural residual of a row \[m/s or rad/s\]; of the two rows of an ellipse it is one, `α |λ − P(λ − w / α)|` with the
    /// projection P on the ellipse and α their larger diagonal, told of the first.
    #[must_use]
    pub(crate) fn unit_residual(&self, index: usize, lambda: &[f64], z: &[f64], capped: bool) -> f64 {
        let row = &self.rows[index];
        if row.ellipse {
            return self.ellipse_residual(index, lambda, z, capped, false);
        }
        if index > 0 && self.rows[index - 1].ellipse {
            return 0.0;
        }
        self.residual(row, index, lambda, z, capped, false)
    }

    /// Natural residual of the two rows of an ellipse together \[m/s or rad/s\]. `hard` leaves the compliance out.
    #[must_use]
    pub(crate) fn ellipse_residual(&self, index: usize, lambda: &[f64], z: &[f64], capped: bool, hard: bool) -> f64 {
        let rows = [&self.rows[index], &self.rows[index + 1]];
        let alpha = rows[0].diagonal.max(rows[1].diagonal);
        if alpha == 0.0 {
            return 0.0;
        }
        let wanted = [0, 1].map(|k| {
            let (row, x) = (rows[k], lambda[index + k]);
            let compliance = if hard { 0.0 } else { row.compliance };
            x - (self.velocity(row, z) + compliance * x - row.target_in(capped)) / alpha
        });
        let bounds = rows.map(|row| row.bounds(lambda).1);
        let (x, y) = crate::contact::friction::project_ellipse(wanted[0], wanted[1], bounds[0], bounds[1]);
        let off = [lambda[index] - x, lambda[index + 1] - y];
        alpha * (off[0] * off[0] + off[1] * off[1]).sqrt()
    }

    /// Largest natural residual of a row \[m/s or rad/s\]: `A_ii |λ − clamp(λ − w / A_ii)|` with
    /// `w = Yᵀ z + Γ λ − b`; zero if and only if the row is solved. `hard` leaves the compliance out.
    #[must_use]
    pub fn residual(&self, row: &Row, index: usize, lambda: &[f64], z: &[f64], capped: bool, hard: bool) -> f64 {
        self.residual_in(row, row.bounds(lambda), index, lambda, z, capped, hard)
    }

    /// The same with the bounds ±`bound` in place of its own.
    #[must_use]
    pub fn residual_within(&self, row: &Row, bound: f64, index: usize, lambda: &[f64], z: &[f64], hard: bool) -> f64 {
        self.residual_in(row, (-bound, bound), index, lambda, z, true, hard)
    }

    #[allow(clippy::too_many_arguments)]
    fn residual_in(
        &self,
        row: &Row,
        (lower, upper): (f64, f64),
        index: usize,
        lambda: &[f64],
        z: &[f64],
        capped: bool,
        hard: bool,
    ) -> f64 {
        if row.diagonal == 0.0 {
            return 0.0;
        }
        let u = self.velocity(row, z);
        let x = lambda[index];
        let compliance = if hard { 0.0 } else { row.compliance };
        let mut w = u + compliance * x - row.target_in(capped);
        if capped {
            w = w.max(u - row.cap);
        }
        (x - (x - w / row.diagonal).max(lower).min(upper)).abs() * row.diagonal
    }
}
