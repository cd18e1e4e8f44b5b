//! Contact detection: which shapes touch, where, and with which parameters.

use std::ops::Range;

use glam::DVec3;

use super::again::{Sources, is_as_before, is_as_before_under, may_roll, on_plane};
use super::apart::{self, ApartPair};
use super::behind::came_from_behind;
pub(crate) use super::contact_input::{ContactInput, Manifold, NO_START, StartOfPoint};
use super::context::Model;
use super::exits::{exit_speed, leave_gently, leave_to_nodes, leaves_alone, segments_of};
use super::found::{ContactLists, FoundContacts};
use super::normals::{Before, Normals};
use super::pair_laws::PairLaw;
use super::patches::{self, PLACED, PatchPlace, PatchSources};
use super::speculative::Couple;
use super::stage::StepCounts;
use super::wires::Segment;
use super::{Workspace, ahead as way_ahead, middle, rim, rounded, rules};
use crate::base::Arena;
use crate::collision::bins::Bins;
use crate::collision::{ContactQuery, ManifoldPoint, ROUNDING, area, distance, share_of_ends};
use crate::material::{ContactRule, ContactSurface, NormalLaw, PointReduction};
use crate::math::Pose;
use crate::model::{Bodies, CachedPoint, Contact, Geom, SolverKind, State};

/// Some of the pairs of a step and their contacts; memory that is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Share {
    pairs: Range<usize>,
    memory: Memory,
    found: FoundContacts,
}

/// Memory of the search in one pair.
#[derive(Clone, Debug, Default)]
struct Memory {
    points: Vec<ManifoldPoint>,
    ahead: Vec<ManifoldPoint>,
    starts: Vec<Option<StartOfPoint>>,
    /// Points of the last step of a pair that was a patch.
    old: Vec<CachedPoint>,
    bins: Bins,
    normals: Normals,
}

/// Pairs that are worth a share of their own; on triangles a pair takes ten times as long.
const SHARE: usize = 200;
const SHARE_ON_TRIANGLES: usize = 16;

/// Contact points of all pairs, and the user's own contacts after them.
pub(super) fn make_manifolds(
    model: &Model,
    step: f64,
    user_contacts: &Arena<Contact>,
    state: &mut State,
    work: &mut Workspace,
    counts: &mut StepCounts,
) {
    let Workspace {
        pairs,
        reaches,
        margins,
        geom_poses,
        middle_poses,
        shares,
        solvers,
        per_bodies,
        manifolds,
        contacts,
        patches,
        frames,
        apart,
        travel,
        leases,
        last_rules,
        persistent_pairs,
        extents,
        pair_laws,
        starts,
        surface_kinds,
        ..
    } = work;
    let rules = rules::of_world(model);
    // What was found under other rules is looked for again.
    let is_known = last_rules.are_same;
    surface_kinds.read(model, last_rules);
    let (mut apart_now, mut leases_now) = (std::mem::take(&mut apart[0]), std::mem::take(&mut leases[0]));
    let last_apart = if is_known { &apart[1][..] } else { &[] };
    let sources = Sources {
        rules,
        model,
        step,
        geom_poses,
        middle_poses,
        reaches,
        margins,
        state,
        frames,
        is_known,
        last_apart,
        travel,
        leases: if is_known { &leases[1] } else { &[] },
        kinds: surface_kinds,
    };
    let count = solvers.parts(pairs.len() / if extents.has_triangles { SHARE_ON_TRIANGLES } else { SHARE });
    divide(pairs.len(), count, shares);
    // The first share is found in the lists of the step themselves.
    let mut lists = ContactLists {
        manifolds,
        laws: pair_laws,
        starts,
        contacts,
        patches,
        leases: &mut leases_now,
        apart: &mut apart_now,
    };
    shares[0].found.swap(&mut lists);
    solvers.each(&mut shares[..count], count > 1, |own, _| {
        let Share { pairs: range, memory, found } = own;
        found.clear();
        contacts_of(&sources, &pairs[range.clone()], memory, found);
    });
    let all_stand = all_stand(&mut shares[..count], state);
    shares[0].found.swap(&mut lists);
    shares[1..count].iter().for_each(|share| share.found.add_to(&mut lists));
    if all_stand {
        patches.take_standing(&mut state.patches);
    }
    counts.pairs = pairs.len();
    counts.pairs_apart = apart_now.len();
    counts.patches = patches.len();
    counts.patches_kept = shares[..count].iter().map(|share| share.found.kept).sum();
    apart[0] = std::mem::replace(&mut apart[1], apart_now);
    leases[0] = std::mem::replace(&mut leases[1], leases_now);
    persistent_pairs.end();
    if all_stand && contacts.is_empty() && extents.may_persist() {
        persistent_pairs.measure(model, travel, (patches, &leases[1], &apart[1]), (extents.farthest(), counts));
    }
    per_bodies.reduce(model.parameters.reduction_threshold, (manifolds, pair_laws), contacts);
    push_user_contacts(user_contacts, model.bodies, state, work);
}

/// Whether all patches of the last step stand as they are; if not, those that do are copied.
fn all_stand(shares: &mut [Share], state: &State) -> bool {
    let all_stand = FoundContacts::all_stand(shares.iter().map(|share| &share.found), &state.patches);
    if !all_stand {
        shares.iter_mut().for_each(|share| share.found.copy_standing(&state.patches));
    }
    all_stand
}

/// Divides the pairs into so many shares.
fn divide(pairs: usize, count: usize, shares: &mut Vec<Share>) {
    shares.resize_with(count.max(shares.len()), Share::default);
    let start = |number: usize| pairs * number.min(count) / count;
    shares.iter_mut().enumerate().for_each(|(number, share)| share.pairs = start(number)..start(number + 1));
}

/// The contacts of the last step, all of them as they are.
pub(super) fn keep_patches(state: &mut State, work: &mut Workspace, counts: &mut StepCounts) {
    work.patches.take_standing(&mut state.patches);
    work.persistent_pairs.count(counts);
}

/// What is found about a pair that comes near.
struct Found<'a> {
    /// Sides that are open meshes, met from behind.
    behind: [bool; 2],
    /// The two, where one is fast.
    couple: Option<Couple<'a>>,
    /// A side is a segment of a wire.
    is_along: bool,
}

/// Points of a pair, across gaps too where one of the two is fast; `None` if there are none.
fn points_of<'a>(
    sources: &'a Sources,
    pair: &Pair<'a>,
    poses: [&'a Pose; 2],
    [points, ahead]: [&mut Vec<ManifoldPoint>; 2],
) -> Option<Found<'a>> {
    let Sources { model, state, step, reaches, .. } = *sources;
    let Pair { slots, geoms, rule, .. } = *pair;
    // A force over depth has none across a gap.
    let mut couple = (rule.acts && !rule.is_force && !reaches.is_empty())
        .then(|| Couple::new(reaches, slots, geoms, poses, (model, state, step)))
        .flatten();
    let margin = couple.as_ref().map_or(rule.margin, |couple| rule.margin.max(couple.margin));
    let of_substeps = model.parameters.solver == SolverKind::Substeps;
    let inner = rule.inner || couple.is_some() || (of_substeps && on_plane(geoms));
    let behind = pair.behind(state, poses, margin);
    let (near_first, whole_faces) = (pair.may_be_kept, of_substeps);
    let query = ContactQuery { max_points: rule.max_points as usize, margin, inner, near_first, whole_faces, behind };
    rules::points(rule.manifold, &query, geoms[0], geoms[1], poses, points);
    couple = couple.filter(|couple| couple.is_near(points));
    if margin > rule.margin {
        let closes = |point: &ManifoldPoint| couple.as_ref().is_some_and(|couple| couple.closes(point));
        points.retain(|point| point.depth >= -rule.margin || closes(point));
    }
    rim::keep_touching((model, state, step), geoms, points);
    rounded::keep_ends(model, geoms, poses, points);
    let is_along = leave_to_nodes(geoms, state, points);
    let is_passed = !points.is_empty()
        && model.parameters.speculative
        && rule.margin > 0.0
        && !is_along
        && way_ahead::passes_by((model, state, step), (rule.manifold, behind), geoms, poses, points, ahead);
    (!points.is_empty() && !is_passed).then_some(Found { behind, couple, is_along })
}

/// Impulses of the last step along the normal and of friction, and the energy that is stored in the contact.
#[inline(always)]
fn kept(warm: Option<&CachedPoint>) -> (f64, DVec3, f64) {
    warm.map_or((0.0, DVec3::ZERO, 0.0), |p| (p.normal, p.friction, p.stored))
}

/// A pair of shapes that come near.
struct Pair<'a> {
    slots: [u32; 2],
    geoms: [&'a Geom; 2],
    rule: ContactRule<'a>,
    /// Its points of the last step.
    old: &'a [CachedPoint],
    /// It had patches in the last step, which are of the fronts of open meshes.
    had_patches: bool,
    /// It is looked for in the middle of the step.
    in_middle: bool,
    /// Its surfaces have nothing that a patch has not.
    may_be_kept: bool,
}

impl<'a> Pair<'a> {
    /// Looked for at the start of the step.
    fn new(
        slots: [u32; 2],
        geoms: [&'a Geom; 2],
        rule: ContactRule<'a>,
        (old, had_patches): (&'a [CachedPoint], bool),
    ) -> Self {
        Self { slots, geoms, rule, old, had_patches, in_middle: false, may_be_kept: false }
    }

    /// Sides that are open meshes, met from behind.
    fn behind(&self, state: &State, poses: [&Pose; 2], margin: f64) -> [bool; 2] {
        if self.had_patches { [false; 2] } else { came_from_behind(state, self.geoms, poses, margin, self.old) }
    }

    /// Slots of its bodies.
    fn bodies(&self) -> [Option<u32>; 2] {
        self.geoms.map(|geom| geom.body.map(|body| body.slot() as u32))
    }

    /// Where it is looked for, with points up to so large a gap at most \[m\].
    fn place<'b>(&self, sources: &Sources<'b>, most: f64) -> PatchPlace<'b> {
        PatchPlace {
            geoms: self.slots,
            bodies: self.bodies().map(patches::slot_of),
            poses: self.poses(sources)[1],
            in_middle: self.in_middle,
            margin: self.rule.margin,
            most,
        }
    }

    /// Poses of its shapes at the start of the step, and where it is looked for.
    fn poses<'b>(&self, sources: &Sources<'b>) -> [[&'b Pose; 2]; 2] {
        let of = |all: &'b [Pose]| self.slots.map(|slot| &all[slot as usize]);
        let start = of(sources.geom_poses);
        [start, if self.in_middle { of(sources.middle_poses) } else { start }]
    }
}

/// Contact points of some pairs.
fn contacts_of(sources: &Sources, pairs: &[(u32, u32)], memory: &mut Memory, out: &mut FoundContacts) {
    let Sources { model, state, .. } = *sources;
    let of_substeps = model.parameters.solver == SolverKind::Substeps;
    let Memory { points, ahead, starts, old: old_points, bins, normals } = memory;
    let of_patches = PatchSources { model, state, frames: sources.frames, step: sources.step };
    let (mut cursor, mut patch_cursor, mut apart_cursor) = (0, 0, 0);
    for &(i, j) in pairs {
        let patches = if of_substeps { state.patches.find([i, j], &mut patch_cursor) } else { 0..0 };
        let has_patches = !patches.is_empty();
        if sources.is_known && !of_substeps && sources.are_apart_still([i, j], &of_patches, &mut apart_cursor, out) {
            continue;
        }
        if sources.is_known && of_substeps {
            let apart = apart::find(sources.last_apart, [i, j], &mut apart_cursor);
            let memory = ([&mut *points, &mut *ahead], (&mut *starts, &mut *normals));
            if is_as_before(sources, &of_patches, ([i, j], apart, &patches), memory, out) {
                continue;
            }
        }
        let (Some(a), Some(b)) = (model.geoms.at(i as usize), model.geoms.at(j as usize)) else { continue };
        let Some(rule) = rules::of_pair(&sources.rules, model, a, b) else { continue };
        let old = state.contacts.find([i, j], &mut cursor);
        let mut pair = Pair::new([i, j], [a, b], rule, (old, has_patches));
        if !of_substeps {
            let poses = pair.poses(sources)[1];
            if let Some(found) = points_of(sources, &pair, poses, [points, ahead]) {
                push_manifold(sources, &pair, &found, [points, ahead], (bins, starts), out);
            } else if points.is_empty() && sources.may_stay_apart(pair.geoms, pair.slots) {
                note_apart(sources, &pair, poses, points, out);
            }
            continue;
        }
        let before = Before { patches: &state.patches, numbers: patches, points: old };
        pair.in_middle = !sources.middle_poses.is_empty() && before.bears();
        let surface = patches::surface_of(model.parameters, &pair.rule, pair.geoms, sources.step);
        let most = pair.rule.margin;
        pair.may_be_kept = surface.is_some();
        if surface.is_some() {
            pair.rule.margin = sources.margin_of([i, j], most);
        }
        let mut place = pair.place(sources, most);
        if has_patches
            && !sources.is_known
            && let Some(surface) = surface
            && is_as_before_under(surface, sources, &of_patches, &before.numbers, out)
        {
            continue;
        }
        if has_patches {
            old_points.clear();
            before.each().for_each(|warm| old_points.extend(warm.points()));
            pair.old = old_points;
        }
        let found = points_where_it_rolls(sources, &mut pair, (&mut place, most), [points, ahead]);
        let Some(found) = found else {
            if points.is_empty() && surface.is_some() && !pair.in_middle {
                let of = (model, sources.travel, &state.bodies[..]);
                out.apart.extend(ApartPair::new(of, &place, find_gap(state, &pair, &place, points)));
            }
            continue;
        };
        match surface.filter(|_| found.behind == [false; 2]) {
            Some(surface) => {
                starts.clear();
                if pair.in_middle && may_roll(points) && !rounded::roll_on_faces(&of_patches, &place, points, &before) {
                    find_starts(sources, &pair, points, ahead, starts);
                }
                let patches = out.begin_to_add(&state.patches);
                normals.add(&of_patches, &place, (points, starts), surface, &before, patches);
                out.lease_new(sources);
            }
            None => push_manifold(sources, &pair, &found, [points, ahead], (bins, starts), out),
        }
    }
    out.even_loads.finish(&mut out.contacts);
}

/// Contact points at a place, or in the middle of the step where the pair rolls into contact.
fn points_where_it_rolls<'b>(
    sources: &'b Sources,
    pair: &mut Pair<'b>,
    (place, most): (&mut PatchPlace<'b>, f64),
    [points, ahead]: [&mut Vec<ManifoldPoint>; 2],
) -> Option<Found<'b>> {
    let found = points_of(sources, pair, place.poses, [points, ahead]);
    let scene = (sources.model, sources.state, sources.step);
    if found.is_none() || pair.in_middle || !middle::rolls_into_contact(scene, pair.geoms, points) {
        return found;
    }
    pair.in_middle = true;
    *place = pair.place(sources, most);
    points_of(sources, pair, place.poses, [points, ahead])
}

/// Two shapes without points within twice the margin have none within it until they have come nearer. Nearer ones are looked at.
fn note_apart(
    sources: &Sources,
    pair: &Pair,
    poses: [&Pose; 2],
    points: &mut Vec<ManifoldPoint>,
    out: &mut FoundContacts,
) {
    let margin = pair.rule.margin;
    let bodies = pair.bodies().map(patches::slot_of);
    let place = PatchPlace { geoms: pair.slots, bodies, poses, in_middle: false, margin, most: margin };
    let gap = find_gap(sources.state, pair, &place, points);
    if points.is_empty() {
        out.apart.extend(ApartPair::new((sources.model, sources.travel, &sources.state.bodies), &place, gap));
    }
}

/// The gap between two shapes that have no points within the margin, as far as it is looked for.
fn find_gap(state: &State, pair: &Pair, place: &PatchPlace, points: &mut Vec<ManifoldPoint>) -> f64 {
    let margin = apart::FARTHER * place.most;
    let behind = pair.behind(state, place.poses, margin);
    let query = ContactQuery { max_points: 1, margin, behind, ..ContactQuery::default() };
    rules::points(pair.rule.manifold, &query, pair.geoms[0], pair.geoms[1], place.poses, points);
    let [a, b] = pair.geoms;
    // Points of faces need not be the nearest ones: a corner beside a face is nearer than those above it.
    let nearest =
        || distance(&a.shape, place.poses[0], &b.shape, place.poses[1], margin).map_or(margin, |near| near.distance);
    let is_exact = points.is_empty() || a.shape.touches_by_triangles() || b.shape.touches_by_triangles();
    let most = if is_exact { margin } else { nearest() };
    points.iter().fold(most, |gap, point| gap.min(-point.depth))
}

/// The contacts of a pair that has points.
fn push_manifold(
    sources: &Sources,
    pair: &Pair,
    found: &Found,
    [points, ahead]: [&mut Vec<ManifoldPoint>; 2],
    (bins, starts): (&mut Bins, &mut Vec<Option<StartOfPoint>>),
    out: &mut FoundContacts,
) {
    let parameters = sources.model.parameters;
    let of_substeps = parameters.solver == SolverKind::Substeps;
    let Pair { slots, geoms: [a, b], rule, old, in_middle, .. } = pair;
    let poses = pair.poses(sources)[1];
    let FoundContacts { manifolds, laws, starts: all_starts, contacts, .. } = out;
    let Found { behind, couple, is_along } = found;
    let reduction = rule.reduction();
    if let Some((_, count)) = reduction {
        bins.reduce(points, count, parameters.reduction_threshold);
    }
    let law = laws.number(sources.kinds, (*slots, points.len()), || {
        let mut surface = surface_of(sources, rule, [a, b], poses, points);
        let segments = if *is_along { segments_of([a, b], sources.state) } else { [None; 2] };
        if *is_along {
            leave_gently(&mut surface);
        }
        PairLaw { surface, segments }
    });
    let PairLaw { surface, segments } = &laws.all[law as usize];
    let is_force = surface.normal.is_force();
    let is_spook = matches!(surface.normal, NormalLaw::Spook { .. });
    let is_curved = surface.normal.is_curved();
    let bodies = pair.bodies();
    let start = contacts.len() as u32;
    let manifold = manifolds.len() as u32;
    // Only bounce, SPOOK and forces that grow faster than the depth ask for it.
    let asks = surface.bounce.is_some() || is_spook || *is_along || is_curved;
    for point in &*points {
        let approach = if asks { approach(sources.state, bodies, segments, point.position, point.normal) } else { 0.0 };
        // A gap closes without bounce; what would bounce is left to come through the margin on its own, unless it is fast
        // and comes in this step.
        let closes = || of_substeps || couple.as_ref().is_some_and(|couple| couple.closes(point));
        let is_ahead = point.depth < 0.0 && closes();
        let bounces = surface.bounce.is_some_and(|r| r.coefficient > 0.0 && -approach > r.threshold)
            && !(is_ahead && hits_in_step(point.depth, approach, sources.step));
        let warm = old.iter().find(|p| p.feature == point.feature);
        let mut exit_speed = if is_spook { exit_speed(sources.state, point.depth, approach, warm, old) } else { 0.0 };
        if *is_along && leaves_alone([a, b], point.depth, approach, sources.state, warm, &mut exit_speed) {
            continue;
        }
        // The margin keeps contacts that were there; a new one begins where the shapes meet.
        let is_new = warm.is_none() && point.depth < -ROUNDING && !(parameters.speculative || is_ahead);
        if (point.depth < 0.0 && (bounces || is_new)) || (is_force && point.depth <= 0.0) {
            continue;
        }
        let is_placed = point.depth > PLACED && (sources.state.steps == 0 || old.iter().any(|p| p.is_placed));
        let (warm_normal, warm_friction, stored) = kept(warm);
        // Every field by name: written into the list, not copied there from another one.
        contacts.push(ContactInput {
            bodies,
            manifold,
            feature: point.feature,
            is_sensor: !rule.acts,
            is_new: warm.is_none(),
            position: point.position + point.normal * (surface.point_shift * point.depth),
            normal: point.normal,
            depth: point.depth,
            approach,
            warm_normal,
            warm_friction,
            stored,
            is_placed,
            exit_speed,
            behind: *behind,
            start: NO_START,
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
        });
    }
    if *in_middle {
        add_starts(sources, pair, points, (ahead, starts), (&mut contacts[start as usize..], all_starts));
    }
    if !is_force {
        out.even_loads.add(&mut out.contacts, start, of_substeps);
    }
    out.manifolds.push(Manifold {
        geoms: Some(*slots),
        user_contact: None,
        patch: None,
        bodies: [a.body, b.body],
        law,
        points: [start, out.contacts.len() as u32],
        has_area: rule.area().is_some(),
        body_bins: reduction.map_or(0, |(way, count)| if way == PointReduction::Bodies { count } else { 0 }),
    });
}

/// A gap closes at the speed that it has.
pub(super) fn hits_in_step(depth: f64, approach: f64, step: f64) -> bool {
    approach * step < depth
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

/// Where points of the middle of the step were at its start, as far as they are looked for.
fn find_starts(
    sources: &Sources,
    pair: &Pair,
    points: &[ManifoldPoint],
    found: &mut Vec<ManifoldPoint>,
    starts: &mut Vec<Option<StartOfPoint>>,
) {
    let begin = middle::Start { state: sources.state, step: sources.step, poses: pair.poses(sources)[0] };
    let rule = (pair.rule.manifold, pair.rule.margin, pair.rule.max_points as usize);
    middle::starts(&begin, rule, pair.geoms, points, found, starts);
}

/// Where the contacts of a pair in the middle of the step were at its start.
fn add_starts(
    sources: &Sources,
    pair: &Pair,
    points: &[ManifoldPoint],
    (found, starts): (&mut Vec<ManifoldPoint>, &mut Vec<Option<StartOfPoint>>),
    (contacts, all): (&mut [ContactInput], &mut Vec<StartOfPoint>),
) {
    find_starts(sources, pair, points, found, starts);
    let center = middle::time_of_middle(sources.step);
    for contact in contacts {
        // Not every point that was found has become a contact.
        let number = points.iter().position(|point| point.feature == contact.feature);
        let start = number.and_then(|number| starts[number]);
        contact.start = all.len() as u32;
        all.push(start.unwrap_or_else(|| middle::carried_back(sources.state, center, contact)));
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
            position: definition.position,
            normal: definition.normal,
            depth: definition.depth,
            approach: approach(state, slots, &[None; 2], definition.position, definition.normal),
            exit_speed: f64::INFINITY,
            ..ContactInput::between(slots, work.manifolds.len() as u32, 0, true)
        });
        work.manifolds.push(Manifold {
            geoms: None,
            user_contact: Some(id.slot() as u32),
            patch: None,
            bodies: definition.bodies,
            law: work.pair_laws.len() as u32,
            points: [start, start + 1],
            body_bins: 0,
            has_area: false,
        });
        work.pair_laws.push(PairLaw { surface: definition.surface, segments: [None; 2] });
    }
}
