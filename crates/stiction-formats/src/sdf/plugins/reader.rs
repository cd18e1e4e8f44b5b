//! Parameters of a plugin with their defaults; what is wrong with one is told with its place, and the plugin does not act.

use std::collections::{BTreeMap, BTreeSet};

use stiction::math::DVec3;

use super::super::element::Element;
use super::super::report::Report;
use super::super::value;
use crate::description::{Setting, WorldDescription};
use crate::diagnostic::{Diagnostic, Location};
use crate::plugins::{GivenParameter, PluginEntry, PluginProgram};
use crate::suggest::did_you_mean;

/// Numbers that a parameter may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    Any,
    NonNegative,
    Positive,
}

/// Indices of links, joints and models by their scoped names.
pub(super) struct Names<'w> {
    pub links: BTreeMap<&'w str, usize>,
    pub joints: BTreeMap<&'w str, usize>,
    pub models: BTreeMap<&'w str, usize>,
}

impl<'w> Names<'w> {
    pub(super) fn new(world: &'w WorldDescription) -> Self {
        Self {
            links: world.links.iter().enumerate().map(|(i, l)| (l.name.as_str(), i)).collect(),
            joints: world.joints.iter().enumerate().map(|(i, j)| (j.name.as_str(), i)).collect(),
            models: world.models.iter().enumerate().map(|(i, m)| (m.name.as_str(), i)).collect(),
        }
    }
}

/// Reads a plugin of a model or of the world.
pub(crate) struct PluginReader<'r> {
    pub(super) element: &'r Element,
    pub(super) program: PluginProgram,
    pub(super) entry: &'static PluginEntry,
    pub(super) world: &'r WorldDescription,
    pub(super) names: &'r Names<'r>,
    /// Index of the model that has it.
    pub(super) model: Option<usize>,
    pub(super) report: &'r mut Report,
    /// Parameters that were asked for.
    pub(super) asked: BTreeSet<String>,
    pub(super) has_failed: bool,
    /// Parameters that the file does not give, with their defaults.
    pub(super) defaults: Vec<GivenParameter>,
}

/// All texts below an element, with the names of what is around them.
pub(crate) fn leaves(element: &Element) -> Vec<GivenParameter> {
    fn below(element: &Element, prefix: &str, found: &mut Vec<GivenParameter>) {
        for child in element.children.iter().filter(|c| !matches!(c.name.as_str(), "plugin" | "visual")) {
            let name = format!("{prefix}{}", child.name);
            if !child.text.is_empty() {
                let value = Setting { value: child.text.trim().to_owned(), origin: child.origin() };
                found.push(GivenParameter { name: name.clone(), value });
            }
            below(child, &format!("{name}/"), found);
        }
    }
    let mut found = Vec::new();
    below(element, "", &mut found);
    found
}

/// Parts of names of parameters that only name topics, frames and the like.
const OF_MESSAGES: [&str; 18] = [
    "topic",
    "frame",
    "namespace",
    "publish",
    "debug",
    "always",
    "update_rate",
    "updaterate",
    "odom",
    "ros",
    "covariance",
    "tf",
    "source",
    "actuator",
    "noise",
    "legacy",
    "robotparam",
    "battery",
];

impl<'r> PluginReader<'r> {
    /// An error that a run goes past without the plugin.
    pub(super) fn refuse(&mut self, code: &'static str, message: String, at: &Location, help: Option<String>) {
        self.has_failed = true;
        let mut finding = Diagnostic::error(code, message).at(at).element(self.element.path.as_str());
        finding.help = help;
        self.report.tolerated(finding);
    }

    /// The first element of any of some names that has a text.
    pub(super) fn any(&mut self, names: &[&str]) -> Option<&'r Element> {
        self.asked.extend(names.iter().map(|n| (*n).to_owned()));
        let element = self.element;
        element.children.iter().find(|c| names.contains(&c.name.as_str()) && !c.text.is_empty())
    }

    /// All elements of a name.
    pub(super) fn all(&mut self, names: &[&str]) -> Vec<&'r Element> {
        self.asked.extend(names.iter().map(|n| (*n).to_owned()));
        let element = self.element;
        element.children.iter().filter(|c| names.contains(&c.name.as_str())).collect()
    }

    pub(super) fn text(&mut self, names: &[&str]) -> Option<&'r str> {
        self.any(names).map(|e| e.text.trim())
    }

    /// The number of an element.
    pub(super) fn number_of(&mut self, element: &Element, range: Range) -> Option<f64> {
        let number = value::real(&element.text).filter(|x| x.is_finite() && x.abs() <= 1e15);
        let number = number.filter(|x| match range {
            Range::Any => true,
            Range::NonNegative => *x >= 0.0,
            Range::Positive => *x > 0.0,
        });
        if number.is_none() {
            let expected = match range {
                Range::Any => "a finite number",
                Range::NonNegative => "a number of 0 or more",
                Range::Positive => "a number above 0",
            };
            let message = format!("<{}> is `{}`, expected {expected}", element.name, element.text);
            self.refuse("invalid-value", message, &element.text_location, None);
        }
        number
    }

    pub(super) fn given(&mut self, names: &[&str], range: Range) -> Option<f64> {
        let element = self.any(names)?;
        self.number_of(element, range)
    }

    pub(super) fn real(&mut self, names: &[&str], default: f64, range: Range) -> f64 {
        self.tell_default(names, || default.to_string());
        self.given(names, range).unwrap_or(default)
    }

    /// Notes the default of a parameter that the file does not give.
    fn tell_default(&mut self, names: &[&str], text: impl Fn() -> String) {
        if self.any(names).is_none() {
            let value = Setting::default(text());
            self.defaults.push(GivenParameter { name: names[0].to_owned(), value });
        }
    }

    /// Parameters of the plugin that the file gives, then the defaults.
    pub(super) fn parameters(&mut self) -> Vec<GivenParameter> {
        let mut all = leaves(self.element);
        let is_asked = |name: &str| name.split('/').next().is_some_and(|first| self.asked.contains(first));
        all.retain(|parameter| is_asked(&parameter.name));
        all.append(&mut self.defaults);
        all
    }

    pub(super) fn flag(&mut self, names: &[&str], default: bool) -> bool {
        self.tell_default(names, || default.to_string());
        let Some(element) = self.any(names) else { return default };
        let flag = value::boolean(&element.text);
        if flag.is_none() {
            let message = format!("<{}> is `{}`, expected `true` or `false`", element.name, element.text);
            self.refuse("invalid-value", message, &element.text_location, None);
        }
        flag.unwrap_or(default)
    }

    pub(super) fn vector_of(&mut self, element: &Element) -> Option<DVec3> {
        let vector = value::vector3(&element.text).filter(|v| v.is_finite() && v.abs().max_element() <= 1e15);
        if vector.is_none() {
            let message = format!("<{}> is `{}`, expected three finite numbers", element.name, element.text);
            self.refuse("invalid-value", message, &element.text_location, None);
        }
        vector
    }

    pub(super) fn vector(&mut self, names: &[&str], default: DVec3) -> DVec3 {
        self.tell_default(names, || format!("{} {} {}", default.x, default.y, default.z));
        let Some(element) = self.any(names) else { return default };
        self.vector_of(element).unwrap_or(default)
    }

    /// A direction, of length 1.
    pub(super) fn direction(&mut self, name: &str, default: DVec3) -> DVec3 {
        self.tell_default(&[name], || format!("{} {} {}", default.x, default.y, default.z));
        let Some(element) = self.any(&[name]) else { return default };
        let Some(vector) = self.vector_of(element) else { return default };
        let Some(unit) = vector.try_normalize() else {
            let message = format!("<{name}> has no length");
            self.refuse("invalid-value", message, &element.text_location, None);
            return default;
        };
        unit
    }

    /// Time between messages of a rate in Hz; 0 or less is every step.
    pub(super) fn period(&mut self, names: &[&str], default_rate: f64) -> f64 {
        let rate = self.real(names, default_rate, Range::Any);
        if rate > 0.0 { 1.0 / rate } else { 0.0 }
    }

    /// A name in the scope of the model, or in full.
    fn scoped(&self, name: &str) -> [String; 2] {
        let model = self.model.map_or("", |m| self.world.models[m].name.as_str());
        let inner = if model.is_empty() { name.to_owned() } else { format!("{model}::{name}") };
        [inner, name.to_owned()]
    }

    fn missing(&mut self, names: &[&str]) {
        let message = format!("the plugin `{}` has no <{}>", self.element.named(), names[0]);
        let at = self.element.location.clone();
        self.refuse("missing-element", message, &at, None);
    }

    pub(super) fn joint_of(&mut self, element: &Element) -> Option<usize> {
        let name = element.text.trim();
        let found = self.scoped(name).iter().find_map(|n| self.names.joints.get(n.as_str()).copied());
        if found.is_none() {
            let known = self.names.joints.keys().map(|k| k.rsplit("::").next().unwrap_or(k));
            let elsewhere = self.names.joints.keys().find(|k| k.rsplit("::").next() == Some(name));
            let help = match elsewhere {
                Some(joint) => Some(format!("the joint is `{joint}`: write the plugin into its model")),
                None => did_you_mean(name, known),
            };
            self.refuse("unknown-joint", format!("`{name}` is not a joint of the model"), &element.text_location, help);
        }
        found
    }

    /// A joint that has axes, which is needed.
    pub(super) fn joint(&mut self, names: &[&str]) -> Option<usize> {
        let Some(element) = self.any(names) else {
            self.missing(names);
            return None;
        };
        self.moving_joint(element)
    }

    /// A joint with an axis.
    pub(super) fn moving_joint(&mut self, element: &Element) -> Option<usize> {
        let joint = self.joint_of(element)?;
        if self.world.joints[joint].axes.is_empty() {
            let message = format!("joint `{}` has no axis", self.world.joints[joint].name);
            self.refuse("joint-without-axis", message, &element.text_location, None);
            return None;
        }
        Some(joint)
    }

    /// Joints with an axis, of which one at least is needed.
    pub(super) fn joints(&mut self, names: &[&str]) -> Vec<usize> {
        let elements = self.all(names);
        if elements.is_empty() {
            self.missing(names);
        }
        elements.into_iter().filter(|e| !e.text.is_empty()).filter_map(|e| self.moving_joint(e)).collect()
    }

    pub(super) fn link_of(&mut self, element: &Element) -> Option<usize> {
        let name = element.text.trim();
        let found = self.scoped(name).iter().find_map(|n| self.names.links.get(n.as_str()).copied());
        if found.is_none() {
            let known = self.names.links.keys().map(|k| k.rsplit("::").next().unwrap_or(k));
            let help = did_you_mean(name, known);
            self.refuse("unknown-link", format!("`{name}` is not a link of the model"), &element.text_location, help);
        }
        found
    }

    pub(super) fn link(&mut self, names: &[&str]) -> Option<usize> {
        let Some(element) = self.any(names) else {
            self.missing(names);
            return None;
        };
        self.link_of(element)
    }

    /// The canonical link of the model.
    pub(super) fn canonical(&mut self) -> Option<usize> {
        let link = self.model.and_then(|m| self.world.models[m].canonical_link);
        if link.is_none() {
            let message = format!("the plugin `{}` is not inside a model with a link", self.element.named());
            let at = self.element.location.clone();
            self.refuse("missing-element", message, &at, None);
        }
        link
    }

    /// The links of the model and of those in it.
    pub(super) fn links_of_model(&self, model: usize) -> Vec<usize> {
        let is_in = |link: &usize| {
            let mut at = Some(self.world.links[*link].model);
            while let Some(here) = at {
                if here == model {
                    return true;
                }
                at = self.world.models[here].parent;
            }
            false
        };
        (0..self.world.links.len()).filter(is_in).collect()
    }

    /// Reports elements that are no parameters of the plugin.
    pub(super) fn report_unknown(&mut self) {
        let (system, known) = (self.entry.system, self.entry.parameters);
        for child in self.element.children.iter().filter(|c| !c.is_foreign()) {
            let lower = child.name.to_ascii_lowercase();
            if self.entry.has_parameter(&child.name) || OF_MESSAGES.iter().any(|part| lower.contains(part)) {
                continue;
            }
            let message = format!("<{}> is not a parameter of {system}", child.name);
            let mut finding = Diagnostic::warning("unknown-element", message).at(&child.location).label("skipped");
            let names = known.iter().flat_map(|p| p.name.split('|')).filter_map(|name| name.split('/').next());
            finding.help = did_you_mean(&child.name, names);
            self.report.once(format!("{system} {}", child.name), finding);
        }
    }
}
