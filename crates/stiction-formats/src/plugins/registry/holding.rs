//! What holds, pushes or watches bodies.

use super::super::InputKind::{Attach, Detach, Winch, Wrench};
use super::entry::PluginProgram::{Classic, GazeboRos, GzSim};
use super::entry::{PluginEntry, c, p};

pub(super) const ENTRIES: &[PluginEntry] = &[
    PluginEntry::acts(
        "DetachableJoint",
        &[(GzSim, "gz-sim-detachable-joint-system")],
        "a link of another model",
        "a fixed joint until `detach`; `attach` makes it again where the links are then",
        &[
            p("parent_link", "", "", "link of the model"),
            p("child_model", "", "", "other model, or __model__"),
            p("child_link", "", "", "its link"),
            p("suppress_child_warning", "", "", "no effect here"),
        ],
    )
    .takes(&[c(Detach, "MODEL", "TIME"), c(Attach, "MODEL", "TIME")])
    .on_static_models(),
    PluginEntry::acts(
        "BreakableJointPlugin",
        &[(Classic, "libBreakableJointPlugin.so")],
        "the joint of its force-torque sensor",
        "removes the joint at a reading above the force",
        &[p("breaking_force_N", "1", "N", "force")],
    ),
    PluginEntry::acts(
        "HarnessPlugin",
        &[(Classic, "libHarnessPlugin.so"), (GazeboRos, "libgazebo_ros_harness.so")],
        "a joint",
        "a joint with two controllers; the winch pulls only",
        &[
            p("joint", "", "", "joint that the harness makes"),
            p("detach", "the joint", "", "joint that is let go"),
            p("winch/joint", "the joint", "", "joint of the winch"),
            p("winch/pos_pid", "0", "", "p, i, d, i_max, i_min, cmd_max, cmd_min of the position"),
            p("winch/vel_pid", "0", "", "the same of the velocity"),
        ],
    )
    .takes(&[c(Detach, "MODEL", "TIME"), c(Winch, "MODEL", "v")]),
    PluginEntry::acts(
        "ApplyLinkWrench",
        &[(GzSim, "gz-sim-apply-link-wrench-system")],
        "a link",
        "constant wrenches at the links' origins, world axes",
        &[
            p("persistent/entity_name", "", "", "link or model; <persistent> repeats"),
            p("persistent/entity_type", "link", "", "link or model"),
            p("persistent/force", "0 0 0", "N", "force"),
            p("persistent/torque", "0 0 0", "N m", "torque"),
            p("persistent/force_offset", "0 0 0", "m", "where the force acts, in the link"),
        ],
    ),
    PluginEntry::acts(
        "gazebo_ros_force",
        &[(GazeboRos, "libgazebo_ros_force.so")],
        "a link",
        "wrench by command, world axes",
        &[p("link_name|bodyName", "", "", "link"), p("force_frame", "", "", "no effect here: world axes")],
    )
    .takes(&[c(Wrench, "MODEL", "fx,fy,fz")]),
    PluginEntry::acts(
        "KineticEnergyMonitor",
        &[(GzSim, "gz-sim-kinetic-energy-monitor-system")],
        "nothing: it reads the kinetic energy of a link",
        "an event for each loss in a step above the threshold",
        &[
            p("link_name|base_link_name", "the first link", "", "link"),
            p("kinetic_energy_threshold", "7", "J", "threshold"),
        ],
    ),
    PluginEntry::acts(
        "TouchPlugin",
        &[(GzSim, "gz-sim-touchplugin-system"), (Classic, "libTouchPlugin.so")],
        "nothing: it reads contacts of a model",
        "an event once contact has lasted",
        &[
            p("target", "", "", "part of the name of what is touched; repeats"),
            p("time", "", "s", "how long"),
            p("collision", "all", "", "shapes of the model; repeats"),
            p("enabled", "false", "", "without it the plugin waits for a service that there is not here"),
            p("create_contact_sensor_for_collision", "", "", "no effect here: contacts are read without a sensor"),
        ],
    )
    .on_static_models(),
    PluginEntry::acts(
        "InitialVelocityPlugin",
        &[(Classic, "libInitialVelocityPlugin.so")],
        "the links of a model",
        "velocities at the start",
        &[p("linear", "0 0 0", "m/s", "velocity"), p("angular", "0 0 0", "rad/s", "angular velocity")],
    ),
    PluginEntry::acts(
        "WheelSlip",
        &[
            (GzSim, "gz-sim-wheel-slip-system"),
            (Classic, "libWheelSlipPlugin.so"),
            (GazeboRos, "libgazebo_ros_wheel_slip.so"),
        ],
        "the surfaces of wheels",
        "slip velocity by force: the compliance times the force over the load",
        &[
            p("wheel/slip_compliance_lateral", "0", "", "along the axle, of <wheel link_name=\"\">"),
            p("wheel/slip_compliance_longitudinal", "0", "", "along the way"),
            p("wheel/wheel_normal_force", "", "N", "load"),
            p("wheel/wheel_radius", "of the shape", "m", "radius"),
        ],
    )
    .acts_through(["surface/friction/ode slip1", "the wheels grip without slip"]),
];
