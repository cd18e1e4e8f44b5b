//! Laws of contact: friction, restitution, compliance, and the rows they become.

pub mod compliance;
pub mod friction;
pub mod restitution;
pub mod rows;
pub mod spread;
