//! Energy books of a step of continuous time: the work of all that acts, by quadrature of its power along the way.
//!
//! Between two states that the integrator took, the state in the middle is that of the cubic of their values and rates, and the
//! work is Simpson's, `h (P₀ + 4 Pₘ + P₁) / 6`. It differs from the trapezoid's, `h (P₀ + P₁) / 2`, by about what the trapezoid is
//! off: as much is left open, since a force that dies away within one implicit step (a stiff damper, friction that comes to
//! stick) has a power that three values do not tell. So is the share that the same rule, of the accelerations, misses of the
//! change of the velocities: of forces at the edge of what an explicit scheme bears nothing is known between its states. What the change of energy and the works differ by beyond that is made by the
//! integration.
//!
//! Springs of stops and contacts keep accounts, of each joint and each pair of shapes: what they give beyond what they took is of
//! the file where it placed them so, and made otherwise.

use glam::DVec3;

use super::super::context::Model;
use super::super::forest::NO_JOINT;
use super::super::{StepReport, wind};
use super::flow::MotionSystem;
use super::force::ContactPower;
use crate::integrators::System;
use crate::joints::AxisParameters;
use crate::model::{BodyKind, CachedPoint, ContactCache, State};

/// Share of the change of the velocities that Simpson's rule may miss on a way that it tells.
const RESOLVED: f64 = 1e-3;

/// What has an account: a joint by its slot, or two shapes by theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Account {
    Joint(u32),
    Pair([u32; 2]),
}

/// Works of a step \[J\], or powers \[W\], but for those of springs with accounts.
#[derive(Clone, Copy, Debug, Default)]
struct Works {
    /// Of users, wind, prescribed bodies and moving surfaces.
    forces: f64,
    motors: f64,
    /// Of followers that the file has off their leaders, while they close in.
    placed: f64,
    joint_loss: f64,
    contact_loss: f64,
}

/// Memory of the books.
#[derive(Clone, Debug, Default)]
pub(super) struct Books {
    times: Vec<f64>,
    /// Positions, velocities, accelerations and rates of positions of each state on the way.
    states: Vec<f64>,
    accelerations: Vec<f64>,
    rates: Vec<f64>,
    middle: [Vec<f64>; 3],
    works: Works,
    /// What quadrature leaves open \[J\].
    open: f64,
    /// Work of the spring of each, and of its force with what the damper takes of it.
    springs: Vec<(Account, [f64; 2])>,
    /// Something prescribed carries trees or holds them by joints, whose forces are not known.
    is_carried: bool,
    /// The way is as smooth as quadrature wants it.
    is_resolved: bool,
    /// Shapes may touch: what is left open is theirs, and otherwise of joints.
    has_contacts: bool,
    /// Change of the kinetic energy of armatures \[J\].
    armatures: f64,
}

impl Books {
    /// Begins a step at a state.
    pub(super) fn begin(&mut self, time: f64, q: &[f64], v: &[f64]) {
        self.times.clear();
        self.states.clear();
        self.works = Works::default();
        self.open = 0.0;
        self.is_resolved = true;
        self.springs.clear();
        self.note(time, q, v);
    }

    /// The integrator took a state.
    pub(super) fn note(&mut self, time: f64, q: &[f64], v: &[f64]) {
        self.times.push(time);
        self.states.extend_from_slice(q);
        self.states.extend_from_slice(v);
    }

    /// Sums up the works along the way.
    pub(super) fn sum_up(&mut self, flow: &mut MotionSystem) {
        self.is_carried = is_carried(flow);
        self.has_contacts = flow.touches.has_pairs() || flow.user_touches.powers().next().is_some();
        let (positions, velocities) = (flow.position_count(), flow.velocity_count());
        let n = positions + velocities;
        let count = self.times.len();
        // Armatures are no part of the mechanical energy.
        let turning = |states: &[f64], i: usize| armatures(flow, &states[i * n + positions..(i + 1) * n]);
        self.armatures = turning(&self.states, count - 1) - turning(&self.states, 0);
        if !acts(flow) {
            return;
        }
        let singularity = flow.loops.singularity();
        (flow.touches.tells_powers, flow.user_touches.tells_powers) = (true, true);
        self.accelerations.clear();
        self.accelerations.resize(count * velocities, 0.0);
        self.rates.clear();
        self.rates.resize(count * positions, 0.0);
        let mut before = 0.0;
        for i in 0..count {
            let (q, v) = self.states[i * n..(i + 1) * n].split_at(positions);
            flow.accelerations(self.times[i], q, v, &mut self.accelerations[i * velocities..(i + 1) * velocities]);
            flow.position_rates(q, v, &mut self.rates[i * positions..(i + 1) * positions]);
            let length = |k: usize| self.times.get(k + 1).map_or(0.0, |end| end - self.times[k]);
            let last = if i == 0 { 0.0 } else { length(i - 1) };
            let weight = (last + length(i)) / 6.0;
            let power = powers(flow, weight, &mut self.works, &mut self.springs);
            // Nor is what moves in the fluid.
            if i == 0 || i + 1 == count {
                let around: f64 = flow.forest.trees.iter().map(|tree| tree.kin.added_energy()).sum();
                self.armatures += if i == 0 { -around } else { around };
            }
            if i > 0 {
                self.set_middle(i - 1, positions, velocities, last);
                let [q, v, scratch] = &mut self.middle;
                flow.normalize(q);
                flow.accelerations(self.times[i - 1] + 0.5 * last, q, v, scratch);
                let middle = powers(flow, 4.0 * last / 6.0, &mut self.works, &mut self.springs);
                // Simpson's less the trapezoid's, and the share that the same rule misses of the velocities.
                let missed = self.missed(i, positions, velocities);
                self.is_resolved &= missed < RESOLVED;
                self.open += (last * (2.0 * middle - before - power) / 3.0).abs()
                    + missed * last * (before.abs() + 4.0 * middle.abs() + power.abs()) / 6.0;
            }
            before = power;
        }
        (flow.touches.tells_powers, flow.user_touches.tells_powers) = (false, false);
        flow.loops.keep_singularity(singularity);
        let Works { forces, motors, placed, joint_loss, contact_loss } = self.works;
        let is_known = [forces, motors, placed, joint_loss, contact_loss, self.open].into_iter().all(f64::is_finite)
            && self.springs.iter().all(|(_, works)| works.iter().all(|work| work.is_finite()));
        if !is_known {
            // Of what overflows nothing is told.
            self.works = Works::default();
            self.springs.clear();
            self.open = f64::INFINITY;
        }
    }

    /// Share of the accelerations on the way to a state that Simpson's rule cannot tell: `h (a₀ + 4 aₘ + a₁) / 6` should be the
    /// change of the velocities.
    fn missed(&self, i: usize, positions: usize, velocities: usize) -> f64 {
        let n = positions + velocities;
        let h = self.times[i] - self.times[i - 1];
        let (mut missed, mut all) = (0.0, 0.0);
        for k in 0..velocities {
            let a = [self.accelerations[(i - 1) * velocities + k], self.accelerations[i * velocities + k]];
            let middle = self.middle[2][k];
            let change = self.states[i * n + positions + k] - self.states[(i - 1) * n + positions + k];
            let miss = h * (a[0] + 4.0 * middle + a[1]) / 6.0 - change;
            let most = h * (a[0].abs() + 4.0 * middle.abs() + a[1].abs()) / 6.0;
            missed += miss * miss;
            all += most * most;
        }
        if all > 0.0 { (missed / all).sqrt().min(1.0) } else { 0.0 }
    }

    /// The state between two on the way, by the cubic of their values and rates.
    fn set_middle(&mut self, i: usize, positions: usize, velocities: usize, h: f64) {
        let n = positions + velocities;
        let cubic = |values: &[f64],
                     rates: &[f64],
                     [a, b]: [usize; 2],
                     [ra, rb]: [usize; 2],
                     count: usize,
                     out: &mut Vec<f64>| {
            out.clear();
            out.extend(
                (0..count).map(|k| 0.5 * (values[a + k] + values[b + k]) + 0.125 * h * (rates[ra + k] - rates[rb + k])),
            );
        };
        let [q, v, scratch] = &mut self.middle;
        let (a, b) = (i * n, (i + 1) * n);
        cubic(&self.states, &self.rates, [a, b], [i * positions, (i + 1) * positions], positions, q);
        let of_v = [i * velocities, (i + 1) * velocities];
        cubic(&self.states, &self.accelerations, [a + positions, b + positions], of_v, velocities, v);
        scratch.clear();
        scratch.resize(velocities, 0.0);
    }

    /// Tells the balance of the step, of which the change of energy is known, and keeps the accounts, those of pairs in `kept`.
    pub(super) fn close(&self, state: &mut State, kept: &mut ContactCache, report: &mut StepReport) {
        let mut cursor = 0;
        let is_first = state.steps == 0;
        let balance = &mut report.energy;
        let works = &self.works;
        balance.forces += works.forces;
        balance.motors += works.motors;
        balance.placed += works.placed;
        balance.joint_loss += works.joint_loss;
        balance.contact_loss += works.contact_loss;
        balance.stored += self.armatures;
        // A spring that the file has strained gives what its damper leaves of it; `damped` is what that seems to take.
        let mut all_damped = [0.0; 2];
        let mut given = |[work, damped]: [f64; 2], stored: &mut f64, is_placed: bool, kind: usize| {
            let back = work.min(*stored);
            *stored -= back;
            balance.stored -= back;
            if is_placed {
                let taken = (work - damped).clamp(0.0, (work - back).max(0.0));
                balance.placed += work - back - taken;
                all_damped[kind] += taken;
            }
        };
        for (account, works) in &self.springs {
            match *account {
                Account::Joint(slot) => {
                    let joint = &mut state.joints[slot as usize];
                    given(*works, &mut joint.stored, joint.placed > 0.0, 0);
                }
                Account::Pair(geoms) => {
                    let old = state.contacts.find(geoms, &mut cursor).first().copied();
                    let mut stored = old.map_or(0.0, |point| point.stored);
                    // As long as they part.
                    let is_placed = works[0] >= 0.0 && (is_first || old.is_some_and(|point| point.is_placed));
                    given(*works, &mut stored, is_placed, 1);
                    let nothing = CachedPoint {
                        feature: u32::MAX,
                        normal: 0.0,
                        friction: DVec3::ZERO,
                        stored,
                        is_placed,
                        exit_speed: 0.0,
                        behind: [false; 2],
                    };
                    kept.push(geoms, std::iter::once(nothing));
                }
            }
        }
        balance.joint_loss -= all_damped[0];
        balance.contact_loss -= all_damped[1];
        let mut left = balance.change - balance.forces - balance.motors - balance.placed
            + balance.stored
            + balance.joint_loss
            + balance.contact_loss;
        if !left.is_finite() {
            return;
        }
        // Of what it gave in all.
        let more = left.clamp(0.0, all_damped[0] + all_damped[1]);
        balance.placed += more;
        left -= more;
        if self.is_carried {
            balance.forces += left;
        } else {
            // Where steps are at the edge of what the scheme bears, it feeds a motion that dampers take off at once.
            let taken = if self.is_resolved { 0.0 } else { works.joint_loss.max(0.0) + works.contact_loss.max(0.0) };
            let open = left.clamp(-self.open, self.open + taken);
            *(if self.has_contacts { &mut balance.contact_loss } else { &mut balance.joint_loss }) -= open;
            balance.made_integration = left - open;
        }
    }
}

/// Something acts whose work is no change of energy.
fn acts(flow: &MotionSystem) -> bool {
    let Model { parameters, bodies, joints, mimics, .. } = *flow.model;
    let is_active = |p: &AxisParameters| {
        p.damping != 0.0
            || p.friction != 0.0
            || p.lower.is_finite()
            || p.upper.is_finite()
            || p.motor.max_force > 0.0
            || p.drive.is_some()
    };
    let is_pushed =
        |slot: usize| flow.state.bodies[slot].force != DVec3::ZERO || flow.state.bodies[slot].torque != DVec3::ZERO;
    flow.field.is_some()
        || flow.forest.trees.iter().any(|tree| tree.tree.has_added_inertia())
        || flow.touches.has_pairs()
        || flow.user_touches.powers().next().is_some()
        || !mimics.is_empty()
        || bodies
            .iter()
            .any(|(id, body)| is_pushed(id.slot()) || body.wind_rate > 0.0 && parameters.wind != DVec3::ZERO)
        || joints.iter().any(|(id, joint)| {
            flow.state.joints[id.slot()].forces != [0.0; 3] || joint.definition.parameters.iter().any(is_active)
        })
}

/// A body that moves by itself is joined to a tree.
fn is_carried(flow: &MotionSystem) -> bool {
    flow.model.joints.iter().any(|(_, joint)| {
        joint.definition.bodies.into_iter().flatten().any(|id| {
            let motion = &flow.state.bodies[id.slot()].motion;
            let is_kinematic = flow.model.bodies.get(id).is_some_and(|body| body.kind == BodyKind::Kinematic);
            is_kinematic && (motion.velocity != DVec3::ZERO || motion.omega != DVec3::ZERO)
        })
    })
}

/// Kinetic energy of what turns with the joints \[J\].
fn armatures(flow: &MotionSystem, v: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (tree, start) in flow.forest.trees.iter().zip(&flow.spans.dofs) {
        for (link, slot) in tree.joints.iter().enumerate().filter(|(_, slot)| **slot != NO_JOINT) {
            let Some(joint) = flow.model.joints.at(*slot as usize) else { continue };
            let span = tree.tree.dof_span(link);
            for axis in 0..span.len() {
                let rate = v[start + span.start + usize::from(tree.orders[link][axis])];
                sum += joint.definition.parameters[axis].rotor_energy(rate);
            }
        }
    }
    sum
}

/// Adds the powers at the last evaluation, times a weight; returns their sum.
fn powers(flow: &MotionSystem, weight: f64, works: &mut Works, springs: &mut Vec<(Account, [f64; 2])>) -> f64 {
    let mut here = Works::default();
    let mut spring = |account: Account, elastic: f64, damped: f64| {
        let place = springs.binary_search_by_key(&account, |(account, _)| *account);
        let place = place.unwrap_or_else(|place| {
            springs.insert(place, (account, [0.0; 2]));
            place
        });
        let [sum, sum_damped] = &mut springs[place].1;
        *sum += weight * elastic;
        *sum_damped += weight * damped;
        elastic
    };
    let mut elastic = 0.0;
    let contact = |power: ContactPower, here: &mut Works| {
        here.forces += power.driven;
        here.contact_loss += power.lost;
    };
    for (geoms, power) in flow.touches.powers() {
        elastic += spring(Account::Pair(geoms), power.elastic, power.normal);
        contact(power, &mut here);
    }
    for power in flow.user_touches.powers() {
        // What these springs take and give back is not told apart from what is lost.
        contact(ContactPower { lost: power.lost - power.elastic, ..power }, &mut here);
    }
    let Model { parameters, joints, .. } = *flow.model;
    let tolerance = parameters.compliant.stiction_tolerance;
    let mut law = |slot: u32, axis: usize, [q, rate, inertia]: [f64; 3], here: &mut Works| {
        let Some(joint) = joints.at(slot as usize) else { return };
        let p = &joint.definition.parameters[axis];
        let [user, drive] = p.driving_forces(flow.state.joints[slot as usize].forces[axis], q, rate);
        here.forces += user * rate;
        here.motors += drive * rate;
        let spring_force = -p.stiffness * (q - p.spring_reference);
        let mut lost = (spring_force - p.smooth_force(q, rate, inertia, tolerance)) * rate;
        if let Some(stop) = p.stop_force(q, rate, inertia, tolerance) {
            elastic += spring(Account::Joint(slot), stop.elastic * rate, stop.force * rate);
            lost += stop.elastic * rate;
        }
        here.joint_loss += lost;
    };
    here.forces += of_loads(flow);
    for tree in &flow.forest.trees {
        for (link, slot) in tree.joints.iter().enumerate().filter(|(_, slot)| **slot != NO_JOINT) {
            let (span, positions) = (tree.tree.dof_span(link), tree.tree.position_span(link));
            // Ball joints have no axes.
            if positions.len() != span.len() {
                continue;
            }
            for axis in 0..span.len() {
                let offset = usize::from(tree.orders[link][axis]);
                let dof = span.start + offset;
                // Without columns there is one link, and no joint.
                let root_d = tree.factor.columns()[dof].root_d;
                law(*slot, axis, [tree.q[positions.start + offset], tree.v[dof], root_d * root_d], &mut here);
            }
        }
    }
    for driven in &flow.loops.driven {
        if let (Some(slot), Some(axis)) = (driven.held.joint, driven.held.axis) {
            law(slot, usize::from(axis), driven.state, &mut here);
        }
    }
    let (motors, placed) = of_rows(flow);
    here.motors += motors;
    here.placed += placed;
    let total = here.forces + here.motors + here.placed - here.joint_loss - here.contact_loss + elastic;
    works.forces += weight * here.forces;
    works.motors += weight * here.motors;
    works.placed += weight * here.placed;
    works.joint_loss += weight * here.joint_loss;
    works.contact_loss += weight * here.contact_loss;
    total
}

/// Power of the users' forces, of the field and of wind.
fn of_loads(flow: &MotionSystem) -> f64 {
    let mut sum = flow.field_power;
    for tree in &flow.forest.trees {
        let origin = tree.kin.origin();
        for (link, slot) in tree.bodies.iter().enumerate() {
            let state = &flow.state.bodies[*slot as usize];
            let Some(body) = flow.model.bodies.at(*slot as usize) else { continue };
            let is_in_wind = body.wind_rate > 0.0;
            if state.force != DVec3::ZERO || state.torque != DVec3::ZERO || is_in_wind {
                let twist = tree.kin.twists()[link];
                let velocity = twist.point(tree.kin.poses()[link].point(body.mass.center) - origin);
                let mut force = state.force;
                if is_in_wind {
                    force += wind::force(flow.model.parameters, body, f64::INFINITY, velocity);
                }
                sum += force.dot(velocity) + state.torque.dot(twist.angular());
            }
        }
    }
    sum
}

/// Power of motors, and of followers that the file has off their leaders. What rows of loops do by their drift is an error.
fn of_rows(flow: &MotionSystem) -> (f64, f64) {
    let (mut motors, mut placed) = (0.0, 0.0);
    let mut followers = flow.model.mimics.iter();
    for (held, power) in flow.loops.row_powers() {
        match (held.joint, held.axis) {
            (Some(_), Some(_)) => motors += power,
            (Some(_), None) => {}
            (None, _) => {
                let follower = followers.next().map(|mimic| mimic.follower.0.slot());
                if follower.is_some_and(|slot| flow.state.joints[slot].placed > 0.0) {
                    placed += power;
                }
            }
        }
    }
    (motors, placed)
}
