//! Mechanisms in reduced coordinates, and their energy and momentum by the definitions, body by body.

use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyId, Coordinates, JointId, World, WorldParameters};

pub const GRAVITY: f64 = 9.81;

/// A world of trees.
pub struct Scene {
    pub world: World,
    pub bodies: Vec<BodyId>,
    pub joints: Vec<JointId>,
    masses: Vec<MassProperties>,
    /// Rotors of the joints: joint, axis, inertia.
    pub rotors: Vec<(JointId, usize, f64)>,
}

pub fn reduced() -> WorldParameters {
    WorldParameters {
        gravity: DVec3::NEG_Z * GRAVITY,
        coordinates: Coordinates::Reduced,
        cfm: 0.0,
        sleeping: false,
        residual_interval: 0,
        ..WorldParameters::default()
    }
}

/// Energy, momentum and angular momentum about the origin.
#[derive(Clone, Copy, Debug)]
pub struct Sums {
    pub kinetic: f64,
    pub potential: f64,
    pub linear: DVec3,
    pub angular: DVec3,
}

impl Sums {
    pub fn energy(&self) -> f64 {
        self.kinetic + self.potential
    }
}

impl Scene {
    pub fn new(parameters: WorldParameters) -> Self {
        let world = World::new(parameters);
        Self { world, bodies: Vec::new(), joints: Vec::new(), masses: Vec::new(), rotors: Vec::new() }
    }

    pub fn body(&mut self, mass: MassProperties, pose: Pose) -> BodyId {
        let id = self.world.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap();
        self.bodies.push(id);
        self.masses.push(mass);
        id
    }

    pub fn joint(&mut self, definition: JointDefinition) -> JointId {
        let id = self.world.add_joint(definition).unwrap();
        self.joints.push(id);
        id
    }

    pub fn mass(&self) -> f64 {
        self.masses.iter().map(|mass| mass.mass).sum()
    }

    /// Sums over the bodies, of their definitions, poses and twists alone; rotors by the rates of their joints.
    pub fn sums(&self) -> Sums {
        let mut sums = Sums { kinetic: 0.0, potential: 0.0, linear: DVec3::ZERO, angular: DVec3::ZERO };
        let gravity = self.world.parameters.gravity;
        for (id, mass) in self.bodies.iter().zip(&self.masses) {
            let body = self.world.body(*id).unwrap();
            let (x, v, w) = (body.center_of_mass(), body.velocity(), body.omega());
            let r = DMat3::from_quat(body.pose().rotation);
            let spin = r * (mass.inertia * (r.transpose() * w));
            sums.kinetic += 0.5 * mass.mass * v.length_squared() + 0.5 * w.dot(spin);
            sums.potential -= mass.mass * gravity.dot(x);
            sums.linear += mass.mass * v;
            sums.angular += spin + mass.mass * x.cross(v);
        }
        for (id, axis, inertia) in &self.rotors {
            sums.kinetic += 0.5 * inertia * self.world.joint(*id).unwrap().rate(*axis).powi(2);
        }
        sums
    }
}

pub fn rod(mass: f64, length: f64, width: f64) -> MassProperties {
    MassProperties::cuboid(mass / (length * width * width), DVec3::new(length, width, width))
}

/// A rope along x of links on hinges about y, released level.
pub fn rope(parameters: WorldParameters, links: usize) -> Scene {
    let mut scene = Scene::new(parameters);
    let length = 0.1;
    let mut last = None;
    for i in 0..links {
        let center = DVec3::X * (length * (i as f64 + 0.5));
        let body = scene.body(rod(0.1, length, 0.02), Pose::from_position(center));
        let joint = JointDefinition::new(JointKind::Hinge, Some(body), last)
            .at(DVec3::X * (length * i as f64))
            .with_axis(0, DVec3::Y);
        scene.joint(joint);
        last = Some(body);
    }
    scene
}

/// Balls on balls, released level with a spin about the chain.
pub fn ball_chain(parameters: WorldParameters, links: usize) -> Scene {
    let mut scene = Scene::new(parameters);
    let length = 0.1;
    let mut last = None;
    for i in 0..links {
        let center = DVec3::X * (length * (i as f64 + 0.5));
        let body = scene.body(rod(0.1, length, 0.03), Pose::from_position(center));
        scene.joint(JointDefinition::new(JointKind::Ball, Some(body), last).at(DVec3::X * (length * i as f64)));
        last = Some(body);
    }
    for (i, id) in scene.bodies.clone().into_iter().enumerate() {
        let omega = DVec3::new(0.0, 0.0, 1.0);
        let mut body = scene.world.body_mut(id).unwrap();
        body.set_velocity(omega.cross(DVec3::X * (length * (i as f64 + 0.5)))).unwrap();
        body.set_omega(omega).unwrap();
    }
    scene
}

/// A ragdoll of eleven parts on ball joints; each part turns by up to `rate` about its own axes.
pub fn ragdoll(parameters: WorldParameters, rate: f64) -> Scene {
    let mut scene = Scene::new(parameters);
    // Part: mass, half sides, centre; parent, place of the joint.
    type Part = (f64, [f64; 3], [f64; 3], usize, [f64; 3]);
    let parts: [Part; 11] = [
        (20.0, [0.15, 0.1, 0.25], [0.0, 0.0, 1.2], 0, [0.0; 3]),
        (4.0, [0.09, 0.09, 0.12], [0.0, 0.0, 1.6], 0, [0.0, 0.0, 1.46]),
        (10.0, [0.15, 0.1, 0.1], [0.0, 0.0, 0.85], 0, [0.0, 0.0, 0.95]),
        (2.0, [0.14, 0.04, 0.04], [0.3, 0.0, 1.4], 0, [0.16, 0.0, 1.4]),
        (1.3, [0.13, 0.035, 0.035], [0.58, 0.0, 1.4], 3, [0.44, 0.0, 1.4]),
        (2.0, [0.14, 0.04, 0.04], [-0.3, 0.0, 1.4], 0, [-0.16, 0.0, 1.4]),
        (1.3, [0.13, 0.035, 0.035], [-0.58, 0.0, 1.4], 5, [-0.44, 0.0, 1.4]),
        (7.0, [0.06, 0.06, 0.2], [0.1, 0.0, 0.55], 2, [0.1, 0.0, 0.75]),
        (3.0, [0.05, 0.05, 0.2], [0.1, 0.0, 0.15], 7, [0.1, 0.0, 0.35]),
        (7.0, [0.06, 0.06, 0.2], [-0.1, 0.0, 0.55], 2, [-0.1, 0.0, 0.75]),
        (3.0, [0.05, 0.05, 0.2], [-0.1, 0.0, 0.15], 9, [-0.1, 0.0, 0.35]),
    ];
    for (number, (mass, half, center, parent, joint)) in parts.into_iter().enumerate() {
        let sides = 2.0 * DVec3::from(half);
        let body = scene.body(
            MassProperties::cuboid(mass / sides.element_product(), sides),
            Pose::from_position(DVec3::from(center)),
        );
        if number > 0 {
            let parent = scene.bodies[parent];
            scene.joint(JointDefinition::new(JointKind::Ball, Some(body), Some(parent)).at(DVec3::from(joint)));
        }
        let direction = DVec3::new((number as f64).sin(), (2.0 * number as f64).cos(), 0.5).normalize();
        scene.world.body_mut(body).unwrap().set_omega(rate * direction).unwrap();
    }
    scene
}

/// Small feet on a heavy trunk that turn fast: a floating tree of hinges.
pub fn feet(parameters: WorldParameters, rate: f64) -> Scene {
    let mut scene = Scene::new(parameters);
    let trunk = scene.body(rod(10.0, 0.5, 0.2), Pose::IDENTITY);
    for (x, y) in [(0.2, 0.15), (0.2, -0.15), (-0.2, 0.15), (-0.2, -0.15)] {
        let at = DVec3::new(x, y, -0.1);
        let thigh = scene.body(rod(1.0, 0.2, 0.05), Pose::from_position(at + DVec3::X * 0.1));
        scene.joint(JointDefinition::new(JointKind::Hinge, Some(thigh), Some(trunk)).at(at).with_axis(0, DVec3::Y));
        let ankle = at + DVec3::X * 0.2;
        let foot = scene.body(rod(0.1, 0.08, 0.03), Pose::from_position(ankle + DVec3::X * 0.03));
        scene.joint(JointDefinition::new(JointKind::Hinge, Some(foot), Some(thigh)).at(ankle).with_axis(0, DVec3::Z));
        scene.world.body_mut(foot).unwrap().set_omega(DVec3::Z * rate).unwrap();
    }
    scene
}

/// A top on a ball joint, tilted, that spins about its own axis.
pub fn top(parameters: WorldParameters, spin: f64) -> Scene {
    let mut scene = Scene::new(parameters);
    let mass = MassProperties::cylinder(1.0 / (std::f64::consts::PI * 0.05 * 0.05 * 0.02), 0.05, 0.02);
    let tilt = stiction::math::DQuat::from_rotation_y(0.5);
    let body = scene.body(mass, Pose::new(tilt * DVec3::Z * 0.05, tilt));
    scene.joint(JointDefinition::new(JointKind::Ball, Some(body), None).at(DVec3::ZERO));
    scene.world.body_mut(body).unwrap().set_omega(tilt * DVec3::Z * spin).unwrap();
    scene
}

/// Rings in rings: three hinges through one point, a rotor that spins, and a weight beside it.
pub fn gimbal(parameters: WorldParameters, spin: f64) -> Scene {
    let mut scene = Scene::new(parameters);
    let ring = |mass: f64, size: f64| MassProperties::cuboid(mass / (size * size * 0.02), DVec3::new(size, size, 0.02));
    let outer = scene.body(ring(0.5, 0.3), Pose::IDENTITY);
    scene.joint(JointDefinition::new(JointKind::Hinge, Some(outer), None).at(DVec3::ZERO).with_axis(0, DVec3::Z));
    let inner = scene.body(ring(0.3, 0.2), Pose::IDENTITY);
    scene
        .joint(JointDefinition::new(JointKind::Hinge, Some(inner), Some(outer)).at(DVec3::ZERO).with_axis(0, DVec3::X));
    let mut rotor = MassProperties::cylinder(0.4 / (std::f64::consts::PI * 0.06 * 0.06 * 0.03), 0.06, 0.03);
    rotor.center_of_mass = DVec3::Z * 0.04;
    let rotor = scene.body(rotor, Pose::from_xyz_rpy(DVec3::ZERO, DVec3::new(0.0, 0.9, 0.0)));
    let axis = scene.world.body(rotor).unwrap().pose().rotation * DVec3::Z;
    scene.joint(JointDefinition::new(JointKind::Hinge, Some(rotor), Some(inner)).at(DVec3::ZERO).with_axis(0, axis));
    scene.world.body_mut(rotor).unwrap().set_omega(axis * spin).unwrap();
    scene
}
