//! Solids and meshes of every kind, each as the engine's shape and as what the brute force works on.

use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::Shape;

use super::distance::Kind;
use super::numbers::Numbers;
use super::soup::{Inside, Soup};
use crate::support::square_field;

/// Half of the solids' sizes \[m\].
pub const SOLIDS: [&str; 7] = ["sphere", "box", "capsule", "cylinder", "cone", "ellipsoid", "hull"];

pub fn solid(name: &str, r: &mut Numbers) -> (Shape, Kind) {
    let mut size = |low: f64, high: f64| low + (high - low) * r.next();
    match name {
        "sphere" => {
            let radius = size(0.1, 0.4);
            (Shape::sphere(radius).unwrap(), Kind::Points { points: vec![DVec3::ZERO], radius })
        }
        "box" => {
            let half = DVec3::new(size(0.08, 0.4), size(0.08, 0.4), size(0.08, 0.4));
            let side = |i: u32, bit: u32| if i & bit != 0 { 1.0 } else { -1.0 };
            let points = (0..8).map(|i| half * DVec3::new(side(i, 1), side(i, 2), side(i, 4))).collect();
            (Shape::cuboid(2.0 * half).unwrap(), Kind::Points { points, radius: 0.0 })
        }
        "capsule" => {
            let (radius, length) = (size(0.05, 0.25), size(0.1, 0.6));
            let points = vec![DVec3::Z * (0.5 * length), DVec3::Z * (-0.5 * length)];
            (Shape::capsule(radius, length).unwrap(), Kind::Points { points, radius })
        }
        "cylinder" => {
            let (radius, length) = (size(0.08, 0.35), size(0.1, 0.7));
            (Shape::cylinder(radius, length).unwrap(), Kind::Cylinder { radius, half: 0.5 * length })
        }
        "cone" => {
            let (radius, length) = (size(0.1, 0.35), size(0.2, 0.7));
            (Shape::cone(radius, length).unwrap(), Kind::Cone { radius, half: 0.5 * length })
        }
        "ellipsoid" => {
            let semi_axes = DVec3::new(size(0.1, 0.4), size(0.1, 0.4), size(0.1, 0.4));
            (Shape::ellipsoid(semi_axes).unwrap(), Kind::Ellipsoid { semi_axes })
        }
        _ => {
            let points: Vec<DVec3> = (0..14).map(|_| 0.35 * r.vector()).collect();
            (Shape::convex_hull(&points).unwrap(), Kind::Points { points, radius: 0.0 })
        }
    }
}

pub const MESHES: [&str; 13] =
    ["slab", "plate", "cube", "ball", "l", "u", "star", "gear", "torus", "spikes", "rolling", "sheet", "tiles"];

/// A mesh as the engine has it and as its triangles.
pub struct Scene {
    pub shape: Shape,
    pub soup: Soup,
    pub size: f64,
}

fn meshed(triangles: Vec<[DVec3; 3]>, inside: Inside) -> Scene {
    let vertices: Vec<DVec3> = triangles.iter().flatten().copied().collect();
    let indices: Vec<[u32; 3]> = (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let shape = Shape::triangle_mesh(&vertices, &indices).unwrap();
    let (low, high) = vertices.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |b, p| (b.0.min(*p), b.1.max(*p)));
    Scene { shape, soup: Soup { triangles, inside }, size: 0.5 * (high - low).length() }
}

fn turned(scene: Vec<[DVec3; 3]>, rotation: DQuat) -> Vec<[DVec3; 3]> {
    scene.into_iter().map(|t| t.map(|p| rotation * p)).collect()
}

/// Triangles of a simple polygon, counter-clockwise, by cutting ears.
fn ears(polygon: &[[f64; 2]]) -> Vec<[usize; 3]> {
    let mut left: Vec<usize> = (0..polygon.len()).collect();
    let area = |a: usize, b: usize, c: usize| {
        let [p, q, r] = [a, b, c].map(|k| polygon[k]);
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    };
    let mut triangles = Vec::new();
    while left.len() > 3 {
        let n = left.len();
        let ear = (0..n).find(|&i| {
            let [a, b, c] = [left[(i + n - 1) % n], left[i], left[(i + 1) % n]];
            let is_free = |k: &usize| {
                [a, b, c].contains(k) || !(area(a, b, *k) >= 0.0 && area(b, c, *k) >= 0.0 && area(c, a, *k) >= 0.0)
            };
            area(a, b, c) > 1e-12 && left.iter().all(is_free)
        });
        let i = ear.unwrap();
        triangles.push([left[(i + n - 1) % n], left[i], left[(i + 1) % n]]);
        left.remove(i);
    }
    triangles.push([left[0], left[1], left[2]]);
    triangles
}

/// A prism over a polygon in x and y, from -h to h.
fn prism(polygon: &[[f64; 2]], h: f64) -> Vec<[DVec3; 3]> {
    let at = |k: usize, z: f64| DVec3::new(polygon[k][0], polygon[k][1], z);
    let mut triangles = Vec::new();
    for [a, b, c] in ears(polygon) {
        triangles.push([at(a, h), at(b, h), at(c, h)]);
        triangles.push([at(a, -h), at(c, -h), at(b, -h)]);
    }
    for k in 0..polygon.len() {
        let l = (k + 1) % polygon.len();
        triangles.push([at(k, -h), at(l, -h), at(l, h)]);
        triangles.push([at(k, -h), at(l, h), at(k, h)]);
    }
    triangles
}

fn block(half: DVec3) -> Vec<[DVec3; 3]> {
    prism(&[[-half.x, -half.y], [half.x, -half.y], [half.x, half.y], [-half.x, half.y]], half.z)
}

/// A closed surface over two angles, n by m cells.
fn wound(n: usize, m: usize, at: impl Fn(usize, usize) -> DVec3) -> Vec<[DVec3; 3]> {
    let mut triangles = Vec::new();
    for i in 0..n {
        for j in 0..m {
            let (k, l) = ((i + 1) % n, j + 1);
            for t in [[at(i, j), at(k, j), at(k, l)], [at(i, j), at(k, l), at(i, l)]] {
                if (t[1] - t[0]).cross(t[2] - t[0]).length() > 1e-12 {
                    triangles.push(t);
                }
            }
        }
    }
    triangles
}

const TAU: f64 = 2.0 * std::f64::consts::PI;

fn polar(n: usize, radius: impl Fn(usize) -> f64) -> Vec<[f64; 2]> {
    (0..n)
        .map(|k| [radius(k) * (TAU * k as f64 / n as f64).cos(), radius(k) * (TAU * k as f64 / n as f64).sin()])
        .collect()
}

fn field(r: &mut Numbers, height: impl Fn(f64, f64, &mut Numbers) -> f64) -> Scene {
    let (n, extent) = (13, 4.0);
    let at = |i: usize| extent * (i as f64 / (n - 1) as f64 - 0.5);
    let heights: Vec<f64> = (0..n * n).map(|k| height(at(k % n), at(k / n), r)).collect();
    let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let thickness = 2.0;
    let shape = square_field(&heights, n, extent, thickness);
    let Shape::Heightfield(inner) = &shape else { panic!("a field") };
    let triangles = (0..).map_while(|t| inner.triangle(t)).map(|t| t.corners).collect();
    let soup = Soup { triangles, inside: Inside::Below(lowest - thickness) };
    Scene { shape, soup, size: 2.0 }
}

/// An open grid over x and y.
fn sheet(n: usize, height: impl Fn(f64, f64) -> f64) -> Vec<[DVec3; 3]> {
    let at = |i: usize, j: usize| {
        let [x, y] = [i, j].map(|k| 4.0 * (k as f64 / n as f64 - 0.5));
        DVec3::new(x, y, height(x, y))
    };
    let cells = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
    cells
        .flat_map(|(i, j)| [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j + 1), at(i, j + 1), at(i + 1, j)]])
        .collect()
}

pub fn scene(name: &str, r: &mut Numbers) -> Scene {
    let rotation = r.rotation();
    let closed = |triangles| meshed(turned(triangles, rotation), Inside::Closed);
    match name {
        "slab" => closed(block(DVec3::new(2.0, 1.5, 0.15))),
        "plate" => closed(block(DVec3::new(1.0, 0.8, 0.0005))),
        "cube" => closed(block(DVec3::splat(0.5))),
        "ball" => closed(wound(12, 8, |i, j| {
            let (a, b) = (TAU * i as f64 / 12.0, 0.5 * TAU * (j as f64 / 8.0 - 0.5));
            let ring = if j == 0 || j == 8 { 0.0 } else { b.cos() };
            0.6 * DVec3::new(ring * a.cos(), ring * a.sin(), if ring == 0.0 { 1f64.copysign(b) } else { b.sin() })
        })),
        "l" => closed(prism(&[[0.0, 0.0], [1.2, 0.0], [1.2, 0.4], [0.4, 0.4], [0.4, 1.0], [0.0, 1.0]], 0.4)),
        "u" => closed(prism(
            &[[0.0, 0.0], [1.5, 0.0], [1.5, 1.0], [1.2, 1.0], [1.2, 0.3], [0.3, 0.3], [0.3, 1.0], [0.0, 1.0]],
            0.4,
        )),
        "star" => closed(prism(&polar(10, |k| if k.is_multiple_of(2) { 1.0 } else { 0.4 }), 0.25)),
        "gear" => closed(prism(&polar(48, |k| if k % 4 < 2 { 1.0 } else { 0.8 }), 0.2)),
        "torus" => closed(wound(20, 10, |i, j| {
            let (a, b) = (TAU * i as f64 / 20.0, TAU * (j % 10) as f64 / 10.0);
            let ring = 0.8 + 0.3 * b.cos();
            DVec3::new(ring * a.cos(), ring * a.sin(), 0.3 * b.sin())
        })),
        "spikes" => field(r, |_, _, r| 0.6 * r.next()),
        "rolling" => field(r, |x, z, _| 0.25 * (1.7 * x).sin() * (1.3 * z + 0.4).cos()),
        "sheet" => meshed(sheet(14, |x, y| 0.25 * (1.7 * x).sin() * (1.3 * y + 0.4).cos()), Inside::Open),
        _ => meshed(sheet(16, |_, _| 0.0), Inside::Open),
    }
}

/// A mesh of another size.
pub fn resized(name: &str, scale: f64, r: &mut Numbers) -> Scene {
    let soup = scene(name, r).soup;
    meshed(soup.triangles.into_iter().map(|t| t.map(|p| p * scale)).collect(), soup.inside)
}

/// A pose about the surface: half of them so that the solid's centre lies by a random part of its size above or below
/// a random place of the surface, half anywhere about the mesh.
pub fn place(scene: &Scene, reach: f64, r: &mut Numbers) -> Pose {
    let rotation = r.rotation();
    let triangles = &scene.soup.triangles;
    let t = &triangles[((r.next() * triangles.len() as f64) as usize).min(triangles.len() - 1)];
    let (mut u, mut v) = (r.next(), r.next());
    if u + v > 1.0 {
        (u, v) = (1.0 - u, 1.0 - v);
    }
    let at = t[0] + (t[1] - t[0]) * u + (t[2] - t[0]) * v;
    let up = super::soup::normal(t);
    let spread = if r.next() < 0.5 { 1.2 * reach } else { scene.size };
    Pose::new(at + up * (spread * r.signed()) + 0.2 * reach * r.vector(), rotation)
}
