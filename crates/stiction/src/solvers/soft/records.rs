//! What bundles are made from: records of bodies and of manifolds.

use super::lane::{L3, Lanes, Record, plus, times};

/// Records of a body: `x, 1/√m, 1/√I (3), R₀₀`, then the other eight numbers of R, by columns.
pub(crate) const BODY_RECORDS: usize = 2;
/// Records of a manifold: a head, four points, and what it gave in the last step, which is for others to read.
///
/// | record | contents |
/// |---|---|
/// | 0 | normal in the frame of the first body (3), μ, friction impulse in the world (3), twist |
/// | 1–4 | place on the first body (3), on the second (3), in their frames; normal impulse; 1 if it is there, and its share in friction |
/// | 5 | impulses of a whole step: normals (4), friction in the world (3), twist |
///
/// One or two points may roll: their ways in half a step are in record 3, that of the normal in record 4. Where they are not known
/// its last number is −1. Up to three points of a rounded shape have [`Skin`] in record 4.
pub(crate) const MANIFOLD_RECORDS: usize = 6;
/// Marks the ways of the points of a manifold as unknown: their rows have no rate.
pub(crate) fn forget_ways(records: &mut [Record]) {
    records[LAST].0[7] = -1.0;
}

/// Up to three points of a second body that is rounded: a ball, a capsule, or a cylinder on its side. Its places are in its core, the
/// centre or the axis, and the surface is ahead of them by a radius against the normal: what rolls touches at another place in every
/// step, with the same core.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Skin {
    /// Radius r \[m\].
    pub(crate) radius: f64,
    pub(crate) rolling: Rolling,
}

/// How points roll: as the core moves by d along the first surface the point moves by s d, and the normal turns by (1 − s) d/r. On a face
/// s = 1, on a ball of radius q it is q/(q + r).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rolling {
    /// s; 0 where it is not known.
    pub(crate) share: f64,
    /// (1 − s)/r \[1/m\].
    pub(crate) curvature: f64,
}

/// Record of the fourth point, and its number of the radius.
const LAST: usize = 4;
const RADIUS: usize = 3;

impl Skin {
    /// Writes it to the records of a manifold; what is not rounded has none.
    pub(crate) fn write(&self, records: &mut [Record]) {
        if self.radius > 0.0 {
            let Rolling { share, curvature } = self.rolling;
            records[LAST].0[RADIUS..RADIUS + 3].copy_from_slice(&[self.radius, share, curvature]);
        }
    }

    /// That of a manifold.
    pub(crate) fn read(records: &[Record]) -> Self {
        let [_, _, _, radius, share, curvature, _, is_there] = records[LAST].0;
        if is_there > 0.0 { Self::default() } else { Self { radius, rolling: Rolling { share, curvature } } }
    }
}

/// Number of the coefficient of friction in the head.
pub(crate) const COEFFICIENT: usize = 3;
/// Number of the normal impulse in the record of a point.
pub(crate) const NORMAL_PLACE: usize = 6;
/// Record of the impulses of a whole step.
pub(crate) const GIVEN: usize = 5;
/// Records that only special manifolds need.
///
/// | record | contents |
/// |---|---|
/// | 0 | first direction in the world (3), 1 if it is given; μ₂/μ₁; 1 for a pyramid; dry friction; arm of torsional friction |
/// | 1 | velocity of the second surface against the first in the world (3); slips (2), of the twist; push; layer |
/// | 2 | elastic compliances (4), −1 for a rigid normal; rates (4) |
/// | 3 | largest pulls (4) |
pub(crate) const SPECIAL_RECORDS: usize = 4;

/// What bundles are made from.
pub(crate) struct Sources<'a> {
    pub(crate) bodies: &'a [Record],
    /// Way of each body in half a step: of its centre, and the vector of its turn, world axes.
    pub(crate) leads: &'a [Record],
    /// Some body turns, or is moved by something else than rows.
    pub(crate) any_leads: bool,
    pub(crate) manifolds: &'a [Record],
    /// [`SPECIAL_RECORDS`] of special manifolds.
    pub(crate) special: &'a [Record],
    /// Factor of the impulses of the last step.
    pub(crate) warm: f64,
    /// Half a step \[s\].
    pub(crate) half: f64,
    /// Compliance of a rigid normal by its diagonal.
    pub(crate) softness: f64,
    /// Fastest push and layer of manifolds that are not special.
    pub(crate) push: f64,
    pub(crate) layer: f64,
}

/// A body's records in lanes.
pub(super) struct Body<L> {
    pub(super) x: L3<L>,
    pub(super) inverse_root_mass: L,
    pub(super) inverse_root_inertia: L3<L>,
    /// Columns.
    pub(super) r: [L3<L>; 3],
}

#[inline(always)]
pub(super) fn body<L: Lanes<W>, const W: usize>(records: &[Record], at: &[u32; W]) -> Body<L> {
    let (mut first, mut second, mut same) = (*at, *at, true);
    for lane in 0..W {
        first[lane] = 2 * at[lane];
        second[lane] = 2 * at[lane] + 1;
        same &= at[lane] == at[0];
    }
    let (mut p, mut q) = ([L::splat(0.0); 8], [L::splat(0.0); 8]);
    if same {
        // As of the ground.
        let [one, two] = [&records[first[0] as usize].0, &records[second[0] as usize].0];
        for e in 0..8 {
            (p[e], q[e]) = (L::splat(one[e]), L::splat(two[e]));
        }
    } else {
        (p, q) = (L::gather(records, &first), L::gather(records, &second));
    }
    Body {
        x: [p[0], p[1], p[2]],
        inverse_root_mass: p[3],
        inverse_root_inertia: [p[4], p[5], p[6]],
        r: [[p[7], q[0], q[1]], [q[2], q[3], q[4]], [q[5], q[6], q[7]]],
    }
}

/// `R l`.
#[inline(always)]
pub(super) fn to_world<L: Lanes<W>, const W: usize>(r: &[L3<L>; 3], l: L3<L>) -> L3<L> {
    plus(plus(times(r[0], l[0]), times(r[1], l[1])), times(r[2], l[2]))
}

/// Numbers of a record of each manifold.
#[inline(always)]
pub(super) fn record_of<const W: usize>(manifolds: &[u32; W], number: u32) -> [u32; W] {
    nth::<W>(manifolds, MANIFOLD_RECORDS as u32, number)
}

#[inline(always)]
pub(super) fn special_of<const W: usize>(special: &[u32; W], number: u32) -> [u32; W] {
    nth::<W>(special, SPECIAL_RECORDS as u32, number)
}

#[inline(always)]
fn nth<const W: usize>(of: &[u32; W], each: u32, number: u32) -> [u32; W] {
    let mut at = *of;
    for lane in 0..W {
        at[lane] = each * of[lane] + number;
    }
    at
}
