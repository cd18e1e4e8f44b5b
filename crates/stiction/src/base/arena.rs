//! Generational storage: a stable slot and a generation, so that a stale handle is `None`, never another entity.

use std::fmt;
use std::marker::PhantomData;

/// Slot and generation of an entity, without its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RawHandle {
    slot: u32,
    generation: u32,
}

/// A handle of one kind of entity; `T` only tells the kinds apart.
pub struct Handle<T> {
    raw: RawHandle,
    kind: PhantomData<fn() -> T>,
}

impl<T> Handle<T> {
    const fn new(slot: u32, generation: u32) -> Self {
        Self { raw: RawHandle { slot, generation }, kind: PhantomData }
    }

    /// Row in the dense arrays of the world; stable for the entity's life.
    #[must_use]
    pub const fn slot(self) -> usize {
        self.raw.slot as usize
    }

    /// As one integer, for foreign callers.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        (self.raw.generation as u64) << 32 | self.raw.slot as u64
    }

    /// From what [`Self::to_bits`] gave.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self::new(bits as u32, (bits >> 32) as u32)
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Handle<T> {}
impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}
impl<T> Eq for Handle<T> {}
impl<T> PartialOrd for Handle<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Handle<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.raw.cmp(&other.raw)
    }
}
impl<T> std::hash::Hash for Handle<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}
impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.raw.slot, self.raw.generation)
    }
}

/// Entities by handle; `K` names their kind, so that lower floors can hold a handle without knowing the entity.
/// Iteration is in the order of slots, which is the order of creation as long as none is removed.
#[derive(Clone, Debug)]
pub(crate) struct Arena<T, K = T> {
    entries: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
    kind: PhantomData<fn() -> K>,
}

impl<T, K> Default for Arena<T, K> {
    fn default() -> Self {
        Self { entries: Vec::new(), free: Vec::new(), kind: PhantomData }
    }
}

impl<T, K> Arena<T, K> {
    /// Stores a value; a slot freed last is used first.
    pub fn insert(&mut self, value: T) -> Handle<K> {
        if let Some(slot) = self.free.pop() {
            let entry = &mut self.entries[slot as usize];
            entry.1 = Some(value);
            return Handle::new(slot, entry.0);
        }
        let slot = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.entries.push((1, Some(value)));
        Handle::new(slot, 1)
    }

    /// Takes a value out; its handle is stale from now on.
    pub fn remove(&mut self, handle: Handle<K>) -> Option<T> {
        let entry = self.entries.get_mut(handle.slot())?;
        if entry.0 != handle.raw.generation {
            return None;
        }
        let value = entry.1.take()?;
        entry.0 += 1;
        self.free.push(handle.raw.slot);
        Some(value)
    }

    /// The value, unless the handle is stale.
    #[must_use]
    pub fn get(&self, handle: Handle<K>) -> Option<&T> {
        match self.entries.get(handle.slot()) {
            Some((generation, Some(value))) if *generation == handle.raw.generation => Some(value),
            _ => None,
        }
    }

    /// The value, unless the handle is stale.
    pub fn get_mut(&mut self, handle: Handle<K>) -> Option<&mut T> {
        match self.entries.get_mut(handle.slot()) {
            Some((generation, Some(value))) if *generation == handle.raw.generation => Some(value),
            _ => None,
        }
    }

    /// The value in a slot, if there is one.
    #[must_use]
    pub fn at(&self, slot: usize) -> Option<&T> {
        self.entries.get(slot)?.1.as_ref()
    }

    /// The value in a slot, if there is one.
    pub fn at_mut(&mut self, slot: usize) -> Option<&mut T> {
        self.entries.get_mut(slot)?.1.as_mut()
    }

    /// The handle of an occupied slot.
    #[must_use]
    pub fn handle_at(&self, slot: usize) -> Option<Handle<K>> {
        let (generation, value) = self.entries.get(slot)?;
        value.as_ref().map(|_| Handle::new(slot as u32, *generation))
    }

    /// Number of slots, occupied or not.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.entries.len()
    }

    /// Handles and values in the order of slots.
    pub fn iter(&self) -> impl Iterator<Item = (Handle<K>, &T)> {
        self.entries.iter().enumerate().filter_map(|(slot, (generation, value))| {
            value.as_ref().map(|value| (Handle::new(slot as u32, *generation), value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_handle_is_none_even_when_the_slot_is_used_again() {
        let mut arena: Arena<i32> = Arena::default();
        let first = arena.insert(1);
        assert_eq!(arena.remove(first), Some(1));
        let second = arena.insert(2);
        assert_eq!(second.slot(), first.slot());
        assert_eq!(arena.get(first), None);
        assert_eq!(arena.remove(first), None);
        assert_eq!(arena.get(Handle::from_bits(second.to_bits())), Some(&2));
    }
}
