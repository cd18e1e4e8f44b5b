//! Impacts on trees: what an impulse on two bodies does to all that joints connect to them.

use super::{NONE, SubstepTrees};
use crate::solvers::soft::Record;

impl SubstepTrees {
    /// Trees of two bodies, each once.
    fn of_bodies(&self, bodies: [u32; 2]) -> [Option<usize>; 2] {
        let [a, b] = bodies.map(|place| self.of_place.get(place as usize).copied().filter(|tree| *tree != NONE));
        [a.map(|tree| tree as usize), b.filter(|b| a != Some(*b)).map(|tree| tree as usize)]
    }

    /// Products `yᵢ P yⱼ` of rows on two bodies.
    pub(in super::super) fn couple<const N: usize>(
        &mut self,
        bodies: [u32; 2],
        rows: &[[f64; 12]; N],
    ) -> [[f64; N]; N] {
        let mut couplings = [[0.0; N]; N];
        let trees = self.of_bodies(bodies);
        let places = bodies.map(|place| place as usize);
        let mut scratch = std::mem::take(&mut self.scratch);
        let largest = places[0].max(places[1]).max(self.of_place.len());
        scratch.resize(scratch.len().max(largest + 1), Record::default());
        for j in (0..N).filter(|j| rows[*j] != [0.0; 12]) {
            for tree in trees.into_iter().flatten() {
                self.links[self.trees[tree].links()].iter().for_each(|l| scratch[l.place as usize] = Record::default());
            }
            places.iter().for_each(|place| scratch[*place] = Record::default());
            for e in 0..6 {
                scratch[places[0]].0[e] += rows[j][e];
                scratch[places[1]].0[e] += rows[j][6 + e];
            }
            for number in trees.into_iter().flatten() {
                let tree = self.trees[number];
                self.without_rotors(tree, |own| own.project(tree, &mut scratch));
            }
            for i in 0..N {
                let product =
                    |e: usize| rows[i][e] * scratch[places[0]].0[e] + rows[i][6 + e] * scratch[places[1]].0[e];
                couplings[i][j] = (0..6).map(product).sum();
            }
        }
        self.scratch = scratch;
        couplings
    }

    /// Impulses of rows on two bodies at a time in the step: velocities of all that moves with them, and the displacement that
    /// they would have made before.
    pub(in super::super) fn hit(
        &mut self,
        bodies: [u32; 2],
        change: &[f64; 12],
        time: f64,
        z: &mut [Record],
        moved: &mut [Record],
    ) {
        let trees = self.of_bodies(bodies);
        for tree in trees.into_iter().flatten().map(|tree| self.trees[tree]) {
            for link in self.links[tree.links()].iter().filter(|link| !link.is_half) {
                let place = link.place as usize;
                for e in 0..6 {
                    moved[place].0[e] += time * z[place].0[e];
                }
            }
        }
        for (side, place) in bodies.into_iter().map(|place| place as usize).enumerate() {
            let is_in_tree = self.of_place.get(place).is_some_and(|tree| *tree != NONE);
            for e in 0..6 {
                z[place].0[e] += change[6 * side + e];
                if !is_in_tree {
                    moved[place].0[e] -= time * change[6 * side + e];
                }
            }
        }
        for number in trees.into_iter().flatten() {
            let tree = self.trees[number];
            self.project(tree, z);
            for link in self.links[tree.links()].iter().filter(|link| !link.is_half) {
                let place = link.place as usize;
                for e in 0..6 {
                    moved[place].0[e] -= time * z[place].0[e];
                }
            }
        }
    }
}
