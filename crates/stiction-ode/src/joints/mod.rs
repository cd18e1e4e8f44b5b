//! The kinds of joints: what each holds, its rows, and its functions. Rows, signs and angles are ODE's.

mod angles;
pub(crate) mod angular_motor;
pub(crate) mod ball;
pub(crate) mod contact;
mod double_ball;
mod double_hinge;
pub(crate) mod fixed;
mod functions;
pub(crate) mod hinge;
pub(crate) mod hinge2;
pub(crate) mod limit_motor;
pub(crate) mod linear_motor;
pub(crate) mod piston;
mod plane_2d;
pub(crate) mod prismatic_rotoide;
pub(crate) mod prismatic_universal;
pub(crate) mod slider;
mod transmission;
pub(crate) mod universal;

use std::ffi::c_int;

use contact::Contact;
use functions::{data_of, functions, parameters};

use crate::alive;
use crate::objects::group::Group;
use crate::objects::joint::{self, Joint, JointId, JointKind, JointNode, Kind};
use crate::objects::mechanism::Mechanism;
use crate::objects::row::Rows;
use crate::objects::sides::Sides;
use crate::objects::world::{World, WorldId};
use crate::report::require;
use crate::types::dContact;

/// Holds nothing.
struct Null;

impl JointKind for Null {
    fn number(&self) -> c_int {
        NULL
    }

    fn rows(&mut self, _: &Sides, _: &mut Rows) {}
}

/// `dJointTypeNull`.
pub(crate) const NULL: c_int = 8;

/// The rows of a joint at the present poses, in ODE's order. Motors at stops put forces on the bodies.
pub(crate) fn rows(joint: &mut Joint, sides: &Sides, rows: &mut Rows) {
    if let Some(contact) = Contact::of(joint) {
        contact.rows(sides, rows);
    } else if let Kind::Other(kind) = &mut joint.kind {
        kind.rows(sides, rows);
    }
}

/// Puts a joint into a world, and into a group if there is one. Written where it stays: most joints are contacts, made anew in
/// every step.
#[inline(always)]
unsafe fn create(world: WorldId, group: *mut Group, kind: Kind) -> JointId {
    let joint = if group.is_null() { alive::room(alive::Kind::Joint) } else { (*group).place() };
    let none = std::ptr::null_mut();
    // Part by part: the room for a contact is not written twice.
    (&raw mut (*joint).world).write(world);
    (&raw mut (*joint).user_data).write(none);
    (&raw mut (*joint).flags).write(if group.is_null() { 0 } else { joint::flag::IN_GROUP });
    (&raw mut (*joint).tag).write(false);
    for node in 0..2 {
        let node = &raw mut (*joint).nodes[node];
        node.write(JointNode { joint, body: std::ptr::null_mut(), next: std::ptr::null_mut() });
    }
    (&raw mut (*joint).feedback).write(std::ptr::null_mut());
    (&raw mut (*joint).kind).write(kind);
    joint::link(joint);
    joint
}

/// Refuses a group that has been destroyed; none is one.
macro_rules! require_group {
    ($group:expr) => {
        if !$group.is_null() {
            alive::require_alive!($group, std::ptr::null_mut());
        }
    };
}

macro_rules! create_functions {
    ($($name:ident: |$world:ident| $kind:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(world: WorldId, group: *mut Group) -> JointId {
            require!(!world.is_null(), "bad world argument", std::ptr::null_mut());
            require_group!(group);
            let $world = &*world;
            create(world, group, $kind)
        }
    )*};
}

create_functions! {
    dJointCreateBall: |w| Kind::new(ball::Ball::new(w));
    dJointCreateHinge: |w| Kind::new(hinge::Hinge::new(w));
    dJointCreateSlider: |w| Kind::new(slider::Slider::new(w));
    dJointCreateUniversal: |w| Kind::new(universal::Universal::new(w));
    dJointCreateHinge2: |w| Kind::new(hinge2::Hinge2::new(w));
    dJointCreateFixed: |w| Kind::new(fixed::Fixed::new(w));
    dJointCreateNull: |_w| Kind::new(Null);
    dJointCreateAMotor: |w| Kind::new(angular_motor::AngularMotor::new(w));
    dJointCreateLMotor: |w| Kind::new(linear_motor::LinearMotor::new(w));
    dJointCreatePlane2D: |w| Kind::new(plane_2d::Plane2D::new(w));
    dJointCreatePR: |w| Kind::new(prismatic_rotoide::PrismaticRotoide::new(w));
    dJointCreatePU: |w| Kind::new(prismatic_universal::PrismaticUniversal::new(w));
    dJointCreatePiston: |w| Kind::new(piston::Piston::new(w));
    dJointCreateDBall: |w| Kind::new(double_ball::DoubleBall::new(w));
    dJointCreateDHinge: |w| Kind::new(double_hinge::DoubleHinge::new(w));
    dJointCreateTransmission: |w| Kind::new(transmission::Transmission::new(w));
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointCreateContact(
    world: WorldId,
    group: *mut Group,
    contact: *const dContact,
) -> JointId {
    require!(!world.is_null() && !contact.is_null(), "bad world or contact argument", std::ptr::null_mut());
    require_group!(group);
    let joint = create(world, group, Kind::Contact);
    (&raw mut (*joint).contact).cast::<dContact>().copy_from_nonoverlapping(contact, 1);
    joint
}
