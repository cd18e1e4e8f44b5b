//! Continuous time: a step of motion as the solution of `ẏ = f(t, y)`, fixed or error-controlled.

mod collocation;
mod crossing;
mod error_control;
mod explicit;
mod implicit_euler;
mod integrator;
mod jacobian;
mod lu;
mod newton;
mod parameters;
mod radau;
mod scheme;
mod slope;
mod statistics;
mod step;
mod system;

pub use integrator::{Carry, Integrator};
pub use parameters::IntegratorParameters;
pub use scheme::Scheme;
pub use statistics::Statistics;
pub use system::System;
