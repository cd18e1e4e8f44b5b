//! Draws of physical quantities.

use fastrand::Rng;
use stiction::math::{DQuat, DVec3};

/// A stream of cases' numbers; the seed is all that a case is.
pub struct Draw(Rng);

impl Draw {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    /// Uniform between two bounds.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.f64()
    }

    /// Uniform in the logarithm.
    pub fn log(&mut self, low: f64, high: f64) -> f64 {
        self.uniform(low.ln(), high.ln()).exp()
    }

    /// A number from `low` up to, not including, `high`.
    pub fn index(&mut self, low: usize, high: usize) -> usize {
        self.0.usize(low..high)
    }

    /// True with a probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.0.f64() < probability
    }

    /// One of a list.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.0.usize(0..list.len())]
    }

    /// A point of the cube with the half width `size`.
    pub fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.uniform(-size, size), self.uniform(-size, size), self.uniform(-size, size))
    }

    /// A direction; one in three is an axis of the world.
    pub fn direction(&mut self) -> DVec3 {
        if self.chance(1.0 / 3.0) {
            return *self.pick(&DVec3::AXES);
        }
        loop {
            let v = self.vector(1.0);
            if (0.01..=1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }

    /// A rotation.
    pub fn rotation(&mut self) -> DQuat {
        let (axis, angle) = (self.direction(), self.uniform(-3.1, 3.1));
        DQuat::from_axis_angle(axis, angle)
    }
}
