//! Which islands sweeps leave unsolved.
//!
//! A joint whose rows the sweeps do not meet is an integral controller: its stored impulse grows by what is left of
//! the drift, step by step, and with it the energy. A stack whose normals they do not meet sways and creeps. What a
//! residual r of a row can do to the motion is `r / √A_ii`, in the unit √J of `z = L v`; it is held against the whole of
//! `z`.

use crate::constraint::{Island, Problem, RowKind};

/// Share of the island's motion that a row may be wrong by.
const SHARE: f64 = 1e-5;

/// What the sweeps have left unsolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unsolved {
    /// A joint: it makes energy.
    Joint,
    /// Normals of contacts alone.
    Contact,
}

/// The worst that sweeps have left of an island; `None` where every row but friction is met.
pub(super) fn unsolved(
    problem: &Problem,
    island: &Island,
    capped: bool,
    z: &[f64],
    lambda: &[f64],
) -> Option<Unsolved> {
    let span = island.z.start as usize..island.z.end as usize;
    let motion = problem.z_free[span].iter().map(|z| z * z).sum::<f64>();
    let mut found = None;
    for i in island.rows.start as usize..island.rows.end as usize {
        let row = &problem.rows[i];
        if row.kind == RowKind::Friction || row.kind == RowKind::Normal && found.is_some() {
            continue;
        }
        let residual = problem.residual(row, i, lambda, z, capped, false);
        // As `!(≤)`, so that what is no number is unsolved too.
        if !(residual * residual <= SHARE * SHARE * motion * row.diagonal) {
            if row.kind != RowKind::Normal {
                return Some(Unsolved::Joint);
            }
            found = Some(Unsolved::Contact);
        }
    }
    found
}
