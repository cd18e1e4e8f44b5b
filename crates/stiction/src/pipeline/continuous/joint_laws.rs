//! Joints in continuous time: springs and dampers as they are; stops and dry friction, which jump, as smooth forces. Motors
//! are rows (`loops`).
//!
//! With D the inertia that a joint's axis feels:
//! - stop: a critically damped spring of period [`STOP_PERIOD`], which pushes only; with restitution e a spring that
//!   gives back e² of its energy, `D ω² x (1 + e² + (1 − e²) s)/2`, `s = ẋ/√(ẋ² + v_s²)` of the speed ẋ into it;
//! - dry friction: `−F q̇ / √(q̇² + v_s²)`, v_s the stiction tolerance (per metre or radian).

use super::super::forest::{Articulation, NO_JOINT};
use crate::base::Arena;
use crate::joints::{AxisParameters, Joint};
use crate::world::State;

/// Period of a stop's spring \[s\].
const STOP_PERIOD: f64 = 2e-2;

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
            tree.tau[dof] += p.limited(joint_state.forces[axis], rate) + force(p, q, rate, inertia, tolerance);
        }
    }
}

/// Force of springs, dampers, stops and friction along one axis.
pub(super) fn force(p: &AxisParameters, q: f64, rate: f64, inertia: f64, tolerance: f64) -> f64 {
    let mut force = -p.stiffness * (q - p.spring_reference) - p.damping * rate;
    if p.friction > 0.0 {
        force -= p.friction * rate / (rate * rate + tolerance * tolerance).sqrt();
    }
    if p.lower <= p.upper {
        let omega = std::f64::consts::TAU / STOP_PERIOD;
        let spring = |beyond: f64, speed: f64| {
            if p.bounce > 0.0 {
                let (kept, s) = (p.bounce * p.bounce, speed / (speed * speed + tolerance * tolerance).sqrt());
                0.5 * inertia * omega * omega * beyond * (1.0 + kept + (1.0 - kept) * s)
            } else {
                inertia * omega * (omega * beyond + 2.0 * speed)
            }
        };
        if q < p.lower {
            force += spring(p.lower - q, -rate).max(0.0);
        }
        if q > p.upper {
            force -= spring(q - p.upper, rate).max(0.0);
        }
    }
    force
}
