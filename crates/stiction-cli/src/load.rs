//! Reads what the command line names.

use std::io::IsTerminal;

use stiction::math::{DVec3, Pose};
use stiction::parameter;
use stiction_formats::{FileRequest, LoadOptions, Loaded, Override, nearest};

use crate::arguments::{Color, InputArguments};
use crate::exit::Failure;

/// A `--set` for the engine, which no file has a place for.
pub struct EngineSetting {
    pub path: String,
    pub value: String,
}

/// Groups of parameters that no file has.
const ENGINE_GROUPS: [&str; 3] = ["contact.", "integrator.", "solver."];

/// Splits `--set` into what files know and what only the engine knows.
pub fn split_settings(settings: &[String]) -> Result<(Vec<Override>, Vec<EngineSetting>), Failure> {
    let (mut overrides, mut engine) = (Vec::new(), Vec::new());
    for setting in settings {
        let (path, value) = setting
            .split_once('=')
            .filter(|(path, _)| !path.trim().is_empty())
            .ok_or_else(|| Failure::usage(format!("--set `{setting}`: expected PATH=VALUE")))?;
        let (path, value) = (path.trim().to_owned(), value.trim().to_owned());
        let is_engine = parameter::find(&path).is_some_and(|p| p.scope == parameter::Scope::Engine);
        if is_engine {
            engine.push(EngineSetting { path, value });
        } else if ENGINE_GROUPS.iter().any(|group| path.starts_with(group)) {
            let known = parameter::all().filter(|p| p.scope == parameter::Scope::Engine).map(|p| p.path);
            let near = nearest(&path, known);
            let hint = near.first().map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            return Err(Failure::input(format!("--set {path}: the engine has no such parameter{hint}")));
        } else {
            overrides.push(Override { path, value });
        }
    }
    Ok((overrides, engine))
}

/// Loads the files of the command line.
pub fn load(input: &InputArguments, overrides: Vec<Override>) -> Result<Loaded, Failure> {
    let files = input.files.iter().map(|f| request(f)).collect::<Result<Vec<_>, _>>()?;
    let options = LoadOptions {
        model_path: input.model_path.clone(),
        lenient: input.lenient,
        overrides,
        use_environment: true,
        no_ground: input.no_ground,
    };
    Ok(stiction_formats::load(&files, &options))
}

/// `FILE[=NAME][@x,y,z[,roll,pitch,yaw]]`.
fn request(text: &str) -> Result<FileRequest, Failure> {
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

fn pose(text: &str, numbers: &str) -> Result<Pose, Failure> {
    let values: Option<Vec<f64>> =
        numbers.split(',').map(|n| n.trim().parse::<f64>().ok().filter(|x| x.is_finite())).collect();
    match values.as_deref() {
        Some([x, y, z]) => Ok(Pose::from_position(DVec3::new(*x, *y, *z))),
        Some([x, y, z, roll, pitch, yaw]) => {
            Ok(Pose::from_xyz_rpy(DVec3::new(*x, *y, *z), DVec3::new(*roll, *pitch, *yaw)))
        }
        _ => Err(Failure::usage(format!("`{text}`: expected FILE@x,y,z or FILE@x,y,z,roll,pitch,yaw with numbers"))),
    }
}

/// Colours on stderr or not.
pub fn use_color(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
    }
}
