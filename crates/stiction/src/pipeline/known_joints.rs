//! Joints whose positions and rates are known, so that they are read off the bodies once a step.

/// Joints whose positions and rates in the state are those of their bodies as they are.
///
/// The state of a joint follows its bodies at the end of each step that moves them. Who moves a body after that says so by [`Self::forget`].
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownJoints {
    /// By slot, the number of free motions of a joint that is known.
    motions: Vec<Option<u8>>,
}

impl KnownJoints {
    /// Bodies, or where joints sit in them, are other than they were.
    pub(crate) fn forget(&mut self) {
        self.motions.clear();
    }

    /// A joint has been read, with its number of free motions.
    pub(crate) fn note(&mut self, slot: usize, motions: usize) {
        if self.motions.len() <= slot {
            self.motions.resize(slot + 1, None);
        }
        self.motions[slot] = Some(motions as u8);
    }

    /// The number of free motions of a joint, if it is known.
    pub(crate) fn motions(&self, slot: usize) -> Option<usize> {
        self.motions.get(slot).copied().flatten().map(usize::from)
    }
}
