//! Nodes of an island: its cliques, cut into groups of at most six coordinates.

use super::block::N;
use crate::constraint::{Island, Problem};

/// The first node of each clique of an island, and the span of each node in `z`: first coordinate and number.
pub(in crate::solvers) fn number_nodes(
    problem: &Problem,
    island: &Island,
    first_node: &mut Vec<u32>,
    spans: &mut Vec<[u32; 2]>,
) {
    first_node.clear();
    spans.clear();
    for clique in &problem.cliques[island.cliques.start as usize..island.cliques.end as usize] {
        first_node.push(spans.len() as u32);
        let mut k = 0;
        while k < clique.dofs {
            spans.push([clique.start + k, (clique.dofs - k).min(N as u32)]);
            k += N as u32;
        }
    }
}
