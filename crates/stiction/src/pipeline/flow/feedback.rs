//! What the joints of trees that nothing touches transmit, by the balance of momentum of each link and of all that it carries.

use glam::DVec3;

use super::super::context::Model;
use super::super::islands::NONE;
use super::super::substeps::{feedback_of, momentum};
use super::template::{LinkTemplate, Template};
use crate::model::{JointFeedback, State};
use crate::solvers::soft::Spatial;

/// Momenta at the start of a step, with what forces give in it, of trees that have a joint with feedback.
#[derive(Clone, Debug, Default)]
pub(super) struct Transmitted {
    /// By link of those trees: centre of mass, and momentum that its joint has to give.
    balances: Vec<(DVec3, Spatial)>,
    /// Efforts of the user, by link.
    efforts: Vec<[f64; 3]>,
}

/// Its joint reports what it transmits.
pub(super) fn wants(model: &Model, link: &LinkTemplate) -> bool {
    link.joint != NONE && model.joints.at(link.joint as usize).is_some_and(|joint| joint.definition.feedback)
}

fn of_trees<'a>(
    model: &'a Model,
    templates: &'a [Option<Template>],
    taken: &'a [u32],
) -> impl Iterator<Item = &'a Template> {
    let own = taken.iter().filter_map(|tree| templates[*tree as usize].as_ref());
    own.filter(|template| template.links.iter().any(|link| wants(model, link)))
}

impl Transmitted {
    pub(super) fn begin(
        &mut self,
        (model, step): (&Model, f64),
        state: &State,
        templates: &[Option<Template>],
        taken: &[u32],
    ) {
        self.balances.clear();
        self.efforts.clear();
        for link in of_trees(model, templates, taken).flat_map(|template| &template.links) {
            let own = &state.bodies[link.slot as usize];
            let gravity = if link.has_gravity { link.mass * model.parameters.gravity } else { DVec3::ZERO };
            let given = Spatial::new(own.force + gravity, own.torque);
            self.balances.push((own.motion.position, momentum(model, link.slot, own).plus(step, &given)));
            self.efforts.push(if link.joint == NONE { [0.0; 3] } else { state.joints[link.joint as usize].efforts });
        }
    }

    pub(super) fn finish(
        &mut self,
        (model, step): (&Model, f64),
        state: &State,
        (templates, taken): (&[Option<Template>], &[u32]),
        feedback: &mut [JointFeedback],
    ) {
        let mut first = 0;
        for template in of_trees(model, templates, taken) {
            for number in (0..template.links.len()).rev() {
                let link = &template.links[number];
                let (center, start) = self.balances[first + number];
                let own = momentum(model, link.slot, &state.bodies[link.slot as usize]).plus(-1.0, &start);
                // What it carries has been added to its start.
                let other = self.balances.get(first + link.carrier as usize).map(|(center, _)| *center);
                if let Some(carrier) = (link.carrier != NONE).then(|| first + link.carrier as usize) {
                    let (at, start) = &mut self.balances[carrier];
                    *start = start.plus(-1.0, &own.momentum_at(*at - center));
                }
                if wants(model, link) {
                    let other = other.filter(|_| link.carrier != NONE).unwrap_or(DVec3::ZERO);
                    let efforts = self.efforts[first + number];
                    feedback[link.joint as usize] =
                        feedback_of((model, state, step), (link.joint, link.end), (&own, other - center), |axis| {
                            efforts[axis]
                        });
                }
            }
            first += template.links.len();
        }
    }
}
