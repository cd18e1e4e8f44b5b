//! Islands with trees and few contacts, solved in contact space.
//!
//! A pass over bodies stops a contact with the mass of its link, and the projection after it hands that on to the tree. Where rows are few it is
//! cheaper, and right at once, to let rows see each other through the trees: `W = Yᵀ P Y` is found once a step, a pass changes the velocities of rows
//! alone, and bodies move at the end of the step by the sums of all impulses (`ContactSpace`). Contacts and what drives, springs and stops the
//! axes of joints are solved in turn; where that has not settled, all that follows its law is solved at once (`ActiveRows`), and then in turn again.

use std::ops::Range;

use super::super::axes::Rates;
use super::Frame;
use super::bodies::SubstepBodies;
use super::colours::put_patch;
use super::manifolds::Manifolds;
use super::share::Shares;
use super::trees::SubstepTrees;
use crate::joints::JointRow;
use crate::model::WorldParameters;
use crate::solvers::soft::{
    ActiveRow, ActiveRows, BLOCK, BLOW, Bundle, ContactSpace, OwnPlaces, PassRule, Record, Sources, Supports, TreeLink,
    Width,
};

/// Blocks of rows of an island at most: manifolds, and axes by eights.
pub(super) const MOST: usize = 12;
/// Passes of a sub-step with bias, or without, that have not settled: so many where they make no energy, and so many at most; and the share of
/// the energy of the impulses by which the last of them changes these where they have settled.
const FEW: u32 = 2;
const PASSES: u32 = 24;
const SETTLED: f64 = 1e-9;
/// Passes before which, but for the first, what follows its law is solved at once.
const EXACT: u32 = 8;
/// Turn of a link in a step beyond which passes over bodies solve an island, whose joints follow it from sub-step to sub-step \[rad\].
const FAR: f64 = 0.5;
/// Compliance of rigid normals, by that of passes over bodies: rows that are solved at once settle without it, and what gives way takes energy from what
/// swings on it.
const SOFTNESS: f64 = 1.0 / 16.0;

/// Shares of their rates with which stops bounce where they would make energy, and what counts as none by that of their impulses.
const LESS: [f64; 4] = [0.7, 0.4, 0.2, 0.0];
const GIVEN: f64 = 1e-9;

/// Islands that are solved in contact space, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactSpaces {
    islands: Vec<OwnIsland>,
    bundles: Vec<Bundle<1>>,
    /// By island: manifolds, and blocks of axes.
    counts: Vec<[u32; 2]>,
    supports: Supports,
    space: ContactSpace,
    active: ActiveRows,
    /// Passes settled after what follows its law was solved at once, the last time that it was.
    helps: bool,
    /// Of the island: velocities that forces give in a sub-step, sums of the given impulses by the sub-steps in which they move something.
    pulls: Vec<Record>,
    moving: Vec<Record>,
    rows: Vec<JointRow>,
    /// Before forces act: velocities by place, rates by degree of freedom.
    before: Vec<Record>,
    rates: Vec<f64>,
    /// Rates after the first pull.
    now: Vec<f64>,
    /// After the step, by place: velocities, and displacements by forces and impulses. By degree of freedom: impulses, and their displacements.
    z: Vec<Record>,
    ways: Vec<Record>,
    along: Vec<[f64; 2]>,
}

/// An island: its number, its bundles and its trees.
#[derive(Clone, Debug)]
struct OwnIsland {
    number: usize,
    bundles: Range<usize>,
    trees: Range<usize>,
}

impl OwnIsland {
    /// Its trees, and the first block of their axes.
    fn axes(&self) -> (Range<usize>, usize) {
        (self.trees.clone(), self.bundles.len())
    }
}

impl ContactSpaces {
    /// All islands are.
    pub(super) fn has_all(&self, bodies: &SubstepBodies) -> bool {
        self.islands.len() == bodies.islands()
    }

    /// Memory for contact spaces of others.
    pub(super) fn memory(&mut self) -> (&mut ContactSpace, &mut Supports) {
        (&mut self.space, &mut self.supports)
    }

    /// The manifolds, one each.
    pub(super) fn bundles(&self) -> &[Bundle<1>] {
        &self.bundles
    }

    /// Which islands these are, with their manifolds.
    pub(super) fn choose(
        &mut self,
        frame: &Frame,
        manifolds: &Manifolds,
        bodies: &mut SubstepBodies,
        trees: &mut SubstepTrees,
    ) {
        self.islands.clear();
        self.bundles.clear();
        bodies.in_contact_space.clear();
        bodies.in_contact_space.resize(bodies.islands(), false);
        if trees.is_empty() {
            return;
        }
        self.counts.clear();
        self.counts.resize(bodies.islands(), [0; 2]);
        for patch in &manifolds.patches {
            self.counts[bodies.island_of(patch.bodies)][0] += 1;
        }
        for (number, (place, axes)) in trees.first_places_and_axes().enumerate() {
            let island = bodies.island_of([place; 2]);
            self.counts[island][1] += axes.div_ceil(BLOCK) as u32;
            match self.islands.last_mut().filter(|last| last.number == island) {
                Some(last) => last.trees.end = number + 1,
                None => self.islands.push(OwnIsland { number: island, bundles: 0..0, trees: number..number + 1 }),
            }
        }
        let counts = &self.counts;
        // Passes over bodies are not for loops: joints that have come apart by a fast turn leave too much between halves.
        let has_loops = |tree: usize| trees.has_loops(tree);
        self.islands.retain(|island| {
            let [manifolds, axes] = counts[island.number];
            let turns_far = |place: usize| frame.step * bodies.spins[place].length() > FAR;
            let is_slow = || !bodies.places_of(island.number).any(turns_far);
            manifolds > 0 && (manifolds + axes) as usize <= MOST && (island.trees.clone().any(&has_loops) || is_slow())
        });
        let mut next = 0;
        for island in &mut self.islands {
            bodies.in_contact_space[island.number] = true;
            let count = self.counts[island.number][0] as usize;
            island.bundles = next..next;
            next += count;
            island.trees.clone().for_each(|tree| trees.enter_contact_space(tree));
        }
        self.fill(next, manifolds, bodies, trees);
    }

    fn fill(&mut self, count: usize, manifolds: &Manifolds, bodies: &SubstepBodies, trees: &SubstepTrees) {
        self.bundles.resize(count, Bundle::EMPTY);
        for (number, patch) in manifolds.patches.iter().enumerate() {
            let island = bodies.island_of(patch.bodies);
            let Ok(own) = self.islands.binary_search_by_key(&island, |own| own.number) else { continue };
            let end = &mut self.islands[own].bundles.end;
            let bundle = &mut self.bundles[*end];
            *end += 1;
            bundle.has_one_side = patch.has_one_side;
            bundle.count = 1;
            bundle.moving = [[bodies.nobodies()[usize::from(!patch.has_one_side)]]; 2];
            bundle.points = 1;
            put_patch((bundle, 0), (number as u32, patch), bodies, trees);
        }
    }

    /// Fills the bundles, and adds the impulses of the last step to the velocities.
    pub(super) fn prepare(&mut self, sources: &Sources, z: &mut [Record]) {
        <f64 as Width<1>>::prepare(&mut self.bundles, sources, &mut OwnPlaces::all(z));
    }

    /// The bundles, to be changed.
    pub(super) fn bundles_mut(&mut self) -> &mut [Bundle<1>] {
        &mut self.bundles
    }

    /// Before forces act.
    pub(super) fn note(&mut self, bodies: &SubstepBodies, trees: &SubstepTrees) {
        if self.islands.is_empty() {
            return;
        }
        self.before.clone_from(&bodies.z);
        self.rates.clear();
        self.rates.extend(trees.rates());
    }

    /// The sub-steps. Bodies stay as they are until [`Self::move_bodies`].
    pub(super) fn run<L: Width<W>, const W: usize>(
        &mut self,
        (parameters, frame): (&WorldParameters, &Frame),
        manifolds: &Manifolds,
        (bodies, trees): (&SubstepBodies, &mut SubstepTrees),
        links: &mut [TreeLink<W>],
    ) {
        if self.islands.is_empty() {
            return;
        }
        self.z.clone_from(&bodies.z);
        self.ways.clear();
        self.ways.resize(bodies.z.len(), Record::default());
        self.along.clear();
        self.along.resize(self.rates.len(), [0.0; 2]);
        self.now.clear();
        self.now.extend(trees.rates());
        for number in 0..self.islands.len() {
            let island = self.islands[number].clone();
            self.begin::<L, W>(&island, frame, manifolds, (bodies, trees));
            self.advance::<L, W>(&island, (parameters, frame), (bodies, trees));
            self.sum_up(&island, frame, (bodies, trees));
        }
        trees.project_in_contact_space::<L, W>(links, (&mut self.z, &mut self.ways), &self.along);
        for island in &self.islands {
            for place in bodies.places_of(island.number) {
                let (before, moved) = (&bodies.z[place].0, &bodies.moved[place].0);
                (0..6).for_each(|e| self.ways[place].0[e] += moved[e] + frame.step * before[e]);
            }
        }
    }

    /// The contact space of an island.
    fn begin<L: Width<W>, const W: usize>(
        &mut self,
        island: &OwnIsland,
        frame: &Frame,
        manifolds: &Manifolds,
        (bodies, trees): (&SubstepBodies, &mut SubstepTrees),
    ) {
        let Self { bundles, supports, space, active, pulls, moving, .. } = self;
        let bundles = &mut bundles[island.bundles.clone()];
        active.begin();
        supports.clear();
        bundles.iter().for_each(|bundle| trees.reach_of_manifold::<L, W>(bundle, supports));
        island.trees.clone().for_each(|tree| trees.reach_of_axes::<L, W>(tree, supports));
        trees.begin_space::<L, W>(island.trees.clone(), (&mut *space, &mut *supports));
        for list in [&mut *pulls, moving] {
            list.clear();
            list.resize(space.blocks(), Record::default());
        }
        for (block, bundle) in bundles.iter_mut().enumerate() {
            bundle.see(space, block);
            for row in (0..BLOCK - 1).filter(|row| bundle.has_row(*row)) {
                let now = bundle.velocity(row, &bodies.z);
                space.velocities[block].0[row] = now;
                space.ways[block].0[row] = bundle.velocity(row, &bodies.moved);
                pulls[block].0[row] = now - bundle.velocity(row, &self.before);
            }
        }
        Shares::even_out_few(bundles, manifolds, (bodies, trees), frame.softness * SOFTNESS);
        trees.each_axis(island.axes(), |axis, block, row| {
            let rate = self.now[axis.dof as usize];
            space.velocities[block].0[row] = rate;
            pulls[block].0[row] = rate - self.rates[axis.dof as usize];
        });
    }

    /// The sub-steps of an island, in its contact space.
    fn advance<L: Width<W>, const W: usize>(
        &mut self,
        island: &OwnIsland,
        (parameters, frame): (&WorldParameters, &Frame),
        (bodies, trees): (&SubstepBodies, &mut SubstepTrees),
    ) {
        let pulled: f64 = bodies.places_of(island.number).map(|place| square(&bodies.pulls[place])).sum();
        let (mut last, mut share) = (pulled, 1.0);
        self.helps = true;
        self.begin_without_impulses(island, trees);
        for number in 0..frame.substeps {
            if number > 0 {
                self.start_again(island, share, trees);
            }
            self.drop_what_throws(island, trees);
            self.lay(island, (parameters, frame), trees);
            let rule = frame.rule(number);
            self.settle::<L, W>(island, (&rule, true), trees);
            self.drift(island, frame.part, trees);
            self.settle::<L, W>(island, (&rule, false), trees);
            self.lose_to_stops::<L, W>(island, &rule, trees);
            // What holds loads comes again in every sub-step, a blow does not: see `trees::carry`.
            let given = self.energy(island, trees);
            let most = BLOW * BLOW * pulled.max(last);
            share = if given > most { (most / given).sqrt() } else { 1.0 };
            last = given * share * share;
            self.carry_over(island, share, trees);
        }
    }

    /// Velocities without the impulses that the first sub-step starts from.
    fn begin_without_impulses(&mut self, island: &OwnIsland, trees: &mut SubstepTrees) {
        let Self { bundles, space, .. } = self;
        space.begin_without_impulses();
        for (block, bundle) in bundles[island.bundles.clone()].iter().enumerate() {
            bundle.lambda.iter().enumerate().for_each(|(row, lambda)| space.take(block, row, lambda[0]));
        }
        trees.each_axis(island.axes(), |axis, block, row| space.take(block, row, axis.own.lambda));
    }

    /// Forces act, and the impulses that are left of the last sub-step once more, a share of them.
    fn start_again(&mut self, island: &OwnIsland, share: f64, trees: &mut SubstepTrees) {
        let Self { bundles, space, pulls, .. } = self;
        trees.each_axis(island.axes(), |axis, block, row| axis.own.before = space.velocities[block].0[row]);
        space.start_again(pulls, share);
        for (given, bundle) in space.given.iter_mut().zip(&bundles[island.bundles.clone()]) {
            bundle.lambda.iter().enumerate().for_each(|(row, lambda)| given.0[row] += lambda[0]);
        }
        trees.each_axis(island.axes(), |axis, block, row| space.given[block].0[row] += axis.own.lambda);
    }

    /// Passes start from nothing where the impulses that they would start from make energy: what they stopped is gone, or the mechanism has turned.
    fn drop_what_throws(&mut self, island: &OwnIsland, trees: &mut SubstepTrees) {
        if self.given(island, trees)[0] <= 0.0 {
            return;
        }
        let Self { bundles, space, .. } = self;
        for (given, bundle) in space.given.iter_mut().zip(&mut bundles[island.bundles.clone()]) {
            for (row, lambda) in bundle.lambda.iter_mut().enumerate() {
                given.0[row] -= lambda[0];
                lambda[0] = 0.0;
            }
        }
        trees.each_axis(island.axes(), |axis, block, row| {
            space.given[block].0[row] -= axis.own.lambda;
            axis.own.lambda = 0.0;
        });
        space.leave_impulses();
    }

    /// Twice the energy that contacts, stops and friction have given in the sub-step, as what moves a contact surface sees it, and the sum of the sizes
    /// of all works.
    fn given(&self, island: &OwnIsland, trees: &mut SubstepTrees) -> [f64; 2] {
        let Self { bundles, space, .. } = self;
        let (mut given, mut size) = (0.0, 0.0);
        for (block, bundle) in bundles[island.bundles.clone()].iter().enumerate() {
            for (row, lambda) in bundle.lambda.iter().enumerate() {
                given += lambda[0] * (space.sum_of_velocities(block, row) + 2.0 * bundle.prescribed(row, 0));
                size += (lambda[0] * space.change(block, row)).abs();
            }
        }
        trees.each_axis(island.axes(), |axis, block, row| {
            given += axis.own.impulse_of_stops() * space.sum_of_velocities(block, row);
            size += (axis.own.lambda * space.change(block, row)).abs();
        });
        [given, size]
    }

    /// The laws of the axes at the start of a sub-step.
    fn lay(&mut self, island: &OwnIsland, of: (&WorldParameters, &Frame), trees: &mut SubstepTrees) {
        let Self { space, rows, .. } = self;
        let span = SubstepTrees::span(of);
        trees.each_axis(island.axes(), |axis, block, row| {
            axis.own.lay(&span, space.own_column(block, row).0[row].recip(), rows);
        });
    }

    /// Passes with bias, or without, until contacts and axes settle. A pass lowers the energy that is left, so that few do: the
    /// next sub-step goes on from there.
    fn settle<L: Width<W>, const W: usize>(
        &mut self,
        island: &OwnIsland,
        (rule, is_soft): (&PassRule, bool),
        trees: &mut SubstepTrees,
    ) {
        for pass in 1..=PASSES {
            if pass > FEW && (is_soft || self.makes_no_energy(island, trees)) {
                break;
            }
            let is_exact = pass > 1 && pass <= EXACT && (is_soft || self.helps);
            if is_exact {
                self.solve_active::<L, W>(island, (rule, is_soft), trees);
            }
            self.pass::<L, W>(island, (rule, is_soft), trees);
            let has_settled = self.space.has_settled(SETTLED);
            if is_exact {
                self.helps = has_settled;
            }
            if has_settled {
                break;
            }
        }
    }

    /// One pass.
    fn pass<L: Width<W>, const W: usize>(
        &mut self,
        island: &OwnIsland,
        (rule, is_soft): (&PassRule, bool),
        trees: &mut SubstepTrees,
    ) {
        let Self { bundles, space, .. } = self;
        space.begin_pass();
        L::pass_in_contact_space(space, &mut bundles[island.bundles.clone()], rule, is_soft);
        trees.each_axis(island.axes(), |axis, block, row| {
            let (rate, response) = (space.velocities[block].0[row], space.own_column(block, row).0[row]);
            let old = axis.own.lambda;
            axis.own.solve(usize::from(!is_soft), rate - response * old, response);
            let change = axis.own.lambda - old;
            if change.is_finite() {
                space.note((block, row), axis.own.lambda, change);
                space.give(block, row, change);
            } else {
                axis.own.lambda = old;
            }
        });
    }

    /// Solves what follows its law at once.
    fn solve_active<L: Width<W>, const W: usize>(
        &mut self,
        island: &OwnIsland,
        (rule, is_soft): (&PassRule, bool),
        trees: &mut SubstepTrees,
    ) {
        let Self { bundles, space, active, .. } = self;
        let bundles = &mut bundles[island.bundles.clone()];
        active.rows.clear();
        if is_soft {
            space.find_active::<true>(bundles, rule, &mut active.rows);
        } else {
            space.find_active::<false>(bundles, rule, &mut active.rows);
        }
        trees.each_axis(island.axes(), |axis, block, row| {
            let response = space.own_column(block, row).0[row];
            if let Some((compliance, error)) = axis.own.slope(usize::from(!is_soft), space.velocities[block].0[row]) {
                active.rows.push(ActiveRow { block, row, error, diagonal: response + compliance });
            }
        });
        L::solve_active_rows(active, space, is_soft);
        if !active.changes.iter().all(|change| change.is_finite()) {
            return;
        }
        let (mut share, manifolds) = (active.share_within(bundles), bundles.len());
        let all = || active.rows.iter().zip(&active.changes);
        let of_axes = || all().filter(|(row, _)| row.block >= manifolds).peekable();
        let mut rest = of_axes();
        trees.each_axis(island.axes(), |axis, block, row| {
            if let Some((own, change)) = rest.next_if(|(own, _)| (own.block, own.row) == (block, row)) {
                let compliance = own.diagonal - space.own_column(block, row).0[row];
                share = share.min(axis.own.share_within(*change, compliance));
            }
        });
        for (own, change) in all().take_while(|(row, _)| row.block < manifolds) {
            bundles[own.block].lambda[own.row][0] += share * change;
            space.give(own.block, own.row, share * change);
        }
        let mut rest = of_axes();
        trees.each_axis(island.axes(), |axis, block, row| {
            if let Some((_, change)) = rest.next_if(|(own, _)| (own.block, own.row) == (block, row)) {
                axis.own.lambda += share * change;
                space.give(block, row, share * change);
            }
        });
    }

    /// Stops that bounce at once with others, or with contacts, give no more than they take: they bounce less until that is so.
    fn lose_to_stops<L: Width<W>, const W: usize>(
        &mut self,
        island: &OwnIsland,
        rule: &PassRule,
        trees: &mut SubstepTrees,
    ) {
        for share in LESS {
            let mut bounces = false;
            trees.each_axis(island.axes(), |axis, _, _| bounces |= axis.own.bounces());
            if !bounces || self.makes_no_energy(island, trees) {
                return;
            }
            trees.each_axis(island.axes(), |axis, _, _| axis.own.bounce_less(share));
            self.settle::<L, W>(island, (rule, false), trees);
        }
    }

    /// Contacts, stops and friction have given no energy in the sub-step.
    fn makes_no_energy(&self, island: &OwnIsland, trees: &mut SubstepTrees) -> bool {
        let [given, size] = self.given(island, trees);
        given <= GIVEN * size
    }

    /// Displacements follow the velocities.
    fn drift(&mut self, island: &OwnIsland, part: f64, trees: &mut SubstepTrees) {
        let Self { space, moving, .. } = self;
        for (moving, given) in moving.iter_mut().zip(&space.given) {
            (0..BLOCK).for_each(|row| moving.0[row] += given.0[row]);
        }
        for (way, velocity) in space.ways.iter_mut().zip(&space.velocities) {
            (0..BLOCK).for_each(|row| way.0[row] += part * velocity.0[row]);
        }
        trees.each_axis(island.axes(), |axis, block, row| axis.own.drift(part * space.velocities[block].0[row]));
    }

    /// Twice the energy that the impulses of the sub-step would give what is at rest.
    fn energy(&self, island: &OwnIsland, trees: &mut SubstepTrees) -> f64 {
        let Self { bundles, space, .. } = self;
        let mut energy = 0.0;
        for (block, bundle) in bundles[island.bundles.clone()].iter().enumerate() {
            for (row, lambda) in bundle.lambda.iter().enumerate() {
                energy += lambda[0] * space.change(block, row);
            }
        }
        trees.each_axis(island.axes(), |axis, block, row| energy += axis.own.lambda * space.change(block, row));
        energy
    }

    /// Adds the impulses of a sub-step to the sums of the step, and leaves the share that the next one starts from.
    fn carry_over(&mut self, island: &OwnIsland, share: f64, trees: &mut SubstepTrees) {
        let Self { bundles, space, .. } = self;
        for bundle in &mut bundles[island.bundles.clone()] {
            for (total, lambda) in bundle.total.iter_mut().zip(&mut bundle.lambda) {
                total[0] += lambda[0];
                lambda[0] *= share;
            }
        }
        trees.each_axis(island.axes(), |axis, block, row| {
            axis.own.sum_up(space.velocities[block].0[row], Rates::OfMiddles);
            axis.own.lambda *= share;
        });
    }

    /// What the forces and all impulses of the step do to the bodies, as these are alone.
    fn sum_up(&mut self, island: &OwnIsland, frame: &Frame, (bodies, trees): (&SubstepBodies, &mut SubstepTrees)) {
        let Self { bundles, space, moving, z, ways, along, .. } = self;
        let parts = f64::from(frame.substeps);
        let (again, way) = (parts - 1.0, 0.5 * frame.part * parts * (parts - 1.0));
        for place in bodies.places_of(island.number) {
            for e in 0..6 {
                let pull = bodies.pulls[place].0[e];
                z[place].0[e] += again * pull;
                ways[place].0[e] += way * pull;
            }
        }
        moving.iter_mut().for_each(|moving| moving.0.iter_mut().for_each(|moving| *moving *= frame.part));
        for (block, bundle) in bundles[island.bundles.clone()].iter().enumerate() {
            bundle.add(&space.given[block], z);
            bundle.add(&moving[block], ways);
        }
        trees.each_axis(island.axes(), |axis, block, row| {
            along[axis.dof as usize] = [space.given[block].0[row], moving[block].0[row]];
        });
    }

    /// At the end of the sub-steps: velocities and displacements of the bodies, whatever those of others did to them meanwhile.
    pub(super) fn move_bodies(&self, bodies: &mut SubstepBodies) {
        for island in &self.islands {
            for place in bodies.places_of(island.number) {
                (bodies.moved[place], bodies.z[place]) = (self.ways[place], self.z[place]);
            }
        }
    }
}

fn square(record: &Record) -> f64 {
    record.0[..6].iter().map(|e| e * e).sum()
}
