//! gz-sim's `AdvancedLiftDrag`.

use stiction::math::DVec3;

use super::super::element::Element;
use super::reader::{PluginReader, Range};
use crate::plugins::{AeroDerivatives, AircraftDescription, ControlSurfaceDescription, PluginKind};

/// Drag, side force, lift, roll, pitch and yaw, as the names of their coefficients begin.
const FORCES: [&str; 6] = ["CD", "CY", "CL", "Cell", "Cem", "Cen"];

pub(super) fn aircraft(r: &mut PluginReader) -> Option<PluginKind> {
    let link = r.link(&["link_name"]);
    let derivatives = FORCES.map(|force| {
        let mut by = |what: &str| r.real(&[&format!("{force}{what}")], 0.0, Range::Any);
        // Drag has no derivatives by angles: it follows from the lift.
        let by_angles = if force == "CD" { [0.0; 2] } else { [by("a"), by("b")] };
        AeroDerivatives { by_angles, by_rates: [by("p"), by("q"), by("r")] }
    });
    // The program overwrites what these make by the effect of sideslip.
    let _ = r.all(&["Cem0", "Cema_stall", "radial_symmetry", "control_joint_rad_to_cl", "num_ctrl_surfaces"]);
    let surfaces: Vec<Option<ControlSurfaceDescription>> =
        r.all(&["control_surface"]).into_iter().map(|element| surface(r, element)).collect();
    let area = r.real(&["area"], 1.0, Range::Positive);
    let [aspect_ratio, efficiency] = ["AR", "eff"].map(|name| {
        if r.any(&[name]).is_none() {
            let at = r.element.location.clone();
            r.refuse("missing-element", format!("AdvancedLiftDrag needs <{name}>"), &at, None);
        }
        r.real(&[name], 1.0, Range::Positive)
    });
    let chord = r.real(&["mac"], 0.0, Range::NonNegative);
    Some(PluginKind::Aircraft(Box::new(AircraftDescription {
        lift_drag_at_zero: ["CL0", "CD0"].map(|name| r.real(&[name], 0.0, Range::Any)),
        derivatives,
        alpha_stall: r.real(&["alpha_stall"], core::f64::consts::FRAC_PI_2, Range::NonNegative),
        aspect_ratio,
        // The mean chord of a wing whose own is not given.
        chord: if chord > 1e-9 { chord } else { area / libm::sqrt(area * aspect_ratio) },
        efficiency,
        air_density: r.real(&["air_density"], 1.2041, Range::NonNegative),
        area,
        cp: r.vector(&["cp"], DVec3::ZERO),
        forward: r.direction("forward", DVec3::X),
        upward: r.direction("upward", DVec3::Z),
        surfaces: surfaces.into_iter().collect::<Option<_>>()?,
        link: link?,
    })))
}

fn surface(r: &mut PluginReader, element: &Element) -> Option<ControlSurfaceDescription> {
    let mut part = |name: &str| {
        let found = element.child(name).filter(|e| !e.text.is_empty());
        if found.is_none() {
            r.refuse("missing-element", format!("<control_surface> has no <{name}>"), &element.location, None);
        }
        found
    };
    let (joint, direction) = (part("name"), part("direction"));
    let effects = FORCES.map(|force| part(&format!("{force}_ctrl")));
    let mut numbers = [0.0; 6];
    for (number, effect) in numbers.iter_mut().zip(effects) {
        *number = r.number_of(effect?, Range::Any)?;
    }
    Some(ControlSurfaceDescription {
        joint: r.moving_joint(joint?)?,
        direction: r.number_of(direction?, Range::Any)?,
        effects: numbers,
    })
}
