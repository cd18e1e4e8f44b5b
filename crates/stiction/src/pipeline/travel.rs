//! How far bodies have come, and until when what is known of a pair holds by that.
//!
//! A place at a distance d from the centre of mass of a body moves by at most its way plus d times its turn, so that two shapes have moved
//! against each other by at most the sum of both since they were last looked at. While that is less than a pair may move, its poses
//! need not be compared: what is skipped here would have given the same.

use glam::{DQuat, DVec3};

use super::context::Model;
use crate::math::Pose;
use crate::model::{BodyState, NO_BODY, RelativePlace, SolverKind, State};

/// Ways and turns of a body, and of what may come in a step: upper bounds.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    /// Ways \[m\] and turns \[rad\] of all steps, with that to come, and without that of this one.
    most: [f64; 2],
    least: [f64; 2],
}

/// Ways of all bodies since the memory began, by slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Travel {
    /// Where the bodies were.
    last: Vec<(DVec3, DQuat)>,
    /// Ways and turns up to now.
    totals: Vec<[f64; 2]>,
    /// The last entry is that of the static environment.
    marks: Vec<Marks>,
    /// Largest way and turn since the last step, and of what may come in this one.
    most: [[f64; 2]; 2],
    /// It knows the ways up to this step.
    pub(super) is_followed: bool,
}

/// Follows the bodies at the start of a step, where that is worth it: under sub-steps, or where many pairs had no points.
pub(super) fn follow(model: &Model, step: f64, state: &State, is_sparse: bool, travel: &mut Travel) {
    travel.is_followed = model.parameters.solver == SolverKind::Substeps || is_sparse;
    if travel.is_followed {
        travel.follow(step, &state.bodies);
    }
}

impl Travel {
    /// At the start of a step of a length \[s\].
    fn follow(&mut self, step: f64, bodies: &[BodyState]) {
        let known = self.last.len().min(bodies.len());
        self.last.truncate(known);
        self.last.extend(bodies[known..].iter().map(|own| (own.motion.position, own.motion.rotation)));
        self.totals.resize(bodies.len(), [0.0; 2]);
        self.marks.clear();
        self.most = [[0.0; 2]; 2];
        for (slot, own) in bodies.iter().enumerate() {
            let m = &own.motion;
            let (position, rotation) = self.last[slot];
            let [way, turn] = &mut self.totals[slot];
            if position != m.position || rotation != m.rotation {
                let went = (m.position - position).length();
                // |R' - R| = 2 sin(θ/2), without the loss of digits of a cosine near 1.
                let turned = 2.0 * (rotation.conjugate() * m.rotation).xyz().length();
                (*way, *turn) = (*way + went, *turn + turned);
                larger(&mut self.most[0], [went, turned]);
                self.last[slot] = (m.position, m.rotation);
            }
            let (ahead, turning) = (step * m.velocity.length(), step * m.omega.length());
            larger(&mut self.most[1], [ahead, turning]);
            self.marks.push(Marks { most: [*way + ahead, *turn + turning], least: [*way - ahead, *turn - turning] });
        }
        self.marks.push(Marks::default());
    }

    /// How far any place within a distance of the centre of mass of its body has come since the last step, and may come in this one, at
    /// most \[m\].
    pub(super) fn most(&self, arm: f64) -> [f64; 2] {
        self.most.map(|[way, turn]| way + turn * arm)
    }

    fn marks_of(&self, slot: u32) -> &Marks {
        &self.marks[(slot as usize).min(self.marks.len() - 1)]
    }
}

/// The larger ones. NaN is larger than all.
fn larger(most: &mut [f64; 2], other: [f64; 2]) {
    for (most, other) in most.iter_mut().zip(other) {
        if other > *most || other.is_nan() {
            *most = other;
        }
    }
}

/// How long what is known of two shapes holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lease {
    bodies: [u32; 2],
    /// Distances within which turns count \[m\].
    arms: [f64; 2],
    /// Sum of ways up to which it holds \[m\].
    until: f64,
}

/// Parts of what is left, and of the radius, that rounding may take.
const ROUNDING: [f64; 2] = [1e-6, 1e-7];

impl Lease {
    /// It never holds.
    pub(super) const NONE: Self = Self { bodies: [NO_BODY; 2], arms: [0.0; 2], until: f64::NEG_INFINITY };

    /// For two shapes that may move against each other by `left` \[m\] from now on, at their poses at the start of the step.
    pub(super) fn new(
        travel: &Travel,
        states: &[BodyState],
        (poses, bodies): ([&Pose; 2], [u32; 2]),
        found: &RelativePlace,
        left: f64,
    ) -> Self {
        let arm = |side: usize| {
            let own = states.get(bodies[side] as usize);
            let distance = own.map_or(0.0, |own| own.motion.position.distance(poses[side].point(found.centers[side])));
            distance + found.radius
        };
        let arms = [arm(0), arm(1)];
        let [a, b] = bodies.map(|slot| travel.marks_of(slot).least);
        let until = a[0] + b[0] + a[1] * arms[0] + b[1] * arms[1];
        let left = left - ROUNDING[0] * left.abs() - ROUNDING[1] * found.radius;
        Self { bodies, arms, until: until + left }
    }

    /// The larger of the distances within which turns count \[m\].
    pub(super) fn arm(&self) -> f64 {
        self.arms[0].max(self.arms[1])
    }

    /// How far the two may still move against each other, from where they are \[m\].
    pub(super) fn left(&self, travel: &Travel) -> f64 {
        let [a, b] = self.bodies.map(|slot| travel.totals.get(slot as usize).copied().unwrap_or([0.0; 2]));
        self.until - (a[0] + b[0] + a[1] * self.arms[0] + b[1] * self.arms[1])
    }

    /// It holds in this step. NaN does not.
    pub(super) fn holds(&self, travel: &Travel) -> bool {
        let [a, b] = self.bodies.map(|slot| travel.marks_of(slot).most);
        a[0] + b[0] + a[1] * self.arms[0] + b[1] * self.arms[1] < self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// While a lease holds, two bodies that move at random have moved by less against each other than it was given.
    #[test]
    fn a_lease_ends_before_its_shapes_have_moved_too_far() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let (mut held, mut ended) = (0, 0);
        for _ in 0..2000 {
            let mut vector = |size: f64| size * DVec3::new(random(), random(), random());
            let mut bodies = [BodyState::at_rest(), BodyState::at_rest()];
            for own in &mut bodies {
                own.motion.position = vector(2.0);
                own.motion.rotation = DQuat::from_scaled_axis(vector(3.0));
            }
            let poses = |bodies: &[BodyState; 2]| [0, 1].map(|k| bodies[k].motion.frame(DVec3::ZERO));
            let [a, b] = poses(&bodies);
            let found = RelativePlace::new([&a, &b], vector(1.0), 0.3, [0.02, 0.0]);
            let mut travel = Travel::default();
            travel.follow(0.01, &bodies);
            let lease = Lease::new(&travel, &bodies, ([&a, &b], [0, 1]), &found, found.tolerance);
            for _ in 0..20 {
                for own in &mut bodies {
                    let (velocity, omega) = (vector(0.05), vector(0.1));
                    own.motion.position += 0.01 * velocity;
                    own.motion.rotation = (DQuat::from_scaled_axis(0.01 * omega) * own.motion.rotation).normalize();
                    (own.motion.velocity, own.motion.omega) = (velocity, omega);
                }
                travel.follow(0.01, &bodies);
                let [a, b] = poses(&bodies);
                let moved = found.moved([&a, &b]);
                if lease.holds(&travel) {
                    held += 1;
                    assert!(moved < found.tolerance, "{moved}");
                } else {
                    ended += 1;
                }
            }
        }
        assert!(held > 1000 && ended > 1000, "{held} {ended}");
    }
}
