//! The two bodies of a joint at their present poses. A missing second body is the world: at the origin, not turned.

use glam::{DMat3, DQuat, DVec3};

use super::body::BodyId;
use crate::types::{matrix, quaternion, vector};

/// The bodies of a joint; the first is never the world while the joint is attached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides {
    pub bodies: [BodyId; 2],
    /// The program named the world first.
    pub is_reverse: bool,
}

// SAFETY of all functions: the bodies of a joint exist as long as it is attached to them.
impl Sides {
    pub(crate) fn has(&self, side: usize) -> bool {
        !self.bodies[side].is_null()
    }

    /// Both sides are bodies.
    pub(crate) fn are_two(&self) -> bool {
        self.has(0) && self.has(1)
    }

    pub(crate) fn position(&self, side: usize) -> DVec3 {
        unsafe { self.bodies[side].as_ref() }.map_or(DVec3::ZERO, |b| vector(&b.position))
    }

    pub(crate) fn rotation(&self, side: usize) -> DMat3 {
        unsafe { self.bodies[side].as_ref() }.map_or(DMat3::IDENTITY, |b| matrix(&b.rotation))
    }

    pub(crate) fn quaternion(&self, side: usize) -> DQuat {
        unsafe { self.bodies[side].as_ref() }.map_or(DQuat::IDENTITY, |b| quaternion(&b.quaternion))
    }

    pub(crate) fn linear_velocity(&self, side: usize) -> DVec3 {
        unsafe { self.bodies[side].as_ref() }.map_or(DVec3::ZERO, |b| vector(&b.linear_velocity))
    }

    pub(crate) fn angular_velocity(&self, side: usize) -> DVec3 {
        unsafe { self.bodies[side].as_ref() }.map_or(DVec3::ZERO, |b| vector(&b.angular_velocity))
    }

    /// A point of the world in the frame of a side.
    pub(crate) fn local_point(&self, side: usize, point: DVec3) -> DVec3 {
        self.rotation(side).transpose() * (point - self.position(side))
    }

    /// A vector of the world in the frame of a side.
    pub(crate) fn local_vector(&self, side: usize, v: DVec3) -> DVec3 {
        self.rotation(side).transpose() * v
    }

    /// A point of a side in the world.
    pub(crate) fn world_point(&self, side: usize, point: DVec3) -> DVec3 {
        self.rotation(side) * point + self.position(side)
    }

    /// A vector of a side in the world; that of the centre to a point of the side is its lever arm.
    pub(crate) fn world_vector(&self, side: usize, v: DVec3) -> DVec3 {
        self.rotation(side) * v
    }

    /// A point of the world in both frames.
    pub(crate) fn local_points(&self, point: DVec3) -> [DVec3; 2] {
        [self.local_point(0, point), self.local_point(1, point)]
    }

    /// The one of two points, each in the frame of its side, that the program calls by a number, in the world.
    pub(crate) fn named_point(&self, points: [DVec3; 2], number: usize) -> DVec3 {
        let side = self.named(number);
        self.world_point(side, points[side])
    }

    /// From the centre of each body to a point in its frame, world axes.
    pub(crate) fn arms(&self, points: [DVec3; 2]) -> [DVec3; 2] {
        [self.world_vector(0, points[0]), self.world_vector(1, points[1])]
    }

    /// From the second body's point to the first's, given by their arms.
    pub(crate) fn separation(&self, arms: [DVec3; 2]) -> DVec3 {
        (arms[0] + self.position(0)) - (arms[1] + self.position(1))
    }

    /// Arms to the middle between the centres of two bodies; none where one of them is the world.
    pub(crate) fn halfway(&self) -> [DVec3; 2] {
        let half = if self.are_two() { 0.5 * (self.position(1) - self.position(0)) } else { DVec3::ZERO };
        [half, -half]
    }

    /// `q₁* q₂`: the second body seen from the first.
    pub(crate) fn relative(&self) -> DQuat {
        self.quaternion(0).conjugate() * self.quaternion(1)
    }

    /// Angular velocity of the first body less that of the second.
    pub(crate) fn relative_spin(&self) -> DVec3 {
        self.angular_velocity(0) - self.angular_velocity(1)
    }

    /// Minus one for a joint that the program sees from its other end.
    pub(crate) fn sign(&self) -> f64 {
        if self.is_reverse { -1.0 } else { 1.0 }
    }

    /// Minus one for a joint to the world that the program sees from there.
    pub(crate) fn sign_to_world(&self) -> f64 {
        if self.has(1) { 1.0 } else { self.sign() }
    }

    /// The side that the program calls by this number.
    pub(crate) fn named(&self, side: usize) -> usize {
        if self.is_reverse { 1 - side } else { side }
    }

    /// Torque on the first body and its opposite on the second.
    pub(crate) fn add_torque(&self, torque: DVec3) {
        self.add(DVec3::ZERO, [torque, -torque]);
    }

    /// Force on the first body and its opposite on the second, and a torque on each.
    pub(crate) fn add(&self, force: DVec3, torques: [DVec3; 2]) {
        for (side, force) in [force, -force].into_iter().enumerate() {
            if let Some(body) = unsafe { self.bodies[side].as_mut() } {
                super::body_forces::add(body, force, torques[side]);
            }
        }
    }
}
