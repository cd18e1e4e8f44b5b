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
    if let Some(found) = box_box(&a, &b, unimportant, contacts.max()) {
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

/// Contact of two boxes, if they overlap or touch. `unimportant` takes the first axis that does not part them, and stops at
/// `max` points.
pub(crate) fn box_box(a: &OrientedBox, b: &OrientedBox, unimportant: bool, max: usize) -> Option<BoxContact> {
    let axis = least_overlap(a, b, unimportant)?;
    let mut contact = BoxContact {
        normal: axis.normal,
        depth: -axis.distance,
        code: axis.code,
        points: [(DVec3::ZERO, 0.0); 8],
        count: 0,
    };
    if axis.code > 6 {
        contact.points[0] = (between_edges(a, b, &axis), contact.depth);
        contact.count = 1;
    } else if axis.code <= 3 {
        face_points(a, b, axis.code - 1, axis.normal, (unimportant, max), &mut contact);
    } else {
        face_points(b, a, axis.code - 4, -axis.normal, (unimportant, max), &mut contact);
    }
    (contact.count > 0).then_some(contact)
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
    let p_a = a.rotation.transpose() * p;
    let r = [0, 1, 2].map(|i| [0, 1, 2].map(|j| a.rotation.col(i).dot(b.rotation.col(j))));
    let q = r.map(|row| row.map(f64::abs));
    let mut best = Separation { distance: f64::NEG_INFINITY, normal: DVec3::ZERO, code: 0 };
    for i in 0..3 {
        let reach = a.half[i] + b.half.x * q[i][0] + b.half.y * q[i][1] + b.half.z * q[i][2];
        if best.face(p_a[i], reach, a.rotation.col(i), 1 + i)? && unimportant {
            return Some(best);
        }
    }
    for j in 0..3 {
        let reach = a.half.x * q[0][j] + a.half.y * q[1][j] + a.half.z * q[2][j] + b.half[j];
        if best.face(b.rotation.col(j).dot(p), reach, b.rotation.col(j), 4 + j)? && unimportant {
            return Some(best);
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            let ([k, l], [m, n]) = (OTHERS[i], OTHERS[j]);
            // Eᵢ × R_j in the first box's axes: the cyclic order of the two other axes gives the signs.
            let (u, v) = ((i + 1) % 3, (i + 2) % 3);
            let mut axis = DVec3::ZERO;
            axis[u] = -r[v][j];
            axis[v] = r[u][j];
            let along = p_a[v] * r[u][j] - p_a[u] * r[v][j];
            let reach = a.half[k] * q[l][j] + a.half[l] * q[k][j] + b.half[m] * q[i][n] + b.half[n] * q[i][m];
            if best.edge(along, reach, axis, &a.rotation, 7 + 3 * i + j)? && unimportant {
                return Some(best);
            }
        }
    }
    (best.code > 0).then_some(best)
}

impl Separation {
    /// Takes a face's axis if the overlap is less along it. None if it parts the boxes.
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

    /// The same for the product of two edges, which is not of unit length, and zero for parallel ones.
    fn edge(&mut self, along: f64, reach: f64, axis: DVec3, rotation: &DMat3, code: usize) -> Option<bool> {
        let distance = along.abs() - reach;
        if distance > 0.0 {
            return None;
        }
        let length = axis.length();
        let scaled = distance / length;
        let better = length > 0.0 && scaled * FACE_PREFERENCE > self.distance;
        if better {
            let normal = *rotation * (axis / length);
            *self = Self { distance: scaled, normal: if along < 0.0 { -normal } else { normal }, code };
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
    let [e1, e2] = OTHERS[incident].map(|i| other.rotation.col(i));
    let [h1, h2] = OTHERS[incident].map(|i| other.half[i]);
    // Centre of the incident face, from the reference box's centre.
    let to_face = other.rotation.col(incident) * other.half[incident];
    let between = other.center - reference.center;
    let center = if facing[incident] < 0.0 { between + to_face } else { between - to_face };
    let [f1, f2] = OTHERS[face].map(|i| reference.rotation.col(i));
    let middle = DVec2::new(center.dot(f1), center.dot(f2));
    // The incident face's edges in the plane of the reference face: the columns of M.
    let (m1, m2) = (DVec2::new(f1.dot(e1), f2.dot(e1)), DVec2::new(f1.dot(e2), f2.dot(e2)));
    let (k1, k2) = (m1 * h1, m2 * h2);
    let quad = [middle - k1 - k2, middle - k1 + k2, middle + k1 + k2, middle + k1 - k2];
    let [r1, r2] = OTHERS[face].map(|i| reference.half[i]);
    let (clipped, count) = cull::clip(quad, DVec2::new(r1, r2));
    // Back onto the incident face by M⁻¹.
    let inverse = 1.0 / (m1.x * m2.y - m2.x * m1.y);
    let (m1, m2) = (m1 * inverse, m2 * inverse);
    let (mut flat, mut points, mut kept) = ([DVec2::ZERO; 8], [(DVec3::ZERO, 0.0); 8], 0);
    for &at in &clipped[..count] {
        let from = at - middle;
        let (s1, s2) = (m2.y * from.x - m2.x * from.y, -m1.y * from.x + m1.x * from.y);
        let point = center + e1 * s1 + e2 * s2;
        let depth = reference.half[face] - outward.dot(point);
        if depth >= 0.0 {
            (flat[kept], points[kept]) = (at, (point + reference.center, depth));
            kept += 1;
            if unimportant && kept == max {
                break;
            }
        }
    }
    if kept <= max {
        (contact.points, contact.count) = (points, kept);
        return;
    }
    let depths = points.map(|(_, depth)| depth);
    for (place, &chosen) in contact.points.iter_mut().zip(&cull::choose(&flat[..kept], &depths, max)[..max]) {
        *place = points[chosen];
    }
    contact.count = max;
}

/// The axis of the largest component; of equal ones the last, but y only if it beats x.
fn most_facing(n: DVec3) -> usize {
    let first = usize::from(n.y > n.x);
    if n[first] > n.z { first } else { 2 }
}
