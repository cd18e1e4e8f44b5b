//! The mechanical energy of a world.

use super::{Bodies, BodyKind, State, WorldParameters, joint_pose};
use crate::base::Arena;
use crate::joints::Joint;

/// Parts of the mechanical energy \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic.
    pub kinetic: f64,
    /// Gravitational, zero at the world's origin.
    pub gravitational: f64,
    /// Of the springs of joints and wires.
    pub springs: f64,
}

impl Energy {
    /// Sum \[J\].
    #[must_use]
    pub fn total(&self) -> f64 {
        self.kinetic + self.gravitational + self.springs
    }
}

/// Mechanical energy of the dynamic bodies and of the springs of joints.
pub(crate) fn energy_of(parameters: &WorldParameters, bodies: &Bodies, joints: &Arena<Joint>, state: &State) -> Energy {
    let mut energy = Energy::default();
    for (id, body) in bodies.iter() {
        if body.kind == BodyKind::Kinematic {
            continue;
        }
        let m = &state.bodies[id.slot()].motion;
        let spin = (m.rotation * body.mass.axes).conjugate() * m.omega;
        energy.kinetic += 0.5 * body.mass.mass * m.velocity.length_squared() + 0.5 * spin.dot(body.mass.moments * spin);
        if body.gravity {
            energy.gravitational -= body.mass.mass * parameters.gravity.dot(m.position);
        }
    }
    for (id, joint) in joints.iter() {
        let laws = &joint.definition.parameters;
        if laws.iter().all(|law| law.stiffness == 0.0) {
            continue;
        }
        // A spring along what the joint does not leave free stores nothing.
        let positions = state.joints[id.slot()].positions;
        joint.visit_motions(&joint_pose(joint, &state.bodies), positions, |axis, _| {
            energy.springs += laws[axis].spring_energy(positions[axis]);
        });
    }
    energy.springs += state.wires.iter().map(|wire| wire.elastic).sum::<f64>();
    energy
}
