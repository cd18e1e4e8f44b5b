//! Contacts that were found in some of the pairs of a step.

use std::ops::Range;

use super::again::Sources;
use super::apart::ApartPair;
use super::contact_input::{ContactInput, Manifold, NO_START, StartOfPoint};
use super::even_load::EvenLoads;
use super::pair_laws::{PairLaw, PairLaws};
use super::travel::Lease;
use crate::model::{PatchCache, PatchSurface, State};

/// Contacts that were found.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundContacts {
    pub(super) manifolds: Vec<Manifold>,
    pub(super) laws: PairLaws,
    pub(super) starts: Vec<StartOfPoint>,
    pub(super) contacts: Vec<ContactInput>,
    /// Impulses of its contacts that are still to be evened out.
    pub(super) even_loads: EvenLoads,
    patches: PatchCache,
    /// Patches of the last step, one after the other, that stand as they are until something else comes: they are not copied.
    standing: Range<usize>,
    /// How long they hold.
    leases: Vec<Lease>,
    pub(super) apart: Vec<ApartPair>,
    /// Patches among them that are those of the last step.
    pub(super) kept: usize,
}

/// The lists of a step.
pub(super) struct ContactLists<'a> {
    pub(super) manifolds: &'a mut Vec<Manifold>,
    pub(super) laws: &'a mut Vec<PairLaw>,
    pub(super) starts: &'a mut Vec<StartOfPoint>,
    pub(super) contacts: &'a mut Vec<ContactInput>,
    pub(super) patches: &'a mut PatchCache,
    pub(super) leases: &'a mut Vec<Lease>,
    pub(super) apart: &'a mut Vec<ApartPair>,
}

impl FoundContacts {
    pub(super) fn clear(&mut self) {
        self.manifolds.clear();
        self.laws.clear();
        self.starts.clear();
        self.contacts.clear();
        self.even_loads.clear();
        self.patches.clear();
        self.standing = 0..0;
        self.leases.clear();
        self.apart.clear();
        self.kept = 0;
    }

    /// Exchanges its memory with that of the step.
    pub(super) fn swap(&mut self, lists: &mut ContactLists) {
        std::mem::swap(&mut self.manifolds, lists.manifolds);
        std::mem::swap(&mut self.laws.all, lists.laws);
        std::mem::swap(&mut self.starts, lists.starts);
        std::mem::swap(&mut self.contacts, lists.contacts);
        std::mem::swap(&mut self.patches, lists.patches);
        std::mem::swap(&mut self.leases, lists.leases);
        std::mem::swap(&mut self.apart, lists.apart);
    }

    /// Adds what was found to the lists of the step.
    pub(super) fn add_to(&self, lists: &mut ContactLists) {
        let (first_manifold, first_contact) = (lists.manifolds.len() as u32, lists.contacts.len() as u32);
        let first_law = lists.laws.len() as u32;
        let first_start = lists.starts.len() as u32;
        lists.contacts.extend(self.contacts.iter().map(|c| {
            let start = if c.start == NO_START { NO_START } else { c.start + first_start };
            ContactInput { manifold: c.manifold + first_manifold, start, ..*c }
        }));
        lists.starts.extend_from_slice(&self.starts);
        lists.manifolds.extend(self.manifolds.iter().map(|m| {
            let points = m.points.map(|point| point + first_contact);
            Manifold { points, law: m.law + first_law, ..m.clone() }
        }));
        lists.laws.extend_from_slice(&self.laws.all);
        lists.patches.extend(&self.patches);
        lists.leases.extend_from_slice(&self.leases);
        lists.apart.extend_from_slice(&self.apart);
    }

    /// Adds the patches of a pair in the last step again, with other surfaces where they are given.
    pub(super) fn push_again(
        &mut self,
        state: &State,
        numbers: Range<usize>,
        surface: Option<PatchSurface>,
        lease: Lease,
    ) {
        self.kept += numbers.len();
        self.leases.extend(std::iter::repeat_n(lease, numbers.len()));
        let goes_on = self.standing.is_empty() || self.standing.end == numbers.start;
        if surface.is_none() && self.patches.len() == 0 && goes_on {
            let start = if self.standing.is_empty() { numbers.start } else { self.standing.start };
            self.standing = start..numbers.end;
            return;
        }
        self.copy_standing(&state.patches);
        numbers.for_each(|number| self.patches.push_again(&state.patches, number, surface));
    }

    /// Gives the last patch other surfaces.
    pub(super) fn set_last_surface(&mut self, surface: PatchSurface) {
        self.patches.set_last_surface(surface);
    }

    /// Copies what stands.
    pub(super) fn copy_standing(&mut self, last: &PatchCache) {
        let standing = std::mem::take(&mut self.standing);
        standing.for_each(|number| self.patches.push_again(last, number, None));
    }

    /// The list to add patches to whose points have just been found.
    pub(super) fn begin_to_add(&mut self, last: &PatchCache) -> &mut PatchCache {
        self.copy_standing(last);
        &mut self.patches
    }

    /// After all pairs: whether the patches of all are those of the last step, all of them as they are.
    pub(super) fn all_stand<'a>(all: impl Iterator<Item = &'a Self>, last: &PatchCache) -> bool {
        let mut next = 0;
        for found in all {
            let Range { start, end } = found.standing;
            if found.patches.len() > 0 || (start < end && start != next) {
                return false;
            }
            next = next.max(end);
        }
        next > 0 && next == last.len()
    }

    /// How long the last patches hold, whose points have just been found.
    pub(super) fn lease_new(&mut self, sources: &Sources) {
        let new = &self.patches.heads[self.leases.len()..];
        self.leases.extend(new.iter().map(|head| sources.lease(head, head.found.tolerance)));
    }
}
