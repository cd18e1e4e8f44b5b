//! Pairs of shapes that come near and have no points: they are not looked at again until they can have.
//!
//! A pair is known to be apart by a gap beyond the margin. As long as the shapes have moved against each other, and move in the step, by
//! less than that, it has no points within the margin: what is left out here changes no result.

use glam::DVec3;

use super::Workspace;
use super::context::Model;
use super::patches::{PatchPlace, PatchSources, body_of};
use super::travel::{Lease, Travel};
use crate::math::Pose;
use crate::model::{BodyState, RelativePlace, find_pair};

/// Factor of the margin within which points are looked for, so that a gap beyond the margin is known.
pub(super) const FARTHER: f64 = 2.0;
/// Share of that gap that is relied upon.
const RELIED: f64 = 0.9;

/// Two shapes that come near and have no points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ApartPair {
    /// Slots of the shapes, and of their bodies.
    geoms: [u32; 2],
    bodies: [u32; 2],
    /// How they were to each other, and the gap between them \[m\].
    found: RelativePlace,
    gap: f64,
    /// How long that holds by the ways of their bodies.
    lease: Lease,
}

impl ApartPair {
    /// Two shapes without points within the margin: the nearest is across a gap.
    pub(super) fn new(
        (model, travel, bodies): (&Model, &Travel, &[BodyState]),
        place: &PatchPlace,
        gap: f64,
    ) -> Option<Self> {
        let bounds = |side: usize| {
            let bounds = model.geoms.at(place.geoms[side] as usize)?.bounds;
            bounds.is_finite().then(|| (bounds.center(), 0.5 * bounds.size().length(), side))
        };
        let either = [bounds(0), bounds(1)];
        let (center, radius, side) = either.into_iter().flatten().min_by(|a, b| a.1.total_cmp(&b.1))?;
        let center = place.poses[side].point(center);
        let found = RelativePlace::new(place.poses, center, radius, [gap, place.margin]);
        let lease = Lease::new(travel, bodies, (place.poses, place.bodies), &found, RELIED * (gap - place.most));
        let own = Self { geoms: place.geoms, bodies: place.bodies, found, gap, lease };
        (gap > place.margin).then_some(own)
    }

    /// How long they are known to have none.
    pub(super) fn lease(&self) -> &Lease {
        &self.lease
    }

    /// They have none still within a margin, of at most so much: the same pair for the next step.
    pub(super) fn again(
        &self,
        sources: &PatchSources,
        travel: &Travel,
        poses: &[Pose],
        (margin, most): (impl Fn() -> f64, f64),
    ) -> Option<Self> {
        if self.lease.holds(travel) {
            return Some(*self);
        }
        let poses = self.geoms.map(|slot| &poses[slot as usize]);
        let (moved, ahead) = (self.found.moved(poses), motion(sources, (poses, self.bodies), &self.found));
        let left = |margin: f64| RELIED * (self.gap - margin) - moved;
        let lease = || Lease::new(travel, &sources.state.bodies, (poses, self.bodies), &self.found, left(most));
        (ahead < left(margin())).then(|| Self { lease: lease(), ..*self })
    }
}

/// Part of the pairs that must have been without points for a search of these to be worth it.
const MANY: usize = 8;

/// Many pairs of the last step had no points. Segments of wires move with more than one body: they are looked at.
pub(super) fn are_many(model: &Model, work: &Workspace) -> bool {
    let apart = work.pairs.len().saturating_sub(work.manifolds.len());
    model.wires.slots() == 0 && MANY * apart > work.pairs.len()
}

/// The pair of two shapes among those in order; `cursor` as in [`find_pair`].
pub(super) fn find<'a>(all: &'a [ApartPair], geoms: [u32; 2], cursor: &mut usize) -> Option<&'a ApartPair> {
    find_pair(all, |pair| pair.geoms, geoms, cursor).map(|number| &all[number])
}

/// How far two shapes move against each other in a step, at most \[m\].
pub(super) fn motion(sources: &PatchSources, (poses, bodies): ([&Pose; 2], [u32; 2]), found: &RelativePlace) -> f64 {
    let of = |side: usize| {
        let center = poses[side].point(found.centers[side]);
        body_of(bodies[side]).map_or((DVec3::ZERO, DVec3::ZERO), |slot| {
            let m = &sources.state.bodies[slot as usize].motion;
            (m.point_velocity(center), m.omega)
        })
    };
    let ((v, w), (other_v, other_w)) = (of(0), of(1));
    sources.step * ((v - other_v).length() + found.radius * (w - other_w).length())
}
