//! Rotations in lanes, as unit quaternions (x, y, z, w).

use super::lane::{L3, Lanes, cross, dot, plus, times};

#[inline(always)]
pub(super) fn inverse<L: Lanes<W>, const W: usize>(q: [L; 4]) -> [L; 4] {
    [-q[0], -q[1], -q[2], q[3]]
}

/// A vector turned by a unit quaternion, `v + 2 w (u × v) + 2 u × (u × v)`.
#[inline(always)]
pub(super) fn turned<L: Lanes<W>, const W: usize>(q: [L; 4], v: L3<L>) -> L3<L> {
    let u = [q[0], q[1], q[2]];
    let t = times(cross(u, v), L::splat(2.0));
    plus(plus(v, times(t, q[3])), cross(u, t))
}

/// The quaternion of turning by `b`, then by `a`.
#[inline(always)]
pub(super) fn product<L: Lanes<W>, const W: usize>(a: [L; 4], b: [L; 4]) -> [L; 4] {
    let (u, v) = ([a[0], a[1], a[2]], [b[0], b[1], b[2]]);
    let [x, y, z] = plus(plus(times(v, a[3]), times(u, b[3])), cross(u, v));
    [x, y, z, a[3] * b[3] - dot(u, v)]
}

#[inline(always)]
pub(super) fn unit<L: Lanes<W>, const W: usize>(q: [L; 4]) -> [L; 4] {
    let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    let by = L::splat(1.0) / length;
    [q[0] * by, q[1] * by, q[2] * by, q[3] * by]
}

/// The columns of its matrix.
#[inline(always)]
pub(super) fn columns<L: Lanes<W>, const W: usize>(q: [L; 4]) -> [L3<L>; 3] {
    let one = L::splat(1.0);
    let [x2, y2, z2] = times([q[0], q[1], q[2]], L::splat(2.0));
    let (xx, yy, zz) = (q[0] * x2, q[1] * y2, q[2] * z2);
    let (xy, xz, yz) = (q[0] * y2, q[0] * z2, q[1] * z2);
    let (wx, wy, wz) = (q[3] * x2, q[3] * y2, q[3] * z2);
    [[one - (yy + zz), xy + wz, xz - wy], [xy - wz, one - (xx + zz), yz + wx], [xz + wy, yz - wx, one - (xx + yy)]]
}

/// The quaternion of a turn about an axis by its length \[rad\], by the series of sine and cosine of half of it: exact to rounding up to a
/// radian, and near it up to six; its length is one to that.
#[inline(always)]
pub(super) fn exponential<L: Lanes<W>, const W: usize>(turn: L3<L>) -> [L; 4] {
    let one = L::splat(1.0);
    let square = L::splat(0.25) * dot(turn, turn);
    let (mut sine, mut cosine) = (one, one);
    for k in [13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        sine = one - square * L::splat(1.0 / ((k - 1.0) * k)) * sine;
        cosine = one - square * L::splat(1.0 / ((k - 2.0) * (k - 1.0))) * cosine;
    }
    let [x, y, z] = times(turn, L::splat(0.5) * sine);
    [x, y, z, cosine]
}
