//! Trajectories of Gazebo classic's ODE fork.

use super::support::{Run, shared};
use super::trajectory::{Case, judge};
use stiction::math::DVec3;
use stiction_run::Setup;

const GROUND: &str = "models/ground_plane/model.sdf";

const CASES: &[Case] = &[
    Case::new("box_plane_low_friction_test", &["worlds/gazebo-classic/test_worlds/box_plane_low_friction_test.world"]),
    Case::new("collide_bitmask", &["worlds/gazebo-classic/test_worlds/collide_bitmask.world"]),
    Case::new("collision_pose_offset", &["worlds/gazebo-classic/test_worlds/collision_pose_offset.world"]),
    Case::new("contact_stability", &["worlds/gazebo-classic/test_worlds/contact_stability.world"]),
    Case::new("damp_test", &["worlds/gazebo-classic/test_worlds/damp_test.world"]),
    Case::new("double_pendulum_with_base_on_ground.quick", &[GROUND, "models/double_pendulum_with_base/model.sdf"]),
    Case::new("double_pendulum_with_base_on_ground.world", &[GROUND, "models/double_pendulum_with_base/model.sdf"])
        .set(&[("physics.ode.solver.type", "world")]),
    Case::new("drop_test", &["worlds/gazebo-classic/test_worlds/drop_test.world"]),
    Case::new("friction_cone", &["worlds/gazebo-classic/test_worlds/friction_cone.world"]),
    Case::new("friction_demo", &["worlds/gazebo-classic/worlds/friction_demo.world"]),
    // The spheres' first friction direction turns with them and passes through the normal at 1.15 s, where an unfinished
    // sweep of the fork decides which way it comes out.
    Case::new("friction_dir_test.spheres_spun_wz1", &["worlds/gazebo-classic/test_worlds/friction_dir_test.world"])
        .spun(&[("spheres::link_1", DVec3::Z), ("spheres::link_2", DVec3::Z)])
        .links_until(&[("spheres::link_1", 1.0), ("spheres::link_2", 1.0)]),
    // Later the fork loses one of the four contacts of some boxes, and with it a quarter of the constant force.
    Case::new("friction_pyramid.box_model", PYRAMID)
        .set(&[("physics.ode.solver.friction_model", "box_model")])
        .until(2.0),
    Case::new("friction_pyramid.cone_model", PYRAMID).set(&[("physics.ode.solver.friction_model", "cone_model")]),
    Case::new("friction_pyramid.pyramid_model", PYRAMID),
    Case::new("friction_spheres", &["worlds/gazebo-classic/test_worlds/friction_spheres.world"]),
    // The fork's box, ten tonnes with its centre of mass over the edge, shakes and wanders; a rigid one rests where it is.
    Case::new("max_vel_test", &["worlds/gazebo-classic/test_worlds/max_vel_test.world"]).until(0.0),
    // After the boxes have met (0.9 s) the fork's towers lean and fall by their own noise; ours stand.
    Case::new("model_self_collide", &["worlds/gazebo-classic/test_worlds/model_self_collide.world"]).until(0.8),
    Case::new("revolute_joint_test.quick", REVOLUTE),
    Case::new("revolute_joint_test.world", REVOLUTE).set(&[("physics.ode.solver.type", "world")]),
    Case::new("seesaw", &["worlds/gazebo-classic/worlds/seesaw.world"]),
    Case::new("shapes", &["worlds/gazebo-classic/worlds/shapes.world"]),
    Case::new("simple_pendulums.dt1e-4_iters1000", &["worlds/gazebo-classic/test_worlds/simple_pendulums.world"])
        .set(&[("physics.max_step_size", "0.0001"), ("physics.ode.solver.iters", "1000")]),
    Case::new("stacks", &["worlds/gazebo-classic/worlds/stacks.world"]),
];

const PYRAMID: &[&str] = &["worlds/gazebo-classic/worlds/friction_pyramid.world"];
const REVOLUTE: &[&str] = &["worlds/gazebo-classic/test_worlds/revolute_joint_test.world"];

#[test]
fn every_trajectory_of_the_fork() {
    if shared().is_none() {
        return;
    }
    judge(CASES, "ode-fork", |case, files| Run::load(files, case.overrides, |_| {}));
}

#[test]
fn every_trajectory_of_the_fork_as_classic() {
    if shared().is_none() {
        return;
    }
    let setup = || {
        let mut setup = Setup::default().engine("ode");
        setup.gazebo_classic = true;
        setup
    };
    judge(CASES, "ode-fork", |case, files| Run::with(setup(), files, case.overrides, |_| {}));
}
