//! Contacts beside joints that leave them no motion: what is welded to the world and stands in the ground carries no
//! preload, and what can still move rests on its contacts.

use super::support::*;
use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::material::{Surface, SurfaceCompliance};
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyId, Coordinates, HybridRule, SolverKind, World, WorldParameters};

const RULES: [(SolverKind, HybridRule, Coordinates); 5] = [
    (SolverKind::Iterative, HybridRule::Unsolved, Coordinates::Maximal),
    (SolverKind::Iterative, HybridRule::Off, Coordinates::Maximal),
    (SolverKind::Direct, HybridRule::Off, Coordinates::Maximal),
    (SolverKind::Iterative, HybridRule::Off, Coordinates::Reduced),
    (SolverKind::Direct, HybridRule::Off, Coordinates::Reduced),
];
const SIDES: DVec3 = DVec3::new(0.3, 0.2, 0.6);

/// Hard contacts, and those of a file that says nothing of them (SDFormat's kp = 1e12 N/m, kd = 1 N s/m).
fn surfaces() -> [Surface; 2] {
    let stiff = SurfaceCompliance::Spring { stiffness: 1e12, damping: 1.0 };
    [Surface::default(), Surface { compliance: Some(stiff), ..Surface::default() }]
}

fn world(rule: (SolverKind, HybridRule, Coordinates), surface: Surface) -> World {
    let (solver, hybrid, coordinates) = rule;
    let mut world = World::new(WorldParameters { solver, hybrid, coordinates, ..parameters() });
    add_ground(&mut world, surface);
    world
}

/// A column that stands on the ground, or in it, turned about the vertical.
fn column(world: &mut World, surface: Surface, overlap: f64, yaw: f64, at: DVec3) -> BodyId {
    let pose = Pose::new(at + DVec3::Z * (0.5 * SIDES.z - overlap), DQuat::from_rotation_z(yaw));
    add_shape(world, Shape::cuboid(SIDES).unwrap(), 8.0, pose, surface)
}

/// An arm on a horizontal hinge at the top of a body: it swings, and shakes what holds it.
fn swinging_arm(world: &mut World, holder: BodyId) -> BodyId {
    let top = world.body(holder).unwrap().pose().position + DVec3::Z * 0.5 * SIDES.z;
    let mass = box_mass(DVec3::new(0.6, 0.05, 0.05), 2.0);
    let pose = Pose::from_position(top + DVec3::X * 0.3);
    let arm = world.add_body(&stiction::world::BodyDefinition { pose, mass, ..Default::default() }).unwrap();
    world
        .add_joint(JointDefinition::new(JointKind::Hinge, Some(arm), Some(holder)).at(top).with_axis(0, DVec3::Y))
        .unwrap();
    arm
}

/// Total upward force of the ground \[N\].
fn support(world: &World) -> f64 {
    world.contact_reports().iter().map(|contact| contact.force.z.abs()).sum()
}

/// Runs; the largest force of the ground, and the largest share of the energy in play that was made.
fn shaken(world: &mut World, steps: usize) -> (f64, f64) {
    let start = world.energy();
    let (mut force, mut rise, mut scale) = (0.0f64, 0.0f64, 1e-3f64);
    for _ in 0..steps {
        assert!(world.step(1e-3).quarantined.is_empty());
        force = force.max(support(world));
        let now = world.energy();
        scale = scale.max(now.kinetic);
        rise = rise.max((now.kinetic + now.gravitational - start.kinetic - start.gravitational) / scale);
    }
    (force, rise)
}

#[test]
fn what_is_held_by_joints_in_the_ground_carries_no_preload_and_makes_no_energy() {
    let mut numbers = Sequence(5);
    for case in 0..60 {
        let kind = [JointKind::Fixed, JointKind::Hinge, JointKind::Slider, JointKind::Planar][case % 4];
        let rule = RULES[case % RULES.len()];
        let surface = surfaces()[case / 4 % 2];
        let overlap = [0.0, 1e-6, 1e-4, 1e-3, 2e-2][case / 8 % 5];
        let mut world = world(rule, surface);
        let at = 3.0 * DVec3::new(numbers.next(), numbers.next(), 0.0);
        let column = column(&mut world, surface, overlap, 3.0 * numbers.next(), at);
        let axis = match kind {
            JointKind::Slider => DQuat::from_rotation_z(3.0 * numbers.next()) * DVec3::X,
            _ => DVec3::Z,
        };
        let anchor = at + DVec3::new(numbers.next(), numbers.next(), 0.5);
        let joint = JointDefinition::new(kind, Some(column), None).at(anchor).with_axis(0, axis);
        world.add_joint(joint).unwrap();
        swinging_arm(&mut world, column);
        let (force, rise) = shaken(&mut world, 1500);
        let z = world.body(column).unwrap().pose().position.z;
        assert!(force == 0.0, "{case} {kind:?} {rule:?} {overlap}: {force} N");
        assert!(rise < 0.02, "{case} {kind:?} {rule:?} {overlap}: made {rise}");
        assert!((z - 0.5 * SIDES.z + overlap).abs() < 1e-3, "{case} {kind:?} {rule:?} {overlap}: at {z}");
    }
}

#[test]
fn a_motion_that_has_no_range_blocks_too() {
    for rule in RULES {
        for surface in surfaces() {
            let mut world = world(rule, surface);
            let column = column(&mut world, surface, 1e-3, 0.0, DVec3::ZERO);
            let locked = AxisParameters::default().with_stops(0.0, 0.0);
            let joint = JointDefinition::new(JointKind::Hinge, Some(column), None).at(DVec3::new(0.0, 0.0, 0.3));
            world.add_joint(joint.with_axis(0, DVec3::Y).with_parameters(0, locked)).unwrap();
            swinging_arm(&mut world, column);
            let (force, rise) = shaken(&mut world, 3000);
            assert!(force == 0.0 && rise < 0.02, "{rule:?} {surface:?}: {force} N, made {rise}");
        }
    }
}

#[test]
fn a_chain_of_joints_blocks_what_each_of_them_blocks() {
    for rule in RULES {
        for last_moves in [false, true] {
            // Two vertical hinges one after the other keep a link at its height; with a horizontal one last it rests.
            let surface = Surface { friction: [0.0; 2], ..Surface::default() };
            let mut world = world(rule, surface);
            let first = column(&mut world, surface, 1e-3, 0.0, DVec3::ZERO);
            let second = column(&mut world, surface, 1e-3, 0.0, DVec3::X);
            let hinge = |child, parent, at, axis| {
                JointDefinition::new(JointKind::Hinge, Some(child), parent).at(at).with_axis(0, axis)
            };
            world.add_joint(hinge(first, None, DVec3::new(-0.3, 0.0, 0.3), DVec3::Z)).unwrap();
            let axis = if last_moves { DVec3::Y } else { DVec3::Z };
            world.add_joint(hinge(second, Some(first), DVec3::new(0.5, 0.0, 0.3), axis)).unwrap();
            let (force, rise) = shaken(&mut world, 1000);
            if last_moves {
                // Moments about the hinge: the weight at 0.5 m, the support at 0.5 ± 0.15 m.
                let end = support(&world);
                assert!(end > 0.7 * 8.0 * GRAVITY && end < 1.5 * 8.0 * GRAVITY, "{rule:?}: {end} N");
            } else {
                assert!(force == 0.0, "{rule:?}: {force} N");
                assert!(rise < 0.02, "{rule:?}: made {rise}");
            }
        }
    }
}

#[test]
fn what_a_joint_lets_move_along_the_normal_rests_on_its_contacts() {
    let weight = 8.0 * GRAVITY;
    for rule in RULES {
        for (kind, axis) in [
            (JointKind::Slider, DVec3::Z),
            (JointKind::Slider, DVec3::new(0.6, 0.0, 0.8)),
            (JointKind::Hinge, DVec3::Y),
        ] {
            let mut world = world(rule, Surface { friction: [0.0; 2], ..Surface::default() });
            let column =
                column(&mut world, Surface { friction: [0.0; 2], ..Surface::default() }, 0.0, 0.0, DVec3::ZERO);
            let joint =
                JointDefinition::new(kind, Some(column), None).at(DVec3::new(-2.0, 0.0, 0.3)).with_axis(0, axis);
            world.add_joint(joint).unwrap();
            for _ in 0..2000 {
                world.step(1e-3);
            }
            let force = support(&world);
            let (least, most) = match kind {
                // The moment of the weight about the hinge, over the arms of the near and the far edge.
                JointKind::Hinge => (weight * 2.0 / 2.15, weight * 2.0 / 1.85),
                _ => (weight, weight),
            };
            assert!(
                force > 0.999 * least && force < 1.001 * most,
                "{kind:?} {axis} {rule:?}: {force} N of {least} to {most}"
            );
        }
    }
}

#[test]
fn a_contact_that_is_a_spring_presses_although_joints_hold_it() {
    // 1 mm into a spring of 2e4 N/m a point; a step of 1 ms shows it.
    let spring = SurfaceCompliance::Spring { stiffness: 2e4, damping: 100.0 };
    let surface = Surface { compliance: Some(spring), ..Surface::default() };
    let mut world = world(RULES[2], surface);
    let column = column(&mut world, surface, 1e-3, 0.0, DVec3::ZERO);
    world.add_joint(JointDefinition::new(JointKind::Fixed, Some(column), None)).unwrap();
    for _ in 0..500 {
        world.step(1e-3);
    }
    let told = support(&world);
    assert!((told - 4.0 * 10.0).abs() < 0.1, "{told} N");
}

#[test]
fn a_weld_that_is_taken_away_leaves_a_body_on_its_contacts() {
    for rule in RULES {
        let mut world = world(rule, Surface::default());
        let column = column(&mut world, Surface::default(), 1e-4, 0.0, DVec3::ZERO);
        let weld = world.add_joint(JointDefinition::new(JointKind::Fixed, Some(column), None)).unwrap();
        for _ in 0..100 {
            world.step(1e-3);
        }
        assert!(support(&world) == 0.0);
        assert!(world.remove_joint(weld));
        for _ in 0..1000 {
            world.step(1e-3);
        }
        let force = support(&world);
        assert!((force - 8.0 * GRAVITY).abs() < 0.1, "{rule:?}: {force} N");
    }
}
