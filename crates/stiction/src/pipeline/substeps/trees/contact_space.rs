//! Trees whose island is solved in contact space: their axes are rows there, and what rows give is projected at the end of the sub-steps.

use std::ops::Range;

use super::SubstepTrees;
use super::axes::TreeAxis;
use crate::solvers::soft::{BLOCK, Record, TreeLink, Width};

impl SubstepTrees {
    /// Passes over bodies leave out a tree.
    pub(in super::super) fn enter_contact_space(&mut self, tree: usize) {
        self.trees[tree].is_in_contact_space = true;
    }

    /// A tree has loops.
    pub(in super::super) fn has_loops(&self, tree: usize) -> bool {
        self.trees[tree].closure != super::NONE
    }

    /// Place of the first link of each tree, and the number of its axes.
    pub(in super::super) fn first_places_and_axes(&self) -> impl Iterator<Item = (u32, usize)> {
        self.trees.iter().map(|tree| (self.links[tree.links().start].place, tree.axes().len()))
    }

    /// Rates by degree of freedom.
    pub(in super::super) fn rates(&self) -> impl Iterator<Item = f64> {
        self.dofs.iter().map(|dof| dof.rate)
    }

    /// Visits the axes of some trees, each with its block of rows and its number there; blocks of axes begin at `block`.
    pub(in super::super) fn each_axis(
        &mut self,
        (trees, mut block): (Range<usize>, usize),
        mut visit: impl FnMut(&mut TreeAxis, usize, usize),
    ) {
        for tree in &self.trees[trees] {
            for some in self.axes[tree.axes()].chunks_mut(BLOCK) {
                some.iter_mut().enumerate().for_each(|(row, axis)| visit(axis, block, row));
                block += 1;
            }
        }
    }

    /// Projects what the rows of contact spaces do to velocities and displacements; `along` has the impulses along degrees of freedom, and their
    /// displacements.
    pub(in super::super) fn project_in_contact_space<L: Width<W>, const W: usize>(
        &mut self,
        links: &mut [TreeLink<W>],
        (z, ways): (&mut [Record], &mut [Record]),
        along: &[[f64; 2]],
    ) {
        for number in 0..self.trees.len() {
            let tree = self.trees[number];
            self.ask(number, tree.is_in_contact_space);
            if tree.is_in_contact_space {
                for (dof, along) in self.dofs[tree.dofs()].iter_mut().zip(&along[tree.dofs()]) {
                    (dof.kept, dof.carried, dof.impulse) = ([dof.rate, dof.carried], 0.0, along[1]);
                }
            }
        }
        self.project_asked::<L, W>(links, ways);
        for tree in self.trees.iter().filter(|tree| tree.is_in_contact_space) {
            for (dof, along) in self.dofs[tree.dofs()].iter_mut().zip(&along[tree.dofs()]) {
                ([dof.rate, dof.carried], dof.impulse) = (dof.kept, along[0]);
            }
        }
        self.project_asked::<L, W>(links, z);
    }
}
