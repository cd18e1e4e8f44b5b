//! Evens out the normal impulses of a manifold.
//!
//! Four coplanar points of one face can share a load in many ways. A warm start keeps whatever share the sweeps once
//! found, and the useless part (diagonal against diagonal) never fades, until some point carries so little that its
//! friction gives way. Of all impulses with the same force and the same moment the evenest is `λ = Gᵀ (G Gᵀ)⁻¹ G λ⁰`
//! with `G = [1; x; y]` in the plane of the face.

use glam::{DMat3, DVec3};

use crate::math::{V3, plane_space};

/// Points of a manifold at most.
pub(crate) const MOST: usize = 8;

/// Replaces the impulses by the evenest with the same force and moment about the tangents, if all of them push.
/// `positions` are the points, `normal` their common normal.
#[inline(always)]
pub(crate) fn even_out(positions: &[DVec3], normal: DVec3, impulses: &mut [f64]) {
    if !(4..=MOST).contains(&positions.len()) {
        return;
    }
    let (p, q) = plane_space(V3::from(normal));
    let (p, q) = (DVec3::from(p), DVec3::from(q));
    let center = positions.iter().sum::<DVec3>() / positions.len() as f64;
    let mut rows = [DVec3::ZERO; MOST];
    let (mut gram, mut load) = (DMat3::ZERO, DVec3::ZERO);
    for ((x, impulse), row) in positions.iter().zip(impulses.iter()).zip(&mut rows) {
        let g = DVec3::new(1.0, p.dot(x - center), q.dot(x - center));
        gram += DMat3::from_cols(g * g.x, g * g.y, g * g.z);
        load += g * *impulse;
        *row = g;
    }
    // Points on one line have no moment about it: nothing to even out across.
    let size = gram.y_axis.y.max(gram.z_axis.z);
    if gram.determinant() <= 1e-9 * gram.x_axis.x * size * size {
        return;
    }
    let weights = gram.inverse() * load;
    let rows = &rows[..positions.len()];
    if rows.iter().all(|row| row.dot(weights) > 0.0) {
        for (row, impulse) in rows.iter().zip(impulses) {
            *impulse = row.dot(weights);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twist_goes_and_the_load_stays() {
        let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(x, y)| DVec3::new(x, y, 0.0));
        // Load 8, moment from the right side carrying more, and a twist of ±0.5.
        let mut impulses = [3.5, 0.5, 1.5, 2.5];
        even_out(&corners, DVec3::Z, &mut impulses);
        for (found, expected) in impulses.iter().zip([3.0, 1.0, 1.0, 3.0]) {
            assert!((found - expected).abs() < 1e-14, "{impulses:?}");
        }
    }

    #[test]
    fn points_on_a_line_and_pulling_shares_are_left_alone() {
        let line = [0.0, 1.0, 2.0, 3.0].map(|x| DVec3::new(x, 0.0, 0.0));
        let mut impulses = [1.0, 2.0, 3.0, 4.0];
        even_out(&line, DVec3::Z, &mut impulses);
        assert_eq!(impulses, [1.0, 2.0, 3.0, 4.0]);
        let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(x, y)| DVec3::new(x, y, 0.0));
        let mut impulses = [4.0, 0.0, 0.0, 0.0];
        even_out(&corners, DVec3::Z, &mut impulses);
        assert_eq!(impulses, [4.0, 0.0, 0.0, 0.0]);
    }
}
