//! Sweeps over groups of contact points, and what they leave.

use super::super::soft::{L3, Lanes, Record, dot};
use super::bundle::{Arm, Bundles, FrictionKind, Group, Movers, Parts, Point, ROWS, Terms, Turn};

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
const ROLLING: u8 = FrictionKind::Rolling as u8;

/// Visits all groups.
#[inline(always)]
pub(super) fn sweep<L: Lanes<W>, const W: usize, const CAPPED: bool, const MEASURED: bool>(
    bundles: &mut Bundles<W>,
    z: &mut [Record],
) {
    let Parts { groups, points, arms, terms, turns, axes } = bundles.parts();
    for group in groups.iter_mut().filter(|group| !group.is_still) {
        let [range, arm_range] = group.ranges();
        let [turn_range, axis_range] = group.turn_ranges();
        let own = (&mut points[range.clone()], &arms[arm_range], &terms[range]);
        let about = (&mut turns[turn_range], &axes[axis_range]);
        match (group.movers == Movers::Both, group.friction_kind) {
            (true, FrictionKind::Pyramid) if !CAPPED => {
                visit::<L, W, PYRAMID, CAPPED, MEASURED, 2>(group, own, about, z);
            }
            (false, FrictionKind::Pyramid) if !CAPPED => {
                visit::<L, W, PYRAMID, CAPPED, MEASURED, 1>(group, own, about, z);
            }
            (true, FrictionKind::Cone) => visit::<L, W, CONE, CAPPED, MEASURED, 2>(group, own, about, z),
            (false, FrictionKind::Cone) => visit::<L, W, CONE, CAPPED, MEASURED, 1>(group, own, about, z),
            (true, FrictionKind::Rolling) => visit::<L, W, ROLLING, CAPPED, MEASURED, 2>(group, own, about, z),
            (false, FrictionKind::Rolling) => visit::<L, W, ROLLING, CAPPED, MEASURED, 1>(group, own, about, z),
            (true, _) => visit::<L, W, SPECIAL, CAPPED, MEASURED, 2>(group, own, about, z),
            (false, _) => visit::<L, W, SPECIAL, CAPPED, MEASURED, 1>(group, own, about, z),
        }
    }
}

/// Velocities of the bodies of a group that move, as its rows see them. Bodies are named, not numbered: what is numbered stays in memory.
#[derive(Clone, Copy)]
struct Seen<L> {
    /// Of the centres of mass along the directions.
    s: L3<L>,
    /// Angular velocities.
    first: L3<L>,
    second: L3<L>,
}

#[inline(always)]
fn see<L: Lanes<W>, const W: usize, const SIDES: usize>(group: &Group<W>, [a, b]: [&[L; 8]; 2]) -> Seen<L> {
    let m = L::load(&group.inverse_root_mass[0]);
    let mut relative = [a[0] * m, a[1] * m, a[2] * m];
    if SIDES == 2 {
        let m = L::load(&group.inverse_root_mass[1]);
        relative = [relative[0] - b[0] * m, relative[1] - b[1] * m, relative[2] - b[2] * m];
    }
    let s = [
        dot(load_three::<L, W>(&group.directions[0]), relative),
        dot(load_three::<L, W>(&group.directions[1]), relative),
        dot(load_three::<L, W>(&group.directions[2]), relative),
    ];
    Seen { s, first: [a[3], a[4], a[5]], second: [b[3], b[4], b[5]] }
}

/// The velocity of the second body; where one moves, that of the first again.
#[inline(always)]
fn gather_second<L: Lanes<W>, const W: usize, const SIDES: usize>(
    group: &Group<W>,
    z: &[Record],
    first: &[L; 8],
) -> [L; 8] {
    if SIDES == 2 { L::gather(z, &group.bodies[1]) } else { *first }
}

#[inline(always)]
fn load_three<L: Lanes<W>, const W: usize>(from: &[[f64; W]; 3]) -> L3<L> {
    [L::load(&from[0]), L::load(&from[1]), L::load(&from[2])]
}

/// Velocity of a row.
#[inline(always)]
fn velocity<L: Lanes<W>, const W: usize, const SIDES: usize>(arms: &[Arm<W>; SIDES], k: usize, seen: &Seen<L>) -> L {
    let mut turn = dot(load_three::<L, W>(&arms[0].angular[k]), seen.first);
    if SIDES == 2 {
        turn = turn + dot(load_three::<L, W>(&arms[SIDES - 1].angular[k]), seen.second);
    }
    seen.s[k] + turn
}

/// What impulses change one number of the angular velocity of a body by.
#[inline(always)]
fn turn<L: Lanes<W>, const W: usize>(arm: &Arm<W>, e: usize, delta: &L3<L>) -> L {
    let [y0, y1, y2] = &arm.angular;
    L::load(&y0[e]) * delta[0] + L::load(&y1[e]) * delta[1] + L::load(&y2[e]) * delta[2]
}

/// An angular velocity after impulses.
#[inline(always)]
fn turned<L: Lanes<W>, const W: usize>(arm: &Arm<W>, w: &L3<L>, delta: &L3<L>) -> L3<L> {
    [w[0] + turn::<L, W>(arm, 0, delta), w[1] + turn::<L, W>(arm, 1, delta), w[2] + turn::<L, W>(arm, 2, delta)]
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
    if FRICTION == SPECIAL || FRICTION == ROLLING {
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
    (turns, axes): (&mut [Turn<W>], &[Arm<W>]),
    z: &mut [Record],
) {
    let zero = L::splat(0.0);
    let first = L::gather(z, &group.bodies[0]);
    let second = gather_second::<L, W, SIDES>(group, z, &first);
    let mut seen = see::<L, W, SIDES>(group, [&first, &second]);
    let linear = load_three::<L, W>(&group.linear);
    let mut sum = [zero; ROWS];
    let mut change = zero;
    for (number, ((point, terms), arms)) in points.iter_mut().zip(terms).zip(arms.as_chunks::<SIDES>().0).enumerate() {
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
        if FRICTION == SPECIAL || FRICTION == ROLLING {
            let lean = L::load(&group.lean);
            let leans = lean * lean;
            seen.s[0] = leans.if_positive(seen.s[0] + lean * delta[1], seen.s[0]);
            seen.s[1] = leans.if_positive(seen.s[1] + lean * delta[0], seen.s[1]);
        }
        seen.first = turned(&arms[0], &seen.first, &delta);
        if SIDES == 2 {
            seen.second = turned(&arms[SIDES - 1], &seen.second, &delta);
        }
        if FRICTION == ROLLING
            && let (Some(turn), Some(axes)) = (turns.get_mut(number), axes.first_chunk::<SIDES>())
        {
            change = change.max(roll::<L, W, SIDES>(turn, axes, new[0], &mut seen));
        }
    }
    if MEASURED {
        (change * L::load(&group.largest)).store(&mut group.change);
    }
    let mut push = sum;
    for e in 0..3 {
        push[e] = L::load(&group.directions[0][e]) * sum[0]
            + L::load(&group.directions[1][e]) * sum[1]
            + L::load(&group.directions[2][e]) * sum[2];
    }
    let ([x, y, z_axis], [u, v, w], m) = (push, seen.first, L::load(&group.inverse_root_mass[0]));
    let moved = [first[0] + m * x, first[1] + m * y, first[2] + m * z_axis, u, v, w, zero, zero];
    L::scatter(&moved, z, &group.bodies[0]);
    if SIDES == 2 {
        let ([u, v, w], m) = (seen.second, L::load(&group.inverse_root_mass[1]));
        let moved = [second[0] - m * x, second[1] - m * y, second[2] - m * z_axis, u, v, w, zero, zero];
        L::scatter(&moved, z, &group.bodies[1]);
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
        if FRICTION == SPECIAL || FRICTION == ROLLING {
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

/// Visits the rows about the axes of a point under its normal impulse; returns their largest change.
#[inline(always)]
fn roll<L: Lanes<W>, const W: usize, const SIDES: usize>(
    turn: &mut Turn<W>,
    axes: &[Arm<W>; SIDES],
    normal: L,
    seen: &mut Seen<L>,
) -> L {
    let mut change = L::splat(0.0);
    for k in 0..ROWS {
        let first = load_three::<L, W>(&axes[0].angular[k]);
        let second = load_three::<L, W>(&axes[SIDES - 1].angular[k]);
        let mut u = dot(first, seen.first);
        if SIDES == 2 {
            u = u + dot(second, seen.second);
        }
        let old = L::load(&turn.lambda[k]);
        let wanted = (L::load(&turn.keep[k]) * old + L::load(&turn.goal[k])) - L::load(&turn.scale[k]) * u;
        let bound = L::load(&turn.reach[k]) * normal;
        let new = wanted.max(-bound).min(bound);
        new.store(&mut turn.lambda[k]);
        let delta = new - old;
        change = change.max(delta.abs());
        for e in 0..3 {
            seen.first[e] = seen.first[e] + first[e] * delta;
            if SIDES == 2 {
                seen.second[e] = seen.second[e] + second[e] * delta;
            }
        }
    }
    change
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
pub(super) fn measure<L: Lanes<W>, const W: usize>(
    bundles: &mut Bundles<W>,
    z: &[Record],
    (relaxation, is_capped): (f64, bool),
) {
    let Parts { groups, points, arms, terms, .. } = bundles.parts();
    for group in groups {
        let [range, arm_range] = group.ranges();
        let terms = if is_capped { &terms[range.clone()] } else { &[] };
        let own = (&points[range], &arms[arm_range], terms);
        if group.movers == Movers::Both {
            measure_group::<L, W, 2>(group, own, z, relaxation);
        } else {
            measure_group::<L, W, 1>(group, own, z, relaxation);
        }
    }
}

#[inline(always)]
fn measure_group<L: Lanes<W>, const W: usize, const SIDES: usize>(
    group: &mut Group<W>,
    (points, arms, terms): (&[Point<W>], &[Arm<W>], &[Terms<W>]),
    z: &[Record],
    relaxation: f64,
) {
    let (zero, one, inverse) = (L::splat(0.0), L::splat(1.0), L::splat(1.0 / relaxation));
    let first = L::gather(z, &group.bodies[0]);
    let seen = see::<L, W, SIDES>(group, [&first, &gather_second::<L, W, SIDES>(group, z, &first)]);
    let mut left = zero;
    for (number, (point, arms)) in points.iter().zip(arms.as_chunks::<SIDES>().0).enumerate() {
        let (x, scale) = (L::load(&point.lambda[0]), L::load(&point.scale[0]));
        let u = velocity::<L, W, SIDES>(arms, 0, &seen);
        let mut w = scale * u + (one - L::load(&point.keep)) * x - L::load(&point.goal);
        if let Some(terms) = terms.get(number) {
            w = w.max(scale * (u - L::load(&terms.cap)));
        }
        let off = x - (x - w * inverse).max(zero);
        // A = ω / scale.
        let share = off * off / (scale * inverse).max(L::splat(f64::MIN_POSITIVE));
        left = left.max(scale.if_positive(share, zero));
    }
    left.store(&mut group.left);
}

/// Writes the impulses of all points: those of their rows, and friction in world axes; and the same of their rows about axes.
#[inline(always)]
pub(super) fn write<L: Lanes<W>, const W: usize>(
    bundles: &Bundles<W>,
    (impulses, moments): (&mut [Record], &mut [Record]),
    nothing: u32,
) {
    for group in bundles.groups() {
        let [normal, first, second] = &group.directions;
        for (number, turn) in bundles.turns_of(group).iter().enumerate() {
            let [x, y, z] = load_three::<L, W>(&turn.lambda);
            let mut record = [x, y, z, x, y, z, L::splat(0.0), L::splat(0.0)];
            for e in 0..3 {
                record[3 + e] = L::load(&first[e]) * x + L::load(&second[e]) * y + L::load(&normal[e]) * z;
            }
            L::scatter(&record, moments, &group.places_of(number as u32, nothing));
        }
        for (number, point) in bundles.points_of(group).iter().enumerate() {
            let [normal, x, y] = load_three::<L, W>(&point.lambda);
            let mut record = [normal, x, y, x, y, y, L::splat(0.0), L::splat(0.0)];
            for e in 0..3 {
                record[3 + e] = L::load(&first[e]) * x + L::load(&second[e]) * y;
            }
            L::scatter(&record, impulses, &group.places_of(number as u32, nothing));
        }
    }
}
