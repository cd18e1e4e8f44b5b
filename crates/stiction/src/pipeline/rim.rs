//! What is round at its ends and rolls on a rim, as a coin that comes to rest.
//!
//! Four points of a rim, the first of them the lowest, stand for an end that lies flat. Where it is tilted, the lowest one alone
//! touches, and goes around the rim faster than anything moves: the others are no places of the contact, and a patch of all four would be used
//! again while the body tilts about a point that has gone on.

use glam::DVec3;

use super::context::Model;
use crate::collision::ManifoldPoint;
use crate::model::{Geom, SolverKind, State};
use crate::shape::Shape;

/// Gaps up to so many times the way of the points in the step may close in it.
const AHEAD: f64 = 1.5;

/// Leaves the points of a rim that touch, or may touch in the step, if those are no more than two; in sub-steps.
pub(super) fn keep_touching(
    (model, state, step): (&Model, &State, f64),
    geoms: [&Geom; 2],
    points: &mut Vec<ManifoldPoint>,
) {
    let has_rim = |geom: &Geom| matches!(geom.shape, Shape::Cylinder(_) | Shape::Cone(_));
    let of_substeps = model.parameters.solver == SolverKind::Substeps;
    if points.len() <= 2 || !of_substeps || !geoms.into_iter().any(has_rim) {
        return;
    }
    let motions = geoms.map(|geom| geom.body.map(|body| &state.bodies[body.slot()].motion));
    let fall = model.parameters.gravity.length() * step * step;
    let may_touch = |point: &ManifoldPoint| {
        let [a, b] = motions.map(|m| m.map_or(DVec3::ZERO, |m| m.point_velocity(point.position)));
        point.depth >= -fall - AHEAD * step * point.normal.dot(b - a).abs()
    };
    if (1..=2).contains(&points.iter().filter(|point| may_touch(point)).count()) {
        points.retain(may_touch);
    }
}
