//! Impulses of bundles back to the contacts and patches.

use glam::DVec3;

use super::super::detect::ContactInput;
use super::super::friction_shares::share_friction;
use super::super::patches::PLACED;
use super::super::{StepReport, Workspace};
use super::Frame;
use super::manifolds::{Manifolds, Origin, Patch};
use super::parallel::Colours;
use super::restitution::Restitutions;
use crate::base::ThreadPool;
use crate::solvers::soft::{Bundle, GIVEN, MANIFOLD_RECORDS, NORMAL, OwnPlaces, ROWS, Width};

/// Writes impulses and forces into the contacts, and into the patches that the world keeps.
pub(super) fn write<L: Width<W>, const W: usize>(
    (pool, colours): (&mut ThreadPool, &Colours),
    frame: &Frame,
    (bundles, own): (&[Bundle<W>], &[Bundle<1>]),
    manifolds: &mut Manifolds,
    work: &mut Workspace,
    report: &mut StepReport,
) {
    let substeps = f64::from(frame.substeps);
    let of_bodies = colours.write::<L, W>(pool, bundles, &mut manifolds.records, substeps);
    let of_spaces = <f64 as Width<1>>::write(own, &mut OwnPlaces::all(&mut manifolds.records), substeps);
    if of_bodies.1 || of_spaces.1 {
        work.persistent_pairs.end();
    }
    report.penetration = report.penetration.max(of_bodies.0).max(of_spaces.0);
    if manifolds.wants_more {
        write_more(frame, bundles, manifolds, work);
        write_more(frame, own, manifolds, work);
    }
}

/// Overlaps of patches, and impulses and forces of contacts that are none.
fn write_more<const W: usize>(frame: &Frame, bundles: &[Bundle<W>], manifolds: &mut Manifolds, work: &mut Workspace) {
    let substeps = f64::from(frame.substeps);
    let Workspace { patches, contacts, .. } = work;
    for bundle in bundles {
        for (lane, number) in bundle.manifolds.iter().enumerate() {
            let Some(patch) = manifolds.patches.get_mut(*number as usize) else { continue };
            match patch.origin {
                Origin::Kept(number) => {
                    patch.depths = bundle.first_gap.map(|gap| -gap[lane]);
                    let depths = &patch.depths[..patch.count as usize];
                    patches.heads[number as usize].is_placed &= depths.iter().any(|depth| *depth > PLACED);
                }
                Origin::Contacts(_) => {
                    let axes = bundle.frame(lane).map(|axis| patch.sign * DVec3::from_array(axis));
                    let of = |rows: &[[f64; W]; ROWS]| rows.map(|row| row[lane]);
                    spread(patch, &axes, &of(&bundle.lambda), contacts, |contact, normal, friction, _| {
                        contact.warm_normal = substeps * normal;
                        contact.warm_friction = substeps * friction;
                    });
                    spread(patch, &axes, &of(&bundle.total), contacts, |contact, normal, friction, torque| {
                        // The report has the normal in which the force acted.
                        contact.normal = axes[2];
                        contact.force = (axes[2] * normal + friction) / frame.step;
                        contact.torque = torque / frame.step;
                    });
                }
            }
        }
    }
}

/// Adds the forces of impacts.
pub(super) fn add_impacts(
    frame: &Frame,
    restitutions: &Restitutions,
    manifolds: &mut Manifolds,
    contacts: &mut [ContactInput],
) {
    for (patch, normal, impulses, friction) in restitutions.impulses() {
        let patch = &manifolds.patches[patch as usize];
        let impulses = &impulses[..patch.count as usize];
        match patch.origin {
            Origin::Kept(_) => {
                let given = &mut manifolds.records[MANIFOLD_RECORDS * patch.record as usize + GIVEN].0;
                given.iter_mut().zip(impulses).for_each(|(given, impulse)| *given += impulse);
                (0..3).for_each(|e| given[4 + e] += friction[e]);
            }
            Origin::Contacts(list) => {
                let sum: f64 = impulses.iter().sum();
                for (contact, impulse) in list.iter().zip(impulses) {
                    let share = impulse * normal + impulse / sum * friction;
                    contacts[*contact as usize].force += patch.sign * share / frame.step;
                }
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
    let shares = share_friction(&places[..count], normals, axes[2], friction);
    for (k, (force, torque)) in shares[..count].iter().enumerate() {
        give(&mut contacts[list[k] as usize], normals[k], *force, *torque);
    }
}
