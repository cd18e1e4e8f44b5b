//! Sort and sweep along one axis.

use super::{BroadPhase, Proxy, pair_large};

/// Boxes in order of their lower bound on the axis of the largest variance; the order is kept between calls, since
/// little changes from step to step.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    axis: usize,
    /// The axis stays as it is.
    is_fixed: bool,
    order: Vec<(f64, u32)>,
    large: Vec<u32>,
    /// Slots in `order`.
    listed: Vec<bool>,
}

impl Sweep {
    /// Along a given axis (0: x, 1: y, else z), whatever the boxes do.
    #[must_use]
    pub fn along(axis: usize) -> Self {
        Self { axis: axis.min(2), is_fixed: true, ..Self::default() }
    }
}

impl BroadPhase for Sweep {
    fn find_pairs(&mut self, proxies: &[Proxy], pairs: &mut Vec<(u32, u32)>) {
        pairs.clear();
        self.update(proxies);
        let axis = self.axis;
        for (k, &(_, i)) in self.order.iter().enumerate() {
            let a = &proxies[i as usize];
            let end = a.aabb.max[axis];
            for &(start, j) in &self.order[k + 1..] {
                if start > end {
                    break;
                }
                if a.pairs_with(&proxies[j as usize]) {
                    pairs.push((i.min(j), i.max(j)));
                }
            }
        }
        pair_large(proxies, &self.large, pairs);
        pairs.sort_unstable();
    }

    fn name(&self) -> &'static str {
        "sweep"
    }
}

impl Sweep {
    fn update(&mut self, proxies: &[Proxy]) {
        self.large.clear();
        self.listed.resize(proxies.len(), false);
        let sorts = |p: &Proxy| p.aabb.is_finite() && !p.aabb.is_empty();
        self.order.retain(|&(_, i)| {
            let stays = proxies.get(i as usize).is_some_and(sorts);
            if let Some(listed) = self.listed.get_mut(i as usize) {
                *listed = stays;
            }
            stays
        });
        let (mut sum, mut squares, mut count) = (glam::DVec3::ZERO, glam::DVec3::ZERO, 0.0);
        for (i, p) in proxies.iter().enumerate() {
            if sorts(p) {
                let center = p.aabb.center();
                sum += center;
                squares += center * center;
                count += 1.0;
                if !self.listed[i] {
                    self.listed[i] = true;
                    self.order.push((0.0, i as u32));
                }
            } else if !p.aabb.is_empty() {
                self.large.push(i as u32);
            }
        }
        // n² times the variance.
        let variance = squares * count - sum * sum;
        let best = (0..3).fold(0, |b, k| if variance[k] > variance[b] { k } else { b });
        // A new axis costs a full sort, so it must be clearly better.
        if !self.is_fixed && variance[best] > 2.0 * variance[self.axis] {
            self.axis = best;
        }
        for (key, i) in &mut self.order {
            *key = proxies[*i as usize].aabb.min[self.axis];
        }
        sort_nearly_sorted(&mut self.order);
    }
}

/// Insertion sort while it pays; ties by slot.
fn sort_nearly_sorted(order: &mut [(f64, u32)]) {
    let before = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let mut budget = 8 * order.len();
    for k in 1..order.len() {
        let mut i = k;
        while i > 0 && before(&order[i], &order[i - 1]).is_lt() {
            order.swap(i, i - 1);
            i -= 1;
            if budget == 0 {
                order.sort_unstable_by(before);
                return;
            }
            budget -= 1;
        }
    }
}
