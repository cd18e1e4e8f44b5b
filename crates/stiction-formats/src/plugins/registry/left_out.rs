//! Plugins without effect here: what they would have done.

use super::entry::PluginEntry;
use super::entry::PluginProgram::{Classic, GazeboRos, GzSim};
use super::entry::PluginRole::{LeftOut, Unseen};

const LIGHT: &str = "publishes a sensor of light";
const ROS_CONTROL: &str =
    "controllers of ROS, outside of this program; `--command JOINT:position=` and the like drive joints";
const DRAWS: &str = "draws";

pub(super) const ENTRIES: &[PluginEntry] = &[
    PluginEntry::of_role(
        "gazebo_ros_control",
        &[
            (GazeboRos, "libgazebo_ros_control.so"),
            (GazeboRos, "libgazebo_ros2_control.so"),
            (GzSim, "gz_ros2_control-system"),
            (GzSim, "ign_ros2_control-system"),
            (Classic, "libgazebo_ros2_control.so"),
        ],
        LeftOut(ROS_CONTROL),
    ),
    PluginEntry::of_role(
        "LookupWheelSlip",
        &[(GzSim, "gz-sim-lookup-wheel-slip-system")],
        LeftOut("wheel slip by an image"),
    ),
    PluginEntry::of_role(
        "TrajectoryFollower",
        &[(GzSim, "gz-sim-trajectory-follower-system")],
        LeftOut("forces that lead a link along points"),
    ),
    PluginEntry::of_role(
        "DriveToPoseController",
        &[(GzSim, "gz-sim-drive-to-pose-controller-system")],
        LeftOut("twists that lead a vehicle to a pose; `--command MODEL:twist=` gives twists"),
    ),
    PluginEntry::of_role(
        "DynamicDetachableJoint",
        &[(GzSim, "gz-sim-dynamic-detachable-joint-system")],
        LeftOut("a fixed joint to what is near; DetachableJoint with `attach` acts"),
    ),
    PluginEntry::of_role(
        "SpacecraftThrusterModel",
        &[(GzSim, "gz-sim-spacecraft-thruster-model-system")],
        LeftOut("thrust of a spacecraft by a duty cycle; `--force` gives forces"),
    ),
    PluginEntry::of_role(
        "LighterThanAirDynamics",
        &[(GzSim, "gz-sim-lighter-than-air-dynamics-system")],
        LeftOut("forces of the air on a hull; <fluid_added_mass>, Buoyancy and LiftDrag act"),
    ),
    PluginEntry::of_role(
        "Elevator",
        &[
            (GzSim, "gz-sim-elevator-system"),
            (Classic, "libElevatorPlugin.so"),
            (GazeboRos, "libgazebo_ros_elevator.so"),
        ],
        LeftOut("an elevator with doors"),
    ),
    PluginEntry::of_role(
        "VehiclePlugin",
        &[(Classic, "libVehiclePlugin.so")],
        LeftOut("a car by gas, brake and steering wheel"),
    ),
    PluginEntry::of_role(
        "SimpleTrackedVehiclePlugin",
        &[(Classic, "libSimpleTrackedVehiclePlugin.so"), (Classic, "libWheelTrackedVehiclePlugin.so")],
        LeftOut("belts or wheels as tracks by a twist; TrackedVehicle of gz-sim acts"),
    ),
    PluginEntry::of_role(
        "gazebo_ros_ackermann_drive",
        &[(GazeboRos, "libgazebo_ros_ackermann_drive.so"), (GazeboRos, "libgazebo_ros_tricycle_drive.so")],
        LeftOut("a steered vehicle by a twist; AckermannSteering of gz-sim acts"),
    ),
    PluginEntry::of_role(
        "VariableGearboxPlugin",
        &[(Classic, "libVariableGearboxPlugin.so")],
        LeftOut("a gearbox whose ratio changes"),
    ),
    PluginEntry::of_role(
        "ActuatorPlugin",
        &[(Classic, "libActuatorPlugin.so")],
        LeftOut("limits of force by the curve of a motor"),
    ),
    PluginEntry::of_role("MudPlugin", &[(Classic, "libMudPlugin.so")], LeftOut("joints where a body touches mud")),
    PluginEntry::of_role(
        "gazebo_ros_vacuum_gripper",
        &[(GazeboRos, "libgazebo_ros_vacuum_gripper.so"), (Classic, "libgazebo_grasp_fix.so")],
        LeftOut("holds what it touches; DetachableJoint with `attach` acts"),
    ),
    PluginEntry::of_role(
        "gazebo_ros_hand_of_god",
        &[(GazeboRos, "libgazebo_ros_hand_of_god.so")],
        LeftOut("forces that lead a model to a frame"),
    ),
    PluginEntry::of_role(
        "JointTrajectoryPlugin",
        &[
            (Classic, "libJointTrajectoryPlugin.so"),
            (GazeboRos, "libgazebo_ros_joint_trajectory.so"),
            (GazeboRos, "libgazebo_ros_joint_pose_trajectory.so"),
        ],
        LeftOut("sets joint positions over time"),
    ),
    PluginEntry::of_role(
        "MimicJoint",
        &[
            (Classic, "libroboticsgroup_gazebo_mimic_joint_plugin.so"),
            (Classic, "libroboticsgroup_upatras_gazebo_mimic_joint_plugin.so"),
        ],
        LeftOut("a joint that follows another; <mimic> acts"),
    ),
    PluginEntry::of_role(
        "KeysToJointsPlugin",
        &[(Classic, "libKeysToJointsPlugin.so"), (Classic, "libKeysToCmdVelPlugin.so")],
        LeftOut("commands by keys"),
    ),
    PluginEntry::of_role(
        "FollowActor",
        &[(GzSim, "gz-sim-follow-actor-system"), (Classic, "libActorPlugin.so")],
        Unseen("moves an animated figure"),
    ),
    PluginEntry::of_role(
        "LinearBatteryPlugin",
        &[(GzSim, "gz-sim-linearbatteryplugin-system"), (Classic, "libLinearBatteryPlugin.so")],
        Unseen("a battery"),
    ),
    PluginEntry::of_role("Breadcrumbs", &[(GzSim, "gz-sim-breadcrumbs-system")], LeftOut("models that a robot drops")),
    PluginEntry::of_role(
        "DopplerVelocityLogSystem",
        &[(GzSim, "gz-sim-dvl-system")],
        Unseen("a sensor of velocity by sound"),
    ),
    PluginEntry::of_role("LinkPlot3DPlugin", &[(Classic, "libLinkPlot3DPlugin.so")], Unseen("draws paths")),
    PluginEntry::of_role(
        "ParticleEmitter",
        &[(GzSim, "gz-sim-particle-emitter-system"), (GzSim, "gz-sim-shader-param-system")],
        Unseen(DRAWS),
    ),
    PluginEntry::of_role(
        "gazebo_ros_camera",
        &[
            (GazeboRos, "libgazebo_ros_camera.so"),
            (GazeboRos, "libgazebo_ros_multicamera.so"),
            (GazeboRos, "libgazebo_ros_depth_camera.so"),
            (Classic, "libCameraPlugin.so"),
        ],
        Unseen(LIGHT),
    ),
    PluginEntry::of_role(
        "gazebo_ros_laser",
        &[
            (GazeboRos, "libgazebo_ros_laser.so"),
            (GazeboRos, "libgazebo_ros_block_laser.so"),
            (GazeboRos, "libgazebo_ros_ray_sensor.so"),
            (GazeboRos, "libgazebo_ros_range.so"),
            (Classic, "libRayPlugin.so"),
            (Classic, "libgazebo_ros_velodyne_laser.so"),
        ],
        Unseen(LIGHT),
    ),
    PluginEntry::of_role(
        "gazebo_ros_openni_kinect",
        &[(GazeboRos, "libgazebo_ros_openni_kinect.so"), (GazeboRos, "libgazebo_ros_prosilica.so")],
        Unseen(LIGHT),
    ),
];
