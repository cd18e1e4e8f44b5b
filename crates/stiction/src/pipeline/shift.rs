//! How far a correction of positions may turn what joints hold together.
//!
//! In a split step positions move by velocities of their own, which remove an overlap at once. They are those of rigid bodies
//! for the present poses only: a turn θ in one step takes the anchor of a joint at a distance r off by `r θ²/2`. Where bodies with
//! joints would turn too far, the corrections of their island are made shorter, and the next steps make the rest. Joints that are
//! far apart already lose nothing by a turn that opens them less: as far as they are apart, `r θ²/2` with r = 1 m may be.

use super::Workspace;
use super::islands::NONE;
use crate::base::Arena;
use crate::joints::Joint;
use crate::model::Bodies;

/// Largest turn by a correction in a step \[rad\]: 12 µm at a distance of 1 m.
const LARGEST_TURN: f64 = 0.005;
/// Gap from which a joint counts as torn \[m\].
const TORN: f64 = 0.1;

/// Shortens corrections of positions that would turn a body with joints too far.
pub(super) fn limit(step: f64, bodies: &Bodies, joints: &Arena<Joint>, work: &mut Workspace) {
    let Workspace { views, cliques, velocities, islands, problems, turns, gaps, .. } = work;
    if !velocities.is_split {
        return;
    }
    let mut is_too_far = false;
    turns.clear();
    turns.resize(islands.ends.len(), 0.0);
    for (id, _) in bodies.iter().filter(|(_, body)| !body.joints.is_empty()) {
        let (view, island) = (&views[id.slot()], islands.of_body[id.slot()]);
        let is_in_place = view.clique != NONE && island != NONE && islands.has_contacts(island as usize);
        let Some(whitening) = view.whitening.as_ref().filter(|_| is_in_place) else { continue };
        let span = cliques.start(view.clique)..cliques.start(view.clique) + 6;
        let own = &velocities.z[span.clone()];
        let correction: [f64; 6] = std::array::from_fn(|k| velocities.z_position[span.start + k] - own[k]);
        let turn = step * whitening.velocity(&correction).1.length();
        let largest = &mut turns[island as usize];
        *largest = largest.max(turn);
        is_too_far |= turn > LARGEST_TURN;
    }
    if !is_too_far {
        return;
    }
    gaps.clear();
    gaps.resize(islands.ends.len(), 0.0);
    for emitted in problems.iter_mut().flat_map(|own| &own.joints) {
        let bodies = joints.at(emitted.slot as usize).map(|joint| joint.definition.bodies);
        for body in bodies.into_iter().flatten().flatten() {
            if let Some(gap) = gaps.get_mut(islands.of_body[body.slot()] as usize) {
                *gap = emitted.gap.max(*gap);
            }
        }
    }
    for (id, _) in bodies.iter() {
        let (view, island) = (&views[id.slot()], islands.of_body[id.slot()]);
        if view.whitening.is_none() || view.clique == NONE || island == NONE {
            continue;
        }
        let turn = turns[island as usize];
        let gap = gaps[island as usize];
        let largest = if gap > TORN { (2.0 * gap).sqrt() } else { LARGEST_TURN };
        if turn > largest {
            let start = cliques.start(view.clique);
            for k in start..start + 6 {
                let own = velocities.z[k];
                velocities.z_position[k] = own + largest / turn * (velocities.z_position[k] - own);
            }
        }
    }
}
