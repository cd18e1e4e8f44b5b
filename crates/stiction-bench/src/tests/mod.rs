//! Tests of what the benchmarks share.

mod boxes;
mod engines;
mod quality;
mod worlds;
mod zoo;
