//! VRML 97's swept and gridded surfaces (ISO/IEC 14772-1, 6.18 and 6.17).

use stiction::math::{DMat3, DQuat, DVec3};

use super::polygon::{MOST_CORNERS, triangulate};
use super::{MeshDescription, Solidity};

/// Most vertices of a surface.
const MOST_VERTICES: usize = 4_000_000;

/// A section swept along a spine.
#[derive(Clone, Debug)]
pub(crate) struct Extrusion {
    /// Points of the section \[m\], x and z; closed if the last is the first.
    pub(crate) section: Vec<[f64; 2]>,
    /// Points of the spine \[m\]; closed if the last is the first.
    pub(crate) spine: Vec<DVec3>,
    /// Of the section, at each point of the spine or the same at all.
    pub(crate) scales: Vec<[f64; 2]>,
    /// Likewise.
    pub(crate) orientations: Vec<DQuat>,
    /// The first section is a face.
    pub(crate) begin_cap: bool,
    /// The last section is a face.
    pub(crate) end_cap: bool,
}

impl Extrusion {
    /// What keeps the surface from being made, in words.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let fits = |count: usize| count <= 1 || count >= self.spine.len();
        let differs = self.spine.iter().any(|p| *p != self.spine[0]);
        Some(match () {
            () if self.section.len() > MOST_CORNERS => "the section has too many points (2000 at most)",
            () if self.section.len().saturating_mul(self.spine.len()) > MOST_VERTICES => "it has too many vertices",
            () if self.section.len() < 3 => "the section needs three points or more",
            () if self.spine.len() < 2 || !differs => "the spine needs two points that differ",
            () if !fits(self.scales.len()) => "the scales are fewer than the points of the spine",
            () if !fits(self.orientations.len()) => "the orientations are fewer than the points of the spine",
            () => return None,
        })
    }

    /// The surface; outward where it is closed. There is no [`fault`](Self::fault).
    pub(crate) fn mesh(&self) -> MeshDescription {
        let is_round = self.section.first() == self.section.last();
        let is_ring = self.spine.first() == self.spine.last();
        let (along, around) = (self.spine.len() - usize::from(is_ring), self.section.len() - usize::from(is_round));
        let axes = planes(&self.spine, is_ring);
        let of = |i: usize, list: usize| if list > 1 { i } else { 0 };
        let mut mesh = MeshDescription::default();
        for (i, axes) in axes.iter().enumerate().take(along) {
            let [sx, sz] = self.scales.get(of(i, self.scales.len())).copied().unwrap_or([1.0; 2]);
            let turn = self.orientations.get(of(i, self.orientations.len())).copied().unwrap_or(DQuat::IDENTITY);
            for [x, z] in &self.section[..around] {
                mesh.vertices.push(self.spine[i] + *axes * (turn * DVec3::new(x * sx, 0.0, z * sz)));
            }
        }
        let corner = |i: usize, j: usize| ((i % along) * around + j % around) as u32;
        for i in 0..self.spine.len() - 1 {
            for j in 0..self.section.len() - 1 {
                let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
                mesh.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        if !is_ring {
            let cap = |i: usize| (0..around).map(move |j| corner(i, j));
            if self.begin_cap {
                triangulate(&mesh.vertices, &cap(0).collect::<Vec<_>>(), &mut mesh.triangles);
            }
            if self.end_cap {
                triangulate(&mesh.vertices, &cap(along - 1).rev().collect::<Vec<_>>(), &mut mesh.triangles);
            }
        }
        // Which side is out depends on the sense of the section and of the spine.
        if matches!(mesh.solidity(), Ok(Solidity::InsideOut(_))) { mesh.turned() } else { mesh }
    }
}

/// The plane of the section at each point of a spine: y along the spine, z across its bend. Where the spine is straight z
/// is that of the next bend before it, or after it; a spine that is straight throughout turns y onto it by the shortest way.
fn planes(spine: &[DVec3], is_ring: bool) -> Vec<DMat3> {
    let count = spine.len();
    let neighbour = |i: usize, step: isize| -> DVec3 {
        let last = count - 1;
        match (i, step) {
            (0, -1) if is_ring => spine[last - 1],
            (i, 1) if i == last && is_ring => spine[1],
            (0, -1) => spine[0],
            (i, 1) if i == last => spine[last],
            (i, step) => spine[i.saturating_add_signed(step)],
        }
    };
    let whole = spine.iter().map(|p| *p - spine[0]).find(|d| *d != DVec3::ZERO).unwrap_or(DVec3::Y);
    let mut tangent = whole.normalize();
    let mut bends: Vec<Option<DVec3>> = Vec::with_capacity(count);
    let mut tangents = Vec::with_capacity(count);
    for (i, here) in spine.iter().enumerate() {
        let (before, after) = (neighbour(i, -1), neighbour(i, 1));
        tangent = (after - before).try_normalize().unwrap_or(tangent);
        tangents.push(tangent);
        let (to, from) = (after - *here, before - *here);
        let bend = to.cross(from);
        let is_straight = bend.length() <= 1e-9 * to.length() * from.length();
        bends.push(bend.try_normalize().filter(|_| !is_straight));
    }
    let Some(first) = bends.iter().flatten().next().copied() else {
        return tangents.iter().map(|tangent| DMat3::from_quat(turn_from_y(*tangent))).collect();
    };
    let mut last = first;
    let with = |(tangent, bend): (&DVec3, &Option<DVec3>)| {
        let own = bend.unwrap_or(last);
        last = if own.dot(last) < 0.0 { -own } else { own };
        // A bend carried over a straight piece need not be across it any more.
        let x = tangent.cross(last).try_normalize().unwrap_or_else(|| tangent.any_orthonormal_vector());
        DMat3::from_cols(x, *tangent, x.cross(*tangent))
    };
    tangents.iter().zip(&bends).map(with).collect()
}

/// The least rotation of y to a unit vector.
fn turn_from_y(to: DVec3) -> DQuat {
    let axis = DVec3::Y.cross(to);
    let angle = libm::atan2(axis.length(), to.y);
    DQuat::from_axis_angle(axis.try_normalize().unwrap_or(DVec3::X), angle)
}

/// Heights over a grid.
#[derive(Clone, Debug)]
pub(crate) struct ElevationGrid {
    /// Number of points along x and z.
    pub(crate) points: [usize; 2],
    /// Distance of the points along x and z \[m\].
    pub(crate) spacing: [f64; 2],
    /// Heights along y \[m\], x running fastest.
    pub(crate) heights: Vec<f64>,
    /// The side that is up is the front.
    pub(crate) is_up: bool,
}

impl ElevationGrid {
    /// What keeps the surface from being made, in words.
    pub(crate) fn fault(&self) -> Option<String> {
        let [columns, rows] = self.points;
        let wanted = columns.checked_mul(rows);
        if columns < 2 || rows < 2 {
            return Some("a grid needs two points or more along x and along z".to_owned());
        }
        (wanted != Some(self.heights.len()))
            .then(|| format!("a grid of {columns} by {rows} points has {} heights", self.heights.len()))
    }

    /// The surface. There is no [`fault`](Self::fault).
    pub(crate) fn mesh(&self) -> MeshDescription {
        let [columns, rows] = self.points;
        let point = |i: usize| {
            let (column, row) = (i % columns, i / columns);
            DVec3::new(column as f64 * self.spacing[0], self.heights[i], row as f64 * self.spacing[1])
        };
        let mut mesh = MeshDescription { vertices: (0..columns * rows).map(point).collect(), triangles: Vec::new() };
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let [a, b] = [row * columns + column, (row + 1) * columns + column].map(|v| v as u32);
                mesh.triangles.extend([[a, b, b + 1], [a, b + 1, a + 1]]);
            }
        }
        if self.is_up { mesh } else { mesh.turned() }
    }
}
