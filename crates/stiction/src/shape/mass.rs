//! Mass, centre of mass and inertia.

use glam::{DMat3, DQuat, DVec3};

use super::{ConvexHull, Shape};
use crate::math::Decimal;

/// Mass, centre and inertia of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass in the shape's frame \[m\].
    pub center_of_mass: DVec3,
    /// Inertia about the centre of mass, in the axes of the shape's frame \[kg m²\].
    pub inertia: DMat3,
}

/// Why mass properties belong to no rigid body.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MassError {
    /// The mass is not a positive number.
    #[error("mass is {} kg; expected a finite number above 0", Decimal(*found))]
    Mass {
        /// The value.
        found: f64,
    },
    /// The centre of mass is not finite.
    #[error("centre of mass is {found} m; expected finite numbers")]
    Center {
        /// The value.
        found: DVec3,
    },
    /// The inertia has a NaN or an infinite entry.
    #[error("inertia has an entry of {} kg m²; expected finite numbers", Decimal(*found))]
    NotFinite {
        /// The entry.
        found: f64,
    },
    /// The inertia is not symmetric.
    #[error("inertia entries across the diagonal differ by {} kg m²; expected a symmetric matrix", Decimal(*found))]
    NotSymmetric {
        /// Largest difference.
        found: f64,
    },
    /// A principal moment is not positive.
    #[error("least principal moment of inertia is {} kg m²; expected one above 0", Decimal(*found))]
    NotPositive {
        /// Least moment.
        found: f64,
    },
    /// No distribution of mass has these moments.
    #[error(
        "principal moments of inertia {found} kg m² break the triangle inequality; expected each at most the sum of the others"
    )]
    Triangle {
        /// The principal moments.
        found: DVec3,
    },
}

/// `|d|² 1 - d dᵀ`: the inertia of a unit mass at d.
fn point_inertia(d: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(d.length_squared())) - DMat3::from_cols(d * d.x, d * d.y, d * d.z)
}

impl MassProperties {
    /// About the origin, with principal moments on the axes.
    fn diagonal(mass: f64, moments: DVec3) -> Self {
        Self { mass, center_of_mass: DVec3::ZERO, inertia: DMat3::from_diagonal(moments) }
    }

    /// Ball: `I = 2/5 m r²`. Density in \[kg/m³\].
    #[must_use]
    pub fn sphere(density: f64, radius: f64) -> Self {
        let mass = density * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
        Self::diagonal(mass, DVec3::splat(0.4 * mass * radius * radius))
    }

    /// Box of side lengths: `I_x = m/12 (l_y² + l_z²)` and so on.
    #[must_use]
    pub fn cuboid(density: f64, side_lengths: DVec3) -> Self {
        let mass = density * side_lengths.element_product();
        let squares = side_lengths * side_lengths;
        Self::diagonal(mass, mass / 12.0 * (DVec3::splat(squares.element_sum()) - squares))
    }

    /// Capsule along z of the length l of its cylindrical part: with m_c of the cylinder and m_s of the ball,
    /// `I_z = (m_c/2 + 2 m_s/5) r²`, `I_x = m_c (r²/4 + l²/12) + m_s (2 r²/5 + 3 r l/8 + l²/4)`.
    #[must_use]
    pub fn capsule(density: f64, radius: f64, length: f64) -> Self {
        let (r2, l2) = (radius * radius, length * length);
        let middle = density * std::f64::consts::PI * r2 * length;
        let ends = density * std::f64::consts::PI * 4.0 / 3.0 * r2 * radius;
        let axial = (0.5 * middle + 0.4 * ends) * r2;
        let across = middle * (r2 / 4.0 + l2 / 12.0) + ends * (0.4 * r2 + 0.375 * radius * length + 0.25 * l2);
        Self::diagonal(middle + ends, DVec3::new(across, across, axial))
    }

    /// Cylinder along z: `I_z = m r²/2`, `I_x = m (r²/4 + l²/12)`.
    #[must_use]
    pub fn cylinder(density: f64, radius: f64, length: f64) -> Self {
        let r2 = radius * radius;
        let mass = density * std::f64::consts::PI * r2 * length;
        let across = mass * (r2 / 4.0 + length * length / 12.0);
        Self::diagonal(mass, DVec3::new(across, across, 0.5 * mass * r2))
    }

    /// Ellipsoid: `I_x = m/5 (b² + c²)` and so on.
    #[must_use]
    pub fn ellipsoid(density: f64, semi_axes: DVec3) -> Self {
        let mass = density * 4.0 / 3.0 * std::f64::consts::PI * semi_axes.element_product();
        let squares = semi_axes * semi_axes;
        Self::diagonal(mass, 0.2 * mass * (DVec3::splat(squares.element_sum()) - squares))
    }

    /// Cone along z, origin halfway, its centre a quarter of the height above the base:
    /// `I_z = 3/10 m r²`, `I_x = 3/80 m (4 r² + h²)`.
    #[must_use]
    pub fn cone(density: f64, radius: f64, length: f64) -> Self {
        let r2 = radius * radius;
        let mass = density * std::f64::consts::PI * r2 * length / 3.0;
        let across = 0.0375 * mass * (4.0 * r2 + length * length);
        let centered = Self::diagonal(mass, DVec3::new(across, across, 0.3 * mass * r2));
        Self { center_of_mass: DVec3::Z * (-0.25 * length), ..centered }
    }

    /// Convex polyhedron, by the tetrahedra of its centre and each triangle: with corners a, b, c and volume v
    /// `∫ x xᵀ = v/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ)`, `s = a + b + c`.
    #[must_use]
    pub fn convex_hull(density: f64, hull: &ConvexHull) -> Self {
        let outer = |d: DVec3| DMat3::from_cols(d * d.x, d * d.y, d * d.z);
        let mut second = DMat3::ZERO;
        for t in hull.triangles() {
            let [a, b, c] = t.map(|i| hull.vertices()[i as usize] - hull.centroid());
            let part = density * a.dot(b.cross(c)) / 120.0;
            second += (outer(a) + outer(b) + outer(c) + outer(a + b + c)) * part;
        }
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - second;
        Self { mass: density * hull.volume(), center_of_mass: hull.centroid(), inertia }
    }

    /// The same distribution scaled to a total mass \[kg\].
    #[must_use]
    pub fn with_mass(&self, total: f64) -> Self {
        Self { mass: total, inertia: self.inertia * (total / self.mass), ..*self }
    }

    /// Moved by an offset \[m\]; the inertia about the centre stays.
    #[must_use]
    pub fn translated(&self, offset: DVec3) -> Self {
        Self { center_of_mass: self.center_of_mass + offset, ..*self }
    }

    /// Turned about the origin: `c' = R c`, `I' = R I Rᵀ`.
    #[must_use]
    pub fn rotated(&self, rotation: DQuat) -> Self {
        let r = DMat3::from_quat(rotation);
        let inertia = r * self.inertia * r.transpose();
        // The product of three matrices is symmetric only up to rounding.
        let inertia = (inertia + inertia.transpose()) * 0.5;
        Self { mass: self.mass, center_of_mass: r * self.center_of_mass, inertia }
    }

    /// Both bodies as one: `I = Σ I_i + m_i (|d_i|² 1 - d_i d_iᵀ)` about the common centre.
    #[must_use]
    pub fn combined(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        let share = if mass > 0.0 { other.mass / mass } else { 0.5 };
        let center_of_mass = self.center_of_mass + (other.center_of_mass - self.center_of_mass) * share;
        let about = |part: &Self| part.inertia + point_inertia(part.center_of_mass - center_of_mass) * part.mass;
        Self { mass, center_of_mass, inertia: about(self) + about(other) }
    }

    /// Inertia about the origin of the frame \[kg m²\].
    #[must_use]
    pub fn inertia_about_origin(&self) -> DMat3 {
        self.inertia + point_inertia(self.center_of_mass) * self.mass
    }

    /// Principal moments \[kg m²\] and the rotation from principal to shape axes, by Jacobi's cyclic iteration.
    /// A diagonal matrix gives the identity; the moments keep the order of the nearest axes.
    #[must_use]
    pub fn principal(&self) -> (DVec3, DQuat) {
        let mut a = self.inertia.to_cols_array_2d();
        let mut v = DMat3::IDENTITY.to_cols_array_2d();
        for _ in 0..50 {
            let off = a[1][0].abs() + a[2][0].abs() + a[2][1].abs();
            let on = a[0][0].abs() + a[1][1].abs() + a[2][2].abs();
            if off <= 1e-16 * on {
                break;
            }
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                rotate_away(&mut a, &mut v, p, q);
            }
        }
        let axes = DMat3::from_cols_array_2d(&v);
        let rotation = if axes == DMat3::IDENTITY { DQuat::IDENTITY } else { DQuat::from_mat3(&axes).normalize() };
        (DVec3::new(a[0][0], a[1][1], a[2][2]), rotation)
    }

    /// Positive mass, finite numbers, and an inertia that some distribution of mass has.
    ///
    /// # Errors
    /// The first property that fails.
    pub fn validate(&self) -> Result<(), MassError> {
        self.validate_definite()?;
        let (moments, _) = self.principal();
        // Flat bodies meet the inequality with equality, so rounded files may miss it by a little.
        if 2.0 * moments.max_element() > moments.element_sum() * (1.0 + 1e-6) {
            return Err(MassError::Triangle { found: moments });
        }
        Ok(())
    }

    /// What the equations of motion need: positive mass, finite numbers, a positive definite inertia. No distribution
    /// of mass may have it (the triangle inequality is not asked for), but it moves.
    ///
    /// # Errors
    /// The first property that fails.
    pub(crate) fn validate_definite(&self) -> Result<(), MassError> {
        if !(self.mass.is_finite() && self.mass > 0.0) {
            return Err(MassError::Mass { found: self.mass });
        }
        if !self.center_of_mass.is_finite() {
            return Err(MassError::Center { found: self.center_of_mass });
        }
        let entries = self.inertia.to_cols_array();
        if let Some(&found) = entries.iter().find(|x| !x.is_finite()) {
            return Err(MassError::NotFinite { found });
        }
        let scale = entries.iter().fold(0.0f64, |s, x| s.max(x.abs()));
        let skew = self.inertia - self.inertia.transpose();
        let asymmetry = skew.to_cols_array().iter().fold(0.0f64, |s, x| s.max(x.abs()));
        if asymmetry > 1e-9 * scale {
            return Err(MassError::NotSymmetric { found: asymmetry });
        }
        let (moments, _) = self.principal();
        if moments.min_element() <= 0.0 {
            return Err(MassError::NotPositive { found: moments.min_element() });
        }
        Ok(())
    }
}

/// One plane rotation that zeroes `a[p][q]`: `t = sign(θ) / (|θ| + √(θ² + 1))`, `θ = (a_qq - a_pp) / 2 a_pq`.
fn rotate_away(a: &mut [[f64; 3]; 3], v: &mut [[f64; 3]; 3], p: usize, q: usize) {
    let apq = 0.5 * (a[p][q] + a[q][p]);
    if apq == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * apq);
    let t = 1.0f64.copysign(theta) / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    let r = 3 - p - q;
    let (arp, arq) = (0.5 * (a[r][p] + a[p][r]), 0.5 * (a[r][q] + a[q][r]));
    a[p][p] -= t * apq;
    a[q][q] += t * apq;
    (a[p][q], a[q][p]) = (0.0, 0.0);
    let (rp, rq) = (c * arp - s * arq, s * arp + c * arq);
    (a[r][p], a[p][r], a[r][q], a[q][r]) = (rp, rp, rq, rq);
    for k in 0..3 {
        let (vp, vq) = (v[p][k], v[q][k]);
        v[p][k] = c * vp - s * vq;
        v[q][k] = s * vp + c * vq;
    }
}

impl Shape {
    /// Mass properties at a uniform density \[kg/m³\]; `None` for a plane, a ray, a heightfield, and a mesh whose volume
    /// is not positive.
    #[must_use]
    pub fn mass_properties(&self, density: f64) -> Option<MassProperties> {
        Some(match self {
            Self::Sphere(s) => MassProperties::sphere(density, s.radius),
            Self::Box(s) => MassProperties::cuboid(density, 2.0 * s.half_extents),
            Self::Capsule(s) => MassProperties::capsule(density, s.radius, 2.0 * s.half_length),
            Self::Cylinder(s) => MassProperties::cylinder(density, s.radius, 2.0 * s.half_length),
            Self::Ellipsoid(s) => MassProperties::ellipsoid(density, s.semi_axes),
            Self::Cone(s) => MassProperties::cone(density, s.radius, 2.0 * s.half_length),
            Self::ConvexHull(s) => MassProperties::convex_hull(density, s),
            Self::TriangleMesh(s) => return s.mass_properties(density).ok(),
            Self::Plane(_) | Self::Ray(_) | Self::Heightfield(_) => return None,
        })
    }
}
