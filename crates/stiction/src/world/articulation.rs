//! A robot of a world as an articulated tree: mass matrices, Jacobians and inverse dynamics of loaded models.

use super::{BodyId, JointId, World};
use crate::dynamics::tree::{Kinematics, MotionVector, Tree};
use crate::math::Pose;
use crate::pipeline::Forest;

/// The tree of bodies and joints that a body belongs to, and its present state. It is a copy: changing it moves nothing.
#[derive(Clone, Debug)]
pub struct ArticulatedModel {
    /// The tree; link frames are those of the bodies.
    pub tree: Tree,
    /// Body of each link.
    pub bodies: Vec<BodyId>,
    /// Joint that carries each link; `None` for the root of a floating tree. A link's coordinates are those of its joint,
    /// with the joint's signs.
    pub joints: Vec<Option<JointId>>,
    /// The kinematic body that carries the tree; `None` is the world.
    pub base: Option<BodyId>,
    /// Pose of that body.
    pub base_pose: Pose,
    /// Positions: see [`crate::dynamics::tree::Mobility`].
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
}

impl World {
    /// The tree that a dynamic body is a link of; of a lone body the tree of one free link. Joints that close loops are in
    /// no tree. Independent of the coordinates that steps take.
    #[must_use]
    pub fn articulated_model(&self, body: BodyId) -> Option<ArticulatedModel> {
        self.bodies.get(body)?;
        let forest = Forest::new(&self.bodies, &self.joints, true, false);
        let member = forest.of_body.get(body.slot()).copied().flatten()?;
        let found = forest.trees.into_iter().nth(member.tree as usize)?;
        let pose = |slot: u32| {
            let id = self.bodies.handle_at(slot as usize);
            id.and_then(|id| self.body(id)).map_or(Pose::IDENTITY, |b| b.pose())
        };
        let motion = |slot: u32| &self.state.bodies[slot as usize].motion;
        let poses: Vec<Pose> = found.bodies.iter().map(|slot| pose(*slot)).collect();
        let base_pose = found.base.map_or(Pose::IDENTITY, pose);
        let (mut q, mut v) = (found.q, found.v);
        found.tree.read_positions(&poses, &base_pose, &mut q);
        let origin = poses.first()?.position;
        let mut kin = Kinematics::default();
        found.tree.positions_from_poses(&poses, &base_pose, origin, &mut kin);
        let twist = |slot: u32| {
            let m = motion(slot);
            MotionVector::at(m.position - origin, m.omega, m.velocity)
        };
        let twists: Vec<_> = found.bodies.iter().map(|slot| twist(*slot)).collect();
        let base_twist = found.base.map_or(MotionVector::ZERO, twist);
        found.tree.read_velocities(&twists, &base_twist, &kin, &mut v);
        Some(ArticulatedModel {
            bodies: found.bodies.iter().filter_map(|slot| self.bodies.handle_at(*slot as usize)).collect(),
            joints: found.joints.iter().map(|slot| self.joints.handle_at(*slot as usize)).collect(),
            base: found.base.and_then(|slot| self.bodies.handle_at(slot as usize)),
            base_pose,
            tree: found.tree,
            q,
            v,
        })
    }
}
