//! SDFormat worlds and models, read into one description with every finding.

pub mod description;
pub mod diagnostic;
