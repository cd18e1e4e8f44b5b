//! Parts that the benchmarks and their tests share.

pub mod boxes;
pub mod chart;
pub mod clock;
pub mod worlds;

#[cfg(test)]
mod tests;
