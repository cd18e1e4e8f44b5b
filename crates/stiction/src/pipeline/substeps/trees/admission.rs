//! Which joints the trees of sub-steps carry, with all that acts on them.

use super::super::super::axes::Axis;
use super::super::super::context::Model;
use super::super::super::flow::{Template, is_off};
use super::super::super::forest::Forest;
use crate::joints::AxisParameters;
use crate::model::State;
use crate::solvers::soft::BLOCK;

/// All joints of an island make trees, and loops of these, that are carried here.
pub(in super::super) fn carries_all(
    model: &Model,
    state: &State,
    trees: (&Forest, &[Option<Template>]),
    joints: &[u32],
) -> bool {
    model.parameters.joint_spook.is_none() && joints.iter().all(|slot| carries(model, state, trees, *slot))
}

/// The trees of an island, each once.
fn templates_of<'a>(
    (forest, templates): (&'a Forest, &'a [Option<Template>]),
    bodies: &'a [u32],
) -> impl Iterator<Item = &'a Template> {
    let members = bodies.iter().filter_map(|slot| forest.of_body.get(*slot as usize).copied().flatten());
    members.filter(|member| member.link == 0).filter_map(|member| templates[member.tree as usize].as_ref())
}

/// Some tree of an island has loops.
pub(in super::super) fn has_loops(trees: (&Forest, &[Option<Template>]), bodies: &[u32]) -> bool {
    templates_of(trees, bodies).any(Template::has_loops)
}

/// Blocks of rows that the trees of an island have for their axes.
pub(in super::super) fn blocks_of_axes(
    model: &Model,
    state: &State,
    trees: (&Forest, &[Option<Template>]),
    bodies: &[u32],
) -> usize {
    let blocks = templates_of(trees, bodies).map(|template| {
        let mut axes = 0;
        for link in template.links.iter().filter(|link| link.mobilizer.has_axes()) {
            Axis::each(model, state, link.joint, link.mobilizer.dofs(), (1.0, 0.0), |_| axes += 1);
        }
        usize::div_ceil(axes, BLOCK)
    });
    blocks.sum()
}

/// A joint of a tree that has a template, or one that closes a loop of it, and the laws of its axes. Joints that are let come together slowly stay rows.
fn carries(model: &Model, state: &State, (forest, templates): (&Forest, &[Option<Template>]), slot: u32) -> bool {
    let Some(joint) = model.joints.at(slot as usize) else { return false };
    // One that closes a loop is of the tree of its bodies.
    let carried = forest.of_joint.get(slot as usize).copied().flatten();
    let of_tree = carried.map(|own| own.tree).or_else(|| {
        let mut bodies = joint.definition.bodies.into_iter().flatten();
        bodies.find_map(|body| forest.of_body[body.slot()].map(|member| member.tree))
    });
    let template = of_tree.and_then(|tree| templates[tree as usize].as_ref());
    template.is_some_and(|own| !carried.is_some_and(|at| is_off(&own.links[at.link as usize], model, state)))
        && !state.joints[slot as usize].is_led
        && joint.definition.parameters.iter().all(carries_law)
}

/// Motors, drives, dry friction, springs, dampers, limits of rate and stops.
fn carries_law(law: &AxisParameters) -> bool {
    law.stop_spook.is_none() && (!law.is_spring_explicit || law.is_passive())
}

/// Joints hold a body to the world so that nothing moves it.
pub(in super::super) fn is_welded(forest: &Forest, slot: u32) -> bool {
    let Some(Some(member)) = forest.of_body.get(slot as usize) else { return false };
    let tree = &forest.trees[member.tree as usize];
    let mut link = member.link as usize;
    loop {
        if tree.joints[link] == super::NONE || !tree.tree.dof_span(link).is_empty() {
            return false;
        }
        match tree.tree.parent(link) {
            Some(parent) => link = parent,
            None => return tree.base.is_none(),
        }
    }
}
