//! Handles and storage.

mod arena;
mod hash;

pub(crate) use arena::Arena;
pub use arena::{Handle, RawHandle};
pub use hash::BitHash;

/// Names bodies where the body itself is not known.
#[derive(Clone, Copy, Debug)]
pub enum BodyKey {}

/// Handle of a body.
pub type BodyId = Handle<BodyKey>;
