//! Analytic and high-precision references, by the bars their README suggests: at most 1.2 times the error of
//! semi-implicit Euler with projection at the same step; for closed forms, what the discretization explains.
#![allow(clippy::unwrap_used)]

#[path = "analytic/closed_forms.rs"]
mod closed_forms;
#[path = "analytic/contact_problems.rs"]
mod contact_problems;
#[path = "analytic/four_bar.rs"]
mod four_bar;
#[path = "analytic/impacts.rs"]
mod impacts;
#[path = "analytic/mechanisms.rs"]
mod mechanisms;
#[path = "analytic/one_joint.rs"]
mod one_joint;
#[path = "analytic/reduced.rs"]
mod reduced;
#[path = "analytic/sliding.rs"]
mod sliding;
