//! What to run, and the files of it once they are read.

mod suggest;

use std::path::{Path, PathBuf};

use stiction::math::{DVec3, Pose};
use stiction::parameter::{self, Scope};
use stiction::world::{Coordinates, WorldParameters};
use stiction_formats::description::WorldDescription;
use stiction_formats::diagnostic::{Diagnostic, Severity};
use stiction_formats::in_force::{self, MaterialsInForce};
use stiction_formats::materials::{Defaults, MaterialOptions, MaterialTable};
use stiction_formats::simulation::{Simulation, names_materials, simulate};
use stiction_formats::{FileRequest, LoadOptions, Loaded, Override, nearest, visual_advice};

use crate::commands::{CommandRequest, GainRequest};
use crate::condition::Condition;
use crate::engine::{self, Engine};
use crate::error::{Request, RunError, unreadable};
use crate::forces::ForceRequest;
use crate::refusal;
use crate::run::Run;
use crate::state::StateFile;
use crate::values::{self, ParameterValue};

/// What to run. Everything but the files has a default.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Setup {
    /// A world or a lone model, then models that are placed into it.
    pub files: Vec<FileRequest>,
    /// Values that replace those of the files, or of the engine's own parameters (`contact.`, `integrator.`, `solver.` and
    /// more: `docs/parameters.md`).
    pub settings: Vec<Override>,
    /// Where `model://` looks, after the world's own folder and before the bundled models.
    pub model_path: Vec<PathBuf>,
    /// Packages of ROS by name, before those of the environment and around the file ([`Setup::parse_package`]).
    pub packages: Vec<(String, PathBuf)>,
    /// Look into `GZ_SIM_RESOURCE_PATH`, `GAZEBO_MODEL_PATH`, `SDF_PATH`, `ROS_PACKAGE_PATH` and `AMENT_PREFIX_PATH` too, and run
    /// the program `xacro` on `PATH` for macro files.
    pub use_environment: bool,
    /// Arguments of macro files, `NAME:=VALUE` ([`Setup::parse_xacro_argument`]).
    pub xacro_arguments: Vec<String>,
    /// Load what Gazebo classic loads, and report the rest as warnings.
    pub lenient: bool,
    /// Do not put a lone model on a ground plane.
    pub no_ground: bool,
    /// Name of an engine in place of what the file asks for.
    pub engine: Option<String>,
    /// Gazebo classic where it differs from its documents; of ODE's engines.
    pub gazebo_classic: bool,
    /// Coordinates in place of the engine's own.
    pub coordinates: Option<Coordinates>,
    /// Step \[s\] in place of the file's; 0 with the engines of Drake is continuous time.
    pub step_size: Option<f64>,
    /// A material table of Choreonoid and AGX: contacts of all shapes have the laws of their materials, `Default` where a
    /// shape names none.
    pub materials: Option<PathBuf>,
    /// What stands for keys that material tables leave out.
    pub material_defaults: Defaults,
    /// Threads that share the work of a step; the bits do not depend on it.
    pub threads: Option<u32>,
    /// Weld the root link of the first model that moves to the world.
    pub fixed_base: bool,
    /// Forces on links.
    pub forces: Vec<ForceRequest>,
    /// Commands of joints.
    pub commands: Vec<CommandRequest>,
    /// Conditions that must never be true.
    pub conditions: Vec<Condition>,
    /// State to begin from.
    pub initial_state: Option<StateFile>,
}

impl Setup {
    /// A world or model file, or a bundled world by its name, as it stands.
    #[must_use]
    pub fn new(file: impl AsRef<Path>) -> Self {
        let file = FileRequest { path: file.as_ref().to_owned(), name: None, pose: None };
        Self { files: vec![file], ..Self::default() }
    }

    /// The same under another engine: `ode`, `ode-world`, `ode-quick`, `drake-discrete`, `drake-continuous`, `agx`.
    #[must_use]
    pub fn engine(mut self, name: impl Into<String>) -> Self {
        self.engine = Some(name.into());
        self
    }

    /// The same with another value of a parameter; `*` in the path matches a name.
    #[must_use]
    pub fn set(mut self, path: impl Into<String>, value: impl ToString) -> Self {
        self.settings.push(Override { path: path.into(), value: value.to_string() });
        self
    }

    /// Reads `FILE[=NAME][@x,y,z[,roll,pitch,yaw]]`: a file, the name and the pose \[m, rad\] of its model.
    ///
    /// # Errors
    /// The numbers are not three or six.
    pub fn parse_file(text: &str) -> Result<FileRequest, RunError> {
        let (rest, pose) = match text.rsplit_once('@') {
            Some((rest, numbers)) if numbers.contains(',') => (rest, Some(pose(text, numbers)?)),
            _ => (text, None),
        };
        let (path, name) = match rest.rsplit_once('=') {
            Some((path, name)) if !name.is_empty() && !name.contains('/') => (path, Some(name.to_owned())),
            _ => (rest, None),
        };
        Ok(FileRequest { path: path.into(), name, pose })
    }

    /// Reads `PATH=VALUE`.
    ///
    /// # Errors
    /// There is no `=`, or nothing before it.
    pub fn parse_setting(text: &str) -> Result<Override, RunError> {
        let wrong = || RunError::Text {
            request: Request::Set,
            text: text.to_owned(),
            reason: "expected PATH=VALUE".to_owned(),
        };
        let (path, value) = text.split_once('=').filter(|(path, _)| !path.trim().is_empty()).ok_or_else(wrong)?;
        Ok(Override { path: path.trim().to_owned(), value: value.trim().to_owned() })
    }

    /// Reads `NAME=VALUE` or `NAME:=VALUE`, an argument of a macro file.
    ///
    /// # Errors
    /// There is no `=`, or no name before it.
    pub fn parse_xacro_argument(text: &str) -> Result<String, RunError> {
        let wrong = || RunError::Text {
            request: Request::XacroArgument,
            text: text.to_owned(),
            reason: "expected NAME=VALUE".to_owned(),
        };
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        let name = name.trim_end_matches(':').trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        if is_name && !name.starts_with('-') { Ok(format!("{name}:={value}")) } else { Err(wrong()) }
    }

    /// Reads `NAME=DIR`, the folder of a package.
    ///
    /// # Errors
    /// There is no `=`, or nothing on a side of it.
    pub fn parse_package(text: &str) -> Result<(String, PathBuf), RunError> {
        let parts = text.split_once('=').map(|(name, folder)| (name.trim(), folder.trim()));
        let (name, folder) = parts.filter(|(n, f)| !n.is_empty() && !f.is_empty()).ok_or_else(|| RunError::Text {
            request: Request::Package,
            text: text.to_owned(),
            reason: "expected NAME=DIR".to_owned(),
        })?;
        Ok((name.to_owned(), PathBuf::from(folder)))
    }

    /// Reads the files. Their faults stand in [`Project::loaded`] and stop a run when it is to start.
    ///
    /// # Errors
    /// A setting of the engine that it does not have.
    pub fn load(self) -> Result<Project, RunError> {
        let (of_materials, others): (Vec<Override>, Vec<Override>) =
            self.settings.iter().cloned().partition(|setting| MaterialOptions::is_path(&setting.path));
        let mut gains = Vec::new();
        let mut rest = Vec::with_capacity(others.len());
        for setting in others {
            match GainRequest::parse(&setting)? {
                Some(gain) => gains.push(gain),
                None => rest.push(setting),
            }
        }
        let others = rest;
        let (overrides, engine_settings) = split(&others)?;
        let given = self.materials.as_deref().map(|path| Given::read(path, self.material_defaults));
        let table = given.as_ref().and_then(|given| given.table.clone());
        let options = LoadOptions {
            model_path: self.model_path.clone(),
            packages: self.packages.clone(),
            lenient: self.lenient,
            overrides,
            use_environment: self.use_environment,
            xacro_arguments: self.xacro_arguments.clone(),
            no_ground: self.no_ground,
            initial_positions: self.initial_state.as_ref().map(StateFile::positions).unwrap_or_default(),
            keep_starts: false,
            materials: MaterialOptions { table, defaults: self.material_defaults, settings: of_materials.clone() },
        };
        let mut loaded = stiction_formats::load(&self.files, &options);
        self.suggest_paths(&mut loaded, &options);
        let materials = materials(given, self.material_defaults, &of_materials, &mut loaded)?;
        Ok(Project { setup: self, loaded, materials, engine_settings, gains })
    }

    /// Reads the files and begins the run.
    ///
    /// # Errors
    /// As [`Setup::load`] and [`Project::start`].
    pub fn start(self) -> Result<Run, RunError> {
        self.load()?.start()
    }
}

/// A setup whose files are read.
#[derive(Clone, Debug)]
pub struct Project {
    pub(crate) setup: Setup,
    /// What the files gave: description, findings, texts, parameters of the files.
    pub loaded: Loaded,
    /// The material table, if there is one.
    pub materials: Option<MaterialTable>,
    engine_settings: Vec<Override>,
    /// Gains of commands.
    pub(crate) gains: Vec<GainRequest>,
}

impl Project {
    /// A note for each file with visuals whose mesh is not found.
    #[must_use]
    pub fn missing_visuals(&self) -> Vec<Diagnostic> {
        let Setup { files, model_path, packages, use_environment, .. } = &self.setup;
        let (model_path, packages) = (model_path.clone(), packages.clone());
        let options = LoadOptions { model_path, packages, use_environment: *use_environment, ..LoadOptions::default() };
        files.first().map_or_else(Vec::new, |file| visual_advice(&self.loaded.sources, &file.path, &options))
    }

    /// The world, unless findings stop a run.
    ///
    /// # Errors
    /// [`RunError::Findings`] with those that stop it.
    pub fn description(&self) -> Result<&WorldDescription, RunError> {
        let blocking = || {
            let is_blocking =
                |d: &&stiction_formats::diagnostic::Diagnostic| d.severity == Severity::Error && d.blocks_run;
            RunError::Findings(self.loaded.diagnostics.iter().filter(is_blocking).cloned().collect())
        };
        self.loaded.world.as_ref().filter(|_| !self.loaded.blocking()).ok_or_else(blocking)
    }

    /// The engine with its parameters as the file, the engine's name and the settings make them.
    ///
    /// # Errors
    /// Findings that stop a run; an engine, a step or values that do not exist.
    pub fn engine(&self) -> Result<Engine, RunError> {
        engine::choose(&self.setup, self.description()?, &self.loaded.parameter_paths, &self.engine_settings)
    }

    /// The same under an engine of another name.
    ///
    /// # Errors
    /// As [`Project::engine`].
    pub fn engine_of(&self, name: &str) -> Result<Engine, RunError> {
        let setup = Setup { engine: Some(name.to_owned()), ..self.setup.clone() };
        engine::choose(&setup, self.description()?, &self.loaded.parameter_paths, &self.engine_settings)
    }

    /// The world under an engine, without a material table.
    ///
    /// # Errors
    /// [`RunError::Findings`] with what the engine refuses of the files.
    pub fn world(&self, engine: &Engine) -> Result<Simulation, RunError> {
        let description = self.description()?;
        let made = simulate(description, engine.parameters.clone());
        made.map_err(|error| refusal::of_world(error, description))
    }

    /// Every parameter in force under an engine.
    #[must_use]
    pub fn values(&self, engine: &Engine) -> Vec<ParameterValue> {
        values::in_force(&self.loaded.parameter_paths, engine)
    }

    /// Materials and pairs of them as they act, if there is a material table and a world.
    #[must_use]
    pub fn materials_in_force(&self) -> Option<MaterialsInForce> {
        Some(in_force::materials(self.loaded.world.as_ref()?, self.materials.as_ref()?))
    }

    /// Begins the run: the world at its initial state, before the first step.
    ///
    /// # Errors
    /// As [`Project::engine`], and what in forces, commands or the initial state does not fit the world.
    pub fn start(self) -> Result<Run, RunError> {
        let engine = self.engine()?;
        Run::new(self, engine)
    }

    /// Begins the run with parameters of the world that have no path, or that a program computes; their origin is told
    /// as `program`.
    ///
    /// # Errors
    /// As [`Project::start`], and parameters that do not go together.
    pub fn start_with(self, change: impl FnOnce(&mut WorldParameters)) -> Result<Run, RunError> {
        let mut engine = self.engine()?;
        engine.change(change)?;
        Run::new(self, engine)
    }
}

/// A file of materials, read.
struct Given {
    table: Option<MaterialTable>,
    findings: Vec<Diagnostic>,
    text: Option<(PathBuf, String)>,
}

impl Given {
    fn read(path: &Path, defaults: Defaults) -> Self {
        match MaterialTable::read(path, defaults) {
            Ok(read) => {
                let text = read.sources.get(path).map(|text| (path.to_owned(), text.to_owned()));
                Self { table: read.table, findings: read.diagnostics, text }
            }
            Err(error) => {
                let message = format!("cannot read the material table {}: {}", path.display(), unreadable(&error));
                Self { table: None, findings: vec![Diagnostic::error("material-table", message)], text: None }
            }
        }
    }
}

/// The material table: that of the setup, else that of the files, else the bundled one where the files name materials;
/// with the values of the settings.
fn materials(
    given: Option<Given>,
    defaults: Defaults,
    settings: &[Override],
    loaded: &mut Loaded,
) -> Result<Option<MaterialTable>, RunError> {
    let named = loaded.world.as_ref().and_then(|world| world.material_table.as_ref()).map(|path| path.value.clone());
    let mut table = match given.or_else(|| named.as_deref().map(|path| Given::read(path, defaults))) {
        Some(read) => {
            // A project's own table was read with it.
            let is_new = read.text.as_ref().is_none_or(|(path, _)| loaded.sources.get(path).is_none());
            loaded.diagnostics.extend(read.findings.into_iter().filter(|_| is_new));
            if let Some((path, text)) = read.text {
                loaded.sources.insert(&path, text.into());
            }
            read.table
        }
        None => loaded.world.as_ref().is_some_and(names_materials).then(MaterialTable::bundled),
    };
    for setting in settings {
        let refused = |reason: String| RunError::Text {
            request: Request::Set,
            text: format!("{}={}", setting.path, setting.value),
            reason,
        };
        let Some(table) = &mut table else {
            // Without a world the findings say why.
            if loaded.world.is_some() {
                return Err(refused("there is no material table; `--materials FILE` loads one".to_owned()));
            }
            continue;
        };
        table.set(setting).map_err(|error| refused(error.to_string()))?;
    }
    Ok(table)
}

/// Groups of parameters that no file has.
const ENGINE_GROUPS: [&str; 3] = ["contact.", "integrator.", "solver."];

/// Splits settings into what files know and what only the engine knows.
fn split(settings: &[Override]) -> Result<(Vec<Override>, Vec<Override>), RunError> {
    let (mut overrides, mut engine) = (Vec::new(), Vec::new());
    for setting in settings {
        let path = setting.path.as_str();
        if parameter::find(path).is_some_and(|p| p.scope == Scope::Engine) {
            engine.push(setting.clone());
        } else if ENGINE_GROUPS.iter().any(|group| path.starts_with(group)) {
            let known = parameter::all().filter(|p| p.scope == Scope::Engine).map(|p| p.path);
            let near = nearest(path, known).first().map(|near| (*near).to_owned());
            return Err(RunError::UnknownParameter { path: path.to_owned(), near });
        } else {
            overrides.push(setting.clone());
        }
    }
    Ok((overrides, engine))
}

fn pose(text: &str, numbers: &str) -> Result<Pose, RunError> {
    let values: Option<Vec<f64>> =
        numbers.split(',').map(|n| n.trim().parse::<f64>().ok().filter(|x| x.is_finite())).collect();
    match values.as_deref() {
        Some([x, y, z]) => Ok(Pose::from_position(DVec3::new(*x, *y, *z))),
        Some([x, y, z, roll, pitch, yaw]) => {
            Ok(Pose::from_xyz_rpy(DVec3::new(*x, *y, *z), DVec3::new(*roll, *pitch, *yaw)))
        }
        _ => Err(RunError::Text {
            request: Request::File,
            text: text.to_owned(),
            reason: "expected FILE@x,y,z or FILE@x,y,z,roll,pitch,yaw with numbers".to_owned(),
        }),
    }
}
