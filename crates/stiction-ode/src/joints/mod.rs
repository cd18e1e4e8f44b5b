//! The kinds of joints: what each holds, its rows, and its functions. Rows, signs and angles are ODE's.

pub(crate) mod angular_motor;
pub(crate) mod ball;
pub(crate) mod contact;
mod double_ball;
mod double_hinge;
pub(crate) mod fixed;
pub(crate) mod hinge;
pub(crate) mod hinge2;
pub(crate) mod limit_motor;
pub(crate) mod linear_motor;
pub(crate) mod piston;
mod plane_2d;
pub(crate) mod prismatic_rotoide;
pub(crate) mod prismatic_universal;
mod row;
mod sides;
pub(crate) mod slider;
mod transmission;
pub(crate) mod universal;

use std::ffi::c_int;

pub(crate) use row::{Row, Rows, across};
pub(crate) use sides::Sides;

use crate::alive;
use crate::objects::group::Group;
use crate::objects::joint::{self, JointId, JointNode};
use crate::objects::world::WorldId;
use crate::report::require;
use crate::types::dContact;

/// What a joint is, with its data.
pub(crate) enum Kind {
    Ball(Box<ball::Ball>),
    Hinge(Box<hinge::Hinge>),
    Slider(Box<slider::Slider>),
    Contact(contact::Contact),
    Universal(Box<universal::Universal>),
    Hinge2(Box<hinge2::Hinge2>),
    Fixed(Box<fixed::Fixed>),
    Null,
    AMotor(Box<angular_motor::AngularMotor>),
    LMotor(Box<linear_motor::LinearMotor>),
    Plane2D(Box<plane_2d::Plane2D>),
    PR(Box<prismatic_rotoide::PrismaticRotoide>),
    PU(Box<prismatic_universal::PrismaticUniversal>),
    Piston(Box<piston::Piston>),
    DBall(Box<double_ball::DoubleBall>),
    DHinge(Box<double_hinge::DoubleHinge>),
    Transmission(Box<transmission::Transmission>),
}

impl Kind {
    /// `dJointType…`.
    pub(crate) fn number(&self) -> c_int {
        match self {
            Self::Ball(_) => 1,
            Self::Hinge(_) => 2,
            Self::Slider(_) => 3,
            Self::Contact(_) => 4,
            Self::Universal(_) => 5,
            Self::Hinge2(_) => 6,
            Self::Fixed(_) => 7,
            Self::Null => 8,
            Self::AMotor(_) => 9,
            Self::LMotor(_) => 10,
            Self::Plane2D(_) => 11,
            Self::PR(_) => 12,
            Self::PU(_) => 13,
            Self::Piston(_) => 14,
            Self::DBall(_) => 15,
            Self::DHinge(_) => 16,
            Self::Transmission(_) => 17,
        }
    }

    /// The joint cannot be attached to the world.
    pub(crate) fn needs_two_bodies(&self) -> bool {
        matches!(self, Self::Hinge2(_) | Self::Transmission(_))
    }

    /// The joint has new bodies: what it knows relative to them is taken anew.
    pub(crate) fn attached(&mut self, sides: &Sides) {
        match self {
            Self::Ball(data) => data.attached(sides),
            Self::Hinge(data) => data.attached(sides),
            Self::Slider(data) => data.attached(sides),
            Self::Universal(data) => data.attached(sides),
            Self::Hinge2(data) => data.attached(sides),
            Self::PR(data) => data.attached(sides),
            Self::PU(data) => data.attached(sides),
            Self::Piston(data) => data.attached(sides),
            Self::DBall(data) => data.attached(sides),
            Self::DHinge(data) => data.attached(sides),
            Self::Contact(_)
            | Self::Fixed(_)
            | Self::Null
            | Self::AMotor(_)
            | Self::LMotor(_)
            | Self::Plane2D(_)
            | Self::Transmission(_) => {}
        }
    }

    /// The rows at the present poses, in ODE's order. Motors at stops put forces on the bodies.
    pub(crate) fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        match self {
            Self::Ball(data) => data.rows(sides, rows),
            Self::Hinge(data) => data.rows(sides, rows),
            Self::Slider(data) => data.rows(sides, rows),
            Self::Contact(data) => data.rows(sides, rows),
            Self::Universal(data) => data.rows(sides, rows),
            Self::Hinge2(data) => data.rows(sides, rows),
            Self::Fixed(data) => data.rows(sides, rows),
            Self::Null => {}
            Self::AMotor(data) => data.rows(sides, rows),
            Self::LMotor(data) => data.rows(sides, rows),
            Self::Plane2D(data) => data.rows(sides, rows),
            Self::PR(data) => data.rows(sides, rows),
            Self::PU(data) => data.rows(sides, rows),
            Self::Piston(data) => data.rows(sides, rows),
            Self::DBall(data) => data.rows(sides, rows),
            Self::DHinge(data) => data.rows(sides, rows),
            Self::Transmission(data) => data.rows(sides, rows),
        }
    }
}

/// Data of a joint of one kind; a joint of another is refused.
macro_rules! data_of {
    ($joint:ident, $kind:ident $(, $value:expr)?) => {{
        require!(!$joint.is_null(), "bad joint argument" $(, $value)?);
        match &mut (*$joint).kind {
            Kind::$kind(data) => &raw mut **data,
            _ => {
                require!(false, "joint type is not the one that the function is for" $(, $value)?);
                unreachable!()
            }
        }
    }};
}

pub(crate) use data_of;

/// Puts a joint into a world, and into a group if there is one. Written where it stays: most joints are contacts, made anew in
/// every step.
#[inline(always)]
unsafe fn create(world: WorldId, group: *mut Group, kind: impl FnOnce(JointId) -> Kind) -> JointId {
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
    (&raw mut (*joint).kind).write(kind(joint));
    joint::link(joint);
    joint
}

macro_rules! create_functions {
    ($($name:ident: |$world:ident| $kind:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(world: WorldId, group: *mut Group) -> JointId {
            require!(!world.is_null(), "bad world argument", std::ptr::null_mut());
            let $world = &*world;
            create(world, group, |_| $kind)
        }
    )*};
}

create_functions! {
    dJointCreateBall: |w| Kind::Ball(Box::new(ball::Ball::new(w)));
    dJointCreateHinge: |w| Kind::Hinge(Box::new(hinge::Hinge::new(w)));
    dJointCreateSlider: |w| Kind::Slider(Box::new(slider::Slider::new(w)));
    dJointCreateUniversal: |w| Kind::Universal(Box::new(universal::Universal::new(w)));
    dJointCreateHinge2: |w| Kind::Hinge2(Box::new(hinge2::Hinge2::new(w)));
    dJointCreateFixed: |w| Kind::Fixed(Box::new(fixed::Fixed::new(w)));
    dJointCreateNull: |_w| Kind::Null;
    dJointCreateAMotor: |w| Kind::AMotor(Box::new(angular_motor::AngularMotor::new(w)));
    dJointCreateLMotor: |w| Kind::LMotor(Box::new(linear_motor::LinearMotor::new(w)));
    dJointCreatePlane2D: |w| Kind::Plane2D(Box::new(plane_2d::Plane2D::new(w)));
    dJointCreatePR: |w| Kind::PR(Box::new(prismatic_rotoide::PrismaticRotoide::new(w)));
    dJointCreatePU: |w| Kind::PU(Box::new(prismatic_universal::PrismaticUniversal::new(w)));
    dJointCreatePiston: |w| Kind::Piston(Box::new(piston::Piston::new(w)));
    dJointCreateDBall: |w| Kind::DBall(Box::new(double_ball::DoubleBall::new(w)));
    dJointCreateDHinge: |w| Kind::DHinge(Box::new(double_hinge::DoubleHinge::new(w)));
    dJointCreateTransmission: |w| Kind::Transmission(Box::new(transmission::Transmission::new(w)));
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dJointCreateContact(
    world: WorldId,
    group: *mut Group,
    contact: *const dContact,
) -> JointId {
    require!(!world.is_null() && !contact.is_null(), "bad world or contact argument", std::ptr::null_mut());
    create(world, group, |joint| {
        let place = (&raw mut (*joint).contact).cast::<dContact>();
        place.copy_from_nonoverlapping(contact, 1);
        Kind::Contact(contact::Contact::new(place))
    })
}
