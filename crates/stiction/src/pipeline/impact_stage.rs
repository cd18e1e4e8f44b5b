//! The impact stage of SPOOK: contacts that hit get their restitution in a solve of its own before the step's rows.
//!
//! From the velocities before the step, with Newton's law for contacts that hit:
//!
//! ```text
//! M (v′ − v) = Jᵀ λ,   J v′ = −e J v   for contacts that hit,
//!                      J v′ ≥ 0        for others that are closed, and for stops that are reached,
//!                      J v′ + Γ λ = J v   for joints;
//! ```
//!
//! friction acts within its bounds of these impulses. Rows of the step then start from v′ and know of no restitution
//! (Lacoursière, *Ghosts and Machines*, 2007).

use super::plan::Needs;
use crate::constraint::{Island, Problem, RowKind};

/// Slowest hit \[m/s\].
const SLOWEST: f64 = 1e-4;

/// What the stage does to an island, as a problem with rows of the whole one.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImpactStage {
    /// Whether each row of the island takes part.
    takes_part: Vec<bool>,
    /// Their right sides, by row of the island: with restitution, and what it adds to them.
    targets: Vec<[f64; 2]>,
}

impl ImpactStage {
    /// Finds the rows that take part and what they want. Returns whether something hits.
    pub(super) fn find(&mut self, problem: &Problem, needs: Needs, island: &Island) -> bool {
        let contacts = &problem.contacts[island.contact_range()];
        if !needs.has_impacts || !contacts.iter().any(|c| hit(problem, c).is_some()) {
            return false;
        }
        let first = island.rows.start as usize;
        self.takes_part.clear();
        self.targets.clear();
        for row in &problem.rows[first..island.rows.end as usize] {
            let before = problem.velocity(row, &problem.z_before);
            let (takes_part, target) = match row.kind {
                RowKind::Joint => (true, before),
                // A stop that is reached pushes out.
                RowKind::Limit => (row.target >= 0.0, before.max(0.0)),
                RowKind::Motor | RowKind::Spring | RowKind::Normal | RowKind::Friction => (false, row.target),
            };
            self.takes_part.push(takes_part);
            self.targets.push([target, 0.0]);
        }
        for contact in contacts.iter().filter(|c| c.depth >= 0.0) {
            let rows = contact.rows();
            let normal = rows.start - first;
            self.takes_part[normal..rows.end - first].fill(true);
            let rebound = hit(problem, contact).unwrap_or(0.0);
            self.targets[normal] = [rebound - contact.prescribed, rebound];
        }
        true
    }

    /// The row takes part.
    pub(super) fn has(&self, island: &Island, row: u32) -> bool {
        self.takes_part[(row - island.rows.start) as usize]
    }

    /// Writes the right sides of the stage into the rows of a problem that has some of the island's, whose numbers in the
    /// whole one are `rows`; without restitution if `is_plastic`.
    pub(super) fn write(&self, island: &Island, problem: &mut Problem, rows: &[u32], is_plastic: bool) {
        for (row, number) in problem.rows.iter_mut().zip(rows) {
            let [target, rebound] = self.targets[(number - island.rows.start) as usize];
            row.target = if is_plastic { target - rebound } else { target };
            row.velocity_target = row.target;
            row.cap = f64::INFINITY;
            // Impacts are rigid: no spring has time to give way. A film still flows: it bounds what friction takes in a step.
            if row.kind == RowKind::Normal {
                row.diagonal -= row.compliance;
                row.compliance = 0.0;
            }
        }
    }

    /// Lets the step start from the velocities `z` after the impact. Returns the work of the impulses on the bodies \[J\].
    pub(super) fn begin_step(problem: &mut Problem, island: &Island, z: &[f64]) -> f64 {
        let span = island.z_range();
        let squares = |z: &[f64]| z[span.clone()].iter().map(|z| z * z).sum::<f64>();
        let work = 0.5 * (squares(z) - squares(&problem.z_before));
        let range = problem.kept.iter().filter(|(row, _)| island.rows.contains(row));
        for (number, share) in range {
            let row = problem.rows[*number as usize];
            let kept = share * (problem.velocity(&row, z) - problem.velocity(&row, &problem.z_before));
            let row = &mut problem.rows[*number as usize];
            row.target += kept;
            row.velocity_target += kept;
        }
        for i in span {
            problem.z_free[i] += z[i] - problem.z_before[i];
            problem.z_before[i] = z[i];
        }
        work
    }
}

/// The separation speed that a contact which hits asks for \[m/s\]. A contact hits where it closes faster than forces close
/// it in two steps: what rests does not.
fn hit(problem: &Problem, contact: &crate::constraint::ContactPoint) -> Option<f64> {
    let restitution = contact.impact?;
    let row = &problem.rows[contact.row as usize];
    let approach = -(problem.velocity(row, &problem.z_before) + contact.prescribed);
    let by_forces = -problem.velocity(row, &problem.z_free) - contact.prescribed - approach;
    (approach > SLOWEST.max(2.0 * by_forces)).then_some(restitution * approach)
}
