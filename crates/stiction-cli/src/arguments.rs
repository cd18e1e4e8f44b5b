//! The command line.

mod examples;
mod words;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use stiction_formats::materials::Defaults;

use examples::{CHECK_EXAMPLES, COMPARE_EXAMPLES, EXPLAIN_EXAMPLES, RUN_EXAMPLES};

pub use words::words;

/// Rigid-body physics for robots and machines: run, compare, check and list worlds.
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
    /// Run engines or sets of parameters side by side: one table, plots, a report.
    #[command(after_long_help = COMPARE_EXAMPLES)]
    Compare(Box<CompareArguments>),
    /// Validate files: one line a finding, exit 1 if any is an error.
    #[command(after_long_help = CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// Print links, joints and collisions of a file, and every parameter in force with its origin.
    List(ListArguments),
    /// Say what the engine does with each parameter of a file, all about one parameter, or what to do about a symptom.
    #[command(after_long_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArguments),
    /// Write a world or a robot as SDFormat 1.12, URDF or MJCF (MuJoCo), and list what is lost.
    Convert(ConvertArguments),
    /// Print the bundled worlds; `run NAME` works in any folder.
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
    /// Override any parameter by its place in the file; `*` matches a name.
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Where `model://` looks, after the world's own folder and before the bundled models.
    #[arg(long, value_name = "DIR")]
    pub model_path: Vec<PathBuf>,
    /// Argument of a macro file (xacro), which the program `xacro` on PATH expands. Repeatable.
    #[arg(long, value_name = "NAME=VALUE")]
    pub xacro_arg: Vec<String>,
    /// Load what Gazebo classic loads, and report the rest as warnings.
    #[arg(long)]
    pub lenient: bool,
}

/// Files and how they are read.
#[derive(Args)]
pub struct InputArguments {
    /// World or model first, a bundled world by its name; then models placed into it: FILE[=NAME][@x,y,z[,roll,pitch,yaw]].
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// How files are read.
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// Do not put a lone model on a ground plane.
    #[arg(long)]
    pub no_ground: bool,
    /// Material table (YAML) of Choreonoid and AGX: contact laws by pair of materials.
    #[arg(long, value_name = "FILE")]
    pub materials: Option<PathBuf>,
    /// Default viscosity for material tables that omit it: 1 (choreonoid, nothing bounces) or 0 (seed).
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    pub material_defaults: MaterialDefaults,
}

/// Defaults of keys that a material table omits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MaterialDefaults {
    /// Those of Choreonoid's code.
    #[default]
    Choreonoid,
    /// Those of the first edition of its manual.
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
    /// Gazebo classic 11: bounds on bounces, cones with mu2, no soft_erp, the least of all max_contacts.
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
    /// Engine: ode (the file's solver type), ode-world, ode-quick, bullet, bullet-featherstone, dart, simbody, drake-discrete,
    /// drake-continuous, agx; default: what the file asks for.
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Step [s] in place of the file's max_step_size; 0 with the engines drake-* is continuous time.
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = words::step)]
    pub step_size: Option<f64>,
    /// Coordinates in place of the engine's own: maximal or reduced.
    #[arg(long, value_name = "NAME")]
    pub coordinates: Option<String>,
    /// Another program's behaviour where it differs from its documents; of ODE's engines.
    #[arg(long, value_name = "NAME", value_enum)]
    pub compat: Option<Compat>,
}

/// What is simulated, by which engine, and how long.
#[derive(Args)]
pub struct SimulationArguments {
    /// How long [s]; default 5.
    #[arg(long, value_name = "S", conflicts_with = "steps", allow_hyphen_values = true, value_parser = words::seconds)]
    pub duration: Option<f64>,
    /// How many steps.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = words::steps)]
    pub steps: Option<u64>,
    /// By which engine.
    #[command(flatten)]
    pub engine: EngineArguments,
    /// Force and torque on a link, world frame, at its centre of mass: LINK=fx,fy,fz[,tx,ty,tz][@t0..t1].
    #[arg(long, value_name = "LINK=F", allow_hyphen_values = true)]
    pub force: Vec<String>,
    /// Joint input: JOINT=VALUE, JOINT:KIND=VALUE or FILE.csv; KIND is effort (the default), velocity or position, another
    /// axis than the first is JOINT/1. Plugins take MODEL:twist=v,w (or six numbers), JOINT:thrust, JOINT:motor_speed,
    /// MODEL:winch, MODEL:wrench and MODEL:detach=TIME. A CSV has `time` and one column a command, values between rows are
    /// interpolated.
    #[arg(long, value_name = "JOINT=VALUE", allow_hyphen_values = true)]
    pub command: Vec<String>,
    /// Apply a state before the first step.
    #[arg(long, value_name = "FILE.json")]
    pub initial_state: Option<PathBuf>,
    /// Weld the root link of a lone model to the world.
    #[arg(long)]
    pub fixed_base: bool,
    /// Threads that share the work of a step; default 1. Results are the same bits for every number.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = words::threads)]
    pub threads: Option<u32>,
    /// Exit 3 when this was ever true: QUANTITY[:NAME]>NUMBER[UNIT] (or <, >=, <=), e.g. `penetration>1mm`,
    /// `height:cube::link<0.2`, `effort:arm::elbow>20`, `energy>1.01*start`, `made_energy>1%` (of the energy exchanged during
    /// the run). Quantities are those of --plot-of; without a name the condition holds for any link that moves, or any joint.
    #[arg(long, value_name = "EXPR")]
    pub fail_if: Vec<String>,
}

/// How much is printed.
#[derive(Args)]
pub struct OutputArguments {
    /// Only errors.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print notes as well.
    #[arg(short, long)]
    pub verbose: bool,
    /// Colours.
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,
}

/// Forms of a recording.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RecordForm {
    /// Tables as text.
    Csv,
    /// Tables by columns: Arrow IPC files (Feather).
    Arrow,
    /// MCAP with messages in CDR, as ROS 2 writes them.
    Mcap,
    /// MCAP with messages in JSON.
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
    /// Record into a folder of tables (links, joints, summary.json; contacts with --record-contacts), or into a file of ROS 2
    /// messages.
    #[arg(long, value_name = "DIR|FILE.mcap")]
    pub record: Option<PathBuf>,
    /// Samples per second of the recording [Hz]: of all topics but contacts, or of links, joints, contacts, wires, sensors
    /// (0: none); default every step.
    #[arg(long, value_name = "HZ|TOPIC=HZ,…", allow_hyphen_values = true)]
    pub record_rate: Option<String>,
    /// Record contacts too: at the rate of `--record-rate contacts=HZ`, else at the rate of all topics.
    #[arg(long)]
    pub record_contacts: bool,
    /// Form of the recording; default csv for a folder and mcap, with messages in CDR, for a file.
    #[arg(long, value_name = "FORM")]
    pub record_format: Option<RecordForm>,
    /// Plot into a file, .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// What to plot: QUANTITY[:NAME],… of height, speed, position, orientation, path, angle, rate, effort,
    /// penetration, energy, made_energy, contacts, force, residual, tension, joint_gap, slip (of a link, or of two as
    /// slip:A+B), wheel_slip (of a joint).
    #[arg(long, value_name = "LIST")]
    pub plot_of: Option<String>,
    /// Pace by real_time_update_rate and real_time_factor of the file; the summary has the factor that was reached.
    #[arg(long)]
    pub real_time: bool,
    /// Write the last state.
    #[arg(long, value_name = "FILE.json")]
    pub final_state: Option<PathBuf>,
    /// The summary as one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
    /// How much is printed.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `stiction convert`.
#[derive(Args)]
pub struct ConvertArguments {
    /// World or model to read, of any format.
    #[arg(value_name = "IN")]
    pub input_file: PathBuf,
    /// File to write: .sdf or .world, .urdf, or .xml (MJCF); meshes go into the folder `meshes` beside it.
    #[arg(value_name = "OUT")]
    pub output_file: PathBuf,
    /// SDFormat: put what is included into the file itself; with `--set` this is always done.
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
    /// What to compare, by commas: engines, cases of `--case`, or `file` for what the files ask for. Default: the cases of
    /// `--case`, or without them all engines.
    #[arg(long, visible_alias = "with", value_name = "NAME,…", value_delimiter = ',')]
    pub engines: Vec<String>,
    /// A case with values of its own: NAME=PATH=VALUE,… with parameters as in `--set`, and engine=, step-size=,
    /// coordinates= or materials=. Repeatable.
    #[arg(long, value_name = "NAME=LIST")]
    pub case: Vec<String>,
    /// The case that the others are compared with; default: the first.
    #[arg(long, value_name = "NAME")]
    pub reference: Option<String>,
    /// What is simulated.
    #[command(flatten)]
    pub simulation: SimulationArguments,
    /// Plot into a file, .svg or .png: a chart a quantity, a line a case.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// What to plot: `difference` (of paths), or QUANTITY[:NAME] as in `run`; height, speed, position, orientation and path
    /// without a name are those of the link that differs most.
    #[arg(long, value_name = "LIST")]
    pub plot_of: Option<String>,
    /// Stop a case after so much time of computing on the clock [s]; it is reported up to the time that it reached.
    #[arg(long, value_name = "S", default_value = "60", allow_hyphen_values = true, value_parser = words::limit)]
    pub time_limit: f64,
    /// Write a report: one page that needs no network.
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// All figures as one JSON object on stdout.
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
    /// Engine whose advice is wanted, as in `run`.
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Step [s] in place of the file's max_step_size.
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
    /// Leave out warnings and notes with this code; `all` leaves out all advice. Repeatable.
    #[arg(long, value_name = "CODE")]
    pub allow: Vec<String>,
    /// Write proposals into the files, in place, where no judgement is needed (docs/advice.md); only files of SDFormat
    /// that are named here or lie beside or below them. Nothing else of a file changes.
    #[arg(long, conflicts_with_all = ["set", "step_size", "lenient"])]
    pub fix: bool,
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
    /// By which engine.
    #[command(flatten)]
    pub engine: EngineArguments,
    /// As JSON.
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
    /// One contact in every language: the scoped names of two collisions or links, with a comma between them.
    #[arg(long, value_name = "A,B", conflicts_with = "all")]
    pub pair: Option<String>,
    /// Parameters that no file and no option gives too.
    #[arg(long)]
    pub all: bool,
    /// As JSON.
    #[arg(long)]
    pub json: bool,
}
