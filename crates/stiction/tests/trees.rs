//! Articulated trees: identities on random trees of all joints, and reference figures, one binary.

#[path = "trees/coordinates.rs"]
mod coordinates;
#[path = "trees/dynamics.rs"]
mod dynamics;
#[path = "trees/factor.rs"]
mod factor;
#[path = "trees/kinematics.rs"]
mod kinematics;
#[path = "trees/motion.rs"]
mod motion;
#[path = "trees/oracle.rs"]
mod oracle;
#[path = "trees/random.rs"]
mod random;
#[path = "trees/runge_kutta.rs"]
mod runge_kutta;
#[path = "trees/urdf.rs"]
mod urdf;
