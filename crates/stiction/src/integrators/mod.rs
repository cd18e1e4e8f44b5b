//! Continuous time: a step of motion as the solution of `ẏ = f(t, y)`, fixed or error-controlled.

mod scheme;

pub use scheme::Scheme;
