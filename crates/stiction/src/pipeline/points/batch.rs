//! A batch of islands and what came out for it.

use crate::solvers::soft::Record;

/// Islands that are swept together, and their impulses.
#[derive(Clone, Debug, Default)]
pub(crate) struct PointBatch {
    pub(super) islands: Vec<u32>,
    /// Rows that the contacts of each island stand for, and their sum.
    pub(super) rows_of: Vec<u32>,
    pub(super) rows: u32,
    /// Islands of which it is asked what the sweeps have left of their normals.
    pub(super) is_checked: Vec<bool>,
    /// Velocities and positions move by solutions of their own.
    pub(in super::super) is_split: bool,
    /// First contact of each island.
    pub(super) starts: Vec<u32>,
    /// Impulses of each contact, in the order of islands and pairs: of its rows (normal, tangents), and friction in world axes; then the
    /// place of no contact.
    pub(super) impulses: Vec<Record>,
    /// The same of rows about the axes of each contact (tangents, normal), and their moment in world axes; empty where none has some.
    pub(super) moments: Vec<Record>,
    /// The share of restitution that is left in islands where all of it would have made energy; empty where none would.
    pub(super) restitution: Vec<Option<f64>>,
    /// Coordinates of each island in those of the step, and where they begin among these.
    pub(super) spans: Vec<[u32; 2]>,
    /// `L v⁺` that stays with the bodies, and that moves positions.
    pub(super) z: Vec<f64>,
    pub(super) z_position: Vec<f64>,
    pub(in super::super) sweeps: u32,
    pub(super) deepest: f64,
    /// Islands whose normals are not met.
    pub(super) unsolved: Vec<u32>,
}

impl PointBatch {
    /// Begins without islands.
    pub(super) fn begin(&mut self, is_split: bool) {
        self.islands.clear();
        self.rows_of.clear();
        self.is_checked.clear();
        self.rows = 0;
        self.is_split = is_split;
    }

    /// Adds an island of which contacts stand for so many rows.
    pub(super) fn push(&mut self, island: u32, rows: u32, is_checked: bool) {
        self.islands.push(island);
        self.rows_of.push(rows);
        self.rows += rows;
        self.is_checked.push(is_checked);
    }

    /// An island of it touches.
    pub(super) fn has_contacts(&self, number: usize) -> bool {
        // The last place is that of no contact.
        let end = self.starts.get(number + 1).map_or(self.impulses.len() as u32 - 1, |next| *next);
        self.starts[number] < end
    }

    /// Begins without results.
    pub(super) fn begin_results(&mut self) {
        self.starts.clear();
        self.impulses.clear();
        self.moments.clear();
        self.restitution.clear();
        self.spans.clear();
        self.z.clear();
        self.z_position.clear();
        self.unsolved.clear();
        self.sweeps = 0;
        self.deepest = 0.0;
    }

    /// Adds its velocities to those of the step.
    pub(in super::super) fn give(&self, z: &mut [f64], z_position: &mut [f64]) {
        let mut from = 0;
        for [start, end] in &self.spans {
            let (to, count) = (*start as usize..*end as usize, (*end - *start) as usize);
            z[to.clone()].copy_from_slice(&self.z[from..from + count]);
            z_position[to].copy_from_slice(&self.z_position[from..from + count]);
            from += count;
        }
    }
}
