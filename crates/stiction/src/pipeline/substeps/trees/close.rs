//! The end of a step: gaps of joints close in positions alone, and velocities become those that the joints allow there.
//!
//! With any displacement w that closes the gaps, `w − P w` closes them too and is the shortest in the norm of mass. The angular
//! velocity turns with the body, so that its energy stays.

use glam::DVec3;

use super::super::super::context::Model;
use super::super::Frame;
use super::super::bodies::SubstepBodies;
use super::link::Hold;
use super::spatial::Spatial;
use super::{NONE, SubstepTrees, Tree};
use crate::dynamics::rotation::exponential;
use crate::model::State;
use crate::solvers::soft::Record;

/// Turn of a link in a step from which on what joints take off its velocity is given in halves \[rad\]: in equal parts it would make energy in
/// falls.
const FAR: f64 = 0.05;
/// Largest turn by which a joint closes in a step \[rad\].
const LARGEST_TURN: f64 = 0.5;
/// Gaps below which nothing closes \[m or rad\].
const CLOSED: f64 = 1e-13;

impl SubstepTrees {
    /// The velocities of a tree turn on the first half of a step.
    ///
    /// What joints take off them, by which a link is kept on its circle, is a force on its root that lasts for the step. Given at once, in
    /// halves at the start and the end, it would push a root away that contacts hold, and these take energy off with it in every step: with a
    /// root that keeps its velocity v the others have P₀ v, and what the projection P v is beyond that comes in equal parts in all sub-steps. Where
    /// nothing touches it is the same, `v + 2 (P v − v) = v + 2 (P₀ v − v) + 2 (P v − P₀ v)`.
    pub(super) fn turn(&mut self, tree: Tree, frame: &Frame, bodies: &mut SubstepBodies) {
        let has_rotors = self.dofs[tree.dofs()].iter().any(|dof| dof.added != 0.0);
        let root = &self.links[tree.links().start];
        if root.hold != Hold::Free || has_rotors || self.turns_far(tree, frame, bodies) {
            return self.project(tree, &mut bodies.z);
        }
        let share = 2.0 / f64::from(frame.substeps);
        let own = &bodies.z[root.place as usize].0;
        let linear = DVec3::new(own[0], own[1], own[2]) / root.mass.sqrt();
        let angular = root.axes * (DVec3::new(own[3], own[4], own[5]) / root.moments.map(f64::sqrt));
        self.take_momenta(tree, &bodies.z);
        self.solve(tree);
        for number in tree.links() {
            add(&mut bodies.pulls[self.links[number].place as usize], share, &self.whitened(number));
        }
        self.take_momenta(tree, &bodies.z);
        self.solve_with(tree, Some(Spatial::new(linear, angular)));
        for number in tree.links().filter(|number| self.links[*number].moves()) {
            let (place, z) = (self.links[number].place as usize, self.whitened(number));
            add(&mut bodies.pulls[place], -share, &z);
            bodies.z[place] = z;
        }
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

    /// After the motion of a step.
    pub(in super::super) fn settle(&mut self, model: &Model, state: &mut State) {
        self.read_poses(|slot| {
            let m = &state.bodies[slot as usize].motion;
            (m.position, m.rotation)
        });
        for number in 0..self.trees.len() {
            let tree = self.trees[number];
            self.place(tree, model);
            self.close(tree, model, state);
            self.allow(tree, model, state);
        }
    }

    fn close(&mut self, tree: Tree, model: &Model, state: &mut State) {
        let mut largest = 0.0f64;
        for number in tree.links() {
            let link = &self.links[number];
            let mut w = Spatial::default();
            if let Some((joint, pose)) = link.joint_pose(model, self.poses_at(number)).filter(|_| link.moves()) {
                let (way, turn) = link.gap(joint, &pose);
                largest = largest.max(way.length()).max(turn.length());
                let turn = turn.clamp_length_max(LARGEST_TURN);
                if link.parent != NONE {
                    w = self.ways[link.parent as usize].velocity_at(-link.to_parent);
                }
                w = w.plus(1.0, &Spatial::new(way, turn).velocity_at(-link.arm));
            }
            self.ways[number] = w;
        }
        if largest < CLOSED || !largest.is_finite() {
            return;
        }
        self.without_rotors(tree, |own| {
            for number in tree.links() {
                own.momenta[number] = own.momentum(number, own.ways[number]);
            }
            own.solve(tree);
        });
        for number in tree.links() {
            let link = &self.links[number];
            let way = self.ways[number].plus(-1.0, &self.velocities[number]);
            let m = &mut state.bodies[link.slot as usize].motion;
            let turn = exponential(way.angular);
            let is_finite = way.linear.is_finite() && way.angular.is_finite();
            if link.moves() && is_finite {
                m.position += way.linear;
                m.rotation = (turn * m.rotation).normalize();
                m.omega = turn * m.omega;
            }
        }
    }

    /// Projects the velocities.
    fn allow(&mut self, tree: Tree, model: &Model, state: &mut State) {
        let is_sound = tree.links().all(|number| state.bodies[self.links[number].slot as usize].motion.is_finite());
        if !is_sound {
            return;
        }
        for number in tree.links() {
            let m = &state.bodies[self.links[number].slot as usize].motion;
            self.momenta[number] = self.momentum(number, Spatial::new(m.velocity, m.omega));
        }
        self.solve(tree);
        for number in tree.links() {
            let link = &self.links[number];
            let Some(body) = model.bodies.at(link.slot as usize) else { continue };
            let (v, m) = (self.velocities[number], &mut state.bodies[link.slot as usize].motion);
            if link.moves() && v.linear.is_finite() && v.angular.is_finite() {
                m.velocity = v.linear;
                m.omega = super::super::super::integrate::bounded(body, v.angular);
            }
        }
    }
}

fn add(to: &mut Record, share: f64, from: &Record) {
    to.0.iter_mut().zip(from.0).for_each(|(to, from)| *to += share * from);
}
