//! Passes without bias made again where those so far have made energy.
//!
//! The impulses δ of a sub-step take energy away: with the velocities z that forces leave, `|z + δ|² ≤ |z|²`, as a contact is no
//! spring. Passes come to that by and by. What a light body takes from a heavy one in a pass is no more than its own momentum, and
//! the same holds for what it takes back of impulses that a heavy one was started with: by then it has been thrown. So an island
//! whose bodies have more energy after the pass with bias than before any impulse has passes without bias until it has not, and
//! the last one after these. That one starts from what the pass with bias has found, which may have pressed an overlap apart and taken
//! energy all the same; so an island that is not too large and has more energy after it has such passes once more. Elsewhere nothing is done.

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

/// Bodies up to which an island is judged after the last pass too: in a larger one a pass takes long, and impulses travel so far that more of them
/// hardly help.
const LARGEST: usize = 512;

/// Memory of the islands whose passes are made again.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    /// Islands of several bodies, without drives, elastic contacts, and trees that have energy of their own.
    judged: Vec<Judged>,
    /// Those that have made energy in the present sub-step.
    open: Vec<Judged>,
    /// By island.
    is_open: Vec<bool>,
}

/// An island, `|z|²` before the impulses of the sub-step, and what they add to it, by it.
#[derive(Clone, Copy, Debug)]
struct Judged {
    island: u32,
    before: f64,
    gain: f64,
}

impl Judged {
    fn of(island: usize) -> Self {
        Self { island: island as u32, before: 0.0, gain: 0.0 }
    }

    fn gain(&self, now: f64) -> f64 {
        (now - self.before) / self.before.max(f64::MIN_POSITIVE)
    }
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
        self.judged.extend(judged.map(Judged::of));
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
        for judged in &mut self.judged {
            let (now, before) = bodies.squares::<L, W>(judged.island as usize);
            judged.before = before;
            judged.gain = judged.gain(now);
            if judged.gain > MADE {
                self.open.push(*judged);
            }
        }
        if !self.open.is_empty() {
            self.repeat::<L, W>((pool, colours), bundles, manifolds, (bodies, trees), rule);
        }
    }

    /// After the pass without bias: more of them over the islands that have made energy by then.
    pub(super) fn finish<L: Width<W>, const W: usize>(
        &mut self,
        (pool, colours): (&mut ThreadPool, &Colours),
        bundles: &mut [Bundle<W>],
        manifolds: &Manifolds,
        (bodies, trees): (&mut SubstepBodies, &mut SubstepTrees),
        rule: &PassRule,
    ) {
        self.open.clear();
        let is_small = |judged: &&mut Judged| bodies.places_of(judged.island as usize).len() <= LARGEST;
        for judged in self.judged.iter_mut().filter(is_small) {
            judged.gain = judged.gain(bodies.square::<L, W>(judged.island as usize));
            if judged.gain > MADE {
                self.open.push(*judged);
            }
        }
        if self.open.is_empty() {
            return;
        }
        // The sums of the step have these impulses, and blows have been left of them.
        self.mark(bundles, manifolds, bodies);
        for bundle in &mut *bundles {
            let marked = bundle.is_open.map(|is_open| is_open > 0.0);
            for lane in (0..W).filter(|lane| marked[*lane]) {
                bundle.take_up(lane, &mut bodies.held);
            }
        }
        let open = std::mem::take(&mut self.open);
        self.open.extend_from_slice(&open);
        self.repeat::<L, W>((pool, colours), bundles, manifolds, (bodies, trees), rule);
        self.open = open;
        self.mark(bundles, manifolds, bodies);
        for bundle in &mut *bundles {
            let marked = bundle.is_open.map(|is_open| is_open > 0.0);
            for lane in (0..W).filter(|lane| marked[*lane]) {
                bundle.lay_down(lane, &mut bodies.held);
            }
        }
        self.open.iter().for_each(|judged| self.is_open[judged.island as usize] = false);
    }

    /// Passes without bias over the open islands, until none of them has made energy.
    fn repeat<L: Width<W>, const W: usize>(
        &mut self,
        (pool, colours): (&mut ThreadPool, &Colours),
        bundles: &mut [Bundle<W>],
        manifolds: &Manifolds,
        (bodies, trees): (&mut SubstepBodies, &mut SubstepTrees),
        rule: &PassRule,
    ) {
        let rule = PassRule { is_partial: true, is_last: false, ..*rule };
        for _ in 0..MOST {
            self.mark(bundles, manifolds, bodies);
            colours.pass::<L, W>(pool, bundles, bodies, &rule, false);
            trees.project_all(&mut bodies.z);
            self.open.iter().for_each(|judged| self.is_open[judged.island as usize] = false);
            self.open.retain_mut(|judged| {
                let last = judged.gain;
                judged.gain = judged.gain(bodies.square::<L, W>(judged.island as usize));
                judged.gain > 0.0 || (judged.gain - last).abs() > STEADY
            });
            if self.open.is_empty() {
                return;
            }
        }
    }

    /// Marks the manifolds of the islands that are still open.
    fn mark<const W: usize>(&mut self, bundles: &mut [Bundle<W>], manifolds: &Manifolds, bodies: &SubstepBodies) {
        self.open.iter().for_each(|judged| self.is_open[judged.island as usize] = true);
        for bundle in bundles {
            for lane in 0..W {
                let patch = manifolds.patches.get(bundle.manifolds[lane] as usize);
                let is_open = patch.is_some_and(|patch| self.is_open[bodies.island_of(patch.bodies)]);
                bundle.is_open[lane] = if is_open { 1.0 } else { 0.0 };
            }
        }
    }
}
