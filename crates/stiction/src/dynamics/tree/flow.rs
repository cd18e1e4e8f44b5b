//! The motion of a tree by its inertia alone, over a step of any size, without making energy.
//!
//! In place of `q ⊕ h v` and of the velocity products at the old velocity. The links move freely for a step, as bodies of
//! which only the velocities ċ of the centre and w (principal axes) count; joints act twice. With the maximal velocities
//! V of the links, the mass metric `½ Σ VᵀIV`, and J the map from joint rates to V:
//!
//! 1. w turns by h/2 without torque (implicit midpoint, [`super::spin`]);
//! 2. half-way, at `q_m = q ⊕ (h/2) v`: V is reflected at the velocities that joints allow there, `V ← 2 J_m u − V`,
//!    `u = M_m⁻¹ J_mᵀ I V`;
//! 3. w turns by h/2; at `q⁺ = q_m ⊕ (h/2)(2u − v)` V is projected on what joints allow, `v⁺ = M⁺⁻¹ J⁺ᵀ I V`;
//! 4. a floating tree gets the momentum that it had, by a motion of the whole; then the motion inside it is scaled so
//!    that the energy is what it was.
//!
//! Turns and reflection are isometries and a projection cannot expand, so that before 4 no energy is made at any step;
//! 4 gives back what the projection took. Second order. Rotors (armature) are bodies of their own of velocity v.
//!
//! Dofs may be *held*: their rates are prescribed for the step (a motor, a stop), and the rest moves as on a moving
//! base. With the prescribed part B of V (of the base and of held dofs), `V = J u + B`: reflection and projection are
//! about this affine set. On a base that turns steadily `½ |V − B|² − ½ |B|²` is kept (Jacobi's integral).

use glam::{DMat3, DQuat, DVec3};

use super::factor::{Factor, FactorError};
use super::kinematics::Kinematics;
use super::spatial::{ForceVector, MotionVector};
use super::spin::spin;
use super::structure::{Joint, Tree};
use super::whitening::Scratch;
use crate::dynamics::rotation::exponential;
use crate::math::Pose;

/// Memory of the flow, with no meaning between calls.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    kin: Kinematics,
    factor: Factor,
    scratch: Scratch,
    links: Vec<LinkMotion>,
    /// B of each link; entry 0 is the base.
    prescribed: Vec<MotionVector>,
    /// Twists of the links; entry 0 is the base.
    twists: Vec<MotionVector>,
    middle: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
}

/// How the base moves through the step: steadily.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowBase {
    /// Pose at the start.
    pub pose: Pose,
    /// The point of the base, in the world \[m\], that moves on a straight line. Its velocity does not count.
    pub center: DVec3,
    /// Angular velocity \[rad/s\].
    pub omega: DVec3,
}

/// A link as a body of its own.
#[derive(Clone, Copy, Debug, Default)]
struct LinkMotion {
    /// Velocity of the centre of mass \[m/s\].
    velocity: DVec3,
    /// Angular velocity in principal axes \[rad/s\].
    spin: DVec3,
}

/// How a part of a step is judged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// What the projection took must be little.
    Fine,
    /// It must not be much.
    Coarse,
    /// There is no smaller part.
    Last,
}

/// What is kept through the step.
#[derive(Clone, Copy)]
struct Invariants {
    /// `½ |V − B|² − ½ |B|²` with the rotors.
    energy: f64,
    /// At the origin.
    momentum: ForceVector,
    center_of_mass: DVec3,
}

/// A held dof is at rest below this share of the largest rate.
const AT_REST: f64 = 1e-5;
/// Most parts of a step.
const MOST_PARTS: u32 = 16;
/// Largest factor on the motion inside a tree that gives lost energy back.
const MOST_GROWTH: f64 = 1.05;
/// Up to [`FINE_PARTS`] parts are taken until the factor is below this: ropes that whip lose energy elsewhere otherwise.
const FINE_GROWTH: f64 = 1.0002;
const FINE_PARTS: u32 = 4;

impl FlowBase {
    /// At rest at the origin.
    const AT_ORIGIN: Self = Self { pose: Pose::IDENTITY, center: DVec3::ZERO, omega: DVec3::ZERO };

    /// At rest.
    #[must_use]
    pub const fn at_rest(pose: Pose) -> Self {
        Self { pose, center: pose.position, omega: DVec3::ZERO }
    }

    /// Pose after a time \[s\], as it moves with its centre.
    pub(crate) fn pose_after(&self, time: f64) -> Pose {
        let Self { pose, center, omega } = *self;
        if omega == DVec3::ZERO {
            return pose;
        }
        let turn: DQuat = exponential(time * omega);
        Pose::new(center + turn * (pose.position - center), (turn * pose.rotation).normalize())
    }
}

/// What a flow is given of a tree, beside its state.
#[derive(Clone, Copy, Debug)]
pub struct FlowInputs<'a> {
    /// What carries the tree.
    pub base: FlowBase,
    /// Inertia of the rotor behind each dof \[kg m² or kg\]; empty where there is none.
    pub armature: &'a [f64],
    /// Dofs whose rates stay as they are; empty where there are none.
    pub held: &'a [bool],
}

impl Tree {
    /// Moves `q` and `v` (of the kinematics `kin`) by the inertia of the tree alone. Returns in how many parts: more than one where a whole step could not keep both momentum
    /// and energy of a floating tree.
    ///
    /// # Errors
    /// A dof without inertia; `q` and `v` are as they were.
    pub fn flow(
        &self,
        kin: &Kinematics,
        q: &mut [f64],
        v: &mut [f64],
        inputs: &FlowInputs,
        step: f64,
        memory: &mut Flow,
    ) -> Result<u32, FactorError> {
        assert!(q.len() == self.position_count && v.len() == self.dof_count());
        let stage = Stage { tree: self, inputs: *inputs, origin: kin.origin };
        let mut parts = 1;
        loop {
            memory.q.clear();
            memory.q.extend_from_slice(q);
            memory.v.clear();
            memory.v.extend_from_slice(v);
            let mut is_kept = true;
            let effort = match parts {
                MOST_PARTS.. => Effort::Last,
                FINE_PARTS.. => Effort::Coarse,
                _ => Effort::Fine,
            };
            for part in 0..parts {
                let size = step / f64::from(parts);
                let start = size * f64::from(part);
                let first = if part == 0 { Some(kin) } else { None };
                is_kept &= stage.go(first, start, size, effort, memory)?;
                if !is_kept {
                    break;
                }
            }
            if is_kept {
                q.copy_from_slice(&memory.q);
                v.copy_from_slice(&memory.v);
                return Ok(parts);
            }
            parts *= 2;
        }
    }
}

impl Tree {
    /// The root of the tree is one free link.
    pub(crate) fn floats(&self) -> bool {
        let mut roots = self.links.iter().filter(|link| link.parent == 0);
        matches!((roots.next().map(|root| root.joint), roots.next()), (Some(Joint::Free), None))
    }

    /// Kinetic energy of the joint rates `v` on a base at rest, rotors included.
    pub(crate) fn energy_of(&self, kin: &Kinematics, v: &[f64], armature: &[f64], memory: &mut Flow) -> f64 {
        let stage = self.still(kin, armature);
        let Flow { links, prescribed, twists, .. } = memory;
        stage.begin(kin, Drives { base: false, held: false }, v, links, prescribed, twists).energy
    }

    /// Scales the motion inside the tree down to a kinetic energy, where it is above; momentum of a floating tree stays,
    /// unless the motion of the whole by itself is above.
    pub fn limit_energy(&self, kin: &Kinematics, v: &mut [f64], armature: &[f64], energy: f64, memory: &mut Flow) {
        let stage = self.still(kin, armature);
        let Flow { links, prescribed, twists, .. } = memory;
        let found = stage.begin(kin, Drives { base: false, held: false }, v, links, prescribed, twists);
        if found.energy <= energy {
            return;
        }
        let mut rigid = None;
        if stage.tree.floats() {
            let mut inertia = kin.inertias[1];
            kin.inertias.iter().skip(2).for_each(|own| inertia += *own);
            rigid = inertia.solve(&found.momentum);
        }
        let outer = rigid.map_or(0.0, |rigid| 0.5 * rigid.dot(&found.momentum));
        let inner = found.energy - outer;
        let scale = if inner > 0.0 { ((energy - outer).max(0.0) / inner).sqrt().min(1.0) } else { 1.0 };
        // The motion of the whole alone may be too much.
        let shrink = if outer > energy { (energy / outer).sqrt() } else { 1.0 };
        let root = kin.poses[1].position - kin.origin;
        let of_root = rigid.map(|twist| [twist.point(root), twist.angular()].map(|x| x.to_array()));
        for (k, v) in v.iter_mut().enumerate() {
            let rigid = of_root.filter(|_| k < 6).map_or(0.0, |rigid| rigid[k / 3][k % 3]);
            *v = shrink * rigid + scale * (*v - rigid);
        }
    }

    /// Notes the velocities of the links, as [`fit`](Self::fit) is to find them: those of the centres, and the angular ones in principal axes.
    pub(crate) fn note_motion(&self, kin: &Kinematics, v: &[f64], inputs: &FlowInputs, memory: &mut Flow) {
        let stage = Stage { tree: self, inputs: *inputs, origin: kin.origin };
        let Flow { links, prescribed, twists, .. } = memory;
        stage.begin(kin, stage.drives(v), v, links, prescribed, twists);
    }

    /// The same of given twists at the origin of `kin`, whether joints allow them or not. `carried` is the velocity of the centre of the base.
    pub(crate) fn note_twists(&self, kin: &Kinematics, twists: &[MotionVector], carried: DVec3, memory: &mut Flow) {
        memory.prescribed.resize(self.links.len() + 1, MotionVector::ZERO);
        memory.links.clear();
        for (index, twist) in twists.iter().enumerate() {
            let (offset, axes) = placed(self, kin, index);
            let velocity = twist.point(offset) - carried;
            memory.links.push(LinkMotion { velocity, spin: axes.transpose() * twist.angular() });
        }
    }

    /// The velocities that joints allow nearest to those noted, in the norm of kinetic energy, at the positions of `kin`: no energy is made, and a
    /// floating tree keeps its linear momentum. Held rates, and momenta of rotors, are those of `v`.
    ///
    /// # Errors
    /// A dof without inertia; `v` is as it was.
    pub(crate) fn fit(
        &self,
        kin: &Kinematics,
        v: &mut [f64],
        inputs: &FlowInputs,
        memory: &mut Flow,
    ) -> Result<(), FactorError> {
        let stage = Stage { tree: self, inputs: *inputs, origin: kin.origin };
        let Flow { factor, scratch, links, prescribed, .. } = memory;
        self.factor_holding(kin, inputs.armature, inputs.held, factor)?;
        stage.project(stage.drives(v), (kin, factor), links, v, prescribed, scratch);
        Ok(())
    }

    fn still<'a>(&'a self, kin: &Kinematics, armature: &'a [f64]) -> Stage<'a> {
        let inputs = FlowInputs { base: FlowBase::AT_ORIGIN, armature, held: &[] };
        Stage { tree: self, inputs, origin: kin.origin }
    }
}

/// What does not change in a step.
struct Stage<'a> {
    tree: &'a Tree,
    inputs: FlowInputs<'a>,
    origin: DVec3,
}

/// A part of the step as it begins.
struct Part<'a> {
    stage: &'a Stage<'a>,
    drives: Drives,
    before: Invariants,
    /// Its length \[s\].
    size: f64,
    effort: Effort,
}

impl Stage<'_> {
    /// One part of the step, from `start` \[s\] on; says whether momentum and energy could both be kept. Its state is
    /// `memory.q`, `memory.v`.
    fn go(
        &self,
        kin: Option<&Kinematics>,
        start: f64,
        size: f64,
        effort: Effort,
        memory: &mut Flow,
    ) -> Result<bool, FactorError> {
        let tree = self.tree;
        let Flow { kin: own, factor, scratch, links, prescribed, twists, middle, q, v } = memory;
        let first: &Kinematics = match kin {
            Some(kin) => kin,
            None => {
                tree.positions(q, &self.base_at(start), self.origin, own);
                own
            }
        };
        let drives = self.drives(v);
        if !drives.held {
            v.iter_mut().enumerate().filter(|(k, _)| self.is_held(*k)).for_each(|(_, v)| *v = 0.0);
        }
        let before = self.begin(first, drives, v, links, prescribed, twists);
        let part = Part { stage: self, drives, before, size, effort };

        for (link, motion) in tree.links.iter().zip(links.iter_mut()) {
            motion.spin = spin(link.moments, motion.spin, 0.5 * size);
        }
        tree.advance_exactly(q, v, 0.5 * size);
        tree.positions(q, &self.base_at(start + 0.5 * size), self.origin, own);
        middle.clear();
        middle.extend_from_slice(v);
        tree.factor_holding(own, self.inputs.armature, self.inputs.held, factor)?;
        self.project(drives, (own, factor), links, middle, prescribed, scratch);
        // Reflection, of the rotors too.
        for (index, (link, motion)) in tree.links.iter().zip(links.iter_mut()).enumerate() {
            let twist = self.total(drives, &scratch.motions[index + 1], &prescribed[..], index);
            let (offset, axes) = placed(tree, own, index);
            motion.velocity = 2.0 * twist.point(offset) - motion.velocity;
            motion.spin = spin(link.moments, 2.0 * (axes.transpose() * twist.angular()) - motion.spin, 0.5 * size);
        }
        for (v, u) in v.iter_mut().zip(&*middle) {
            *v = 2.0 * u - *v;
        }

        tree.advance_exactly(q, v, 0.5 * size);
        tree.positions(q, &self.base_at(start + size), self.origin, own);
        tree.factor_holding(own, self.inputs.armature, self.inputs.held, factor)?;
        let energy = self.project(drives, (own, factor), links, v, prescribed, scratch);
        Ok(part.restore(own, energy, q, v, prescribed, scratch))
    }

    /// Velocities of the links, and what is kept.
    fn begin(
        &self,
        kin: &Kinematics,
        drives: Drives,
        v: &[f64],
        links: &mut Vec<LinkMotion>,
        prescribed: &mut Vec<MotionVector>,
        twists: &mut Vec<MotionVector>,
    ) -> Invariants {
        let tree = self.tree;
        prescribed.resize(tree.links.len() + 1, MotionVector::ZERO);
        twists.resize(tree.links.len() + 1, MotionVector::ZERO);
        links.resize(tree.links.len(), LinkMotion::default());
        if drives.any() {
            self.prescribe(kin, v, prescribed);
        }
        twists[0] = self.base_twist();
        let (mut energy, mut momentum, mut first_moment, mut mass) = (0.0, ForceVector::ZERO, DVec3::ZERO, 0.0);
        for (index, link) in tree.links.iter().enumerate() {
            let mut twist = parent_twist(link.joint, &twists[link.parent as usize]);
            let span = link.dof_range();
            for (s, v) in kin.subspace[span.clone()].iter().zip(&v[span]) {
                twist += *s * *v;
            }
            twists[index + 1] = twist;
            let (offset, axes) = placed(tree, kin, index);
            let (velocity, spin) = (twist.point(offset), axes.transpose() * twist.angular());
            links[index] = LinkMotion { velocity, spin };
            momentum += momentum_of(link.mass, link.moments, offset, &axes, &links[index]);
            mass += link.mass;
            first_moment += link.mass * offset;
            energy += if drives.any() {
                let b = prescribed[index + 1];
                let relative = twist - b;
                let inertia = &kin.inertias[index + 1];
                0.5 * (relative.dot(&inertia.apply(&relative)) - b.dot(&inertia.apply(&b)))
            } else {
                0.5 * (link.mass * velocity.length_squared() + spin.dot(link.moments * spin))
            };
        }
        let rotors = self.inputs.armature.iter().zip(v).enumerate().filter(|(k, _)| !self.is_held(*k));
        energy += rotors.map(|(_, (a, v))| 0.5 * a * v * v).sum::<f64>();
        let center_of_mass = if mass > 0.0 { first_moment / mass } else { DVec3::ZERO };
        Invariants { energy, momentum, center_of_mass }
    }
}

impl Stage<'_> {
    /// `v = M⁻¹ (Jᵀ I (V − B) + a v)` at the positions of `kin`, held rates as they were; twists relative to B stay in
    /// `scratch.motions`. Returns `½ |J v|²`.
    fn project(
        &self,
        drives: Drives,
        (kin, factor): (&Kinematics, &Factor),
        links: &[LinkMotion],
        v: &mut [f64],
        prescribed: &mut [MotionVector],
        scratch: &mut Scratch,
    ) -> f64 {
        let tree = self.tree;
        if drives.any() {
            self.prescribe(kin, v, prescribed);
        }
        let prescribed = &*prescribed;
        let on = |index: usize| {
            let link = &tree.links[index];
            let (offset, axes) = placed(tree, kin, index);
            let momentum = momentum_of(link.mass, link.moments, offset, &axes, &links[index]);
            if drives.any() { momentum - kin.inertias[index + 1].apply(&prescribed[index + 1]) } else { momentum }
        };
        scratch.rates.clear();
        scratch.rates.extend_from_slice(v);
        for (k, v) in v.iter_mut().enumerate() {
            *v *= if self.is_held(k) { 0.0 } else { self.inputs.armature.get(k).copied().unwrap_or(0.0) };
        }
        tree.whiten_down(factor, on, v, scratch);
        let energy = 0.5 * v.iter().map(|y| y * y).sum::<f64>();
        tree.unwhiten_velocity(factor, v, scratch);
        for (k, (v, rate)) in v.iter_mut().zip(&scratch.rates).enumerate() {
            if self.is_held(k) {
                *v = *rate;
            }
        }
        energy
    }
}

impl Part<'_> {
    /// Gives a floating tree its momentum back, and every tree its energy. False: a step this large cannot have both.
    fn restore(
        &self,
        kin: &Kinematics,
        energy: f64,
        q: &mut [f64],
        v: &mut [f64],
        prescribed: &[MotionVector],
        scratch: &Scratch,
    ) -> bool {
        let Self { stage, drives, ref before, size, effort } = *self;
        if !stage.tree.floats() {
            if drives.held {
                return true;
            }
            let mut wanted = before.energy;
            if drives.base {
                // Jacobi's integral.
                let links = kin.inertias.iter().zip(prescribed).skip(1);
                wanted += links.map(|(inertia, b)| 0.5 * b.dot(&inertia.apply(b))).sum::<f64>();
            }
            let Some(scale) = scale(wanted, energy, before.energy, effort) else { return false };
            v.iter_mut().enumerate().filter(|(k, _)| !stage.is_held(*k)).for_each(|(_, v)| *v *= scale);
            return true;
        }
        let (mut inertia, mut found) = (kin.inertias[1], ForceVector::ZERO);
        for (index, own) in kin.inertias.iter().enumerate().skip(1) {
            if index > 1 {
                inertia += *own;
            }
            found += own.apply(&stage.total(drives, &scratch.motions[index], prescribed, index - 1));
        }
        // The centre of mass goes straight on; the momentum about the origin is that of the tree moved there.
        let ahead = size / inertia.mass * before.momentum.linear();
        let shift = before.center_of_mass + ahead - inertia.first_moment / inertia.mass;
        let p = before.momentum;
        let wanted = ForceVector::new(p.angular() - shift.cross(p.linear()), p.linear());
        let (Some(change), Some(rigid)) = (inertia.solve(&(wanted - found)), inertia.solve(&wanted)) else {
            return true;
        };
        let energy = energy + 0.5 * change.dot(&(wanted + found));
        let outer = 0.5 * rigid.dot(&wanted);
        if outer > (1.0 + 1e-9) * before.energy && effort != Effort::Last && !drives.held {
            return false;
        }
        let inner = scale(
            before.energy - outer,
            energy - outer,
            before.energy,
            if drives.held { Effort::Last } else { effort },
        );
        let Some(scale) = inner else { return false };
        let scale = if drives.held { 1.0 } else { scale };
        // At a given angular momentum the energy of the whole is bounded by its inertia. Where even the smallest parts leave
        // much more in it than there was, energy goes before momentum.
        let is_beyond = outer > 1.01 * before.energy && !drives.held;
        let shrink = if is_beyond { (before.energy / outer).sqrt() } else { 1.0 };
        let root = kin.poses[1].position - kin.origin;
        for (q, shift) in q.iter_mut().zip(shift.to_array()) {
            *q += shift;
        }
        let of_root = |twist: &MotionVector| [twist.point(root), twist.angular()].map(|x| x.to_array());
        let (change, rigid) = (of_root(&change), of_root(&rigid));
        for (k, v) in v.iter_mut().enumerate() {
            if k < 6 {
                let rigid = rigid[k / 3][k % 3];
                *v = shrink * rigid + scale * (*v + change[k / 3][k % 3] - rigid);
            } else if !stage.is_held(k) {
                *v *= scale;
            }
        }
        true
    }
}

impl Stage<'_> {
    fn is_held(&self, dof: usize) -> bool {
        self.inputs.held.get(dof).is_some_and(|held| *held)
    }

    fn drives(&self, v: &[f64]) -> Drives {
        // A dof that is held at rest, to rounding of its row, does no work.
        let most = v.iter().fold(0.0, |most: f64, v| v.abs().max(most));
        let held = v.iter().enumerate().any(|(k, v)| v.abs() > AT_REST * most && self.is_held(k));
        Drives { base: self.inputs.base.omega != DVec3::ZERO, held }
    }

    /// In the frame that moves with the centre of the base.
    fn base_twist(&self) -> MotionVector {
        MotionVector::at(self.inputs.base.center - self.origin, self.inputs.base.omega, DVec3::ZERO)
    }

    fn base_at(&self, time: f64) -> Pose {
        self.inputs.base.pose_after(time)
    }

    /// B of every link.
    fn prescribe(&self, kin: &Kinematics, v: &[f64], prescribed: &mut [MotionVector]) {
        prescribed[0] = self.base_twist();
        for (index, link) in self.tree.links.iter().enumerate() {
            let mut twist = parent_twist(link.joint, &prescribed[link.parent as usize]);
            for k in link.dof_range().filter(|k| self.is_held(*k)) {
                twist += kin.subspace[k] * v[k];
            }
            prescribed[index + 1] = twist;
        }
    }

    #[inline(always)]
    fn total(&self, drives: Drives, own: &MotionVector, prescribed: &[MotionVector], index: usize) -> MotionVector {
        if drives.any() { *own + prescribed[index + 1] } else { *own }
    }
}

/// What prescribes motions.
#[derive(Clone, Copy)]
struct Drives {
    /// The base turns.
    base: bool,
    /// A held dof moves.
    held: bool,
}

impl Drives {
    fn any(self) -> bool {
        self.base || self.held
    }
}

/// Factor on the motion inside a tree that takes its energy from `found` to `wanted`, at most [`MOST_GROWTH`]; 1 where there
/// is next to none of it. `None` where more growth is wanted: the step does not resolve the motion.
fn scale(wanted: f64, found: f64, whole: f64, effort: Effort) -> Option<f64> {
    let is_some = found > 1e-14 * whole.abs();
    let scale = if is_some { (wanted.max(0.0) / found).sqrt() } else { 1.0 };
    if scale <= if effort == Effort::Fine { FINE_GROWTH } else { MOST_GROWTH } {
        return Some(scale);
    }
    (effort == Effort::Last).then_some(if scale.is_nan() { 1.0 } else { MOST_GROWTH })
}

#[inline(always)]
pub(super) fn parent_twist(joint: Joint, parent: &MotionVector) -> MotionVector {
    if matches!(joint, Joint::Free) { MotionVector::ZERO } else { *parent }
}

/// Centre of a link as an offset from the origin, and the rotation from its principal axes to the world.
#[inline(always)]
fn placed(tree: &Tree, kin: &Kinematics, index: usize) -> (DVec3, DMat3) {
    let link = &tree.links[index];
    let rotation = &kin.rotations[index + 1];
    (kin.poses[index + 1].position - kin.origin + *rotation * link.center, *rotation * link.principal_axes)
}

#[inline(always)]
fn momentum_of(mass: f64, moments: DVec3, offset: DVec3, axes: &DMat3, motion: &LinkMotion) -> ForceVector {
    ForceVector::at(offset, *axes * (moments * motion.spin), mass * motion.velocity)
}
