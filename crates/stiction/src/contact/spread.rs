//! Evens out the normal impulses of a manifold.
//!
//! Four coplanar points of one face can share a load in many ways. A warm start keeps whatever share the sweeps once
//! found, and the useless part (diagonal against diagonal) never fades, until some point carries so little that its
//! friction gives way. Of all impulses with the same force and the same moment the evenest is `λ = Gᵀ (G Gᵀ)⁻¹ G λ⁰`
//! with `G = [1; x; y]` in the plane of the face.

use glam::{DMat3, DVec3};

use crate::math::{V3, plane_space};

/// Replaces the impulses by the evenest with the same force and moment about the tangents, if all of them push.
/// `positions` are the points, `normal` their common normal.
pub(crate) fn even_out(positions: &[DVec3], normal: DVec3, impulses: &mut [f64]) {
    if positions.len() < 4 {
        return;
    }
    let (p, q) = plane_space(V3::from(normal));
    let (p, q) = (DVec3::from(p), DVec3::from(q));
    let center = positions.iter().sum::<DVec3>() / positions.len() as f64;
    let row = |x: DVec3| DVec3::new(1.0, p.dot(x - center), q.dot(x - center));
    let (mut gram, mut load) = (DMat3::ZERO, DVec3::ZERO);
    for (x, impulse) in positions.iter().zip(impulses.iter()) {
        let g = row(*x);
        gram += DMat3::from_cols(g * g.x, g * g.y, g * g.z);
        load += g * *impulse;
    }
    // Points on one line have no moment about it: nothing to even out across.
    let size = gram.y_axis.y.max(gram.z_axis.z);
    if gram.determinant() <= 1e-9 * gram.x_axis.x * size * size {
        return;
    }
    let weights = gram.inverse() * load;
    if positions.iter().all(|x| row(*x).dot(weights) > 0.0) {
        for (x, impulse) in positions.iter().zip(impulses) {
            *impulse = row(*x).dot(weights);
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
