//! Box against box, four numbers side by side: axes of the two boxes, and corners and sides of two faces. Operations and their order are
//! those of [`super::box_box`] and [`super::manifold`] for plain numbers, so that the bits are the same.
//! Loops, not closures: a closure is compiled without the features of the function around it.
#![allow(unsafe_code, reason = "calls of functions that are compiled for features that the processor has")]

use glam::{DMat3, DVec3};

use super::ManifoldPoint;
use super::feature::FeaturePoint;
use super::manifold::{Sink, cross_sides};
use super::placed::Placed;
use crate::math::{Four, Lane};
use crate::shape::Cuboid;

type Four3 = [Four; 3];

#[inline(always)]
fn splat(v: DVec3) -> Four3 {
    [Four::splat(v.x), Four::splat(v.y), Four::splat(v.z)]
}
#[inline(always)]
fn dot(a: Four3, b: Four3) -> Four {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
#[inline(always)]
fn minus(a: Four3, b: Four3) -> Four3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
#[inline(always)]
fn cross(a: Four3, b: Four3) -> Four3 {
    [a[1] * b[2] - b[1] * a[2], a[2] * b[0] - b[2] * a[0], a[0] * b[1] - b[0] * a[1]]
}

/// The columns of a matrix as lanes, its rows by number.
#[inline(always)]
fn rows(m: &DMat3) -> Four3 {
    let (a, b, c) = (m.x_axis, m.y_axis, m.z_axis);
    let (x, y, z) = ([a.x, b.x, c.x, 0.0], [a.y, b.y, c.y, 0.0], [a.z, b.z, c.z, 0.0]);
    [Four::from_memory(&x), Four::from_memory(&y), Four::from_memory(&z)]
}

#[inline(always)]
fn arrays(a: Four3) -> [[f64; 4]; 3] {
    [a[0].to_array(), a[1].to_array(), a[2].to_array()]
}

/// What the axes of two boxes say.
pub(super) struct Axes {
    /// Overlaps along the axes of the first and of the second box.
    pub(super) depths: [[f64; 4]; 2],
    /// The way between the centres along them.
    pub(super) along: [[f64; 4]; 2],
    /// `Rₐᵀ R_b`: its rows.
    c: [[f64; 4]; 3],
    lanes: Four3,
}

impl Axes {
    /// Those of two boxes with these rotations and half extents, and the way between their centres.
    #[inline(always)]
    pub(super) fn between_boxes([ra, rb]: [&DMat3; 2], [ha, hb]: [DVec3; 2], between: DVec3) -> Self {
        let (rows_a, rows_b) = (rows(ra), rows(rb));
        let way = splat(between);
        let c = [dot(splat(ra.x_axis), rows_b), dot(splat(ra.y_axis), rows_b), dot(splat(ra.z_axis), rows_b)];
        let columns = [dot(rows_a, splat(rb.x_axis)), dot(rows_a, splat(rb.y_axis)), dot(rows_a, splat(rb.z_axis))];
        let along = [dot(rows_a, way), dot(rows_b, way)];
        let [hx, hy, hz] = splat(hb);
        let reach = Four::from_memory(&[ha.x, ha.y, ha.z, 0.0])
            + hx * columns[0].abs()
            + hy * columns[1].abs()
            + hz * columns[2].abs();
        let own = Four::from_memory(&[hb.x, hb.y, hb.z, 0.0]) + dot(splat(ha), [c[0].abs(), c[1].abs(), c[2].abs()]);
        Self {
            depths: [(reach - along[0].abs()).to_array(), (own - along[1].abs()).to_array()],
            along: [along[0].to_array(), along[1].to_array()],
            c: arrays(c),
            lanes: c,
        }
    }

    /// `Rₐᵀ R_b`.
    #[inline(always)]
    pub(super) fn matrix(&self) -> DMat3 {
        let [x, y, z] = self.c;
        DMat3::from_cols(DVec3::new(x[0], y[0], z[0]), DVec3::new(x[1], y[1], z[1]), DVec3::new(x[2], y[2], z[2]))
    }

    /// Axes across an edge i of the first box and each of the second, as bits, that may part the boxes or beat a bound: those whose
    /// overlap, times the length of the axis, is no larger than the bound times that length. `Eᵢ × C_j` has two parts that are not 0.
    #[inline(always)]
    pub(super) fn edges_within(&self, i: usize, [ha, hb]: [DVec3; 2], bound: f64) -> u32 {
        let (u, v) = ((i + 1) % 3, (i + 2) % 3);
        let (p, q) = (self.lanes[u], self.lanes[v]);
        // Along the axes of the second box.
        let mut turned = [p; 3];
        for k in 0..3 {
            turned[k] = (Four::splat(self.c[v][k]) * p - Four::splat(self.c[u][k]) * q).abs();
        }
        let of_first = Four::splat(ha[u]) * q.abs() + Four::splat(ha[v]) * p.abs();
        let of_second = dot(splat(hb), turned);
        let along = p * Four::splat(self.along[0][v]) - q * Four::splat(self.along[0][u]);
        let overlap = of_first + of_second - along.abs();
        let is_far =
            overlap.above(Four::splat(0.0)) & (overlap * overlap).above(Four::splat(bound * bound) * (p * p + q * q));
        !is_far & 0b111
    }
}

/// Signs of the corners of the faces of a box, by axis and side.
const SIGNS: [[[[f64; 4]; 3]; 2]; 3] = signs();

const fn signs() -> [[[[f64; 4]; 3]; 2]; 3] {
    let mut signs = [[[[0.0; 4]; 3]; 2]; 3];
    let mut axis = 0;
    while axis < 3 {
        let mut side = 0;
        while side < 2 {
            let corners = Cuboid::face_corners(axis, side == 1);
            let mut lane = 0;
            while lane < 4 {
                let mut e = 0;
                while e < 3 {
                    signs[axis][side][e][lane] = if corners[lane] & (1 << e) != 0 { 1.0 } else { -1.0 };
                    e += 1;
                }
                lane += 1;
            }
            side += 1;
        }
        axis += 1;
    }
    signs
}

/// A face of a box.
pub(super) struct Face {
    pub(super) normal: DVec3,
    corners: Four3,
    ids: [u32; 4],
}

impl Face {
    /// The one that looks most along a direction.
    #[inline(always)]
    pub(super) fn facing(placed: &Placed, cuboid: &Cuboid, direction: DVec3) -> Self {
        let (axis, positive, normal) = placed.axis_of_face(direction);
        let [sx, sy, sz] = &SIGNS[axis][usize::from(positive)];
        let [hx, hy, hz] = splat(cuboid.half_extents);
        let local = [hx * Four::from_memory(sx), hy * Four::from_memory(sy), hz * Four::from_memory(sz)];
        let (DMat3 { x_axis: x, y_axis: y, z_axis: z }, at) = (placed.rotation, placed.position);
        let mut corners = local;
        for e in 0..3 {
            let turned = Four::splat(x[e]) * local[0] + Four::splat(y[e]) * local[1] + Four::splat(z[e]) * local[2];
            corners[e] = turned + Four::splat(at[e]);
        }
        let [a, b, c, d] = Cuboid::face_corners(axis, positive);
        Self { normal, corners, ids: [a as u32, b as u32, c as u32, d as u32] }
    }

    /// Its corners one by one.
    #[inline(always)]
    fn points(&self) -> [FeaturePoint; 4] {
        let [x, y, z] = arrays(self.corners);
        let mut points = [FeaturePoint { point: DVec3::ZERO, id: 0 }; 4];
        for k in 0..4 {
            points[k] = FeaturePoint { point: DVec3::new(x[k], y[k], z[k]), id: self.ids[k] };
        }
        points
    }

    /// Its sides: their directions, and their inward normals along n, as long as the sides.
    #[inline(always)]
    fn sides(&self, n: DVec3) -> [Four3; 2] {
        let turn = n * 1.0f64.copysign(self.normal.dot(n));
        let [x, y, z] = self.corners;
        let along = minus([x.next_lane(), y.next_lane(), z.next_lane()], self.corners);
        [along, cross(splat(turn), along)]
    }

    /// Where its corners are above or below a plane through a point, along n.
    #[inline(always)]
    fn dropped(&self, n: DVec3, on: DVec3, m: DVec3) -> Four3 {
        let height = dot(minus(self.corners, splat(on)), splat(m)) / Four::splat(n.dot(m));
        [
            self.corners[0] - Four::splat(n.x) * height,
            self.corners[1] - Four::splat(n.y) * height,
            self.corners[2] - Four::splat(n.z) * height,
        ]
    }
}

/// Sides of a face, one by one.
struct Walls {
    normals: [[f64; 4]; 3],
    /// Squares of their lengths, times that of a tolerance.
    limits: [f64; 4],
}

impl Walls {
    #[inline(always)]
    fn new(normals: Four3, tolerance: f64) -> Self {
        let limits = Four::splat(tolerance * tolerance) * dot(normals, normals);
        Self { normals: arrays(normals), limits: limits.to_array() }
    }

    #[inline(always)]
    fn normal(&self, j: usize) -> DVec3 {
        DVec3::new(self.normals[0][j], self.normals[1][j], self.normals[2][j])
    }

    /// How far the corners of another face are within each of the sides, and which are within all of them.
    #[inline(always)]
    fn around(&self, corners: Four3, own: &[FeaturePoint; 4]) -> ([Four; 4], u32) {
        let mut areas = [corners[0]; 4];
        let mut inside = 0b1111;
        for j in 0..4 {
            let area = dot(splat(self.normal(j)), minus(corners, splat(own[j].point)));
            inside &= area.at_least(Four::splat(0.0)) | Four::splat(self.limits[j]).at_least(area * area);
            areas[j] = area;
        }
        (areas, inside)
    }
}

/// Pushes the corners of the lowest face of a box that are at least so deep below a plane, of which the normal and the offset from the
/// box's origin are given; returns whether this processor can.
pub(super) fn push_face_on_plane(
    (placed, cuboid, origin): (&Placed, &Cuboid, DVec3),
    plane: (DVec3, f64),
    least: f64,
    out: &mut Vec<ManifoldPoint>,
) -> bool {
    let has_four = std::arch::is_x86_feature_detected!("avx2");
    if has_four {
        // SAFETY: the processor has the feature.
        unsafe { face_on_plane((placed, cuboid, origin), plane, least, out) }
    }
    has_four
}

#[target_feature(enable = "avx2")]
fn face_on_plane(
    (placed, cuboid, origin): (&Placed, &Cuboid, DVec3),
    (normal, offset): (DVec3, f64),
    least: f64,
    out: &mut Vec<ManifoldPoint>,
) {
    let face = Face::facing(placed, cuboid, -normal);
    let depth = Four::splat(offset) - dot(splat(normal), face.corners);
    let half = Four::splat(0.5) * depth;
    let mut position = splat(origin);
    for e in 0..3 {
        position[e] = position[e] + face.corners[e] + Four::splat(normal[e]) * half;
    }
    let (some, depth, [x, y, z]) = (depth.at_least(Four::splat(least)), depth.to_array(), arrays(position));
    for k in 0..4 {
        if some & (1 << k) != 0 {
            out.push(ManifoldPoint::new(DVec3::new(x[k], y[k], z[k]), normal, depth[k], face.ids[k]));
        }
    }
}

/// Pushes the points in which two faces of boxes meet.
#[inline(always)]
pub(super) fn meet(sink: &mut Sink, a: &Face, b: &Face) {
    let n = sink.normal;
    let tolerance = 0.1 * sink.apart;
    let (pa, pb) = (a.points(), b.points());
    let ([along_a, walls_a], [_, walls_b]) = (a.sides(n), b.sides(n));
    let (walls_a, walls_b) = (Walls::new(walls_a, tolerance), Walls::new(walls_b, tolerance));
    let (within, inside_b) = walls_b.around(a.corners, &pb);
    let (_, inside_a) = walls_a.around(b.corners, &pa);
    if inside_b != 0 {
        sink.push_corners((a.corners, a.dropped(n, pb[0].point, b.normal)), inside_b, &pa, 0);
    }
    if inside_a != 0 {
        sink.push_corners((b.dropped(n, pa[0].point, a.normal), b.corners), inside_a, &pb, super::manifold::ON_B);
    }
    if inside_b == 0b1111 || inside_a == 0b1111 {
        return;
    }
    // Sides of the first that reach across sides of the second, whose ends do not lie on one side of them.
    let mut across = [0; 4];
    for j in 0..4 {
        let start = -within[j];
        let rate = dot(splat(walls_b.normal(j)), along_a);
        let stays = Four::splat(0.0).at_least(start * rate) | start.abs().at_least(rate.abs());
        across[j] = !stays & 0b1111;
    }
    if across == [0; 4] {
        return;
    }
    let within = [within[0].to_array(), within[1].to_array(), within[2].to_array(), within[3].to_array()];
    for i in 0..4 {
        for j in 0..4 {
            if across[j] & (1 << i) != 0 {
                cross_sides(sink, (&pa, i, walls_a.normal(i)), (&pb, j, walls_b.normal(j)), -within[j][i]);
            }
        }
    }
}

impl Sink<'_> {
    /// Pushes some of four corners of a face, which lie at these places on both surfaces.
    #[inline(always)]
    fn push_corners(&mut self, (on_a, on_b): (Four3, Four3), some: u32, corners: &[FeaturePoint; 4], key: u32) {
        let depth = dot(minus(on_b, on_a), splat(self.normal)).to_array();
        let half = Four::splat(0.5);
        let origin = splat(self.origin);
        let mut position = origin;
        for e in 0..3 {
            position[e] = origin[e] + half * (on_a[e] + on_b[e]);
        }
        let [x, y, z] = arrays(position);
        for k in 0..4 {
            if some & (1 << k) != 0 {
                self.push_at(DVec3::new(x[k], y[k], z[k]), depth[k], key | corners[k].id);
            }
        }
    }
}
