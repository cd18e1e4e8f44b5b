//! What a world asks of its material table and does not find there.

use std::collections::{BTreeMap, BTreeSet};

use crate::description::{Origin, Setting, WorldDescription};
use crate::devices::DeviceKind;
use crate::diagnostic::{Diagnostic, Location};
use crate::materials::{ContactMaterial, DEFAULT, FrictionWord, MaterialTable};
use crate::suggest::did_you_mean;

/// More kinds of shapes than this are not compared with each other: every pair of materials may meet then.
const MOST_KINDS: usize = 3000;

/// Warnings for materials that the table does not have, and for friction models of the pairs that may touch which lack their
/// reference link, each once.
pub(crate) fn doubts(
    world: &WorldDescription,
    table: &MaterialTable,
    meeting: &BTreeSet<[String; 2]>,
) -> Vec<Diagnostic> {
    let mut findings = unknown_materials(world, table);
    let mut told = Vec::new();
    for [a, b] in meeting {
        let Some(contact) = table.contact(a, b).filter(|contact| contact.friction_model.is_oriented()) else {
            continue;
        };
        // A list of several materials is one contact material for all of its pairs.
        if contact.location.is_some() && told.contains(&&contact.location) {
            continue;
        }
        told.push(&contact.location);
        findings.extend(without_reference(world, contact, [a, b]));
    }
    findings
}

/// The link of a description that is the reference of a pair.
fn has_reference(world: &WorldDescription, contact: &ContactMaterial) -> bool {
    world.links.iter().any(|link| {
        let mut names = link.name.split("::");
        let is_of_body = contact.reference_body.is_empty() || names.next() == Some(contact.reference_body.as_str());
        is_of_body && link.name.rsplit("::").next() == Some(contact.reference_link.as_str())
    })
}

fn without_reference(world: &WorldDescription, contact: &ContactMaterial, [a, b]: [&str; 2]) -> Option<Diagnostic> {
    if has_reference(world, contact) {
        return None;
    }
    let (body, link) = (&contact.reference_body, &contact.reference_link);
    let is_named = !body.is_empty() || !link.is_empty();
    let mut message = if !is_named {
        format!(
            "friction of `{a}` on `{b}` is oriented and names no reference link: its direction is that of the world's axes"
        )
    } else if link.is_empty() {
        format!("friction of `{a}` on `{b}` names the reference body `{body}` and no link of it: it has no direction")
    } else {
        format!(
            "the reference link `{link}` of body `{body}` does not exist: friction of `{a}` on `{b}` has no direction"
        )
    };
    if contact.friction_model == FrictionWord::ConstantNormalForce && contact.constant_normal_force < 0.0 {
        message += ", and its bound follows the normal force";
    }
    let finding = Diagnostic::warning("reference-link", message).help(if is_named {
        let names = world.links.iter().map(|link| link.name.rsplit("::").next().unwrap_or_default());
        did_you_mean(link, names)
            .unwrap_or_else(|| "`referenceBodyName` is a model, `referenceLinkName` a link of it".into())
    } else {
        "give `referenceBodyName` and `referenceLinkName`".to_owned()
    });
    Some(finding.at_known(contact.location.as_ref()))
}

/// Names of materials that are neither in the table nor a side of a listed pair, where they are first named.
fn unknown_materials(world: &WorldDescription, table: &MaterialTable) -> Vec<Diagnostic> {
    let mut named: BTreeMap<&str, Option<&Location>> = BTreeMap::new();
    let of_shapes = world.links.iter().flat_map(|link| &link.collisions).filter_map(|c| c.material.as_ref());
    let of_devices = world.devices.iter().filter_map(|device| match &device.kind {
        DeviceKind::Track(track) => Some(&track.material),
        DeviceKind::Wire(wire) => Some(&wire.material),
        _ => None,
    });
    for Setting { value, origin } in of_shapes.chain(of_devices) {
        let place = if let Origin::File(place) = origin { Some(place) } else { None };
        named.entry(value.as_str()).or_insert(place);
    }
    let is_unknown = |name: &str| name != DEFAULT && !table.knows(name);
    let unknown = named.into_iter().filter(|(name, _)| is_unknown(name));
    let told = unknown.map(|(name, place)| {
        let message = format!("material `{name}` is not in the table: AGX's default material takes its place");
        let mut finding = Diagnostic::warning("unknown-material", message);
        finding.help = did_you_mean(name, table.materials().map(|material| material.name.as_str()));
        finding.at_known(place)
    });
    told.collect()
}

/// Names of the materials of shapes, and the pairs of them that may touch, in order.
pub(crate) fn meeting(world: &WorldDescription) -> (BTreeSet<String>, BTreeSet<[String; 2]>) {
    // Links by the material of their shapes, the group in which they do not touch, and whether they move.
    let mut kinds: BTreeMap<(&str, usize, bool), usize> = BTreeMap::new();
    for (index, link) in world.links.iter().enumerate() {
        let moves = !world.models[link.model].is_static && !link.is_fixed_to_world;
        let group = if link.self_collide.value { world.models.len() } else { world.outermost_model(link.model) };
        for collision in link.collisions.iter().filter(|c| c.surface.collide_bitmask.value != 0) {
            let name = collision.material.as_ref().map_or(DEFAULT, |material| material.value.as_str());
            // One link alone, or several.
            kinds
                .entry((name, group, moves))
                .and_modify(|only| {
                    if *only != index {
                        *only = usize::MAX
                    }
                })
                .or_insert(index);
        }
    }
    let named = world.links.iter().flat_map(|link| &link.collisions);
    let used: BTreeSet<String> =
        named.map(|c| c.material.as_ref().map_or(DEFAULT, |material| material.value.as_str()).to_owned()).collect();
    let mut pairs = BTreeSet::new();
    let kinds: Vec<_> = kinds.into_iter().collect();
    for (i, ((a, group_a, moves_a), only_a)) in kinds.iter().enumerate() {
        for ((b, group_b, moves_b), only_b) in &kinds[i..] {
            let are_apart = group_a != group_b || *group_a == world.models.len();
            let are_two = only_a != only_b || *only_a == usize::MAX;
            if kinds.len() > MOST_KINDS || (are_apart && are_two && (*moves_a || *moves_b)) {
                let mut pair = [(*a).to_owned(), (*b).to_owned()];
                pair.sort();
                pairs.insert(pair);
            }
        }
    }
    (used, pairs)
}
