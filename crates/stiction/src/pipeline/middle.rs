//! Contacts in the middle of a step.
//!
//! Sub-steps solve rows in the pose of the middle of their impulses. Contacts that bore in the last step are looked for there too,
//! so that a wheel that rolls has its contact below it and not where it was half a step ago: rolling is of second order then.
//! What has just come is looked for at the start: nothing is sought inside a wall.

use glam::DVec3;

use super::Workspace;
use super::context::Model;
use super::detect::{ContactInput, NO_START, StartOfPoint};
use super::rules;
use crate::collision::{ContactQuery, ManifoldPoint, collide_among};
use crate::dynamics::rotation::exponential;
use crate::material::ManifoldRule;
use crate::math::Pose;
use crate::model::{BodyKind, Geom, SolverKind, State, WorldParameters};
use crate::shape::Shape;

/// Turn in a step below which a body keeps the frame of its start \[rad\].
const TURNS: f64 = 1e-5;

/// Whether a body with an angular velocity \[rad/s\] turns in a step.
pub(super) fn turns(step: f64, omega: DVec3) -> bool {
    step * omega.length() > TURNS
}

/// Time from the start of a step to the pose of its rows, the middle of its impulses: these come in the middles of the sub-steps \[s\].
pub(super) fn time_of_middle(step: f64) -> f64 {
    0.5 * step
}

/// Time from the start of a step to the end of the way that the velocities of its last sub-step make, half of it in the next step \[s\]: what closes by
/// then has to be a contact.
pub(super) fn horizon(parameters: &WorldParameters, step: f64) -> f64 {
    match parameters.solver {
        SolverKind::Substeps => horizon_of_substeps(step, step / f64::from(parameters.substeps.max(1))),
        _ => step,
    }
}

/// The same with sub-steps of this length \[s\].
pub(super) fn horizon_of_substeps(step: f64, part: f64) -> f64 {
    step + 0.5 * part
}

/// Poses of all shapes in the middle; none where nothing asks for them.
pub(super) fn poses(model: &Model, step: f64, state: &State, work: &mut Workspace) {
    let Workspace { geom_poses, middle_poses, .. } = work;
    middle_poses.clear();
    let center = time_of_middle(step);
    if model.parameters.solver != SolverKind::Substeps {
        return;
    }
    middle_poses.extend_from_slice(geom_poses);
    for (slot, pose) in middle_poses.iter_mut().enumerate() {
        let Some(body) = model.geoms.at(slot).and_then(|geom| geom.body) else { continue };
        let own = &state.bodies[body.slot()];
        let is_still = !own.is_enabled && model.bodies.get(body).is_some_and(|b| b.kind == BodyKind::Dynamic);
        let m = &own.motion;
        if is_still || (m.velocity == DVec3::ZERO && m.omega == DVec3::ZERO) {
            continue;
        }
        let ahead = m.position + center * m.velocity;
        if turns(step, m.omega) {
            let turn = exponential(center * m.omega);
            *pose = Pose::new(ahead + turn * (pose.position - m.position), (turn * pose.rotation).normalize());
        } else {
            pose.position += ahead - m.position;
        }
    }
}

/// Turn in half a step from which a new contact of a rolling shape is looked for in the middle \[rad\].
const ROLLS: f64 = 1e-3;

/// How far such a shape may come nearer in half a step, relative to its size.
const NEARER: f64 = 0.05;

/// New contacts, found at the start of the step, are of a shape that rolls on a rim or another curved place that has no skin. Turned with the body, the
/// contact point of the start has left the ground by the middle of the step, so it is looked for there, provided that the shapes do not come to overlap by
/// more than a small part of their size.
pub(super) fn rolls_into_contact(
    (model, state, step): (&Model, &State, f64),
    geoms: [&Geom; 2],
    points: &[ManifoldPoint],
) -> bool {
    let half = time_of_middle(step);
    let motions = geoms.map(|geom| geom.body.map(|body| &state.bodies[body.slot()].motion));
    let rolls = |side: usize| {
        let is_curved = matches!(geoms[side].shape, Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_));
        is_curved && motions[side].is_some_and(|motion| half * motion.omega.length() > ROLLS)
    };
    if model.parameters.solver != SolverKind::Substeps || !(rolls(0) || rolls(1)) {
        return false;
    }
    let size = geoms.map(|geom| geom.bounds.size().min_element()).into_iter().fold(f64::INFINITY, f64::min);
    let [first, second] = motions.map(|motion| motion.map_or(DVec3::ZERO, |motion| motion.velocity));
    points.iter().all(|point| half * point.normal.dot(second - first) + point.depth.max(0.0) < NEARER * size)
}

/// What the start of a step is looked up in.
pub(super) struct Start<'a> {
    pub(super) state: &'a State,
    pub(super) step: f64,
    pub(super) poses: [&'a Pose; 2],
}

/// Where points of the middle were at the start. A single point, or two, may have rolled over the surfaces: they are looked for
/// again where bodies turn. `None` is not looked for, not found, or elsewhere: a capsule that rocks touches with its other end.
pub(super) fn starts(
    start: &Start,
    (manifold, margin, max_points): (ManifoldRule, f64, usize),
    geoms: [&Geom; 2],
    points: &[ManifoldPoint],
    found: &mut Vec<ManifoldPoint>,
    out: &mut Vec<Option<StartOfPoint>>,
) {
    let Start { state, step, poses } = start;
    let turns = |geom: &Geom| geom.body.is_some_and(|b| turns(*step, state.bodies[b.slot()].motion.omega));
    // A ball near the edges of triangles has points on all of them.
    let rolls =
        (points.len() <= 2 || geoms.into_iter().any(|geom| geom.shape.has_no_faces())) && geoms.into_iter().any(turns);
    if rolls {
        let margin = margin.max(2.0 * points.iter().fold(0.0, |most, p| f64::max(most, p.depth.abs())));
        let query = ContactQuery { max_points, margin, whole_faces: true, ..ContactQuery::default() };
        let shapes = geoms.map(|geom| &geom.shape);
        match manifold {
            ManifoldRule::Face => collide_among(shapes, *poses, &query, points, found),
            ManifoldRule::Single => rules::points(manifold, &query, geoms[0], geoms[1], *poses, found),
        }
    } else {
        found.clear();
    }
    let is_one = points.len() == 1 && found.len() == 1;
    out.clear();
    out.extend(points.iter().map(|point| {
        let own = found.iter().find(|own| own.feature == point.feature || is_one)?;
        let [before, after] = [own, point].map(|point| (point.position, point.normal));
        let around = [0, 1].map(|k| times_around(geoms[k], poses[k], after.1));
        if !follows((state, *step), (geoms, around), before, after) {
            return None;
        }
        Some(StartOfPoint { position: own.position, normal: own.normal, depth: own.depth, is_found: true })
    }));
}

/// How far a point moves over surfaces by the turn of bodies of the same size: what is flatter than that has no rate.
const FLATTEST: f64 = 2.0;

/// Turn of the lowest point of a rim about its axis in half a step up to which it has a rate \[rad\].
const AROUND: f64 = 0.25;

/// How many times as fast as the axis of a shape turns the point goes that touches along a normal: the lowest point of a rim whose axis leans by
/// α from the normal follows the direction across it, `n − (n·a) a` of length sin α, and goes around `1/sin α` times as fast. 1 of other shapes.
fn times_around(geom: &Geom, pose: &Pose, normal: DVec3) -> f64 {
    match geom.shape {
        Shape::Cylinder(_) | Shape::Cone(_) => {
            1.0 / normal.cross(pose.rotation * DVec3::Z).length().max(f64::MIN_POSITIVE)
        }
        _ => 1.0,
    }
}

/// A point has come from one place to another in half a step, and its normal with it, by sliding and rolling: no further than the
/// surfaces move against each other, and than they turn, or their rims go around.
pub(super) fn follows(
    (state, step): (&State, f64),
    (geoms, around): ([&Geom; 2], [f64; 2]),
    before: (DVec3, DVec3),
    after: (DVec3, DVec3),
) -> bool {
    let motions = geoms.map(|geom| geom.body.map(|body| &state.bodies[body.slot()].motion));
    let [first, second] = motions.map(|m| m.map_or(DVec3::ZERO, |m| m.point_velocity(after.0)));
    let turns = [0, 1].map(|k| motions[k].map_or(0.0, |m| m.omega.length()));
    let turn: f64 = turns.into_iter().sum();
    let half = 0.5 * step;
    let goes_around = [0, 1].map(|k| f64::max(turns[k], (turns[k] * around[k]).min(AROUND / (FLATTEST * half))));
    let size = geoms.map(|geom| 0.5 * geom.bounds.size().length()).into_iter().fold(f64::INFINITY, f64::min);
    let sliding = (first - second).length();
    let reach = |turn: f64| FLATTEST * half * (sliding + turn * size);
    let carried = half * 0.5 * (first + second);
    let way = after.0 - before.0;
    (way - carried).length() <= reach(goes_around[0] + goes_around[1])
        && (after.1 - before.1).length() * size <= reach(turn)
}

/// A contact of the middle where its bodies had it at the start.
pub(super) fn carried_back(state: &State, center: f64, contact: &ContactInput) -> StartOfPoint {
    let [first, second] = contact.bodies.map(|slot| {
        slot.map_or(DVec3::ZERO, |slot| state.bodies[slot as usize].motion.point_velocity(contact.position))
    });
    StartOfPoint {
        position: contact.position - 0.5 * center * (first + second),
        normal: contact.normal,
        depth: contact.depth + center * contact.normal.dot(first - second),
        is_found: false,
    }
}

/// Puts a contact back to the start of the step.
pub(super) fn back_to_start(contact: &mut ContactInput, starts: &[StartOfPoint]) {
    if let Some(start) = starts.get(contact.start as usize) {
        (contact.position, contact.normal, contact.depth) = (start.position, start.normal, start.depth);
        contact.start = NO_START;
    }
}

/// The same of one that has its force: its normal stays that in which it acted.
pub(super) fn place_back(contact: &mut ContactInput, starts: &[StartOfPoint]) {
    if let Some(start) = starts.get(contact.start as usize) {
        (contact.position, contact.depth) = (start.position, start.depth);
        contact.start = NO_START;
    }
}
