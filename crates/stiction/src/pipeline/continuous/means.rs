//! Impulses of contacts and joints over a step, divided by its length.
//!
//! They are summed up at the nodes and with the weights by which the integrator has summed up the accelerations. So they are the
//! change of momentum, to rounding under explicit schemes and to the accuracy of Newton's method under implicit ones.

use super::feedback;
use super::flow::MotionSystem;
use super::loops::Accelerations;
use crate::integrators::{Nodes, System};
use crate::model::JointFeedback;

/// Something may be touched, or a joint tells its forces.
pub(super) fn may_be_wanted(flow: &MotionSystem) -> bool {
    flow.model.geoms.iter().next().is_some()
        || !flow.user_touches.is_empty()
        || feedback::is_reported(flow.model.joints)
}

/// Evaluates the forces at the nodes; `a` is memory for accelerations.
pub(super) fn gather(flow: &mut MotionSystem, nodes: &Nodes, a: &mut Vec<f64>, told: &mut [JointFeedback]) {
    told.fill(JointFeedback::default());
    let is_reported = feedback::is_reported(flow.model.joints);
    if !(is_reported || flow.touches.is_touched() || !flow.user_touches.is_empty()) {
        return;
    }
    let length: f64 = nodes.iter().map(|(_, weight, _)| weight).sum();
    let positions = flow.position_count();
    a.clear();
    a.resize(flow.velocity_count(), 0.0);
    let singularity = flow.loops.singularity();
    for (t, weight, state) in nodes.iter() {
        let share = weight / length;
        let (q, v) = state.split_at(positions);
        flow.accelerations(t, q, v, a);
        flow.touches.add_to_means(share);
        flow.user_touches.add_to_means(share);
        if is_reported {
            let accelerations = Accelerations { starts: &flow.spans.dofs, values: a };
            feedback::add(flow.model, flow.forest, flow.loops, accelerations, share, told);
        }
    }
    flow.loops.keep_singularity(singularity);
}
