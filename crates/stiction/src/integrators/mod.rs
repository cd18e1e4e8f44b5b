//! Continuous time: a step of motion as the solution of `ẏ = f(t, y)`, fixed or error-controlled.
//!
//! ```
//! use stiction::prelude::*;
//! use stiction::world::TimeAdvancement;
//!
//! // A ball in free fall under an error-controlled integrator.
//! let mut parameters = WorldParameters { gravity: DVec3::new(0.0, 0.0, -9.81), ..WorldParameters::default() };
//! Preset::DrakeContinuous.apply(&mut parameters);
//! assert_eq!(parameters.time, TimeAdvancement::Continuous);
//! let mut world = World::new(parameters);
//! let mass = Shape::sphere(0.1)?.mass_properties(1000.0).ok_or("a solid")?;
//! let body = world.add_body(&BodyDefinition { mass, ..BodyDefinition::default() })?;
//! world.step(1.0);
//! let height = world.body(body).ok_or("it is there")?.pose().position.z;
//! assert!((height + 0.5 * 9.81).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod collocation;
mod crossing;
mod error_control;
mod explicit;
mod implicit_euler;
mod integrator;
mod jacobian;
mod lu;
mod newton;
mod nodes;
mod parameters;
mod radau;
mod scheme;
mod slope;
mod statistics;
mod step;
mod system;

pub use integrator::{Carry, Integrator, Interval};
pub(crate) use nodes::Nodes;
pub use parameters::IntegratorParameters;
pub use scheme::Scheme;
pub use statistics::Statistics;
pub use system::System;
