//! Trees whose links are held alike side by side in lanes, for the projections of the sub-steps.

use std::ops::Range;

use glam::{DMat3, DVec3};

use super::super::super::flow::Template;
use super::super::bodies::SubstepBodies;
use super::super::{Frame, InLanes};
use super::link::{Hold, Link};
use super::spatial::{Cholesky, Spatial};
use super::{Dof, SubstepTrees};
use crate::solvers::soft::{MovingLink, Record, TreeLink, Width};

/// Groups of trees, and the links of those that are alone in theirs.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeLanes {
    pub(super) groups: Vec<Group>,
    /// Trees of the groups.
    pub(super) members: Vec<u32>,
    /// By member: its axes have laws, or rotors turn with it.
    has_laws: Vec<bool>,
    pub(super) single: Vec<TreeLink<1>>,
    pub(super) single_moving: Vec<MovingLink<1>>,
    /// What the groups were made for: trees of the forest, their templates, and lanes.
    sources: Vec<u32>,
    changes: u64,
    width: usize,
    /// Trees in the order of their shapes.
    order: Vec<u32>,
    /// Trees whose axes have changed, for which a projection is asked.
    is_asked: Vec<bool>,
}

/// Trees in lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// In the list of members.
    members: [u32; 2],
    /// In the list of links: of single ones if there is one member.
    links: [u32; 2],
}

impl Group {
    pub(super) fn members(&self) -> Range<usize> {
        self.members[0] as usize..self.members[1] as usize
    }

    pub(super) fn links(&self) -> Range<usize> {
        self.links[0] as usize..self.links[1] as usize
    }
}

impl SubstepTrees {
    /// Puts the trees into lanes, factors them at the pose of the rows, and turns the velocities of the start to there.
    pub(in super::super) fn place<L: Width<W>, const W: usize>(
        &mut self,
        frame: &Frame,
        templates: (&[Option<Template>], u64),
        memory: &mut InLanes<W>,
        bodies: &mut SubstepBodies,
    ) {
        if self.trees.is_empty() {
            for list in [&mut self.lanes.members, &mut self.lanes.sources] {
                list.clear();
            }
            self.lanes.groups.clear();
            return;
        }
        let InLanes { links, moving, .. } = memory;
        self.group(templates, (links, moving), bodies.nobodies()[0]);
        self.notes(&bodies.z, -1.0);
        let mut single = std::mem::take(&mut self.lanes.single);
        let mut single_moving = std::mem::take(&mut self.lanes.single_moving);
        for number in 0..self.lanes.groups.len() {
            let group = self.lanes.groups[number];
            if group.members().len() == 1 {
                let (links, moving) = (&mut single[group.links()], &mut single_moving[group.links()]);
                self.place_group::<f64, 1>(group, frame, (links, moving), bodies);
            } else {
                let (links, moving) = (&mut links[group.links()], &mut moving[group.links()]);
                self.place_group::<L, W>(group, frame, (links, moving), bodies);
            }
        }
        (self.lanes.single, self.lanes.single_moving) = (single, single_moving);
        self.notes(&bodies.z, 1.0);
    }

    fn place_group<L: Width<W>, const W: usize>(
        &mut self,
        group: Group,
        frame: &Frame,
        (links, moving): (&mut [TreeLink<W>], &mut [MovingLink<W>]),
        bodies: &mut SubstepBodies,
    ) {
        L::place_rows(links, moving, &bodies.records);
        let mut is_spread = [0.0; W];
        for (lane, member) in group.members().enumerate() {
            let tree = self.trees[self.lanes.members[member] as usize];
            is_spread[lane] = if self.is_spread(tree, frame, bodies) { 1.0 } else { 0.0 };
            for (link, source) in self.links[tree.links()].iter_mut().zip(&*links) {
                link.fetch(source, lane);
            }
            visit_dofs(&mut self.dofs, &self.links[tree.links()], links, |dof, link, k| {
                link.carried[k][lane] = dof.carried;
            });
        }
        L::turn(links, &mut bodies.z, &mut bodies.pulls, 2.0 / f64::from(frame.substeps), &is_spread);
        for (lane, member) in group.members().enumerate() {
            let tree = self.trees[self.lanes.members[member] as usize];
            visit_dofs(&mut self.dofs, &self.links[tree.links()], links, |dof, link, k| {
                dof.rate = link.rates[k][lane];
                dof.carried = dof.added * dof.rate;
            });
        }
    }

    /// Notes which trees have laws of axes, once these are read.
    pub(super) fn note_laws(&mut self) {
        let mut has_laws = std::mem::take(&mut self.lanes.has_laws);
        has_laws.clear();
        has_laws.extend(self.lanes.members.iter().map(|number| self.has_laws(self.trees[*number as usize])));
        self.lanes.has_laws = has_laws;
    }

    /// Puts the trees into groups, whose memory stays while they are the same. `nobody` is the place of empty lanes.
    fn group<const W: usize>(
        &mut self,
        (templates, changes): (&[Option<Template>], u64),
        (links, moving): (&mut Vec<TreeLink<W>>, &mut Vec<MovingLink<W>>),
        nobody: u32,
    ) {
        self.lanes.is_asked.clear();
        self.lanes.is_asked.resize(self.trees.len(), true);
        let sources = self.trees.iter().map(|tree| tree.source);
        if self.lanes.changes != changes
            || self.lanes.width != W
            || !sources.clone().eq(self.lanes.sources.iter().copied())
        {
            (self.lanes.changes, self.lanes.width) = (changes, W);
            self.lanes.sources.clear();
            self.lanes.sources.extend(sources);
            self.make_groups(templates, (links, moving));
        }
        let mut single = std::mem::take(&mut self.lanes.single);
        for group in &self.lanes.groups {
            if group.members().len() == 1 {
                self.begin_group(*group, &mut single[group.links()], nobody);
            } else {
                self.begin_group(*group, &mut links[group.links()], nobody);
            }
        }
        self.lanes.single = single;
    }

    fn make_groups<const W: usize>(
        &mut self,
        templates: &[Option<Template>],
        (links, moving): (&mut Vec<TreeLink<W>>, &mut Vec<MovingLink<W>>),
    ) {
        let TreeLanes { groups, members, single, single_moving, order, .. } = &mut self.lanes;
        groups.clear();
        members.clear();
        links.clear();
        moving.clear();
        single.clear();
        single_moving.clear();
        let of_tree = |number: u32| templates[self.trees[number as usize].source as usize].as_ref();
        let shape = |number: &u32| of_tree(*number).map_or(u32::MAX, |template| template.shape);
        order.clear();
        order.extend(0..self.trees.len() as u32);
        order.sort_by_key(|number| (shape(number), *number));
        for alike in order.chunk_by(|a, b| shape(a) == shape(b)) {
            for some in alike.chunks(W) {
                let first = members.len() as u32;
                members.extend_from_slice(some);
                let own = some.iter().filter_map(|number| of_tree(*number));
                let links =
                    if some.len() == 1 { add_links(own, single, single_moving) } else { add_links(own, links, moving) };
                groups.push(Group { members: [first, members.len() as u32], links });
            }
        }
    }

    /// Places and rotors of the links of a group.
    fn begin_group<const W: usize>(&self, group: Group, links: &mut [TreeLink<W>], nobody: u32) {
        for link in links.iter_mut() {
            link.begin(link.held, link.parent);
            link.places = [nobody; W];
        }
        for (lane, member) in group.members().enumerate() {
            let tree = self.trees[self.lanes.members[member] as usize];
            for (source, link) in self.links[tree.links()].iter().zip(&mut *links) {
                link.places[lane] = source.place;
                for k in 0..source.dofs {
                    link.added[k][lane] = self.dofs[source.first_dof as usize + k].added;
                }
            }
        }
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

/// Adds the links of trees that are built alike; lanes without a tree repeat the last one.
fn add_links<'a, const W: usize>(
    trees: impl Iterator<Item = &'a Template>,
    links: &mut Vec<TreeLink<W>>,
    moving: &mut Vec<MovingLink<W>>,
) -> [u32; 2] {
    let start = links.len();
    let mut last: Option<&Template> = None;
    let mut trees = trees;
    for lane in 0..W {
        let Some(template) = trees.next().or(last) else { break };
        last = Some(template);
        for (number, source) in template.links.iter().enumerate() {
            if lane == 0 {
                links.push(TreeLink::new(source.held, source.parent, 0));
                moving.push(MovingLink::new(source.hinging, source.carrier, source.welded_to));
            }
            source.write(&mut moving[start + number], lane);
            source.write_roots(&mut links[start + number], lane);
        }
    }
    [start as u32, links.len() as u32]
}

impl Link {
    /// Reads a lane of its factor.
    fn fetch<const W: usize>(&mut self, from: &TreeLink<W>, lane: usize) {
        let three = |list: &[[f64; W]]| DVec3::new(list[0][lane], list[1][lane], list[2][lane]);
        let spatial = |list: &[[f64; W]; 6]| Spatial::new(three(&list[..3]), three(&list[3..]));
        self.axes = DMat3::from_cols(three(&from.axes[0]), three(&from.axes[1]), three(&from.axes[2]));
        self.to_parent = three(&from.to_parent);
        for k in 0..self.dofs {
            self.motions[k] = spatial(&from.motions[k]);
            self.pushed[k] = spatial(&from.pushed[k]);
            self.inverse[k] = from.inverse[k].map(|row| row[lane]);
        }
        if self.hold == Hold::Free {
            self.factor = Cholesky::from_entries(|i, k| from.inertia[i * (i + 1) / 2 + k][lane]);
        }
    }
}
