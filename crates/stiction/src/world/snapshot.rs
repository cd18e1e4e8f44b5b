//! Snapshots and hashes.

use super::{State, World};

/// State of a world at one time; the model (bodies, shapes, joints, parameters) is not part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot(State);

impl World {
    /// The present state.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.state.clone())
    }

    /// Back to a state of this world. What was added since stays as it is; what was removed stays away.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        let State { bodies, joints, .. } = &snapshot.0;
        let (more_bodies, more_joints) = (
            self.state.bodies.split_off(bodies.len().min(self.state.bodies.len())),
            self.state.joints.split_off(joints.len().min(self.state.joints.len())),
        );
        self.state = snapshot.0.clone();
        self.state.bodies.extend(more_bodies);
        self.state.joints.extend(more_joints);
    }

    /// Hash over the bits of every body's pose and velocity, in the order of creation (FNV-1a, 64 bits).
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut feed = |x: f64| {
            for byte in x.to_bits().to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        for (id, _) in self.bodies.iter() {
            let m = &self.state.bodies[id.slot()].motion;
            m.position.to_array().into_iter().for_each(&mut feed);
            m.rotation.to_array().into_iter().for_each(&mut feed);
            m.velocity.to_array().into_iter().for_each(&mut feed);
            m.omega.to_array().into_iter().for_each(&mut feed);
        }
        hash
    }
}
