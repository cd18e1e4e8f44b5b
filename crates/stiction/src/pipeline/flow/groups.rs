//! Trees that are built alike side by side in lanes.

use glam::{DQuat, DVec3};

use super::super::StepReport;
use super::super::context::Model;
use super::super::edits::stop;
use super::super::islands::NONE;
use super::template::{LinkTemplate, Template};
use crate::dynamics::rigid::RigidMotion;
use crate::model::State;
use crate::solvers::soft::{MovingLink, TreeLink, TreeWidth};

/// Groups of trees, and their links in memory.
#[derive(Default)]
pub(super) struct Groups {
    /// Trees for which they were made.
    trees: Vec<u32>,
    width: usize,
    groups: Vec<Group>,
    /// Trees of the groups, in their order.
    members: Vec<u32>,
    pub(super) one: InLanes<1>,
    #[cfg(target_arch = "x86_64")]
    pub(super) four: InLanes<4>,
    #[cfg(target_arch = "x86_64")]
    pub(super) eight: InLanes<8>,
}

/// Links of groups with one width of lanes.
#[derive(Default)]
pub(super) struct InLanes<const W: usize> {
    links: Vec<TreeLink<W>>,
    bodies: Vec<MovingLink<W>>,
}

/// Trees in lanes: in the list of members, and in that of links, of single ones if there is one member.
#[derive(Clone, Copy, Debug)]
struct Group {
    members: [u32; 2],
    links: [u32; 2],
}

impl Groups {
    /// What they were made from has changed.
    pub(super) fn forget(&mut self) {
        self.trees.clear();
        self.groups.clear();
    }

    /// Moves trees by a step with one width of lanes.
    pub(super) fn run<L: TreeWidth<W>, const W: usize>(
        &mut self,
        memory_of: impl Fn(&mut Self) -> &mut InLanes<W>,
        (model, step): (&Model, f64),
        (templates, taken): (&[Option<Template>], &[u32]),
        state: &mut State,
        report: &mut StepReport,
    ) {
        let mut memory = std::mem::take(memory_of(self));
        let mut single = if W == 1 { InLanes::default() } else { std::mem::take(&mut self.one) };
        if self.trees != taken || self.width != W {
            self.group(W, (templates, taken), (&mut memory, &mut single));
        }
        for group in &self.groups {
            let members = &self.members[group.members[0] as usize..group.members[1] as usize];
            let of_members = members.iter().filter_map(|tree| templates[*tree as usize].as_ref());
            let parts = if members.len() == 1 && W > 1 {
                move_group::<f64, 1>(&mut single, group.links, (model, step), of_members, state, report)
            } else {
                move_group::<L, W>(&mut memory, group.links, (model, step), of_members, state, report)
            };
            report.divided_trees += parts.0;
            report.tree_parts = report.tree_parts.max(parts.1);
        }
        *memory_of(self) = memory;
        if W > 1 {
            self.one = single;
        }
    }

    /// Puts the trees into groups.
    fn group<const W: usize>(
        &mut self,
        width: usize,
        (templates, taken): (&[Option<Template>], &[u32]),
        (memory, single): (&mut InLanes<W>, &mut InLanes<1>),
    ) {
        self.width = width;
        self.trees.clear();
        self.trees.extend_from_slice(taken);
        self.groups.clear();
        self.members.clear();
        memory.clear();
        single.clear();
        let shape = |tree: u32| templates[tree as usize].as_ref().map_or(tree, |template| template.shape);
        let mut sorted = self.trees.clone();
        sorted.sort_by_key(|tree| (shape(*tree), *tree));
        for alike in sorted.chunk_by(|a, b| shape(*a) == shape(*b)) {
            for members in alike.chunks(W) {
                let first = self.members.len() as u32;
                self.members.extend_from_slice(members);
                let own: Vec<&Template> =
                    members.iter().filter_map(|tree| templates[*tree as usize].as_ref()).collect();
                let links = if members.len() == 1 && W > 1 { single.add(&own) } else { memory.add(&own) };
                self.groups.push(Group { members: [first, self.members.len() as u32], links });
            }
        }
    }
}

impl<const W: usize> InLanes<W> {
    fn clear(&mut self) {
        self.links.clear();
        self.bodies.clear();
    }

    /// Adds the links of trees that are built alike; lanes without a tree repeat the last one.
    fn add(&mut self, members: &[&Template]) -> [u32; 2] {
        let start = self.links.len();
        for (number, source) in members[0].links.iter().enumerate() {
            let mut link = TreeLink::new(source.held, source.parent, 0);
            let mut body = MovingLink::new(source.hinging, source.carrier, source.welded_to);
            for lane in 0..W {
                let own = &members[lane.min(members.len() - 1)].links[number];
                own.write(&mut body, lane);
            }
            link.begin(source.held, source.parent);
            self.links.push(link);
            self.bodies.push(body);
        }
        [start as u32, self.links.len() as u32]
    }
}

/// Moves the trees of a group; the number of those that took the step in parts, and most parts.
fn move_group<'a, L: TreeWidth<W>, const W: usize>(
    memory: &mut InLanes<W>,
    links: [u32; 2],
    (model, step): (&Model, f64),
    members: impl Iterator<Item = &'a Template> + Clone,
    state: &mut State,
    report: &mut StepReport,
) -> (u32, u32) {
    let range = links[0] as usize..links[1] as usize;
    let (links, bodies) = (&mut memory.links[range.clone()], &mut memory.bodies[range]);
    let mut count = 0;
    for (lane, template) in members.clone().enumerate() {
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
    let parts = L::flow(links, bodies, step);
    for (lane, template) in members.enumerate() {
        for (source, body) in template.links.iter().zip(&*bodies) {
            source.give_back((body, lane), model, state, report);
        }
    }
    let divided = parts[..count].iter().filter(|parts| **parts > 1.0).count();
    (divided as u32, parts[..count].iter().fold(1.0, |most: f64, parts| most.max(*parts)) as u32)
}

fn put<const W: usize>(to: &mut [[f64; W]; 3], lane: usize, v: DVec3) {
    (to[0][lane], to[1][lane], to[2][lane]) = (v.x, v.y, v.z);
}

fn put_rotation<const W: usize>(to: &mut [[f64; W]; 4], lane: usize, q: DQuat) {
    (to[0][lane], to[1][lane], to[2][lane], to[3][lane]) = (q.x, q.y, q.z, q.w);
}

fn get<const W: usize>(from: &[[f64; W]; 3], lane: usize) -> DVec3 {
    DVec3::new(from[0][lane], from[1][lane], from[2][lane])
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
    let [i, j, k, w] = [0, 1, 2, 3].map(|e: usize| body.rotation[e][lane]);
    RigidMotion {
        position: get(&body.center, lane),
        rotation: DQuat::from_xyzw(i, j, k, w),
        velocity: get(&body.velocity, lane),
        omega: get(&body.omega, lane),
    }
}

impl LinkTemplate {
    /// Writes what does not change.
    pub(in super::super) fn write<const W: usize>(&self, to: &mut MovingLink<W>, lane: usize) {
        let i = self.moments;
        to.mass[lane] = self.mass;
        put(&mut to.moments, lane, i);
        put(&mut to.unequal, lane, DVec3::new((i.y - i.z) / i.x, (i.z - i.x) / i.y, (i.x - i.y) / i.z));
        put_rotation(&mut to.principal, lane, self.principal);
        for side in 0..2 {
            put(&mut to.anchors[side], lane, self.anchors[side]);
            put(&mut to.axes[side], lane, self.axes[side]);
            to.pulls[side][lane] = self.pulls[side];
        }
        put_rotation(&mut to.relative, lane, self.relative);
        to.cosine[lane] = self.cosine;
    }

    /// Writes roots of mass and moments, by which velocities are whitened.
    pub(in super::super) fn write_roots<const W: usize>(&self, to: &mut TreeLink<W>, lane: usize) {
        to.root_mass[lane] = self.mass.sqrt();
        put(&mut to.root_moments, lane, self.moments.map(f64::sqrt));
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
        put(&mut body.force, lane, own.force + gravity);
        put(&mut body.torque, lane, own.torque);
        put_motion(body, lane, &own.motion);
        body.misfit[lane] = if self.joint == NONE { 0.0 } else { state.joints[self.joint as usize].misfit };
        if !self.has_axes() {
            return;
        }
        let Some(joint) = model.joints.at(self.joint as usize) else { return };
        for k in 0..self.dofs {
            link.added[k][lane] = joint.definition.parameters[k].armature;
            body.rates[k][lane] = state.joints[self.joint as usize].rates[k];
        }
    }

    /// Writes the motion after the step.
    fn give_back<const W: usize>(
        &self,
        (body, lane): (&MovingLink<W>, usize),
        model: &Model,
        state: &mut State,
        report: &mut StepReport,
    ) {
        let own = &mut state.bodies[self.slot as usize];
        let last = own.motion;
        own.motion = motion_of(body, lane);
        own.force = DVec3::ZERO;
        own.torque = DVec3::ZERO;
        if !own.motion.is_finite() {
            stop(own, last);
            report.quarantined.extend(model.bodies.handle_at(self.slot as usize));
        }
        report.momentum_in_parts += self.mass * own.motion.velocity;
        if self.joint != NONE {
            state.joints[self.joint as usize].misfit = body.misfit[lane];
        }
    }
}
