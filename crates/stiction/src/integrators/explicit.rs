//! Explicit schemes: one function a scheme, a step from `y` to `next`.

use super::System;
use super::slope::{FirstOrder, add_slopes, sum_slopes};
use super::step::Step;

/// Memory of explicit steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Explicit {
    /// Slopes of the stages; the first is that of `y`.
    slopes: [Vec<f64>; 7],
    /// State of a stage.
    stage: Vec<f64>,
    /// The first slope holds `f` at the start of the step to come.
    pub has_first: bool,
    /// The last stage of the last trial was evaluated at its end (first same as last).
    has_last: bool,
}

impl Explicit {
    /// Memory for `n` numbers; nothing is known of any state.
    pub fn forget(&mut self, n: usize) {
        for slope in &mut self.slopes {
            slope.resize(n, 0.0);
        }
        self.stage.resize(n, 0.0);
        self.has_first = false;
        self.has_last = false;
    }

    /// The last trial is taken: its end is where the next one starts.
    #[inline]
    pub fn accept(&mut self) {
        if self.has_last {
            let [first, .., last] = &mut self.slopes;
            std::mem::swap(first, last);
        }
        self.has_first = self.has_last;
        self.has_last = false;
    }

    /// The first slope, once a state.
    #[inline]
    fn first<S: System + ?Sized>(&mut self, f: &mut FirstOrder<S>, step: Step, y: &[f64]) {
        self.has_last = false;
        if !self.has_first {
            f.slope(step.start, y, &mut self.slopes[0]);
            self.has_first = true;
        }
    }

    /// Velocities first, positions with the new velocities: `v⁺ = v + h a(t, q, v)`, `q⁺ = q + h N(q) v⁺`.
    pub fn semi_explicit_euler<S: System + ?Sized>(
        &mut self,
        f: &mut FirstOrder<S>,
        step: Step,
        y: &[f64],
        next: &mut [f64],
    ) {
        self.first(f, step, y);
        f.note(step.start, step.h, y);
        let (q, v) = y.split_at(f.position_count);
        let (next_q, next_v) = next.split_at_mut(f.position_count);
        let accelerations = &self.slopes[0][f.position_count..];
        let rates = &mut self.stage[..f.position_count];
        add_slopes(next_v, v, step.h, [(1.0, accelerations)]);
        f.system.position_rates(q, next_v, rates);
        add_slopes(next_q, q, step.h, [(1.0, rates)]);
        f.normalize(next);
    }

    /// Midpoint rule.
    pub fn runge_kutta2<S: System + ?Sized>(&mut self, f: &mut FirstOrder<S>, step: Step, y: &[f64], next: &mut [f64]) {
        self.first(f, step, y);
        let [k1, k2, ..] = &mut self.slopes;
        add_slopes(&mut self.stage, y, step.h, [(0.5, k1)]);
        f.slope(step.node(0.5), &self.stage, k2);
        f.note(step.node(0.5), step.h, &self.stage);
        add_slopes(next, y, step.h, [(1.0, k2)]);
        f.normalize(next);
    }

    /// Kutta's third-order rule (Simpson's weights); the embedded rule is the midpoint rule `y + h k₂`.
    pub fn runge_kutta3<S: System + ?Sized>(
        &mut self,
        f: &mut FirstOrder<S>,
        step: Step,
        y: &[f64],
        next: &mut [f64],
        error: Option<&mut [f64]>,
    ) {
        self.first(f, step, y);
        let h = step.h;
        let [k1, k2, k3, ..] = &mut self.slopes;
        add_slopes(&mut self.stage, y, h, [(0.5, k1)]);
        f.slope(step.node(0.5), &self.stage, k2);
        f.note(step.start, h / 6.0, y);
        f.note(step.node(0.5), 4.0 * h / 6.0, &self.stage);
        add_slopes(&mut self.stage, y, h, [(-1.0, k1), (2.0, k2)]);
        f.slope(step.end, &self.stage, k3);
        f.note(step.end, h / 6.0, &self.stage);
        add_slopes(next, y, h / 6.0, [(1.0, k1), (4.0, k2), (1.0, k3)]);
        if let Some(error) = error {
            sum_slopes(error, h / 6.0, [(1.0, k1), (-2.0, k2), (1.0, k3)]);
        }
        f.normalize(next);
    }

    /// Bogacki and Shampine (1989): the last stage is the first of the next step.
    pub fn bogacki_shampine3<S: System + ?Sized>(
        &mut self,
        f: &mut FirstOrder<S>,
        step: Step,
        y: &[f64],
        next: &mut [f64],
        error: Option<&mut [f64]>,
    ) {
        self.first(f, step, y);
        let h = step.h;
        let [k1, k2, k3, .., last] = &mut self.slopes;
        add_slopes(&mut self.stage, y, h, [(0.5, k1)]);
        f.slope(step.node(0.5), &self.stage, k2);
        f.note(step.start, 2.0 / 9.0 * h, y);
        f.note(step.node(0.5), h / 3.0, &self.stage);
        add_slopes(&mut self.stage, y, h, [(0.75, k2)]);
        f.slope(step.node(0.75), &self.stage, k3);
        f.note(step.node(0.75), 4.0 / 9.0 * h, &self.stage);
        add_slopes(next, y, h, [(2.0 / 9.0, k1), (1.0 / 3.0, k2), (4.0 / 9.0, k3)]);
        f.normalize(next);
        if let Some(error) = error {
            f.slope(step.end, next, last);
            sum_slopes(error, h, [(-5.0 / 72.0, k1), (1.0 / 12.0, k2), (1.0 / 9.0, k3), (-0.125, last)]);
            self.has_last = true;
        }
    }

    /// Dormand and Prince (1980), RK5(4)7M: the last stage is the first of the next step.
    pub fn runge_kutta5<S: System + ?Sized>(
        &mut self,
        f: &mut FirstOrder<S>,
        step: Step,
        y: &[f64],
        next: &mut [f64],
        error: Option<&mut [f64]>,
    ) {
        self.first(f, step, y);
        let h = step.h;
        let [k1, k2, k3, k4, k5, k6, last] = &mut self.slopes;
        add_slopes(&mut self.stage, y, h, [(0.2, k1)]);
        f.slope(step.node(0.2), &self.stage, k2);
        add_slopes(&mut self.stage, y, h, [(3.0 / 40.0, k1), (9.0 / 40.0, k2)]);
        f.slope(step.node(0.3), &self.stage, k3);
        f.note(step.start, 35.0 / 384.0 * h, y);
        f.note(step.node(0.3), 500.0 / 1113.0 * h, &self.stage);
        add_slopes(&mut self.stage, y, h, [(44.0 / 45.0, k1), (-56.0 / 15.0, k2), (32.0 / 9.0, k3)]);
        f.slope(step.node(0.8), &self.stage, k4);
        f.note(step.node(0.8), 125.0 / 192.0 * h, &self.stage);
        let terms =
            [(19372.0 / 6561.0, k1.as_slice()), (-25360.0 / 2187.0, k2), (64448.0 / 6561.0, k3), (-212.0 / 729.0, k4)];
        add_slopes(&mut self.stage, y, h, terms);
        f.slope(step.node(8.0 / 9.0), &self.stage, k5);
        f.note(step.node(8.0 / 9.0), -2187.0 / 6784.0 * h, &self.stage);
        let terms = [
            (9017.0 / 3168.0, k1.as_slice()),
            (-355.0 / 33.0, k2),
            (46732.0 / 5247.0, k3),
            (49.0 / 176.0, k4),
            (-5103.0 / 18656.0, k5),
        ];
        add_slopes(&mut self.stage, y, h, terms);
        f.slope(step.end, &self.stage, k6);
        f.note(step.end, 11.0 / 84.0 * h, &self.stage);
        let terms = [
            (35.0 / 384.0, k1.as_slice()),
            (500.0 / 1113.0, k3),
            (125.0 / 192.0, k4),
            (-2187.0 / 6784.0, k5),
            (11.0 / 84.0, k6),
        ];
        add_slopes(next, y, h, terms);
        f.normalize(next);
        if let Some(error) = error {
            f.slope(step.end, next, last);
            let terms = [
                (71.0 / 57600.0, k1.as_slice()),
                (-71.0 / 16695.0, k3),
                (71.0 / 1920.0, k4),
                (-17253.0 / 339_200.0, k5),
                (22.0 / 525.0, k6),
                (-0.025, last),
            ];
            sum_slopes(error, h, terms);
            self.has_last = true;
        }
    }
}
