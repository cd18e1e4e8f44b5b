//! Contacts: rest, slide, bounce.

use super::support::*;
use stiction::contact::restitution::Restitution;
use stiction::material::Surface;
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{World, WorldParameters};

#[test]
fn a_box_rests_on_the_plane_with_four_points() {
    let mut world = World::new(parameters());
    add_ground(&mut world, Surface::default());
    let body = add_box(&mut world, DVec3::ONE, 2.0, DVec3::new(0.0, 0.0, 0.5), 0.5);
    for _ in 0..1000 {
        world.step(1e-3);
    }
    assert_eq!(world.report().contacts, 4);
    let pose = world.body(body).unwrap().pose();
    assert!((pose.position - DVec3::new(0.0, 0.0, 0.5)).length() < 1e-9, "{}", pose.position);
    let force: DVec3 =
        world.contact_reports().iter().map(|c| if c.bodies[0].is_some() { c.force } else { -c.force }).sum();
    assert!((force - DVec3::new(0.0, 0.0, 2.0 * GRAVITY)).length() < 1e-7, "{force}");
}

#[test]
fn a_box_slides_as_coulomb_says() {
    // v(t) = v₀ − μ g t, stop after v₀² / 2 μ g.
    let mut world = World::new(WorldParameters { iterations: 50, ..parameters() });
    add_ground(&mut world, Surface::default());
    let body = add_box(&mut world, DVec3::new(0.5, 0.5, 0.2), 1.0, DVec3::new(0.0, 0.0, 0.1), 0.3);
    world.body_mut(body).unwrap().set_velocity(DVec3::new(2.0, 0.0, 0.0)).unwrap();
    for _ in 0..500 {
        world.step(1e-3);
    }
    let v = world.body(body).unwrap().velocity();
    assert!((v.x - (2.0 - 0.3 * GRAVITY * 0.5)).abs() < 1e-6, "{v}");
    for _ in 0..500 {
        world.step(1e-3);
    }
    let body = world.body(body).unwrap();
    let stop = 4.0 / (2.0 * 0.3 * GRAVITY);
    // Semi-implicit Euler is off by half a step of the starting speed.
    assert!((body.pose().position.x - stop).abs() < 1.1e-3, "{} {stop}", body.pose().position.x);
    assert!(body.velocity().length() < 1e-9, "{}", body.velocity());
}

#[test]
fn a_ball_bounces_to_e_squared_of_its_height() {
    let surface = Surface { bounce: Some(Restitution { coefficient: 0.8, threshold: 0.01 }), ..Surface::default() };
    let mut world = World::new(parameters());
    add_ground(&mut world, surface);
    let ball = add_shape(
        &mut world,
        Shape::sphere(0.1).unwrap(),
        1.0,
        Pose::from_position(DVec3::new(0.0, 0.0, 1.1)),
        surface,
    );
    let (mut fell, mut top) = (false, 0.0f64);
    for _ in 0..10_000 {
        world.step(1e-4);
        let b = world.body(ball).unwrap();
        fell |= b.velocity().z > 0.0;
        if fell {
            top = top.max(b.pose().position.z - 0.1);
        }
    }
    assert!((top - 0.64).abs() < 2e-3, "{top}");
}
