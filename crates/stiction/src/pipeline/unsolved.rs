//! Which islands sweeps leave unsolved.
//!
//! A joint whose rows the sweeps do not meet is an integral controller: its stored impulse grows by what is left of
//! the drift, step by step, and with it the energy. What a residual r of a row can do to the motion is `r / √A_ii`, in
//! the unit √J of `z = L v`; it is held against the whole of `z`.

use crate::constraint::{Island, Problem, RowKind};

/// Share of the island's motion that a joint's row may be wrong by.
const JOINT: f64 = 1e-5;
/// Share that a contact's normal may be wrong by, where contacts are those of the last step.
const NORMAL: f64 = 1e-2;

/// Some row of a joint is wrong by more than its share of the motion, or a contact that was there already.
pub(super) fn is_unsolved(
    problem: &Problem,
    island: &Island,
    capped: bool,
    is_settled: bool,
    z: &[f64],
    lambda: &[f64],
) -> bool {
    let span = island.z.start as usize..island.z.end as usize;
    let square = |z: &[f64]| z[span.clone()].iter().map(|z| z * z).sum::<f64>();
    let motion = square(&problem.z_free);
    (island.rows.start as usize..island.rows.end as usize).any(|i| {
        let row = &problem.rows[i];
        let share = match row.kind {
            RowKind::Joint | RowKind::Limit | RowKind::Motor | RowKind::Spring => JOINT,
            RowKind::Normal if is_settled => NORMAL,
            RowKind::Normal | RowKind::Friction => return false,
        };
        let residual = problem.residual(row, i, lambda, z, capped, false);
        // As `!(≤)`, so that what is no number is unsolved too.
        !(residual * residual <= share * share * motion * row.diagonal)
    })
}
