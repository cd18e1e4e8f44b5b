//! Derivatives of the accelerations, by differences.

use super::System;
use super::slope::{FirstOrder, largest};

/// Root of the rounding unit: where truncation and rounding of a one-sided difference balance.
const DIFFERENCE: f64 = 1.5e-8;

/// `∂a/∂v` and `∂a/∂q N`, square matrices by rows, at one state.
#[derive(Clone, Debug, Default)]
pub(super) struct Jacobian {
    /// `∂a/∂v` \[1/s\].
    pub by_velocity: Vec<f64>,
    /// `∂a/∂q N`: by positions along velocity coordinates \[1/s²\].
    pub by_position: Vec<f64>,
    /// Where it was taken; empty before.
    time: f64,
    y: Vec<f64>,
    /// Changed state.
    changed: Vec<f64>,
    rates: Vec<f64>,
    base: Vec<f64>,
    changed_accelerations: Vec<f64>,
}

impl Jacobian {
    /// There is none.
    pub fn forget(&mut self) {
        self.y.clear();
    }

    /// Velocities of the system.
    pub fn rows(&self) -> usize {
        self.base.len()
    }

    /// There is one.
    pub fn is_known(&self) -> bool {
        !self.y.is_empty()
    }

    /// It is that of this state.
    pub fn is_of(&self, t: f64, y: &[f64]) -> bool {
        self.time == t && self.y == y
    }

    /// Takes it at a state with `2n + 1` evaluations for `n` velocities. False if it is not finite.
    ///
    /// Both parts are kept apart, rather than their sum for one step, so that it serves every step.
    pub fn take<S: System + ?Sized>(&mut self, f: &mut FirstOrder<S>, t: f64, y: &[f64]) -> bool {
        let positions = f.position_count;
        let n = y.len() - positions;
        for matrix in [&mut self.by_velocity, &mut self.by_position] {
            matrix.resize(n * n, 0.0);
        }
        self.rates.resize(positions, 0.0);
        self.base.resize(n, 0.0);
        self.changed_accelerations.resize(n, 0.0);
        self.time = t;
        self.y.clear();
        self.y.extend_from_slice(y);
        self.changed.clear();
        self.changed.extend_from_slice(y);
        let (q, v) = y.split_at(positions);
        let (changed_q, changed_v) = self.changed.split_at_mut(positions);
        let changed = &mut self.changed_accelerations;
        f.accelerations(t, q, v, &mut self.base);
        for j in 0..n {
            changed_v[j] = v[j] + DIFFERENCE * v[j].abs().max(1.0);
            // What the sum came to in floating point.
            let change = changed_v[j] - v[j];
            f.accelerations(t, q, changed_v, changed);
            for i in 0..n {
                self.by_velocity[i * n + j] = (changed[i] - self.base[i]) / change;
            }
            changed_v[j] = v[j];
        }
        changed_v.fill(0.0);
        for j in 0..n {
            changed_v[j] = 1.0;
            f.system.position_rates(q, changed_v, &mut self.rates);
            changed_v[j] = 0.0;
            for (changed, (q, rate)) in changed_q.iter_mut().zip(q.iter().zip(&self.rates)) {
                *changed = q + DIFFERENCE * rate;
            }
            f.accelerations(t, changed_q, v, changed);
            for i in 0..n {
                self.by_position[i * n + j] = (changed[i] - self.base[i]) / DIFFERENCE;
            }
        }
        largest(&self.by_velocity).max(largest(&self.by_position)) < f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::super::nodes::Nodes;
    use super::*;

    /// `a = t + 3 q₀² v₁, q₁ − 2 v₀` with `q̇ = 2 v`.
    struct Coupled;

    impl System for Coupled {
        fn position_count(&self) -> usize {
            2
        }

        fn velocity_count(&self) -> usize {
            2
        }

        fn accelerations(&mut self, t: f64, q: &[f64], v: &[f64], accelerations: &mut [f64]) {
            accelerations.copy_from_slice(&[t + 3.0 * q[0] * q[0] * v[1], q[1] - 2.0 * v[0]]);
        }

        fn position_rates(&self, _: &[f64], v: &[f64], rates: &mut [f64]) {
            rates.copy_from_slice(&[2.0 * v[0], 2.0 * v[1]]);
        }

        fn position_change(&self, _: &[f64], change: &[f64], out: &mut [f64]) {
            out.copy_from_slice(&[0.5 * change[0], 0.5 * change[1]]);
        }

        fn normalize(&self, _: &mut [f64]) {}
    }

    #[test]
    fn derivatives_are_by_velocities_and_along_them() {
        let mut jacobian = Jacobian::default();
        let mut f = FirstOrder { system: &mut Coupled, position_count: 2, evaluations: 0, nodes: Nodes::default() };
        let y = [0.5, -1.0, 4.0, 20.0];
        assert!(jacobian.take(&mut f, 0.7, &y));
        assert_eq!(f.evaluations, 5);
        assert!(jacobian.is_of(0.7, &y) && !jacobian.is_of(0.6, &y));
        let close = |found: &[f64], expected: [f64; 4]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(close(&jacobian.by_velocity, [0.0, 0.75, -2.0, 0.0]), "{:?}", jacobian.by_velocity);
        assert!(close(&jacobian.by_position, [120.0, 0.0, 0.0, 2.0]), "{:?}", jacobian.by_position);
    }
}
