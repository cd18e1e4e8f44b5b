//! Parts that the benchmarks and their tests share.

pub mod boxes;
pub mod chart;
pub mod clock;
pub mod outlines;
pub mod worlds;
pub mod zoo;

#[cfg(test)]
mod tests;
