//! The keys that Choreonoid's readers know, in snake_case.

/// Keys of a `.body` file itself.
pub(super) const BODY: &[&str] = &[
    "format",
    "format_version",
    "angle_unit",
    "name",
    "root_link",
    "links",
    "extra_joints",
    "collision_detection_rules",
    "collision_detection",
    "body_handlers",
    "model_file",
    "link_info",
    "standard_pose",
    "initial_joint_angles",
    "linked_joint",
    "joint_groups",
    "link_groups",
    "joint_displacements",
    "self_collision_detection",
    "link_group",
    "foot_links",
    "default_iksetup",
];

/// Keys of a link that are read.
pub(super) fn link() -> Vec<&'static str> {
    [LINK, JOINT_ROWS].concat()
}

/// Keys of an extra joint that are read.
pub(super) fn extra_joint() -> Vec<&'static str> {
    [EXTRA_JOINT, JOINT_ROWS].concat()
}

/// Keys of a link, but for those of its joint's rows.
const LINK: &[&str] = &[
    "type",
    "name",
    "joint_name",
    "parent",
    "translation",
    "rotation",
    "rpy",
    "joint_id",
    "joint_type",
    "joint_axis",
    "joint_range",
    "max_joint_velocity",
    "joint_velocity_range",
    "max_joint_effort",
    "joint_angle",
    "joint_displacement",
    "rotor_inertia",
    "gear_ratio",
    "joint_axis_inertia",
    "center_of_mass",
    "mass",
    "inertia",
    "material",
    "elements",
    "mass_type",
    "density",
    "uri",
    "prefix",
    "suffix",
    "joint_id_offset",
    "youngs_modulus",
    "viscosity",
    "roughness",
    "surface_viscosity",
    "adhesion_force",
    "adhesiv_overlap",
];

/// Keys of a joint's rows under AGX: of the joint itself, of its motor, its stops and its lock.
const JOINT_ROWS: &[&str] = &[
    "joint_compliance",
    "joint_spook_damping",
    "joint_force_range",
    "joint_motor",
    "joint_motor_compliance",
    "joint_motor_spook_damping",
    "joint_motor_force_range",
    "joint_range_compliance",
    "joint_range_spook_damping",
    "joint_range_force_range",
    "joint_lock",
    "joint_lock_compliance",
    "joint_lock_spook_damping",
    "joint_lock_force_range",
];

/// Keys of a link that have no effect on the motion here, and what they would do there.
pub(super) const LINK_WITHOUT_EFFECT: &[(&str, &str)] = &[
    ("convex_decomposition", "meshes as several convex parts"),
    ("amor", "joining bodies at rest"),
    ("auto_sleep", "falling asleep"),
    ("actuation_mode", "what a controller commands"),
    ("import", "a part of a scene file"),
    ("is_optional", "a sub-body that may be absent"),
    ("poisson_ratio", "nothing, in Choreonoid too"),
    ("spook_damping", "nothing, in Choreonoid too"),
    ("child_links", "nothing, since `parent` says it"),
    ("sole_center", "a point for walking controllers"),
    ("contact_material", "a material of a track"),
    ("info", "data of programs"),
];

/// Keys of every node of `elements`.
pub(super) const NODE: &[&str] =
    &["type", "name", "translation", "rotation", "rpy", "scale", "elements", "id", "is_optional"];

/// Keys of an extra joint, but for those of its rows.
const EXTRA_JOINT: &[&str] = &[
    "name",
    "link1_name",
    "link2_name",
    "joint_type",
    "joint_axis",
    "axis",
    "link1_local_pos",
    "link2_local_pos",
    "link1_local_position",
    "link2_local_position",
    "link1_rotation",
    "link2_rotation",
    "joint_range",
];

/// Devices of Choreonoid that do not act on the motion.
pub(super) const PASSIVE: &[&str] = &[
    "AccelerationSensor",
    "AccelSensor",
    "RateGyroSensor",
    "IMU",
    "Imu",
    "ForceSensor",
    "Camera",
    "RangeCamera",
    "RangeSensor",
    "LivoxMid360",
    "PointLight",
    "SpotLight",
    "DirectionalLight",
    "FireDevice",
    "FountainDevice",
    "RainDevice",
    "SmokeDevice",
    "SnowDevice",
    "FogDevice",
    "DigitalIO",
    "StdActionController",
    "CompetitorMarker",
    "Device",
    "Marker",
    "PassiveMarker",
];

/// Devices that act: joints which break, or which lock two links once they are near; wires, and belts of plates.
pub(super) const ACTING: &[&str] =
    &["AGXBreakableJointDevice", "AGXMagneticJointDevice", "AGXWireDevice", "AGXVehicleContinuousTrackDevice"];

/// Devices that act on the motion there and are not made here, and what they are.
pub(super) const ACTIVE: &[(&str, &str)] = &[
    ("AGXVacuumGripper", "a vacuum gripper"),
    ("VacuumGripper", "a vacuum gripper"),
    ("NailDriver", "a nail driver"),
    ("ContinuousTrack", "a belt track"),
    ("PxContinuousTrack", "a belt track"),
    ("Holder", "a gripper that holds attachments"),
    ("Attachment", "a part that a holder can take"),
    ("SuctionCup", "a suction cup"),
    ("Thruster", "a thruster"),
    ("Rotor", "a rotor"),
];

/// Nodes of `elements` that make up links.
pub(super) const STRUCTURE: &[&str] =
    &["Group", "Transform", "RigidBody", "Shape", "Visual", "Collision", "Resource", "Skip"];
