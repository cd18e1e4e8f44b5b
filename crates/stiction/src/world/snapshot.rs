//! Snapshots and hashes.

use super::waking::PendingEdits;
use super::{BodyId, JointId, State, WireId, World};
use crate::base::BitHash;

/// State of a world at one time; the model (bodies, shapes, joints, parameters) is not part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    state: State,
    bodies: Vec<BodyId>,
    joints: Vec<JointId>,
    wires: Vec<WireId>,
    /// Edits whose effect on sleeping bodies the next step finds.
    edits: PendingEdits,
    /// The geometry that its contacts are of.
    geometry: u64,
}

impl Snapshot {
    /// The state, by slots of bodies and joints.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The state, to be changed before it is restored: what was saved elsewhere is put in here. Lengths of its lists
    /// stay as they are.
    pub fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

impl World {
    /// The present state.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let (bodies, joints) = (self.body_ids().collect(), self.joint_ids().collect());
        let wires = self.wire_ids().collect();
        let state = State { reports: self.contact_reports().to_vec(), ..self.state.clone() };
        Snapshot { state, bodies, joints, wires, edits: self.edits.clone(), geometry: self.geometry_hash() }
    }

    /// Back to a state of this world. What was added since stays as it is; what was removed stays away.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.edits.restore(&snapshot.edits);
        self.revision += 1;
        self.work.reports_are_late = false;
        self.late_reports.take();
        self.work.known_joints.forget();
        let present = std::mem::replace(&mut self.state, snapshot.state.clone());
        if self.geometry_hash() != snapshot.geometry {
            self.state.patches.look_again_at_all();
        }
        let bodies = snapshot.bodies.iter().filter(|id| self.bodies.get(**id).is_some()).map(|id| id.slot());
        keep_others(&mut self.state.bodies, present.bodies, bodies);
        let joints = snapshot.joints.iter().filter(|id| self.joints.get(**id).is_some()).map(|id| id.slot());
        keep_others(&mut self.state.joints, present.joints, joints);
        let wires = snapshot.wires.iter().filter(|id| self.wires.get(**id).is_some()).map(|id| id.slot());
        keep_others(&mut self.state.wires, present.wires, wires);
        self.embody_wires();
    }

    /// Hash over what places of contacts depend on beside poses: bounds and poses of shapes on their bodies, centres of mass and
    /// principal axes.
    #[must_use]
    pub fn geometry_hash(&self) -> u64 {
        let mut hash = BitHash::default();
        for (_, geom) in self.geoms.iter() {
            let numbers = [geom.bounds.min, geom.bounds.max, geom.pose.position].map(|v| v.to_array());
            numbers.into_iter().flatten().chain(geom.pose.rotation.to_array()).for_each(|x| hash.feed(x));
        }
        for (_, body) in self.bodies.iter() {
            let center = body.mass.center.to_array().into_iter();
            center.chain(body.mass.axes.to_array()).for_each(|x| hash.feed(x));
        }
        hash.finish()
    }

    /// Hash over the bits of every body's pose and velocity and of the lengths of wires, in the order of creation (FNV-1a, 64 bits).
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = BitHash::default();
        let mut feed = |x| hash.feed(x);
        for (id, _) in self.bodies.iter() {
            let m = &self.state.bodies[id.slot()].motion;
            m.position.to_array().into_iter().for_each(&mut feed);
            m.rotation.to_array().into_iter().for_each(&mut feed);
            m.velocity.to_array().into_iter().for_each(&mut feed);
            m.omega.to_array().into_iter().for_each(&mut feed);
        }
        for (id, _) in self.wires.iter() {
            let wire = &self.state.wires[id.slot()];
            feed(wire.stored);
            wire.nodes.iter().for_each(|node| feed(node.length));
        }
        hash.finish()
    }
}

/// Keeps the present entries but for those of the given slots.
fn keep_others<T>(restored: &mut Vec<T>, present: Vec<T>, slots: impl Iterator<Item = usize>) {
    let mut is_restored = vec![false; present.len()];
    for slot in slots.filter(|slot| *slot < present.len()) {
        is_restored[slot] = true;
    }
    for (slot, value) in present.into_iter().enumerate() {
        if slot == restored.len() {
            restored.push(value);
        } else if !is_restored[slot] {
            restored[slot] = value;
        }
    }
}
