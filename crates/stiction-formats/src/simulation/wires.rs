//! Wires of Choreonoid's AGX plug-in as wires of the engine.

use stiction::material::{MaterialId, Surface};
use stiction::math::DVec3;
use stiction::world::{BodyId, Winch, WireDefinition, WireElasticity, WireId, WireMaterial, WirePoint};

use super::Simulation;
use crate::description::{Setting, WorldDescription};
use crate::devices::{DeviceKind, LinkReference, WireDescription, WireNodeKind};
use crate::diagnostic::Diagnostic;
use crate::materials::{Material, MaterialTable};

/// A wire and its name.
#[derive(Clone, Debug)]
pub struct SimulatedWire {
    /// Name in the scope of its model.
    pub name: String,
    /// The wire.
    pub id: WireId,
}

/// Wires of a description.
pub(super) fn of(description: &WorldDescription) -> impl Iterator<Item = &WireDescription> {
    description.devices.iter().filter_map(|device| match &device.kind {
        DeviceKind::Wire(wire) => Some(&**wire),
        _ => None,
    })
}

/// Makes the wires of a description, with materials of a table; `number` gives the number of a material. Returns what the
/// engine refuses.
pub(super) fn add(
    simulation: &mut Simulation,
    description: &WorldDescription,
    table: &MaterialTable,
    number: impl Fn(&str) -> MaterialId,
) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for device in &description.devices {
        let DeviceKind::Wire(wire) = &device.kind else { continue };
        let own = if device.name.is_empty() { "wire" } else { &device.name };
        let model = description.links[device.link].name.rsplit_once("::").map_or("", |(model, _)| model);
        let name = format!("{model}::{own}");
        let mut definition = definition(simulation, wire, table);
        if wire.collides.value {
            definition.surface = Some(Surface { material: Some(number(&wire.material.value)), ..Surface::default() });
        }
        match simulation.world.add_wire(&definition) {
            Ok(id) => simulation.wires.push(SimulatedWire { name, id }),
            Err(error) => {
                let message = format!("the wire `{name}` cannot be made: {error}");
                findings.push(Diagnostic::warning("wire", message).at(&device.location));
            }
        }
    }
    findings
}

/// The engine's wire: the winch first, then the nodes in order.
fn definition(simulation: &Simulation, wire: &WireDescription, table: &MaterialTable) -> WireDefinition {
    let mut route = Vec::new();
    if let Some(winch) = &wire.winch {
        let (body, at) = place(simulation, winch.link.as_ref(), winch.position);
        let stored = winch.pulled_in_length.value;
        route.push(WirePoint::Winch(
            body,
            at,
            Winch { stored, force_range: winch.force_range.value, ..Winch::default() },
        ));
    }
    let last = wire.nodes.len().saturating_sub(1);
    for (index, node) in wire.nodes.iter().enumerate() {
        let (body, at) = place(simulation, node.link.as_ref(), node.position);
        let is_end = index == last || route.is_empty();
        route.push(match node.kind {
            WireNodeKind::Free => WirePoint::Free(at),
            WireNodeKind::Link if is_end => WirePoint::Link(body, at),
            // Bending is held at ends only.
            WireNodeKind::Fixed | WireNodeKind::Link => WirePoint::Fixed(body, at),
        });
    }
    let unknown = Material::unknown(wire.material.value.clone());
    let material = table.material(&wire.material.value).unwrap_or(&unknown);
    let or = |own: &Option<Setting<f64>>, other: f64| own.as_ref().map_or(other, |own| own.value);
    let elasticity = |modulus, modulus_of_material, damping, damping_of_material| WireElasticity {
        youngs_modulus: or(modulus, modulus_of_material),
        damping_time: or(damping, damping_of_material),
    };
    let of = &material.wire;
    let (modulus, damping) = (&wire.youngs_modulus_stretch, &wire.spook_damping_stretch);
    let stretch = elasticity(modulus, of.youngs_modulus_stretch, damping, of.spook_damping_stretch);
    let (modulus, damping) = (&wire.youngs_modulus_bend, &wire.spook_damping_bend);
    let bend = elasticity(modulus, of.youngs_modulus_bend, damping, of.spook_damping_bend);
    WireDefinition {
        material: WireMaterial { density: material.density, stretch, bend, ..WireMaterial::default() },
        resolution: wire.resolution.value,
        ..WireDefinition::new(wire.radius.value, route)
    }
}

/// A point of a link, or of the world, in the world \[m\], and the body that carries it.
fn place(simulation: &Simulation, link: Option<&LinkReference>, position: DVec3) -> (Option<BodyId>, DVec3) {
    match link.and_then(|link| link.link) {
        Some(link) => {
            let link = &simulation.links[link];
            (link.body, simulation.link_pose(link).point(position))
        }
        None => (None, position),
    }
}
