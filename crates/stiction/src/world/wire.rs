//! Wires in the world.

use glam::{DMat3, DVec3};

use super::{
    BodyDefinition, BodyId, GeomDefinition, GeomId, NodePlace, Winch, WinchControl, Wire, WireDefinition, WireError,
    WireId, WireNode, WirePoint, WireState, World,
};
use crate::math::Pose;
use crate::model::{Anchor, AnchorKind, anchor_at};
use crate::shape::{MassProperties, Shape};

/// Moment of inertia of nodes: they do not turn \[kg m²\].
const UNTURNED: f64 = 1e30;
/// Nodes of a wire are of a group of their own, beyond those that users name.
const GROUP: u32 = 0x8000_0000;

/// A wire, to read.
#[derive(Clone, Copy)]
pub struct WireRef<'a> {
    wire: &'a Wire,
    state: &'a WireState,
    world: &'a World,
}

impl WireRef<'_> {
    /// As it was defined.
    #[must_use]
    pub fn definition(&self) -> &WireDefinition {
        &self.wire.definition
    }

    /// Its nodes in order: lumps of mass, and points of bodies.
    #[must_use]
    pub fn nodes(&self) -> &[WireNode] {
        &self.state.nodes
    }

    /// Where a node is \[m\].
    #[must_use]
    pub fn position(&self, node: usize) -> Option<DVec3> {
        Some(self.wire.position(self.state.nodes.get(node)?, &self.world.state.bodies))
    }

    /// Where its nodes are, in order \[m\].
    pub fn positions(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.state.nodes.iter().map(|node| self.wire.position(node, &self.world.state.bodies))
    }

    /// The body of a node: of a lump its own, of an anchor the one that holds it; `None` is the world.
    #[must_use]
    pub fn body(&self, node: usize) -> Option<BodyId> {
        match self.state.nodes.get(node)?.place {
            NodePlace::Lumped(n) => self.wire.pool.get(n as usize).copied(),
            NodePlace::Anchor(a) => self.wire.anchors.get(a as usize)?.body,
        }
    }

    /// Tension of each segment in the last step; negative is pressure \[N\].
    pub fn tensions(&self) -> impl Iterator<Item = f64> + '_ {
        let segments = self.state.nodes.len().saturating_sub(1);
        self.state.nodes[..segments].iter().map(|node| node.tension)
    }

    /// Rest length off the drum \[m\].
    #[must_use]
    pub fn rest_length(&self) -> f64 {
        self.state.nodes.iter().map(|node| node.length).sum()
    }

    /// Length along its nodes \[m\].
    #[must_use]
    pub fn length(&self) -> f64 {
        let mut last = None;
        self.positions().fold(0.0, |sum, now| sum + last.replace(now).map_or(0.0, |before| now.distance(before)))
    }

    /// Wire on the drum of its winch \[m\].
    #[must_use]
    pub fn stored(&self) -> f64 {
        self.state.stored
    }

    /// Speed at which its winch paid out in the last step; negative is hauling in \[m/s\].
    #[must_use]
    pub fn winch_speed(&self) -> f64 {
        if self.wire.has_winch() { self.state.nodes.first().map_or(0.0, |node| node.flow) } else { 0.0 }
    }

    /// Energy that came with mass from anchors and winches, less that which went with mass onto them, since the wire was made:
    /// [`World::energy`] counts lumps alone \[J\].
    #[must_use]
    pub fn energy_brought(&self) -> f64 {
        self.state.brought
    }

    /// Bodies of nodes that are there or may come, by the number that a lump has.
    #[must_use]
    pub fn bodies(&self) -> &[BodyId] {
        &self.wire.pool
    }

    /// Shapes of its nodes that touch; none of a wire without surface.
    #[must_use]
    pub fn node_geoms(&self) -> &[GeomId] {
        &self.wire.geoms
    }

    /// Shapes of the segments between its nodes that touch; none of a wire without surface.
    #[must_use]
    pub fn segment_geoms(&self) -> &[GeomId] {
        &self.wire.segments
    }

    /// Mass of its lumps \[kg\].
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.state.nodes.iter().map(|node| node.mass).sum()
    }
}

impl World {
    /// Adds a wire, straight between the points of its route and without tension.
    ///
    /// Its nodes are bodies of the world ([`WireRef::body`]) that do not turn; those that may come later wait as kinematic
    /// bodies at rest. Where a segment ends at a point of another body, the half of its mass there is left out.
    ///
    /// Wires take part in fixed steps alone: in continuous time steps are refused as long as there is one.
    ///
    /// # Errors
    /// Numbers out of their range, bodies that do not exist, points that cannot be where they are.
    pub fn add_wire(&mut self, definition: &WireDefinition) -> Result<WireId, WireError> {
        definition.check()?;
        let unknown = |(number, point): (usize, &WirePoint)| {
            point.body().filter(|body| self.bodies.get(*body).is_none()).map(|_| number)
        };
        if let Some(number) = definition.route.iter().enumerate().find_map(unknown) {
            return Err(WireError::UnknownBody(number));
        }
        let anchors = definition.route.iter().enumerate().map(|(n, point)| self.anchor(definition, n, point)).collect();
        let mut wire =
            Wire { definition: definition.clone(), anchors, pool: Vec::new(), geoms: Vec::new(), segments: Vec::new() };
        let (nodes, places) = lay_out(&wire);
        let mut state = WireState { winch_forces: [0.0, 0.0, 0.0], ..WireState::default() };
        if let Some(WirePoint::Winch(_, _, winch)) = definition.route.first() {
            set_winch(&mut state, winch);
        }
        let length: f64 = nodes.iter().map(|node| node.length).sum::<f64>() + state.stored;
        let most = (length * definition.resolution).ceil() as usize + definition.route.len() + 4;
        // In the step nothing is allocated.
        state.nodes = Vec::with_capacity(most + definition.route.len());
        state.nodes.extend(nodes);
        for number in 0..most.max(places.len()) {
            let at = places.get(number).copied().unwrap_or(definition.route[0].position());
            let body = self.add_node(definition, at)?;
            wire.pool.push(body);
            if let Some(surface) = definition.surface {
                let sphere = Shape::sphere(definition.radius).map_err(|_| WireError::TooShort)?;
                let shape =
                    GeomDefinition { surface, collide: definition.collide, ..GeomDefinition::new(sphere, Some(body)) };
                if let Ok(geom) = self.add_geom(&shape) {
                    wire.geoms.push(geom);
                }
                // A capsule from node to node, once there are any.
                if let Ok(geom) = self.add_geom(&shape) {
                    wire.segments.push(geom);
                }
            }
        }
        let shapes: Vec<_> = wire.geoms.iter().chain(&wire.segments).copied().collect();
        let id = self.wires.insert(wire);
        for shape in shapes {
            if let Some(geom) = self.geoms.get_mut(shape) {
                geom.group = GROUP + id.slot() as u32;
            }
        }
        if id.slot() < self.state.wires.len() {
            self.state.wires[id.slot()] = state;
        } else {
            self.state.wires.push(state);
        }
        self.embody_wires();
        if let Some(wire) = self.wires.get(id) {
            crate::pipeline::load_wire(wire, id.slot(), &mut self.state);
        }
        self.wake_wire(id);
        Ok(id)
    }

    /// Removes a wire with its nodes, and wakes the bodies that hung on it. Returns whether it was there.
    pub fn remove_wire(&mut self, id: WireId) -> bool {
        self.wake_wire(id);
        let Some(wire) = self.wires.remove(id) else { return false };
        self.state.wires[id.slot()] = WireState::default();
        for body in wire.pool {
            self.remove_body(body);
        }
        true
    }

    /// A wire, to read.
    #[must_use]
    pub fn wire(&self, id: WireId) -> Option<WireRef<'_>> {
        Some(WireRef { wire: self.wires.get(id)?, state: self.state.wires.get(id.slot())?, world: self })
    }

    /// All wires in the order of creation.
    pub fn wire_ids(&self) -> impl Iterator<Item = WireId> + '_ {
        self.wires.iter().map(|(id, _)| id)
    }

    /// Asks the winch of a wire for a speed or a length, and wakes what hangs on it.
    ///
    /// # Errors
    /// A wire without winch, numbers that are not finite.
    pub fn set_winch_control(&mut self, id: WireId, control: WinchControl) -> Result<(), WireError> {
        control.check()?;
        self.winch_state(id)?.control = Some(control);
        self.wake_wire(id);
        Ok(())
    }

    /// Sets the range of force of a wire's winch, `[lo, hi]` with `lo ≤ 0 ≤ hi` \[N\], and wakes what hangs on it.
    ///
    /// # Errors
    /// A wire without winch, a range that does not contain 0.
    pub fn set_winch_force_range(&mut self, id: WireId, range: [f64; 2]) -> Result<(), WireError> {
        Winch { force_range: range, ..Winch::default() }.check()?;
        self.winch_state(id)?.winch_forces[..2].copy_from_slice(&range);
        self.wake_wire(id);
        Ok(())
    }

    /// Sets the force that the brake of a wire's winch adds against paying out while the wanted speed is 0 \[N\].
    ///
    /// # Errors
    /// A wire without winch, a force below 0.
    pub fn set_winch_brake(&mut self, id: WireId, force: f64) -> Result<(), WireError> {
        Winch { brake: force, ..Winch::default() }.check()?;
        self.winch_state(id)?.winch_forces[2] = force;
        self.wake_wire(id);
        Ok(())
    }

    fn winch_state(&mut self, id: WireId) -> Result<&mut WireState, WireError> {
        let wire = self.wires.get(id).filter(|wire| wire.has_winch()).ok_or(WireError::Stale)?;
        debug_assert!(wire.has_winch());
        self.state.wires.get_mut(id.slot()).ok_or(WireError::Stale)
    }

    /// Wakes the bodies of a wire.
    pub(super) fn wake_wire(&mut self, id: WireId) {
        let (Some(wire), Some(state)) = (self.wires.get(id), self.state.wires.get(id.slot())) else { return };
        let slots: Vec<u32> = wire.body_slots(state).collect();
        for body in slots.into_iter().filter_map(|slot| self.bodies.handle_at(slot as usize)).collect::<Vec<_>>() {
            self.wake(body);
        }
    }

    /// Makes the bodies of wires those of the nodes in the state.
    pub(super) fn embody_wires(&mut self) {
        let Self { wires, bodies, geoms, state, .. } = self;
        if wires.slots() > 0 && crate::pipeline::embody_wires(wires, bodies, geoms, state) {
            self.topology += 1;
        }
    }

    /// Nodes of wires for a step.
    pub(super) fn prepare_wires(&mut self, step: f64) {
        let Self { parameters, wires, bodies, geoms, state, .. } = self;
        if wires.slots() > 0
            && step.is_finite()
            && step > 0.0
            && crate::pipeline::prepare_wires(wires, parameters.gravity, step, bodies, geoms, state)
        {
            self.topology += 1;
        }
    }

    fn anchor(&self, definition: &WireDefinition, number: usize, point: &WirePoint) -> Anchor {
        let kind = match point {
            WirePoint::Free(_) | WirePoint::Fixed(..) => AnchorKind::Fixed,
            WirePoint::Eye(..) => AnchorKind::Eye,
            WirePoint::Winch(..) => AnchorKind::Winch,
            WirePoint::Link(..) => {
                let next = if number == 0 { 1 } else { number - 1 };
                let into = definition.route[next].position() - point.position();
                AnchorKind::Clamped(into.normalize_or(DVec3::Z))
            }
        };
        let pose = point.body().and_then(|body| self.body(body)).map(|body| (body.center_of_mass(), body.pose()));
        anchor_at(point.body(), pose, point.position(), kind)
    }

    fn add_node(&mut self, definition: &WireDefinition, position: DVec3) -> Result<BodyId, WireError> {
        let mass = MassProperties {
            mass: 1.0,
            center_of_mass: DVec3::ZERO,
            inertia: DMat3::from_diagonal(DVec3::splat(UNTURNED)),
        };
        let body = BodyDefinition {
            mass,
            pose: Pose::from_position(position),
            gravity: definition.gravity,
            kind: super::BodyKind::Kinematic,
            ..BodyDefinition::default()
        };
        let id = self.add_body(&body).map_err(|_| WireError::Stale)?;
        if let Some(body) = self.bodies.get_mut(id) {
            body.is_node = true;
        }
        Ok(id)
    }
}

fn set_winch(state: &mut WireState, winch: &Winch) {
    state.stored = winch.stored;
    state.control = Some(winch.control);
    state.winch_forces = [winch.force_range[0], winch.force_range[1], winch.brake];
}

/// Nodes along the route at the finest resolution, and the places of the lumps among them.
fn lay_out(wire: &Wire) -> (Vec<WireNode>, Vec<DVec3>) {
    let definition = &wire.definition;
    let (mut nodes, mut places) = (Vec::new(), Vec::new());
    let mut last: Option<DVec3> = None;
    for (number, point) in definition.route.iter().enumerate() {
        let at = point.position();
        if let Some(from) = last {
            let length = from.distance(at);
            let parts = (length * definition.resolution - 1e-9).ceil().max(1.0);
            for part in 0..parts as u32 {
                if part > 0 {
                    nodes.push(WireNode::new(NodePlace::Lumped(places.len() as u32), 0.0));
                    places.push(from.lerp(at, f64::from(part) / parts));
                }
                if let Some(node) = nodes.last_mut() {
                    let node: &mut WireNode = node;
                    node.length = length / parts;
                }
            }
        }
        if matches!(point, WirePoint::Free(_)) {
            nodes.push(WireNode::new(NodePlace::Lumped(places.len() as u32), 0.0));
            places.push(at);
        } else {
            nodes.push(WireNode::new(NodePlace::Anchor(number as u32), 0.0));
        }
        last = Some(at);
    }
    for node in 0..nodes.len() {
        if matches!(nodes[node].place, NodePlace::Lumped(_)) {
            let before = if node > 0 { nodes[node - 1].length } else { 0.0 };
            nodes[node].mass = 0.5 * wire.line_density() * (before + nodes[node].length);
        }
    }
    (nodes, places)
}
