//! Which points of a listed pair are contacts, and how stiff each is (AGX).

/// How the contact points of a pair are made fewer, by bins of their normals and moments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PointReduction {
    /// All points are kept.
    None,
    /// Those of a pair of shapes are reduced.
    #[default]
    Shapes,
    /// Those of a pair of shapes, and then all of a pair of bodies.
    Bodies,
}

/// Contact points of a listed pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoints {
    /// How they are made fewer.
    pub reduction: PointReduction,
    /// Bins in each of the six dimensions of normal and moment, 1 to 10; 0 is the world's number.
    pub bins: u32,
    /// Stiffness by the area of contact; `None` is a spring at each point.
    pub area: Option<AreaLaw>,
}

impl ContactPoints {
    /// Of a way to make them fewer, with the world's bins.
    #[must_use]
    pub const fn reduced(reduction: PointReduction) -> Self {
        Self { reduction, bins: 0, area: None }
    }
}

/// Stiffness by the area of contact (elastic foundation): n points that span the area A have `k = E A / (n L)` each, with the
/// rest length `L = √A` within bounds. The compliance of the pair's normal law is 1 / E \[1/Pa\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AreaLaw {
    /// Least L \[m\].
    pub min_rest_length: f64,
    /// Greatest L \[m\].
    pub max_rest_length: f64,
}

impl Default for AreaLaw {
    fn default() -> Self {
        Self { min_rest_length: 1e-3, max_rest_length: 0.1 }
    }
}

impl AreaLaw {
    /// Stiffness of each of n points \[N/m\], with Young's modulus \[Pa\] and the area that they span \[m²\].
    #[must_use]
    pub fn stiffness(&self, youngs_modulus: f64, area: f64, points: usize) -> f64 {
        let length = area.sqrt().max(self.min_rest_length).min(self.max_rest_length);
        youngs_modulus * area / (points as f64 * length)
    }
}
