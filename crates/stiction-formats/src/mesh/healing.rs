//! Triangles of files in use, made fit to collide: one vertex at one place, no triangle without area or twice, one sense of
//! rotation for what is connected, outward where it is closed.

use stiction::math::DVec3;
use stiction::shape::{Aabb, Triangle};

use super::MeshDescription;
use super::adjacency::{Adjacency, repeated};
use super::weld::Welder;

/// What was changed, and what is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Healing {
    /// Triangles without area that were left out.
    pub degenerate: usize,
    /// Triangles that have the corners of another one and were left out.
    pub duplicate: usize,
    /// Triangles that were turned about.
    pub turned: usize,
    /// Every edge joins as many triangles one way as the other: the mesh bounds a solid.
    pub is_closed: bool,
    /// Parts that are connected by edges.
    pub components: usize,
}

impl Healing {
    /// Something was changed.
    #[must_use]
    pub const fn is_needed(&self) -> bool {
        self.degenerate + self.duplicate + self.turned > 0
    }
}

impl MeshDescription {
    /// The mesh made fit to collide, and what that took.
    ///
    /// A triangle whose twin has the opposite sense is left out only if the mesh is closed without it: a sheet with two faces
    /// stays one. A closed part that is wound inside out is turned, unless it lies within another one, whose cavity it is.
    #[must_use]
    pub fn healed(self) -> (Self, Healing) {
        let mut healing = Healing::default();
        let mut mesh = self.welded(&mut healing);
        let twins = repeated(&mesh);
        if !twins.is_empty() {
            let same = twins.iter().filter(|t| !t.is_opposite).map(|t| t.triangle);
            healing.duplicate = same.clone().count();
            let without_same = mesh.without(same);
            let single = mesh.without(twins.iter().map(|t| t.triangle));
            let is_double = healing.duplicate < twins.len();
            if is_double && Adjacency::new(&single).is_even {
                healing.duplicate = twins.len();
                mesh = single;
            } else {
                mesh = without_same;
            }
        }
        let mut adjacency = Adjacency::new(&mesh);
        let components = Components::new(&mesh, &adjacency);
        healing.components = components.parts.len();
        healing.turned = components.orient(&mut mesh);
        if healing.turned > 0 {
            adjacency = Adjacency::new(&mesh);
        }
        healing.is_closed = adjacency.is_consistent && !mesh.triangles.is_empty();
        (mesh, healing)
    }

    /// Every edge joins as many triangles one way as the other.
    pub(crate) fn is_closed(&self) -> bool {
        !self.triangles.is_empty() && Adjacency::new(self).is_consistent
    }

    /// Edges that do not join as many triangles one way as the other.
    pub(crate) fn open_edges(&self) -> usize {
        let mut balance = std::collections::BTreeMap::new();
        for t in &self.triangles {
            for k in 0..3 {
                let (a, b) = (t[k], t[(k + 1) % 3]);
                *balance.entry((a.min(b), a.max(b))).or_insert(0i32) += if a < b { 1 } else { -1 };
            }
        }
        balance.values().filter(|b| **b != 0).count()
    }

    /// One vertex at one place, those that triangles use; no triangle without area.
    fn welded(self, healing: &mut Healing) -> Self {
        let mut welder = Welder::with_capacity(self.vertices.len());
        let numbers: Vec<u32> = self.vertices.iter().map(|v| welder.index(*v)).collect();
        let mut mesh = Self { vertices: welder.into_vertices(), triangles: self.triangles };
        let before = mesh.triangles.len();
        let vertices = &mesh.vertices;
        mesh.triangles.retain_mut(|t| {
            *t = t.map(|v| numbers[v as usize]);
            has_area(t.map(|v| vertices[v as usize]))
        });
        healing.degenerate = before - mesh.triangles.len();
        mesh.without_loose_vertices()
    }

    fn without_loose_vertices(mut self) -> Self {
        let mut numbers = vec![u32::MAX; self.vertices.len()];
        self.triangles.iter().flatten().for_each(|v| numbers[*v as usize] = 0);
        if numbers.iter().all(|n| *n == 0) {
            return self;
        }
        for (count, number) in (0u32..).zip(numbers.iter_mut().filter(|n| **n == 0)) {
            *number = count;
        }
        let mut number = numbers.iter();
        self.vertices.retain(|_| number.next().is_some_and(|n| *n != u32::MAX));
        self.triangles.iter_mut().flatten().for_each(|v| *v = numbers[*v as usize]);
        self
    }

    /// The same without some triangles, given in rising order.
    fn without(&self, mut left_out: impl Iterator<Item = u32>) -> Self {
        let mut next = left_out.next();
        let mut triangles = Vec::with_capacity(self.triangles.len());
        for (index, t) in self.triangles.iter().enumerate() {
            if next == Some(index as u32) {
                next = left_out.next();
            } else {
                triangles.push(*t);
            }
        }
        Self { vertices: self.vertices.clone(), triangles }
    }
}

/// The engine's rule for triangles that touch anything.
fn has_area(corners: [DVec3; 3]) -> bool {
    Triangle::new(0, corners).normal != DVec3::ZERO
}

/// A part of a mesh that is connected by edges in which two triangles meet.
struct Component {
    /// Its triangles in `Components::order`.
    range: std::ops::Range<usize>,
    bounds: Aabb,
    /// No edge has an odd number of sides.
    is_closed: bool,
    /// Signed volume \[m³\], of the sense in which the file has most of the area.
    volume: f64,
    /// That sense is not that of the marks.
    is_reversed: bool,
}

struct Components {
    /// Triangles by component.
    order: Vec<u32>,
    /// By triangle: it has not the sense of the first of its component.
    is_against: Vec<bool>,
    parts: Vec<Component>,
}

impl Components {
    fn new(mesh: &MeshDescription, adjacency: &Adjacency) -> Self {
        let count = mesh.triangles.len();
        let mut all = Self { order: Vec::with_capacity(count), is_against: vec![false; count], parts: Vec::new() };
        let odd = adjacency.odd_marks();
        let mut is_reached = vec![false; count];
        for seed in 0..count as u32 {
            if is_reached[seed as usize] {
                continue;
            }
            let first = all.order.len();
            is_reached[seed as usize] = true;
            all.order.push(seed);
            let mut at = first;
            while let Some(&triangle) = all.order.get(at) {
                at += 1;
                for k in 0..3 {
                    let Some(other) = adjacency.neighbour(triangle, k) else { continue };
                    if std::mem::replace(&mut is_reached[other as usize], true) {
                        continue;
                    }
                    let corners = mesh.triangles[triangle as usize];
                    let (a, b) = (corners[k], corners[(k + 1) % 3]);
                    // Triangles of one sense have their edge in opposite directions.
                    let next = mesh.triangles[other as usize];
                    let is_same_way = (0..3).any(|k| next[k] == a && next[(k + 1) % 3] == b);
                    all.is_against[other as usize] = all.is_against[triangle as usize] != is_same_way;
                    all.order.push(other);
                }
            }
            let part = all.measure(mesh, first..all.order.len(), &odd);
            all.parts.push(part);
        }
        all
    }

    fn measure(&self, mesh: &MeshDescription, range: std::ops::Range<usize>, odd: &[bool]) -> Component {
        let (mut bounds, mut volume, mut balance) = (Aabb::EMPTY, 0.0, 0.0);
        let mut is_closed = true;
        let reference = mesh.triangles.get(self.order[range.start] as usize).map(|t| mesh.vertices[t[0] as usize]);
        let reference = reference.unwrap_or(DVec3::ZERO);
        for &t in &self.order[range.clone()] {
            let [a, b, c] = mesh.triangles[t as usize].map(|v| mesh.vertices[v as usize] - reference);
            let sign = if self.is_against[t as usize] { -1.0 } else { 1.0 };
            volume += sign * a.dot(b.cross(c)) / 6.0;
            balance += sign * (b - a).cross(c - a).length();
            is_closed &= !odd[t as usize];
            for p in [a, b, c] {
                bounds = bounds.merged(&Aabb::new(p + reference, p + reference));
            }
        }
        let is_reversed = balance < 0.0;
        let volume = if is_reversed { -volume } else { volume };
        Component { range, bounds, is_closed, volume, is_reversed }
    }

    /// Turns what has to be turned, and counts it.
    fn orient(&self, mesh: &mut MeshDescription) -> usize {
        let closed = || self.parts.iter().filter(|part| part.is_closed);
        // A file that is inside out as a whole has its cavities inside out too.
        let is_inverted = closed().map(|part| part.volume).sum::<f64>() < 0.0;
        let senses: Vec<bool> = self
            .parts
            .iter()
            .map(|part| {
                if !part.is_closed {
                    return part.is_reversed;
                }
                let volume = if is_inverted { -part.volume } else { part.volume };
                let is_turned = is_inverted != (volume < 0.0 && !self.is_cavity(mesh, part, is_inverted));
                part.is_reversed != is_turned
            })
            .collect();
        let mut turned = 0;
        for (part, is_turned) in self.parts.iter().zip(senses) {
            for &t in &self.order[part.range.clone()] {
                if self.is_against[t as usize] != is_turned {
                    mesh.triangles[t as usize].swap(1, 2);
                    turned += 1;
                }
            }
        }
        turned
    }

    /// A part lies within a closed part that is the right way out: a ray from it leaves that an odd number of times.
    fn is_cavity(&self, mesh: &MeshDescription, part: &Component, is_inverted: bool) -> bool {
        let first = mesh.triangles[self.order[part.range.start] as usize].map(|v| mesh.vertices[v as usize]);
        let from = (first[0] + first[1] + first[2]) / 3.0;
        self.parts.iter().any(|around| {
            let is_outward = around.is_closed && (around.volume > 0.0) != is_inverted;
            let (inner, outer) = (&part.bounds, &around.bounds);
            let is_within = inner.min.cmpgt(outer.min).all() && inner.max.cmplt(outer.max).all();
            let triangles = || self.order[around.range.clone()].iter().map(|t| mesh.triangles[*t as usize]);
            is_outward && is_within && {
                let corners = triangles().map(|t| t.map(|v| mesh.vertices[v as usize]));
                corners.filter(|corners| is_crossed(from, *corners)).count() % 2 == 1
            }
        })
    }
}

/// A ray in a fixed direction that lies in no plane of usual models meets a triangle (Möller and Trumbore 1997).
fn is_crossed(from: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
    let direction = DVec3::new(0.538_516_48, 0.732_050_81, 0.417_232_3);
    let (e, f) = (b - a, c - a);
    let p = direction.cross(f);
    let determinant = e.dot(p);
    if determinant == 0.0 {
        return false;
    }
    let s = from - a;
    let u = s.dot(p) / determinant;
    let q = s.cross(e);
    let v = direction.dot(q) / determinant;
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && f.dot(q) / determinant > 0.0
}
