//! Motion of trees by their inertia, after the impulses of a step.
//!
//! *Conserving*: the rows see the force of the velocity products c by half, `z = z_free + ½ h y`, `y = −L⁻ᵀ c`; then
//! [`Tree::flow`] carries the velocity without that half through the step. Constraint forces then act half before, half
//! after the flow (those of the next step take out what the flow left): displacement along a row is met to second
//! order, and neither half does work on the whole. Dofs that a row holds at a rate (a motor below its limit, a stop that
//! presses, dry friction that sticks) are held through the flow too, so that their rates and displacements are those of
//! the row.
//!
//! Where the products are small and no dof is held, `q⁺ = q ⊕ h L⁻¹ z`, `z⁺ = z + ½ h y` stand for the flow: the mean
//! velocity, and the other half. Where they are negligible, the rows see all of c, and `q⁺ = q ⊕ h v⁺`. Where *explicit* motion is
//! asked for (Drake's form) and no loop is closed, that is so for all slow trees. It makes the energy `½ |h y|²` a step, which a
//! fast one does not bear: the flow moves it.
//!
//! [`Tree::flow`]: crate::dynamics::tree::Tree::flow

use super::cliques::Cliques;
use super::context::Model;
use super::forest::{Articulation, Forest};
use super::problems::IslandProblem;
use super::solve::Velocities;
use super::trees::collect;
use super::{StepReport, Workspace};
use crate::constraint::RowKind;
use crate::dynamics::tree::{Factor, Flow, FlowBase, FlowInputs, Kinematics, Tree};
use crate::model::{Bodies, State, TreeMotion};

/// Velocity products are explicit where `|h y|² ≤ NEGLIGIBLE |L v|²`. Their error of a step is of the size of y h, that of
/// the flow of its cube: a larger number shows as soon as slow links are attached to fast ones.
const NEGLIGIBLE: f64 = 1e-16;
/// Products beyond this, `|h y| > RESOLVED |L v|`, are no estimate of what the flow does: rows see less of them.
const RESOLVED: f64 = 0.2;
/// Products beyond this, `|h y| > SLOW |L v|`, are not explicit.
const SLOW: f64 = 0.005;
/// Nor are those of a tree with a rate that moves it further in a step \[rad or m\]: a wheel has products as soon as it nods, whose
/// torque of the old velocity feeds the nodding.
const SHORT: f64 = 0.02;
/// Parts of a step that the flow did not come through.
const MOST_PARTS: u32 = 64;

/// How a tree moves in this step, and the memory of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeFlow {
    /// A joint closes a loop over it, whose rows would feed an explicit motion.
    pub(super) is_in_loop: bool,
    /// Parts of the step at whose ends its loops are closed.
    pub(super) loop_parts: u32,
    is_conserving: bool,
    share: f64,
    /// Largest rate of a dof before the step.
    rate: f64,
    /// Kinetic energy before the way is cut short.
    energy: f64,
    /// Positions and rates that the flow begins with, of trees in loops.
    start: [Vec<f64>; 2],
    /// What the rows see of the velocity products, whitened, times the step.
    pub(super) anticipated: Vec<f64>,
    held: Vec<bool>,
    /// Impulses on held dofs that the rows have beyond what acts in the flow.
    hold: Vec<f64>,
    pub(super) armature: Vec<f64>,
    change: Vec<f64>,
    factor: Factor,
    kin: Kinematics,
    pub(super) memory: Flow,
}

impl TreeFlow {
    pub(super) fn new(dofs: usize) -> Self {
        let zeros = || vec![0.0; dofs];
        Self {
            anticipated: zeros(),
            held: vec![false; dofs],
            hold: zeros(),
            armature: zeros(),
            change: zeros(),
            ..Self::default()
        }
    }

    /// Takes the share of the products that rows are to see, and their size as a velocity.
    pub(super) fn choose(&mut self, motion: TreeMotion, step: f64, v: &[f64], z_before: &[f64]) {
        self.rate = v.iter().fold(0.0, |largest, v| v.abs().max(largest));
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        let (products, velocity) = (step * step * square(&self.anticipated), square(z_before));
        let is_explicit = motion == TreeMotion::Explicit && !self.is_in_loop && step * self.rate < SHORT;
        let most = if is_explicit { SLOW * SLOW } else { NEGLIGIBLE };
        self.is_conserving = products > most * velocity;
        let share = if self.is_conserving { 0.5 * (RESOLVED * RESOLVED * velocity / products).min(1.0) } else { 1.0 };
        self.share = share;
        self.anticipated.iter_mut().for_each(|x| *x *= share * step);
        self.hold.fill(0.0);
        self.loop_parts = 1;
    }

    /// Largest rate of a dof before the step \[rad/s or m/s\].
    pub(super) fn rate(&self) -> f64 {
        self.rate
    }

    /// Notes what a flow begins with, where it may have to begin again.
    fn note_start(&mut self, q: &[f64], v: &[f64]) {
        if self.is_in_loop {
            let [positions, rates] = &mut self.start;
            positions.clear();
            positions.extend_from_slice(q);
            rates.clear();
            rates.extend_from_slice(v);
        }
    }

    /// A flow moves the tree in this step.
    pub(super) fn is_conserving(&self) -> bool {
        self.is_conserving
    }

    /// Share of the velocity products that rows see in a step that a flow ends; 0 where none does.
    pub(super) fn share(&self) -> f64 {
        if self.is_conserving { self.share } else { 0.0 }
    }

    /// The dofs of which rows give the rate.
    pub(super) fn held(&self) -> &[bool] {
        &self.held
    }

    /// Rounding has left a dof without inertia on the way: rates as they are, and no more energy.
    pub(super) fn coast(
        &mut self,
        tree: &Tree,
        kin: &Kinematics,
        (q, v): (&mut [f64], &mut [f64]),
        base: &FlowBase,
        step: f64,
    ) {
        let Self { armature, kin: ahead, memory, .. } = self;
        let energy = tree.energy_of(kin, v, armature, memory);
        tree.advance_exactly(q, v, step);
        tree.positions(q, &base.pose, kin.origin(), ahead);
        tree.limit_energy(ahead, v, armature, energy, memory);
    }

    /// Impulse of the rows of a dof that does not act, since the flow holds the dof.
    pub(super) fn hold_impulse(&self, dof: usize) -> f64 {
        self.hold[dof]
    }
}

/// New positions and joint rates of every awake tree, in `q` and `z_free`.
pub(super) fn flow(model: &Model, step: f64, state: &State, work: &mut Workspace, report: &mut StepReport) {
    if model.parameters.tree_motion != TreeMotion::Explicit {
        let Workspace { forest, cliques, velocities, .. } = work;
        let pushed = forest.trees.iter_mut().filter(|tree| tree.is_awake && tree.is_pushed);
        pushed.for_each(|tree| tree.conserve_if_fast(step, (cliques, velocities)));
    }
    find_held(step, work);
    let Workspace { forest, cliques, velocities, .. } = work;
    for tree in forest.trees.iter_mut().filter(|t| t.is_awake) {
        let parts = tree.move_by_inertia(model, step, (cliques, velocities), state);
        report.divided_trees += u32::from(parts > 1);
        report.tree_parts = report.tree_parts.max(parts);
    }
}

/// Marks the dofs of trees whose rate a row gives.
fn find_held(step: f64, work: &mut Workspace) {
    let Workspace { forest, problems, velocities, .. } = work;
    let Forest { trees, of_joint, .. } = forest;
    trees.iter_mut().for_each(|tree| tree.flow.held.fill(false));
    for (own, emitted) in problems.joints_in_problems() {
        let IslandProblem { problem, joint_rows, lambda: impulses, .. } = own;
        let z = &velocities.z[own.span.clone()];
        let Some(dof) = of_joint[emitted.slot as usize] else { continue };
        let tree = &mut trees[dof.tree as usize];
        if !(tree.is_pushed && tree.flow.is_conserving) {
            continue;
        }
        for (i, row) in joint_rows[emitted.rows[0] as usize..emitted.rows[1] as usize].iter().enumerate() {
            let (Some(axis), index) = (row.axis, emitted.first_row as usize + i) else { continue };
            let (solved, lambda) = (&problem.rows[index], impulses[index]);
            let is_hard = solved.compliance < SOFT * solved.diagonal;
            // Sweeps that have not come to an end leave a rate that nobody asked for.
            let is_met =
                problem.residual(solved, index, impulses, z, true, false) <= MET * row.target.abs().max(tree.flow.rate);
            // A dof that is driven far in a step, or pushed out of a stop, is no base to move on.
            let most = if row.kind == RowKind::Limit { PUSHED * tree.flow.rate } else { DRIVEN / step };
            let is_slow = row.target.abs() <= most;
            if is_hard && is_met && is_slow && solved.lower < lambda && lambda < solved.upper {
                tree.flow.held[dof.dof(usize::from(axis))] = true;
            }
        }
    }
}

/// A motor that drives a dof further than this in a step leaves it free in the flow \[rad or m\].
const DRIVEN: f64 = 0.2;
/// A stop that pushes out at more than this share of the largest rate of its tree does, too.
const PUSHED: f64 = 1e-6;
/// A row is met within this share of the largest rate of its tree.
const MET: f64 = 1e-6;
/// A row of this compliance over its diagonal leaves its rate free.
const SOFT: f64 = 1e-3;

impl Articulation {
    /// A tree that was slow and that impulses have set going moves by a flow: rates that stay on such a way make energy.
    fn conserve_if_fast(&mut self, step: f64, (cliques, velocities): (&Cliques, &Velocities)) {
        let Self { tree, factor, scratch, segments, flow, .. } = self;
        if flow.is_conserving {
            return;
        }
        collect(segments, cliques, &velocities.z, &mut flow.change);
        tree.unwhiten_velocity(factor, &mut flow.change, scratch);
        let rate = flow.change.iter().fold(0.0f64, |largest, v| largest.max(v.abs()));
        flow.is_conserving = step * rate >= SHORT;
    }

    /// Moves `q` by the first part of the step that its loops ask for, and leaves the joint rates of its end in `z_free`; the number of parts.
    fn move_by_inertia(
        &mut self,
        model: &Model,
        step: f64,
        (cliques, velocities): (&Cliques, &Velocities),
        state: &State,
    ) -> u32 {
        self.divide_unless_pushed(cliques, &velocities.z);
        if self.is_pushed {
            collect(&self.segments, cliques, &velocities.z, &mut self.z_free);
        }
        // From zero, so that nothing but the poses counts.
        self.tree.zero_positions(&mut self.q);
        self.tree.read_positions(&self.poses, &self.base_pose, &mut self.q);
        if self.is_divided() {
            return self.move_in_parts(model, step, state);
        }
        let is_split = self.is_pushed && velocities.is_split;
        if is_split {
            collect(&self.segments, cliques, &velocities.z_position, &mut self.z_before);
            self.z_before.iter_mut().zip(&self.z_free).for_each(|(position, own)| *position -= own);
            self.tree.unwhiten_velocity(&self.factor, &mut self.z_before, &mut self.scratch);
        }
        let size = step / f64::from(self.flow.loop_parts);
        let parts =
            if self.flow.is_conserving { self.move_conserving(size, state) } else { self.move_explicitly(size) };
        if is_split {
            self.tree.advance(&mut self.q, &self.z_before, step);
        }
        parts
    }

    /// Kinetic energy of the rates in `z_free` \[J\].
    pub(super) fn kinetic_energy(&mut self) -> f64 {
        let TreeFlow { armature, memory, .. } = &mut self.flow;
        self.tree.energy_of(&self.kin, &self.z_free, armature, memory)
    }

    /// Notes the kinetic energy before the way is cut short.
    pub(super) fn note_energy(&mut self) {
        self.flow.energy = self.kinetic_energy();
    }

    /// Takes out what is above the energy noted, less an amount \[J\].
    pub(super) fn limit_energy(&mut self, less: f64) {
        let TreeFlow { armature, memory, energy, .. } = &mut self.flow;
        let most = (*energy - less).max(0.0);
        self.tree.limit_energy(&self.kin, &mut self.z_free, armature, most, memory);
    }

    /// Notes the velocities of the links before loops are closed.
    pub(super) fn note_motion(&mut self, state: &State) {
        let base = self.flow_base(state);
        let TreeFlow { armature, memory, held, .. } = &mut self.flow;
        self.tree.note_motion(&self.kin, &self.z_free, &FlowInputs { base, armature, held }, memory);
    }

    /// The links keep the velocities noted as far as joints allow where they are now. Rates that stay as positions change make energy, and what
    /// one tree gives to another through the joints between them is no such energy.
    pub(super) fn keep_motion(&mut self, bodies: &Bodies, state: &mut State, report: &mut StepReport) {
        let base = self.flow_base(state);
        let TreeFlow { armature, memory, held, .. } = &mut self.flow;
        if self.tree.fit(&self.kin, &mut self.z_free, &FlowInputs { base, armature, held }, memory).is_ok() {
            self.write(bodies, state, report);
        }
    }

    pub(super) fn flow_base(&self, state: &State) -> FlowBase {
        match self.base {
            Some(slot) => {
                let m = &state.bodies[slot as usize].motion;
                FlowBase { pose: self.base_pose, center: m.position, omega: m.omega }
            }
            None => FlowBase::at_rest(self.base_pose),
        }
    }

    fn move_conserving(&mut self, step: f64, state: &State) -> u32 {
        let base = self.flow_base(state);
        let Self { tree, kin, factor, scratch, z_free, extra, flow, .. } = self;
        let TreeFlow { anticipated, held, hold, change, factor: own, .. } = flow;
        change.copy_from_slice(anticipated);
        tree.unwhiten_velocity(factor, change, scratch);
        tree.unwhiten_velocity(factor, z_free, scratch);
        z_free.iter_mut().zip(&*change).for_each(|(v, half)| *v -= half);
        if held.contains(&true) && tree.factor_holding(kin, extra, held, own).is_ok() {
            // Held dofs start at the rate of their rows.
            change.iter_mut().zip(&*held).for_each(|(x, held)| *x = if *held { *x } else { 0.0 });
            tree.follow_held(kin, own, held, change, scratch);
            z_free.iter_mut().zip(&*change).for_each(|(v, own)| *v += own);
            tree.momenta(kin, extra, change, hold, scratch);
            hold.iter_mut().zip(&*held).for_each(|(x, held)| *x = if *held { *x } else { 0.0 });
        }
        self.flow_through(&base, step)
    }

    /// Moves the tree by another part of the step, after its loops were closed.
    pub(super) fn flow_for(&mut self, step: f64, bodies: &Bodies, state: &mut State, report: &mut StepReport) {
        let base = self.flow_base(state);
        let parts = self.flow_through(&base, step);
        report.tree_parts = report.tree_parts.max(parts);
        self.write(bodies, state, report);
    }

    /// Impulses have moved the positions beyond what the velocities do.
    pub(super) fn is_displaced(&self, cliques: &Cliques, velocities: &Velocities) -> bool {
        self.is_pushed
            && velocities.is_split
            && self.segments.iter().any(|segment| {
                let start = cliques.start(segment.clique);
                let range = start..start + segment.count as usize;
                velocities.z_position[range.clone()] != velocities.z[range]
            })
    }

    /// Goes back to where the last flow began.
    pub(super) fn rewind_flow(&mut self, bodies: &Bodies, state: &mut State, report: &mut StepReport) {
        let [positions, rates] = &self.flow.start;
        self.q.copy_from_slice(positions);
        self.z_free.copy_from_slice(rates);
        self.write(bodies, state, report);
    }

    /// Moves `q` and `z_free` from the kinematics; the number of parts.
    fn flow_through(&mut self, base: &FlowBase, step: f64) -> u32 {
        let Self { tree, kin, z_free, q, flow, .. } = self;
        flow.note_start(q, z_free);
        let TreeFlow { held, armature, memory, .. } = flow;
        let held: &[bool] = if held.contains(&true) { held } else { &[] };
        match tree.flow(kin, q, z_free, &FlowInputs { base: *base, armature, held }, step, memory) {
            Ok(parts) => parts,
            Err(_) => {
                flow.coast(tree, kin, (q, z_free), base, step);
                MOST_PARTS
            }
        }
    }

    fn move_explicitly(&mut self, step: f64) -> u32 {
        let Self { tree, factor, scratch, z_free, q, flow, .. } = self;
        tree.unwhiten_velocity(factor, z_free, scratch);
        flow.note_start(q, z_free);
        tree.advance(q, z_free, step);
        1
    }
}
