//! How feet share a load, and what is parked.

use super::*;
use crate::numbers::Numbers;
use stiction::shape::MassProperties;
use stiction::world::BodyDefinition;

/// A table: a body of a top and of feet, and the load that each foot should carry by the compliance that all have alike.
struct Table {
    world: World,
    id: BodyId,
    feet: Vec<stiction::world::GeomId>,
    expected: Vec<f64>,
}

impl Table {
    /// Feet in two rows; the centre of mass is off the middle by a share of the half lengths.
    fn new(rows: usize, off: [f64; 2], tiles: bool, random: &mut Numbers) -> Self {
        let mut world = world();
        let half = [0.4 + 0.4 * random.next(), 0.3 + 0.2 * random.next()];
        let (mu, mass) = (0.5, 1.0 + 20.0 * random.next());
        if tiles {
            for x in [-2.0, 2.0] {
                let tile = Shape::cuboid(DVec3::new(4.0, 4.0, 0.2)).unwrap();
                attach(&mut world, tile, None, DVec3::new(x, 0.0, -0.1), rough(mu));
            }
        } else {
            add_ground(&mut world, rough(mu));
        }
        let center = DVec3::new(off[0] * half[0], off[1] * half[1], 0.4);
        let solid = box_mass(DVec3::new(2.0 * half[0], 2.0 * half[1], 0.1), mass);
        let mass_of = MassProperties { center_of_mass: center, ..solid };
        let pose = Pose::from_position(DVec3::new(3.0 * random.signed(), random.signed(), 0.0));
        // Not across the joint of tiles.
        let pose = if tiles { Pose::from_position(pose.position.with_x(1.5)) } else { pose };
        let id = world.add_body(&BodyDefinition { pose, mass: mass_of, ..BodyDefinition::default() }).unwrap();
        attach(
            &mut world,
            Shape::cuboid(DVec3::new(2.0 * half[0], 2.0 * half[1], 0.1)).unwrap(),
            Some(id),
            DVec3::Z * 0.4,
            rough(mu),
        );
        let (mut feet, mut places) = (Vec::new(), Vec::new());
        for row in 0..rows {
            let x = half[0] * (2.0 * row as f64 / (rows - 1) as f64 - 1.0);
            for y in [-half[1], half[1]] {
                let shape = Shape::cuboid(DVec3::new(0.06, 0.06, 0.3)).unwrap();
                let place = Pose::from_position(DVec3::new(x, y, 0.15));
                let foot = GeomDefinition { pose: place, surface: rough(mu), ..GeomDefinition::new(shape, Some(id)) };
                feet.push(world.add_geom(&foot).unwrap());
                places.push([x, y]);
            }
        }
        // Least norm: loads are linear in the place, and the corners of a foot are so in turn.
        let count = places.len() as f64;
        let moment = |axis: usize| places.iter().map(|p| p[axis] * p[axis] + 0.0009).sum::<f64>();
        let expected = places
            .iter()
            .map(|p| mass * GRAVITY * (1.0 / count + center.x * p[0] / moment(0) + center.y * p[1] / moment(1)));
        let expected = expected.collect();
        Self { world, id, feet, expected }
    }

    fn loads(&self) -> Vec<f64> {
        let of = |foot: &stiction::world::GeomId| {
            let reports = self.world.contact_reports().iter();
            let own = reports.filter(|c| c.geoms.is_some_and(|geoms| geoms.contains(foot)));
            own.map(|c| c.force.z.abs()).sum::<f64>()
        };
        self.feet.iter().map(of).collect()
    }
}

#[test]
fn feet_carry_alike_and_by_their_places() {
    let (mut worst, mut moved) = (0.0f64, 0.0f64);
    for case in 0..stiction_testing::cases(16, 2_000) {
        let mut random = Numbers(53 * case as u64 + 29);
        let step = [1e-3, 1.0 / 240.0, 1.0 / 60.0, 1.0 / 120.0][case % 4];
        let off = if case % 2 == 0 { [0.0; 2] } else { [0.3 * random.signed(), 0.3 * random.signed()] };
        let mut table = Table::new(2 + (case / 2) % 2, off, (case / 4) % 2 == 1, &mut random);
        run(&mut table.world, step, 1.0);
        let before = at(&table.world, table.id);
        for _ in 0..3 {
            run(&mut table.world, step, 1.0);
            let mean = table.expected.iter().sum::<f64>() / table.expected.len() as f64;
            for (load, expected) in table.loads().into_iter().zip(&table.expected) {
                worst = worst.max((load - expected).abs() / mean);
            }
        }
        moved = moved.max((at(&table.world, table.id) - before).length());
    }
    hold("loads of feet", worst, 0.01);
    hold("a table's way in 3 s [m]", moved, 1e-9);
}

#[test]
fn what_is_parked_stays_for_a_minute() {
    let (mut worst, mut along_floor) = (0.0f64, 0.0f64);
    for case in 0..stiction_testing::cases(6, 1_000) {
        let mut random = Numbers(59 * case as u64 + 31);
        let step = [1.0 / 240.0, 1.0 / 60.0, 1.0 / 500.0][case % 3];
        let (lean, along) = (0.2 * random.next(), 6.3 * random.next());
        let gravity = GRAVITY * DVec3::new(lean.sin() * along.cos(), lean.sin() * along.sin(), -lean.cos());
        let mut world = tilted(gravity);
        add_ground(&mut world, rough(0.6));
        let cube =
            flat_box(&mut world, DVec3::splat(0.05 + 0.5 * random.next()), 1.0, [0.0; 2], 6.3 * random.next(), 0.6);
        let start = at(&world, cube);
        let mut way = 0.0f64;
        for _ in 0..60 {
            run(&mut world, step, 1.0);
            let moved = at(&world, cube) - start;
            along_floor = along_floor.max(moved.with_z(0.0).length());
            way = way.max(moved.length());
        }
        // At 1/60 s what rests overlaps by 0.28 mm.
        if step < 1.0 / 100.0 {
            worst = worst.max(way);
        }
    }
    hold("a parked cube's way in a minute [m]", worst, 1e-4);
    hold("its way along the floor at every step [m]", along_floor, 1e-4);
}
