//! Pulls of forces, and the gyroscopic torque: in equal parts of a step, or from sub-step to sub-step of what turns far.

use glam::DVec3;

use super::bodies::SubstepBodies;
use super::side_by_side::pull_side_by_side;
use super::{Frame, three};
use crate::base::Team;
use crate::dynamics::gyroscopic::{Gyroscopic, free_spin};
use crate::solvers::soft::{BODY_RECORDS, Record};

/// Turn in a step from which on the gyroscopic torque follows the motion from sub-step to sub-step \[rad\]: equal parts of a step's
/// would make energy.
const FAR: f64 = 0.25;

impl SubstepBodies {
    /// After the old impulses: the gyroscopic torque in equal parts, that of the middle velocity with half of what the contacts
    /// gave in the last step; then the first pull.
    pub(super) fn pull(&mut self, team: &mut Team, frame: &Frame) {
        self.leave_fast(frame);
        let Self { z, held, pulls, records, spins, gyroscopic, .. } = self;
        pull_side_by_side(team, [&mut z[..spins.len()], held, pulls], |first, z, held, pulls| {
            for (number, ((z, held), pull)) in z.iter_mut().zip(held).zip(pulls).enumerate() {
                let place = first + number;
                let spin = spins[place];
                if !spin.is_nan() {
                    let own = (&records[BODY_RECORDS * place], spin);
                    let change = gyroscopic_change(*gyroscopic, own, [z, held], frame);
                    for e in 0..3 {
                        pull.0[3 + e] += change[e];
                    }
                }
                for e in 0..8 {
                    z.0[e] += pull.0[e];
                    held.0[e] += pull.0[e];
                }
            }
        });
    }

    /// Takes what turns far out of those whose torque comes in equal parts.
    fn leave_fast(&mut self, frame: &Frame) {
        self.fast.clear();
        if !self.any_leads {
            return;
        }
        for (place, spin) in self.spins.iter_mut().enumerate().filter(|(_, spin)| !spin.is_nan()) {
            let middle =
                middle_spin(&self.records[BODY_RECORDS * place], *spin, [&self.z[place], &self.held[place]], frame);
            if frame.step * spin.length().max(middle.length()) > FAR {
                self.fast.push(place as u32);
                *spin = DVec3::NAN;
            }
        }
    }

    /// After a pull: the gyroscopic torque of a sub-step on what turns far in a step.
    pub(super) fn turn_fast(&mut self, part: f64) {
        for place in &self.fast {
            let place = *place as usize;
            let inverse = &self.records[BODY_RECORDS * place].0;
            let inverse_root = DVec3::new(inverse[4], inverse[5], inverse[6]);
            let held = &self.held[place].0;
            let spin = DVec3::new(held[3], held[4], held[5]) * inverse_root;
            let moments = 1.0 / (inverse_root * inverse_root);
            let after = free_spin(self.gyroscopic, moments, spin, DVec3::ZERO, part).after;
            let change = three((after - spin) / inverse_root);
            for e in 0..3 {
                self.z[place].0[3 + e] += change[e];
                self.held[place].0[3 + e] += change[e];
            }
        }
    }
}

/// Spin of a body with half of what the contacts gave in the last step, principal axes.
fn middle_spin(record: &Record, spin: DVec3, [z, held]: [&Record; 2], frame: &Frame) -> DVec3 {
    let inverse_root = DVec3::new(record.0[4], record.0[5], record.0[6]);
    let given: [f64; 3] = std::array::from_fn(|e| z.0[3 + e] - held.0[3 + e]);
    spin + 0.5 * (DVec3::from_array(given) * inverse_root * f64::from(frame.substeps))
}

/// What the gyroscopic torque gives a body in a sub-step, in whitened coordinates.
fn gyroscopic_change(
    rule: Gyroscopic,
    (record, spin): (&Record, DVec3),
    velocities: [&Record; 2],
    frame: &Frame,
) -> [f64; 3] {
    let inverse_root = DVec3::new(record.0[4], record.0[5], record.0[6]);
    let moments = 1.0 / (inverse_root * inverse_root);
    let middle = middle_spin(record, spin, velocities, frame);
    let change = free_spin(rule, moments, middle, DVec3::ZERO, frame.step).after - middle;
    three(change / inverse_root / f64::from(frame.substeps))
}
