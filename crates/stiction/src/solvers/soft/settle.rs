//! Bodies after the sub-steps: from whitened coordinates back to poses and velocities.

use super::lane::{Lanes, Record, plus, scaled, times};
use super::records::{body, to_world};
use super::rotation::{inverse, product, turned, unit};

/// Records of the motion of a body: its centre and its rotation (x, y, z, w); its velocity and its angular velocity; the rotation from its
/// principal axes to its own, and the time from the start of the step to the axes of its rows.
pub(crate) const MOTION_RECORDS: usize = 3;

/// What the motions follow from.
pub(crate) struct Whitened<'a> {
    pub(crate) bodies: &'a [Record],
    pub(crate) z: &'a [Record],
    /// Displacements from the pose of the rows.
    pub(crate) moved: &'a [Record],
    /// Time from the start of the step to the places of the rows \[s\].
    pub(crate) center: f64,
}

/// Moves bodies at some places by a step: their motions are those before it. They turn by Cayley's map.
#[inline(always)]
pub(super) fn settle<L: Lanes<W>, const W: usize>(motions: &mut [Record], from: &Whitened, places: &[u32; W]) {
    let mut at = [[0; W]; MOTION_RECORDS];
    for lane in 0..W {
        for number in 0..MOTION_RECORDS {
            at[number][lane] = (MOTION_RECORDS * lane + number) as u32;
        }
    }
    let (pose, rates) = (L::gather(motions, &at[0]), L::gather(motions, &at[1]));
    let axes = L::gather(motions, &at[2]);
    let (z, moved) = (L::gather(from.z, places), L::gather(from.moved, places));
    let own = body::<L, W>(from.bodies, places);
    let (mass, inertia, center) = (own.inverse_root_mass, own.inverse_root_inertia, L::splat(from.center));
    let (q, p) = ([pose[3], pose[4], pose[5], pose[6]], [axes[0], axes[1], axes[2], axes[3]]);
    // From the pose of the rows back to that of the start.
    let way = plus(times([moved[0], moved[1], moved[2]], mass), times([rates[0], rates[1], rates[2]], center));
    let spin = turned::<L, W>(inverse(p), turned::<L, W>(inverse(q), [rates[3], rates[4], rates[5]]));
    let turn = plus(scaled([moved[3], moved[4], moved[5]], inertia), times(spin, axes[4]));
    let half = times(to_world::<L, W>(&own.r, turn), L::splat(0.5));
    let rotation = unit::<L, W>(product::<L, W>([half[0], half[1], half[2], L::splat(1.0)], q));
    let spin = scaled([z[3], z[4], z[5]], inertia);
    let omega = turned::<L, W>(rotation, turned::<L, W>(p, spin));
    let zero = L::splat(0.0);
    let [x, y, w] = [pose[0] + way[0], pose[1] + way[1], pose[2] + way[2]];
    L::scatter(&[x, y, w, rotation[0], rotation[1], rotation[2], rotation[3], zero], motions, &at[0]);
    let [u, v, w] = times([z[0], z[1], z[2]], mass);
    L::scatter(&[u, v, w, omega[0], omega[1], omega[2], zero, zero], motions, &at[1]);
}
