//! Articulated trees: identities on random trees of all joints, and reference figures, one binary.

mod coordinates;
mod dynamics;
mod factor;
mod kinematics;
mod motion;
mod oracle;
mod random;
mod runge_kutta;
mod urdf;
