//! Patches of rigid contacts, kept from step to step under sub-steps: places on the two bodies, and the impulses of the last step.

use std::ops::Range;

use glam::{DQuat, DVec3};

use super::contact_cache::find_pair;
use crate::dynamics::rotation::chord;
use crate::math::Pose;
use crate::solvers::soft::{COEFFICIENT, GIVEN, MANIFOLD_RECORDS, NORMAL_PLACE, Record, forget_ways};

/// Records of eight numbers that a patch has.
pub const PATCH_RECORDS: usize = MANIFOLD_RECORDS;
/// Points of a patch at most.
pub(crate) const MOST_POINTS: usize = 4;
/// No body.
pub(crate) const NO_BODY: u32 = u32::MAX;

/// What a patch has of its surfaces: nothing else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchSurface {
    /// Coefficient of friction.
    pub coefficient: f64,
    /// Largest velocity with which an overlap is pushed out \[m/s\]; infinite without a bound of its own.
    pub push: f64,
    /// Overlap that is left alone \[m\].
    pub layer: f64,
}

/// What a patch is beside its records: up to four points of one pair of shapes, with one normal. A pair has as many patches, one after
/// the other, as its points need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchHead {
    /// Slots of the two shapes.
    pub geoms: [u32; 2],
    /// Slots of the body that the normal points into, and of the other; `u32::MAX` is the static environment.
    pub bodies: [u32; 2],
    /// The normal points into the second shape.
    pub is_turned: bool,
    /// Which features of the two shapes touch, by numbers that keep from step to step.
    pub features: [u32; 4],
    /// Number of points.
    pub count: u8,
    /// The shapes were placed into each other and have parted ever since: what that gives is not made.
    pub is_placed: bool,
    /// Largest velocity with which an overlap is pushed out \[m/s\]; infinite without a bound of its own.
    pub push: f64,
    /// Overlap that is left alone \[m\].
    pub layer: f64,
    /// Its points were found in the middle of a step, since it bore.
    pub bears: bool,
    /// Energy that the points have taken up and may give back \[J\].
    pub stored: [f64; 4],
    /// How the shapes were to each other where the points were found.
    pub found: RelativePlace,
}

/// How two shapes were to each other when their points were looked for, and how far they may move until that is done again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativePlace {
    /// A point in the frames of the two shapes \[m\].
    pub centers: [DVec3; 2],
    /// Rotation of the second shape in the frame of the first.
    pub rotation: DQuat,
    /// Distance from the point within which motion counts \[m\].
    pub radius: f64,
    /// Motion against each other up to which the result holds \[m\]; 0 where it does not.
    pub tolerance: f64,
    /// Gap up to which points were looked for \[m\].
    pub margin: f64,
    /// A shape whose turn about its own z does not count: a capsule rolls about it.
    pub rolling: Option<RollingShape>,
}

/// The one of two shapes that may roll about its own z axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollingShape {
    /// The first of the pair.
    First,
    /// The second.
    Second,
}

impl RelativePlace {
    /// At poses of the two shapes, about a point of the world.
    pub(crate) fn new([first, second]: [&Pose; 2], center: DVec3, radius: f64, [tolerance, margin]: [f64; 2]) -> Self {
        Self {
            centers: [first.inverse_point(center), second.inverse_point(center)],
            rotation: first.rotation.conjugate() * second.rotation,
            radius,
            tolerance,
            margin,
            rolling: None,
        }
    }

    /// How far they have moved against each other since then, at most \[m\].
    pub(crate) fn moved(&self, [first, second]: [&Pose; 2]) -> f64 {
        let drift = second.point(self.centers[1]) - first.point(self.centers[0]);
        if self.radius == 0.0 {
            return drift.length();
        }
        let rotation = first.rotation.conjugate() * second.rotation;
        let turned = match self.rolling {
            None => chord(rotation.dot(self.rotation)),
            // Of its axis, in the frame of the other.
            Some(RollingShape::First) => (rotation.inverse() * DVec3::Z - self.rotation.inverse() * DVec3::Z).length(),
            Some(RollingShape::Second) => (rotation * DVec3::Z - self.rotation * DVec3::Z).length(),
        };
        drift.length() + turned * self.radius
    }
}

/// Patches in the order of pairs of shapes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatchCache {
    pub(crate) heads: Vec<PatchHead>,
    /// [`MANIFOLD_RECORDS`] of each.
    pub(crate) records: Vec<Record>,
}

impl PatchCache {
    /// Numbers of a patch for a file: its head, and its records.
    pub fn iter(&self) -> impl Iterator<Item = (&PatchHead, [[f64; 8]; PATCH_RECORDS])> {
        self.heads.iter().enumerate().map(|(number, head)| {
            let start = MANIFOLD_RECORDS * number;
            (head, std::array::from_fn(|k| self.records[start + k].0))
        })
    }

    /// A cache of patches; one whose shapes do not rise, and one with more than four points is left out.
    #[must_use]
    pub fn from_patches(mut patches: Vec<(PatchHead, [[f64; 8]; PATCH_RECORDS])>) -> Self {
        patches.retain(|(head, _)| head.geoms[0] < head.geoms[1] && (1..=4).contains(&head.count));
        patches.sort_by_key(|(head, _)| head.geoms);
        let mut cache = Self::default();
        for (head, records) in patches {
            cache.heads.push(head);
            cache.records.extend(records.map(Record));
        }
        cache
    }

    /// Memory of its lists \[B\].
    pub(crate) fn bytes(&self) -> usize {
        self.heads.capacity() * size_of::<PatchHead>() + self.records.capacity() * size_of::<Record>()
    }

    pub(crate) fn clear(&mut self) {
        self.heads.clear();
        self.records.clear();
    }

    /// Number of patches.
    pub(crate) fn len(&self) -> usize {
        self.heads.len()
    }

    /// Adds a patch; pairs come in order.
    pub(crate) fn push(&mut self, head: PatchHead, records: &[Record]) {
        self.heads.push(head);
        self.records.extend_from_slice(records);
    }

    /// Adds a patch of another cache again; with other surfaces, where they are given.
    pub(crate) fn push_again(&mut self, other: &Self, number: usize, surface: Option<PatchSurface>) {
        let start = self.records.len();
        self.push(other.heads[number], other.records_of(number));
        if other.heads[number].count <= 2 {
            // Where its points went in the step in which they were found is not where they go now.
            forget_ways(&mut self.records[start..]);
        }
        if let Some(surface) = surface {
            self.set_last_surface(surface);
        }
    }

    /// Gives the last patch other surfaces.
    pub(crate) fn set_last_surface(&mut self, surface: PatchSurface) {
        if let Some(head) = self.heads.last_mut() {
            (head.push, head.layer) = (surface.push, surface.layer);
            let start = self.records.len() - MANIFOLD_RECORDS;
            self.records[start].0[COEFFICIENT] = surface.coefficient;
        }
    }

    /// Takes all patches of another cache as they are.
    pub(crate) fn take_standing(&mut self, other: &mut Self) {
        std::mem::swap(self, other);
        other.clear();
        for number in (0..self.len()).filter(|number| self.heads[*number].count <= 2) {
            forget_ways(&mut self.records[span(number)]);
        }
    }

    /// A patch between bodies that nothing moves exerts no force.
    pub(crate) fn rest(&mut self, number: usize) {
        let records = &mut self.records[span(number)];
        records[0].0[4..].fill(0.0);
        records[1..=MOST_POINTS].iter_mut().for_each(|record| record.0[NORMAL_PLACE] = 0.0);
        records[GIVEN] = Record::default();
    }

    /// Adds all of another.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.heads.extend_from_slice(&other.heads);
        self.records.extend_from_slice(&other.records);
    }

    /// Records of a patch.
    pub(crate) fn records_of(&self, number: usize) -> &[Record] {
        &self.records[span(number)]
    }

    /// Numbers of the patches of a pair. `cursor` walks along while pairs are asked for in order.
    pub(crate) fn find(&self, geoms: [u32; 2], cursor: &mut usize) -> Range<usize> {
        let Some(first) = find_pair(&self.heads, |head| head.geoms, geoms, cursor) else { return 0..0 };
        let count = self.heads[first..].iter().take_while(|head| head.geoms == geoms).count();
        first..first + count
    }

    /// Lets the points of a shape be looked for again; its impulses stay.
    pub(crate) fn look_again(&mut self, geom: usize) {
        let is_of = |geoms: &[u32; 2]| geoms.contains(&(geom as u32));
        self.heads.iter_mut().filter(|head| is_of(&head.geoms)).for_each(|head| head.found.tolerance = 0.0);
    }

    /// Lets all points be looked for again.
    pub fn look_again_at_all(&mut self) {
        self.heads.iter_mut().for_each(|head| head.found.tolerance = 0.0);
    }

    /// Forgets everything about a shape.
    pub(crate) fn forget(&mut self, geom: usize) {
        let is_of = |head: &PatchHead| head.geoms.contains(&(geom as u32));
        let mut kept = Self::default();
        for number in (0..self.len()).filter(|number| !is_of(&self.heads[*number])) {
            kept.push(self.heads[number], self.records_of(number));
        }
        *self = kept;
    }
}

/// Where the records of a patch are.
pub(crate) fn span(number: usize) -> Range<usize> {
    MANIFOLD_RECORDS * number..MANIFOLD_RECORDS * (number + 1)
}
