//! What is legal and unwise: for `check`, not for a load.

use std::collections::BTreeSet;

use crate::bodies;
use crate::description::{CollisionDescription, LinkDescription, Origin, Setting, WorldDescription};
use crate::diagnostic::{Diagnostic, Location};
use crate::sdf::inertia;

/// A stiffness above this is meant as rigid.
const RIGID: f64 = 1e9;
/// Ratio of jointed masses that iterative solvers handle badly.
const MASS_RATIO: f64 = 1000.0;
/// Displacement that is seen in a joint \[m\].
const VISIBLE: f64 = 1e-3;
/// Ratio of radii of gyration, squared, that is more likely a slip of the pen than a design.
const INERTIA_RATIO: f64 = 100.0;

/// Looks for physics parameters that a user would want to think about again.
#[must_use]
pub fn advice(world: &WorldDescription) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    physics(world, &mut found);
    let masses: Vec<f64> = bodies::masses(world).iter().map(|m| m.map_or(0.0, |m| m.mass)).collect();
    for (index, link) in world.links.iter().enumerate().filter(|(_, l)| !world.models[l.model].is_static) {
        inertial(link, &mut found);
        for collision in link.collisions.iter().filter(|_| !link.is_fixed_to_world) {
            contact(world, masses[bodies::carrier(world, index)], collision, &mut found);
        }
    }
    friction_directions(world, &mut found);
    mass_ratios(world, &masses, &mut found);
    soft_joints(world, &masses, &mut found);
    found
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

fn physics(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    let p = &world.physics;
    if p.ode.min_step_size.is_given() && p.ode.min_step_size.value >= p.max_step_size.value {
        let message = format!(
            "min_step_size {} s is not smaller than max_step_size {} s",
            p.ode.min_step_size.value, p.max_step_size.value
        );
        found.push(warning("min-step-size", message, location(&p.ode.min_step_size)));
    }
    if p.ode.solver_type.is_given() && p.ode.solver_type.value == "quick" {
        let message = "`quick` is iterative, as iters and sor say; what the sweeps leave unsolved is solved exactly";
        let mut note = Diagnostic::note("quick-solver", message)
            .help("`--set contact.hybrid=on` solves small groups of bodies exactly throughout, `off` none");
        note.location = location(&p.ode.solver_type);
        found.push(note);
    }
}

fn inertial(link: &LinkDescription, found: &mut Vec<Diagnostic>) {
    if link.inertial.mass.value == 0.0 {
        // Of a URDF file: its body is said to have none where that matters.
        return;
    }
    if !link.inertial.is_given {
        let message =
            format!("link `{}` has no <inertial>: its mass is 1 kg, its inertia 1 kg m² about each axis", link.name);
        let finding = warning("default-inertia", message, Some(link.location.clone()));
        found.push(finding.help("write <inertial>, or <inertial auto=\"true\"/> to compute it from the collisions"));
        return;
    }
    let mut trace = 0.0;
    let mut volume = 0.0;
    for collision in &link.collisions {
        let Some((v, diagonal, height)) = inertia::unit_density(&collision.geometry) else { continue };
        let centre = collision.pose.point(stiction::math::DVec3::new(0.0, 0.0, height));
        trace += diagonal.element_sum() + 2.0 * v * (centre - link.inertial.pose.position).length_squared();
        volume += v;
    }
    let i = link.inertial.inertia.value;
    let given = (i[0] + i[1] + i[2]) / link.inertial.mass.value;
    if volume > 0.0 && link.inertial.inertia.is_given() {
        let ratio = given / (trace / volume);
        if !(1.0 / INERTIA_RATIO..=INERTIA_RATIO).contains(&ratio) {
            let words = if ratio > 1.0 { "larger" } else { "smaller" };
            let factor = if ratio > 1.0 { ratio } else { 1.0 / ratio };
            let message = format!(
                "the inertia of link `{}` is {factor:.0} times {words} than its shape and mass suggest",
                link.name
            );
            found.push(warning("unlikely-inertia", message, location(&link.inertial.inertia)));
        }
    }
}

fn contact(world: &WorldDescription, mass: f64, collision: &CollisionDescription, found: &mut Vec<Diagnostic>) {
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
    let h = world.physics.max_step_size.value;
    if s.kp.is_given() && s.kp.value > 0.0 && s.kp.value < RIGID {
        let phase = h * libm::sqrt(s.kp.value / mass);
        if phase > 1.0 {
            let message = format!(
                "kp {} N/m of `{}` is stiffer than steps of {h} s resolve for its mass: it acts as rigid",
                s.kp.value, collision.name
            );
            let step = libm::sqrt(mass / s.kp.value);
            found.push(
                warning("step-too-large", message, location(&s.kp))
                    .help(format!("a step below {step:.1e} s resolves it")),
            );
        }
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

fn mass_ratios(world: &WorldDescription, masses: &[f64], found: &mut Vec<Diagnostic>) {
    for joint in &world.joints {
        let (Some(parent), Some(child)) = (joint.parent, joint.child) else { continue };
        let [a, b] = [parent, child].map(|l| bodies::carrier(world, l));
        let is_static = |l: usize| world.models[world.links[l].model].is_static || world.links[l].is_fixed_to_world;
        if a == b || is_static(a) || is_static(b) {
            continue;
        }
        let (m, n) = (masses[a], masses[b]);
        let ratio = (m / n).max(n / m);
        if ratio > MASS_RATIO {
            let message = format!("joint `{}` joins masses of {m} kg and {n} kg", joint.name);
            let finding = warning("mass-ratio", message, Some(joint.location.clone()));
            found.push(finding.help("iterative solvers converge slowly here: `--engine ode-world` solves it exactly"));
        }
    }
}

/// A joint with CFM gives way by `cfm h F / erp` under a force F, the weight of its child at least.
fn soft_joints(world: &WorldDescription, masses: &[f64], found: &mut Vec<Diagnostic>) {
    let ode = &world.physics.ode;
    for joint in &world.joints {
        let (Some(cfm), Some(child)) = (joint.cfm.given(), joint.child) else { continue };
        let erp = joint.erp.given().copied().unwrap_or(ode.erp.value);
        let weight = masses[bodies::carrier(world, child)] * world.gravity.value.length();
        let sag = cfm * world.physics.max_step_size.value * weight / erp;
        if sag > VISIBLE {
            let message =
                format!("joint `{}` gives way by {:.1} mm under the weight of its child", joint.name, 1e3 * sag);
            let finding = warning("soft-joint", message, location(&joint.cfm));
            found.push(finding.help("cfm · step · force / erp: a smaller <cfm> or larger <erp> holds it tighter"));
        }
    }
}
