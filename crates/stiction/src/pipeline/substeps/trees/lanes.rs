//! Trees whose links are held alike side by side in lanes, for the projections of the sub-steps.

use glam::{DMat3, DVec3};

use super::super::super::flow::{Group, LinksInLanes, Template, TreeGroups};
use super::super::Frame;
use super::super::bodies::SubstepBodies;
use super::link::Link;
use super::{Dof, SubstepTrees};
use crate::solvers::soft::{Cholesky, FactoredLink, Held, Loops, MovingLink, Record, Spatial, TreeLink, Width};

/// Trees in groups, and what projections are asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeLanes {
    pub(super) lists: TreeGroups,
    /// What the groups were made for: trees of the forest, what their templates were made from, and lanes.
    sources: Vec<u32>,
    known: Option<[u64; 3]>,
    width: usize,
    /// By member: its axes have laws, or rotors turn with it.
    has_laws: Vec<bool>,
    /// Trees whose axes have changed, for which a projection is asked.
    is_asked: Vec<bool>,
}

impl SubstepTrees {
    /// Puts the trees into lanes, factors them at the pose of the rows, and turns the velocities of the start to there.
    pub(in super::super) fn place<L: Width<W>, const W: usize>(
        &mut self,
        frame: &Frame,
        templates: (&[Option<Template>], Option<[u64; 3]>),
        wide: &mut LinksInLanes<W>,
        bodies: &mut SubstepBodies,
    ) {
        if self.trees.is_empty() {
            self.lanes.sources.clear();
            self.lanes.lists.clear();
            return;
        }
        self.group(templates, wide, bodies.nobodies()[0]);
        self.notes(&bodies.z, -1.0);
        let mut single = std::mem::take(&mut self.lanes.lists.single);
        for number in 0..self.lanes.lists.groups.len() {
            let group = self.lanes.lists.groups[number];
            let range = group.links();
            if group.members().len() == 1 {
                let lanes = (&mut single.links[range.clone()], &mut single.moving[range], &mut single.loops);
                self.place_group::<f64, 1>(group, frame, lanes, bodies);
            } else {
                let lanes = (&mut wide.links[range.clone()], &mut wide.moving[range], &mut wide.loops);
                self.place_group::<L, W>(group, frame, lanes, bodies);
            }
        }
        self.lanes.lists.single = single;
        self.notes(&bodies.z, 1.0);
    }

    fn place_group<L: Width<W>, const W: usize>(
        &mut self,
        group: Group,
        frame: &Frame,
        (links, moving, loops): (&mut [TreeLink<W>], &mut [MovingLink<W>], &mut Loops<W>),
        bodies: &mut SubstepBodies,
    ) {
        self.begin_loops(group, loops);
        L::place_rows(links, moving, loops, &bodies.records);
        let (mut is_spread, is_first) = ([0.0; W], self.is_first);
        for (lane, member) in group.members().enumerate() {
            let tree = self.trees[self.lanes.lists.members[member] as usize];
            is_spread[lane] = if self.is_spread(tree, frame, bodies) { 1.0 } else { 0.0 };
            let own = self.links[tree.links()].iter_mut().zip(&mut self.factored[tree.links()]);
            own.zip(&*links).for_each(|(own, source)| fetch(own, source, lane));
            if let Some((closure, own)) = self.closure_of(tree) {
                closure.fetch(own, loops, lane);
                if is_first {
                    closure.note_shares(links, loops, lane);
                }
            }
            visit_dofs(&mut self.dofs, &self.links[tree.links()], links, |dof, link, k| {
                link.carried[k][lane] = dof.carried;
            });
        }
        L::turn(links, loops, &mut bodies.z, &mut bodies.pulls, 2.0 / f64::from(frame.substeps), &is_spread);
        for (lane, member) in group.members().enumerate() {
            let tree = self.trees[self.lanes.lists.members[member] as usize];
            visit_dofs(&mut self.dofs, &self.links[tree.links()], links, |dof, link, k| {
                dof.rate = link.rates[k][lane];
                dof.carried = dof.added * dof.rate;
            });
        }
    }

    /// Begins with the cuts of the trees of a group.
    pub(super) fn begin_loops<const W: usize>(&self, group: Group, loops: &mut Loops<W>) {
        let first = self.trees[self.lanes.lists.members[group.members().start] as usize];
        loops.begin(self.closures.cuts(first));
    }

    /// Notes which trees have laws of axes, once these are read.
    pub(super) fn note_laws(&mut self) {
        let mut has_laws = std::mem::take(&mut self.lanes.has_laws);
        has_laws.clear();
        has_laws.extend(self.lanes.lists.members.iter().map(|number| self.has_laws(self.trees[*number as usize])));
        self.lanes.has_laws = has_laws;
    }

    /// Puts the trees into groups, whose memory stays while they are the same. `nobody` is the place of empty lanes.
    fn group<const W: usize>(
        &mut self,
        (templates, known): (&[Option<Template>], Option<[u64; 3]>),
        wide: &mut LinksInLanes<W>,
        nobody: u32,
    ) {
        let Self { trees, lanes, .. } = self;
        lanes.is_asked.clear();
        lanes.is_asked.resize(trees.len(), true);
        let sources = trees.iter().map(|tree| tree.source);
        if lanes.known != known || lanes.width != W || !sources.clone().eq(lanes.sources.iter().copied()) {
            (lanes.known, lanes.width) = (known, W);
            lanes.sources.clear();
            lanes.sources.extend(sources.clone());
            let numbered = (0..).zip(sources.map(|source| templates[source as usize].as_ref()));
            lanes
                .lists
                .make(numbered.filter_map(|(number, template)| template.map(|own| (number, own, own.shape))), wide);
        }
        let mut single = std::mem::take(&mut self.lanes.lists.single);
        for group in &self.lanes.lists.groups {
            if group.members().len() == 1 {
                self.begin_group(*group, &mut single.links[group.links()], nobody);
            } else {
                self.begin_group(*group, &mut wide.links[group.links()], nobody);
            }
        }
        self.lanes.lists.single = single;
    }

    /// Places and rotors of the links of a group.
    fn begin_group<const W: usize>(&self, group: Group, links: &mut [TreeLink<W>], nobody: u32) {
        for link in links.iter_mut() {
            link.begin();
            link.places = [nobody; W];
        }
        for (lane, member) in group.members().enumerate() {
            let tree = self.trees[self.lanes.lists.members[member] as usize];
            for (source, link) in self.links[tree.links()].iter().zip(&mut *links) {
                link.places[lane] = source.place;
                (link.share, link.is_half) = (source.share, source.is_half);
                if tree.closure != super::NONE {
                    // Those of the whole body.
                    link.root_mass[lane] = source.mass.sqrt();
                    (0..3).for_each(|k| link.root_moments[k][lane] = source.moments[k].sqrt());
                }
                for k in 0..source.dofs {
                    link.added[k][lane] = self.dofs[source.first_dof as usize + k].added;
                }
            }
        }
    }

    /// Projects the velocities of all trees, those of contact spaces too.
    pub(in super::super) fn project_every<L: Width<W>, const W: usize>(
        &mut self,
        links: &mut [TreeLink<W>],
        z: &mut [Record],
    ) {
        self.lanes.is_asked.fill(true);
        self.project_asked::<L, W>(links, z);
    }

    /// Projects the velocities of all trees that passes over bodies move.
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
        for number in 0..self.lanes.lists.groups.len() {
            let group = self.lanes.lists.groups[number];
            if group.members().len() == 1 {
                let mut single = std::mem::take(&mut self.lanes.lists.single);
                self.project_group::<f64, 1>(group, &mut single.links[group.links()], z);
                self.lanes.lists.single = single;
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
            let number = self.lanes.lists.members[member] as usize;
            is_asked[lane] = if self.lanes.is_asked[number] { 1.0 } else { 0.0 };
        }
        if is_asked == [0.0; W] {
            return;
        }
        for (lane, member) in group.members().enumerate() {
            let tree = self.trees[self.lanes.lists.members[member] as usize];
            if is_asked[lane] > 0.0 && self.lanes.has_laws[member] {
                visit_dofs(&mut self.dofs, &self.links[tree.links()], links, |dof, link, k| {
                    link.impulses[k][lane] = dof.impulse;
                    link.carried[k][lane] = dof.carried;
                });
            }
        }
        L::project(links, z, &is_asked);
        for (lane, member) in group.members().enumerate().filter(|(lane, _)| is_asked[*lane] > 0.0) {
            let tree = self.trees[self.lanes.lists.members[member] as usize];
            if let Some((closure, own)) = self.closure_of(tree) {
                closure.join(own, (&mut *links, lane), z);
            }
        }
        for (lane, member) in group.members().enumerate() {
            let tree = self.trees[self.lanes.lists.members[member] as usize];
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
            self.ask(number, !self.trees[number].is_in_contact_space && is_asked(first));
        }
    }

    /// Asks for the projection of all trees that passes over bodies move.
    pub(super) fn ask_all(&mut self) {
        self.ask_each(|_| true);
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

/// Reads a lane of the factor of a link.
fn fetch<const W: usize>((link, own): (&mut Link, &mut FactoredLink), from: &TreeLink<W>, lane: usize) {
    let three = |list: &[[f64; W]]| DVec3::new(list[0][lane], list[1][lane], list[2][lane]);
    let spatial = |list: &[[f64; W]; 6]| Spatial::new(three(&list[..3]), three(&list[3..]));
    link.axes = DMat3::from_cols(three(&from.axes[0]), three(&from.axes[1]), three(&from.axes[2]));
    own.to_parent = three(&from.to_parent);
    for k in 0..own.dofs() {
        own.motions[k] = spatial(&from.motions[k]);
        own.pushed[k] = spatial(&from.pushed[k]);
        own.inverse[k] = from.inverse[k].map(|row| row[lane]);
    }
    if own.held == Held::Free {
        own.factor = Cholesky::from_entries(|i, k| from.inertia[i * (i + 1) / 2 + k][lane]);
    }
}
