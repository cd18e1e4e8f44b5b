//! Fast bodies stop where they would first touch, so that the next step finds the contact (continuous collision detection).
//!
//! Contacts are found at the start of a step; what moves by more than half its inner radius in one may have passed a thin plate at
//! its end. Its shapes are cast from where they were to where they are; with an impact at the fraction t of the step, the body and
//! all that joints hold to it stay at t of their ways. Their velocities hold: the next step has the contact, and stops or
//! bounces them. What forces did after the impact is taken off again: of a free body `v = v⁰ + t (v⁺ − v⁰)`; of others the work
//! of gravity on the way that they do not go, by a common factor of their velocities.
//!
//! A shape that touches another at the start of the step slides on it, or is pushed out; it is not held, but its core must not go
//! through: the largest of several smaller copies of it that is free of the other shape then.

use glam::DVec3;

use super::islands::NONE;
use super::swept::View;
use super::{StepReport, Workspace};
use crate::base::Arena;
use crate::collision::{Sweep, cast};
use crate::joints::Joint;
use crate::math::Pose;
use crate::shape::{Aabb, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Shape, Sphere};
use crate::world::{Bodies, BodyKind, Geom, State, SweptRule, WorldParameters};

/// Way in a step, in inner radii, above which a body is fast.
const FAST: f64 = 0.5;
/// Overlap that a stopped body has, in inner radii: the contact is found, and hardly pushed out.
const TOUCH: f64 = 1e-5;
/// Sizes of cores, relative to the shape.
const CORES: [f64; 10] = [0.95, 0.8, 0.6, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01];

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
    if !impacts.fast.is_empty() && impacts.cast_all(&seen) {
        impacts.share_by_joints(joints);
        impacts.put_back(parameters, bodies, state, work, report);
    }
    work.impacts = impacts;
}

/// Inner radius of a shape: half its thickness. A sheet without any counts as a twentieth as thick as it is long.
fn inner_radius(bounds: &Aabb) -> f64 {
    let size = bounds.size();
    if size.min_element() > 0.0 { 0.5 * size.min_element() } else { 0.025 * size.max_element() }
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
            // To stop a mechanism for one of its limbs costs all of them their way: only where that is asked for.
            let is_asked = body.is_swept || parameters.swept == SweptRule::Fast && body.joints.is_empty();
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
            let (slot, fraction) = (id.slot(), self.fractions[id.slot()]);
            if fraction >= 1.0 || body.kind != BodyKind::Dynamic || !state.bodies[slot].is_enabled {
                continue;
            }
            report.stopped_at_impact += 1;
            if work.forest.of_body.get(slot).is_some_and(Option::is_some) {
                continue;
            }
            let motion = &mut state.bodies[slot].motion;
            let to = motion.frame(body.mass.center);
            let kept = Sweep { from: work.poses[slot], to, center: body.mass.center }.at(fraction);
            let left = motion.position - kept.point(body.mass.center);
            motion.position = kept.point(body.mass.center);
            motion.rotation = kept.rotation;
            let view = &work.views[slot];
            if view.whitening.is_some() && view.clique == NONE {
                motion.velocity = view.velocity + fraction * (motion.velocity - view.velocity);
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
            if self.fractions[id.slot()] < 1.0 && fall > 0.0 && !is_free {
                let factor = (1.0 - fall / kinetic).max(0.0).sqrt();
                let motion = &mut state.bodies[id.slot()].motion;
                motion.velocity *= factor;
                motion.omega *= factor;
            }
        }
        for tree in work.forest.trees.iter_mut().filter(|tree| tree.is_awake) {
            let fraction = self.fractions[tree.bodies[0] as usize];
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
        hit = CORES.iter().find_map(|size| {
            let (shape, offset) = core(&geom.shape, &geom.bounds, *size);
            let [from, to] = [own.from, own.to].map(|pose| pose.compose(&offset));
            let way = Sweep { from, to, center: offset.inverse_point(own.center) };
            // One that is free ends the search, whether it hits or not.
            match cast(&shape, &way, &other.shape, &its, gap) {
                Some(hit) if hit.fraction == 0.0 => None,
                found => Some(found),
            }
        })??;
        return Some(hit.fraction);
    }
    // On, until they overlap by as much as the gap was.
    let approach =
        (its.to.position - its.from.position - own.to.position + own.from.position).dot(hit.proximity.normal);
    let further = if approach > 0.0 { (hit.proximity.distance + gap) / approach } else { 0.0 };
    Some((hit.fraction + further).min(1.0))
}

/// A copy of a shape of another size about a point well inside, with its pose in the shape's frame. What has no such copy has a
/// ball.
fn core(shape: &Shape, bounds: &Aabb, size: f64) -> (Shape, Pose) {
    let at = |z: f64| Pose::from_position(z * DVec3::Z);
    match shape {
        Shape::Sphere(s) => (Shape::Sphere(Sphere { radius: size * s.radius }), Pose::IDENTITY),
        Shape::Box(s) => (Shape::Box(Cuboid { half_extents: size * s.half_extents }), Pose::IDENTITY),
        Shape::Capsule(s) => {
            (Shape::Capsule(Capsule { radius: size * s.radius, half_length: size * s.half_length }), Pose::IDENTITY)
        }
        Shape::Cylinder(s) => {
            (Shape::Cylinder(Cylinder { radius: size * s.radius, half_length: size * s.half_length }), Pose::IDENTITY)
        }
        Shape::Ellipsoid(s) => (Shape::Ellipsoid(Ellipsoid { semi_axes: size * s.semi_axes }), Pose::IDENTITY),
        // About a quarter of its height.
        Shape::Cone(s) => (
            Shape::Cone(Cone { radius: size * s.radius, half_length: size * s.half_length }),
            at(-0.5 * s.half_length * (1.0 - size)),
        ),
        Shape::ConvexHull(hull) => {
            let center = hull.centroid();
            let inner = hull.faces().iter().fold(f64::INFINITY, |r, f| r.min(f.offset - f.normal.dot(center)));
            (Shape::Sphere(Sphere { radius: size * inner }), Pose::from_position(center))
        }
        _ => (Shape::Sphere(Sphere { radius: size * inner_radius(bounds) }), Pose::from_position(bounds.center())),
    }
}
