//! Copies of worlds.

use std::sync::OnceLock;

use super::{State, World};
use crate::pipeline::Workspace;

impl Clone for World {
    /// A world of its own with the same bodies, shapes, joints, parameters and state, whose handles are those of this one. It goes on with the same bits.
    fn clone(&self) -> Self {
        let mut work = Workspace::default();
        work.feedback.clone_from(&self.work.feedback);
        Self {
            parameters: self.parameters.clone(),
            bodies: self.bodies.clone(),
            geoms: self.geoms.clone(),
            joints: self.joints.clone(),
            contacts: self.contacts.clone(),
            mimics: self.mimics.clone(),
            wires: self.wires.clone(),
            contact_table: self.contact_table.clone(),
            state: State { reports: self.contact_reports().to_vec(), ..self.state.clone() },
            broadphase: self.parameters.broadphase.build(),
            work,
            report: self.report.clone(),
            topology: self.topology,
            revision: self.revision,
            laws: self.laws,
            stage_times: self.stage_times.clone(),
            edits: self.edits.clone(),
            late_reports: OnceLock::new(),
        }
    }
}
