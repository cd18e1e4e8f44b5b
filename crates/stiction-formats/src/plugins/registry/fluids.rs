//! Air and water.

use super::super::InputKind::{MotorSpeed, Thrust, Twist, Volume};
use super::entry::PluginProgram::{Classic, GzSim};
use super::entry::{PluginEntry, PluginParameter, c, p};

const AIR_DENSITY: PluginParameter = p("air_density", "1.2041", "kg/m³", "density of the air");
const CP: PluginParameter = p("cp", "0 0 0", "m", "centre of pressure in the link");
const FORWARD: PluginParameter = p("forward", "1 0 0", "", "direction of flight in the link");
const UPWARD: PluginParameter = p("upward", "0 0 1", "", "direction of lift in the link");

pub(super) const ENTRIES: &[PluginEntry] = &[
    PluginEntry::acts(
        "LiftDrag",
        &[(GzSim, "gz-sim-lift-drag-system"), (Classic, "libLiftDragPlugin.so")],
        "a link",
        "c q A with q = ρ v²/2 in the plane of the wing, times cos² of the sweep, at cp, against the wind",
        &[
            p("link_name", "", "", "link"),
            AIR_DENSITY,
            p("area", "1", "m²", "area A"),
            p("a0", "0", "rad", "angle of attack at zero lift"),
            p("cla|cda|cma", "1, 0.01, 0", "1/rad", "slopes of lift, drag and moment"),
            p("alpha_stall", "1.5708", "rad", "angle of stall"),
            p("cla_stall|cda_stall|cma_stall", "0, 1, 0", "1/rad", "slopes beyond it"),
            CP,
            FORWARD,
            UPWARD,
            p("radial_symmetry", "false", "", "lift in any direction across"),
            p("reversible", "false (classic: true)", "", "flies backwards, too"),
            p("control_joint_name", "none", "", "joint of a control surface"),
            p("control_joint_rad_to_cl", "4", "1/rad", "lift by its angle"),
            p("cm_delta", "0", "1/rad", "moment by its angle"),
            p("velocity_stall|mac", "", "", "no effect, in the programs neither"),
        ],
    ),
    PluginEntry::acts(
        "AdvancedLiftDrag",
        &[(GzSim, "gz-sim-advanced-lift-drag-system")],
        "a link",
        "forces and moments of an aircraft by AVL's derivatives, the wing blended with a flat plate beyond the stall",
        &[
            p("link_name", "", "", "link"),
            p("AR", "", "", "aspect ratio of the wing"),
            p("eff", "", "", "efficiency of the wing"),
            p("mac", "A/√(A AR)", "m", "mean chord"),
            p("area", "1", "m²", "area A"),
            AIR_DENSITY,
            p("alpha_stall", "1.5708", "rad", "angle of stall"),
            CP,
            FORWARD,
            UPWARD,
            p("CL0|CD0", "0", "", "lift and drag at zero angle"),
            p("CL[ab]|CY[ab]|Cell[ab]|Cem[ab]|Cen[ab]", "0", "1/rad", "by the angles of attack and of sideslip"),
            p("CD[pqr]|CL[pqr]|CY[pqr]|Cell[pqr]|Cem[pqr]|Cen[pqr]", "0", "", "by the rates of roll, pitch and yaw"),
            p("control_surface/name", "", "", "joint of a control surface; repeats"),
            p("control_surface/direction", "", "", "1 or -1"),
            p("control_surface/CL_ctrl", "", "1/deg", "by its angle: CD_ctrl, CY_ctrl, CL_ctrl, Cell_ctrl, Cem_ctrl, Cen_ctrl"),
            p("Cem0|Cema_stall|radial_symmetry|control_joint_rad_to_cl|num_ctrl_surfaces", "", "", "no effect, in the program neither"),
        ],
    ),
    PluginEntry::acts(
        "MulticopterMotorModel",
        &[(GzSim, "gz-sim-multicopter-motor-model-system")],
        "a rotor, and the body that carries it",
        "thrust k Ω² along z of the link, moment ∓ T c on its parent, drag and rolling moment by the velocity across the \
         axis, first-order lag",
        &[
            p("jointName", "", "", "joint of the rotor"),
            p("linkName", "", "", "link of the rotor"),
            p("turningDirection", "", "", "cw or ccw"),
            p("motorType", "velocity", "", "`velocity` only"),
            p("motorConstant", "8.54858e-6", "N s²", "k"),
            p("momentConstant", "0.016", "m", "c"),
            p("maxRotVelocity", "838", "rad/s", "largest speed"),
            p("rotorDragCoefficient", "1e-4", "N s²/m", "drag across the axis"),
            p("rollingMomentCoefficient", "1e-6", "N s²", "moment across the axis"),
            p("timeConstantUp|timeConstantDown", "1/80, 1/40", "s", "lags of the speed"),
            p("rotorVelocitySlowdownSim", "10", "", "real speed over that of the joint"),
            p("actuator_number|motorNumber", "0", "", "number in the copter"),
            p("commandSubTopic|motorSpeedPubTopic|robotNamespace", "", "", "no effect here"),
        ],
    )
    .takes(&[c(MotorSpeed, "JOINT", "w")]),
    PluginEntry::acts(
        "MulticopterVelocityControl",
        &[(GzSim, "gz-sim-multicopter-control-system")],
        "the rotors of a copter",
        "Lee's controller of velocity and yaw rate; its speeds go to the rotors' motors; no noise",
        &[
            p("comLinkName", "", "", "link of the body"),
            p("velocityGain|attitudeGain|angularRateGain", "1 1 1", "", "gains"),
            p("maximumLinearAcceleration|maximumLinearVelocity|maximumAngularVelocity", "none", "", "limits"),
            p("rotorConfiguration/rotor", "", "", "jointName, forceConstant, momentConstant, direction; 4 or more"),
            p("maxLinearAcceleration|enableSubTopic|commandSubTopic|robotNamespace", "", "", "no effect here"),
        ],
    )
    .takes(&[c(Twist, "MODEL", "vx,vy,vz,wx,wy,wz")]),
    PluginEntry::acts(
        "BuoyancyEngine",
        &[(GzSim, "gz-sim-buoyancy-engine-system")],
        "a link",
        "−g (ρ V − ρ V₀) at the origin of the link; above the surface V = 0",
        &[
            p("link_name", "", "", "link"),
            p("min_volume", "3e-5", "m³", "smallest volume"),
            p("max_volume", "9.9e-4", "m³", "largest volume"),
            p("default_volume", "min_volume", "m³", "volume at the start"),
            p("neutral_volume", "3e-4", "m³", "V₀"),
            p("max_inflation_rate", "3e-6", "m³/s", "largest rate"),
            p("fluid_density", "1000", "kg/m³", "ρ"),
            p("surface", "none", "m", "height of the surface"),
        ],
    )
    .takes(&[c(Volume, "LINK", "V")]),
    PluginEntry::acts(
        "Thruster",
        &[(GzSim, "gz-sim-thruster-system")],
        "the link of a propeller",
        "T = ρ K D⁴ ω |ω| along the joint's axis",
        &[
            p("joint_name", "", "", "joint of the propeller"),
            p("thrust_coefficient", "by alpha_1, alpha_2", "", "K"),
            p("alpha_1|alpha_2|wake_fraction", "1, 0, 0.2", "", "K by the speed of advance"),
            p("fluid_density", "1000", "kg/m³", "ρ"),
            p("propeller_diameter", "0.02", "m", "D"),
            p("velocity_control", "false", "", "the joint turns, by a motor; else by a PID controller's torque"),
            p("p_gain|i_gain|d_gain", "0.1, 0, 0", "", "gains of that controller"),
            p("max_thrust_cmd|min_thrust_cmd", "1000, -1000", "N", "range of the thrust"),
            p("deadband", "0", "N", "smaller commands are 0"),
            p("use_angvel_cmd", "false", "", "the command is the speed of the propeller"),
        ],
    )
    .takes(&[c(Thrust, "JOINT", "f"), c(MotorSpeed, "JOINT", "w")]),
    PluginEntry::acts(
        "Buoyancy",
        &[(GzSim, "gz-sim-buoyancy-system")],
        "all links with collision shapes, of the world",
        "Archimedes' force of the collision shapes, exact for any shape and attitude, layer by layer",
        &[
            p("uniform_fluid_density", "1000", "kg/m³", "density"),
            p("graded_buoyancy/default_density", "1000", "kg/m³", "density below all layers"),
            p("graded_buoyancy/density_change", "", "m, kg/m³", "a layer: above_depth, density"),
            p("enable", "all", "", "model or link that it acts on; repeats"),
        ],
    ),
    PluginEntry::acts(
        "BuoyancyPlugin",
        &[(Classic, "libBuoyancyPlugin.so")],
        "the links of a model",
        "Archimedes' force of the collision shapes, or of the volumes that are given",
        &[
            p("fluid_density", "999.1026", "kg/m³", "density"),
            p("link/center_of_volume", "of the shapes", "m", "centre, of <link name=\"\">"),
            p("link/volume", "of the shapes", "m³", "volume"),
        ],
    ),
    PluginEntry::acts(
        "Hydrodynamics",
        &[(GzSim, "gz-sim-hydrodynamics-system")],
        "a link",
        "Fossen's D(ν) ν, M_A ν̇, C_A(ν) ν in the axes of the link",
        &[
            p("link_name", "", "", "link"),
            p("[xyzkmn][UVWPQR]", "0", "", "force (x y z) or moment (k m n) by a velocity (U V W) or a rate (P Q R)"),
            p("[xyzkmn][UVWPQR]abs[UVWPQR]", "0", "", "by a velocity times the size of a velocity"),
            p("[xyzkmn][UVWPQR][UVWPQR]", "0", "", "by a product of velocities"),
            p("[xyzkmn]Dot[UVWPQR]", "0", "", "by an acceleration: minus the added mass"),
            p("default_current", "0 0 0", "m/s", "velocity of the water"),
            p("disable_coriolis", "false", "", "without C_A"),
            p("disable_added_mass", "false", "", "without M_A"),
            p("lookup_current_[xyz]", "", "", "refused: data files are not read"),
        ],
    ),
    PluginEntry::acts(
        "WindEffects",
        &[(GzSim, "gz-sim-wind-effects-system"), (Classic, "libWindPlugin.so")],
        "links and models with <enable_wind>",
        "the wind of the world behind lags, with sines; without these elements it is there at once",
        &[
            p("force_approximation_scaling_factor", "1", "1/s", "force by mass and difference of velocities"),
            p("horizontal/magnitude", "", "", "time_for_rise 1 s; sin: amplitude_percent, period"),
            p("horizontal/direction", "", "", "time_for_rise 1 s; sin: amplitude (deg), period"),
            p("vertical", "", "", "time_for_rise 1 s"),
        ],
    ),
];
