//! Handles and storage.

mod arena;

pub use arena::{Arena, Handle, RawHandle};

/// Names bodies where the body itself is not known.
#[derive(Clone, Copy, Debug)]
pub enum BodyKey {}

/// Handle of a body.
pub type BodyId = Handle<BodyKey>;
