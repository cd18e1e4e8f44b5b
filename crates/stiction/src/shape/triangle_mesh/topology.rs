//! What lies across the edges and about the corners of a mesh. Corners at one place count as one, so that soups with
//! doubled vertices hang together.

use glam::DVec3;

use crate::shape::{Triangle, TrianglePart};

/// How two triangles meet in an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// Nothing lies across it.
    Boundary,
    /// The surface bends away: a ridge.
    Convex,
    /// Both triangles lie in one plane.
    Flat,
    /// The surface bends towards its outside: a valley.
    Concave,
}

/// No triangle.
const NONE: u32 = u32::MAX;

/// An edge is flat within this sine of the angle between its triangles.
const FLAT: f64 = 1e-6;

#[derive(Clone, Debug)]
pub(super) struct Topology {
    /// First vertex at the same place, by vertex.
    welded: Vec<u32>,
    /// Triangle across edge k, from corner k to corner k + 1; [`NONE`] at a boundary.
    neighbours: Vec<[u32; 3]>,
    kinds: Vec<[EdgeKind; 3]>,
    /// Vertices that share an edge with a welded vertex: a range of `ring`.
    ring_starts: Vec<u32>,
    ring: Vec<u32>,
    /// Sum of the normals about a welded vertex, weighted by angle (Bærentzen and Aanæs, 2005).
    pseudo_normals: Vec<DVec3>,
    /// An edge without a neighbour ends at a welded vertex.
    on_rim: Vec<bool>,
    /// Every edge joins exactly as many triangles one way as the other.
    pub is_closed: bool,
}

/// One side of an edge: welded ends, the triangle, its edge.
#[derive(Clone, Copy)]
struct Side {
    ends: [u32; 2],
    triangle: u32,
    edge: u8,
    is_forward: bool,
}

impl Topology {
    /// `normals` are zero for degenerate triangles, which take no part.
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]], normals: &[DVec3]) -> Self {
        let welded = weld(vertices);
        let mut sides = Vec::with_capacity(3 * triangles.len());
        let mut pseudo_normals = vec![DVec3::ZERO; vertices.len()];
        for (index, triangle) in triangles.iter().enumerate() {
            if normals[index] == DVec3::ZERO {
                continue;
            }
            let corners = triangle.map(|v| welded[v as usize]);
            for k in 0..3 {
                let [a, b, c] = [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]];
                let ends = [a.min(b), a.max(b)];
                sides.push(Side { ends, triangle: index as u32, edge: k as u8, is_forward: a < b });
                let [p, q, r] = [a, b, c].map(|v| vertices[v as usize]);
                let (u, v) = ((q - p).normalize_or_zero(), (r - p).normalize_or_zero());
                pseudo_normals[a as usize] += normals[index] * libm::acos(u.dot(v).clamp(-1.0, 1.0));
            }
        }
        sides.sort_unstable_by_key(|s| (s.ends, s.triangle, s.edge));
        let (ring_starts, ring) = rings(vertices.len(), &sides);
        let mut topology = Self {
            welded,
            neighbours: vec![[NONE; 3]; triangles.len()],
            kinds: vec![[EdgeKind::Boundary; 3]; triangles.len()],
            ring_starts,
            ring,
            pseudo_normals,
            on_rim: Vec::new(),
            is_closed: !sides.is_empty(),
        };
        for edge in sides.chunk_by(|s, t| s.ends == t.ends) {
            topology.is_closed &= 2 * edge.iter().filter(|s| s.is_forward).count() == edge.len();
            topology.join(edge, normals);
        }
        topology.sort_edges(vertices, triangles, normals);
        if !topology.is_closed {
            topology.on_rim = vec![false; vertices.len()];
            for side in sides.iter().filter(|s| topology.neighbours[s.triangle as usize][usize::from(s.edge)] == NONE) {
                side.ends.iter().for_each(|&v| topology.on_rim[v as usize] = true);
            }
        }
        topology
    }

    /// Joins the sides of one edge in pairs: opposite ways first, then what is left of a soup wound anyhow; of several
    /// the one that bends least, so that the sides of a sheet with two faces keep to themselves.
    fn join(&mut self, edge: &[Side], normals: &[DVec3]) {
        for anyhow in [false, true] {
            for (i, s) in edge.iter().enumerate() {
                if self.across(s) != NONE {
                    continue;
                }
                let mut best: Option<(f64, Side)> = None;
                for t in &edge[i + 1..] {
                    let fits = t.triangle != s.triangle && (anyhow || t.is_forward != s.is_forward);
                    if fits && self.across(t) == NONE {
                        let cosine = normals[s.triangle as usize].dot(normals[t.triangle as usize]);
                        if best.is_none_or(|b| cosine > b.0) {
                            best = Some((cosine, *t));
                        }
                    }
                }
                if let Some((_, t)) = best {
                    self.neighbours[s.triangle as usize][usize::from(s.edge)] = t.triangle;
                    self.neighbours[t.triangle as usize][usize::from(t.edge)] = s.triangle;
                }
            }
        }
    }

    fn across(&self, side: &Side) -> u32 {
        self.neighbours[side.triangle as usize][usize::from(side.edge)]
    }

    fn sort_edges(&mut self, vertices: &[DVec3], triangles: &[[u32; 3]], normals: &[DVec3]) {
        for index in 0..triangles.len() {
            for k in 0..3 {
                let Some(far) = self.opposite(triangles, index as u32, k) else { continue };
                let off = vertices[far as usize] - vertices[triangles[index][k] as usize];
                let height = normals[index].dot(off);
                self.kinds[index][k] = if height.abs() <= FLAT * off.length() {
                    EdgeKind::Flat
                } else if height < 0.0 {
                    EdgeKind::Convex
                } else {
                    EdgeKind::Concave
                };
            }
        }
    }

    pub fn neighbours(&self, triangle: u32) -> [Option<u32>; 3] {
        self.neighbours[triangle as usize].map(|n| (n != NONE).then_some(n))
    }

    pub fn kinds(&self, triangle: u32) -> [EdgeKind; 3] {
        self.kinds[triangle as usize]
    }

    /// The far vertex of the triangle across edge k.
    pub fn opposite(&self, triangles: &[[u32; 3]], triangle: u32, k: usize) -> Option<u32> {
        let other = self.neighbours[triangle as usize][k];
        if other == NONE {
            return None;
        }
        let corners = triangles[triangle as usize];
        let ends = [corners[k], corners[(k + 1) % 3]].map(|v| self.welded[v as usize]);
        triangles[other as usize].into_iter().find(|v| !ends.contains(&self.welded[*v as usize]))
    }

    /// The vertex that stands for all at its place.
    pub fn place(&self, vertex: u32) -> u32 {
        self.welded[vertex as usize]
    }

    /// The rim of an open surface passes through a vertex.
    pub fn is_rim(&self, vertex: u32) -> bool {
        !self.is_closed && self.on_rim[self.welded[vertex as usize] as usize]
    }

    /// Vertices that share an edge with the place of a vertex.
    pub fn ring(&self, vertex: u32) -> &[u32] {
        let v = self.welded[vertex as usize] as usize;
        &self.ring[self.ring_starts[v] as usize..self.ring_starts[v + 1] as usize]
    }

    /// A direction that is outside at a vertex.
    pub fn pseudo_normal(&self, vertex: u32) -> DVec3 {
        self.pseudo_normals[self.welded[vertex as usize] as usize]
    }

    /// Direction that is outside where a point of a triangle lies nearest to another point.
    pub fn outward(&self, triangles: &[[u32; 3]], normals: &[DVec3], at: &Triangle, part: TrianglePart) -> DVec3 {
        match part {
            TrianglePart::Face => at.normal,
            TrianglePart::Edge(k) => {
                let other = self.neighbours[at.index as usize][k];
                at.normal + if other == NONE { DVec3::ZERO } else { normals[other as usize] }
            }
            TrianglePart::Corner(k) => self.pseudo_normal(triangles[at.index as usize][k]),
        }
    }
}

/// The first vertex at each vertex' place.
fn weld(vertices: &[DVec3]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    // Zero has one sign here.
    let key = |i: u32| (vertices[i as usize] + DVec3::ZERO).to_array();
    order.sort_unstable_by(|&i, &j| {
        let (p, q) = (key(i), key(j));
        (0..3)
            .map(|k| p[k].total_cmp(&q[k]))
            .fold(std::cmp::Ordering::Equal, |sum, next| sum.then(next))
            .then(i.cmp(&j))
    });
    let mut welded = vec![0; vertices.len()];
    for place in order.chunk_by(|&i, &j| vertices[i as usize] == vertices[j as usize]) {
        for &i in place {
            welded[i as usize] = place[0];
        }
    }
    welded
}

/// Neighbours of every welded vertex along edges, as ranges of one list.
fn rings(count: usize, sides: &[Side]) -> (Vec<u32>, Vec<u32>) {
    let mut pairs: Vec<[u32; 2]> = sides.iter().flat_map(|s| [s.ends, [s.ends[1], s.ends[0]]]).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut starts = vec![0u32; count + 1];
    for pair in &pairs {
        starts[pair[0] as usize + 1] += 1;
    }
    for i in 0..count {
        starts[i + 1] += starts[i];
    }
    (starts, pairs.into_iter().map(|p| p[1]).collect())
}
