//! Which plugin is meant by a file name or a name, and which function reads it.

use super::super::element::Element;
use super::reader::PluginReader;
use super::{aircraft, control, flight, fluid, hold, vehicle};
use crate::plugins::{PluginEntry, PluginKind, PluginProgram, PluginRole, plugin_by_word};

/// Reads a plugin.
pub(super) type Read = fn(&mut PluginReader) -> Option<PluginKind>;

/// The function that reads the plugin of an entry; `None` for plugins that move nothing, and for those that other modules read
/// (wind, velocities at the start, slip of wheels, joints that break).
pub(super) fn reading(entry: &PluginEntry) -> Option<Read> {
    let read: Read = match entry.system {
        "JointController" => control::joint_controller,
        "JointPositionController" => control::joint_position,
        "JointTrajectoryController" => control::joint_trajectory,
        "JointControlPlugin" => control::joint_control,
        "CartDemoPlugin" => control::cart_demo,
        "SpringTestPlugin" => control::spring_test,
        "GravityCompensationPlugin" => hold::gravity_compensation,
        "DiffDrive" | "DiffDrivePlugin" | "gazebo_ros_diff_drive" => vehicle::diff_drive,
        "SkidSteerDrivePlugin" | "gazebo_ros_skid_steer_drive" => vehicle::skid_steer,
        "AckermannSteering" => vehicle::ackermann,
        "MecanumDrive" => vehicle::mecanum,
        "TrackController" => vehicle::track,
        "TrackedVehicle" => vehicle::tracked_vehicle,
        "VelocityControl" => vehicle::velocity_control,
        "planar_move" => vehicle::planar_move,
        "OdometryPublisher" | "gazebo_ros_p3d" => vehicle::odometry,
        "LiftDrag" => flight::lift_drag,
        "AdvancedLiftDrag" => aircraft::aircraft,
        "MulticopterMotorModel" => flight::motor,
        "MulticopterVelocityControl" => flight::copter,
        "Buoyancy" | "BuoyancyPlugin" => fluid::buoyancy,
        "BuoyancyEngine" => fluid::buoyancy_engine,
        "Thruster" => fluid::thruster,
        "Hydrodynamics" => fluid::hydrodynamics,
        "ApplyLinkWrench" | "gazebo_ros_force" => hold::wrenches,
        "DetachableJoint" => hold::detachable,
        "HarnessPlugin" => hold::harness,
        "KineticEnergyMonitor" => hold::monitor,
        "TouchPlugin" => hold::touch,
        _ => return None,
    };
    Some(read)
}

/// What is known of a plugin: by its file, else by its name, as `gz::sim::systems::DiffDrive`. Its program is that of the file.
pub(super) fn identify(plugin: &Element) -> Option<(PluginProgram, &'static PluginEntry)> {
    if let Some(file) = plugin.value("filename") {
        let (program, word) = PluginProgram::of_file(file);
        if let Some(entry) = plugin_by_word(program, &word) {
            return Some((program, entry));
        }
    }
    let system = plugin.value("name")?.rsplit_once("systems::")?.1.to_ascii_lowercase().replace("::", "");
    let word = system.strip_suffix("plugin").unwrap_or(&system);
    plugin_by_word(PluginProgram::GzSim, word).map(|entry| (PluginProgram::GzSim, entry))
}

/// It acts, or needs nothing.
pub(super) fn is_known(plugin: &Element) -> bool {
    identify(plugin).is_some_and(|(_, entry)| !matches!(entry.role, PluginRole::LeftOut(_) | PluginRole::Unseen(_)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use super::*;
    use crate::diagnostic::Location;
    use crate::plugins::plugin_entries;
    use crate::sdf::plugins::reader::Names;
    use crate::sdf::report::Report;
    use crate::{FileRequest, LoadOptions, load};

    /// Plugins that another module reads.
    const ELSEWHERE: [&str; 4] = ["WindEffects", "BreakableJointPlugin", "InitialVelocityPlugin", "WheelSlip"];

    #[test]
    fn every_plugin_that_acts_is_read() {
        for entry in plugin_entries() {
            let is_read = reading(entry).is_some() || ELSEWHERE.contains(&entry.system);
            assert_eq!(is_read, entry.role == PluginRole::Acts, "{}", entry.system);
        }
    }

    #[test]
    fn every_file_name_finds_its_entry() {
        for entry in plugin_entries() {
            for (program, file) in entry.files {
                let (found, word) = PluginProgram::of_file(file);
                assert_eq!(plugin_by_word(found, &word).map(|e| e.system), Some(entry.system), "{file} of {program:?}");
            }
        }
    }

    /// Links and a joint by the name that the test gives to every parameter.
    const WORLD: &str = "<sdf version='1.9'><world name='w'><model name='m'><link name='0'/><link name='1'/>
        <joint name='0' type='revolute'><parent>1</parent><child>0</child><axis><xyz>0 0 1</xyz></axis></joint></model></world></sdf>";

    /// Readers ask for what the registry has, and for nothing else.
    #[test]
    fn the_registry_has_the_parameters_that_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("empty.world");
        std::fs::write(&path, WORLD).unwrap();
        let world = load(&[FileRequest { path: path.clone(), name: None, pose: None }], &LoadOptions::default()).world;
        let world = world.unwrap();
        let names = Names::new(&world);
        let place = Location { file: Arc::new(path), line: 1, column: 1, span: 0..0 };
        let mut wrong = Vec::new();
        for entry in plugin_entries() {
            let Some(read) = reading(entry) else { continue };
            let (program, _) = entry.files[0];
            let mut asked = BTreeSet::new();
            // Some are asked for only where another is given.
            for is_given in [false, true] {
                let mut element = Element::new("plugin", &place);
                let all = entry.parameters.iter().flat_map(|p| p.name.split('|')).filter(|_| is_given);
                element.children.extend(all.map(|name| Element::with_text(name, "0", &place)));
                let mut report = Report::new(false);
                let mut r = crate::sdf::plugins::reader(&element, program, entry, Some(0), &world, &names, &mut report);
                let _ = read(&mut r);
                asked.extend(r.asked);
            }
            let unknown = asked.iter().filter(|name| !entry.has_parameter(name));
            wrong.extend(unknown.map(|name| format!("{}: <{name}> is read, and not in the registry", entry.system)));
            let unread = entry.parameters.iter().filter(|p| !asked.iter().any(|name| p.is_named(name)));
            wrong.extend(unread.map(|p| format!("{}: <{}> is not read", entry.system, p.name)));
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
