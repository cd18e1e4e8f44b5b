//! Contact as a force: pairs that may touch until the step is over, and their forces at any state.

use glam::DVec3;

use super::force::{ContactPower, ContactState};
use crate::base::Arena;
use crate::broadphase::{BroadPhase, Proxy};
use crate::collision::{ContactQuery, ManifoldPoint, behind, is_two_sided, share_of_ends};
use crate::contact::compliance::NormalForce;
use crate::dynamics::tree::ForceVector;
use crate::material::{ContactLaw, ManifoldRule};
use crate::math::Pose;
use crate::model::{Bodies, BodyId, BodyKind, ContactReport, Geom, State, WorldParameters};
use crate::pipeline::contact_rows::tangents;
use crate::pipeline::context::Model;
use crate::pipeline::forest::{Forest, Member};
use crate::pipeline::rules;
use crate::shape::Aabb;

/// Boxes are this much larger than the way a body can go in the step \[m\].
const SLACK: f64 = 1e-3;

/// Where a shape is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Link of a tree; `None` for what is prescribed.
    member: Option<Member>,
    /// Slot of the prescribed body, if one carries it.
    prescribed: Option<u32>,
    /// In the link, in the body, or in the world.
    pose: Pose,
}

/// Two shapes that may touch, and the law of their contact.
#[derive(Clone, Debug)]
struct Pair {
    geoms: [u32; 2],
    manifold: ManifoldRule,
    query: ContactQuery,
    law: ContactLaw,
    force: NormalForce,
    is_per_mass: bool,
    /// Its contacts are told and do not act.
    is_sensor: bool,
    ends_share: bool,
}

/// A contact point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pair: u32,
    point: ManifoldPoint,
    /// Force on the first body \[N\].
    force: DVec3,
    power: ContactPower,
}

/// A contact point over a step.
#[derive(Clone, Copy, Debug)]
struct Mean {
    geoms: [u32; 2],
    /// Where it was seen last.
    point: ManifoldPoint,
    /// Impulse on the first body over the length of the step \[N\].
    force: DVec3,
    is_sensor: bool,
}

/// Pairs and contacts; memory that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Touches {
    places: Vec<Place>,
    /// Poses of the shapes at the state that was last looked at.
    poses: Vec<Pose>,
    proxies: Vec<Proxy>,
    found: Vec<(u32, u32)>,
    pairs: Vec<Pair>,
    points: Vec<ManifoldPoint>,
    pub(super) list: Vec<Touch>,
    means: Vec<Mean>,
    /// Some evaluation of the step had contacts.
    is_touched: bool,
    /// Evaluations tell the powers of contacts, for the books.
    pub(super) tells_powers: bool,
}

/// Poses and velocities of prescribed bodies at a time.
pub(super) struct Prescribed<'a> {
    pub(super) state: &'a State,
    pub(super) bodies: &'a Bodies,
    /// Time since the start of the step \[s\].
    pub(super) elapsed: f64,
}

impl Prescribed<'_> {
    /// Pose of a prescribed body's frame.
    pub(super) fn pose(&self, slot: u32) -> Pose {
        let motion = &self.state.bodies[slot as usize].motion;
        let rotation =
            (crate::dynamics::rotation::exponential(self.elapsed * motion.omega) * motion.rotation).normalize();
        let center = self.bodies.at(slot as usize).map_or(DVec3::ZERO, |b| b.mass.center);
        Pose::new(motion.position + self.elapsed * motion.velocity - rotation * center, rotation)
    }

    /// Velocity of a prescribed body's point.
    fn velocity(&self, slot: u32, point: DVec3) -> DVec3 {
        let motion = &self.state.bodies[slot as usize].motion;
        motion.velocity + motion.omega.cross(point - motion.position - self.elapsed * motion.velocity)
    }
}

impl Touches {
    /// Finds the shapes that may come to touch in `duration`, at the present state of the trees.
    pub(super) fn find(
        &mut self,
        model: &Model,
        duration: f64,
        forest: &Forest,
        prescribed: &Prescribed,
        broadphase: &mut dyn BroadPhase,
    ) {
        let Model { parameters, bodies, geoms, .. } = *model;
        let state = prescribed.state;
        self.places.clear();
        self.proxies.clear();
        for slot in 0..geoms.slots() {
            let geom = geoms.at(slot).filter(|g| g.is_enabled);
            let body = geom.and_then(|g| g.body).map(|b| b.slot() as u32);
            let member = body.and_then(|b| forest.of_body[b as usize]);
            let place = Place {
                member,
                prescribed: body.filter(|_| member.is_none()),
                pose: geom.map_or(Pose::IDENTITY, |g| g.pose),
            };
            self.places.push(place);
            let nothing = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
            let Some(geom) = geom else {
                self.proxies.push(Proxy { aabb: nothing, category: 0, collide: 0, body: Proxy::STATIC });
                continue;
            };
            let pose = place.pose(forest, prescribed);
            // How far it can get: speed at its farthest point, and what gravity adds.
            let mut reach = SLACK;
            let tight = geom.shape.aabb(&pose);
            if let Some(body) = body {
                let motion = &state.bodies[body as usize].motion;
                let size = if tight.is_finite() { tight.size().length() } else { 0.0 };
                let speed = motion.velocity.length() + motion.omega.length() * (size + place.pose.position.length());
                reach += 1.5 * duration * speed + duration * duration * parameters.gravity.length();
            }
            self.proxies.push(Proxy {
                aabb: tight.expanded(reach),
                category: geom.category,
                collide: geom.collide,
                body: body.unwrap_or(Proxy::STATIC),
            });
        }
        broadphase.find_pairs(&self.proxies, &mut self.found);
        let rules = rules::of_world(model);
        self.pairs.clear();
        for (i, j) in &self.found {
            let (Some(a), Some(b)) = (geoms.at(*i as usize), geoms.at(*j as usize)) else { continue };
            let moves =
                |g: &Geom| g.body.is_some_and(|id| bodies.get(id).is_some_and(|body| body.kind == BodyKind::Dynamic));
            if !(moves(a) || moves(b)) {
                continue;
            }
            let Some(rule) = rules::of_pair(&rules, model, a, b) else { continue };
            let law = rule.law();
            let (force, is_per_mass) = rules.compliant.force(&law.surface.normal);
            // Force over depth begins at depth zero.
            // The springs of contact leave centres on their side.
            let behind = if is_two_sided(&a.shape) || is_two_sided(&b.shape) {
                let poses = [i, j].map(|slot| self.places[*slot as usize].pose(forest, prescribed));
                behind([&a.shape, &b.shape], poses.each_ref(), f64::INFINITY, |_, place| place)
            } else {
                [false; 2]
            };
            let query = ContactQuery { max_points: rule.max_points as usize, behind, ..ContactQuery::default() };
            let is_sensor = !rule.acts;
            self.pairs.push(Pair {
                geoms: [*i, *j],
                manifold: rule.manifold,
                query,
                law,
                force,
                is_per_mass,
                is_sensor,
                ends_share: rules::ends_share(rules.combination, rule.manifold),
            });
        }
    }

    /// The pairs of the step, and the boxes that they were found with, for those who look back on it. Both are found anew in
    /// the next step.
    pub(super) fn lend(&mut self, pairs: &mut Vec<(u32, u32)>, proxies: &mut Vec<Proxy>) {
        pairs.clear();
        pairs.extend(self.pairs.iter().map(|pair| (pair.geoms[0], pair.geoms[1])));
        std::mem::swap(proxies, &mut self.proxies);
    }

    /// Places the shapes. Every one is still inside the box that its pairs were found with.
    pub(super) fn is_current(&mut self, geoms: &Arena<Geom>, forest: &Forest, prescribed: &Prescribed) -> bool {
        let Self { places, poses, proxies, .. } = self;
        poses.clear();
        poses.extend(places.iter().map(|place| place.pose(forest, prescribed)));
        places.iter().zip(&*poses).zip(proxies).enumerate().all(|(slot, ((place, pose), proxy))| {
            let Some(geom) = geoms.at(slot).filter(|_| place.member.is_some()) else { return true };
            proxy.aabb.contains(&geom.shape.aabb(pose))
        })
    }

    /// Contacts at the present state of the trees, and their forces on the links.
    pub(super) fn push(
        &mut self,
        parameters: &WorldParameters,
        geoms: &Arena<Geom>,
        forest: &mut Forest,
        prescribed: &Prescribed,
    ) {
        self.list.clear();
        let tolerance = parameters.compliant.stiction_tolerance;
        for (index, pair) in self.pairs.iter().enumerate() {
            let [i, j] = pair.geoms.map(|g| g as usize);
            let (Some(a), Some(b)) = (geoms.at(i), geoms.at(j)) else { continue };
            let (first, second) = (&self.places[i], &self.places[j]);
            let poses = [&self.poses[i], &self.poses[j]];
            rules::points(pair.manifold, &pair.query, a, b, poses, &mut self.points);
            let Some(normal) = self.points.first().map(|point| point.normal) else { continue };
            if pair.is_sensor {
                // Told, without effect.
                let touch = |point: &ManifoldPoint| Touch {
                    pair: index as u32,
                    point: *point,
                    force: DVec3::ZERO,
                    power: ContactPower::default(),
                };
                self.list.extend(self.points.iter().filter(|p| p.depth > 0.0).map(touch));
                continue;
            }
            let rotation = |body: BodyId| {
                let slot = body.slot() as u32;
                let member = forest.of_body.get(body.slot()).copied().flatten();
                let prescribed_body = Some(slot).filter(|_| member.is_none());
                Place { member, prescribed: prescribed_body, pose: Pose::IDENTITY }.pose(forest, prescribed).rotation
            };
            let surface = pair.law.at(poses, self.points.len(), normal, rotation);
            let part = if pair.ends_share { share_of_ends([&a.shape, &b.shape], poses, normal) } else { 1.0 };
            let of_points = if part < 1.0 { pair.force.times(part) } else { pair.force };
            for point in self.points.iter().filter(|p| p.depth > 0.0) {
                let mut point = *point;
                point.position += point.normal * (surface.point_shift * point.depth);
                let velocity = first.velocity(forest, prescribed, point.position)
                    - second.velocity(forest, prescribed, point.position);
                let mut law = of_points;
                if pair.is_per_mass {
                    let inverse_mass = first.inverse_mass(forest, point.position, point.normal)
                        + second.inverse_mass(forest, point.position, point.normal);
                    law = law.times(1.0 / inverse_mass);
                }
                let (normal, depth) = (point.normal, point.depth);
                let tangents = tangents(&surface, normal).map(DVec3::from);
                let state = ContactState { surface: &surface, normal, tangents, depth, velocity };
                let force = state.force(law, tolerance);
                let power = if self.tells_powers {
                    let ends = [first, second].map(|place| place.prescribed_velocity(prescribed, point.position));
                    state.power(law, force, ends)
                } else {
                    ContactPower::default()
                };
                first.push(forest, point.position, force);
                second.push(forest, point.position, -force);
                self.list.push(Touch { pair: index as u32, point, force, power });
            }
        }
        self.is_touched |= !self.list.is_empty();
    }

    /// Slots of the shapes of each contact, and its power.
    pub(super) fn powers(&self) -> impl Iterator<Item = ([u32; 2], ContactPower)> {
        self.list.iter().map(|touch| (self.pairs[touch.pair as usize].geoms, touch.power))
    }

    /// Shapes may touch in this step.
    pub(super) fn has_pairs(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// Begins the means of a step.
    pub(super) fn clear_means(&mut self) {
        self.means.clear();
        self.is_touched = false;
    }

    /// Something was touched since then.
    pub(super) const fn is_touched(&self) -> bool {
        self.is_touched
    }

    /// Adds the forces of the last evaluation with a share of the step.
    pub(super) fn add_to_means(&mut self, share: f64) {
        let Self { list, pairs, means, .. } = self;
        let mut next = 0;
        for touch in list.iter() {
            let pair = &pairs[touch.pair as usize];
            // They come in the same order nearly always.
            let is_it = |mean: &Mean| mean.geoms == pair.geoms && mean.point.feature == touch.point.feature;
            let at = (next..means.len()).chain(0..next).find(|at| is_it(&means[*at])).unwrap_or_else(|| {
                let (geoms, is_sensor) = (pair.geoms, pair.is_sensor);
                means.push(Mean { geoms, point: touch.point, force: DVec3::ZERO, is_sensor });
                means.len() - 1
            });
            means[at].force += share * touch.force;
            means[at].point = touch.point;
            next = at + 1;
        }
    }

    /// Reports to the user: the contacts that there are on arrival and those that there were on the way, with their mean forces.
    pub(super) fn report(&mut self, geoms: &Arena<Geom>, reports: &mut Vec<ContactReport>) {
        let Self { list, pairs, means, .. } = self;
        // What has parted has no depth on arrival.
        for mean in means.iter_mut() {
            mean.point.depth = 0.0;
        }
        let mut next = 0;
        for touch in list.iter() {
            let pair = &pairs[touch.pair as usize];
            let is_it = |mean: &Mean| mean.geoms == pair.geoms && mean.point.feature == touch.point.feature;
            match (next..means.len()).chain(0..next).find(|at| is_it(&means[*at])) {
                Some(at) => {
                    means[at].point = touch.point;
                    next = at + 1;
                }
                None => means.push(Mean {
                    geoms: pair.geoms,
                    point: touch.point,
                    force: DVec3::ZERO,
                    is_sensor: pair.is_sensor,
                }),
            }
        }
        means.retain(|mean| mean.point.depth > 0.0 || mean.force != DVec3::ZERO);
        means.sort_unstable_by_key(|mean| (mean.geoms, mean.point.feature));
        reports.clear();
        reports.extend(means.iter().map(|mean| {
            let [i, j] = mean.geoms.map(|g| g as usize);
            ContactReport {
                geoms: geoms.handle_at(i).zip(geoms.handle_at(j)).map(|(a, b)| [a, b]),
                bodies: [i, j].map(|g| geoms.at(g).and_then(|g| g.body)),
                position: mean.point.position,
                normal: mean.point.normal,
                depth: mean.point.depth,
                force: mean.force,
                acts: !mean.is_sensor,
            }
        }));
    }

    /// Deepest penetration \[m\].
    pub(super) fn deepest(&self) -> f64 {
        let acting = self.list.iter().filter(|touch| !self.pairs[touch.pair as usize].is_sensor);
        acting.fold(0.0, |deepest, t| t.point.depth.max(deepest))
    }
}

impl Place {
    /// It is the world.
    pub(super) fn is_environment(&self) -> bool {
        self.member.is_none() && self.prescribed.is_none()
    }

    /// The frame of a body; of the world without one.
    pub(super) fn of_body(slot: Option<u32>, forest: &Forest) -> Self {
        let member = slot.and_then(|slot| forest.of_body[slot as usize]);
        Self { member, prescribed: slot.filter(|_| member.is_none()), pose: Pose::IDENTITY }
    }

    pub(super) fn pose(&self, forest: &Forest, prescribed: &Prescribed) -> Pose {
        match (self.member, self.prescribed) {
            (Some(m), _) => {
                let link = &forest.trees[m.tree as usize].kin.poses()[m.link as usize];
                if self.pose == Pose::IDENTITY { *link } else { link.compose(&self.pose) }
            }
            (None, Some(slot)) => prescribed.pose(slot).compose(&self.pose),
            (None, None) => self.pose,
        }
    }

    pub(super) fn velocity(&self, forest: &Forest, prescribed: &Prescribed, point: DVec3) -> DVec3 {
        match (self.member, self.prescribed) {
            (Some(m), _) => {
                let kin = &forest.trees[m.tree as usize].kin;
                kin.twists()[m.link as usize].point(point - kin.origin())
            }
            (None, Some(slot)) => prescribed.velocity(slot, point),
            (None, None) => DVec3::ZERO,
        }
    }

    pub(super) fn omega(&self, forest: &Forest, prescribed: &Prescribed) -> DVec3 {
        match (self.member, self.prescribed) {
            (Some(m), _) => forest.trees[m.tree as usize].kin.twists()[m.link as usize].angular(),
            (None, Some(slot)) => prescribed.state.bodies[slot as usize].motion.omega,
            (None, None) => DVec3::ZERO,
        }
    }

    /// Velocity of a point of what moves by itself; zero for links and the world.
    pub(super) fn prescribed_velocity(&self, prescribed: &Prescribed, point: DVec3) -> DVec3 {
        self.prescribed.map_or(DVec3::ZERO, |slot| prescribed.velocity(slot, point))
    }

    pub(super) fn push(&self, forest: &mut Forest, point: DVec3, force: DVec3) {
        if let Some(m) = self.member {
            let tree = &mut forest.trees[m.tree as usize];
            tree.wrenches[m.link as usize] += ForceVector::at(point - tree.kin.origin(), DVec3::ZERO, force);
        }
    }

    /// `n M⁻¹ n` of the link at a point.
    pub(super) fn inverse_mass(&self, forest: &Forest, position: DVec3, normal: DVec3) -> f64 {
        let Some(m) = self.member else { return 0.0 };
        let tree = &forest.trees[m.tree as usize];
        if let Some(lone) = tree.tree.lone() {
            return lone.inverse_mass_at(&tree.kin, position, normal);
        }
        let wrench = ForceVector::at(position - tree.kin.origin(), DVec3::ZERO, normal);
        let mut sum = 0.0;
        tree.tree.whiten_wrench(&tree.factor, m.link as usize, wrench, |_, y| sum += y * y);
        sum
    }
}
