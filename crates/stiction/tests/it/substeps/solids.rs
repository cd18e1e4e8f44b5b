//! Solids by their own formulas, and how far two of them overlap.

use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;

use crate::numbers::Numbers;
use crate::support::cube_corners;

/// A convex part of a solid, in its frame.
#[derive(Clone, Debug)]
pub enum Part {
    /// All within a distance of the hull of points.
    Points(Vec<DVec3>, f64),
    /// About z.
    Cylinder { radius: f64, half: f64 },
}

impl Part {
    /// The farthest point along a direction of the world.
    pub fn support(&self, pose: &Pose, d: DVec3) -> DVec3 {
        let own = pose.inverse_direction(d);
        let point = match self {
            Self::Points(points, radius) => {
                let far = points.iter().max_by(|p, q| p.dot(own).total_cmp(&q.dot(own))).unwrap();
                *far + own.normalize_or(DVec3::X) * *radius
            }
            Self::Cylinder { radius, half } => {
                own.with_z(0.0).normalize_or(DVec3::X) * *radius + DVec3::Z * half.copysign(own.z)
            }
        };
        pose.point(point)
    }
}

/// A shape with its parts.
pub struct Solid {
    pub shape: Shape,
    pub parts: Vec<Part>,
    /// Farthest point from the frame [m].
    pub reach: f64,
    /// It rolls.
    pub is_round: bool,
}

impl Solid {
    fn new(shape: Shape, parts: Vec<Part>, is_round: bool) -> Self {
        let reach_of = |part: &Part| match part {
            Part::Points(points, radius) => points.iter().map(|p| p.length()).fold(0.0, f64::max) + radius,
            Part::Cylinder { radius, half } => radius.hypot(*half),
        };
        let reach = parts.iter().map(reach_of).fold(0.0, f64::max);
        Self { shape, parts, reach, is_round }
    }

    pub fn random(kind: usize, size: f64, random: &mut Numbers) -> Self {
        let sides = DVec3::new(size, size * (0.5 + 0.5 * random.next()), size * (0.5 + 0.5 * random.next()));
        let half = 0.5 * sides;
        match kind % 6 {
            0 => {
                let corners = cube_corners(1.0).into_iter().map(|p| p * sides).collect();
                Self::new(Shape::cuboid(sides).unwrap(), vec![Part::Points(corners, 0.0)], false)
            }
            1 => Self::new(Shape::sphere(half.x).unwrap(), vec![Part::Points(vec![DVec3::ZERO], half.x)], true),
            2 => {
                let ends = vec![DVec3::Z * half.x, DVec3::NEG_Z * half.x];
                Self::new(Shape::capsule(0.5 * half.y, sides.x).unwrap(), vec![Part::Points(ends, 0.5 * half.y)], true)
            }
            3 => {
                let part = Part::Cylinder { radius: half.y, half: half.x };
                Self::new(Shape::cylinder(half.y, sides.x).unwrap(), vec![part], true)
            }
            4 => {
                let points: Vec<DVec3> = (0..12).map(|_| random.vector().normalize_or(DVec3::X) * half).collect();
                let hull = Shape::convex_hull(&points).unwrap();
                Self::new(hull, vec![Part::Points(points, 0.0)], false)
            }
            _ => angle(sides),
        }
    }

    /// Largest overlap with the half space below a plane `n · x = offset` [m].
    pub fn below(&self, pose: &Pose, n: DVec3, offset: f64) -> f64 {
        self.parts.iter().map(|part| offset - part.support(pose, -n).dot(n)).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// An L as a closed mesh: two boxes at a right angle that share an edge's prism.
fn angle(sides: DVec3) -> Solid {
    let (half, thin) = (0.5 * sides, 0.3 * sides.x.min(sides.z));
    let outline = [
        [-half.x, -half.z],
        [half.x, -half.z],
        [half.x, thin - half.z],
        [thin - half.x, thin - half.z],
        [thin - half.x, half.z],
        [-half.x, half.z],
    ];
    let corners: Vec<DVec3> =
        [-half.y, half.y].iter().flat_map(|y| outline.map(|[x, z]| DVec3::new(x, *y, z))).collect();
    let face = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    // Seen from −y the outline runs counter-clockwise.
    let mut triangles: Vec<[u32; 3]> = face.to_vec();
    triangles.extend(face.map(|[a, b, c]| [6 + a, 6 + c, 6 + b]));
    for k in 0..6 {
        let l = (k + 1) % 6;
        triangles.extend([[k, 6 + k, 6 + l], [k, 6 + l, l]]);
    }
    let shape = Shape::triangle_mesh(&corners, &triangles).unwrap();
    let part = |list: &[usize]| Part::Points(list.iter().flat_map(|k| [corners[*k], corners[6 + *k]]).collect(), 0.0);
    Solid::new(shape, vec![part(&[0, 1, 2, 3]), part(&[0, 3, 4, 5])], false)
}

/// How far two parts overlap along a unit direction from the second to the first [m].
fn width(a: (&Part, &Pose), b: (&Part, &Pose), n: DVec3) -> f64 {
    (b.0.support(b.1, n) - a.0.support(a.1, -n)).dot(n)
}

/// A direction's width is a proof that two solids overlap by no more. The least that compass searches find from the best
/// starts: one may end in a valley that is not the deepest.
pub fn overlap(a: (&Part, &Pose), b: (&Part, &Pose), hints: &[DVec3]) -> f64 {
    let along = (a.1.position - b.1.position).normalize_or(DVec3::Z);
    let axes = [a.1, b.1].into_iter().flat_map(|pose| DVec3::AXES.map(|axis| pose.direction(axis)));
    let starts = axes.chain(hints.iter().copied()).chain([along]).chain(about(64)).flat_map(|n| [n, -n]);
    let mut starts: Vec<(f64, DVec3)> = starts.map(|n| (width(a, b, n), n)).collect();
    if starts.iter().all(|start| start.0 > 0.0) {
        starts.extend(across(a, b).into_iter().flat_map(|n| [n, -n]).map(|n| (width(a, b, n), n)));
    }
    starts.sort_unstable_by(|n, m| n.0.total_cmp(&m.0));
    let mut tried: Vec<DVec3> = Vec::new();
    let mut least = starts[0].0;
    for (_, n) in starts {
        if least <= 0.0 || tried.len() == 8 {
            break;
        }
        if tried.iter().all(|known| known.dot(n) < 0.98) {
            tried.push(n);
            least = least.min(descend(a, b, n));
        }
    }
    least
}

/// Normals of faces, and across two edges, of parts with few corners: the least width is along one of them.
fn across(a: (&Part, &Pose), b: (&Part, &Pose)) -> Vec<DVec3> {
    let edges = |part: (&Part, &Pose)| -> Vec<DVec3> {
        let Part::Points(points, _) = part.0 else { return Vec::new() };
        if points.len() > FEW {
            return Vec::new();
        }
        let between = points.iter().enumerate().flat_map(|(k, p)| points[..k].iter().map(move |q| *p - *q));
        let mut edges: Vec<DVec3> = Vec::new();
        for along in between.filter_map(|off| part.1.direction(off).try_normalize()) {
            if edges.iter().all(|known| known.dot(along).abs() < 1.0 - 1e-12) {
                edges.push(along);
            }
        }
        edges
    };
    let (of_a, of_b) = (edges(a), edges(b));
    let pairs = [(&of_a, &of_a), (&of_b, &of_b), (&of_a, &of_b)];
    let all = pairs.into_iter().flat_map(|(p, q)| p.iter().flat_map(move |u| q.iter().map(move |v| u.cross(*v))));
    all.filter_map(DVec3::try_normalize).collect()
}

/// Corners of a box or a prism.
const FEW: usize = 8;

/// Directions evenly about (Fibonacci's spiral).
fn about(count: usize) -> impl Iterator<Item = DVec3> {
    (0..count).map(move |k| {
        let z = 1.0 - (2 * k + 1) as f64 / count as f64;
        let (y, x) = (2.399_963_229_728_653 * k as f64).sin_cos();
        (DVec3::new(x, y, 0.0) * (1.0 - z * z).sqrt()).with_z(z)
    })
}

/// The least width that a compass search finds from a direction on.
fn descend(a: (&Part, &Pose), b: (&Part, &Pose), start: DVec3) -> f64 {
    let (mut best, mut least, mut reach) = (start, width(a, b, start), 0.3);
    while reach > 1e-8 && least > 0.0 {
        let (t, u) = best.any_orthonormal_pair();
        let tries = [t, -t, u, -u].map(|d| (best + reach * d).normalize());
        let found = tries.into_iter().min_by(|n, m| width(a, b, *n).total_cmp(&width(a, b, *m))).unwrap();
        let value = width(a, b, found);
        // Rounding would go on for long.
        if value < least - 1e-12 {
            (best, least) = (found, value);
        } else {
            reach *= 0.5;
        }
    }
    least
}

#[test]
fn overlaps_of_known_pairs_are_found() {
    let cube = Part::Points(cube_corners(1.0), 0.0);
    let ball = Part::Points(vec![DVec3::ZERO], 0.5);
    let cylinder = Part::Cylinder { radius: 0.5, half: 0.5 };
    let place = |x: f64, y: f64, z: f64| Pose::from_position(DVec3::new(x, y, z));
    let origin = Pose::IDENTITY;
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
    near(overlap((&cube, &origin), (&cube, &place(0.2, 0.1, 0.99)), &[]), 0.01);
    near(overlap((&ball, &origin), (&ball, &place(0.57, 0.0, 0.76)), &[]), 0.05);
    near(overlap((&ball, &origin), (&cube, &place(0.1, 0.2, 0.9)), &[]), 0.1);
    near(overlap((&cylinder, &origin), (&ball, &place(0.5, 0.7, 0.0)), &[]), 1.0 - 0.74f64.sqrt());
    assert!(overlap((&cube, &origin), (&cube, &place(0.2, 0.1, 1.01)), &[]) < 0.0);
}
