//! Patches of islands that rows solve, as contacts of those rows.

use glam::DVec3;

use super::context::Model;
use super::detect::{ContactInput, Manifold};
use super::pair_laws::PairLaw;
use super::patches::{self, Warm, body_of};
use super::{Workspace, rules};
use crate::model::{State, span_of_patch as span};
use crate::solvers::soft::{GIVEN, NORMAL_PLACE};

/// The contacts of a patch in the list of the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatchContacts {
    patch: u32,
    first: u32,
}

/// Adds the patches of some islands to the contacts of the step: numbers of an island and of a patch.
pub(super) fn add(model: &Model, state: &State, work: &mut Workspace, list: &[(u32, u32)]) {
    let Workspace {
        patches, frames, contacts, manifolds, pair_laws, geom_poses, islands, patch_contacts, added, ..
    } = work;
    patch_contacts.clear();
    if list.is_empty() {
        return;
    }
    added.clear();
    let rules = rules::of_world(model);
    for (island, number) in list {
        let head = &patches.heads[*number as usize];
        let records = patches.records_of(*number as usize);
        let [Some(a), Some(b)] = head.geoms.map(|slot| model.geoms.at(slot as usize)) else { continue };
        let Some(rule) = rules::of_pair(&rules, model, a, b) else { continue };
        let (points, count) = patches::at_start(frames, head, records);
        let poses = head.geoms.map(|slot| &geom_poses[slot as usize]);
        let sign = if head.is_turned { -1.0 } else { 1.0 };
        let surface = rule.law().at(poses, count, sign * points[0].normal, |body| state.rotation(body));
        let (first, manifold) = (contacts.len() as u32, manifolds.len() as u32);
        let warm = Warm::of_patch(patches, *number as usize);
        for (point, old) in points[..count].iter().zip(warm.points()) {
            added.push((*island, contacts.len() as u32));
            contacts.push(ContactInput {
                position: point.position,
                normal: point.normal,
                depth: point.depth,
                warm_normal: old.normal,
                warm_friction: sign * old.friction,
                stored: old.stored,
                is_placed: old.is_placed,
                ..ContactInput::between(head.bodies.map(body_of), manifold, old.feature, !warm.bears())
            });
        }
        manifolds.push(Manifold {
            geoms: None,
            user_contact: None,
            patch: Some(*number),
            bodies: if head.is_turned { [b.body, a.body] } else { [a.body, b.body] },
            law: pair_laws.len() as u32,
            points: [first, contacts.len() as u32],
            body_bins: 0,
            has_area: false,
        });
        pair_laws.push(PairLaw { surface, segments: [None; 2] });
        patch_contacts.push(PatchContacts { patch: *number, first });
    }
    islands.add_contacts(added);
}

/// Writes what rows gave their contacts back into the patches.
pub(super) fn give_back(step: f64, work: &mut Workspace) {
    let Workspace { patches, contacts, patch_contacts, frames, .. } = work;
    for PatchContacts { patch, first } in &*patch_contacts {
        let acting =
            patches::acting_normal(frames, &patches.heads[*patch as usize], patches.records_of(*patch as usize));
        let head = &mut patches.heads[*patch as usize];
        let count = head.count as usize;
        let own = &contacts[*first as usize..*first as usize + count];
        let center: DVec3 = own.iter().map(|contact| contact.position).sum::<DVec3>() / count as f64;
        let records = &mut patches.records[span(*patch as usize)];
        let (mut warm, mut twist, mut given, mut all_twist) = (DVec3::ZERO, 0.0, DVec3::ZERO, 0.0);
        for (k, contact) in own.iter().enumerate() {
            let (arm, normal) = (contact.position - center, contact.normal);
            let impulse = step * contact.force;
            let along = impulse.dot(normal);
            warm += contact.warm_friction;
            twist += normal.dot(arm.cross(contact.warm_friction));
            given += impulse - along * acting;
            all_twist += normal.dot(arm.cross(impulse) + step * contact.torque);
            records[1 + k].0[NORMAL_PLACE] = contact.warm_normal.max(0.0);
            records[GIVEN].0[k] = along;
            head.stored[k] = contact.stored;
        }
        head.is_placed &= own.iter().any(|contact| contact.is_placed);
        records[0].0[4..].copy_from_slice(&[warm.x, warm.y, warm.z, twist]);
        records[GIVEN].0[4..].copy_from_slice(&[given.x, given.y, given.z, all_twist]);
    }
}
