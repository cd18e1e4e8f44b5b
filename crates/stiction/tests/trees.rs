//! Articulated trees: identities on random trees of all joints, and reference figures, one binary.

#[path = "trees/oracle.rs"]
mod oracle;
#[path = "trees/runge_kutta.rs"]
mod runge_kutta;
#[path = "trees/urdf.rs"]
mod urdf;
