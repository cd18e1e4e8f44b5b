//! Records of the bodies, groups and points of a batch.

use std::ops::Range;

use glam::DVec3;

use super::super::assemble::Sources;
use super::super::contact_rows::{falls, tangents};
use super::super::detect::ContactInput;
use super::super::islands::NONE;
use super::super::views::BodyView;
use super::PointLaws;
use super::batch::PointBatch;
use super::law::{FrictionBounds, PointLaw};
use super::shares::Shares;
use crate::material::ContactSurface;
use crate::math::V3;
use crate::solvers::points::{BODY_RECORDS, FrictionForm, FrictionKind, GROUP_RECORDS, POINT_RECORDS};
use crate::solvers::soft::Record;

/// Contact points of a manifold that share their normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupSource {
    /// Places of its bodies; of what nothing moves the last.
    pub(super) places: [u32; 2],
    pub(super) first: u32,
    pub(super) count: u32,
    /// Number of its island in the batch.
    pub(super) island: u32,
    pub(super) manifold: u32,
    pub(super) friction_kind: FrictionKind,
}

impl GroupSource {
    /// Its points among those of the batch.
    pub(super) fn places_of_points(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// What the groups of a batch are made from.
#[derive(Clone, Debug, Default)]
pub(super) struct PointRecords {
    pub(super) bodies: Vec<Record>,
    /// `L v` before impulses.
    pub(super) z_free: Vec<Record>,
    pub(super) heads: Vec<Record>,
    pub(super) points: Vec<Record>,
    /// Rows about the axes of each point; empty where no point has some.
    pub(super) turns: Vec<Record>,
    /// Something bounces.
    pub(super) has_rebound: bool,
    pub(super) groups: Vec<GroupSource>,
    /// First body of each island of the batch, and the end.
    pub(super) island_bodies: Vec<u32>,
    shares: Shares,
    /// Number of the law, normal and tangents of the last group: on a plane all have the same.
    last_axes: Option<(u32, DVec3, [V3; 2])>,
}

/// How the contacts of an island are read.
struct Reader<'a> {
    sources: &'a Sources<'a>,
    /// Of the last step's impulses for this one.
    scale: f64,
    first_clique: u32,
    first_body: u32,
    /// Place of what nothing moves.
    nobody: u32,
}

impl PointRecords {
    /// Reads a batch.
    pub(super) fn read(&mut self, sources: &Sources, laws: PointLaws, batch: &mut PointBatch) {
        self.read_bodies(sources, batch);
        self.read_contacts(sources, laws, batch);
    }

    /// The record of no point.
    pub(super) fn nothing(&self) -> u32 {
        (self.points.len() / POINT_RECORDS - 1) as u32
    }

    /// The place of what nothing moves.
    pub(super) fn nobody(&self) -> u32 {
        self.z_free.len() as u32 - 1
    }

    fn count(&self) -> u32 {
        (self.points.len() / POINT_RECORDS) as u32
    }

    /// Records of the bodies of all islands, then of what nothing moves.
    fn read_bodies(&mut self, sources: &Sources, batch: &mut PointBatch) {
        let Sources { islands, views, cliques, .. } = *sources;
        self.bodies.clear();
        self.z_free.clear();
        self.island_bodies.clear();
        for island in &batch.islands {
            let island = *island as usize;
            self.island_bodies.push(self.z_free.len() as u32);
            let slots = &islands.bodies[islands.start(island)[0] as usize..islands.ends[island][0] as usize];
            for slot in slots {
                let view = &views[*slot as usize];
                let (Some(whitening), true) = (&view.whitening, view.clique != NONE) else { continue };
                let [c0, c1, c2] = whitening.angular.to_cols_array_2d();
                let x = view.center;
                self.bodies.push(Record([x.x, x.y, x.z, whitening.inverse_root_mass, c0[0], c0[1], c0[2], c1[0]]));
                self.bodies.push(Record([c1[1], c1[2], c2[0], c2[1], c2[2], 0.0, 0.0, 0.0]));
                let start = cliques.start(view.clique);
                let mut z = [0.0; 8];
                z[..6].copy_from_slice(&cliques.z_free[start..start + 6]);
                self.z_free.push(Record(z));
            }
            let first = if island == 0 { 0 } else { cliques.ends[island - 1] };
            let span = cliques.start(first)..cliques.start(cliques.ends[island]);
            batch.spans.push([span.start as u32, span.end as u32]);
        }
        self.island_bodies.push(self.z_free.len() as u32);
        self.bodies.extend([Record([0.0; 8]); BODY_RECORDS]);
        self.z_free.push(Record([0.0; 8]));
    }

    /// Records of groups and points of all islands.
    fn read_contacts(&mut self, sources: &Sources, laws: PointLaws, batch: &mut PointBatch) {
        let Sources { parameters, islands, contacts, manifolds, cliques, state, step, .. } = *sources;
        // Impulses scale with the step.
        let scale = if parameters.warm_start && state.last_step > 0.0 { step / state.last_step } else { 0.0 };
        self.heads.clear();
        self.points.clear();
        self.turns.clear();
        self.groups.clear();
        (self.last_axes, self.has_rebound) = (None, false);
        for (number, island) in batch.islands.iter().enumerate() {
            let island = *island as usize;
            batch.starts.push(self.count());
            let first_clique = if island == 0 { 0 } else { cliques.ends[island - 1] };
            let (first_body, nobody) = (self.island_bodies[number], self.nobody());
            let reader = Reader { sources, scale, first_clique, first_body, nobody };
            let first_group = self.groups.len();
            let mut last = None;
            for index in &islands.contacts[islands.start(island)[2] as usize..islands.ends[island][2] as usize] {
                let contact = &contacts[*index as usize];
                let number_of_law = manifolds[contact.manifold as usize].law;
                let Some(law) = &laws[number_of_law as usize] else { continue };
                let is_loose = law.is_loose(contact);
                let current = match last {
                    Some((of, current)) if of == (contact.manifold, contact.normal, is_loose) => current,
                    _ => {
                        let surface = &sources.laws[number_of_law as usize].surface;
                        self.begin_group(&reader, (number_of_law, law, is_loose), contact, surface, number as u32);
                        let current = (law, reader.is_driven(contact));
                        last = Some(((contact.manifold, contact.normal, is_loose), current));
                        current
                    }
                };
                self.push_point(&reader, current, contact);
                batch.deepest = contact.depth.max(batch.deepest);
            }
            let Self { bodies, heads, points, groups, shares, .. } = self;
            shares.soften(sources, &groups[first_group..], (bodies, &heads[GROUP_RECORDS * first_group..]), points);
        }
        // The records of no group and of no point.
        self.heads.extend([Record([0.0; 8]); GROUP_RECORDS]);
        self.points.extend([Record([0.0; 8]); POINT_RECORDS]);
        let count = self.count() as usize;
        batch.impulses.resize(count, Record([0.0; 8]));
        if !self.turns.is_empty() {
            self.turns.resize(count, Record([0.0; 8]));
            batch.moments.resize(count, Record([0.0; 8]));
        }
    }

    /// Makes the records those of normals alone, from rest and without softness, with what a bounded solution with these impulses has
    /// left of the correction: `b − Γ λ − cap`, since what a soft contact gives way under its load is no error.
    pub(super) fn take_remainder(&mut self, impulses: &[Record]) {
        let count = self.nothing() as usize;
        for (point, impulses) in self.points.chunks_exact_mut(POINT_RECORDS).zip(&impulses[..count]) {
            let [x, y, z, target, compliance, cap, ..] = point[0].0;
            let left = (target - compliance * impulses.0[0] - cap).max(0.0);
            point[0] = Record([x, y, z, left, 0.0, f64::INFINITY, 0.0, 1.0]);
            point[1] = Record([0.0; 8]);
        }
        self.turns.clear();
        for head in self.heads.chunks_exact_mut(GROUP_RECORDS) {
            (head[0].0[3], head[0].0[7]) = (0.0, 0.0);
            head[1].0[3..].fill(0.0);
        }
        self.groups.iter_mut().for_each(|group| group.friction_kind = FrictionKind::Pyramid);
        self.z_free.iter_mut().for_each(|z| *z = Record([0.0; 8]));
    }

    fn begin_group(
        &mut self,
        reader: &Reader,
        (number_of_law, law, is_loose): (u32, &PointLaw, bool),
        contact: &ContactInput,
        surface: &ContactSurface,
        island: u32,
    ) {
        let [t1, t2] = match &self.last_axes {
            Some((law, normal, axes)) if (*law, *normal) == (number_of_law, contact.normal) => *axes,
            _ => {
                let axes = tangents(surface, contact.normal);
                self.last_axes = Some((number_of_law, contact.normal, axes));
                axes
            }
        };
        let [t1, t2] = [t1.scale(law.stretch[0]), t2.scale(law.stretch[1])];
        let n = contact.normal;
        let form = FrictionForm { is_cone: law.is_cone, leans: law.leans(surface, n) };
        let kind = law.friction_kind(is_loose);
        let friction_kind = if form.leans { kind.combined_with(FrictionKind::Special) } else { kind };
        let FrictionBounds { coefficients, dry } = law.bounds(is_loose);
        self.heads.push(Record([n.x, n.y, n.z, coefficients[0], t1.x, t1.y, t1.z, coefficients[1]]));
        self.heads.push(Record([t2.x, t2.y, t2.z, form.number(), law.slip[0], law.slip[1], dry[0], dry[1]]));
        self.groups.push(GroupSource {
            places: contact.bodies.map(|slot| reader.place(slot)),
            first: self.count(),
            count: 0,
            island,
            manifold: contact.manifold,
            friction_kind,
        });
    }

    fn push_point(&mut self, reader: &Reader, (law, is_driven): (&PointLaw, bool), contact: &ContactInput) {
        let Sources { parameters, views, step, .. } = *reader.sources;
        let normal = law.target(contact, step, || falls(parameters, views, contact.bodies, contact.normal));
        let Some(group) = self.groups.last_mut() else { return };
        group.count += 1;
        let (mut p, mut turning) = ([0.0; 3], [0.0; 3]);
        if is_driven && let [.., head, second] = &self.heads[..] {
            let [nx, ny, nz, _, x, y, z, _] = head.0;
            let axes = [DVec3::new(nx, ny, nz), DVec3::new(x, y, z), DVec3::new(second.0[0], second.0[1], second.0[2])];
            (p, turning) = reader.prescribed(contact, &axes);
            if p[1] != 0.0 || p[2] != 0.0 {
                group.friction_kind = group.friction_kind.combined_with(FrictionKind::Special);
            }
        }
        self.has_rebound |= normal.rebound > 0.0;
        let reaches = law.reaches(contact.depth);
        if reaches != [0.0; 3] {
            group.friction_kind = FrictionKind::Rolling;
            let [r1, r2, r3] = reaches;
            let [about_normal, about_first, about_second] = turning;
            self.turns.resize(self.points.len() / POINT_RECORDS, Record([0.0; 8]));
            self.turns.push(Record([r1, r2, r3, -about_first, -about_second, -about_normal, law.spin_slip, 0.0]));
        }
        let (at, friction) = (contact.position, reader.scale * contact.warm_friction);
        let normal_impulse = reader.scale * contact.warm_normal;
        let (target, cap) = (normal.target - p[0], normal.cap - p[0]);
        let [r1, r2] = [law.running[0] - p[1], law.running[1] - p[2]];
        self.points.extend_from_slice(&[
            Record([at.x, at.y, at.z, target, law.compliance(), cap, normal_impulse, 1.0]),
            Record([friction.x, friction.y, friction.z, r1, r2, normal.rebound, p[0], 0.0]),
        ]);
    }
}

impl Reader<'_> {
    /// Place of a body; what nothing moves has the last.
    fn place(&self, slot: Option<u32>) -> u32 {
        let Some(slot) = slot else { return self.nobody };
        let view = &self.sources.views[slot as usize];
        match view.whitening {
            Some(_) if view.clique != NONE => view.clique - self.first_clique + self.first_body,
            _ => self.nobody,
        }
    }

    /// A body of a contact that rows do not move is in motion.
    fn is_driven(&self, contact: &ContactInput) -> bool {
        contact.bodies.into_iter().flatten().any(|slot| drives(&self.sources.views[slot as usize]))
    }

    /// Velocities of rows along the axes, and about them, by what rows do not move.
    fn prescribed(&self, contact: &ContactInput, axes: &[DVec3; 3]) -> ([f64; 3], [f64; 3]) {
        let (mut along, mut about) = ([0.0; 3], [0.0; 3]);
        for (slot, sign) in contact.bodies.into_iter().zip([1.0, -1.0]) {
            let Some(slot) = slot else { continue };
            let view = &self.sources.views[slot as usize];
            if !drives(view) {
                continue;
            }
            let velocity = view.velocity + view.omega.cross(contact.position - view.center);
            for (k, axis) in axes.iter().enumerate() {
                along[k] += sign * axis.dot(velocity);
                about[k] += sign * axis.dot(view.omega);
            }
        }
        (along, about)
    }
}

/// Rows do not move a body, and it is in motion.
fn drives(view: &BodyView) -> bool {
    let is_moved = view.whitening.is_some() && view.clique != NONE;
    !is_moved && (view.velocity != DVec3::ZERO || view.omega != DVec3::ZERO)
}
