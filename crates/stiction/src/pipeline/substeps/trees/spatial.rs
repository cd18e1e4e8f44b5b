//! Spatial vectors and inertias of links: a linear and an angular part, world axes, about a point of the link.

use glam::{DMat3, DVec3};

/// Velocity of a point and angular velocity, or momentum and moment of momentum about it.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super::super) struct Spatial {
    pub(in super::super::super) linear: DVec3,
    pub(in super::super::super) angular: DVec3,
}

impl Spatial {
    pub(in super::super::super) const fn new(linear: DVec3, angular: DVec3) -> Self {
        Self { linear, angular }
    }

    pub(in super::super::super) fn dot(&self, other: &Self) -> f64 {
        self.linear.dot(other.linear) + self.angular.dot(other.angular)
    }

    /// `self + factor other`.
    pub(in super::super::super) fn plus(&self, factor: f64, other: &Self) -> Self {
        Self::new(self.linear + factor * other.linear, self.angular + factor * other.angular)
    }

    /// A velocity as a point sees it that is an arm away.
    pub(in super::super::super) fn velocity_at(&self, arm: DVec3) -> Self {
        Self::new(self.linear + self.angular.cross(arm), self.angular)
    }

    /// A momentum about a point that is an arm away.
    pub(in super::super::super) fn momentum_at(&self, arm: DVec3) -> Self {
        Self::new(self.linear, self.angular - arm.cross(self.linear))
    }
}

/// `[A B; Bᵀ C]`, symmetric.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inertia {
    pub(super) a: DMat3,
    pub(super) b: DMat3,
    pub(super) c: DMat3,
}

impl Inertia {
    pub(super) const ZERO: Self = Self { a: DMat3::ZERO, b: DMat3::ZERO, c: DMat3::ZERO };

    /// Of a body about its centre of mass.
    pub(super) fn of_body(mass: f64, inertia: DMat3) -> Self {
        Self { a: DMat3::from_diagonal(DVec3::splat(mass)), b: DMat3::ZERO, c: inertia }
    }

    pub(super) fn times(&self, v: &Spatial) -> Spatial {
        Spatial::new(self.a * v.linear + self.b * v.angular, self.b.transpose() * v.linear + self.c * v.angular)
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.a += other.a;
        self.b += other.b;
        self.c += other.c;
    }

    /// About a point that is an arm r away: `v = v_r + r × ω`, so that `B_r = B + A [r]×`,
    /// `C_r = C + [r]×ᵀ B_r + Bᵀ [r]×`.
    pub(super) fn at(&self, arm: DVec3) -> Self {
        let b = self.b + times_skew(&self.a, arm);
        let left = DMat3::from_cols(b.x_axis.cross(arm), b.y_axis.cross(arm), b.z_axis.cross(arm));
        Self { a: self.a, b, c: self.c + left + times_skew(&self.b.transpose(), arm) }
    }

    /// `self − factor u vᵀ` of momenta.
    pub(super) fn without(&mut self, factor: f64, u: &Spatial, v: &Spatial) {
        let outer = |p: DVec3, q: DVec3| factor * DMat3::from_cols(p * q.x, p * q.y, p * q.z);
        self.a -= outer(u.linear, v.linear);
        self.b -= outer(u.linear, v.angular);
        self.c -= outer(u.angular, v.angular);
    }
}

/// `M [r]×`.
fn times_skew(m: &DMat3, r: DVec3) -> DMat3 {
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    DMat3::from_cols(y * r.z - z * r.y, z * r.x - x * r.z, x * r.y - y * r.x)
}

/// Inverse of the Cholesky factor's diagonal and the factor of a symmetric 6 × 6 matrix, by rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cholesky([[f64; 6]; 6]);

impl Cholesky {
    pub(super) fn of(inertia: &Inertia) -> Self {
        let entry = |i: usize, j: usize| match (i < 3, j < 3) {
            (true, true) => inertia.a.col(j)[i],
            (true, false) => inertia.b.col(j - 3)[i],
            (false, true) => inertia.b.col(i - 3)[j],
            (false, false) => inertia.c.col(j - 3)[i - 3],
        };
        let mut g = [[0.0; 6]; 6];
        for i in 0..6 {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| g[i][k] * g[j][k]).sum();
                let left = entry(i, j) - known;
                // The diagonal is kept inverted.
                g[i][j] = if i == j { 1.0 / left.max(f64::MIN_POSITIVE).sqrt() } else { left * g[j][j] };
            }
        }
        Self(g)
    }

    pub(super) fn rows(&self) -> &[[f64; 6]; 6] {
        &self.0
    }

    pub(super) fn solve(&self, p: &Spatial) -> Spatial {
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
