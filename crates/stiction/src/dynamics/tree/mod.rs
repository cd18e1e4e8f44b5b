//! Articulated trees in reduced coordinates: kinematics, the factor of the mass matrix, and the dynamics built on them.
//!
//! A [`Tree`] is a set of links joined to parents or to a base; positions `q` and velocities `v` are those of its
//! joints. Everything spatial is in world axes at one point O that the caller picks ([`Kinematics::origin`]).
//! The recursions are Featherstone's, *Rigid Body Dynamics Algorithms* (2008).
//!
//! Order of calls: [`Tree::positions`], [`Tree::velocities`], [`Tree::factor`], and then what is wanted. Slices have the
//! lengths of their tree ([`Tree::dof_count`], [`Tree::position_count`], [`Tree::link_count`]); others are a panic.
//!
//! # Example
//! ```
//! use stiction::dynamics::tree::{BaseMotion, Kinematics, LinkDefinition, Loads, Mobility, Scratch, Tree};
//! use stiction::math::{DMat3, DVec3, Pose};
//! use stiction::shape::MassProperties;
//!
//! // A rod of 1 m and 1 kg on a hinge about y at its upper end.
//! let tree = Tree::new(&[LinkDefinition {
//!     parent: None,
//!     mobility: Mobility::Revolute { axis: DVec3::Y },
//!     parent_frame: Pose::IDENTITY,
//!     child_frame: Pose::IDENTITY,
//!     mass: MassProperties {
//!         mass: 1.0,
//!         center_of_mass: DVec3::NEG_Z * 0.5,
//!         inertia: DMat3::from_diagonal(DVec3::new(1.0 / 12.0, 1.0 / 12.0, 1e-6)),
//!     },
//! }])?;
//! let (q, v) = ([0.3], [2.0]);
//! let mut kin = Kinematics::default();
//! tree.positions(&q, &Pose::IDENTITY, DVec3::ZERO, &mut kin);
//! tree.velocities(&v, &BaseMotion::default(), &mut kin);
//!
//! let mut mass = [0.0];
//! tree.mass_matrix(&kin, &mut mass, &mut Vec::new());
//! assert!((mass[0] - 1.0 / 3.0).abs() < 1e-12);
//!
//! // The torque that holds it: m g l/2 sin q.
//! let (mut tau, mut scratch) = ([0.0], Scratch::default());
//! let loads = Loads::gravity(DVec3::NEG_Z * 9.81);
//! tree.inverse_dynamics(&kin, &loads, &[0.0], &mut tau, &mut scratch);
//! assert!((tau[0] - 0.5 * 9.81 * 0.3f64.sin()).abs() < 1e-12);
//!
//! // Velocity of its lower end.
//! let mut jacobian = [0.0; 6];
//! let end = kin.poses()[0].point(DVec3::NEG_Z);
//! tree.jacobian(&kin, 0, end, &mut jacobian);
//! assert!((jacobian[0] * v[0] - kin.point_velocity(0, end).0.x).abs() < 1e-12);
//! # Ok::<(), stiction::dynamics::tree::TreeError>(())
//! ```

mod added;
mod coordinates;
mod definition;
mod factor;
mod flow;
mod free_motion;
mod holding;
mod inverse_dynamics;
mod kinematics;
mod loads;
mod lone;
mod mass_matrix;
mod points;
mod projection;
mod spatial;
mod spin;
mod structure;
mod tension;
mod totals;
mod whitening;

pub use definition::{LinkDefinition, Mobility, TreeError};
pub use factor::{Factor, FactorColumn, FactorError};
pub use flow::{Flow, FlowBase, FlowInputs};
pub use kinematics::{BaseMotion, Kinematics};
pub use loads::Loads;
pub use spatial::{ForceVector, MotionVector, SpatialInertia};
pub use structure::Tree;
pub(crate) use tension::TensionRates;
pub use totals::Momentum;
pub use whitening::Scratch;
