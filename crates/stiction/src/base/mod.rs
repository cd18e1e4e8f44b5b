//! Handles and storage.

mod arena;
mod cores;
mod groups;
mod hash;
mod shared;
mod thread_pool;
mod trial;

pub(crate) use arena::Arena;
pub use arena::{Handle, RawHandle};
pub(crate) use groups::{first_of, join};
pub use hash::BitHash;
pub(crate) use shared::Shared;
pub(crate) use thread_pool::{ThreadPool, part};
#[cfg(test)]
pub(crate) use trial::ALWAYS;
pub(crate) use trial::Trial;

/// Names bodies where the body itself is not known.
#[derive(Clone, Copy, Debug)]
pub enum BodyKey {}

/// Handle of a body.
pub type BodyId = Handle<BodyKey>;
