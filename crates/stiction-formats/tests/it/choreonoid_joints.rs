//! What bodies say of joints and devices for AGX: values, places, faults.

use stiction::joints::JointSpook;
use stiction::math::DVec3;
use stiction_formats::description::{Origin, WorldDescription};
use stiction_formats::devices::{BreakLimit, DeviceJointType, DeviceKind, WireNodeKind};
use stiction_formats::diagnostic::Severity;
use stiction_formats::simulation::spook_rows;
use stiction_formats::{FileRequest, LoadOptions, Loaded, load, render};
use stiction_testing::shared;

fn load_text(text: &str) -> Loaded {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("b.body");
    std::fs::write(&path, text).expect("a file");
    load(&[FileRequest { path, name: None, pose: None }], &LoadOptions { no_ground: true, ..LoadOptions::default() })
}

fn world(loaded: Loaded) -> WorldDescription {
    let findings = render(&loaded.diagnostics, &loaded.sources, false);
    loaded.world.unwrap_or_else(|| panic!("{findings}"))
}

const HEAD: &str = "format: ChoreonoidBody\nformatVersion: 1.0\nname: b\nlinks:\n";

/// An arm on a base, with keys of its joint, and other parts.
fn arm(keys: &str, rest: &str) -> String {
    format!(
        "{HEAD}  - {{ name: base, jointType: fixed }}\n  - name: arm\n    parent: base\n    jointType: revolute\n    jointAxis: Y\n    \
         mass: 1\n    inertia: [ 1, 0, 0, 1, 0, 1 ]\n{keys}  - {{ name: tip, parent: arm, jointType: fixed, mass: 1, inertia: [ 1, 0, 0, 1, 0, 1 ] }}\n{rest}"
    )
}

#[test]
fn every_part_of_a_joint_has_its_rows() {
    let keys = "    jointCompliance: 1e-6
    joint_spook_damping: 0.05
    jointForceRange: [ -5, 7 ]
    jointMotor: true
    jointMotorCompliance: 1e-2
    jointMotorForceRange: 3
    jointRangeSpookDamping: 0.2
    jointLock: false
    jointLockCompliance: 1e-3
    jointLockForceRange: [ -12000.0, 12000.0 ]
";
    let loaded = load_text(&arm(keys, ""));
    let told = loaded.diagnostics.iter().filter(|d| d.code == "no-effect").count();
    assert_eq!(told, 0);
    let world = world(loaded);
    let joint = world.joints.iter().find(|joint| joint.name == "b::arm").expect("a joint");
    let rows = spook_rows(joint).expect("rows");
    let of = |compliance, damping_time, force_range| JointSpook { compliance, damping_time, force_range };
    let free = [f64::NEG_INFINITY, f64::INFINITY];
    assert_eq!(rows.base, of(1e-6, 0.05, [-5.0, 7.0]));
    assert_eq!(rows.range, of(1e-8, 0.2, free));
    assert_eq!(rows.motor, Some(of(1e-2, 0.0333, [-3.0, 3.0])));
    assert_eq!(rows.lock, None);
    let spook = joint.spook.as_ref().expect("data");
    assert!(matches!(&spook.lock.compliance.origin, Origin::File(place) if (place.line, place.column) == (20, 26)));
    assert_eq!((spook.lock.compliance.value, spook.lock.force_range.value), (1e-3, [-12000.0, 12000.0]));
    assert_eq!(spook.range.compliance.origin, Origin::Default);
    // Nothing is said of a joint that says nothing.
    let silent = self::world(load_text(&arm("", "")));
    assert!(silent.joints.iter().all(|joint| spook_rows(joint).is_none()));
}

#[test]
fn joints_that_close_loops_have_them_too() {
    let rest = "extraJoints:
  - { name: c, link1Name: base, link2Name: tip, jointType: hinge, axis: [ 0, 1, 0 ], jointRange: [ -90, 45 ],
      joint_lock: true, joint_lock_compliance: 1e-5, joint_lock_force_range: [ -1, 1 ] }
";
    let world = world(load_text(&arm("", rest)));
    let joint = world.joints.iter().find(|joint| joint.name == "b::c").expect("a joint");
    let lock = spook_rows(joint).and_then(|rows| rows.lock).expect("a lock");
    assert_eq!((lock.compliance, lock.force_range), (1e-5, [-1.0, 1.0]));
    let [low, high] = [joint.axes[0].lower.value, joint.axes[0].upper.value];
    assert!((low + std::f64::consts::FRAC_PI_2).abs() < 1e-12 && (high - std::f64::consts::FRAC_PI_4).abs() < 1e-12);
}

#[test]
fn a_joint_that_begins_beyond_its_stops_is_told() {
    let found = |keys: &str| -> Vec<String> {
        let loaded = load_text(&arm(keys, ""));
        loaded.diagnostics.iter().filter(|d| d.code == "joint-start").map(|d| d.message.clone()).collect()
    };
    let range = "    jointRange: [ 30.7, 152.1 ]\n";
    assert_eq!(found(range), ["the joint of `arm` begins at 0°, outside of its range 30.7 to 152.1°"]);
    assert!(
        found(&format!("{range}    jointAngle: 150\n")).is_empty() && found("    jointRange: [ 0, 10 ]\n").is_empty()
    );
}

#[test]
fn values_that_joints_cannot_have_are_refused_at_their_place() {
    for (key, column) in [
        ("jointCompliance: -1", 22),
        ("jointCompliance: stiff", 22),
        ("jointMotorSpookDamping: [ 1 ]", 29),
        ("jointForceRange: [ 1, 2 ]", 22),
        ("jointForceRange: [ 2, -2 ]", 22),
        ("jointLockForceRange: [ -1, 0, 1 ]", 26),
        ("jointMotor: maybe", 17),
    ] {
        let loaded = load_text(&arm(&format!("    {key}\n"), ""));
        let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        assert_eq!(errors.len(), 1, "{key}: {errors:?}");
        let place = errors[0].location.as_ref().expect("a place");
        assert_eq!((errors[0].code, place.line, place.column), ("invalid-value", 12, column), "{key}");
    }
}

const DEVICES: &str = "    elements:
      - type: AGXWireDevice
        name: rope
        radius: 0.02
        resolutionPerUnitLength: 5
        collision: false
        selfCollision: true
        materialName: Wire
        wireYoungsModulusBend: 1e7
        Winch: { linkName: base, position: [ 0, 0, 1 ], normal: [ 2, 0, 0 ], pulledInLength: 50, haulForceRange: [ -50, 60 ] }
        Nodes:
          - { type: free, linkName: arm, position: [ 1, 0, 0 ] }
          - { type: fixed, position: [ 2, 0, 0 ] }
          - { type: link, linkName: tip, twistStiffness: 3, superBendReplacedWithBend: true }
      - type: AGXBreakableJointDevice
        link1Name: base
        link2Name: tip
        jointType: prismatic
        jointAxis: [ 0, 3, 0 ]
        breakType: force
        breakLimitForce: 3000
        period: 3.0
        validAxis: [ 0, 1, 0 ]
        jointCompliance: 1e-6
      - { type: AGXBreakableJointDevice, link1Name: arm, link2Name: tip, breakType: impulse, breakLimitImpulse: 20 }
      - type: AGXMagneticJointDevice
        link1Name: arm
        link2Name: tip
        position2: [ 0, 0, -0.05 ]
        connectAxis1: [ 0, 1, 0 ]
        validDistance: 1.0
        validAngle: 20
        jointSpookDamping: 1.0
      - type: AGXVehicleContinuousTrackDevice
        name: TRACK
        sprocketNames: [ arm ]
        rollerNames: [ tip, base ]
        numberOfNodes: 42
        nodeWidth: 0.09
        hingeCompliance: 9.0e-10
        nodesToWheelsMergeThreshold: -0.01
        enableMerge: true
";

#[test]
fn devices_are_kept_with_their_links() {
    let loaded = load_text(&arm(DEVICES, ""));
    let notes = loaded.diagnostics.iter().filter(|d| d.code == "device").count();
    assert_eq!((notes, loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()), (2, 0));
    let world = world(loaded);
    let words: Vec<(&str, &str, usize)> =
        world.devices.iter().map(|d| (d.kind.word(), d.name.as_str(), d.link)).collect();
    assert_eq!(
        words,
        [
            ("AGXWireDevice", "rope", 1),
            ("AGXBreakableJointDevice", "", 1),
            ("AGXBreakableJointDevice", "", 1),
            ("AGXMagneticJointDevice", "", 1),
            ("AGXVehicleContinuousTrackDevice", "TRACK", 1),
        ]
    );
    let DeviceKind::Wire(wire) = &world.devices[0].kind else { panic!() };
    assert_eq!((wire.radius.value, wire.resolution.value), (0.02, 5.0));
    assert_eq!((wire.collides.value, wire.self_collides.value, wire.material.value.as_str()), (false, true, "Wire"));
    assert_eq!(wire.youngs_modulus_bend.as_ref().map(|e| e.value), Some(1e7));
    assert!(wire.youngs_modulus_stretch.is_none());
    let winch = wire.winch.as_ref().expect("a winch");
    assert_eq!((winch.normal, winch.pulled_in_length.value, winch.force_range.value), (DVec3::X, 50.0, [-50.0, 60.0]));
    assert_eq!(winch.link.as_ref().and_then(|link| link.link), Some(0));
    let nodes: Vec<(WireNodeKind, Option<usize>)> =
        wire.nodes.iter().map(|node| (node.kind, node.link.as_ref().and_then(|link| link.link))).collect();
    assert_eq!(nodes, [(WireNodeKind::Free, Some(1)), (WireNodeKind::Fixed, None), (WireNodeKind::Link, Some(2))]);
    assert_eq!(wire.nodes[2].twist_stiffness.as_ref().map(|k| k.value), Some(3.0));
    let DeviceKind::BreakableJoint(joint) = &world.devices[1].kind else { panic!() };
    assert_eq!((joint.joint_type, joint.axis, joint.compliance.value), (DeviceJointType::Prismatic, DVec3::Y, 1e-6));
    assert!(
        matches!(&joint.limit, BreakLimit::Force { limit, period } if (limit.value, period.value) == (3000.0, 3.0))
    );
    let DeviceKind::BreakableJoint(joint) = &world.devices[2].kind else { panic!() };
    assert!(matches!(&joint.limit, BreakLimit::Impulse(limit) if limit.value == 20.0));
    let DeviceKind::MagneticJoint(joint) = &world.devices[3].kind else { panic!() };
    assert!((joint.valid_angle.value - 20.0_f64.to_radians()).abs() < 1e-12);
    assert_eq!((joint.axes, joint.positions[1]), ([DVec3::Y, DVec3::Z], DVec3::new(0.0, 0.0, -0.05)));
    let DeviceKind::Track(track) = &world.devices[4].kind else { panic!() };
    assert_eq!(track.rollers.iter().map(|link| link.link).collect::<Vec<_>>(), [Some(2), Some(0)]);
    assert_eq!((track.nodes.value, track.node_thickness.value, track.hinge_compliance.value), (42, 0.075, 9e-10));
    let merging: Vec<(&str, f64)> = track.merging.iter().map(|(key, value)| (*key, value.value)).collect();
    assert_eq!(merging, [("nodes_to_wheels_merge_threshold", -0.01), ("enable_merge", 1.0)]);
}

#[test]
fn faults_of_devices_are_told_at_their_place() {
    let device = |text: &str| arm(&format!("    elements:\n      - {text}\n"), "");
    for (text, severity, code) in [
        ("{ type: AGXWireDevice, radius: 0 }", Severity::Error, "invalid-value"),
        ("{ type: AGXWireDevice, radus: 0.1 }", Severity::Warning, "unknown-key"),
        ("{ type: AGXWireDevice, Winch: { linkName: nowhere } }", Severity::Error, "unknown-link"),
        ("{ type: AGXWireDevice, Winch: { position: [ 0, 0, 0 ] } }", Severity::Error, "missing-key"),
        ("{ type: AGXWireDevice, Nodes: [ { type: loose } ] }", Severity::Error, "unknown-word"),
        ("{ type: AGXWireDevice, Nodes: [ { type: link } ] }", Severity::Error, "missing-key"),
        ("{ type: AGXBreakableJointDevice, link1Name: base }", Severity::Error, "missing-key"),
        ("{ type: AGXBreakableJointDevice, link1Name: base, link2Name: tp }", Severity::Error, "unknown-link"),
        (
            "{ type: AGXMagneticJointDevice, link1Name: base, link2Name: tip, connectAxis1: [ 0, 0, 0 ] }",
            Severity::Error,
            "invalid-value",
        ),
        ("{ type: AGXVehicleContinuousTrackDevice, numberOfNodes: 1.5 }", Severity::Error, "invalid-value"),
        ("{ type: AGXVehicleContinuousTrackDevice, sprocketNames: [ wheel ] }", Severity::Error, "unknown-link"),
        ("{ type: AGXVehicleContinuousTrackDevice, contactReduction: 4 }", Severity::Error, "invalid-value"),
    ] {
        let loaded = load_text(&device(text));
        let own: Vec<_> = loaded.diagnostics.iter().filter(|d| d.severity >= Severity::Warning).collect();
        assert_eq!(own.len(), 1, "{text}: {own:?}");
        let line = own[0].location.as_ref().expect("a place").line;
        assert_eq!((own[0].severity, own[0].code, line), (severity, code, 13), "{text}");
    }
}

#[test]
fn devices_of_the_reference_name_links_that_there_are() {
    let Some(folder) = shared("choreonoid") else { return };
    for (file, wanted) in [
        ("AGXDynamics/agxWireSample.body", 2),
        ("AGXDynamics/FireHose.body", 1),
        ("AGXDynamics/BreachingPlate.body", 2),
        ("AGXDynamics/LockedDoor.body", 1),
        ("AGXDynamics/agxMagneticJoint.body", 1),
        ("model/Tank/AgxTank.body", 2),
        ("model/DoubleArmV7/DoubleArmV7A.body", 2),
    ] {
        let path = folder.join(file);
        let loaded = load(&[FileRequest { path, name: None, pose: None }], &LoadOptions::default());
        assert_eq!(world(loaded).devices.len(), wanted, "{file}");
    }
}
