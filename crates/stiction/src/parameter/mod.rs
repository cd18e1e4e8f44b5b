//! The one table of physical parameters. Loaders, `--set`, reports and the documentation read from it.
//!
//! A parameter is declared once: its path as users write it, unit, default, range, how two surfaces combine, what it
//! means, its equation and which field of the engine it feeds. Parameters of the whole world also say how to read and
//! write them in [`WorldParameters`].
//!
//! ```
//! use stiction::parameter;
//! use stiction::world::WorldParameters;
//!
//! let mut parameters = WorldParameters::default();
//! assert!(matches!(parameter::set(&mut parameters, "contact.margin", "0.002"), Some(Ok(()))));
//! assert_eq!(parameters.contact_margin, 0.002);
//! assert!(parameter::set(&mut parameters, "contact.margim", "0.002").is_none());
//! ```

/// Access to a parameter that is on or off.
macro_rules! flag {
    ($field:ident) => {
        Access { get: |w| on_off(w.$field), set: |w, text| switch(text).map(|x| w.$field = x) }
    };
}

mod compliant;
mod engine;
mod surface;
mod world;

use crate::model::{ParameterError, WorldParameters};

/// Where a parameter belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// The whole world; the path is complete.
    World,
    /// The engine itself: no file format has it; the path is complete.
    Engine,
    /// A surface: the path goes on from a `<collision>`.
    Surface,
    /// A joint or its axis: the path goes on from a `<joint>`.
    Joint,
}

/// Reads and writes a parameter of the whole world.
#[derive(Clone, Copy)]
pub struct Access {
    /// Value as text.
    pub get: fn(&WorldParameters) -> String,
    /// Sets the value from text; the error says what is expected.
    pub set: fn(&mut WorldParameters, &str) -> Result<(), &'static str>,
}

/// One parameter.
#[derive(Clone, Copy)]
pub struct Parameter {
    /// Path as users write it.
    pub path: &'static str,
    /// Where it belongs.
    pub scope: Scope,
    /// Unit; `1` for a plain number, empty for words.
    pub unit: &'static str,
    /// Default, as text: what a file that does not give it means, or what a new world of the library has where no file format
    /// has the parameter.
    pub default: &'static str,
    /// What [`WorldParameters::default`] has, as text, where that differs from what a file means; empty where it does not, and
    /// for what is no parameter of the whole world.
    pub library_default: &'static str,
    /// What values are allowed.
    pub range: &'static str,
    /// How the values of two surfaces become one; empty where there is only one.
    pub combination: &'static str,
    /// One sentence.
    pub meaning: &'static str,
    /// Equation; empty where the meaning says it all.
    pub equation: &'static str,
    /// Where the meaning is from.
    pub source: &'static str,
    /// Field of the rows, surfaces or worlds that it feeds.
    pub feeds: &'static str,
    /// How to read and write it, for parameters of the whole world.
    pub access: Option<Access>,
}

/// What values a parameter has: unit, default and range, as they are declared.
#[derive(Clone, Copy)]
struct Values {
    unit: &'static str,
    default: &'static str,
    library_default: &'static str,
    range: &'static str,
}

/// Values with a unit, a default and a range.
const fn values(unit: &'static str, default: &'static str, range: &'static str) -> Values {
    Values { unit, default, library_default: "", range }
}

impl Values {
    /// With another default in [`WorldParameters::default`].
    const fn in_library(self, default: &'static str) -> Self {
        Self { library_default: default, ..self }
    }
}

/// All parameters.
pub fn all() -> impl Iterator<Item = &'static Parameter> {
    world::TABLE.iter().chain(engine::TABLE).chain(compliant::TABLE).chain(surface::SURFACE).chain(surface::JOINT)
}

/// A parameter of the world or the engine by its path.
#[must_use]
pub fn find(path: &str) -> Option<&'static Parameter> {
    all().find(|p| p.path == path)
}

/// Sets an engine parameter from text.
///
/// # Errors
/// `None` in the first place if there is no engine parameter of that path; what is expected if the text does not fit.
pub fn set(parameters: &mut WorldParameters, path: &str, text: &str) -> Option<Result<(), SetError>> {
    let access = find(path).filter(|p| p.scope == Scope::Engine)?.access?;
    Some(
        (access.set)(parameters, text)
            .map_err(SetError::Text)
            .and_then(|()| parameters.validate().map_err(SetError::Range)),
    )
}

/// Why a text is refused as a value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// The text is no value of the parameter; what is expected.
    #[error("expected {0}")]
    Text(&'static str),
    /// The value is out of range.
    #[error(transparent)]
    Range(#[from] ParameterError),
}

pub(crate) fn number(text: &str) -> Result<f64, &'static str> {
    text.trim().parse::<f64>().ok().filter(|x| x.is_finite()).ok_or("a number")
}

pub(crate) fn switch(text: &str) -> Result<bool, &'static str> {
    match text.trim() {
        "on" | "true" | "1" => Ok(true),
        "off" | "false" | "0" => Ok(false),
        _ => Err("`on` or `off`"),
    }
}

pub(crate) fn on_off(value: bool) -> String {
    if value { "on" } else { "off" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_unique_and_defaults_are_what_a_new_world_has() {
        let mut paths: Vec<_> = all().map(|p| p.path).collect();
        let count = paths.len();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), count);
        let world = WorldParameters::default();
        for p in all().filter(|p| p.scope == Scope::Engine) {
            let access = p.access.expect(p.path);
            assert_eq!((access.get)(&world), p.default, "{}", p.path);
        }
    }

    #[test]
    fn defaults_of_the_library_are_what_the_table_says() {
        let world = WorldParameters::default();
        let mut differing = 0;
        for p in all() {
            let Some(access) = p.access else {
                assert_eq!(p.library_default, "", "{}: the library has no such field", p.path);
                continue;
            };
            assert_ne!(p.library_default, p.default, "{}: said twice", p.path);
            let said = if p.library_default.is_empty() { p.default } else { p.library_default };
            assert_eq!((access.get)(&world), said, "{}", p.path);
            differing += usize::from(!p.library_default.is_empty());
        }
        assert_eq!(differing, 6);
    }

    #[test]
    fn what_is_read_can_be_written() {
        let world = WorldParameters::default();
        for p in all() {
            if let Some(access) = p.access {
                let mut copy = world.clone();
                (access.set)(&mut copy, &(access.get)(&world)).unwrap_or_else(|e| panic!("{}: {e}", p.path));
                assert_eq!(copy, world, "{}", p.path);
            }
        }
    }

    #[test]
    fn a_value_out_of_range_is_refused() {
        let mut world = WorldParameters::default();
        assert!(matches!(set(&mut world, "contact.margin", "-1"), Some(Err(SetError::Range(_)))));
        assert!(matches!(set(&mut world, "physics.gyroscopic", "maybe"), Some(Err(SetError::Text(_)))));
        assert!(set(&mut world, "no.such", "1").is_none());
    }
}
