//! Passes without bias made again where those so far have made energy.
//!
//! The impulses δ of a sub-step take energy away: with the velocities z that forces leave, `|z + δ|² ≤ |z|²`, as a contact is no
//! spring. Passes come to that by and by. What a light body takes from a heavy one in a pass is no more than its own momentum, and
//! the same holds for what it takes back of impulses that a heavy one was started with: by then it has been thrown. So an island
//! whose bodies have more energy after the pass with bias than before any impulse has passes without bias until it has not, and
//! the last one after these. Elsewhere nothing is done.

use super::bodies::SubstepBodies;
use super::manifolds::Manifolds;
use super::parallel::Colours;
use super::trees::SubstepTrees;
use crate::base::ThreadPool;
use crate::solvers::soft::{Bundle, PassRule, ROWS, Width};

/// Energy that is made, by that of the island, from which on passes are made again.
const MADE: f64 = 1e-4;
/// Change of it in a pass below which passes have come to their end.
const STEADY: f64 = 1e-2;
/// Passes that are made again at most.
const MOST: usize = 32;

/// Memory of the islands whose passes are made again.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    /// Islands of several bodies, without drives, elastic contacts, and trees that have energy of their own.
    judged: Vec<u32>,
    /// Those that have made energy in the present sub-step.
    open: Vec<(u32, f64)>,
    /// By island.
    is_open: Vec<bool>,
}

impl Repeats {
    /// Which islands are judged: what drives, springs, motors, stops and rotors give is not made by passes.
    pub(super) fn begin<const W: usize>(
        &mut self,
        bundles: &[Bundle<W>],
        manifolds: &Manifolds,
        bodies: &SubstepBodies,
        trees: &SubstepTrees,
    ) {
        self.is_open.clear();
        self.is_open.resize(bodies.islands(), false);
        for bundle in bundles.iter().filter(|bundle| bundle.is_driven || bundle.is_special) {
            for (lane, number) in bundle.manifolds.iter().enumerate() {
                let Some(patch) = manifolds.patches.get(*number as usize) else { continue };
                let is_driven = (0..ROWS).any(|row| bundle.prescribed(row, lane) != 0.0);
                self.is_open[bodies.island_of(patch.bodies)] |= is_driven || manifolds.is_elastic(patch);
            }
        }
        if !trees.is_empty() {
            for place in (0..bodies.moving).filter(|place| trees.gives(*place as u32)) {
                self.is_open[bodies.island_of([place as u32; 2])] = true;
            }
        }
        self.judged.clear();
        let several = |island: &usize| bodies.places_of(*island).len() > 1;
        let judged = (0..bodies.islands()).filter(several).filter(|island| !self.is_open[*island]);
        self.judged.extend(judged.map(|island| island as u32));
        self.is_open.fill(false);
    }

    /// After the pass with bias: passes without bias over the islands that have made energy.
    pub(super) fn run<L: Width<W>, const W: usize>(
        &mut self,
        (pool, colours): (&mut ThreadPool, &Colours),
        bundles: &mut [Bundle<W>],
        manifolds: &Manifolds,
        (bodies, trees): (&mut SubstepBodies, &mut SubstepTrees),
        rule: &PassRule,
    ) {
        self.open.clear();
        for island in &self.judged {
            let gain = bodies.gain::<L, W>(*island as usize);
            if gain > MADE {
                self.open.push((*island, gain));
            }
        }
        if self.open.is_empty() {
            return;
        }
        let rule = PassRule { is_partial: true, ..*rule };
        for _ in 0..MOST {
            self.mark(bundles, manifolds, bodies);
            colours.pass::<L, W>(pool, bundles, bodies, &rule, false);
            trees.project_all(&mut bodies.z);
            self.open.iter().for_each(|(island, _)| self.is_open[*island as usize] = false);
            self.open.retain_mut(|(island, last)| {
                let gain = bodies.gain::<L, W>(*island as usize);
                let change = (gain - *last).abs();
                *last = gain;
                gain > 0.0 || change > STEADY
            });
            if self.open.is_empty() {
                return;
            }
        }
    }

    /// Marks the manifolds of the islands that are still open.
    fn mark<const W: usize>(&mut self, bundles: &mut [Bundle<W>], manifolds: &Manifolds, bodies: &SubstepBodies) {
        self.open.iter().for_each(|(island, _)| self.is_open[*island as usize] = true);
        for bundle in bundles {
            for lane in 0..W {
                let patch = manifolds.patches.get(bundle.manifolds[lane] as usize);
                let is_open = patch.is_some_and(|patch| self.is_open[bodies.island_of(patch.bodies)]);
                bundle.is_open[lane] = if is_open { 1.0 } else { 0.0 };
            }
        }
    }
}
