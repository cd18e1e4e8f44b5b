//! Which joints a body has, and which bodies they connect.

use std::ffi::c_int;

use super::body::BodyId;
use super::joint::{JointId, JointNode};
use crate::report::require;

/// Joints of a body, the one attached last first, each with the body on the other side.
struct Joints(*mut JointNode);

impl Iterator for Joints {
    type Item = (JointId, BodyId);

    fn next(&mut self) -> Option<Self::Item> {
        // SAFETY: the nodes of a body's list are those of joints that exist.
        unsafe {
            let node = self.0.as_ref()?;
            self.0 = node.next;
            Some((node.joint, node.body))
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodyGetNumJoints(body: BodyId) -> c_int {
    require!(!body.is_null(), "bad body argument", 0);
    Joints((*body).first_joint).count() as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodyGetJoint(body: BodyId, index: c_int) -> JointId {
    require!(!body.is_null(), "bad body argument", std::ptr::null_mut());
    let nth = usize::try_from(index).ok().and_then(|i| Joints((*body).first_joint).nth(i));
    nth.map_or(std::ptr::null_mut(), |(joint, _)| joint)
}

/// Joints between two bodies, of which one may be the world.
unsafe fn between(body1: BodyId, body2: BodyId) -> impl Iterator<Item = JointId> {
    let (body, other) = if body1.is_null() { (body2, body1) } else { (body1, body2) };
    Joints((*body).first_joint).filter(move |(_, on)| *on == other).map(|(joint, _)| joint)
}

/// A joint that is no contact connects two bodies.
pub(crate) unsafe fn are_jointed(body1: BodyId, body2: BodyId) -> bool {
    between(body1, body2).any(|joint| !(*joint).kind.is_contact())
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dConnectingJoint(body1: BodyId, body2: BodyId) -> JointId {
    require!(!body1.is_null() || !body2.is_null(), "bad body arguments", std::ptr::null_mut());
    between(body1, body2).next().unwrap_or(std::ptr::null_mut())
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dConnectingJointList(body1: BodyId, body2: BodyId, list: *mut JointId) -> c_int {
    require!(!body1.is_null() || !body2.is_null(), "bad body arguments", 0);
    require!(!list.is_null(), "bad list argument", 0);
    let mut count = 0;
    for joint in between(body1, body2) {
        *list.add(count) = joint;
        count += 1;
    }
    count as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dAreConnected(body1: BodyId, body2: BodyId) -> c_int {
    require!(!body1.is_null(), "bad body argument", 0);
    c_int::from(between(body1, body2).next().is_some())
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dAreConnectedExcluding(body1: BodyId, body2: BodyId, joint_type: c_int) -> c_int {
    require!(!body1.is_null(), "bad body argument", 0);
    c_int::from(between(body1, body2).any(|joint| (*joint).kind.number() != joint_type))
}
