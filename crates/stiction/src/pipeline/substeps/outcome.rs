//! Impulses of bundles back to the contacts.

use glam::DVec3;

use super::super::detect::ContactInput;
use super::Frame;
use super::manifolds::{Manifolds, Patch};
use super::restitution::Restitutions;
use crate::solvers::soft::{Bundle, NORMAL, ROWS};

/// Writes impulses and forces into the contacts.
pub(super) fn write<const W: usize>(
    frame: &Frame,
    bundles: &[Bundle<W>],
    manifolds: &Manifolds,
    contacts: &mut [ContactInput],
) {
    for bundle in bundles {
        for (lane, number) in bundle.manifolds.iter().enumerate() {
            let Some(patch) = manifolds.patches.get(*number as usize) else { continue };
            let axes = bundle.frame(lane).map(DVec3::from_array);
            let of = |rows: &[[f64; W]; ROWS]| rows.map(|row| row[lane]);
            let substeps = f64::from(frame.substeps);
            spread(patch, &axes, &of(&bundle.lambda), contacts, |contact, normal, friction, _| {
                contact.warm_normal = substeps * normal;
                contact.warm_friction = substeps * friction;
            });
            spread(patch, &axes, &of(&bundle.total), contacts, |contact, normal, friction, torque| {
                contact.force = (axes[2] * normal + friction) / frame.step;
                contact.torque = torque / frame.step;
            });
        }
    }
}

/// Adds the forces of impacts.
pub(super) fn add_impacts(
    frame: &Frame,
    restitutions: &Restitutions,
    manifolds: &Manifolds,
    contacts: &mut [ContactInput],
) {
    for (patch, normal, impulses) in restitutions.impulses() {
        let patch = &manifolds.patches[patch as usize];
        for (contact, impulse) in patch.contacts[..patch.count as usize].iter().zip(impulses) {
            contacts[*contact as usize].force += normal * (impulse / frame.step);
        }
    }
}

/// Shares the friction of a patch among its points by their loads, so that its sum and moment are the same.
fn spread(
    patch: &Patch,
    axes: &[DVec3; 3],
    rows: &[f64; ROWS],
    contacts: &mut [ContactInput],
    mut give: impl FnMut(&mut ContactInput, f64, DVec3, DVec3),
) {
    let count = patch.count as usize;
    let normals = &rows[NORMAL..NORMAL + count];
    let sum: f64 = normals.iter().sum();
    let weight = |k: usize| if sum > 0.0 { normals[k] / sum } else { 1.0 / count as f64 };
    let place = |contacts: &[ContactInput], k: usize| contacts[patch.contacts[k] as usize].position;
    let center: DVec3 = (0..count).map(|k| weight(k) * place(contacts, k)).sum();
    let force = rows[0] * axes[0] + rows[1] * axes[1];
    let twist = rows[2] + patch.normal.dot((patch.center - center).cross(force));
    let spread: f64 = (0..count).map(|k| weight(k) * (place(contacts, k) - center).length_squared()).sum();
    let is_spread = spread > 1e-18;
    for k in 0..count {
        let arm = place(contacts, k) - center;
        let turning = if is_spread { twist / spread * patch.normal.cross(arm) } else { DVec3::ZERO };
        let torque = if is_spread { DVec3::ZERO } else { weight(k) * twist * patch.normal };
        give(&mut contacts[patch.contacts[k] as usize], normals[k], weight(k) * (force + turning), torque);
    }
}
