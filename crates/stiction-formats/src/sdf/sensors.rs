//! `<sensor>`: those of physics, and which have no reading.

use stiction::math::{DMat3, DQuat, DVec3, Pose};

use super::element::Element;
use super::lumped;
use super::plugins::{self, Skipped, leaves};
use super::report::Report;
use super::scope::Scope;
use super::value;
use crate::description::WorldDescription;
use crate::diagnostic::Diagnostic;
use crate::sensors::{SensorDescription, SensorKind, SphericalCoordinates, UnreadSensor, WrenchFrame};

/// What a sensor is fixed to.
pub(crate) struct Mount<'m> {
    /// Scoped name of the link or joint.
    pub holder: &'m str,
    /// Pose of the sensor in the link, or in the frame of the joint.
    pub pose: Pose,
    /// The link, or the child of the joint.
    pub link: Option<usize>,
    pub joint: Option<usize>,
}

/// A text that is not what its element needs; a run goes on without the sensor.
fn refuse(element: &Element, expected: &str, report: &mut Report) {
    let message = format!("<{}> is `{}`, expected {expected}", element.name, element.text);
    let finding = Diagnostic::error("invalid-value", message).at(&element.text_location);
    report.tolerated(finding.element(element.path.as_str()));
}

/// A finite number at a path; `Err` has been told.
fn number(sensor: &Element, path: &str, default: f64, report: &mut Report) -> Result<f64, ()> {
    let Some(element) = sensor.find(path).filter(|e| !e.text.is_empty()) else { return Ok(default) };
    let number = value::real(&element.text).filter(|x| x.is_finite() && x.abs() <= 1e15);
    number.ok_or_else(|| refuse(element, "a finite number", report))
}

/// Reads a sensor; what has no reading goes to `unread`.
pub(crate) fn read(
    sensor: &Element,
    mount: &Mount<'_>,
    unread: &mut Vec<UnreadSensor>,
    skipped: &mut Skipped,
    report: &mut Report,
) -> Option<SensorDescription> {
    let name = format!("{}::{}", mount.holder, sensor.named());
    let word = sensor.value("type").unwrap_or("").to_owned();
    let mut without = |reason| {
        unread.push(UnreadSensor { name: name.clone(), word: word.clone(), reason, location: sensor.location.clone() });
    };
    let kind = match kind(sensor, mount, skipped, report).ok()? {
        Ok(kind) => kind,
        Err(reason) => {
            without(reason);
            return None;
        }
    };
    let Some(link) = mount.link else {
        without("the child of its joint is the world");
        return None;
    };
    if let Some(noise) = noise(sensor) {
        skipped.add_element("sensor::noise", "noise of sensors; their readings are exact", noise);
    }
    let rate = number(sensor, "update_rate", 0.0, report).ok()?;
    if let Some(element) = sensor.child("update_rate").filter(|_| rate < 0.0) {
        refuse(element, "a rate of 0 or more", report);
        return None;
    }
    Some(SensorDescription {
        name,
        link,
        joint: mount.joint,
        pose: mount.pose,
        period: if rate > 0.0 { 1.0 / rate } else { 0.0 },
        kind,
        parameters: leaves(sensor),
        location: sensor.location.clone(),
    })
}

/// The first noise that has a deviation or a bias.
fn noise(element: &Element) -> Option<&Element> {
    let acts = |noise: &Element| {
        let is_of = |name: &str| noise.child(name).and_then(|e| value::real(&e.text)).is_some_and(|x| x != 0.0);
        noise.value("type").is_some_and(|kind| kind != "none")
            && ["stddev", "bias_mean", "bias_stddev", "dynamic_bias_stddev"].into_iter().any(is_of)
    };
    if element.name == "noise" {
        return acts(element).then_some(element);
    }
    element.children.iter().filter(|c| c.name != "plugin").find_map(noise)
}

/// What a sensor measures, or why it has no reading; `Err` outside has been told.
fn kind(
    sensor: &Element,
    mount: &Mount<'_>,
    skipped: &mut Skipped,
    report: &mut Report,
) -> Result<Result<SensorKind, &'static str>, ()> {
    let word = sensor.value("type").unwrap_or("").to_ascii_lowercase().replace('-', "_");
    Ok(Ok(match word.as_str() {
        "imu" => SensorKind::Imu { reference: reference(sensor, skipped) },
        "force_torque" if mount.joint.is_some() => force_torque(sensor, report)?,
        "force_torque" => return Ok(Err("a force-torque sensor measures a joint, and this one belongs to a link")),
        "altimeter" => SensorKind::Altimeter,
        "magnetometer" => SensorKind::Magnetometer,
        "navsat" | "gps" => SensorKind::NavSat,
        "air_pressure" => SensorKind::AirPressure {
            reference_altitude: number(sensor, "air_pressure/reference_altitude", 0.0, report)?,
        },
        "air_speed" => SensorKind::AirSpeed,
        // Its collisions follow once all links are read.
        "contact" | "bumper" if mount.joint.is_none() => SensorKind::Contact(Vec::new()),
        "contact" | "bumper" => return Ok(Err("a contact sensor belongs to a link, and this one to a joint")),
        "logical_camera" => logical_camera(sensor, report)?,
        "" | "none" => return Ok(Err("it has no type")),
        word if OF_LIGHT.iter().any(|part| word.contains(part)) => {
            return Ok(Err("light, images and sound are not simulated"));
        }
        _ => return Ok(Err("sensors of this type are not simulated")),
    }))
}

fn logical_camera(sensor: &Element, report: &mut Report) -> Result<SensorKind, ()> {
    let mut at = |name: &str, default: f64| number(sensor, &format!("logical_camera/{name}"), default, report);
    let (near, far) = (at("near", 0.0)?, at("far", 1.0)?);
    let (angle, aspect) = (at("horizontal_fov", 1.0)?, at("aspect_ratio", 1.0)?);
    let across = libm::tan(0.5 * angle);
    if angle <= 0.0 || angle >= core::f64::consts::PI || aspect <= 0.0 {
        let message = "<logical_camera> sees nothing by its <horizontal_fov> and <aspect_ratio>";
        report.tolerated(Diagnostic::error("invalid-value", message).at(&sensor.location));
        return Err(());
    }
    Ok(SensorKind::LogicalCamera { range: [near, far], tangents: [across, across / aspect] })
}

/// Parts of the names of sensors that see or hear.
const OF_LIGHT: [&str; 8] = ["camera", "ray", "lidar", "laser", "depth", "sonar", "thermal", "segmentation"];

/// Sensors that nothing in the world can be read by, and plugins that would read and found nothing to.
pub(crate) fn set_aside(world: &mut WorldDescription, scopes: &[Scope<'_>]) {
    let has_earth = world.sensors.spherical_coordinates.is_some();
    let mut list = std::mem::take(&mut world.sensors.list);
    list.retain(|sensor| {
        let reason = match &sensor.kind {
            SensorKind::NavSat if !has_earth => "the world has no <spherical_coordinates>",
            SensorKind::Contact(names) if names.is_empty() => "its link has no collision",
            _ => return true,
        };
        world.sensors.unread.push(sensor.without_reading(reason));
        false
    });
    world.sensors.list = list;
    for scope in scopes {
        for plugin in scope.element.children_named("plugin") {
            let Some(reason) = plugins::unread_sensor(plugin) else { continue };
            let is_read = world.sensors.list.iter().any(|sensor| sensor.location == plugin.location)
                || world.sensors.unread.iter().any(|sensor| sensor.location == plugin.location);
            if !is_read {
                world.sensors.unread.push(UnreadSensor {
                    name: scope.scoped(plugin.named()),
                    word: plugin.value("filename").unwrap_or("plugin").to_owned(),
                    reason,
                    location: plugin.location.clone(),
                });
            }
        }
    }
}

/// Axes in the world (east, north, up) that the orientation of an IMU is measured from.
fn reference(sensor: &Element, skipped: &mut Skipped) -> Option<DQuat> {
    let element = sensor.find("imu/orientation_reference_frame/localization")?;
    let axes = match element.text.trim() {
        "ENU" => DMat3::IDENTITY,
        "NED" => DMat3::from_cols(DVec3::Y, DVec3::X, -DVec3::Z),
        "NWU" => DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z),
        "CUSTOM" | "GRAV_UP" | "GRAV_DOWN" => {
            let effect = "orientations are measured from the sensor at the start";
            skipped.add_element("imu::orientation_reference_frame::localization", effect, element);
            return None;
        }
        _ => return None,
    };
    Some(DQuat::from_mat3(&axes))
}

fn force_torque(sensor: &Element, report: &mut Report) -> Result<SensorKind, ()> {
    let word = |name: &str, default: &'static str| {
        let element = sensor.find("force_torque").and_then(|e| e.child(name)).filter(|e| !e.text.is_empty());
        (element, element.map_or(default, |e| e.text.trim()).to_owned())
    };
    let (element, text) = word("frame", "child");
    let frame = match (text.as_str(), element) {
        ("parent", _) => WrenchFrame::Parent,
        ("child", _) => WrenchFrame::Child,
        ("sensor", _) => WrenchFrame::Sensor,
        (_, Some(element)) => {
            refuse(element, "`parent`, `child` or `sensor`", report);
            return Err(());
        }
        (_, None) => return Err(()),
    };
    let (element, text) = word("measure_direction", "child_to_parent");
    let to_child = match (text.as_str(), element) {
        ("parent_to_child", _) => true,
        ("child_to_parent", _) => false,
        (_, Some(element)) => {
            refuse(element, "`child_to_parent` or `parent_to_child`", report);
            return Err(());
        }
        (_, None) => return Err(()),
    };
    Ok(SensorKind::ForceTorque { frame, to_child })
}

/// The collisions of contact sensors, which may be of any link of the body: `list` has the number of each and its element.
pub(crate) fn find_contacts(world: &mut WorldDescription, list: &[(usize, &Element)], report: &mut Report) {
    for (index, element) in list.iter().rev() {
        let sensor = &world.sensors.list[*index];
        if !matches!(sensor.kind, SensorKind::Contact(_)) {
            continue;
        }
        let link = sensor.link;
        let named = element.child("contact").map_or_else(Vec::new, |c| c.children_named("collision").collect());
        let mut names = Vec::new();
        let mut is_known = true;
        for element in named.into_iter().filter(|e| e.text.trim() != "__default__") {
            match lumped::collision(world, link, element.text.trim()) {
                Some(name) => names.push(name),
                None => {
                    refuse(
                        element,
                        "a collision of the link, or of those that fixed joints make one body with it",
                        report,
                    );
                    is_known = false;
                }
            }
        }
        if names.is_empty() {
            names = world.links[link].collisions.iter().map(|c| c.name.clone()).collect();
        }
        if is_known {
            world.sensors.list[*index].kind = SensorKind::Contact(names);
        } else {
            world.sensors.list.remove(*index);
        }
    }
}

/// `<spherical_coordinates>` of a world.
pub(crate) fn spherical_coordinates(world: &Element, report: &mut Report) -> Option<SphericalCoordinates> {
    let element = world.child("spherical_coordinates")?;
    let mut at = |name: &str| number(element, name, 0.0, report).ok();
    let (latitude, longitude) = (at("latitude_deg")?, at("longitude_deg")?);
    let (elevation, heading) = (at("elevation")?, at("heading_deg")?);
    if latitude.abs() > 90.0 {
        if let Some(wrong) = element.child("latitude_deg") {
            refuse(wrong, "an angle from -90 to 90", report);
        }
        return None;
    }
    Some(SphericalCoordinates {
        latitude: latitude.to_radians(),
        longitude: longitude.to_radians(),
        elevation,
        heading: heading.to_radians(),
    })
}
