//! Vehicles, belts and whole models that are moved.

use super::super::InputKind::{Twist, Velocity};
use super::entry::PluginProgram::{Classic, GazeboRos, GzSim};
use super::entry::{PluginCommand, PluginEntry, PluginParameter, c, p};

const PLANAR: &[PluginCommand] = &[c(Twist, "MODEL", "v,w")];
const SPATIAL: &[PluginCommand] = &[c(Twist, "MODEL", "vx,vy,vz,wx,wy,wz")];

const SEPARATION: PluginParameter = p("wheel_separation", "1", "m", "distance of the wheels of both sides");
const RADIUS: PluginParameter = p("wheel_radius", "0.2", "m", "radius of the wheels");
const VELOCITIES: PluginParameter = p(
    "min_velocity|max_velocity|min_linear_velocity|max_linear_velocity|min_angular_velocity|max_angular_velocity",
    "none",
    "m/s, rad/s",
    "range of the twist: of both parts, or of one",
);
const ACCELERATIONS: PluginParameter = p(
    "min_acceleration|max_acceleration|min_linear_acceleration|max_linear_acceleration|min_angular_acceleration|max_angular_acceleration",
    "none",
    "m/s², rad/s²",
    "range of its rate",
);
const JERKS: PluginParameter = p(
    "min_jerk|max_jerk|min_linear_jerk|max_linear_jerk|min_angular_jerk|max_angular_jerk",
    "none",
    "m/s³, rad/s³",
    "range of the rate of its rate",
);
const ODOMETRY: PluginParameter = p("odom_publish_frequency", "50", "Hz", "rate of the odometry; 0: every step");
const TORQUE: PluginParameter = p("torque|MaxForce", "none", "N m", "largest torque of a wheel");
const ROS_SEPARATION: PluginParameter =
    p("wheel_separation|wheelSeparation", "0.34 (skid steer: 0.4)", "m", "distance of the wheels of both sides");
const ROS_DIAMETER: PluginParameter = p("wheel_diameter|wheelDiameter", "0.15", "m", "diameter of the wheels");
const ROS_TORQUE: PluginParameter =
    p("max_wheel_torque|wheelTorque|torque|MaxForce", "5", "N m", "largest torque of a wheel");
const ROS_ACCELERATION: PluginParameter =
    p("max_wheel_acceleration|wheelAcceleration", "0", "m/s²", "largest acceleration of a rim; 0: none");
const ROS_UNUSED: PluginParameter =
    p("num_wheel_pairs|broadcastTF|commandTopic|odometrySource", "", "", "no effect here");

const XYZ_OFFSET: PluginParameter =
    p("xyz_offset|xyzOffset|xyzOffsets|xyz_offsets", "0 0 0", "m", "added to the position");
const RPY_OFFSET: PluginParameter =
    p("rpy_offset|rpyOffset|rpyOffsets|rpy_offsets", "0 0 0", "rad", "added to the orientation");

pub(super) const ENTRIES: &[PluginEntry] = &[
    PluginEntry::acts(
        "DiffDrive",
        &[(GzSim, "gz-sim-diff-drive-system")],
        "wheels of two sides",
        "ω r = v ∓ ω_z b/2 of the left and right side, by motors",
        &[
            p("left_joint", "", "", "joint of a wheel of the left side; repeats"),
            p("right_joint", "", "", "joint of a wheel of the right side; repeats"),
            SEPARATION,
            RADIUS,
            TORQUE,
            VELOCITIES,
            ACCELERATIONS,
            JERKS,
            ODOMETRY,
        ],
    )
    .takes(PLANAR),
    PluginEntry::acts(
        "DiffDrivePlugin",
        &[(Classic, "libDiffDrivePlugin.so")],
        "two wheels",
        "as DiffDrive, with the distance of the joints' anchors and the radius of the wheels' shapes; turns clockwise at a \
         positive command in Gazebo classic, counterclockwise here",
        &[
            p("left_joint", "", "", "joint of the left wheel"),
            p("right_joint", "", "", "joint of the right wheel"),
            TORQUE,
            VELOCITIES,
            ACCELERATIONS,
            JERKS,
            ODOMETRY,
        ],
    )
    .takes(PLANAR),
    PluginEntry::acts(
        "gazebo_ros_diff_drive",
        &[(GazeboRos, "libgazebo_ros_diff_drive.so")],
        "wheels of two sides",
        "as DiffDrive, within a torque",
        &[
            p("left_joint|leftJoint", "", "", "joint of a wheel of the left side; repeats"),
            p("right_joint|rightJoint", "", "", "joint of a wheel of the right side; repeats"),
            ROS_SEPARATION,
            ROS_DIAMETER,
            ROS_TORQUE,
            ROS_ACCELERATION,
            VELOCITIES,
            ACCELERATIONS,
            JERKS,
            ODOMETRY,
            ROS_UNUSED,
        ],
    )
    .takes(PLANAR),
    PluginEntry::acts(
        "SkidSteerDrivePlugin",
        &[(Classic, "libSkidSteerDrivePlugin.so")],
        "four wheels",
        "ω r = v ∓ ω_z b of the left and right side, by motors",
        &[
            p("left_front|left_rear|right_front|right_rear", "joints of these names", "", "joints of the wheels"),
            TORQUE,
            VELOCITIES,
            ACCELERATIONS,
            JERKS,
            ODOMETRY,
        ],
    )
    .takes(PLANAR),
    PluginEntry::acts(
        "gazebo_ros_skid_steer_drive",
        &[(GazeboRos, "libgazebo_ros_skid_steer_drive.so")],
        "four wheels",
        "as DiffDrive, within a torque",
        &[
            p("leftFrontJoint|leftRearJoint|rightFrontJoint|rightRearJoint", "", "", "joints of the wheels"),
            ROS_SEPARATION,
            ROS_DIAMETER,
            ROS_TORQUE,
            ROS_ACCELERATION,
            VELOCITIES,
            ACCELERATIONS,
            JERKS,
            ODOMETRY,
            ROS_UNUSED,
        ],
    )
    .takes(PLANAR),
    PluginEntry::acts(
        "AckermannSteering",
        &[(GzSim, "gz-sim-ackermann-steering-system")],
        "wheels of two sides and two steered joints",
        "R = v/ω, at least L/sin limit; angles atan(L/(R ∓ k/2)) reached with gain · error, wheels at v (1 ∓ b tan φ/2L)",
        &[
            p("left_joint|right_joint", "", "", "joints of the wheels; repeat; not with steering_only"),
            p("left_steering_joint|right_steering_joint", "", "", "joints that steer"),
            SEPARATION,
            p("kingpin_width", "0.8", "m", "distance k of the kingpins"),
            p("wheel_base", "1", "m", "distance L of the axles"),
            p("steering_limit", "0.5", "rad", "largest angle"),
            RADIUS,
            p("steer_p_gain", "1", "1/s", "velocity of steering by its error"),
            p("steering_only|use_actuator_msg", "false", "", "the turn of the command is the angle"),
            TORQUE,
            VELOCITIES,
            ACCELERATIONS,
            JERKS,
            ODOMETRY,
        ],
    )
    .takes(PLANAR),
    PluginEntry::acts(
        "MecanumDrive",
        &[(GzSim, "gz-sim-mecanum-drive-system")],
        "four wheels with rollers",
        "ω r = vx ∓ vy ∓ ω_z (L + b)/2; the wheels' fdir1 keeps its direction in the vehicle, as rollers do",
        &[
            p("front_left_joint|front_right_joint|back_left_joint|back_right_joint", "", "", "joints of the wheels"),
            p("wheelbase", "1", "m", "distance L of the axles"),
            SEPARATION,
            RADIUS,
            TORQUE,
            VELOCITIES,
            ACCELERATIONS,
            JERKS,
            ODOMETRY,
        ],
    )
    .takes(SPATIAL)
    .acts_through(["surface/friction/ode fdir1", "the wheels roll as plain ones, and the vehicle does not move sideways"]),
    PluginEntry::acts(
        "TrackController",
        &[(GzSim, "gz-sim-track-controller-system")],
        "the surfaces of a link, and what lies on them",
        "the surfaces run along x of the orientation",
        &[
            p("link", "", "", "link with the belt"),
            p("track_orientation", "0 0 0", "rad", "roll, pitch and yaw of the belt in the link"),
            VELOCITIES,
            ACCELERATIONS,
            JERKS,
            p("max_command_age", "", "s", "no effect here: a command stays until the next"),
        ],
    )
    .takes(&[c(Velocity, "LINK", "v")])
    .on_static_models(),
    PluginEntry::acts(
        "TrackedVehicle",
        &[(GzSim, "gz-sim-tracked-vehicle-system")],
        "the belts of two sides",
        "belts at v ∓ ω b/(2 e)",
        &[
            p("left_track/link|right_track/link", "", "", "links with belts; repeat"),
            p("body_link", "", "", "no effect here"),
            p("tracks_separation", "1", "m", "distance b of the tracks"),
            p("track_height", "0.2", "m", "height of a track"),
            p("steering_efficiency", "0.5", "", "e: 1 where nothing slides in a turn"),
            p("linear_velocity/max_velocity|angular_velocity/max_velocity", "none", "", "ranges: min_, max_ of velocity, acceleration, jerk"),
            ODOMETRY,
        ],
    )
    .takes(PLANAR)
    .on_static_models(),
    PluginEntry::acts(
        "VelocityControl",
        &[(GzSim, "gz-sim-velocity-control-system")],
        "a whole model",
        "the velocity of the model is set before each step; joints keep their rates",
        &[
            p("initial_linear", "0 0 0", "m/s", "velocity until a command gives another"),
            p("initial_angular", "0 0 0", "rad/s", "angular velocity until a command gives another"),
        ],
    )
    .takes(SPATIAL),
    PluginEntry::acts(
        "planar_move",
        &[(GazeboRos, "libgazebo_ros_planar_move.so")],
        "a whole model",
        "its velocity in the plane is set before each step, once commanded",
        &[],
    )
    .takes(SPATIAL),
    PluginEntry::acts(
        "OdometryPublisher",
        &[(GzSim, "gz-sim-odometry-publisher-system")],
        "nothing: it reads the pose of a model",
        "a reading of the true pose and velocity",
        &[p("dimensions", "2", "", "3 reads all axes"), XYZ_OFFSET, RPY_OFFSET, ODOMETRY],
    )
    .on_static_models(),
    PluginEntry::acts(
        "gazebo_ros_p3d",
        &[(GazeboRos, "libgazebo_ros_p3d.so")],
        "nothing: it reads the pose of a link",
        "a reading of the true pose and velocity",
        &[
            p("body_name|bodyName", "the first link", "", "link"),
            p("dimensions", "", "", "no effect here: all axes are read"),
            XYZ_OFFSET,
            RPY_OFFSET,
            p("update_rate|updateRate", "0", "Hz", "rate; 0: every step"),
        ],
    )
    .on_static_models(),
];
