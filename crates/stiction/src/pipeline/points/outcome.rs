//! What batches give back: impulses of contacts, counts of the report, and rows for those who read them.

use super::super::problems::IslandProblem;
use super::super::report::SolveCounts;
use super::super::solve::Velocities;
use super::super::{StepReport, Workspace};
use super::PointIslands;
use glam::DVec3;

/// Writes the impulses of the contacts for the next step.
pub(in super::super) fn remember(step: f64, work: &mut Workspace) {
    let Workspace { points, islands, contacts, .. } = work;
    for batch in points.batches() {
        for (island, first) in batch.islands.iter().zip(&batch.starts) {
            let island = *island as usize;
            if points.is_unsolved(island) {
                continue;
            }
            let indices = &islands.contacts[islands.start(island)[2] as usize..islands.ends[island][2] as usize];
            for (number, index) in indices.iter().enumerate() {
                let contact = &mut contacts[*index as usize];
                let at = *first as usize + number;
                let [normal, _, _, x, y, z, ..] = batch.impulses[at].0;
                contact.warm_normal = normal;
                contact.warm_friction = DVec3::new(x, y, z);
                contact.force = (contact.normal * contact.warm_normal + contact.warm_friction) / step;
            }
        }
    }
}

/// Adds what was solved by points to the report of a step.
pub(in super::super) fn finish(work: &Workspace, report: &mut StepReport) {
    for batch in work.points.batches() {
        report.penetration = report.penetration.max(batch.deepest);
        for (island, rows) in batch.islands.iter().zip(&batch.rows_of) {
            let island = *island as usize;
            if !work.points.is_unsolved(island) {
                report.rows += *rows as usize;
                report.islands += 1;
                report.contacts += (work.islands.ends[island][2] - work.islands.start(island)[2]) as usize;
            }
        }
    }
}

/// Gives a problem whose islands a batch has solved their impulses and velocities, for those who read its rows.
pub(in super::super) fn tell(points: &PointIslands, velocities: &Velocities, own: &mut IslandProblem, batch: u32) {
    let batch = &points.batches()[batch as usize];
    let first = batch.islands.binary_search(&(own.islands.start as u32)).unwrap_or(0);
    let impulses = &batch.impulses[batch.starts[first] as usize..];
    own.lambda.clear();
    own.lambda.resize(own.problem.rows.len(), 0.0);
    for (point, impulses) in own.problem.contacts.iter().zip(impulses) {
        let mut row = point.row as usize;
        own.lambda[row] = impulses.0[0];
        for (_, impulse) in point.has_friction.iter().zip(&impulses.0[1..3]).filter(|(has, _)| **has) {
            row += 1;
            own.lambda[row] = *impulse;
        }
    }
    own.impact.clear();
    own.impact_work = 0.0;
    own.counts = SolveCounts::default();
    own.is_split = batch.is_split;
    own.z.clear();
    own.z.extend_from_slice(&velocities.z[own.span.clone()]);
    own.z_position.clear();
    own.z_position.extend_from_slice(&velocities.z_position[own.span.clone()]);
}
