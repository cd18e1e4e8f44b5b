//! Wires in a step: their rows, and what the rows leave for the next step.
//!
//! Nodes are bodies that do not turn, so that contacts, islands and sleep treat them like all others. The rows of a wire are
//! those of SPOOK: springs and dampers that are stable at any stiffness and step.

mod ahead;
mod line;
mod nodes;
mod outcome;
mod resample;
mod rows;
mod segment;
mod transverse;

pub(crate) use ahead::Ahead;
pub(crate) use nodes::{embody_all, prepare};
pub(super) use outcome::{remember, solved};
pub(crate) use resample::load;
pub(super) use rows::push;
pub(super) use segment::Segment;

use super::cliques::Cliques;
use super::forest::SEGMENT;
use super::islands::NONE;
use crate::base::Arena;
use crate::model::{NodePlace, Wire, WireNode, WireState};

/// A wire that takes part in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EmittedWire {
    /// Slot of the wire.
    pub(crate) slot: u32,
    /// Its rows in the problem.
    pub(crate) rows: [u32; 2],
    /// What they are, in the list of its problem.
    pub(crate) first_role: u32,
    /// Something prescribed moves it.
    pub(crate) is_driven: bool,
}

/// What a row of a wire is: the node it belongs to, and its number among the node's rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WireRole {
    pub(crate) node: u32,
    pub(crate) number: u8,
}

/// Number of the row of the segment after a node: its tension, or the friction at an eye.
pub(super) const STRETCH: u8 = 0;
/// First of the two rows of bending.
pub(super) const BEND: u8 = 1;
/// First of the two rows of transverse motion.
pub(super) const TRANSVERSE: u8 = 3;
/// First of the two rows of turning.
pub(super) const TURNING: u8 = 5;

/// Pairs of bodies that do not touch: a lump next to an anchor and the body of the anchor, which may well be around it. Sorted.
pub(super) fn exclusions(wires: &Arena<Wire>, states: &[WireState], pairs: &mut Vec<[u32; 2]>) {
    pairs.clear();
    for (id, wire) in wires.iter().filter(|(_, wire)| !wire.geoms.is_empty()) {
        let body = |node: &WireNode| match node.place {
            NodePlace::Lumped(n) => Some(wire.pool[n as usize].slot() as u32),
            NodePlace::Anchor(a) => wire.anchors[a as usize].body.map(|body| body.slot() as u32),
        };
        for near in states[id.slot()].nodes.windows(2) {
            if let (Some(a), Some(b)) = (body(&near[0]), body(&near[1])) {
                pairs.push([a.min(b), a.max(b)]);
            }
        }
    }
    pairs.sort_unstable();
}

/// Pushes the cliques of a wire's own: in them the segments between two eyes give way, each by its compliance, of which the
/// rows of all eyes of a span have a part. Returns the number of the first; `NONE` if there is no eye.
pub(super) fn push_cliques(cliques: &mut Cliques, wires: &Arena<Wire>, states: &[WireState], slot: u32) -> u32 {
    let Some(wire) = wires.at(slot as usize) else { return NONE };
    let nodes = &states[slot as usize].nodes;
    if !nodes.iter().any(|node| wire.is_eye(node)) {
        return NONE;
    }
    let mut first = NONE;
    for _ in (0..nodes.len()).step_by(SEGMENT) {
        let number = cliques.push(&[0.0; SEGMENT], &[0.0; SEGMENT]);
        first = first.min(number);
    }
    first
}
