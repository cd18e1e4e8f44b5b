//! What drives, brakes, springs and stops the motions of hinges, sliders and universal joints: one impulse an axis, solved in every
//! pass against the axis' response through the whole tree.

use super::super::super::axes::{Axis, Rates, Span};
use super::super::super::context::Model;
use super::super::Frame;
use super::{Dof, SubstepTrees, Tree};
use crate::model::{State, WorldParameters};
use crate::solvers::soft::{Record, TreeLink, Width};

/// Sweeps over the axes of a tree in a pass, and change of a rate below which they end, by the rates.
const SWEEPS: usize = 30;
const SETTLED: f64 = 1e-12;

/// An axis of a tree on which something acts.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct TreeAxis {
    pub(in super::super) own: Axis,
    /// The link, and its degree of freedom.
    pub(super) link: u32,
    pub(in super::super) dof: u32,
}

impl SubstepTrees {
    /// The axes of all trees, with impulses like those of the last step.
    pub(in super::super) fn read_axes(&mut self, model: &Model, frame: &Frame, state: &State) {
        for number in 0..self.trees.len() {
            let tree = self.trees[number];
            let first = self.axes.len() as u32;
            for link in tree.links() {
                self.read_joint(link, model, (frame.part, frame.warm), state);
            }
            self.trees[number].axes = [first, self.axes.len() as u32];
        }
        self.note_laws();
    }

    fn read_joint(&mut self, number: usize, model: &Model, (step, warm): (f64, f64), state: &State) {
        let link = &self.links[number];
        if !link.mobilizer.has_axes() {
            return;
        }
        let first_dof = link.first_dof;
        Axis::each(model, state, link.joint, link.dofs, (step, warm), |own| {
            let dof = first_dof + u32::from(own.number);
            self.axes.push(TreeAxis { own, link: number as u32, dof });
        });
    }

    /// Impulses along the axes like those of the last step, for the next projection; what rotors have is before them.
    pub(in super::super) fn warm(&mut self) {
        self.dofs.iter_mut().for_each(|dof| dof.held = dof.carried);
        for axis in &mut self.axes {
            axis.note_rate(&self.dofs);
            self.dofs[axis.dof as usize].impulse = axis.own.lambda;
        }
    }

    /// The laws of the axes at the start of a sub-step.
    pub(in super::super) fn lay(&mut self, parameters: &WorldParameters, frame: &Frame) {
        let span = Self::span((parameters, frame));
        let Self { trees, axes, rows, responses, .. } = self;
        for tree in trees.iter().filter(|tree| !tree.is_in_contact_space) {
            let count = tree.axes().len();
            for (number, axis) in axes[tree.axes()].iter_mut().enumerate() {
                let response = responses[tree.responses as usize + (count + 1) * number];
                axis.own.lay(&span, response.recip(), rows);
            }
        }
    }

    /// What laws are laid for.
    pub(in super::super) fn span<'a>((parameters, frame): (&'a WorldParameters, &Frame)) -> Span<'a> {
        Span {
            parameters,
            step: frame.part,
            left: frame.part,
            bias_rate: Some(frame.bias_rate),
            push: frame.push,
            rates: Rates::OfMiddles,
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
                let dof = axes[i].dof as usize;
                let (axis, rate) = (&mut axes[i].own, dofs[dof].rate);
                let old = axis.lambda;
                axis.solve(pass, rate - response * old, response);
                let change = axis.lambda - old;
                if change == 0.0 || !change.is_finite() {
                    axis.lambda = if change.is_finite() { axis.lambda } else { old };
                    continue;
                }
                has_changed = true;
                dofs[dof].impulse += change;
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

    /// Moves the positions.
    pub(in super::super) fn drift_axes(&mut self, part: f64) {
        self.each_axis_of_passes(|axis, dof| axis.own.drift(part * dof.rate));
    }

    /// Adds the impulses of a sub-step to those of the step.
    pub(in super::super) fn sum_up(&mut self) {
        self.each_axis_of_passes(|axis, dof| {
            axis.own.sum_up(dof.rate, Rates::OfMiddles);
        });
    }

    /// Visits the axes that passes over bodies solve.
    fn each_axis_of_passes(&mut self, mut visit: impl FnMut(&mut TreeAxis, &Dof)) {
        let Self { trees, axes, dofs, .. } = self;
        for tree in trees.iter().filter(|tree| !tree.is_in_contact_space) {
            axes[tree.axes()].iter_mut().for_each(|axis| visit(axis, &dofs[axis.dof as usize]));
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
    /// Place of each link with a rotor, and the energy of that \[J\].
    pub(in super::super) fn energies_of_rotors(
        &self,
        model: &Model,
        state: &State,
    ) -> impl Iterator<Item = (u32, f64)> {
        let with_rotors = self.links.iter().filter(|link| {
            let first = link.first_dof as usize;
            self.dofs[first..first + link.dofs].iter().any(|dof| dof.added != 0.0)
        });
        with_rotors.filter_map(|link| {
            let definition = &model.joints.at(link.joint as usize)?.definition;
            Some((link.place, definition.rotor_energy(state.joints[link.joint as usize].rates)))
        })
    }

    /// Works of all axes, after the joints have their positions.
    pub(in super::super) fn works(&self, state: &State) -> impl Iterator<Item = AxisWork> {
        let place = |tree: &Tree| self.links[tree.links().start].place;
        let axes =
            self.trees.iter().flat_map(move |tree| self.axes[tree.axes()].iter().map(move |axis| (place(tree), axis)));
        axes.map(|(place, TreeAxis { own: axis, .. })| AxisWork {
            place,
            work: axis.work,
            loss: axis.loss,
            stored: axis.stored(state.joints[axis.joint as usize].positions[usize::from(axis.number)]),
            joint: axis.joint,
            taken: axis.taken,
        })
    }
}

impl TreeAxis {
    /// Before the impulses of a sub-step.
    pub(super) fn note_rate(&mut self, dofs: &[Dof]) {
        self.own.before = dofs[self.dof as usize].rate;
    }
}
