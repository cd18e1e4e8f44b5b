//! Detection of missed contacts: bodies that moved by more than their size in a step, or through others.
//!
//! Contacts are found at the start of a step. The checks here are made at its end, for the centre of each shape on its
//! straight way relative to another shape: it entered and left within the step (a bullet, a thin plate), it went in on
//! one side and came out on the other, or it stays inside. Nothing here changes a step.

use glam::DVec3;

use super::context::Model;
use super::speculative::{is_slight, is_swept};
use super::{StepReport, Workspace, pairs, persistent_pairs, rules};
use crate::broadphase::{BroadPhase, Proxy, Sweep};
use crate::math::Pose;
use crate::model::{Body, BodyKind, Geom, GeomId, State, TimeAdvancement};
use crate::shape::{Aabb, Shape};

/// Steps after which what went in has not been pushed out.
const PATIENCE: u32 = 10;
/// Entries of a report, and shapes inside others that are watched.
const MOST: usize = 64;

/// A shape that has gone through another, or stays in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassedThrough {
    /// The shape whose centre passed, then the other.
    pub geoms: [GeomId; 2],
    /// The centre has come out on another side; false where it stays inside.
    pub is_through: bool,
}

/// The body that moved farthest beside its own size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outrun {
    /// The shape.
    pub geom: GeomId,
    /// Way of its centre in the step over its longest side.
    pub sizes: f64,
}

/// Memory of the watch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    ways: Vec<Way>,
    /// Centres of all shapes before the step, and how far they went at most \[m\].
    centers: Vec<(DVec3, f64)>,
    inside: Vec<Inside>,
    /// No centre was near another shape in the last step.
    is_clear: bool,
    /// Finds what the fast ones may have met.
    sweep: Sweep,
    proxies: Vec<Proxy>,
    pairs: Vec<(u32, u32)>,
}

/// What fast shapes are to the sweep, and the others.
const FAST: u64 = 1;
const SLOW: u64 = 2;

/// The centre of a shape in a step.
#[derive(Clone, Copy, Debug)]
struct Way {
    from: DVec3,
    to: DVec3,
    /// It has a centre, unlike a plane, and is not much thinner than other shapes of its body.
    is_bounded: bool,
    /// It moves by forces, and half its thickness is less than its way.
    is_fast: bool,
}

/// A centre inside another shape.
#[derive(Clone, Copy, Debug)]
struct Inside {
    geoms: [u32; 2],
    /// Outward normal where it went in, in the other shape's frame.
    entry: DVec3,
    age: u32,
}

/// Looks back on a step: which bodies moved, and what they went through. `work.poses` are the poses of the bodies before it.
pub(super) fn watch(model: &Model, state: &State, work: &mut Workspace, report: &mut StepReport) {
    let mut watch = std::mem::take(&mut work.watch);
    work.extents.read(model);
    // Continuous time has its own poses of shapes.
    let is_continuous = model.parameters.time == TimeAdvancement::Continuous;
    let may_be_fast = work.extents.note_moved(model, state, &work.poses, &mut report.moved);
    let is_still = work.persistent_pairs.holds
        && !may_be_fast
        && work.extents.most_moved <= persistent_pairs::spare(model.parameters);
    if work.persistent_pairs.holds && !is_still {
        pairs::read_poses(model, work);
    }
    watch.is_clear &= is_still;
    let seen = View { model, state, before: &work.poses };
    if may_be_fast || !watch.inside.is_empty() || is_continuous {
        let any_fast = watch.measure(&seen, &work.thickness, report);
        watch.follow(&seen, report);
        for (i, j) in work.pairs.iter().flat_map(both_ways) {
            let (way, other) = (watch.ways[i as usize], &work.proxies[j as usize].aabb);
            if way.is_bounded && !way.is_fast && touches(&way, other) {
                watch.enter(&seen, &way, [i, j], false, report);
            }
        }
        if any_fast {
            watch.search(&seen, report);
        }
    } else if !is_still {
        watch.enter_slowly(&seen, work, report);
    }
    work.watch = watch;
}

impl Watch {
    /// Nothing is inside of anything, or near it, as long as nothing moves by more than bounds are larger.
    pub(super) fn is_clear(&self) -> bool {
        self.is_clear && self.inside.is_empty()
    }
}

/// A pair and the same the other way round.
fn both_ways((i, j): &(u32, u32)) -> [(u32, u32); 2] {
    [(*i, *j), (*j, *i)]
}

/// What is looked at.
pub(super) struct View<'a> {
    pub(super) model: &'a Model<'a>,
    pub(super) state: &'a State,
    pub(super) before: &'a [Pose],
}

impl View<'_> {
    /// The body of a shape.
    pub(super) fn body(&self, geom: &Geom) -> Option<&Body> {
        geom.body.and_then(|body| self.model.bodies.get(body))
    }

    /// Poses of a shape before and after the step.
    pub(super) fn poses(&self, geom: &Geom) -> [Pose; 2] {
        let Some(body) = geom.body else { return [geom.pose; 2] };
        let center = self.model.bodies.get(body).map_or(DVec3::ZERO, |b| b.mass.center);
        let after = self.state.bodies[body.slot()].motion.frame(center);
        [self.before[body.slot()].compose(&geom.pose), after.compose(&geom.pose)]
    }

    /// The way of a shape's centre in the frame of another shape.
    fn relative(&self, way: &Way, other: &Geom) -> [DVec3; 2] {
        let [before, after] = self.poses(other);
        [before.inverse_point(way.from), after.inverse_point(way.to)]
    }

    /// Two shapes that would stop each other.
    pub(super) fn pair(&self, i: u32, j: u32) -> Option<[&Geom; 2]> {
        let (a, b) = (self.model.geoms.at(i as usize)?, self.model.geoms.at(j as usize)?);
        // Segments of wires have two bodies.
        if a.segment.is_some() || b.segment.is_some() {
            return None;
        }
        let meets = a.is_enabled
            && b.is_enabled
            && a.body != b.body
            && (a.category & b.collide != 0 || b.category & a.collide != 0)
            && a.surface.acts_on(&b.surface)
            && a.surface.most_points(&b.surface, self.model.parameters.max_contacts) > 0
            && rules::may_touch(self.model, a, b);
        meets.then_some([a, b])
    }

    fn ids(&self, geoms: [u32; 2]) -> Option<[GeomId; 2]> {
        Some([self.model.geoms.handle_at(geoms[0] as usize)?, self.model.geoms.handle_at(geoms[1] as usize)?])
    }

    fn tell(&self, geoms: [u32; 2], is_through: bool, report: &mut StepReport) {
        let Some([a, b]) = self.ids(geoms).filter(|_| report.passed_through.len() < MOST) else { return };
        if !report.passed_through.iter().any(|known| known.geoms == [b, a]) {
            report.passed_through.push(PassedThrough { geoms: [a, b], is_through });
        }
    }
}

impl Way {
    const NONE: Self = Self { from: DVec3::ZERO, to: DVec3::ZERO, is_bounded: false, is_fast: false };

    fn of(seen: &View, geom: &Geom, thickness: &[f64]) -> Self {
        if !geom.bounds.is_finite() || geom.segment.is_some() || is_slight(geom, thickness) {
            return Self::NONE;
        }
        let [from, to] = seen.poses(geom).map(|pose| pose.point(geom.bounds.center()));
        let moves = seen.body(geom).is_some_and(|b| b.kind == BodyKind::Dynamic);
        let is_fast = moves && geom.is_enabled && from.distance(to) > 0.5 * geom.bounds.size().min_element();
        Self { from, to, is_bounded: true, is_fast }
    }
}

impl Watch {
    /// The ways of all shapes; returns whether one is fast.
    fn measure(&mut self, seen: &View, thickness: &[f64], report: &mut StepReport) -> bool {
        self.ways.clear();
        let mut any_fast = false;
        for slot in 0..seen.model.geoms.slots() {
            let geom = seen.model.geoms.at(slot);
            let way = geom.map_or(Way::NONE, |geom| Way::of(seen, geom, thickness));
            any_fast |= way.is_fast;
            if let Some(geom) = geom.filter(|_| way.is_fast) {
                let sizes = way.from.distance(way.to) / geom.bounds.size().max_element();
                if sizes > report.outrun.map_or(1.0, |worst| worst.sizes) {
                    report.outrun = seen.model.geoms.handle_at(slot).map(|geom| Outrun { geom, sizes });
                }
            }
            self.ways.push(way);
        }
        any_fast
    }

    /// What is inside: is it out again, and where?
    fn follow(&mut self, seen: &View, report: &mut StepReport) {
        let Self { ways, inside, .. } = self;
        inside.retain_mut(|entry| {
            let [i, j] = entry.geoms;
            let Some([_, other]) = seen.pair(i, j) else { return false };
            let Some(way) = ways.get(i as usize) else { return false };
            let [from, to] = seen.relative(way, other);
            if depth(&other.shape, to) > 0.0 {
                entry.age += 1;
                if entry.age == PATIENCE {
                    seen.tell(entry.geoms, false, report);
                }
                return true;
            }
            // From outside back to the inside: the normal is turned to the start, outwards.
            let exit = cast(&other.shape, to, from);
            if exit.is_some_and(|normal| normal.dot(entry.entry) < 0.0) {
                seen.tell(entry.geoms, true, report);
            }
            false
        });
    }

    /// Every shape that a fast one may have met.
    fn search(&mut self, seen: &View, report: &mut StepReport) {
        self.proxies.clear();
        self.proxies.extend(self.ways.iter().enumerate().map(|(slot, way)| {
            let aabb = seen.model.geoms.at(slot).map_or(Aabb::EMPTY, |geom| swept_bounds(seen, geom, way));
            let (category, collide) = if way.is_fast { (FAST, FAST | SLOW) } else { (SLOW, FAST) };
            Proxy { aabb, category, collide, body: slot as u32 }
        }));
        let mut pairs = std::mem::take(&mut self.pairs);
        self.sweep.find_pairs(&self.proxies, &mut pairs);
        for &(i, j) in &pairs {
            for (i, j) in [(i, j), (j, i)] {
                let way = self.ways[i as usize];
                if way.is_fast {
                    self.enter(seen, &way, [i, j], true, report);
                }
            }
        }
        self.pairs = pairs;
    }

    /// The same where nothing is fast: only a centre beside a surface can have gone through it.
    fn enter_slowly(&mut self, seen: &View, work: &Workspace, report: &mut StepReport) {
        let Workspace { extents, proxies, geom_poses, thickness, pairs, .. } = work;
        let spare = 3.0 * persistent_pairs::spare(seen.model.parameters);
        self.is_clear = true;
        self.centers.clear();
        self.centers.extend(extents.centers_of_shapes(geom_poses));
        for (i, j) in pairs.iter().flat_map(both_ways) {
            let ((center, moved), other) = (&self.centers[i as usize], &proxies[j as usize].aabb);
            if !other.expanded(moved.max(spare)).contains_point(*center) {
                continue;
            }
            self.is_clear = false;
            if !other.expanded(*moved).contains_point(*center) {
                continue;
            }
            let Some([own, solid]) = seen.pair(i, j) else { continue };
            // Within its bounds a place of the other shape's frame moves by twice of what its own places do, at most.
            let most = moved + 2.0 * self.centers[j as usize].1;
            let is_beside = || -solid.shape.point_depth(&geom_poses[j as usize], *center) <= most;
            if !stops_slow(seen, own, solid) && is_beside() {
                let way = Way::of(seen, own, thickness);
                if way.is_bounded && touches(&way, other) {
                    self.enter(seen, &way, [i, j], false, report);
                }
            }
        }
    }

    /// The centre of a shape goes into another one, or through it.
    fn enter(&mut self, seen: &View, way: &Way, [i, j]: [u32; 2], is_fast: bool, report: &mut StepReport) {
        let Some([own, other]) = seen.pair(i, j) else { return };
        if !is_fast && stops_slow(seen, own, other) {
            return;
        }
        let [from, to] = seen.relative(way, other);
        if depth(&other.shape, from) > 0.0 {
            return;
        }
        let Some(entry) = cast(&other.shape, from, to) else { return };
        if depth(&other.shape, to) <= 0.0 {
            seen.tell([i, j], true, report);
        } else if self.inside.len() < MOST
            && !self.inside.iter().any(|known| known.geoms == [i, j] || known.geoms == [j, i])
        {
            self.inside.push(Inside { geoms: [i, j], entry, age: 0 });
        }
    }
}

/// What is slow is held by the contacts of a surface, and stopped where it is not: only what nothing stops goes through one. Nothing is
/// stopped in continuous time.
fn stops_slow(seen: &View, own: &Geom, other: &Geom) -> bool {
    let is_stopped = seen.model.parameters.time == TimeAdvancement::Discrete
        && seen.body(own).is_some_and(|body| is_swept(seen.model.parameters.swept, body));
    is_stopped && other.shape.has_triangles()
}

/// Bounds of a shape over a step: of a fast one those of a ball around its centre.
fn swept_bounds(seen: &View, geom: &Geom, way: &Way) -> Aabb {
    if way.is_fast {
        let radius = 0.5 * geom.bounds.size().length();
        return Aabb::new(way.from.min(way.to), way.from.max(way.to)).expanded(radius);
    }
    let [before, after] = seen.poses(geom);
    geom.bounds.turned(&before).merged(&geom.bounds.turned(&after))
}

/// Depth of a point in a shape's own frame \[m\].
fn depth(shape: &Shape, point: DVec3) -> f64 {
    shape.point_depth(&Pose::IDENTITY, point)
}

/// Normal where a way first meets a shape in its own frame, turned towards the start.
fn cast(shape: &Shape, from: DVec3, to: DVec3) -> Option<DVec3> {
    let length = from.distance(to);
    let direction = (to - from).try_normalize()?;
    let hit = shape.ray_cast(&Pose::IDENTITY, from, direction, length)?;
    // A way that begins on the surface of a solid and leads away from it meets nothing.
    let is_on_surface = hit.distance <= ON_SURFACE * length && depth(shape, from).abs() <= ON_SURFACE * length;
    let leaves = is_on_surface && depth(shape, from + AHEAD * (to - from)) < depth(shape, from);
    (!leaves).then_some(hit.normal)
}

/// Shares of a way: up to which a distance is rounding, and how far ahead it is looked where the way leads.
const ON_SURFACE: f64 = 1e-9;
const AHEAD: f64 = 1e-6;

/// The way reaches into a box.
fn touches(way: &Way, other: &Aabb) -> bool {
    Aabb::new(way.from.min(way.to), way.from.max(way.to)).intersects(other)
}
