//! A plain model of what there is in a world: handles, and whether they are alive.

use stiction::world::{BodyId, ContactId, GeomId, JointId, World};

/// What a program has made, in the order in which it did.
#[derive(Default)]
pub(super) struct Model {
    pub(super) bodies: Vec<(BodyId, bool)>,
    pub(super) geoms: Vec<(GeomId, Option<BodyId>, bool)>,
    /// Joints, and their ends while they are attached.
    pub(super) joints: Vec<(JointId, Vec<BodyId>, bool)>,
    pub(super) contacts: Vec<(ContactId, bool)>,
}

impl Model {
    pub(super) fn is_alive(&self, id: BodyId) -> bool {
        self.bodies.iter().any(|(known, alive)| *known == id && *alive)
    }

    /// Removes a body as the world should: its shapes and its joints go.
    pub(super) fn remove_body(&mut self, id: BodyId) -> bool {
        let was = self.is_alive(id);
        for (known, alive) in &mut self.bodies {
            *alive &= *known != id;
        }
        for (_, body, alive) in &mut self.geoms {
            *alive &= *body != Some(id);
        }
        for (_, ends, alive) in &mut self.joints {
            *alive &= !ends.contains(&id);
        }
        was
    }

    /// What of the world is not as here.
    pub(super) fn difference(&self, world: &World) -> Option<String> {
        for (id, alive) in &self.bodies {
            if world.body(*id).is_some() != *alive {
                return Some(format!("body {id:?} alive {alive}"));
            }
        }
        for (id, body, alive) in &self.geoms {
            let geom = world.geom(*id);
            if geom.is_some() != *alive || geom.is_some_and(|g| g.body() != *body) {
                return Some(format!("shape {id:?} of {body:?}, alive {alive}"));
            }
        }
        for (id, ends, alive) in &self.joints {
            let joint = world.joint(*id);
            let attached = joint.as_ref().map(|j| j.definition().bodies.iter().flatten().count() > 0);
            if joint.is_some() != *alive || *alive && attached == Some(ends.is_empty()) {
                return Some(format!("joint {id:?} of {ends:?}, alive {alive}"));
            }
        }
        for (id, alive) in &self.contacts {
            if world.contact_force(*id).is_some() != *alive {
                return Some(format!("contact {id:?}, alive {alive}"));
            }
        }
        let counts = [
            (world.body_ids().count(), self.bodies.iter().filter(|b| b.1).count(), "bodies"),
            (world.geom_ids().count(), self.geoms.iter().filter(|g| g.2).count(), "shapes"),
            (world.joint_ids().count(), self.joints.iter().filter(|j| j.2).count(), "joints"),
        ];
        counts.iter().find(|(a, b, _)| a != b).map(|(a, b, what)| format!("{a} {what}, of {b} that there are"))
    }

    /// Forgets handles that have long been stale.
    pub(super) fn forget(&mut self) {
        fn keep<T>(list: &mut Vec<T>, is_alive: impl Fn(&T) -> bool) {
            /// Handles that are kept.
            const MOST: usize = 40;
            if list.len() > MOST {
                let stale = list.iter().position(|entry| !is_alive(entry));
                list.remove(stale.unwrap_or(list.len()).min(list.len() - 1));
            }
        }
        if self.bodies.iter().any(|b| !b.1) {
            keep(&mut self.bodies, |b| b.1);
        }
        if self.geoms.iter().any(|g| !g.2) {
            keep(&mut self.geoms, |g| g.2);
        }
        if self.joints.iter().any(|j| !j.2) {
            keep(&mut self.joints, |j| j.2);
        }
        if self.contacts.iter().any(|c| !c.1) {
            keep(&mut self.contacts, |c| c.1);
        }
    }
}
