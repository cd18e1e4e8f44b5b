//! Impulses of faces with four points evened out, several faces at a time: the operations of [`crate::contact::spread::even_out`] in their
//! order, so that the bits are the same.
#![allow(unsafe_code, reason = "calls of functions that are compiled for features that the processor has")]

#[cfg(target_arch = "x86_64")]
use crate::solvers::soft::{Eight, Four};
use crate::solvers::soft::{L3, Lanes, Record, WidthOfLanes, cross, dot, minus, times};

/// Records of a face: its normal (3), the impulses of its points (4), and their places (12). The impulses that come out are the first four
/// numbers.
pub(super) const FACE_RECORDS: usize = 3;

/// Evens out the impulses of all faces.
pub(super) fn even_out(records: &mut [Record]) {
    match WidthOfLanes::widest() {
        WidthOfLanes::One => even_out_in_lanes::<f64, 1>(records),
        // SAFETY: the widest lanes are those whose features the processor has.
        #[cfg(target_arch = "x86_64")]
        WidthOfLanes::Four => unsafe { even_out_by_four(records) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        WidthOfLanes::Eight => unsafe { even_out_by_eight(records) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn even_out_by_four(records: &mut [Record]) {
    even_out_in_lanes::<Four, 4>(records);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn even_out_by_eight(records: &mut [Record]) {
    even_out_in_lanes::<Eight, 8>(records);
}

/// Lanes beyond the last face do what it does.
#[inline(always)]
fn even_out_in_lanes<L: Lanes<W>, const W: usize>(records: &mut [Record]) {
    let count = records.len() / FACE_RECORDS;
    let mut first = 0;
    while first < count {
        let (mut head, mut middle, mut end) = ([0; W], [0; W], [0; W]);
        for lane in 0..W {
            let at = (FACE_RECORDS * (first + lane).min(count - 1)) as u32;
            (head[lane], middle[lane], end[lane]) = (at, at + 1, at + 2);
        }
        let (h, m, e) = (L::gather(records, &head), L::gather(records, &middle), L::gather(records, &end));
        let positions = [[h[7], m[0], m[1]], [m[2], m[3], m[4]], [m[5], m[6], m[7]], [e[0], e[1], e[2]]];
        let mut impulses = [h[3], h[4], h[5], h[6]];
        even_out_face([h[0], h[1], h[2]], &positions, &mut impulses);
        let [a, b, c, d] = impulses;
        L::scatter(&[a, b, c, d, a, b, c, d], records, &head);
        first += W;
    }
}

/// ODE's plane space of a normal ([`crate::math::plane_space`]).
#[inline(always)]
fn plane_space<L: Lanes<W>, const W: usize>(n: L3<L>) -> [L3<L>; 2] {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let steep = n[2].abs() - L::splat(std::f64::consts::FRAC_1_SQRT_2);
    let a = steep.if_positive(n[1] * n[1] + n[2] * n[2], n[0] * n[0] + n[1] * n[1]);
    let k = one / a.sqrt();
    let p = [zero, -n[2] * k, n[1] * k];
    let q = [a * k, -n[0] * p[2], n[0] * p[1]];
    let r = [-n[1] * k, n[0] * k, zero];
    let s = [-n[2] * r[1], n[2] * r[0], a * k];
    let mut out = [p, q];
    for e in 0..3 {
        out[0][e] = steep.if_positive(p[e], r[e]);
        out[1][e] = steep.if_positive(q[e], s[e]);
    }
    out
}

/// Four points; their Gram matrix is symmetric, `G Gᵀ = [4 a b; a c d; b d e]`.
#[inline(always)]
fn even_out_face<L: Lanes<W>, const W: usize>(normal: L3<L>, positions: &[L3<L>; 4], impulses: &mut [L; 4]) {
    let (zero, one, four) = (L::splat(0.0), L::splat(1.0), L::splat(4.0));
    let [p, q] = plane_space::<L, W>(normal);
    let mut center = [zero; 3];
    for x in positions {
        for e in 0..3 {
            center[e] = center[e] + x[e];
        }
    }
    for e in 0..3 {
        center[e] = center[e] / four;
    }
    let mut rows = [[one; 3]; 4];
    let (mut a, mut b, mut c, mut d, mut e) = (zero, zero, zero, zero, zero);
    let mut load = [zero; 3];
    for k in 0..4 {
        let way = minus(positions[k], center);
        let (u, v) = (dot(p, way), dot(q, way));
        rows[k] = [one, u, v];
        (a, b, c, d, e) = (a + u, b + v, c + u * u, d + u * v, e + v * v);
        load = [load[0] + impulses[k], load[1] + u * impulses[k], load[2] + v * impulses[k]];
    }
    let gram = [[four, a, b], [a, c, d], [b, d, e]];
    // Points on one line have no moment about it: nothing to even out across.
    let size = c.max(e);
    let across = cross(gram[1], gram[2]);
    let determinant = dot(gram[0], across);
    let is_spread = determinant - L::splat(1e-9) * four * size * size;
    let inverse = one / determinant;
    let weights = [
        dot(times(across, inverse), load),
        dot(times(cross(gram[2], gram[0]), inverse), load),
        dot(times(cross(gram[0], gram[1]), inverse), load),
    ];
    let mut all = is_spread.if_positive(one, zero);
    let mut even = *impulses;
    for k in 0..4 {
        even[k] = dot(rows[k], weights);
        all = even[k].if_positive(all, zero);
    }
    for k in 0..4 {
        impulses[k] = all.if_positive(even[k], impulses[k]);
    }
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, dvec3};

    use super::*;
    use crate::contact::spread;

    #[test]
    fn lanes_have_the_bits_of_plain_numbers() {
        let mut number = 1u64;
        let mut random = move || {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (number >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let (mut records, mut expected) = (Vec::new(), Vec::new());
        for number in 0..101 {
            let normal = if number % 3 == 0 { DVec3::Z } else { dvec3(random(), random(), random()).normalize() };
            let (u, v) = normal.any_orthonormal_pair();
            let at = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(x, y)| {
                let across = if number % 7 == 0 { 0.0 } else { y + random() };
                u * (x + random()) + v * across + dvec3(random(), random(), random()) * 1e-3
            });
            let impulses = [0; 4].map(|_| if number % 5 == 0 { random() } else { 1.0 + random() });
            let ([p, q, r, s], n, i) = (at, normal, impulses);
            records.push(Record([n.x, n.y, n.z, i[0], i[1], i[2], i[3], p.x]));
            records.push(Record([p.y, p.z, q.x, q.y, q.z, r.x, r.y, r.z]));
            records.push(Record([s.x, s.y, s.z, 0.0, 0.0, 0.0, 0.0, 0.0]));
            let mut even = impulses;
            spread::even_out(&at, normal, &mut even);
            expected.push(even);
        }
        let mut plain = records.clone();
        even_out_in_lanes::<f64, 1>(&mut plain);
        even_out(&mut records);
        for (number, expected) in expected.iter().enumerate() {
            for all in [&plain, &records] {
                assert_eq!(all[FACE_RECORDS * number].0[..4], expected[..], "face {number}");
            }
        }
        assert!(expected.iter().any(|face| face[0] != face[1]));
    }
}
