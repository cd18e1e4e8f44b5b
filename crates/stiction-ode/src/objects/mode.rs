//! How the iterative stepper of a world works.

use std::ffi::c_int;
use std::sync::OnceLock;

use super::world::WorldId;
use crate::report::{USER, message, require};

/// How the iterative stepper works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// ODE's own rows, order and random stream, from zero: its trajectories.
    Exact,
    /// The engine's sweeps.
    Fast,
}

impl Default for Mode {
    /// `STICTION_ODE_MODE=fast` in the environment chooses the fast mode for every new world; `exact` and nothing the exact one.
    /// Another word is reported once.
    fn default() -> Self {
        static MODE: OnceLock<Mode> = OnceLock::new();
        *MODE.get_or_init(|| match std::env::var("STICTION_ODE_MODE") {
            Ok(mode) if mode == "fast" => Self::Fast,
            Ok(mode) if !mode.is_empty() && mode != "exact" => {
                let text = format!("STICTION_ODE_MODE: found `{mode}`, expected `exact` or `fast`; worlds are exact");
                message(USER, &text);
                Self::Exact
            }
            _ => Self::Exact,
        })
    }
}

/// Chooses the iterative stepper of a world: 0 ODE's own, 1 the engine's.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldSetStictionMode(world: WorldId, mode: c_int) {
    require!(!world.is_null(), "bad world argument");
    require!((0..=1).contains(&mode), "mode must be 0 or 1");
    (*world).mode = if mode == 1 { Mode::Fast } else { Mode::Exact };
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldGetStictionMode(world: WorldId) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    c_int::from((*world).mode == Mode::Fast)
}
