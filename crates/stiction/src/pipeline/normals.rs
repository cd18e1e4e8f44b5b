//! Patches of a pair, one for each normal of its points: a body on triangles touches several, and a face may have more than four points.

use glam::DVec3;

use std::ops::Range;

use super::detect::StartOfPoint;
use super::patches::{
    Facing, MOST_ROLLING, PatchPlace, PatchSources, SAME, Warm, bore, is_one, is_round, make, relative_place,
};
use crate::collision::ManifoldPoint;
use crate::model::{CachedPoint, MOST_POINTS, PatchCache, PatchSurface};

/// Points of a pair in groups of one normal; memory that is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Normals {
    points: Vec<ManifoldPoint>,
    starts: Vec<Option<StartOfPoint>>,
    /// Where the groups end.
    ends: Vec<usize>,
    pending: Vec<usize>,
    chunk: Vec<usize>,
}

/// What a pair has of the last step.
#[derive(Clone, Debug)]
pub(super) struct Before<'a> {
    pub(super) patches: &'a PatchCache,
    /// Its patches.
    pub(super) numbers: Range<usize>,
    /// Its points, if it had no patches.
    pub(super) points: &'a [CachedPoint],
}

impl Before<'_> {
    /// Some point bore.
    pub(super) fn bears(&self) -> bool {
        self.numbers.clone().any(|number| bore(self.patches.records_of(number)))
            || self.points.iter().any(|point| point.normal > 0.0)
    }

    /// Some patch had a normal on the same body, and the same there: it is that of a face, or of another in one plane with it.
    pub(super) fn had(&self, facing: &Facing) -> bool {
        self.numbers.clone().any(|number| Facing::of_patch(self.patches, number).is_same(facing))
    }

    /// What all its patches end with.
    pub(super) fn each(&self) -> impl Iterator<Item = Warm> {
        self.numbers.clone().map(|number| Warm::of_patch(self.patches, number))
    }

    /// With what a patch of points begins.
    fn begin(&self, points: &[ManifoldPoint]) -> Warm {
        if self.numbers.is_empty() {
            return self.begin_from_points(points);
        }
        let mut own = Warm::default();
        for number in self.numbers.clone() {
            let head = &self.patches.heads[number];
            own.is_placed |= head.is_placed;
            let is_there = |feature: &u32| points.iter().any(|point| point.feature == *feature);
            if !head.features[..head.count as usize].iter().any(is_there) {
                continue;
            }
            let old = Warm::of_patch(self.patches, number);
            let (count, mut load) = (own.count, 0.0);
            for k in (0..old.count).filter(|k| is_there(&old.features[*k])) {
                if own.count < MOST_POINTS && own.find(old.features[k]).is_none() {
                    own.features[own.count] = old.features[k];
                    own.normals[own.count] = old.normals[k];
                    own.stored[own.count] = old.stored[k];
                    own.count += 1;
                    load += old.normals[k];
                }
            }
            // As much of its friction as of its load.
            let all: f64 = old.normals[..old.count].iter().sum();
            if own.count > count && all > 0.0 {
                own.friction += load / all * old.friction;
                own.twist += load / all * old.twist;
            }
        }
        own
    }

    /// The same of points that were no patches.
    fn begin_from_points(&self, points: &[ManifoldPoint]) -> Warm {
        let mut own = Warm { is_placed: self.points.iter().any(|old| old.is_placed), ..Warm::default() };
        let count = points.len() as f64;
        let center: DVec3 = points.iter().map(|point| point.position).sum::<DVec3>() / count;
        for point in points.iter().take(MOST_POINTS) {
            let Some(old) = self.points.iter().find(|old| old.feature == point.feature) else { continue };
            (own.features[own.count], own.normals[own.count]) = (old.feature, old.normal);
            own.stored[own.count] = old.stored;
            own.count += 1;
            own.friction += old.friction;
            own.twist += point.normal.dot((point.position - center).cross(old.friction));
        }
        own
    }
}

impl Normals {
    /// Adds the patches of a pair.
    pub(super) fn add(
        &mut self,
        sources: &PatchSources,
        place: &PatchPlace,
        (points, starts): (&[ManifoldPoint], &[Option<StartOfPoint>]),
        surface: PatchSurface,
        before: &Before,
        out: &mut PatchCache,
    ) {
        let most = if is_round(sources.model, place.geoms) { MOST_ROLLING } else { MOST_POINTS };
        if is_one(points) && points.len() <= most {
            let warm = match before.numbers.len() {
                1 => Warm::of_patch(before.patches, before.numbers.start),
                0 => Warm::of_points(before.points),
                _ => before.begin(points),
            };
            let found = relative_place(sources, place, points, points.len() <= 2);
            let (head, records) = make(sources, place, (points, starts), surface, (&warm, before, found));
            out.push(head, &records);
            return;
        }
        self.sort(points, starts, most);
        let least = (0..self.ends.len()).map(|group| self.range(group).len()).min();
        let found = relative_place(sources, place, points, least.is_some_and(|least| least <= 2));
        for group in 0..self.ends.len() {
            let range = self.range(group);
            let own = &self.points[range.clone()];
            let starts = self.starts.get(range).unwrap_or(&[]);
            let (head, records) = make(sources, place, (own, starts), surface, (&before.begin(own), before, found));
            out.push(head, &records);
        }
    }

    fn range(&self, group: usize) -> Range<usize> {
        let start = if group == 0 { 0 } else { self.ends[group - 1] };
        start..self.ends[group]
    }

    /// Sorts points into groups of so many at most with one normal.
    fn sort(&mut self, points: &[ManifoldPoint], starts: &[Option<StartOfPoint>], most: usize) {
        let Self { points: sorted, starts: sorted_starts, ends, pending, chunk } = self;
        sorted.clear();
        sorted_starts.clear();
        ends.clear();
        pending.clear();
        pending.extend(0..points.len());
        while let Some(first) = pending.first().copied() {
            let normal = points[first].normal;
            let is_same = |k: &usize| (points[*k].normal - normal).length_squared() <= SAME;
            chunk.clear();
            chunk.extend(pending.iter().copied().filter(is_same));
            pending.retain(|k| !is_same(k));
            let parts = chunk.len().div_ceil(most);
            for part in 0..parts {
                // Points come along an outline: every so many of them are far from each other.
                for k in chunk.iter().skip(part).step_by(parts) {
                    sorted.push(points[*k]);
                    sorted_starts.extend(starts.get(*k));
                }
                ends.push(sorted.len());
            }
        }
    }
}
