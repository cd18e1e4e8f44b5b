//! Controllers and springs of joints.

use super::super::InputKind::{Position, Velocity};
use super::entry::PluginProgram::{Classic, GzSim};
use super::entry::{PluginEntry, PluginParameter, c, p};

const I_MAX: PluginParameter = p("i_max", "1", "N or N m", "upper end of the integral's part");
const I_MIN: PluginParameter = p("i_min", "-1", "N or N m", "lower end of the integral's part");
const CMD_MAX: PluginParameter = p("cmd_max", "1000", "N or N m", "largest force");
const CMD_MIN: PluginParameter = p("cmd_min", "-1000", "N or N m", "smallest force");
const CMD_OFFSET: PluginParameter = p("cmd_offset", "0", "N or N m", "added to the force");

pub(super) const ENTRIES: &[PluginEntry] = &[
    PluginEntry::acts(
        "JointController",
        &[(GzSim, "gz-sim-joint-controller-system")],
        "a joint",
        "motor at the target velocity, or the force of a PID controller of it",
        &[
            p("joint_name", "", "", "joint; repeats"),
            p("initial_velocity", "0", "rad/s or m/s", "target until a command gives another"),
            p("use_force_commands", "false", "", "a PID controller's force in place of a motor"),
            p("p_gain", "1", "N m s/rad or N s/m", "gain of the error of velocity"),
            p("i_gain", "0", "N m/rad or N/m", "gain of its integral"),
            p("d_gain", "0", "N m s²/rad or N s²/m", "gain of its derivative"),
            I_MAX,
            I_MIN,
            CMD_MAX,
            CMD_MIN,
            CMD_OFFSET,
            p("disable_braking", "false", "", "no force at a target of 0"),
        ],
    )
    .takes(&[c(Velocity, "JOINT", "v")]),
    PluginEntry::acts(
        "JointPositionController",
        &[(GzSim, "gz-sim-joint-position-controller-system")],
        "a joint",
        "force of a PID controller of the position, or with velocity commands a motor that arrives in the next step; on a joint \
         with an effort limit that motor closes the error in 20 ms",
        &[
            p("joint_name", "", "", "joint; repeats"),
            p("joint_index", "0", "", "axis of a joint that has two"),
            p("initial_position", "0", "rad or m", "target until a command gives another"),
            p("use_velocity_commands", "false", "", "a motor in place of a PID controller, at cmd_max at most if it is given"),
            p("p_gain", "1", "N m/rad or N/m", "gain of the error of position"),
            p("i_gain", "0.1", "N m/(rad s) or N/(m s)", "gain of its integral"),
            p("d_gain", "0.01", "N m s/rad or N s/m", "gain of its derivative"),
            I_MAX,
            I_MIN,
            CMD_MAX,
            CMD_MIN,
            CMD_OFFSET,
        ],
    )
    .takes(&[c(Position, "JOINT", "q")]),
    PluginEntry::acts(
        "JointTrajectoryController",
        &[(GzSim, "gz-sim-joint-trajectory-controller-system"), (GzSim, "gz-sim-joint-traj-control-system")],
        "joints of one axis",
        "the sum of the forces of two PID controllers, of position and of velocity; holds the initial positions until commanded",
        &[
            p("joint_name", "all of one axis", "", "joint; repeats, and all below repeat in its order"),
            p("initial_position", "0", "rad or m", "target until a command gives another"),
            p("position_[pid]_gain|velocity_[pid]_gain", "0", "", "gains of the two controllers"),
            p("position_i_max|velocity_i_max", "-1", "N or N m", "upper end of the integral's part; none below the lower end"),
            p("position_i_min|velocity_i_min", "0", "N or N m", "lower end of the integral's part"),
            p("position_cmd_max|velocity_cmd_max", "-1", "N or N m", "largest force; none below the smallest"),
            p("position_cmd_min|velocity_cmd_min", "0", "N or N m", "smallest force"),
            p("position_cmd_offset|velocity_cmd_offset", "0", "N or N m", "added to the force"),
        ],
    )
    .takes(&[c(Position, "JOINT", "q"), c(Velocity, "JOINT", "v")]),
    PluginEntry::acts(
        "JointControlPlugin",
        &[(Classic, "libJointControlPlugin.so")],
        "joints",
        "a constant force, or the force of a PID controller within ±1 (integral) and ±1000",
        &[
            p("controller/joint", "", "", "name of a joint, or `.*` at its ends for several"),
            p("controller/target", "0", "", "force, position or velocity, by type=\"\" of the controller"),
            p("controller/pid_gains", "1 0.1 0.01", "", "p, i and d"),
        ],
    )
    .takes(&[c(Position, "JOINT", "q"), c(Velocity, "JOINT", "v")]),
    PluginEntry::acts(
        "CartDemoPlugin",
        &[(Classic, "libCartDemoPlugin.so")],
        "a steered joint and two wheels",
        "its schedule of 60 s",
        &[
            p("steer|right|left", "", "", "joints"),
            p("steer_pid|right_pid|left_pid", "0 0 0", "", "p, i and d"),
            p("steer_ilim|right_ilim|left_ilim", "-1 1", "N m", "ends of the integral's part"),
            p("steer_pos|right_pos|left_pos", "0", "rad", "amplitude of the positions"),
            p("steer_vel|right_vel|left_vel", "0", "rad/s", "amplitude of the velocities"),
            p("steer_eff|right_eff|left_eff", "0", "N m", "largest force"),
        ],
    ),
    PluginEntry::acts(
        "SpringTestPlugin",
        &[(Classic, "libSpringTestPlugin.so")],
        "two joints",
        "a spring as a force, and one as a row of the solver",
        &[
            p("joint_explicit|joint_implicit", "", "", "joints"),
            p("kp_explicit|kp_implicit", "0", "N m/rad or N/m", "stiffness"),
            p("kd_explicit|kd_implicit", "0", "N m s/rad or N s/m", "damping"),
        ],
    ),
    PluginEntry::acts(
        "GravityCompensationPlugin",
        &[(Classic, "libGravityCompensationPlugin.so")],
        "the joints of a model",
        "τ = −Σ m g·∂x/∂q of all links beyond each joint of one axis",
        &[
            p("uri", "", "", "model of which the program takes the masses; the model itself here"),
            p("joint", "", "", "no effect here"),
        ],
    ),
];
