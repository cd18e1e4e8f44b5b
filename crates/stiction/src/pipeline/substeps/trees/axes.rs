//! What drives, brakes, springs and stops the motions of hinges, sliders and universal joints: one impulse an axis, solved in every
//! pass against the axis' response through the whole tree.

use super::super::super::context::Model;
use super::super::Frame;
use super::law::{PARTS, Part, solve};
use super::{Dof, SubstepTrees, Tree};
use crate::constraint::RowKind;
use crate::joints::{AxisMotion, AxisParameters, JointContext, JointRow, SpringLaw, SpringRule, axis_rows};
use crate::model::{State, WorldParameters, joint_pose};
use crate::solvers::soft::{Record, TreeLink, Width};

/// Sweeps over the axes of a tree in a pass, and change of a rate below which they end, by the rates.
const SWEEPS: usize = 30;
const SETTLED: f64 = 1e-12;

/// What the impulse of a part counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Account {
    Motor,
    Drive,
    Loss,
    Spring,
}

/// An axis on which something acts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Slot of the joint, number of its axis, and the degree of freedom.
    pub(super) joint: u32,
    pub(super) number: u8,
    dof: u32,
    law: AxisParameters,
    motion: AxisMotion,
    /// The user's force, which acts on the bodies.
    user: f64,
    seen: [f64; 2],
    /// Position at the start of the step, and now.
    start: f64,
    position: f64,
    parts: [Part; PARTS],
    accounts: [Account; PARTS],
    count: usize,
    /// Impulses of the parts and their sum in the present sub-step; those of all sub-steps, and of drives.
    impulses: [f64; PARTS],
    pub(super) lambda: f64,
    pub(super) total: f64,
    pub(super) driven: f64,
    /// Rate before the impulses of the sub-step.
    before: f64,
    /// Work of motors, and what the others lost \[J\].
    pub(super) work: f64,
    pub(super) loss: f64,
    /// Of that what the damper took, and what the step took from the spring \[J\].
    damped: f64,
    lost_by_step: f64,
    /// Share of the rate before the sub-step that the row of the spring keeps.
    kept: f64,
}

impl SubstepTrees {
    /// The axes of all trees, their responses, and impulses like those of the last step.
    pub(in super::super) fn read_axes(&mut self, model: &Model, frame: &Frame, state: &State) {
        for number in 0..self.trees.len() {
            let tree = self.trees[number];
            let first = self.axes.len() as u32;
            for link in tree.links() {
                self.read_joint(link, model, state, frame.warm);
            }
            self.trees[number].axes = [first, self.axes.len() as u32];
            self.trees[number].responses = self.responses.len() as u32;
            self.respond(self.trees[number]);
        }
        self.note_laws();
    }

    fn read_joint(&mut self, number: usize, model: &Model, state: &State, warm: f64) {
        let link = &self.links[number];
        if !link.mobilizer.has_axes() {
            return;
        }
        let Some(joint) = model.joints.at(link.joint as usize) else { return };
        let (own, first_dof) = (&state.joints[link.joint as usize], link.first_dof);
        let laws = &joint.definition.parameters;
        let acts = |k: usize| !laws[k].is_passive() || own.efforts[k] != 0.0 && laws[k].velocity_limit != f64::INFINITY;
        if !(0..link.dofs).any(acts) {
            return;
        }
        let slot = link.joint;
        let axes = &mut self.axes;
        joint.visit_motions(&joint_pose(joint, &state.bodies), own.positions, |axis, motion| {
            let (law, user) = (laws[axis], own.efforts[axis]);
            if !acts(axis) {
                return;
            }
            let lambda = if own.row_count > axis { warm * own.impulses[axis] } else { 0.0 };
            axes.push(Axis {
                joint: slot,
                number: axis as u8,
                dof: first_dof + axis as u32,
                law,
                motion: *motion,
                user,
                seen: own.accelerations[axis],
                start: own.positions[axis],
                position: own.positions[axis],
                parts: [Part { targets: [0.0; 2], compliance: 0.0, bounds: [0.0; 2], is_limit: false }; PARTS],
                accounts: [Account::Loss; PARTS],
                count: 0,
                impulses: [0.0; PARTS],
                lambda,
                total: 0.0,
                driven: 0.0,
                before: 0.0,
                work: 0.0,
                loss: 0.0,
                damped: 0.0,
                lost_by_step: 0.0,
                kept: 0.0,
            });
        });
    }

    /// Rates of the axes of a tree by a unit impulse along each of them.
    fn respond(&mut self, tree: Tree) {
        for axis in tree.axes() {
            self.without_rotors(tree, |own| {
                own.momenta[tree.links()].fill(super::Spatial::default());
                let dof = own.axes[axis].dof as usize;
                own.dofs[dof].impulse = 1.0;
                own.solve(tree);
                for other in tree.axes() {
                    own.responses.push(own.dofs[own.axes[other].dof as usize].rate);
                }
            });
        }
    }

    /// Impulses along the axes like those of the last step, for the next projection; what rotors have is before them.
    pub(in super::super) fn warm(&mut self) {
        self.dofs.iter_mut().for_each(|dof| dof.held = dof.carried);
        for axis in &mut self.axes {
            axis.note_rate(&self.dofs);
            self.dofs[axis.dof as usize].impulse = axis.lambda;
        }
    }

    /// The laws of the axes at the start of a sub-step.
    pub(in super::super) fn lay(&mut self, parameters: &WorldParameters, frame: &Frame) {
        let Self { trees, axes, rows, responses, .. } = self;
        for tree in trees {
            let count = tree.axes().len();
            for (number, axis) in axes[tree.axes()].iter_mut().enumerate() {
                let response = responses[tree.responses as usize + (count + 1) * number];
                axis.lay(parameters, frame, response.recip(), rows);
            }
        }
    }

    /// Solves the axes, after a projection; `pass` is 0 with bias.
    pub(in super::super) fn act<L: Width<W>, const W: usize>(
        &mut self,
        links: &mut [TreeLink<W>],
        z: &mut [Record],
        pass: usize,
    ) {
        self.ask_all();
        self.act_asked::<L, W>(links, z, pass);
    }

    /// That of the trees whose projection has been asked for.
    pub(in super::super) fn act_asked<L: Width<W>, const W: usize>(
        &mut self,
        links: &mut [TreeLink<W>],
        z: &mut [Record],
        pass: usize,
    ) {
        if self.axes.is_empty() {
            return;
        }
        for number in 0..self.trees.len() {
            let tree = self.trees[number];
            let has_changed = self.is_asked(number) && !tree.axes().is_empty() && self.sweep(tree, pass);
            self.ask(number, has_changed);
        }
        self.project_asked::<L, W>(links, z);
    }

    /// Whether an impulse has changed; changes are put on the motions.
    fn sweep(&mut self, tree: Tree, pass: usize) -> bool {
        let count = tree.axes().len();
        let Self { axes, dofs, responses, .. } = self;
        let axes = &mut axes[tree.axes()];
        let responses = &responses[tree.responses as usize..][..count * count];
        // Rates as the axes see them are in the dofs.
        let mut has_changed = false;
        for _ in 0..SWEEPS {
            let (mut largest, mut fastest) = (0.0f64, f64::MIN_POSITIVE);
            for i in 0..count {
                let response = responses[count * i + i];
                let axis = &mut axes[i];
                let rate = dofs[axis.dof as usize].rate;
                let old = axis.lambda;
                solve(&axis.parts[..axis.count], pass, rate - response * old, response, &mut axis.impulses);
                axis.lambda = axis.impulses[..axis.count].iter().sum();
                let change = axis.lambda - old;
                if change == 0.0 || !change.is_finite() {
                    axis.lambda = if change.is_finite() { axis.lambda } else { old };
                    continue;
                }
                has_changed = true;
                dofs[axis.dof as usize].impulse += change;
                largest = largest.max((change * response).abs());
                fastest = fastest.max(rate.abs()).max((axis.lambda * response).abs());
                for (j, other) in axes.iter().enumerate() {
                    dofs[other.dof as usize].rate += responses[count * i + j] * change;
                }
            }
            if largest <= SETTLED * fastest || count == 1 {
                break;
            }
        }
        has_changed
    }

    /// Books the impulses of a sub-step, and moves the positions.
    pub(in super::super) fn drift_axes(&mut self, part: f64) {
        for axis in &mut self.axes {
            axis.position += part * self.dofs[axis.dof as usize].rate;
        }
    }

    /// Adds the impulses of a sub-step to those of the step.
    pub(in super::super) fn sum_up(&mut self, part: f64) {
        for axis in &mut self.axes {
            let after = self.dofs[axis.dof as usize].rate;
            let mean = 0.5 * (axis.before + after);
            axis.total += axis.lambda;
            for i in 0..axis.count {
                let impulse = axis.impulses[i];
                match axis.accounts[i] {
                    Account::Motor => axis.work += impulse * mean,
                    Account::Drive => {
                        axis.work += impulse * mean;
                        axis.driven += impulse;
                    }
                    Account::Loss => axis.loss -= impulse * mean,
                    // Its energy is that of its position.
                    Account::Spring => {
                        let law = SpringLaw::of_row(axis.parts[i].compliance, axis.kept);
                        let [own, by_step] = axis.law.taken(&law, part, [axis.before, after]);
                        axis.loss += own + by_step;
                        axis.damped += own;
                        axis.lost_by_step += by_step;
                    }
                }
            }
        }
    }
}

/// What an axis did to the energy of its tree in a step \[J\].
pub(in super::super) struct AxisWork {
    /// Place of a body of the tree.
    pub(in super::super) place: u32,
    pub(in super::super) work: f64,
    pub(in super::super) loss: f64,
    /// What its spring took up.
    pub(in super::super) stored: f64,
    /// Slot of the joint, and what its damper took and the step took from its spring.
    pub(in super::super) joint: u32,
    pub(in super::super) taken: [f64; 2],
}

impl SubstepTrees {
    /// Works of all axes, after the joints have their positions.
    pub(in super::super) fn works(&self, state: &State) -> impl Iterator<Item = AxisWork> {
        let place = |tree: &Tree| self.links[tree.links().start].place;
        let axes =
            self.trees.iter().flat_map(move |tree| self.axes[tree.axes()].iter().map(move |axis| (place(tree), axis)));
        axes.map(|(place, axis)| {
            let after = state.joints[axis.joint as usize].positions[usize::from(axis.number)];
            AxisWork {
                place,
                work: axis.work,
                loss: axis.loss,
                stored: axis.law.spring_energy(after) - axis.law.spring_energy(axis.start),
                joint: axis.joint,
                taken: [axis.damped, axis.lost_by_step],
            }
        })
    }
}

impl Axis {
    /// Before the impulses of a sub-step.
    pub(super) fn note_rate(&mut self, dofs: &[Dof]) {
        self.before = dofs[self.dof as usize].rate;
    }

    fn lay(&mut self, parameters: &WorldParameters, frame: &Frame, inertia: f64, rows: &mut Vec<JointRow>) {
        rows.clear();
        let context = JointContext {
            step: frame.part,
            erp: parameters.erp,
            cfm: parameters.cfm,
            spook: None,
            positions: [self.position; 3],
        };
        let at = (self.position, self.before);
        let beside = axis_rows(
            (&self.law, SpringRule::KeepsEnergy(inertia)),
            &self.motion,
            at,
            self.user,
            self.seen,
            &context,
            rows,
        );
        self.count = 0;
        for row in rows.iter() {
            let account = match row.kind {
                RowKind::Motor if row.is_drive => Account::Drive,
                RowKind::Motor if row.target == 0.0 || row.bounds.contains(&0.0) => Account::Loss,
                RowKind::Motor => Account::Motor,
                RowKind::Spring => {
                    self.kept = row.kept;
                    Account::Spring
                }
                _ => Account::Loss,
            };
            let targets = self.targets(row, frame);
            let is_rigid = row.kind == RowKind::Limit && !self.has_soft_stops();
            let compliance = if is_rigid { 0.0 } else { row.compliance };
            let is_limit = row.kind == RowKind::Limit;
            self.push(Part { targets, compliance, bounds: row.bounds, is_limit }, account);
        }
        if beside != 0.0 {
            let impulse = frame.part * beside;
            let part = Part { targets: [0.0; 2], compliance: 0.0, bounds: [impulse; 2], is_limit: false };
            self.push(part, if self.law.drive.is_some() { Account::Drive } else { Account::Motor });
        }
    }

    fn push(&mut self, part: Part, account: Account) {
        if self.count < PARTS && part.bounds[0] <= part.bounds[1] && part.compliance.is_finite() {
            self.parts[self.count] = part;
            self.accounts[self.count] = account;
            self.count += 1;
        }
    }

    /// Targets of a row with bias and without. A rigid stop is left like an overlap of contacts, and leaves nothing of that in the
    /// velocity.
    fn targets(&self, row: &JointRow, frame: &Frame) -> [f64; 2] {
        if row.kind != RowKind::Limit || self.has_soft_stops() {
            return [row.target + row.kept * self.before; 2];
        }
        let beyond = match row.bounds {
            [low, _] if low >= 0.0 => self.position - self.law.lower,
            [_, high] if high <= 0.0 => self.position - self.law.upper,
            _ => self.position - self.law.lower,
        };
        let is_two_sided = row.bounds[0] < 0.0 && row.bounds[1] > 0.0;
        let is_beyond = is_two_sided || if row.bounds[0] >= 0.0 { beyond <= 0.0 } else { beyond >= 0.0 };
        if is_beyond { [(-frame.bias_rate * beyond).clamp(-frame.push, frame.push), 0.0] } else { [row.target; 2] }
    }

    fn has_soft_stops(&self) -> bool {
        self.law.stop_spring.is_some() || self.law.stop_erp.is_some() || self.law.stop_cfm.is_some()
    }
}
