//! Gazebo classic's `CartDemoPlugin`.

use super::super::Simulation;
use super::axis::Axis;
use super::pid::Pid;
use super::{Acts, Visit};
use crate::plugins::CartDemoDescription;

/// A cart: its steering joint is held, its wheels are driven by a schedule.
#[derive(Clone)]
pub(super) struct Cart {
    axes: [Axis; 3],
    pids: [Pid; 3],
    description: CartDemoDescription,
}

/// Largest effort of the wheels where a controller drives them \[N m\].
const LARGEST: f64 = 100.0;

impl Cart {
    pub(super) fn new(simulation: &Simulation, cart: &CartDemoDescription) -> Option<Self> {
        let [steer, right, left] = cart.joints.map(|joint| Axis::new(simulation, joint, 0));
        let (axes, pids) = ([steer?, right?, left?], cart.pids.map(Pid::new));
        Some(Self { axes, pids, description: cart.clone() })
    }
}

impl Acts for Cart {
    /// Rest for 10 s, then full effort ahead for 10 s, back for 20 s, ahead for 10 s, 10 s at a speed, then the wheels are
    /// held.
    fn before(&mut self, simulation: &mut Simulation, step: f64) {
        let world = &mut simulation.world;
        let (time, cart) = (world.time(), &self.description);
        for (n, axis) in self.axes.iter().enumerate() {
            let pid = &mut self.pids[n];
            let (most, effort) = (cart.efforts[n], cart.efforts[n]);
            let to_position = axis.position(world) - cart.positions[n];
            let force = match time {
                _ if n == 0 => pid.update(to_position, step).clamp(-most, most),
                t if t < 10.0 => 0.0,
                t if t < 20.0 => effort,
                t if t < 40.0 => -effort,
                t if t < 50.0 => effort,
                t if t < 60.0 => pid.update(axis.rate(world) - cart.velocities[n], step).clamp(-LARGEST, LARGEST),
                _ => pid.update(to_position, step).clamp(-LARGEST, LARGEST),
            };
            axis.push(world, force);
        }
    }

    fn visit(&mut self, visit: Visit) {
        self.pids.iter_mut().for_each(|pid| pid.visit(visit));
    }
}
