//! Masses: of the basic shapes, moved, turned, scaled and added.

use std::f64::consts::PI;
use std::ffi::c_int;

use glam::{DMat3, DVec3};

use crate::report::{USER, message, require};
use crate::types::{dMass, dMatrix3, dReal, matrix, put, put_matrix, vector};

/// All leading minors are positive.
fn is_positive_definite(m: DMat3) -> bool {
    let (a, b, c) = (m.x_axis, m.y_axis, m.z_axis);
    a.x > 0.0 && a.x * b.y - b.x * a.y > 0.0 && a.dot(b.cross(c)) > 0.0
}

/// `[c]²`, which takes an inertia from the origin to the centre.
fn cross_squared(c: DVec3) -> DMat3 {
    DMat3::from_cols(c * c.x, c * c.y, c * c.z) - DMat3::from_diagonal(DVec3::splat(c.length_squared()))
}

/// A mass that a body can have; else says what is wrong.
pub(crate) fn check(mass: &dMass) -> bool {
    let (m, c, inertia) = (f64::from(mass.mass), vector(&mass.c), matrix(&mass.I));
    let fault = if m.is_nan() || m <= 0.0 {
        "mass must be > 0 in dMassCheck()"
    } else if !is_positive_definite(inertia) {
        "inertia must be positive definite in dMassCheck()"
    } else if !is_positive_definite(inertia + cross_squared(c) * m) {
        "center of mass inconsistent with mass parameters in dMassCheck()"
    } else {
        return true;
    };
    message(USER, fault);
    false
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMassCheck(mass: *const dMass) -> c_int {
    require!(!mass.is_null(), "bad mass argument", 0);
    c_int::from(check(&*mass))
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMassSetZero(mass: *mut dMass) {
    require!(!mass.is_null(), "bad mass argument");
    *mass = dMass::default();
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMassSetParameters(
    mass: *mut dMass,
    total: dReal,
    x: dReal,
    y: dReal,
    z: dReal,
    xx: dReal,
    yy: dReal,
    zz: dReal,
    xy: dReal,
    xz: dReal,
    yz: dReal,
) {
    require!(!mass.is_null(), "bad mass argument");
    let inertia = [xx, xy, xz, 0.0, xy, yy, yz, 0.0, xz, yz, zz, 0.0];
    *mass = dMass { mass: total, c: [x, y, z, 0.0], I: inertia };
    check(&*mass);
}

/// A mass about its centre with principal moments along the axes.
unsafe fn set(mass: *mut dMass, total: f64, moments: DVec3) {
    *mass = dMass { mass: total as dReal, c: [0.0; 4], I: put_matrix(DMat3::from_diagonal(moments)) };
    check(&*mass);
}

/// Direction 1, 2 or 3 has the moment along, the others that across.
fn about(direction: c_int, along: f64, across: f64) -> DVec3 {
    let mut moments = DVec3::splat(across);
    moments[direction as usize - 1] = along;
    moments
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMassSetSphere(mass: *mut dMass, density: dReal, radius: dReal) {
    let r = f64::from(radius);
    dMassSetSphereTotal(mass, (4.0 / 3.0 * PI * r * r * r * f64::from(density)) as dReal, radius);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMassSetSphereTotal(mass: *mut dMass, total: dReal, radius: dReal) {
    require!(!mass.is_null(), "bad mass argument");
    let (m, r) = (f64::from(total), f64::from(radius));
    set(mass, m, DVec3::splat(0.4 * m * r * r));
}

/// Cylinder of a length with half a ball on each end.
unsafe fn set_capsule(mass: *mut dMass, density: f64, direction: c_int, radius: f64, length: f64) {
    let cylinder = PI * radius * radius * length * density;
    let caps = 4.0 / 3.0 * PI * radius * radius * radius * density;
    let square = radius * radius;
    let along = (0.5 * cylinder + 0.4 * caps) * square;
    let across = cylinder * (0.25 * square + length * length / 12.0)
        + caps * (0.4 * square + 0.375 * radius * length + 0.25 * length * length);
    set(mass, cylinder + caps, about(direction, along, across));
}

unsafe fn set_cylinder(mass: *mut dMass, total: f64, direction: c_int, radius: f64, length: f64) {
    let square = radius * radius;
    set(mass, total, about(direction, 0.5 * total * square, total * (0.25 * square + length * length / 12.0)));
}

/// Both names of the capsule, with density and with total mass, and the cylinder.
macro_rules! round {
    ($($name:ident, $total:ident: |$mass:ident, $density:ident, $direction:ident, $r:ident, $l:ident| $set:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(mass: *mut dMass, density: dReal, direction: c_int, radius: dReal, length: dReal) {
            require!(!mass.is_null(), "bad mass argument");
            require!((1..=3).contains(&direction), "bad direction number");
            let ($mass, $density, $direction) = (mass, f64::from(density), direction);
            let ($r, $l) = (f64::from(radius), f64::from(length));
            $set;
        }

        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $total(mass: *mut dMass, total: dReal, direction: c_int, radius: dReal, length: dReal) {
            require!(!mass.is_null(), "bad mass argument");
            require!((1..=3).contains(&direction), "bad direction number");
            let ($mass, $density, $direction) = (mass, 1.0, direction);
            let ($r, $l) = (f64::from(radius), f64::from(length));
            $set;
            dMassAdjust(mass, total);
        }
    )*};
}

round! {
    dMassSetCapsule, dMassSetCapsuleTotal: |mass, density, direction, r, l| set_capsule(mass, density, direction, r, l);
    dMassSetCappedCylinder, dMassSetCappedCylinderTotal: |mass, density, direction, r, l|
        set_capsule(mass, density, direction, r, l);
    dMassSetCylinder, dMassSetCylinderTotal: |mass, density, direction, r, l|
        set_cylinder(mass, PI * r * r * l * density, direction, r, l);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMassSetBox(mass: *mut dMass, density: dReal, x: dReal, y: dReal, z: dReal) {
    dMassSetBoxTotal(mass, x * y * z * density, x, y, z);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMassSetBoxTotal(mass: *mut dMass, total: dReal, x: dReal, y: dReal, z: dReal) {
    require!(!mass.is_null(), "bad mass argument");
    let m = f64::from(total) / 12.0;
    let square = DVec3::new(x.into(), y.into(), z.into()).powf(2.0);
    set(mass, total.into(), DVec3::new(square.y + square.z, square.x + square.z, square.x + square.y) * m);
}

/// Scales to a total mass.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMassAdjust(mass: *mut dMass, total: dReal) {
    require!(!mass.is_null(), "bad mass argument");
    let scale = f64::from(total) / f64::from((*mass).mass);
    (*mass).mass = total;
    (*mass).I = put_matrix(matrix(&(*mass).I) * scale);
    check(&*mass);
}

/// Moves the mass, and with it its centre; the inertia is about the origin.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMassTranslate(mass: *mut dMass, x: dReal, y: dReal, z: dReal) {
    require!(!mass.is_null(), "bad mass argument");
    let old = vector(&(*mass).c);
    let new = old + DVec3::new(x.into(), y.into(), z.into());
    let change = (cross_squared(old) - cross_squared(new)) * f64::from((*mass).mass);
    let inertia = matrix(&(*mass).I) + change;
    (*mass).I = put_matrix((inertia + inertia.transpose()) * 0.5);
    (*mass).c = put(new);
    check(&*mass);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMassRotate(mass: *mut dMass, rotation: *const dMatrix3) {
    require!(!mass.is_null() && !rotation.is_null(), "bad mass or matrix argument");
    let r = matrix(&*rotation);
    let inertia = r * matrix(&(*mass).I) * r.transpose();
    (*mass).I = put_matrix((inertia + inertia.transpose()) * 0.5);
    (*mass).c = put(r * vector(&(*mass).c));
    check(&*mass);
}

/// Adds the second to the first.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dMassAdd(a: *mut dMass, b: *const dMass) {
    require!(!a.is_null() && !b.is_null(), "bad mass argument");
    let (first, second) = (*a, *b);
    let total = f64::from(first.mass) + f64::from(second.mass);
    let center = (vector(&first.c) * f64::from(first.mass) + vector(&second.c) * f64::from(second.mass)) / total;
    let inertia = matrix(&first.I) + matrix(&second.I);
    *a = dMass { mass: total as dReal, c: put(center), I: put_matrix(inertia) };
}
