//! Analytic and high-precision references, by the bars their README suggests: at most 1.2 times the error of
//! semi-implicit Euler with projection at the same step.
#![allow(clippy::unwrap_used)]

#[path = "analytic/closed_forms.rs"]
mod closed_forms;
#[path = "analytic/mechanisms.rs"]
mod mechanisms;
