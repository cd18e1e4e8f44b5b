//! Parts that the benchmarks and their tests share.

pub mod boxes;
pub mod chart;
pub mod clock;
pub mod engines;
pub mod machine;
pub mod outlines;
pub mod quality;
pub mod sources;
pub mod worlds;
pub mod zoo;

#[cfg(test)]
mod tests;
