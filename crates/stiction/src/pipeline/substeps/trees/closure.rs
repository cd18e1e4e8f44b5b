//! Loops of trees that contacts touch: what holds the halves of a body together (see `solvers::soft::trees::loops`), by tree.
//!
//! With the rows J of the welds and the projection P of the tree that the cuts leave, the projection of the mechanism is `P − P Jᵀ G⁻¹ J P`, `G = J P Jᵀ`
//! eliminated with pivots. Projections subtract what the impulses of the welds do, row by row; in contact space the rows of the welds are blocks like others,
//! which are eliminated before the first pass.

use glam::DVec3;

use super::super::super::StepReport;
use super::super::super::context::Model;
use super::super::super::flow::Template;
use super::{Dof, Link, NONE, SubstepTrees, Tree, record};
use crate::solvers::SemidefiniteSystem;
use crate::solvers::soft::{ContactSpace, Loops, ROWS_OF_CUT as ROWS, Record, Spatial, Supports, TreeLink, Width};

/// The cuts of a tree, at the pose of the rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Closure {
    /// Links that are halves of one body, as numbers in the tree.
    pub(super) cuts: Vec<[u32; 2]>,
    system: SemidefiniteSystem,
    matrix: Vec<f64>,
    /// By row and link, by a unit impulse of the row: velocities, the same whitened by the share of the body, and rates of the motions.
    velocities: Vec<Spatial>,
    whitened: Vec<Record>,
    rates: Vec<[f64; 3]>,
    /// What each cut leaves its loop, in the first step.
    shares: Vec<f64>,
    /// Work space: velocities of the rows, then impulses.
    rows: Vec<f64>,
}

/// Memory of the cuts of all trees.
#[derive(Clone, Debug, Default)]
pub(super) struct Closures {
    list: Vec<Closure>,
    count: usize,
}

impl Closures {
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds the cuts of a tree; `NONE` where it has none.
    pub(super) fn add(&mut self, template: &Template) -> u32 {
        if !template.has_loops() {
            return NONE;
        }
        self.count += 1;
        self.list.resize_with(self.list.len().max(self.count), Closure::default);
        self.list[self.count - 1].cuts.clone_from(&template.cuts);
        self.count as u32 - 1
    }

    /// The cuts of a tree.
    pub(super) fn cuts(&self, tree: Tree) -> &[[u32; 2]] {
        self.list.get(tree.closure as usize).map_or(&[], |own| &own.cuts)
    }
}

impl Closure {
    /// Reads a lane of what has been found for the tree.
    pub(super) fn fetch<const W: usize>(&mut self, links: &[Link], loops: &Loops<W>, lane: usize) {
        let (system, matrix) = loops.system(lane);
        self.system.clone_from(system);
        self.matrix.clear();
        self.matrix.extend_from_slice(matrix);
        self.velocities.clear();
        self.whitened.clear();
        self.rates.clear();
        for (([x, y, z, i, j, k], rates), link) in loops.responses(lane).zip(links.iter().cycle()) {
            let velocity = Spatial::new(DVec3::new(x, y, z), DVec3::new(i, j, k));
            self.velocities.push(velocity);
            self.whitened.push(Record(link.whitened(&velocity).0.map(|e| link.share * e)));
            self.rates.push(rates);
        }
    }

    /// Notes what the cuts leave their loops.
    pub(super) fn note_shares<const W: usize>(&mut self, links: &[TreeLink<W>], loops: &Loops<W>, lane: usize) {
        self.shares.clear();
        self.shares.extend((0..self.cuts.len()).map(|cut| loops.share_left(links, cut, lane)));
    }

    /// Impulses of the rows that take some velocities from them, which are in `rows`.
    fn find_impulses(&mut self) {
        self.system.solve_factored(&self.matrix, &mut self.rows);
    }

    /// Takes what a projection of the tree in a lane has left between halves off the velocities of its links.
    pub(super) fn join<const W: usize>(
        &mut self,
        sources: &[Link],
        (links, lane): (&mut [TreeLink<W>], usize),
        z: &mut [Record],
    ) {
        self.rows.clear();
        for [first, second] in &self.cuts {
            let halves = [first, second].map(|link| links[*link as usize].velocity());
            self.rows.extend((0..ROWS).map(|e| halves[0][e][lane] - halves[1][e][lane]));
        }
        self.find_impulses();
        let count = sources.len();
        for (row, impulse) in self.rows.iter().enumerate().filter(|(_, impulse)| **impulse != 0.0) {
            for (number, (source, link)) in sources.iter().zip(&mut *links).enumerate() {
                let rates = &self.rates[count * row + number];
                (0..source.dofs).for_each(|k| link.rates[k][lane] -= rates[k] * impulse);
                if source.moves() {
                    let (own, by) = (&mut z[source.place as usize].0, &self.whitened[count * row + number].0);
                    (0..6).for_each(|e| own[e] -= by[e] * impulse);
                }
            }
        }
    }

    /// The same of velocities and rates that the recursion by numbers has found.
    pub(super) fn join_solution(&mut self, sources: &[Link], velocities: &mut [Spatial], dofs: &mut [Dof]) {
        self.rows.clear();
        for [first, second] in &self.cuts {
            let apart = velocities[*first as usize].plus(-1.0, &velocities[*second as usize]);
            self.rows.extend(apart.linear.to_array().into_iter().chain(apart.angular.to_array()));
        }
        self.find_impulses();
        let (count, first_dof) = (sources.len(), sources[0].first_dof as usize);
        for (row, impulse) in self.rows.iter().enumerate().filter(|(_, impulse)| **impulse != 0.0) {
            for (number, source) in sources.iter().enumerate() {
                velocities[number] = velocities[number].plus(-impulse, &self.velocities[count * row + number]);
                let own = &mut dofs[source.first_dof as usize - first_dof..][..source.dofs];
                own.iter_mut()
                    .zip(&self.rates[count * row + number])
                    .for_each(|(dof, rate)| dof.rate -= rate * impulse);
            }
        }
        dofs.iter_mut().for_each(|dof| dof.carried = dof.added * dof.rate);
    }
}

impl Link {
    /// A velocity of it in whitened coordinates.
    pub(super) fn whitened(&self, v: &Spatial) -> Record {
        record(self.mass.sqrt() * v.linear, self.axes.transpose() * v.angular * self.moments.map(f64::sqrt))
    }
}

impl SubstepTrees {
    /// Blocks of the rows that hold some trees together, at the end of all blocks, and the contact space of all blocks; these rows are eliminated there.
    pub(in super::super) fn begin_space<L: Width<W>, const W: usize>(
        &mut self,
        trees: std::ops::Range<usize>,
        (space, supports): (&mut ContactSpace, &mut Supports),
    ) {
        let visible = supports.blocks();
        for number in trees.clone() {
            self.reach_of_cuts::<L, W>(number, supports);
        }
        L::begin_contact_space(space, supports);
        let mut first = visible;
        for tree in &self.trees[trees] {
            if let Some(own) = self.closures.list.get(tree.closure as usize) {
                space.hold(visible, first, (&own.system, &own.matrix));
                first += own.cuts.len();
            }
        }
        space.keep(visible);
    }

    fn reach_of_cuts<L: Width<W>, const W: usize>(&mut self, number: usize, supports: &mut Supports) {
        let tree = self.trees[number];
        for cut in 0..self.closures.cuts(tree).len() {
            let [first, second] = self.closures.cuts(tree)[cut];
            self.reach.begin(tree.links().len(), tree.dofs().len());
            for row in 0..ROWS {
                let mut unit = [DVec3::ZERO; 2];
                unit[row / 3][row % 3] = 1.0;
                self.reach.push(first as usize, row, &Spatial::new(unit[0], unit[1]));
                self.reach.push(second as usize, row, &Spatial::new(-unit[0], -unit[1]));
            }
            self.finish_block::<L, W>(tree, supports);
        }
    }

    /// Reports joints that close loops and all but lock them.
    pub(super) fn report_locked(&self, model: &Model, report: &mut StepReport) {
        for tree in &self.trees {
            let Some(own) = self.closures.list.get(tree.closure as usize) else { continue };
            for ([_, second], share) in own.cuts.iter().zip(&own.shares) {
                let joint = self.links[tree.links()][*second as usize].joint;
                report.note_share_left(model.joints, joint, *share);
            }
        }
    }

    /// The closure of a tree, to be changed, with its links.
    pub(super) fn closure_of(&mut self, tree: Tree) -> Option<(&mut Closure, &[Link])> {
        let own = self.closures.list.get_mut(tree.closure as usize)?;
        Some((own, &self.links[tree.links()]))
    }

    /// Takes what a solution by numbers has left between the halves of a tree.
    pub(super) fn join(&mut self, tree: Tree) {
        let Self { closures, links, velocities, dofs, .. } = self;
        if let Some(own) = closures.list.get_mut(tree.closure as usize) {
            own.join_solution(&links[tree.links()], &mut velocities[tree.links()], &mut dofs[tree.dofs()]);
        }
    }
}
