//! What an engine refuses of the files, at its place in them.

use stiction::world::{ParameterError, Preset};
use stiction_formats::ParameterPath;
use stiction_formats::description::{Origin, WorldDescription};
use stiction_formats::devices::{DeviceDescription, DeviceKind};
use stiction_formats::diagnostic::{Diagnostic, Location};
use stiction_formats::simulation::SimulationError;

use crate::error::RunError;

/// Parameters of the world by their names in the engine, and the elements below the block of an engine that set them.
const ELEMENTS: [(&str, &str); 7] = [
    ("erp", "constraints.erp"),
    ("cfm", "constraints.cfm"),
    ("contact_max_correcting_velocity", "constraints.contact_max_correcting_vel"),
    ("contact_surface_layer", "constraints.contact_surface_layer"),
    ("sor", "solver.sor"),
    ("integrator.accuracy", "accuracy"),
    ("integrator.min_step", "min_step_size"),
];

/// A parameter of the world that the file sets: in the block of the engine, else in ODE's.
pub(crate) fn of_parameter(error: ParameterError, preset: Preset, paths: &[ParameterPath]) -> RunError {
    let tail = ELEMENTS.iter().find(|(name, _)| *name == error.name).map_or("", |(_, tail)| *tail);
    // Blocks have the names of engines without what follows a hyphen.
    let own = preset.name().split('-').next().unwrap_or_default();
    let found = [own, "ode"].iter().find_map(|block| {
        let element = format!("physics.{block}.{tail}");
        let path = paths.iter().find(|p| p.path == element)?;
        match &path.origin {
            Origin::File(place) if path.value.trim().parse() == Ok(error.found) => Some((path, place)),
            _ => None,
        }
    });
    let Some((path, place)) = found else { return error.into() };
    let name = tail.rsplit('.').next().unwrap_or(tail);
    let message = format!("<{name}> is `{}`, not {}", path.value.trim(), error.expected);
    let finding = Diagnostic::error("out-of-range", message).at(place);
    let finding = finding.label(format!("expected {}", error.expected)).element(path.path.as_str());
    RunError::Findings(vec![finding.help(format!("without it `{}` does not run", preset.name()))])
}

/// The first wire of a file, which continuous time does not have.
pub(crate) fn of_wires(preset: Preset, description: &WorldDescription) -> Result<(), RunError> {
    let is_wire = |device: &&DeviceDescription| matches!(device.kind, DeviceKind::Wire(_));
    let mut wires = description.devices.iter().filter(is_wire);
    let Some(first) = wires.next() else { return Ok(()) };
    let more = match wires.count() {
        0 => String::new(),
        count => format!(", and {count} more"),
    };
    let message = format!(
        "wire `{}`{more}: `{}` runs in continuous time, wires take part in fixed steps only",
        first.name,
        preset.name()
    );
    let finding = Diagnostic::error("wire-in-continuous-time", message).at(&first.location);
    let finding = finding.label("no wires in continuous time").element(first.name.as_str());
    Err(RunError::Findings(vec![finding.help("choose an engine of fixed steps, e.g. --engine agx or --engine ode")]))
}

/// A link, collision or joint that cannot be made.
pub(crate) fn of_world(error: SimulationError, description: &WorldDescription) -> RunError {
    let links = description.links.iter().map(|l| (&l.name, &l.location));
    let collisions = description.links.iter().flat_map(|l| &l.collisions).map(|c| (&c.name, &c.location));
    let joints = description.joints.iter().map(|j| (&j.name, &j.location));
    let mut all = joints.chain(collisions).chain(links);
    let Some((_, place)) = all.find(|(name, _)| **name == error.name) else { return error.into() };
    RunError::Findings(vec![refused(&error, place)])
}

fn refused(error: &SimulationError, place: &Location) -> Diagnostic {
    let message = format!("`{}`: {}", error.name, error.reason);
    Diagnostic::error("refused", message).at(place).label("the engine cannot make it").element(error.name.as_str())
}
