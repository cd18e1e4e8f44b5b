//! Wires in a state: their nodes, which come and go, and the bodies that wait for them.

use serde::{Deserialize, Serialize};

use stiction::world::{BodyId, GeomId, NodePlace, WinchControl, WireNode, WireRef, WireState as EngineWire, World};
use stiction_formats::simulation::Simulation;

use super::continuation::{Body, Three, three, vector};
use super::number::Number;

/// State of a wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wire {
    name: String,
    /// Of nodes that are there or may come, in their order.
    bodies: Vec<Body>,
    nodes: Vec<Node>,
    /// Wire on the drum \[m\].
    stored: Number,
    /// What the winch is asked for: a length, if it is one, and a speed.
    control: Option<(Option<Number>, Number)>,
    /// Range of force of the winch, and its brake \[N\].
    winch_forces: Three,
    /// Energies \[J\]: elastic, made, late, of the winch, exchanged, brought.
    energies: [Number; 6],
}

/// A node, and the segment from it to the next one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Node {
    /// Number among the bodies, or else of a point of the route.
    lump: Option<u32>,
    anchor: Option<u32>,
    /// Mass, length, tension, mean tension, flow, stretch, energy, moment.
    values: [Number; 8],
    bend: Three,
    stiff: [bool; 2],
    impulses: Vec<Number>,
}

impl Node {
    fn of(node: &WireNode) -> Self {
        let (lump, anchor) = match node.place {
            NodePlace::Lumped(n) => (Some(n), None),
            NodePlace::Anchor(n) => (None, Some(n)),
        };
        let values = [
            node.mass,
            node.length,
            node.tension,
            node.mean_tension,
            node.flow,
            node.stretch,
            node.energy,
            node.moment,
        ];
        Self {
            lump,
            anchor,
            values: values.map(Number),
            bend: three(node.bend),
            stiff: node.is_stiff,
            impulses: node.impulses.iter().copied().map(Number).collect(),
        }
    }

    /// The engine's node of a wire with so many bodies and points of its route.
    fn read(&self, bodies: usize, points: usize) -> Result<WireNode, &'static str> {
        let is_below = |n: Option<u32>, count: usize| n.filter(|n| (*n as usize) < count);
        let place = match (is_below(self.lump, bodies), is_below(self.anchor, points)) {
            (Some(n), None) if self.anchor.is_none() => NodePlace::Lumped(n),
            (None, Some(n)) if self.lump.is_none() => NodePlace::Anchor(n),
            _ => return Err("a node is at no place of the wire"),
        };
        let [mass, length, tension, mean_tension, flow, stretch, energy, moment] = self.values.map(|n| n.0);
        let impulses = self.impulses.iter().map(|n| n.0).collect::<Vec<_>>();
        let impulses = impulses.try_into().map_err(|_| "a node has another number of rows")?;
        let is_finite = self.values.iter().all(|n| n.0.is_finite()) && vector(&self.bend).is_finite();
        if !is_finite || mass < 0.0 || length < 0.0 {
            return Err("a node's mass or length is below 0, or a number is not finite");
        }
        let bend = vector(&self.bend);
        let is_stiff = self.stiff;
        Ok(WireNode {
            place,
            mass,
            length,
            tension,
            mean_tension,
            flow,
            stretch,
            bend,
            energy,
            is_stiff,
            moment,
            impulses,
        })
    }
}

impl Wire {
    /// All wires that the files made.
    pub(super) fn all(simulation: &Simulation) -> Vec<Self> {
        let snapshot = simulation.world.snapshot();
        let of = |(name, id): (&String, _)| {
            let wire = simulation.world.wire(id)?;
            let state = snapshot.state().wires.get(id.slot())?;
            Some(Self::of(name, wire.bodies().iter().map(|b| Body::of(&snapshot.state().bodies[b.slot()])), state))
        };
        simulation.wires.iter().filter_map(|wire| of((&wire.name, wire.id))).collect()
    }

    fn of(name: &str, bodies: impl Iterator<Item = Body>, state: &EngineWire) -> Self {
        let control = state.control.and_then(|control| match control {
            WinchControl::Speed(speed) => Some((None, Number(speed))),
            WinchControl::Length { length, speed } => Some((Some(Number(length)), Number(speed))),
            _ => None,
        });
        let energies =
            [state.elastic, state.made, state.late, state.winch_work, state.exchanged, state.brought].map(Number);
        Self {
            name: name.to_owned(),
            bodies: bodies.collect(),
            nodes: state.nodes.iter().map(Node::of).collect(),
            stored: Number(state.stored),
            control,
            winch_forces: state.winch_forces.map(Number),
            energies,
        }
    }

    /// Into the engine's state; refuses what is no state of such a wire.
    pub(super) fn write(&self, wire: &WireRef<'_>, name: &str, state: &mut EngineWire) -> Result<(), &'static str> {
        if self.name != name {
            return Err("the state is of a world with other wires");
        }
        let (bodies, points) = (wire.bodies().len(), wire.definition().route.len());
        if self.bodies.len() != bodies {
            return Err("the wire has another length or resolution");
        }
        let nodes = self.nodes.iter().map(|node| node.read(bodies, points)).collect::<Result<Vec<_>, _>>()?;
        let is_between = nodes.len() >= 2 && nodes.len() <= bodies + points;
        let ends =
            [nodes.first(), nodes.last()].map(|node| node.is_some_and(|n| matches!(n.place, NodePlace::Anchor(_))));
        let was = [state.nodes.first(), state.nodes.last()]
            .map(|node| node.is_some_and(|n| matches!(n.place, NodePlace::Anchor(_))));
        if !is_between || ends != was || !self.stored.0.is_finite() || self.winch_forces.iter().any(|n| n.0.is_nan()) {
            return Err("it is no state of a wire");
        }
        state.nodes.clear();
        state.nodes.extend(nodes);
        state.stored = self.stored.0;
        state.control = self.control.map(|(length, Number(speed))| match length {
            None => WinchControl::Speed(speed),
            Some(Number(length)) => WinchControl::Length { length, speed },
        });
        state.winch_forces = self.winch_forces.map(|n| n.0);
        [state.elastic, state.made, state.late, state.winch_work, state.exchanged, state.brought] =
            self.energies.map(|n| n.0);
        Ok(())
    }

    /// States of its bodies, in their order.
    pub(super) fn bodies(&self) -> &[Body] {
        &self.bodies
    }
}

/// Bodies of all wires.
pub(super) fn bodies(world: &World) -> impl Iterator<Item = BodyId> + '_ {
    world.wire_ids().filter_map(|id| world.wire(id)).flat_map(|wire| wire.bodies().to_vec())
}

/// Shapes of all wires with names, which shapes of files do not have.
pub(super) fn shapes(simulation: &Simulation) -> Vec<(GeomId, String)> {
    let mut named = Vec::new();
    for (number, wire) in simulation.wires.iter().enumerate() {
        let Some(wire) = simulation.world.wire(wire.id) else { continue };
        for (kind, geoms) in [("node", wire.node_geoms()), ("segment", wire.segment_geoms())] {
            named.extend(geoms.iter().enumerate().map(|(k, geom)| (*geom, format!("wire {number} {kind} {k}"))));
        }
    }
    named
}
