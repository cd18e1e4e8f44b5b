//! The command line.

mod examples;
mod words;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use stiction_formats::materials::Defaults;

use examples::{CHECK_EXAMPLES, COMPARE_EXAMPLES, EXPLAIN_EXAMPLES, RUN_EXAMPLES};

pub use words::words;

/// Rigid-body physics for robots and machines: simulate, compare, check and explain worlds.
#[derive(Parser)]
#[command(name = "stiction", version, propagate_version = true)]
pub struct Arguments {
    /// What to do; without it the first steps are printed.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Simulate a world or a model.
    #[command(after_long_help = RUN_EXAMPLES)]
    Run(Box<RunArguments>),
    /// Compare engines or sets of parameters on one world: a table, plots, a report.
    #[command(after_long_help = COMPARE_EXAMPLES)]
    Compare(Box<CompareArguments>),
    /// Validate files: one line per finding, exit code 1 if any is an error.
    #[command(after_long_help = CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// List links, joints and collisions, and the effective value and origin of every parameter.
    List(ListArguments),
    /// Say what the engine does with each parameter of a file, all about one parameter, or what to do about a symptom.
    #[command(after_long_help = EXPLAIN_EXAMPLES, override_usage = "stiction explain [OPTIONS] <FILE|PARAMETER|WORD>...")]
    Explain(ExplainArguments),
    /// Convert a world or robot to SDFormat 1.12, URDF or MJCF (MuJoCo), with a list of what is lost.
    Convert(ConvertArguments),
    /// List the bundled worlds; `run NAME` works in any folder.
    Worlds,
    /// Open the web page (not implemented yet).
    #[command(hide = true)]
    View(Rest),
    /// Vary parameters (not implemented yet).
    #[command(hide = true)]
    Sweep(Rest),
    /// Tune parameters (not implemented yet).
    #[command(hide = true)]
    Tune(Rest),
    /// Replay a recording (not implemented yet).
    #[command(hide = true)]
    Replay(Rest),
    /// Plot a recording (not implemented yet).
    #[command(hide = true)]
    Plot(Rest),
}

impl Command {
    /// The word of the command line.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Run(_) => "run",
            Self::Check(_) => "check",
            Self::List(_) => "list",
            Self::Worlds => "worlds",
            Self::View(_) => "view",
            Self::Compare(_) => "compare",
            Self::Sweep(_) => "sweep",
            Self::Tune(_) => "tune",
            Self::Replay(_) => "replay",
            Self::Convert(_) => "convert",
            Self::Explain(_) => "explain",
            Self::Plot(_) => "plot",
        }
    }
}

/// Anything after a command that is not implemented yet.
#[derive(Args)]
pub struct Rest {
    /// Not looked at.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub rest: Vec<String>,
}

/// How files are read.
#[derive(Args)]
pub struct ReadingArguments {
    /// Override a parameter by its path in the file; `*` matches any name. Repeatable.
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Folder to search for `model://`, after the world's own folder and before the bundled models. Repeatable.
    #[arg(long, value_name = "DIR")]
    pub model_path: Vec<PathBuf>,
    /// Folder of a package of ROS, for `package://NAME` and `$(find NAME)`. Repeatable.
    #[arg(long, value_name = "NAME=DIR")]
    pub package: Vec<String>,
    /// Argument of a xacro file, which is expanded by the program `xacro` on PATH. Repeatable.
    #[arg(long, value_name = "NAME=VALUE")]
    pub xacro_arg: Vec<String>,
    /// Accept everything that Gazebo classic accepts, and report other errors as warnings.
    #[arg(long)]
    pub lenient: bool,
}

/// Files and how they are read.
#[derive(Args)]
pub struct InputArguments {
    /// World, model or name of a bundled world; further files are models placed into it:
    /// FILE[=NAME][@x,y,z[,roll,pitch,yaw]].
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// How files are read.
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// Do not add a ground plane to a single model.
    #[arg(long)]
    pub no_ground: bool,
    /// Material table (YAML) of Choreonoid and AGX: contact parameters by pair of materials.
    #[arg(long, value_name = "FILE")]
    pub materials: Option<PathBuf>,
    /// Default viscosity for material tables that omit it: 1 (choreonoid, nothing bounces) or 0 (seed).
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    pub material_defaults: MaterialDefaults,
}

/// Defaults of keys that a material table omits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MaterialDefaults {
    /// The default in Choreonoid's code.
    #[default]
    Choreonoid,
    /// The default in the first edition of its manual.
    Seed,
}

impl From<MaterialDefaults> for Defaults {
    fn from(name: MaterialDefaults) -> Self {
        match name {
            MaterialDefaults::Choreonoid => Self::Choreonoid,
            MaterialDefaults::Seed => Self::Seed,
        }
    }
}

/// Whose behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Compat {
    /// Gazebo classic 11: limits on bounces, friction cones that use mu2, no soft_erp, the smallest max_contacts.
    GazeboClassic,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The engine, in place of what the files ask for.
#[derive(Args)]
pub struct EngineArguments {
    /// Engine: stiction, ode (with the file's solver type), ode-world, ode-quick, bullet, bullet-featherstone, dart, simbody,
    /// drake-discrete, drake-continuous or agx; default: the engine of the file.
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Step size [s], overrides the file's max_step_size; 0 selects continuous time under the drake-* engines.
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = words::step)]
    pub step_size: Option<f64>,
    /// Coordinates, maximal or reduced; default: the engine's choice.
    #[arg(long, value_name = "NAME")]
    pub coordinates: Option<String>,
    /// Reproduce another program where it deviates from its documentation (ode engines only).
    #[arg(long, value_name = "NAME", value_enum)]
    pub compat: Option<Compat>,
}

/// What is simulated, by which engine, and how long.
#[derive(Args)]
pub struct SimulationArguments {
    /// Simulated time [s]; default 5.
    #[arg(long, value_name = "S", conflicts_with = "steps", allow_hyphen_values = true, value_parser = words::seconds)]
    pub duration: Option<f64>,
    /// Number of steps, instead of --duration.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = words::steps)]
    pub steps: Option<u64>,
    /// By which engine.
    #[command(flatten)]
    pub engine: EngineArguments,
    /// Force [N] and torque [N m] on a link at its centre of mass, in the world frame:
    /// LINK=fx,fy,fz[,tx,ty,tz][@t0..t1]. Repeatable.
    #[arg(long, value_name = "LINK=F", allow_hyphen_values = true)]
    pub force: Vec<String>,
    /// Joint command: JOINT=VALUE, JOINT:KIND=VALUE or FILE.csv. KIND is effort (default), velocity or position; JOINT/1 is
    /// the second axis. Plugins take MODEL:twist=v,w (or six numbers), JOINT:thrust, JOINT:motor_speed, MODEL:winch,
    /// MODEL:wrench, MODEL:detach=TIME and MODEL:attach=TIME; LINK:mass changes a mass. A CSV file has a column `time` and one
    /// column per command, interpolated linearly. Gains of a position: --set model.M.joint.J.command.kp=VALUE and .kd.
    /// Repeatable.
    #[arg(long, value_name = "JOINT=VALUE", allow_hyphen_values = true)]
    pub command: Vec<String>,
    /// State to start from, as written by --final-state.
    #[arg(long, value_name = "FILE.json")]
    pub initial_state: Option<PathBuf>,
    /// Weld the root link of a single model to the world.
    #[arg(long)]
    pub fixed_base: bool,
    /// Number of threads; default 1. Results are bitwise identical for any number.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = words::threads)]
    pub threads: Option<u32>,
    /// Exit with code 3 if this was ever true: QUANTITY[:NAME]>NUMBER[UNIT] (or <, >=, <=), e.g. `penetration>1mm`,
    /// `height:cube::link<0.2`, `effort:arm::elbow>20`, `energy>1.01*start`, `made_energy>1%` (of the energy exchanged so
    /// far). Quantities as in --plot-of; without a name, any moving link or any joint. Repeatable.
    #[arg(long, value_name = "EXPR")]
    pub fail_if: Vec<String>,
}

/// How much is printed.
#[derive(Args)]
pub struct OutputArguments {
    /// Print errors only.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print notes as well.
    #[arg(short, long)]
    pub verbose: bool,
    /// Colours.
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,
}

/// Names in an MCAP file.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RecordNames {
    /// Short where one model alone is not static, else scoped.
    Auto,
    /// As everywhere else: `model::link`.
    Scoped,
    /// Without the robot's own name.
    Short,
}

/// Forms of a recording.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RecordForm {
    /// Tables as text.
    Csv,
    /// Columnar tables: Arrow IPC files (Feather); needs the feature `arrow`.
    Arrow,
    /// MCAP with CDR messages, as written by ROS 2.
    Mcap,
    /// MCAP with JSON messages.
    McapJson,
}

/// `stiction run`.
#[derive(Args)]
pub struct RunArguments {
    /// Files.
    #[command(flatten)]
    pub input: InputArguments,
    /// What is simulated.
    #[command(flatten)]
    pub simulation: SimulationArguments,
    /// Record into a folder of tables (links, joints, summary.json), or into a file of ROS 2 messages.
    #[arg(long, value_name = "DIR|FILE.mcap")]
    pub record: Option<PathBuf>,
    /// Sampling rate [Hz] of all topics but contacts, or by topic: links, joints, contacts, wires, sensors (0: not
    /// recorded); default: every step.
    #[arg(long, value_name = "HZ|TOPIC=HZ,…", allow_hyphen_values = true)]
    pub record_rate: Option<String>,
    /// Record contacts as well, at the rate of the other topics unless `--record-rate` has one for contacts.
    #[arg(long)]
    pub record_contacts: bool,
    /// Format of the recording; default: csv for a folder, mcap for a file.
    #[arg(long, value_name = "FORM")]
    pub record_format: Option<RecordForm>,
    /// Names of frames and joints in an MCAP file; default: short ones, as a URDF has them, where one model alone is not static.
    #[arg(long, value_name = "NAMES")]
    pub record_names: Option<RecordNames>,
    /// Write a plot to a file, .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Quantities to plot: QUANTITY[:NAME],… with height, speed, position, orientation, path, angle, rate, effort,
    /// penetration, energy, made_energy, contacts, force, residual, tension, joint_gap, slip (of a link, or of two
    /// links as slip:A+B) or wheel_slip (of a joint).
    #[arg(long, value_name = "LIST")]
    pub plot_of: Option<String>,
    /// Run at the pace of the file's real_time_update_rate and real_time_factor.
    #[arg(long)]
    pub real_time: bool,
    /// Write the final state.
    #[arg(long, value_name = "FILE.json")]
    pub final_state: Option<PathBuf>,
    /// Print the summary as one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
    /// How much is printed.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `stiction convert`.
#[derive(Args)]
pub struct ConvertArguments {
    /// World or model to read, in any supported format.
    #[arg(value_name = "IN")]
    pub input_file: PathBuf,
    /// File to write: .sdf or .world, .urdf, or .xml (MJCF); meshes are written to the folder `meshes` next to it.
    #[arg(value_name = "OUT")]
    pub output_file: PathBuf,
    /// SDFormat: resolve includes into the file itself (always done with `--set`).
    #[arg(long)]
    pub flatten: bool,
    /// How files are read.
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// How much is printed.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `stiction compare`.
#[derive(Args)]
pub struct CompareArguments {
    /// Files.
    #[command(flatten)]
    pub input: InputArguments,
    /// Cases to compare, separated by commas: engines, names of `--case`, or `file` for the engine of the file. Default: the
    /// cases of `--case`, or else all engines.
    #[arg(long, visible_alias = "with", value_name = "NAME,…", value_delimiter = ',')]
    pub engines: Vec<String>,
    /// Define a case: NAME=PATH=VALUE,… with parameters as in `--set`, and engine=, step-size=, coordinates= or materials=.
    /// Repeatable.
    #[arg(long, value_name = "NAME=LIST")]
    pub case: Vec<String>,
    /// Reference case that the others are compared with; default: the first.
    #[arg(long, value_name = "NAME")]
    pub reference: Option<String>,
    /// What is simulated.
    #[command(flatten)]
    pub simulation: SimulationArguments,
    /// Write a plot to a file, .svg or .png: one chart per quantity, one line per case.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Quantities to plot: `difference` (of paths), or QUANTITY[:NAME] as in `run`. Quantities of links without a name are
    /// those of the link that differs most.
    #[arg(long, value_name = "LIST")]
    pub plot_of: Option<String>,
    /// Stop a case after this computing time [s]; it is reported up to the simulated time that it reached.
    #[arg(long, value_name = "S", default_value = "60", allow_hyphen_values = true, value_parser = words::limit)]
    pub time_limit: f64,
    /// Write a report as a single HTML page that works offline.
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Print all results as one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
    /// How much is printed.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `stiction check`.
#[derive(Args)]
pub struct CheckArguments {
    /// Files.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Engine to give advice for, as in `run`.
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Step size [s], overrides the file's max_step_size.
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = words::step)]
    pub step_size: Option<f64>,
    /// How files are read.
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// Material table (YAML), as in `run`.
    #[arg(long, value_name = "FILE")]
    pub materials: Option<PathBuf>,
    /// Default viscosity for material tables that omit it, as in `run`.
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    pub material_defaults: MaterialDefaults,
    /// Omit warnings and notes with this code; `all` omits all advice. Repeatable.
    #[arg(long, value_name = "CODE")]
    pub allow: Vec<String>,
    /// Apply the safe fixes to the files in place (docs/advice.md): SDFormat files given here, and those next to or
    /// below them that they include.
    #[arg(long, conflicts_with_all = ["set", "step_size", "lenient"])]
    pub fix: bool,
    /// Print findings as JSON on stdout.
    #[arg(long)]
    pub json: bool,
    /// Format of the findings: sarif.
    #[arg(long, value_name = "NAME", conflicts_with = "json")]
    pub format: Option<String>,
    /// Colours.
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,
}

/// `stiction list`.
#[derive(Args)]
pub struct ListArguments {
    /// Files.
    #[command(flatten)]
    pub input: InputArguments,
    /// By which engine.
    #[command(flatten)]
    pub engine: EngineArguments,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `stiction explain`.
#[derive(Args)]
pub struct ExplainArguments {
    /// Files; or a parameter by its path or the last parts of it; or words for what looks wrong, with or without files.
    #[command(flatten)]
    pub input: InputArguments,
    /// By which engine.
    #[command(flatten)]
    pub engine: EngineArguments,
    /// Explain one contact in the terms of every engine: the scoped names of two collisions or links, separated by a comma.
    #[arg(long, value_name = "A,B", conflicts_with = "all")]
    pub pair: Option<String>,
    /// Include parameters that are left at their defaults.
    #[arg(long)]
    pub all: bool,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
}
