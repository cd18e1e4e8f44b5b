//! Tracks whose surfaces run, and vehicles on them.

use stiction::math::DVec3;
use stiction::world::GeomId;

use super::super::{SensorValue, Simulation};
use super::limiter::Limiter;
use super::odometry::{Odometer, Reading};
use super::{Acts, InputKind, Visit};
use crate::description::{CollisionDescription, WorldDescription};
use crate::plugins::{PluginDescription, TrackDescription, TrackedVehicleDescription};

/// Shapes of a link, each with the axis of its belt in the shape's frame: at the outward normal n the surface runs along
/// `axis × n`.
type Belts = Vec<(GeomId, DVec3)>;

/// `axis` is that of the belt in the link.
fn belts(simulation: &Simulation, description: &WorldDescription, link: usize, axis: DVec3) -> Belts {
    let link = &description.links[link];
    let belts = |collision| -> Belts {
        let collision: &CollisionDescription = collision;
        let axis = collision.pose.rotation.conjugate() * axis;
        simulation.geoms(&collision.name).map(|geom| (geom, axis)).collect()
    };
    link.collisions.iter().flat_map(belts).collect()
}

fn run(simulation: &mut Simulation, belts: &Belts, speed: f64) {
    for (geom, axis) in belts {
        let belt = Some(speed * *axis);
        // Only a change wakes what touches it.
        let is_new = simulation.world.geom(*geom).is_some_and(|geom| geom.surface().belt != belt);
        if let Some(surface) = simulation.world.geom_surface_mut(*geom).filter(|_| is_new) {
            surface.belt = belt;
        }
    }
}

/// A track of its own.
#[derive(Clone)]
pub(super) struct Track {
    name: String,
    belts: Belts,
    limiter: Limiter,
    command: Option<f64>,
}

impl Track {
    /// The track drives along x of its orientation: its axis is y there.
    pub(super) fn new(simulation: &Simulation, description: &WorldDescription, track: &TrackDescription) -> Self {
        let belts = belts(simulation, description, track.link, track.orientation * DVec3::Y);
        let name = description.links[track.link].name.clone();
        Self { name, belts, limiter: Limiter::new(track.limits), command: None }
    }
}

impl Acts for Track {
    fn before(&mut self, simulation: &mut Simulation, step: f64) {
        // Without a command of its own the vehicle drives it, or nothing.
        if let Some(command) = self.command {
            let speed = self.limiter.limit(command, step);
            run(simulation, &self.belts, speed);
        }
    }

    fn visit(&mut self, visit: Visit) {
        let mut is_commanded = self.command.is_some();
        super::visit_flag(&mut is_commanded, visit);
        let mut command = self.command.unwrap_or(0.0);
        visit(&mut command);
        self.command = is_commanded.then_some(command);
        self.limiter.visit(visit);
    }

    fn inputs(&self) -> Vec<(String, InputKind, usize)> {
        vec![(self.name.clone(), InputKind::Velocity, 0)]
    }

    fn set(&mut self, _part: usize, _channel: usize, value: f64) {
        self.command = Some(value);
    }
}

/// A vehicle on tracks.
#[derive(Clone)]
pub(super) struct Vehicle {
    model: String,
    sides: [Belts; 2],
    separation: f64,
    efficiency: f64,
    limiters: [Limiter; 2],
    twist: [f64; 6],
    /// Without a command each track does what it is told itself.
    is_commanded: bool,
    odometer: Odometer,
}

impl Vehicle {
    pub(super) fn new(
        simulation: &Simulation,
        description: &WorldDescription,
        plugin: &PluginDescription,
        vehicle: &TrackedVehicleDescription,
    ) -> Self {
        let side = |links: &Vec<usize>| -> Belts {
            let axis = |link: usize| {
                let track = description.plugins.iter().find_map(|p| match &p.kind {
                    crate::plugins::PluginKind::Track(track) if track.link == link => Some(track),
                    _ => None,
                });
                track.map_or(DVec3::Y, |track| track.orientation * DVec3::Y)
            };
            links.iter().flat_map(|link| belts(simulation, description, *link, axis(*link))).collect()
        };
        Self {
            model: plugin.model.map_or_else(String::new, |m| description.models[m].name.clone()),
            sides: vehicle.sides.each_ref().map(side),
            separation: vehicle.separation,
            efficiency: vehicle.steering_efficiency,
            limiters: [Limiter::new(vehicle.linear), Limiter::new(vehicle.angular)],
            twist: [0.0; 6],
            is_commanded: false,
            odometer: Odometer::new(simulation, description, plugin, vehicle.odometry_period),
        }
    }
}

impl Acts for Vehicle {
    fn before(&mut self, simulation: &mut Simulation, step: f64) {
        if !self.is_commanded {
            return;
        }
        let ahead = self.limiters[0].limit(self.twist[0], step);
        let turn = self.limiters[1].limit(self.twist[5], step);
        let apart = 0.5 * turn * self.separation / self.efficiency;
        run(simulation, &self.sides[0], ahead - apart);
        run(simulation, &self.sides[1], ahead + apart);
        // As commanded: the belts have no wheels that could be read.
        let way = [ahead * step, 0.0, 2.0 * apart / self.separation * step];
        self.odometer.advance(way, simulation.world.time() + step, step);
    }

    fn visit(&mut self, visit: Visit) {
        self.limiters.iter_mut().for_each(|limiter| limiter.visit(visit));
        self.twist.iter_mut().for_each(&mut *visit);
        super::visit_flag(&mut self.is_commanded, visit);
        self.odometer.visit(visit);
    }

    fn inputs(&self) -> Vec<(String, InputKind, usize)> {
        vec![(self.model.clone(), InputKind::Twist, 0)]
    }

    fn set(&mut self, _part: usize, channel: usize, value: f64) {
        self.twist[channel] = value;
        self.is_commanded = true;
    }

    fn reading(&self) -> Option<(&Reading, &SensorValue)> {
        Some(self.odometer.told())
    }
}
