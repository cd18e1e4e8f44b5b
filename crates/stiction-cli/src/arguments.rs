//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use stiction_formats::materials::Defaults;

/// Rigid-body physics for robots and machines: run, check and list worlds.
#[derive(Parser)]
#[command(
    name = "stiction",
    version,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Simulate a world or a model.
    #[command(after_long_help = RUN_EXAMPLES)]
    Run(Box<RunArguments>),
    /// Validate files: one line a finding, exit 1 if any is an error.
    #[command(after_long_help = CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// Print links, joints and collisions of a file, and every parameter in force with its origin.
    List(ListArguments),
    /// Print the bundled worlds; `run NAME` works in any folder.
    Worlds,
    /// Open the web page (not implemented yet).
    #[command(hide = true)]
    View(Rest),
    /// Run engines or parameter sets side by side (not implemented yet).
    #[command(hide = true)]
    Compare(Rest),
    /// Vary parameters (not implemented yet).
    #[command(hide = true)]
    Sweep(Rest),
    /// Tune parameters (not implemented yet).
    #[command(hide = true)]
    Tune(Rest),
    /// Replay a recording (not implemented yet).
    #[command(hide = true)]
    Replay(Rest),
    /// Convert between formats (not implemented yet).
    #[command(hide = true)]
    Convert(Rest),
    /// Say what the engine does with each parameter (not implemented yet).
    #[command(hide = true)]
    Explain(Rest),
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

/// Files and how they are read.
#[derive(Args)]
pub struct InputArguments {
    /// World or model first, a bundled world by its name; then models placed into it: FILE[=NAME][@x,y,z[,roll,pitch,yaw]].
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Override any parameter by its place in the file; `*` matches a name.
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Where `model://` looks, after the world's own folder and before the bundled models.
    #[arg(long, value_name = "DIR")]
    pub model_path: Vec<PathBuf>,
    /// Load what Gazebo classic loads, and report the rest as warnings.
    #[arg(long)]
    pub lenient: bool,
    /// Do not put a lone model on a ground plane.
    #[arg(long)]
    pub no_ground: bool,
    /// Material table (YAML) of Choreonoid and AGX: contact laws by pair of materials.
    #[arg(long, value_name = "FILE")]
    pub materials: Option<PathBuf>,
    /// What stands for a viscosity that a table leaves out: 1 (choreonoid, nothing bounces) or 0 (seed).
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    pub material_defaults: MaterialDefaults,
}

/// What stands for keys that a material table leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MaterialDefaults {
    /// Those of Choreonoid's code.
    #[default]
    Choreonoid,
    /// Those that its manual printed first.
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

/// `stiction run`.
#[derive(Args)]
pub struct RunArguments {
    /// Files.
    #[command(flatten)]
    pub input: InputArguments,
    /// How long [s]; default 5.
    #[arg(long, value_name = "S", conflicts_with = "steps")]
    pub duration: Option<f64>,
    /// How many steps.
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Engine: ode (the file's solver type), ode-world, ode-quick, drake-discrete, drake-continuous, agx; default: what the
    /// file asks for.
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Step [s] in place of the file's max_step_size; 0 with the engines drake-* is continuous time.
    #[arg(long, value_name = "S")]
    pub step_size: Option<f64>,
    /// Force and torque on a link, world frame, at its centre of mass: LINK=fx,fy,fz[,tx,ty,tz][@t0..t1].
    #[arg(long, value_name = "LINK=F", allow_hyphen_values = true)]
    pub force: Vec<String>,
    /// Joint input: JOINT=VALUE, JOINT:KIND=VALUE or FILE.csv; KIND is effort (the default), velocity or position, another
    /// axis than the first is JOINT/1. A CSV has `time` and one column a joint, values between rows are interpolated.
    #[arg(long, value_name = "JOINT=VALUE", allow_hyphen_values = true)]
    pub command: Vec<String>,
    /// Record into a folder: links.csv, contacts.csv, joints.csv, summary.json.
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    /// Rows per second of the recording [Hz]; default every step.
    #[arg(long, value_name = "HZ")]
    pub record_rate: Option<f64>,
    /// Plot into a file, .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// What to plot: QUANTITY[:NAME],… of height, speed, position, orientation, path, angle, rate, effort,
    /// penetration, energy, made_energy, contacts, force, residual, tension.
    #[arg(long, value_name = "LIST", requires = "plot")]
    pub plot_of: Option<String>,
    /// Pace by real_time_update_rate.
    #[arg(long)]
    pub real_time: bool,
    /// Threads that share the work of a step; default 1. Results are the same bits for every number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Write the last state.
    #[arg(long, value_name = "FILE.json")]
    pub final_state: Option<PathBuf>,
    /// Apply a state before the first step.
    #[arg(long, value_name = "FILE.json")]
    pub initial_state: Option<PathBuf>,
    /// Weld the root link of a lone model to the world.
    #[arg(long)]
    pub fixed_base: bool,
    /// Gazebo classic's behaviour where it differs (not implemented yet).
    #[arg(long, value_name = "NAME", hide = true)]
    pub compat: Option<String>,
    /// Coordinates in place of the engine's own: maximal or reduced.
    #[arg(long, value_name = "NAME")]
    pub coordinates: Option<String>,
    /// Exit 3 when this was ever true, e.g. `penetration>1mm`, `energy>1.01*start`, `made_energy>1%` (of the energy in play).
    #[arg(long, value_name = "EXPR")]
    pub fail_if: Vec<String>,
    /// Only errors.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// More words.
    #[arg(short, long)]
    pub verbose: bool,
    /// Colours.
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,
    /// The summary as one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// `stiction check`.
#[derive(Args)]
pub struct CheckArguments {
    /// Files.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Engine whose advice is wanted, as in `run`.
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Step [s] in place of the file's max_step_size.
    #[arg(long, value_name = "S")]
    pub step_size: Option<f64>,
    /// Override any parameter, as in `run`.
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Where `model://` looks.
    #[arg(long, value_name = "DIR")]
    pub model_path: Vec<PathBuf>,
    /// Read as Gazebo classic does.
    #[arg(long)]
    pub lenient: bool,
    /// Material table (YAML), as in `run`.
    #[arg(long, value_name = "FILE")]
    pub materials: Option<PathBuf>,
    /// What stands for a viscosity that a table leaves out, as in `run`.
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    pub material_defaults: MaterialDefaults,
    /// Findings as JSON on stdout.
    #[arg(long)]
    pub json: bool,
    /// Another format of the findings: sarif.
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
    /// Engine whose parameters are wanted, as in `run`.
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Step [s] in place of the file's max_step_size, as in `run`.
    #[arg(long, value_name = "S")]
    pub step_size: Option<f64>,
    /// Coordinates in place of the engine's own, as in `run`.
    #[arg(long, value_name = "NAME")]
    pub coordinates: Option<String>,
    /// As JSON.
    #[arg(long)]
    pub json: bool,
}

const RUN_EXAMPLES: &str = "Examples:
  stiction run friction_pyramid --record out --plot out.svg --plot-of path,speed
  stiction run robot.sdf --duration 2 --json
  stiction run world.sdf crate.sdf=box1@0,0,1 --set 'model.box1.link.*.collision.*.surface.friction.ode.mu=0.2'
  stiction run robot.urdf --fixed-base --command arm::elbow:position=0.5 --command inputs.csv
  stiction run robot.urdf --fixed-base --command 'elbow:position=0.5' --coordinates reduced
  stiction run world.sdf --engine drake-discrete --set contact.stiction_tolerance=1e-4
  stiction run robot.body --materials materials.yaml --set material.rubber.roughness=1.2
  stiction run world.sdf --force 'box::link=0,0,100@0.5..0.6' --final-state end.json";

const CHECK_EXAMPLES: &str = "Examples:
  stiction check world.sdf
  stiction check world.sdf --engine drake-continuous --set integrator.error_control=off
  stiction check models/*/model.sdf --format sarif > findings.sarif";
