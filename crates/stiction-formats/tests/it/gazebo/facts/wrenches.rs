//! Forces and torques in joints.

use super::sdf::{GROUND, inertial, joint, link, model, world};
use crate::gazebo::support::{ENGINES, Run};
use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, World, WorldParameters};

/// Wrench of a joint as Gazebo tells it: on the parent, and on the child, each in the frame of its link and about the joint's anchor;
/// of a joint to the world in the world's axes. Gazebo's `body1` is the child and its `body2` the parent.
struct Wrench {
    force: [DVec3; 2],
    torque: [DVec3; 2],
}

fn wrench(run: &Run, name: &str, child: &str, parent: Option<&str>) -> Wrench {
    let world = &run.simulation.world;
    let joint = world.joint(run.simulation.joint(name).unwrap().id.unwrap()).unwrap();
    let feedback = joint.feedback();
    let side = |k: usize, link: Option<&str>| {
        let frame = link.map_or(Pose::IDENTITY, |link| run.pose(link));
        // The torque of the feedback is about the centre of mass, or the origin of the world: τ_A = τ + (c − A) × f.
        let center = link.map_or(DVec3::ZERO, |link| world.body(run.body(link)).unwrap().center_of_mass());
        let torque = feedback.torques[k] + (center - joint.anchor(0)).cross(feedback.forces[k]);
        (frame.inverse().direction(feedback.forces[k]), frame.inverse().direction(torque))
    };
    let ((f1, t1), (f2, t2)) = (side(0, Some(child)), side(1, parent));
    Wrench { force: [f1, f2], torque: [t1, t2] }
}

fn near(what: &str, found: DVec3, expected: [f64; 3], tolerance: [f64; 3]) {
    let errors = (found - DVec3::from_array(expected)).abs().to_array();
    let worst = errors.iter().zip(tolerance).map(|(error, bound)| error / bound).fold(0.0, f64::max);
    println!("T34 {what}: {found:.6}, {worst:.1e} of the tolerance");
    assert!(worst <= 1.0, "{what}: {found} {expected:?}");
}

#[test]
fn t34_stacked_bodies_weigh_on_their_joints() {
    for engine in ENGINES {
        let Some(mut run) = Run::test_world(engine, "force_torque_test.world") else { return };
        run.simulation.world.parameters.gravity = DVec3::new(0.0, 0.0, -50.0);
        run.steps(1);
        for _ in 0..10 {
            run.steps(1);
        }
        for (name, child, parent, weight) in [
            ("model_1::joint_01", "model_1::link_1", None, 1000.0),
            ("model_1::joint_12", "model_1::link_2", Some("model_1::link_1"), 500.0),
        ] {
            let found = wrench(&run, name, child, parent);
            near(&format!("{engine} {name} force"), found.force[0], [0.0, 0.0, weight], [1e-3; 3]);
            near(&format!("{engine} {name} torque"), found.torque[0], [0.0; 3], [1e-3; 3]);
            near(&format!("{engine} {name} reaction"), found.force[1], [0.0, 0.0, -weight], [1e-3; 3]);
        }
    }
}

#[test]
fn t34_bodies_that_tip_over_lie_on_the_stops() {
    for engine in ENGINES {
        let Some(mut run) = Run::test_world(engine, "force_torque_test.world") else { return };
        run.simulation.world.parameters.gravity = DVec3::new(0.0, 0.0, -50.0);
        run.steps(1);
        run.simulation.world.parameters.gravity = DVec3::new(-30.0, 10.0, -50.0);
        for name in ["model_1::joint_01", "model_1::joint_12"] {
            run.parameters(name, 0).stop_erp = Some(0.02);
        }
        run.steps(2001);
        let found = wrench(&run, "model_1::joint_01", "model_1::link_1", None);
        near(&format!("{engine} joint 01 force"), -found.force[1], [600.0, -200.0, 1000.0], [6.0, 10.0, 2.0]);
        near(&format!("{engine} joint 01 torque"), -found.torque[1], [750.0, 0.0, -450.0], [7.5, 4.5, 0.1]);
        near(&format!("{engine} joint 01 on link 1"), -found.force[0], [-600.0, 1000.0, 200.0], [6.0, 10.0, 8.6]);
        near(&format!("{engine} joint 01 torque on link 1"), -found.torque[0], [-750.0, -450.0, 0.0], [7.5, 4.5, 0.1]);
        let found = wrench(&run, "model_1::joint_12", "model_1::link_2", Some("model_1::link_1"));
        near(&format!("{engine} joint 12 force"), found.force[0], [300.0, -500.0, -100.0], [3.0, 5.0, 4.3]);
        near(&format!("{engine} joint 12 torque"), found.torque[0], [250.0, 150.0, 0.0], [5.0, 3.0, 0.1]);
        near(&format!("{engine} joint 12 reaction"), found.force[1] + found.force[0], [0.0; 3], [0.1; 3]);
    }
}

#[test]
fn t34_boxes_held_by_controllers() {
    let moments = [1.0; 3];
    let feedback =
        "<physics><provide_feedback>true</provide_feedback><ode><cfm_damping>true</cfm_damping></ode></physics>";
    let hinge = |name: &str, parent: &str, child: &str, damping: f64| {
        let axis = format!("<axis><xyz>0 1 0</xyz><dynamics><damping>{damping}</damping></dynamics></axis>");
        joint(name, "revolute", parent, child, &(axis + feedback))
    };
    let base = inertial(100.0, "0.5 0 0.5 0 0 0", moments)
        + "<collision name='c'><pose>0.5 0 0.5 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry></collision>";
    let boxes = [
        link("link1", "0 0 0 0 0 0", &base),
        link("link2", "1 0 1 0 0 0", &inertial(5.0, "0.5 0 0.5 0 0 0", moments)),
        link("link3", "2 0 2 0 0 0", &inertial(1.0, "0.5 0.5 0.5 0 0 0", moments)),
        hinge("joint1", "link1", "link2", 100.0),
        hinge("joint2", "link2", "link3", 30.0),
    ];
    let text = world("0 0 -50", &(GROUND.to_owned() + &model("boxes", "0 0 0 0 0 1.57", &boxes.concat())));
    for engine in ["ode", "dart", "simbody"] {
        // Simbody's contacts with the ground are as quiet as its accuracy.
        let accuracy = [("physics.simbody.accuracy", "1e-7")];
        let overrides = if engine == "simbody" { &accuracy[..] } else { &[] };
        let mut run = Run::text_with(engine, &text, overrides);
        run.steps(1);
        for _ in 0..3388 {
            let (one, two) = (run.joint("boxes::joint1", 0).0, run.joint("boxes::joint2", 0).0);
            run.push("boxes::joint1", 0, -50_000.0 * one);
            run.push("boxes::joint2", 0, 10_000.0 * (-std::f64::consts::FRAC_PI_4 - two));
            run.steps(1);
        }
        let found = wrench(&run, "boxes::joint1", "boxes::link2", Some("boxes::link1"));
        near(&format!("{engine} boxes, joint 1 force"), found.force[0], [0.0, 0.0, 300.0], [2.0; 3]);
        near(&format!("{engine} boxes, joint 1 torque"), found.torque[0], [25.0, -175.0, 0.0], [2.0; 3]);
        let found = wrench(&run, "boxes::joint2", "boxes::link3", Some("boxes::link2"));
        near(&format!("{engine} boxes, joint 2 force"), -found.force[1], [0.0, 0.0, 50.0], [2.0; 3]);
        near(&format!("{engine} boxes, joint 2 on link 3"), -found.force[0], [-35.355, 0.0, -35.355], [2.0; 3]);
    }
}

#[test]
fn a_weld_and_a_mass_at_once_take_the_load() {
    // What a force-torque sensor reads: a fixed joint carries the weight of what hangs on it.
    let mut world = World::new(WorldParameters {
        gravity: DVec3::new(0.0, 0.0, -50.0),
        iterations: 100,
        ..WorldParameters::default()
    });
    let mass = MassProperties::sphere(1.0, 0.1).with_mass(10.0);
    let body = world
        .add_body(&BodyDefinition { mass, pose: Pose::from_position(DVec3::X), ..BodyDefinition::default() })
        .unwrap();
    let joint = world.add_joint(JointDefinition::new(JointKind::Fixed, Some(body), None).with_feedback()).unwrap();
    for _ in 0..500 {
        world.step(1e-3);
    }
    let feedback = world.joint(joint).unwrap().feedback();
    assert!((feedback.forces[0] - DVec3::new(0.0, 0.0, 500.0)).length() < 1e-6, "{:?}", feedback);
    // About the centre of mass the anchor's force has a moment that the joint's torque cancels.
    assert!(feedback.torques[0].length() < 1e-6, "{:?}", feedback);
}
