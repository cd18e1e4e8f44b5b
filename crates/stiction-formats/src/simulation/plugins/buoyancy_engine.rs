//! A bladder that a pump fills and drains (`BuoyancyEngine`).

use stiction::math::DVec3;

use super::super::Simulation;
use super::axis::Part;
use super::{Acts, Around, InputKind, Visit};
use crate::plugins::BuoyancyEngineDescription;

/// A bladder: the oil weighs as much as the fluid of its neutral volume, so that the link is pushed up by
/// `−g (ρ V − ρ V₀)`; above the surface the oil alone acts.
#[derive(Clone)]
pub(super) struct BuoyancyEngine {
    name: String,
    part: Part,
    engine: BuoyancyEngineDescription,
    volume: f64,
    target: f64,
}

impl BuoyancyEngine {
    pub(super) fn new(simulation: &Simulation, engine: &BuoyancyEngineDescription) -> Option<Self> {
        let name = simulation.links[engine.link].name.clone();
        let part = Part::new(simulation, engine.link)?;
        Some(Self { name, part, engine: engine.clone(), volume: engine.volume, target: engine.volume })
    }
}

impl Acts for BuoyancyEngine {
    fn before(&mut self, _simulation: &mut Simulation, step: f64) {
        let most = self.engine.rate * step;
        self.volume += (self.target - self.volume).clamp(-most, most);
    }

    fn has_field(&self) -> bool {
        true
    }

    fn field(&self, around: &mut Around) {
        let origin = around.pose(self.part).position;
        let is_below = self.engine.surface.is_none_or(|surface| origin.z < surface);
        let displaced = if is_below { self.volume } else { 0.0 };
        let mass = self.engine.fluid_density * (displaced - self.engine.neutral_volume);
        let force = -mass * around.gravity();
        around.push(self.part, force, DVec3::ZERO, origin);
    }

    fn visit(&mut self, visit: Visit) {
        visit(&mut self.volume);
        visit(&mut self.target);
    }

    fn inputs(&self) -> Vec<(String, InputKind, usize)> {
        vec![(self.name.clone(), InputKind::Volume, 0)]
    }

    fn set(&mut self, _part: usize, _channel: usize, value: f64) {
        let [least, most] = self.engine.range;
        self.target = value.max(least).min(most);
    }
}
