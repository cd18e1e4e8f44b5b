//! Any world in either coordinates: trees against bodies held by rows, under every solver.

use super::support::Sequence;
use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{
    BodyDefinition, BodyId, BodyKind, Coordinates, FreeMotionRule, GeomDefinition, HybridRule, JointId, Preset,
    SolverKind, World, WorldParameters,
};

fn world(coordinates: Coordinates, solver: SolverKind) -> World {
    World::new(WorldParameters {
        gravity: DVec3::new(0.0, 0.0, -9.81),
        coordinates,
        solver,
        cfm: 0.0,
        free_motion: FreeMotionRule::SemiImplicit,
        ..WorldParameters::default()
    })
}

fn random_body(world: &mut World, s: &mut Sequence) -> BodyId {
    let axes = DMat3::from_quat(s.rotation());
    let moments = DVec3::new(0.3 + 0.05 * s.next(), 0.35 + 0.05 * s.next(), 0.4 + 0.05 * s.next());
    let mass = MassProperties {
        mass: 1.0 + 0.5 * s.next(),
        center_of_mass: 0.2 * s.vector(),
        inertia: axes * DMat3::from_diagonal(moments) * axes.transpose(),
    };
    let pose = Pose::new(s.vector(), s.rotation());
    world.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap()
}

const KINDS: [JointKind; 10] = [
    JointKind::Hinge,
    JointKind::Slider,
    JointKind::Ball,
    JointKind::Universal,
    JointKind::Screw { pitch: 0.3 },
    JointKind::Fixed,
    JointKind::Planar,
    JointKind::Piston,
    JointKind::PrismaticRotoide,
    JointKind::PrismaticUniversal,
];

/// A tree of `count` bodies with random joints (either body may be the parent), on the world or floating, with springs,
/// dampers and motions.
fn random_tree(world: &mut World, seed: u64, count: usize, is_fixed: bool) -> (Vec<BodyId>, Vec<JointId>) {
    let mut s = Sequence(seed);
    let mut bodies = Vec::new();
    let mut joints = Vec::new();
    for i in 0..count {
        let body = random_body(world, &mut s);
        let parent = if i == 0 { None } else { Some(bodies[((s.next() * 0.5 + 0.5) * i as f64) as usize % i]) };
        bodies.push(body);
        if i == 0 && !is_fixed {
            continue;
        }
        let kind = KINDS[((s.next() * 0.5 + 0.5) * 10.0) as usize % 10];
        // A planar joint of a tree has its child first.
        let child_first = s.next() > 0.0 || kind == JointKind::Planar;
        let (first, second) = if child_first { (Some(body), parent) } else { (parent, Some(body)) };
        let axis = s.vector().normalize();
        let law = AxisParameters {
            stiffness: 3.0,
            damping: 0.3,
            spring_reference: 0.2 * s.next(),
            ..AxisParameters::default()
        };
        let mut definition = JointDefinition::new(kind, first, second)
            .at(s.vector())
            .with_axis(0, axis)
            .with_axis(1, axis.any_orthonormal_vector())
            .with_feedback();
        definition.parameters = [law; 3];
        joints.push(world.add_joint(definition).unwrap());
    }
    (bodies, joints)
}

fn largest_difference(a: &World, b: &World, bodies: &[BodyId]) -> f64 {
    let difference = |id: &BodyId| {
        let (p, q) = (a.body(*id).unwrap(), b.body(*id).unwrap());
        let turn = (p.pose().rotation * q.pose().rotation.conjugate()).xyz().length();
        (p.center_of_mass() - q.center_of_mass()).length().max(2.0 * turn)
    };
    bodies.iter().map(difference).fold(0.0, f64::max)
}

#[test]
fn both_coordinates_converge_to_one_motion() {
    for seed in 0..24 {
        let error = |steps: u32| {
            let run = |coordinates| {
                let mut world = world(coordinates, SolverKind::Direct);
                let (bodies, joints) = random_tree(&mut world, seed, 6, seed % 2 == 0);
                for _ in 0..steps {
                    // A force on a body and one on a joint, in each step.
                    world.body_mut(bodies[3]).unwrap().add_force_at_body_point(DVec3::X * 2.0, DVec3::Y * 0.3);
                    world.body_mut(bodies[4]).unwrap().add_torque(DVec3::Z * 0.5);
                    world.add_joint_force(joints[1], 0, 0.4);
                    world.step(0.2 / f64::from(steps));
                }
                (world, bodies)
            };
            let (reduced, bodies) = run(Coordinates::Reduced);
            let (maximal, _) = run(Coordinates::Maximal);
            largest_difference(&reduced, &maximal, &bodies)
        };
        let (coarse, fine) = (error(200), error(800));
        assert!(fine < 2e-3 && fine < 0.35 * coarse + 1e-9, "seed {seed}: {coarse:e} {fine:e}");
    }
}

/// Over a short time on many trees, with fewer steps: halving the step twice must take most of the difference away.
#[test]
fn a_thousand_random_trees_move_as_their_bodies_do() {
    let mut worst = 0.0f64;
    for seed in 100..1100 {
        let count = 2 + (seed as usize % 7);
        let error = |steps: u32| {
            let run = |coordinates| {
                let mut world = world(coordinates, SolverKind::Direct);
                let (bodies, _) = random_tree(&mut world, seed, count, seed % 2 == 0);
                for _ in 0..steps {
                    world.body_mut(bodies[0]).unwrap().add_torque(DVec3::Z);
                    world.step(0.02 / f64::from(steps));
                }
                (world, bodies)
            };
            let (reduced, bodies) = run(Coordinates::Reduced);
            let (maximal, _) = run(Coordinates::Maximal);
            largest_difference(&reduced, &maximal, &bodies)
        };
        let (coarse, fine) = (error(5), error(20));
        // What is left below is the drift of bodies held by rows.
        assert!(fine < 0.4 * coarse + 2e-8, "seed {seed}: {coarse:e} {fine:e}");
        worst = worst.max(fine);
    }
    assert!(worst < 1e-3, "{worst:e}");
}

#[test]
fn joints_of_trees_stay_together_and_tell_their_positions() {
    for seed in 0..12 {
        let mut world = world(Coordinates::Reduced, SolverKind::Iterative);
        let (_, joints) = random_tree(&mut world, seed, 12, seed % 2 == 0);
        let mut last = vec![[0.0; 3]; joints.len()];
        for step in 0..1000 {
            world.step(1e-3);
            assert!(world.report().joint_error < 1e-9, "seed {seed} step {step}: {}", world.report().joint_error);
            // Positions are the sums of rates, joint by joint, with the joint's own signs.
            for (joint, last) in joints.iter().zip(&mut last) {
                let joint = world.joint(*joint).unwrap();
                for (axis, last) in last.iter_mut().enumerate().take(joint.motion_count()) {
                    let moved = joint.position(axis) - *last;
                    let rate = joint.rate(axis);
                    assert!(
                        (moved - 1e-3 * rate).abs() < 1e-4 * (1.0 + rate.abs()),
                        "{seed} {step} {axis}: {moved} {rate}"
                    );
                    *last = joint.position(axis);
                }
            }
        }
    }
}

#[test]
fn a_stiff_damper_does_no_harm_in_a_tree() {
    // An explicit damper would need h < 2 I / c.
    let mut world = world(Coordinates::Reduced, SolverKind::Iterative);
    // One without ball joints, which no damper acts on.
    let (_, joints) = random_tree(&mut world, 4, 5, true);
    for joint in &joints {
        for axis in 0..3 {
            world.joint_parameters_mut(*joint, axis).unwrap().damping = 1e6;
        }
    }
    for _ in 0..200 {
        world.step(0.01);
    }
    assert!(world.energy().kinetic < 1.0 && world.report().quarantined.is_empty());
}

/// Two links on a base, the second with a box that rests on the ground: contact, stop, motor and friction on a tree.
fn arm(coordinates: Coordinates, solver: SolverKind) -> (World, Vec<BodyId>, Vec<JointId>) {
    let mut world = world(coordinates, solver);
    let ground = Shape::plane(DVec3::Z, 0.0).unwrap();
    world.add_geom(&GeomDefinition::new(ground, None)).unwrap();
    let bar = Shape::cuboid(DVec3::new(1.0, 0.1, 0.1)).unwrap();
    let mass = bar.mass_properties(1.0).unwrap().with_mass(1.0);
    let mut bodies = Vec::new();
    let mut joints = Vec::new();
    for i in 0..2 {
        let x = 0.5 + f64::from(i);
        let pose = Pose::from_position(DVec3::new(x, 0.0, 0.5));
        let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
        world.add_geom(&GeomDefinition::new(bar.clone(), Some(body))).unwrap();
        let parent = bodies.last().copied();
        let definition = JointDefinition::new(JointKind::Hinge, Some(body), parent)
            .at(DVec3::new(x - 0.5, 0.0, 0.5))
            .with_axis(0, DVec3::Y)
            .with_feedback();
        joints.push(world.add_joint(definition).unwrap());
        bodies.push(body);
    }
    (world, bodies, joints)
}

const SOLVERS: [SolverKind; 4] = [SolverKind::Direct, SolverKind::Iterative, SolverKind::Tamsi, SolverKind::Convex];

#[test]
fn an_arm_comes_to_rest_on_the_ground_under_every_solver() {
    for solver in SOLVERS {
        let (mut reduced, bodies, joints) = arm(Coordinates::Reduced, solver);
        reduced.parameters.iterations = 200;
        for joint in &joints {
            reduced.joint_parameters_mut(*joint, 0).unwrap().damping = 0.2;
        }
        for _ in 0..6000 {
            let report = reduced.step(1e-3);
            assert!(report.quarantined.is_empty() && report.joint_error < 1e-9, "{solver:?}");
        }
        let (mut maximal, _, others) = arm(Coordinates::Maximal, SolverKind::Direct);
        for joint in &others {
            maximal.joint_parameters_mut(*joint, 0).unwrap().damping = 0.2;
        }
        for _ in 0..6000 {
            maximal.step(1e-3);
        }
        assert!(reduced.energy().kinetic < 1e-6, "{solver:?} {}", reduced.energy().kinetic);
        let difference = largest_difference(&reduced, &maximal, &bodies);
        assert!(difference < 5e-3, "{solver:?}: {difference}");
        // What carries the arm carries its weight: the ground and the hinge at the wall.
        let ground: f64 = reduced.contact_reports().iter().map(|c| c.force.z.abs()).sum();
        let wall = reduced.joint(joints[0]).unwrap().feedback().forces[0].z;
        assert!((ground + wall - 2.0 * 9.81).abs() < 0.02, "{solver:?}: {ground} {wall}");
        let other = maximal.joint(others[0]).unwrap().feedback();
        let own = reduced.joint(joints[0]).unwrap().feedback();
        if matches!(solver, SolverKind::Tamsi | SolverKind::Convex) {
            // Regularised friction lets go of the wedge that hard friction keeps between wall and ground.
            continue;
        }
        // Across the arm nothing decides, nor along the line from the foot (1 m beside the hinge, 0.5 m below it, nearly) to
        // the hinge: foot and hinge may push against each other, and do so as the fall has left them.
        let across = DVec3::new(1.0, 0.0, 2.0).normalize();
        for end in 0..2 {
            assert!((other.forces[end] - own.forces[end]).dot(across).abs() < 0.2, "{solver:?} {other:?} {own:?}");
        }
        assert!((other.torques[0].y - own.torques[0].y).abs() < 0.2, "{solver:?} {other:?} {own:?}");
    }
}

#[test]
fn motors_stops_and_friction_of_trees() {
    for solver in SOLVERS {
        let (mut world, _, joints) = arm(Coordinates::Reduced, solver);
        world.parameters.gravity = DVec3::ZERO;
        world.parameters.iterations = 100;
        *world.joint_parameters_mut(joints[0], 0).unwrap() =
            AxisParameters::default().with_motor(-1.0, 50.0).with_stops(-0.3, 0.3);
        world.joint_parameters_mut(joints[1], 0).unwrap().friction = 100.0;
        for _ in 0..1000 {
            world.step(1e-3);
        }
        let [first, second] = [0, 1].map(|i| world.joint(joints[i]).unwrap());
        // Pressed against the lower stop, away from the ground; friction holds the second hinge.
        assert!(
            (first.position(0) + 0.3).abs() < 5e-3 && first.rate(0).abs() < 1e-3,
            "{solver:?} {}",
            first.position(0)
        );
        assert!(second.position(0).abs() < 2e-2, "{solver:?} {}", second.position(0));
    }
}

#[test]
fn loops_stay_closed() {
    let plants: [Option<SolverKind>; 5] = [SOLVERS.map(Some).as_slice(), &[None]].concat().try_into().unwrap();
    // Bars of a ring, joined end to end: four and five of them.
    for count in [4usize, 5] {
        // Discrete time under each solver, and continuous time.
        for solver in plants {
            let mut world = world(Coordinates::Reduced, solver.unwrap_or_default());
            if solver.is_none() {
                Preset::DrakeContinuous.apply(&mut world.parameters);
                world.parameters.integrator.accuracy = 1e-7;
            }
            let corner = |i: usize| {
                let angle = std::f64::consts::TAU * (i % count) as f64 / count as f64;
                DVec3::new(angle.cos(), 0.0, angle.sin())
            };
            let bar = Shape::capsule(0.03, 0.5).unwrap().mass_properties(1.0).unwrap().with_mass(1.0);
            let mut bodies: Vec<Option<BodyId>> = vec![None];
            for i in 0..count - 1 {
                let pose = Pose::from_position(0.5 * (corner(i) + corner(i + 1)));
                let definition = BodyDefinition { pose, mass: bar, ..BodyDefinition::default() };
                bodies.push(Some(world.add_body(&definition).unwrap()));
            }
            bodies.push(None);
            for i in 0..count {
                let hinge = JointDefinition::new(JointKind::Hinge, bodies[i + 1], bodies[i]);
                world.add_joint(hinge.at(corner(i)).with_axis(0, DVec3::Y)).unwrap();
            }
            let start = world.energy().total();
            let mut worst = 0.0f64;
            for _ in 0..3000 {
                worst = worst.max(world.step(1e-3).joint_error);
            }
            let drift = (world.energy().total() - start).abs();
            println!("{count} bars {solver:?}: gap {worst:.1e} m, energy {drift:.2e} J");
            // Semi-implicit Euler drifts in first order, five bars through their wild turns more than four.
            assert!(
                worst < 1e-6
                    && drift
                        < if solver.is_none() {
                            1e-3
                        } else if count == 4 {
                            0.05
                        } else {
                            8.0
                        },
                "{count} {solver:?}: {worst:e} {drift}"
            );
        }
    }
}

#[test]
fn a_tree_on_a_moving_base_and_one_that_sleeps_as_a_whole() {
    let (mut world, bodies, _) = arm(Coordinates::Reduced, SolverKind::Iterative);
    // Off the wall, onto a platform that moves steadily: the same motion as at rest, in its frame.
    world.parameters.gravity = DVec3::ZERO;
    let platform = BodyDefinition { kind: BodyKind::Kinematic, velocity: DVec3::Y, ..BodyDefinition::default() };
    let platform = world.add_body(&platform).unwrap();
    let mut free = Vec::new();
    for id in world.joint_ids().collect::<Vec<_>>() {
        world.remove_joint(id);
    }
    for (i, body) in bodies.iter().enumerate() {
        world.body_mut(*body).unwrap().set_velocity(DVec3::Y).unwrap();
        let parent = if i == 0 { Some(platform) } else { Some(bodies[0]) };
        let hinge = JointDefinition::new(JointKind::Hinge, Some(*body), parent);
        free.push(world.add_joint(hinge.at(DVec3::new(i as f64, 0.0, 0.5)).with_axis(0, DVec3::Y)).unwrap());
    }
    for _ in 0..1000 {
        world.step(1e-3);
    }
    let center = world.body(bodies[1]).unwrap().center_of_mass();
    assert!((center - DVec3::new(1.5, 1.0, 0.5)).length() < 1e-9, "{center}");
    assert!(world.report().joint_error < 1e-9);

    let (mut world, bodies, joints) = arm(Coordinates::Reduced, SolverKind::Iterative);
    for joint in &joints {
        world.joint_parameters_mut(*joint, 0).unwrap().damping = 0.5;
    }
    for body in &bodies {
        let rule = stiction::world::AutoDisable { enabled: true, ..stiction::world::AutoDisable::default() };
        world.body_mut(*body).unwrap().set_auto_disable(rule);
    }
    let mut asleep = 0;
    for _ in 0..8000 {
        world.step(1e-3);
        let awake = bodies.iter().filter(|b| world.body(**b).unwrap().is_enabled()).count();
        assert!(awake == 0 || awake == 2, "a tree sleeps whole");
        asleep += usize::from(awake == 0);
    }
    assert!(asleep > 1000);
}

#[test]
fn a_snapshot_of_a_tree_repeats_bit_for_bit() {
    for preset in [Preset::DrakeDiscrete, Preset::DrakeContinuous] {
        let (mut world, _, _) = arm(Coordinates::Reduced, SolverKind::Iterative);
        preset.apply(&mut world.parameters);
        world.parameters.integrator.accuracy = 1e-3;
        for _ in 0..300 {
            world.step(1e-3);
        }
        let snapshot = world.snapshot();
        let run = |world: &mut World| {
            for _ in 0..300 {
                world.step(1e-3);
            }
            world.state_hash()
        };
        let first = run(&mut world);
        world.restore(&snapshot);
        assert_eq!(first, run(&mut world));
        // A world that has never seen the past goes the same way.
        let (mut fresh, _, _) = arm(Coordinates::Reduced, SolverKind::Iterative);
        fresh.parameters = world.parameters.clone();
        fresh.restore(&snapshot);
        assert_eq!(first, run(&mut fresh), "{preset:?}");
    }
}

#[test]
fn a_follower_follows() {
    for coordinates in [Coordinates::Reduced, Coordinates::Maximal] {
        for solver in [SolverKind::Direct, SolverKind::Tamsi] {
            let (mut world, _, joints) = arm(coordinates, solver);
            world.parameters.gravity = DVec3::ZERO;
            let mimic = stiction::world::Mimic {
                follower: (joints[1], 0),
                leader: (joints[0], 0),
                multiplier: -0.5,
                offset: 0.0,
                reference: 0.0,
            };
            world.add_mimic(mimic).unwrap();
            *world.joint_parameters_mut(joints[0], 0).unwrap() = AxisParameters::default().with_motor(-0.5, 50.0);
            for _ in 0..1000 {
                world.step(1e-3);
            }
            let [leader, follower] = [0, 1].map(|i| world.joint(joints[i]).unwrap().position(0));
            assert!((leader + 0.5).abs() < 0.02, "{coordinates:?} {solver:?} {leader}");
            assert!((follower + 0.5 * leader).abs() < 2e-3, "{coordinates:?} {solver:?}: {leader} {follower}");
        }
    }
}

/// States beyond all bounds stop the bodies and say so; nothing panics, and the rest of the world goes on.
#[test]
fn wild_states_of_trees_are_quarantined() {
    for preset in [Preset::OdeWorld, Preset::OdeQuick, Preset::DrakeDiscrete, Preset::DrakeContinuous] {
        for speed in [1e30, 1e160, 1e300] {
            let (mut world, bodies, _) = arm(Coordinates::Reduced, SolverKind::Iterative);
            preset.apply(&mut world.parameters);
            world.parameters.coordinates = Coordinates::Reduced;
            let mass = Shape::sphere(0.1).unwrap().mass_properties(1.0).unwrap().with_mass(1.0);
            let pose = Pose::from_position(DVec3::new(0.0, 5.0, 3.0));
            let other = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
            world.body_mut(bodies[1]).unwrap().set_omega(DVec3::splat(speed)).unwrap();
            world.body_mut(bodies[1]).unwrap().set_velocity(DVec3::splat(speed)).unwrap();
            for _ in 0..3 {
                world.step(1e-3);
            }
            for body in bodies.iter().chain([&other]) {
                let body = world.body(*body).unwrap();
                assert!(body.pose().is_finite() && body.velocity().is_finite(), "{preset:?} {speed:e}");
            }
        }
    }
}

/// Welded bodies in a ring, on the world or floating, some of it with a motor beside a weld: rows without coordinates.
#[test]
fn welded_rings_do_not_end_a_step() {
    for seed in 0..60u64 {
        let mut s = Sequence(seed);
        let count = 1 + seed as usize % 4;
        let solver = SOLVERS[(seed / 4) as usize % 4];
        for hybrid in [HybridRule::On, HybridRule::Off] {
            let mut world = world(Coordinates::Reduced, solver);
            world.parameters.hybrid = hybrid;
            world.add_geom(&GeomDefinition::new(Shape::plane(DVec3::Z, -3.0).unwrap(), None)).unwrap();
            let is_fixed = seed % 3 != 0;
            let mut last = None;
            let mut bodies = Vec::new();
            for i in 0..count {
                let body = random_body(&mut world, &mut s);
                world.add_geom(&GeomDefinition::new(Shape::sphere(0.3).unwrap(), Some(body))).unwrap();
                bodies.push(body);
                if i > 0 || is_fixed {
                    world.add_joint(JointDefinition::new(JointKind::Fixed, Some(body), last)).unwrap();
                }
                last = Some(body);
            }
            let closing = if seed % 2 == 0 { JointKind::Fixed } else { KINDS[seed as usize % 7] };
            let end = if is_fixed { None } else { bodies.first().copied().filter(|b| Some(*b) != last) };
            let mut definition = JointDefinition::new(closing, last, end).with_axis(0, DVec3::X).with_axis(1, DVec3::Y);
            definition.parameters[0] = AxisParameters::default().with_motor(1.0, 5.0).with_stops(-0.1, 0.1);
            world.add_joint(definition).unwrap();
            for _ in 0..20 {
                let report = world.step(1e-3);
                assert!(report.quarantined.is_empty(), "seed {seed} {solver:?}");
            }
            for id in bodies {
                assert!(world.body(id).unwrap().velocity().is_finite(), "seed {seed} {solver:?}");
                assert!(!is_fixed || world.body(id).unwrap().velocity().length() < 1e-9, "seed {seed} {solver:?}");
            }
        }
    }
}

/// A bar on two hinges, of which the second closes a loop and is soft, sags as bodies held by rows do, and swings alike.
#[test]
fn soft_joints_that_close_loops_keep_their_compliance() {
    for (erp, cfm) in [(0.2, 1e-2), (0.5, 1e-3), (0.2, 1.0)] {
        let run = |coordinates| {
            let mut world = world(coordinates, SolverKind::Direct);
            let shape = Shape::cuboid(DVec3::new(1.0, 0.1, 0.1)).unwrap();
            let mass = shape.mass_properties(1.0).unwrap().with_mass(1.0);
            let pose = Pose::from_position(DVec3::X * 0.5);
            let body = world.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap();
            let hinge =
                |at: DVec3| JointDefinition::new(JointKind::Hinge, Some(body), None).at(at).with_axis(0, DVec3::Y);
            world.add_joint(hinge(DVec3::ZERO)).unwrap();
            let soft = world.add_joint(hinge(DVec3::X).with_softness(erp, cfm)).unwrap();
            let mut places = Vec::new();
            for _ in 0..2000 {
                world.step(1e-3);
                places.push(world.body(body).unwrap().center_of_mass().z);
            }
            (places, world.joint(soft).unwrap().gap())
        };
        let ((reduced, gap), (maximal, expected)) = (run(Coordinates::Reduced), run(Coordinates::Maximal));
        println!("erp {erp} cfm {cfm}: gap {gap:.5} {expected:.5} m");
        // m g/2 on a joint of stiffness erp / (h cfm).
        let sag = 0.5 * 9.81 * 1e-3 * cfm / erp;
        assert!((gap / sag - 1.0).abs() < 2e-2 && (gap / expected - 1.0).abs() < 2e-2, "{gap} {expected} {sag}");
        let off = reduced.iter().zip(&maximal).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 0.03 * sag + 1e-6, "{off} of {sag}");
    }
}

/// A nut that came to half a turn was put back by a whole one: its angle was taken from its rotation alone.
#[test]
fn a_screw_of_many_turns_stays_where_it_is() {
    for held in [false, true] {
        let mut w = world(Coordinates::Reduced, SolverKind::Direct);
        w.parameters.gravity = DVec3::ZERO;
        let mass = MassProperties { mass: 1.0, center_of_mass: DVec3::ZERO, inertia: DMat3::from_diagonal(DVec3::ONE) };
        let bolt = (!held).then(|| w.add_body(&BodyDefinition { mass, ..BodyDefinition::default() }).unwrap());
        let nut = w.add_body(&BodyDefinition { mass, ..BodyDefinition::default() }).unwrap();
        let pitch = 0.3;
        w.add_joint(JointDefinition::new(JointKind::Screw { pitch }, Some(nut), bolt).with_axis(0, DVec3::X)).unwrap();
        let omega = 20.0;
        let axis = DVec3::X;
        let mut body = w.body_mut(nut).unwrap();
        body.set_velocity(pitch / std::f64::consts::TAU * omega * axis).unwrap();
        body.set_omega(omega * axis).unwrap();
        let start = w.energy().kinetic;
        let mut last = w.body(nut).unwrap().pose().position;
        for _ in 0..2000 {
            w.step(1e-3);
            let now = w.body(nut).unwrap().pose().position;
            assert!((now - last).length() < 1e-2, "held {held}: moved {} m in a step", (now - last).length());
            last = now;
        }
        assert!((w.energy().kinetic / start - 1.0).abs() < 1e-9, "held {held}: {}", w.energy().kinetic / start);
    }
}
