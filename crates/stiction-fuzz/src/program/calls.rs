//! The calls of a program.

use stiction::joints::JointDefinition;
use stiction::material::{ContactSurface, FrictionModel, Surface};
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{
    AutoDisable, BodyDefinition, BodyId, BodyKind, ContactDefinition, Coordinates, Damping, FreeMotionRule,
    GeomDefinition, HybridRule, Mimic, SolverKind, TimeAdvancement, WorldParameters,
};

use super::{MOST_BODIES, MOST_TRIALS, Program};

impl Program {
    /// Some ground and bodies, so that there is something to call about.
    pub(super) fn begin(&mut self) {
        if let Ok(plane) = Shape::plane(DVec3::Z, -1.0) {
            self.put(plane, None);
        }
        for _ in 0..3 {
            self.add_body();
            self.add_geom();
            self.add_joint();
        }
    }

    /// A body that there is or was, or none.
    fn body(&mut self) -> Option<BodyId> {
        let draw = &mut self.numbers.draw;
        (!self.model.bodies.is_empty() && draw.chance(0.8)).then(|| draw.pick(&self.model.bodies).0)
    }

    /// One call; returns its name.
    pub(super) fn call(&mut self) -> &'static str {
        match self.numbers.draw.index(0, 40) {
            0 | 1 => self.add_body(),
            2..=4 => self.add_geom(),
            5..=8 => self.add_joint(),
            9 => self.add_contact(),
            10 => self.add_mimic(),
            11 => self.remove_body(),
            12 => self.remove_geom(),
            13 => self.remove_joint(),
            14 => self.remove_contact(),
            15..=19 => self.edit_body(),
            20..=22 => self.edit_joint(),
            23 | 24 => self.edit_geom(),
            25 | 26 => self.edit_world(),
            27 => self.snapshot(),
            28 => self.restore(),
            29 | 30 => self.repeat(),
            31 => self.ask(),
            32 => {
                let step = self.numbers.size(1e-6, 1.0);
                self.steps(1, if self.is_continuous() { step.min(0.01) } else { step });
                "odd step"
            }
            _ => {
                let count = self.numbers.draw.index(1, 12);
                let step: f64 = *self.numbers.draw.pick(&[1e-4, 1e-3, 4e-3, 1.0 / 60.0]);
                if self.is_continuous() {
                    self.steps(1, step.min(1e-3))
                } else {
                    self.steps(count, step)
                }
                "steps"
            }
        }
    }

    fn is_continuous(&self) -> bool {
        self.world.parameters.time == TimeAdvancement::Continuous
    }

    fn add_body(&mut self) -> &'static str {
        if self.model.bodies.iter().filter(|b| b.1).count() >= MOST_BODIES {
            return "no body";
        }
        let n = &mut self.numbers;
        let definition = BodyDefinition {
            kind: *n.draw.pick(&[BodyKind::Dynamic, BodyKind::Dynamic, BodyKind::Dynamic, BodyKind::Kinematic]),
            pose: n.pose(),
            velocity: n.vector(2.0),
            omega: n.vector(2.0),
            mass: n.mass(),
            ..BodyDefinition::default()
        };
        let d = &definition;
        let is_finite = d.pose.is_finite() && d.velocity.is_finite() && d.omega.is_finite();
        let is_mass = d.mass.mass > 0.0 && d.mass.mass.is_finite() && d.mass.center_of_mass.is_finite();
        let should_be =
            if is_finite && is_mass && !n.is_hostile { Some(true) } else { (!(is_finite && is_mass)).then_some(false) };
        let added = self.both(|world| world.add_body(&definition));
        self.expect("add_body", added.is_ok(), should_be);
        if let Ok(id) = added {
            self.model.bodies.push((id, true));
        }
        "add_body"
    }

    fn put(&mut self, shape: Shape, body: Option<BodyId>) {
        let n = &mut self.numbers;
        let pose = if n.draw.chance(0.7) { Pose::IDENTITY } else { Pose::new(n.vector(0.2), n.rotation()) };
        let mut definition = GeomDefinition { pose, ..GeomDefinition::new(shape, body) };
        definition.surface.friction = [n.number(0.0, 1.0); 2];
        let should_be = body.is_none_or(|b| self.model.is_alive(b)) && pose.is_finite();
        let added = self.both(|world| world.add_geom(&definition));
        self.expect("add_geom", added.is_ok(), Some(should_be));
        if let Ok(id) = added {
            self.model.geoms.push((id, body, true));
        }
    }

    fn add_geom(&mut self) -> &'static str {
        let body = self.body();
        if self.model.geoms.iter().filter(|g| g.2).count() > 2 * MOST_BODIES {
            return "no shape";
        }
        let n = &mut self.numbers;
        let size = |n: &mut super::Numbers| n.size(0.03, 0.5);
        let shape = match n.draw.index(0, 9) {
            0 => Shape::sphere(size(n)),
            1 => Shape::capsule(size(n), size(n)),
            2 => Shape::cylinder(size(n), size(n)),
            3 => Shape::cone(size(n), size(n)),
            4 => Shape::ellipsoid(DVec3::new(size(n), size(n), size(n))),
            5 => {
                let points: Vec<_> = (0..8).map(|_| n.vector(0.4)).collect();
                Shape::convex_hull(&points)
            }
            6 => {
                let points: Vec<_> = (0..4).map(|_| n.vector(0.4)).collect();
                Shape::triangle_mesh(&points, &[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
            }
            7 => Shape::plane(n.vector(1.0), n.number(-1.0, 0.0)),
            _ => Shape::cuboid(DVec3::new(size(n), size(n), size(n))),
        };
        if let Ok(shape) = shape {
            self.put(shape, body);
        }
        "add_geom"
    }

    fn add_joint(&mut self) -> &'static str {
        let bodies = [self.body(), self.body()];
        if self.model.joints.iter().filter(|j| j.2).count() > 2 * MOST_BODIES {
            return "no joint";
        }
        let reference = if self.numbers.draw.chance(0.3) { self.body() } else { None };
        let n = &mut self.numbers;
        let mut joint = JointDefinition::new(n.kind(), bodies[0], bodies[1]).at(n.vector(1.0));
        joint.reference = reference;
        if n.draw.chance(0.4) {
            joint.second_anchor = Some(n.vector(1.0));
        }
        for k in 0..3 {
            joint.axes[k] = n.vector(1.0);
            joint.parameters[k] = n.law();
        }
        if n.draw.chance(0.1) {
            (joint.erp, joint.cfm) = (Some(n.number(0.0, 1.0)), Some(n.size(1e-10, 1e-2)));
        }
        joint.feedback = n.draw.chance(0.3);
        let ends: Vec<_> = bodies.into_iter().chain([reference]).flatten().collect();
        let is_possible = ends.iter().all(|b| self.model.is_alive(*b)) && bodies[0] != bodies[1];
        if !self.model.joints.is_empty() && self.numbers.draw.chance(0.2) {
            let index = self.numbers.draw.index(0, self.model.joints.len());
            let (id, _, was) = self.model.joints[index].clone();
            let replaced = self.both(|world| world.replace_joint(id, joint.clone()));
            let is_known = if was { (!is_possible).then_some(false) } else { Some(false) };
            self.expect("replace_joint", replaced == Ok(true), is_known);
            if replaced == Ok(true) {
                self.model.joints[index].1 = ends;
                // The frames that it has are good.
                let frames = self.both(|world| world.joint(id).map(|joint| *joint.frames()));
                let is_set = self.both(|world| frames.is_some_and(|frames| world.set_joint_frames(id, frames)));
                self.expect("set_joint_frames", is_set, (!self.numbers.is_hostile).then_some(true));
            }
            return "replace_joint";
        }
        let added = self.both(|world| world.add_joint(joint.clone()));
        self.expect("add_joint", added.is_ok(), (!is_possible).then_some(false));
        if let Ok(id) = added {
            self.model.joints.push((id, ends, true));
        }
        "add_joint"
    }

    fn add_contact(&mut self) -> &'static str {
        let bodies = [self.body(), self.body()];
        let n = &mut self.numbers;
        let contact = ContactDefinition {
            bodies,
            position: n.vector(1.0),
            normal: n.vector(1.0),
            depth: n.number(-0.01, 0.02),
            surface: ContactSurface::with_friction(n.number(0.0, 1.0)),
        };
        let is_possible = bodies.iter().flatten().all(|b| self.model.is_alive(*b)) && bodies != [None, None];
        let added = self.both(|world| world.add_contact(contact.clone()));
        self.expect("add_contact", added.is_some(), (!is_possible).then_some(false));
        if let Some(id) = added {
            self.model.contacts.push((id, true));
        }
        "add_contact"
    }

    fn add_mimic(&mut self) -> &'static str {
        if self.model.joints.is_empty() {
            return "no mimic";
        }
        let n = &mut self.numbers;
        let pick = |n: &mut super::Numbers, joints: &[(_, _, _)]| joints[n.draw.index(0, joints.len())].0;
        let (follower, leader) = (pick(n, &self.model.joints), pick(n, &self.model.joints));
        let mimic = Mimic {
            follower: (follower, n.draw.index(0, 3)),
            leader: (leader, n.draw.index(0, 3)),
            multiplier: n.number(-2.0, 2.0),
            offset: n.number(-0.1, 0.1),
            reference: n.number(-0.1, 0.1),
        };
        let alive = |id| self.model.joints.iter().any(|j| j.0 == id && j.2);
        let numbers = [mimic.multiplier, mimic.offset, mimic.reference];
        let is_possible =
            alive(follower) && alive(leader) && mimic.follower != mimic.leader && numbers.iter().all(|x| x.is_finite());
        if self.world.mimics().len() < 6 {
            let added = self.both(|world| world.add_mimic(mimic));
            self.expect("add_mimic", added.is_ok(), (!is_possible).then_some(false));
        }
        "add_mimic"
    }

    fn remove_body(&mut self) -> &'static str {
        if let Some(id) = self.body() {
            let was = self.model.remove_body(id);
            let removed = self.both(|world| world.remove_body(id));
            self.expect("remove_body", removed, Some(was));
        }
        "remove_body"
    }

    fn remove_geom(&mut self) -> &'static str {
        if !self.model.geoms.is_empty() {
            let index = self.numbers.draw.index(0, self.model.geoms.len());
            let (id, _, was) = self.model.geoms[index];
            self.model.geoms[index].2 = false;
            let removed = self.both(|world| world.remove_geom(id));
            self.expect("remove_geom", removed, Some(was));
        }
        "remove_geom"
    }

    fn remove_joint(&mut self) -> &'static str {
        if !self.model.joints.is_empty() {
            let index = self.numbers.draw.index(0, self.model.joints.len());
            let (id, _, was) = self.model.joints[index].clone();
            if self.numbers.draw.chance(0.2) {
                self.both(|world| world.detach_joint(id));
                self.model.joints[index].1.clear();
                return "detach_joint";
            }
            self.model.joints[index].2 = false;
            let removed = self.both(|world| world.remove_joint(id));
            self.expect("remove_joint", removed, Some(was));
        }
        "remove_joint"
    }

    fn remove_contact(&mut self) -> &'static str {
        if self.numbers.draw.chance(0.3) {
            self.both(|world| world.clear_contacts());
            self.model.contacts.iter_mut().for_each(|c| c.1 = false);
        } else if !self.model.contacts.is_empty() {
            let index = self.numbers.draw.index(0, self.model.contacts.len());
            let (id, was) = self.model.contacts[index];
            self.model.contacts[index].1 = false;
            let removed = self.both(|world| world.remove_contact(id));
            self.expect("remove_contact", removed, Some(was));
        }
        "remove_contact"
    }

    fn edit_body(&mut self) -> &'static str {
        let Some(id) = self.body() else { return "no body" };
        let alive = self.model.is_alive(id);
        let n = &mut self.numbers;
        let (what, v, x) = (n.draw.index(0, 14), n.vector(2.0), n.number(0.0, 1.0));
        let (pose, mass, flag) = (n.pose(), n.mass(), n.draw.chance(0.5));
        let answer = self.both(|world| {
            let mut body = world.body_mut(id)?;
            let accepted = match what {
                0 | 1 => body.set_pose(&pose).is_ok(),
                2 | 3 => body.set_velocity(v).is_ok(),
                4 | 5 => body.set_omega(v).is_ok(),
                6 => body.set_mass(&mass).is_ok(),
                7 => {
                    if flag {
                        body.enable()
                    } else {
                        body.disable()
                    }
                    true
                }
                8 => {
                    body.set_kind(if flag { BodyKind::Dynamic } else { BodyKind::Kinematic });
                    true
                }
                9 => {
                    body.set_gravity(flag);
                    true
                }
                10 => {
                    body.add_force_at(10.0 * v, pose.position);
                    true
                }
                11 => {
                    body.set_torque(v);
                    true
                }
                12 => {
                    body.set_damping(Damping { linear: x, angular: x, ..Damping::default() });
                    body.set_max_angular_speed(if flag { f64::INFINITY } else { 10.0 * x });
                    true
                }
                _ => {
                    body.set_auto_disable(AutoDisable { enabled: flag, ..AutoDisable::default() });
                    true
                }
            };
            Some(accepted)
        });
        if answer.is_some() != alive {
            self.fail("answer", &format!("body_mut of a body alive {alive}"));
        }
        let should_be = match what {
            0 | 1 if !pose.is_finite() => Some(false),
            2..=5 => Some(v.is_finite()),
            _ => None,
        };
        if let Some(accepted) = answer {
            self.expect("edit of a body", accepted, should_be);
        }
        "edit_body"
    }

    fn edit_joint(&mut self) -> &'static str {
        if self.model.joints.is_empty() {
            return "no joint";
        }
        let index = self.numbers.draw.index(0, self.model.joints.len());
        let (id, _, alive) = self.model.joints[index].clone();
        let n = &mut self.numbers;
        let (what, axis, law) = (n.draw.index(0, 5), n.draw.index(0, 3), n.law());
        let (force, positions) = (n.number(-10.0, 10.0), n.vector(1.0).to_array());
        let pitch = n.number(-0.5, 0.5);
        let found = self.both(|world| match what {
            0 | 1 => world.joint_parameters_mut(id, axis).map(|own| *own = law).is_some(),
            2 => world.add_joint_force(id, axis, force),
            3 => world.set_joint_position_reference(id, positions),
            _ => world
                .joint_kind_mut(id)
                .map(|kind| {
                    use stiction::joints::JointKind::{Gearbox, Screw};
                    match kind {
                        Screw { pitch: own } | Gearbox { ratio: own } => *own = pitch,
                        _ => {}
                    }
                })
                .is_some(),
        });
        let should_be = alive && (what != 2 || force.is_finite());
        // Positions that are no numbers may be refused.
        let is_sure = what != 3 || positions.iter().all(|x| x.is_finite());
        self.expect("edit of a joint", found, is_sure.then_some(should_be));
        "edit_joint"
    }

    fn edit_geom(&mut self) -> &'static str {
        if self.model.geoms.is_empty() {
            return "no shape";
        }
        let index = self.numbers.draw.index(0, self.model.geoms.len());
        let (id, _, alive) = self.model.geoms[index];
        let body = self.body();
        let n = &mut self.numbers;
        let (what, pose, flag) = (n.draw.index(0, 5), Pose::new(n.vector(0.3), n.rotation()), n.draw.chance(0.7));
        let surface = Surface {
            friction: [n.number(0.0, 2.0), n.number(0.0, 2.0)],
            slip: [n.number(0.0, 1e-3); 2],
            max_contacts: n.draw.chance(0.2).then(|| n.draw.index(0, 20) as u32),
            min_depth: n.draw.chance(0.2).then(|| n.number(0.0, 1e-3)),
            max_correcting_velocity: n.draw.chance(0.2).then(|| n.number(0.0, 1.0)),
            is_sensor: n.draw.chance(0.1),
            ..Surface::default()
        };
        let (is_body, gives_body) = (body.is_none_or(|b| self.model.is_alive(b)), what == 4);
        let accepted = self.both(|world| match what {
            0 | 1 => world.geom_surface_mut(id).map(|own| *own = surface).is_some(),
            2 => world.set_geom_enabled(id, flag),
            3 => world.set_geom_pose(id, &pose).is_ok(),
            _ => world.set_geom_body(id, body).is_ok(),
        });
        let should_be = alive && (what != 3 || pose.is_finite()) && (!gives_body || is_body);
        self.expect("edit of a shape", accepted, Some(should_be));
        if gives_body && accepted {
            self.model.geoms[index].1 = body;
        }
        "edit_geom"
    }

    fn edit_world(&mut self) -> &'static str {
        let mut changed: WorldParameters = self.world.parameters.clone();
        let n = &mut self.numbers;
        let flag = n.draw.chance(0.5);
        match n.draw.index(0, 16) {
            0 => changed.gravity = n.vector(10.0),
            1 => (changed.erp, changed.cfm) = (n.number(0.0, 1.0), n.size(1e-10, 1e-3)),
            2 => changed.contact_max_correcting_velocity = n.size(1e-2, 100.0),
            3 => changed.contact_surface_layer = n.number(0.0, 1e-3),
            4 => changed.max_contacts = n.draw.index(0, 20) as u32,
            5 => changed.coordinates = if flag { Coordinates::Reduced } else { Coordinates::Maximal },
            6 if changed.combination == stiction::material::Combination::Hard => {
                changed.solver = if flag { SolverKind::Direct } else { SolverKind::Iterative };
            }
            7 => changed.hybrid = *n.draw.pick(&[HybridRule::Off, HybridRule::Unsolved, HybridRule::On]),
            8 => (changed.iterations, changed.sor) = (n.draw.index(0, 60) as u32, n.number(0.5, 1.9)),
            9 => (changed.warm_start, changed.accelerated) = (flag, n.draw.chance(0.3)),
            10 => changed.friction_model = if flag { FrictionModel::Cone } else { FrictionModel::Pyramid },
            11 if n.is_hostile => {
                let rules = [FreeMotionRule::SemiImplicit, FreeMotionRule::SecondOrder, FreeMotionRule::LinkOrigin];
                changed.free_motion = *n.draw.pick(&rules);
            }
            12 => changed.sleeping = flag,
            13 if changed.combination == stiction::material::Combination::Compliant => {
                changed.time = if flag { TimeAdvancement::Continuous } else { TimeAdvancement::Discrete };
                changed.integrator.max_trials = MOST_TRIALS;
                changed.solver = if flag { SolverKind::Tamsi } else { SolverKind::Convex };
            }
            14 => changed.compliant.penetration_allowance = n.size(1e-5, 1e-2),
            _ => changed.contact_margin = n.size(1e-5, 1e-2),
        }
        // Users check what they set.
        if changed.validate().is_ok() {
            self.both(|world| world.parameters = changed.clone());
        }
        "edit_world"
    }

    fn snapshot(&mut self) -> &'static str {
        if self.snapshots.len() == 4 {
            self.snapshots.remove(0);
        }
        self.snapshots.push(self.world.snapshot());
        "snapshot"
    }

    fn restore(&mut self) -> &'static str {
        if !self.snapshots.is_empty() {
            let snapshot = self.numbers.draw.pick(&self.snapshots).clone();
            self.both(|world| world.restore(&snapshot));
        }
        "restore"
    }

    /// Steps, goes back, and makes the same steps again.
    fn repeat(&mut self) -> &'static str {
        let step = *self.numbers.draw.pick(&[1e-3, 4e-3]);
        let count = if self.is_continuous() { 1 } else { self.numbers.draw.index(1, 8) };
        let snapshot = self.both(|world| world.snapshot());
        self.steps(count, step);
        let first = self.world.state_hash();
        self.both(|world| world.restore(&snapshot));
        self.steps(count, step);
        if self.world.state_hash() != first {
            self.fail("snapshot", &format!("other bits after {count} steps of {step:e}"));
        }
        "repeat"
    }

    /// Questions, which change nothing.
    fn ask(&mut self) -> &'static str {
        let (a, b) = (self.body(), self.body());
        let before = self.world.state_hash();
        self.both(|world| {
            let connected = a.zip(b).is_some_and(|(a, b)| world.are_connected(a, b));
            let model = a.is_some_and(|a| world.articulated_model(a).is_some());
            let joints: Vec<_> = world.joint_ids().filter_map(|id| world.joint(id).map(|j| j.gap() > 0.0)).collect();
            (connected, model, joints, world.contact_reports().len(), world.mimics().len())
        });
        if self.world.state_hash() != before {
            self.fail("answer", "a question changed the state");
        }
        "ask"
    }
}
