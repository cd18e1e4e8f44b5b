//! Vehicles.

use stiction::math::{DQuat, DVec3, Pose};

use super::super::element::Element;
use super::reader::{PluginReader, Range};
use crate::plugins::{
    DriveDescription, DriveKind, OdometryDescription, PluginKind, PluginProgram, SpeedLimits, TrackDescription,
    TrackedVehicleDescription, VelocityControlDescription,
};

/// `min_velocity` and so on, for both, then `min_linear_velocity` and so on.
fn limits(r: &mut PluginReader, which: &str) -> SpeedLimits {
    let mut limits = SpeedLimits::default();
    for (quantity, range) in
        [("velocity", &mut limits.velocity), ("acceleration", &mut limits.acceleration), ("jerk", &mut limits.jerk)]
    {
        for (end, bound) in ["min", "max"].into_iter().zip(range) {
            let both = r.given(&[&format!("{end}_{quantity}")], Range::Any);
            let own = r.given(&[&format!("{end}_{which}_{quantity}")], Range::Any);
            *bound = own.or(both).unwrap_or(*bound);
        }
    }
    limits
}

fn drive(r: &mut PluginReader, kind: DriveKind, separation: Option<f64>, radius: Option<f64>) -> DriveDescription {
    DriveDescription {
        kind,
        separation,
        radius,
        // Of the first versions of classic's drives.
        torque: r.real(&["torque", "MaxForce"], f64::INFINITY, Range::NonNegative),
        wheel_acceleration: f64::INFINITY,
        linear: limits(r, "linear"),
        angular: limits(r, "angular"),
        odometry_period: r.period(&["odom_publish_frequency"], 50.0),
    }
}

/// `DiffDrive` of all three.
pub(super) fn diff_drive(r: &mut PluginReader) -> Option<PluginKind> {
    if r.program == PluginProgram::GazeboRos {
        return ros_drive(r, [&["left_joint", "leftJoint"], &["right_joint", "rightJoint"]], 0.34);
    }
    let sides = [r.joints(&["left_joint"]), r.joints(&["right_joint"])];
    let (separation, radius) = if r.program == PluginProgram::GzSim {
        (
            Some(r.real(&["wheel_separation"], 1.0, Range::Positive)),
            Some(r.real(&["wheel_radius"], 0.2, Range::Positive)),
        )
    } else {
        (None, None)
    };
    let kind = DriveKind::Differential { sides, turn: 1.0 };
    Some(PluginKind::Drive(Box::new(drive(r, kind, separation, radius))))
}

/// Drives of `gazebo_ros_pkgs`: wheel diameter, torque, and acceleration of the rims.
fn ros_drive(r: &mut PluginReader, names: [&[&str]; 2], default_separation: f64) -> Option<PluginKind> {
    let sides = names.map(|names| r.joints(names));
    let separation = r.real(&["wheel_separation", "wheelSeparation"], default_separation, Range::Positive);
    let diameter = r.real(&["wheel_diameter", "wheelDiameter"], 0.15, Range::Positive);
    let torque = r.real(&["max_wheel_torque", "wheelTorque", "torque"], 5.0, Range::NonNegative);
    let acceleration = r.real(&["max_wheel_acceleration", "wheelAcceleration"], 0.0, Range::NonNegative);
    let _ = r.all(&["num_wheel_pairs", "broadcastTF", "commandTopic", "odometrySource"]);
    let kind = DriveKind::Differential { sides, turn: 1.0 };
    let base = drive(r, kind, Some(separation), Some(0.5 * diameter));
    let wheel_acceleration = if acceleration > 0.0 { acceleration } else { f64::INFINITY };
    Some(PluginKind::Drive(Box::new(DriveDescription { torque, wheel_acceleration, ..base })))
}

/// `SkidSteerDrivePlugin` of Gazebo classic, `skid_steer_drive` of `gazebo_ros_pkgs`.
pub(super) fn skid_steer(r: &mut PluginReader) -> Option<PluginKind> {
    if r.program == PluginProgram::GazeboRos {
        let left: &[&str] = &["leftFrontJoint", "leftRearJoint"];
        return ros_drive(r, [left, &["rightFrontJoint", "rightRearJoint"]], 0.4);
    }
    // The joints have these names, unless an element of that name says another.
    let sides = ["left", "right"].map(|side| {
        let mut joint = |end: &str| {
            let name = format!("{side}_{end}");
            match r.any(&[&name]) {
                Some(element) => r.moving_joint(element),
                None => r.moving_joint(&Element::with_text("joint", &name, &r.element.location.clone())),
            }
        };
        let front = joint("front");
        [front, joint("rear")].into_iter().flatten().collect::<Vec<usize>>()
    });
    let kind = DriveKind::Differential { sides, turn: 2.0 };
    Some(PluginKind::Drive(Box::new(drive(r, kind, None, None))))
}

/// gz-sim's `AckermannSteering`.
pub(super) fn ackermann(r: &mut PluginReader) -> Option<PluginKind> {
    let steering_only = r.flag(&["steering_only", "use_actuator_msg"], false);
    let sides =
        if steering_only { [Vec::new(), Vec::new()] } else { [r.joints(&["left_joint"]), r.joints(&["right_joint"])] };
    let kind = DriveKind::Ackermann {
        sides,
        steering: [r.joints(&["left_steering_joint"]), r.joints(&["right_steering_joint"])],
        kingpin_width: r.real(&["kingpin_width"], 0.8, Range::Positive),
        wheel_base: r.real(&["wheel_base"], 1.0, Range::Positive),
        steering_limit: r.real(&["steering_limit"], 0.5, Range::Positive),
        gain: r.real(&["steer_p_gain"], 1.0, Range::NonNegative),
        steering_only,
    };
    let separation = r.real(&["wheel_separation"], 1.0, Range::Positive);
    let radius = r.real(&["wheel_radius"], 0.2, Range::Positive);
    Some(PluginKind::Drive(Box::new(drive(r, kind, Some(separation), Some(radius)))))
}

/// gz-sim's `MecanumDrive`.
pub(super) fn mecanum(r: &mut PluginReader) -> Option<PluginKind> {
    let corners = ["front_left_joint", "front_right_joint", "back_left_joint", "back_right_joint"];
    let kind = DriveKind::Mecanum {
        corners: corners.map(|name| r.joints(&[name])),
        wheel_base: r.real(&["wheelbase"], 1.0, Range::Positive),
    };
    let separation = r.real(&["wheel_separation"], 1.0, Range::Positive);
    let radius = r.real(&["wheel_radius"], 0.2, Range::Positive);
    Some(PluginKind::Drive(Box::new(drive(r, kind, Some(separation), Some(radius)))))
}

/// gz-sim's `TrackController`.
pub(super) fn track(r: &mut PluginReader) -> Option<PluginKind> {
    let link = r.link(&["link"]);
    let rpy = r.vector(&["track_orientation"], DVec3::ZERO);
    let orientation: DQuat = Pose::from_xyz_rpy(DVec3::ZERO, rpy).rotation;
    let _ = r.all(&["max_command_age"]);
    let limits = limits(r, "linear");
    Some(PluginKind::Track(TrackDescription { link: link?, orientation, limits }))
}

/// gz-sim's `TrackedVehicle`.
pub(super) fn tracked_vehicle(r: &mut PluginReader) -> Option<PluginKind> {
    let sides = ["left_track", "right_track"].map(|name| {
        let tracks = r.all(&[name]);
        if tracks.is_empty() {
            let message = format!("the plugin `{}` has no <{name}>", r.element.named());
            let at = r.element.location.clone();
            r.refuse("missing-element", message, &at, None);
        }
        let mut links = Vec::new();
        for track in tracks {
            match track.child("link") {
                Some(link) => links.extend(r.link_of(link)),
                None => r.refuse("missing-element", format!("<{name}> has no <link>"), &track.location, None),
            }
        }
        links
    });
    let _ = r.all(&["body_link"]);
    let separation = r.real(&["tracks_separation"], 1.0, Range::Positive);
    let height = r.real(&["track_height"], 0.2, Range::Positive);
    let steering_efficiency = r.real(&["steering_efficiency"], 0.5, Range::Positive);
    let [linear, angular] = ["linear_velocity", "angular_velocity"].map(|name| inner_limits(r, name));
    let odometry_period = r.period(&["odom_publish_frequency"], 50.0);
    Some(PluginKind::TrackedVehicle(Box::new(TrackedVehicleDescription {
        sides,
        separation,
        height,
        steering_efficiency,
        linear,
        angular,
        odometry_period,
    })))
}

/// `<min_velocity>` and so on below an element.
fn inner_limits(r: &mut PluginReader, name: &str) -> SpeedLimits {
    let mut limits = SpeedLimits::default();
    let Some(element) = r.all(&[name]).first().copied() else { return limits };
    for (quantity, range) in
        [("velocity", &mut limits.velocity), ("acceleration", &mut limits.acceleration), ("jerk", &mut limits.jerk)]
    {
        for (end, bound) in ["min", "max"].into_iter().zip(range) {
            if let Some(given) = element.child(&format!("{end}_{quantity}")) {
                *bound = r.number_of(given, Range::Any).unwrap_or(*bound);
            }
        }
    }
    limits
}

/// gz-sim's `VelocityControl`.
pub(super) fn velocity_control(r: &mut PluginReader) -> Option<PluginKind> {
    let link = r.canonical();
    let linear = r.vector(&["initial_linear"], DVec3::ZERO);
    let angular = r.vector(&["initial_angular"], DVec3::ZERO);
    Some(PluginKind::VelocityControl(VelocityControlDescription { link: link?, linear, angular, is_planar: false }))
}

/// `planar_move` of `gazebo_ros_pkgs`.
pub(super) fn planar_move(r: &mut PluginReader) -> Option<PluginKind> {
    let link = r.canonical();
    Some(PluginKind::VelocityControl(VelocityControlDescription {
        link: link?,
        linear: DVec3::ZERO,
        angular: DVec3::ZERO,
        is_planar: true,
    }))
}

/// gz-sim's `OdometryPublisher`, `p3d` of `gazebo_ros_pkgs`.
pub(super) fn odometry(r: &mut PluginReader) -> Option<PluginKind> {
    let is_ros = r.program == PluginProgram::GazeboRos;
    let link = if is_ros && r.any(&["body_name", "bodyName"]).is_some() {
        r.link(&["body_name", "bodyName"])
    } else {
        r.canonical()
    };
    let xyz = r.vector(&["xyz_offset", "xyzOffset", "xyzOffsets", "xyz_offsets"], DVec3::ZERO);
    let rpy = r.vector(&["rpy_offset", "rpyOffset", "rpyOffsets", "rpy_offsets"], DVec3::ZERO);
    let dimensions = r.real(&["dimensions"], 2.0, Range::Positive);
    let period = if is_ros {
        r.period(&["update_rate", "updateRate"], 0.0)
    } else {
        r.period(&["odom_publish_frequency"], 50.0)
    };
    let is_spatial = is_ros || dimensions > 2.5;
    let offset = Pose::from_xyz_rpy(xyz, rpy);
    Some(PluginKind::Odometry(OdometryDescription { link: link?, offset, period, is_spatial }))
}
