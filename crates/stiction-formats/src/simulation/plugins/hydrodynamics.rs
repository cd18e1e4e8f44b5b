//! Damping, added mass and current of the water around a link (`Hydrodynamics`, Fossen's equations).

use stiction::math::DVec3;

use super::super::Simulation;
use super::axis::Part;
use super::six::{Six, dot, halves, six, solve, times};
use super::{Acts, Visit};
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

    /// Coriolis force of the diagonal of the added mass, `C(ν) ν`; the mass is positive here.
    fn coriolis(mass: &[Six; 6], motion: &Six) -> Six {
        let m: Six = std::array::from_fn(|i| mass[i][i]);
        let (v, w) = halves(motion);
        let momentum = DVec3::new(m[0] * v.x, m[1] * v.y, m[2] * v.z);
        let angular = DVec3::new(m[3] * w.x, m[4] * w.y, m[5] * w.z);
        six(w.cross(momentum), v.cross(momentum) + w.cross(angular))
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
    fn before(&mut self, simulation: &mut Simulation, step: f64) {
        let Some(part) = self.part else { return };
        let pose = part.pose(simulation);
        let (velocity, omega) = part.velocity(simulation);
        let back = pose.rotation.conjugate();
        let motion = six(back * (velocity - self.hydro.current), back * omega);
        let turned = |force: &Six| {
            let (force, torque) = halves(force);
            [pose.rotation * force, pose.rotation * torque]
        };
        let Some(mass) = &self.hydro.added_mass else {
            let damping = turned(&self.damping(&motion));
            part.resist(simulation, damping, [velocity - self.hydro.current, omega], pose.position, step);
            return;
        };
        let mass = mass.map(|row| row.map(|m| -m));
        let own = Self::inertia(simulation, part);
        let Some(force) = own.and_then(|own| self.with_mass(&own, &mass, &motion, step)) else { return };
        let [turned_force, torque] = turned(&force);
        part.push(simulation, turned_force, torque, pose.position);
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
