//! Damping, added mass and current of the water around a link (`Hydrodynamics`, Fossen's equations).

use stiction::math::DVec3;

use super::super::Simulation;
use super::axis::Part;
use super::{Acts, Visit};
use crate::plugins::HydrodynamicsDescription;

type Six = [f64; 6];

/// A link in water.
#[derive(Clone)]
pub(super) struct Hydrodynamics {
    part: Option<Part>,
    hydro: HydrodynamicsDescription,
    /// Motion in the link's axes at the last step, and the force of the added mass in it.
    last: Option<(Six, Six)>,
}

fn six(a: DVec3, b: DVec3) -> Six {
    [a.x, a.y, a.z, b.x, b.y, b.z]
}

fn halves(v: &Six) -> (DVec3, DVec3) {
    (DVec3::new(v[0], v[1], v[2]), DVec3::new(v[3], v[4], v[5]))
}

fn times(m: &[Six; 6], v: &Six) -> Six {
    std::array::from_fn(|i| m[i].iter().zip(v).map(|(a, b)| a * b).sum())
}

/// Solves `m x = b` by elimination with pivots; `None` where m is singular.
fn solve(mut m: [Six; 6], mut b: Six) -> Option<Six> {
    for k in 0..6 {
        let pivot = (k..6).max_by(|i, j| m[*i][k].abs().total_cmp(&m[*j][k].abs()))?;
        m.swap(k, pivot);
        b.swap(k, pivot);
        if m[k][k] == 0.0 || !m[k][k].is_finite() {
            return None;
        }
        for i in k + 1..6 {
            let factor = m[i][k] / m[k][k];
            for j in k..6 {
                m[i][j] -= factor * m[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..6).rev() {
        let rest: f64 = (k + 1..6).map(|j| m[k][j] * b[j]).sum();
        b[k] = (b[k] - rest) / m[k][k];
    }
    Some(b)
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

    /// Force of the added mass. The acceleration of a step shows what all other forces are, `R = M ν̇ − F_last`; with the
    /// added mass they give `ν̇ = (M + M_A)⁻¹ R`, so that the force is `−M_A (M + M_A)⁻¹ R` for any ratio of the two.
    fn added(&self, simulation: &Simulation, part: Part, mass: &[Six; 6], motion: &Six, step: f64) -> Six {
        let Some((last, force)) = &self.last else { return [0.0; 6] };
        let Some(body) = simulation.world.body(part.body) else { return [0.0; 6] };
        let own = body.mass_properties();
        let mut total = *mass;
        for i in 0..3 {
            total[i][i] += own.mass;
            for j in 0..3 {
                total[3 + i][3 + j] += own.inertia.col(j)[i];
            }
        }
        let rate: Six = std::array::from_fn(|i| (motion[i] - last[i]) / step);
        let (linear, angular) = halves(&rate);
        let rest = six(own.mass * linear, own.inertia * angular);
        let rest: Six = std::array::from_fn(|i| rest[i] - force[i]);
        let Some(answer) = solve(total, rest) else { return [0.0; 6] };
        times(mass, &answer).map(|f| -f)
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
        let damping = turned(&self.damping(&motion));
        part.resist(simulation, damping, [velocity - self.hydro.current, omega], pose.position, step);
        if let Some(mass) = &self.hydro.added_mass {
            let mass = mass.map(|row| row.map(|m| -m));
            let added = self.added(simulation, part, &mass, &motion, step);
            let [force, torque] = turned(&added);
            part.push(simulation, force, torque, pose.position);
            if self.hydro.coriolis {
                let [force, torque] = turned(&Self::coriolis(&mass, &motion).map(|f| -f));
                part.push(simulation, force, torque, pose.position);
            }
            self.last = Some((motion, added));
        }
    }

    fn visit(&mut self, visit: Visit) {
        let mut has_last = self.last.is_some();
        super::visit_flag(&mut has_last, visit);
        let (mut motion, mut force) = self.last.unwrap_or_default();
        motion.iter_mut().chain(&mut force).for_each(visit);
        self.last = has_last.then_some((motion, force));
    }
}
