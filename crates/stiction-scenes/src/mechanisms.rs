//! Mechanisms made in code, as worlds: an arm, a quadruped, a chain, a four-bar and a five-bar loop.

use stiction::joints::{AxisParameters, JointDefinition, JointError, JointKind};
use stiction::material::{PointContact, Surface};
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::{MassProperties, Shape, ShapeError};
use stiction::world::{BodyDefinition, BodyError, BodyId, GeomDefinition, GeomError, JointId, World, WorldParameters};
use thiserror::Error;

/// Why a mechanism is no world.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MechanismError {
    /// A body is refused.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A shape is refused.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A shape is refused.
    #[error(transparent)]
    Geom(#[from] GeomError),
    /// A joint is refused.
    #[error(transparent)]
    Joint(#[from] JointError),
}

/// A mechanism in a world of its own.
pub struct Mechanism {
    /// The world.
    pub world: World,
    /// Its bodies, from the base outwards.
    pub bodies: Vec<BodyId>,
    /// Its joints; those that close loops come last.
    pub joints: Vec<JointId>,
}

impl Mechanism {
    fn new(parameters: WorldParameters) -> Self {
        let gravity = DVec3::new(0.0, 0.0, -9.81);
        Self { world: World::new(WorldParameters { gravity, ..parameters }), bodies: Vec::new(), joints: Vec::new() }
    }

    /// A bar of square section between two points, its x axis along it.
    fn bar(&mut self, from: DVec3, to: DVec3, mass: f64, width: f64) -> Result<BodyId, MechanismError> {
        let along = to - from;
        let size = DVec3::new(along.length(), width, width);
        let square = size * size;
        let inertia = DVec3::new(square.y + square.z, square.x + square.z, square.x + square.y) * (mass / 12.0);
        let rotation = DQuat::from_rotation_arc(DVec3::X, along.normalize());
        let id = self.world.add_body(&BodyDefinition {
            pose: Pose::new(0.5 * (from + to), rotation),
            mass: MassProperties { mass, center_of_mass: DVec3::ZERO, inertia: DMat3::from_diagonal(inertia) },
            ..BodyDefinition::default()
        })?;
        self.bodies.push(id);
        Ok(id)
    }

    fn hinge(
        &mut self,
        child: BodyId,
        parent: Option<BodyId>,
        at: DVec3,
        axis: DVec3,
        law: AxisParameters,
    ) -> Result<(), MechanismError> {
        let definition = JointDefinition::new(JointKind::Hinge, Some(child), parent)
            .at(at)
            .with_axis(0, axis)
            .with_parameters(0, law);
        self.joints.push(self.world.add_joint(definition)?);
        Ok(())
    }

    /// Bars from point to point on hinges about y, the first on the world; the last point is on the world too if `is_loop`.
    fn bars(&mut self, points: &[DVec3], masses: &[f64], is_loop: bool) -> Result<(), MechanismError> {
        let mut last = None;
        for (ends, mass) in points.windows(2).zip(masses) {
            let bar = self.bar(ends[0], ends[1], *mass, 0.04)?;
            self.hinge(bar, last, ends[0], DVec3::Y, AxisParameters::default())?;
            last = Some(bar);
        }
        if let (true, Some(bar), Some(end)) = (is_loop, last, points.last()) {
            self.hinge(bar, None, *end, DVec3::Y, AxisParameters::default())?;
        }
        Ok(())
    }
}

/// An arm of seven joints, roll and pitch in turn, that falls from a bent posture.
///
/// # Errors
/// What the world refuses.
pub fn arm(parameters: WorldParameters) -> Result<Mechanism, MechanismError> {
    let mut arm = Mechanism::new(parameters);
    // Lengths [m], masses [kg], and lean of each link [rad].
    let links = [
        (0.34, 4.0, 0.0),
        (0.2, 3.0, 0.4),
        (0.2, 3.0, 0.4),
        (0.2, 2.5, 1.2),
        (0.2, 2.0, 1.2),
        (0.13, 1.5, 1.9),
        (0.12, 0.5, 1.9),
    ];
    let (mut at, mut last) = (DVec3::ZERO, None);
    for (number, (length, mass, lean)) in links.into_iter().enumerate() {
        let along = DQuat::from_rotation_y(lean) * DVec3::Z;
        // Centres beside the roll axes, so that every joint moves.
        let end = at + length * along;
        let link = arm.bar(at, end, mass, 0.1)?;
        let axis = if number % 2 == 0 { along } else { DVec3::Y };
        arm.hinge(link, last, at, axis, AxisParameters::default())?;
        last = Some(link);
        at = end + 0.05 * DVec3::Y * if number % 2 == 0 { 1.0 } else { -1.0 };
    }
    Ok(arm)
}

/// A chain of links of 0.1 m and 0.1 kg on hinges, held at one end, that falls from the horizontal.
///
/// # Errors
/// What the world refuses.
pub fn chain(parameters: WorldParameters, links: usize) -> Result<Mechanism, MechanismError> {
    let mut chain = Mechanism::new(parameters);
    let points: Vec<_> = (0..=links).map(|k| DVec3::X * 0.1 * k as f64).collect();
    chain.bars(&points, &vec![0.1; links], false)?;
    Ok(chain)
}

/// A four-bar loop, crank 0.3 m, coupler 0.9 m, rocker 0.7 m on a frame of 1 m, that swings from rest.
///
/// # Errors
/// What the world refuses.
pub fn four_bar(parameters: WorldParameters) -> Result<Mechanism, MechanismError> {
    let mut loop_ = Mechanism::new(parameters);
    let crank = 0.3 * (DQuat::from_rotation_y(-0.5) * DVec3::X);
    let frame = DVec3::X;
    let elbow = meeting(crank, 0.9, frame, 0.7);
    loop_.bars(&[DVec3::ZERO, crank, elbow, frame], &[0.5, 1.0, 0.8], true)?;
    Ok(loop_)
}

/// A five-bar loop of two degrees of freedom on a frame of 0.6 m, that falls from rest.
///
/// # Errors
/// What the world refuses.
pub fn five_bar(parameters: WorldParameters) -> Result<Mechanism, MechanismError> {
    let mut loop_ = Mechanism::new(parameters);
    let left = 0.5 * (DQuat::from_rotation_y(-2.0) * DVec3::X);
    let right = DVec3::X * 0.6 + 0.5 * (DQuat::from_rotation_y(-0.9) * DVec3::X);
    let tip = meeting(left, 0.8, right, 0.7);
    loop_.bars(&[DVec3::ZERO, left, tip, right, DVec3::X * 0.6], &[0.5, 0.6, 0.6, 0.5], true)?;
    Ok(loop_)
}

/// The upper point of the plane y = 0 at two distances from two points.
fn meeting(a: DVec3, from_a: f64, b: DVec3, from_b: f64) -> DVec3 {
    let between = b - a;
    let d = between.length();
    let along = 0.5 * (d + (from_a * from_a - from_b * from_b) / d);
    let up = DVec3::new(-between.z, 0.0, between.x) / d;
    a + between / d * along + up * (from_a * from_a - along * along).max(0.0).sqrt()
}

/// A quadruped that stands on four balls: a floating trunk, three joints with springs and dampers in each leg.
///
/// # Errors
/// What the world refuses.
pub fn quadruped(parameters: WorldParameters) -> Result<Mechanism, MechanismError> {
    let mut robot = Mechanism::new(parameters);
    let point_contact = PointContact {
        relaxation_time: None,
        stiffness: Some(4e4),
        dissipation: Some(5.0),
        static_friction: Some(0.8),
        dynamic_friction: Some(0.8),
    };
    let surface = Surface { point_contact, friction: [0.8; 2], ..Surface::default() };
    let ground = GeomDefinition { surface, ..GeomDefinition::new(Shape::plane(DVec3::Z, 0.0)?, None) };
    robot.world.add_geom(&ground)?;
    let height = 0.42;
    let trunk = robot.bar(DVec3::new(-0.25, 0.0, height), DVec3::new(0.25, 0.0, height), 10.0, 0.2)?;
    let law = AxisParameters { stiffness: 300.0, damping: 8.0, ..AxisParameters::default() };
    for (x, y) in [(0.2, 0.12), (0.2, -0.12), (-0.2, 0.12), (-0.2, -0.12)] {
        let side = DVec3::Y * f64::signum(y);
        let hip = DVec3::new(x, y, height);
        let thigh_top = hip + 0.06 * side;
        let knee = thigh_top + 0.2 * (DQuat::from_rotation_y(0.6) * DVec3::NEG_Z);
        let foot = knee + 0.25 * (DQuat::from_rotation_y(-0.5) * DVec3::NEG_Z);
        let abductor = robot.bar(hip, thigh_top, 0.6, 0.06)?;
        robot.hinge(abductor, Some(trunk), hip, DVec3::X, law)?;
        let thigh = robot.bar(thigh_top, knee, 0.8, 0.04)?;
        robot.hinge(thigh, Some(abductor), thigh_top, DVec3::Y, law)?;
        let shin = robot.bar(knee, foot, 0.3, 0.03)?;
        robot.hinge(shin, Some(thigh), knee, DVec3::Y, law)?;
        let pose = Pose::from_position(DVec3::X * 0.125);
        let ball = GeomDefinition::new(Shape::sphere(0.03)?, Some(shin));
        robot.world.add_geom(&GeomDefinition { surface, pose, ..ball })?;
    }
    Ok(robot)
}
