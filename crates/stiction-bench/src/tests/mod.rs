//! Tests of what the benchmarks share.

mod boxes;
mod worlds;
mod zoo;
