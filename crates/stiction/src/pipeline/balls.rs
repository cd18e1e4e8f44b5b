//! Patches of balls: the one point of a ball that bears follows from its centre.
//!
//! A ball rolls, so that its point is on another place of it in every step. All else is as it was: the rule of the pair, its impulses, and
//! on which of the two bodies its normal is.

use glam::DVec3;

use super::found::FoundContacts;
use super::patches::{
    Facing, PLACED, PatchPlace, PatchSources, bodies_of_shapes, body_of, tolerance_of_skin, write_head, write_point,
    write_ways,
};
use super::{middle, rounded};
use crate::collision::surface_in_world;
use crate::math::Pose;
use crate::model::{PatchHead, RelativePlace};
use crate::shape::Shape;
use crate::solvers::soft::{GIVEN, MANIFOLD_RECORDS, NORMAL_PLACE, Record, forget_ways};

/// Poses of all shapes at the start of a step, and in the middle of its impulses.
#[derive(Clone, Copy)]
pub(super) struct StepPoses<'a> {
    pub(super) start: &'a [Pose],
    pub(super) middle: &'a [Pose],
}

/// Adds a patch of the last step with its point of this one, where it is that of a ball that bears and overlaps still.
pub(super) fn roll_on(
    sources: &PatchSources,
    poses: StepPoses,
    margin: f64,
    number: usize,
    out: &mut FoundContacts,
) -> bool {
    let cache = &sources.state.patches;
    let (head, old) = (&cache.heads[number], cache.records_of(number));
    if head.count != 1 || poses.middle.is_empty() || old[1].0[NORMAL_PLACE] <= 0.0 {
        return false;
    }
    let Some((ball, radius, solid)) = ball_of(sources, head) else { return false };
    let [own, other] = [head.geoms[ball] as usize, head.geoms[1 - ball] as usize];
    let meet = |all: &[Pose]| surface_in_world(solid, &all[other], all[own].position);
    let Some(surface) = meet(poses.middle) else { return false };
    let depth = radius - surface.distance;
    if depth < 0.0 {
        return false;
    }
    // The normal of the head points into its first body.
    let sign = if ball == usize::from(head.is_turned) { 1.0 } else { -1.0 };
    let at = |all: &[Pose], distance: f64, normal: DVec3| all[own].position - 0.5 * (radius + distance) * normal;
    let position = at(poses.middle, surface.distance, surface.normal);
    let normal = sign * surface.normal;
    let [into, from] = head.bodies.map(|slot| sources.frames.middle(slot));
    let [_, _, _, coefficient, x, y, z, twist] = old[0].0;
    let mut records = [Record::default(); MANIFOLD_RECORDS];
    write_head(&mut records, from, normal, coefficient, (DVec3::new(x, y, z), twist));
    let load = old[1].0[NORMAL_PLACE];
    let place = PatchPlace {
        geoms: head.geoms,
        bodies: bodies_of_shapes(head),
        poses: head.geoms.map(|slot| &poses.middle[slot as usize]),
        in_middle: true,
        margin,
        most: margin,
    };
    let facing =
        |records: &[Record]| Facing { is_turned: head.is_turned, normal: DVec3::from_slice(&records[0].0[..3]) };
    let own = facing(&records);
    let skin = rounded::skin(sources.model, &place, normal, &own, || own.is_same(&facing(old)));
    write_point(&mut records[1], [from, into], (position, depth * normal), skin.radius * normal, [load, 1.0]);
    skin.write(&mut records);
    records[GIVEN].0 = [load, 0.0, 0.0, 0.0, x, y, z, twist];
    // Where the bodies turn, the point and its normal had other places at the start.
    let is_known = skin.rolling.share > 0.0;
    let begin = if !is_known && turns(sources, head) { meet(poses.start) } else { None };
    let begin = begin.filter(|begin| radius - begin.distance >= -margin.max(2.0 * depth));
    let begin = begin.map(|begin| (at(poses.start, begin.distance, begin.normal), sign * begin.normal));
    let geoms = head.geoms.map(|slot| sources.model.geoms.at(slot as usize));
    let follows = |begin: &(DVec3, DVec3)| {
        let [Some(a), Some(b)] = geoms else { return false };
        middle::follows((sources.state, sources.step), ([a, b], [1.0; 2]), *begin, (position, normal))
    };
    match begin.filter(follows) {
        Some((place, turned)) => {
            write_ways(&mut records, std::iter::once((position - place, normal - turned)));
        }
        None => forget_ways(&mut records),
    }
    let tolerance = tolerance_of_skin(&place, depth);
    let found = rounded::relative_place(sources, &place, std::iter::once((position, normal)), tolerance);
    // What goes farther in the step is looked for in the next one.
    let way = sources.step * rounded::speed_along(sources, &place, ball);
    let found = found.filter(|found| way < found.tolerance);
    // Elsewhere it is another point in every step.
    let found = found.unwrap_or(RelativePlace { tolerance: 0.0, ..head.found });
    let out = out.begin_to_add(cache);
    out.push(PatchHead { is_placed: head.is_placed && depth > PLACED, bears: true, found, ..*head }, &records);
    true
}

/// Which of the two shapes is a ball, its radius, and the other shape, where the distance from that is exact.
fn ball_of<'a>(sources: &PatchSources<'a>, head: &PatchHead) -> Option<(usize, f64, &'a Shape)> {
    let shape = |side: usize| sources.model.geoms.at(head.geoms[side] as usize).map(|geom| &geom.shape);
    match [shape(0)?, shape(1)?] {
        [Shape::Sphere(ball), solid @ (Shape::Box(_) | Shape::Plane(_) | Shape::Sphere(_))] => {
            Some((0, ball.radius, solid))
        }
        [solid @ (Shape::Box(_) | Shape::Plane(_)), Shape::Sphere(ball)] => Some((1, ball.radius, solid)),
        _ => None,
    }
}

fn turns(sources: &PatchSources, head: &PatchHead) -> bool {
    let turns = |slot: u32| {
        let body = body_of(slot).map(|slot| &sources.state.bodies[slot as usize]);
        body.is_some_and(|body| middle::turns(sources.step, body.motion.omega))
    };
    head.bodies.into_iter().any(turns)
}
