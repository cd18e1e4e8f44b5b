//! Rotations: quaternions w, x, y, z and matrices by rows of four.

use glam::{DMat3, DQuat, DVec3};
use stiction::math::{V3, plane_space};

use crate::report::{message, require, require_internal};
use crate::types::{dMatrix3, dQuaternion, dReal, matrix, put_matrix, put_quaternion, quaternion, vector_at};

/// The nearest right-handed frame that keeps the direction of the first row and the plane of the first two.
pub(crate) fn orthonormal_rows(m: DMat3) -> Option<DMat3> {
    let rows = m.transpose();
    let first = safe_normal(rows.x_axis)?;
    let second = rows.y_axis - rows.x_axis * (rows.x_axis.dot(rows.y_axis) / rows.x_axis.length_squared());
    let second = safe_normal(second)?;
    Some(DMat3::from_cols(first, second, first.cross(second)).transpose())
}

/// Unit vector, of vectors however short or long; `None` of those that are zero or have a number that is none.
pub(crate) fn safe_normal(v: DVec3) -> Option<DVec3> {
    let largest = v.abs().max_element();
    let unit = v / largest;
    (largest > 0.0 && unit.is_finite()).then(|| unit / unit.length())
}

/// Unit vector of one that is finite and not zero.
pub(crate) fn unit(v: DVec3) -> DVec3 {
    // Squares of very short and very long vectors are out of range.
    if (1e-200..1e200).contains(&v.length_squared()) { v.normalize() } else { safe_normal(v).unwrap_or(DVec3::ZERO) }
}

/// The quaternion of a rotation matrix, with the largest of its numbers as divisor.
pub(crate) fn quaternion_of(r: DMat3) -> DQuat {
    let at = |row: usize, column: usize| r.col(column)[row];
    let trace = at(0, 0) + at(1, 1) + at(2, 2);
    if trace >= 0.0 {
        let root = (trace + 1.0).sqrt();
        let s = 0.5 / root;
        return DQuat::from_xyzw(
            (at(2, 1) - at(1, 2)) * s,
            (at(0, 2) - at(2, 0)) * s,
            (at(1, 0) - at(0, 1)) * s,
            0.5 * root,
        );
    }
    let largest = if at(1, 1) > at(0, 0) {
        if at(2, 2) > at(1, 1) { 2 } else { 1 }
    } else if at(2, 2) > at(0, 0) {
        2
    } else {
        0
    };
    let (i, j, k) = (largest, (largest + 1) % 3, (largest + 2) % 3);
    let root = ((at(i, i) - (at(j, j) + at(k, k))) + 1.0).sqrt();
    let s = 0.5 / root;
    let mut v = [0.0; 3];
    v[i] = 0.5 * root;
    v[j] = (at(i, j) + at(j, i)) * s;
    v[k] = (at(k, i) + at(i, k)) * s;
    DQuat::from_xyzw(v[0], v[1], v[2], (at(k, j) - at(j, k)) * s)
}

/// Rotation about an axis of any length; none about one of length zero.
pub(crate) fn axis_angle(axis: DVec3, angle: f64) -> DQuat {
    let square = axis.length_squared();
    if square > 0.0 {
        let v = axis * (libm::sin(0.5 * angle) / square.sqrt());
        DQuat::from_xyzw(v.x, v.y, v.z, libm::cos(0.5 * angle))
    } else {
        DQuat::IDENTITY
    }
}

/// The matrix of a quaternion as it is, unit or not.
pub(crate) fn matrix_of(q: DQuat) -> DMat3 {
    let (w, x, y, z) = (q.w, q.x, q.y, q.z);
    let (xx, yy, zz) = (2.0 * x * x, 2.0 * y * y, 2.0 * z * z);
    DMat3::from_cols(
        DVec3::new(1.0 - yy - zz, 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        DVec3::new(2.0 * (x * y - w * z), 1.0 - xx - zz, 2.0 * (y * z + w * x)),
        DVec3::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - xx - yy),
    )
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dRSetIdentity(r: *mut dMatrix3) {
    require!(!r.is_null(), "bad matrix argument");
    *r = put_matrix(DMat3::IDENTITY);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dRFromAxisAndAngle(r: *mut dMatrix3, x: dReal, y: dReal, z: dReal, angle: dReal) {
    require!(!r.is_null(), "bad matrix argument");
    *r = put_matrix(matrix_of(axis_angle(vector_at([x, y, z].as_ptr()), angle.into())));
}

/// The transposed of the usual product of rotations about x, y and z.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dRFromEulerAngles(r: *mut dMatrix3, phi: dReal, theta: dReal, psi: dReal) {
    require!(!r.is_null(), "bad matrix argument");
    let (sin_phi, cos_phi) = libm::sincos(phi.into());
    let (sin_theta, cos_theta) = libm::sincos(theta.into());
    let (sin_psi, cos_psi) = libm::sincos(psi.into());
    let about_z = DMat3::from_cols(DVec3::new(cos_psi, sin_psi, 0.0), DVec3::new(-sin_psi, cos_psi, 0.0), DVec3::Z);
    let about_y =
        DMat3::from_cols(DVec3::new(cos_theta, 0.0, -sin_theta), DVec3::Y, DVec3::new(sin_theta, 0.0, cos_theta));
    let about_x = DMat3::from_cols(DVec3::X, DVec3::new(0.0, cos_phi, sin_phi), DVec3::new(0.0, -sin_phi, cos_phi));
    *r = put_matrix((about_z * about_y * about_x).transpose());
}

/// x along the first axis, y in the plane of both.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dRFrom2Axes(
    r: *mut dMatrix3,
    ax: dReal,
    ay: dReal,
    az: dReal,
    bx: dReal,
    by: dReal,
    bz: dReal,
) {
    require!(!r.is_null(), "bad matrix argument");
    let (a, b) = (vector_at([ax, ay, az].as_ptr()), vector_at([bx, by, bz].as_ptr()));
    let frame = a.try_normalize().and_then(|x| {
        let y = (b - x * x.dot(b)).try_normalize()?;
        Some(DMat3::from_cols(x, y, x.cross(y)))
    });
    match frame {
        Some(frame) => *r = put_matrix(frame),
        None => message(crate::report::USER, "zero length vector in dRFrom2Axes()"),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dRFromZAxis(r: *mut dMatrix3, x: dReal, y: dReal, z: dReal) {
    require!(!r.is_null(), "bad matrix argument");
    let Some(axis) = safe_normal(vector_at([x, y, z].as_ptr())) else {
        return crate::report::debug(crate::report::INTERNAL, "the axis has no direction");
    };
    let [p, q] = across(axis);
    *r = put_matrix(DMat3::from_cols(p, q, axis));
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dQSetIdentity(q: *mut dQuaternion) {
    require!(!q.is_null(), "bad quaternion argument");
    *q = [1.0, 0.0, 0.0, 0.0];
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dQFromAxisAndAngle(q: *mut dQuaternion, x: dReal, y: dReal, z: dReal, angle: dReal) {
    require!(!q.is_null(), "bad quaternion argument");
    *q = put_quaternion(axis_angle(vector_at([x, y, z].as_ptr()), angle.into()));
}

macro_rules! products {
    ($($name:ident: |$b:ident, $c:ident| $product:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(a: *mut dQuaternion, b: *const dQuaternion, c: *const dQuaternion) {
            require!(!a.is_null() && !b.is_null() && !c.is_null(), "bad quaternion argument");
            let ($b, $c) = (quaternion(&*b), quaternion(&*c));
            *a = put_quaternion($product);
        }
    )*};
}

products! {
    dQMultiply0: |b, c| b * c;
    dQMultiply1: |b, c| b.conjugate() * c;
    dQMultiply2: |b, c| b * c.conjugate();
    dQMultiply3: |b, c| b.conjugate() * c.conjugate();
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dRfromQ(r: *mut dMatrix3, q: *const dQuaternion) {
    require!(!r.is_null() && !q.is_null(), "bad matrix or quaternion argument");
    *r = put_matrix(matrix_of(quaternion(&*q)));
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dQfromR(q: *mut dQuaternion, r: *const dMatrix3) {
    require!(!q.is_null() && !r.is_null(), "bad quaternion or matrix argument");
    *q = put_quaternion(quaternion_of(matrix(&*r)));
}

/// `q̇ = (0, ω) q / 2`.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dDQfromW(dq: *mut dQuaternion, w: *const dReal, q: *const dQuaternion) {
    require!(!dq.is_null() && !w.is_null() && !q.is_null(), "bad quaternion or vector argument");
    let w = vector_at(w);
    *dq = put_quaternion(DQuat::from_xyzw(w.x, w.y, w.z, 0.0) * quaternion(&*q) * 0.5);
}

// The guide's names, with the arguments the other way round.

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dQtoR(q: *const dQuaternion, r: *mut dMatrix3) {
    dRfromQ(r, q);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dRtoQ(r: *const dMatrix3, q: *mut dQuaternion) {
    dQfromR(q, r);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWtoDQ(w: *const dReal, q: *const dQuaternion, dq: *mut dQuaternion) {
    dDQfromW(dq, w, q);
}

/// Brings numbers to unit length as they stand in memory; false where they have none.
unsafe fn normalize<const N: usize>(a: *mut dReal) -> bool {
    let numbers = &mut *a.cast::<[dReal; N]>();
    let largest = numbers.iter().fold(0.0, |m: dReal, x| m.max(x.abs()));
    let scaled = numbers.map(|x| f64::from(x / largest));
    let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !(largest > 0.0 && length.is_finite()) {
        return false;
    }
    for (to, from) in numbers.iter_mut().zip(scaled) {
        *to = (from / length) as dReal;
    }
    true
}

macro_rules! normalize_functions {
    ($($safe:ident, $name:ident: $count:literal;)*) => {$(
        /// Returns 0 and leaves the numbers where they have no length.
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $safe(a: *mut dReal) -> std::ffi::c_int {
            require!(!a.is_null(), "bad vector argument", 0);
            std::ffi::c_int::from(normalize::<$count>(a))
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(a: *mut dReal) {
            require!(!a.is_null(), "bad vector argument");
            require_internal!(normalize::<$count>(a), "the vector has no length");
        }
    )*};
}

normalize_functions! {
    dSafeNormalize3, dNormalize3: 3;
    dSafeNormalize4, dNormalize4: 4;
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dPlaneSpace(n: *const dReal, p: *mut dReal, q: *mut dReal) {
    require!(!n.is_null() && !p.is_null() && !q.is_null(), "bad vector argument");
    let [first, second] = across(vector_at(n));
    crate::types::write3(p, first);
    crate::types::write3(q, second);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dOrthogonalizeR(r: *mut dMatrix3) -> std::ffi::c_int {
    require!(!r.is_null(), "bad matrix argument", 0);
    match orthonormal_rows(matrix(&*r)) {
        Some(rotation) => {
            *r = put_matrix(rotation);
            1
        }
        None => 0,
    }
}

/// Two directions that make a right-handed frame with a unit vector, as the engine and ODE choose them.
pub(crate) fn across(normal: DVec3) -> [DVec3; 2] {
    let (p, q) = plane_space(V3::from(normal));
    [p.into(), q.into()]
}
