//! What is asked of a manifold that lands: how its points close, whether they touch, and what of its blow is carried over.

use super::bundle::{Bundle, NORMAL};
use super::lane::Record;
use super::pass::PassRule;

/// Relative difference of the closing velocities of points up to which they land together.
const ALIKE: f64 = 0.05;

/// Points that touch within a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closing {
    points: usize,
    /// When the first of them touches \[s\].
    pub(crate) time: f64,
    /// Closing velocities \[m/s\].
    pub(crate) slowest: f64,
    pub(crate) fastest: f64,
}

impl Closing {
    pub(crate) const NONE: Self =
        Self { points: 0, time: f64::INFINITY, slowest: f64::INFINITY, fastest: f64::NEG_INFINITY };

    /// With other points.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            points: self.points + other.points,
            time: self.time.min(other.time),
            slowest: self.slowest.min(other.slowest),
            fastest: self.fastest.max(other.fastest),
        }
    }

    /// They have nearly the same velocity.
    pub(crate) fn are_alike(&self) -> bool {
        self.slowest >= (1.0 - ALIKE) * self.fastest
    }

    /// There are several, and they land at once.
    pub(crate) fn is_flat(&self) -> bool {
        self.points > 1 && self.are_alike()
    }
}

impl<const W: usize> Bundle<W> {
    /// Velocity at which the centres of the bodies of a manifold close along its normal \[m/s\].
    pub(crate) fn closing_of_centers(&self, lane: usize, z: &[Record]) -> f64 {
        let sides = if self.has_one_side { 1 } else { 2 };
        let of = |side: usize| {
            let velocity = &z[self.moving[side][lane] as usize].0;
            self.signed_mass[side][lane] * (0..3).map(|e| self.directions[2][e][lane] * velocity[e]).sum::<f64>()
        };
        -(0..sides).map(of).sum::<f64>() - self.prescribed(NORMAL, lane)
    }

    /// The points of a manifold that touch within a time \[s\] from the sub-step of a rule on.
    pub(crate) fn closing(
        &self,
        lane: usize,
        (z, moved): (&[Record], &[Record]),
        (rule, time): (&PassRule, f64),
    ) -> Closing {
        let touching = self.velocities(lane, z).filter_map(|(k, velocity)| {
            let (closing, gap) = (-velocity, self.gap_now(k, lane, moved, rule));
            let touches = gap - closing * time < 0.0;
            touches.then(|| Closing { points: 1, time: gap / closing, slowest: closing, fastest: closing })
        });
        touching.fold(Closing::NONE, Closing::and)
    }

    /// After the move of a sub-step: points within reach of the surface at a slow velocity \[m/s\] keep no velocity.
    pub(crate) fn stop(&mut self, lane: usize, z: &[Record], slow: f64) {
        let mut kept = self.kept;
        for (k, velocity) in self.velocities(lane, z) {
            if velocity + kept[k][lane] < slow {
                kept[k][lane] = 0.0;
            }
        }
        self.kept = kept;
    }

    /// The points of a manifold and their normal velocities.
    fn velocities(&self, lane: usize, z: &[Record]) -> impl Iterator<Item = (usize, f64)> {
        let (places, rows) = self.normal_rows(lane, 0);
        let sides = if self.has_one_side { 1 } else { 2 };
        (0..4).filter(move |k| self.inverse[NORMAL + *k][lane] > 0.0).map(move |k| {
            let of = |side: usize| &z[places[side] as usize].0;
            let along = |side: usize| (0..6).map(|e| rows[k][6 * side + e] * of(side)[e]).sum::<f64>();
            (k, (0..sides).map(along).sum::<f64>() + self.prescribed(NORMAL + k, lane))
        })
    }

    /// The next sub-step starts from another share of the impulses.
    pub(crate) fn carry_other_share(&mut self, lane: usize, share: f64, held: &mut [Record]) {
        self.undo_carry_over(lane, held);
        self.carried[lane] = share;
        self.carry_over(lane, held);
    }
}
