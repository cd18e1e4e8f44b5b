//! Values of elements with their origins; the defaults come from the table of the format.
//!
//! Bad texts were reported by the check that runs before; here they read as the default.

use stiction::math::{DVec3, Pose};

use crate::description::Setting;

use super::element::Element;
use super::spec;
use super::value;

/// Reads elements below one that begins a context, such as `surface`.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    element: Option<&'a Element>,
    context: &'static str,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(element: Option<&'a Element>, context: &'static str) -> Self {
        Self { element, context }
    }

    /// The value at `path` as `parse` reads it; `fallback` if the table has no default for it.
    fn setting<T>(&self, path: &str, fallback: T, parse: impl Fn(&str) -> Option<T>) -> Setting<T> {
        let found = self.element.and_then(|e| e.find(path)).filter(|e| !e.text.is_empty());
        if let Some(found) = found
            && let Some(value) = parse(&found.text)
        {
            return Setting { value, origin: found.origin() };
        }
        let default = spec::lookup_path(self.context, path).and_then(|e| parse(e.default));
        Setting::default(default.unwrap_or(fallback))
    }

    /// A finite number.
    pub(crate) fn real(&self, path: &str) -> Setting<f64> {
        self.setting(path, 0.0, |t| value::real(t).filter(|v| v.is_finite()))
    }

    /// A finite number where a negative one means that there is no limit.
    pub(crate) fn unlimited_if_negative(&self, path: &str) -> Setting<f64> {
        let mut setting = self.real(path);
        if setting.value < 0.0 {
            setting.value = f64::INFINITY;
        }
        setting
    }

    /// A limit: ±1e16 and beyond is none, which is how files before 1.10 say it.
    pub(crate) fn limit(&self, path: &str) -> Setting<f64> {
        let mut setting = self.setting(path, f64::INFINITY, |t| value::real(t).filter(|v| !v.is_nan()));
        if setting.value.abs() >= 1e16 {
            setting.value = f64::INFINITY.copysign(setting.value);
        }
        setting
    }

    pub(crate) fn unsigned(&self, path: &str) -> Setting<u32> {
        self.setting(path, 0, value::unsigned)
    }

    pub(crate) fn boolean(&self, path: &str) -> Setting<bool> {
        self.setting(path, false, value::boolean)
    }

    pub(crate) fn vector(&self, path: &str) -> Setting<DVec3> {
        self.setting(path, DVec3::ZERO, |t| value::vector3(t).filter(|v| v.is_finite()))
    }

    pub(crate) fn text(&self, path: &str) -> Setting<String> {
        self.setting(path, String::new(), |t| Some(t.trim().to_owned()))
    }
}

/// The `<pose>` of an element; the identity if it has none.
pub(crate) fn pose_of(element: &Element) -> Pose {
    element.child("pose").and_then(value::pose).unwrap_or(Pose::IDENTITY)
}
