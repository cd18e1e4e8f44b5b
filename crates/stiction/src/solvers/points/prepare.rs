//! Groups from the records of bodies, groups and points.

use super::super::soft::{L3, Lanes, Record, cross, dot, minus, times};
use super::bundle::{Bundles, Group, Point, ROWS, Terms};

/// Records of a body: `x, 1/√m`, then `diag(1/√I) (R P)ᵀ` by columns.
pub(crate) const BODY_RECORDS: usize = 2;
/// Records of a group.
///
/// | record | contents |
/// |---|---|
/// | 0 | normal (3), μ₁, first tangent (3), μ₂ |
/// | 1 | second tangent (3), 1 for a cone, compliances of friction (2), friction that does not depend on the load (2) |
pub(crate) const GROUP_RECORDS: usize = 2;
/// Records of a point.
///
/// | record | contents |
/// |---|---|
/// | 0 | place (3), right side of the normal, its compliance, its largest velocity of correction, normal impulse, 1 if it is there |
/// | 1 | friction impulse in the world (3), right sides of friction (2) |
pub(crate) const POINT_RECORDS: usize = 2;

/// What bundles are made from.
pub(crate) struct PointSources<'a> {
    pub(crate) bodies: &'a [Record],
    pub(crate) groups: &'a [Record],
    pub(crate) points: &'a [Record],
    /// The record of no point.
    pub(crate) nothing: u32,
    /// Over-relaxation ω.
    pub(crate) relaxation: f64,
}

/// The least diagonal of a row.
const TINY: f64 = 1e-300;

/// A body's records in lanes.
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
struct Shared<L> {
    bodies: [Body<L>; 2],
    d: [L3<L>; ROWS],
    linear: [L; ROWS],
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
    let (groups, points, terms) = bundles.parts();
    for group in groups {
        let shared = shared_of::<L, W>(group, sources);
        let mut va = L::gather(z, &group.bodies[0]);
        let mut vb = L::gather(z, &group.bodies[1]);
        let mut largest = L::splat(0.0);
        let range = group.first as usize..(group.first + group.count) as usize;
        for (k, (point, terms)) in points[range.clone()].iter_mut().zip(&mut terms[range]).enumerate() {
            let mut at = [sources.nothing; W];
            for lane in 0..W {
                if (k as u32) < group.counts[lane] {
                    at[lane] = group.points[lane] + k as u32;
                }
            }
            largest = largest.max(fill::<L, W>(point, terms, sources, &at, &shared));
            begin::<L, W>(point, &shared, &mut va, &mut vb);
        }
        largest.store(&mut group.largest);
        L::scatter(&va, z, &group.bodies[0]);
        L::scatter(&vb, z, &group.bodies[1]);
    }
}

#[inline(always)]
fn shared_of<L: Lanes<W>, const W: usize>(group: &mut Group<W>, sources: &PointSources) -> Shared<L> {
    let p = L::gather(sources.groups, &nth(&group.numbers, GROUP_RECORDS, 0));
    let q = L::gather(sources.groups, &nth(&group.numbers, GROUP_RECORDS, 1));
    let bodies = [body::<L, W>(sources.bodies, &group.bodies[0]), body::<L, W>(sources.bodies, &group.bodies[1])];
    let d = [[p[0], p[1], p[2]], [p[4], p[5], p[6]], [q[0], q[1], q[2]]];
    let [ma, mb] = [bodies[0].inverse_root_mass, bodies[1].inverse_root_mass];
    let mass = ma * ma + mb * mb;
    let squares = [dot(d[1], d[1]), dot(d[2], d[2])];
    let linear = [mass * dot(d[0], d[0]), mass * squares[0], mass * squares[1]];
    for k in 0..ROWS {
        for e in 0..3 {
            d[k][e].store(&mut group.directions[k][e]);
        }
        linear[k].store(&mut group.linear[k]);
    }
    ma.store(&mut group.inverse_root_mass[0]);
    mb.store(&mut group.inverse_root_mass[1]);
    let (friction, dry) = ([p[3], p[7]], [q[6], q[7]]);
    for k in 0..2 {
        friction[k].store(&mut group.friction[k]);
        dry[k].store(&mut group.dry[k]);
    }
    q[3].store(&mut group.cone);
    Shared { bodies, d, linear, squares, friction, slip: [q[4], q[5]], dry, cone: q[3] }
}

/// Rows of a point; returns their largest diagonal.
#[inline(always)]
fn fill<L: Lanes<W>, const W: usize>(
    point: &mut Point<W>,
    terms: &mut Terms<W>,
    sources: &PointSources,
    at: &[u32; W],
    shared: &Shared<L>,
) -> L {
    let (zero, one, tiny, relaxation) = (L::splat(0.0), L::splat(1.0), L::splat(TINY), L::splat(sources.relaxation));
    let p = L::gather(sources.points, &nth(at, POINT_RECORDS, 0));
    let q = L::gather(sources.points, &nth(at, POINT_RECORDS, 1));
    let [a, b] = &shared.bodies;
    let (place, there) = ([p[0], p[1], p[2]], p[7]);
    let (ra, rb) = (minus(place, a.x), minus(place, b.x));
    let mut y = [[[zero; 3]; 2]; ROWS];
    let mut diagonal = [zero; ROWS];
    let compliance = [p[4], shared.slip[0], shared.slip[1]];
    for k in 0..ROWS {
        let d = shared.d[k];
        y[k] = [times(whiten(a, cross(ra, d)), there), times(whiten(b, cross(d, rb)), there)];
        diagonal[k] = shared.linear[k] + dot(y[k][0], y[k][0]) + dot(y[k][1], y[k][1]) + compliance[k];
        for e in 0..3 {
            y[k][0][e].store(&mut point.angular[k][0][e]);
            y[k][1][e].store(&mut point.angular[k][1][e]);
        }
    }
    let between = dot(y[2][0], y[1][0]) + dot(y[2][1], y[1][1]);
    // Both axes of a cone take one step, as long as the largest eigenvalue of their block allows: the trace bounds it.
    let round = relaxation.min(one) / (diagonal[1].max(diagonal[2]) + between.abs() + tiny) * there;
    let mut scale = [zero; ROWS];
    for k in 0..ROWS {
        let own = relaxation / (diagonal[k] + tiny) * there;
        scale[k] = if k > 0 { shared.cone.if_positive(round, own) } else { own };
        scale[k].store(&mut point.scale[k]);
    }
    for k in 1..ROWS {
        let product = dot(y[k][0], y[0][0]) + dot(y[k][1], y[0][1]);
        (scale[k] * product).store(&mut point.coupling[k - 1]);
    }
    shared.cone.if_positive(zero, scale[2] * between).store(&mut point.coupling[2]);
    (one - scale[0] * compliance[0]).store(&mut point.keep);
    (scale[0] * p[3]).store(&mut point.goal);
    p[6].store(&mut point.lambda[0]);
    for k in 0..2 {
        let friction = dot([q[0], q[1], q[2]], shared.d[1 + k]) / (shared.squares[k] + tiny);
        friction.store(&mut point.lambda[1 + k]);
        (one - scale[1 + k] * compliance[1 + k]).store(&mut terms.keep[k]);
        (scale[1 + k] * q[3 + k]).store(&mut terms.goal[k]);
    }
    (relaxation / (diagonal[0] - compliance[0] + tiny) * there).store(&mut terms.rigid_scale);
    p[5].store(&mut terms.cap);
    diagonal[0].max(diagonal[1]).max(diagonal[2]) * there
}

/// Brings the impulses of the last step within their bounds, and adds them to the velocities.
#[inline(always)]
fn begin<L: Lanes<W>, const W: usize>(point: &mut Point<W>, shared: &Shared<L>, va: &mut [L; 8], vb: &mut [L; 8]) {
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
    let [a, b] = &shared.bodies;
    for e in 0..3 {
        let push = shared.d[0][e] * l[0] + shared.d[1][e] * l[1] + shared.d[2][e] * l[2];
        va[e] = va[e] + a.inverse_root_mass * push;
        vb[e] = vb[e] - b.inverse_root_mass * push;
        for k in 0..ROWS {
            va[3 + e] = va[3 + e] + L::load(&point.angular[k][0][e]) * l[k];
            vb[3 + e] = vb[3 + e] + L::load(&point.angular[k][1][e]) * l[k];
        }
    }
    for k in 0..ROWS {
        l[k].store(&mut point.lambda[k]);
    }
}
