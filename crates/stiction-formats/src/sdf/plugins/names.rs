//! Which plugin is meant by a file name or a name.

use super::super::element::Element;
use super::reader::PluginReader;
use super::{aircraft, control, flight, fluid, hold, vehicle};
use crate::plugins::PluginKind;

/// Whose plugin it is: names and defaults differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavor {
    /// Gazebo classic.
    Classic,
    /// gz-sim.
    Sim,
    /// `gazebo_ros_pkgs`.
    Ros,
}

/// What is done with a plugin.
#[derive(Clone, Copy)]
pub(super) enum Handling {
    /// It acts.
    Acts(&'static str, fn(&mut PluginReader) -> Option<PluginKind>),
    /// It moves nothing, or a part of this program does its work.
    Silent,
}

type Row = (&'static [&'static str], Handling);

const fn acts(name: &'static str, read: fn(&mut PluginReader) -> Option<PluginKind>) -> Handling {
    Handling::Acts(name, read)
}

/// Names in small letters and digits without prefix and suffix.
const KNOWN: [Row; 30] = [
    (&["jointcontroller"], acts("JointController", control::joint_controller)),
    (&["jointpositioncontroller"], acts("JointPositionController", control::joint_position)),
    (&["jointtrajectorycontroller"], acts("JointTrajectoryController", control::joint_trajectory)),
    (&["jointcontrol"], acts("JointControlPlugin", control::joint_control)),
    (&["cartdemo"], acts("CartDemoPlugin", control::cart_demo)),
    (&["springtest"], acts("SpringTestPlugin", control::spring_test)),
    (&["diffdrive"], acts("DiffDrive", vehicle::diff_drive)),
    (&["skidsteerdrive"], acts("SkidSteerDrive", vehicle::skid_steer)),
    (&["ackermannsteering"], acts("AckermannSteering", vehicle::ackermann)),
    (&["mecanumdrive"], acts("MecanumDrive", vehicle::mecanum)),
    (&["trackcontroller"], acts("TrackController", vehicle::track)),
    (&["trackedvehicle"], acts("TrackedVehicle", vehicle::tracked_vehicle)),
    (&["velocitycontrol"], acts("VelocityControl", vehicle::velocity_control)),
    (&["planarmove"], acts("planar_move", vehicle::planar_move)),
    (&["odometrypublisher", "p3d"], acts("OdometryPublisher", vehicle::odometry)),
    (&["liftdrag"], acts("LiftDrag", flight::lift_drag)),
    (&["advancedliftdrag"], acts("AdvancedLiftDrag", aircraft::aircraft)),
    (&["multicoptermotormodel"], acts("MulticopterMotorModel", flight::motor)),
    (&["multicoptercontrol", "multicoptervelocitycontrol"], acts("MulticopterVelocityControl", flight::copter)),
    (&["buoyancy"], acts("Buoyancy", fluid::buoyancy)),
    (&["buoyancyengine"], acts("BuoyancyEngine", fluid::buoyancy_engine)),
    (&["thruster"], acts("Thruster", fluid::thruster)),
    (&["hydrodynamics"], acts("Hydrodynamics", fluid::hydrodynamics)),
    (&["applylinkwrench", "force"], acts("ApplyLinkWrench", hold::wrenches)),
    (&["detachablejoint"], acts("DetachableJoint", hold::detachable)),
    (&["harness"], acts("HarnessPlugin", hold::harness)),
    (&["gravitycompensation"], acts("GravityCompensationPlugin", hold::gravity_compensation)),
    (&["kineticenergymonitor"], acts("KineticEnergyMonitor", hold::monitor)),
    (&["touch"], acts("TouchPlugin", hold::touch)),
    (
        // `--command JOINT=…` is what ApplyJointForce does; the rest publishes.
        &[
            "applyjointforce",
            "physics",
            "usercommands",
            "scenebroadcaster",
            "contact",
            "imu",
            "imusensor",
            "sensors",
            "altimeter",
            "magnetometer",
            "navsat",
            "airpressure",
            "airspeed",
            "forcetorque",
            "logicalcamera",
            "jointstatepublisher",
            "posepublisher",
            "init",
            "factory",
            "state",
            "bumper",
            "ftsensor",
            "f3d",
            "gpssensor",
            "gps",
        ],
        Handling::Silent,
    ),
];

/// `libDiffDrivePlugin.so`, `gz-sim8-diff-drive-system`, `libgazebo_ros_diff_drive.so`: the word between.
pub(super) fn flavor_and_word(file: &str) -> (Flavor, String) {
    let file = file.rsplit('/').next().unwrap_or(file).to_ascii_lowercase();
    let letters: String = file.trim_end_matches(".so").chars().filter(char::is_ascii_alphanumeric).collect();
    let bare = letters.strip_prefix("lib").unwrap_or(&letters);
    for (prefix, flavor) in [("gazeboros", Flavor::Ros), ("gzsim", Flavor::Sim), ("ignitiongazebo", Flavor::Sim)] {
        if let Some(rest) = bare.strip_prefix(prefix) {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let rest = if flavor == Flavor::Sim { rest.strip_suffix("system").unwrap_or(rest) } else { rest };
            return (flavor, rest.strip_suffix("plugin").unwrap_or(rest).to_owned());
        }
    }
    (Flavor::Classic, bare.strip_suffix("plugin").unwrap_or(bare).to_owned())
}

/// What is known of a plugin: by its file, else by its name, as `gz::sim::systems::DiffDrive`.
pub(super) fn identify(plugin: &Element) -> Option<(Flavor, Handling)> {
    let of_word = |word: &str| KNOWN.iter().find(|(keys, _)| keys.contains(&word)).map(|(_, handling)| *handling);
    if let Some(file) = plugin.value("filename") {
        let (flavor, word) = flavor_and_word(file);
        if let Some(handling) = of_word(&word) {
            return Some((flavor, handling));
        }
    }
    let system = plugin.value("name")?.rsplit_once("systems::")?.1.to_ascii_lowercase();
    let system = system.replace("::", "");
    of_word(system.strip_suffix("plugin").unwrap_or(&system)).map(|handling| (Flavor::Sim, handling))
}

/// It acts, or needs nothing.
pub(super) fn is_known(plugin: &Element) -> bool {
    identify(plugin).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_all_programs_name_one_plugin() {
        for (file, flavor, expected) in [
            ("libDiffDrivePlugin.so", Flavor::Classic, "diffdrive"),
            ("gz-sim-diff-drive-system", Flavor::Sim, "diffdrive"),
            ("gz-sim8-diff-drive-system", Flavor::Sim, "diffdrive"),
            ("libignition-gazebo6-diff-drive-system.so", Flavor::Sim, "diffdrive"),
            ("ignition-gazebo-diff-drive-system", Flavor::Sim, "diffdrive"),
            ("/opt/ros/lib/libgazebo_ros_diff_drive.so", Flavor::Ros, "diffdrive"),
            ("libMudPlugin.so", Flavor::Classic, "mud"),
        ] {
            assert_eq!(flavor_and_word(file), (flavor, expected.to_owned()), "{file}");
        }
    }
}
