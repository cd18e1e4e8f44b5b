//! From the finished tree to the description of the world.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use stiction::math::Pose;

use crate::LoadOptions;
use crate::description::{
    JointDescription, LinkDescription, ModelDescription, OwnMaterialDescription, Setting, WorldDescription,
};
use crate::devices::DeviceDescription;
use crate::diagnostic::{Diagnostic, Location};
use crate::sensors::SensorsDescription;
use crate::wheel_slip::WheelSlipDescription;

use super::collision;
use super::commanded;
use super::cosmetic;
use super::drake;
use super::element::{Element, Payload};
use super::frames::{Body, Frames, Target};
use super::geometry::Meshes;
use super::inertia;
use super::initial_position;
use super::joint::JointInScope;
use super::physics;
use super::plugins::{self, Skipped};
use super::read::{Reader, pose_of};
use super::report::Report;
use super::scope::{self, Kind, Reference, Scope};
use super::search::SearchPath;
use super::sensors;
use super::value;
use super::wheel_slip;
use super::wire;

/// Reads the world; everything that is wrong with it is in the report.
pub(crate) fn interpret(
    world: &Element,
    search: &SearchPath,
    meshes: Meshes,
    options: &LoadOptions,
    report: &mut Report,
) -> WorldDescription {
    let mut frames = Frames::new(scope::build(world, report));
    frames.check_references(report);
    frames.check_attachments(report);
    let mut skipped = Skipped::default();
    skip_world_parts(world, &mut skipped, report);
    cosmetic::check_world(world, report);
    let mut description = WorldDescription {
        name: world.named().to_owned(),
        gravity: Reader::new(Some(world), "world").vector("gravity"),
        wind: plugins::wind(world, report),
        physics: physics::read(world, report),
        models: Vec::new(),
        links: Vec::new(),
        joints: Vec::new(),
        commanded_joints: Vec::new(),
        skipped: Vec::new(),
        material_table: world
            .child("stiction.material_table")
            .map(|e| Setting { value: beside(&e.location.file, &e.text), origin: e.origin() }),
        own_materials: Vec::new(),
        devices: Vec::new(),
        excluded_pairs: Vec::new(),
        wheel_slips: Vec::new(),
        plugins: Vec::new(),
        sensors: SensorsDescription {
            list: Vec::new(),
            unread: Vec::new(),
            magnetic_field: Reader::new(Some(world), "world").vector("magnetic_field"),
            spherical_coordinates: sensors::spherical_coordinates(world, report),
        },
        started_joints: Vec::new(),
    };
    let mut wires = Vec::new();
    let mut builder = Builder {
        frames: &mut frames,
        search,
        meshes,
        report,
        skipped: &mut skipped,
        poses: Vec::new(),
        contacts: Vec::new(),
    };
    for scope in 0..builder.frames.all.scopes.len() {
        builder.model(scope, &mut description);
    }
    builder.links_and_joints(0, &mut description);
    builder.wires(&mut wires);
    sensors::find_contacts(&mut description, &builder.contacts, builder.report);
    sensors::set_aside(&mut description, &frames.all.scopes);
    initial_position::apply(&mut description, options, report);
    description.excluded_pairs = excluded_pairs(&frames, &description);
    description.own_materials = own_materials(&frames);
    description.devices = devices(&frames, &description);
    description.devices.append(&mut wires);
    description.wheel_slips = wheel_slips(&frames, &description, report);
    description.commanded_joints = commanded::read(&frames.all.scopes, &description);
    description.plugins = plugins::read(&frames.all.scopes, &description, report);
    description.skipped = skipped.into_elements();
    description
}

fn skip_world_parts(world: &Element, skipped: &mut Skipped, report: &mut Report) {
    skipped.add_plugins(world);
    for child in &world.children {
        match child.name.as_str() {
            "actor" => skipped.add_element("world::actor", "an animated figure", child),
            "population" => skipped.add_element("world::population", "copies of a model", child),
            "state" => skipped.add_element("world::state", "saved poses and velocities", child),
            "light" => cosmetic::check_below(child, report),
            "scene" => cosmetic::check_below(child, report),
            _ => {}
        }
    }
}

/// A path that a file names, from the folder of the file.
fn beside(file: &Path, path: &str) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).join(path.trim())
}

/// `<stiction:own_material>` of links, and the name in the scope of each that its collisions give it.
fn own_materials(frames: &Frames<'_>) -> Vec<OwnMaterialDescription> {
    let mut materials = Vec::new();
    for scope in frames.all.scopes.iter().filter(|scope| !scope.is_world()) {
        for link in scope.element.children_named("link") {
            let Some(own) = link.child(collision::OWN_MATERIAL) else { continue };
            let value = |e: &Element| {
                let value = value::real(&e.text).filter(|value| value.is_finite())?;
                Some((e.name.clone(), Setting { value, origin: e.origin() }))
            };
            let name = scope.scoped(link.named());
            materials.push(OwnMaterialDescription { name, values: own.children.iter().filter_map(value).collect() });
        }
    }
    materials
}

/// Devices of links, with the links that they name in the same model.
fn devices(frames: &Frames<'_>, world: &WorldDescription) -> Vec<DeviceDescription> {
    let links: BTreeMap<&str, usize> = world.links.iter().enumerate().map(|(i, l)| (l.name.as_str(), i)).collect();
    let mut devices = Vec::new();
    for scope in frames.all.scopes.iter().filter(|scope| !scope.is_world()) {
        let find = |name: &str| links.get(scope.scoped(name).as_str()).copied();
        for link in scope.element.children_named("link") {
            for child in &link.children {
                let (Some(Payload::Device(device)), Some(index)) = (&child.payload, find(link.named())) else {
                    continue;
                };
                let mut device = DeviceDescription { link: index, ..(**device).clone() };
                for reference in device.kind.references_mut() {
                    reference.link = find(&reference.name);
                }
                devices.push(device);
            }
        }
    }
    devices
}

/// Wheels of the plugins `WheelSlip` of all models.
fn wheel_slips(frames: &Frames<'_>, world: &WorldDescription, report: &mut Report) -> Vec<WheelSlipDescription> {
    let links: BTreeMap<&str, usize> = world.links.iter().enumerate().map(|(i, l)| (l.name.as_str(), i)).collect();
    let models = frames.all.scopes.iter().filter(|scope| !scope.is_world());
    let find = |scope: &Scope<'_>, name: &str| links.get(scope.scoped(name).as_str()).copied();
    models.flat_map(|scope| wheel_slip::read(scope.element, world, &|name| find(scope, name), report)).collect()
}

/// Pairs of links that `<stiction:no_collision first= second=>` of a model names.
fn excluded_pairs(frames: &Frames<'_>, world: &WorldDescription) -> Vec<[usize; 2]> {
    let links: BTreeMap<&str, usize> = world.links.iter().enumerate().map(|(i, l)| (l.name.as_str(), i)).collect();
    let mut pairs = Vec::new();
    for scope in frames.all.scopes.iter().filter(|scope| !scope.is_world()) {
        for pair in scope.element.children_named("stiction.no_collision") {
            let link = |which: &str| links.get(scope.scoped(pair.value(which)?).as_str()).copied();
            if let (Some(a), Some(b)) = (link("first"), link("second")) {
                pairs.push([a.min(b), a.max(b)]);
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

struct Builder<'b, 'a> {
    frames: &'b mut Frames<'a>,
    search: &'b SearchPath,
    meshes: Meshes,
    report: &'b mut Report,
    skipped: &'b mut Skipped,
    /// Pose of every scope in the world.
    poses: Vec<Pose>,
    /// Sensors of links by their number, with their elements.
    contacts: Vec<(usize, &'a Element)>,
}

impl<'a> Builder<'_, 'a> {
    /// Model of a scope; scopes come in the order of the models, the world before them.
    fn model(&mut self, scope: usize, world: &mut WorldDescription) {
        let Some((outer, entry)) = self.frames.all.scopes[scope].parent else {
            self.poses.push(Pose::IDENTITY);
            return;
        };
        let in_outer = self.frames.pose(outer, Target::Entry(outer, entry), self.report).unwrap_or(Pose::IDENTITY);
        let pose = self.poses[outer].compose(&in_outer);
        self.poses.push(pose);
        let element = self.frames.all.scopes[scope].element;
        let r = Reader::new(Some(element), "model");
        let parent = outer.checked_sub(1);
        let is_static = r.boolean("static").value || parent.is_some_and(|p| world.models[p].is_static);
        let canonical_link = self.canonical(scope, is_static);
        self.skipped.add_plugins(element);
        for gripper in element.children_named("gripper") {
            self.skipped.add_element("model::gripper", "fixes what the fingers hold", gripper);
        }
        self.skipped.add_foreign(element);
        let own_sleep = r.boolean("allow_auto_disable");
        let around = parent.map(|p| &world.models[p]);
        let allow_auto_disable =
            around.filter(|_| !own_sleep.is_given()).map_or(own_sleep.value, |outer| outer.allow_auto_disable);
        let initial_velocity =
            plugins::initial_velocity(element, self.report).or_else(|| around.and_then(|outer| outer.initial_velocity));
        world.models.push(ModelDescription {
            name: self.frames.all.scopes[scope].name.clone(),
            parent,
            pose,
            is_static,
            allow_auto_disable,
            canonical_link,
            initial_velocity,
            location: element.location.clone(),
        });
    }

    fn canonical(&mut self, scope: usize, is_static: bool) -> Option<usize> {
        let element = self.frames.all.scopes[scope].element;
        if let Some(attribute) = element.attribute("canonical_link").filter(|a| !a.value.trim().is_empty()) {
            let name = attribute.value.trim();
            let target = self.frames.find(scope, name).filter(|t| is_link(self.frames, *t));
            let Some(target) = target else {
                let reference = Reference { name: name.to_owned(), location: attribute.location.clone() };
                self.frames.report_unknown("canonical_link", scope, &reference, element, self.report);
                return None;
            };
            return body_link(self.frames.body(target));
        }
        let link = self.frames.canonical(scope).and_then(|t| body_link(self.frames.body(t)));
        let holds_any =
            self.frames.all.scopes[scope].entries.iter().any(|e| matches!(e.kind, Kind::Link(_) | Kind::Model(_)));
        if !holds_any && !is_static {
            let message = format!("model `{}` has no link", self.frames.all.scopes[scope].name);
            self.report.tolerated(
                Diagnostic::error("no-link", message)
                    .at(element.place())
                    .help("a model that is not static has at least one <link>")
                    .element(element.path.as_str()),
            );
        }
        link
    }

    /// Links and joints of a scope and of the models in it, in the order of the file.
    fn links_and_joints(&mut self, scope: usize, world: &mut WorldDescription) {
        for entry in 0..self.frames.all.scopes[scope].entries.len() {
            let found = &self.frames.all.scopes[scope].entries[entry];
            let element = found.element;
            match found.kind {
                Kind::Link(_) => {
                    let link = self.link(scope, entry, element, world);
                    self.link_sensors(scope, element, &link, world);
                    world.links.push(link);
                }
                Kind::Joint(_) => {
                    let joint = JointInScope {
                        scope,
                        element,
                        scope_pose: self.poses[scope],
                        pose: self.world_pose(scope, entry),
                    };
                    if let Some(read) = joint.read(self.frames, self.report) {
                        self.joint_sensors(scope, element, &read, world);
                        world.joints.push(read);
                    }
                }
                // The pose is asked for so that a cycle is reported even where nothing needs the frame.
                Kind::Frame => {
                    self.frames.pose(scope, Target::Entry(scope, entry), self.report);
                }
                Kind::Model(inner) => self.links_and_joints(inner, world),
            }
        }
    }

    /// `<stiction:wire>` of the world and of models.
    fn wires(&mut self, wires: &mut Vec<DeviceDescription>) {
        for scope in 0..self.frames.all.scopes.len() {
            let element = self.frames.all.scopes[scope].element;
            let mut first: BTreeMap<&str, &Element> = BTreeMap::new();
            for child in element.children_named(wire::WIRE) {
                if let Some(first) = first.insert(child.named(), child) {
                    scope::report_duplicate(child, first, self.report);
                    continue;
                }
                let frames = &*self.frames;
                let mut find = |name: &str, location: &Location, point: &Element, report: &mut Report| {
                    let reference = Reference { name: name.to_owned(), location: location.clone() };
                    let target = frames.find(scope, name).filter(|target| is_link(frames, *target));
                    if target.is_none() {
                        frames.report_unknown("link", scope, &reference, point, report);
                    }
                    body_link(frames.body(target?))
                };
                let name = frames.all.scopes[scope].scoped(child.named());
                wires.extend(wire::read(child, name, &self.poses[scope], &mut find, self.report));
            }
        }
    }

    fn world_pose(&mut self, scope: usize, entry: usize) -> Pose {
        let in_scope = self.frames.pose(scope, Target::Entry(scope, entry), self.report).unwrap_or(Pose::IDENTITY);
        self.poses[scope].compose(&in_scope)
    }

    fn link(&mut self, scope: usize, entry: usize, element: &'a Element, world: &WorldDescription) -> LinkDescription {
        let model = scope - 1;
        let name = self.frames.all.scopes[scope].scoped(element.named());
        let pose = self.world_pose(scope, entry);
        let collisions = self.collisions(scope, element, &name, &pose);
        cosmetic::check_link(element, self.report);
        self.skip_link_parts(scope, element);
        let r = Reader::new(Some(element), "link");
        let (own, own_wind) = (r.boolean("self_collide"), r.boolean("enable_wind"));
        LinkDescription {
            inertial: inertia::read(element, &collisions, world.models[model].is_static, self.report),
            name,
            model,
            pose,
            gravity: r.boolean("gravity"),
            self_collide: if own.is_given() { own } else { self.of_models(scope, "self_collide") },
            enable_wind: if own_wind.is_given() { own_wind } else { self.of_models(scope, "enable_wind") },
            kinematic: r.boolean("kinematic"),
            velocity_decay: [r.real("velocity_decay/linear"), r.real("velocity_decay/angular")],
            collisions,
            sensors: element.children_named("sensor").map(|s| s.value("type").unwrap_or("").to_owned()).collect(),
            lumped_into: None,
            is_fixed_to_world: false,
            location: element.location.clone(),
        }
    }

    /// A flag of the next model around that has it.
    fn of_models(&self, scope: usize, name: &str) -> Setting<bool> {
        let mut scope = scope;
        loop {
            let here = &self.frames.all.scopes[scope];
            let flag = Reader::new(Some(here.element), "model").boolean(name);
            match here.parent {
                Some((outer, _)) if !flag.is_given() && !self.frames.all.scopes[outer].is_world() => scope = outer,
                _ => return flag,
            }
        }
    }

    fn collisions(
        &mut self,
        scope: usize,
        link: &'a Element,
        name: &str,
        link_pose: &Pose,
    ) -> Vec<crate::description::CollisionDescription> {
        let mut collisions = Vec::new();
        let mut seen: std::collections::BTreeMap<&str, &Element> = std::collections::BTreeMap::new();
        for element in link.children_named("collision") {
            let own = element.named();
            if own.is_empty() {
                self.report.add(
                    Diagnostic::error("missing-name", "<collision> has no name")
                        .at(&element.location)
                        .element(element.path.as_str()),
                );
                continue;
            }
            if let Some(first) = seen.get(own) {
                scope::report_duplicate(element, first, self.report);
                continue;
            }
            seen.insert(own, element);
            scope::check_reserved(element, self.report);
            let pose = self.pose_in_link(scope, element, link_pose);
            let full = format!("{name}::{own}");
            let mut read = collision::read(element, full, pose, self.search, &mut self.meshes, self.report);
            read.material = read.material.or_else(|| collision::material(link));
            // The link's own material goes by the name of the link.
            if let Some(material) = link.child(collision::OWN_MATERIAL) {
                read.material = Some(Setting { value: name.to_owned(), origin: material.origin() });
            }
            if let Some(fdir1) = collision::fdir1_frame(element)
                && let Some(frame) = self.named_frame(scope, fdir1, "expressed_in")
            {
                let in_collision = link_pose.compose(&pose).inverse().compose(&frame);
                collision::turn_fdir1(&mut read, &in_collision);
            }
            for hydroelastic in drake::hydroelastic(element) {
                self.skipped.add_named("collision", "hydroelastic contact; point contact is used", hydroelastic);
            }
            if let Some(soft) = element.find("surface/soft_contact") {
                self.skipped.add_element("surface::soft_contact", "deformable bodies", soft);
            }
            if let Some(own) = element.child("auto_inertia_params") {
                self.skipped.add_element("collision::auto_inertia_params", EXACT_INERTIA, own);
            }
            collisions.push(read);
        }
        collisions
    }

    /// Sensors of a link that is the next one.
    fn link_sensors(
        &mut self,
        scope: usize,
        element: &'a Element,
        link: &LinkDescription,
        world: &mut WorldDescription,
    ) {
        for sensor in element.children_named("sensor") {
            let mount = sensors::Mount {
                holder: &link.name,
                pose: self.pose_in_link(scope, sensor, &link.pose),
                link: Some(world.links.len()),
                joint: None,
            };
            let all = &mut world.sensors;
            if let Some(read) = sensors::read(sensor, &mount, &mut all.unread, self.skipped, self.report) {
                self.contacts.push((all.list.len(), sensor));
                all.list.push(read);
            }
        }
    }

    /// Sensors of a joint that is the next one.
    fn joint_sensors(
        &mut self,
        scope: usize,
        element: &'a Element,
        joint: &JointDescription,
        world: &mut WorldDescription,
    ) {
        for sensor in element.children_named("sensor") {
            self.skipped.add_plugins(sensor);
            let mount = sensors::Mount {
                holder: &joint.name,
                pose: self.pose_in_link(scope, sensor, &joint.pose),
                link: joint.child,
                joint: Some(world.joints.len()),
            };
            let all = &mut world.sensors;
            all.list.extend(sensors::read(sensor, &mount, &mut all.unread, self.skipped, self.report));
        }
    }

    /// Pose of a collision or sensor in its link or joint, which may be given relative to any frame of the model.
    fn pose_in_link(&mut self, scope: usize, element: &Element, link_pose: &Pose) -> Pose {
        let raw = pose_of(element);
        let frame = element.child("pose").and_then(|p| self.named_frame(scope, p, "relative_to"));
        match frame {
            Some(frame) => link_pose.inverse().compose(&frame.compose(&raw)),
            None => raw,
        }
    }

    /// World pose of the frame that an attribute names; `None` without the attribute, or if there is no such frame.
    fn named_frame(&mut self, scope: usize, element: &Element, attribute: &str) -> Option<Pose> {
        // Namespaced spellings, such as `gz:expressed_in`, count.
        let found = element.attributes.iter().find(|a| {
            (a.name == attribute || a.name.ends_with(&format!(".{attribute}"))) && !a.value.trim().is_empty()
        })?;
        let reference = Reference { name: found.value.trim().to_owned(), location: found.location.clone() };
        let Some(target) = self.frames.find(scope, &reference.name) else {
            self.frames.report_unknown(attribute, scope, &reference, element, self.report);
            return None;
        };
        let pose = self.frames.pose(scope, target, self.report)?;
        Some(self.poses[scope].compose(&pose))
    }

    /// The frame that an IMU's own orientation is measured from.
    fn check_sensor_frame(&mut self, scope: usize, sensor: &Element) {
        let rpy = sensor.find("imu/orientation_reference_frame/custom_rpy");
        let Some(attribute) = rpy.and_then(|r| r.attribute("parent_frame")) else { return };
        let name = attribute.value.trim();
        if !name.is_empty() && name != "world" && self.frames.find(scope, name).is_none() {
            let reference = Reference { name: name.to_owned(), location: attribute.location.clone() };
            self.frames.report_unknown("parent_frame", scope, &reference, sensor, self.report);
        }
    }

    fn skip_link_parts(&mut self, scope: usize, link: &Element) {
        self.skipped.add_plugins(link);
        for child in &link.children {
            match child.name.as_str() {
                "sensor" => {
                    self.skipped.add_plugins(child);
                    self.check_sensor_frame(scope, child);
                }
                "inertial" => {
                    if let Some(own) = child.child("auto_inertia_params") {
                        self.skipped.add_element("inertial::auto_inertia_params", EXACT_INERTIA, own);
                    }
                }
                "battery" => self.skipped.add_element("link::battery", "a battery", child),
                _ => {}
            }
        }
    }
}

/// Why settings of another program's integration have no effect.
const EXACT_INERTIA: &str = "settings of a numerical integration; closed shapes are integrated exactly";

fn is_link(frames: &Frames<'_>, target: Target) -> bool {
    matches!(target, Target::Entry(s, e) if matches!(frames.all.scopes[s].entries[e].kind, Kind::Link(_)))
}

const fn body_link(body: Option<Body>) -> Option<usize> {
    match body {
        Some(Body::Link(index)) => Some(index),
        _ => None,
    }
}
