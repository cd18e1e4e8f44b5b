//! A scene as a world of Rapier, in the precision of the module around this one.

use super::{Real, rapier::prelude::*};
use crate::Peer;
use crate::scene::{Body, Joint, Scene};

/// A hinge held by an explicit torque.
struct Servo {
    parent: Option<RigidBodyHandle>,
    child: RigidBodyHandle,
    /// Axis in the frame of the parent.
    axis: Vector,
    /// Rotation of the child in the frame of the parent at the start.
    start: Rotation,
    gains: [Real; 2],
}

pub struct World {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
    servos: Vec<Servo>,
}

fn vector(a: [f64; 3]) -> Vector {
    Vector::new(a[0] as Real, a[1] as Real, a[2] as Real)
}

fn rotation(q: [f64; 4]) -> Rotation {
    Rotation::from_xyzw(q[1] as Real, q[2] as Real, q[3] as Real, q[0] as Real)
}

impl World {
    pub fn build(scene: &Scene, multibody: bool, substeps: usize) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = vector(scene.gravity);
        world.integration_parameters.dt = scene.step as Real;
        world.integration_parameters.num_solver_iterations = substeps;
        let ground = add_ground(&mut world, scene);
        let bodies: Vec<_> = scene.bodies.iter().map(|b| add_body(&mut world, b, scene.friction as Real)).collect();
        let mut built = Self { world, bodies, servos: Vec::new() };
        for joint in &scene.joints {
            built.add_joint(scene, joint, ground, multibody);
        }
        built
    }

    fn add_joint(&mut self, scene: &Scene, joint: &Joint, ground: RigidBodyHandle, multibody: bool) {
        let (parent, at, turn) = match joint.parent {
            Some(p) => (self.bodies[p], vector(scene.bodies[p].position), rotation(scene.bodies[p].rotation)),
            None => (ground, Vector::ZERO, Rotation::IDENTITY),
        };
        let child = &scene.bodies[joint.child];
        let (anchor, axis, child_turn) = (vector(joint.anchor), vector(joint.axis), rotation(child.rotation));
        let mut definition: GenericJoint = if joint.is_hinge {
            RevoluteJointBuilder::new(axis).build().into()
        } else {
            SphericalJointBuilder::new().build().into()
        };
        definition.set_contacts_enabled(false);
        // The same frame in the world on both sides at the start.
        let frame = if joint.is_hinge { Rotation::from_rotation_arc(Vector::X, axis) } else { Rotation::IDENTITY };
        let local = |p: Vector, q: Rotation| Pose::from_parts(q.inverse() * (anchor - p), q.inverse() * frame);
        definition.set_local_frame1(local(at, turn));
        definition.set_local_frame2(local(vector(child.position), child_turn));
        let handle = self.bodies[joint.child];
        if multibody {
            self.world.insert_multibody_joint(parent, handle, definition);
        } else {
            self.world.insert_impulse_joint(parent, handle, definition);
        }
        if joint.gains[0] > 0.0 {
            self.servos.push(Servo {
                parent: joint.parent.map(|_| parent),
                child: handle,
                axis: turn.inverse() * axis,
                start: turn.inverse() * child_turn,
                gains: joint.gains.map(|g| g as Real),
            });
        }
    }

    fn torque(&self, servo: &Servo) -> Vector {
        let child = &self.world.bodies[servo.child];
        let (turn, omega) = match servo.parent {
            Some(p) => (*self.world.bodies[p].rotation(), self.world.bodies[p].angvel()),
            None => (Rotation::IDENTITY, Vector::ZERO),
        };
        let mut away = (turn.inverse() * *child.rotation()) * servo.start.inverse();
        if away.w < 0.0 {
            away = -away;
        }
        let angle = 2.0 * Vector::new(away.x, away.y, away.z).dot(servo.axis).atan2(away.w);
        let axis = turn * servo.axis;
        let rate = (child.angvel() - omega).dot(axis);
        axis * (-servo.gains[0] * angle - servo.gains[1] * rate)
    }

    fn apply_torques(&mut self) {
        let torques: Vec<_> = self.servos.iter().map(|s| (s.parent, s.child, self.torque(s))).collect();
        let bodies = &mut self.world.bodies;
        for (parent, child, _) in &torques {
            bodies[*child].reset_torques(true);
            if let Some(p) = parent {
                bodies[*p].reset_torques(true);
            }
        }
        for (parent, child, torque) in torques {
            bodies[child].add_torque(torque, true);
            if let Some(p) = parent {
                bodies[p].add_torque(-torque, true);
            }
        }
    }
}

impl Peer for World {
    fn step(&mut self) {
        if !self.servos.is_empty() {
            self.apply_torques();
        }
        self.world.step();
    }

    fn contacts(&self) -> usize {
        let of_pair =
            |p: &ContactPair| p.solver_manifolds().iter().map(|m| m.data.solver_contacts.len()).sum::<usize>();
        self.world.narrow_phase.contact_pairs().map(of_pair).sum()
    }

    fn state(&self, body: usize) -> [f64; 13] {
        let b = &self.world.bodies[self.bodies[body]];
        let (p, q, v, w) = (b.translation(), b.rotation(), b.linvel(), b.angvel());
        [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z].map(f64::from)
    }
}

fn add_ground(world: &mut PhysicsWorld, scene: &Scene) -> RigidBodyHandle {
    let friction = scene.friction as Real;
    let ground = world.insert_body(RigidBodyBuilder::fixed());
    if scene.has_ground {
        // A box: contacts with a half-space are not recycled.
        let floor = ColliderBuilder::cuboid(500.0, 500.0, 5.0).translation(Vector::new(0.0, 0.0, -5.0));
        world.insert_collider(floor.friction(friction), Some(ground));
    }
    for [x, y, z, a, b, c] in &scene.static_boxes {
        let wall = ColliderBuilder::cuboid(*a as Real, *b as Real, *c as Real).translation(vector([*x, *y, *z]));
        world.insert_collider(wall.friction(friction), Some(ground));
    }
    if let Some((n, half, heights)) = &scene.field {
        let at = |k: usize, half: f64| -half + 2.0 * half * k as f64 / (n - 1) as f64;
        let vertices = (0..n * n).map(|k| vector([at(k % n, half[0]), at(k / n, half[1]), heights[k]])).collect();
        let cells = (0..n - 1).flat_map(|r| (0..n - 1).map(move |c| (r * n + c) as u32));
        let m = *n as u32;
        let triangles = cells.flat_map(|a| [[a, a + 1, a + m + 1], [a, a + m + 1, a + m]]).collect();
        let terrain = ColliderBuilder::trimesh(vertices, triangles).expect("a mesh of triangles");
        world.insert_collider(terrain.friction(friction), Some(ground));
    }
    ground
}

fn add_body(world: &mut PhysicsWorld, body: &Body, friction: Real) -> RigidBodyHandle {
    let mass = MassProperties::new(Vector::ZERO, body.mass as Real, vector(body.moments));
    let builder = RigidBodyBuilder::dynamic()
        .pose(Pose::from_parts(vector(body.position), rotation(body.rotation)))
        .linvel(vector(body.velocity))
        .angvel(vector(body.omega))
        .can_sleep(false)
        .additional_mass_properties(mass);
    let [a, b, c, d] = body.sizes.map(|x| x as Real);
    let shape = match body.shape.as_str() {
        _ if body.group < 0 => None,
        "sphere" => Some(ColliderBuilder::ball(a).translation(Vector::new(b, c, d))),
        "box" => Some(ColliderBuilder::cuboid(a, b, c)),
        "capsule" => Some(ColliderBuilder::capsule_z(b, a)),
        _ => None,
    };
    let Some(shape) = shape else { return world.insert_body(builder) };
    let mut shape = shape.density(0.0).friction(friction);
    if body.group > 0 {
        let own = 1u32 << (1 + (body.group - 1) % 30);
        let groups = [own, !own].map(Group::from_bits_truncate);
        shape = shape.collision_groups(InteractionGroups::new(groups[0], groups[1], InteractionTestMode::And));
    }
    world.insert(builder, shape).0
}
