//! Loading real worlds.

use std::path::PathBuf;

use stiction::world::WorldParameters;
use stiction_formats::FileRequest;
use stiction_formats::simulation::Simulation;
use stiction_run::Setup;

/// The folder of shared material beside the repository; `None`, said loudly, where it is absent.
pub fn shared() -> Option<PathBuf> {
    stiction_testing::shared("")
}

/// A world ready to be stepped.
pub struct Run {
    pub simulation: Simulation,
    pub step: f64,
}

impl Run {
    /// Loads files as `run --engine ode` does, with overrides and a change of the parameters.
    pub fn load(files: &[PathBuf], overrides: &[(&str, &str)], change: impl FnOnce(&mut WorldParameters)) -> Self {
        Self::with(Setup::default().engine("ode"), files, overrides, change)
    }

    /// The same with an engine and a compatibility mode.
    pub fn with(
        mut setup: Setup,
        files: &[PathBuf],
        overrides: &[(&str, &str)],
        change: impl FnOnce(&mut WorldParameters),
    ) -> Self {
        setup.files = files.iter().map(|path| FileRequest { path: path.clone(), name: None, pose: None }).collect();
        setup.model_path = vec![shared().unwrap().join("models")];
        let setup = overrides.iter().fold(setup, |setup, (path, value)| setup.set(*path, value));
        let run = setup.load().unwrap().start_with(|parameters| {
            parameters.residual_interval = 0;
            change(parameters);
        });
        let run = run.unwrap_or_else(|error| panic!("{files:?}: {error}"));
        Self { step: run.engine().step, simulation: run.into_simulation() }
    }

    /// A world of `worlds/` by its path there.
    pub fn world(name: &str) -> Self {
        Self::load(&[shared().unwrap().join("worlds").join(name)], &[], |_| {})
    }

    /// Steps until a time.
    pub fn until(&mut self, time: f64) {
        while self.simulation.world.time() < time - 0.5 * self.step {
            self.simulation.world.step(self.step);
        }
    }
}
