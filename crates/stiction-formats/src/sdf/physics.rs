//! `<physics>`.

use std::ops::RangeInclusive;

use crate::description::{OdeDescription, Origin, PhysicsDescription, Setting};
use crate::diagnostic::Diagnostic;
use stiction::world::Preset;

use super::element::Element;
use super::engine_blocks;
use super::read::Reader;
use super::report::Report;
use super::value;
use crate::suggest::did_you_mean;

/// Bins of contact reduction.
pub(crate) const REDUCTION_BINS: &str = "stiction.contact_reduction_bins";
/// Points above which there is contact reduction.
pub(crate) const REDUCTION_THRESHOLD: &str = "stiction.contact_reduction_threshold";

/// The physics element in force: of several the default one, else the first.
pub(crate) fn in_force(world: &Element) -> Option<&Element> {
    let is_default = |p: &&Element| p.value("default").and_then(value::boolean).unwrap_or(false);
    world.children_named("physics").find(is_default).or_else(|| world.child("physics"))
}

/// Reads the physics of a world.
pub(crate) fn read(world: &Element, report: &mut Report) -> PhysicsDescription {
    let element = in_force(world);
    let r = Reader::new(element, "physics");
    let engine = engine(element, report);
    PhysicsDescription {
        name: element.map_or("", Element::named).to_owned(),
        engine,
        max_step_size: r.real("max_step_size"),
        real_time_factor: r.real("real_time_factor"),
        real_time_update_rate: r.real("real_time_update_rate"),
        max_contacts: r.unsigned("max_contacts"),
        ode: read_ode(&r, report),
        reduction_bins: count(element, REDUCTION_BINS, 1..=10, report),
        reduction_threshold: count(element, REDUCTION_THRESHOLD, 0..=u32::MAX, report),
        bullet: engine_blocks::bullet(&r, report),
        simbody: engine_blocks::simbody(&r),
        dart: engine_blocks::dart(&r, report),
    }
}

/// `type`: Gazebo's four and our own presets, in any case. `ignored` is that of worlds that leave the choice to the simulator.
fn engine(element: Option<&Element>, report: &mut Report) -> Setting<String> {
    let Some(given) = element.and_then(|e| e.attribute("type")).filter(|a| !a.value.is_empty()) else {
        return Setting::default("ode".to_owned());
    };
    let origin = Origin::File(given.location.clone());
    let name = given.value.trim().to_lowercase();
    if let Some(preset) = Preset::from_name(&name) {
        return Setting { value: preset.name().to_owned(), origin };
    }
    let known = Preset::ALL.map(Preset::name);
    if name == "ignored" {
        let message = "physics type `ignored` leaves the engine open; it is `ode` here";
        report.add(Diagnostic::note("open-engine", message).at(&given.location).help("choose another with --engine"));
    } else {
        let message = format!("physics type `{}` is not an engine; with --lenient it is `ode`", given.value);
        let all = format!("expected one of {}", known.join(", "));
        let finding = Diagnostic::error("unknown-engine", message).at(&given.location).label("no such engine");
        let near = did_you_mean(&name, known).map_or(all.clone(), |near| format!("{near} {all}"));
        report.noted_if_lenient(finding.help(near));
    }
    Setting { value: "ode".to_owned(), origin }
}

/// A whole number in a range, of an element of our own.
fn count(
    physics: Option<&Element>,
    name: &str,
    range: RangeInclusive<u32>,
    report: &mut Report,
) -> Option<Setting<u32>> {
    let element = physics?.child(name)?;
    let found = value::unsigned(&element.text).filter(|count| range.contains(count));
    if found.is_none() {
        let name = name.replace('.', ":");
        let message =
            format!("<{name}> is `{}`, not a whole number from {} to {}", element.text, range.start(), range.end());
        report.add(Diagnostic::error("invalid-value", message).at(&element.location));
    }
    found.map(|value| Setting { value, origin: element.origin() })
}

fn read_ode(r: &Reader<'_>, report: &mut Report) -> OdeDescription {
    let ode = OdeDescription {
        solver_type: r.text("ode/solver/type"),
        min_step_size: r.real("ode/solver/min_step_size"),
        island_threads: r.unsigned("ode/solver/island_threads"),
        iters: r.unsigned("ode/solver/iters"),
        precon_iters: r.unsigned("ode/solver/precon_iters"),
        sor: r.real("ode/solver/sor"),
        thread_position_correction: r.boolean("ode/solver/thread_position_correction"),
        use_dynamic_moi_rescaling: r.boolean("ode/solver/use_dynamic_moi_rescaling"),
        friction_model: r.text("ode/solver/friction_model"),
        cfm: r.real("ode/constraints/cfm"),
        erp: r.real("ode/constraints/erp"),
        contact_max_correcting_vel: r.real("ode/constraints/contact_max_correcting_vel"),
        contact_surface_layer: r.real("ode/constraints/contact_surface_layer"),
    };
    check_word(&ode.solver_type, "solver type", &["quick", "world"], report);
    check_word(&ode.friction_model, "friction model", &["pyramid_model", "cone_model", "box_model"], report);
    ode
}

pub(super) fn check_word(setting: &Setting<String>, what: &str, known: &[&str], report: &mut Report) {
    if known.contains(&setting.value.as_str()) {
        return;
    }
    let message = format!("`{}` is not a {what}", setting.value);
    let finding = Diagnostic::error("invalid-value", message).help(format!("one of: {}", known.join(", ")));
    report.strict(match &setting.origin {
        Origin::File(location) => finding.at(location),
        _ => finding,
    });
}
