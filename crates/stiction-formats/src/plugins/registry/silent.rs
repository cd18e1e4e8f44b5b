//! Plugins that move nothing, and whose work is done here without them.

use super::entry::PluginEntry;
use super::entry::PluginProgram::{Classic, GazeboRos, GzSim};
use super::entry::PluginRole::Elsewhere;

const SENSOR: &str = "the <sensor> element works with or without it";
const FILES: &str = "recordings and readings have what it publishes";
const STEPS: &str = "it is the simulator's own work";

pub(super) const ENTRIES: &[PluginEntry] = &[
    PluginEntry::of_role(
        "ApplyJointForce",
        &[(GzSim, "gz-sim-apply-joint-force-system")],
        Elsewhere("`--command JOINT=FORCE` gives the force"),
    ),
    PluginEntry::of_role("Physics", &[(GzSim, "gz-sim-physics-system")], Elsewhere(STEPS)),
    PluginEntry::of_role(
        "UserCommands",
        &[(GzSim, "gz-sim-user-commands-system")],
        Elsewhere("`--command` and `--force` give commands"),
    ),
    PluginEntry::of_role("SceneBroadcaster", &[(GzSim, "gz-sim-scene-broadcaster-system")], Elsewhere(FILES)),
    PluginEntry::of_role("PosePublisher", &[(GzSim, "gz-sim-pose-publisher-system")], Elsewhere(FILES)),
    PluginEntry::of_role(
        "JointStatePublisher",
        &[(GzSim, "gz-sim-joint-state-publisher-system"), (GazeboRos, "libgazebo_ros_joint_state_publisher.so")],
        Elsewhere(FILES),
    ),
    PluginEntry::of_role("gazebo_ros_state", &[(GazeboRos, "libgazebo_ros_state.so")], Elsewhere(FILES)),
    PluginEntry::of_role("gazebo_ros_init", &[(GazeboRos, "libgazebo_ros_init.so")], Elsewhere(STEPS)),
    PluginEntry::of_role("gazebo_ros_factory", &[(GazeboRos, "libgazebo_ros_factory.so")], Elsewhere(STEPS)),
    PluginEntry::of_role(
        "Contact",
        &[(GzSim, "gz-sim-contact-system"), (Classic, "libContactPlugin.so"), (GazeboRos, "libgazebo_ros_bumper.so")],
        Elsewhere(SENSOR),
    ),
    PluginEntry::of_role(
        "Imu",
        &[
            (GzSim, "gz-sim-imu-system"),
            (Classic, "libImuSensorPlugin.so"),
            (GazeboRos, "libgazebo_ros_imu_sensor.so"),
            (GazeboRos, "libgazebo_ros_imu.so"),
        ],
        Elsewhere(SENSOR),
    ),
    PluginEntry::of_role(
        "ForceTorque",
        &[
            (GzSim, "gz-sim-forcetorque-system"),
            (Classic, "libForceTorquePlugin.so"),
            (GazeboRos, "libgazebo_ros_ft_sensor.so"),
        ],
        Elsewhere(SENSOR),
    ),
    PluginEntry::of_role(
        "gazebo_ros_f3d",
        &[(GazeboRos, "libgazebo_ros_f3d.so")],
        Elsewhere("a force-torque sensor of a joint has a reading"),
    ),
    PluginEntry::of_role("Sensors", &[(GzSim, "gz-sim-sensors-system")], Elsewhere(SENSOR)),
    PluginEntry::of_role("Altimeter", &[(GzSim, "gz-sim-altimeter-system")], Elsewhere(SENSOR)),
    PluginEntry::of_role("Magnetometer", &[(GzSim, "gz-sim-magnetometer-system")], Elsewhere(SENSOR)),
    PluginEntry::of_role(
        "NavSat",
        &[
            (GzSim, "gz-sim-navsat-system"),
            (GazeboRos, "libgazebo_ros_gps_sensor.so"),
            (GazeboRos, "libgazebo_ros_gps.so"),
        ],
        Elsewhere(SENSOR),
    ),
    PluginEntry::of_role("AirPressure", &[(GzSim, "gz-sim-air-pressure-system")], Elsewhere(SENSOR)),
    PluginEntry::of_role(
        "AirSpeed",
        &[(GzSim, "gz-sim-air-speed-system"), (GzSim, "gz-sim-airspeed-system")],
        Elsewhere(SENSOR),
    ),
    PluginEntry::of_role("LogicalCamera", &[(GzSim, "gz-sim-logical-camera-system")], Elsewhere(SENSOR)),
];
