//! Screws, planar joints and joints that slide and turn in trees under sub-steps, with nothing that touches them and on a base in contact: closed forms, and
//! laws of their motions beside those of rows.

use super::flow::world;
use super::joint_kinds_in_flow::KINDS;
use super::support::*;
use stiction::joints::{AxisParameters, Drive, DriveGains, JointDefinition, JointKind, Motor};
use stiction::material::Surface;
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyId, Preset, World};

fn add_body(world: &mut World, mass: f64, moments: DVec3, pose: Pose) -> BodyId {
    let mass = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia: DMat3::from_diagonal(moments) };
    world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap()
}

/// A heavy box that rests on the ground, or nothing, for a mechanism to hang on.
fn add_base(world: &mut World, is_in_contact: bool) -> Option<BodyId> {
    is_in_contact.then(|| {
        add_ground(world, Surface { friction: [10.0; 2], ..Surface::default() });
        add_box(world, DVec3::new(4.0, 4.0, 1.0), 1e3, DVec3::new(0.0, 0.0, 0.5), 10.0)
    })
}

/// A nut on an upright screw: `(m lead² + I + J) θ̈ = −m g lead` with a rotor J; on the world and on a base on the ground, for many turns.
#[test]
fn a_nut_runs_down_its_screw() {
    for is_in_contact in [false, true] {
        for (pitch, rotor) in [(0.1, 0.0), (-0.1, 0.0), (0.02, 0.0), (0.1, 0.003), (1.0, 0.1)] {
            for (is_first, step) in [(true, 1e-3), (false, 1e-3), (true, 1.0 / 240.0)] {
                let mut own = world();
                let base = add_base(&mut own, is_in_contact);
                let place = Pose::from_position(DVec3::new(0.0, 0.0, 30.0));
                let nut = add_body(&mut own, 2.0, DVec3::new(0.01, 0.01, 0.004), place);
                let ends = if is_first { [Some(nut), base] } else { [base, Some(nut)] };
                let kind = JointKind::Screw { pitch };
                let mut joint = JointDefinition::new(kind, ends[0], ends[1]).at(place.position).with_axis(0, DVec3::Z);
                joint.parameters[0].armature = rotor;
                let joint = own.add_joint(joint).unwrap();
                let lead = pitch / std::f64::consts::TAU;
                let time = 2.0;
                for _ in 0..(time / step) as usize {
                    own.step(step);
                }
                let time = step * (time / step).floor();
                let fall = -GRAVITY / (1.0 + (0.004 + rotor) / (2.0 * lead * lead));
                let sign = if is_first { 1.0 } else { -1.0 };
                let body = own.body(nut).unwrap();
                let z = body.center_of_mass().z - 30.0;
                let joint = own.joint(joint).unwrap();
                let case = format!("contact {is_in_contact}, pitch {pitch}, rotor {rotor}, first {is_first}, {step}");
                // The base sinks by what a contact at rest does, and bodies in contact turn by 2 atan(h ω/2) in a step.
                let (sinks, turned) = if is_in_contact { (1e-4, 0.02) } else { (0.0, 1e-9) };
                let expected = 0.5 * fall * time * time;
                assert!((z - expected).abs() < turned * expected.abs() + sinks, "{case}: {z} {expected}");
                assert!(
                    (body.velocity().z / (fall * time) - 1.0).abs() < 1e-9 + 10.0 * sinks,
                    "{case}: {} {}",
                    body.velocity().z,
                    fall * time
                );
                // Body and joint agree, however many turns it has made.
                let turns = joint.position(0);
                assert!((lead * turns - sign * z).abs() < 1e-9 + sinks, "{case}: {turns} {z}");
                assert!(joint.gap() < 1e-9, "{case}");
            }
        }
    }
}

/// A body on an upright piston falls freely and keeps its turn; on an upright plane it falls freely, keeps its speed along it, and its turn.
#[test]
fn what_slides_falls_freely_and_what_turns_goes_on() {
    for is_in_contact in [false, true] {
        for kind in [JointKind::Piston, JointKind::Planar, JointKind::PrismaticRotoide, JointKind::PrismaticUniversal] {
            let mut own = world();
            let base = add_base(&mut own, is_in_contact);
            let place = Pose::from_position(DVec3::new(0.0, 0.0, 30.0));
            let body = add_body(&mut own, 2.0, DVec3::splat(0.01), place);
            let axes = match kind {
                JointKind::Piston => [DVec3::Z; 3],
                JointKind::Planar => [DVec3::Y, DVec3::X, DVec3::Z],
                JointKind::PrismaticRotoide => [DVec3::Z, DVec3::Y, DVec3::X],
                _ => [DVec3::X, DVec3::Y, DVec3::Z],
            };
            // Of joints whose first body carries the direction that is the base, so that it stays upright.
            let is_first = !matches!(kind, JointKind::PrismaticRotoide | JointKind::PrismaticUniversal);
            let ends = if is_first { [Some(body), base] } else { [base, Some(body)] };
            let mut joint = JointDefinition::new(kind, ends[0], ends[1]).at(place.position);
            joint.axes = axes;
            let joint = own.add_joint(joint).unwrap();
            let (velocity, omega) = match kind {
                JointKind::Piston => (DVec3::ZERO, 5.0 * DVec3::Z),
                JointKind::Planar => (DVec3::X, 5.0 * DVec3::Y),
                _ => (DVec3::ZERO, 5.0 * DVec3::Y),
            };
            own.body_mut(body).unwrap().set_velocity(velocity).unwrap();
            own.body_mut(body).unwrap().set_omega(omega).unwrap();
            for _ in 0..1000 {
                own.step(1e-3);
            }
            let sinks = if is_in_contact { 1e-4 } else { 0.0 };
            let now = own.body(body).unwrap();
            let expected = place.position + velocity - 0.5 * GRAVITY * DVec3::Z;
            assert!((now.center_of_mass() - expected).length() < 1e-9 + sinks, "{kind:?}: {}", now.center_of_mass());
            assert!((now.omega() - omega).length() < 1e-9 + 1e3 * sinks, "{kind:?}: {}", now.omega());
            let (joint, sign) = (own.joint(joint).unwrap(), if is_first { 1.0 } else { -1.0 });
            let fall = -sign * 0.5 * GRAVITY;
            let positions = [0, 1, 2].map(|k| joint.position(k));
            let wanted = match kind {
                JointKind::Piston => [fall, 5.0, 0.0],
                // Axis 2 is y × x = −z.
                JointKind::Planar => [1.0, -fall, 5.0],
                JointKind::PrismaticRotoide => [fall, -5.0, 0.0],
                _ => [0.0, -5.0, fall],
            };
            for k in 0..3 {
                assert!((positions[k] - wanted[k]).abs() < 1e-8 + 1e3 * sinks, "{kind:?}: {positions:?} {wanted:?}");
            }
        }
    }
}

/// A rod that slides through an eye and turns in it keeps `L = (I + m x²) θ̇` and `E = m ẋ²/2 + L²/(2 (I + m x²))`.
#[test]
fn a_rod_slides_through_an_eye() {
    for kind in [JointKind::PrismaticRotoide, JointKind::PrismaticUniversal] {
        let mut own = world();
        own.parameters.gravity = DVec3::ZERO;
        let rod = add_body(&mut own, 2.0, DVec3::new(0.001, 0.1, 0.1), Pose::from_position(0.3 * DVec3::X));
        let mut joint = JointDefinition::new(kind, Some(rod), None).at(DVec3::ZERO);
        joint.axes = match kind {
            JointKind::PrismaticRotoide => [DVec3::X, DVec3::Z, DVec3::Y],
            _ => [DVec3::Y, DVec3::Z, DVec3::X],
        };
        let joint = own.add_joint(joint).unwrap();
        let (rate, speed) = (3.0, -1.0);
        own.body_mut(rod).unwrap().set_omega(rate * DVec3::Z).unwrap();
        own.body_mut(rod).unwrap().set_velocity(DVec3::new(speed, 0.3 * rate, 0.0)).unwrap();
        let momentum = (0.1 + 2.0 * 0.09) * rate;
        let energy = 0.5 * 2.0 * speed * speed + 0.5 * momentum * rate;
        let [slide, turn] = if kind == JointKind::PrismaticRotoide { [0, 1] } else { [2, 1] };
        for _ in 0..1000 {
            own.step(1e-3);
            let joint = own.joint(joint).unwrap();
            let along = own.body(rod).unwrap().pose().rotation * DVec3::X;
            let x = along.dot(own.body(rod).unwrap().center_of_mass());
            let about = 0.1 + 2.0 * x * x;
            assert!((joint.rate(turn) * about - momentum).abs() < 1e-5, "{kind:?}: {}", joint.rate(turn));
            let expected = energy - 0.5 * momentum * momentum / about;
            assert!((joint.rate(slide).powi(2) - expected).abs() < 1e-5, "{kind:?}: {} {expected}", joint.rate(slide));
            assert!((joint.position(slide) - (x - 0.3)).abs() < 1e-6, "{kind:?}");
        }
    }
}

/// Laws of one motion, by what they are.
fn laws_of_a_motion() -> [(&'static str, AxisParameters); 9] {
    let plain = AxisParameters::default();
    let drive = Drive::new(0.2, 0.0, DriveGains::Soft { stiffness: 30.0, damping: 2.0 });
    [
        ("none", plain),
        ("motor of bounded force", plain.with_motor(1.5, 2.0)),
        ("motor", plain.with_motor(-0.8, f64::INFINITY)),
        ("stops", plain.with_stops(-0.05, 0.08)),
        ("spring", AxisParameters { stiffness: 40.0, spring_reference: 0.1, ..plain }),
        ("damper", AxisParameters { damping: 1.5, ..plain }),
        ("friction", AxisParameters { friction: 0.7, ..plain }),
        ("drive", AxisParameters { drive: Some(drive), ..plain }),
        (
            "motor against a stop",
            AxisParameters {
                motor: Motor { velocity: 2.0, max_force: 30.0, ..Motor::default() },
                ..plain.with_stops(-1.0, 0.1)
            },
        ),
    ]
}

/// Positions and rates of the motions of a body on a base, with a second body on a hinge, after a time. In contact the base lies on the ground.
fn pair_with_law(
    (preset, is_in_contact): (Preset, bool),
    (kind, is_first): (JointKind, bool),
    (axis, law): (usize, AxisParameters),
    (step, time): (f64, f64),
) -> [f64; 6] {
    let mut parameters = parameters();
    preset.apply(&mut parameters);
    parameters.gravity = DVec3::new(0.0, 0.0, -GRAVITY);
    parameters.sleeping = false;
    let mut own = World::new(parameters);
    let base = add_base(&mut own, is_in_contact);
    let at = DVec3::new(0.1, -0.2, 30.0);
    let turned = |turn: DVec3, at| Pose::new(at, DQuat::from_scaled_axis(turn));
    let body = add_body(
        &mut own,
        1.3,
        DVec3::new(0.03, 0.05, 0.06),
        turned(DVec3::new(0.4, -0.7, 0.2), at + DVec3::new(0.1, 0.05, -0.15)),
    );
    let ends = if is_first { [Some(body), base] } else { [base, Some(body)] };
    let mut joint = JointDefinition::new(kind, ends[0], ends[1]).at(at);
    joint.axes = [DVec3::new(0.3, 0.1, 1.0), DVec3::new(0.2, 1.0, -0.3), DVec3::new(1.0, 0.2, 0.4)];
    joint.parameters[axis] = law;
    let joint = own.add_joint(joint).unwrap();
    let second =
        add_body(&mut own, 0.4, DVec3::new(0.004, 0.003, 0.002), turned(DVec3::X, at + DVec3::new(0.3, 0.1, -0.2)));
    let hinge = JointDefinition::new(JointKind::Hinge, Some(second), Some(body)).at(at + DVec3::new(0.2, 0.1, -0.15));
    own.add_joint(hinge.with_axis(0, DVec3::new(0.5, -0.4, 1.0))).unwrap();
    for _ in 0..(time / step).round() as usize {
        own.step(step);
    }
    let joint = own.joint(joint).unwrap();
    std::array::from_fn(|k| if k < 3 { joint.position(k) } else { joint.rate(k - 3) })
}

/// Laws act on the motions of these joints as where joints are rows, on a base of the world and on one in contact.
#[test]
fn laws_act_as_where_joints_are_rows() {
    let mut failures = Vec::new();
    for kind in &KINDS[5..] {
        let motions = match kind {
            JointKind::Screw { .. } => 1,
            JointKind::Piston | JointKind::PrismaticRotoide => 2,
            _ => 3,
        };
        for is_first in [true, false].into_iter().filter(|is_first| *is_first || *kind != JointKind::Planar) {
            for axis in 0..motions {
                for (name, law) in laws_of_a_motion() {
                    let (case, time) = ((*kind, is_first), 0.4);
                    let of = |scene, step| pair_with_law(scene, case, (axis, law), (step, time));
                    let rows = [of((Preset::OdeWorld, false), 2e-4), of((Preset::OdeWorld, false), 1e-4)];
                    // Rows are of first order.
                    let exact: [f64; 6] = std::array::from_fn(|k| 2.0 * rows[1][k] - rows[0][k]);
                    for (is_in_contact, step, bound) in [(false, 1e-3, 1e-2), (true, 1e-3, 3e-2)] {
                        let found = of((Preset::Stiction, is_in_contact), step);
                        let scale = exact.iter().fold(1.0f64, |most, x| most.max(x.abs()));
                        let off = (0..6).map(|k| (found[k] - exact[k]).abs()).fold(0.0, f64::max) / scale;
                        if off > bound || off.is_nan() {
                            failures.push(format!("{kind:?} first {is_first} motion {axis} {name} contact {is_in_contact}: {off:.1e} {found:.4?} {exact:.4?}"));
                        }
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} {failures:#?}", failures.len());
}

/// A body in a plane of the world goes on in it, though gravity pulls it out.
#[test]
fn a_body_in_a_plane_stays_there() {
    let mut own = world();
    let body = add_body(&mut own, 2.0, DVec3::new(0.01, 0.02, 0.03), Pose::from_position(DVec3::Z));
    let joint = own.add_joint(JointDefinition::new(JointKind::Plane2D, Some(body), None)).unwrap();
    own.body_mut(body).unwrap().set_velocity(DVec3::new(1.0, -2.0, 0.0)).unwrap();
    own.body_mut(body).unwrap().set_omega(4.0 * DVec3::Z).unwrap();
    for _ in 0..1000 {
        own.step(1e-3);
    }
    assert!((own.body(body).unwrap().center_of_mass() - DVec3::new(1.0, -2.0, 1.0)).length() < 1e-11);
    let joint = own.joint(joint).unwrap();
    let positions = [0, 1, 2].map(|k| joint.position(k));
    assert!((DVec3::from(positions) - DVec3::new(1.0, -2.0, 4.0)).length() < 1e-10, "{positions:?}");
}

/// A Hinge-2 without a suspension is a universal joint; one that is sprung stays rows, and swings on its spring.
#[test]
fn a_hinge_2_without_a_suspension_is_a_universal_joint() {
    for preset in [Preset::Stiction, Preset::Dart, Preset::BulletFeatherstone] {
        for case in 0..20 {
            let run = |kind, suspension_cfm| {
                let mut parameters = parameters();
                preset.apply(&mut parameters);
                parameters.sleeping = false;
                let mut own = World::new(parameters);
                let mut numbers = Sequence(case + 3);
                let bodies = [0.0, 0.4, 0.8].map(|x| {
                    let pose = Pose::new(DVec3::new(x, 0.0, 0.0), numbers.rotation());
                    add_body(&mut own, 1.0 + 0.5 * numbers.next(), DVec3::new(0.02, 0.03, 0.04), pose)
                });
                own.add_joint(JointDefinition::new(JointKind::Hinge, Some(bodies[0]), None).with_axis(0, DVec3::Y))
                    .unwrap();
                for number in 1..3 {
                    let [a, b] = if case % 2 == 0 { [number - 1, number] } else { [number, number - 1] };
                    let at = DVec3::new(0.4 * number as f64 - 0.2, 0.0, 0.0);
                    let mut joint = JointDefinition::new(kind, Some(bodies[a]), Some(bodies[b])).at(at);
                    joint.axes[0] = numbers.vector().normalize();
                    joint.axes[1] = joint.axes[0].any_orthonormal_vector();
                    joint.parameters[1] =
                        AxisParameters { stiffness: 2.0, armature: 0.01, ..AxisParameters::default() };
                    joint.suspension_cfm = suspension_cfm;
                    own.add_joint(joint).unwrap();
                }
                (0..500).for_each(|_| {
                    own.step(1e-3);
                });
                bodies.map(|id| (own.body(id).unwrap().pose(), own.body(id).unwrap().velocity()))
            };
            let universal = run(JointKind::Universal, None);
            assert_eq!(run(JointKind::Hinge2, None), universal, "{preset:?} {case}");
            assert_ne!(run(JointKind::Hinge2, Some(1e-3)), universal, "{preset:?} {case}");
        }
    }
}
