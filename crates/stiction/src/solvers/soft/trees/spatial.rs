//! Spatial vectors of links, and the factor of a root: a linear and an angular part, world axes, about a point of the link.

use glam::DVec3;

/// Velocity of a point and angular velocity, or momentum and moment of momentum about it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spatial {
    pub(crate) linear: DVec3,
    pub(crate) angular: DVec3,
}

impl Spatial {
    pub(crate) const fn new(linear: DVec3, angular: DVec3) -> Self {
        Self { linear, angular }
    }

    pub(crate) fn dot(&self, other: &Self) -> f64 {
        self.linear.dot(other.linear) + self.angular.dot(other.angular)
    }

    /// `self + factor other`.
    pub(crate) fn plus(&self, factor: f64, other: &Self) -> Self {
        Self::new(self.linear + factor * other.linear, self.angular + factor * other.angular)
    }

    /// A velocity as a point sees it that is an arm away.
    pub(crate) fn velocity_at(&self, arm: DVec3) -> Self {
        Self::new(self.linear + self.angular.cross(arm), self.angular)
    }

    /// A momentum about a point that is an arm away.
    pub(crate) fn momentum_at(&self, arm: DVec3) -> Self {
        Self::new(self.linear, self.angular - arm.cross(self.linear))
    }
}

/// Inverse of the Cholesky factor's diagonal and the factor of a symmetric 6 × 6 matrix, by rows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cholesky(pub(super) [[f64; 6]; 6]);

impl Cholesky {
    /// From an entry by its row and column.
    pub(crate) fn from_entries(entry: impl Fn(usize, usize) -> f64) -> Self {
        Self(std::array::from_fn(|i| std::array::from_fn(|k| if k <= i { entry(i, k) } else { 0.0 })))
    }

    pub(crate) fn solve(&self, p: &Spatial) -> Spatial {
        let g = &self.0;
        let (l, a) = (p.linear, p.angular);
        let mut x = [l.x, l.y, l.z, a.x, a.y, a.z];
        for i in 0..6 {
            let known: f64 = (0..i).map(|k| g[i][k] * x[k]).sum();
            x[i] = (x[i] - known) * g[i][i];
        }
        for i in (0..6).rev() {
            let known: f64 = (i + 1..6).map(|k| g[k][i] * x[k]).sum();
            x[i] = (x[i] - known) * g[i][i];
        }
        Spatial::new(DVec3::new(x[0], x[1], x[2]), DVec3::new(x[3], x[4], x[5]))
    }
}
