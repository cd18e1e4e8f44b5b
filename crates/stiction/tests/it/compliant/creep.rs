//! Creep under a steady load: what sticking costs (`reference`: slip over the stiction tolerance at `r = f_t / μ f_n`).

use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{Preset, SolverKind, World};

use crate::compliant::support::{add, ground, run, surface, world};

const TOLERANCE: f64 = 1e-3;
const GRAVITY: f64 = 9.81;

/// Slip speed of a box without rotation on a slope that loads friction with the share `ratio` of its bound.
fn slip(mut world: World, ratio: f64, time: f64) -> f64 {
    let mu: f64 = 0.3;
    let slope = (ratio * mu).atan();
    let surface = surface(mu, mu, Some([2e4, 20.0]));
    ground(&mut world, slope, &surface);
    let turned = DQuat::from_rotation_y(slope);
    // So heavy to turn that the contact point stays under the centre.
    let inertia = DMat3::from_diagonal(DVec3::splat(1e9));
    let depth = 0.1 * GRAVITY * slope.cos() / 1e4;
    let pose = Pose::new(turned * DVec3::Z * (0.02 - depth), turned);
    let body = add(&mut world, Shape::cuboid(DVec3::new(0.4, 0.2, 0.04)).unwrap(), 0.1, inertia, pose, &surface);
    run(&mut world, 1e-3, time);
    world.body(body).unwrap().velocity().length()
}

/// `10 x³ − 15 x⁴ + 6 x⁵ = r` by bisection.
fn step5_inverse(ratio: f64) -> f64 {
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for _ in 0..200 {
        let x = 0.5 * (low + high);
        if x * x * x * (10.0 + x * (6.0 * x - 15.0)) < ratio { low = x } else { high = x }
    }
    low
}

const RATIOS: [f64; 5] = [0.25, 0.5, 0.75, 0.893_164, 0.99];

#[test]
fn continuous_creep_is_the_inverse_of_stribecks_curve() {
    for ratio in RATIOS {
        let world = world(Preset::DrakeContinuous, GRAVITY, |p| p.integrator.accuracy = 1e-9);
        let found = slip(world, ratio, 0.3) / TOLERANCE;
        let expected = step5_inverse(ratio);
        assert!((found - expected).abs() < 1e-6, "{ratio}: {found} {expected}");
    }
}

#[test]
fn discrete_creep_is_that_of_the_parabola() {
    for ratio in RATIOS {
        let found = slip(world(Preset::DrakeDiscrete, GRAVITY, |_| {}), ratio, 0.3) / TOLERANCE;
        // μ(s) t = r with the soft norm: s (2 − s) v / √(v² + ε²), s the soft norm over the tolerance.
        let softening = 0.01;
        let friction = |v: f64| {
            let s = (v * v + softening * softening).sqrt();
            if s < 1.0 { (2.0 - s) * v } else { v / s }
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let v = 0.5 * (low + high);
            if friction(v) < ratio { low = v } else { high = v }
        }
        assert!((found - low).abs() < 1e-6, "{ratio}: {found} {low}");
        assert!((found - (1.0 - (1.0 - ratio).sqrt())).abs() < 1e-3);
    }
}

#[test]
fn creep_of_the_convex_solver_is_larger() {
    for ratio in RATIOS {
        let world = world(Preset::DrakeDiscrete, GRAVITY, |p| p.solver = SolverKind::Convex);
        let found = slip(world, ratio, 3.0) / TOLERANCE;
        let expected = ratio / (1.0 - ratio * ratio).sqrt();
        assert!((found - expected).abs() < 1e-6 * expected.max(1.0), "{ratio}: {found} {expected}");
    }
}
