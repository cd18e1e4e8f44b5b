//! Forces of the joints of a tree in continuous time. Motors and rigid drives are rows (`loops`).

use super::super::forest::{Articulation, NO_JOINT};
use crate::base::Arena;
use crate::joints::Joint;
use crate::model::State;

/// Adds the forces of the joints of a tree at its present positions and velocities.
pub(super) fn push(tree: &mut Articulation, v: &[f64], joints: &Arena<Joint>, state: &State, tolerance: f64) {
    for (link, slot) in tree.joints.iter().enumerate().filter(|(_, slot)| **slot != NO_JOINT) {
        let Some(joint) = joints.at(*slot as usize) else { continue };
        let joint_state = &state.joints[*slot as usize];
        let span = tree.tree.dof_span(link);
        let positions = tree.tree.position_span(link);
        // Ball joints have no axes.
        if positions.len() != span.len() {
            continue;
        }
        for axis in 0..span.len() {
            let offset = usize::from(tree.orders[link][axis]);
            let (dof, position) = (span.start + offset, positions.start + offset);
            let p = &joint.definition.parameters[axis];
            let root_d = tree.factor.columns()[dof].root_d;
            let inertia = root_d * root_d;
            // Positions count from where the joint was made, and follow whole turns.
            let q = tree.q[position];
            let rate = v[dof];
            let [user, drive] = p.driving_forces(joint_state.forces[axis], q, rate);
            tree.tau[dof] += user + drive + p.smooth_force(q, rate, inertia, tolerance);
        }
    }
}
