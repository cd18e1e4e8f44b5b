//! Fast bodies stop where they would first touch, so that the next step finds the contact (continuous collision detection).
//!
//! Contacts are found at the start of a step; what moves by more than half its inner radius in one may have passed a thin plate at
//! its end. Its shapes are cast from where they were to where they are; with an impact at the fraction t of the step, the body and
//! all that joints hold to it stay at t of their ways. Their velocities hold: the next step has the contact, and stops or
//! bounces them. What a free body had of the step's forces after the impact is taken off again, `v = v⁰ + t (v⁺ − v⁰)`.
//!
//! A shape that touches another at the start of the step slides on it, or is pushed out; it is not held, but its core, a
//! ball of half the inner radius, must not go through.

use glam::{DQuat, DVec3};

use super::islands::NONE;
use super::swept::View;
use super::{StepReport, Workspace};
use crate::base::Arena;
use crate::collision::{Sweep, cast};
use crate::joints::Joint;
use crate::math::Pose;
use crate::shape::{Aabb, Shape, Sphere};
use crate::world::{Bodies, BodyKind, Geom, State, SweptRule, WorldParameters};

/// Way in a step, in inner radii, above which a body is fast.
const FAST: f64 = 0.5;
/// Overlap that a stopped body has, in inner radii: the contact is found, and hardly pushed out.
const TOUCH: f64 = 1e-5;
/// Radius of the core, in inner radii.
const CORE: f64 = 0.5;

/// Memory of the search for impacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Impacts {
    /// Shapes of fast bodies.
    fast: Vec<u32>,
    /// By slot of a body: how much of its way it keeps.
    fractions: Vec<f64>,
    /// By slot of a body: one that joints hold it to, or itself.
    parents: Vec<u32>,
    bounds: Vec<Aabb>,
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
    if !impacts.fast.is_empty() && impacts.cast_all(&seen) {
        impacts.share_by_joints(joints);
        impacts.put_back(bodies, state, work, report);
    }
    work.impacts = impacts;
}

/// Inner radius of a shape: half its thickness. A flat one counts as a twentieth as thick as it is long.
fn inner_radius(bounds: &Aabb) -> f64 {
    let size = bounds.size();
    (0.5 * size.min_element()).max(0.025 * size.max_element())
}

fn is_cast(shape: &Shape) -> bool {
    !matches!(shape, Shape::Ray(_) | Shape::Plane(_) | Shape::Heightfield(_))
}

impl Impacts {
    fn find_fast(&mut self, parameters: &WorldParameters, seen: &View) {
        self.fast.clear();
        for slot in 0..seen.geoms.slots() {
            let Some(geom) = seen.geoms.at(slot).filter(|g| g.is_enabled && g.bounds.is_finite()) else { continue };
            let Some(body) = geom.body.and_then(|b| seen.bodies.get(b)) else { continue };
            let Some(at) = geom.body.map(|b| b.slot()) else { continue };
            if body.kind != BodyKind::Dynamic || !is_cast(&geom.shape) {
                continue;
            }
            let is_asked = body.is_swept || parameters.swept == SweptRule::Fast;
            let (before, motion) = (&seen.before[at], &seen.state.bodies[at].motion);
            let way = motion.position - before.point(body.mass.center);
            // The turn by a quaternion's vector part: |q⁺ − q⁰| is half the angle of a small turn.
            let (p, q) = (before.rotation, motion.rotation);
            let turn = 2.0 * (q - p).length().min((q + p).length());
            if !is_asked || way == DVec3::ZERO && turn == 0.0 {
                continue;
            }
            let inner = inner_radius(&geom.bounds);
            let arm = geom.bounds.center() - geom.pose.inverse_point(body.mass.center);
            let reach = arm.length() + 0.5 * geom.bounds.size().length() - inner;
            if way.length() + turn * reach > FAST * inner {
                self.fast.push(slot as u32);
            }
        }
    }

    /// First impacts of all fast shapes; returns whether there is one.
    fn cast_all(&mut self, seen: &View) -> bool {
        self.fractions.clear();
        self.fractions.resize(seen.bodies.slots(), 1.0);
        self.bounds.clear();
        for slot in 0..seen.geoms.slots() {
            let bounds = seen.geoms.at(slot).map_or(Aabb::EMPTY, |geom| sweep(seen, geom).bounds(&geom.bounds));
            self.bounds.push(bounds);
        }
        let mut is_any = false;
        for &i in &self.fast {
            let Some(body) = seen.geoms.at(i as usize).and_then(|g| g.body) else { continue };
            let reached = self.bounds[i as usize];
            for j in 0..self.bounds.len() as u32 {
                if j == i || !reached.intersects(&self.bounds[j as usize]) {
                    continue;
                }
                let Some([geom, other]) = seen.pair(i, j) else { continue };
                if let Some(fraction) = impact(seen, geom, other) {
                    let mut keep = |id: crate::base::BodyId| {
                        let known = &mut self.fractions[id.slot()];
                        *known = known.min(fraction);
                    };
                    keep(body);
                    is_any = true;
                }
            }
        }
        is_any
    }

    /// What joints hold together keeps the same share of its way.
    fn share_by_joints(&mut self, joints: &Arena<Joint>) {
        self.parents.clear();
        self.parents.extend(0..self.fractions.len() as u32);
        for (_, joint) in joints.iter() {
            if let [Some(a), Some(b)] = joint.definition.bodies {
                let (a, b) = (root(&self.parents, a.slot() as u32), root(&self.parents, b.slot() as u32));
                let (first, second) = (a.min(b), a.max(b));
                self.parents[second as usize] = first;
                self.fractions[first as usize] = self.fractions[first as usize].min(self.fractions[second as usize]);
            }
        }
        for slot in 0..self.fractions.len() {
            self.fractions[slot] = self.fractions[root(&self.parents, slot as u32) as usize];
        }
    }

    fn put_back(&self, bodies: &Bodies, state: &mut State, work: &Workspace, report: &mut StepReport) {
        for (id, body) in bodies.iter() {
            let (slot, fraction) = (id.slot(), self.fractions[id.slot()]);
            if fraction >= 1.0 || body.kind != BodyKind::Dynamic || !state.bodies[slot].is_enabled {
                continue;
            }
            report.stopped_at_impact += 1;
            let motion = &mut state.bodies[slot].motion;
            let to = motion.frame(body.mass.center);
            let kept = Sweep { from: work.poses[slot], to, center: body.mass.center }.at(fraction);
            motion.position = kept.point(body.mass.center);
            motion.rotation = kept.rotation;
            let view = &work.views[slot];
            let is_free = view.whitening.is_some() && view.clique == NONE;
            if is_free {
                motion.velocity = view.velocity + fraction * (motion.velocity - view.velocity);
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
    let center = geom.body.and_then(|b| seen.bodies.get(b)).map_or(DVec3::ZERO, |b| b.mass.center);
    Sweep { from, to, center: geom.pose.inverse_point(center) }
}

/// The fraction of the step at which a fast shape comes to touch another one.
fn impact(seen: &View, geom: &Geom, other: &Geom) -> Option<f64> {
    let (own, its) = (sweep(seen, geom), sweep(seen, other));
    let inner = inner_radius(&geom.bounds);
    let gap = TOUCH * inner;
    let mut hit = cast(&geom.shape, &own, &other.shape, &its, gap)?;
    if hit.fraction == 0.0 {
        // The core of the shape, about the middle of its box.
        let middle = geom.bounds.center();
        let core = Shape::Sphere(Sphere { radius: CORE * inner });
        let of_core = |pose: &Pose| Pose::new(pose.point(middle), DQuat::IDENTITY);
        let way = Sweep { from: of_core(&own.from), to: of_core(&own.to), center: DVec3::ZERO };
        hit = cast(&core, &way, &other.shape, &its, gap)?;
        return (hit.fraction > 0.0).then_some(hit.fraction);
    }
    // On, until they overlap by as much as the gap was.
    let approach =
        (its.to.position - its.from.position - own.to.position + own.from.position).dot(hit.proximity.normal);
    let further = if approach > 0.0 { (hit.proximity.distance + gap) / approach } else { 0.0 };
    Some((hit.fraction + further).min(1.0))
}
