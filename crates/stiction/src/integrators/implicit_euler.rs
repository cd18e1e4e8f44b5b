//! Implicit Euler in its velocity form: `v⁺ = v + h a(t⁺, q⁺, v⁺)`, `q⁺ = q + h N(q) v⁺`.
//!
//! `N` is that of the start, so that positions are an explicit function of the velocities; of first order all the same.

use super::collocation::Method;

/// Implicit Euler.
pub(super) const IMPLICIT_EULER: Method<1> = Method { nodes: [1.0], weights: [[1.0]], has_rates_of_start: true };
