//! Wind that rises and waves (`WindEffects`, `WindPlugin`).

use core::f64::consts::TAU;

use stiction::math::DVec3;

use super::super::Simulation;
use super::{Acts, Visit};
use crate::plugins::WindChangeDescription;

/// The wind of the file behind first-order lags, with its sines.
#[derive(Clone)]
pub(super) struct Wind {
    wind: WindChangeDescription,
    /// Speed, direction \[rad\] and vertical speed of the file.
    seed: [f64; 3],
    /// The same behind the lags; the direction begins as it is.
    mean: [f64; 3],
}

impl Wind {
    pub(super) fn new(simulation: &mut Simulation, wind: &WindChangeDescription) -> Self {
        let w = simulation.world.parameters.wind;
        let seed = [libm::hypot(w.x, w.y), libm::atan2(w.y, w.x), w.z];
        simulation.world.parameters.wind = DVec3::ZERO;
        Self { wind: *wind, seed, mean: [0.0, seed[1], 0.0] }
    }
}

impl Acts for Wind {
    fn before(&mut self, simulation: &mut Simulation, step: f64) {
        let time = simulation.world.time();
        for k in 0..3 {
            let share = (step / self.wind.times[k]).min(1.0);
            self.mean[k] += share * (self.seed[k] - self.mean[k]);
        }
        let [speed, direction, vertical] = self.mean;
        let sine = |[amplitude, period]: [f64; 2]| amplitude * libm::sin(TAU * time / period);
        let speed = speed * (1.0 + sine(self.wind.magnitude_sine));
        let direction = direction + sine(self.wind.direction_sine);
        simulation.world.parameters.wind =
            DVec3::new(speed * libm::cos(direction), speed * libm::sin(direction), vertical);
    }

    fn visit(&mut self, visit: Visit) {
        self.mean.iter_mut().for_each(visit);
    }
}
