//! Which shapes touch, where, and what their contacts are told.

use glam::DVec3;

use super::Workspace;
use crate::base::Arena;
use crate::broadphase::{BroadPhase, Proxy};
use crate::collision::{ContactQuery, collide, single};
use crate::contact::compliance::from_allowance;
use crate::contact::spread::even_out;
use crate::joints::Joint;
use crate::material::{CompliantRule, ContactSurface, Side, combine, combine_compliant};
use crate::math::Pose;
use crate::shape::Aabb;
use crate::world::{
    AllowanceMass, Bodies, BodyId, BodyKind, Contact, ContactModel, DiscreteFriction, Geom, ManifoldRule, PointRule,
    State, WorldParameters,
};

/// A gap that is only rounding \[m\].
const ROUNDING: f64 = 1e-9;

/// Contact points of one pair of shapes, or one contact of the user's.
#[derive(Clone, Debug)]
pub(crate) struct Manifold {
    /// Slots of the shapes.
    pub(crate) geoms: Option<[u32; 2]>,
    /// Slot of the user's contact.
    pub(crate) user_contact: Option<u32>,
    /// Bodies; `None` is the static environment.
    pub(crate) bodies: [Option<BodyId>; 2],
    /// Parameters of its contacts.
    pub(crate) surface: ContactSurface,
    /// Its points in the list of contacts.
    pub(crate) points: [u32; 2],
}

/// One contact point of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactInput {
    /// Slots of the bodies.
    pub(crate) bodies: [Option<u32>; 2],
    /// Manifold that holds it.
    pub(crate) manifold: u32,
    /// Key of the touching features, stable from step to step.
    pub(crate) feature: u32,
    /// Found and reported, without effect.
    pub(crate) is_sensor: bool,
    /// Point in the world \[m\].
    pub(crate) position: DVec3,
    /// Unit normal, into the first body.
    pub(crate) normal: DVec3,
    /// Penetration; negative is a gap \[m\].
    pub(crate) depth: f64,
    /// Normal velocity before the step; negative when closing, 0 where nothing bounces \[m/s\].
    pub(crate) approach: f64,
    /// Normal impulse: of the last step, then of this one \[N s\].
    pub(crate) warm_normal: f64,
    /// Friction impulse in the world: of the last step, then of this one \[N s\].
    pub(crate) warm_friction: DVec3,
    /// Energy that its softness has taken up and may give back \[J\].
    pub(crate) stored: f64,
    /// Force on the first body in this step \[N\].
    pub(crate) force: DVec3,
    /// Rolling and spinning torque on the first body in this step \[N m\].
    pub(crate) torque: DVec3,
}

/// Impulses of the last step by pair and feature, for the warm start; sorted by pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactCache {
    pairs: Vec<CachedPair>,
    points: Vec<CachedPoint>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct CachedPair {
    geoms: [u32; 2],
    points: [u32; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct CachedPoint {
    feature: u32,
    normal: f64,
    friction: DVec3,
    stored: f64,
}

impl ContactCache {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
        self.points.clear();
    }

    /// Forgets everything about a shape.
    pub(crate) fn forget(&mut self, geom: usize) {
        self.pairs.retain(|p| !p.geoms.contains(&(geom as u32)));
    }

    /// Takes over the impulses of a step.
    pub(crate) fn fill(&mut self, manifolds: &[Manifold], contacts: &[ContactInput]) {
        self.pairs.clear();
        self.points.clear();
        for manifold in manifolds {
            let Some(geoms) = manifold.geoms else { continue };
            let start = self.points.len() as u32;
            let range = manifold.points[0] as usize..manifold.points[1] as usize;
            self.points.extend(contacts[range].iter().map(|c| CachedPoint {
                feature: c.feature,
                normal: c.warm_normal,
                friction: c.warm_friction,
                stored: c.stored,
            }));
            self.pairs.push(CachedPair { geoms, points: [start, self.points.len() as u32] });
        }
    }

    /// Impulses of a pair. `cursor` walks along while pairs are asked for in order.
    fn find(&self, geoms: [u32; 2], cursor: &mut usize) -> &[CachedPoint] {
        while self.pairs.get(*cursor).is_some_and(|p| p.geoms < geoms) {
            *cursor += 1;
        }
        match self.pairs.get(*cursor) {
            Some(pair) if pair.geoms == geoms => &self.points[pair.points[0] as usize..pair.points[1] as usize],
            _ => &[],
        }
    }
}

/// Pairs of shapes whose bounds come closer than the margin.
pub(super) fn find_pairs(
    parameters: &WorldParameters,
    geoms: &Arena<Geom>,
    bodies: &Bodies,
    joints: &Arena<Joint>,
    state: &State,
    broadphase: &mut dyn BroadPhase,
    work: &mut Workspace,
) {
    let nothing = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
    work.proxies.clear();
    work.geom_poses.clear();
    for slot in 0..geoms.slots() {
        let mut proxy = Proxy { aabb: nothing, category: 0, collide: 0, body: Proxy::STATIC };
        let mut pose = Pose::IDENTITY;
        if let Some(geom) = geoms.at(slot) {
            pose = match geom.body {
                Some(body) if geom.pose == Pose::IDENTITY => work.poses[body.slot()],
                Some(body) => work.poses[body.slot()].compose(&geom.pose),
                None => geom.pose,
            };
            if geom.is_enabled {
                proxy = Proxy {
                    aabb: geom.shape.aabb(&pose).expanded(0.5 * parameters.contact_margin),
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
    let is_dynamic =
        |slot: u32| slot != Proxy::STATIC && bodies.at(slot as usize).is_some_and(|b| b.kind == BodyKind::Dynamic);
    let mut woken = Vec::new();
    if bodies.iter().any(|(id, b)| b.kind == BodyKind::Dynamic && !state.bodies[id.slot()].is_enabled) {
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

/// Bodies that are awake or hang on an awake one by near shapes and joints: who is woken in this step must find what it
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

/// Contact points of all pairs, and the user's own contacts after them.
pub(super) fn make_manifolds(
    parameters: &WorldParameters,
    geoms: &Arena<Geom>,
    bodies: &Bodies,
    joints: &Arena<Joint>,
    user_contacts: &Arena<Contact>,
    state: &State,
    work: &mut Workspace,
) {
    work.manifolds.clear();
    work.contacts.clear();
    let mut cursor = 0;
    let compliant = (parameters.contact_model == ContactModel::Compliant).then(|| compliant_rule(parameters, bodies));
    // Force over depth begins at depth zero.
    let margin = if compliant.is_some() { 0.0 } else { parameters.contact_margin };
    for index in 0..work.pairs.len() {
        let (i, j) = work.pairs[index];
        let (Some(a), Some(b)) = (geoms.at(i as usize), geoms.at(j as usize)) else { continue };
        if !may_touch(a, b, bodies, joints) {
            continue;
        }
        let is_solid = is_solid(a, b);
        if !is_solid && a.surface.sensor_bitmask & b.surface.sensor_bitmask == 0 {
            continue;
        }
        let max_points = most_points(parameters, a, b);
        if max_points == 0 {
            continue;
        }
        let poses = [&work.geom_poses[i as usize], &work.geom_poses[j as usize]];
        let query = ContactQuery { max_points: max_points as usize, margin };
        match parameters.manifold {
            ManifoldRule::Face => collide(&a.shape, poses[0], &b.shape, poses[1], &query, &mut work.points),
            ManifoldRule::Single => single::collide(&a.shape, poses[0], &b.shape, poses[1], margin, &mut work.points),
        }
        if work.points.is_empty() {
            continue;
        }
        let side = |geom: &Geom| geom.body.is_some_and(|b| bodies.get(b).is_some_and(|b| b.kind == BodyKind::Dynamic));
        let surface = if let Some(rule) = &compliant {
            combine_compliant(&a.surface, &b.surface, rule)
        } else {
            combine(
                Side { surface: &a.surface, pose: poses[0], moves: side(a) },
                Side { surface: &b.surface, pose: poses[1], moves: side(b) },
                parameters.friction_model,
                work.points.len(),
            )
        };
        let slots = [a.body, b.body].map(|b| b.map(|b| b.slot() as u32));
        let old = state.contacts.find([i, j], &mut cursor);
        let start = work.contacts.len() as u32;
        let manifold = work.manifolds.len() as u32;
        for point in &work.points {
            // Only bounce asks for it.
            let approach = match surface.bounce {
                Some(_) => approach(state, slots, point.position, point.normal),
                None => 0.0,
            };
            // A gap closes without bounce; what would bounce is left to come through the margin on its own.
            let bounces = surface.bounce.is_some_and(|r| r.coefficient > 0.0 && -approach > r.threshold);
            let warm = old.iter().find(|p| p.feature == point.feature);
            // The margin keeps contacts that were there; a new one begins where the shapes meet.
            if point.depth < 0.0 && (bounces || warm.is_none() && point.depth < -ROUNDING) {
                continue;
            }
            if compliant.is_some() && point.depth <= 0.0 {
                continue;
            }
            work.contacts.push(ContactInput {
                bodies: slots,
                manifold,
                feature: point.feature,
                is_sensor: !is_solid,
                position: point.position + point.normal * (surface.point_shift * point.depth),
                normal: point.normal,
                depth: point.depth,
                approach,
                warm_normal: warm.map_or(0.0, |p| p.normal),
                warm_friction: warm.map_or(DVec3::ZERO, |p| p.friction),
                stored: warm.map_or(0.0, |p| p.stored),
                force: DVec3::ZERO,
                torque: DVec3::ZERO,
            });
        }
        if compliant.is_none() {
            even_out_manifold(&mut work.contacts[start as usize..]);
        }
        let points = [start, work.contacts.len() as u32];
        work.manifolds.push(Manifold {
            geoms: Some([i, j]),
            user_contact: None,
            bodies: [a.body, b.body],
            surface,
            points,
        });
    }
    push_user_contacts(user_contacts, bodies, state, work);
}

/// Contacts of the two shapes act.
pub(super) fn is_solid(a: &Geom, b: &Geom) -> bool {
    a.surface.collide_bitmask & b.surface.collide_bitmask != 0 && !a.surface.is_sensor && !b.surface.is_sensor
}

/// Contact points of a pair at most.
pub(super) fn most_points(parameters: &WorldParameters, a: &Geom, b: &Geom) -> u32 {
    match (a.surface.max_contacts, b.surface.max_contacts) {
        (Some(a), Some(b)) => a.min(b),
        (a, b) => a.or(b).unwrap_or(parameters.max_contacts),
    }
}

/// What the world says of compliant contacts: stiffness and dissipation from the penetration allowance.
pub(super) fn compliant_rule(parameters: &WorldParameters, bodies: &Bodies) -> CompliantRule {
    let c = &parameters.compliant;
    let movable = || {
        let masses = bodies.iter().filter(|(_, b)| b.kind == BodyKind::Dynamic).map(|(_, b)| b.mass.mass);
        c.heaviest_link.unwrap_or_else(|| masses.fold(0.0, f64::max))
    };
    let mass = match c.allowance_mass {
        AllowanceMass::Movable => movable(),
        AllowanceMass::All => movable().max(c.heaviest_static_link),
        AllowanceMass::Effective => 1.0,
    };
    // Without gravity an allowance is meant for the Earth's.
    let gravity = parameters.gravity.length();
    let gravity = if gravity > 0.0 { gravity } else { 9.81 };
    let (stiffness, dissipation) = from_allowance(mass, gravity, c.penetration_allowance);
    CompliantRule {
        stiffness,
        dissipation,
        is_per_mass: c.allowance_mass == AllowanceMass::Effective,
        every_stiffness: c.stiffness,
        every_dissipation: c.dissipation,
        most_stiffness: MOST_STIFFNESS * from_allowance(movable(), gravity, c.penetration_allowance).0,
        tolerance: c.stiction_tolerance,
        is_dynamic: c.discrete_friction == DiscreteFriction::Dynamic,
        is_weighted: c.point == PointRule::StiffnessWeighted,
    }
}

/// SDFormat's `kp` counts up to so many times the stiffness of the allowance: beyond it stands for *hard*.
const MOST_STIFFNESS: f64 = 100.0;

/// Points of one face share their load evenly, before the sweeps.
fn even_out_manifold(contacts: &mut [ContactInput]) {
    const MOST: usize = 8;
    let n = contacts.len();
    let Some(normal) = contacts.first().map(|c| c.normal) else { return };
    if !(4..=MOST).contains(&n) || contacts.iter().any(|c| c.normal != normal) {
        return;
    }
    let (mut positions, mut impulses) = ([DVec3::ZERO; MOST], [0.0; MOST]);
    for (i, contact) in contacts.iter().enumerate() {
        positions[i] = contact.position;
        impulses[i] = contact.warm_normal;
    }
    even_out(&positions[..n], normal, &mut impulses[..n]);
    for (contact, impulse) in contacts.iter_mut().zip(impulses) {
        contact.warm_normal = impulse;
    }
}

/// Groups and joints: links of a model that does not collide with itself, bodies held together by a joint.
pub(super) fn may_touch(a: &Geom, b: &Geom, bodies: &Bodies, joints: &Arena<Joint>) -> bool {
    if a.group != 0 && a.group == b.group {
        return false;
    }
    let (Some(first), Some(second)) = (a.body, b.body) else { return true };
    !bodies.get(first).is_some_and(|body| {
        body.joints.iter().any(|id| {
            joints.get(*id).is_some_and(|j| !j.definition.collide && j.definition.bodies.contains(&Some(second)))
        })
    })
}

/// Normal velocity of the bodies' points at a contact; negative when closing.
fn approach(state: &State, slots: [Option<u32>; 2], position: DVec3, normal: DVec3) -> f64 {
    let velocity =
        |slot: Option<u32>| slot.map_or(DVec3::ZERO, |s| state.bodies[s as usize].motion.point_velocity(position));
    normal.dot(velocity(slots[0]) - velocity(slots[1]))
}

fn push_user_contacts(user_contacts: &Arena<Contact>, bodies: &Bodies, state: &State, work: &mut Workspace) {
    for (id, contact) in user_contacts.iter() {
        let definition = &contact.definition;
        if definition.bodies.iter().flatten().any(|b| bodies.get(*b).is_none()) {
            continue;
        }
        let slots = definition.bodies.map(|b| b.map(|b| b.slot() as u32));
        let start = work.contacts.len() as u32;
        work.contacts.push(ContactInput {
            bodies: slots,
            manifold: work.manifolds.len() as u32,
            feature: 0,
            is_sensor: false,
            position: definition.position,
            normal: definition.normal,
            depth: definition.depth,
            approach: approach(state, slots, definition.position, definition.normal),
            warm_normal: 0.0,
            warm_friction: DVec3::ZERO,
            stored: 0.0,
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
        });
        work.manifolds.push(Manifold {
            geoms: None,
            user_contact: Some(id.slot() as u32),
            bodies: definition.bodies,
            surface: definition.surface,
            points: [start, start + 1],
        });
    }
}
