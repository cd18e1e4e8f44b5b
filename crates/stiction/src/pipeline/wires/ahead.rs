//! Where the nodes of a wire will be after the step, by the velocities that its rows were solved with: what its springs will
//! hold is known before anything moves, and what they would hold without having been given it can be taken back at once.

use glam::DVec3;

use super::super::Workspace;
use super::super::context::Model;
use super::super::islands::NONE;
use crate::dynamics::rotation;
use crate::model::{AnchorKind, NodePlace, State, Wire};

/// Places of the nodes after the step, and the directions that its ends hold there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ahead {
    pub(super) places: Vec<DVec3>,
    pub(super) held: [DVec3; 2],
}

impl Ahead {
    /// Moves the nodes of a wire by the velocities that positions will move with.
    pub(super) fn find(&mut self, wire: &Wire, slot: usize, model: &Model, step: f64, state: &State, work: &Workspace) {
        self.places.clear();
        let nodes = &state.wires[slot].nodes;
        for (number, node) in nodes.iter().enumerate() {
            let (body, arm) = wire.arm(node, &state.bodies);
            let Some(body) = body.map(|slot| slot as usize) else {
                self.places.push(arm);
                if let NodePlace::Anchor(anchor) = node.place
                    && let AnchorKind::Clamped(direction) = wire.anchors[anchor as usize].kind
                {
                    self.held[usize::from(number > 0)] = direction;
                }
                continue;
            };
            let (velocity, omega) = velocity(body, state, work);
            let motion = &state.bodies[body].motion;
            let NodePlace::Anchor(anchor) = node.place else {
                self.places.push(motion.position + step * velocity);
                continue;
            };
            let mode = model.bodies.at(body).map(|body| body.finite_rotation).unwrap_or_default();
            let turned = rotation::turn(mode, motion.rotation, omega, step);
            let anchor = &wire.anchors[anchor as usize];
            self.places.push(motion.position + step * velocity + turned * anchor.point);
            if let AnchorKind::Clamped(direction) = anchor.kind {
                self.held[usize::from(number > 0)] = turned * direction;
            }
        }
    }
}

/// Velocities that a body's position will move with.
fn velocity(slot: usize, state: &State, work: &Workspace) -> (DVec3, DVec3) {
    let view = &work.views[slot];
    match &view.whitening {
        Some(whitening) if view.clique != NONE => {
            let start = work.cliques.start(view.clique);
            let velocities = &work.velocities;
            let z = if velocities.is_split { &velocities.z_position } else { &velocities.z };
            whitening.velocity(&z[start..start + 6])
        }
        // Links of trees move by their coordinates, which is made up for afterwards.
        _ => (state.bodies[slot].motion.velocity, state.bodies[slot].motion.omega),
    }
}
