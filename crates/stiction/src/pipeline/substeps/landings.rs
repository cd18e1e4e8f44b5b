//! Bodies that land flat, with several points at once: boxes, tables on their feet, several links that are welded together.
//!
//! Passes solve point after point. The first one takes most of a blow and turns the body, and the others take back only a share of that in
//! each pass; what is left stays as rotation, since the next sub-step does not start from blows. So what lands together is solved
//! together: passes over these manifolds alone, friction included, until their impulses stay as they are. Links of trees that are not rigid
//! are left out: there the first link that touches may well stop on its own.

use super::bodies::SubstepBodies;
use super::manifolds::Manifolds;
use super::parallel::pass_some;
use super::trees::SubstepTrees;
use crate::solvers::soft::{BLOW, Bundle, LEAST_SHARE, NORMAL, PassRule, ROWS, Record, TreeLink, Width};

/// No group.
const NONE: u32 = u32::MAX;
/// Relative difference of the closing velocities of points up to which they land together.
const ALIKE: f64 = 0.05;
/// Velocity by that of the landing below which a point that the sub-step has brought near the surface touches it.
const TOUCHES: f64 = 0.01;
/// Passes at most, and the change by the largest impulse from which on there are more.
const MOST: u32 = 60;
const STILL: f64 = 1e-6;

/// What lands flat in the present step.
#[derive(Clone, Debug, Default)]
pub(super) struct Landings {
    /// Manifolds that land, in the order of the bundles.
    manifolds: Vec<Landing>,
    /// Those which carry the bodies that land, or are landed upon, already: they are hit as well.
    others: Vec<Landing>,
    /// By place: one of the bodies that it lands with, itself last.
    leads: Vec<u32>,
    /// What lands together, and its number by the body that all lead to.
    groups: Vec<Group>,
    of_lead: Vec<u32>,
    /// Bundles with open manifolds.
    bundles: Vec<u32>,
}

/// A manifold that lands.
#[derive(Clone, Copy, Debug)]
struct Landing {
    bundle: u32,
    lane: u32,
    /// A body that it moves, then the number of its group.
    group: u32,
    count: usize,
    /// When the first of its points touches, from the start of the step \[s\].
    time: f64,
    /// Slowest and fastest closing velocity of its points.
    closing: [f64; 2],
    /// Impulses after the last pass.
    last: [f64; ROWS],
}

/// Manifolds that share bodies.
#[derive(Clone, Copy, Debug)]
struct Group {
    count: usize,
    time: f64,
    closing: [f64; 2],
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
        (horizon, slow): (f64, f64),
    ) {
        self.manifolds.clear();
        self.others.clear();
        self.groups.clear();
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
                let Some((count, time, closing)) = bundle.closing(lane, (&bodies.z, &bodies.moved), horizon) else {
                    continue;
                };
                let is_flat = closing[0] > slow && are_alike(closing);
                if is_flat && !(bundle.is_special && manifolds.is_elastic(patch)) {
                    let (bundle, lane) = (number as u32, lane as u32);
                    self.manifolds.push(Landing { bundle, lane, group: 0, count, time, closing, last: [0.0; ROWS] });
                }
            }
        }
        if !self.manifolds.is_empty() {
            self.group(bundles, (bodies, trees));
        }
        if !self.manifolds.is_empty() {
            self.add_others(bundles, bodies.moving);
        }
        // What gives way would give way to a blow.
        for landing in &self.manifolds {
            bundles[landing.bundle as usize].soften(landing.lane as usize, 0.0);
        }
    }

    /// Puts together what shares bodies, and leaves what has one point, or does not land at once.
    fn group<const W: usize>(&mut self, bundles: &[Bundle<W>], (bodies, trees): (&SubstepBodies, &SubstepTrees)) {
        self.leads.clear();
        self.leads.extend((0..bodies.moving as u32).map(|place| trees.first_place(place)));
        for landing in &mut self.manifolds {
            let bundle = &bundles[landing.bundle as usize];
            let [first, second] = [0, 1].map(|side| bundle.moving[side][landing.lane as usize]);
            landing.group = lead(&mut self.leads, first);
            if !bundle.has_one_side {
                let other = lead(&mut self.leads, second);
                self.leads[other.max(landing.group) as usize] = other.min(landing.group);
            }
        }
        self.of_lead.clear();
        self.of_lead.resize(bodies.moving, NONE);
        for landing in &mut self.manifolds {
            let own = lead(&mut self.leads, landing.group);
            let number = &mut self.of_lead[own as usize];
            if *number == NONE {
                *number = self.groups.len() as u32;
                self.groups.push(Group::NEW);
            }
            landing.group = *number;
            let group = &mut self.groups[*number as usize];
            group.count += landing.count;
            group.time = group.time.min(landing.time);
            group.closing = [group.closing[0].min(landing.closing[0]), group.closing[1].max(landing.closing[1])];
        }
        self.manifolds.retain(|landing| self.groups[landing.group as usize].is_flat());
    }

    /// Adds what carries the bodies of the groups.
    fn add_others<const W: usize>(&mut self, bundles: &[Bundle<W>], moving: usize) {
        for (number, bundle) in bundles.iter().enumerate() {
            for lane in (0..usize::from(bundle.count)).filter(|lane| bundle.load(*lane) > 0.0) {
                let places =
                    bundle.moving.map(|side| side[lane]).into_iter().filter(|place| (*place as usize) < moving);
                let group = places.map(|place| self.of_lead[end_of(&self.leads, place) as usize]);
                if let Some(group) =
                    group.filter(|group| self.groups.get(*group as usize).is_some_and(Group::is_flat)).min()
                {
                    let (bundle, lane) = (number as u32, lane as u32);
                    let closing = [0.0; 2];
                    self.others.push(Landing { bundle, lane, group, count: 0, time: 0.0, closing, last: [0.0; ROWS] });
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
            // What is faster than twice what forces give in a step touches no earlier than that.
            group.is_open = group.has_landed || is_soft && group.time < 1.5 * end;
        }
        if !is_soft {
            self.stop(bundles, &bodies.z);
        }
        let rule = PassRule { is_partial: true, is_last: false, ..*rule };
        for pass in 0..MOST {
            self.mark(bundles);
            if self.bundles.is_empty() {
                return;
            }
            pass_some::<L, W>(&self.bundles, bundles, bodies, &rule, is_soft);
            if !trees.is_empty() {
                trees.ask_each(|place| {
                    let number = self.of_lead[end_of(&self.leads, place) as usize];
                    self.groups.get(number as usize).is_some_and(|group| group.is_open)
                });
                trees.project_asked::<L, W>(links, &mut bodies.z);
            }
            self.compare(bundles, pass > 0);
        }
    }

    /// Points that have touched keep no velocity. Of a body that is to be stopped by and by, from sub-step to sub-step, some would be stopped
    /// before the others.
    fn stop<const W: usize>(&self, bundles: &mut [Bundle<W>], z: &[Record]) {
        for landing in &self.manifolds {
            let group = &self.groups[landing.group as usize];
            if group.has_landed {
                bundles[landing.bundle as usize].stop(landing.lane as usize, z, TOUCHES * group.closing[1]);
            }
        }
    }

    /// After the last pass of a sub-step: what has landed in it starts the next one from the impulses of the blow, each by the same share, so
    /// that they bear what forces give. The blow has stopped what moves together, and forces pull together.
    pub(super) fn leave_blows<const W: usize>(&mut self, bundles: &mut [Bundle<W>], bodies: &mut SubstepBodies) {
        if self.manifolds.is_empty() {
            return;
        }
        for group in &mut self.groups {
            (group.load, group.forces) = (0.0, 0.0);
        }
        for landing in &self.manifolds {
            let (bundle, lane) = (&bundles[landing.bundle as usize], landing.lane as usize);
            let group = &mut self.groups[landing.group as usize];
            group.load += bundle.load(lane) / bundle.carried(lane);
            group.is_tree |= bundle.leaves_blows[lane] == 0.0;
        }
        for place in 0..bodies.moving {
            let group = self.groups.get_mut(self.of_lead[end_of(&self.leads, place as u32) as usize] as usize);
            if let Some(group) = group.filter(|group| group.has_landed) {
                group.forces += bodies.impulse_of_forces(place);
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

    /// Closes the groups whose impulses have not changed since the last pass.
    fn compare<const W: usize>(&mut self, bundles: &[Bundle<W>], closes: bool) {
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
        for group in self.groups.iter_mut().filter(|_| closes) {
            group.is_open &= group.change > STILL * group.largest;
        }
        for landing in &self.manifolds {
            self.groups[landing.group as usize].has_landed |= landing.last[NORMAL..].iter().any(|normal| *normal > 0.0);
        }
    }
}

impl Group {
    const NEW: Self = Self {
        count: 0,
        time: f64::INFINITY,
        closing: [f64::INFINITY, 0.0],
        has_landed: false,
        is_open: false,
        is_tree: false,
        load: 0.0,
        forces: 0.0,
        largest: 0.0,
        change: 0.0,
    };

    /// All of its points land at once.
    fn is_flat(&self) -> bool {
        self.count > 1 && are_alike(self.closing)
    }
}

fn are_alike([slowest, fastest]: [f64; 2]) -> bool {
    slowest >= (1.0 - ALIKE) * fastest
}

/// The last of the bodies that one leads to.
fn end_of(leads: &[u32], mut place: u32) -> u32 {
    while leads[place as usize] != place {
        place = leads[place as usize];
    }
    place
}

/// The same, to which the way is one step afterwards.
fn lead(leads: &mut [u32], place: u32) -> u32 {
    let end = end_of(leads, place);
    leads[place as usize] = end;
    end
}
