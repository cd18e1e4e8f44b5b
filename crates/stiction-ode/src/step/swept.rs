//! Fast bodies that ask for it stop where they would first touch something (continuous collision detection), which ODE has not:
//! off unless asked, so that trajectories are ODE's.
//!
//! What a body may touch is what its program pairs it with: the geoms of the outermost space that it has a geom in, and of the spaces
//! that have been given to `dSpaceCollide2` together with that one. Category and collide bits count, geoms of bodies that joints
//! connect are left out; what a near callback decides is not known. Classes of the program are not seen.

use glam::{DQuat, DVec3};
use stiction::collision::impact::{Impact, Impacts, Mover, Moving, Stop, is_fast, time_of_impact};
use stiction::collision::{Course, Sweep};
use stiction::math::Pose;
use stiction::shape::{Aabb, Shape};

use super::advance::target;
use super::islands::Islands;
use super::prepare::StepBody;
use crate::geom::{GeomId, engine_parts, field_under, may_touch};
use crate::joints::NULL;
use crate::objects::body::{Body, BodyId, flag};
use crate::objects::world::WorldId;
use crate::space::{Space, outermost};
use crate::types::{put, quaternion, vector};

/// A shape on its way.
struct Way {
    geom: GeomId,
    /// None of a heightfield, of which the part is read that the other shape may touch.
    shape: Option<Shape>,
    bounds: Aabb,
    course: Course,
    mover: Mover,
    may_stop: bool,
}

impl Way {
    fn is_fast(&self) -> bool {
        let is_fast = |shape| is_fast(shape, &self.bounds, &self.course);
        self.may_stop && self.shape.as_ref().is_some_and(is_fast)
    }
}

/// Memory of the search for impacts.
#[derive(Default)]
pub(super) struct Swept {
    ways: Vec<Way>,
    fast: Vec<u32>,
    /// Poses of the bodies at the end of the step if nothing stops them, and how far their angular velocities turn them.
    targets: Vec<(Pose, DVec3)>,
    spaces: Vec<GeomId>,
    impacts: Impacts,
}

impl Swept {
    /// The stops of all bodies of the step; none if nothing is stopped.
    pub(super) unsafe fn find(&mut self, world: WorldId, islands: &Islands, bodies: &[StepBody], h: f64) -> &[Stop] {
        if !islands.bodies.iter().any(|&id| (*id).flags & flag::SWEPT != 0) {
            return &[];
        }
        self.targets.clear();
        for (&id, step) in islands.bodies.iter().zip(bodies) {
            let mut spin = step.angular;
            let (position, rotation) = match (*id).flags & flag::HELD {
                0 => target(&*id, step.linear, &mut spin, h),
                _ => {
                    spin = DVec3::ZERO;
                    (vector(&(*id).position), quaternion(&(*id).quaternion))
                }
            };
            self.targets.push((Pose::new(position, rotation), h * spin));
        }
        if !self.is_any_fast(islands) {
            return &[];
        }
        self.gather(world, islands);
        self.fast.clear();
        self.fast.extend((0..).zip(&self.ways).filter(|(_, way)| way.is_fast()).map(|(i, _)| i));
        let is_any = self.impacts.find(&Scene(&self.ways), &self.fast, bodies.len());
        // Meshes that the program changes are not to be held by us.
        self.ways.clear();
        if !is_any {
            return &[];
        }
        let number = |body: BodyId| (!body.is_null()).then(|| (*body).index);
        let held = islands.joints.iter().filter(|&&joint| {
            let kind = &(*joint).kind;
            !kind.is_contact() && kind.number() != NULL
        });
        self.impacts.share(held.map(|&joint| [0, 1].map(|side| number((*joint).nodes[side].body))));
        &self.impacts.stops
    }

    /// A shape of a body that asks for it moves so far that the others must be looked at.
    unsafe fn is_any_fast(&self, islands: &Islands) -> bool {
        let mut is_any = false;
        for &id in islands.bodies.iter().filter(|&&id| (*id).flags & flag::SWEPT != 0) {
            let mut geom: GeomId = (*id).geom.cast();
            while !geom.is_null() && !is_any {
                engine_parts(geom, &mut |shape, bounds, pose| {
                    is_any |= self.way(&*id, geom, shape, bounds, pose).is_fast();
                });
                geom = (*geom).body_next;
            }
        }
        is_any
    }

    /// All shapes that the bodies that ask for it may touch.
    unsafe fn gather(&mut self, world: WorldId, islands: &Islands) {
        self.spaces.clear();
        for &id in islands.bodies.iter().filter(|&&id| (*id).flags & flag::SWEPT != 0) {
            let mut geom: GeomId = (*id).geom.cast();
            while !geom.is_null() {
                let space = outermost(geom);
                if Space::of(space).is_some() && !self.spaces.contains(&space) {
                    self.spaces.push(space);
                }
                geom = (*geom).body_next;
            }
        }
        let own = self.spaces.len();
        for k in 0..own {
            let Some(space) = Space::of(self.spaces[k]) else { continue };
            for &partner in &(*space).partners {
                if !self.spaces.contains(&partner) {
                    self.spaces.push(partner);
                }
            }
        }
        for k in 0..self.spaces.len() {
            self.gather_space(self.spaces[k], world, islands);
        }
    }

    unsafe fn gather_space(&mut self, owner: GeomId, world: WorldId, islands: &Islands) {
        let Some(space) = Space::of(owner) else { return };
        let mut geom = (*space).first;
        while !geom.is_null() {
            if Space::of(geom).is_some() {
                self.gather_space(geom, world, islands);
            } else if (*geom).takes_part() {
                engine_parts(geom, &mut |shape, bounds, pose| self.add(geom, shape, bounds, pose, world, islands));
            }
            geom = (*geom).next;
        }
    }

    unsafe fn add(
        &mut self,
        geom: GeomId,
        shape: Option<Shape>,
        bounds: Aabb,
        from: Pose,
        world: WorldId,
        islands: &Islands,
    ) {
        let body = (*geom).body.as_ref();
        if body.is_some_and(|body| body.world != world) {
            return;
        }
        // Disabled bodies are in no island and rest.
        let moves = |body: &&Body| {
            let is_here = islands.bodies.get(body.index as usize).is_some_and(|&id| std::ptr::eq(id, *body));
            body.flags & (flag::DISABLED | flag::HELD) == 0 && is_here
        };
        let way = match body.filter(moves) {
            Some(body) => self.way(body, geom, shape, bounds, from),
            None => {
                Way { geom, shape, bounds, course: Sweep::fixed(from).into(), mover: Mover::Nothing, may_stop: false }
            }
        };
        if way.course.from.is_finite() && way.course.to.is_finite() {
            self.ways.push(way);
        }
    }

    /// The way of a shape on a body of the step.
    fn way(&self, body: &Body, geom: GeomId, shape: Option<Shape>, bounds: Aabb, from: Pose) -> Way {
        let start = Pose::new(vector(&body.position), quaternion(&body.quaternion));
        let own = start.inverse().compose(&from);
        let (target, turn) = self.targets[body.index as usize];
        let sweep = Sweep { from, to: target.compose(&own), center: own.inverse_point(DVec3::ZERO) };
        let may_stop = body.flags & flag::SWEPT != 0;
        let is_dynamic = body.inverse_mass > 0.0;
        let course = if is_dynamic && may_stop { Course::new(sweep, turn) } else { Course::to_end(sweep, turn) };
        let mover = if is_dynamic { Mover::Forces(body.index) } else { Mover::Velocities };
        Way { geom, shape, bounds, course, mover, may_stop }
    }
}

struct Scene<'a>(&'a [Way]);

impl Moving for Scene<'_> {
    fn count(&self) -> u32 {
        self.0.len() as u32
    }

    fn course(&self, shape: u32) -> Option<(Course, Aabb)> {
        self.0.get(shape as usize).map(|way| (way.course, way.bounds))
    }

    fn mover(&self, shape: u32) -> Mover {
        self.0[shape as usize].mover
    }

    fn may_stop(&self, shape: u32) -> bool {
        self.0[shape as usize].may_stop
    }

    fn may_meet(&self, shape: u32, other: u32) -> bool {
        // SAFETY: the geoms are those of the spaces, which nothing changes meanwhile.
        unsafe { may_touch(self.0[shape as usize].geom, self.0[other as usize].geom) }
    }

    fn time_of_impact(&self, shape: u32, own: &Course, other: u32, its: &Course) -> Option<Impact> {
        let [a, b] = [shape, other].map(|i| &self.0[i as usize]);
        let shape = a.shape.as_ref()?;
        if let Some(other) = &b.shape {
            return time_of_impact(shape, own, other, its);
        }
        // SAFETY: as above.
        let (field, offset) = unsafe { field_under(b.geom, &own.bounds(&a.bounds), its)? };
        time_of_impact(shape, own, &field, &its.of_part(&offset))
    }
}

/// Where a body stops that was to move to a place, with the velocity that it has there.
pub(super) unsafe fn stop(body: &mut Body, step: &StepBody, stop: &Stop, to: (DVec3, DQuat), h: f64) -> (DVec3, DQuat) {
    let from = Pose::new(vector(&body.position), quaternion(&body.quaternion));
    let (linear, angular) = (vector(&body.linear_velocity), vector(&body.angular_velocity));
    let sweep = Sweep { from, to: Pose::new(to.0, to.1), center: DVec3::ZERO };
    let kept = stop.end(&Course::new(sweep, h * angular));
    // In the body's axes the angular velocity is the same, and so is its energy.
    body.angular_velocity = put(kept.rotation * (to.1.conjugate() * angular));
    if body.first_joint.is_null() {
        body.linear_velocity = put(step.start.linear + stop.fraction * (linear - step.start.linear));
    } else if body.flags & flag::NO_GRAVITY == 0 {
        // The work of gravity on the way that it does not go, for each kilogram.
        let fall = vector(&(*body.world).gravity).dot(to.0 - kept.position);
        let kinetic = 0.5 * linear.length_squared();
        if fall > 0.0 && kinetic > 0.0 {
            body.linear_velocity = put(linear * (1.0 - fall / kinetic).max(0.0).sqrt());
        }
    }
    (kept.position, kept.rotation)
}
