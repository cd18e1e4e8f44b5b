//! A case of a comparison: a name, and what runs under it.

use stiction::world::{Coordinates, Preset};

use crate::error::{Request, RunError};
use crate::setup::Setup;

/// A setup with a name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// Name in tables and charts.
    pub name: String,
    /// What runs.
    pub setup: Setup,
}

impl Case {
    /// A setup by a name.
    #[must_use]
    pub fn new(name: impl Into<String>, setup: Setup) -> Self {
        Self { name: name.into(), setup }
    }

    /// A setup under an engine, with the engine's name.
    #[must_use]
    pub fn of_engine(name: impl Into<String>, base: &Setup) -> Self {
        let name = name.into();
        Self { setup: base.clone().engine(name.as_str()), name }
    }

    /// A case for each engine, in the order of its list, without `ode`, which is one of two others.
    #[must_use]
    pub fn of_all_engines(base: &Setup) -> Vec<Self> {
        let presets = Preset::ALL.iter().filter(|preset| **preset != Preset::Ode);
        presets.map(|preset| Self::of_engine(preset.name(), base)).collect()
    }

    /// Reads `NAME=PATH=VALUE,…`: a setup with other values. Keys beside the paths of parameters are `engine`, `step-size`,
    /// `coordinates` and `materials`, as the command has options. A comma belongs to the value where what follows it has no
    /// `=`. After the name there may be nothing: the setup as it is.
    ///
    /// # Errors
    /// The text has another form, or a number or name in it cannot be.
    pub fn parse(text: &str, base: &Setup) -> Result<Self, RunError> {
        let wrong = |reason: String| RunError::Text { request: Request::Case, text: text.to_owned(), reason };
        let form = || wrong("expected NAME=PATH=VALUE,… with parameters or engine, step-size, coordinates".to_owned());
        let (name, list) = text.split_once('=').ok_or_else(form)?;
        let name = name.trim();
        if name.is_empty() {
            return Err(form());
        }
        let mut setup = base.clone();
        for item in items(list).ok_or_else(form)? {
            let (key, value) = item.split_once('=').map(|(key, value)| (key.trim(), value.trim())).ok_or_else(form)?;
            match key {
                "engine" => setup.engine = Some(value.to_owned()),
                "step-size" | "step_size" => {
                    let number = value.parse().map_err(|_| wrong(format!("step-size `{value}` is not a number")))?;
                    setup.step_size = Some(number);
                }
                "coordinates" => {
                    setup.coordinates = Some(match value {
                        "maximal" => Coordinates::Maximal,
                        "reduced" => Coordinates::Reduced,
                        other => {
                            return Err(wrong(format!("coordinates `{other}`: expected `maximal` or `reduced`")));
                        }
                    });
                }
                "materials" => setup.materials = Some(value.into()),
                _ => setup.settings.push(Setup::parse_setting(&item)?),
            }
        }
        Ok(Self::new(name, setup))
    }
}

/// What stands between the commas that separate; `None` where the first has no `=`.
fn items(list: &str) -> Option<Vec<String>> {
    let mut items: Vec<String> = Vec::new();
    if list.trim().is_empty() {
        return Some(items);
    }
    for piece in list.split(',') {
        if piece.contains('=') {
            items.push(piece.to_owned());
        } else {
            let last = items.last_mut()?;
            *last = format!("{last},{piece}");
        }
    }
    Some(items)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn parse(text: &str) -> Case {
        Case::parse(text, &Setup::new("w").set("a.b", 1)).unwrap()
    }

    #[test]
    fn cases_are_read() {
        let case =
            parse("soft = physics.ode.constraints.erp=0.1,engine=ode-quick, step-size=2e-3 ,coordinates=reduced");
        assert_eq!((case.name.as_str(), case.setup.engine.as_deref()), ("soft", Some("ode-quick")));
        assert_eq!(case.setup.step_size, Some(2e-3));
        assert_eq!(case.setup.coordinates, Some(Coordinates::Reduced));
        let settings: Vec<_> = case.setup.settings.iter().map(|s| format!("{}:{}", s.path, s.value)).collect();
        assert_eq!(settings, ["a.b:1", "physics.ode.constraints.erp:0.1"]);
        // Commas within a value, and names that a shell or a page would take for something else.
        let case = parse("<a, \"b\">=x.y=1,2,3,z.w=4");
        assert_eq!(case.name, "<a, \"b\">");
        let settings: Vec<_> = case.setup.settings.iter().skip(1).map(|s| format!("{}:{}", s.path, s.value)).collect();
        assert_eq!(settings, ["x.y:1,2,3", "z.w:4"]);
        assert!(parse("as it is=").setup.settings.len() == 1);
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        for (text, reason) in [
            ("soft", "expected NAME=PATH=VALUE"),
            ("=a.b=1", "expected NAME=PATH=VALUE"),
            ("soft=1,a.b=2", "expected NAME=PATH=VALUE"),
            ("soft=step-size=fast", "step-size `fast` is not a number"),
            ("soft=coordinates=polar", "expected `maximal` or `reduced`"),
            ("soft==1", "expected PATH=VALUE"),
        ] {
            let error = Case::parse(text, &Setup::new("w")).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn all_engines_are_all_but_the_ambiguous_one() {
        let names: Vec<String> = Case::of_all_engines(&Setup::new("w")).into_iter().map(|c| c.name).collect();
        assert!(names.len() + 1 == Preset::ALL.len() && !names.contains(&"ode".to_owned()), "{names:?}");
    }
}
