//! Box with box: 15 axes, then one face clipped against the other.

use glam::{DMat3, DVec2, DVec3};

use super::super::{Geom, GeomId, GeomShape};
use super::cull;
use super::{CONTACTS_UNIMPORTANT, Contacts};

/// Edges must beat faces by this factor, so that resting boxes keep to their faces.
const FACE_PREFERENCE: f64 = 1.05;

/// A box in the world.
pub(crate) struct OrientedBox {
    pub center: DVec3,
    pub rotation: DMat3,
    pub half: DVec3,
}

/// How two boxes overlap.
#[derive(Default)]
pub(crate) struct BoxContact {
    /// From the first box into the second.
    pub normal: DVec3,
    /// Overlap along it \[m\].
    pub depth: f64,
    /// 1 to 3 face of the first box, 4 to 6 face of the second, 7 to 15 edges.
    pub code: usize,
    /// Positions and depths.
    pub points: [(DVec3, f64); 8],
    pub count: usize,
}

/// The axis along which the boxes overlap least.
struct Separation {
    /// Negative overlap.
    distance: f64,
    normal: DVec3,
    code: usize,
}

pub(super) unsafe fn boxes(first: GeomId, second: GeomId, contacts: &mut Contacts) {
    let (Some(a), Some(b)) = (OrientedBox::of(first), OrientedBox::of(second)) else { return };
    let unimportant = contacts.flags & CONTACTS_UNIMPORTANT != 0;
    let mut found = BoxContact::default();
    if box_box(&a, &b, unimportant, contacts.max(), &mut found) {
        for &(position, depth) in &found.points[..found.count] {
            contacts.push(position, -found.normal, depth);
        }
    }
}

impl OrientedBox {
    unsafe fn of(geom: GeomId) -> Option<Self> {
        let GeomShape::Box { sides } = &(*geom).shape else { return None };
        let placed = Geom::placed(geom);
        Some(Self { center: placed.position, rotation: placed.rotation, half: DVec3::from_array(*sides) * 0.5 })
    }
}

/// Contact of two boxes; false if they are apart. `unimportant` takes the first axis that does not part them, and stops at
/// `max` points.
pub(crate) fn box_box(
    a: &OrientedBox,
    b: &OrientedBox,
    unimportant: bool,
    max: usize,
    contact: &mut BoxContact,
) -> bool {
    let Some(axis) = least_overlap(a, b, unimportant) else { return false };
    (contact.normal, contact.depth, contact.code) = (axis.normal, -axis.distance, axis.code);
    match axis.code {
        1..=3 => face_points(a, b, axis.code - 1, axis.normal, (unimportant, max), contact),
        4..=6 => face_points(b, a, axis.code - 4, -axis.normal, (unimportant, max), contact),
        _ => {
            contact.points[0] = (between_edges(a, b, &axis), contact.depth);
            contact.count = 1;
        }
    }
    contact.count > 0
}

impl OrientedBox {
    /// No axis parts the boxes.
    pub(crate) fn touch(a: &Self, b: &Self) -> bool {
        least_overlap(a, b, false).is_some()
    }
}

/// The other two axes, in order.
const OTHERS: [[usize; 2]; 3] = [[1, 2], [0, 2], [0, 1]];

/// With p between the centres and `R = Aᵀ B`: along a face's normal the boxes reach `aᵢ + Σ bⱼ |Rᵢⱼ|`, along the product of
/// two edges `Aᵢ × Bⱼ` the sum over the other edges. None if an axis parts them.
fn least_overlap(a: &OrientedBox, b: &OrientedBox, unimportant: bool) -> Option<Separation> {
    let p = b.center - a.center;
    let couple = Couple::new(a, b, p);
    let (q, reach_a, reach_b) = (&couple.q, a.half, b.half);
    let mut best = Separation { distance: f64::NEG_INFINITY, normal: DVec3::ZERO, code: 0 };
    for i in 0..3 {
        let reach = reach_a[i] + reach_b.x * q[i][0] + reach_b.y * q[i][1] + reach_b.z * q[i][2];
        if best.face(couple.p[i], reach, couple.a[i], 1 + i)? && unimportant {
            return Some(best);
        }
    }
    for j in 0..3 {
        let reach = reach_a.x * q[0][j] + reach_a.y * q[1][j] + reach_a.z * q[2][j] + reach_b[j];
        if best.face(couple.b[j].dot(p), reach, couple.b[j], 4 + j)? && unimportant {
            return Some(best);
        }
    }
    couple.edge::<0, 0>(&mut best)?;
    couple.edge::<0, 1>(&mut best)?;
    couple.edge::<0, 2>(&mut best)?;
    couple.edge::<1, 0>(&mut best)?;
    couple.edge::<1, 1>(&mut best)?;
    couple.edge::<1, 2>(&mut best)?;
    couple.edge::<2, 0>(&mut best)?;
    couple.edge::<2, 1>(&mut best)?;
    couple.edge::<2, 2>(&mut best)?;
    (best.code > 0).then_some(best)
}

/// Two boxes as the tests of axes see them.
struct Couple {
    /// Axes in the world.
    a: [DVec3; 3],
    b: [DVec3; 3],
    half_a: [f64; 3],
    half_b: [f64; 3],
    /// Between the centres, in the first box's axes.
    p: [f64; 3],
    /// `Aᵀ B`, and its magnitudes.
    r: [[f64; 3]; 3],
    q: [[f64; 3]; 3],
}

impl Couple {
    #[inline]
    fn new(first: &OrientedBox, second: &OrientedBox, p: DVec3) -> Self {
        let columns = |m: &DMat3| [m.x_axis, m.y_axis, m.z_axis];
        let (a, b) = (columns(&first.rotation), columns(&second.rotation));
        let (mut r, mut q, mut p_a) = ([[0.0; 3]; 3], [[0.0; 3]; 3], [0.0; 3]);
        for i in 0..3 {
            p_a[i] = a[i].dot(p);
            for j in 0..3 {
                r[i][j] = a[i].dot(b[j]);
                q[i][j] = r[i][j].abs();
            }
        }
        Self { a, b, half_a: first.half.to_array(), half_b: second.half.to_array(), p: p_a, r, q }
    }

    /// The product of edge I of the first box and edge J of the second. None if it parts the boxes. It is not of unit
    /// length, and zero for parallel edges.
    #[inline(always)]
    fn edge<const I: usize, const J: usize>(&self, best: &mut Separation) -> Option<()> {
        let ([k, l], [m, n]) = (OTHERS[I], OTHERS[J]);
        // In the first box's axes it has no component along I; the cyclic order of the two others gives the signs.
        let (u, v) = ((I + 1) % 3, (I + 2) % 3);
        let (r, q) = (&self.r, &self.q);
        let along = self.p[v] * r[u][J] - self.p[u] * r[v][J];
        let reach =
            self.half_a[k] * q[l][J] + self.half_a[l] * q[k][J] + self.half_b[m] * q[I][n] + self.half_b[n] * q[I][m];
        let distance = along.abs() - reach;
        if distance > 0.0 {
            return None;
        }
        let square = r[u][J] * r[u][J] + r[v][J] * r[v][J];
        // Both distances are negative: no root is drawn unless this axis may be the better one.
        let (wanted, scaled) = (distance * FACE_PREFERENCE, best.distance * best.distance * square);
        if wanted * wanted > scaled * (1.0 + 1e-9) {
            return Some(());
        }
        let length = square.sqrt();
        if length > 0.0 && distance / length * FACE_PREFERENCE > best.distance {
            let (along_u, along_v) = (-r[v][J] / length, r[u][J] / length);
            let normal = self.a[u] * along_u + self.a[v] * along_v;
            let normal = if along < 0.0 { -normal } else { normal };
            *best = Separation { distance: distance / length, normal, code: 7 + 3 * I + J };
        }
        Some(())
    }
}

impl Separation {
    /// Takes a face's axis if the overlap is less along it. None if it parts the boxes.
    #[inline(always)]
    fn face(&mut self, along: f64, reach: f64, axis: DVec3, code: usize) -> Option<bool> {
        let distance = along.abs() - reach;
        if distance > 0.0 {
            return None;
        }
        let better = distance > self.distance;
        if better {
            *self = Self { distance, normal: if along < 0.0 { -axis } else { axis }, code };
        }
        Some(better)
    }
}

/// Midway between the nearest points of the two touching edges' lines.
fn between_edges(a: &OrientedBox, b: &OrientedBox, axis: &Separation) -> DVec3 {
    // The corner farthest along the normal, or against it.
    let corner = |of: &OrientedBox, along: f64| {
        let mut p = of.center;
        for i in 0..3 {
            let sign = if axis.normal.dot(of.rotation.col(i)) > 0.0 { along } else { -along };
            p += of.rotation.col(i) * (sign * of.half[i]);
        }
        p
    };
    let (pa, pb) = (corner(a, 1.0), corner(b, -1.0));
    let (ua, ub) = (a.rotation.col((axis.code - 7) / 3), b.rotation.col((axis.code - 7) % 3));
    let (s, t) = nearest_on_lines(pa, ua, pb, ub);
    (pa + ua * s + pb + ub * t) * 0.5
}

/// Parameters of the nearest points of two lines with unit directions; the given points if they are almost parallel.
fn nearest_on_lines(pa: DVec3, ua: DVec3, pb: DVec3, ub: DVec3) -> (f64, f64) {
    let between = pb - pa;
    let cosine = ua.dot(ub);
    let (q1, q2) = (ua.dot(between), -ub.dot(between));
    let determinant = 1.0 - cosine * cosine;
    if determinant <= 1e-4 {
        return (0.0, 0.0);
    }
    ((q1 + cosine * q2) / determinant, (cosine * q1 + q2) / determinant)
}

/// Clips the face of `other` that looks most against a face of `reference` to that face. `outward` is the latter's normal.
fn face_points(
    reference: &OrientedBox,
    other: &OrientedBox,
    face: usize,
    outward: DVec3,
    (unimportant, max): (bool, usize),
    contact: &mut BoxContact,
) {
    let facing = other.rotation.transpose() * outward;
    let incident = most_facing(facing.abs());
    let [i1, i2] = OTHERS[incident];
    let (e1, e2) = (other.rotation.col(i1), other.rotation.col(i2));
    let (h1, h2) = (other.half[i1], other.half[i2]);
    // Centre of the incident face, from the reference box's centre.
    let to_face = other.rotation.col(incident) * other.half[incident];
    let between = other.center - reference.center;
    let center = if facing[incident] < 0.0 { between + to_face } else { between - to_face };
    let [j1, j2] = OTHERS[face];
    let (f1, f2) = (reference.rotation.col(j1), reference.rotation.col(j2));
    let middle = DVec2::new(center.dot(f1), center.dot(f2));
    // The incident face's edges in the plane of the reference face: the columns of M.
    let (m1, m2) = (DVec2::new(f1.dot(e1), f2.dot(e1)), DVec2::new(f1.dot(e2), f2.dot(e2)));
    let (k1, k2) = (m1 * h1, m2 * h2);
    let quad = [middle - k1 - k2, middle - k1 + k2, middle + k1 + k2, middle + k1 - k2];
    let mut clipped = [DVec2::ZERO; 8];
    let count = cull::clip(&quad, DVec2::new(reference.half[j1], reference.half[j2]), &mut clipped);
    // Back onto the incident face by M⁻¹.
    let inverse = 1.0 / (m1.x * m2.y - m2.x * m1.y);
    let (m1, m2) = (m1 * inverse, m2 * inverse);
    let (mut flat, mut kept) = ([DVec2::ZERO; 8], 0);
    for &at in &clipped[..count] {
        let from = at - middle;
        let (s1, s2) = (m2.y * from.x - m2.x * from.y, -m1.y * from.x + m1.x * from.y);
        let point = center + e1 * s1 + e2 * s2;
        let depth = reference.half[face] - outward.dot(point);
        if depth >= 0.0 {
            flat[kept] = at;
            contact.points[kept] = (point + reference.center, depth);
            kept += 1;
            if unimportant && kept == max {
                break;
            }
        }
    }
    contact.count = kept.min(max);
    if kept > max {
        let points = contact.points;
        let chosen = cull::choose(&flat[..kept], &points.map(|(_, depth)| depth), max);
        for (place, &index) in contact.points.iter_mut().zip(&chosen[..max]) {
            *place = points[index];
        }
    }
}

/// The axis of the largest component; of equal ones the last, but y only if it beats x.
fn most_facing(n: DVec3) -> usize {
    let first = usize::from(n.y > n.x);
    if n[first] > n.z { first } else { 2 }
}
