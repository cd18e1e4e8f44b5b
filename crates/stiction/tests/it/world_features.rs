//! What a world can do beside stepping: shapes that come, go and move, groups, damping, how far waking reaches, which
//! islands are solved directly.

use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::material::{ContactSurface, Surface};
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{
    AutoDisable, BodyDefinition, BodyId, BodyKind, ContactDefinition, Coordinates, Damping, GeomDefinition, GeomError,
    HybridRule, JointGroup, SolverKind, World, WorldParameters, impulse_to_force,
};

fn height(world: &World, body: BodyId) -> f64 {
    world.body(body).unwrap().pose().position.z
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        world.step(1e-3);
    }
}

#[test]
fn a_shape_can_be_switched_off_and_moved_in_its_body() {
    let mut world = World::new(parameters());
    add_ground(&mut world, Surface::default());
    let ball = add_shape(
        &mut world,
        Shape::sphere(0.1).unwrap(),
        1.0,
        Pose::from_position(0.1 * DVec3::Z),
        Surface::default(),
    );
    let geom = world.geom_ids().last().unwrap();
    steps(&mut world, 100);
    assert!((height(&world, ball) - 0.1).abs() < 1e-3);
    assert!(world.set_geom_enabled(geom, false) && !world.geom(geom).unwrap().is_enabled());
    steps(&mut world, 100);
    assert!(height(&world, ball) < 0.06, "{}", height(&world, ball));
    // Back on, and half a metre above the body's frame: the body hangs lower by that.
    assert!(world.set_geom_enabled(geom, true));
    world.set_geom_pose(geom, &Pose::from_position(0.5 * DVec3::Z)).unwrap();
    world.body_mut(ball).unwrap().set_velocity(DVec3::ZERO).unwrap();
    world.body_mut(ball).unwrap().set_pose(&Pose::from_position(-0.4 * DVec3::Z)).unwrap();
    steps(&mut world, 100);
    assert!((height(&world, ball) + 0.4).abs() < 1e-3, "{}", height(&world, ball));
    assert!((world.geom_pose(geom).unwrap().position.z - 0.1).abs() < 1e-3);
    // Bits that meet nothing.
    assert!(world.set_geom_bits(geom, 0, 0));
    steps(&mut world, 100);
    assert!(height(&world, ball) < -0.43);
    // Taken off its body it stays where it is.
    let place = world.geom_pose(geom).unwrap();
    world.set_geom_body(geom, None).unwrap();
    steps(&mut world, 10);
    assert_eq!(world.geom_pose(geom).unwrap(), place);
    world.set_geom_body(geom, Some(ball)).unwrap();
    assert_eq!(world.geom(geom).unwrap().pose(), Pose::IDENTITY);
    world.remove_geom(geom);
    assert_eq!(world.set_geom_pose(geom, &place), Err(GeomError::Stale));
}

#[test]
fn the_report_lists_the_bodies_that_moved() {
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        let mut world = World::new(WorldParameters { coordinates, ..parameters() });
        let falls = world.add_body(&BodyDefinition::default()).unwrap();
        let sleeps = world.add_body(&BodyDefinition::default()).unwrap();
        let stands =
            world.add_body(&BodyDefinition { kind: BodyKind::Kinematic, ..BodyDefinition::default() }).unwrap();
        let driven = world
            .add_body(&BodyDefinition { kind: BodyKind::Kinematic, velocity: DVec3::X, ..BodyDefinition::default() })
            .unwrap();
        let swings = world
            .add_body(&BodyDefinition { pose: Pose::from_position(DVec3::X), ..BodyDefinition::default() })
            .unwrap();
        world.add_joint(JointDefinition::new(JointKind::Hinge, Some(swings), None).with_axis(0, DVec3::Y)).unwrap();
        world.body_mut(sleeps).unwrap().disable();
        world.step(1e-3);
        assert_eq!(world.report().moved, [falls, driven, swings]);
        world.body_mut(driven).unwrap().set_velocity(DVec3::ZERO).unwrap();
        world.body_mut(stands).unwrap().set_omega(DVec3::X).unwrap();
        world.step(1e-3);
        assert_eq!(world.report().moved, [falls, stands, swings]);
    }
}

#[test]
fn damping_takes_its_share_above_its_threshold() {
    let damping = Damping { linear: 0.1, angular: 0.2, linear_threshold: 0.5, angular_threshold: 0.5 };
    let mut world = World::new(WorldParameters { damping, ..WorldParameters::default() });
    let (velocity, omega) = (DVec3::X, DVec3::Z);
    let body = world.add_body(&BodyDefinition { velocity, omega, ..BodyDefinition::default() }).unwrap();
    world.step(1e-3);
    let b = world.body(body).unwrap();
    assert!((b.velocity().x - 0.9).abs() < 1e-12 && (b.omega().z - 0.8).abs() < 1e-12);
    steps(&mut world, 100);
    // 0.9⁷ = 0.478 and 0.8⁴ = 0.410 are the first below the thresholds.
    let b = world.body(body).unwrap();
    assert!((b.velocity().x - 0.9f64.powi(7)).abs() < 1e-12 && (b.omega().z - 0.8f64.powi(4)).abs() < 1e-12);
}

#[test]
fn a_group_goes_at_once_and_an_impulse_is_a_force_for_a_step() {
    // A direct solver has rows for joints that nothing touches.
    let mut world = World::new(WorldParameters { solver: SolverKind::Direct, ..parameters() });
    let bodies: Vec<_> = (0..3).map(|_| world.add_body(&BodyDefinition::default()).unwrap()).collect();
    let mut group = JointGroup::new();
    for pair in bodies.windows(2) {
        group.add_joint(&mut world, JointDefinition::new(JointKind::Ball, Some(pair[0]), Some(pair[1]))).unwrap();
    }
    let (position, normal, surface) = (DVec3::ZERO, DVec3::Z, ContactSurface::default());
    let contact = ContactDefinition { bodies: [Some(bodies[0]), None], position, normal, depth: 0.0, surface };
    group.add_contact(&mut world, contact).unwrap();
    let kept = world.add_joint(JointDefinition::new(JointKind::Ball, Some(bodies[2]), None)).unwrap();
    world.step(1e-3);
    assert!(world.report().rows > 9 && group.joints().len() == 2 && group.contacts().len() == 1);
    world.remove_joint(group.joints()[0]);
    group.clear(&mut world);
    assert_eq!(world.joint_ids().collect::<Vec<_>>(), [kept]);
    world.step(1e-3);
    assert_eq!(world.report().rows, 3);

    let mut world = World::default();
    let body = world.add_body(&BodyDefinition::default()).unwrap();
    let impulse = DVec3::new(0.3, -0.2, 1.0);
    world.body_mut(body).unwrap().add_force(impulse_to_force(impulse, 0.01));
    world.step(0.01);
    assert!((world.body(body).unwrap().velocity() - impulse).length() < 1e-12);
}

/// Boxes in a row, each a ball joint from the next, all asleep but the first.
fn sleeping_chain(depth: u32) -> Vec<bool> {
    let mut world = World::new(WorldParameters { auto_enable_depth: depth, ..WorldParameters::default() });
    let chain: Vec<_> =
        (0..6).map(|i| add_box(&mut world, DVec3::splat(0.5), 1.0, DVec3::X * f64::from(i), 0.5)).collect();
    for (i, pair) in chain.windows(2).enumerate() {
        let at = DVec3::X * (i as f64 + 0.5);
        world.add_joint(JointDefinition::new(JointKind::Ball, Some(pair[0]), Some(pair[1])).at(at)).unwrap();
    }
    for body in &chain[1..] {
        world.body_mut(*body).unwrap().disable();
    }
    world.body_mut(chain[0]).unwrap().add_force(DVec3::Z * 100.0);
    world.step(1e-3);
    let last_awake = chain.iter().rposition(|b| world.body(*b).unwrap().is_enabled()).unwrap();
    for body in &chain[last_awake + 1..] {
        assert_eq!(world.body(*body).unwrap().velocity(), DVec3::ZERO);
    }
    chain.iter().map(|b| world.body(*b).unwrap().is_enabled()).collect()
}

#[test]
fn waking_reaches_as_far_as_it_is_told() {
    for (depth, awake) in [(0, 1), (1, 2), (3, 4), (1000, 6), (u32::MAX, 6)] {
        let expected: Vec<bool> = (0..6).map(|i| i < awake).collect();
        assert_eq!(sleeping_chain(depth), expected, "{depth}");
    }
}

#[test]
fn a_sleeping_body_that_is_not_woken_holds_what_falls_on_it() {
    for solver in [SolverKind::Direct, SolverKind::Iterative] {
        let auto_disable = AutoDisable { enabled: true, ..AutoDisable::default() };
        let mut world = World::new(WorldParameters { solver, auto_enable_depth: 0, auto_disable, ..parameters() });
        let shelf = add_box(&mut world, DVec3::new(1.0, 1.0, 0.1), 1.0, DVec3::ZERO, 0.5);
        let falls = add_box(&mut world, DVec3::splat(0.2), 50.0, DVec3::Z * 0.25, 0.5);
        world.body_mut(shelf).unwrap().set_velocity(DVec3::X).unwrap();
        world.body_mut(shelf).unwrap().disable();
        steps(&mut world, 1000);
        assert_eq!(height(&world, shelf), 0.0);
        assert!((world.body(falls).unwrap().pose().position - 0.15 * DVec3::Z).length() < 2e-3);
    }
}

/// Residual of a tower of ten boxes after five steps of five sweeps.
fn tower(direct_rows: u32) -> f64 {
    let mut world = World::new(WorldParameters { direct_rows, hybrid: HybridRule::Off, iterations: 5, ..parameters() });
    add_ground(&mut world, Surface::default());
    for i in 0..10 {
        add_box(&mut world, DVec3::splat(1.0), 1.0, DVec3::Z * (0.5 + f64::from(i)), 0.5);
    }
    steps(&mut world, 5);
    // Four points of three rows below each box, or a few more.
    assert!((120..140).contains(&world.report().rows));
    world.report().residual()
}

#[test]
fn islands_are_solved_directly_up_to_the_given_rows() {
    for too_few in [0, 100] {
        assert!(tower(too_few) > 1e-3, "{}", tower(too_few));
    }
    assert!(tower(140) < 1e-9, "{}", tower(140));
}

#[test]
fn solvers_and_iterations_change_between_steps_at_will() {
    let mut world = World::new(parameters());
    add_ground(&mut world, Surface::default());
    let boxes: Vec<_> = (0..4)
        .map(|i| add_box(&mut world, DVec3::splat(0.2), 1.0, DVec3::Z * (0.1 + 0.2 * f64::from(i)), 0.5))
        .collect();
    let turn = DQuat::from_rotation_z(0.2);
    world.body_mut(boxes[3]).unwrap().set_pose(&Pose::new(0.7 * DVec3::Z, turn)).unwrap();
    for i in 0..600u32 {
        world.parameters.solver = if i % 7 < 3 { SolverKind::Direct } else { SolverKind::Iterative };
        world.parameters.iterations = 10 + i % 5;
        world.step(2e-3);
    }
    for (i, body) in boxes.iter().enumerate() {
        let found = world.body(*body).unwrap().pose().position;
        assert!((found - DVec3::Z * (0.1 + 0.2 * i as f64)).length() < 2e-3, "{i}: {found}");
    }
    let geoms = world.geom_ids().count();
    let definition = GeomDefinition::new(Shape::sphere(0.1).unwrap(), None);
    let geom = world.add_geom(&definition).unwrap();
    assert!(world.remove_geom(geom) && world.geom_ids().count() == geoms);
}
