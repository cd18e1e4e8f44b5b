//! Trees whose links are held alike side by side in lanes, for the projections of the sub-steps.

use std::ops::Range;

use super::link::{Hold, Link};
use super::{Dof, SubstepTrees, Tree};
use crate::solvers::soft::{Held, Record, TreeLink, Width};

/// Groups of trees, and the links of those that are alone in theirs.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeLanes {
    groups: Vec<Group>,
    /// Trees of the groups, and whether a tree is in one.
    members: Vec<u32>,
    is_member: Vec<bool>,
    /// By member: its axes have laws, or rotors turn with it.
    has_laws: Vec<bool>,
    single: Vec<TreeLink<1>>,
    /// Trees whose axes have changed, for which a projection is asked.
    is_asked: Vec<bool>,
}

/// Trees in lanes.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// In the list of members.
    members: [u32; 2],
    /// In the list of links: of single ones if there is one member.
    links: [u32; 2],
}

impl Group {
    fn members(&self) -> Range<usize> {
        self.members[0] as usize..self.members[1] as usize
    }

    fn links(&self) -> Range<usize> {
        self.links[0] as usize..self.links[1] as usize
    }
}

impl SubstepTrees {
    /// Puts the trees into lanes, with their factors at the pose of the rows. `nobody` is the place of empty lanes.
    pub(in super::super) fn group<const W: usize>(&mut self, links: &mut Vec<TreeLink<W>>, nobody: u32) {
        let (mut used, mut used_single) = (0, 0);
        self.lanes.groups.clear();
        self.lanes.members.clear();
        self.lanes.is_asked.clear();
        self.lanes.is_asked.resize(self.trees.len(), true);
        let mut is_member = std::mem::take(&mut self.lanes.is_member);
        is_member.clear();
        is_member.resize(self.trees.len(), false);
        for first in 0..self.trees.len() {
            if is_member[first] {
                continue;
            }
            let start = self.lanes.members.len();
            for number in first..self.trees.len() {
                if !is_member[number] && self.are_alike(self.trees[first], self.trees[number]) {
                    is_member[number] = true;
                    self.lanes.members.push(number as u32);
                    if self.lanes.members.len() == start + W {
                        break;
                    }
                }
            }
            let members = [start as u32, self.lanes.members.len() as u32];
            if W == 1 || members[1] == members[0] + 1 {
                let mut single = std::mem::take(&mut self.lanes.single);
                used_single = self.add_group(members, &mut single, used_single, nobody);
                self.lanes.single = single;
            } else {
                used = self.add_group(members, links, used, nobody);
            }
        }
        links.truncate(used);
        self.lanes.single.truncate(used_single);
        self.lanes.is_member = is_member;
        let mut has_laws = std::mem::take(&mut self.lanes.has_laws);
        has_laws.clear();
        has_laws.extend(self.lanes.members.iter().map(|number| self.has_laws(self.trees[*number as usize])));
        self.lanes.has_laws = has_laws;
    }

    /// Links of two trees are held alike.
    fn are_alike(&self, a: Tree, b: Tree) -> bool {
        let (first, second) = (&self.links[a.links()], &self.links[b.links()]);
        first.len() == second.len()
            && first
                .iter()
                .zip(second)
                .all(|(x, y)| x.hold == y.hold && x.dofs == y.dofs && a.parent_of(x) == b.parent_of(y))
    }

    /// Writes the links of a group from a number on, and returns the number after the last.
    fn add_group<const W: usize>(
        &mut self,
        members: [u32; 2],
        links: &mut Vec<TreeLink<W>>,
        start: usize,
        nobody: u32,
    ) -> usize {
        let count = (members[1] - members[0]) as usize;
        for lane in 0..count {
            let tree = self.trees[self.lanes.members[members[0] as usize + lane] as usize];
            for (number, link) in self.links[tree.links()].iter().enumerate() {
                let parent = tree.parent_of(link);
                if lane == 0 {
                    match links.get_mut(start + number) {
                        // All of its lanes are written: memory of the last step may stay.
                        Some(own) if count == W => own.begin(link.held(), parent),
                        Some(own) => *own = TreeLink::new(link.held(), parent, nobody),
                        None => links.push(TreeLink::new(link.held(), parent, nobody)),
                    }
                }
                link.write(&mut links[start + number], lane);
            }
        }
        let first = self.lanes.members[members[0] as usize] as usize;
        let end = start + self.trees[first].links().len();
        self.lanes.groups.push(Group { members, links: [start as u32, end as u32] });
        end
    }

    /// Projects the velocities of all trees.
    pub(in super::super) fn project_all<L: Width<W>, const W: usize>(
        &mut self,
        links: &mut [TreeLink<W>],
        z: &mut [Record],
    ) {
        self.ask_all();
        self.project_asked::<L, W>(links, z);
    }

    /// Projects the velocities of the trees for which that is asked.
    pub(in super::super) fn project_asked<L: Width<W>, const W: usize>(
        &mut self,
        links: &mut [TreeLink<W>],
        z: &mut [Record],
    ) {
        for number in 0..self.lanes.groups.len() {
            let group = self.lanes.groups[number];
            if group.members().len() == 1 {
                let mut single = std::mem::take(&mut self.lanes.single);
                self.project_group::<f64, 1>(group, &mut single[group.links()], z);
                self.lanes.single = single;
            } else {
                self.project_group::<L, W>(group, &mut links[group.links()], z);
            }
        }
    }

    fn project_group<L: Width<W>, const W: usize>(
        &mut self,
        group: Group,
        links: &mut [TreeLink<W>],
        z: &mut [Record],
    ) {
        let mut is_asked = [0.0; W];
        for (lane, member) in group.members().enumerate() {
            let number = self.lanes.members[member] as usize;
            is_asked[lane] = if self.lanes.is_asked[number] { 1.0 } else { 0.0 };
        }
        if is_asked == [0.0; W] {
            return;
        }
        for (lane, member) in group.members().enumerate() {
            let tree = self.trees[self.lanes.members[member] as usize];
            if is_asked[lane] > 0.0 && self.lanes.has_laws[member] {
                visit_dofs(&mut self.dofs, &self.links[tree.links()], links, |dof, link, k| {
                    link.impulses[k][lane] = dof.impulse;
                    link.carried[k][lane] = dof.carried;
                });
            }
        }
        L::project(links, z, &is_asked);
        for (lane, member) in group.members().enumerate() {
            let tree = self.trees[self.lanes.members[member] as usize];
            if is_asked[lane] > 0.0 && self.lanes.has_laws[member] {
                visit_dofs(&mut self.dofs, &self.links[tree.links()], links, |dof, link, k| {
                    dof.rate = link.rates[k][lane];
                    dof.impulse = 0.0;
                    dof.carried = dof.added * dof.rate;
                });
            }
        }
    }

    /// Asks for the projection of some trees, by the place of their first link.
    pub(in super::super) fn ask_each(&mut self, mut is_asked: impl FnMut(u32) -> bool) {
        for number in 0..self.trees.len() {
            let first = self.links[self.trees[number].links[0] as usize].place;
            self.ask(number, is_asked(first));
        }
    }

    /// Asks for the projection of all trees.
    pub(super) fn ask_all(&mut self) {
        self.lanes.is_asked.fill(true);
    }

    /// The projection of a tree has been asked for.
    pub(super) fn is_asked(&self, tree: usize) -> bool {
        self.lanes.is_asked[tree]
    }

    /// Asks for the projection of a tree, or not.
    pub(super) fn ask(&mut self, tree: usize, is_asked: bool) {
        self.lanes.is_asked[tree] = is_asked;
    }
}

/// Visits the degrees of freedom of the links of a tree.
fn visit_dofs<const W: usize>(
    dofs: &mut [Dof],
    sources: &[Link],
    links: &mut [TreeLink<W>],
    mut visit: impl FnMut(&mut Dof, &mut TreeLink<W>, usize),
) {
    for (source, link) in sources.iter().zip(links) {
        for k in 0..source.dofs {
            visit(&mut dofs[source.first_dof as usize + k], link, k);
        }
    }
}

impl Link {
    fn held(&self) -> Held {
        match self.hold {
            Hold::Free => Held::Free,
            Hold::Welded => Held::Welded,
            _ => Held::Joint(self.dofs as u8),
        }
    }

    /// Writes a lane.
    fn write<const W: usize>(&self, to: &mut TreeLink<W>, lane: usize) {
        to.places[lane] = self.place;
        to.root_mass[lane] = self.mass.sqrt();
        for e in 0..3 {
            to.root_moments[e][lane] = self.moments[e].sqrt();
            to.to_parent[e][lane] = self.to_parent[e];
            for k in 0..3 {
                to.axes[k][e][lane] = self.axes.col(k)[e];
            }
        }
        for k in 0..self.dofs {
            for e in 0..3 {
                to.motions[k][e][lane] = self.motions[k].linear[e];
                to.motions[k][3 + e][lane] = self.motions[k].angular[e];
                to.pushed[k][e][lane] = self.pushed[k].linear[e];
                to.pushed[k][3 + e][lane] = self.pushed[k].angular[e];
                to.inverse[k][e][lane] = self.inverse[k][e];
            }
        }
        if self.hold == Hold::Free {
            for (i, row) in self.factor.rows().iter().enumerate() {
                for (k, entry) in row[..=i].iter().enumerate() {
                    to.inertia[i * (i + 1) / 2 + k][lane] = *entry;
                }
            }
        }
    }
}
