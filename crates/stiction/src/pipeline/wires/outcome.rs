//! What the rows of a wire leave: tensions, rest lengths, energy.

use super::super::Workspace;
use super::super::context::Model;
use super::super::forest::SEGMENT;
use super::super::islands::NONE;
use super::super::problems::IslandProblem;
use super::line::Line;
use super::rows::{bend_at, winch_law};
use super::{EmittedWire, STRETCH};
use crate::base::Arena;
use crate::constraint::Clique;
use crate::model::{BodyState, NODE_ROWS, State, Wire, WireState};

/// Stores tensions, flows and impulses, and keeps the books of energy.
pub(in super::super) fn remember(model: &Model, step: f64, state: &mut State, work: &Workspace) {
    for own in work.problems.iter() {
        for emitted in &own.wires {
            remember_wire(model.wires, step, own, emitted, work.wire_cliques[emitted.slot as usize], state);
        }
    }
}

fn remember_wire(
    wires: &Arena<Wire>,
    step: f64,
    own: &IslandProblem,
    emitted: &EmittedWire,
    first_clique: u32,
    state: &mut State,
) {
    let slot = emitted.slot as usize;
    let Some(wire) = wires.at(slot) else { return };
    let State { wires: states, bodies, .. } = state;
    let wire_state = &mut states[slot];
    let winch = winch_law(wire, wire_state, step);
    let problem = &own.problem;
    let mut work = 0.0;
    let count = wire_state.nodes.len();
    for node in &mut wire_state.nodes {
        node.impulses = [0.0; NODE_ROWS];
    }
    let before: f64 = wire_state.nodes.iter().map(|node| node.energy).sum();
    let roles = &own.wire_roles[emitted.first_role as usize..];
    for (index, role) in (emitted.rows[0] as usize..emitted.rows[1] as usize).zip(roles) {
        let (row, lambda) = (&problem.rows[index], own.lambda[index]);
        let after = problem.velocity(row, &own.z);
        work += 0.5 * lambda * (problem.velocity(row, &problem.z_before) + after);
        let node = role.node as usize;
        wire_state.nodes[node].impulses[role.number as usize] = own.lasting(index);
        if role.number != STRETCH {
            continue;
        }
        let left = after + row.compliance * lambda - row.target;
        let is_eye = wire.is_eye(&wire_state.nodes[node]);
        if is_eye {
            wire_state.nodes[node].tension = wire_state.nodes[node - 1].tension + lambda / step;
            wire_state.nodes[node].flow = -left;
        } else {
            wire_state.nodes[node].tension = lambda / step;
            if node == 0 && wire.has_winch() {
                // Where the tension is at its bound, the load moves the drum.
                let slips = left < 0.0 && lambda >= AT_BOUND * row.upper;
                let flow = winch.speed - if slips { left } else { 0.0 };
                let first = wire_state.nodes[0].length;
                let flow = flow.clamp(-0.5 * first / step, wire_state.stored / step);
                wire_state.winch_work = -0.5 * lambda * (wire_state.nodes[0].flow + flow);
                wire_state.nodes[0].length += step * flow;
                wire_state.nodes[0].flow = flow;
                wire_state.stored -= step * flow;
            }
        }
    }
    flow(wire, wire_state, step);
    // What the wire's own cliques have of the work is in its springs.
    work -= own_cliques(own, first_clique, count);
    let last = wire_state.nodes.len() - 1;
    for node in &mut wire_state.nodes[..last] {
        node.mean_tension += SMOOTHING * (node.tension - node.mean_tension);
    }
    let line_energy = settle_springs(wire, wire_state, bodies);
    wire_state.elastic = line_energy;
    wire_state.made = work + line_energy - before - wire_state.winch_work;
}

/// Moves wire through the eyes, no more than leaves every segment some.
fn flow(wire: &Wire, state: &mut WireState, step: f64) {
    let count = state.nodes.len();
    let through = |state: &WireState, node: usize| {
        if node < count && wire.is_eye(&state.nodes[node]) { step * state.nodes[node].flow } else { 0.0 }
    };
    let mut node = 1;
    while node < count {
        let mut end = node;
        let mut share: f64 = 1.0;
        while end < count && wire.is_eye(&state.nodes[end]) {
            end += 1;
        }
        for segment in node - 1..end {
            let gained = through(state, segment) - through(state, segment + 1);
            share = share.min(-MOST_FLOW * state.nodes[segment].length / gained.min(-f64::MIN_POSITIVE));
        }
        for eye in node..end {
            let gained = share * through(state, eye);
            state.nodes[eye].flow *= share;
            state.nodes[eye - 1].length -= gained;
            state.nodes[eye].length += gained;
        }
        node = end + 1;
    }
}

/// Share of a bound from which on an impulse is at it, but for rounding.
const AT_BOUND: f64 = 1.0 - 1e-9;
/// Share of a new tension in its mean.
const SMOOTHING: f64 = 0.1;
/// Share of a segment's length that leaves it in a step at most.
const MOST_FLOW: f64 = 0.5;

/// Work of the rows on the cliques of the wire's own \[J\].
fn own_cliques(own: &IslandProblem, first: u32, nodes: usize) -> f64 {
    if first == NONE {
        return 0.0;
    }
    let first = (first - own.first_clique) as usize;
    let cliques = &own.problem.cliques[first..first + nodes.div_ceil(SEGMENT)];
    let square = |clique: &Clique| {
        let start = clique.start as usize;
        own.z[start..start + clique.dofs as usize].iter().map(|z| z * z).sum::<f64>()
    };
    0.5 * cliques.iter().map(square).sum::<f64>()
}

/// The springs' energy with the mean of their errors before and after the step, `(g₋ + g)² / 8 ε`, which is what SPOOK
/// keeps.
pub(super) fn settle_springs(wire: &Wire, state: &mut WireState, bodies: &[BodyState]) -> f64 {
    let count = state.nodes.len();
    let mut sum = 0.0;
    for node in 0..count {
        let mut energy = 0.0;
        let line = Line { wire, nodes: &state.nodes, bodies };
        let mut stretch = 0.0;
        if node + 1 < count {
            stretch = line.stretch(node);
            let mut mean = 0.5 * (stretch + state.nodes[node].stretch);
            if line.only_pulls(node) {
                mean = mean.max(0.0);
            }
            energy += 0.5 * mean * mean * wire.stretch_stiffness() / line.rest_length(node);
        }
        let bend = bend_at(&line, node).map(|bend| (bend.error, bend.compliance));
        let now = &mut state.nodes[node];
        now.stretch = stretch;
        if let Some((error, compliance)) = bend {
            let mean = 0.5 * (error + now.bend);
            energy += 0.5 * mean.length_squared() / compliance;
            now.bend = error;
        }
        now.energy = energy;
        sum += energy;
    }
    sum
}
