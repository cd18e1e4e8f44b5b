//! How deep loads rest, and the sub-steps that leave it at what a level of a pile may overlap.
//!
//! The bias of a rigid contact is a spring of the angular frequency ω of what it moves, `k = ω²/A`, so a load F rests `F A/ω²` deep. A patch of
//! four points of a body of mass m has `A = (1 + m r²/I)/4m` with what a point turns: `7/4m` for a thin plate on the ground, and twice
//! that between two of them. For each weight `m g` that a level carries, it overlaps by `g/ω²` so many times. That is the square of the length of
//! a sub-step: at 1/240 s four are enough. Columns of such springs also buckle slowly where these are soft, and stay put where they are not.

use crate::model::WorldParameters;

/// Overlap at rest for each weight that a level carries \[m\].
const ALLOWED: f64 = 1e-4;
/// Overlap by `g/ω²` for each weight, at most. It counts for a body alone too, or it would be lifted by what lands on it.
const OVERLAP: f64 = 3.5;

/// Sub-steps of a step in which bodies rest no deeper than they may, by those of the parameters: at least one.
pub(super) fn factor(parameters: &WorldParameters, step: f64) -> f64 {
    let usual = f64::from(parameters.substeps.max(1));
    let frequency = (OVERLAP * parameters.gravity.length() / ALLOWED).sqrt();
    // Without stiffness none are enough.
    (frequency / parameters.contact_frequency(step / usual)).max(1.0)
}
