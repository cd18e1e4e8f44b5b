//! All trees as one system of positions and velocities.

use glam::DVec3;

use super::books::Books;
use super::joint_laws;
use super::loops::{Accelerations, Loops};
use super::motion::MotionAt;
use super::touch::{Prescribed, Touches};
use super::user_touch::UserTouches;
use crate::base::Arena;
use crate::broadphase::BroadPhase;
use crate::dynamics::tree::{BaseMotion, ForceVector, Loads, MotionVector};
use crate::integrators::{Integrator, System};
use crate::joints::{AxisParameters, Joint};
use crate::math::Pose;
use crate::model::State;
use crate::pipeline::cliques::Cliques;
use crate::pipeline::context::Model;
use crate::pipeline::field::ForceField;
use crate::pipeline::forest::{Articulation, Forest, NO_JOINT};
use crate::pipeline::views::BodyView;
use crate::pipeline::wind;

/// Memory of continuous time, used again from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(super) integrator: Integrator,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    /// Accelerations on arrival.
    pub(super) a: Vec<f64>,
    pub(super) touches: Touches,
    pub(super) user_touches: UserTouches,
    pub(super) loops: Loops,
    /// First position and first dof of each tree.
    pub(super) spans: Spans,
    pub(super) books: Books,
}

/// Where each tree's numbers begin.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans {
    pub(super) positions: Vec<usize>,
    pub(super) dofs: Vec<usize>,
}

impl Memory {
    /// Takes positions and velocities of all trees, and the joints that close loops.
    pub(super) fn begin(&mut self, forest: &Forest, joints: &Arena<Joint>) {
        self.q.clear();
        self.v.clear();
        self.spans.positions.clear();
        self.spans.dofs.clear();
        for tree in &forest.trees {
            self.spans.positions.push(self.q.len());
            self.spans.dofs.push(self.v.len());
            self.q.extend_from_slice(&tree.q);
            self.v.extend_from_slice(&tree.v);
        }
        self.loops.motors.clear();
        for (id, joint) in joints.iter() {
            let is_driven = |p: &AxisParameters| p.driven_rate(0.0, 1.0).is_some();
            let driven = (0..3).filter(|axis| is_driven(&joint.definition.parameters[*axis]));
            let on_tree = joint.definition.bodies.iter().flatten().any(|b| forest.of_body[b.slot()].is_some());
            let slot = id.slot();
            if on_tree {
                let count = forest.of_joint[slot]
                    .map_or(3, |own| forest.trees[own.tree as usize].tree.dof_span(own.link as usize).len());
                self.loops.motors.extend(driven.filter(|axis| *axis < count).map(|axis| (slot as u32, axis)));
            }
        }
        self.loops.begin();
        self.loops.joints.clear();
        self.loops.joints.extend(joints.iter().map(|(id, _)| id.slot() as u32).filter(|slot| {
            let ends = joints.at(*slot as usize).map_or([None; 2], |j| j.definition.bodies);
            let on_tree = ends.iter().flatten().any(|b| forest.of_body[b.slot()].is_some());
            forest.of_joint[*slot as usize].is_none() && on_tree
        }));
    }
}

/// The system that the integrator advances.
pub(super) struct MotionSystem<'a> {
    pub(super) model: &'a Model<'a>,
    /// Forces that follow the motion, and their power at the last evaluation \[W\].
    pub(super) field: Option<&'a dyn ForceField>,
    pub(super) field_power: f64,
    pub(super) state: &'a State,
    pub(super) broadphase: &'a mut dyn BroadPhase,
    pub(super) forest: &'a mut Forest,
    pub(super) cliques: &'a Cliques,
    pub(super) views: &'a mut [BodyView],
    pub(super) touches: &'a mut Touches,
    pub(super) user_touches: &'a mut UserTouches,
    pub(super) loops: &'a mut Loops,
    pub(super) spans: &'a Spans,
    /// Size of the world's step \[s\].
    pub(super) step: f64,
}

impl MotionSystem<'_> {
    /// Rows hold loops or mimics, or drive: they need factors of all trees.
    fn has_rows(&self) -> bool {
        !(self.loops.joints.is_empty() && self.model.mimics.is_empty() && self.loops.motors.is_empty())
    }

    /// Poses and twists of all links.
    fn place(&mut self, t: f64, q: &[f64], v: &[f64]) {
        let prescribed = Prescribed { state: self.state, bodies: self.model.bodies, elapsed: t - self.state.time };
        let has_rows = self.has_rows();
        for (index, tree) in self.forest.trees.iter_mut().enumerate() {
            let (p, d) = (self.spans.positions[index], self.spans.dofs[index]);
            let (m, n) = (tree.q.len(), tree.v.len());
            tree.q.copy_from_slice(&q[p..p + m]);
            tree.v.copy_from_slice(&v[d..d + n]);
            if let Some(lone) = tree.tree.lone().filter(|_| !has_rows) {
                lone.place(&tree.q, &tree.v, &mut tree.kin);
                continue;
            }
            let base = tree.base.map_or(Pose::IDENTITY, |slot| prescribed.pose(slot));
            let origin = tree.poses[0].position;
            tree.tree.positions(&tree.q, &base, origin, &mut tree.kin);
            let twist = tree.base.map_or(MotionVector::ZERO, |slot| {
                let motion = &self.state.bodies[slot as usize].motion;
                let center = motion.position + prescribed.elapsed * motion.velocity;
                MotionVector::at(center - origin, motion.omega, motion.velocity)
            });
            let acceleration = base_acceleration(tree.base, self.state, &prescribed, origin);
            let motion = BaseMotion { twist, acceleration };
            tree.tree.velocities(&tree.v, &motion, &mut tree.kin);
        }
    }

    /// Contacts at a state; forces on the links. Pairs are found anew where a shape has left its box.
    fn touch(&mut self, t: f64) {
        let prescribed = Prescribed { state: self.state, bodies: self.model.bodies, elapsed: t - self.state.time };
        if !self.touches.is_current(self.model.geoms, self.forest, &prescribed) {
            self.touches.find(self.model, self.step, self.forest, &prescribed, self.broadphase);
        }
        self.touches.push(self.model.parameters, self.model.geoms, self.forest, &prescribed);
        self.user_touches.push(self.model.parameters, self.forest, &prescribed);
    }

    /// Finds pairs at the start of a step.
    pub(super) fn find_pairs(&mut self) {
        let prescribed = Prescribed { state: self.state, bodies: self.model.bodies, elapsed: 0.0 };
        self.touches.find(self.model, self.step, self.forest, &prescribed, self.broadphase);
    }

    /// Forces and accelerations at a state, for reports.
    pub(super) fn arrive(&mut self, t: f64, q: &[f64], v: &[f64], accelerations: &mut Vec<f64>) {
        accelerations.clear();
        accelerations.resize(v.len(), 0.0);
        self.accelerations(t, q, v, accelerations);
    }

    /// What acts on the links besides contacts: the users' forces and wind, at the centres of mass, and the field.
    fn load(&mut self, t: f64) {
        for tree in &mut self.forest.trees {
            let origin = tree.kin.origin();
            tree.tau.fill(0.0);
            for (link, slot) in tree.bodies.iter().enumerate() {
                let state = &self.state.bodies[*slot as usize];
                let Some(body) = self.model.bodies.at(*slot as usize) else { continue };
                tree.gravity[link] = f64::from(body.gravity);
                let is_in_wind = body.wind_rate > 0.0;
                tree.wrenches[link] = if state.force == DVec3::ZERO && state.torque == DVec3::ZERO && !is_in_wind {
                    ForceVector::ZERO
                } else {
                    let offset = tree.kin.poses()[link].point(body.mass.center) - origin;
                    let mut force = state.force;
                    if is_in_wind {
                        let velocity = tree.kin.twists()[link].point(offset);
                        force += wind::force(self.model.parameters, body, f64::INFINITY, velocity);
                    }
                    ForceVector::at(offset, state.torque, force)
                };
            }
        }
        if let Some(field) = self.field {
            let prescribed = Prescribed { state: self.state, bodies: self.model.bodies, elapsed: t - self.state.time };
            let joints = self.model.joints;
            let mut motion = MotionAt { forest: self.forest, prescribed: &prescribed, joints, power: 0.0 };
            field.push(&mut motion);
            self.field_power = motion.power;
        }
    }
}

impl System for MotionSystem<'_> {
    fn position_count(&self) -> usize {
        self.forest.trees.iter().map(|t| t.q.len()).sum()
    }

    fn velocity_count(&self) -> usize {
        self.forest.trees.iter().map(|t| t.v.len()).sum()
    }

    fn accelerations(&mut self, t: f64, q: &[f64], v: &[f64], accelerations: &mut [f64]) {
        self.place(t, q, v);
        self.load(t);
        // The mass at this state; armature turns with the joints.
        let has_rows = self.has_rows();
        for tree in self.forest.trees.iter_mut().filter(|tree| has_rows || tree.tree.lone().is_none()) {
            tree.extra.fill(0.0);
            for (link, slot) in tree.joints.iter().enumerate().filter(|(_, slot)| **slot != NO_JOINT) {
                let Some(joint) = self.model.joints.at(*slot as usize) else { continue };
                let span = tree.tree.dof_span(link);
                for axis in 0..span.len() {
                    let dof = span.start + usize::from(tree.orders[link][axis]);
                    tree.extra[dof] = joint.definition.parameters[axis].armature;
                }
            }
            // Where nothing resists a dof the state is beyond all bounds; the numbers that follow tell the integrator.
            let _ = tree.tree.factor(&tree.kin, &tree.extra, &mut tree.factor);
        }
        self.touch(t);
        let tolerance = self.model.parameters.compliant.stiction_tolerance;
        if !self.loops.joints.is_empty() {
            let prescribed = Prescribed { state: self.state, bodies: self.model.bodies, elapsed: t - self.state.time };
            self.loops.drive(self.model.joints, self.views, self.forest, &prescribed, tolerance);
        }
        for (index, tree) in self.forest.trees.iter_mut().enumerate() {
            let d = self.spans.dofs[index];
            let n = tree.v.len();
            let own = &mut accelerations[d..d + n];
            if let Some(lone) = tree.tree.lone() {
                let gravity = self.model.parameters.gravity * tree.gravity[0];
                lone.accelerations(&tree.kin, gravity, &tree.wrenches[0], own);
                continue;
            }
            joint_laws::push(tree, &v[d..d + n], self.model.joints, self.state, tolerance);
            own.copy_from_slice(&tree.tau);
            let loads = Loads {
                gravity: self.model.parameters.gravity,
                gravity_scale: &tree.gravity,
                wrenches: &tree.wrenches,
            };
            tree.tree.accelerations(&tree.kin, &tree.factor, &loads, own, &mut tree.scratch);
        }
        if has_rows {
            let prescribed = Prescribed { state: self.state, bodies: self.model.bodies, elapsed: t - self.state.time };
            let Self { loops, model, cliques, views, forest, spans, .. } = self;
            let free = Accelerations { starts: &spans.dofs, values: accelerations };
            loops.hold(model, cliques, views, forest, &prescribed, free);
            loops.add_to(cliques, forest, &spans.dofs, accelerations);
        }
    }

    fn position_rates(&self, q: &[f64], v: &[f64], rates: &mut [f64]) {
        self.each(|tree, p, d| {
            let (m, n) = (tree.q.len(), tree.v.len());
            tree.tree.position_rates(&q[p..p + m], &v[d..d + n], &mut rates[p..p + m]);
        });
    }

    fn position_change(&self, q: &[f64], change: &[f64], out: &mut [f64]) {
        self.each(|tree, p, d| {
            let (m, n) = (tree.q.len(), tree.v.len());
            tree.tree.velocity_of_rates(&q[p..p + m], &change[p..p + m], &mut out[d..d + n]);
        });
    }

    fn normalize(&self, q: &mut [f64]) {
        self.each(|tree, p, _| tree.tree.normalize_positions(&mut q[p..p + tree.q.len()]));
    }
}

impl MotionSystem<'_> {
    fn each(&self, mut visit: impl FnMut(&Articulation, usize, usize)) {
        for (index, tree) in self.forest.trees.iter().enumerate() {
            visit(tree, self.spans.positions[index], self.spans.dofs[index]);
        }
    }
}

/// Rate of the twist of a base that moves with constant velocities, at a fixed origin.
fn base_acceleration(base: Option<u32>, state: &State, prescribed: &Prescribed, origin: DVec3) -> MotionVector {
    base.map_or(MotionVector::ZERO, |slot| {
        let motion = &state.bodies[slot as usize].motion;
        let center = motion.position + prescribed.elapsed * motion.velocity;
        MotionVector::at(center - origin, DVec3::ZERO, -motion.omega.cross(motion.velocity))
    })
}
