//! Pushed bodies: Drake's `box_test.cc` and `compliant_contact_manager_test.cc`.

use stiction::integrators::Scheme;
use stiction::material::ManifoldRule;
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyId, Preset, SolverKind, World};

use crate::compliant::support::{PLANTS, add, ball, ground, near, run, surface, world};

fn push(world: &mut World, body: BodyId, force: f64, step: f64, time: f64) {
    for _ in 0..(time / step).round() as u64 {
        world.body_mut(body).unwrap().add_force(DVec3::X * force);
        let report = world.step(step);
        assert_eq!(report.gave_up, 0);
    }
}

#[test]
fn a_box_that_sticks_against_a_push() {
    for preset in PLANTS {
        let mut world = world(preset, 10.0, |p| {
            p.manifold = ManifoldRule::Single;
            p.compliant.penetration_allowance = 1e-4;
            p.compliant.stiction_tolerance = 1e-4;
            p.integrator.scheme = Scheme::ImplicitEuler;
            p.integrator.accuracy = 1e-5;
            p.integrator.max_step = 1e-3;
        });
        let surface = surface(1.0, 1.0, None);
        ground(&mut world, 0.0, &surface);
        // So heavy to turn that it stays level on its one point.
        let inertia = DMat3::from_diagonal(DVec3::splat(1e16));
        let cuboid = Shape::cuboid(DVec3::ONE).unwrap();
        let body = add(&mut world, cuboid, 1.0, inertia, Pose::from_position(DVec3::Z * (0.5 - 1e-4)), &surface);
        let time = 2.0;
        push(&mut world, body, 5.0, 1e-3, time);
        let now = world.body(body).unwrap();
        let tight: f64 = if preset == Preset::DrakeDiscrete { 1e-12 } else { 1e-5 };
        let force: DVec3 = world.contact_reports().iter().map(|c| -c.force).sum();
        assert!((force - DVec3::new(-5.0, 0.0, 10.0)).length() < 10.0 * tight, "{preset:?} {force}");
        assert!(now.velocity().z.abs() < tight, "{preset:?} {}", now.velocity());
        assert!(now.velocity().x < 1e-4 && now.center_of_mass().x < 1e-4 * time);
        let [contact] = world.contact_reports() else { panic!("one contact") };
        near(contact.depth, 1e-4, 1e-3);
    }
}

#[test]
fn a_ball_on_rigid_ground_rests_sticks_and_slides() {
    let (mass, gravity, mu, stiffness) = (10.0, 10.0, 0.5, 1e4);
    for solver in [SolverKind::Tamsi, SolverKind::Convex] {
        let depth = mass * gravity / stiffness;
        let make = || {
            let mut world = world(Preset::DrakeDiscrete, gravity, |p| {
                p.solver = solver;
                p.compliant.stiction_tolerance = 1e-4;
            });
            ground(&mut world, 0.0, &surface(mu, mu, Some([1e40, 0.0])));
            let ball =
                ball(&mut world, 0.02, mass, DVec3::Z * (0.02 - depth), &surface(mu, mu, Some([stiffness, 0.2])));
            (world, ball)
        };
        let sums = |world: &World| {
            let [c] = world.contact_reports() else { panic!("one contact") };
            (c.force.dot(c.normal), (c.force - c.normal * c.force.dot(c.normal)).length())
        };
        let (mut resting, _) = make();
        resting.step(1e-3);
        near(sums(&resting).0, mass * gravity, 1e-12);
        let (mut pushed, body) = make();
        push(&mut pushed, body, 5.0, 1e-3, 0.05);
        near(sums(&pushed).0, mass * gravity, 1e-5);
        let (mut sliding, body) = make();
        // Through the contact, so that it slides and does not roll away.
        for _ in 0..100 {
            let mut body = sliding.body_mut(body).unwrap();
            let low = body.as_ref().center_of_mass() - DVec3::Z * (0.02 - 0.5 * depth);
            body.add_force_at(DVec3::X * (mu + 0.5) * mass * gravity, low);
            sliding.step(1e-3);
        }
        let (normal, friction) = sums(&sliding);
        near(friction, mu * normal, 2e-6);
    }
}

#[test]
fn contacts_between_things_that_do_not_move_are_no_trouble() {
    for preset in PLANTS {
        let mut world = world(preset, 9.81, |_| {});
        let surface = surface(0.5, 0.5, None);
        ground(&mut world, 0.0, &surface);
        let shape = Shape::sphere(0.1).unwrap();
        let still = stiction::world::GeomDefinition {
            pose: Pose::from_position(DVec3::Z * 0.05),
            ..stiction::world::GeomDefinition::new(shape, None)
        };
        world.add_geom(&still).unwrap();
        run(&mut world, 1e-3, 0.01);
        assert!((world.time() - 0.01).abs() < 1e-12);
    }
}

#[test]
fn a_rolling_ball_keeps_its_height_and_a_wild_spin_its_quaternion() {
    let mut world = world(Preset::DrakeContinuous, 9.81, |p| p.integrator.accuracy = 1e-3);
    let surface = surface(0.5, 0.5, Some([2e6, 50.0]));
    ground(&mut world, 0.0, &surface);
    let depth = 9.81 / 1e6;
    let body = ball(&mut world, 0.1, 1.0, DVec3::Z * (0.1 - depth), &surface);
    let mut moving = world.body_mut(body).unwrap();
    moving.set_velocity(DVec3::X * 0.8).unwrap();
    moving.set_omega(DVec3::Y * 8.0).unwrap();
    run(&mut world, 0.1, 1.0);
    let center = world.body(body).unwrap().center_of_mass();
    assert!((center.x - 0.8).abs() < 1e-3 && (center.z - 0.1).abs() < 1e-3, "{center}");

    let mut world = crate::compliant::support::world(Preset::DrakeContinuous, 0.0, |p| p.integrator.accuracy = 1e-3);
    let body = ball(&mut world, 0.1, 1.0, DVec3::ZERO, &surface);
    world.body_mut(body).unwrap().set_omega(DVec3::new(30.0, -70.0, 110.0)).unwrap();
    run(&mut world, 0.1, 5.0);
    let length = world.body(body).unwrap().pose().rotation.length();
    assert!((length - 1.0).abs() < 10.0 * f64::EPSILON);
}

/// Balls of very different mass rest at one depth when the allowance is for the effective mass, in proportion to their
/// mass when it is for the heaviest.
#[test]
fn an_allowance_for_the_effective_mass_holds_for_every_ball() {
    use stiction::world::AllowanceMass;
    for preset in PLANTS {
        for (rule, depths) in [(AllowanceMass::Effective, [1e-3, 1e-3]), (AllowanceMass::Movable, [1e-3, 1e-5])] {
            let mut world = world(preset, 9.81, |p| p.compliant.allowance_mass = rule);
            let surface = surface(0.5, 0.5, None);
            ground(&mut world, 0.0, &surface);
            let heavy = ball(&mut world, 0.1, 10.0, DVec3::Z * 0.1, &surface);
            let light = ball(&mut world, 0.1, 0.1, DVec3::new(1.0, 0.0, 0.1), &surface);
            run(&mut world, 1e-3, 1.0);
            for (body, depth) in [heavy, light].into_iter().zip(depths) {
                let found = 0.1 - world.body(body).unwrap().center_of_mass().z;
                near(found, depth, 1e-3);
            }
        }
    }
}

/// With unlike stiffness the point of contact moves towards the witness point of the stiffer body.
#[test]
fn the_contact_point_is_in_the_middle_or_divided_by_stiffness() {
    use stiction::world::PointRule;
    for (rule, share) in [(PointRule::Midpoint, 0.5), (PointRule::StiffnessWeighted, 0.25)] {
        let mut world = world(Preset::DrakeDiscrete, 9.81, |p| p.compliant.point = rule);
        ground(&mut world, 0.0, &surface(0.5, 0.5, Some([1e4, 10.0])));
        let body = ball(&mut world, 0.1, 1.0, DVec3::Z * 0.099, &surface(0.5, 0.5, Some([3e4, 10.0])));
        let start = world.body(body).unwrap().center_of_mass().z;
        world.step(1e-3);
        let [contact] = world.contact_reports() else { panic!("one contact") };
        // Above the ball's lowest point by a share of the depth: the weight of the ground's point, k_ground / (k + k_ground).
        let above = contact.position.z - (start - 0.1);
        near(above, share * contact.depth, 1e-9);
    }
}
