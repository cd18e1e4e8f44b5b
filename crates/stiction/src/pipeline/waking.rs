//! Range of automatic enabling: moving bodies wake sleeping ones within a number of joints and contacts (the
//! guide's AutoEnableDepth, 8.4). Those beyond stay asleep in the step, and hold what leans on them like the ground does.

use super::detect::ContactInput;
use super::islands::joint_bodies;
use super::patches::body_of;
use crate::base::Arena;
use crate::joints::Joint;
use crate::model::{Bodies, BodyKind, PatchCache, State};

/// Wakes the dynamic bodies within `depth` joints or contacts of one that is awake; each round reaches one further.
pub(super) fn wake_within(
    depth: u32,
    bodies: &Bodies,
    joints: &Arena<Joint>,
    state: &mut State,
    (contacts, patches): (&[ContactInput], &PatchCache),
) {
    let is_dynamic = |slot: u32| bodies.at(slot as usize).is_some_and(|b| b.kind == BodyKind::Dynamic);
    let mut edges: Vec<[u32; 2]> = Vec::new();
    let mut connect = |[a, b]: [Option<u32>; 2]| {
        if let (Some(a), Some(b)) = (a, b)
            && is_dynamic(a)
            && is_dynamic(b)
        {
            edges.push([a, b]);
        }
    };
    for contact in contacts.iter().filter(|c| !c.is_sensor) {
        connect(contact.bodies);
    }
    patches.heads.iter().for_each(|head| connect(head.bodies.map(body_of)));
    for (_, joint) in joints.iter() {
        let [a, b, reference] = joint_bodies(joint);
        [[a, b], [a, reference], [b, reference]].into_iter().for_each(&mut connect);
    }
    for _ in 0..depth {
        let is_awake = |slot: u32| state.bodies[slot as usize].is_enabled;
        let reached: Vec<u32> = edges
            .iter()
            .filter_map(|[a, b]| match (is_awake(*a), is_awake(*b)) {
                (true, false) => Some(*b),
                (false, true) => Some(*a),
                _ => None,
            })
            .collect();
        if reached.is_empty() {
            return;
        }
        for slot in reached {
            state.bodies[slot as usize].is_enabled = true;
        }
    }
}
