//! Handles and storage.

mod arena;

pub use arena::{Arena, Handle, RawHandle};
