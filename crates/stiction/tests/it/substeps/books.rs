//! The account of energy: what it calls made has been made.

use super::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::math::DMat3;
use stiction::shape::MassProperties;
use stiction::world::BodyDefinition;

/// Steps for a time with the account on: energy that was made, and what overlaps store in the end [J].
fn made(world: &mut World, step: f64, time: f64) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for _ in 0..(time / step).round() as usize {
        world.step(step);
        let balance = &world.report().energy;
        sums[0] += balance.made_push_out;
        sums[1] += balance.stored;
    }
    sums
}

fn audited() -> World {
    let mut world = world();
    world.parameters.audit = true;
    world
}

fn join(world: &mut World, kind: JointKind, bodies: [BodyId; 2], at: DVec3, axis: DVec3) {
    let [first, second] = bodies;
    let joint = JointDefinition::new(kind, Some(first), Some(second)).at(at);
    let joint = if kind == JointKind::Hinge { joint.with_axis(0, axis) } else { joint };
    world.add_joint(joint).unwrap();
}

/// The base turns by less than 0.01 rad/s all the time: its rows keep the axes of the start of the step.
#[test]
fn a_pendulum_on_a_heavy_base_makes_nothing() {
    let mut world = audited();
    add_ground(&mut world, rough(1.0));
    let mass =
        MassProperties { mass: 100.0, center_of_mass: DVec3::ZERO, inertia: DMat3::from_diagonal(DVec3::splat(10.0)) };
    let base = world.add_body(&BodyDefinition { mass, ..BodyDefinition::default() }).unwrap();
    attach(&mut world, Shape::cylinder(0.8, 0.02).unwrap(), Some(base), DVec3::Z * 0.01, rough(1.0));
    let arm = MassProperties {
        mass: 5.0,
        center_of_mass: DVec3::ZERO,
        inertia: DMat3::from_diagonal(DVec3::new(0.4, 0.4, 0.01)),
    };
    let pose = Pose { position: DVec3::new(0.0, 0.5, 2.1), rotation: DQuat::from_rotation_x(-1.57) };
    let arm = world.add_body(&BodyDefinition { pose, mass: arm, ..BodyDefinition::default() }).unwrap();
    join(&mut world, JointKind::Hinge, [arm, base], DVec3::new(0.0, 0.0, 2.1), DVec3::X);
    let play = 5.0 * GRAVITY;
    let [made, stored] = made(&mut world, 1e-3, 5.0);
    hold("energy made by a pendulum on a base", made / play, 1e-3);
    hold("energy that its overlaps store", stored / play, 1e-3);
}

/// The contact knows the mass of the plate alone, and the blow takes several sub-steps: the mean force of a step by the overlap is
/// more than the ball lost.
#[test]
fn a_blow_stores_no_more_than_was_lost() {
    let mut world = audited();
    add_ground(&mut world, rough(1.0));
    let base = bare_box(&mut world, DVec3::new(1.0, 1.0, 0.04), 2.0, 0.02);
    let plate = bare_box(&mut world, DVec3::new(0.9, 0.9, 0.01), 0.2, 0.05);
    attach(&mut world, Shape::cuboid(DVec3::new(1.0, 1.0, 0.04)).unwrap(), Some(base), DVec3::ZERO, rough(1.0));
    attach(&mut world, Shape::cuboid(DVec3::new(0.9, 0.9, 0.01)).unwrap(), Some(plate), DVec3::ZERO, rough(1.0));
    join(&mut world, JointKind::Fixed, [plate, base], DVec3::Z * 0.05, DVec3::Z);
    add_shape(&mut world, Shape::sphere(0.25).unwrap(), 10.0, Pose::from_position(DVec3::Z * 0.5), rough(1.0));
    let start = energy(&world);
    let [made, stored] = made(&mut world, 1e-3, 1.0);
    let lost = start - energy(&world);
    hold("energy made by a blow, by what it took", made / lost, 1e-3);
    hold("energy that its overlaps store", stored / lost, 1.0);
}

/// A solid cone on its side on a slope, some way off the line of fall: it rolls to and fro about its apex.
fn cone([radius, height]: [f64; 2], slope: f64, aside: f64) -> (World, BodyId) {
    let mut world = audited();
    let tilt = DQuat::from_rotation_y(slope);
    let ground = GeomDefinition::new(Shape::plane(DVec3::Z, 0.0).unwrap(), None);
    world.add_geom(&GeomDefinition { pose: Pose::from_rotation(tilt), surface: rough(2.0), ..ground }).unwrap();
    let half = (radius / height).atan();
    let axis = tilt * DQuat::from_rotation_z(aside) * DVec3::new(half.cos(), 0.0, half.sin());
    let mass = MassProperties::cone(1.0, radius, height).with_mass(1.0);
    let pose = Pose::new(0.5 * height * axis, DQuat::from_rotation_arc(DVec3::NEG_Z, axis));
    let id = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
    attach(&mut world, Shape::cone(radius, height).unwrap(), Some(id), DVec3::ZERO, rough(2.0));
    (world, id)
}

/// The first is that of `reports/cone_rolls_on_slope.world`.
#[test]
fn what_rolls_on_a_slope_makes_nothing() {
    let cones = [([0.1, 0.3], 0.1745, 0.349), ([0.2, 0.3], 0.1, 0.5), ([0.05, 0.4], 0.25, 0.3)];
    for (sizes, slope, aside) in cones {
        for step in [1e-3, 1.0 / 240.0] {
            let (mut world, id) = cone(sizes, slope, aside);
            let start = energy(&world);
            let (mut exchanged, mut sum, mut most, mut least) = (0.0, 0.0, 0.0f64, start);
            for _ in 0..(10.0 / step) as usize {
                let height = body(&world, id).center_of_mass().z;
                sum += made(&mut world, step, step)[0];
                exchanged += GRAVITY * (body(&world, id).center_of_mass().z - height).abs();
                let now = energy(&world);
                least = least.min(now);
                most = most.max(now - least);
            }
            hold("energy that the account of a cone calls made", sum / exchanged, 3e-3);
            hold("rise of the energy of a cone", most / exchanged, 3e-3);
        }
    }
    for step in [1e-3, 1.0 / 240.0] {
        let mut world = tilted(DQuat::from_rotation_y(0.1) * DVec3::NEG_Z * GRAVITY);
        world.parameters.audit = true;
        add_ground(&mut world, rough(1.0));
        let pose = Pose { position: DVec3::Z * 0.1, rotation: DQuat::from_rotation_x(0.5 * std::f64::consts::PI) };
        let id = add_shape(&mut world, Shape::cylinder(0.1, 0.3).unwrap(), 1.0, pose, rough(1.0));
        let start = energy(&world);
        let [sum, _] = made(&mut world, step, 10.0);
        let moved = 0.5 * body(&world, id).velocity().length_squared() * 1.5;
        hold("energy that the account of a cylinder calls made", sum / moved, 3e-3);
        hold("change of the energy of a cylinder", (energy(&world) - start).abs() / moved, 3e-3);
    }
}

/// A box without a shape.
fn bare_box(world: &mut World, sides: DVec3, mass: f64, height: f64) -> BodyId {
    let mass = Shape::cuboid(sides).unwrap().mass_properties(1.0).unwrap().with_mass(mass);
    world
        .add_body(&BodyDefinition { pose: Pose::from_position(DVec3::Z * height), mass, ..BodyDefinition::default() })
        .unwrap()
}
