//! Data of a step: bodies, shapes, joints and contacts with their parameters, which are constant during a step, and the
//! state, which a step changes.

mod body;
mod contact;
mod contact_cache;
mod energy;
mod geom;
mod joint;
mod mimic;
mod parameters;
mod patch_cache;
mod preset;
mod state;
mod wire;
mod wire_definition;

pub(crate) use crate::joints::JointSpook;
pub use body::{AutoDisable, Body, BodyKind, Damping};
pub use contact::{Contact, ContactDefinition, ContactForce, ContactReport};
pub(crate) use contact_cache::find_pair;
pub use contact_cache::{CachedPoint, ContactCache};
pub use energy::Energy;
pub(crate) use energy::energy_of;
pub use geom::Geom;
pub(crate) use geom::SegmentEnd;
pub use joint::JointFeedback;
pub(crate) use joint::{is_as_read, joint_pose, read_positions, update_positions};
pub use mimic::Mimic;
pub use parameters::{
    AllowanceMass, BoundsRule, CompliantParameters, Coordinates, Correction, DiscreteFriction, FreeMotionRule,
    HybridRule, ParameterError, PointRule, SolverKind, SweptRule, TimeAdvancement, TreeMotion, WorldParameters,
};
pub(crate) use patch_cache::{MOST_POINTS, NO_BODY, span as span_of_patch};
pub use patch_cache::{PATCH_RECORDS, PatchCache, PatchHead, PatchSurface, RelativePlace, RollingShape};
pub use preset::Preset;
pub use state::{BodyState, JointState, State};
pub(crate) use wire::{Anchor, AnchorKind, NODE_ROWS, anchor_at, clamped_direction};
pub use wire::{NodePlace, Wire, WireNode, WireState};
pub use wire_definition::{Winch, WinchControl, WireDefinition, WireElasticity, WireError, WireMaterial, WirePoint};

pub use crate::base::BodyId;

use crate::base::{Arena, BodyKey, Handle};
use crate::joints::Joint;

/// All bodies of a world.
pub(crate) type Bodies = Arena<Body, BodyKey>;

/// Handle of a shape in the world.
pub type GeomId = Handle<Geom>;
/// Handle of a joint.
pub type JointId = Handle<Joint>;
/// Handle of a wire.
pub type WireId = Handle<Wire>;
/// Handle of a contact that the user made.
pub type ContactId = Handle<Contact>;
