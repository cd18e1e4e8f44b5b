//! Trees that are built alike side by side in lanes.

use std::ops::Range;

use glam::{DQuat, DVec3};

use super::super::context::Model;
use super::super::edits::stop;
use super::super::islands::NONE;
use super::super::{KnownJoints, StepReport, bytes};
use super::FlowingWorld;
use super::laws::{Laws, LawsInStep};
use super::template::{LinkTemplate, Template};
use crate::dynamics::rigid::RigidMotion;
use crate::math::rotation::nearest_turn;
use crate::model::{State, joint_pose, update_positions};
#[cfg(target_arch = "x86_64")]
use crate::solvers::soft::{Eight, Four};
use crate::solvers::soft::{LinkStart, Loops, Mobilizer, MovingLink, TreeLink, TreeWidth, WidthOfLanes};

/// Links of groups of trees with one width of lanes: what projections need of them, and how they move.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct LinksInLanes<const W: usize> {
    pub(in super::super) links: Vec<TreeLink<W>>,
    pub(in super::super) moving: Vec<MovingLink<W>>,
    /// Of the trees that move at a time.
    pub(in super::super) loops: Loops<W>,
    starts: Vec<LinkStart<W>>,
}

/// Trees in lanes: in the list of members, and in that of links, of single ones if there is one member.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Group {
    members: [u32; 2],
    links: [u32; 2],
}

impl Group {
    pub(in super::super) fn members(&self) -> Range<usize> {
        self.members[0] as usize..self.members[1] as usize
    }

    pub(in super::super) fn links(&self) -> Range<usize> {
        self.links[0] as usize..self.links[1] as usize
    }
}

/// Trees in groups that are built alike, and the links of those that are alone in theirs.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct TreeGroups {
    pub(in super::super) groups: Vec<Group>,
    /// Numbers of the trees of the groups.
    pub(in super::super) members: Vec<u32>,
    pub(in super::super) single: LinksInLanes<1>,
}

impl TreeGroups {
    pub(in super::super) fn clear(&mut self) {
        self.groups.clear();
        self.members.clear();
    }

    /// Makes groups of trees, each with its number, its template, and what trees that are built alike have in common.
    pub(in super::super) fn make<'a, S: Ord, const W: usize>(
        &mut self,
        trees: impl Iterator<Item = (u32, &'a Template, S)>,
        wide: &mut LinksInLanes<W>,
    ) {
        self.clear();
        wide.clear();
        self.single.clear();
        let mut sorted: Vec<(u32, &Template, S)> = trees.collect();
        sorted.sort_by(|(a, _, shape), (b, _, other)| (shape, a).cmp(&(other, b)));
        for alike in sorted.chunk_by(|(.., a), (.., b)| a == b) {
            for some in alike.chunks(W) {
                let first = self.members.len() as u32;
                self.members.extend(some.iter().map(|(number, ..)| *number));
                let links = if some.len() == 1 { self.single.add(some) } else { wide.add(some) };
                self.groups.push(Group { members: [first, self.members.len() as u32], links });
            }
        }
    }
}

impl<const W: usize> LinksInLanes<W> {
    fn clear(&mut self) {
        self.links.clear();
        self.moving.clear();
    }

    /// Memory \[B\].
    pub(in super::super) fn bytes(&self) -> usize {
        bytes(&self.links) + bytes(&self.moving) + bytes(&self.starts) + self.loops.bytes()
    }

    /// Adds the links of trees that are built alike; lanes without a tree repeat the last one.
    fn add<S>(&mut self, trees: &[(u32, &Template, S)]) -> [u32; 2] {
        let start = self.links.len();
        for (number, source) in trees[0].1.links.iter().enumerate() {
            let mut link = TreeLink::new(source.mobilizer.held(), source.parent, 0);
            let mut moving = MovingLink::new(source.mobilizer, source.carrier, source.welded_to);
            for lane in 0..W {
                let (_, template, _) = &trees[lane.min(trees.len() - 1)];
                template.links[number].write((&mut link, &mut moving), lane);
            }
            self.links.push(link);
            self.moving.push(moving);
        }
        [start as u32, self.links.len() as u32]
    }
}

/// Groups of the trees that nothing touches, of one world or of several.
#[derive(Default)]
pub(crate) struct Groups {
    /// Trees for which they were made, by world and number, what the templates of each world were made from, and lanes.
    trees: Vec<[u32; 2]>,
    sources: Vec<Option<[u64; 3]>>,
    width: usize,
    lists: TreeGroups,
    laws: Laws,
    one: LinksInLanes<1>,
    #[cfg(target_arch = "x86_64")]
    four: LinksInLanes<4>,
    #[cfg(target_arch = "x86_64")]
    eight: LinksInLanes<8>,
}

impl Groups {
    /// Memory \[B\].
    pub(in super::super) fn bytes(&self) -> usize {
        let own = self.lists.single.bytes() + self.one.bytes() + self.laws.bytes();
        #[cfg(target_arch = "x86_64")]
        let own = own + self.four.bytes() + self.eight.bytes();
        own
    }

    /// Moves the trees of worlds by a step.
    pub(super) fn advance(&mut self, worlds: &mut [FlowingWorld], step: f64) {
        match WidthOfLanes::widest() {
            WidthOfLanes::One => self.run::<f64, 1>(|own| &mut own.one, worlds, step),
            #[cfg(target_arch = "x86_64")]
            WidthOfLanes::Four => self.run::<Four, 4>(|own| &mut own.four, worlds, step),
            #[cfg(target_arch = "x86_64")]
            WidthOfLanes::Eight => self.run::<Eight, 8>(|own| &mut own.eight, worlds, step),
        }
    }

    /// The same with one width of lanes.
    fn run<L: TreeWidth<W>, const W: usize>(
        &mut self,
        memory_of: impl Fn(&mut Self) -> &mut LinksInLanes<W>,
        worlds: &mut [FlowingWorld],
        step: f64,
    ) {
        let mut wide = std::mem::take(memory_of(self));
        self.follow(worlds, &mut wide);
        let Self { trees, lists: TreeGroups { groups, members, single }, laws, .. } = self;
        for group in groups {
            let own = members[group.members()].iter().map(|number| trees[*number as usize]);
            if group.members().len() == 1 {
                move_group::<f64, 1>((single, laws), group.links(), worlds, own, step);
            } else {
                move_group::<L, W>((&mut wide, laws), group.links(), worlds, own, step);
            }
        }
        *memory_of(self) = wide;
    }

    /// Puts the trees that move in this step into lanes, unless they are there.
    fn follow<const W: usize>(&mut self, worlds: &[FlowingWorld], wide: &mut LinksInLanes<W>) {
        let trees =
            (0..).zip(worlds).flat_map(|(number, world)| world.moving().iter().map(move |tree| [number, *tree]));
        let sources = worlds.iter().map(|world| world.flows.known);
        if self.width == W
            && sources.clone().eq(self.sources.iter().copied())
            && trees.clone().eq(self.trees.iter().copied())
        {
            return;
        }
        self.width = W;
        self.sources.clear();
        self.sources.extend(sources);
        self.trees.clear();
        self.trees.extend(trees);
        let numbered = (0..).zip(&self.trees).filter_map(|(number, tree)| {
            let template = worlds[tree[0] as usize].flows.templates[tree[1] as usize].as_ref()?;
            Some((number, template, shape_of(worlds, *tree, template)))
        });
        self.lists.make(numbered, wide);
    }
}

/// The first tree that a tree is alike, by world and number. Worlds that are copies have it in the same place.
fn shape_of(worlds: &[FlowingWorld], [world, tree]: [u32; 2], own: &Template) -> [u32; 2] {
    let first = (0..world).find_map(|number| {
        let other = worlds[number as usize].flows.templates.get(tree as usize)?.as_ref()?;
        own.is_alike(other).then_some([number, other.shape])
    });
    first.unwrap_or([world, own.shape])
}

/// Moves the trees of a group, by world and number.
fn move_group<L: TreeWidth<W>, const W: usize>(
    (memory, laws): (&mut LinksInLanes<W>, &mut Laws),
    range: Range<usize>,
    worlds: &mut [FlowingWorld],
    members: impl Iterator<Item = [u32; 2]> + Clone,
    step: f64,
) {
    let LinksInLanes { links, moving, loops, starts } = memory;
    // Memory for links that turn far, whenever they do.
    starts.reserve(range.len().saturating_sub(starts.len()));
    let (links, bodies) = (&mut links[range.clone()], &mut moving[range]);
    let mut count = 0;
    for link in &mut *links {
        link.begin();
        link.slopes = [[0.0; W]; 3];
    }
    // Laws that are no more leave nothing.
    for body in &mut *bodies {
        (body.held, body.driven) = ([[0.0; W]; 3], [0.0; W]);
    }
    for (lane, [world, tree]) in members.clone().enumerate() {
        let FlowingWorld { model, state, flows, .. } = &worlds[world as usize];
        let Some(template) = &flows.templates[tree as usize] else { continue };
        if lane == 0 {
            loops.begin(&template.cuts);
        }
        count = lane + 1;
        for (source, (link, body)) in template.links.iter().zip(links.iter_mut().zip(&mut *bodies)) {
            source.read(model, state, (link, body), lane);
        }
    }
    for lane in count..W {
        for (link, body) in links.iter_mut().zip(&mut *bodies) {
            body.repeat(count - 1, lane);
            link.added.iter_mut().for_each(|added| added[lane] = added[count - 1]);
        }
    }
    laws.read(worlds, members.clone(), step);
    let flown = L::flow(links, bodies, (&mut *loops, starts), step, &mut LawsInStep { laws: &mut *laws, worlds });
    for (lane, [world, tree]) in members.enumerate() {
        let FlowingWorld { model, state, flows, known, report, .. } = &mut worlds[world as usize];
        let Some(template) = &flows.templates[tree as usize] else { continue };
        for (source, body) in template.bodies().iter().zip(&*bodies) {
            source.give_back((body, lane), step, model, state, report);
        }
        for (source, body) in template.links.iter().zip(&*bodies) {
            source.give_back_joint((body, lane), state);
        }
        if state.steps == 0 {
            note_locked_loops(model, template, (loops, &*links, lane), report);
        }
        template.links.iter().for_each(|link| finish_joint(model, link, (state, known), report));
        report.divided_trees += u32::from(flown.parts[lane] > 1.0);
        report.tree_parts = report.tree_parts.max(flown.parts[lane] as u32);
        report.energy.joint_loss += flown.stopped[lane];
    }
    laws.remember(worlds, step);
}

/// Joints that close loops and all but lock them, as their axes miss each other.
fn note_locked_loops<const W: usize>(
    model: &Model,
    template: &Template,
    (loops, links, lane): (&Loops<W>, &[TreeLink<W>], usize),
    report: &mut StepReport,
) {
    for (cut, [_, closing]) in template.cuts.iter().enumerate() {
        let link = &template.links[*closing as usize];
        let share = loops.share_left(links, cut, lane);
        report.note_share_left(model.joints, link.joint, share);
    }
}

/// Position and rates of the joint of a link after a step.
fn finish_joint(
    model: &Model,
    link: &LinkTemplate,
    (state, known): (&mut State, &mut KnownJoints),
    report: &mut StepReport,
) {
    let State { joints, bodies, .. } = state;
    let Some(joint) = model.joints.at(link.joint as usize) else { return };
    let own = &mut joints[link.joint as usize];
    own.row_count = 0;
    if link.mobilizer.has_axes() {
        known.note(link.joint as usize, update_positions(joint, bodies, own));
    }
    if model.parameters.audit {
        report.note_gap(model.joints, link.joint, joint.gap(&joint_pose(joint, bodies)));
    }
}

fn put<const W: usize>(to: &mut [[f64; W]; 3], lane: usize, v: DVec3) {
    (to[0][lane], to[1][lane], to[2][lane]) = (v.x, v.y, v.z);
}

fn put_rotation<const W: usize>(to: &mut [[f64; W]; 4], lane: usize, q: DQuat) {
    (to[0][lane], to[1][lane], to[2][lane], to[3][lane]) = (q.x, q.y, q.z, q.w);
}

pub(super) fn get<const W: usize>(from: &[[f64; W]; 3], lane: usize) -> DVec3 {
    DVec3::new(from[0][lane], from[1][lane], from[2][lane])
}

pub(super) fn get_rotation<const W: usize>(from: &[[f64; W]; 4], lane: usize) -> DQuat {
    let [i, j, k, w] = from.map(|e| e[lane]);
    DQuat::from_xyzw(i, j, k, w)
}

/// Writes the motion of a body.
pub(in super::super) fn put_motion<const W: usize>(body: &mut MovingLink<W>, lane: usize, motion: &RigidMotion) {
    put(&mut body.center, lane, motion.position);
    put_rotation(&mut body.rotation, lane, motion.rotation);
    put(&mut body.velocity, lane, motion.velocity);
    put(&mut body.omega, lane, motion.omega);
}

/// The motion of a body.
pub(in super::super) fn motion_of<const W: usize>(body: &MovingLink<W>, lane: usize) -> RigidMotion {
    RigidMotion {
        position: get(&body.center, lane),
        rotation: get_rotation(&body.rotation, lane),
        velocity: get(&body.velocity, lane),
        omega: get(&body.omega, lane),
    }
}

impl LinkTemplate {
    /// Writes what does not change.
    fn write<const W: usize>(&self, (link, to): (&mut TreeLink<W>, &mut MovingLink<W>), lane: usize) {
        let i = self.moments;
        link.root_mass[lane] = self.mass.sqrt();
        put(&mut link.root_moments, lane, i.map(f64::sqrt));
        to.mass[lane] = self.mass;
        put(&mut to.moments, lane, i);
        put(&mut to.unequal, lane, DVec3::new((i.y - i.z) / i.x, (i.z - i.x) / i.y, (i.x - i.y) / i.z));
        put_rotation(&mut to.principal, lane, self.principal);
        for side in 0..2 {
            put(&mut to.anchors[side], lane, self.anchors[side]);
            put(&mut to.axes[side], lane, self.axes[side]);
            to.pulls[side][lane] = self.pulls[side];
        }
        put(&mut to.slide, lane, self.slide);
        to.lead[lane] = self.lead;
        put_rotation(&mut to.relative, lane, self.relative);
        to.cosine[lane] = self.cosine;
    }

    /// Writes motion, forces and rotors.
    fn read<const W: usize>(
        &self,
        model: &Model,
        state: &State,
        (link, body): (&mut TreeLink<W>, &mut MovingLink<W>),
        lane: usize,
    ) {
        let own = &state.bodies[self.slot as usize];
        let gravity = if self.has_gravity { self.mass * model.parameters.gravity } else { DVec3::ZERO };
        put(&mut body.force, lane, self.share * own.force + gravity);
        put(&mut body.torque, lane, self.share * own.torque);
        put_motion(body, lane, &own.motion);
        body.squared_velocity_error[lane] =
            if self.joint == NONE { 0.0 } else { state.joints[self.joint as usize].squared_velocity_error };
        // Those of other motions are of the last step, and mean nothing.
        put(&mut body.rates, lane, DVec3::ZERO);
        if !self.mobilizer.has_axes() {
            return;
        }
        let Some(joint) = model.joints.at(self.joint as usize) else { return };
        body.angle[lane] = state.joints[self.joint as usize].positions[0];
        for k in 0..self.mobilizer.dofs() {
            link.added[k][lane] = joint.definition.parameters[k].armature;
            body.rates[k][lane] = state.joints[self.joint as usize].rates[k];
        }
    }

    /// Writes the motion after the step.
    fn give_back<const W: usize>(
        &self,
        (body, lane): (&MovingLink<W>, usize),
        step: f64,
        model: &Model,
        state: &mut State,
        report: &mut StepReport,
    ) {
        let own = &mut state.bodies[self.slot as usize];
        let last = own.motion;
        own.motion = motion_of(body, lane);
        if !own.motion.is_finite() {
            stop(own, last);
            report.quarantined.extend(model.bodies.handle_at(self.slot as usize));
        }
        if model.parameters.audit && (own.force != DVec3::ZERO || own.torque != DVec3::ZERO) {
            let way = own.motion.position - last.position;
            let expected = 0.5 * step * (last.omega + own.motion.omega);
            let turn = nearest_turn(last.rotation, own.motion.rotation, expected);
            report.energy.forces += own.force.dot(way) + own.torque.dot(turn);
        }
        own.force = DVec3::ZERO;
        own.torque = DVec3::ZERO;
        report.momentum_in_parts += self.mass / self.share * own.motion.velocity;
    }

    /// Writes what the joint that carries it keeps for the next step.
    fn give_back_joint<const W: usize>(&self, (body, lane): (&MovingLink<W>, usize), state: &mut State) {
        if self.joint != NONE {
            let joint = &mut state.joints[self.joint as usize];
            joint.squared_velocity_error = body.squared_velocity_error[lane];
            if self.mobilizer == Mobilizer::Screw {
                joint.positions[0] = body.angle[lane];
            }
        }
    }
}
