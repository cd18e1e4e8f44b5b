//! What is legal and unwise: for `check`, not for a load.

mod codes;
mod contact;
mod engines;
mod inertia;
mod left_out;
mod meshes;
mod no_effect;
mod settings;
mod shapes;
mod start;
mod structure;
mod units;
mod visuals;
mod weight;

use std::collections::BTreeSet;

use crate::bodies;
use crate::description::{CollisionDescription, Origin, Setting, WorldDescription};
use crate::diagnostic::{Diagnostic, Edit, Location};
use crate::simulation::Simulation;
use crate::source::Sources;

pub use codes::{ADVICE_CODES, AdviceCode, Fixed};
pub use engines::advice_applies;
pub use left_out::left_out;
pub use no_effect::{no_effect, no_effect_of_plugins, no_reading};
pub use structure::movable_planes;
pub use visuals::visual_advice;

/// Displacement that is seen in a joint \[m\].
const VISIBLE: f64 = 1e-3;

/// Looks for physics parameters that a user would want to think about again, for steps of `step` seconds.
#[must_use]
pub fn advice(world: &WorldDescription, step: f64) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    physics(world, step, &mut found);
    let masses: Vec<f64> = bodies::masses(world).iter().map(|m| m.map_or(0.0, |m| m.mass)).collect();
    for link in world.links.iter().filter(|l| !world.models[l.model].is_static) {
        inertia::inertial(link, &mut found);
        for collision in link.collisions.iter().filter(|_| !link.is_fixed_to_world) {
            two_softnesses(collision, &mut found);
        }
    }
    contact::surfaces(world, step, &masses, &mut found);
    friction_directions(world, &mut found);
    structure::mass_ratios(world, &masses, &mut found);
    structure::fixed_joints(world, &mut found);
    found.extend(movable_planes(world));
    soft_joints(world, step, &masses, &mut found);
    meshes::meshes(world, &mut found);
    units::sizes(world, &mut found);
    settings::settings(world, step, &mut found);
    found
}

/// Looks at the poses and velocities that a world starts with, for steps of `step` seconds: overlaps, tunnelling, velocities
/// that joints do not allow. It makes a simulation of the world.
#[must_use]
pub fn start_advice(world: &WorldDescription, step: f64) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    start::start(world, step, &mut found);
    found
}

/// Looks at how deep bodies sink into what they rest on under the engine of a simulation of the world at its start, which
/// makes a step of next to no time.
#[must_use]
pub fn weight_advice(world: &WorldDescription, simulation: &mut Simulation) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    weight::sinks(world, simulation, &mut found);
    found
}

/// Looks at the texts of files for values in other units than the format's.
#[must_use]
pub fn unit_advice(sources: &Sources) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    units::poses(sources, &mut found);
    found
}

/// A link that is neither of a static model nor fixed to the world.
fn moves(world: &WorldDescription, link: usize) -> bool {
    let link = &world.links[link];
    !world.models[link.model].is_static && !link.is_fixed_to_world
}

/// A number in four digits.
fn figure(x: f64) -> String {
    let rounded: f64 = format!("{x:.3e}").parse().unwrap_or(x);
    let size = libm::fabs(rounded);
    if size != 0.0 && !(1e-3..1e6).contains(&size) { format!("{rounded:e}") } else { rounded.to_string() }
}

fn location<T>(setting: &Setting<T>) -> Option<Location> {
    match &setting.origin {
        Origin::File(location) => Some(location.clone()),
        _ => None,
    }
}

fn warning(code: &'static str, message: String, place: Option<Location>) -> Diagnostic {
    let mut finding = Diagnostic::warning(code, message);
    finding.location = place;
    finding
}

fn physics(world: &WorldDescription, step: f64, found: &mut Vec<Diagnostic>) {
    let p = &world.physics;
    if p.ode.min_step_size.is_given() && p.ode.min_step_size.value >= step {
        let message =
            format!("min_step_size {} s is not smaller than max_step_size {step} s", p.ode.min_step_size.value);
        let proposed: f64 = figure(0.1 * step).parse().unwrap_or(0.0);
        let place = location(&p.ode.min_step_size);
        let edit = place.clone().map(|at| Edit {
            at,
            inside: "min_step_size",
            path: &[],
            leaves: vec![("", proposed.to_string())],
        });
        // Equal steps of an error-controlled engine may be meant: no control.
        let edit = edit.filter(|_| proposed > 0.0 && p.engine.value != "simbody");
        let finding = warning("min-step-size", message, place);
        found.push(finding.help(format!("a tenth, as of the format's defaults: {proposed} s")).fix(edit));
    }
    if p.ode.solver_type.is_given() && p.ode.solver_type.value == "quick" {
        let message = "`quick` is iterative, as iters and sor say; what the sweeps leave unsolved is solved exactly";
        let mut note = Diagnostic::note("quick-solver", message)
            .help("`--set contact.hybrid=on` solves small groups of bodies exactly throughout, `off` none");
        note.location = location(&p.ode.solver_type);
        found.push(note);
    }
}

/// `kp` and `kd` win over `soft_erp` and `soft_cfm`.
fn two_softnesses(collision: &CollisionDescription, found: &mut Vec<Diagnostic>) {
    let s = &collision.surface;
    let has_stiffness = s.kp.is_given() || s.kd.is_given();
    // Files written by programs name every value; what equals its default says nothing.
    let has_softness =
        (s.soft_cfm.is_given() && s.soft_cfm.value != 0.0) || (s.soft_erp.is_given() && s.soft_erp.value != 0.2);
    if has_stiffness && has_softness {
        let place = location(&s.soft_cfm).or_else(|| location(&s.soft_erp));
        let message = format!("collision `{}` has kp or kd, and soft_cfm or soft_erp: kp and kd win", collision.name);
        found.push(warning("two-softnesses", message, place));
    }
}

/// Which one counts is decided by the order of the pair.
fn friction_directions(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    let with_direction = world.links.iter().flat_map(|l| l.collisions.iter().map(move |c| (l.model, c)));
    let with_direction: Vec<_> = with_direction
        .filter(|(_, c)| c.surface.fdir1.is_given() && c.surface.fdir1.value.length_squared() > 0.0)
        .collect();
    let models: BTreeSet<usize> = with_direction.iter().map(|(m, _)| *m).collect();
    if models.len() > 1 {
        let (_, second) = with_direction[1];
        let message = format!(
            "{} collisions have an fdir1: where two of them touch, only that of the first counts",
            with_direction.len()
        );
        found.push(warning("two-friction-directions", message, location(&second.surface.fdir1)));
    }
}

/// A joint with CFM gives way by `cfm h F / erp` under a force F, the weight of its child at least.
fn soft_joints(world: &WorldDescription, step: f64, masses: &[f64], found: &mut Vec<Diagnostic>) {
    let ode = &world.physics.ode;
    for joint in &world.joints {
        let (Some(cfm), Some(child)) = (joint.cfm.given(), joint.child) else { continue };
        let erp = joint.erp.given().copied().unwrap_or(ode.erp.value);
        let weight = masses[bodies::carrier(world, child)] * world.gravity.value.length();
        let sag = cfm * step * weight / erp;
        if sag > VISIBLE {
            let message =
                format!("joint `{}` deflects by {:.1} mm under the weight of its child", joint.name, 1e3 * sag);
            let finding = warning("soft-joint", message, location(&joint.cfm));
            found.push(finding.help("cfm · step · force / erp: a smaller <cfm> or larger <erp> holds it tighter"));
        }
    }
}
