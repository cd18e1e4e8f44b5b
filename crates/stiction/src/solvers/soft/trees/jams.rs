//! Loops that jam: what laws hold leaves no motion that keeps them closed.
//!
//! A motor holds the crank of a four-bar at a rate when the rocker comes to its stop. With both held, a row of the cut depends on the others, and their
//! solution does not satisfy it. A combination of the rows that moves nothing is a self-stress of the loop, as in a statically indeterminate frame: it loads
//! the motions that are held, and grows until the law of one of them gives way.

use super::super::contact_space::ROWS_OF_CUT as ROWS;
use super::link::TreeLink;
use super::loops::Loops;

/// Residual of a row that is rounding: relative to the largest velocity of a half, and to the terms of which it is the sum.
const ROUNDED: f64 = 1e-9;
const CANCELLED: f64 = 1e-3;

impl<const W: usize> Loops<W> {
    /// Finds a loop of a lane that has jammed, with the velocities of the last solution. Returns the impulses along the motions of each link by the
    /// self-stress that would close it if all laws were slightly compliant, scaled so that times the root of a motion's response they are of the order of 1.
    pub(crate) fn strains(&mut self, links: &[TreeLink<W>], lane: usize) -> Option<&[[f64; 3]]> {
        if self.system(lane).0.independent().len() == self.count() {
            return None;
        }
        let [mut strains, mut tried] = std::mem::take(&mut self.strains);
        let mut stress = std::mem::take(&mut self.own);
        let is_jammed = self.find_jam((links, lane), &mut stress, (&mut strains, &mut tried));
        (self.strains, self.own) = ([strains, tried], stress);
        is_jammed.then_some(&self.strains[0])
    }

    fn find_jam(
        &self,
        (links, lane): (&[TreeLink<W>], usize),
        stress: &mut Vec<f64>,
        (strains, tried): (&mut Vec<[f64; 3]>, &mut Vec<[f64; 3]>),
    ) -> bool {
        let (system, matrix) = self.system(lane);
        stress.resize(self.count(), 0.0);
        let fastest = self.fastest(links, lane);
        let mut widest = 0.0;
        for row in (0..self.count()).filter(|row| !system.independent().contains(row)) {
            let left = self.left(links, row, lane);
            let share = left.abs() / self.free[row][lane].sqrt();
            if share <= widest || left.abs() <= ROUNDED * fastest {
                continue;
            }
            system.dependence(matrix, row, stress);
            let size =
                stress.iter().zip(&self.free).map(|(own, free)| own.abs() * free[lane].sqrt()).fold(0.0, f64::max);
            let by = -left.signum() / size;
            self.strain(links, (stress, by), lane, tried);
            let power = |(link, own): (&TreeLink<W>, &[f64; 3])| {
                (0..3).map(|k| (own[k] * link.rates[k][lane]).abs()).sum::<f64>()
            };
            let most: f64 = links.iter().zip(&*tried).map(power).fold(0.0, f64::max);
            if left.abs() * by.abs() > CANCELLED * most {
                widest = share;
                std::mem::swap(strains, tried);
            }
        }
        widest > 0.0
    }

    /// Residual of a row: relative velocity, linear or angular, of the halves of a body.
    fn left(&self, links: &[TreeLink<W>], row: usize, lane: usize) -> f64 {
        let [first, second] = self.cuts[row / ROWS].map(|link| links[link as usize].velocity()[row % ROWS][lane]);
        first - second
    }

    /// Largest velocity, linear or angular, of a half.
    fn fastest(&self, links: &[TreeLink<W>], lane: usize) -> f64 {
        let halves = self.cuts.iter().flatten().flat_map(|half| links[*half as usize].velocity());
        halves.map(|velocity| velocity[lane].abs()).fold(0.0, f64::max)
    }

    /// Impulses along the motions that balance impulses of the rows.
    fn strain(&self, links: &[TreeLink<W>], (stress, by): (&[f64], f64), lane: usize, strains: &mut Vec<[f64; 3]>) {
        strains.clear();
        strains.resize(links.len(), [0.0; 3]);
        for (row, size) in stress.iter().enumerate().filter(|(_, size)| **size != 0.0) {
            let responses = &self.responses[row * links.len()..];
            for ((link, response), strain) in links.iter().zip(responses).zip(&mut *strains) {
                for k in 0..link.held.dofs() {
                    let pushed = link.pushed[k].iter().zip(&response.velocity);
                    let transmitted: f64 = pushed.map(|(own, velocity)| own[lane] * velocity[lane]).sum();
                    let rotor = link.added[k][lane] * response.rates[k][lane];
                    strain[k] += by * size * (transmitted + rotor - response.along[k][lane]);
                }
            }
        }
    }
}
