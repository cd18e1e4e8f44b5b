//! `stiction convert`: a file in another format.

use std::fs;
use std::path::Path;

use stiction_formats::convert::{ConvertError, Format, convert as write_as};
use stiction_formats::{FileRequest, LoadOptions, counted};
use stiction_run::Setup;

use crate::arguments::ConvertArguments;
use crate::exit::{Exit, Failure};
use crate::input::{set_reading, show_findings};
use crate::output::say;

/// Reads a file and writes it in the format that the name of the output says.
pub fn convert(arguments: &ConvertArguments) -> Result<Exit, Failure> {
    let format = format_of(&arguments.output_file, arguments.flatten)?;
    let is_same = |path: &Path| fs::canonicalize(path).ok();
    if is_same(&arguments.input_file).is_some_and(|input| is_same(&arguments.output_file) == Some(input)) {
        return Err(Failure::usage("the output is the input: give it another name"));
    }
    let mut setup = Setup::new(&arguments.input_file);
    set_reading(&mut setup, &arguments.reading)?;
    let options = LoadOptions {
        model_path: setup.model_path,
        packages: setup.packages,
        lenient: setup.lenient,
        overrides: setup.settings,
        use_environment: setup.use_environment,
        xacro_arguments: setup.xacro_arguments,
        ..LoadOptions::default()
    };
    let file = FileRequest { path: arguments.input_file.clone(), name: None, pose: None };
    let (converted, loaded) = write_as(&file, &options, format);
    show_findings(&arguments.output, &loaded);
    let converted = match converted {
        Ok(converted) => converted,
        Err(ConvertError::Input) => return Ok(Exit::Input),
        Err(error) => return Err(Failure::input(error.to_string())),
    };
    let folder = arguments.output_file.parent().unwrap_or(Path::new(""));
    for (path, bytes) in &converted.beside {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|e| cannot_write(parent, &e))?;
        }
        fs::write(&path, bytes).map_err(|e| cannot_write(&path, &e))?;
    }
    fs::write(&arguments.output_file, &converted.text).map_err(|e| cannot_write(&arguments.output_file, &e))?;
    if !arguments.output.quiet {
        say!(
            "wrote {} ({}, {} left out or changed)",
            arguments.output_file.display(),
            counted(1 + converted.beside.len(), "file"),
            converted.lost.len()
        );
    }
    Ok(Exit::Done)
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::output(format!("{}: {error}", path.display()))
}

fn format_of(path: &Path, flatten: bool) -> Result<Format, Failure> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match (extension.as_str(), flatten) {
        ("sdf" | "world", false) => Ok(Format::Sdf),
        ("sdf" | "world", true) => Ok(Format::FlatSdf),
        ("urdf", _) => Ok(Format::Urdf),
        ("xml" | "mjcf", _) => Ok(Format::Mjcf),
        _ => {
            let name = path.display();
            Err(Failure::usage(format!("{name}: the output ends in .sdf or .world, .urdf, or .xml for MuJoCo")))
        }
    }
}
