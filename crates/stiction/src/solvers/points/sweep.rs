//! Sweeps over groups of contact points, and what they leave.

use super::super::soft::{L3, Lanes, Record, dot};
use super::bundle::{Bundles, Group, Point, ROWS, Terms};

/// How a sweep is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepRule {
    /// The velocity that correction leaves is bounded.
    pub(crate) is_capped: bool,
    /// Changes are measured.
    pub(crate) is_measured: bool,
}

/// Visits all groups.
#[inline(always)]
pub(super) fn sweep<L: Lanes<W>, const W: usize, const CAPPED: bool, const MEASURED: bool>(
    bundles: &mut Bundles<W>,
    z: &mut [Record],
) {
    let (groups, points, terms) = bundles.parts();
    for group in groups.iter_mut().filter(|group| !group.is_still) {
        let range = group.first as usize..(group.first + group.count) as usize;
        let (points, terms) = (&mut points[range.clone()], &terms[range]);
        if group.is_special || CAPPED {
            visit::<L, W, true, CAPPED, MEASURED>(group, points, terms, z);
        } else {
            visit::<L, W, false, CAPPED, MEASURED>(group, points, terms, z);
        }
    }
}

/// Velocities of the two bodies of a group as its rows see them.
struct Seen<L> {
    /// Of the centres of mass along the directions.
    s: L3<L>,
    /// Angular velocities.
    wa: L3<L>,
    wb: L3<L>,
}

#[inline(always)]
fn see<L: Lanes<W>, const W: usize>(group: &Group<W>, va: &[L; 8], vb: &[L; 8]) -> Seen<L> {
    let (ma, mb) = (L::load(&group.inverse_root_mass[0]), L::load(&group.inverse_root_mass[1]));
    let relative = [va[0] * ma - vb[0] * mb, va[1] * ma - vb[1] * mb, va[2] * ma - vb[2] * mb];
    let mut s = relative;
    for k in 0..ROWS {
        s[k] = dot(load_three::<L, W>(&group.directions[k]), relative);
    }
    Seen { s, wa: [va[3], va[4], va[5]], wb: [vb[3], vb[4], vb[5]] }
}

#[inline(always)]
fn load_three<L: Lanes<W>, const W: usize>(from: &[[f64; W]; 3]) -> L3<L> {
    [L::load(&from[0]), L::load(&from[1]), L::load(&from[2])]
}

/// Velocity of a row.
#[inline(always)]
fn velocity<L: Lanes<W>, const W: usize>(point: &Point<W>, k: usize, seen: &Seen<L>) -> L {
    let [ya, yb] = &point.angular[k];
    let turn = dot(load_three::<L, W>(ya), seen.wa) + dot(load_three::<L, W>(yb), seen.wb);
    seen.s[k] + turn
}

/// What impulses change one number of the angular velocity of a side by.
#[inline(always)]
fn turn<L: Lanes<W>, const W: usize>(point: &Point<W>, side: usize, e: usize, delta: &L3<L>) -> L {
    let [y0, y1, y2] = &point.angular;
    L::load(&y0[side][e]) * delta[0] + L::load(&y1[side][e]) * delta[1] + L::load(&y2[side][e]) * delta[2]
}

/// Impulse of a tangent without its bounds and without the rows before it.
#[inline(always)]
fn wanted<L: Lanes<W>, const W: usize, const SPECIAL: bool>(
    point: &Point<W>,
    terms: &Terms<W>,
    k: usize,
    (u, old): (L, L),
) -> L {
    let push = L::load(&point.scale[k]) * u;
    if SPECIAL { (L::load(&terms.keep[k - 1]) * old + L::load(&terms.goal[k - 1])) - push } else { old - push }
}

/// Visits the rows of a group in order: `x = λ + ω (b − Γ λ − u) / A`, within its bounds.
#[inline(always)]
fn visit<L: Lanes<W>, const W: usize, const SPECIAL: bool, const CAPPED: bool, const MEASURED: bool>(
    group: &mut Group<W>,
    points: &mut [Point<W>],
    terms: &[Terms<W>],
    z: &mut [Record],
) {
    let zero = L::splat(0.0);
    let mut va = L::gather(z, &group.bodies[0]);
    let mut vb = L::gather(z, &group.bodies[1]);
    let mut seen = see::<L, W>(group, &va, &vb);
    let linear = load_three::<L, W>(&group.linear);
    let mut sum = [zero; ROWS];
    let mut change = zero;
    for (point, terms) in points.iter_mut().zip(terms) {
        let old = load_three::<L, W>(&point.lambda);
        let u =
            [velocity::<L, W>(point, 0, &seen), velocity::<L, W>(point, 1, &seen), velocity::<L, W>(point, 2, &seen)];
        let mut normal = (L::load(&point.keep) * old[0] + L::load(&point.goal)) - L::load(&point.scale[0]) * u[0];
        if CAPPED {
            normal = normal.min(old[0] + L::load(&terms.rigid_scale) * (L::load(&terms.cap) - u[0]));
        }
        normal = normal.max(zero);
        let mut delta = [normal - old[0]; ROWS];
        let new = rub::<L, W, SPECIAL>(group, point, terms, (&u, &old, normal), &mut delta);
        for k in 0..ROWS {
            new[k].store(&mut point.lambda[k]);
            seen.s[k] = seen.s[k] + linear[k] * delta[k];
            sum[k] = sum[k] + delta[k];
            if MEASURED {
                change = change.max(delta[k].abs());
            }
        }
        for e in 0..3 {
            seen.wa[e] = seen.wa[e] + turn::<L, W>(point, 0, e, &delta);
            seen.wb[e] = seen.wb[e] + turn::<L, W>(point, 1, e, &delta);
        }
    }
    if MEASURED {
        (change * L::load(&group.largest)).store(&mut group.change);
    }
    let (ma, mb) = (L::load(&group.inverse_root_mass[0]), L::load(&group.inverse_root_mass[1]));
    for e in 0..3 {
        let push = L::load(&group.directions[0][e]) * sum[0]
            + L::load(&group.directions[1][e]) * sum[1]
            + L::load(&group.directions[2][e]) * sum[2];
        va[e] = va[e] + ma * push;
        vb[e] = vb[e] - mb * push;
        va[3 + e] = seen.wa[e];
        vb[3 + e] = seen.wb[e];
    }
    L::scatter(&va, z, &group.bodies[0]);
    L::scatter(&vb, z, &group.bodies[1]);
}

/// Friction of a point under its new normal impulse; returns all three impulses and completes their changes.
#[inline(always)]
fn rub<L: Lanes<W>, const W: usize, const SPECIAL: bool>(
    group: &Group<W>,
    point: &Point<W>,
    terms: &Terms<W>,
    (u, old, normal): (&L3<L>, &L3<L>, L),
    delta: &mut L3<L>,
) -> L3<L> {
    let mut bound = [L::load(&group.friction[0]) * normal, L::load(&group.friction[1]) * normal];
    if SPECIAL {
        bound = [bound[0] + L::load(&group.dry[0]), bound[1] + L::load(&group.dry[1])];
    }
    let first = wanted::<L, W, SPECIAL>(point, terms, 1, (u[1], old[1])) - L::load(&point.coupling[0]) * delta[0];
    let mut x = first.max(-bound[0]).min(bound[0]);
    let second = wanted::<L, W, SPECIAL>(point, terms, 2, (u[2], old[2])) - L::load(&point.coupling[1]) * delta[0];
    let second = second - L::load(&point.coupling[2]) * (x - old[1]);
    let mut y = second.max(-bound[1]).min(bound[1]);
    if SPECIAL {
        let (one, cone) = (L::splat(1.0), L::load(&group.cone));
        // The two axes of a cone have one bound.
        let over = first * first + second * second - bound[0] * bound[0];
        let mut share = one;
        if over.any_positive() {
            let length = (first * first + second * second).sqrt();
            share = over.if_positive(bound[0] / length.max(L::splat(f64::MIN_POSITIVE)), one);
        }
        x = cone.if_positive(first * share, x);
        y = cone.if_positive(second * share, y);
    }
    delta[1] = x - old[1];
    delta[2] = y - old[2];
    [normal, x, y]
}

/// What the sweeps have left of the normals, `r² / A` with the natural residual r of a row: the most of each group.
#[inline(always)]
pub(super) fn measure<L: Lanes<W>, const W: usize>(bundles: &mut Bundles<W>, z: &[Record], relaxation: f64) {
    let (zero, one, inverse) = (L::splat(0.0), L::splat(1.0), L::splat(1.0 / relaxation));
    let (groups, points, _) = bundles.parts();
    for group in groups {
        let va = L::gather(z, &group.bodies[0]);
        let vb = L::gather(z, &group.bodies[1]);
        let seen = see::<L, W>(group, &va, &vb);
        let mut left = zero;
        for point in &points[group.first as usize..(group.first + group.count) as usize] {
            let (x, scale) = (L::load(&point.lambda[0]), L::load(&point.scale[0]));
            let w = scale * velocity::<L, W>(point, 0, &seen) + (one - L::load(&point.keep)) * x - L::load(&point.goal);
            let off = x - (x - w * inverse).max(zero);
            // A = ω / scale.
            let share = off * off / (scale * inverse).max(L::splat(f64::MIN_POSITIVE));
            left = left.max(scale.if_positive(share, zero));
        }
        left.store(&mut group.left);
    }
}
