//! Continuous time: a step of motion as the solution of `ẏ = f(t, y)`, fixed or error-controlled.

mod crossing;
mod error_control;
mod explicit;
mod integrator;
mod parameters;
mod scheme;
mod slope;
mod statistics;
mod system;

pub use integrator::{Carry, Integrator};
pub use parameters::IntegratorParameters;
pub use scheme::Scheme;
pub use statistics::Statistics;
pub use system::System;
