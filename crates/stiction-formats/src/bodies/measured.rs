//! Fixed joints that a force-torque sensor measures: they stay joints, as only the joint knows what goes through it. Where a side
//! could not move by itself they are lumped as all others, and the sensor has no reading.

use crate::description::WorldDescription;
use crate::sdf::element::inertia_values;
use crate::sdf::inertia::{is_singular, principal_moments};
use crate::sensors::SensorKind;

use super::{carrier, find_carriers, masses};

/// Joints that force-torque sensors measure.
fn measured(world: &WorldDescription) -> Vec<usize> {
    let sensors = world.sensors.list.iter().filter(|s| matches!(s.kind, SensorKind::ForceTorque { .. }));
    let mut joints: Vec<usize> = sensors.filter_map(|sensor| sensor.joint).collect();
    joints.sort_unstable();
    joints.dedup();
    joints
}

/// Lets measured fixed joints be joints, if the bodies on both sides have mass and inertia.
pub(super) fn keep_apart(world: &mut WorldDescription) {
    let mut kept: Vec<usize> = measured(world).into_iter().filter(|joint| world.joints[*joint].is_lumped).collect();
    // Each joint that is lumped again makes larger bodies, which may serve the others.
    while !kept.is_empty() {
        for joint in &kept {
            world.joints[*joint].is_lumped = false;
        }
        find_carriers(world);
        let masses = masses(world);
        let is_sound = |link: Option<usize>| {
            let Some(link) = link.map(|link| carrier(world, link)) else { return true };
            let is_static = world.links[link].is_fixed_to_world || world.models[world.links[link].model].is_static;
            is_static
                || masses[link].is_some_and(|mass| {
                    let moments = principal_moments(&inertia_values(&mass.inertia));
                    mass.mass > 0.0 && moments[0] > 0.0 && !is_singular(mass.mass, &moments)
                })
        };
        let unsound = kept.iter().position(|joint| {
            let joint = &world.joints[*joint];
            !(is_sound(joint.child) && is_sound(joint.parent))
        });
        let Some(at) = unsound else { break };
        world.joints[kept.remove(at)].is_lumped = true;
    }
}

/// Takes the reading of force-torque sensors whose joint does not join two bodies of which one moves.
pub(super) fn set_aside(world: &mut WorldDescription) {
    let body = |link: Option<usize>| {
        let link = carrier(world, link?);
        let is_static = world.links[link].is_fixed_to_world || world.models[world.links[link].model].is_static;
        (!is_static).then_some(link)
    };
    let reason = |joint: usize| {
        let joint = &world.joints[joint];
        match (body(joint.parent), body(joint.child)) {
            (None, None) => Some("neither side of its joint moves"),
            (a, b) if a == b => Some(
                "its fixed joint makes one body of the links, since those on one side have no mass or inertia of their own",
            ),
            _ => None,
        }
    };
    let of_joints: Vec<Option<&str>> = (0..world.joints.len()).map(reason).collect();
    let mut list = std::mem::take(&mut world.sensors.list);
    list.retain(|sensor| {
        let is_force = matches!(sensor.kind, SensorKind::ForceTorque { .. });
        let Some(reason) = sensor.joint.filter(|_| is_force).and_then(|joint| of_joints[joint]) else { return true };
        world.sensors.unread.push(sensor.without_reading(reason));
        false
    });
    world.sensors.list = list;
}
