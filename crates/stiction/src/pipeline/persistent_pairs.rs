//! Pairs and contacts that persist: while nothing has moved far enough for any of them to change, they are those of the last step.
//!
//! What is known of a pair of shapes, its patches or that it is apart, is valid until its bodies have moved against each other by some way
//! (`travel.rs`). While the least of these ways is more than twice what any body has moved since, no pair is looked at: the search would
//! have found the same.

use super::apart::ApartPair;
use super::context::Model;
use super::travel::{Lease, Travel};
use super::{StepCounts, Workspace};
use crate::base::Arena;
use crate::model::{Contact, PatchCache, SolverKind, State, TimeAdvancement, WorldParameters};

/// Part of the margin of contacts by which bounds are larger, so that near pairs are those of some steps.
const SPARE: f64 = 0.05;
/// Part of what is left that rounding may take.
const ROUNDING: f64 = 1e-6;

/// What holds for all pairs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PersistentPairs {
    /// How far any body may move until some pair may change \[m\]; not positive where that is not known.
    left: f64,
    /// Distance from centres of mass within which turns count \[m\].
    arm: f64,
    /// How far bodies have moved since, at most \[m\].
    moved: f64,
    /// Counts of the step in which the pairs were looked at.
    counts: StepCounts,
    /// No pair is looked at in this step.
    pub(super) holds: bool,
}

/// By how much bounds of shapes are larger than asked for \[m\].
pub(super) fn spare(parameters: &WorldParameters) -> f64 {
    let is_discrete = parameters.time == TimeAdvancement::Discrete;
    if parameters.solver == SolverKind::Substeps && is_discrete { SPARE * parameters.contact_margin } else { 0.0 }
}

/// Whether the pairs of the last step are those of this one.
pub(super) fn follow(model: &Model, user_contacts: &Arena<Contact>, state: &State, work: &mut Workspace) {
    work.last_rules.follow(model);
    let own = &mut work.persistent_pairs;
    let [most, ahead] = work.travel.most(own.arm);
    own.moved += most;
    own.holds = work.last_rules.are_same
        && 2.0 * (own.moved + ahead) < own.left
        && user_contacts.iter().next().is_none()
        && work.reaches.is_empty()
        && work.last_islands.all_are_awake(state)
        && work.watch.is_clear();
}

impl PersistentPairs {
    /// Nothing is known.
    pub(super) fn end(&mut self) {
        self.left = 0.0;
    }

    /// Counts of a step in which no pair is looked at.
    pub(super) fn count(&self, counts: &mut StepCounts) {
        counts.pairs = self.counts.pairs;
        counts.pairs_apart = self.counts.pairs_apart;
        counts.pairs_unchanged = self.counts.pairs;
        counts.patches = self.counts.patches;
        counts.patches_kept = self.counts.patches_kept;
    }

    /// Measures how long all pairs hold, after a step in which no patch was new.
    pub(super) fn measure(
        &mut self,
        model: &Model,
        travel: &Travel,
        (patches, leases, apart): (&PatchCache, &[Lease], &[ApartPair]),
        (reach, counts): (f64, &StepCounts),
    ) {
        // Of what is neither a patch nor known to be apart nothing is known.
        let heads = &patches.heads;
        let others = heads.iter().zip(heads.iter().skip(1)).filter(|(one, next)| one.geoms != next.geoms).count();
        if counts.pairs != apart.len() + others + usize::from(!heads.is_empty()) {
            return;
        }
        self.counts = *counts;
        self.moved = 0.0;
        self.arm = reach;
        self.left = spare(model.parameters);
        for lease in leases.iter().chain(apart.iter().map(ApartPair::lease)) {
            self.arm = self.arm.max(lease.arm());
            self.left = self.left.min(lease.left(travel));
        }
        self.left *= 1.0 - ROUNDING;
    }
}
