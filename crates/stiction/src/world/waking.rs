//! What an edit wakes. A body sleeps because nothing about it changes; whoever changes it, what it rests on or what it hangs
//! on, ends that.

use glam::DVec3;

use super::{BodyId, BodyKind, GeomId, JointId, World};
use crate::joints::AxisParameters;
use crate::pipeline::any_sleeps;

/// Edits of shapes and joints since the last step whose effect on sleeping bodies the next step finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PendingEdits {
    /// Shapes that were moved.
    geoms: Vec<GeomId>,
    /// Joints that were open to changes, and their parameters before.
    joints: Vec<(JointId, [AxisParameters; 3])>,
    /// Gravity and wind of the last step.
    fields: Option<[DVec3; 2]>,
    /// Something that concerns every body was open to changes.
    pub(super) concern_all: bool,
}

impl PendingEdits {
    /// Back to the edits of a snapshot, and those since then: the model keeps them.
    pub(super) fn restore(&mut self, snapshot: &Self) {
        self.geoms.extend_from_slice(&snapshot.geoms);
        self.joints.extend_from_slice(&snapshot.joints);
        self.fields = snapshot.fields;
        self.concern_all |= snapshot.concern_all;
    }
}

impl World {
    /// Wakes a dynamic body that sleeps, and starts its idle counts anew.
    pub(super) fn wake(&mut self, id: BodyId) {
        if self.bodies.get(id).is_some_and(|b| b.kind == BodyKind::Dynamic)
            && !self.state.bodies[id.slot()].is_enabled
            && let Some(mut body) = self.body_mut(id)
        {
            body.enable();
        }
    }

    /// Wakes the bodies of a joint.
    pub(super) fn wake_joint(&mut self, id: JointId) {
        let Some(joint) = self.joints.get(id) else { return };
        let [first, second] = joint.definition.bodies;
        for body in [first, second, joint.definition.reference].into_iter().flatten() {
            self.wake(body);
        }
    }

    /// Wakes what touches a shape, and what carries it.
    pub(super) fn wake_touching(&mut self, id: GeomId) {
        if let Some(body) = self.geoms.get(id).and_then(|g| g.body) {
            self.wake(body);
        }
        self.complete_reports();
        for index in 0..self.state.reports.len() {
            let report = &self.state.reports[index];
            if report.geoms.is_some_and(|geoms| geoms.contains(&id)) {
                let [first, second] = report.bodies;
                first.into_iter().chain(second).for_each(|body| self.wake(body));
            }
        }
    }

    /// A shape has been moved: what it touched wakes now, what it has come to overlap at the next step.
    pub(super) fn note_moved_geom(&mut self, id: GeomId) {
        self.wake_touching(id);
        self.state.patches.look_again(id.slot());
        self.revision += 1;
        if self.edits.geoms.last() != Some(&id) {
            self.edits.geoms.push(id);
        }
    }

    /// A joint with a sleeping body is opened to changes; its bodies wake at the next step if there was one.
    pub(super) fn note_opened_joint(&mut self, id: JointId) {
        let Some(joint) = self.joints.get(id) else { return };
        let mut ends = joint.definition.bodies.into_iter().chain([joint.definition.reference]).flatten();
        if ends.any(|body| !self.state.bodies[body.slot()].is_enabled)
            && !self.edits.joints.iter().any(|(known, _)| *known == id)
        {
            self.edits.joints.push((id, joint.definition.parameters));
        }
    }

    /// Wakes what the edits since the last step concern.
    pub(super) fn wake_edited(&mut self) {
        let fields = [self.parameters.gravity, self.parameters.wind];
        let is_other = self.edits.fields.replace(fields).is_some_and(|last| last != fields);
        if is_other | std::mem::take(&mut self.edits.concern_all) {
            let all: Vec<BodyId> = self.body_ids().collect();
            all.into_iter().for_each(|body| self.wake(body));
        }
        let (mut geoms, mut joints) = (std::mem::take(&mut self.edits.geoms), std::mem::take(&mut self.edits.joints));
        let mut moved = std::mem::take(&mut self.state.moved);
        for (id, geom) in self.geoms.iter().filter(|_| !moved.is_empty()) {
            if geom.body.is_some_and(|body| moved.contains(&body)) {
                self.state.patches.look_again(id.slot());
            }
        }
        // A body may have another centre of mass; where it is to others its contacts see themselves.
        self.revision += u64::from(!moved.is_empty());
        if !(geoms.is_empty() && joints.is_empty() && moved.is_empty()) && any_sleeps(&self.bodies, &self.state) {
            moved.sort_unstable();
            moved.dedup();
            self.wake_around(&moved);
            geoms.extend(
                self.geoms.iter().filter(|(_, g)| g.body.is_some_and(|b| moved.contains(&b))).map(|(id, _)| id),
            );
            self.wake_overlapped(&geoms);
            for (id, before) in &joints {
                if self.joints.get(*id).is_some_and(|j| j.definition.parameters != *before) {
                    self.wake_joint(*id);
                }
            }
        }
        geoms.clear();
        joints.clear();
        moved.clear();
        (self.edits.geoms, self.edits.joints, self.state.moved) = (geoms, joints, moved);
    }

    /// Wakes bodies that touched moved bodies or are connected to them by joints.
    fn wake_around(&mut self, moved: &[BodyId]) {
        self.complete_reports();
        for index in 0..self.state.reports.len() {
            let [first, second] = self.state.reports[index].bodies;
            if first.into_iter().chain(second).any(|body| moved.binary_search(&body).is_ok()) {
                first.into_iter().chain(second).for_each(|body| self.wake(body));
            }
        }
        for body in moved {
            let joints = self.bodies.get(*body).map(|b| b.joints.clone()).unwrap_or_default();
            joints.into_iter().for_each(|joint| self.wake_joint(joint));
        }
    }

    /// Wakes sleeping bodies whose shapes' bounds the bounds of moved shapes overlap.
    fn wake_overlapped(&mut self, moved: &[GeomId]) {
        let bounds = |world: &Self, id: GeomId| {
            let geom = world.geoms.get(id).filter(|g| g.is_enabled)?;
            Some(geom.shape.aabb(&world.geom_pose(id)?).expanded(0.5 * world.parameters.contact_margin))
        };
        let moved: Vec<_> = moved.iter().filter_map(|id| bounds(self, *id)).collect();
        let asleep: Vec<(GeomId, BodyId)> = self
            .geoms
            .iter()
            .filter_map(|(id, geom)| Some((id, geom.body?)))
            .filter(|(_, body)| !self.state.bodies[body.slot()].is_enabled)
            .collect();
        for (geom, body) in asleep {
            if bounds(self, geom).is_some_and(|own| moved.iter().any(|other| other.intersects(&own))) {
                self.wake(body);
            }
        }
    }
}
