//! What lies across the edges and about the corners of a mesh. Corners at one place count as one, so that soups with
//! duplicate vertices are connected.

use glam::DVec3;

use super::weld::weld;
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

/// What does not depend on where the vertices are, as long as the same ones are at one place and the same triangles
/// degenerate.
#[derive(Clone, Debug)]
pub(super) struct Topology {
    /// First vertex at the same place, by vertex; empty if every vertex has its own.
    pub welded: Vec<u32>,
    /// Triangle across edge k, from corner k to corner k + 1; [`NONE`] at a boundary.
    neighbours: Vec<[u32; 3]>,
    /// Triangles at a welded vertex, the lowest number first: a range of `fans`.
    starts: Vec<u32>,
    fans: Vec<u32>,
    /// Every edge joins exactly as many triangles one way as the other.
    pub is_closed: bool,
    /// More than two triangles meet in some edge: which of them are joined depends on where they are.
    pub is_branched: bool,
    /// Triangles that meet in an edge have it in opposite senses.
    is_oriented: bool,
}

/// The arrays of a mesh. Normals are zero for degenerate triangles, which take no part; without normals they are worked
/// out.
#[derive(Clone, Copy)]
pub(super) struct Arrays<'a> {
    pub vertices: &'a [DVec3],
    pub triangles: &'a [[u32; 3]],
    pub normals: &'a [DVec3],
}

impl Arrays<'_> {
    fn normal(&self, triangle: u32) -> DVec3 {
        let index = triangle as usize;
        self.normals
            .get(index)
            .copied()
            .unwrap_or_else(|| Triangle::new(triangle, self.triangles[index].map(|v| self.vertices[v as usize])).normal)
    }
}

/// One side of an edge: the welded end of the higher number, the triangle, its edge.
#[derive(Clone, Copy)]
struct EdgeSide {
    end: u32,
    triangle: u32,
    edge: u8,
    is_forward: bool,
}

impl Topology {
    pub fn new(arrays: Arrays) -> Self {
        let welded = weld(arrays.vertices);
        let mut topology = Self {
            neighbours: vec![[NONE; 3]; arrays.triangles.len()],
            starts: vec![0; arrays.vertices.len() + 1],
            fans: Vec::new(),
            is_closed: true,
            is_branched: false,
            is_oriented: true,
            welded,
        };
        topology.gather_fans(arrays);
        let mut sides = Vec::new();
        for vertex in 0..arrays.vertices.len() as u32 {
            topology.sides_at(arrays.triangles, vertex, &mut sides);
            for edge in sides.chunk_by(|s, t| s.end == t.end) {
                topology.is_closed &= 2 * edge.iter().filter(|s| s.is_forward).count() == edge.len();
                topology.is_branched |= edge.len() > 2;
                topology.is_oriented &= matches!(edge, [_]) || matches!(edge, [s, t] if s.is_forward != t.is_forward);
                topology.join(edge, arrays.normals);
            }
        }
        topology.is_closed &= !topology.fans.is_empty();
        topology
    }

    /// Counts the triangles at every vertex, then puts them there.
    fn gather_fans(&mut self, arrays: Arrays) {
        let solid = |t: usize| arrays.normal(t as u32) != DVec3::ZERO;
        let mut count = 0;
        for (_, corners) in arrays.triangles.iter().enumerate().filter(|(t, _)| solid(*t)) {
            for &v in corners {
                let place = self.place(v) as usize;
                self.starts[place + 1] += 1;
            }
            count += 3;
        }
        for i in 1..self.starts.len() {
            self.starts[i] += self.starts[i - 1];
        }
        self.fans = vec![0; count];
        for (t, corners) in arrays.triangles.iter().enumerate().filter(|(t, _)| solid(*t)) {
            for &v in corners {
                let place = self.place(v) as usize;
                self.fans[self.starts[place] as usize] = t as u32;
                self.starts[place] += 1;
            }
        }
        // Every start has moved on to the next one's.
        let last = self.starts.len() - 1;
        self.starts.copy_within(0..last, 1);
        self.starts[0] = 0;
    }

    /// The sides of the edges from a vertex to those of higher numbers, edge by edge.
    fn sides_at(&self, triangles: &[[u32; 3]], vertex: u32, sides: &mut Vec<EdgeSide>) {
        sides.clear();
        for &triangle in self.range(vertex) {
            let corners = triangles[triangle as usize].map(|v| self.place(v));
            let k = corner_of(&corners, vertex);
            let (after, before) = ((k + 1) % 3, (k + 2) % 3);
            for (end, edge, is_forward) in [(corners[after], k, true), (corners[before], before, false)] {
                if end > vertex {
                    sides.push(EdgeSide { end, triangle, edge: edge as u8, is_forward });
                }
            }
        }
        sides.sort_unstable_by_key(|s| (s.end, s.triangle, s.edge));
    }

    /// Joins the sides of one edge in pairs: opposite ways first, then what is left of a soup wound anyhow; of several
    /// the one that bends least, so that the sides of a sheet with two faces keep to themselves.
    fn join(&mut self, edge: &[EdgeSide], normals: &[DVec3]) {
        if let [s, t] = edge {
            self.tie(s, t);
            return;
        }
        for anyhow in [false, true] {
            for (i, s) in edge.iter().enumerate() {
                if self.across(s) != NONE {
                    continue;
                }
                let mut best: Option<(f64, EdgeSide)> = None;
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
                    self.tie(s, &t);
                }
            }
        }
    }

    fn tie(&mut self, s: &EdgeSide, t: &EdgeSide) {
        self.neighbours[s.triangle as usize][usize::from(s.edge)] = t.triangle;
        self.neighbours[t.triangle as usize][usize::from(t.edge)] = s.triangle;
    }

    fn across(&self, side: &EdgeSide) -> u32 {
        self.neighbours[side.triangle as usize][usize::from(side.edge)]
    }

    pub fn neighbours(&self, triangle: u32) -> [Option<u32>; 3] {
        self.neighbours[triangle as usize].map(|n| (n != NONE).then_some(n))
    }

    pub fn kinds(&self, arrays: Arrays, triangle: u32) -> [EdgeKind; 3] {
        [0, 1, 2].map(|k| {
            let Some(far) = self.opposite(arrays.triangles, triangle, k) else { return EdgeKind::Boundary };
            let corner = arrays.triangles[triangle as usize][k];
            let off = arrays.vertices[far as usize] - arrays.vertices[corner as usize];
            let height = arrays.normal(triangle).dot(off);
            if height.abs() <= FLAT * off.length() {
                EdgeKind::Flat
            } else if height < 0.0 {
                EdgeKind::Convex
            } else {
                EdgeKind::Concave
            }
        })
    }

    /// The far vertex of the triangle across edge k.
    pub fn opposite(&self, triangles: &[[u32; 3]], triangle: u32, k: usize) -> Option<u32> {
        let other = self.neighbours[triangle as usize][k];
        if other == NONE {
            return None;
        }
        let corners = triangles[triangle as usize];
        let ends = [corners[k], corners[(k + 1) % 3]].map(|v| self.place(v));
        triangles[other as usize].into_iter().find(|v| !ends.contains(&self.place(*v)))
    }

    /// The vertex that stands for all at its place.
    #[inline]
    pub fn place(&self, vertex: u32) -> u32 {
        if self.welded.is_empty() { vertex } else { self.welded[vertex as usize] }
    }

    /// Triangles at a place, the lowest number first.
    fn range(&self, place: u32) -> &[u32] {
        &self.fans[self.starts[place as usize] as usize..self.starts[place as usize + 1] as usize]
    }

    /// The vertex stands for a place that triangles use.
    pub fn is_used(&self, vertex: u32) -> bool {
        !self.range(vertex).is_empty()
    }

    /// All triangles are connected by their edges: a flood from one reaches all.
    pub fn is_connected(&self, triangles: &[[u32; 3]]) -> bool {
        let places = || (0..self.starts.len() as u32 - 1).filter(|&v| self.is_used(v));
        let Some(first) = places().next() else { return true };
        let mut is_reached = vec![false; self.starts.len()];
        is_reached[first as usize] = true;
        let mut front = vec![first];
        let mut count = 1;
        while let Some(vertex) = front.pop() {
            for next in self.ring(triangles, vertex).map(|v| self.place(v)) {
                if !std::mem::replace(&mut is_reached[next as usize], true) {
                    front.push(next);
                    count += 1;
                }
            }
        }
        count == places().count()
    }

    /// Triangles at the place of a vertex, each with the corner there, the lowest number first.
    fn fan<'a>(&'a self, triangles: &'a [[u32; 3]], vertex: u32) -> impl Iterator<Item = (u32, usize)> + 'a {
        let place = self.place(vertex);
        self.range(place).iter().map(move |&t| {
            let corners = triangles[t as usize].map(|v| self.place(v));
            (t, corner_of(&corners, place))
        })
    }

    /// This triangle is the one that stands for its corner k: of the corners at a place one does.
    pub fn owns(&self, triangles: &[[u32; 3]], triangle: u32, k: usize) -> bool {
        self.range(self.place(triangles[triangle as usize][k])).first() == Some(&triangle)
    }

    /// The rim of an open surface passes through a vertex.
    pub fn is_rim(&self, triangles: &[[u32; 3]], vertex: u32) -> bool {
        let is_open = |t: u32, edge: usize| self.neighbours[t as usize][edge] == NONE;
        !self.is_closed && self.fan(triangles, vertex).any(|(t, k)| is_open(t, k) || is_open(t, (k + 2) % 3))
    }

    /// Vertices that share an edge with the place of a vertex, some of them twice where senses differ.
    pub fn ring<'a>(&'a self, triangles: &'a [[u32; 3]], vertex: u32) -> impl Iterator<Item = u32> + 'a {
        self.fan(triangles, vertex).flat_map(|(t, k)| {
            let corners = triangles[t as usize];
            let before = (k + 2) % 3;
            // That of the corner before comes with the triangle across.
            let is_last = !self.is_oriented || self.neighbours[t as usize][before] == NONE;
            [Some(corners[(k + 1) % 3]), is_last.then_some(corners[before])].into_iter().flatten()
        })
    }

    /// Direction that is outside where a point of a triangle lies nearest to another point; at a vertex the sum of the
    /// normals, weighted by angle (Bærentzen and Aanæs, 2005).
    pub fn outward(&self, arrays: Arrays, at: &Triangle, part: TrianglePart) -> DVec3 {
        match part {
            TrianglePart::Face => at.normal,
            TrianglePart::Edge(k) => {
                let other = self.neighbours[at.index as usize][k];
                at.normal + if other == NONE { DVec3::ZERO } else { arrays.normal(other) }
            }
            TrianglePart::Corner(k) => {
                let vertex = arrays.triangles[at.index as usize][k];
                self.fan(arrays.triangles, vertex).fold(DVec3::ZERO, |sum, (t, k)| {
                    let [p, q, r] =
                        [k, k + 1, k + 2].map(|k| arrays.vertices[arrays.triangles[t as usize][k % 3] as usize]);
                    let (u, v) = ((q - p).normalize_or_zero(), (r - p).normalize_or_zero());
                    sum + arrays.normal(t) * libm::acos(u.dot(v).clamp(-1.0, 1.0))
                })
            }
        }
    }
}

/// The corner of a triangle that is not degenerate at a place.
fn corner_of(corners: &[u32; 3], place: u32) -> usize {
    usize::from(corners[1] == place) + 2 * usize::from(corners[2] == place)
}
