//! A material table on the shapes of a world: materials by name, and the contact law of every pair that occurs.

use std::collections::{BTreeMap, BTreeSet};

use stiction::contact::friction::{Coupling, FrictionBound};
use stiction::contact::restitution::Restitution;
use stiction::material::{AreaLaw, ContactPoints, ContactSurface, MaterialId, NormalLaw, PointReduction};
use stiction::math::{DVec3, Pose};
use stiction::world::{BodyId, GeomId};

use super::doubts::{doubts, meeting};
use super::{SimulatedLink, Simulation, track, wires};
use crate::description::WorldDescription;
use crate::devices::{DeviceDescription, DeviceKind};
use crate::diagnostic::{Diagnostic, Severity};
use crate::materials::{
    ContactMaterial, DEFAULT, FrictionWord, Key, MATERIAL_KEYS, Material, MaterialTable, Pair, ReductionMode,
};

/// Half of the weight of the reference body stands for a constant normal force that a table does not give
/// \[m/s²\]: Choreonoid's number.
const HALF_WEIGHT: f64 = 9.8 / 2.0;

/// The description names materials of its own or of a table.
#[must_use]
pub fn names_materials(description: &WorldDescription) -> bool {
    let is_device = |device: &DeviceDescription| match &device.kind {
        DeviceKind::Track(_) => true,
        DeviceKind::Wire(wire) => wire.is_of_table,
        _ => false,
    };
    description.material_table.is_some()
        || named(description).next().is_some()
        || description.devices.iter().any(is_device)
}

/// Collisions that name a material, and its name.
fn named(description: &WorldDescription) -> impl Iterator<Item = (&str, &str)> {
    let collisions = description.links.iter().flat_map(|link| &link.collisions);
    collisions.filter_map(|c| Some((c.name.as_str(), c.material.as_ref()?.value.as_str())))
}

/// Gives every shape its material, and the world's contact table the law of each pair that may meet, whatever the engine.
/// Shapes that name no material have the material `Default`. Returns what is worth saying.
pub fn apply_materials(
    simulation: &mut Simulation,
    description: &WorldDescription,
    table: &MaterialTable,
) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let table = &table_with_own(table, description);
    let material_of: BTreeMap<&str, &str> = named(description).collect();
    track::weigh(simulation, table);
    let plates: BTreeMap<GeomId, &str> =
        simulation.plates.iter().map(|plate| (plate.geom, plate.material.as_str())).collect();
    let of = |name: &String| material_of.get(name.as_str()).copied().unwrap_or(DEFAULT).to_owned();
    let names: BTreeMap<_, String> = simulation
        .collisions
        .iter()
        .map(|(geom, name)| (*geom, plates.get(geom).map_or_else(|| of(name), |material| (*material).to_owned())))
        .collect();
    let of_wires = wires::of(description).map(|wire| wire.material.value.as_str());
    let used: BTreeSet<&str> = names.values().map(String::as_str).chain(of_wires).collect();
    let used: Vec<&str> = used.into_iter().collect();
    findings.extend(doubts(description, table, &meeting(description).1));
    for (geom, name) in &names {
        let number = used.binary_search(&name.as_str()).unwrap_or_default() as u32;
        if let Some(surface) = simulation.world.geom_surface_mut(*geom) {
            surface.material = Some(MaterialId(number));
        }
    }
    for (i, a) in used.iter().enumerate() {
        for (j, b) in used.iter().enumerate().skip(i) {
            let mut pair = table.pair(a, b);
            say(&pair, [a, b], &mut findings);
            let (link, weight) = reference(simulation, &pair);
            // A link in the static environment, or one that is part of a larger body, is turned in what carries it.
            if let Some(pose) = link.map(|link| link.pose).filter(|pose| *pose != Pose::IDENTITY) {
                pair.values.primary_direction = pose.direction(pair.values.primary_direction);
            }
            if link.is_none() && !(pair.reference_link.is_empty() && pair.reference_body.is_empty()) {
                pair.values.primary_direction = DVec3::ZERO;
            }
            let reference = link.and_then(|link| link.body);
            let surface = contact_surface(&pair, weight);
            let ids = [MaterialId(i as u32), MaterialId(j as u32)];
            let contacts = simulation.world.contact_table_mut();
            match reference {
                Some(body) => contacts.set_in_frame(ids[0], ids[1], surface, body),
                None => contacts.set(ids[0], ids[1], surface),
            }
            contacts.set_points(ids[0], ids[1], contact_points(&pair));
        }
    }
    let number = |name: &str| MaterialId(used.binary_search(&name).unwrap_or_default() as u32);
    findings.extend(wires::add(simulation, description, table, number));
    findings
}

/// The table with the materials that links have of their own.
pub(crate) fn table_with_own(table: &MaterialTable, description: &WorldDescription) -> MaterialTable {
    let mut table = table.clone();
    for own in &description.own_materials {
        let mut material = Material::unknown(own.name.clone());
        for (key, value) in &own.values {
            if let Some(key) = Key::find(MATERIAL_KEYS, key) {
                (key.set)(&mut material, value.value);
                material.origins.insert(key.names[0], value.origin.clone());
            }
        }
        table.insert(material);
    }
    table
}

/// What is worth saying of a pair that may meet.
fn say(pair: &Pair, names: [&str; 2], findings: &mut Vec<Diagnostic>) {
    let [a, b] = names;
    let mut note = |severity, code, message: String| {
        let finding = Diagnostic::new(severity, code, message);
        findings.push(finding.at_known(pair.location.as_ref()));
    };
    if pair.is_derived && pair.rests_on_default_viscosity {
        let e = pair.restitution;
        let message = format!("restitution {e} of `{a}` and `{b}` follows from a viscosity that the table leaves out");
        note(Severity::Note, "default-viscosity", message);
    }
}

/// The reference link, and the weight \[kg\] that stands for a constant normal force.
fn reference<'s>(simulation: &'s Simulation, contact: &ContactMaterial) -> (Option<&'s SimulatedLink>, f64) {
    if contact.reference_link.is_empty() && contact.reference_body.is_empty() {
        return (None, 0.0);
    }
    let is_of_body = |name: &str| {
        contact.reference_body.is_empty() || name.split("::").next() == Some(contact.reference_body.as_str())
    };
    let links = || simulation.links.iter().filter(|link| is_of_body(&link.name));
    let named = links().find(|link| link.name.rsplit("::").next() == Some(contact.reference_link.as_str()));
    // Plates of tracks are bodies of the simulator, not of the model.
    let is_plate = |body: &BodyId| simulation.plates.iter().any(|plate| plate.body == *body);
    let bodies: BTreeSet<BodyId> = links().filter_map(|link| link.body).filter(|body| !is_plate(body)).collect();
    let mass = bodies.into_iter().filter_map(|body| simulation.world.body(body)).map(|body| body.mass()).sum();
    (named, mass)
}

/// Which points of a pair of materials are contacts.
#[must_use]
pub fn contact_points(contact: &ContactMaterial) -> ContactPoints {
    ContactPoints {
        reduction: match contact.reduction.mode {
            ReductionMode::None => PointReduction::None,
            ReductionMode::Geometry => PointReduction::Shapes,
            ReductionMode::All => PointReduction::Bodies,
        },
        bins: contact.reduction.bins,
        area: contact
            .has_area_law
            .then_some(AreaLaw { min_rest_length: contact.min_rest_length, max_rest_length: contact.max_rest_length }),
    }
}

/// The law of a pair of materials. `mass` is that of the reference body \[kg\].
#[must_use]
pub fn contact_surface(contact: &ContactMaterial, mass: f64) -> ContactSurface {
    let or = |value: f64, other: f64| if value >= 0.0 { value } else { other };
    let model = contact.friction_model;
    let is_oriented = model.is_oriented() && contact.primary_direction != DVec3::ZERO;
    let across = if is_oriented { or(contact.secondary_friction, contact.friction) } else { contact.friction };
    let friction = [contact.friction, across];
    let slip = [contact.surface_viscosity, or(contact.secondary_surface_viscosity, contact.surface_viscosity)];
    let bounds = match model {
        FrictionWord::Box => [FrictionBound::LastNormal(friction[0]); 2],
        FrictionWord::OrientedLaggedBox => friction.map(FrictionBound::LastNormal),
        // Of no body there is no weight to stand for the normal force.
        FrictionWord::ConstantNormalForce if contact.constant_normal_force < 0.0 && mass <= 0.0 => {
            friction.map(FrictionBound::Coefficient)
        }
        FrictionWord::ConstantNormalForce => {
            let force = or(contact.constant_normal_force, HALF_WEIGHT * mass);
            friction.map(|mu| FrictionBound::Force(mu * force))
        }
        FrictionWord::OrientedCone | FrictionWord::OrientedScaledBox => friction.map(FrictionBound::Coefficient),
        FrictionWord::Cone | FrictionWord::ScaledBox => [FrictionBound::Coefficient(friction[0]); 2],
    };
    let is_cone = matches!(model, FrictionWord::Cone | FrictionWord::OrientedCone);
    ContactSurface {
        friction: bounds,
        coupling: if is_cone { Coupling::Ellipse } else { Coupling::Independent },
        direction: is_oriented.then_some(contact.primary_direction),
        projects_direction: true,
        slip: if is_oriented { slip } else { [slip[0]; 2] },
        bounce: Some(Restitution { coefficient: contact.restitution, threshold: 0.0 }),
        normal: NormalLaw::Spook {
            compliance: 1.0 / contact.youngs_modulus,
            damping_time: contact.spook_damping,
            adhesion: contact.adhesion_force,
            rest_depth: contact.adhesive_overlap,
        },
        solve_type: contact.solve_type,
        ..ContactSurface::default()
    }
}
