//! A ball that rolls down a slope without slipping: Drake's `inclined_plane_test.cc`.

use stiction::integrators::Scheme;
use stiction::math::{DQuat, DVec3};
use stiction::world::{Preset, World};

use crate::compliant::support::{PLANTS, ball, ground, near, run, surface, world};

const RADIUS: f64 = 0.05;
const MASS: f64 = 0.1;
const GRAVITY: f64 = 9.81;
const SLOPE: f64 = 15.0 * std::f64::consts::PI / 180.0;

/// Speed, angular speed and friction moment after a second of rolling, against energy and Newton, to given relative
/// tolerances.
fn rolls(mut world: World, law: Option<[f64; 2]>, tolerance: f64, moment: f64) {
    let surface = surface(1.0, 0.5, law);
    ground(&mut world, SLOPE, &surface);
    let normal = DQuat::from_rotation_y(SLOPE) * DVec3::Z;
    let start = normal * RADIUS;
    let body = ball(&mut world, RADIUS, MASS, start, &surface);
    run(&mut world, 1e-3, 1.0);
    let now = world.body(body).unwrap();
    let height = start.z - now.center_of_mass().z;
    let speed = (2.0 * GRAVITY * height / 1.4).sqrt();
    near(now.velocity().length(), speed, tolerance);
    near(now.omega().length(), speed / RADIUS, tolerance);
    let energy =
        0.5 * MASS * now.velocity().length_squared() + 0.2 * MASS * RADIUS * RADIUS * now.omega().length_squared();
    near(energy, MASS * GRAVITY * height, 2.0 * tolerance);
    let [contact] = world.contact_reports() else { panic!("one contact") };
    let friction = (contact.force - contact.normal * contact.normal.dot(contact.force)).length();
    near(friction * (RADIUS - 0.5 * contact.depth), RADIUS * MASS * GRAVITY * SLOPE.sin() * 2.0 / 7.0, moment);
}

#[test]
fn in_discrete_time() {
    // The moment acts at half the depth inside the ball: 5e-7 of 0.05.
    let world = world(Preset::DrakeDiscrete, GRAVITY, |p| {
        p.compliant.penetration_allowance = 1e-6;
        p.compliant.stiction_tolerance = 1e-5;
    });
    rolls(world, None, 5.5e-4, 3e-5);
}

#[test]
fn in_continuous_time() {
    let world = world(Preset::DrakeContinuous, GRAVITY, |p| {
        p.compliant.penetration_allowance = 1e-3;
        p.integrator.accuracy = 1e-6;
    });
    rolls(world, None, 5.5e-3, 2e-2);
}

#[test]
fn in_both_with_given_stiffness_and_an_implicit_scheme() {
    for preset in PLANTS {
        let world = world(preset, GRAVITY, |p| {
            p.compliant.stiction_tolerance = 1e-5;
            p.integrator.scheme = Scheme::Radau3;
            p.integrator.accuracy = 1e-6;
            p.integrator.max_step = 1e-3;
        });
        // Per surface: two in series make 1e7 N/m.
        rolls(world, Some([2e7, 30.0]), 5.5e-4, 5.5e-4);
    }
}

#[test]
fn the_friction_moment_of_rolling_is_exact_in_discrete_time() {
    let mut world = world(Preset::DrakeDiscrete, GRAVITY, |p| {
        p.compliant.penetration_allowance = 1e-6;
        p.compliant.stiction_tolerance = 1e-5;
    });
    let surface = surface(1.0, 0.5, None);
    ground(&mut world, SLOPE, &surface);
    let normal = DQuat::from_rotation_y(SLOPE) * DVec3::Z;
    ball(&mut world, RADIUS, MASS, normal * (RADIUS - 1e-6 * SLOPE.cos()), &surface);
    run(&mut world, 1e-3, 1.0);
    let [contact] = world.contact_reports() else { panic!("one contact") };
    let arm = RADIUS - 0.5 * contact.depth;
    let friction = (contact.force - contact.normal * contact.normal.dot(contact.force)).length();
    // Rolling about a contact at the arm r: f = m g sin θ / (1 + m r² / I).
    let expected = MASS * GRAVITY * SLOPE.sin() / (1.0 + arm * arm / (0.4 * RADIUS * RADIUS));
    near(friction, expected, 1e-9);
}
