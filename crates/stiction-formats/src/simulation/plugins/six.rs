//! Motions and forces as six numbers: linear part, then angular part (Fossen's order).

use stiction::math::DVec3;

pub(super) type Six = [f64; 6];

pub(super) fn six(a: DVec3, b: DVec3) -> Six {
    [a.x, a.y, a.z, b.x, b.y, b.z]
}

pub(super) fn halves(v: &Six) -> (DVec3, DVec3) {
    (DVec3::new(v[0], v[1], v[2]), DVec3::new(v[3], v[4], v[5]))
}

pub(super) fn dot(a: &Six, b: &Six) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn times(m: &[Six; 6], v: &Six) -> Six {
    std::array::from_fn(|i| dot(&m[i], v))
}

/// Solves `m x = b` by elimination with pivots; `None` where m is singular.
pub(super) fn solve(mut m: [Six; 6], mut b: Six) -> Option<Six> {
    for k in 0..6 {
        let pivot = (k..6).max_by(|i, j| m[*i][k].abs().total_cmp(&m[*j][k].abs()))?;
        m.swap(k, pivot);
        b.swap(k, pivot);
        if m[k][k] == 0.0 || !m[k][k].is_finite() {
            return None;
        }
        for i in k + 1..6 {
            let factor = m[i][k] / m[k][k];
            for j in k..6 {
                m[i][j] -= factor * m[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..6).rev() {
        let rest: f64 = (k + 1..6).map(|j| m[k][j] * b[j]).sum();
        b[k] = (b[k] - rest) / m[k][k];
    }
    Some(b)
}
