//! Passes without bias made again where those so far have made energy.
//!
//! The impulses δ of a sub-step take energy away: with the velocities z that forces leave, `|z + δ|² ≤ |z|²`, as a contact is no
//! spring. Passes come to that by and by. What a light body takes from a heavy one in a pass is no more than its own momentum, and
//! the same holds for what it takes back of impulses that a heavy one was started with: by then it has been thrown. So an island
//! whose bodies have more energy after the pass with bias than before any impulse has passes without bias until it has not, and
//! the last one after these. That one starts from what the pass with bias has found, which may have pressed an overlap apart and taken
//! energy all the same; so an island that has more energy after it has such passes once more. Elsewhere nothing is done.

use super::bodies::SubstepBodies;
use super::manifolds::Manifolds;
use super::parallel::Colours;
use super::trees::SubstepTrees;
use crate::base::ThreadPool;
use crate::solvers::soft::{Bundle, PassRule, ROWS, TreeLink, Width};

/// Energy that is made, by that of the island, from which on passes are made again.
const MADE: f64 = 1e-4;
/// Change of it in a pass below which passes have come to their end.
const STEADY: f64 = 1e-2;
/// Passes that are made again at most.
const MOST: u32 = 32;
/// Bodies above which an island has no more of them where they would not be enough: each takes long and changes little, as in a tall
/// stack while its loads build up.
const MANY: usize = 512;

/// Memory of the islands whose passes are made again.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    /// Islands of several bodies, without drives, elastic contacts, and trees that have energy of their own.
    judged: Vec<Judged>,
    /// Those that have made energy in the present sub-step.
    open: Vec<Judged>,
    /// Of these, the islands whose sub-step had ended.
    ended: Vec<u32>,
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
    fn new(island: usize) -> Self {
        Self { island: island as u32, before: 0.0, gain: 0.0 }
    }

    fn judge<L: Width<W>, const W: usize>(&mut self, bodies: &SubstepBodies) {
        let now = bodies.square::<L, W>(self.island as usize);
        self.gain = (now - self.before) / self.before.max(f64::MIN_POSITIVE);
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
        let several = |island: &usize| bodies.places_of(*island).len() > 1 && !bodies.in_contact_space[*island];
        let judged = (0..bodies.islands()).filter(several).filter(|island| !self.is_open[*island]);
        self.judged.extend(judged.map(Judged::new));
        self.is_open.fill(false);
    }

    /// After the pass with bias: passes without bias over the islands that have made energy.
    pub(super) fn run<L: Width<W>, const W: usize>(
        &mut self,
        (pool, colours): (&mut ThreadPool, &Colours),
        bundles: &mut [Bundle<W>],
        manifolds: &Manifolds,
        (bodies, trees, links): (&mut SubstepBodies, &mut SubstepTrees, &mut [TreeLink<W>]),
        rule: &PassRule,
    ) {
        for judged in &mut self.judged {
            judged.before = bodies.square_before::<L, W>(judged.island as usize);
        }
        self.judge::<L, W>(bodies);
        if !self.open.is_empty() {
            self.repeat::<L, W>((pool, colours), bundles, manifolds, (bodies, trees, links), rule);
        }
    }

    /// After the pass without bias: more of them over the islands that have made energy by then.
    pub(super) fn finish<L: Width<W>, const W: usize>(
        &mut self,
        (pool, colours): (&mut ThreadPool, &Colours),
        bundles: &mut [Bundle<W>],
        manifolds: &Manifolds,
        (bodies, trees, links): (&mut SubstepBodies, &mut SubstepTrees, &mut [TreeLink<W>]),
        rule: &PassRule,
    ) {
        self.judge::<L, W>(bodies);
        if self.open.is_empty() {
            return;
        }
        self.ended.clear();
        self.ended.extend(self.open.iter().map(|judged| judged.island));
        // The sums of the step have these impulses, and the next sub-step starts from a share of them.
        self.mark_ended(bundles, manifolds, bodies);
        each_marked(bundles, |bundle, lane| bundle.undo_carry_over(lane, &mut bodies.held));
        self.repeat::<L, W>((pool, colours), bundles, manifolds, (bodies, trees, links), rule);
        self.mark_ended(bundles, manifolds, bodies);
        each_marked(bundles, |bundle, lane| bundle.carry_over(lane, &mut bodies.held));
    }

    /// Lists the islands that have made energy.
    fn judge<L: Width<W>, const W: usize>(&mut self, bodies: &SubstepBodies) {
        self.open.clear();
        for judged in &mut self.judged {
            judged.judge::<L, W>(bodies);
            if judged.gain > MADE {
                self.open.push(*judged);
            }
        }
    }

    /// Passes without bias over the open islands, until none of them has made energy, or passes do not help.
    fn repeat<L: Width<W>, const W: usize>(
        &mut self,
        (pool, colours): (&mut ThreadPool, &Colours),
        bundles: &mut [Bundle<W>],
        manifolds: &Manifolds,
        (bodies, trees, links): (&mut SubstepBodies, &mut SubstepTrees, &mut [TreeLink<W>]),
        rule: &PassRule,
    ) {
        let rule = PassRule { is_partial: true, is_last: false, ..*rule };
        for left in (0..MOST).rev() {
            mark(&mut self.is_open, self.open.iter().map(|judged| judged.island), bundles, manifolds, bodies);
            colours.pass::<L, W>(pool, bundles, bodies, &rule, false);
            // A projection of what is projected changes it by rounding: trees of other islands keep their bits.
            trees.ask_each(|place| {
                let island = bodies.island_of([place; 2]) as u32;
                self.open.binary_search_by_key(&island, |judged| judged.island).is_ok()
            });
            trees.project_asked::<L, W>(links, &mut bodies.z);
            self.open.retain_mut(|judged| {
                let last = judged.gain;
                judged.judge::<L, W>(bodies);
                let change = judged.gain - last;
                // A pass changes less than the one before it.
                let suffices = judged.gain + change * f64::from(left) <= 0.0;
                let goes_on = suffices || bodies.places_of(judged.island as usize).len() <= MANY;
                change.abs() > STEADY || judged.gain > 0.0 && goes_on
            });
            if self.open.is_empty() {
                return;
            }
        }
    }

    /// Marks the manifolds of the islands whose sub-step had ended.
    fn mark_ended<const W: usize>(&mut self, bundles: &mut [Bundle<W>], manifolds: &Manifolds, bodies: &SubstepBodies) {
        mark(&mut self.is_open, self.ended.iter().copied(), bundles, manifolds, bodies);
    }
}

/// Marks the manifolds of some islands. `is_open` is by island, and false of all before and after.
pub(super) fn mark<const W: usize>(
    is_open: &mut [bool],
    islands: impl Iterator<Item = u32> + Clone,
    bundles: &mut [Bundle<W>],
    manifolds: &Manifolds,
    bodies: &SubstepBodies,
) {
    islands.clone().for_each(|island| is_open[island as usize] = true);
    for bundle in bundles {
        for lane in 0..W {
            let patch = manifolds.patches.get(bundle.manifolds[lane] as usize);
            let is_marked = patch.is_some_and(|patch| is_open[bodies.island_of(patch.bodies)]);
            bundle.is_open[lane] = if is_marked { 1.0 } else { 0.0 };
        }
    }
    islands.for_each(|island| is_open[island as usize] = false);
}

/// Visits the lanes of the marked manifolds.
fn each_marked<const W: usize>(bundles: &mut [Bundle<W>], mut visit: impl FnMut(&mut Bundle<W>, usize)) {
    for bundle in bundles {
        for lane in 0..W {
            if bundle.is_open[lane] > 0.0 {
                visit(bundle, lane);
            }
        }
    }
}
