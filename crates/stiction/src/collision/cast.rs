//! Shape casts: when two moving shapes first come within a gap of each other (conservative advancement).
//!
//! With d the distance at the time t and ν a bound on how fast the shapes approach, they cannot meet before t + d / ν. For
//! convex shapes ν is the approach of the centres along the normal and `|ω| r` of the turns, with r the farthest point from
//! the centre (Mirtich 1996); a surface of triangles is taken triangle by triangle, so that each of them is convex.

use glam::DVec3;

use super::convex::{Convex, Couple, common_scale};
use super::course::Course;
use super::distance::{apart, box_of, distance};
use super::mesh::{Facet, TriangleSource, source};
use super::placed::Placed;
use super::{NO_TRIANGLE, Proximity};
use crate::math::Pose;
use crate::shape::{Aabb, Shape};

/// A motion from one pose to another: a point of the shape moves on a straight line, and the shape turns about it at a constant
/// rate, the shorter way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// Pose at the start.
    pub from: Pose,
    /// Pose at the end.
    pub to: Pose,
    /// The point that moves on a straight line, in the shape's frame \[m\].
    pub center: DVec3,
}

impl Sweep {
    /// At rest.
    #[must_use]
    pub fn fixed(pose: Pose) -> Self {
        Self { from: pose, to: pose, center: DVec3::ZERO }
    }

    /// Along a vector, without turning.
    #[must_use]
    pub fn along(from: Pose, way: DVec3) -> Self {
        Self { from, to: Pose::new(from.position + way, from.rotation), center: DVec3::ZERO }
    }

    /// The pose at a fraction of the motion.
    #[must_use]
    pub fn at(&self, fraction: f64) -> Pose {
        Course::from(*self).at(fraction)
    }

    /// What is left of the motion after a fraction.
    #[must_use]
    pub fn rest(&self, fraction: f64) -> Self {
        Self { from: self.at(fraction), ..*self }
    }

    /// Box of all that a shape's box touches on the way.
    #[must_use]
    pub fn bounds(&self, bounds: &Aabb) -> Aabb {
        Course::from(*self).bounds(bounds)
    }
}

/// Where two moving shapes first come within the gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHit {
    /// Fraction of the motions, 0 where they begin within the gap.
    pub fraction: f64,
    /// Their nearest points then.
    pub proximity: Proximity,
}

/// Advancements of one cast. Each but the first few of a glancing turn takes a share of what is left.
const MOST: usize = 200;

/// First time at which two shapes on their ways come within `gap` \[m\], which should be above rounding: a millionth of
/// their size or more. `None` where they do not, and for pairs that have no distance.
#[must_use]
pub fn cast(a: &Shape, sweep_a: &Sweep, b: &Shape, sweep_b: &Sweep, gap: f64) -> Option<ShapeHit> {
    first_touch(a, &(*sweep_a).into(), b, &(*sweep_b).into(), gap)
}

/// [`cast`] for motions that may turn by more than half a turn.
pub(super) fn first_touch(a: &Shape, sweep_a: &Course, b: &Shape, sweep_b: &Course, gap: f64) -> Option<ShapeHit> {
    let bounds = [a.aabb(&Pose::IDENTITY), b.aabb(&Pose::IDENTITY)];
    let [boxed_a, boxed_b] = [sweep_a.bounds(&bounds[0]), sweep_b.bounds(&bounds[1])];
    if !matches!((a, b), (Shape::Plane(_), _) | (_, Shape::Plane(_))) && !boxed_a.expanded(gap).intersects(&boxed_b) {
        return None;
    }
    match (source(a), source(b)) {
        (None, Some(triangles)) => of_solid(a, sweep_a, &bounds[0], b, triangles, sweep_b, gap),
        (Some(triangles), None) if !matches!(b, Shape::Plane(_)) => {
            of_solid(b, sweep_b, &bounds[1], a, triangles, sweep_a, gap)
                .map(|hit| ShapeHit { proximity: hit.proximity.swapped(), ..hit })
        }
        (first, second) => {
            let is_curved = first.is_some() && second.is_some();
            let spin = spin_near(sweep_a, &bounds[0], &boxed_b) + spin_near(sweep_b, &bounds[1], &boxed_a);
            let way = sweep_a.way() - sweep_b.way();
            advance(gap, 1.0, |t| {
                let found = distance(a, &sweep_a.at(t), b, &sweep_b.at(t), f64::MAX)?;
                // The nearest points of surfaces that are no convex sets may be others soon.
                let approach = if is_curved { way.length() } else { -way.dot(found.normal) };
                Some((found, approach + spin))
            })
        }
    }
}

/// Most that points of a shape move more than its centre \[m\]; of an endless one, those that may meet the other's box.
pub(super) fn spin_near(sweep: &Course, bounds: &Aabb, other: &Aabb) -> f64 {
    if bounds.is_finite() { sweep.spin(bounds) } else { turned_about(sweep, other) }
}

/// Most that points of a box in the world would move with a shape's turn about its centre \[m\].
fn turned_about(sweep: &Course, other: &Aabb) -> f64 {
    let angle = sweep.turn.length();
    if angle == 0.0 {
        return 0.0;
    }
    let farthest = |center: DVec3| (other.max - center).abs().max((other.min - center).abs()).length();
    angle * farthest(sweep.from.point(sweep.center)).max(farthest(sweep.to.point(sweep.center)))
}

/// Advances until the distance is within the gap. `look` gives the distance at a fraction, and a bound on the approach over the
/// whole motion \[m\].
pub(super) fn advance(gap: f64, end: f64, mut look: impl FnMut(f64) -> Option<(Proximity, f64)>) -> Option<ShapeHit> {
    let mut t = 0.0;
    for _ in 0..MOST {
        let (proximity, approach) = look(t)?;
        if proximity.distance <= gap {
            return Some(ShapeHit { fraction: t, proximity });
        }
        if approach <= 0.0 {
            return None;
        }
        // To the middle of the gap, so that the end of the series is within it.
        t += (proximity.distance - 0.5 * gap) / approach;
        if t > end {
            return None;
        }
    }
    // As near as the motion lets it come: told as a hit, which errs on the safe side.
    let (proximity, _) = look(t)?;
    Some(ShapeHit { fraction: t, proximity })
}

fn of_solid(
    solid: &Shape,
    sweep: &Course,
    bounds: &Aabb,
    mesh: &Shape,
    triangles: &dyn TriangleSource,
    mesh_sweep: &Course,
    gap: f64,
) -> Option<ShapeHit> {
    // Inside at the start: that is a distance below zero.
    if let Some(start) = distance(solid, &sweep.from, mesh, &mesh_sweep.from, gap) {
        return Some(ShapeHit { fraction: 0.0, proximity: start });
    }
    let size = Placed::new(solid, &Pose::IDENTITY, DVec3::ZERO).size();
    let place = |relative: &Pose| Placed::new(solid, relative, relative.position);
    of_triangles(&place, size, sweep, bounds, triangles, mesh_sweep, gap)
}

/// First touch of triangles with a convex set, which `place` gives at a pose in their axes about that pose's origin. `bounds` is its
/// box in its own frame.
pub(super) fn of_triangles<C: Convex>(
    place: &impl Fn(&Pose) -> C,
    size: f64,
    sweep: &Course,
    bounds: &Aabb,
    triangles: &dyn TriangleSource,
    mesh_sweep: &Course,
    gap: f64,
) -> Option<ShapeHit> {
    let mesh_bounds = triangles.bounds();
    let mesh_spin = spin_near(mesh_sweep, &mesh_bounds, &sweep.bounds(bounds));
    let spin = sweep.spin(bounds) + mesh_spin;
    let way = sweep.way() - mesh_sweep.way();
    // What the solid may touch, in the mesh's axes: its box on its way relative to the mesh.
    let back = |t: f64| mesh_sweep.at(t).inverse().compose(&sweep.at(t));
    let [first, last] = [bounds.turned(&back(0.0)), bounds.turned(&back(1.0))];
    // Between its ends a point leaves the straight line by less than half of what it turns, and by no more than across the circle;
    // in the axes of a mesh that turns, the solid goes about the mesh's centre, however far it is.
    let bow = |sweep: &Course, spin: f64| spin * 0.5f64.min(2.0 / sweep.turn.length().max(1.0));
    let about = turned_about(mesh_sweep, &sweep.bounds(bounds));
    let region = first.merged(&last).expanded(gap + bow(sweep, sweep.spin(bounds)) + bow(mesh_sweep, about));
    let mut best: Option<ShapeHit> = None;
    triangles.visit(&region, &mut |triangle| {
        let end = best.map_or(1.0, |hit| hit.fraction);
        if !region.intersects(&box_of(triangle)) {
            return;
        }
        let hit = advance(gap, end, |t| {
            let relative = back(t);
            let facet = Facet::new(triangle, relative.position);
            let couple = Couple {
                size: common_scale(size, facet.size()),
                a: place(&relative),
                b: facet,
                origin: relative.position,
            };
            let found = apart(&couple).unwrap_or_else(|| Proximity {
                distance: 0.0,
                points: [couple.b.center() + couple.origin; 2],
                normal: triangle.normal,
                triangles: [NO_TRIANGLE; 2],
            });
            let pose = mesh_sweep.at(t);
            let found = Proximity {
                distance: found.distance,
                points: found.points.map(|p| pose.point(p)),
                normal: pose.direction(found.normal),
                triangles: [NO_TRIANGLE, triangle.index],
            };
            Some((found, -way.dot(found.normal) + spin))
        });
        if hit.is_some_and(|hit| best.is_none_or(|known| hit.fraction < known.fraction)) {
            best = hit;
        }
    });
    best
}
