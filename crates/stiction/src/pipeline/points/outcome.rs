//! What batches give back: impulses of contacts, counts of the report, and rows for those who read them.

use super::super::detect::ContactInput;
use super::super::islands::Islands;
use super::super::problems::IslandProblem;
use super::super::report::SolveCounts;
use super::super::solve::Velocities;
use super::super::{StepReport, Workspace, rebound};
use super::{PointBatch, PointIslands};
use crate::constraint::Problem;
use crate::solvers::soft::Record;
use glam::DVec3;

/// Writes the impulses of the contacts for the next step.
pub(in super::super) fn remember(step: f64, work: &mut Workspace) {
    let Workspace { points, problems, islands, contacts, .. } = work;
    for batch in points.batches() {
        remember_batch(step, batch, |island| points.is_unsolved(island), islands, contacts);
    }
    for own in problems.iter().filter(|own| own.is_swept) {
        remember_batch(step, &own.batch, |_| false, islands, contacts);
    }
}

fn remember_batch(
    step: f64,
    batch: &PointBatch,
    is_unsolved: impl Fn(usize) -> bool,
    islands: &Islands,
    contacts: &mut [ContactInput],
) {
    for (island, first) in batch.islands.iter().zip(&batch.starts) {
        let island = *island as usize;
        if is_unsolved(island) {
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
            if let Some(Record([_, _, _, x, y, z, ..])) = batch.moments.get(at) {
                contact.torque = DVec3::new(*x, *y, *z) / step;
            }
        }
    }
}

/// Adds what was solved by points to the report of a step.
pub(in super::super) fn finish(work: &Workspace, report: &mut StepReport) {
    let Workspace { points, problems, islands, contacts, manifolds, .. } = work;
    for batch in points.batches() {
        report.penetration = report.penetration.max(batch.deepest);
        for (island, rows) in batch.islands.iter().zip(&batch.rows_of) {
            let island = *island as usize;
            if !points.is_unsolved(island) {
                report.rows += *rows as usize;
                report.islands += 1;
                report.contacts += (islands.ends[island][2] - islands.start(island)[2]) as usize;
            }
        }
    }
    // Their islands are counted with their rows.
    for own in problems.iter().filter(|own| own.is_swept) {
        report.penetration = report.penetration.max(own.batch.deepest);
        report.contacts += own.contacts.len();
        for contact in islands.contacts[own.contacts.clone()].iter().map(|index| &contacts[*index as usize]) {
            let law = points.laws()[manifolds[contact.manifold as usize].law as usize].as_ref();
            report.rows += law.map_or(0, |law| law.rows(contact.depth)) as usize;
        }
    }
}

/// Gives a problem whose islands a batch has solved their impulses and velocities, for those who read its rows.
pub(in super::super) fn tell(points: &PointIslands, velocities: &Velocities, own: &mut IslandProblem, batch: u32) {
    let batch = &points.batches()[batch as usize];
    let first = batch.islands.binary_search(&(own.islands.start as u32)).unwrap_or(0);
    own.lambda.clear();
    own.lambda.resize(own.problem.rows.len(), 0.0);
    write_contacts(batch, batch.starts[first] as usize, &own.problem, &mut own.lambda);
    shift_targets(batch.restitution.get(first..).unwrap_or_default(), &mut own.problem);
    own.impact.clear();
    own.impact_work = 0.0;
    own.counts = SolveCounts::default();
    own.is_split = batch.is_split;
    own.z.clear();
    own.z.extend_from_slice(&velocities.z[own.span.clone()]);
    own.z_position.clear();
    own.z_position.extend_from_slice(&velocities.z_position[own.span.clone()]);
}

/// Gives the rows of contacts of a problem the impulses of its own batch.
pub(super) fn copy_impulses(own: &mut IslandProblem) {
    write_contacts(&own.batch, 0, &own.problem, &mut own.lambda);
}

/// Lets the targets of a problem have the restitution that its own batch has left.
pub(super) fn copy_restitution(own: &mut IslandProblem) {
    shift_targets(&own.batch.restitution, &mut own.problem);
}

/// Writes impulses of the points of a batch, from one of them on, to the rows of contacts.
fn write_contacts(batch: &PointBatch, first: usize, problem: &Problem, lambda: &mut [f64]) {
    for (number, point) in problem.contacts.iter().enumerate() {
        let at = first + number;
        let [normal, along @ .., _, _, _, _, _] = batch.impulses[at].0;
        let [about_first, about_second, about_normal, ..] = batch.moments.get(at).copied().unwrap_or_default().0;
        let frictions = point.has_friction.iter().zip(along);
        let moments = point.has_rolling.iter().zip([about_first, about_second, about_normal]);
        let others = frictions.chain(moments).filter(|(has, _)| **has).map(|(_, impulse)| impulse);
        for (row, impulse) in point.rows().zip(std::iter::once(normal).chain(others)) {
            lambda[row] = impulse;
        }
    }
}

/// Residuals refer to the restitution that remains.
fn shift_targets(shares: &[Option<f64>], problem: &mut Problem) {
    for (number, share) in shares.iter().enumerate() {
        if let (Some(share), Some(island)) = (share, problem.islands.get(number).cloned()) {
            rebound::shift_targets(problem, &island, share - 1.0);
        }
    }
}
