//! What drives, brakes, springs and stops the motions of joints that are projections: one impulse an axis, by a graph of its rate.

mod books;
mod law;

use super::context::Model;
use super::remember::measure_drive;
use super::spring_inertia::inertia_of;
use crate::constraint::RowKind;
use crate::joints::parts::PartRow;
use crate::joints::{
    AS_GOOD_AS_RIGID, AxisMotion, AxisParameters, DriveGains, JointContext, JointRow, SpringRule, axis_rows,
};
use crate::model::{JointState, State, WorldParameters, joint_pose};
use law::{PARTS, Part, edge, solve};

/// By how much a motion may be off a stop at which it is, or pass one that was not looked for \[m or rad\].
const MISSED: f64 = 1e-9;

/// Largest compliance of a motor that holds its rate, relative to the inverse inertia that it moves.
const STIFF: f64 = 0.05;
/// Smallest change of a rate that counts as a jump: relative to the larger of the rates before and after, and absolute \[m/s or rad/s\].
const JUMP: f64 = 0.1;
const LEAST_JUMP: f64 = 1e-4;
/// The same of a motor with a compliance: what is left of the difference after each part is a quarter.
const SOFT_JUMP: f64 = 0.01;
/// Shortest time that a jump takes, as a share of the span; and that of a motor with a compliance, by its time constant.
const AT_ONCE: f64 = 1e-9;
const SOFTLY: f64 = 3.0;

/// What the impulse of a part counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Account {
    Motor,
    Drive,
    Loss,
    /// A rigid stop.
    Stop,
    Spring,
}

/// How rates and positions of steps go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rates {
    /// Rates are those in the middles of the steps, `x⁺ = x + h v⁺`.
    OfMiddles,
    /// Rates are those at their ends, `x⁺ = x + h (v + v⁺)/2`.
    OfEnds,
}

/// What a law is laid for.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    pub(super) parameters: &'a WorldParameters,
    /// Length, and what is left of the step, at whose end drives are to be at their positions \[s\].
    pub(super) step: f64,
    pub(super) left: f64,
    /// Rate at which a motion comes back that is beyond a rigid stop, by how far it is \[1/s\]; where there is none, the ERP of the stop by the length.
    pub(super) bias_rate: Option<f64>,
    /// Its largest velocity \[m/s or rad/s\].
    pub(super) push: f64,
    pub(super) rates: Rates,
}

/// An axis on which something acts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Slot of the joint and number of its axis.
    pub(super) joint: u32,
    pub(super) number: u8,
    law: AxisParameters,
    /// The user's force, which acts on the bodies.
    user: f64,
    seen: [f64; 2],
    /// Position at the start of the step, and now.
    start: f64,
    position: f64,
    /// Length of the step, and that for which the law was laid last \[s\].
    whole: f64,
    step: f64,
    parts: [Part; PARTS],
    accounts: [Account; PARTS],
    /// Shares s of [`Axis::settled_rate`] of the parts, where rates are those of the ends.
    shares: [f64; PARTS],
    count: usize,
    /// The part of a stop that bounces in the span, and the rate with which it does \[m/s or rad/s\].
    rebound: Option<(usize, f64)>,
    has_rigid_stops: bool,
    /// Impulses of the parts and their sum in the present sub-step; those of all sub-steps, and of drives.
    pub(super) impulses: [f64; PARTS],
    pub(super) lambda: f64,
    total: f64,
    driven: f64,
    /// Rate before the impulses of the sub-step.
    pub(super) before: f64,
    /// Response of the motion, that of the last solution where it is not known better.
    pub(super) response: f64,
    /// Work of motors, and what the others lost \[J\].
    pub(super) work: f64,
    pub(super) loss: f64,
    /// Of that what the damper took, and what the step took from the spring \[J\].
    pub(super) taken: [f64; 2],
    /// Share of the rate before the sub-step that the row of the spring keeps, and the inertia against which it works.
    kept: f64,
    inertia: f64,
}

impl Axis {
    /// Visits the axes of a joint, the first so many, on which something acts, for spans of a length; `warm` is the share of the impulses of the
    /// last step to start from.
    pub(super) fn each(
        model: &Model,
        state: &State,
        slot: u32,
        axes: usize,
        (step, warm): (f64, f64),
        mut visit: impl FnMut(Self),
    ) {
        let Some(joint) = model.joints.at(slot as usize) else { return };
        let (own, laws) = (&state.joints[slot as usize], &joint.definition.parameters);
        for k in (0..axes).filter(|k| acts(&laws[*k], own, *k)) {
            visit(Self {
                joint: slot,
                number: k as u8,
                law: laws[k],
                user: own.efforts[k],
                seen: own.accelerations[k],
                start: own.positions[k],
                position: own.positions[k],
                whole: step,
                step,
                parts: [Part::NONE; PARTS],
                accounts: [Account::Loss; PARTS],
                shares: [0.0; PARTS],
                count: 0,
                rebound: None,
                has_rigid_stops: false,
                impulses: [0.0; PARTS],
                lambda: if own.row_count > k { warm * own.impulses[k] } else { 0.0 },
                total: 0.0,
                driven: 0.0,
                before: 0.0,
                response: 0.0,
                work: 0.0,
                loss: 0.0,
                taken: [0.0; 2],
                kept: 0.0,
                inertia: 0.0,
            });
        }
    }

    /// Length of the span for which it was laid \[s\].
    pub(super) fn step(&self) -> f64 {
        self.step
    }

    /// Length of the step \[s\].
    pub(super) fn whole(&self) -> f64 {
        self.whole
    }

    /// The parts of its law.
    pub(super) fn parts(&self) -> &[Part] {
        &self.parts[..self.count]
    }

    /// The law of the axis for a span that begins, with the inertia against which its spring works.
    pub(super) fn lay(&mut self, span: &Span, inertia: f64, rows: &mut Vec<JointRow>) {
        rows.clear();
        let WorldParameters { cfm, .. } = *span.parameters;
        (self.step, self.inertia) = (span.step, inertia);
        let erp = self.erp(span);
        let context = JointContext { step: span.step, erp, cfm, spook: None, positions: [self.position; 3] };
        let rule = match span.rates {
            Rates::OfMiddles => SpringRule::KeepsEnergy(inertia),
            Rates::OfEnds => SpringRule::KeepsEnergyAtEnds(inertia),
        };
        let at = (if span.rates == Rates::OfEnds { self.at_stop() } else { self.position }, self.before);
        self.has_rigid_stops = self.has_rigid_stops(span.parameters, span.rates);
        // Only the numbers of the rows count, not where they act.
        let motion = AxisMotion { part: PartRow::none(), is_angle: false, has_position: true };
        let law = AxisParameters { stop_erp: Some(erp), ..self.law };
        let beside = axis_rows((&law, rule), &motion, at, self.user, self.seen, &context, rows);
        if let Some(drive) = law.drive.as_ref().filter(|_| span.left != span.step)
            && let DriveGains::Rigid { closing } = drive.gains
            && let Some(row) = rows.iter_mut().find(|row| row.is_drive)
        {
            [row.target, _] = law.rigid_target((drive, closing), at.0, self.seen, [span.step, span.left]);
        }
        (self.count, self.rebound) = (0, None);
        for row in rows.iter() {
            let is_limit = row.kind == RowKind::Limit;
            let is_rigid = is_limit && self.has_rigid_stops;
            let account = match row.kind {
                _ if is_rigid => Account::Stop,
                RowKind::Motor if row.is_drive => Account::Drive,
                RowKind::Motor if row.target == 0.0 || row.bounds.contains(&0.0) => Account::Loss,
                RowKind::Motor => Account::Motor,
                RowKind::Spring => {
                    self.kept = row.kept;
                    Account::Spring
                }
                _ => Account::Loss,
            };
            let mut targets = if is_rigid { self.targets(row, span) } else { [row.target + row.kept * self.before; 2] };
            let mut compliance = if is_rigid { 0.0 } else { row.compliance };
            let goes_against = self.before * (row.bounds[0] + row.bounds[1]) < 0.0;
            let bounces = is_limit && self.law.bounce > 0.0 && goes_against;
            if bounces && span.rates == Rates::OfMiddles {
                self.rebound = Some((self.count, targets[1]));
            }
            let mut share = 0.0;
            if span.rates == Rates::OfEnds && compliance > 0.0 {
                share = self.share_of_mean(row, rule);
                if is_limit && !bounces {
                    // A soft stop acts at the mean rate.
                    share = rule.share_against(compliance);
                    (targets, compliance) = ([2.0 * targets[0] - self.before; 2], 2.0 * compliance);
                }
            }
            self.push(Part { targets, compliance, bounds: row.bounds, is_limit }, account, share);
        }
        if beside != 0.0 {
            let impulse = span.step * beside;
            let part = Part { bounds: [impulse; 2], ..Part::NONE };
            self.push(part, if self.law.drive.is_some() { Account::Drive } else { Account::Motor }, 0.0);
        }
    }

    /// Share s of [`Axis::settled_rate`] of a spring, a damper or gains.
    fn share_of_mean(&self, row: &JointRow, rule: SpringRule) -> f64 {
        let [stiffness, damping] = match (row.kind, self.law.drive.map(|drive| drive.gains)) {
            (RowKind::Spring, _) => [self.law.stiffness, self.law.damping],
            (RowKind::Motor, Some(DriveGains::Soft { stiffness, damping })) if row.is_drive => [stiffness, damping],
            _ => return 0.0,
        };
        rule.share(self.step * self.step * stiffness.max(0.0), self.step * damping.max(0.0))
    }

    /// ERP of the stops: the share of a step is less in a part of it. A motion beyond a stop comes back at one rate, in however many parts it is taken.
    fn erp(&self, span: &Span) -> f64 {
        self.law.stop_erp.unwrap_or(span.parameters.erp) * (span.step / self.whole)
    }

    /// Its stops have no law of their own that gives way.
    fn has_rigid_stops(&self, parameters: &WorldParameters, rates: Rates) -> bool {
        self.law.stop_spring.is_none()
            && match rates {
                Rates::OfMiddles => self.law.stop_erp.is_none() && self.law.stop_cfm.is_none(),
                Rates::OfEnds => self.law.stop_cfm.unwrap_or(parameters.cfm) <= AS_GOOD_AS_RIGID,
            }
    }

    fn push(&mut self, part: Part, account: Account, share: f64) {
        if self.count < PARTS && part.bounds[0] <= part.bounds[1] && part.compliance.is_finite() {
            self.parts[self.count] = part;
            self.accounts[self.count] = account;
            self.shares[self.count] = share;
            self.count += 1;
        }
    }

    /// Targets of a rigid stop with bias and without. It is left like an overlap of contacts, and leaves nothing of that in the velocity.
    fn targets(&self, row: &JointRow, span: &Span) -> [f64; 2] {
        let beyond = match row.bounds {
            [low, _] if low >= 0.0 => self.position - self.law.lower,
            [_, high] if high <= 0.0 => self.position - self.law.upper,
            _ => self.position - self.law.lower,
        };
        let is_two_sided = row.bounds[0] < 0.0 && row.bounds[1] > 0.0;
        let is_beyond = is_two_sided || if row.bounds[0] >= 0.0 { beyond <= 0.0 } else { beyond >= 0.0 };
        let of_stop = || self.erp(span) / span.step;
        let bias_rate = span.bias_rate.unwrap_or_else(of_stop);
        let back = (-bias_rate * beyond).clamp(-span.push, span.push);
        let rebound = -self.law.bounce * self.before;
        match (span.rates, is_beyond) {
            (Rates::OfMiddles, true) if row.bounds == [0.0, f64::INFINITY] => [back.max(rebound), rebound.max(0.0)],
            (Rates::OfMiddles, true) if row.bounds == [f64::NEG_INFINITY, 0.0] => [back.min(rebound), rebound.min(0.0)],
            (Rates::OfMiddles, true) => [back, 0.0],
            (Rates::OfMiddles, false) => [row.target; 2],
            // The mean rate takes it there; see `end_rate` for the end.
            (Rates::OfEnds, true) => [2.0 * back - self.before; 2],
            (Rates::OfEnds, false) => [2.0 * row.target - self.before; 2],
        }
    }

    /// Adds a rigid stop that the motion passes along a way and that the law does not have yet.
    pub(super) fn add_missed_stop(&mut self, way: f64) {
        let law = &self.law;
        if law.lower >= law.upper || !self.has_rigid_stops {
            return;
        }
        let after = self.position + way;
        let (stop, bounds) = if after < law.lower - MISSED {
            (law.lower, [0.0, f64::INFINITY])
        } else if after > law.upper + MISSED {
            (law.upper, [f64::NEG_INFINITY, 0.0])
        } else {
            return;
        };
        let is_known = |part: usize| self.accounts[part] == Account::Stop && self.parts[part].bounds == bounds;
        if (0..self.count).any(is_known) {
            return;
        }
        let target = 2.0 * (stop - self.position) / self.step - self.before;
        self.push(Part { targets: [target; 2], compliance: 0.0, bounds, is_limit: true }, Account::Stop, 0.0);
    }

    /// The position, or that of the stop to which the motion has been led.
    fn at_stop(&self) -> f64 {
        let is_at = |stop: &f64| (self.position - stop).abs() < MISSED;
        [self.law.lower, self.law.upper].into_iter().find(is_at).unwrap_or(self.position)
    }

    /// Solves the law for the rate without it and the response of the motion; `pass` is 0 with bias. The rate.
    pub(super) fn solve(&mut self, pass: usize, free: f64, response: f64) -> f64 {
        self.response = response;
        let rate = solve(&self.parts[..self.count], pass, free, response, &mut self.impulses);
        self.lambda = self.impulses[..self.count].iter().sum();
        rate
    }

    /// Largest impulse with which it holds the motion at a rate, or the least.
    pub(super) fn edge(&self, rate: f64, is_upward: bool) -> f64 {
        let edge = edge(&self.parts[..self.count], rate, is_upward);
        if edge.is_nan() { if is_upward { f64::INFINITY } else { f64::NEG_INFINITY } } else { edge }
    }

    /// The motor, brake or drive whose impulse at a rate has no upper bound, or no lower bound.
    pub(super) fn endless_motor(&self, rate: f64, is_upward: bool) -> Option<usize> {
        let is_endless = |part: &usize| edge(&self.parts[*part..=*part], rate, is_upward).is_infinite();
        (0..self.count)
            .filter(|part| self.accounts[*part] != Account::Stop && !self.parts[*part].is_limit)
            .find(is_endless)
    }

    /// A part exerts an impulse in the span, whatever the rate.
    pub(super) fn exert(&mut self, part: usize, impulse: f64) {
        self.parts[part].bounds = [impulse; 2];
    }

    /// The parts that give way: those that are at no bound, and of rigid ones the first, which takes all.
    fn yielding(&self) -> impl Iterator<Item = usize> {
        let is_within = |part: &usize| {
            let [low, high] = self.parts[*part].bounds;
            low < self.impulses[*part] && self.impulses[*part] < high
        };
        let is_rigid = move |part: &usize| self.parts[*part].compliance == 0.0;
        let rigid = (0..self.count).filter(is_within).find(is_rigid);
        (0..self.count).filter(is_within).filter(move |part| rigid.is_none_or(|rigid| *part == rigid))
    }

    /// Compliance with which its impulse follows its rate, and by how much a rate misses the law, where some part gives way.
    pub(super) fn slope(&self, pass: usize, rate: f64) -> Option<(f64, f64)> {
        let (mut conductance, mut missing) = (0.0, 0.0);
        for i in self.yielding() {
            let Part { targets, compliance, .. } = self.parts[i];
            if compliance == 0.0 {
                return Some((0.0, rate - targets[pass]));
            }
            conductance += 1.0 / compliance;
            missing += self.impulses[i] - (targets[pass] - rate) / compliance;
        }
        (conductance > 0.0).then(|| (1.0 / conductance, missing / conductance))
    }

    /// How much of a change of its impulse, with that compliance, keeps the parts that give way within their bounds.
    pub(super) fn share_within(&self, change: f64, compliance: f64) -> f64 {
        let mut share = 1.0f64;
        for i in self.yielding() {
            let (Part { bounds: [low, high], compliance: own, .. }, impulse) = (self.parts[i], self.impulses[i]);
            let part = if own > 0.0 { change * compliance / own } else { change };
            if part != 0.0 {
                share = share.min((if part > 0.0 { high } else { low } - impulse) / part);
            }
        }
        share
    }

    /// Whether a part, while it is within its bounds, holds a motion of that inertia at a given rate: a motor, a brake, dry friction or a rate limit.
    pub(super) fn holds_rate(&self, part: usize, inertia: f64) -> bool {
        let is_given = match self.accounts[part] {
            Account::Motor | Account::Loss => true,
            // With a stiffness the target depends on the length of the span.
            Account::Drive => {
                let gains = self.law.drive.map(|drive| drive.gains);
                let has_stiffness = matches!(gains, Some(DriveGains::Soft { stiffness, .. }) if stiffness != 0.0);
                self.parts[part].compliance == 0.0 || !has_stiffness
            }
            Account::Stop | Account::Spring => false,
        };
        is_given && !self.parts[part].is_limit && self.parts[part].compliance * inertia <= STIFF
    }

    /// Share of the span that such a part needs to bring the motion to its rate with its largest force, where the rate jumps and no stop is in the way.
    pub(super) fn share_to_hold(&self, part: usize, inertia: f64) -> Option<f64> {
        self.share_with(self.impulses[part], part, inertia)
    }

    /// The same of a motor that would hold the motion without a stop ahead, where the motion does not reach that stop at the rate of the motor.
    pub(super) fn share_before_stop(&self, inertia: f64) -> Option<f64> {
        let holds = |part: &usize| self.accounts[*part] == Account::Stop && self.impulses[*part] != 0.0;
        let stop = (0..self.count).find(holds)?;
        let rate = self.parts[stop].targets[0];
        let impulses = self.solve_without_stops(rate - self.response * self.lambda);
        let is_within = |part: &usize| {
            let [low, high] = self.parts[*part].bounds;
            low < impulses[*part] && impulses[*part] < high
        };
        let part = (0..self.count).filter(is_within).find(|part| self.holds_rate(*part, inertia))?;
        self.share_with(impulses[part], part, inertia)
    }

    fn share_with(&self, impulse: f64, part: usize, inertia: f64) -> Option<f64> {
        let Part { targets: [target, _], compliance, bounds: [low, high], .. } = self.parts[part];
        let jump = (target - self.before).abs();
        let least = if compliance > 0.0 { SOFT_JUMP } else { JUMP };
        let is_far = jump > LEAST_JUMP && jump > least * target.abs().max(self.before.abs());
        let AxisParameters { lower, upper, .. } = self.law;
        let end = self.position + self.step * target;
        let is_clear =
            lower > upper || lower <= end.min(self.position) + MISSED && end.max(self.position) - MISSED <= upper;
        let by_force = impulse / if impulse > 0.0 { high } else { low };
        (is_far && is_clear).then(|| by_force.max(SOFTLY * compliance * inertia).max(AT_ONCE))
    }

    /// A stop bounces in the span.
    pub(super) fn bounces(&self) -> bool {
        self.rebound.is_some()
    }

    /// It does so with this share of its rate from now on.
    pub(super) fn bounce_less(&mut self, share: f64) {
        if let Some((part, rate)) = self.rebound {
            self.parts[part].targets = [share * rate; 2];
        }
    }

    /// Impulse of stops and friction.
    pub(super) fn impulse_of_stops(&self) -> f64 {
        let is_passive = |part: &usize| matches!(self.accounts[*part], Account::Stop | Account::Loss);
        (0..self.count).filter(is_passive).map(|part| self.impulses[part]).sum()
    }

    /// Moves the position along a way.
    pub(super) fn drift(&mut self, way: f64) {
        self.position += way;
    }

    /// Moves the position along the way that the bodies have gone, in place of the one that its rates say; what its spring takes up by that \[J\].
    pub(super) fn settle(&mut self, way: f64, gone: f64) -> f64 {
        let [expected, found] = [way, gone].map(|way| self.law.spring_energy(self.position + way));
        self.position += gone;
        found - expected
    }

    /// The rate that a motion against a rigid stop has at the end of a span, as rates are those of the ends: it rests there, or bounces.
    pub(super) fn end_rate(&self) -> Option<f64> {
        let presses = |part: usize| self.accounts[part] == Account::Stop && self.impulses[part] != 0.0;
        let part = (0..self.count).find(|part| presses(*part))?;
        let goes_against = self.before * self.impulses[part] < 0.0;
        Some(if goes_against { -self.law.bounce * self.before } else { 0.0 })
    }

    /// The rate with which a motion under soft laws ends where the span does not resolve them: between `2u − v` and the mean rate u,
    /// `v⁺ = 2u − v + s (v − u)`. The projection makes a share `S / (I + S)` of a change that is asked for, with the slope S of the laws and the inertia I, so that
    /// more is asked for. Springs, dampers and stops give the motion no energy.
    pub(super) fn settled_rate(&self, after: f64) -> Option<f64> {
        let stiffest = |best: usize, part: usize| if self.shares[part] > self.shares[best] { part } else { best };
        let part = self.yielding().reduce(stiffest).filter(|part| self.shares[*part] > 0.0)?;
        let conductance: f64 = self.yielding().map(|part| self.parts[part].compliance.recip()).sum();
        let change = 0.5 * self.shares[part] * (self.before - after) * (1.0 + self.inertia / conductance);
        let is_given = self.accounts[part] == Account::Drive;
        (is_given || change * (2.0 * after + change) < 0.0).then_some(after + change)
    }

    /// Efforts and impulses of a step for its joint; `spans` is the number of spans like the last one in it.
    pub(super) fn remember(&self, step: f64, spans: f64, own: &mut JointState) {
        let k = usize::from(self.number);
        own.efforts[k] += self.total / step;
        own.drives[k] = self.driven / step;
        own.impulses[..=k][own.row_count.min(k)..k].fill(0.0);
        own.impulses[k] = spans * self.lambda;
        own.row_count = k + 1;
    }

    /// Sees what its drive did in a step, by the rate before it, once its joint has the rate and the effort after it.
    pub(super) fn measure_drive(&self, before: f64, step: f64, own: &mut JointState) {
        measure_drive((&self.law, usize::from(self.number)), before, step, own);
    }

    /// What its spring took up in the step \[J\], with the position after it.
    pub(super) fn stored(&self, after: f64) -> f64 {
        self.law.spring_energy(after) - self.law.spring_energy(self.start)
    }

    /// A spring acts on it.
    pub(super) fn has_stiffness(&self) -> bool {
        self.law.stiffness > 0.0
    }

    /// A spring, a damper, gains or a soft stop act on it.
    pub(super) fn is_soft(&self, parameters: &WorldParameters) -> bool {
        self.gains() != [0.0; 2] || self.has_soft_stops(parameters)
    }

    fn has_soft_stops(&self, parameters: &WorldParameters) -> bool {
        self.law.lower <= self.law.upper && !self.has_rigid_stops(parameters, Rates::OfEnds)
    }

    /// Stiffness and damping of its spring and its gains.
    fn gains(&self) -> [f64; 2] {
        let AxisParameters { stiffness, damping, drive, .. } = self.law;
        match drive.map(|drive| drive.gains) {
            Some(DriveGains::Soft { stiffness: k, damping: c }) => [stiffness + k.max(0.0), damping + c.max(0.0)],
            Some(DriveGains::Rigid { .. }) | None => [stiffness, damping],
        }
    }

    /// Whether its spring, its damper and gains are resolved by a step against an inertia, and it has no soft stop.
    pub(super) fn is_resolved(&self, parameters: &WorldParameters, step: f64, inertia: f64) -> bool {
        let [stiffness, damping] = self.gains();
        !self.has_soft_stops(parameters) && AxisParameters { stiffness, damping, ..self.law }.is_resolved(step, inertia)
    }

    /// Inertia against which its spring works: that of the two bodies, which the joint holds together.
    pub(super) fn inertia(&self, model: &Model, state: &State, rows: &mut Vec<JointRow>) -> f64 {
        let mut inertia = f64::INFINITY;
        let Some(joint) = model.joints.at(self.joint as usize) else { return inertia };
        let pose = joint_pose(joint, &state.bodies);
        joint.visit_motions(&pose, state.joints[self.joint as usize].positions, |axis, motion| {
            if axis == usize::from(self.number) {
                inertia = inertia_of((model, &state.bodies), (joint, &pose), motion, self.step, rows);
            }
        });
        inertia
    }
}

/// Something acts on an axis of a joint, a force of the user within a limit of its rate too.
fn acts(law: &AxisParameters, own: &JointState, axis: usize) -> bool {
    !law.is_passive() || own.efforts[axis] != 0.0 && law.velocity_limit != f64::INFINITY
}
