//! The impulses of manifolds that their next step starts from, evened out ([`crate::contact::spread`]): those of four points several
//! manifolds at a time.

use super::contact_input::ContactInput;
use super::even_lanes::{self, FACE_RECORDS};
use crate::contact::spread::{MOST, even_out};
use crate::solvers::soft::Record;
use glam::DVec3;

/// Faces with four points whose impulses are still to be evened out; memory that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct EvenLoads {
    /// Their first contacts, and their records.
    firsts: Vec<u32>,
    records: Vec<Record>,
}

impl EvenLoads {
    pub(super) fn clear(&mut self) {
        self.firsts.clear();
        self.records.clear();
    }

    /// Takes in the manifold of the contacts from the first on. Points of one face share their load evenly, before the sweeps. Points of
    /// sub-steps may be across gaps, and share a load by one softness.
    pub(super) fn add(&mut self, contacts: &mut [ContactInput], first: u32, of_substeps: bool) {
        let contacts = &mut contacts[first as usize..];
        let n = contacts.len();
        let Some(normal) = contacts.first().map(|c| c.normal) else { return };
        let has_gap = of_substeps && contacts.iter().any(|c| c.depth < 0.0);
        if !(4..=MOST).contains(&n) || has_gap || contacts.iter().any(|c| c.normal != normal) {
            return;
        }
        if let [a, b, c, d] = contacts {
            let (p, q, r, s, n) = (a.position, b.position, c.position, d.position, normal);
            self.firsts.push(first);
            self.records.extend_from_slice(&[
                Record([n.x, n.y, n.z, a.warm_normal, b.warm_normal, c.warm_normal, d.warm_normal, p.x]),
                Record([p.y, p.z, q.x, q.y, q.z, r.x, r.y, r.z]),
                Record([s.x, s.y, s.z, 0.0, 0.0, 0.0, 0.0, 0.0]),
            ]);
        } else {
            even_out_all(contacts, normal);
        }
    }

    /// Evens out what was taken in.
    pub(super) fn finish(&mut self, contacts: &mut [ContactInput]) {
        let Self { firsts, records } = self;
        even_lanes::even_out(records);
        for (first, face) in firsts.iter().zip(records.chunks_exact(FACE_RECORDS)) {
            let own = &mut contacts[*first as usize..][..4];
            own.iter_mut().zip(face[0].0).for_each(|(contact, impulse)| contact.warm_normal = impulse);
        }
    }
}

fn even_out_all(contacts: &mut [ContactInput], normal: DVec3) {
    let n = contacts.len().min(MOST);
    let (mut positions, mut impulses) = ([DVec3::ZERO; MOST], [0.0; MOST]);
    for (i, contact) in contacts.iter().enumerate().take(MOST) {
        positions[i] = contact.position;
        impulses[i] = contact.warm_normal;
    }
    even_out(&positions[..n], normal, &mut impulses[..n]);
    for (contact, impulse) in contacts.iter_mut().zip(impulses) {
        contact.warm_normal = impulse;
    }
}
