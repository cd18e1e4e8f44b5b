//! Rows of a wire.
//!
//! **Stretch.** A segment of the rest length l between places x₁, x₂ is a spring `ε = l / (E A)` on `g = |x₂ − x₁| − l`; its
//! impulse is the tension. Without stiffness against bending it only pulls.
//!
//! The row sees the direction before the step; that the ends move on across it makes the segment longer by
//! `√(L² + h² v²) − L`, which its right side makes up for (with v before the step), so that a load turns on a circle.
//!
//! **Eyes.** Through an eye the wire flows, so that the rest lengths before and behind it change by q: with segments k = 0 … n
//! and eyes j = 1 … n between two nodes that have mass, `ġ_k = J_k v − q_k + q_{k+1}`. Unknowns are the first tension T₀ and
//! the steps of tension at the eyes, `F_j = T_j − T_{j−1}`; the sums of the segments' equations behind each eye are
//!
//! `Σ_{k ≥ j} (u_k + Γ_k T_k − b_k) = −q_j`,
//!
//! rows with the friction F_j as impulse and the flow as what is left where it slips. The segments' compliances Γ_k connect
//! the rows: each is a coordinate of a clique of the wire's own, with the part `√Γ_k` in each row whose impulse T_k has.
//! Coulomb: `|F_j| ≤ μ sin(α/2) (T_{j−1} + T_j)` with the angle α of the bend, so that `T_j / T_{j−1}` is at most
//! `(1 + κ) / (1 − κ)`, κ = μ sin(α/2); the bound is a multiple of T₀ with the ratio of tensions of the last step.
//!
//! **Winch.** The first segment grows by the wanted speed, and by what is left of its row where the tension is at the bound.
//!
//! **Bending.** A lump between the directions d₁, d₂ of its segments is a spring `ε = l / (E I)` on `g = d₂ − d₁`, which is
//! across `d₁ + d₂`; a clamped end `ε = l / (2 E I)` on the difference to the direction of its body.

use glam::DVec3;

use super::super::assemble::Sources;
use super::super::islands::NONE;
use super::super::parts::Parts;
use super::line::{Line, across, reject};
use super::transverse;
use super::{BEND, EmittedWire, STRETCH, WireRole};
use crate::constraint::{Bound, Problem, RowKind, RowSource};
use crate::contact::compliance::{Softness, spook};
use crate::model::{NodePlace, Wire, WireState};

/// Damping time in steps that rows have at least where the spring would swing faster than the step can follow: without
/// any such a row alternates for ever.
const LEAST_DAMPING: f64 = 0.5;

/// Length of a segment at which an eye has come to its end, in distances of nodes.
const SPENT: f64 = 0.02;

/// A wire whose rows are being pushed.
pub(super) struct Emission<'a> {
    pub(super) sources: &'a Sources<'a>,
    pub(super) problem: &'a mut Problem,
    pub(super) guess: &'a mut Vec<f64>,
    pub(super) roles: &'a mut Vec<WireRole>,
    pub(super) parts: &'a mut Parts,
    pub(super) first_clique: u32,
    pub(super) slot: u32,
    pub(super) line: Line<'a>,
    scale: f64,
    is_driven: bool,
}

/// Pushes all rows of a wire.
pub(in super::super) fn push(
    sources: &Sources,
    problem: &mut Problem,
    (guess, roles): (&mut Vec<f64>, &mut Vec<WireRole>),
    first_clique: u32,
    parts: &mut Parts,
    slot: u32,
) -> EmittedWire {
    let first = problem.rows.len() as u32;
    let mut emitted = EmittedWire { slot, rows: [first; 2], first_role: roles.len() as u32, is_driven: false };
    let Some(wire) = sources.wires.at(slot as usize) else { return emitted };
    let state = &sources.state.wires[slot as usize];
    let line = Line { wire, nodes: &state.nodes, bodies: &sources.state.bodies, ahead: None };
    let last_step = sources.state.last_step;
    let scale = if sources.parameters.warm_start && last_step > 0.0 { sources.step / last_step } else { 0.0 };
    let mut own = Emission { sources, problem, guess, roles, parts, first_clique, slot, line, scale, is_driven: false };
    let last = state.nodes.len().saturating_sub(1);
    let mut node = 0;
    while node < last {
        node = own.push_span(node, wire, state);
    }
    for node in 0..=last {
        own.push_bend(node, wire);
    }
    transverse::push(&mut own);
    emitted.rows[1] = own.problem.rows.len() as u32;
    emitted.is_driven = own.is_driven;
    emitted
}

impl Emission<'_> {
    /// Law of a row with the compliance ε \[m/N, rad/(N m)\].
    fn law(&self, compliance: f64, damping_time: f64) -> Softness {
        let step = self.sources.step;
        let fast = step * step * self.parts.inverse_mass() / (40.0 * compliance);
        let least = if fast.is_finite() { LEAST_DAMPING * step * fast / (1.0 + fast) } else { LEAST_DAMPING * step };
        spook(compliance, damping_time.max(least), step)
    }

    /// Adds a node's velocity along a direction to the row.
    pub(super) fn add(&mut self, node: usize, along: DVec3) {
        self.line.add(self.parts, self.sources.views, self.sources.forest, node, along);
    }

    /// Puts the row into the problem.
    pub(super) fn finish(&mut self, node: usize, number: u8, target: f64, compliance: f64, kind: RowKind) -> u32 {
        let source = RowSource::Wire { slot: self.slot, node: node as u32 };
        self.is_driven |= self.parts.prescribed() != 0.0;
        self.roles.push(WireRole { node: node as u32, number });
        self.guess.push(self.scale * self.line.nodes[node].impulses[number as usize]);
        self.parts.push(self.problem, self.first_clique, target, compliance, kind, source)
    }

    /// Adds to the row the rates at which the segments from one node to another grow shorter.
    fn add_segments(&mut self, from: usize, to: usize) {
        for node in from..to {
            let (direction, _) = self.line.segment(node);
            self.add(node, direction);
            self.add(node + 1, -direction);
        }
    }

    /// Adds to the row the parts of the segments' compliance; none for a lone segment, whose row has it itself.
    fn add_compliances(&mut self, from: usize, to: usize, gamma_by_length: f64) {
        let first = self.sources.wire_cliques[self.slot as usize];
        if first == NONE {
            return;
        }
        for node in from..to {
            let root = (gamma_by_length * self.line.rest_length(node)).sqrt();
            let clique = first + (node / super::SEGMENT) as u32;
            self.parts.add_own(clique, node % super::SEGMENT, root);
        }
    }

    /// Rows of the segments from a node to the next that is no eye, which is returned.
    fn push_span(&mut self, from: usize, wire: &Wire, state: &WireState) -> usize {
        let (step, to) = (self.sources.step, self.line.span_end(from));
        let stiffness = wire.stretch_stiffness();
        let stretch: f64 = (from..to).map(|node| self.line.stretch(node)).sum();
        let length: f64 = (from..to).map(|node| self.line.rest_length(node)).sum();
        self.parts.clear();
        self.add_segments(from, to);
        let law = self.law(length / stiffness, wire.definition.material.stretch.damping_time);
        let gamma_by_length = law.compliance / length;
        let (alone, is_winch) = (to == from + 1, from == 0 && wire.has_winch());
        let only_pulls = self.line.only_pulls(from);
        let is_slack = only_pulls && stretch < 0.0;
        // A slack segment is stopped where it becomes taut.
        let law = if is_slack { Softness { correction: 1.0, kept: 0.0, ..law } } else { law };
        let winch = if is_winch { winch_law(wire, state, step) } else { WinchLaw::NONE };
        if !alone {
            self.add_compliances(from, to, gamma_by_length);
        }
        let compliance = if alone { law.compliance } else { 0.0 };
        let curvature: f64 = (from..to).map(|node| self.line.curvature(node, step)).sum();
        let target = law.correction * stretch / step + curvature - winch.speed;
        let base = self.finish(from, STRETCH, target, compliance, RowKind::Spring);
        self.keep(base, law.kept, self.line.nodes[from].flow + curvature);
        let row = &mut self.problem.rows[base as usize];
        row.lower = if only_pulls { 0.0 } else { f64::NEG_INFINITY };
        row.upper = step * winch.force;
        for eye in from + 1..to {
            self.parts.clear();
            self.add_segments(eye, to);
            self.add_compliances(eye, to, gamma_by_length);
            let stretch: f64 = (eye..to).map(|node| self.line.stretch(node)).sum();
            let curvature: f64 = (eye..to).map(|node| self.line.curvature(node, step)).sum();
            let target = law.correction * stretch / step + curvature;
            let index = self.finish(eye, STRETCH, target, 0.0, RowKind::Friction);
            self.keep(index, law.kept, self.line.nodes[eye].flow + curvature);
            let coefficient = self.friction_of(from, eye, wire);
            let stops = self.stops(eye);
            let most = coefficient * (step * self.line.nodes[from].tension).max(0.0);
            let row = &mut self.problem.rows[index as usize];
            if stops == [false; 2] {
                row.bound = Bound::Coefficient { normal: base, coefficient };
            } else {
                row.lower = if stops[0] { f64::NEG_INFINITY } else { -most };
                row.upper = if stops[1] { f64::INFINITY } else { most };
            }
        }
        to
    }

    /// SPOOK keeps a share of the rate at which the row's segments grew, of which their nodes' velocities are one part and
    /// the wire that flowed in is the other.
    fn keep(&mut self, row: u32, share: f64, flow: f64) {
        if share != 0.0 {
            self.problem.keep(row, share, self.parts.prescribed());
            let row = &mut self.problem.rows[row as usize];
            row.target += share * flow;
            row.velocity_target += share * flow;
        }
    }

    /// Whether an eye has come to what the wire is tied to behind and before it: it goes no further.
    fn stops(&self, eye: usize) -> [bool; 2] {
        let flow = self.line.nodes[eye].flow;
        let is_spent = |segment: usize, end: usize, leaving: f64| {
            let is_tied = matches!(self.line.nodes[end].place, NodePlace::Anchor(_)) && !self.line.is_eye(end);
            let least = (SPENT * self.line.wire.spacing()).max(1.5 * self.sources.step * leaving);
            is_tied && self.line.nodes[segment].length < least
        };
        [is_spent(eye, eye + 1, -flow), is_spent(eye - 1, eye - 1, flow)]
    }

    /// Bound of the step of tension at an eye as a multiple of the span's first tension.
    fn friction_of(&self, from: usize, eye: usize, wire: &Wire) -> f64 {
        let [before, after] = [self.line.segment(eye - 1).0, self.line.segment(eye).0];
        // sin(α/2) is half the difference of the directions.
        let kappa = (wire.definition.material.friction * 0.5 * (after - before).length()).min(0.999);
        let tension = |node: usize| self.line.nodes[node].tension;
        let ratio = if tension(from) > 0.0 { (tension(eye - 1) / tension(from)).max(0.0) } else { 1.0 };
        let rises = tension(eye) >= tension(eye - 1);
        ratio * 2.0 * kappa / if rises { 1.0 - kappa } else { 1.0 + kappa }
    }

    /// Rows of the bend at a node.
    fn push_bend(&mut self, node: usize, wire: &Wire) {
        let Some(bend) = bend_at(&self.line, node) else { return };
        let (step, damping_time) = (self.sources.step, wire.definition.material.bend.damping_time);
        for (number, across) in across(bend.tangent).into_iter().enumerate() {
            self.parts.clear();
            let second = reject(across, bend.after) / bend.lever_after;
            self.add(bend.next, second);
            match bend.before {
                Some((previous, before, lever)) => {
                    let first = reject(across, before) / lever;
                    self.add(node, -second - first);
                    self.add(previous, first);
                }
                None => {
                    self.add(node, -second);
                    let (slot, _) = self.line.wire.arm(&self.line.nodes[node], self.line.bodies);
                    let turn = -bend.held.cross(across);
                    self.parts.add(self.sources.views, self.sources.forest, slot, DVec3::ZERO, turn);
                }
            }
            let law = self.law(bend.compliance, damping_time);
            let target = -law.correction * across.dot(bend.error) / step;
            let index = self.finish(node, BEND + number as u8, target, law.compliance, RowKind::Spring);
            self.keep(index, law.kept, 0.0);
        }
    }
}

/// Bend of a wire at a node.
pub(super) struct Bend {
    /// Difference of the directions.
    pub(super) error: DVec3,
    /// ε \[rad/(N m)\].
    pub(super) compliance: f64,
    tangent: DVec3,
    next: usize,
    after: DVec3,
    lever_after: f64,
    before: Option<(usize, DVec3, f64)>,
    held: DVec3,
}

/// A slack segment whose ends come together has no direction left to bend against: its share from 0 at a fifth of its length
/// to 1 at a half.
fn drawn_out(line: &Line, node: usize) -> f64 {
    let share = (line.segment(node).1 / line.rest_length(node) - 0.2) / 0.3;
    share.clamp(0.0, 1.0)
}

/// The bend at a node that has stiffness against it: a lump between segments, or a clamped end.
pub(super) fn bend_at(line: &Line, node: usize) -> Option<Bend> {
    let stiffness = line.wire.bend_stiffness();
    let last = line.nodes.len() - 1;
    if stiffness == 0.0 {
        return None;
    }
    match line.nodes[node].place {
        NodePlace::Lumped(_) if node > 0 && node < last => {
            let [before, after] = [line.segment(node - 1).0, line.segment(node).0];
            let mean = 0.5 * (line.rest_length(node - 1) + line.rest_length(node));
            let share = drawn_out(line, node - 1) * drawn_out(line, node);
            (share > 0.0).then(|| Bend {
                error: after - before,
                compliance: mean / (share * stiffness),
                tangent: (after + before).normalize_or(after),
                next: node + 1,
                after,
                lever_after: line.lever(node),
                before: Some((node - 1, before, line.lever(node - 1))),
                held: before,
            })
        }
        NodePlace::Anchor(_) if node == 0 || node == last => {
            let held = line.held(node)?;
            let (next, segment, sign) = if node == 0 { (1, 0, 1.0) } else { (last - 1, last - 1, -1.0) };
            let after = sign * line.segment(segment).0;
            let share = drawn_out(line, segment);
            (share > 0.0).then(|| Bend {
                error: after - held,
                compliance: line.rest_length(segment) / (2.0 * share * stiffness),
                tangent: (after + held).normalize_or(after),
                next,
                after,
                lever_after: line.lever(segment),
                before: None,
                held,
            })
        }
        _ => None,
    }
}

/// What a winch does in a step.
#[derive(Clone, Copy)]
pub(super) struct WinchLaw {
    /// Wanted speed of paying out \[m/s\].
    pub(super) speed: f64,
    /// Largest tension \[N\].
    force: f64,
}

impl WinchLaw {
    const NONE: Self = Self { speed: 0.0, force: f64::INFINITY };
}

/// Speed and bound of a winch.
pub(super) fn winch_law(wire: &Wire, state: &WireState, step: f64) -> WinchLaw {
    use crate::model::WinchControl;
    let [hold, haul, brake] = state.winch_forces;
    let free = state.nodes.iter().map(|node| node.length).sum::<f64>();
    let wanted = match state.control {
        Some(WinchControl::Speed(speed)) => speed,
        Some(WinchControl::Length { length, speed }) => ((length - free) / step).clamp(-speed, speed),
        None => 0.0,
    };
    // No more than is on the drum, and not the whole first segment at once; what the wire is tied to stops before the drum.
    let first = state.nodes.first().map_or(0.0, |node| node.length);
    let is_tied =
        state.nodes.get(1).is_some_and(|node| matches!(node.place, NodePlace::Anchor(_)) && !wire.is_eye(node));
    let first = if is_tied { (first - SPENT * wire.spacing()).max(0.0) } else { first };
    let speed = wanted.clamp(-0.5 * first / step, state.stored / step);
    let force = if wanted < 0.0 {
        haul
    } else if state.stored <= 0.0 {
        f64::INFINITY
    } else if wanted == 0.0 {
        -hold + brake
    } else {
        -hold
    };
    WinchLaw { speed, force }
}
