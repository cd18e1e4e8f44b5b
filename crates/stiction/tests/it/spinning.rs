//! Fast spinning bodies on the ground, on their own axes and across them: the ground gives no energy.

use stiction::material::Surface;
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{World, WorldParameters};
use stiction_testing::cases;

use super::support::{FIXED_STEP_ENGINES, GRAVITY, Sequence, add_ground, add_shape};

/// Share of the energy at the start that a body may have more than at the start.
const GAIN: f64 = 0.01;
/// The same, more than at any time before: corrections of the depth lift a cylinder on its rim by 2 % of it in a second, and contacts
/// that are springs give back what a landing has put into them.
const RISE: f64 = 0.05;

/// Capsules, cylinders and boxes of 1 to 100 g, at any attitude with their lowest point on the ground, that turn by 0.1 to 0.3 rad
/// a step about an axis of their own, about the vertical or about any other.
#[test]
fn the_ground_gives_spinning_bodies_no_energy() {
    let mut s = Sequence(17);
    for case in 0..cases(24, 600) {
        let mut within = |low: f64, high: f64| low + 0.5 * (high - low) * (1.0 + s.next());
        let (radius, slenderness) = (within(0.005, 0.02), within(1.0, 6.0));
        let (mass, rate, step) = (10f64.powf(within(-3.0, -1.0)), within(100.0, 300.0), 1e-3);
        let mu = within(0.2, 1.0);
        let length = radius * slenderness;
        let shape = match case % 3 {
            0 => Shape::capsule(radius, length),
            1 => Shape::cylinder(radius, length),
            _ => Shape::cuboid(DVec3::new(radius, 2.0 * radius, length)),
        };
        let shape = shape.unwrap();
        let rotation = s.rotation();
        let axis = match (case / 3) % 3 {
            0 => DVec3::Z,
            1 => rotation * DVec3::Z,
            _ => s.vector().normalize(),
        };
        let lowest = shape.aabb(&Pose::from_rotation(rotation)).min.z;
        let pose = Pose::new(-lowest * DVec3::Z, rotation);
        for engine in FIXED_STEP_ENGINES {
            let mut parameters = WorldParameters { gravity: -GRAVITY * DVec3::Z, ..WorldParameters::default() };
            engine.apply(&mut parameters);
            let mut world = World::new(parameters);
            let surface = Surface { friction: [mu; 2], ..Surface::default() };
            add_ground(&mut world, surface);
            let body = add_shape(&mut world, shape.clone(), mass, pose, surface);
            world.body_mut(body).unwrap().set_omega(rate * axis).unwrap();
            let start = world.energy().total();
            let mut least = start;
            for _ in 0..1000 {
                world.step(step);
                let now = world.energy().total();
                least = least.min(now);
                let case = format!("case {case} under {engine:?} at {} s: {rate} rad/s about {axis}", world.time());
                assert!(now < (1.0 + GAIN) * start, "{case}: {now} J, {start} J at the start");
                assert!(now - least < RISE * start, "{case}: {now} J after {least} J, {start} J at the start");
            }
        }
    }
}
