//! Loops of joints: a body of each is cut into halves, the second of which hangs on the joint that closes the loop, and the halves move as one.
//!
//! That is six rows a cut, whatever the joint: with the momenta ±e of the halves as rows J and the motion P of trees, `G = J P J` of all cuts is factored with
//! pivots by size, and rows that depend on those before are left out: of a planar linkage, all that would hold it in its plane once more.

use super::super::lane::{L3, Lanes, dot, minus, times};
use super::super::rotation::{inverse, product};
use super::link::TreeLink;
use super::moving::MovingLink;
use super::place::load4;
use super::project::{load3, solve};

/// Rows of a cut: along the axes of the world, and about them.
const ROWS: usize = 6;
/// Share of what a row would answer if nothing but itself held the trees, and of what the two halves alone would, below which it depends on others:
/// what misses by less than 1e-4 rad moves as if it met.
const DEPENDENT: f64 = 1e-8;
const STILL: f64 = 1e-9;

/// What a momentum of one of the rows does to a link: its velocity, the rates of its motions, the momentum along these.
#[derive(Clone, Copy, Debug)]
struct Response<const W: usize> {
    velocity: [[f64; W]; 6],
    rates: [[f64; W]; 3],
    along: [[f64; W]; 3],
}

/// What is kept of a link while responses are found: momentum, impulses along its motions and momenta of rotors.
type Given<const W: usize> = [[[f64; W]; 6]; 2];

/// The cuts of trees that lie side by side.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loops<const W: usize> {
    /// Links that are halves of one body.
    cuts: Vec<[u32; 2]>,
    /// By row and link.
    responses: Vec<Response<W>>,
    /// By row and row of the responses; by lane, row and row of the factor.
    matrix: Vec<[f64; W]>,
    factors: Vec<f64>,
    /// By lane: rows in the order of the factor with their pivots, shares of what halves alone would answer, and how many of them there are.
    order: Vec<u32>,
    pivots: Vec<f64>,
    ranks: Vec<usize>,
    /// What the halves alone would answer, by row.
    alone: Vec<[f64; W]>,
    /// Work space.
    given: Vec<Given<W>>,
    rows: Vec<[f64; W]>,
    own: Vec<f64>,
}

impl<const W: usize> Loops<W> {
    /// Begins with the cuts of some trees.
    pub(crate) fn begin(&mut self, cuts: &[[u32; 2]]) {
        self.cuts.clear();
        self.cuts.extend_from_slice(cuts);
    }

    /// There are none.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.cuts.is_empty()
    }

    /// Rows of all cuts.
    fn count(&self) -> usize {
        ROWS * self.cuts.len()
    }

    /// What momenta of the rows do to trees that have been factored. What links have been given is as before.
    #[inline(always)]
    pub(super) fn respond<L: Lanes<W>>(&mut self, links: &mut [TreeLink<W>]) {
        if self.is_empty() {
            return;
        }
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
                self.respond_to::<L>(links, cut, e);
            }
        }
        for (link, [state, along]) in links.iter_mut().zip(&self.given) {
            link.state = *state;
            link.impulses.copy_from_slice(&along[..3]);
            link.carried.copy_from_slice(&along[3..]);
        }
        self.note_alone::<L>(links);
        self.couple(links.len());
        self.factor();
    }

    #[inline(always)]
    fn respond_to<L: Lanes<W>>(&mut self, links: &mut [TreeLink<W>], cut: usize, e: usize) {
        for link in links.iter_mut() {
            link.state = [[0.0; W]; 6];
        }
        let [first, second] = self.cuts[cut];
        links[first as usize].state[e] = [1.0; W];
        links[second as usize].state[e] = [-1.0; W];
        solve::<L, W>(links);
        for link in links.iter() {
            self.responses.push(Response { velocity: link.state, rates: link.rates, along: link.along });
        }
    }

    /// What the halves alone would answer.
    #[inline(always)]
    fn note_alone<L: Lanes<W>>(&mut self, links: &[TreeLink<W>]) {
        self.alone.clear();
        for [first, second] in &self.cuts {
            let halves = [&links[*first as usize], &links[*second as usize]];
            for e in 0..ROWS {
                let mut sum = L::splat(0.0);
                for half in halves {
                    if e < 3 {
                        let root = L::load(&half.root_mass);
                        sum = sum + L::splat(1.0) / (root * root);
                        continue;
                    }
                    for k in 0..3 {
                        let along = L::load(&half.axes[k][e - 3]) / L::load(&half.root_moments[k]);
                        sum = sum + along * along;
                    }
                }
                let mut row = [0.0; W];
                sum.store(&mut row);
                self.alone.push(row);
            }
        }
    }

    /// The largest share of what its halves alone would answer that what carries a cut leaves its rows, once as many as the joint has motions of its own are
    /// taken off; zero where all depend on others.
    pub(crate) fn largest_share(&self, cut: usize, lane: usize, motions: usize) -> f64 {
        let count = self.count();
        let own = self.order[lane * count..][..self.ranks[lane]].iter().zip(&self.pivots[lane * count..]);
        let shares = own.filter(|(row, _)| **row as usize / ROWS == cut).map(|(_, pivot)| pivot.sqrt());
        shares.skip(motions).fold(0.0, f64::max)
    }

    /// What rows do to each other.
    fn couple(&mut self, links: usize) {
        let count = self.count();
        self.matrix.clear();
        self.matrix.resize(count * count, [0.0; W]);
        for source in 0..count {
            let of_links = &self.responses[source * links..][..links];
            for (cut, [first, second]) in self.cuts.iter().enumerate() {
                let halves = [of_links[*first as usize].velocity, of_links[*second as usize].velocity];
                for e in 0..ROWS {
                    for lane in 0..W {
                        self.matrix[source * count + ROWS * cut + e][lane] = halves[0][e][lane] - halves[1][e][lane];
                    }
                }
            }
        }
    }

    fn factor(&mut self) {
        let count = self.count();
        self.factors.resize(W * count * count, 0.0);
        self.order.resize(W * count, 0);
        self.pivots.resize(W * count, 0.0);
        self.ranks.resize(W, 0);
        for lane in 0..W {
            let own = OwnFactor {
                entries: &mut self.factors[lane * count * count..][..count * count],
                order: &mut self.order[lane * count..][..count],
                pivots: &mut self.pivots[lane * count..][..count],
            };
            self.own.clear();
            self.own.extend((0..count).map(|row| self.matrix[row * count + row][lane]));
            self.ranks[lane] = own.find((&self.matrix, &self.alone, lane), &mut self.own);
        }
    }

    /// Velocities that links have been found to have become those of trees whose halves move as one.
    #[inline(always)]
    pub(super) fn join<L: Lanes<W>>(&mut self, links: &mut [TreeLink<W>]) {
        if self.is_empty() {
            return;
        }
        self.rows.clear();
        self.rows.resize(self.count(), [0.0; W]);
        self.part::<L>(links);
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
            let own = bodies[*first as usize];
            let other = &mut bodies[*second as usize];
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

    /// Velocities of links change so that halves part as in the rows.
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
        for (row, momentum) in self.rows.iter().enumerate() {
            let momentum = L::load(momentum);
            for (link, response) in links.iter_mut().zip(&self.responses[row * count..]) {
                for e in 0..6 {
                    (L::load(&link.state[e]) - L::load(&response.velocity[e]) * momentum).store(&mut link.state[e]);
                }
                for k in 0..3 {
                    (L::load(&link.rates[k]) - L::load(&response.rates[k]) * momentum).store(&mut link.rates[k]);
                    (L::load(&link.along[k]) - L::load(&response.along[k]) * momentum).store(&mut link.along[k]);
                }
            }
        }
    }

    /// Momenta of the rows from what they are to change.
    fn solve_rows(&mut self) {
        let count = self.count();
        for lane in 0..W {
            let factor = &self.factors[lane * count * count..][..count * count];
            let order = &self.order[lane * count..][..self.ranks[lane]];
            self.own.clear();
            self.own.extend(order.iter().map(|row| self.rows[*row as usize][lane]));
            solve_by_order(factor, order, &mut self.own);
            self.rows.iter_mut().for_each(|row| row[lane] = 0.0);
            order.iter().zip(&self.own).for_each(|(row, found)| self.rows[*row as usize][lane] = *found);
        }
    }
}

/// What halves come apart by in the rows, and by the displacement that closes joints.
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

/// The Cholesky factor of a symmetric matrix of one lane by pivots of falling size: rows in the order of its columns, and their pivots by what the halves
/// alone would answer.
struct OwnFactor<'a> {
    entries: &'a mut [f64],
    order: &'a mut [u32],
    pivots: &'a mut [f64],
}

impl OwnFactor<'_> {
    /// Finds it, and its rank; `left` is a copy of the diagonal.
    fn find<const W: usize>(self, (matrix, alone, lane): (&[[f64; W]], &[[f64; W]], usize), left: &mut [f64]) -> usize {
        let count = left.len();
        for k in 0..count {
            let (mut row, mut most) = (count, 0.0);
            for (other, left) in left.iter().enumerate() {
                let (share, of_row) = (left / alone[other][lane], left / matrix[other * count + other][lane]);
                if share > most && share > STILL && of_row > DEPENDENT {
                    (row, most) = (other, share);
                }
            }
            if row == count {
                return k;
            }
            (self.order[k], self.pivots[k]) = (row as u32, most);
            let pivot = left[row].sqrt();
            left[row] = 0.0;
            self.entries[row * count + k] = pivot;
            for other in (0..count).filter(|other| !self.order[..=k].contains(&(*other as u32))) {
                let known: f64 = (0..k).map(|j| self.entries[other * count + j] * self.entries[row * count + j]).sum();
                let entry = (matrix[other * count + row][lane] - known) / pivot;
                self.entries[other * count + k] = entry;
                left[other] -= entry * entry;
            }
        }
        count
    }
}

/// Solves with the rows that a factor has, in their order.
fn solve_by_order(factor: &[f64], order: &[u32], x: &mut [f64]) {
    let count = factor.len().isqrt();
    let entry = |row: usize, k: usize| factor[order[row] as usize * count + k];
    for k in 0..order.len() {
        let known: f64 = (0..k).map(|j| entry(k, j) * x[j]).sum();
        x[k] = (x[k] - known) / entry(k, k);
    }
    for k in (0..order.len()).rev() {
        let known: f64 = (k + 1..order.len()).map(|j| entry(j, k) * x[j]).sum();
        x[k] = (x[k] - known) / entry(k, k);
    }
}
