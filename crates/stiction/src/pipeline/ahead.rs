//! Gaps that close by the way past an edge, and not by a way into it.
//!
//! The row of a contact across a gap d lets its points close in by d in a step, along the normal that the shapes have while they
//! are apart. A box that slides over flush tiles has the next tile before it, across a gap along its way; once there, the two
//! overlap by nothing, and the normal is that of the floor. Where motion carries the shapes into each other, the contact is the
//! one that they have at the end of the step: a gap is passed by if they do not touch there, or touch from another side by much less
//! than the way that the row would take. What rests in sub-steps overlaps a little, and stays as deep where it passes an edge.

use glam::DVec3;

use super::context::Model;
use super::{middle, rules};
use crate::collision::{ContactQuery, ManifoldPoint};
use crate::dynamics::rotation::exponential;
use crate::material::ManifoldRule;
use crate::math::Pose;
use crate::model::{Geom, SolverKind, State, WorldParameters};

/// Share of the way beyond the gap, in sub-steps of the whole way, by which shapes overlap from another side that counts as nothing.
const GRAZES: f64 = 0.1;
/// Weights under which what rests overlaps by no more than counts as nothing.
const CARRIED: f64 = 4.0;
/// Cosine of another side.
const SAME_SIDE: f64 = 0.7;

/// All points are across a gap that the motion closes in a step, and at its end they are none. In sub-steps the same holds of points that
/// overlap by no more than what rests: the front of a box may have come past an edge by less than it has sunk into the floor.
pub(super) fn passes_by(
    (model, state, step): (&Model, &State, f64),
    (manifold, behind): (ManifoldRule, [bool; 2]),
    geoms: [&Geom; 2],
    poses: [&Pose; 2],
    points: &[ManifoldPoint],
    found: &mut Vec<ManifoldPoint>,
) -> bool {
    let horizon = middle::horizon(model.parameters, step);
    let velocity = |geom: &Geom, at: DVec3| {
        geom.body.map_or(DVec3::ZERO, |body| state.bodies[body.slot()].motion.point_velocity(at))
    };
    // How far the points close in.
    let way_of = |point: &ManifoldPoint| {
        -horizon * point.normal.dot(velocity(geoms[0], point.position) - velocity(geoms[1], point.position))
    };
    let of_substeps = model.parameters.solver == SolverKind::Substeps;
    let carried = if of_substeps { CARRIED * rest_overlap(model.parameters, step) } else { 0.0 };
    if points.iter().any(|point| point.depth >= carried)
        || points.iter().all(|point| point.depth + way_of(point) <= 0.0)
    {
        return false;
    }
    let most = |way: &dyn Fn(&ManifoldPoint) -> f64| points.iter().map(way).fold(0.0, f64::max);
    let nothing = if of_substeps {
        (GRAZES * most(&way_of)).max(carried)
    } else {
        GRAZES * most(&|point| point.depth + way_of(point))
    };
    let moved = |geom: &Geom, pose: &Pose| {
        geom.body.filter(|body| model.bodies.get(*body).is_some()).map_or(*pose, |body| {
            let motion = &state.bodies[body.slot()].motion;
            let turn = exponential(horizon * motion.omega);
            let center = motion.position;
            Pose::new(
                center + horizon * motion.velocity + turn * (pose.position - center),
                (turn * pose.rotation).normalize(),
            )
        })
    };
    let ends = [moved(geoms[0], poses[0]), moved(geoms[1], poses[1])];
    let query = ContactQuery { max_points: points.len().max(4), behind, ..ContactQuery::default() };
    rules::points(manifold, &query, geoms[0], geoms[1], [&ends[0], &ends[1]], found);
    let normal = points[0].normal;
    // What touches is not let go of.
    let may_be_none = points.iter().all(|point| point.depth < 0.0);
    (may_be_none || !found.is_empty())
        && found.iter().all(|point| point.normal.dot(normal).abs() < SAME_SIDE && point.depth < nothing)
}

/// Overlap of a rigid contact of sub-steps that carries its body's weight: `g / ω²` \[m\].
fn rest_overlap(parameters: &WorldParameters, step: f64) -> f64 {
    let part = step / f64::from(parameters.substeps.max(1));
    let frequency = parameters.contact_frequency(part);
    parameters.gravity.length() / (frequency * frequency)
}
