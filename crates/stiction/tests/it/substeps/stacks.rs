//! Stacks of flat bodies come to rest, as deep as they may, at coarse steps too.

use super::*;
use crate::numbers::Numbers;

const STEPS: [f64; 3] = [1.0 / 60.0, 1.0 / 120.0, 1.0 / 240.0];
/// Overlap at rest for each level [m].
const DEEP: f64 = 1e-4;

/// Bodies of one height on each other.
struct Stack {
    world: World,
    bodies: Vec<BodyId>,
    height: f64,
}

impl Stack {
    /// Of a shape about z, off the vertical by a share of its radius at random, and turned.
    fn new(
        shape: &Shape,
        count: usize,
        [radius, height]: [f64; 2],
        (mu, off): (f64, f64),
        random: &mut Numbers,
    ) -> Self {
        let mut world = world();
        add_ground(&mut world, rough(mu));
        let mass = 1e3 * radius * radius * height;
        let bodies = (0..count).map(|level| {
            let place = DVec3::new(off * random.signed(), off * random.signed(), 0.0) * radius;
            let position = place + DVec3::Z * (height * (level as f64 + 0.5));
            let rotation = DQuat::from_rotation_z(if off > 0.0 { 3.0 * random.signed() } else { 0.0 });
            add_shape(&mut world, shape.clone(), mass, Pose { position, rotation }, rough(mu))
        });
        let bodies = bodies.collect();
        Self { world, bodies, height }
    }

    /// Largest speed of a body and its rim [m/s].
    fn speed(&self, radius: f64) -> f64 {
        let of = |id: &BodyId| {
            let b = body(&self.world, *id);
            b.velocity().length() + radius * b.omega().length()
        };
        self.bodies.iter().map(of).fold(0.0, f64::max)
    }

    /// Largest overlap of two levels, from the heights of flat bodies, by the number of levels [m].
    fn overlap(&self) -> f64 {
        let heights = self.bodies.iter().map(|id| at(&self.world, *id).z);
        let below = std::iter::once(-0.5 * self.height).chain(heights.clone());
        let overlaps = heights.zip(below).map(|(upper, lower)| self.height - (upper - lower));
        overlaps.fold(0.0, f64::max) / self.bodies.len() as f64
    }

    /// Farthest that a body has gone to the side of where it was [m].
    fn lean(&self, start: &[DVec3]) -> f64 {
        let way = |(id, from): (&BodyId, &DVec3)| (at(&self.world, *id) - *from).with_z(0.0).length();
        self.bodies.iter().zip(start).map(way).fold(0.0, f64::max)
    }

    fn places(&self) -> Vec<DVec3> {
        self.bodies.iter().map(|id| at(&self.world, *id)).collect()
    }
}

/// A hexagonal prism as a mesh, or as a hull.
fn prism(radius: f64, height: f64, is_mesh: bool) -> Shape {
    let corner = |k: usize| {
        let (sin, cos) = (std::f64::consts::FRAC_PI_3 * (k % 6) as f64).sin_cos();
        DVec3::new(radius * cos, radius * sin, if k < 6 { -0.5 } else { 0.5 } * height)
    };
    let hull = Shape::convex_hull(&(0..12).map(corner).collect::<Vec<_>>()).unwrap();
    let Shape::ConvexHull(own) = &hull else { return hull };
    if is_mesh { Shape::triangle_mesh(own.vertices(), own.triangles()).unwrap() } else { hull }
}

fn shape(kind: usize, [radius, height]: [f64; 2]) -> Shape {
    match kind % 4 {
        0 => Shape::cuboid(DVec3::new(2.0 * radius, 2.0 * radius, height)).unwrap(),
        1 => Shape::cylinder(radius, height).unwrap(),
        2 => prism(radius, height, false),
        _ => prism(radius, height, true),
    }
}

#[test]
fn random_stacks_come_to_rest() {
    let (mut speed, mut deep, mut lean, mut rise) = (0.0f64, 0.0f64, 0.0f64, f64::NEG_INFINITY);
    for case in 0..stiction_testing::cases(24, 2000) {
        let mut random = Numbers(104_729 * case as u64 + 7);
        let step = STEPS[(case / 4) % 3];
        let radius = 0.012 * 16f64.powf(random.next());
        let size = [radius, radius * 20f64.powf(-random.next())];
        let count = 3 + (8.0 * random.next()) as usize;
        let surface = (0.3 + 0.7 * random.next(), 0.1);
        let mut stack = Stack::new(&shape(case, size), count, size, surface, &mut random);
        let (start, before) = (stack.places(), energy(&stack.world));
        let mut gain = f64::NEG_INFINITY;
        for _ in 0..(12.0 / step) as usize {
            stack.world.step(step);
            gain = gain.max(energy(&stack.world) - before);
        }
        let found = [stack.speed(radius), stack.overlap(), stack.lean(&start) / radius];
        println!(
            "{case}: {count} of {size:.3?} at {step:.4}: speed {:.1e} overlap {:.1e} lean {:.1e}",
            found[0], found[1], found[2]
        );
        (speed, deep, lean, rise) = (speed.max(found[0]), deep.max(found[1]), lean.max(found[2]), rise.max(gain));
    }
    hold("speed [m/s]", speed, 1e-4);
    hold("overlap a level [m]", deep, DEEP);
    hold("way to the side by the radius", lean, 0.1);
    hold("energy above the start [J]", rise, 0.0);
}

/// Alternately to both sides, so that each lies on the half of the other, with all that a rim is loaded by.
#[test]
fn discs_and_coins_on_each_other_rest_flat() {
    for (count, [radius, height], off) in
        [(5, [0.2, 0.05], 0.01), (4, [0.012, 0.002], 5e-4), (12, [0.012, 0.002], 5e-4)]
    {
        for step in STEPS {
            let disc = Shape::cylinder(radius, height).unwrap();
            let mut world = world();
            add_ground(&mut world, rough(0.5));
            let bodies = (0..count).map(|level| {
                let side = if level % 2 == 0 { off } else { -off };
                let place = DVec3::new(side, 0.0, height * (f64::from(level) + 0.5));
                add_shape(
                    &mut world,
                    disc.clone(),
                    1e3 * radius * radius * height,
                    Pose::from_position(place),
                    rough(0.5),
                )
            });
            let bodies = bodies.collect();
            let mut stack = Stack { world, bodies, height };
            run(&mut stack.world, step, 3.0);
            let start = stack.places();
            hold("speed after 3 s [m/s]", stack.speed(radius), 1e-6);
            hold("overlap a level [m]", stack.overlap(), DEEP);
            run(&mut stack.world, step, 3.0);
            hold("way in 3 s more [m]", stack.lean(&start), 1e-9);
        }
    }
}

/// Near the rim of the wider one too, where the overlap to the side is no more than a radius.
#[test]
fn small_discs_lie_flat_anywhere_on_a_wide_one() {
    for (k, off) in [0.0, 0.2, 0.3, 0.4, 0.45, 0.5, 0.53, 0.56].into_iter().enumerate() {
        let sizes = [[0.6, 0.05], [0.2, 0.05]];
        let mut world = world();
        add_ground(&mut world, rough(0.5));
        let bodies = sizes.iter().enumerate().map(|(level, &[radius, height])| {
            let turn = DQuat::from_rotation_z(0.7 * k as f64);
            let position = DVec3::new(off * level as f64, 0.0, height * (level as f64 + 0.5));
            let shape = Shape::cylinder(radius, height).unwrap();
            add_shape(&mut world, shape, 1e3 * radius * radius * height, Pose { position, rotation: turn }, rough(0.5))
        });
        let bodies = bodies.collect();
        let mut stack = Stack { world, bodies, height: 0.05 };
        let start = stack.places();
        run(&mut stack.world, STEPS[k % 3], 4.0);
        hold("speed of a disc on a wide one [m/s]", stack.speed(0.2), 1e-6);
        hold("overlap a level [m]", stack.overlap(), DEEP);
        hold("way to the side [m]", stack.lean(&start), 1e-4);
    }
}

#[test]
fn ten_boxes_stand_at_coarse_steps() {
    for (count, step) in [(10, STEPS[0]), (15, STEPS[0]), (10, STEPS[1])] {
        let size = [0.1, 0.2];
        let mut stack = Stack::new(&shape(0, size), count, size, (0.5, 0.0), &mut Numbers(3));
        let start = stack.places();
        run(&mut stack.world, step, 30.0);
        hold("way to the side after 30 s [m]", stack.lean(&start), 1e-3);
        hold("speed after 30 s [m/s]", stack.speed(0.1), 1e-4);
        hold("overlap a level [m]", stack.overlap(), DEEP);
    }
}

/// A plate alone turns more easily than a cube, and lies deeper; on another one twice as deep.
#[test]
fn flat_plates_rest_no_deeper_than_they_may() {
    for step in STEPS {
        for count in [1, 2, 6] {
            let size = [0.2, 0.02];
            let mut stack = Stack::new(&shape(0, size), count, size, (0.5, 0.0), &mut Numbers(3));
            run(&mut stack.world, step, 3.0);
            hold("overlap a level [m]", stack.overlap(), DEEP);
        }
    }
}

/// The number of sub-steps goes by the length of the step: it is not that of the islands of the last one.
#[test]
fn steps_of_another_length_have_their_own_number_of_substeps() {
    let size = [0.1, 0.1];
    let make = || Stack::new(&shape(0, size), 3, size, (0.5, 0.0), &mut Numbers(3)).world;
    let mut world = make();
    run(&mut world, 1.0 / 240.0, 1.0);
    let snapshot = world.snapshot();
    let straight = world.step(1.0 / 60.0).counts.most_substeps;
    let hash = world.state_hash();
    let mut other = make();
    other.restore(&snapshot);
    assert_eq!(other.step(1.0 / 60.0).counts.most_substeps, straight);
    assert_eq!(other.state_hash(), hash);
    assert!(straight > world.step(1.0 / 240.0).counts.most_substeps);
}

/// Levels that fall on each other, with gaps between them, come down whole: no place of a face goes in while another holds.
#[test]
fn stacks_that_fall_level_by_level_come_down_flat() {
    let (mut made, mut deep, mut fallen) = (0.0f64, 0.0f64, 0);
    for case in 0..48 {
        let mut random = Numbers(61 * case as u64 + 9);
        let step = [1.0 / 60.0, 1.0 / 240.0, 1e-3][case % 3];
        let sides = [0.1 + 0.2 * random.next(), [0.02, 0.1, 0.2][case / 3 % 3]];
        let [radius, height] = [0.5 * sides[0], sides[1]];
        let (count, gap) = (2 + (5.0 * random.next()) as usize, [0.01, 0.03][case / 9 % 2]);
        let mut stack =
            Stack::new(&shape([0, 1][case % 2], [radius, height]), count, [radius, height], (0.6, 0.05), &mut random);
        for (level, id) in stack.bodies.clone().into_iter().enumerate() {
            let pose = body(&stack.world, id).pose();
            let up = DVec3::Z * (gap * (level as f64 + 1.0));
            stack.world.body_mut(id).unwrap().set_pose(&Pose { position: pose.position + up, ..pose }).unwrap();
        }
        let start = energy(&stack.world);
        let (mut least, mut rise) = (start, 0.0f64);
        for _ in 0..(3.0 / step) as usize {
            stack.world.step(step);
            let now = energy(&stack.world);
            least = least.min(now);
            rise = rise.max(now - least);
            deep = deep.max(stack.overlap() * count as f64 / height);
        }
        made = made.max(rise / (start - least));
        fallen += i32::from(stack.overlap() > 2e-4);
    }
    hold("energy of a stack that falls, made, by the fall", made, 0.08);
    hold("overlap of its levels, by their height", deep, 0.2);
    hold("stacks that do not lie flat in the end", f64::from(fallen), 0.0);
}

/// What falls flat lands flat, in whatever order its points are solved.
#[test]
fn what_falls_flat_lands_flat() {
    let (mut tilt, mut aside) = (0.0f64, 0.0f64);
    for case in 0..60 {
        let mut random = Numbers(73 * case as u64 + 11);
        let step = [1.0 / 60.0, 1.0 / 120.0, 1.0 / 240.0, 1e-3][case % 4];
        let sides = DVec3::new(0.1 + 0.2 * random.next(), 0.1 + 0.2 * random.next(), 0.05 + random.next());
        let mut world = world();
        let top = if case % 3 == 0 { 0.1 } else { 0.0 };
        match case % 3 {
            0 => attach(&mut world, Shape::cuboid(DVec3::new(2.0, 2.0, 0.2)).unwrap(), None, DVec3::ZERO, rough(0.5)),
            _ => add_ground(&mut world, rough(0.5)),
        }
        let rotation = DQuat::from_rotation_z(3.0 * random.signed());
        let position = DVec3::Z * (top + 0.5 * sides.z + 0.05 + 0.8 * random.next());
        let id = add_shape(&mut world, Shape::cuboid(sides).unwrap(), 1.0, Pose { position, rotation }, rough(0.5));
        for _ in 0..(1.5 / step) as usize {
            world.step(step);
            let pose = body(&world, id).pose();
            tilt = tilt.max(pose.direction(DVec3::Z).truncate().length());
            aside = aside.max(pose.position.truncate().length());
        }
    }
    hold("tilt of what falls flat [rad]", tilt, 1e-3);
    hold("way to the side of what falls flat [m]", aside, 1e-3);
}

/// The centre of the upper one lies over the lower one, up to a tenth of the radius from its rim, to any side.
#[test]
fn discs_that_lie_half_over_each_other_balance() {
    for (case, off) in [0.05, 0.06, 0.07, 0.08, 0.09].into_iter().enumerate() {
        for side in 0..5 {
            let disc = Shape::cylinder(0.1, 0.04).unwrap();
            let direction = DQuat::from_rotation_z(0.4 * f64::from(side)) * DVec3::X;
            let mut world = world();
            add_ground(&mut world, rough(0.5));
            let bodies = (0..2).map(|level| {
                let place = direction * (off * f64::from(level)) + DVec3::Z * (0.02 + 0.04 * f64::from(level));
                add_shape(&mut world, disc.clone(), 1.0, Pose::from_position(place), rough(0.5))
            });
            let bodies = bodies.collect();
            let mut stack = Stack { world, bodies, height: 0.04 };
            let (start, before) = (stack.places(), energy(&stack.world));
            run(&mut stack.world, STEPS[(case + side as usize) % 3], 3.0);
            hold("speed of discs half over each other [m/s]", stack.speed(0.1), 1e-4);
            hold("way to the side [m]", stack.lean(&start), 2e-4);
            hold("energy above the start [J]", energy(&stack.world) - before, 0.0);
        }
    }
}

/// A cube that falls flat on springs comes up without spin, as high as a ball of the same mass and stiffness would.
#[test]
fn what_falls_flat_on_springs_comes_up_flat() {
    use stiction::material::{Surface, SurfaceCompliance};
    for (step, most) in [(1e-3, 1e-3), (2.5e-4, 1e-4), (1e-4, 1e-5)] {
        let compliance = Some(SurfaceCompliance::Spring { stiffness: 1e5, damping: 0.0 });
        let surface = Surface { compliance, ..rough(0.5) };
        let mut world = world();
        add_ground(&mut world, surface);
        let cube = Shape::cuboid(DVec3::splat(0.2)).unwrap();
        let id = add_shape(&mut world, cube, 2.0, Pose::from_position(DVec3::Z * 0.4), surface);
        let mut highest = 0.0f64;
        for k in 0..(0.6 / step) as usize {
            world.step(step);
            if k as f64 * step > 0.35 {
                highest = highest.max(at(&world, id).z - 0.1);
            }
        }
        hold("spin of a cube that comes off springs [rad/s]", body(&world, id).omega().length(), most);
        // The spring is implicit: half a period at 316 rad/s takes 1 - exp(-π ω h / 4) in four sub-steps.
        hold("loss of height in a bounce off springs", 1.0 - highest / 0.3, 250.0 * step);
        hold("gain of height", highest / 0.3 - 1.0, 1e-3);
    }
}
