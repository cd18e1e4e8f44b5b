//! Pairs of shapes that may touch in this step.

use glam::DVec3;

use super::context::Model;
use super::sleep::any_sleeps;
use super::wires::exclusions;
use super::{Workspace, persistent_pairs};
use crate::base::Arena;
use crate::broadphase::{BroadPhase, Proxy};
use crate::joints::Joint;
use crate::math::Pose;
use crate::model::{Bodies, BodyId, BodyKind, Geom, State};
use crate::shape::Aabb;

/// Pairs of shapes whose bounds come closer than the margin.
pub(super) fn find(model: &Model, state: &State, broadphase: &mut dyn BroadPhase, work: &mut Workspace) {
    let Model { parameters, geoms, bodies, joints, .. } = *model;
    let nothing = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
    let spare = if work.extents.may_persist() { persistent_pairs::spare(parameters) } else { 0.0 };
    work.proxies.clear();
    work.geom_poses.clear();
    for slot in 0..geoms.slots() {
        let mut proxy = Proxy { aabb: nothing, category: 0, collide: 0, body: Proxy::STATIC };
        let mut pose = Pose::IDENTITY;
        if let Some(geom) = geoms.at(slot) {
            pose = pose_of(geom, &work.poses);
            if geom.is_enabled {
                let reach = work.reaches.get(slot).map_or(0.0, |reach| reach.farthest);
                proxy = Proxy {
                    aabb: geom.shape.aabb(&pose).expanded(0.5 * parameters.contact_margin + reach + spare),
                    category: geom.category,
                    collide: geom.collide,
                    body: geom.body_slot(),
                };
            }
        }
        work.proxies.push(proxy);
        work.geom_poses.push(pose);
    }
    broadphase.find_pairs(&work.proxies, &mut work.pairs);
    if model.wires.slots() > 0 {
        exclusions(model.wires, &state.wires, &mut work.excluded);
        let Workspace { pairs, proxies, excluded, .. } = &mut *work;
        pairs.retain(|(a, b)| {
            let ends = [*a, *b].map(|geom| {
                let far = geoms.at(geom as usize).and_then(|geom| geom.segment).and_then(|segment| segment.body);
                let own = proxies[geom as usize].body;
                [own, far.map_or(own, |body| body.slot() as u32)]
            });
            let is_near = |a: u32, b: u32| a == b || excluded.binary_search(&[a.min(b), a.max(b)]).is_ok();
            !ends[0].into_iter().any(|a| ends[1].into_iter().any(|b| is_near(a, b)))
        });
    }
    let is_dynamic =
        |slot: u32| slot != Proxy::STATIC && bodies.at(slot as usize).is_some_and(|b| b.kind == BodyKind::Dynamic);
    let mut woken = Vec::new();
    if any_sleeps(bodies, state) {
        woken = may_wake(bodies, joints, state, work, is_dynamic);
    }
    let awake = |slot: u32| {
        is_dynamic(slot) && (state.bodies[slot as usize].is_enabled || woken.get(slot as usize) == Some(&true))
    };
    // Nothing moves a pair without an awake body.
    work.pairs.retain(|(a, b)| {
        let pair = [work.proxies[*a as usize].body, work.proxies[*b as usize].body];
        pair.into_iter().any(awake)
            || pair.into_iter().any(|s| s != Proxy::STATIC && is_moving_kinematic(bodies, state, s))
    });
}

/// Poses of all shapes, where their pairs are not looked for.
pub(super) fn read_poses(model: &Model, work: &mut Workspace) {
    let Workspace { geom_poses, poses, .. } = work;
    geom_poses.clear();
    let all = (0..model.geoms.slots()).map(|slot| model.geoms.at(slot));
    geom_poses.extend(all.map(|geom| geom.map_or(Pose::IDENTITY, |geom| pose_of(geom, poses))));
}

/// Pose of a shape by those of the bodies.
fn pose_of(geom: &Geom, poses: &[Pose]) -> Pose {
    match geom.body {
        Some(body) if geom.pose == Pose::IDENTITY => poses[body.slot()],
        Some(body) => poses[body.slot()].compose(&geom.pose),
        None => geom.pose,
    }
}

/// Bodies that are awake or connected to an awake one by near shapes and joints: who is woken in this step must find what it
/// rests on in this step, or it falls through a step's way.
fn may_wake(
    bodies: &Bodies,
    joints: &Arena<Joint>,
    state: &State,
    work: &Workspace,
    is_dynamic: impl Fn(u32) -> bool,
) -> Vec<bool> {
    let mut links: Vec<[u32; 2]> =
        work.pairs.iter().map(|(a, b)| [*a, *b].map(|g| work.proxies[g as usize].body)).collect();
    let slot = |id: Option<BodyId>| id.map_or(Proxy::STATIC, |id| id.slot() as u32);
    links.extend(joints.iter().map(|(_, j)| [slot(j.definition.bodies[0]), slot(j.definition.bodies[1])]));
    links.retain(|link| link.iter().any(|s| is_dynamic(*s)) && !link.contains(&Proxy::STATIC));
    let mut wakes: Vec<bool> = (0..bodies.slots())
        .map(|s| {
            let slot = s as u32;
            is_dynamic(slot) && state.bodies[s].is_enabled || is_moving_kinematic(bodies, state, slot)
        })
        .collect();
    // Back and forth, until nothing more wakes: few rounds, whichever way the slots run.
    loop {
        let mut changed = false;
        for [a, b] in links.iter().chain(links.iter().rev()) {
            if wakes[*a as usize] != wakes[*b as usize] {
                for end in [*a, *b].into_iter().filter(|end| is_dynamic(*end)) {
                    changed |= !wakes[end as usize];
                    wakes[end as usize] = true;
                }
            }
        }
        if !changed {
            return wakes;
        }
    }
}

/// A kinematic body that moves wakes what it touches.
pub(super) fn is_moving_kinematic(bodies: &Bodies, state: &State, slot: u32) -> bool {
    let motion = &state.bodies[slot as usize].motion;
    bodies.at(slot as usize).is_some_and(|b| b.kind == BodyKind::Kinematic)
        && (motion.velocity != DVec3::ZERO || motion.omega != DVec3::ZERO)
}
