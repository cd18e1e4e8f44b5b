//! Radau IIA: collocation at Radau's nodes, the last of which is the end of the step; L-stable (Hairer, Wanner, *Solving
//! Ordinary Differential Equations II*, IV.5).

use super::collocation::Method;

/// One stage, first order: implicit Euler with `N` of the end.
pub(super) const RADAU1: Method<1> = Method { nodes: [1.0], weights: [[1.0]], has_rates_of_start: false };

/// Two stages, third order.
pub(super) const RADAU3: Method<2> =
    Method { nodes: [1.0 / 3.0, 1.0], weights: [[5.0 / 12.0, -1.0 / 12.0], [0.75, 0.25]], has_rates_of_start: false };
