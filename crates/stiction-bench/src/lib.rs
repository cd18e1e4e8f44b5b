//! Parts that the benchmarks and their tests share.

pub mod clock;
pub mod counting;
