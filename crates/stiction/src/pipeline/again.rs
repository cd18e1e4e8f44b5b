//! Pairs that had a patch in the last step, under rules that hold still: nothing but their points is looked for.

use super::apart::ApartPair;
use super::balls::{self, StepPoses};
use super::contact_input::StartOfPoint;
use super::context::Model;
use super::frames::Frames;
use super::patches::{self, PatchPlace, PatchSources, Warm};
use super::speculative::Reach;
use super::{middle, rules};
use crate::collision::{ContactQuery, ManifoldPoint};
use crate::material::ContactRules;
use crate::math::Pose;
use crate::model::{Geom, PatchCache, PatchSurface, State, WorldParameters};
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
    pub(super) state: &'a State,
    pub(super) frames: &'a Frames,
    /// The rules of contacts are those of the last step, and which pairs were apart then.
    pub(super) is_known: bool,
    pub(super) last_apart: &'a [ApartPair],
}

impl Sources<'_> {
    /// A patch of the last step may be used again.
    pub(super) fn lasts(&self, sources: &PatchSources, number: usize) -> bool {
        let patches = &self.state.patches;
        let bears = patches::normals(patches.records_of(number)).iter().any(|normal| *normal > 0.0);
        let in_middle = bears && !self.middle_poses.is_empty();
        let poses = if in_middle { self.middle_poses } else { self.geom_poses };
        bears == in_middle && patches::lasts(sources, &patches.heads[number], poses, bears)
    }

    /// Looks for the points of a patch that bears, where its rule is that of the last step: those of the middle of the step replace the
    /// old ones. Whether that is all there is to do; what has lost its overlap, or moves fast, goes the way of all pairs.
    pub(super) fn look_again(
        &self,
        of_patches: &PatchSources,
        number: usize,
        [points, found]: [&mut Vec<ManifoldPoint>; 2],
        starts: &mut Vec<Option<StartOfPoint>>,
        out: &mut PatchCache,
    ) -> bool {
        let (model, patches) = (self.model, &self.state.patches);
        let (head, records) = (&patches.heads[number], patches.records_of(number));
        if self.middle_poses.is_empty() || !self.reaches.is_empty() {
            return false;
        }
        let [Some(a), Some(b)] = head.geoms.map(|slot| model.geoms.at(slot as usize)) else { return false };
        let all = StepPoses { start: self.geom_poses, middle: self.middle_poses };
        if balls::roll_on(of_patches, all, self.rules.margin, number, out) {
            return true;
        }
        let warm = Warm::of_patch(patches, number);
        if !warm.bears() {
            return false;
        }
        let of = |all: &'_ [Pose]| head.geoms.map(|slot| all[slot as usize]);
        let poses = of(self.middle_poses);
        let (margin, manifold) = (self.rules.margin, self.rules.manifold);
        let max_points = a.surface.most_points(&b.surface, self.rules.max_points) as usize;
        let query = ContactQuery { max_points, margin, ..ContactQuery::default() };
        rules::points(manifold, &query, a, b, poses.each_ref(), points);
        if !patches::is_one(points) || points.iter().all(|point| point.depth < 0.0) {
            return false;
        }
        starts.clear();
        if points.len() <= 2 {
            let at_start = of(self.geom_poses);
            let begin = middle::Start { state: self.state, step: self.step, poses: at_start.each_ref() };
            middle::starts(&begin, (manifold, margin, max_points), [a, b], points, found, starts);
        }
        let slot = |geom: &Geom| patches::slot_of(geom.body.map(|body| body.slot() as u32));
        let place = PatchPlace {
            geoms: head.geoms,
            bodies: [slot(a), slot(b)],
            poses: poses.each_ref(),
            in_middle: true,
            margin,
        };
        let surface = PatchSurface { coefficient: records[0].0[COEFFICIENT], push: head.push, layer: head.layer };
        let (head, records) = patches::make(of_patches, &place, (points, starts), surface, &warm);
        out.push(head, &records);
        true
    }
}

/// What the rules of contacts of the last step followed from.
#[derive(Debug, Default)]
pub(crate) struct LastRules {
    parameters: WorldParameters,
    revisions: Option<[u64; 2]>,
}

impl LastRules {
    /// Whether they are the same still.
    pub(super) fn follow(&mut self, model: &Model) -> bool {
        let revisions = Some([model.topology, model.revision]);
        let is_same = self.revisions == revisions && self.parameters == *model.parameters;
        if !is_same {
            self.revisions = revisions;
            self.parameters.clone_from(model.parameters);
        }
        is_same
    }
}
