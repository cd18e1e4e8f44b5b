//! Damping, added mass and current of the water around a link (`Hydrodynamics`, Fossen's equations).

use stiction::math::DMat3;
use stiction::world::{BodyId, TimeAdvancement};

use super::super::Simulation;
use super::axis::Part;
use super::six::{Six, dot, halves, six, solve, times};
use super::{Acts, Around, Visit};
use crate::plugins::HydrodynamicsDescription;

/// A link in water.
#[derive(Clone)]
pub(super) struct Hydrodynamics {
    part: Option<Part>,
    hydro: HydrodynamicsDescription,
    /// Motion in the link's axes at the last step, and the force in it; where there is added mass.
    last: Option<(Six, Six)>,
}

impl Hydrodynamics {
    pub(super) fn new(simulation: &Simulation, hydro: &HydrodynamicsDescription) -> Self {
        Self { part: Part::new(simulation, hydro.link), hydro: hydro.clone(), last: None }
    }

    /// `(D_l + Σ D_q |ν| + Σ D_p ν) ν`, whose coefficients are negative where they damp.
    fn damping(&self, motion: &Six) -> Six {
        let mut force = times(&self.hydro.linear, motion);
        for ([i, j, k], c) in &self.hydro.quadratic_abs {
            force[*i] += c * motion[*j] * motion[*k].abs();
        }
        for ([i, j, k], c) in &self.hydro.quadratic {
            force[*i] += c * motion[*j] * motion[*k];
        }
        force
    }

    /// Added mass, positive; its symmetric part, which alone has an energy.
    fn symmetric_mass(&self) -> Option<[Six; 6]> {
        let mass = self.hydro.added_mass.as_deref()?;
        Some(std::array::from_fn(|i| std::array::from_fn(|j| -0.5 * (mass[i][j] + mass[j][i]))))
    }

    /// `ω × p`, `v × p + ω × l` of a momentum in turning axes.
    fn turning(momentum: &Six, motion: &Six) -> Six {
        let ((p, l), (v, w)) = (halves(momentum), halves(motion));
        six(w.cross(p), v.cross(p) + w.cross(l))
    }

    /// Coriolis force of the diagonal of the added mass, `C(ν) ν`; the mass is positive here.
    fn coriolis(mass: &[Six; 6], motion: &Six) -> Six {
        Self::turning(&std::array::from_fn(|i| mass[i][i] * motion[i]), motion)
    }

    /// Spatial inertia of the link's body about the origin of the link, in its axes.
    fn inertia(simulation: &Simulation, part: Part) -> Option<[Six; 6]> {
        let own = simulation.world.body(part.body)?.mass_properties();
        let (m, c) = (own.mass, own.center_of_mass);
        let about_origin = own.inertia_about_origin();
        let cross = [[0.0, -c.z, c.y], [c.z, 0.0, -c.x], [-c.y, c.x, 0.0]];
        let mut inertia = [[0.0; 6]; 6];
        for i in 0..3 {
            inertia[i][i] = m;
            for j in 0..3 {
                inertia[3 + i][3 + j] = about_origin.col(j)[i];
                inertia[3 + i][j] = m * cross[i][j];
                inertia[j][3 + i] = m * cross[i][j];
            }
        }
        Some(inertia)
    }

    /// Force with added mass. The acceleration of a step shows what all other forces are, `R = M ν̇ − F_last`; with damping and
    /// Coriolis forces W they give `ν̇ = (M + M_A)⁻¹ (R + W)`, and the force that makes it so is `M ν̇ − R`, for any ratio of
    /// the masses. Within a step W is taken at its beginning: damping then takes no more than all of the motion, and the
    /// Coriolis force keeps the energy of motion and fluid.
    fn with_mass(&self, own: &[Six; 6], mass: &[Six; 6], motion: &Six, step: f64) -> Option<Six> {
        let total: [Six; 6] = std::array::from_fn(|i| std::array::from_fn(|j| own[i][j] + mass[i][j]));
        let damping = self.damping(motion);
        let answer = solve(total, damping)?;
        let (power, most) = (dot(&damping, motion), step * dot(&damping, &answer));
        let share = if power < 0.0 && most > 0.0 { (-power / most).min(1.0) } else { 1.0 };
        let mut known = damping.map(|f| share * f);
        if self.hydro.coriolis {
            let kick = solve(total, Self::coriolis(mass, motion))?;
            let turned: Six = std::array::from_fn(|i| motion[i] - step * kick[i]);
            let [before, after] = [motion, &turned].map(|v| dot(v, &times(&total, v)));
            let scale = if after > 0.0 && before > 0.0 { libm::sqrt(before / after) } else { 1.0 };
            let rate: Six = std::array::from_fn(|i| (scale * turned[i] - motion[i]) / step);
            let force = times(&total, &rate);
            known = std::array::from_fn(|i| known[i] + force[i]);
        }
        let rest = match &self.last {
            Some((last, force)) => {
                let seen = times(own, &std::array::from_fn(|i| (motion[i] - last[i]) / step));
                std::array::from_fn(|i| seen[i] - force[i])
            }
            None => [0.0; 6],
        };
        let rate = solve(total, std::array::from_fn(|i| rest[i] + known[i]))?;
        let wanted = times(own, &rate);
        Some(std::array::from_fn(|i| wanted[i] - rest[i]))
    }
}

impl Acts for Hydrodynamics {
    fn has_field(&self) -> bool {
        true
    }

    /// Damping, where no step has to take it together with added mass. Continuous time has the inertia of the fluid with all of
    /// its Coriolis forces, for which the equations here have those of the diagonal, at the motion in the water, or none.
    fn field(&self, around: &mut Around) {
        let is_step = matches!(around, Around::Step(..));
        let Some(part) = self.part.filter(|_| !is_step || self.hydro.added_mass.is_none()) else { return };
        let pose = around.pose(part);
        let (velocity, omega) = around.velocity(part);
        let back = pose.rotation.conjugate();
        let motion = six(back * (velocity - self.hydro.current), back * omega);
        let mut force = self.damping(&motion);
        if let Some(mass) = self.symmetric_mass() {
            let absolute = six(back * velocity, back * omega);
            let of_fluid = Self::turning(&times(&mass, &absolute), &absolute);
            let wanted = if self.hydro.coriolis { Self::coriolis(&mass, &motion) } else { [0.0; 6] };
            force = std::array::from_fn(|i| force[i] + of_fluid[i] - wanted[i]);
        }
        let (force, torque) = halves(&force);
        let damping = [pose.rotation * force, pose.rotation * torque];
        around.resist(part, damping, [velocity - self.hydro.current, omega], pose.position);
    }

    fn fluid(&self, simulation: &Simulation) -> Option<(BodyId, [Six; 6])> {
        let (part, mass) = (self.part?, self.symmetric_mass()?);
        let in_body = &simulation.links[part.link].pose;
        let center = simulation.world.body(part.body)?.mass_properties().center_of_mass;
        let axes = DMat3::from_quat(in_body.rotation);
        Some((part.body, super::added_mass::moved(&mass, axes, in_body.position - center)))
    }

    fn before(&mut self, simulation: &mut Simulation, step: f64) {
        if simulation.world.parameters.time == TimeAdvancement::Continuous {
            return;
        }
        let (Some(part), Some(mass)) = (self.part, &self.hydro.added_mass) else { return };
        let pose = part.pose(simulation);
        let (velocity, omega) = part.velocity(simulation);
        let back = pose.rotation.conjugate();
        let motion = six(back * (velocity - self.hydro.current), back * omega);
        let mass = mass.map(|row| row.map(|m| -m));
        let own = Self::inertia(simulation, part);
        let Some(force) = own.and_then(|own| self.with_mass(&own, &mass, &motion, step)) else { return };
        let (push, torque) = halves(&force);
        part.push(simulation, pose.rotation * push, pose.rotation * torque, pose.position);
        self.last = Some((motion, force));
    }

    fn visit(&mut self, visit: Visit) {
        let mut has_last = self.last.is_some();
        super::visit_flag(&mut has_last, visit);
        let (mut motion, mut force) = self.last.unwrap_or_default();
        motion.iter_mut().chain(&mut force).for_each(visit);
        self.last = has_last.then_some((motion, force));
    }
}
