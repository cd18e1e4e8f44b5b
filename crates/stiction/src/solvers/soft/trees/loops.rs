//! Loops of joints: a body of each is cut into two halves, the second half hangs on the joint that closes the loop, and a weld holds the halves together.
//!
//! A weld is six rows J, whatever the joint: the velocity of the first half less that of the second, at their centre. With the solution P of trees (momenta
//! to velocities) `G = J P Jᵀ` of all welds is eliminated with pivots by size, and rows that others imply are left out: of a planar linkage, what would hold it
//! in its plane once more.

use super::super::contact_space::ROWS_OF_CUT as ROWS;
use super::super::lane::{L3, Lanes, cross, dot, minus, times};
use super::super::rotation::{inverse, product};
use super::inertia::to_world;
use super::link::{Held, TreeLink};
use super::moving::MovingLink;
use super::place::{axes_of, load4};
use super::project::{all_inward, load3, one_outward};
use crate::solvers::SemidefiniteSystem;

/// Share of its own diagonal in G, and of that of two halves that nothing else holds, below which what is left of a row is implied by others: axes that miss
/// each other by less than 1e-4 rad, or by 3e-5 of a radius of inertia, move as if they met.
const IMPLIED: f64 = 1e-8;
const STILL: f64 = 1e-9;
/// Shares of these from which on a row counts where it is asked what a cut leaves its loop.
const SLIGHT: f64 = 1e-2;
/// Largest share that counts as that by which joints have come apart, squared: what a wide gap leaves out it could not close.
const MOST_SLACK: f64 = 2.5e-5;

/// What a unit impulse of a row does to a link: its velocity, the rates of its motions, the momentum along these.
#[derive(Clone, Copy, Debug)]
pub(super) struct Response<const W: usize> {
    pub(super) velocity: [[f64; W]; 6],
    pub(super) rates: [[f64; W]; 3],
    pub(super) along: [[f64; W]; 3],
}

/// What is kept of a link while responses are found: momentum, impulses along its motions and momenta of rotors.
type Given<const W: usize> = [[[f64; W]; 6]; 2];

/// The cuts of trees that lie side by side.
#[derive(Clone, Debug)]
pub(crate) struct Loops<const W: usize> {
    /// Links that are halves of one body.
    pub(super) cuts: Vec<[u32; 2]>,
    /// By row and link.
    pub(super) responses: Vec<Response<W>>,
    /// By lane: G, eliminated.
    systems: Vec<(SemidefiniteSystem, Vec<f64>)>,
    /// Diagonal of G if nothing else held the halves, by row.
    pub(super) free: Vec<[f64; W]>,
    /// The same about axes by which the halves turn least, by row.
    heavy: Vec<[f64; W]>,
    /// By lane: share of that below which what is left of a row may be how far the joints have come apart.
    slack: [f64; W],
    /// Work space.
    given: Vec<Given<W>>,
    rows: Vec<[f64; W]>,
    pub(super) own: Vec<f64>,
    /// Of a loop that jams: impulses along the motions of each link, and those that are tried.
    pub(super) strains: [Vec<[f64; 3]>; 2],
}

impl<const W: usize> Default for Loops<W> {
    fn default() -> Self {
        Self {
            cuts: Vec::new(),
            responses: Vec::new(),
            systems: Vec::new(),
            free: Vec::new(),
            heavy: Vec::new(),
            slack: [0.0; W],
            given: Vec::new(),
            rows: Vec::new(),
            own: Vec::new(),
            strains: [Vec::new(), Vec::new()],
        }
    }
}

impl<const W: usize> Loops<W> {
    /// Begins with the cuts of some trees.
    pub(crate) fn begin(&mut self, cuts: &[[u32; 2]]) {
        self.cuts.clear();
        self.cuts.extend_from_slice(cuts);
    }

    /// There are none.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.cuts.is_empty()
    }

    /// Rows of all cuts.
    pub(super) fn count(&self) -> usize {
        ROWS * self.cuts.len()
    }

    /// What impulses of the rows do to trees that have been factored. What links have been given is as before.
    #[inline(always)]
    pub(super) fn respond<L: Lanes<W>>(&mut self, links: &mut [TreeLink<W>], bodies: &[MovingLink<W>]) {
        if self.is_empty() {
            return;
        }
        self.find_responses::<L>(links, false);
        self.note_free::<L>(links, bodies);
        slack_of::<L, W>(links, bodies).store(&mut self.slack);
        self.factor(links.len());
    }

    /// The same of trees that have been factored once more, where they are.
    #[inline(always)]
    pub(super) fn respond_again<L: Lanes<W>>(&mut self, links: &mut [TreeLink<W>]) {
        self.find_responses::<L>(links, false);
        self.factor(links.len());
    }

    /// The same of trees whose first links keep their velocity.
    #[inline(always)]
    pub(super) fn respond_on_still_root<L: Lanes<W>>(&mut self, links: &mut [TreeLink<W>]) {
        if !self.is_empty() {
            self.find_responses::<L>(links, true);
            self.factor(links.len());
        }
    }

    #[inline(always)]
    fn find_responses<L: Lanes<W>>(&mut self, links: &mut [TreeLink<W>], is_still: bool) {
        self.given.clear();
        for link in links.iter_mut() {
            let mut along = [[0.0; W]; 6];
            along[..3].copy_from_slice(&link.impulses);
            along[3..].copy_from_slice(&link.carried);
            self.given.push([link.state, along]);
            link.begin();
        }
        self.responses.clear();
        for cut in 0..self.cuts.len() {
            for e in 0..ROWS {
                self.respond_to::<L>(links, (cut, e), is_still);
            }
        }
        for (link, [state, along]) in links.iter_mut().zip(&self.given) {
            link.state = *state;
            link.impulses.copy_from_slice(&along[..3]);
            link.carried.copy_from_slice(&along[3..]);
        }
    }

    #[inline(always)]
    fn respond_to<L: Lanes<W>>(&mut self, links: &mut [TreeLink<W>], (cut, e): (usize, usize), is_still: bool) {
        for link in links.iter_mut() {
            link.state = [[0.0; W]; 6];
        }
        let [first, second] = self.cuts[cut];
        links[first as usize].state[e] = [1.0; W];
        links[second as usize].state[e] = [-1.0; W];
        all_inward::<L, W>(links);
        for number in 0..links.len() {
            one_outward::<L, W>(links, number);
            if is_still && number == 0 {
                links[0].state = [[0.0; W]; 6];
            }
        }
        for link in links.iter() {
            self.responses.push(Response { velocity: link.state, rates: link.rates, along: link.along });
        }
    }

    /// The diagonal of G if nothing else held the halves.
    #[inline(always)]
    fn note_free<L: Lanes<W>>(&mut self, links: &[TreeLink<W>], bodies: &[MovingLink<W>]) {
        self.free.clear();
        self.heavy.clear();
        for [first, second] in &self.cuts {
            for e in 0..ROWS {
                let (mut sum, mut heavy) = (L::splat(0.0), L::splat(0.0));
                for half in [*first as usize, *second as usize] {
                    if e < 3 {
                        sum = sum + L::splat(1.0) / L::load(&bodies[half].mass);
                        heavy = sum;
                        continue;
                    }
                    let moments = load3::<L, W>(&bodies[half].moments);
                    heavy = heavy + L::splat(1.0) / moments[0].max(moments[1]).max(moments[2]);
                    for k in 0..3 {
                        let along = L::load(&links[half].axes[k][e - 3]);
                        sum = sum + along * along / L::load(&bodies[half].moments[k]);
                    }
                }
                let mut row = [0.0; W];
                sum.store(&mut row);
                self.free.push(row);
                heavy.store(&mut row);
                self.heavy.push(row);
            }
        }
    }

    /// What a cut leaves its loop: the smallest velocity ratio that the rest of the loop leaves a row of it, 1 for halves that nothing else holds, where the
    /// rows take all motions in the loop; else the largest in what the joint of the cut holds, zero where all rows are implied. Its own motions are left by
    /// the joint itself.
    ///
    /// Rows that all but follow from others count, though they are left out: as the loop moves, they may not follow any more.
    pub(crate) fn share_left(&self, links: &[TreeLink<W>], cut: usize, lane: usize) -> f64 {
        let (mut system, mut matrix) = (SemidefiniteSystem::default(), Vec::new());
        let [first, second] = self.cuts[cut].map(|link| link as usize);
        self.eliminate(links.len(), lane, (&mut system, &mut matrix), SLIGHT);
        let (count, smallest) = self
            .shares((&system, &matrix), cut, lane)
            .fold((0, 1.0), |(count, least), share| (count + 1, f64::min(least, share)));
        if count >= motions_between(links, [first, second]) {
            return smallest;
        }
        self.shares(self.system(lane), cut, lane).skip(links[second].held.dofs()).fold(0.0, f64::max)
    }

    /// What is left of the rows of a cut that others do not imply, as a share of the velocities of free halves.
    fn shares<'a>(
        &'a self,
        (system, matrix): (&'a SemidefiniteSystem, &'a [f64]),
        cut: usize,
        lane: usize,
    ) -> impl Iterator<Item = f64> + 'a {
        let rows = system.independent().iter().filter(move |row| **row / ROWS == cut);
        rows.map(move |row| (matrix[row * self.count() + row] / self.free[*row][lane]).sqrt())
    }

    /// The system of the rows of a lane, eliminated.
    pub(crate) fn system(&self, lane: usize) -> (&SemidefiniteSystem, &[f64]) {
        let (system, matrix) = &self.systems[lane];
        (system, matrix)
    }

    /// Velocity of each link of a lane, and the rates of its motions, by a unit impulse of each row in turn.
    pub(crate) fn responses(&self, lane: usize) -> impl Iterator<Item = ([f64; 6], [f64; 3])> {
        let of_lane = move |own: &Response<W>| (own.velocity.map(|e| e[lane]), own.rates.map(|k| k[lane]));
        self.responses.iter().map(of_lane)
    }

    /// G of each lane from the responses, eliminated.
    fn factor(&mut self, links: usize) {
        let mut systems = std::mem::take(&mut self.systems);
        systems.resize_with(W, Default::default);
        for (lane, (system, matrix)) in systems.iter_mut().enumerate() {
            self.eliminate(links, lane, (system, matrix), 1.0);
        }
        self.systems = systems;
    }

    /// That of one lane, with the thresholds below which rows are implied by a factor.
    fn eliminate(
        &self,
        links: usize,
        lane: usize,
        (system, matrix): (&mut SemidefiniteSystem, &mut Vec<f64>),
        factor: f64,
    ) {
        let Self { cuts, responses, free, heavy, slack, .. } = self;
        matrix.clear();
        for of_row in responses.chunks_exact(links) {
            for [first, second] in cuts {
                let halves = [&of_row[*first as usize].velocity, &of_row[*second as usize].velocity];
                matrix.extend((0..ROWS).map(|e| halves[0][e][lane] - halves[1][e][lane]));
            }
        }
        let (implied, still, slack) = (IMPLIED * factor, STILL * factor, slack[lane]);
        let least =
            |row: usize, diagonal: f64| (implied * diagonal).max(still * free[row][lane]).max(slack * heavy[row][lane]);
        system.factor(matrix, self.count(), |row| free[row][lane], least);
    }

    /// Changes the velocities that have been found for links, so that the halves of a body move as one.
    #[inline(always)]
    pub(super) fn join<L: Lanes<W>>(&mut self, links: &mut [TreeLink<W>]) {
        if self.is_empty() {
            return;
        }
        self.rows.clear();
        self.rows.resize(self.count(), [0.0; W]);
        self.part::<L>(links);
    }

    /// First halves of bodies take the mean velocity of all halves.
    #[inline(always)]
    pub(super) fn take_means<L: Lanes<W>>(&self, links: &mut [TreeLink<W>]) {
        for [first, second] in &self.cuts {
            for e in 0..ROWS {
                let sum = L::load(&links[*first as usize].state[e]) + L::load(&links[*second as usize].state[e]);
                sum.store(&mut links[*first as usize].state[e]);
            }
        }
        for (number, [first, _]) in self.cuts.iter().enumerate() {
            let is_known = self.cuts[..number].iter().any(|[other, _]| other == first);
            let link = &mut links[*first as usize];
            for e in 0..if is_known { 0 } else { ROWS } {
                (L::load(&link.state[e]) * L::splat(link.share)).store(&mut link.state[e]);
            }
        }
    }

    /// The same for displacements `w − P w` that also close what halves have come apart by; returns the square of the widest of these gaps.
    #[inline(always)]
    pub(super) fn join_poses<L: Lanes<W>>(&mut self, links: &mut [TreeLink<W>], bodies: &[MovingLink<W>]) -> L {
        let mut widest = L::splat(0.0);
        if self.is_empty() {
            return widest;
        }
        self.rows.clear();
        for [first, second] in &self.cuts {
            let (a, b) = (&bodies[*first as usize], &bodies[*second as usize]);
            let way = minus(load3::<L, W>(&a.center), load3::<L, W>(&b.center));
            let other = inverse(load4::<L, W>(&b.rotation));
            let [x, y, z, w] = product::<L, W>(load4::<L, W>(&a.rotation), other);
            // The shorter way.
            let turn = times([x, y, z], w.if_positive(L::splat(2.0), L::splat(-2.0)));
            widest = widest.max(dot(way, way)).max(dot(turn, turn));
            put_rows(&mut self.rows, [way, turn], (a, b));
        }
        self.part::<L>(links);
        widest
    }

    /// The same for changes of velocity `w − P w`.
    #[inline(always)]
    pub(super) fn join_velocities<L: Lanes<W>>(&mut self, links: &mut [TreeLink<W>], bodies: &[MovingLink<W>]) {
        if self.is_empty() {
            return;
        }
        self.rows.clear();
        for [first, second] in &self.cuts {
            let (a, b) = (&bodies[*first as usize], &bodies[*second as usize]);
            let linear = minus(load3::<L, W>(&a.velocity), load3::<L, W>(&b.velocity));
            let angular = minus(load3::<L, W>(&a.omega), load3::<L, W>(&b.omega));
            put_rows(&mut self.rows, [linear, angular], (a, b));
        }
        self.part::<L>(links);
    }

    /// The second half of a body is where the first is, and moves as it does.
    #[inline(always)]
    pub(super) fn unite<L: Lanes<W>>(&self, bodies: &mut [MovingLink<W>], is_active: L) {
        for [first, second] in &self.cuts {
            // Second halves come after all bodies.
            let (before, rest) = bodies.split_at_mut(*second as usize);
            let (own, other) = (&before[*first as usize], &mut rest[0]);
            for e in 0..3 {
                is_active.if_positive(L::load(&own.center[e]), L::load(&other.center[e])).store(&mut other.center[e]);
                let [a, b] = [L::load(&own.velocity[e]), L::load(&other.velocity[e])];
                is_active.if_positive(a, b).store(&mut other.velocity[e]);
                is_active.if_positive(L::load(&own.omega[e]), L::load(&other.omega[e])).store(&mut other.omega[e]);
            }
            for e in 0..4 {
                let [a, b] = [L::load(&own.rotation[e]), L::load(&other.rotation[e])];
                is_active.if_positive(a, b).store(&mut other.rotation[e]);
            }
        }
    }

    /// Changes the velocities of links so that their halves differ by what is in the rows.
    #[inline(always)]
    fn part<L: Lanes<W>>(&mut self, links: &mut [TreeLink<W>]) {
        for (cut, [first, second]) in self.cuts.iter().enumerate() {
            for e in 0..ROWS {
                let now = L::load(&links[*first as usize].state[e]) - L::load(&links[*second as usize].state[e]);
                let row = &mut self.rows[ROWS * cut + e];
                (now - L::load(row)).store(row);
            }
        }
        self.solve_rows();
        let count = links.len();
        for (row, impulse) in self.rows.iter().enumerate() {
            let impulse = L::load(impulse);
            for (link, response) in links.iter_mut().zip(&self.responses[row * count..]) {
                for e in 0..6 {
                    (L::load(&link.state[e]) - L::load(&response.velocity[e]) * impulse).store(&mut link.state[e]);
                }
                for k in 0..3 {
                    (L::load(&link.rates[k]) - L::load(&response.rates[k]) * impulse).store(&mut link.rates[k]);
                    (L::load(&link.along[k]) - L::load(&response.along[k]) * impulse).store(&mut link.along[k]);
                }
            }
        }
    }

    /// Impulses of the rows from the velocities that these are to take.
    fn solve_rows(&mut self) {
        for (lane, (system, matrix)) in self.systems.iter().enumerate() {
            self.own.clear();
            self.own.extend(self.rows.iter().map(|row| row[lane]));
            system.solve_factored(matrix, &mut self.own);
            self.rows.iter_mut().zip(&self.own).for_each(|(row, found)| row[lane] = *found);
        }
    }

    /// Memory \[B\].
    pub(crate) fn bytes(&self) -> usize {
        let of_lanes: usize = self.systems.iter().map(|(_, matrix)| size_of_val(&matrix[..])).sum();
        of_lanes + size_of_val(&self.responses[..]) + size_of_val(&self.given[..]) + size_of_val(&self.rows[..])
    }
}

/// Square of twice the sum of what joints have come apart by, in radians and in radii of inertia, as far as that counts.
///
/// In the middle of a step, to which each link has come by itself, axes of hinges that are parallel are so but for the square of a turn: rows of them do not
/// imply each other to less than that, though they do in the motion.
#[inline(always)]
fn slack_of<L: Lanes<W>, const W: usize>(links: &[TreeLink<W>], bodies: &[MovingLink<W>]) -> L {
    let mut sum = L::splat(0.0);
    for (link, body) in links.iter().zip(bodies) {
        if !matches!(link.held, Held::Joint(_)) {
            continue;
        }
        let (mut center, mut of_carrier) = ([L::splat(0.0); 3], load3::<L, W>(&body.axes[0]));
        if let (Some(carrier), Some(link)) = (bodies.get(body.carrier as usize), links.get(body.carrier as usize)) {
            center = load3::<L, W>(&carrier.middle);
            of_carrier = to_world(&axes_of::<L, W>(link), of_carrier);
        }
        let way = minus(minus(center, load3::<L, W>(&body.middle)), load3::<L, W>(&link.to_parent));
        let moments = load3::<L, W>(&body.moments);
        let radii = moments[0].max(moments[1]).max(moments[2]);
        let mut apart = dot(way, way) * L::load(&body.mass) / radii;
        let own = to_world(&axes_of::<L, W>(link), load3::<L, W>(&body.axes[1]));
        if body.mobilizer.turns_about_one() {
            let off = cross(own, of_carrier);
            apart = apart + dot(off, off);
        } else if body.mobilizer.turns_about_two() {
            let off = dot(own, of_carrier) - L::load(&body.cosine);
            apart = apart + off * off;
        }
        sum = sum + apart.sqrt();
    }
    let twice = sum + sum;
    (twice * twice).min(L::splat(MOST_SLACK))
}

/// Degrees of freedom of the joints from one link to another, through the link that carries both.
fn motions_between<const W: usize>(links: &[TreeLink<W>], [mut a, mut b]: [usize; 2]) -> usize {
    let mut sum = 0;
    while a != b {
        // Parents come before their children.
        let later = if a > b { &mut a } else { &mut b };
        let Some(link) = links.get(*later) else { break };
        sum += link.held.dofs();
        *later = link.parent as usize;
        if links.get(*later).is_none() {
            // The world, which comes before all.
            let other = if a < links.len() { a } else { b };
            return sum + motions_to_world(links, other);
        }
    }
    sum
}

/// The same from a link to the world.
fn motions_to_world<const W: usize>(links: &[TreeLink<W>], mut link: usize) -> usize {
    let mut sum = 0;
    while let Some(own) = links.get(link) {
        sum += own.held.dofs();
        link = own.parent as usize;
    }
    sum
}

/// What the halves of a body are apart by, with the displacement that closes joints.
#[inline(always)]
fn put_rows<L: Lanes<W>, const W: usize>(
    rows: &mut Vec<[f64; W]>,
    [linear, angular]: [L3<L>; 2],
    (a, b): (&MovingLink<W>, &MovingLink<W>),
) {
    for e in 0..ROWS {
        let own = if e < 3 { linear[e] } else { angular[e - 3] };
        let mut row = [0.0; W];
        (own + L::load(&a.way[e]) - L::load(&b.way[e])).store(&mut row);
        rows.push(row);
    }
}
