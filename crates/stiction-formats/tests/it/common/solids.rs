//! Solids as triangles, and files of them.

use std::fmt::Write as _;

use stiction::math::DVec3;
use stiction_formats::mesh::MeshDescription;

/// A box about the origin.
pub fn cuboid(size: DVec3) -> MeshDescription {
    let corner = |i: u32| DVec3::from_array([0, 1, 2].map(|k| if i >> (2 - k) & 1 == 1 { 0.5 } else { -0.5 })) * size;
    let quads: [[u32; 4]; 6] = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    let triangles = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    MeshDescription { vertices: (0..8).map(corner).collect(), triangles }
}

/// A cup of so many sides, open at the top: outer radius 50 mm, inner 45 mm, height 100 mm, floor 10 mm; it stands on z = 0.
pub fn mug(sides: u32) -> MeshDescription {
    let mut mesh = MeshDescription::default();
    let profile = [(0.0, 0.0), (0.05, 0.0), (0.05, 0.1), (0.045, 0.1), (0.045, 0.01), (0.0, 0.01)];
    let mut rings: Vec<Vec<u32>> = Vec::new();
    for (radius, z) in profile {
        let count = if radius == 0.0 { 1 } else { sides };
        let first = mesh.vertices.len() as u32;
        for i in 0..count {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(sides);
            mesh.vertices.push(DVec3::new(radius * angle.cos(), radius * angle.sin(), z));
        }
        rings.push((0..sides).map(|i| first + i % count).collect());
    }
    for pair in rings.windows(2) {
        for i in 0..sides as usize {
            let next = (i + 1) % sides as usize;
            let [a, b, c, d] = [pair[0][i], pair[0][next], pair[1][next], pair[1][i]];
            if a != b {
                mesh.triangles.push([a, b, c]);
            }
            if c != d {
                mesh.triangles.push([a, c, d]);
            }
        }
    }
    mesh
}

/// As an OBJ file.
pub fn obj(mesh: &MeshDescription) -> Vec<u8> {
    let mut text = String::new();
    for v in &mesh.vertices {
        writeln!(text, "v {} {} {}", v.x, v.y, v.z).unwrap();
    }
    for t in &mesh.triangles {
        writeln!(text, "f {} {} {}", t[0] + 1, t[1] + 1, t[2] + 1).unwrap();
    }
    text.into_bytes()
}

/// As a binary STL file.
pub fn stl(mesh: &MeshDescription) -> Vec<u8> {
    let mut bytes = b"solid but binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for t in &mesh.triangles {
        bytes.extend([0; 12]);
        for v in t.map(|v| mesh.vertices[v as usize]) {
            v.to_array().iter().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
        }
        bytes.extend([0; 2]);
    }
    bytes
}
