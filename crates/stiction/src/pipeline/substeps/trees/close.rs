//! The turn of velocities to the pose of the rows, and joints after the motion of a step.

use glam::DVec3;

use super::super::super::context::Model;
use super::super::super::flow::{Group, motion_of, put_motion};
use super::super::Frame;
use super::super::bodies::SubstepBodies;
use super::{SubstepTrees, Tree};
use crate::model::{State, read_positions};
use crate::solvers::soft::{Loops, Mobilizer, MovingLink, TreeLink, Width};

/// Turn of a link in a step from which on what joints take off its velocity is given in halves \[rad\]: in equal parts it would make energy in
/// falls.
const FAR: f64 = 0.05;

impl SubstepTrees {
    /// What the turn of a tree does to its root comes in equal parts of the step.
    ///
    /// What joints take off the velocities on the first half of a step, by which a link is kept on its circle, is a force on its root that lasts for the
    /// step. Given at once, in halves at the start and the end, it would push a root away that contacts hold, and these take energy off with it in every
    /// step: with a root that keeps its velocity v the others have P₀ v, and what the projection P v is beyond that comes in equal parts in all sub-steps.
    /// Where nothing touches it is the same, `v + 2 (P v − v) = v + 2 (P₀ v − v) + 2 (P v − P₀ v)`.
    ///
    /// A light root that carries a heavier link has nothing spread: with P₀ the heavy one would follow the root, a momentum that contacts would have to
    /// hold.
    pub(super) fn is_spread(&self, tree: Tree, frame: &Frame, bodies: &SubstepBodies) -> bool {
        let has_rotors = self.dofs[tree.dofs()].iter().any(|dof| dof.added != 0.0);
        let root = &self.links[tree.links().start];
        let is_heaviest = self.links[tree.links()].iter().all(|link| link.mass <= root.mass);
        root.mobilizer == Mobilizer::Free && is_heaviest && !has_rotors && !self.turns_far(tree, frame, bodies)
    }

    /// Some link turns so far in the step that equal parts of it are none of the motion.
    fn turns_far(&self, tree: Tree, frame: &Frame, bodies: &SubstepBodies) -> bool {
        tree.links().any(|number| {
            let link = &self.links[number];
            let own = &bodies.z[link.place as usize].0;
            let spin = DVec3::new(own[3], own[4], own[5]) / link.moments.map(f64::sqrt);
            frame.step * spin.length() > FAR
        })
    }

    /// After the motion of a step: closes the joints in positions, and leaves the velocities that they allow.
    pub(in super::super) fn settle<L: Width<W>, const W: usize>(
        &mut self,
        (links, moving, loops): (&mut [TreeLink<W>], &mut [MovingLink<W>], &mut Loops<W>),
        (model, step): (&Model, f64),
        state: &mut State,
    ) {
        let mut single = std::mem::take(&mut self.lanes.lists.single);
        for number in 0..self.lanes.lists.groups.len() {
            let group = self.lanes.lists.groups[number];
            let range = group.links();
            if group.members().len() == 1 {
                let lanes = (&mut single.links[range.clone()], &mut single.moving[range], &mut single.loops);
                self.settle_group::<f64, 1>(group, lanes, (model, step), state);
            } else {
                let lanes = (&mut links[range.clone()], &mut moving[range], &mut *loops);
                self.settle_group::<L, W>(group, lanes, (model, step), state);
            }
        }
        self.lanes.lists.single = single;
    }

    fn settle_group<L: Width<W>, const W: usize>(
        &mut self,
        group: Group,
        (links, moving, loops): (&mut [TreeLink<W>], &mut [MovingLink<W>], &mut Loops<W>),
        (model, step): (&Model, f64),
        state: &mut State,
    ) {
        self.begin_loops(group, loops);
        let mut is_driven = [0.0; W];
        for (lane, member) in group.members().enumerate() {
            let tree = self.trees[self.lanes.lists.members[member] as usize];
            is_driven[lane] = if tree.axes().is_empty() { 0.0 } else { 1.0 };
            for (link, body) in self.links[tree.links()].iter().zip(&mut *moving) {
                put_motion(body, lane, &state.bodies[link.slot as usize].motion);
                let has_weight =
                    tree.closure != super::NONE && model.bodies.at(link.slot as usize).is_some_and(|own| own.gravity);
                let weight = if has_weight { body.mass[lane] * model.parameters.gravity } else { DVec3::ZERO };
                (0..3).for_each(|e| body.force[e][lane] = weight[e]);
                if link.mobilizer == Mobilizer::Screw {
                    body.angle[lane] = angle_after(model, link.joint, step, state);
                }
                for k in 0..link.dofs {
                    body.rates[k][lane] = self.dofs[link.first_dof as usize + k].rate;
                }
            }
        }
        L::settle_trees(links, moving, loops, &is_driven);
        for (lane, member) in group.members().enumerate() {
            let tree = self.trees[self.lanes.lists.members[member] as usize];
            let is_sound = |body: &MovingLink<W>| motion_of(body, lane).is_finite();
            if !moving.iter().all(is_sound) {
                continue;
            }
            for (link, body) in self.links[tree.links()].iter().zip(&*moving).filter(|(link, _)| link.moves()) {
                let Some(own) = model.bodies.at(link.slot as usize) else { continue };
                if link.mobilizer == Mobilizer::Screw {
                    state.joints[link.joint as usize].positions[0] = body.angle[lane];
                }
                if link.is_half {
                    continue;
                }
                let mut motion = motion_of(body, lane);
                motion.omega = super::super::super::integrate::bounded(own, motion.omega);
                state.bodies[link.slot as usize].motion = motion;
            }
        }
    }
}

/// The angle to which a screw has turned in a step, by its rates before and after it: its poses tell that but for whole turns.
fn angle_after(model: &Model, slot: u32, step: f64, state: &State) -> f64 {
    let own = &state.joints[slot as usize];
    let (mut positions, mut rates) = (own.positions, own.rates);
    if let Some(joint) = model.joints.at(slot as usize) {
        read_positions(joint, &state.bodies, (&mut positions, &mut rates));
    }
    own.positions[0] + 0.5 * step * (own.rates[0] + rates[0])
}
