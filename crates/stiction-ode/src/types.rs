//! Numbers and structures as they lie in memory on both sides of the interface (`ode/common.h`, `ode/contact.h`, `ode/mass.h`).

use std::ffi::{c_int, c_uint};

use glam::{DMat3, DQuat, DVec3};

/// A geom to those who hold its address only.
pub(crate) enum AnyGeom {}

/// ODE's number.
#[cfg(not(feature = "single"))]
pub(crate) type dReal = f64;
/// ODE's number.
#[cfg(feature = "single")]
pub(crate) type dReal = f32;

/// Infinity as the headers define it.
pub(crate) const INFINITY: dReal = dReal::INFINITY;

/// Three numbers and padding.
pub(crate) type dVector3 = [dReal; 4];
/// Quaternion w, x, y, z.
pub(crate) type dQuaternion = [dReal; 4];
/// 3 × 3 matrix by rows of four.
pub(crate) type dMatrix3 = [dReal; 12];

/// Mass, centre and inertia.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct dMass {
    /// Mass.
    pub mass: dReal,
    /// Centre.
    pub c: dVector3,
    /// Inertia about the centre (as ODE has it), by rows of four.
    pub I: dMatrix3,
}

/// What a surface does.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct dSurfaceParameters {
    pub mode: c_int,
    pub mu: dReal,
    pub mu2: dReal,
    pub rho: dReal,
    pub rho2: dReal,
    pub rhoN: dReal,
    pub bounce: dReal,
    pub bounce_vel: dReal,
    pub soft_erp: dReal,
    pub soft_cfm: dReal,
    pub motion1: dReal,
    pub motion2: dReal,
    pub motionN: dReal,
    pub slip1: dReal,
    pub slip2: dReal,
}

/// A point of contact. The normal points into the first geom.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct dContactGeom {
    pub pos: dVector3,
    pub normal: dVector3,
    pub depth: dReal,
    pub g1: *mut AnyGeom,
    pub g2: *mut AnyGeom,
    pub side1: c_int,
    pub side2: c_int,
}

/// A contact for a contact joint.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct dContact {
    pub surface: dSurfaceParameters,
    pub geom: dContactGeom,
    pub fdir1: dVector3,
}

/// Forces that a joint put on its bodies.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct dJointFeedback {
    pub f1: dVector3,
    pub t1: dVector3,
    pub f2: dVector3,
    pub t2: dVector3,
}

/// Index of a vertex.
pub(crate) type dTriIndex = c_uint;

/// Four numbers from a vector; the padding is zero.
pub(crate) fn put(v: DVec3) -> dVector3 {
    [v.x as dReal, v.y as dReal, v.z as dReal, 0.0]
}

/// The vector in the first three of the numbers.
pub(crate) fn vector(v: &[dReal]) -> DVec3 {
    DVec3::new(v[0].into(), v[1].into(), v[2].into())
}

/// # Safety
/// `v` points at three numbers.
pub(crate) unsafe fn vector_at(v: *const dReal) -> DVec3 {
    // SAFETY: the caller's promise.
    unsafe { DVec3::new((*v).into(), (*v.add(1)).into(), (*v.add(2)).into()) }
}

/// Writes three numbers.
///
/// # Safety
/// `out` points at three numbers.
pub(crate) unsafe fn write3(out: *mut dReal, v: DVec3) {
    // SAFETY: the caller's promise.
    unsafe { *out.cast::<[dReal; 3]>() = [v.x as dReal, v.y as dReal, v.z as dReal] }
}

/// A matrix of rows of four.
pub(crate) fn put_matrix(m: DMat3) -> dMatrix3 {
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    [x.x, y.x, z.x, 0.0, x.y, y.y, z.y, 0.0, x.z, y.z, z.z, 0.0].map(|v| v as dReal)
}

/// The matrix in rows of four.
pub(crate) fn matrix(m: &dMatrix3) -> DMat3 {
    let column = |i: usize| DVec3::new(m[i].into(), m[4 + i].into(), m[8 + i].into());
    DMat3::from_cols(column(0), column(1), column(2))
}

/// w, x, y, z.
pub(crate) fn put_quaternion(q: DQuat) -> dQuaternion {
    [q.w as dReal, q.x as dReal, q.y as dReal, q.z as dReal]
}

/// From w, x, y, z.
pub(crate) fn quaternion(q: &dQuaternion) -> DQuat {
    DQuat::from_xyzw(q[1].into(), q[2].into(), q[3].into(), q[0].into())
}
