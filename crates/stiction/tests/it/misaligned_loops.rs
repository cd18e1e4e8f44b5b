//! Loops whose joints do not quite fit, as in files with six digits: they move as if they did, or stay at rest, and the report names a joint that locks one.

use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyId, JointId, Preset, World, WorldParameters};

const TREE_ENGINES: [Preset; 3] = [Preset::Stiction, Preset::Dart, Preset::BulletFeatherstone];

fn world(preset: Preset, gravity: f64) -> World {
    let mut own = parameters();
    preset.apply(&mut own);
    World::new(WorldParameters { gravity: DVec3::new(0.0, 0.0, -gravity), ..own })
}

/// A link of 1 kg with moments of 0.01 kg m².
fn add_link(world: &mut World, at: DVec3) -> BodyId {
    let mass =
        MassProperties { mass: 1.0, center_of_mass: DVec3::ZERO, inertia: DMat3::from_diagonal(DVec3::splat(0.01)) };
    world.add_body(&BodyDefinition { mass, pose: Pose::from_position(at), ..BodyDefinition::default() }).unwrap()
}

fn hinge(first: BodyId, second: Option<BodyId>, at: DVec3) -> JointDefinition {
    JointDefinition::new(JointKind::Hinge, Some(first), second).at(at).with_axis(0, DVec3::Y)
}

fn kinetic_energy(world: &World) -> f64 {
    let of = |id: BodyId| {
        let body = world.body(id).unwrap();
        0.5 * body.mass() * body.velocity().length_squared() + 0.005 * body.omega().length_squared()
    };
    world.body_ids().map(of).sum()
}

/// Two bodies on two parallel hinges, of which the second is made for another distance: nothing moves.
#[test]
fn what_does_not_fit_is_no_source_of_energy() {
    for preset in TREE_ENGINES {
        for step in [1e-3, 1.0 / 240.0, 1.0 / 60.0] {
            for off in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE, DVec3::new(1.0, 2.0, -0.3)] {
                for size in [1e-9, 1e-6, 1e-4, 1e-3] {
                    let mut own = world(preset, 0.0);
                    let [a, b] = [0.0, 0.4].map(|x| add_link(&mut own, DVec3::new(x, 0.0, 0.0)));
                    own.add_joint(hinge(b, Some(a), DVec3::new(0.2, 0.0, 0.0))).unwrap();
                    let at = DVec3::new(0.5, 0.0, 0.1);
                    own.add_joint(hinge(b, Some(a), at).with_second_anchor(at + size * off)).unwrap();
                    let mut most = 0.0f64;
                    for _ in 0..(0.5 / step) as u32 {
                        own.step(step);
                        most = kinetic_energy(&own).max(most);
                    }
                    // By half the way in ten steps, at most.
                    let bound = 1e-20 + (0.1 * size / step).powi(2);
                    assert!(most < bound, "{preset:?} {step} {off} {size}: {most} J");
                }
            }
        }
    }
}

fn door(preset: Preset, off: f64) -> (World, BodyId, JointId) {
    let mut own = world(preset, GRAVITY);
    let link = add_link(&mut own, DVec3::new(0.5, 0.0, 0.0));
    own.add_joint(hinge(link, None, DVec3::ZERO)).unwrap();
    let second = own.add_joint(hinge(link, None, DVec3::new(0.0, 0.1, off))).unwrap();
    (own, link, second)
}

/// A door on two hinges falls as on one. On misaligned hinges it is locked, and the report names the joint.
#[test]
fn hinges_of_one_axis_need_not_be_in_line_to_the_last_digit() {
    for preset in TREE_ENGINES {
        let heights: Vec<f64> = [0.0, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6]
            .into_iter()
            .map(|off| {
                let (mut own, link, _) = door(preset, off);
                own.step(1e-3);
                assert_eq!(own.report().hardly_moving, None, "{preset:?} {off}");
                (0..199).for_each(|_| {
                    own.step(1e-3);
                });
                own.body(link).unwrap().center_of_mass().z
            })
            .collect();
        assert!((heights[0] + 0.184).abs() < 1e-3, "{preset:?} {heights:?}");
        assert!(heights.iter().all(|z| (z - heights[0]).abs() < 1e-5), "{preset:?} {heights:?}");

        let (mut own, link, second) = door(preset, 1e-3);
        own.step(1e-3);
        let (joint, share) = own.report().hardly_moving.expect("a locked door");
        assert!(joint == second && (1e-4..5e-3).contains(&share), "{preset:?} {share}");
        (0..199).for_each(|_| {
            own.step(1e-3);
        });
        assert_eq!(own.report().hardly_moving, None, "it is reported once");
        assert!(own.body(link).unwrap().center_of_mass().z.abs() < 1e-3, "{preset:?}");
    }
}

/// A four-bar whose last hinge is off along its axis moves as one that fits.
#[test]
fn a_four_bar_off_along_its_axes_moves() {
    for preset in TREE_ENGINES {
        let ends: Vec<DVec3> = [0.0, 1e-9, 1e-6, 1e-4, 1e-3]
            .into_iter()
            .map(|off| {
                let mut own = world(preset, GRAVITY);
                let at = [(0.2, 0.0), (0.4, 0.3), (0.2, 0.6)].map(|(x, z)| DVec3::new(x, 0.0, z));
                let [a, b, c] = at.map(|at| add_link(&mut own, at));
                own.add_joint(hinge(a, None, DVec3::ZERO)).unwrap();
                own.add_joint(hinge(b, Some(a), DVec3::new(0.4, 0.0, 0.0))).unwrap();
                own.add_joint(hinge(c, Some(b), DVec3::new(0.4, 0.0, 0.6))).unwrap();
                let last = DVec3::new(0.0, 0.0, 0.6);
                own.add_joint(hinge(c, None, last).with_second_anchor(last + off * DVec3::Y)).unwrap();
                for _ in 0..300 {
                    own.step(1e-3);
                    assert_eq!(own.report().hardly_moving, None, "{preset:?} {off}");
                }
                own.body(b).unwrap().center_of_mass()
            })
            .collect();
        assert!((ends[0] - DVec3::new(0.4, 0.0, 0.3)).length() > 0.2, "{preset:?} {ends:?}");
        assert!(ends.iter().all(|end| (*end - ends[0]).length() < 2e-3), "{preset:?} {ends:?}");
    }
}
