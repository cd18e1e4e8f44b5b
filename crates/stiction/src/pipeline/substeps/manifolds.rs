//! Records of manifolds from the contacts of a step.

use glam::{DMat3, DVec3};

use super::super::contact_rows::tangents;
use super::super::context::Model;
use super::super::detect::{ContactInput, NO_START, StartOfPoint};
use super::super::frames::Frames;
use super::super::patches::{
    MOST_ROLLING, SAME, UNBOUNDED, bears, body_of, equal_shares, write_head, write_point, write_ways,
};
use super::super::{Workspace, bytes, rounded};
use super::bodies::SubstepBodies;
use super::{Frame, three};
use crate::contact::compliance::{erp_cfm, spring_damper};
use crate::contact::friction::{Coupling, FrictionBound};
use crate::contact::restitution::Restitution;
use crate::material::{ContactSurface, NormalLaw};
use crate::math::Pose;
use crate::model::{State, WorldParameters};
use crate::shape::Shape;
use crate::solvers::soft::{BODY_RECORDS, MANIFOLD_RECORDS, Record, Rolling, SPECIAL_RECORDS, Skin, forget_ways};

/// Compliance of a spring without a force.
const NO_FORCE: f64 = 1e30;

/// Up to four points with one normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    /// Places of the body that has the normal, which points from it, and of the one that it points into.
    pub(super) bodies: [u32; 2],
    /// −1 where they are the first and the second body of its contacts, whose normals point from the second into the first; else 1.
    pub(super) sign: f64,
    /// Where it comes from.
    pub(super) origin: Origin,
    pub(super) count: u8,
    /// Its place among the records of manifolds, and among those of special ones.
    pub(super) record: u32,
    pub(super) special: u32,
    /// It has records that only special ones need.
    pub(super) is_special: bool,
    /// Some point of it bore when it was found.
    pub(super) bore: bool,
    /// One of its bodies moves; else both do.
    pub(super) has_one_side: bool,
    pub(super) bounce: Option<Restitution>,
    /// Centre of the points where friction acts, in the pose of their detection.
    pub(super) center: DVec3,
    pub(super) normal: DVec3,
    /// Overlaps of the points of a patch that the world keeps, at the start of the step.
    pub(super) depths: [f64; 4],
}

/// Where a patch comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// One that the world keeps, by its number.
    Kept(u32),
    /// Contacts, by their numbers in the step.
    Contacts([u32; 4]),
}

/// The manifolds of the sub-steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Manifolds {
    pub(super) patches: Vec<Patch>,
    /// [`MANIFOLD_RECORDS`] of each patch that the world keeps, of the others, and of one that is empty.
    pub(super) records: Vec<Record>,
    /// Number of those that the world keeps.
    kept: usize,
    /// Overlaps are asked for, or there are contacts that are no patches of the world.
    pub(super) wants_more: bool,
    /// [`SPECIAL_RECORDS`] of what has nothing special, then of those that have.
    pub(super) special: Vec<Record>,
    /// Contacts of the same surface that are to become patches.
    pending: Vec<u32>,
    chunk: Vec<u32>,
}

impl Manifolds {
    /// Memory of the lists \[B\].
    pub(super) fn bytes(&self) -> usize {
        bytes(&self.patches) + bytes(&self.records) + bytes(&self.special)
    }

    /// Takes the patches that the world keeps, then all contacts in their order.
    pub(super) fn read(
        &mut self,
        model: &Model,
        frame: &Frame,
        state: &State,
        work: &mut Workspace,
        [list, kept]: [&[u32]; 2],
        bodies: &mut SubstepBodies,
    ) {
        self.patches.clear();
        std::mem::swap(&mut self.records, &mut work.patches.records);
        self.kept = self.records.len();
        self.special.clear();
        self.special.resize(SPECIAL_RECORDS, Record::default());
        self.special[0].0[4] = 1.0;
        self.special[1].0[6..].copy_from_slice(&[frame.push, frame.layer]);
        self.special[2].0[..4].fill(-1.0);
        self.wants_more = model.parameters.audit || !list.is_empty();
        for number in kept {
            let head = &work.patches.heads[*number as usize];
            let places = [head.bodies[1], head.bodies[0]];
            self.wants_more |= head.is_placed;
            let bounds = [frame.push.min(head.push), head.layer];
            let special = if bounds == [frame.push, frame.layer] { 0 } else { self.bound(bounds) };
            let places = places.map(|slot| bodies.place(model, frame, (state, &work.frames), body_of(slot)));
            self.patches.push(Patch {
                bodies: places,
                sign: 1.0,
                has_one_side: has_one_side(bodies, places),
                origin: Origin::Kept(*number),
                count: head.count,
                bore: head.bears,
                record: *number,
                special,
                is_special: false,
                bounce: None,
                center: DVec3::ZERO,
                normal: DVec3::ZERO,
                depths: [0.0; 4],
            });
        }
        self.read_contacts(model, frame, state, work, list, bodies);
        self.records.extend([Record::default(); MANIFOLD_RECORDS]);
    }

    /// Number of the special records of patches that have nothing else special but bounds of what corrects their depth.
    fn bound(&mut self, bounds: [f64; 2]) -> u32 {
        let known = (0..self.special.len() / SPECIAL_RECORDS)
            .find(|number| self.special[SPECIAL_RECORDS * number + 1].0[6..] == bounds);
        let number = known.unwrap_or_else(|| {
            let plain: [Record; SPECIAL_RECORDS] = std::array::from_fn(|k| self.special[k]);
            self.special.extend(plain);
            let number = self.special.len() / SPECIAL_RECORDS - 1;
            self.special[SPECIAL_RECORDS * number + 1].0[6..].copy_from_slice(&bounds);
            number
        });
        number as u32
    }

    /// Points of the patches that the world keeps.
    pub(super) fn points_of_kept(&self) -> usize {
        let kept = self.patches.iter().filter(|patch| matches!(patch.origin, Origin::Kept(_)));
        kept.map(|patch| patch.count as usize).sum()
    }

    /// Place of the record that is empty.
    pub(super) fn nothing(&self) -> u32 {
        (self.records.len() / MANIFOLD_RECORDS - 1) as u32
    }

    /// Some point of a patch has a spring.
    pub(super) fn is_elastic(&self, patch: &Patch) -> bool {
        self.special[SPECIAL_RECORDS * patch.special as usize + 2].0[..4].iter().any(|compliance| *compliance >= 0.0)
    }

    /// Records of a patch.
    pub(super) fn records_of(&self, patch: &Patch) -> &[Record] {
        &self.records[MANIFOLD_RECORDS * patch.record as usize..][..MANIFOLD_RECORDS]
    }

    /// Gives the records of patches that the world keeps back.
    pub(super) fn give_back(&mut self, work: &mut Workspace) {
        self.records.truncate(self.kept);
        std::mem::swap(&mut self.records, &mut work.patches.records);
    }

    fn read_contacts(
        &mut self,
        model: &Model,
        frame: &Frame,
        state: &State,
        work: &Workspace,
        list: &[u32],
        bodies: &mut SubstepBodies,
    ) {
        let mut next = 0;
        while next < list.len() {
            let number = work.contacts[list[next] as usize].manifold;
            let end = next + list[next..].iter().take_while(|c| work.contacts[**c as usize].manifold == number).count();
            let surface = &work.law_of(&work.contacts[list[next] as usize]).surface;
            self.pending.clear();
            self.pending.extend_from_slice(&list[next..end]);
            next = end;
            while let Some(first) = self.pending.first().copied() {
                let normal = work.contacts[first as usize].normal;
                let is_same = |c: &u32| (work.contacts[*c as usize].normal - normal).length_squared() <= SAME;
                self.chunk.clear();
                self.chunk.extend(self.pending.iter().copied().filter(is_same));
                self.pending.retain(|c| !is_same(c));
                let parts = self.chunk.len().div_ceil(4);
                for part in 0..parts {
                    let mut contacts = [0; 4];
                    let mut count = 0;
                    // Points come along an outline: every so many of them are far from each other.
                    for contact in self.chunk.iter().skip(part).step_by(parts) {
                        contacts[count] = *contact;
                        count += 1;
                    }
                    let places = {
                        let slots = work.contacts[first as usize].bodies;
                        [slots[1], slots[0]].map(|slot| bodies.place(model, frame, (state, &work.frames), slot))
                    };
                    let source = PatchSource {
                        parameters: model.parameters,
                        frame,
                        work: &work.contacts,
                        frames: &work.frames,
                        surface,
                        starts: &work.starts,
                        shapes: work.manifolds[number as usize].geoms.map(|geoms| {
                            geoms.map(|slot| {
                                Some((&model.geoms.at(slot as usize)?.shape, &work.geom_poses[slot as usize]))
                            })
                        }),
                    };
                    self.push(&source, bodies, places, &contacts[..count]);
                }
            }
        }
    }

    fn push(&mut self, source: &PatchSource, bodies: &SubstepBodies, places: [u32; 2], contacts: &[u32]) {
        let is_of_middle = source.work[contacts[0] as usize].start != NO_START;
        let is_turned = is_turned(bodies, places, is_of_middle);
        let places = if is_turned { [places[1], places[0]] } else { places };
        let sign = if is_turned { -1.0 } else { 1.0 };
        let [a, b] = places.map(|place| place as usize);
        let [own, other] = [a, b]
            .map(|place| if is_of_middle { bodies.middle(place) } else { *source.frames.start(bodies.slots[place]) });
        let points = || contacts.iter().map(|c| &source.work[*c as usize]);
        let normal = sign * source.work[contacts[0] as usize].normal;
        let count = contacts.len();
        let shares = shares(points());
        let center: DVec3 = points().zip(shares).map(|(point, share)| share * point.position).sum();
        let (mut force, mut twist) = (DVec3::ZERO, 0.0);
        for point in points() {
            let friction = sign * point.warm_friction;
            force += friction;
            // The moment about the normal is the same for both ways.
            twist += normal.dot((point.position - center).cross(friction));
        }
        let start = self.records.len();
        self.records.resize(start + MANIFOLD_RECORDS, Record::default());
        let records = &mut self.records[start..];
        let friction = Friction::of(source, points());
        write_head(records, &own, normal, friction.coefficient, (force, twist));
        let skin = source.skin(is_turned, normal, contacts);
        let core = skin.radius * normal;
        for (k, point) in points().enumerate() {
            let at = (point.position, point.depth * normal);
            write_point(&mut records[1 + k], [&own, &other], at, core, [point.warm_normal.max(0.0), shares[k]]);
        }
        skin.write(records);
        let ways = || {
            let starts = points().filter_map(|point| {
                Some((point, source.starts.get(point.start as usize).filter(|start| start.is_found)?))
            });
            starts.map(|(point, start)| (point.position - start.position, sign * (point.normal - start.normal)))
        };
        if count <= 2 && ways().count() == count {
            write_ways(records, ways());
        } else if count <= 2 || skin.radius > 0.0 {
            // Where they roll is not known: their rows have no rate.
            forget_ways(records);
        }
        let special = special(source, &friction, bodies, ([a, b], sign), contacts);
        let number = special.map_or(0, |own| {
            self.special.extend(own);
            self.special.len() / SPECIAL_RECORDS - 1
        });
        let mut list = [0; 4];
        list[..count].copy_from_slice(contacts);
        self.patches.push(Patch {
            bodies: places,
            sign,
            has_one_side: has_one_side(bodies, places),
            origin: Origin::Contacts(list),
            count: count as u8,
            bore: false,
            record: (start / MANIFOLD_RECORDS) as u32,
            special: number as u32,
            is_special: special.is_some(),
            bounce: source.surface.bounce.filter(|bounce| bounce.coefficient > 0.0),
            center,
            normal,
            depths: [0.0; 4],
        });
    }
}

/// Whether the normal of contacts turns with the first body, the last of two places: with what rows do not move rather than with what they do. Of two
/// bodies that move, and have just met, with the one that turns slower: a normal that has come along with a fast one lets it fall through.
fn is_turned(bodies: &SubstepBodies, places: [u32; 2], is_of_middle: bool) -> bool {
    let [second, first] = places.map(|place| bodies.moves(place));
    if second != first {
        return second;
    }
    let turn = |place: u32| bodies.leads[place as usize].0[3..6].iter().map(|e| e * e).sum::<f64>();
    !is_of_middle && turn(places[1]) < turn(places[0])
}

/// One of two bodies moves, else both do.
fn has_one_side(bodies: &SubstepBodies, [a, b]: [u32; 2]) -> bool {
    debug_assert!(bodies.moves(a) || bodies.moves(b), "threads write the places of bodies that move");
    bodies.moves(a) != bodies.moves(b)
}

/// Shares of the points in friction: equal ones of what bears, or of all ahead of the first touch.
fn shares<'a>(points: impl Iterator<Item = &'a ContactInput>) -> [f64; 4] {
    let (mut there, mut is_bearing) = ([false; 4], [false; 4]);
    for (k, point) in points.enumerate() {
        (there[k], is_bearing[k]) = (true, bears(point.depth, point.warm_normal));
    }
    equal_shares(&there, &is_bearing)
}

/// What a patch is made from.
struct PatchSource<'a> {
    parameters: &'a WorldParameters,
    frame: &'a Frame,
    work: &'a [ContactInput],
    frames: &'a Frames,
    surface: &'a ContactSurface,
    /// Where contacts of the middle of the step were at its start.
    starts: &'a [StartOfPoint],
    /// The shapes that touch, with their poses at the start.
    shapes: Option<[Option<(&'a Shape, &'a Pose)>; 2]>,
}

impl PatchSource<'_> {
    /// Skin of the shape that the normal of a patch points into, of a few contacts of the start: whatever it turns by until the middle, it
    /// touches where it did.
    fn skin(&self, is_turned: bool, normal: DVec3, contacts: &[u32]) -> Skin {
        let is_of_start = self.work[contacts[0] as usize].start == NO_START;
        let shape = self.shapes.and_then(|shapes| shapes[usize::from(is_turned)]);
        let shape = shape.filter(|_| is_of_start && contacts.len() <= MOST_ROLLING);
        let radius = shape.map_or(0.0, |(shape, pose)| rounded::radius(shape, pose, normal));
        Skin { radius, rolling: Rolling::default() }
    }
}

/// Friction of a patch.
struct Friction {
    coefficient: f64,
    /// Coefficient of the second direction by that of the first.
    stretch: f64,
    /// Impulse that does not depend on the load.
    dry: f64,
    is_pyramid: bool,
}

impl Friction {
    fn of<'a>(source: &PatchSource, points: impl Iterator<Item = &'a ContactInput> + Clone) -> Self {
        let surface = source.surface;
        let values = surface.friction.map(|bound| bound.value().min(UNBOUNDED));
        // The first direction's is the unit of the second's; with none the second cannot be measured by it.
        let first = values[0].max(1e-9 * values[1]);
        let stretch = if first > 0.0 { values[1] / first } else { 1.0 };
        let is_pyramid = surface.coupling == Coupling::Independent;
        let count = points.clone().count() as f64;
        match surface.friction[0] {
            FrictionBound::Coefficient(_) => Self { coefficient: first, stretch, dry: 0.0, is_pyramid },
            FrictionBound::Force(_) => {
                Self { coefficient: 0.0, stretch, dry: source.frame.part * count * first, is_pyramid }
            }
            FrictionBound::LastNormal(_) => {
                let last: f64 = points.map(|p| p.warm_normal.max(0.0)).sum();
                let dry = first * last / f64::from(source.frame.substeps);
                Self { coefficient: 0.0, stretch, dry, is_pyramid }
            }
        }
    }
}

/// The records that only special manifolds need, where it is one.
fn special(
    source: &PatchSource,
    friction: &Friction,
    bodies: &SubstepBodies,
    ([a, b], sign): ([usize; 2], f64),
    contacts: &[u32],
) -> Option<[Record; SPECIAL_RECORDS]> {
    let PatchSource { parameters, frame, work, frames, surface, .. } = *source;
    let first = &work[contacts[0] as usize];
    let normal = first.normal;
    let layer = parameters.layer_of(surface);
    let push = frame.push.min(parameters.correcting_velocity_of(surface));
    let deepest = contacts.iter().map(|c| work[*c as usize].depth).fold(0.0, f64::max);
    let arm = surface.rolling[2] + surface.torsional.moment_arm(deepest);
    let needs_frame = surface.direction.is_some() || surface.projects_direction;
    // As the normal is, they are those of the middle of the step.
    let turn = if first.start == NO_START {
        bodies.middle(a).axes * frames.start(bodies.slots[a]).axes.transpose()
    } else {
        DMat3::IDENTITY
    };
    let [t1, t2] = tangents(surface, normal).map(|tangent| turn * DVec3::from(tangent));
    let normal = turn * normal;
    let belt = -sign * (surface.motion[0] * t1 + surface.motion[1] * t2 + surface.normal_motion * normal);
    let count = contacts.len() as f64;
    let slip = surface.slip.map(|slip| slip / (count * frame.part));
    let directed = needs_frame && (friction.stretch != 1.0 || friction.is_pyramid || slip[0] != slip[1]);
    let mut elastic = [(-1.0, 0.0); 4];
    let mut pull = [0.0; 4];
    for (k, contact) in contacts.iter().enumerate() {
        let point = &work[*contact as usize];
        let mass = || effective_mass((bodies, frames), [a, b], point);
        if let Some(spring) = spring_of(parameters, surface, point, frame.step, mass) {
            // What is stiffer than the bias of a rigid contact is rigid.
            if spring.stiffness < frame.stiffness * mass() {
                let soft = spring_damper(spring.stiffness, spring.damping, frame.part);
                let rate = soft.correction / frame.part;
                elastic[k] = (soft.compliance.min(NO_FORCE), if rate.is_finite() { rate } else { 0.0 });
                pull[k] = frame.part * spring.pull;
            }
        }
    }
    let rest = match surface.normal {
        NormalLaw::Spook { rest_depth, .. } if elastic[0].0 >= 0.0 => rest_depth,
        _ => layer,
    };
    let is_special = elastic.iter().any(|(compliance, _)| *compliance >= 0.0)
        || directed
        || friction.stretch != 1.0
        || friction.is_pyramid
        || friction.dry != 0.0
        || arm > 0.0
        || belt != DVec3::ZERO
        || slip != [0.0; 2]
        || push != frame.push
        || rest != frame.layer;
    if !is_special {
        return None;
    }
    let mut records = [Record::default(); SPECIAL_RECORDS];
    let is_framed = needs_frame || belt != DVec3::ZERO || friction.is_pyramid || friction.stretch != 1.0;
    let [x, y, z] = three(t1);
    let pyramid = f64::from(u8::from(friction.is_pyramid));
    records[0] = Record([x, y, z, f64::from(u8::from(is_framed)), friction.stretch, pyramid, friction.dry, arm]);
    let [x, y, z] = three(belt);
    let torsional = surface.torsional.slip / frame.part;
    let second = slip[1] * friction.stretch * friction.stretch;
    records[1] = Record([x, y, z, slip[0], second, torsional, push, rest]);
    for k in 0..4 {
        (records[2].0[k], records[2].0[4 + k]) = elastic[k];
        records[3].0[k] = pull[k];
    }
    Some(records)
}

/// Mass along the normal of a contact.
fn effective_mass((bodies, frames): (&SubstepBodies, &Frames), places: [usize; 2], point: &ContactInput) -> f64 {
    let inverse: f64 = places
        .into_iter()
        .map(|place| {
            let record = &bodies.records[BODY_RECORDS * place].0;
            let start = frames.start(bodies.slots[place]);
            let turn = start.axes.transpose() * (point.position - start.center).cross(point.normal);
            record[3] * record[3] + (turn * DVec3::new(record[4], record[5], record[6])).length_squared()
        })
        .sum();
    1.0 / inverse.max(f64::MIN_POSITIVE)
}

/// Spring and damper of an elastic normal.
struct Spring {
    /// \[N/m\].
    stiffness: f64,
    /// \[N s/m\].
    damping: f64,
    /// Largest pull \[N\].
    pull: f64,
}

/// The spring that a surface asks for; `None` of a hard one.
fn spring_of(
    parameters: &WorldParameters,
    surface: &ContactSurface,
    point: &ContactInput,
    step: f64,
    mass: impl Fn() -> f64,
) -> Option<Spring> {
    let spring = |stiffness: f64, damping: f64| Some(Spring { stiffness, damping, pull: 0.0 });
    match surface.normal {
        NormalLaw::ErpCfm { erp, cfm } => {
            let soft = erp_cfm(erp.unwrap_or(parameters.erp), cfm.unwrap_or(parameters.cfm), step);
            // `erp = h k / (h k + c)`, `cfm = 1 / (h k + c)`.
            (soft.compliance > 0.0).then(|| {
                let implicit = 1.0 / (soft.compliance * step);
                Spring {
                    stiffness: soft.correction * implicit / step,
                    damping: (1.0 - soft.correction) * implicit,
                    pull: 0.0,
                }
            })
        }
        NormalLaw::Spring { stiffness, damping } => spring(stiffness, damping),
        NormalLaw::Spook { compliance, damping_time, adhesion, .. } => {
            Some(Spring { stiffness: 1.0 / compliance, damping: damping_time / compliance, pull: adhesion })
        }
        NormalLaw::Compliant { force, is_per_mass } => {
            let force = if is_per_mass { force.times(mass()) } else { force };
            let soft = force.linearized(point.depth, step);
            let implicit = 1.0 / (soft.compliance * step);
            spring(soft.correction * implicit / step, (1.0 - soft.correction) * implicit)
        }
    }
}
