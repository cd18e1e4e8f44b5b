//! Loading real worlds, and worlds of our own.

use std::path::PathBuf;

use stiction::joints::AxisParameters;
use stiction::math::{DVec3, Pose};
use stiction::world::{BodyId, JointId, WorldParameters};
use stiction_formats::FileRequest;
use stiction_formats::simulation::Simulation;
use stiction_run::Setup;

/// The engines that Gazebo's own tests are for.
pub const ENGINES: [&str; 4] = ["ode", "bullet", "simbody", "dart"];

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
        Self::under("ode", files, overrides, change)
    }

    /// The same under an engine.
    pub fn under(
        engine: &str,
        files: &[PathBuf],
        overrides: &[(&str, &str)],
        change: impl FnOnce(&mut WorldParameters),
    ) -> Self {
        Self::with(Setup::default().engine(engine), files, overrides, change)
    }

    /// The same with an engine and a compatibility mode.
    pub fn with(
        mut setup: Setup,
        files: &[PathBuf],
        overrides: &[(&str, &str)],
        change: impl FnOnce(&mut WorldParameters),
    ) -> Self {
        setup.files = files.iter().map(|path| FileRequest { path: path.clone(), name: None, pose: None }).collect();
        setup.model_path = shared().into_iter().map(|shared| shared.join("models")).collect();
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

    /// A world of Gazebo classic's own tests under an engine; `None`, said loudly, where it is absent.
    pub fn test_world(engine: &str, name: &str) -> Option<Self> {
        let file = shared()?.join("worlds/gazebo-classic/test_worlds").join(name);
        Some(Self::under(engine, &[file], &[], |_| {}))
    }

    /// A world of the text of an SDFormat file.
    pub fn text(engine: &str, text: &str) -> Self {
        Self::text_with(engine, text, &[])
    }

    /// The same with overrides.
    pub fn text_with(engine: &str, text: &str, overrides: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.world");
        std::fs::write(&path, text).unwrap();
        Self::under(engine, &[path], overrides, |_| {})
    }

    /// Steps until a time.
    pub fn until(&mut self, time: f64) {
        while self.simulation.world.time() < time - 0.5 * self.step {
            self.simulation.step(self.step);
        }
    }

    /// Takes a number of steps.
    pub fn steps(&mut self, count: usize) {
        (0..count).for_each(|_| drop(self.simulation.step(self.step)));
    }

    /// Velocity of the origin of a link \[m/s\].
    pub fn velocity(&self, link: &str) -> DVec3 {
        self.simulation.link_velocity(self.simulation.link(link).unwrap()).0
    }

    /// Angular velocity of a link \[rad/s\].
    pub fn omega(&self, link: &str) -> DVec3 {
        self.simulation.link_velocity(self.simulation.link(link).unwrap()).1
    }

    /// Position of a link \[m\].
    pub fn position(&self, link: &str) -> DVec3 {
        self.pose(link).position
    }

    /// Pose of a link.
    pub fn pose(&self, link: &str) -> Pose {
        self.simulation.link_pose(self.simulation.link(link).unwrap())
    }

    /// Body of a link.
    pub fn body(&self, link: &str) -> BodyId {
        self.simulation.link(link).unwrap().body.unwrap()
    }

    /// Links whose names hold a word.
    pub fn links(&self, word: &str) -> Vec<String> {
        self.simulation.links.iter().map(|l| l.name.clone()).filter(|n| n.contains(word)).collect()
    }

    /// A joint, and the axis of the engine for one of the file.
    fn axis(&self, joint: &str, axis: usize) -> (JointId, usize) {
        let joint = self.simulation.joint(joint).unwrap_or_else(|| panic!("{joint}"));
        (joint.id.unwrap(), joint.axes[axis])
    }

    /// Position and rate of an axis of a joint \[rad, rad/s\].
    pub fn joint(&self, joint: &str, axis: usize) -> (f64, f64) {
        let (id, axis) = self.axis(joint, axis);
        let joint = self.simulation.world.joint(id).unwrap();
        (joint.position(axis), joint.rate(axis))
    }

    /// Puts an effort on an axis of a joint for the next step \[N m\].
    pub fn push(&mut self, joint: &str, axis: usize, effort: f64) {
        let (id, axis) = self.axis(joint, axis);
        assert!(self.simulation.world.add_joint_force(id, axis, effort));
    }

    /// Parameters of an axis of a joint.
    pub fn parameters(&mut self, joint: &str, axis: usize) -> &mut AxisParameters {
        let (id, axis) = self.axis(joint, axis);
        self.simulation.world.joint_parameters_mut(id, axis).unwrap()
    }
}

/// Numbers with two digits, in words.
pub fn short(numbers: impl IntoIterator<Item = f64>) -> String {
    numbers.into_iter().map(|x| format!("{x:.1e}")).collect::<Vec<_>>().join(", ")
}
