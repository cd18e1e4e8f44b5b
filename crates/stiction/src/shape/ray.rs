//! Ray: a segment that finds surfaces and has no volume.

/// A ray from the origin along local +z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Length \[m\].
    pub length: f64,
}

/// Where a ray meets a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Distance from the start \[m\].
    pub distance: f64,
    /// Unit surface normal, turned towards the start.
    pub normal: glam::DVec3,
}
