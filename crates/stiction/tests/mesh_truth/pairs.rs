//! Mesh pairs.
