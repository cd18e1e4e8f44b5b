//! What `<convex_decomposition>` asks for; the decomposition itself is a feature of the crate.

#[cfg(feature = "decomposition")]
mod vhacd;

/// What `<convex_decomposition>` gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Decomposition {
    /// `max_convex_hulls`.
    pub(crate) parts: u32,
    /// `voxel_resolution`: voxels of the box around the mesh.
    pub(crate) voxels: u32,
}

impl Default for Decomposition {
    fn default() -> Self {
        Self { parts: 16, voxels: 200_000 }
    }
}
