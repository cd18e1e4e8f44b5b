//! Loading real worlds.

use std::path::PathBuf;

use stiction::world::WorldParameters;
use stiction_formats::simulation::{Simulation, simulate, world_parameters};
use stiction_formats::{FileRequest, LoadOptions, Override, load, one_line};

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
    /// Loads files as `run` does, with overrides and a change of the parameters.
    pub fn load(files: &[PathBuf], overrides: &[(&str, &str)], change: impl FnOnce(&mut WorldParameters)) -> Self {
        let shared = shared().unwrap();
        let requests: Vec<_> =
            files.iter().map(|path| FileRequest { path: path.clone(), name: None, pose: None }).collect();
        let overrides = overrides.iter().map(|(p, v)| Override { path: (*p).into(), value: (*v).into() }).collect();
        let options = LoadOptions { model_path: vec![shared.join("models")], overrides, ..LoadOptions::default() };
        let loaded = load(&requests, &options);
        assert!(!loaded.blocking(), "{:?}: {:?}", files, loaded.diagnostics.iter().map(one_line).collect::<Vec<_>>());
        let world = loaded.world.unwrap();
        let mut parameters = world_parameters(&world);
        parameters.residual_interval = 0;
        change(&mut parameters);
        Self { simulation: simulate(&world, parameters).unwrap(), step: world.physics.max_step_size.value }
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
