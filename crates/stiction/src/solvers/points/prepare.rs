//! Groups from the records of bodies, groups and points.

use super::super::soft::{L3, Lanes, Record, cross, dot, minus, times};
use super::bundle::{Arm, Bundles, FrictionKind, Group, Movers, Parts, Point, ROWS, Terms, Turn};

/// Records of a body: `x, 1/√m`, then `diag(1/√I) (R P)ᵀ` by columns.
pub(crate) const BODY_RECORDS: usize = 2;
/// Records of a group.
///
/// | record | contents |
/// |---|---|
/// | 0 | normal (3), μ₁, first tangent (3), μ₂ |
/// | 1 | second tangent (3), [`FrictionForm`], compliances of friction (2), friction that does not depend on the load (2) |
pub(crate) const GROUP_RECORDS: usize = 2;
/// Records of a point.
///
/// | record | contents |
/// |---|---|
/// | 0 | place (3), right side of the normal, its compliance, its largest velocity of correction, normal impulse, 1 if it is there |
/// | 1 | friction impulse in the world (3), right sides of friction (2), what restitution adds to that of the normal, velocity along it of what rows do not move |
///
/// Rows about the axes of a point, two tangents and the normal, are a record of their own: largest moments by normal force (3), right sides (3),
/// and the compliance of the last.
pub(crate) const POINT_RECORDS: usize = 2;

/// A cone or a pyramid, and whether the first tangent leans out of the tangent plane, as one number: positive for a cone, and neither 0
/// nor 1 for a tangent that leans.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrictionForm {
    pub(crate) is_cone: bool,
    pub(crate) leans: bool,
}

impl FrictionForm {
    pub(crate) const fn number(self) -> f64 {
        match (self.is_cone, self.leans) {
            (false, false) => 0.0,
            (true, false) => 1.0,
            (true, true) => 2.0,
            (false, true) => -1.0,
        }
    }
}

/// What bundles are made from.
pub(crate) struct PointSources<'a> {
    pub(crate) bodies: &'a [Record],
    pub(crate) groups: &'a [Record],
    pub(crate) points: &'a [Record],
    /// Rows about the axes of each point; empty where no group has any.
    pub(crate) turns: &'a [Record],
    /// The record of no point.
    pub(crate) nothing: u32,
    /// Over-relaxation ω.
    pub(crate) relaxation: f64,
    /// The velocity that correction leaves is bounded.
    pub(crate) is_capped: bool,
}

/// The least diagonal of a row.
const TINY: f64 = 1e-300;

/// A body's records in lanes.
#[derive(Clone, Copy)]
struct Body<L> {
    x: L3<L>,
    inverse_root_mass: L,
    /// Columns of `diag(1/√I) (R P)ᵀ`.
    angular: [L3<L>; 3],
}

#[inline(always)]
fn nth<const W: usize>(of: &[u32; W], each: usize, number: u32) -> [u32; W] {
    let mut at = *of;
    for lane in 0..W {
        at[lane] = each as u32 * of[lane] + number;
    }
    at
}

#[inline(always)]
fn body<L: Lanes<W>, const W: usize>(records: &[Record], at: &[u32; W]) -> Body<L> {
    let p = L::gather(records, &nth(at, BODY_RECORDS, 0));
    let q = L::gather(records, &nth(at, BODY_RECORDS, 1));
    Body {
        x: [p[0], p[1], p[2]],
        inverse_root_mass: p[3],
        angular: [[p[4], p[5], p[6]], [p[7], q[0], q[1]], [q[2], q[3], q[4]]],
    }
}

#[inline(always)]
fn whiten<L: Lanes<W>, const W: usize>(b: &Body<L>, v: L3<L>) -> L3<L> {
    let mut out = [v[0]; 3];
    for e in 0..3 {
        out[e] = b.angular[0][e] * v[0] + b.angular[1][e] * v[1] + b.angular[2][e] * v[2];
    }
    out
}

/// What the points of a group share.
struct Shared<L, const SIDES: usize> {
    bodies: [Body<L>; SIDES],
    /// `1/√m` of the bodies, of the second alone with a minus sign.
    inverse_root_mass: [L; SIDES],
    /// The arm of the first body is that of a second one.
    is_second: bool,
    /// Its points have terms.
    has_terms: bool,
    d: [L3<L>; ROWS],
    linear: [L; ROWS],
    lean: L,
    /// Squares of the lengths of the tangents.
    squares: [L; 2],
    friction: [L; 2],
    slip: [L; 2],
    dry: [L; 2],
    cone: L,
}

/// Fills the bundles, and adds the impulses of the last step to `z`, within their bounds.
#[inline(always)]
pub(super) fn prepare<L: Lanes<W>, const W: usize>(bundles: &mut Bundles<W>, sources: &PointSources, z: &mut [Record]) {
    let Parts { groups, points, arms, terms, turns, axes } = bundles.parts();
    for group in groups {
        let [range, arm_range] = group.ranges();
        let [turn_range, axis_range] = group.turn_ranges();
        let own = (&mut points[range.clone()], &mut arms[arm_range], &mut terms[range]);
        let about = (&mut turns[turn_range], &mut axes[axis_range]);
        if group.movers == Movers::Both {
            prepare_group::<L, W, 2>(group, sources, own, about, z);
        } else {
            prepare_group::<L, W, 1>(group, sources, own, about, z);
        }
    }
}

#[inline(always)]
fn prepare_group<L: Lanes<W>, const W: usize, const SIDES: usize>(
    group: &mut Group<W>,
    sources: &PointSources,
    (points, arms, terms): (&mut [Point<W>], &mut [Arm<W>], &mut [Terms<W>]),
    (turns, axes): (&mut [Turn<W>], &mut [Arm<W>]),
    z: &mut [Record],
) {
    let shared = shared_of::<L, W, SIDES>(group, sources);
    let mut v = [[L::splat(0.0); 8]; SIDES];
    for side in 0..SIDES {
        v[side] = L::gather(z, &group.bodies[side]);
    }
    let mut largest = L::splat(0.0);
    let arms = arms.as_chunks_mut::<SIDES>().0;
    for (k, ((point, terms), arms)) in points.iter_mut().zip(terms).zip(arms).enumerate() {
        let at = group.places_of(k as u32, sources.nothing);
        largest = largest.max(fill::<L, W, SIDES>((point, arms, terms), sources, &at, &shared));
        begin::<L, W, SIDES>((point, arms), &shared, &mut v);
    }
    if let Some(axes) = axes.first_chunk_mut::<SIDES>() {
        let diagonals = fill_axes::<L, W, SIDES>(axes, &shared);
        for (k, turn) in turns.iter_mut().enumerate() {
            let at = group.places_of(k as u32, sources.nothing);
            largest = largest.max(fill_turn::<L, W>(turn, sources, &at, &diagonals));
        }
    }
    largest.store(&mut group.largest);
    for side in 0..SIDES {
        L::scatter(&v[side], z, &group.bodies[side]);
    }
}

#[inline(always)]
fn shared_of<L: Lanes<W>, const W: usize, const SIDES: usize>(
    group: &mut Group<W>,
    sources: &PointSources,
) -> Shared<L, SIDES> {
    let p = L::gather(sources.groups, &nth(&group.numbers, GROUP_RECORDS, 0));
    let q = L::gather(sources.groups, &nth(&group.numbers, GROUP_RECORDS, 1));
    let is_second = group.movers == Movers::Second;
    let mut bodies = [body::<L, W>(sources.bodies, &group.bodies[0]); SIDES];
    if SIDES == 2 {
        bodies[1] = body::<L, W>(sources.bodies, &group.bodies[1]);
    }
    let sign = L::splat(if is_second { -1.0 } else { 1.0 });
    let mut inverse_root_mass = [sign; SIDES];
    let d = [[p[0], p[1], p[2]], [p[4], p[5], p[6]], [q[0], q[1], q[2]]];
    let mut mass = L::splat(0.0);
    for side in 0..SIDES {
        let m = bodies[side].inverse_root_mass;
        mass = if side == 0 { m * m } else { mass + m * m };
        inverse_root_mass[side] = if side == 0 { sign * m } else { m };
        inverse_root_mass[side].store(&mut group.inverse_root_mass[side]);
    }
    let squares = [dot(d[1], d[1]), dot(d[2], d[2])];
    let linear = [mass * dot(d[0], d[0]), mass * squares[0], mass * squares[1]];
    for k in 0..ROWS {
        for e in 0..3 {
            d[k][e].store(&mut group.directions[k][e]);
        }
        linear[k].store(&mut group.linear[k]);
    }
    let (form, zero) = (q[3], L::splat(0.0));
    let lean = (form * form - form).if_positive(mass * dot(d[0], d[1]), zero);
    lean.store(&mut group.lean);
    let (friction, dry) = ([p[3], p[7]], [q[6], q[7]]);
    for k in 0..2 {
        friction[k].store(&mut group.friction[k]);
        dry[k].store(&mut group.dry[k]);
    }
    form.store(&mut group.cone);
    Shared {
        bodies,
        inverse_root_mass,
        is_second,
        has_terms: matches!(group.friction_kind, FrictionKind::Special | FrictionKind::Rolling) || sources.is_capped,
        d,
        linear,
        lean,
        squares,
        friction,
        slip: [q[4], q[5]],
        dry,
        cone: form,
    }
}

/// Angular part of a row of one of the bodies, by its arm: `r × d` of the first, `d × r` of the second.
#[inline(always)]
fn angular<L: Lanes<W>, const W: usize, const SIDES: usize>(
    shared: &Shared<L, SIDES>,
    side: usize,
    r: L3<L>,
    k: usize,
) -> L3<L> {
    let d = shared.d[k];
    let arm = if side == 1 || (SIDES == 1 && shared.is_second) { cross(d, r) } else { cross(r, d) };
    whiten(&shared.bodies[side], arm)
}

/// Sum over the bodies of the products of the angular parts of two rows.
#[inline(always)]
fn product<L: Lanes<W>, const W: usize, const SIDES: usize>(y: &[[L3<L>; SIDES]; ROWS], k: usize, j: usize) -> L {
    let own = dot(y[k][0], y[j][0]);
    if SIDES == 2 { own + dot(y[k][1], y[j][1]) } else { own }
}

/// Rows of a point; returns their largest diagonal.
#[inline(always)]
fn fill<L: Lanes<W>, const W: usize, const SIDES: usize>(
    (point, arms, terms): (&mut Point<W>, &mut [Arm<W>; SIDES], &mut Terms<W>),
    sources: &PointSources,
    at: &[u32; W],
    shared: &Shared<L, SIDES>,
) -> L {
    let (zero, one, tiny, relaxation) = (L::splat(0.0), L::splat(1.0), L::splat(TINY), L::splat(sources.relaxation));
    let p = L::gather(sources.points, &nth(at, POINT_RECORDS, 0));
    let q = L::gather(sources.points, &nth(at, POINT_RECORDS, 1));
    let (place, there) = ([p[0], p[1], p[2]], p[7]);
    let mut y = [[[zero; 3]; SIDES]; ROWS];
    let mut diagonal = shared.linear;
    let compliance = [p[4], shared.slip[0], shared.slip[1]];
    for k in 0..ROWS {
        for side in 0..SIDES {
            let r = minus(place, shared.bodies[side].x);
            y[k][side] = times(angular::<L, W, SIDES>(shared, side, r, k), there);
            diagonal[k] = diagonal[k] + dot(y[k][side], y[k][side]);
            for e in 0..3 {
                y[k][side][e].store(&mut arms[side].angular[k][e]);
            }
        }
        diagonal[k] = diagonal[k] + compliance[k];
    }
    let between = product::<L, W, SIDES>(&y, 2, 1);
    // Both axes of a cone take one step, as long as the largest eigenvalue of their block allows: the trace bounds it.
    let round = relaxation.min(one) / (diagonal[1].max(diagonal[2]) + between.abs() + tiny) * there;
    let mut scale = [zero; ROWS];
    for k in 0..ROWS {
        let own = relaxation / (diagonal[k] + tiny) * there;
        scale[k] = if k > 0 { shared.cone.if_positive(round, own) } else { own };
        scale[k].store(&mut point.scale[k]);
    }
    let across = product::<L, W, SIDES>(&y, 1, 0);
    // A zero keeps its sign where nothing leans.
    let leaning = (shared.lean * shared.lean).if_positive(across + shared.lean, across);
    (scale[1] * leaning).store(&mut point.coupling[0]);
    (scale[2] * product::<L, W, SIDES>(&y, 2, 0)).store(&mut point.coupling[1]);
    shared.cone.if_positive(zero, scale[2] * between).store(&mut point.coupling[2]);
    (one - scale[0] * compliance[0]).store(&mut point.keep);
    (scale[0] * p[3]).store(&mut point.goal);
    p[6].store(&mut point.lambda[0]);
    for k in 0..2 {
        let friction = dot([q[0], q[1], q[2]], shared.d[1 + k]) / (shared.squares[k] + tiny);
        friction.store(&mut point.lambda[1 + k]);
    }
    if shared.has_terms {
        for k in 0..2 {
            (one - scale[1 + k] * compliance[1 + k]).store(&mut terms.keep[k]);
            (scale[1 + k] * q[3 + k]).store(&mut terms.goal[k]);
        }
        (relaxation / (diagonal[0] - compliance[0] + tiny) * there).store(&mut terms.rigid_scale);
        p[5].store(&mut terms.cap);
    }
    diagonal[0].max(diagonal[1]).max(diagonal[2]) * there
}

/// Angular parts of the rows about the axes of the points of a group, two tangents and the normal; returns their squares.
#[inline(always)]
fn fill_axes<L: Lanes<W>, const W: usize, const SIDES: usize>(
    axes: &mut [Arm<W>; SIDES],
    shared: &Shared<L, SIDES>,
) -> L3<L> {
    let zero = L::splat(0.0);
    let mut squares = [zero; ROWS];
    for k in 0..ROWS {
        let axis = shared.d[(k + 1) % ROWS];
        for side in 0..SIDES {
            let is_second = side == 1 || (SIDES == 1 && shared.is_second);
            let own = whiten(&shared.bodies[side], if is_second { [-axis[0], -axis[1], -axis[2]] } else { axis });
            squares[k] = squares[k] + dot(own, own);
            for e in 0..3 {
                own[e].store(&mut axes[side].angular[k][e]);
            }
        }
    }
    squares
}

/// Rows about the axes of a point, of which the squares of the angular parts are known; returns their largest diagonal. They begin
/// without impulses.
#[inline(always)]
fn fill_turn<L: Lanes<W>, const W: usize>(
    turn: &mut Turn<W>,
    sources: &PointSources,
    at: &[u32; W],
    squares: &L3<L>,
) -> L {
    let (zero, one, relaxation) = (L::splat(0.0), L::splat(1.0), L::splat(sources.relaxation));
    let record = L::gather(sources.turns, at);
    let mut largest = zero;
    for k in 0..ROWS {
        let compliance = if k == 2 { record[6] } else { zero };
        let diagonal = squares[k] + compliance;
        let scale = record[k].if_positive(relaxation / (diagonal + L::splat(TINY)), zero);
        scale.store(&mut turn.scale[k]);
        (one - scale * compliance).store(&mut turn.keep[k]);
        (scale * record[3 + k]).store(&mut turn.goal[k]);
        record[k].store(&mut turn.reach[k]);
        zero.store(&mut turn.lambda[k]);
        largest = largest.max(record[k].if_positive(diagonal, zero));
    }
    largest
}

/// Brings the impulses of the last step within their bounds, and adds them to the velocities.
#[inline(always)]
fn begin<L: Lanes<W>, const W: usize, const SIDES: usize>(
    (point, arms): (&mut Point<W>, &[Arm<W>; SIDES]),
    shared: &Shared<L, SIDES>,
    v: &mut [[L; 8]; SIDES],
) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let normal = L::load(&point.lambda[0]).max(zero);
    let mut l = [normal, L::load(&point.lambda[1]), L::load(&point.lambda[2])];
    let bounds = [shared.friction[0] * normal + shared.dry[0], shared.friction[1] * normal + shared.dry[1]];
    let length = (l[1] * l[1] + l[2] * l[2]).sqrt();
    let share = one.min(bounds[0] / length.max(L::splat(TINY)));
    for k in 1..ROWS {
        let bound = bounds[k - 1];
        l[k] = shared.cone.if_positive(l[k] * share, l[k].max(-bound).min(bound));
    }
    for e in 0..3 {
        let push = shared.d[0][e] * l[0] + shared.d[1][e] * l[1] + shared.d[2][e] * l[2];
        for side in 0..SIDES {
            let moved = shared.inverse_root_mass[side] * push;
            v[side][e] = if side == 0 { v[side][e] + moved } else { v[side][e] - moved };
            for k in 0..ROWS {
                v[side][3 + e] = v[side][3 + e] + L::load(&arms[side].angular[k][e]) * l[k];
            }
        }
    }
    for k in 0..ROWS {
        l[k].store(&mut point.lambda[k]);
    }
}
