//! Energy of the rotors of joints, which bodies do not have.

use super::Workspace;
use super::context::Model;
use crate::model::State;

impl Workspace {
    /// Kinetic energy of the rotors that act in this step, `½ a q̇²` with the armature a of a motion \[J\]: those of trees, where joints are no rows.
    pub(super) fn energy_of_rotors(&self, model: &Model, state: &State) -> f64 {
        let mut energy = 0.0;
        for (id, joint) in model.joints.iter() {
            let laws = &joint.definition.parameters;
            if laws.iter().all(|law| law.armature == 0.0) || !self.has_rotors(id.slot()) {
                continue;
            }
            let rates = state.joints[id.slot()].rates;
            energy += laws.iter().zip(rates).map(|(law, rate)| 0.5 * law.armature * rate * rate).sum::<f64>();
        }
        energy
    }

    /// A joint carries a link of a tree that its coordinates or a flow move.
    fn has_rotors(&self, joint: usize) -> bool {
        let of = |forest: &super::Forest| forest.of_joint.get(joint).copied().flatten();
        of(&self.forest).is_some() || of(&self.forest_of_flows).is_some_and(|own| self.flows.takes(own.tree))
    }
}
