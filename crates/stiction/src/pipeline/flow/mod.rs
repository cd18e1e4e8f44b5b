//! Trees that nothing touches, under sub-steps: each moves as a whole, side by side with those that are built alike (see
//! `solvers::soft::trees`).
//!
//! Joints whose motions have laws (motors, stops, springs, friction), loops, and joints of other kinds than a tree of the sub-steps carries are
//! left to the rows.

mod feedback;
mod groups;
mod template;

use super::context::Model;
use super::forest::Forest;
use super::islands::{Islands, NONE};
use super::{StepReport, Workspace};
use crate::dynamics::gyroscopic::Gyroscopic;
use crate::model::{SolverKind, State, TreeMotion, joint_pose, update_positions};
use crate::solvers::soft::WidthOfLanes;
#[cfg(target_arch = "x86_64")]
use crate::solvers::soft::{Eight, Four};
use feedback::Transmitted;
use groups::Groups;
pub(super) use groups::{motion_of, put_motion};
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
    changes: u64,
    /// Trees of this step, in the order of islands.
    taken: Vec<u32>,
    /// By tree of the forest.
    is_taken: Vec<bool>,
    groups: Groups,
    transmitted: Transmitted,
}

impl Flows {
    /// No tree is taken.
    pub(super) fn clear(&mut self) {
        self.taken.clear();
    }

    /// Templates by tree of the forest, none of those that rows move, and the number of changes that they have come through.
    pub(super) fn templates(&self) -> (&[Option<Template>], u64) {
        (&self.templates, self.changes)
    }

    /// Takes the islands without contacts that are one such tree out of the lists.
    pub(super) fn take(&mut self, model: &Model, step: f64, state: &mut State, forest: &Forest, islands: &mut Islands) {
        self.follow(model, forest);
        for island in 0..islands.ends.len() {
            let (start, end) = (islands.start(island), islands.ends[island]);
            let is_touched = start[2] != end[2] || start[3] != end[3] || !islands.patches_of(island).is_empty();
            let bodies = &islands.bodies[start[0] as usize..end[0] as usize];
            let member = bodies.first().and_then(|slot| forest.of_body.get(*slot as usize).copied().flatten());
            let Some(tree) = member.filter(|_| !is_touched).map(|member| member.tree) else { continue };
            let template = self.templates[tree as usize].as_ref();
            let is_whole = |template: &Template| {
                template.links.len() == bodies.len() && template.joints == (end[1] - start[1]) as usize
            };
            if !template.is_some_and(|template| is_whole(template) && may_flow(template, model, step, state)) {
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
        let tree_of = |joint: u32| forest.of_joint[joint as usize].map(|joint| joint.tree as usize);
        islands.retain_joints(|joint| !tree_of(joint).is_some_and(|tree| self.is_taken[tree]));
        self.begin(model, state);
    }

    /// The trees of the last step may all be moved likewise in this one; begins their joints.
    pub(super) fn go_on(&mut self, model: &Model, step: f64, state: &mut State, forest: &Forest) -> bool {
        if self.known != Some(source(model, forest)) {
            return false;
        }
        let mut own = self.taken.iter().filter_map(|tree| self.templates[*tree as usize].as_ref());
        let hold = own.all(|template| may_flow(template, model, step, state));
        if hold {
            self.begin(model, state);
        }
        hold
    }

    /// Reads the joints off their bodies, and puts the users' forces along their motions on these.
    fn begin(&self, model: &Model, state: &mut State) {
        for template in self.taken.iter().filter_map(|tree| self.templates[*tree as usize].as_ref()) {
            for link in template.links.iter().filter(|link| link.joint != NONE) {
                if link.has_axes() {
                    super::substeps::begin_joint(model, state, link.joint);
                } else {
                    let own = &mut state.joints[link.joint as usize];
                    (own.efforts, own.drives, own.forces) = ([0.0; 3], [0.0; 3], [0.0; 3]);
                }
            }
        }
    }

    /// Makes templates of the trees where the forest has changed.
    fn follow(&mut self, model: &Model, forest: &Forest) {
        let source = Some(source(model, forest));
        if self.known != source {
            self.known = source;
            self.changes += 1;
            self.templates.clear();
            self.templates.extend(forest.trees.iter().map(|tree| Template::of(model, tree)));
            template::number_shapes(&mut self.templates);
            self.groups.forget();
        }
    }
}

/// Changes when templates have to be made anew.
fn source(model: &Model, forest: &Forest) -> [u64; 3] {
    [forest.generation, model.topology, model.revision]
}

/// Nothing but forces acts on a tree in this step, and it is no faster than parts of the step resolve.
fn may_flow(template: &Template, model: &Model, step: f64, state: &State) -> bool {
    let parameters = model.parameters;
    let is_turned_alike = matches!(parameters.gyroscopic, Gyroscopic::Midpoint | Gyroscopic::Explicit);
    if !template.is_plain
        || parameters.solver != SolverKind::Substeps
        || parameters.tree_motion == TreeMotion::Explicit
        || parameters.joint_spook.is_some()
        || !is_turned_alike
    {
        return false;
    }
    template.links.iter().all(|link| {
        let own = &state.bodies[link.slot as usize];
        let is_slow = own.motion.omega.length_squared() * (step * step) <= UNRESOLVED * UNRESOLVED;
        own.is_enabled && is_slow && has_no_law(link, model, state)
    })
}

/// Nothing acts on the motions of a joint but forces of the user without a limit of their rate.
fn has_no_law(link: &template::LinkTemplate, model: &Model, state: &State) -> bool {
    if link.joint == NONE {
        return true;
    }
    let Some(joint) = model.joints.at(link.joint as usize) else { return false };
    let own = &state.joints[link.joint as usize];
    let laws = joint.definition.parameters[..link.dofs].iter().enumerate();
    let mut laws = laws.take(if link.has_axes() { link.dofs } else { 0 });
    !own.is_led
        && laws.all(|(k, law)| law.is_passive() && (own.forces[k] == 0.0 || law.velocity_limit == f64::INFINITY))
}

/// Moves the trees of this step.
pub(super) fn advance(model: &Model, step: f64, state: &mut State, work: &mut Workspace, report: &mut StepReport) {
    let mut flows = std::mem::take(&mut work.flows);
    if !flows.taken.is_empty() {
        let Flows { templates, taken, groups, transmitted, .. } = &mut flows;
        transmitted.begin((model, step), state, templates, taken);
        match WidthOfLanes::widest() {
            WidthOfLanes::One => {
                groups.run::<f64, 1>(|own| &mut own.one, (model, step), (templates, taken), state, report)
            }
            #[cfg(target_arch = "x86_64")]
            WidthOfLanes::Four => {
                groups.run::<Four, 4>(|own| &mut own.four, (model, step), (templates, taken), state, report);
            }
            #[cfg(target_arch = "x86_64")]
            WidthOfLanes::Eight => {
                groups.run::<Eight, 8>(|own| &mut own.eight, (model, step), (templates, taken), state, report);
            }
        }
        for template in taken.iter().filter_map(|tree| templates[*tree as usize].as_ref()) {
            for link in template.links.iter().filter(|link| link.joint != NONE) {
                let slot = link.joint;
                let State { joints, bodies, .. } = &mut *state;
                let Some(joint) = model.joints.at(slot as usize) else { continue };
                joints[slot as usize].row_count = 0;
                if link.has_axes() {
                    update_positions(joint, bodies, &mut joints[slot as usize]);
                }
                if model.parameters.audit {
                    report.note_gap(model.joints, slot, joint.gap(&joint_pose(joint, bodies)));
                }
            }
        }
        transmitted.finish((model, step), state, (templates, taken), &mut work.feedback);
    }
    work.flows = flows;
}
