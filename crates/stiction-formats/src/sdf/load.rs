//! The steps of a load, in order: files, includes, overrides, checks, meaning.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::bodies;
use crate::bundled;
use crate::choreonoid::{self, FileKind};
use crate::diagnostic::{Diagnostic, Severity};
use crate::mesh::Cache;
use crate::{FileRequest, LoadOptions, Loaded};

use super::check;
use super::element::Element;
use super::endless;
use super::files::Files;
use super::geometry::Meshes;
use super::ground;
use super::include::Includes;
use super::interpret;
use super::overrides;
use super::overruled;
use super::parameters;
use super::plugins;
use super::report::Report;
use super::search::{SearchPath, choose_file};

/// Loads the first file as a world or a model, and places the others into it.
pub(crate) fn load(requests: &[FileRequest], options: &LoadOptions) -> Loaded {
    load_tree(requests, options).0
}

/// The tree that a load made.
pub(crate) struct LoadedTree {
    /// The world with everything in it.
    pub(crate) tree: Element,
    /// The file is a model; the world around it is ours.
    pub(crate) is_lone: bool,
}

/// The same with the tree that the description was made of.
pub(crate) fn load_tree(requests: &[FileRequest], options: &LoadOptions) -> (Loaded, Option<LoadedTree>) {
    let mut files = Files::new(options);
    let mut report = Report::new(options.lenient);
    let tree = assemble(requests, options, &mut files, &mut report);
    let (mut world, mut whole) = (None, None);
    let mut parameter_paths = Vec::new();
    if let Some(Assembled { mut tree, search, is_lone, is_lifted }) = tree {
        plugins::hoist(&mut tree);
        tree.assign_paths("");
        let (of_meshes, of_tree): (Vec<_>, Vec<_>) =
            options.overrides.iter().cloned().partition(|o| o.path == overrides::COLLISION_MESH);
        let forced = overrides::mesh_use(&of_meshes, &mut report);
        if !of_tree.is_empty() {
            let known = parameters::list(&tree);
            overrides::apply(&mut tree, &of_tree, &known, &mut report);
            tree.assign_paths("");
        }
        endless::friction(&mut tree, &mut report);
        check::check_tree(&tree, "world", &mut report);
        let cache = if options.use_environment { Cache::of_environment() } else { Cache::default() };
        let meshes = Meshes::new(forced, cache);
        let mut description = interpret::interpret(&tree, &search, meshes, options, &mut report);
        bodies::lump(&mut description, &mut report);
        overruled::truncated_min_depths(&description, &mut report);
        overruled::negative_torsional_slips(&description, &mut report);
        overruled::lone_poissons_ratios(&description, &mut report);
        overruled::moduli_without_radius(&description, &mut report);
        overruled::large_poissons_ratios(&description, &mut report);
        overruled::plastic_impacts(&description, &mut report);
        if is_lifted {
            ground::lift_first_model(&mut description, &mut report);
        }
        parameter_paths = parameters::list(&tree);
        world = Some(description);
        whole = Some(LoadedTree { tree, is_lone });
    }
    let diagnostics = report.into_diagnostics();
    let mut loaded = Loaded { world, diagnostics, sources: files.sources, parameter_paths };
    if loaded.blocking() {
        loaded.world = None;
    }
    (loaded, whole)
}

/// A file alone, with its includes as they stand.
pub(crate) struct OwnTree {
    /// Its `<sdf>` element, in the newest version.
    pub(crate) root: Element,
    /// The file is of another format.
    pub(crate) is_foreign: bool,
}

/// Reads a file alone; `None` if it cannot be read.
pub(crate) fn own_tree(request: &FileRequest, options: &LoadOptions) -> Option<OwnTree> {
    let mut files = Files::new(options);
    let path = bundled::find(&request.path).unwrap_or_else(|| request.path.clone());
    let root = files.sdf(&path, None, &mut Report::new(options.lenient))?;
    let is_foreign = FileKind::of(&path).is_some() || root.children.iter().any(|child| child.from_urdf);
    Some(OwnTree { root, is_foreign })
}

/// The world element with everything in it, and where its files are looked for.
struct Assembled {
    tree: Element,
    search: SearchPath,
    is_lone: bool,
    /// The first model stands on a ground plane of ours.
    is_lifted: bool,
}

fn assemble(
    requests: &[FileRequest],
    options: &LoadOptions,
    files: &mut Files,
    report: &mut Report,
) -> Option<Assembled> {
    let requests: Vec<FileRequest> =
        requests.iter().map(|r| FileRequest { path: file_of(&r.path, report), ..r.clone() }).collect();
    let Some((first, others)) = requests.split_first() else {
        report.add(Diagnostic::error("no-file", "no file was given"));
        return None;
    };
    let folder = folder_of(&first.path);
    let search = SearchPath::new(&folder, options);
    let root = read(&first.path, files, &search, report)?;
    let first_element = top_level(root, report)?;
    let is_lone = first_element.name == "model";
    let mut world = if is_lone { lone_model(first_element, first) } else { first_element };
    for other in others {
        let Some(root) = read(&other.path, files, &search, report) else { continue };
        let Some(model) = top_level(root, report) else { continue };
        if model.name == "world" {
            let message = format!("{} is a world; only models can be placed into the first file", other.path.display());
            report.add(Diagnostic::error("not-a-model", message).at(&model.location));
            continue;
        }
        world.children.push(placed(model, other));
    }
    // Bodies of Choreonoid whose root does not move are environments themselves.
    let is_environment = FileKind::of(&first.path).is_some() && choreonoid::is_fixed(&world);
    let is_lifted = is_lone && !options.no_ground && !is_environment;
    if is_lifted && let Some(ground) = ground::model(&world, files, report) {
        world.children.push(ground);
    }
    Some(Assembled { tree: world, search, is_lone, is_lifted })
}

/// A file, a bundled world by its name, or the file of a model folder that its `model.config` names.
fn file_of(path: &Path, report: &mut Report) -> PathBuf {
    if let Some(bundled) = bundled::find(path) {
        return bundled;
    }
    if !path.join("model.config").is_file() {
        return path.to_owned();
    }
    choose_file(path).unwrap_or_else(|problem| {
        let mut finding = Diagnostic::error(problem.code, problem.message);
        finding.help = problem.help;
        report.add(finding);
        path.to_owned()
    })
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}

fn read(path: &Path, files: &mut Files, search: &SearchPath, report: &mut Report) -> Option<Element> {
    let mut root = files.sdf(path, None, report)?;
    let key = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut includes = Includes {
        elements: root.count(),
        count: 0,
        files,
        search,
        report,
        stack: vec![key],
        missing: BTreeSet::new(),
    };
    includes.expand(&mut root, &folder_of(path));
    (!includes.is_too_large()).then_some(root)
}

/// The world of a file, or its model.
fn top_level(mut root: Element, report: &mut Report) -> Option<Element> {
    for child in &root.children {
        let is_known = matches!(child.name.as_str(), "world" | "model" | "light" | "actor") || child.is_foreign();
        if !is_known {
            let message = format!("<{}> is not known in <sdf>", child.name);
            report.add(Diagnostic::warning("unknown-element", message).at(&child.location).label("skipped"));
        }
    }
    if let Some(at) = root.children.iter().position(|c| c.name == "world") {
        check_worlds(&root, report);
        return Some(root.children.swap_remove(at));
    }
    let mut models = root.children.iter().enumerate().filter(|(_, c)| c.name == "model");
    let first = models.next().map(|(i, _)| i);
    if let Some((_, second)) = models.next() {
        report.strict(
            Diagnostic::error("several-models", "a file has one model; only the first is used")
                .at(&second.location)
                .help("put them into a <world>"),
        );
    }
    if let Some(at) = first {
        return Some(root.children.swap_remove(at));
    }
    report.add(
        Diagnostic::new(Severity::Warning, "no-world", "the file has no <world> and no <model>").at(&root.location),
    );
    // A light or an actor is something that loads; there is nothing in its world that moves.
    let other = root.children.iter().find(|child| matches!(child.name.as_str(), "light" | "actor"))?;
    let mut world = Element::new("world", &root.location);
    world.set_attribute("name", other.named(), &other.location);
    Some(world)
}

fn check_worlds(root: &Element, report: &mut Report) {
    let mut worlds = root.children_named("world");
    let first = worlds.next();
    for other in worlds {
        if first.is_some_and(|f| f.named() == other.named()) {
            let message = format!("a world of the name `{}` already exists", other.named());
            report.strict(Diagnostic::error("duplicate-name", message).at(&other.location));
        } else {
            let message = format!("only the first world is used, not `{}`", other.named());
            report.add(Diagnostic::warning("several-worlds", message).at(&other.location));
        }
    }
    if let Some(world) = first.filter(|w| w.named().is_empty()) {
        report.strict(Diagnostic::error("missing-name", "<world> has no name").at(&world.location));
    }
}

/// A world around the only model of a file.
fn lone_model(model: Element, request: &FileRequest) -> Element {
    let mut world = Element::new("world", &model.location);
    let model = placed(model, request);
    let name = model.named().to_owned();
    world.set_attribute("name", &name, &model.location);
    world.children.push(model);
    world
}

/// Name and pose that the command line gives a model.
fn placed(mut model: Element, request: &FileRequest) -> Element {
    let place = model.location.clone();
    if let Some(name) = &request.name {
        model.set_attribute("name", name, &place);
    }
    if let Some(pose) = &request.pose {
        model.children.retain(|c| c.name != "pose");
        model.children.push(Element::of_pose(pose, &place));
    }
    model
}
