//! What URDF and MJCF do not have, by element.

use stiction::math::DVec3;

use crate::bodies::carrier;
use crate::description::{
    CollisionDescription, JointDescription, LinkDescription, Setting, SurfaceDescription, WorldDescription,
};

use super::kinematics::is_static;
use super::{Converted, Format};

/// Tells what neither format has, and what one of them does not have.
pub(super) fn tell(world: &WorldDescription, format: Format, converted: &mut Converted) {
    of_the_world(world, converted);
    let is_urdf = format == Format::Urdf;
    if is_urdf && (world.gravity.is_given() || world.physics.max_step_size.is_given()) {
        converted.lose("gravity and <physics> of the world are left out");
    }
    for index in (0..world.links.len()).filter(|l| !is_static(world, *l)) {
        link(&world.links[index], is_urdf, converted);
    }
    for joint in world.joints.iter().filter(|joint| !joint.is_lumped) {
        let ends = [joint.parent, joint.child].into_iter().flatten();
        if ends.into_iter().any(|end| !is_static(world, carrier(world, end))) {
            of_joint(joint, is_urdf, converted);
        }
    }
    for collision in world.links.iter().flat_map(|link| &link.collisions) {
        of_collision(collision, is_urdf, converted);
    }
}

fn of_the_world(world: &WorldDescription, converted: &mut Converted) {
    for skipped in &world.skipped {
        converted.lose(format!("`{}` is left out", skipped.path));
    }
    for plugin in &world.plugins {
        converted.lose(format!("the plugin `{}` ({}) is left out", plugin.name, plugin.system));
    }
    if !world.wheel_slips.is_empty() {
        converted.lose("the plugin `WheelSlip` is left out");
    }
    for sensor in &world.sensors.list {
        converted.lose(format!("the sensor `{}` ({}) is left out", sensor.name, sensor.kind.word()));
    }
    for sensor in &world.sensors.unread {
        converted.lose(format!("the sensor `{}` ({}) is left out", sensor.name, sensor.word));
    }
    for joint in &world.commanded_joints {
        converted.lose(format!("<{}> of joint `{}` is left out", joint.kind, world.joints[joint.joint].name));
    }
    if !world.devices.is_empty() {
        converted.lose("wires, tracks and joints that break or lock are left out");
    }
    if world.material_table.is_some() || !world.own_materials.is_empty() {
        converted.lose("contact materials are left out");
    }
    if world.wind.linear_velocity.is_given() {
        converted.lose("the wind is left out");
    }
    let collisions = || world.links.iter().flat_map(|link| &link.collisions);
    if collisions().any(|collision| collision.belt.is_some()) {
        converted.lose("belts stand still");
    }
    if collisions().any(|c| c.surface.restitution.value > 0.0) {
        converted.lose("restitution is left out");
    }
    if world.models.iter().any(|model| model.initial_velocity.is_some()) {
        converted.lose("initial velocities are left out");
    }
}

fn link(link: &LinkDescription, is_urdf: bool, converted: &mut Converted) {
    let name = &link.name;
    if link.inertial.fluid_added_mass.is_some() {
        converted.lose(format!("link `{name}`: the added mass of the fluid is left out"));
    }
    if link.velocity_decay.iter().any(acts) {
        converted.lose(format!("link `{name}`: <velocity_decay> is left out"));
    }
    if is_urdf && link.kinematic.value {
        converted.lose(format!("link `{name}` is kinematic: it moves freely"));
    }
    let surfaces = || link.collisions.iter().map(|collision| &collision.surface);
    if is_urdf && surfaces().zip(surfaces().skip(1)).any(|(a, b)| !is_same(a, b)) {
        converted.lose(format!("link `{name}`: all its collisions have the surface of the first"));
    }
}

/// Two surfaces are the same by what URDF files say of a link.
fn is_same(a: &SurfaceDescription, b: &SurfaceDescription) -> bool {
    let values = |s: &SurfaceDescription| {
        [&s.mu, &s.mu2, &s.kp, &s.kd, &s.max_vel, &s.min_depth].map(|setting| setting.value.to_bits())
    };
    values(a) == values(b)
}

fn of_joint(joint: &JointDescription, is_urdf: bool, converted: &mut Converted) {
    let mut lose = |element: &str| converted.lose(format!("joint `{}`: <{element}> is left out", joint.name));
    let of_rows = [
        ("physics/ode/cfm", &joint.cfm),
        ("physics/ode/erp", &joint.erp),
        ("physics/ode/limit/cfm", &joint.limit_cfm),
        ("physics/ode/limit/erp", &joint.limit_erp),
        ("physics/ode/suspension/cfm", &joint.suspension_cfm),
        ("physics/ode/suspension/erp", &joint.suspension_erp),
        ("physics/ode/bounce", &joint.bounce),
        ("physics/ode/max_force", &joint.motor_max_force),
    ];
    acting(&of_rows).for_each(&mut lose);
    for axis in &joint.axes {
        let of_stops =
            [("axis/limit/stiffness", &axis.limit_stiffness), ("axis/limit/dissipation", &axis.limit_dissipation)];
        acting(&of_stops).for_each(&mut lose);
        if is_urdf && acts(&axis.armature) {
            lose("drake:rotor_inertia");
        }
    }
    if is_urdf && joint.implicit_spring_damper.value {
        lose("physics/ode/implicit_spring_damper");
    }
}

/// The law of contact is another one in MuJoCo, which is told of the whole file; a URDF file has that of the link.
fn of_collision(collision: &CollisionDescription, is_urdf: bool, converted: &mut Converted) {
    let s = &collision.surface;
    let mut lose = |element: &str| converted.lose(format!("<surface><{element}> of collisions is left out"));
    let friction = [
        ("friction/ode/slip1", &s.slip1),
        ("friction/ode/slip2", &s.slip2),
        ("friction/torsional/coefficient", &s.torsional_coefficient),
        ("friction/torsional/patch_radius", &s.patch_radius),
        ("friction/torsional/surface_radius", &s.surface_radius),
    ];
    acting(&friction).for_each(&mut lose);
    if s.fdir1.is_given() && s.fdir1.value != DVec3::ZERO {
        lose("friction/ode/fdir1");
    }
    if s.collide_without_contact.value {
        lose("contact/collide_without_contact");
    }
    if !is_urdf {
        return;
    }
    let softness = [("contact/ode/soft_cfm", &s.soft_cfm), ("contact/ode/soft_erp", &s.soft_erp)];
    acting(&softness).for_each(&mut lose);
    if s.collide_bitmask.is_given() {
        lose("contact/collide_bitmask");
    }
    if s.category_bitmask.is_given() {
        lose("contact/category_bitmask");
    }
    if collision.max_contacts.is_given() {
        converted.lose("<max_contacts> of collisions is left out");
    }
}

/// The elements that the file gives, and not as nothing.
fn acting<'a>(settings: &[(&'a str, &Setting<f64>)]) -> impl Iterator<Item = &'a str> {
    settings.iter().filter(|(_, setting)| acts(setting)).map(|(element, _)| *element)
}

/// The file gives it, and not as nothing.
fn acts(setting: &Setting<f64>) -> bool {
    setting.is_given() && setting.value != 0.0
}
