//! Fast bodies stop where they would first touch, so that the next step finds the contact (continuous collision detection).
//!
//! Their shapes are cast from where they were to where they are; with an impact at the fraction t of the step, the body and
//! all that joints hold to it stay at t of their ways. Their velocities hold: the next step has the contact, and stops or
//! bounces them. What forces did after the impact is taken off again: of a free body `v = v⁰ + t (v⁺ − v⁰)`; of others the work
//! of gravity on the way that they do not go, by a common factor of their velocities.

use glam::DVec3;

use super::context::Model;
use super::detect::Manifold;
use super::extents::Extents;
use super::islands::NONE;
use super::speculative::{is_slight, is_swept};
use super::swept::View;
use super::{StepReport, Workspace};
use crate::collision::impact::{self, Impact, Mover, Moving, is_far, is_fast, time_of_impact, time_of_passage};
use crate::collision::{Course, Sweep};
use crate::joints::Joint;
use crate::model::{Body, BodyId, BodyKind, Geom, PatchCache, State, SweptRule};
use crate::shape::Aabb;

/// Memory of the search for impacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Impacts {
    /// Shapes of fast bodies.
    fast: Vec<u32>,
    /// By slot of a body, where on its way it stops.
    first: impact::Impacts,
    /// By slot of a body that stands for all that joints hold to it: kinetic energy, and work of gravity on the way not gone \[J\].
    energies: Vec<[f64; 2]>,
}

/// Puts fast bodies back to their first impact; `work.poses` are the poses before the step.
pub(super) fn stop(model: &Model, step: f64, state: &mut State, work: &mut Workspace, report: &mut StepReport) {
    let Model { parameters, bodies, joints, .. } = *model;
    if parameters.swept == SweptRule::Off {
        return;
    }
    let mut impacts = std::mem::take(&mut work.impacts);
    let seen = View { model, state, before: &work.poses };
    let scene = Ways { step, seen: &seen, manifolds: &work.manifolds, patches: &work.patches };
    impacts.find_fast(&scene, &work.extents, &work.thickness);
    if !impacts.fast.is_empty() && impacts.first.find(&scene, &impacts.fast, bodies.slots()) {
        let slots = |joint: &Joint| joint.definition.bodies.map(|body| body.map(|id| id.slot() as u32));
        impacts.first.share(joints.iter().map(|(_, joint)| slots(joint)));
        impacts.put_back(model, step, state, work, report);
        work.known_joints.forget();
    }
    work.impacts = impacts;
}

/// How much more than by its angular velocity the rule of integration may turn a body: a part of it, and an angle \[rad\].
const ABOUT: f64 = 1.02;
const SLIGHT_TURN: f64 = 2e-3;

/// Angle by which a body may have turned.
fn about(step: f64, omega: DVec3) -> f64 {
    ABOUT * step * omega.length() + SLIGHT_TURN
}

/// The world's shapes on their ways, by slot.
struct Ways<'a> {
    step: f64,
    seen: &'a View<'a>,
    /// The contacts of the step, in the order of pairs.
    manifolds: &'a [Manifold],
    patches: &'a PatchCache,
}

impl Ways<'_> {
    /// The two have contacts in this step.
    fn touch(&self, shape: u32, other: u32) -> bool {
        let pair = [shape.min(other), shape.max(other)];
        if !self.patches.find(pair, &mut 0).is_empty() {
            return true;
        }
        // Contacts of the user, which have no shapes, and patches for rows come last.
        let found = self.manifolds.binary_search_by_key(&(0, pair), |m| m.geoms.map_or((1, pair), |geoms| (0, geoms)));
        found.is_ok_and(|index| self.manifolds[index].points[0] < self.manifolds[index].points[1])
    }

    fn geom(&self, slot: u32) -> Option<&Geom> {
        self.seen.model.geoms.at(slot as usize)
    }
}

impl Moving for Ways<'_> {
    fn count(&self) -> u32 {
        self.seen.model.geoms.slots() as u32
    }

    fn course(&self, shape: u32) -> Option<(Course, Aabb)> {
        let geom = self.geom(shape)?;
        let [from, to] = self.seen.poses(geom);
        let center = self.seen.body(geom).map_or(DVec3::ZERO, |b| b.mass.center);
        let sweep = Sweep { from, to, center: geom.pose.inverse_point(center) };
        let turn = geom.body.map(|id| self.step * self.seen.state.bodies[id.slot()].motion.omega);
        let course = match (self.mover(shape), turn) {
            (Mover::Forces(_), Some(turn)) if self.may_stop(shape) => Course::new(sweep, turn),
            (_, Some(turn)) => Course::to_end(sweep, turn),
            (_, None) => sweep.into(),
        };
        Some((course.with_symmetry(&geom.shape), geom.bounds))
    }

    fn mover(&self, shape: u32) -> Mover {
        let Some(geom) = self.geom(shape).filter(|geom| geom.segment.is_none()) else { return Mover::Nothing };
        match (self.seen.body(geom), geom.body) {
            (Some(body), Some(id)) if body.kind == BodyKind::Dynamic => Mover::Forces(id.slot() as u32),
            (Some(_), _) => Mover::Velocities,
            _ => Mover::Nothing,
        }
    }

    fn may_stop(&self, shape: u32) -> bool {
        let body = self.geom(shape).and_then(|geom| self.seen.body(geom));
        body.is_some_and(|body| is_swept(self.seen.model.parameters.swept, body))
    }

    fn may_meet(&self, shape: u32, other: u32) -> bool {
        self.seen.pair(shape, other).is_some()
    }

    fn time_of_impact(&self, shape: u32, own: &Course, other: u32, its: &Course) -> Option<Impact> {
        let time = if self.touch(shape, other) { time_of_passage } else { time_of_impact };
        time(&self.geom(shape)?.shape, own, &self.geom(other)?.shape, its)
    }
}

impl Impacts {
    fn find_fast(&mut self, scene: &Ways, extents: &Extents, thickness: &[f64]) {
        self.fast.clear();
        let (seen, step) = (scene.seen, scene.step);
        let may_be_fast = |(id, _): (BodyId, &Body)| {
            let (extent, motion) = (extents.of(id.slot()), &seen.state.bodies[id.slot()].motion);
            let way = (motion.position - extent.center_at(&seen.before[id.slot()])).length();
            extent.may_be_fast(way + about(step, motion.omega) * extent.reach, f64::INFINITY)
        };
        if !seen.model.bodies.iter().any(may_be_fast) {
            return;
        }
        for (slot, geom) in (0..scene.count()).filter_map(|slot| Some((slot, scene.geom(slot)?))) {
            let Some(id) = geom.body.filter(|_| geom.is_enabled && scene.may_stop(slot)) else { continue };
            // A course costs more than to see that most shapes hardly move.
            let (before, motion) = (&scene.seen.before[id.slot()], &scene.seen.state.bodies[id.slot()].motion);
            let center = scene.seen.body(geom).map_or(DVec3::ZERO, |b| b.mass.center);
            let way = (motion.position - before.point(center)).length();
            let turn = about(scene.step, motion.omega);
            if geom.bounds.is_finite() && !is_far(&geom.bounds, geom.pose.inverse_point(center), way, turn) {
                continue;
            }
            if is_slight(geom, thickness) {
                continue;
            }
            if scene.course(slot).is_some_and(|(course, bounds)| is_fast(&geom.shape, &bounds, &course)) {
                self.fast.push(slot);
            }
        }
    }

    fn put_back(&mut self, model: &Model, step: f64, state: &mut State, work: &mut Workspace, report: &mut StepReport) {
        let Model { parameters, bodies, .. } = *model;
        self.energies.clear();
        self.energies.resize(bodies.slots(), [0.0; 2]);
        for (id, body) in bodies.iter() {
            let (slot, stop) = (id.slot(), self.first.stops[id.slot()]);
            if stop.fraction >= 1.0 || body.kind != BodyKind::Dynamic || !state.bodies[slot].is_enabled {
                continue;
            }
            report.stopped_at_impact += 1;
            // Trees in reduced coordinates go back as a whole, those in sub-steps body by body.
            let tree = work.forest.of_body.get(slot).copied().flatten();
            if tree.is_some_and(|member| work.forest.trees[member.tree as usize].is_awake) {
                continue;
            }
            let motion = &mut state.bodies[slot].motion;
            let to = motion.frame(body.mass.center);
            let kept = stop
                .end(&Course::new(Sweep { from: work.poses[slot], to, center: body.mass.center }, step * motion.omega));
            let left = motion.position - kept.point(body.mass.center);
            report.way_not_gone += left.length();
            motion.position = kept.point(body.mass.center);
            // What moved in sub-steps has no view.
            let view = work.views.get(slot);
            let moves_by_origin = view.is_some_and(|view| view.moves_by_origin);
            let free = view.filter(|view| view.whitening.is_some() && view.clique == NONE && !moves_by_origin);
            // With the body's turn its angular velocity goes back too: in the body it is the same, and so is its energy. Where the
            // origin of the body moves on a straight line, that one's velocity holds, and the centre's follows the arm.
            let arm = motion.rotation * body.mass.center;
            let origin_velocity = motion.velocity - motion.omega.cross(arm);
            motion.omega = kept.rotation * (motion.rotation.conjugate() * motion.omega);
            motion.rotation = kept.rotation;
            if moves_by_origin {
                motion.velocity = origin_velocity + motion.omega.cross(motion.rotation * body.mass.center);
            } else if let Some(view) = free {
                motion.velocity = view.velocity + stop.fraction * (motion.velocity - view.velocity);
            }
            // The contacts have not held it: what would go on against the surface, step by step, ends here.
            if let Some(normal) = stop.barrier {
                motion.velocity -= normal.dot(motion.velocity).min(0.0) * normal;
            }
            if free.is_some() {
                continue;
            }
            let omega = motion.rotation.conjugate() * motion.omega;
            let sum = &mut self.energies[self.first.group(slot as u32) as usize];
            sum[0] +=
                0.5 * (body.mass.mass * motion.velocity.length_squared() + omega.dot(body.mass.inertia() * omega));
            if body.gravity {
                sum[1] += body.mass.mass * parameters.gravity.dot(left);
            }
        }
        for (id, _) in bodies.iter() {
            let [kinetic, fall] = self.energies[self.first.group(id.slot() as u32) as usize];
            let is_free = work
                .views
                .get(id.slot())
                .is_some_and(|view| !view.moves_by_origin && view.whitening.is_some() && view.clique == NONE);
            if self.first.stops[id.slot()].fraction < 1.0 && fall > 0.0 && !is_free {
                let factor = (1.0 - fall / kinetic).max(0.0).sqrt();
                let motion = &mut state.bodies[id.slot()].motion;
                motion.velocity *= factor;
                motion.omega *= factor;
            }
        }
        for tree in work.forest.trees.iter_mut().filter(|tree| tree.is_awake) {
            let fraction = self.first.stops[tree.bodies[0] as usize].fraction;
            if fraction < 1.0 {
                tree.stop_at(fraction, parameters.gravity, bodies, state, report);
            }
        }
    }
}
