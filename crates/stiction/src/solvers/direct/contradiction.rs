//! What is left of a solve: natural residuals, and rows that contradict each other.
//!
//! Contradicting rows make impulses grow by the same amount every round while velocities stay at the least-squares
//! compromise. The growth moves nothing, so that most of it can be taken back.

use super::pivots::Outcome;
use super::rows::DirectIsland;

/// Residual of a row that counts as contradicting others [m/s].
const INCONSISTENT: f64 = 1e-8;

impl DirectIsland {
    /// Largest natural residual of the centre, computed anew.
    pub fn residual(&mut self) -> f64 {
        self.trial.clone_from(&self.lambda);
        self.velocities(false);
        let mut u = std::mem::take(&mut self.w);
        self.gather(&self.z, &mut u);
        let mut largest = 0.0f64;
        for i in 0..self.lambda.len() {
            largest = largest.max(self.natural(i, u[i]).abs() - self.noise[i]);
            // As the pivots leave it, for those who flip by it.
            u[i] += self.d[i] * self.lambda[i] - self.beta[i];
        }
        self.w = u;
        largest
    }

    /// `A_ii (λ − clamp(λ − w / A_ii))` with the true Γ.
    pub fn natural(&self, i: usize, u: f64) -> f64 {
        let x = self.lambda[i];
        let w = (u + self.compliance[i] * x - self.target[i]).max(u - self.cap[i]);
        (x - (x - w / self.diagonal[i]).max(self.lower[i]).min(self.upper[i])) * self.diagonal[i]
    }

    /// Rows with a residual that no rounding explains.
    pub fn count_wrong(&self) -> u32 {
        (0..self.lambda.len())
            .filter(|i| {
                let u = self.w[*i] - self.d[*i] * self.lambda[*i] + self.beta[*i];
                self.natural(*i, u).abs() > INCONSISTENT + self.noise[*i]
            })
            .count() as u32
    }

    /// Takes the last growth of the impulses back as far as the bounds allow.
    pub fn report_contradiction(&mut self) -> Outcome {
        let m = self.lambda.len();
        let before = self.scratch.borrow(m);
        before.copy_from_slice(&self.lambda);
        for i in 0..m {
            self.beta[i] = self.b[i] + self.proximal[i] * self.lambda[i];
        }
        self.refine(false);
        let (mut along, mut square) = (0.0, 0.0);
        for i in 0..m {
            let growth = self.trial[i] - self.scratch.x[i];
            along += self.lambda[i] * growth;
            square += growth * growth;
        }
        if square > 0.0 && along > 0.0 {
            let mut share = along / square;
            for i in 0..m {
                let growth = self.trial[i] - self.scratch.x[i];
                if growth > 0.0 {
                    share = share.min(((self.lambda[i] - self.lower[i]) / growth).max(0.0));
                } else if growth < 0.0 {
                    share = share.min(((self.lambda[i] - self.upper[i]) / growth).max(0.0));
                }
            }
            for i in 0..m {
                self.lambda[i] -= share * (self.trial[i] - self.scratch.x[i]);
                self.lambda[i] = self.lambda[i].max(self.lower[i]).min(self.upper[i]);
            }
        }
        let residual = self.keep_the_better();
        Outcome { residual, inconsistent: self.count_wrong(), gave_up: false }
    }

    /// Impulses that are large because rows nearly contradict each other grow by rounding alone, and what is taken back then
    /// moves bodies: the impulses from before (`scratch`) hold where the velocities were better with them.
    fn keep_the_better(&mut self) -> f64 {
        let m = self.lambda.len();
        let reduced = self.residual();
        self.lambda.swap_with_slice(&mut self.scratch.x[..m]);
        let before = self.residual();
        if reduced > 2.0 * before + INCONSISTENT {
            return before;
        }
        self.lambda.swap_with_slice(&mut self.scratch.x[..m]);
        self.residual()
    }
}
