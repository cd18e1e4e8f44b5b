//! Which islands sweeps leave unsolved.
//!
//! A joint whose rows the sweeps do not meet is an integral controller: its stored impulse grows by what is left of
//! the drift, step by step, and with it the energy. A stack whose normals they do not meet sways and creeps. What a
//! residual r of a row can do to the motion is `r / √A_ii`, in the unit √J of `z = L v`; it is held against the whole of
//! `z`.

use crate::constraint::{Island, Problem, RowKind};

/// Share of the island's motion that a row may be wrong by.
const SHARE: f64 = 1e-5;
/// The same for joints of bodies that also touch: contacts come and go, and an exact solution is dear there.
const SHARE_AMID_CONTACTS: f64 = 1e-2;
/// Share of the island's motion `|z|²` that rows of joints amid contacts may do as work where they are not met.
const WORK: f64 = 1e-4;
/// Share of the island's motion `|z|²` that contacts may make.
const MADE: f64 = 1e-2;

/// What the sweeps have left unsolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unsolved {
    /// A joint: it makes energy.
    Joint,
    /// Normals of contacts alone.
    Contact,
}

/// The island has joints, of which the rows come first.
pub(super) fn has_joints(problem: &Problem, island: &Island) -> bool {
    let is_contact = |row: &crate::constraint::Row| matches!(row.kind, RowKind::Normal | RowKind::Friction);
    problem.rows[island.row_range()].first().is_some_and(|row| !is_contact(row))
}

/// The island with the rows of its joints alone.
pub(super) fn joints_of(problem: &Problem, island: &Island) -> Island {
    let is_contact = |kind| matches!(kind, RowKind::Normal | RowKind::Friction);
    let count = problem.rows[island.row_range()].iter().take_while(|row| !is_contact(row.kind)).count();
    Island { rows: island.rows.start..island.rows.start + count as u32, ..island.clone() }
}

/// The worst that sweeps have left of an island that touches or not, of which contacts are looked at or not; `None` where rows are met.
pub(super) fn unsolved(
    problem: &Problem,
    island: &Island,
    (touches, with_contacts): (bool, bool),
    capped: bool,
    z: &[f64],
    lambda: &[f64],
) -> Option<Unsolved> {
    let rows = island.row_range();
    let has_joints = has_joints(problem, island);
    if !has_joints && !with_contacts {
        return None;
    }
    let span = island.z_range();
    let motion = problem.z_free[span].iter().map(|z| z * z).sum::<f64>();
    let share = if has_joints && touches { SHARE_AMID_CONTACTS } else { SHARE };
    for i in rows {
        let row = &problem.rows[i];
        match row.kind {
            RowKind::Friction => continue,
            // Joints came first: they are met.
            RowKind::Normal if has_joints || !with_contacts => return None,
            _ => {}
        }
        let residual = problem.residual(row, i, lambda, z, capped, false);
        // What is no number is unsolved too.
        if residual.is_nan() || residual * residual > share * share * motion * row.diagonal {
            return Some(if row.kind == RowKind::Normal { Unsolved::Contact } else { Unsolved::Joint });
        }
    }
    None
}

/// The joints of an island that also touches, whose contacts need not have rows, do much work by what is left of their rows, `Σ |λ r|`: energy that is made, or
/// that joints which open store for their correction to give.
pub(super) fn do_joints_work(problem: &Problem, island: &Island, capped: bool, z: &[f64], lambda: &[f64]) -> bool {
    if !has_joints(problem, island) {
        return false;
    }
    let motion = problem.z_free[island.z_range()].iter().map(|z| z * z).sum::<f64>();
    let is_contact = |kind| matches!(kind, RowKind::Normal | RowKind::Friction);
    let joints = island.row_range().take_while(|i| !is_contact(problem.rows[*i].kind));
    let work: f64 =
        joints.map(|i| (lambda[i] * problem.residual(&problem.rows[i], i, lambda, z, capped, false)).abs()).sum();
    work > WORK * motion
}

/// Contacts of an island make energy by what is left of their rows, `Σ λ (u + Γ λ − b)`.
pub(super) fn do_contacts_make(problem: &Problem, island: &Island, capped: bool, z: &[f64], lambda: &[f64]) -> bool {
    let motion = problem.z_free[island.z_range()].iter().map(|z| z * z).sum::<f64>();
    let of = |i: usize| {
        let row = &problem.rows[i];
        let is_contact = matches!(row.kind, RowKind::Normal | RowKind::Friction);
        let target = if capped { row.target_in(true).min(row.cap) } else { row.target };
        if is_contact { lambda[i] * (problem.velocity(row, z) + row.compliance * lambda[i] - target) } else { 0.0 }
    };
    let made: f64 = island.row_range().map(of).sum();
    made.is_nan() || made > MADE * motion
}
