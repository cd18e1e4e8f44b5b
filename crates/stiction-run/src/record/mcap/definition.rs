//! The messages as data: one table gives the schema that a file holds in either encoding.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// A field: its type and its name.
type Field = (&'static str, &'static str);

/// The messages that are written and those within them, by the names of ROS 2; the last two are our own. A field of the type
/// `T[]` is a sequence, `T[n]` an array.
const DEFINITIONS: [(&str, &[Field]); 29] = [
    ("builtin_interfaces/msg/Time", &[("int32", "sec"), ("uint32", "nanosec")]),
    ("std_msgs/msg/Header", &[("builtin_interfaces/msg/Time", "stamp"), ("string", "frame_id")]),
    ("geometry_msgs/msg/Vector3", &[("float64", "x"), ("float64", "y"), ("float64", "z")]),
    ("geometry_msgs/msg/Point", &[("float64", "x"), ("float64", "y"), ("float64", "z")]),
    ("geometry_msgs/msg/Quaternion", &[("float64", "x"), ("float64", "y"), ("float64", "z"), ("float64", "w")]),
    (
        "geometry_msgs/msg/Transform",
        &[("geometry_msgs/msg/Vector3", "translation"), ("geometry_msgs/msg/Quaternion", "rotation")],
    ),
    (
        "geometry_msgs/msg/TransformStamped",
        &[
            ("std_msgs/msg/Header", "header"),
            ("string", "child_frame_id"),
            ("geometry_msgs/msg/Transform", "transform"),
        ],
    ),
    ("tf2_msgs/msg/TFMessage", &[("geometry_msgs/msg/TransformStamped[]", "transforms")]),
    (
        "geometry_msgs/msg/Pose",
        &[("geometry_msgs/msg/Point", "position"), ("geometry_msgs/msg/Quaternion", "orientation")],
    ),
    ("geometry_msgs/msg/Twist", &[("geometry_msgs/msg/Vector3", "linear"), ("geometry_msgs/msg/Vector3", "angular")]),
    ("geometry_msgs/msg/Wrench", &[("geometry_msgs/msg/Vector3", "force"), ("geometry_msgs/msg/Vector3", "torque")]),
    (
        "gazebo_msgs/msg/LinkStates",
        &[("string[]", "name"), ("geometry_msgs/msg/Pose[]", "pose"), ("geometry_msgs/msg/Twist[]", "twist")],
    ),
    (
        "sensor_msgs/msg/JointState",
        &[
            ("std_msgs/msg/Header", "header"),
            ("string[]", "name"),
            ("float64[]", "position"),
            ("float64[]", "velocity"),
            ("float64[]", "effort"),
        ],
    ),
    (
        "gazebo_msgs/msg/ContactState",
        &[
            ("string", "info"),
            ("string", "collision1_name"),
            ("string", "collision2_name"),
            ("geometry_msgs/msg/Wrench[]", "wrenches"),
            ("geometry_msgs/msg/Wrench", "total_wrench"),
            ("geometry_msgs/msg/Vector3[]", "contact_positions"),
            ("geometry_msgs/msg/Vector3[]", "contact_normals"),
            ("float64[]", "depths"),
        ],
    ),
    (
        "gazebo_msgs/msg/ContactsState",
        &[("std_msgs/msg/Header", "header"), ("gazebo_msgs/msg/ContactState[]", "states")],
    ),
    ("geometry_msgs/msg/WrenchStamped", &[("std_msgs/msg/Header", "header"), ("geometry_msgs/msg/Wrench", "wrench")]),
    (
        "sensor_msgs/msg/Imu",
        &[
            ("std_msgs/msg/Header", "header"),
            ("geometry_msgs/msg/Quaternion", "orientation"),
            ("float64[9]", "orientation_covariance"),
            ("geometry_msgs/msg/Vector3", "angular_velocity"),
            ("float64[9]", "angular_velocity_covariance"),
            ("geometry_msgs/msg/Vector3", "linear_acceleration"),
            ("float64[9]", "linear_acceleration_covariance"),
        ],
    ),
    (
        "ros_gz_interfaces/msg/Altimeter",
        &[
            ("std_msgs/msg/Header", "header"),
            ("float64", "vertical_position"),
            ("float64", "vertical_velocity"),
            ("float64", "vertical_reference"),
        ],
    ),
    (
        "sensor_msgs/msg/MagneticField",
        &[
            ("std_msgs/msg/Header", "header"),
            ("geometry_msgs/msg/Vector3", "magnetic_field"),
            ("float64[9]", "magnetic_field_covariance"),
        ],
    ),
    ("sensor_msgs/msg/NavSatStatus", &[("int8", "status"), ("uint16", "service")]),
    (
        "sensor_msgs/msg/NavSatFix",
        &[
            ("std_msgs/msg/Header", "header"),
            ("sensor_msgs/msg/NavSatStatus", "status"),
            ("float64", "latitude"),
            ("float64", "longitude"),
            ("float64", "altitude"),
            ("float64[9]", "position_covariance"),
            ("uint8", "position_covariance_type"),
        ],
    ),
    (
        "sensor_msgs/msg/FluidPressure",
        &[("std_msgs/msg/Header", "header"), ("float64", "fluid_pressure"), ("float64", "variance")],
    ),
    ("std_msgs/msg/Bool", &[("bool", "data")]),
    ("std_msgs/msg/Float64", &[("float64", "data")]),
    ("geometry_msgs/msg/PoseWithCovariance", &[("geometry_msgs/msg/Pose", "pose"), ("float64[36]", "covariance")]),
    ("geometry_msgs/msg/TwistWithCovariance", &[("geometry_msgs/msg/Twist", "twist"), ("float64[36]", "covariance")]),
    (
        "nav_msgs/msg/Odometry",
        &[
            ("std_msgs/msg/Header", "header"),
            ("string", "child_frame_id"),
            ("geometry_msgs/msg/PoseWithCovariance", "pose"),
            ("geometry_msgs/msg/TwistWithCovariance", "twist"),
        ],
    ),
    (
        "stiction_msgs/msg/WireNode",
        &[("string", "wire"), ("geometry_msgs/msg/Vector3", "position"), ("float64", "length"), ("float64", "tension")],
    ),
    ("stiction_msgs/msg/WireNodes", &[("std_msgs/msg/Header", "header"), ("stiction_msgs/msg/WireNode[]", "nodes")]),
];

/// What a message holds.
#[derive(Clone, Copy)]
pub(super) struct Definition {
    name: &'static str,
    fields: &'static [Field],
}

impl Definition {
    /// Of a message by its name; without fields if it is unknown.
    pub(super) fn of(name: &'static str) -> Self {
        let fields = DEFINITIONS.iter().find(|(own, _)| *own == name).map_or(&[][..], |(_, fields)| fields);
        Self { name, fields }
    }

    /// Messages within this one, each once.
    fn parts(self, found: &mut BTreeSet<&'static str>, order: &mut Vec<Self>) {
        for (kind, _) in self.fields {
            let part = Self::of(element_type(kind));
            if !part.fields.is_empty() && found.insert(part.name) {
                order.push(part);
                part.parts(found, order);
            }
        }
    }

    fn lines(self) -> String {
        // Within a definition types have no `msg`.
        self.fields.iter().map(|(kind, name)| format!("{} {name}\n", kind.replace("/msg/", "/"))).collect()
    }

    /// The text of `.msg` files that ROS 2 puts into bags: this one, then those within it.
    pub(super) fn ros2msg(self) -> String {
        let mut parts = Vec::new();
        self.parts(&mut BTreeSet::new(), &mut parts);
        let mut text = self.lines();
        for part in parts {
            let line = "=".repeat(80);
            text += &format!("{line}\nMSG: {}\n{}", part.name.replace("/msg/", "/"), part.lines());
        }
        text
    }

    /// The same as JSON Schema.
    pub(super) fn json_schema(self) -> Value {
        let property = |kind: &'static str| -> Value {
            let own = element_type(kind);
            let one = match own {
                "string" => json!({"type": "string"}),
                "bool" => json!({"type": "boolean"}),
                "float64" => json!({"type": "number"}),
                _ if Self::of(own).fields.is_empty() => json!({"type": "integer"}),
                _ => Self::of(own).json_schema(),
            };
            if own == kind { one } else { json!({"type": "array", "items": one}) }
        };
        let properties: Map<_, _> =
            self.fields.iter().map(|(kind, name)| ((*name).to_owned(), property(kind))).collect();
        json!({"title": self.name, "type": "object", "properties": properties})
    }
}

/// A type without what makes it a sequence or an array.
fn element_type(kind: &'static str) -> &'static str {
    kind.split_once('[').map_or(kind, |(own, _)| own)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde::Serialize;

    use super::super::messages::*;
    use super::*;

    /// Fields of a message as it is written are those of its definition, in order.
    fn check<M: Serialize + Named>(message: &M) {
        let value = serde_json::to_value(message).unwrap();
        let found: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
        let expected: Vec<&str> = Definition::of(M::NAME).fields.iter().map(|(_, name)| *name).collect();
        assert!(!expected.is_empty(), "{}", M::NAME);
        assert_eq!(found, expected, "{}", M::NAME);
    }

    #[test]
    fn messages_are_as_defined() {
        check(&TfMessage { transforms: Vec::new() });
        check(&LinkStates { name: Vec::new(), pose: Vec::new(), twist: Vec::new() });
        check(&JointState::default());
        check(&ContactsState { header: Header::at(0.0, ""), states: Vec::new() });
        check(&WireNodes { header: Header::at(0.0, ""), nodes: Vec::new() });
    }

    #[test]
    fn definitions_hold_what_they_need() {
        let text = Definition::of("sensor_msgs/msg/JointState").ros2msg();
        assert!(text.starts_with("std_msgs/Header header\nstring[] name\n"), "{text}");
        assert!(text.contains("MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n"), "{text}");
        let schema = Definition::of("tf2_msgs/msg/TFMessage").json_schema();
        let transform = &schema["properties"]["transforms"]["items"]["properties"]["transform"];
        assert_eq!(transform["properties"]["rotation"]["properties"]["w"]["type"], "number");
    }
}
