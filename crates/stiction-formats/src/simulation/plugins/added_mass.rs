//! Inertia of the fluid that a link moves (`<fluid_added_mass>`): Kirchhoff's equations.
//!
//! With `M` the spatial inertia of the body and `M_A` that of the fluid, body and fluid have the momentum `(M + M_A) ν`, of which the
//! share `M_A ν` is the fluid's (Lamb, *Hydrodynamics*, 1932, §124; Fossen 2011, 6.3). Seen from the world this momentum is changed only by
//! forces from outside, and gravity is such a force on the mass of the body alone. The Coriolis forces of the added mass are in this
//! statement: in the axes of the body they come from the turning axes.

use stiction::dynamics::rotation::cayley;
use stiction::math::{DMat3, DQuat, DVec3};
use stiction::world::{BodyId, BodyRef, TimeAdvancement};

use super::super::Simulation;
use super::six::{Six, halves, six, solve, times};
use super::{Acts, Visit};
use crate::description::WorldDescription;

/// The fluid around a body.
#[derive(Clone)]
pub(super) struct AddedMass {
    body: BodyId,
    /// Of the fluid, about the centre of mass of the body and in its axes.
    added: [Six; 6],
    /// Inverse of the inertia of body and fluid.
    inverse: [Six; 6],
    given: Option<Momentum>,
}

/// Momentum that the body has given to the fluid.
#[derive(Clone, Copy, Default)]
struct Momentum {
    linear: DVec3,
    /// About `point`.
    angular: DVec3,
    point: DVec3,
}

/// Motion at the end of a step.
struct Ahead {
    rotation: DQuat,
    velocity: DVec3,
    /// In the axes of the body.
    spin: DVec3,
    /// Turn of the body in the step, in its axes at the start, as an argument of `cayley`.
    turn: DVec3,
}

/// Rounds in which the motion at the end of a step is found; each gains the digits of a turn in a step.
const ROUNDS: usize = 12;

/// The fluid around all links that have some; links of one body are taken together.
pub(super) fn of_links(simulation: &Simulation, description: &WorldDescription) -> Vec<AddedMass> {
    let mut bodies: Vec<(BodyId, [Six; 6])> = Vec::new();
    for (index, link) in description.links.iter().enumerate() {
        let simulated = &simulation.links[index];
        let (Some(matrix), Some(id)) = (&link.inertial.fluid_added_mass, simulated.body) else { continue };
        let Some(body) = simulation.world.body(id) else { continue };
        let center = body.mass_properties().center_of_mass;
        let own = moved(matrix, DMat3::from_quat(simulated.pose.rotation), simulated.pose.position - center);
        match bodies.iter_mut().find(|(other, _)| *other == id) {
            Some((_, sum)) => sum.iter_mut().flatten().zip(own.as_flattened()).for_each(|(sum, own)| *sum += own),
            None => bodies.push((id, own)),
        }
    }
    bodies.into_iter().filter_map(|(body, added)| AddedMass::new(simulation, body, added)).collect()
}

/// `Xᵀ M X` with the velocity `X ν` of the link's frame in its axes: `v' = Rᵀ (v + ω × p)`, `ω' = Rᵀ ω`.
pub(super) fn moved(matrix: &[Six; 6], axes: DMat3, offset: DVec3) -> [Six; 6] {
    let back = axes.transpose();
    let columns: [Six; 6] = std::array::from_fn(|k| {
        let mut unit = [0.0; 6];
        unit[k] = 1.0;
        let (v, w) = halves(&unit);
        let (force, torque) = halves(&times(matrix, &six(back * (v + w.cross(offset)), back * w)));
        let force = axes * force;
        six(force, axes * torque + offset.cross(force))
    });
    std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]))
}

impl AddedMass {
    fn new(simulation: &Simulation, body: BodyId, added: [Six; 6]) -> Option<Self> {
        let own = simulation.world.body(body)?.mass_properties();
        let mut total = added;
        for i in 0..3 {
            total[i][i] += own.mass;
            for j in 0..3 {
                total[3 + i][3 + j] += own.inertia.col(j)[i];
            }
        }
        let mut columns = [[0.0; 6]; 6];
        for (k, column) in columns.iter_mut().enumerate() {
            let mut unit = [0.0; 6];
            unit[k] = 1.0;
            *column = solve(total, unit)?;
        }
        let inverse = std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]));
        Some(Self { body, added, inverse, given: None })
    }

    /// Momentum of the fluid about the centre of mass, world axes, at a motion of the body.
    fn momentum(&self, rotation: DQuat, velocity: DVec3, spin: DVec3) -> (DVec3, DVec3) {
        let (linear, angular) = halves(&times(&self.added, &six(rotation.conjugate() * velocity, spin)));
        (rotation * linear, rotation * angular)
    }

    /// Motion after a step that leaves body and fluid with a momentum, whose angular part is about the centre of mass at the
    /// start. The body turns by Cayley's map, as the engine turns it, and the moment goes with the mean velocity: of second order in
    /// the energy. The engine moves the centre by the new velocity, half a step ahead of that, always by the same rule.
    fn ahead(&self, body: &BodyRef<'_>, linear: DVec3, angular: DVec3, step: f64) -> Ahead {
        let start = body.pose().rotation;
        let before = start.conjugate() * body.omega();
        let half = 0.5 * step * before.length();
        let stretched = if half > 0.0 && half < 1.0 { step * libm::tan(half) / half } else { step };
        let (mut rotation, mut velocity, mut spin, mut turn) = (start, body.velocity(), before, DVec3::ZERO);
        for _ in 0..ROUNDS {
            turn = 0.5 * stretched * (before + spin);
            rotation = start * cayley(turn);
            let path = 0.5 * step * (body.velocity() + velocity);
            let about_center = angular - path.cross(linear);
            let back = rotation.conjugate();
            let (v, w) = halves(&times(&self.inverse, &six(back * linear, back * about_center)));
            let is_found = (w - spin).abs().max_element() <= 1e-15 * w.abs().max_element() && rotation * v == velocity;
            (velocity, spin) = (rotation * v, w);
            if is_found {
                break;
            }
        }
        Ahead { rotation, velocity, spin, turn }
    }
}

impl Acts for AddedMass {
    /// What body and fluid have together, with the known forces, tells the motion at the end of the step, and that the momentum that
    /// the fluid then has; the body gives it the difference. Forces that the step finds (of contacts and joints) reach the fluid in the
    /// next one: nothing of the sum is lost.
    fn before(&mut self, simulation: &mut Simulation, step: f64) {
        if simulation.world.parameters.time == TimeAdvancement::Continuous {
            return;
        }
        let gravity = simulation.world.parameters.gravity;
        let Some(body) = simulation.world.body(self.body).filter(BodyRef::is_enabled) else { return };
        let (center, rotation) = (body.center_of_mass(), body.pose().rotation);
        let (mass, inertia) = (body.mass(), body.mass_properties().inertia);
        let spin = rotation.conjugate() * body.omega();
        let given = self.given.unwrap_or_else(|| {
            let (linear, angular) = self.momentum(rotation, body.velocity(), spin);
            Momentum { linear, angular, point: center }
        });
        let given_angular = given.angular + (given.point - center).cross(given.linear);
        let weight = if body.gravity() { mass * gravity } else { DVec3::ZERO };
        let own_spin = rotation * (inertia * spin);
        let linear = mass * body.velocity() + given.linear + step * (body.force() + weight);
        let angular = own_spin + given_angular + step * body.torque();
        let ahead = self.ahead(&body, linear, angular, step);
        let (fluid, fluid_spin) = self.momentum(ahead.rotation, ahead.velocity, ahead.spin);
        let point = center + step * ahead.velocity;
        // The torque acts through a turning body: of an impulse J (axes at the start) the midpoint rule with Cayley's map makes
        // `(1 − b×)⁻¹ J` with half the turn b, and so `J − b × J` makes J.
        let wanted = rotation.conjugate() * (ahead.rotation * (inertia * ahead.spin) - own_spin);
        let push = wanted - (0.5 * ahead.turn).cross(wanted);
        let force = (given.linear - fluid) / step;
        let torque = rotation * push / step - body.torque();
        if !(force.is_finite() && torque.is_finite()) {
            return;
        }
        if let Some(mut body) = simulation.world.body_mut(self.body) {
            body.add_force(force);
            body.add_torque(torque);
        }
        self.given = Some(Momentum { linear: fluid, angular: fluid_spin, point });
    }

    fn fluid(&self, _simulation: &Simulation) -> Option<(BodyId, [Six; 6])> {
        Some((self.body, self.added))
    }

    fn visit(&mut self, visit: Visit) {
        let mut has_given = self.given.is_some();
        super::visit_flag(&mut has_given, visit);
        let mut given = self.given.unwrap_or_default();
        for vector in [&mut given.linear, &mut given.angular, &mut given.point] {
            [&mut vector.x, &mut vector.y, &mut vector.z].into_iter().for_each(&mut *visit);
        }
        self.given = has_given.then_some(given);
    }
}
