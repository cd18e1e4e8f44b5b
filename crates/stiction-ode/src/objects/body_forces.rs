//! Forces and torques on a body, gathered until the next step.

use glam::DVec3;

use super::body::{Body, BodyId};
use crate::report::require;
use crate::types::{dReal, matrix, put, vector};

/// Adds a force and a torque, world axes, about the centre of mass.
pub(crate) fn add(body: &mut Body, force: DVec3, torque: DVec3) {
    body.force = put(vector(&body.force) + force);
    body.torque = put(vector(&body.torque) + torque);
}

/// A force, or a torque, in the axes of world or body.
macro_rules! forces {
    ($($name:ident: |$body:ident, $f:ident| ($force:expr, $torque:expr);)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(body: BodyId, x: dReal, y: dReal, z: dReal) {
            require!(!body.is_null(), "bad body argument");
            let ($body, $f) = (&mut *body, DVec3::new(x.into(), y.into(), z.into()));
            add($body, $force, $torque);
        }
    )*};
}

forces! {
    dBodyAddForce: |b, f| (f, DVec3::ZERO);
    dBodyAddTorque: |b, f| (DVec3::ZERO, f);
    dBodyAddRelForce: |b, f| (matrix(&b.rotation) * f, DVec3::ZERO);
    dBodyAddRelTorque: |b, f| (DVec3::ZERO, matrix(&b.rotation) * f);
}

/// A force at a point: `arm` is from the centre of mass, world axes.
macro_rules! forces_at {
    ($($name:ident: |$body:ident, $f:ident, $p:ident| ($force:expr, $arm:expr);)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(body: BodyId, fx: dReal, fy: dReal, fz: dReal, px: dReal, py: dReal, pz: dReal) {
            require!(!body.is_null(), "bad body argument");
            let $body = &mut *body;
            let $f = DVec3::new(fx.into(), fy.into(), fz.into());
            let $p = DVec3::new(px.into(), py.into(), pz.into());
            let (force, arm) = ($force, $arm);
            add($body, force, arm.cross(force));
        }
    )*};
}

forces_at! {
    dBodyAddForceAtPos: |b, f, p| (f, p - vector(&b.position));
    dBodyAddForceAtRelPos: |b, f, p| (f, matrix(&b.rotation) * p);
    dBodyAddRelForceAtPos: |b, f, p| (matrix(&b.rotation) * f, p - vector(&b.position));
    dBodyAddRelForceAtRelPos: |b, f, p| (matrix(&b.rotation) * f, matrix(&b.rotation) * p);
}
