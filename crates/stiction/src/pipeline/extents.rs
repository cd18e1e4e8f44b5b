//! How far the shapes of bodies extend, so that most bodies are seen to be slow at a glance.
//!
//! What moves by less than half the inner radius of its thinnest shape passes through nothing: the shapes of such bodies need not be looked
//! at one by one.

use glam::DVec3;

use super::context::Model;
use crate::collision::impact::FAST;
use crate::dynamics::rotation::chord;
use crate::math::Pose;
use crate::model::State;

/// The bounded shapes of a body that collide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyExtent {
    /// Centre of mass in the frame of the body.
    pub(super) center: DVec3,
    /// Distance from it within which they are \[m\].
    pub(super) reach: f64,
    /// Half of the least side of their bounds; infinite without any.
    thinnest: f64,
}

impl BodyExtent {
    const NONE: Self = Self { center: DVec3::ZERO, reach: 0.0, thinnest: f64::INFINITY };

    /// One of the shapes may be fast, or go farther than this, on a way \[m\]. NaN counts as far.
    pub(super) fn may_be_fast(&self, way: f64, most: f64) -> bool {
        way > most.min(FAST * self.thinnest) || way.is_nan()
    }

    /// How far a place of the shapes has gone at most between two poses of the body \[m\].
    pub(super) fn moved(&self, before: &Pose, after: &Pose) -> f64 {
        let cosine = before.rotation.dot(after.rotation);
        (after.point(self.center) - before.point(self.center)).length() + chord(cosine) * self.reach
    }
}

/// Extents of all bodies, by slot; memory that follows the edits of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extents {
    known: Option<[u64; 2]>,
    bodies: Vec<BodyExtent>,
    /// How far the shapes of each body went in the last step at most \[m\].
    pub(super) moved: Vec<f64>,
}

impl Extents {
    /// Reads the shapes, where they have changed; returns whether they have.
    pub(super) fn read(&mut self, model: &Model) -> bool {
        let revisions = Some([model.topology, model.revision]);
        // Segments of wires come and go in steps.
        if self.known == revisions && model.wires.slots() == 0 {
            return false;
        }
        self.known = revisions;
        self.bodies.clear();
        self.bodies.resize(model.bodies.slots(), BodyExtent::NONE);
        for (id, body) in model.bodies.iter() {
            self.bodies[id.slot()].center = body.mass.center;
        }
        for (_, geom) in model.geoms.iter().filter(|(_, geom)| geom.is_enabled && geom.bounds.is_finite()) {
            let Some(own) = geom.body.and_then(|id| self.bodies.get_mut(id.slot())) else { continue };
            let (center, size) = (geom.pose.point(geom.bounds.center()), geom.bounds.size());
            own.reach = own.reach.max((center - own.center).length() + 0.5 * size.length());
            own.thinnest = own.thinnest.min(0.5 * size.min_element());
        }
        true
    }

    /// The shapes of a body.
    pub(super) fn of(&self, slot: usize) -> &BodyExtent {
        &self.bodies[slot]
    }

    /// Notes how far all went in a step, from poses of the bodies before it; whether one may be fast.
    pub(super) fn note_moved(&mut self, model: &Model, state: &State, before: &[Pose]) -> bool {
        self.moved.clear();
        self.moved.resize(model.bodies.slots(), 0.0);
        let mut any_fast = false;
        for (slot, extent) in self.bodies.iter().enumerate() {
            let after = state.bodies[slot].motion.frame(extent.center);
            let moved = extent.moved(&before[slot], &after);
            self.moved[slot] = moved;
            any_fast |= extent.may_be_fast(moved, f64::INFINITY);
        }
        any_fast
    }
}
