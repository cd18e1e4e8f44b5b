//! Fluids.

use stiction::math::DVec3;

use super::super::added_mass;
use super::reader::{PluginReader, Range};
use crate::diagnostic::Diagnostic;
use crate::plugins::{
    BuoyancyDescription, BuoyancyEngineDescription, BuoyantVolume, FluidLayer, HydrodynamicsDescription,
    PidDescription, PluginKind, PluginProgram, ThrusterDescription,
};

/// gz-sim's `Buoyancy` of a world, Gazebo classic's of a model.
pub(super) fn buoyancy(r: &mut PluginReader) -> Option<PluginKind> {
    if r.program == PluginProgram::Classic {
        return classic_buoyancy(r);
    }
    let mut density = r.real(&["uniform_fluid_density"], 1000.0, Range::NonNegative);
    let mut layers = Vec::new();
    let is_uniform = r.any(&["uniform_fluid_density"]).is_some();
    for graded in r.all(&["graded_buoyancy"]).into_iter().filter(|_| !is_uniform) {
        for child in &graded.children {
            match child.name.as_str() {
                "default_density" => density = r.number_of(child, Range::NonNegative).unwrap_or(density),
                "density_change" => {
                    let mut part = |name: &str, range| {
                        let Some(element) = child.child(name) else {
                            let message = format!("<density_change> has no <{name}>");
                            r.refuse("missing-element", message, &child.location, None);
                            return None;
                        };
                        r.number_of(element, range)
                    };
                    let (above, density) = (part("above_depth", Range::Any), part("density", Range::NonNegative));
                    layers.extend(above.zip(density).map(|(above, density)| FluidLayer { above, density }));
                }
                _ => {}
            }
        }
    }
    layers.sort_by(|a, b| a.above.total_cmp(&b.above));
    let enabled: Vec<&str> = r.all(&["enable"]).into_iter().map(|e| e.text.trim()).collect();
    let is_enabled = |link: &usize| {
        let name = &r.world.links[*link].name;
        let is_in =
            |outer: &str| name.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
        enabled.is_empty() || enabled.iter().any(|outer| is_in(outer))
    };
    let links = (0..r.world.links.len()).filter(is_enabled).collect();
    Some(PluginKind::Buoyancy(BuoyancyDescription { density, layers, links, volumes: Vec::new() }))
}

fn classic_buoyancy(r: &mut PluginReader) -> Option<PluginKind> {
    let density = r.real(&["fluid_density"], 999.1026, Range::NonNegative);
    let mut volumes = Vec::new();
    for element in r.all(&["link"]) {
        let Some(name) = element.attribute("name") else {
            r.refuse("missing-name", "<link> of the plugin has no name".to_owned(), &element.location, None);
            continue;
        };
        let mut named = element.clone();
        (named.text, named.text_location) = (name.value.clone(), name.location.clone());
        let link = r.link_of(&named);
        let (Some(center), Some(volume)) = (element.child("center_of_volume"), element.child("volume")) else {
            let message = "<link> of the plugin needs <center_of_volume> and <volume>".to_owned();
            r.refuse("missing-element", message, &element.location, None);
            continue;
        };
        let (center, volume) = (r.vector_of(center), r.number_of(volume, Range::Positive));
        if let (Some(link), Some(center), Some(volume)) = (link, center, volume) {
            volumes.push(BuoyantVolume { link, volume, center });
        }
    }
    let links = r.model.map_or_else(Vec::new, |model| r.links_of_model(model));
    Some(PluginKind::Buoyancy(BuoyancyDescription { density, layers: Vec::new(), links, volumes }))
}

/// gz-sim's `BuoyancyEngine`.
pub(super) fn buoyancy_engine(r: &mut PluginReader) -> Option<PluginKind> {
    let link = r.link(&["link_name"]);
    let range =
        [r.real(&["min_volume"], 3e-5, Range::NonNegative), r.real(&["max_volume"], 9.9e-4, Range::NonNegative)];
    if let Some(element) = r.any(&["max_volume", "min_volume"]).filter(|_| range[1] < range[0]) {
        let message = format!("<max_volume> {} is below <min_volume> {}", range[1], range[0]);
        r.refuse("invalid-value", message, &element.text_location, None);
        return None;
    }
    Some(PluginKind::BuoyancyEngine(BuoyancyEngineDescription {
        link: link?,
        range,
        neutral_volume: r.real(&["neutral_volume"], 3e-4, Range::NonNegative),
        volume: r.real(&["default_volume"], range[0], Range::NonNegative),
        rate: r.real(&["max_inflation_rate"], 3e-6, Range::NonNegative),
        fluid_density: r.real(&["fluid_density"], 1000.0, Range::NonNegative),
        surface: r.given(&["surface"], Range::Any),
    }))
}

/// gz-sim's `Thruster`.
pub(super) fn thruster(r: &mut PluginReader) -> Option<PluginKind> {
    let joint = r.joint(&["joint_name"]);
    let link = joint.and_then(|joint| r.world.joints[joint].child);
    let range = [r.real(&["min_thrust_cmd"], -1000.0, Range::Any), r.real(&["max_thrust_cmd"], 1000.0, Range::Any)];
    if let Some(element) = r.any(&["max_thrust_cmd"]).filter(|_| range[1] < range[0]) {
        let message = format!("<max_thrust_cmd> {} is below <min_thrust_cmd> {}", range[1], range[0]);
        r.refuse("invalid-value", message, &element.text_location, None);
    }
    let coefficient = r.given(&["thrust_coefficient"], Range::Any);
    if let Some(element) = r.any(&["thrust_coefficient"]).filter(|_| coefficient == Some(0.0)) {
        r.refuse("invalid-value", "<thrust_coefficient> is 0".to_owned(), &element.text_location, None);
    }
    let mut pid = PidDescription::new([0.1, 0.0, 0.0], 1.0, f64::INFINITY);
    pid.p = r.real(&["p_gain"], pid.p, Range::NonNegative);
    pid.i = r.real(&["i_gain"], pid.i, Range::NonNegative);
    pid.d = r.real(&["d_gain"], pid.d, Range::NonNegative);
    Some(PluginKind::Thruster(Box::new(ThrusterDescription {
        is_speed: r.flag(&["use_angvel_cmd"], false),
        fluid_density: r.real(&["fluid_density"], 1000.0, Range::Positive),
        diameter: r.real(&["propeller_diameter"], 0.02, Range::Positive),
        coefficient,
        alpha: [r.real(&["alpha_1"], 1.0, Range::Any), r.real(&["alpha_2"], 0.0, Range::Any)],
        wake_fraction: r.real(&["wake_fraction"], 0.2, Range::Any),
        velocity_control: r.flag(&["velocity_control"], false),
        pid,
        range,
        deadband: r.real(&["deadband"], 0.0, Range::NonNegative),
        joint: joint?,
        link: link?,
    })))
}

const VELOCITIES: [&str; 6] = ["U", "V", "W", "P", "Q", "R"];
const FORCES: [&str; 6] = ["x", "y", "z", "k", "m", "n"];

/// gz-sim's `Hydrodynamics`.
pub(super) fn hydrodynamics(r: &mut PluginReader) -> Option<PluginKind> {
    let link = r.link(&["link_name"]);
    let mut linear = [[0.0; 6]; 6];
    let mut mass = [[0.0; 6]; 6];
    let (mut quadratic_abs, mut quadratic) = (Vec::new(), Vec::new());
    for (i, force) in FORCES.iter().enumerate() {
        for (j, velocity) in VELOCITIES.iter().enumerate() {
            linear[i][j] = r.real(&[&format!("{force}{velocity}")], 0.0, Range::Any);
            mass[i][j] = r.real(&[&format!("{force}Dot{velocity}")], 0.0, Range::Any);
            for (k, other) in VELOCITIES.iter().enumerate() {
                let by_abs = r.given(&[&format!("{force}{velocity}abs{other}")], Range::Any);
                quadratic_abs.extend(by_abs.filter(|c| *c != 0.0).map(|c| ([i, j, k], c)));
                let by_product = r.given(&[&format!("{force}{velocity}{other}")], Range::Any);
                quadratic.extend(by_product.filter(|c| *c != 0.0).map(|c| ([i, j, k], c)));
            }
        }
    }
    let is_disabled = r.flag(&["disable_added_mass"], false);
    let has_mass = mass.iter().flatten().any(|m| *m != 0.0) && !is_disabled;
    let link = link?;
    if has_mass && !added_mass::resists(&r.world.links[link].inertial, &mass) {
        let message = format!(
            "`{}` and its added mass together have no positive inertia: it would move against the force",
            r.world.links[link].name
        );
        let help =
            "the coefficients of acceleration (xDotU, …) are forces: for an added mass of 30 kg write -30".to_owned();
        let finding = Diagnostic::error("invalid-added-mass", message).at(&r.element.location).help(help);
        r.report.add(finding.element(r.element.path.as_str()));
        r.has_failed = true;
        return None;
    }
    for lookup in r.all(&["lookup_current_x", "lookup_current_y", "lookup_current_z"]) {
        let message = format!("<{}>: currents of data files are not read", lookup.name);
        r.refuse("not-supported", message, &lookup.location, None);
    }
    Some(PluginKind::Hydrodynamics(Box::new(HydrodynamicsDescription {
        link,
        linear,
        quadratic_abs,
        quadratic,
        added_mass: has_mass.then(|| Box::new(mass)),
        coriolis: !r.flag(&["disable_coriolis"], false),
        current: r.vector(&["default_current"], DVec3::ZERO),
    })))
}
