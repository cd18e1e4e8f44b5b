//! Box against triangle: separating axes.

use glam::DVec3;

use super::direction::Trial;

/// The box' faces, and the axes across an edge of each. In the box' axes, with half extents h and corners `vₖ`, the overlap
/// along the unit l is `Σ hᵢ |lᵢ| + max l·vₖ` if the box leaves towards l, and `Σ hᵢ |lᵢ| - min l·vₖ` if it leaves the
/// other way. It ends with the first axis along which the overlap is below `least`.
pub(super) fn box_direction(half: DVec3, trial: &mut Trial, least: f64) {
    let v = trial.corners;
    let (low, high) = (v[0].min(v[1]).min(v[2]), v[0].max(v[1]).max(v[2]));
    for (k, axis) in DVec3::AXES.into_iter().enumerate() {
        if high[k] <= -low[k] {
            trial.take(axis, half[k] + high[k]);
        } else {
            trial.take(-axis, half[k] - low[k]);
        }
    }
    if trial.depth < least {
        return;
    }
    for k in 0..3 {
        // The side's own ends have one height: the third corner has the other.
        let (start, side, far) = (v[k], v[(k + 1) % 3] - v[k], v[(k + 2) % 3]);
        let square = side.length_squared();
        for (i, j) in [(1, 2), (2, 0), (0, 1)] {
            // axis × side, in the plane of the other two axes.
            let (x, y) = (-side[j], side[i]);
            let length = x * x + y * y;
            if length <= 1e-12 * square {
                continue;
            }
            let scale = 1.0 / length.sqrt();
            let (x, y) = (x * scale, y * scale);
            let reach = half[i] * x.abs() + half[j] * y.abs();
            let (t, s) = (start[i] * x + start[j] * y, far[i] * x + far[j] * y);
            let (low, high) = (t.min(s), t.max(s));
            let (depth, sign) = if high <= -low { (reach + high, 1.0) } else { (reach - low, -1.0) };
            if depth < trial.depth - trial.slack {
                let mut axis = DVec3::ZERO;
                (axis[i], axis[j]) = (sign * x, sign * y);
                trial.take(axis, depth);
                if depth < least {
                    return;
                }
            }
        }
    }
}
