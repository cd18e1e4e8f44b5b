//! Rounded shapes, balls, capsules and cylinders on their sides, that touch with their skins.
//!
//! Of a rounded shape a patch has places in its core, the centre of the ball or the axis of the others: what rolls touches with other places of
//! its surface in every step, and the core stays the same distance from what it rolls on. So its points need not be looked for again while
//! the core hardly moves along the other surface, or stays above the same face, however it turns about itself, and how they roll follows
//! from the motion of the core.

use glam::DVec3;

use super::context::Model;
use super::normals::Before;
use super::patches::{Facing, PatchPlace, PatchSources, SAME, body_of, facing, is_face, is_turned};
use crate::collision::ManifoldPoint;
use crate::math::Pose;
use crate::model::{Geom, RelativePlace, RollingShape, SolverKind};
use crate::shape::Shape;
use crate::solvers::soft::{Rolling, Skin};

/// Component of a normal along the axis of a cylinder up to which it lies on its side: its surface is off the skin by half the square.
const ON_SIDE: f64 = 1e-3;

/// Radius of the skin of a shape where it has a normal of the world \[m\]; 0 of one that is not rounded there.
pub(super) fn radius(shape: &Shape, pose: &Pose, normal: DVec3) -> f64 {
    match shape {
        Shape::Sphere(ball) => ball.radius,
        Shape::Capsule(capsule) => capsule.radius,
        Shape::Cylinder(cylinder) if normal.dot(pose.rotation * DVec3::Z).abs() < ON_SIDE => cylinder.radius,
        _ => 0.0,
    }
}

/// The shape that a normal points into, if it is rounded there, the number of its side, and the radius of its skin.
fn own_of<'a>(model: &'a Model, place: &PatchPlace, is_turned: bool, normal: DVec3) -> Option<(&'a Shape, usize, f64)> {
    let side = usize::from(is_turned);
    let shape = &model.geoms.at(place.geoms[side] as usize)?.shape;
    let radius = radius(shape, place.poses[side], normal);
    (radius > 0.0).then_some((shape, side, radius))
}

/// Skin of the shape that a normal, given in the world, points into. `stays` says whether the normal stays as it is on the body that
/// it points from, as that of a face does.
pub(super) fn skin(
    model: &Model,
    place: &PatchPlace,
    normal: DVec3,
    facing: &Facing,
    stays: impl Fn() -> bool,
) -> Skin {
    let Some((own, side, radius)) = own_of(model, place, facing.is_turned, normal) else { return Skin::default() };
    let Some(other) = model.geoms.at(place.geoms[1 - side] as usize) else { return Skin::default() };
    let is_flat = || stays() || is_face(&other.shape, place.poses[1 - side], normal);
    let rolling = match (own, &other.shape) {
        (Shape::Sphere(own), Shape::Sphere(first)) => {
            let sum = first.radius + own.radius;
            Rolling { share: first.radius / sum, curvature: 1.0 / sum }
        }
        _ if is_flat() => Rolling { share: 1.0, curvature: 0.0 },
        _ => Rolling::default(),
    };
    Skin { radius, rolling }
}

/// All points of a pair roll on faces, as they did in the last step: their ways follow from those of the core.
pub(super) fn roll_on_faces(
    sources: &PatchSources,
    place: &PatchPlace,
    points: &[ManifoldPoint],
    before: &Before,
) -> bool {
    points.iter().all(|point| {
        let facing = facing(sources, place, point.normal);
        let own = skin(sources.model, place, point.normal, &facing, || before.had(&facing));
        own.rolling.share > 0.0
    })
}

/// How two shapes are to each other while one that is rounded may roll, and how far they may move until their points are looked for again.
/// Its points are as far from each other as its core extends, or its end. It is rounded at all of these places with their normals.
pub(super) fn relative_place(
    sources: &PatchSources,
    place: &PatchPlace,
    points: impl Iterator<Item = (DVec3, DVec3)>,
    tolerance: impl Fn(f64) -> f64,
) -> Option<RelativePlace> {
    let model = sources.model;
    let (mut found, mut room) = (None, f64::INFINITY);
    for (position, normal) in points {
        let own = own_of(model, place, is_turned(model, place, normal), normal)?;
        room = room.min(room_on_face(model, place, 1 - own.1, (position, normal)));
        found = Some(own);
    }
    let (own, side, radius) = found?;
    let rolling = if side == 0 { RollingShape::First } else { RollingShape::Second };
    let (extent, rolling) = match own {
        Shape::Capsule(capsule) => (capsule.half_length, Some(rolling)),
        Shape::Cylinder(cylinder) => (cylinder.half_length.hypot(radius), Some(rolling)),
        _ => (0.0, None),
    };
    let tolerance = tolerance(radius);
    // A shape that hardly rolls keeps the plain tolerance: with room, the turn of its axis would end its lease at once.
    if rolling.is_some() && sources.step * speed_along(sources, place, side) < tolerance {
        room = 0.0;
    }
    // The turn of the axis counts as much as ever.
    let (tolerance, extent) = if place.in_middle && room > tolerance && tolerance > 0.0 {
        (room, extent * room / tolerance)
    } else {
        (tolerance, extent)
    };
    let found = RelativePlace::new(place.poses, place.poses[side].position, extent, [tolerance, place.margin]);
    Some(RelativePlace { rolling, ..found })
}

/// Speed of the centre of a shape of a pair against the surface of the other \[m/s\].
pub(super) fn speed_along(sources: &PatchSources, place: &PatchPlace, side: usize) -> f64 {
    let center = place.poses[side].position;
    let [first, second] = place.bodies.map(|slot| {
        let body = body_of(slot).map(|slot| &sources.state.bodies[slot as usize]);
        body.map_or(DVec3::ZERO, |body| body.motion.point_velocity(center))
    });
    (first - second).length()
}

/// Way on a face without a border, as far as anything rolls \[m\].
const ENDLESS: f64 = 1e3;

/// How far a point may move along the face of one of the two shapes until it comes to the border: nothing else of a plane or a box can touch
/// what is rounded as long as that holds \[m\].
fn room_on_face(model: &Model, place: &PatchPlace, side: usize, (position, normal): (DVec3, DVec3)) -> f64 {
    let Some(geom) = model.geoms.at(place.geoms[side] as usize) else { return 0.0 };
    match &geom.shape {
        Shape::Plane(_) => ENDLESS,
        shape @ Shape::Box(cuboid) if is_face(shape, place.poses[side], normal) => {
            let across = place.poses[side].inverse_direction(normal).abs();
            let left = cuboid.half_extents - place.poses[side].inverse_point(position).abs();
            let of_axis = |axis: usize| if across[axis] > 0.5 { f64::INFINITY } else { left[axis] };
            of_axis(0).min(of_axis(1)).min(of_axis(2))
        }
        _ => 0.0,
    }
}

/// Keys of the ends of a line that lies on triangles.
const ENDS: [u32; 2] = [(1 << 29) + 4, (1 << 29) + 5];

/// Parts of the length of a line by which its points may lie off it.
const STRAIGHT: f64 = 1e-9;

/// Leaves the two ends of the line along which a cylinder or a capsule touches flat triangles, in sub-steps: points where it crosses their edges carry
/// nothing that the ends could not, and come and go as it rolls.
pub(super) fn keep_ends(model: &Model, geoms: [&Geom; 2], poses: [&Pose; 2], points: &mut Vec<ManifoldPoint>) {
    if model.parameters.solver != SolverKind::Substeps || points.len() < 2 {
        return;
    }
    let normal = points[0].normal;
    let is_line = |side: &usize| {
        let shape = &geoms[*side].shape;
        matches!(shape, Shape::Capsule(_) | Shape::Cylinder(_))
            && geoms[1 - side].shape.touches_by_triangles()
            && radius(shape, poses[*side], normal) > 0.0
    };
    let Some(side) = (0..2).find(is_line) else { return };
    if points.iter().any(|point| (point.normal - normal).length_squared() > SAME) {
        return;
    }
    let axis = poses[side].direction(DVec3::Z);
    let along = |point: &ManifoldPoint| point.position.dot(axis);
    let by_place = |a: &&ManifoldPoint, b: &&ManifoldPoint| along(a).total_cmp(&along(b));
    let (Some(low), Some(high)) = (points.iter().min_by(by_place), points.iter().max_by(by_place)) else { return };
    let (low, high) = (*low, *high);
    let way = high.position - low.position;
    let length = way.length();
    let lies_on_it = |point: &ManifoldPoint| {
        let share = (along(point) - along(&low)) / (along(&high) - along(&low));
        let off = point.position - low.position - share * way;
        let depth = low.depth + share * (high.depth - low.depth);
        off.length() <= STRAIGHT * length && point.depth <= depth + STRAIGHT * length
    };
    if length > 0.0 && points.iter().all(lies_on_it) {
        points.clear();
        points.extend([(low, ENDS[0]), (high, ENDS[1])].map(|(point, feature)| ManifoldPoint { feature, ..point }));
    }
}
