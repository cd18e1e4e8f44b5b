//! Parts of the benchmarks that tests use too.

pub mod counting;
