//! What holds and pushes: breakable joints, harnesses, wrenches, joints that carry weight.

use stiction::world::{BodyId, JointId};

use super::super::Simulation;
use super::axis::{Axis, Part};
use super::odometry::Reading;
use super::pid::Pid;
use super::{Acts, Around, InputKind, Visit, visit_flag, visit_vector};
use crate::plugins::{BreakableDescription, GravityCompensationDescription, HarnessDescription, WrenchDescription};

/// A wrench with the share of it that a command gives.
#[derive(Clone)]
pub(super) struct Wrenches {
    model: String,
    list: Vec<WrenchDescription>,
    parts: Vec<Option<Part>>,
}

impl Wrenches {
    pub(super) fn new(simulation: &Simulation, model: &str, list: &[WrenchDescription]) -> Self {
        let parts = list.iter().map(|wrench| Part::new(simulation, wrench.link)).collect();
        Self { model: model.to_owned(), list: list.to_vec(), parts }
    }
}

impl Acts for Wrenches {
    fn has_field(&self) -> bool {
        true
    }

    /// The point of the link moves with it.
    fn field(&self, around: &mut Around) {
        for (wrench, part) in self.list.iter().zip(&self.parts) {
            let Some(part) = *part else { continue };
            let point = around.pose(part).point(wrench.offset);
            around.push(part, wrench.force, wrench.torque, point);
        }
    }

    fn visit(&mut self, visit: Visit) {
        for wrench in self.list.iter_mut().filter(|wrench| wrench.is_commanded) {
            for v in [&mut wrench.force, &mut wrench.torque] {
                visit_vector(v, visit);
            }
        }
    }

    fn inputs(&self) -> Vec<(String, InputKind, usize)> {
        let commanded = self.list.iter().filter(|wrench| wrench.is_commanded);
        commanded.map(|_| (self.model.clone(), InputKind::Wrench, 0)).collect()
    }

    fn set(&mut self, part: usize, channel: usize, value: f64) {
        if let Some(wrench) = self.list.iter_mut().filter(|wrench| wrench.is_commanded).nth(part) {
            let vector = if channel < 3 { &mut wrench.force } else { &mut wrench.torque };
            vector[channel % 3] = value;
        }
    }
}

/// A joint that breaks where its force is above a limit as its sensor reads it.
#[derive(Clone)]
pub(super) struct Breakable {
    name: String,
    joint: Option<JointId>,
    limit: f64,
    reading: Reading,
}

impl Breakable {
    pub(super) fn new(simulation: &Simulation, joint: &BreakableDescription) -> Self {
        let own = &simulation.joints[joint.joint];
        let reading = Reading::new(String::new(), String::new(), joint.period);
        Self { name: own.name.clone(), joint: own.id, limit: joint.force, reading }
    }
}

impl Acts for Breakable {
    fn after(&mut self, simulation: &mut Simulation, step: f64, events: &mut Vec<String>) {
        let Some(id) = self.joint else { return };
        let Some(force) = simulation.world.joint(id).map(|joint| joint.feedback().forces[0].length()) else { return };
        if self.reading.is_due(simulation.world.time(), step) && force > self.limit {
            simulation.world.remove_joint(id);
            events.push(format!("joint `{}` broke under {force:.6} N", self.name));
        }
    }

    fn visit(&mut self, visit: Visit) {
        self.reading.visit(visit);
    }
}

/// A winch that holds a position or a speed, until it is let go.
#[derive(Clone)]
pub(super) struct Harness {
    model: String,
    detach: Option<JointId>,
    winch: Option<Axis>,
    pids: [Pid; 2],
    speed: f64,
    /// Position that it holds while the speed is 0.
    position: f64,
    asked: bool,
    is_gone: bool,
}

impl Harness {
    pub(super) fn new(simulation: &Simulation, model: &str, harness: &HarnessDescription) -> Self {
        Self {
            model: model.to_owned(),
            detach: simulation.joints[harness.detach].id,
            winch: Axis::new(simulation, harness.winch, 0),
            pids: [Pid::new(harness.position), Pid::new(harness.velocity)],
            speed: 0.0,
            position: 0.0,
            asked: false,
            is_gone: false,
        }
    }
}

impl Acts for Harness {
    fn before(&mut self, simulation: &mut Simulation, step: f64) {
        let Some(winch) = self.winch.filter(|_| !self.is_gone) else { return };
        let world = &mut simulation.world;
        let off = if self.speed == 0.0 { winch.position(world) - self.position } else { 0.0 };
        let hold = self.pids[0].update(off, step);
        // A winch pulls and never pushes.
        let pull = self.pids[1].update(winch.rate(world) - self.speed, step).max(0.0);
        winch.push(world, hold + pull);
    }

    fn after(&mut self, simulation: &mut Simulation, _step: f64, events: &mut Vec<String>) {
        if self.asked && !self.is_gone {
            self.is_gone = true;
            if self.detach.is_some_and(|id| simulation.world.remove_joint(id)) {
                events.push(format!("the harness let `{}` go", self.model));
            }
        }
        // What is commanded next to stand holds where it is then.
        if let Some(winch) = self.winch.filter(|_| self.speed != 0.0) {
            self.position = winch.position(&simulation.world);
        }
    }

    fn visit(&mut self, visit: Visit) {
        self.pids.iter_mut().for_each(|pid| pid.visit(visit));
        visit(&mut self.speed);
        visit(&mut self.position);
        visit_flag(&mut self.asked, visit);
        visit_flag(&mut self.is_gone, visit);
    }

    fn inputs(&self) -> Vec<(String, InputKind, usize)> {
        vec![(self.model.clone(), InputKind::Detach, 0), (self.model.clone(), InputKind::Winch, 0)]
    }

    fn set(&mut self, part: usize, _channel: usize, value: f64) {
        if part == 0 {
            self.asked |= value > 0.0;
        } else {
            if value == 0.0 && self.speed != 0.0 {
                self.pids[0].reset();
            }
            self.speed = value;
        }
    }
}

/// Joints that carry the weight of all beyond them: `τ = −Σ m g · ∂x/∂q`, with the mass of each body that feels gravity.
#[derive(Clone)]
pub(super) struct GravityCompensation(Vec<(Axis, Vec<(BodyId, f64)>)>);

impl GravityCompensation {
    pub(super) fn new(simulation: &Simulation, joints: &GravityCompensationDescription) -> Self {
        let joint = |(joint, links): &(usize, Vec<usize>)| {
            let mut bodies: Vec<(BodyId, f64)> = Vec::new();
            for link in links {
                let body = simulation.links[*link].body.filter(|body| bodies.iter().all(|(other, _)| other != body));
                bodies.extend(body.map(|body| (body, 0.0)));
            }
            Some((Axis::new(simulation, *joint, 0)?, bodies))
        };
        Self(joints.joints.iter().filter_map(joint).collect())
    }
}

impl Acts for GravityCompensation {
    fn before(&mut self, simulation: &mut Simulation, _step: f64) {
        for (id, mass) in self.0.iter_mut().flat_map(|(_, bodies)| bodies) {
            let body = simulation.world.body(*id).filter(|body| body.gravity());
            *mass = body.map_or(0.0, |body| body.mass());
        }
    }

    fn has_field(&self) -> bool {
        true
    }

    fn field(&self, around: &mut Around) {
        let gravity = around.gravity();
        for (axis, bodies) in &self.0 {
            let Some([anchor, direction]) = around.frame(*axis) else { continue };
            let effort: f64 = bodies
                .iter()
                .filter(|(_, mass)| *mass != 0.0)
                .filter_map(|(body, mass)| Some((around.center_of(*body)?, mass)))
                .map(|(center, mass)| {
                    let motion = if axis.slides() { direction } else { direction.cross(center - anchor) };
                    -mass * gravity.dot(motion)
                })
                .sum();
            around.drive(*axis, effort);
        }
    }
}
