//! Contact points from the two features that touch, once the normal is known.
//!
//! Seen along the normal both features are flat shapes whose overlap is wanted: its corners are corners of one
//! inside the other and crossings of their outlines. Each corner is found on both surfaces, `p_A` and `p_B`, on
//! one line along the normal n, so its depth is `(p_B - p_A)·n`.

use glam::DVec3;

#[cfg(target_arch = "x86_64")]
use super::box_four::{self, Face};
use super::{
    ManifoldPoint,
    capsule_capsule::nearest_on_segments,
    convex::{Convex, Couple},
    discs::disc_disc,
    feature::{Disc, Feature, FeaturePoint, Polygon, disc_points},
    placed::Placed,
};
use crate::shape::Cuboid;

/// A face this near to square on is flat against the normal (cosine; about 1e-5 rad).
pub(super) const FLAT: f64 = 1.0 - 5e-11;
/// A face this near to square on to shapes that overlap carries if two points or more of it do (cosine; about 1e-2 rad).
const NEARLY_FLAT: f64 = 1.0 - 5e-5;
/// Faces this near to parallel are to be whole contacts where points are to last: what touches with one place of them comes down with the others in the
/// same step (cosine; about 0.1 rad).
const MAY_LIE_FLAT: f64 = 0.995;
/// Share of the depth that the deepest of them has.
const MOST_OF: f64 = 0.9;
/// Edges this near to parallel touch along their overlap (sine).
const PARALLEL: f64 = 1e-3;

/// Collects the points of one pair.
pub(super) struct Sink<'a> {
    pub(super) out: &'a mut Vec<ManifoldPoint>,
    pub(super) origin: DVec3,
    pub(super) normal: DVec3,
    pub(super) least: f64,
    /// Points nearer than this are one point \[m\].
    pub(super) apart: f64,
    /// Points before this are of other couples.
    pub(super) from: usize,
    /// Points of ends are to last: see [`super::ContactQuery::whole_faces`].
    pub(super) lasts: bool,
}

impl<'a> Sink<'a> {
    /// For the points of a couple; those that the list has already are of other couples.
    #[inline(always)]
    fn new<A, B>(couple: &Couple<A, B>, normal: DVec3, least: f64, out: &'a mut Vec<ManifoldPoint>) -> Self {
        let from = out.len();
        Self { out, origin: couple.origin, normal, least, apart: 1e-6 * couple.size, from, lasts: false }
    }

    pub(super) fn push(&mut self, on_a: DVec3, on_b: DVec3, feature: u32) {
        let depth = (on_b - on_a).dot(self.normal);
        self.push_at(self.origin + 0.5 * (on_a + on_b), depth, feature);
    }

    #[inline(always)]
    pub(super) fn push_at(&mut self, position: DVec3, depth: f64, feature: u32) {
        let known = |p: &ManifoldPoint| (p.position - position).length_squared() < self.apart * self.apart;
        if depth >= self.least && !self.out[self.from..].iter().any(known) {
            self.out.push(ManifoldPoint::new(position, self.normal, depth, feature));
        }
    }
}

/// Appends the points of a couple that overlaps by `depth` along `normal`. Of ends that lie on something they are to last, or need not:
/// [`super::ContactQuery::whole_faces`].
pub(super) fn points(
    couple: &Couple<impl Convex, impl Convex>,
    normal: DVec3,
    depth: f64,
    (least, lasts): (f64, bool),
    out: &mut Vec<ManifoldPoint>,
) {
    let (a, b) = (&couple.a, &couple.b);
    let from = out.len();
    let mut sink = Sink { lasts, ..Sink::new(couple, normal, least, out) };
    let (fa, fb) = (a.feature(-normal), b.feature(normal));
    let is_square = |f: &Feature, cosine: f64| f.normal().is_some_and(|m| m.dot(normal).abs() > cosine);
    if is_square(&fa, FLAT) || is_square(&fb, FLAT) {
        meet(&mut sink, couple, &fa, &fb, depth);
    } else {
        // A roller that overhangs a plate and leans on its edge by 1e-4 rad carries over its whole length: from one step to the
        // next the normal is that of the plate or lies beside it, and the contact is to be the same.
        if depth > 0.0 && (is_square(&fa, NEARLY_FLAT) || is_square(&fb, NEARLY_FLAT)) {
            meet(&mut sink, couple, &fa, &fb, depth);
        }
        let points = &mut sink.out[from..];
        let is_line = points.len() > 1;
        let deepest = points.iter_mut().max_by(|a, b| a.depth.total_cmp(&b.depth));
        let deepest = deepest.filter(|p| is_line && p.depth > MOST_OF * depth);
        let is_whole = deepest.is_some();
        if let Some(point) = deepest {
            point.depth = depth;
        }
        if !is_whole {
            sink.out.truncate(from);
            meet(&mut sink, couple, &a.ridge(-normal), &b.ridge(normal), depth);
        }
    }
    if sink.out.len() == from {
        // Rounding has left the overlap empty: the support points meet.
        let p = a.support(-normal);
        sink.push(p, p + normal * depth, WITNESS);
    }
}

/// Pushes the points in which two features meet.
fn meet(sink: &mut Sink, couple: &Couple<impl Convex, impl Convex>, fa: &Feature, fb: &Feature, depth: f64) {
    let normal = sink.normal;
    match (fa, fb) {
        (Feature::Polygon(p), Feature::Polygon(q)) => polygon_polygon(sink, p, q),
        (Feature::Polygon(p), Feature::Edge(e)) => {
            p.with_points(|points| polygon_edge(sink, (p.normal, points), e, false));
        }
        (Feature::Edge(e), Feature::Polygon(p)) => {
            p.with_points(|points| polygon_edge(sink, (p.normal, points), e, true));
        }
        (Feature::Polygon(p), Feature::Disc(d)) => {
            p.with_points(|points| polygon_disc(sink, (p.normal, points), d, false));
        }
        (Feature::Disc(d), Feature::Polygon(p)) => {
            p.with_points(|points| polygon_disc(sink, (p.normal, points), d, true));
        }
        (Feature::Disc(d), Feature::Edge(e)) => disc_edge(sink, d, e, false),
        (Feature::Edge(e), Feature::Disc(d)) => disc_edge(sink, d, e, true),
        (Feature::Disc(d), Feature::Disc(e)) => disc_disc(sink, d, e),
        (Feature::Edge(e), Feature::Edge(f)) => edge_edge(sink, e, f, depth),
        (Feature::Point(p), Feature::Point(q))
            if (q.point - normal * depth - p.point).length_squared() > (ASIDE * couple.size).powi(2)
                && is_steadier(couple, normal) =>
        {
            sink.push(p.point, p.point + normal * depth, p.id);
        }
        (_, Feature::Point(p)) => sink.push(p.point - normal * depth, p.point, p.id),
        (Feature::Point(p), _) => sink.push(p.point, p.point + normal * depth, p.id),
    }
}

/// Support points that lie farther from one line along the normal, in parts of the size, are not both where the sets touch.
const ASIDE: f64 = 1e-2;
/// Change of a direction that tells curved sets and corners from flat ones.
const WOBBLE: f64 = 1e-3;

/// The first set's farthest point moves less with the normal than the second's: it is where they touch. The second one has an edge
/// or a face there, from whose one end to the other rounding of the normal leads.
fn is_steadier(couple: &Couple<impl Convex, impl Convex>, normal: DVec3) -> bool {
    let tangent = normal.any_orthonormal_vector();
    let tangents = [tangent, normal.cross(tangent)];
    let spread = |support: &dyn Fn(DVec3) -> DVec3, n: DVec3| -> f64 {
        tangents.iter().map(|&t| (support(n + WOBBLE * t) - support(n - WOBBLE * t)).length_squared()).sum()
    };
    spread(&|d| couple.a.support(d), -normal) < spread(&|d| couple.b.support(d), normal)
}

/// Key of the support points.
pub(super) const WITNESS: u32 = u32::MAX;
pub(super) const ON_B: u32 = 1 << 30;
const CROSSING: u32 = 1 << 31;

/// Key of two outlines that cross.
pub(super) fn crossing(a: u32, b: u32) -> u32 {
    CROSSING | (a & 0x7fff) << 15 | (b & 0x7fff)
}

/// The point on a plane through `on` with normal `m` above or below `x` along `n`.
pub(super) fn dropped(x: DVec3, n: DVec3, on: DVec3, m: DVec3) -> DVec3 {
    x - n * ((x - on).dot(m) / n.dot(m))
}

/// Pushes a pair of points given as first and second feature.
fn push_ordered(sink: &mut Sink, first: DVec3, second: DVec3, swapped: bool, feature: u32) {
    if swapped {
        sink.push(second, first, feature);
    } else {
        sink.push(first, second, feature);
    }
}

/// Seen along n, `x` lies in the polygon or within rounding of it.
fn inside((normal, points): (DVec3, &[FeaturePoint]), n: DVec3, x: DVec3, tolerance: f64) -> bool {
    let turn = n * 1.0f64.copysign(normal.dot(n));
    (0..points.len()).all(|i| {
        let (p, q) = (points[i].point, points[(i + 1) % points.len()].point);
        let edge = q - p;
        let area = turn.dot(edge.cross(x - p));
        area >= 0.0 || area * area <= tolerance * tolerance * edge.length_squared()
    })
}

/// The sides of a polygon of N points at most as planes along n: their inward normals, as long as the sides.
#[inline(always)]
fn walls<const N: usize>(normal: DVec3, points: &[FeaturePoint], n: DVec3) -> [DVec3; N] {
    let turn = n * 1.0f64.copysign(normal.dot(n));
    let mut walls = [DVec3::ZERO; N];
    for (i, wall) in walls.iter_mut().enumerate().take(points.len()) {
        let next = if i + 1 < points.len() { i + 1 } else { 0 };
        *wall = turn.cross(points[next].point - points[i].point);
    }
    walls
}

/// A normal is nearly that of a face.
#[inline(always)]
pub(super) fn is_nearly(normal: DVec3, face: DVec3) -> bool {
    normal.dot(face) > MAY_LIE_FLAT
}

/// How much less may a face overlap along its own normal than two shapes do along theirs, by their size.
const NEAR: f64 = 1e-2;

/// Appends the points of a couple that overlaps by `depth` along `normal`, which are to last, along the normal of a face where two nearly lie on each other;
/// false where they do not, a face has that very normal, or nothing of the faces is as near as the couple is.
pub(super) fn faces(
    couple: &Couple<impl Convex, impl Convex>,
    (normal, depth): (DVec3, f64),
    least: f64,
    out: &mut Vec<ManifoldPoint>,
) -> bool {
    let (fa, fb) = (couple.a.feature(-normal), couple.b.feature(normal));
    let (Some(of_a), Some(of_b)) = (fa.normal(), fb.normal()) else { return false };
    let [of_a, of_b] = [-of_a, of_b];
    let face = if of_a.dot(normal) > of_b.dot(normal) { of_a } else { of_b };
    if !is_nearly(normal, face) || face.dot(normal) > FLAT {
        return false;
    }
    let from = out.len();
    meet(&mut Sink { lasts: true, ..Sink::new(couple, face, least, out) }, couple, &fa, &fb, depth);
    let deepest = out[from..].iter().fold(f64::NEG_INFINITY, |most, point| most.max(point.depth));
    let is_there = deepest > depth - NEAR * couple.size;
    if !is_there {
        out.truncate(from);
    }
    is_there
}

/// Appends the points of two boxes whose faces nearly lie on each other, along the normal of one; false if there are none.
pub(super) fn faces_of_boxes(
    couple: &Couple<Placed, Placed>,
    [first, second]: [&Cuboid; 2],
    normal: DVec3,
    least: f64,
    out: &mut Vec<ManifoldPoint>,
) -> bool {
    let (fa, fb) = (couple.a.face_of_box(first, -normal), couple.b.face_of_box(second, normal));
    clip_faces(&mut Sink::new(couple, normal, least, out), &fa, &fb)
}

/// Appends the points of two boxes that overlap by `depth` along `normal`: as [`points`], without large polygons where two faces meet.
pub(super) fn points_of_boxes(
    couple: &Couple<Placed, Placed>,
    [first, second]: [&Cuboid; 2],
    (normal, depth): (DVec3, f64),
    least: f64,
    out: &mut Vec<ManifoldPoint>,
) {
    let (fa, fb) = (couple.a.face_of_box(first, -normal), couple.b.face_of_box(second, normal));
    if !are_flat([fa.0, fb.0], normal) || !clip_faces(&mut Sink::new(couple, normal, least, out), &fa, &fb) {
        points(couple, normal, depth, (least, false), out);
    }
}

/// Pushes the points of two faces of boxes; false if there are none.
#[inline(always)]
fn clip_faces(sink: &mut Sink, a: &(DVec3, [FeaturePoint; 4]), b: &(DVec3, [FeaturePoint; 4])) -> bool {
    // Of four points each: the loops over them have no ends to ask for.
    face_face::<4>(sink, (a.0, &a.1), (b.0, &b.1));
    sink.out.len() > sink.from
}

/// As [`points_of_boxes`], four numbers side by side.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn points_of_boxes_by_four(
    couple: &Couple<Placed, Placed>,
    [first, second]: [&Cuboid; 2],
    (normal, depth): (DVec3, f64),
    least: f64,
    out: &mut Vec<ManifoldPoint>,
) {
    let (a, b) = (Face::facing(&couple.a, first, -normal), Face::facing(&couple.b, second, normal));
    let from = out.len();
    if are_flat([a.normal, b.normal], normal) {
        box_four::meet(&mut Sink::new(couple, normal, least, out), &a, &b);
    }
    if out.len() == from {
        points(couple, normal, depth, (least, false), out);
    }
}

/// One of two faces is flat against a normal.
#[inline(always)]
fn are_flat(faces: [DVec3; 2], normal: DVec3) -> bool {
    faces[0].dot(normal).abs() > FLAT || faces[1].dot(normal).abs() > FLAT
}

fn polygon_polygon(sink: &mut Sink, a: &Polygon, b: &Polygon) {
    a.with_points(|of_a| b.with_points(|of_b| meet_faces(sink, (a.normal, of_a), (b.normal, of_b))));
}

fn meet_faces(sink: &mut Sink, first: (DVec3, &[FeaturePoint]), second: (DVec3, &[FeaturePoint])) {
    match first.1.len().max(second.1.len()) {
        ..=4 => face_face::<4>(sink, first, second),
        5..=8 => face_face::<8>(sink, first, second),
        _ => face_face::<{ Polygon::CAPACITY }>(sink, first, second),
    }
}

/// Pushes the points in which two polygons of N points at most meet: normals, and points.
#[inline(always)]
fn face_face<const N: usize>(
    sink: &mut Sink,
    (normal_a, pa): (DVec3, &[FeaturePoint]),
    (normal_b, pb): (DVec3, &[FeaturePoint]),
) {
    let n = sink.normal;
    let tolerance = 0.1 * sink.apart;
    let (walls_a, walls_b) = (walls::<N>(normal_a, pa, n), walls::<N>(normal_b, pb, n));
    let is_inside = |areas: &[f64], walls: &[DVec3]| {
        areas
            .iter()
            .zip(walls)
            .all(|(area, wall)| *area >= 0.0 || area * area <= tolerance * tolerance * wall.length_squared())
    };
    let areas = |x: DVec3, points: &[FeaturePoint], walls: &[DVec3]| {
        let mut areas = [0.0; N];
        for ((area, p), wall) in areas.iter_mut().zip(points).zip(walls) {
            *area = wall.dot(x - p.point);
        }
        areas
    };
    // How far the corners of the first lie within the sides of the second.
    let mut within = [[0.0; N]; N];
    let (mut inside_b, mut inside_a) = (0, 0);
    for (p, within) in pa.iter().zip(&mut within) {
        *within = areas(p.point, pb, &walls_b);
        if is_inside(&within[..pb.len()], &walls_b) {
            inside_b += 1;
            sink.push(p.point, dropped(p.point, n, pb[0].point, normal_b), p.id);
        }
    }
    for p in pb {
        if is_inside(&areas(p.point, pa, &walls_a)[..pa.len()], &walls_a) {
            inside_a += 1;
            sink.push(dropped(p.point, n, pa[0].point, normal_a), p.point, ON_B | p.id);
        }
    }
    if inside_b == pa.len() || inside_a == pb.len() {
        return;
    }
    for i in 0..pa.len() {
        let da = pa[if i + 1 < pa.len() { i + 1 } else { 0 }].point - pa[i].point;
        for j in 0..pb.len() {
            // Both ends of one side lie on one side of the other: no crossing.
            let start = -within[i][j];
            let rate = walls_b[j].dot(da);
            if start * rate <= 0.0 || start.abs() >= rate.abs() {
                continue;
            }
            cross_sides(sink, (pa, i, walls_a[i]), (pb, j, walls_b[j]), start);
        }
    }
}

/// Pushes the point in which a side of one polygon crosses one of another, if it does: their points, the numbers of the sides and the
/// inward normals of these, and how far the first side begins from the second.
#[inline(always)]
pub(super) fn cross_sides(
    sink: &mut Sink,
    (pa, i, wall_a): (&[FeaturePoint], usize, DVec3),
    (pb, j, wall_b): (&[FeaturePoint], usize, DVec3),
    start: f64,
) {
    let (p, da) = (pa[i].point, pa[if i + 1 < pa.len() { i + 1 } else { 0 }].point - pa[i].point);
    let (q, db) = (pb[j].point, pb[if j + 1 < pb.len() { j + 1 } else { 0 }].point - pb[j].point);
    let rate = wall_b.dot(da);
    if rate * rate <= 1e-18 * da.length_squared() * db.length_squared() {
        return;
    }
    let (s, t) = (start / rate, wall_a.dot(p - q) / wall_a.dot(db));
    if t > 0.0 && t < 1.0 {
        sink.push(p + da * s, q + db * t, crossing(pa[i].id, pb[j].id));
    }
}

/// Cuts the edge to the polygon's side planes.
fn polygon_edge(sink: &mut Sink, (normal, points): (DVec3, &[FeaturePoint]), edge: &[FeaturePoint; 2], swapped: bool) {
    let n = sink.normal;
    let turn = n * 1.0f64.copysign(normal.dot(n));
    let (start, along) = (edge[0].point, edge[1].point - edge[0].point);
    let (mut low, mut high) = ((0.0, edge[0].id), (1.0, edge[1].id));
    for i in 0..points.len() {
        let side = points[(i + 1) % points.len()].point - points[i].point;
        let height = turn.dot(side.cross(start - points[i].point));
        let rate = turn.dot(side.cross(along));
        let outside = -0.1 * sink.apart * side.length();
        if rate.abs() <= 1e-12 * side.length() * along.length() {
            if height < outside {
                return;
            }
            continue;
        }
        let t = -height / rate;
        if rate > 0.0 && t > low.0 {
            low = (t, crossing(edge[0].id, points[i].id));
        } else if rate < 0.0 && t < high.0 {
            high = (t, crossing(edge[1].id, points[i].id));
        }
    }
    if low.0 > high.0 {
        return;
    }
    for (t, id) in [low, high] {
        let p = start + along * t;
        push_ordered(sink, dropped(p, n, points[0].point, normal), p, swapped, id);
    }
}

/// Rim points inside the polygon, polygon corners inside the disc, and crossings of the outlines.
fn polygon_disc(sink: &mut Sink, (normal, points): (DVec3, &[FeaturePoint]), disc: &Disc, swapped: bool) {
    let n = sink.normal;
    let onto_polygon = |x: DVec3| dropped(x, n, points[0].point, normal);
    // The deepest rim point of a tilted cap lies farthest towards the polygon.
    let towards = if swapped { -n } else { n };
    let overlap = || {
        let depth = (onto_polygon(disc.center) - disc.center).dot(n);
        if swapped { depth } else { -depth }
    };
    let lasting = sink.lasts.then(overlap);
    for p in disc_points(disc, towards, lasting) {
        if inside((normal, points), n, p.point, 0.1 * sink.apart) {
            push_ordered(sink, onto_polygon(p.point), p.point, swapped, p.id);
        }
    }
    let (u, v) = disc.frame(towards, lasting);
    for i in 0..points.len() {
        let (p, along) = (points[i].point, points[(i + 1) % points.len()].point - points[i].point);
        let foot = dropped(p, n, disc.center, disc.normal);
        if (foot - disc.center).length_squared() <= disc.radius * disc.radius {
            push_ordered(sink, p, foot, swapped, ON_B | points[i].id);
        }
        // Rim point c + r (u cos φ + v sin φ) on the side plane w·x = w·p: a cos φ + b sin φ = c.
        let w = n.cross(along);
        let (a, b, c) = (disc.radius * w.dot(u), disc.radius * w.dot(v), w.dot(p - disc.center));
        let square = a * a + b * b;
        if c * c >= square {
            continue;
        }
        let root = (square - c * c).sqrt();
        for (k, sign) in [(0, 1.0), (1, -1.0)] {
            let (cos, sin) = ((a * c - b * root * sign) / square, (b * c + a * root * sign) / square);
            let rim = disc.center + (u * cos + v * sin) * disc.radius;
            let flat = along - n * along.dot(n);
            let t = (rim - p).dot(flat) / flat.length_squared();
            if t > 0.0 && t < 1.0 {
                push_ordered(sink, p + along * t, rim, swapped, crossing(disc.id + k, points[i].id));
            }
        }
    }
}

/// Cuts the edge to the disc.
fn disc_edge(sink: &mut Sink, disc: &Disc, edge: &[FeaturePoint; 2], swapped: bool) {
    let n = sink.normal;
    let onto = |x: DVec3| dropped(x, n, disc.center, disc.normal);
    let start = onto(edge[0].point) - disc.center;
    let along = onto(edge[1].point) - disc.center - start;
    // |start + t along|² = r².
    let square = along.length_squared();
    let middle = -start.dot(along) / square;
    let rest = disc.radius * disc.radius - (start + along * middle).length_squared();
    if rest < 0.0 {
        return;
    }
    let half = (rest / square).sqrt();
    for (t, cut, end) in
        [((middle - half).max(0.0), middle - half > 0.0, 0), ((middle + half).min(1.0), middle + half < 1.0, 1)]
    {
        if !(0.0..=1.0).contains(&t) {
            return;
        }
        let p = edge[0].point + (edge[1].point - edge[0].point) * t;
        let id = if cut { crossing(edge[end].id, disc.id) } else { edge[end].id };
        push_ordered(sink, onto(p), p, swapped, id);
    }
}

/// One point where they cross, two where they run along each other.
fn edge_edge(sink: &mut Sink, a: &[FeaturePoint; 2], b: &[FeaturePoint; 2], depth: f64) {
    // Pushed apart by the depth the edges just touch, and nowhere else are they as near.
    let apart = sink.normal * depth;
    let touch = |sink: &mut Sink| {
        let (p, q) = nearest_on_segments((a[0].point + apart, a[1].point + apart), (b[0].point, b[1].point));
        let middle = 0.5 * (p - apart + q);
        sink.push(middle - 0.5 * apart, middle + 0.5 * apart, crossing(a[0].id, b[0].id));
    };
    let (da, db) = (a[1].point - a[0].point, b[1].point - b[0].point);
    if da.cross(db).length() > PARALLEL * da.length() * db.length() {
        touch(sink);
        return;
    }
    // Parallel: the overlap on the line of a, each end carried by the end of one of the two.
    let place = |x: DVec3| (x - a[0].point).dot(da) / da.length_squared();
    let (t0, t1) = (place(b[0].point), place(b[1].point));
    let [near, far] = if t0 <= t1 { [(t0, b[0].id), (t1, b[1].id)] } else { [(t1, b[1].id), (t0, b[0].id)] };
    let low = if near.0 > 0.0 { (near.0, ON_B | near.1) } else { (0.0, a[0].id) };
    let high = if far.0 < 1.0 { (far.0, ON_B | far.1) } else { (1.0, a[1].id) };
    if low.0 > high.0 {
        touch(sink);
        return;
    }
    for (t, id) in [low, high] {
        let p = a[0].point + da * t;
        let q = b[0].point + db * ((p - b[0].point).dot(db) / db.length_squared());
        sink.push(p, q, id);
    }
}
