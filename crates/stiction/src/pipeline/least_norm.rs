//! Redundant contacts share a load by equal compliance.
//!
//! Rigid contacts in more places than hold a machine have many solutions, of which a solver finds one by its history, or by
//! roundings of their depths: wheels are left without weight. All normals between the same two machines get one compliance,
//! which chooses the solution of least norm, `min Σ λ²` (Tikhonov): equal feet carry equal loads, and nothing wanders between
//! them. With the least of two,
//!
//! ```text
//! Γ = c / mean(1 / A_ii),   Γ = erp δ / (h max λ),
//! ```
//!
//! a contact that hits gives way by the share c of its speed, and one that rests, at the depth `Γ λ h / erp`, by no more than δ,
//! whatever it carries; differences of depths that are less than that do not decide which contact carries it.

use super::detect::{ContactInput, Manifold};
use super::machines::Machines;
use super::pair_laws::PairLaw;
use crate::constraint::Problem;
use crate::material::NormalLaw;
use crate::model::{HybridRule, SolverKind, WorldParameters};

/// The share c. A sweep takes about `c ω` off what is not of least norm.
const SHARE: f64 = 1e-3;
/// The depth δ \[m\].
const DEPTH: f64 = 1e-5;
/// Share of a bound on the correcting velocity that the compliance may take up at most: what gives way by more sinks for ever.
const OF_CORRECTION: f64 = 0.1;
/// A row that gives way by more of its diagonal has decided by itself where it is solved exactly. Sweeps come to no end by less
/// than c.
pub(super) const DECIDED: f64 = 1e-9;

/// A normal of an island: the two machines, its manifold and its row.
type Entry = ([u32; 2], u32, u32);

/// Normals of an island; memory that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedLoads {
    entries: Vec<Entry>,
}

impl SharedLoads {
    /// Begins an island.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Adds a normal. Smooth laws and SPOOK have decided by themselves, and a user's own contact has the law that it was given.
    pub(super) fn push(
        &mut self,
        machines: &Machines,
        contact: &ContactInput,
        (manifold, law): (&Manifold, &PairLaw),
        row: u32,
    ) {
        let is_rigid = matches!(law.surface.normal, NormalLaw::ErpCfm { .. } | NormalLaw::Spring { .. });
        if is_rigid && manifold.user_contact.is_none() {
            let [a, b] = contact.bodies.map(|body| machines.find(body));
            self.entries.push(([a.min(b), a.max(b)], contact.manifold, row));
        }
    }

    /// Gives the normals of each group of manifolds their compliance; `guess` are the impulses of the last step. The points of a
    /// lone manifold are evened out before ([`crate::contact::spread`]).
    pub(super) fn soften(&mut self, parameters: &WorldParameters, guess: &[f64], problem: &mut Problem) {
        let is_exact = parameters.solver == SolverKind::Direct || parameters.hybrid == HybridRule::On;
        self.entries.sort_unstable();
        for group in self.entries.chunk_by(|a, b| a.0 == b.0) {
            if group.first().map(|entry| entry.1) == group.last().map(|entry| entry.1) {
                continue;
            }
            let (mut masses, mut count, mut load) = (0.0, 0.0, 0.0f64);
            for row in group.iter().map(|entry| entry.2 as usize).filter(|row| problem.rows[*row].diagonal > 0.0) {
                (masses, count) = (masses + 1.0 / problem.rows[row].diagonal, count + 1.0);
                load = load.max(guess[row]);
            }
            let compliance = compliance(parameters, problem.step, (count, masses), load);
            for (_, _, row) in group {
                let row = &mut problem.rows[*row as usize];
                if row.diagonal <= 0.0 {
                    continue;
                }
                let least = if is_exact { DECIDED * row.diagonal } else { compliance };
                // The bound on a correction is one of a rigid row.
                if row.compliance < least && row.target <= row.cap {
                    row.diagonal += compliance - row.compliance;
                    row.compliance = compliance;
                }
            }
        }
    }
}

/// Compliance of a number of normals between the same two machines, of the sum of their effective masses `1 / A_ii` and their largest
/// impulse in the last step.
pub(super) fn compliance(parameters: &WorldParameters, step: f64, (count, masses): (f64, f64), load: f64) -> f64 {
    let velocity = (parameters.erp * DEPTH / step).min(OF_CORRECTION * parameters.contact_max_correcting_velocity);
    (SHARE * count / masses).min(velocity / load)
}
