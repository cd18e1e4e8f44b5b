//! Wires of Choreonoid's AGX plug-in as wires of the engine.

use stiction::material::{MaterialId, Surface};
use stiction::math::DVec3;
use stiction::world::{BodyId, Winch, WireDefinition, WireElasticity, WireId, WireMaterial, WirePoint};

use super::{Simulation, SimulationError};
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

/// Wires of a description with materials of a table.
pub(super) fn of(description: &WorldDescription) -> impl Iterator<Item = &WireDescription> {
    description.devices.iter().filter_map(|device| match &device.kind {
        DeviceKind::Wire(wire) if wire.is_of_table => Some(&**wire),
        _ => None,
    })
}

/// Makes the wires that have no material of a table.
pub(super) fn add_plain(simulation: &mut Simulation, description: &WorldDescription) -> Result<(), SimulationError> {
    for device in &description.devices {
        let DeviceKind::Wire(wire) = &device.kind else { continue };
        if wire.is_of_table {
            continue;
        }
        let plain = WireMaterial::default();
        let mut definition = definition(simulation, wire, plain);
        if wire.collides.value {
            definition.surface = Some(Surface::default());
        }
        let refused = |error| {
            SimulationError::new(
                &device.name,
                format!("{error} ({}:{})", device.location.file.display(), device.location.line),
            )
        };
        let id = simulation.world.add_wire(&definition).map_err(refused)?;
        simulation.wires.push(SimulatedWire { name: device.name.clone(), id });
    }
    Ok(())
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
        if !wire.is_of_table {
            continue;
        }
        let own = if device.name.is_empty() { "wire" } else { &device.name };
        let model = description.links.get(device.link).and_then(|link| link.name.rsplit_once("::"));
        let name = model.map_or_else(|| own.to_owned(), |(model, _)| format!("{model}::{own}"));
        let unknown = Material::unknown(wire.material.value.clone());
        let material = table.material(&wire.material.value).unwrap_or(&unknown);
        let of = &material.wire;
        let elasticity = |youngs_modulus, damping_time| WireElasticity { youngs_modulus, damping_time };
        let material = WireMaterial {
            density: material.density,
            stretch: elasticity(of.youngs_modulus_stretch, of.spook_damping_stretch),
            bend: elasticity(of.youngs_modulus_bend, of.spook_damping_bend),
            ..WireMaterial::default()
        };
        let mut definition = definition(simulation, wire, material);
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
fn definition(simulation: &Simulation, wire: &WireDescription, material: WireMaterial) -> WireDefinition {
    let mut route = Vec::new();
    if let Some(winch) = &wire.winch {
        let (body, at) = place(simulation, winch.link.as_ref(), winch.position);
        let stored = winch.pulled_in_length.value;
        route.push(WirePoint::Winch(
            body,
            at,
            Winch {
                stored,
                force_range: winch.force_range.value,
                brake: winch.brake,
                control: winch.control.unwrap_or(Winch::default().control),
            },
        ));
    }
    let last = wire.nodes.len().saturating_sub(1);
    for (index, node) in wire.nodes.iter().enumerate() {
        let (body, at) = place(simulation, node.link.as_ref(), node.position);
        let is_end = index == last || route.is_empty();
        route.push(match node.kind {
            WireNodeKind::Free => WirePoint::Free(at),
            WireNodeKind::Eye => WirePoint::Eye(body, at),
            WireNodeKind::Link if is_end => WirePoint::Link(body, at),
            // Bending is held at ends only.
            WireNodeKind::Fixed | WireNodeKind::Link => WirePoint::Fixed(body, at),
        });
    }
    let or = |own: &Option<Setting<f64>>, other: f64| own.as_ref().map_or(other, |own| own.value);
    let elasticity = |modulus, damping, other: WireElasticity| WireElasticity {
        youngs_modulus: or(modulus, other.youngs_modulus),
        damping_time: or(damping, other.damping_time),
    };
    let material = WireMaterial {
        density: or(&wire.density, material.density),
        stretch: elasticity(&wire.youngs_modulus_stretch, &wire.spook_damping_stretch, material.stretch),
        bend: elasticity(&wire.youngs_modulus_bend, &wire.spook_damping_bend, material.bend),
        friction: or(&wire.friction, material.friction),
    };
    WireDefinition { material, resolution: wire.resolution.value, ..WireDefinition::new(wire.radius.value, route) }
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
