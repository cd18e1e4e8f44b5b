//! Centres of mass and principal axes of all bodies, at the start of a step and in the middle of the impulses of its sub-steps.

use glam::{DMat3, DVec3};

use super::bytes;
use super::context::Model;
use super::middle;
use crate::dynamics::rotation::exponential;
use crate::model::{NO_BODY, SolverKind, State};

/// Where a body is: its centre of mass, and the columns of its principal axes, in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) center: DVec3,
    pub(crate) axes: DMat3,
}

impl Frame {
    /// The frame of what does not move.
    pub(crate) const WORLD: Self = Self { center: DVec3::ZERO, axes: DMat3::IDENTITY };

    /// A place of the world in the frame.
    pub(crate) fn place(&self, point: DVec3) -> DVec3 {
        self.axes.transpose() * (point - self.center)
    }

    /// A place of the frame in the world.
    pub(crate) fn point(&self, place: DVec3) -> DVec3 {
        self.center + self.axes * place
    }
}

/// Frames of bodies, by slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames {
    start: Vec<Frame>,
    middle: Vec<Frame>,
}

impl Frames {
    /// Memory of the lists \[B\].
    pub(super) fn bytes(&self) -> usize {
        bytes(&self.start) + bytes(&self.middle)
    }

    /// Frame at the start of the step; [`NO_BODY`] is the static environment.
    pub(super) fn start(&self, slot: u32) -> &Frame {
        if slot == NO_BODY { &Frame::WORLD } else { &self.start[slot as usize] }
    }

    /// Frame in the middle of the impulses.
    pub(super) fn middle(&self, slot: u32) -> &Frame {
        if slot == NO_BODY { &Frame::WORLD } else { &self.middle[slot as usize] }
    }
}

/// Reads the frames, under sub-steps only.
pub(super) fn read(model: &Model, step: f64, state: &State, frames: &mut Frames) {
    let Frames { start, middle: middles } = frames;
    start.clear();
    middles.clear();
    if model.parameters.solver != SolverKind::Substeps {
        return;
    }
    let center = middle::time_of_middle(step);
    for slot in 0..model.bodies.slots() {
        let Some(body) = model.bodies.at(slot) else {
            start.push(Frame::WORLD);
            middles.push(Frame::WORLD);
            continue;
        };
        let own = &state.bodies[slot];
        let m = &own.motion;
        let now = Frame { center: m.position, axes: DMat3::from_quat(m.rotation * body.mass.axes) };
        start.push(now);
        if !own.is_enabled {
            middles.push(now);
            continue;
        }
        let axes = if middle::turns(step, m.omega) {
            DMat3::from_quat(exponential(center * m.omega)) * now.axes
        } else {
            now.axes
        };
        middles.push(Frame { center: m.position + center * m.velocity, axes });
    }
}
