//! `<stiction:wire>` of a world or a model.

use stiction::math::{DVec3, Pose};
use stiction::world::WinchControl;

use crate::description::Setting;
use crate::devices::{
    DeviceDescription, DeviceKind, LinkReference, WinchDescription, WireDescription, WireNodeDescription, WireNodeKind,
};
use crate::diagnostic::{Diagnostic, Location};
use crate::materials::DEFAULT;
use crate::suggest::did_you_mean;

use super::element::Element;
use super::report::Report;
use super::value;

/// Element of a world or a model.
pub(crate) const WIRE: &str = "stiction.wire";

/// What a wire may hold beside its points.
const PARTS: [&str; 13] = [
    "radius",
    "resolution",
    "material",
    "density",
    "friction",
    "collide",
    "stretch",
    "bend",
    "winch",
    "eye",
    "fixed",
    "clamped",
    "free",
];

/// Finds a link by its name in the scope of the wire: its number; says so where there is none.
pub(crate) type FindLink<'f> = dyn FnMut(&str, &Location, &Element, &mut Report) -> Option<usize> + 'f;

/// Reads a wire of the scope with this name and pose; `None` where it has faults, which are in the report.
pub(crate) fn read(
    element: &Element,
    scoped: String,
    scope_pose: &Pose,
    find: &mut FindLink<'_>,
    report: &mut Report,
) -> Option<DeviceDescription> {
    let mut r = WireReader { find, scope_pose, report, is_sound: true };
    if element.named().is_empty() {
        r.refuse("missing-name", "<stiction:wire> has no name".to_owned(), &element.location);
    }
    r.check_parts(element, &PARTS);
    let mut nodes = Vec::new();
    let mut winch = None;
    for child in &element.children {
        let kind = match child.name.as_str() {
            "winch" if winch.is_none() && nodes.is_empty() => {
                winch = Some(r.winch(child));
                continue;
            }
            "winch" => {
                let message = "<winch> of a wire is not its first point: a wire comes from one winch, at its beginning";
                r.refuse("misplaced-point", message.to_owned(), &child.location);
                continue;
            }
            "eye" => WireNodeKind::Eye,
            "fixed" => WireNodeKind::Fixed,
            "clamped" => WireNodeKind::Link,
            "free" => WireNodeKind::Free,
            _ => continue,
        };
        nodes.push(r.node(kind, child));
    }
    let count = nodes.len() + usize::from(winch.is_some());
    if count < 2 {
        let message = format!(
            "the wire `{scoped}` has {count} points, expected two or more of <winch>, <eye>, <fixed>, <clamped>, <free>"
        );
        r.refuse("wire-points", message, &element.location);
    }
    for (number, node) in nodes.iter().enumerate() {
        let is_end = number + 1 == nodes.len() || number == 0 && winch.is_none();
        let fault = match node.kind {
            WireNodeKind::Eye if is_end => "<eye> is at an end of a wire, which it cannot hold",
            WireNodeKind::Link if !is_end => "<clamped> is not at an end of a wire",
            _ => continue,
        };
        r.refuse("misplaced-point", fault.to_owned(), &node.location);
    }
    let material = element.child("material").filter(|e| !e.text.is_empty());
    let wire = WireDescription {
        radius: r.positive(element, "radius").unwrap_or(Setting::default(0.02)),
        resolution: r.positive(element, "resolution").unwrap_or(Setting::default(1.0)),
        collides: r.switch(element, "collide").unwrap_or(Setting::default(false)),
        self_collides: Setting::default(false),
        material: material
            .map_or(Setting::default(DEFAULT.to_owned()), |e| Setting { value: e.text.clone(), origin: e.origin() }),
        is_of_table: material.is_some(),
        density: r.positive(element, "density"),
        friction: r.not_negative(element, "friction"),
        youngs_modulus_stretch: element.child("stretch").and_then(|e| r.positive(e, "youngs_modulus")),
        spook_damping_stretch: element.child("stretch").and_then(|e| r.not_negative(e, "damping_time")),
        youngs_modulus_bend: element.child("bend").and_then(|e| r.not_negative(e, "youngs_modulus")),
        spook_damping_bend: element.child("bend").and_then(|e| r.not_negative(e, "damping_time")),
        winch,
        nodes,
    };
    for part in ["stretch", "bend"] {
        if let Some(child) = element.child(part) {
            r.check_parts(child, &["youngs_modulus", "damping_time"]);
        }
    }
    let location = element.location.clone();
    let kind = DeviceKind::Wire(Box::new(wire));
    r.is_sound.then_some(DeviceDescription { name: scoped, link: usize::MAX, kind, location })
}

struct WireReader<'r, 'f> {
    find: &'r mut FindLink<'f>,
    scope_pose: &'r Pose,
    report: &'r mut Report,
    is_sound: bool,
}

impl WireReader<'_, '_> {
    fn refuse(&mut self, code: &'static str, message: String, at: &Location) {
        self.is_sound = false;
        self.report.add(Diagnostic::error(code, message).at(at));
    }

    fn check_parts(&mut self, element: &Element, known: &[&str]) {
        for child in element.children.iter().filter(|c| !c.is_foreign() && !known.contains(&c.name.as_str())) {
            let owner = element.name.replace('.', ":");
            let message = format!("<{}> is not an element of <{owner}>", child.name);
            let mut finding = Diagnostic::warning("unknown-element", message).at(&child.location).label("skipped");
            finding.help = did_you_mean(&child.name, known.iter().copied());
            self.report.add(finding);
        }
    }

    fn number(
        &mut self,
        element: &Element,
        name: &str,
        fits: impl Fn(f64) -> bool,
        expected: &str,
    ) -> Option<Setting<f64>> {
        let child = element.child(name)?;
        let value = value::real(&child.text).filter(|x| x.is_finite() && fits(*x));
        if value.is_none() {
            let message = format!("<{name}> of a wire is `{}`, expected {expected}", child.text);
            self.refuse("invalid-value", message, &child.location);
        }
        Some(Setting { value: value?, origin: child.origin() })
    }

    fn positive(&mut self, element: &Element, name: &str) -> Option<Setting<f64>> {
        self.number(element, name, |x| x > 0.0, "a number above 0")
    }

    fn not_negative(&mut self, element: &Element, name: &str) -> Option<Setting<f64>> {
        self.number(element, name, |x| x >= 0.0, "a number of 0 or more")
    }

    fn switch(&mut self, element: &Element, name: &str) -> Option<Setting<bool>> {
        let child = element.child(name)?;
        let value = value::boolean(&child.text);
        if value.is_none() {
            let message = format!("<{name}> of a wire is `{}`, expected true or false", child.text);
            self.refuse("invalid-value", message, &child.location);
        }
        Some(Setting { value: value?, origin: child.origin() })
    }

    /// The link of a point, and the point in its frame, or in the world.
    fn place(&mut self, point: &Element) -> (Option<LinkReference>, DVec3) {
        let position = match point.child("position") {
            None => DVec3::ZERO,
            Some(child) => value::vector3(&child.text).filter(|p| p.is_finite()).unwrap_or_else(|| {
                let message = format!("<position> of a wire's point is `{}`, expected three numbers", child.text);
                self.refuse("invalid-value", message, &child.location);
                DVec3::ZERO
            }),
        };
        let Some(attribute) = point.attribute("link").filter(|a| !a.value.trim().is_empty()) else {
            return (None, self.scope_pose.point(position));
        };
        let name = attribute.value.trim();
        if name == "world" {
            return (None, position);
        }
        let link = (self.find)(name, &attribute.location, point, self.report);
        self.is_sound &= link.is_some();
        (Some(LinkReference { name: name.to_owned(), link, location: attribute.location.clone() }), position)
    }

    fn node(&mut self, kind: WireNodeKind, element: &Element) -> WireNodeDescription {
        self.check_parts(element, &["position"]);
        let (link, position) = self.place(element);
        WireNodeDescription {
            kind,
            link,
            position,
            twist_stiffness: None,
            bend_stiffness: None,
            super_bend_replaced_with_bend: None,
            location: element.location.clone(),
        }
    }

    fn winch(&mut self, element: &Element) -> WinchDescription {
        self.check_parts(element, &["position", "stored", "force_range", "brake", "speed", "length"]);
        let (link, position) = self.place(element);
        let force_range = match element.child("force_range") {
            None => Setting::default([f64::NEG_INFINITY, f64::INFINITY]),
            Some(child) => match value::reals(&child.text).as_deref() {
                Some([lo, hi]) if *lo <= 0.0 && *hi >= 0.0 => Setting { value: [*lo, *hi], origin: child.origin() },
                _ => {
                    let message = format!(
                        "<force_range> of a winch is `{}`, expected a number of 0 or less and one of 0 or more [N]",
                        child.text
                    );
                    self.refuse("invalid-value", message, &child.location);
                    Setting::default([0.0; 2])
                }
            },
        };
        let speed = self.number(element, "speed", |_| true, "a number [m/s]");
        let length = self.not_negative(element, "length");
        let control = match (length, &speed) {
            (Some(length), _) => Some(WinchControl::Length {
                length: length.value,
                speed: speed.as_ref().map_or(f64::INFINITY, |speed| speed.value.abs()),
            }),
            (None, Some(speed)) => Some(WinchControl::Speed(speed.value)),
            (None, None) => None,
        };
        WinchDescription {
            link,
            position,
            normal: DVec3::X,
            pulled_in_length: self.not_negative(element, "stored").unwrap_or(Setting::default(0.0)),
            force_range,
            brake: self.not_negative(element, "brake").map_or(0.0, |brake| brake.value),
            control,
        }
    }
}
