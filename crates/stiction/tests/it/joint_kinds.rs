//! The joints beyond hinge and slider: motors, pistons, rods, wheels. Rates are derivatives of positions, energy and what
//! is held are kept under both solvers and in reduced coordinates, motors reach their speed and stops hold.

use stiction::joints::{AxisFrame, AxisParameters, JointDefinition, JointError, JointKind, Wheels};
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{
    BodyDefinition, BodyId, Coordinates, JointId, Preset, SolverKind, TimeAdvancement, World, WorldParameters,
};

const FREE: [AxisFrame; 3] = [AxisFrame::World, AxisFrame::First, AxisFrame::Second];

const TWO_BODIES: [JointKind; 9] = [
    JointKind::LinearMotor { count: 3, frames: FREE },
    JointKind::Piston,
    JointKind::PrismaticRotoide,
    JointKind::PrismaticUniversal,
    JointKind::DoubleBall { distance: None },
    JointKind::DoubleHinge { distance: None },
    JointKind::Transmission { wheels: Wheels::ParallelAxes { ratio: 0.7 } },
    JointKind::Transmission { wheels: Wheels::IntersectingAxes },
    JointKind::Transmission { wheels: Wheels::Chain { radii: [0.2, 0.3] } },
];

/// Every solver, in both coordinates.
pub fn worlds() -> [World; 3] {
    let maximal = Coordinates::Maximal;
    [(SolverKind::Direct, maximal), (SolverKind::Iterative, maximal), (SolverKind::Direct, Coordinates::Reduced)].map(
        |(solver, coordinates)| {
            World::new(WorldParameters { solver, coordinates, iterations: 100, cfm: 0.0, ..WorldParameters::default() })
        },
    )
}

fn add(world: &mut World, position: DVec3, rotation: DQuat) -> BodyId {
    let inertia = DMat3::from_diagonal(DVec3::new(0.3, 0.35, 0.4));
    let mass = MassProperties { mass: 1.3, center_of_mass: DVec3::new(0.05, -0.02, 0.1), inertia };
    world.add_body(&BodyDefinition { pose: Pose::new(position, rotation), mass, ..BodyDefinition::default() }).unwrap()
}

/// Two bodies and a joint whose axes are neither parallel nor perpendicular to anything.
fn pair(world: &mut World, kind: JointKind) -> ([BodyId; 2], JointId) {
    let a = add(world, DVec3::new(0.1, 0.2, 0.3), DQuat::from_rotation_x(0.4));
    let b = add(world, DVec3::new(0.9, -0.1, 0.5), DQuat::from_rotation_y(-0.7));
    let axes = match kind {
        JointKind::LinearMotor { .. } => DVec3::AXES,
        // As in any universal joint, the rates are those of the angles where the axes are perpendicular.
        JointKind::PrismaticUniversal => [DVec3::X, DVec3::Y, DVec3::new(1.0, 0.2, 0.1)],
        _ => [DVec3::new(0.3, 0.1, 1.0), DVec3::new(0.2, 1.0, -0.3), DVec3::new(1.0, 0.2, 0.1)],
    };
    let definition = JointDefinition { axes, ..JointDefinition::new(kind, Some(a), Some(b)) };
    let definition = definition.at(DVec3::new(0.2, 0.1, 0.4)).with_second_anchor(DVec3::new(0.8, 0.0, 0.7));
    // Displacements along an axis start at zero: one anchor for both.
    let has_one = matches!(kind, JointKind::Piston | JointKind::PrismaticRotoide | JointKind::PrismaticUniversal);
    let definition = JointDefinition { second_anchor: definition.second_anchor.filter(|_| !has_one), ..definition };
    ([a, b], world.add_joint(definition).unwrap())
}

/// Moves a body by its velocities for a time: exactly enough for a central difference.
fn shift(world: &mut World, body: BodyId, time: f64) {
    let b = world.body(body).unwrap();
    let turn = b.omega() * time;
    let rotation = DQuat::from_scaled_axis(turn) * b.pose().rotation;
    let center = b.center_of_mass() + b.velocity() * time;
    let local = b.mass_properties().center_of_mass;
    world.body_mut(body).unwrap().set_pose(&Pose::new(center - rotation * local, rotation)).unwrap();
}

#[test]
fn rates_are_the_derivatives_of_positions() {
    for kind in TWO_BODIES {
        let mut world = World::default();
        let (bodies, joint) = pair(&mut world, kind);
        let j = world.joint(joint).unwrap();
        // What the joint allows, on top of a motion of both bodies as one.
        let (first, second) = (j.axis(0, 0), j.axis(1, 1));
        let (slide, spins) = match kind {
            JointKind::Piston => (0.7 * first, [0.4 * first, DVec3::ZERO]),
            JointKind::PrismaticRotoide => (-0.3 * first, [0.4 * second, DVec3::ZERO]),
            JointKind::PrismaticUniversal => (0.2 * j.axis(0, 2), [0.4 * first - 0.6 * second, DVec3::ZERO]),
            JointKind::Transmission { .. } => (DVec3::ZERO, [0.9 * first, -0.4 * second]),
            _ => (DVec3::new(0.2, 0.7, -0.3), [DVec3::new(0.1, 0.5, -0.3), DVec3::new(0.7, -0.2, 0.3)]),
        };
        let anchors = [j.anchor(0), j.anchor(1)];
        let together = DVec3::new(0.3, -0.5, 0.2);
        for (k, body) in bodies.into_iter().enumerate() {
            let mut b = world.body_mut(body).unwrap();
            let center = b.as_ref().center_of_mass();
            let own = if k == 0 { slide } else { DVec3::ZERO };
            b.set_velocity(own + spins[k].cross(center - anchors[k]) + together.cross(center)).unwrap();
            b.set_omega(spins[k] + together).unwrap();
        }
        let step = 1e-5;
        let count = world.joint(joint).unwrap().motion_count();
        let rates: Vec<f64> = (0..count).map(|i| world.joint(joint).unwrap().rate(i)).collect();
        bodies.iter().for_each(|b| shift(&mut world, *b, step));
        let after: Vec<f64> = (0..count).map(|i| world.joint(joint).unwrap().position(i)).collect();
        bodies.iter().for_each(|b| shift(&mut world, *b, -2.0 * step));
        for (i, rate) in rates.iter().enumerate() {
            let slope = (after[i] - world.joint(joint).unwrap().position(i)) / (2.0 * step);
            assert!((slope - rate).abs() < 1e-7, "{kind:?} axis {i}: {slope} {rate}");
        }
    }
}

/// Sets a pair in motion; wheels in bearings on a frame that floats.
fn set_going(world: &mut World, kind: JointKind, [a, b]: [BodyId; 2], joint: JointId) {
    if matches!(kind, JointKind::Transmission { .. }) {
        let frame = add(world, DVec3::new(0.5, 0.5, 0.5), DQuat::IDENTITY);
        for (wheel, body) in [a, b].into_iter().enumerate() {
            let j = world.joint(joint).unwrap();
            let (at, axis) = (j.anchor(wheel), j.axis(wheel, wheel));
            let bearing = JointDefinition::new(JointKind::Hinge, Some(body), Some(frame));
            world.add_joint(bearing.at(at).with_axis(0, axis)).unwrap();
            world.body_mut(body).unwrap().set_omega(axis * (2.0 - 2.0 * wheel as f64)).unwrap();
        }
    } else {
        world.body_mut(a).unwrap().set_omega(DVec3::new(0.5, -0.4, 0.7)).unwrap();
        world.body_mut(b).unwrap().set_velocity(DVec3::new(0.3, 0.5, -0.2)).unwrap();
    }
}

#[test]
fn what_is_held_is_held_and_energy_is_kept() {
    for kind in TWO_BODIES {
        for (number, mut world) in worlds().into_iter().enumerate() {
            let (bodies, joint) = pair(&mut world, kind);
            set_going(&mut world, kind, bodies, joint);
            world.step(1e-4);
            let before = world.energy().kinetic;
            let momentum = world.momentum();
            for _ in 0..5000 {
                world.step(1e-4);
            }
            let after = world.energy().kinetic;
            let gap = world.joint(joint).unwrap().gap();
            assert!((after / before - 1.0).abs() < 1e-3, "{kind:?} {number}: {before} {after}");
            assert!(gap < 1e-6, "{kind:?} {number}: {gap}");
            // What a joint does to one body it does the other way to the other.
            let change = [world.momentum().0 - momentum.0, world.momentum().1 - momentum.1];
            assert!(change[0].length() < 1e-4 && change[1].length() < 2e-3, "{kind:?} {number}: {change:?}");
        }
    }
}

#[test]
fn continuous_time_holds_them_as_well() {
    for kind in TWO_BODIES {
        let mut parameters = WorldParameters::default();
        Preset::DrakeContinuous.apply(&mut parameters);
        assert_eq!(parameters.time, TimeAdvancement::Continuous);
        parameters.integrator.accuracy = 1e-7;
        let mut world = World::new(parameters);
        let (bodies, joint) = pair(&mut world, kind);
        set_going(&mut world, kind, bodies, joint);
        // The velocities that the user gives do not agree with the joint: the first step makes them.
        for _ in 0..100 {
            world.step(1e-3);
        }
        let before = world.energy().kinetic;
        for _ in 0..500 {
            world.step(1e-3);
        }
        let j = world.joint(joint).unwrap();
        let after = world.energy().kinetic;
        assert!((after / before - 1.0).abs() < 1e-4, "{kind:?}: {before} {after}");
        assert!(j.gap() < 1e-8, "{kind:?}: {}", j.gap());
        if matches!(kind, JointKind::Transmission { .. }) {
            assert!(j.position(2).abs() < 1e-8 && j.position(0).abs() > 0.1, "{kind:?}: {}", j.position(2));
        }
    }
}

/// A body between the environment and a joint to it, whose first axis is driven.
fn driven(world: &mut World, kind: JointKind, axis: usize, parameters: AxisParameters) -> (BodyId, JointId) {
    let body = world.add_body(&BodyDefinition::default()).unwrap();
    let axes = [DVec3::Z, DVec3::X, DVec3::Y];
    let definition = JointDefinition { axes, ..JointDefinition::new(kind, Some(body), None) };
    (body, world.add_joint(definition.with_parameters(axis, parameters).with_feedback()).unwrap())
}

const DRIVEN: [(JointKind, usize); 10] = [
    (JointKind::LinearMotor { count: 3, frames: FREE }, 0),
    (JointKind::Plane2D, 0),
    (JointKind::Plane2D, 1),
    (JointKind::Plane2D, 2),
    (JointKind::Piston, 0),
    (JointKind::Piston, 1),
    (JointKind::PrismaticRotoide, 0),
    (JointKind::PrismaticRotoide, 1),
    (JointKind::PrismaticUniversal, 0),
    (JointKind::PrismaticUniversal, 2),
];

#[test]
fn motors_reach_their_speed_and_stops_hold() {
    for (kind, axis) in DRIVEN {
        for mut world in worlds() {
            let parameters = AxisParameters::default().with_motor(1.5, 10.0);
            let (_, joint) = driven(&mut world, kind, axis, parameters);
            for _ in 0..200 {
                world.step(1e-3);
            }
            let j = world.joint(joint).unwrap();
            // 10 N or N m on one kilogram or kg m² for 0.15 s.
            assert!((j.rate(axis) - 1.5).abs() < 1e-9, "{kind:?} {axis}: {}", j.rate(axis));
            world.joint_parameters_mut(joint, axis).unwrap().upper = 0.4;
            for _ in 0..1000 {
                world.step(1e-3);
            }
            let j = world.joint(joint).unwrap();
            // The motor brings it back within a step where it has left the stop: h² F / m.
            assert!((j.position(axis) - 0.4).abs() < 2e-5, "{kind:?} {axis}: {}", j.position(axis));
            assert!(j.rate(axis).abs() < 0.02);
        }
    }
}

#[test]
fn a_joint_made_at_a_position_counts_from_elsewhere() {
    let kinds = [
        (JointKind::Hinge, [4.0, 0.0, 0.0]),
        (JointKind::Slider, [-0.3, 0.0, 0.0]),
        (JointKind::Screw { pitch: 0.2 }, [7.0, 0.0, 0.0]),
        (JointKind::Universal, [0.4, -0.7, 0.0]),
        (JointKind::Planar, [0.3, -0.2, 0.5]),
        (JointKind::Plane2D, [0.3, -0.2, 0.5]),
        (JointKind::Piston, [0.3, 4.0, 0.0]),
        (JointKind::PrismaticRotoide, [0.3, -0.5, 0.0]),
        (JointKind::PrismaticUniversal, [0.2, -0.4, 0.6]),
        (JointKind::Gearbox { ratio: 2.0 }, [0.4, -0.8, 0.0]),
        (JointKind::LinearMotor { count: 3, frames: FREE }, [0.1, 0.2, 0.3]),
    ];
    for (kind, positions) in kinds {
        for mut world in worlds() {
            let rotation = DQuat::from_rotation_x(0.4);
            let body = add(&mut world, DVec3::new(0.4, 0.1, 0.2), rotation);
            let definition = JointDefinition::new(kind, Some(body), None).with_present_positions(positions);
            let axes = [DVec3::Z, DVec3::X, DVec3::Y];
            let joint = world.add_joint(JointDefinition { axes, ..definition }.at(DVec3::new(0.2, 0.0, 0.1))).unwrap();
            for steps in [0, 100] {
                for _ in 0..steps {
                    world.step(1e-3);
                }
                let j = world.joint(joint).unwrap();
                for (axis, expected) in positions.into_iter().enumerate().take(j.motion_count()) {
                    assert!((j.position(axis) - expected).abs() < 1e-9, "{kind:?} {axis}: {}", j.position(axis));
                }
                // Nothing pulls: the joint is whole there.
                assert!(world.body(body).unwrap().velocity().length() < 1e-9, "{kind:?}");
            }
        }
    }
}

#[test]
fn plane_2d_holds_height_and_tilt() {
    for mut world in worlds() {
        world.parameters.gravity = DVec3::new(0.3, 0.0, -9.81);
        let body = add(&mut world, DVec3::new(0.0, 0.0, 0.7), DQuat::from_rotation_y(0.3));
        let height = world.body(body).unwrap().center_of_mass().z;
        world.add_joint(JointDefinition::new(JointKind::Plane2D, Some(body), None)).unwrap();
        world.body_mut(body).unwrap().set_omega(DVec3::new(0.0, 0.0, 4.0)).unwrap();
        for _ in 0..2000 {
            world.step(1e-3);
        }
        let b = world.body(body).unwrap();
        let up = b.pose().rotation * (DQuat::from_rotation_y(-0.3) * DVec3::Z);
        assert!((b.center_of_mass().z - height).abs() < 1e-9 && (up - DVec3::Z).length() < 1e-6, "{up}");
        assert!((b.velocity().x - 0.6).abs() < 1e-9 && (b.omega().z - 4.0).abs() < 1e-3, "{}", b.omega());
    }
}

#[test]
fn a_rod_hangs_at_its_length_and_keeps_it() {
    for kind in [JointKind::DoubleBall { distance: Some(1.2) }, JointKind::DoubleHinge { distance: None }] {
        for mut world in worlds() {
            world.parameters.gravity = DVec3::new(0.0, 0.0, -9.81);
            let body = world
                .add_body(&BodyDefinition { pose: Pose::from_position(-1.2 * DVec3::Z), ..BodyDefinition::default() })
                .unwrap();
            let rod = JointDefinition::new(kind, Some(body), None).at(-1.2 * DVec3::Z);
            let rod = rod.with_second_anchor(DVec3::ZERO).with_axis(0, DVec3::Y).with_feedback();
            let rod = world.add_joint(rod).unwrap();
            for _ in 0..1000 {
                world.step(1e-3);
            }
            let rod = world.joint(rod).unwrap();
            assert!(rod.gap() < 1e-9, "{kind:?}: {}", rod.gap());
            assert!((rod.feedback().forces[0] - DVec3::Z * 9.81).length() < 1e-9, "{}", rod.feedback().forces[0]);
        }
    }
}

#[test]
fn joints_that_cannot_be_are_refused() {
    let mut world = World::default();
    let a = add(&mut world, DVec3::ZERO, DQuat::IDENTITY);
    let b = add(&mut world, DVec3::X, DQuat::IDENTITY);
    let wheels = |wheels| JointDefinition::new(JointKind::Transmission { wheels }, Some(a), Some(b));
    let parallel = wheels(Wheels::ParallelAxes { ratio: 1.0 });
    assert_eq!(world.add_joint(parallel.clone()), Err(JointError::Wheels));
    let lone = JointDefinition { bodies: [Some(a), None], ..parallel };
    assert_eq!(world.add_joint(lone), Err(JointError::NeedsTwoBodies));
    let wrong = wheels(Wheels::Chain { radii: [0.1, -0.1] }).with_second_anchor(DVec3::Y);
    assert!(matches!(world.add_joint(wrong), Err(JointError::Value { .. })));
    let plane = JointDefinition::new(JointKind::Plane2D, Some(a), Some(b));
    assert_eq!(world.add_joint(plane), Err(JointError::NeedsEnvironment));
    let motor = JointKind::LinearMotor { count: 4, frames: FREE };
    assert!(matches!(world.add_joint(JointDefinition::new(motor, Some(a), None)), Err(JointError::Value { .. })));
    let null = world.add_joint(JointDefinition::new(JointKind::Null, Some(a), Some(b))).unwrap();
    assert!(world.are_connected(a, b) && world.joint(null).unwrap().motion_count() == 0);
    world.step(1e-3);
    assert_eq!(world.report().rows, 0);
}
