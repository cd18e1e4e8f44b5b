//! Nodes of wires before a step: bodies of those that are there, and rest for those that are not.

use super::resample;
use crate::base::Arena;
use crate::dynamics::rigid::RigidMotion;
use crate::math::Pose;
use crate::model::{Bodies, BodyKind, BodyState, Geom, NodePlace, SegmentEnd, State, Wire, WireState};
use crate::shape::Shape;
use glam::{DQuat, DVec3};

/// Moves nodes through eyes, takes and gives those that the tension asks for, and makes the bodies of all wires those of the
/// nodes in the state. Returns whether bodies came or went.
pub(crate) fn prepare(
    wires: &Arena<Wire>,
    gravity: DVec3,
    step: f64,
    bodies: &mut Bodies,
    geoms: &mut Arena<Geom>,
    state: &mut State,
) -> bool {
    let mut changed = false;
    for (id, wire) in wires.iter() {
        resample::wire(wire, id.slot(), gravity, step, state);
        changed |= embody(wire, id.slot(), bodies, geoms, state);
    }
    changed
}

/// Makes the bodies of all wires those of the nodes in the state. Returns whether bodies came or went.
pub(crate) fn embody_all(wires: &Arena<Wire>, bodies: &mut Bodies, geoms: &mut Arena<Geom>, state: &mut State) -> bool {
    wires.iter().fold(false, |changed, (id, wire)| embody(wire, id.slot(), bodies, geoms, state) || changed)
}

/// Makes the bodies of a wire those of its nodes.
fn embody(wire: &Wire, slot: usize, bodies: &mut Bodies, geoms: &mut Arena<Geom>, state: &mut State) -> bool {
    let State { wires, bodies: states, .. } = state;
    let mut changed = false;
    shape_segments(wire, &wires[slot], states, geoms);
    for (number, id) in wire.pool.iter().enumerate() {
        let node = wires[slot].nodes.iter().find(|node| node.place == NodePlace::Lumped(number as u32));
        let Some(body) = bodies.get_mut(*id) else { continue };
        let kind = if node.is_some() { BodyKind::Dynamic } else { BodyKind::Kinematic };
        if let Some(node) = node {
            body.mass.mass = node.mass;
        }
        if body.kind != kind {
            changed = true;
            body.kind = kind;
            body.changes += 1;
        }
        if let Some(geom) = wire.geoms.get(number).and_then(|geom| geoms.get_mut(*geom)) {
            geom.is_enabled = node.is_some();
        }
        if node.is_none() {
            let own = &mut states[id.slot()];
            let position = own.motion.position;
            own.motion = RigidMotion { position, rotation: DQuat::IDENTITY, velocity: DVec3::ZERO, omega: DVec3::ZERO };
            (own.force, own.torque) = (DVec3::ZERO, DVec3::ZERO);
        }
    }
    changed
}

/// Puts the shapes of segments between their nodes, each on the body of a lump at its end.
fn shape_segments(wire: &Wire, state: &WireState, bodies: &[BodyState], geoms: &mut Arena<Geom>) {
    for (number, id) in wire.segments.iter().enumerate() {
        let Some(geom) = geoms.get_mut(*id) else { continue };
        (geom.is_enabled, geom.segment) = (false, None);
        let Some([a, b]) = state.nodes.get(number..number + 2).and_then(|two| <&[_; 2]>::try_from(two).ok()) else {
            continue;
        };
        let (carrier, first, other) = match (a.place, b.place) {
            (NodePlace::Lumped(n), _) => (n, a, b),
            (_, NodePlace::Lumped(n)) => (n, b, a),
            _ => continue,
        };
        let chord = wire.position(other, bodies) - wire.position(first, bodies);
        let length = chord.length();
        let Ok(shape) = Shape::capsule(wire.definition.radius, length) else { continue };
        let rotation = DQuat::from_rotation_arc(DVec3::Z, chord / length);
        let (slot, arm) = wire.arm(other, bodies);
        let ends = [a, b].map(|node| match node.place {
            NodePlace::Lumped(n) => Some(wire.pool[n as usize]),
            NodePlace::Anchor(a) => wire.anchors[a as usize].body,
        });
        let body = ends.into_iter().flatten().find(|body| Some(body.slot() as u32) == slot);
        geom.bounds = shape.aabb(&Pose::IDENTITY);
        geom.shape = shape;
        geom.body = Some(wire.pool[carrier as usize]);
        geom.pose = Pose { position: 0.5 * chord, rotation };
        geom.segment = Some(SegmentEnd { body, arm, chord });
        geom.is_enabled = true;
    }
}
