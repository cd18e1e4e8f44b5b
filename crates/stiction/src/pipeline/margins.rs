//! Gaps that may close in a step, by how fast what is near moves.
//!
//! The margin of contacts is for what comes at some metres a second. On triangles it finds points all around a body that rests, across
//! gaps that nothing closes in the step, and each of them is a row. How fast a body can become in a step is known: no faster than the
//! fastest of all that is near it, directly or through others, with what its forces add; an impact elsewhere may double that. Bodies of
//! mechanisms, whose motors and levers may do more, keep the whole margin.

use glam::DVec3;

use super::Workspace;
use super::context::Model;
use super::middle;
use super::patches::body_of;
use crate::base::{first_of, join};
use crate::broadphase::Proxy;
use crate::model::{BodyKind, SolverKind, State};

/// Share of the margin that is kept in any case: what bodies move by before their points are looked for again is half of it.
const KEPT: f64 = 0.1;
/// Factor of the speed that an impact elsewhere may give.
const FORESIGHT: f64 = 2.0;

/// Groups of bodies that are near each other, and how far any place of them may go in the step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Margins {
    /// By slot another body of the group, itself for one of each.
    parents: Vec<u32>,
    /// By slot how far it may go \[m\]; of the one of a group with itself the farthest of all.
    ways: Vec<f64>,
    /// Nothing is known: every margin is whole.
    is_whole: bool,
}

impl Margins {
    /// The margin of two bodies, of at most `most` \[m\].
    pub(super) fn between(&self, bodies: [u32; 2], most: f64) -> f64 {
        if self.is_whole {
            return most;
        }
        let way = bodies.into_iter().filter_map(body_of).map(|slot| self.ways[first_of(&self.parents, slot) as usize]);
        most.min(KEPT * most + FORESIGHT * way.fold(0.0, f64::max))
    }
}

/// Reads the groups of the pairs of the step, where sub-steps meet triangles.
pub(super) fn find(model: &Model, step: f64, state: &State, work: &mut Workspace) {
    let Workspace { margins: own, pairs, proxies, extents, .. } = work;
    own.is_whole = model.parameters.solver != SolverKind::Substeps || model.wires.slots() > 0 || !extents.has_triangles;
    if own.is_whole {
        return;
    }
    let horizon = middle::horizon(model.parameters, step);
    own.parents.clear();
    own.parents.extend(0..model.bodies.slots() as u32);
    own.ways.clear();
    own.ways.extend((0..model.bodies.slots()).map(|slot| {
        let Some(body) = model.bodies.at(slot) else { return 0.0 };
        if !body.joints.is_empty() {
            return f64::INFINITY;
        }
        let own = &state.bodies[slot];
        let reach = extents.of(slot).reach;
        let speed = own.motion.velocity.length() + own.motion.omega.length() * reach;
        if body.kind != BodyKind::Dynamic {
            return horizon * speed;
        }
        let pull = if body.gravity { model.parameters.gravity } else { DVec3::ZERO };
        let added = (pull + own.force / body.mass.mass).length()
            + own.torque.length() * reach / body.mass.moments.min_element();
        let way = horizon * (speed + step * added);
        if way.is_finite() { way } else { f64::INFINITY }
    }));
    let moves = |slot: u32| model.bodies.at(slot as usize).is_some_and(|body| body.kind == BodyKind::Dynamic);
    for (i, j) in pairs.iter() {
        let bodies = [*i, *j].map(|geom| proxies[geom as usize].body);
        if bodies.contains(&Proxy::STATIC) {
            continue;
        }
        let [first, second] = bodies.map(moves);
        if first && second {
            join(&mut own.parents, bodies);
        } else if first != second {
            // What is driven brings its own speed, and joins nothing.
            let [body, driver] = if first { bodies } else { [bodies[1], bodies[0]] }.map(|slot| slot as usize);
            own.ways[body] = own.ways[body].max(own.ways[driver]);
        }
    }
    for slot in 0..own.parents.len() {
        let group = first_of(&own.parents, slot as u32) as usize;
        own.ways[group] = own.ways[group].max(own.ways[slot]);
    }
}
