//! First impacts of fast shapes in a step, and how much of their ways they then keep.
//!
//! Contacts are found at the start of a step; what moves by more than half its inner radius in one may have passed a thin plate
//! at its end. Nothing stops a kinematic body: what one meets, fast or slow, it takes along for the rest of the step.
//!
//! A shape that touches another at the start of the step slides, rolls or topples on it, or is pushed out; it is not held, but its
//! middle must not go through. Of one that turns by a large part of a radian in the step, which contacts do not hold, a whole core
//! must not: the largest of several smaller copies of the shape that is free of the other shape at the start.

use glam::DVec3;

use super::cast::{ShapeHit, Sweep, first_touch};
use super::core::core_touch;
use super::course::Course;
use crate::base::first_of;
use crate::math::Pose;
use crate::shape::{Aabb, Shape, Sphere};

/// Way in a step, in inner radii, above which a shape is fast.
pub(crate) const FAST: f64 = 0.5;
/// Overlap that a stopped shape has, in inner radii: the contact is found, and hardly pushed out.
const TOUCH: f64 = 1e-5;
/// Size of the largest core, relative to the shape. What spins and touches with one point goes deeper by a core in each step.
const LARGEST_CORE: f64 = 0.95;
/// Size of a core relative to the next larger one.
const SMALLER: f64 = 0.98;
/// Number of the least core that is tried, a hundredth of the shape.
const LEAST: i32 = 226;
/// Radius of the ball in the middle of a shape, in inner radii, that must not go through what the shape touches.
const CORE: f64 = 0.25;
/// Gap at which such a ball touches, in its radius.
const CORE_TOUCH: f64 = 1e-2;
/// Number of balls that are tried, each half as large as the one before.
const CORES: i32 = 30;
/// A fraction that counts as a stop at the end of the course.
const END: f64 = 1.0 - 1e-9;

/// A shape comes to touch another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Fraction of the motions.
    pub fraction: f64,
    /// Where it is its middle that touches: unit normal towards it.
    pub barrier: Option<DVec3>,
}

/// The share of a motion that is kept where it ends at an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Fraction of the motion before the impact.
    pub fraction: f64,
    /// The rest of the motion of what is hit, if nothing stops that: it takes what it has met along.
    pub carrier: Option<Course>,
    /// The middle of the shape has come to the surface: unit normal there, towards the shape. What comes on along it is lost.
    pub barrier: Option<DVec3>,
}

impl Stop {
    /// The motion is not stopped.
    pub const NONE: Self = Self { fraction: 1.0, carrier: None, barrier: None };

    /// The pose at the end: that at the impact, carried by what it has met.
    #[must_use]
    pub fn end(&self, course: &Course) -> Pose {
        let met = course.at(self.fraction);
        match self.carrier {
            Some(carrier) => carrier.to.compose(&carrier.from.inverse()).compose(&met),
            None => met,
        }
    }
}

/// Inner radius of a shape: half its thickness. A sheet without any counts as a twentieth as thick as it is long.
pub(crate) fn inner_radius(bounds: &Aabb) -> f64 {
    let size = bounds.size();
    if size.min_element() > 0.0 { 0.5 * size.min_element() } else { 0.025 * size.max_element() }
}

/// A point of a shape moves by more than half the shape's inner radius. `bounds` is the shape's box in its own frame. Rays, planes
/// and heightfields are never fast.
#[must_use]
pub fn is_fast(shape: &Shape, bounds: &Aabb, course: &Course) -> bool {
    if matches!(shape, Shape::Ray(_) | Shape::Plane(_) | Shape::Heightfield(_)) || !bounds.is_finite() {
        return false;
    }
    is_far(bounds, course.center, course.way().length(), course.swing_angle())
}

/// The same by the length of the way of a point of the shape, `center` in its frame \[m\], and the angle of its turn \[rad\].
#[inline]
#[must_use]
pub fn is_far(bounds: &Aabb, center: DVec3, way: f64, turn: f64) -> bool {
    let inner = inner_radius(bounds);
    let reach = (bounds.center() - center).length() + 0.5 * bounds.size().length() - inner;
    way + turn * reach > FAST * inner
}

/// What moves a shape in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// Nothing: it is at rest.
    Nothing,
    /// Forces: an impact stops the body of this number.
    Forces(u32),
    /// Velocities that nothing changes.
    Velocities,
}

/// Shapes by number, on their ways in a step.
pub trait Moving {
    /// How many numbers there are.
    fn count(&self) -> u32;
    /// The way of a shape and its box in its own frame; `None` where there is no shape of the number.
    fn course(&self, shape: u32) -> Option<(Course, Aabb)>;
    /// What moves a shape.
    fn mover(&self, shape: u32) -> Mover;
    /// A dynamic body may be stopped by this shape's impact, and taken along.
    fn may_stop(&self, shape: u32) -> bool;
    /// Two shapes stop each other.
    fn may_meet(&self, shape: u32, other: u32) -> bool;
    /// [`time_of_impact`] of two shapes on these ways.
    fn time_of_impact(&self, shape: u32, own: &Course, other: u32, its: &Course) -> Option<Impact>;
}

/// First impacts of a step. Its memory is kept from step to step.
#[derive(Clone, Debug, Default)]
pub struct Impacts {
    /// By number of a body: where on its way it stops.
    pub stops: Vec<Stop>,
    /// By number of a body: it stops for a dynamic one.
    is_for_dynamic: Vec<bool>,
    /// By number of a body: one that joints hold it to, or itself.
    parents: Vec<u32>,
    bounds: Vec<Aabb>,
}

impl Impacts {
    /// Finds the stops of `bodies` bodies for the impacts of fast shapes; returns whether there is one.
    pub fn find(&mut self, scene: &impl Moving, fast: &[u32], bodies: usize) -> bool {
        self.stops.clear();
        self.stops.resize(bodies, Stop::NONE);
        self.is_for_dynamic.clear();
        self.is_for_dynamic.resize(bodies, false);
        self.bounds.clear();
        let reached = |shape| scene.course(shape).map_or(Aabb::EMPTY, |(course, bounds)| course.bounds(&bounds));
        self.bounds.extend((0..scene.count()).map(reached));
        let with_others = self.cast(scene, fast, false);
        let with_dynamic = self.cast(scene, fast, true);
        if with_dynamic {
            self.carry_stopped(scene, fast);
        }
        with_others || with_dynamic
    }

    /// What joints hold together keeps the same share of its way, and is not carried: a joint may hold it to the world. `joints` are
    /// the numbers of their bodies.
    pub fn share(&mut self, joints: impl Iterator<Item = [Option<u32>; 2]>) {
        let Self { stops, parents, .. } = self;
        parents.clear();
        parents.extend(0..stops.len() as u32);
        for bodies in joints {
            for body in bodies.into_iter().flatten() {
                stops[body as usize].carrier = None;
            }
            if let [Some(a), Some(b)] = bodies {
                let (a, b) = (first_of(parents, a), first_of(parents, b));
                let (first, second) = (a.min(b) as usize, a.max(b) as usize);
                parents[second] = first as u32;
                if stops[second].fraction < stops[first].fraction {
                    stops[first] = stops[second];
                }
            }
        }
        for body in 0..stops.len() {
            stops[body] = stops[first_of(parents, body as u32) as usize];
        }
    }

    /// The body that stands for all that joints hold to a body, after [`Self::share`].
    #[must_use]
    pub fn group(&self, body: u32) -> u32 {
        first_of(&self.parents, body)
    }

    /// First impacts between two dynamic bodies, or all others. A body that is taken along stops for no dynamic one.
    fn cast(&mut self, scene: &impl Moving, fast: &[u32], dynamic: bool) -> bool {
        let mut is_any = false;
        for &shape in fast {
            for other in near(scene, &self.bounds, shape) {
                let are_dynamic = [shape, other].iter().all(|s| matches!(scene.mover(*s), Mover::Forces(_)));
                if are_dynamic != dynamic {
                    continue;
                }
                let Some((body, stop)) = impact(scene, shape, other) else { continue };
                let known = &mut self.stops[body as usize];
                if stop.fraction < known.fraction && (known.carrier.is_none() || !dynamic) {
                    *known = stop;
                    self.is_for_dynamic[body as usize] = dynamic;
                }
                is_any = true;
            }
        }
        is_any
    }

    /// Bodies that have stopped for dynamic ones are met by kinematic ones later in the step.
    fn carry_stopped(&mut self, scene: &impl Moving, fast: &[u32]) {
        for &shape in fast.iter().filter(|shape| scene.mover(**shape) == Mover::Velocities) {
            for other in near(scene, &self.bounds, shape) {
                let Mover::Forces(body) = scene.mover(other) else { continue };
                let stop = &mut self.stops[body as usize];
                if !self.is_for_dynamic[body as usize] || !scene.may_stop(other) {
                    continue;
                }
                let (Some((own, _)), Some((its, _))) = (scene.course(shape), scene.course(other)) else { continue };
                let (own, its) = (own.rest(stop.fraction), Course::from(Sweep::fixed(its.at(stop.fraction))));
                if let Some(impact) = scene.time_of_impact(other, &its, shape, &own) {
                    stop.carrier = Some(own.rest(impact.fraction));
                }
            }
        }
    }
}

/// The other shapes that a fast one may meet on its way.
fn near(scene: &impl Moving, bounds: &[Aabb], shape: u32) -> impl Iterator<Item = u32> {
    let reached = bounds[shape as usize];
    (0..bounds.len() as u32)
        .filter(move |&other| other != shape && reached.intersects(&bounds[other as usize]))
        .filter(move |&other| scene.may_meet(shape, other))
}

/// Which body stops, and where, if a fast shape comes to touch another one. It is the dynamic body's shape whose core must not go
/// through the other, be that as large as it is.
fn impact(scene: &impl Moving, shape: u32, other: u32) -> Option<(u32, Stop)> {
    let ((own, _), (its, _)) = (scene.course(shape)?, scene.course(other)?);
    match (scene.mover(shape), scene.mover(other)) {
        (Mover::Forces(body), mover) => {
            let Impact { fraction, barrier } = scene.time_of_impact(shape, &own, other, &its)?;
            let carrier = (mover == Mover::Velocities).then(|| its.rest(fraction));
            let barrier = barrier.filter(|_| mover == Mover::Nothing);
            Some((body, Stop { fraction, carrier, barrier }))
        }
        (Mover::Velocities, Mover::Forces(body)) if scene.may_stop(other) => {
            let Impact { fraction, .. } = scene.time_of_impact(other, &its, shape, &own)?;
            Some((body, Stop { fraction, carrier: Some(own.rest(fraction)), barrier: None }))
        }
        _ => None,
    }
}

/// Fraction of the motions at which a fast shape comes to touch another one; `None` where it does not.
#[must_use]
pub fn time_of_impact(shape: &Shape, own: &Course, other: &Shape, its: &Course) -> Option<Impact> {
    let bounds = shape.aabb(&Pose::IDENTITY);
    let gap = TOUCH * inner_radius(&bounds);
    let Some(hit) = first_touch(shape, own, other, its, gap) else {
        return end_of(own, its, |own, its| first_touch(shape, own, other, its, gap))
            .map(|_| Impact { fraction: END, barrier: None });
    };
    if hit.fraction == 0.0 {
        let fraction = impact_of_core(shape, &bounds, own, other, its, gap)?;
        return Some(Impact { fraction, barrier: None });
    }
    if is_grazing(shape, &bounds, own, other, its, gap) {
        return None;
    }
    // On, until they overlap by as much as the gap was.
    let approach =
        (its.to.position - its.from.position - own.to.position + own.from.position).dot(hit.proximity.normal);
    let further = if approach > 0.0 { (hit.proximity.distance + gap) / approach } else { 0.0 };
    Some(Impact { fraction: (hit.fraction + further).min(1.0), barrier: None })
}

/// Size of the core, relative to the shape, that stays clear where a shape only grazes another.
const GRAZING: f64 = 0.99;

/// A convex shape overlaps another by no more than a hundredth of its size in the whole motion: contacts take care of it in the next step. An example is a box
/// that rests micrometres deep in a tile and slides onto the next, flush one.
fn is_grazing(shape: &Shape, bounds: &Aabb, own: &Course, other: &Shape, its: &Course, gap: f64) -> bool {
    let core = |own: &Course, its: &Course| touch(shape, bounds, GRAZING, own, other, its, gap);
    has_core(shape) && core(own, its).is_none() && end_of(own, its, core).is_none()
}

/// Turn in a step that rows of contacts, which are linear in it, do not resolve \[rad\].
const WILD: f64 = 1.0;

/// Fraction at which a shape that has contacts with another would go through it.
#[must_use]
pub fn time_of_passage(shape: &Shape, own: &Course, other: &Shape, its: &Course) -> Option<Impact> {
    let is_wild = own.swing_angle().max(its.swing_angle()) > WILD;
    if is_wild { time_of_impact(shape, own, other, its) } else { time_of_core_impact(shape, own, other, its) }
}

/// Fraction at which the middle of a shape goes through one that it touches at the start. Contacts hold the rest of it: a stop
/// there would take away the way of what turns about the point that touches.
fn time_of_core_impact(shape: &Shape, own: &Course, other: &Shape, its: &Course) -> Option<Impact> {
    let bounds = shape.aabb(&Pose::IDENTITY);
    let inner = inner_radius(&bounds);
    let center = bounds.center();
    if shape.point_depth(&Pose::IDENTITY, center) <= 0.0 {
        return None;
    }
    let own = own.of_part(&Pose::from_position(center));
    // A smaller ball where this one is not free at the start.
    (0..CORES).map(|k| CORE * inner * 0.5f64.powi(k)).find_map(|radius| {
        let ball = Shape::Sphere(Sphere { radius });
        let touch = |own: &Course, its: &Course| first_touch(&ball, own, other, its, CORE_TOUCH * radius);
        let at = |fraction, hit: ShapeHit| Impact { fraction, barrier: Some(hit.proximity.normal) };
        match touch(&own, its) {
            Some(hit) if hit.fraction == 0.0 => None,
            Some(hit) => Some(Some(at(hit.fraction, hit))),
            None => Some(end_of(&own, its, touch).map(|hit| at(END, hit))),
        }
    })?
}

/// Fraction at which the largest core that is free at the start comes to touch.
fn impact_of_core(shape: &Shape, bounds: &Aabb, own: &Course, other: &Shape, its: &Course, gap: f64) -> Option<f64> {
    let size = |step: i32| LARGEST_CORE * SMALLER.powi(step);
    let [start, its_start] = [own.from, its.from].map(|pose| Course::from(Sweep::fixed(pose)));
    let is_free = |step: i32| touch(shape, bounds, size(step), &start, other, &its_start, gap).is_none();
    // Each holds all smaller ones: the first free one lies between one that is not and one that is.
    let (mut blocked, mut free) = (-1, 0);
    while !is_free(free) {
        if free == LEAST {
            return None;
        }
        (blocked, free) = (free, (2 * free + 1).min(LEAST));
    }
    while free - blocked > 1 {
        let middle = (blocked + free) / 2;
        if is_free(middle) { free = middle } else { blocked = middle }
    }
    touch(shape, bounds, size(free), own, other, its, gap)
        .or_else(|| end_of(own, its, |own, its| touch(shape, bounds, size(free), own, other, its, gap)).map(|_| END))
}

/// Smaller copies of a shape lie within it.
fn has_core(shape: &Shape) -> bool {
    !matches!(shape, Shape::TriangleMesh(_) | Shape::Heightfield(_) | Shape::Plane(_) | Shape::Ray(_))
}

/// [`core_touch`]; what is not convex has a ball as its core.
fn touch(shape: &Shape, bounds: &Aabb, size: f64, own: &Course, other: &Shape, its: &Course, gap: f64) -> Option<f64> {
    if has_core(shape) {
        return core_touch(shape, size, own, other, its, gap);
    }
    let ball = Shape::Sphere(Sphere { radius: size * inner_radius(bounds) });
    let own = own.of_part(&Pose::from_position(bounds.center()));
    first_touch(&ball, &own, other, its, gap).map(|hit| hit.fraction)
}

/// What touches at the end of a course that is free, where it leads to another pose than the step does.
fn end_of<T>(own: &Course, its: &Course, touch: impl Fn(&Course, &Course) -> Option<T>) -> Option<T> {
    let [to, its_to] = [own.to, its.to].map(|pose| Course::from(Sweep::fixed(pose)));
    if own.is_closed { None } else { touch(&to, &its_to) }
}
