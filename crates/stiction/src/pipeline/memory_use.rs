//! How much memory the lists of a step take.

use super::Workspace;

impl Workspace {
    /// Memory \[B\] of lists with an entry a body, a shape, a contact: the large ones.
    pub(crate) fn memory(&self) -> [usize; 3] {
        let bodies = bytes(&self.views)
            + bytes(&self.poses)
            + self.frames.bytes()
            + self.substeps.bytes_of_bodies()
            + self.groups_in_flow.bytes();
        let shapes = bytes(&self.geom_poses) + bytes(&self.middle_poses) + bytes(&self.proxies);
        let contacts = bytes(&self.manifolds)
            + bytes(&self.contacts)
            + bytes(&self.pairs)
            + self.apart.iter().map(bytes).sum::<usize>()
            + self.leases.iter().map(bytes).sum::<usize>()
            + self.patches.bytes()
            + self.substeps.bytes_of_contacts();
        [bodies, shapes, contacts]
    }
}

/// Memory of the entries of a list \[B\].
pub(crate) fn bytes<T>(list: &Vec<T>) -> usize {
    list.capacity() * std::mem::size_of::<T>()
}
