//! Energy balance of joints: energy added by joint rows is removed again.
//!
//! Hard joints do no work. In a step they do a little: their rows turn with the bodies, and the correction of drift rests
//! in the velocities. In a steady turn the two cancel (the projection on the new tangent takes `(h ω)² T` a step, the
//! correction of the drift that the tangent left gives it back), but at large `h ω`, or where a solver stops early, they
//! need not. The work of the rows in a step is exact:
//!
//! `T⁺ − T⁰ = Σ λᵢ (uᵢ⁰ + uᵢ⁺) / 2`,
//!
//! summed over the impulses of the step. Its part of hard joints and their stops is kept as an account of every
//! mechanism (bodies connected by joints). The account may be overdrawn by a share of the kinetic energy, so that what
//! one step takes another may give; it is in credit by hardly anything: what is more is taken off the motion, `v ← v_r + σ (v − v_r)`
//! with the rigid motion `v_r` that has the mechanism's momentum, which the joints allow too. So joints cannot feed a
//! motion, at any speed and step. Positions still move as the rows want, so that gaps close, but not much
//! faster than the motion without rows. Where this hardly moves, the mechanism moves as a whole as its rows want, and its
//! bodies by a small angle a step, so that one that was pulled apart comes together from rest.

use glam::{DMat3, DVec3};

use super::islands::NONE;
use super::spook::{self, SpookRow};
use super::views::BodyView;
use super::{StepReport, Workspace};
use crate::base::Arena;
use crate::constraint::{Row, RowKind};
use crate::dynamics::rigid::Whitening;
use crate::joints::Joint;
use crate::model::{Bodies, Body, State, Wire};

/// Share of the kinetic energy that the account may be overdrawn by.
pub(super) const OVERDRAFT: f64 = 0.01;
/// Share of the kinetic energy that the account may be in credit by.
pub(super) const CREDIT: f64 = 1e-3;
/// Share of the kinetic energy that sums of works are off by rounding.
const ROUNDING: f64 = 1e-12;
/// What is left after a step of the kinetic energy that the shares are of, so that a turning point does not count as rest.
pub(super) const MEMORY: f64 = 0.99;
/// How much faster than without rows positions may move where joints made energy, as a ratio of kinetic energies.
const FASTER: f64 = 4.0;
/// Share of the kinetic energy that rows want below which the motion without rows counts as rest.
const RESTING: f64 = 1e-4;
/// Turn of a body in a step that its rows, which are linear, can follow \[rad\].
const SMALL_TURN: f64 = 0.1;
/// Softness, relative to a row's own inverse mass, above which it is a spring: springs give back what they took.
const SOFT: f64 = 1e-6;
/// CFM up to which a row is hard whatever it holds: ten times that of a new world \[s/kg\].
const HARD_CFM: f64 = 1e-9;

/// A mechanism in a step, by the slot of its first body.
#[derive(Clone, Copy, Debug)]
struct Mechanism {
    parent: u32,
    /// Work of its hard joints and stops in this step \[J\].
    work: f64,
    /// Kinetic energy of the motion by which SPOOK's rows close their errors \[J\].
    closing: f64,
    /// A joint holds it to what does not move.
    is_held: bool,
    /// How far such a joint has come apart \[m\].
    gap: f64,
    /// A wire is part of it.
    has_wire: bool,
    /// Something prescribed moves it, whose work is not known here.
    is_driven: bool,
    mass: f64,
    kinetic: f64,
    momentum: DVec3,
    center: DVec3,
    angular: DVec3,
    inertia: DMat3,
    /// Share of the internal motion that stays.
    sigma: f64,
    /// Rigid motion of its momentum.
    velocity: DVec3,
    omega: DVec3,
    /// Share of the rigid turn that stays.
    turn: f64,
    /// Kinetic energy of the motion without rows.
    free: f64,
    /// Share of the velocities that moves positions.
    pace: f64,
    /// What moves positions, of a mechanism that closes gaps from rest: mean velocity \[m/s\], fastest turn of a body \[rad/s\].
    whole: DVec3,
    fastest_turn: f64,
}

impl Mechanism {
    const fn of(slot: u32) -> Self {
        Self {
            parent: slot,
            work: 0.0,
            closing: 0.0,
            is_held: false,
            gap: 0.0,
            has_wire: false,
            is_driven: false,
            mass: 0.0,
            kinetic: 0.0,
            momentum: DVec3::ZERO,
            center: DVec3::ZERO,
            angular: DVec3::ZERO,
            inertia: DMat3::ZERO,
            sigma: 1.0,
            velocity: DVec3::ZERO,
            omega: DVec3::ZERO,
            turn: 1.0,
            free: 0.0,
            pace: 1.0,
            whole: DVec3::ZERO,
            fastest_turn: 0.0,
        }
    }
}

/// Memory of the balance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Balance {
    mechanisms: Vec<Mechanism>,
    /// Bodies that joints hold.
    is_known: Vec<bool>,
}

/// Takes back what the joints of each mechanism of free bodies have made, before anything moves.
pub(super) fn joints(
    joints: &Arena<Joint>,
    wires: &Arena<Wire>,
    bodies: &Bodies,
    step: f64,
    state: &mut State,
    work: &mut Workspace,
    report: &mut StepReport,
) {
    let has_wires = work.problems.iter().any(|own| !own.wires.is_empty());
    if !has_wires && work.problems.joints().all(|e| e.rows[0] == e.rows[1]) {
        return;
    }
    let mut balance = std::mem::take(&mut work.balance);
    balance.collect(joints, bodies, state, work);
    if has_wires {
        balance.collect_wires(wires, state, work);
    }
    if balance.settle(state, work) {
        balance.take_back(bodies, step, state, work, report);
    }
    work.balance = balance;
}

impl Balance {
    fn root(&self, mut slot: u32) -> u32 {
        while self.mechanisms[slot as usize].parent != slot {
            slot = self.mechanisms[slot as usize].parent;
        }
        slot
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let (first, second) = (a.min(b), a.max(b));
        self.mechanisms[second as usize].parent = first;
    }

    /// Work of the joints of each mechanism in this step.
    fn collect(&mut self, joints: &Arena<Joint>, bodies: &Bodies, state: &State, work: &Workspace) {
        self.mechanisms.clear();
        self.mechanisms.extend((0..bodies.slots() as u32).map(Mechanism::of));
        self.is_known.clear();
        self.is_known.resize(bodies.slots(), false);
        for (own, emitted) in work.problems.joints_in_problems().filter(|(_, e)| e.rows[0] < e.rows[1]) {
            let Some(joint) = joints.at(emitted.slot as usize) else { continue };
            let ends = [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference];
            let mut first = None;
            for slot in ends.iter().flatten().map(|b| b.slot()) {
                let view = &work.views[slot];
                if view.whitening.is_none() || view.clique == NONE {
                    continue;
                }
                self.is_known[slot] = true;
                match first {
                    None => first = Some(slot as u32),
                    Some(first) => self.unite(first, slot as u32),
                }
            }
            let Some(first) = first else { continue };
            let mut held = joint.definition.bodies.contains(&None);
            // What is led to a consistent position keeps the rate at which it is.
            let mut driven = state.joints[emitted.slot as usize].is_led;
            for body in ends.into_iter().flatten() {
                if work.views[body.slot()].clique == NONE {
                    held = true;
                    let moves =
                        work.views[body.slot()].velocity != DVec3::ZERO || work.views[body.slot()].omega != DVec3::ZERO;
                    driven |= moves || work.forest.of_body[body.slot()].is_some();
                }
            }
            let rows = emitted.first_row as usize..(emitted.first_row + emitted.rows[1] - emitted.rows[0]) as usize;
            let mut sum = 0.0;
            let problem = &own.problem;
            let mut closing = 0.0;
            for index in rows {
                let (row, lambda) = (&problem.rows[index], own.lambda[index]);
                if lambda == 0.0 || row.kind == RowKind::Motor {
                    continue;
                }
                let before = problem.velocity(row, &problem.z_before);
                let after = problem.velocity(row, &own.z);
                let work_done = 0.5 * lambda * (before + after);
                sum += match spook::of(problem, index, &own.z) {
                    Some(SpookRow::Hard(wanted)) => {
                        // The motion by which it closes its error is no feed of the mechanism.
                        closing += wanted;
                        work_done
                    }
                    Some(SpookRow::Spring([stored, storing])) => work_done + storing - stored,
                    None if is_hard(row, problem.step) => work_done,
                    // A spring b = −α x / h, Γ = α / (h² k) gives at most what it loses by x⁺ = x + h u⁺, u⁺ b / Γ; it gives
                    // more only where its row is not solved.
                    None => (after * (lambda - row.target / row.compliance)).max(0.0),
                };
            }
            let mechanism = &mut self.mechanisms[first as usize];
            mechanism.work += sum;
            mechanism.closing += closing;
            mechanism.is_held |= held;
            if held {
                mechanism.gap = mechanism.gap.max(emitted.gap);
            }
            mechanism.is_driven |= driven;
        }
    }

    /// What the wires of each mechanism make in this step, with their springs where the nodes will be, and what these hold since the
    /// last step beyond what was seen ahead.
    fn collect_wires(&mut self, wires: &Arena<Wire>, state: &State, work: &Workspace) {
        for emitted in work.problems.iter().flat_map(|own| &own.wires) {
            let Some(wire) = wires.at(emitted.slot as usize) else { continue };
            let own = &state.wires[emitted.slot as usize];
            let (mut first, mut is_held) = (None, false);
            for node in &own.nodes {
                let (slot, _) = wire.arm(node, &state.bodies);
                let moves = slot.map(|slot| (slot, &work.views[slot as usize]));
                let Some((slot, _)) = moves.filter(|(_, v)| v.whitening.is_some() && v.clique != NONE) else {
                    is_held = true;
                    continue;
                };
                self.is_known[slot as usize] = true;
                match first {
                    None => first = Some(slot),
                    Some(first) => self.unite(first, slot),
                }
            }
            let Some(first) = first else { continue };
            let mechanism = &mut self.mechanisms[first as usize];
            mechanism.work += own.made + own.late + own.exchanged;
            mechanism.is_held |= is_held;
            mechanism.has_wire = true;
            mechanism.is_driven |= emitted.is_driven;
        }
    }

    /// Brings the accounts forward; true if one has gained, which is to be taken off the motion.
    fn settle(&mut self, state: &mut State, work: &Workspace) -> bool {
        // What each body has of its mechanism goes to the first one; children come after their parents.
        for slot in (0..self.mechanisms.len()).filter(|slot| self.is_known[*slot]) {
            let root = self.root(slot as u32) as usize;
            let view = &work.views[slot];
            let Some(whitening) = &view.whitening else { continue };
            let start = work.cliques.start(view.clique);
            // The torque of the turn is across the mean of the free motion, not of the motion that rows leave.
            let torque = whitening.angular * view.twist_impulse;
            let mut gyroscopic = 0.0;
            for k in 0..3 {
                let free = work.cliques.z_free[start + 3 + k];
                let turn = free - work.cliques.z_before[start + 3 + k] - torque[k];
                gyroscopic += 0.5 * turn * (work.velocities.z[start + 3 + k] - free);
            }
            let own = self.mechanisms[slot];
            let total = &mut self.mechanisms[root];
            if root != slot {
                total.work += own.work;
                total.closing += own.closing;
                total.is_held |= own.is_held;
                total.gap = total.gap.max(own.gap);
                total.is_driven |= own.is_driven;
                total.has_wire |= own.has_wire;
            }
            total.work += gyroscopic;
            let kinetic = |z: &[f64]| 0.5 * z[start..start + 6].iter().map(|z| z * z).sum::<f64>();
            total.kinetic += kinetic(&work.velocities.z);
            total.free += kinetic(&work.cliques.z_free);
        }
        let mut is_any = false;
        for slot in 0..self.mechanisms.len() {
            let mechanism = &mut self.mechanisms[slot];
            if !self.is_known[slot] || mechanism.parent != slot as u32 || mechanism.is_driven {
                continue;
            }
            let first = &mut state.bodies[slot];
            // A burst within this step is no measure.
            first.joint_energy = mechanism.kinetic.min(mechanism.free).max(MEMORY * first.joint_energy);
            let account = &mut first.joint_work;
            *account = (*account + mechanism.work).max(-OVERDRAFT * first.joint_energy);
            if *account > CREDIT * first.joint_energy + mechanism.closing + ROUNDING * mechanism.kinetic {
                if mechanism.kinetic < mechanism.free {
                    // An impact takes its share of what was made in the same step.
                    *account *= mechanism.kinetic / mechanism.free;
                }
                mechanism.sigma = 0.0;
                is_any = true;
            }
        }
        is_any
    }

    /// Scales the internal motion of the mechanisms whose account is in credit.
    fn take_back(
        &mut self,
        bodies: &Bodies,
        step: f64,
        state: &mut State,
        work: &mut Workspace,
        report: &mut StepReport,
    ) {
        self.each_member(bodies, work, |mechanism, body, view, velocity, _| {
            mechanism.mass += body.mass.mass;
            mechanism.momentum += body.mass.mass * velocity;
            mechanism.center += body.mass.mass * view.center;
        });
        self.each_member(bodies, work, |mechanism, body, view, velocity, omega| {
            let arm = view.center - mechanism.center / mechanism.mass;
            // Nodes of wires do not turn.
            let turns = view.whitening.as_ref().filter(|_| !body.is_node);
            let own = turns.map_or(DMat3::ZERO, Whitening::inertia);
            let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
            mechanism.inertia += own + body.mass.mass * (DMat3::from_diagonal(DVec3::splat(arm.dot(arm))) - outer);
            mechanism.angular += body.mass.mass * arm.cross(velocity) + own * omega;
        });
        for (slot, mechanism) in self.mechanisms.iter_mut().enumerate().filter(|(_, m)| m.sigma == 0.0) {
            let mut rigid = 0.0;
            if !mechanism.is_held {
                mechanism.velocity = mechanism.momentum / mechanism.mass;
                let omega = mechanism.inertia.inverse() * mechanism.angular;
                mechanism.omega = if omega.is_finite() { omega } else { DVec3::ZERO };
                rigid = 0.5 * (mechanism.momentum.dot(mechanism.velocity) + mechanism.angular.dot(mechanism.omega));
            }
            mechanism.center /= mechanism.mass;
            // T = T_rigid + σ² T_internal: the cross term vanishes, since v_r has the momentum of v.
            let internal = (mechanism.kinetic - rigid).max(0.0);
            let account = &mut state.bodies[slot].joint_work;
            let taken = account.min(internal);
            mechanism.sigma = if internal > 0.0 { ((internal - taken) / internal).sqrt() } else { 1.0 };
            if mechanism.kinetic > FASTER * mechanism.free {
                mechanism.pace = (FASTER * mechanism.free / mechanism.kinetic).sqrt();
            }
            report.energy.taken_back += taken;
            let left = *account - taken;
            if left > 0.0 && rigid > 0.0 {
                // Rows that have come far apart push past each other: what they made turns the whole.
                let turn = 0.5 * mechanism.angular.dot(mechanism.omega);
                let taken = left.min(turn);
                if taken > 0.0 {
                    mechanism.turn = ((turn - taken) / turn).sqrt();
                    report.energy.taken_back += taken;
                }
            }
            // What springs of wires have too much stays due.
            *account = if mechanism.has_wire { left.max(0.0) } else { 0.0 };
        }
        if !work.velocities.is_split {
            work.velocities.is_split = true;
            work.velocities.z_position.clone_from(&work.velocities.z);
        }
        self.let_close(bodies, step, work);
        for slot in (0..self.mechanisms.len()).filter(|slot| self.is_known[*slot]) {
            let mechanism = &self.mechanisms[self.root(slot as u32) as usize];
            let view = &work.views[slot];
            let Some(whitening) = view.whitening.as_ref().filter(|_| mechanism.sigma < 1.0) else { continue };
            let span = work.cliques.start(view.clique)..;
            let z = &mut work.velocities.z[span.clone()][..6];
            let (velocity, omega) = whitening.velocity(z);
            let turn = mechanism.omega.cross(view.center - mechanism.center);
            let rest = velocity - mechanism.velocity - turn;
            let velocity = mechanism.velocity + mechanism.turn * turn + mechanism.sigma * rest;
            let omega = if bodies.at(slot).is_some_and(|body| body.is_node) {
                omega
            } else {
                mechanism.turn * mechanism.omega + mechanism.sigma * (omega - mechanism.omega)
            };
            z.copy_from_slice(&whitening.z(velocity, omega));
            let position = &mut work.velocities.z_position[span][..6];
            if mechanism.whole == DVec3::ZERO {
                position.iter_mut().for_each(|z| *z *= mechanism.pace);
            } else {
                let (velocity, omega) = whitening.velocity(position);
                let within = mechanism.pace * (velocity - mechanism.whole);
                position.copy_from_slice(&whitening.z(mechanism.whole + within, mechanism.pace * omega));
            }
        }
    }

    /// Lets mechanisms that hardly move without rows close their gaps: as a whole in full, and within by small turns.
    fn let_close(&mut self, bodies: &Bodies, step: f64, work: &Workspace) {
        let is_resting = |m: &Mechanism| m.pace < 1.0 && !m.has_wire && m.free <= RESTING * m.kinetic;
        if !self.mechanisms.iter().any(is_resting) {
            return;
        }
        for slot in (0..self.mechanisms.len()).filter(|slot| self.is_known[*slot]) {
            let root = self.root(slot as u32) as usize;
            let view = &work.views[slot];
            let of = view.whitening.as_ref().zip(bodies.at(slot)).filter(|_| is_resting(&self.mechanisms[root]));
            let Some((whitening, body)) = of else { continue };
            let start = work.cliques.start(view.clique);
            let (velocity, omega) = whitening.velocity(&work.velocities.z_position[start..start + 6]);
            let mechanism = &mut self.mechanisms[root];
            mechanism.whole += body.mass.mass / mechanism.mass * velocity;
            mechanism.fastest_turn = mechanism.fastest_turn.max(omega.length());
        }
        for mechanism in self.mechanisms.iter_mut().filter(|m| is_resting(m)) {
            let small = SMALL_TURN / (step * mechanism.fastest_turn).max(SMALL_TURN);
            mechanism.pace = mechanism.pace.max(small);
            // As far as it is from where it is held, whatever rows that are not solved want.
            mechanism.whole = mechanism.whole.clamp_length_max(mechanism.gap / step);
        }
    }

    /// Visits the bodies of the mechanisms whose account is in credit, with their velocities.
    fn each_member(
        &mut self,
        bodies: &Bodies,
        work: &Workspace,
        mut visit: impl FnMut(&mut Mechanism, &Body, &BodyView, DVec3, DVec3),
    ) {
        for slot in (0..self.mechanisms.len()).filter(|slot| self.is_known[*slot]) {
            let root = self.root(slot as u32) as usize;
            let view = &work.views[slot];
            if let (0.0, Some(body), Some(whitening)) = (self.mechanisms[root].sigma, bodies.at(slot), &view.whitening)
            {
                let start = work.cliques.start(view.clique);
                let (velocity, omega) = whitening.velocity(&work.velocities.z[start..start + 6]);
                visit(&mut self.mechanisms[root], body, view, velocity, omega);
            }
        }
    }
}

/// A row that should do no work, or only take: it holds bodies together or stops them, and is no spring.
pub(super) fn is_hard(row: &Row, step: f64) -> bool {
    row.kind != RowKind::Spring && (row.compliance <= SOFT * row.diagonal || row.compliance * step <= HARD_CFM)
}
