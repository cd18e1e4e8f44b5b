//! Friction in impacts with restitution: `|λt| ≤ μ λn` at each point, against the velocity across that there is.
//!
//! Normals and friction of a manifold are solved together, block by block. Newton's restitution may make energy with friction where a body is
//! leaned (Kane's paradox): then the normals keep what they have without friction, and friction, which alone takes energy, follows.

use glam::DVec3;

use super::restitution::Impact;
use crate::solvers::soft::{COEFFICIENT, Record};

/// Rows of an impact: four normals, then two directions of friction at each of the points.
pub(super) const IMPACT_ROWS: usize = 12;
/// Most rounds of normals and friction, and the change by the largest impulse after which there are no more.
const ROUNDS: usize = 50;
const STILL: f64 = 1e-10;

/// The law of friction of a manifold.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ImpactFriction {
    coefficient: f64,
    is_pyramid: bool,
}

impl ImpactFriction {
    /// From the records of a manifold; also its directions, the second by its coefficient over that of the first. What slips by its velocity has no
    /// friction in impacts.
    pub(super) fn read(normal: DVec3, head: &Record, special: &[Record]) -> (Self, [DVec3; 2]) {
        let [x, y, z, is_given, stretch, pyramid, ..] = special[0].0;
        let slips = special[1].0[3] > 0.0 || special[1].0[4] > 0.0;
        let given = DVec3::new(x, y, z).reject_from_normalized(normal);
        let first =
            if is_given > 0.0 && given.length() > 1e-6 { given.normalize() } else { normal.any_orthonormal_vector() };
        let stretch = if is_given > 0.0 { stretch } else { 1.0 };
        let coefficient = if slips { 0.0 } else { head.0[COEFFICIENT] };
        (Self { coefficient, is_pyramid: pyramid > 0.0 }, [first, stretch * normal.cross(first)])
    }

    pub(super) fn rubs(&self) -> bool {
        self.coefficient > 0.0
    }

    fn bounded(&self, [x, y]: [f64; 2], normal: f64) -> [f64; 2] {
        let bound = self.coefficient * normal;
        if self.is_pyramid {
            return [x.clamp(-bound, bound), y.clamp(-bound, bound)];
        }
        let share = (bound / x.hypot(y).max(f64::MIN_POSITIVE)).min(1.0);
        [share * x, share * y]
    }
}

impl Impact {
    /// Impulses that change the velocities of normals by what is wanted, with their friction against the velocities `u` of all rows, or without.
    pub(super) fn solve(&self, wanted: &[Option<f64>; 4], u: &[f64; IMPACT_ROWS], rubs: bool) -> [f64; IMPACT_ROWS] {
        let mut lambda = [0.0; IMPACT_ROWS];
        let alone = self.press(wanted);
        lambda[..4].copy_from_slice(&alone);
        if !rubs || !self.law.rubs() {
            return lambda;
        }
        for _ in 0..ROUNDS {
            let before = lambda;
            self.rub(u, &mut lambda);
            let of_friction = |k: usize| (4..IMPACT_ROWS).map(|j| self.couplings[k][j] * lambda[j]).sum::<f64>();
            let rest = std::array::from_fn(|k| wanted[k].map(|want| want - of_friction(k)));
            lambda[..4].copy_from_slice(&self.press(&rest));
            if changed(&before, &lambda) < STILL {
                break;
            }
        }
        self.rub(u, &mut lambda);
        if self.work(u, &lambda) > 0.0 {
            lambda = [0.0; IMPACT_ROWS];
            lambda[..4].copy_from_slice(&alone);
            for _ in 0..ROUNDS {
                let before = lambda;
                self.rub(u, &mut lambda);
                if changed(&before, &lambda) < STILL {
                    break;
                }
            }
        }
        lambda
    }

    /// Friction of each point within what its normal allows.
    fn rub(&self, u: &[f64; IMPACT_ROWS], lambda: &mut [f64; IMPACT_ROWS]) {
        for k in 0..4 {
            let rows = [4 + 2 * k, 5 + 2 * k];
            if lambda[k] <= 0.0 || self.couplings[rows[0]][rows[0]] <= 0.0 {
                rows.iter().for_each(|row| lambda[*row] = 0.0);
                continue;
            }
            // One step for both, so that what slips acts against the slip.
            let most = rows.map(|row| self.couplings[row][row]).into_iter().fold(0.0, f64::max);
            let speed =
                rows.map(|row| u[row] + (0..IMPACT_ROWS).map(|j| self.couplings[row][j] * lambda[j]).sum::<f64>());
            let free = [lambda[rows[0]] - speed[0] / most, lambda[rows[1]] - speed[1] / most];
            [lambda[rows[0]], lambda[rows[1]]] = self.law.bounded(free, lambda[k]);
        }
    }

    /// Work of impulses on the bodies against each other.
    fn work(&self, u: &[f64; IMPACT_ROWS], lambda: &[f64; IMPACT_ROWS]) -> f64 {
        let mean = |i: usize| u[i] + 0.5 * (0..IMPACT_ROWS).map(|j| self.couplings[i][j] * lambda[j]).sum::<f64>();
        (0..IMPACT_ROWS).map(|i| lambda[i] * mean(i)).sum()
    }
}

/// Largest change by the largest impulse.
fn changed(before: &[f64; IMPACT_ROWS], now: &[f64; IMPACT_ROWS]) -> f64 {
    let largest = now.iter().fold(f64::MIN_POSITIVE, |most, x| x.abs().max(most));
    before.iter().zip(now).fold(0.0f64, |most, (a, b)| (a - b).abs().max(most)) / largest
}
