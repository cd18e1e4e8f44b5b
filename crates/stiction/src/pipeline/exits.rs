//! How contacts of SPOOK and of segments of wires part: no faster than they came.

use super::wires::Segment;
use crate::collision::{ManifoldPoint, ROUNDING};
use crate::material::ContactSurface;
use crate::model::{CachedPoint, Geom, State};
use crate::shape::Shape;

/// Share of its approach at which a SPOOK contact may part without weight on it: its overlap is one of the time step, and
/// what it parts with is made.
const EXIT_SHARE: f64 = 0.05;
/// Share of its way that a point may be deeper, since it turns: its way is not a straight line.
const TURNING: f64 = 1.05;
/// Speed at which segments of wires leave what they are in [m/s].
const LEAVING: f64 = 0.1;

/// Segments of wires among two shapes.
pub(super) fn segments_of(geoms: [&Geom; 2], state: &State) -> [Option<Segment>; 2] {
    geoms.map(|geom| Segment::of(geom, &state.bodies))
}

/// Leaves the points of segments next to a node to the node. Returns whether one of the shapes is a segment.
pub(super) fn leave_to_nodes(geoms: [&Geom; 2], state: &State, points: &mut Vec<ManifoldPoint>) -> bool {
    if geoms.iter().all(|geom| geom.segment.is_none()) {
        return false;
    }
    let segments = segments_of(geoms, state);
    for (segment, geom) in segments.iter().zip(geoms) {
        if let (Some(segment), Shape::Capsule(capsule)) = (segment, &geom.shape) {
            points.retain(|point| segment.is_between(point.position, capsule.radius));
        }
    }
    segments.iter().any(Option::is_some)
}

/// Where nodes went, the segment between the others may lie within a shape: it leaves without a jump.
pub(super) fn leave_gently(surface: &mut ContactSurface) {
    let own = surface.max_correcting_velocity.unwrap_or(f64::INFINITY);
    surface.max_correcting_velocity = Some(own.min(LEAVING));
}

/// The axis of a segment is within the other shape, and did not come there by its motion: it is no contact. What is one parts
/// no faster than it came.
pub(super) fn leaves_alone(
    geoms: [&Geom; 2],
    depth: f64,
    approach: f64,
    state: &State,
    warm: Option<&CachedPoint>,
    exit_speed: &mut f64,
) -> bool {
    let radius = |geom: &Geom| match &geom.shape {
        Shape::Capsule(capsule) if geom.segment.is_some() => capsule.radius,
        _ => 0.0,
    };
    let came = (-approach * state.last_step).max(0.0);
    if !exit_speed.is_finite() {
        *exit_speed = -EXIT_SHARE * approach;
    }
    warm.is_none() && depth > radius(geoms[0]).max(radius(geoms[1])) + came
}

/// Speed at which a SPOOK contact may part at most. Overlap that the way of the last step explains is one of the time step,
/// and parts no faster than a share of the approach; other overlap as its law says. A point that is new in a pair which
/// touched before has the bound of the others: a body that rolls over its edges starts no overlap.
#[cold]
pub(super) fn exit_speed(
    state: &State,
    depth: f64,
    approach: f64,
    warm: Option<&CachedPoint>,
    old: &[CachedPoint],
) -> f64 {
    let came = -approach * state.last_step;
    let is_by_motion = warm.is_none() && (0.0..=came * TURNING).contains(&depth);
    let of_pair = || old.iter().map(|p| p.exit_speed).reduce(f64::max).unwrap_or(f64::INFINITY);
    // So does what comes across a gap.
    if depth < -ROUNDING {
        return -EXIT_SHARE * approach;
    }
    let before = warm.map_or_else(|| if is_by_motion { 0.0 } else { of_pair() }, |p| p.exit_speed);
    before.max(-EXIT_SHARE * approach)
}
