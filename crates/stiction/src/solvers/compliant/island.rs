//! An island as the compliant solvers see it: groups of rows with one law, and the parts of their rows node by node.

use crate::constraint::{Block, Island, Problem, SmoothLaw};
use crate::solvers::sparse::block::{self, N, Vector, add_scaled, dot};
use crate::solvers::sparse::factor::Factor;
use crate::solvers::sparse::nodes::number_nodes;
use crate::solvers::sparse::ordering::{Connections, Patterns};

/// Most rows of a group: a contact's normal and two tangents.
pub(super) const ROWS: usize = 3;
/// Velocities or impulses of a group.
pub(super) type Triple = [f64; ROWS];
/// Derivatives of a group, `G[i][j] = −∂λᵢ/∂uⱼ`.
pub(super) type Slopes = [Triple; ROWS];

/// Rows that go together: a contact's normal and tangents, or one row alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// First row in the problem.
    pub row: usize,
    /// Number of rows.
    pub count: usize,
    /// Contact of these rows in the problem.
    pub contact: Option<usize>,
    first_part: usize,
    parts: usize,
    first_slot: usize,
}

/// Rows of a group on one node.
#[derive(Clone, Copy, Debug)]
struct Part {
    place: usize,
    y: [Vector; ROWS],
}

/// Groups, velocities and Newton's matrix of an island.
#[derive(Clone, Debug, Default)]
pub(super) struct CompliantIsland {
    pub groups: Vec<Group>,
    parts: Vec<Part>,
    /// Blocks of each pair of parts of a group.
    slots: Vec<usize>,
    /// Span of each node in `z`, by number, and its place in the order of elimination.
    spans: Vec<[u32; 2]>,
    first_node: Vec<u32>,
    places: Vec<u32>,
    connections: Connections,
    patterns: Patterns,
    pub factor: Factor,
    /// Velocities by place: now, after forces, before the step.
    pub z: Vec<Vector>,
    pub z_free: Vec<Vector>,
    pub z_before: Vec<Vector>,
    /// Right side of Newton's equation; its solution.
    pub change: Vec<Vector>,
    /// By group: velocity relative to the target, its change in an iteration, impulse.
    pub u: Vec<Triple>,
    /// By group: velocities that `u` is relative to.
    targets: Vec<Triple>,
    pub du: Vec<Triple>,
    pub lambda: Vec<Triple>,
    pub slopes: Vec<Slopes>,
    /// By group: laws of contacts, and their depths, which follow in sub-steps.
    pub laws: Vec<Option<SmoothLaw>>,
    pub depth: Vec<f64>,
}

impl CompliantIsland {
    /// Takes an island over.
    pub fn load(&mut self, problem: &Problem, island: &Island, z_free: &[f64]) {
        number_nodes(problem, island, &mut self.first_node, &mut self.spans);
        self.collect_groups(problem, island);
        self.order(problem, island);
        self.place_parts(problem, island);
        let nodes = self.spans.len();
        for (to, from) in [
            (&mut self.z_free, z_free),
            (&mut self.z_before, if problem.z_before.is_empty() { z_free } else { &problem.z_before[..] }),
        ] {
            to.clear();
            to.resize(nodes, [0.0; N]);
            for (span, place) in self.spans.iter().zip(&self.places) {
                let (start, n) = (span[0] as usize, span[1] as usize);
                // Copies of known length for whole nodes.
                match <&Vector>::try_from(&from[start..start + n]) {
                    Ok(six) => to[*place as usize] = *six,
                    Err(_) => to[*place as usize][..n].copy_from_slice(&from[start..start + n]),
                }
            }
        }
        self.z.clone_from(&self.z_before);
        // Every iteration fills these before it reads them.
        self.change.resize(nodes, [0.0; N]);
        let groups = self.groups.len();
        for list in [&mut self.u, &mut self.du, &mut self.lambda] {
            list.resize(groups, [0.0; ROWS]);
        }
        self.slopes.resize(groups, [[0.0; ROWS]; ROWS]);
    }

    fn collect_groups(&mut self, problem: &Problem, island: &Island) {
        self.groups.clear();
        self.laws.clear();
        self.depth.clear();
        self.targets.clear();
        let mut row = island.rows.start as usize;
        let mut contacts = island.contact_range().peekable();
        while row < island.rows.end as usize {
            let contact = contacts.next_if(|c| problem.contacts[*c].row as usize == row);
            let count = contact.map_or(1, |c| 1 + problem.contacts[c].has_friction.iter().filter(|has| **has).count());
            self.groups.push(Group { row, count, contact, first_part: 0, parts: 0, first_slot: 0 });
            let law = contact.and_then(|c| problem.contacts[c].smooth);
            let mut targets = [0.0; ROWS];
            for (k, target) in targets[..count].iter_mut().enumerate() {
                *target = law.filter(|_| k == 0).map_or(problem.rows[row + k].target, |law| law.surface_velocity);
            }
            self.targets.push(targets);
            self.laws.push(law);
            self.depth.push(contact.map_or(0.0, |c| problem.contacts[c].depth));
            row += count;
        }
    }

    /// Nodes of a row, in its own order.
    fn nodes_of<'a>(&'a self, island: &'a Island, blocks: &'a [Block]) -> impl Iterator<Item = u32> + 'a {
        blocks.iter().flat_map(move |b| {
            let first = self.first_node[(b.clique - island.cliques.start) as usize];
            first..first + b.dofs.div_ceil(N as u32)
        })
    }

    /// Order of elimination. A node alone needs none.
    fn order(&mut self, problem: &Problem, island: &Island) {
        if self.spans.len() == 1 {
            self.places.clear();
            self.places.push(0);
            return self.factor.begin_single();
        }
        self.connect(problem, island);
        let Self { patterns, connections, factor, places, .. } = self;
        let pattern = patterns.of(connections, f64::INFINITY);
        places.clone_from(&pattern.place);
        factor.begin(pattern);
    }

    fn connect(&mut self, problem: &Problem, island: &Island) {
        let mut connections = std::mem::take(&mut self.connections);
        connections.clear();
        connections.nodes = self.spans.len() as u32;
        for group in &self.groups {
            let blocks = problem.row_blocks(&problem.rows[group.row]);
            let start = connections.wide.len();
            connections.wide.extend(self.nodes_of(island, blocks));
            match connections.wide[start..] {
                // A group on one node leaves the shape as it is.
                [] | [_] => connections.wide.truncate(start),
                [a, b] => {
                    connections.wide.truncate(start);
                    push_new(&mut connections.pairs, [a, b]);
                }
                _ => connections.wide_ends.push(connections.wide.len() as u32),
            }
        }
        self.connections = connections;
    }

    fn place_parts(&mut self, problem: &Problem, island: &Island) {
        self.parts.clear();
        self.slots.clear();
        for index in 0..self.groups.len() {
            let group = self.groups[index];
            let first_part = self.parts.len();
            if let [span] = &self.spans[..]
                && span[1] == N as u32
            {
                // A body alone: every block is on its node.
                self.place_on_single(problem, &group);
                self.groups[index] = Group { first_part, parts: self.parts.len() - first_part, first_slot: 0, ..group };
                continue;
            }
            for (k, row) in problem.rows[group.row..group.row + group.count].iter().enumerate() {
                for b in problem.row_blocks(row) {
                    let node = self.first_node[(b.clique - island.cliques.start) as usize] as usize;
                    let y = &problem.y[b.y as usize..(b.y + b.dofs) as usize];
                    if let Ok(six) = <&Vector>::try_from(y) {
                        add_to_part(&mut self.parts, first_part, self.places[node], k, six);
                        continue;
                    }
                    for (place, numbers) in self.places[node..].iter().zip(y.chunks(N)) {
                        let mut six = [0.0; N];
                        six[..numbers.len()].copy_from_slice(numbers);
                        add_to_part(&mut self.parts, first_part, *place, k, &six);
                    }
                }
            }
            let parts = self.parts.len() - first_part;
            let first_slot = self.slots.len();
            for a in first_part..self.parts.len() {
                for b in first_part..a {
                    let (p, q) = (self.parts[a].place, self.parts[b].place);
                    self.slots.push(self.factor.slot(p.max(q) as u32, p.min(q) as u32));
                }
            }
            self.groups[index] = Group { first_part, parts, first_slot, ..group };
        }
    }

    fn place_on_single(&mut self, problem: &Problem, group: &Group) {
        let rows = &problem.rows[group.row..group.row + group.count];
        if rows.iter().all(|row| row.block_count == 0) {
            return;
        }
        let mut y = [[0.0; N]; ROWS];
        for (y, row) in y.iter_mut().zip(rows) {
            for b in problem.row_blocks(row) {
                if let Some(numbers) = problem.y[b.y as usize..].first_chunk() {
                    add_scaled(y, numbers, 1.0);
                }
            }
        }
        self.parts.push(Part { place: 0, y });
    }

    /// `u = Yᵀ z − b` by group; b of a smooth law is the velocity of the surfaces alone.
    pub fn velocities(&mut self) {
        let Self { groups, parts, z, targets, u, .. } = self;
        for ((group, target), u) in groups.iter().zip(targets).zip(u) {
            let sums = products(&parts[group.first_part..group.first_part + group.parts], z);
            *u = [0, 1, 2].map(|k| sums[k] - target[k]);
        }
    }

    /// `du = Yᵀ change` by group.
    pub fn velocity_changes(&mut self) {
        let Self { groups, parts, change, du, .. } = self;
        for (group, du) in groups.iter().zip(du) {
            *du = products(&parts[group.first_part..group.first_part + group.parts], change);
        }
    }

    /// Newton's right side `z_free + Y λ − z` into `change`; returns its square.
    pub fn residual(&mut self) -> f64 {
        let Self { change, z, z_free, .. } = self;
        for ((change, z), z_free) in change.iter_mut().zip(&*z).zip(&*z_free) {
            for p in 0..N {
                change[p] = z_free[p] - z[p];
            }
        }
        for (i, group) in self.groups.iter().enumerate() {
            for part in &self.parts[group.first_part..group.first_part + group.parts] {
                for k in 0..group.count {
                    add_scaled(&mut self.change[part.place], &part.y[k], self.lambda[i][k]);
                }
            }
        }
        self.change.iter().map(|c| dot(c, c)).sum()
    }

    /// Forms and factors `H = 1 + Y G Yᵀ`.
    pub fn factor(&mut self, is_symmetric: bool) {
        let Self { factor, groups, parts, slopes, slots, .. } = self;
        factor.reset(is_symmetric);
        for (group, g) in groups.iter().zip(&*slopes) {
            let parts = &parts[group.first_part..group.first_part + group.parts];
            let mut slot = group.first_slot;
            for (a, part) in parts.iter().enumerate() {
                // Columns C_j = Σ_i Y_i G_ij of this node.
                let own = columns(&part.y, g, group.count);
                add_outers(&mut factor.diagonal[part.place], &own, &part.y, group.count);
                for other in &parts[..a] {
                    let s = slots[slot];
                    slot += 1;
                    let is_high = part.place > other.place;
                    let others = columns(&other.y, g, group.count);
                    // Lower: (high, low); upper, transposed: (low, high)ᵀ.
                    let [high, low] =
                        if is_high { [(&own, part), (&others, other)] } else { [(&others, other), (&own, part)] };
                    add_outers(&mut factor.lower[s], high.0, &low.1.y, group.count);
                    if !is_symmetric {
                        add_outers(&mut factor.upper[s], &high.1.y, low.0, group.count);
                    }
                }
            }
        }
        if is_symmetric { factor.cholesky() } else { factor.lu() }
    }

    /// `change ← H⁻¹ change`.
    pub fn solve(&mut self) {
        self.factor.solve(&mut self.change);
    }

    /// `z += α change`.
    pub fn advance(&mut self, alpha: f64) {
        for (z, change) in self.z.iter_mut().zip(&self.change) {
            add_scaled(z, change, alpha);
        }
    }

    /// Depths of the start of the step.
    pub fn restore_depths(&mut self, problem: &Problem) {
        for (depth, group) in self.depth.iter_mut().zip(&self.groups) {
            *depth = group.contact.map_or(0.0, |c| problem.contacts[c].depth);
        }
    }

    /// Every velocity is finite.
    pub fn is_sound(&self) -> bool {
        self.z.iter().flatten().all(|x| x.is_finite())
    }

    /// Gives velocities back, and adds impulses.
    pub fn store(&self, z: &mut [f64], lambda: &mut [f64]) {
        for (span, place) in self.spans.iter().zip(&self.places) {
            let (start, n) = (span[0] as usize, span[1] as usize);
            z[start..start + n].copy_from_slice(&self.z[*place as usize][..n]);
        }
        for (group, impulse) in self.groups.iter().zip(&self.lambda) {
            for k in 0..group.count {
                lambda[group.row + k] += impulse[k];
            }
        }
    }
}

/// `Yᵀ x` of a group. Rows that it lacks are zero: three products at once cost less than a count.
#[inline(always)]
fn products(parts: &[Part], x: &[Vector]) -> Triple {
    let mut sums = [-0.0; ROWS];
    for part in parts {
        for k in 0..ROWS {
            sums[k] += dot(&part.y[k], &x[part.place]);
        }
    }
    sums
}

/// Adds to row `k` of a group's part at a place, which is made if it is new.
#[inline(always)]
fn add_to_part(parts: &mut Vec<Part>, first: usize, place: u32, k: usize, y: &Vector) {
    let place = place as usize;
    match parts[first..].iter_mut().find(|p| p.place == place) {
        Some(part) => add_scaled(&mut part.y[k], y, 1.0),
        None => {
            parts.push(Part { place, y: [[0.0; N]; ROWS] });
            if let Some(part) = parts.last_mut() {
                part.y[k] = *y;
            }
        }
    }
}

/// Neighbouring rows on the same nodes make one entry.
fn push_new(pairs: &mut Vec<[u32; 2]>, pair: [u32; 2]) {
    if pairs.last() != Some(&pair) {
        pairs.push(pair);
    }
}

/// `C_j = Σ_i Y_i G_ij`.
#[inline(always)]
fn columns(y: &[Vector; ROWS], g: &Slopes, count: usize) -> [Vector; ROWS] {
    fn of<const COUNT: usize>(y: &[Vector; ROWS], g: &Slopes) -> [Vector; ROWS] {
        let mut out = [[0.0; N]; ROWS];
        for i in 0..COUNT {
            for j in 0..COUNT {
                add_scaled(&mut out[j], &y[i], g[i][j]);
            }
        }
        out
    }
    // Loops of known length become lanes.
    match count {
        1 => of::<1>(y, g),
        2 => of::<2>(y, g),
        _ => of::<ROWS>(y, g),
    }
}

/// `b += Σ_k x_k y_kᵀ`, column by column, so that each is loaded and stored once.
#[inline(always)]
fn add_outers(b: &mut block::Block, x: &[Vector; ROWS], y: &[Vector; ROWS], count: usize) {
    fn of<const COUNT: usize>(b: &mut block::Block, x: &[Vector; ROWS], y: &[Vector; ROWS]) {
        for q in 0..N {
            let mut column = b[q];
            for k in 0..COUNT {
                add_scaled(&mut column, &x[k], y[k][q]);
            }
            b[q] = column;
        }
    }
    match count {
        1 => of::<1>(b, x, y),
        2 => of::<2>(b, x, y),
        _ => of::<ROWS>(b, x, y),
    }
}
