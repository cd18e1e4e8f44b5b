//! From a scene to a world.

use stiction::StepReport;
use stiction::joints::{JointDefinition, JointError, JointKind};
use stiction::material::Surface;
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::{MassProperties, Shape, ShapeError};
use stiction::world::{BodyDefinition, BodyError, BodyId, GeomDefinition, GeomError, JointId, World, WorldParameters};
use thiserror::Error;

use crate::scene::{BodyKind, Scene, SceneBody, SceneShape};

/// Why a scene is no world.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A body is refused.
    #[error("body {index}: {error}")]
    Body {
        /// Number of the body.
        index: usize,
        /// Why.
        error: BodyError,
    },
    /// A shape is refused.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A shape is refused.
    #[error(transparent)]
    Geom(#[from] GeomError),
    /// A joint is refused.
    #[error("joint {index}: {error}")]
    Joint {
        /// Number of the joint.
        index: usize,
        /// Why.
        error: JointError,
    },
}

/// A hinge under an explicit torque.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Servo {
    /// The hinge.
    pub joint: JointId,
    /// kp \[N m/rad\] and kd \[N m s/rad\].
    pub gains: [f64; 2],
}

/// A world made of a scene.
pub struct Loaded {
    /// The world.
    pub world: World,
    /// Bodies in the order of the scene.
    pub bodies: Vec<BodyId>,
    /// Joints in the order of the scene.
    pub joints: Vec<JointId>,
    /// Hinges with a torque.
    pub servos: Vec<Servo>,
    /// Step \[s\].
    pub step: f64,
}

impl Loaded {
    /// One step, with the torques of the servos.
    pub fn step(&mut self) -> &StepReport {
        for servo in &self.servos {
            let Some(joint) = self.world.joint(servo.joint) else { continue };
            let torque = -servo.gains[0] * joint.position(0) - servo.gains[1] * joint.rate(0);
            self.world.add_joint_force(servo.joint, 0, torque);
        }
        self.world.step(self.step)
    }
}

impl Scene {
    /// Builds the scene; its gravity replaces that of `parameters`.
    ///
    /// # Errors
    /// What the world refuses.
    pub fn build(&self, parameters: WorldParameters) -> Result<Loaded, BuildError> {
        let mut world = World::new(WorldParameters { gravity: self.gravity, ..parameters });
        let surface = Surface { friction: [self.friction; 2], ..Surface::default() };
        if self.has_ground {
            let shape = Shape::plane(DVec3::Z, 0.0)?;
            world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, None) })?;
        }
        for (center, half) in &self.static_boxes {
            let shape = Shape::cuboid(2.0 * *half)?;
            let pose = Pose::from_position(*center);
            world.add_geom(&GeomDefinition { surface, pose, ..GeomDefinition::new(shape, None) })?;
        }
        if let Some(field) = &self.field {
            let shape = Shape::triangle_mesh(&field.vertices(), &field.triangles())?;
            world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, None) })?;
        }
        let mut bodies = Vec::new();
        for (index, body) in self.bodies.iter().enumerate() {
            let id = world.add_body(&definition(body)).map_err(|error| BuildError::Body { index, error })?;
            bodies.push(id);
            add_shape(&mut world, body, id, surface)?;
        }
        let (mut joints, mut servos) = (Vec::new(), Vec::new());
        for (index, joint) in self.joints.iter().enumerate() {
            let [a, b] = joint.bodies.map(|i| i.map(|i| bodies[i]));
            let kind = if joint.hinge.is_some() { JointKind::Hinge } else { JointKind::Ball };
            let axis = joint.hinge.map_or(DVec3::X, |h| h.axis);
            let definition = JointDefinition::new(kind, a, b).at(joint.anchor).with_axis(0, axis);
            let id = world.add_joint(definition).map_err(|error| BuildError::Joint { index, error })?;
            joints.push(id);
            if let Some(hinge) = joint.hinge.filter(|h| h.gains[0] > 0.0) {
                servos.push(Servo { joint: id, gains: hinge.gains });
            }
        }
        Ok(Loaded { world, bodies, joints, servos, step: self.step })
    }
}

fn definition(body: &SceneBody) -> BodyDefinition {
    let inertia = DMat3::from_diagonal(body.moments);
    BodyDefinition {
        pose: body.pose,
        velocity: body.velocity,
        omega: body.omega,
        mass: MassProperties { mass: body.mass, center_of_mass: DVec3::ZERO, inertia },
        ..BodyDefinition::default()
    }
}

fn add_shape(world: &mut World, body: &SceneBody, id: BodyId, surface: Surface) -> Result<(), BuildError> {
    let (shape, offset) = match body.shape {
        SceneShape::None => return Ok(()),
        SceneShape::Sphere { radius, offset } => (Shape::sphere(radius)?, offset),
        SceneShape::Box { half } => (Shape::cuboid(2.0 * half)?, DVec3::ZERO),
        SceneShape::Capsule { radius, half } => (Shape::capsule(radius, 2.0 * half)?, DVec3::ZERO),
    };
    let group = match body.kind {
        BodyKind::Nothing => return Ok(()),
        BodyKind::All => 0,
        BodyKind::Group(group) => group,
    };
    let pose = Pose::from_position(offset);
    world.add_geom(&GeomDefinition { surface, pose, group, ..GeomDefinition::new(shape, Some(id)) })?;
    Ok(())
}
