//! What holds, pushes or watches bodies.

use stiction::math::DVec3;

use super::super::element::Element;
use super::super::lumped;
use super::reader::{PluginReader, Range};
use crate::description::WorldDescription;
use crate::plugins::{
    DetachableDescription, GravityCompensationDescription, HarnessDescription, MonitorDescription, PidDescription,
    PluginKind, PluginProgram, TouchDescription, WrenchDescription,
};
use crate::suggest::did_you_mean;

/// gz-sim's `ApplyLinkWrench` with its `<persistent>` wrenches, `force` of `gazebo_ros_pkgs`.
pub(super) fn wrenches(r: &mut PluginReader) -> Option<PluginKind> {
    if r.program == PluginProgram::GazeboRos {
        let link = r.link(&["link_name", "bodyName"])?;
        let _ = r.all(&["force_frame"]);
        let [force, torque, offset] = [DVec3::ZERO; 3];
        return Some(PluginKind::Wrenches(vec![WrenchDescription { link, force, torque, offset, is_commanded: true }]));
    }
    let mut list = Vec::new();
    for persistent in r.all(&["persistent"]) {
        let Some(name) = persistent.child("entity_name") else {
            let message = "<persistent> has no <entity_name>".to_owned();
            r.refuse("missing-element", message, &persistent.location, None);
            continue;
        };
        let kind = persistent.child("entity_type").map_or("link", |e| e.text.trim());
        let link = if kind == "model" {
            let model = r.names.models.get(name.text.trim()).copied();
            let link = model.and_then(|m| r.world.models[m].canonical_link);
            if link.is_none() {
                let message = format!("`{}` is not a model with links", name.text);
                r.refuse("unknown-model", message, &name.text_location, None);
            }
            link
        } else {
            r.link_of(name)
        };
        let mut vector = |part: &str| persistent.child(part).map_or(Some(DVec3::ZERO), |e| r.vector_of(e));
        let parts = [vector("force"), vector("torque"), vector("force_offset")];
        if let (Some(link), [Some(force), Some(torque), Some(offset)]) = (link, parts) {
            list.push(WrenchDescription { link, force, torque, offset, is_commanded: false });
        }
    }
    Some(PluginKind::Wrenches(list))
}

/// gz-sim's `DetachableJoint`.
pub(super) fn detachable(r: &mut PluginReader) -> Option<PluginKind> {
    let parent = r.link(&["parent_link"]);
    let model = r.text(&["child_model"]).unwrap_or("");
    let link = r.any(&["child_link"]);
    let _ = r.all(&["suppress_child_warning"]);
    let Some(link) = link.filter(|_| !model.is_empty()) else {
        let message = "DetachableJoint needs <child_model> and <child_link>".to_owned();
        let at = r.element.location.clone();
        r.refuse("missing-element", message, &at, None);
        return None;
    };
    let own = r.model.map_or("", |m| r.world.models[m].name.as_str());
    let of = if model == "__model__" { own } else { model };
    let inner = [format!("{of}::{}", link.text.trim()), format!("{own}::{of}::{}", link.text.trim())];
    let Some(child) = inner.iter().find_map(|name| r.names.links.get(name.as_str()).copied()) else {
        let message = format!("there is no link `{}`", inner[0]);
        let help = did_you_mean(&inner[0], r.names.links.keys().copied());
        r.refuse("unknown-link", message, &link.text_location, help);
        return None;
    };
    Some(PluginKind::Detachable(DetachableDescription { parent: parent?, child }))
}

/// A joint of the harness: an element of the plugin that was put into the model ([`super::hoist`]).
fn harness_joint(r: &mut PluginReader, element: Option<&Element>) -> Option<usize> {
    match element {
        Some(named) => r.moving_joint(named),
        None => {
            let first = r.all(&["joint"]).first().and_then(|joint| joint.attribute("name"))?;
            r.moving_joint(&Element::with_text("joint", first.value.trim(), &first.location))
        }
    }
}

/// Gazebo classic's `HarnessPlugin`.
pub(super) fn harness(r: &mut PluginReader) -> Option<PluginKind> {
    if r.all(&["joint"]).is_empty() {
        let message = "the harness has no <joint>".to_owned();
        let at = r.element.location.clone();
        r.refuse("missing-element", message, &at, None);
        return None;
    }
    let named = r.any(&["detach"]);
    let detach = match named {
        Some(named) => r.joint_of(named),
        None => harness_joint(r, None),
    };
    let winch = r.all(&["winch"]).first().copied();
    let joint = harness_joint(r, winch.and_then(|w| w.child("joint")));
    let mut pid = |name: &str| {
        let mut pid = PidDescription::new([0.0; 3], 0.0, 0.0);
        let Some(element) = winch.and_then(|w| w.child(name)) else { return pid };
        let mut one = |name: &str| element.child(name).and_then(|e| r.number_of(e, Range::Any)).unwrap_or(0.0);
        (pid.p, pid.i, pid.d) = (one("p"), one("i"), one("d"));
        (pid.i_max, pid.i_min) = (one("i_max"), one("i_min"));
        (pid.cmd_max, pid.cmd_min) = (one("cmd_max"), one("cmd_min"));
        pid
    };
    let (position, velocity) = (pid("pos_pid"), pid("vel_pid"));
    Some(PluginKind::Harness(HarnessDescription { detach: detach?, winch: joint?, position, velocity }))
}

/// Gazebo classic's `GravityCompensationPlugin`.
pub(super) fn gravity_compensation(r: &mut PluginReader) -> Option<PluginKind> {
    let _ = r.all(&["uri", "joint"]);
    let model = r.model?;
    let of_model = r.links_of_model(model);
    let is_own = |joint: &usize| r.world.joints[*joint].child.is_some_and(|child| of_model.contains(&child));
    let joints = (0..r.world.joints.len()).filter(is_own).filter(|j| r.world.joints[*j].axes.len() == 1);
    let joints = joints.filter_map(|joint| Some((joint, beyond(r.world, joint)?))).collect();
    Some(PluginKind::GravityCompensation(GravityCompensationDescription { joints }))
}

/// Links beyond a joint; `None` where they lead around to its parent.
fn beyond(world: &WorldDescription, joint: usize) -> Option<Vec<usize>> {
    let mut reached = vec![world.joints[joint].child?];
    let mut next = 0;
    while next < reached.len() {
        let link = reached[next];
        next += 1;
        for (_, other) in world.joints.iter().enumerate().filter(|(index, _)| *index != joint) {
            let neighbour = match (other.parent, other.child) {
                (Some(a), b) if a == link => b,
                (a, Some(b)) if b == link => a,
                _ => None,
            };
            reached.extend(neighbour.filter(|n| !reached.contains(n)));
        }
    }
    let parent = world.joints[joint].parent;
    (!parent.is_some_and(|p| reached.contains(&p))).then_some(reached)
}

/// gz-sim's `KineticEnergyMonitor`.
pub(super) fn monitor(r: &mut PluginReader) -> Option<PluginKind> {
    let link = match r.any(&["link_name", "base_link_name"]) {
        Some(element) => r.link_of(element),
        None => r.canonical(),
    };
    let threshold = r.real(&["kinetic_energy_threshold"], 7.0, Range::NonNegative);
    Some(PluginKind::Monitor(MonitorDescription { link: link?, threshold }))
}

/// `TouchPlugin`.
pub(super) fn touch(r: &mut PluginReader) -> Option<PluginKind> {
    let targets: Vec<&str> = r.all(&["target"]).into_iter().map(|e| e.text.trim()).filter(|t| !t.is_empty()).collect();
    let _ = r.all(&["create_contact_sensor_for_collision"]);
    if targets.is_empty() || r.any(&["time"]).is_none() {
        let message = "TouchPlugin needs <target> and <time>".to_owned();
        let at = r.element.location.clone();
        r.refuse("missing-element", message, &at, None);
    }
    let time = r.real(&["time"], 0.0, Range::NonNegative);
    let wanted: Vec<&str> = r.all(&["collision"]).into_iter().map(|e| e.text.trim()).collect();
    let own_links = r.model.map_or_else(Vec::new, |model| r.links_of_model(model));
    let names = |links: &mut dyn Iterator<Item = usize>| -> Vec<String> {
        links.flat_map(|l| r.world.links[l].collisions.iter().map(|c| c.name.clone())).collect()
    };
    let mut own = if wanted.is_empty() { names(&mut own_links.iter().copied()) } else { Vec::new() };
    for given in wanted {
        let plain = |l: &usize| {
            let all = r.world.links[*l].collisions.iter().map(|c| c.name.clone());
            all.filter(|name| name.rsplit("::").next() == Some(given)).collect::<Vec<_>>()
        };
        let found: Vec<String> = own_links.iter().flat_map(plain).collect();
        let lumped = own_links.iter().find_map(|l| lumped::collision(r.world, *l, given)).filter(|_| found.is_empty());
        own.extend(found.into_iter().chain(lumped));
    }
    let mut others = names(&mut (0..r.world.links.len()).filter(|l| !own_links.contains(l)));
    others.retain(|name| targets.iter().any(|target| name.contains(target)));
    // As in Gazebo, it waits for a service unless it is enabled.
    if !r.flag(&["enabled"], false) {
        own.clear();
    }
    Some(PluginKind::Touch(TouchDescription { own, targets: others, time }))
}

/// `breaking_force_N` of a `BreakableJointPlugin`.
pub(super) fn breaking_force(r: &mut PluginReader) -> f64 {
    r.real(&["breaking_force_N"], 1.0, Range::NonNegative)
}
