//! How far the shapes of bodies extend, so that most bodies are seen to be slow at a glance.
//!
//! What moves by less than half the inner radius of its thinnest shape passes through nothing: the shapes of such bodies need not be looked
//! at one by one.

use glam::DVec3;

use super::context::Model;
use crate::collision::impact::FAST;
use crate::dynamics::rotation::chord;
use crate::math::Pose;
use crate::model::{BodyId, NO_BODY, State};

/// The bounded shapes of a body that collide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyExtent {
    /// Centre of mass in the frame of the body.
    pub(super) center: DVec3,
    /// Distance from it within which they are \[m\].
    pub(super) reach: f64,
    /// Half of the least side of their bounds; infinite without any.
    thinnest: f64,
    /// How much easier a contact turns the body than it pushes it, at most: `m r²/I` with the largest moment. Infinite where a shape
    /// has no bounds.
    pub(super) lever: f64,
}

impl BodyExtent {
    const NONE: Self = Self { center: DVec3::ZERO, reach: 0.0, thinnest: f64::INFINITY, lever: 0.0 };

    /// One of the shapes may be fast, or go farther than this, on a way \[m\]. NaN counts as far.
    pub(super) fn may_be_fast(&self, way: f64, most: f64) -> bool {
        way > most.min(FAST * self.thinnest) || way.is_nan()
    }

    /// How far a place of the shapes has gone at most between two poses of the body \[m\].
    pub(super) fn moved(&self, before: &Pose, after: &Pose) -> f64 {
        let cosine = before.rotation.dot(after.rotation);
        (self.center_at(after) - self.center_at(before)).length() + chord(cosine) * self.reach
    }

    /// Centre of mass at a pose of the body.
    pub(super) fn center_at(&self, pose: &Pose) -> DVec3 {
        place_at(pose, self.center)
    }
}

/// A place of a frame in the world; most are its origin.
fn place_at(pose: &Pose, place: DVec3) -> DVec3 {
    if place == DVec3::ZERO { pose.position } else { pose.point(place) }
}

/// Centre of the bounds of a shape in its own frame, and the slot of its body.
#[derive(Clone, Copy, Debug)]
struct ShapeCenter {
    place: DVec3,
    body: u32,
}

/// Extents of all bodies, by slot; memory that follows the edits of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extents {
    known: Option<[u64; 2]>,
    bodies: Vec<BodyExtent>,
    shapes: Vec<ShapeCenter>,
    /// The largest reach; infinite where a body has a shape without bounds.
    farthest: f64,
    /// Some shape is made of triangles.
    pub(super) has_triangles: bool,
    /// How far the shapes of each body went in the last step at most \[m\], and the largest of these.
    pub(super) moved: Vec<f64>,
    pub(super) most_moved: f64,
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
        self.shapes.clear();
        self.shapes.extend((0..model.geoms.slots()).map(|slot| {
            let geom = model.geoms.at(slot);
            let body = geom.and_then(|geom| geom.body).map_or(NO_BODY, |body| body.slot() as u32);
            ShapeCenter { place: geom.map_or(DVec3::NAN, |geom| geom.bounds.center()), body }
        }));
        for (_, geom) in model.geoms.iter().filter(|(_, geom)| geom.is_enabled && geom.bounds.is_finite()) {
            let Some(own) = geom.body.and_then(|id| self.bodies.get_mut(id.slot())) else { continue };
            let (center, size) = (geom.pose.point(geom.bounds.center()), geom.bounds.size());
            own.reach = own.reach.max((center - own.center).length() + 0.5 * size.length());
            own.thinnest = own.thinnest.min(0.5 * size.min_element());
        }
        for (id, body) in model.bodies.iter() {
            let own = &mut self.bodies[id.slot()];
            own.lever = body.mass.mass * own.reach * own.reach / body.mass.moments.max_element();
        }
        self.farthest = self.bodies.iter().map(|own| own.reach).fold(0.0, f64::max);
        for (_, geom) in model.geoms.iter().filter(|(_, geom)| !geom.bounds.is_finite()) {
            if let Some(own) = geom.body.and_then(|id| self.bodies.get_mut(id.slot())) {
                own.lever = f64::INFINITY;
                self.farthest = f64::INFINITY;
            }
        }
        self.has_triangles = model.geoms.iter().any(|(_, geom)| geom.shape.has_triangles());
        true
    }

    /// Centres of the bounds of all shapes at poses before a step, and how far they went in it at most \[m\]: after
    /// [`Self::note_moved`]. That of a shape without bounds is NaN.
    pub(super) fn centers_of_shapes<'a>(&'a self, poses: &'a [Pose]) -> impl Iterator<Item = (DVec3, f64)> + 'a {
        self.shapes.iter().zip(poses).map(|(shape, pose)| {
            (place_at(pose, shape.place), if shape.body == NO_BODY { 0.0 } else { self.moved[shape.body as usize] })
        })
    }

    /// The largest distance of a place of a shape from the centre of mass of its body \[m\].
    pub(super) fn farthest(&self) -> f64 {
        self.farthest
    }

    /// Pairs may stay as they are for some steps: what is looked for on triangles depends on how all others move.
    pub(super) fn may_persist(&self) -> bool {
        self.farthest < f64::INFINITY && !self.has_triangles
    }

    /// The shapes of a body.
    pub(super) fn of(&self, slot: usize) -> &BodyExtent {
        &self.bodies[slot]
    }

    /// Notes how far all went in a step, from poses of the bodies before it, and lists those that went; whether one may be fast.
    pub(super) fn note_moved(&mut self, model: &Model, state: &State, before: &[Pose], list: &mut Vec<BodyId>) -> bool {
        self.moved.clear();
        self.most_moved = 0.0;
        let mut any_fast = false;
        for (slot, extent) in self.bodies.iter().enumerate() {
            let after = state.bodies[slot].motion.frame(extent.center);
            if after == before[slot] {
                self.moved.push(0.0);
                continue;
            }
            list.extend(model.bodies.handle_at(slot));
            let moved = extent.moved(&before[slot], &after);
            self.moved.push(moved);
            self.most_moved = self.most_moved.max(moved);
            any_fast |= extent.may_be_fast(moved, f64::INFINITY);
        }
        any_fast
    }
}
