//! How the velocity of rows that close a loop changes at constant joint rates: `J̇ v`, by a central difference along the
//! motion, and the accelerations of the links there.
//! Together with the velocity products of the trees it is what the flow of a step leaves of a row's velocity.

use glam::DVec3;

use super::forest::Forest;
use crate::dynamics::rotation::exponential;
use crate::joints::{Joint, JointContext, JointPose, JointRow};
use crate::model::{BodyId, State};

/// Step of the difference \[s\].
const DIFFERENCE: f64 = 1e-5;

/// Memory of the rows ahead and behind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turning {
    ahead: Vec<JointRow>,
    behind: Vec<JointRow>,
    /// `J̇ v` of each row that holds the joint \[m/s² or rad/s²\].
    pub(super) rates: Vec<f64>,
}

impl Turning {
    /// Fills the rates of a joint.
    pub(super) fn measure(&mut self, joint: &Joint, positions: [f64; 3], state: &State, forest: &Forest) {
        let ends = [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference];
        let context = JointContext { step: 1.0, erp: 1.0, cfm: 0.0, spook: None, positions };
        for (time, rows) in [(DIFFERENCE, &mut self.ahead), (-DIFFERENCE, &mut self.behind)] {
            rows.clear();
            joint.loop_rows(&pose_at(joint, &ends, state, time), &context, rows);
        }
        let bias = ends.map(|end| end.map_or([DVec3::ZERO; 2], |id| bias(id.slot(), state, forest)));
        let free = |row: &JointRow| -> f64 {
            let own = |(body, [linear, angular]): (usize, &[DVec3; 2])| {
                row.linear_of(body).dot(*linear) + row.angular[body].dot(*angular)
            };
            bias.iter().enumerate().map(own).sum()
        };
        self.rates.clear();
        let differences = self.ahead.iter().zip(&self.behind);
        self.rates.extend(differences.map(|(a, b)| {
            (rate(a, &ends, state) - rate(b, &ends, state)) / (2.0 * DIFFERENCE) + 0.5 * (free(a) + free(b))
        }));
    }
}

/// Accelerations of a link's centre of mass, and angular, at constant joint rates.
fn bias(slot: usize, state: &State, forest: &Forest) -> [DVec3; 2] {
    let Some(member) = forest.of_body[slot] else { return [DVec3::ZERO; 2] };
    let kin = &forest.trees[member.tree as usize].kin;
    let (link, m) = (member.link as usize, &state.bodies[slot].motion);
    let acceleration = &kin.bias_accelerations()[link];
    let linear = acceleration.point(m.position - kin.origin()) + m.omega.cross(m.velocity);
    [linear, acceleration.angular()]
}

/// `J v` of a row at the velocities of its bodies.
pub(super) fn rate(row: &JointRow, ends: &[Option<BodyId>; 3], state: &State) -> f64 {
    let own = |(body, end): (usize, &Option<BodyId>)| {
        end.map_or(0.0, |id| {
            let m = &state.bodies[id.slot()].motion;
            row.linear_of(body).dot(m.velocity) + row.angular[body].dot(m.omega)
        })
    };
    ends.iter().enumerate().map(own).sum()
}

/// The joint's frames where the velocities take its bodies in a time.
fn pose_at<'a>(joint: &'a Joint, ends: &[Option<BodyId>; 3], state: &State, time: f64) -> JointPose<'a> {
    let motion = |end: usize| ends[end].map(|id| &state.bodies[id.slot()].motion);
    let center = |end: usize| motion(end).map_or(DVec3::ZERO, |m| m.position + time * m.velocity);
    let rotation = |end: usize| {
        motion(end).map_or(glam::DQuat::IDENTITY, |m| (exponential(time * m.omega) * m.rotation).normalize())
    };
    JointPose {
        frames: &joint.frames,
        centers: [center(0), center(1)],
        rotations: [rotation(0), rotation(1)],
        reference_rotation: rotation(2),
    }
}
