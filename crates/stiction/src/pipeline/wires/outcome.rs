//! What the rows of a wire leave: tensions, rest lengths, energy.

use std::ops::Range;

use super::super::Workspace;
use super::super::context::Model;
use super::super::forest::SEGMENT;
use super::super::islands::NONE;
use super::super::problems::IslandProblem;
use super::ahead::Ahead;
use super::line::Line;
use super::rows::{bend_at, winch_law};
use super::{BEND, EmittedWire, STRETCH};
use crate::constraint::Clique;
use crate::model::{BodyState, NODE_ROWS, State, Wire, WireState};

/// Stores tensions, flows and impulses of the solution, and what the rows make if everything moves as they say.
pub(in super::super) fn solved(model: &Model, step: f64, state: &mut State, work: &mut Workspace) {
    if model.wires.slots() == 0 {
        return;
    }
    let mut ahead = std::mem::take(&mut work.wire_ahead);
    for own in work.problems.iter() {
        for emitted in &own.wires {
            let slot = emitted.slot as usize;
            let Some(wire) = model.wires.at(slot) else { continue };
            let before = state.wires[slot].elastic;
            take_solution(wire, step, own, emitted, work.wire_cliques[slot], &mut state.wires[slot]);
            ahead.find(wire, slot, model, step, state, work);
            let State { wires, bodies, .. } = &mut *state;
            let after = settle_springs(wire, &mut wires[slot], bodies, Some(&ahead));
            wires[slot].elastic = after;
            wires[slot].made += after - before;
        }
    }
    work.wire_ahead = ahead;
}

/// After everything has moved: the springs where the nodes have come to.
pub(in super::super) fn remember(model: &Model, state: &mut State, work: &Workspace) {
    for emitted in work.problems.iter().flat_map(|own| &own.wires) {
        let slot = emitted.slot as usize;
        let Some(wire) = model.wires.at(slot) else { continue };
        let State { wires, bodies, .. } = &mut *state;
        let after = settle_springs(wire, &mut wires[slot], bodies, None);
        wires[slot].late = after - wires[slot].elastic;
        wires[slot].elastic = after;
    }
}

/// Takes over what the rows say; [`WireState::made`] is their work on bodies, less that of the winch.
fn take_solution(
    wire: &Wire,
    step: f64,
    own: &IslandProblem,
    emitted: &EmittedWire,
    first_clique: u32,
    wire_state: &mut WireState,
) {
    let winch = winch_law(wire, wire_state, step);
    let problem = &own.problem;
    let mut work = 0.0;
    let count = wire_state.nodes.len();
    for node in &mut wire_state.nodes {
        node.impulses = [0.0; NODE_ROWS];
        node.moment = 0.0;
    }
    let first = first_clique.saturating_sub(own.first_clique);
    let wire_cliques = if first_clique == NONE { 0..0 } else { first..first + count.div_ceil(SEGMENT) as u32 };
    let mut span_is_stiff = false;
    let roles = &own.wire_roles[emitted.first_role as usize..];
    for (index, role) in (emitted.rows[0] as usize..emitted.rows[1] as usize).zip(roles) {
        let (row, lambda) = (&problem.rows[index], own.lambda[index]);
        let after = problem.velocity(row, &own.z);
        work += 0.5 * lambda * (problem.velocity(row, &problem.z_before) + after);
        let node = role.node as usize;
        wire_state.nodes[node].impulses[role.number as usize] = own.lasting(index);
        if role.number == BEND || role.number == BEND + 1 {
            let now = &mut wire_state.nodes[node];
            let earlier = if role.number == BEND { 0.0 } else { now.moment };
            now.moment = (earlier * earlier + lambda * lambda / (step * step)).sqrt();
            let compliance = row.compliance * step * step / (4.0 * problem.share_kept(index as u32));
            now.is_stiff[1] = is_stiff(own, index, wire_cliques.clone(), compliance);
        }
        if role.number != STRETCH {
            continue;
        }
        let left = after + row.compliance * lambda - row.target;
        let is_eye = wire.is_eye(&wire_state.nodes[node]);
        if !is_eye {
            let eyes = wire_state.nodes[node + 1..].iter().take_while(|node| wire.is_eye(node)).count();
            let length: f64 = wire_state.nodes[node..=node + eyes].iter().map(|node| node.length).sum();
            span_is_stiff = is_stiff(own, index, wire_cliques.clone(), length / wire.stretch_stiffness());
        }
        wire_state.nodes[node].is_stiff[0] = span_is_stiff;
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
    work -= own_cliques(own, wire_cliques);
    let last = wire_state.nodes.len() - 1;
    for node in &mut wire_state.nodes[..last] {
        node.mean_tension += SMOOTHING * (node.tension - node.mean_tension);
    }
    wire_state.made = work - wire_state.winch_work;
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
fn own_cliques(own: &IslandProblem, cliques: Range<u32>) -> f64 {
    let square = |clique: &Clique| {
        let start = clique.start as usize;
        own.z[start..start + clique.dofs as usize].iter().map(|z| z * z).sum::<f64>()
    };
    let cliques = &own.problem.cliques[cliques.start as usize..cliques.end as usize];
    0.5 * cliques.iter().map(square).sum::<f64>()
}

/// The spring of a row would swing faster than the step can follow: `h² d > 10 ε` with the inverse mass d of what it
/// moves, as for all rows of SPOOK. The compliances of a span through eyes are on cliques of the wire's own.
fn is_stiff(own: &IslandProblem, index: usize, cliques: Range<u32>, compliance: f64) -> bool {
    let problem = &own.problem;
    let row = &problem.rows[index];
    let blocks = problem.row_blocks(row).iter().filter(|block| cliques.contains(&block.clique));
    let y = blocks.flat_map(|block| &problem.y[block.y as usize..(block.y + block.dofs) as usize]);
    let gamma = row.compliance + y.map(|y| y * y).sum::<f64>();
    10.0 * compliance < problem.step * problem.step * (row.diagonal - gamma)
}

/// The springs' energy with the mean of their errors before and after the step, `(g₋ + g)² / 8 ε`, which is what SPOOK
/// keeps.
///
/// Of a spring that swings faster than the step follows the error is more than that: what its ends drifted apart where they
/// moved on across it, which a few micrometres of would be more energy than there is. It holds no more than its force F
/// says, `ε (2 F)² / 2`.
///
/// `ahead` asks where the nodes will be; the state keeps what it has.
fn settle_springs(wire: &Wire, state: &mut WireState, bodies: &[BodyState], ahead: Option<&Ahead>) -> f64 {
    let count = state.nodes.len();
    let mut sum = 0.0;
    for node in 0..count {
        let mut energy = 0.0;
        let line = Line { wire, nodes: &state.nodes, bodies, ahead };
        let mut stretch = 0.0;
        if node + 1 < count {
            stretch = line.stretch(node);
            let mut mean = 0.5 * (stretch + state.nodes[node].stretch);
            if line.only_pulls(node) {
                mean = mean.max(0.0);
            }
            let stiffness = wire.stretch_stiffness() / line.rest_length(node);
            energy += stored(mean, stiffness, state.nodes[node].is_stiff[0], state.nodes[node].tension);
        }
        let bend = bend_at(&line, node).map(|bend| (bend.error, bend.compliance));
        let now = &mut state.nodes[node];
        if let Some((error, compliance)) = bend {
            let mean = 0.5 * (error + now.bend);
            energy += stored(mean.length(), 1.0 / compliance, now.is_stiff[1], now.moment);
            if ahead.is_none() {
                now.bend = error;
            }
        }
        if ahead.is_none() {
            now.stretch = stretch;
            now.energy = energy;
        }
        sum += energy;
    }
    sum
}

/// Energy of a spring with an error, and with a force if it is too stiff for the error to tell \[J\].
pub(super) fn stored(error: f64, stiffness: f64, is_stiff: bool, force: f64) -> f64 {
    let energy = 0.5 * error * error * stiffness;
    let most = EXPLAINED * force;
    if is_stiff { energy.min(0.5 * most * most / stiffness) } else { energy }
}

/// Error of a spring, in that of its force, up to which it is one: the force of a step is not of the same moment.
const EXPLAINED: f64 = 2.0;
