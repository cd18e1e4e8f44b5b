//! Elements of `<gazebo>`: Gazebo's own names, SDFormat in its place, and what has no effect.

use stiction::math::DVec3;
use stiction_formats::{LoadOptions, one_line};

use super::{good, load_robot};

const PAIR: &str = "<link name='base'>INERTIAL<collision><geometry><box size='1 1 1'/></geometry></collision></link>
    <link name='arm'>INERTIAL</link><link name='mast'>INERTIAL</link>
    <joint name='j' type='continuous'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/></joint>
    <joint name='fix' type='fixed'><origin xyz='0 0.5 1'/><parent link='base'/><child link='mast'/></joint>";

#[test]
fn sdformat_within_gazebo_is_passed_on() {
    let world = good(&format!(
        "{PAIR}<gazebo><enable_wind>true</enable_wind><self_collide>true</self_collide><allow_auto_disable>0</allow_auto_disable></gazebo>
         <gazebo reference='base'><kinematic>true</kinematic><velocity_decay><linear>0.25</linear></velocity_decay><dampingFactor>0.5</dampingFactor>
           <collision><max_contacts>3</max_contacts><surface><bounce><restitution_coefficient>0.75</restitution_coefficient></bounce>
             <friction><ode><slip1>0.125</slip1></ode></friction></surface></collision><mu1>0.5</mu1></gazebo>
         <gazebo reference='arm'><turnGravityOff>yes</turnGravityOff><inertial><mass>7</mass></inertial></gazebo>
         <gazebo reference='j'><cfmDamping>true</cfmDamping><axis><dynamics><spring_stiffness>4</spring_stiffness></dynamics></axis>
           <physics><ode><erp>0.5</erp></ode></physics><sensor name='ft' type='force_torque'/></gazebo>"
    ));
    assert!(!world.models[0].allow_auto_disable);
    let (base, arm) = (&world.links[0], &world.links[1]);
    assert!(base.kinematic.value && base.enable_wind.value && base.self_collide.value && !arm.gravity.value);
    assert_eq!(base.velocity_decay.each_ref().map(|d| d.value), [0.25, 0.5]);
    let surface = &base.collisions[0].surface;
    assert_eq!((surface.restitution.value, surface.slip1.value, surface.mu.value), (0.75, 0.125, 0.5));
    assert_eq!(base.collisions[0].max_contacts.value, 3);
    assert_eq!((arm.inertial.mass.value, arm.inertial.inertia.value[0]), (7.0, 1.0));
    let joint = &world.joints[0];
    assert!(joint.implicit_spring_damper.value);
    assert_eq!((joint.axes[0].spring_stiffness.value, joint.erp.value), (4.0, 0.5));
    assert_eq!(joint.axes.len(), 1);
    let names: Vec<&str> = world.sensors.list.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["r::j::ft"]);
}

#[test]
fn what_has_no_effect_is_told_with_its_line() {
    let loaded = load_robot(
        &format!(
            "{PAIR}\n<gazebo><mu1>1</mu1></gazebo>\n<gazebo reference='j'><kp>1</kp></gazebo>\n<gazebo reference='arm'><stopCfm>1</stopCfm></gazebo>\n<gazebo reference='arm'><maxContact>1</maxContact><visual/><laserRetro>1</laserRetro></gazebo>\n<gazebo reference='arm'><plugin name='d' filename='libLiftDragPlugin.so'/></gazebo>"
        ),
        &LoadOptions { no_ground: true, ..LoadOptions::default() },
    );
    let found: Vec<(u32, &str)> =
        loaded.diagnostics.iter().map(|d| (d.location.as_ref().expect("a place").line, d.message.as_str())).collect();
    let expected = [
        (5, "<mu1> of <gazebo> is an element of a link, and is given for the robot"),
        (6, "<kp> of <gazebo> is an element of a link, and is given for `j`"),
        (7, "<stopCfm> of <gazebo> is an element of a joint, and is given for `arm`"),
        (8, "<maxContact> is not known in <gazebo>"),
    ];
    assert_eq!(found, expected, "{:?}", loaded.diagnostics.iter().map(one_line).collect::<Vec<_>>());
    assert!(loaded.diagnostics[3].help.as_ref().is_some_and(|h| h.contains("maxContacts")));
    let world = loaded.world.expect("warnings only");
    let skipped: Vec<&str> = world.skipped.iter().map(|s| s.path.as_str()).collect();
    assert_eq!(skipped, ["link::plugin[libLiftDragPlugin.so]"]);
}

#[test]
fn plugins_and_sensors_find_links_that_are_lumped() {
    let world = good(&format!(
        "{PAIR}<gazebo><plugin name='lift' filename='libLiftDragPlugin.so'><link_name>mast</link_name><a0>0.1</a0><cla>4</cla><area>2</area>
           <air_density>1.2</air_density><cp>0 0 0</cp><forward>1 0 0</forward><upward>0 0 1</upward></plugin></gazebo>
         <gazebo reference='mast'><sensor name='imu' type='imu'><pose>0 0 0.25 0 0 0</pose></sensor></gazebo>"
    ));
    assert_eq!(world.links[2].lumped_into, Some(0));
    assert_eq!(world.links[2].pose.position, DVec3::new(0.0, 0.5, 1.0));
    assert_eq!(world.plugins.len(), 1);
    let sensor = &world.sensors.list[0];
    assert_eq!((sensor.name.as_str(), sensor.link), ("r::mast::imu", 2));
    assert_eq!(sensor.pose.position, DVec3::new(0.0, 0.0, 0.25));
}
