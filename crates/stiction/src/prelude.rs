//! Commonly used items: `use stiction::prelude::*`.

pub use crate::StepReport;
pub use crate::joints::{AxisParameters, JointDefinition, JointKind, Motor};
pub use crate::material::{ContactSurface, MaterialId, Surface, SurfaceCompliance};
pub use crate::math::{DQuat, DVec3, Pose};
pub use crate::shape::{MassProperties, Shape};
pub use crate::world::{
    BodyDefinition, BodyId, BodyKind, Coordinates, GeomDefinition, GeomId, JointId, Preset, QueryFilter, SolverKind,
    World, WorldParameters,
};
