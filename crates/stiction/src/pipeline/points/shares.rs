//! Redundant contacts share a load by equal compliance ([`super::super::least_norm`]).

use super::super::assemble::Sources;
use super::super::least_norm;
use super::fill::GroupSource;
use crate::model::HybridRule;
use crate::solvers::points::{BODY_RECORDS, GROUP_RECORDS, POINT_RECORDS};
use crate::solvers::soft::{Record, cross, dot, minus};

/// Memory of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    /// The two machines of a group, its manifold and its number in the island.
    entries: Vec<([u32; 2], u32, u32)>,
}

impl Shares {
    /// Gives the normals of an island between the same two machines one compliance, where they are of more than one manifold.
    pub(super) fn soften(
        &mut self,
        sources: &Sources,
        groups: &[GroupSource],
        (bodies, heads): (&[Record], &[Record]),
        points: &mut [Record],
    ) {
        let Sources { parameters, machines, manifolds, step, .. } = *sources;
        self.entries.clear();
        for (number, group) in groups.iter().enumerate() {
            let manifold = &manifolds[group.manifold as usize];
            if manifold.user_contact.is_none() {
                let [a, b] = manifold.bodies.map(|body| machines.find(body.map(|body| body.slot() as u32)));
                self.entries.push(([a.min(b), a.max(b)], group.manifold, number as u32));
            }
        }
        self.entries.sort_unstable();
        let is_exact = parameters.hybrid == HybridRule::On;
        for shared in self.entries.chunk_by(|a, b| a.0 == b.0) {
            if shared.first().map(|entry| entry.1) == shared.last().map(|entry| entry.1) {
                continue;
            }
            let of =
                |entry: &([u32; 2], u32, u32)| (&groups[entry.2 as usize], &heads[GROUP_RECORDS * entry.2 as usize]);
            let (mut masses, mut count, mut load) = (0.0, 0.0, 0.0f64);
            for (group, head) in shared.iter().map(of) {
                for point in normals(group, points) {
                    masses += 1.0 / diagonal(group, head, bodies, point);
                    count += 1.0;
                    load = load.max(point.0[6]);
                }
            }
            let compliance = least_norm::compliance(parameters, step, (count, masses), load);
            for (group, head) in shared.iter().map(of) {
                let first = POINT_RECORDS * group.first as usize;
                for point in points[first..][..POINT_RECORDS * group.count as usize].iter_mut().step_by(POINT_RECORDS) {
                    let own = diagonal(group, head, bodies, point);
                    let least = if is_exact { least_norm::DECIDED * own } else { compliance };
                    let [.., target, before, cap, _, _] = point.0;
                    if before < least && target <= cap {
                        point.0[4] = compliance;
                    }
                }
            }
        }
    }
}

/// The first records of the points of a group.
fn normals<'a>(group: &GroupSource, points: &'a [Record]) -> impl Iterator<Item = &'a Record> {
    points[POINT_RECORDS * group.first as usize..][..POINT_RECORDS * group.count as usize].iter().step_by(POINT_RECORDS)
}

/// Diagonal of the normal of a point, `Yᵀ Y + Γ`.
fn diagonal(group: &GroupSource, head: &Record, bodies: &[Record], point: &Record) -> f64 {
    let [nx, ny, nz, ..] = head.0;
    let [x, y, z, _, compliance, ..] = point.0;
    group.places.iter().fold(compliance, |sum, place| {
        let at = BODY_RECORDS * *place as usize;
        let [cx, cy, cz, mass, a, b, c, d] = bodies[at].0;
        let [e, f, g, h, i, ..] = bodies[at + 1].0;
        let arm = cross(minus([x, y, z], [cx, cy, cz]), [nx, ny, nz]);
        let turn = [[a, d, g], [b, e, h], [c, f, i]].map(|row| dot(row, arm));
        sum + mass * mass + dot(turn, turn)
    })
}
