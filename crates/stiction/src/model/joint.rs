//! Joints at the poses and velocities of their bodies.

use glam::{DQuat, DVec3};

use super::{BodyId, BodyState, JointState};
use crate::joints::geometry::unwrap;
use crate::joints::{AxisMotion, Joint, JointPose};

/// Forces of a joint on its two bodies, their impulses over the length of the last step, with those of its motor, spring and stops and those that the user puts
/// along its motions; world axes, torques about each centre of mass, and about the origin for the static environment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointFeedback {
    /// Force on the first and the second body \[N\].
    pub forces: [DVec3; 2],
    /// Torque on the first and the second body \[N m\].
    pub torques: [DVec3; 2],
}

/// A joint's frames at the present poses of its bodies.
pub(crate) fn joint_pose<'a>(joint: &'a Joint, bodies: &[BodyState]) -> JointPose<'a> {
    let place = |body: Option<BodyId>| match body {
        Some(b) => {
            let m = &bodies[b.slot()].motion;
            (m.position, m.rotation)
        }
        None => (DVec3::ZERO, DQuat::IDENTITY),
    };
    let [first, second] = joint.definition.bodies;
    let ((x1, q1), (x2, q2)) = (place(first), place(second));
    JointPose {
        frames: &joint.frames,
        centers: [x1, x2],
        rotations: [q1, q2],
        reference_rotation: place(joint.definition.reference).1,
    }
}

/// Reads positions (angles follow without wrapping) and rates of a joint's motions off its bodies, and returns their number.
pub(crate) fn update_positions(joint: &Joint, bodies: &[BodyState], state: &mut JointState) -> usize {
    read_positions(joint, bodies, (&mut state.positions, &mut state.rates))
}

/// The same into positions, which are the last ones known, and rates.
pub(crate) fn read_positions(
    joint: &Joint,
    bodies: &[BodyState],
    (positions, rates): (&mut [f64; 3], &mut [f64; 3]),
) -> usize {
    let mut count = 0;
    joint.visit_motions(&joint_pose(joint, bodies), *positions, |axis, motion| {
        let position = motion.part.error;
        let position = if motion.is_angle { unwrap(position, positions[axis]) } else { position };
        // Zeros have no sign, so that reading once more changes no bit.
        (positions[axis], rates[axis]) = (position + 0.0, rate(joint, motion, bodies) + 0.0);
        count += 1;
    });
    count
}

/// What the state says of a joint that is known, with the number of its motions, is what its bodies say.
pub(crate) fn is_as_read(joint: &Joint, bodies: &[BodyState], state: &JointState, known: Option<usize>) -> bool {
    let (mut positions, mut rates) = (state.positions, state.rates);
    known.is_none_or(|count| {
        let found = read_positions(joint, bodies, (&mut positions, &mut rates));
        let bits = |numbers: [f64; 3]| numbers.map(f64::to_bits);
        found == count && bits(positions) == bits(state.positions) && bits(rates) == bits(state.rates)
    })
}

/// Rate of a motion \[m/s or rad/s\].
fn rate(joint: &Joint, motion: &AxisMotion, bodies: &[BodyState]) -> f64 {
    let velocity = |body: Option<BodyId>| match body {
        Some(b) => (bodies[b.slot()].motion.velocity, bodies[b.slot()].motion.omega),
        None => (DVec3::ZERO, DVec3::ZERO),
    };
    let [(v1, w1), (v2, w2)] = joint.definition.bodies.map(velocity);
    let part = &motion.part;
    let (first, second) = (DVec3::from(part.angular_first), DVec3::from(part.angular_second));
    if joint.kind().has_reference {
        let (_, w3) = velocity(joint.definition.reference);
        return first.dot(w1 - w3) + second.dot(w2 - w3);
    }
    DVec3::from(part.linear).dot(v1 - v2) + first.dot(w1) + second.dot(w2)
}
