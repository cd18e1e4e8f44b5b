//! Patches of rigid contacts under sub-steps: which pairs have them, and which are used again.
//!
//! A pair of shapes whose contact has a coefficient of friction, bounds of what corrects its depth, and nothing else of its own is a
//! patch, or several: places on its two bodies and impulses, as the passes read them. Where the bodies hardly move against each other a
//! patch of a face is used again, as it is: its gaps follow from its places.

use glam::DVec3;

use super::apart::motion;
use super::context::Model;
use super::detect::StartOfPoint;
use super::frames::{Frame, Frames};
use super::normals::Before;
use super::rounded;
use crate::collision::{ManifoldPoint, ROUNDING};
use crate::contact::compliance::erp_cfm;
use crate::contact::friction::{Coupling, FrictionBound};
use crate::material::{ContactLaw, ContactRule, NormalLaw};
use crate::math::Pose;
use crate::model::{
    BodyKind, CachedPoint, Geom, NO_BODY, PatchCache, PatchHead, PatchSurface, RelativePlace, SolverKind, State,
    WorldParameters,
};
use crate::shape::Shape;
use crate::solvers::soft::{GIVEN, MANIFOLD_RECORDS, NORMAL_PLACE, Record, Skin, forget_ways};

/// Friction without a bound, as a coefficient.
pub(super) const UNBOUNDED: f64 = 1e6;
/// Depth from which on shapes that overlap in the first step were placed into each other \[m\].
pub(super) const PLACED: f64 = 1e-6;
/// Shares of the margin, and of the size of a face, by which bodies may move against each other until its points are looked for
/// again.
const SHARE_OF_MARGIN: f64 = 0.05;
const SHARE_OF_FACE: f64 = 0.01;
/// The same by the size of the smaller shape, where it touches with a corner or an edge.
const SHARE_OF_CORNER: f64 = 3e-4;
/// The same where it is round: what rolls at all has moved by more.
const SHARE_OF_ROUND: f64 = 1e-9;
/// The same by the radius of a rounded shape that may roll.
const SHARE_OF_SKIN: f64 = 1e-4;
/// The same by the gap between them.
const SHARE_OF_GAP: f64 = 0.5;
/// Component of a normal across that of a face, for it to be that face's.
const EXACT: f64 = 1e-12;
/// Distance of two unit normals in the frame of a body that are those of one face.
const SAME_FACE: f64 = 1e-12;
/// Square of the distance of two unit normals that count as one.
pub(super) const SAME: f64 = 1e-16;

/// Whether contacts of two shapes may be a patch, whatever their surfaces.
fn may_be(parameters: &WorldParameters, rule: &ContactRule, geoms: [&Geom; 2]) -> bool {
    let is_solid = |geom: &Geom| !matches!(geom.shape, Shape::Ray(_)) && geom.segment.is_none();
    parameters.solver == SolverKind::Substeps
        && rule.acts
        && !rule.is_force
        && !rule.inner
        && rule.area().is_none()
        && rule.reduction().is_none()
        && geoms.into_iter().all(is_solid)
}

/// The surfaces of two shapes whose contacts may be a patch.
pub(super) fn surface_of(
    parameters: &WorldParameters,
    rule: &ContactRule,
    geoms: [&Geom; 2],
    step: f64,
) -> Option<PatchSurface> {
    if may_be(parameters, rule, geoms) { plain_surface(parameters, &rule.law(), step) } else { None }
}

/// What two surfaces have, if it is no more than a patch can have.
fn plain_surface(parameters: &WorldParameters, law: &ContactLaw, step: f64) -> Option<PatchSurface> {
    if law.belts != [None; 2] {
        return None;
    }
    let surface = &law.surface;
    let [FrictionBound::Coefficient(first), FrictionBound::Coefficient(second)] = surface.friction else { return None };
    let NormalLaw::ErpCfm { erp, cfm } = surface.normal else { return None };
    let is_hard = || erp_cfm(erp.unwrap_or(parameters.erp), cfm.unwrap_or(parameters.cfm), step).compliance <= 0.0;
    let is_plain = first == second
        && surface.coupling != Coupling::Independent
        && surface.slip == [0.0; 2]
        && surface.motion == [0.0; 2]
        && surface.normal_motion == 0.0
        && surface.bounce.is_none_or(|bounce| bounce.coefficient <= 0.0)
        && surface.point_shift == 0.0
        && surface.rolling == [0.0; 3]
        && surface.torsional.moment_arm(1.0) == 0.0
        && surface.torsional.slip == 0.0
        && is_hard();
    is_plain.then(|| PatchSurface {
        coefficient: first.min(UNBOUNDED),
        push: parameters.correcting_velocity_of(surface),
        layer: parameters.layer_of(surface),
    })
}

/// All points have one normal, and there are no more than four.
pub(super) fn is_one(points: &[ManifoldPoint]) -> bool {
    (1..=4).contains(&points.len())
        && points.iter().all(|point| (point.normal - points[0].normal).length_squared() <= SAME)
}

/// What of the last step a patch begins with: features, normal impulses, friction and twist.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Warm {
    pub(super) features: [u32; 4],
    pub(super) normals: [f64; 4],
    pub(super) count: usize,
    pub(super) friction: DVec3,
    pub(super) twist: f64,
    pub(super) stored: [f64; 4],
    pub(super) is_placed: bool,
}

/// On which body a normal was, and how it was there: one that stays as it is while a body rolls is that of a face.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facing {
    pub(super) is_turned: bool,
    pub(super) normal: DVec3,
}

impl Facing {
    /// That of a patch.
    pub(super) fn of_patch(cache: &PatchCache, number: usize) -> Self {
        let (head, records) = (&cache.heads[number], cache.records_of(number));
        Self { is_turned: head.is_turned, normal: three(&records[0], 0) }
    }

    /// It is on the same body and the same there.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.is_turned == other.is_turned && (self.normal - other.normal).length() < SAME_FACE
    }
}

impl Warm {
    /// That of a patch.
    pub(super) fn of_patch(cache: &PatchCache, number: usize) -> Self {
        let (head, records) = (&cache.heads[number], cache.records_of(number));
        let [_, _, _, _, x, y, z, twist] = records[0].0;
        Self {
            features: head.features,
            normals: std::array::from_fn(|k| records[1 + k].0[NORMAL_PLACE]),
            count: head.count as usize,
            friction: if head.is_turned { -1.0 } else { 1.0 } * DVec3::new(x, y, z),
            twist,
            stored: head.stored,
            is_placed: head.is_placed,
        }
    }

    /// That of points.
    pub(super) fn of_points(points: &[CachedPoint]) -> Self {
        let mut own = Self { count: points.len().min(4), ..Self::default() };
        for (k, point) in points.iter().take(4).enumerate() {
            (own.features[k], own.normals[k], own.stored[k]) = (point.feature, point.normal, point.stored);
            own.friction += point.friction;
            own.is_placed |= point.is_placed;
        }
        own
    }

    /// Some point bore.
    pub(super) fn bears(&self) -> bool {
        self.normals[..self.count].iter().any(|normal| *normal > 0.0)
    }

    /// The same as points of their own; friction goes by the loads.
    pub(super) fn points(&self) -> impl Iterator<Item = CachedPoint> + '_ {
        let sum: f64 = self.normals[..self.count].iter().sum();
        (0..self.count).map(move |k| CachedPoint {
            feature: self.features[k],
            normal: self.normals[k],
            friction: if sum > 0.0 { self.normals[k] / sum * self.friction } else { DVec3::ZERO },
            stored: self.stored[k],
            is_placed: self.is_placed,
            exit_speed: f64::INFINITY,
            behind: [false; 2],
        })
    }

    pub(super) fn find(&self, feature: u32) -> Option<usize> {
        (0..self.count).find(|k| self.features[*k] == feature)
    }
}

/// What the patches of a step are made from.
#[derive(Clone, Copy)]
pub(super) struct PatchSources<'a> {
    pub(super) model: &'a Model<'a>,
    pub(super) state: &'a State,
    pub(super) frames: &'a Frames,
    pub(super) step: f64,
}

/// Where a patch is.
#[derive(Clone, Copy)]
pub(super) struct PatchPlace<'a> {
    /// Slots of its shapes, and of their bodies.
    pub(super) geoms: [u32; 2],
    pub(super) bodies: [u32; 2],
    /// Poses of the shapes with which its points were found.
    pub(super) poses: [&'a Pose; 2],
    /// They are those of the middle of the step.
    pub(super) in_middle: bool,
    /// Gap up to which they were looked for, and up to which they are at most \[m\].
    pub(super) margin: f64,
    pub(super) most: f64,
}

/// A patch may be used again: the shapes have hardly moved against each other since its points were found, as far apart as they may be
/// now. One that bore then bears still, and one across a gap cannot close it in the step. How far they may still move \[m\], if that is
/// so.
pub(super) fn left_of(
    sources: &PatchSources,
    head: &PatchHead,
    poses: &[Pose],
    bears: bool,
    margin: f64,
) -> Option<f64> {
    let found = &head.found;
    if found.tolerance <= 0.0 || bears != head.bears || margin > found.margin {
        return None;
    }
    let poses = head.geoms.map(|slot| &poses[slot as usize]);
    let ahead = if bears { 0.0 } else { motion(sources, (poses, bodies_of_shapes(head)), found) };
    let left = found.tolerance - found.moved(poses);
    (ahead < left).then_some(left)
}

/// Slots of the bodies of the two shapes, in their order.
pub(super) fn bodies_of_shapes(head: &PatchHead) -> [u32; 2] {
    let [into, from] = head.bodies;
    if head.is_turned { [from, into] } else { [into, from] }
}

/// A patch of points that were found in the middle of the step or at its start.
pub(super) fn make(
    sources: &PatchSources,
    place: &PatchPlace,
    (points, starts): (&[ManifoldPoint], &[Option<StartOfPoint>]),
    surface: PatchSurface,
    (warm, before, place_found): (&Warm, &Before, RelativePlace),
) -> (PatchHead, [Record; MANIFOLD_RECORDS]) {
    let (frames, bodies) = (sources.frames, place.bodies);
    let is_turned = is_turned(sources.model, place, points[0].normal);
    let [into, from] = if is_turned { [bodies[1], bodies[0]] } else { bodies };
    // Places are on the body that the normal points from, which has it, then on the other.
    let of = |slot: u32| if place.in_middle { *frames.middle(slot) } else { *frames.start(slot) };
    let (a, b) = (of(from), of(into));
    let sign = if is_turned { -1.0 } else { 1.0 };
    let (count, normal) = (points.len(), sign * points[0].normal);
    let found: [Option<usize>; 4] = std::array::from_fn(|k| points.get(k).and_then(|p| warm.find(p.feature)));
    let normals = found.map(|k| k.map_or(0.0, |k| warm.normals[k]));
    let shares = shares(points, &normals);
    // As much of the friction as of the load is there again.
    let (sum, all) = (normals.iter().sum::<f64>(), warm.normals[..warm.count].iter().sum::<f64>());
    let share = if all > 0.0 { sum / all } else { 0.0 };
    // Friction acts on the body that the normal points into; the moment about the normal is the same for both ways.
    let (friction, twist) = (sign * share * warm.friction, share * warm.twist);
    let mut records = [Record::default(); MANIFOLD_RECORDS];
    write_head(&mut records, &a, normal, surface.coefficient, (friction, twist));
    let facing = Facing { is_turned, normal: three(&records[0], 0) };
    // The record of a fourth point has no place for it.
    let is_few = points.len() <= MOST_ROLLING;
    let skin = if is_few {
        rounded::skin(sources.model, place, normal, &facing, || before.had(&facing))
    } else {
        Skin::default()
    };
    for (k, point) in points.iter().enumerate() {
        let at = (point.position, point.depth * normal);
        write_point(&mut records[1 + k], [&a, &b], at, skin.radius * normal, [normals[k], shares[k]]);
    }
    skin.write(&mut records);
    // What falls asleep in this step goes on with what it had.
    let [_, _, _, _, x, y, z, twist] = records[0].0;
    records[GIVEN].0 = [normals[0], normals[1], normals[2], normals[3], x, y, z, twist];
    if count <= 2 && skin.rolling.share == 0.0 {
        roll(sign, points, starts, &mut records);
    } else if count <= MOST_ROLLING && is_round(sources.model, place.geoms) {
        // They stay on neither body.
        forget_ways(&mut records);
    }
    let deepest = points.iter().fold(f64::NEG_INFINITY, |most, point| most.max(point.depth));
    let head = PatchHead {
        geoms: place.geoms,
        bodies: [into, from],
        is_turned,
        features: std::array::from_fn(|k| points.get(k).map_or(0, |point| point.feature)),
        count: count as u8,
        is_placed: deepest > PLACED && (sources.state.steps == 0 || warm.is_placed),
        push: surface.push,
        layer: surface.layer,
        bears: place.in_middle,
        stored: found.map(|k| k.map_or(0.0, |k| warm.stored[k])),
        found: place_found,
    };
    (head, records)
}

/// How the shapes are to each other, and how long all their points hold. A single point or two of a round shape with one normal may roll:
/// they are looked for again as long as they bear, and where the shapes turn against each other their points move though nothing
/// slides.
pub(super) fn relative_place(
    sources: &PatchSources,
    place: &PatchPlace,
    points: &[ManifoldPoint],
    rolls: bool,
) -> RelativePlace {
    let model = sources.model;
    let deepest = points.iter().fold(f64::NEG_INFINITY, |most, point| most.max(point.depth));
    // All patches of the pair have skins.
    let is_few = points.len() <= MOST_ROLLING || is_round(model, place.geoms);
    let all = points.iter().map(|point| (point.position, point.normal));
    if is_few && let Some(found) = rounded::relative_place(sources, place, all, tolerance_of_skin(place, deepest)) {
        return found;
    }
    let rolls = rolls || is_on_its_side(model, place, points[0].normal);
    let center: DVec3 = points.iter().map(|point| point.position).sum::<DVec3>() / points.len() as f64;
    let radius = points.iter().fold(0.0, |most, point| f64::max(most, point.position.distance(center)));
    let of_margin = SHARE_OF_MARGIN * place.most;
    let size = |side: usize| {
        let geom = model.geoms.at(place.geoms[side] as usize);
        geom.map_or(f64::INFINITY, |geom| 0.5 * geom.bounds.size().length())
    };
    let tolerance = match (place.in_middle, rolls) {
        (false, _) => (SHARE_OF_GAP * -deepest).min(of_margin).max(0.0),
        (true, false) => of_margin.min(2.0 * SHARE_OF_FACE * radius),
        (true, true) if has_corners(model, place.geoms) => of_margin.min(SHARE_OF_CORNER * size(0).min(size(1))),
        (true, true) => of_margin.min(SHARE_OF_ROUND * size(0).min(size(1))),
    };
    let radius = if rolls { size(0).min(size(1)) } else { radius };
    RelativePlace::new(place.poses, center, radius, [tolerance, place.margin])
}

/// On which body the normal of a point is, and how it is there.
pub(super) fn facing(sources: &PatchSources, place: &PatchPlace, normal: DVec3) -> Facing {
    let is_turned = is_turned(sources.model, place, normal);
    let (from, sign) = if is_turned { (place.bodies[0], -1.0) } else { (place.bodies[1], 1.0) };
    let frame = if place.in_middle { sources.frames.middle(from) } else { sources.frames.start(from) };
    Facing { is_turned, normal: frame.axes.transpose() * (sign * normal) }
}

/// How far two shapes may move against each other, as far as the radius of the one that is rounded allows \[m\].
pub(super) fn tolerance_of_skin(place: &PatchPlace, deepest: f64) -> impl Fn(f64) -> f64 {
    let most = if place.in_middle { f64::INFINITY } else { SHARE_OF_GAP * -deepest };
    let most = most.min(SHARE_OF_MARGIN * place.most).max(0.0);
    let in_middle = place.in_middle;
    move |radius| if in_middle { most.min(SHARE_OF_SKIN * radius) } else { most }
}

/// Points of a patch of a round shape at most: the record of a fourth one has no place for that its ways are not known.
pub(super) const MOST_ROLLING: usize = 3;

/// One of two shapes has no faces: whatever it touches it rolls on.
pub(super) fn is_round(model: &Model, geoms: [u32; 2]) -> bool {
    geoms.into_iter().any(|slot| model.geoms.at(slot as usize).is_some_and(|geom| geom.shape.has_no_faces()))
}

/// Cosine between a normal and an axis from which on a cylinder or a cone stands on its end.
const STANDS: f64 = 0.999;

/// A cylinder or a cone touches with its side, and rolls: a cone has three points then, its tip and two of its rim.
fn is_on_its_side(model: &Model, place: &PatchPlace, normal: DVec3) -> bool {
    (0..2).any(|side| {
        let shape = model.geoms.at(place.geoms[side] as usize).map(|geom| &geom.shape);
        let along = || place.poses[side].inverse_direction(normal).z.abs();
        matches!(shape, Some(Shape::Cylinder(_) | Shape::Cone(_))) && along() < STANDS
    })
}

/// Both shapes touch with faces, corners and edges of their own: a point that holds stays on them.
fn has_corners(model: &Model, geoms: [u32; 2]) -> bool {
    let has = |slot: u32| {
        let shape = model.geoms.at(slot as usize).map(|geom| &geom.shape);
        shape.is_some_and(|shape| {
            let is_flat = matches!(shape, Shape::Box(_) | Shape::ConvexHull(_) | Shape::Plane(_));
            is_flat || shape.has_triangles()
        })
    };
    geoms.into_iter().all(has)
}

/// Whether a patch has its normal on the first shape's body: on what does not move rather than on what does, on the shape whose face it is,
/// and on what is not rounded. A normal that tilts with a body that rests on another's face pushes it along.
pub(super) fn is_turned(model: &Model, place: &PatchPlace, normal: DVec3) -> bool {
    let moves = |slot: u32| {
        let body = body_of(slot).and_then(|slot| model.bodies.at(slot as usize));
        body.is_some_and(|body| body.kind == BodyKind::Dynamic)
    };
    let [first, second] = place.bodies.map(moves);
    if first != second {
        return second;
    }
    let shapes = place.geoms.map(|slot| model.geoms.at(slot as usize).map(|geom| &geom.shape));
    let has_face = |side: usize| shapes[side].is_some_and(|shape| is_face(shape, place.poses[side], normal));
    let is_rounded =
        |side: usize| shapes[side].is_some_and(|shape| rounded::radius(shape, place.poses[side], normal) > 0.0);
    match [has_face(0), has_face(1)] {
        [true, false] => true,
        [false, true] => false,
        _ => is_rounded(1) && !is_rounded(0),
    }
}

/// A normal in the world is that of a face of a shape.
pub(super) fn is_face(shape: &Shape, pose: &Pose, normal: DVec3) -> bool {
    let n = pose.inverse_direction(normal).abs();
    let across = match shape {
        Shape::Box(_) => n.x.min(n.y).max(n.x.max(n.y).min(n.z)),
        Shape::Cylinder(_) | Shape::Cone(_) => n.x.max(n.y),
        Shape::Plane(_) => 0.0,
        _ => 1.0,
    };
    across < EXACT
}

/// Ways of one or two points in half a step, and of their normal, where they roll, in the records of points that are not there.
fn roll(
    sign: f64,
    points: &[ManifoldPoint],
    starts: &[Option<StartOfPoint>],
    records: &mut [Record; MANIFOLD_RECORDS],
) {
    let count = points.len();
    if starts.len() < count || starts.iter().any(Option::is_none) {
        // Where they roll is not known: their rows have no rate.
        forget_ways(records);
        return;
    }
    let ways = points.iter().zip(starts.iter().flatten());
    let ways = ways.map(|(point, start)| (point.position - start.position, sign * (point.normal - start.normal)));
    write_ways(records, ways);
}

/// Writes what the points have in common: normal, coefficient of friction, friction impulse in the world and twist.
pub(super) fn write_head(
    records: &mut [Record],
    frame: &Frame,
    normal: DVec3,
    coefficient: f64,
    (friction, twist): (DVec3, f64),
) {
    let ([i, j, k], [x, y, z]) = ((frame.axes.transpose() * normal).to_array(), friction.to_array());
    records[0].0 = [i, j, k, coefficient, x, y, z, twist];
}

/// Writes a point: midway between its places on two bodies, of which the first overlaps the second by a vector. The core of the second is
/// behind its place by another. Its normal impulse, and its share in friction.
pub(super) fn write_point(
    record: &mut Record,
    [a, b]: [&Frame; 2],
    (position, overlap): (DVec3, DVec3),
    core: DVec3,
    [normal, share]: [f64; 2],
) {
    let half = 0.5 * overlap;
    let ([x, y, z], [u, v, w]) = (a.place(position + half).to_array(), b.place(position - half + core).to_array());
    record.0 = [x, y, z, u, v, w, normal, 1.0 + share];
}

/// Writes the ways of one or two points and of their normal in half a step, up to its middle, in the records of points that are not there.
pub(super) fn write_ways(records: &mut [Record], ways: impl Iterator<Item = (DVec3, DVec3)>) {
    let (mut turn, mut count) = (DVec3::ZERO, 0);
    for (way, turned) in ways {
        records[3].0[3 * count..3 * count + 3].copy_from_slice(&way.to_array());
        turn += turned;
        count += 1;
    }
    records[4].0[..3].copy_from_slice(&(turn / count as f64).to_array());
}

/// Shares of the points in friction: equal ones of what bears, or of all ahead of the first touch.
fn shares(points: &[ManifoldPoint], normals: &[f64; 4]) -> [f64; 4] {
    let there: [bool; 4] = std::array::from_fn(|k| k < points.len());
    equal_shares(&there, &std::array::from_fn(|k| k < points.len() && bears(points[k].depth, normals[k])))
}

/// A point of a depth that gave a normal impulse in the last step has a share in friction: it bears, or touches but for rounding.
pub(super) fn bears(depth: f64, impulse: f64) -> bool {
    depth >= -ROUNDING || impulse > 0.0
}

/// Equal shares of the points that bear, or of all that are there.
pub(super) fn equal_shares(there: &[bool; 4], bears: &[bool; 4]) -> [f64; 4] {
    let part = if bears.contains(&true) { bears } else { there };
    let count = part.iter().filter(|is| **is).count() as f64;
    part.map(|is| if is { 1.0 / count } else { 0.0 })
}

/// A point of a patch in the world.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PatchPoint {
    /// Midway between its places.
    pub(super) position: DVec3,
    /// Into the first body of the head.
    pub(super) normal: DVec3,
    /// Overlap; negative across a gap.
    pub(super) depth: f64,
}

/// Points of a patch at the start of the step; where they roll, those that were found there. Normals are into the first body.
pub(super) fn at_start(frames: &Frames, head: &PatchHead, records: &[Record]) -> ([PatchPoint; 4], usize) {
    let count = head.count as usize;
    let [second, first] = [head.bodies[1], head.bodies[0]];
    let mut points = points(frames.start(second), frames.start(first), head, records);
    let ways = &records[3].0;
    if Skin::read(records).rolling.share == 0.0 && count <= 2 && records[4].0[7] >= 0.0 && ways[..6] != [0.0; 6] {
        let found = self::points(frames.middle(second), frames.middle(first), head, records);
        for k in 0..count {
            points[k].position = found[k].position - three(&records[3], 3 * k);
        }
    }
    (points, count)
}

/// The normal in which the impulses of a step act, that of its middle, into the first body.
pub(super) fn acting_normal(frames: &Frames, head: &PatchHead, records: &[Record]) -> DVec3 {
    frames.middle(head.bodies[1]).axes * three(&records[0], 0)
}

/// Points of a patch with the bodies in given frames.
pub(super) fn points(second: &Frame, first: &Frame, head: &PatchHead, records: &[Record]) -> [PatchPoint; 4] {
    let normal = second.axes * three(&records[0], 0);
    let skin = Skin::read(records).radius;
    std::array::from_fn(|k| {
        if k >= head.count as usize {
            return PatchPoint::default();
        }
        let record = &records[1 + k];
        let (pa, pb) = (second.point(three(record, 0)), first.point(three(record, 3)) - skin * normal);
        let depth = (pa - pb).dot(normal);
        // The place on what does not roll has not come along.
        let position = if skin > 0.0 { pb + 0.5 * depth * normal } else { 0.5 * (pa + pb) };
        PatchPoint { position, normal, depth }
    })
}

fn three(of: &Record, from: usize) -> DVec3 {
    DVec3::new(of.0[from], of.0[from + 1], of.0[from + 2])
}

/// Slot of a body in a head.
pub(super) fn slot_of(body: Option<u32>) -> u32 {
    body.unwrap_or(NO_BODY)
}

/// The same of the body of a shape.
pub(super) fn slot_of_geom(geom: &Geom) -> u32 {
    slot_of(geom.body.map(|body| body.slot() as u32))
}

/// The body of a slot in a head.
pub(super) fn body_of(slot: u32) -> Option<u32> {
    (slot != NO_BODY).then_some(slot)
}

/// Some point bore in the last step: at its end what rolls may have left the ground that carried it.
pub(super) fn bore(records: &[Record]) -> bool {
    records[GIVEN].0[..4].iter().any(|normal| *normal > 0.0)
}
