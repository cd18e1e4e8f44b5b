//! Gazebo classic's `CartDemoPlugin`.

use stiction::joints::Drive;
use stiction::world::World;

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
            let effort = cart.efforts[n];
            let (position, rate) = (axis.position(world), axis.rate(world));
            let push = |world: &mut World, force: f64| {
                axis.set_drive(world, None);
                axis.push(world, force);
            };
            let limit =
                |drive: Drive, most: f64| Some(Drive { range: drive.range.map(|b| b.clamp(-most, most)), ..drive });
            match time {
                _ if n == 0 => axis.set_drive(world, limit(pid.of_position(position, cart.positions[n], step), effort)),
                t if t < 10.0 => {}
                t if t < 20.0 => push(world, effort),
                t if t < 40.0 => push(world, -effort),
                t if t < 50.0 => push(world, effort),
                t if t < 60.0 => axis.set_drive(world, limit(pid.of_velocity(rate, cart.velocities[n], step), LARGEST)),
                _ => axis.set_drive(world, limit(pid.of_position(position, cart.positions[n], step), LARGEST)),
            }
        }
    }

    fn visit(&mut self, visit: Visit) {
        self.pids.iter_mut().for_each(|pid| pid.visit(visit));
    }
}
