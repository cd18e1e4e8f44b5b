//! An island as the direct solver sees it: its rows beside each other in elimination order.
//!
//! Rows on at most two nodes (nearly all) hold twelve numbers; neighbours on the same pair form a run, whose velocities
//! are loaded once. Rows on more nodes are *wide* and rare. A row on one node has zeros in its second half, which
//! belongs to a node that does not exist.

use super::pivots::RHO;
use crate::constraint::{Block, Bound, Island, Problem, RowSource};
use crate::solvers::sparse::block::{self, N, Vector};
use crate::solvers::sparse::factor::Factor;
use crate::solvers::sparse::nodes::number_nodes;
use crate::solvers::sparse::ordering::{Connections, NONE, Pattern};

/// Both halves of a row.
pub(super) type Pair = [Vector; 2];

/// λ follows from the system.
pub(super) const FREE: i8 = 0;
/// λ stands at its lower bound.
pub(super) const LOWER: i8 = -1;
/// λ stands at its upper bound.
pub(super) const UPPER: i8 = 1;
/// Both bounds are the same: never moves.
pub(super) const FIXED: i8 = 2;
/// λ is a multiple of its normal's (coupled friction).
pub(super) const SLIDING: i8 = 3;

/// Most rows of a run: their states fit in a word.
const RUN: usize = 63;

/// Neighbouring rows on the same nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Places of the nodes.
    pub nodes: [u32; 2],
    /// First row.
    pub first: u32,
    /// After the last row.
    pub end: u32,
    /// Block between the nodes, [`NONE`] on one node.
    pub slot: u32,
}

/// A row on more than two nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide {
    /// The row.
    pub row: u32,
    /// First part.
    pub first: u32,
    /// After the last part.
    pub end: u32,
}

/// A set of free rows that no run has: its sum is not known.
pub(super) const NO_SUM: u64 = u64::MAX;

/// Rows, impulses and velocities of an island, and the factor of its free rows.
#[derive(Clone, Debug, Default)]
pub(super) struct DirectIsland {
    pub nodes: usize,
    first_row: usize,
    /// Span of each node in `z`, by number (not by place).
    spans: Vec<[u32; 2]>,
    places: Vec<u32>,
    first_node: Vec<u32>,
    pub runs: Vec<Run>,
    pub wide: Vec<Wide>,
    /// Place and numbers of the parts of wide rows.
    pub parts: Vec<(u32, Vector)>,
    /// Y of the rows; wide rows have zeros.
    pub y: Vec<Pair>,
    /// Y of the rows and of all that slides with them.
    pub c: Vec<Pair>,
    /// b as assembled, cut at the cap where Γ = 0.
    pub target: Vec<f64>,
    /// Γ as assembled.
    pub compliance: Vec<f64>,
    /// b and Γ of the branch `u = cap` or `u = b − Γ λ` that the row is on.
    pub b: Vec<f64>,
    pub gamma: Vec<f64>,
    pub diagonal: Vec<f64>,
    pub cap: Vec<f64>,
    /// Rows with Γ > 0 that have a cap below their target.
    pub capped_rows: Vec<u32>,
    /// Bounds as assembled.
    pub fixed_bounds: Vec<[f64; 2]>,
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
    pub coefficient: Vec<f64>,
    /// Row of the normal, [`NONE`] for fixed bounds.
    pub normal: Vec<u32>,
    pub has_friction: bool,
    /// First rows of ellipses.
    pub ellipses: Vec<u32>,
    /// Centre of the proximal term, and the result.
    pub lambda: Vec<f64>,
    /// Impulses of the pivots.
    pub trial: Vec<f64>,
    pub state: Vec<i8>,
    /// `λ_t / λ_n` of sliding rows.
    pub share: Vec<f64>,
    /// Part of the row before that a row sliding forwards has too: the slope of an ellipse.
    pub slant: Vec<f64>,
    /// Share of A_ii that makes a hard row solvable, and that of rows of wires.
    pub rho: Vec<f64>,
    pub light_rho: f64,
    /// Rows of wires are among them, of which roundings are measured.
    pub has_light: bool,
    /// What roundings make of the rows' velocities \[m/s\].
    pub noise: Vec<f64>,
    /// Sums of the parts of each coordinate without their signs.
    pub gross: Vec<Vector>,
    /// Proximal R, D = Γ + R and its reciprocal, β = b + R λ_c.
    pub proximal: Vec<f64>,
    pub d: Vec<f64>,
    pub inverse: Vec<f64>,
    pub beta: Vec<f64>,
    /// `u + D λ − β` of the last product.
    pub w: Vec<f64>,
    /// Velocities by place, and a zero for the node that does not exist.
    pub z: Vec<Vector>,
    pub z_free: Vec<Vector>,
    pub rhs: Vec<Vector>,
    pub factor: Factor,
    /// Kept sums of the runs and the free rows they are made of.
    pub sums: Vec<[block::Block; 3]>,
    pub masks: Vec<u64>,
    /// A row has got another D since the sums were made.
    pub sums_are_stale: bool,
    pub factorizations: u32,
    pub rounds: u32,
    pub budget: u32,
    pub scratch: super::interior::Scratch,
}

/// Nodes of a row that acts on one or two nodes.
#[inline(always)]
fn pair(blocks: &[Block], first_clique: u32, first_node: &[u32]) -> Option<[u32; 2]> {
    let fits = |b: &Block| (1..=N as u32).contains(&b.dofs);
    let node = |b: &Block| first_node[(b.clique - first_clique) as usize];
    match blocks {
        [a] if fits(a) => Some([node(a), NONE]),
        [a, b] if fits(a) && fits(b) && a.clique != b.clique => Some([node(a), node(b)]),
        _ => None,
    }
}

/// What is connected to what in an island.
pub(super) fn connect(problem: &Problem, island: &Island, system: &mut DirectIsland, connections: &mut Connections) {
    number_nodes(problem, island, &mut system.first_node, &mut system.spans);
    connections.clear();
    connections.nodes = system.spans.len() as u32;
    for row in &problem.rows[island.row_range()] {
        let blocks = problem.row_blocks(row);
        if let Some(nodes) = pair(blocks, island.cliques.start, &system.first_node) {
            if connections.pairs.last() != Some(&nodes) {
                connections.pairs.push(nodes);
            }
            continue;
        }
        for b in blocks {
            let first = system.first_node[(b.clique - island.cliques.start) as usize];
            connections.wide.extend(first..first + b.dofs.div_ceil(N as u32));
        }
        connections.wide_ends.push(connections.wide.len() as u32);
    }
}

impl DirectIsland {
    /// Takes an island over. [`connect`] has been called for it and has found `pattern`.
    pub fn load(
        &mut self,
        problem: &Problem,
        island: &Island,
        pattern: &Pattern,
        capped: bool,
        z: &[f64],
        lambda: &[f64],
    ) {
        self.nodes = self.spans.len();
        self.first_row = island.rows.start as usize;
        self.places.clone_from(&pattern.place);
        self.factor.begin(pattern);
        self.factorizations = 0;
        self.rounds = 0;
        self.z_free.clear();
        self.z_free.resize(self.nodes + 1, [0.0; N]);
        for (span, place) in self.spans.iter().zip(&self.places) {
            let (start, n) = (span[0] as usize, span[1] as usize);
            self.z_free[*place as usize][..n].copy_from_slice(&z[start..start + n]);
        }
        self.z.clone_from(&self.z_free);
        self.rhs.clone_from(&self.z_free);
        self.load_shape(problem, island, pattern);
        self.load_numbers(problem, island, capped, lambda);
    }

    fn load_shape(&mut self, problem: &Problem, island: &Island, pattern: &Pattern) {
        self.runs.clear();
        self.wide.clear();
        self.parts.clear();
        self.y.clear();
        let nothing = self.nodes as u32;
        let (mut last, mut pairs) = (None, 0);
        for (i, row) in problem.rows[island.row_range()].iter().enumerate() {
            let blocks = problem.row_blocks(row);
            let mut y = [[0.0; N]; 2];
            let Some(nodes) = pair(blocks, island.cliques.start, &self.first_node) else {
                self.push_wide(problem, island, i, blocks);
                self.y.push(y);
                continue;
            };
            for (half, b) in y.iter_mut().zip(blocks) {
                let from = &problem.y[b.y as usize..(b.y + b.dofs) as usize];
                if let Ok(six) = <&Vector>::try_from(from) {
                    *half = *six;
                } else {
                    half[..from.len()].copy_from_slice(from);
                }
            }
            self.y.push(y);
            let is_new = last != Some(nodes);
            pairs += usize::from(is_new);
            last = Some(nodes);
            match self.runs.last_mut() {
                Some(run) if !is_new && run.end as usize == i && i - (run.first as usize) < RUN => run.end += 1,
                _ => self.runs.push(Run {
                    nodes: nodes.map(|n| if n == NONE { nothing } else { self.places[n as usize] }),
                    first: i as u32,
                    end: i as u32 + 1,
                    slot: pattern.slots[pairs - 1],
                }),
            }
        }
        self.sums.resize(self.runs.len(), [block::ZERO; 3]);
        self.masks.clear();
        self.masks.resize(self.runs.len(), NO_SUM);
    }

    fn push_wide(&mut self, problem: &Problem, island: &Island, row: usize, blocks: &[Block]) {
        let first = self.parts.len();
        for b in blocks {
            let node = self.first_node[(b.clique - island.cliques.start) as usize] as usize;
            for (k, six) in problem.y[b.y as usize..(b.y + b.dofs) as usize].chunks(N).enumerate() {
                let place = self.places[node + k];
                let index = match self.parts[first..].iter().position(|(p, _)| *p == place) {
                    Some(k) => first + k,
                    None => {
                        self.parts.push((place, [0.0; N]));
                        self.parts.len() - 1
                    }
                };
                for (to, from) in self.parts[index].1.iter_mut().zip(six) {
                    *to += from;
                }
            }
        }
        self.wide.push(Wide { row: row as u32, first: first as u32, end: self.parts.len() as u32 });
    }

    fn load_numbers(&mut self, problem: &Problem, island: &Island, capped: bool, lambda: &[f64]) {
        let rows = &problem.rows[island.row_range()];
        let m = rows.len();
        for list in [&mut self.target, &mut self.compliance, &mut self.diagonal, &mut self.cap, &mut self.coefficient] {
            list.clear();
        }
        self.fixed_bounds.clear();
        self.normal.clear();
        self.capped_rows.clear();
        self.ellipses.clear();
        self.rho.clear();
        self.noise.clear();
        self.noise.resize(m, 0.0);
        (self.has_friction, self.has_light) = (false, false);
        for (i, row) in rows.iter().enumerate() {
            // A row that moves nothing and gives way nowhere has no impulse.
            let is_empty = row.diagonal <= 0.0;
            let has_cap = capped && row.cap < row.target;
            let target = row.target_in(capped);
            self.target.push(if has_cap && row.compliance == 0.0 { row.cap } else { target });
            self.cap.push(if has_cap && row.compliance > 0.0 { row.cap } else { f64::INFINITY });
            if has_cap && row.compliance > 0.0 {
                self.capped_rows.push(i as u32);
            }
            self.compliance.push(row.compliance);
            self.diagonal.push(if is_empty { 1.0 } else { row.diagonal });
            self.fixed_bounds.push(if is_empty { [0.0; 2] } else { [row.lower, row.upper] });
            let (normal, coefficient) = match row.bound {
                Bound::Coefficient { normal, coefficient } if !is_empty => (normal - island.rows.start, coefficient),
                _ => (NONE, 0.0),
            };
            let is_light = matches!(row.source, RowSource::Wire { .. });
            self.has_light |= is_light;
            self.rho.push(if is_light { self.light_rho } else { RHO });
            self.has_friction |= normal != NONE;
            self.normal.push(normal);
            self.coefficient.push(coefficient);
            if row.ellipse && i + 1 < m && !is_empty {
                self.ellipses.push(i as u32);
            }
        }
        self.lambda.clear();
        self.lambda.extend_from_slice(&lambda[island.row_range()]);
        self.b.clone_from(&self.target);
        self.gamma.clone_from(&self.compliance);
        self.trial.clone_from(&self.lambda);
        for list in [&mut self.lower, &mut self.upper, &mut self.share, &mut self.slant, &mut self.proximal] {
            list.clear();
            list.resize(m, 0.0);
        }
        for list in [&mut self.d, &mut self.inverse, &mut self.beta, &mut self.w] {
            list.clear();
            list.resize(m, 0.0);
        }
        self.state.clear();
        self.state.resize(m, FREE);
    }

    /// Gives velocities and impulses back.
    pub fn store(&self, z: &mut [f64], lambda: &mut [f64]) {
        for (span, place) in self.spans.iter().zip(&self.places) {
            let (start, n) = (span[0] as usize, span[1] as usize);
            z[start..start + n].copy_from_slice(&self.z[*place as usize][..n]);
        }
        lambda[self.first_row..self.first_row + self.lambda.len()].copy_from_slice(&self.lambda);
    }
}
