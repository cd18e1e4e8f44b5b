//! Geometric queries: distances, overlaps, ray casts, shape casts.
//!
//! All see the shapes where they are now, also disabled bodies' ones; results are in the order of distance, and of creation
//! where that is equal.
//!
//! ```
//! use stiction::math::{DVec3, Pose};
//! use stiction::shape::Shape;
//! use stiction::world::{GeomDefinition, QueryFilter, World};
//!
//! let mut world = World::default();
//! let wall = Shape::cuboid(DVec3::new(0.2, 4.0, 4.0))?;
//! let wall = world.add_geom(&GeomDefinition { pose: Pose::from_position(5.0 * DVec3::X), ..GeomDefinition::new(wall, None) })?;
//!
//! // How far is a gripper's palm from anything within 10 m?
//! let palm = Shape::sphere(0.1)?;
//! let near = world.nearest(&palm, &Pose::IDENTITY, 10.0, &QueryFilter::default()).expect("the wall");
//! assert_eq!(near.geom, wall);
//! assert!((near.proximity.distance - 4.8).abs() < 1e-9);
//!
//! // When does it touch if it moves by 10 m?
//! let hit = world.shape_cast(&palm, &Pose::IDENTITY, 10.0 * DVec3::X, &QueryFilter::default()).expect("the wall");
//! assert!((hit.fraction - 0.48).abs() < 1e-5);
//!
//! // What does a range finder see?
//! let hit = world.ray_cast(DVec3::ZERO, DVec3::X, 100.0, &QueryFilter::default()).expect("the wall");
//! assert!((hit.distance - 4.9).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use glam::DVec3;

use super::{BodyId, Geom, GeomId, World};
use crate::collision::{ContactQuery, Proximity, Sweep, cast, collide, distance};
use crate::math::Pose;
use crate::shape::{Aabb, Shape};

/// Asked whether a shape counts.
pub type Accept<'a> = &'a dyn Fn(GeomId, &Geom) -> bool;

/// Which shapes a question is about.
#[derive(Clone, Copy)]
pub struct QueryFilter<'a> {
    /// Bits of what the asking shape is: a shape counts if its `collide` bits have one of them, or its `category` has one of `collide`.
    pub category: u64,
    /// Bits of what the asking shape collides with.
    pub collide: u64,
    /// Shapes of this body do not count.
    pub except: Option<BodyId>,
    /// Shapes that do not collide ([`World::set_geom_enabled`]) count too.
    pub with_disabled: bool,
    /// Asked for every shape that counts so far.
    pub accept: Option<Accept<'a>>,
}

impl Default for QueryFilter<'_> {
    /// All shapes that collide.
    fn default() -> Self {
        Self { category: u64::MAX, collide: u64::MAX, except: None, with_disabled: false, accept: None }
    }
}

impl std::fmt::Debug for QueryFilter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QueryFilter")
            .field("category", &self.category)
            .field("collide", &self.collide)
            .field("except", &self.except)
            .field("with_disabled", &self.with_disabled)
            .finish_non_exhaustive()
    }
}

/// A shape of the world near another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearGeom {
    /// The shape.
    pub geom: GeomId,
    /// Distance and nearest points; the first are those of the asking shape.
    pub proximity: Proximity,
}

/// Where a ray meets a shape of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldRayHit {
    /// The shape.
    pub geom: GeomId,
    /// Distance from the start \[m\].
    pub distance: f64,
    /// Point in the world \[m\].
    pub point: DVec3,
    /// Unit normal of the surface, turned towards the start.
    pub normal: DVec3,
}

/// Where a moving shape first touches one of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldShapeHit {
    /// The shape.
    pub geom: GeomId,
    /// Fraction of the motion; 0 where they touch at the start.
    pub fraction: f64,
    /// Distance and nearest points then; the first are those of the moving shape.
    pub proximity: Proximity,
}

/// Gap at which a cast ends, in parts of the shape's size \[1\].
const GAP: f64 = 1e-6;

impl World {
    /// Shapes that a question is about, with their poses and boxes.
    fn asked<'w>(&'w self, filter: &'w QueryFilter) -> impl Iterator<Item = (GeomId, &'w Geom, Pose, Aabb)> + 'w {
        self.geoms.iter().filter_map(move |(id, geom)| {
            let counts = (geom.is_enabled || filter.with_disabled)
                && (geom.category & filter.collide != 0 || geom.collide & filter.category != 0)
                && (filter.except.is_none() || geom.body != filter.except)
                && filter.accept.is_none_or(|accept| accept(id, geom));
            if !counts {
                return None;
            }
            let pose = self.geom_pose(id)?;
            Some((id, geom, pose, geom.bounds.turned(&pose)))
        })
    }

    /// The nearest shape within `most` \[m\]; of several that overlap the deepest. `None` where there is none.
    #[must_use]
    pub fn nearest(&self, shape: &Shape, pose: &Pose, most: f64, filter: &QueryFilter) -> Option<NearGeom> {
        let bounds = shape.aabb(pose);
        let mut best: Option<NearGeom> = None;
        for (geom, other, other_pose, other_bounds) in self.asked(filter) {
            let least = best.map_or(most, |known| known.proximity.distance.max(0.0).min(most));
            let is_plane = matches!(other.shape, Shape::Plane(_));
            if !is_plane && bounds.is_finite() && !bounds.expanded(least).intersects(&other_bounds) {
                continue;
            }
            if let Some(proximity) = distance(shape, pose, &other.shape, &other_pose, least)
                && best.is_none_or(|known| proximity.distance < known.proximity.distance)
            {
                best = Some(NearGeom { geom, proximity });
            }
        }
        best
    }

    /// All shapes within `most` \[m\], nearest first.
    #[must_use]
    pub fn near(&self, shape: &Shape, pose: &Pose, most: f64, filter: &QueryFilter) -> Vec<NearGeom> {
        let mut found: Vec<NearGeom> = self
            .asked(filter)
            .filter_map(|(geom, other, other_pose, _)| {
                let proximity = distance(shape, pose, &other.shape, &other_pose, most)?;
                Some(NearGeom { geom, proximity })
            })
            .collect();
        found.sort_by(|a, b| a.proximity.distance.total_cmp(&b.proximity.distance));
        found
    }

    /// Shapes that a shape overlaps, in the order of creation; touch within rounding counts.
    #[must_use]
    pub fn overlaps(&self, shape: &Shape, pose: &Pose, filter: &QueryFilter) -> Vec<GeomId> {
        let bounds = shape.aabb(pose);
        let query = ContactQuery { max_points: 1, ..ContactQuery::default() };
        let mut points = Vec::new();
        self.asked(filter)
            .filter(|(_, other, _, other_bounds)| {
                matches!(other.shape, Shape::Plane(_)) || bounds.intersects(other_bounds)
            })
            .filter(|(_, other, other_pose, _)| {
                collide(shape, pose, &other.shape, other_pose, &query, &mut points);
                !points.is_empty()
            })
            .map(|(geom, ..)| geom)
            .collect()
    }

    /// Signed distance of a point from the nearest shape within `most` \[m\], negative inside.
    #[must_use]
    pub fn signed_distance(&self, point: DVec3, most: f64, filter: &QueryFilter) -> Option<(GeomId, f64)> {
        let mut best: Option<(GeomId, f64)> = None;
        for (geom, other, pose, _) in self.asked(filter) {
            let distance = -other.shape.point_depth(&pose, point);
            if distance <= most && best.is_none_or(|known| distance < known.1) {
                best = Some((geom, distance));
            }
        }
        best
    }

    /// The first shape that a ray meets within `most` \[m\]; from inside a solid, where it leaves. The direction may have any length but
    /// zero.
    #[must_use]
    pub fn ray_cast(&self, origin: DVec3, direction: DVec3, most: f64, filter: &QueryFilter) -> Option<WorldRayHit> {
        let direction = direction.try_normalize()?;
        let mut best: Option<WorldRayHit> = None;
        for (geom, other, pose, _) in self.asked(filter) {
            let most = best.map_or(most, |known| known.distance);
            if let Some(hit) = other.shape.ray_cast(&pose, origin, direction, most)
                && best.is_none_or(|known| hit.distance < known.distance)
            {
                let point = origin + hit.distance * direction;
                best = Some(WorldRayHit { geom, distance: hit.distance, point, normal: hit.normal });
            }
        }
        best
    }

    /// Where a ray first meets each shape within `most` \[m\], nearest first.
    #[must_use]
    pub fn ray_cast_all(&self, origin: DVec3, direction: DVec3, most: f64, filter: &QueryFilter) -> Vec<WorldRayHit> {
        let Some(direction) = direction.try_normalize() else { return Vec::new() };
        let mut found: Vec<WorldRayHit> = self
            .asked(filter)
            .filter_map(|(geom, other, pose, _)| {
                let hit = other.shape.ray_cast(&pose, origin, direction, most)?;
                let point = origin + hit.distance * direction;
                Some(WorldRayHit { geom, distance: hit.distance, point, normal: hit.normal })
            })
            .collect();
        found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        found
    }

    /// The first shape that another touches on its straight way, without turning.
    #[must_use]
    pub fn shape_cast(&self, shape: &Shape, pose: &Pose, way: DVec3, filter: &QueryFilter) -> Option<WorldShapeHit> {
        self.sweep_cast(shape, &Sweep::along(*pose, way), filter)
    }

    /// The first shape that another touches on a motion that may turn.
    #[must_use]
    pub fn sweep_cast(&self, shape: &Shape, sweep: &Sweep, filter: &QueryFilter) -> Option<WorldShapeHit> {
        let size = shape.aabb(&Pose::IDENTITY).size().length();
        let gap = GAP * if size.is_finite() { size } else { 1.0 };
        let mut best: Option<WorldShapeHit> = None;
        for (geom, other, pose, _) in self.asked(filter) {
            let Some(hit) = cast(shape, sweep, &other.shape, &Sweep::fixed(pose), gap) else { continue };
            if best.is_none_or(|known| hit.fraction < known.fraction) {
                best = Some(WorldShapeHit { geom, fraction: hit.fraction, proximity: hit.proximity });
            }
        }
        best
    }
}
