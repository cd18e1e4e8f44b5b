//! How far `dWorldStepFast1` enables bodies (guide, chapter 8.4): enabled bodies enable those within so many bodies of them;
//! the disabled ones at the rim are held for the step, as bodies that nothing moves.

use super::islands::takes_part;
use crate::objects::body::{BodyId, flag};
use crate::objects::held::Rim;
use crate::objects::world::WorldId;

/// Lets the bodies go when it is dropped, however the step ends.
pub(super) struct Release(pub *mut Rim);

/// Enables bodies within `depth` of enabled ones and holds the disabled ones beside those.
pub(super) unsafe fn hold(world: WorldId, depth: u32) {
    let mut ring = Vec::new();
    let mut body = (*world).first_body;
    while let Some(b) = body.as_mut() {
        if b.flags & flag::DISABLED == 0 {
            ring.push(body);
        }
        body = b.next;
    }
    for _ in 0..depth {
        let next = disabled_beside(&ring);
        if next.is_empty() {
            break;
        }
        for &body in &next {
            (*body).flags &= !flag::DISABLED;
        }
        ring = next;
    }
    let mut enabled = Vec::new();
    let mut body = (*world).first_body;
    while let Some(b) = body.as_mut() {
        if b.flags & flag::DISABLED == 0 {
            enabled.push(body);
        }
        body = b.next;
    }
    for body in disabled_beside(&enabled) {
        (*world).rim.hold(body);
    }
}

impl Drop for Release {
    fn drop(&mut self) {
        // SAFETY: the world, and its bodies, are not destroyed during a step.
        unsafe { (*self.0).release() };
    }
}

/// Disabled bodies that a joint connects to one of these, each once.
unsafe fn disabled_beside(bodies: &[BodyId]) -> Vec<BodyId> {
    let mut found = Vec::new();
    for &body in bodies {
        let mut node = (*body).first_joint;
        while let Some(n) = node.as_ref() {
            if let Some(other) = n.body.as_ref()
                && other.flags & flag::DISABLED != 0
                && takes_part(&*n.joint)
            {
                found.push(n.body);
            }
            node = n.next;
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
