//! Islands that are those of the last step: what rests on each other need not be sorted anew in every step.

use super::context::Model;
use super::sleep::any_sleeps;
use super::substeps::impacts;
use crate::model::{BodyKind, PatchCache, SolverKind, State};

/// What the islands of the last step followed from, where nothing but patches, joints and sleep could change them.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastIslands {
    /// Bodies of the patches.
    pairs: Vec<[u32; 2]>,
    /// Bodies that were awake afterwards, by slot.
    awake: Vec<bool>,
    /// Nothing else has a part in them, but impacts.
    may_hold: bool,
    /// They hold only until something hits: an island with a body on a lighter one has more sub-steps for an impact.
    depends_on_impacts: bool,
    /// Some body slept.
    any_slept: bool,
    /// The islands of this step are those of the last one.
    pub(super) hold: bool,
}

impl LastIslands {
    /// Whether the islands of the last step hold in this one, under rules that are the same or not, with contacts or without, where no place of
    /// a body moves by more than a way in the step \[m\].
    pub(super) fn follow(
        &mut self,
        state: &State,
        (rules_are_same, has_contacts, way): (bool, bool, f64),
        patches: &PatchCache,
    ) {
        let bodies = patches.heads.iter().map(|head| &head.bodies);
        self.hold = self.may_hold
            && rules_are_same
            && !has_contacts
            && (!self.depends_on_impacts || impacts::are_impossible(way))
            && self.are_awake_as_before(state)
            && bodies.eq(&self.pairs);
    }

    /// Nothing but patches and joints could change the islands of the last step: nobody slept, and nobody does. Which pairs of sleeping
    /// bodies are looked at follows from bounds of others.
    pub(super) fn all_are_awake(&self, state: &State) -> bool {
        self.are_awake_as_before(state) && !self.any_slept
    }

    /// Nothing but patches, joints and sleep could change the islands of the last step, and nobody has woken or fallen asleep since.
    fn are_awake_as_before(&self, state: &State) -> bool {
        self.may_hold && state.bodies.iter().map(|own| &own.is_enabled).eq(&self.awake)
    }

    /// Stores what the islands of this step follow from. `is_all`: all contacts are solved in sub-steps, and their number does not depend
    /// on where contacts are; it may depend on impacts.
    pub(super) fn remember(
        &mut self,
        model: &Model,
        state: &State,
        (is_all, depends_on_impacts): (bool, bool),
        patches: &PatchCache,
    ) {
        let parameters = model.parameters;
        self.may_hold = is_all
            && parameters.solver == SolverKind::Substeps
            && parameters.auto_enable_depth == u32::MAX
            && model.wires.slots() == 0
            && model.bodies.iter().all(|(_, body)| body.kind == BodyKind::Dynamic);
        self.depends_on_impacts = depends_on_impacts;
        self.any_slept = any_sleeps(model.bodies, state);
        self.pairs.clear();
        self.awake.clear();
        if self.may_hold {
            self.pairs.extend(patches.heads.iter().map(|head| head.bodies));
            self.awake.extend(state.bodies.iter().map(|own| own.is_enabled));
        }
    }
}
