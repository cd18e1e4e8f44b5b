//! Bodies: the guide's chapter 6.

use glam::{DMat3, DQuat, DVec3};
use thiserror::Error;

use super::{AutoDisable, Body, BodyId, BodyKind, BodyState, Damping, JointId, World};
use crate::dynamics::rigid::BodyMass;
use crate::dynamics::rotation::FiniteRotation;
use crate::math::Pose;
use crate::pipeline::KnownJoints;
use crate::shape::{MassError, MassProperties};

/// Description of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyDefinition {
    /// What moves it.
    pub kind: BodyKind,
    /// Pose of the body frame in the world.
    pub pose: Pose,
    /// Velocity of the centre of mass \[m/s\].
    pub velocity: DVec3,
    /// Angular velocity, world axes \[rad/s\].
    pub omega: DVec3,
    /// Mass, centre of mass and inertia in the body frame.
    pub mass: MassProperties,
    /// Gravity acts on it.
    pub gravity: bool,
    /// Rate at which it takes on the velocity of the wind, `F = m k (w − v)` \[1/s\]; 0 is none.
    pub wind_rate: f64,
    /// Finite rotation mode.
    pub finite_rotation: FiniteRotation,
    /// Automatic sleeping; `None` is the world's.
    pub auto_disable: Option<AutoDisable>,
    /// Damping; `None` is the world's.
    pub damping: Option<Damping>,
    /// Bound on the angular speed \[rad/s\]; ∞ is none.
    pub max_angular_speed: f64,
    /// It is stopped where it first touches something on its way, under [`SweptRule::Asked`](super::SweptRule) too.
    pub swept: bool,
    /// Anything the user wants to find again.
    pub user_data: u64,
}

impl Default for BodyDefinition {
    /// The guide's new body: 1 kg, unit inertia, at rest at the origin.
    fn default() -> Self {
        Self {
            kind: BodyKind::Dynamic,
            pose: Pose::IDENTITY,
            velocity: DVec3::ZERO,
            omega: DVec3::ZERO,
            mass: MassProperties { mass: 1.0, center_of_mass: DVec3::ZERO, inertia: DMat3::IDENTITY },
            gravity: true,
            wind_rate: 0.0,
            finite_rotation: FiniteRotation::Off,
            auto_disable: None,
            damping: None,
            max_angular_speed: f64::INFINITY,
            swept: false,
            user_data: 0,
        }
    }
}

/// Why a body, or a change of it, is refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BodyError {
    /// The handle is stale.
    #[error("the body does not exist (any more)")]
    Stale,
    /// A number is not finite.
    #[error("{what} is not finite")]
    NotFinite {
        /// Which quantity.
        what: &'static str,
    },
    /// A quaternion or axis has no length.
    #[error("{what} has no length")]
    NoLength {
        /// Which quantity.
        what: &'static str,
    },
    /// A number is less than 0.
    #[error("{what} is {found}, less than 0")]
    Negative {
        /// Which quantity.
        what: &'static str,
        /// What was found.
        found: f64,
    },
    /// The mass properties are not those of a body.
    #[error(transparent)]
    Mass(#[from] MassError),
}

fn principal(mass: &MassProperties) -> Result<BodyMass, MassError> {
    mass.validate_definite()?;
    let (moments, axes) = mass.principal();
    Ok(BodyMass { mass: mass.mass, center: mass.center_of_mass, moments, axes })
}

fn finite(what: &'static str, v: DVec3) -> Result<DVec3, BodyError> {
    if v.is_finite() { Ok(v) } else { Err(BodyError::NotFinite { what }) }
}

fn wind_rate(found: f64) -> Result<f64, BodyError> {
    let what = "wind rate";
    match found {
        _ if !found.is_finite() => Err(BodyError::NotFinite { what }),
        _ if found < 0.0 => Err(BodyError::Negative { what, found }),
        _ => Ok(found),
    }
}

fn unit(q: DQuat) -> Result<DQuat, BodyError> {
    if !q.is_finite() {
        return Err(BodyError::NotFinite { what: "rotation" });
    }
    // The square of a component may be more than a number holds, or less.
    let largest = q.to_array().into_iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    if largest == 0.0 {
        return Err(BodyError::NoLength { what: "rotation" });
    }
    let q = if (1e-100..1e100).contains(&largest) { q } else { DQuat::from_array(q.to_array().map(|x| x / largest)) };
    Ok(q / q.length())
}

impl World {
    /// Adds a body.
    ///
    /// # Errors
    /// Numbers that are not finite, a rotation without length, mass properties that are not physically possible.
    pub fn add_body(&mut self, definition: &BodyDefinition) -> Result<BodyId, BodyError> {
        let mass: BodyMass = principal(&definition.mass)?;
        let rotation = unit(definition.pose.rotation)?;
        let mut state = BodyState::at_rest();
        state.motion.rotation = rotation;
        state.motion.position = finite("position", definition.pose.position)? + rotation * mass.center;
        state.motion.velocity = finite("velocity", definition.velocity)?;
        state.motion.omega = finite("angular velocity", definition.omega)?;
        let wind_rate = wind_rate(definition.wind_rate)?;
        let auto_disable = definition.auto_disable.unwrap_or(self.parameters.auto_disable);
        state.idle_steps_left = auto_disable.steps;
        state.idle_time_left = auto_disable.time;
        self.topology += 1;
        let id = self.bodies.insert(Body {
            changes: 0,
            kind: definition.kind,
            mass,
            gravity: definition.gravity,
            wind_rate,
            finite_rotation: definition.finite_rotation,
            auto_disable,
            damping: definition.damping.unwrap_or(self.parameters.damping),
            max_angular_speed: definition.max_angular_speed,
            is_swept: definition.swept,
            added_inertia: None,
            is_node: false,
            user_data: definition.user_data,
            joints: Vec::new(),
        });
        if id.slot() == self.state.bodies.len() {
            self.state.bodies.push(state);
        } else {
            self.state.bodies[id.slot()] = state;
        }
        Ok(id)
    }

    /// Removes a body with its shapes, its joints and the wires that it holds, and wakes what touched it or hung on it. Returns whether it was there.
    ///
    /// ODE's `dBodyDestroy` leaves joints in limbo, to be attached again; a joint of this world keeps its bodies for life, so
    /// that one of a removed body could never act again. Contacts of the user stay until they are removed, without effect.
    pub fn remove_body(&mut self, id: BodyId) -> bool {
        let Some(body) = self.bodies.get(id) else { return false };
        for joint in body.joints.clone() {
            self.remove_joint(joint);
        }
        let holds =
            |wire: &super::Wire| wire.anchors.iter().any(|anchor| anchor.body == Some(id)) || wire.pool.contains(&id);
        let wires: Vec<_> = self.wires.iter().filter(|(_, wire)| holds(wire)).map(|(wire, _)| wire).collect();
        for wire in wires {
            self.remove_wire(wire);
        }
        let shapes: Vec<_> = self.geoms.iter().filter(|(_, g)| g.body == Some(id)).map(|(g, _)| g).collect();
        for geom in shapes {
            self.remove_geom(geom);
        }
        let contacts = self.contacts.iter().map(|(_, c)| c.definition.bodies);
        let others: Vec<BodyId> =
            contacts.filter(|bodies| bodies.contains(&Some(id))).flatten().flatten().filter(|b| *b != id).collect();
        others.into_iter().for_each(|body| self.wake(body));
        self.topology += 1;
        self.bodies.remove(id).is_some()
    }

    /// A body, to read.
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<BodyRef<'_>> {
        let body = self.bodies.get(id)?;
        Some(BodyRef { body, state: &self.state.bodies[id.slot()] })
    }

    /// A body, to change.
    pub fn body_mut(&mut self, id: BodyId) -> Option<BodyMut<'_>> {
        let body = self.bodies.get_mut(id)?;
        Some(BodyMut {
            id,
            body,
            state: &mut self.state.bodies[id.slot()],
            moved: &mut self.state.moved,
            revision: &mut self.revision,
            joints: &mut self.work.known_joints,
        })
    }

    /// All bodies in the order of creation.
    pub fn body_ids(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.bodies.iter().map(|(id, _)| id)
    }

    /// A joint connects the two bodies (the guide's `dAreConnected`).
    #[must_use]
    pub fn are_connected(&self, a: BodyId, b: BodyId) -> bool {
        self.bodies.get(a).is_some_and(|body| {
            body.joints.iter().any(|j| self.joints.get(*j).is_some_and(|j| j.definition.bodies.contains(&Some(b))))
        }) && a != b
    }
}

/// A body, to read.
#[derive(Clone, Copy)]
pub struct BodyRef<'a> {
    body: &'a Body,
    state: &'a BodyState,
}

impl BodyRef<'_> {
    /// Pose of the body frame in the world.
    #[must_use]
    pub fn pose(&self) -> Pose {
        self.state.motion.frame(self.body.mass.center)
    }
    /// Centre of mass in the world \[m\].
    #[must_use]
    pub fn center_of_mass(&self) -> DVec3 {
        self.state.motion.position
    }
    /// Velocity of the centre of mass \[m/s\].
    #[must_use]
    pub fn velocity(&self) -> DVec3 {
        self.state.motion.velocity
    }
    /// Velocity of the origin of the body frame \[m/s\].
    #[must_use]
    pub fn origin_velocity(&self) -> DVec3 {
        self.state.motion.point_velocity(self.pose().position)
    }
    /// Angular velocity, world axes \[rad/s\].
    #[must_use]
    pub fn omega(&self) -> DVec3 {
        self.state.motion.omega
    }
    /// Force accumulator \[N\].
    #[must_use]
    pub fn force(&self) -> DVec3 {
        self.state.force
    }
    /// Torque accumulator \[N m\].
    #[must_use]
    pub fn torque(&self) -> DVec3 {
        self.state.torque
    }
    /// Mass \[kg\].
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.body.mass.mass
    }
    /// Mass, centre of mass and inertia in the body frame.
    #[must_use]
    pub fn mass_properties(&self) -> MassProperties {
        MassProperties {
            mass: self.body.mass.mass,
            center_of_mass: self.body.mass.center,
            inertia: self.body.mass.inertia(),
        }
    }
    /// Inertia about the centre of mass, world axes \[kg m²\].
    #[must_use]
    pub fn world_inertia(&self) -> DMat3 {
        let r = DMat3::from_quat(self.state.motion.rotation);
        r * self.body.mass.inertia() * r.transpose()
    }
    /// Angular momentum about the centre of mass, world axes \[kg m²/s\].
    #[must_use]
    pub fn angular_momentum(&self) -> DVec3 {
        self.world_inertia() * self.state.motion.omega
    }
    /// Takes part in steps.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.state.is_enabled
    }
    /// What moves it.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        self.body.kind
    }
    /// Gravity acts on it.
    #[must_use]
    pub fn gravity(&self) -> bool {
        self.body.gravity
    }
    /// Rate at which it takes on the velocity of the wind \[1/s\].
    #[must_use]
    pub fn wind_rate(&self) -> f64 {
        self.body.wind_rate
    }
    /// Damping.
    #[must_use]
    pub fn damping(&self) -> Damping {
        self.body.damping
    }
    /// Finite rotation mode.
    #[must_use]
    pub fn finite_rotation(&self) -> FiniteRotation {
        self.body.finite_rotation
    }
    /// Automatic sleeping.
    #[must_use]
    pub fn auto_disable(&self) -> AutoDisable {
        self.body.auto_disable
    }
    /// The user's number.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.body.user_data
    }
    /// Joints of the body.
    #[must_use]
    pub fn joints(&self) -> &[JointId] {
        &self.body.joints
    }
    /// A point of the body frame, in the world \[m\].
    #[must_use]
    pub fn point_to_world(&self, point: DVec3) -> DVec3 {
        self.pose().point(point)
    }
    /// A point of the world, in the body frame \[m\].
    #[must_use]
    pub fn point_to_body(&self, point: DVec3) -> DVec3 {
        self.pose().inverse_point(point)
    }
    /// Velocity of the material point at a place in the world \[m/s\].
    #[must_use]
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.state.motion.point_velocity(point)
    }
    /// Velocity of a point given in the body frame \[m/s\].
    #[must_use]
    pub fn velocity_at_body_point(&self, point: DVec3) -> DVec3 {
        self.velocity_at(self.point_to_world(point))
    }
    /// A direction of the body frame, in the world.
    #[must_use]
    pub fn vector_to_world(&self, v: DVec3) -> DVec3 {
        self.state.motion.rotation * v
    }
    /// A direction of the world, in the body frame.
    #[must_use]
    pub fn vector_to_body(&self, v: DVec3) -> DVec3 {
        self.state.motion.rotation.conjugate() * v
    }
}

/// A body, to change. Forces collect until the end of the next step.
///
/// A change of pose, velocity, mass, kind, gravity or force wakes it if it sleeps; what is set to the value it has, and a force
/// of zero, does not. What touched it or hung on it wakes at the next step if its pose, mass or kind was changed.
pub struct BodyMut<'a> {
    id: BodyId,
    body: &'a mut Body,
    state: &'a mut BodyState,
    moved: &'a mut Vec<BodyId>,
    revision: &'a mut u64,
    joints: &'a mut KnownJoints,
}

impl BodyMut<'_> {
    /// The body, to read.
    #[must_use]
    pub fn as_ref(&self) -> BodyRef<'_> {
        BodyRef { body: self.body, state: self.state }
    }

    /// Moves the body frame.
    ///
    /// # Errors
    /// Numbers that are not finite, a rotation without length.
    pub fn set_pose(&mut self, pose: &Pose) -> Result<(), BodyError> {
        let rotation = unit(pose.rotation)?;
        let position = finite("position", pose.position)? + rotation * self.body.mass.center;
        if position != self.state.motion.position || rotation != self.state.motion.rotation {
            self.state.motion.position = position;
            self.state.motion.rotation = rotation;
            self.joints.forget();
            self.note_moved();
        }
        Ok(())
    }
    /// Sets the velocity of the centre of mass \[m/s\].
    ///
    /// # Errors
    /// Numbers that are not finite.
    pub fn set_velocity(&mut self, velocity: DVec3) -> Result<(), BodyError> {
        let velocity = finite("velocity", velocity)?;
        self.wake_if(velocity != self.state.motion.velocity);
        self.state.motion.velocity = velocity;
        self.joints.forget();
        Ok(())
    }
    /// Sets the angular velocity, world axes \[rad/s\]. The centre of mass keeps its velocity.
    ///
    /// # Errors
    /// Numbers that are not finite.
    pub fn set_omega(&mut self, omega: DVec3) -> Result<(), BodyError> {
        let omega = finite("angular velocity", omega)?;
        self.wake_if(omega != self.state.motion.omega);
        self.state.motion.omega = omega;
        self.joints.forget();
        Ok(())
    }
    /// Sets mass, centre of mass and inertia; the body frame stays where it is.
    ///
    /// # Errors
    /// Mass properties that are not physically possible.
    pub fn set_mass(&mut self, mass: &MassProperties) -> Result<(), BodyError> {
        let pose = self.as_ref().pose();
        self.body.mass = principal(mass)?;
        self.body.changes += 1;
        self.note_moved();
        self.set_pose(&pose)
    }
    /// Inertia of the fluid around it, which continuous time adds to its own: a symmetric matrix from the velocity of the centre
    /// of mass and the angular velocity to momenta, in its axes, linear parts first \[kg, kg m, kg m²\]. Gravity does not act on it.
    /// Discrete steps leave it out.
    pub fn set_added_inertia(&mut self, matrix: Option<&[[f64; 6]; 6]>) {
        if self.body.added_inertia.as_deref() != matrix {
            self.body.added_inertia = matrix.map(|matrix| Box::new(*matrix));
            self.body.changes += 1;
        }
    }

    /// Sets what moves it.
    pub fn set_kind(&mut self, kind: BodyKind) {
        if kind != self.body.kind {
            self.note_moved();
        }
        self.body.kind = kind;
        self.body.changes += 1;
    }
    /// Gravity acts on it, or not.
    pub fn set_gravity(&mut self, gravity: bool) {
        let changes = gravity != self.body.gravity;
        self.wake_if(changes);
        self.note_change(changes);
        self.body.gravity = gravity;
    }
    /// Sets the rate `k` at which it takes on the velocity of the wind, `F = m k (w − v)` \[1/s\].
    ///
    /// # Errors
    /// A rate that is negative or not finite.
    pub fn set_wind_rate(&mut self, rate: f64) -> Result<(), BodyError> {
        let rate = wind_rate(rate)?;
        self.wake_if(rate != self.body.wind_rate);
        self.body.wind_rate = rate;
        Ok(())
    }
    /// Sets the finite rotation mode; an axis is normalised.
    ///
    /// # Errors
    /// An axis without length.
    pub fn set_finite_rotation(&mut self, mode: FiniteRotation) -> Result<(), BodyError> {
        let mode = match mode {
            FiniteRotation::Axis(axis) => {
                FiniteRotation::Axis(finite("axis", axis)?.try_normalize().ok_or(BodyError::NoLength { what: "axis" })?)
            }
            other => other,
        };
        self.note_change(mode != self.body.finite_rotation);
        self.body.finite_rotation = mode;
        Ok(())
    }
    /// Sets automatic sleeping, and starts its counts anew.
    pub fn set_auto_disable(&mut self, auto_disable: AutoDisable) {
        self.body.auto_disable = auto_disable;
        self.reset_idle();
    }
    /// Sets damping.
    pub fn set_damping(&mut self, damping: Damping) {
        self.note_change(damping != self.body.damping);
        self.body.damping = damping;
    }
    /// Bounds the angular speed \[rad/s\]; ∞ is no bound.
    pub fn set_max_angular_speed(&mut self, speed: f64) {
        self.note_change(speed != self.body.max_angular_speed);
        self.body.max_angular_speed = speed;
    }
    /// Asks for it to be stopped where it first touches something on its way ([`SweptRule`](super::SweptRule)).
    pub fn set_swept(&mut self, is_swept: bool) {
        self.body.is_swept = is_swept;
    }
    /// Sets the user's number.
    pub fn set_user_data(&mut self, data: u64) {
        self.body.user_data = data;
    }
    /// Wakes it; its idle counts start anew.
    pub fn enable(&mut self) {
        self.state.is_enabled = true;
        self.reset_idle();
    }
    /// Puts it to sleep; its velocities and forces are kept.
    pub fn disable(&mut self) {
        self.state.is_enabled = false;
    }
    /// Wakes it if it sleeps and something has changed.
    fn wake_if(&mut self, has_changed: bool) {
        if has_changed && !self.state.is_enabled {
            self.enable();
        }
    }
    /// What steps keep of it is read anew, if something has changed.
    fn note_change(&mut self, has_changed: bool) {
        *self.revision += u64::from(has_changed);
    }
    /// Wakes it, and at the next step what touched it or hung on it.
    fn note_moved(&mut self) {
        self.wake_if(true);
        if self.moved.last() != Some(&self.id) {
            self.moved.push(self.id);
        }
    }
    fn reset_idle(&mut self) {
        self.state.idle_steps_left = self.body.auto_disable.steps;
        self.state.idle_time_left = self.body.auto_disable.time;
        self.state.samples.clear();
        self.state.sample_index = 0;
    }

    /// Adds a force at the centre of mass, world axes \[N\].
    pub fn add_force(&mut self, force: DVec3) {
        self.wake_if(force != DVec3::ZERO);
        self.state.force += force;
    }
    /// Adds a torque, world axes \[N m\].
    pub fn add_torque(&mut self, torque: DVec3) {
        self.wake_if(torque != DVec3::ZERO);
        self.state.torque += torque;
    }
    /// Adds a force at the centre of mass, body axes \[N\].
    pub fn add_body_force(&mut self, force: DVec3) {
        self.add_force(self.state.motion.rotation * force);
    }
    /// Adds a torque, body axes \[N m\].
    pub fn add_body_torque(&mut self, torque: DVec3) {
        self.add_torque(self.state.motion.rotation * torque);
    }
    /// Adds a force, world axes \[N\], at a point of the world \[m\].
    pub fn add_force_at(&mut self, force: DVec3, point: DVec3) {
        self.add_force(force);
        self.add_torque((point - self.state.motion.position).cross(force));
    }
    /// Adds a force, world axes \[N\], at a point of the body frame \[m\].
    pub fn add_force_at_body_point(&mut self, force: DVec3, point: DVec3) {
        self.add_force_at(force, self.as_ref().point_to_world(point));
    }
    /// Adds a force, body axes \[N\], at a point of the world \[m\].
    pub fn add_body_force_at(&mut self, force: DVec3, point: DVec3) {
        self.add_force_at(self.state.motion.rotation * force, point);
    }
    /// Adds a force, body axes \[N\], at a point of the body frame \[m\].
    pub fn add_body_force_at_body_point(&mut self, force: DVec3, point: DVec3) {
        self.add_body_force_at(force, self.as_ref().point_to_world(point));
    }
    /// Sets the force accumulator \[N\].
    pub fn set_force(&mut self, force: DVec3) {
        self.wake_if(force != self.state.force && force != DVec3::ZERO);
        self.state.force = force;
    }
    /// Sets the torque accumulator \[N m\].
    pub fn set_torque(&mut self, torque: DVec3) {
        self.wake_if(torque != self.state.torque && torque != DVec3::ZERO);
        self.state.torque = torque;
    }
}
