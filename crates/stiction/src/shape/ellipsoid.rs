//! Ellipsoid with semi-axes along the local axes.

use glam::DVec3;

use super::{Surface, chord::Chord};

/// An ellipsoid about the origin, `(x/a)² + (y/b)² + (z/c)² <= 1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    /// Semi-axes a, b, c \[m\].
    pub semi_axes: DVec3,
}

impl Ellipsoid {
    /// `A² d / |A d|`, A the diagonal of semi-axes.
    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        self.semi_axes * (self.semi_axes * direction).normalize_or(DVec3::X)
    }

    pub(crate) fn volume(&self) -> f64 {
        4.0 / 3.0 * std::f64::consts::PI * self.semi_axes.x * self.semi_axes.y * self.semi_axes.z
    }

    /// Signed distance by the nearest surface point x, `p = x + t A⁻² x`, with
    /// `F(t) = Σ (aᵢ pᵢ / (t + aᵢ²))² = 1` and `t > -min aᵢ²`, where F falls monotonically.
    pub(crate) fn surface(&self, point: DVec3) -> Surface {
        let squares = self.semi_axes * self.semi_axes;
        let least = squares.min_element();
        let level = |t: f64| {
            let q = self.semi_axes * point / (DVec3::splat(t) + squares);
            q.length_squared() - 1.0
        };
        // F(high) < 0, since every denominator is at least aᵢ² + high >= |p| aᵢ.
        let mut high = (self.semi_axes * point).length() - least;
        let mut low = -least;
        let start = low + 1e-14 * least;
        let nearest = if high <= start || level(start) < 0.0 {
            // On the focal sheet: the nearest points lie off the shortest axis' zero.
            let mut x = DVec3::ZERO;
            let mut rest = 1.0;
            for i in 0..3 {
                if squares[i] > least {
                    x[i] = squares[i] * point[i] / (squares[i] - least);
                    rest -= (x[i] / self.semi_axes[i]).powi(2);
                }
            }
            let i = if squares.x == least {
                0
            } else if squares.y == least {
                1
            } else {
                2
            };
            x[i] = (self.semi_axes[i] * rest.max(0.0).sqrt()).copysign(point[i]);
            x
        } else {
            for _ in 0..200 {
                let middle = 0.5 * (low + high);
                if middle <= low || middle >= high {
                    break;
                }
                if level(middle) > 0.0 {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            let t = 0.5 * (low + high);
            squares * point / (DVec3::splat(t) + squares)
        };
        let normal = (nearest / squares).normalize_or(DVec3::X);
        Surface { distance: (point - nearest).dot(normal), normal }
    }

    pub(crate) fn chord(&self, origin: DVec3, direction: DVec3) -> Option<Chord> {
        let mut chord = Chord::ball(DVec3::ZERO, 1.0, origin / self.semi_axes, direction / self.semi_axes)?;
        chord.enter_normal = (chord.enter_normal / self.semi_axes).normalize_or_zero();
        chord.exit_normal = (chord.exit_normal / self.semi_axes).normalize_or_zero();
        Some(chord)
    }
}
