//! Analytic and high-precision references, by the bars their README suggests: at most 1.2 times the error of
//! semi-implicit Euler with projection at the same step; for closed forms, what the discretization explains.
#![allow(clippy::unwrap_used)]

mod closed_forms;
mod contact_problems;
mod four_bar;
mod impacts;
mod mechanisms;
mod one_joint;
mod reduced;
mod sliding;
