//! Which triangles meet in which edges.

use super::MeshDescription;

/// No triangle.
pub(super) const NONE: u32 = u32::MAX;

/// One side of an edge: the end of the higher number, and the triangle with the number of the edge and its sense.
#[derive(Clone, Copy, Default)]
struct Side {
    end: u32,
    /// `8 triangle + 2 edge + sense`; files have too few triangles to overflow it.
    packed: u32,
}

impl Side {
    const fn triangle(self) -> u32 {
        self.packed >> 3
    }

    const fn edge(self) -> usize {
        (self.packed >> 1 & 3) as usize
    }

    const fn is_forward(self) -> bool {
        self.packed & 1 == 1
    }
}

/// Neighbours across the edges of triangles.
pub(super) struct Adjacency {
    /// Triangle across edge k, from corner k to corner k + 1, where exactly two meet; [`NONE`] elsewhere.
    neighbours: Vec<[u32; 3]>,
    /// Every edge has an even number of sides.
    pub(super) is_even: bool,
    /// Every edge has as many sides one way as the other.
    pub(super) is_consistent: bool,
    /// Triangles with an edge of an odd number of sides.
    odd: Vec<u32>,
}

/// Numbers of `count` items by their keys below `keys`: the items of key k are at `starts[k]..starts[k + 1]`.
fn buckets(keys: usize, items: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0u32; keys + 1];
    items.for_each(|key| starts[key as usize + 1] += 1);
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    starts
}

impl Adjacency {
    pub(super) fn new(mesh: &MeshDescription) -> Self {
        let triangles = &mesh.triangles;
        let ends = |t: &[u32; 3], k: usize| (t[k], t[(k + 1) % 3]);
        let lower = triangles.iter().flat_map(|t| [0, 1, 2].map(|k| t[k].min(t[(k + 1) % 3])));
        let starts = buckets(mesh.vertices.len(), lower);
        let mut next = starts.clone();
        let mut sides = vec![Side::default(); 3 * triangles.len()];
        for (index, t) in triangles.iter().enumerate() {
            for k in 0..3 {
                let (a, b) = ends(t, k);
                let slot = &mut next[a.min(b) as usize];
                let packed = (index as u32) << 3 | (k as u32) << 1 | u32::from(a < b);
                sides[*slot as usize] = Side { end: a.max(b), packed };
                *slot += 1;
            }
        }
        let mut adjacency =
            Self { neighbours: vec![[NONE; 3]; triangles.len()], is_even: true, is_consistent: true, odd: Vec::new() };
        for bucket in starts.windows(2) {
            let around = &mut sides[bucket[0] as usize..bucket[1] as usize];
            around.sort_unstable_by_key(|s| (s.end, s.packed));
            for edge in around.chunk_by(|s, t| s.end == t.end) {
                adjacency.join(edge);
            }
        }
        adjacency
    }

    fn join(&mut self, edge: &[Side]) {
        self.is_consistent &= 2 * edge.iter().filter(|s| s.is_forward()).count() == edge.len();
        if edge.len() % 2 == 1 {
            self.is_even = false;
            self.odd.extend(edge.iter().map(|s| s.triangle()));
        }
        if let [s, t] = edge {
            self.neighbours[s.triangle() as usize][s.edge()] = t.triangle();
            self.neighbours[t.triangle() as usize][t.edge()] = s.triangle();
        }
    }

    /// The triangle across an edge in which exactly two meet.
    pub(super) fn neighbour(&self, triangle: u32, edge: usize) -> Option<u32> {
        let other = self.neighbours[triangle as usize][edge];
        (other != NONE).then_some(other)
    }

    /// Marks of triangles with an edge of an odd number of sides.
    pub(super) fn odd_marks(&self) -> Vec<bool> {
        let mut marks = vec![false; self.neighbours.len()];
        self.odd.iter().for_each(|t| marks[*t as usize] = true);
        marks
    }
}

/// A triangle that has the corners of an earlier one.
#[derive(Clone, Copy)]
pub(super) struct Repeated {
    pub(super) triangle: u32,
    /// Its sense is not that of the first.
    pub(super) is_opposite: bool,
}

/// All triangles that have the corners of an earlier one, by number.
pub(super) fn repeated(mesh: &MeshDescription) -> Vec<Repeated> {
    let least = |t: &[u32; 3]| t[0].min(t[1]).min(t[2]);
    let starts = buckets(mesh.vertices.len(), mesh.triangles.iter().map(least));
    let mut next = starts.clone();
    let mut order = vec![0u32; mesh.triangles.len()];
    for (index, t) in mesh.triangles.iter().enumerate() {
        let slot = &mut next[least(t) as usize];
        order[*slot as usize] = index as u32;
        *slot += 1;
    }
    // The other two corners, lower first, and whether that is their order.
    let others = |t: u32| {
        let t = mesh.triangles[t as usize];
        let first = t.iter().position(|v| *v == least(&t)).unwrap_or(0);
        let (a, b) = (t[(first + 1) % 3], t[(first + 2) % 3]);
        (a.min(b), a.max(b), a < b)
    };
    let mut found = Vec::new();
    for bucket in starts.windows(2) {
        let around = &mut order[bucket[0] as usize..bucket[1] as usize];
        if around.len() < 2 {
            continue;
        }
        around.sort_unstable_by_key(|t| {
            let (a, b, _) = others(*t);
            (a, b, *t)
        });
        for pair in around.chunk_by(|s, t| {
            let (s, t) = (others(*s), others(*t));
            (s.0, s.1) == (t.0, t.1)
        }) {
            let sense = others(pair[0]).2;
            found.extend(pair[1..].iter().map(|t| Repeated { triangle: *t, is_opposite: others(*t).2 != sense }));
        }
    }
    found.sort_unstable_by_key(|r| r.triangle);
    found
}
