//! Loops of trees are closed at the end of their flow, as in RATTLE (Andersen, "Rattle: a velocity version of the Shake algorithm", 1983):
//! impulses where the flow began close the gaps g of the joints that the spanning trees leave over, `v ← v − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ g / h`, and at
//! the end the velocities are projected, `v ← v − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J v`: energy is kept to second order. What is left of the gaps is closed in
//! positions alone by Newton's method, `q ← q − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ g`, as the links keep their velocities as far as the joints of their trees
//! allow: rates that stayed would make energy. Joints of soft rows keep their compliance: they are left as the rows left them.
//!
//! A step in which the trees of a loop turn far is divided into parts. Each moves the trees and closes the loops.

use std::ops::Range;

use glam::DVec3;

use super::context::Model;
use super::forest::{Articulation, Forest};
use super::islands::NONE;
use super::joint_rows::EmittedJoint;
use super::parts::Parts;
use super::tree_motion::TreeFlow;
use super::turning::rate;
use super::{StepReport, Workspace};
use crate::base::Arena;
use crate::constraint::{Problem, Row, RowKind};
use crate::dynamics::rigid::RigidMotion;
use crate::dynamics::rotation::exponential;
use crate::joints::{Joint, JointContext, JointDefinition, JointRow};
use crate::model::{Bodies, JointState, State, joint_pose, update_positions};
use crate::solvers::SemidefiniteSystem;

/// Position errors below this are closed \[m or rad\].
const CLOSED: f64 = 1e-12;
/// Share of the gaps at the end of a flow that impulses at its start may leave.
const GAP_LEFT: f64 = 1e-4;
/// Most energy of these impulses, as a share of the kinetic energy: that of a small turn is its square.
const MOST_ENERGY: f64 = 0.02;
/// Rounds of Newton's method; two do from a step's drift.
const ROUNDS: usize = 4;
/// A pivot this much smaller than its row's own is a row that others imply: in velocities by rounding. Gaps are not closed along a direction in which the
/// mechanism moves by less than a hundredth of what the row does: what is not of one piece in the file would be turned far to close a little.
const IMPLIED: f64 = 1e-9;
const HARDLY_CLOSES: f64 = 1e-4;

/// Memory of the projection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Closure {
    joints: Vec<u32>,
    /// Trees that they are on, and dynamic bodies that are no links of trees.
    trees: Vec<u32>,
    lone: Vec<u32>,
    rows: Vec<JointRow>,
    /// First row of each joint, and the end.
    starts: Vec<usize>,
    parts: Vec<Parts>,
    matrix: Vec<f64>,
    system: SemidefiniteSystem,
    x: Vec<f64>,
    /// Whitened change of every clique.
    change: Vec<f64>,
    /// Sum of the changes at the start of a flow, and the kinetic energy that the trees had there \[J\].
    given: Vec<f64>,
    energy: f64,
}

/// Way of a dof \[rad or m\] in a part of a step.
const RESOLVED: f64 = 0.25;
/// Most parts of a step.
const MOST_PARTS: f64 = 16.0;

/// Takes the number of parts in which the trees of loops move through the step.
pub(super) fn divide(model: &Model, step: f64, state: &mut State, work: &mut Workspace) {
    let turns_far = |tree: &Articulation| tree.is_awake && tree.flow.is_in_loop && step * tree.flow.rate() > RESOLVED;
    if !work.forest.trees.iter().any(turns_far) {
        return;
    }
    each(model.joints, state, work, |closure, state, work| {
        let mut rate = 0.0f64;
        closure.each_tree(&mut work.forest, |tree| rate = tree.flow.rate().max(rate));
        let parts = (step * rate / RESOLVED).ceil().clamp(1.0, MOST_PARTS) as u32;
        if parts > 1 && closure.are_on_bases_at_rest(model, work, state) {
            closure.each_tree(&mut work.forest, |tree| tree.flow.loop_parts = parts);
        }
    });
}

/// Closes the loops of every island that has a tree, at the end of each part of the step.
pub(super) fn project(model: &Model, step: f64, state: &mut State, work: &mut Workspace, report: &mut StepReport) {
    let Model { bodies, joints, .. } = *model;
    each(joints, state, work, |closure, state, work| {
        let own = || closure.trees.iter().map(|tree| &work.forest.trees[*tree as usize].flow);
        let flows = own().any(TreeFlow::is_conserving);
        let parts = own().map(|flow| flow.loop_parts).max().unwrap_or(1);
        let size = step / f64::from(parts);
        for part in 0..parts {
            if part > 0 {
                closure.each_tree(&mut work.forest, |tree| tree.flow_for(size, bodies, state, report));
            }
            if flows && closure.can_flow_again(size, model, state, work) {
                closure.close_by_impulses(size, bodies, joints, (state, work), report);
            }
            if flows {
                closure.each_tree(&mut work.forest, |tree| tree.note_motion(state));
            }
            let has_moved = closure.close(bodies, joints, state, work, report);
            if flows && has_moved {
                closure.each_tree(&mut work.forest, |tree| tree.keep_motion(bodies, state, report));
            }
            if flows {
                closure.settle(bodies, joints, state, work, report);
            }
        }
    });
}

/// Visits what closes the loops of every island that has a tree.
fn each(
    joints: &Arena<Joint>,
    state: &mut State,
    work: &mut Workspace,
    mut visit: impl FnMut(&mut Closure, &mut State, &mut Workspace),
) {
    if work.forest.trees.is_empty() {
        return;
    }
    let mut closure = std::mem::take(&mut work.closure);
    for number in 0..work.problems.len() {
        let mut next = 0;
        for island in work.problems[number].islands.clone() {
            let count = work.islands.joints_of(island..island + 1).len();
            closure.find(joints, state, (number, next..next + count), work);
            next += count;
            visit(&mut closure, state, work);
        }
    }
    work.closure = closure;
}

/// The rows that hold a joint give way: by more than the world's softening against singular problems does.
fn has_soft_rows(joint: &Joint, emitted: &EmittedJoint, problem: &Problem) -> bool {
    let count = (emitted.rows[1] - emitted.rows[0]) as usize;
    let rows = &problem.rows[emitted.first_row as usize..emitted.first_row as usize + count];
    are_soft(joint, rows)
}

/// The rows that hold a joint give way, by their compliance relative to the largest diagonal among them: the diagonal of a single row depends on how the
/// axes of the world lie.
pub(super) fn are_soft(joint: &Joint, rows: &[Row]) -> bool {
    let least = if joint.definition.cfm.is_some() { 1e-6 } else { 1e-3 };
    let holding = || rows.iter().filter(|row| row.kind == RowKind::Joint);
    let largest = holding().fold(0.0, |largest: f64, row| row.diagonal.max(largest));
    holding().any(|row| row.compliance > least * largest)
}

fn is_awake(work: &Workspace, slot: usize) -> bool {
    work.forest.of_body[slot].is_some_and(|m| work.forest.trees[m.tree as usize].is_pushed)
}

/// Closes the loops of the given joints, of which all trees are in the problem.
pub(super) fn project_joints(
    slots: &[u32],
    bodies: &Bodies,
    joints: &Arena<Joint>,
    state: &mut State,
    work: &mut Workspace,
    report: &mut StepReport,
) {
    let mut closure = std::mem::take(&mut work.closure);
    closure.joints.clear();
    closure.joints.extend_from_slice(slots);
    closure.find_moved(joints, work);
    closure.close(bodies, joints, state, work, report);
    work.closure = closure;
}

impl Closure {
    /// Finds the joints that close loops among some of those of a problem, and their trees.
    fn find(&mut self, joints: &Arena<Joint>, state: &State, (number, range): (usize, Range<usize>), work: &Workspace) {
        let own = &work.problems[number];
        self.joints.clear();
        for emitted in &own.joints[range] {
            let Some(joint) = joints.at(emitted.slot as usize) else { continue };
            let is_awake = joint.definition.bodies.iter().flatten().any(|b| is_awake(work, b.slot()));
            let closes = work.forest.of_joint[emitted.slot as usize].is_none();
            let is_led = state.joints[emitted.slot as usize].is_led;
            if closes && is_awake && !is_led && !has_soft_rows(joint, emitted, &own.problem) {
                self.joints.push(emitted.slot);
            }
        }
        self.find_moved(joints, work);
    }

    /// The joints hold nothing but trees and bodies at rest, and the bases of the trees are at rest.
    fn are_on_bases_at_rest(&self, model: &Model, work: &Workspace, state: &State) -> bool {
        let of_joint = |slot: &u32| model.joints.at(*slot as usize).map(|joint| joint.definition.bodies);
        let bodies = self.joints.iter().filter_map(of_joint).flatten().flatten();
        let is_at_rest = |slot: usize| {
            let RigidMotion { velocity, omega, .. } = state.bodies[slot].motion;
            velocity == DVec3::ZERO && omega == DVec3::ZERO
        };
        let bases = self.trees.iter().filter_map(|tree| work.forest.trees[*tree as usize].base);
        bodies.into_iter().all(|body| work.forest.of_body[body.slot()].is_some() || is_at_rest(body.slot()))
            && bases.into_iter().all(|slot| is_at_rest(slot as usize))
    }

    fn each_tree(&self, forest: &mut Forest, mut visit: impl FnMut(&mut Articulation)) {
        self.trees.iter().for_each(|tree| visit(&mut forest.trees[*tree as usize]));
    }

    /// What the joints move: trees, and bodies that are in none.
    fn find_moved(&mut self, joints: &Arena<Joint>, work: &Workspace) {
        let Self { joints: slots, trees, lone, .. } = self;
        let Workspace { forest, views, .. } = work;
        trees.clear();
        lone.clear();
        for joint in slots.iter().filter_map(|slot| joints.at(*slot as usize)) {
            let JointDefinition { bodies: [first, second], reference, .. } = joint.definition;
            for slot in [first, second, reference].into_iter().flatten().map(|body| body.slot()) {
                match forest.of_body[slot] {
                    Some(member) if forest.trees[member.tree as usize].is_pushed => trees.push(member.tree),
                    Some(_) => {}
                    None if views[slot].whitening.is_some() && views[slot].clique != NONE => lone.push(slot as u32),
                    None => {}
                }
            }
        }
        for list in [trees, lone] {
            list.sort_unstable();
            list.dedup();
        }
    }

    /// The flow can begin again with other velocities: nothing but velocities moves the trees, on bases at rest, and they move little in a part of
    /// the step. Where they turn further, an impulse at the start that closes a gap at the end may give any energy.
    fn can_flow_again(&self, step: f64, model: &Model, state: &State, work: &mut Workspace) -> bool {
        let Workspace { forest, cliques, velocities, .. } = &mut *work;
        let (mut rate, mut is_displaced) = (0.0f64, false);
        self.each_tree(forest, |tree| {
            rate = tree.z_free.iter().fold(rate, |most, v| v.abs().max(most));
            is_displaced |= tree.is_displaced(cliques, velocities);
        });
        step * rate <= 2.0 * RESOLVED && !is_displaced && self.are_on_bases_at_rest(model, work, state)
    }

    /// Gives the joints the impulses at the start of the flow that close their gaps at its end, but for [`GAP_LEFT`] of them:
    /// `v ← v − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ g / h` where the flow began, and the flow again. Where the trees turn too far for that, or a pose is nearly
    /// singular, their gaps are closed in positions alone.
    fn close_by_impulses(
        &mut self,
        step: f64,
        bodies: &Bodies,
        joints: &Arena<Joint>,
        (state, work): (&mut State, &mut Workspace),
        report: &mut StepReport,
    ) {
        let first = self.measure(joints, state);
        let mut last = first;
        self.given.clear();
        for _ in 0..ROUNDS {
            if last < CLOSED.max(GAP_LEFT * first) {
                return;
            }
            self.x.clear();
            self.x.extend(self.rows.iter().map(|row| -row.error / step));
            self.each_tree(&mut work.forest, |tree| tree.rewind_flow(bodies, state, report));
            if self.given.is_empty() {
                self.note_energy(&mut work.forest);
            }
            self.measure(joints, state);
            self.solve(joints, state, work, (true, HARDLY_CLOSES));
            self.given.resize(self.change.len(), 0.0);
            self.given.iter_mut().zip(&self.change).for_each(|(sum, own)| *sum += own);
            self.flow_changed(step, bodies, state, work, report);
            let now = self.measure(joints, state);
            let given: f64 = self.given.iter().map(|own| own * own).sum();
            if now > last || 0.5 * given > MOST_ENERGY * self.energy {
                self.each_tree(&mut work.forest, |tree| tree.rewind_flow(bodies, state, report));
                self.change.iter_mut().zip(&self.given).for_each(|(change, given)| *change = -given);
                return self.flow_changed(step, bodies, state, work, report);
            }
            last = now;
        }
    }

    /// Notes the kinetic energy of the trees.
    fn note_energy(&mut self, forest: &mut Forest) {
        let mut sum = 0.0;
        self.each_tree(forest, |tree| sum += tree.kinetic_energy());
        self.energy = sum;
    }

    /// Changes the velocities, and moves the trees from there.
    fn flow_changed(
        &self,
        step: f64,
        bodies: &Bodies,
        state: &mut State,
        work: &mut Workspace,
        report: &mut StepReport,
    ) {
        let Workspace { forest, cliques, .. } = work;
        self.each_tree(forest, |tree| {
            tree.change_rates(cliques, &self.change, bodies, state, report);
            tree.flow_for(step, bodies, state, report);
        });
    }

    /// Newton's rounds, if there is anything to close; whether there was.
    fn close(
        &mut self,
        bodies: &Bodies,
        joints: &Arena<Joint>,
        state: &mut State,
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> bool {
        let mut last = f64::INFINITY;
        for round in 0..ROUNDS {
            if self.joints.is_empty() {
                return false;
            }
            let error = self.measure(joints, state);
            if error > last {
                self.take_back(bodies, state, work, report);
                return round > 1;
            }
            if error < CLOSED {
                return round > 0;
            }
            last = error;
            self.x.clear();
            self.x.extend(self.rows.iter().map(|row| -row.error));
            self.solve(joints, state, work, (false, HARDLY_CLOSES));
            self.apply(bodies, state, work, report);
        }
        true
    }

    /// Rows and errors at the present poses; returns the largest error.
    fn measure(&mut self, joints: &Arena<Joint>, state: &State) -> f64 {
        self.rows.clear();
        self.starts.clear();
        for slot in &self.joints {
            self.starts.push(self.rows.len());
            let Some(joint) = joints.at(*slot as usize) else { continue };
            let mut now = JointState { positions: state.joints[*slot as usize].positions, ..JointState::default() };
            update_positions(joint, &state.bodies, &mut now);
            let context = JointContext { step: 1.0, erp: 1.0, cfm: 0.0, spook: None, positions: now.positions };
            joint.loop_rows(&joint_pose(joint, &state.bodies), &context, &mut self.rows);
        }
        self.starts.push(self.rows.len());
        self.rows.iter().fold(0.0, |largest, row| row.error.abs().max(largest))
    }

    /// Takes the velocities out that rows do not allow at the present poses; dofs that are held keep their rates.
    fn settle(
        &mut self,
        bodies: &Bodies,
        joints: &Arena<Joint>,
        state: &mut State,
        work: &mut Workspace,
        report: &mut StepReport,
    ) {
        self.measure(joints, state);
        self.x.clear();
        for (joint, range) in self.joints.iter().zip(self.starts.windows(2)) {
            let slots = joints.at(*joint as usize).map_or([None; 3], |joint| {
                [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference]
            });
            for row in &self.rows[range[0]..range[1]] {
                self.x.push(-rate(row, &slots, state));
            }
        }
        self.solve(joints, state, work, (true, IMPLIED));
        let Workspace { forest, cliques, .. } = &mut *work;
        self.each_tree(forest, |tree| tree.change_rates(cliques, &self.change, bodies, state, report));
        self.move_bodies(state, work, |motion, (velocity, omega)| {
            motion.velocity += velocity;
            motion.omega += omega;
        });
    }

    /// Whitened change of the cliques that changes the rows by `x`, of least size; rows that others imply by so much are left out.
    fn solve(
        &mut self,
        joints: &Arena<Joint>,
        state: &State,
        work: &mut Workspace,
        (of_velocities, implied): (bool, f64),
    ) {
        self.each_tree(&mut work.forest, |tree| {
            // The mass was definite at the start of the step; where it is not, its old factor measures well enough.
            let _ = if of_velocities {
                let held = tree.flow.held();
                tree.tree.factor_holding(&tree.kin, &tree.flow.armature, held, &mut tree.factor)
            } else {
                tree.tree.factor(&tree.kin, &tree.extra, &mut tree.factor)
            };
        });
        let n = self.rows.len();
        self.parts.resize_with(n.max(self.parts.len()), Parts::default);
        for (joint, range) in self.joints.iter().zip(self.starts.windows(2)) {
            let Some(joint) = joints.at(*joint as usize) else { continue };
            let slots = [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference];
            for slot in slots.iter().flatten().map(|body| body.slot()) {
                work.views[slot].center = state.bodies[slot].motion.position;
            }
            for i in range[0]..range[1] {
                self.parts[i].clear();
                for (body, slot) in slots.iter().enumerate() {
                    let row = &self.rows[i];
                    let slot = slot.map(|s| s.slot() as u32);
                    let (linear, angular) = (row.linear_of(body), row.angular[body]);
                    self.parts[i].add(&work.views, &work.forest, slot, linear, angular);
                }
                self.parts[i].drop_rounding();
            }
        }
        self.matrix.clear();
        for i in 0..n {
            for j in 0..n {
                let value = if j <= i { self.parts[i].dot(&self.parts[j]) } else { 0.0 };
                self.matrix.push(if i == j { value + self.parts[i].softness() } else { value });
            }
        }
        let parts = &self.parts;
        let scale = |row: usize| parts[row].free_inverse_mass();
        self.system.solve(&mut self.matrix, &mut self.x, scale, |_, diagonal| implied * diagonal);
        self.change.clear();
        self.change.resize(work.cliques.z_free.len(), 0.0);
        for (parts, x) in self.parts.iter().zip(&self.x) {
            parts.scatter(&work.cliques, *x, &mut self.change);
        }
    }

    /// Moves trees and bodies by the change.
    fn apply(&self, bodies: &Bodies, state: &mut State, work: &mut Workspace, report: &mut StepReport) {
        let Workspace { forest, cliques, .. } = &mut *work;
        self.each_tree(forest, |tree| tree.shift(cliques, &self.change, bodies, state, report));
        self.shift_bodies(1.0, state, work);
    }

    /// Moves them back from it.
    fn take_back(&self, bodies: &Bodies, state: &mut State, work: &mut Workspace, report: &mut StepReport) {
        self.each_tree(&mut work.forest, |tree| tree.shift_back(bodies, state, report));
        self.shift_bodies(-1.0, state, work);
    }

    fn shift_bodies(&self, share: f64, state: &mut State, work: &Workspace) {
        self.move_bodies(state, work, |motion, (shift, turn)| {
            motion.position += share * shift;
            motion.rotation = (exponential(share * turn) * motion.rotation).normalize();
        });
    }

    /// The change of bodies that are no links of trees.
    fn move_bodies(&self, state: &mut State, work: &Workspace, by: impl Fn(&mut RigidMotion, (DVec3, DVec3))) {
        for slot in self.lone.iter().map(|slot| *slot as usize) {
            if let Some(whitening) = &work.views[slot].whitening {
                let start = work.cliques.start(work.views[slot].clique);
                by(&mut state.bodies[slot].motion, whitening.velocity(&self.change[start..start + 6]));
            }
        }
    }
}
