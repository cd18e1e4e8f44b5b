//! Redundant contacts of a machine carry the loads of least norm, whatever the coordinates and the solver.

use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::{DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyDefinition, BodyId, GeomDefinition, GeomId, Preset, World, WorldParameters};

const ENGINES: [Preset; 4] = [Preset::Dart, Preset::BulletFeatherstone, Preset::Bullet, Preset::OdeQuick];
/// Radius of feet and wheels \[m\].
const RADIUS: f64 = 0.1;
/// Mass of a wheel \[kg\].
const WHEEL: f64 = 0.7;

fn world(engine: Preset) -> World {
    let mut parameters = WorldParameters { sleeping: false, ..parameters() };
    engine.apply(&mut parameters);
    let mut world = World::new(parameters);
    add_ground(&mut world, Surface { friction: [0.8; 2], ..Surface::default() });
    world
}

/// A vehicle of feet in two rows, of which the first ones are wheels on hinges.
struct Vehicle {
    base: BodyId,
    feet: Vec<GeomId>,
    places: Vec<[f64; 2]>,
    /// The load that each should carry \[N\].
    loads: Vec<f64>,
}

impl Vehicle {
    fn new(world: &mut World, rows: usize, wheels: usize, mass: f64, off: [f64; 2]) -> Self {
        let half = [0.4, 0.25];
        let center = DVec3::new(off[0], off[1], 0.1);
        let solid = box_mass(DVec3::new(0.8, 0.5, 0.1), mass);
        let mass_of = MassProperties { center_of_mass: center, ..solid };
        let pose = Pose::from_position(DVec3::Z * RADIUS);
        let base = world.add_body(&BodyDefinition { pose, mass: mass_of, ..BodyDefinition::default() }).unwrap();
        let (mut feet, mut places) = (Vec::new(), Vec::new());
        for row in 0..rows {
            let x = half[0] * (2.0 * row as f64 / (rows - 1) as f64 - 1.0);
            for y in [-half[1], half[1]] {
                let (shape, at) = (Shape::sphere(RADIUS).unwrap(), Pose::from_position(DVec3::new(x, y, 0.0)));
                let is_wheel = feet.len() < wheels;
                let (body, local) = if is_wheel {
                    let pose = Pose::from_position(DVec3::new(x, y, RADIUS));
                    let mass = shape.mass_properties(1.0).unwrap().with_mass(WHEEL);
                    let wheel = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
                    let hinge = JointDefinition::new(JointKind::Hinge, Some(wheel), Some(base));
                    world.add_joint(hinge.at(pose.position).with_axis(0, DVec3::Y)).unwrap();
                    (wheel, Pose::IDENTITY)
                } else {
                    (base, at)
                };
                let surface = Surface { friction: [0.8; 2], ..Surface::default() };
                let foot = GeomDefinition { pose: local, surface, ..GeomDefinition::new(shape, Some(body)) };
                feet.push(world.add_geom(&foot).unwrap());
                places.push([x, y]);
            }
        }
        let loads = least_norm(&places, mass, off, wheels);
        Self { base, feet, places, loads }
    }

    fn found(&self, world: &World) -> Vec<f64> {
        let of = |foot: &GeomId| {
            let reports = world.contact_reports().iter();
            let own = reports.filter(|c| c.geoms.is_some_and(|geoms| geoms.contains(foot)));
            own.map(|c| c.force.z.abs()).sum::<f64>()
        };
        self.feet.iter().map(of).collect()
    }

    /// The largest difference from the loads of least norm, of the mean load.
    fn error(&self, world: &World) -> f64 {
        let mean = self.loads.iter().sum::<f64>() / self.loads.len() as f64;
        let pairs = self.found(world).into_iter().zip(self.loads.clone());
        pairs.map(|(found, expected)| (found - expected).abs() / mean).fold(0.0, f64::max)
    }
}

/// Loads linear in the place, which balance weight and moments; the places are symmetric about the origin.
fn least_norm(places: &[[f64; 2]], mass: f64, off: [f64; 2], wheels: usize) -> Vec<f64> {
    let count = places.len() as f64;
    let weight = mass + WHEEL * wheels as f64;
    let slope = |axis: usize| {
        let moment = mass * off[axis] + WHEEL * places[..wheels].iter().map(|p| p[axis]).sum::<f64>();
        moment / places.iter().map(|p| p[axis] * p[axis]).sum::<f64>()
    };
    let (along, across) = (slope(0), slope(1));
    places.iter().map(|p| GRAVITY * (weight / count + along * p[0] + across * p[1])).collect()
}

fn run(world: &mut World, step: f64, time: f64) {
    for _ in 0..(time / step).round() as usize {
        world.step(step);
    }
}

#[test]
fn feet_and_wheels_carry_the_loads_of_least_norm() {
    for engine in ENGINES {
        for (rows, wheels, off) in [
            (2, 2, [0.0; 2]),
            (2, 4, [0.05, 0.02]),
            (3, 2, [0.0; 2]),
            (3, 0, [0.04, 0.0]),
            (3, 6, [0.05, -0.03]),
            (4, 4, [0.0; 2]),
            (4, 8, [-0.06, 0.02]),
        ] {
            for step in [1e-3, 1.0 / 240.0] {
                let mut world = world(engine);
                let vehicle = Vehicle::new(&mut world, rows, wheels, 12.0, off);
                run(&mut world, step, 2.0);
                let before = world.body(vehicle.base).unwrap().pose().position;
                for _ in 0..3 {
                    run(&mut world, step, 0.5);
                    let error = vehicle.error(&world);
                    assert!(
                        error < 0.01,
                        "{} {rows} {wheels} {off:?} {step}: {error} {:?} {:?}",
                        engine.name(),
                        vehicle.found(&world),
                        vehicle.loads
                    );
                }
                let way = (world.body(vehicle.base).unwrap().pose().position - before).length();
                assert!(way < 1e-5, "{} {rows} {wheels} {step}: {way}", engine.name());
                assert!(before.z > RADIUS - 1e-4, "{}: {}", engine.name(), before.z);
            }
        }
    }
}

/// The table of 6 feet of the six loads 21.09, 19.55 and 18.01 N a side.
#[test]
fn a_table_of_six_feet_carries_more_on_the_heavy_side() {
    for engine in ENGINES {
        let mut world = world(engine);
        let mass = 6.0 * 19.55 / GRAVITY;
        let vehicle = Vehicle::new(&mut world, 3, 0, mass, [-0.4 * 4.0 * 1.54 / (6.0 * 19.55), 0.0]);
        run(&mut world, 1e-3, 3.0);
        for (found, place) in vehicle.found(&world).into_iter().zip(&vehicle.places) {
            let expected = 19.55 - 1.54 * place[0] / 0.4;
            assert!((found - expected).abs() < 0.02, "{}: {found} {expected}", engine.name());
        }
    }
}

/// What carries a thousand times its own weight does not sink by the compliance that shares it.
#[test]
fn a_light_table_holds_up_a_heavy_load() {
    for engine in [Preset::Dart, Preset::BulletFeatherstone, Preset::Bullet] {
        let mut world = world(engine);
        let vehicle = Vehicle::new(&mut world, 3, 2, 1.0, [0.0; 2]);
        let top = Shape::cuboid(DVec3::new(0.8, 0.5, 0.1)).unwrap();
        let pose = Pose::from_position(DVec3::Z * 0.2);
        world.add_geom(&GeomDefinition { pose, ..GeomDefinition::new(top, Some(vehicle.base)) }).unwrap();
        let load = add_box(&mut world, DVec3::new(0.6, 0.4, 0.2), 1000.0, DVec3::Z * (RADIUS + 0.35), 0.5);
        run(&mut world, 1e-3, 2.0);
        let at = |world: &World| world.body(load).unwrap().pose().position;
        let before = at(&world);
        run(&mut world, 1e-3, 4.0);
        let sunk = (at(&world) - before).length();
        assert!(sunk < 1e-5, "{}: {sunk}", engine.name());
        let found = vehicle.found(&world);
        let mean = found.iter().sum::<f64>() / 6.0;
        assert!(found.iter().all(|f| (f - mean).abs() < 0.02 * mean), "{}: {found:?}", engine.name());
    }
}
