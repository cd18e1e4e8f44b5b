//! Four boxes in single precision, rounded outwards, and tests of all four at once that err to the safe side: what a box
//! holds is never missed, and no bound is above the true distance.

use glam::{BVec4A, DMat3, DVec3, Mat4, Vec4};

use crate::shape::Aabb;

/// Children of a node at most.
pub(super) const WIDTH: usize = 4;

/// No child.
pub(super) const NONE: u32 = u32::MAX;

/// Relative error of a bound: nine roundings of at most 2⁻²⁴ each.
const ROUNDING: f32 = 1e-6;

/// Components of a direction below this count as zero, so that their reciprocals are numbers.
const PARALLEL: f64 = 1e-30;

/// The greatest number of single precision not above `x`, never positive infinity.
#[inline]
pub(super) fn down(x: f64) -> f32 {
    let limit = f64::from(f32::MAX);
    let y = if x < limit { x } else { limit } as f32;
    // One place at least, two at most; the least step where numbers are that small.
    let below = y - (y.abs() * f32::EPSILON + f32::from_bits(1));
    if f64::from(y) > x { below } else { y }
}

/// The least number of single precision not below `x`, never negative infinity.
#[inline]
pub(super) fn up(x: f64) -> f32 {
    -down(-x)
}

/// Boxes of up to four children by axis, and the children: nodes, or triangles at the bottom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub min: [Vec4; 3],
    pub max: [Vec4; 3],
    pub children: [u32; WIDTH],
}

impl Node {
    pub const EMPTY: Self = Self { min: [Vec4::INFINITY; 3], max: [Vec4::NEG_INFINITY; 3], children: [NONE; WIDTH] };

    /// Sets the children's boxes; returns the box of them all.
    #[inline]
    pub fn store(&mut self, bounds: &[Bounds; WIDTH]) -> Bounds {
        (self.min, self.max) = (by_axis(&bounds.map(|b| b.min)), by_axis(&bounds.map(|b| b.max)));
        let [a, b, c, d] = bounds;
        a.merged(b).merged(&c.merged(d))
    }

    /// Sets the boxes of triangles, whose corners A, B and C are given by child, rounded to the nearest numbers of single
    /// precision; those of no child are another one's. Returns the box of them all, and bits of the triangles that are
    /// clearly not degenerate.
    ///
    /// With u = 2⁻²⁴, S no less than the longest side and M than any coordinate, a side is wrong by `e = 2uM + uS` along
    /// an axis, and a component of the cross product of two by no more than `4Se + 2e² + 4uS²`.
    #[inline]
    pub fn store_triangles(&mut self, corners: &[[Vec4; WIDTH]; 3]) -> (Bounds, u32) {
        let [a, b, c] = [by_axis(&corners[0]), by_axis(&corners[1]), by_axis(&corners[2])];
        let (mut side, mut far) = (Vec4::ZERO, Vec4::ZERO);
        let mut bounds = Bounds::EMPTY;
        for axis in 0..3 {
            let (low, high) = (a[axis].min(b[axis]).min(c[axis]), a[axis].max(b[axis]).max(c[axis]));
            side += high - low;
            far += low.abs().max(high.abs());
            (self.min[axis], self.max[axis]) = (below(low), -below(-high));
            bounds.min[axis] = self.min[axis].min_element();
            bounds.max[axis] = self.max[axis].max_element();
        }
        for lane in (0..WIDTH).rev().take_while(|&lane| self.children[lane] == NONE) {
            self.min.iter_mut().for_each(|min| min[lane] = f32::INFINITY);
            self.max.iter_mut().for_each(|max| max[lane] = f32::NEG_INFINITY);
        }
        let [p, q] = [b, c].map(|end| [end[0] - a[0], end[1] - a[1], end[2] - a[2]]);
        let off = far * (4.0 * f32::EPSILON);
        let limit = (side + off) * off * 8.0 + side * side * 1e-6 + f32::MIN_POSITIVE;
        let component = |i: usize, j: usize| (p[i] * q[j] - p[j] * q[i]).abs();
        let is_above = component(1, 2).cmpgt(limit) | component(2, 0).cmpgt(limit) | component(0, 1).cmpgt(limit);
        (bounds, is_above.bitmask())
    }

    /// A lane's box, exactly.
    pub fn aabb(&self, lane: usize) -> Aabb {
        let of = |sides: &[Vec4; 3]| DVec3::from_array([0, 1, 2].map(|axis| f64::from(sides[axis][lane])));
        Aabb::new(of(&self.min), of(&self.max))
    }

    /// The sum of the sides of every child's box \[m\].
    #[inline]
    pub fn sizes(&self) -> [f32; WIDTH] {
        let [x, y, z] = [0, 1, 2].map(|axis| self.max[axis] - self.min[axis]);
        (x + y + z).to_array()
    }

    /// The boxes about the children's boxes in other axes, with those of the children left out.
    #[inline]
    pub fn turned(&self, turn: &Turn) -> Self {
        let mut turned = Self::EMPTY;
        let far = [0, 1, 2].map(|k| self.min[k].abs().max(self.max[k].abs()));
        for (axis, &(row, position)) in turn.rows.iter().enumerate() {
            let (mut low, mut high) = (Vec4::splat(position), Vec4::splat(position));
            let mut sum = Vec4::splat(position.abs() + turn.reach);
            for k in 0..3 {
                let (p, q) = (self.min[k] * row[k], self.max[k] * row[k]);
                low += p.min(q);
                high += p.max(q);
                sum += far[k] * row[k].abs();
            }
            let slack = sum * ROUNDING + (turn.reach + f32::MIN_POSITIVE);
            // What has no end, or too far a one, may be anywhere.
            let is_known = sum.cmplt(Vec4::INFINITY);
            turned.min[axis] = Vec4::select(is_known, low - slack, Vec4::NEG_INFINITY);
            turned.max[axis] = Vec4::select(is_known, high + slack, Vec4::INFINITY);
        }
        turned
    }

    /// A lane's box as a region.
    #[inline]
    pub fn lane(&self, lane: usize) -> Region {
        let of = |sides: &[Vec4; 3]| [0, 1, 2].map(|axis| Vec4::splat(sides[axis][lane]));
        Region { min: of(&self.min), max: of(&self.max) }
    }

    /// Bits of the children whose boxes touch a region.
    #[inline]
    pub fn touching(&self, region: &Region) -> u32 {
        let mut mask = self.min[0].cmple(region.max[0]) & self.max[0].cmpge(region.min[0]);
        mask &= self.min[1].cmple(region.max[1]) & self.max[1].cmpge(region.min[1]);
        mask &= self.min[2].cmple(region.max[2]) & self.max[2].cmpge(region.min[2]);
        mask.bitmask()
    }

    /// Bits of the children whose boxes come near a turned block; all that touch it are among them.
    #[inline]
    pub fn near(&self, block: &Block) -> u32 {
        let mask = self.touching(&block.region);
        if mask == 0 {
            return 0;
        }
        // Centres and half sides, about the block's centre.
        let (mut middle, mut half, mut far) = ([Vec4::ZERO; 3], [Vec4::ZERO; 3], Vec4::ZERO);
        for axis in 0..3 {
            let low = self.min[axis] - block.center.max[axis];
            let high = self.max[axis] - block.center.min[axis];
            middle[axis] = (low + high) * 0.5;
            half[axis] = (high - low) * 0.5;
            far += middle[axis].abs() + half[axis];
        }
        let slack = far * ROUNDING;
        let mut passes = Vec4::ZERO.cmple(Vec4::ZERO);
        for axis in &block.axes {
            let along = middle[0] * axis.along[0] + middle[1] * axis.along[1] + middle[2] * axis.along[2];
            let reach = half[0] * axis.size[0] + half[1] * axis.size[1] + half[2] * axis.size[2];
            passes &= along.abs().cmple(reach + (axis.half + slack));
        }
        // Infinite boxes have no difference: what is not a number passes.
        mask & (passes.bitmask() | !far.cmplt(Vec4::INFINITY).bitmask())
    }

    /// No more than the squared distances \[m²\] of a place from the boxes.
    #[inline]
    pub fn distance_squared(&self, place: &Region) -> Vec4 {
        let along = |axis: usize| {
            let (below, above) = (self.min[axis] - place.max[axis], place.min[axis] - self.max[axis]);
            let off = below.max(above).max(Vec4::ZERO);
            off * off
        };
        ((along(0) + along(1) + along(2)) * (1.0 - ROUNDING)).min(Vec4::MAX)
    }

    /// No more than the parameters at which a line enters the boxes; infinite for those that it misses.
    #[inline]
    pub fn entry(&self, line: &Line) -> Vec4 {
        let (low, is_met) = self.cut(line);
        Vec4::select(is_met, low.min(Vec4::MAX), Vec4::INFINITY)
    }

    /// Bits of the children whose boxes a line meets.
    #[inline]
    pub fn met(&self, line: &Line) -> u32 {
        self.cut(line).1.bitmask()
    }

    #[inline]
    fn cut(&self, line: &Line) -> (Vec4, BVec4A) {
        let (mut low, mut high) = (Vec4::ZERO, line.most);
        let mut passes = BVec4A::splat(true);
        for axis in 0..3 {
            let from = self.min[axis] - line.start.max[axis];
            let to = self.max[axis] - line.start.min[axis];
            if line.is_parallel[axis] {
                passes &= from.cmple(Vec4::ZERO) & to.cmpge(Vec4::ZERO);
                continue;
            }
            let (s, t) = (from * line.inverse[axis], to * line.inverse[axis]);
            low = low.max(s.min(t));
            high = high.min(s.max(t));
        }
        let low = low * (1.0 - ROUNDING);
        (low, passes & low.min(Vec4::MAX).cmple(high * (1.0 + ROUNDING)))
    }
}

/// Points of the children by axis.
#[inline]
fn by_axis(points: &[Vec4; WIDTH]) -> [Vec4; 3] {
    let [x, y, z, w] = *points;
    let rows = Mat4::from_cols(x, y, z, w).transpose();
    [rows.x_axis, rows.y_axis, rows.z_axis]
}

/// Numbers not above those that were rounded to these, the nearest ones of single precision; never positive infinity.
#[inline]
fn below(x: Vec4) -> Vec4 {
    let y = x.min(Vec4::MAX);
    y - (y.abs() * f32::EPSILON + f32::from_bits(1))
}

/// One box, rounded outwards; the last lanes mean nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub min: Vec4,
    pub max: Vec4,
}

impl Bounds {
    pub const EMPTY: Self = Self { min: Vec4::INFINITY, max: Vec4::NEG_INFINITY };

    #[inline]
    pub fn merged(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// A box, or a place and its rounding, in every lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    min: [Vec4; 3],
    max: [Vec4; 3],
}

impl Region {
    #[inline]
    pub fn new(aabb: &Aabb) -> Self {
        Self {
            min: aabb.min.to_array().map(|x| Vec4::splat(down(x))),
            max: aabb.max.to_array().map(|x| Vec4::splat(up(x))),
        }
    }

    #[inline]
    pub fn point(p: DVec3) -> Self {
        Self::new(&Aabb::new(p, p))
    }
}

/// Other axes, and how far boxes are grown there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// By axis the row of the matrix, and the position \[m\].
    rows: [([f32; 3], f32); 3],
    reach: f32,
}

impl Turn {
    /// To the axes where a point p is at `matrix p + position`.
    #[inline]
    pub fn new(matrix: &DMat3, position: DVec3, reach: f64) -> Self {
        let row = |axis: usize| (matrix.row(axis).to_array().map(|x| x as f32), position[axis] as f32);
        Self { rows: [0, 1, 2].map(row), reach: up(reach) }
    }
}

/// A turned block, in every lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The box about it.
    region: Region,
    /// Its centre and the rounding of that.
    center: Region,
    axes: [BlockAxis; 3],
}

/// One axis of a block, in every lane.
#[derive(Clone, Copy, Debug)]
struct BlockAxis {
    /// A unit vector, and the sizes of its components.
    along: [Vec4; 3],
    size: [Vec4; 3],
    /// How far the block reaches along it.
    half: Vec4,
}

impl Block {
    /// The block about `center` with half its sides along the columns of `axes`.
    #[inline]
    pub fn new(center: DVec3, axes: &DMat3, half: DVec3) -> Self {
        let reach = axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z;
        let side = |k: usize| {
            let along = axes.col(k).to_array().map(|x| Vec4::splat(x as f32));
            let half = Vec4::splat(up(half[k] * (1.0 + f64::from(ROUNDING))));
            BlockAxis { along, size: along.map(Vec4::abs), half }
        };
        // The rounding of the sum is far below that of the boxes' rounding outwards.
        Self {
            region: Region::new(&Aabb::from_center(center, reach * (1.0 + 1e-15))),
            center: Region::point(center),
            axes: [side(0), side(1), side(2)],
        }
    }
}

/// A line from a start on, in every lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// The start and its rounding; along an axis that the line does not change, all its places.
    start: Region,
    inverse: [Vec4; 3],
    is_parallel: [bool; 3],
    most: Vec4,
}

impl Line {
    /// The line up to a parameter. Boxes are met within `slack` \[m\].
    pub fn new(origin: DVec3, direction: DVec3, most: f64, slack: f64) -> Self {
        let is_parallel = direction.to_array().map(|d| d.abs() <= PARALLEL);
        let mut start = Aabb::new(origin, origin).expanded(slack);
        if is_parallel != [false; 3] {
            for axis in (0..3).filter(|&axis| is_parallel[axis] && direction[axis] != 0.0) {
                let end = direction[axis] * most;
                start.min[axis] += end.min(0.0);
                start.max[axis] += end.max(0.0);
            }
        }
        Self {
            start: Region::new(&start),
            inverse: direction.to_array().map(|d| Vec4::splat(1.0 / d as f32)),
            is_parallel,
            most: Vec4::splat(up(most)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_touches_a_block_is_near_it() {
        let mut seed = 5u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            2.0 * (seed >> 11) as f64 / (1u64 << 53) as f64 - 1.0
        };
        let (mut met, mut told_apart) = (0, 0);
        for round in 0..20_000 {
            let mut vector = || DVec3::new(next(), next(), next());
            let offset = vector() * if round % 2 == 0 { 1.0 } else { 1e4 };
            let axes = DMat3::from_quat(glam::DQuat::from_scaled_axis(3.0 * vector()));
            let half = vector().abs();
            let center = offset + vector();
            let block = Block::new(center, &axes, half);
            let small = offset + 1.5 * vector();
            let (low, high) = (small, small + 0.5 * vector().abs());
            let mut node = Node::EMPTY;
            let [least, most] = [low, high].map(|p| p.extend(0.0).as_vec4());
            let bounds = Bounds { min: below(least), max: -below(-most) };
            node.store(&[Bounds::EMPTY, Bounds::EMPTY, bounds, Bounds::EMPTY]);
            // A place of the block that the box holds: their nearest by turns.
            let mut p = center;
            for _ in 0..200 {
                p = p.clamp(low, high);
                p = center + axes * (axes.transpose() * (p - center)).clamp(-half, half);
            }
            let is_near = node.near(&block) == 4;
            if (p - p.clamp(low, high)).length() < 1e-12 {
                met += 1;
                assert!(is_near, "{low} {high} touches the block about {center}");
            } else {
                told_apart += u32::from(!is_near);
            }
        }
        assert!(met > 1000 && told_apart > 1000, "{met} {told_apart}");
    }

    #[test]
    fn a_box_holds_its_points_at_every_scale() {
        let mut seed = 3u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from_bits(seed ^ seed >> 29)
        };
        for round in 0..200_000 {
            let special = [0.0, -0.0, 1e300, -1e300, 1e-320, f64::from(f32::MAX), 3.402_823_5e38, 1.5];
            let mut number = || if round % 5 == 0 { special[round / 5 % special.len()] } else { next() };
            let p = DVec3::new(number(), number(), number());
            if !p.is_finite() {
                continue;
            }
            let rounded = p.extend(0.0).as_vec4();
            let mut node = Node { children: [0; WIDTH], ..Node::EMPTY };
            let (bounds, _) = node.store_triangles(&[[rounded; WIDTH]; 3]);
            for axis in 0..3 {
                let [low, high] = [bounds.min, bounds.max].map(|side| f64::from(side[axis]));
                assert!(low <= p[axis] && p[axis] <= high, "{p}: {low:e} {high:e}");
                assert!(low < f64::INFINITY && high > f64::NEG_INFINITY, "{p}");
                assert!(p[axis].abs() > 1e38 || high - low <= 1e-6 * p[axis].abs() + 6e-45, "{p}: {low:e} {high:e}");
            }
        }
    }

    #[test]
    fn rounding_goes_one_way_at_every_scale() {
        let mut seed = 1u64;
        for _ in 0..200_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let x = f64::from_bits(seed ^ seed >> 29);
            if !x.is_finite() {
                continue;
            }
            let (low, high) = (down(x), up(x));
            assert!(f64::from(low) <= x && x <= f64::from(high), "{x:e}: {low:e} {high:e}");
            assert!(low <= f32::MAX && high >= f32::MIN, "{x:e}");
            if x.abs() < 1e38 {
                assert!(x - f64::from(low) <= 3e-7 * x.abs() + 3e-45, "{x:e}: {low:e}");
            }
        }
        for x in [0.0, -0.0, 1.5, f64::from(f32::MAX), f64::from(f32::MIN), f64::from(f32::from_bits(1))] {
            assert_eq!((f64::from(down(x)), f64::from(up(x))), (x, x));
        }
        assert_eq!((down(1e300), up(1e300)), (f32::MAX, f32::INFINITY));
        assert_eq!((down(-1e300), up(-1e300)), (f32::NEG_INFINITY, f32::MIN));
        assert_eq!((down(f64::INFINITY), down(f64::NEG_INFINITY)), (f32::MAX, f32::NEG_INFINITY));
    }
}
