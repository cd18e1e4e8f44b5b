//! The passes over bundles: one with bias, which moves positions, and one without, which leaves no bias in the velocities.

use super::bundle::{Bundle, NORMAL, ROWS, is_row, load_rows};
use super::lane::{L3, Lanes, Record, dot, plus, times};
use super::own_places::OwnPlaces;

/// What a pass is made with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassRule {
    /// Rate at which rigid normals remove their overlap \[1/s\]: that of an implicit spring of an angular frequency ω and a damping
    /// ratio ζ in a sub-step h, `ω / (2 ζ + h ω)` (Catto, "Solver2D", 2024).
    pub(crate) bias_rate: f64,
    /// Inverse of the sub-step \[1/s\].
    pub(crate) inverse_step: f64,
    /// Time from the pose of the rows to the impulses of the sub-step \[s\].
    pub(crate) elapsed: f64,
    /// Time from there to the middle of the way that the velocities of the sub-step make, in half steps, by half a step \[1/s\]: rates of
    /// rows are ways in half a step.
    pub(crate) turned: f64,
    /// Half the square of that time, in half steps: what rates of rows add to gaps,
    /// so that these change by the velocities of the rows, `g = g₀ + y·x + τ²/2 y′·z`.
    pub(crate) bend: f64,
    /// It is the first of the step.
    pub(crate) is_first: bool,
    /// The impulses are those of the sub-step: they are added to its sums.
    pub(crate) is_last: bool,
    /// Only some manifolds have a part in it.
    pub(crate) is_partial: bool,
}

/// Bodies in a pass.
pub(crate) struct PassBodies<'a> {
    /// Whitened velocities.
    pub(crate) z: OwnPlaces<'a>,
    /// Displacements from the pose of the rows.
    pub(crate) moved: &'a [Record],
    /// Velocities without the impulses that the next sub-step starts from.
    pub(crate) held: OwnPlaces<'a>,
    /// Velocities that forces give in a sub-step.
    pub(crate) pulls: &'a [Record],
}

/// Rate and compliance, by the diagonal of a row, of an implicit spring with an angular frequency \[1/s\] and a damping ratio in a
/// sub-step \[s\].
pub(crate) fn soft(frequency: f64, damping_ratio: f64, step: f64) -> (f64, f64) {
    let sum = 2.0 * damping_ratio + step * frequency;
    (frequency / sum, 1.0 / (step * frequency * sum))
}

/// Records of the bodies of a bundle that move: of both, or of the one.
#[inline(always)]
pub(super) fn gather<L: Lanes<W>, const W: usize, const SIDES: usize>(
    bundle: &Bundle<W>,
    records: &[Record],
) -> [[L; 8]; SIDES] {
    let mut v = [[L::splat(0.0); 8]; SIDES];
    for side in 0..SIDES {
        v[side] = L::gather(records, &bundle.moving[side]);
    }
    v
}

/// The same of those that the bundle's thread writes.
#[inline(always)]
pub(super) fn take<L: Lanes<W>, const W: usize, const SIDES: usize>(
    bundle: &Bundle<W>,
    records: &OwnPlaces,
) -> [[L; 8]; SIDES] {
    let mut v = [[L::splat(0.0); 8]; SIDES];
    for side in 0..SIDES {
        v[side] = records.gather::<L, W>(&bundle.moving[side]);
    }
    v
}

/// Writes them back.
#[inline(always)]
pub(super) fn give_back<L: Lanes<W>, const W: usize, const SIDES: usize>(
    bundle: &Bundle<W>,
    v: &[[L; 8]; SIDES],
    records: &mut OwnPlaces,
) {
    for side in 0..SIDES {
        records.scatter::<L, W>(&v[side], &bundle.moving[side]);
    }
}

/// `z += Y δ`.
#[inline(always)]
pub(super) fn apply<L: Lanes<W>, const W: usize, const SIDES: usize, const POINTS: usize>(
    bundle: &Bundle<W>,
    d: &[L; ROWS],
    v: &mut [[L; 8]; SIDES],
) {
    let normal = sum_of_normals::<L, W, POINTS>(d);
    for e in 0..3 {
        let p = L::load(&bundle.directions[0][e]) * d[0]
            + L::load(&bundle.directions[1][e]) * d[1]
            + L::load(&bundle.directions[2][e]) * normal;
        for side in 0..SIDES {
            let of = &mut v[side];
            of[e] = of[e] + L::load(&bundle.signed_mass[side]) * p;
            for k in 0..ROWS {
                if !is_row::<POINTS>(k) {
                    continue;
                }
                of[3 + e] = of[3 + e] + L::load(&bundle.angular[k][side][e]) * d[k];
            }
        }
    }
}

/// Those of points that are not there are zero.
#[inline(always)]
pub(super) fn sum_of_normals<L: Lanes<W>, const W: usize, const POINTS: usize>(rows: &[L; ROWS]) -> L {
    match POINTS {
        1 => rows[3],
        2 => rows[3] + rows[4],
        _ => (rows[3] + rows[4]) + (rows[5] + rows[6]),
    }
}

/// `Yᵀ z` of the rows from `FIRST` on.
#[inline(always)]
fn velocities<L: Lanes<W>, const W: usize, const SIDES: usize, const FIRST: usize, const POINTS: usize>(
    bundle: &Bundle<W>,
    v: &[[L; 8]; SIDES],
) -> [L; ROWS] {
    let mut relative: L3<L> = times([v[0][0], v[0][1], v[0][2]], L::load(&bundle.signed_mass[0]));
    if SIDES > 1 {
        let other = &v[SIDES - 1];
        relative = plus(relative, times([other[0], other[1], other[2]], L::load(&bundle.signed_mass[1])));
    }
    let mut u = [L::splat(0.0); ROWS];
    let n = along::<L, W>(bundle, 2, relative);
    for k in FIRST..ROWS {
        if !is_row::<POINTS>(k) {
            continue;
        }
        let mut turn = turning::<L, W>(&bundle.angular[k][0], &v[0]);
        if SIDES > 1 {
            turn = turn + turning::<L, W>(&bundle.angular[k][1], &v[SIDES - 1]);
        }
        u[k] = if k < 2 {
            along::<L, W>(bundle, k, relative) + turn
        } else if k == 2 {
            turn
        } else {
            n + turn
        };
    }
    u
}

#[inline(always)]
fn turning<L: Lanes<W>, const W: usize>(y: &[[f64; W]; 3], v: &[L; 8]) -> L {
    L::load(&y[0]) * v[3] + L::load(&y[1]) * v[4] + L::load(&y[2]) * v[5]
}

#[inline(always)]
fn along<L: Lanes<W>, const W: usize>(bundle: &Bundle<W>, k: usize, v: L3<L>) -> L {
    let d = &bundle.directions[k];
    L::load(&d[0]) * v[0] + L::load(&d[1]) * v[1] + L::load(&d[2]) * v[2]
}

#[inline(always)]
fn coupling<L: Lanes<W>, const W: usize>(bundle: &Bundle<W>, i: usize, j: usize) -> L {
    L::load(&bundle.coupling[i * (i - 1) / 2 + j])
}

/// One pass. `SOFT` is with the bias of the gaps, softened.
#[inline(always)]
pub(super) fn pass<L: Lanes<W>, const W: usize, const SOFT: bool>(
    bundles: &mut [Bundle<W>],
    bodies: &mut PassBodies,
    rule: &PassRule,
) {
    for bundle in bundles {
        match (bundle.has_one_side, bundle.points) {
            (true, 1) => pass_one::<L, W, SOFT, 1, 1>(bundle, bodies, rule),
            (true, 2) => pass_one::<L, W, SOFT, 1, 2>(bundle, bodies, rule),
            (true, _) => pass_one::<L, W, SOFT, 1, 4>(bundle, bodies, rule),
            (false, 1) => pass_one::<L, W, SOFT, 2, 1>(bundle, bodies, rule),
            (false, 2) => pass_one::<L, W, SOFT, 2, 2>(bundle, bodies, rule),
            (false, _) => pass_one::<L, W, SOFT, 2, 4>(bundle, bodies, rule),
        }
    }
}

/// That of a bundle of manifolds with so many points at most, more would give the same bits, and with one or two bodies that move.
#[inline(always)]
fn pass_one<L: Lanes<W>, const W: usize, const SOFT: bool, const SIDES: usize, const POINTS: usize>(
    bundle: &mut Bundle<W>,
    bodies: &mut PassBodies,
    rule: &PassRule,
) {
    let PassBodies { z, moved, held, pulls } = bodies;
    let mut v = take::<L, W, SIDES>(bundle, z);
    let u = velocities::<L, W, SIDES, 0, POINTS>(bundle, &v);
    let mut gaps = [L::splat(0.0); 4];
    if SOFT {
        let ways = gather::<L, W, SIDES>(bundle, moved);
        gaps = gaps_now::<L, W, POINTS>(bundle, &velocities::<L, W, SIDES, NORMAL, POINTS>(bundle, &ways), rule);
    }
    let change = solve::<L, W, SOFT, POINTS>(bundle, u, &gaps, rule);
    if rule.is_last {
        let l = load_rows::<L, W, POINTS>(&bundle.lambda);
        for k in 0..ROWS {
            if !is_row::<POINTS>(k) {
                continue;
            }
            (L::load(&bundle.total[k]) + l[k]).store(&mut bundle.total[k]);
        }
        leave_blow::<L, W, SIDES, POINTS>(bundle, &l, (held, pulls));
    }
    apply::<L, W, SIDES, POINTS>(bundle, &change, &mut v);
    give_back::<L, W, SIDES>(bundle, &v, z);
}

/// Solves the manifolds of a bundle for the velocities of their rows and their gaps; returns the changes of the impulses.
#[inline(always)]
pub(super) fn solve<L: Lanes<W>, const W: usize, const SOFT: bool, const POINTS: usize>(
    bundle: &mut Bundle<W>,
    mut u: [L; ROWS],
    gaps: &[L; 4],
    rule: &PassRule,
) -> [L; ROWS] {
    let old = load_rows::<L, W, POINTS>(&bundle.lambda);
    let mut l = old;
    add_given::<L, W, POINTS>(bundle, &mut u, rule);
    rub::<L, W, POINTS>(bundle, &u, &mut l);
    let d = [l[0] - old[0], l[1] - old[1], l[2] - old[2]];
    for i in NORMAL..NORMAL + POINTS {
        let mut change = coupling::<L, W>(bundle, i, 0) * d[0] + coupling::<L, W>(bundle, i, 1) * d[1];
        if POINTS > 1 {
            change = change + coupling::<L, W>(bundle, i, 2) * d[2];
        }
        u[i] = u[i] + change;
    }
    if SOFT && rule.is_first {
        for k in 0..POINTS {
            gaps[k].store(&mut bundle.first_gap[k]);
        }
    }
    if POINTS == 4 && bundle.is_special {
        press::<L, W, SOFT, true, POINTS>(bundle, gaps, (&mut u, &mut l), rule);
    } else {
        press::<L, W, SOFT, false, POINTS>(bundle, gaps, (&mut u, &mut l), rule);
    }
    if rule.is_partial {
        let is_open = L::load(&bundle.is_open);
        for k in 0..ROWS {
            l[k] = is_open.if_positive(l[k], old[k]);
        }
    }
    let mut change = [L::splat(0.0); ROWS];
    for k in 0..ROWS {
        if !is_row::<POINTS>(k) {
            continue;
        }
        change[k] = l[k] - old[k];
        l[k].store(&mut bundle.lambda[k]);
    }
    change
}

/// What rows have of their velocities by the turning of their bodies, and by what they do not move.
#[inline(always)]
pub(super) fn add_given<L: Lanes<W>, const W: usize, const POINTS: usize>(
    bundle: &Bundle<W>,
    u: &mut [L; ROWS],
    rule: &PassRule,
) {
    if bundle.turns {
        let turned = L::splat(rule.turned);
        for k in 0..2 + POINTS {
            let row = if k < 2 { k } else { k + 1 };
            u[row] = u[row] + turned * L::load(&bundle.rate[k]);
        }
    }
    if bundle.is_driven {
        for k in 0..ROWS {
            if !is_row::<POINTS>(k) {
                continue;
            }
            u[k] = u[k] + L::load(&bundle.prescribed[k]);
        }
    }
}

/// Gaps as they are after the sub-steps so far, by the ways of the rows. The pass without bias takes what the pass with it has seen: nothing
/// moves before the next one looks again.
#[inline(always)]
pub(super) fn gaps_now<L: Lanes<W>, const W: usize, const POINTS: usize>(
    bundle: &Bundle<W>,
    way: &[L; ROWS],
    rule: &PassRule,
) -> [L; 4] {
    let mut gaps = [L::splat(0.0); 4];
    for k in 0..POINTS {
        gaps[k] = L::load(&bundle.gap[k]) + way[NORMAL + k];
    }
    if bundle.turns {
        for k in 0..POINTS {
            gaps[k] = gaps[k] + L::splat(rule.bend) * L::load(&bundle.rate[NORMAL - 1 + k]);
        }
    }
    if bundle.is_driven {
        for k in 0..POINTS {
            gaps[k] = gaps[k] + L::load(&bundle.drift[k]) * L::splat(rule.elapsed);
        }
    }
    gaps
}

/// Times the impulse of the sub-step before, or what forces give, from which on one is a blow, and share of it that is started from at least, by which it
/// still bears.
pub(crate) const BLOW: f64 = 3.0;
pub(crate) const LEAST_SHARE: f64 = 1e-3;

/// Impulse that forces give the bodies of a bundle in a sub-step: what it takes to hold them is no blow.
#[inline(always)]
fn impulse_of_forces<L: Lanes<W>, const W: usize, const SIDES: usize>(bundle: &Bundle<W>, pulls: &[Record]) -> L {
    let (one, zero) = (L::splat(1.0), L::splat(0.0));
    let pulls = gather::<L, W, SIDES>(bundle, pulls);
    let mut given = zero;
    for side in 0..SIDES {
        let (pull, signed) = (pulls[side], L::load(&bundle.signed_mass[side]));
        let inverse = signed.max(-signed);
        let size = dot([pull[0], pull[1], pull[2]], [pull[0], pull[1], pull[2]]).sqrt();
        given = given + inverse.if_positive(size / inverse.if_positive(inverse, one), zero);
    }
    given
}

/// Leaves of the impulses of a sub-step what the next one starts from. What holds a load comes again in every sub-step, a blow does not:
/// started from again it throws what it has stopped, and a pass does not take that back where rows see each other.
#[inline(always)]
fn leave_blow<L: Lanes<W>, const W: usize, const SIDES: usize, const POINTS: usize>(
    bundle: &mut Bundle<W>,
    l: &[L; ROWS],
    (held, pulls): (&mut OwnPlaces, &[Record]),
) {
    let (one, zero) = (L::splat(1.0), L::splat(0.0));
    let sum = sum_of_normals::<L, W, POINTS>(l);
    let before = L::load(&bundle.before);
    sum.store(&mut bundle.before);
    one.store(&mut bundle.carried);
    let leaves = L::load(&bundle.leaves_blows);
    if !((sum - before * L::splat(BLOW)) * leaves).any_positive() {
        return;
    }
    let most = before.max(impulse_of_forces::<L, W, SIDES>(bundle, pulls)) * L::splat(BLOW);
    let over = (sum - most) * leaves;
    if !over.any_positive() {
        return;
    }
    let share = over.if_positive((most / over.if_positive(sum, one)).max(L::splat(LEAST_SHARE)), one);
    share.store(&mut bundle.carried);
    let mut left = [zero; ROWS];
    for k in 0..ROWS {
        if !is_row::<POINTS>(k) {
            continue;
        }
        let next = l[k] * share;
        left[k] = l[k] - next;
        next.store(&mut bundle.lambda[k]);
    }
    let mut v = take::<L, W, SIDES>(bundle, held);
    apply::<L, W, SIDES, POINTS>(bundle, &left, &mut v);
    give_back::<L, W, SIDES>(bundle, &v, held);
}

/// Friction within what the present normals allow. Force and twist have one bound, `x₀² + x₁² + (x₂/r)² ≤ (μ N)²`: a patch that
/// turns has less friction along, and the other way round.
#[inline(always)]
fn rub<L: Lanes<W>, const W: usize, const POINTS: usize>(bundle: &Bundle<W>, u: &[L; ROWS], l: &mut [L; ROWS]) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let mut load = sum_of_normals::<L, W, POINTS>(l);
    let mut u = [u[0], u[1], u[2]];
    let friction = L::load(&bundle.friction);
    let mut bound = friction * load;
    let special = POINTS == 4 && bundle.is_special;
    if special {
        // Where a contact pulls it does not rub.
        load = load.max(zero);
        bound = friction * load + L::load(&bundle.dry);
        for k in 0..3 {
            u[k] = u[k] + L::load(&bundle.slip[k]) * l[k];
        }
    }
    let (d0, d1, d2) = (L::load(&bundle.inverse[0]), L::load(&bundle.inverse[1]), L::load(&bundle.inverse[2]));
    let x0 = l[0] - d0 * u[0];
    let x1 = l[1] - d1 * (u[1] + coupling::<L, W>(bundle, 1, 0) * (x0 - l[0]));
    if POINTS == 1 {
        let over = x0 * x0 + x1 * x1 - bound * bound;
        if over.any_positive() {
            let step = L::load(&bundle.slip_step);
            let s = [l[0] - step * u[0], l[1] - step * u[1]];
            let share = one.min(bound / (s[0] * s[0] + s[1] * s[1]).sqrt().max(L::splat(1e-300)));
            l[0] = over.if_positive(s[0] * share, x0);
            l[1] = over.if_positive(s[1] * share, x1);
        } else {
            (l[0], l[1]) = (x0, x1);
        }
        return;
    }
    let inverse_radius = L::load(&bundle.inverse_radius);
    let free_twist = l[2]
        - d2 * (u[2] + coupling::<L, W>(bundle, 2, 0) * (x0 - l[0]) + coupling::<L, W>(bundle, 2, 1) * (x1 - l[1]));
    let x2 = inverse_radius.if_positive(free_twist, zero);
    let q = x2 * inverse_radius;
    let over = x0 * x0 + x1 * x1 + q * q - bound * bound;
    let mut x = [x0, x1, x2];
    if over.any_positive() {
        // Where it slips one step for all three, so that it acts against the slip whatever the bodies' inertia.
        let (step, radius) = (L::load(&bundle.slip_step), L::load(&bundle.radius));
        let s = [l[0] - step * u[0], l[1] - step * u[1], l[2] * inverse_radius - step * radius * u[2]];
        let s2 = inverse_radius.if_positive(s[2], zero);
        let share = one.min(bound / dot([s[0], s[1], s2], [s[0], s[1], s2]).sqrt().max(L::splat(1e-300)));
        x[0] = over.if_positive(s[0] * share, x0);
        x[1] = over.if_positive(s[1] * share, x1);
        x[2] = over.if_positive(s2 * share * radius, x2);
    }
    if special {
        let (pyramid, arm) = (L::load(&bundle.pyramid), L::load(&bundle.arm));
        for k in 0..2 {
            let own = if k == 0 { x0 } else { x1 };
            x[k] = pyramid.if_positive(own.max(-bound).min(bound), x[k]);
        }
        let most = arm * load + L::load(&bundle.radius) * bound;
        x[2] = arm.if_positive(free_twist.max(-most).min(most), x[2]);
    }
    l[0] = x[0];
    l[1] = x[1];
    l[2] = x[2];
}

/// The normals, one after the other.
#[inline(always)]
fn press<L: Lanes<W>, const W: usize, const SOFT: bool, const SPECIAL: bool, const POINTS: usize>(
    bundle: &mut Bundle<W>,
    gaps: &[L; 4],
    (u, l): (&mut [L; ROWS], &mut [L; ROWS]),
    rule: &PassRule,
) {
    // One by one: in a loop the compiler keeps the rows in memory.
    press_one::<L, W, SOFT, SPECIAL, POINTS>(bundle, 0, gaps, (u, l), rule);
    if POINTS > 1 {
        press_one::<L, W, SOFT, SPECIAL, POINTS>(bundle, 1, gaps, (u, l), rule);
    }
    if POINTS > 2 {
        press_one::<L, W, SOFT, SPECIAL, POINTS>(bundle, 2, gaps, (u, l), rule);
        press_one::<L, W, SOFT, SPECIAL, POINTS>(bundle, 3, gaps, (u, l), rule);
    }
}

/// The law of the normal of a point in a pass: `λ + Δλ = max(λ − inverse (u + target + compliance λ), 0)`.
#[derive(Clone, Copy)]
pub(super) struct NormalLaw<L> {
    pub(super) inverse: L,
    pub(super) target: L,
    pub(super) compliance: L,
}

/// That of a point with its gap. The pass with bias notes what the one without keeps.
#[inline(always)]
pub(super) fn law_of_normal<L: Lanes<W>, const W: usize, const SOFT: bool, const SPECIAL: bool>(
    bundle: &mut Bundle<W>,
    k: usize,
    gap: L,
    rule: &PassRule,
) -> NormalLaw<L> {
    let zero = L::splat(0.0);
    let (inverse_step, rate) = (L::splat(rule.inverse_step), L::splat(rule.bias_rate));
    let hard = L::load(&bundle.inverse[NORMAL + k]);
    let (mut inverse, mut compliance) = (hard, zero);
    let target;
    if SOFT {
        let open = gap * inverse_step;
        // What is left alone holds as it is: it does not give way.
        let beyond = gap + L::load(&bundle.layer);
        let mut is_hard = beyond;
        let (bias, push) = (beyond.min(zero) * rate, L::load(&bundle.push));
        let mut closed = bias.max(-push);
        let mut soft = L::load(&bundle.soft_inverse[k]);
        let mut softness = L::load(&bundle.softness);
        let is_bounded = -push - bias;
        if is_bounded.any_positive() {
            // Where the push is bounded the row gives way by as much less: a load rests as deep as without a bound.
            let (one, tiny) = (L::splat(1.0), L::splat(1e-30));
            softness = is_bounded.if_positive(softness * (push / (-bias).max(tiny)), softness);
            let bounded = one / (L::load(&bundle.diagonal[k]) + softness + tiny);
            soft = is_bounded.if_positive(hard.if_positive(bounded, zero), soft);
        }
        let (mut kept, mut ahead) = (zero, open);
        if SPECIAL {
            let elastic = L::load(&bundle.elastic[k]);
            let is_elastic = elastic + L::splat(f64::MIN_POSITIVE);
            let rate = L::load(&bundle.elastic_rate[k]);
            let force = beyond * rate;
            let force = L::load(&bundle.pull[k]).if_positive(force, force.min(zero));
            kept = is_elastic.if_positive(force, zero);
            closed = is_elastic.if_positive(force, closed);
            // A spring does not act before contact: across a gap it has the force of the overlap at the end of the sub-step.
            ahead = is_elastic.if_positive(gap * rate, open);
            is_hard = is_elastic.if_positive(L::splat(-1.0), beyond);
            soft = is_elastic.if_positive(L::load(&bundle.elastic_inverse[k]), soft);
            softness = is_elastic.if_positive(elastic, softness);
            is_elastic.store(&mut bundle.acts[k]);
        }
        gap.if_positive(ahead, kept).store(&mut bundle.kept[k]);
        target = gap.if_positive(ahead, closed);
        inverse = is_hard.if_positive(hard, soft);
        compliance = is_hard.if_positive(zero, softness);
    } else {
        target = L::load(&bundle.kept[k]);
        if SPECIAL {
            let acts = L::load(&bundle.acts[k]);
            inverse = acts.if_positive(L::load(&bundle.elastic_inverse[k]), hard);
            compliance = acts.if_positive(L::load(&bundle.elastic[k]), zero);
        }
    }
    NormalLaw { inverse, target, compliance }
}

/// The normal of one point.
#[inline(always)]
fn press_one<L: Lanes<W>, const W: usize, const SOFT: bool, const SPECIAL: bool, const POINTS: usize>(
    bundle: &mut Bundle<W>,
    k: usize,
    gaps: &[L; 4],
    (u, l): (&mut [L; ROWS], &mut [L; ROWS]),
    rule: &PassRule,
) {
    let i = NORMAL + k;
    let NormalLaw { inverse, target, compliance } = law_of_normal::<L, W, SOFT, SPECIAL>(bundle, k, gaps[k], rule);
    let mut x = l[i] - inverse * (u[i] + target + compliance * l[i]);
    x = if SPECIAL { x.max(-L::load(&bundle.pull[k])) } else { x.max(L::splat(0.0)) };
    let d = x - l[i];
    l[i] = x;
    for j in i + 1..NORMAL + POINTS {
        u[j] = u[j] + coupling::<L, W>(bundle, j, i) * d;
    }
}
