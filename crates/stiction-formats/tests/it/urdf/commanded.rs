//! Transmissions and `<ros2_control>` are the list of commanded joints.

use stiction_formats::diagnostic::Severity;
use stiction_formats::{LoadOptions, one_line};

use super::{codes, good, load_robot};

const ARM: &str =
    "<link name='base'>INERTIAL</link><link name='upper'>INERTIAL</link><link name='lower'>INERTIAL</link>
    <link name='tool'>INERTIAL</link>
    <joint name='shoulder' type='continuous'><parent link='base'/><child link='upper'/></joint>
    <joint name='elbow' type='continuous'><parent link='upper'/><child link='lower'/></joint>
    <joint name='flange' type='fixed'><parent link='lower'/><child link='tool'/></joint>";

#[test]
fn transmissions_list_commanded_joints() {
    let world = good(&format!(
        "{ARM}<transmission name='t1'><type>transmission_interface/SimpleTransmission</type>
           <joint name='shoulder'><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface>
             <hardwareInterface>PositionJointInterface</hardwareInterface></joint>
           <actuator name='m1'><mechanicalReduction>50</mechanicalReduction></actuator></transmission>
         <transmission type='pr2_mechanism_model/SimpleTransmission' name='t2'><actuator name='m2'/><joint name='elbow'/>
           <mechanicalReduction>-7.5</mechanicalReduction></transmission>"
    ));
    let all: Vec<(&str, String)> =
        world.commanded_joints.iter().map(|c| (world.joints[c.joint].name.as_str(), c.text())).collect();
    assert_eq!(
        all,
        [
            (
                "r::shoulder",
                "effort, position; transmission `t1`, hardware hardware_interface/EffortJointInterface, reduction 50"
                    .to_owned()
            ),
            ("r::elbow", "effort; transmission `t2`, reduction -7.5".to_owned()),
        ]
    );
    assert!(world.skipped.is_empty(), "{:?}", world.skipped);
}

#[test]
fn ros2_control_lists_interfaces_hardware_and_gears() {
    let world = good(&format!(
        "{ARM}<ros2_control name='arm' type='system'><hardware><plugin>gz_ros2_control/GazeboSimSystem</plugin></hardware>
           <joint name='elbow'><command_interface name='position'><param name='min'>-1</param></command_interface>
             <command_interface name='velocity'/><state_interface name='position'/></joint>
           <joint name='shoulder'><state_interface name='effort'/></joint>
           <transmission name='gear'><plugin>transmission_interface/SimpleTransmission</plugin>
             <joint name='elbow' role='joint1'><mechanical_reduction>2.5</mechanical_reduction></joint></transmission>
           <sensor name='imu'/></ros2_control>"
    ));
    let [elbow, shoulder] = world.commanded_joints.as_slice() else { panic!("{:?}", world.commanded_joints) };
    assert_eq!(world.joints[elbow.joint].name, "r::elbow");
    assert_eq!((elbow.kind.as_str(), elbow.holder.as_str()), ("ros2_control", "arm"));
    assert_eq!(elbow.command_interfaces, ["position", "velocity"]);
    assert_eq!(elbow.state_interfaces, ["position"]);
    assert_eq!(elbow.hardware, "gz_ros2_control/GazeboSimSystem");
    assert_eq!(elbow.mechanical_reduction.as_ref().map(|r| r.value), Some(2.5));
    assert_eq!(shoulder.text(), "no command interface; ros2_control `arm`, hardware gz_ros2_control/GazeboSimSystem");
}

#[test]
fn joints_that_cannot_be_commanded_are_told_with_their_line() {
    let loaded = load_robot(
        &format!("{ARM}\n<transmission name='t'><joint name='elbo'/></transmission>\n<transmission name='e'/>\n<transmission name='f'><joint name='flange'/></transmission>\n<ros2_control name='c'><joint name='shoulder'/><joint name='wrist'/></ros2_control>
        <transmission name='z'><joint name='elbow'/><mechanicalReduction>0</mechanicalReduction></transmission>"),
        &LoadOptions { no_ground: true, ..LoadOptions::default() },
    );
    let found: Vec<(u32, &str)> =
        loaded.diagnostics.iter().map(|d| (d.location.as_ref().expect("a place").line, d.message.as_str())).collect();
    assert!(loaded.diagnostics.iter().all(|d| d.severity == Severity::Warning));
    let expected = [
        (6, "`elbo` is commanded and is no joint"),
        (7, "<transmission> `e` names no joint"),
        (8, "joint `flange` cannot be commanded: its type is `fixed`"),
        (9, "`wrist` is commanded and is no joint"),
        (10, "the mechanical reduction is `0`, not a number other than 0"),
    ];
    assert_eq!(found, expected, "{:?}", loaded.diagnostics.iter().map(one_line).collect::<Vec<_>>());
    assert!(loaded.diagnostics[0].help.as_ref().is_some_and(|h| h.contains("elbow")));
    assert_eq!(loaded.world.expect("warnings only").commanded_joints.len(), 2);
}

#[test]
fn a_joint_at_fault_is_told_once() {
    let body = "<link name='a'>INERTIAL</link><link name='b'>INERTIAL</link>
        <joint name='j' type='hinge'><parent link='a'/><child link='b'/></joint>
        <transmission name='t'><joint name='j'/></transmission>";
    assert_eq!(codes(body), ["joint-type"]);
}
