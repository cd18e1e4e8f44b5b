//! Choreonoid's `.body` models and `.cnoid` projects as SDFormat models and worlds, each part with its place in the file.
//!
//! Everything after that (checks of meaning, overrides, the description) is SDFormat's. Lengths are in metres and angles in
//! degrees (radians where `angle_unit` says so); keys count in snake_case and in camelCase, of two spellings the first. A
//! link's frame is its joint's frame: `translation` and `rotation` place it in its parent where the joint stands at zero,
//! and `joint_axis` is a direction in it. The root and every other link with a free joint is a free body; links behind
//! fixed joints belong to the body of their parent, and those behind a fixed root to the static environment.

mod body;
mod device;
mod elements;
mod emit;
mod extra_joint;
mod fields;
mod geometry;
mod joint_spook;
mod keys;
mod link;
mod mass;
mod mesh;
mod pose;
mod project;
mod resource;
mod rules;
mod solid;

use std::path::Path;

use crate::diagnostic::Diagnostic;
use crate::materials::MaterialOptions;
use crate::sdf::element::Element;
use crate::sdf::report::Report;
use crate::source::Sources;
use crate::yaml;

use body::BodyReader;
use emit::Placement;

/// One of the two kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// `.body`: a model.
    Body,
    /// `.cnoid`: a project.
    Project,
}

impl FileKind {
    /// By the extension of a path.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "body" => Some(Self::Body),
            "cnoid" => Some(Self::Project),
            _ => None,
        }
    }
}

/// The first model of a world stands fixed in it.
pub(crate) fn is_fixed(world: &Element) -> bool {
    let joints = world.child("model").into_iter().flat_map(|model| model.children_named("joint"));
    joints.into_iter().any(|joint| {
        joint.value("type") == Some("fixed") && joint.child("parent").is_some_and(|parent| parent.text == "world")
    })
}

/// An `<sdf>` element with the model or the world of a file whose text is among the sources.
pub(crate) fn to_sdf(
    kind: FileKind,
    path: &Path,
    text: &str,
    sources: &mut Sources,
    materials: &MaterialOptions,
    report: &mut Report,
) -> Result<Element, Box<Diagnostic>> {
    let mut findings = Vec::new();
    let node = yaml::parse(path, text, &mut findings);
    findings.into_iter().for_each(|finding| report.add(finding));
    let node = node?;
    let inner = match kind {
        FileKind::Body => {
            let body = BodyReader::new(path, sources, report).with_materials(materials.in_force(None)).read(&node)?;
            emit::model(&body, &Placement::alone(&body), None, report)
        }
        FileKind::Project => project::world(path, &node, sources, materials, report)?,
    };
    let mut root = Element::new("sdf", &node.location);
    root.children.push(inner);
    Ok(root)
}
