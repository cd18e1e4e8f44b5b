//! Which islands are solved by points: those of contacts between free bodies, except where an exact solution is asked for or cheaper.

use super::super::Workspace;
use super::super::context::Model;
use super::super::pair_laws::PairLaw;
use super::super::plan::HYBRID_CLIQUES;
use super::law::PointLaw;
use super::{PointIslands, Way, joined};
use crate::model::{BodyKind, HybridRule, SolverKind, WorldParameters};
use crate::solvers::NOBODY;

/// Sweeps that an exact solve of what is left unsolved may cost at least.
const LEAST_SWEEPS: u32 = 20;

/// What is known of an island of contacts that points solve.
struct Admitted {
    rows: u32,
    /// The velocity that some correction leaves is bounded.
    is_bounded: bool,
}

/// Finds the islands that sweeps over points solve.
pub(in super::super) fn take(model: &Model, step: f64, work: &mut Workspace) {
    let parameters = model.parameters;
    let mut own = std::mem::take(&mut work.points);
    own.clear(&work.islands);
    if parameters.solver == SolverKind::Iterative && !parameters.accelerated {
        own.laws.extend(work.pair_laws.iter().map(|law| law_of(parameters, law, step)));
        for island in 0..work.islands.ends.len() {
            let (start, end) = (work.islands.start(island), work.islands.ends[island]);
            if start[2] == end[2] || start[3] != end[3] {
                continue;
            }
            let Some(Admitted { rows, is_bounded }) = look(&mut own, model, step, work, island) else { continue };
            let bodies = end[0] - start[0];
            if start[1] != end[1] {
                if !is_bounded {
                    own.ways[island] = Way::Joined { may_be_exact: joined::may_be_exact(parameters, bodies) };
                }
                continue;
            }
            // Sweeps leave an island unsolved that is too small to be one of those which are exact from the start.
            let is_checked = parameters.hybrid == HybridRule::Unsolved && bodies <= 2;
            if rows <= parameters.direct_rows {
                continue;
            }
            if may_be_exact(parameters, bodies) && is_exact_cheaper(&own, parameters, work, island, rows) {
                continue;
            }
            own.push(island, rows, is_bounded, is_checked);
        }
    }
    work.points = own;
}

/// An exact solve of an island is worth its cost, at the start or after sweeps.
fn may_be_exact(parameters: &WorldParameters, bodies: u32) -> bool {
    bodies <= HYBRID_CLIQUES
        && match parameters.hybrid {
            HybridRule::On => true,
            HybridRule::Unsolved => bodies > 2,
            HybridRule::Off => false,
        }
}

fn is_exact_cheaper(
    own: &PointIslands,
    parameters: &WorldParameters,
    work: &mut Workspace,
    island: usize,
    rows: u32,
) -> bool {
    let bodies = work.islands.start(island)[0] as usize..work.islands.ends[island][0] as usize;
    let direct = &mut work.solvers.mine().direct;
    direct.is_cheaper_between(bodies.len() as u32, &own.pairs, rows, parameters.iterations.max(LEAST_SWEEPS))
}

/// A law, where points have it; a segment of a wire is none.
fn law_of(parameters: &WorldParameters, law: &PairLaw, step: f64) -> Option<PointLaw> {
    if law.segments.iter().any(Option::is_some) { None } else { PointLaw::of(parameters, &law.surface, step) }
}

/// Looks at the contacts of an island, and lists the numbers of its bodies that touch; `None` where some contact needs rows.
fn look(own: &mut PointIslands, model: &Model, step: f64, work: &Workspace, island: usize) -> Option<Admitted> {
    let Workspace { islands, contacts, manifolds, forest, .. } = work;
    let (start, end) = (islands.start(island), islands.ends[island]);
    let bodies = &islands.bodies[start[0] as usize..end[0] as usize];
    if bodies.iter().any(|slot| forest.of_body[*slot as usize].is_some()) {
        return None;
    }
    let is_small = may_be_exact(model.parameters, bodies.len() as u32);
    let PointIslands { pairs, laws, .. } = own;
    pairs.clear();
    let (mut admitted, mut last, mut law) = (Admitted { rows: 0, is_bounded: false }, None, None);
    let mut list = &islands.contacts[start[2] as usize..end[2] as usize];
    while let [index, rest @ ..] = list {
        list = rest;
        let contact = &contacts[*index as usize];
        let manifold = &manifolds[contact.manifold as usize];
        if last != Some(contact.manifold) {
            last = Some(contact.manifold);
            if contact.bodies[0] == contact.bodies[1] {
                return None;
            }
            law = laws[manifold.law as usize].as_ref();
            if is_small {
                pairs.extend(nodes(model, bodies, contact.bodies));
            }
        }
        let law = law?;
        let rows = law.rows(contact.depth);
        admitted.rows += rows;
        if law.is_always_steady() {
            // All contacts of a manifold are in the list, one after the other.
            let others = manifold.points[1] - 1 - index;
            admitted.rows += rows * others;
            list = &list[others as usize..];
            continue;
        }
        let normal = law.target(contact, step, || 0.0);
        admitted.is_bounded |= normal.target > normal.cap;
    }
    Some(admitted)
}

/// Numbers of the bodies of a contact in their island, as the direct solver connects them.
fn nodes(model: &Model, bodies: &[u32], ends: [Option<u32>; 2]) -> Option<[u32; 2]> {
    let node = |slot: Option<u32>| {
        let slot = slot?;
        model.bodies.at(slot as usize).filter(|body| body.kind == BodyKind::Dynamic)?;
        bodies.binary_search(&slot).ok().map(|number| number as u32)
    };
    match ends.map(node) {
        [Some(a), Some(b)] => Some([a, b]),
        [Some(a), None] | [None, Some(a)] => Some([a, NOBODY]),
        [None, None] => None,
    }
}
