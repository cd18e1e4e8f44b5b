//! Plugins of models that are sensors: `gazebo_ros_ft_sensor` reads a joint, `gazebo_ros_imu` a link. Each becomes the `<sensor>`
//! that it stands for. The IMU has the specific force, as all have; that plugin itself leaves gravity out.

use super::super::element::Element;
use crate::plugins::PluginProgram;

/// The element that a plugin reads, and the sensor that it is.
struct AsSensor {
    /// `link` or `joint`.
    holder: &'static str,
    kind: &'static str,
    /// Parameters that name the holder.
    names: &'static [&'static str],
}

fn as_sensor(plugin: &Element) -> Option<AsSensor> {
    let (program, word) = PluginProgram::of_file(plugin.value("filename")?);
    match (program, word.as_str()) {
        (PluginProgram::GazeboRos, "ftsensor") => {
            Some(AsSensor { holder: "joint", kind: "force_torque", names: &["jointName", "joint_name"] })
        }
        (PluginProgram::GazeboRos, "imu") => {
            Some(AsSensor { holder: "link", kind: "imu", names: &["bodyName", "body_name"] })
        }
        _ => None,
    }
}

/// A plugin of a model that reads something; why it has no reading if nothing came of it.
pub(crate) fn unread_sensor(plugin: &Element) -> Option<&'static str> {
    match as_sensor(plugin) {
        Some(AsSensor { holder: "joint", .. }) => return Some("it names no joint of its model to read"),
        Some(_) => return Some("it names no link of its model to read"),
        None => {}
    }
    match PluginProgram::of_file(plugin.value("filename")?) {
        (PluginProgram::GazeboRos, word) if word == "f3d" => Some(
            "it publishes what Gazebo's engine has pushed a link with; a force-torque sensor of a joint has a reading",
        ),
        (PluginProgram::GazeboRos, word) if matches!(&*word, "bumper" | "imusensor" | "gpssensor") => {
            Some("it is a plugin of sensors, and stands in a model")
        }
        _ => None,
    }
}

/// Adds the sensors that the plugins of a model are.
pub(super) fn hoist(model: &mut Element) {
    let plugins: Vec<Element> = model.children_named("plugin").filter(|p| as_sensor(p).is_some()).cloned().collect();
    for plugin in &plugins {
        let Some(AsSensor { holder, kind, names }) = as_sensor(plugin) else { continue };
        let Some(named) = names.iter().find_map(|name| plugin.child(name)).map(|e| e.text.as_str()) else { continue };
        let bare = named.rsplit("::").next().unwrap_or(named);
        let Some(read) = model.children.iter_mut().find(|c| c.name == holder && c.named() == bare) else { continue };
        // A file that was written with its tree flattened has it there already.
        if read.children_named("sensor").any(|sensor| sensor.named() == plugin.named()) {
            continue;
        }
        read.children.push(sensor(plugin, kind));
    }
}

fn sensor(plugin: &Element, kind: &str) -> Element {
    let place = &plugin.location;
    let mut sensor = Element::new("sensor", place);
    sensor.set_attribute("name", plugin.named(), place);
    sensor.set_attribute("type", kind, place);
    let text = |names: [&str; 2]| names.into_iter().find_map(|name| plugin.child(name)).filter(|e| !e.text.is_empty());
    if let Some(rate) = text(["updateRate", "update_rate"]) {
        sensor.children.push(Element { name: "update_rate".into(), ..rate.clone() });
    }
    let offset = |names| text(names).map_or("0 0 0", |e| e.text.as_str());
    let (xyz, rpy) = (offset(["xyzOffset", "xyz_offset"]), offset(["rpyOffset", "rpy_offset"]));
    let at = text(["xyzOffset", "xyz_offset"]).or_else(|| text(["rpyOffset", "rpy_offset"]));
    if let Some(at) = at {
        sensor.children.push(Element::with_text("pose", &format!("{xyz} {rpy}"), &at.text_location));
    }
    sensor
}
