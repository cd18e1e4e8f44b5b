//! The states whose accelerations make up the steps that were taken: `v(t₁) − v(t₀) = Σ w a(t, q, v)`.
//!
//! What is summed up with these weights is integrated as the velocities are: impulses of forces agree with the change of momentum.

/// Nodes of the quadrature of one call; memory that is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    /// They are wanted; otherwise none are kept.
    pub is_wanted: bool,
    /// Time \[s\] and weight \[s\] of each.
    weights: Vec<[f64; 2]>,
    /// Position and velocity numbers of each, in a row.
    states: Vec<f64>,
    /// Numbers of one state.
    size: usize,
    /// Nodes of steps that were taken; the others are of a trial.
    taken: usize,
}

impl Nodes {
    /// Begins a call with states of so many numbers.
    pub fn clear(&mut self, size: usize) {
        self.weights.clear();
        self.states.clear();
        self.size = size;
        self.taken = 0;
    }

    /// Begins a trial; what the last one left is dropped unless it was taken.
    #[inline]
    pub(super) fn begin_trial(&mut self) {
        self.weights.truncate(self.taken);
        self.states.truncate(self.taken * self.size);
    }

    /// The trial is taken.
    #[inline]
    pub(super) fn take(&mut self) {
        self.taken = self.weights.len();
    }

    /// A node of the trial.
    #[inline]
    pub(super) fn push(&mut self, t: f64, weight: f64, q: &[f64], v: &[f64]) {
        if self.is_wanted {
            self.weights.push([t, weight]);
            self.states.extend_from_slice(q);
            self.states.extend_from_slice(v);
        }
    }

    /// Time, weight and state of each node of the steps that were taken.
    pub fn iter(&self) -> impl Iterator<Item = (f64, f64, &[f64])> {
        // What nothing moves has states of no numbers.
        let state = |node: usize| &self.states[node * self.size..(node + 1) * self.size];
        self.weights[..self.taken].iter().enumerate().map(move |(node, [t, weight])| (*t, *weight, state(node)))
    }
}
