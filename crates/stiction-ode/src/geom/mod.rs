//! Geoms: shapes in the world, on a body or alone (`ode/collision.h`).
//!
//! A space is a geom too, so one structure serves both and a `dSpaceID` is a `dGeomID`.

mod access;
mod body;
mod body_pose;
mod bounds;
mod capsule;
mod convex;
mod cuboid;
mod cylinder;
pub(crate) mod enclosing;
mod frames;
mod heightfield;
mod narrow;
mod offset;
mod place;
mod plane;
mod pose;
mod ray;
mod shapes;
mod sphere;
mod transform;
mod trimesh;
mod user;
mod utility;

use std::ffi::{c_int, c_ulong, c_void};
use std::ptr::null_mut;

pub(crate) use body::{moved, release_body};
pub(crate) use body_pose::body_moved;
pub(crate) use narrow::{engine_parts, field_under, may_touch};
pub(crate) use pose::GeomPose;
pub(crate) use shapes::{GeomShape, class};
pub(crate) use user::{close as forget_user_classes, test_bounds};

use crate::alive;
use crate::objects::body::BodyId;
use crate::report::require;

/// `dGeomID`, and `dSpaceID`.
pub(crate) type GeomId = *mut Geom;

/// Bits of [`Geom::flags`].
pub(crate) mod flag {
    /// The space has not taken notice of the present place yet. All spaces around a dirty geom are dirty.
    pub(crate) const DIRTY: u32 = 1;
    /// The pose of a geom with an offset is to be computed again.
    pub(crate) const POSE_BAD: u32 = 2;
    /// The bounds are to be computed again.
    pub(crate) const BOUNDS_BAD: u32 = 4;
    /// The geom has a pose: all but spaces, planes and heightfields that are made so.
    pub(crate) const PLACEABLE: u32 = 8;
    pub(crate) const ENABLED: u32 = 16;
    /// A size is zero: spaces leave the geom out.
    pub(crate) const ZERO_SIZED: u32 = 32;
    /// The pose is the body's own.
    pub(crate) const POSE_OF_BODY: u32 = 64;
    pub(crate) const RAY_FIRST_CONTACT: u32 = 0x1_0000;
    pub(crate) const RAY_BACKFACE_CULL: u32 = 0x2_0000;
    pub(crate) const RAY_CLOSEST_HIT: u32 = 0x4_0000;
}

/// A geom. Programs hold pointers to its pose.
pub(crate) struct Geom {
    pub class: c_int,
    pub flags: u32,
    pub user_data: *mut c_void,
    pub body: BodyId,
    /// The geom that was set on the body before this one.
    pub body_next: GeomId,
    /// Pose in the world of a geom without body or with an offset.
    pub pose: GeomPose,
    /// Pose in the body's frame, where it is not the body's own.
    pub offset: Option<Box<GeomPose>>,
    /// The space it is in.
    pub space: GeomId,
    /// Neighbours in the space's list.
    pub next: GeomId,
    pub previous: GeomId,
    /// Place in the tables of a quadtree or sweep-and-prune space.
    pub slot: u32,
    /// The geom after this in its block of a quadtree.
    pub next_in_block: GeomId,
    /// xmin, xmax, ymin, ymax, zmin, zmax \[m\].
    pub bounds: [f64; 6],
    pub category_bits: c_ulong,
    pub collide_bits: c_ulong,
    pub shape: GeomShape,
}

impl Geom {
    /// Spaces look at it.
    pub(crate) fn takes_part(&self) -> bool {
        self.flags & (flag::ENABLED | flag::ZERO_SIZED) == flag::ENABLED
    }

    pub(crate) fn is_placeable(&self) -> bool {
        self.flags & flag::PLACEABLE != 0
    }

    pub(crate) fn set_flag(&mut self, bit: u32, on: bool) {
        if on {
            self.flags |= bit;
        } else {
            self.flags &= !bit;
        }
    }
}

/// Makes a geom and puts it into a space, if there is one that takes it; null if it does not.
pub(crate) unsafe fn create(space: GeomId, placeable: bool, shape: GeomShape) -> GeomId {
    if !space.is_null() {
        require!(enclosing::of(space).is_some(), "argument not a space", null_mut());
        require!(!enclosing::is_locked(space), "Invalid operation for locked space", null_mut());
    }
    let mut new = Geom {
        class: shape.class(),
        flags: flag::DIRTY | flag::BOUNDS_BAD | flag::ENABLED,
        user_data: null_mut(),
        body: null_mut(),
        body_next: null_mut(),
        pose: GeomPose::IDENTITY,
        offset: None,
        space: null_mut(),
        next: null_mut(),
        previous: null_mut(),
        slot: 0,
        next_in_block: null_mut(),
        bounds: [0.0; 6],
        category_bits: !0,
        collide_bits: !0,
        shape,
    };
    new.set_flag(flag::PLACEABLE, placeable);
    new.set_flag(flag::ZERO_SIZED, new.shape.has_no_size());
    let geom = alive::add(alive::Kind::Geom, new);
    if !space.is_null() {
        enclosing::add(space, geom);
    }
    // After it went in: a quadtree puts even an unbounded space where the zeros are, until it settles.
    if enclosing::of(geom).is_some_and(|space| space.is_unbounded) {
        (*geom).bounds = bounds::EVERYWHERE;
    }
    geom
}

/// Takes a geom out of its space and off its body, and frees it. A locked space keeps its geoms.
pub(crate) unsafe fn destroy(geom: GeomId) {
    require!(!enclosing::is_locked((*geom).space), "Invalid operation for locked space");
    if enclosing::of(geom).is_some() {
        require!(!enclosing::is_locked(geom), "Invalid operation for locked space");
        enclosing::empty(geom);
    }
    user::call_destructor(geom);
    transform::clean_up(geom);
    if !(*geom).space.is_null() {
        enclosing::remove((*geom).space, geom);
    }
    body::take_off(geom);
    alive::destroy(alive::Kind::Geom, geom);
}

/// The geom behind a handle, or the end of the call.
macro_rules! geom {
    ($geom:expr $(, $value:expr)?) => {
        match $geom.as_mut() {
            Some(geom) => geom,
            None => {
                $crate::report::debug($crate::report::USER, "Bad argument(s): no geom");
                return $($value)?;
            }
        }
    };
}

/// The parts of a geom's shape, or the end of the call if it is of another class.
macro_rules! shape {
    ($geom:expr, $shape:pat => $parts:expr, $text:expr $(, $value:expr)?) => {
        match $geom.as_mut().map(|geom| &mut geom.shape) {
            Some($shape) => $parts,
            _ => {
                $crate::report::debug($crate::report::USER, $text);
                return $($value)?;
            }
        }
    };
}

pub(crate) use {geom, shape};
