//! Ways to run a world: presets, coordinates, sweeps alone.

use stiction::math::DVec3;
use stiction::world::{Coordinates, HybridRule, Preset, WorldParameters};

/// How a world is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Engine.
    pub preset: Preset,
    /// Reduced coordinates, where the preset's are maximal.
    pub is_reduced: bool,
    /// Sweeps alone.
    pub is_bare: bool,
}

impl Setting {
    /// Every preset, each in both coordinates, and bare sweeps.
    pub const ALL: [Self; 15] = [
        Self { preset: Preset::Stiction, is_reduced: false, is_bare: false },
        Self { preset: Preset::Ode, is_reduced: false, is_bare: false },
        Self { preset: Preset::OdeQuick, is_reduced: false, is_bare: false },
        Self { preset: Preset::OdeQuick, is_reduced: false, is_bare: true },
        Self { preset: Preset::OdeWorld, is_reduced: false, is_bare: false },
        Self { preset: Preset::Ode, is_reduced: true, is_bare: false },
        Self { preset: Preset::OdeQuick, is_reduced: true, is_bare: false },
        Self { preset: Preset::OdeWorld, is_reduced: true, is_bare: false },
        Self { preset: Preset::DrakeDiscrete, is_reduced: false, is_bare: false },
        Self { preset: Preset::DrakeContinuous, is_reduced: false, is_bare: false },
        Self { preset: Preset::Agx, is_reduced: false, is_bare: false },
        Self { preset: Preset::Bullet, is_reduced: false, is_bare: false },
        Self { preset: Preset::BulletFeatherstone, is_reduced: false, is_bare: false },
        Self { preset: Preset::Dart, is_reduced: false, is_bare: false },
        Self { preset: Preset::Simbody, is_reduced: false, is_bare: false },
    ];

    /// Name in reports and for `--setting`: `ode`, `ode-quick-bare`, `ode-reduced` …
    #[must_use]
    pub fn name(&self) -> String {
        let reduced = if self.is_reduced { "-reduced" } else { "" };
        let bare = if self.is_bare { "-bare" } else { "" };
        format!("{}{reduced}{bare}", self.preset.name())
    }

    /// Contacts are hard: rows that hold, not forces of a law or springs whose friction is swept.
    #[must_use]
    pub fn is_hard(&self) -> bool {
        !(self.preset.is_drake() || matches!(self.preset, Preset::Agx | Preset::Simbody))
    }

    /// Contacts hold in each of several parts of a step: a report has the sum of their forces, which no velocity at the end of the step
    /// belongs to.
    #[must_use]
    pub fn is_in_substeps(&self) -> bool {
        self.preset == Preset::Stiction
    }

    /// Friction is what a number of sweeps leaves of it, beside normals that are solved again (AGX's split).
    #[must_use]
    pub fn is_swept(&self) -> bool {
        self.preset == Preset::Agx
    }

    /// Time advances by an integrator.
    #[must_use]
    pub fn is_continuous(&self) -> bool {
        matches!(self.preset, Preset::DrakeContinuous | Preset::Simbody)
    }

    /// Steps that cost as much as `steps` of the others: an integrator makes many small ones.
    #[must_use]
    pub fn affordable(&self, steps: usize) -> usize {
        if self.is_continuous() { steps.div_ceil(10) } else { steps }
    }

    /// Parameters of a world of this setting.
    #[must_use]
    pub fn parameters(&self, gravity: DVec3) -> WorldParameters {
        let mut parameters = WorldParameters { gravity, ..WorldParameters::default() };
        self.preset.apply(&mut parameters);
        if self.is_reduced {
            parameters.coordinates = Coordinates::Reduced;
        }
        if self.is_bare {
            parameters.hybrid = HybridRule::Off;
        }
        if self.is_continuous() {
            parameters.integrator.max_trials = 300;
        }
        parameters
    }
}
