//! Fast bodies stop where they would first touch, so that the next step finds the contact (continuous collision detection).
//!
//! Their shapes are cast from where they were to where they are; with an impact at the fraction t of the step, the body and
//! all that joints hold to it stay at t of their ways. Their velocities hold: the next step has the contact, and stops or
//! bounces them. What forces did after the impact is taken off again: of a free body `v = v⁰ + t (v⁺ − v⁰)`; of others the work
//! of gravity on the way that they do not go, by a common factor of their velocities.
//!
//! Nothing stops a kinematic body: what one meets, fast or slow, it takes along for the rest of the step.

use glam::DVec3;

use super::islands::NONE;
use super::swept::View;
use super::{StepReport, Workspace};
use crate::base::{Arena, BodyId};
use crate::collision::Sweep;
use crate::collision::impact::{Stop, is_fast, time_of_impact};
use crate::joints::Joint;
use crate::shape::Aabb;
use crate::world::{Bodies, BodyKind, Geom, State, SweptRule, WorldParameters};

/// Memory of the search for impacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Impacts {
    /// Shapes of fast bodies.
    fast: Vec<u32>,
    /// By slot of a body: where on its way it stops.
    stops: Vec<Stop>,
    /// By slot of a body: it stops for a dynamic one.
    is_for_dynamic: Vec<bool>,
    /// By slot of a body: one that joints hold it to, or itself.
    parents: Vec<u32>,
    bounds: Vec<Aabb>,
    /// By slot of a body that stands for all that joints hold to it: kinetic energy, and work of gravity on the way not gone \[J\].
    energies: Vec<[f64; 2]>,
}

/// Puts fast bodies back to their first impact; `work.poses` are the poses before the step.
pub(super) fn stop(
    parameters: &WorldParameters,
    geoms: &Arena<Geom>,
    bodies: &Bodies,
    joints: &Arena<Joint>,
    state: &mut State,
    work: &mut Workspace,
    report: &mut StepReport,
) {
    if parameters.swept == SweptRule::Off {
        return;
    }
    let mut impacts = std::mem::take(&mut work.impacts);
    let seen = View { geoms, bodies, joints, state, before: &work.poses };
    impacts.find_fast(parameters, &seen);
    if !impacts.fast.is_empty() && impacts.cast_all(parameters, &seen) {
        impacts.share_by_joints(joints);
        impacts.put_back(parameters, bodies, state, work, report);
    }
    work.impacts = impacts;
}

impl Impacts {
    fn find_fast(&mut self, parameters: &WorldParameters, seen: &View) {
        self.fast.clear();
        for slot in 0..seen.geoms.slots() {
            let Some(geom) = seen.geoms.at(slot).filter(|g| g.is_enabled) else { continue };
            if may_be_swept(parameters, seen, geom) && is_fast(&geom.shape, &geom.bounds, &sweep(seen, geom)) {
                self.fast.push(slot as u32);
            }
        }
    }

    /// First impacts of all fast shapes; returns whether there is one.
    fn cast_all(&mut self, parameters: &WorldParameters, seen: &View) -> bool {
        self.stops.clear();
        self.stops.resize(seen.bodies.slots(), Stop::NONE);
        self.is_for_dynamic.clear();
        self.is_for_dynamic.resize(seen.bodies.slots(), false);
        self.bounds.clear();
        for slot in 0..seen.geoms.slots() {
            let bounds = seen.geoms.at(slot).map_or(Aabb::EMPTY, |geom| sweep(seen, geom).bounds(&geom.bounds));
            self.bounds.push(bounds);
        }
        let with_others = self.cast_against(parameters, seen, false);
        let with_dynamic = self.cast_against(parameters, seen, true);
        if with_dynamic {
            self.carry_stopped(parameters, seen);
        }
        with_others || with_dynamic
    }

    /// First impacts between two dynamic bodies, or all others. A body that is taken along stops for no dynamic one.
    fn cast_against(&mut self, parameters: &WorldParameters, seen: &View, dynamic: bool) -> bool {
        let mut is_any = false;
        for &i in &self.fast {
            let reached = self.bounds[i as usize];
            for j in 0..self.bounds.len() as u32 {
                if j == i || !reached.intersects(&self.bounds[j as usize]) {
                    continue;
                }
                let Some(pair) = seen.pair(i, j) else { continue };
                if pair.iter().all(|geom| seen.kind(geom) == Some(BodyKind::Dynamic)) != dynamic {
                    continue;
                }
                let Some((body, stop)) = impact(parameters, seen, pair) else { continue };
                let known = &mut self.stops[body.slot()];
                if stop.fraction < known.fraction && (known.carrier.is_none() || !dynamic) {
                    *known = stop;
                    self.is_for_dynamic[body.slot()] = dynamic;
                }
                is_any = true;
            }
        }
        is_any
    }

    /// Bodies that have stopped for dynamic ones are met by kinematic ones later in the step.
    fn carry_stopped(&mut self, parameters: &WorldParameters, seen: &View) {
        for &i in &self.fast {
            let reached = self.bounds[i as usize];
            for j in 0..self.bounds.len() as u32 {
                let Some([geom, other]) = seen.pair(i, j) else { continue };
                let Some(body) = other.body.filter(|_| reached.intersects(&self.bounds[j as usize])) else { continue };
                let stop = self.stops[body.slot()];
                let is_kinematic = seen.kind(geom) == Some(BodyKind::Kinematic);
                if !is_kinematic || !self.is_for_dynamic[body.slot()] || !may_be_swept(parameters, seen, other) {
                    continue;
                }
                let (own, its) = (sweep(seen, geom).rest(stop.fraction), sweep(seen, other).at(stop.fraction));
                if let Some(t) = time_of_impact(&other.shape, &Sweep::fixed(its), &geom.shape, &own) {
                    self.stops[body.slot()] = Stop { carrier: Some(own.rest(t)), ..stop };
                }
            }
        }
    }

    /// What joints hold together keeps the same share of its way, and is not carried: a joint may hold it to the world.
    fn share_by_joints(&mut self, joints: &Arena<Joint>) {
        self.parents.clear();
        self.parents.extend(0..self.stops.len() as u32);
        for (_, joint) in joints.iter() {
            for body in joint.definition.bodies.into_iter().flatten() {
                self.stops[body.slot()].carrier = None;
            }
            if let [Some(a), Some(b)] = joint.definition.bodies {
                let (a, b) = (root(&self.parents, a.slot() as u32), root(&self.parents, b.slot() as u32));
                let (first, second) = (a.min(b), a.max(b));
                self.parents[second as usize] = first;
                let stop = self.stops[second as usize];
                if stop.fraction < self.stops[first as usize].fraction {
                    self.stops[first as usize] = stop;
                }
            }
        }
        for slot in 0..self.stops.len() {
            self.stops[slot] = self.stops[root(&self.parents, slot as u32) as usize];
        }
    }

    fn put_back(
        &mut self,
        parameters: &WorldParameters,
        bodies: &Bodies,
        state: &mut State,
        work: &mut Workspace,
        report: &mut StepReport,
    ) {
        self.energies.clear();
        self.energies.resize(bodies.slots(), [0.0; 2]);
        for (id, body) in bodies.iter() {
            let (slot, stop) = (id.slot(), self.stops[id.slot()]);
            if stop.fraction >= 1.0 || body.kind != BodyKind::Dynamic || !state.bodies[slot].is_enabled {
                continue;
            }
            report.stopped_at_impact += 1;
            if work.forest.of_body.get(slot).is_some_and(Option::is_some) {
                continue;
            }
            let motion = &mut state.bodies[slot].motion;
            let to = motion.frame(body.mass.center);
            let kept = stop.end(&Sweep { from: work.poses[slot], to, center: body.mass.center });
            let left = motion.position - kept.point(body.mass.center);
            motion.position = kept.point(body.mass.center);
            // With the body's turn its angular velocity goes back too: in the body it is the same, and so is its energy.
            motion.omega = kept.rotation * (motion.rotation.conjugate() * motion.omega);
            motion.rotation = kept.rotation;
            let view = &work.views[slot];
            if view.whitening.is_some() && view.clique == NONE {
                motion.velocity = view.velocity + stop.fraction * (motion.velocity - view.velocity);
                continue;
            }
            let omega = motion.rotation.conjugate() * motion.omega;
            let sum = &mut self.energies[root(&self.parents, slot as u32) as usize];
            sum[0] +=
                0.5 * (body.mass.mass * motion.velocity.length_squared() + omega.dot(body.mass.inertia() * omega));
            if body.gravity {
                sum[1] += body.mass.mass * parameters.gravity.dot(left);
            }
        }
        for (id, _) in bodies.iter() {
            let [kinetic, fall] = self.energies[root(&self.parents, id.slot() as u32) as usize];
            let view = &work.views[id.slot()];
            let is_free = view.whitening.is_some() && view.clique == NONE;
            if self.stops[id.slot()].fraction < 1.0 && fall > 0.0 && !is_free {
                let factor = (1.0 - fall / kinetic).max(0.0).sqrt();
                let motion = &mut state.bodies[id.slot()].motion;
                motion.velocity *= factor;
                motion.omega *= factor;
            }
        }
        for tree in work.forest.trees.iter_mut().filter(|tree| tree.is_awake) {
            let fraction = self.stops[tree.bodies[0] as usize].fraction;
            if fraction < 1.0 {
                tree.stop_at(fraction, parameters.gravity, bodies, state, report);
            }
        }
    }
}

fn root(parents: &[u32], mut slot: u32) -> u32 {
    while parents[slot as usize] != slot {
        slot = parents[slot as usize];
    }
    slot
}

/// The motion of a shape in the step, about its body's centre of mass.
fn sweep(seen: &View, geom: &Geom) -> Sweep {
    let [from, to] = seen.poses(geom);
    let center = seen.body(geom).map_or(DVec3::ZERO, |b| b.mass.center);
    Sweep { from, to, center: geom.pose.inverse_point(center) }
}

/// The world's rule and the body's own wish let a shape's body be stopped, or take others along. To stop a mechanism for one of its
/// limbs costs all of them their way: only where that is asked for.
fn may_be_swept(parameters: &WorldParameters, seen: &View, geom: &Geom) -> bool {
    seen.body(geom).is_some_and(|body| body.is_swept || parameters.swept == SweptRule::Fast && body.joints.is_empty())
}

/// Which of two bodies stops, and where, if the first, whose shape is fast, comes to touch the other.
fn impact(parameters: &WorldParameters, seen: &View, [geom, other]: [&Geom; 2]) -> Option<(BodyId, Stop)> {
    let (own, its) = (sweep(seen, geom), sweep(seen, other));
    match (seen.kind(geom)?, seen.kind(other)) {
        (BodyKind::Dynamic, of_other) => {
            let fraction = time_of_impact(&geom.shape, &own, &other.shape, &its)?;
            let carrier = (of_other == Some(BodyKind::Kinematic)).then(|| its.rest(fraction));
            Some((geom.body?, Stop { fraction, carrier }))
        }
        (BodyKind::Kinematic, Some(BodyKind::Dynamic)) if may_be_swept(parameters, seen, other) => {
            let fraction = time_of_impact(&other.shape, &its, &geom.shape, &own)?;
            Some((other.body?, Stop { fraction, carrier: Some(own.rest(fraction)) }))
        }
        _ => None,
    }
}
