//! From the words of the command line to a setup of the library.

use std::io::IsTerminal;

use stiction::world::Coordinates;
use stiction_run::Setup;

use crate::arguments::{Color, InputArguments};
use crate::exit::Failure;

/// Files and how they are read.
pub fn setup(input: &InputArguments) -> Result<Setup, Failure> {
    let mut setup = Setup::default();
    for file in &input.files {
        setup.files.push(Setup::parse_file(file)?);
    }
    setup.settings = input.set.iter().map(|s| Setup::parse_setting(s)).collect::<Result<_, _>>()?;
    setup.model_path.clone_from(&input.model_path);
    setup.use_environment = true;
    setup.lenient = input.lenient;
    setup.no_ground = input.no_ground;
    setup.materials.clone_from(&input.materials);
    setup.material_defaults = input.material_defaults.into();
    Ok(setup)
}

/// `--coordinates`.
pub fn coordinates(name: Option<&str>) -> Result<Option<Coordinates>, Failure> {
    match name {
        None => Ok(None),
        Some("maximal") => Ok(Some(Coordinates::Maximal)),
        Some("reduced") => Ok(Some(Coordinates::Reduced)),
        Some(other) => Err(Failure::usage(format!("--coordinates `{other}`: expected `maximal` or `reduced`"))),
    }
}

/// An option of later work.
pub fn not_built(what: &str) -> Result<(), Failure> {
    Err(Failure::usage(format!("{what} is not implemented yet")))
}

/// Colours on stderr or not.
pub fn use_color(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
    }
}
