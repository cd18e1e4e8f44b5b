//! Contacts by pair of materials.

use super::{ContactPoints, ContactSurface, MaterialId};
use crate::base::BodyId;

/// Contact parameters for pairs of materials. A pair that is listed overrides what the surfaces of its shapes say
/// of friction, restitution and compliance.
///
/// ```
/// use stiction::material::{ContactSurface, ContactTable, MaterialId};
///
/// let (rubber, steel) = (MaterialId(0), MaterialId(1));
/// let mut table = ContactTable::default();
/// table.set(rubber, steel, ContactSurface::with_friction(0.9));
/// assert!(table.get(steel, rubber).is_some());
/// assert!(table.get(steel, steel).is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactTable {
    /// Sorted by pair, the smaller material first.
    pairs: Vec<([MaterialId; 2], PairEntry)>,
}

/// A listed pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PairEntry {
    pub(crate) surface: ContactSurface,
    /// Body in whose frame the first friction direction is; `None` is the world.
    pub(crate) frame: Option<BodyId>,
    /// Which points are contacts; `None` is as of other pairs.
    pub(crate) points: Option<ContactPoints>,
}

impl ContactTable {
    /// Sets the contact parameters of two materials, in either order. `fdir1` of the parameters is a
    /// direction in the world.
    pub fn set(&mut self, first: MaterialId, second: MaterialId, surface: ContactSurface) {
        self.insert(sorted(first, second), PairEntry { surface, frame: None, points: None });
    }

    /// The same with the first friction direction in the frame of a body, with which it turns (AGX's oriented friction
    /// models). A body that does not exist is the world.
    pub fn set_in_frame(&mut self, first: MaterialId, second: MaterialId, surface: ContactSurface, frame: BodyId) {
        self.insert(sorted(first, second), PairEntry { surface, frame: Some(frame), points: None });
    }

    /// Sets which points of a listed pair are contacts, in place of the most contacts of shapes and world (AGX's contact
    /// reduction). Returns whether the pair is listed.
    pub fn set_points(&mut self, first: MaterialId, second: MaterialId, points: ContactPoints) -> bool {
        let found = self.pairs.binary_search_by_key(&sorted(first, second), |(pair, _)| *pair);
        found.map(|index| self.pairs[index].1.points = Some(points)).is_ok()
    }

    fn insert(&mut self, pair: [MaterialId; 2], entry: PairEntry) {
        match self.pairs.binary_search_by_key(&pair, |(pair, _)| *pair) {
            Ok(index) => self.pairs[index].1 = entry,
            Err(index) => self.pairs.insert(index, (pair, entry)),
        }
    }

    /// Takes a pair out of the table; its surfaces combine again. Returns whether it was there.
    pub fn remove(&mut self, first: MaterialId, second: MaterialId) -> bool {
        let found = self.pairs.binary_search_by_key(&sorted(first, second), |(pair, _)| *pair);
        found.map(|index| self.pairs.remove(index)).is_ok()
    }

    /// Contact parameters of two materials; `None` if the pair is not listed.
    #[must_use]
    pub fn get(&self, first: MaterialId, second: MaterialId) -> Option<&ContactSurface> {
        self.entry(first, second).map(|entry| &entry.surface)
    }

    /// The entry of a pair.
    pub(crate) fn entry(&self, first: MaterialId, second: MaterialId) -> Option<&PairEntry> {
        let found = self.pairs.binary_search_by_key(&sorted(first, second), |(pair, _)| *pair);
        found.ok().map(|index| &self.pairs[index].1)
    }

    /// All pairs, in the order of materials.
    pub fn iter(&self) -> impl Iterator<Item = ([MaterialId; 2], &ContactSurface)> {
        self.pairs.iter().map(|(pair, entry)| (*pair, &entry.surface))
    }
}

fn sorted(first: MaterialId, second: MaterialId) -> [MaterialId; 2] {
    if first <= second { [first, second] } else { [second, first] }
}
