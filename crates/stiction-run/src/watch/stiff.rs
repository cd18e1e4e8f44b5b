//! The end of a run whose continuous motion needs more steps than it may take.

use stiction_formats::simulation::Simulation;

/// What to say, if the last step came to the bound on trials.
pub(crate) fn unfinished(simulation: &Simulation, bound: u32) -> Option<String> {
    let report = simulation.world.report();
    let i = &report.integration;
    if i.unfinished <= 0.0 {
        return None;
    }
    let link = report.stiffest.and_then(|body| simulation.links.iter().find(|l| l.body == Some(body)));
    let name = link.map_or("?", |l| &l.name);
    let touches = simulation.world.contact_reports().iter().any(|c| c.acts && c.bodies.contains(&report.stiffest));
    let advice = if touches {
        "it touches something: a larger contact.penetration_allowance or contact.stiction_tolerance makes contact softer"
    } else {
        "its joints have stiff springs, dampers, stops or motors, or it turns fast"
    };
    Some(format!(
        "continuous time came to {:.9} s and has used up {bound} steps of its own for each step; {:.1e} s of this step are left (its steps: \
         down to {:.1e} s). What is stiff is link `{name}`; {advice}. Also: integrator.scheme=radau3, a larger \
         integrator.accuracy, or a larger integrator.max_trials",
        simulation.world.time(),
        i.unfinished,
        i.smallest_step,
    ))
}
