//! Wheels that follow a twist.

use stiction::math::{DVec3, Pose};
use stiction::world::GeomId;

use super::super::{SensorValue, Simulation};
use super::axis::Axis;
use super::limiter::Limiter;
use super::odometry::{Odometer, Reading};
use super::{Acts, InputKind, Visit};
use crate::description::{GeometryDescription, WorldDescription};
use crate::plugins::{DriveDescription, DriveKind, PluginDescription};

/// A vehicle with wheels.
#[derive(Clone)]
pub(super) struct Drive {
    model: String,
    kind: Wheels,
    separation: f64,
    radius: f64,
    torque: f64,
    wheel_acceleration: f64,
    /// Ahead, to the left, turn.
    limiters: [Limiter; 3],
    twist: [f64; 6],
    /// Speeds of the rims of the last step \[m/s\], of sides or corners.
    rims: [f64; 4],
    odometer: Odometer,
}

#[derive(Clone)]
enum Wheels {
    Differential { sides: [Vec<Axis>; 2], turn: f64 },
    Ackermann { sides: [Vec<Axis>; 2], steering: [Vec<Axis>; 2], numbers: Steering },
    Mecanum { corners: [Vec<Axis>; 4], wheel_base: f64, rollers: Vec<Roller> },
}

/// A wheel of rollers: its first friction direction stays as it is in the vehicle, and does not turn with the wheel.
#[derive(Clone)]
struct Roller {
    geom: GeomId,
    wheel: usize,
    /// Link that the wheel turns on; the world without one.
    vehicle: Option<usize>,
    /// Direction in that link, and pose of the shape in the wheel.
    direction: DVec3,
    in_wheel: Pose,
}

/// Rollers of the wheels of joints that have a first friction direction.
fn rollers(simulation: &Simulation, description: &WorldDescription, joints: &[Vec<usize>; 4]) -> Vec<Roller> {
    let mut rollers = Vec::new();
    for joint in joints.iter().flatten().map(|joint| &description.joints[*joint]) {
        let Some(wheel) = joint.child else { continue };
        let vehicle = joint.parent.map_or(Pose::IDENTITY, |link| description.links[link].pose);
        for collision in &description.links[wheel].collisions {
            for geom in simulation.geoms(&collision.name) {
                let given = simulation.world.geom(geom).and_then(|geom| geom.surface().direction);
                let at = description.links[wheel].pose.compose(&collision.pose);
                rollers.extend(given.map(|direction| Roller {
                    geom,
                    wheel,
                    vehicle: joint.parent,
                    direction: vehicle.rotation.conjugate() * (at.rotation * direction),
                    in_wheel: collision.pose,
                }));
            }
        }
    }
    rollers
}

impl Roller {
    fn align(&self, simulation: &mut Simulation) {
        let pose = |link: usize| simulation.link_pose(&simulation.links[link]);
        let vehicle = self.vehicle.map_or(Pose::IDENTITY, pose);
        let shape = pose(self.wheel).compose(&self.in_wheel);
        let direction = Some(shape.rotation.conjugate() * (vehicle.rotation * self.direction));
        // Only a change wakes what touches the wheel.
        let is_new = simulation.world.geom(self.geom).is_some_and(|geom| geom.surface().direction != direction);
        if let Some(surface) = simulation.world.geom_surface_mut(self.geom).filter(|_| is_new) {
            surface.direction = direction;
        }
    }
}

/// Numbers of a steered vehicle.
#[derive(Clone, Copy)]
struct Steering {
    kingpin_width: f64,
    wheel_base: f64,
    limit: f64,
    gain: f64,
    only: bool,
}

/// Turns below it are none \[rad/s\].
const LEAST_TURN: f64 = 1e-3;
/// Radius of a straight way \[m\].
const STRAIGHT: f64 = 1e9;

impl Drive {
    pub(super) fn new(
        simulation: &Simulation,
        description: &WorldDescription,
        plugin: &PluginDescription,
        drive: &DriveDescription,
    ) -> Option<Self> {
        let axes = |joints: &Vec<usize>| -> Vec<Axis> {
            joints.iter().filter_map(|joint| Axis::new(simulation, *joint, 0)).collect()
        };
        let kind = match &drive.kind {
            DriveKind::Differential { sides, turn } => {
                Wheels::Differential { sides: sides.each_ref().map(axes), turn: *turn }
            }
            DriveKind::Ackermann {
                sides,
                steering,
                kingpin_width,
                wheel_base,
                steering_limit,
                gain,
                steering_only,
            } => {
                let numbers = Steering {
                    kingpin_width: *kingpin_width,
                    wheel_base: *wheel_base,
                    limit: *steering_limit,
                    gain: *gain,
                    only: *steering_only,
                };
                let [sides, steering] = [sides, steering].map(|sides| sides.each_ref().map(axes));
                Wheels::Ackermann { sides, steering, numbers }
            }
            DriveKind::Mecanum { corners, wheel_base } => {
                let rollers = rollers(simulation, description, corners);
                Wheels::Mecanum { corners: corners.each_ref().map(axes), wheel_base: *wheel_base, rollers }
            }
        };
        let first = match &drive.kind {
            DriveKind::Differential { sides, .. } => sides.each_ref().map(|side| side.first().copied()),
            _ => [None; 2],
        };
        let separation = drive.separation.or_else(|| {
            let anchor = |joint: Option<usize>| Some(Axis::new(simulation, joint?, 0)?.anchor(&simulation.world));
            Some((anchor(first[0])? - anchor(first[1])?).length())
        });
        let radius = drive.radius.or_else(|| radius_of(description, description.joints[first[0]?].child?));
        Some(Self {
            model: plugin.model.map_or_else(String::new, |m| description.models[m].name.clone()),
            kind,
            separation: separation.filter(|s| *s > 0.0)?,
            radius: radius.filter(|r| *r > 0.0)?,
            torque: drive.torque,
            wheel_acceleration: drive.wheel_acceleration,
            limiters: [Limiter::new(drive.linear), Limiter::new(drive.linear), Limiter::new(drive.angular)],
            twist: [0.0; 6],
            rims: [0.0; 4],
            odometer: Odometer::new(simulation, description, plugin, drive.odometry_period),
        })
    }

    /// Lets wheels turn with a speed of their rims \[m/s\].
    fn roll(&mut self, simulation: &mut Simulation, wheels: &[Axis], side: usize, speed: f64, step: f64) {
        let most = self.wheel_acceleration * step;
        let rim = self.rims[side] + (speed - self.rims[side]).clamp(-most, most);
        self.rims[side] = rim;
        wheels.iter().for_each(|wheel| wheel.drive(&mut simulation.world, rim / self.radius, self.torque));
    }

    /// Steering angles of the left and the right side, and the angle of one wheel in the middle, for a way ahead and a turn.
    fn angles(&self, numbers: &Steering, ahead: f64, turn: f64) -> [f64; 3] {
        if numbers.only {
            let phi = turn.clamp(-numbers.limit, numbers.limit);
            let radius = if phi == 0.0 { STRAIGHT } else { numbers.wheel_base / libm::tan(phi) };
            let side = |sign: f64| libm::atan(numbers.wheel_base / (radius - sign * 0.5 * self.separation));
            return [side(1.0), side(-1.0), phi];
        }
        let least = numbers.wheel_base / libm::sin(numbers.limit);
        let radius = if turn.abs() < LEAST_TURN {
            STRAIGHT
        } else if ahead == 0.0 {
            turn.signum() * least
        } else {
            let wanted = ahead / turn;
            if wanted.abs() < least { least.copysign(wanted) } else { wanted }
        };
        let side = |sign: f64| libm::atan(numbers.wheel_base / (radius - sign * 0.5 * numbers.kingpin_width));
        [side(1.0), side(-1.0), libm::atan(numbers.wheel_base / radius)]
    }

    /// Mean rim speed of wheels as they turn \[m/s\].
    fn rim(&self, simulation: &Simulation, wheels: &[Axis]) -> f64 {
        let sum: f64 = wheels.iter().map(|wheel| wheel.rate(&simulation.world)).sum();
        if wheels.is_empty() { 0.0 } else { self.radius * sum / wheels.len() as f64 }
    }
}

/// Radius of a wheel: of its sphere or cylinder, or half the largest side of its box.
fn radius_of(description: &WorldDescription, link: usize) -> Option<f64> {
    let radii = description.links[link].collisions.iter().filter_map(|collision| match &collision.geometry {
        GeometryDescription::Sphere(radius) | GeometryDescription::Cylinder { radius, .. } => Some(*radius),
        GeometryDescription::Box(size) => Some(0.5 * size.max_element()),
        GeometryDescription::Ellipsoid(axes) => Some(axes.max_element()),
        GeometryDescription::ConvexHull(points) => Some(half_extent(points)),
        GeometryDescription::Mesh(mesh) => Some(half_extent(&mesh.vertices)),
        _ => None,
    });
    radii.reduce(f64::max)
}

fn half_extent(points: &[DVec3]) -> f64 {
    let low = points.iter().copied().reduce(DVec3::min).unwrap_or(DVec3::ZERO);
    let high = points.iter().copied().reduce(DVec3::max).unwrap_or(DVec3::ZERO);
    0.5 * (high - low).max_element()
}

impl Acts for Drive {
    fn before(&mut self, simulation: &mut Simulation, step: f64) {
        let wanted = [self.twist[0], self.twist[1], self.twist[5]];
        let mut limited = [0.0; 3];
        for (n, limiter) in self.limiters.iter_mut().enumerate() {
            limited[n] = limiter.limit(wanted[n], step);
        }
        let [ahead, left, turn] = limited;
        match self.kind.clone() {
            Wheels::Differential { sides, turn: factor } => {
                let apart = 0.5 * factor * turn * self.separation;
                self.roll(simulation, &sides[0], 0, ahead - apart, step);
                self.roll(simulation, &sides[1], 1, ahead + apart, step);
            }
            Wheels::Ackermann { sides, steering, numbers } => {
                let [to_left, to_right, phi] = self.angles(&numbers, ahead, turn);
                let share = self.separation * libm::tan(phi) / (2.0 * numbers.wheel_base);
                if !numbers.only {
                    self.roll(simulation, &sides[0], 0, ahead * (1.0 - share), step);
                    self.roll(simulation, &sides[1], 1, ahead * (1.0 + share), step);
                }
                for (side, angle) in steering.iter().zip([to_left, to_right]) {
                    for axis in side {
                        let rate = numbers.gain * (angle - axis.position(&simulation.world));
                        axis.drive(&mut simulation.world, rate, f64::INFINITY);
                    }
                }
            }
            Wheels::Mecanum { corners, wheel_base, rollers } => {
                rollers.iter().for_each(|roller| roller.align(simulation));
                let apart = 0.5 * turn * (self.separation + wheel_base);
                let rims = [ahead - left - apart, ahead + left + apart, ahead + left - apart, ahead - left + apart];
                for (n, wheels) in corners.iter().enumerate() {
                    self.roll(simulation, wheels, n, rims[n], step);
                }
            }
        }
    }

    fn after(&mut self, simulation: &mut Simulation, step: f64, _events: &mut Vec<String>) {
        let motion = match &self.kind {
            Wheels::Differential { sides, turn } => {
                let [left, right] = sides.each_ref().map(|side| self.rim(simulation, side));
                [0.5 * (left + right), 0.0, (right - left) / (turn * self.separation)]
            }
            Wheels::Ackermann { numbers, .. } if numbers.only => return,
            Wheels::Ackermann { sides, steering, numbers } => {
                let [left, right] = sides.each_ref().map(|side| self.rim(simulation, side));
                let angle = |side: &Vec<Axis>| side.first().map_or(0.0, |axis| axis.position(&simulation.world));
                let phi = 0.5 * (angle(&steering[0]) + angle(&steering[1]));
                let ahead = 0.5 * (left + right);
                [ahead, 0.0, ahead * libm::tan(phi) / numbers.wheel_base]
            }
            Wheels::Mecanum { corners, wheel_base, .. } => {
                let [fl, fr, bl, br] = corners.each_ref().map(|wheels| self.rim(simulation, wheels));
                let turn = (fr - fl + br - bl) / (2.0 * (self.separation + wheel_base));
                [0.25 * (fl + fr + bl + br), 0.25 * (fr - fl + bl - br), turn]
            }
        };
        self.odometer.advance(motion.map(|speed| speed * step), simulation.world.time(), step);
    }

    fn visit(&mut self, visit: Visit) {
        self.limiters.iter_mut().for_each(|limiter| limiter.visit(visit));
        self.twist.iter_mut().chain(&mut self.rims).for_each(&mut *visit);
        self.odometer.visit(visit);
    }

    fn inputs(&self) -> Vec<(String, InputKind, usize)> {
        vec![(self.model.clone(), InputKind::Twist, 0)]
    }

    fn set(&mut self, _part: usize, channel: usize, value: f64) {
        self.twist[channel] = value;
    }

    fn reading(&self) -> Option<(&Reading, &SensorValue)> {
        Some(self.odometer.told())
    }
}
