//! A `.cnoid` project: the world of its items.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use stiction::math::{DQuat, DVec3, Pose};
use stiction::world::Preset;

use crate::diagnostic::{Diagnostic, Location};
use crate::materials::{Defaults, MaterialOptions, MaterialTable};
use crate::sdf::element::Element;
use crate::sdf::files::{or_current, read_text};
use crate::sdf::physics::{REDUCTION_BINS, REDUCTION_THRESHOLD};
use crate::sdf::report::Report;
use crate::source::Sources;
use crate::suggest::did_you_mean;
use crate::yaml::Node;

use super::FileKind;
use super::body::BodyReader;
use super::emit::{self, Placement};
use super::fields::{Fields, snake};
use super::pose;

/// Gravity \[m/s²\] of a simulator that says nothing.
const GRAVITY: &str = "0 0 -9.80665";
/// Step \[s\] of a simulator that says nothing.
const STEP: f64 = 1e-3;

/// Class of the items that simulate by AGX.
const AGX: &str = "AGXSimulatorItem";

/// Items that only order others.
const FOLDERS: [&str; 4] = ["RootItem", "FolderItem", "GroupItem", "SceneItem"];
/// Keys of a body item that are read.
const BODY_KEYS: [&str; 13] = [
    "model_file",
    "file",
    "root_position",
    "root_translation",
    "root_attitude",
    "root_rotation",
    "joint_positions",
    "joint_displacements",
    "static_model",
    "fix_root",
    "collision_detection",
    "self_collision_detection",
    "format",
];
/// Keys of a body item that are known and say nothing about the motion.
const BODY_KEYS_WITHOUT_EFFECT: [&str; 14] = [
    "current_base_link",
    "initial_root_position",
    "initial_root_translation",
    "initial_root_attitude",
    "initial_root_rotation",
    "initial_joint_positions",
    "initial_joint_displacements",
    "zmp",
    "is_editable",
    "location_editable",
    "scene_sensitive",
    "multiplexing_number",
    "root_fixed",
    "transparency",
];
/// Keys of AGX's simulator item that have no part yet, with the values that change nothing.
const SOLVER_KEYS: [(&str, &str); 4] =
    [("num_threads", "1"), ("contact_warmstarting", "false"), ("auto_sleep", "false"), ("amor", "false")];

/// Keys of AGX's simulator items: those that are read, and those of Choreonoid's clocks and recordings.
const SIMULATOR_KEYS: [&str; 24] = [
    "time_step",
    "timestep",
    "frame_rate",
    "framerate",
    "gravity",
    "num_threads",
    "contact_reduction",
    "contact_reduction_bin_resolution",
    "contact_reduction_threshhold",
    "contact_warmstarting",
    "auto_sleep",
    "amor",
    "save_to_agxfile_on_start",
    "recording",
    "time_length",
    "time_range_mode",
    "time_sync_mode",
    "realtime_sync",
    "recording_mode",
    "record_collision_data",
    "controller_threads",
    "controller_options",
    "all_link_position_output_mode",
    "device_state_output",
];

/// The `<world>` of a project.
pub(super) fn world(
    path: &Path,
    node: &Node,
    sources: &mut Sources,
    materials: &MaterialOptions,
    report: &mut Report,
) -> Result<Element, Box<Diagnostic>> {
    let root = node.mapping().and_then(|mapping| mapping.get("items"));
    let Some(items) = root else {
        let message = "the project has no `items`";
        return Err(Box::new(Diagnostic::error("not-a-project", message).at(&node.location)));
    };
    let mut found = Items::default();
    found.collect(items, 0, report);
    let simulator = found.simulator(&checked(node));
    let number = found.choose_world(simulator, report);
    let mut world = Element::new("world", &node.location);
    let name = path.file_stem().map_or_else(|| "project".to_owned(), |stem| stem.to_string_lossy().into_owned());
    world.set_attribute("name", &name, &node.location);
    let mut loader = Loader { path, sources, report, defaults: materials.defaults, names: BTreeSet::new() };
    let table = found.worlds.iter().find(|item| item.world == number);
    let table = table.and_then(|item| loader.material_table(item, &mut world));
    let table = Rc::new(materials.in_force(table));
    loader.simulator(&found, simulator, &mut world);
    for item in &found.bodies {
        world.children.extend(loader.body(item, &table)?);
    }
    Ok(world)
}

/// An item and its data.
#[derive(Clone, Copy)]
struct Item<'a> {
    id: Option<f64>,
    name: &'a str,
    class: &'a str,
    data: Option<Fields<'a>>,
    location: &'a Location,
    /// Number of the world item around it, from 1; 0 for none.
    world: usize,
}

/// The items of a project that mean something.
#[derive(Default)]
struct Items<'a> {
    worlds: Vec<Item<'a>>,
    bodies: Vec<Item<'a>>,
    simulators: Vec<Item<'a>>,
}

impl<'a> Items<'a> {
    fn collect(&mut self, node: &'a Node, around: usize, report: &mut Report) {
        let Some(fields) = Fields::of(node, "an item", report) else { return };
        let class = fields.text("class", report).unwrap_or("");
        let name = fields.text("name", report).unwrap_or("");
        let data = fields.get("data").and_then(|data| Fields::of(data, "`data`", report));
        let id = fields.get("id").and_then(Node::number);
        let place = fields.get("class").map_or(fields.location, |node| &node.location);
        let world = if class == "WorldItem" { self.worlds.len() + 1 } else { around };
        let item = Item { id, name, class, data, location: place, world };
        match class {
            "WorldItem" => self.worlds.push(item),
            "BodyItem" => self.bodies.push(item),
            class if class.ends_with("SimulatorItem") && class != "SubSimulatorItem" => self.simulators.push(item),
            class if FOLDERS.contains(&class) => {}
            class if class.contains("Controller") => {
                let message = format!("the controller `{name}` ({class}) is a program of Choreonoid: it does not run");
                report.add(Diagnostic::note("controller", message).at(place));
            }
            class => {
                let message = format!("items of class `{class}` have no part in the motion");
                report.once(class, Diagnostic::note("item", message).at(place));
            }
        }
        for child in fields.list("children", report) {
            self.collect(child, world, report);
        }
    }

    /// The simulator that is checked, else the first.
    fn simulator(&self, checked: &[f64]) -> Option<Item<'a>> {
        let is_checked = |item: &&Item<'_>| item.id.is_some_and(|id| checked.contains(&id));
        self.simulators.iter().find(is_checked).or_else(|| self.simulators.first()).copied()
    }

    /// The number of the world that is simulated: that of the simulator, else the first. Bodies of others are left out.
    fn choose_world(&mut self, simulator: Option<Item<'a>>, report: &mut Report) -> usize {
        let number = simulator.map(|item| item.world).filter(|number| *number > 0).unwrap_or(1);
        for other in self.worlds.iter().filter(|item| item.world != number) {
            let message =
                format!("the world `{}` and its bodies are left out: the simulator is in another", other.name);
            report.add(Diagnostic::note("several-worlds", message).at(other.location));
        }
        self.bodies.retain(|item| item.world == number || item.world == 0);
        number
    }
}

/// Numbers of the items that are checked in the tree of items.
fn checked(project: &Node) -> Vec<f64> {
    let views = project.mapping().and_then(|mapping| mapping.get("views")).and_then(|views| views.items());
    let state = |view: &Node| {
        let mapping = view.mapping()?;
        let is_tree = mapping.get("class")?.text()? == "ItemTreeView";
        let checked = mapping.get("state")?.mapping()?.get("checked")?.items()?;
        is_tree.then(|| checked.iter().filter_map(|id| id.number()).collect::<Vec<f64>>())
    };
    views.into_iter().flatten().find_map(|view| state(view)).unwrap_or_default()
}

struct Loader<'p, 'r> {
    path: &'p Path,
    sources: &'r mut Sources,
    report: &'r mut Report,
    /// What stands for keys that the material table leaves out.
    defaults: Defaults,
    /// Names of models.
    names: BTreeSet<String>,
}

impl Loader<'_, '_> {
    /// Reads the world's material table, and names it in the world.
    fn material_table(&mut self, item: &Item<'_>, world: &mut Element) -> Option<MaterialTable> {
        let data = item.data?;
        let key =
            ["material_table_file", "default_material_table_file"].into_iter().find(|key| data.get(key).is_some())?;
        let text = data.text(key, self.report)?;
        let place = data.get(key).map_or(item.location, |node| &node.location);
        let path = self.resolve(text, place)?;
        // The element's text counts from the project's folder, as it does in an SDF file.
        let beside = self.path.parent().and_then(|folder| path.strip_prefix(folder).ok()).unwrap_or(&path);
        let element = Element::with_text("stiction.material_table", &beside.to_string_lossy(), place);
        world.children.push(element);
        match read_text(&path) {
            Ok(text) => {
                let read = MaterialTable::parse(&path, &text, self.defaults);
                self.sources.insert(&path, Arc::from(text.as_str()));
                read.diagnostics.into_iter().for_each(|finding| self.report.add(finding));
                read.table
            }
            Err(mut finding) => {
                finding.location.get_or_insert_with(|| place.clone());
                self.report.strict(*finding);
                None
            }
        }
    }

    /// Gravity and step of a simulator.
    fn simulator(&mut self, items: &Items<'_>, simulator: Option<Item<'_>>, world: &mut Element) {
        let Some(item) = simulator else {
            let message = format!("the project has no simulator: the step is {STEP} s");
            self.report.add(Diagnostic::note("no-simulator", message).at(&world.location));
            let place = world.location.clone();
            self.physics(None, STEP, &place, GRAVITY.to_owned(), world);
            return;
        };
        for other in items.simulators.iter().filter(|other| other.location != item.location) {
            let message = format!("the simulator `{}` is not used, but `{}`", other.name, item.name);
            self.report.add(Diagnostic::note("several-simulators", message).at(other.location));
        }
        let mut step = STEP;
        let mut gravity = GRAVITY.to_owned();
        let mut reduction = Vec::new();
        if let Some(data) = item.data {
            if item.class == AGX {
                self.misspelt(&data);
            }
            reduction = self.reduction(&data);
            step = self.step(&data).unwrap_or(STEP);
            if let Some(g) = data.vector("gravity", self.report) {
                gravity = format!("{} {} {}", g.x, g.y, g.z);
            }
            for (key, harmless) in SOLVER_KEYS {
                let Some(entry) = data.entry(key) else { continue };
                if entry.value.text().is_some_and(|text| text != harmless) {
                    let message = format!("`{}` has no effect here", entry.key);
                    self.report.add(Diagnostic::note("no-effect", message).at(&entry.key_location));
                }
            }
        }
        let engine = (item.class == AGX).then_some(Preset::Agx.name());
        self.physics(engine, step, item.location, gravity, world);
        if let Some(physics) = world.children.last_mut() {
            physics.children.extend(reduction);
        }
    }

    /// A warning for keys that are nearly those of a simulator item. Others are of Choreonoid's views and recordings.
    fn misspelt(&mut self, data: &Fields<'_>) {
        for entry in data.entries() {
            let own = snake(&entry.key);
            if SIMULATOR_KEYS.contains(&own.as_str()) {
                continue;
            }
            if let Some(near) = did_you_mean(&own, SIMULATOR_KEYS) {
                let message = format!("`{}` is not a key of a simulator", entry.key);
                self.report.add(Diagnostic::warning("unknown-key", message).at(&entry.key_location).help(near));
            }
        }
    }

    /// Contact reduction of the simulator item, as elements of its physics.
    fn reduction(&mut self, data: &Fields<'_>) -> Vec<Element> {
        let mut elements = Vec::new();
        for (key, name, range) in [
            ("contact_reduction_bin_resolution", REDUCTION_BINS, 1.0..=10.0),
            ("contact_reduction_threshhold", REDUCTION_THRESHOLD, 0.0..=1e9),
        ] {
            let Some(value) = data.number(key, self.report) else { continue };
            if libm::trunc(value) == value && range.contains(&value) {
                elements.push(Element::with_text(name, &value.to_string(), data.place(key)));
            } else {
                let expected = format!("a whole number from {} to {}", range.start(), range.end());
                data.refuse(key, &expected, self.report);
            }
        }
        if data.switch("contact_reduction", self.report) == Some(false) {
            elements.retain(|element| element.name != REDUCTION_THRESHOLD);
            let never = u32::MAX.to_string();
            elements.push(Element::with_text(REDUCTION_THRESHOLD, &never, data.place("contact_reduction")));
        }
        elements
    }

    fn physics(&mut self, engine: Option<&str>, step: f64, place: &Location, gravity: String, world: &mut Element) {
        let mut physics = Element::new("physics", place);
        physics.set_attribute("name", "simulator", place);
        if let Some(engine) = engine {
            physics.set_attribute("type", engine, place);
        }
        physics.children.push(Element::with_text("max_step_size", &step.to_string(), place));
        world.children.push(Element::with_text("gravity", &gravity, place));
        world.children.push(physics);
    }

    /// The step \[s\], or what a frame rate \[Hz\] makes of it.
    fn step(&mut self, data: &Fields<'_>) -> Option<f64> {
        if let Some(key) = ["time_step", "timestep"].into_iter().find(|key| data.get(key).is_some()) {
            return data.length(key, self.report);
        }
        let key = ["frame_rate", "framerate"].into_iter().find(|key| data.get(key).is_some())?;
        data.length(key, self.report).map(|rate| 1.0 / rate)
    }

    /// The model of a body item; `None`, with a finding, where its file cannot be read.
    fn body(&mut self, item: &Item<'_>, table: &Rc<MaterialTable>) -> Result<Option<Element>, Box<Diagnostic>> {
        let Some(data) = item.data else {
            let message = format!("the body item `{}` has no `data`", item.name);
            self.report.add(Diagnostic::error("missing-key", message).at(item.location));
            return Ok(None);
        };
        let known = [&BODY_KEYS[..], &BODY_KEYS_WITHOUT_EFFECT].concat();
        data.check(&known, &[], self.report);
        let Some(key) = ["model_file", "file"].into_iter().find(|key| data.get(key).is_some()) else {
            let message = format!("the body item `{}` names no `modelFile`", item.name);
            self.report.add(Diagnostic::error("missing-key", message).at(data.location));
            return Ok(None);
        };
        let Some(text) = data.text(key, self.report) else { return Ok(None) };
        let place = data.get(key).map_or(item.location, |node| &node.location);
        let Some(path) = self.resolve(text, place) else { return Ok(None) };
        if FileKind::of(&path) != Some(FileKind::Body) {
            let message = format!("`{text}` is not a .body file: others are not read as bodies of a project yet");
            self.report.strict(Diagnostic::error("model-file", message).at(place));
            return Ok(None);
        }
        let mut reader = BodyReader::new(self.path, self.sources, self.report).with_materials(Rc::clone(table));
        let Some(body) = reader.read_other(&path, place)? else { return Ok(None) };
        let fixes = |key: &str, report: &mut Report| data.switch(key, report).unwrap_or(false);
        let positions_key = ["joint_positions", "joint_displacements"].into_iter().find(|key| data.get(key).is_some());
        let placement = Placement {
            name: self.unique(if item.name.is_empty() { &body.name } else { item.name }),
            root: self.root(&data, body.links[body.root].offset),
            positions: positions_key.map_or_else(Vec::new, |key| self.positions(&data, key)),
            is_root_fixed: fixes("fix_root", self.report),
            is_static: fixes("static_model", self.report),
            collides: data.switch("collision_detection", self.report).unwrap_or(true),
            self_collides: fixes("self_collision_detection", self.report),
            location: item.location.clone(),
        };
        let at = positions_key.and_then(|key| data.get(key)).map(|node| &node.location);
        Ok(Some(emit::model(&body, &placement, at, self.report)))
    }

    /// The pose of the root: what the item leaves out is the body's own.
    fn root(&mut self, data: &Fields<'_>, own: Pose) -> Option<Pose> {
        let key = ["root_position", "root_translation"].into_iter().find(|key| data.get(key).is_some());
        let position = key.and_then(|key| data.vector(key, self.report));
        let rotation = self.attitude(data);
        (position.is_some() || rotation.is_some())
            .then(|| Pose { position: position.unwrap_or(own.position), rotation: rotation.unwrap_or(own.rotation) })
    }

    /// Nine numbers by rows, or an axis and an angle in degrees.
    fn attitude(&mut self, data: &Fields<'_>) -> Option<DQuat> {
        let key = ["root_attitude", "root_rotation"].into_iter().find(|key| data.get(key).is_some())?;
        let numbers = data.get(key)?.numbers();
        let turn = match numbers.as_deref() {
            Some([x, y, z, angle]) => {
                let axis = DVec3::new(*x, *y, *z).try_normalize().or((*angle == 0.0).then_some(DVec3::Z));
                axis.map(|axis| DQuat::from_axis_angle(axis, angle.to_radians()))
            }
            Some(rows) => <[f64; 9]>::try_from(rows).ok().and_then(pose::of_rows),
            None => None,
        };
        if turn.is_none() {
            data.refuse(key, "a rotation: 9 numbers by rows, or an axis and an angle", self.report);
        }
        turn
    }

    fn positions(&mut self, data: &Fields<'_>, key: &str) -> Vec<f64> {
        let numbers = data.get(key).and_then(Node::numbers);
        numbers.unwrap_or_else(|| {
            data.refuse(key, "a list of numbers", self.report);
            Vec::new()
        })
    }

    /// A name that no model has.
    fn unique(&mut self, name: &str) -> String {
        let mut own = name.to_owned();
        let mut number = 2;
        while !self.names.insert(own.clone()) {
            own = format!("{name}_{number}");
            number += 1;
        }
        own
    }

    /// The path of a file with the project's variables; `None`, with a finding, for a variable that is not known.
    fn resolve(&mut self, text: &str, place: &Location) -> Option<PathBuf> {
        let folder = self.path.parent().map(Path::to_owned).unwrap_or_default();
        if let Some(rest) = text.strip_prefix("${PROJECT_DIR}/") {
            return Some(folder.join(rest));
        }
        if let Some(rest) = text.strip_prefix("${SHARE}/").or_else(|| text.strip_prefix("${PROGRAM_TOP}/")) {
            return Some(in_share(&folder, rest));
        }
        if let Some((home, rest)) = std::env::var_os("HOME").zip(text.strip_prefix("${HOME}/")) {
            return Some(Path::new(&home).join(rest));
        }
        if text.starts_with("${") {
            let message = format!("`{text}` begins with a variable that is not known");
            let finding = Diagnostic::error("unknown-variable", message).at(place);
            self.report.strict(finding.help("known are ${SHARE}, ${PROJECT_DIR}, ${PROGRAM_TOP} and ${HOME}"));
            return None;
        }
        Some(folder.join(text))
    }
}

/// A file of Choreonoid's share folder: the nearest folder around the project that has it, itself or in `share`. Where
/// none has it, the path in the folder around the project's.
fn in_share(folder: &Path, rest: &str) -> PathBuf {
    let around = std::fs::canonicalize(or_current(folder)).unwrap_or_else(|_| folder.to_owned());
    let candidates = around.ancestors().flat_map(|folder| [folder.join(rest), folder.join("share").join(rest)]);
    candidates.clone().find(|path| path.is_file()).unwrap_or_else(|| around.parent().unwrap_or(&around).join(rest))
}
