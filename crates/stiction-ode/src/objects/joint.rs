//! What all joints have: bodies, lists, feedback.

use std::any::Any;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use super::body::BodyId;
use super::mechanism::Mechanism;
use super::row::Rows;
use super::sides::Sides;
use super::world::WorldId;
use crate::alive::{self, require_alive};
use crate::report::{message, require};
use crate::types::{dContact, dJointFeedback};

/// `dJointID`.
pub(crate) type JointId = *mut Joint;

/// Bits of [`Joint::flags`].
pub(crate) mod flag {
    /// The joint belongs to a group and goes with it.
    pub(crate) const IN_GROUP: u8 = 1;
    /// The program named the world as first body: the bodies are swapped inside.
    pub(crate) const REVERSE: u8 = 2;
    /// The joint takes no part.
    pub(crate) const DISABLED: u8 = 4;
}

/// One side of a joint, in the list of the body on the other side.
pub(crate) struct JointNode {
    pub joint: JointId,
    /// The body on this side; null for the world.
    pub body: BodyId,
    /// The next joint of the body on the other side.
    pub next: *mut JointNode,
}

/// What a kind of joint does.
pub(crate) trait JointKind: Any {
    /// `dJointType…`.
    fn number(&self) -> c_int;

    /// The joint cannot be attached to the world.
    fn needs_two_bodies(&self) -> bool {
        false
    }

    /// The joint has new bodies: what it knows relative to them is taken anew.
    fn attached(&mut self, _: &Sides) {}

    /// The rows at the present poses, in ODE's order. Motors at stops put forces on the bodies.
    fn rows(&mut self, sides: &Sides, rows: &mut Rows);

    /// The joint as the engine moves it in the fast mode; none where only its rows say what it does.
    fn mechanism(&self, _: &Sides) -> Option<Mechanism> {
        None
    }
}

/// What a joint is.
pub(crate) enum Kind {
    /// Those are many, and made anew in every step: [`Joint::contact`] has their data.
    Contact,
    Other(Box<dyn JointKind>),
}

impl Kind {
    pub(crate) fn new(kind: impl JointKind) -> Self {
        Self::Other(Box::new(kind))
    }

    pub(crate) fn is_contact(&self) -> bool {
        matches!(self, Self::Contact)
    }

    /// `dJointType…`.
    pub(crate) fn number(&self) -> c_int {
        match self {
            Self::Contact => 4,
            Self::Other(kind) => kind.number(),
        }
    }

    /// The data of a kind, if the joint is of it.
    pub(crate) fn of<T: JointKind>(&self) -> Option<&T> {
        let Self::Other(kind) = self else { return None };
        let kind: &dyn Any = &**kind;
        kind.downcast_ref()
    }

    /// The data of a kind, if the joint is of it.
    pub(crate) fn of_mut<T: JointKind>(&mut self) -> Option<&mut T> {
        let Self::Other(kind) = self else { return None };
        let kind: &mut dyn Any = &mut **kind;
        kind.downcast_mut()
    }
}

/// A joint.
pub(crate) struct Joint {
    pub world: WorldId,
    /// The joint created before this one.
    pub next: JointId,
    pub previous: JointId,
    pub user_data: *mut c_void,
    pub flags: u8,
    /// Used by the search for islands.
    pub tag: bool,
    /// The first is never the world, unless both are.
    pub nodes: [JointNode; 2],
    pub feedback: *mut dJointFeedback,
    pub kind: Kind,
    /// Written in joints that are contacts, and only there.
    pub contact: MaybeUninit<dContact>,
}

impl Joint {
    pub(crate) fn is_reverse(&self) -> bool {
        self.flags & flag::REVERSE != 0
    }

    /// The contact of a contact joint.
    #[inline(always)]
    pub(crate) fn contact(&self) -> Option<&dContact> {
        // SAFETY: contact joints are made with a contact.
        self.kind.is_contact().then(|| unsafe { self.contact.assume_init_ref() })
    }

    pub(crate) fn sides(&self) -> Sides {
        Sides { bodies: [self.nodes[0].body, self.nodes[1].body], is_reverse: self.is_reverse() }
    }
}

/// Puts a new joint at the head of its world's list.
///
/// # Safety
/// The joint and its world exist; the joint is in no list.
pub(crate) unsafe fn link(joint: JointId) {
    let world = (*joint).world;
    (*joint).next = (*world).first_joint;
    (*joint).previous = std::ptr::null_mut();
    if !(*joint).next.is_null() {
        (*(*joint).next).previous = joint;
    }
    (*world).first_joint = joint;
    (*world).joint_count += 1;
}

/// Takes a joint off its bodies and its world.
///
/// # Safety
/// The joint exists.
pub(crate) unsafe fn unlink(joint: JointId) {
    let world = (*joint).world;
    if world.is_null() {
        return;
    }
    detach(joint);
    let (next, previous) = ((*joint).next, (*joint).previous);
    if !next.is_null() {
        (*next).previous = previous;
    }
    if previous.is_null() {
        (*world).first_joint = next;
    } else {
        (*previous).next = next;
    }
    (*world).joint_count -= 1;
}

/// Takes a joint off its bodies.
///
/// # Safety
/// The joint exists.
pub(crate) unsafe fn detach(joint: JointId) {
    for side in 0..2 {
        let body = (*joint).nodes[side].body;
        if body.is_null() {
            continue;
        }
        let mut link: *mut *mut JointNode = &raw mut (*body).first_joint;
        while !(*link).is_null() {
            if (**link).joint == joint {
                *link = (**link).next;
                break;
            }
            link = &raw mut (**link).next;
        }
    }
    for node in &mut (*joint).nodes {
        node.body = std::ptr::null_mut();
        node.next = std::ptr::null_mut();
    }
}

/// The world of a joint goes: a joint of a group stays until the group lets it go.
///
/// # Safety
/// The joint exists; its world has no bodies any more.
pub(crate) unsafe fn outlive_world(joint: JointId) {
    if (*joint).flags & flag::IN_GROUP == 0 {
        alive::destroy(alive::Kind::Joint, joint);
        return;
    }
    (*joint).world = std::ptr::null_mut();
    for node in &mut (*joint).nodes {
        node.body = std::ptr::null_mut();
        node.next = std::ptr::null_mut();
    }
    message(0, "warning: destroying world containing grouped joints");
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dJointDestroy(joint: JointId) {
    require!(!joint.is_null(), "bad joint argument");
    require_alive!(joint);
    if (*joint).flags & flag::IN_GROUP == 0 {
        unlink(joint);
        alive::destroy(alive::Kind::Joint, joint);
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dJointAttach(joint: JointId, body1: BodyId, body2: BodyId) {
    require!(!joint.is_null(), "bad joint argument");
    require!(body1.is_null() || body1 != body2, "can't have body1==body2");
    let world = (*joint).world;
    require!(
        (body1.is_null() || (*body1).world == world) && (body2.is_null() || (*body2).world == world),
        "joint and bodies must be in same world"
    );
    require!(
        !(matches!(&(*joint).kind, Kind::Other(kind) if kind.needs_two_bodies()) && body1.is_null() != body2.is_null()),
        "joint can not be attached to just one body"
    );
    attach(joint, body1, body2);
}

/// Attaches a joint, checked before.
///
/// # Safety
/// Joint and bodies exist, in one world.
pub(crate) unsafe fn attach(joint: JointId, body1: BodyId, body2: BodyId) {
    if (*joint).nodes.iter().any(|n| !n.body.is_null()) {
        detach(joint);
    }
    let joint = &mut *joint;
    let bodies = if body1.is_null() { [body2, body1] } else { [body1, body2] };
    joint.flags = if body1.is_null() { joint.flags | flag::REVERSE } else { joint.flags & !flag::REVERSE };
    for side in 0..2 {
        joint.nodes[side].body = bodies[side];
        let (body, node) = (bodies[side], &mut joint.nodes[1 - side]);
        node.next = std::ptr::null_mut();
        if !body.is_null() {
            node.next = (*body).first_joint;
            (*body).first_joint = node;
        }
    }
    if !bodies[0].is_null() {
        let sides = joint.sides();
        if let Kind::Other(kind) = &mut joint.kind {
            kind.attached(&sides);
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointEnable(joint: JointId) {
    require!(!joint.is_null(), "bad joint argument");
    (*joint).flags &= !flag::DISABLED;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointDisable(joint: JointId) {
    require!(!joint.is_null(), "bad joint argument");
    (*joint).flags |= flag::DISABLED;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointIsEnabled(joint: JointId) -> c_int {
    require!(!joint.is_null(), "bad joint argument", 0);
    c_int::from((*joint).flags & flag::DISABLED == 0)
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetData(joint: JointId, data: *mut c_void) {
    require!(!joint.is_null(), "bad joint argument");
    (*joint).user_data = data;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetData(joint: JointId) -> *mut c_void {
    require!(!joint.is_null(), "bad joint argument", std::ptr::null_mut());
    (*joint).user_data
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetType(joint: JointId) -> c_int {
    require!(!joint.is_null(), "bad joint argument", 0);
    (*joint).kind.number()
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetBody(joint: JointId, index: c_int) -> BodyId {
    require!(!joint.is_null(), "bad joint argument", std::ptr::null_mut());
    let joint = &*joint;
    match (index, joint.is_reverse()) {
        (0, false) | (1, true) => joint.nodes[0].body,
        (1, false) | (0, true) => joint.nodes[1].body,
        _ => std::ptr::null_mut(),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetNumBodies(joint: JointId) -> c_int {
    require!(!joint.is_null(), "bad joint argument", 0);
    (*joint).nodes.iter().filter(|n| !n.body.is_null()).count() as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointSetFeedback(joint: JointId, feedback: *mut dJointFeedback) {
    require!(!joint.is_null(), "bad joint argument");
    (*joint).feedback = feedback;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointGetFeedback(joint: JointId) -> *mut dJointFeedback {
    require!(!joint.is_null(), "bad joint argument", std::ptr::null_mut());
    (*joint).feedback
}
