//! The solids of a closed mesh whose parts overlap, such as a hub and the spokes that run through it.

use stiction::math::DVec3;

use super::MeshDescription;

/// Most solids that a mesh is taken apart into.
const MOST: usize = 64;

/// Triangles that hang together by their vertices.
struct Part {
    triangles: Vec<u32>,
    /// Six times the volume, negative for a cavity.
    volume: f64,
    low: DVec3,
    high: DVec3,
}

impl Part {
    fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    fn holds(&self, other: &Self) -> bool {
        self.low.cmple(other.low).all() && other.high.cmple(self.high).all()
    }
}

impl MeshDescription {
    /// Solids of a closed and healed mesh, each with its cavities, where the bounds of two of them overlap: what is inside of
    /// both is inside, which the triangles of both together do not say. `None` where the mesh says it as it is.
    pub(crate) fn solids(&self) -> Option<Vec<Self>> {
        let parts = self.parts();
        let (solids, cavities): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(|part| part.volume > 0.0);
        if !(2..=MOST).contains(&solids.len()) {
            return None;
        }
        let overlap = |i: usize| solids[..i].iter().any(|other| other.overlaps(&solids[i]));
        if !(1..solids.len()).any(overlap) {
            return None;
        }
        let mut triangles: Vec<Vec<u32>> = solids.iter().map(|part| part.triangles.clone()).collect();
        for cavity in cavities {
            // The smallest solid around it.
            let around = (0..solids.len()).filter(|i| solids[*i].holds(&cavity));
            let holder = around.min_by(|a, b| solids[*a].volume.total_cmp(&solids[*b].volume))?;
            triangles[holder].extend(&cavity.triangles);
        }
        Some(triangles.iter().map(|list| self.only(list)).collect())
    }

    fn parts(&self) -> Vec<Part> {
        let mut root: Vec<u32> = (0..self.vertices.len() as u32).collect();
        fn find(root: &mut [u32], mut v: u32) -> u32 {
            while root[v as usize] != v {
                root[v as usize] = root[root[v as usize] as usize];
                v = root[v as usize];
            }
            v
        }
        for [a, b, c] in &self.triangles {
            for v in [b, c] {
                let [one, other] = [*a, *v].map(|v| find(&mut root, v));
                // The lower number stays, whatever the order.
                root[one.max(other) as usize] = one.min(other);
            }
        }
        let mut number = vec![usize::MAX; self.vertices.len()];
        let mut parts: Vec<Part> = Vec::new();
        for (index, triangle) in self.triangles.iter().enumerate() {
            let top = find(&mut root, triangle[0]) as usize;
            if number[top] == usize::MAX {
                number[top] = parts.len();
                parts.push(Part {
                    triangles: Vec::new(),
                    volume: 0.0,
                    low: DVec3::INFINITY,
                    high: DVec3::NEG_INFINITY,
                });
            }
            let part = &mut parts[number[top]];
            let [a, b, c] = triangle.map(|v| self.vertices[v as usize]);
            part.triangles.push(index as u32);
            part.volume += a.dot(b.cross(c));
            part.low = part.low.min(a).min(b).min(c);
            part.high = part.high.max(a).max(b).max(c);
        }
        parts
    }

    /// Some of the triangles, with their vertices.
    fn only(&self, triangles: &[u32]) -> Self {
        let mut number = vec![u32::MAX; self.vertices.len()];
        let mut made = Self::default();
        for index in triangles {
            let corners = self.triangles[*index as usize].map(|v| {
                let own = &mut number[v as usize];
                if *own == u32::MAX {
                    *own = made.vertices.len() as u32;
                    made.vertices.push(self.vertices[v as usize]);
                }
                *own
            });
            made.triangles.push(corners);
        }
        made
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn cube(low: f64, high: f64, shift: f64) -> MeshDescription {
        let corner = |i: usize| {
            let pick = |bit: usize| if i >> bit & 1 == 0 { low } else { high };
            DVec3::new(pick(0) + shift, pick(1), pick(2))
        };
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = faces.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]).collect();
        MeshDescription { vertices: (0..8).map(corner).collect(), triangles }
    }

    #[test]
    fn overlapping_solids_come_apart_and_others_stay() {
        let mut mesh = cube(-1.0, 1.0, 0.0);
        mesh.append(&cube(-1.0, 1.0, 5.0));
        assert!(mesh.solids().is_none(), "apart");
        mesh.append(&cube(-0.5, 0.5, 1.0));
        // A cavity in the second cube.
        mesh.append(&cube(-0.2, 0.2, 5.0).turned());
        let solids = mesh.solids().unwrap();
        let counts: Vec<usize> = solids.iter().map(|s| s.triangles.len()).collect();
        assert_eq!(counts, [12, 24, 12]);
        for (solid, volume) in solids.iter().zip([8.0, 8.0 - 0.064, 1.0]) {
            assert!((solid.volume() - volume).abs() < 1e-12, "{}", solid.volume());
        }
    }
}
