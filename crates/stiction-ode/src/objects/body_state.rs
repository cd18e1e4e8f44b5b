//! Velocity and mass of a body, and pointers to its pose.

use std::ffi::c_int;

use glam::{DMat3, DVec3};

use super::body::BodyId;
use crate::mass;
use crate::report::{require, require_internal};
use crate::types::{dMass, dReal, matrix, put, put_matrix, vector, vector_at, write3};

/// What getters of a body that is none point to.
static NOTHING: [dReal; 12] = [0.0; 12];

macro_rules! set_vector {
    ($($name:ident: $field:ident;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(body: BodyId, x: dReal, y: dReal, z: dReal) {
            require!(!body.is_null(), "bad body argument");
            (*body).$field = [x, y, z, 0.0];
        }
    )*};
}

set_vector! {
    dBodySetLinearVel: linear_velocity;
    dBodySetAngularVel: angular_velocity;
    dBodySetForce: force;
    dBodySetTorque: torque;
}

macro_rules! pointer_to {
    ($($name:ident: $field:ident;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(body: BodyId) -> *const dReal {
            require!(!body.is_null(), "bad body argument", NOTHING.as_ptr());
            (*body).$field.as_ptr()
        }
    )*};
}

pointer_to! {
    dBodyGetPosition: position;
    dBodyGetRotation: rotation;
    dBodyGetQuaternion: quaternion;
    dBodyGetLinearVel: linear_velocity;
    dBodyGetAngularVel: angular_velocity;
    dBodyGetForce: force;
    dBodyGetTorque: torque;
}

macro_rules! copy_of {
    ($($name:ident: $field:ident, $count:literal;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(body: BodyId, to: *mut dReal) {
            require!(!body.is_null() && !to.is_null(), "bad body or result argument");
            to.copy_from_nonoverlapping((*body).$field.as_ptr(), $count);
        }
    )*};
}

copy_of! {
    dBodyCopyPosition: position, 3;
    dBodyCopyRotation: rotation, 12;
    dBodyCopyQuaternion: quaternion, 4;
    dBodyGetFiniteRotationAxis: finite_rotation_axis, 3;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetMass(body: BodyId, mass: *const dMass) {
    require!(!body.is_null() && !mass.is_null(), "bad body or mass argument");
    set_mass(body, *mass);
}

/// Takes a mass, unless it is none.
unsafe fn set_mass(body: BodyId, mass: dMass) {
    require_internal!(mass::check(&mass), "the mass is not that of a body");
    require!(mass.c[..3].iter().all(|c| c.abs() <= dReal::EPSILON), "The centre of mass must be at the origin.");
    (*body).mass = mass;
    let inertia = matrix(&mass.I);
    // Products of inertia come from one triangle, so that the matrix is symmetric whatever the other holds.
    let symmetric = DMat3::from_cols(
        inertia.x_axis,
        DVec3::new(inertia.x_axis.y, inertia.y_axis.y, inertia.y_axis.z),
        DVec3::new(inertia.x_axis.z, inertia.y_axis.z, inertia.z_axis.z),
    );
    (*body).inverse_inertia = put_matrix(symmetric.inverse());
    (*body).inverse_mass = 1.0 / mass.mass;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodyGetMass(body: BodyId, mass: *mut dMass) {
    require!(!body.is_null() && !mass.is_null(), "bad body or mass argument");
    *mass = (*body).mass;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetDynamic(body: BodyId) {
    require!(!body.is_null(), "bad body argument");
    set_mass(body, (*body).mass);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetKinematic(body: BodyId) {
    require!(!body.is_null(), "bad body argument");
    (*body).inverse_inertia = [0.0; 12];
    (*body).inverse_mass = 0.0;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodyIsKinematic(body: BodyId) -> c_int {
    require!(!body.is_null(), "bad body argument", 0);
    c_int::from((*body).inverse_mass == 0.0)
}

/// Points and vectors between the frames of body and world.
macro_rules! point_functions {
    ($($name:ident: |$body:ident, $point:ident| $result:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(body: BodyId, x: dReal, y: dReal, z: dReal, result: *mut dReal) {
            require!(!body.is_null() && !result.is_null(), "bad body or result argument");
            let ($body, $point) = (&*body, DVec3::new(x.into(), y.into(), z.into()));
            write3(result, $result);
        }
    )*};
}

point_functions! {
    dBodyGetRelPointPos: |b, p| vector(&b.position) + matrix(&b.rotation) * p;
    dBodyGetPosRelPoint: |b, p| matrix(&b.rotation).transpose() * (p - vector(&b.position));
    dBodyGetRelPointVel: |b, p| vector(&b.linear_velocity) + vector(&b.angular_velocity).cross(matrix(&b.rotation) * p);
    dBodyGetPointVel: |b, p| vector(&b.linear_velocity) + vector(&b.angular_velocity).cross(p - vector(&b.position));
    dBodyVectorToWorld: |b, p| matrix(&b.rotation) * p;
    dBodyVectorFromWorld: |b, p| matrix(&b.rotation).transpose() * p;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dBodySetFiniteRotationAxis(body: BodyId, x: dReal, y: dReal, z: dReal) {
    require!(!body.is_null(), "bad body argument");
    let axis = vector_at([x, y, z].as_ptr());
    require_internal!(axis.is_finite(), "the axis has a number in it that is none");
    let has_axis = axis != DVec3::ZERO;
    (*body).finite_rotation_axis = if has_axis { put(crate::rotation::unit(axis)) } else { [0.0; 4] };
    super::world::set_flag(&mut (*body).flags, super::body::flag::FINITE_ROTATION_AXIS, has_axis);
}
