//! Trees that nothing touches, under sub-steps and in rigid reduced coordinates: each moves as a whole, side by side with those that are built alike (see
//! `solvers::soft::trees`).
//!
//! Laws of their motions (motors, stops, springs, friction) are lines in the elimination (see `laws`). Loops, and joints of other kinds than a tree of the
//! sub-steps carries, are left to the rows.

mod feedback;
mod groups;
mod laws;
mod template;

use super::context::Model;
use super::forest::Forest;
use super::islands::{Islands, NONE};
use super::{KnownJoints, StepReport, Workspace, trees};
use crate::joints::AxisParameters;
use crate::model::{Coordinates, JointFeedback, SolverKind, State, WorldParameters, joint_pose};
use crate::solvers::soft::Mobilizer;
use feedback::Transmitted;
pub(crate) use groups::Groups;
pub(super) use groups::{Group, LinksInLanes, TreeGroups, motion_of, put_motion};
pub(super) use template::Template;

/// Turn of a link in a step beyond which parts of a step resolve nothing \[rad\].
const UNRESOLVED: f64 = 16.0;

/// Memory of the trees that nothing touches.
#[derive(Default)]
pub(crate) struct Flows {
    /// What the templates were made from: the forest, and changes of bodies and joints.
    known: Option<[u64; 3]>,
    /// By tree of the forest; none of those that rows move.
    templates: Vec<Option<Template>>,
    /// Trees of this step, in the order of islands, and those on which something else acts or which are too fast.
    taken: Vec<u32>,
    refused: Vec<u32>,
    /// By tree of the forest.
    is_taken: Vec<bool>,
    transmitted: Transmitted,
}

impl Flows {
    /// No tree is taken.
    pub(super) fn clear(&mut self) {
        self.taken.clear();
        self.refused.clear();
    }

    /// A tree of the forest moves so in this step.
    fn takes(&self, tree: u32) -> bool {
        // Without any the list by tree is that of an earlier step.
        !self.taken.is_empty() && self.is_taken.get(tree as usize) == Some(&true)
    }

    /// Slots of the bodies of this step's trees.
    pub(super) fn bodies(&self) -> impl Iterator<Item = u32> + '_ {
        let templates = self.taken.iter().filter_map(|tree| self.templates[*tree as usize].as_ref());
        templates.flat_map(|template| template.bodies().iter().map(|link| link.slot))
    }

    /// Templates by tree of the forest, none of those that rows move, and what they were made from.
    pub(super) fn templates(&self) -> (&[Option<Template>], Option<[u64; 3]>) {
        (&self.templates, self.known)
    }

    /// Takes the islands without contacts that are one such tree out of the lists.
    pub(super) fn take(
        &mut self,
        model: &Model,
        step: f64,
        (state, known): (&mut State, &KnownJoints),
        forest: &Forest,
        islands: &mut Islands,
    ) {
        for island in 0..islands.ends.len() {
            let (start, end) = (islands.start(island), islands.ends[island]);
            let is_touched = start[2] != end[2] || start[3] != end[3] || !islands.patches_of(island).is_empty();
            let bodies = &islands.bodies[start[0] as usize..end[0] as usize];
            let member = bodies.first().and_then(|slot| forest.of_body.get(*slot as usize).copied().flatten());
            let Some(tree) = member.filter(|_| !is_touched).map(|member| member.tree) else { continue };
            let Some(template) = &self.templates[tree as usize] else { continue };
            if template.bodies().len() != bodies.len() || template.joints != (end[1] - start[1]) as usize {
                continue;
            }
            if !may_flow(template, model, step, state) {
                self.refused.push(tree);
                continue;
            }
            bodies.iter().for_each(|slot| islands.of_body[*slot as usize] = NONE);
            self.taken.push(tree);
        }
        if self.taken.is_empty() {
            return;
        }
        self.is_taken.clear();
        self.is_taken.resize(forest.trees.len(), false);
        self.taken.iter().for_each(|tree| self.is_taken[*tree as usize] = true);
        islands.retain_joints(|joint| !self.takes_joint(model, joint, forest));
        self.begin(model, state, known);
    }

    /// The trees of the last step are those of this one too; begins their joints.
    pub(super) fn go_on(&mut self, model: &Model, step: f64, state: &mut State, known: &KnownJoints) -> bool {
        let may = |tree: &u32| {
            self.templates[*tree as usize].as_ref().is_some_and(|template| may_flow(template, model, step, state))
        };
        let are_same = self.taken.iter().all(may) && !self.refused.iter().any(may);
        if are_same {
            self.begin(model, state, known);
        }
        are_same
    }

    /// Reads the joints off their bodies, and puts the users' forces along their motions on these.
    fn begin(&self, model: &Model, state: &mut State, known: &KnownJoints) {
        for template in self.taken.iter().filter_map(|tree| self.templates[*tree as usize].as_ref()) {
            for link in template.links.iter().filter(|link| link.joint != NONE) {
                if link.mobilizer.has_axes() {
                    super::substeps::begin_joint(model, state, link.joint, known);
                } else {
                    let own = &mut state.joints[link.joint as usize];
                    (own.efforts, own.drives, own.forces) = ([0.0; 3], [0.0; 3], [0.0; 3]);
                }
            }
        }
    }

    /// It is one of a tree of this step, or closes a loop in it: a tree that other joints touch is not taken.
    pub(super) fn takes_joint(&self, model: &Model, joint: u32, forest: &Forest) -> bool {
        let Some(joint) = model.joints.at(joint as usize) else { return false };
        let mut members = joint
            .definition
            .bodies
            .into_iter()
            .flatten()
            .filter_map(|body| forest.of_body.get(body.slot()).copied().flatten());
        members.any(|member| self.takes(member.tree))
    }

    /// Makes templates of the trees where the forest has changed; whether it has.
    pub(super) fn follow(&mut self, model: &Model, forest: &Forest) -> bool {
        // Each of two forests has generations of its own.
        let is_maximal = u64::from(model.parameters.coordinates == Coordinates::Maximal);
        let source = Some([2 * forest.generation + is_maximal, model.topology, model.revision]);
        let has_changed = self.known != source;
        if has_changed {
            self.known = source;
            self.templates.clear();
            let trees = (0..).zip(&forest.trees);
            let templates = trees.map(|(number, tree)| Template::from_tree(model, tree, forest.closing_in(number)));
            self.templates.extend(templates);
            template::number_shapes(&mut self.templates);
        }
        has_changed
    }
}

/// All that acts on a tree is carried here, and it is no faster than parts of the step resolve.
fn may_flow(template: &Template, model: &Model, step: f64, state: &State) -> bool {
    model.parameters.trees_move_as_wholes()
        && template.is_plain
        && template.links.iter().all(|link| {
            let own = &state.bodies[link.slot as usize];
            let is_slow = own.motion.omega.length_squared() * (step * step) <= UNRESOLVED * UNRESOLVED;
            own.is_enabled && is_slow && is_carried(link, model, state) && !is_off(link, model, state)
        })
}

/// Gap of what is welded to the world from which on it is not where its joint holds it, as a user has moved it \[m or rad\].
const OFF: f64 = 1e-6;

/// A link that is welded to the world is not in its place. Rows bring it back: a flow does not move it.
pub(super) fn is_off(link: &template::LinkTemplate, model: &Model, state: &State) -> bool {
    let joint = model.joints.at(link.joint as usize).filter(|_| link.mobilizer == Mobilizer::Welded);
    joint.is_some_and(|joint| joint.gap(&joint_pose(joint, &state.bodies)) > OFF)
}

/// Of two forests, that of the coordinates and one that is for flows alone, the one whose trees flow: bodies in maximal coordinates have the second.
pub(super) fn choose<'a>(model: &Model, forest: &'a Forest, own: &'a mut Forest) -> &'a Forest {
    let is_reduced = model.parameters.coordinates == Coordinates::Reduced;
    if is_reduced || model.joints.iter().next().is_none() || !model.parameters.trees_move_as_wholes() {
        return forest;
    }
    trees::refresh(model, true, own);
    own
}

/// The laws of the motions of a joint are carried here.
fn is_carried(link: &template::LinkTemplate, model: &Model, state: &State) -> bool {
    if link.joint == NONE {
        return true;
    }
    let Some(joint) = model.joints.at(link.joint as usize) else { return false };
    let axes = if link.mobilizer.has_axes() { link.mobilizer.dofs() } else { 0 };
    let mut laws = joint.definition.parameters[..axes].iter();
    !state.joints[link.joint as usize].is_led && laws.all(|law| is_carried_law(law, model.parameters))
}

/// All but SPOOK's stops, springs and dampers that are to be explicit or implicit, and motors that have their rate from the start of the step on, as those
/// of rows have: with one of a tree that flows it takes the step.
fn is_carried_law(law: &AxisParameters, parameters: &WorldParameters) -> bool {
    let has_spring = law.stiffness != 0.0 || law.damping != 0.0;
    let has_motor = law.motor.max_force > 0.0 || law.drive.is_some();
    law.stop_spook.is_none()
        && (!has_spring || !law.is_spring_explicit && parameters.springs_keep_energy())
        && (!has_motor || parameters.solver == SolverKind::Substeps)
}

/// A world whose trees move: what they read, and what they write.
pub(crate) struct FlowingWorld<'a> {
    pub(crate) model: Model<'a>,
    pub(crate) state: &'a mut State,
    pub(crate) flows: &'a mut Flows,
    pub(crate) known: &'a mut KnownJoints,
    pub(crate) feedback: &'a mut Vec<JointFeedback>,
    pub(crate) report: &'a mut StepReport,
    /// It is in a step.
    pub(crate) is_in_step: bool,
}

impl FlowingWorld<'_> {
    /// Numbers of the trees that move.
    fn moving(&self) -> &[u32] {
        if self.is_in_step { &self.flows.taken } else { &[] }
    }
}

/// Moves the trees of this step.
pub(super) fn advance(model: &Model, step: f64, state: &mut State, work: &mut Workspace, report: &mut StepReport) {
    let Workspace { flows, groups_in_flow: groups, known_joints: known, feedback, .. } = work;
    let world = FlowingWorld { model: *model, state, flows, known, feedback, report, is_in_step: true };
    advance_all(&mut [world], groups, step);
}

/// Moves the trees of several worlds. Trees with the same structure share lanes, whichever world they are in; results do not depend on what is in the other lanes.
pub(crate) fn advance_all(worlds: &mut [FlowingWorld], groups: &mut Groups, step: f64) {
    if worlds.iter().all(|world| world.moving().is_empty()) {
        return;
    }
    for world in worlds.iter_mut().filter(|world| world.is_in_step) {
        let Flows { templates, taken, transmitted, .. } = &mut *world.flows;
        transmitted.begin((&world.model, step), world.state, templates, taken);
    }
    groups.advance(worlds, step);
    for world in worlds.iter_mut().filter(|world| world.is_in_step) {
        let Flows { templates, taken, transmitted, .. } = &mut *world.flows;
        transmitted.finish((&world.model, step), world.state, (templates, taken), world.feedback);
    }
}
