//! Open meshes that are met from behind.

use glam::DVec3;

use crate::collision::{behind, is_two_sided};
use crate::dynamics::rotation::exponential;
use crate::math::Pose;
use crate::model::{CachedPoint, Geom, State};

/// Which sides are open meshes that the other one has come to from behind. While they touch that is remembered: what has sunk in
/// by more than half is on the side that it came from. The places of the shapes before the last step decide.
pub(super) fn came_from_behind(
    state: &State,
    geoms: [&Geom; 2],
    poses: [&Pose; 2],
    margin: f64,
    old: &[CachedPoint],
) -> [bool; 2] {
    if !geoms.iter().any(|geom| is_two_sided(&geom.shape)) {
        return [false; 2];
    }
    // A place of the first shape before the step, and one of then on the second as that is now.
    let step = state.last_step;
    let motion = |geom: &Geom| geom.body.map(|body| &state.bodies[body.slot()].motion);
    let came = |of: usize, at: DVec3| {
        let before = motion(geoms[of])
            .map_or(at, |m| m.position - step * m.velocity + exponential(-step * m.omega) * (at - m.position));
        motion(geoms[1 - of])
            .map_or(before, |m| m.position + exponential(step * m.omega) * (before - m.position + step * m.velocity))
    };
    let shapes = geoms.map(|geom| &geom.shape);
    old.first().map_or_else(|| behind(shapes, poses, margin, came), |point| point.behind)
}
