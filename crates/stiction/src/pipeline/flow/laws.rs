//! Laws of the axes of trees that nothing touches: motors, drives, friction, springs, dampers and stops.
//!
//! A law is a monotone graph of pieces that are lines. The trees are solved with a line for each axis; then each axis goes to the piece on which its
//! graph meets the response of its motion through the solution, until all stay where they are (the primal-dual active sets of Hintermüller, Ito and
//! Kunisch, SIAM J. Optim. 13, 2003). Where they do not soon, one axis at a time changes, the first of them (Murty's rule of the least index).

mod jams;

use glam::{DQuat, DVec3};

use super::super::axes::{Axis, Rates, Span};
use super::super::bytes;
use super::super::substeps::FASTEST_PUSH;
use super::FlowingWorld;
use super::groups::{get, get_rotation, motion_of};
use crate::joints::JointRow;
use crate::model::WorldParameters;
use crate::solvers::soft::{EndOfPart, Loops, Mobilizer, MotionLaws, MovingLink, Projected, TreeLink, WidthOfLanes};

/// Slope of a motion that is held, by the inertia that it has at least.
const HELD: f64 = 1e20;
/// Share of the answer with all else at rest below which two solutions tell of rounding.
const STIFFEST: f64 = 0.5;
/// Impulses that are rounding, beside the momenta of which they are the difference.
const ROUNDED: f64 = 1024.0 * f64::EPSILON;
/// How far from the rate that it held a law that gives way is solved \[m/s or rad/s\].
const BESIDE: f64 = 1e-9;
/// By how much more a motion may answer as what carries it gives way: an answer that is too large only makes more laws hold theirs for a change.
const GIVES: f64 = 4.0;
/// Changes in which all axes take part.
const TOGETHER: usize = 10;
const MOST_LANES: usize = WidthOfLanes::MOST;

/// A law of an axis in its place.
struct LawOfMotion {
    axis: Axis,
    link: u32,
    motion: u8,
    lane: u8,
    world: u32,
    /// What the motion would answer to a unit impulse if the joint held its two bodies in nothing else, and whether it is known to answer no more.
    response: f64,
    is_bound: bool,
    /// Inertia against which its spring works, once it is known, and that of the motion in the last solution.
    inertia: Option<f64>,
    moved: f64,
    /// Rate before the step, and mean effort in the last part.
    first: f64,
    effort: f64,
    /// Its tree has no part left, or does not find its lines again; its motor gave way in some part, in a loop that jams or is at a dead point.
    is_over: bool,
    has_given_way: bool,
    /// Its motor does not hold the motion where joints close at the end of the part.
    has_let_go: bool,
    /// Its rate after the part, and by how much that is to change as the motion settles.
    after: f64,
    settling: f64,
    /// Position at the start of the part by the poses of the bodies, and whether it is an angle; of motions with springs.
    measured: Option<f64>,
    is_angle: bool,
    line: Line,
    /// Rate and impulse of the last solution of the part, and how the motion answered where nothing else changed.
    last: Option<[f64; 2]>,
    answer: Option<f64>,
    has_changed: bool,
}

/// A line of a law.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// Where the parts of the law are, two bits each.
    pieces: u32,
    slope: f64,
    impulse: f64,
    is_held: bool,
}

impl Line {
    /// Where a part is: 0 at its low bound, 1 on its slope, 2 at its target, 3 at its high bound.
    const fn piece(&self, part: usize) -> u32 {
        self.pieces >> (2 * part) & 3
    }

    /// That of a law where it has been solved, with the rate there.
    fn at(axis: &Axis, rate: f64, response: f64) -> Self {
        let (mut own, before) = (Self::default(), axis.before);
        for (i, (part, impulse)) in axis.parts().iter().zip(axis.impulses).enumerate() {
            let (target, [low, high]) = (part.targets[0], part.bounds);
            let is_inside = low < impulse && impulse < high;
            if is_inside && part.compliance > 0.0 {
                own.pieces |= 1 << (2 * i);
                own.slope += part.compliance.recip();
                own.impulse += (target + before) / part.compliance;
            } else if is_inside && rate == target {
                own.pieces |= 2 << (2 * i);
                own.is_held = true;
            } else {
                own.pieces |= if impulse >= high { 3 << (2 * i) } else { 0 };
                own.impulse += impulse;
            }
        }
        if own.is_held {
            own.slope = HELD / response;
            own.impulse = own.slope * (rate + before);
        }
        own
    }
}

/// The laws of a group of trees.
#[derive(Default)]
pub(super) struct Laws {
    laws: Vec<LawOfMotion>,
    rows: Vec<JointRow>,
    /// By lane: changes in the present part, whether some law was on another line at the last solution, and parts in which they did not settle. Laws that
    /// have settled stay as they are, whatever those of other lanes do.
    changes: [usize; MOST_LANES],
    has_changed: [bool; MOST_LANES],
    unsettled: [u32; MOST_LANES],
    /// By lane: some motion settles at the end of the part.
    settles: [bool; MOST_LANES],
    /// By lane: how fast links of loops turn as the step begins, at most \[rad/s\].
    fastest: [f64; MOST_LANES],
}

/// The laws of a group in a step.
pub(super) struct LawsInStep<'a> {
    pub(super) laws: &'a mut Laws,
    pub(super) worlds: &'a [FlowingWorld<'a>],
}

impl Laws {
    /// Memory \[B\].
    pub(super) fn bytes(&self) -> usize {
        bytes(&self.laws)
    }

    /// Reads the laws of trees for a step, by lane.
    pub(super) fn read(&mut self, worlds: &[FlowingWorld], trees: impl Iterator<Item = [u32; 2]>, step: f64) {
        self.laws.clear();
        self.unsettled = [0; MOST_LANES];
        for (lane, [world, tree]) in trees.enumerate() {
            let FlowingWorld { model, state, flows, .. } = &worlds[world as usize];
            let Some(template) = &flows.templates[tree as usize] else { continue };
            if template.has_loops() {
                let spins = template.bodies().iter().map(|link| state.bodies[link.slot as usize].motion.omega);
                self.fastest[lane] = spins.map(DVec3::length).fold(0.0, f64::max);
            }
            let warm = if model.parameters.warm_start && state.last_step > 0.0 { step / state.last_step } else { 0.0 };
            for (number, link) in template.links.iter().enumerate().filter(|(_, link)| link.mobilizer.has_axes()) {
                Axis::each(model, state, link.joint, link.mobilizer.dofs(), (step, warm), |axis| {
                    self.laws.push(LawOfMotion {
                        link: number as u32,
                        motion: axis.number,
                        lane: lane as u8,
                        world,
                        response: link.responses[usize::from(axis.number)],
                        is_bound: link.is_response_bound,
                        inertia: None,
                        moved: 0.0,
                        effort: axis.lambda / step,
                        is_over: false,
                        has_given_way: false,
                        has_let_go: false,
                        after: 0.0,
                        settling: 0.0,
                        first: state.joints[link.joint as usize].rates[usize::from(axis.number)],
                        measured: axis.has_stiffness().then_some(0.0),
                        is_angle: !link.mobilizer.is_slide(usize::from(axis.number)),
                        line: Line::default(),
                        last: None,
                        answer: None,
                        has_changed: false,
                        axis,
                    });
                });
            }
        }
    }

    /// Efforts and impulses for the joints, and the works of the axes, once the joints have their positions.
    pub(super) fn remember(&self, worlds: &mut [FlowingWorld], step: f64) {
        let mut lanes = 0;
        for LawOfMotion { axis, first, lane, world, has_given_way, .. } in &self.laws {
            let FlowingWorld { model, state, report, .. } = &mut worlds[*world as usize];
            // Laws are in the order of lanes.
            if lanes <= *lane {
                lanes = lane + 1;
                report.unsettled_laws += self.unsettled[usize::from(*lane)];
            }
            let own = &mut state.joints[axis.joint as usize];
            axis.remember(step, step / axis.step(), own);
            axis.measure_drive(*first, step, own);
            if *has_given_way {
                report.overruled = model.joints.handle_at(axis.joint as usize);
            }
            report.energy.motors += axis.work;
            report.energy.joint_loss += axis.loss;
            report.note_spring(model.joints.handle_at(axis.joint as usize), axis.taken);
        }
    }
}

/// The inertia of a motion while what carries it is at rest, the impulse that held it in the last solution, and what is rounding beside that.
fn held<const W: usize>(link: &TreeLink<W>, k: usize, lane: usize) -> [f64; 3] {
    let (mut inertia, mut transmitted, mut size) = (link.added[k][lane], 0.0, 0.0);
    for e in 0..6 {
        let pushed = link.pushed[k][e][lane];
        inertia += pushed * link.motions[k][e][lane];
        transmitted += pushed * link.velocity()[e][lane];
        size += (pushed * link.velocity()[e][lane]).abs();
    }
    let rotor = link.added[k][lane] * link.rates[k][lane];
    [inertia, transmitted + rotor - link.along[k][lane] - link.carried[k][lane], ROUNDED * size]
}

impl LawOfMotion {
    /// The part of its law that holds a rate, as a motor does. It follows from the line and the solution alone, so that it does not depend on other lanes.
    fn holding(&self) -> Option<usize> {
        let is_within = |part: &usize| matches!(self.line.piece(*part), 1 | 2);
        (0..self.axis.parts().len()).find(|part| is_within(part) && self.axis.holds_rate(*part, self.moved))
    }

    /// Share of the part of the step that this needs, where the rate jumps.
    fn share_to_hold(&self, holding: Option<usize>) -> Option<f64> {
        match holding {
            Some(part) => self.axis.share_to_hold(part, self.moved),
            None => self.axis.share_before_stop(self.moved),
        }
    }

    /// It holds the motion with an impulse that differs only by rounding from the bound at which it would give way.
    fn keeps(&self, impulse: f64, rounding: f64) -> bool {
        self.line.is_held && (self.axis.lambda - impulse).abs() <= rounding
    }

    /// Goes from the rate at which it holds the motion, with its largest or least impulse there, to the next line of its graph.
    fn pass_edge(&mut self, is_upward: bool) {
        let rate = self.held_rate();
        let beside = BESIDE * (1.0 + rate.abs()) * if is_upward { -1.0 } else { 1.0 };
        let impulse = self.axis.edge(rate, is_upward);
        let found = self.axis.solve(0, rate + beside - self.response * impulse, self.response);
        self.line = Line::at(&self.axis, found, self.response);
    }

    /// Its motor without a limit exerts an impulse in this part, whatever the rate.
    fn give_way(&mut self, is_upward: bool, impulse: f64) {
        let rate = self.held_rate();
        if let Some(motor) = self.axis.endless_motor(rate, is_upward) {
            self.axis.exert(motor, impulse);
            let found = self.axis.solve(0, rate, self.response);
            self.line = Line::at(&self.axis, found, self.response);
            self.has_given_way = true;
        }
    }

    /// The first part of its law that is at its target, and the rate at which that holds the motion.
    fn at_target(&self) -> usize {
        (0..self.axis.parts().len()).find(|part| self.line.piece(*part) == 2).unwrap_or(0)
    }

    fn held_rate(&self) -> f64 {
        self.axis.parts().get(self.at_target()).map_or(0.0, |part| part.targets[0])
    }

    /// How the motion answers in its tree, by two solutions; no less than if nothing but itself gave way.
    fn secant(&self, now: [f64; 2], least: f64) -> Option<f64> {
        let last = self.last?;
        let response = (now[0] - last[0]) / (now[1] - last[1]);
        (response.is_finite() && response > least).then_some(response)
    }
}

/// Position of a motion but for a constant, by the poses of the bodies: an angle within a turn, or the way of a slider.
fn measured_position<const W: usize>(bodies: &[MovingLink<W>], link: u32, motion: u8, lane: usize) -> f64 {
    let body = &bodies[link as usize];
    let [own, other] = [Some(body), bodies.get(body.carrier as usize)].map(|body| {
        body.map_or((DVec3::ZERO, DQuat::IDENTITY, DQuat::IDENTITY), |body| {
            let motion = motion_of(body, lane);
            (motion.position, motion.rotation, get_rotation(&body.principal, lane))
        })
    });
    let of_carrier = other.2 * get(&body.axes[0], lane);
    if body.mobilizer.is_slide(usize::from(motion)) {
        let way = own.0 + own.1 * (own.2 * get(&body.anchors[1], lane))
            - other.0
            - other.1 * (other.2 * get(&body.anchors[0], lane));
        let along = match (body.mobilizer, motion) {
            (Mobilizer::Slider | Mobilizer::Piston, _) => other.1 * of_carrier,
            (Mobilizer::Planar, 1) => other.1 * of_carrier.cross(other.2 * get(&body.slide, lane)),
            _ if body.mobilizer.slides_with_link() => own.1 * (own.2 * get(&body.slide, lane)),
            _ => other.1 * (other.2 * get(&body.slide, lane)),
        };
        return along.dot(way);
    }
    // From where the joint holds it to where it is, in the frame of what carries it: a turn about that axis after one about its own.
    let held = get_rotation(&body.relative, lane);
    let turn = other.1.conjugate() * own.1 * held.conjugate();
    let of_own = held * (own.2 * get(&body.axes[1], lane));
    if !body.mobilizer.turns_about_two() {
        2.0 * libm::atan2(of_carrier.dot(turn.xyz()), turn.w)
    } else if (motion == 1) == body.mobilizer.begins_with_link() {
        angle_about(of_carrier, of_own, turn * of_own)
    } else {
        angle_about(of_own, turn.conjugate() * of_carrier, of_carrier)
    }
}

/// Angle about an axis from one direction to another.
fn angle_about(axis: DVec3, from: DVec3, to: DVec3) -> f64 {
    libm::atan2(axis.dot(from.cross(to)), from.dot(to) - axis.dot(from) * axis.dot(to))
}

/// The same way by an angle of at most half a turn.
fn shortest(way: f64, is_angle: bool) -> f64 {
    let turn = std::f64::consts::TAU;
    if is_angle { way - turn * (way / turn).round() } else { way }
}

/// What the laws of a part are made for.
fn span(parameters: &WorldParameters, step: f64, left: f64) -> Span<'_> {
    let push = FASTEST_PUSH.min(parameters.contact_max_correcting_velocity);
    Span { parameters, step, left, bias_rate: None, push, rates: Rates::OfEnds }
}

impl LawsInStep<'_> {
    fn write<const W: usize>(law: &LawOfMotion, links: &mut [TreeLink<W>]) {
        let (link, k, lane) = (&mut links[law.link as usize], usize::from(law.motion), usize::from(law.lane));
        link.slopes[k][lane] = law.line.slope;
        link.impulses[k][lane] = law.line.impulse;
    }
}

impl<const W: usize> MotionLaws<W> for LawsInStep<'_> {
    fn is_empty(&self) -> bool {
        self.laws.laws.is_empty()
    }

    fn begin_parts(
        &mut self,
        links: &mut [TreeLink<W>],
        bodies: &[MovingLink<W>],
        (part, left): (&[f64; W], &[f64; W]),
    ) {
        let Laws { laws, rows, changes, has_changed, .. } = &mut *self.laws;
        (*changes, *has_changed) = ([0; MOST_LANES], [true; MOST_LANES]);
        for law in laws {
            let (k, lane) = (usize::from(law.motion), usize::from(law.lane));
            law.is_over = part[lane] <= 0.0;
            if law.is_over {
                continue;
            }
            let FlowingWorld { model, state, .. } = &self.worlds[law.world as usize];
            let axis = &mut law.axis;
            let lambda = law.effort * part[lane];
            axis.before = bodies[law.link as usize].rates[k][lane];
            if law.measured.is_some() {
                law.measured = Some(measured_position(bodies, law.link, law.motion, lane));
            }
            let least = law.response.recip();
            let is_known = law.is_bound && axis.is_resolved(model.parameters, part[lane], least);
            let inertia = if is_known || !axis.is_soft(model.parameters) {
                least
            } else {
                *law.inertia.get_or_insert_with(|| axis.inertia(model, state, rows))
            };
            axis.lay(&span(model.parameters, part[lane], left[lane]), inertia, rows);
            (law.last, law.answer, law.has_changed, law.has_let_go) = (None, None, false, false);
            let rate = axis.solve(0, axis.before - law.response * lambda, law.response);
            law.line = Line::at(axis, rate, law.response);
            Self::write(law, links);
        }
    }

    fn begin_again(&mut self, links: &mut [TreeLink<W>], is_asked: &[f64; W]) {
        (self.laws.changes, self.laws.has_changed) = ([0; MOST_LANES], [true; MOST_LANES]);
        for law in &mut self.laws.laws {
            Self::write(law, links);
            law.is_over |= is_asked[usize::from(law.lane)] <= 0.0;
        }
    }

    fn update_lines(&mut self, links: &mut [TreeLink<W>], bodies: &mut [MovingLink<W>], loops: &mut Loops<W>) -> bool {
        let asked = self.laws.has_changed;
        let is_jammed: [bool; W] =
            std::array::from_fn(|lane| asked[lane] && self.give_way_in_loops(links, bodies, loops, lane));
        let Laws { laws, changes, has_changed, .. } = &mut *self.laws;
        let is_asked: [bool; W] = std::array::from_fn(|lane| asked[lane] && !is_jammed[lane]);
        for lane in (0..W).filter(|lane| is_asked[*lane]) {
            bodies.iter_mut().for_each(|body| body.driven[lane] = 0.0);
        }
        *has_changed = [false; MOST_LANES];
        has_changed[..W].copy_from_slice(&is_jammed);
        for law in laws.iter_mut().filter(|law| !law.is_over && is_asked[usize::from(law.lane)]) {
            let (k, lane) = (usize::from(law.motion), usize::from(law.lane));
            let changes = changes[lane];
            let link = &links[law.link as usize];
            let sum = link.rates[k][lane];
            let [inertia, held, rounding] = held(link, k, lane);
            let lambda = if law.line.is_held { held } else { law.line.impulse - law.line.slope * sum };
            let rate = sum - law.axis.before;
            law.moved = inertia;
            // In a loop a motion may answer less than with all else at rest.
            let least = if loops.is_empty() { STIFFEST / inertia } else { 0.0 };
            let secant = law.secant([rate, lambda], least);
            if changes > TOGETHER && law.has_changed {
                law.answer = secant.or(law.answer);
            }
            let known = if changes > TOGETHER { law.answer } else { secant };
            let response = known.unwrap_or(law.response.max(GIVES / inertia));
            (law.last, law.has_changed) = (Some([rate, lambda]), false);
            bodies[law.link as usize].driven[lane] += lambda * lambda * law.response;
            law.axis.add_missed_stop(0.5 * law.axis.step() * sum);
            let rate = law.axis.solve(0, rate - response * lambda, response);
            let line = Line::at(&law.axis, rate, law.response);
            let is_other = line.pieces != law.line.pieces && !law.keeps(lambda, rounding);
            if is_other && !(has_changed[lane] && changes >= TOGETHER) {
                has_changed[lane] = true;
                (law.line, law.has_changed) = (line, true);
            }
            Self::write(law, links);
        }
        changes.iter_mut().for_each(|changes| *changes += 1);
        has_changed.contains(&true)
    }

    fn shares_to_hold(&self) -> [f64; W] {
        let mut shares = [1.0; W];
        for law in self.laws.laws.iter().filter(|law| !law.is_over) {
            let share = &mut shares[usize::from(law.lane)];
            *share = law.share_to_hold(law.holding()).map_or(*share, |own| own.min(*share));
        }
        shares
    }

    fn note_unsettled(&mut self) {
        for (unsettled, has_changed) in self.laws.unsettled.iter_mut().zip(self.laws.has_changed) {
            *unsettled += u32::from(has_changed);
        }
    }

    fn let_go(
        &mut self,
        links: &mut [TreeLink<W>],
        bodies: &mut [MovingLink<W>],
        is_asked: &[f64; W],
        projected: Projected,
    ) -> bool {
        self.let_go_at_dead_points(links, bodies, is_asked, projected)
    }

    fn book_projection(&mut self, links: &[TreeLink<W>], left: &[f64; W]) -> [f64; W] {
        let mut works = [0.0; W];
        let Laws { laws, settles, .. } = &mut *self.laws;
        for law in laws.iter_mut().filter(|law| left[usize::from(law.lane)] > 0.0) {
            let (k, lane) = (usize::from(law.motion), usize::from(law.lane));
            if settles[lane] && !law.line.is_held && law.line.slope > 0.0 {
                // Of the change that was asked, this was taken.
                let moved = links[law.link as usize].rates[k][lane];
                let mean = law.after + 0.5 * (law.settling - moved);
                works[lane] += law.axis.sum_up_settling(law.line.slope * moved, mean);
            }
            // A stop may hold the motion while a soft motor is at its rate.
            let is_at = |part: &usize| law.line.piece(*part) == 2 && !law.has_let_go;
            if let Some(part) = law.holding().filter(is_at) {
                let [_, impulse, _] = held(&links[law.link as usize], k, lane);
                works[lane] += law.axis.sum_up_projection(part, -impulse);
            }
        }
        works
    }

    fn end_parts(&mut self, bodies: &mut [MovingLink<W>], (part, left): (&[f64; W], &[f64; W])) -> EndOfPart<W> {
        bodies.iter_mut().for_each(|body| body.held = [[0.0; W]; 3]);
        let mut ends = EndOfPart::NONE;
        let Laws { laws, settles, .. } = &mut *self.laws;
        *settles = [false; MOST_LANES];
        for law in laws {
            let (k, lane) = (usize::from(law.motion), usize::from(law.lane));
            if left[lane] <= 0.0 {
                continue;
            }
            let holding = law.holding();
            // The force of a jump tells nothing of the next part.
            law.effort = if law.share_to_hold(holding).is_some() { 0.0 } else { law.axis.lambda / part[lane] };
            let axis = &mut law.axis;
            axis.response = law.response;
            let after = bodies[law.link as usize].rates[k][lane];
            ends.taken[lane] += axis.sum_up(after, Rates::OfEnds);
            let way = 0.5 * part[lane] * (axis.before + after);
            if let Some(last) = law.measured {
                let now = measured_position(bodies, law.link, law.motion, lane);
                ends.stored[lane] += axis.settle(way, way + shortest(now - last - way, law.is_angle));
            } else {
                axis.drift(way);
            }
            let body = &mut bodies[law.link as usize];
            (law.after, law.settling) = (after, 0.0);
            let is_driving = holding.is_some_and(|part| axis.parts()[part].targets[0] != 0.0);
            if let Some(rate) = axis.end_rate() {
                body.held[k][lane] = 1.0;
                body.rates[k][lane] = rate;
                ends.stopped[lane] += if rate == after { 0.0 } else { 1.0 };
            } else if let Some(rate) = axis.settled_rate(after).filter(|_| !law.line.is_held) {
                body.held[k][lane] = 1.0;
                body.rates[k][lane] = rate;
                (law.settling, settles[lane]) = (rate - after, true);
                ends.driven[lane] += if is_driving { 1.0 } else { 0.0 };
            } else {
                body.held[k][lane] = if law.line.is_held && !law.has_let_go { 1.0 } else { 0.0 };
                ends.driven[lane] += if is_driving { 1.0 } else { 0.0 };
            }
        }
        ends
    }
}
