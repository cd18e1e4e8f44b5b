//! Sweeps over groups of contact points, and what they leave.

use super::super::soft::{L3, Lanes, Record, dot};
use super::bundle::{Arm, Bundles, FrictionKind, Group, Movers, Parts, Point, ROWS, Terms};

/// How a sweep is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepRule {
    /// The velocity that correction leaves is bounded.
    pub(crate) is_capped: bool,
    /// Changes are measured.
    pub(crate) is_measured: bool,
}

/// Kinds of friction that have a kernel of their own, as numbers.
const PYRAMID: u8 = FrictionKind::Pyramid as u8;
const CONE: u8 = FrictionKind::Cone as u8;
const SPECIAL: u8 = FrictionKind::Special as u8;

/// Visits all groups.
#[inline(always)]
pub(super) fn sweep<L: Lanes<W>, const W: usize, const CAPPED: bool, const MEASURED: bool>(
    bundles: &mut Bundles<W>,
    z: &mut [Record],
) {
    let Parts { groups, points, arms, terms } = bundles.parts();
    for group in groups.iter_mut().filter(|group| !group.is_still) {
        let [range, arm_range] = group.ranges();
        let own = (&mut points[range.clone()], &arms[arm_range], &terms[range]);
        match (group.movers == Movers::Both, group.friction_kind) {
            (true, FrictionKind::Pyramid) if !CAPPED => visit::<L, W, PYRAMID, CAPPED, MEASURED, 2>(group, own, z),
            (false, FrictionKind::Pyramid) if !CAPPED => visit::<L, W, PYRAMID, CAPPED, MEASURED, 1>(group, own, z),
            (true, FrictionKind::Cone) => visit::<L, W, CONE, CAPPED, MEASURED, 2>(group, own, z),
            (false, FrictionKind::Cone) => visit::<L, W, CONE, CAPPED, MEASURED, 1>(group, own, z),
            (true, _) => visit::<L, W, SPECIAL, CAPPED, MEASURED, 2>(group, own, z),
            (false, _) => visit::<L, W, SPECIAL, CAPPED, MEASURED, 1>(group, own, z),
        }
    }
}

/// Velocities of the bodies of a group that move, as its rows see them.
#[derive(Clone, Copy)]
struct Seen<L, const SIDES: usize> {
    /// Of the centres of mass along the directions.
    s: L3<L>,
    /// Angular velocities.
    w: [L3<L>; SIDES],
}

#[inline(always)]
fn see<L: Lanes<W>, const W: usize, const SIDES: usize>(group: &Group<W>, v: &[[L; 8]; SIDES]) -> Seen<L, SIDES> {
    let m = L::load(&group.inverse_root_mass[0]);
    let mut relative = [v[0][0] * m, v[0][1] * m, v[0][2] * m];
    if SIDES == 2 {
        let m = L::load(&group.inverse_root_mass[1]);
        relative = [relative[0] - v[1][0] * m, relative[1] - v[1][1] * m, relative[2] - v[1][2] * m];
    }
    let mut s = relative;
    for k in 0..ROWS {
        s[k] = dot(load_three::<L, W>(&group.directions[k]), relative);
    }
    let mut w = [relative; SIDES];
    for side in 0..SIDES {
        w[side] = [v[side][3], v[side][4], v[side][5]];
    }
    Seen { s, w }
}

#[inline(always)]
fn gather<L: Lanes<W>, const W: usize, const SIDES: usize>(group: &Group<W>, z: &[Record]) -> [[L; 8]; SIDES] {
    let mut v = [[L::splat(0.0); 8]; SIDES];
    for side in 0..SIDES {
        v[side] = L::gather(z, &group.bodies[side]);
    }
    v
}

#[inline(always)]
fn load_three<L: Lanes<W>, const W: usize>(from: &[[f64; W]; 3]) -> L3<L> {
    [L::load(&from[0]), L::load(&from[1]), L::load(&from[2])]
}

/// Velocity of a row.
#[inline(always)]
fn velocity<L: Lanes<W>, const W: usize, const SIDES: usize>(
    arms: &[Arm<W>; SIDES],
    k: usize,
    seen: &Seen<L, SIDES>,
) -> L {
    let mut turn = dot(load_three::<L, W>(&arms[0].angular[k]), seen.w[0]);
    if SIDES == 2 {
        turn = turn + dot(load_three::<L, W>(&arms[1].angular[k]), seen.w[1]);
    }
    seen.s[k] + turn
}

/// What impulses change one number of the angular velocity of a body by.
#[inline(always)]
fn turn<L: Lanes<W>, const W: usize>(arm: &Arm<W>, e: usize, delta: &L3<L>) -> L {
    let [y0, y1, y2] = &arm.angular;
    L::load(&y0[e]) * delta[0] + L::load(&y1[e]) * delta[1] + L::load(&y2[e]) * delta[2]
}

/// Impulse of a tangent without its bounds and without the rows before it.
#[inline(always)]
fn wanted<L: Lanes<W>, const W: usize, const FRICTION: u8>(
    point: &Point<W>,
    terms: &Terms<W>,
    k: usize,
    (u, old): (L, L),
) -> L {
    let push = L::load(&point.scale[k]) * u;
    if FRICTION == SPECIAL {
        (L::load(&terms.keep[k - 1]) * old + L::load(&terms.goal[k - 1])) - push
    } else {
        old - push
    }
}

/// Visits the rows of a group in order: `x = λ + ω (b − Γ λ − u) / A`, within its bounds.
#[inline(always)]
fn visit<
    L: Lanes<W>,
    const W: usize,
    const FRICTION: u8,
    const CAPPED: bool,
    const MEASURED: bool,
    const SIDES: usize,
>(
    group: &mut Group<W>,
    (points, arms, terms): (&mut [Point<W>], &[Arm<W>], &[Terms<W>]),
    z: &mut [Record],
) {
    let zero = L::splat(0.0);
    let mut v = gather::<L, W, SIDES>(group, z);
    let mut seen = see::<L, W, SIDES>(group, &v);
    let linear = load_three::<L, W>(&group.linear);
    let mut sum = [zero; ROWS];
    let mut change = zero;
    for ((point, terms), arms) in points.iter_mut().zip(terms).zip(arms.as_chunks::<SIDES>().0) {
        let old = load_three::<L, W>(&point.lambda);
        let u = [
            velocity::<L, W, SIDES>(arms, 0, &seen),
            velocity::<L, W, SIDES>(arms, 1, &seen),
            velocity::<L, W, SIDES>(arms, 2, &seen),
        ];
        let mut normal = (L::load(&point.keep) * old[0] + L::load(&point.goal)) - L::load(&point.scale[0]) * u[0];
        if CAPPED {
            normal = normal.min(old[0] + L::load(&terms.rigid_scale) * (L::load(&terms.cap) - u[0]));
        }
        normal = normal.max(zero);
        let mut delta = [normal - old[0]; ROWS];
        let new = rub::<L, W, FRICTION>(group, point, terms, (&u, &old, normal), &mut delta);
        for k in 0..ROWS {
            new[k].store(&mut point.lambda[k]);
            seen.s[k] = seen.s[k] + linear[k] * delta[k];
            sum[k] = sum[k] + delta[k];
            if MEASURED {
                change = change.max(delta[k].abs());
            }
        }
        for side in 0..SIDES {
            for e in 0..3 {
                seen.w[side][e] = seen.w[side][e] + turn::<L, W>(&arms[side], e, &delta);
            }
        }
    }
    if MEASURED {
        (change * L::load(&group.largest)).store(&mut group.change);
    }
    for side in 0..SIDES {
        let m = L::load(&group.inverse_root_mass[side]);
        for e in 0..3 {
            let push = L::load(&group.directions[0][e]) * sum[0]
                + L::load(&group.directions[1][e]) * sum[1]
                + L::load(&group.directions[2][e]) * sum[2];
            v[side][e] = if side == 0 { v[side][e] + m * push } else { v[side][e] - m * push };
            v[side][3 + e] = seen.w[side][e];
            v[side][6] = zero;
            v[side][7] = zero;
        }
        L::scatter(&v[side], z, &group.bodies[side]);
    }
}

/// Friction of a point under its new normal impulse; returns all three impulses and completes their changes.
#[inline(always)]
fn rub<L: Lanes<W>, const W: usize, const FRICTION: u8>(
    group: &Group<W>,
    point: &Point<W>,
    terms: &Terms<W>,
    (u, old, normal): (&L3<L>, &L3<L>, L),
    delta: &mut L3<L>,
) -> L3<L> {
    let first = wanted::<L, W, FRICTION>(point, terms, 1, (u[1], old[1])) - L::load(&point.coupling[0]) * delta[0];
    let second = wanted::<L, W, FRICTION>(point, terms, 2, (u[2], old[2])) - L::load(&point.coupling[1]) * delta[0];
    let mut bound = L::load(&group.friction[0]) * normal;
    if FRICTION != PYRAMID {
        bound = bound + L::load(&group.dry[0]);
    }
    let (mut x, mut y) = (first, second);
    if FRICTION != CONE {
        x = first.max(-bound).min(bound);
        let mut other = L::load(&group.friction[1]) * normal;
        if FRICTION == SPECIAL {
            other = other + L::load(&group.dry[1]);
        }
        y = (second - L::load(&point.coupling[2]) * (x - old[1])).max(-other).min(other);
    }
    if FRICTION != PYRAMID {
        let (on_first, on_second) = within_cone(first, second, bound);
        if FRICTION == CONE {
            (x, y) = (on_first, on_second);
        } else {
            let cone = L::load(&group.cone);
            // The second axis of a cone does not wait for the first.
            (x, y) = (cone.if_positive(on_first, x), cone.if_positive(on_second, y));
        }
    }
    delta[1] = x - old[1];
    delta[2] = y - old[2];
    [normal, x, y]
}

/// The two axes of a cone have one bound.
#[inline(always)]
fn within_cone<L: Lanes<W>, const W: usize>(first: L, second: L, bound: L) -> (L, L) {
    let one = L::splat(1.0);
    let over = first * first + second * second - bound * bound;
    let mut share = one;
    if over.any_positive() {
        let length = (first * first + second * second).sqrt();
        share = over.if_positive(bound / length.max(L::splat(f64::MIN_POSITIVE)), one);
    }
    (first * share, second * share)
}

/// What the sweeps have left of the normals, `r² / A` with the natural residual r of a row: the most of each group.
#[inline(always)]
pub(super) fn measure<L: Lanes<W>, const W: usize>(bundles: &mut Bundles<W>, z: &[Record], relaxation: f64) {
    let Parts { groups, points, arms, .. } = bundles.parts();
    for group in groups {
        let [range, arm_range] = group.ranges();
        if group.movers == Movers::Both {
            measure_group::<L, W, 2>(group, (&points[range], &arms[arm_range]), z, relaxation);
        } else {
            measure_group::<L, W, 1>(group, (&points[range], &arms[arm_range]), z, relaxation);
        }
    }
}

#[inline(always)]
fn measure_group<L: Lanes<W>, const W: usize, const SIDES: usize>(
    group: &mut Group<W>,
    (points, arms): (&[Point<W>], &[Arm<W>]),
    z: &[Record],
    relaxation: f64,
) {
    let (zero, one, inverse) = (L::splat(0.0), L::splat(1.0), L::splat(1.0 / relaxation));
    let seen = see::<L, W, SIDES>(group, &gather(group, z));
    let mut left = zero;
    for (point, arms) in points.iter().zip(arms.as_chunks::<SIDES>().0) {
        let (x, scale) = (L::load(&point.lambda[0]), L::load(&point.scale[0]));
        let u = velocity::<L, W, SIDES>(arms, 0, &seen);
        let w = scale * u + (one - L::load(&point.keep)) * x - L::load(&point.goal);
        let off = x - (x - w * inverse).max(zero);
        // A = ω / scale.
        let share = off * off / (scale * inverse).max(L::splat(f64::MIN_POSITIVE));
        left = left.max(scale.if_positive(share, zero));
    }
    left.store(&mut group.left);
}
