//! Energy and momentum of a world, from what every user can read of its bodies and joints.

use stiction::math::DVec3;
use stiction::world::{BodyId, BodyKind, World};
use stiction::{EnergyBalance, StepReport};

/// Mechanical energy and what it is measured against.
#[derive(Clone, Copy, Debug, Default)]
pub struct Energy {
    /// Kinetic \[J\].
    pub kinetic: f64,
    /// Of gravity, zero at the world's origin \[J\].
    pub potential: f64,
    /// Of the springs of joints \[J\].
    pub springs: f64,
}

impl Energy {
    /// Sum \[J\].
    #[must_use]
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.springs
    }
}

/// Energy of the dynamic bodies that are awake or asleep, and of joint springs.
#[must_use]
pub fn energy(world: &World) -> Energy {
    let mut energy = Energy::default();
    for body in world.body_ids().filter_map(|id| world.body(id)) {
        if body.kind() != BodyKind::Dynamic {
            continue;
        }
        let (v, omega) = (body.velocity(), body.omega());
        energy.kinetic += 0.5 * body.mass() * v.dot(v) + 0.5 * omega.dot(body.world_inertia() * omega);
        if body.gravity() {
            energy.potential -= body.mass() * world.parameters.gravity.dot(body.center_of_mass());
        }
    }
    // A spring between bodies that are moved by hand is part of no balance.
    let is_dynamic = |body: &BodyId| world.body(*body).is_some_and(|b| b.kind() == BodyKind::Dynamic);
    for joint in world.joint_ids().filter_map(|id| world.joint(id)) {
        if !joint.definition().bodies.iter().flatten().any(is_dynamic) {
            continue;
        }
        for axis in 0..joint.motion_count() {
            let p = joint.definition().parameters[axis];
            let stretch = joint.position(axis) - p.spring_reference;
            energy.springs += 0.5 * p.stiffness * stretch * stretch;
        }
    }
    energy
}

/// Linear momentum, and angular momentum about the world's origin, of the dynamic bodies.
#[must_use]
pub fn momentum(world: &World) -> (DVec3, DVec3) {
    let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
    for body in world.body_ids().filter_map(|id| world.body(id)) {
        if body.kind() == BodyKind::Dynamic {
            let p = body.mass() * body.velocity();
            linear += p;
            angular += body.center_of_mass().cross(p) + body.world_inertia() * body.omega();
        }
    }
    (linear, angular)
}

/// A size of the energies at play \[J\]: the kinetic energy that there was, and what one radian or half a metre of fall
/// would be worth.
#[must_use]
pub fn reach(world: &World) -> f64 {
    let gravity = world.parameters.gravity.length();
    let mass: f64 = world
        .body_ids()
        .filter_map(|id| world.body(id))
        .filter(|b| b.kind() == BodyKind::Dynamic && b.gravity())
        .map(|b| b.mass())
        .sum();
    0.5 * mass * gravity
}

/// Most power of the motors at the present rates, `Σ F |q̇|` \[W\].
#[must_use]
pub fn motor_power(world: &World) -> f64 {
    let mut power = 0.0;
    for joint in world.joint_ids().filter_map(|id| world.joint(id)) {
        for axis in 0..joint.motion_count() {
            let force = joint.definition().parameters[axis].motor.max_force;
            if force > 0.0 {
                power += force * joint.rate(axis).abs();
            }
        }
    }
    power
}

/// Error of the change of energy that a report gives, over the largest energy of any kind, which is brought forward;
/// `None` where the step keeps no balance.
#[must_use]
pub fn closure(report: &StepReport, before: &Energy, now: &Energy, largest: &mut f64) -> Option<f64> {
    if report.energy == EnergyBalance::default() {
        return None;
    }
    let parts = [before, now].into_iter().flat_map(|e| [e.kinetic, e.potential, e.springs]);
    *largest = parts.fold(largest.max(f64::MIN_POSITIVE), |largest, part| largest.max(part.abs()));
    Some((report.energy.change - (now.total() - before.total())).abs() / *largest)
}
