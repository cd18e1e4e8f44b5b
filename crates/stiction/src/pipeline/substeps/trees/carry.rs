//! How much of the impulses of a sub-step the next one starts from.
//!
//! What holds loads comes again in every sub-step; a blow does not. Started from again it would throw what it has stopped, and one
//! pass does not take that back where joints make a contact heavier than its body. Impulses are started from in full up to a few
//! times what forces give, or what the sub-step before gave, and in part beyond that.

use super::super::bodies::SubstepBodies;
use super::super::manifolds::Manifolds;
use super::{NONE, SubstepTrees};
use crate::solvers::soft::{BLOW, Bundle, Record};

/// Memory of the shares, by island.
#[derive(Clone, Debug, Default)]
pub(super) struct Carry {
    has_trees: Vec<bool>,
    /// Square of what forces give in a sub-step, of the last sub-step's impulses, and of the present one's.
    pulled: Vec<f64>,
    last: Vec<f64>,
    given: Vec<f64>,
    /// Share of the impulses that the next sub-step starts from.
    shares: Vec<f64>,
}

impl SubstepTrees {
    /// What forces give in a sub-step.
    pub(in super::super) fn measure_pulls(&mut self, bodies: &SubstepBodies) {
        if self.trees.is_empty() {
            return;
        }
        let Carry { has_trees, pulled, last, given, shares } = &mut self.carry;
        for list in [pulled, last, given, shares] {
            list.clear();
            list.resize(bodies.islands(), 0.0);
        }
        has_trees.clear();
        has_trees.resize(bodies.islands(), false);
        for place in 0..bodies.moving {
            let island = bodies.island_of([place as u32; 2]);
            self.carry.pulled[island] += square(&bodies.pulls[place]);
            self.carry.has_trees[island] |= self.of_place[place] != NONE && !bodies.in_contact_space[island];
        }
    }

    /// After a sub-step: leaves of its impulses what the next one starts from.
    pub(in super::super) fn leave_blows<const W: usize>(
        &mut self,
        bodies: &mut SubstepBodies,
        manifolds: &Manifolds,
        bundles: &mut [Bundle<W>],
    ) {
        if self.trees.is_empty() {
            return;
        }
        let Carry { has_trees, pulled, last, given, shares } = &mut self.carry;
        given.fill(0.0);
        for place in 0..bodies.moving {
            given[bodies.island_of([place as u32; 2])] += square(&bodies.given(place));
        }
        for island in 0..given.len() {
            let most = BLOW * BLOW * pulled[island].max(last[island]);
            let is_blow = has_trees[island] && given[island] > most;
            shares[island] = if is_blow { (most / given[island]).sqrt() } else { 1.0 };
            last[island] = given[island] * shares[island] * shares[island];
        }
        if shares.iter().all(|share| *share == 1.0) {
            return;
        }
        // Others keep their bits.
        for place in 0..bodies.moving {
            let share = shares[bodies.island_of([place as u32; 2])];
            if share != 1.0 {
                bodies.leave(place, share);
            }
        }
        for bundle in bundles {
            for lane in 0..W {
                if let Some(patch) = manifolds.patches.get(bundle.manifolds[lane] as usize) {
                    let share = shares[bodies.island_of(patch.bodies)];
                    bundle.lambda.iter_mut().for_each(|row| row[lane] *= share);
                }
            }
        }
        for tree in &self.trees {
            let share = shares[bodies.island_of([self.links[tree.links().start].place; 2])];
            if share == 1.0 {
                continue;
            }
            self.axes[tree.axes()].iter_mut().for_each(|axis| axis.own.lambda *= share);
            for dof in &mut self.dofs[tree.dofs()] {
                dof.held = dof.carried - share * (dof.carried - dof.held);
            }
        }
    }
}

fn square(record: &Record) -> f64 {
    record.0[..6].iter().map(|e| e * e).sum()
}
