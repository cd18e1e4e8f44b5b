//! Rows between trees in reduced coordinates: followers of another tree, joints that a tree leaves over.

use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, Coordinates, Preset, World, WorldParameters};

/// Two weights on sliders of their own, of which one follows the other: `a = −g (M + m k) / (M + k² m)`, whichever lifts the
/// other. Each is a tree, and what one gains the other loses.
#[test]
fn a_follower_lifts_a_weight_of_another_tree() {
    for preset in [Preset::OdeQuick, Preset::Dart, Preset::DrakeDiscrete] {
        for (masses, multiplier) in [([1.0, 2.0], -0.7), ([1.0, 2.0], -2.0), ([3.0, 0.5], -1.0), ([1.0, 2.0], 0.5)] {
            let mut world = World::new(WorldParameters::default());
            preset.apply(&mut world.parameters);
            world.parameters.coordinates = Coordinates::Reduced;
            world.parameters.gravity = DVec3::new(0.0, 0.0, -9.81);
            let slider = |x: f64, mass: f64, world: &mut World| {
                let mass = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia: DMat3::IDENTITY };
                let pose = Pose::from_position(DVec3::new(x, 0.0, 0.0));
                let body = world.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap();
                let joint = JointDefinition::new(JointKind::Slider, Some(body), None).with_axis(0, DVec3::Z);
                world.add_joint(joint).unwrap()
            };
            let leader = slider(0.0, masses[0], &mut world);
            let follower = slider(1.0, masses[1], &mut world);
            let mimic = stiction::world::Mimic {
                follower: (follower, 0),
                leader: (leader, 0),
                multiplier,
                offset: 0.0,
                reference: 0.0,
            };
            world.add_mimic(mimic).unwrap();
            for _ in 0..500 {
                world.step(1e-3);
            }
            let (weight, inertia) = (masses[0] + masses[1] * multiplier, masses[0] + masses[1] * multiplier.powi(2));
            let expected = -0.5 * 9.81 * weight / inertia * 0.25;
            let found = world.joint(leader).unwrap().position(0);
            let what = format!("{preset:?} {masses:?} {multiplier}: {found} {expected}");
            assert!((found.abs() - expected.abs()).abs() < 0.003 * expected.abs().max(0.1), "{what}");
        }
    }
}

/// A door on two hinges of one axis, and two links on such hinges that are welded to each other: joints that a tree leaves over,
/// and whose rows have nothing left to move but rounding. `½ I ω² = m g (h₀ − h)` about the axis.
#[test]
fn what_hangs_on_two_hinges_of_one_axis_swings_as_on_one() {
    let axes = [DVec3::Y, DVec3::new(0.3, 1.0, -0.2).normalize(), DVec3::new(-0.7, 0.4, 0.1).normalize()];
    let cases = axes.into_iter().flat_map(|axis| [false, true].map(|is_welded| (axis, is_welded)));
    for (axis, is_welded) in cases {
        for preset in [Preset::OdeQuick, Preset::OdeWorld, Preset::Dart, Preset::DrakeDiscrete, Preset::DrakeContinuous]
        {
            for step in [1e-3_f64, 2e-4] {
                let mut world = World::new(WorldParameters::default());
                preset.apply(&mut world.parameters);
                world.parameters.coordinates = Coordinates::Reduced;
                world.parameters.gravity = DVec3::new(0.0, 0.0, -9.81);
                let inertia = DMat3::from_diagonal(DVec3::new(0.02, 0.022, 0.024));
                let body = |x: f64, mass: f64, world: &mut World| {
                    let pose = Pose::from_position(DVec3::new(x, 0.0, 0.0));
                    let mass = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia };
                    world.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap()
                };
                let first = body(0.3, 1.0, &mut world);
                let bodies =
                    if is_welded { vec![(first, 1.0), (body(0.5, 2.0, &mut world), 2.0)] } else { vec![(first, 1.0)] };
                let last = bodies[bodies.len() - 1].0;
                for (body, at) in [(first, 0.0), (last, 0.37)] {
                    let hinge = JointDefinition::new(JointKind::Hinge, Some(body), None).at(at * axis);
                    world.add_joint(hinge.with_axis(0, axis)).unwrap();
                }
                if is_welded {
                    world.add_joint(JointDefinition::new(JointKind::Fixed, Some(first), Some(last))).unwrap();
                }
                let what = format!("{preset:?} {axis} {step} welded: {is_welded}");
                // Of all bodies about the axis.
                let (mut moment, mut height, mut lever) = (0.0, 0.0, 0.0);
                for (id, mass) in &bodies {
                    let center = world.body(*id).unwrap().center_of_mass();
                    moment += axis.dot(inertia * axis) + mass * center.reject_from(axis).length_squared();
                    height += mass * center.z;
                    lever += mass * center.reject_from(axis).length();
                }
                let (mut fastest, steps) = (0.0_f64, (0.8 / step).round() as usize);
                for _ in 0..steps {
                    world.step(step);
                    let now: f64 =
                        bodies.iter().map(|(id, mass)| mass * world.body(*id).unwrap().center_of_mass().z).sum();
                    let omega = world.body(first).unwrap().omega();
                    fastest = fastest.max(omega.length());
                    let (kinetic, fallen) = (0.5 * moment * omega.length_squared(), 9.81 * (height - now));
                    assert!((kinetic - fallen).abs() < 0.03 * 9.81 * lever, "{what}: {kinetic} {fallen}");
                }
                assert!(fastest > 1.0, "{what}: {fastest}");
            }
        }
    }
}
