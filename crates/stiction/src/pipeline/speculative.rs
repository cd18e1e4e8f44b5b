//! Speculative contacts: what a shape would reach in the step is a contact with a gap, `u⁺ ≥ -gap / h`, so that it ends at the
//! surface with a velocity that has brought it there (Erin Catto, "Continuous Collision", GDC 2013).
//!
//! Only shapes that move by more than half their inner radius in a step have such contacts: the tip of a rod that topples, the
//! edge of a coin that settles. A gap counts where the point on one side, on its way in the step, meets the other shape: the plane
//! through a contact point goes on where the shape does not, and would be a wall in the air.

use glam::DVec3;

use super::Workspace;
use super::context::Model;
use crate::collision::impact::{inner_radius, is_far};
use crate::collision::{ManifoldPoint, ROUNDING};
use crate::math::Pose;
use crate::model::{Body, BodyId, BodyKind, Geom, SolverKind, State, SweptRule};
use crate::shape::Shape;

/// Ways that are looked at, in those of the step: an impact elsewhere on a body may double the speed of a point.
const FORESIGHT: f64 = 2.0;
/// Gap in inner radii up to which shapes count as touching.
const NEAR: f64 = 0.5;

/// How far a shape moves in a step, predicted at its start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Reach {
    /// The body's centre of mass moves by more than the inner radius.
    comes_from_afar: bool,
    /// Way of the farthest point; 0 of a slow shape \[m\].
    pub(super) farthest: f64,
}

/// A body that the swept test takes care of. To stop a mechanism for one of its limbs costs all of them their way: only where
/// that is asked for.
pub(super) fn is_swept(rule: SweptRule, body: &Body) -> bool {
    match rule {
        SweptRule::Off => false,
        SweptRule::Asked => body.is_swept,
        SweptRule::Fast => body.is_swept || body.joints.is_empty(),
    }
}

/// Of the shapes of a body, those thinner than this part of the thickest one do not tell where it may go through others: small
/// balls at the corners of a box.
const SLIGHT: f64 = 0.1;

/// The largest inner radius of each body's shapes \[m\], by slot.
pub(super) fn thicknesses(model: &Model, thickness: &mut Vec<f64>) {
    thickness.clear();
    thickness.resize(model.bodies.slots(), 0.0);
    for (_, geom) in model.geoms.iter() {
        if let Some(id) = geom.body.filter(|_| geom.is_enabled && geom.bounds.is_finite()) {
            let most = &mut thickness[id.slot()];
            *most = most.max(inner_radius(&geom.bounds));
        }
    }
}

/// A shape so thin beside others of its body that these tell whether the body goes through something.
pub(super) fn is_slight(geom: &Geom, thickness: &[f64]) -> bool {
    let most = geom.body.and_then(|id| thickness.get(id.slot())).copied().unwrap_or(0.0);
    inner_radius(&geom.bounds) < SLIGHT * most
}

/// How far all shapes move in a step, by slot; none where no shape is fast.
pub(super) fn predict(model: &Model, step: f64, state: &State, work: &mut Workspace) {
    let Workspace { extents, thickness, reaches, .. } = work;
    reaches.clear();
    if extents.read(model) {
        thicknesses(model, thickness);
    }
    let rule = model.parameters.swept;
    let of_substeps = model.parameters.solver == SolverKind::Substeps;
    // In sub-steps nothing overlaps that the margin did not hold.
    let of_margin = if of_substeps { 0.5 * model.parameters.contact_margin } else { f64::INFINITY };
    let may_be_fast = |(id, body): (BodyId, &Body)| {
        let (extent, motion) = (extents.of(id.slot()), &state.bodies[id.slot()].motion);
        let way = step * velocity_of_center(model, step, body, motion.velocity).length();
        extent.may_be_fast(way + step * motion.omega.length() * extent.reach, of_margin)
    };
    if rule == SweptRule::Off || !model.bodies.iter().any(may_be_fast) {
        return;
    }
    for slot in 0..model.geoms.slots() {
        let reach = model.geoms.at(slot).filter(|g| g.is_enabled).and_then(|geom| {
            let id = geom.body?;
            let body = model.bodies.get(id).filter(|body| is_swept(rule, body))?;
            if !state.bodies[id.slot()].is_enabled || geom.segment.is_some() {
                return None;
            }
            let motion = &state.bodies[id.slot()].motion;
            let center = geom.pose.inverse_point(body.mass.center);
            // A ball that spins about its centre goes nowhere.
            let is_round = matches!(geom.shape, Shape::Sphere(_)) && center == DVec3::ZERO;
            let turn = if is_round { 0.0 } else { step * motion.omega.length() };
            let way = step * velocity_of_center(model, step, body, motion.velocity).length();
            if !geom.bounds.is_finite() {
                return None;
            }
            let radius = (geom.bounds.center() - center).length() + 0.5 * geom.bounds.size().length();
            let leaves_margin = way + turn * radius > of_margin;
            if !(leaves_margin || is_far(&geom.bounds, center, way, turn)) {
                return None;
            }
            let inner = if is_slight(geom, thickness) { thickness[id.slot()] } else { inner_radius(&geom.bounds) };
            let farthest = FORESIGHT * (way + turn * radius);
            Some(Reach { comes_from_afar: way > inner, farthest })
        });
        if let Some(reach) = reach {
            reaches.resize(model.geoms.slots(), Reach::default());
            reaches[slot] = reach;
        }
    }
}

fn velocity_of_center(model: &Model, step: f64, body: &Body, velocity: DVec3) -> DVec3 {
    let falls = body.kind == BodyKind::Dynamic && body.gravity;
    if falls { velocity + step * model.parameters.gravity } else { velocity }
}

/// Both shapes of a pair are slow.
pub(super) fn are_slow(reaches: &[Reach], slots: [u32; 2]) -> bool {
    slots.into_iter().all(|slot| reaches.get(slot as usize).is_none_or(|reach| reach.farthest == 0.0))
}

/// Two shapes of which one is fast.
pub(super) struct Couple<'a> {
    geoms: [&'a Geom; 2],
    poses: [&'a Pose; 2],
    model: &'a Model<'a>,
    state: &'a State,
    step: f64,
    /// Gap that may close in the step \[m\].
    pub(super) margin: f64,
    /// Gap up to which the shapes count as touching \[m\]; infinite where no body moves by more than the inner radius.
    near: f64,
}

impl<'a> Couple<'a> {
    /// `None` where both shapes are slow.
    pub(super) fn new(
        reaches: &[Reach],
        slots: [u32; 2],
        geoms: [&'a Geom; 2],
        poses: [&'a Pose; 2],
        (model, state, step): (&'a Model<'a>, &'a State, f64),
    ) -> Option<Self> {
        let own = slots.map(|slot| reaches.get(slot as usize).copied().unwrap_or_default());
        let margin = own[0].farthest + own[1].farthest;
        if margin == 0.0 || geoms.iter().any(|geom| geom.segment.is_some()) {
            return None;
        }
        let mut near = f64::INFINITY;
        for (reach, geom) in own.iter().zip(geoms) {
            if reach.comes_from_afar {
                near = near.min(NEAR * inner_radius(&geom.bounds));
            }
        }
        Some(Self { geoms, poses, model, state, step, margin, near })
    }

    /// What is far and moves by more than its inner radius is stopped on its way instead: where it will touch is not known yet.
    pub(super) fn is_near(&self, points: &[ManifoldPoint]) -> bool {
        points.iter().any(|point| -point.depth <= self.near)
    }

    /// The gap at a point closes in the step, be it at twice its speed.
    pub(super) fn closes(&self, point: &ManifoldPoint) -> bool {
        let gap = -point.depth;
        let ends = [0.5, -0.5].map(|side| point.position + side * gap * point.normal);
        let way = FORESIGHT * self.step * (self.velocity(0, ends[0]) - self.velocity(1, ends[1]));
        if -way.dot(point.normal) < gap {
            return false;
        }
        let length = way.length();
        let meets = |side: usize, from: DVec3, direction: DVec3| {
            let geom = self.geoms[side];
            geom.shape.ray_cast(self.poses[side], from, direction, length).is_some()
        };
        let outside = ROUNDING * point.normal;
        meets(1, ends[0] + outside, way / length) || meets(0, ends[1] - outside, -way / length)
    }

    /// Velocity of a point of a body, with what gravity adds in the step \[m/s\].
    fn velocity(&self, side: usize, point: DVec3) -> DVec3 {
        let Some(id) = self.geoms[side].body else { return DVec3::ZERO };
        let Some(body) = self.model.bodies.get(id) else { return DVec3::ZERO };
        let velocity = self.state.bodies[id.slot()].motion.point_velocity(point);
        velocity_of_center(self.model, self.step, body, velocity)
    }
}
