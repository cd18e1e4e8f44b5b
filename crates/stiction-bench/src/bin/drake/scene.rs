//! What a comparison is made of: one scene as the texts that both engines read, and how it is run.

/// Time that both engines step by, and the largest step of continuous time \[s\].
pub(crate) const STEP: f64 = 1e-3;

/// Step error in continuous time.
pub(crate) const ACCURACY: f64 = 1e-6;

/// Speed below which friction sticks \[m/s\].
pub(crate) const STICTION_TOLERANCE: f64 = 1e-3;

/// How a scene is stepped, by us and by the peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// `drake-discrete` beside Drake's discrete plant with TAMSI.
    DrakeDiscrete,
    /// `drake-continuous` beside Drake's continuous plant, both with runge_kutta3.
    DrakeContinuous,
    /// `ode-quick` in reduced coordinates beside MuJoCo.
    Sweeps,
    /// `ode-world` in reduced coordinates beside MuJoCo.
    Direct,
}

impl Mode {
    /// Name in the table.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::DrakeDiscrete => "discrete",
            Self::DrakeContinuous => "continuous",
            Self::Sweeps => "sweeps",
            Self::Direct => "direct",
        }
    }

    /// The peer is Drake; else MuJoCo.
    pub(crate) const fn is_drake(self) -> bool {
        matches!(self, Self::DrakeDiscrete | Self::DrakeContinuous)
    }
}

/// A scene.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// Name.
    pub(crate) name: &'static str,
    /// The world as SDFormat: ours, and Drake's very file.
    pub(crate) sdf: String,
    /// The world as MJCF, from the same numbers.
    pub(crate) mjcf: Option<String>,
    /// Links whose poses are compared.
    pub(crate) links: Vec<String>,
    /// Velocities at the start, linear and angular, by link \[m/s, rad/s\].
    pub(crate) velocities: Vec<(String, [f64; 6])>,
    /// Points at which two links hang together, in the frame of each: where a joint may gape \[m\].
    pub(crate) hinges: Vec<([usize; 2], [[f64; 3]; 2])>,
    /// How it is run, and for how long \[s\].
    pub(crate) runs: Vec<(Mode, f64)>,
}
