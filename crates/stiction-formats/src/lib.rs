//! SDFormat worlds and models, URDF robots, and bodies and projects of Choreonoid, read into one description with every finding.
//!
//! [`load`] reads files into a [`WorldDescription`]; every fault carries the place in
//! the file. [`advice`] looks at a good description for what is legal and unwise. [`render`] and [`one_line`] show
//! findings to people and to programs.
//!
//! ```no_run
//! use stiction_formats::simulation::{simulate, world_parameters};
//! use stiction_formats::{FileRequest, LoadOptions, load, render};
//!
//! let file = FileRequest { path: "worlds/tower.world".into(), name: None, pose: None };
//! let loaded = load(&[file], &LoadOptions::default());
//! eprint!("{}", render(&loaded.diagnostics, &loaded.sources, false));
//! let description = loaded.world.ok_or("a finding stops the run")?;
//! let mut simulation = simulate(&description, world_parameters(&description))?;
//! simulation.world.step(1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advice;
mod bodies;
mod bounds;
mod bundled;
mod choreonoid;
pub mod commanded;
mod compliant_advice;
pub mod convert;
pub mod description;
pub mod devices;
pub mod diagnostic;
pub mod engine_blocks;
mod features;
pub mod fix;
pub mod in_force;
pub mod materials;
pub mod mesh;
pub mod plugins;
mod render;
mod sdf;
pub mod sensors;
pub mod simulation;
mod source;
mod suggest;
mod urdf;
pub mod usage;
pub mod wheel_slip;
pub mod wind;
mod yaml;

use std::collections::BTreeMap;
use std::path::PathBuf;

use stiction::math::Pose;

use description::{Origin, WorldDescription};
use diagnostic::{Diagnostic, Severity};
use materials::MaterialOptions;

pub use advice::{
    ADVICE_CODES, AdviceCode, Fixed as FixedBy, advice, advice_applies, left_out, movable_planes, no_effect,
    no_effect_of_plugins, no_reading, start_advice, unit_advice, visual_advice, weight_advice,
};
pub use bounds::elastic_without_radius;
pub use bundled::{BUNDLED_WORLDS, BundledWorld, bundled_text};
pub use compliant_advice::compliant_advice;
pub use features::missing_feature;
pub use render::{counted, four_digits, one_line, render, rounded};
pub use sdf::matches;
pub use source::Sources;
pub use suggest::nearest;

/// How files are read.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Folders that models are looked for in, after the world's own.
    pub model_path: Vec<PathBuf>,
    /// Packages of ROS by name, before those of the environment and around the file.
    pub packages: Vec<(String, PathBuf)>,
    /// Load what Gazebo classic loads, and report the faults as warnings.
    pub lenient: bool,
    /// Values that replace those of the files.
    pub overrides: Vec<Override>,
    /// Look into `GZ_SIM_RESOURCE_PATH`, `GAZEBO_MODEL_PATH`, `GAZEBO_RESOURCE_PATH`, `SDF_PATH`, `ROS_PACKAGE_PATH` and
    /// `AMENT_PREFIX_PATH` too, and run the program `xacro` on `PATH` for macro files.
    pub use_environment: bool,
    /// `NAME:=VALUE` for `xacro`.
    pub xacro_arguments: Vec<String>,
    /// Do not put a lone model on a ground plane.
    pub no_ground: bool,
    /// Positions of joints at the start \[m or rad\], by scoped name and axis, in place of those of the files. Joints that
    /// close loops, and types without a closed form of their motion, take none.
    pub initial_positions: BTreeMap<String, Vec<f64>>,
    /// Leave joints outside their limits, and followers away from their drivers, as the files have them.
    pub keep_starts: bool,
    /// Materials in place of those of files, for masses that follow from densities.
    pub materials: MaterialOptions,
}

/// `--set PATH=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// Dotted path below the world; `*` matches a name or a part of one.
    pub path: String,
    /// The text of the element.
    pub value: String,
}

/// `FILE[=NAME][@x,y,z[,roll,pitch,yaw]]`.
#[derive(Clone, Debug)]
pub struct FileRequest {
    /// The file.
    pub path: PathBuf,
    /// Name that its model gets.
    pub name: Option<String>,
    /// Pose that its model gets.
    pub pose: Option<Pose>,
}

/// A scalar that can be set by `--set`.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterPath {
    /// Dotted path below the world.
    pub path: String,
    /// Value in force, as text.
    pub value: String,
    /// Unit; empty for none.
    pub unit: &'static str,
    /// Where the value came from.
    pub origin: Origin,
    /// The element itself is in the file or was set: the value is no default of the format, and none of `<physics>` in its place.
    pub is_given: bool,
    /// Key of its parameter in the table of use ([`usage::find`]).
    pub key: String,
}

/// What a load gave.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The world, unless a finding stops a run.
    pub world: Option<WorldDescription>,
    /// Every finding, in the order in which they were made.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that were read.
    pub sources: Sources,
    /// Every scalar that can be set.
    pub parameter_paths: Vec<ParameterPath>,
}

impl Loaded {
    /// True if a finding stops a run.
    #[must_use]
    pub fn blocking(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error && d.blocks_run)
    }

    /// Number of errors, those that a run goes past included.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
    }
}

/// Reads files: the first is a world or a model, the others are models placed into it. A path without a file may name a
/// bundled world ([`BUNDLED_WORLDS`]).
#[must_use]
pub fn load(files: &[FileRequest], options: &LoadOptions) -> Loaded {
    sdf::load::load(files, options)
}
