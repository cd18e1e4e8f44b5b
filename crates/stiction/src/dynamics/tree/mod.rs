//! Articulated trees in reduced coordinates: kinematics, the factor of the mass matrix, and the dynamics built on them.
//!
//! A [`Tree`] is a set of links joined to parents or to a base; positions `q` and velocities `v` are those of its
//! joints. Everything spatial is in world axes at one point O that the caller picks ([`Kinematics::origin`]).
//! The recursions are Featherstone's, *Rigid Body Dynamics Algorithms* (2008).
//!
//! Order of calls: [`Tree::positions`], [`Tree::velocities`], [`Tree::factor`], and then what is wanted. Slices have the
//! lengths of their tree ([`Tree::dof_count`], [`Tree::position_count`], [`Tree::link_count`]); others are a panic.

mod coordinates;
mod definition;
mod factor;
mod free_motion;
mod inverse_dynamics;
mod kinematics;
mod loads;
mod lone;
mod mass_matrix;
mod points;
mod projection;
mod spatial;
mod structure;
mod totals;
mod whitening;

pub use definition::{LinkDefinition, Mobility, TreeError};
pub use factor::{Factor, FactorColumn, FactorError};
pub use kinematics::{BaseMotion, Kinematics};
pub use loads::Loads;
pub use spatial::{ForceVector, MotionVector, SpatialInertia};
pub use structure::Tree;
pub use totals::Momentum;
pub use whitening::Scratch;
