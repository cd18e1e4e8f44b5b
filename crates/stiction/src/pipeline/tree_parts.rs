//! Steps in parts, of trees whose links are pulled hard.
//!
//! A light link that carries much swings with an ω far above that of any pendulum ([`TensionRates`]), and a step that takes forces at its
//! start makes energy of that where ω h > 2. A tree on which no row acts takes the step in p parts, as many as make ω h / p ≤ 1, with the
//! pulls at the start of the step:
//!
//! `v += h/2p M⁻¹ Q`, then p times a flow by h/p, with `v += h/p M⁻¹ Q` between them, and `v += h/2p M⁻¹ Q` at the end
//!
//! with Q and M of the positions and rates there, springs and dampers included. So the velocities of a step in parts are those of its
//! ends, however many there are, and where the number changes from step to step the energy does not.

use std::ops::Range;

use super::cliques::Cliques;
use super::context::Model;
use super::forest::{Articulation, Segment, TreeJoint, axes_of};
use crate::dynamics::tree::{
    Factor, FactorError, FlowBase, FlowInputs, ForceVector, Kinematics, Loads, TensionRates, Tree,
};
use crate::math::DVec3;
use crate::model::{State, TreeMotion, WorldParameters};

/// Square of the angle ω h \[rad²\] above which a step is taken in parts.
const STABLE: f64 = 2.0;
/// That of a part.
const RESOLVED: f64 = 1.0;
/// A tree whose weight alone makes this share of [`STABLE`] takes every step in parts: released at the height of its joint it pulls three
/// times as hard at the bottom as at rest, and a change from whole steps to parts takes velocities of the middle of a step for those of its end.
const HEAVY: f64 = 1.0 / 3.0;
/// Most parts of a step.
const MOST_PARTS: f64 = 256.0;
/// A step that asks for this many times as many is taken whole.
const UNRESOLVED: f64 = 16.0;
/// Factor of the accelerations by gravity and by velocities in the cheap estimate; trees that it leaves below the limit are looked at no closer.
const USUAL: f64 = 2.0;

/// How hard a tree is pulled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heaviness {
    Usual,
    /// It has to be looked at.
    Pulled,
    /// By its weight alone.
    Heavy,
}

/// How a tree is divided, and the memory of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeParts {
    rates: TensionRates,
    /// Number of parts; 0 where the step is taken whole.
    count: u32,
    kin: Kinematics,
    factor: Factor,
    wrenches: Vec<ForceVector>,
    /// Efforts of users and drives, without springs and dampers.
    pub(super) efforts: Vec<f64>,
    /// Velocities before the step; what a whole kick changes of them.
    before: Vec<f64>,
    change: Vec<f64>,
    /// Positions at the start, and the way since.
    start: Vec<f64>,
    way: Vec<f64>,
    /// What dampers took, and the parts took from springs, by dof \[J\].
    taken: Vec<[f64; 2]>,
}

impl TreeParts {
    pub(super) fn new(tree: &Tree) -> Self {
        let zeros = || vec![0.0; tree.dof_count()];
        let places = || vec![0.0; tree.position_count()];
        Self {
            rates: TensionRates::new(tree),
            wrenches: vec![ForceVector::ZERO; tree.link_count()],
            efforts: zeros(),
            before: zeros(),
            change: zeros(),
            start: places(),
            way: places(),
            taken: vec![[0.0; 2]; tree.dof_count()],
            ..Self::default()
        }
    }

    /// How joints pull: see [`TensionRates::pulls`].
    pub(super) fn pulls(&self) -> impl Iterator<Item = (usize, bool, f64)> {
        self.rates.pulls()
    }

    /// The step is to be taken whole, until more is known.
    pub(super) fn reset(&mut self) {
        self.count = 0;
    }

    /// Way of each axis of a joint in the parts before, by the span of its positions and the order of its axes.
    pub(super) fn ways(&self, span: Range<usize>, order: &[u8; 3]) -> impl Iterator<Item = f64> {
        order.iter().take(span.len()).map(move |dof| self.way[span.start + usize::from(*dof)])
    }

    /// Counts the parts of a step in which joints transmit these wrenches.
    pub(super) fn count(&mut self, reactions: &[ForceVector], heaviness: Heaviness, step: f64) {
        let square = step * step * self.rates.largest(reactions);
        let is_whole = heaviness == Heaviness::Pulled && square <= STABLE;
        let parts = (square / RESOLVED).sqrt().ceil();
        // Where parts would resolve nothing, or there are no numbers, the flow of a whole step makes no energy.
        let is_unresolved = parts.is_nan() || parts > UNRESOLVED * MOST_PARTS;
        self.count = if is_whole || is_unresolved { 0 } else { parts.clamp(1.0, MOST_PARTS) as u32 };
    }
}

impl Articulation {
    /// The step is taken in parts.
    pub(super) fn is_divided(&self) -> bool {
        self.parts.count > 0
    }

    /// A tree on which rows act takes the step whole.
    pub(super) fn divide_unless_pushed(&mut self, cliques: &Cliques, z: &[f64]) {
        let has_changed = |segment: &Segment| {
            let (start, first, count) = (cliques.start(segment.clique), segment.first as usize, segment.count as usize);
            z[start..start + count] != self.z_free[first..first + count]
        };
        if self.is_divided() && self.is_pushed && self.segments.iter().any(has_changed) {
            self.parts.reset();
        }
    }

    /// What the damper of an axis took in a divided step, and the parts took from its spring \[J\]; none where the step is whole, or the joint
    /// has no such axis.
    pub(super) fn taken_in_parts(&self, joint: &TreeJoint, axis: usize) -> Option<[f64; 2]> {
        let is_axis = axis < self.tree.dof_span(joint.link as usize).len();
        (self.is_divided() && is_axis).then(|| self.parts.taken[joint.dof(axis)])
    }

    /// How hard the tree may be pulled by its weight, by what its velocities make, and by users' forces.
    pub(super) fn heaviness(&self, parameters: &WorldParameters, step: f64, state: &State) -> Heaviness {
        if parameters.tree_motion == TreeMotion::Explicit || self.flow.is_in_loop {
            return Heaviness::Usual;
        }
        let weight = if self.tree.floats() { 0.0 } else { parameters.gravity.length() };
        let acceleration = USUAL * (weight + self.tree.largest_centripetal(&self.kin));
        let force: f64 = self.bodies.iter().map(|slot| state.bodies[*slot as usize].force.length()).sum();
        let square = |acceleration, force| step * step * self.parts.rates.estimate(acceleration, force);
        if square(weight, 0.0) > HEAVY * STABLE {
            Heaviness::Heavy
        } else if square(acceleration, force) > STABLE {
            Heaviness::Pulled
        } else {
            Heaviness::Usual
        }
    }

    /// Moves `q` and leaves the new joint rates in `z_free`; the number of parts.
    pub(super) fn move_in_parts(&mut self, model: &Model, step: f64, state: &State) -> u32 {
        let (count, base) = (self.parts.count, self.flow_base(state));
        let size = step / f64::from(count);
        self.parts.before.copy_from_slice(&self.v);
        self.parts.start.copy_from_slice(&self.q);
        self.parts.taken.fill([0.0; 2]);
        for part in 0..=count {
            let time = size * f64::from(part);
            let base = FlowBase { pose: base.pose_after(time), ..base };
            let is_last = part == count;
            let share = if part == 0 || is_last { 0.5 } else { 1.0 };
            let moved = self.kick(model, (size, share), &base, state);
            if moved.is_ok() {
                self.note_taken(model, (size, share));
            }
            if is_last {
                break;
            }
            let Self { tree, q, v, flow, parts, .. } = self;
            let inputs = FlowInputs { base, armature: &flow.armature, held: &[] };
            let flows = moved.and_then(|()| tree.flow(&parts.kin, q, v, &inputs, size, &mut flow.memory));
            if flows.is_err() {
                flow.coast(tree, &parts.kin, (q, v), &base, step - time);
                break;
            }
        }
        self.parts.way.fill(0.0);
        self.z_free.copy_from_slice(&self.v);
        self.v.copy_from_slice(&self.parts.before);
        count
    }

    /// Changes the velocities by a share of what the forces at the positions do in a part.
    fn kick(
        &mut self,
        model: &Model,
        (size, share): (f64, f64),
        base: &FlowBase,
        state: &State,
    ) -> Result<(), FactorError> {
        let origin = self.kin.origin();
        self.tau.copy_from_slice(&self.parts.efforts);
        let positions = self.q.iter().zip(&self.parts.start);
        self.parts.way.iter_mut().zip(positions).for_each(|(way, (now, start))| *way = now - start);
        self.absorb_joint_laws(model, size, state);
        let Self { tree, q, v, tau, extra, gravity, parts, bodies, scratch, .. } = self;
        tree.positions(q, &base.pose, origin, &mut parts.kin);
        tree.factor(&parts.kin, extra, &mut parts.factor)?;
        for (link, slot) in bodies.iter().enumerate() {
            let own = &state.bodies[*slot as usize];
            let center = model.bodies.at(*slot as usize).map_or(DVec3::ZERO, |body| body.mass.center);
            let at = parts.kin.poses()[link].point(center);
            parts.wrenches[link] = ForceVector::at(at - origin, own.torque, own.force);
        }
        let loads = Loads { gravity: model.parameters.gravity, gravity_scale: gravity, wrenches: &parts.wrenches };
        let change = &mut parts.change;
        change.copy_from_slice(tau);
        tree.whiten_applied_loads(&parts.kin, &parts.factor, &loads, change, scratch);
        tree.unwhiten_velocity(&parts.factor, change, scratch);
        change.iter_mut().for_each(|change| *change *= size);
        v.iter_mut().zip(change).for_each(|(v, change)| *v += share * *change);
        Ok(())
    }

    /// Books what dampers and springs lose by a kick.
    fn note_taken(&mut self, model: &Model, (size, share): (f64, f64)) {
        let Self { tree, joints: slots, orders, laws, v, parts, .. } = self;
        for (slot, axis, dof) in axes_of(tree, slots, orders) {
            let Some(joint) = model.joints.at(slot) else { continue };
            let change = parts.change[dof];
            let before = v[dof] - share * change;
            let law = &joint.definition.parameters[axis];
            let taken = law.taken_by_share(&laws[dof], (size, share), [before, before + change]);
            parts.taken[dof][0] += taken[0];
            parts.taken[dof][1] += taken[1];
        }
    }
}
