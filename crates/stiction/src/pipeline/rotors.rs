//! Energy of the rotors of joints, which bodies do not have.

use super::Workspace;
use super::context::Model;
use crate::model::{Coordinates, State};

impl Workspace {
    /// Kinetic energy of the rotors that act in this step \[J\]: those of trees, where joints are no rows.
    pub(super) fn energy_of_rotors(&self, model: &Model, state: &State) -> f64 {
        let mut energy = 0.0;
        for (id, joint) in model.joints.iter() {
            let has_any = joint.definition.parameters.iter().any(|law| law.armature != 0.0);
            if has_any && self.has_rotors(model, id.slot()) {
                energy += joint.definition.rotor_energy(state.joints[id.slot()].rates);
            }
        }
        energy
    }

    /// The rotors of a joint act: it carries a link of a tree of the world's coordinates, or closes a loop in one that is no rows, or a flow moves its bodies.
    fn has_rotors(&self, model: &Model, joint: usize) -> bool {
        if model.parameters.coordinates == Coordinates::Maximal {
            return self.flows.takes_joint(model, joint as u32, &self.forest_of_flows);
        }
        self.forest.of_joint.get(joint).is_some_and(Option::is_some)
            || self.flows.takes_joint(model, joint as u32, &self.forest)
            || self.substeps.takes_joint(joint as u32)
    }
}
