//! Commanded joints, as the reader of URDF leaves them in a model.

use std::collections::BTreeMap;

use crate::commanded::CommandedJointDescription;
use crate::description::{Setting, WorldDescription};

use super::element::Element;
use super::plugins::COMMANDED;
use super::scope::Scope;
use super::value;

/// Of all models; a joint that was left out for a fault of its own is not listed.
pub(crate) fn read(scopes: &[Scope<'_>], world: &WorldDescription) -> Vec<CommandedJointDescription> {
    let joints: BTreeMap<&str, usize> = world.joints.iter().enumerate().map(|(i, j)| (j.name.as_str(), i)).collect();
    let mut commanded = Vec::new();
    for scope in scopes {
        for element in scope.element.children_named(COMMANDED) {
            if let Some(joint) = joints.get(scope.scoped(element.value("joint").unwrap_or("")).as_str()) {
                commanded.push(description(element, *joint));
            }
        }
    }
    commanded
}

fn description(element: &Element, joint: usize) -> CommandedJointDescription {
    let text = |name: &str| element.value(name).unwrap_or("").to_owned();
    let words = |name: &str| element.children_named(name).map(|c| c.text.clone()).collect::<Vec<_>>();
    let reduction = |e: &Element| Some(Setting { value: value::real(&e.text)?, origin: e.origin() });
    CommandedJointDescription {
        joint,
        kind: text("kind"),
        holder: text("holder"),
        command_interfaces: words("command"),
        state_interfaces: words("state"),
        hardware: text("hardware"),
        mechanical_reduction: element.child("reduction").and_then(reduction),
        location: element.location.clone(),
    }
}
