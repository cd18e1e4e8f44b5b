//! Impulses of contacts, kept from step to step for the warm start.

use glam::DVec3;

/// Impulses of the last step by pair and feature, for the warm start; sorted by pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactCache {
    pairs: Vec<CachedPair>,
    points: Vec<CachedPoint>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct CachedPair {
    geoms: [u32; 2],
    points: [u32; 2],
}

/// Impulses of one contact point in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CachedPoint {
    /// Which features of the two shapes touch, by a number that keeps from step to step.
    pub feature: u32,
    /// Impulse along the normal \[N s\].
    pub normal: f64,
    /// Impulse of friction \[N s\], world axes.
    pub friction: DVec3,
    /// Energy that the soft contact has taken up and may give back \[J\].
    pub stored: f64,
    /// The shapes were placed into each other and have parted ever since: what that gives is not made.
    pub is_placed: bool,
    /// Speed at which the contact may part at most, if its law is SPOOK's \[m/s\].
    pub exit_speed: f64,
    /// The first, the second shape is an open mesh that the other one has come to from behind.
    pub behind: [bool; 2],
}

impl ContactCache {
    /// Slots of the two shapes of each pair, and its points.
    pub fn iter(&self) -> impl Iterator<Item = ([u32; 2], &[CachedPoint])> {
        self.pairs.iter().map(|p| (p.geoms, &self.points[p.points[0] as usize..p.points[1] as usize]))
    }

    /// A cache of pairs; a pair whose slots do not rise, or that is listed before, is left out.
    #[must_use]
    pub fn from_pairs(mut pairs: Vec<([u32; 2], Vec<CachedPoint>)>) -> Self {
        pairs.retain(|([a, b], _)| a < b);
        pairs.sort_by_key(|(geoms, _)| *geoms);
        pairs.dedup_by_key(|(geoms, _)| *geoms);
        let mut cache = Self::default();
        for (geoms, points) in pairs {
            cache.push(geoms, points.into_iter());
        }
        cache
    }

    /// Memory of its lists \[B\].
    pub(crate) fn bytes(&self) -> usize {
        self.pairs.capacity() * size_of::<CachedPair>() + self.points.capacity() * size_of::<CachedPoint>()
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
        self.points.clear();
    }

    /// Forgets everything about a shape.
    pub(crate) fn forget(&mut self, geom: usize) {
        self.pairs.retain(|p| !p.geoms.contains(&(geom as u32)));
    }

    /// Adds the points of a pair; pairs come in order.
    pub(crate) fn push(&mut self, geoms: [u32; 2], points: impl Iterator<Item = CachedPoint>) {
        let start = self.points.len() as u32;
        self.points.extend(points);
        self.pairs.push(CachedPair { geoms, points: [start, self.points.len() as u32] });
    }

    /// Impulses of a pair. `cursor` walks along while pairs are asked for in order.
    pub(crate) fn find(&self, geoms: [u32; 2], cursor: &mut usize) -> &[CachedPoint] {
        let found = find_pair(&self.pairs, |pair| pair.geoms, geoms, cursor);
        found.map_or(&[], |number| {
            let [start, end] = self.pairs[number].points;
            &self.points[start as usize..end as usize]
        })
    }
}

/// Number of a pair among all, which are in order. `cursor` walks along while pairs are asked for in order.
pub(crate) fn find_pair<T>(
    all: &[T],
    pair_of: impl Fn(&T) -> [u32; 2],
    geoms: [u32; 2],
    cursor: &mut usize,
) -> Option<usize> {
    if *cursor == 0 {
        *cursor = all.partition_point(|entry| pair_of(entry) < geoms);
    }
    while all.get(*cursor).is_some_and(|entry| pair_of(entry) < geoms) {
        *cursor += 1;
    }
    all.get(*cursor).filter(|entry| pair_of(entry) == geoms).map(|_| *cursor)
}
