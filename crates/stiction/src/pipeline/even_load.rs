//! The impulses of a manifold that its next step starts from, evened out ([`crate::contact::spread`]).

use glam::DVec3;

use super::contact_input::ContactInput;
use crate::contact::spread::{MOST, even_out};

/// Points of one face share their load evenly, before the sweeps. Points of sub-steps may be across gaps, and share a load by one
/// softness.
pub(super) fn even_out_manifold(contacts: &mut [ContactInput], of_substeps: bool) {
    let n = contacts.len();
    let Some(normal) = contacts.first().map(|c| c.normal) else { return };
    let has_gap = of_substeps && contacts.iter().any(|c| c.depth < 0.0);
    if !(4..=MOST).contains(&n) || has_gap || contacts.iter().any(|c| c.normal != normal) {
        return;
    }
    // Most have four points.
    if n == 4 { even_out_of::<4>(contacts, normal) } else { even_out_of::<MOST>(contacts, normal) }
}

fn even_out_of<const N: usize>(contacts: &mut [ContactInput], normal: DVec3) {
    let n = contacts.len().min(N);
    let (mut positions, mut impulses) = ([DVec3::ZERO; N], [0.0; N]);
    for (i, contact) in contacts.iter().enumerate().take(N) {
        positions[i] = contact.position;
        impulses[i] = contact.warm_normal;
    }
    even_out(&positions[..n], normal, &mut impulses[..n]);
    for (contact, impulse) in contacts.iter_mut().zip(impulses) {
        contact.warm_normal = impulse;
    }
}
