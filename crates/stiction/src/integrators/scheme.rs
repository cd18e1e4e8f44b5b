//! The names and orders of the schemes.

/// How continuous motion is advanced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// Velocities first, positions with the new velocities; first order, fixed step.
    SemiExplicitEuler,
    /// Midpoint rule; second order, fixed step.
    RungeKutta2,
    /// Third order with an embedded second order, error-controlled.
    #[default]
    RungeKutta3,
    /// Bogacki and Shampine: third order with an embedded second order.
    BogackiShampine3,
    /// Dormand and Prince: fifth order with an embedded fourth order.
    RungeKutta5,
    /// First order, implicit; error from two half steps.
    ImplicitEuler,
    /// Radau IIA of one stage: implicit Euler in Radau's form.
    Radau1,
    /// Radau IIA of two stages: third order, implicit.
    Radau3,
}

impl Scheme {
    /// All schemes.
    pub const ALL: [Self; 8] = [
        Self::SemiExplicitEuler,
        Self::RungeKutta2,
        Self::RungeKutta3,
        Self::BogackiShampine3,
        Self::RungeKutta5,
        Self::ImplicitEuler,
        Self::Radau1,
        Self::Radau3,
    ];

    /// Name as users give it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SemiExplicitEuler => "semi_explicit_euler",
            Self::RungeKutta2 => "runge_kutta2",
            Self::RungeKutta3 => "runge_kutta3",
            Self::BogackiShampine3 => "bogacki_shampine3",
            Self::RungeKutta5 => "runge_kutta5",
            Self::ImplicitEuler => "implicit_euler",
            Self::Radau1 => "radau1",
            Self::Radau3 => "radau3",
        }
    }

    /// Scheme of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }

    /// The scheme estimates its own error.
    #[must_use]
    pub const fn has_error_estimate(self) -> bool {
        !matches!(self, Self::SemiExplicitEuler | Self::RungeKutta2)
    }
}
