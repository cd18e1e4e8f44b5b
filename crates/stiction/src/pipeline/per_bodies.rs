//! Contact points of all shapes of two bodies, made fewer together (AGX's `reduceAll`).

use super::detect::{ContactInput, Manifold};
use super::pair_laws::PairLaw;
use crate::collision::ManifoldPoint;
use crate::collision::bins::Bins;
use crate::material::NormalLaw;

/// Memory of the reduction.
#[derive(Clone, Debug, Default)]
pub(crate) struct PerBodies {
    bins: Bins,
    /// Manifolds that take part, by their bodies.
    taking: Vec<([u64; 2], u32)>,
    points: Vec<ManifoldPoint>,
    is_kept: Vec<bool>,
}

/// What stays of points that share the stiffness of their area is as stiff as all were.
fn share_stiffness(group: &[([u64; 2], u32)], is_kept: &[bool], manifolds: &[Manifold], laws: &mut [PairLaw]) {
    let [mut all, mut left] = [0.0; 2];
    for (_, number) in group {
        let manifold = &manifolds[*number as usize];
        let normal = laws[manifold.law as usize].surface.normal;
        if let (NormalLaw::Spook { compliance, .. }, true) = (normal, manifold.has_area) {
            let points = manifold.points[0] as usize..manifold.points[1] as usize;
            all += points.len() as f64 / compliance;
            left += is_kept[points].iter().filter(|stays| **stays).count() as f64 / compliance;
        }
    }
    for (_, number) in group {
        let manifold = &manifolds[*number as usize];
        let normal = &mut laws[manifold.law as usize].surface.normal;
        if let (NormalLaw::Spook { compliance, .. }, true) = (normal, manifold.has_area) {
            *compliance *= left / all;
        }
    }
}

impl PerBodies {
    /// Leaves of the contacts of each two bodies those that stay, where there are more than `threshold`.
    pub(super) fn reduce(
        &mut self,
        threshold: u32,
        (manifolds, laws): (&mut [Manifold], &mut [PairLaw]),
        contacts: &mut Vec<ContactInput>,
    ) {
        self.taking.clear();
        for (number, manifold) in manifolds.iter().enumerate().filter(|(_, m)| m.body_bins > 0) {
            // The environment comes after all bodies.
            let mut bodies = manifold.bodies.map(|b| b.map_or(u64::MAX, |b| b.slot() as u64));
            bodies.sort_unstable();
            self.taking.push((bodies, number as u32));
        }
        if self.taking.is_empty() {
            return;
        }
        self.taking.sort_unstable();
        self.is_kept.clear();
        self.is_kept.resize(contacts.len(), true);
        for group in self.taking.chunk_by(|a, b| a.0 == b.0) {
            let Self { bins, points, is_kept, .. } = self;
            points.clear();
            for (_, number) in group {
                let manifold = &manifolds[*number as usize];
                for index in manifold.points[0]..manifold.points[1] {
                    let contact = &contacts[index as usize];
                    // A pair's normal points into its first body, whichever of the two that is.
                    let sign = if manifold.bodies[0] == manifolds[group[0].1 as usize].bodies[0] { 1.0 } else { -1.0 };
                    points.push(ManifoldPoint::new(contact.position, sign * contact.normal, contact.depth, index));
                }
            }
            if points.len() <= threshold as usize {
                continue;
            }
            let count = group.iter().map(|(_, number)| manifolds[*number as usize].body_bins).max().unwrap_or(1);
            for (point, stays) in points.iter().zip(bins.choose(points, count)) {
                is_kept[point.feature as usize] = *stays;
            }
            share_stiffness(group, is_kept, manifolds, laws);
        }
        self.close_up(manifolds, laws, contacts);
    }

    /// Moves the contacts that stay together.
    fn close_up(&self, manifolds: &mut [Manifold], laws: &mut [PairLaw], contacts: &mut Vec<ContactInput>) {
        let mut end = 0;
        for manifold in manifolds {
            let before = manifold.points;
            manifold.points[0] = end;
            for index in before[0]..before[1] {
                if self.is_kept[index as usize] {
                    contacts[end as usize] = contacts[index as usize];
                    end += 1;
                }
            }
            manifold.points[1] = end;
            let (old, new) = (before[1] - before[0], end - manifold.points[0]);
            let normal = &mut laws[manifold.law as usize].surface.normal;
            if let (NormalLaw::Spook { adhesion, .. }, true) = (normal, new > 0 && new < old) {
                // The pair's pull is shared by its points.
                *adhesion *= f64::from(old) / f64::from(new);
            }
        }
        contacts.truncate(end as usize);
    }
}
