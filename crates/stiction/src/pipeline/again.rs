//! Pairs that had a patch in the last step, under rules that hold still: nothing but their points is looked for.

use std::ops::Range;

use super::apart::{self, ApartPair};
use super::balls::{self, StepPoses};
use super::contact_input::StartOfPoint;
use super::context::Model;
use super::found::FoundContacts;
use super::frames::Frames;
use super::margins::Margins;
use super::normals::{Before, Normals};
use super::pair_laws::SurfaceKinds;
use super::patches::{self, PatchPlace, PatchSources};
use super::speculative::{Reach, are_slow};
use super::travel::{Lease, Travel};
use super::{middle, rim, rounded, rules};
use crate::collision::{ContactQuery, ManifoldPoint};
use crate::material::ContactRules;
use crate::math::Pose;
use crate::model::{Geom, PatchHead, PatchSurface, State, WorldParameters};
use crate::shape::Shape;
use crate::solvers::soft::COEFFICIENT;

/// What the contacts of all pairs are made from.
pub(super) struct Sources<'a> {
    pub(super) rules: ContactRules<'a>,
    pub(super) model: &'a Model<'a>,
    pub(super) step: f64,
    pub(super) geom_poses: &'a [Pose],
    /// Poses of the middle of the step, where contacts that bear are looked for there.
    pub(super) middle_poses: &'a [Pose],
    pub(super) reaches: &'a [Reach],
    pub(super) margins: &'a Margins,
    pub(super) state: &'a State,
    pub(super) frames: &'a Frames,
    /// The rules of contacts are those of the last step, and which pairs were apart then.
    pub(super) is_known: bool,
    pub(super) last_apart: &'a [ApartPair],
    pub(super) travel: &'a Travel,
    /// How long the patches of the last step hold; none where their rules may be others.
    pub(super) leases: &'a [Lease],
    pub(super) kinds: &'a SurfaceKinds,
}

impl Sources<'_> {
    /// How long the patches that a pair had in the last step may be used from now on, if they may.
    pub(super) fn lasts(&self, sources: &PatchSources, numbers: &Range<usize>) -> Option<Lease> {
        let patches = &self.state.patches;
        let bears = numbers.clone().any(|number| patches::bore(patches.records_of(number)));
        let in_middle = bears && !self.middle_poses.is_empty();
        // All of a pair were found together.
        let head = &patches.heads[numbers.start];
        if bears != in_middle || bears != head.bears {
            return None;
        }
        let lease = self.leases.get(numbers.start).filter(|lease| lease.holds(self.travel));
        lease.copied().or_else(|| {
            let poses = if in_middle { self.middle_poses } else { self.geom_poses };
            let margin = self.margin_of(head.geoms, self.rules.margin);
            Some(self.lease(head, patches::left_of(sources, head, poses, bears, margin)?))
        })
    }

    /// How long a patch holds whose shapes may still move against each other so far \[m\].
    pub(super) fn lease(&self, head: &PatchHead, left: f64) -> Lease {
        // Points that were looked for within less than the margin hold for some steps only.
        if left <= 0.0 || head.found.margin < self.rules.margin {
            return Lease::NONE;
        }
        let poses = head.geoms.map(|slot| &self.geom_poses[slot as usize]);
        let bodies = patches::bodies_of_shapes(head);
        Lease::new(self.travel, &self.state.bodies, (poses, bodies), &head.found, left)
    }

    /// Gap up to which points of two shapes are looked for in this step, of at most so much: on triangles it is only what may close.
    pub(super) fn margin_of(&self, geoms: [u32; 2], most: f64) -> f64 {
        let [Some(a), Some(b)] = geoms.map(|slot| self.model.geoms.at(slot as usize)) else { return most };
        if ![a, b].into_iter().any(|geom| geom.shape.touches_by_triangles()) {
            return most;
        }
        self.margins.between([a, b].map(patches::slot_of_geom), most)
    }

    /// Two shapes may be known to be apart while the ways of bodies are followed: what is fast is looked for across wider gaps, and what is
    /// made of triangles has gaps on more than one side.
    pub(super) fn may_stay_apart(&self, geoms: [&Geom; 2], slots: [u32; 2]) -> bool {
        self.travel.is_followed
            && are_slow(self.reaches, slots)
            && !geoms.into_iter().any(|geom| geom.shape.touches_by_triangles())
    }

    /// Outside of sub-steps: two shapes without points in the last step have none still.
    pub(super) fn are_apart_still(
        &self,
        slots: [u32; 2],
        of_patches: &PatchSources,
        cursor: &mut usize,
        out: &mut FoundContacts,
    ) -> bool {
        if !self.travel.is_followed || !are_slow(self.reaches, slots) {
            return false;
        }
        let margin = self.rules.margin;
        let again = |apart: &ApartPair| apart.again(of_patches, self.travel, self.geom_poses, (|| margin, margin));
        let still = apart::find(self.last_apart, slots, cursor).and_then(again);
        out.apart.extend(still);
        still.is_some()
    }

    /// The point of a ball that bore in the last step follows from its centre.
    pub(super) fn roll_on(&self, of_patches: &PatchSources, numbers: &Range<usize>, out: &mut FoundContacts) -> bool {
        let all = StepPoses { start: self.geom_poses, middle: self.middle_poses };
        numbers.len() == 1
            && are_slow(self.reaches, self.state.patches.heads[numbers.start].geoms)
            && balls::roll_on(of_patches, all, self.rules.margin, numbers.start, out)
    }

    /// Looks for the points of a pair with patches that bears, where its rule is that of the last step: those of the middle of the step
    /// replace the old ones. Whether that is all there is to do; what has lost its overlap, or moves fast, goes the way of all pairs.
    pub(super) fn look_again(
        &self,
        of_patches: &PatchSources,
        numbers: &Range<usize>,
        [points, found]: [&mut Vec<ManifoldPoint>; 2],
        (starts, normals): (&mut Vec<Option<StartOfPoint>>, &mut Normals),
        out: &mut FoundContacts,
    ) -> bool {
        let (model, patches, number) = (self.model, &self.state.patches, numbers.start);
        let (head, records) = (&patches.heads[number], patches.records_of(number));
        if self.middle_poses.is_empty() || !are_slow(self.reaches, head.geoms) {
            return false;
        }
        if self.roll_on(of_patches, numbers, out) {
            return true;
        }
        let [Some(a), Some(b)] = head.geoms.map(|slot| model.geoms.at(slot as usize)) else { return false };
        let before = Before { patches, numbers: numbers.clone(), points: &[] };
        if !before.bears() {
            return false;
        }
        let of = |all: &'_ [Pose]| head.geoms.map(|slot| all[slot as usize]);
        let poses = of(self.middle_poses);
        let (most, manifold) = (self.rules.margin, self.rules.manifold);
        let margin = self.margin_of(head.geoms, most);
        let max_points = a.surface.most_points(&b.surface, self.rules.max_points) as usize;
        let query = ContactQuery {
            max_points,
            margin,
            inner: on_plane([a, b]),
            near_first: true,
            whole_faces: true,
            ..ContactQuery::default()
        };
        rules::points(manifold, &query, a, b, poses.each_ref(), points);
        rim::keep_touching((model, self.state, self.step), [a, b], points);
        rounded::keep_ends(model, [a, b], poses.each_ref(), points);
        if points.iter().all(|point| point.depth < 0.0) {
            return false;
        }
        starts.clear();
        let place = PatchPlace {
            geoms: head.geoms,
            bodies: [a, b].map(patches::slot_of_geom),
            poses: poses.each_ref(),
            in_middle: true,
            margin,
            most,
        };
        if may_roll(points) && !rounded::roll_on_faces(of_patches, &place, points, &before) {
            let at_start = of(self.geom_poses);
            let begin = middle::Start { state: self.state, step: self.step, poses: at_start.each_ref() };
            middle::starts(&begin, (manifold, margin, max_points), [a, b], points, found, starts);
        }
        let surface = PatchSurface { coefficient: records[0].0[COEFFICIENT], push: head.push, layer: head.layer };
        normals.add(of_patches, &place, (points, starts), surface, &before, out.begin_to_add(patches));
        true
    }
}

/// A pair whose rule may be another, and whose patches last, or roll on, with other surfaces.
pub(super) fn is_as_before_under(
    surface: PatchSurface,
    sources: &Sources,
    of_patches: &PatchSources,
    patches: &Range<usize>,
    out: &mut FoundContacts,
) -> bool {
    if let Some(lease) = sources.lasts(of_patches, patches) {
        out.push_again(sources.state, patches.clone(), Some(surface), lease);
        return true;
    }
    let rolls_on = sources.roll_on(of_patches, patches, out);
    if rolls_on {
        out.set_last_surface(surface);
        out.lease_new(sources);
    }
    rolls_on
}

/// Memory of points of a pair, of where they were, and of their normals.
pub(super) type PairMemory<'a> =
    ([&'a mut Vec<ManifoldPoint>; 2], (&'a mut Vec<Option<StartOfPoint>>, &'a mut Normals));

/// A pair whose rule is that of the last step, and that is known to be apart still, or whose patches are found without it.
pub(super) fn is_as_before(
    sources: &Sources,
    of_patches: &PatchSources,
    (pair, apart, patches): ([u32; 2], Option<&ApartPair>, &Range<usize>),
    (points, memory): PairMemory,
    out: &mut FoundContacts,
) -> bool {
    let margins = (|| sources.margin_of(pair, sources.rules.margin), sources.rules.margin);
    let again = |apart: &ApartPair| apart.again(of_patches, sources.travel, sources.geom_poses, margins);
    if let Some(apart) = apart.and_then(again) {
        out.apart.push(apart);
        return true;
    }
    if patches.is_empty() {
        return false;
    }
    if let Some(lease) = sources.lasts(of_patches, patches) {
        out.push_again(sources.state, patches.clone(), None, lease);
        return true;
    }
    let is_found = sources.look_again(of_patches, patches, points, memory, out);
    if is_found {
        out.lease_new(sources);
    }
    is_found
}

/// Some patch of a pair has one or two points, which may roll.
pub(super) fn may_roll(points: &[ManifoldPoint]) -> bool {
    points.len() <= 2 || !patches::is_one(points)
}

/// What tilts in the step comes down on points that others carry now: on a plane all of them are looked for.
pub(super) fn on_plane(geoms: [&Geom; 2]) -> bool {
    geoms.iter().any(|geom| matches!(geom.shape, Shape::Plane(_)))
}

/// What the rules of contacts of the last step followed from.
#[derive(Debug, Default)]
pub(crate) struct LastRules {
    parameters: WorldParameters,
    revisions: Option<[u64; 2]>,
    /// Those of this step are the same.
    pub(super) are_same: bool,
}

impl LastRules {
    /// Compares them with those of this step, once a step.
    pub(super) fn follow(&mut self, model: &Model) {
        let revisions = Some([model.topology, model.revision]);
        self.are_same = self.revisions == revisions && self.parameters == *model.parameters;
        if !self.are_same {
            self.revisions = revisions;
            self.parameters.clone_from(model.parameters);
        }
    }
}
