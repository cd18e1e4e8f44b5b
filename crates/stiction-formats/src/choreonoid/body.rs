//! A `.body` file: its head, its links, the bodies within it.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Location};
use crate::materials::MaterialTable;
use crate::sdf::files::read_text;
use crate::sdf::report::Report;
use crate::source::Sources;
use crate::suggest::did_you_mean;
use crate::yaml::{self, Node};

use super::device;
use super::elements;
use super::extra_joint::{self, ExtraJoint};
use super::fields::Fields;
use super::keys;
use super::link::{self, Link, LinkContext, Motion, Named};
use super::pose::{self, AngleUnit};
use super::resource::{Documents, Resources};
use super::rules::{self, Rules};

/// Links of a body at most.
const MOST_LINKS: usize = 20_000;

/// A body, its links in the order of the file.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) name: String,
    pub(super) links: Vec<Link>,
    /// Index of the parent of each link.
    pub(super) parents: Vec<Option<usize>>,
    pub(super) root: usize,
    pub(super) extra_joints: Vec<ExtraJoint>,
    pub(super) rules: Rules,
    pub(super) location: Location,
}

impl Body {
    /// Links that have positions in a list of them: those with numbers, then the others that move.
    pub(super) fn joints(&self) -> Vec<Option<usize>> {
        let mut joints: Vec<Option<usize>> = Vec::new();
        let rest = |index: &usize| *index != self.root && self.links[*index].motion != Motion::Fixed;
        for (index, link) in self.links.iter().enumerate() {
            let Some(id) = link.joint_id.filter(|id| *id < 2 * self.links.len()) else { continue };
            if joints.len() <= id {
                joints.resize(id + 1, None);
            }
            joints[id] = Some(index);
        }
        let unnumbered = (0..self.links.len()).filter(|index| self.links[*index].joint_id.is_none());
        joints.extend(unnumbered.filter(rest).map(Some));
        joints
    }

    /// Index of a link.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name.name == name)
    }
}

/// Reads bodies and those within them.
pub(super) struct BodyReader<'r> {
    folder: PathBuf,
    sources: &'r mut Sources,
    report: &'r mut Report,
    /// Gives materials their densities.
    materials: Rc<MaterialTable>,
    /// Files of shapes that were read.
    documents: Documents,
    /// Extra joints of the bodies within the one that is being read.
    inner_joints: Vec<ExtraJoint>,
    /// Files that are being read.
    stack: Vec<PathBuf>,
}

impl<'r> BodyReader<'r> {
    /// For a file.
    pub(super) fn new(path: &Path, sources: &'r mut Sources, report: &'r mut Report) -> Self {
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let documents = Documents::new();
        Self {
            folder,
            sources,
            report,
            materials: Rc::default(),
            documents,
            inner_joints: Vec::new(),
            stack: vec![key(path)],
        }
    }

    /// With a table that gives materials their densities.
    pub(super) fn with_materials(mut self, materials: impl Into<Rc<MaterialTable>>) -> Self {
        self.materials = materials.into();
        self
    }

    /// The files of shapes, and where their faults go.
    fn resources(&mut self) -> (Resources<'_>, &mut Report) {
        let folder = self.folder.clone();
        (Resources { folder, sources: self.sources, documents: &mut self.documents }, self.report)
    }

    /// A body from its document.
    pub(super) fn read(&mut self, node: &Node) -> Result<Body, Box<Diagnostic>> {
        let Some(fields) = Fields::of(node, "a body", self.report) else {
            return Err(Box::new(Diagnostic::error("not-a-body", "the file is not a body").at(&node.location)));
        };
        self.check_keys(&fields);
        let unit = head(&fields, self.report)?;
        let context = LinkContext { unit, materials: Rc::clone(&self.materials) };
        let mut links = Vec::new();
        for node in fields.list("links", self.report) {
            let kind = node.mapping().and_then(|mapping| mapping.get("type")).and_then(|kind| kind.text());
            match kind {
                Some("SubBody") => self.sub_body(node, unit, &mut links)?,
                Some("ContinuousTrack") => {
                    let message = "`ContinuousTrack` is left out: a chain of links made by a program";
                    self.report.add(Diagnostic::note("device", message).at(&node.location));
                }
                Some("Skip") => {}
                None | Some("Link") => {
                    let (mut resources, report) = self.resources();
                    links.extend(link::read(node, &context, &mut resources, report));
                }
                Some(other) => {
                    let message = format!("`{other}` is not a type of link");
                    let finding = Diagnostic::error("link-type", message).at(&node.location);
                    self.report.add(finding.help("one of: Link, SubBody, Skip"));
                }
            }
            if links.len() > MOST_LINKS {
                let message = format!("a body has more than {MOST_LINKS} links");
                return Err(Box::new(Diagnostic::error("too-many-links", message).at(&node.location)));
            }
        }
        if links.is_empty() {
            let message = "the body has no link";
            return Err(Box::new(Diagnostic::error("no-link", message).at(fields.place("links"))));
        }
        self.finish(&fields, links, unit)
    }

    /// The body of its links.
    fn finish(&mut self, fields: &Fields<'_>, links: Vec<Link>, unit: AngleUnit) -> Result<Body, Box<Diagnostic>> {
        check_names(&links, self.report)?;
        let root = self.root(fields, &links);
        let parents = parents(&links, root, self.report)?;
        let name = fields.text("name", self.report).filter(|name| !name.is_empty());
        let name = name.map_or_else(|| links[root].name.name.clone(), str::to_owned);
        let mut body = Body {
            name,
            links,
            parents,
            root,
            extra_joints: std::mem::take(&mut self.inner_joints),
            rules: Rules::default(),
            location: fields.location.clone(),
        };
        body.rules = rules::read(fields, &body, self.report);
        for node in fields.list("extra_joints", self.report) {
            let joint = extra_joint::read(node, &body, unit, self.report);
            body.extra_joints.extend(joint);
        }
        device::check_links(&mut body, self.report);
        Ok(body)
    }

    /// Other keys of the head hold anchors as a rule.
    fn check_keys(&mut self, fields: &Fields<'_>) {
        if let Some(entry) = fields.entry("body_handlers") {
            let message = "`body_handlers` are programs of Choreonoid: they are left out";
            self.report.add(Diagnostic::note("body-handlers", message).at(&entry.key_location));
        }
        for entry in fields.entries() {
            let own = super::fields::snake(&entry.key);
            if keys::BODY.contains(&own.as_str()) {
                continue;
            }
            let message = format!("`{}` is not a key of a body", entry.key);
            let finding = match did_you_mean(&own, keys::BODY.iter().copied()) {
                Some(near) => Diagnostic::warning("unknown-key", message).help(near).label("skipped"),
                None => Diagnostic::note("unknown-key", message).help("fine if it only holds what aliases name"),
            };
            self.report.add(finding.at(&entry.key_location));
        }
    }

    fn root(&mut self, fields: &Fields<'_>, links: &[Link]) -> usize {
        let first = links.iter().position(|link| link.parent.is_none()).unwrap_or(0);
        let Some(name) = fields.text("root_link", self.report) else { return first };
        let found = links.iter().position(|link| link.name.name == name);
        found.unwrap_or_else(|| {
            let place = fields.get("root_link").map_or(fields.location, |node| &node.location);
            let mut finding =
                Diagnostic::error("root-link", format!("there is no link `{name}` to be the root")).at(place);
            finding.help = did_you_mean(name, links.iter().map(|link| link.name.name.as_str()));
            self.report.add(finding);
            first
        })
    }

    /// The links of another file; its root takes the place of the node.
    fn sub_body(&mut self, node: &Node, unit: AngleUnit, links: &mut Vec<Link>) -> Result<(), Box<Diagnostic>> {
        let Some(fields) = Fields::of(node, "a sub-body", self.report) else { return Ok(()) };
        fields.check(&keys::link(), keys::LINK_WITHOUT_EFFECT, self.report);
        let Some(uri) = fields.text("uri", self.report) else {
            self.report.add(Diagnostic::error("missing-key", "a sub-body has no `uri`").at(fields.location));
            return Ok(());
        };
        let place = fields.get("uri").map_or(fields.location, |node| &node.location);
        let path = self.folder.join(uri);
        let Some(mut body) = self.read_other(&path, place)? else { return Ok(()) };
        if !body.rules.is_empty() {
            let message = format!("the collision rules of `{uri}` do not count in this body, whose own do");
            self.report.add(Diagnostic::note("sub-body", message).at(place));
        }
        let root = &mut body.links[body.root];
        let own = pose::read(&fields, unit, self.report);
        if fields.get("translation").is_some() {
            root.offset.position = own.position;
        }
        if fields.get("rotation").is_some() || fields.get("rpy").is_some() {
            root.offset.rotation = own.rotation;
        }
        if let Some(word) = fields.text("joint_type", self.report) {
            match link::motion_of(word) {
                Some(motion) => root.motion = motion,
                None => fields.refuse("joint_type", "a type of joint, such as fixed or free", self.report),
            }
        }
        let prefix = fields.text("prefix", self.report).unwrap_or("");
        let suffix = fields.text("suffix", self.report).unwrap_or("");
        let renamed = |name: &str| format!("{prefix}{name}{suffix}");
        let id_offset = fields.non_negative("joint_id_offset", self.report).unwrap_or(0.0).min(1e6) as usize;
        for link in &mut body.links {
            link.name.name = renamed(&link.name.name);
            link.joint_id = link.joint_id.map(|id| id + id_offset);
            if let Some(parent) = &mut link.parent {
                parent.name = renamed(&parent.name);
            }
            for reference in link.contents.devices.iter_mut().flat_map(|device| device.kind.references_mut()) {
                reference.name = renamed(&reference.name);
            }
        }
        let parent = fields.text("parent", self.report);
        let parent_place = fields.get("parent").map_or(fields.location, |node| &node.location);
        body.links[body.root].parent =
            parent.map(|name| Named { name: name.to_owned(), location: parent_place.clone() });
        if let Some(node) = fields.get("elements") {
            let (mut resources, report) = self.resources();
            let mut more = elements::read(node, unit, &mut resources, report);
            let contents = &mut body.links[body.root].contents;
            contents.shapes.append(&mut more.shapes);
            contents.bodies.append(&mut more.bodies);
            contents.devices.append(&mut more.devices);
        }
        for mut joint in body.extra_joints {
            joint.links = joint.links.map(|link| link + links.len());
            joint.name = renamed(&joint.name);
            self.inner_joints.push(joint);
        }
        links.append(&mut body.links);
        Ok(())
    }

    /// Another body; `None`, with a finding at `asked_at`, where there is none.
    pub(super) fn read_other(&mut self, path: &Path, asked_at: &Location) -> Result<Option<Body>, Box<Diagnostic>> {
        let own = key(path);
        if self.stack.contains(&own) {
            let message = format!("{} is a part of itself", path.display());
            return Err(Box::new(Diagnostic::error("sub-body", message).at(asked_at)));
        }
        let text = match read_text(path) {
            Ok(text) => text,
            Err(mut finding) => {
                finding.location.get_or_insert_with(|| asked_at.clone());
                self.report.strict(*finding);
                return Ok(None);
            }
        };
        self.sources.insert(path, Arc::from(text.as_str()));
        let mut findings = Vec::new();
        let node = yaml::parse(path, &text, &mut findings);
        findings.into_iter().for_each(|finding| self.report.add(finding));
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let outer = std::mem::replace(&mut self.folder, folder);
        let outer_joints = std::mem::take(&mut self.inner_joints);
        self.stack.push(own);
        let body = node.and_then(|node| self.read(&node));
        self.stack.pop();
        self.folder = outer;
        self.inner_joints = outer_joints;
        body.map(Some)
    }
}

/// One spelling of a path.
fn key(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Format, version and unit of angles.
fn head(fields: &Fields<'_>, report: &mut Report) -> Result<AngleUnit, Box<Diagnostic>> {
    let fault = |key: &str, message: String| {
        let place = fields.get(key).map_or(fields.location, |node| &node.location);
        Box::new(Diagnostic::error("body-format", message).at(place))
    };
    match fields.text("format", report) {
        Some("ChoreonoidBody") => {}
        Some(other) => {
            let help = "write `format: ChoreonoidBody`";
            return Err(Box::new(fault("format", format!("`{other}` is not a format of bodies")).help(help)));
        }
        None if fields.get("model_file").is_some() => {
            return Err(fault("model_file", "a body in another file (`model_file`) is not read yet".to_owned()));
        }
        None => {
            let help = "write `format: ChoreonoidBody`";
            return Err(Box::new(fault("format", "the body has no `format`".to_owned()).help(help)));
        }
    }
    let version = match fields.get("format_version") {
        None => {
            let help = "write `format_version: 2.0`";
            return Err(Box::new(fault("format", "the body has no `format_version`".to_owned()).help(help)));
        }
        Some(node) => node.number().filter(|version| (1.0..2.1).contains(version)),
    };
    let Some(version) = version else {
        let message = "this version of the format is not known".to_owned();
        return Err(Box::new(fault("format_version", message).label("expected 1.0 or 2.0")));
    };
    Ok(match fields.text("angle_unit", report) {
        None | Some("degree") => AngleUnit::DEGREE,
        Some("radian") if version < 2.0 => AngleUnit::RADIAN,
        Some(_) => {
            let expected = if version < 2.0 { "`degree` or `radian`" } else { "`degree`, in format 2.0" };
            fields.refuse("angle_unit", expected, report);
            AngleUnit::DEGREE
        }
    })
}

/// Two links of one name leave no tree to speak of.
fn check_names(links: &[Link], report: &mut Report) -> Result<(), Box<Diagnostic>> {
    let mut first = std::collections::BTreeMap::new();
    for link in links {
        let Named { name, location } = &link.name;
        if name.contains("::") {
            let message = format!("the name `{name}` contains `::`, which separates the names of nested models");
            report.add(Diagnostic::error("reserved-name", message).at(location));
        }
        if let Some(earlier) = first.insert(name.as_str(), location) {
            let message = format!("there already is a link of the name `{name}`");
            let help = format!("the first one is at line {}", earlier.line);
            return Err(Box::new(Diagnostic::error("duplicate-name", message).at(location).help(help)));
        }
    }
    Ok(())
}

/// The parent of each link; every link but the root has one, and none is above itself.
fn parents(links: &[Link], root: usize, report: &mut Report) -> Result<Vec<Option<usize>>, Box<Diagnostic>> {
    let names: std::collections::BTreeMap<&str, usize> =
        links.iter().enumerate().rev().map(|(index, link)| (link.name.name.as_str(), index)).collect();
    let mut parents = vec![None; links.len()];
    for (index, link) in links.iter().enumerate() {
        match &link.parent {
            Some(parent) => {
                let found = names.get(parent.name.as_str()).copied();
                if found.is_none() {
                    let message =
                        format!("link `{}` has the parent `{}`, which does not exist", link.name.name, parent.name);
                    let mut finding = Diagnostic::error("unknown-link", message).at(&parent.location);
                    finding.help = did_you_mean(&parent.name, names.keys().copied());
                    report.add(finding);
                }
                parents[index] = found;
            }
            None if index != root => {
                let message = format!("link `{}` has no `parent`", link.name.name);
                let help = format!("the root of the body is `{}`", links[root].name.name);
                report.add(Diagnostic::error("missing-parent", message).at(&link.name.location).help(help));
            }
            None => {}
        }
    }
    parents[root] = None;
    let mut is_below_root = vec![false; links.len()];
    for (index, link) in links.iter().enumerate() {
        let mut path = vec![index];
        let mut top = index;
        while let Some(next) = parents[top].filter(|next| !is_below_root[*next]) {
            if path.len() > links.len() {
                let message = format!("link `{}` is below itself", link.name.name);
                return Err(Box::new(Diagnostic::error("link-circle", message).at(&link.name.location)));
            }
            path.push(next);
            top = next;
        }
        path.into_iter().for_each(|index| is_below_root[index] = true);
    }
    Ok(parents)
}
