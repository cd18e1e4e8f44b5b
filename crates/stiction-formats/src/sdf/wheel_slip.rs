//! `WheelSlipPlugin` of a model.

use crate::description::{GeometryDescription, Setting, WorldDescription};
use crate::diagnostic::{Diagnostic, Location};
use crate::suggest::did_you_mean;
use crate::wheel_slip::WheelSlipDescription;

use super::element::Element;
use super::report::Report;
use super::value;

const LATERAL: &str = "slip_compliance_lateral";
const LONGITUDINAL: &str = "slip_compliance_longitudinal";
const NORMAL_FORCE: &str = "wheel_normal_force";
const RADIUS: &str = "wheel_radius";

/// The plugin of Gazebo classic, the one of its ROS packages that is made of it, and the system of gz-sim. gz-sim's
/// `lookup-wheel-slip`, which changes the numbers by an image, is another.
pub(crate) fn is_wheel_slip(plugin: &Element) -> bool {
    plugin.value("filename").is_some_and(|file| {
        let file = file.to_ascii_lowercase();
        ["wheelslip", "wheel-slip", "wheel_slip"].iter().any(|word| file.contains(word)) && !file.contains("lookup")
    })
}

/// Wheels of the plugins of a model; `find` gives the link of a name in the model.
pub(crate) fn read(
    model: &Element,
    world: &WorldDescription,
    find: &dyn Fn(&str) -> Option<usize>,
    report: &mut Report,
) -> Vec<WheelSlipDescription> {
    let mut wheels = Vec::new();
    for plugin in model.children_named("plugin").filter(|plugin| is_wheel_slip(plugin)) {
        let mut r = WheelReader { world, find, report };
        if plugin.child("wheel").is_none() {
            let message = "the plugin WheelSlip has no <wheel> and does nothing";
            r.report.add(Diagnostic::warning("missing-element", message).at(&plugin.location));
        }
        wheels.extend(plugin.children_named("wheel").filter_map(|wheel| r.wheel(wheel)));
    }
    wheels
}

struct WheelReader<'r> {
    world: &'r WorldDescription,
    find: &'r dyn Fn(&str) -> Option<usize>,
    report: &'r mut Report,
}

impl WheelReader<'_> {
    /// A wheel that Gazebo leaves out with an error is one here, too; `--lenient` leaves it out.
    fn refuse(&mut self, code: &'static str, message: String, at: &Location, element: &Element) {
        self.report.strict(Diagnostic::error(code, message).at(at).element(element.path.as_str()));
    }

    fn wheel(&mut self, element: &Element) -> Option<WheelSlipDescription> {
        let known = [LATERAL, LONGITUDINAL, NORMAL_FORCE, RADIUS];
        for child in element.children.iter().filter(|c| !c.is_foreign() && !known.contains(&c.name.as_str())) {
            let message = format!("<{}> is not an element of <wheel>", child.name);
            let mut finding = Diagnostic::warning("unknown-element", message).at(&child.location).label("skipped");
            finding.help = did_you_mean(&child.name, known);
            self.report.add(finding);
        }
        let Some(name) = element.attribute("link_name").filter(|a| !a.value.trim().is_empty()) else {
            let message = "<wheel> of the plugin WheelSlip has no link_name".to_owned();
            self.refuse("missing-name", message, &element.location, element);
            return None;
        };
        let Some(link) = (self.find)(name.value.trim()) else {
            let message = format!("link_name `{}` is not a link of the model", name.value.trim());
            let mut finding =
                Diagnostic::error("unknown-link", message).at(&name.location).element(element.path.as_str());
            let links = self.world.links.iter().filter_map(|link| link.name.rsplit("::").next());
            finding.help = did_you_mean(name.value.trim(), links);
            self.report.strict(finding);
            return None;
        };
        let numbers = [
            self.number(element, LATERAL, true),
            self.number(element, LONGITUDINAL, true),
            self.number(element, NORMAL_FORCE, false),
        ];
        let radius = self.radius(element, link);
        let joint = self.joint(element, link);
        let [lateral, longitudinal, normal_force] = numbers;
        let (lateral, longitudinal, normal_force) = (lateral?, longitudinal?, normal_force?);
        let (radius, joint) = (radius?, joint?);
        let location = element.location.clone();
        Some(WheelSlipDescription { link, joint, lateral, longitudinal, normal_force, radius, location })
    }

    /// A number of 0 or more, 0 where it is absent, or one above 0, which must be there. `None` has been said.
    fn number(&mut self, element: &Element, name: &str, may_be_zero: bool) -> Option<Setting<f64>> {
        let expected = if may_be_zero { "a finite number of 0 or more" } else { "a finite number above 0" };
        let Some(child) = element.child(name).filter(|child| !child.text.is_empty()) else {
            if may_be_zero {
                return Some(Setting::default(0.0));
            }
            let message = format!("<wheel> has no <{name}>, expected {expected}");
            self.refuse("missing-element", message, &element.location, element);
            return None;
        };
        let value = value::real(&child.text).filter(|x| x.is_finite() && (*x > 0.0 || may_be_zero && *x == 0.0));
        if value.is_none() {
            let message = format!("<{name}> is `{}`, expected {expected}", child.text);
            self.refuse("invalid-value", message, &child.text_location, child);
        }
        value.map(|value| Setting { value, origin: child.origin() })
    }

    /// The radius of the file, else of the one shape of the link.
    fn radius(&mut self, element: &Element, link: usize) -> Option<Setting<f64>> {
        let link = &self.world.links[link];
        let [collision] = link.collisions.as_slice() else {
            let (name, count) = (&link.name, link.collisions.len());
            let message = format!("link `{name}` has {count} collisions, a wheel of the plugin WheelSlip has one");
            self.refuse("wheel-collision", message, &element.location, element);
            return None;
        };
        // As in Gazebo, a radius that is not above 0 is no radius.
        let own = element.child(RADIUS).filter(|child| value::real(&child.text).is_none_or(|radius| radius > 0.0));
        if own.is_some_and(|child| !child.text.is_empty()) {
            return self.number(element, RADIUS, false);
        }
        match collision.geometry {
            GeometryDescription::Sphere(radius) | GeometryDescription::Cylinder { radius, .. } => {
                Some(Setting::default(radius))
            }
            _ => {
                let message = format!(
                    "`{}` is no sphere or cylinder: <wheel> needs a <{RADIUS}>, a number above 0",
                    collision.name
                );
                self.refuse("missing-element", message, &element.location, element);
                None
            }
        }
    }

    /// The one joint whose child the link is.
    fn joint(&mut self, element: &Element, link: usize) -> Option<usize> {
        let joints = self.world.joints.iter().enumerate();
        let above: Vec<usize> = joints.filter(|(_, j)| j.child == Some(link) && !j.is_lumped).map(|(i, _)| i).collect();
        if let [joint] = above.as_slice()
            && !self.world.joints[*joint].axes.is_empty()
        {
            return Some(*joint);
        }
        let name = &self.world.links[link].name;
        let message = match above.as_slice() {
            [joint] => format!("joint `{}` of the wheel `{name}` has no axis", self.world.joints[*joint].name),
            _ => {
                format!("link `{name}` is the child of {} joints, a wheel of the plugin WheelSlip of one", above.len())
            }
        };
        self.refuse("wheel-joint", message, &element.location, element);
        None
    }
}
