//! Bodies that land flat, with several points at once: boxes, tables on their feet, several links that are welded together.
//!
//! Passes solve point after point. The first one takes most of a blow and rotates the body, and each pass takes back only a share of that;
//! the rest remains as rotation, since the next sub-step does not start from blows. So what lands together has passes of its own,
//! friction included, until its impulses have converged. Links of trees that are not rigid are left out: their blows are solved
//! link by link.

use super::Frame;
use super::bodies::SubstepBodies;
use super::manifolds::Manifolds;
use super::parallel::pass_some;
use super::trees::SubstepTrees;
use crate::base::{first_of, join};
use crate::solvers::soft::{BLOW, Bundle, Closing, LEAST_SHARE, NORMAL, PassRule, ROWS, Record, TreeLink, Width};

/// No group.
const NONE: u32 = u32::MAX;
/// Velocity relative to that of the landing up to which a point that is near the surface after the move counts as touching.
const TOUCHES: f64 = 0.01;
/// Passes at most, and the change relative to the largest impulse up to which they end.
const MOST: u32 = 60;
const STILL: f64 = 1e-6;

/// What lands flat in the present step.
#[derive(Clone, Debug, Default)]
pub(super) struct Landings {
    /// Manifolds that land, in the order of the bundles.
    manifolds: Vec<Landing>,
    /// Those that bear bodies of a landing already: the blow acts on them too.
    others: Vec<Landing>,
    /// By place: another one of its group, see [`first_of`].
    parents: Vec<u32>,
    /// What lands together, and its number by the first place of the group.
    groups: Vec<Group>,
    of_first: Vec<u32>,
    /// Bundles with open manifolds.
    bundles: Vec<u32>,
}

/// A manifold that lands.
#[derive(Clone, Copy, Debug)]
struct Landing {
    bundle: u32,
    lane: u32,
    /// Number of its group.
    group: u32,
    /// Its points that touch in the step; of others none.
    closing: Closing,
    /// Impulses after the last pass.
    last: [f64; ROWS],
}

/// Manifolds that share bodies.
#[derive(Clone, Copy, Debug)]
struct Group {
    closing: Closing,
    /// It touches in the present sub-step, or has in one before.
    has_landed: bool,
    is_open: bool,
    /// Trees leave their blows by themselves.
    is_tree: bool,
    /// Sum of its normals, and of what forces give its bodies \[N s\].
    load: f64,
    forces: f64,
    /// Largest impulse, and largest change of one in the last pass.
    largest: f64,
    change: f64,
}

impl Landings {
    /// Finds what lands in a step: manifolds that carry nothing yet and whose points close at the same speed, faster than `slow` \[m/s\].
    pub(super) fn begin<const W: usize>(
        &mut self,
        bundles: &mut [Bundle<W>],
        manifolds: &Manifolds,
        (bodies, trees): (&SubstepBodies, &SubstepTrees),
        frame: &Frame,
    ) {
        self.manifolds.clear();
        self.others.clear();
        self.groups.clear();
        let (rule, slow) = (frame.rule(0), frame.slow);
        for (number, bundle) in bundles.iter().enumerate() {
            for lane in 0..usize::from(bundle.count) {
                // What closes by its rotation does not land flat.
                if bundle.load(lane) > 0.0 || bundle.closing_of_centers(lane, &bodies.z) < 0.5 * slow {
                    continue;
                }
                let patch = &manifolds.patches[bundle.manifolds[lane] as usize];
                if patch.bodies.iter().any(|place| trees.is_articulated(*place)) {
                    continue;
                }
                let closing = bundle.closing(lane, (&bodies.z, &bodies.moved), (&rule, frame.horizon()));
                let is_even = closing.slowest > slow && closing.are_alike();
                if is_even && !(bundle.is_special && manifolds.is_elastic(patch)) {
                    self.manifolds.push(Landing::new(number, lane, NONE, closing));
                }
            }
        }
        if self.manifolds.is_empty() {
            return;
        }
        self.group(bundles, (bodies, trees));
        self.add_others(bundles, bodies.moving);
        // A compliance would give way to the blow.
        for landing in &self.manifolds {
            bundles[landing.bundle as usize].soften(landing.lane as usize, 0.0);
        }
    }

    /// Puts together what shares bodies, and leaves out what has one point, or does not land at once.
    fn group<const W: usize>(&mut self, bundles: &[Bundle<W>], (bodies, trees): (&SubstepBodies, &SubstepTrees)) {
        self.parents.clear();
        self.parents.extend((0..bodies.moving as u32).map(|place| trees.first_place(place)));
        for landing in &self.manifolds {
            let bundle = &bundles[landing.bundle as usize];
            if !bundle.has_one_side {
                join(&mut self.parents, bundle.moving.map(|side| side[landing.lane as usize]));
            }
        }
        self.of_first.clear();
        self.of_first.resize(bodies.moving, NONE);
        for landing in &mut self.manifolds {
            let place = bundles[landing.bundle as usize].moving[0][landing.lane as usize];
            let number = &mut self.of_first[first_of(&self.parents, place) as usize];
            if *number == NONE {
                *number = self.groups.len() as u32;
                self.groups.push(Group::NEW);
            }
            landing.group = *number;
            let group = &mut self.groups[*number as usize];
            group.closing = group.closing.and(landing.closing);
        }
        self.manifolds.retain(|landing| self.groups[landing.group as usize].closing.is_flat());
    }

    /// The group of a body that moves.
    fn group_of(&self, place: u32) -> Option<u32> {
        let number = self.of_first[first_of(&self.parents, place) as usize];
        Some(number).filter(|number| *number != NONE)
    }

    /// Adds what bears the bodies of the groups already.
    fn add_others<const W: usize>(&mut self, bundles: &[Bundle<W>], moving: usize) {
        if self.manifolds.is_empty() {
            return;
        }
        for (number, bundle) in bundles.iter().enumerate() {
            for lane in (0..usize::from(bundle.count)).filter(|lane| bundle.load(*lane) > 0.0) {
                let places = bundle.moving.map(|side| side[lane]).into_iter().filter(|p| (*p as usize) < moving);
                let groups = places.filter_map(|place| self.group_of(place));
                let is_flat = |group: &u32| self.groups[*group as usize].closing.is_flat();
                if let Some(group) = groups.filter(is_flat).min() {
                    self.others.push(Landing::new(number, lane, group, Closing::NONE));
                }
            }
        }
    }

    /// Before the passes with bias of a sub-step, which ends at some time of the step \[s\], and before those without: more of them over what
    /// lands.
    pub(super) fn run<L: Width<W>, const W: usize>(
        &mut self,
        bundles: &mut [Bundle<W>],
        (bodies, trees, links): (&mut SubstepBodies, &mut SubstepTrees, &mut [TreeLink<W>]),
        (rule, is_soft, end): (&PassRule, bool, f64),
    ) {
        if self.manifolds.is_empty() {
            return;
        }
        for group in &mut self.groups {
            // It closes faster than twice what forces give in a step: it touches at two thirds of that time at the earliest.
            group.is_open = group.has_landed || is_soft && group.closing.time < 1.5 * end;
        }
        if !is_soft {
            self.stop(bundles, &bodies.z);
        }
        let rule = PassRule { is_partial: true, is_last: false, ..*rule };
        let mut changes = true;
        for pass in 0..MOST {
            if changes {
                self.mark(bundles);
                if self.bundles.is_empty() {
                    return;
                }
                let is_open = |group| self.groups[group as usize].is_open;
                trees.ask_each(|place| self.group_of(place).is_some_and(is_open));
            }
            pass_some::<L, W>(&self.bundles, bundles, bodies, &rule, is_soft);
            trees.project_asked::<L, W>(links, &mut bodies.z);
            self.compare(bundles);
            changes = pass > 0 && self.close();
        }
    }

    /// Points that have touched keep no velocity. A blow that takes two sub-steps may stop some of them in the first one alone.
    fn stop<const W: usize>(&self, bundles: &mut [Bundle<W>], z: &[Record]) {
        for landing in &self.manifolds {
            let group = &self.groups[landing.group as usize];
            if group.has_landed {
                bundles[landing.bundle as usize].stop(landing.lane as usize, z, TOUCHES * group.closing.fastest);
            }
        }
    }

    /// After the last pass of a sub-step: what has landed starts the next one from the same share of all impulses of the blow, which bears what
    /// forces give. A blow that stops a translation is distributed as the weight is.
    pub(super) fn leave_blows<const W: usize>(&mut self, bundles: &mut [Bundle<W>], bodies: &mut SubstepBodies) {
        if !self.groups.iter().any(|group| group.has_landed) {
            return;
        }
        for group in &mut self.groups {
            (group.load, group.forces) = (0.0, 0.0);
        }
        for landing in &self.manifolds {
            let (bundle, lane) = (&bundles[landing.bundle as usize], landing.lane as usize);
            let group = &mut self.groups[landing.group as usize];
            group.load += bundle.load(lane) / bundle.carried[lane];
            group.is_tree |= bundle.leaves_blows[lane] == 0.0;
        }
        for place in 0..bodies.moving {
            if let Some(group) = self.group_of(place as u32) {
                self.groups[group as usize].forces += bodies.impulse_of_forces(place);
            }
        }
        for landing in &self.manifolds {
            let group = &self.groups[landing.group as usize];
            if group.has_landed && !group.is_tree && group.load > BLOW * group.forces {
                let share = (group.forces / group.load).max(LEAST_SHARE);
                bundles[landing.bundle as usize].carry_other_share(landing.lane as usize, share, &mut bodies.held);
            }
        }
    }

    /// Opens the manifolds of open groups, and lists their bundles.
    fn mark<const W: usize>(&mut self, bundles: &mut [Bundle<W>]) {
        self.bundles.clear();
        for landing in self.manifolds.iter().chain(&self.others) {
            bundles[landing.bundle as usize].is_open = [0.0; W];
        }
        let all = self.manifolds.iter().chain(&self.others);
        for landing in all.filter(|landing| self.groups[landing.group as usize].is_open) {
            bundles[landing.bundle as usize].is_open[landing.lane as usize] = 1.0;
            self.bundles.push(landing.bundle);
        }
        self.bundles.sort_unstable();
        self.bundles.dedup();
    }

    /// Compares the impulses with those of the last pass.
    fn compare<const W: usize>(&mut self, bundles: &[Bundle<W>]) {
        for group in &mut self.groups {
            (group.largest, group.change) = (0.0, 0.0);
        }
        for landing in self.manifolds.iter_mut().chain(&mut self.others) {
            let group = &mut self.groups[landing.group as usize];
            let lambda = &bundles[landing.bundle as usize].lambda;
            for (row, last) in landing.last.iter_mut().enumerate() {
                let now = lambda[row][landing.lane as usize];
                group.largest = group.largest.max(now.abs());
                group.change = group.change.max((now - *last).abs());
                *last = now;
            }
        }
        for landing in &self.manifolds {
            self.groups[landing.group as usize].has_landed |= landing.last[NORMAL..].iter().any(|normal| *normal > 0.0);
        }
    }

    /// Closes the groups whose impulses have not changed since the last pass. Whether there is one.
    fn close(&mut self) -> bool {
        let mut closes = false;
        for group in self.groups.iter_mut().filter(|group| group.is_open && group.change <= STILL * group.largest) {
            group.is_open = false;
            closes = true;
        }
        closes
    }
}

impl Landing {
    fn new(bundle: usize, lane: usize, group: u32, closing: Closing) -> Self {
        Self { bundle: bundle as u32, lane: lane as u32, group, closing, last: [0.0; ROWS] }
    }
}

impl Group {
    const NEW: Self = Self {
        closing: Closing::NONE,
        has_landed: false,
        is_open: false,
        is_tree: false,
        load: 0.0,
        forces: 0.0,
        largest: 0.0,
        change: 0.0,
    };
}
