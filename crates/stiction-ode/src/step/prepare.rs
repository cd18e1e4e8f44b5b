//! Bodies made ready for a step: gravity, gyroscopic torque, and the factor of the inverse mass.

use glam::{DMat3, DQuat, DVec3};

use super::islands::Islands;
use crate::joints::contact::Motion;
use crate::objects::body::{Body, BodyId, flag};
use crate::objects::world::World;
use crate::report::{INTERNAL, debug};
use crate::types::{dMatrix3, dVector3, matrix, put, vector};

/// What a step keeps of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepBody {
    /// √(1/m); zero for a body that forces do not move.
    pub root_inverse_mass: f64,
    /// `W` with `I⁻¹ = W Wᵀ`, world axes.
    pub root_inverse_inertia: DMat3,
    /// Velocities after forces, without impulses.
    pub linear: DVec3,
    pub angular: DVec3,
    /// Position and velocities at the start.
    pub start: Motion,
    /// Position and rotation at the end, of a body that the engine moves as a part of a whole.
    pub end: Option<(DVec3, DQuat)>,
}

impl StepBody {
    /// Forces move it.
    pub(super) fn is_dynamic(&self) -> bool {
        self.root_inverse_mass > 0.0
    }

    /// `Y = L⁻ᵀ Jᵀ` of a row on this body.
    #[inline(always)]
    pub(super) fn whiten(&self, linear: DVec3, angular: DVec3) -> [f64; 6] {
        let l = linear * self.root_inverse_mass;
        let w = &self.root_inverse_inertia;
        [l.x, l.y, l.z, w.x_axis.dot(angular), w.y_axis.dot(angular), w.z_axis.dot(angular)]
    }

    /// Changes of the velocities that a `z` of impulses means.
    pub(super) fn change(&self, z: &[f64]) -> (DVec3, DVec3) {
        let linear = DVec3::new(z[0], z[1], z[2]) * self.root_inverse_mass;
        (linear, self.root_inverse_inertia * DVec3::new(z[3], z[4], z[5]))
    }
}

/// Lower triangle `C` with `C Cᵀ` equal to a symmetric matrix, zero where that has no positive pivot.
fn cholesky(m: DMat3) -> DMat3 {
    let root = |x: f64| if x > 0.0 { x.sqrt() } else { 0.0 };
    let share = |x: f64, by: f64| if by > 0.0 { x / by } else { 0.0 };
    let a = root(m.x_axis.x);
    let (b, c) = (share(m.x_axis.y, a), share(m.x_axis.z, a));
    let d = root(m.y_axis.y - b * b);
    let e = share(m.y_axis.z - b * c, d);
    let f = root(m.z_axis.z - c * c - e * e);
    DMat3::from_cols(DVec3::new(a, b, c), DVec3::new(0.0, d, e), DVec3::new(0.0, 0.0, f))
}

/// Forces and velocities that are no numbers are reported and left out.
pub(super) unsafe fn mend(islands: &Islands) {
    islands.bodies.iter().for_each(|&id| mend_body(&mut *id));
}

fn mend_body(body: &mut Body) {
    for accumulator in [&mut body.force, &mut body.torque, &mut body.linear_velocity, &mut body.angular_velocity] {
        if !vector(accumulator).is_finite() {
            debug(INTERNAL, "a force, torque or velocity of a body is no finite number; it is taken as zero");
            *accumulator = [0.0; 4];
        }
    }
}

/// Force and torque of each body.
pub(super) type Accumulators = Vec<[dVector3; 2]>;

/// Exchanges the forces and torques of some bodies with those kept for them.
pub(super) unsafe fn exchange(bodies: &[BodyId], kept: &mut [[dVector3; 2]]) {
    for (&id, [force, torque]) in bodies.iter().zip(kept) {
        std::mem::swap(&mut (*id).force, force);
        std::mem::swap(&mut (*id).torque, torque);
    }
}

/// Prepares the bodies of all islands, in their order. Velocities follow when the joints have added their forces. Where bodies
/// have callbacks, the forces that the program gave are kept. Gyroscopic torques are added for a step of that length, if any.
pub(super) unsafe fn bodies(
    world: &World,
    islands: &Islands,
    turning: Option<f64>,
    out: &mut Vec<StepBody>,
    given: &mut Accumulators,
) {
    out.clear();
    given.clear();
    if islands.bodies.iter().any(|&id| (*id).moved_callback.is_some()) {
        given.extend(islands.bodies.iter().map(|&id| [(*id).force, (*id).torque]));
    }
    let gravity = vector(&world.gravity);
    for &id in &islands.bodies {
        let body = &mut *id;
        let rotation = matrix(&body.rotation);
        if body.flags & flag::NO_GRAVITY == 0 {
            body.force = put(vector(&body.force) + gravity * f64::from(body.mass.mass));
        }
        // A body whose moments are equal has no gyroscopic torque.
        if let Some(h) = turning
            && body.inverse_mass > 0.0
            && body.flags & flag::GYROSCOPIC != 0
            && !has_equal_moments(&body.mass.I)
        {
            let inertia = rotation * matrix(&body.mass.I) * rotation.transpose();
            let torque = gyroscopic(inertia, vector(&body.angular_velocity), h);
            body.torque = put(vector(&body.torque) + torque);
        }
        out.push(StepBody {
            root_inverse_mass: f64::from(body.inverse_mass).sqrt(),
            root_inverse_inertia: rotation * cholesky(matrix(&body.inverse_inertia)),
            linear: DVec3::ZERO,
            angular: DVec3::ZERO,
            start: Motion {
                position: vector(&body.position),
                linear: vector(&body.linear_velocity),
                angular: vector(&body.angular_velocity),
            },
            end: None,
        });
    }
}

/// The inertia is a multiple of the unit matrix.
fn has_equal_moments(i: &dMatrix3) -> bool {
    i[0] == i[5] && i[0] == i[10] && [i[1], i[2], i[4], i[6], i[8], i[9]] == [0.0; 6]
}

/// The gyroscopic torque of an implicit step, as ODE has it: `τ = (I (I − h [L]×)⁻¹ − 1) L / h`, `L = I ω`
/// (C. Lacoursière, "Stabilizing gyroscopic forces in rigid multibody simulations", 2006). It loses energy.
fn gyroscopic(inertia: DMat3, spin: DVec3, h: f64) -> DVec3 {
    let momentum = inertia * spin;
    let cross = DMat3::from_cols(
        DVec3::new(0.0, momentum.z, -momentum.y),
        DVec3::new(-momentum.z, 0.0, momentum.x),
        DVec3::new(momentum.y, -momentum.x, 0.0),
    );
    let system = inertia - cross * h;
    if system.determinant() == 0.0 {
        return DVec3::ZERO;
    }
    let torque = (inertia * system.inverse() - DMat3::IDENTITY) * (momentum / h);
    if torque.is_finite() { torque } else { DVec3::ZERO }
}

/// Velocities after forces: `v + h f / m`, `ω + h I⁻¹ τ`.
pub(super) unsafe fn velocities(islands: &Islands, bodies: &mut [StepBody], h: f64) {
    for (&id, step) in islands.bodies.iter().zip(bodies) {
        let body = &*id;
        let w = &step.root_inverse_inertia;
        step.linear = step.start.linear + vector(&body.force) * (h * f64::from(body.inverse_mass));
        step.angular = step.start.angular + *w * (w.transpose() * (vector(&body.torque) * h));
    }
}
