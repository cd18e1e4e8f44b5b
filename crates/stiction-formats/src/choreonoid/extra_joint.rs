//! Joints that close loops.

use std::sync::Arc;

use stiction::math::DVec3;

use crate::description::JointSpookDescription;
use crate::diagnostic::{Diagnostic, Location};
use crate::sdf::report::Report;
use crate::suggest::did_you_mean;
use crate::yaml::Node;

use super::body::Body;
use super::fields::Fields;
use super::joint_spook;
use super::keys;
use super::link;
use super::pose::AngleUnit;

/// A joint that closes a loop.
#[derive(Clone, Debug)]
pub(super) struct ExtraJoint {
    pub(super) name: String,
    /// `fixed`, `hinge`, `ball` or `piston`.
    pub(super) kind: String,
    pub(super) links: [usize; 2],
    /// The point of the joint in each link \[m\].
    pub(super) points: [DVec3; 2],
    /// In the frame of the first link.
    pub(super) axis: DVec3,
    /// Lowest and highest angle \[rad\].
    pub(super) range: [f64; 2],
    /// What AGX's solver is given for it.
    pub(super) spook: Option<Arc<JointSpookDescription>>,
    pub(super) location: Location,
}

/// Reads a joint between two links of a body; none, with a finding, where it is none.
pub(super) fn read(node: &Node, body: &Body, unit: AngleUnit, report: &mut Report) -> Option<ExtraJoint> {
    let fields = Fields::of(node, "an extra joint", report)?;
    fields.check(&keys::extra_joint(), &[], report);
    let mut end = |key: &str| {
        let Some(name) = fields.text(key, report) else {
            let message = format!("an extra joint has no `{key}`");
            report.add(Diagnostic::error("missing-key", message).at(fields.location));
            return None;
        };
        let found = body.find(name);
        if found.is_none() {
            let message = format!("an extra joint joins `{name}`, which does not exist");
            let place = fields.get(key).map_or(fields.location, |node| &node.location);
            let mut finding = Diagnostic::error("unknown-link", message).at(place);
            finding.help = did_you_mean(name, body.links.iter().map(|link| link.name.name.as_str()));
            report.add(finding);
        }
        found
    };
    let (first, second) = (end("link1_name"), end("link2_name"));
    let kind = fields.text("joint_type", report).unwrap_or("");
    if !matches!(kind, "fixed" | "hinge" | "ball" | "piston") {
        let message = format!("`{kind}` is not a type of extra joint");
        let place = fields.get("joint_type").map_or(fields.location, |node| &node.location);
        let help = did_you_mean(kind, ["fixed", "hinge", "ball", "piston"]);
        let help = help.unwrap_or_else(|| "one of: fixed, hinge, ball, piston".to_owned());
        report.add(Diagnostic::error("joint-type", message).at(place).help(help));
        return None;
    }
    let mut point = |key: &str| {
        let long = format!("{key}_position");
        let short = format!("{key}_pos");
        fields.vector(&short, report).or_else(|| fields.vector(&long, report)).unwrap_or_default()
    };
    let points = [point("link1_local"), point("link2_local")];
    let axis = fields.vector("axis", report).and_then(|axis| axis.try_normalize());
    let axis = axis.unwrap_or_else(|| link::axis(&fields, report));
    let links = [first?, second?];
    let name = match fields.text("name", report) {
        Some(name) => name.to_owned(),
        None => format!("{}_{}", body.links[links[0]].name.name, body.links[links[1]].name.name),
    };
    let range = link::range(&fields, "joint_range", unit.0, report);
    let spook = joint_spook::read(&fields, report).map(Arc::new);
    let location = fields.location.clone();
    Some(ExtraJoint { name, kind: kind.to_owned(), links, points, axis, range, spook, location })
}
