//! Numbers for the tests of accuracy, the same in every run.

use stiction::math::{DQuat, DVec3};

/// Deterministic numbers in [0, 1).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn signed(&mut self) -> f64 {
        2.0 * self.next() - 1.0
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    pub fn rotation(&mut self) -> DQuat {
        loop {
            let q = DQuat::from_xyzw(self.signed(), self.signed(), self.signed(), self.signed());
            if (0.01..1.0).contains(&q.length_squared()) {
                return q.normalize();
            }
        }
    }
}
