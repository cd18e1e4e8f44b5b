//! Impulses of bundles back to the contacts and patches.

use glam::DVec3;

use super::super::detect::ContactInput;
use super::super::patches::{PLACED, equal_shares, share_friction};
use super::super::{StepReport, Workspace};
use super::manifolds::{Manifolds, Origin, Patch};
use super::restitution::Restitutions;
use super::{Frame, three};
use crate::solvers::soft::{Bundle, GIVEN, MANIFOLD_RECORDS, NORMAL, NORMAL_PLACE, ROWS, Record};

/// Writes impulses and forces into the contacts, and into the patches that the world keeps.
pub(super) fn write<const W: usize>(
    frame: &Frame,
    bundles: &[Bundle<W>],
    manifolds: &mut Manifolds,
    work: &mut Workspace,
    report: &mut StepReport,
) {
    let substeps = f64::from(frame.substeps);
    let Workspace { patches, contacts, .. } = work;
    let Manifolds { patches: list, records, .. } = manifolds;
    for bundle in bundles {
        for (lane, number) in bundle.manifolds.iter().enumerate() {
            let Some(patch) = list.get_mut(*number as usize) else { continue };
            let axes = bundle.frame(lane).map(DVec3::from_array);
            let of = |rows: &[[f64; W]; ROWS]| rows.map(|row| row[lane]);
            let (last, total) = (of(&bundle.lambda), of(&bundle.total));
            match patch.origin {
                Origin::Kept(number) => {
                    let records = &mut records[MANIFOLD_RECORDS * patch.record as usize..][..MANIFOLD_RECORDS];
                    let gaps = bundle.first_gap.map(|gap| gap[lane]);
                    let deepest =
                        keep(records, patch.count as usize, &axes, &last.map(|row| substeps * row), &total, &gaps);
                    patch.depths = gaps.map(|gap| -gap);
                    report.penetration = report.penetration.max(deepest);
                    patches.heads[number as usize].is_placed &= deepest > PLACED;
                }
                Origin::Contacts(_) => {
                    spread(patch, &axes, &last, contacts, |contact, normal, friction, _| {
                        contact.warm_normal = substeps * normal;
                        contact.warm_friction = substeps * friction;
                    });
                    spread(patch, &axes, &total, contacts, |contact, normal, friction, torque| {
                        contact.force = (axes[2] * normal + friction) / frame.step;
                        contact.torque = torque / frame.step;
                    });
                }
            }
        }
    }
}

/// Writes impulses into the records of a patch; returns its deepest overlap at the start of the step.
fn keep(
    records: &mut [Record],
    count: usize,
    axes: &[DVec3; 3],
    last: &[f64; ROWS],
    total: &[f64; ROWS],
    gaps: &[f64; 4],
) -> f64 {
    let friction = |rows: &[f64; ROWS]| three(rows[0] * axes[0] + rows[1] * axes[1]);
    let [x, y, z] = friction(last);
    records[0].0[4..].copy_from_slice(&[x, y, z, last[2]]);
    let (mut there, mut bears, mut deepest) = ([false; 4], [false; 4], f64::NEG_INFINITY);
    for k in 0..count {
        records[1 + k].0[NORMAL_PLACE] = last[NORMAL + k];
        (there[k], bears[k]) = (true, gaps[k] <= 0.0 || last[NORMAL + k] > 0.0);
        deepest = deepest.max(-gaps[k]);
    }
    let shares = equal_shares(&there, &bears);
    for k in 0..count {
        records[1 + k].0[7] = 1.0 + shares[k];
    }
    let ([x, y, z], [_, _, twist, a, b, c, d]) = (friction(total), *total);
    records[GIVEN].0 = [a, b, c, d, x, y, z, twist];
    deepest
}

/// Adds the forces of impacts.
pub(super) fn add_impacts(
    frame: &Frame,
    restitutions: &Restitutions,
    manifolds: &mut Manifolds,
    contacts: &mut [ContactInput],
) {
    for (patch, normal, impulses) in restitutions.impulses() {
        let patch = &manifolds.patches[patch as usize];
        for (k, impulse) in impulses[..patch.count as usize].iter().enumerate() {
            match patch.origin {
                Origin::Kept(_) => manifolds.records[MANIFOLD_RECORDS * patch.record as usize + GIVEN].0[k] += impulse,
                Origin::Contacts(list) => contacts[list[k] as usize].force += normal * (impulse / frame.step),
            }
        }
    }
}

/// Gives the contacts of a patch their impulses, and their shares of its friction.
fn spread(
    patch: &Patch,
    axes: &[DVec3; 3],
    rows: &[f64; ROWS],
    contacts: &mut [ContactInput],
    mut give: impl FnMut(&mut ContactInput, f64, DVec3, DVec3),
) {
    let Origin::Contacts(list) = patch.origin else { return };
    let count = patch.count as usize;
    let normals = &rows[NORMAL..NORMAL + count];
    let places: [DVec3; 4] =
        std::array::from_fn(|k| if k < count { contacts[list[k] as usize].position } else { DVec3::ZERO });
    let friction = (rows[0] * axes[0] + rows[1] * axes[1], patch.center, rows[2]);
    let shares = share_friction(&places[..count], normals, patch.normal, friction);
    for (k, (force, torque)) in shares[..count].iter().enumerate() {
        give(&mut contacts[list[k] as usize], normals[k], *force, *torque);
    }
}
