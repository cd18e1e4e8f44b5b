//! Pulls of forces, and the gyroscopic torque: in equal parts of a step, or from sub-step to sub-step of what turns far.

use glam::DVec3;

use super::bodies::SubstepBodies;
use super::parallel::pull_in_parallel;
use super::{Frame, three};
use crate::base::ThreadPool;
use crate::dynamics::gyroscopic::{Gyroscopic, free_spin};
use crate::solvers::soft::{BODY_RECORDS, Record};

/// Turn in a step from which on the gyroscopic torque follows the motion from sub-step to sub-step \[rad\]: equal parts of a step's
/// would make energy.
pub(super) const FAR: f64 = 0.25;

/// Turn in a step by what contacts would change the spin in half of it from which on it does so too \[rad\]: it is a blow, which does not come
/// again, and with the torque of a spin ω + δ a body gains up to h δ of its energy.
const TURN_OF_BLOW: f64 = 0.01;

impl SubstepBodies {
    /// After the old impulses: the gyroscopic torque in equal parts, that of the middle velocity with half of what the contacts
    /// gave in the last step; then the first pull.
    pub(super) fn pull(&mut self, pool: &mut ThreadPool, frame: &Frame) {
        self.find_middle_spins(frame);
        let Self { z, held, pulls, records, spins, gyroscopic, .. } = self;
        let parts = f64::from(frame.substeps);
        pull_in_parallel(pool, [&mut z[..spins.len()], held, pulls], |first, z, held, pulls| {
            for (number, ((z, held), pull)) in z.iter_mut().zip(held).zip(pulls).enumerate() {
                let place = first + number;
                let spin = spins[place];
                if !spin.is_nan() {
                    let change = free_change(*gyroscopic, &records[BODY_RECORDS * place], spin, frame.step);
                    let change = three(change / parts);
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

    /// Spins at the start become those with half of what the contacts gave in the last step. What turns far has none: its torque
    /// does not come in equal parts.
    fn find_middle_spins(&mut self, frame: &Frame) {
        let Self { z, held, records, spins, fast, any_leads, islands, in_contact_space, .. } = self;
        fast.clear();
        if !*any_leads {
            return;
        }
        for (place, spin) in spins.iter_mut().enumerate().filter(|(_, spin)| !spin.is_nan()) {
            let given: [f64; 3] = std::array::from_fn(|e| z[place].0[3 + e] - held[place].0[3 + e]);
            let inverse_root = inverse_root_moments(&records[BODY_RECORDS * place]);
            let change = 0.5 * (DVec3::from_array(given) * inverse_root * f64::from(frame.substeps));
            let middle = *spin + change;
            let is_far = frame.step * spin.length().max(middle.length()) > FAR;
            let is_followed = !in_contact_space[islands[place] as usize];
            *spin = if !is_followed {
                // The torque comes in equal parts, a blow or not.
                if is_far || frame.step * change.length() > TURN_OF_BLOW { *spin } else { middle }
            } else if is_far || frame.step * change.length() > TURN_OF_BLOW {
                fast.push(place as u32);
                DVec3::NAN
            } else {
                middle
            };
        }
    }

    /// After a pull: the gyroscopic torque of a sub-step on what turns far in a step.
    pub(super) fn turn_fast(&mut self, part: f64) {
        for place in &self.fast {
            let place = *place as usize;
            let record = &self.records[BODY_RECORDS * place];
            let held = &self.held[place].0;
            let spin = DVec3::new(held[3], held[4], held[5]) * inverse_root_moments(record);
            let change = three(free_change(self.gyroscopic, record, spin, part));
            for e in 0..3 {
                self.z[place].0[3 + e] += change[e];
                self.held[place].0[3 + e] += change[e];
            }
        }
    }
}

/// `1/√I` about the principal axes, of the first record of a body.
fn inverse_root_moments(record: &Record) -> DVec3 {
    DVec3::new(record.0[4], record.0[5], record.0[6])
}

/// What the gyroscopic torque changes a spin by in some time, in whitened coordinates.
fn free_change(rule: Gyroscopic, record: &Record, spin: DVec3, time: f64) -> DVec3 {
    let inverse_root = inverse_root_moments(record);
    let moments = 1.0 / (inverse_root * inverse_root);
    (free_spin(rule, moments, spin, DVec3::ZERO, time).after - spin) / inverse_root
}
