//! Bundles from the records of bodies and manifolds.

use super::bundle::{Bundle, NORMAL, ROWS, for_rows, is_row, load_rows};
use super::lane::{L3, Lanes, cross, dot, minus, plus, times};
use super::own_places::OwnPlaces;
use super::pass::{apply, give_back, sum_of_normals, take};
use super::records::{Body, Sources, body, record_of, special_of, to_world};
use crate::math::Lane;

/// A body that moves, with the sign of its velocity in rows.
#[derive(Clone, Copy)]
struct Side<L> {
    x: L3<L>,
    signed_root_inertia: L3<L>,
    r: [L3<L>; 3],
}

/// `± diag(1/√I) Rᵀ v`.
#[inline(always)]
fn whiten<L: Lanes<W>, const W: usize>(b: &Side<L>, v: L3<L>) -> L3<L> {
    let i = b.signed_root_inertia;
    [dot(b.r[0], v) * i[0], dot(b.r[1], v) * i[1], dot(b.r[2], v) * i[2]]
}

#[inline(always)]
fn negated<L: Lanes<W>, const W: usize>(v: L3<L>) -> L3<L> {
    [-v[0], -v[1], -v[2]]
}

/// Unit vectors across a normal (Duff and others, "Building an Orthonormal Basis, Revisited", 2017).
#[inline(always)]
fn tangents<L: Lanes<W>, const W: usize>(n: L3<L>) -> [L3<L>; 2] {
    let one = L::splat(1.0);
    let s = n[2].if_positive(one, -one);
    let a = -(one / (s + n[2]));
    let b = n[0] * n[1] * a;
    [[one + s * n[0] * n[0] * a, s * b, -(s * n[0])], [b, s + n[1] * n[1] * a, -n[1]]]
}

/// Fills the bundles, and adds the impulses of the last step to `z`.
#[inline(always)]
pub(super) fn prepare<L: Lanes<W>, const W: usize>(bundles: &mut [Bundle<W>], sources: &Sources, z: &mut OwnPlaces) {
    for bundle in bundles {
        match (bundle.has_one_side, bundle.points) {
            (true, 1) => start_one::<L, W, 1, 1>(bundle, sources, z),
            (true, 2) => start_one::<L, W, 1, 2>(bundle, sources, z),
            (true, _) => start_one::<L, W, 1, 4>(bundle, sources, z),
            (false, 1) => start_one::<L, W, 2, 1>(bundle, sources, z),
            (false, 2) => start_one::<L, W, 2, 2>(bundle, sources, z),
            (false, _) => start_one::<L, W, 2, 4>(bundle, sources, z),
        }
    }
}

#[inline(always)]
fn start_one<L: Lanes<W>, const W: usize, const SIDES: usize, const POINTS: usize>(
    bundle: &mut Bundle<W>,
    sources: &Sources,
    z: &mut OwnPlaces,
) {
    prepare_one::<L, W, SIDES, POINTS>(bundle, sources);
    let lambda = load_rows::<L, W, POINTS>(&bundle.lambda);
    sum_of_normals::<L, W, POINTS>(&lambda).store(&mut bundle.before);
    let mut v = take::<L, W, SIDES>(bundle, z);
    apply::<L, W, SIDES, POINTS>(bundle, &lambda, &mut v);
    give_back::<L, W, SIDES>(bundle, &v, z);
}

/// Two bodies and how they move in half a step.
struct Pair<L> {
    bodies: [Body<L>; 2],
    /// Ways of their centres.
    ways: [L3<L>; 2],
    /// Vectors of their turns.
    turns: [L3<L>; 2],
    /// 1 of a body that rows do not move.
    is_fixed: [L; 2],
    /// Normal, and the sum of the inverse masses.
    n: L3<L>,
    mass: L,
}

/// Axes of friction and what the surfaces ask for.
struct Friction<L> {
    t: [L3<L>; 2],
    /// Coefficient of the second axis by that of the first.
    stretch: L,
    belt: L3<L>,
    slip: [L; 3],
}

/// Points of a manifold.
struct Points<L> {
    place: [L3<L>; 4],
    /// 1 of those that are there.
    here: [L; 4],
    /// Their shares in friction.
    rubs: [L; 4],
    count: L,
    /// 1 where there is one.
    any: L,
    /// Where friction acts.
    center: L3<L>,
    radius: L,
    /// Ways of the places in half a step, that of the centre, and the turn of the normal.
    ways: [L3<L>; 4],
    way: L3<L>,
    turn: L3<L>,
    /// 1 where these are known.
    known: L,
}

#[inline(always)]
fn prepare_one<L: Lanes<W>, const W: usize, const SIDES: usize, const POINTS: usize>(
    bundle: &mut Bundle<W>,
    sources: &Sources,
) {
    let head = L::gather(sources.manifolds, &record_of(&bundle.records, 0));
    let pair = pair_of::<L, W>(bundle, sources, [head[0], head[1], head[2]]);
    let friction = friction_of::<L, W>(bundle, sources, &pair);
    let ([da, db], [wa, wb], [fa, fb]) = (pair.ways, pair.turns, pair.is_fixed);
    bundle.turns = (dot(wa, wa) + dot(wb, wb)).any_positive();
    let drives = (dot(da, da) + dot(wa, wa)) * fa + (dot(db, db) + dot(wb, wb)) * fb;
    bundle.is_driven = (drives + dot(friction.belt, friction.belt)).any_positive();
    for row in 0..ROWS {
        if !is_row::<POINTS>(row) {
            bundle.lambda[row] = [0.0; W];
            bundle.inverse[row] = [0.0; W];
        }
    }
    let points = points_of::<L, W, POINTS>(bundle, sources, &pair);
    let warm = L::splat(sources.warm);
    let force = times([head[4], head[5], head[6]], warm);
    let [t1, t2] = friction.t;
    head[3].store(&mut bundle.friction);
    dot(force, t1).store(&mut bundle.lambda[0]);
    let mut second = dot(force, t2);
    if bundle.is_special {
        second = second / (friction.stretch * friction.stretch).max(L::splat(TINY));
    }
    second.store(&mut bundle.lambda[1]);
    if POINTS > 1 {
        // A single point has no moment about its normal, but for torsional friction.
        let zero = L::splat(0.0);
        let own = if bundle.is_special { L::load(&bundle.arm).if_positive(head[7], zero) } else { zero };
        let twist = (points.count - L::splat(1.5)).if_positive(head[7], own);
        (twist * warm).store(&mut bundle.lambda[2]);
    }
    let sides = sides_of::<L, W, SIDES>(bundle, &pair);
    rows_of::<L, W, SIDES, POINTS>(bundle, (pair.n, &sides), &friction, &points);
    if bundle.turns || bundle.is_driven {
        drive::<L, W, POINTS>(bundle, &pair, &friction, &points, 1.0 / sources.half);
    }
    diagonals_of::<L, W, SIDES, POINTS>(bundle, &pair, &friction, &points, sources.softness);
    if bundle.is_special {
        elastic_of::<L, W>(bundle, sources, &points);
    }
    couple::<L, W, SIDES, POINTS>(bundle, &pair);
    for (k, direction) in [t1, t2, pair.n].iter().enumerate() {
        for e in 0..3 {
            direction[e].store(&mut bundle.directions[k][e]);
        }
    }
    for k in 0..ROWS {
        bundle.total[k] = [0.0; W];
    }
}

/// What is added to numbers that others are divided by.
const TINY: f64 = 1e-30;

#[inline(always)]
fn pair_of<L: Lanes<W>, const W: usize>(bundle: &Bundle<W>, sources: &Sources, normal: L3<L>) -> Pair<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let [first, second] = &bundle.bodies;
    let (a, b) = (body::<L, W>(sources.bodies, first), body::<L, W>(sources.bodies, second));
    // Ways of what rows move count where something turns only.
    let (mut la, mut lb) = ([zero; 8], [zero; 8]);
    if sources.any_leads {
        (la, lb) = (L::gather(sources.leads, first), L::gather(sources.leads, second));
    }
    let (ma, mb) = (a.inverse_root_mass, b.inverse_root_mass);
    Pair {
        ways: [[la[0], la[1], la[2]], [lb[0], lb[1], lb[2]]],
        turns: [[la[3], la[4], la[5]], [lb[3], lb[4], lb[5]]],
        is_fixed: [ma.if_positive(zero, one), mb.if_positive(zero, one)],
        n: to_world::<L, W>(&a.r, normal),
        mass: ma * ma + mb * mb,
        bodies: [a, b],
    }
}

#[inline(always)]
fn friction_of<L: Lanes<W>, const W: usize>(bundle: &mut Bundle<W>, sources: &Sources, pair: &Pair<L>) -> Friction<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let n = pair.n;
    let mut friction = Friction { t: tangents::<L, W>(n), stretch: one, belt: [zero; 3], slip: [zero; 3] };
    if !bundle.is_special && bundle.special == [0; W] {
        bundle.push = [sources.push; W];
        bundle.layer = [sources.layer; W];
        return friction;
    }
    let of_surface = L::gather(sources.special, &special_of(&bundle.special, 1));
    of_surface[6].store(&mut bundle.push);
    of_surface[7].store(&mut bundle.layer);
    if !bundle.is_special {
        return friction;
    }
    let of_friction = L::gather(sources.special, &special_of(&bundle.special, 0));
    let given = [of_friction[0], of_friction[1], of_friction[2]];
    let across = minus(given, times(n, dot(given, n)));
    let length = dot(across, across).sqrt();
    let is_given = of_friction[3] * (length - L::splat(1e-6)).if_positive(one, zero);
    let t = times(across, one / length.max(L::splat(TINY)));
    let u = cross(n, t);
    for e in 0..3 {
        friction.t[0][e] = is_given.if_positive(t[e], friction.t[0][e]);
        friction.t[1][e] = is_given.if_positive(u[e], friction.t[1][e]);
    }
    friction.stretch = of_friction[4];
    friction.t[1] = times(friction.t[1], friction.stretch);
    friction.belt = [of_surface[0], of_surface[1], of_surface[2]];
    friction.slip = [of_surface[3], of_surface[4], of_surface[5]];
    of_friction[5].store(&mut bundle.pyramid);
    of_friction[6].store(&mut bundle.dry);
    of_friction[7].store(&mut bundle.arm);
    for k in 0..3 {
        friction.slip[k].store(&mut bundle.slip[k]);
    }
    friction
}

/// Places of the points between the two bodies. They stay on both, but where a surface rolls.
#[inline(always)]
fn points_of<L: Lanes<W>, const W: usize, const POINTS: usize>(
    bundle: &mut Bundle<W>,
    sources: &Sources,
    pair: &Pair<L>,
) -> Points<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let ([a, b], [da, db], [wa, wb]) = (&pair.bodies, pair.ways, pair.turns);
    let mut read = [[zero; 8]; 4];
    // Ways of one or two points are in the records of the last two.
    for k in 0..4 {
        if k < POINTS || k >= 2 {
            read[k] = L::gather(sources.manifolds, &record_of(&bundle.records, 1 + k as u32));
        }
    }
    let mut points = Points {
        place: [[zero; 3]; 4],
        here: [zero; 4],
        rubs: [zero; 4],
        count: zero,
        any: zero,
        center: [zero; 3],
        radius: zero,
        ways: [[zero; 3]; 4],
        known: one,
        way: [zero; 3],
        turn: [zero; 3],
    };
    let rolls = one - read[2][7].min(one);
    // A fourth point has no skin in its record.
    let last = read[3];
    let radius = last[7].if_positive(zero, last[3]);
    let (share, curvature) = (last[7].if_positive(zero, last[4]), last[7].if_positive(zero, last[5]));
    let has_skin = radius.any_positive();
    let is_rolling = bundle.turns && share.any_positive();
    // The turn of the normal by the way of the core, which is that of its first point.
    let mut turned = [zero; 3];
    points.known = (one + read[3][7]).min(one);
    for k in 0..POINTS {
        let p = read[k];
        (points.here[k], points.rubs[k]) = (p[7].max(zero).min(one), (p[7] - one).max(zero));
        let mut ra = to_world::<L, W>(&a.r, [p[0], p[1], p[2]]);
        let rb = to_world::<L, W>(&b.r, [p[3], p[4], p[5]]);
        let (mut pa, mut pb) = (plus(a.x, ra), plus(b.x, rb));
        let mut gap = dot(minus(pb, pa), pair.n);
        if has_skin {
            pb = minus(pb, times(pair.n, radius));
            gap = gap - radius;
            // The place on the first body has not come along with what rolls: it is where the second one is now.
            let met = minus(pb, times(pair.n, gap));
            pa = either::<L, W>(radius, met, pa);
            ra = either::<L, W>(radius, minus(met, a.x), ra);
        }
        if bundle.turns {
            let (ua, ub) = (plus(da, cross(wa, ra)), plus(db, cross(wb, rb)));
            points.ways[k] = times(plus(ua, ub), (one - rolls) * L::splat(0.5));
            if k < 2 {
                let q = read[2];
                points.ways[k] = plus(points.ways[k], times([q[3 * k], q[3 * k + 1], q[3 * k + 2]], rolls));
            }
            if is_rolling {
                let [first, along] = ways_of_core::<L, W>(pair, [ra, rb], (share, curvature));
                points.ways[k] = either::<L, W>(share, plus(first, times(along, share)), points.ways[k]);
                if k == 0 {
                    turned = times(along, curvature);
                }
            }
            points.way = plus(points.way, times(points.ways[k], points.rubs[k]));
        }
        gap.store(&mut bundle.gap[k]);
        points.place[k] = times(plus(pa, pb), L::splat(0.5));
        (p[6] * L::splat(sources.warm)).store(&mut bundle.lambda[NORMAL + k]);
        points.center = plus(points.center, times(points.place[k], points.rubs[k]));
        points.count = points.count + points.here[k];
    }
    points.any = points.count.if_positive(one, zero);
    let turn = cross(wa, pair.n);
    points.turn = plus(times(turn, one - rolls), times([last[0], last[1], last[2]], rolls));
    if is_rolling {
        points.turn = either::<L, W>(share, either::<L, W>(curvature, turned, turn), points.turn);
        points.known = share.if_positive(one, points.known);
    }
    spread_of::<L, W, POINTS>(bundle, &mut points);
    points
}

/// The first vector where a number is positive, else the second.
#[inline(always)]
fn either<L: Lanes<W>, const W: usize>(by: L, first: L3<L>, second: L3<L>) -> L3<L> {
    [by.if_positive(first[0], second[0]), by.if_positive(first[1], second[1]), by.if_positive(first[2], second[2])]
}

/// How far the points are from where friction acts.
#[inline(always)]
fn spread_of<L: Lanes<W>, const W: usize, const POINTS: usize>(bundle: &mut Bundle<W>, points: &mut Points<L>) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let mut spread = zero;
    for k in 0..POINTS {
        let d = minus(points.place[k], points.center);
        spread = spread + dot(d, d) * points.rubs[k];
    }
    points.radius = spread.sqrt();
    points.radius.store(&mut bundle.radius);
    let least = L::splat(1e-9);
    (points.radius - least).if_positive(one / points.radius.max(least), zero).store(&mut bundle.inverse_radius);
}

/// Way of the first surface, or of its centre where it is round, and that of the second core along it; see [`super::records::Rolling`].
#[inline(always)]
fn ways_of_core<L: Lanes<W>, const W: usize>(
    pair: &Pair<L>,
    [ra, rb]: [L3<L>; 2],
    (share, curvature): (L, L),
) -> [L3<L>; 2] {
    let ([da, db], [wa, wb], n) = (pair.ways, pair.turns, pair.n);
    let radius = curvature.if_positive(share / curvature.if_positive(curvature, L::splat(1.0)), L::splat(0.0));
    let first = plus(da, cross(wa, minus(ra, times(n, radius))));
    let way = minus(plus(db, cross(wb, rb)), first);
    [first, minus(way, times(n, dot(way, n)))]
}

/// What moves of a pair: both bodies, or the one.
#[inline(always)]
fn sides_of<L: Lanes<W>, const W: usize, const SIDES: usize>(
    bundle: &mut Bundle<W>,
    pair: &Pair<L>,
) -> [Side<L>; SIDES] {
    let [a, b] = &pair.bodies;
    let (ma, mb) = (a.inverse_root_mass, b.inverse_root_mass);
    let (ia, ib) = (negated::<L, W>(a.inverse_root_inertia), b.inverse_root_inertia);
    let mut sides = [Side { x: b.x, signed_root_inertia: ib, r: b.r }; SIDES];
    if SIDES > 1 {
        sides[0] = Side { x: a.x, signed_root_inertia: ia, r: a.r };
        (-ma).store(&mut bundle.signed_mass[0]);
        mb.store(&mut bundle.signed_mass[1]);
    } else {
        for e in 0..3 {
            sides[0].x[e] = mb.if_positive(b.x[e], a.x[e]);
            sides[0].signed_root_inertia[e] = mb.if_positive(ib[e], ia[e]);
            for column in 0..3 {
                sides[0].r[column][e] = mb.if_positive(b.r[column][e], a.r[column][e]);
            }
        }
        mb.if_positive(mb, -ma).store(&mut bundle.signed_mass[0]);
    }
    sides
}

/// Direction, place and way of a row that has a place.
#[inline(always)]
fn row_at<L: Lane>(k: usize, n: L3<L>, friction: &Friction<L>, points: &Points<L>) -> [L3<L>; 3] {
    if k < 2 {
        [friction.t[k], points.center, points.way]
    } else {
        [n, points.place[k - NORMAL], points.ways[k - NORMAL]]
    }
}

/// Angular parts of all rows.
#[inline(always)]
fn rows_of<L: Lanes<W>, const W: usize, const SIDES: usize, const POINTS: usize>(
    bundle: &mut Bundle<W>,
    (n, sides): (L3<L>, &[Side<L>; SIDES]),
    friction: &Friction<L>,
    points: &Points<L>,
) {
    for_rows!(POINTS, k, {
        for side in 0..SIDES {
            let y = if k == 2 {
                whiten::<L, W>(&sides[side], n)
            } else {
                let [d, p, _] = row_at(k, n, friction, points);
                whiten::<L, W>(&sides[side], cross(minus(p, sides[side].x), d))
            };
            for e in 0..3 {
                y[e].store(&mut bundle.angular[k][side][e]);
            }
        }
    });
}

/// Turn of a row in half a step up to which its rate acts in full \[rad\]; from twice as much on it does not act. A rate is the
/// first order of how a row turns, while impulses act along the row of the middle: at large turns it would add energy.
const LINEAR: f64 = 0.1;

/// How much of the rate of a row acts: none where its levers or its normal turn too far in half a step. What is round turns far and its levers
/// hardly do: of a wheel that rolls, upright or leaned, they turn with its axis.
#[inline(always)]
fn linear<L: Lanes<W>, const W: usize>(pair: &Pair<L>, levers: [L3<L>; 2], way: L3<L>, turn: L3<L>) -> L {
    let (one, zero) = (L::splat(1.0), L::splat(0.0));
    let (mut of_bodies, mut of_levers) = (zero, zero);
    for side in 0..2 {
        let (r, w, d) = (levers[side], pair.turns[side], pair.ways[side]);
        let (body, change) = (dot(w, w), minus(way, d));
        let lever = dot(change, change) / dot(r, r).max(L::splat(TINY));
        of_bodies = of_bodies + body;
        of_levers = of_levers + body.min(lever);
    }
    let turned = of_levers.max(dot(turn, turn).min(of_bodies));
    let far = turned * L::splat(1.0 / (LINEAR * LINEAR)) - one;
    (one - far * L::splat(1.0 / 3.0)).min(one).max(zero)
}

/// Rates of all rows as their bodies turn, and their velocities by what rows do not move.
#[inline(always)]
fn drive<L: Lanes<W>, const W: usize, const POINTS: usize>(
    bundle: &mut Bundle<W>,
    pair: &Pair<L>,
    friction: &Friction<L>,
    points: &Points<L>,
    per_half: f64,
) {
    let ([a, b], [da, db], [wa, wb], n) = (&pair.bodies, pair.ways, pair.turns, pair.n);
    let [ga, gb] = pair.is_fixed.map(|fixed| fixed * L::splat(per_half));
    for k in 0..ROWS {
        if !is_row::<POINTS>(k) || k == 2 {
            continue;
        }
        let [d, p, w] = row_at(k, n, friction, points);
        let (ra, rb) = (minus(p, a.x), minus(p, b.x));
        if bundle.turns {
            let mut change = dot(d, minus(cross(wb, minus(w, db)), cross(wa, minus(w, da))));
            if k >= NORMAL {
                change = change + dot(points.turn, minus(plus(db, cross(wb, rb)), plus(da, cross(wa, ra))));
            }
            let known = points.known * linear::<L, W>(pair, [ra, rb], w, points.turn);
            (change * known).store(&mut bundle.rate[if k < 2 { k } else { k - 1 }]);
        }
        if bundle.is_driven {
            let drift = dot(d, plus(db, cross(wb, rb))) * gb - dot(d, plus(da, cross(wa, ra))) * ga;
            if k >= NORMAL {
                drift.store(&mut bundle.drift[k - NORMAL]);
            }
            (drift + dot(friction.belt, d)).store(&mut bundle.prescribed[k]);
        }
    }
    if bundle.is_driven {
        (dot(n, wb) * gb - dot(n, wa) * ga).store(&mut bundle.prescribed[2]);
    }
}

/// `yᵢ yⱼ` of two rows.
#[inline(always)]
fn product<L: Lanes<W>, const W: usize, const SIDES: usize>(bundle: &Bundle<W>, i: usize, j: usize) -> L {
    let mut sum = dot(angular::<L, W>(bundle, i, 0), angular::<L, W>(bundle, j, 0));
    if SIDES > 1 {
        sum = sum + dot(angular::<L, W>(bundle, i, 1), angular::<L, W>(bundle, j, 1));
    }
    sum
}

#[inline(always)]
fn angular<L: Lanes<W>, const W: usize>(bundle: &Bundle<W>, k: usize, side: usize) -> L3<L> {
    let y = &bundle.angular[k][side];
    [L::load(&y[0]), L::load(&y[1]), L::load(&y[2])]
}

/// Diagonals of `Y Yᵀ` with their compliances.
#[inline(always)]
fn diagonals_of<L: Lanes<W>, const W: usize, const SIDES: usize, const POINTS: usize>(
    bundle: &mut Bundle<W>,
    pair: &Pair<L>,
    friction: &Friction<L>,
    points: &Points<L>,
    softness: f64,
) {
    let (zero, one, tiny) = (L::splat(0.0), L::splat(1.0), L::splat(TINY));
    let (mut sum, mut trace) = (zero, tiny);
    for_rows!(POINTS, k, {
        let linear = match k {
            1 => pair.mass * friction.stretch * friction.stretch,
            2 => zero,
            _ => pair.mass,
        };
        let y = angular::<L, W>(bundle, k, 0);
        let mut diagonal = linear + dot(y, y);
        if SIDES > 1 {
            let y = angular::<L, W>(bundle, k, 1);
            diagonal = diagonal + dot(y, y);
        }
        let there = if k < NORMAL { points.any } else { points.here[k - NORMAL] };
        let compliance = if k < NORMAL { friction.slip[k] } else { zero };
        (there / (diagonal + compliance + tiny)).store(&mut bundle.inverse[k]);
        if k < NORMAL {
            trace = trace + if k == 2 { diagonal * points.radius * points.radius } else { diagonal + compliance };
        } else {
            diagonal.store(&mut bundle.diagonal[k - NORMAL]);
            sum = sum + diagonal * points.here[k - NORMAL];
        }
    });
    (L::splat(1.5) / trace).store(&mut bundle.slip_step);
    // One softness for all normals of a manifold: a manifold shares its load evenly.
    let softness = sum / points.count.max(one) * L::splat(softness);
    softness.store(&mut bundle.softness);
    for k in 0..POINTS {
        (points.here[k] / (L::load(&bundle.diagonal[k]) + softness + tiny)).store(&mut bundle.soft_inverse[k]);
    }
}

/// Normals that give way.
#[inline(always)]
fn elastic_of<L: Lanes<W>, const W: usize>(bundle: &mut Bundle<W>, sources: &Sources, points: &Points<L>) {
    let elastic = L::gather(sources.special, &special_of(&bundle.special, 2));
    let pulls = L::gather(sources.special, &special_of(&bundle.special, 3));
    for k in 0..4 {
        elastic[k].store(&mut bundle.elastic[k]);
        elastic[4 + k].store(&mut bundle.elastic_rate[k]);
        pulls[k].store(&mut bundle.pull[k]);
        let diagonal = L::load(&bundle.diagonal[k]) + elastic[k].max(L::splat(0.0)) + L::splat(TINY);
        (points.here[k] / diagonal).store(&mut bundle.elastic_inverse[k]);
    }
}

/// What each row does to the others.
#[inline(always)]
fn couple<L: Lanes<W>, const W: usize, const SIDES: usize, const POINTS: usize>(
    bundle: &mut Bundle<W>,
    pair: &Pair<L>,
) {
    for_rows!(POINTS, i, {
        for_rows!(POINTS, j, {
            if j < i {
                let angular = product::<L, W, SIDES>(bundle, i, j);
                // Normals share their direction; the tangents are across it and each other.
                let both = if i >= NORMAL && j >= NORMAL { angular + pair.mass } else { angular };
                both.store(&mut bundle.coupling[i * (i - 1) / 2 + j]);
            }
        });
    });
}
