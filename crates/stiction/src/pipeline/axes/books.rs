//! What the parts of the law of an axis do: works of motors, and losses.

use super::law::{PARTS, solve};
use super::{Account, Axis, Rates, STIFF};
use crate::joints::SpringLaw;

impl Axis {
    /// Books the impulses of a span of sub-steps, with the rate after it. Returns what rigid stops took \[J\].
    pub(in super::super) fn sum_up(&mut self, after: f64, rates: Rates) -> f64 {
        let mean = 0.5 * (self.before + after);
        let mut by_stops = 0.0;
        self.total += self.lambda;
        let moving = self.moving_impulses(after);
        for (i, impulse) in moving.into_iter().take(self.count).enumerate() {
            match self.accounts[i] {
                Account::Motor | Account::Loss => self.book(i, impulse, mean),
                Account::Drive => {
                    self.book(i, impulse, mean);
                    // One with a force limit exerts that at a stop too.
                    self.driven += if self.is_bounded(i) { self.impulses[i] - impulse } else { 0.0 };
                }
                Account::Stop => by_stops -= impulse * mean,
                // Its energy is that of its position.
                Account::Spring => {
                    let taken = match rates {
                        Rates::OfMiddles => {
                            let law = SpringLaw::of_row(self.parts[i].compliance, self.kept);
                            self.law.taken(&law, self.step, [self.before, after])
                        }
                        Rates::OfEnds => self.taken_at_ends(impulse, after),
                    };
                    self.loss += taken[0] + taken[1];
                    self.taken[0] += taken[0];
                    self.taken[1] += taken[1];
                }
            }
        }
        self.loss += by_stops;
        by_stops
    }

    /// The impulses as they move the joint, with the rate after them. Where a rigid stop holds it, motors give what they would give without the stop: with the
    /// rest of their force, which without a force limit is as large as numbers are, motor and stop press against each other, and do no work.
    fn moving_impulses(&self, after: f64) -> [f64; PARTS] {
        let mut own = self.impulses;
        let is_motor = |i: &usize| {
            matches!(self.accounts[*i], Account::Motor | Account::Drive)
                && self.parts[*i].compliance <= STIFF * self.response
        };
        let motors = (0..self.count).filter(is_motor);
        let stop = (0..self.count).find(|i| self.accounts[*i] == Account::Stop && own[*i] != 0.0);
        let Some(stop) = stop.filter(|_| motors.clone().next().is_some()) else { return own };
        let without_stops = self.solve_without_stops(after - self.response * self.lambda);
        for i in motors {
            own[stop] += own[i] - without_stops[i];
            own[i] = without_stops[i];
        }
        own
    }

    /// The impulses that the law would have without rigid stops, for the rate without it.
    pub(super) fn solve_without_stops(&self, free: f64) -> [f64; PARTS] {
        let mut parts = self.parts;
        let stops = parts.iter_mut().zip(&self.accounts).filter(|(_, account)| **account == Account::Stop);
        stops.for_each(|(part, _)| part.bounds = [0.0; 2]);
        let mut impulses = [0.0; PARTS];
        solve(&parts[..self.count], 1, free, self.response, &mut impulses);
        impulses
    }

    /// A part has a largest impulse.
    fn is_bounded(&self, part: usize) -> bool {
        self.parts[part].bounds.iter().all(|bound| bound.is_finite())
    }

    /// Adds the work of an impulse of a part at a rate to that of motors, or takes it for lost.
    fn book(&mut self, part: usize, impulse: f64, rate: f64) {
        match self.accounts[part] {
            Account::Motor => self.work += impulse * rate,
            Account::Drive => {
                self.work += impulse * rate;
                self.driven += impulse;
            }
            Account::Loss => self.loss -= impulse * rate,
            Account::Stop | Account::Spring => {}
        }
    }

    /// Books the impulse by the slopes of soft laws while the velocities at the end of a span are projected, at a mean rate; its work \[J\].
    pub(in super::super) fn sum_up_settling(&mut self, impulse: f64, mean: f64) -> f64 {
        self.total += impulse;
        let soft = self.yielding().next();
        match soft.map(|part| (part, self.accounts[part])) {
            Some((_, Account::Spring)) => {
                self.loss -= impulse * mean;
                self.taken[usize::from(self.law.damping <= 0.0)] -= impulse * mean;
            }
            Some((part, _)) => self.book(part, impulse, mean),
            None => {}
        }
        impulse * mean
    }

    /// Books the impulse with which a part holds its rate while the velocities at the end of a span are projected; its work \[J\].
    pub(in super::super) fn sum_up_projection(&mut self, part: usize, impulse: f64) -> f64 {
        let rate = self.parts[part].targets[0];
        self.book(part, impulse, rate);
        self.total += impulse;
        impulse * rate
    }

    /// What the damper took, and the step took of the spring, as rates are those of the ends and the position is that of the start.
    fn taken_at_ends(&self, impulse: f64, after: f64) -> [f64; 2] {
        let way = 0.5 * self.step * (self.before + after);
        let stored = self.law.spring_energy(self.position + way) - self.law.spring_energy(self.position);
        let all = -impulse * way / self.step - stored;
        let by_damper = (self.law.damping * way * way / self.step).min(all.max(0.0));
        [by_damper, all - by_damper]
    }
}
