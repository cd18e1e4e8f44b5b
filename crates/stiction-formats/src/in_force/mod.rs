//! What holds in a world once everything is read: masses of links, materials and pairs of them, each with its origin.

mod masses;
mod materials;

pub use masses::{MassInForce, masses};
pub use materials::{MaterialInForce, MaterialsInForce, PairInForce, ValueInForce, materials};
