//! The names and orders of the schemes.

/// How continuous motion is advanced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
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

    /// Scheme of a name, of its usual short one too.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name || s.other_names().contains(&name))
    }

    const fn other_names(self) -> &'static [&'static str] {
        match self {
            Self::SemiExplicitEuler => &["semi_implicit_euler", "symplectic_euler"],
            Self::RungeKutta2 => &["rk2", "midpoint"],
            Self::RungeKutta3 => &["rk3"],
            Self::BogackiShampine3 => &["bogacki_shampine", "rk23"],
            Self::RungeKutta5 => &["rk5", "dormand_prince", "rk45"],
            Self::ImplicitEuler => &["backward_euler"],
            Self::Radau1 => &["radau_iia1"],
            Self::Radau3 => &["radau_iia3"],
        }
    }

    /// Each step solves equations.
    #[must_use]
    pub const fn is_implicit(self) -> bool {
        matches!(self, Self::ImplicitEuler | Self::Radau1 | Self::Radau3)
    }

    /// The scheme estimates its own error.
    #[must_use]
    pub const fn has_error_estimate(self) -> bool {
        !matches!(self, Self::SemiExplicitEuler | Self::RungeKutta2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_means_one_scheme() {
        let mut names: Vec<_> =
            Scheme::ALL.iter().flat_map(|s| s.other_names().iter().copied().chain([s.name()])).collect();
        assert!(Scheme::ALL.iter().all(|s| s.other_names().iter().all(|n| Scheme::from_name(n) == Some(*s))));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(Scheme::from_name("euler"), None);
    }
}
