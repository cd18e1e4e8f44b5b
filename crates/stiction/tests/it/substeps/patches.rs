//! Patches that are used again: edits act in the next step, and what nobody asks for changes nothing.

use super::*;

const STEP: f64 = 1.0 / 240.0;

/// A stack of four boxes at rest.
fn stack() -> (World, Vec<BodyId>) {
    let mut world = world();
    add_ground(&mut world, rough(0.6));
    let place = |k: usize| DVec3::Z * (0.25 + 0.5 * k as f64);
    let bodies = (0..4).map(|k| add_box(&mut world, DVec3::splat(0.5), 1.0, place(k), 0.6)).collect();
    run(&mut world, STEP, 1.0);
    (world, bodies)
}

/// The shape of a body.
fn shape_of(world: &World, id: BodyId) -> stiction::world::GeomId {
    world.geom_ids().find(|geom| world.geom(*geom).unwrap().body() == Some(id)).unwrap()
}

/// Sum of the forces on the ground [N].
fn load(world: &World) -> f64 {
    let on_ground = world.contact_reports().iter().filter(|contact| contact.bodies.contains(&None));
    on_ground.map(|contact| contact.force.z.abs()).sum()
}

#[test]
fn forces_carry_the_weight_whether_asked_for_or_not() {
    let (mut asked, _) = stack();
    let (mut silent, bodies) = stack();
    for _ in 0..200 {
        asked.step(STEP);
        silent.step(STEP);
        let weight = 4.0 * GRAVITY;
        assert!((load(&asked) - weight).abs() < 1e-6 * weight, "{} N", load(&asked));
    }
    assert_eq!(asked.state_hash(), silent.state_hash());
    assert_eq!(asked.contact_reports(), silent.contact_reports());
    assert_eq!(asked.report().contacts, 16);
    assert!((at(&silent, bodies[3]).z - 1.75).abs() < 1e-3);
}

#[test]
fn a_shape_that_is_moved_or_resized_in_its_body_touches_where_it_is() {
    let (mut world, bodies) = stack();
    let shape = shape_of(&world, bodies[0]);
    // The lowest shape goes down in its body: its points lie 0.1 m deep at once.
    world.set_geom_pose(shape, &Pose::from_position(DVec3::Z * -0.1)).unwrap();
    world.step(STEP);
    assert!(world.report().penetration > 0.09, "{} m", world.report().penetration);
    // And up: the stack falls by 0.1 m.
    let (mut world, bodies) = stack();
    let shape = shape_of(&world, bodies[0]);
    world.set_geom_pose(shape, &Pose::from_position(DVec3::Z * 0.1)).unwrap();
    run(&mut world, STEP, 1.0);
    let z = at(&world, bodies[0]).z;
    assert!((z - 0.15).abs() < 1e-3, "{z} m");
}

#[test]
fn friction_and_mass_that_change_act_in_the_next_step() {
    let mut world = tilted(GRAVITY * DVec3::new(0.3, 0.0, -0.95));
    add_ground(&mut world, rough(0.6));
    let id = flat_box(&mut world, DVec3::new(0.5, 0.5, 0.2), 1.0, [0.0; 2], 0.0, 0.6);
    run(&mut world, STEP, 1.0);
    assert!(body(&world, id).velocity().length() < 1e-9);
    let shape = shape_of(&world, id);
    world.geom_surface_mut(shape).unwrap().friction = [0.0; 2];
    run(&mut world, STEP, 0.5);
    let speed = body(&world, id).velocity().x;
    assert!((speed - 0.15 * GRAVITY).abs() < 1e-9, "{speed} m/s");
    // The centre of mass goes to the front: the box carries there.
    let (mut world, bodies) = stack();
    let mut mass = Shape::cuboid(DVec3::splat(0.5)).unwrap().mass_properties(8.0).unwrap();
    mass.center_of_mass = DVec3::X * 0.2;
    world.body_mut(bodies[3]).unwrap().set_mass(&mass).unwrap();
    run(&mut world, STEP, 1.0);
    let (mut moment, mut force) = (0.0, 0.0);
    for contact in world.contact_reports().iter().filter(|contact| contact.position.z > 1.4) {
        moment += contact.force.z.abs() * contact.position.x;
        force += contact.force.z.abs();
    }
    assert!((moment / force - 0.2).abs() < 1e-3, "{} m", moment / force);
}

#[test]
fn a_snapshot_of_another_geometry_is_looked_at_again() {
    let (mut world, bodies) = stack();
    let snapshot = world.snapshot();
    let shape = shape_of(&world, bodies[0]);
    world.set_geom_pose(shape, &Pose::from_position(DVec3::Z * -0.1)).unwrap();
    world.restore(&snapshot);
    world.step(STEP);
    assert!(world.report().penetration > 0.09, "{} m", world.report().penetration);
}

#[test]
fn what_sleeps_keeps_its_forces() {
    let (mut world, bodies) = stack();
    world.parameters.sleeping = true;
    for id in &bodies {
        let rule = stiction::world::AutoDisable { enabled: true, ..Default::default() };
        world.body_mut(*id).unwrap().set_auto_disable(rule);
    }
    run(&mut world, STEP, 2.0);
    assert!(bodies.iter().all(|id| !body(&world, *id).is_enabled()));
    let weight = 4.0 * GRAVITY;
    assert!((load(&world) - weight).abs() < 1e-3 * weight, "{} N", load(&world));
    // What wakes one finds the others.
    world.body_mut(bodies[3]).unwrap().enable();
    run(&mut world, STEP, 0.5);
    assert!((at(&world, bodies[3]).z - 1.75).abs() < 1e-3);
    assert!((load(&world) - weight).abs() < 5e-3 * weight, "{} N", load(&world));
}

#[test]
fn a_slow_slide_over_many_patches_is_that_of_coulomb() {
    // 0.9 m in steps of a fraction of what a patch lasts for.
    let mut world = world();
    add_ground(&mut world, rough(0.3));
    let id = flat_box(&mut world, DVec3::new(0.4, 0.3, 0.1), 2.0, [0.0; 2], 0.4, 0.3);
    run(&mut world, 1e-3, 0.2);
    let force = 0.3 * 2.0 * GRAVITY;
    world.body_mut(id).unwrap().set_velocity(DVec3::X * 0.3).unwrap();
    for _ in 0..3000 {
        world.body_mut(id).unwrap().add_force(DVec3::X * force);
        world.step(1e-3);
    }
    let (v, place) = (body(&world, id).velocity(), at(&world, id));
    assert!((v.x - 0.3).abs() < 1e-3 && v.y.abs() < 1e-4, "{v}");
    assert!((place.x - 0.9).abs() < 3e-3 && place.y.abs() < 1e-4, "{place}");
}

#[test]
fn what_slides_fast_stops_at_a_thin_wall() {
    let mut world = world();
    add_ground(&mut world, rough(0.1));
    let wall = GeomDefinition {
        pose: Pose::from_position(DVec3::new(3.0, 0.0, 0.5)),
        ..GeomDefinition::new(Shape::cuboid(DVec3::new(0.01, 2.0, 1.0)).unwrap(), None)
    };
    world.add_geom(&wall).unwrap();
    let at_rest = Pose::from_position(DVec3::new(0.0, 0.0, 0.05));
    let sliding = add_shape(&mut world, Shape::cuboid(DVec3::splat(0.1)).unwrap(), 1.0, at_rest, rough(0.1));
    run(&mut world, 1e-3, 0.1);
    world.body_mut(sliding).unwrap().set_velocity(DVec3::new(150.0, 0.0, 0.0)).unwrap();
    run(&mut world, 1.0 / 240.0, 1.0);
    let place = at(&world, sliding);
    assert!(place.x < 2.96 && place.is_finite(), "{place}");
}
