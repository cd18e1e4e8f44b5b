//! Robots with few contacts, whose rows see each other through the trees.

use super::*;
use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, JointId};

/// A rod of a mass along an axis with a ball at its far end, on a hinge at the near one.
fn arm(world: &mut World, mass: f64, length: f64, height: f64, law: AxisParameters) -> (BodyId, JointId) {
    let moment = mass * length * length / 12.0;
    let inertia = stiction::math::DMat3::from_diagonal(DVec3::new(0.01 * moment, moment, moment));
    let mass = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia };
    let pose = Pose::from_position(DVec3::new(0.5 * length, 0.0, height));
    let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
    attach(world, Shape::sphere(height).unwrap(), Some(body), DVec3::new(0.5 * length, 0.0, 0.0), rough(0.0));
    let joint = JointDefinition::new(JointKind::Hinge, Some(body), None).at(DVec3::Z * height).with_axis(0, DVec3::Y);
    (body, world.add_joint(joint.with_parameters(0, law)).unwrap())
}

/// Sum of the normal forces on a body \[N\].
fn load(world: &World, id: BodyId) -> f64 {
    world.contact_reports().iter().filter(|c| c.bodies.contains(&Some(id))).map(|c| c.force.z.abs()).sum()
}

#[test]
fn an_arm_presses_with_its_torque_and_its_weight() {
    for step in [1.0 / 60.0, 1.0 / 240.0, 1e-3] {
        for torque in [0.0, 20.0, 2000.0] {
            let mut world = world();
            add_ground(&mut world, rough(0.0));
            let law = AxisParameters::default().with_motor(1.0, torque);
            let (body, _) = arm(&mut world, 2.0, 0.8, 0.05, law);
            run(&mut world, step, 1.0);
            let expected = torque / 0.8 + GRAVITY;
            hold("force of an arm that presses, by the static one", (load(&world, body) / expected - 1.0).abs(), 1e-3);
        }
    }
}

/// A motor of the hip lifts a leg of a gram whose foot touches: the contact has the effective mass of the robot from the first step on.
#[test]
fn a_light_foot_stops_a_heavy_robot() {
    for step in [1.0 / 240.0, 1e-3] {
        let mut world = world();
        add_ground(&mut world, rough(0.5));
        let sides = DVec3::new(0.4, 0.4, 0.1);
        let trunk =
            add_shape(&mut world, Shape::cuboid(sides).unwrap(), 50.0, Pose::from_position(DVec3::Z), rough(0.5));
        for (x, y) in [(0.15, 0.15), (-0.15, 0.15), (0.15, -0.15), (-0.15, -0.15)] {
            let inertia = stiction::math::DMat3::from_diagonal(DVec3::splat(1e-6));
            let mass = MassProperties { mass: 1e-3, center_of_mass: DVec3::ZERO, inertia };
            let pose = Pose::from_position(DVec3::new(x, y, 0.1));
            let foot = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
            attach(&mut world, Shape::sphere(0.1).unwrap(), Some(foot), DVec3::ZERO, rough(0.5));
            let held = AxisParameters::default().with_motor(0.0, f64::INFINITY);
            let joint =
                JointDefinition::new(JointKind::Hinge, Some(foot), Some(trunk)).at(pose.position + DVec3::Z * 0.4);
            world.add_joint(joint.with_axis(0, DVec3::Y).with_parameters(0, held)).unwrap();
        }
        let (mut deepest, mut fastest) = (0.0f64, 0.0f64);
        for _ in 0..(1.0 / step) as usize {
            deepest = deepest.max(world.step(step).penetration);
            fastest = fastest.max(body(&world, trunk).velocity().length());
        }
        hold("depth of feet of a gram under 50 kg [m]", deepest, 1e-4);
        hold("speed of what they carry [m/s]", fastest, 2e-2);
        hold("the same at rest [m/s]", body(&world, trunk).velocity().length(), 1e-5);
    }
}

/// A rod that swings down onto a stop beside a contact leaves it with the share that the stop has.
#[test]
fn a_stop_that_bounces_keeps_its_share_beside_a_contact() {
    for step in [1.0 / 240.0, 1e-3] {
        let mut world = world();
        add_ground(&mut world, rough(0.5));
        let base = flat_box(&mut world, DVec3::new(1.0, 1.0, 0.2), 1e4, [0.0, 0.0], 0.0, 0.5);
        let inertia = stiction::math::DMat3::from_diagonal(DVec3::new(1e-3, 0.02, 0.02));
        let mass = MassProperties { mass: 0.5, center_of_mass: DVec3::ZERO, inertia };
        let pose = Pose::from_position(DVec3::new(0.3, 0.0, 1.0));
        let rod = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
        let law = AxisParameters { bounce: 0.6, ..AxisParameters::default().with_stops(-10.0, 1.0) };
        let joint = JointDefinition::new(JointKind::Hinge, Some(rod), Some(base)).at(DVec3::Z).with_axis(0, DVec3::Y);
        let joint = world.add_joint(joint.with_parameters(0, law)).unwrap();
        let (mut before, mut shares) = (0.0, Vec::new());
        for _ in 0..(1.5 / step) as usize {
            let rate = world.joint(joint).unwrap().rate(0);
            world.step(step);
            let now = world.joint(joint).unwrap().rate(0);
            if rate > 0.5 && now < 0.0 {
                before = if before > 0.0 { before } else { rate };
                shares.push(-now / rate);
            }
        }
        assert!(before > 1.0 && !shares.is_empty(), "{before} {shares:?}");
        let off = shares.iter().map(|share| (share - 0.6).abs()).fold(0.0, f64::max);
        // Gravity acts in the rest of the step.
        hold("share that a stop keeps", off, 20.0 * step);
    }
}

/// What joints hold in the ground, deep or not, has no force there: the share of it that a contact beside joints would bear is undefined.
#[test]
fn contacts_that_joints_allow_no_motion_have_no_force() {
    for case in 0..80 {
        let kind = [JointKind::Fixed, JointKind::Hinge, JointKind::Slider, JointKind::Planar][case % 4];
        let overlap = [0.0, 1e-6, 1e-4, 1e-3, 2e-2][case / 4 % 5];
        // Few contacts, and many.
        let (is_crowded, step) = (case / 20 % 2 == 1, [1.0 / 60.0, 1e-3][case / 40]);
        let mut world = world();
        add_ground(&mut world, rough(0.8));
        let sides = DVec3::new(0.3, 0.2, 0.6);
        let pose = Pose::new(DVec3::Z * (0.5 * sides.z - overlap), DQuat::from_rotation_z(0.7));
        let column = add_shape(&mut world, Shape::cuboid(sides).unwrap(), 8.0, pose, rough(0.8));
        for number in 0..if is_crowded { 16 } else { 0 } {
            let place = DVec3::new(0.2 * f64::from(number) - 1.5, 0.0, 0.05 - 0.5 * sides.z);
            attach(&mut world, Shape::sphere(0.05).unwrap(), Some(column), place, rough(0.8));
        }
        let axis = if kind == JointKind::Slider { DQuat::from_rotation_z(0.3) * DVec3::X } else { DVec3::Z };
        world.add_joint(JointDefinition::new(kind, Some(column), None).at(DVec3::Z).with_axis(0, axis)).unwrap();
        let top = pose.position + DVec3::Z * 0.5 * sides.z;
        let at = Pose::from_position(top + DVec3::X * 0.3);
        let mass = box_mass(DVec3::new(0.6, 0.05, 0.05), 2.0);
        let arm = world.add_body(&BodyDefinition { pose: at, mass, ..BodyDefinition::default() }).unwrap();
        let joint = JointDefinition::new(JointKind::Hinge, Some(arm), Some(column)).at(top).with_axis(0, DVec3::Y);
        world.add_joint(joint).unwrap();
        let (start, mut force, mut made) = (energy(&world), 0.0f64, f64::NEG_INFINITY);
        for _ in 0..(1.0 / step) as usize {
            world.step(step);
            force = force.max(load(&world, column));
            made = made.max(energy(&world) - start);
        }
        println!("{case} {kind:?} {overlap:.0e} {is_crowded} {step:.0e}: {force:.1e} N, made {made:.1e} J");
        let weight = 10.0 * GRAVITY;
        assert!(force < 1e-6 * weight, "{case} {kind:?} {overlap:.0e} {is_crowded}: {force:.1e} N");
        assert!(made < 1e-2 * weight, "{case} {kind:?} {overlap:.0e} {is_crowded}: made {made:.1e} J");
    }
}
