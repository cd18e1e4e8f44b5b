//! Implicit Runge-Kutta methods for `q̇ = N(q) v`, `v̇ = a(t, q, v)`, solved for the velocities at the nodes.
//!
//! `vᵢ = v₀ + h Σⱼ aᵢⱼ a(tⱼ, qⱼ, vⱼ)` with `qᵢ = q₀ + h Σⱼ aᵢⱼ N(qⱼ) vⱼ`: positions are eliminated, as `N` costs little,
//! and Newton's method has `s n` unknowns for `s` nodes and `n` velocities.

use super::error_control::Trial;
use super::jacobian::Jacobian;
use super::lu::Factors;
use super::newton::{Convergence, Newton, Progress};
use super::slope::{FirstOrder, largest};
use super::step::Step;
use super::{Statistics, System};

/// Passes of `qᵢ = q₀ + h Σⱼ aᵢⱼ N(qⱼ) vⱼ` at most; each gains a factor of about `h |ω| / 2`.
const MOST_PASSES: u32 = 20;
/// Part of the tolerance of velocities that positions may be wrong by, and the least such error.
const POSITION_TOLERANCE: f64 = 1e-3;
const POSITION_ROUNDING: f64 = 1e-15;

/// Places of the factors for a whole step and for its halves.
const WHOLE: usize = 0;
const HALF: usize = 1;

/// A method whose last node is the end of the step.
pub(super) struct Method<const S: usize> {
    /// Nodes cᵢ, 0 to 1.
    pub nodes: [f64; S],
    /// Weights aᵢⱼ.
    pub weights: [[f64; S]; S],
    /// `N(q₀)` instead of `N(qⱼ)`.
    pub has_rates_of_start: bool,
}

impl<const S: usize> Method<S> {
    /// The equations of a step.
    pub fn equations(&self, step: Step, accuracy: f64) -> Equations<'_, S> {
        Equations { method: self, step, accuracy }
    }

    /// Matrix of Newton's method, `I − h A ⊗ ∂a/∂v − h² A² ⊗ ∂a/∂q N`.
    pub fn fill(&self, jacobian: &Jacobian, h: f64, factors: &mut Factors) {
        let n = jacobian.rows();
        let size = S * n;
        factors.clear(size);
        for i in 0..S {
            for j in 0..S {
                let weight = h * self.weights[i][j];
                let square: f64 = (0..S).map(|k| h * self.weights[i][k] * (h * self.weights[k][j])).sum();
                for row in 0..n {
                    let start = (i * n + row) * size + j * n;
                    let block = &mut factors.matrix[start..start + n];
                    let by_velocity = &jacobian.by_velocity[row * n..(row + 1) * n];
                    let by_position = &jacobian.by_position[row * n..(row + 1) * n];
                    for column in 0..n {
                        block[column] = -weight * by_velocity[column] - square * by_position[column];
                    }
                    if i == j {
                        block[row] += 1.0;
                    }
                }
            }
        }
    }
}

/// The equations of one step: for the velocities at the nodes of a method.
pub(super) struct Equations<'a, const S: usize> {
    pub method: &'a Method<S>,
    pub step: Step,
    /// Accuracy of the step, of whose error the equations may leave a part.
    pub accuracy: f64,
}

impl<const S: usize> Equations<'_, S> {
    /// The same for another step.
    fn of(&self, step: Step) -> Self {
        Self { step, ..*self }
    }
}

/// Memory of implicit steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Implicit {
    newton: Newton,
    /// Of all nodes: positions, their rates, velocities, accelerations, and the change of velocities.
    q: Vec<f64>,
    rates: Vec<f64>,
    v: Vec<f64>,
    accelerations: Vec<f64>,
    change: Vec<f64>,
    /// Positions of a node as they were, and their change in velocity coordinates.
    last_q: Vec<f64>,
    moved: Vec<f64>,
    /// State after one whole step, and after the first half.
    whole: Vec<f64>,
    middle: Vec<f64>,
    /// Velocities that are expected at the end of a step.
    expected: Vec<f64>,
}

impl Implicit {
    /// Forgets the Jacobian: due at the start of every integration, so that it follows from what it is given alone.
    pub fn forget(&mut self) {
        self.newton.forget();
    }

    /// A step from `y` to `next`; with an estimate, of two halves, and the error is what one whole step differs by.
    pub fn step<const N: usize, S: System + ?Sized>(
        &mut self,
        f: &mut FirstOrder<S>,
        equations: &Equations<N>,
        y: &[f64],
        next: &mut [f64],
        error: Option<&mut [f64]>,
        statistics: &mut Statistics,
    ) -> Result<(), Trial> {
        let v = &y[f.position_count..];
        self.expected.clear();
        self.expected.extend_from_slice(v);
        let Some(error) = error else {
            self.solve(f, equations, WHOLE, y, next, statistics)?;
            self.note(f, equations);
            return Ok(());
        };
        let (mut whole, mut middle) = (std::mem::take(&mut self.whole), std::mem::take(&mut self.middle));
        whole.resize(y.len(), 0.0);
        middle.resize(y.len(), 0.0);
        let [first, second] = equations.step.halves();
        let mut result = self.solve(f, equations, WHOLE, y, &mut whole, statistics);
        if result.is_ok() {
            // The whole step tells where the halves end.
            for (expected, (v, end)) in self.expected.iter_mut().zip(v.iter().zip(&whole[f.position_count..])) {
                *expected = 0.5 * (v + end);
            }
            result = self.solve(f, &equations.of(first), HALF, y, &mut middle, statistics);
        }
        if result.is_ok() {
            self.note(f, &equations.of(first));
            self.expected.copy_from_slice(&whole[f.position_count..]);
            result = self.solve(f, &equations.of(second), HALF, &middle, next, statistics);
        }
        if result.is_ok() {
            self.note(f, &equations.of(second));
        }
        for (error, (next, whole)) in error.iter_mut().zip(next.iter().zip(&whole)) {
            *error = next - whole;
        }
        (self.whole, self.middle) = (whole, middle);
        result
    }

    /// The nodes of the step that was solved last: the weights of its end.
    fn note<const N: usize, S: System + ?Sized>(&self, f: &mut FirstOrder<S>, equations: &Equations<N>) {
        let Equations { method, step, .. } = *equations;
        let (m, n) = (self.q.len() / N, self.v.len() / N);
        for i in 0..N {
            let (q, v) = (&self.q[i * m..(i + 1) * m], &self.v[i * n..(i + 1) * n]);
            f.nodes.push(step.node(method.nodes[i]), step.h * method.weights[N - 1][i], q, v);
        }
    }

    /// One step without an estimate. A Jacobian of another state gets a second try with that of the start.
    fn solve<const N: usize, S: System + ?Sized>(
        &mut self,
        f: &mut FirstOrder<S>,
        equations: &Equations<N>,
        place: usize,
        y: &[f64],
        next: &mut [f64],
        statistics: &mut Statistics,
    ) -> Result<(), Trial> {
        let start = equations.step.start;
        if !self.newton.prepare(f, start, y, statistics) {
            return Err(Trial::NotFinite);
        }
        let mut result = self.iterate(f, equations, place, y, statistics);
        if result.is_err() && !self.newton.is_of(start, y) {
            if !self.newton.renew(f, start, y, statistics) {
                return Err(Trial::NotFinite);
            }
            self.expected.copy_from_slice(&y[f.position_count..]);
            result = self.iterate(f, equations, place, y, statistics);
        }
        result?;
        let (next_q, next_v) = next.split_at_mut(f.position_count);
        next_q.copy_from_slice(&self.q[self.q.len() - next_q.len()..]);
        next_v.copy_from_slice(&self.v[self.v.len() - next_v.len()..]);
        f.normalize(next);
        Ok(())
    }

    /// Newton's method for the velocities of the nodes.
    fn iterate<const N: usize, S: System + ?Sized>(
        &mut self,
        f: &mut FirstOrder<S>,
        equations: &Equations<N>,
        place: usize,
        y: &[f64],
        statistics: &mut Statistics,
    ) -> Result<(), Trial> {
        let Equations { method, step, accuracy } = *equations;
        let (q, v) = y.split_at(f.position_count);
        let n = v.len();
        self.start(method, q, v);
        let factors = self.newton.factors(method, step.h, place, statistics).ok_or(Trial::Diverged)?;
        let mut convergence = Convergence::new(accuracy);
        let mut nodes = Nodes {
            method,
            h: step.h,
            tolerance: (POSITION_TOLERANCE * convergence.tolerance()).max(POSITION_ROUNDING),
            q: &mut self.q,
            rates: &mut self.rates,
            last_q: &mut self.last_q,
            moved: &mut self.moved,
        };
        loop {
            nodes.place(f, q, &self.v)?;
            for i in 0..N {
                let of_v = i * n..(i + 1) * n;
                let t = step.node(method.nodes[i]);
                let node_q = &nodes.q[i * q.len()..(i + 1) * q.len()];
                f.accelerations(t, node_q, &self.v[of_v.clone()], &mut self.accelerations[of_v]);
            }
            for i in 0..N {
                for row in 0..n {
                    let sum: f64 = (0..N).map(|j| method.weights[i][j] * self.accelerations[j * n + row]).sum();
                    self.change[i * n + row] = v[row] + step.h * sum - self.v[i * n + row];
                }
            }
            factors.solve(&mut self.change);
            statistics.newton_iterations += 1;
            for (v, change) in self.v.iter_mut().zip(&self.change) {
                *v += change;
            }
            let (change, size) = (largest(&self.change), largest(&self.v));
            if size == f64::INFINITY {
                return Err(Trial::NotFinite);
            }
            match convergence.judge(change, size) {
                Progress::Converged => break,
                Progress::Continues => {}
                Progress::Diverges => return Err(Trial::Diverged),
            }
        }
        nodes.place(f, q, &self.v)?;
        self.newton.served(&convergence);
        Ok(())
    }

    /// The nodes at the start of an iteration: velocities on a straight line to the expected ones, positions unmoved.
    fn start<const N: usize>(&mut self, method: &Method<N>, q: &[f64], v: &[f64]) {
        self.q.clear();
        self.v.clear();
        for node in method.nodes {
            self.q.extend_from_slice(q);
            self.v.extend(v.iter().zip(&self.expected).map(|(v, end)| v + node * (end - v)));
        }
        self.rates.resize(N * q.len(), 0.0);
        self.accelerations.resize(N * v.len(), 0.0);
        self.change.resize(N * v.len(), 0.0);
        self.last_q.resize(q.len(), 0.0);
        self.moved.resize(v.len(), 0.0);
    }
}

/// Positions of the nodes as a function of the velocities there.
struct Nodes<'a, const N: usize> {
    method: &'a Method<N>,
    h: f64,
    /// Error that may be left.
    tolerance: f64,
    q: &'a mut [f64],
    rates: &'a mut [f64],
    last_q: &'a mut [f64],
    moved: &'a mut [f64],
}

impl<const N: usize> Nodes<'_, N> {
    /// Solves `qᵢ = q₀ + h Σⱼ aᵢⱼ N(qⱼ) vⱼ` by passes, from the positions as they are.
    fn place<S: System + ?Sized>(&mut self, f: &FirstOrder<S>, start: &[f64], v: &[f64]) -> Result<(), Trial> {
        let (m, n) = (start.len(), v.len() / N);
        for _ in 0..MOST_PASSES {
            for i in 0..N {
                let of_q = i * m..(i + 1) * m;
                let at = if self.method.has_rates_of_start { start } else { &self.q[of_q.clone()] };
                f.system.position_rates(at, &v[i * n..(i + 1) * n], &mut self.rates[of_q]);
            }
            let mut moved = 0.0_f64;
            for i in 0..N {
                let node = &mut self.q[i * m..(i + 1) * m];
                self.last_q.copy_from_slice(node);
                for k in 0..m {
                    let sum: f64 = (0..N).map(|j| self.method.weights[i][j] * self.rates[j * m + k]).sum();
                    node[k] = start[k] + self.h * sum;
                    self.last_q[k] = node[k] - self.last_q[k];
                }
                f.system.position_change(start, self.last_q, self.moved);
                moved = moved.max(largest(self.moved));
            }
            if moved == f64::INFINITY {
                return Err(Trial::NotFinite);
            }
            if self.method.has_rates_of_start || moved <= self.tolerance {
                return Ok(());
            }
        }
        Err(Trial::Diverged)
    }
}
