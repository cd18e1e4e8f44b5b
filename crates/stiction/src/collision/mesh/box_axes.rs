//! Box against triangle: separating axes.

use glam::DVec3;

use super::facet::Facet;
use crate::collision::{convex::Couple, placed::Placed};

/// The thirteen axes: the triangle's normal, the box' faces, and those across an edge of each. In the box' axes, with
/// half extents h and corners `vₖ`, the overlap along the unit l is `Σ hᵢ |lᵢ| + max l·vₖ` if the box leaves towards l,
/// and `Σ hᵢ |lᵢ| - min l·vₖ` if it leaves the other way. Below `least` the first axis that separates is returned.
pub(super) fn box_direction(
    half: DVec3,
    couple: &Couple<Placed, Facet>,
    along_normal: f64,
    least: f64,
) -> (DVec3, f64) {
    let rotation = couple.a.rotation;
    let into = rotation.transpose();
    let v = couple.b.corners.map(|p| into * (p - couple.a.position));
    let slack = 1e-9 * couple.size;
    let mut best = (into * couple.b.normal, along_normal);
    let mut is_apart = false;
    let mut consider = |l: DVec3| {
        let t = v.map(|p| p.dot(l));
        let (low, high) = (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]));
        let (depth, l) = if high <= -low { (high, l) } else { (-low, -l) };
        let depth = half.dot(l.abs()) + depth;
        if depth < best.1 - slack {
            best = (l, depth);
        }
        is_apart |= depth < least;
        is_apart
    };
    let mut search = || {
        for axis in DVec3::AXES {
            if consider(axis) {
                return;
            }
        }
        for k in 0..3 {
            let side = v[(k + 1) % 3] - v[k];
            let square = side.length_squared();
            for axis in DVec3::AXES {
                let cross = axis.cross(side);
                let length = cross.length_squared();
                if length > 1e-12 * square && consider(cross / length.sqrt()) {
                    return;
                }
            }
        }
    };
    search();
    (rotation * best.0, best.1)
}
