//! Nodes that come and go.
//!
//! A lump that a wire's flow brings to an eye goes through it; one that comes to the winch goes on the drum. Under the tension T
//! waves run across the wire with `c = √(T / ρ A)`: a node is kept where its segments are longer than `c h` on the mean, since
//! the step does not follow shorter ones, and put back where they are long enough. Rest length, mass and momentum are kept: a
//! lump that goes leaves its mass to its neighbours by the lever rule, one that comes takes a part of theirs. Mass that
//! falls on an anchor, or comes from one, is that of the wire there. What energy this makes or takes is put down in
//! [`WireState::exchanged`].

use glam::DVec3;

use super::line::Line;
use super::outcome::stored;
use super::rows::bend_at;
use crate::dynamics::rigid::RigidMotion;
use crate::model::{BodyState, NodePlace, State, Wire, WireNode, WireState};

/// Length of a segment at which its lump goes through an eye or on the drum, in distances of nodes.
pub(super) const NEAR: f64 = 0.05;
/// Distance at which it comes out on the other side.
const BEHIND: f64 = 0.1;
/// Angle by which a node may turn its segments in a step.
const MOST_TURN: f64 = 0.5;
/// Share of what a lump and its segments have that their one segment may hold.
const MOST_GAIN: f64 = 4.0;
/// Length of a segment, in the shortest that is kept, above which it gets a node.
const LONG: f64 = 2.5;

/// A wire whose nodes are being changed.
struct Resampling<'a> {
    wire: &'a Wire,
    state: &'a mut WireState,
    bodies: &'a mut [BodyState],
    gravity: DVec3,
    step: f64,
    /// Energy of mass that came from anchors, less that of mass that fell on them \[J\].
    passed: f64,
}

/// Changes the nodes of a wire.
pub(super) fn wire(wire: &Wire, slot: usize, gravity: DVec3, step: f64, state: &mut State) {
    let State { wires, bodies, reports, .. } = state;
    let own = &mut wires[slot];
    own.exchanged = 0.0;
    let is_awake = wire.body_slots(own).any(|slot| bodies[slot as usize].is_enabled);
    if !is_awake || own.nodes.len() < 2 {
        return;
    }
    let gravity = if wire.definition.gravity { gravity } else { DVec3::ZERO };
    let touches = |node: &WireNode| match node.place {
        NodePlace::Lumped(n) => {
            let body = wire.pool[n as usize];
            reports.iter().any(|report| report.bodies.contains(&Some(body)))
        }
        NodePlace::Anchor(_) => false,
    };
    let mut changing = Resampling { wire, state: own, bodies, gravity, step, passed: 0.0 };
    // Once for a step that changes nothing, as nearly all.
    if !changing.is_due(&touches) {
        return;
    }
    let before = changing.energy();
    changing.pass_eyes();
    changing.wind();
    if wire.definition.is_adaptive {
        changing.remove_lively(&touches);
    }
    changing.insert();
    changing.refresh();
    let gained = changing.energy() - before - changing.passed;
    changing.state.exchanged = gained;
    changing.state.brought += changing.passed;
    changing.state.elastic = changing.state.nodes.iter().map(|node| node.energy).sum();
}

/// Springs of a new wire: where its route has corners it is bent.
pub(crate) fn load(wire: &Wire, slot: usize, state: &mut State) {
    let State { wires, bodies, .. } = state;
    let own = &mut wires[slot];
    (0..own.nodes.len()).for_each(|node| spoil(&mut own.nodes, node));
    let mut changing = Resampling { wire, state: own, bodies, gravity: DVec3::ZERO, step: 0.0, passed: 0.0 };
    changing.refresh();
    changing.state.elastic = changing.state.nodes.iter().map(|node| node.energy).sum();
}

impl Resampling<'_> {
    fn is_lump(&self, node: usize) -> bool {
        matches!(self.state.nodes[node].place, NodePlace::Lumped(_))
    }

    fn is_eye(&self, node: usize) -> bool {
        self.wire.is_eye(&self.state.nodes[node])
    }

    fn position(&self, node: usize) -> DVec3 {
        self.wire.position(&self.state.nodes[node], self.bodies)
    }

    fn velocity(&self, node: usize) -> DVec3 {
        self.wire.velocity(&self.state.nodes[node], self.bodies)
    }

    fn motion(&mut self, node: usize) -> Option<&mut RigidMotion> {
        match self.state.nodes[node].place {
            NodePlace::Lumped(n) => Some(&mut self.bodies[self.wire.pool[n as usize].slot()].motion),
            NodePlace::Anchor(_) => None,
        }
    }

    /// Energy of a mass at a place \[J\].
    fn energy_of(&self, mass: f64, position: DVec3, velocity: DVec3) -> f64 {
        mass * (0.5 * velocity.length_squared() - self.gravity.dot(position))
    }

    /// Energy of the lumps and springs \[J\].
    fn energy(&self) -> f64 {
        let lump = |node: usize| {
            let mass = self.state.nodes[node].mass;
            if self.is_lump(node) { self.energy_of(mass, self.position(node), self.velocity(node)) } else { 0.0 }
        };
        (0..self.state.nodes.len()).map(|node| lump(node) + self.state.nodes[node].energy).sum()
    }

    /// Some node may come, go, or move through an eye.
    fn is_due(&self, touches: &dyn Fn(&WireNode) -> bool) -> bool {
        let last = self.state.nodes.len() - 1;
        (0..last).any(|node| {
            self.arrives(node, node + 1)
                || self.arrives(node + 1, node)
                || self.is_long(node)
                || (node > 0 && self.wire.definition.is_adaptive && self.is_lively(node, touches))
        })
    }

    /// A lump next to an eye or a winch has come so near that it will go through in the next step or two.
    fn arrives(&self, anchor: usize, lump: usize) -> bool {
        let is_winch = anchor == 0 && self.wire.has_winch();
        if !self.is_lump(lump) || !(self.is_eye(anchor) || is_winch) {
            return false;
        }
        let segment = anchor.min(lump);
        // Wire leaves the segment through the anchor.
        let leaving = if anchor < lump { -self.state.nodes[anchor].flow } else { self.state.nodes[anchor].flow };
        let most = (NEAR * self.wire.spacing()).max(1.5 * leaving * self.step);
        leaving > 0.0 && self.state.nodes[segment].length < most
    }

    /// Lumps that have come to an eye go on behind it.
    fn pass_eyes(&mut self) {
        let mut node = 1;
        while node + 1 < self.state.nodes.len() {
            if self.is_eye(node) {
                if self.arrives(node, node + 1) {
                    self.pass(node, node + 1, false);
                } else if self.arrives(node, node - 1) {
                    self.pass(node, node - 1, true);
                    node += 1;
                }
            }
            node += 1;
        }
    }

    /// Moves a lump beside an eye to the other side of this eye, and of those so close behind it that no node fits between.
    fn pass(&mut self, eye: usize, lump: usize, forwards: bool) {
        let behind = BEHIND * self.wire.spacing();
        let count = self.state.nodes.len();
        if lump == 0 || lump + 1 == count {
            // The end of the wire slips out of the eye.
            let nodes = &mut self.state.nodes;
            nodes[eye - 1].length += nodes[eye].length;
            nodes.remove(eye);
            [eye - 1, eye].into_iter().for_each(|n| spoil(nodes, n));
            return;
        }
        // The last eye that is passed, and the segment behind it.
        let mut last = eye;
        let segment = loop {
            let segment = if forwards { last } else { last - 1 };
            if self.state.nodes[segment].length >= 4.0 * behind {
                break Some(segment);
            }
            let next = if forwards { last + 1 } else { last - 1 };
            if next == 0 || next + 1 >= count || !self.is_eye(next) {
                break None;
            }
            last = next;
        };
        let Some(segment) = segment else { return };
        let at = self.position(last);
        let beyond = self.position(if forwards { segment + 1 } else { segment });
        let away = (beyond - at).normalize_or(DVec3::Z);
        let (eye_velocity, from_velocity) = (self.velocity(last), self.velocity(eye));
        let own = self.velocity(lump) - from_velocity;
        let into = (self.position(eye) - self.position(lump)).normalize_or(DVec3::Z);
        let old_speed = self.velocity(lump).length();
        let mut velocity = eye_velocity + away * own.dot(into).max(0.0);
        if velocity.length() > old_speed {
            velocity *= old_speed / velocity.length();
        }
        if let Some(motion) = self.motion(lump) {
            motion.position = at + behind * away;
            motion.velocity = velocity;
        }
        let nodes = &mut self.state.nodes;
        let mut moved = nodes[lump];
        if forwards {
            // … p, lump, eye … last, q … becomes … p, eye … last, lump, q …
            nodes[lump - 1].length += nodes[lump].length;
            moved.length = nodes[segment].length - behind;
            moved.tension = nodes[segment].tension;
            nodes[segment].length = behind;
            nodes.remove(lump);
            nodes.insert(last, moved);
            [lump - 1, last - 1, last].into_iter().for_each(|n| spoil(nodes, n));
        } else {
            // … q, last … eye, lump, p … becomes … q, lump, last … eye, p …
            nodes[eye].length += nodes[lump].length;
            moved.length = behind;
            moved.tension = nodes[segment].tension;
            nodes[segment].length -= behind;
            nodes.remove(lump);
            nodes.insert(last, moved);
            [segment, last, eye + 1].into_iter().for_each(|n| spoil(nodes, n));
        }
    }

    /// The lump next to the winch goes on the drum.
    fn wind(&mut self) {
        if self.state.nodes.len() > 2 && self.arrives(0, 1) {
            self.remove(1);
        }
    }

    /// Shortest segment that is kept under a tension \[m\].
    fn shortest(&self, tension: f64) -> f64 {
        self.step * (tension.max(0.0) / self.wire.line_density()).sqrt()
    }

    fn is_lively(&self, node: usize, touches: &dyn Fn(&WireNode) -> bool) -> bool {
        let [before, after] = [&self.state.nodes[node - 1], &self.state.nodes[node]];
        // Segments that touch are of one of their nodes.
        if !self.is_lump(node) || self.state.nodes[node - 1..].iter().take(3).any(touches) {
            return false;
        }
        let length = 0.5 * (before.length + after.length);
        let is_fast = length < self.shortest(before.mean_tension.max(after.mean_tension))
            || self.step * self.whips(node) > MOST_TURN * length;
        is_fast && self.may_go(node)
    }

    /// What the segment from neighbour to neighbour would hold is not more than what its lump and the two segments have: a light
    /// lump may have been drawn far out of the line in a step, where the spring of its neighbours cannot follow.
    fn may_go(&self, node: usize) -> bool {
        let [before, after] = [&self.state.nodes[node - 1], &self.state.nodes[node]];
        let length = before.length + after.length;
        let stretch = (self.position(node + 1) - self.position(node - 1)).length() - length;
        let motion = 0.5 * after.mass * self.whips(node) * self.whips(node);
        let had = before.energy + after.energy + motion;
        let tension = before.tension.max(after.tension);
        let stiffness = self.wire.stretch_stiffness() / length;
        stretch <= 0.0 || 0.5 * stiffness * stretch * stretch <= MOST_GAIN * (had + tension * tension / stiffness)
    }

    /// Speed of a node beside that of the line between its neighbours \[m/s\].
    fn whips(&self, node: usize) -> f64 {
        let [before, after] = [self.state.nodes[node - 1].length, self.state.nodes[node].length];
        let share = before / (before + after).max(f64::MIN_POSITIVE);
        (self.velocity(node) - self.velocity(node - 1).lerp(self.velocity(node + 1), share)).length()
    }

    /// Takes nodes off where the wire is too lively for the step, no two neighbours at once.
    fn remove_lively(&mut self, touches: &dyn Fn(&WireNode) -> bool) {
        let mut node = 1;
        while node + 1 < self.state.nodes.len() {
            if self.is_lively(node, touches) {
                self.remove(node);
            }
            node += 1;
        }
    }

    /// Takes a lump off the wire.
    fn remove(&mut self, node: usize) {
        let gone = self.state.nodes[node];
        let [before, after] = [self.state.nodes[node - 1].length, gone.length];
        let velocity = self.velocity(node);
        for (neighbour, share) in [(node - 1, after), (node + 1, before)] {
            let mass = gone.mass * share / (before + after).max(f64::MIN_POSITIVE);
            let own = self.state.nodes[neighbour].mass;
            match self.motion(neighbour) {
                Some(motion) => {
                    motion.velocity = (own * motion.velocity + mass * velocity) / (own + mass);
                    self.state.nodes[neighbour].mass += mass;
                }
                None => {
                    // It takes up what its motion has at most: an anchor that runs away gives it nothing.
                    let (at, own) = (self.position(neighbour), self.velocity(neighbour));
                    let slower = if own.length() < velocity.length() { own } else { velocity };
                    self.passed -= self.energy_of(mass, at, slower);
                }
            }
        }
        let nodes = &mut self.state.nodes;
        nodes[node - 1].length = before + after;
        nodes[node - 1].tension = (before * nodes[node - 1].tension + after * gone.tension) / (before + after);
        nodes.remove(node);
        [node - 1, node].into_iter().for_each(|n| spoil(nodes, n));
        if node > 1 {
            spoil(nodes, node - 2);
        }
    }

    fn is_long(&self, node: usize) -> bool {
        let here = &self.state.nodes[node];
        let shortest = if self.wire.definition.is_adaptive { self.shortest(here.mean_tension) } else { 0.0 };
        here.length > LONG * shortest.max(self.wire.spacing())
    }

    /// Puts nodes into segments that are long enough for them.
    fn insert(&mut self) {
        let mut node = 0;
        while node + 1 < self.state.nodes.len() {
            // Between eyes there are no lumps.
            if self.is_long(node) && !(self.is_eye(node) && self.is_eye(node + 1)) {
                self.split(node);
                node += 1;
            }
            node += 1;
        }
    }

    /// Puts a lump into the middle of the segment after a node.
    fn split(&mut self, node: usize) {
        let taken = |n: u32| self.state.nodes.iter().any(|node| node.place == NodePlace::Lumped(n));
        let Some(number) = (0..self.wire.pool.len() as u32).find(|n| !taken(*n)) else { return };
        let length = self.state.nodes[node].length;
        let middle = 0.5 * (self.position(node) + self.position(node + 1));
        let (mut mass, mut momentum) = (0.0, DVec3::ZERO);
        for (neighbour, other) in [(node, node.checked_sub(1)), (node + 1, Some(node + 1))] {
            let velocity = self.velocity(neighbour);
            let share = if self.is_lump(neighbour) {
                // Half of what the lump has of this segment.
                let beside = other.map_or(0.0, |segment| self.state.nodes[segment].length);
                let beside = if neighbour + 1 == self.state.nodes.len() { 0.0 } else { beside };
                let own = &mut self.state.nodes[neighbour];
                let share = own.mass * 0.5 * length / (length + beside);
                own.mass -= share;
                share
            } else {
                let share = 0.25 * self.wire.line_density() * length;
                self.passed += self.energy_of(share, self.position(neighbour), velocity);
                share
            };
            mass += share;
            momentum += share * velocity;
        }
        let velocity = momentum / mass;
        let slot = self.wire.pool[number as usize].slot();
        let body = &mut self.bodies[slot];
        body.motion.position = middle;
        body.motion.velocity = velocity;
        body.is_enabled = true;
        let nodes = &mut self.state.nodes;
        let mut new = nodes[node];
        new.place = NodePlace::Lumped(number);
        new.mass = mass;
        new.length = 0.5 * length;
        new.flow = 0.0;
        new.impulses = [0.0; crate::model::NODE_ROWS];
        nodes[node].length = 0.5 * length;
        nodes.insert(node + 1, new);
        [node, node + 1, node + 2].into_iter().for_each(|n| spoil(nodes, n));
    }

    /// Springs that have changed begin anew, with the energy that they have at the present places.
    fn refresh(&mut self) {
        for node in 0..self.state.nodes.len() {
            if !self.state.nodes[node].stretch.is_nan() {
                continue;
            }
            let line = Line { wire: self.wire, nodes: &self.state.nodes, bodies: self.bodies, ahead: None };
            let (mut stretch, mut energy) = (0.0, 0.0);
            if node + 1 < self.state.nodes.len() {
                stretch = line.stretch(node);
                let pulls = if line.only_pulls(node) { stretch.max(0.0) } else { stretch };
                let stiffness = self.wire.stretch_stiffness() / line.rest_length(node);
                let now = &self.state.nodes[node];
                energy = stored(pulls, stiffness, now.is_stiff[0], now.tension);
            }
            let bend = bend_at(&line, node).map(|bend| (bend.error, bend.compliance));
            let (error, compliance) = bend.unwrap_or((DVec3::ZERO, 1.0));
            let now = &self.state.nodes[node];
            energy += stored(error.length(), 1.0 / compliance, now.is_stiff[1], now.moment);
            let own = &mut self.state.nodes[node];
            (own.stretch, own.bend, own.energy) = (stretch, error, energy);
        }
    }
}

/// Marks the springs of a node as changed.
fn spoil(nodes: &mut [WireNode], node: usize) {
    if let Some(node) = nodes.get_mut(node) {
        node.stretch = f64::NAN;
    }
}
