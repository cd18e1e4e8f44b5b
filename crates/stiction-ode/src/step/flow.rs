//! Islands of joints in the fast mode: the engine moves them as wholes, so that their joints stay closed and what drives nothing loses nothing. A world of the
//! engine has the bodies and joints of these islands, follows what the program changes, and steps with the world.

use std::collections::VecDeque;

use glam::DVec3;
use stiction::joints::{AS_GOOD_AS_RIGID, JointDefinition};
use stiction::math::Pose;
use stiction::shape::MassProperties;
use stiction::world::{
    BodyDefinition, BodyId as EngineBody, JointFeedback, JointId as EngineJoint, Preset, World as Engine,
    WorldParameters,
};

use super::islands::{Island, Islands};
use super::prepare::StepBody;
use super::rows::put_feedback;
use crate::joints::NULL;
use crate::objects::body::{Body, BodyId, flag};
use crate::objects::joint::{Joint, JointId, Kind};
use crate::objects::mechanism::Mechanism;
use crate::objects::world::World;
use crate::types::{dMass, dQuaternion, dVector3, matrix, put, put_quaternion, quaternion, vector};

/// What moves a body otherwise than the engine would.
const OTHERWISE: u32 = flag::HELD | flag::SWEPT | flag::FINITE_ROTATION | flag::MAX_ANGULAR_SPEED;
/// No body, in what is kept of a joint.
const NONE: usize = usize::MAX;

/// Pose and velocities as the program sees them.
type Seen = (dVector3, dQuaternion, [dVector3; 2]);

/// A body and its twin in the engine.
struct Twin {
    body: BodyId,
    own: EngineBody,
    mass: dMass,
    seen: Seen,
}

/// A joint and its twin.
struct JointTwin {
    joint: JointId,
    own: EngineJoint,
    known: Known,
}

/// What the engine knows of a joint, with the numbers of its bodies in the island.
#[derive(Clone)]
struct Known {
    mechanism: Mechanism,
    ends: [usize; 2],
    has_feedback: bool,
}

/// An island that the engine's world has.
#[derive(Default)]
struct IslandTwin {
    bodies: Vec<Twin>,
    joints: Vec<JointTwin>,
}

/// The engine's world, and the islands of a step that it moves.
#[derive(Default)]
pub(super) struct Flow {
    engine: Option<Engine>,
    /// Twins of the islands, in their order; in a search those of the last step that have not been found yet.
    twins: VecDeque<IslandTwin>,
    last: VecDeque<IslandTwin>,
    pub(super) islands: Islands,
    pub(super) bodies: Vec<StepBody>,
    is_taken: Vec<bool>,
    rest: Islands,
    joints: Vec<(JointId, Known)>,
}

impl Flow {
    /// No island moves so.
    pub(super) fn clear(&mut self) {
        self.islands.clear();
        self.bodies.clear();
    }

    /// Takes the islands that are joints alone, closed and of kinds that the engine moves as wholes, out of the others.
    pub(super) unsafe fn take(&mut self, world: &World, islands: &mut Islands) {
        self.clear();
        std::mem::swap(&mut self.twins, &mut self.last);
        self.is_taken.clear();
        let is_rigid = f64::from(world.cfm) <= AS_GOOD_AS_RIGID;
        for Island { bodies, joints } in &islands.islands {
            let (bodies, joints) = (&islands.bodies[bodies.clone()], &islands.joints[joints.clone()]);
            let is_taken =
                is_rigid && may_flow(bodies) && self.read_joints(bodies, joints) && self.find_twin(world, bodies);
            self.is_taken.push(is_taken);
        }
        // Islands that are not there any more, or are touched, go.
        if let Some(engine) = &mut self.engine {
            self.last.drain(..).for_each(|twin| twin.remove(engine));
            engine.parameters.erp = world.erp.into();
        }
        if !self.twins.is_empty() {
            self.part(islands);
        }
    }

    /// Parts the islands that are taken from the others.
    unsafe fn part(&mut self, islands: &mut Islands) {
        self.rest.clear();
        for (Island { bodies, joints }, is_taken) in islands.islands.iter().zip(&self.is_taken) {
            let to = if *is_taken { &mut self.islands } else { &mut self.rest };
            to.append(&islands.bodies[bodies.clone()], &islands.joints[joints.clone()]);
        }
        std::mem::swap(islands, &mut self.rest);
    }

    /// What the engine is to know of the joints of an island; false if one of them is rows.
    unsafe fn read_joints(&mut self, bodies: &[BodyId], joints: &[JointId]) -> bool {
        self.joints.clear();
        for &joint in joints {
            let own: &Joint = &*joint;
            let Kind::Other(kind) = &own.kind else { return false };
            if kind.number() == NULL {
                continue;
            }
            let Some(mechanism) = kind.mechanism(&own.sides()) else { return false };
            let ends = [0, 1].map(|side| {
                let body = own.nodes[side].body;
                // The search for islands has numbered all bodies of the step.
                body.as_ref().map_or(NONE, |body| (body.index - (*bodies[0]).index) as usize)
            });
            self.joints.push((joint, Known { mechanism, ends, has_feedback: !own.feedback.is_null() }));
        }
        !self.joints.is_empty()
    }

    /// The twin of an island, as the program has it now; false if its joints are yet to come together.
    unsafe fn find_twin(&mut self, world: &World, bodies: &[BodyId]) -> bool {
        // Islands mostly come in the order of the last step: the first is that.
        let begins = |twin: &IslandTwin| twin.bodies[0].body == bodies[0];
        let known = self.last.iter().position(begins).and_then(|number| self.last.remove(number));
        let engine = self.engine.get_or_insert_with(|| Engine::new(parameters(world)));
        let is_closed =
            || self.joints.iter().all(|(joint, known)| known.mechanism.is_closed(&unsafe { &**joint }.sides()));
        let mut twin = match known {
            Some(twin) if twin.is_of(bodies, &self.joints) => twin,
            other => {
                other.iter().for_each(|twin| twin.remove(engine));
                let added = if is_closed() { IslandTwin::add(engine, bodies, &self.joints) } else { None };
                let Some(twin) = added else { return false };
                twin
            }
        };
        if twin.follow(engine, &self.joints) && !is_closed() {
            twin.remove(engine);
            return false;
        }
        self.twins.push_back(twin);
        true
    }

    /// Moves the islands by a step; the forces are on their bodies.
    pub(super) unsafe fn run(&mut self, h: f64) {
        let Some(engine) = self.engine.as_mut().filter(|_| !self.bodies.is_empty()) else { return };
        for twin in self.twins.iter().flat_map(|island| &island.bodies) {
            if let Some(mut own) = engine.body_mut(twin.own) {
                own.add_force(vector(&(*twin.body).force));
                own.add_torque(vector(&(*twin.body).torque));
            }
        }
        engine.step(h);
        let mut bodies = self.bodies.iter_mut();
        for IslandTwin { bodies: twins, joints } in &mut self.twins {
            for (twin, step) in twins.iter_mut().zip(&mut bodies) {
                let Some(own) = engine.body(twin.own) else { continue };
                let pose = own.pose();
                (step.linear, step.angular) = (own.velocity(), own.omega());
                step.end = Some((pose.position, pose.rotation));
                let velocities = [put(step.linear), put(step.angular)];
                twin.seen = (put(pose.position), put_quaternion(pose.rotation), velocities);
            }
            for twin in joints.iter().filter(|twin| twin.known.has_feedback) {
                if let (Some(feedback), Some(own)) = ((*twin.joint).feedback.as_mut(), engine.joint(twin.own)) {
                    let JointFeedback { forces, torques } = own.feedback();
                    let sides = [0, 1].map(|side| [forces[side], torques[side]]);
                    put_feedback(feedback, sides, twin.known.ends[1] != NONE);
                }
            }
        }
    }
}

/// Only forces move the bodies, and they turn as free ones do.
unsafe fn may_flow(bodies: &[BodyId]) -> bool {
    bodies.iter().all(|&id| {
        let body: &Body = &*id;
        body.inverse_mass > 0.0 && body.flags & (OTHERWISE | flag::GYROSCOPIC) == flag::GYROSCOPIC
    })
}

/// Those of the engine's world. Gravity is among the forces of the bodies.
fn parameters(world: &World) -> WorldParameters {
    let mut parameters = WorldParameters::default();
    Preset::Stiction.apply(&mut parameters);
    parameters.gravity = DVec3::ZERO;
    parameters.sleeping = false;
    // Nobody reads the balance of the energy.
    parameters.audit = false;
    parameters.erp = world.erp.into();
    parameters
}

fn seen(body: &Body) -> Seen {
    (body.position, body.quaternion, [body.linear_velocity, body.angular_velocity])
}

fn pose(body: &Body) -> Pose {
    Pose::new(vector(&body.position), quaternion(&body.quaternion).normalize())
}

fn mass_of(mass: &dMass) -> MassProperties {
    MassProperties { mass: mass.mass.into(), center_of_mass: DVec3::ZERO, inertia: matrix(&mass.I) }
}

impl IslandTwin {
    /// The island is the same, with the same joints between the same bodies.
    unsafe fn is_of(&self, bodies: &[BodyId], joints: &[(JointId, Known)]) -> bool {
        let is_same_body = |(twin, id): (&Twin, &BodyId)| {
            let mass = &(**id).mass;
            twin.body == *id && twin.mass.mass == mass.mass && twin.mass.I == mass.I
        };
        let is_same_joint = |(twin, (joint, known)): (&JointTwin, &(JointId, Known))| {
            let own = &twin.known;
            twin.joint == *joint
                && own.ends == known.ends
                && own.has_feedback == known.has_feedback
                && own.mechanism.is_same(&known.mechanism)
        };
        self.bodies.len() == bodies.len()
            && self.joints.len() == joints.len()
            && self.bodies.iter().zip(bodies).all(is_same_body)
            && self.joints.iter().zip(joints).all(is_same_joint)
    }

    /// Puts an island into the engine's world; none where that refuses a body or a joint.
    unsafe fn add(engine: &mut Engine, bodies: &[BodyId], joints: &[(JointId, Known)]) -> Option<Self> {
        let mut own = Self::default();
        let is_added = own.fill(engine, bodies, joints).is_some();
        if !is_added {
            own.remove(engine);
        }
        is_added.then_some(own)
    }

    unsafe fn fill(&mut self, engine: &mut Engine, bodies: &[BodyId], joints: &[(JointId, Known)]) -> Option<()> {
        for &id in bodies {
            let body = &*id;
            let definition =
                BodyDefinition { mass: mass_of(&body.mass), pose: pose(body), ..BodyDefinition::default() };
            let own = engine.add_body(&definition).ok()?;
            self.bodies.push(Twin { body: id, own, mass: body.mass, seen: Seen::default() });
        }
        for (joint, known) in joints {
            let ends = known.ends.map(|end| self.bodies.get(end).map(|twin| twin.own));
            let mut definition = JointDefinition::new(known.mechanism.kind, ends[0], ends[1]);
            definition.parameters = known.mechanism.laws;
            definition.feedback = known.has_feedback;
            let own = engine.add_joint(definition).ok()?;
            self.joints.push(JointTwin { joint: *joint, own, known: known.clone() });
            if !engine.set_joint_frames(own, known.mechanism.frames) {
                return None;
            }
        }
        Some(())
    }

    fn remove(&self, engine: &mut Engine) {
        self.joints.iter().for_each(|twin| {
            engine.remove_joint(twin.own);
        });
        self.bodies.iter().for_each(|twin| {
            engine.remove_body(twin.own);
        });
    }

    /// Takes on what the program has changed; whether a body is elsewhere.
    unsafe fn follow(&mut self, engine: &mut Engine, joints: &[(JointId, Known)]) -> bool {
        let mut is_elsewhere = false;
        for twin in &mut self.bodies {
            let (body, now) = (&*twin.body, seen(&*twin.body));
            if now == twin.seen {
                continue;
            }
            let Some(mut own) = engine.body_mut(twin.own) else { continue };
            if (now.0, now.1) != (twin.seen.0, twin.seen.1) {
                is_elsewhere |= own.set_pose(&pose(body)).is_ok();
            }
            let [linear, angular] = now.2.map(|v| vector(&v));
            // All are finite by now.
            let _ = (own.set_velocity(linear), own.set_omega(angular));
            twin.seen = now;
        }
        for (twin, (_, known)) in self.joints.iter_mut().zip(joints) {
            for (axis, law) in known.mechanism.laws.iter().enumerate() {
                if *law != twin.known.mechanism.laws[axis]
                    && let Some(own) = engine.joint_parameters_mut(twin.own, axis)
                {
                    *own = *law;
                    twin.known.mechanism.laws[axis] = *law;
                }
            }
        }
        is_elsewhere
    }
}
