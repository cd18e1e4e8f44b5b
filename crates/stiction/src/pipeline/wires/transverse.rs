//! Transverse motion of a taut wire that is too lively for the step.
//!
//! A node under tension swings across the wire with the stiffness `k = T₁/l₁ + T₂/l₂`. Its force is that of the directions
//! before the step, which is stable up to `k h² / m = 4`. Where the node comes near to that, a row takes part of the change
//! of this force within the step into account: `λ = −h² k' u`, with u the node's velocity across the wire relative to the line between
//! its neighbours, and `k' = (k − χ m / h²) / 2`. With `κ = k h² / m`, `κ' = k' h² / m` the roots of the motion lie within the
//! unit circle for `4 + 2 κ' − κ = 4 − χ > 0`. It slows such vibrations down, and no motion in which the wire stays straight.

use glam::DVec3;

use super::line::across;
use super::rows::Emission;
use super::{TRANSVERSE, TURNING};
use crate::constraint::RowKind;
use crate::model::NodePlace;

/// χ.
const RESOLVED: f64 = 1.5;

/// Pushes the rows of all nodes that need them.
pub(super) fn push(own: &mut Emission) {
    let last = own.line.nodes.len() - 1;
    for node in 0..=last {
        let near = |segment: usize| {
            let tension = own.line.nodes[segment].tension.max(0.0);
            tension / own.line.lever(segment)
        };
        let before = if node > 0 { near(node - 1) } else { 0.0 };
        let after = if node < last { near(node) } else { 0.0 };
        let stiffness = before + after;
        if stiffness == 0.0 {
            continue;
        }
        let mut tangent = DVec3::ZERO;
        if node > 0 {
            tangent += before * own.line.segment(node - 1).0;
        }
        if node < last {
            tangent += after * own.line.segment(node).0;
        }
        let tangent = tangent.normalize_or(DVec3::Z);
        let is_lump = matches!(own.line.nodes[node].place, NodePlace::Lumped(_));
        let step = own.sources.step;
        for (number, across) in across(tangent).into_iter().enumerate() {
            own.parts.clear();
            own.add(node, across);
            // A body's own inertia tells how lively it is.
            let alone = own.parts.inverse_mass();
            if stiffness * step * step * alone <= 0.5 * RESOLVED {
                continue;
            }
            if node > 0 {
                own.add(node - 1, -across * (before / stiffness));
            }
            if node < last {
                own.add(node + 1, -across * (after / stiffness));
            }
            let inverse_mass = if is_lump { own.parts.inverse_mass() } else { alone };
            let part = 0.5 * (stiffness - RESOLVED / (step * step * inverse_mass));
            if part > 0.0 {
                own.finish(node, TRANSVERSE + number as u8, 0.0, 1.0 / (step * step * part), RowKind::Spring);
            }
        }
    }
    push_turning(own, 0, 0);
    push_turning(own, last, last.saturating_sub(1));
}

/// Rows of the turning of a body that an end of the wire is tied to.
fn push_turning(own: &mut Emission, node: usize, segment: usize) {
    let (slot, arm) = own.line.wire.arm(&own.line.nodes[node], own.line.bodies);
    let Some(slot) = slot.filter(|_| !matches!(own.line.nodes[node].place, NodePlace::Lumped(_))) else { return };
    let (direction, _) = own.line.segment(segment);
    let (next, away) = if segment == node { (node + 1, direction) } else { (segment, -direction) };
    let stiffness = 2.0 * own.line.nodes[segment].tension.max(0.0) * arm.dot(away).max(0.0);
    if stiffness == 0.0 {
        return;
    }
    let (step, lever) = (own.sources.step, own.line.lever(segment));
    for (number, axis) in across(away).into_iter().enumerate() {
        own.parts.clear();
        own.parts.add(own.sources.views, own.sources.forest, Some(slot), DVec3::ZERO, axis);
        let alone = own.parts.inverse_mass();
        let part = 0.5 * (stiffness - RESOLVED / (step * step * alone));
        if alone == 0.0 || part <= 0.0 {
            continue;
        }
        // Less the turning of the segment about the axis, `axis · away × (v_next − v_node) / l`.
        let turn = axis.cross(away) / lever;
        own.add(next, -turn);
        own.add(node, turn);
        own.finish(node, TURNING + number as u8, 0.0, 1.0 / (step * step * part), RowKind::Spring);
    }
}
