//! Light links of heavy trees that touch something, as a caster of 5 g under a robot of 1 kg.
//!
//! A pass stops a contact with the mass of its link, and the projection after it hands that impulse on to the tree: of the velocity of the
//! contact a share m/M is gone, with the mass m of the link and the mass M that the tree has there. What is left closes in the passes and
//! steps that follow, too late where M/m is a hundred: the robot rocks on its caster. Islands with such a contact have more passes.

use super::bodies::SubstepBodies;
use super::manifolds::Manifolds;
use super::parallel::Colours;
use super::repeat::mark;
use super::trees::SubstepTrees;
use crate::base::ThreadPool;
use crate::solvers::soft::{BLOCKED, Bundle, NORMAL, PassRule, TreeLink, Width};

/// M/m from which on a contact has more passes.
const HEAVY: f64 = 24.0;
/// That from which on a link is looked at that hangs on several joints, as a foot on a leg, which gives way.
const HEAVY_ON_LEG: f64 = 100.0;
/// M/m that a pass is enough for.
const A_PASS: f64 = 12.0;
/// Passes at most.
const MOST: f64 = 100.0;
/// Moving joints from a link to the root from which on it is not looked at, more than a robot's limb has. Each contact costs solutions of the
/// whole tree, which a long chain on the floor would pay a link.
const MANY_JOINTS: usize = 16;

/// Passes that islands have in addition.
#[derive(Clone, Debug, Default)]
pub(super) struct LightLinks {
    /// By island, and the most of all.
    passes: Vec<u32>,
    most: u32,
    is_open: Vec<bool>,
    /// By place; the links that move in few ways too.
    is_light: Vec<bool>,
    is_held: Vec<bool>,
}

impl LightLinks {
    /// Counts the passes, once a step; contacts that joints leave no motion give nothing.
    pub(super) fn begin<const W: usize>(
        &mut self,
        bundles: &mut [Bundle<W>],
        manifolds: &Manifolds,
        (bodies, trees): (&SubstepBodies, &mut SubstepTrees),
    ) {
        self.most = 0;
        if trees.is_empty() || bundles.is_empty() {
            return;
        }
        self.is_light.clear();
        self.is_light.resize(bodies.moving, false);
        let mut is_any = false;
        trees.each_mass_ratio(MANY_JOINTS, |place, ratio, joints| {
            let heavy = if joints > 1 { HEAVY_ON_LEG } else { HEAVY };
            let is_light = ratio > heavy && joints < MANY_JOINTS;
            self.is_light[place as usize] = is_light;
            is_any |= is_light;
        });
        self.is_held.clear();
        self.is_held.resize(bodies.moving, false);
        trees.each_held_link(|place| {
            self.is_held[place as usize] = true;
            is_any = true;
        });
        if !is_any {
            return;
        }
        self.passes.clear();
        self.passes.resize(bodies.islands(), 0);
        self.is_open.clear();
        self.is_open.resize(bodies.islands(), false);
        for bundle in bundles {
            for lane in 0..W {
                let Some(patch) = manifolds.patches.get(bundle.manifolds[lane] as usize) else { continue };
                let is_in = |list: &[bool]| patch.bodies.iter().any(|place| list.get(*place as usize) == Some(&true));
                let is_light = is_in(&self.is_light);
                if !is_light && !is_in(&self.is_held) {
                    continue;
                }
                let heavier = weigh(bundle, lane, bodies.nobodies()[0], trees);
                let passes = if !is_light || heavier < HEAVY { 0 } else { (heavier / A_PASS).min(MOST) as u32 };
                let of_island = &mut self.passes[bodies.island_of(patch.bodies)];
                *of_island = passes.max(*of_island);
                self.most = self.most.max(passes);
            }
        }
    }

    /// The passes of a sub-step with bias, or without.
    pub(super) fn run<L: Width<W>, const W: usize>(
        &mut self,
        (pool, colours): (&mut ThreadPool, &Colours),
        bundles: &mut [Bundle<W>],
        manifolds: &Manifolds,
        (bodies, trees, links): (&mut SubstepBodies, &mut SubstepTrees, &mut [TreeLink<W>]),
        (rule, is_soft): (&PassRule, bool),
    ) {
        let rule = PassRule { is_partial: true, is_last: false, ..*rule };
        for pass in 0..self.most {
            let open = |(island, passes): (usize, &u32)| (*passes > pass).then_some(island as u32);
            // The open islands are those of the last pass unless one of them has had all of its passes.
            if pass == 0 || self.passes.contains(&pass) {
                mark(&mut self.is_open, self.passes.iter().enumerate().filter_map(open), bundles, manifolds, bodies);
            }
            colours.pass::<L, W>(pool, bundles, bodies, &rule, is_soft);
            trees.ask_each(|place| self.passes[bodies.island_of([place; 2])] > pass);
            trees.project_asked::<L, W>(links, &mut bodies.z);
            trees.act_asked::<L, W>(links, &mut bodies.z, usize::from(!is_soft));
        }
    }
}

/// M/m of a contact, without the points that joints leave no motion: these give nothing from now on.
fn weigh<const W: usize>(bundle: &mut Bundle<W>, lane: usize, nobody: u32, trees: &mut SubstepTrees) -> f64 {
    let (places, rows) = bundle.normal_rows(lane, nobody);
    let through_tree = trees.couple(places, &rows);
    let mut heavier = 1.0f64;
    for k in 0..4 {
        let own: f64 = rows[k].iter().map(|e| e * e).sum();
        if own > 0.0 && through_tree[k][k] <= BLOCKED * own {
            bundle.block(NORMAL + k, lane, own);
        } else {
            heavier = heavier.max(own / through_tree[k][k].max(f64::MIN_POSITIVE));
        }
    }
    heavier
}
