//! What passes start from, in islands whose bodies turn far more easily than they move.
//!
//! Where `m r²/I` of a body is large all rows of its contacts turn it in nearly the same ways, and how it moves is the little in which
//! they differ: a pass, which solves row after row, comes a share of I/(m r²) closer to it. The impulses of the sub-step before, once more,
//! and those that have parted an overlap, are then far from what the next pass seeks; it does not take back what they
//! give, and that is energy made. So before each pass such an island takes as many times the impulses that it has as leave least. With velocities h that
//! forces leave, the effect g = Y λ of the impulses, and targets b and compliances Γ of their rows, s minimizes
//!
//! ```text
//! φ(s) = |h + s g|²/2 + s b·λ + s² λ·Γλ/2,    s = −(h·g + b·λ)/(|g|² + λ·Γλ).
//! ```
//!
//! This is the function that every row of the pass makes less, and φ(0) is its value without impulses: however far from their end passes
//! are, the last one of a sub-step leaves less energy than forces did. There are some more passes then, and more while s is not near one.

use super::bodies::SubstepBodies;
use super::manifolds::Manifolds;
use super::parallel::Colours;
use super::trees::SubstepTrees;
use crate::base::ThreadPool;
use crate::solvers::soft::{Bundle, PassRule, Width};

/// Times the impulses at most: what they press against each other without moving anything grows as well.
const MOST: f64 = 2.0;
/// Distance of s from one within which there are no more passes.
const NEAR: f64 = 1e-3;
/// Passes at least, and at most, before the one that all islands have: how an island moves may still change where its load is near.
const LEAST_PASSES: usize = 4;
const MOST_PASSES: usize = 16;

/// Islands that start from what leaves least.
#[derive(Clone, Debug, Default)]
pub(super) struct Starts {
    /// Those of light bodies without joints, in rising order.
    islands: Vec<Start>,
}

/// An island, `h·g + b·λ` and `|g|² + λ·Γλ`, and the times its impulses.
#[derive(Clone, Copy, Debug)]
struct Start {
    island: u32,
    work: f64,
    square: f64,
    times: f64,
    is_open: bool,
}

impl Starts {
    /// Which islands these are.
    pub(super) fn begin(&mut self, bodies: &SubstepBodies, trees: &SubstepTrees) {
        self.islands.clear();
        let has_joints = |island: u32| bodies.places_of(island as usize).any(|place| trees.has(place as u32));
        let islands = bodies.light_islands().iter().copied().filter(|island| !has_joints(*island));
        self.islands.extend(islands.map(|island| Start { island, work: 0.0, square: 0.0, times: 1.0, is_open: true }));
    }

    /// Before a pass with bias, or one without.
    pub(super) fn run<L: Width<W>, const W: usize>(
        &mut self,
        (pool, colours): (&mut ThreadPool, &Colours),
        bundles: &mut [Bundle<W>],
        manifolds: &Manifolds,
        bodies: &mut SubstepBodies,
        (rule, is_soft): (&PassRule, bool),
    ) {
        if self.islands.is_empty() {
            return;
        }
        let rule = PassRule { is_partial: true, ..*rule };
        self.islands.iter_mut().for_each(|start| start.is_open = true);
        for number in 0..MOST_PASSES {
            self.multiply(bundles, manifolds, bodies, (&rule, is_soft));
            if number >= LEAST_PASSES {
                self.close();
            }
            if !self.islands.iter().any(|start| start.is_open) {
                return;
            }
            self.mark(bundles, manifolds, bodies);
            colours.pass::<L, W>(pool, bundles, bodies, &rule, is_soft);
        }
        self.multiply(bundles, manifolds, bodies, (&rule, is_soft));
    }

    /// Closes the islands whose impulses have hardly changed.
    fn close(&mut self) {
        self.islands.iter_mut().for_each(|start| start.is_open &= (start.times - 1.0).abs() > NEAR);
    }

    /// Gives the open islands so many times their impulses as leave least.
    fn multiply<const W: usize>(
        &mut self,
        bundles: &mut [Bundle<W>],
        manifolds: &Manifolds,
        bodies: &mut SubstepBodies,
        (rule, is_soft): (&PassRule, bool),
    ) {
        for start in self.islands.iter_mut().filter(|start| start.is_open) {
            (start.work, start.square) = bodies.work_of_impulses(start.island as usize);
        }
        self.each_open(bundles, manifolds, bodies, |start, bundle, lane, bodies| {
            let (work, square) = bundle.work_of_targets(lane, &bodies.moved, (rule, is_soft));
            start.work += work;
            start.square += square;
        });
        for start in self.islands.iter_mut().filter(|start| start.is_open) {
            let times = -start.work / start.square;
            start.times = if times.is_nan() { 1.0 } else { times.clamp(0.0, MOST) };
            bodies.remove_impulses(start.island as usize);
        }
        // Velocities follow from the impulses. Multiplied themselves, they would multiply rounding that no row sees and no pass removes.
        self.each_open(bundles, manifolds, bodies, |start, bundle, lane, bodies| {
            bundle.multiply_impulses(lane, start.times);
            bundle.add_impulses(lane, 1.0, &mut bodies.z);
        });
    }

    /// Marks the manifolds of the open islands.
    fn mark<const W: usize>(&mut self, bundles: &mut [Bundle<W>], manifolds: &Manifolds, bodies: &mut SubstepBodies) {
        bundles.iter_mut().for_each(|bundle| bundle.is_open = [0.0; W]);
        self.each_open(bundles, manifolds, bodies, |_, bundle, lane, _| bundle.is_open[lane] = 1.0);
    }

    /// Visits the manifolds of the open islands.
    fn each_open<const W: usize>(
        &mut self,
        bundles: &mut [Bundle<W>],
        manifolds: &Manifolds,
        bodies: &mut SubstepBodies,
        mut visit: impl FnMut(&mut Start, &mut Bundle<W>, usize, &mut SubstepBodies),
    ) {
        for bundle in bundles {
            for lane in 0..usize::from(bundle.count) {
                let patch = &manifolds.patches[bundle.manifolds[lane] as usize];
                let island = bodies.island_of(patch.bodies) as u32;
                let Ok(number) = self.islands.binary_search_by_key(&island, |start| start.island) else { continue };
                let start = &mut self.islands[number];
                if start.is_open {
                    visit(start, bundle, lane, bodies);
                }
            }
        }
    }
}
