//! What a start from some times the impulses of a manifold leaves: its part in the function that a pass makes less.

use super::bundle::{Bundle, NORMAL, ROWS};
use super::lane::Record;
use super::pass::PassRule;

impl<const W: usize> Bundle<W> {
    /// Of impulses λ, targets b and compliances Γ of rows in the pass that comes next: `b·λ` and `λ·Γλ`. A pass without bias takes the gaps
    /// that the one with it has seen, not those of the displacements now.
    pub(crate) fn work_of_targets(
        &self,
        lane: usize,
        moved: &[Record],
        (rule, is_soft): (&PassRule, bool),
    ) -> (f64, f64) {
        let (mut work, mut square) = (0.0, 0.0);
        for k in (0..ROWS).filter(|k| self.lambda[*k][lane] != 0.0) {
            let turns = self.rate_of(k, lane);
            let (of_normal, compliance) = match k.checked_sub(NORMAL) {
                None => (0.0, if self.is_special { self.slip[k][lane] } else { 0.0 }),
                Some(own) if is_soft => self.soft_law(own, lane, self.gap_now(own, lane, moved, rule), rule),
                Some(own) => {
                    let gives_way = self.is_special && self.acts[own][lane] > 0.0;
                    (self.kept[own][lane], if gives_way { self.elastic[own][lane] } else { 0.0 })
                }
            };
            let lambda = self.lambda[k][lane];
            work += lambda * (rule.turned * turns + self.prescribed(k, lane) + of_normal);
            square += compliance * lambda * lambda;
        }
        (work, square)
    }

    /// Target and compliance of a normal across a gap in a pass with bias.
    fn soft_law(&self, own: usize, lane: usize, gap: f64, rule: &PassRule) -> (f64, f64) {
        let beyond = gap + self.layer[lane];
        let elastic = if self.is_special { self.elastic[own][lane] } else { -1.0 };
        if elastic >= 0.0 {
            let rate = self.elastic_rate[own][lane];
            let pulls = self.pull[own][lane] > 0.0;
            let force = if gap > 0.0 {
                gap * rate
            } else if pulls {
                beyond * rate
            } else {
                (beyond * rate).min(0.0)
            };
            return (force, elastic);
        }
        if gap > 0.0 {
            return (gap * rule.inverse_step, 0.0);
        }
        let (bias, push, softness) = (rule.bias_rate * beyond, self.push[lane], self.softness[lane]);
        if bias > 0.0 {
            (0.0, 0.0)
        } else if -bias > push {
            (-push, softness * (push / -bias))
        } else {
            (bias, softness)
        }
    }

    /// Rate of the velocity of a row as its bodies turn, by half a step \[m/s\].
    fn rate_of(&self, row: usize, lane: usize) -> f64 {
        if self.turns && row != 2 { self.rate[if row < 2 { row } else { row - 1 }][lane] } else { 0.0 }
    }

    /// Gap of a normal after the sub-steps so far.
    pub(super) fn gap_now(&self, own: usize, lane: usize, moved: &[Record], rule: &PassRule) -> f64 {
        let row = NORMAL + own;
        let mut gap = self.gap[own][lane] + rule.bend * self.rate_of(row, lane);
        for side in 0..if self.has_one_side { 1 } else { 2 } {
            let (way, mass) = (&moved[self.moving[side][lane] as usize].0, self.signed_mass[side][lane]);
            for e in 0..3 {
                gap += mass * self.directions[2][e][lane] * way[e] + self.angular[row][side][e][lane] * way[3 + e];
            }
        }
        gap + if self.is_driven { rule.elapsed * self.drift[own][lane] } else { 0.0 }
    }

    /// The manifold has some times its impulses.
    pub(crate) fn multiply_impulses(&mut self, lane: usize, times: f64) {
        for row in &mut self.lambda {
            row[lane] *= times;
        }
    }
}
