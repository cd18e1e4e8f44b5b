//! Devices of the AGX plug-in: every key, with findings for what it cannot be.

use std::collections::BTreeSet;

use stiction::math::DVec3;

use crate::description::{Origin, Setting};
use crate::devices::{
    BreakLimit, BreakableJointDescription, DeviceJointType, DeviceKind, LinkReference, MagneticJointDescription,
    TrackDescription, WinchDescription, WireDescription, WireNodeDescription, WireNodeKind,
};
use crate::diagnostic::{Diagnostic, Location};
use crate::materials::DEFAULT;
use crate::sdf::report::Report;
use crate::suggest::did_you_mean;

use super::body::Body;
use super::fields::Fields;
use super::keys;
use super::link::bound;
use super::pose::AngleUnit;

/// A device of a link, before the names that it has are looked up.
#[derive(Clone, Debug)]
pub(super) struct Device {
    pub(super) name: String,
    pub(super) kind: DeviceKind,
    pub(super) location: Location,
}

/// Reads a device; none, for words that are no device with data of its own.
pub(super) fn read(kind: &str, fields: &Fields<'_>, unit: AngleUnit, report: &mut Report) -> Option<Device> {
    let mut reader = Reader { fields, report };
    let kind = match kind {
        "AGXWireDevice" => DeviceKind::Wire(Box::new(reader.wire())),
        "AGXVehicleContinuousTrackDevice" => DeviceKind::Track(Box::new(reader.track())),
        "AGXBreakableJointDevice" => DeviceKind::BreakableJoint(Box::new(reader.breakable()?)),
        "AGXMagneticJointDevice" => DeviceKind::MagneticJoint(Box::new(reader.magnetic(unit)?)),
        _ => return None,
    };
    let name = fields.text("name", report).unwrap_or("").to_owned();
    Some(Device { name, kind, location: fields.location.clone() })
}

/// An error for each link that a device names and that does not exist.
pub(super) fn check_links(body: &mut Body, report: &mut Report) {
    let names: Vec<String> = body.links.iter().map(|link| link.name.name.clone()).collect();
    let known: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    for device in body.links.iter_mut().flat_map(|link| &mut link.contents.devices) {
        let word = device.kind.word();
        for reference in device.kind.references_mut() {
            if !known.contains(reference.name.as_str()) {
                let message =
                    format!("`{word}` names the link `{}`, which does not exist in this body", reference.name);
                let mut finding = Diagnostic::error("unknown-link", message).at(&reference.location);
                finding.help = did_you_mean(&reference.name, known.iter().copied());
                report.add(finding);
            }
        }
    }
}

struct Reader<'a, 'f, 'r> {
    fields: &'a Fields<'f>,
    report: &'r mut Report,
}

/// Which numbers a key takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Range {
    Any,
    NonNegative,
    Positive,
}

impl Reader<'_, '_, '_> {
    fn check(&mut self, own: &[&'static str]) {
        let known = [keys::NODE, own].concat();
        self.fields.check(&known, &[("node_shape", "how plates look")], self.report);
    }

    /// A number in a range, if it is given.
    fn given(&mut self, key: &str, range: Range) -> Option<Setting<f64>> {
        let node = self.fields.get(key)?;
        let fits = |x: &f64| match range {
            Range::Any => x.is_finite(),
            Range::NonNegative => x.is_finite() && *x >= 0.0,
            Range::Positive => x.is_finite() && *x > 0.0,
        };
        let expected = match range {
            Range::Any => "a finite number",
            Range::NonNegative => "a finite number, 0 or more",
            Range::Positive => "a finite number above 0",
        };
        match node.number().filter(fits) {
            Some(value) => Some(Setting { value, origin: Origin::File(node.location.clone()) }),
            None => {
                self.fields.refuse(key, expected, self.report);
                None
            }
        }
    }

    fn number(&mut self, key: &str, range: Range, default: f64) -> Setting<f64> {
        self.given(key, range).unwrap_or(Setting::default(default))
    }

    fn whole(&mut self, key: &str, most: u32, default: u32) -> Setting<u32> {
        let Some(node) = self.fields.get(key) else { return Setting::default(default) };
        let fits = |x: &f64| x.fract() == 0.0 && (0.0..=f64::from(most)).contains(x);
        match node.number().filter(fits) {
            Some(value) => Setting { value: value as u32, origin: Origin::File(node.location.clone()) },
            None => {
                self.fields.refuse(key, &format!("a whole number from 0 to {most}"), self.report);
                Setting::default(default)
            }
        }
    }

    fn switch(&mut self, key: &str) -> Option<Setting<bool>> {
        let place = self.fields.get(key)?.location.clone();
        self.fields.switch(key, self.report).map(|value| Setting { value, origin: Origin::File(place) })
    }

    fn text(&mut self, key: &str, default: &str) -> Setting<String> {
        match (self.fields.get(key), self.fields.text(key, self.report)) {
            (Some(node), Some(text)) => Setting { value: text.to_owned(), origin: Origin::File(node.location.clone()) },
            _ => Setting::default(default.to_owned()),
        }
    }

    fn range(&mut self, key: &str) -> Setting<[f64; 2]> {
        let free = Setting::default([f64::NEG_INFINITY, f64::INFINITY]);
        let Some(node) = self.fields.get(key) else { return free };
        match force_range(self.fields, key, self.report) {
            Some(value) => Setting { value, origin: Origin::File(node.location.clone()) },
            None => free,
        }
    }

    fn vector(&mut self, key: &str, default: DVec3) -> DVec3 {
        self.fields.vector(key, self.report).unwrap_or(default)
    }

    /// A unit vector.
    fn direction(&mut self, key: &str, default: DVec3) -> DVec3 {
        let Some(given) = self.fields.vector(key, self.report) else { return default };
        given.try_normalize().unwrap_or_else(|| {
            self.fields.refuse(key, "a direction, [ x, y, z ]", self.report);
            default
        })
    }

    fn link(&mut self, key: &str) -> Option<LinkReference> {
        let name = self.fields.text(key, self.report)?;
        let location = self.fields.get(key).map_or(self.fields.location, |node| &node.location);
        Some(LinkReference { name: name.to_owned(), link: None, location: location.clone() })
    }

    /// A link that must be named.
    fn needed_link(&mut self, key: &str) -> Option<LinkReference> {
        if self.fields.get(key).is_none() {
            let message = format!("`{key}` is missing in a device");
            self.report.add(Diagnostic::error("missing-key", message).at(self.fields.location));
        }
        self.link(key)
    }

    fn links(&mut self, key: &str) -> Vec<LinkReference> {
        let words = self.fields.words(key, self.report);
        let of = |(name, place): (&str, &Location)| LinkReference {
            name: name.to_owned(),
            link: None,
            location: place.clone(),
        };
        words.into_iter().map(of).collect()
    }

    /// The meaning of a word.
    fn word<T: Copy>(&mut self, key: &str, words: &[(&'static str, T)], default: T) -> T {
        let Some(word) = self.fields.text(key, self.report) else { return default };
        let found = words.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning);
        found.unwrap_or_else(|| {
            let known = words.iter().map(|(word, _)| *word);
            let help = did_you_mean(word, known.clone());
            let help = help.unwrap_or_else(|| format!("one of: {}", known.collect::<Vec<_>>().join(", ")));
            let place = self.fields.get(key).map_or(self.fields.location, |node| &node.location);
            let message = format!("`{key}` is `{word}`");
            self.report.add(Diagnostic::error("unknown-word", message).at(place).help(help));
            default
        })
    }

    fn wire(&mut self) -> WireDescription {
        self.check(&[
            "radius",
            "resolution_per_unit_length",
            "collision",
            "self_collision",
            "material_name",
            "wire_youngs_modulus_stretch",
            "wire_spook_damping_stretch",
            "wire_youngs_modulus_bend",
            "wire_spook_damping_bend",
            "winch",
            "nodes",
        ]);
        let winch = self.fields.get("winch").and_then(|node| Fields::of(node, "a winch", self.report));
        let winch = winch.map(|fields| Reader { fields: &fields, report: self.report }.winch());
        let mut nodes = Vec::new();
        for node in self.fields.list("nodes", self.report) {
            if let Some(fields) = Fields::of(node, "a node of a wire", self.report) {
                nodes.push(Reader { fields: &fields, report: self.report }.wire_node());
            }
        }
        WireDescription {
            radius: self.number("radius", Range::Positive, 0.1),
            resolution: self.number("resolution_per_unit_length", Range::Positive, 1.0),
            collides: self.switch("collision").unwrap_or(Setting::default(true)),
            self_collides: self.switch("self_collision").unwrap_or(Setting::default(false)),
            material: self.text("material_name", DEFAULT),
            is_of_table: true,
            density: None,
            friction: None,
            youngs_modulus_stretch: self.given("wire_youngs_modulus_stretch", Range::Positive),
            spook_damping_stretch: self.given("wire_spook_damping_stretch", Range::NonNegative),
            youngs_modulus_bend: self.given("wire_youngs_modulus_bend", Range::NonNegative),
            spook_damping_bend: self.given("wire_spook_damping_bend", Range::NonNegative),
            winch,
            nodes,
        }
    }

    fn winch(&mut self) -> WinchDescription {
        self.fields.check(
            &["link_name", "position", "normal", "pulled_in_length", "haul_force_range"],
            &[],
            self.report,
        );
        WinchDescription {
            link: self.needed_link("link_name"),
            position: self.vector("position", DVec3::ZERO),
            normal: self.direction("normal", DVec3::X),
            pulled_in_length: self.number("pulled_in_length", Range::NonNegative, 0.0),
            force_range: self.range("haul_force_range"),
            brake: 0.0,
            control: None,
        }
    }

    fn wire_node(&mut self) -> WireNodeDescription {
        const KINDS: [(&str, WireNodeKind); 3] =
            [("free", WireNodeKind::Free), ("fixed", WireNodeKind::Fixed), ("link", WireNodeKind::Link)];
        const KNOWN: [&str; 6] =
            ["type", "link_name", "position", "twist_stiffness", "bend_stiffness", "super_bend_replaced_with_bend"];
        self.fields.check(&KNOWN, &[], self.report);
        let kind = self.word("type", &KINDS, WireNodeKind::Free);
        let link = if kind == WireNodeKind::Link { self.needed_link("link_name") } else { self.link("link_name") };
        WireNodeDescription {
            kind,
            link,
            position: self.vector("position", DVec3::ZERO),
            twist_stiffness: self.given("twist_stiffness", Range::NonNegative),
            bend_stiffness: self.given("bend_stiffness", Range::NonNegative),
            super_bend_replaced_with_bend: self.switch("super_bend_replaced_with_bend"),
            location: self.fields.location.clone(),
        }
    }

    fn track(&mut self) -> TrackDescription {
        /// Numbers, then switches.
        const MERGING: [&str; 9] = [
            "nodes_to_wheels_merge_threshold",
            "nodes_to_wheels_merge_treshold",
            "nodes_to_wheels_split_threshold",
            "num_nodes_per_merge_segment",
            "lock_to_reach_merge_condition_compliance",
            "lock_to_reach_merge_condition_spook_damping",
            "max_angle_merge_condition",
            "enable_merge",
            "enable_lock_to_reach_merge_condition",
        ];
        const OWN: [&str; 17] = [
            "sprocket_names",
            "idler_names",
            "roller_names",
            "guide_names",
            "up_axis",
            "number_of_nodes",
            "node_thickness",
            "node_width",
            "node_distance_tension",
            "node_thicker_thickness",
            "use_thicker_node_every",
            "hinge_compliance",
            "hinge_spook_damping",
            "min_stabilizing_hinge_normal_force",
            "stabilizing_hinge_friction_parameter",
            "material",
            "contact_reduction",
        ];
        self.check(&[&OWN[..], &MERGING].concat());
        // Keys without a part in the motion here.
        let merging = MERGING.map(|key| (key, "merging of its plates with each other and with wheels"));
        let reduction = ("contact_reduction", "contact reduction of its own; that of the contact material is used");
        for (key, meaning) in merging.into_iter().chain([reduction]) {
            if let Some(node) = self.fields.get(key) {
                let message = format!("`{key}` has no effect: a track has no {meaning}");
                let place = &node.location;
                self.report
                    .once(format!("{key}@{}", place.file.display()), Diagnostic::note("device", message).at(place));
            }
        }
        let mut merging = Vec::new();
        for key in MERGING {
            let value = if key.starts_with("enable_") {
                self.switch(key).map(|on| Setting { value: f64::from(u8::from(on.value)), origin: on.origin })
            } else {
                self.given(key, Range::Any)
            };
            merging.extend(value.map(|value| (key, value)));
        }
        TrackDescription {
            sprockets: self.links("sprocket_names"),
            idlers: self.links("idler_names"),
            rollers: self.links("roller_names"),
            guides: self.links("guide_names"),
            up_axis: self.direction("up_axis", DVec3::Z),
            nodes: self.whole("number_of_nodes", 100_000, 50),
            node_thickness: self.number("node_thickness", Range::Positive, 0.075),
            node_width: self.number("node_width", Range::Positive, 0.6),
            node_distance_tension: self.number("node_distance_tension", Range::Any, 5e-3),
            thicker_thickness: self.number("node_thicker_thickness", Range::Positive, 0.09),
            thicker_every: self.whole("use_thicker_node_every", 100_000, 0),
            hinge_compliance: self.number("hinge_compliance", Range::NonNegative, 1e-10),
            hinge_spook_damping: self.number("hinge_spook_damping", Range::NonNegative, 0.0333),
            min_stabilizing_normal_force: self.number("min_stabilizing_hinge_normal_force", Range::NonNegative, 100.0),
            stabilizing_friction: self.number("stabilizing_hinge_friction_parameter", Range::NonNegative, 1.5),
            material: self.text("material", DEFAULT),
            contact_reduction: self.whole("contact_reduction", 3, 1),
            merging,
        }
    }

    fn breakable(&mut self) -> Option<BreakableJointDescription> {
        const TYPES: [(&str, DeviceJointType); 3] = [
            ("revolute", DeviceJointType::Revolute),
            ("prismatic", DeviceJointType::Prismatic),
            ("fixed", DeviceJointType::Fixed),
        ];
        self.check(&[
            "link1_name",
            "link2_name",
            "joint_type",
            "position",
            "joint_axis",
            "break_type",
            "break_limit_force",
            "period",
            "break_limit_impulse",
            "offset_force",
            "valid_axis",
            "signed_axis",
            "joint_compliance",
            "joint_spook_damping",
        ]);
        let links = [self.needed_link("link1_name"), self.needed_link("link2_name")];
        let is_impulse = self.word("break_type", &[("force", false), ("impulse", true)], false);
        let limit = self.number("break_limit_force", Range::NonNegative, f64::INFINITY);
        let period = self.number("period", Range::NonNegative, 0.0);
        let impulse = self.number("break_limit_impulse", Range::NonNegative, f64::INFINITY);
        let joint = BreakableJointDescription {
            joint_type: self.word("joint_type", &TYPES, DeviceJointType::Fixed),
            position: self.vector("position", DVec3::ZERO),
            axis: self.direction("joint_axis", DVec3::Z),
            limit: if is_impulse { BreakLimit::Impulse(impulse) } else { BreakLimit::Force { limit, period } },
            offset_force: self.number("offset_force", Range::Any, 0.0),
            valid_axis: self.vector("valid_axis", DVec3::ZERO),
            is_signed: self.switch("signed_axis").unwrap_or(Setting::default(false)),
            compliance: self.number("joint_compliance", Range::NonNegative, 1e-8),
            spook_damping: self.number("joint_spook_damping", Range::NonNegative, 0.0333),
            links: links.into_iter().collect::<Option<Vec<_>>>()?,
        };
        Some(joint)
    }

    fn magnetic(&mut self, unit: AngleUnit) -> Option<MagneticJointDescription> {
        self.check(&[
            "link1_name",
            "link2_name",
            "position1",
            "position2",
            "connect_axis1",
            "connect_axis2",
            "valid_distance",
            "valid_angle",
            "joint_compliance",
            "joint_spook_damping",
        ]);
        let links = [self.needed_link("link1_name"), self.needed_link("link2_name")];
        let mut angle = self.number("valid_angle", Range::NonNegative, 0.0);
        angle.value *= unit.0;
        Some(MagneticJointDescription {
            positions: [self.vector("position1", DVec3::ZERO), self.vector("position2", DVec3::ZERO)],
            axes: [self.direction("connect_axis1", DVec3::Z), self.direction("connect_axis2", DVec3::Z)],
            valid_distance: self.number("valid_distance", Range::NonNegative, 0.0),
            valid_angle: angle,
            compliance: self.number("joint_compliance", Range::NonNegative, 1e-8),
            spook_damping: self.number("joint_spook_damping", Range::NonNegative, 0.0333),
            links: links.into_iter().collect::<Option<Vec<_>>>()?,
        })
    }
}

/// `[ low, high ]` around 0, or one number for both sides.
pub(super) fn force_range(fields: &Fields<'_>, key: &str, report: &mut Report) -> Option<[f64; 2]> {
    let node = fields.get(key)?;
    let range = match node.items() {
        Some([low, high]) => bound(low, 1.0).zip(bound(high, 1.0)).map(|(low, high)| [low, high]),
        Some(_) => None,
        None => bound(node, 1.0).map(|bound| [-libm::fabs(bound), libm::fabs(bound)]),
    };
    let range = range.filter(|[low, high]| low <= high && *low <= 0.0 && *high >= 0.0);
    if range.is_none() {
        fields.refuse(key, "[ low, high ] with 0 between them, or a number for both sides", report);
    }
    range
}
