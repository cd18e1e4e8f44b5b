//! Contact detection: which shapes touch, where, and with which parameters.

use std::ops::Range;

use glam::DVec3;

use super::context::Model;
use super::speculative::{Couple, Reach};
use super::wires::Segment;
use super::{Workspace, ahead as way_ahead, middle, rules};
use crate::base::Arena;
use crate::collision::bins::Bins;
use crate::collision::{ContactQuery, ManifoldPoint, ROUNDING, area, behind, is_two_sided, share_of_ends};
use crate::contact::spread::even_out;
use crate::dynamics::rotation::exponential;
use crate::material::{ContactRule, ContactRules, ContactSurface, NormalLaw, PointReduction};
use crate::math::Pose;
use crate::model::{Bodies, BodyId, CachedPoint, Contact, Geom, SolverKind, State};
use crate::shape::Shape;

/// Depth from which on shapes that overlap in the first step were placed into each other \[m\].
const PLACED: f64 = 1e-6;

/// Share of its approach at which a SPOOK contact may part without weight on it: its overlap is one of the time step, and
/// what it parts with is made.
const EXIT_SHARE: f64 = 0.05;
/// Share of its way that a point may be deeper, since it turns: its way is not a straight line.
const TURNING: f64 = 1.05;
/// Speed at which segments of wires leave what they are in [m/s].
const LEAVING: f64 = 0.1;

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
    /// Bins in which its points are made fewer together with those of the other shapes of its bodies; 0 is not at all.
    pub(crate) body_bins: u32,
    /// Its points share the stiffness of their area.
    pub(crate) has_area: bool,
    /// Sides that are segments of wires.
    pub(crate) segments: [Option<Segment>; 2],
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
    /// It was not there in the last step.
    pub(crate) is_new: bool,
    /// Point in the world \[m\].
    pub(crate) position: DVec3,
    /// Unit normal, into the first body.
    pub(crate) normal: DVec3,
    /// Penetration; negative is a gap \[m\].
    pub(crate) depth: f64,
    /// Normal velocity before the step; negative when closing, 0 where nothing asks for it \[m/s\].
    pub(crate) approach: f64,
    /// Normal impulse: of the last step, then of this one \[N s\].
    pub(crate) warm_normal: f64,
    /// Friction impulse in the world: of the last step, then of this one \[N s\].
    pub(crate) warm_friction: DVec3,
    /// Energy that its softness has taken up and may give back \[J\].
    pub(crate) stored: f64,
    /// Its shapes were placed into each other and have parted ever since.
    pub(crate) is_placed: bool,
    /// Speed at which a SPOOK contact may part at most: of that with which it came \[m/s\].
    pub(crate) exit_speed: f64,
    /// Sides that are open meshes, met from behind.
    pub(crate) behind: [bool; 2],
    /// It is that of the middle of the step, and this of its start (see [`super::substeps`]).
    pub(crate) start: Option<StartOfPoint>,
    /// Force on the first body in this step \[N\].
    pub(crate) force: DVec3,
    /// Rolling and spinning torque on the first body in this step \[N m\].
    pub(crate) torque: DVec3,
}

/// A contact point at the start of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StartOfPoint {
    pub(crate) position: DVec3,
    pub(crate) normal: DVec3,
    pub(crate) depth: f64,
    /// It was found there; otherwise its bodies have carried it there from the middle.
    pub(crate) is_found: bool,
}

/// What the contacts of all pairs are made from.
struct Sources<'a> {
    rules: ContactRules<'a>,
    model: &'a Model<'a>,
    step: f64,
    geom_poses: &'a [Pose],
    /// Poses of the middle of the step, where contacts that bear are looked for there.
    middle_poses: &'a [Pose],
    reaches: &'a [Reach],
    state: &'a State,
}

/// Some of the pairs of a step and their contacts; memory that is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Share {
    pairs: Range<usize>,
    points: Vec<ManifoldPoint>,
    ahead: Vec<ManifoldPoint>,
    bins: Bins,
    manifolds: Vec<Manifold>,
    contacts: Vec<ContactInput>,
}

/// Pairs that are worth a share of their own.
const SHARE: usize = 32;

/// Contact points of all pairs, and the user's own contacts after them.
pub(super) fn make_manifolds(
    model: &Model,
    step: f64,
    user_contacts: &Arena<Contact>,
    state: &State,
    work: &mut Workspace,
) {
    let Workspace {
        pairs, reaches, geom_poses, middle_poses, shares, solvers, per_bodies, manifolds, contacts, ..
    } = work;
    manifolds.clear();
    contacts.clear();
    let rules = rules::of_world(model);
    let sources = Sources { rules, model, step, geom_poses, middle_poses, reaches, state };
    let count = solvers.parts().min(pairs.len() / SHARE).max(1);
    shares.resize_with(count.max(shares.len()), Share::default);
    for (number, share) in shares.iter_mut().enumerate() {
        let start = |number: usize| pairs.len() * number.min(count) / count;
        share.pairs = start(number)..start(number + 1);
        share.manifolds.clear();
        share.contacts.clear();
    }
    if let [own] = &mut shares[..count] {
        contacts_of(&sources, pairs, [&mut own.points, &mut own.ahead], &mut own.bins, manifolds, contacts);
    } else {
        solvers.each(&mut shares[..count], true, |own, _| {
            let Share { pairs: range, points, ahead, bins, manifolds, contacts } = own;
            contacts_of(&sources, &pairs[range.clone()], [points, ahead], bins, manifolds, contacts);
        });
        for share in &shares[..count] {
            let (first_manifold, first_contact) = (manifolds.len() as u32, contacts.len() as u32);
            contacts
                .extend(share.contacts.iter().map(|c| ContactInput { manifold: c.manifold + first_manifold, ..*c }));
            manifolds.extend(share.manifolds.iter().map(|m| {
                let points = m.points.map(|point| point + first_contact);
                Manifold { points, ..m.clone() }
            }));
        }
    }
    per_bodies.reduce(model.parameters.reduction_threshold, manifolds, contacts);
    push_user_contacts(user_contacts, model.bodies, state, work);
}

/// What is found about a pair that comes near.
struct Found<'a> {
    /// Sides that are open meshes, met from behind.
    behind: [bool; 2],
    /// The two, where one is fast.
    couple: Option<Couple<'a>>,
    segments: [Option<Segment>; 2],
}

/// Points of a pair, across gaps too where one of the two is fast; `None` if there are none.
fn points_of<'a>(
    sources: &'a Sources,
    rule: &ContactRule,
    slots: [u32; 2],
    geoms: [&'a Geom; 2],
    poses: [&'a Pose; 2],
    old: &[CachedPoint],
    [points, ahead]: [&mut Vec<ManifoldPoint>; 2],
) -> Option<Found<'a>> {
    let Sources { model, state, step, reaches, .. } = *sources;
    // A force over depth has none across a gap.
    let mut couple = (rule.acts && !rule.is_force && !reaches.is_empty())
        .then(|| Couple::new(reaches, slots, geoms, poses, (model, state, step)))
        .flatten();
    let margin = couple.as_ref().map_or(rule.margin, |couple| rule.margin.max(couple.margin));
    // What tilts in the step comes down on points that others carry now.
    let is_on_plane = geoms.iter().any(|geom| matches!(geom.shape, Shape::Plane(_)));
    let inner = rule.inner || couple.is_some() || (is_on_plane && model.parameters.solver == SolverKind::Substeps);
    let behind = came_from_behind(state, geoms, poses, margin, old);
    let query = ContactQuery { max_points: rule.max_points as usize, margin, inner, behind };
    rules::points(rule.manifold, &query, geoms[0], geoms[1], poses, points);
    couple = couple.filter(|couple| couple.is_near(points));
    if margin > rule.margin {
        let closes = |point: &ManifoldPoint| couple.as_ref().is_some_and(|couple| couple.closes(point));
        points.retain(|point| point.depth >= -rule.margin || closes(point));
    }
    let segments = segments_of(geoms, state, points);
    let is_passed = !points.is_empty()
        && model.parameters.speculative
        && rule.margin > 0.0
        && segments.iter().all(Option::is_none)
        && way_ahead::passes_by(model, state, (rule.manifold, behind), geoms, poses, points, ahead);
    (!points.is_empty() && !is_passed).then_some(Found { behind, couple, segments })
}

/// A contact of a point, from the impulses of the last step.
fn input_of(
    bodies: [Option<u32>; 2],
    manifold: u32,
    point: &ManifoldPoint,
    warm: Option<&CachedPoint>,
) -> ContactInput {
    ContactInput {
        bodies,
        manifold,
        feature: point.feature,
        is_sensor: false,
        position: point.position,
        normal: point.normal,
        depth: point.depth,
        approach: 0.0,
        warm_normal: warm.map_or(0.0, |p| p.normal),
        warm_friction: warm.map_or(DVec3::ZERO, |p| p.friction),
        stored: warm.map_or(0.0, |p| p.stored),
        is_placed: false,
        exit_speed: 0.0,
        behind: [false; 2],
        is_new: warm.is_none(),
        start: None,
        force: DVec3::ZERO,
        torque: DVec3::ZERO,
    }
}

/// Contact points of some pairs.
fn contacts_of(
    sources: &Sources,
    pairs: &[(u32, u32)],
    [points, ahead]: [&mut Vec<ManifoldPoint>; 2],
    bins: &mut Bins,
    manifolds: &mut Vec<Manifold>,
    contacts: &mut Vec<ContactInput>,
) {
    let geoms = sources.model.geoms;
    let parameters = sources.model.parameters;
    let (is_speculative, of_substeps) = (parameters.speculative, parameters.solver == SolverKind::Substeps);
    let mut cursor = 0;
    for &(i, j) in pairs {
        let (Some(a), Some(b)) = (geoms.at(i as usize), geoms.at(j as usize)) else { continue };
        let Some(rule) = rules::of_pair(&sources.rules, sources.model, a, b) else { continue };
        let old = sources.state.contacts.find([i, j], &mut cursor);
        let in_middle = !sources.middle_poses.is_empty() && old.iter().any(|point| point.normal > 0.0);
        let all_poses = if in_middle { sources.middle_poses } else { sources.geom_poses };
        let poses = [&all_poses[i as usize], &all_poses[j as usize]];
        let Some(found) = points_of(sources, &rule, [i, j], [a, b], poses, old, [&mut *points, &mut *ahead]) else {
            continue;
        };
        let Found { behind, couple, segments } = found;
        let reduction = rule.reduction();
        if let Some((_, count)) = reduction {
            bins.reduce(points, count, parameters.reduction_threshold);
        }
        let mut surface = surface_of(sources, &rule, [a, b], poses, points);
        let is_along = leave_gently(&segments, &mut surface);
        let is_force = surface.normal.is_force();
        let is_spook = matches!(surface.normal, NormalLaw::Spook { .. });
        let is_curved = surface.normal.is_curved();
        let slots = [a.body, b.body].map(|b| b.map(|b| b.slot() as u32));
        let start = contacts.len() as u32;
        let manifold = manifolds.len() as u32;
        for point in &*points {
            // Only bounce, SPOOK and forces that grow faster than the depth ask for it.
            let asks = surface.bounce.is_some() || is_spook || is_along || is_curved;
            let approach =
                if asks { approach(sources.state, slots, &segments, point.position, point.normal) } else { 0.0 };
            // A gap closes without bounce; what would bounce is left to come through the margin on its own, unless it is fast
            // and comes in this step.
            let closes = || of_substeps || couple.as_ref().is_some_and(|couple| couple.closes(point));
            let is_ahead = point.depth < 0.0 && closes();
            let bounces = surface.bounce.is_some_and(|r| r.coefficient > 0.0 && -approach > r.threshold)
                && !(is_ahead && hits_in_step(point.depth, approach, sources.step));
            let warm = old.iter().find(|p| p.feature == point.feature);
            let mut exit_speed =
                if is_spook { exit_speed(sources.state, point.depth, approach, warm, old) } else { 0.0 };
            if is_along && leaves_alone([a, b], point.depth, approach, sources.state, warm, &mut exit_speed) {
                continue;
            }
            // The margin keeps contacts that were there; a new one begins where the shapes meet.
            if point.depth < 0.0
                && (bounces || warm.is_none() && point.depth < -ROUNDING && !(is_speculative || is_ahead))
            {
                continue;
            }
            if is_force && point.depth <= 0.0 {
                continue;
            }
            let is_placed = point.depth > PLACED && (sources.state.steps == 0 || old.iter().any(|p| p.is_placed));
            contacts.push(ContactInput {
                is_sensor: !rule.acts,
                position: point.position + point.normal * (surface.point_shift * point.depth),
                approach,
                is_placed,
                exit_speed,
                behind,
                ..input_of(slots, manifold, point, warm)
            });
        }
        if in_middle {
            add_starts(sources, &rule, [i, j], [a, b], ahead, &mut contacts[start as usize..]);
        }
        if !is_force {
            even_out_manifold(&mut contacts[start as usize..], of_substeps);
        }
        let range = [start, contacts.len() as u32];
        manifolds.push(Manifold {
            geoms: Some([i, j]),
            user_contact: None,
            bodies: [a.body, b.body],
            surface,
            points: range,
            has_area: rule.area().is_some(),
            segments,
            body_bins: reduction.map_or(0, |(way, count)| if way == PointReduction::Bodies { count } else { 0 }),
        });
    }
}

/// Which sides are open meshes that the other one has come to from behind. While they touch that is remembered: what has sunk in
/// by more than half is on the side that it came from. It is told by where the shapes were before the last step.
pub(super) fn came_from_behind(
    state: &State,
    geoms: [&Geom; 2],
    poses: [&Pose; 2],
    margin: f64,
    old: &[CachedPoint],
) -> [bool; 2] {
    if !geoms.iter().any(|geom| is_two_sided(&geom.shape)) {
        return [false; 2];
    }
    // A place of the first shape before the step, and one of then on the second as that is now.
    let step = state.last_step;
    let motion = |geom: &Geom| geom.body.map(|body| &state.bodies[body.slot()].motion);
    let came = |of: usize, at: DVec3| {
        let before = motion(geoms[of])
            .map_or(at, |m| m.position - step * m.velocity + exponential(-step * m.omega) * (at - m.position));
        motion(geoms[1 - of])
            .map_or(before, |m| m.position + exponential(step * m.omega) * (before - m.position + step * m.velocity))
    };
    let shapes = geoms.map(|geom| &geom.shape);
    old.first().map_or_else(|| behind(shapes, poses, margin, came), |point| point.behind)
}

/// A gap closes at the speed that it has.
pub(super) fn hits_in_step(depth: f64, approach: f64, step: f64) -> bool {
    approach * step < depth
}

/// Segments of wires among two shapes; their points next to a node are the node's own.
fn segments_of(geoms: [&Geom; 2], state: &State, points: &mut Vec<ManifoldPoint>) -> [Option<Segment>; 2] {
    let segments = geoms.map(|geom| Segment::of(geom, &state.bodies));
    for (segment, geom) in segments.iter().zip(geoms) {
        if let (Some(segment), Shape::Capsule(capsule)) = (segment, &geom.shape) {
            points.retain(|point| segment.is_between(point.position, capsule.radius));
        }
    }
    segments
}

/// Where nodes went, the segment between the others may lie within a shape: it leaves without a jump. Returns whether one of
/// the sides is a segment.
fn leave_gently(segments: &[Option<Segment>; 2], surface: &mut ContactSurface) -> bool {
    let is_along = segments.iter().any(Option::is_some);
    if is_along {
        let own = surface.max_correcting_velocity.unwrap_or(f64::INFINITY);
        surface.max_correcting_velocity = Some(own.min(LEAVING));
    }
    is_along
}

/// The axis of a segment is within the other shape, and did not come there by its motion: it is no contact. What is one parts
/// no faster than it came.
fn leaves_alone(
    geoms: [&Geom; 2],
    depth: f64,
    approach: f64,
    state: &State,
    warm: Option<&CachedPoint>,
    exit_speed: &mut f64,
) -> bool {
    let radius = |geom: &Geom| match &geom.shape {
        Shape::Capsule(capsule) if geom.segment.is_some() => capsule.radius,
        _ => 0.0,
    };
    let came = (-approach * state.last_step).max(0.0);
    if !exit_speed.is_finite() {
        *exit_speed = -EXIT_SHARE * approach;
    }
    warm.is_none() && depth > radius(geoms[0]).max(radius(geoms[1])) + came
}

/// Speed at which a SPOOK contact may part at most. Overlap that the way of the last step explains is one of the time step,
/// and parts no faster than a share of the approach; other overlap as its law says. A point that is new in a pair which
/// touched before has the bound of the others: a body that rolls over its edges starts no overlap.
#[cold]
fn exit_speed(state: &State, depth: f64, approach: f64, warm: Option<&CachedPoint>, old: &[CachedPoint]) -> f64 {
    let came = -approach * state.last_step;
    let is_by_motion = warm.is_none() && (0.0..=came * TURNING).contains(&depth);
    let of_pair = || old.iter().map(|p| p.exit_speed).reduce(f64::max).unwrap_or(f64::INFINITY);
    // So does what comes across a gap.
    if depth < -ROUNDING {
        return -EXIT_SHARE * approach;
    }
    let before = warm.map_or_else(|| if is_by_motion { 0.0 } else { of_pair() }, |p| p.exit_speed);
    before.max(-EXIT_SHARE * approach)
}

/// The law of a pair's points.
fn surface_of(
    sources: &Sources,
    rule: &ContactRule,
    [a, b]: [&Geom; 2],
    poses: [&Pose; 2],
    points: &[ManifoldPoint],
) -> ContactSurface {
    let mut surface = rule.law().at(poses, points.len(), points[0].normal, |body| sources.state.rotation(body));
    if let Some(law) = rule.area() {
        surface.stiffen_by_area(&law, area::of_contact(points, [&a.shape, &b.shape]), points.len());
    }
    if rules::ends_share(sources.rules.combination, rule.manifold) {
        surface.take_part(share_of_ends([&a.shape, &b.shape], poses, points[0].normal));
    }
    surface
}

/// Where the contacts of a pair in the middle of the step were at its start.
fn add_starts(
    sources: &Sources,
    rule: &ContactRule,
    [i, j]: [u32; 2],
    geoms: [&Geom; 2],
    found: &mut Vec<ManifoldPoint>,
    contacts: &mut [ContactInput],
) {
    let poses = [&sources.geom_poses[i as usize], &sources.geom_poses[j as usize]];
    let begin = middle::Start { model: sources.model, state: sources.state, step: sources.step, poses };
    middle::add_starts(&begin, rule, geoms, found, contacts);
}

/// Points of one face share their load evenly, before the sweeps. Points of sub-steps may be across gaps, and share a load by one
/// softness.
fn even_out_manifold(contacts: &mut [ContactInput], of_substeps: bool) {
    const MOST: usize = 8;
    let n = contacts.len();
    let Some(normal) = contacts.first().map(|c| c.normal) else { return };
    let has_gap = of_substeps && contacts.iter().any(|c| c.depth < 0.0);
    if !(4..=MOST).contains(&n) || has_gap || contacts.iter().any(|c| c.normal != normal) {
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

/// Normal velocity of the bodies' points at a contact; negative when closing.
fn approach(
    state: &State,
    slots: [Option<u32>; 2],
    segments: &[Option<Segment>; 2],
    position: DVec3,
    normal: DVec3,
) -> f64 {
    let velocity = |side: usize| {
        let slot = slots[side];
        let own = slot.map_or(DVec3::ZERO, |s| state.bodies[s as usize].motion.point_velocity(position));
        segments[side].map_or(own, |segment| segment.velocity(position, own, &state.bodies))
    };
    normal.dot(velocity(0) - velocity(1))
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
            approach: approach(state, slots, &[None; 2], definition.position, definition.normal),
            warm_normal: 0.0,
            warm_friction: DVec3::ZERO,
            stored: 0.0,
            exit_speed: f64::INFINITY,
            behind: [false; 2],
            is_placed: false,
            is_new: true,
            start: None,
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
        });
        work.manifolds.push(Manifold {
            geoms: None,
            user_contact: Some(id.slot() as u32),
            bodies: definition.bodies,
            surface: definition.surface,
            points: [start, start + 1],
            body_bins: 0,
            has_area: false,
            segments: [None; 2],
        });
    }
}
