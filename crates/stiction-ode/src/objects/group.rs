//! Joint groups: joints that go together, usually the contacts of a step. Their memory is used again.

use std::ffi::c_int;

use super::joint::{self, Joint, JointId};
use crate::alive::{self, require_alive};
use crate::report::require;

/// `dJointGroupID`.
pub(crate) struct Group {
    /// Joints in the order of creation.
    joints: Vec<JointId>,
    /// Memory of joints that have gone.
    spare: Vec<JointId>,
}

impl Group {
    /// Memory for a joint of the group, with nothing in it.
    pub(crate) fn place(&mut self) -> JointId {
        let joint = self.spare.pop().unwrap_or_else(|| alive::room(alive::Kind::Joint));
        self.joints.push(joint);
        joint
    }

    /// Lets all joints go, the newest first: it stands at the head of its lists.
    unsafe fn empty(&mut self) {
        while let Some(joint) = self.joints.pop() {
            joint::unlink(joint);
            std::ptr::drop_in_place(joint);
            self.spare.push(joint);
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGroupCreate(_max_size: c_int) -> *mut Group {
    alive::add(alive::Kind::Group, Group { joints: Vec::new(), spare: Vec::new() })
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGroupDestroy(group: *mut Group) {
    require!(!group.is_null(), "bad joint group argument");
    require_alive!(group);
    (*group).empty();
    for memory in (*group).spare.drain(..) {
        // What was in it has been dropped.
        alive::destroy(alive::Kind::Joint, memory.cast::<std::mem::MaybeUninit<Joint>>());
    }
    alive::destroy(alive::Kind::Group, group);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGroupEmpty(group: *mut Group) {
    require!(!group.is_null(), "bad joint group argument");
    require_alive!(group);
    (*group).empty();
}
