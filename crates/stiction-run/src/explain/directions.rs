//! Which directions the two friction coefficients act along where a file gives no `fdir1`.

/// The friction directions of engines without `fdir1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrictionDirections {
    /// Engines, by their names.
    pub engines: &'static [&'static str],
    /// What mu and mu2 mean on level ground.
    pub level: &'static str,
    /// How the directions follow from the normal.
    pub rule: &'static str,
}

const PLANE_SPACE: &str = "t1 = (0, -nz, ny) if the normal is within 45 degrees of the vertical, else (-ny, nx, 0), \
                           normalized; t2 = n x t1";

impl FrictionDirections {
    /// Every engine once. `tests/it/directions.rs` of the crate pushes a box under each.
    pub const ALL: &'static [Self] = &[
        Self {
            engines: &["ode-quick", "ode-world", "dart"],
            level: "mu acts along the world's y axis, mu2 along its x axis, however the bodies are turned",
            rule: PLANE_SPACE,
        },
        Self {
            engines: &["stiction", "bullet", "bullet-featherstone"],
            level: "mu along y, mu2 along x, as under ODE; if both are equal, friction opposes the slip in every direction",
            rule: PLANE_SPACE,
        },
        Self {
            engines: &["agx"],
            level: "mu acts along the world's x axis, mu2 along its y axis, however the bodies are turned",
            rule: "t1 = the world's x axis projected into the tangent plane, its y axis if |nx| > 0.9; t2 = n x t1",
        },
        Self {
            engines: &["drake-discrete", "drake-continuous", "simbody"],
            level: "none: friction opposes the slip in every direction; mu is the static coefficient, mu2 the dynamic one \
                    (unused by drake-discrete)",
            rule: "no directions",
        },
    ];

    /// A parameter whose meaning depends on the directions.
    pub(super) fn concern(key: &str) -> bool {
        let names = ["mu", "mu2", "fdir1", "slip1", "slip2"];
        key.strip_prefix("surface/friction/ode ").is_some_and(|name| names.contains(&name))
    }
}
