//! How far the rows of manifolds and axes reach in trees, by the elimination that projects velocities.

use glam::DVec3;

use super::{NONE, SubstepTrees, Tree};
use crate::solvers::soft::{BLOCK, Bundle, ContactSpace, ROWS, Record, Spatial, Spatials, Support, Supports, Width};

/// Coordinates of a body, by place; they come before all degrees of freedom.
const OF_BODY: u32 = 6;

/// What rows reach last: a body that no joint holds, at a place, which has a side of a manifold, or the root of a tree, with its momentum.
#[derive(Clone, Copy)]
struct Last {
    place: u32,
    side: usize,
    root: Option<usize>,
    momentum: Spatials,
}

impl SubstepTrees {
    /// Rates of the axes of trees by a unit impulse along each of them, a row an impulse, for passes over bodies. Rotors have no momentum.
    pub(in super::super) fn respond<L: Width<W>, const W: usize>(
        &mut self,
        (space, supports): (&mut ContactSpace, &mut Supports),
    ) {
        self.responses.clear();
        for number in 0..self.trees.len() {
            let tree = self.trees[number];
            self.trees[number].responses = self.responses.len() as u32;
            let count = tree.axes().len();
            if count == 0 || tree.is_in_contact_space {
                continue;
            }
            supports.clear();
            self.reach_of_axes::<L, W>(number, supports);
            self.begin_space::<L, W>(number..number + 1, (&mut *space, &mut *supports));
            let pairs = (0..count).flat_map(|i| (0..count).map(move |j| [j, i]));
            self.responses.extend(pairs.map(|pair| space.response(pair)));
        }
    }

    /// Adds blocks for the axes of a tree, eight each.
    pub(in super::super) fn reach_of_axes<L: Width<W>, const W: usize>(
        &mut self,
        tree: usize,
        supports: &mut Supports,
    ) {
        let tree = self.trees[tree];
        for start in tree.axes().step_by(BLOCK) {
            self.reach.begin(tree.links().len(), tree.dofs().len());
            for (row, axis) in self.axes[start..tree.axes().end.min(start + BLOCK)].iter().enumerate() {
                let link = axis.link as usize - tree.links().start;
                self.reach.push_along(link, axis.dof as usize - tree.dofs().start, row);
            }
            self.finish_block::<L, W>(tree, supports);
        }
    }

    /// The supports of what has been pushed in one tree.
    pub(super) fn finish_block<L: Width<W>, const W: usize>(&mut self, tree: Tree, supports: &mut Supports) {
        if let Some(last) = self.travel::<L, W>(tree, supports) {
            self.end::<L, W>(&last, supports);
        }
        supports.end_block();
    }

    /// Adds a block for the rows of a manifold.
    pub(in super::super) fn reach_of_manifold<L: Width<W>, const W: usize>(
        &mut self,
        bundle: &Bundle<1>,
        supports: &mut Supports,
    ) {
        let tree_of = |side: usize| {
            let place = bundle.moving[side][0] as usize;
            self.of_place.get(place).copied().filter(|tree| side < bundle.sides() && *tree != NONE)
        };
        let trees = [tree_of(0), tree_of(1)];
        let mut last = [None; 2];
        for side in (0..bundle.sides()).filter(|side| trees[*side].is_none()) {
            let place = bundle.moving[side][0];
            last[side] = Some(Last { place, side, root: None, momentum: Spatials::default() });
        }
        // Coordinates fall: those of later trees first.
        let order = if trees[0] >= trees[1] { [0, 1] } else { [1, 0] };
        for (number, side) in order.into_iter().enumerate() {
            let Some(tree) = trees[side].filter(|tree| number == 0 || trees[order[0]] != Some(*tree)) else { continue };
            let own = self.trees[tree as usize];
            self.reach.begin(own.links().len(), own.dofs().len());
            for side in (0..2).filter(|side| trees[*side] == Some(tree)) {
                self.push_rows(own, bundle, side);
            }
            last[side] = self.travel::<L, W>(own, supports);
        }
        if last[0].map(|last| last.place) < last[1].map(|last| last.place) {
            last.swap(0, 1);
        }
        for last in last.iter().flatten() {
            if last.root.is_some() {
                self.end::<L, W>(last, supports);
            } else {
                push_body(bundle, last.side, OF_BODY * last.place, supports);
            }
        }
        supports.end_block();
    }

    /// Momenta by the rows of a manifold on one of its bodies.
    fn push_rows(&mut self, tree: Tree, bundle: &Bundle<1>, side: usize) {
        let place = bundle.moving[side][0];
        for (number, link) in self.links[tree.links()].iter().enumerate().filter(|(_, link)| link.place == place) {
            let (root_mass, root_moments) = (link.mass.sqrt(), link.moments.map(f64::sqrt));
            for row in (0..ROWS).filter(|row| bundle.has_row(*row)) {
                let [x, y, z, i, j, k] = bundle.row(row, side).map(|e| link.share * e);
                let angular = link.axes * (DVec3::new(i, j, k) * root_moments);
                self.reach.push(number, row, &Spatial::new(root_mass * DVec3::new(x, y, z), angular));
            }
        }
    }

    fn travel<L: Width<W>, const W: usize>(&mut self, tree: Tree, supports: &mut Supports) -> Option<Last> {
        let (first_link, first_dof) = (tree.links().start, tree.dofs().start);
        let firsts = (first_link, first_dof, OF_BODY * self.of_place.len() as u32);
        let (number, momentum) = L::reach(&mut self.reach, &self.factored[tree.links()], firsts, supports)?;
        let link = first_link + number;
        Some(Last { place: self.links[link].place, side: 0, root: Some(link), momentum })
    }

    /// The coordinates of a root.
    fn end<L: Width<W>, const W: usize>(&self, last: &Last, supports: &mut Supports) {
        if let Some(link) = last.root {
            L::end_reach_at_root(&self.factored[link].factor, &last.momentum, OF_BODY * last.place, supports);
        }
    }
}

/// The coordinates of a body that no joint holds: its whitened velocities.
fn push_body(bundle: &Bundle<1>, side: usize, first: u32, supports: &mut Supports) {
    let mut impulses = [Record::default(); OF_BODY as usize];
    for row in (0..ROWS).filter(|row| bundle.has_row(*row)) {
        impulses.iter_mut().zip(bundle.row(row, side)).for_each(|(impulses, own)| impulses.0[row] = own);
    }
    for (e, impulses) in impulses.into_iter().enumerate().rev() {
        supports.push(Support { coordinate: first + e as u32, impulses, rates: impulses });
    }
}
