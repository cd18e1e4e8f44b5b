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

/// A linkage that hangs from the world by its first and last bar; joints of two kinds in turn about some axes.
fn linkage(places: &[DVec3], joints: &[(JointKind, DVec3)], is_held_high: bool) -> World {
    let mut own = world(Preset::Stiction, GRAVITY);
    let mut before = None;
    let bars: Vec<BodyId> = places.windows(2).map(|pair| add_link(&mut own, 0.5 * (pair[0] + pair[1]))).collect();
    for (k, (kind, axis)) in joints.iter().enumerate() {
        let body = bars.get(k).copied();
        let ends = if body.is_some() { [body, before] } else { [before, None] };
        let across = axis.any_orthonormal_vector();
        let joint = JointDefinition::new(*kind, ends[0], ends[1]).at(places[k]);
        own.add_joint(joint.with_axis(0, *axis).with_axis(1, across)).unwrap();
        before = body;
    }
    if !is_held_high {
        add_ground(&mut own, stiction::material::Surface::default());
        let shape = stiction::shape::Shape::sphere(0.05).unwrap();
        own.add_geom(&stiction::world::GeomDefinition::new(shape, Some(bars[0]))).unwrap();
    }
    own
}

/// A four-bar with one axis off locks as rigid bodies do, which is reported, whether it touches something at the start or not.
#[test]
fn a_four_bar_with_an_axis_off_is_reported() {
    for is_held_high in [true, false] {
        let low = if is_held_high { 0.0 } else { 0.25 };
        let places = [(0.0, 0.0), (0.1, -0.4), (0.7, -0.5), (0.6, 0.1)].map(|(x, z)| DVec3::new(x, 0.0, z + low));
        for off in [1e-4, 1e-3, 1e-2] {
            for which in 0..4 {
                for direction in [DVec3::X, DVec3::Z] {
                    let tilt = |k: usize| DVec3::Y + if k == which { off * direction } else { DVec3::ZERO };
                    let joints: Vec<_> = (0..4).map(|k| (JointKind::Hinge, tilt(k).normalize())).collect();
                    let mut own = linkage(&places, &joints, is_held_high);
                    own.step(1e-3);
                    let share = own.report().hardly_moving.map(|(_, share)| share);
                    let last = own.body_ids().last().unwrap();
                    let start = own.body(last).unwrap().center_of_mass();
                    (0..100).for_each(|_| {
                        own.step(1e-3);
                    });
                    let moved = own.body(last).unwrap().center_of_mass().distance(start) > 1e-4;
                    println!("judged: off {off:.0e} of {which} {direction}: {share:?}, moved {moved}");
                    assert!(moved || share.is_some(), "{off} of {which} {direction}: locked and silent");
                    assert!(share.is_none_or(|share| (3e-6..2e-2).contains(&share)), "{share:?}");
                }
            }
        }
    }
}

/// An exact four-bar, a parallelogram, a spatial linkage with two balls, and a slider-crank move, and are not reported.
#[test]
fn linkages_that_move_are_not_reported() {
    let (hinge, ball, slider) = (JointKind::Hinge, JointKind::Ball, JointKind::Slider);
    let (x, y) = (DVec3::X, DVec3::Y);
    let flat = |places: [(f64, f64); 4]| places.map(|(x, z)| DVec3::new(x, 0.0, z));
    let spatial = [DVec3::ZERO, DVec3::new(0.1, 0.1, -0.4), DVec3::new(0.7, 0.4, -0.5), DVec3::new(0.6, 0.3, 0.1)];
    let cases = [
        (flat([(0.0, 0.0), (0.1, -0.4), (0.7, -0.5), (0.6, 0.1)]), [(hinge, y); 4]),
        (flat([(0.0, 0.0), (0.2, -0.4), (0.8, -0.4), (0.6, 0.0)]), [(hinge, y); 4]),
        (spatial, [(hinge, y), (ball, y), (ball, y), (hinge, (x + y).normalize())]),
        (flat([(0.0, 0.0), (0.1, -0.4), (0.7, -0.5), (0.8, -0.5)]), [(hinge, y), (hinge, y), (hinge, y), (slider, x)]),
    ];
    for (number, (places, joints)) in cases.iter().enumerate() {
        let mut own = linkage(places, joints, true);
        own.step(1e-3);
        assert_eq!(own.report().hardly_moving, None, "linkage {number}");
        let first = own.body_ids().next().unwrap();
        let start = own.body(first).unwrap().center_of_mass();
        (0..300).for_each(|_| {
            own.step(1e-3);
        });
        let moved = own.body(first).unwrap().center_of_mass().distance(start);
        assert!(moved > 1e-3, "linkage {number} moves by {moved}");
    }
}
