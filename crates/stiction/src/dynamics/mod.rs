//! Motion of free bodies and of articulated trees: the mass of a clique, its free motion, the gyroscopic torque.

pub mod gyroscopic;
pub mod rigid;
pub mod rotation;
pub mod tree;
